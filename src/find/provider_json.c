/*
 * What the answer of a JSON search API means; see provider.h for the
 * rules. Touches no network itself. Called by
 * provider_ask.c.
 */
#include "find/provider_json.h"

#include "base/buf.h"
#include "base/date.h"
#include "base/str.h"
#include "text/html.h"
#include "json/json.h"

#include <stdio.h>
#include <string.h>

enum { PATH_PARTS_MAX = 12, FIELD_BYTES_MAX = 16 * 1024 };

/* --- answer -------------------------------------------------------------- */

/* Child `part` of an object, or the child of that number of an array. */
static const struct json *child_at(const struct json *v, const char *part)
{
    int64_t i;

    if (v == NULL || json_type_of(v) != JSON_ARRAY)
        return json_get(v, part);
    if (!parse_int(part, 0, PROVIDER_RESULTS_MAX, &i))
        return NULL;
    for (v = json_first(v); v != NULL && i > 0; i--)
        v = json_next(v);
    return v;
}

/* Follow a dotted path; "" is v itself. */
static const struct json *path_at(const struct json *v, const char *path)
{
    char part[64];

    for (int i = 0; v != NULL && *path != '\0' && i < PATH_PARTS_MAX; i++) {
        size_t n = strcspn(path, ".");

        if (n >= sizeof(part))
            return NULL;
        memcpy(part, path, n);
        part[n] = '\0';
        v = child_at(v, part);
        path += n + (path[n] == '.' ? 1 : 0);
    }
    return v;
}

/* Text of a field: a string, a number, or an array of strings or of objects
 * with a "value". */
static const char *text_of(const struct json *v, struct arena *a)
{
    struct buf b;
    const char *z;
    int64_t whole;

    if (v == NULL)
        return "";
    if (json_type_of(v) == JSON_STRING)
        return json_string(v);
    if (json_is_whole(v, &whole))
        return arena_printf(a, "%lld", (long long)whole);
    if (json_type_of(v) != JSON_ARRAY)
        return "";
    buf_init(&b, FIELD_BYTES_MAX);
    for (v = json_first(v); v != NULL; v = json_next(v)) {
        z = json_string(json_type_of(v) == JSON_OBJECT ? json_get(v, "value")
                                                       : v);
        if (z != NULL)
            buf_addf(&b, "%s%s", b.len == 0 ? "" : " ", z);
    }
    z = arena_strdup(a, buf_str(&b));
    buf_fini(&b);
    return z;
}

/* A field by path, or by a template of paths: "https://host/{title}". */
static const char *field_text(const struct json *item, const char *field,
                              struct arena *a)
{
    struct buf b;
    const char *z, *close;

    if (field[0] == '\0')
        return "";
    if (strchr(field, '{') == NULL)
        return text_of(path_at(item, field), a);
    buf_init(&b, FIELD_BYTES_MAX);
    for (z = field; *z != '\0'; z++) {
        close = *z == '{' ? strchr(z, '}') : NULL;
        if (close == NULL) {
            buf_addc(&b, *z);
            continue;
        }
        z = arena_strndup(a, z + 1, (size_t)(close - z) - 1);
        if (z != NULL)
            z = text_of(path_at(item, z), a);
        if (z != NULL)
            provider_percent(&b, z);
        z = close;
    }
    z = arena_strdup(a, buf_str(&b));
    buf_fini(&b);
    return z;
}

/* A date at the beginning of the field: an ISO date with anything behind, as
 * providers write date-times in many ways; or one as in HTTP headers. */
static int32_t day_of(const char *z)
{
    int64_t ms;
    int32_t day;

    if (strlen(z) >= DATE_LEN && date_parse_iso(z, DATE_LEN, &day))
        return day;
    return date_parse_http(z, &ms) ? (int32_t)(ms / 86400000) : DAY_NONE;
}

static const char *plain_text(const char *z, struct arena *a)
{
    size_t n = strlen(z);

    return html_fragment_text(
        z, n < FIELD_BYTES_MAX ? n : utf8_cut(z, n, FIELD_BYTES_MAX), a);
}

/* One result to a candidate. ERR_INVALID when it cannot be used. */
static enum err result_read(const struct provider_def *p,
                            const struct json *item, struct arena *a,
                            struct candidate *out)
{
    const char *url = field_text(item, p->url_field, a);
    const char *title = field_text(item, p->title_field, a);
    const char *snippet = field_text(item, p->snippet_field, a);
    const char *day = field_text(item, p->date_field, a);
    struct candidate c = {.heading = "", .favicon = "", .lang = ""};
    struct url u;
    enum err e;

    if (url == NULL || title == NULL || snippet == NULL || day == NULL)
        return ERR_NOMEM;
    e = url_parse(url, strlen(url), NULL, a, &u, NULL);
    if (e != ERR_OK)
        return e;
    c.url = u.href;
    c.host = u.host;
    c.title = plain_text(title, a);
    c.text = plain_text(snippet, a);
    c.day = day_of(day);
    if (c.title == NULL || c.text == NULL)
        return ERR_NOMEM;
    *out = c;
    return ERR_OK;
}

/* Add an image, if its URL is one. */
static enum err image_add(const char *url, const char *alt, const char *page,
                          int32_t day, struct arena *a,
                          struct provider_answer *out)
{
    struct provider_image *im = &out->images[out->image_count];
    struct url u;
    enum err e;

    if (url == NULL || alt == NULL)
        return ERR_NOMEM;
    if (url[0] == '\0' || out->image_count == PROVIDER_RESULTS_MAX)
        return ERR_OK;
    e = url_parse(url, strlen(url), NULL, a, &u, NULL);
    if (e != ERR_OK)
        return e == ERR_NOMEM ? e : ERR_OK;
    *im = (struct provider_image){u.href, plain_text(alt, a), page, day};
    if (im->alt == NULL)
        return ERR_NOMEM;
    out->image_count++;
    return ERR_OK;
}

/* Images that belong to no result: strings, or objects with a url. */
static enum err images_read(const struct provider_def *p,
                            const struct json *root, struct arena *a,
                            struct provider_answer *out)
{
    const struct json *v =
        p->images_path[0] == '\0' ? NULL : path_at(root, p->images_path);
    enum err e = ERR_OK;

    if (v == NULL || json_type_of(v) != JSON_ARRAY)
        return ERR_OK;
    for (v = json_first(v); e == ERR_OK && v != NULL; v = json_next(v)) {
        bool plain = json_type_of(v) == JSON_STRING;

        e = image_add(plain ? json_string(v) : field_text(v, "url", a),
                      plain ? "" : field_text(v, "description", a), "",
                      DAY_NONE, a, out);
    }
    return e;
}

/* Where the result stands: the number in order_field, else its place. */
static double order_of(const struct provider_def *p, const struct json *item,
                       size_t place)
{
    const struct json *v =
        p->order_field[0] == '\0' ? NULL : path_at(item, p->order_field);

    return v != NULL && json_type_of(v) == JSON_NUMBER ? json_number(v)
                                                       : (double)place;
}

/* Put the last candidate before those of a higher order; score holds the
 * order meanwhile. */
static void order_in(struct candidate *c, size_t last)
{
    struct candidate mine = c[last];

    for (; last > 0 && c[last - 1].score > mine.score; last--)
        c[last] = c[last - 1];
    c[last] = mine;
}

static enum err results_read(const struct provider_def *p,
                             const struct json *list, struct arena *a,
                             struct provider_answer *out)
{
    const struct json *item;

    for (item = json_first(list);
         item != NULL && out->count < PROVIDER_RESULTS_MAX;
         item = json_next(item)) {
        struct candidate *c = &out->found[out->count];
        enum err e = result_read(p, item, a, c);

        if (e == ERR_NOMEM)
            return e;
        if (e != ERR_OK)
            continue;
        e = image_add(field_text(item, p->image_field, a), c->title, c->url,
                      c->day, a, out);
        if (e != ERR_OK)
            return e;
        c->score = order_of(p, item, out->count);
        order_in(out->found, out->count++);
    }
    for (size_t i = 0; i < out->count; i++)
        out->found[i].score = 1.0 / (1.0 + 0.1 * (double)i);
    return ERR_OK;
}

static void say(struct provider_answer *out, enum outcome o, const char *msg)
{
    out->outcome = o;
    snprintf(out->msg, sizeof(out->msg), "%s", msg);
    /* A cut must not leave half a character. */
    out->msg[utf8_cut(msg, strlen(msg), sizeof(out->msg) - 1)] = '\0';
}

static bool is_something(const struct json *v)
{
    if (v == NULL || json_type_of(v) == JSON_NULL)
        return false;
    if (json_type_of(v) == JSON_STRING)
        return json_string(v)[0] != '\0';
    if (json_type_of(v) == JSON_BOOL)
        return json_bool(v);
    return json_type_of(v) == JSON_NUMBER ? json_number(v) != 0
                                          : json_count(v) > 0;
}

/* An error object inside a 200. */
static void say_error(struct provider_answer *out, const struct json *err)
{
    static const char *const fields[] = {"message", "info", "code", "detail"};
    const char *z = json_string(err);
    bool limited;

    for (size_t i = 0; z == NULL && i < 4; i++)
        z = json_string(json_get(err, fields[i]));
    if (z == NULL)
        z = "an error without a message";
    limited = mem_find_i(z, strlen(z), "rate") != NULL &&
              mem_find_i(z, strlen(z), "limit") != NULL;
    say(out, limited ? OUTCOME_LIMITED : OUTCOME_BAD_REQUEST, z);
}

/* Is there something at any of the paths, which blanks separate? */
static bool has_any(const struct json *root, const char *paths)
{
    char one[128];

    while (*paths != '\0') {
        size_t n = strcspn(paths, " ");

        if (n > 0 && n < sizeof(one)) {
            memcpy(one, paths, n);
            one[n] = '\0';
            if (is_something(path_at(root, one)))
                return true;
        }
        paths += n + (paths[n] == ' ' ? 1 : 0);
    }
    return false;
}

/* What a list of results that could be read means. */
static void list_judge(const struct provider_def *p, const struct json *root,
                       const struct json *list, struct provider_answer *out)
{
    bool failed = has_any(root, p->failed_path);

    out->outcome = out->count > 0 ? OUTCOME_OK : OUTCOME_EMPTY;
    if (out->count == 0 && json_first(list) != NULL)
        say(out, OUTCOME_MALFORMED, "no result has a usable URL");
    else if (out->count == 0 && failed)
        say(out, OUTCOME_UNAVAILABLE, "its sources did not respond");
    else if (failed)
        say(out, OUTCOME_PARTIAL, "some of its sources did not respond");
}

static enum err tree_read(const struct provider_def *p, const struct json *root,
                          struct arena *a, struct provider_answer *out)
{
    const struct json *list = path_at(root, p->results);
    enum err e;

    if (p->error_path[0] != '\0' &&
        is_something(path_at(root, p->error_path))) {
        say_error(out, path_at(root, p->error_path));
        return ERR_OK;
    }
    out->found = arena_array(a, PROVIDER_RESULTS_MAX + 1, sizeof(*out->found));
    out->images =
        arena_array(a, PROVIDER_RESULTS_MAX + 1, sizeof(*out->images));
    if (out->found == NULL || out->images == NULL)
        return ERR_NOMEM;
    if (list == NULL && p->missing_empty) {
        out->outcome = OUTCOME_EMPTY;
        return images_read(p, root, a, out);
    }
    if (list == NULL || json_type_of(list) != JSON_ARRAY) {
        say(out, OUTCOME_MALFORMED, "the answer has no list of results");
        return ERR_OK;
    }
    e = results_read(p, list, a, out);
    if (e == ERR_OK)
        e = images_read(p, root, a, out);
    if (e == ERR_OK)
        list_judge(p, root, list, out);
    return e;
}

static enum outcome outcome_of_status(long status)
{
    switch (status) {
    case 401:
    case 402:
    case 403:
    case 432:
    case 433:
        return OUTCOME_DENIED;
    case 429:
    case 503:
        return OUTCOME_LIMITED;
    case 408:
    case 425:
        return OUTCOME_UNAVAILABLE;
    default:
        break;
    }
    if (status >= 200 && status < 300)
        return OUTCOME_OK;
    return status >= 400 && status < 500   ? OUTCOME_BAD_REQUEST
           : status >= 300 && status < 400 ? OUTCOME_MALFORMED
                                           : OUTCOME_UNAVAILABLE;
}

static enum outcome outcome_of_err(enum err e)
{
    if (e == ERR_TIMEOUT)
        return OUTCOME_TIMEOUT;
    if (e == ERR_TOO_LARGE)
        return OUTCOME_MALFORMED;
    return e == ERR_FORBIDDEN ? OUTCOME_DENIED : OUTCOME_UNAVAILABLE;
}

enum err provider_read(const struct provider_def *p,
                       const struct http_response *res, struct arena *a,
                       struct provider_answer *out)
{
    struct json *root = NULL;
    struct errctx ec;
    enum err e;

    out->outcome = OUTCOME_OK;
    out->found = NULL;
    out->count = 0;
    out->images = NULL;
    out->image_count = 0;
    out->msg[0] = '\0';
    if (res->err != ERR_OK) {
        say(out, outcome_of_err(res->err), res->msg);
        return ERR_OK;
    }
    if (outcome_of_status(res->status) != OUTCOME_OK) {
        say(out, outcome_of_status(res->status), "");
        snprintf(out->msg, sizeof(out->msg), "it answered with status %ld",
                 res->status);
        return ERR_OK;
    }
    e = json_parse(buf_str(&res->body), res->body.len, &json_limits_foreign,
                   &root, &ec);
    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK) {
        say(out, OUTCOME_MALFORMED, "the answer is not JSON");
        return ERR_OK;
    }
    e = tree_read(p, root, a, out);
    json_free(root);
    return e;
}
