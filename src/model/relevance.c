/* Rerank and embeddings endpoints; see relevance.h. */
#include "model/relevance.h"

#include "base/log.h"
#include "base/str.h"
#include "net/endpoint.h"
#include "json/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REQUEST_MAX = 1 << 20, RESPONSE_MAX = 8 << 20, DIMENSIONS_MAX = 16384 };

struct relevance {
    struct endpoint endpoint;
    bool rerank;
    const char *name;
    int64_t timeout_ms;
};

enum err relevance_new(const struct conf *c, struct relevance **out,
                       struct errctx *ec)
{
    bool rerank = c->rerank_url != NULL && c->rerank_url[0] != '\0';
    const char *url = rerank ? c->rerank_url : c->embeddings_url;
    struct relevance *r;
    enum err e;

    *out = NULL;
    if (url == NULL || url[0] == '\0')
        return ERR_OK;
    r = calloc(1, sizeof(*r));
    if (r == NULL)
        return err_set(ec, ERR_NOMEM, "no memory for an endpoint");
    r->rerank = rerank;
    r->name = rerank ? c->rerank_name : c->embeddings_name;
    r->timeout_ms = rerank ? c->rerank_timeout_ms : c->embeddings_timeout_ms;
    e = endpoint_init(&r->endpoint, c, rerank ? "rerank" : "embeddings", url,
                      rerank ? "rerank" : "embeddings",
                      rerank ? c->rerank_key : c->embeddings_key, ec);
    if (e != ERR_OK)
        free(r);
    else
        *out = r;
    return e;
}

void relevance_free(struct relevance *r)
{
    if (r == NULL)
        return;
    endpoint_fini(&r->endpoint);
    free(r);
}

void relevance_count_in(struct relevance *r, struct meter *meter)
{
    if (r != NULL)
        r->endpoint.meter = meter;
}

/* --- the request --------------------------------------------------------- */

static void text_add(struct json_out *w, const char *z)
{
    jw_string_n(w, z, utf8_cut(z, strlen(z), RELEVANCE_TEXT_BYTES));
}

static enum err request_write(const struct relevance *r, const char *question,
                              const char *const *texts, size_t count,
                              struct buf *b)
{
    struct json_out w;

    jw_init(&w, b);
    jw_object(&w);
    jw_kstring(&w, "model", r->name);
    if (r->rerank) {
        jw_key(&w, "query");
        text_add(&w, question);
        jw_kint(&w, "top_n", (int64_t)count);
    } else {
        jw_kstring(&w, "encoding_format", "float");
    }
    jw_karray(&w, r->rerank ? "documents" : "input");
    if (!r->rerank)
        text_add(&w, question);
    for (size_t i = 0; i < count; i++)
        text_add(&w, texts[i]);
    jw_array_end(&w);
    jw_object_end(&w);
    return buf_err(b);
}

/* --- the answer ---------------------------------------------------------- */

/* The item's index within 0..count, or -1. */
static int64_t index_of(const struct json *item, size_t count)
{
    int64_t i;

    return json_is_whole(json_get(item, "index"), &i) && i >= 0 &&
                   i < (int64_t)count
               ? i
               : -1;
}

/* {"results":[…]}, or the bare list that some servers give. */
static enum err rerank_read(const struct json *root, size_t count,
                            double *score)
{
    const struct json *list =
        json_type_of(root) == JSON_ARRAY ? root : json_get(root, "results");

    for (const struct json *item = json_first(list); item != NULL;
         item = json_next(item)) {
        const struct json *v = json_get(item, "relevance_score");
        int64_t i = index_of(item, count);

        if (v == NULL)
            v = json_get(item, "score");
        if (i < 0 || json_type_of(v) != JSON_NUMBER)
            return ERR_MALFORMED;
        score[i] = json_number(v);
    }
    return ERR_OK;
}

static double cosine(const double *x, const double *y, size_t n)
{
    double xy = 0, xx = 0, yy = 0;

    for (size_t i = 0; i < n; i++) {
        xy += x[i] * y[i];
        xx += x[i] * x[i];
        yy += y[i] * y[i];
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

/* Vectors of the question, as number 0, and the texts. */
static enum err embeddings_read(const struct json *root, size_t count,
                                struct arena *a, double *score)
{
    const struct json *list = json_get(root, "data");
    size_t n = json_count(json_get(json_first(list), "embedding"));
    double *v = NULL;

    if (n == 0 || n > DIMENSIONS_MAX)
        return ERR_MALFORMED;
    v = arena_array(a, (count + 1) * n, sizeof(*v));
    if (v == NULL)
        return ERR_NOMEM;
    for (const struct json *item = json_first(list); item != NULL;
         item = json_next(item)) {
        int64_t i = index_of(item, count + 1);
        const struct json *x = json_first(json_get(item, "embedding"));

        if (i < 0 || json_count(json_get(item, "embedding")) != n)
            return ERR_MALFORMED;
        for (size_t k = 0; k < n; k++, x = json_next(x))
            v[(size_t)i * n + k] = json_number(x);
    }
    for (size_t i = 0; i < count; i++)
        score[i] = cosine(v, v + (i + 1) * n, n);
    return ERR_OK;
}

static enum err answer_read(const struct relevance *r,
                            const struct http_response *res, size_t count,
                            struct arena *a, double *score, struct errctx *ec)
{
    struct json *root = NULL;
    enum err e;

    if (res->err != ERR_OK)
        return err_set(ec,
                       res->err == ERR_TIMEOUT || res->err == ERR_NOMEM
                           ? res->err
                           : ERR_UPSTREAM,
                       "%s", res->msg);
    if (res->status != 200)
        return err_set(ec, ERR_UPSTREAM, "status %ld", res->status);
    e = json_parse(buf_str(&res->body), res->body.len, &json_limits_foreign,
                   &root, NULL);
    for (size_t i = 0; i < count; i++)
        score[i] = NAN;
    if (e == ERR_OK)
        e = r->rerank ? rerank_read(root, count, score)
                      : embeddings_read(root, count, a, score);
    json_free(root);
    for (size_t i = 0; e == ERR_OK && i < count; i++)
        if (!isfinite(score[i]))
            e = ERR_MALFORMED;
    return e == ERR_OK ? e
                       : err_set(ec, e == ERR_NOMEM ? e : ERR_MALFORMED,
                                 "the answer has no score for every text");
}

static enum err ask(struct relevance *r, const struct buf *body, size_t count,
                    struct deadline d, struct arena *a, double *score,
                    struct errctx *ec)
{
    struct http_request rq = {.method = "POST",
                              .url = r->endpoint.url,
                              .headers = {"Content-Type: application/json",
                                          "Accept: application/json",
                                          r->endpoint.authorization},
                              .body = buf_str(body),
                              .body_len = body->len,
                              .response_max = RESPONSE_MAX};
    struct http_response res;
    struct http *h = NULL;
    enum err e = endpoint_take(&r->endpoint, &h);

    if (e != ERR_OK)
        return err_set(ec, e, "no HTTP client");
    http_run(h, &rq, d, &res);
    endpoint_give(&r->endpoint, h);
    e = answer_read(r, &res, count, a, score, ec);
    http_response_fini(&res);
    return e;
}

enum err relevance_score(struct relevance *r, const char *question,
                         const char *const *texts, size_t count,
                         struct deadline d, const char *id, struct arena *a,
                         double *score, struct errctx *ec)
{
    char why[ENDPOINT_WHY_MAX];
    struct errctx own = {ERR_OK, ""};
    struct buf body;
    int64_t had_ms;
    enum err e;

    if (count == 0 || count > RELEVANCE_TEXTS_MAX)
        return err_set(ec, ERR_INVALID, "no texts, or too many");
    d = deadline_min(d, deadline_in(r->timeout_ms));
    had_ms = deadline_left(&d);
    if (!endpoint_is_open(&r->endpoint, why))
        return err_set(ec, ERR_BUSY, "left alone for now: %s", why);
    buf_init(&body, REQUEST_MAX);
    e = request_write(r, question, texts, count, &body);
    if (e == ERR_OK) {
        e = ask(r, &body, count, d, a, score, &own);
        endpoint_tell(&r->endpoint, e, had_ms, own.msg);
    }
    buf_fini(&body);
    if (e != ERR_OK)
        log_warn(id, "%s: %s: %s", r->rerank ? "rerank" : "embeddings",
                 err_name(e), own.msg);
    return e == ERR_OK ? e : err_set(ec, e, "%s", own.msg);
}
