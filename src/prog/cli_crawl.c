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

enum option_id {
    OPT_DEPTH = 256,
    OPT_PAGES,
    OPT_DELAY,
    OPT_PARALLEL,
    OPT_PER_HOST,
    OPT_INCLUDE,
    OPT_EXCLUDE,
    OPT_SUBDOMAINS,
    OPT_NO_SITEMAPS,
    OPT_IGNORE_ROBOTS,
    OPT_FRESH
};

static const struct option options[] = {
    {"depth", required_argument, NULL, OPT_DEPTH},
    {"pages", required_argument, NULL, OPT_PAGES},
    {"delay", required_argument, NULL, OPT_DELAY},
    {"parallel", required_argument, NULL, OPT_PARALLEL},
    {"per-host", required_argument, NULL, OPT_PER_HOST},
    {"include", required_argument, NULL, OPT_INCLUDE},
    {"exclude", required_argument, NULL, OPT_EXCLUDE},
    {"subdomains", no_argument, NULL, OPT_SUBDOMAINS},
    {"no-sitemaps", no_argument, NULL, OPT_NO_SITEMAPS},
    {"ignore-robots", no_argument, NULL, OPT_IGNORE_ROBOTS},
    {"fresh", no_argument, NULL, OPT_FRESH},
    {NULL, 0, NULL, 0},
};

/* --- options ------------------------------------------------------------- */

/* What the options said; the pattern lists have room for all of argv. */
struct wish {
    struct crawl_params p;
    const char **include, **exclude;
};

static bool take_int(struct cli *cli, const char *name, int64_t lo, int64_t hi,
                     int *out)
{
    int64_t v;

    if (!cli_parse_int(cli, name, optarg, lo, hi, &v))
        return false;
    *out = (int)v;
    return true;
}

/* False: told already. */
static bool take_option(struct cli *cli, struct wish *w, int id)
{
    struct crawl_params *p = &w->p;

    switch (id) {
    case OPT_DEPTH:
        return take_int(cli, "--depth", 0, 1000, &p->depth);
    case OPT_PAGES:
        return cli_parse_int(cli, "--pages", optarg, 1, PAGES_MAX, &p->pages);
    case OPT_DELAY:
        return cli_parse_int(cli, "--delay", optarg, 0, 600000, &p->delay_ms);
    case OPT_PARALLEL:
        return take_int(cli, "--parallel", 1, 256, &p->parallel);
    case OPT_PER_HOST:
        return take_int(cli, "--per-host", 1, 256, &p->per_host);
    case OPT_INCLUDE:
        w->include[p->include_count++] = optarg;
        return true;
    case OPT_EXCLUDE:
        w->exclude[p->exclude_count++] = optarg;
        return true;
    case OPT_SUBDOMAINS:
        return p->subdomains = true;
    case OPT_NO_SITEMAPS:
        p->sitemaps = false;
        return true;
    case OPT_IGNORE_ROBOTS:
        return p->ignore_robots = true;
    case OPT_FRESH:
        return p->fresh = true;
    default:
        cli_usage(cli, NULL);
        return false;
    }
}

static const char **list_new(struct cli *cli, int argc)
{
    return arena_array(&cli->arena, (size_t)argc + 1, sizeof(char *));
}

/* A host without a scheme is what people type. */
static const char *seed_of(struct cli *cli, const char *arg)
{
    return strstr(arg, "://") != NULL
               ? arg
               : arena_printf(&cli->arena, "https://%s", arg);
}

/* CLI_OK, or the status to leave with. */
static int parse_args(struct cli *cli, int argc, char **argv, struct wish *w)
{
    const char **seeds = list_new(cli, argc);
    int id;

    crawl_params_init(&w->p, &cli->conf);
    w->p.pdf = &cli->pdf;
    w->include = list_new(cli, argc);
    w->exclude = list_new(cli, argc);
    if (seeds == NULL || w->include == NULL || w->exclude == NULL)
        return cli_failf(cli, ERR_NOMEM, "out of memory");
    while ((id = getopt_long(argc, argv, "", options, NULL)) != -1)
        if (!take_option(cli, w, id))
            return CLI_USAGE;
    if (optind == argc)
        return cli_usage(cli, "no URL to begin with");
    for (int i = optind; i < argc; i++)
        seeds[w->p.seed_count++] = seed_of(cli, argv[i]);
    w->p.seeds = seeds;
    w->p.include = w->include;
    w->p.exclude = w->exclude;
    if (w->p.per_host > w->p.parallel)
        w->p.per_host = w->p.parallel;
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
    struct wish w = {.include = NULL};
    struct watch watch = {.cli = cli};
    struct crawl_summary sum;
    struct errctx ec = {ERR_OK, ""};
    int status = parse_args(cli, argc, argv, &w);
    enum err e;

    if (status != CLI_OK)
        return status;
    if (!cli_open_store(cli) || !cli_open_http(cli))
        return CLI_FAILED;
    watch.pages_max = w.p.pages;
    e = crawl_run(&cli->conf, cli->store.index, cli->http, &w.p,
                  cli_catch_stop(), show, &watch, &cli->arena, &sum, &ec);
    cli_progress_end(cli);
    if (e != ERR_OK)
        return cli_fail(cli, &ec);
    status = cli->json ? print_json(cli, &sum) : print_text(cli, &sum);
    if (sum.interrupted)
        cli_note(cli,
                 "interrupted with %" PRId64 " pages queued: run the same "
                 "command again%s to continue",
                 sum.progress.queued, w.p.fresh ? " without --fresh" : "");
    return sum.interrupted ? CLI_FAILED : status;
}
