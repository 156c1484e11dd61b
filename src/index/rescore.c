/* Terms of a query in a text; see rescore.h. */
#include "index/rescore.h"

#include "base/str.h"
#include "text/terms.h"

#include <stdbool.h>
#include <string.h>

/* Reward of neighbours, in parts of the smaller gain. */
static const double ADJACENT = 0.5, CLOSE = 0.2;
enum { CLOSE_WORDS = 6 };

/* The letters that may stand second in a word with this stem: stemming turns
 * a second y into i, and leaves one letter of a few short words. */
static uint32_t second_letter(const char *z, uint32_t n)
{
    if (n < 2 || z[1] < 'a' || z[1] > 'z')
        return 0xFFFFFFFF;
    return 1u << (z[1] - 'a') | (z[1] == 'i' ? 1u << ('y' - 'a') : 0);
}

void rescore_init(struct rescore *r, const struct rescore_term *terms,
                  size_t count)
{
    r->terms = terms;
    r->count = count;
    r->stem = NULL;
    memset(r->head, -1, sizeof r->head);
    memset(r->second, 0, sizeof r->second);
    for (int c = 0; c < 256; c++)
        r->fold[c] =
            ascii_is_alnum(c) ? (unsigned char)ascii_lower((char)c) : 0;
    for (size_t i = count; i-- > 0;) {
        unsigned char c = (unsigned char)terms[i].text[0];

        r->next[i] = r->head[c];
        r->head[c] = (short)i;
        r->second[c] |= second_letter(terms[i].text, terms[i].len);
    }
}

static int find(const struct rescore *r, const struct term *t)
{
    int i = r->head[(unsigned char)t->text[0]];

    while (i >= 0 && (r->terms[i].len != t->len ||
                      memcmp(r->terms[i].text, t->text, t->len) != 0))
        i = r->next[i];
    return i;
}

static void note_pair(struct rescore_tally *t, int i, long at,
                      long distance_max)
{
    long before = t[i - 1].last, distance = at - before;
    double near = distance == 1 ? ADJACENT : CLOSE;

    if (before >= 0 && distance <= distance_max && near > t[i].pair)
        t[i].pair = near;
}

static void tally_pairs(const struct rescore *r, struct rescore_tally *t, int i,
                        long at)
{
    t[i].in_text++;
    t[i].last = at;
    if (i > 0)
        note_pair(t, i, at, CLOSE_WORDS);
    /* The other way round is never side by side in query order. */
    if ((size_t)i + 1 < r->count && t[i + 1].last >= 0 &&
        at - t[i + 1].last <= CLOSE_WORDS && t[i + 1].pair < CLOSE)
        t[i + 1].pair = CLOSE;
}

/* Does the token stand in the text as the query wrote it? */
static bool is_word(const struct rescore_term *t, const char *p,
                    const struct term *token)
{
    size_t n = token->end - token->start;
    const char *z = t->word;

    if (z == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        if (z[i] == '\0' || z[i] != ascii_lower(p[token->start + i]))
            return false;
    return z[n] == '\0';
}

static void tally_word(const struct rescore *r, struct rescore_tally *t,
                       const char *p, const struct term *token, long at,
                       enum rescore_field field)
{
    int i = find(r, token);
    bool word;

    if (i < 0)
        return;
    word = is_word(&r->terms[i], p, token);
    if (field == RESCORE_TITLE) {
        t[i].in_title = true;
        t[i].word_in_title = t[i].word_in_title || word;
    } else if (field == RESCORE_HEADING) {
        t[i].in_heading = true;
    } else {
        t[i].words += word ? 1 : 0;
        tally_pairs(r, t, i, at);
    }
}

/* Does a word that begins with these two bytes look like a term? */
static bool may_be_term(const struct rescore *r, unsigned char first,
                        unsigned char second)
{
    if (r->head[first] < 0)
        return false;
    if (r->stem != NULL)
        return true; /* whose rules are not known here */
    return second < 'a' || (r->second[first] >> (second - 'a') & 1) != 0;
}

/* What lies between white space; no token reaches over it. */
struct chunk {
    size_t end;
    long words; /* about how many */
    bool promising;
};

static struct chunk look_at(const struct rescore *r, const char *text, size_t n,
                            size_t i)
{
    const unsigned char *p = (const unsigned char *)text;
    struct chunk c = {i, 0, false};
    unsigned char before = 0;

    for (; i < n && p[i] > ' '; i++) {
        unsigned char folded = r->fold[p[i]];

        if (p[i] >= 0x80) {
            c.promising = true;
        } else if (folded != 0 && before == 0) {
            c.words++;
            if (may_be_term(r, folded, i + 1 < n ? r->fold[p[i + 1]] : 0))
                c.promising = true;
        }
        before = folded;
    }
    c.end = i;
    return c;
}

/* Nine words in ten are no terms of the query, which two letters tell: only
 * the others are tokenized and stemmed. */
long rescore_count(const struct rescore *r, struct rescore_tally *t,
                   const char *p, size_t n, enum rescore_field field)
{
    long at = 0;

    for (size_t i = 0; i < n; i++) {
        struct chunk c = look_at(r, p, n, i);
        struct term_iter it;
        struct term word;

        if (c.promising) {
            terms_init_with(&it, r->stem, p + i, c.end - i);
            while (terms_next(&it, &word))
                tally_word(r, t, p + i, &word, at++, field);
        } else {
            at += c.words;
        }
        i = c.end;
    }
    return at;
}

void rescore_clear(const struct rescore *r, struct rescore_tally *t)
{
    for (size_t i = 0; i < r->count; i++)
        t[i] = (struct rescore_tally){.last = -1};
}
