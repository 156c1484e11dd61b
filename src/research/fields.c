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

/* Passages for a field: a search of its own while the budget lasts, else
 * what is there. */
static enum err ask_passages(void *user, const char *question, struct arena *a,
                             struct ranked **out, size_t *count)
{
    struct field_ask *x = user;
    struct run *r = x->r;
    struct query q;
    const char *failed = "";
    enum err e = run_check_stop(r, x->ec);

    if (e != ERR_OK)
        return e;
    *out = NULL;
    *count = 0;
    if (r->asked < r->budget.queries) {
        r->asked++;
        e = gather_ask(r, question, ASKED_PASSAGES, a, out, count, &failed,
                       x->ec);
        if (e == ERR_OK && *failed != '\0' && r->failed == NULL &&
            (r->failed = arena_strdup(&r->keep, failed)) == NULL)
            e = ERR_NOMEM;
        if (e == ERR_OK && *count == 0)
            e = run_make_do(r, failed, x->ec);
        if (e != ERR_OK || *count > 0)
            return e;
    }
    e = query_parse(question, a, &q);
    if (e == ERR_OK)
        e = overlap_weigh(&q, r->env->index, x->ec);
    return e == ERR_OK ? ranking_of_evidence(r, -1, &q, a, out, count, x->ec)
                       : e;
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
