/*
 * One hop of an exchange: the request as libcurl wants it, the callbacks, and
 * what a redirect turns into. Redirects are followed here and not by libcurl,
 * because the guard needs the host of the hop, and each target goes through
 * url_parse.
 */
#include "net/exchange.h"

#include <string.h>
#include <sys/socket.h>

enum {
    HEADER_BYTES_MAX = 256 * 1024, /* of all hops together */
    HEADER_LINES_MAX = 2000,       /* likewise; new libcurls end at 5,000 */
    VALUE_MAX = 4096,              /* of one header */
    CONNECT_MS = 3000,
    SLOW_BYTES_PER_S = 64, /* slower than this … */
    SLOW_SECONDS = 15,     /* … for so long ends a GET */
};

/* --- what libcurl calls -------------------------------------------------- */

static curl_socket_t on_open_socket(void *user, curlsocktype purpose,
                                    struct curl_sockaddr *a)
{
    struct exchange *x = user;

    if (purpose != CURLSOCKTYPE_IPCXN ||
        (!x->allowed && !http_address_is_public(&a->addr))) {
        x->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* Is this response one we leave for its target? */
static bool is_redirect(const struct exchange *x, long status)
{
    return x->follow && *x->res.location != '\0' &&
           (status == 301 || status == 302 || status == 303 || status == 307 ||
            status == 308);
}

static size_t on_body(char *p, size_t size, size_t count, void *user)
{
    struct exchange *x = user;
    struct buf *b = &x->res.body;
    size_t n = size * count, room = b->cap - b->len;

    x->headers_done = true;
    if (n > room) {
        if (buf_add(b, p, room) == ERR_OK)
            b->err = ERR_TOO_LARGE;
        return 0;
    }
    return buf_add(b, p, n) == ERR_OK ? n : 0;
}

/* A header value into the response; join: to those before it. */
static void take_value(struct exchange *x, char **slot, struct str v, bool join)
{
    size_t old = join ? strlen(*slot) : 0;
    enum err e;

    if (v.n + old > VALUE_MAX || http_has_control(v.p, v.n))
        return;
    e = join ? http_response_join(slot, v) : http_response_set(slot, v);
    x->nomem |= e != ERR_OK;
}

static char **header_slot(struct http_response *r, struct str name)
{
    if (str_ieq(name, "content-type"))
        return &r->content_type;
    if (str_ieq(name, "etag"))
        return &r->etag;
    if (str_ieq(name, "last-modified"))
        return &r->last_modified;
    if (str_ieq(name, "location"))
        return &r->location;
    if (str_ieq(name, "retry-after"))
        return &r->retry_after;
    if (str_ieq(name, "content-language"))
        return &r->language;
    if (str_ieq(name, "cache-control"))
        return &r->cache_control;
    if (str_ieq(name, "date"))
        return &r->date;
    return NULL;
}

static bool header_is_large(const struct exchange *x)
{
    return x->header_bytes > HEADER_BYTES_MAX ||
           x->header_lines > HEADER_LINES_MAX;
}

static size_t on_header(char *p, size_t size, size_t count, void *user)
{
    struct exchange *x = user;
    size_t n = size * count;
    struct str line = {p, n}, name, value;
    const char *colon;
    char **slot;

    x->header_bytes += n;
    x->header_lines++;
    if (header_is_large(x))
        return 0;
    if (x->headers_done) /* a trailer */
        return n;
    if (n >= 5 && memcmp(p, "HTTP/", 5) == 0) {
        http_response_forget(&x->res); /* of a 1xx response before this one */
        return n;
    }
    line = str_trim(line);
    colon = memchr(line.p, ':', line.n);
    if (colon == NULL)
        return n;
    name = (struct str){line.p, (size_t)(colon - line.p)};
    value = (struct str){colon + 1, line.n - name.n - 1};
    value = str_trim(value);
    slot = header_slot(&x->res, name);
    if (slot != NULL)
        take_value(x, slot, value, false);
    else if (str_ieq(name, "x-robots-tag"))
        take_value(x, &x->res.robots_tag, value, true);
    return x->nomem ? 0 : n;
}

/* --- one hop ------------------------------------------------------------- */

static bool header_is_harmless(const char *h)
{
    return ascii_starts_i(h, "accept") || ascii_starts_i(h, "if-") ||
           ascii_starts_i(h, "content-");
}

static enum err headers_build(struct exchange *x)
{
    struct curl_slist *next;

    curl_slist_free_all(x->headers);
    x->headers = NULL;
    for (int i = 0; i < HTTP_HEADERS_MAX && x->header[i] != NULL; i++) {
        next = curl_slist_append(x->headers, x->header[i]);
        if (next == NULL)
            return ERR_NOMEM;
        x->headers = next;
    }
    /* No waiting for "100 Continue" before a body. */
    next =
        x->body == NULL ? x->headers : curl_slist_append(x->headers, "Expect:");
    if (x->body != NULL && next == NULL)
        return ERR_NOMEM;
    x->headers = next;
    return ERR_OK;
}

static void set_method(struct exchange *x)
{
    CURL *c = x->easy;

    if (x->body != NULL) {
        curl_easy_setopt(c, CURLOPT_POST, 1L);
        curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)x->body_len);
        curl_easy_setopt(c, CURLOPT_POSTFIELDS, x->body);
        curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, x->method);
        return;
    }
    curl_easy_setopt(c, CURLOPT_HTTPGET, 1L);
    if (strcmp(x->method, "HEAD") == 0)
        curl_easy_setopt(c, CURLOPT_NOBODY, 1L);
    else if (strcmp(x->method, "GET") != 0)
        curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, x->method);
    if (strcmp(x->method, "GET") == 0) {
        curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES_PER_S);
        curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, (long)SLOW_SECONDS);
    }
}

static void set_safety(struct exchange *x, int64_t left)
{
    CURL *c = x->easy;

    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(c, CURLOPT_PROXY, "");
    curl_easy_setopt(c, CURLOPT_CAPATH, NULL);
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    /* A slow resolver must not hold us past the deadline. */
    curl_easy_setopt(c, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)left);
    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS,
                     (long)(left < CONNECT_MS ? left : CONNECT_MS));
    curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
    curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, x);
}

void exchange_start(struct exchange *x)
{
    struct http *h = x->http;
    int64_t left = deadline_left(&x->deadline);
    CURL *c = x->easy;

    if (left == 0) {
        exchange_finish(x, ERR_TIMEOUT, "out of time");
        return;
    }
    x->allowed = http_host_is_allowed(h, &x->url);
    x->refused = false;
    x->headers_done = false;
    http_response_forget(&x->res);
    buf_reset(&x->res.body);
    curl_easy_reset(c);
    if (headers_build(x) != ERR_OK) {
        exchange_finish(x, ERR_NOMEM, "out of memory");
        return;
    }
    set_safety(x, left);
    set_method(x);
    x->curl_msg[0] = '\0';
    curl_easy_setopt(c, CURLOPT_ERRORBUFFER, x->curl_msg);
    curl_easy_setopt(c, CURLOPT_URL, x->url.href);
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, x->headers);
    curl_easy_setopt(c, CURLOPT_USERAGENT, h->user_agent);
    curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, x);
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(c, CURLOPT_HEADERDATA, x);
    curl_easy_setopt(c, CURLOPT_PRIVATE, x);
    if (curl_multi_add_handle(h->multi, c) != CURLM_OK)
        exchange_finish(x, ERR_NOMEM, "no transfer could be started");
}

/* --- redirects ----------------------------------------------------------- */

bool exchange_is_foreign(const char *text)
{
    size_t n = 0;

    while (ascii_is_alnum(text[n]) ||
           (text[n] != '\0' && n > 0 && strchr("+-.", text[n]) != NULL))
        n++;
    return n > 0 && text[n] == ':' && !ascii_starts_i(text, "http:") &&
           !ascii_starts_i(text, "https:");
}

static bool is_default_port(const struct url *u)
{
    return u->port == (strcmp(u->scheme, "https") == 0 ? 443 : 80);
}

/* May a request that is bound to its host go on to this target? */
static bool same_place(const struct url *a, const struct url *b)
{
    if (strcmp(a->host, b->host) != 0)
        return false;
    if (strcmp(a->scheme, "https") == 0 && strcmp(b->scheme, "https") != 0)
        return false;
    return a->port == b->port || (is_default_port(a) && is_default_port(b));
}

static bool same_origin(const struct url *a, const struct url *b)
{
    return strcmp(a->host, b->host) == 0 && a->port == b->port &&
           strcmp(a->scheme, b->scheme) == 0;
}

/* RFC 9110 section 15.4: 303 always, 301 and 302 in practice, turn a POST
 * into a GET. */
static void method_after(struct exchange *x, long status)
{
    int kept = 0;

    if (status == 307 || status == 308 ||
        (status != 303 && strcmp(x->method, "POST") != 0) ||
        strcmp(x->method, "HEAD") == 0)
        return;
    x->method = "GET";
    x->body = NULL;
    for (int i = 0; i < HTTP_HEADERS_MAX && x->header[i] != NULL; i++)
        if (!ascii_starts_i(x->header[i], "content-"))
            x->header[kept++] = x->header[i];
    if (kept < HTTP_HEADERS_MAX)
        x->header[kept] = NULL;
}

static void headers_for_stranger(struct exchange *x)
{
    int kept = 0;

    for (int i = 0; i < HTTP_HEADERS_MAX && x->header[i] != NULL; i++)
        if (header_is_harmless(x->header[i]))
            x->header[kept++] = x->header[i];
    if (kept < HTTP_HEADERS_MAX)
        x->header[kept] = NULL;
}

static void follow(struct exchange *x, long status)
{
    struct url to;
    const char *where = x->res.location;
    struct errctx ec = {ERR_OK, ""};

    if (x->redirects_left-- == 0) {
        exchange_finish(x, ERR_UPSTREAM, "too many redirects");
        return;
    }
    if (exchange_is_foreign(where)) {
        exchange_finish(x, ERR_FORBIDDEN,
                        "redirect to a scheme other than http(s)");
        return;
    }
    if (url_parse(where, strlen(where), &x->url, &x->arena, &to, &ec) !=
        ERR_OK) {
        exchange_finish(x, ERR_UPSTREAM, "redirect to an unusable address");
        return;
    }
    if (x->same_host && !same_place(&x->url, &to)) {
        exchange_finish(x, ERR_FORBIDDEN, "redirect to another host");
        return;
    }
    if (!same_origin(&x->url, &to))
        headers_for_stranger(x);
    method_after(x, status);
    x->url = to;
    x->res.redirected = true;
    exchange_start(x);
}

/* --- the end of a hop ---------------------------------------------------- */

static void finish_failed(struct exchange *x, CURLcode code)
{
    const char *msg =
        x->curl_msg[0] != '\0' ? x->curl_msg : curl_easy_strerror(code);

    if (x->nomem || x->res.body.err == ERR_NOMEM || code == CURLE_OUT_OF_MEMORY)
        exchange_finish(x, ERR_NOMEM, "out of memory");
    else if (x->res.body.err == ERR_TOO_LARGE)
        exchange_finish(x, ERR_TOO_LARGE, "the response is too large");
    else if (header_is_large(x))
        exchange_finish(x, ERR_TOO_LARGE, "the response's header is too large");
    else if (x->refused && code == CURLE_COULDNT_CONNECT)
        exchange_finish(
            x, ERR_FORBIDDEN,
            "the address is not public (net.allow_hosts may name it)");
    else if (code == CURLE_OPERATION_TIMEDOUT)
        exchange_finish(x, ERR_TIMEOUT, msg);
    else
        exchange_finish(x, ERR_UPSTREAM, msg);
}

void exchange_hop_done(struct exchange *x, CURLcode code)
{
    long status = 0;

    curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_multi_remove_handle(x->http->multi, x->easy);
    x->res.status = status;
    if (code != CURLE_OK)
        finish_failed(x, code);
    else if (is_redirect(x, status))
        follow(x, status);
    else
        exchange_finish(x, ERR_OK, "");
}

/* Returns whether any transfer ended. */
