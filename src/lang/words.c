/* Looking up what the tables of languages hold; see words.h. */
#include "lang/words.h"

#include "base/str.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum {
    REFER_TOKENS = 4, /* of a sentence, one of which may point back */
    POINT_TOKENS = 7  /* … or to what a noun names ("of these reports") */
};

const char *phrase(enum lang l, enum phrase p)
{
    const char *z = l < LANG_COUNT ? phrases[p][l] : NULL;

    return z != NULL ? z : phrases[p][LANG_EN];
}

const struct question_words *question_words_of(enum lang l)
{
    return l < LANG_COUNT && question_words[l].light != NULL
               ? &question_words[l]
               : NULL;
}

static int by_text(const void *x, const void *y)
{
    return strcmp(x, *(const char *const *)y);
}

static int by_stem(const void *x, const void *y)
{
    return strcmp(x, ((const struct near_words *)y)->stem);
}

const char *word_near(enum lang l, const char *stem)
{
    const struct near_list *w = l < LANG_COUNT ? &near_words[l] : NULL;
    const struct near_words *found =
        w != NULL && w->count > 0
            ? bsearch(stem, w->v, w->count, sizeof(*w->v), by_stem)
            : NULL;

    return found != NULL ? found->others : NULL;
}

double word_commonness(enum lang l, const char *stem)
{
    static const double middle = 1.4; /* of a band, by its lower end */
    const struct common_words *w = l < LANG_COUNT ? common_words[l] : NULL;

    for (; w != NULL && w->count > 0; w++)
        if (bsearch(stem, w->stems, w->count, sizeof(*w->stems), by_text))
            return middle * w->per_mille / 1000;
    return 0;
}

int question_month(enum lang l, const char *word)
{
    const char *at = l < LANG_COUNT ? question_words[l].months : NULL;
    size_t n = strlen(word);

    for (int m = 1; at != NULL && m <= 12; m++) {
        const char *end = strchr(at, '|');

        for (const char *z = at;
             n > 0 && (z = strstr(z, word)) != NULL && (end == NULL || z < end);
             z++)
            if (z[-1] == ' ' && (z[n] == ' ' || (l == LANG_EN && n == 3)))
                return m;
        at = end == NULL ? NULL : end + 1;
    }
    return 0;
}

bool question_text_has(const char *p, size_t n, const char *list)
{
    const char *at = list == NULL ? "" : list;

    while (*at != '\0') {
        size_t len = strcspn(at, " ");

        if (len > 0 && memmem(p, n, at, len) != NULL)
            return true;
        at += len + (at[len] == ' ' ? 1 : 0);
    }
    return false;
}

const struct report_words *report_words_of(enum lang l)
{
    return l < LANG_COUNT && report_words[l].joins != NULL
               ? &report_words[l]
               : &report_words[LANG_EN];
}

bool report_list_has(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (const char *z = list; n > 0 && z != NULL && (z = strstr(z, word)); z++)
        if (z > list && z[-1] == ' ' && z[n] == ' ')
            return true;
    return false;
}

bool report_tells_to(enum lang l, const char *p, size_t n)
{
    const char *doing = question_words[l].doing;
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    return doing != NULL && tokens_next(&it, &t) && word_in(t.text, doing);
}

bool report_leans(enum lang l, const char *p, size_t n)
{
    const struct report_words *words = report_words_of(l);
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    if (!tokens_next(&it, &t) ||
        (report_list_has(words->clauses, t.text) && !tokens_next(&it, &t)))
        return false;
    if (report_list_has(words->links, t.text))
        return true;
    for (int i = 1; i < POINT_TOKENS && tokens_next(&it, &t); i++)
        if ((i < REFER_TOKENS && report_list_has(words->refers, t.text)) ||
            report_list_has(words->points, t.text))
            return true;
    return false;
}
