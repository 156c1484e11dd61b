/*
 * What kind of thing answers a question: in English by its question word, the
 * noun it asks for and a few patterns, in other languages by their ways to ask
 * and nouns; the words are lang/words.h's. Pure; called by query.c.
 */
#include "question/query.h"

#include "base/str.h"
#include "reading/unit.h"
#include "text/terms.h"

#include <string.h>

enum {
    WORDS_MAX = 48,
    NOUN_WORDS = 6,
    SUBJECT_WORDS = 5,
    BARE_WORDS = 2,
    NUMBER_WORDS = 4, /* of a noun phrase: "default ospf interface cost" */
    NOUNS_ASKED = 1   /* "define", "describe" begin other questions, too */
};

static bool is_word(const struct token_run *ws, size_t i, const char *z)
{
    return i < ws->n && strcmp(ws->t[i].text, z) == 0;
}

static bool is_one_of(const struct token_run *ws, size_t i, const char *list)
{
    return i < ws->n && word_in(ws->t[i].text, list);
}

static bool is_be(const struct token_run *ws, size_t i)
{
    return is_one_of(ws, i, "is are was were s be");
}

/* --- nouns that tell the type of the answer ------------------------------ */

static enum answer_type type_of_noun(const struct question_words *k,
                                     const struct token_run *ws, size_t i)
{
    const struct {
        const char *list;
        enum answer_type type;
    } all[] = {{k->numbers, ANSWER_NUMBER},
               {k->places, ANSWER_PLACE},
               {k->people, ANSWER_PERSON},
               {k->dates, ANSWER_DATE},
               {k->reasons, ANSWER_REASON}};

    for (size_t n = 0; n < sizeof(all) / sizeof(all[0]); n++)
        if (k->unspaced ? question_text_has(ws->p, ws->len, all[n].list)
                        : is_one_of(ws, i, all[n].list))
            return all[n].type;
    return ANSWER_ANY;
}

/* The end of the noun phrase that begins at i: before a preposition, a
 * relative word or a verb of being. */
static size_t noun_phrase_end(const struct token_run *ws, size_t i)
{
    while (
        i < ws->n &&
        !is_one_of(ws, i,
                   "of in for to on at by that which who with between from "
                   "is are was were did does do has have had can will exist"))
        i++;
    return i;
}

/* The first word of from..to that stands in every text, or to. */
static size_t stop_find_in(enum lang l, const struct token_run *ws, size_t from,
                           size_t to)
{
    while (from < to && !lang_is_stop(l, ws->t[from].text, ws->t[from].len))
        from++;
    return from;
}

static size_t stop_find(const struct token_run *ws, size_t from, size_t to)
{
    return stop_find_in(LANG_EN, ws, from, to);
}

/* --- subject ------------------------------------------------------------- */

static const char *slice(const struct token_run *ws, size_t from, size_t to,
                         struct arena *a)
{
    while (from < to && is_one_of(ws, from, "a an the"))
        from++;
    if (from >= to)
        return "";
    return arena_strndup(a, ws->p + ws->t[from].start,
                         ws->t[to - 1].end - ws->t[from].start);
}

/* --- by question word ---------------------------------------------------- */

static const char measure_words[] =
    "many much large big long old high tall fast far often deep wide heavy "
    "small few hot cold thick expensive quickly close near low strong";

static enum answer_type type_of_how(const struct token_run *ws, size_t i)
{
    if (is_one_of(ws, i + 1, measure_words))
        return ANSWER_NUMBER;
    if (is_word(ws, i + 1, "to"))
        return ANSWER_HOWTO;
    if (is_one_of(ws, i + 1, "do does can could should would") &&
        is_one_of(ws, i + 2, "i you we one"))
        return ANSWER_HOWTO;
    return ANSWER_ANY;
}

static enum answer_type type_of_who(const struct token_run *ws, size_t i,
                                    struct arena *a, const char **subject)
{
    size_t end = ws->n;

    if (!is_be(ws, i + 1) || !is_word(ws, i, "who"))
        return ANSWER_PERSON;
    /* "Who is Ada Lovelace" wants to hear what she is, "Who is the chair of
     * the IPCC" wants a name. */
    if (is_one_of(ws, i + 2, "the a an") || end <= i + 2 || end > i + 6)
        return ANSWER_PERSON;
    for (size_t k = i + 2; k < end; k++)
        if (ascii_lower(ws->p[ws->t[k].start]) == ws->p[ws->t[k].start])
            return ANSWER_PERSON;
    *subject = slice(ws, i + 2, end, a);
    return ANSWER_DEFINITION;
}

static bool is_plural(const struct token_run *ws, size_t i)
{
    const struct term *t = i < ws->n ? &ws->t[i] : NULL;

    return t != NULL && t->len > 3 && t->text[t->len - 1] == 's' &&
           strchr("sui", t->text[t->len - 2]) == NULL;
}

/* "unit of work": a name in itself. */
static bool is_pair_of(const struct token_run *ws, size_t from, size_t end)
{
    from += is_one_of(ws, from, "a an the") ? 1 : 0;
    return end == from + 1 && is_word(ws, end, "of") && ws->n == end + 2;
}

/* Does a clause end behind word i, at a mark or with the text? */
static bool ends_clause(const struct token_run *ws, size_t i)
{
    return i + 1 >= ws->n || strchr(",;.:?!", ws->p[ws->t[i].end]) != NULL;
}

/* "what is X for", "… short for", "… used for in Y": where X ends, which stands
 * between from and the "for"; 0: no such question. */
static size_t purpose_find(const struct token_run *ws, size_t from, size_t at)
{
    bool said = at > from + 1 &&
                is_one_of(ws, at - 1, "used meant good short there useful");

    return is_word(ws, at, "for") && (ends_clause(ws, at) ||
                                      (said && is_one_of(ws, at + 1, "in and")))
               ? at - said
               : 0;
}

/* Where "and why", "and how" begin behind a noun phrase, or to. */
static size_t more_asked(const struct token_run *ws, size_t from, size_t to)
{
    for (size_t i = from + 1; i + 1 < to; i++)
        if (is_word(ws, i, "and") &&
            is_one_of(ws, i + 1, "why how when where what which"))
            return i;
    return to;
}

/* "what does X mean", "what does X do, …": the word behind X, from the word
 * after the verb; ws->n: no such question. */
static size_t meaning_find(const struct token_run *ws, size_t from)
{
    size_t last = ws->n - 1, i = from + 1;

    if (last > from && is_one_of(ws, last, "mean do for"))
        return is_word(ws, last, "for") ? last - 1 : last;
    while (i < ws->n && !is_one_of(ws, i, "mean refer stand") &&
           !(is_word(ws, i, "do") && ends_clause(ws, i)))
        i++;
    return i - from <= SUBJECT_WORDS ? i : ws->n;
}

/* "What is|are …" from the word after the verb. */
static enum answer_type type_of_what_is(const struct token_run *ws, size_t verb,
                                        struct arena *a, const char **subject)
{
    size_t from = verb + 1, end, at;
    bool article = is_one_of(ws, from, "a an the");
    enum answer_type t;

    end = noun_phrase_end(ws, from);
    if (end == from)
        return ANSWER_ANY;
    if (is_one_of(ws, end - 1, "difference differences distinction"))
        return ANSWER_COMPARE;
    at = purpose_find(ws, from, end);
    if (at == 0 && more_asked(ws, from, end) < end)
        at = more_asked(ws, from, end);
    if (at > 0 && at - from <= SUBJECT_WORDS) {
        *subject = slice(ws, from, at, a);
        return ANSWER_DEFINITION;
    }
    t = type_of_noun(&question_words[LANG_EN], ws, end - 1);
    if (t != ANSWER_ANY && (article || end < ws->n))
        return t;
    if (is_word(ws, verb, "are") && is_word(ws, from, "the") &&
        (is_plural(ws, end - 1) || end < ws->n))
        return ANSWER_LIST;
    /* "in Python" is where it is at home, not what it is. */
    if (end - from > 6 ||
        (end < ws->n && !is_pair_of(ws, from, end) &&
         (!is_word(ws, end, "in") || ws->n > end + 4 ||
          is_word(ws, from, "the") || is_one_of(ws, from, "new different"))))
        return ANSWER_ANY;
    *subject = slice(ws, from, is_pair_of(ws, from, end) ? ws->n : end, a);
    return ANSWER_DEFINITION;
}

/* "What's", whose verb is no token. */
static bool is_shortened(const struct token_run *ws, size_t i)
{
    const char *z = ws->p + ws->t[i].end;

    return (z[0] == '\'' || strncmp(z, "\xE2\x80\x99", 3) == 0) ||
           is_word(ws, i, "whats");
}

/* "what happens if …", "what comes first": what looks like a plural and is
 * none, by what stands behind it; end: of the noun phrase it would begin. */
static bool is_verb(const struct token_run *ws, size_t i, size_t end)
{
    i = stop_find(ws, i, end);
    return i == ws->n ? !is_plural(ws, end - 1)
                      : is_one_of(ws, i,
                                  "if when to the a an i you we it this "
                                  "that against before after");
}

/* Behind "the term", "the concept of" before a name: its place, or i. */
static size_t without_calling(const struct token_run *ws, size_t i)
{
    size_t at = i + 2;

    if (!is_word(ws, i, "the") ||
        !is_one_of(ws, i + 1,
                   "term word concept phrase idea notion acronym abbreviation "
                   "letters expression"))
        return i;
    at += is_word(ws, at, "of") ? 1 : 0;
    return at < ws->n ? at : i;
}

/* "what kind of program is Git": where the name begins, or 0. */
static size_t kind_of(const struct token_run *ws, size_t i)
{
    size_t at = i + 3;

    if (!is_one_of(ws, i + 1, "kind sort type") || !is_word(ws, i + 2, "of"))
        return 0;
    while (at < ws->n && at < i + 6 && !is_be(ws, at))
        at++;
    return is_be(ws, at) && at + 1 < ws->n &&
                   noun_phrase_end(ws, at + 1) == ws->n
               ? at + 1
               : 0;
}

static enum answer_type type_of_what(const struct token_run *ws, size_t i,
                                     struct arena *a, const char **subject)
{
    size_t end;
    enum answer_type t;

    if (is_one_of(ws, i + 1, "exactly actually really"))
        i++;
    if (is_be(ws, i + 1) || is_shortened(ws, i))
        return type_of_what_is(ws, is_be(ws, i + 1) ? i + 1 : i, a, subject);
    end = is_one_of(ws, i + 1, "does do") ? meaning_find(ws, i + 2) : ws->n;
    if (end < ws->n) {
        size_t from = without_calling(ws, i + 2);

        /* "what do people mean by X" */
        if (is_word(ws, end + 1, "by") &&
            noun_phrase_end(ws, end + 2) > end + 2) {
            from = end + 2;
            end = noun_phrase_end(ws, from);
        }
        *subject = slice(ws, from < end ? from : i + 2, end, a);
        return ANSWER_DEFINITION;
    }
    end = kind_of(ws, i);
    if (end > 0) {
        *subject = slice(ws, end, ws->n, a);
        return ANSWER_DEFINITION;
    }
    if (is_one_of(ws, i + 1, "causes caused"))
        return ANSWER_REASON;
    end = noun_phrase_end(ws, i + 1);
    for (size_t k = i + 1; k < end && k < i + 4; k++) {
        t = type_of_noun(&question_words[LANG_EN], ws, k);
        if (t != ANSWER_ANY)
            return t;
    }
    if (end > i + 1 &&
        !lang_is_stop(LANG_EN, ws->t[i + 1].text, ws->t[i + 1].len) &&
        (is_plural(ws, i + 1) || is_plural(ws, end - 1)) &&
        (is_word(ws, i, "which") || !is_verb(ws, i + 1, end)))
        return ANSWER_LIST;
    return ANSWER_ANY;
}

/* --- patterns without a question word ------------------------------------ */

static bool has_versus(const struct token_run *ws, size_t *at)
{
    for (size_t i = 0; i < ws->n; i++) {
        if (is_one_of(ws, i, "vs versus")) {
            *at = i;
            return true;
        }
        if (is_one_of(ws, i, "difference differences") &&
            is_word(ws, i + 1, "between")) {
            *at = i + 1;
            return true;
        }
    }
    *at = 0;
    return is_word(ws, 0, "compare");
}

static const char asking_words[] =
    "who whom whose when where why how what whats which";

static size_t question_word_find(const struct token_run *ws)
{
    for (size_t i = 0; i < ws->n; i++) {
        /* Inside a sentence these introduce clauses, not the question, unless
         * one begins there that asks for no place: "In X: how long may Y …". */
        bool begins =
            i > 0 && ends_clause(ws, i - 1) && is_one_of(ws, i, "how why");
        bool clause = i > 1 && !begins &&
                      is_one_of(ws, i, "when where which how why who");

        if (is_one_of(ws, i, asking_words) && !clause)
            return i;
    }
    return ws->n;
}

/* "Could not open file", also where it is asked what that means: a message. */
static bool is_message(const struct token_run *ws)
{
    return is_word(ws, 1, "not") &&
           (ws->len == 0 || ws->p[ws->len - 1] != '?' ||
            question_word_find(ws) < ws->n);
}

static bool type_of_start(const struct token_run *ws, struct arena *a,
                          enum answer_type *t, const char **subject)
{
    size_t at;

    if (has_versus(ws, &at)) {
        *t = ANSWER_COMPARE;
        *subject = is_one_of(ws, at, "vs versus") ? slice(ws, 0, ws->n, a)
                                                  : slice(ws, at + 1, ws->n, a);
    } else if (is_one_of(ws, 0, "list name") && ws->n > 1) {
        *t = is_word(ws, 0, "list") || is_plural(ws, ws->n - 1) ||
                     is_word(ws, 1, "the")
                 ? ANSWER_LIST
                 : ANSWER_ANY;
    } else if (is_one_of(ws, 0, "steps instructions") &&
               is_one_of(ws, 1, "to for")) {
        *t = ANSWER_HOWTO;
    } else if (is_one_of(ws, 0,
                         "is are was were do does did can could will would "
                         "should has have had may must am") &&
               !is_message(ws)) {
        *t = ANSWER_YESNO;
    } else {
        return false;
    }
    return true;
}

static enum answer_type english_type(const struct token_run *run,
                                     struct arena *a, const char **subject)
{
    struct token_run ws = *run;
    enum answer_type t = ANSWER_ANY;
    size_t i;

    if (type_of_start(&ws, a, &t, subject))
        return t;
    i = question_word_find(&ws);
    if (is_one_of(&ws, i, "who whom whose"))
        return type_of_who(&ws, i, a, subject);
    /* "When should I use it" is no date. */
    if (is_word(&ws, i, "when"))
        return is_word(&ws, i + 1, "to") ||
                       (is_one_of(&ws, i + 1, "should do would can must") &&
                        is_one_of(&ws, i + 2, "i you we one"))
                   ? ANSWER_ANY
                   : ANSWER_DATE;
    if (is_word(&ws, i, "where"))
        return ANSWER_PLACE;
    if (is_word(&ws, i, "why"))
        return ANSWER_REASON;
    if (is_word(&ws, i, "how"))
        return type_of_how(&ws, i);
    if (is_one_of(&ws, i, "what whats which"))
        return type_of_what(&ws, i, a, subject);
    return ANSWER_ANY;
}

/* Nothing but a name: what it is. */
static bool is_bare(enum lang l, const struct token_run *ws,
                    const char **subject, struct arena *a)
{
    if (ws->n == 0 || ws->n > BARE_WORDS ||
        stop_find_in(l, ws, 0, ws->n) < ws->n)
        return false;
    *subject = slice(ws, 0, ws->n, a);
    return true;
}

/* --- other languages ------------------------------------------------------ */

/* Is the token the word of n bytes: "*" any, "*en" one that ends so, "quel*"
 * one that begins so? */
static bool word_fits(const struct term *t, const char *z, size_t n)
{
    if (z[0] == '*')
        return t->len + 1 >= n &&
               memcmp(t->text + t->len - (n - 1), z + 1, n - 1) == 0;
    if (z[n - 1] == '*')
        return t->len + 1 >= n && memcmp(t->text, z, n - 1) == 0;
    return t->len == n && memcmp(t->text, z, n) == 0;
}

/* How many words of the question, from word i on, are those of the pattern; 0:
 * they are not. */
static size_t words_fit(const struct token_run *q, size_t i, const char *z)
{
    size_t at = i;

    for (; *z != '\0' && *z != '$'; at++) {
        size_t n = strcspn(z, " $");

        if (at == q->n || !word_fits(&q->t[at], z, n))
            return 0;
        z += n + (z[n] == ' ');
    }
    return *z == '$' && at < q->n ? 0 : at - i;
}

/* Where the words of a pattern stand: *from is the first, *to is behind the
 * last. */
static bool words_find(const struct token_run *q, const char *pattern,
                       size_t *from, size_t *to)
{
    bool first = pattern[0] == '^';
    size_t n;

    for (size_t i = 0; i < q->n && (i == 0 || !first); i++)
        if ((n = words_fit(q, i, pattern + first)) > 0) {
            *from = i;
            *to = i + n;
            return true;
        }
    return false;
}

/* The type that one of the first words tells, or one of an unspaced text. */
static enum answer_type type_of_nouns(const struct question_words *k,
                                      const struct token_run *q)
{
    enum answer_type t = ANSWER_ANY;

    for (size_t w = 0; w < q->n && w < NOUN_WORDS && t == ANSWER_ANY; w++)
        t = type_of_noun(k, q, w);
    return t;
}

/* The words from..to of the question without stop words at the front. */
static const char *subject_of(enum lang l, const struct token_run *q,
                              size_t from, size_t to, struct arena *a)
{
    while (from < to && lang_is_stop(l, q->t[from].text, q->t[from].len))
        from++;
    if (from >= to || to - from > SUBJECT_WORDS)
        return "";
    return arena_strndup(a, q->p + q->t[from].start,
                         q->t[to - 1].end - q->t[from].start);
}

/* Of an unspaced question: what stands before "是什么", or behind "什么是". */
static const char *subject_unspaced(const char *text, const char *pattern,
                                    struct arena *a)
{
    const char *at = strstr(text, pattern);
    size_t before = (size_t)(at - text);
    const char *behind = at + strlen(pattern);
    size_t n = strlen(behind);

    if (before > 0)
        return arena_strndup(a, text, before);
    while (n >= 3 && (memmem("？。！", 9, behind + n - 3, 3) != NULL))
        n -= 3;
    return arena_strndup(a, behind, n);
}

static enum answer_type with_nouns(const struct question_words *k,
                                   const struct token_run *q,
                                   enum answer_type type)
{
    enum answer_type t = type_of_nouns(k, q);

    return t == ANSWER_ANY ? type : t;
}

static enum answer_type type_unspaced(const struct question_words *k,
                                      const struct token_run *q,
                                      struct arena *a, const char **subject)
{
    for (const struct asking *r = k->asking; r->words != NULL; r++) {
        enum answer_type t = r->type;

        if (strstr(q->p, r->words) == NULL)
            continue;
        if (t == ANSWER_DEFINITION)
            t = with_nouns(k, q, t);
        if (t == ANSWER_DEFINITION)
            *subject = subject_unspaced(q->p, r->words, a);
        return t;
    }
    return type_of_nouns(k, q);
}

bool query_asks_at(enum lang l, const char *text, size_t *from, size_t *to)
{
    const struct question_words *k = question_words_of(l);

    if (k == NULL || !k->unspaced)
        return false;
    for (const struct asking *r = k->asking; r->words != NULL; r++) {
        const char *at = strstr(text, r->words);

        if (at == NULL)
            continue;
        *from = (size_t)(at - text);
        *to = *from + strlen(r->words);
        return true;
    }
    return false;
}

/* What the words of a pattern tell of its language, those that stand for
 * themselves and are no elided letter: much where there are several and English
 * has not them all, a little a single one that no other language has. */
static int pattern_tells(enum lang l, const char *z)
{
    struct token_run words;
    unsigned in = 0, known;
    int given = 0, own = 0;

    token_run_read(&words, z, strlen(z), WORDS_MAX);
    for (size_t i = 0; i < words.n; i++) {
        const struct term *t = &words.t[i];

        if ((t->len == 1 && strchr("aeiouy", t->text[0]) == NULL) ||
            (t->start > 0 && z[t->start - 1] == '*') || z[t->end] == '*')
            continue;
        known = languages_of_stop(t->text, t->len) |
                (word_near(LANG_EN, t->text) != NULL ? 1U << LANG_EN : 0);
        own += known & 1U << LANG_EN ? 0 : 1;
        in |= known & ~(1U << l);
        given++;
    }
    if (given == 1)
        return in == 0 ? 1 : 0;
    return own > 0 || l == LANG_EN ? given * 2 - 1 : 0;
}

/* The most that a way to ask in the language tells of the question. */
static int asked_by(const struct token_run *q, enum lang l)
{
    const struct question_words *k = question_words_of(l);
    const struct asking *r = k != NULL && !k->unspaced ? k->asking : NULL;
    size_t from, to;
    int most = 0;

    for (; r != NULL && r->words != NULL; r++)
        if (words_find(q, r->words, &from, &to) &&
            pattern_tells(l, r->words) > most)
            most = pattern_tells(l, r->words);
    return most;
}

void query_asks(const char *text, int asks[LANG_COUNT])
{
    int most = 0, next = 0;
    struct token_run q;

    token_run_read(&q, text, strlen(text), WORDS_MAX);
    for (int l = 0; l < LANG_COUNT; l++) {
        asks[l] = asked_by(&q, (enum lang)l);
        next = asks[l] > most ? most : asks[l] > next ? asks[l] : next;
        most = asks[l] > most ? asks[l] : most;
    }
    /* What two languages share tells neither. */
    for (int l = 0; l < LANG_COUNT; l++)
        asks[l] -= asks[l] > next ? next : asks[l];
    for (size_t i = 0; i < q.n; i++) {
        unsigned in = is_one_of(&q, i, question_words[LANG_EN].shared)
                          ? languages_of_stop(q.t[i].text, q.t[i].len)
                          : 0;

        for (int l = 0; l < LANG_COUNT; l++)
            asks[l] -= (int)(in >> l & 1);
    }
}

static enum answer_type foreign_type(enum lang l, const char *text,
                                     struct arena *a, const char **subject)
{
    const struct question_words *k = question_words_of(l);
    struct token_run q;
    enum answer_type t;

    if (k == NULL)
        return ANSWER_ANY;
    token_run_read(&q, text, strlen(text), WORDS_MAX);
    if (k->unspaced)
        return type_unspaced(k, &q, a, subject);
    for (const struct asking *r = k->asking; r->words != NULL; r++) {
        size_t from, to;

        t = r->type;
        if (!words_find(&q, r->words, &from, &to))
            continue;
        if (t == ANSWER_DEFINITION)
            t = with_nouns(k, &q, t);
        /* "tramage signification": what stands in front. */
        if (t == ANSWER_DEFINITION && to == q.n)
            *subject = subject_of(l, &q, 0, from, a);
        else if (t == ANSWER_DEFINITION || t == ANSWER_COMPARE)
            *subject = subject_of(l, &q, to, q.n, a);
        if (t == ANSWER_DEFINITION && (*subject)[0] == '\0')
            t = ANSWER_ANY;
        return t;
    }
    t = type_of_nouns(k, &q);
    return t == ANSWER_ANY && is_bare(l, &q, subject, a) ? ANSWER_DEFINITION
                                                         : t;
}

/* "what does that mean": something named before. */
static bool is_pronoun(enum answer_type t, const char *subject)
{
    struct token_run words;

    token_run_read(&words, subject, strlen(subject), 1);
    return t == ANSWER_DEFINITION && words.n > 0 &&
           lang_is_stop(LANG_EN, words.t[0].text, words.t[0].len);
}

/* Where a phrase of nouns that begins at 0 ends: before the first word that
 * stands in every text, too; 0 where what begins is a verb. */
static size_t opening_nouns(const struct token_run *ws)
{
    const char *doing = question_words[LANG_EN].doing;

    if (ws->n > BARE_WORDS && is_one_of(ws, 0, doing))
        return 0;
    return stop_find(ws, 0, noun_phrase_end(ws, 0));
}

/* "output formats of the shell", "archive areas": several, without a verb. A
 * name of two words may be a thing itself ("foreign keys"). */
static bool names_several(const struct token_run *ws)
{
    size_t n = opening_nouns(ws);

    /* "stable, testing or …" chooses, "4.5.0 system user names" has news. */
    if (n > 0 && n < ws->n &&
        (is_one_of(ws, n, "or and") || term_gap(&ws->t[n - 1], &ws->t[n]) > 1))
        return false;
    return n > 0 && !ascii_is_digit(ws->t[0].text[0]) && n <= NOUN_WORDS &&
           is_plural(ws, n - 1) &&
           (ws->n > BARE_WORDS ||
            is_one_of(ws, n - 1, question_words[LANG_EN].several));
}

/* Does a phrase of nouns end behind word i? */
static bool ends_nouns(const struct token_run *ws, size_t i)
{
    return ends_clause(ws, i) || stop_find(ws, i + 1, i + 2) == i + 1;
}

/* "max size of X", "X size default": a number, without a question word. Between
 * what says which one and the noun may be words of theirs. */
static bool names_number(const struct token_run *ws)
{
    const char *nouns = question_words[LANG_EN].numbers;

    for (size_t i = 0; i < stop_find(ws, 0, ws->n); i++) {
        if (!is_one_of(ws, i, value_words.most) &&
            !is_one_of(ws, i, value_words.least) &&
            !is_one_of(ws, i, value_words.defaults))
            continue;
        if (i > 0 && is_one_of(ws, i - 1, nouns) && ends_nouns(ws, i))
            return true;
        for (size_t k = i; k < i + NUMBER_WORDS && !ends_nouns(ws, k); k++)
            if (is_one_of(ws, k + 1, nouns) && ends_nouns(ws, k + 1))
                return true;
    }
    return false;
}

/* "disable X": who begins with such a verb wants to know how. */
static bool is_order(const struct token_run *q)
{
    return q->n > BARE_WORDS && !is_word(q, 1, "me") &&
           is_one_of(q, 0, question_words[LANG_EN].doing);
}

/* "disable X", "i want to …", "possible values for X": no question by its
 * words. */
static enum answer_type type_of_wish(const struct token_run *q)
{
    const struct question_words *k = &question_words[LANG_EN];
    size_t from, to;

    if (is_order(q))
        return ANSWER_HOWTO;
    for (const struct asking *r = k->asking; r->words != NULL; r++)
        if (r->type != ANSWER_DEFINITION && words_find(q, r->words, &from, &to))
            return r->type;
    if (names_number(q) && question_word_find(q) == q->n)
        return ANSWER_NUMBER;
    return names_several(q) ? ANSWER_LIST : ANSWER_ANY;
}

/* Do the last words from i on only say to whom, or "please"? */
static bool is_courtesy(const struct token_run *ws, size_t i)
{
    if (is_one_of(ws, i, "to for") && is_one_of(ws, i + 1, "me us"))
        i += 2;
    i += is_one_of(ws, i, "please briefly shortly simply") ? 1 : 0;
    return i == ws->n;
}

/* "explain X", "X meaning": what is asked for stands behind the words that ask
 * for it, before where it is at home, or in front of them. */
static bool is_defined(const struct token_run *q, struct arena *a,
                       const char **subject)
{
    const struct question_words *k = &question_words[LANG_EN];
    size_t from, to;

    for (const struct asking *r = k->asking; r->words != NULL; r++) {
        bool before;

        if (r->type != ANSWER_DEFINITION ||
            !words_find(q, r->words, &from, &to))
            continue;
        before = from > 0;
        to = before ? 0 : without_calling(q, to);
        from = before ? from : noun_phrase_end(q, to);
        if (from - to > SUBJECT_WORDS || is_one_of(q, to, asking_words) ||
            (from < q->n && !before && !is_word(q, from, "in") &&
             !is_courtesy(q, from)))
            continue;
        *subject = slice(q, to, from, a);
        if (*subject == NULL || (*subject)[0] != '\0')
            return true;
    }
    return is_bare(LANG_EN, q, subject, a);
}

/* "how would you define X": words that ask for a definition, whatever their
 * first one would ask for. */
static bool begins_defined(const struct token_run *q)
{
    size_t from, to;

    for (const struct asking *r = question_words[LANG_EN].asking;
         r->words != NULL; r++)
        if (r->type == ANSWER_DEFINITION && r->words[0] == '^' &&
            words_find(q, r->words, &from, &to) && to > NOUNS_ASKED)
            return true;
    return false;
}

/* Behind "please", "could you please" where words that ask for a text follow.
 */
static const char *without_courtesy(const char *text)
{
    struct token_run ws;
    size_t i;

    token_run_read(&ws, text, strlen(text), WORDS_MAX);
    i = is_word(&ws, 0, "please") ? 1 : 0;
    if (is_one_of(&ws, i, "can could would will") && is_word(&ws, i + 1, "you"))
        i += 2;
    i += is_word(&ws, i, "please") ? 1 : 0;
    return i > 0 && is_one_of(&ws, i,
                              "define describe explain give list name "
                              "show tell")
               ? text + ws.t[i].start
               : text;
}

/* "tell me what X in Y is", and what more of it: "and what it is good for". */
static bool is_told(const struct token_run *ws, struct arena *a,
                    const char **subject)
{
    size_t last = ws->n - 1, from, end;

    for (size_t i = 3; i + 2 < ws->n && last == ws->n - 1; i++)
        if (is_word(ws, i, "and") && is_one_of(ws, i + 1, "what why how") &&
            is_one_of(ws, i + 2, "it they"))
            last = i - 1;
    from = last;
    if (ws->n < 3 || !is_one_of(ws, last, "is are means does"))
        return false;
    while (from > 0 && !is_word(ws, from - 1, "what"))
        from--;
    from += is_one_of(ws, from, "a an the") ? 1 : 0;
    end = noun_phrase_end(ws, from);
    if (from == 0 || end == from || end - from > SUBJECT_WORDS ||
        (end != last && !is_word(ws, end, "in")) ||
        stop_find(ws, from, end) < end)
        return false;
    *subject = slice(ws, from, end, a);
    return true;
}

enum answer_type query_type_of(enum lang l, const char *text, struct arena *a,
                               const char **subject)
{
    struct token_run q;
    enum answer_type t, wish;

    *subject = "";
    if (l != LANG_EN)
        return foreign_type(l, text, a, subject);
    text = without_courtesy(text);
    token_run_read(&q, text, strlen(text), WORDS_MAX);
    if (is_told(&q, a, subject))
        return ANSWER_DEFINITION;
    if (begins_defined(&q) && is_defined(&q, a, subject))
        return ANSWER_DEFINITION;
    t = is_order(&q) && strchr(text, '?') == NULL
            ? ANSWER_HOWTO
            : english_type(&q, a, subject);
    if (*subject == NULL || (t != ANSWER_ANY && !is_pronoun(t, *subject)))
        return t;
    wish = t == ANSWER_ANY ? type_of_wish(&q) : ANSWER_ANY;
    if (wish != ANSWER_ANY)
        return wish;
    return is_defined(&q, a, subject) ? ANSWER_DEFINITION : t;
}

/* "1.4", "Python 3": not "4 TB", nor "to 14:05". */
static bool is_release(enum lang l, const struct token_run *ws, size_t i)
{
    const struct term *t = &ws->t[i];

    if (!ascii_is_digit(t->text[0]) ||
        (i + 1 < ws->n && unit_measures(ws->t[i + 1].text, true)))
        return false;
    return strchr(t->text, '.') != NULL ||
           (i > 0 && ascii_is_alpha(t[-1].text[0]) &&
            !lang_is_stop(l, t[-1].text, t[-1].len));
}

bool query_asks_changes(const struct query *q)
{
    const struct question_words *k = question_words_of(q->lang);
    struct token_run ws;

    if (k == NULL || k->changes == NULL)
        return true;
    token_run_read(&ws, q->text, strlen(q->text), WORDS_MAX);
    for (size_t i = 0; i < ws.n; i++) {
        bool ahead = i + 1 < ws.n &&
                     !lang_is_stop(q->lang, ws.t[i + 1].text, ws.t[i + 1].len);

        if (is_release(q->lang, &ws, i) || is_one_of(&ws, i, k->changes) ||
            (!ahead && is_one_of(&ws, i, k->fresh)))
            return true;
    }
    return false;
}
