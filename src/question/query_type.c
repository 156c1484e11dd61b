/*
 * What kind of thing answers a question, by its question word, the noun it
 * asks for and a few patterns. English; anything else is ANSWER_ANY.
 * Pure; called by query_parse and, for a schema's fields, by structured.c.
 */
#include "question/query.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

enum { WORDS_MAX = 48 };

struct words {
    const char *text;
    struct term w[WORDS_MAX];
    size_t n;
};

static void words_read(struct words *ws, const char *text)
{
    struct term_iter it;

    ws->text = text;
    ws->n = 0;
    terms_init(&it, text, strlen(text));
    while (ws->n < WORDS_MAX && tokens_next(&it, &ws->w[ws->n]))
        ws->n++;
}

static bool is_word(const struct words *ws, size_t i, const char *z)
{
    return i < ws->n && strcmp(ws->w[i].text, z) == 0;
}

/* Is word i one of a space-separated list? */
static bool is_one_of(const struct words *ws, size_t i, const char *list)
{
    size_t n;

    if (i >= ws->n)
        return false;
    n = ws->w[i].len;
    for (const char *at = list; (at = strstr(at, ws->w[i].text)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

static bool is_be(const struct words *ws, size_t i)
{
    return is_one_of(ws, i, "is are was were s be");
}

/* --- nouns that tell the type of the answer ------------------------------ */

static const char number_nouns[] =
    "number numbers amount size sizes length height width depth weight mass "
    "percent percentage proportion ratio population distance temperature "
    "speed velocity rate price cost costs value limit limits maximum minimum "
    "capacity area volume age duration total count frequency score salary "
    "budget revenue fee tax wage density diameter radius altitude elevation "
    "range average mean median fraction share quantity horsepower efficiency";
static const char date_nouns[] =
    "year years date dates day month century decade era period season";
static const char place_nouns[] =
    "country countries city cities town place places state region continent "
    "location river street building island county province capital village "
    "district area university school nation";
static const char person_nouns[] =
    "person man woman president king queen author scientist actor actress "
    "director leader player inventor founder singer politician emperor pope "
    "minister engineer mathematician physicist explorer officer philosopher "
    "quarterback coach artist writer poet composer architect family people";
static const char reason_nouns[] = "reason reasons cause causes purpose";

static enum answer_type type_of_noun(const struct words *ws, size_t i)
{
    if (is_one_of(ws, i, number_nouns))
        return ANSWER_NUMBER;
    if (is_one_of(ws, i, date_nouns))
        return ANSWER_DATE;
    if (is_one_of(ws, i, place_nouns))
        return ANSWER_PLACE;
    if (is_one_of(ws, i, person_nouns))
        return ANSWER_PERSON;
    if (is_one_of(ws, i, reason_nouns))
        return ANSWER_REASON;
    return ANSWER_ANY;
}

/* The end of the noun phrase that begins at i: before a preposition, a
 * relative word or a verb of being. */
static size_t noun_phrase_end(const struct words *ws, size_t i)
{
    while (i < ws->n &&
           !is_one_of(ws, i,
                      "of in for to on at by that which who with between from "
                      "is are was were did does do has have had can will"))
        i++;
    return i;
}

/* --- subject ------------------------------------------------------------- */

static const char *slice(const struct words *ws, size_t from, size_t to,
                         struct arena *a)
{
    while (from < to && is_one_of(ws, from, "a an the"))
        from++;
    if (from >= to)
        return "";
    return arena_strndup(a, ws->text + ws->w[from].start,
                         ws->w[to - 1].end - ws->w[from].start);
}

/* --- by question word ---------------------------------------------------- */

static const char measure_words[] =
    "many much large big long old high tall fast far often deep wide heavy "
    "small few hot cold thick expensive quickly close near low strong";

static enum answer_type type_of_how(const struct words *ws, size_t i)
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

static enum answer_type type_of_who(const struct words *ws, size_t i,
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
        if (ascii_lower(ws->text[ws->w[k].start]) == ws->text[ws->w[k].start])
            return ANSWER_PERSON;
    *subject = slice(ws, i + 2, end, a);
    return ANSWER_DEFINITION;
}

static bool is_plural(const struct words *ws, size_t i)
{
    const struct term *t = i < ws->n ? &ws->w[i] : NULL;

    return t != NULL && t->len > 3 && t->text[t->len - 1] == 's' &&
           strchr("sui", t->text[t->len - 2]) == NULL;
}

/* "What is|are …" from the word after the verb. */
static enum answer_type type_of_what_is(const struct words *ws, size_t verb,
                                        struct arena *a, const char **subject)
{
    size_t from = verb + 1, end;
    bool article = is_one_of(ws, from, "a an the");
    enum answer_type t;

    end = noun_phrase_end(ws, from);
    if (end == from)
        return ANSWER_ANY;
    if (is_one_of(ws, end - 1, "difference differences distinction"))
        return ANSWER_COMPARE;
    t = type_of_noun(ws, end - 1);
    if (t != ANSWER_ANY && (article || end < ws->n))
        return t;
    if (is_word(ws, verb, "are") && is_word(ws, from, "the") &&
        (is_plural(ws, end - 1) || end < ws->n))
        return ANSWER_LIST;
    if (end < ws->n || end - from > 6)
        return ANSWER_ANY;
    *subject = slice(ws, from, end, a);
    return ANSWER_DEFINITION;
}

static enum answer_type type_of_what(const struct words *ws, size_t i,
                                     struct arena *a, const char **subject)
{
    size_t end;
    enum answer_type t;

    if (is_be(ws, i + 1))
        return type_of_what_is(ws, i + 1, a, subject);
    if (is_one_of(ws, i + 1, "does do") && ws->n > i + 3 &&
        (is_word(ws, ws->n - 1, "mean") || is_word(ws, ws->n - 1, "for"))) {
        end = is_word(ws, ws->n - 1, "mean") ? ws->n - 1 : ws->n - 2;
        *subject = slice(ws, i + 2, end, a);
        return ANSWER_DEFINITION;
    }
    if (is_one_of(ws, i + 1, "causes caused"))
        return ANSWER_REASON;
    end = noun_phrase_end(ws, i + 1);
    for (size_t k = i + 1; k < end && k < i + 4; k++) {
        t = type_of_noun(ws, k);
        if (t != ANSWER_ANY)
            return t;
    }
    if (is_plural(ws, i + 1) || (end > i + 1 && is_plural(ws, end - 1)))
        return ANSWER_LIST;
    return ANSWER_ANY;
}

/* --- patterns without a question word ------------------------------------ */

static bool has_versus(const struct words *ws, size_t *at)
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

static bool type_of_start(const struct words *ws, struct arena *a,
                          enum answer_type *t, const char **subject)
{
    size_t at;

    if (has_versus(ws, &at)) {
        *t = ANSWER_COMPARE;
        *subject = is_one_of(ws, at, "vs versus") ? slice(ws, 0, ws->n, a)
                                                  : slice(ws, at + 1, ws->n, a);
    } else if (is_one_of(ws, 0, "define definition")) {
        *t = ANSWER_DEFINITION;
        *subject = slice(ws, is_word(ws, 1, "of") ? 2 : 1, ws->n, a);
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
                         "should has have had may must am")) {
        *t = ANSWER_YESNO;
    } else {
        return false;
    }
    return true;
}

static const char asking_words[] =
    "who whom whose when where why how what which";

static size_t question_word_find(const struct words *ws)
{
    for (size_t i = 0; i < ws->n; i++) {
        /* Inside a sentence these introduce clauses, not the question. */
        bool clause = i > 1 && is_one_of(ws, i, "when where which how why who");

        if (is_one_of(ws, i, asking_words) && !clause)
            return i;
    }
    return ws->n;
}

enum answer_type query_type_of(const char *text, struct arena *a,
                               const char **subject)
{
    struct words ws;
    enum answer_type t = ANSWER_ANY;
    size_t i;

    *subject = "";
    words_read(&ws, text);
    if (type_of_start(&ws, a, &t, subject))
        return t;
    i = question_word_find(&ws);
    if (is_one_of(&ws, i, "who whom whose"))
        return type_of_who(&ws, i, a, subject);
    if (is_word(&ws, i, "when"))
        return ANSWER_DATE;
    if (is_word(&ws, i, "where"))
        return ANSWER_PLACE;
    if (is_word(&ws, i, "why"))
        return ANSWER_REASON;
    if (is_word(&ws, i, "how"))
        return type_of_how(&ws, i);
    if (is_one_of(&ws, i, "what which"))
        return type_of_what(&ws, i, a, subject);
    return ANSWER_ANY;
}
