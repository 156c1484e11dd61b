/*
 * Sub-questions by rules; see plan.h. Works on views into one folded copy of
 * the question; a draft list collects sub-questions with a rank, of which the
 * best are kept in the order they were found.
 */
#include "research/plan.h"

#include "research/parts.h"
#include "question/compare.h"
#include "text/terms.h"

#include <string.h>

enum { DRAFTS_MAX = 64, ASPECT_BYTES_MAX = 60 };

struct draft {
    const char *question, *title, *topic;
    int rank;  /* smaller survives */
    bool lead; /* the question itself */
};

struct drafts {
    struct arena *a;
    struct draft v[DRAFTS_MAX];
    size_t n;
};

static const char *const general_headings[] = {"introduction",
                                               "overview",
                                               "contents",
                                               "table of contents",
                                               "references",
                                               "see also",
                                               "notes",
                                               "summary",
                                               "abstract",
                                               "conclusion",
                                               "background",
                                               "further reading",
                                               "external links",
                                               "navigation",
                                               "comments",
                                               "about",
                                               "home",
                                               "index",
                                               "search",
                                               "description",
                                               NULL};

static const char *capitalized(struct arena *a, const char *z)
{
    char *copy = arena_strdup(a, z);

    if (copy != NULL && copy[0] >= 'a' && copy[0] <= 'z')
        copy[0] = (char)(copy[0] - 32);
    return copy;
}

/* A view as a string of at most max bytes. */
static const char *cut(struct arena *a, struct str s, size_t max)
{
    return arena_strndup(a, s.p, utf8_cut(s.p, s.n, max));
}

/* --- drafts ------------------------------------------------------------ */

static bool have_question(const struct drafts *d, const char *question)
{
    for (size_t i = 0; i < d->n; i++)
        if (ascii_casecmp(d->v[i].question, question) == 0)
            return true;
    return false;
}

static void add_draft(struct drafts *d, int rank, const char *topic,
                      const char *title, const char *question)
{
    struct draft *x;

    if (topic == NULL || title == NULL || question == NULL ||
        d->n == DRAFTS_MAX || have_question(d, question))
        return;
    x = &d->v[d->n++];
    x->question = cut(d->a, str_of(question), PLAN_TEXT_MAX);
    x->title = capitalized(d->a, cut(d->a, str_of(title), PLAN_TITLE_MAX));
    x->topic = topic;
    x->rank = rank;
    x->lead = false;
    if (x->question == NULL || x->title == NULL)
        d->n--;
}

static void add_whole(struct drafts *d, struct str part, bool lead)
{
    struct str s = parts_as_question(d->a, part);
    const char *text = cut(d->a, s, PLAN_TEXT_MAX);

    add_draft(d, 0, "", text, text);
    if (d->n > 0)
        d->v[d->n - 1].lead = lead;
}

/* --- kinds of parts ---------------------------------------------------- */

/* "A, B and C". */
static const char *member_list(struct arena *a, const struct comparison *c,
                               const char *last)
{
    const char *z = arena_strndup(a, c->member[0].p, c->member[0].n);

    for (size_t i = 1; i < c->count && z != NULL; i++)
        z = arena_printf(a, "%s%s%.*s", z, i + 1 < c->count ? ", " : last,
                         (int)c->member[i].n, c->member[i].p);
    return z;
}

static void add_member_drafts(struct drafts *d, const struct comparison *c,
                              const char *tail)
{
    for (size_t i = 0; i < c->count; i++) {
        const char *m = cut(d->a, c->member[i], PLAN_TITLE_MAX);

        add_draft(d, 0, m, m, arena_printf(d->a, "What is %s%s?", m, tail));
    }
}

static void add_merit_drafts(struct drafts *d, const struct comparison *c,
                             const char *tail)
{
    static const char words[] = "advantages and disadvantages of";

    for (size_t i = 0; i < c->count; i++) {
        const char *m = cut(d->a, c->member[i], PLAN_TITLE_MAX);

        add_draft(d, 3, m, arena_printf(d->a, "%s %s", words, m),
                  arena_printf(d->a, "What are the %s %s%s?", words, m, tail));
    }
}

static const char title_when[] = "When to use which";

/* Members × aspects, in reading order; ranks decide what a small budget
 * keeps. The question behind "when" does not begin with it, or it would be
 * taken to ask for a date. */
static void add_comparison(struct drafts *d, const struct comparison *c)
{
    const char *tail =
        c->context.n == 0
            ? ""
            : arena_printf(d->a, " %.*s", (int)c->context.n, c->context.p);
    const char *both = member_list(d->a, c, " and ");
    const char *either = member_list(d->a, c, " or ");

    if (tail == NULL || both == NULL || either == NULL)
        return;
    add_member_drafts(d, c, tail);
    add_draft(d, 1, both, "Differences",
              arena_printf(d->a, "What are the differences between %s%s?", both,
                           tail));
    add_merit_drafts(d, c, tail);
    add_draft(d, 4, both, "Performance",
              arena_printf(d->a, "How fast are %s%s?", both, tail));
    add_draft(
        d, 5, both, "Limits",
        arena_printf(d->a, "What are the limitations of %s%s?", both, tail));
    add_draft(d, 2, both, title_when,
              arena_printf(d->a, "Should %s be used%s?", either, tail));
}

static void add_enumeration(struct drafts *d, const struct enumeration *e)
{
    bool apart = e->after.n > 0 && ascii_is_alnum((unsigned char)e->after.p[0]);

    for (size_t i = 0; i < e->items.n; i++) {
        const char *item = cut(d->a, e->items.v[i], PLAN_TITLE_MAX);
        const char *z =
            arena_printf(d->a, "%.*s%s%s%s%.*s", (int)e->before.n, e->before.p,
                         e->before.n > 0 ? " " : "", item, apart ? " " : "",
                         (int)e->after.n, e->after.p);
        struct str s;

        if (z == NULL)
            return;
        s = parts_as_question(d->a, str_of(z));
        add_draft(d, 0, item, item, cut(d->a, s, PLAN_TEXT_MAX));
    }
}

/* Does the list hold a part that asks when to use which? */
static bool asks_when(const struct parts *parts)
{
    for (size_t i = 0; i < parts->n; i++)
        if (view_starts(parts->v[i], "when") > 0)
            return true;
    return false;
}

static void drop_when_draft(struct drafts *d)
{
    for (size_t i = 0; i < d->n; i++)
        if (strcmp(d->v[i].title, title_when) == 0) {
            memmove(&d->v[i], &d->v[i + 1], (d->n - i - 1) * sizeof d->v[0]);
            d->n--;
            return;
        }
}

/* *subject: what the pronouns of later parts mean. */
static void add_part(struct drafts *d, const struct parts *parts, size_t i,
                     const char **subject)
{
    struct comparison c;
    struct enumeration e;
    struct str part = parts->v[i];

    if (i > 0)
        part = parts_resolve(d->a, part, *subject);
    if (compare_find(part, &c)) {
        add_comparison(d, &c);
        if (asks_when(parts))
            drop_when_draft(d);
        if (i == 0)
            *subject = member_list(d->a, &c, " or ");
    } else if (parts_enumeration(part, &e)) {
        add_enumeration(d, &e);
    } else {
        add_whole(d, part, parts->n == 1);
    }
    if (*subject == NULL)
        *subject = "";
}

/* --- the plan ---------------------------------------------------------- */

static bool asks_one_fact(const struct query *q)
{
    return q->type == ANSWER_PERSON || q->type == ANSWER_DATE ||
           q->type == ANSWER_PLACE || q->type == ANSWER_NUMBER ||
           q->type == ANSWER_YESNO;
}

static enum research_mode choose_mode(const struct query *q,
                                      enum research_mode mode, size_t drafts)
{
    if (mode != MODE_AUTO)
        return mode;
    if (drafts > 1)
        return MODE_RESEARCH;
    return asks_one_fact(q) ? MODE_ANSWER : MODE_INVESTIGATE;
}

/* A definition goes before a single open question. */
static void add_definition(struct drafts *d, const struct query *q,
                           const char *subject)
{
    struct draft asked = d->v[0];

    if (*subject == '\0' || q->type == ANSWER_DEFINITION)
        return;
    d->n = 0;
    add_draft(d, 1, subject, subject,
              arena_printf(d->a, "What is %s?", subject));
    if (d->n == 1 && ascii_casecmp(d->v[0].question, asked.question) == 0)
        d->n = 0;
    d->v[d->n++] = asked;
}

/* How many drafts survive before draft i does? */
static size_t drafts_before(const struct drafts *d, size_t i)
{
    size_t before = 0;

    for (size_t j = 0; j < d->n; j++)
        before += d->v[j].rank < d->v[i].rank ||
                  (d->v[j].rank == d->v[i].rank && j < i);
    return before;
}

/* The best max drafts by rank, in the order they were added. */
static void take_best(const struct drafts *d, size_t max, struct plan *out)
{
    size_t n = 0;

    out->lead = PLAN_SUBS_MAX;
    for (size_t i = 0; i < d->n; i++) {
        if (drafts_before(d, i) >= max)
            continue;
        if (d->v[i].lead)
            out->lead = n;
        out->subs[n].question = d->v[i].question;
        out->subs[n].topic = d->v[i].topic;
        out->subs[n++].title = d->v[i].title;
    }
    out->count = n;
    if (out->lead == PLAN_SUBS_MAX)
        out->lead = n;
}

/* One line, single blanks. */
static struct str folded(struct arena *a, const char *text)
{
    size_t n = strlen(text), k = 0;
    char *z = arena_alloc(a, n + 1);
    struct str s = {z, 0};

    if (z == NULL)
        return str_of("");
    for (size_t i = 0; i < n; i++) {
        bool space = ascii_is_space((unsigned char)text[i]);

        if (space && (k == 0 || z[k - 1] == ' '))
            continue;
        z[k++] = space ? ' ' : text[i];
    }
    s.n = k;
    return str_trim(s);
}

enum err plan_make(const struct query *q, enum research_mode mode, size_t max,
                   struct arena *a, struct plan *out)
{
    struct drafts *d = arena_alloc(a, sizeof *d);
    struct str text = folded(a, q->text), subject;
    struct parts parts = {.n = 0};
    const char *meant;
    enum err e;

    if (d == NULL)
        return ERR_NOMEM;
    memset(out, 0, sizeof *out);
    d->a = a;
    e = parts_split(text, a, &parts);
    if (e != ERR_OK)
        return e;
    subject = parts_subject(parts.n > 0 ? parts.v[0] : text);
    meant = cut(a, subject, PLAN_TITLE_MAX);
    out->subject = meant == NULL ? "" : meant;
    for (size_t i = 0; i < parts.n; i++)
        add_part(d, &parts, i, &meant);
    if (d->n == 0)
        add_whole(d, text, true);
    if (arena_failed(a) || d->n == 0)
        return ERR_NOMEM;
    out->mode = choose_mode(q, mode, d->n);
    out->open = d->n == 1 && out->mode != MODE_ANSWER;
    if (out->open)
        add_definition(d, q, out->subject);
    if (max > PLAN_SUBS_MAX)
        max = PLAN_SUBS_MAX;
    if (out->mode == MODE_ANSWER && max > 3)
        max = 3;
    take_best(d, max == 0 ? 1 : max, out);
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}

/* --- aspects ----------------------------------------------------------- */

/* The last component of a heading path without its number. */
static struct str heading_tail(const char *heading)
{
    struct str s = str_of(heading);
    size_t at = view_find_last(s, " > ");

    if (at < s.n)
        s = view_from(s, at + 3);
    while (s.n > 0 && strchr("0123456789.() ", s.p[0]) != NULL)
        s = view_from(s, 1);
    return view_trim_marks(s);
}

/* Does the heading say something the known words do not? */
static bool says_more(struct str heading, const struct query *q,
                      const struct plan *plan)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, heading.p, heading.n);
    while (terms_next(&it, &t)) {
        bool known = term_is_stop(t.text, t.len);

        for (size_t i = 0; i < q->term_count && !known; i++)
            known = strcmp(q->terms[i].text, t.text) == 0;
        for (size_t i = 0; i < plan->count && !known; i++)
            known = mem_find_i(plan->subs[i].title, strlen(plan->subs[i].title),
                               t.text) != NULL;
        if (!known)
            return true;
    }
    return false;
}

enum err plan_add_aspects(struct plan *plan, const struct query *q,
                          const char *const *headings, size_t count, size_t max,
                          struct arena *a)
{
    if (max > PLAN_SUBS_MAX)
        max = PLAN_SUBS_MAX;
    for (size_t i = 0; i < count && plan->count < max; i++) {
        struct str s = heading_tail(headings[i]);
        const char *title;

        if (s.n < 3 || s.n > ASPECT_BYTES_MAX ||
            !ascii_is_alpha((unsigned char)s.p[0]) ||
            view_is_one_of(s, general_headings) || !says_more(s, q, plan))
            continue;
        title = arena_strndup(a, s.p, s.n);
        if (title == NULL)
            return ERR_NOMEM;
        if (plan->lead == plan->count)
            plan->lead++;
        plan->subs[plan->count].title = capitalized(a, title);
        plan->subs[plan->count].topic = plan->subject;
        plan->subs[plan->count++].question =
            *plan->subject == '\0'
                ? title
                : arena_printf(a, "%s: %s", plan->subject, title);
    }
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}
