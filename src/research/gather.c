/*
 * Searching for a run; see gather.h. Which queries follow is decided in
 * gap.c from stored evidence only, so that a second helper decides the same.
 */
#include "research/gather.h"

#include "base/clock.h"
#include "base/str.h"
#include "research/steps.h"
#include "research/topic.h"
#include "question/overlap.h"
#include "find/read.h"

#include <string.h>

enum {
    CANDIDATES = 100,  /* asked of the index for a query */
    WANTED = 20,       /* asked of each other provider */
    PER_PAGE = 2,      /* passages of one page a query may bring */
    KEPT = 8,          /* passages a query may bring */
    PROBED = 16,       /* passages whose headings are looked at for aspects */
    ASK_MS_MIN = 1000, /* a search gets at least */
    SPENT_PERCENT = 85 /* of any budget: then it is time to write */
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
    return overlap_weigh(q, r->env->index, ec);
}

static enum err ask_index(const struct run *r, const struct query *q,
                          struct deadline d, struct arena *a,
                          struct provider_answer *out, struct errctx *ec)
{
    enum err e;

    memset(out, 0, sizeof *out);
    out->provider = "index";
    e = q->term_count == 0
            ? ERR_NO_RESULT
            : index_query(r->env->index, q->terms, q->term_count, &r->filter,
                          CANDIDATES, &d, a, &out->found, &out->count, ec);
    if (e == ERR_NO_RESULT)
        out->outcome = OUTCOME_EMPTY;
    else if (e == ERR_TIMEOUT)
        out->outcome = OUTCOME_TIMEOUT;
    else if (e != ERR_OK)
        return e;
    return ERR_OK;
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
                        struct arena *a, struct provider_answer **out,
                        size_t *count, struct errctx *ec)
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
        e = ask_index(r, q, d, a, &all[0], ec);
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

enum err gather_ask(const struct run *r, const char *text, size_t max,
                    struct arena *a, struct query *query, struct ranked **out,
                    size_t *count, size_t *found, const char **failed,
                    struct errctx *ec)
{
    struct provider_answer *answers = NULL;
    size_t n = 0, candidates = 0;
    enum err e = parse_query(r, text, a, query, ec);

    if (e == ERR_OK)
        e = ask_all(r, query, a, &answers, &n, ec);
    if (e == ERR_OK)
        e = tell_failed(answers, n, a, failed, ec);
    if (e == ERR_OK)
        e = read_found(r, query, answers, n, a, ec);
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < n; i++)
        candidates += answers[i].count;
    *found = candidates;
    *count = 0;
    if (candidates == 0)
        return ERR_OK;
    e = rank_candidates(query, &r->filter, answers, n, r->env->index, max,
                        PER_PAGE, a, out, count, ec);
    return e == ERR_NO_RESULT ? ERR_OK : e;
}

/* --- the plan ---------------------------------------------------------- */

/* Aspects of a single question: what its best pages have headings for. */
static enum err probe_aspects(struct run *r, struct plan *p, struct errctx *ec)
{
    const char *headings[PROBED], *failed = "";
    struct query q;
    struct ranked *top = NULL;
    size_t count = 0, found = 0, most = (size_t)r->budget.sub_questions;
    enum err e = gather_ask(r, r->query.text, PROBED, &r->step, &q, &top,
                            &count, &found, &failed, ec);

    if (e == ERR_OK && count == 0)
        e = run_make_do(r, failed, ec);
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < count; i++)
        headings[i] = top[i].c.heading == NULL ? "" : top[i].c.heading;
    if (p->mode == MODE_INVESTIGATE && most > 4)
        most = 4;
    return plan_add_aspects(p, &r->query, headings, count, most, &r->keep);
}

enum err gather_plan(struct run *r, struct errctx *ec)
{
    int64_t since = clock_mono_ms();
    struct plan p;
    const char *data;
    enum err e;

    if (r->plan.count > 0)
        return ERR_OK;
    arena_reset(&r->step);
    e = plan_make(&r->query, r->params->mode, (size_t)r->budget.sub_questions,
                  &r->keep, &p);
    if (e == ERR_OK && p.open)
        e = probe_aspects(r, &p, ec);
    if (e != ERR_OK)
        return e;
    data = steps_plan(&p, &r->step, since);
    if (data == NULL)
        return ERR_NOMEM;
    e = run_add_step(r, "plan", data, NULL, 0, ec);
    if (e != ERR_OK)
        return e;
    r->plan = p;
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

static bool is_same_passage(const struct evidence *e, const struct candidate *c)
{
    if (e->passage != 0 || c->passage != 0)
        return e->passage == c->passage;
    return strcmp(e->url, c->url) == 0 && strcmp(e->text, c->text) == 0;
}

static bool has_passage(const struct run *r, size_t sub,
                        const struct candidate *c)
{
    for (size_t i = 0; i < r->evidence_count; i++)
        if (r->evidence[i].sub == (int64_t)sub &&
            is_same_passage(&r->evidence[i], c))
            return true;
    return false;
}

static bool has_page(const struct evidence *e, size_t count, const char *url)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(e[i].url, url) == 0)
            return true;
    return false;
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

static void row_of(struct evidence *row, size_t sub, const struct ranked *x)
{
    memset(row, 0, sizeof *row);
    row->sub = (int64_t)sub;
    row->page = x->c.page;
    row->passage = x->c.passage;
    row->url = x->c.url;
    row->title = x->c.title == NULL ? "" : x->c.title;
    row->favicon = x->c.favicon == NULL ? "" : x->c.favicon;
    row->heading = x->c.heading == NULL ? "" : x->c.heading;
    row->text = x->c.text;
    row->start = x->c.start;
    row->day = x->c.day;
    row->score = x->score;
}

static enum err find_rows(struct run *r, const struct run_query *q,
                          struct found *f, struct errctx *ec)
{
    struct query query;
    struct ranked *top = NULL;
    struct topic topic;
    size_t count = 0, room = new_pages_max(r);
    enum err e = gather_ask(r, q->text, KEPT, &r->step, &query, &top, &count,
                            &f->candidates, &f->failed, ec);

    if (e != ERR_OK)
        return e;
    topic_read(&topic, r->plan.subs[q->sub].topic);
    f->rows = arena_array(&r->step, count, sizeof *f->rows);
    if (f->rows == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *c = &top[i].c;
        bool known = has_page(r->evidence, r->evidence_count, c->url) ||
                     has_page(f->rows, f->count, c->url);

        if ((!known && room == 0) || has_passage(r, q->sub, c) ||
            !topic_is_of(&topic, c))
            continue;
        room -= !known;
        row_of(&f->rows[f->count++], q->sub, &top[i]);
    }
    return ERR_OK;
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

enum err gather_run(struct run *r, struct errctx *ec)
{
    enum err e = ERR_OK;

    while (!r->gathered && e == ERR_OK) {
        e = search_round(r, ec);
        if (e == ERR_OK)
            e = run_check_stop(r, ec);
        if (e == ERR_OK)
            e = end_round(r, ec);
    }
    return e == ERR_OK && !r->written ? search_again(r, ec) : e;
}
