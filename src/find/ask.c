/* What a search asks, and whom; see ask.h. */
#include "find/ask.h"
#include "find/meaning_find.h"
#include "find/named.h"
#include "find/rank.h"
#include "find/read.h"
#include "find/signs.h"
#include "find/spelling.h"
#include "index/texts.h"
#include "lang/words.h"
#include "question/evidence.h"
#include "question/overlap.h"
#include "question/parts.h"
#include "question/pointed.h"

#include "base/date.h"
#include "base/log.h"
#include "text/terms.h"

#include <stdio.h>
#include <string.h>

enum {
    PROVIDER_WANT = 20,
    ENDING_MS = 100, /* left of a search that has ended: timers are coarse */
    INDEX_K = 150,
    INDEX_K_DEEP = 400,
    INDEX_K_MAX = 1000,
    INDEX_EACH = 8, /* candidates for each result … */
    INDEX_EACH_QUICK = 6,
    INTRODUCTIONS = 60,   /* passages that introduce a subject */
    INTRODUCED_TERMS = 6, /* of a subject that may be all about */
    INTRODUCING_MAX = 6,
    SIGNS_ASKED = 1000,     /* passages that its words find, for signs */
    SIGNS_THROUGH = 100000, /* looked through for more, for all signs … */
    SIGNS_FOUND = 200,      /* … up to so many */
    SIGNS_SHARE = 8         /* of the time left, for one sign */
};

/* What a passage counts that holds a sign, and perhaps no word of the question,
 * beside the best. */
static const double SIGN_ALONE = 0.5;

/* The weight of a word that introduces, beside the subject's 1. */
static const double INTRODUCING = 0.5;
/* How well a name is introduced, by how rare it is, at least, that a pronoun
 * may mean. */
static const double INTRODUCED_LEAST = 0.25;
/* What a name counts that is written with a capital inside a sentence. */
static const double CAPITAL = 1.5;
/* … and one of several words. */
static const double SEVERAL = 1.25;

static bool is_quick(const struct run *r)
{
    return r->p->depth == DEPTH_FLASH || r->p->depth == DEPTH_FAST;
}

bool ask_uses_index(const struct run *r)
{
    return r->env->conf->use_index && r->env->index != NULL;
}

size_t ask_many(const struct search_params *p)
{
    bool quick = p->depth == DEPTH_FLASH || p->depth == DEPTH_FAST;
    size_t k = p->depth == DEPTH_DEEP ? INDEX_K_DEEP
               : quick                ? INDEX_K_QUICK
                                      : INDEX_K;
    /* Several passages of a page make one result. */
    size_t each = quick ? INDEX_EACH_QUICK : INDEX_EACH;

    if (p->output == OUTPUT_RESULTS && k < (size_t)p->max_results * each)
        k = (size_t)p->max_results * each;
    return k < INDEX_K_MAX ? k : INDEX_K_MAX;
}

/* --- the question -------------------------------------------------------- */

/* The caller's inclusion decides; guidance that restricts stands in when
 * there is none. */
static void filter_set(struct run *r)
{
    const struct search_params *p = r->p;

    r->filter.include = p->include.count > 0 ? &p->include : &r->q.restricted;
    r->filter.exclude = &p->exclude;
    r->filter.day_from = p->from_day;
    r->filter.day_to = p->to_day;
}

/* Terms that stand in parentheses alone and that no page holds: of an error
 * message these are values, "(op1 is 1x3, op2 is 1x4)". */
static uint64_t asides_of(const struct query *q)
{
    uint64_t inside = 0, outside = 0;
    struct term_iter it;
    struct term t;
    size_t at = 0;
    int depth = 0;

    terms_init_with(&it, q->stem, q->text, strlen(q->text));
    while (terms_next(&it, &t)) {
        for (; at < t.start; at++)
            depth += q->text[at] == '(' ? 1 : q->text[at] == ')' ? -1 : 0;
        *(depth > 0 ? &inside : &outside) |= query_term(q, t.text);
    }
    for (size_t i = 0; i < q->term_count; i++)
        if (q->rarity[i] < 1)
            inside &= ~((uint64_t)1 << i);
    return inside & ~outside;
}

enum err question_weigh(struct query *q, struct db *index,
                        const struct deadline *d, struct errctx *ec)
{
    bool mended = false;
    uint64_t asides;
    enum err e = overlap_weigh(q, index, ec);

    if (e == ERR_OK)
        e = spelling_mend(index, q, d, &mended, ec);
    if (e == ERR_OK && mended)
        e = overlap_weigh(q, index, ec);
    asides = e == ERR_OK ? asides_of(q) : 0;
    return asides != 0 && (overlap_all(q) & ~asides) != 0
               ? query_release(q, asides)
               : e;
}

enum err ask_weigh(struct run *r, struct query *q)
{
    enum err e;

    if (!ask_uses_index(r))
        return ERR_OK;
    /* Others know more words than the index does, and mend what they get. */
    e = provider_set_count(r->env->providers) > 0
            ? overlap_weigh(q, r->env->index, r->ec)
            : question_weigh(q, r->env->index, &r->deadline, r->ec);
    return e == ERR_OK ? meaning_read(r->env->meaning, r->env->index, q) : e;
}

/* The passages that introduce what the rarest words of q name. */
static enum err introduced_find(struct run *r, const struct query *q,
                                struct provider_answer *out)
{
    struct query rare = *q;
    struct index_term *terms = arena_array(r->a, q->term_count, sizeof *terms);
    size_t n = 0;

    if (terms == NULL)
        return ERR_NOMEM;
    for (double least = 1; n < INTRODUCED_TERMS && least > 0;) {
        double next = 0;

        for (size_t i = 0; i < q->term_count; i++) {
            if (q->rarity[i] == least && least < 1 && n < INTRODUCED_TERMS)
                terms[n++] = q->terms[i];
            if (q->rarity[i] < least && q->rarity[i] > next)
                next = q->rarity[i];
        }
        least = next;
    }
    rare.type = ANSWER_DEFINITION;
    rare.terms = terms;
    rare.term_count = n;
    memset(out, 0, sizeof *out);
    return n == 0 ? ERR_OK
                  : introductions_find(r->env->index, &rare, &r->filter,
                                       &r->deadline, r->a, out, r->ec);
}

/* How rare the rarest word of a name is that q holds. */
static double rarity_of(const struct query *q, const struct query *name)
{
    double most = 0;

    for (size_t i = 0; i < name->term_count; i++)
        for (size_t k = 0; k < q->term_count; k++)
            if (strcmp(q->terms[k].text, name->terms[i].text) == 0 &&
                q->rarity[k] > most)
                most = q->rarity[k];
    return most;
}

/* The name that pages say most clearly what it is, or NULL. */
static enum err name_choose(struct run *r, const struct pointed *p,
                            const char **out)
{
    struct provider_answer found;
    double best = INTRODUCED_LEAST;
    enum err e = overlap_weigh(&r->q, r->env->index, r->ec);

    *out = NULL;
    if (e == ERR_OK)
        e = introduced_find(r, &r->q, &found);
    for (size_t i = 0; e == ERR_OK && i < p->count; i++) {
        struct query q;
        double rare;

        e = query_parse(p->name[i], r->a, &q);
        if (e != ERR_OK)
            return e;
        query_define(&q, p->name[i]);
        rare = rarity_of(&r->q, &q) * (p->capital[i] ? CAPITAL : 1) *
               (q.term_count > 1 ? SEVERAL : 1);
        for (size_t k = 0; k < found.count; k++) {
            double now = rare * evidence_introduces(&q, &found.found[k]);

            if (now > best) {
                best = now;
                *out = p->name[i];
            }
        }
    }
    return e;
}

/* Ask what the name is: of the other words those count that are names, too,
 * "in PostgreSQL". */
static enum err name_ask(struct run *r, const char *name)
{
    struct query whole = r->q;
    uint64_t others = 0;
    enum err e = query_of_part(&whole, str_of(name), &r->q);

    if (e != ERR_OK)
        return e;
    query_define(&r->q, name);
    for (size_t i = 0; i < r->q.term_count; i++) {
        bool stays = r->q.about >> i & 1;

        for (size_t k = 0; k < whole.term_count; k++)
            stays =
                stays || ((whole.names >> k & 1) &&
                          strcmp(whole.terms[k].text, r->q.terms[i].text) == 0);
        others |= stays ? 0 : (uint64_t)1 << i;
    }
    return others == 0 ? ERR_OK : query_release(&r->q, others);
}

/* Where only a pronoun says what is to be explained: that by its name. */
static enum err pointed_ask(struct run *r)
{
    struct pointed p;
    const char *name;
    enum err e = query_pointed(&r->q, &p);

    if (e != ERR_OK || p.count == 0)
        return e;
    name = p.name[0];
    if (!p.sure && !ask_uses_index(r))
        return ERR_OK;
    filter_set(r);
    if (!p.sure)
        e = name_choose(r, &p, &name);
    if (e != ERR_OK || name == NULL)
        return e;
    return name_ask(r, name);
}

enum err ask_question(struct run *r)
{
    struct str asked;
    enum err e = query_parse(r->p->q, r->a, &r->q);

    if (e == ERR_OK)
        e = pointed_ask(r);
    if (e == ERR_OK)
        e = query_asked(&r->q, &asked);
    if (e == ERR_OK && asked.n < strlen(r->q.text))
        e = query_of_part(&r->q, asked, &r->q);
    if (e != ERR_OK)
        return err_set(r->ec, e, "no memory for the question");
    filter_set(r);
    if (r->q.term_count == 0)
        return err_set(r->ec, ERR_NO_RESULT,
                       "the question has no word that can be searched for");
    e = ask_weigh(r, &r->q);
    r->whole = r->q;
    return e;
}

/* --- asking -------------------------------------------------------------- */

const struct index_term *terms_asked(const struct query *q, struct arena *a,
                                     size_t *count)
{
    size_t n = q->term_count;
    struct index_term *t = arena_array(a, n + q->other_count, sizeof(*t));

    if (t == NULL)
        return NULL;
    memcpy(t, q->terms, n * sizeof(*t));
    for (size_t i = 0; i < q->other_count; i++) {
        const struct query_other *o = &q->others[i];

        t[n++] = (struct index_term){
            .text = o->text,
            .weight = o->worth * q->terms[o->term].weight * q->rarity[o->term],
            .other = true};
    }
    *count = n;
    return t;
}

/* What the index has on the priority domains, however far down. */
static enum err priority_ask(struct run *r, const struct query *q, size_t k,
                             struct provider_answer *pa)
{
    struct index_filter f = r->filter;
    struct candidate *found = NULL;
    size_t count = 0;
    enum err e;

    if (r->q.priority.count == 0)
        return ERR_OK;
    f.include = &r->q.priority;
    e = index_query(r->env->index, q->terms, q->term_count, &f, k, &r->deadline,
                    r->a, &found, &count, r->ec);
    if (e == ERR_NO_RESULT)
        return ERR_OK;
    return e == ERR_OK ? provider_answer_add(pa, found, count, r->a) : e;
}

enum err introductions_find(struct db *index, const struct query *q,
                            const struct index_filter *f,
                            const struct deadline *d, struct arena *a,
                            struct provider_answer *pa, struct errctx *ec)
{
    const char *words =
        arena_printf(a, "%s %s", phrase(q->lang, PHRASE_INTRODUCING),
                     phrase(q->lang, PHRASE_DEFINING));
    struct index_filter opening = *f;
    struct candidate *found = NULL;
    struct index_term *terms;
    struct term_iter it;
    struct term t;
    size_t n = q->term_count, count = 0;
    enum err e = ERR_OK;

    if (q->type != ANSWER_DEFINITION || n > INTRODUCED_TERMS)
        return ERR_OK;
    terms = arena_array(a, n + INTRODUCING_MAX, sizeof(*terms));
    if (terms == NULL || words == NULL)
        return ERR_NOMEM;
    memcpy(terms, q->terms, n * sizeof(*terms));
    terms_init_with(&it, q->stem, words, strlen(words));
    while (n < q->term_count + INTRODUCING_MAX && terms_next(&it, &t)) {
        const char *z = arena_strndup(a, t.text, t.len);

        if (z == NULL)
            return ERR_NOMEM;
        terms[n++] =
            (struct index_term){.text = z, .weight = INTRODUCING, .word = z};
    }
    for (int i = 0; e == ERR_OK && i < 2; i++) {
        opening.openings = i > 0;
        e = index_query(index, terms, n, &opening, INTRODUCTIONS, d, a, &found,
                        &count, ec);
        if (e == ERR_OK)
            e = provider_answer_add(pa, found, count, a);
        e = e == ERR_NO_RESULT ? ERR_OK : e;
    }
    return e;
}

static enum err terms_ask(struct run *r, const struct query *q,
                          const struct index_filter *f, size_t k,
                          struct candidate **found, size_t *count)
{
    size_t n = 0;
    const struct index_term *terms = terms_asked(q, r->a, &n);

    *count = 0;
    return terms == NULL ? ERR_NOMEM
                         : index_query(r->env->index, terms, n, f, k,
                                       &r->deadline, r->a, found, count, r->ec);
}

/* Where the question names hosts: what meets that, and what else they have. It
 * is asked without the name from here on, and f lets those hosts through. */
static enum err named_ask(struct run *r, struct query *q,
                          struct index_filter *f, size_t k,
                          struct provider_answer *pa)
{
    struct named *x = arena_alloc(r->a, sizeof(*x));
    struct candidate *found = NULL;
    size_t count = 0, kept = 0;
    enum err e =
        x == NULL ? ERR_NOMEM : named_read(q, pa->found, pa->count, r->a, x);

    if (e != ERR_OK || x->terms == 0)
        return e;
    for (size_t i = 0; i < pa->count; i++)
        if (named_is_met(x, q, &pa->found[i]))
            pa->found[kept++] = pa->found[i];
    pa->count = kept;
    r->released = true;
    if (f->include->count == 0)
        f->include = &x->hosts;
    e = query_release(q, x->terms);
    if (e == ERR_OK)
        e = terms_ask(r, q, f, k, &found, &count);
    if (e == ERR_NO_RESULT)
        return ERR_OK;
    return e == ERR_OK ? provider_answer_add(pa, found, count, r->a) : e;
}

/* Those that hold a sign, in place of all; *best is the score of the best. */
static size_t holding_of(const struct signs *s, struct candidate *v, size_t n,
                         double *best)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        *best = v[i].score > *best ? v[i].score : *best;
        if (signs_held(s, &v[i]) > 0)
            v[kept++] = v[i];
    }
    return kept;
}

/* Where nothing that the words find holds a sign: what else does. */
static enum err sign_look(struct run *r, struct str sign, int64_t through,
                          const struct index_filter *f, double best,
                          struct provider_answer *pa)
{
    const char *z = arena_strndup(r->a, sign.p, sign.n);
    struct signs one = {.v = {sign}, .count = 1};
    struct vector_hit *hits = NULL;
    struct candidate *found = NULL;
    struct deadline d = deadline_in(deadline_left(&r->deadline) / SIGNS_SHARE);
    size_t n = 0;
    enum err e;

    if (z == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < pa->count; i++)
        if (signs_held(&one, &pa->found[i]) > 0)
            return ERR_OK;
    e = index_holding(r->env->index, z, f, through, &d, SIGNS_FOUND, r->a,
                      &hits, &n, r->ec);
    if (e == ERR_OK)
        e = index_candidates(r->env->index, hits, n, r->a, &found, &n, r->ec);
    if (e != ERR_OK)
        return e;
    for (size_t k = 0; k < n; k++)
        found[k].score = SIGN_ALONE * best;
    return provider_answer_add(pa, found, holding_of(&one, found, n, &best),
                               r->a);
}

/* What holds the signs that the question writes. */
static enum err signs_ask(struct run *r, struct query *q,
                          const struct index_filter *f,
                          struct provider_answer *pa)
{
    struct signs s = {.count = 0};
    struct candidate *found = NULL;
    size_t count = 0;
    double best = 0;
    enum err e;

    s.count = signs_read(q->text, s.v, SIGNS_MAX);
    if (s.count == 0)
        return ERR_OK;
    e = terms_ask(r, q, f, SIGNS_ASKED, &found, &count);
    if (e != ERR_OK && e != ERR_NO_RESULT)
        return e;
    count = holding_of(&s, found, count, &best);
    e = provider_answer_add(pa, found, count, r->a);
    for (size_t i = 0; e == ERR_OK && !is_quick(r) && i < s.count; i++)
        e = sign_look(r, s.v[i], SIGNS_THROUGH / (int64_t)s.count, f, best, pa);
    return e == ERR_OK ? signs_meet(&s, q, pa->found, pa->count) : e;
}

enum err ask_index(struct run *r, struct query *q, size_t k,
                   struct provider_answer *pa)
{
    struct index_filter f = r->filter;
    enum err e;

    memset(pa, 0, sizeof(*pa));
    pa->provider = "index";
    pa->outcome = OUTCOME_EMPTY;
    e = terms_ask(r, q, &f, k, &pa->found, &pa->count);
    /* Providers have pages of others on what it names; a list shows them. */
    if (e == ERR_OK && !r->literal && r->p->output == OUTPUT_SOURCED &&
        provider_set_count(r->env->providers) == 0)
        e = named_ask(r, q, &f, k, pa);
    if (e == ERR_OK && !r->literal && r->p->output == OUTPUT_SOURCED)
        e = signs_ask(r, q, &f, pa);
    if (e == ERR_OK || e == ERR_NO_RESULT)
        e = priority_ask(r, q, k, pa);
    if (e == ERR_OK && pa->count > 0 && r->p->output == OUTPUT_SOURCED)
        e = introductions_find(r->env->index, q, &f, &r->deadline, r->a, pa,
                               r->ec);
    if (e == ERR_OK)
        e = meaning_fuse(r->env->meaning, r->env->index, q, &f, k, r->a,
                         &pa->found, &pa->count, r->ec);
    if (e == ERR_OK && pa->count > 0)
        pa->outcome = OUTCOME_OK;
    if (e == ERR_TIMEOUT)
        pa->outcome = OUTCOME_TIMEOUT;
    return e;
}

static void failures_log(const struct run *r)
{
    for (size_t i = 1; i < r->answer_count; i++)
        if (outcome_is_failure(r->answers[i].outcome))
            log_warn(r->id, "provider %s: %s%s%s", r->answers[i].provider,
                     outcome_name(r->answers[i].outcome),
                     r->answers[i].msg[0] == '\0' ? "" : ": ",
                     r->answers[i].msg);
}

enum err ask_all(struct run *r)
{
    struct provider_round *round = NULL;
    struct provider_answer *found = NULL;
    size_t count = 0, n = provider_set_count(r->env->providers);
    enum err e = ERR_OK;

    r->answers = arena_array(r->a, n + 1, sizeof(*r->answers));
    if (r->answers == NULL)
        return ERR_NOMEM;
    r->answers[0].provider = "index";
    r->answers[0].outcome = OUTCOME_EMPTY;
    r->answer_count = 1;
    if (n > 0)
        e = providers_start(r->env, &r->q, &r->filter, PROVIDER_WANT,
                            r->p->images, r->deadline, r->a, &round);
    if (e != ERR_OK)
        return e;
    if (ask_uses_index(r))
        r->index_err = ask_index(r, &r->q, ask_many(r->p), &r->answers[0]);
    if (round != NULL)
        e = providers_finish(round, &found, &count);
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < count; i++)
        r->answers[r->answer_count++] = found[i];
    failures_log(r);
    /* A broken database is never an empty answer. */
    return r->index_err == ERR_TIMEOUT ? ERR_OK : r->index_err;
}

enum err ask_pages(struct run *r)
{
    size_t max = (size_t)r->env->conf->read_pages;
    struct pages_read p = {.q = &r->q,
                           .filter = &r->filter,
                           .max = r->p->depth == DEPTH_DEEP ? 2 * max : max,
                           .deadline = r->deadline,
                           .id = r->id};

    if (is_quick(r))
        return ERR_OK;
    return pages_read(r->env, &p, r->answers, r->answer_count, r->a, r->ec);
}

/* --- nothing ------------------------------------------------------------- */

/* "brave: rate limited; own: timed out". */
static void failures_list(const struct run *r, char *z, size_t n)
{
    size_t len = 0;

    z[0] = '\0';
    for (size_t i = 1; i < r->answer_count && len + 1 < n; i++) {
        int k = snprintf(z + len, n - len, "%s%s: %s", i == 1 ? "" : "; ",
                         r->answers[i].provider,
                         outcome_name(r->answers[i].outcome));

        if (k < 0)
            return;
        len += (size_t)k;
    }
}

enum err ask_none(const struct run *r)
{
    size_t failed = 0, late = 0, asked = r->answer_count - 1;
    char list[160];

    for (size_t i = 1; i < r->answer_count; i++) {
        failed += outcome_is_failure(r->answers[i].outcome) ? 1 : 0;
        late += r->answers[i].outcome == OUTCOME_TIMEOUT ? 1 : 0;
    }
    failures_list(r, list, sizeof(list));
    if (r->index_err == ERR_TIMEOUT && late == asked)
        return err_set(r->ec, ERR_TIMEOUT,
                       "the search did not end within its time limit");
    /* They were cut short by the search's end, not by their own limit. */
    if (asked > 0 && late == asked && deadline_left(&r->deadline) < ENDING_MS)
        return err_set(r->ec, ERR_TIMEOUT, "no provider answered in time: %s",
                       list);
    if (asked > 0 && failed == asked)
        return err_set(r->ec, ERR_UPSTREAM, "every provider failed: %s", list);
    if (asked == 0 && !ask_uses_index(r))
        return err_set(r->ec, ERR_UPSTREAM,
                       "no provider is configured and the index is not used");
    if (r->filter.include->count > 0 || r->filter.exclude->count > 0 ||
        r->filter.day_from != DAY_NONE || r->filter.day_to != DAY_NONE)
        return err_set(r->ec, ERR_NO_RESULT,
                       "no page within the domains and dates asked for "
                       "matches the question closely enough");
    return err_set(r->ec, ERR_NO_RESULT,
                   "no page matches the question closely enough; other words, "
                   "or more pages in the index, may help");
}
