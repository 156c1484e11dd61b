/*
 * Parts by rules; see plan.h. The question is read as tokens once; all that
 * follows works on ranges of them.
 */
#include "research/plan.h"

#include "base/str.h"
#include "lang/words.h"
#include "question/compare.h"
#include "text/terms.h"

#include <string.h>

enum {
    TOKENS_MAX = 400,
    PARTS_MAX = 8,
    ORDER_WORDS = 7, /* between "give" and "a way to" */
    TOLD_WORDS = 4,  /* … "brief" and "on" */
    FORM_WORDS = 4,  /* … "a" and "guide" */
    PART_WORDS = 6,  /* of a part that only is named */
    SIDE_WORDS = 4,  /* of a side that is a name */
    MEMBER_WORDS = 6,
    ASIDE_WORDS = 5,
    ITEM_WORDS = 2, /* content words of what "and" may cut off */
    LITTLE = 2,     /* … of a part that names little */
    WISH_WORDS = 2, /* "we would like" */
    ENDING = 3,     /* bytes that two words of one kind end in */
    ARTICLE_MAX = 4,
    ITEMS_LEAST = 3 /* of a list without an "and" */
};

struct range {
    size_t from, to; /* tokens, the last one not included */
};

/* tail: what the last one of a list says of each, "of table bloat"; or empty.
 */
struct parts {
    struct range v[PARTS_MAX], tail[PARTS_MAX];
    size_t n;
};

struct planner {
    const struct query *q;
    const struct report_words *w;
    struct arena *a;
    const char *text;
    struct term *t;
    size_t n;
    size_t *within; /* of each token: where its bracket opens + 1; 0: in none */
    struct parts parts, topics; /* what asks; what it asks about */
    size_t told;                /* topics that are sentences: a situation */
    bool of_all;                /* a text on all of it is ordered */
    struct range sides_at;      /* of them all, "or" included; empty: none */
    struct plan *out;
};

/* --- tokens -------------------------------------------------------------- */

static bool is_of(const char *list, const struct planner *p, size_t i)
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

static struct str text_of(const struct planner *p, struct range r)
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

/* Does the mark stand between the tokens i and i + 1? */
static bool has_between(const struct planner *p, size_t i, const char *marks)
{
    if (i + 1 >= p->n)
        return false;
    for (size_t k = p->t[i].end; k < p->t[i + 1].start; k++)
        if (strchr(marks, p->text[k]) != NULL &&
            (p->text[k + 1] == ' ' || p->text[k + 1] == '\0'))
            return true;
    return false;
}

/* Is the gap behind the token i within brackets? */
static bool is_within(const struct planner *p, size_t i)
{
    return p->within[i] != 0 && i + 1 < p->n &&
           p->within[i] == p->within[i + 1];
}

/* Has r a bracket open behind the token i? */
static bool opens_in(const struct planner *p, struct range r, size_t i)
{
    return is_open(text_of(p, (struct range){r.from, i + 1}));
}

/* Is r parted behind the token i, outside its brackets? */
static bool is_parted(const struct planner *p, struct range r, size_t i)
{
    return has_between(p, i, ",;") && !opens_in(p, r, i);
}

/* A verb that orders a text; many do so only where a clause begins. */
static bool is_order(const struct planner *p, size_t i)
{
    return is_of(p->w->orders, p, i) || is_of(p->w->starts, p, i);
}

static bool is_content(const struct planner *p, size_t i)
{
    const struct term *t = &p->t[i];

    return !lang_is_stop(p->q->lang, t->text, t->len) &&
           !is_of(p->w->asks, p, i) && !is_of(p->w->orders, p, i);
}

/* … or of an order: it is said for itself, as in "set-up". */
static bool is_said(const struct planner *p, size_t i)
{
    const struct term *t = &p->t[i];

    return !lang_is_stop(p->q->lang, t->text, t->len) &&
           !is_of(p->w->asks, p, i);
}

static size_t content_of(const struct planner *p, struct range r)
{
    size_t n = 0;

    for (size_t i = r.from; i < r.to; i++)
        n += is_content(p, i);
    return n;
}

/* A capital or a digit: what may be a name. */
static bool is_name(const struct planner *p, size_t i)
{
    const char *z = p->text + p->t[i].start;
    bool capital = (*z >= 'A' && *z <= 'Z') || (unsigned char)*z >= 0xC3;

    for (size_t k = 0; k < p->t[i].end - p->t[i].start; k++)
        capital = capital || ascii_is_digit(z[k]) ||
                  (k > 0 && z[k] >= 'A' && z[k] <= 'Z');
    return capital && is_content(p, i);
}

/* --- what asks ----------------------------------------------------------- */

static void add_with(struct parts *l, struct range r, struct range tail)
{
    if (l->n == PARTS_MAX || r.from >= r.to)
        return;
    l->tail[l->n] = tail;
    l->v[l->n++] = r;
}

static void add(struct parts *l, struct range r)
{
    add_with(l, r, (struct range){0, 0});
}

/* A person who wishes, within i to `to`: behind "I would like"; or i. */
static size_t wish_end(const struct planner *p, size_t i, size_t to)
{
    for (size_t k = i + 1; k < to && k <= i + WISH_WORDS; k++)
        if (is_of(p->w->persons, p, i) && is_of(p->w->wants, p, k))
            return k + 1;
    return i;
}

/* Behind what stands in front of what is asked for: "also", "it should", "I'd
 * like to know about", and the "I need" of "I need a guide"; or r.from. */
static size_t lead_end(const struct planner *p, struct range r)
{
    size_t i = r.from, to;

    if (is_of(p->w->links, p, i) && !is_of(p->w->pronouns, p, i) &&
        (is_of(p->w->asks, p, i + 1) || is_order(p, i + 1) ||
         is_of(p->w->helps, p, i + 1)))
        i++;
    if (((is_of(p->w->pronouns, p, i) && is_of(p->w->helps, p, i + 1)) ||
         (is_of(p->w->helps, p, i) && is_of(p->w->persons, p, i + 1))) &&
        is_order(p, i + 2))
        return i + 2;
    to = wish_end(p, i, r.to);
    if (to == i)
        return i;
    for (size_t k = to; k < r.to && k <= to + 1; k++)
        if (is_of(p->w->learns, p, k))
            return k + 1 + (k + 1 < r.to && is_of(p->w->about, p, k + 1));
    for (size_t k = to; k < r.to && k < to + ORDER_WORDS; k++)
        if (is_of(p->w->forms, p, k))
            return to;
    return i;
}

/* Behind words that name a text, what it is about: "Overview of …", "A short
 * guide to …"; empty when it only is named ("Briefing"), r when it is not. */
static struct range without_form(const struct planner *p, struct range r)
{
    const struct term *t = &p->t[r.from];
    size_t i = r.from;

    if (is_of(p->w->persons, p, r.from)) /* "We plan to" */
        return r;
    if (r.from < r.to && lang_is_stop(p->q->lang, t->text, t->len))
        while (i < r.to && i < r.from + FORM_WORDS && !is_of(p->w->forms, p, i))
            i++;
    if (i == r.to || !is_of(p->w->forms, p, i))
        i = r.from;
    while (i < r.to && is_of(p->w->forms, p, i))
        i++;
    if (i == r.to)
        return (struct range){i, i};
    return i > r.from && i + 1 < r.to && is_of(p->w->about, p, i)
               ? (struct range){i + 1, r.to}
               : r;
}

/* "for people who are new to it, what it is": where it asks, near i and without
 * a comma between; or r.to. */
static size_t asks_near(const struct planner *p, struct range r, size_t i)
{
    for (size_t k = i; k + 1 < r.to && k <= i + ORDER_WORDS; k++) {
        if (is_of(p->w->asks, p, k + 1))
            return k + 1;
        if (has_between(p, k, ",;:") || is_of(p->w->joins, p, k))
            break;
    }
    return r.to;
}

/* Behind "Brief our people on" or "Tell them": what they are to be told. From
 * i, where the order has ended, when it tells nobody. */
static size_t without_told(const struct planner *p, struct range r, size_t i)
{
    size_t k = i, asks = asks_near(p, r, i);

    if (i + 1 < r.to && is_of(p->w->about, p, i))
        return is_of(p->w->readers, p, i) && asks < r.to ? asks : i + 1;
    while (is_of(p->w->tells, p, i - 1) && k + 1 < r.to && k < i + TOLD_WORDS) {
        if (is_of(p->w->asks, p, k))
            return k;
        if (is_of(p->w->about, p, k++))
            return k;
    }
    return i;
}

/* Behind "Give me a step-by-step way to": what is wanted. Empty when nothing
 * but a text is ordered. */
static struct range without_order(const struct planner *p, struct range r)
{
    size_t i = r.from;

    while (i < r.to && is_order(p, i))
        i++;
    if (i == r.from)
        return without_form(p, r);
    i = without_told(p, r, i);
    for (size_t k = i; k < r.to && k < i + ORDER_WORDS; k++) {
        if (!is_of(p->w->forms, p, k))
            continue;
        while (k + 1 < r.to && is_of(p->w->forms, p, k + 1))
            k++;
        if (k + 1 >= r.to)
            return (struct range){r.to, r.to};
        if (is_of(p->w->readers, p, k + 1) && asks_near(p, r, k + 1) < r.to)
            return (struct range){asks_near(p, r, k + 1), r.to};
        if (is_of(p->w->about, p, k + 1) ||
            (is_of(p->w->readers, p, k + 1) && p->parts.n == 0))
            return (struct range){k + 2, r.to};
        if (is_of(p->w->readers, p, k + 1))
            return (struct range){r.to, r.to};
        break;
    }
    if (is_of(p->w->readers, p, i) && p->parts.n > 0)
        i = r.to;
    return (struct range){i, r.to};
}

static bool is_asking(const struct planner *p, struct range r)
{
    return is_of(p->w->asks, p, r.from) ||
           (is_order(p, r.from) && !is_of(p->w->persons, p, r.from)) ||
           p->text[p->t[r.to - 1].end] == '?';
}

/* "can I", "is it": does a question that wants yes or no begin at i? */
static bool asks_whether(const struct planner *p, size_t i)
{
    return is_of(p->w->helps, p, i) &&
           (is_of(p->w->persons, p, i + 1) || is_of(p->w->pronouns, p, i + 1));
}

/* "tell me how": is a question ordered at i? */
static bool orders_to_ask(const struct planner *p, struct range r, size_t i)
{
    size_t k = i;

    while (k < r.to && is_order(p, k))
        k++;
    return k > i && k < r.to && is_of(p->w->asks, p, k);
}

/* Does a part of its own begin at i, behind a comma or an "and"? */
static bool begins_part(const struct planner *p, struct range r, size_t i)
{
    bool joined = is_of(p->w->joins, p, i);
    bool question = p->text[p->t[r.to - 1].end] == '?', parted, orders;

    if (i <= r.from || i + 1 >= r.to || is_within(p, i - 1))
        return false;
    parted = has_between(p, i - 1, ",;?");
    if (!joined && !parted)
        return false;
    i += joined;
    i += is_of(p->w->links, p, i) && !is_of(p->w->pronouns, p, i);
    if (i + 1 >= r.to) /* "and why" */
        return !joined && is_of(p->w->asks, p, i);
    orders = is_order(p, i);
    return is_of(p->w->asks, p, i) ||
           ((joined || has_between(p, i - 1, "?")) && asks_whether(p, i)) ||
           (joined && parted && question && is_of(p->w->helps, p, i)) ||
           (joined && parted && orders && is_order(p, r.from)) ||
           (is_of(p->w->owners, p, i) && is_content(p, i + 1) &&
            is_asking(p, r)) ||
           (is_of(p->w->asks, p, i + 1) && i + 2 < r.to &&
            (joined || question) &&
            (is_of(p->w->asides, p, i) || is_of(p->w->about, p, i))) ||
           ((joined || parted) && orders_to_ask(p, r, i));
}

/* ", each with an example", ", in particular this": does it go on with what was
 * before the comma? */
static bool is_tail(const struct planner *p, struct range r, size_t i)
{
    return (is_of(p->w->asides, p, i) || is_of(p->w->ones, p, i)) &&
           !(is_of(p->w->asks, p, i + 1) && is_of(p->w->asks, p, r.from));
}

/* Where the last item of a list with commas begins, its "and" before it, or
 * r.to: it is none. */
static size_t last_item(const struct planner *p, struct range r)
{
    size_t at = r.to;
    bool comma = false;

    for (size_t i = r.from; i + 1 < r.to; i++) {
        if (is_parted(p, r, i) && !is_tail(p, r, i + 1)) {
            comma = true;
            at = r.to;
        }
        if (comma && at == r.to && is_of(p->w->joins, p, i + 1) &&
            !is_of(p->w->compares, p, i + 1) && !opens_in(p, r, i) &&
            (i + 3 < r.to || !is_of(p->w->asks, p, i + 2))) /* "and why" */
            at = i + 1;
    }
    return at;
}

/* Are the words around the "and" at i two of one thing: "saving and loading
 * files", or those of a pair: "between saving and loading"? */
static bool is_pair(const struct planner *p, struct range r, size_t i)
{
    const struct term *a = &p->t[i - 1], *b = &p->t[i + 1];

    for (size_t k = r.from; k < i; k++)
        if (is_of(p->w->pairs, p, k))
            return true;
    return a->len > ENDING && b->len > ENDING && is_content(p, i - 1) &&
           memcmp(a->text + a->len - ENDING, b->text + b->len - ENDING,
                  ENDING) == 0;
}

/* "This and that": where a list without commas is joined, or r.to. */
static size_t join_of(const struct planner *p, struct range r)
{
    for (size_t i = r.from + 1; i + 1 < r.to; i++)
        if (is_of(p->w->joins, p, i) && !opens_in(p, r, i - 1) &&
            !is_of(p->w->choices, p, i) && !is_pair(p, r, i) &&
            content_of(p, (struct range){r.from, i}) > 0 &&
            content_of(p, (struct range){i + 1, r.to}) > 0)
            return i;
    return r.to;
}

/* "Repair this and replace that": where the second half begins, or r.to. */
static size_t second_half(const struct planner *p, struct range r)
{
    for (size_t i = r.from + 1; i + 1 < r.to; i++) {
        bool ordered = is_of(p->w->orders, p, i + 1); /* "… and write that" */
        size_t before = content_of(p, (struct range){r.from, i});
        size_t behind = content_of(p, (struct range){i + 1, r.to}) + ordered;

        if (is_of(p->w->joins, p, i) && !opens_in(p, r, i - 1) &&
            before >= ITEM_WORDS && behind >= ITEM_WORDS && !is_pair(p, r, i) &&
            (ordered || is_content(p, i + 1)) && !is_name(p, i + 1))
            return i;
    }
    return r.to;
}

/* A list in brackets behind words of r that are no name of a function, with
 * which a clause ends: "the pump (its valve, its noise), …". Empty: none. */
static struct range list_in(const struct planner *p, struct range r)
{
    for (size_t i = r.from + 1, to; i < r.to; i = to + (to == i)) {
        size_t items = 0, open = p->within[i];

        for (to = i; to < r.to && open != 0 && p->within[to] == open; to++)
            items += to + 1 < r.to && p->within[to + 1] == open &&
                     has_between(p, to, ",;");
        if (items > 0 && p->within[i - 1] != open && open > 1 &&
            p->text[open - 2] == ' ' &&
            (to == r.to || has_between(p, to - 1, ",;:.") ||
             is_of(p->w->joins, p, to)))
            return (struct range){i, to};
    }
    return (struct range){r.to, r.to};
}

/* Behind the content of a list's last item: what is said of all of them. */
static struct range tail_of(const struct planner *p, struct range r)
{
    for (size_t i = r.from + 1; i + 1 < r.to; i++)
        if (content_of(p, (struct range){r.from, i}) > 0 &&
            (is_of(p->w->about, p, i) || is_of(p->w->asides, p, i)))
            return (struct range){i, r.to};
    return (struct range){0, 0};
}

/* "Which files, users and ports does it use": does something follow on the last
 * item, from `last` on, that all of the list is asked with? */
static bool is_inverted(const struct planner *p, struct range r, size_t last)
{
    if (!is_of(p->w->asks, p, r.from))
        return false;
    for (size_t i = last + 2; i < r.to; i++) {
        const struct term *t = &p->t[i];

        if (is_of(p->w->about, p, i) || is_of(p->w->asides, p, i))
            return false;
        if (is_content(p, i - 1) && !is_of(p->w->links, p, i) &&
            (p->w->helps == NULL
                 ? lang_is_stop(p->q->lang, t->text, t->len)
                 : is_of(p->w->helps, p, i) || is_of(p->w->clauses, p, i)))
            return true;
    }
    return false;
}

static bool has_commas(const struct planner *p, struct range r)
{
    for (size_t i = r.from; i + 1 < r.to; i++)
        if (is_parted(p, r, i))
            return true;
    return false;
}

/* "Which of them is best for a mix of this, that and those": a list that only
 * says of or for what, in a question? */
static bool is_adjunct(const struct planner *p, struct range r)
{
    if (!is_of(p->w->asks, p, r.from))
        return false;
    for (size_t i = r.from + 1; i + 1 < r.to; i++) {
        if (!is_parted(p, r, i))
            continue;
        while (i > r.from && is_content(p, i))
            i--;
        return i + 1 < r.to && content_of(p, (struct range){r.from, i}) > 0 &&
               (is_of(p->w->readers, p, i) || is_of(p->w->about, p, i));
    }
    return false;
}

/* One of a list; "and so on" is none, nor what has no word of its own. */
static void add_item(struct planner *p, struct range r, struct range tail)
{
    bool said = is_of(p->w->asks, p, r.from);

    r.from += r.from + 1 < r.to &&
              (is_of(p->w->learns, p, r.from) ||
               (is_of(p->w->links, p, r.from) &&
                !is_of(p->w->pronouns, p, r.from) && !is_said(p, r.from)));
    if (r.from + 2 < r.to && is_order(p, r.from) &&
        is_of(p->w->asides, p, r.from + 1)) /* "finish with" */
        r.from += 2;
    for (size_t i = r.from; i + 1 < r.to && !said; i++)
        if (has_between(p, i, ",") && is_tail(p, r, i + 1) &&
            !is_of(p->w->asks, p, i + 2))
            r.to = i + 1;
    for (size_t i = r.from; i < r.to; i++)
        said = said || is_said(p, i);
    if (said)
        add_with(&p->parts, r, tail);
}

/* The items of a list with commas; else the two halves of what "and" joins. */
static void add_items(struct planner *p, struct range r, bool listed)
{
    struct range list = list_in(p, r);
    struct range tail = {0, 0};
    size_t last = last_item(p, r), from = r.from;

    if (list.from < list.to) {
        add_items(p, (struct range){from, list.from}, listed);
        add_items(p, list, true);
        from = list.to + is_of(p->w->joins, p, list.to);
        if (from < r.to)
            add_items(p, (struct range){from, r.to}, listed);
        return;
    }
    if (last == r.to && !(listed && has_commas(p, r))) {
        last = listed && !is_of(p->w->asks, p, r.from) ? join_of(p, r)
                                                       : second_half(p, r);
        add(&p->parts, (struct range){from, last});
        add(&p->parts, (struct range){last + 1, r.to});
        return;
    }
    if (!listed && (is_inverted(p, r, last) || is_adjunct(p, r))) {
        add(&p->parts, r);
        return;
    }
    if (!listed)
        tail = tail_of(p, (struct range){last + 1, r.to});
    for (size_t i = r.from; i + 1 < r.to; i++)
        if (i + 1 == last || (is_parted(p, r, i) && !is_tail(p, r, i + 1))) {
            struct range one = {from, i + 1};
            bool own = tail_of(p, one).from > 0;

            add_item(p, one, own ? (struct range){0, 0} : tail);
            from = i + 1 + (i + 1 == last);
        }
    add_item(p, (struct range){from, r.to}, (struct range){0, 0});
}

static bool has_sides(const struct planner *p, struct range r)
{
    return p->sides_at.from < p->sides_at.to && p->sides_at.from >= r.from &&
           p->sides_at.to <= r.to;
}

/* "The difference between A, B and C": one part, where not all is compared. */
static bool is_compared(const struct planner *p, struct range r)
{
    struct comparison c;
    bool compares = false;

    for (size_t i = r.from; i < r.to; i++)
        compares = compares || is_of(p->w->compares, p, i);
    return compares && compare_find(p->q->lang, text_of(p, r), &c);
}

/* A situation, or where all is asked: no part. */
static void tell(struct planner *p, struct range r)
{
    p->told++;
    add(&p->topics, r);
}

/* Behind "In SQLAlchemy," of "In SQLAlchemy, what is …", behind "If not,", and
 * behind "By the book," where a question follows; or r.from. */
static size_t aside_end(const struct planner *p, struct range r)
{
    bool aside =
        is_of(p->w->asides, p, r.from) || is_of(p->w->clauses, p, r.from);
    size_t first = r.to;

    if (is_of(p->w->asks, p, r.from) || is_order(p, r.from) ||
        is_of(p->w->helps, p, r.from) || is_of(p->w->asks, p, r.from + 1))
        return r.from;
    for (size_t i = r.from; i + 1 < r.to; i++) {
        if (!is_parted(p, r, i))
            continue;
        first = i < first ? i : first;
        if ((is_of(p->w->asks, p, i + 1) || is_of(p->w->helps, p, i + 1) ||
             orders_to_ask(p, r, i + 1)) &&
            !has_sides(p, (struct range){r.from, i + 1}))
            return i + 1;
    }
    return aside && first < r.from + ASIDE_WORDS ? first + 1 : r.from;
}

/* "In what order", "with reasons": does it only say how to answer? A question
 * of its own is none. */
static bool is_manner(const struct planner *p, struct range r)
{
    size_t i = r.from;

    while (i < r.to && is_order(p, i))
        i++;
    if (is_of(p->w->asks, p, r.from))
        return false;
    for (; i < r.to; i++)
        if (is_said(p, i) && !is_of(p->w->manners, p, i) &&
            !is_of(p->w->forms, p, i) && !is_of(p->w->ones, p, i))
            return false;
    return true;
}

/* "A or B for this", "compare A and B there": are the sides all it asks? */
static bool is_choice(const struct planner *p, struct range r)
{
    bool choice = is_of(p->w->compares, p, r.from);

    if (!has_sides(p, r))
        return false;
    for (size_t i = p->sides_at.from; i < p->sides_at.to; i++)
        choice = choice || is_of(p->w->choices, p, i);
    for (size_t i = r.from + (choice && is_of(p->w->about, p, r.from + 1));
         i < r.to; i++)
        if (is_of(p->w->asks, p, i))
            return false;
    return choice;
}

/* A piece of a sentence of which begins_part found both ends; followed: by
 * another, so that commas in it part a list. */
static void add_piece(struct planner *p, struct range r, bool first,
                      bool listed, bool followed)
{
    bool ordered = (first && !listed) || orders_to_ask(p, r, r.from);
    struct range one = ordered ? without_order(p, r) : r;

    if (p->out->side_count > 0 && is_of(p->w->pronouns, p, one.from)) {
        one.from++; /* "compare them on": the sides */
        one.from +=
            is_of(p->w->about, p, one.from) || is_of(p->w->asides, p, one.from);
    }
    if (one.from >= one.to) {
        p->of_all = p->of_all || r.from < r.to;
    } else if (is_choice(p, r)) {
        add(&p->topics, one);
    } else if (is_manner(p, one)) {
        return;
    } else if ((first || listed) && !has_sides(p, one) &&
               !is_compared(p, one)) {
        add_items(p, one,
                  listed || (followed && has_commas(p, one) &&
                             !is_of(p->w->asks, p, one.from)));
    } else {
        add(&p->parts, one);
    }
}

/* What "and how", "and say" and the like join, and the last of a row of such:
 * "…, and its limits". */
static void add_joined(struct planner *p, struct range r, bool listed)
{
    size_t from = listed ? r.from : aside_end(p, r);
    bool row = false;

    if (content_of(p, (struct range){r.from, from}) > 0)
        tell(p, (struct range){r.from, from});
    r.from = from;
    for (size_t i = r.from; i <= r.to; i++) {
        bool joined = i < r.to && is_of(p->w->joins, p, i);
        bool last = row && joined && i + 1 < r.to && !is_within(p, i - 1) &&
                    has_between(p, i - 1, ",") &&
                    !has_commas(p, (struct range){from, i});

        if (i < r.to && !last && !begins_part(p, r, i))
            continue;
        add_piece(p, (struct range){from, i}, from == r.from, listed, i < r.to);
        row = true;
        from = i + joined;
        from += from < r.to && is_of(p->w->links, p, from) &&
                !is_of(p->w->pronouns, p, from);
    }
}

/* Does a list follow on what ends with the token i: behind a colon, or behind a
 * dash where what follows is one? */
static bool is_head(const struct planner *p, struct range r, size_t i)
{
    static const char *const dashes[] = {" - ", " \xE2\x80\x93 ",
                                         " \xE2\x80\x94 "};
    struct range rest = {i + 1, r.to};

    if (i + 1 >= p->n || is_within(p, i))
        return false;
    if (has_between(p, i, ":"))
        return true;
    for (size_t k = 0; k < sizeof(dashes) / sizeof(*dashes); k++)
        if (mem_find(p->text + p->t[i].end, term_gap(&p->t[i], &p->t[i + 1]),
                     dashes[k]) != NULL)
            return last_item(p, rest) < rest.to || is_of(p->w->asks, p, i + 1);
    return false;
}

/* Does a list of what is to be in a text begin at i: "…, including this and
 * that", "Cover this and that"? */
static bool is_covering(const struct planner *p, struct range r, size_t i)
{
    bool ordered = !is_of(p->w->asks, p, r.from);

    if (!is_of(p->w->covers, p, i) || i + 1 >= r.to || is_within(p, i))
        return false;
    if (i == r.from)
        return true;
    return is_order(p, i) ? is_parted(p, r, i - 1) && ordered
                          : is_parted(p, r, i - 1) || ordered;
}

/* What stands before the list that begins at i, and its items. */
static void add_covered(struct planner *p, struct range r, size_t i)
{
    struct range head = {r.from, i}, list = {i + 1, r.to};

    if (is_of(p->w->points, p, i - 1) && head.to > head.from)
        head.to--; /* "a plan that covers" */
    if (is_of(p->w->asides, p, list.from) || is_of(p->w->about, p, list.from))
        list.from++;
    if (is_of(p->w->asks, p, r.from)) {
        add_joined(p, head, false);
    } else if (head.from < head.to) {
        head = without_order(p, head);
        p->of_all = p->of_all || head.from >= head.to;
        add(&p->topics, head);
    }
    add_joined(p, list, true);
}

/* "Topic: this, that and those" or "A, B or C: which …". What only names a
 * text has no topic: "Briefing: …". */
static void add_asking(struct planner *p, struct range r, bool listed)
{
    struct range list = list_in(p, r);

    for (size_t i = r.from; i + 1 < r.to; i++) {
        struct range head = {r.from, i + 1}, rest = {i + 1, r.to};

        if (is_covering(p, r, i)) {
            add_covered(p, r, i);
            return;
        }
        /* What is asked of sides may stand in brackets behind them. */
        if (!is_head(p, r, i) &&
            (i + 1 != list.from || list.to != r.to || !has_sides(p, head)))
            continue;
        head = without_order(p, head);
        if (is_of(p->w->pronouns, p, head.from))
            p->told++; /* "It must be short:" */
        add(&p->topics, head);
        add_asking(p, rest, true);
        return;
    }
    add_joined(p, r, listed);
}

/* "Locks, rust, the colour of the paint, and smells.": parts, and nothing said
 * of them. */
static bool is_named_only(const struct planner *p, struct range r)
{
    size_t last = last_item(p, r), from = r.from, items = 1;

    for (size_t i = r.from; i + 1 < r.to; i++)
        items += is_parted(p, r, i);
    if ((last == r.to && items < ITEMS_LEAST) || !is_content(p, r.from))
        return false;
    for (size_t i = r.from; i < r.to; i++) {
        if (i + 1 < r.to && i + 1 != last && !is_parted(p, r, i))
            continue;
        if (i - from >= PART_WORDS)
            return false;
        from = i + 1;
    }
    return true;
}

/* Does a sentence ask (2), or wish for or list something (1)? */
static int asking_of(const struct planner *p, struct range r)
{
    size_t lead = lead_end(p, r);
    struct range rest = {lead, r.to};
    bool listed = false;

    if (lead > r.from || is_asking(p, r) || is_covering(p, r, r.from) ||
        without_form(p, r).from > r.from)
        return 2;
    for (size_t i = r.from; i + 1 < r.to; i++) {
        bool head = is_head(p, r, i);

        if ((head && is_of(p->w->asks, p, i + 1)) ||
            (is_parted(p, r, i) && orders_to_ask(p, r, i + 1)))
            return 2;
        listed = listed || head;
    }
    return listed || wish_end(p, rest.from, r.to) > rest.from;
}

/* asking: how much those do of which the parts are. */
static void add_sentence(struct planner *p, struct range r, int asking)
{
    bool asks = asking_of(p, r) == asking;

    while (r.to > r.from + 1 && is_of(p->w->polite, p, r.to - 1))
        r.to--;
    if (asks) {
        r.from = asking > 1 ? lead_end(p, r) : wish_end(p, r.from, r.to);
        add_asking(p, r, false);
    } else if (p->parts.n > 0 && is_named_only(p, r)) {
        add_joined(p, r, true);
    } else {
        tell(p, r);
    }
}

/* --- sides --------------------------------------------------------------- */

static void side_add(struct planner *p, struct range r)
{
    struct str s;

    while (r.from < r.to && is_of(p->w->articles, p, r.from))
        r.from++;
    while (r.to > r.from + 1 && is_of(p->w->kinds, p, r.to - 1))
        r.to--;
    s = text_of(p, r);
    if (p->out->side_count == PLAN_SIDES_MAX || s.n == 0)
        return;
    p->out->sides[p->out->side_count++] =
        arena_strndup(p->a, s.p, utf8_cut(s.p, s.n, PLAN_TITLE_MAX));
}

/* May the token be of a side? One with an article in front is, too. */
static bool is_side(const struct planner *p, size_t i, bool names)
{
    if (is_of(p->w->articles, p, i))
        return i + 1 < p->n && is_side(p, i + 1, names);
    return names ? is_name(p, i)
                 : is_content(p, i) && !is_of(p->w->picks, p, i);
}

static void no_sides(struct planner *p)
{
    p->out->side_count = 0;
    p->sides_at = (struct range){0, 0};
}

/* The sides around the word that joins at j, within r. */
static bool sides_around(struct planner *p, struct range r, size_t j,
                         bool names)
{
    size_t from = j, to = j + 1, start;
    bool parted = true;

    while (from > r.from && j - from < SIDE_WORDS * PLAN_SIDES_MAX &&
           (p->within[j] == 0 || p->within[from - 1] == p->within[j]) &&
           !has_between(p, from - 1, ":;.?")) {
        bool chooses = is_of(p->w->choices, p, from - 1);

        parted = parted || chooses || has_between(p, from - 1, ",");
        if (!chooses && (!is_side(p, from - 1, names) ||
                         (!parted && is_of(p->w->articles, p, from))))
            break;
        parted = chooses;
        from--;
    }
    while (from < j && is_of(p->w->choices, p, from))
        from++;
    while (to < r.to && is_side(p, to, names) && to - j <= SIDE_WORDS &&
           (p->within[j] == 0 || p->within[to] == p->within[j]) &&
           (to == j + 1 || !has_between(p, to - 1, ",:;.?")))
        to++;
    if (to == j + 1 && is_of(p->w->ones, p, to)) /* "or both" */
        to++;
    if (from == j || to == j + 1)
        return false;
    p->sides_at = (struct range){from, to};
    p->out->side_count = 0;
    start = from;
    for (size_t i = from; i < j; i++)
        if ((has_between(p, i, ",") &&
             (!is_within(p, i) || p->within[i] == p->within[j])) ||
            i + 1 == j || is_of(p->w->choices, p, i + 1)) {
            side_add(p, (struct range){start, i + 1});
            start = i + 1 + is_of(p->w->choices, p, i + 1);
        }
    if (!is_of(p->w->ones, p, j + 1))
        side_add(p, (struct range){j + 1, to});
    if (p->out->side_count < 2)
        no_sides(p);
    return p->out->side_count > 1;
}

/* "Should we use an A or a B": are they, whatever they are, what is picked? */
static bool sides_picked(struct planner *p, struct range r, size_t j)
{
    if (is_of(p->w->helps, p, aside_end(p, r)) &&
        sides_around(p, r, j, false) &&
        is_of(p->w->picks, p, p->sides_at.from - 1) &&
        p->sides_at.from > r.from)
        return true;
    no_sides(p);
    return false;
}

/* "locks, amber versus basalt, rust": is what is compared at i one of a list?
 */
static bool is_item(const struct planner *p, struct range r, size_t i)
{
    size_t from = i, to = i;

    while (from > r.from && !has_between(p, from - 1, ",;:"))
        from--;
    while (to + 1 < r.to && !has_between(p, to, ",;:"))
        to++;
    return is_of(p->w->compares, p, i) && from > r.from && to + 1 < r.to;
}

/* Do other things follow on the sides: "A or B, locks, rust"? */
static bool is_listed(const struct planner *p, struct range r)
{
    size_t to = p->sides_at.to;

    return to < r.to && has_between(p, to - 1, ",") &&
           !is_of(p->w->asks, p, to) && !is_of(p->w->helps, p, to);
}

/* "A versus B versus C", whatever they are. */
static bool sides_chained(struct planner *p, struct range r, size_t j)
{
    bool chained = is_of(p->w->compares, p, j) && sides_around(p, r, j, false);

    for (size_t i = p->sides_at.from; chained && i < j; i++)
        if (is_of(p->w->compares, p, i))
            return true;
    no_sides(p);
    return false;
}

/* "A or B" of names, of what is picked, or, at the beginning of r, of anything;
 * "A and B" where the words say that they are compared. */
static bool sides_in(struct planner *p, struct range r, bool compared)
{
    for (size_t j = r.from + 1; j + 1 < r.to; j++) {
        bool or = is_of(p->w->choices, p, j);

        if (!is_of(p->w->joins, p, j) || (! or &&!compared) ||
            (or &&is_of(p->w->choices, p, j + 2)) || is_item(p, r, j))
            continue;
        if (or &&j - r.from <= SIDE_WORDS && sides_around(p, r, j, false) &&
                   p->sides_at.from == r.from && !is_listed(p, r))
            return true;
        if ((or &&sides_chained(p, r, j)) || (or &&sides_picked(p, r, j)) ||
            sides_around(p, r, j, true))
            return true;
        no_sides(p);
    }
    return false;
}

/* Tokens of a view into the text. */
static struct range range_of(const struct planner *p, struct str s)
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

/* "compare" or "decide between": may sides begin at k? */
static bool leads_sides(const struct planner *p, struct range r, size_t k)
{
    return is_of(p->w->compares, p, k - 1) ||
           (k > r.from + 1 && is_of(p->w->compares, p, k - 2) &&
            is_of(p->w->kinds, p, k - 2) && !is_content(p, k - 1));
}

/* "Compare A and B …", whatever they are. */
static bool sides_behind(struct planner *p, struct range r)
{
    for (size_t k = r.from + 1; k + 2 < r.to; k++)
        for (size_t j = k + 1;
             leads_sides(p, r, k) && j + 1 < r.to && j - k <= SIDE_WORDS; j++)
            if (is_of(p->w->joins, p, j) && !is_item(p, r, j) &&
                sides_around(p, (struct range){k, r.to}, j, false) &&
                p->sides_at.from == k)
                return true;
    no_sides(p);
    return false;
}

/* What compare_find takes apart, where its members are short. */
static bool sides_compared(struct planner *p, struct range r)
{
    struct comparison c;
    struct range at = {p->n, 0};

    if (!compare_find(p->q->lang, text_of(p, r), &c))
        return false;
    for (size_t i = 0; i < c.count; i++) {
        struct range m = range_of(p, c.member[i]);

        if (m.from >= m.to || m.to - m.from > MEMBER_WORDS ||
            is_of(p->w->asks, p, m.from))
            return false;
        at.from = m.from < at.from ? m.from : at.from;
        at.to = m.to > at.to ? m.to : at.to;
    }
    for (size_t i = at.from; i < at.to; i++)
        if (is_of(p->w->choices, p, i) && is_item(p, r, i))
            return false;
    for (size_t i = 0; i < c.count; i++)
        side_add(p, range_of(p, c.member[i]));
    p->sides_at = at;
    return true;
}

static void find_sides(struct planner *p, struct range r)
{
    struct range first = r; /* what stands before another part of r */
    bool compared = false, choice = false;
    size_t colon = r.to;

    for (size_t i = r.from; i < r.to; i++) {
        compared = compared || is_of(p->w->compares, p, i);
        choice = choice || is_of(p->w->choices, p, i);
        if (first.to == r.to && begins_part(p, r, i))
            first.to = i;
        if (colon == r.to && has_between(p, i, ":"))
            colon = i + 1;
    }
    if (p->out->side_count > 0 || sides_in(p, r, compared) ||
        (compared && sides_behind(p, r)) ||
        sides_in(p, (struct range){colon, r.to}, false))
        return;
    if (compared || choice)
        (void)sides_compared(p, compared ? r : first);
}

/* --- subs ---------------------------------------------------------------- */

static const char *cut(struct planner *p, struct str s, size_t max)
{
    size_t most = utf8_cut(s.p, s.n, max), n = most;

    while (n > 0 && n < s.n && s.p[n] != ' ')
        n--;
    return arena_strndup(p->a, s.p, n == 0 ? most : n);
}

/* As much of it as a heading holds; of more, what stands before a comma. */
static const char *title_of(struct planner *p, struct str s)
{
    size_t n = utf8_cut(s.p, s.n, PLAN_TITLE_MAX), comma = n;

    while (n < s.n && comma > 0 && s.p[comma] != ',')
        comma--;
    return cut(p, (struct str){s.p, comma > n / 2 ? comma : s.n},
               PLAN_TITLE_MAX);
}

/* Without an article in front, which no heading needs. */
static const char *heading_of(struct planner *p, const char *z)
{
    const char *space = strchr(z, ' ');
    char *copy;

    if (space != NULL && (size_t)(space - z) < ARTICLE_MAX) {
        char first[ARTICLE_MAX + 1] = "";

        for (size_t i = 0; i < (size_t)(space - z); i++)
            first[i] = ascii_lower(z[i]);
        z = report_list_has(p->w->articles, first) && ascii_is_alnum(space[1])
                ? space + 1
                : z;
    }
    copy = arena_strdup(p->a, z);
    if (copy != NULL && copy[0] >= 'a' && copy[0] <= 'z')
        copy[0] = (char)(copy[0] - 32);
    return copy;
}

/* The part with one side in place of all. */
static const char *with_side(struct planner *p, struct range r, size_t side)
{
    struct str s = text_of(p, r);
    const char *name = p->out->sides[side];

    if (has_sides(p, r)) {
        struct str all = text_of(p, p->sides_at);
        int before = (int)(all.p - s.p);

        return arena_printf(p->a, "%.*s%s%.*s", before, s.p, name,
                            (int)(s.n - (size_t)before - all.n), all.p + all.n);
    }
    return arena_printf(p->a, "%s: %.*s", name, (int)s.n, s.p);
}

/* What the question is about, with one side of it. */
static const char *context_of(struct planner *p, size_t side)
{
    const char *z = "";

    for (size_t i = 0; i < p->topics.n && z != NULL; i++) {
        struct range r = p->topics.v[i];
        struct str s = text_of(p, r);

        if (side < p->out->side_count && has_sides(p, r)) {
            const char *own = with_side(p, r, side);

            s = str_of(own == NULL ? "" : own);
        }
        z = arena_printf(p->a, "%s%s%.*s", z, *z == '\0' ? "" : " ", (int)s.n,
                         s.p);
    }
    if (z == NULL || *z != '\0' || p->parts.n < 2)
        return z;
    /* Later parts say "it" for what the first one names. */
    if (side < p->out->side_count)
        return with_side(p, p->parts.v[0], side);
    z = cut(p, text_of(p, p->parts.v[0]), PLAN_TEXT_MAX);
    for (size_t i = p->parts.v[0].to; i < p->n && z != NULL; i++)
        if (is_name(p, i))
            z = arena_printf(p->a, "%s %.*s", z,
                             (int)(p->t[i].end - p->t[i].start),
                             p->text + p->t[i].start);
    return z;
}

static void sub_add(struct planner *p, const char *title, const char *question,
                    const char *context, size_t side)
{
    struct plan *out = p->out;

    if (out->count == PLAN_SUBS_MAX || title == NULL || question == NULL ||
        context == NULL)
        return;
    question = cut(p, str_of(question), PLAN_TEXT_MAX);
    out->subs[out->count++] =
        (struct plan_sub){question, context, title, side, question};
}

/* Does the part say "they" or "it", or end with "one"? */
static bool refers(const struct planner *p, struct range r)
{
    if (r.from < r.to && is_of(p->w->ones, p, r.to - 1))
        return true;
    for (size_t i = r.from; i < r.to; i++)
        if (is_of(p->w->pronouns, p, i))
            return true;
    return false;
}

/* … and, where the part says "they" or "it", what the one before it says. */
static const char *context_before(struct planner *p, struct range r,
                                  struct range before)
{
    const char *z = context_of(p, PLAN_SIDES_MAX);
    struct str s = text_of(p, before);

    return z != NULL && refers(p, r) && p->topics.n > 0 &&
                   before.from != p->topics.v[0].from
               ? arena_printf(p->a, "%s %.*s", z, (int)s.n, s.p)
               : z;
}

/* "When to choose which", "which methods are there": does it name nothing but
 * in its question's other words? */
static bool is_generic(const struct planner *p, struct range r)
{
    for (size_t i = r.from; i < r.to; i++)
        if (is_content(p, i) && !is_of(p->w->kinds, p, i) &&
            !is_of(p->w->forms, p, i) && !is_of(p->w->compares, p, i))
            return false;
    return true;
}

/* A part's own words, with what is said of all of its list; "": no memory. */
static const char *part_text(struct planner *p, size_t part)
{
    struct str s = view_trim_marks(text_of(p, p->parts.v[part]));
    struct range tail = p->parts.tail[part];
    struct str rest = tail.from < tail.to ? text_of(p, tail) : str_of("");
    const char *z = arena_printf(p->a, "%.*s%s%.*s", (int)s.n, s.p,
                                 rest.n > 0 ? " " : "", (int)rest.n, rest.p);

    return z == NULL ? "" : z;
}

/* A part of no side. What names nothing asks about what the first part does,
 * where that is not the overview's; "make it faster" about what the part before
 * it says; and what names little, where a situation is told, about that. */
static void alone_add(struct planner *p, size_t part, struct range before,
                      const char *title)
{
    struct range r = p->parts.v[part];
    const char *own = cut(p, str_of(part_text(p, part)), PLAN_TEXT_MAX);
    const char *z = own, *context = context_before(p, r, before);
    struct str named = text_of(p, before);
    size_t count = p->out->count, content = content_of(p, r);
    bool bare = p->told > 0 && content > 0 && content <= LITTLE &&
                r.to - r.from > LITTLE;

    if (z == NULL || context == NULL)
        return;
    if (*context != '\0' && p->topics.n == 0 && is_generic(p, r))
        z = arena_printf(p->a, "%s: %s", context, z);
    else if (refers(p, r) && before.from < before.to)
        z = arena_printf(p->a, "%s: %.*s", z, (int)named.n, named.p);
    else if (*context != '\0' && bare)
        z = arena_printf(p->a, "%s: %s", z, context);
    sub_add(p, title, z, context, PLAN_SIDES_MAX);
    if (p->out->count > count && content > 0)
        p->out->subs[count].own = own;
}

/* A part, of each side where sides are compared; before: the one before it that
 * says itself what it is about. */
static void part_add(struct planner *p, size_t part, struct range before,
                     size_t max)
{
    struct range r = p->parts.v[part];
    struct str s = view_trim_marks(text_of(p, r));
    struct plan *out = p->out;
    bool again = refers(p, r) && has_sides(p, before);
    bool asks = is_of(p->w->asks, p, r.from) || is_of(p->w->orders, p, r.from);
    struct str head = asks ? str_of(part_text(p, part)) : s;
    const char *title = heading_of(p, title_of(p, head));

    if (out->side_count == 0 || out->count + out->side_count > max) {
        if (out->count < max)
            alone_add(p, part, before, title);
        return;
    }
    for (size_t i = 0; i < out->side_count; i++) {
        const char *z = with_side(p, r, i);
        const char *named = again ? with_side(p, before, i) : NULL;
        size_t count = out->count;

        if (z != NULL && named != NULL)
            z = arena_printf(p->a, "%.*s: %s", (int)s.n, s.p, named);
        sub_add(p, title, z, context_of(p, i), i);
        if (out->count > count && again)
            out->subs[count].own = with_side(p, r, i);
    }
}

/* Does it say of its own what it is about? "How do you create one" does not. */
static bool names(const struct planner *p, struct range r)
{
    const char *light = question_words[p->q->lang].light;
    size_t n = 0;

    for (size_t i = r.from; i < r.to; i++)
        n += is_content(p, i) && !word_in(p->t[i].text, light);
    return n >= ITEM_WORDS;
}

/* The sides themselves, where the question has no part for each; asked of
 * each is what stands in r besides them. */
static void sides_add(struct planner *p, struct range r, size_t max)
{
    for (size_t i = 0; i < p->out->side_count && p->out->count < max; i++) {
        bool more = r.from < r.to && !has_sides(p, r);

        const char *own = has_sides(p, r) ? with_side(p, r, i) : "";
        const char *rest = context_of(p, i);

        sub_add(p, heading_of(p, p->out->sides[i]),
                more ? with_side(p, r, i) : p->out->sides[i],
                own == NULL || rest == NULL
                    ? NULL
                    : arena_printf(p->a, "%s %s", own, rest),
                i);
    }
}

/* --- the plan ------------------------------------------------------------ */

static bool asks_one_fact(const struct query *q)
{
    return q->type == ANSWER_PERSON || q->type == ANSWER_DATE ||
           q->type == ANSWER_PLACE || q->type == ANSWER_NUMBER ||
           q->type == ANSWER_YESNO;
}

/* Which tokens stand in brackets, those that close counted only; brackets
 * within others are the outer one's. */
static void read_brackets(struct planner *p)
{
    size_t depth = 0, open = 0, i = 0, k;

    memset(p->within, 0, TOKENS_MAX * sizeof(*p->within));
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

static enum err read_tokens(struct planner *p)
{
    struct term_iter it;

    p->t = arena_array(p->a, TOKENS_MAX, sizeof(*p->t));
    p->within = arena_array(p->a, TOKENS_MAX, sizeof(*p->within));
    if (p->t == NULL || p->within == NULL)
        return ERR_NOMEM;
    terms_init_with(&it, p->q->stem, p->text, strlen(p->text));
    while (p->n < TOKENS_MAX && tokens_next(&it, &p->t[p->n]))
        p->n++;
    read_brackets(p);
    return ERR_OK;
}

static enum err read_sentences(struct planner *p)
{
    struct span *s = NULL;
    size_t n = 0;
    int asking = 0;
    enum err e = sentences_split(p->text, strlen(p->text), p->a, &s, &n);

    for (int pass = 0; e == ERR_OK && pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            struct range r =
                range_of(p, (struct str){p->text + s[i].start, s[i].len});

            if (r.from >= r.to)
                continue;
            if (pass == 0) {
                int of = asking_of(p, r);

                asking = of > asking ? of : asking;
                find_sides(p, r);
            } else {
                add_sentence(p, r, asking);
            }
        }
    return e;
}

/* The one part of the question, or nothing it could be taken apart into. */
static void plan_whole(struct planner *p, size_t max)
{
    struct range all = p->parts.n > 0 ? p->parts.v[0] : (struct range){0, p->n};
    const char *whole = cut(p, str_of(p->text), PLAN_TEXT_MAX);
    bool fact = asks_one_fact(p->q);

    p->out->mode = fact ? MODE_ANSWER : MODE_INVESTIGATE;
    if (p->out->side_count == 0) {
        sub_add(p, "",
                p->n == 0 || fact ? whole
                                  : cut(p, text_of(p, all), PLAN_TEXT_MAX),
                context_of(p, PLAN_SIDES_MAX), PLAN_SIDES_MAX);
        return;
    }
    p->out->mode = MODE_RESEARCH;
    sides_add(p, all, max);
    if (p->out->count < max)
        sub_add(p, phrase(p->q->lang, PHRASE_COMPARED), whole, "",
                PLAN_SIDES_MAX);
}

/* "SQLite's WAL mode: what is it, …": is the first part about the topic itself?
 */
static bool asks_of_topic(const struct planner *p)
{
    return refers(p, p->parts.v[0]) && content_of(p, p->parts.v[0]) == 0;
}

static void plan_parts(struct planner *p, size_t max)
{
    bool sides = p->out->side_count > 0;
    struct range before =
        p->topics.n > 0 && !sides ? p->topics.v[0] : (struct range){0, 0};

    p->out->mode = MODE_RESEARCH;
    if (p->topics.n > (p->of_all ? 0 : p->told) && !sides && !asks_of_topic(p))
        sub_add(p, "", context_of(p, PLAN_SIDES_MAX), "", PLAN_SIDES_MAX);
    else if (p->topics.n > 0 && sides &&
             (p->parts.n + 1) * p->out->side_count <= max)
        sides_add(p, (struct range){0, 0}, max);
    for (size_t i = 0; i < p->parts.n; i++) {
        if (!has_sides(p, p->parts.v[i]) ||
            content_of(p, p->parts.v[i]) > content_of(p, p->sides_at))
            part_add(p, i, before, max);
        if ((i == 0 && before.from == before.to) ||
            (!refers(p, p->parts.v[i]) && names(p, p->parts.v[i])))
            before = p->parts.v[i];
    }
}

/* Are sides to choose from a topic of their own, and is what is asked besides
 * more than which of them to choose? */
static bool has_choice(const struct planner *p)
{
    for (size_t i = p->parts.v[0].from; i < p->parts.v[0].to; i++)
        if (is_of(p->w->picks, p, i) || is_of(p->w->compares, p, i))
            return false;
    for (size_t i = 0; i < p->topics.n; i++)
        if (has_sides(p, p->topics.v[i]))
            return true;
    return false;
}

enum err plan_make(const struct query *q, enum research_mode mode, size_t max,
                   struct arena *a, struct plan *out)
{
    struct planner *p = arena_alloc(a, sizeof(*p));
    enum err e;

    if (p == NULL)
        return ERR_NOMEM;
    memset(out, 0, sizeof(*out));
    *p = (struct planner){.q = q,
                          .w = report_words_of(q->lang),
                          .a = a,
                          .text = q->text,
                          .out = out};
    max = max == 0 ? 1 : max > PLAN_SUBS_MAX ? PLAN_SUBS_MAX : max;
    e = read_tokens(p);
    if (e == ERR_OK)
        e = read_sentences(p);
    if (e != ERR_OK)
        return e;
    if (p->parts.n > 1 || (p->parts.n == 1 && has_choice(p)))
        plan_parts(p, max);
    else
        plan_whole(p, max);
    if (mode != MODE_AUTO)
        out->mode = mode;
    return arena_failed(a) || out->count == 0 ? ERR_NOMEM : ERR_OK;
}
