/*
 * The configuration: one table of keys, each with type, default, range and a
 * sentence; read from an INI file (inih), overridden by CITED_<SECTION>_<KEY>
 * in the environment. No file is needed. The table is also what prints the
 * commented example and what the manual page is checked against.
 *
 * Read-only after conf_load, so threads share it freely.
 */
#ifndef CITED_BASE_CONF_H
#define CITED_BASE_CONF_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CONF_PROVIDERS_MAX = 16, CONF_FIELDS_MAX = 32 };

/* A section [provider.NAME]: free keys, read by search/provider_json. A line
 * of the file that begins with white space continues the value above it (joined
 * by a line end); CITED_PROVIDER_<NAME>_<KEY> in the environment sets a key of
 * a provider that is in the file. */
struct conf_provider {
    const char *name;
    size_t count;
    const char *key[CONF_FIELDS_MAX];
    const char *value[CONF_FIELDS_MAX];
};

struct conf {
    struct arena arena; /* holds every string */
    const char *path;   /* the file that was read, or NULL */

    /* [data] */
    const char *data_dir; /* dir: "./var" */

    /* [state] */
    const char *database; /* database: "" or postgresql://… */
    int64_t behind_s;     /* behind: seconds, 0 none */

    /* [server] */
    int64_t threads;          /* threads: worker threads, 1-256, 32 */
    const char *base_path;    /* base_path: "" or "/prefix" */
    int64_t queue_max;        /* queue: accepted connections waiting, 1024 */
    const char *cors_origins; /* cors_origins: comma-separated, "" none */
    const char *key_headers;  /* key_headers: comma-separated, "" none */

    /* [clients] */
    bool clients_searxng;    /* searxng: GET /search */
    bool clients_tavily;     /* tavily: POST /search, /extract */
    bool clients_openai;     /* openai: /v1/chat/completions, /v1/responses */
    bool clients_open_webui; /* open_webui: POST /external/search */
    bool clients_path_key;   /* path_key: /key/KEY/… */

    /* [log] */
    const char *log_level; /* level: debug info warn error off */

    /* [retention] */
    int64_t keep_tasks_days; /* tasks_days: of finished tasks, 0 = for ever */
    int64_t keep_pages_days; /* pages_days: since last fetched, 0 = for ever */

    /* [limits] */
    int64_t body_max;        /* body_bytes: 1 MiB */
    int64_t pages_max;       /* pages_bytes: of POST /v1/pages, 16 MiB */
    int64_t question_max;    /* question_bytes: 8000 */
    int64_t tasks_open_max;  /* tasks_open: unfinished tasks an account, 1000 */
    int64_t rate_per_second; /* rate_per_second: requests a key, 0 = none */
    int64_t in_flight;       /* in_flight: of an account at once, 24 */
    int64_t depth_max;       /* json_depth: 64 */

    /* [accounts] */
    const char *registration;      /* registration: closed code open */
    const char *registration_code; /* code: a secret */
    int64_t session_minutes;       /* session_minutes: 60 */

    /* [metrics] */
    const char *metrics_allow; /* allow: addresses, comma-separated */

    /* [search] deadlines in milliseconds */
    int64_t deadline_flash_ms;    /* 2000 */
    int64_t deadline_fast_ms;     /* 4000 */
    int64_t deadline_standard_ms; /* 10000 */
    int64_t deadline_deep_ms;     /* 25000 */
    int64_t provider_timeout_ms;  /* 3000 */
    bool use_index;               /* index: ask the embedded index, true */

    /* [rerank] and [embeddings] */
    const char *rerank_url, *rerank_name, *rerank_key;
    int64_t rerank_timeout_ms; /* timeout_ms: of one call, 1500 */
    const char *embeddings_url, *embeddings_name, *embeddings_key;
    int64_t embeddings_timeout_ms; /* timeout_ms: of one call, 1500 */

    /* [meaning] */
    const char *meaning_model; /* model: the encoder's file; "" = none; what
                                * "auto" stands for, once loaded */

    /* [model] */
    const char *model_url;    /* url: "" = no model */
    const char *model_name;   /* name */
    const char *model_key;    /* key: a secret */
    int64_t model_timeout_ms; /* timeout_ms: of one call, 60000 */
    int64_t model_context;    /* context_tokens: 8192 */
    int64_t model_answer;     /* answer_tokens: 1024 */
    bool model_entail;        /* entail: false */

    /* [read] pages found by providers, read during a search */
    int64_t read_pages;      /* pages: 5, deep twice as many */
    bool read_keep;          /* keep: put them into the index, true */
    int64_t read_fresh_s;    /* fresh_s: 3600 */
    int64_t read_timeout_ms; /* timeout_ms: of one page, 4000 */
    const char *pdftotext;   /* pdftotext: path, "" = none */

    /* [research] */
    int64_t workers;         /* workers: helper processes at once; 0 = the
                                responder starts none; 1 */
    int64_t worker_tasks;    /* parallel: tasks at once in a helper, 2 */
    int64_t lease_ms;        /* lease_ms: 30000 */
    int64_t attempts_max;    /* attempts: 5 */
    int64_t patience_ms;     /* patience_ms: 600000 */
    int64_t callback_ms;     /* callback_timeout_ms: 10000 */
    const char *worker_path; /* worker: "" = cited-worker beside the program */

    /* [crawl] */
    const char *user_agent;   /* user_agent */
    const char *contact;      /* contact: mail or URL shown in User-Agent */
    int64_t crawl_delay_ms;   /* delay_ms: between requests to a host, 0-… */
    int64_t crawl_parallel;   /* parallel: connections in all */
    int64_t crawl_per_host;   /* per_host: connections to one host */
    int64_t crawl_depth;      /* depth */
    int64_t crawl_pages;      /* pages: most pages of a crawl */
    int64_t page_bytes_max;   /* page_bytes: 4 MiB */
    int64_t fetch_timeout_ms; /* timeout_ms */

    /* [net] */
    const char *allow_hosts; /* allow_hosts: comma-separated host names and
                                addresses that may be private */

    struct conf_provider provider[CONF_PROVIDERS_MAX];
    size_t provider_count;
};

/*
 * Fill c from defaults, then the file, then envp (NULL-terminated, the
 * program's environment). path NULL: CITED_CONF, else "cited.conf" in the
 * working directory, else /etc/cited/cited.conf, whichever exists first,
 * else none. data_dir not NULL overrides data.dir.
 *
 * ERR_INVALID names file, line and key: unknown section or key, value out of
 * range, with what is allowed and what was given. ERR_IO when a file that
 * was named cannot be read. conf_fini gives the strings back.
 */
MUST_CHECK enum err conf_load(struct conf *c, const char *path,
                              const char *data_dir, char *const envp[],
                              struct errctx *ec);
void conf_fini(struct conf *c);

/* A key that has a value of its own; section NULL: the end. */
struct conf_setting {
    const char *section, *key, *value;
};

/* The whole table as a commented file, in which the keys of set have their
 * values and all others stand with their defaults as comments. */
void conf_print(FILE *f, const struct conf_setting *set);

/* The whole table as a commented example file: deploy/cited.conf.example. */
void conf_print_example(FILE *f);

/* data_dir/name, from the arena. */
const char *conf_data_path(const struct conf *c, struct arena *a,
                           const char *name);

/* The value of a provider's key, or fallback. */
const char *conf_provider_get(const struct conf_provider *p, const char *key,
                              const char *fallback);

#endif
