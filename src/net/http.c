/*
 * HTTP clients behind http.h: one multi handle each, the allow list, the
 * pool, and the loop that moves transfers on.
 *
 * One client has one allow list for its whole life: a reused connection
 * skips the open-socket callback, so two policies must not share a client.
 */
#include "net/http.h"

#include "net/exchange.h"

#include <stdlib.h>
#include <string.h>

enum { REQUEST_ARENA_MAX = 8 * 1024 * 1024 };

/* --- the client ---------------------------------------------------------- */

/* Does the entry name a port of its own? Not the colons of a bare IPv6
 * address. */
static bool entry_has_port(struct str s)
{
    const char *bracket = memrchr(s.p, ']', s.n);
    const char *colon = memchr(s.p, ':', s.n);

    if (bracket != NULL)
        return memchr(bracket, ':', (size_t)(s.p + s.n - bracket)) != NULL;
    return colon != NULL &&
           memchr(colon + 1, ':', (size_t)(s.p + s.n - colon - 1)) == NULL;
}

/* One entry of net.allow_hosts: host, address, or either with ":port".
 * What cannot be a host allows nothing. */
static void allow_add(struct http *h, struct str s)
{
    struct url u;
    bool port = entry_has_port(s);
    bool bare6 =
        !port && s.n > 0 && s.p[0] != '[' && memchr(s.p, ':', s.n) != NULL;
    char *text = arena_printf(
        &h->arena, bare6 ? "http://[%.*s]/" : "http://%.*s/", (int)s.n, s.p);

    if (s.n == 0 || text == NULL ||
        url_parse(text, strlen(text), NULL, &h->arena, &u, NULL) != ERR_OK)
        return;
    h->allow[h->allow_count].host = u.host;
    h->allow[h->allow_count].port = port ? u.port : 0;
    h->allow_count++;
}

static enum err allow_parse(struct http *h, const char *list)
{
    size_t commas = 0;

    for (const char *p = list; *p != '\0'; p++)
        commas += *p == ',';
    h->allow = arena_array(&h->arena, commas + 1, sizeof *h->allow);
    if (h->allow == NULL)
        return ERR_NOMEM;
    while (true) {
        size_t n = strcspn(list, ",");
        struct str entry = {list, n};

        allow_add(h, str_trim(entry));
        if (list[n] == '\0')
            break;
        list += n + 1;
    }
    return arena_failed(&h->arena) ? ERR_NOMEM : ERR_OK;
}

bool http_has_control(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((unsigned char)p[i] < 0x20 && p[i] != '\t') || p[i] == 0x7F)
            return true;
    return false;
}

static enum err agent_set(struct http *h, const struct conf *c)
{
    const char *name = c->user_agent;
    const char *contact = c->contact;

    if (name == NULL || *name == '\0' || http_has_control(name, strlen(name)))
        name = "cited";
    if (contact != NULL && *contact != '\0' &&
        !http_has_control(contact, strlen(contact)))
        h->user_agent = arena_printf(&h->arena, "%s (+%s)", name, contact);
    else
        h->user_agent = arena_strdup(&h->arena, name);
    return h->user_agent == NULL ? ERR_NOMEM : ERR_OK;
}

enum err http_new(const struct conf *c, struct http **out)
{
    enum err e = curl_load();
    struct http *h;

    if (e != ERR_OK)
        return e;
    h = calloc(1, sizeof *h);
    if (h == NULL)
        return ERR_NOMEM;
    arena_init(&h->arena, 1024 * 1024);
    h->done_tail = &h->done;
    e = allow_parse(h, c->allow_hosts == NULL ? "" : c->allow_hosts);
    if (e == ERR_OK)
        e = agent_set(h, c);
    if (e == ERR_OK && (h->multi = curl_multi_init()) == NULL)
        e = ERR_NOMEM;
    if (e != ERR_OK) {
        http_free(h);
        return e;
    }
    *out = h;
    return ERR_OK;
}

void http_free(struct http *h)
{
    if (h == NULL)
        return;
    http_abort(h);
    while (h->idle_count > 0)
        curl_easy_cleanup(h->idle[--h->idle_count]);
    if (h->multi != NULL)
        curl_multi_cleanup(h->multi);
    arena_fini(&h->arena);
    free(h);
}

bool http_host_is_allowed(const struct http *h, const struct url *u)
{
    for (size_t i = 0; i < h->allow_count; i++)
        if (strcmp(h->allow[i].host, u->host) == 0 &&
            (h->allow[i].port == 0 || h->allow[i].port == u->port))
            return true;
    return false;
}

/* --- the end of an exchange ---------------------------------------------- */

static void handle_give_back(struct http *h, CURL *c)
{
    if (h->idle_count < HTTP_IDLE_HANDLES_MAX)
        h->idle[h->idle_count++] = c;
    else
        curl_easy_cleanup(c);
}

static CURL *handle_take(struct http *h)
{
    if (h->idle_count > 0)
        return h->idle[--h->idle_count];
    return curl_easy_init();
}

static void active_remove(struct exchange *x)
{
    struct exchange **p = &x->http->active;

    while (*p != NULL && *p != x)
        p = &(*p)->next;
    if (*p != NULL)
        *p = x->next;
    x->next = NULL;
}

/* Everything but the response. */
static void exchange_free(struct exchange *x)
{
    if (x->easy != NULL) {
        curl_multi_remove_handle(x->http->multi, x->easy);
        handle_give_back(x->http, x->easy);
    }
    curl_slist_free_all(x->headers);
    arena_fini(&x->arena);
    free(x);
}

void exchange_finish(struct exchange *x, enum err e, const char *msg)
{
    struct http *h = x->http;

    active_remove(x);
    http_response_fail(&x->res, e, msg);
    if (x->url.href != NULL) {
        char *copy = strdup(x->url.href);

        if (copy != NULL)
            x->res.url = copy;
        else
            http_response_fail(&x->res, ERR_NOMEM, "out of memory");
    }
    if (x->out != NULL) {
        *x->out = x->res;
        h->waiting--;
        exchange_free(x);
        return;
    }
    h->in_flight--;
    h->done_count++;
    *h->done_tail = x;
    h->done_tail = &x->next;
}

static bool collect(struct http *h)
{
    bool any = false;
    CURLMsg *m;
    int left;

    while ((m = curl_multi_info_read(h->multi, &left)) != NULL) {
        struct exchange *x = NULL;
        CURLcode code = m->data.result;

        if (m->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &x);
        exchange_hop_done(x, code);
        any = true;
    }
    return any;
}

/* Move every transfer on, waiting at most timeout_ms for something to do. */
static void drive(struct http *h, int timeout_ms)
{
    int running = 0;

    if (curl_multi_perform(h->multi, &running) != CURLM_OK)
        return;
    if (collect(h) || timeout_ms <= 0)
        return;
    curl_multi_poll(h->multi, NULL, 0, timeout_ms, NULL);
    curl_multi_perform(h->multi, &running);
    collect(h);
}

/* --- beginning an exchange ----------------------------------------------- */

static enum err request_copy(struct exchange *x, const struct http_request *rq)
{
    x->method = rq->method != NULL ? arena_strdup(&x->arena, rq->method)
                : rq->body != NULL ? "POST"
                                   : "GET";
    for (int i = 0; i < HTTP_HEADERS_MAX && rq->headers[i] != NULL; i++)
        x->header[i] = arena_strdup(&x->arena, rq->headers[i]);
    if (rq->body != NULL)
        x->body = arena_strndup(&x->arena, rq->body, rq->body_len);
    x->body_len = rq->body_len;
    x->redirects_left = rq->redirects_max;
    x->follow = rq->redirects_max > 0;
    x->same_host = rq->same_host;
    x->user = rq->user;
    return arena_failed(&x->arena) ? ERR_NOMEM : ERR_OK;
}

static enum err request_check(struct exchange *x, const struct http_request *rq,
                              struct errctx *ec)
{
    for (int i = 0; i < HTTP_HEADERS_MAX && rq->headers[i] != NULL; i++)
        if (http_has_control(rq->headers[i], strlen(rq->headers[i])))
            return err_set(ec, ERR_INVALID, "control character in a header");
    if (rq->url == NULL)
        return err_set(ec, ERR_INVALID, "no URL");
    if (exchange_is_foreign(rq->url))
        return err_set(ec, ERR_FORBIDDEN, "a scheme other than http(s)");
    return url_parse(rq->url, strlen(rq->url), NULL, &x->arena, &x->url, ec);
}

static struct exchange *
exchange_new(struct http *h, const struct http_request *rq, struct deadline d)
{
    struct exchange *x = calloc(1, sizeof *x);

    if (x == NULL)
        return NULL;
    x->http = h;
    x->deadline = d;
    arena_init(&x->arena, REQUEST_ARENA_MAX);
    http_response_init(&x->res, rq->response_max);
    x->easy = handle_take(h);
    if (x->easy == NULL || request_copy(x, rq) != ERR_OK) {
        exchange_free(x);
        return NULL;
    }
    return x;
}

static void begin(struct exchange *x, const struct http_request *rq)
{
    struct errctx ec = {ERR_OK, ""};
    enum err e;

    x->next = x->http->active;
    x->http->active = x;
    e = request_check(x, rq, &ec);
    if (e != ERR_OK)
        exchange_finish(x, e, ec.msg);
    else
        exchange_start(x);
}

/* --- public -------------------------------------------------------------- */

void http_run(struct http *h, const struct http_request *rq, struct deadline d,
              struct http_response *res)
{
    http_run_many(h, rq, 1, d, res);
}

/* libcurl ends transfers at their own time limit; this is for what it might
 * not end. */
static void expire(struct http *h)
{
    struct exchange *x = h->active;

    while (x != NULL) {
        struct exchange *next = x->next;

        if (x->out != NULL)
            exchange_finish(x, ERR_TIMEOUT, "out of time");
        x = next;
    }
}

void http_run_many(struct http *h, const struct http_request *rq, size_t count,
                   struct deadline d, struct http_response *res)
{
    for (size_t i = 0; i < count; i++) {
        struct exchange *x = exchange_new(h, &rq[i], d);

        http_response_init(&res[i], 0);
        if (x == NULL) {
            http_response_fail(&res[i], ERR_NOMEM, "out of memory");
            continue;
        }
        x->out = &res[i];
        h->waiting++;
        begin(x, &rq[i]);
    }
    while (h->waiting > 0) {
        int64_t left = deadline_left(&d);

        if (left == 0) {
            drive(h, 0);
            expire(h);
            break;
        }
        drive(h, left < 1000 ? (int)left : 1000);
    }
}

enum err http_add(struct http *h, const struct http_request *rq,
                  int64_t timeout_ms)
{
    struct exchange *x = exchange_new(h, rq, deadline_in(timeout_ms));

    if (x == NULL)
        return ERR_NOMEM;
    h->in_flight++;
    begin(x, rq);
    return ERR_OK;
}

size_t http_poll(struct http *h, int timeout_ms)
{
    drive(h, h->done_count > 0 ? 0 : timeout_ms);
    return h->done_count;
}

bool http_take(struct http *h, struct http_response *res, void **user)
{
    struct exchange *x = h->done;

    if (x == NULL)
        return false;
    h->done = x->next;
    if (h->done == NULL)
        h->done_tail = &h->done;
    h->done_count--;
    *res = x->res;
    *user = x->user;
    exchange_free(x);
    return true;
}

size_t http_in_flight(const struct http *h)
{
    return h->in_flight;
}

void http_abort(struct http *h)
{
    struct http_response res;
    void *user;

    while (h->active != NULL)
        exchange_finish(h->active, ERR_GONE, "dropped");
    while (http_take(h, &res, &user))
        http_response_fini(&res);
}

void http_wake(struct http *h)
{
    curl_multi_wakeup(h->multi);
}
