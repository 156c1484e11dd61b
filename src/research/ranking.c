/* Stored evidence ranked again; see ranking.h. */
#include "research/ranking.h"

#include <stdlib.h>
#include <string.h>

enum { RANKED_MAX = 24, PER_PAGE = 4 };

static void candidate_of(const struct evidence *e, struct candidate *c)
{
    memset(c, 0, sizeof *c);
    c->passage = e->passage;
    c->page = e->page;
    c->start = e->start;
    c->seq = (int64_t)e->start; /* their order in the page */
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

static enum err set_host(struct candidate *c, struct arena *a,
                         struct errctx *ec)
{
    struct url u;
    enum err e = url_parse(c->url, strlen(c->url), NULL, a, &u, ec);

    if (e == ERR_OK)
        c->host = u.host;
    return e;
}

enum err ranking_candidates(const struct run *r, struct arena *a,
                            struct candidate **out, struct errctx *ec)
{
    enum err e = ERR_OK;

    *out = arena_array(a, r->evidence_count + 1, sizeof **out);
    if (*out == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < r->evidence_count; i++) {
        candidate_of(&r->evidence[i], &(*out)[i]);
        e = set_host(&(*out)[i], a, ec);
    }
    return e;
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
    *count = 0;
    e = ranking_candidates(r, a, &all.found, ec);
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < r->evidence_count; i++)
        if (sub < 0 || r->evidence[i].sub == sub)
            all.found[all.count++] = all.found[i];
    if (all.count == 0)
        return ERR_OK;
    qsort(all.found, all.count, sizeof *all.found, by_score);
    e = rank_candidates(q, &r->filter, &all, 1, r->env->index, RANKED_MAX,
                        PER_PAGE, a, out, count, ec);
    return e == ERR_NO_RESULT ? ERR_OK : e;
}
