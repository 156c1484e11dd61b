/* Comparisons recognised; see compare.h. */
#include "question/compare.h"

#include <string.h>

enum { MEMBER_WORDS_MAX = 8, BARE_WORDS_MAX = 3, CONTEXT_BYTES_MAX = 60 };

static const char *const compare_leads[] = {
    "compare and contrast",
    "compare",
    "a comparison of",
    "comparison of",
    "comparison between",
    "what is the difference between",
    "what's the difference between",
    "what are the differences between",
    "what are the main differences between",
    "what are the key differences between",
    "what is the main difference"
    " between",
    "the difference between",
    "the differences between",
    "difference between",
    "differences between",
    "difference of",
    "pros and cons of",
    "what are the pros and cons of",
    "which is better",
    "what is better",
    "what's better",
    "which is faster",
    "should i use",
    "should we use",
    "should i choose",
    "should we choose",
    "should i take",
    "should we take",
    "should i pick",
    "should we pick",
    "explain the difference between",
    "explain the differences between",
    "describe the difference between",
    "describe the differences between",
    "contrast",
    "summarize the difference between",
    "summarize the differences between",
    "summarise the difference between",
    "summarise the differences between",
    "list the differences between",
    "what distinguishes",
    "what separates",
    "what sets",
    NULL};

/* In front of two members that words of picking part. */
static const char *const pick_leads[] = {"when should i use",
                                         "when should we use",
                                         "when do i use",
                                         "when to use",
                                         "why would i choose",
                                         "why would i use",
                                         "why should i use",
                                         "why should i choose",
                                         "why would anyone use",
                                         "why choose",
                                         "why use",
                                         "why would one use",
                                         "should i use",
                                         "should i choose",
                                         "should we use",
                                         "should we choose",
                                         NULL};
static const char *const picks[] = {
    " instead of ", " rather than ", " and when to use ",
    " and when ",   " over ",        NULL};

/* Between two members, wherever they stand. */
static const char *const versus[] = {" versus ",
                                     " vs. ",
                                     " vs ",
                                     " compared to ",
                                     " compared with ",
                                     " as opposed to ",
                                     " in comparison to ",
                                     " differ from ",
                                     " differs from ",
                                     " compare to ",
                                     " compare with ",
                                     " different from ",
                                     " better than ",
                                     NULL};

/* Between two members behind a lead, the surest first. */
static const char *const joiners[] = {" apart from ", " from ", " with ",
                                      " against ",    " to ",   " and ",
                                      " or ",         NULL};

/* Where the circumstances begin behind the last member. */
static const char *const context_words[] = {" in ",
                                            " for ",
                                            " on ",
                                            " when ",
                                            " regarding ",
                                            " under ",
                                            " concerning ",
                                            " with respect to ",
                                            " with regard to ",
                                            " at ",
                                            " within ",
                                            NULL};

static size_t find_first_of(struct str s, const char *const *needles,
                            const char **which)
{
    size_t best = s.n;

    for (; *needles != NULL; needles++) {
        size_t i = view_find(s, *needles);

        if (i < best) {
            best = i;
            *which = *needles;
        }
    }
    return best;
}

/* Cut what follows the last member, and leading small words, off. */
static void take_context(struct comparison *c)
{
    struct str *last = &c->member[c->count - 1];
    const char *which = NULL;
    size_t i = find_first_of(*last, context_words, &which);

    if (i == last->n || i == 0)
        return;
    if (c->context.n == 0)
        c->context = view_trim_marks(view_from(*last, i));
    last->n = i;
}

static void trim_member(struct str *m)
{
    static const char *const small[] = {
        "the", "a",    "an", "using", "between",    "either", "is",
        "are", "does", "do", "how",   "what about", "both",   NULL};
    size_t n;

    *m = view_trim_marks(str_trim(*m));
    while (m->n > 0 && strchr(":,", m->p[0]) != NULL)
        *m = view_from(*m, 1);
    while ((n = view_starts_any(*m, small)) > 0 && n < m->n)
        *m = view_from(*m, n);
}

static void add_member(struct comparison *c, struct str m)
{
    if (c->count < COMPARE_MEMBERS_MAX && str_trim(m).n > 0)
        c->member[c->count++] = m;
}

/* "A, B and C" or "A and B" into members. */
static void split_members(struct comparison *c, struct str s)
{
    size_t comma = view_find(s, ", "), at = s.n;

    while (comma < s.n && c->count + 2 < COMPARE_MEMBERS_MAX) {
        add_member(c, view_of(s.p, comma));
        s = view_from(s, comma + 1);
        comma = view_find(s, ", ");
    }
    if (c->count > 0) {
        size_t n = view_starts(s, "and");

        n = n > 0 ? n : view_starts(s, "or");
        if (n > 0) {
            add_member(c, view_from(s, n));
            return;
        }
    }
    for (size_t i = 0; joiners[i] != NULL; i++) {
        at = view_find_last(s, joiners[i]);
        if (at < s.n) {
            add_member(c, view_of(s.p, at));
            add_member(c, view_from(s, at + strlen(joiners[i])));
            return;
        }
    }
    add_member(c, s);
}

static void split_versus(struct comparison *c, struct str s, size_t at,
                         size_t len)
{
    struct str right = view_from(s, at + len);
    const char *next = NULL;
    size_t again = find_first_of(right, versus, &next);

    add_member(c, view_of(s.p, at));
    if (again < right.n) {
        add_member(c, view_of(right.p, again));
        right = view_from(right, again + strlen(next));
    }
    add_member(c, right);
}

/* "In SQLite, …": the circumstances in front. */
static struct str take_leading_context(struct str *s)
{
    static const char *const words[] = {"in", "for", "on", "with", NULL};
    struct str context = {s->p, 0};
    size_t comma = view_find(*s, ", ");

    if (view_starts_any(*s, words) == 0 || comma == s->n ||
        comma > CONTEXT_BYTES_MAX)
        return context;
    context = view_of(s->p, comma);
    *s = view_from(*s, comma + 1);
    return context;
}

/* " faster than ", " more reliable than " in a question that begins with a
 * verb: where it begins, its length in *n; s.n: not there. */
static size_t find_than(struct str s, size_t *n)
{
    static const char *const verbs[] = {"is", "are", "was", "were", NULL};
    static const char *const degrees[] = {" more ", " less ", NULL};
    size_t than = view_find(s, " than "), at = than, more;
    const char *which = NULL;

    if (than == s.n || view_starts_any(s, verbs) == 0)
        return s.n;
    while (at > 0 && s.p[at - 1] != ' ')
        at--;
    more = find_first_of((struct str){s.p, than}, degrees, &which);
    if (more < than)
        at = more + 1;
    else if (than < at + 3 || memcmp(s.p + than - 2, "er", 2) != 0)
        return s.n;
    if (at == 0)
        return s.n;
    *n = than + strlen(" than ") - (at - 1);
    return at - 1;
}

/* "How do A and B differ": the words around the members. */
static size_t how_lead(struct str *s)
{
    static const char *const leads[] = {"how do",
                                        "how does",
                                        "how are",
                                        "how is",
                                        "in what way do",
                                        "in what ways do",
                                        "in what way are",
                                        "explain how",
                                        "describe how",
                                        "can you explain how",
                                        "could you explain how",
                                        NULL};
    static const char *const ends[] = {" differ", " compare", " different",
                                       NULL};
    size_t n = view_starts_any(*s, leads);

    if (n == 0)
        return 0;
    for (size_t i = 0; ends[i] != NULL; i++) {
        size_t at = view_find_last(*s, ends[i]);

        if (at < s->n && at + strlen(ends[i]) == s->n) {
            s->n = at;
            return n;
        }
    }
    return 0;
}

/* The first clause of *s, which is left with what comes behind it. */
static struct str take_clause(struct str *s)
{
    static const char *const parting[] = {": ",  "? ",  "; ", " - ",
                                          " – ", " — ", NULL};
    static const char *const begins[] = {", where ", ", what ",  ", which ",
                                         ", when ",  ", how ",   ", is ",
                                         ", are ",   ", differ", NULL};
    const char *which = "", *comma = "";
    size_t end = find_first_of(*s, parting, &which);
    size_t at = find_first_of(*s, begins, &comma);
    struct str first;

    if (at < end) {
        end = at;
        which = ",";
    }
    first = view_of(s->p, end);
    *s = view_from(*s, end + strlen(which));
    return first;
}

/* What joins the members of a clause: "or" where something is asked, "and"
 * where it is how they differ. NULL: nothing does. */
static const char *joiner_of(struct str clause, bool asks, bool differ)
{
    if (asks && view_find(clause, " or ") < clause.n)
        return " or ";
    if (differ && view_find(clause, " and ") < clause.n)
        return " and ";
    return view_find(clause, " against ") < clause.n ? " against " : NULL;
}

/* "A or B?", "A, B or C: what is safe?", "A against B", "A and B - how do they
 * differ": members that stand there by themselves. A sentence is none of it,
 * nor is "No such file or directory". */
static void find_bare(struct comparison *c, struct str s, bool asks)
{
    static const char *const sentences[] = {
        "what", "which", "who",   "whose", "how",    "why",   "when", "where",
        "is",   "are",   "was",   "were",  "do",     "does",  "did",  "can",
        "will", "could", "would", "may",   "should", "must",  "have", "has",
        "i",    "we",    "my",    "no",    "not",    "there", "if",   NULL};
    static const char *const differs[] = {"differ", "apart", "mix", NULL};
    const char *which = NULL, *joiner;
    struct str clause = take_clause(&s);
    bool differ = find_first_of(s, differs, &which) < s.n;

    joiner = joiner_of(clause, asks || s.n > 0, differ);
    if (joiner == NULL && !differ && s.n > 0) {
        clause = take_clause(&s);
        joiner = joiner_of(clause, asks || s.n > 0, differ);
    }
    if ((joiner == NULL && !differ) || view_starts_any(clause, sentences) > 0)
        return;
    if (joiner != NULL) {
        size_t at = view_find_last(clause, joiner);

        s = view_from(clause, at + strlen(joiner));
        clause = view_of(clause.p, at);
    }
    while (clause.n > 0) {
        size_t comma = view_find(clause, ", ");

        add_member(c, view_of(clause.p, comma));
        clause = view_from(clause, comma + 1);
    }
    if (joiner != NULL)
        add_member(c, s);
}

/* Are there two members or more, each of words enough and not of too many? */
static bool members_trim(struct comparison *c, size_t most)
{
    if (c->count < 2)
        return false;
    take_context(c);
    for (size_t i = 0; i < c->count; i++) {
        trim_member(&c->member[i]);
        if (c->member[i].n == 0 || view_words(c->member[i]) > most)
            return false;
    }
    return true;
}

/* Is s a comparison? Fills *c with two members or more. */
bool compare_find(struct str s, struct comparison *c)
{
    const char *word = NULL;
    size_t lead, at, len = 0, most = MEMBER_WORDS_MAX;
    struct str picked;
    bool asks;

    memset(c, 0, sizeof *c);
    asks = view_find(s, "?") < s.n;
    s = view_trim_marks(s);
    c->context = take_leading_context(&s);
    lead = view_starts_any(s, pick_leads);
    picked = view_from(s, lead);
    at = find_first_of(picked, picks, &word);
    if (lead > 0 && at > 0 && at < picked.n) {
        split_versus(c, picked, at, strlen(word));
        return members_trim(c, most);
    }
    word = NULL;
    lead = view_starts_any(s, compare_leads);
    if (lead == 0)
        lead = how_lead(&s);
    if (lead > 0)
        s = view_from(s, lead);
    at = find_first_of(s, versus, &word);
    if (word != NULL)
        len = strlen(word);
    else if (lead == 0)
        at = find_than(s, &len);
    if (at > 0 && at < s.n)
        split_versus(c, s, at, len);
    else if (lead > 0)
        split_members(c, s);
    else if (at == s.n) {
        find_bare(c, s, asks);
        most = BARE_WORDS_MAX;
    }
    return members_trim(c, most);
}
