/*
 * Searching for a run; see gather.h. Which queries follow is decided in
 * gap.c from stored evidence only, so that a second helper decides the same.
 */
#include "research/gather.h"

#include "base/clock.h"
#include "find/meaning_find.h"
#include "find/read.h"
#include "question/overlap.h"
#include "research/focus.h"
#include "research/keep.h"
#include "research/plan_model.h"
#include "research/plan_names.h"
#include "research/side_names.h"
#include "text/lang.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum {
    CANDIDATES = 300,  /* asked of the index for a query */
    WANTED = 20,       /* asked of each other provider */
    PER_PAGE = 2,      /* passages of one page a field's query may bring */
    RANKED_PAGES = 40, /* of which the best are read */
    ASK_MS_MIN = 1000, /* a search gets at least */
    PLAN_PERCENT = 10, /* of the time, for a model's plan */
    SPENT_PERCENT = 85 /* of any budget: then it is time to write */
};

/* What the words count that a part leaves to its question. */
static const double CONTEXT_WEIGHT = 0.6;
/* … and a name that hosts are about; what a list of changes gains. */
static const double NAME_WEIGHT = 0.5, CHANGES = 3;
/* … and what only says where or for what. */
static const double ASIDE_WEIGHT = 0.2;
/* What a page gains whose title names all that its part asks about. */
static const double TITLED = 0.5;
/* … and loses that is for those who make what it is about. */
static const double MAKERS = 0.5;

/* Whom a query asks besides everybody. */
struct whom {
    bool alone;                /* … and nobody else */
    struct domain_rules hosts; /* none: those about what it names */
};

/* --- asking ------------------------------------------------------------ */

static enum err parse_query(const struct run *r, const char *text,
                            struct arena *a, struct query *q, struct errctx *ec)
{
    enum err e = query_parse(text, a, q);

    if (e != ERR_OK)
        return e;
    q->guidance = r->query.guidance;
    q->preferred = r->query.preferred;
    q->priority = r->query.priority;
    q->restricted = r->query.restricted;
    e = overlap_weigh(q, r->env->index, ec);
    return e == ERR_OK ? meaning_read_closely(r->env->meaning, r->env->index, q)
                       : e;
}

/* The best passages from anywhere, or with hosts from these. */
static enum err ask_within(const struct run *r, const struct query *q,
                           const struct domain_rules *hosts, struct deadline d,
                           struct arena *a, struct provider_answer *out,
                           struct errctx *ec)
{
    struct index_filter f = r->filter;
    enum err e;

    memset(out, 0, sizeof *out);
    out->provider = "index";
    if (hosts != NULL)
        f.include = hosts;
    e = q->term_count == 0
            ? ERR_NO_RESULT
            : index_query(r->env->index, q->terms, q->term_count, &f,
                          CANDIDATES, &d, a, &out->found, &out->count, ec);
    if (e == ERR_OK || e == ERR_NO_RESULT)
        e = meaning_fuse(r->env->meaning, r->env->index, q, &f, CANDIDATES, a,
                         &out->found, &out->count, ec);
    if (e == ERR_OK && out->count == 0)
        out->outcome = OUTCOME_EMPTY;
    else if (e == ERR_TIMEOUT)
        out->outcome = OUTCOME_TIMEOUT;
    else if (e != ERR_OK)
        return e;
    return ERR_OK;
}

/* What the hosts say that are about what is named, and, unless these alone are
 * asked, what others do. */
static enum err ask_index(const struct run *r, const struct query *q,
                          const struct whom *whom, struct deadline d,
                          struct arena *a, struct provider_answer *out,
                          struct errctx *ec)
{
    struct domain_rules hosts = {NULL, 0};
    struct provider_answer own;
    enum err e = ERR_OK;

    if (r->include.count == 0 && whom->hosts.count > 0)
        hosts = whom->hosts;
    else if (r->include.count == 0)
        e = about_hosts(&r->about, q, a, &hosts);
    if (e == ERR_OK && (!whom->alone || hosts.count == 0))
        e = ask_within(r, q, NULL, d, a, out, ec);
    if (e != ERR_OK || hosts.count == 0)
        return e;
    if (whom->alone)
        return ask_within(r, q, &hosts, d, a, out, ec);
    e = ask_within(r, q, &hosts, d, a, &own, ec);
    if (e == ERR_OK)
        e = provider_answer_add(out, own.found, own.count, a);
    if (e == ERR_OK && out->count > 0)
        out->outcome = OUTCOME_OK;
    return e;
}

/* A search may take until searching is to stop, or a second where that is
 * nearer: without the first there is nothing to write. */
static struct deadline time_to_ask(const struct run *r)
{
    int64_t left = r->budget.time_ms * SPENT_PERCENT / 100 - r->spent_ms;

    if (left < ASK_MS_MIN)
        left = ASK_MS_MIN;
    return deadline_min(deadline_in(r->env->conf->deadline_standard_ms),
                        deadline_in(left));
}

/* Every answer: the index first, then the providers. */
static enum err ask_all(const struct run *r, const struct query *q,
                        const struct whom *whom, struct arena *a,
                        struct provider_answer **out, size_t *count,
                        struct errctx *ec)
{
    const struct conf *c = r->env->conf;
    struct deadline d = time_to_ask(r);
    struct provider_answer *others = NULL, *all;
    size_t n = 0, k = 0;
    enum err e = ERR_OK;

    if (r->env->providers != NULL && provider_set_count(r->env->providers) > 0)
        e = providers_ask(r->env, q, &r->filter, WANTED, false, d, a, &others,
                          &n);
    if (e != ERR_OK)
        return e;
    all = arena_array(a, n + 1, sizeof *all);
    if (all == NULL)
        return ERR_NOMEM;
    if (c->use_index) {
        e = ask_index(r, q, whom, d, a, &all[0], ec);
        if (e != ERR_OK)
            return e;
        k = 1;
    }
    if (n > 0)
        memcpy(all + k, others, n * sizeof *all);
    *out = all;
    *count = k + n;
    return ERR_OK;
}

/* Who failed and why. */
static enum err tell_failed(const struct provider_answer *p, size_t count,
                            struct arena *a, const char **failed,
                            struct errctx *ec)
{
    const char *z = "";

    for (size_t i = 0; i < count; i++) {
        if (!outcome_is_failure(p[i].outcome))
            continue;
        z = arena_printf(
            a, "%s%s%s: %s", z, *z == '\0' ? "" : "; ", p[i].provider,
            p[i].msg[0] == '\0' ? outcome_name(p[i].outcome) : p[i].msg);
        if (z == NULL)
            return ERR_NOMEM;
    }
    if (count == 0)
        return err_set(ec, ERR_INVALID,
                       "nothing to search: the index is switched off and no "
                       "provider is configured");
    *failed = z;
    return ERR_OK;
}

/* Read the best pages the providers found. */
static enum err read_found(const struct run *r, const struct query *q,
                           struct provider_answer *answers, size_t n,
                           struct arena *a, struct errctx *ec)
{
    const struct conf *c = r->env->conf;
    struct pages_read p = {.q = q,
                           .filter = &r->filter,
                           .max = (size_t)c->read_pages,
                           .deadline = deadline_in(c->deadline_standard_ms)};

    return pages_read(r->env, &p, answers, n, a, ec);
}

/* Everybody's answers, with the pages read that the providers found. */
static enum err ask(const struct run *r, const struct query *q,
                    const struct whom *whom, struct arena *a,
                    struct provider_answer **answers, size_t *n,
                    const char **failed, struct errctx *ec)
{
    enum err e = ask_all(r, q, whom, a, answers, n, ec);

    if (e == ERR_OK)
        e = tell_failed(*answers, *n, a, failed, ec);
    if (e == ERR_OK)
        e = read_found(r, q, *answers, *n, a, ec);
    return e;
}

static size_t found_count(const struct provider_answer *answers, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += answers[i].count;
    return count;
}

enum err gather_ask(const struct run *r, const char *text, size_t max,
                    struct arena *a, struct ranked **out, size_t *count,
                    const char **failed, struct errctx *ec)
{
    const struct whom whom = {.alone = false};
    struct provider_answer *answers = NULL;
    struct query q;
    size_t n = 0;
    enum err e = parse_query(r, text, a, &q, ec);

    *count = 0;
    if (e == ERR_OK)
        e = ask(r, &q, &whom, a, &answers, &n, failed, ec);
    if (e != ERR_OK || found_count(answers, n) == 0)
        return e;
    e = rank_candidates(&q, &r->filter, answers, n, r->env->index, max,
                        PER_PAGE, a, out, count, ec);
    return e == ERR_NO_RESULT ? ERR_OK : e;
}

/* --- the plan ---------------------------------------------------------- */

enum err gather_plan(struct run *r, struct errctx *ec)
{
    int64_t since = clock_mono_ms();
    struct about about;
    struct deadline d;
    struct plan p;
    const char *data;
    enum err e;

    if (r->plan.count > 0)
        return ERR_OK;
    arena_reset(&r->step);
    e = plan_make(&r->query, r->params->mode, (size_t)r->budget.sub_questions,
                  &r->keep, &p);
    if (e == ERR_OK && r->params->mode != MODE_ANSWER)
        e = plan_by_model(r->env->model, r->request, &r->query,
                          (size_t)r->budget.sub_questions,
                          deadline_in(r->budget.time_ms * PLAN_PERCENT / 100),
                          r->lease->task.id, &r->keep, &p);
    if (r->params->mode != MODE_AUTO)
        p.mode = r->params->mode;
    d = time_to_ask(r);
    if (e == ERR_OK)
        e = about_read(&r->query, p.told_aside,
                       r->env->conf->use_index ? r->env->index : NULL,
                       &r->filter, &d, &r->keep, &about, ec);
    if (e == ERR_OK)
        e = plan_names(&r->query, &about, (size_t)r->budget.sub_questions,
                       &r->keep, &p);
    if (e != ERR_OK)
        return e;
    data = steps_plan(&p, &about, &r->step, since);
    if (data == NULL)
        return ERR_NOMEM;
    e = run_add_step(r, "plan", data, NULL, 0, ec);
    if (e != ERR_OK)
        return e;
    r->plan = p;
    r->about = about;
    r->round = 1;
    r->spent_ms += clock_mono_ms() - since;
    for (size_t i = 0; i < p.count; i++)
        if (!run_add_query(r, i, 1, p.subs[i].question))
            return ERR_NOMEM;
    return ERR_OK;
}

/* --- rounds ------------------------------------------------------------ */

static size_t queries_done(const struct run *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->queue_count; i++)
        n += r->queue[i].done;
    return n;
}

/* Which budget is used up? The first round asks all its queries: without them
 * there is nothing to write. Their pages are counted all the same. */
static const char *budget_spent(const struct run *r)
{
    int64_t p = SPENT_PERCENT;

    if (r->spent_ms * 100 >= r->budget.time_ms * p)
        return "time";
    if (r->round == 1)
        return NULL;
    if ((int64_t)queries_done(r) * 100 >= r->budget.queries * p)
        return "queries";
    if ((int64_t)run_pages(r, -1) * 100 >= r->budget.pages * p)
        return "pages";
    return NULL;
}

/* How many pages not read before one query may bring: its share of what may
 * be spent, so that the first sub-questions leave some to the others. */
static size_t new_pages_max(const struct run *r)
{
    size_t all = ((size_t)r->budget.pages * SPENT_PERCENT + 99) / 100;
    size_t have = run_pages(r, -1);
    size_t share = (all + r->plan.count - 1) / r->plan.count;

    if (have >= all)
        return 0;
    return all - have < share ? all - have : share;
}

/* Words of the context besides those that only say where or for what: these
 * would speak louder than a part of one word. */
static const char *context_of(struct run *r, const char *context)
{
    const char *out = "";
    struct term_iter it;
    struct query q;
    uint64_t aside;
    struct term t;

    if (query_parse(context, &r->step, &q) != ERR_OK)
        return NULL;
    (void)focus_mask(&q, context, &aside);
    terms_init_with(&it, q.stem, context, strlen(context));
    while (out != NULL && tokens_next(&it, &t)) {
        bool is_aside = false;
        size_t start = t.start, end = t.end;

        token_stem(&it, &t);
        for (size_t i = 0; i < q.term_count && !is_aside; i++)
            is_aside =
                (aside >> i & 1) != 0 && strcmp(q.terms[i].text, t.text) == 0;
        if (!is_aside)
            out = arena_printf(&r->step, "%s %.*s", out, (int)(end - start),
                               context + start);
    }
    return out;
}

/* Does the query ask what one of the names or sides is? */
static bool asks_name(const struct run *r, const struct run_query *rq)
{
    for (size_t i = 0; i < r->plan.side_count && rq->round > 1; i++)
        if (strcmp(r->plan.sides[i], rq->text) == 0)
            return true;
    for (size_t i = 0; i < r->about.count && rq->round > 1; i++)
        if (r->about.names[i].word != NULL &&
            strcmp(r->about.names[i].word, rq->text) == 0)
            return true;
    return false;
}

static enum err read_name(const struct run *r, const struct run_query *rq,
                          struct arena *a, struct query *q, uint64_t *terms,
                          struct errctx *ec)
{
    enum err e = parse_query(r, rq->text, a, q, ec);

    if (e == ERR_OK)
        query_define(q, rq->text);
    *terms = e == ERR_OK ? overlap_all(q) : 0;
    return e;
}

/* The query's text with the words that its part leaves to the question. *terms:
 * those that are the part's own. */
static enum err read_query(struct run *r, const struct run_query *rq,
                           struct query *q, uint64_t *terms, struct errctx *ec)
{
    const char *context = context_of(r, r->plan.subs[rq->sub].context);
    const char *text = rq->text;
    struct query own;
    uint64_t aside;
    enum err e = query_parse(text, &r->step, &own);

    if (e == ERR_OK && asks_name(r, rq))
        return read_name(r, rq, &r->step, q, terms, ec);
    *terms = 0;

    if (e == ERR_OK && context != NULL)
        text = arena_printf(&r->step, "%s%s", text, context);
    if (e != ERR_OK || context == NULL || text == NULL)
        return ERR_NOMEM;
    e = parse_query(r, text, &r->step, q, ec);
    aside = e == ERR_OK ? focus_aside(q, &r->plan) : 0;
    q->type = own.type;
    for (size_t i = 0; e == ERR_OK && i < q->term_count; i++) {
        bool is_own = false;

        for (size_t k = 0; k < own.term_count && !is_own; k++)
            is_own = strcmp(own.terms[k].text, q->terms[i].text) == 0;
        if (is_own)
            *terms |= (uint64_t)1 << i;
        else
            q->terms[i].weight *= CONTEXT_WEIGHT;
        if (about_hosted(&r->about, q->terms[i].text))
            q->terms[i].weight *= NAME_WEIGHT;
        else if (aside >> i & 1)
            q->terms[i].weight *= ASIDE_WEIGHT;
    }
    return e;
}

static int by_score(const void *x, const void *y)
{
    const struct found_page *a = x, *b = y;

    if (a->score > b->score || a->score < b->score)
        return a->score > b->score ? -1 : 1;
    return strcmp(a->c->url, b->c->url);
}

/* A page gains whose title names what the part asks about, and a list of
 * changes where the task asks for changes. */
static void favour(const struct run *r, const struct query *q, size_t sub,
                   struct found_page *all, size_t total)
{
    uint64_t own = focus_own(q, &r->about, &r->plan, sub);
    double most = overlap_weight(q, own);

    for (size_t i = 0; i < total; i++) {
        if (most > 0)
            all[i].score *=
                1 + TITLED * overlap_weight(q, own & all[i].title) / most;
        if (about_is_changes(&r->query, &all[i]))
            all[i].score *= CHANGES;
        if (about_is_of_makers(&r->query, all[i].c->url, all[i].c->title))
            all[i].score *= MAKERS;
    }
    if (total > 1)
        qsort(all, total, sizeof *all, by_score);
}

/* Is the page in another language than the question? */
static bool is_strange(const struct query *q, const struct found_page *p)
{
    return *p->c->lang != '\0' && lang_of_tag(p->c->lang) != q->lang;
}

/* Without those in other languages, where there are any in the question's. */
static size_t drop_strange(const struct query *q, struct found_page *pages,
                           size_t count)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += !is_strange(q, &pages[i]);
    if (n == 0)
        return count;
    n = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_strange(q, &pages[i]))
            pages[n++] = pages[i];
    return n;
}

/* Those that are about what `named` names, in front those that hold a word of
 * the part's own. Where none holds one there is nothing on it. */
static enum err choose_pages(struct run *r, const struct query *q, size_t sub,
                             const struct query *named, uint64_t terms,
                             struct found_page *all, size_t total,
                             size_t *count)
{
    struct found_page *rest = arena_array(&r->step, total + 1, sizeof *rest);
    bool changes = about_asks_for_changes(&r->query);
    size_t n = 0;

    if (rest == NULL)
        return ERR_NOMEM;
    favour(r, q, sub, all, total);
    for (size_t i = 0; i < total; i++) {
        /* A fact may stand anywhere. */
        if (r->plan.mode != MODE_ANSWER &&
            (about_is_listing(&r->about, q, changes, &all[i]) ||
             !about_is(&r->about, named, &all[i])))
            continue;
        if (((all[i].all | all[i].host) & terms) != 0)
            all[(*count)++] = all[i];
        else
            rest[n++] = all[i];
    }
    for (size_t i = 0; *count > 0 && i < n; i++)
        all[(*count)++] = rest[i];
    return ERR_OK;
}

/* What a search found, as pages that are about what is named. */
static enum err rank_pages(struct run *r, const struct query *q, size_t sub,
                           const struct query *named, uint64_t terms,
                           const struct provider_answer *answers, size_t n,
                           struct found_page **pages, size_t *count,
                           struct errctx *ec)
{
    struct ranked *found = NULL;
    size_t ranked = 0, total = 0;
    bool known;
    enum err e;

    *count = 0;
    if (found_count(answers, n) == 0)
        return ERR_OK;
    /* No passage holds much of a long request; hosts about what it names do. */
    known = r->plan.mode != MODE_ANSWER && q->term_count > LONG_TERMS &&
            about_vouches(&r->about);
    e = rank_all(q, &r->filter, answers, n, known, r->env->index, &r->step,
                 &found, &ranked, ec);
    if (e == ERR_OK)
        e = pages_rank(q, found, ranked, RANKED_PAGES, PAGE_PASSAGES_MAX,
                       &r->step, pages, &total);
    if (e != ERR_OK)
        return e == ERR_NO_RESULT ? ERR_OK : e;
    e = choose_pages(r, q, sub, named, terms, *pages, total, count);
    if (e == ERR_OK)
        *count = drop_strange(q, *pages, *count);
    return e;
}

/* The pages of the hosts that bear the side's name; where these say nothing on
 * what is asked, those of others, but of no other side's. */
static enum err rank_side(struct run *r, const struct query *q, size_t sub,
                          const struct side_names *s, uint64_t terms,
                          struct provider_answer *answers, size_t n,
                          struct found_page **pages, size_t *count,
                          struct errctx *ec)
{
    struct provider_answer *some = arena_array(&r->step, n + 1, sizeof *some);
    enum err e = some == NULL ? ERR_NOMEM : ERR_OK;

    terms = side_names_asked(s, q, terms);
    *count = 0;
    for (int own = 1; e == ERR_OK && own >= 0 && *count == 0; own--) {
        memcpy(some, answers, n * sizeof *some);
        for (size_t i = 0; i < n; i++)
            some[i].count = side_names_keep(s, &r->about, own != 0,
                                            some[i].found, some[i].count);
        e = rank_pages(r, q, sub, &s->side, terms, some, n, pages, count, ec);
    }
    return e;
}

/* The pages that a search finds for a part. */
static enum err find_pages(struct run *r, size_t sub, const struct query *q,
                           uint64_t terms, struct found *f,
                           struct found_page **pages, size_t *count,
                           struct errctx *ec)
{
    struct provider_answer *answers = NULL;
    struct side_names side;
    struct whom whom;
    size_t n = 0;
    enum err e = side_names_read(&r->plan, &r->about, sub, &r->step, &side);

    *count = 0;
    if (e != ERR_OK)
        return e;
    /* Names with hosts of their own are asked of these. */
    whom = (struct whom){r->plan.is_named &&
                             r->plan.subs[sub].side < r->plan.side_count,
                         side.hosts};
    if (f->defines) {
        whom.alone = true;
        e = about_bearers(&r->about, about_borne(&r->about, q), &r->step,
                          &whom.hosts);
    }
    if (e == ERR_OK)
        e = ask(r, q, &whom, &r->step, &answers, &n, &f->failed, ec);
    if (e != ERR_OK)
        return e;
    f->candidates = found_count(answers, n);
    return side.own != 0
               ? rank_side(r, q, sub, &side, terms, answers, n, pages, count,
                           ec)
               : rank_pages(r, q, sub, q, terms, answers, n, pages, count, ec);
}

/* The best pages that are within the room. */
static size_t take_pages(const struct run *r, struct found_page *pages,
                         size_t count)
{
    size_t room = new_pages_max(r), n = 0;
    size_t most = run_share(r, r->budget.opened);

    for (size_t i = 0; i < count && n < most; i++) {
        bool known = run_has_page(r, -1, pages[i].c->url);
        struct found_page p = pages[i];

        if (!known && room == 0)
            continue;
        room -= !known;
        /* Those that are not read keep their order behind. */
        memmove(&pages[n + 1], &pages[n], (i - n) * sizeof *pages);
        pages[n++] = p;
    }
    return n;
}

/* Without those that say nothing themselves. */
static size_t drop_lists(const struct run *r, struct found_page *pages,
                         size_t count)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        if (!about_lists(&r->query, &pages[i]))
            pages[n++] = pages[i];
    return n;
}

/* The part's question by itself; *asked NULL: the query is another, or asks for
 * lists of changes. */
static enum err read_asked(struct run *r, const struct run_query *rq,
                           struct query *q, const struct query **asked,
                           struct errctx *ec)
{
    enum err e;

    *asked = NULL;
    if (strcmp(rq->text, r->plan.subs[rq->sub].question) != 0)
        return ERR_OK;
    e = parse_query(r, rq->text, &r->step, q, ec);
    if (e == ERR_OK && !query_asks_changes(q))
        *asked = q;
    return e;
}

static enum err find_rows(struct run *r, const struct run_query *rq,
                          struct found *f, struct errctx *ec)
{
    struct found_page *pages = NULL;
    const struct query *asked = NULL;
    size_t count = 0, read;
    struct query q, own;
    uint64_t terms;
    enum err e = read_query(r, rq, &q, &terms, ec);

    f->defines = asks_name(r, rq);
    if (e == ERR_OK)
        e = find_pages(r, rq->sub, &q, terms, f, &pages, &count, ec);
    if (e != ERR_OK || count == 0)
        return e;
    read = take_pages(r, pages, count);
    e = pages_open(r->env->conf->use_index ? r->env->index : NULL,
                   r->env->meaning, &q, pages, read, PAGE_PASSAGES_MAX,
                   &r->step, ec);
    if (e == ERR_OK && r->plan.mode != MODE_ANSWER)
        read = drop_lists(r, pages, read);
    if (e == ERR_OK && !f->defines)
        e = read_asked(r, rq, &own, &asked, ec);
    if (e == ERR_OK)
        e = keep_pages(r, rq->sub, &q, asked, pages, read, &r->step, f);
    return e;
}

/* Store what a query brought. */
static enum err keep_found(struct run *r, struct run_query *q,
                           const struct found *f, int64_t since,
                           struct errctx *ec)
{
    const char *data = steps_search(r, q, f, &r->step, since);
    const char *failed = arena_strdup(&r->keep, f->failed);
    enum err e;

    if (data == NULL || failed == NULL)
        return ERR_NOMEM;
    e = run_add_step(r, "search", data, f->rows, f->count, ec);
    if (e == ERR_OK)
        e = run_keep_evidence(r, f->rows, f->count);
    for (size_t i = 0; e == ERR_OK && i < f->unit_count; i++)
        e = run_keep_unit(r, &f->units[i]);
    if (e != ERR_OK)
        return e;
    q->done = true;
    q->failed = failed;
    r->news += f->count;
    r->spent_ms += clock_mono_ms() - since;
    return ERR_OK;
}

static enum err search_one(struct run *r, struct run_query *q,
                           struct errctx *ec)
{
    int64_t since = clock_mono_ms();
    struct found f = {.failed = ""};
    enum err e;

    arena_reset(&r->step);
    e = find_rows(r, q, &f, ec);
    /* Nothing at all for this sub-question, and not everybody was heard. */
    if (e == ERR_OK && f.count == 0 && run_passages(r, q->sub) == 0)
        e = run_make_do(r, f.failed, ec);
    return e == ERR_OK ? keep_found(r, q, &f, since, ec) : e;
}

/* The queries that an earlier run stored although somebody did not answer
 * are asked once more. What fails again is left as it is: whether that is
 * enough is told when the report is written. */
static enum err search_again(struct run *r, struct errctx *ec)
{
    enum err e = ERR_OK;

    for (size_t i = 0; i < r->queue_count && e == ERR_OK; i++) {
        struct run_query *q = &r->queue[i];
        int64_t since = clock_mono_ms();
        struct found f = {.failed = ""};

        if (!q->again)
            continue;
        q->again = false;
        arena_reset(&r->step);
        e = run_check_stop(r, ec);
        if (e == ERR_OK)
            e = find_rows(r, q, &f, ec);
        if (e == ERR_OK && *f.failed == '\0')
            e = keep_found(r, q, &f, since, ec);
    }
    return e;
}

static enum err search_round(struct run *r, struct errctx *ec)
{
    for (size_t i = 0; i < r->queue_count; i++) {
        struct run_query *q = &r->queue[i];
        enum err e;

        if (q->done || q->round != r->round)
            continue;
        e = run_check_stop(r, ec);
        if (e != ERR_OK)
            return e;
        if (budget_spent(r) != NULL)
            return ERR_OK;
        e = search_one(r, q, ec);
        if (e != ERR_OK)
            return e;
    }
    return ERR_OK;
}

/* Why searching ends after this round, or NULL. */
static const char *end_reason(const struct run *r)
{
    int stale = r->news == 0 ? r->stale + 1 : 0;

    if (budget_spent(r) != NULL)
        return budget_spent(r);
    if (r->round >= r->budget.rounds)
        return "rounds";
    return stale >= RUN_STALE_MAX ? "nothing new" : NULL;
}

static enum err end_round(struct run *r, struct errctx *ec)
{
    int64_t since = clock_mono_ms();
    const char *end = end_reason(r), *data;
    struct gap g;
    enum err e;

    arena_reset(&r->step);
    e = gap_find(r, end == NULL, &r->step, &g, ec);
    if (e != ERR_OK)
        return e;
    if (end == NULL && g.count == 0)
        end = g.open_count == 0 ? "covered" : "no further query";
    data = steps_gap(r, &g, end, &r->step, since);
    if (data == NULL)
        return ERR_NOMEM;
    e = run_add_step(r, "gap", data, NULL, 0, ec);
    if (e != ERR_OK)
        return e;
    r->stale = r->news == 0 ? r->stale + 1 : 0;
    r->news = 0;
    r->round++;
    r->gathered = end != NULL;
    r->spent_ms += clock_mono_ms() - since;
    for (size_t i = 0; i < g.count; i++)
        if (!run_add_query(r, g.query[i].sub, r->round, g.query[i].text))
            return ERR_NOMEM;
    return ERR_OK;
}

/* Names that stand in parts' own words alone, "accounts, limits and TLS", are
 * none of the other parts. */
static void names_part(struct run *r)
{
    uint64_t own = 0, all = 0;

    for (size_t i = 0; r->plan.count > 1 && i < r->plan.count; i++) {
        const struct plan_sub *s = &r->plan.subs[i];
        uint64_t asked =
            overlap_mask(&r->query, s->question, strlen(s->question));

        *(*s->context == '\0' ? &all : &own) |= asked;
        all |= overlap_mask(&r->query, s->context, strlen(s->context));
    }
    about_part(&r->about, &r->query, own & ~all);
}

enum err gather_run(struct run *r, struct errctx *ec)
{
    enum err e = ERR_OK;

    names_part(r);
    while (!r->gathered && e == ERR_OK) {
        e = search_round(r, ec);
        if (e == ERR_OK)
            e = run_check_stop(r, ec);
        if (e == ERR_OK)
            e = end_round(r, ec);
    }
    return e == ERR_OK && !r->written ? search_again(r, ec) : e;
}
