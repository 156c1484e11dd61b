/* Steps as JSON; see steps.h. What resume.c reads back is written here. */
#include "research/steps.h"

#include "base/clock.h"

#include <string.h>

enum { PAGES_NAMED = 16, STEP_BYTES_MAX = 256 << 10 };

static const char *end_json(struct buf *b, struct json_out *w, struct arena *a,
                            int64_t since)
{
    const char *z;

    jw_kint(w, "ms", clock_mono_ms() - since);
    jw_object_end(w);
    z = buf_err(b) == ERR_OK ? arena_strdup(a, buf_str(b)) : NULL;
    buf_fini(b);
    return z;
}

const char *steps_plan(const struct plan *p, struct arena *a, int64_t since)
{
    static const char *const modes[] = {"auto", "answer", "investigate",
                                        "research"};
    struct buf b;
    struct json_out w;

    buf_init(&b, STEP_BYTES_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    jw_kstring(&w, "mode", modes[p->mode]);
    jw_kstring(&w, "subject", p->subject);
    jw_kint(&w, "lead", (int64_t)p->lead);
    jw_key(&w, "questions");
    jw_array(&w);
    for (size_t i = 0; i < p->count; i++) {
        jw_object(&w);
        jw_kstring(&w, "title", p->subs[i].title);
        jw_kstring(&w, "question", p->subs[i].question);
        jw_kstring(&w, "topic", p->subs[i].topic);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    return end_json(&b, &w, a, since);
}

static void write_pages(struct json_out *w, const struct found *f)
{
    size_t named = 0;

    jw_key(w, "pages");
    jw_array(w);
    for (size_t i = 0; i < f->count && named < PAGES_NAMED; i++) {
        bool again = false;

        for (size_t j = 0; j < i && !again; j++)
            again = strcmp(f->rows[j].url, f->rows[i].url) == 0;
        if (again)
            continue;
        jw_string(w, f->rows[i].url);
        named++;
    }
    jw_array_end(w);
}

const char *steps_search(const struct run *r, const struct run_query *q,
                         const struct found *f, struct arena *a, int64_t since)
{
    struct buf b;
    struct json_out w;

    buf_init(&b, STEP_BYTES_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    jw_kint(&w, "round", q->round);
    jw_kint(&w, "sub", (int64_t)q->sub);
    jw_kstring(&w, "question", r->plan.subs[q->sub].question);
    jw_kstring(&w, "query", q->text);
    jw_kint(&w, "found", (int64_t)f->candidates);
    jw_kint(&w, "kept", (int64_t)f->count);
    write_pages(&w, f);
    if (*f->failed != '\0')
        jw_kstring(&w, "failed", f->failed);
    return end_json(&b, &w, a, since);
}

const char *steps_gap(const struct run *r, const struct gap *g, const char *end,
                      struct arena *a, int64_t since)
{
    struct buf b;
    struct json_out w;

    buf_init(&b, STEP_BYTES_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    jw_kint(&w, "round", r->round);
    jw_kint(&w, "new", (int64_t)r->news);
    jw_key(&w, "gaps");
    jw_array(&w);
    for (size_t i = 0; i < r->plan.count; i++)
        if (g->open[i])
            jw_int(&w, (int64_t)i);
    jw_array_end(&w);
    jw_key(&w, "queries");
    jw_array(&w);
    for (size_t i = 0; i < g->count; i++) {
        jw_object(&w);
        jw_kint(&w, "sub", (int64_t)g->query[i].sub);
        jw_kstring(&w, "query", g->query[i].text);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    jw_kstring(&w, "end", end);
    return end_json(&b, &w, a, since);
}
