/* Pages as they are stored; see stored.h. */
#include "index/stored.h"

#include "base/date.h"
#include "base/str.h"
#include "index/page_sql.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 24 };

void stored_bind(struct stmt *q, const struct stored_page *p)
{
    sql_text(q, 1, p->url);
    sql_text(q, 2, p->host);
    sql_text(q, 3, p->rhost);
    sql_text(q, 4, p->title);
    sql_text(q, 5, p->lang);
    sql_text(q, 6, p->favicon);
    sql_text(q, 7, p->images);
    if (p->day == DAY_NONE)
        sql_text(q, 8, NULL);
    else
        sql_int(q, 8, p->day);
    sql_int(q, 9, p->fetched);
    sql_text(q, 10, p->etag);
    sql_text(q, 11, p->last_modified);
    sql_int(q, 12, p->text_bytes);
    sql_int(q, 13, p->first);
    sql_int(q, 14, (int64_t)p->count);
    if (p->id == 0)
        sql_text(q, 15, NULL);
    else
        sql_int(q, 15, p->id);
}

void stored_read(struct stmt *q, struct arena *a, void *element)
{
    struct stored_page *out = element;

    out->url = sql_col_text(q, 0, a);
    out->host = sql_col_text(q, 1, a);
    out->rhost = sql_col_text(q, 2, a);
    out->title = sql_col_text(q, 3, a);
    out->lang = sql_col_text(q, 4, a);
    out->favicon = sql_col_text(q, 5, a);
    out->images = sql_col_text(q, 6, a);
    out->day = page_col_day(q, 7);
    out->fetched = sql_col_int(q, 8);
    out->etag = sql_col_text(q, 9, a);
    out->last_modified = sql_col_text(q, 10, a);
    out->text_bytes = sql_col_int(q, 11);
    out->first = sql_col_int(q, 12);
    out->count = (size_t)sql_col_int(q, 13);
    out->id = sql_col_int(q, 14);
}

static char *add(char *at, const char *z, size_t n)
{
    memcpy(at, z, n);
    return at + n;
}

const char *stored_pack(const struct stored_page *p, struct arena *a,
                        size_t *len)
{
    size_t size = 1;
    char *body, *at, number[NUMBER_MAX];

    for (size_t i = 0; i < p->count; i++) {
        const struct stored_passage *t = &p->passages[i];

        size += NUMBER_MAX + strlen(t->heading) + strlen(t->text) +
                strlen(t->parts) + 3;
    }
    body = at = arena_alloc(a, size);
    for (size_t i = 0; body != NULL && i < p->count; i++) {
        const struct stored_passage *t = &p->passages[i];
        int n = snprintf(number, sizeof number, "%" PRId64, t->start);

        at = add(at, number, (size_t)n + 1);
        at = add(at, t->heading, strlen(t->heading) + 1);
        at = add(at, t->text, strlen(t->text) + 1);
        at = add(at, t->parts, strlen(t->parts) + 1);
    }
    *len = body == NULL ? 0 : (size_t)(at - body);
    return body;
}

/* The string at *at; NULL: the body ends within it. */
static const char *take(const char **at, const char *end)
{
    const char *z = *at;
    const char *nul = z < end ? memchr(z, '\0', (size_t)(end - z)) : NULL;

    if (nul != NULL)
        *at = nul + 1;
    return nul == NULL ? NULL : z;
}

enum err stored_unpack(const char *body, size_t len, struct stored_page *p,
                       struct arena *a, struct errctx *ec)
{
    const char *at = body, *end = body + len;
    struct stored_passage *list = arena_array(a, p->count + 1, sizeof *list);
    bool whole = true;

    if (list == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; whole && i < p->count; i++) {
        const char *start = take(&at, end);

        list[i].heading = take(&at, end);
        list[i].text = take(&at, end);
        list[i].parts = take(&at, end);
        whole = list[i].parts != NULL &&
                parse_int(start, 0, INT64_MAX, &list[i].start);
    }
    if (!whole || at != end)
        return err_set(ec, ERR_DB, "the passages of page %lld are damaged",
                       (long long)p->id);
    p->passages = list;
    return ERR_OK;
}
