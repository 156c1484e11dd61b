/* What filling needs everywhere; see fill.h. */
#include "object/fill.h"

#include "base/buf.h"
#include "base/str.h"
#include "question/overlap.h"
#include "json/schema.h"

#include <string.h>

enum {
    DEPTH_MAX = 5, /* of references and branches to a type */
    SNIPPET_BYTES_MAX = 500,
    PRINT_BYTES_MAX = 64 * 1024,
    NAME_EVERY = 8192, /* bytes, a page that is about it names it once */
    PAGE_BYTES_MAX = 256 * 1024 /* a larger page is about many things */
};

/* How much of the question's names must stand in the passage, or in its
 * page. */
static const double NAMES_MIN = 0.7;
static const double NAMES_LEAST = 0.33; /* with less it is of no use */

static bool type_has(const struct json *type, const char *z)
{
    if (json_string(type) != NULL)
        return strcmp(json_string(type), z) == 0;
    for (type = json_first(type); type != NULL; type = json_next(type))
        if (json_string(type) != NULL && strcmp(json_string(type), z) == 0)
            return true;
    return false;
}

/* The first of a type list that is not null. */
static const char *type_name(const struct json *type)
{
    if (json_string(type) != NULL)
        return json_string(type);
    for (type = json_first(type); type != NULL; type = json_next(type))
        if (json_string(type) != NULL && strcmp(json_string(type), "null") != 0)
            return json_string(type);
    return "";
}

/* The branch of anyOf or oneOf that is not null, or the only one of allOf. */
static const struct json *branch_of(const struct fill *f, const struct json *s,
                                    bool *nullable)
{
    static const char *const keys[] = {"anyOf", "oneOf", "allOf"};
    const struct json *found = NULL;

    for (size_t i = 0; i < 3 && found == NULL; i++) {
        const struct json *b = json_first(json_get(s, keys[i]));

        for (; b != NULL; b = json_next(b)) {
            const struct json *r = schema_resolve(f->root, b);

            if (r != NULL && type_has(json_get(r, "type"), "null"))
                *nullable = true;
            else if (found == NULL)
                found = r;
        }
    }
    return found;
}

struct shape fill_shape(const struct fill *f, const struct json *s)
{
    struct shape out = {NULL, false, ""};

    for (int i = 0; i < DEPTH_MAX && s != NULL; i++) {
        s = schema_resolve(f->root, s);
        out.schema = s;
        if (s == NULL)
            break;
        if (type_has(json_get(s, "type"), "null"))
            out.nullable = true;
        if (json_get(s, "type") != NULL || json_get(s, "enum") != NULL ||
            json_get(s, "const") != NULL || json_get(s, "properties") != NULL)
            break;
        s = branch_of(f, s, &out.nullable);
    }
    if (out.schema != NULL)
        out.type = type_name(json_get(out.schema, "type"));
    if (out.type[0] == '\0' && json_get(out.schema, "properties") != NULL)
        out.type = "object";
    return out;
}

const struct json *fill_leaf(const struct fill *f, const struct json *schema)
{
    return fill_shape(f, schema).schema;
}

const char *fill_type(const struct json *leaf)
{
    return type_name(json_get(leaf, "type"));
}

bool fill_is_required(const struct json *schema, const char *name)
{
    const struct json *r = json_first(json_get(schema, "required"));

    for (; r != NULL; r = json_next(r))
        if (json_string(r) != NULL && strcmp(json_string(r), name) == 0)
            return true;
    return false;
}

/* Names of the question that the page's site is called by: "postgres" for
 * PostgreSQL. */
static uint64_t host_mask(const struct query *q, const char *url)
{
    enum { PART_MIN = 3, REST_MAX = 2 };
    const char *p = strstr(url, "://");
    uint64_t mask = 0;

    for (p = p == NULL ? "" : p + 3; *p != '\0' && *p != '/';) {
        size_t n = strcspn(p, ".-:/");

        for (size_t i = 0; i < q->term_count && n >= PART_MIN; i++) {
            size_t len = strlen(q->words[i]), same = 0;

            while (same < n && same < len &&
                   ascii_lower(p[same]) == ascii_lower(q->words[i][same]))
                same++;
            if (same >= PART_MIN && n - same + len - same <= REST_MAX)
                mask |= (uint64_t)1 << i;
        }
        p += n + (strchr(".-:", p[n]) != NULL && p[n] != '\0');
    }
    return mask;
}

static uint64_t candidate_mask(const struct query *q, const struct candidate *c)
{
    return overlap_mask(q, c->text, strlen(c->text)) |
           overlap_mask(q, c->heading, strlen(c->heading)) |
           overlap_mask(q, c->title, strlen(c->title)) | host_mask(q, c->url);
}

/* Does the text name the question's subject again and again? A page that only
 * mentions it is about something else. */
static bool names_often(const struct fill *f, const char *text)
{
    size_t n = strlen(text);
    double all = overlap_weight(f->q, f->subject), held = 0;

    for (size_t i = 0; i < f->q->term_count; i++) {
        const char *at = text;
        size_t times = 0;

        if (!(f->subject >> i & 1))
            continue;
        while ((at = mem_find_i(at, n - (size_t)(at - text), f->q->words[i])) !=
               NULL) {
            at++;
            times++;
        }
        if (times * NAME_EVERY >= n)
            held += overlap_weight(f->q, (uint64_t)1 << i);
    }
    return held >= NAMES_MIN * all;
}

enum err fill_is_about(struct fill *f, const struct candidate *c, bool *about,
                       double *missing)
{
    const struct query *q = f->q;
    double all = overlap_weight(q, f->subject);
    uint64_t mask = candidate_mask(q, c);
    const char *text = "";
    struct arena once; /* a page's text is large, and read for many fields */
    enum err e = ERR_OK;

    *missing = q->type == ANSWER_COMPARE || all <= 0
                   ? 0
                   : 1 - overlap_weight(q, mask & f->subject) / all;
    *about = *missing <= 1 - NAMES_MIN;
    if (*missing > 1 - NAMES_LEAST)
        *missing = 1;
    if (*about || f->ask->index == NULL || c->page <= 0 || c->page_bytes <= 0 ||
        c->page_bytes > PAGE_BYTES_MAX)
        return ERR_OK;
    if (f->named_page != c->page) {
        arena_init(&once, 16 * PAGE_BYTES_MAX);
        e = page_text(f->ask->index, c->page, &once, &text, f->ec);
        if (e == ERR_OK) {
            f->named_page = c->page;
            f->named_often = names_often(f, text);
        }
        arena_fini(&once);
    }
    *about = e == ERR_OK && f->named_often;
    if (*about)
        *missing = 0;
    return e == ERR_NOT_FOUND ? ERR_OK : e;
}

enum err fill_alone(struct fill *f)
{
    enum err e;

    if (f->alone_asked)
        return ERR_OK;
    f->alone_asked = true;
    e = f->ask->passages(f->ask->user, f->q->text, f->a, &f->alone,
                         &f->alone_count);
    return e == ERR_NO_RESULT ? ERR_OK : e;
}

double fill_host_share(const struct fill *f, const struct candidate *c)
{
    size_t n = 0;

    for (size_t i = 0; i < f->alone_count; i++)
        n += strcmp(f->alone[i].c.host, c->host) == 0;
    return f->alone_count == 0 ? 0 : (double)n / (double)f->alone_count;
}

size_t fill_page_rank(const struct fill *f, const struct candidate *c)
{
    size_t rank = 1;

    for (size_t i = 0; i < f->alone_count; i++) {
        bool again = false;

        if (strcmp(f->alone[i].c.url, c->url) == 0)
            return rank;
        for (size_t k = 0; k < i && !again; k++)
            again = strcmp(f->alone[k].c.url, f->alone[i].c.url) == 0;
        rank += !again;
    }
    return 0;
}

enum err fill_is_valid(const struct fill *f, const struct json *schema,
                       const char *json, bool *valid)
{
    struct json *v = NULL;
    enum err e = json_parse(json, strlen(json), &json_limits_foreign, &v, NULL);

    *valid = false;
    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK)
        return ERR_OK;
    e = schema_validate_part(f->root, schema, v, NULL);
    json_free(v);
    *valid = e == ERR_OK;
    return e == ERR_NOMEM ? e : ERR_OK;
}

enum err fill_print(struct fill *f, const struct json *schema,
                    const struct json *value, const char **json)
{
    enum err e = schema_validate_part(f->root, schema, value, NULL);

    if (e != ERR_OK)
        return e == ERR_INVALID ? ERR_NO_RESULT : e;
    return json_print(value, PRINT_BYTES_MAX, f->a, json);
}

enum err fill_source(struct fill *f, const struct candidate *c,
                     const char *sentence)
{
    struct source *s;

    if (sentence == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < f->source_count; i++)
        if (strcmp(f->sources[i].url, c->url) == 0)
            return ERR_OK;
    if (f->source_count == FILL_SOURCES_MAX)
        return ERR_OK;
    s = &f->sources[f->source_count++];
    *s = source_of(c);
    s->snippet =
        arena_strndup(f->a, sentence,
                      utf8_cut(sentence, strlen(sentence), SNIPPET_BYTES_MAX));
    return s->snippet == NULL ? ERR_NOMEM : ERR_OK;
}
