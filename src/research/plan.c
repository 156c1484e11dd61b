/*
 * The plan, out of a request's parts and sides; see plan.h.
 */
#include "research/plan.h"

#include "base/str.h"
#include "question/overlap.h"
#include "question/parts.h"
#include "research/plan_parts.h"
#include "research/plan_sides.h"
#include "text/passage.h"

#include <string.h>

enum {
    ITEM_WORDS = 2, /* content words of what says itself what it is about */
    LITTLE = 2,     /* … of a part that asks about "it" */
    WISH_WORDS = 8, /* of a sentence that only says what to skip */
    ARTICLE_MAX = 4
};

static const char *cut(struct planner *p, struct str s, size_t max)
{
    size_t most = utf8_cut(s.p, s.n, max), n = most;

    while (n > 0 && n < s.n && s.p[n] != ' ')
        n--;
    return arena_strndup(p->a, s.p, n == 0 ? most : n);
}

/* Does the word only join what is behind it to what is before? */
static bool is_joint(const struct planner *p, const char *word)
{
    const char *const lists[] = {p->w->joins,   p->w->asks,  p->w->asides,
                                 p->w->readers, p->w->about, p->w->clauses};

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        if (report_list_has(lists[i], word))
            return true;
    return false;
}

/* Of what is longer than a heading, how much of the first n bytes is a whole:
 * what stands before a mark or, without one, before a word that joins; never
 * less than half. */
static size_t whole_of(const struct planner *p, const char *z, size_t n)
{
    struct token_run words;

    for (size_t i = n; i > n / 2; i--)
        if ((strchr(",;:", z[i]) != NULL && z[i + 1] == ' ') || z[i] == '(' ||
            strncmp(z + i, " - ", 3) == 0)
            return str_trim((struct str){z, i}).n;
    token_run_read(&words, z, n, TOKEN_RUN_MAX);
    for (size_t i = words.n; i > 1 && words.t[i - 1].start > n / 2; i--)
        if (is_joint(p, words.t[i - 1].text) &&
            !is_joint(p, words.t[i - 2].text))
            return words.t[i - 2].end;
    return n;
}

/* As much of it as a heading holds. */
static const char *title_of(struct planner *p, struct str s)
{
    size_t n = utf8_cut(s.p, s.n, PLAN_TITLE_MAX);

    return cut(p, n < s.n ? (struct str){s.p, whole_of(p, s.p, n)} : s,
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
    /* Not "gRPC". */
    if (copy != NULL && copy[0] >= 'a' && copy[0] <= 'z' &&
        !(copy[1] >= 'A' && copy[1] <= 'Z'))
        copy[0] = (char)(copy[0] - 32);
    return copy;
}

/* The part with one side in place of all. */
static const char *with_side(struct planner *p, struct range r, size_t side)
{
    struct str s = plan_text_of(p, r);
    const char *name = p->out->sides[side];

    if (plan_has_sides(p, r)) {
        struct str all = plan_text_of(p, p->sides_at);
        int before = (int)(all.p - s.p);

        return arena_printf(p->a, "%.*s%s%.*s", before, s.p, name,
                            (int)(s.n - (size_t)before - all.n), all.p + all.n);
    }
    return arena_printf(p->a, "%s: %.*s", name, (int)s.n, s.p);
}

/* A number says nothing by itself: "3 mills", but "Debian 12". */
static bool is_count(const struct planner *p, size_t i)
{
    const char *z = p->t[i].text;

    return z[strspn(z, "0123456789")] == '\0' &&
           (i == 0 || p->t[i].start != p->t[i - 1].end + 1 ||
            !plan_is_name(p, i - 1));
}

/* Is it a name that says something elsewhere, too: not what only begins a
 * sentence, nor a number of things? */
static bool is_proper(const struct planner *p, size_t i)
{
    return plan_is_name(p, i) && !sentence_begins(p->text, p->t[i].start) &&
           !is_count(p, i);
}

/* The names in the range, each where it stands first in the request, behind z;
 * NULL: no memory. */
static const char *names_add(struct planner *p, const char *z, struct range r)
{
    for (size_t i = r.from; i < r.to && z != NULL; i++) {
        const struct term *t = &p->t[i];
        size_t k = 0;

        while (k < i && (strcmp(p->t[k].text, t->text) != 0 || !is_proper(p, k)))
            k++;
        if (k == i && is_proper(p, i))
            z = arena_printf(p->a, "%s%s%.*s", z, *z == '\0' ? "" : " ",
                             (int)(t->end - t->start), p->text + t->start);
    }
    return z;
}

static bool has_name(const struct planner *p, struct range r)
{
    for (size_t i = r.from; i < r.to; i++)
        if (plan_is_name(p, i))
            return true;
    return false;
}

/* The topic that what is ordered names itself, whatever is told beside it: "a
 * briefing on locks and gates: …"; empty: none. */
static struct range topic_named(const struct planner *p)
{
    for (size_t i = 0; i < p->topics.n && p->named.from < p->named.to; i++) {
        struct range r = p->topics.v[i];

        if (p->topics.tail[i].from >= p->topics.tail[i].to &&
            r.from <= p->named.from && p->named.to <= r.to &&
            (plan_content_of(p, r) >= ITEM_WORDS || has_name(p, r)))
            return r;
    }
    return (struct range){0, 0};
}

/* The names in what is told. */
static const char *names_told(struct planner *p)
{
    const char *z = "";

    for (size_t i = 0; i < p->topics.n; i++)
        z = names_add(p, z, p->topics.tail[i]);
    return z;
}

/* What the question is about, with one side of it. */
static const char *context_of(struct planner *p, size_t side)
{
    struct range named = topic_named(p);
    const char *z = named.from < named.to ? names_told(p) : "";

    for (size_t i = 0; i < p->topics.n && z != NULL; i++) {
        struct range r = p->topics.v[i];
        struct str s = plan_text_of(p, r);

        if (named.from < named.to &&
            p->topics.tail[i].from < p->topics.tail[i].to)
            continue;
        if (side < p->out->side_count && plan_has_sides(p, r)) {
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
    z = cut(p, plan_text_of(p, p->parts.v[0]), PLAN_TEXT_MAX);
    for (size_t i = p->parts.v[0].to; i < p->n && z != NULL; i++)
        if (plan_is_name(p, i))
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
    if (r.from < r.to && plan_is(p->w->ones, p, r.to - 1))
        return true;
    for (size_t i = r.from; i < r.to; i++)
        if (plan_is(p->w->pronouns, p, i))
            return true;
    return false;
}

/* … and, where the part says "they" or "it", what the one before it says. */
static const char *context_before(struct planner *p, struct range r,
                                  struct range before)
{
    const char *z = context_of(p, PLAN_SIDES_MAX);
    struct str s = plan_text_of(p, before);
    struct range named = topic_named(p);

    if (z == NULL || !refers(p, r) || p->topics.n == 0 ||
        before.from == p->topics.v[0].from ||
        (named.from < named.to && before.from == named.from))
        return z;
    return arena_printf(p->a, "%s %.*s", z, (int)s.n, s.p);
}

/* "When to choose which", "which methods are there": does it name nothing but
 * in its question's other words? */
static bool is_generic(const struct planner *p, struct range r)
{
    for (size_t i = r.from; i < r.to; i++)
        if (plan_is_content(p, i) && !plan_is(p->w->kinds, p, i) &&
            !plan_is(p->w->forms, p, i) && !plan_is(p->w->compares, p, i))
            return false;
    return true;
}

/* How many tokens say more than that something is asked. */
static size_t telling_of(const struct planner *p, struct range r)
{
    const char *light = question_words[p->q->lang].light;
    size_t n = 0;

    for (size_t i = r.from; i < r.to; i++)
        n += plan_is_content(p, i) && !word_in(p->t[i].text, light) &&
             !plan_is(p->w->kinds, p, i) && !plan_is(p->w->happens, p, i) &&
             !plan_is(p->w->vague, p, i);
    return n;
}

/* Does what is told name something, and the part nothing: "We use Postfix. What
 * is to be checked?" */
static bool is_named_ahead(const struct planner *p, struct range r)
{
    struct str z = plan_text_of(p, r);

    return p->q->names != 0 &&
           (overlap_mask(p->q, z.p, z.n) & p->q->names) == 0;
}

/* "What is going on?", "how is it mended?", "find the bad ones", of a situation
 * that is told: does it name nothing but what any such question does, or little
 * of what "it" is, of a kind or where the situation has names? */
static bool is_bare(const struct planner *p, struct range r, size_t little)
{
    size_t most = refers(p, r) ? LITTLE : 0;

    for (size_t i = r.from; i < r.to; i++)
        most = plan_is(p->w->kinds, p, i) ? LITTLE : most;
    return p->told > 0 &&
           (telling_of(p, r) <= most ||
            (is_named_ahead(p, r) && plan_content_of(p, r) <= little &&
             r.to - r.from > little));
}

/* A part's own words, with what is said of all of its list; "": no memory. */
static const char *part_text(struct planner *p, size_t part)
{
    struct str s = view_trim_marks(plan_text_of(p, p->parts.v[part]));
    struct range tail = p->parts.tail[part];
    struct str rest = tail.from < tail.to ? plan_text_of(p, tail) : str_of("");
    const char *z = arena_printf(p->a, "%.*s%s%.*s", (int)s.n, s.p,
                                 rest.n > 0 ? " " : "", (int)rest.n, rest.p);

    return z == NULL ? "" : z;
}

/* A part of no side. What names nothing asks about what the first part does,
 * where that is not the overview's; "make it faster" about what the part before
 * it says; and what names little, where a situation is told, about that. Each
 * of several things that are told is asked with the names alone. */
static void alone_add(struct planner *p, size_t part, struct range before,
                      const char *title)
{
    struct range r = p->parts.v[part];
    const char *own = cut(p, str_of(part_text(p, part)), PLAN_TEXT_MAX);
    const char *z = own,
               *context = part < p->every
                              ? names_add(p, "", (struct range){0, p->n})
                              : context_before(p, r, before);
    struct str named = plan_text_of(p, before);
    size_t count = p->out->count;
    bool more;

    if (z == NULL || context == NULL)
        return;
    more = *context != '\0' && strncmp(context, own, strlen(own)) != 0;
    if (more && p->topics.n == 0 && is_generic(p, r))
        z = arena_printf(p->a, "%s: %s", context, z);
    else if (refers(p, r) && before.from < before.to)
        z = arena_printf(p->a, "%s: %.*s", z, (int)named.n, named.p);
    else if (more && is_bare(p, r, LITTLE))
        z = arena_printf(p->a, "%s: %s", z, context);
    sub_add(p, title, z, context, PLAN_SIDES_MAX);
    if (p->out->count > count && plan_content_of(p, r) > 0 &&
        !is_bare(p, r, LITTLE))
        p->out->subs[count].own = own;
}

/* A part, of each side where sides are compared; before: the one before it that
 * says itself what it is about. */
static void part_add(struct planner *p, size_t part, struct range before,
                     size_t max)
{
    struct range r = p->parts.v[part];
    struct str s = view_trim_marks(plan_text_of(p, r));
    struct plan *out = p->out;
    bool again = refers(p, r) && plan_has_sides(p, before);
    bool asks =
        plan_is(p->w->asks, p, r.from) || plan_is(p->w->orders, p, r.from);
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
        n += plan_is_content(p, i) && !word_in(p->t[i].text, light);
    return n >= ITEM_WORDS;
}

/* The sides themselves, where the question has no part for each; asked of
 * each is what stands in r besides them. */
static void sides_add(struct planner *p, struct range r, size_t max)
{
    for (size_t i = 0; i < p->out->side_count && p->out->count < max; i++) {
        bool more = r.from < r.to && !plan_has_sides(p, r);

        const char *own = plan_has_sides(p, r) ? with_side(p, r, i) : "";
        const char *rest = context_of(p, i);

        sub_add(p, heading_of(p, p->out->sides[i]),
                more ? with_side(p, r, i) : p->out->sides[i],
                own == NULL || rest == NULL
                    ? NULL
                    : arena_printf(p->a, "%s %s", own, rest),
                i);
    }
}

static bool asks_one_fact(const struct query *q)
{
    return q->type == ANSWER_PERSON || q->type == ANSWER_DATE ||
           q->type == ANSWER_PLACE || q->type == ANSWER_NUMBER ||
           q->type == ANSWER_YESNO;
}

/* "How is a lock built? Its gates, the costs and the pitfalls please.": what
 * the first sentence asks is what all of it is on, where another one, r, only
 * names parts of that; not in "and rafts, barges and trains?", "rafts too". */
static void take_topic(struct planner *p, struct range r)
{
    struct range first = p->parts.v[0];

    if (p->parts.n < 3 || p->topics.n > 0 || p->out->side_count > 0 ||
        plan_is(p->w->helps, p, first.from) ||
        plan_is(p->w->joins, p, r.from) || plan_is(p->w->adds, p, r.from) ||
        plan_is(p->w->adds, p, r.to - 1))
        return;
    for (size_t i = first.from; i < first.to; i++)
        if (plan_is(p->w->persons, p, i) && !plan_is(p->w->asks, p, first.from))
            return; /* told, whatever it looks like */
    if (plan_is(p->w->asks, p, p->parts.v[1].from) &&
        !plan_is(p->w->pronouns, p, p->parts.v[1].from + 1))
        return; /* a question of its own, not "how they are built" */
    memmove(p->parts.v, p->parts.v + 1, (p->parts.n - 1) * sizeof(first));
    memmove(p->parts.tail, p->parts.tail + 1, (p->parts.n - 1) * sizeof(first));
    p->parts.n--;
    p->topics.v[0] = p->named = first;
    p->topics.tail[0] = (struct range){0, 0};
    p->topics.n = 1;
}

static enum err read_sentences(struct planner *p)
{
    struct span *s = NULL;
    size_t n = 0;
    int asking = 0;
    bool alone = false; /* the first part is all that its sentence asks */
    size_t others = 0;  /* that have parts, too, and the last of them */
    struct range other = {0, 0};
    enum err e = sentences_split(p->text, strlen(p->text), p->a, &s, &n);

    for (int pass = 0; e == ERR_OK && pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            struct range r =
                plan_range_of(p, (struct str){p->text + s[i].start, s[i].len});

            if (r.from >= r.to || plan_is_declined(p, r))
                continue;
            if (pass == 0) {
                int of = plan_asking_of(p, r);

                asking = of > asking ? of : asking;
                plan_sides_find(p, r);
            } else {
                size_t had = p->parts.n;

                plan_sentence_add(p, r, asking);
                alone = had == 0 && p->parts.n > 0 ? p->parts.n == 1 : alone;
                if (had > 0 && p->parts.n > had) {
                    others++;
                    other = r;
                }
            }
        }
    if (alone && others == 1)
        take_topic(p, other);
    return e;
}

/* The one part of the question, or nothing it could be taken apart into. */
static void plan_whole(struct planner *p, size_t max)
{
    struct range all = p->parts.n > 0                ? p->parts.v[0]
                       : p->named.from < p->named.to ? p->named
                                                     : (struct range){0, p->n};
    const char *whole = cut(p, str_of(p->text), PLAN_TEXT_MAX);
    bool fact = asks_one_fact(p->q);
    bool told =
        p->n == 0 || fact ||
        (p->parts.n == 0 && p->told > 0 && p->named.from >= p->named.to);
    const char *part =
        told ? whole : cut(p, plan_text_of(p, all), PLAN_TEXT_MAX);

    p->out->mode = fact ? MODE_ANSWER : MODE_INVESTIGATE;
    if (p->out->side_count == 0) {
        const char *context = context_of(p, PLAN_SIDES_MAX);

        if (part != NULL && context != NULL && p->parts.n > 0 && !told &&
            is_bare(p, all, LITTLE + 1))
            part = arena_printf(p->a, "%s: %s", part, context);
        sub_add(p, "", part, context, PLAN_SIDES_MAX);
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
    return refers(p, p->parts.v[0]) && plan_content_of(p, p->parts.v[0]) == 0;
}

static void plan_parts(struct planner *p, size_t max)
{
    bool sides = p->out->side_count > 0;
    struct range named = topic_named(p);
    struct range before = sides                   ? (struct range){0, 0}
                          : named.from < named.to ? named
                          : p->topics.n > 0       ? p->topics.v[0]
                                                  : (struct range){0, 0};
    bool alone = named.from < named.to && p->told > 0;
    struct str own = plan_text_of(p, named);

    p->out->mode = MODE_RESEARCH;
    if (p->topics.n > (p->of_all ? 0 : p->told) && !sides && !asks_of_topic(p))
        sub_add(p, "",
                alone ? arena_strndup(p->a, own.p, own.n)
                      : context_of(p, PLAN_SIDES_MAX),
                alone ? names_told(p) : "", PLAN_SIDES_MAX);
    else if (p->topics.n > 0 && sides &&
             (p->parts.n + 1) * p->out->side_count <= max)
        sides_add(p, (struct range){0, 0}, max);
    for (size_t i = 0; i < p->parts.n; i++) {
        if (!plan_has_sides(p, p->parts.v[i]) ||
            plan_content_of(p, p->parts.v[i]) > plan_content_of(p, p->sides_at))
            part_add(p, i, before, max);
        if ((i == 0 && before.from == before.to) ||
            (!refers(p, p->parts.v[i]) && names(p, p->parts.v[i]) &&
             (named.from >= named.to ||
              plan_is(p->w->asks, p, p->parts.v[i].from))))
            before = p->parts.v[i];
    }
}

/* Are sides to choose from a topic of their own, and is what is asked besides
 * more than which of them to choose? */
static bool has_choice(const struct planner *p)
{
    for (size_t i = p->parts.v[0].from; i < p->parts.v[0].to; i++)
        if (plan_is(p->w->picks, p, i) || plan_is(p->w->compares, p, i))
            return false;
    for (size_t i = 0; i < p->topics.n; i++)
        if (plan_has_sides(p, p->topics.v[i]))
            return true;
    return false;
}

static uint64_t terms_in(const struct planner *p, struct range r)
{
    struct str s = plan_text_of(p, r);

    return overlap_mask(p->q, s.p, s.n);
}

/* The names that stand behind "in" or "for", "at the Lyon works", and in
 * *others what else the range says. */
static uint64_t names_aside(const struct planner *p, struct range r,
                            uint64_t *others)
{
    bool is_aside = false;
    uint64_t names = 0;

    for (size_t i = r.from; i < r.to; i++) {
        bool name = plan_is_name(p, i);

        *(name && is_aside ? &names : others) |=
            terms_in(p, (struct range){i, i + 1});
        is_aside =
            plan_is(p->w->places, p, i) ||
            (is_aside && !plan_is_parted(p, r, i) &&
             (name || plan_is(p->w->articles, p, i) ||
              plan_is(p->w->about, p, i) || plan_is(p->w->joins, p, i)));
    }
    return names;
}

/* Such names that only a situation has, told beside what is asked; where that
 * says "it", one may be what it means. */
static uint64_t told_aside(const struct planner *p)
{
    uint64_t aside = 0, others = 0;

    for (size_t i = 0; i < p->topics.n; i++) {
        struct range tail = p->topics.tail[i];

        if (tail.from < tail.to)
            aside |= names_aside(p, tail, &others);
        else
            others |= terms_in(p, p->topics.v[i]);
    }
    for (size_t i = 0; i < p->parts.n; i++) {
        if (refers(p, p->parts.v[i]) && p->named.from >= p->named.to)
            return 0;
        others |= terms_in(p, p->parts.v[i]) | terms_in(p, p->parts.tail[i]);
    }
    return p->parts.n > 0 ? aside & ~others : 0;
}

/* "A with B" as "A and B": what stands between sides in a title; and on what
 * they are compared. "": no memory. */
static const char *title_of_sides(struct planner *p)
{
    const char *and = p->w->joins + 1; /* lists begin with a blank */
    const char *z = p->out->sides[0];

    for (size_t i = 1; i < p->out->side_count && z != NULL; i++)
        z = i + 1 < p->out->side_count
                ? arena_printf(p->a, "%s, %s", z, p->out->sides[i])
                : arena_printf(p->a, "%s %.*s %s", z, (int)strcspn(and, " "),
                               and, p->out->sides[i]);
    if (z != NULL && p->on.from < p->on.to)
        z = arena_printf(p->a, "%s: %.*s", z, (int)plan_text_of(p, p->on).n,
                         plan_text_of(p, p->on).p);
    return z == NULL ? "" : z;
}

/* Is the report called by its sides, "A with B", which titles join otherwise,
 * or with what they are compared on? */
static bool is_called_by_sides(const struct planner *p)
{
    bool against = p->on.from < p->on.to;

    for (size_t i = p->sides_at.from; i < p->sides_at.to; i++)
        against = against || plan_is(p->w->against, p, i);
    return against && p->named.from == p->sides_at.from &&
           p->named.to == p->sides_at.to && p->out->side_count > 1;
}

/* Does the sentence only say what to skip, "Skip the …"? "Skip lists" are a
 * thing and "- skip the header" is one of a list; and with signs it may quote
 * what is asked. */
static bool is_wish(const struct report_words *w, struct str s)
{
    struct token_run words;
    size_t i = 0;

    for (size_t k = 0; k < s.n; k++)
        if (!ascii_is_alnum(s.p[k]) && strchr(" \n,.!'", s.p[k]) == NULL)
            return false;
    token_run_read(&words, s.p, s.n, WISH_WORDS + 1);
    while (i < words.n && word_in(words.t[i].text, w->polite))
        i++;
    return i + 2 < words.n && words.n <= WISH_WORDS &&
           word_in(words.t[i].text, w->declines) &&
           word_in(words.t[i + 1].text, w->articles);
}

static struct str sentence_of(const struct query *q, const struct span *s)
{
    return (struct str){q->text + s->start, s->len};
}

enum err plan_wishes_drop(struct query *q)
{
    const struct report_words *w = report_words_of(q->lang);
    struct span *s = NULL;
    struct query rest;
    size_t n = 0, kept;
    enum err e = sentences_split(q->text, strlen(q->text), q->arena, &s, &n);

    kept = n;
    while (e == ERR_OK && kept > 0 && is_wish(w, sentence_of(q, &s[kept - 1])))
        kept--;
    if (e != ERR_OK || kept == n || kept == 0)
        return e;
    e = query_of_text(
        q, (struct str){q->text, s[kept - 1].start + s[kept - 1].len}, &rest);
    if (e != ERR_OK || rest.term_count == 0)
        return e;
    *q = rest;
    return ERR_OK;
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
    e = plan_tokens_read(p);
    if (e == ERR_OK)
        e = read_sentences(p);
    if (e != ERR_OK)
        return e;
    out->told_aside = told_aside(p);
    plan_every_add(p);
    if (p->parts.n > 1 || (p->parts.n == 1 && has_choice(p)))
        plan_parts(p, max);
    else
        plan_whole(p, max);
    if (mode != MODE_AUTO)
        out->mode = mode;
    /* Too long to be a title itself, it is called by what it compares, or by
     * the question that its parts are of, if nothing is told ahead of it. */
    if (p->named.from >= p->named.to &&
        (strlen(p->text) > PLAN_TITLE_MAX || p->of_sides)) {
        if (p->sides_at.from < p->sides_at.to)
            p->named = p->sides_at;
        else if (p->topics.n == 1 && p->told == 0)
            p->named = p->topics.v[0];
    }
    out->title = heading_of(
        p, is_called_by_sides(p)
               ? cut(p, str_of(title_of_sides(p)), PLAN_TITLE_MAX)
               : title_of(p, plan_text_of(p, p->named)));
    return arena_failed(a) || out->count == 0 ? ERR_NOMEM : ERR_OK;
}

size_t plan_section_end(const struct plan *p, size_t sub)
{
    size_t end = sub + 1;

    while (end < p->count &&
           strcmp(p->subs[end].title, p->subs[sub].title) == 0)
        end++;
    return end;
}
