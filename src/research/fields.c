/* A schema filled from evidence and further searches; see write.h. */
#include "object/structured.h"
#include "question/overlap.h"
#include "research/gather.h"
#include "research/ranking.h"
#include "research/write.h"

#include <string.h>

enum { ASKED_PASSAGES = 12 };

struct field_ask {
    struct run *r;
    struct errctx *ec;
};

/* Those of pages about what the task names: of another page's value nothing
 * is known. */
static void keep_about(const struct run *r, const struct query *q,
                       struct ranked *v, size_t *count)
{
    size_t n = 0;

    for (size_t i = 0; i < *count; i++) {
        struct found_page p = {.c = &v[i].c, .passages = &v[i].c, .count = 1};

        if (about_is(&r->about, q, &p))
            v[n++] = v[i];
    }
    *count = n;
}

/* What a search for the field brings, as long as the budget lasts. */
static enum err search_field(struct field_ask *x, const char *question,
                             const struct query *q, struct arena *a,
                             struct ranked **out, size_t *count)
{
    struct run *r = x->r;
    const char *failed = "";
    enum err e;

    if (r->asked >= r->budget.queries)
        return ERR_OK;
    r->asked++;
    e = gather_ask(r, question, ASKED_PASSAGES, a, out, count, &failed, x->ec);
    if (e == ERR_OK && *failed != '\0' && r->failed == NULL &&
        (r->failed = arena_strdup(&r->keep, failed)) == NULL)
        e = ERR_NOMEM;
    if (e == ERR_OK && *count == 0)
        e = run_make_do(r, failed, x->ec);
    if (e == ERR_OK)
        keep_about(r, q, *out, count);
    return e;
}

/* Passages for a field: a search's, else what is there. */
static enum err ask_passages(void *user, const char *question, struct arena *a,
                             struct ranked **out, size_t *count)
{
    struct field_ask *x = user;
    struct run *r = x->r;
    struct query q;
    enum err e = run_check_stop(r, x->ec);

    *out = NULL;
    *count = 0;
    if (e == ERR_OK)
        e = query_parse(question, a, &q);
    if (e == ERR_OK)
        e = search_field(x, question, &q, a, out, count);
    if (e != ERR_OK || *count > 0)
        return e;
    e = overlap_weigh(&q, r->env->index, x->ec);
    if (e == ERR_OK)
        e = ranking_of_evidence(r, -1, &q, a, out, count, x->ec);
    if (e == ERR_OK)
        keep_about(r, &q, *out, count);
    return e;
}

/* What a model may take: half of what is left, the rest is for searching by
 * field. */
static int64_t model_ms(const struct run *r)
{
    int64_t left = r->budget.time_ms - r->spent_ms;

    return left > 0 ? left / 2 : 0;
}

enum err write_structured(struct run *r, struct arena *a, struct report *out,
                          struct errctx *ec)
{
    struct field_ask user = {r, ec};
    struct structured_ask ask = {.passages = ask_passages,
                                 .user = &user,
                                 .index = r->env->index,
                                 .model = r->env->model,
                                 .model_until = deadline_in(model_ms(r)),
                                 .id = r->lease->task.id};
    struct source *sources = NULL;
    size_t count = 0;
    const char *object = NULL;
    enum err e = structured_fill(&r->query, r->params->search.schema, &ask, a,
                                 &object, &sources, &count, ec);

    if (e != ERR_OK)
        return e;
    memset(out, 0, sizeof *out);
    out->output = object;
    out->sources = count;
    return ERR_OK;
}
