/*
 * What is sent to a JSON search API: the templates of its section filled in.
 * Touches no network itself. Called by provider_ask.c.
 */
#include "search/provider_json.h"

#include "base/buf.h"
#include "base/date.h"
#include "base/str.h"
#include "json/json.h"

#include <string.h>

enum {
    TEMPLATE_BYTES_MAX = 64 * 1024,
    QUERY_BYTES_MAX = 400 /* what the strictest of the known APIs takes */
};

enum escape { ESCAPE_NONE, ESCAPE_URL, ESCAPE_JSON };

/* Values of the placeholders. */
struct values {
    const char *q, *want, *from, *to, *key;
};

/* --- templates ----------------------------------------------------------- */

void provider_percent(struct buf *b, const char *z)
{
    for (; *z != '\0'; z++) {
        if (ascii_is_alnum((unsigned char)*z) || strchr("-._~", *z) != NULL)
            buf_addc(b, *z);
        else
            buf_addf(b, "%%%02X", (unsigned)(unsigned char)*z);
    }
}

/* The inside of a JSON string. */
static void add_json(struct buf *b, const char *z)
{
    struct buf one;
    struct json_out w;

    buf_init(&one, TEMPLATE_BYTES_MAX);
    jw_init(&w, &one);
    jw_string(&w, z);
    if (buf_err(&one) != ERR_OK)
        b->err = buf_err(&one);
    else if (one.len >= 2)
        buf_add(b, one.data + 1, one.len - 2);
    buf_fini(&one);
}

static void add_escaped(struct buf *b, const char *z, enum escape esc)
{
    if (esc == ESCAPE_URL)
        provider_percent(b, z);
    else if (esc == ESCAPE_JSON)
        add_json(b, z);
    else
        buf_adds(b, z);
}

/* The value of the placeholder that z begins with, or NULL. */
static const char *value_at(const char *z, const struct values *v,
                            bool with_key, size_t *len)
{
    const struct {
        const char *name, *value;
    } all[] = {{"{q}", v->q},
               {"{want}", v->want},
               {"{page}", "1"},
               {"{from}", v->from},
               {"{to}", v->to},
               {"{lang}", "en"},
               {"{key}", with_key ? v->key : NULL}};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        *len = strlen(all[i].name);
        if (all[i].value != NULL && strncmp(z, all[i].name, *len) == 0)
            return all[i].value;
    }
    return NULL;
}

static enum err template_fill(const char *z, const struct values *v,
                              enum escape esc, bool with_key, struct arena *a,
                              const char **out)
{
    struct buf b;
    enum err e;

    buf_init(&b, TEMPLATE_BYTES_MAX);
    while (*z != '\0') {
        size_t len = 0;
        const char *value = *z == '{' ? value_at(z, v, with_key, &len) : NULL;

        if (value == NULL) {
            buf_addc(&b, *z++);
            continue;
        }
        add_escaped(&b, value, esc);
        z += len;
    }
    e = buf_err(&b);
    *out = e == ERR_OK ? arena_strdup(a, buf_str(&b)) : NULL;
    buf_fini(&b);
    return e != ERR_OK ? e : *out == NULL ? ERR_NOMEM : ERR_OK;
}

/* --- request ------------------------------------------------------------- */

static enum err query_text(const struct provider_def *p, const struct query *q,
                           struct arena *a, const char **out)
{
    struct buf b;
    enum err e;

    buf_init(&b, QUERY_BYTES_MAX + TEMPLATE_BYTES_MAX);
    if (p->question) {
        buf_adds(&b, q->text);
    } else {
        for (size_t i = 0; i < q->term_count; i++) {
            if (q->pairs >> i & 1)
                continue; /* many engines want every word */
            if (b.len + strlen(q->words[i]) >= QUERY_BYTES_MAX)
                break;
            buf_addf(&b, "%s%s", b.len == 0 ? "" : " ", q->words[i]);
        }
    }
    e = buf_err(&b);
    *out = arena_strndup(a, buf_str(&b),
                         utf8_cut(buf_str(&b), b.len, QUERY_BYTES_MAX));
    buf_fini(&b);
    return e != ERR_OK ? e : *out == NULL ? ERR_NOMEM : ERR_OK;
}

static const char *day_text(int32_t day, struct arena *a)
{
    char z[DATE_LEN + 1] = "";

    if (day != DAY_NONE)
        date_format(day, z);
    return arena_strdup(a, z);
}

static const char *header_find(const struct provider_def *p, const char *name)
{
    for (size_t i = 0; i < p->header_count; i++)
        if (ascii_casecmp(p->header_name[i], name) == 0)
            return p->header_value[i];
    return NULL;
}

static enum err headers_fill(const struct provider_def *p,
                             const struct values *v, struct arena *a,
                             struct http_request *rq)
{
    size_t n = 0;

    for (size_t i = 0; i < p->header_count; i++) {
        const char *value = NULL;
        enum err e =
            template_fill(p->header_value[i], v, ESCAPE_NONE, true, a, &value);

        if (e != ERR_OK)
            return e;
        rq->headers[n++] = arena_printf(a, "%s: %s", p->header_name[i], value);
    }
    if (header_find(p, "Accept") == NULL)
        rq->headers[n++] = "Accept: application/json";
    if (rq->body != NULL && header_find(p, "Content-Type") == NULL)
        rq->headers[n++] = "Content-Type: application/json";
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}

static enum err url_fill(const struct provider_def *p, const struct values *v,
                         struct arena *a, struct http_request *rq)
{
    const char *text = NULL;
    struct url u;
    enum err e = template_fill(p->url, v, ESCAPE_URL, false, a, &text);

    if (e == ERR_OK)
        e = url_parse(text, strlen(text), NULL, a, &u, NULL);
    if (e == ERR_OK)
        rq->url = u.href;
    return e;
}

static enum err body_fill(const struct provider_def *p, const struct values *v,
                          struct arena *a, struct http_request *rq)
{
    const char *type = header_find(p, "Content-Type");
    bool form = type != NULL && mem_find_i(type, strlen(type), "form");
    enum err e;

    if (strcmp(p->method, "POST") != 0)
        return ERR_OK;
    e = template_fill(p->body, v, form ? ESCAPE_URL : ESCAPE_JSON, false, a,
                      &rq->body);
    if (e == ERR_OK)
        rq->body_len = strlen(rq->body);
    return e;
}

enum err provider_request(const struct provider_def *p, const struct query *q,
                          const struct index_filter *f, size_t want,
                          struct arena *a, struct http_request *out)
{
    struct http_request rq = {.method = p->method,
                              .response_max = PROVIDER_BYTES_MAX,
                              .redirects_max = 2,
                              .same_host = true};
    struct values v = {.key = p->key};
    enum err e = query_text(p, q, a, &v.q);

    if (e != ERR_OK)
        return e;
    v.want = arena_printf(a, "%zu", want);
    v.from = day_text(f->day_from, a);
    v.to = day_text(f->day_to, a);
    if (arena_failed(a))
        return ERR_NOMEM;
    e = url_fill(p, &v, a, &rq);
    if (e == ERR_OK)
        e = body_fill(p, &v, a, &rq);
    if (e == ERR_OK)
        e = headers_fill(p, &v, a, &rq);
    if (e == ERR_OK)
        *out = rq;
    return e;
}
