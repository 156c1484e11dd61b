/*
 * The keys of the configuration; see conf_table.h. One row says everything
 * about a key: type, default, range and a sentence. The commented example
 * is printed from the same rows.
 */
#include "base/conf_table.h"

#include "base/str.h"
#include "base/version.h"

#include <string.h>

enum { KEY_HEADERS_MAX = 8 };
enum type { TYPE_INT, TYPE_BYTES, TYPE_BOOL, TYPE_TEXT };

struct conf_row {
    const char *section, *key;
    enum type type;
    size_t offset; /* of the member in struct conf */
    const char *fallback;
    int64_t min, max;    /* of numbers */
    const char *choices; /* TYPE_TEXT: words it may be, or NULL for any */
    const char *help;
};

#define INT(s, k, m, def, lo, hi, h)                                           \
    {                                                                          \
        s, k, TYPE_INT, offsetof(struct conf, m), def, lo, hi, NULL, h         \
    }
#define BYTES(s, k, m, def, lo, hi, h)                                         \
    {                                                                          \
        s, k, TYPE_BYTES, offsetof(struct conf, m), def, lo, hi, NULL, h       \
    }
#define BOOL(s, k, m, def, h)                                                  \
    {                                                                          \
        s, k, TYPE_BOOL, offsetof(struct conf, m), def, 0, 1, NULL, h          \
    }
#define TEXT(s, k, m, def, words, h)                                           \
    {                                                                          \
        s, k, TYPE_TEXT, offsetof(struct conf, m), def, 0, 0, words, h         \
    }

static const struct conf_row rows[] = {
    TEXT("data", "dir", data_dir, "./var", NULL,
         "Folder of the databases; made when it is missing."),

    TEXT("state", "database", database, "", NULL,
         "Where accounts, tasks and pages are kept: a postgresql:// address as "
         "libpq takes it, for several machines; empty for the files of the "
         "data folder."),
    INT("state", "behind", behind_s, "0", 0, 86400,
        "Seconds that this machine's index may be behind the pages in the "
        "database before /healthz answers 503, so that a balancer sends "
        "requests to other machines; 0 for no limit."),

    INT("server", "threads", threads, "32", 1, 256,
        "Threads that serve requests, each with its own database "
        "connections."),
    TEXT("server", "base_path", base_path, "", NULL,
         "Prefix the service is mounted under, such as /api; empty for the "
         "root."),
    INT("server", "queue", queue_max, "1024", 1, 65535,
        "Accepted connections that may wait for a thread."),
    TEXT("server", "cors_origins", cors_origins, "", NULL,
         "Origins of other sites whose pages may call the API, separated by "
         "commas."),
    TEXT("server", "key_headers", key_headers, "", NULL,
         "Request headers that may carry the API key besides Authorization, "
         "at most 8, separated by commas."),

    BOOL("clients", "searxng", clients_searxng, "true",
         "Answer GET /search?format=json as SearXNG does."),
    BOOL("clients", "tavily", clients_tavily, "true",
         "Answer POST /search and POST /extract as Tavily does."),
    BOOL("clients", "openai", clients_openai, "true",
         "Answer /v1/chat/completions, /v1/responses and /v1/models as OpenAI "
         "does."),
    BOOL("clients", "open_webui", clients_open_webui, "true",
         "Answer POST /external/search as Open WebUI wants it."),
    BOOL("clients", "path_key", clients_path_key, "false",
         "Take the API key from the path, /key/KEY/…, for programs that can be "
         "given nothing but an address. It is in the web server's log then."),

    TEXT("log", "level", log_level, "info", "debug info warn error off",
         "Least important level that is written to standard error."),

    INT("retention", "tasks_days", keep_tasks_days, "0", 0, 36500,
        "Days a finished research task is kept; 0 keeps it for ever."),
    INT("retention", "pages_days", keep_pages_days, "0", 0, 36500,
        "Days a page stays in the index after it was last fetched or found "
        "unchanged; 0 keeps it for ever."),

    BYTES("limits", "body_bytes", body_max, "1M", 1024, 64 << 20,
          "Largest request body."),
    BYTES("limits", "pages_bytes", pages_max, "16M", 1024, 64 << 20,
          "Largest request body with which operators put pages in; of a file "
          "too. The web server has a limit of its own."),
    INT("limits", "question_bytes", question_max, "8000", 1, 1 << 20,
        "Longest question q, in bytes of UTF-8."),
    INT("limits", "tasks_open", tasks_open_max, "1000", 1, 100000000,
        "Unfinished research tasks an account may have."),
    INT("limits", "rate_per_second", rate_per_second, "0", 0, 100000,
        "Requests a key may make in a second; 0 sets no limit."),
    INT("limits", "in_flight", in_flight, "24", 0, 256,
        "Requests of an account that are answered at once, fewer than "
        "server.threads so that some are left for others; 0 sets no limit."),
    INT("limits", "json_depth", depth_max, "64", 4, 512,
        "Deepest nesting of arrays and objects in a request."),

    TEXT("accounts", "registration", registration, "closed", "closed code open",
         "Who may make an account over the API: nobody, whoever knows the "
         "code, or everybody."),
    TEXT("accounts", "code", registration_code, "", NULL,
         "The code that registration = code asks for; while it is empty "
         "nobody knows it."),
    INT("accounts", "session_minutes", session_minutes, "60", 1, 43200,
        "Minutes a sign-in lasts."),

    TEXT("metrics", "allow", metrics_allow, "", NULL,
         "Addresses, separated by commas, that may read /metrics without an "
         "operator's key."),

    INT("search", "deadline_flash_ms", deadline_flash_ms, "2000", 50, 120000,
        "Most milliseconds a search of depth flash may take."),
    INT("search", "deadline_fast_ms", deadline_fast_ms, "4000", 50, 120000,
        "Most milliseconds a search of depth fast may take."),
    INT("search", "deadline_standard_ms", deadline_standard_ms, "10000", 50,
        120000, "Most milliseconds a search of depth standard may take."),
    INT("search", "deadline_deep_ms", deadline_deep_ms, "25000", 50, 120000,
        "Most milliseconds a search of depth deep may take; stay below the "
        "web server's own limit."),
    INT("search", "provider_timeout_ms", provider_timeout_ms, "3000", 50, 60000,
        "Milliseconds a search provider gets to answer."),
    BOOL("search", "index", use_index, "true",
         "Ask the embedded index of crawled and added pages."),

    TEXT("model", "url", model_url, "", NULL,
         "Base address of an OpenAI-compatible chat endpoint that writes "
         "answers, such as http://127.0.0.1:8080/v1; empty for none."),
    TEXT("model", "name", model_name, "", NULL,
         "Name of the model, as the endpoint calls it."),
    TEXT("model", "key", model_key, "", NULL,
         "Secret sent as a bearer token; empty for endpoints that want none."),
    INT("model", "timeout_ms", model_timeout_ms, "60000", 100, 600000,
        "Most milliseconds one call may take; the deadline of a search comes "
        "before it."),
    INT("model", "context_tokens", model_context, "8192", 1024, 10000000,
        "Tokens the model takes, question and answer together; what it is "
        "asked is cut to fit."),
    INT("model", "answer_tokens", model_answer, "1024", 64, 1000000,
        "Most tokens of one answer; a model that reasons aloud needs more."),
    BOOL("model", "entail", model_entail, "false",
         "Ask the model once more which of its statements follow from their "
         "quotes; those keep its words where nothing speaks against them."),

    TEXT("rerank", "url", rerank_url, "", NULL,
         "Base address of a rerank endpoint (Jina, Cohere, llama.cpp) that "
         "puts found passages in a better order; empty for none."),
    TEXT("rerank", "name", rerank_name, "", NULL,
         "Name of the model, as the endpoint calls it."),
    TEXT("rerank", "key", rerank_key, "", NULL,
         "Secret sent as a bearer token; empty for endpoints that want none."),
    INT("rerank", "timeout_ms", rerank_timeout_ms, "1500", 50, 60000,
        "Most milliseconds one call may take; then the order stays as it is."),

    TEXT("embeddings", "url", embeddings_url, "", NULL,
         "Base address of an OpenAI-compatible embeddings endpoint that does "
         "the same, when there is no rerank endpoint; empty for none."),
    TEXT("embeddings", "name", embeddings_name, "", NULL,
         "Name of the model, as the endpoint calls it."),
    TEXT("embeddings", "key", embeddings_key, "", NULL,
         "Secret sent as a bearer token; empty for endpoints that want none."),
    INT("embeddings", "timeout_ms", embeddings_timeout_ms, "1500", 50, 60000,
        "Most milliseconds one call may take; then the order stays as it is."),

    TEXT("meaning", "model", meaning_model, "auto", NULL,
         "File of the encoder that finds passages by what they mean, as make "
         "meaning writes it; auto for the one that was installed with the "
         "programs or made beside them, if any; empty for none."),

    INT("read", "pages", read_pages, "5", 0, 20,
        "Pages found by providers that a search of depth standard reads, a "
        "deep one up to twice as many; 0 reads none."),
    BOOL("read", "keep", read_keep, "true",
         "Put what was read into the index."),
    INT("read", "fresh_s", read_fresh_s, "3600", 0, 31536000,
        "Seconds a page in the index counts as fresh, where its server says "
        "nothing else; later it is asked for changes."),
    INT("read", "timeout_ms", read_timeout_ms, "4000", 100, 60000,
        "Milliseconds one page may take to read during a search."),
    TEXT("read", "pdftotext", pdftotext, "/usr/bin/pdftotext", NULL,
         "Program that turns PDF files into text (poppler-utils); empty for "
         "none."),

    INT("research", "workers", workers, "1", 0, 64,
        "Helper processes at once; with 0 the responder starts none and a "
        "service manager or cron has to."),
    INT("research", "parallel", worker_tasks, "2", 1, 64,
        "Tasks a helper works on at once."),
    INT("research", "lease_ms", lease_ms, "30000", 1000, 3600000,
        "Milliseconds without a sign of life after which another helper "
        "takes a task over."),
    INT("research", "attempts", attempts_max, "5", 1, 100,
        "Times a task is begun without getting any further before it counts "
        "as failed."),
    INT("research", "patience_ms", patience_ms, "600000", 0, 86400000,
        "Milliseconds a task is tried for at least while what it needs, such "
        "as a search provider, fails."),
    INT("research", "callback_timeout_ms", callback_ms, "10000", 100, 60000,
        "Milliseconds a callback address has to accept the record of a task."),
    TEXT("research", "worker", worker_path, "", NULL,
         "Path of the helper; empty for cited-worker beside the program."),

    TEXT("crawl", "user_agent", user_agent, "cited/" CITED_VERSION, NULL,
         "Name shown to the sites that are read; the contact is added to it."),
    TEXT("crawl", "contact", contact, "", NULL,
         "Mail address or URL where a site's owner reaches you."),
    INT("crawl", "delay_ms", crawl_delay_ms, "500", 0, 3600000,
        "Milliseconds between two requests to one host."),
    INT("crawl", "parallel", crawl_parallel, "8", 1, 256,
        "Connections in all."),
    INT("crawl", "per_host", crawl_per_host, "2", 1, 64,
        "Connections to one host."),
    INT("crawl", "depth", crawl_depth, "10", 0, 1000,
        "Links followed from a start page; 0 reads the start pages only."),
    INT("crawl", "pages", crawl_pages, "10000", 1, 100000000,
        "Most pages of one crawl."),
    BYTES("crawl", "page_bytes", page_bytes_max, "4M", 1024, 256 << 20,
          "Largest page that is read."),
    INT("crawl", "timeout_ms", fetch_timeout_ms, "20000", 100, 600000,
        "Milliseconds one page may take."),

    TEXT("net", "allow_hosts", allow_hosts, "", NULL,
         "Host names and addresses, separated by commas, that may be read "
         "although they are private."),
};

enum { ROWS = sizeof rows / sizeof rows[0] };
_Static_assert((int)ROWS <= (int)CONF_ROWS_MAX, "raise CONF_ROWS_MAX");

/* --- values -------------------------------------------------------------- */

static bool parse_bool(const char *z, bool *out)
{
    static const char *const words[] = {"false", "no",  "off", "0",
                                        "true",  "yes", "on",  "1"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ascii_casecmp(z, words[i]) == 0) {
            *out = i >= 4;
            return true;
        }
    return false;
}

/* A number with an optional k, M or G behind it (powers of 1024). */
static bool parse_bytes(const char *z, int64_t lo, int64_t hi, int64_t *out)
{
    static const char units[] = "kmg";
    size_t n = strlen(z);
    char digits[24];
    const char *unit;
    int64_t v;
    int shift = 0;

    if (n == 0 || n >= sizeof digits)
        return false;
    unit = strchr(units, ascii_lower(z[n - 1]));
    if (unit != NULL)
        shift = 10 * (int)(unit - units + 1);
    memcpy(digits, z, n + 1);
    if (unit != NULL)
        digits[n - 1] = '\0';
    if (!parse_int(digits, 0, hi >> shift, &v) || v << shift < lo)
        return false;
    *out = v << shift;
    return true;
}

/* Is z one of the words separated by spaces? */
static bool is_choice(const char *choices, const char *z)
{
    size_t n = strlen(z);

    for (const char *p = choices; *p != '\0';) {
        size_t len = strcspn(p, " ");

        if (len == n && memcmp(p, z, n) == 0)
            return true;
        p += len + (p[len] == ' ' ? 1 : 0);
    }
    return false;
}

/* Empty, or names of letters, digits and '-' between commas. */
static bool is_header_list(const char *z)
{
    for (int i = 0; *z != '\0' && i < KEY_HEADERS_MAX; i++) {
        size_t n = strcspn(z, ",");
        struct str name = str_trim((struct str){z, n});

        if (name.n == 0)
            return false;
        for (size_t k = 0; k < name.n; k++)
            if (!ascii_is_alnum((unsigned char)name.p[k]) && name.p[k] != '-')
                return false;
        z += n;
        if (*z == ',' && *++z == '\0')
            return false;
    }
    return *z == '\0';
}

/* A rule of one key that the table cannot say, or NULL. */
static const char *text_fault(const struct conf_row *r, const char *z)
{
    size_t n = strlen(z);

    if (!utf8_valid(z, n))
        return "valid UTF-8";
    if (r->offset == offsetof(struct conf, data_dir) && n == 0)
        return "the path of a folder";
    if (r->offset == offsetof(struct conf, database) && n > 0 &&
        strncmp(z, "postgresql://", 13) != 0 &&
        strncmp(z, "postgres://", 11) != 0)
        return "empty, or an address that begins with postgresql://";
    if (r->offset == offsetof(struct conf, base_path) && n > 0 &&
        (z[0] != '/' || z[n - 1] == '/' || strpbrk(z, " ?#\t") != NULL))
        return "empty, or begin with '/' and not end with one";
    if (r->offset == offsetof(struct conf, key_headers) && !is_header_list(z))
        return "names of request headers, at most 8, separated by commas";
    return NULL;
}

/* What a row allows, for messages and the example. */
static void describe(const struct conf_row *r, char *out, size_t size)
{
    switch (r->type) {
    case TYPE_INT:
        snprintf(out, size, "a whole number from %lld to %lld",
                 (long long)r->min, (long long)r->max);
        break;
    case TYPE_BYTES:
        snprintf(out, size, "bytes from %lld to %lld; k, M and G may follow",
                 (long long)r->min, (long long)r->max);
        break;
    case TYPE_BOOL:
        snprintf(out, size, "true or false");
        break;
    case TYPE_TEXT:
        snprintf(out, size, r->choices == NULL ? "text" : "one of: %s",
                 r->choices);
        break;
    }
}

static enum err bad_value(const struct conf_row *r, const char *z,
                          const char *where, const char *rule,
                          struct errctx *ec)
{
    char allowed[128];

    describe(r, allowed, sizeof allowed);
    return err_set(ec, ERR_INVALID, "%s: %s.%s must be %s, not \"%.60s\"",
                   where, r->section, r->key, rule == NULL ? allowed : rule, z);
}

enum err conf_row_set(struct conf *c, const struct conf_row *r, const char *z,
                      const char *where, struct errctx *ec)
{
    void *member = (char *)c + r->offset;
    const char *copy, *rule = NULL;
    bool ok = true;

    switch (r->type) {
    case TYPE_INT:
        ok = parse_int(z, r->min, r->max, member);
        break;
    case TYPE_BYTES:
        ok = parse_bytes(z, r->min, r->max, member);
        break;
    case TYPE_BOOL:
        ok = parse_bool(z, member);
        break;
    case TYPE_TEXT:
        rule = text_fault(r, z);
        ok = rule == NULL && (r->choices == NULL || is_choice(r->choices, z));
        if (!ok)
            break;
        copy = arena_strdup(&c->arena, z);
        if (copy == NULL)
            return err_set(ec, ERR_NOMEM, "%s: out of memory", where);
        memcpy(member, &copy, sizeof copy);
        break;
    }
    return ok ? ERR_OK : bad_value(r, z, where, rule, ec);
}

/* --- unknown names ------------------------------------------------------- */

enum err conf_row_unknown(const char *section, const char *key,
                          const char *where, struct errctx *ec)
{
    const struct conf_row *best = &rows[0];
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < ROWS; i++) {
        size_t d = 2 * str_distance(key, rows[i].key) +
                   str_distance(section, rows[i].section);

        if (d < least) {
            least = d;
            best = &rows[i];
        }
    }
    return err_set(ec, ERR_INVALID,
                   "%s: unknown key \"%.40s\" in section [%.40s]; the nearest "
                   "known key is \"%s\" in section [%s]",
                   where, key, section, best->key, best->section);
}

const struct conf_row *conf_row_find(const char *section, const char *key)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].section, section) == 0 &&
            strcmp(rows[i].key, key) == 0)
            return &rows[i];
    return NULL;
}

const struct conf_row *conf_row_at(size_t i)
{
    return i < ROWS ? &rows[i] : NULL;
}

size_t conf_row_count(void)
{
    return ROWS;
}

size_t conf_row_index(const struct conf_row *r)
{
    return (size_t)(r - rows);
}

enum err conf_row_default(struct conf *c, const struct conf_row *r,
                          struct errctx *ec)
{
    return conf_row_set(c, r, r->fallback, "default", ec);
}

/* --- names and the example ----------------------------------------------- */

void conf_env_name(const char *a, const char *b, char *out, size_t size)
{
    snprintf(out, size, "CITED_%s_%s", a, b);
    for (char *p = out; *p != '\0'; p++) {
        if (*p >= 'a' && *p <= 'z')
            *p = (char)(*p - 32);
        if (*p == '-')
            *p = '_';
    }
}

void conf_row_env(const struct conf_row *r, char *out, size_t size)
{
    conf_env_name(r->section, r->key, out, size);
}

static const char *setting_of(const struct conf_setting *set,
                              const struct conf_row *r)
{
    for (; set->section != NULL; set++)
        if (strcmp(set->section, r->section) == 0 &&
            strcmp(set->key, r->key) == 0)
            return set->value;
    return NULL;
}

void conf_print_example(FILE *f)
{
    static const struct conf_setting none = {NULL, NULL, NULL};

    conf_print(f, &none);
}

void conf_print(FILE *f, const struct conf_setting *set)
{
    const char *section = "";

    fputs("# Configuration of cited. Every key stands here with its default; "
          "none has to\n# be set. A variable of the environment wins over "
          "this file. A comment is a\n# line that begins with # or ;.\n",
          f);
    for (size_t i = 0; i < ROWS; i++) {
        const struct conf_row *r = &rows[i];
        char allowed[128], name[2 * CONF_WORD_MAX];
        const char *value = setting_of(set, r);

        if (strcmp(section, r->section) != 0) {
            section = r->section;
            fprintf(f, "\n[%s]\n", section);
        }
        describe(r, allowed, sizeof allowed);
        conf_env_name(r->section, r->key, name, sizeof name);
        fprintf(f, "\n# %s\n# Allowed: %s.\n# Environment: %s%s\n%s%s =%s%s\n",
                r->help, allowed, name,
                r->offset == offsetof(struct conf, data_dir)
                    ? ", or short CITED_DATA"
                    : "",
                value == NULL ? "#" : "", r->key,
                *(value == NULL ? r->fallback : value) == '\0' ? "" : " ",
                value == NULL ? r->fallback : value);
    }
    fputs(
        "\n# Search providers are sections of their own, [provider.NAME]; "
        "their keys are\n# in cited.conf(5). A line that begins with "
        "white space continues the value\n# above it. CITED_PROVIDER_NAME_KEY "
        "in the environment sets a key of a provider\n# that stands here, "
        "which keeps secrets out of the file.\n#\n#[provider.searxng]\n"
        "#use = searxng\n#base = http://127.0.0.1:8888\n#\n"
        "#[provider.wikipedia]\n#use = wikipedia\n",
        f);
}
