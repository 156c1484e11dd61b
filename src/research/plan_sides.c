/* Sides; see plan_sides.h. */
#include "research/plan_sides.h"

#include "base/str.h"
#include "question/compare.h"
#include "research/plan_parts.h"

enum {
    SIDE_WORDS = 4, /* of a side that is a name */
    MEMBER_WORDS = 6
};

static void side_add(struct planner *p, struct range r)
{
    struct str s;

    while (r.from < r.to && plan_is(p->w->articles, p, r.from))
        r.from++;
    while (r.to > r.from + 1 && plan_is(p->w->kinds, p, r.to - 1))
        r.to--;
    s = plan_text_of(p, r);
    if (p->out->side_count == PLAN_SIDES_MAX || s.n == 0)
        return;
    p->out->sides[p->out->side_count++] =
        arena_strndup(p->a, s.p, utf8_cut(s.p, s.n, PLAN_TITLE_MAX));
}

/* May the token be of a side? One with an article in front is, too. */
static bool is_side(const struct planner *p, size_t i, bool names)
{
    if (plan_is(p->w->articles, p, i))
        return i + 1 < p->n && is_side(p, i + 1, names);
    return names ? plan_is_name(p, i)
                 : plan_is_content(p, i) && !plan_is(p->w->picks, p, i);
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
           !plan_has_between(p, from - 1, ":;.?")) {
        bool chooses = plan_is(p->w->choices, p, from - 1);

        parted = parted || chooses || plan_has_between(p, from - 1, ",");
        if (!chooses && (!is_side(p, from - 1, names) ||
                         (!parted && plan_is(p->w->articles, p, from))))
            break;
        parted = chooses;
        from--;
    }
    while (from < j && plan_is(p->w->choices, p, from))
        from++;
    while (to < r.to && is_side(p, to, names) && to - j <= SIDE_WORDS &&
           (p->within[j] == 0 || p->within[to] == p->within[j]) &&
           (to == j + 1 || !plan_has_between(p, to - 1, ",:;.?")))
        to++;
    if (to == j + 1 && plan_is(p->w->ones, p, to)) /* "or both" */
        to++;
    if (from == j || to == j + 1 ||
        p->within[from] != p->within[j]) /* "(old) or new" */
        return false;
    p->sides_at = (struct range){from, to};
    p->out->side_count = 0;
    start = from;
    for (size_t i = from; i < j; i++)
        if ((plan_has_between(p, i, ",") &&
             (!plan_is_within(p, i) || p->within[i] == p->within[j])) ||
            i + 1 == j || plan_is(p->w->choices, p, i + 1)) {
            side_add(p, (struct range){start, i + 1});
            start = i + 1 + plan_is(p->w->choices, p, i + 1);
        }
    if (!plan_is(p->w->ones, p, j + 1))
        side_add(p, (struct range){j + 1, to});
    if (p->out->side_count < 2)
        no_sides(p);
    return p->out->side_count > 1;
}

/* "Should we use an A or a B": are they, whatever they are, what is picked? */
static bool sides_picked(struct planner *p, struct range r, size_t j)
{
    if (plan_is(p->w->helps, p, plan_aside_end(p, r)) &&
        sides_around(p, r, j, false) &&
        plan_is(p->w->picks, p, p->sides_at.from - 1) &&
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

    while (from > r.from && !plan_has_between(p, from - 1, ",;:"))
        from--;
    while (to + 1 < r.to && !plan_has_between(p, to, ",;:"))
        to++;
    return plan_is(p->w->compares, p, i) && to + 1 < r.to &&
           (from > r.from ||
            (r.from > 0 && plan_has_between(p, r.from - 1, ":") &&
             !plan_is(p->w->asks, p, to + 1)));
}

/* Do other things follow on the sides: "A or B, locks, rust"? */
static bool is_listed(const struct planner *p, struct range r)
{
    size_t to = p->sides_at.to;

    return to < r.to && plan_has_between(p, to - 1, ",") &&
           !plan_is(p->w->asks, p, to) && !plan_is(p->w->helps, p, to);
}

/* "A versus B versus C", whatever they are. */
static bool sides_chained(struct planner *p, struct range r, size_t j)
{
    bool chained =
        plan_is(p->w->compares, p, j) && sides_around(p, r, j, false);

    for (size_t i = p->sides_at.from; chained && i < j; i++)
        if (plan_is(p->w->compares, p, i))
            return true;
    no_sides(p);
    return false;
}

/* "A or the other B or C": is what stands at j not the last that parts sides?
 */
static bool is_followed(const struct planner *p, struct range r, size_t j)
{
    for (size_t k = j + 1; k + 1 < r.to && k <= j + SIDE_WORDS; k++) {
        if (!is_side(p, k, false) || plan_has_between(p, k, ",:;.?"))
            return false;
        if (plan_is(p->w->choices, p, k + 1))
            return true;
    }
    return false;
}

/* "Targets such as A or B": are the sides only examples of something? */
static bool are_examples(const struct planner *p, struct range r)
{
    size_t from = p->sides_at.from;

    return from > r.from + 1 && plan_is(p->w->asides, p, from - 1) &&
           plan_is(p->w->examples, p, from - 2);
}

/* "A or B" of names, of what is picked, or, at the beginning of r, of anything;
 * "A and B" where the words say that they are compared. */
static bool sides_in(struct planner *p, struct range r, bool compared)
{
    for (size_t j = r.from + 1; j + 1 < r.to; j++) {
        bool or = plan_is(p->w->choices, p, j);

        if (!plan_is(p->w->joins, p, j) || (! or &&!compared) ||
            (or &&is_followed(p, r, j)) || is_item(p, r, j))
            continue;
        if (or &&j - r.from <= SIDE_WORDS && sides_around(p, r, j, false) &&
                   p->sides_at.from == r.from && !is_listed(p, r))
            return true;
        if (((or &&sides_chained(p, r, j)) || (or &&sides_picked(p, r, j)) ||
             sides_around(p, r, j, true)) &&
            (compared || !are_examples(p, r)))
            return true;
        no_sides(p);
    }
    return false;
}

/* "compare" or "decide between", not "choice of": may sides begin at k? */
static bool leads_sides(const struct planner *p, struct range r, size_t k)
{
    return (plan_is(p->w->compares, p, k - 1) &&
            !plan_is(p->w->forms, p, k - 1) &&
            !plan_is(p->w->choices, p, k - 1)) ||
           (k > r.from + 1 && plan_is(p->w->compares, p, k - 2) &&
            plan_is(p->w->kinds, p, k - 2) && !plan_is_content(p, k - 1) &&
            !plan_is(p->w->about, p, k - 1));
}

/* "Compare A with B": does what is compared stand on both sides of j? Not in
 * "how do I compare A with a tool". */
static bool is_against(const struct planner *p, struct range r, size_t k,
                       size_t j)
{
    if (!plan_is(p->w->against, p, j) || j == k ||
        !plan_is(p->w->orders, p, k - 1) || plan_is(p->w->asks, p, r.from))
        return false;
    for (size_t i = k; i < j; i++)
        if (plan_is(p->w->joins, p, i) || plan_has_between(p, i, ",:;.?"))
            return false;
    return plan_is_content(p, j + 1) || plan_is(p->w->articles, p, j + 1);
}

/* "…, C and D in this": what goes on with sides that have ended, an "and"
 * before the last, up to where or on what they are compared; at the end only a
 * name, not "… and justify". */
static void sides_go_on(struct planner *p, struct range r)
{
    struct range more[PLAN_SIDES_MAX];
    size_t n = 0, to = p->sides_at.to;
    bool joined = false;

    while (n < PLAN_SIDES_MAX && to < r.to &&
           (plan_is(p->w->joins, p, to) || plan_has_between(p, to - 1, ","))) {
        size_t from;

        joined = plan_is(p->w->joins, p, to);
        from = to + joined;

        for (to = from; to < r.to && to - from < SIDE_WORDS &&
                        is_side(p, to, false) &&
                        (to == from || !plan_has_between(p, to - 1, ",:;.?"));)
            to++;
        if (to == from)
            return;
        more[n++] = (struct range){from, to};
    }
    if (!joined || (to >= r.to ? !plan_is_name(p, more[n - 1].from)
                               : !plan_is(p->w->regards, p, to)))
        return;
    for (size_t i = 0; i < n; i++)
        side_add(p, more[i]);
    p->sides_at.to = to;
}

/* "Compare A and B …", whatever they are; against: "compare A with B". */
static bool sides_behind(struct planner *p, struct range r, bool against)
{
    for (size_t k = r.from + 1; k + 2 < r.to; k++) {
        size_t side = k; /* where the one that j ends begins */

        for (size_t j = k + 1; leads_sides(p, r, k) && j + 1 < r.to; j++) {
            if (plan_has_between(p, j - 1, ","))
                side = j;
            if (j - side > SIDE_WORDS)
                break;
            if ((against ? is_against(p, r, k, j)
                         : plan_is(p->w->joins, p, j)) &&
                !is_item(p, r, j) &&
                sides_around(p, (struct range){k, r.to}, j, false) &&
                p->sides_at.from == k) {
                if (against)
                    sides_go_on(p, r);
                return true;
            }
        }
    }
    no_sides(p);
    return false;
}

/* May the token be what is done, and nothing that only joins or asks? */
static bool is_deed(const struct planner *p, size_t i)
{
    return !plan_is(p->w->helps, p, i) && !plan_is(p->w->asides, p, i) &&
           !plan_is(p->w->about, p, i) && !plan_is(p->w->denies, p, i) &&
           !plan_is(p->w->clauses, p, i) && !plan_is(p->w->asks, p, i) &&
           !plan_is(p->w->articles, p, i) && !plan_is(p->w->pronouns, p, i);
}

/* "Should we stay with A or go to B": what one thing or another would be done
 * with, A being a name. */
static bool sides_done(struct planner *p, struct range r)
{
    size_t first = plan_aside_end(p, r), from, at, to;

    if (!plan_is(p->w->helps, p, first) ||
        !plan_is(p->w->persons, p, first + 1))
        return false;
    for (size_t j = first + 3; j + 2 < r.to; j++) {
        if (!plan_is(p->w->choices, p, j) || !plan_is_name(p, j - 1) ||
            plan_is_name(p, j + 1) || !is_deed(p, j + 1) ||
            plan_has_between(p, j, ",:;.?"))
            continue;
        for (from = j; from > first + 2 && plan_is_name(p, from - 1);)
            from--;
        for (at = j + 2; at + 1 < r.to && at <= j + SIDE_WORDS; at++)
            if (plan_is(p->w->about, p, at) || plan_is(p->w->asides, p, at) ||
                plan_has_between(p, at - 1, ",:;.?"))
                break;
        at = at + 1 < r.to && (plan_is(p->w->about, p, at) ||
                               plan_is(p->w->asides, p, at))
                 ? at + 1
                 : j + 2;
        for (to = at; to < r.to && to - at < SIDE_WORDS &&
                      is_side(p, to, false) &&
                      (to == at || !plan_has_between(p, to - 1, ",:;.?"));)
            to++;
        if (to == at)
            continue;
        side_add(p, (struct range){from, j});
        side_add(p, (struct range){at, to});
        p->sides_at = (struct range){from, to};
        if (p->out->side_count > 1)
            return true;
        no_sides(p);
    }
    return false;
}

/* What compare_find takes apart, where its members are short. */
static bool sides_compared(struct planner *p, struct range r)
{
    struct comparison c;
    struct range at = {p->n, 0};

    if (!compare_find(p->q->lang, plan_text_of(p, r), &c))
        return false;
    for (size_t i = 0; i < c.count; i++) {
        struct range m = plan_range_of(p, c.member[i]);

        if (m.from >= m.to || m.to - m.from > MEMBER_WORDS ||
            plan_is(p->w->asks, p, m.from) ||
            plan_is(p->w->pronouns, p, m.from))
            return false;
        for (size_t k = m.from; k + 1 < m.to; k++)
            if (plan_has_between(p, k, ":")) /* "A, B: cost, limits" */
                return false;
        at.from = m.from < at.from ? m.from : at.from;
        at.to = m.to > at.to ? m.to : at.to;
    }
    for (size_t i = at.from > r.from ? at.from - 1 : at.from; i < at.to; i++)
        if (plan_is(p->w->choices, p, i) && is_item(p, r, i))
            return false;
    for (size_t i = 0; i < c.count; i++)
        side_add(p, plan_range_of(p, c.member[i]));
    p->sides_at = at;
    if (p->out->side_count < 2)
        no_sides(p);
    return p->out->side_count > 1;
}

void plan_sides_find(struct planner *p, struct range r)
{
    struct range first = r; /* what stands before another part of r */
    bool compared = false, choice = false;
    size_t colon = r.to;

    for (size_t i = r.from; i < r.to; i++) {
        compared = compared || plan_is(p->w->compares, p, i);
        choice = choice || plan_is(p->w->choices, p, i);
        if (first.to == r.to && plan_begins_part(p, r, i))
            first.to = i;
        if (colon == r.to && plan_has_between(p, i, ":"))
            colon = i + 1;
    }
    if (p->out->side_count > 0 || (compared && sides_behind(p, r, true)) ||
        sides_in(p, r, compared) || (compared && sides_behind(p, r, false)) ||
        sides_in(p, (struct range){colon, r.to}, false) ||
        (choice && sides_done(p, r)))
        return;
    if (compared || choice)
        (void)sides_compared(p, compared ? r : first);
}
