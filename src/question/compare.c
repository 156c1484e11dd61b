/* Comparisons recognised; see compare.h. */
#include "question/compare.h"

#include "lang/words.h"

#include <string.h>

enum { MEMBER_WORDS_MAX = 8, BARE_WORDS_MAX = 3, CONTEXT_BYTES_MAX = 60 };

static size_t find_first_of(struct str s, const char *const *needles,
                            const char **which)
{
    size_t best = s.n;

    for (; needles != NULL && *needles != NULL; needles++) {
        size_t i = view_find(s, *needles);

        if (i < best) {
            best = i;
            *which = *needles;
        }
    }
    return best;
}

/* Cut what follows the last member, and leading small words, off. */
static void take_context(const struct compare_words *w, struct comparison *c)
{
    struct str *last = &c->member[c->count - 1];
    const char *which = NULL;
    size_t i = find_first_of(*last, w->places, &which);

    if (i == last->n || i == 0)
        return;
    if (c->context.n == 0)
        c->context = view_trim_marks(view_from(*last, i));
    last->n = i;
}

static void trim_member(const struct compare_words *w, struct str *m)
{
    size_t n;

    *m = view_trim_marks(str_trim(*m));
    while (m->n > 0 && strchr(":,", m->p[0]) != NULL)
        *m = view_from(*m, 1);
    while ((n = view_starts_any(*m, w->small)) > 0 && n < m->n)
        *m = view_from(*m, n);
}

static void add_member(struct comparison *c, struct str m)
{
    if (c->count < COMPARE_MEMBERS_MAX && str_trim(m).n > 0)
        c->member[c->count++] = m;
}

/* "A, B and C" or "A and B" into members. */
static void split_members(const struct compare_words *w, struct comparison *c,
                          struct str s)
{
    size_t comma = view_find(s, ", "), at = s.n;

    while (comma < s.n && c->count + 2 < COMPARE_MEMBERS_MAX) {
        add_member(c, view_of(s.p, comma));
        s = view_from(s, comma + 1);
        comma = view_find(s, ", ");
    }
    if (c->count > 0) {
        struct str behind = {s.p - 1, s.n + 1}; /* the blank behind a comma */
        size_t n = view_starts_any(behind, w->and);

        n = n > 0 ? n : view_starts_any(behind, w->or);
        if (n > 0) {
            add_member(c, view_from(behind, n));
            return;
        }
    }
    for (const char *const *j = w->joins; j != NULL && *j != NULL; j++) {
        at = view_find_last(s, *j);
        if (at < s.n) {
            add_member(c, view_of(s.p, at));
            add_member(c, view_from(s, at + strlen(*j)));
            return;
        }
    }
    add_member(c, s);
}

static void split_versus(const struct compare_words *w, struct comparison *c,
                         struct str s, size_t at, size_t len)
{
    struct str right = view_from(s, at + len);
    const char *next = NULL;
    size_t again = find_first_of(right, w->versus, &next);

    add_member(c, view_of(s.p, at));
    if (again < right.n) {
        add_member(c, view_of(right.p, again));
        right = view_from(right, again + strlen(next));
    }
    add_member(c, right);
}

/* "In SQLite, …": the circumstances in front. */
static struct str take_leading_context(const struct compare_words *w,
                                       struct str *s)
{
    struct str context = {s->p, 0};
    size_t comma = view_find(*s, ", ");

    if (view_starts_any(*s, w->fronts) == 0 || comma == s->n ||
        comma > CONTEXT_BYTES_MAX)
        return context;
    context = view_of(s->p, comma);
    *s = view_from(*s, comma + 1);
    return context;
}

/* " faster than ", " more reliable than " in a question that begins with a
 * verb: where it begins, its length in *n; s.n: not there. */
static size_t find_than(const struct compare_words *w, struct str s, size_t *n)
{
    const char *which = NULL, *degree;
    size_t than = find_first_of(s, w->than, &which), at = than, more;

    if (than == s.n || view_starts_any(s, w->verbs) == 0)
        return s.n;
    while (at > 0 && s.p[at - 1] != ' ')
        at--;
    more = find_first_of((struct str){s.p, than}, w->degrees, &degree);
    if (more < than)
        at = more + 1;
    else if (than < at + 3 || memcmp(s.p + than - 2, "er", 2) != 0)
        return s.n;
    if (at == 0)
        return s.n;
    *n = than + strlen(which) - (at - 1);
    return at - 1;
}

/* "How do A and B differ", "how do A and B compare in this": the words around
 * the members; where, is the context. */
static size_t how_lead(const struct compare_words *w, struct str *s,
                       struct str *context)
{
    size_t n = view_starts_any(*s, w->how);

    if (n == 0)
        return 0;
    for (const char *const *end = w->ends; *end != NULL; end++) {
        size_t at = view_find_last(*s, *end);
        struct str rest = {s->p + at, s->n - at};

        if (at == s->n)
            continue;
        rest.p += strlen(*end);
        rest.n -= strlen(*end);
        if (rest.n > 0 && view_starts_any(rest, w->places) == 0)
            continue;
        if (context->n == 0)
            *context = view_trim_marks(rest);
        s->n = at;
        return n;
    }
    return 0;
}

/* The first clause of *s, which is left with what comes behind it. */
static struct str take_clause(const struct compare_words *w, struct str *s)
{
    static const char *const parting[] = {": ",  "? ",  "; ", " - ",
                                          " – ", " — ", NULL};
    const char *which = "", *comma = "";
    size_t end = find_first_of(*s, parting, &which);
    size_t at = find_first_of(*s, w->begins, &comma);
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
static const char *joiner_of(const struct compare_words *w, struct str clause,
                             bool asks, bool differ)
{
    const char *found = NULL;

    if (asks && find_first_of(clause, w->or, &found) < clause.n)
        return found;
    if (differ && find_first_of(clause, w->and, &found) < clause.n)
        return found;
    find_first_of(clause, w->against, &found);
    return found;
}

/* "A or B?", "A, B or C: what is safe?", "A against B", "A and B - how do they
 * differ": members that stand there by themselves. A sentence is none of it,
 * nor is "No such file or directory". */
static void find_bare(const struct compare_words *w, struct comparison *c,
                      struct str s, bool asks)
{
    const char *which = NULL, *joiner;
    struct str clause = take_clause(w, &s);
    bool differ = find_first_of(s, w->differs, &which) < s.n;

    joiner = joiner_of(w, clause, asks || s.n > 0, differ);
    if (joiner == NULL && !differ && s.n > 0) {
        clause = take_clause(w, &s);
        joiner = joiner_of(w, clause, asks || s.n > 0, differ);
    }
    if ((joiner == NULL && !differ) ||
        view_starts_any(clause, w->sentences) > 0)
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

static bool is_plural(struct str s)
{
    return s.n > 3 && s.p[s.n - 1] == 's' && s.p[s.n - 2] != 's';
}

/* "The F, G and H retry rules": what stands behind the last of three members or
 * more, of which the others are single words, is said of all of them; not in
 * "exim, postfix and Microsoft Exchange" or "cats, dogs and guinea pigs". */
static void share_tail(struct comparison *c)
{
    struct str *last = &c->member[c->count - 1];
    size_t n = view_find(*last, " ");

    for (size_t i = 0; i + 1 < c->count; i++)
        if (view_words(c->member[i]) != 1 || is_plural(c->member[i]))
            return;
    for (size_t i = n; i < last->n; i++)
        if (last->p[i] >= 'A' && last->p[i] <= 'Z')
            return;
    if (c->count < 3 || n == last->n || !is_plural(*last) ||
        (c->context.n > 0 && c->context.p < last->p))
        return;
    c->context = (struct str){
        last->p + n + 1,
        (c->context.n > 0 ? (size_t)(c->context.p - last->p) + c->context.n
                          : last->n) -
            n - 1};
    last->n = n;
}

/* Are there two members or more, each of words enough and not of too many? */
static bool members_trim(const struct compare_words *w, struct comparison *c,
                         size_t most)
{
    if (c->count < 2)
        return false;
    take_context(w, c);
    for (size_t i = 0; i < c->count; i++) {
        trim_member(w, &c->member[i]);
        if (c->member[i].n == 0 || view_words(c->member[i]) > most)
            return false;
    }
    share_tail(c);
    return true;
}

/* Behind "difference between" in whatever words: "Is there a …", "I do not
 * understand the …". What is to show or count it is asked for otherwise: 0. */
static size_t between_lead(const struct compare_words *w, struct str *s)
{
    const char *which = NULL;
    size_t at = find_first_of(*s, w->between, &which);
    struct str front = {s->p, at}, sentence;

    if (at == s->n)
        return 0;
    for (size_t i = 0; i < front.n; i++)
        if ((i == 0 || front.p[i - 1] == ' ') &&
            view_starts_any(view_from(front, i), w->showing) > 0)
            return 0;
    at += strlen(which);
    sentence = view_from(*s, at);
    s->n = (size_t)(sentence.p - s->p) + view_find(sentence, ". ");
    return at;
}

bool compare_find(enum lang l, struct str s, struct comparison *c)
{
    const struct compare_words *w = &compare_words[l];
    const char *word = NULL;
    size_t lead, at, len = 0, most = MEMBER_WORDS_MAX;
    struct str picked;
    bool asks;

    memset(c, 0, sizeof *c);
    if (w->leads == NULL)
        return false;
    asks = view_find(s, "?") < s.n;
    s = view_trim_marks(s);
    c->context = take_leading_context(w, &s);
    lead = view_starts_any(s, w->picking);
    picked = view_from(s, lead);
    at = find_first_of(picked, w->picks, &word);
    c->picks = lead > 0 && at > 0 && at < picked.n;
    if (c->picks) {
        split_versus(w, c, picked, at, strlen(word));
        return members_trim(w, c, most);
    }
    word = NULL;
    lead = view_starts_any(s, w->leads);
    lead = lead > 0 ? lead : how_lead(w, &s, &c->context);
    lead = lead > 0 ? lead : between_lead(w, &s);
    if (lead > 0)
        s = view_from(s, lead);
    at = find_first_of(s, w->versus, &word);
    if (word != NULL)
        len = strlen(word);
    else if (lead == 0)
        at = find_than(w, s, &len);
    if (at > 0 && at < s.n)
        split_versus(w, c, s, at, len);
    else if (lead > 0)
        split_members(w, c, s);
    else if (at == s.n) {
        find_bare(w, c, s, asks);
        most = BARE_WORDS_MAX;
    }
    return members_trim(w, c, most);
}
