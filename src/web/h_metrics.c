/* GET /metrics: the figures as Prometheus text (exposition format 0.0.4); see
 * handlers.h. */
#include "base/version.h"
#include "index/board.h"
#include "index/page.h"
#include "store/crawl_job.h"
#include "store/task.h"
#include "web/figures.h"
#include "web/handlers.h"

#include <stdlib.h>
#include <string.h>

static const struct family {
    const char *name, *help;
} counters[] = {
    {"cited_crawl_pages_total",
     "Pages of crawls started over the API, by what became of them."},
    {"cited_model_requests_total",
     "Calls of the model and its kin, by endpoint and outcome."},
    {"cited_provider_requests_total",
     "Requests to search providers, by outcome."},
    {"cited_requests_total", "Requests answered, by route, method and status."},
    {"cited_tasks_total",
     "Times a helper put down a task, by its type and how it went."},
};

struct figures {
    struct meter_count *counts;
    size_t count;
};

static int by_name(const void *name, const void *count)
{
    return strcmp(name, ((const struct meter_count *)count)->name);
}

static uint64_t value_of(const struct figures *f, const char *name)
{
    const struct meter_count *c =
        bsearch(name, f->counts, f->count, sizeof *f->counts, by_name);

    return c == NULL ? 0 : c->value;
}

static void write_counters(struct buf *b, const struct figures *f)
{
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        const char *name = counters[i].name;
        size_t n = strlen(name);

        buf_addf(b, "# HELP %s %s\n# TYPE %s counter\n", name, counters[i].help,
                 name);
        for (size_t k = 0; k < f->count; k++)
            if (strncmp(f->counts[k].name, name, n) == 0 &&
                f->counts[k].name[n] == '{')
                buf_addf(b, "%s %llu\n", f->counts[k].name,
                         (unsigned long long)f->counts[k].value);
    }
}

static void write_durations_of(struct buf *b, const struct figures *f,
                               const char *pattern)
{
    char name[METER_NAME_MAX];
    uint64_t count;

    snprintf(name, sizeof name, FIGURES_SECONDS "_count{route=\"%s\"}",
             pattern);
    count = value_of(f, name);
    if (count == 0)
        return;
    for (int i = 0; i < FIGURES_BOUNDS; i++) {
        figures_bucket_name(pattern, figures_bound_text[i], name);
        buf_addf(b, "%s %llu\n", name, (unsigned long long)value_of(f, name));
    }
    figures_bucket_name(pattern, "+Inf", name);
    buf_addf(b, "%s %llu\n", name, (unsigned long long)count);
    snprintf(name, sizeof name, FIGURES_SECONDS "_sum{route=\"%s\"}", pattern);
    buf_addf(b, "%s %.6f\n", name, (double)value_of(f, name) / 1e6);
    buf_addf(b, FIGURES_SECONDS "_count{route=\"%s\"} %llu\n", pattern,
             (unsigned long long)count);
}

static bool is_first(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(route_table[k].pattern, route_table[i].pattern) == 0)
            return false;
    return true;
}

static void write_durations(struct buf *b, const struct figures *f)
{
    buf_adds(b, "# HELP " FIGURES_SECONDS " Seconds from a request to its "
                "answer, by route.\n# TYPE " FIGURES_SECONDS " histogram\n");
    for (size_t i = 0; i < route_table_count; i++)
        if (is_first(i))
            write_durations_of(b, f, route_table[i].pattern);
    write_durations_of(b, f, "-");
}

/* --- what is, and is not counted --------------------------------------- */

struct levels {
    int64_t open, leased, running;
    struct index_size index;
    struct board_look board;
};

static enum err read_levels(struct call *c, struct levels *l)
{
    struct db *state = c->w->store.state;
    struct crawl_work crawls = {0};
    struct task_work work = {0};
    int64_t now = clock_now_ms();
    struct errctx *ec = &c->ec;
    enum err e = task_open_count(state, 0, &l->open, ec);

    if (e == ERR_OK)
        e = task_work(state, c->w->app->conf->lease_ms, now, &work, ec);
    if (e == ERR_OK)
        e = crawl_job_work(state, now, &crawls, ec);
    if (e == ERR_OK)
        e = index_size(c->w->store.index, &l->index, ec);
    if (*c->w->app->conf->database != '\0')
        board_look_once(c->w->app->conf, &l->board);
    l->leased = work.leased;
    l->running = crawls.open;
    return e;
}

static void write_level(struct buf *b, const char *name, const char *labels,
                        const char *help, int64_t v)
{
    if (help != NULL)
        buf_addf(b, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
    buf_addf(b, "%s%s %lld\n", name, labels, (long long)v);
}

static void write_levels(struct call *c, const struct levels *l)
{
    struct app *app = c->w->app;
    struct buf *b = &c->res->body;
    struct helpers at_work = {0, 0};

    if (app->helpers != NULL)
        app->helpers(app, &at_work);
    write_level(b, "cited_build_info", "{version=\"" CITED_VERSION "\"}",
                "The version that answers.", 1);
    write_level(b, "cited_metrics_shared", "",
                "1: counted by all processes together; 0: by this one alone.",
                meter_is_shared(app->meter));
    write_level(b, "cited_tasks", "{state=\"pending\"}", "Unfinished tasks.",
                l->open > l->leased ? l->open - l->leased : 0);
    write_level(b, "cited_tasks", "{state=\"processing\"}", NULL, l->leased);
    write_level(b, "cited_helpers", "", "Research helpers at work.",
                at_work.live);
    write_level(b, "cited_crawls_running", "",
                "Crawls started over the API that run.", l->running);
    write_level(b, "cited_index_pages", "", "Pages in the index.",
                l->index.pages);
    write_level(b, "cited_index_passages", "", "Passages in the index.",
                l->index.passages);
    write_level(b, "cited_index_bytes", "",
                "Size of the index: its database and segments.",
                l->index.file_bytes);
    write_level(b, "cited_index_segments", "", "Segments of the index.",
                l->index.segments);
    write_level(b, "cited_index_removed_passages", "",
                "Removed passages that stand in segments yet.",
                l->index.removed);
    write_level(b, "cited_index_missing_passages", "",
                "Passages that cannot be found until their segment is made "
                "again.",
                l->index.missing);
    if (*app->conf->database == '\0')
        return;
    write_level(b, "cited_pages_behind_seconds", "",
                "How long the first change of pages has been made that is not "
                "in this machine's index.",
                l->board.behind_ms / 1000);
    write_level(b, "cited_pages_behind_changes", "",
                "Changes of pages that are not in this machine's index.",
                l->board.changes);
}

enum err h_metrics(struct call *c)
{
    struct figures f = {
        arena_array(c->rq->arena, METER_NAMES_MAX, sizeof *f.counts), 0};
    struct levels l = {0};
    enum err e = f.counts == NULL ? ERR_NOMEM : read_levels(c, &l);

    if (e != ERR_OK)
        return e;
    f.count = meter_counts(c->w->app->meter, f.counts, METER_NAMES_MAX);
    c->res->type = "text/plain; version=0.0.4; charset=utf-8";
    write_levels(c, &l);
    write_counters(&c->res->body, &f);
    write_durations(&c->res->body, &f);
    return ERR_OK;
}
