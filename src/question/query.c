/*
 * A question taken apart into weighted terms and phrases; see query.h.
 * Keeps no state, asks nobody. Called by search.c, structured.c and the
 * research room.
 */
#include "question/query.h"
#include "question/compare.h"
#include "question/sign.h"
#include "question/wording.h"

#include "base/str.h"
#include "text/fold.h"
#include "text/terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TOKENS_READ_MAX = 1024, /* of a question; what follows adds nothing */
    PHRASE_BYTES_MAX = 200,
    MESSAGE_TOKENS = 3 /* of an error's, at least */
};

/* A pair written as one word: one more way to say it, not one more thing to
 * be there. */
static const double PAIR_WEIGHT = 0.5;
static const double SIGN_WEIGHT = 1.3; /* a name's */
static const double ASKING_WEIGHT = 0.05;
/* … and what every fiftieth passage of any text holds, or more. */
static const double COMMON = 0.02;

/* A word of the question while the best ones are chosen. */
struct word {
    struct term token; /* folded */
    struct term term;  /* stemmed */
    double weight;
    bool stop, name, pair;
    size_t order;
};

/* --- phrases ------------------------------------------------------------- */

/* French and Russian quotation marks, German and Chinese ones: the first and
 * the last character of a quotation. */
static const char *const quotes[][2] = {{"\"", "\""},
                                        {"\xE2\x80\x9C", "\xE2\x80\x9D"},
                                        {"\xE2\x80\x9E", "\xE2\x80\x9C"},
                                        {"\xC2\xAB", "\xC2\xBB"},
                                        {"\xE3\x80\x8C", "\xE3\x80\x8D"},
                                        {"\xE3\x80\x8E", "\xE3\x80\x8F"},
                                        {"\xE3\x80\x8A", "\xE3\x80\x8B"}};

/* The next quotation at or after p: *start and *len of its inside. Returns
 * where to go on, NULL when there is none. */
static const char *quotation_next(const char *p, const char **start,
                                  size_t *len)
{
    const char *first = NULL, *close;
    size_t kind = 0;

    for (size_t i = 0; i < sizeof(quotes) / sizeof(quotes[0]); i++) {
        const char *at = strstr(p, quotes[i][0]);

        if (at != NULL && (first == NULL || at < first)) {
            first = at;
            kind = i;
        }
    }
    if (first == NULL)
        return NULL;
    *start = first + strlen(quotes[kind][0]);
    close = strstr(*start, quotes[kind][1]);
    if (close == NULL)
        return NULL;
    *len = (size_t)(close - *start);
    return close + strlen(quotes[kind][1]);
}

/* Does the word end as what languages call an error? */
static bool names_error(struct str s)
{
    static const char *const ends[] = {"Error", "Exception", "Warning",
                                       "Failure"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i]);

        if (s.n > n && memcmp(s.p + s.n - n, ends[i], n) == 0)
            return true;
    }
    return false;
}

/* What stands behind "PriorOcrFoundError: ", the name of an error that pages
 * seldom write, up to the end of a sentence; none, or a question: n is 0. */
static struct str message_in(const char *text)
{
    size_t name = strcspn(text, " \t\n\r"), n;
    struct str rest = str_trim(str_of(text + name));

    if (name < 2 || text[name - 1] != ':' ||
        !names_error((struct str){text, name - 1}))
        return (struct str){text, 0};
    for (n = 0; n < rest.n && rest.p[n] != '\n'; n++)
        if (strchr(".!?", rest.p[n]) != NULL &&
            (n + 1 == rest.n || ascii_is_space(rest.p[n + 1])))
            break;
    if (tokens_count(rest.p, n) < MESSAGE_TOKENS ||
        (n < rest.n && rest.p[n] == '?'))
        n = 0;
    return (struct str){rest.p, n};
}

static enum err phrase_add(struct query *q, struct str s, struct arena *a)
{
    if (s.n == 0 || s.n > PHRASE_BYTES_MAX)
        return ERR_OK;
    q->phrases[q->phrase_count] = arena_strndup(a, s.p, s.n);
    return q->phrases[q->phrase_count++] == NULL ? ERR_NOMEM : ERR_OK;
}

static enum err phrases_read(struct query *q, struct arena *a)
{
    const char *p = q->text, *start;
    size_t len;
    enum err e = ERR_OK;

    q->phrases = arena_array(a, QUERY_PHRASES_MAX, sizeof(*q->phrases));
    if (q->phrases == NULL)
        return ERR_NOMEM;
    while (e == ERR_OK && q->phrase_count < QUERY_PHRASES_MAX &&
           (p = quotation_next(p, &start, &len)) != NULL)
        e = phrase_add(q, str_trim((struct str){start, len}), a);
    if (e != ERR_OK || q->phrase_count > 0)
        return e;
    e = phrase_add(q, message_in(q->text), a);
    q->is_message = q->phrase_count > 0;
    return e;
}

static bool in_phrase(const struct query *q, const char *token)
{
    for (size_t i = 0; i < q->phrase_count; i++)
        if (mem_find_i(q->phrases[i], strlen(q->phrases[i]), token) != NULL)
            return true;
    return false;
}

/* --- words --------------------------------------------------------------- */

/* Words of questions that say little about where the answer stands. */
static bool is_light(enum lang l, const char *token)
{
    return word_in(token, question_words[l].light);
}

static size_t utf8_length(const char *z)
{
    uint32_t cp;

    return *z == '\0' ? 0 : utf8_decode(z, strlen(z), &cp);
}

static bool has_digit(const char *z)
{
    return z[strcspn(z, "0123456789")] != '\0';
}

static bool has_upper(const char *p, size_t from, size_t to)
{
    while (from < to) {
        uint32_t cp;

        from += utf8_decode(p + from, to - from, &cp);
        if (char_is_upper(cp))
            return true;
    }
    return false;
}

/* Does the text hold lower-case letters at all? In capitals everywhere,
 * capitals mark no names. */
static bool has_lower(const char *z)
{
    size_t n = strlen(z);

    while (n > 0) {
        uint32_t cp;
        size_t len = utf8_decode(z, n, &cp);

        if (cp < 0x3000 && char_kind_of(cp) == CHAR_WORD &&
            !char_is_upper(cp) && !(cp < 0x80 && ascii_is_digit((int)cp)))
            return true;
        z += len;
        n -= len;
    }
    return false;
}

/* Does a capitalised word follow the one that ends at z? */
static bool capital_follows(const char *z)
{
    if (*z == ' ' || *z == '-')
        z++;
    return has_upper(z, 0, utf8_length(z));
}

/* A capital that is not just that of the sentence's first word. */
static bool is_name(const struct query *q, const struct word *w, bool first)
{
    const char *z = q->text;

    if (has_digit(w->token.text))
        return true;
    if (!has_upper(z, w->token.start, w->token.end))
        return false;
    /* German nouns all have one: only in pairs they make a name. */
    if (q->lang == LANG_DE)
        return !first && capital_follows(z + w->token.end);
    return !first ||
           has_upper(z, w->token.start + utf8_length(z + w->token.start),
                     w->token.end) ||
           capital_follows(z + w->token.end);
}

static void word_weigh(const struct query *q, struct word *w, bool first,
                       bool mixed_case)
{
    bool quoted = in_phrase(q, w->token.text);
    bool name = mixed_case && !w->stop && is_name(q, w, first);

    w->name = name || (quoted && !w->stop);
    w->weight = quoted ? 1.5 : name ? 1.3 : 1.0;
    if (!w->name && is_light(q->lang, w->token.text))
        w->weight = 0.4;
}

static bool word_seen(struct word *words, size_t n, const struct word *w)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i].term.text, w->term.text) == 0) {
            if (w->weight > words[i].weight)
                words[i].weight = w->weight;
            words[i].name = words[i].name || w->name;
            return true;
        }
    return false;
}

/* One word of the two, as "back up" is as often written; false when it would be
 * too long. */
static bool pair_make(const struct query *q, const struct word *first,
                      const struct word *second, struct word *out)
{
    size_t n = first->token.len;
    struct term_iter it;

    if (n + second->token.len > TERM_MAX)
        return false;
    *out = *second;
    memcpy(out->token.text, first->token.text, n);
    memcpy(out->token.text + n, second->token.text, second->token.len + 1);
    out->token.len += n;
    terms_init_with(&it, q->stem, out->token.text, out->token.len);
    if (!terms_next(&it, &out->term))
        return false;
    out->stop = false;
    out->pair = true;
    out->weight = PAIR_WEIGHT;
    return true;
}

/* Distinct words in order of appearance, and what two of them are as one, as
 * "lege … an" is "anlegen"; returns how many. */
static size_t words_read(const struct query *q, struct word *words)
{
    struct term_iter terms, tokens;
    size_t n = 0, at = 0;
    size_t from = 0, to = 0;
    bool asks = query_asks_at(q->lang, q->text, &from, &to);
    bool mixed = has_lower(q->text);
    const struct question_words *k = question_words_of(q->lang);
    struct word w, last, pair, verb;

    memset(&w, 0, sizeof(w));
    last = verb = w;
    terms_init_with(&terms, q->stem, q->text, strlen(q->text));
    terms_init(&tokens, q->text, strlen(q->text));
    while (at < TOKENS_READ_MAX && tokens_next(&tokens, &w.token) &&
           terms_next(&terms, &w.term)) {
        w.stop = lang_is_stop(q->lang, w.token.text, w.token.len) ||
                 (asks && w.token.end > from && w.token.start < to);
        word_weigh(q, &w, at == 0, mixed);
        w.order = at++;
        if (at > 1 && k != NULL && n < TOKENS_READ_MAX && !last.stop &&
            !last.name && word_in(w.token.text, k->particles) &&
            pair_make(q, &last, &w, &pair) && !word_seen(words, n, &pair))
            words[n++] = pair;
        if (at <= 2 && !w.stop && verb.token.len == 0)
            verb = w;
        last = w;
        if (n < TOKENS_READ_MAX && !word_seen(words, n, &w))
            words[n++] = w;
    }
    if (n > 0 && n < TOKENS_READ_MAX && verb.token.len > 0 && k != NULL &&
        word_in(last.token.text, k->separable) &&
        pair_make(q, &last, &verb, &pair) && !word_seen(words, n, &pair))
        words[n++] = pair;
    return n;
}

/* How much a word is worth when there are too many. */
static double word_value(const struct word *w)
{
    double len = w->token.len > 12 ? 12.0 : (double)w->token.len;

    return w->weight * (4.0 + len);
}

static int by_value(const void *x, const void *y)
{
    const struct word *a = x, *b = y;
    double va = word_value(a), vb = word_value(b);

    if (va != vb)
        return va > vb ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static int by_order(const void *x, const void *y)
{
    const struct word *a = x, *b = y;

    return a->order < b->order ? -1 : 1;
}

/* Keep what carries meaning: no stop words unless nothing else is there. */
static size_t words_choose(struct word *words, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        kept += words[i].stop ? 0 : 1;
    if (kept > 0) {
        kept = 0;
        for (size_t i = 0; i < n; i++)
            if (!words[i].stop)
                words[kept++] = words[i];
        n = kept;
    }
    if (n > QUERY_TERMS_MAX) {
        qsort(words, n, sizeof(*words), by_value);
        n = QUERY_TERMS_MAX;
        qsort(words, n, sizeof(*words), by_order);
    }
    return n;
}

/* The terms that are pairs of characters of an unspaced script and overlap the
 * one before them. */
static uint64_t unspaced_find(const struct word *words, size_t n)
{
    uint64_t found = 0;

    for (size_t i = 1; i < n; i++)
        if (words[i].token.start < words[i - 1].token.end &&
            words[i].token.start > words[i - 1].token.start)
            found |= (uint64_t)1 << i;
    return found;
}

static const char *as_written(const struct query *q, const struct term *t,
                              struct arena *a)
{
    return arena_strndup(a, q->text + t->start, t->end - t->start);
}

static enum err terms_deliver(struct query *q, const struct word *words,
                              size_t n, struct arena *a)
{
    q->terms = arena_array(a, n + 1, sizeof(*q->terms));
    q->words = arena_array(a, n + 1, sizeof(*q->words));
    q->rarity = arena_array(a, n + 1, sizeof(*q->rarity));
    if (q->terms == NULL || q->words == NULL || q->rarity == NULL)
        return ERR_NOMEM;
    q->starts = (struct term_starts){.any_second = q->stem != NULL};
    for (size_t i = 0; i < n; i++) {
        term_starts_add(&q->starts, words[i].term.text);
        q->terms[i].text = arena_strdup(a, words[i].term.text);
        q->terms[i].weight = words[i].weight;
        q->terms[i].word = words[i].pair ? arena_strdup(a, words[i].token.text)
                                         : as_written(q, &words[i].token, a);
        q->words[i] = arena_strdup(a, words[i].token.text);
        q->rarity[i] = 1.0;
        if (words[i].name)
            q->names |= (uint64_t)1 << i;
        if (words[i].pair)
            q->pairs |= (uint64_t)1 << i;
    }
    q->unspaced = unspaced_find(words, n);
    q->term_count = n;
    q->kin = q->starts;
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}

static enum err terms_read(struct query *q, struct arena *a)
{
    struct word *words = malloc(TOKENS_READ_MAX * sizeof(*words));
    enum err e;

    if (words == NULL)
        return ERR_NOMEM;
    e = terms_deliver(q, words, words_choose(words, words_read(q, words)), a);
    free(words);
    return e;
}

/* Nouns that only hold the place of the one behind "of". */
static bool is_holder(const char *z)
{
    static const char all[] =
        "name names type types kind kinds sort sorts title term form";

    return word_in(z, all);
}

/* "ended", "discovered": what the noun before it did. */
static bool is_past_form(const struct term *t)
{
    return t->len > 4 && memcmp(t->text + t->len - 2, "ed", 2) == 0;
}

/* The last word of the noun phrase behind "what", "which", "how many". */
static size_t focus_find(const struct query *q)
{
    static const char ends[] =
        "of in for to on at by that which who with between from as and is are "
        "was were did does do has have had can will would could should the a "
        "an it he she they";
    struct term_iter it;
    struct term t, last = {.len = 0};
    bool asked = false;

    terms_init(&it, q->text, strlen(q->text));
    for (size_t i = 0; i < TOKENS_READ_MAX && tokens_next(&it, &t); i++) {
        /* "the name of the bridge": the bridge. */
        if (strcmp(t.text, "of") == 0 && last.len > 0 && is_holder(last.text))
            last.len = 0;
        if (asked && last.len > 0 &&
            (word_in(t.text, ends) || is_past_form(&t)))
            break;
        if (asked && !word_in(t.text, ends) && !term_is_stop(t.text, t.len) &&
            strcmp(t.text, "many") != 0 && strcmp(t.text, "much") != 0)
            last = t;
        asked = asked || word_in(t.text, "what which how whose");
    }
    for (size_t i = 0; last.len > 0 && i < q->term_count; i++)
        if (strcmp(q->words[i], last.text) == 0)
            return i;
    return q->term_count;
}

/* --- sides of a comparison ------------------------------------------------ */

static uint64_t terms_in(const struct query *q, struct str s)
{
    uint64_t mask = 0;
    struct term_iter it;
    struct term t;

    terms_init_with(&it, q->stem, s.p, s.n);
    while (terms_next(&it, &t))
        mask |= query_term(q, t.text);
    return mask;
}

/* Questions that a value or a name answers stay what they are. */
static bool may_compare(enum answer_type t)
{
    return t == ANSWER_ANY || t == ANSWER_YESNO || t == ANSWER_COMPARE ||
           t == ANSWER_DEFINITION || t == ANSWER_LIST || t == ANSWER_HOWTO;
}

/* What asks for something other than these terms does not stand in the answer,
 * but for "difference". */
static void asking_weigh(struct query *q, uint64_t terms)
{
    const char *compares = report_words_of(q->lang)->compares;

    for (size_t i = 0; i < q->term_count; i++)
        if (!(terms >> i & 1) && !report_list_has(compares, q->words[i]) &&
            (is_light(q->lang, q->words[i]) ||
             word_commonness(q->lang, q->terms[i].text) >= COMMON))
            q->terms[i].weight = ASKING_WEIGHT;
}

static enum err sides_read(struct query *q, struct arena *a)
{
    struct comparison c;
    uint64_t all[QUERY_SIDES_MAX] = {0}, compared = 0;

    if (!compare_find(q->lang, str_of(q->text), &c) ||
        !(c.picks || may_compare(q->type)))
        return ERR_OK;
    q->type = ANSWER_COMPARE;
    q->side_count = c.count < QUERY_SIDES_MAX ? c.count : QUERY_SIDES_MAX;
    for (size_t i = 0; i < q->side_count; i++) {
        q->sides[i] = arena_printf(a, "%.*s %.*s", (int)c.member[i].n,
                                   c.member[i].p, (int)c.context.n,
                                   c.context.p == NULL ? "" : c.context.p);
        if (q->sides[i] == NULL)
            return ERR_NOMEM;
        all[i] = terms_in(q, c.member[i]);
        compared |= all[i];
    }
    asking_weigh(q, compared | terms_in(q, c.context));
    for (size_t i = 0; i < q->side_count; i++) {
        uint64_t others = 0;

        for (size_t k = 0; k < q->side_count; k++)
            others |= k == i ? 0 : all[k];
        q->side_terms[i] = all[i] & ~others ? all[i] & ~others : all[i];
    }
    return ERR_OK;
}

/* Without what stands around the question and asks nothing. */
static enum err text_bare(struct query *q)
{
    struct str bare = question_bare(q->lang, q->text);

    if (bare.n < strlen(q->text))
        q->text = arena_strndup(q->arena, bare.p, bare.n);
    return q->text == NULL ? ERR_NOMEM : ERR_OK;
}

enum err query_read_as(struct query *q, enum lang l)
{
    enum err e = stemmer_in(q->arena, l, &q->stem);

    q->lang = l;
    e = e == ERR_OK ? text_bare(q) : e;
    q->names = q->pairs = q->signs = 0;
    q->side_count = 0;
    if (e == ERR_OK)
        e = terms_read(q, q->arena);
    if (e != ERR_OK)
        return e;
    q->type = query_type_of(l, q->text, q->arena, &q->subject);
    q->focus = l == LANG_EN ? focus_find(q) : q->term_count;
    if (q->subject == NULL)
        return ERR_NOMEM;
    q->about = terms_in(q, str_of(q->subject));
    if (q->type == ANSWER_DEFINITION)
        asking_weigh(q, q->about);
    return sides_read(q, q->arena);
}

void query_define(struct query *q, const char *name)
{
    q->type = ANSWER_DEFINITION;
    q->subject = name;
    q->about = terms_in(q, str_of(name));
}

enum err query_parse(const char *text, struct arena *a, struct query *out)
{
    struct query q;
    const char *code;
    enum err e;

    memset(&q, 0, sizeof(q));
    q.arena = a;
    e = guidance_parse(text, a, &q);
    if (e == ERR_OK)
        e = phrases_read(&q, a);
    if (e != ERR_OK)
        return e;
    code = question_language(q.text, strlen(q.text), query_asks);
    q.lang_clear = code[0] != '\0';
    e = query_read_as(&q, lang_of_tag(code));
    if (e == ERR_OK)
        *out = q;
    return e;
}

/* --- signs --------------------------------------------------------------- */

/* Of a comparison it is on the sides that write it, unless all do. */
static void sides_sign(struct query *q, struct str sign, uint64_t bit)
{
    uint64_t held = 0;
    size_t n = 0;

    for (size_t i = 0; i < q->side_count; i++)
        if (sign_find(sign, q->sides[i], strlen(q->sides[i])) != NULL) {
            held |= (uint64_t)1 << i;
            n++;
        }
    for (size_t i = 0; n < q->side_count && i < q->side_count; i++)
        q->side_terms[i] |= held >> i & 1 ? bit : 0;
}

enum err query_sign_add(struct query *q, struct str sign, double rarity)
{
    size_t n = q->term_count, at = 0;
    uint64_t bit = (uint64_t)1 << n;
    struct index_term *terms = arena_array(q->arena, n + 2, sizeof *terms);
    const char **words = arena_array(q->arena, n + 2, sizeof *words);
    double *rare = arena_array(q->arena, n + 2, sizeof *rare);
    const char *text = arena_strndup(q->arena, sign.p, sign.n);

    if (n == QUERY_TERMS_MAX)
        return ERR_OK;
    if (terms == NULL || words == NULL || rare == NULL || text == NULL)
        return ERR_NOMEM;
    for (; at < n; at++) {
        terms[at] = q->terms[at];
        words[at] = q->words[at];
        rare[at] = q->rarity[at];
    }
    terms[n] = (struct index_term){.text = text, .weight = SIGN_WEIGHT};
    words[n] = text;
    rare[n] = rarity;
    q->terms = terms;
    q->words = words;
    q->rarity = rare;
    if (q->focus == n)
        q->focus++;
    q->term_count++;
    q->signs |= bit;
    q->names |= bit;
    if (q->type == ANSWER_DEFINITION ||
        sign_find(sign, q->subject, strlen(q->subject)) != NULL)
        q->about |= bit;
    sides_sign(q, sign, bit);
    return ERR_OK;
}

/* --- without some of its terms ------------------------------------------- */

enum { TERMS_MAX = 64 }; /* bits of a mask */

/* A mask's bits where its terms are now. */
static uint64_t mask_move(uint64_t mask, const size_t *to, size_t n)
{
    uint64_t moved = 0;

    for (size_t i = 0; i < n; i++)
        if ((mask >> i & 1) != 0 && to[i] < n)
            moved |= (uint64_t)1 << to[i];
    return moved;
}

static enum err others_move(struct query *q, const size_t *to, size_t n)
{
    struct query_other *v =
        arena_array(q->arena, q->other_count + 1, sizeof *v);
    size_t kept = 0;

    if (v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < q->other_count; i++) {
        v[kept] = q->others[i];
        v[kept].term = to[v[kept].term];
        if (v[kept].term >= n)
            continue;
        if (v[kept].part)
            term_starts_add(&q->starts, v[kept].text);
        kept++;
    }
    q->others = v;
    q->other_count = kept;
    return ERR_OK;
}

static enum err terms_move(struct query *q, const size_t *to, size_t n)
{
    struct query old = *q;

    q->terms = arena_array(q->arena, n + 1, sizeof(*q->terms));
    q->words = arena_array(q->arena, n + 1, sizeof(*q->words));
    q->rarity = arena_array(q->arena, n + 1, sizeof(*q->rarity));
    if (q->terms == NULL || q->words == NULL || q->rarity == NULL)
        return ERR_NOMEM;
    q->starts = (struct term_starts){.any_second = q->stem != NULL};
    for (size_t i = 0; i < n; i++) {
        if (to[i] == n)
            continue;
        q->terms[to[i]] = old.terms[i];
        q->words[to[i]] = old.words[i];
        q->rarity[to[i]] = old.rarity[i];
        term_starts_add(&q->starts, old.terms[i].text);
    }
    return ERR_OK;
}

/* "SQLite virtual table" and "virtual table in SQLite" without the words of
 * these terms in front and behind, unless nothing else is left. */
static struct str without_terms(const struct query *q, const char *text,
                                uint64_t terms)
{
    struct str rest = view_trim_marks(str_of(text));
    size_t n, whole = rest.n;

    while (rest.n > 0 && (n = strcspn(rest.p, " ")) < rest.n &&
           (terms_in(q, view_of(rest.p, n)) & terms) != 0)
        rest = str_trim(view_from(rest, n));
    while (rest.n > 0 && (n = view_find_last(rest, " ")) < rest.n) {
        struct str word = view_trim_marks(view_from(rest, n + 1));
        bool named = (terms_in(q, word) & terms) != 0;

        if (!named &&
            (rest.n == whole || !lang_is_stop(q->lang, word.p, word.n)))
            break;
        rest = view_trim_marks(view_of(rest.p, n));
    }
    return rest.n > 0 ? rest : str_of(text);
}

/* What is asked without these words: "SQLite rowid" what that is, though two
 * names ask nothing, and "Git: can I …" a yes or no. */
static enum err subject_release(struct query *q, uint64_t terms)
{
    struct str rest = without_terms(q, q->text, terms);
    const char *text = arena_strndup(q->arena, rest.p, rest.n), *subject;
    uint64_t shared = terms;

    if (q->type == ANSWER_DEFINITION) {
        rest = without_terms(q, q->subject, terms);
        q->subject = arena_strndup(q->arena, rest.p, rest.n);
    }
    /* "git fetch" and "git pull" are called so. */
    for (size_t i = 0; i < q->side_count; i++)
        shared &= terms_in(q, str_of(q->sides[i]));
    for (size_t i = 0; i < q->side_count; i++) {
        rest = without_terms(q, q->sides[i], terms & ~shared);
        q->sides[i] = arena_strndup(q->arena, rest.p, rest.n);
    }
    if (text == NULL || q->subject == NULL || arena_failed(q->arena))
        return ERR_NOMEM;
    if (q->type != ANSWER_ANY)
        return ERR_OK;
    q->type = query_type_of(q->lang, text, q->arena, &subject);
    if (subject == NULL)
        return ERR_NOMEM;
    if (q->type == ANSWER_DEFINITION)
        query_define(q, subject);
    return ERR_OK;
}

enum err query_release(struct query *q, uint64_t terms)
{
    size_t n = q->term_count, kept = 0, to[TERMS_MAX];
    enum err e = subject_release(q, terms);

    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < n; i++)
        to[i] = terms >> i & 1 ? n : kept++;
    e = terms_move(q, to, n);
    if (e == ERR_OK)
        e = others_move(q, to, n);
    if (e != ERR_OK)
        return e;
    q->about = mask_move(q->about, to, n);
    q->names = mask_move(q->names, to, n);
    q->pairs = mask_move(q->pairs, to, n);
    q->unspaced = mask_move(q->unspaced, to, n);
    q->signs = mask_move(q->signs, to, n);
    for (size_t i = 0; i < q->side_count; i++)
        q->side_terms[i] = mask_move(q->side_terms[i], to, n);
    q->focus = q->focus < n && to[q->focus] < n ? to[q->focus] : kept;
    q->term_count = kept;
    return ERR_OK;
}

uint64_t query_term(const struct query *q, const char *stem)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, stem) == 0)
            return (uint64_t)1 << i;
    return 0;
}
