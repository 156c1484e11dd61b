/*
 * What the full-text column tags holds and how it is asked: raw tokens for a
 * page's host with its parent domains, and for its date by century, year,
 * month and day, so that any range is a short list of tokens. See fts.h.
 */
#include "store/fts.h"

#include "base/date.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

void fts_quote(struct buf *b, char kind, const char *p, size_t n)
{
    buf_addc(b, '"');
    buf_addc(b, kind);
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '"')
            buf_addc(b, '"');
        buf_addc(b, p[i]);
    }
    buf_addc(b, '"');
}

/* An address has no parent domains. */
static bool is_address(const char *host)
{
    size_t n = strlen(host);

    return n == 0 || host[0] == '[' || ascii_is_digit(host[n - 1]);
}

static void add_host(struct buf *b, const char *host)
{
    bool whole = is_address(host);

    while (host != NULL && *host != '\0') {
        const char *dot = whole ? NULL : strchr(host, '.');

        buf_addf(b, "%ch:%s ", FTS_TAG, host);
        host = dot == NULL ? NULL : dot + 1;
    }
}

void fts_tags(struct buf *b, const char *host, int32_t day)
{
    int y, m, d;

    add_host(b, host);
    if (day == DAY_NONE)
        return;
    date_from_day(day, &y, &m, &d);
    buf_addf(b, "%cd:%02d %cd:%04d %cd:%04d%02d %cd:%04d%02d%02d", FTS_TAG,
             y / 100, FTS_TAG, y, FTS_TAG, y, m, FTS_TAG, y, m, d);
}

static void or_tag(struct buf *b, const char *tag)
{
    if (b->len > 0 && b->data[b->len - 1] != '(')
        buf_adds(b, " OR ");
    fts_quote(b, FTS_TAG, tag, strlen(tag));
}

static int32_t month_end(int y, int m)
{
    if (m == 12)
        return date_to_day(y, 12, 31);
    return date_to_day(y, m + 1, 1) - 1;
}

/* Add the largest whole unit that begins on from and ends by to; returns its
 * last day. */
static int32_t add_unit(struct buf *b, int32_t from, int32_t to)
{
    char tag[32];
    int y, m, d;
    int32_t end = from;

    date_from_day(from, &y, &m, &d);
    if (d == 1 && m == 1 && y % 100 == 0 && month_end(y + 99, 12) <= to) {
        end = month_end(y + 99, 12);
        snprintf(tag, sizeof tag, "d:%02d", y / 100);
    } else if (d == 1 && m == 1 && month_end(y, 12) <= to) {
        end = month_end(y, 12);
        snprintf(tag, sizeof tag, "d:%04d", y);
    } else if (d == 1 && month_end(y, m) <= to) {
        end = month_end(y, m);
        snprintf(tag, sizeof tag, "d:%04d%02d", y, m);
    } else {
        snprintf(tag, sizeof tag, "d:%04d%02d%02d", y, m, d);
    }
    or_tag(b, tag);
    return end;
}

void fts_day_query(struct buf *b, int32_t from, int32_t to)
{
    buf_addc(b, '(');
    while (from <= to && buf_err(b) == ERR_OK)
        from = add_unit(b, from, to) + 1;
    buf_addc(b, ')');
}
