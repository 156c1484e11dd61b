/* What a question points at; see pointed.h. */
#include "question/pointed.h"

#include "text/terms.h"

#include <string.h>

enum {
    TOKENS_MAX = 200,
    ASKING_WORDS = 12, /* of what asks, at most */
    NAME_WORDS = 4,
    QUOTED_WORDS = 4 /* of a quotation that is the name itself */
};

struct told {
    const struct query *q;
    struct term t[TOKENS_MAX];
    size_t n;
};

static const char *word(const struct told *x, size_t i)
{
    return x->t[i].text;
}

static bool is_stop(const struct told *x, size_t i)
{
    return lang_is_stop(x->q->lang, word(x, i), x->t[i].len);
}

/* Is it part of a name, by itself? */
static bool names(const struct told *x, size_t i)
{
    return !is_stop(x, i) &&
           !word_in(word(x, i), question_words[x->q->lang].light) &&
           !report_list_has(report_words_of(x->q->lang)->asks, word(x, i));
}

/* Do the words from token i on ask what something is that they do not name? */
static bool points(const struct told *x, size_t i)
{
    const struct question_words *k = &question_words[x->q->lang];
    const struct report_words *w = report_words_of(x->q->lang);
    bool pointed = false;

    if (!word_in(word(x, i), k->pointing) || x->n - i > ASKING_WORDS)
        return false;
    for (size_t j = i + 1; j < x->n; j++) {
        bool thing = word_in(word(x, j), k->things);

        if (report_list_has(w->compares, word(x, j)) ||
            word_in(word(x, j), k->acting) || (!thing && names(x, j)))
            return false;
        pointed = pointed || word_in(word(x, j), k->pointers) ||
                  report_list_has(w->pronouns, word(x, j));
    }
    return pointed;
}

/* Do tokens i and i + 1 stand beside each other, but for a blank or hyphen? */
static bool are_beside(const struct told *x, size_t i)
{
    const char *z = x->q->text + x->t[i].end;

    return x->t[i + 1].start == x->t[i].end + 1 && (*z == ' ' || *z == '-');
}

/* Is it written with a capital where no sentence begins? */
static bool has_capital(const struct told *x, size_t i)
{
    const char *z = x->q->text + x->t[i].start;

    return i > 0 && *z >= 'A' && *z <= 'Z' &&
           strchr(".?!:", x->q->text[x->t[i - 1].end]) == NULL;
}

static enum err name_add(const struct told *x, size_t from, size_t to,
                         struct pointed *out)
{
    const char *z = x->q->text + x->t[from].start;

    if (out->count == POINTED_MAX || from == to)
        return ERR_OK;
    out->capital[out->count] = has_capital(x, to - 1);
    out->name[out->count] =
        arena_strndup(x->q->arena, z, x->t[to - 1].end - x->t[from].start);
    return out->name[out->count++] == NULL ? ERR_NOMEM : ERR_OK;
}

/* The words of a name from token i on, past an article. */
static void name_read(const struct told *x, size_t i, size_t end, size_t *from,
                      size_t *to)
{
    bool named = false;

    while (i < end && is_stop(x, i))
        i++;
    *from = *to = i;
    for (; *to < end && *to < i + NAME_WORDS && !is_stop(x, *to) &&
           (*to == i || are_beside(x, *to - 1));
         ++*to)
        named = named || names(x, *to);
    *to = named ? *to : i;
}

/* The only quotation ahead of token end: itself, or the name that it ends with.
 */
static enum err quoted_add(const struct told *x, size_t end,
                           struct pointed *out)
{
    const char *at =
        x->q->phrase_count == 1 ? strstr(x->q->text, x->q->phrases[0]) : NULL;
    size_t from = 0, to, stop;

    if (at == NULL || x->q->is_message)
        return ERR_OK;
    stop = (size_t)(at - x->q->text) + strlen(x->q->phrases[0]);
    while (from < end && x->q->text + x->t[from].start < at)
        from++;
    for (to = from; to < end && x->t[to].end <= stop;)
        to++;
    for (size_t i = from; i + 1 < to; i++)
        from = is_stop(x, i) && names(x, i + 1) ? i + 1 : from;
    while (to > from + 1 && is_stop(x, to - 1))
        to--;
    if (to - from > QUOTED_WORDS)
        return ERR_OK;
    out->sure = to > from;
    return name_add(x, from, to, out);
}

/* Behind "called" and the like. */
static enum err called_add(const struct told *x, size_t end,
                           struct pointed *out)
{
    for (size_t i = end; i-- > 0;) {
        size_t from, to;

        if (!word_in(word(x, i), question_words[x->q->lang].calls))
            continue;
        name_read(x, i + 1, end, &from, &to);
        if (from == to)
            continue;
        out->sure = true;
        return name_add(x, from, to, out);
    }
    return ERR_OK;
}

/* Is something asked ahead of token end, too? */
static bool asks(const struct told *x, size_t end)
{
    const char *list = report_words_of(x->q->lang)->asks;

    for (size_t i = 0; i < end; i++)
        if (report_list_has(list, word(x, i)))
            return true;
    return false;
}

static bool is_of(const struct told *x, size_t i)
{
    return report_list_has(report_words_of(x->q->lang)->about, word(x, i)) &&
           x->t[i].len == 2;
}

/* One word or two that stand beside each other, the last first. */
static enum err all_add(const struct told *x, size_t end, struct pointed *out)
{
    enum err e = ERR_OK;

    for (size_t i = end; e == ERR_OK && i-- > 0;) {
        if (!names(x, i))
            continue;
        if (i > 0 && !is_stop(x, i - 1) && are_beside(x, i - 1))
            e = name_add(x, i - 1, i + 1, out);
        else if (i > 1 && names(x, i - 2) && is_of(x, i - 1))
            e = name_add(x, i - 2, i + 1, out);
        if (e == ERR_OK)
            e = name_add(x, i, i + 1, out);
    }
    return e;
}

enum err query_pointed(const struct query *q, struct pointed *out)
{
    struct told *x = arena_alloc(q->arena, sizeof *x);
    size_t at, from, to;
    enum err e;

    memset(out, 0, sizeof *out);
    if (x == NULL)
        return ERR_NOMEM;
    x->q = q;
    if (question_words[q->lang].pointing == NULL)
        return ERR_OK;
    x->n = tokens_read(q->text, strlen(q->text), x->t, TOKENS_MAX);
    for (at = 0; at < x->n && !points(x, at);)
        at++;
    if (at == x->n)
        return ERR_OK;
    name_read(x, 0, at, &from, &to);
    if (to == at && from < to) {
        out->sure = true;
        return name_add(x, from, to, out);
    }
    e = quoted_add(x, at, out);
    if (e == ERR_OK && out->count == 0)
        e = called_add(x, at, out);
    if (e == ERR_OK && !out->sure && !asks(x, at))
        e = all_add(x, at, out);
    return e;
}
