/* Terms of a query in a text; see rescore.h. */
#include "index/rescore.h"

#include "base/str.h"
#include "text/terms.h"

#include <stdbool.h>
#include <string.h>

/* Reward of neighbours, in parts of the smaller gain. */
static const double ADJACENT = 0.5, CLOSE = 0.2;
enum { CLOSE_WORDS = 6 };

/* Lower case for ASCII letters; digits have that bit. */
static const uint64_t FOLDED = 0x2020202020202020, MIX = 0x9E3779B97F4A7C15;

void rescore_init(struct rescore *r, const struct rescore_term *terms,
                  size_t count, struct stemmer *stem)
{
    r->terms = terms;
    r->count = count;
    r->stem = stem;
    r->starts = (struct term_starts){.any_second = stem != NULL};
    memset(r->head, -1, sizeof r->head);
    memset(r->seen, 0, sizeof r->seen);
    for (size_t i = count; i-- > 0;) {
        unsigned char c = (unsigned char)terms[i].text[0];

        r->next[i] = r->head[c];
        r->head[c] = (short)i;
        term_starts_add(&r->starts, terms[i].text);
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

static void tally_word(const struct rescore *r, struct rescore_tally *t, int i,
                       bool word, long at, enum rescore_field field)
{
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

/* Where the token at the iterator is kept once it was met; NULL: not at all.
 * The same few tokens are most of what texts have of a query. */
static struct rescore_seen *slot_of(struct rescore *r,
                                    const struct term_iter *it, bool *known)
{
    uint64_t token[2] = {0, 0};
    struct rescore_seen *slot;

    *known = false;
    if (it->plain == 0 || it->plain > sizeof token)
        return NULL;
    memcpy(token, it->p + it->at, it->plain);
    token[0] |= FOLDED;
    token[1] |= FOLDED;
    slot = &r->seen[(token[0] * MIX ^ token[1] * (MIX << 8 | 1)) >> 57];
    *known = memcmp(slot->token, token, sizeof token) == 0;
    memcpy(slot->token, token, sizeof token);
    return slot;
}

/* What is to be known of a token. */
static void look_up(const struct rescore *r, const struct term_iter *it,
                    struct term *token, struct rescore_seen *out)
{
    out->term = -1;
    if (!term_starts_may(&r->starts, token))
        return;
    token_stem(it, token);
    out->term = (short)find(r, token);
    if (out->term >= 0)
        out->word = is_word(&r->terms[out->term], it->p, token);
}

long rescore_count(struct rescore *r, struct rescore_tally *t, const char *p,
                   size_t n, enum rescore_field field)
{
    struct rescore_seen *slot, own;
    struct term_iter it;
    struct term token;
    bool known;
    long at;

    terms_init_with(&it, r->stem, p, n);
    for (at = 0;; at++) {
        at += (long)tokens_skip(&it, &r->starts);
        slot = slot_of(r, &it, &known);
        slot = slot == NULL ? &own : slot;
        if (known) {
            it.at += it.plain;
        } else {
            if (!tokens_next(&it, &token))
                return at;
            look_up(r, &it, &token, slot);
        }
        if (slot->term >= 0)
            tally_word(r, t, slot->term, slot->word, at, field);
    }
}

void rescore_clear(const struct rescore *r, struct rescore_tally *t)
{
    for (size_t i = 0; i < r->count; i++)
        t[i] = (struct rescore_tally){.last = -1};
}
