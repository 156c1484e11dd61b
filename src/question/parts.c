/* Parts of a question; see parts.h. */
#include "question/parts.h"
#include "text/passage.h"

#include <string.h>

enum {
    TOKENS_MAX = 200,
    PART_WORDS = 3 /* that say something, at least */
};

/* What the words of the other parts count, which may say what it is about. */
static const double CONTEXT = 0.25;

static bool says(const struct query *q, const struct term *t)
{
    return !lang_is_stop(q->lang, t->text, t->len) &&
           !word_in(t->text, question_words[q->lang].light) &&
           !report_list_has(report_words_of(q->lang)->asks, t->text);
}

static size_t said_in(const struct query *q, const struct term *t, size_t from,
                      size_t to)
{
    size_t n = 0;

    for (size_t i = from; i < to; i++)
        n += says(q, &t[i]);
    return n;
}

/* Does a question begin at token i, or behind one small word: "in which"? */
static bool asks_at(const struct query *q, const struct term *t, size_t n,
                    size_t i)
{
    const char *asks = report_words_of(q->lang)->asks;

    return i < n && (report_list_has(asks, t[i].text) ||
                     (i + 1 < n && report_list_has(asks, t[i + 1].text) &&
                      lang_is_stop(q->lang, t[i].text, t[i].len)));
}

/* The token at which a part begins that is joined, or asked for, at i; 0: none
 * does. */
static size_t part_at(const struct query *q, const struct term *t, size_t n,
                      size_t i)
{
    const struct report_words *w = report_words_of(q->lang);
    const char *end = q->text + t[i - 1].end;

    if (report_list_has(w->joins, t[i].text) &&
        !report_list_has(w->choices, t[i].text))
        return asks_at(q, t, n, i + 1) ? i + 1 : 0;
    return *end == '?' && asks_at(q, t, n, i) ? i : 0;
}

size_t query_parts(const struct query *q, struct str out[QUERY_PARTS_MAX])
{
    struct term t[TOKENS_MAX];
    size_t n = tokens_read(q->text, strlen(q->text), t, TOKENS_MAX);
    size_t from = 0, count = 1;

    out[0] = str_of(q->text);
    for (size_t i = 1; i < n && count < QUERY_PARTS_MAX; i++) {
        size_t at = part_at(q, t, n, i);

        if (at == 0 || said_in(q, t, from, i) < PART_WORDS ||
            said_in(q, t, at, n) < PART_WORDS)
            continue;
        out[count - 1].n = (size_t)(q->text + t[i - 1].end - out[count - 1].p);
        out[count++] = str_of(q->text + t[at].start);
        from = at;
    }
    return count;
}

/* Does the sentence ask, by its mark or its first word? */
static bool is_asking(const struct query *q, const char *z, size_t n)
{
    struct term_iter it;
    struct term t;

    if (n > 0 && z[n - 1] == '?')
        return true;
    terms_init(&it, z, n);
    return tokens_next(&it, &t) &&
           report_list_has(report_words_of(q->lang)->asks, t.text);
}

enum err query_asked(const struct query *q, struct str *out)
{
    struct term t[TOKENS_MAX];
    struct span *s = NULL;
    size_t n, count = 0, from, to;
    enum err e =
        sentences_split(q->text, strlen(q->text), q->arena, &s, &count);

    *out = str_of(q->text);
    from = to = count;
    for (size_t i = 0; e == ERR_OK && i < count; i++)
        if (is_asking(q, q->text + s[i].start, s[i].len)) {
            from = from == count ? i : from;
            to = i + 1;
        }
    if (e != ERR_OK || from == count || (from == 0 && to == count))
        return e;
    *out = (struct str){q->text + s[from].start,
                        s[to - 1].start + s[to - 1].len - s[from].start};
    n = tokens_read(out->p, out->n, t, TOKENS_MAX);
    if (said_in(q, t, 0, n) < PART_WORDS)
        *out = str_of(q->text);
    return ERR_OK;
}

/* Is the term one of the first n? */
static bool is_among(const struct index_term *v, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(v[i].text, text) == 0)
            return true;
    return false;
}

static enum err context_add(const struct query *q, struct query *p)
{
    size_t n = p->term_count, most = n + q->term_count + 1;
    struct index_term *terms = arena_array(q->arena, most, sizeof(*terms));
    const char **words = arena_array(q->arena, most, sizeof(*words));
    double *rarity = arena_array(q->arena, most, sizeof(*rarity));

    if (terms == NULL || words == NULL || rarity == NULL)
        return ERR_NOMEM;
    memcpy(terms, p->terms, n * sizeof(*terms));
    memcpy(words, p->words, n * sizeof(*words));
    memcpy(rarity, p->rarity, n * sizeof(*rarity));
    for (size_t i = 0; i < q->term_count && n < QUERY_TERMS_MAX; i++) {
        if (is_among(p->terms, p->term_count, q->terms[i].text))
            continue;
        terms[n] = q->terms[i];
        terms[n].weight *= CONTEXT;
        words[n] = q->words[i];
        rarity[n++] = 1;
        term_starts_add(&p->starts, q->terms[i].text);
        term_starts_add(&p->kin, q->terms[i].text);
    }
    p->focus = p->focus == p->term_count ? n : p->focus;
    p->terms = terms;
    p->words = words;
    p->rarity = rarity;
    p->term_count = n;
    return ERR_OK;
}

enum err query_of_text(const struct query *q, struct str part,
                       struct query *out)
{
    const char *text = arena_strndup(q->arena, part.p, part.n);
    enum err e = text == NULL ? ERR_NOMEM : query_parse(text, q->arena, out);

    if (e == ERR_OK && out->lang != q->lang)
        e = query_read_as(out, q->lang);
    if (e != ERR_OK)
        return e;
    out->guidance = q->guidance;
    out->preferred = q->preferred;
    out->priority = q->priority;
    out->restricted = q->restricted;
    return ERR_OK;
}

enum err query_of_part(const struct query *q, struct str part,
                       struct query *out)
{
    enum err e = query_of_text(q, part, out);

    return e == ERR_OK ? context_add(q, out) : e;
}
