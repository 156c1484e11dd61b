/*
 * A search from question to verified answer; see search.h. Puts the steps in
 * order and decides which error a failure is; each step is a file of its
 * own. Called by web/ and research/.
 */
#include "search/search.h"
#include "search/answer.h"
#include "search/answer_model.h"
#include "search/injection.h"
#include "search/overlap.h"
#include "search/provider.h"
#include "search/rank.h"
#include "search/read.h"
#include "search/rerank.h"
#include "search/search_pages.h"
#include "search/widen.h"

#include "base/date.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>

enum {
    PROVIDER_WANT = 20,
    ENDING_MS = 100,    /* left of a search that has ended: timers are coarse */
    INDEX_K_QUICK = 60, /* flash and fast */
    INDEX_K = 150,
    INDEX_K_DEEP = 400,
    INDEX_K_MAX = 1000,
    ANSWER_PASSAGES = 20,
    FIELD_PASSAGES = 12,
    ANSWER_PER_PAGE = 4,
    ANSWER_SENTENCES_FACT = 4,
    ANSWER_SENTENCES = 5,
    MODEL_SENTENCES = 6,
    WRITE_MIN_MS = 200, /* kept for the extractive writer */
    WRITE_MAX_MS = 1000,
    RERANK_SHARE = 4, /* of the time left, at most */
    CONTENT_BYTES_MAX = 1200
};

/* One search on its way. */
struct run {
    const struct search_env *env;
    const struct search_params *p;
    struct deadline deadline;
    const char *id;
    struct arena *a;
    struct errctx *ec;
    struct query q;
    struct index_filter filter;
    struct provider_answer *answers; /* [0] is the index */
    size_t answer_count;
    enum err index_err; /* how asking the index ended */
};

int64_t search_deadline_ms(const struct conf *c, enum search_depth depth)
{
    switch (depth) {
    case DEPTH_FLASH:
        return c->deadline_flash_ms;
    case DEPTH_FAST:
        return c->deadline_fast_ms;
    case DEPTH_DEEP:
        return c->deadline_deep_ms;
    case DEPTH_STANDARD:
        break;
    }
    return c->deadline_standard_ms;
}

static bool use_index(const struct run *r)
{
    return r->env->conf->use_index && r->env->index != NULL;
}

static size_t index_k(const struct search_params *p)
{
    size_t k = p->depth == DEPTH_DEEP       ? INDEX_K_DEEP
               : p->depth == DEPTH_STANDARD ? INDEX_K
                                            : INDEX_K_QUICK;

    /* Several passages of a page make one result. */
    if (p->output == OUTPUT_RESULTS && k < (size_t)p->max_results * 8)
        k = (size_t)p->max_results * 8;
    return k < INDEX_K_MAX ? k : INDEX_K_MAX;
}

/* --- query --------------------------------------------------------------- */

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

static enum err query_read(struct run *r)
{
    enum err e = query_parse(r->p->q, r->a, &r->q);

    if (e != ERR_OK)
        return err_set(r->ec, e, "no memory for the question");
    filter_set(r);
    if (r->q.term_count == 0)
        return err_set(r->ec, ERR_NO_RESULT,
                       "the question has no word that can be searched for");
    if (use_index(r))
        return overlap_weigh(&r->q, r->env->index, r->ec);
    return ERR_OK;
}

/* --- asking -------------------------------------------------------------- */

/* Candidates b behind those of a, without passages that are there. */
static enum err candidates_join(struct arena *a, struct provider_answer *pa,
                                const struct candidate *more, size_t count)
{
    struct candidate *all = arena_array(a, pa->count + count, sizeof(*all));
    size_t n = pa->count;

    if (all == NULL)
        return ERR_NOMEM;
    if (n > 0)
        memcpy(all, pa->found, n * sizeof(*all));
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;

        while (k < pa->count && all[k].passage != more[i].passage)
            k++;
        if (k == pa->count)
            all[n++] = more[i];
    }
    pa->found = all;
    pa->count = n;
    return ERR_OK;
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
    return e == ERR_OK ? candidates_join(r->a, pa, found, count) : e;
}

/* Ask the index for q. An empty answer is OUTCOME_EMPTY, not an error. */
static enum err index_ask(struct run *r, const struct query *q, size_t k,
                          struct provider_answer *pa)
{
    enum err e;

    memset(pa, 0, sizeof(*pa));
    pa->provider = "index";
    pa->outcome = OUTCOME_EMPTY;
    e = index_query(r->env->index, q->terms, q->term_count, &r->filter, k,
                    &r->deadline, r->a, &pa->found, &pa->count, r->ec);
    if (e == ERR_OK || e == ERR_NO_RESULT)
        e = priority_ask(r, q, k, pa);
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

/* Ask everybody at once; the index works while requests are on their way. */
static enum err ask_all(struct run *r)
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
    if (use_index(r))
        r->index_err = index_ask(r, &r->q, index_k(r->p), &r->answers[0]);
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

/* Read the best pages the providers found; the quick depths do not. */
static enum err read_pages(struct run *r)
{
    size_t max = (size_t)r->env->conf->read_pages;
    struct pages_read p = {.q = &r->q,
                           .filter = &r->filter,
                           .max = r->p->depth == DEPTH_DEEP ? 2 * max : max,
                           .deadline = r->deadline,
                           .id = r->id};

    if (r->p->depth == DEPTH_FLASH || r->p->depth == DEPTH_FAST)
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

/* Which error it is that nothing was found. */
static enum err nothing_found(const struct run *r)
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
    if (asked == 0 && !use_index(r))
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

/* --- outputs ------------------------------------------------------------- */

static enum err rank(struct run *r, const struct query *q,
                     const struct provider_answer *answers, size_t count,
                     size_t max, size_t per_page, struct ranked **out,
                     size_t *out_count)
{
    return rank_candidates(q, &r->filter, answers, count,
                           use_index(r) ? r->env->index : NULL, max, per_page,
                           r->a, out, out_count, r->ec);
}

/* Does a model put passages in order? Quick searches do without. */
static bool reranks(const struct run *r)
{
    return r->env->relevance != NULL &&
           (r->p->depth == DEPTH_STANDARD || r->p->depth == DEPTH_DEEP);
}

/* How many are ranked so that max are left. */
static size_t rank_many(const struct run *r, size_t max)
{
    return reranks(r) && max < RERANK_MANY ? RERANK_MANY : max;
}

/* The best max of what was ranked. */
static enum err rerank(struct run *r, size_t max, struct ranked *v,
                       size_t *count)
{
    struct deadline d = deadline_in(deadline_left(&r->deadline) / RERANK_SHARE);

    return rerank_passages(reranks(r) ? r->env->relevance : NULL, &r->q, max, d,
                           r->id, r->a, v, count);
}

static enum err results_make(struct run *r, struct search_result *out)
{
    struct ranked *ranked = NULL;
    size_t count = 0;
    enum err e = rank_results(&r->q, &r->filter, r->answers, r->answer_count,
                              use_index(r) ? r->env->index : NULL,
                              rank_many(r, (size_t)r->p->max_results), r->a,
                              &ranked, &count, r->ec);

    if (e == ERR_OK)
        e = rerank(r, (size_t)r->p->max_results, ranked, &count);
    if (e != ERR_OK)
        return e;
    if (count == 0)
        return nothing_found(r);
    out->sources = arena_array(r->a, count, sizeof(*out->sources));
    if (out->sources == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *c = &ranked[i].c;
        struct source *s = &out->sources[i];

        *s = (struct source){.name = c->title[0] != '\0' ? c->title : c->host,
                             .url = c->url,
                             .favicon = c->favicon,
                             .day = c->day,
                             .page = c->page,
                             .passage = c->passage};
        s->snippet = snippet_of(&r->q, c->text, CONTENT_BYTES_MAX, r->a);
        if (s->snippet == NULL)
            return ERR_NOMEM;
    }
    out->source_count = count;
    return sources_check(out, &r->filter, ranked, count, r->a, r->ec);
}

static bool is_verbatim(const struct cited_sentence *s, const char *text)
{
    return s->start + s->len <= strlen(text) && strlen(s->text) == s->len &&
           memcmp(text + s->start, s->text, s->len) == 0;
}

/* Keep the sentences their passages bear out. */
static enum err draft_verify(struct run *r, const struct ranked *ranked,
                             struct answer_draft *d)
{
    size_t kept = 0;
    bool lead_kept = false; /* the sentence before items */

    for (size_t i = 0; i < d->count; i++) {
        const struct cited_sentence *s = &d->sentences[i];
        const char *why = "";
        const char *text;
        bool good;

        /* What speaks to machines answers nobody. */
        text = injection_mask(ranked[s->passage].c.text, r->a);
        if (text == NULL)
            return ERR_NOMEM;
        if (s->item) { /* a verbatim name or line, and no sentence */
            if (lead_kept && is_verbatim(s, text))
                d->sentences[kept++] = *s;
            continue;
        }
        good = verify_sentence(s->text, text, &why, r->a);
        lead_kept = good;
        if (good) {
            d->sentences[kept++] = *s;
            d->verified.held++;
            continue;
        }
        d->verified.dropped++;
        if (d->verified.why == NULL)
            d->verified.why = why;
    }
    d->count = kept;
    return kept > 0 ? ERR_OK : ERR_NO_RESULT;
}

static size_t sentences_for(enum answer_type t)
{
    switch (t) {
    case ANSWER_DEFINITION:
    case ANSWER_HOWTO:
    case ANSWER_REASON:
    case ANSWER_LIST:
    case ANSWER_COMPARE:
        return ANSWER_SENTENCES;
    case ANSWER_ANY:
    case ANSWER_PERSON:
    case ANSWER_DATE:
    case ANSWER_PLACE:
    case ANSWER_NUMBER:
    case ANSWER_YESNO:
        break;
    }
    return ANSWER_SENTENCES_FACT;
}

/* What is left for the model: enough stays for the writer behind it. Quick
 * searches do without. */
static bool model_time(const struct run *r, struct deadline *out)
{
    int64_t left = deadline_left(&r->deadline), keep = left / 10;

    if (r->env->model == NULL ||
        (r->p->depth != DEPTH_STANDARD && r->p->depth != DEPTH_DEEP))
        return false;
    keep = keep < WRITE_MIN_MS   ? WRITE_MIN_MS
           : keep > WRITE_MAX_MS ? WRITE_MAX_MS
                                 : keep;
    *out = deadline_in(left > keep ? left - keep : 0);
    return left > keep;
}

/* The model when there is one, else, or when it has nothing that holds, the
 * extractive writer. */
static enum err write_answer(struct run *r, const struct ranked *ranked,
                             size_t count, struct answer_draft *draft)
{
    struct deadline d;
    enum err e = ERR_NO_RESULT;

    *draft = (struct answer_draft){.sentences = NULL};
    if (model_time(r, &d))
        e = answer_model(r->env->model, &r->q, ranked, count, MODEL_SENTENCES,
                         d, r->id, r->a, draft);
    if (e != ERR_NO_RESULT)
        return e;
    e = answer_extract(&r->q, ranked, count, sentences_for(r->q.type), r->a,
                       draft);
    return e == ERR_OK ? draft_verify(r, ranked, draft) : e;
}

/* The outcome of verification stands in the log, for every answer. */
static void verified_log(const struct run *r, const struct verify_tally *v)
{
    log_info(r->id, "verified: %zu held, %zu moved, %zu dropped%s%s", v->held,
             v->moved, v->dropped, v->why == NULL ? "" : ", first for lack of ",
             v->why == NULL ? "" : v->why);
}

static enum err widen(struct run *r, struct ranked **passages, size_t *count)
{
    struct widen w = {.index = use_index(r) ? r->env->index : NULL,
                      .q = &r->q,
                      .filter = &r->filter,
                      .deadline = &r->deadline,
                      .max = ANSWER_PASSAGES,
                      .a = r->a,
                      .ec = r->ec};

    return widen_passages(&w, passages, count);
}

static enum err answer_make(struct run *r, struct search_result *out)
{
    struct ranked *ranked = NULL;
    struct answer_draft draft = {.sentences = NULL};
    size_t count = 0;
    enum err e =
        rank(r, &r->q, r->answers, r->answer_count,
             rank_many(r, ANSWER_PASSAGES), ANSWER_PER_PAGE, &ranked, &count);

    if (e == ERR_OK)
        e = rerank(r, ANSWER_PASSAGES, ranked, &count);
    if (e != ERR_OK)
        return e;
    if (count == 0)
        return nothing_found(r);
    e = widen(r, &ranked, &count);
    if (e == ERR_OK)
        e = write_answer(r, ranked, count, &draft);
    verified_log(r, &draft.verified);
    if (e == ERR_NO_RESULT)
        return err_set(r->ec, e,
                       "pages were found, but none of their sentences answers "
                       "the question: there is no sufficient evidence");
    if (e == ERR_OK)
        e = answer_render(&draft, ranked, count, r->p->inline_citations, r->a,
                          &out->answer, &out->sources, &out->source_count);
    if (e != ERR_OK)
        return e;
    return sources_check(out, &r->filter, ranked, count, r->a, r->ec);
}

/* Take out what was read into the index: its passages were chosen for the
 * whole question, and the index knows those for this one. */
static enum err indexed_drop(struct provider_answer *pa, struct arena *a)
{
    struct candidate *left = arena_array(a, pa->count + 1, sizeof(*left));
    size_t n = 0;

    if (left == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < pa->count; i++)
        if (pa->found[i].page == 0)
            left[n++] = pa->found[i];
    pa->found = left;
    pa->count = n;
    return ERR_OK;
}

/* Passages for one field: the index asked anew, and the providers' answers
 * to the whole question ranked for the field's. */
static enum err field_passages(void *user, const char *question,
                               struct arena *a, struct ranked **out,
                               size_t *count)
{
    struct run *r = user;
    struct provider_answer *answers;
    struct query q;
    enum err e = query_parse(question, a, &q);

    if (e != ERR_OK)
        return e;
    if (deadline_passed(&r->deadline))
        return err_set(r->ec, ERR_TIMEOUT,
                       "the schema could not be filled within the time limit");
    q.priority = r->q.priority;
    q.preferred = r->q.preferred;
    answers = arena_array(a, r->answer_count, sizeof(*answers));
    if (answers == NULL)
        return ERR_NOMEM;
    memcpy(answers, r->answers, r->answer_count * sizeof(*answers));
    if (use_index(r))
        e = index_ask(r, &q, INDEX_K_QUICK, &answers[0]);
    for (size_t i = 1; e == ERR_OK && use_index(r) && i < r->answer_count; i++)
        e = indexed_drop(&answers[i], a);
    if (e != ERR_OK)
        return e;
    return rank(r, &q, answers, r->answer_count, FIELD_PASSAGES,
                ANSWER_PER_PAGE, out, count);
}

static enum err structured_make(struct run *r, struct search_result *out)
{
    struct structured_ask ask = {
        .passages = field_passages,
        .user = r,
        .index = r->env->index,
        .id = r->id,
    };
    size_t found = 0;
    enum err e;

    for (size_t i = 0; i < r->answer_count; i++)
        found += r->answers[i].count;
    if (found == 0)
        return nothing_found(r);
    if (model_time(r, &ask.model_until))
        ask.model = r->env->model;
    e = structured_fill(&r->q, r->p->schema, &ask, r->a, &out->object,
                        &out->sources, &out->source_count, r->ec);
    if (e != ERR_OK)
        return e;
    return sources_check(out, &r->filter, NULL, 0, r->a, r->ec);
}

static enum err output_make(struct run *r, struct search_result *out)
{
    enum err e;

    if (r->p->output == OUTPUT_RESULTS)
        e = results_make(r, out);
    else if (r->p->output == OUTPUT_STRUCTURED)
        e = structured_make(r, out);
    else
        e = answer_make(r, out);
    if (e == ERR_OK && r->p->images)
        e = images_collect(r->env->index, r->answers, r->answer_count, out,
                           &r->filter, r->a, r->ec);
    return e;
}

enum err search_run(const struct search_env *env, const struct search_params *p,
                    struct deadline d, const char *id, struct arena *a,
                    struct search_result *out, struct errctx *ec)
{
    struct run r = {.env = env,
                    .p = p,
                    .deadline = d,
                    .id = id,
                    .a = a,
                    .ec = ec,
                    .index_err = ERR_OK};
    struct search_result result;
    struct errctx unused;
    enum err e;

    memset(&result, 0, sizeof(result));
    if (ec == NULL)
        r.ec = &unused;
    r.ec->msg[0] = '\0';
    if (deadline_passed(&d))
        return err_set(ec, ERR_TIMEOUT, "no time is left for the search");
    e = query_read(&r);
    if (e == ERR_OK)
        e = ask_all(&r);
    if (e == ERR_OK)
        e = read_pages(&r);
    if (e == ERR_OK)
        e = output_make(&r, &result);
    if (e == ERR_NOMEM || (e != ERR_OK && r.ec->msg[0] == '\0'))
        return err_set(ec, e, "the search failed: %s", err_name(e));
    if (e == ERR_OK)
        *out = result;
    return e;
}
