/*
 * libFuzzer: what a server answers, from its header lines on, through the HTTP
 * client: values kept and dropped, interim responses and trailers, redirects
 * and what of a request goes along with them. Stands in for libcurl, which
 * hands on lines and bytes of the input.
 *
 * Input: a byte of options (bit 0: POST, bit 1: stay on the host, bit 2: the
 * transfer breaks), then the responses of one hop each, parted by form feeds.
 */
#include "fuzz.h"

#include "net/exchange.h"

#undef curl_easy_setopt
#undef curl_easy_getinfo

enum { BODY_MAX = 512, PIECE = 7, REDIRECTS_MAX = 5 };

/* One transfer of one client. */
static struct {
    struct str left;
    bool breaks, started, ended;
    bool says_trailer; /* the input itself */
    size_t hops;
    long status;
    const char *url;
    const struct curl_slist *headers;
    void *private, *header_user, *body_user;
    size_t (*on_header)(char *p, size_t size, size_t count, void *user);
    size_t (*on_body)(char *p, size_t size, size_t count, void *user);
    CURLMsg msg;
} transfer;

static const char first_url[] = "https://a.example/x?y";

/* --- libcurl ------------------------------------------------------------- */

enum err curl_load(void)
{
    return ERR_OK;
}

void http_global_fini(void)
{
}

CURL *curl_easy_init(void)
{
    return (CURL *)&transfer;
}

void curl_easy_cleanup(CURL *c)
{
    (void)c;
}

void curl_easy_reset(CURL *c)
{
    (void)c;
}

CURLcode curl_easy_setopt(CURL *c, CURLoption o, ...)
{
    va_list ap;

    (void)c;
    va_start(ap, o);
    if (o == CURLOPT_URL)
        transfer.url = va_arg(ap, const char *);
    if (o == CURLOPT_HTTPHEADER)
        transfer.headers = va_arg(ap, const struct curl_slist *);
    if (o == CURLOPT_HEADERFUNCTION)
        transfer.on_header =
            va_arg(ap, size_t(*)(char *, size_t, size_t, void *));
    if (o == CURLOPT_WRITEFUNCTION)
        transfer.on_body =
            va_arg(ap, size_t(*)(char *, size_t, size_t, void *));
    if (o == CURLOPT_HEADERDATA)
        transfer.header_user = va_arg(ap, void *);
    if (o == CURLOPT_WRITEDATA)
        transfer.body_user = va_arg(ap, void *);
    if (o == CURLOPT_PRIVATE)
        transfer.private = va_arg(ap, void *);
    va_end(ap);
    return CURLE_OK;
}

CURLcode curl_easy_getinfo(CURL *c, CURLINFO info, ...)
{
    va_list ap;

    (void)c;
    va_start(ap, info);
    if (info == CURLINFO_RESPONSE_CODE)
        *va_arg(ap, long *) = transfer.status;
    else if (info == CURLINFO_PRIVATE)
        *va_arg(ap, void **) = transfer.private;
    va_end(ap);
    return CURLE_OK;
}

const char *curl_easy_strerror(CURLcode code)
{
    return code == CURLE_OK ? "ok" : "broken";
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *z)
{
    struct curl_slist *one = calloc(1, sizeof *one), *last = list;

    HOLDS(one != NULL);
    one->data = fuzz_copy(str_of(z));
    while (last != NULL && last->next != NULL)
        last = last->next;
    if (last != NULL)
        last->next = one;
    return list == NULL ? one : list;
}

void curl_slist_free_all(struct curl_slist *list)
{
    while (list != NULL) {
        struct curl_slist *next = list->next;

        free(list->data);
        free(list);
        list = next;
    }
}

CURLM *curl_multi_init(void)
{
    return (CURLM *)&transfer;
}

CURLMcode curl_multi_cleanup(CURLM *m)
{
    (void)m;
    return CURLM_OK;
}

/* What goes to another origin than the first tells it no secret. */
static void check_hop(void)
{
    bool same = strncmp(transfer.url, "https://a.example/", 18) == 0;

    HOLDS(ascii_starts_i(transfer.url, "http://") ||
          ascii_starts_i(transfer.url, "https://"));
    for (const struct curl_slist *s = transfer.headers; s != NULL; s = s->next)
        HOLDS(same || !ascii_starts_i(s->data, "authorization"));
    HOLDS(++transfer.hops <= REDIRECTS_MAX + 1);
}

CURLMcode curl_multi_add_handle(CURLM *m, CURL *c)
{
    (void)m;
    (void)c;
    check_hop();
    transfer.started = true;
    return CURLM_OK;
}

CURLMcode curl_multi_remove_handle(CURLM *m, CURL *c)
{
    (void)m;
    (void)c;
    return CURLM_OK;
}

/* A piece of its own, so that a read beyond its end is seen. */
static bool hand_on(struct str piece, bool is_header)
{
    char *copy = malloc(piece.n + (piece.n == 0));
    size_t taken;

    HOLDS(copy != NULL);
    memcpy(copy, piece.p, piece.n);
    taken = is_header
                ? transfer.on_header(copy, 1, piece.n, transfer.header_user)
                : transfer.on_body(copy, 1, piece.n, transfer.body_user);
    free(copy);
    return taken == piece.n;
}

/* "HTTP/1.1 301 Moved" tells the status. */
static void status_of(struct str line)
{
    const char *space = memchr(line.p, ' ', line.n);

    transfer.status = 200;
    if (line.n >= 5 && memcmp(line.p, "HTTP/", 5) == 0 && space != NULL &&
        line.n - (size_t)(space - line.p) > 3)
        transfer.status =
            (space[1] - '0') * 100L + (space[2] - '0') * 10L + (space[3] - '0');
}

static CURLcode deliver(struct str in)
{
    bool interim = true, trailer = false;

    while (interim && in.n > 0) {
        struct str line = fuzz_take_until(&in, '\n'), rest = in;

        status_of(line);
        interim = transfer.status >= 100 && transfer.status < 200;
        for (in = rest; line.n > 0 && line.p[0] != '\r';
             line = fuzz_take_until(&in, '\n'))
            if (!hand_on((struct str){line.p, line.n}, true))
                return CURLE_WRITE_ERROR;
    }
    if (in.n > 0)
        trailer = true;
    while (in.n > 0) {
        struct str piece = {in.p, in.n < PIECE ? in.n : PIECE};

        if (!hand_on(piece, false))
            return CURLE_WRITE_ERROR;
        in = (struct str){in.p + piece.n, in.n - piece.n};
    }
    if (trailer && !hand_on(str_of("ETag: trailer"), true))
        return CURLE_WRITE_ERROR;
    return transfer.breaks ? CURLE_RECV_ERROR : CURLE_OK;
}

CURLMcode curl_multi_perform(CURLM *m, int *running)
{
    (void)m;
    *running = 0;
    if (transfer.started) {
        transfer.started = false;
        transfer.ended = true;
        transfer.msg.msg = CURLMSG_DONE;
        transfer.msg.easy_handle = (CURL *)&transfer;
        transfer.msg.data.result =
            deliver(fuzz_take_until(&transfer.left, '\f'));
    }
    return CURLM_OK;
}

CURLMcode curl_multi_poll(CURLM *m, struct curl_waitfd extra[], unsigned n,
                          int timeout_ms, int *count)
{
    (void)m;
    (void)extra;
    (void)n;
    (void)timeout_ms;
    (void)count;
    return CURLM_OK;
}

CURLMcode curl_multi_wakeup(CURLM *m)
{
    (void)m;
    return CURLM_OK;
}

CURLMsg *curl_multi_info_read(CURLM *m, int *left)
{
    bool ended = transfer.ended;

    (void)m;
    *left = 0;
    transfer.ended = false;
    return ended ? &transfer.msg : NULL;
}

/* --- an input ------------------------------------------------------------ */

static void check_value(const char *z)
{
    HOLDS(z != NULL && strlen(z) <= 4096);
    HOLDS(!http_has_control(z, strlen(z)) || strchr(z, '\n') != NULL);
}

static void check_response(const struct http_response *res)
{
    check_value(res->content_type);
    check_value(res->etag);
    check_value(res->last_modified);
    check_value(res->location);
    check_value(res->retry_after);
    check_value(res->robots_tag);
    check_value(res->language);
    check_value(res->cache_control);
    check_value(res->date);
    HOLDS(strcmp(res->etag, "trailer") != 0 || transfer.says_trailer);
    HOLDS(res->body.len <= BODY_MAX);
    HOLDS(res->err == ERR_OK || res->msg[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size};
    unsigned options = fuzz_take(&in);
    struct conf c = {.user_agent = "cited/1"};
    struct http_request rq = {.url = first_url,
                              .headers = {"Authorization: Bearer x",
                                          "Content-Type: text/plain",
                                          "Accept: */*"},
                              .response_max = BODY_MAX,
                              .redirects_max = REDIRECTS_MAX,
                              .same_host = options & 2};
    struct http_response res;
    struct http *h = NULL;

    memset(&transfer, 0, sizeof transfer);
    transfer.left = in;
    transfer.breaks = options & 4;
    transfer.says_trailer = mem_find(in.p, in.n, "trailer") != NULL;
    if (options & 1) {
        rq.body = "x";
        rq.body_len = 1;
    }
    HOLDS(http_new(&c, &h) == ERR_OK);
    http_run(h, &rq, deadline_in(1 << 30), &res);
    check_response(&res);
    if (rq.same_host)
        HOLDS(strncmp(res.url, "https://a.example", 17) == 0);
    http_response_fini(&res);
    http_free(h);
    return 0;
}
