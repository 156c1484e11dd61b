/* Stored evidence ranked again; see ranking.h. */
#include "research/ranking.h"

#include <stdlib.h>
#include <string.h>

enum { RANKED_MAX = 24, PER_PAGE = 4 };

/* What a page gains that serves every sub-question. */
static const double SHARED_GAIN = 0.5;

static void candidate_of(const struct evidence *e, struct candidate *c)
{
    memset(c, 0, sizeof *c);
    c->passage = e->passage;
    c->page = e->page;
    c->start = e->start;
    c->url = e->url;
    c->host = "";
    c->title = e->title;
    c->heading = e->heading;
    c->text = e->text;
    c->favicon = e->favicon;
    c->lang = "";
    c->day = e->day;
    c->score = e->score;
}

static int by_score(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;

    if (a->score > b->score || a->score < b->score)
        return a->score > b->score ? -1 : 1;
    if (a->passage != b->passage)
        return a->passage < b->passage ? -1 : 1;
    return strcmp(a->url, b->url);
}

static enum err set_hosts(struct candidate *c, size_t count, struct arena *a,
                          struct errctx *ec)
{
    for (size_t i = 0; i < count; i++) {
        struct url u;
        enum err e = url_parse(c[i].url, strlen(c[i].url), NULL, a, &u, ec);

        if (e != ERR_OK)
            return e;
        c[i].host = u.host;
    }
    return ERR_OK;
}

/* Share of the sub-questions that the page brought a passage for. */
static double shared_by(const struct run *r, const char *url)
{
    bool serves[PLAN_SUBS_MAX] = {false};
    size_t n = 0;

    for (size_t i = 0; i < r->evidence_count; i++)
        if (strcmp(r->evidence[i].url, url) == 0)
            serves[r->evidence[i].sub] = true;
    for (size_t i = 0; i < r->plan.count; i++)
        n += serves[i];
    return (double)n / (double)r->plan.count;
}

static int by_rank(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;

    if (a->score > b->score || a->score < b->score)
        return a->score > b->score ? -1 : 1;
    return by_score(&a->c, &b->c);
}

/* A page that serves many parts of the question is about its subject. */
static void favour_shared(const struct run *r, struct ranked *v, size_t count)
{
    for (size_t i = 0; i < count; i++)
        v[i].score *= 1.0 + SHARED_GAIN * shared_by(r, v[i].c.url);
    qsort(v, count, sizeof *v, by_rank);
}

enum err ranking_of_evidence(const struct run *r, int64_t sub,
                             const struct query *q, struct arena *a,
                             struct ranked **out, size_t *count,
                             struct errctx *ec)
{
    struct provider_answer all;
    enum err e;

    memset(&all, 0, sizeof all);
    all.provider = "evidence";
    all.found = arena_array(a, r->evidence_count, sizeof *all.found);
    if (all.found == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < r->evidence_count; i++)
        if (sub < 0 || r->evidence[i].sub == sub)
            candidate_of(&r->evidence[i], &all.found[all.count++]);
    *count = 0;
    if (all.count == 0)
        return ERR_OK;
    qsort(all.found, all.count, sizeof *all.found, by_score);
    e = set_hosts(all.found, all.count, a, ec);
    if (e == ERR_OK)
        e = rank_candidates(q, &r->filter, &all, 1, r->env->index, RANKED_MAX,
                            PER_PAGE, a, out, count, ec);
    if (e == ERR_OK && r->plan.count > 1)
        favour_shared(r, *out, *count);
    return e == ERR_NO_RESULT ? ERR_OK : e;
}
