/* A request as tokens; see plan_request.h. */
#include "research/plan_request.h"

#include "base/str.h"

#include <string.h>

bool plan_is(const char *list, const struct planner *p, size_t i)
{
    return i < p->n && report_list_has(list, p->t[i].text);
}

/* Is a bracket of the text still open at its end? */
static bool is_open(struct str s)
{
    int depth = 0;

    for (size_t i = 0; i < s.n; i++)
        depth += s.p[i] == '(' || s.p[i] == '['                  ? 1
                 : depth > 0 && (s.p[i] == ')' || s.p[i] == ']') ? -1
                                                                 : 0;
    return depth > 0;
}

struct str plan_text_of(const struct planner *p, struct range r)
{
    size_t start, end;

    if (r.from >= r.to)
        return str_of("");
    start = p->t[r.from].start;
    end = p->t[r.to - 1].end;
    if (((p->text[end] == ')' || p->text[end] == ']') &&
         is_open((struct str){p->text + start, end - start})) ||
        (p->text[end] == '"' &&
         memchr(p->text + start, '"', end - start) != NULL))
        end++;
    return (struct str){p->text + start, end - start};
}

bool plan_has_between(const struct planner *p, size_t i, const char *marks)
{
    if (i + 1 >= p->n)
        return false;
    for (size_t k = p->t[i].end; k < p->t[i + 1].start; k++)
        if (strchr(marks, p->text[k]) != NULL &&
            (p->text[k + 1] == ' ' || p->text[k + 1] == '\0'))
            return true;
    return false;
}

bool plan_is_within(const struct planner *p, size_t i)
{
    return p->within[i] != 0 && i + 1 < p->n &&
           p->within[i] == p->within[i + 1];
}

bool plan_opens_in(const struct planner *p, struct range r, size_t i)
{
    return is_open(plan_text_of(p, (struct range){r.from, i + 1}));
}

bool plan_is_parted(const struct planner *p, struct range r, size_t i)
{
    return plan_has_between(p, i, ",;") && !plan_opens_in(p, r, i);
}

bool plan_is_order(const struct planner *p, size_t i)
{
    return plan_is(p->w->orders, p, i) || plan_is(p->w->starts, p, i);
}

bool plan_is_content(const struct planner *p, size_t i)
{
    const struct term *t = &p->t[i];

    return !lang_is_stop(p->q->lang, t->text, t->len) &&
           !plan_is(p->w->asks, p, i) && !plan_is(p->w->orders, p, i);
}

bool plan_is_said(const struct planner *p, size_t i)
{
    const struct term *t = &p->t[i];

    return !lang_is_stop(p->q->lang, t->text, t->len) &&
           !plan_is(p->w->asks, p, i);
}

size_t plan_content_of(const struct planner *p, struct range r)
{
    size_t n = 0;

    for (size_t i = r.from; i < r.to; i++)
        n += plan_is_content(p, i);
    return n;
}

bool plan_is_name(const struct planner *p, size_t i)
{
    const char *z = p->text + p->t[i].start;
    bool capital = (*z >= 'A' && *z <= 'Z') || (unsigned char)*z >= 0xC3;

    for (size_t k = 0; k < p->t[i].end - p->t[i].start; k++)
        capital = capital || ascii_is_digit(z[k]) ||
                  (k > 0 && z[k] >= 'A' && z[k] <= 'Z');
    return capital && plan_is_content(p, i);
}

bool plan_has_sides(const struct planner *p, struct range r)
{
    return p->sides_at.from < p->sides_at.to && p->sides_at.from >= r.from &&
           p->sides_at.to <= r.to;
}

struct range plan_range_of(const struct planner *p, struct str s)
{
    size_t start = (size_t)(s.p - p->text);
    struct range r = {p->n, 0};

    for (size_t i = 0; i < p->n; i++)
        if (p->t[i].start >= start && p->t[i].end <= start + s.n) {
            r.from = i < r.from ? i : r.from;
            r.to = i + 1;
        }
    return r;
}

/* Which tokens stand in brackets, those that close counted only; brackets
 * within others are the outer one's. */
static void read_brackets(struct planner *p)
{
    size_t depth = 0, open = 0, i = 0, k;

    memset(p->within, 0, PLAN_TOKENS_MAX * sizeof(*p->within));
    for (size_t at = 0; p->text[at] != '\0'; at++) {
        char c = p->text[at];

        if ((c == '(' || c == '[') && depth++ == 0)
            open = at;
        if ((c != ')' && c != ']') || depth == 0 || --depth > 0)
            continue;
        while (i < p->n && p->t[i].start < open)
            i++;
        for (k = i; k < p->n && p->t[k].start < at; k++)
            p->within[k] = open + 1;
    }
}

/* The length of what marks an item of a list at z: "- " where a line begins,
 * "2. ", "2) " or "(2) " where `number` is 2. */
static size_t mark_at(const char *z, bool line, size_t number)
{
    size_t open = *z == '(', digits = strspn(z + open, "0123456789");
    size_t n = open + digits, k = 0;

    if (line && (*z == '-' || *z == '*') && z[1] == ' ')
        return 2;
    for (size_t i = open; i < n && k <= number; i++)
        k = k * 10 + (size_t)(z[i] - '0');
    return number > 0 && digits > 0 && k == number &&
                   (z[n] == ')' || (open == 0 && z[n] == '.')) &&
                   z[n + 1] == ' '
               ? n + 2
               : 0;
}

/* How many items are marked by numbers that count from 1. */
static size_t count_numbers(const char *z)
{
    size_t n = 0;

    for (size_t i = 0; z[i] != '\0'; i++)
        n += (i == 0 || ascii_is_space(z[i - 1])) &&
             mark_at(z + i, false, n + 1) > 0;
    return n;
}

/* Is z[at] the small letter behind a word and a full stop? "e.g. a" is not. */
static bool begins_small(const char *z, size_t at, char c)
{
    if (at < 5 || c < 'a' || c > 'z' || z[at - 1] != ' ' || z[at - 2] != '.')
        return false;
    return ascii_is_alpha(z[at - 3]) && ascii_is_alpha(z[at - 4]) &&
           ascii_is_alpha(z[at - 5]);
}

/* Does an item follow, behind empty lines? */
static bool begins_item(const char *z)
{
    z += strspn(z, " \n");
    return ((*z == '-' || *z == '*') && z[1] == ' ') || ascii_is_digit(*z) ||
           *z == '(';
}

/* The text as one writes who makes no lists: "- a", "- b", "(1) a (2) b" and
 * "1. a 2. b" as "a; b"; and with capitals where sentences begin, if it begins
 * with none. NULL: no memory. */
static const char *plain_text(const char *z, struct arena *a, bool *marked)
{
    bool small = *z >= 'a' && *z <= 'z', numbered = count_numbers(z) > 1;
    bool listed = false;
    size_t last = 0, n = 0, number = 1;
    char *out = arena_alloc(a, strlen(z) + 1);

    if (out == NULL)
        return NULL;
    for (size_t i = 0; z[i] != '\0';) {
        bool line = i == 0 || z[i - 1] == '\n';
        size_t mark = line || ascii_is_space(z[i - 1])
                          ? mark_at(z + i, line, numbered ? number : 0)
                          : 0;

        number += mark > 2;
        if (mark > 0 && last > 0) { /* the space before it is room enough */
            n = last;
            if (!listed && out[n - 1] == '.') /* what stands in front of it */
                out[n - 1] = ':';
            if (strchr(",;:.?!", out[n - 1]) == NULL)
                out[n++] = listed || line ? ';' : ':';
            out[n++] = ' ';
        }
        listed = listed || mark > 0;
        *marked = *marked || mark > 0;
        i += mark;
        if (mark > 0)
            continue;
        if (listed && z[i] == '\n' && z[i + 1] == '\n' &&
            !begins_item(z + i + 2)) {
            listed = false;
            if (n > 0 && last == n && ascii_is_alnum(out[n - 1])) {
                out[n++] = '.'; /* in place of a line's end */
                last = n;
                i++;
                continue;
            }
        }
        out[n] = small && begins_small(out, n, z[i]) ? (char)(z[i] - 32) : z[i];
        n++;
        if (!ascii_is_space(z[i++]))
            last = n;
    }
    out[n] = '\0';
    return out;
}

enum err plan_tokens_read(struct planner *p)
{
    struct term_iter it;

    p->text = plain_text(p->text, p->a, &p->marked);
    p->t = arena_array(p->a, PLAN_TOKENS_MAX, sizeof(*p->t));
    p->within = arena_array(p->a, PLAN_TOKENS_MAX, sizeof(*p->within));
    if (p->text == NULL || p->t == NULL || p->within == NULL)
        return ERR_NOMEM;
    terms_init_with(&it, p->q->stem, p->text, strlen(p->text));
    while (p->n < PLAN_TOKENS_MAX && tokens_next(&it, &p->t[p->n]))
        p->n++;
    read_brackets(p);
    return ERR_OK;
}
