/*
 * cited doctor, the front end: the service is asked over HTTP as its clients
 * ask it (--url). A key is made for that and revoked at the end, unless one
 * was given.
 */
#include "prog/cli_doctor.h"

#include "base/clock.h"
#include "base/id.h"
#include "base/str.h"
#include "base/url.h"
#include "store/account.h"

#include <string.h>

enum {
    ASK_MS = 60000,
    ANSWER_MAX = 1 << 20,
    KEY_FILE_MAX = 4096,
    BODY_SPARE = 1024, /* below limits.body_bytes */
    LARGE_BODY_MAX = 64 << 20,
    MARGIN_MS = 500, /* a deadline may be kept that much too early */
    CUT_MIN_MS = 900 /* no web server's time-out is shorter */
};

/* The service being asked. */
struct visit {
    struct doctor *d;
    struct conf conf; /* with the service's host allowed */
    struct http *http;
    const char *key;     /* or NULL */
    const char *made_id; /* of a key made here, or NULL */
};

/* --- one request ------------------------------------------------------- */

/* The service's own form of an error, or of /healthz? A front end's page
 * is not. */
static bool is_ours(const struct http_response *r)
{
    const char *z = buf_str(&r->body);

    return r->err == ERR_OK && z != NULL && z[0] == '{' &&
           ascii_starts_i(r->content_type, "application/json");
}

static bool says(const struct http_response *r, const char *text)
{
    return r->body.len > 0 &&
           mem_find(buf_str(&r->body), r->body.len, text) != NULL;
}

static void send(struct visit *v, const char *path, const char *body,
                 size_t body_len, struct http_response *res)
{
    struct arena *a = &v->d->cli->arena;
    const char *url = arena_printf(a, "%s%s", v->d->url, path);
    struct http_request rq = {.method = body == NULL ? "GET" : "POST",
                              .url = url == NULL ? "" : url,
                              .body = body,
                              .body_len = body_len,
                              .response_max = ANSWER_MAX};
    size_t n = 0;

    if (v->key != NULL)
        rq.headers[n++] = arena_printf(a, "Authorization: Bearer %s", v->key);
    if (body != NULL)
        rq.headers[n++] = "Content-Type: application/json";
    http_run(v->http, &rq, deadline_in(ASK_MS), res);
}

static const char *seen(struct doctor *d, const struct http_response *r)
{
    if (r->err != ERR_OK)
        return doctor_text(d, "%s",
                           r->msg[0] == '\0' ? err_name(r->err) : r->msg);
    return doctor_text(d, "status %ld%s", r->status,
                       is_ours(r) ? "" : ", not from the service");
}

/* --- the checks -------------------------------------------------------- */

static bool check_health(struct visit *v)
{
    struct doctor *d = v->d;
    struct http_response r;
    bool up;

    send(v, "/healthz", NULL, 0, &r);
    up = is_ours(&r) && r.status == 200 && says(&r, "\"status\"");
    if (!up && r.err != ERR_OK)
        doctor_bad(d, FOUND_SERVICE_SILENT, "%s: %s", d->url, seen(d, &r));
    else if (!up && (r.status == 502 || r.status == 503 || r.status == 504))
        doctor_bad(d, FOUND_SERVICE_AWAY, "%s: the web server answers %ld",
                   d->url, r.status);
    else if (!up)
        doctor_bad(d, FOUND_SERVICE_ELSEWHERE, "%s/healthz: %s", d->url,
                   seen(d, &r));
    else if (says(&r, "\"degraded\":[\""))
        doctor_bad(d, FOUND_SERVICE_DEGRADED, "%s says: %.300s", d->url,
                   buf_str(&r.body));
    else
        doctor_ok(d, "service", "%s answers", d->url);
    http_response_fini(&r);
    return up;
}

/* The service tells a key it does not know from none at all only by its
 * status; so the same key is looked up here. */
static bool check_key(struct visit *v)
{
    struct doctor *d = v->d;
    struct http_response r;
    bool ok;

    send(v, "/v1/research?pageSize=1", NULL, 0, &r);
    ok = r.err == ERR_OK && r.status == 200;
    if (ok)
        doctor_ok(d, "authorization", "a key is accepted");
    else if (r.err == ERR_OK && r.status == 401 && v->made_id != NULL) {
        doctor_bad(d, FOUND_KEY_NOT_PASSED, "a valid key is refused with 401");
        doctor_mend(d,
                    "Apache: CGIPassAuth On (or SetEnvIf Authorization). "
                    "nginx: do not clear HTTP_AUTHORIZATION. And compare "
                    "CITED_DATA_DIR of the service with %s",
                    d->cli->conf.data_dir);
    } else if (r.err == ERR_OK && r.status == 401) {
        doctor_bad(d, FOUND_KEY_REFUSED, "the key is refused with 401");
    } else {
        doctor_bad(d, FOUND_LIST_FAILED, "listing tasks: %s", seen(d, &r));
    }
    http_response_fini(&r);
    return ok;
}

/* A body just below our own limit, whose question is missing: the service
 * says 400 to it, at no cost. */
static void check_body(struct visit *v)
{
    struct doctor *d = v->d;
    int64_t max = d->cli->conf.body_max;
    size_t n = (size_t)(max < LARGE_BODY_MAX ? max : LARGE_BODY_MAX);
    struct http_response r;
    struct buf body;
    enum err e;

    n = n > 2 * BODY_SPARE ? n - BODY_SPARE : n / 2;
    buf_init(&body, LARGE_BODY_MAX + 64);
    e = buf_adds(&body, "{\"q\":\"\",\"pad\":\"");
    while (e == ERR_OK && body.len < n)
        e = buf_adds(&body, "xxxxxxxxxxxxxxxx");
    if (e == ERR_OK)
        e = buf_adds(&body, "\"}");
    if (e == ERR_OK) {
        send(v, "/v1/search", buf_str(&body), body.len, &r);
        if (is_ours(&r) && r.status == 400)
            doctor_ok(d, "body-size", "%lld KiB are let through",
                      (long long)(body.len >> 10));
        else
            doctor_bad(d, FOUND_BODY_CUT, "a request of %lld KiB: %s",
                       (long long)(body.len >> 10), seen(d, &r));
        http_response_fini(&r);
    }
    buf_fini(&body);
}

/* Did the web server give up before the service would have? The service
 * itself says 504 only at its own deadline; Apache says 500. */
static bool was_cut(const struct visit *v, const struct http_response *r,
                    int64_t ms)
{
    return ms < v->d->cli->conf.deadline_deep_ms - MARGIN_MS &&
           (!is_ours(r) || r->status == 504 ||
            (r->status == 500 && ms >= CUT_MIN_MS));
}

/* The whole way of a search, as deep as it goes. */
static void check_search(struct visit *v)
{
    static const char body[] =
        "{\"q\":\"what is a lighthouse\",\"depth\":\"deep\",\"outputType\":"
        "\"sourcedAnswer\"}";
    struct doctor *d = v->d;
    int64_t start = clock_mono_ms(), ms;
    struct http_response r;

    cli_progress(d->cli, "asking a question");
    send(v, "/v1/search", body, sizeof body - 1, &r);
    ms = clock_mono_ms() - start;
    if (is_ours(&r) && (r.status == 200 || r.status == 400))
        doctor_ok(d, "search", "answered with %ld in %lld ms", r.status,
                  (long long)ms);
    else if (was_cut(v, &r, ms)) {
        doctor_bad(d, FOUND_SEARCH_CUT, "a deep search: %s after %lld ms",
                   seen(d, &r), (long long)ms);
        doctor_mend(d,
                    "Raise it above %lld s: fastcgi_read_timeout (nginx), "
                    "FcgidIOTimeout (Apache), read-timeout (lighttpd); or "
                    "lower search.deadline_deep_ms.",
                    (long long)(d->cli->conf.deadline_deep_ms / 1000 + 13));
    } else {
        doctor_bad(d, FOUND_SEARCH_FAILED, "a search: status %ld: %.200s",
                   r.status, buf_str(&r.body));
    }
    http_response_fini(&r);
}

/* A data folder below the web server's own is served to everybody. */
static void check_leak(struct visit *v)
{
    static const char *const paths[] = {"/state.db", "/var/state.db",
                                        "/data/state.db"};
    bool leaks = false;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct http_response r;

        send(v, paths[i], NULL, 0, &r);
        if ((r.err == ERR_OK || r.err == ERR_TOO_LARGE) && r.body.len >= 15 &&
            memcmp(buf_str(&r.body), "SQLite format 3", 15) == 0) {
            leaks = true;
            doctor_bad(v->d, FOUND_DATA_SERVED, "%s%s can be downloaded",
                       v->d->url, paths[i]);
        }
        http_response_fini(&r);
    }
    if (!leaks)
        doctor_ok(v->d, "leak", "the databases are not served");
}

/* --- the key ----------------------------------------------------------- */

static void take_key(struct visit *v)
{
    struct cli *cli = v->d->cli;
    struct errctx ec = {ERR_OK, ""};
    struct buf b;

    buf_init(&b, KEY_FILE_MAX);
    if (cli_read(v->d->key_file, &b, &ec) == ERR_OK)
        v->key = arena_strndup(&cli->arena, buf_str(&b),
                               strcspn(buf_str(&b), "\r\n"));
    else
        doctor_bad(v->d, FOUND_NO_KEY_FILE, "%s", ec.msg);
    buf_fini(&b);
}

/* A key of the first account in use, for the time of asking. */
static void make_key(struct visit *v)
{
    struct cli *cli = v->d->cli;
    struct errctx ec = {ERR_OK, ""};
    struct account *all = NULL;
    char *key = arena_alloc(&cli->arena, KEY_LEN + 1);
    size_t n = 0, i = 0;

    if (key == NULL || v->d->state_fault != DB_SOUND || !cli_open_store(cli) ||
        account_list(cli->store.state, &cli->arena, &all, &n, &ec) != ERR_OK)
        return;
    while (i < n && all[i].disabled)
        i++;
    if (i < n &&
        key_create(cli->store.state, all[i].id, "cited doctor", clock_now_ms(),
                   key, &v->made_id, &cli->arena, &ec) == ERR_OK)
        v->key = key;
}

static void drop_key(struct visit *v)
{
    struct errctx ec = {ERR_OK, ""};

    if (v->made_id != NULL && key_revoke(v->d->cli->store.state, 0, v->made_id,
                                         clock_now_ms(), &ec) != ERR_OK)
        cli_note(v->d->cli, "The key %s could not be revoked: %s", v->made_id,
                 ec.msg);
}

/* --- the visit --------------------------------------------------------- */

/* Canonical, without final '/' and /v1; its host may be a private one. */
static bool ready(struct visit *v)
{
    struct doctor *d = v->d;
    struct arena *a = &d->cli->arena;
    struct errctx ec = {ERR_OK, ""};
    struct url u;
    size_t n;

    if (url_parse(d->url, strlen(d->url), NULL, a, &u, &ec) != ERR_OK) {
        doctor_bad(d, FOUND_URL_WRONG, "%s: %s", d->url, ec.msg);
        return false;
    }
    n = strlen(u.href);
    n -= n > 0 && u.href[n - 1] == '/';
    n -= n >= 3 && strncmp(u.href + n - 3, "/v1", 3) == 0 ? 3u : 0u;
    d->url = arena_strndup(a, u.href, n);
    v->conf = d->cli->conf;
    v->conf.allow_hosts = arena_printf(a, "%s:%d", u.host, u.port);
    if (d->url == NULL || v->conf.allow_hosts == NULL ||
        http_new(&v->conf, &v->http) != ERR_OK) {
        doctor_bad(d, FOUND_NO_CLIENT, "no HTTP client can be started");
        return false;
    }
    return true;
}

void doctor_check_service(struct doctor *d)
{
    struct visit v = {.d = d};

    if (d->url == NULL) {
        doctor_ok(d, "service", "not asked: give its address with --url");
        return;
    }
    if (!ready(&v))
        return;
    cli_progress(d->cli, "asking %s", d->url);
    if (check_health(&v)) {
        check_leak(&v);
        if (d->key_file != NULL)
            take_key(&v);
        else
            make_key(&v);
        if (v.key != NULL && check_key(&v)) {
            check_body(&v);
            check_search(&v);
        }
        drop_key(&v);
    }
    http_free(v.http);
}
