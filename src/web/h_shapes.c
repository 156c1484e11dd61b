/*
 * Search in the shapes of SearXNG, Tavily and Open WebUI; see shape.h and
 * handlers.h. Where their clients want an empty list when nothing was found,
 * they get one.
 */
#include "base/str.h"
#include "index/page.h"
#include "web/shape.h"

#include <string.h>

enum { PAGE_SIZE = 10, RESULTS_MOST = 100, URLS_MOST = 20, DAY_MS = 86400000 };

/* --- what they share ------------------------------------------------------ */

void shape_begin(struct shape *s, struct call *c)
{
    s->c = c;
    buf_init(&s->text, 8 * (size_t)c->w->app->conf->body_max + 4096);
    jw_init(&s->body, &s->text);
    jw_object(&s->body);
}

static enum err read_reply(struct call *c, struct json **out)
{
    struct response *res = c->res;
    enum err e = buf_err(&res->body);

    if (e == ERR_OK)
        e = json_parse(buf_str(&res->body), res->body.len, &json_limits_foreign,
                       out, &c->ec);
    buf_reset(&res->body);
    return e;
}

enum err shape_ask(struct shape *s, call_handler *handle, struct json **out)
{
    struct call inner = *s->c;
    struct json_limits lim = json_limits_request;
    struct response *res = s->c->res;
    struct json *body = NULL, *reply = NULL;
    bool nothing;
    enum err e;

    *out = NULL;
    jw_object_end(&s->body);
    lim.bytes_max = s->text.len + 1;
    e = buf_err(&s->text);
    if (e == ERR_OK)
        e = json_parse(s->text.data, s->text.len, &lim, &body, &s->c->ec);
    buf_fini(&s->text);
    if (e != ERR_OK)
        return e;
    inner.body = body;
    inner.id = NULL;
    call_run(&inner, handle == NULL ? h_search : handle);
    json_free(body);
    if (res->status == 200)
        return read_reply(s->c, out);
    if (buf_err(&res->body) != ERR_OK ||
        json_parse(buf_str(&res->body), res->body.len, &json_limits_foreign,
                   &reply, &s->c->ec) != ERR_OK)
        return ERR_TOLD;
    nothing =
        strcmp(problem_code(PROBLEM_NO_RESULT),
               json_string(json_get(json_get(reply, "error"), "code"))) == 0;
    json_free(reply);
    if (!nothing)
        return ERR_TOLD;
    buf_reset(&res->body);
    res->status = 200;
    return ERR_OK;
}

enum err shape_off(struct call *c)
{
    return call_refuse(c, PROBLEM_NOT_FOUND, NULL);
}

bool shape_given(const struct json *body, const char *name)
{
    const struct json *v = json_get(body, name);

    switch (json_type_of(v)) {
    case JSON_NULL:
        return false;
    case JSON_BOOL:
        return json_bool(v);
    case JSON_NUMBER:
        return json_number(v) != 0;
    case JSON_STRING:
        return *json_string(v) != '\0';
    default:
        return json_first(v) != NULL;
    }
}

void shape_refuse(const struct input *in, const char *const *names)
{
    for (; *names != NULL; names++)
        if (shape_given(in->object, *names))
            input_wrong(in, *names,
                        "must be left out: this service cannot do it");
}

static const char *text_of(const struct json *v, const char *name)
{
    const char *z = json_string(json_get(v, name));

    return z == NULL ? "" : z;
}

/* The best first; there is no other measure of them here. */
static double score_of(int64_t place)
{
    return 1.0 / (double)(place + 1);
}

static void ask_for(struct shape *s, const char *q, const char *depth,
                    const char *output, int64_t count)
{
    jw_kstring(&s->body, "q", q);
    jw_kstring(&s->body, "depth", depth);
    jw_kstring(&s->body, "outputType", output);
    jw_kint(&s->body, "maxResults",
            count < 1              ? 1
            : count > RESULTS_MOST ? RESULTS_MOST
                                   : count);
}

/* fromDate so that pages are at most so old. */
static void ask_since(struct shape *s, int64_t days)
{
    jw_kday(&s->body, "fromDate", (int32_t)(clock_now_ms() / DAY_MS - days));
}

/* The days of "day", "week", "month", "year" or their first letters, or -1. */
static int64_t days_of(const char *range)
{
    static const struct {
        const char *word;
        int days;
    } ranges[] = {{"day", 1}, {"week", 7}, {"month", 31}, {"year", 366}};

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (strcmp(range, ranges[i].word) == 0 ||
            (range[0] == ranges[i].word[0] && range[1] == '\0'))
            return ranges[i].days;
    return -1;
}

/* --- SearXNG: GET /search?format=json ------------------------------------- */

/* The question without its "site:" words, which become domains. */
static const char *take_sites(struct shape *s, const char *q)
{
    struct buf rest;
    const char *out = NULL;
    bool any = false;
    enum err e;

    buf_init(&rest, strlen(q) + 1);
    while (*q != '\0') {
        size_t n = strcspn(q, " ");
        bool site = n > 5 && strncmp(q, "site:", 5) == 0;

        if (site && !any)
            jw_karray(&s->body, "includeDomains");
        any = any || site;
        if (site)
            jw_string_n(&s->body, q + 5, n - 5);
        else if (n > 0)
            buf_addf(&rest, "%s%.*s", rest.len > 0 ? " " : "", (int)n, q);
        q += n + (q[n] == ' ');
    }
    if (any)
        jw_array_end(&s->body);
    e = buf_err(&rest);
    return buf_keep(&rest, e, s->c->rq->arena, &out) == ERR_OK ? out : "";
}

static void searxng_result(struct json_out *w, const struct json *v,
                           int64_t place)
{
    jw_object(w);
    jw_kstring(w, "url", text_of(v, "url"));
    jw_kstring(w, "title", text_of(v, "name"));
    jw_kstring(w, "content", text_of(v, "content"));
    jw_kstring(w, "engine", "cited");
    jw_kraw(w, "engines", "[\"cited\"]");
    jw_kstring(w, "category", "general");
    jw_kdouble(w, "score", score_of(place));
    if (json_string(json_get(v, "date")) != NULL)
        jw_kstring(w, "publishedDate", text_of(v, "date"));
    jw_object_end(w);
}

static void searxng_reply(struct call *c, const char *q,
                          const struct json *reply, int64_t page)
{
    static const char *const empty[] = {"answers", "corrections", "infoboxes",
                                        "suggestions", "unresponsive_engines"};
    const struct json *v = json_first(json_get(reply, "results"));
    int64_t place = 0;
    struct json_out *w = call_object(c);

    jw_kstring(w, "query", q);
    jw_kint(w, "number_of_results",
            (int64_t)json_count(json_get(reply, "results")));
    jw_karray(w, "results");
    for (; v != NULL; v = json_next(v), place++)
        if (place >= (page - 1) * PAGE_SIZE)
            searxng_result(w, v, place);
    jw_array_end(w);
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
        jw_kraw(w, empty[i], "[]");
    jw_object_end(w);
}

/* What the query string says; field errors are the caller's to look at. */
struct searxng {
    const char *q;
    int64_t page, days; /* days -1: any */
};

static void searxng_read(struct call *c, struct searxng *x)
{
    const char *query = c->rq->query;
    const char *format = input_query(query, "format", &c->problem);
    const char *page = input_query(query, "pageno", &c->problem);
    const char *range = input_query(query, "time_range", &c->problem);

    x->q = input_query(query, "q", &c->problem);
    x->page = 1;
    x->days = range == NULL || *range == '\0' ? -1 : days_of(range);
    if (x->q == NULL || *x->q == '\0')
        problem_add(&c->problem, "q", "q is required");
    if (format == NULL || strcmp(format, "json") != 0)
        problem_add(&c->problem, "format", "format must be json");
    if (page != NULL && !parse_int(page, 1, RESULTS_MOST / PAGE_SIZE, &x->page))
        problem_add(&c->problem, "pageno", "pageno must be 1 to %d",
                    RESULTS_MOST / PAGE_SIZE);
    if (range != NULL && *range != '\0' && x->days < 0)
        problem_add(&c->problem, "time_range",
                    "time_range must be day, week, month or year");
}

enum err h_searxng(struct call *c)
{
    struct searxng x;
    struct json *reply = NULL;
    struct shape s;
    enum err e;

    if (!c->w->app->conf->clients_searxng)
        return shape_off(c);
    searxng_read(c, &x);
    e = call_checked(c);
    if (e != ERR_OK)
        return e;
    shape_begin(&s, c);
    ask_for(&s, take_sites(&s, x.q), "standard", "searchResults",
            x.page * PAGE_SIZE);
    if (x.days >= 0)
        ask_since(&s, x.days);
    e = shape_ask(&s, NULL, &reply);
    if (e == ERR_OK)
        searxng_reply(c, x.q, reply, x.page);
    json_free(reply);
    return e;
}

/* --- Open WebUI: POST /external/search ------------------------------------ */

enum err h_open_webui(struct call *c)
{
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct json *reply = NULL;
    struct json_out *w = &c->out;
    struct shape s;
    const char *q;
    int64_t count;
    enum err e;

    if (!c->w->app->conf->clients_open_webui)
        return shape_off(c);
    q = input_text(&in, "query");
    count = input_whole(&in, "count", 1, RESULTS_MOST, PAGE_SIZE);
    e = call_checked(c);
    if (e != ERR_OK)
        return e;
    shape_begin(&s, c);
    ask_for(&s, q, "standard", "searchResults", count);
    e = shape_ask(&s, NULL, &reply);
    if (e == ERR_OK) {
        jw_init(w, &c->res->body);
        jw_array(w);
        for (const struct json *v = json_first(json_get(reply, "results"));
             v != NULL; v = json_next(v)) {
            jw_object(w);
            jw_kstring(w, "link", text_of(v, "url"));
            jw_kstring(w, "title", text_of(v, "name"));
            jw_kstring(w, "snippet", text_of(v, "content"));
            jw_object_end(w);
        }
        jw_array_end(w);
    }
    json_free(reply);
    return e;
}

/* --- Tavily: POST /search and /extract ------------------------------------ */

/* The text of a stored page, or null. */
static void raw_content(struct call *c, struct json_out *w, const char *url)
{
    struct db *index = c->w->store.index;
    struct errctx ec = {0};
    const char *text = NULL;
    struct page p;

    if (page_find(index, url, c->rq->arena, &p, &ec) != ERR_OK ||
        page_text(index, p.id, c->rq->arena, &text, &ec) != ERR_OK)
        text = NULL;
    jw_kstring(w, "raw_content", text);
}

static void copy_domains(struct shape *s, const char *from, const char *to)
{
    const struct json *v = json_get(s->c->body, from);

    if (json_type_of(v) != JSON_NULL)
        jw_kvalue(&s->body, to, v);
}

/* What both of its questions have in common. */
static void tavily_ask(struct shape *s, const struct input *in, const char *q,
                       bool answer, int64_t count)
{
    const struct json *depth = json_get(in->object, "search_depth");
    const char *word = json_string(depth);
    const char *range = json_string(json_get(in->object, "time_range"));
    int64_t days = input_whole(in, "days", 1, 36500, 0);

    ask_for(s, q,
            word != NULL && strcmp(word, "advanced") == 0  ? "deep"
            : word != NULL && strstr(word, "fast") != NULL ? "fast"
                                                           : "standard",
            answer ? "sourcedAnswer" : "searchResults", count);
    copy_domains(s, "include_domains", "includeDomains");
    copy_domains(s, "exclude_domains", "excludeDomains");
    if (shape_given(in->object, "start_date"))
        copy_domains(s, "start_date", "fromDate");
    else if (range != NULL && days_of(range) >= 0)
        ask_since(s, days_of(range));
    else if (days > 0)
        ask_since(s, days);
    if (shape_given(in->object, "end_date"))
        copy_domains(s, "end_date", "toDate");
    if (shape_given(in->object, "include_images"))
        jw_kbool(&s->body, "includeImages", true);
}

static void tavily_results(struct call *c, struct json_out *w,
                           const struct json *reply)
{
    const struct json *v = json_first(json_get(reply, "results"));
    bool raw = shape_given(c->body, "include_raw_content");
    int64_t place = 0;

    jw_karray(w, "results");
    for (; v != NULL; v = json_next(v)) {
        if (strcmp(text_of(v, "type"), "image") == 0)
            continue;
        jw_object(w);
        jw_kstring(w, "url", text_of(v, "url"));
        jw_kstring(w, "title", text_of(v, "name"));
        jw_kstring(w, "content", text_of(v, "content"));
        jw_kdouble(w, "score", score_of(place++));
        if (raw)
            raw_content(c, w, text_of(v, "url"));
        else
            jw_kraw(w, "raw_content", "null");
        if (json_string(json_get(v, "date")) != NULL)
            jw_kstring(w, "published_date", text_of(v, "date"));
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_karray(w, "images");
    v = json_first(json_get(reply, "results"));
    for (; v != NULL; v = json_next(v))
        if (strcmp(text_of(v, "type"), "image") == 0)
            jw_string(w, text_of(v, "url"));
    jw_array_end(w);
}

static void tavily_end(struct call *c, struct json_out *w, int64_t began_us)
{
    jw_kdouble(w, "response_time", (double)(clock_mono_us() - began_us) / 1e6);
    jw_kstring(w, "request_id", c->rq->id);
    jw_object_end(w);
}

static enum err tavily_search(struct call *c)
{
    static const char *const cannot[] = {"country", "exact_match", NULL};
    struct input in = {c->body, "", c->rq->arena, &c->problem};
    struct json *found = NULL, *answered = NULL;
    int64_t began = clock_mono_us(), count;
    struct json_out *w;
    struct shape s;
    const char *q;
    enum err e;

    if (!c->w->app->conf->clients_tavily)
        return shape_off(c);
    q = input_text(&in, "query");
    count = input_whole(&in, "max_results", 0, 20, 5);
    shape_refuse(&in, cannot); /* they would narrow; others are hints */
    e = call_checked(c);
    if (e != ERR_OK)
        return e;
    shape_begin(&s, c);
    tavily_ask(&s, &in, q, false, count);
    e = shape_ask(&s, NULL, &found);
    if (found != NULL && shape_given(c->body, "include_answer")) {
        shape_begin(&s, c);
        tavily_ask(&s, &in, q, true, count);
        e = shape_ask(&s, NULL, &answered);
    }
    if (e == ERR_OK) {
        w = call_object(c);
        jw_kstring(w, "query", q);
        jw_kraw(w, "follow_up_questions", "null");
        jw_kstring(w, "answer", json_string(json_get(answered, "answer")));
        tavily_results(c, w, found);
        tavily_end(c, w, began);
    }
    json_free(found);
    json_free(answered);
    return e;
}

/* SearXNG is asked by POST too, with the same query string and no body. */
enum err h_post_search(struct call *c)
{
    return c->body == NULL ? h_searxng(c) : tavily_search(c);
}

/* One page of an extraction; what failed is told in failed, as JSON. */
static enum err extract_one(struct call *c, const char *url, struct json_out *w,
                            struct json_out *failed)
{
    struct call one = *c;
    struct response res;
    struct json *reply = NULL;
    struct shape s;
    enum err e;

    response_init(&res);
    one.res = &res;
    shape_begin(&s, &one);
    jw_kstring(&s.body, "url", url);
    jw_kbool(&s.body, "extractImages", shape_given(c->body, "include_images"));
    e = shape_ask(&s, h_fetch, &reply);
    if (e == ERR_OK && reply == NULL)
        e = ERR_NO_RESULT;
    if (e == ERR_OK) {
        jw_object(w);
        jw_kstring(w, "url", url);
        jw_kstring(w, "raw_content", text_of(reply, "markdown"));
        jw_karray(w, "images");
        for (const struct json *v = json_first(json_get(reply, "images"));
             v != NULL; v = json_next(v))
            jw_string(w, text_of(v, "url"));
        jw_array_end(w);
        jw_object_end(w);
    } else if (e == ERR_TOLD && res.status < 500 &&
               json_parse(buf_str(&res.body), res.body.len,
                          &json_limits_foreign, &reply, &c->ec) == ERR_OK) {
        jw_object(failed);
        jw_kstring(failed, "url", url);
        jw_kstring(failed, "error",
                   text_of(json_get(reply, "error"), "message"));
        jw_object_end(failed);
        e = ERR_OK;
    }
    json_free(reply);
    response_fini(&res);
    return e == ERR_TOLD ? err_set(&c->ec, ERR_UPSTREAM, "%s", url) : e;
}

enum err h_tavily_extract(struct call *c)
{
    const struct json *urls = json_get(c->body, "urls"), *v;
    bool one = json_type_of(urls) == JSON_STRING;
    int64_t began = clock_mono_us();
    struct json_out failed, *w;
    struct buf text;
    enum err e = ERR_OK;

    if (!c->w->app->conf->clients_tavily)
        return shape_off(c);
    if (!one &&
        (json_type_of(urls) != JSON_ARRAY || json_count(urls) > URLS_MOST))
        problem_add(&c->problem, "urls",
                    "urls must be an address, or an array of at most %d",
                    URLS_MOST);
    for (v = one ? NULL : json_first(urls); v != NULL; v = json_next(v))
        if (json_type_of(v) != JSON_STRING)
            problem_add(&c->problem, "urls", "urls must hold addresses");
    e = call_checked(c);
    if (e != ERR_OK)
        return e;
    buf_init(&text, 1 << 20);
    jw_init(&failed, &text);
    jw_array(&failed);
    w = call_object(c);
    jw_karray(w, "results");
    for (v = one ? urls : json_first(urls); v != NULL && e == ERR_OK;
         v = one ? NULL : json_next(v))
        e = extract_one(c, json_string(v), w, &failed);
    jw_array_end(w);
    jw_array_end(&failed);
    if (e == ERR_OK)
        e = buf_err(&text);
    if (e == ERR_OK) {
        jw_kraw(w, "failed_results", buf_str(&text));
        tavily_end(c, w, began);
    }
    buf_fini(&text);
    return e;
}
