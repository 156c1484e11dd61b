/*
 * What is sent to a JSON search API: the templates of its section filled in.
 * Touches no network itself. Called by provider_ask.c.
 */
#include "find/provider_json.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"
#include "json/json.h"

#include <string.h>

enum {
    TEMPLATE_BYTES_MAX = 64 * 1024,
    QUERY_BYTES_MAX = 400 /* what the strictest of the known APIs takes */
};

enum escape { ESCAPE_NONE, ESCAPE_URL, ESCAPE_JSON };

/* Values of the placeholders. Those made by a template of their own are
 * written as they are: their values were escaped when they were made. */
struct value {
    const char *name, *text;
    bool made;
};

enum {
    V_Q,
    V_WANT,
    V_FROM,
    V_TO,
    V_FROM_DIGITS,
    V_TO_DIGITS,
    V_AFTER_DIGITS,
    V_FROM_US,
    V_TO_US,
    V_KEY,
    V_PAGE,
    V_LANG,
    V_SITE,
    V_SITES,
    V_INCLUDE,
    V_EXCLUDE,
    V_DATES,
    V_IMAGES,
    V_COUNT
};

struct values {
    struct value v[V_COUNT];
};

static const struct values no_values = {
    {[V_Q] = {"{q}", NULL, false},
     [V_WANT] = {"{want}", NULL, false},
     [V_FROM] = {"{from}", NULL, false},
     [V_TO] = {"{to}", NULL, false},
     [V_FROM_DIGITS] = {"{from_digits}", NULL, false},
     [V_TO_DIGITS] = {"{to_digits}", NULL, false},
     [V_AFTER_DIGITS] = {"{after_digits}", NULL, false},
     [V_FROM_US] = {"{from_us}", NULL, false},
     [V_TO_US] = {"{to_us}", NULL, false},
     [V_KEY] = {"{key}", NULL, false},
     [V_PAGE] = {"{page}", "1", false},
     [V_LANG] = {"{lang}", "en", false},
     [V_SITE] = {"{site}", NULL, false},
     [V_SITES] = {"{sites}", NULL, true},
     [V_INCLUDE] = {"{include}", "", true},
     [V_EXCLUDE] = {"{exclude}", "", true},
     [V_DATES] = {"{dates}", "", true},
     [V_IMAGES] = {"{images}", "", true}}};

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
static const struct value *value_at(const char *z, const struct values *v,
                                    size_t *len)
{
    for (size_t i = 0; i < V_COUNT; i++) {
        *len = strlen(v->v[i].name);
        if (v->v[i].text != NULL && strncmp(z, v->v[i].name, *len) == 0)
            return &v->v[i];
    }
    return NULL;
}

static void template_add(struct buf *b, const char *z, const struct values *v,
                         enum escape esc)
{
    while (*z != '\0') {
        size_t len = 0;
        const struct value *value = *z == '{' ? value_at(z, v, &len) : NULL;

        if (value == NULL) {
            buf_addc(b, *z++);
            continue;
        }
        add_escaped(b, value->text, value->made ? ESCAPE_NONE : esc);
        z += len;
    }
}

/* b's text into the arena; b is given back. */
static enum err text_keep(struct buf *b, struct arena *a, const char **out)
{
    enum err e = buf_err(b);
    const char *z = e == ERR_OK ? arena_strdup(a, buf_str(b)) : NULL;

    buf_fini(b);
    if (e == ERR_OK && z != NULL)
        *out = z;
    return e != ERR_OK ? e : z == NULL ? ERR_NOMEM : ERR_OK;
}

static enum err template_fill(const char *z, const struct values *v,
                              enum escape esc, struct arena *a,
                              const char **out)
{
    struct buf b;

    buf_init(&b, TEMPLATE_BYTES_MAX);
    template_add(&b, z, v, esc);
    return text_keep(&b, a, out);
}

/* --- query --------------------------------------------------------------- */

/* Which keyword a question can do without first: the noun it asks for and
 * common words before rare ones, names last. Lower is dropped sooner. */
static double telling(const struct query *q, size_t i)
{
    double base = q->rarity == NULL ? 1 : q->rarity[i];

    if (q->names >> i & 1)
        base += 2;
    return i == q->focus ? base - 1 : base;
}

static uint64_t kept_terms(const struct query *q, int dropped)
{
    uint64_t kept = 0;
    size_t n = 0;

    for (size_t i = 0; i < q->term_count; i++)
        if (!(q->pairs >> i & 1)) { /* many engines want every word */
            kept |= (uint64_t)1 << i;
            n++;
        }
    for (; dropped > 0 && n > 1; dropped--, n--) {
        size_t least = q->term_count;

        for (size_t i = q->term_count; i-- > 0;)
            if (kept >> i & 1 &&
                (least == q->term_count || telling(q, i) < telling(q, least)))
                least = i;
        kept &= ~((uint64_t)1 << least);
    }
    return kept;
}

size_t provider_keywords(const struct provider_def *p, const struct query *q)
{
    return p->question ? 1 : (size_t)__builtin_popcountll(kept_terms(q, 0));
}

static enum err query_text(const struct provider_def *p,
                           const struct provider_ask *ask, struct arena *a,
                           const char **out)
{
    const struct query *q = ask->q;
    uint64_t kept = kept_terms(q, ask->dropped);
    struct buf b;
    enum err e;

    buf_init(&b, QUERY_BYTES_MAX + TEMPLATE_BYTES_MAX);
    if (p->question)
        buf_adds(&b, q->text);
    for (size_t i = 0; !p->question && i < q->term_count; i++) {
        if (!(kept >> i & 1))
            continue;
        if (b.len + strlen(q->words[i]) >= QUERY_BYTES_MAX)
            break;
        buf_addf(&b, "%s%s", b.len == 0 ? "" : " ", q->words[i]);
    }
    e = buf_err(&b);
    *out = arena_strndup(a, buf_str(&b),
                         utf8_cut(buf_str(&b), b.len, QUERY_BYTES_MAX));
    buf_fini(&b);
    return e != ERR_OK ? e : *out == NULL ? ERR_NOMEM : ERR_OK;
}

/* --- filters ------------------------------------------------------------- */

/* The templates of a list of domains; nothing when there is none. */
static enum err sites_fill(const struct provider_sites *t,
                           const struct domain_rules *rules, size_t first,
                           const struct values *v, enum escape esc,
                           struct arena *a, const char **out)
{
    struct values each = *v;
    struct buf b;
    enum err e;

    if (rules == NULL || first >= rules->count || t->all[0] == '\0')
        return ERR_OK;
    buf_init(&b, TEMPLATE_BYTES_MAX);
    for (size_t i = first; i < rules->count && i - first < (size_t)t->max;
         i++) {
        each.v[V_SITE].text = rules->rules[i].host;
        template_add(&b, i == first ? "" : t->join, &each, esc);
        template_add(&b, t->item, &each, esc);
    }
    each.v[V_SITE].text = NULL;
    e = text_keep(&b, a, &each.v[V_SITES].text);
    return e == ERR_OK ? template_fill(t->all, &each, esc, a, out) : e;
}

static const char *day_text(int32_t day, const char *form, struct arena *a)
{
    int y, m, d;

    if (day == DAY_NONE)
        return "";
    date_from_day(day, &y, &m, &d);
    if (form[0] == 'u')
        return arena_printf(a, "%d/%d/%d", m, d, y);
    return arena_printf(a, form[0] == 'd' ? "%04d%02d%02d" : "%04d-%02d-%02d",
                        y, m, d);
}

static void days_put(struct values *v, int32_t from, int32_t to,
                     struct arena *a)
{
    v->v[V_FROM].text = day_text(from, "iso", a);
    v->v[V_TO].text = day_text(to, "iso", a);
    v->v[V_FROM_DIGITS].text = day_text(from, "digits", a);
    v->v[V_TO_DIGITS].text = day_text(to, "digits", a);
    v->v[V_AFTER_DIGITS].text =
        day_text(to == DAY_NONE ? to : to + 1, "digits", a);
    v->v[V_FROM_US].text = day_text(from, "us", a);
    v->v[V_TO_US].text = day_text(to, "us", a);
}

/* In the template of dates an open end is one that holds everything. */
static enum err dates_fill(const struct provider_def *p,
                           const struct index_filter *f, const struct values *v,
                           enum escape esc, struct arena *a, const char **out)
{
    struct values own = *v;
    int32_t today = (int32_t)(clock_now_ms() / 86400000);

    if (f->day_from == DAY_NONE && f->day_to == DAY_NONE)
        return ERR_OK;
    days_put(&own, f->day_from == DAY_NONE ? 0 : f->day_from,
             f->day_to == DAY_NONE ? today : f->day_to, a);
    return template_fill(p->dates, &own, esc, a, out);
}

/* The values that are templates themselves, for one kind of escaping. */
static enum err made_fill(const struct provider_def *p,
                          const struct provider_ask *ask, enum escape esc,
                          struct arena *a, struct values *v)
{
    const struct index_filter *f = ask->f;
    bool including = f->include != NULL && f->include->count > 0;
    enum err e = sites_fill(&p->include, f->include, ask->site, v, esc, a,
                            &v->v[V_INCLUDE].text);

    if (e == ERR_OK && !including)
        e = sites_fill(&p->exclude, f->exclude, 0, v, esc, a,
                       &v->v[V_EXCLUDE].text);
    if (e == ERR_OK)
        e = dates_fill(p, f, v, esc, a, &v->v[V_DATES].text);
    if (e == ERR_OK && ask->images)
        e = template_fill(p->images, v, esc, a, &v->v[V_IMAGES].text);
    return e;
}

/* --- request ------------------------------------------------------------- */

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
            template_fill(p->header_value[i], v, ESCAPE_NONE, a, &value);

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

static enum err url_fill(const struct provider_def *p,
                         const struct provider_ask *ask, struct values v,
                         struct arena *a, struct http_request *rq)
{
    const char *text = NULL;
    struct url u;
    enum err e = made_fill(p, ask, ESCAPE_URL, a, &v);

    if (e == ERR_OK)
        e = template_fill(p->url, &v, ESCAPE_URL, a, &text);
    if (e == ERR_OK)
        e = url_parse(text, strlen(text), NULL, a, &u, NULL);
    if (e == ERR_OK)
        rq->url = u.href;
    return e;
}

static enum err body_fill(const struct provider_def *p,
                          const struct provider_ask *ask, struct values v,
                          struct arena *a, struct http_request *rq)
{
    const char *type = header_find(p, "Content-Type");
    bool form = type != NULL && mem_find_i(type, strlen(type), "form");
    enum escape esc = form ? ESCAPE_URL : ESCAPE_JSON;
    enum err e;

    if (strcmp(p->method, "POST") != 0)
        return ERR_OK;
    e = made_fill(p, ask, esc, a, &v);
    if (e == ERR_OK)
        e = template_fill(p->body, &v, esc, a, &rq->body);
    if (e == ERR_OK)
        rq->body_len = strlen(rq->body);
    return e;
}

enum err provider_request(const struct provider_def *p,
                          const struct provider_ask *ask, struct arena *a,
                          struct http_request *out)
{
    struct http_request rq = {.method = p->method,
                              .response_max = PROVIDER_BYTES_MAX,
                              .redirects_max = 2,
                              .same_host = true};
    size_t want =
        ask->want < (size_t)p->want_max ? ask->want : (size_t)p->want_max;
    struct values v = no_values;
    enum err e = query_text(p, ask, a, &v.v[V_Q].text);

    if (e != ERR_OK)
        return e;
    v.v[V_KEY].text = p->key;
    v.v[V_WANT].text = arena_printf(a, "%zu", want);
    days_put(&v, ask->f->day_from, ask->f->day_to, a);
    if (arena_failed(a))
        return ERR_NOMEM;
    e = url_fill(p, ask, v, a, &rq);
    if (e == ERR_OK)
        e = body_fill(p, ask, v, a, &rq);
    if (e == ERR_OK)
        e = headers_fill(p, &v, a, &rq);
    if (e == ERR_OK)
        *out = rq;
    return e;
}
