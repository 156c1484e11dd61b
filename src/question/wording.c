/* Words around a question; see wording.h. */
#include "question/wording.h"

#include "text/terms.h"

#include <string.h>

enum {
    TOKENS_MAX = 400,
    AROUND_WORDS = 8, /* of what is left out at once */
    LEFT_WORDS = 2,   /* at least, of the question */
    JOINED_MAX = AROUND_WORDS * (TERM_MAX + 1)
};

/* Are the tokens from..to, joined by "_", in the list? */
static bool is_listed(const char *list, const struct term *t, size_t from,
                      size_t to)
{
    char joined[JOINED_MAX];
    size_t n = 0;

    for (size_t i = from; i < to; i++) {
        memcpy(joined + n, t[i].text, t[i].len);
        n += t[i].len;
        joined[n++] = '_';
    }
    joined[n - 1] = '\0';
    return word_in(joined, list);
}

/* Does a mark, or a line's end, stand in the text between start and end? */
static bool has_mark(const char *text, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        if (strchr(".,:;!?\n", text[i]) != NULL ||
            (text[i] == '-' && i > start && text[i - 1] == ' '))
            return true;
    return false;
}

/* Behind the longest listed words that begin at `from`, or `from`. "Tell me
 * about X" asks itself. */
static size_t front_end(const char *list, const char *about, const char *text,
                        const struct term *t, size_t from, size_t n)
{
    for (size_t k = AROUND_WORDS; k > 0; k--) {
        size_t to = from + k;

        if (to + LEFT_WORDS <= n && is_listed(list, t, from, to) &&
            !report_list_has(about, t[to].text) &&
            (k > 1 || has_mark(text, t[to - 1].end, t[to].start)))
            return to;
    }
    return from;
}

/* Behind "explain", "describe to me" where a question follows, or `from`. */
static size_t order_end(enum lang l, const char *text, const struct term *t,
                        size_t from, size_t n)
{
    const struct report_words *w = report_words_of(l);
    size_t to = from + 1;

    if (from >= n || !report_list_has(w->orders, t[from].text) ||
        report_list_has(w->compares, t[from].text))
        return from;
    while (to < n && to < from + 4 && lang_is_stop(l, t[to].text, t[to].len) &&
           !report_list_has(w->asks, t[to].text))
        to++;
    return to + LEFT_WORDS <= n && report_list_has(w->asks, t[to].text) &&
                   !has_mark(text, t[from].end, t[to].start)
               ? to
               : from;
}

/* Where the longest listed words that end at `to` begin, with the "and" that
 * joins them, or `to`. */
static size_t end_begin(enum lang l, const char *text, const struct term *t,
                        size_t from, size_t to)
{
    const struct question_words *w = question_words_of(l);
    const char *joins = report_words_of(l)->joins;

    for (size_t k = AROUND_WORDS; k > 0; k--) {
        size_t i = to - k;
        bool joined;

        if (from + LEFT_WORDS + k > to)
            continue;
        joined = report_list_has(joins, t[i - 1].text);
        if (is_listed(w->thanks, t, i, to) ||
            ((joined || has_mark(text, t[i - 1].end, t[i].start) ||
              (text[t[i].start] >= 'A' && text[t[i].start] <= 'Z')) &&
             is_listed(w->wishes, t, i, to)))
            return joined ? i - 1 : i;
    }
    return to;
}

struct str question_bare(enum lang l, const char *text)
{
    const struct question_words *k = question_words_of(l);
    const char *about = report_words_of(l)->about;
    struct term t[TOKENS_MAX];
    size_t n, from = 0, to, at, end;

    if (k == NULL || k->greets == NULL)
        return str_of(text);
    n = tokens_read(text, strlen(text), t, TOKENS_MAX);
    if (n == TOKENS_MAX || n == 0)
        return str_of(text);
    while ((at = front_end(k->greets, about, text, t, from, n)) > from)
        from = at;
    from = order_end(l, text, t, from, n);
    for (to = n; (at = end_begin(l, text, t, from, to)) < to;)
        to = at;
    if (from == 0 && to == n)
        return str_of(text);
    /* Signs and quotation marks around what is left belong to it. */
    at = from == 0 ? 0 : t[from - 1].end;
    end = to == n ? strlen(text) : t[to].start;
    while (at < t[from].start && strchr(" ,.:;!?-\n\t", text[at]) != NULL)
        at++;
    while (end > t[to - 1].end && strchr(" ,;:-\n\t", text[end - 1]) != NULL)
        end--;
    return (struct str){text + at, end - at};
}
