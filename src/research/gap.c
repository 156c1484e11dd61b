/* Gaps and what is read next; see gap.h. */
#include "research/gap.h"

#include <string.h>

enum { PASSAGES_ENOUGH = 2 };

/* --- gaps -------------------------------------------------------------- */

static bool has_own_page(const struct run *r, size_t sub)
{
    for (size_t i = 0; i < r->evidence_count; i++) {
        bool shared = false;

        if (r->evidence[i].sub != (int64_t)sub)
            continue;
        for (size_t j = 0; j < r->evidence_count && !shared; j++)
            shared = r->evidence[j].sub != (int64_t)sub &&
                     strcmp(r->evidence[j].url, r->evidence[i].url) == 0;
        if (!shared)
            return true;
    }
    return false;
}

static bool has_gap(const struct run *r, size_t sub)
{
    return run_passages(r, sub) < PASSAGES_ENOUGH || !has_own_page(r, sub);
}

/* --- pages that were named ----------------------------------------------- */

static bool is_queued(const struct run *r, size_t sub, const char *url)
{
    for (size_t i = 0; i < r->queue_count; i++)
        for (size_t k = 0; k < r->queue[i].page_count; k++)
            if (r->queue[i].sub == sub &&
                strcmp(r->queue[i].pages[k], url) == 0)
                return true;
    return run_has_page(r, (int64_t)sub, url);
}

/* "dump.html, file.html": how a person sees what is read. */
static const char *tails_of(const char *const *urls, size_t count,
                            struct arena *a)
{
    const char *z = "";

    for (size_t i = 0; i < count && z != NULL; i++) {
        const char *tail = strrchr(urls[i], '/');

        z = arena_printf(a, "%s%s%s", z, i == 0 ? "" : ", ",
                         tail == NULL || tail[1] == '\0' ? urls[i] : tail + 1);
    }
    return z;
}

/* The pages named in the round that ended, the most named first. */
static enum err named_query(const struct run *r, size_t sub, struct arena *a,
                            struct gap_query *out)
{
    size_t max = run_share(r, r->budget.named);
    const char **urls = arena_array(a, max + 1, sizeof *urls);

    *out = (struct gap_query){.sub = sub, .pages = urls};
    if (urls == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < r->queue_count; i++) {
        const struct run_query *q = &r->queue[i];

        if (q->sub != sub || q->round != r->round)
            continue;
        for (size_t k = 0; k < q->name_count && out->page_count < max; k++)
            if (!is_queued(r, sub, q->names[k]))
                urls[out->page_count++] = q->names[k];
    }
    out->text = tails_of(urls, out->page_count, a);
    return out->text == NULL ? ERR_NOMEM : ERR_OK;
}

enum err gap_find(const struct run *r, bool want_queries, struct arena *a,
                  struct gap *out)
{
    size_t room = (size_t)r->budget.queries;

    memset(out, 0, sizeof *out);
    room = room > r->queue_count ? room - r->queue_count : 0;
    for (size_t i = 0; i < r->plan.count; i++) {
        struct gap_query *q = &out->query[out->count];
        enum err e = ERR_OK;

        out->open[i] = has_gap(r, i);
        out->open_count += out->open[i];
        if (!want_queries || out->count >= room)
            continue;
        if (r->plan.mode != MODE_ANSWER)
            e = named_query(r, i, a, q);
        out->count += e == ERR_OK && q->page_count > 0;
        if (e != ERR_OK)
            return e;
    }
    return ERR_OK;
}
