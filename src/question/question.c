/*
 * What a question in another language than English asks for; see question.h.
 * Called by query.c.
 */
#include "question/question.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

enum { WORDS_MAX = 48, NOUN_WORDS = 6, SUBJECT_WORDS = 5 };

/* The words of a question, and the same with a space around each. */
struct question {
    const char *text;
    struct term w[WORDS_MAX];
    size_t n;
    char line[WORDS_MAX * (TERM_MAX + 1) + 2];
    size_t at[WORDS_MAX]; /* of word i in line */
};

static void question_read(struct question *x, const char *text)
{
    struct term_iter it;
    size_t len = 1;

    x->text = text;
    x->n = 0;
    x->line[0] = ' ';
    terms_init(&it, text, strlen(text));
    while (x->n < WORDS_MAX && tokens_next(&it, &x->w[x->n])) {
        const struct term *t = &x->w[x->n];

        x->at[x->n++] = len;
        memcpy(x->line + len, t->text, t->len);
        len += t->len;
        x->line[len++] = ' ';
    }
    x->line[len] = '\0';
}

/* Where the words of a pattern stand: *from is the first, *to is behind the
 * last. */
static bool words_find(const struct question *x, const char *pattern,
                       size_t *from, size_t *to)
{
    bool first = pattern[0] == '^';
    size_t n;

    pattern += first ? 1 : 0;
    n = strlen(pattern);
    for (size_t i = 0; i < x->n && (i == 0 || !first); i++) {
        const char *z = x->line + x->at[i];

        if (strncmp(z, pattern, n) != 0 || z[n] != ' ')
            continue;
        *from = *to = i;
        while (*to < x->n && x->line + x->at[*to] < z + n)
            (*to)++;
        return true;
    }
    return false;
}

/* The type that a noun of the question tells. */
static enum answer_type type_of_nouns(const struct question_words *k,
                                      const struct question *x)
{
    const struct {
        const char *list;
        enum answer_type type;
    } all[] = {{k->numbers, ANSWER_NUMBER},
               {k->places, ANSWER_PLACE},
               {k->people, ANSWER_PERSON},
               {k->dates, ANSWER_DATE}};

    if (k->unspaced) {
        for (size_t i = 0; i < 4; i++)
            if (question_text_has(x->text, strlen(x->text), all[i].list))
                return all[i].type;
        return ANSWER_ANY;
    }
    for (size_t w = 0; w < x->n && w < NOUN_WORDS; w++)
        for (size_t i = 0; i < 4; i++)
            if (word_in(x->w[w].text, all[i].list))
                return all[i].type;
    return ANSWER_ANY;
}

/* The words from..to of the question without stop words at the front. */
static const char *subject_of(enum lang l, const struct question *x,
                              size_t from, size_t to, struct arena *a)
{
    while (from < to && lang_is_stop(l, x->w[from].text, x->w[from].len))
        from++;
    if (from >= to || to - from > SUBJECT_WORDS)
        return "";
    return arena_strndup(a, x->text + x->w[from].start,
                         x->w[to - 1].end - x->w[from].start);
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
                                   const struct question *x,
                                   enum answer_type type)
{
    enum answer_type t = type_of_nouns(k, x);

    return t == ANSWER_ANY ? type : t;
}

static enum answer_type type_unspaced(const struct question_words *k,
                                      const struct question *x, struct arena *a,
                                      const char **subject)
{
    for (const struct asking *r = k->asking; r->words != NULL; r++) {
        enum answer_type t = r->type;

        if (strstr(x->text, r->words) == NULL)
            continue;
        if (t == ANSWER_DEFINITION)
            t = with_nouns(k, x, t);
        if (t == ANSWER_DEFINITION)
            *subject = subject_unspaced(x->text, r->words, a);
        return t;
    }
    return type_of_nouns(k, x);
}

bool question_asks_at(enum lang l, const char *text, size_t *from, size_t *to)
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

enum answer_type question_type_in(enum lang l, const char *text,
                                  struct arena *a, const char **subject)
{
    const struct question_words *k = question_words_of(l);
    struct question x;

    *subject = "";
    if (k == NULL)
        return ANSWER_ANY;
    question_read(&x, text);
    if (k->unspaced)
        return type_unspaced(k, &x, a, subject);
    for (const struct asking *r = k->asking; r->words != NULL; r++) {
        enum answer_type t = r->type;
        size_t from, to;

        if (!words_find(&x, r->words, &from, &to))
            continue;
        if (t == ANSWER_DEFINITION)
            t = with_nouns(k, &x, t);
        if (t == ANSWER_DEFINITION || t == ANSWER_COMPARE)
            *subject = subject_of(l, &x, to, x.n, a);
        if (t == ANSWER_DEFINITION && (*subject)[0] == '\0')
            t = ANSWER_ANY;
        return t;
    }
    return type_of_nouns(k, &x);
}

/* "wie viele", "combien de": words that a noun follows at once. */
static bool asks_count(const struct question *x, size_t *behind)
{
    static const char *const all[] = {
        "wie viele",  "wie viel", "wieviele", "wieviel", "combien",
        "cuantos",    "cuantas",  "cuanto",   "cuanta",  "quanti",
        "quante",     "quantos",  "quantas",  "hoeveel", "hur manga",
        "hur mycket", "сколько",  NULL};
    size_t from;

    for (size_t i = 0; all[i] != NULL; i++)
        if (words_find(x, all[i], &from, behind))
            return true;
    return false;
}

size_t question_focus_in(const struct query *q)
{
    struct question x;
    size_t i;

    question_read(&x, q->text);
    if (!asks_count(&x, &i))
        return q->term_count;
    while (i < x.n && lang_is_stop(q->lang, x.w[i].text, x.w[i].len))
        i++;
    for (size_t k = 0; i < x.n && k < q->term_count; k++)
        if (strcmp(q->words[k], x.w[i].text) == 0)
            return k;
    return q->term_count;
}
