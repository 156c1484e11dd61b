/* Lists and tables of questions and their answers; see html_asked.h. */
#include "text/html_asked.h"

#include "text/marks.h"

#include <string.h>

enum {
    MARK_CHARS = 16,
    QUESTION_CHARS = 300, /* a longer one heads nothing */
    WORDS_LEAST = 3,      /* of a sentence; "Optional?" names a field */
    ANSWER_LEAST = 8,     /* characters; "Yes" is a value */
    SEVERAL = 2
};

/* The text of a node that is at most so short, without space around it; "" of a
 * longer one, and of none. */
static void read_mark(const struct dom *d, uint32_t i, char out[MARK_CHARS + 1])
{
    size_t n = 0;

    out[0] = '\0';
    if (d->nodes[i].text > MARK_CHARS)
        return;
    for (uint32_t k = i + 1; k < d->nodes[i].end;) {
        const struct node *x = &d->nodes[k];
        struct str s = x->is_text ? str_trim(str_of(x->data)) : (struct str){0};

        k = x->dropped ? x->end : k + 1;
        if (x->dropped || s.n == 0)
            continue;
        if (n + s.n > MARK_CHARS) {
            out[0] = '\0';
            return;
        }
        memcpy(out + n, s.p, s.n);
        n += s.n;
    }
    out[n] = '\0';
}

/* Is the term the pair's mark, and no more? */
static bool is_mark(const char *z, size_t pair, bool answer)
{
    size_t n = mark_bytes(z, pair, answer);

    return n > 0 && z[n + strspn(z + n, " .:)")] == '\0';
}

/* How a term of some words ends; '\0' of a shorter or longer one and of what is
 * linked. */
static char last_char(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];
    struct str last = {0};
    size_t spaces = 0;

    if (x->text > QUESTION_CHARS || x->linked * 2 > x->text)
        return '\0';
    for (uint32_t k = i + 1; k < x->end;) {
        struct str s =
            d->nodes[k].is_text ? str_of(d->nodes[k].data) : (struct str){0};

        for (size_t n = 1; n < s.n; n++)
            spaces += ascii_is_space(s.p[n - 1]) && !ascii_is_space(s.p[n]);
        if (str_trim(s).n > 0)
            last = str_trim(s);
        k = d->nodes[k].dropped ? d->nodes[k].end : k + 1;
    }
    return spaces + 1 >= WORDS_LEAST ? last.p[last.n - 1] : '\0';
}

/* The next term or definition of the list from k on; its end if none. */
static uint32_t next_part(const struct dom *d, uint32_t list, uint32_t k)
{
    while (k < d->nodes[list].end && d->nodes[k].tag != TAG_DT &&
           d->nodes[k].tag != TAG_DD)
        k = d->nodes[k].end;
    return k;
}

/* What a term is: '?' asks, '\0' is none of the pair's marks, all else answers.
 * Without a pair, how one ends that is a text. */
static char turn_of(const struct dom *d, uint32_t term, size_t pair)
{
    char mark[MARK_CHARS + 1];

    if (pair == MARK_PAIRS)
        return last_char(d, term);
    read_mark(d, term, mark);
    return is_mark(mark, pair, false)  ? '?'
           : is_mark(mark, pair, true) ? ':'
                                       : '\0';
}

/* Do the terms of the list take turns as the pair's marks, with no question at
 * length, and one at least where the marks are letters of many things? Without
 * a pair: are they some words each, and questions in the main, most of which
 * more is said to than a word? Each has a definition. */
static bool takes_turns(const struct dom *d, uint32_t list, size_t pair)
{
    uint32_t end = d->nodes[list].end, k = next_part(d, list, list + 1);
    size_t asked = 0, others = 0, told = 0, questions = 0;

    while (k < end) {
        uint32_t next = next_part(d, list, d->nodes[k].end);
        char turn = turn_of(d, k, pair);

        if (d->nodes[k].tag != TAG_DT || next == end ||
            d->nodes[next].tag != TAG_DD || turn == '\0' ||
            (pair < MARK_PAIRS && turn == '?' &&
             d->nodes[next].text > QUESTION_CHARS))
            return false;
        questions += turn == '?' && last_char(d, next) == '?';
        asked += turn == '?';
        others += turn != '?';
        told += d->nodes[next].text >= ANSWER_LEAST;
        if (pair < MARK_PAIRS && others > asked)
            return false;
        while (next < end && d->nodes[next].tag == TAG_DD)
            next = next_part(d, list, d->nodes[next].end);
        k = next;
    }
    if (pair < MARK_PAIRS)
        return others >= SEVERAL && (questions > 0 || mark_is_clear(pair));
    return asked > 0 && asked >= others && told * 2 > asked + others;
}

/* Has the table DocBook's rows, questions and answers, and no heads of columns?
 * A table within it has rows of its own. */
static bool has_rows(const struct dom *d, uint32_t table)
{
    bool asks = false, answers = false;

    for (uint32_t k = table + 1; k < d->nodes[table].end;) {
        const struct node *x = &d->nodes[k];

        if (x->tag == TAG_TH)
            return false;
        if (x->tag == TAG_TR) {
            asks = asks || dom_attr_is(x, "class", "question");
            answers = answers || dom_attr_is(x, "class", "answer");
        }
        k = x->tag == TAG_TABLE ? x->end : k + 1;
    }
    return asks && answers;
}

bool asked_holds(const struct dom *d, uint32_t i)
{
    size_t pair = 0;

    if (d->nodes[i].tag != TAG_DL)
        return has_rows(d, i);
    while (pair <= MARK_PAIRS && !takes_turns(d, i, pair))
        pair++;
    return pair <= MARK_PAIRS;
}

/* A term of the list at hand that is a mark of questions, or of answers. */
static bool is_marked(const struct dom *d, uint32_t i, bool answer)
{
    char mark[MARK_CHARS + 1];
    size_t pair = 0;

    read_mark(d, i, mark);
    while (pair < MARK_PAIRS && !is_mark(mark, pair, answer))
        pair++;
    return pair < MARK_PAIRS;
}

/* Is the cell the first one of its row, ahead of what is asked or said, and
 * empty, the row's mark, or the number of a question: "1.2."? */
static bool is_number(const struct dom *d, uint32_t i, bool answer)
{
    const struct node *x = &d->nodes[i], *row = &d->nodes[x->parent];
    char mark[MARK_CHARS + 1];

    for (uint32_t k = x->parent + 1; k < i; k++)
        if (!d->nodes[k].is_text)
            return false;
    if (x->end == row->end || x->text == row->text)
        return false;
    read_mark(d, i, mark);
    if (mark[0] == '\0')
        return x->text == 0;
    return is_marked(d, i, answer) ||
           (!answer && mark[strspn(mark, "0123456789.:)( ")] == '\0');
}

bool asked_is_mark(const struct dom *d, uint32_t i, uint32_t asked)
{
    const struct node *x = &d->nodes[i], *up = &d->nodes[x->parent];

    if (x->tag == TAG_DT)
        return x->parent == asked &&
               (is_marked(d, i, false) || is_marked(d, i, true));
    return x->tag == TAG_TD &&
           ((dom_attr_is(up, "class", "question") && is_number(d, i, false)) ||
            (dom_attr_is(up, "class", "answer") && is_number(d, i, true)));
}

bool asked_is_question(const struct dom *d, uint32_t i, uint32_t asked)
{
    const struct node *x = &d->nodes[i];
    uint32_t term = i;

    if (x->tag == TAG_TR)
        return dom_attr_is(x, "class", "question");
    if (x->parent != asked || (x->tag != TAG_DT && x->tag != TAG_DD))
        return false;
    if (x->tag == TAG_DT)
        return !asked_is_mark(d, i, asked);
    while (--term > asked)
        if (d->nodes[term].parent == asked && !d->nodes[term].is_text)
            return d->nodes[term].tag == TAG_DT && is_marked(d, term, false);
    return false;
}
