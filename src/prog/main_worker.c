/*
 * `cited-worker`, the research helper: claims tasks and works on them until
 * none is left (worker.h). With --crawl it does one crawl instead
 * (crawler.h). May be killed at any instruction: what it held is taken by
 * another when its lease has run out.
 */
#include "base/conf.h"
#include "base/id.h"
#include "base/log.h"
#include "base/version.h"
#include "find/vectors_make.h"
#include "net/http.h"
#include "prog/worker.h"
#include "run/crawler.h"
#include "run/vectors_keep.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    pthread_sigmask(SIG_BLOCK, set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* Of what is new: those of words here, the encoder's by another process. */
static void make_vectors(struct helper *h, struct db *index)
{
    struct errctx ec = {ERR_OK, ""};

    if (vectors_make_words(&h->conf, index, NULL, &ec) != ERR_OK)
        log_warn(NULL, "no vectors of words: %s", ec.msg);
    vectors_start(&h->conf);
}

/* The crawl of --crawl; the exit status. */
static int run_crawl(struct helper *h, const sigset_t *set, struct errctx *ec)
{
    struct crawler c = {.conf = &h->conf,
                        .files = &h->files,
                        .pdf = &h->pdf,
                        .meter = h->meter};

    struct store store = {NULL, NULL};

    if (crawler_run(&c, h->o.crawl, set, ec) != ERR_OK)
        return 1;
    if (store_open(&h->files, &store, ec) == ERR_OK)
        make_vectors(h, store.index);
    store_close(&store);
    return 0;
}

/* The vectors of passages; the exit status. Signals end it at once. */
static int run_vectors(struct helper *h, const sigset_t *set, struct errctx *ec)
{
    struct store store = {NULL, NULL};
    enum err e = store_open(&h->files, &store, ec);

    pthread_sigmask(SIG_UNBLOCK, set, NULL);
    if (e == ERR_OK)
        e = vectors_make_words(&h->conf, store.index, NULL, ec);
    if (e == ERR_OK)
        e = vectors_keep(&h->conf, store.index, ec);
    store_close(&store);
    return e == ERR_OK ? 0 : 1;
}

/* The tasks; the exit status. */
static int run_tasks(struct helper *h, const sigset_t *set, struct errctx *ec)
{
    struct store store = {NULL, NULL};
    int status = 1;

    if (provider_set_new(&h->conf, &h->providers, ec) == ERR_OK &&
        model_new(&h->conf, &h->model, ec) == ERR_OK &&
        relevance_new(&h->conf, &h->relevance, ec) == ERR_OK) {
        provider_set_count_in(h->providers, h->meter);
        model_count_in(h->model, h->meter);
        relevance_count_in(h->relevance, h->meter);
        h->app = (struct app){.conf = &h->conf,
                              .files = &h->files,
                              .providers = h->providers,
                              .model = h->model,
                              .relevance = h->relevance,
                              .pdf = &h->pdf,
                              .meter = h->meter};
        if (store_open(&h->files, &store, ec) == ERR_OK) {
            status = worker_run(h, store.state, set);
            if (h->o.mode == MODE_SWEEP)
                make_vectors(h, store.index);
            store_close(&store);
        }
    }
    relevance_free(h->relevance);
    model_free(h->model);
    provider_set_free(h->providers);
    return status;
}

static int open_and_run(struct helper *h, const sigset_t *set,
                        struct errctx *ec)
{
    int status = 1;

    if (store_files_open(&h->conf, &h->files, ec) != ERR_OK)
        return 1;
    pdf_reader_init(&h->pdf, &h->conf);
    if (meter_open(&h->conf, &h->meter) == ERR_OK)
        status = h->o.mode == MODE_CRAWL     ? run_crawl(h, set, ec)
                 : h->o.mode == MODE_VECTORS ? run_vectors(h, set, ec)
                                             : run_tasks(h, set, ec);
    meter_free(h->meter);
    store_files_close(&h->files);
    return status;
}

static int start(struct helper *h)
{
    const char *data = h->o.data != NULL ? h->o.data : getenv("CITED_DATA");
    struct errctx ec = {ERR_OK, ""};
    pthread_condattr_t attr;
    sigset_t set;
    int status = 1;

    if (data != NULL && *data == '\0')
        data = NULL;
    block_signals(&set);
    if (conf_load(&h->conf, h->o.conf, data, environ, &ec) != ERR_OK) {
        fprintf(stderr, "cited-worker: %s\n", ec.msg);
        return 1;
    }
    log_set_level_named(h->conf.log_level);
    pthread_mutex_init(&h->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&h->work, &attr);
    pthread_condattr_destroy(&attr);
    status = open_and_run(h, &set, &ec);
    http_global_fini();
    if (status != 0 && ec.msg[0] != '\0')
        fprintf(stderr, "cited-worker: %s\n", ec.msg);
    pthread_cond_destroy(&h->work);
    pthread_mutex_destroy(&h->lock);
    conf_fini(&h->conf);
    return status;
}

static int usage(FILE *f)
{
    fputs("Usage: cited-worker [--conf FILE] [--data DIR] [--sweep | --stay | "
          "--once ID | --crawl ID |\n                    --vectors]\n\n"
          "  --sweep    work on what waits, then leave (the default)\n"
          "  --stay     wait for tasks until stopped\n"
          "  --once ID  work on this task only\n"
          "  --crawl ID do this crawl, started over the API\n"
          "  --vectors  make vectors of passages that have none, then leave\n"
          "  --version, --help\n",
          f);
    return f == stdout ? 0 : 2;
}

/* 0 to go on, else the exit status + 1. */
static int read_options(struct options *o, int argc, char **argv)
{
    static const struct option options[] = {
        {"conf", required_argument, NULL, 'c'},
        {"data", required_argument, NULL, 'd'},
        {"sweep", no_argument, NULL, 's'},
        {"stay", no_argument, NULL, 't'},
        {"once", required_argument, NULL, 'o'},
        {"crawl", required_argument, NULL, 'w'},
        {"vectors", no_argument, NULL, 'm'},
        {"version", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    int c;

    while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (c == 'c')
            o->conf = optarg;
        else if (c == 'd')
            o->data = optarg;
        else if (c == 's')
            o->mode = MODE_SWEEP;
        else if (c == 't')
            o->mode = MODE_STAY;
        else if (c == 'm')
            o->mode = MODE_VECTORS;
        else if (c == 'v')
            return puts("cited-worker " CITED_VERSION) < 0 ? 2 : 1;
        else if (c == 'h')
            return usage(stdout) + 1;
        else if (c == 'o' && id_is_uuid(optarg)) {
            o->mode = MODE_ONCE;
            o->once = optarg;
        } else if (c == 'w' && id_is_uuid(optarg)) {
            o->mode = MODE_CRAWL;
            o->crawl = optarg;
        } else {
            return usage(stderr) + 1;
        }
    }
    return optind < argc ? usage(stderr) + 1 : 0;
}

int main(int argc, char **argv)
{
    struct helper *h = calloc(1, sizeof *h);
    int status;

    if (h == NULL)
        return 1;
    status = read_options(&h->o, argc, argv);
    status = status != 0 ? status - 1 : start(h);
    free(h);
    return status;
}
