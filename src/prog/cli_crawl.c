/*
 * `cited crawl URL…`: options to parameters, progress, the summary in words
 * or as JSON. The crawl itself is crawl/.
 */
#include "crawl/crawl.h"
#include "prog/cli.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REASONS_SHOWN = 20, LINE_EVERY_MS = 5000, PAGES_MAX = 100000000 };

/* --- options ------------------------------------------------------------- */

/* A host without a scheme is what people type. */
static const char *seed_of(struct cli *cli, const char *arg)
{
    return strstr(arg, "://") != NULL
               ? arg
               : arena_printf(&cli->arena, "https://%s", arg);
}

/* CLI_OK, or the status to leave with. The lists live as long as p. */
static int parse_args(struct cli *cli, int argc, char **argv,
                      struct crawl_params *p)
{
    struct cli_list *lists = arena_array(&cli->arena, 2, sizeof *lists);
    const char **seeds =
        arena_array(&cli->arena, (size_t)argc + 1, sizeof *seeds);
    bool no_sitemaps = false;
    const struct cli_option options[] = {
        CLI_SMALL("depth", &p->depth, 0, 1000),
        CLI_INT("pages", &p->pages, 1, PAGES_MAX),
        CLI_INT("delay", &p->delay_ms, 0, 600000),
        CLI_SMALL("parallel", &p->parallel, 1, 256),
        CLI_SMALL("per-host", &p->per_host, 1, 256),
        CLI_LIST("include", &lists[0], CLI_LIST_MAX),
        CLI_LIST("exclude", &lists[1], CLI_LIST_MAX),
        CLI_FLAG("subdomains", &p->subdomains),
        CLI_FLAG("no-sitemaps", &no_sitemaps),
        CLI_FLAG("ignore-robots", &p->ignore_robots),
        CLI_FLAG("fresh", &p->fresh),
        CLI_OPTIONS_END};

    if (lists == NULL || seeds == NULL)
        return cli_failf(cli, ERR_NOMEM, "out of memory");
    crawl_params_init(p, &cli->conf);
    p->pdf = &cli->pdf;
    if (!cli_options(cli, argc, argv, options))
        return CLI_USAGE;
    if (optind == argc)
        return cli_usage(cli, "no URL to begin with");
    for (int i = optind; i < argc; i++)
        seeds[p->seed_count++] = seed_of(cli, argv[i]);
    p->seeds = seeds;
    p->include = lists[0].item;
    p->include_count = lists[0].count;
    p->exclude = lists[1].item;
    p->exclude_count = lists[1].count;
    if (no_sitemaps)
        p->sitemaps = false;
    if (p->per_host > p->parallel)
        p->per_host = p->parallel;
    return CLI_OK;
}

/* --- progress ------------------------------------------------------------ */

struct watch {
    struct cli *cli;
    int64_t pages_max;
    int64_t line_ms; /* of the last line that is not on a terminal */
    /* For the rate: done at a time some seconds ago. */
    int64_t then_ms, then_done;
    double rate;
};

static int64_t done_of(const struct crawl_progress *p)
{
    return p->stored + p->unchanged + p->skipped + p->failed;
}

/* Pages a second over the last two seconds or so. */
static void update_rate(struct watch *w, const struct crawl_progress *p)
{
    int64_t span = p->elapsed_ms - w->then_ms;

    if (w->then_ms == 0 && w->then_done == 0)
        w->then_done = p->resumed ? done_of(p) : 0;
    if (span < 2000 && w->rate > 0)
        return;
    if (span <= 0)
        return;
    w->rate = (double)(done_of(p) - w->then_done) * 1000.0 / (double)span;
    w->then_ms = p->elapsed_ms;
    w->then_done = done_of(p);
}

/* "1 h 02 min", "3 min 05 s", "12 s" */
static void time_format(int64_t s, char *out, size_t size)
{
    if (s >= 3600)
        snprintf(out, size, "%" PRId64 " h %02d min", s / 3600,
                 (int)(s / 60 % 60));
    else if (s >= 60)
        snprintf(out, size, "%d min %02d s", (int)(s / 60), (int)(s % 60));
    else
        snprintf(out, size, "%d s", (int)s);
}

static void show(void *user, const struct crawl_progress *p)
{
    struct watch *w = user;
    int64_t left = p->queued;
    char time[32] = "?";

    update_rate(w, p);
    if (left > w->pages_max - p->stored - p->unchanged)
        left = w->pages_max - p->stored - p->unchanged;
    if (w->rate >= 0.01 && left >= 0)
        time_format((int64_t)((double)left / w->rate), time, sizeof time);
    if (!w->cli->terminal) {
        if (p->elapsed_ms - w->line_ms < LINE_EVERY_MS)
            return;
        w->line_ms = p->elapsed_ms;
    }
    cli_progress(w->cli,
                 "%" PRId64 " pages (%" PRId64 " unchanged, %" PRId64
                 " skipped, %" PRId64 " failed), %.1f/s, %" PRId64
                 " queued, %s left",
                 p->stored + p->unchanged, p->unchanged, p->skipped, p->failed,
                 w->rate, p->queued, time);
}

/* --- the summary --------------------------------------------------------- */

static int print_text(struct cli *cli, const struct crawl_summary *s)
{
    const struct crawl_progress *p = &s->progress;
    struct buf b;
    char time[32];
    int status;

    buf_init(&b, CLI_OUT_MAX);
    time_format(p->elapsed_ms / 1000, time, sizeof time);
    buf_addf(&b,
             "%" PRId64 " pages stored, %" PRId64 " unchanged, %" PRId64
             " skipped, %" PRId64 " failed; %.1f MB in %s",
             p->stored, p->unchanged, p->skipped, p->failed,
             (double)p->bytes / 1e6, time);
    for (size_t i = 0; i < s->reason_count && i < REASONS_SHOWN; i++) {
        const struct crawl_reason *r = &s->reasons[i];

        buf_addf(&b, "\n%8" PRId64 "  %s", r->count, r->reason);
        if (*r->example != '\0')
            buf_addf(&b, ", e.g. %s", r->example);
    }
    if (s->reason_count > REASONS_SHOWN)
        buf_addf(&b, "\n          and %zu more reasons (--json lists all)",
                 s->reason_count - REASONS_SHOWN);
    status = cli_print(cli, &b);
    buf_fini(&b);
    return status;
}

static int print_json(struct cli *cli, const struct crawl_summary *s)
{
    const struct crawl_progress *p = &s->progress;
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    jw_object(w);
    jw_kint(w, "stored", p->stored);
    jw_kint(w, "unchanged", p->unchanged);
    jw_kint(w, "skipped", p->skipped);
    jw_kint(w, "failed", p->failed);
    jw_kint(w, "queued", p->queued);
    jw_kint(w, "bytes", p->bytes);
    jw_kint(w, "elapsedMs", p->elapsed_ms);
    jw_kbool(w, "resumed", p->resumed);
    jw_kbool(w, "interrupted", s->interrupted);
    jw_karray(w, "reasons");
    for (size_t i = 0; i < s->reason_count; i++) {
        jw_object(w);
        jw_kstring(w, "reason", s->reasons[i].reason);
        jw_kint(w, "count", s->reasons[i].count);
        jw_kstring(w, "example", s->reasons[i].example);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
    return cli_json_end(cli, &j);
}

int cli_crawl(struct cli *cli, int argc, char **argv)
{
    struct crawl_params p;
    struct watch watch = {.cli = cli};
    struct crawl_summary sum;
    struct errctx ec = {ERR_OK, ""};
    int status = parse_args(cli, argc, argv, &p);
    enum err e;

    if (status != CLI_OK)
        return status;
    if (!cli_open_store(cli) || !cli_open_http(cli))
        return CLI_FAILED;
    watch.pages_max = p.pages;
    e = crawl_run(&cli->conf, cli->store.index, cli->http, &p, cli_catch_stop(),
                  show, &watch, &cli->arena, &sum, &ec);
    cli_progress_end(cli);
    if (e != ERR_OK)
        return cli_fail(cli, &ec);
    cli_vectors(cli);
    status = cli->json ? print_json(cli, &sum) : print_text(cli, &sum);
    if (sum.interrupted)
        cli_note(cli,
                 "interrupted with %" PRId64 " pages queued: run the same "
                 "command again%s to continue",
                 sum.progress.queued, p.fresh ? " without --fresh" : "");
    return sum.interrupted ? CLI_FAILED : status;
}
