/*
 * A search from question to verified answer; see search.h. Puts the steps in
 * order and gives each its share of the time; each step is a file of its own,
 * what is asked is ask.c. Called by web/ and research/.
 */
#include "search/search.h"
#include "answer/answer.h"
#include "answer/answer_model.h"
#include "answer/answer_units.h"
#include "find/ask.h"
#include "find/pages.h"
#include "find/rank.h"
#include "find/rerank.h"
#include "lang/words.h"
#include "object/structured.h"
#include "question/parts.h"
#include "search/search_pages.h"
#include "search/search_results.h"

#include "base/log.h"
#include "text/terms.h"

#include <string.h>

enum {
    ANSWER_PASSAGES = 20,
    FIELD_PASSAGES = 12,
    ANSWER_PER_PAGE = 4,
    RESULTS_LOOKED = 20, /* for what says more than it was found by */
    MODEL_SENTENCES = 6,
    WRITE_MIN_MS = 200, /* kept for the extractive writer */
    WRITE_MAX_MS = 1000,
    RERANK_SHARE = 4 /* of the time left, at most */
};

/* A unit that holds the names of all sides need not compare them. Chosen on the
 * comparisons of bench/real.mjs. */
static const double COMPARED_ODDS = 0.5;

int64_t search_deadline_ms(const struct conf *c, struct model *model,
                           enum search_depth depth)
{
    int64_t ms;

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
    /* A slow model gets its time, as far as that goes. */
    ms = model_usual_ms(model);
    ms = ms < c->deadline_deep_ms ? ms : c->deadline_deep_ms;
    return ms > c->deadline_standard_ms ? ms : c->deadline_standard_ms;
}

/* --- outputs ------------------------------------------------------------- */

static enum err rank(struct run *r, const struct query *q,
                     const struct provider_answer *answers, size_t count,
                     size_t max, size_t per_page, struct ranked **out,
                     size_t *out_count)
{
    return rank_candidates(q, &r->filter, answers, count,
                           ask_uses_index(r) ? r->env->index : NULL, max,
                           per_page, r->a, out, out_count, r->ec);
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

static bool is_quick(const struct run *r)
{
    return r->p->depth != DEPTH_STANDARD && r->p->depth != DEPTH_DEEP;
}

/* What is left for the model: enough stays for the writer behind it. Quick
 * searches do without. */
static bool model_time(const struct run *r, struct deadline *out)
{
    int64_t left = deadline_left(&r->deadline), keep = left / 10;

    if (r->env->model == NULL || is_quick(r))
        return false;
    keep = keep < WRITE_MIN_MS   ? WRITE_MIN_MS
           : keep > WRITE_MAX_MS ? WRITE_MAX_MS
                                 : keep;
    *out = deadline_in(left > keep ? left - keep : 0);
    return left > keep;
}

/* The outcome of verification stands in the log, for every answer. */
static void verified_log(const struct run *r, const struct verify_tally *v)
{
    log_info(r->id, "verified: %zu held, %zu moved, %zu dropped%s%s", v->held,
             v->moved, v->dropped, v->why == NULL ? "" : ", first for lack of ",
             v->why == NULL ? "" : v->why);
}

static enum err none_answers(struct run *r)
{
    return err_set(r->ec, ERR_NO_RESULT,
                   "pages were found, but none of their sentences answers "
                   "the question: there is no sufficient evidence");
}

/* The best pages for a question, read whole, and what stands in them; more of
 * them for a list of results. No units: no page holds enough. */
static enum err units_read(struct run *r, const struct query *q,
                           const struct provider_answer *answers, bool lists,
                           struct asked *out)
{
    struct db *index = ask_uses_index(r) ? r->env->index : NULL;
    struct ranked *found = NULL;
    size_t n = 0;
    enum err e = rank_all(q, &r->filter, answers, r->answer_count, false, index,
                          r->a, &found, &n, r->ec);

    *out = (struct asked){.q = q};
    if (e != ERR_OK || n == 0)
        return e;
    e = pages_rank(q, found, n, lists ? PAGES_LISTED : PAGES_READ,
                   PAGE_PASSAGES, r->a, &out->pages, &out->page_count);
    if (e == ERR_OK)
        e = pages_open(index, r->env->meaning, q, out->pages,
                       pages_whole(q, out->page_count), PAGE_PASSAGES, r->a,
                       r->ec);
    if (e == ERR_OK)
        e = units_cut(q, out->pages, out->page_count, UNIT_WHOLE,
                      is_quick(r) || lists ? NULL : &r->deadline, r->a,
                      &out->units);
    return e;
}

static enum err answer_read(struct run *r, const struct query *q,
                            const struct provider_answer *answers,
                            struct asked *out)
{
    enum err e = units_read(r, q, answers, false, out);

    return e == ERR_OK && out->page_count == 0 ? ask_none(r) : e;
}

/* The best pages: in the order that a model is to give them, else of how they
 * were found and, unless it is to be quick, what they say. */
static enum err results_rank(struct run *r, struct ranked **out, size_t *count)
{
    size_t max = (size_t)r->p->max_results, many = max;
    bool reads = !is_quick(r);
    struct asked read;
    enum err e;

    if (reads && !reranks(r) && many < RESULTS_LOOKED)
        many = RESULTS_LOOKED;
    e = rank_results(&r->q, &r->filter, r->answers, r->answer_count,
                     ask_uses_index(r) ? r->env->index : NULL,
                     rank_many(r, many), r->a, out, count, r->ec);
    if (e == ERR_OK)
        e = rerank(r, many, *out, count);
    if (e == ERR_OK && reads && *count > 0 && !deadline_passed(&r->deadline))
        e = units_read(r, &r->q, r->answers, true, &read);
    else
        reads = false;
    /* What was found in time is listed as it was. */
    reads = reads && e == ERR_OK;
    e = e == ERR_TIMEOUT && *count > 0 ? ERR_OK : e;
    if (reads && !reranks(r))
        e = results_order(&read, *out, *count, r->a);
    if (reads && e == ERR_OK)
        e = results_excerpt(&read, *out, *count, r->a);
    if (reads && e == ERR_OK)
        return results_once(*out, count, max, r->a);
    *count = *count < max ? *count : max;
    return e;
}

static enum err results_make(struct run *r, struct search_result *out)
{
    struct ranked *ranked = NULL;
    size_t count = 0;
    enum err e = results_rank(r, &ranked, &count);

    if (e != ERR_OK)
        return e;
    if (count == 0)
        return ask_none(r);
    out->sources = arena_array(r->a, count, sizeof(*out->sources));
    if (out->sources == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *c = &ranked[i].c;
        struct source *s = &out->sources[i];

        *s = source_of(c);
        s->snippet = snippet_of(&r->q, c->text, CONTENT_BYTES_MAX, r->a);
        if (s->snippet == NULL)
            return ERR_NOMEM;
    }
    out->source_count = count;
    return sources_check(out, &r->filter, ranked, count, r->a, r->ec);
}

/* The passages that a model quoted, in its order, ahead of the others: what it
 * wrote does not stand, but it found the places. */
static enum err quoted_lead(struct run *r, const struct answer_draft *draft,
                            struct ranked *passages, size_t count)
{
    struct ranked *v = arena_array(r->a, count + 1, sizeof(*v));
    size_t n = 0;

    if (v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < draft->count + count; i++) {
        const struct ranked *p =
            &passages[i < draft->count ? draft->sentences[i].passage
                                       : i - draft->count];
        size_t k = 0;

        while (k < n && v[k].c.text != p->c.text)
            k++;
        if (k == n && n < count)
            v[n++] = *p;
    }
    memcpy(passages, v, n * sizeof(*v));
    return ERR_OK;
}

/* What a model writes from the best passages. ERR_NO_RESULT: there is none, or
 * too little of what it wrote holds; then those it quoted lead. */
static enum err answer_by_model(struct run *r, struct ranked *passages,
                                size_t count, struct search_result *out)
{
    struct answer_draft draft = {.sentences = NULL};
    struct deadline d;
    enum err e = ERR_NO_RESULT;

    if (model_time(r, &d))
        e = answer_model(r->env->model, &r->q, passages, count, MODEL_SENTENCES,
                         d, r->id, r->a, &draft);
    if (e == ERR_NO_RESULT && quoted_lead(r, &draft, passages, count) != ERR_OK)
        return ERR_NOMEM;
    if (e == ERR_OK)
        e = answer_render(&draft, passages, count, r->p->inline_citations, r->a,
                          &out->answer, &out->sources, &out->source_count);
    if (e != ERR_OK)
        return e;
    out->by_model = true;
    out->evidence = draft.evidence;
    out->evidence_count = draft.evidence_count;
    verified_log(r, &draft.verified);
    return sources_check(out, &r->filter, passages, count, r->a, r->ec);
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

/* What everybody answered, and the index for q in place of r->q. */
static enum err answers_anew(struct run *r, struct query *q, size_t k,
                             struct arena *a, struct provider_answer **out)
{
    struct provider_answer *v = arena_array(a, r->answer_count, sizeof(*v));
    enum err e = ERR_OK;

    if (v == NULL)
        return ERR_NOMEM;
    memcpy(v, r->answers, r->answer_count * sizeof(*v));
    if (ask_uses_index(r))
        e = ask_index(r, q, k, &v[0]);
    for (size_t i = 1; e == ERR_OK && ask_uses_index(r) && i < r->answer_count;
         i++)
        e = indexed_drop(&v[i], a);
    *out = v;
    return e;
}

/* A part of the question, asked for by itself; where nothing is found for it
 * there are no units. */
static enum err part_read(struct run *r, struct str part, struct asked *out)
{
    struct query *q = arena_alloc(r->a, sizeof(*q));
    struct provider_answer *answers;
    enum err e = q == NULL ? ERR_NOMEM : query_of_part(&r->whole, part, q);

    *out = (struct asked){.q = q};
    if (e == ERR_OK)
        e = ask_weigh(r, q);
    if (e == ERR_OK)
        e = answers_anew(r, q, ask_many(r->p), r->a, &answers);
    if (e == ERR_OK)
        e = answer_read(r, q, answers, out);
    return e == ERR_NO_RESULT ? ERR_OK : e;
}

/* What units say becomes the answer; of nothing there is none. */
static enum err units_deliver(struct run *r, const struct units_answer *x,
                              struct search_result *out)
{
    if (x->text == NULL)
        return none_answers(r);
    verified_log(r, &x->verified);
    out->answer = x->text;
    out->sources = x->sources;
    out->source_count = x->source_count;
    out->related = x->directness == ANSWER_RELATED;
    out->evidence = x->evidence;
    out->evidence_count = x->evidence_count;
    return sources_check(out, &r->filter, x->used, x->used_count, r->a, r->ec);
}

/* x->text is NULL where nothing answers. */
static enum err units_say(struct run *r, const struct asked *v, size_t count,
                          struct units_answer *x)
{
    enum err e;

    *x = (struct units_answer){.text = NULL};
    e = answer_units(v, count, r->p->inline_citations, r->a, x);
    return e == ERR_NO_RESULT ? ERR_OK : e;
}

static enum err answer_by_units(struct run *r, const struct asked *v,
                                size_t count, struct search_result *out)
{
    struct units_answer x;
    enum err e = units_say(r, v, count, &x);

    return e == ERR_OK ? units_deliver(r, &x, out) : e;
}

/* Without a model: the parts of the question, one by one. */
static enum err answer_by_parts(struct run *r, const struct str *part,
                                size_t count, struct search_result *out)
{
    struct asked v[QUERY_PARTS_MAX];
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < count; i++)
        e = part_read(r, part[i], &v[i]);
    if (e == ERR_OK)
        e = parts_agree(v, count, r->a);
    return e == ERR_OK ? answer_by_units(r, v, count, out) : e;
}

/* Is it what is compared, and no piece of a sentence that asks: "saw himself as
 * what"? */
static bool is_name(const struct query *q, struct str side)
{
    const char *asks = report_words_of(q->lang)->asks;
    struct term_iter it;
    struct term t;

    terms_init(&it, side.p, side.n);
    while (tokens_next(&it, &t))
        if (report_list_has(asks, t.text))
            return false;
    return true;
}

/* The sides of a comparison one by one, where each of them has an answer;
 * x->text is NULL where one has not. */
static enum err answer_sides(struct run *r, struct units_answer *x)
{
    struct asked v[QUERY_PARTS_MAX];
    size_t count = r->q.side_count;
    enum err e = ERR_OK;

    x->text = NULL;
    if (count > QUERY_PARTS_MAX)
        return ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct str side = str_trim(str_of(r->q.sides[i]));

        if (!is_name(&r->q, side))
            return ERR_OK;
        e = part_read(r, side, &v[i]);
        if (e == ERR_OK && !asked_is_answered(&v[i], 0))
            return ERR_OK;
    }
    if (e == ERR_OK)
        e = parts_agree(v, count, r->a);
    return e == ERR_OK ? units_say(r, v, count, x) : e;
}

/* Without a model: what compares, else what is said of each side, where there
 * is time to ask for that. */
static enum err answer_comparison(struct run *r, const struct asked *f,
                                  struct search_result *out)
{
    struct units_answer x, sides = {.text = NULL};
    enum err e = units_say(r, f, 1, &x);

    if (e == ERR_OK &&
        (x.text == NULL || !asked_is_answered(f, COMPARED_ODDS))) {
        e = answer_sides(r, &sides);
        if (e != ERR_OK && x.text != NULL)
            return units_deliver(r, &x, out);
    }
    return e == ERR_OK ? units_deliver(r, sides.text != NULL ? &sides : &x, out)
                       : e;
}

static enum err answer_make(struct run *r, struct search_result *out)
{
    bool asks_others = r->env->model != NULL || reranks(r);
    struct str part[QUERY_PARTS_MAX];
    size_t parts =
        ask_uses_index(r) && !asks_others ? query_parts(&r->whole, part) : 1;
    struct asked f;
    struct ranked *passages = NULL;
    const char *first;
    size_t count = 0;
    enum err e;

    if (parts > 1)
        return answer_by_parts(r, part, parts, out);
    e = answer_read(r, &r->q, r->answers, &f);
    if (e != ERR_OK)
        return e;
    if (ask_uses_index(r) && !asks_others && r->q.side_count > 1)
        return answer_comparison(r, &f, out);
    e = units_passages(&f.units, rank_many(r, ANSWER_PASSAGES), r->a, &passages,
                       &count);
    if (e == ERR_OK)
        e = rerank(r, ANSWER_PASSAGES, passages, &count);
    if (e == ERR_OK && reranks(r))
        units_follow(&f.units, passages, count);
    first = count > 0 ? passages[0].c.text : NULL;
    if (e == ERR_OK)
        e = answer_by_model(r, passages, count, out);
    if (e != ERR_NO_RESULT)
        return e;
    if (r->env->model != NULL && passages[0].c.text != first)
        units_follow(&f.units, passages, count);
    return answer_by_units(r, &f, 1, out);
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
    e = answers_anew(r, &q, INDEX_K_QUICK, a, &answers);
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
        .choices = r->env->choices,
    };
    size_t found = 0;
    enum err e;

    for (size_t i = 0; i < r->answer_count; i++)
        found += r->answers[i].count;
    if (found == 0)
        return ask_none(r);
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

static enum err search_once(struct run *r, struct search_result *out)
{
    enum err e;

    memset(out, 0, sizeof(*out));
    e = ask_question(r);
    if (e == ERR_OK)
        e = ask_all(r);
    if (e == ERR_OK)
        e = ask_pages(r);
    return e == ERR_OK ? output_make(r, out) : e;
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

    if (ec == NULL)
        r.ec = &unused;
    r.ec->msg[0] = '\0';
    if (deadline_passed(&d))
        return err_set(ec, ERR_TIMEOUT, "no time is left for the search");
    e = search_once(&r, &result);
    /* What was taken for a name may be the word that matters. */
    if (e == ERR_NO_RESULT && r.released) {
        r.literal = true;
        e = search_once(&r, &result);
    }
    if (e == ERR_NOMEM || (e != ERR_OK && r.ec->msg[0] == '\0'))
        return err_set(ec, e, "the search failed: %s", err_name(e));
    if (e == ERR_OK)
        *out = result;
    return e;
}
