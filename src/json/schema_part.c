/*
 * References, places and the count of work of the schema checker; see
 * schema_part.h. Every search through a schema costs steps here, so that no
 * schema can make us work without end.
 */
#include "json/schema_part.h"

#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TOKEN_MAX = 512,
    HOPS_MAX = 32,
    PLACES_MAX = 40,
    SUBJECT_MAX = 64 * 1024 /* a longer string is held against no pattern */
};

void schema_run_init(struct schema_run *r, const struct json *root,
                     struct errctx *ec)
{
    const char *dialect = json_string(json_get(root, "$schema"));

    memset(r, 0, sizeof *r);
    r->root = root;
    r->base = json_string(json_get(root, "$id"));
    r->base = r->base == NULL ? "" : r->base;
    r->refs_alone = dialect != NULL && (strstr(dialect, "draft-07") != NULL ||
                                        strstr(dialect, "draft-06") != NULL ||
                                        strstr(dialect, "draft-04") != NULL);
    r->steps = SCHEMA_STEPS_MAX;
    r->ec = ec;
}

void schema_run_fini(struct schema_run *r)
{
    for (size_t i = 0; i < SCHEMA_PATTERNS; i++)
        pattern_free(r->cache[i].pattern);
}

enum err schema_spend(struct schema_run *r, size_t n)
{
    if (n > SCHEMA_STEPS_MAX || r->steps < (int64_t)n)
        return ERR_LIMIT;
    r->steps -= (int64_t)n;
    return ERR_OK;
}

enum err schema_run_result(struct schema_run *r, enum err err)
{
    if (err == ERR_LIMIT)
        return err_set(r->ec, ERR_INVALID,
                       "the schema is too complex for this value");
    if (err == ERR_NOMEM)
        return err_set(r->ec, ERR_NOMEM, "out of memory");
    return err;
}

const char *place_format(const struct place *at, const char *root, char *out,
                         size_t size)
{
    const struct place *list[PLACES_MAX];
    size_t n = 0, len = 0;

    for (; at != NULL && n < PLACES_MAX; at = at->up)
        list[n++] = at;
    if (n == 0)
        snprintf(out, size, "%s", root);
    while (n > 0 && len + 1 < size) {
        const struct place *p = list[--n];
        const char *dot = len > 0 ? "." : "";
        int w = p->name != NULL
                    ? snprintf(out + len, size - len, "%s%s", dot, p->name)
                    : snprintf(out + len, size - len, "%s%zu", dot, p->index);

        len += w < 0 ? 0 : (size_t)w;
    }
    if (len >= size) /* cut: not within a character */
        out[utf8_cut(out, size - 1, size - 5)] = '\0';
    return out;
}

enum err schema_find(struct schema_run *r, const struct json *object,
                     const char *name, const struct json **out)
{
    size_t passed = 1;
    const struct json *c = NULL;

    if (json_type_of(object) == JSON_OBJECT)
        c = json_first(object);
    for (; c != NULL && strcmp(json_name(c), name) != 0; c = json_next(c))
        passed++;
    *out = c;
    return schema_spend(r, passed);
}

/* --- references ----------------------------------------------------------- */

static int hex_value(char c)
{
    c = ascii_lower(c);
    if (ascii_is_digit(c))
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Percent-decode z into out; false when it is too long or holds a NUL. */
static bool decode_percent(const char *z, char out[TOKEN_MAX])
{
    size_t n = 0;

    for (; *z != '\0'; z++) {
        if (n + 1 >= TOKEN_MAX)
            return false;
        out[n] = *z;
        if (*z == '%' && hex_value(z[1]) >= 0 && hex_value(z[2]) >= 0) {
            out[n] = (char)(hex_value(z[1]) * 16 + hex_value(z[2]));
            z += 2;
        }
        if (out[n++] == '\0')
            return false;
    }
    out[n] = '\0';
    return true;
}

/* Decode ~1 and ~0 of one pointer segment, in place (RFC 6901). */
static void decode_tilde(char *z)
{
    char *w = z;

    for (; *z != '\0'; z++) {
        *w = *z;
        if (z[0] == '~' && (z[1] == '0' || z[1] == '1'))
            *w = *++z == '0' ? '~' : '/';
        w++;
    }
    *w = '\0';
}

/* Element number z of an array, or NULL. */
static enum err find_element(struct schema_run *r, const struct json *array,
                             const char *z, const struct json **out)
{
    int64_t index;
    const struct json *c = json_first(array);
    size_t passed = 1;

    *out = NULL;
    if (!parse_int(z, 0, INT32_MAX, &index))
        return ERR_OK;
    for (; c != NULL && index > 0; index--, passed++)
        c = json_next(c);
    *out = c;
    return schema_spend(r, passed);
}

/* The value behind the pointer z ("/a/0/b"), which is spoiled. */
static enum err find_pointer(struct schema_run *r, char *z,
                             const struct json **out)
{
    const struct json *at = r->root;

    while (at != NULL && *z == '/') {
        char *end = strchr(z + 1, '/');
        char token[TOKEN_MAX];
        enum err err;

        snprintf(token, sizeof token, "%.*s",
                 (int)(end == NULL ? strlen(z + 1) : (size_t)(end - z - 1)),
                 z + 1);
        decode_tilde(token);
        if (json_type_of(at) == JSON_ARRAY)
            err = find_element(r, at, token, &at);
        else
            err = schema_find(r, at, token, &at);
        if (err != ERR_OK)
            return err;
        z = end == NULL ? z + strlen(z) : end;
    }
    *out = at;
    return ERR_OK;
}

/* Does this object carry the anchor, in one of the dialects' spellings? */
static bool has_anchor(const struct json *v, const char *name)
{
    const char *anchor = json_string(json_get(v, "$anchor"));
    const char *dynamic = json_string(json_get(v, "$dynamicAnchor"));
    const char *id = json_string(json_get(v, "$id"));

    return (anchor != NULL && strcmp(anchor, name) == 0) ||
           (dynamic != NULL && strcmp(dynamic, name) == 0) ||
           (id != NULL && id[0] == '#' && strcmp(id + 1, name) == 0);
}

/* Search v and what is in it, but not the values of enum and const, which
 * are data. */
static enum err find_anchor(struct schema_run *r, const struct json *v,
                            const char *name, int depth,
                            const struct json **out)
{
    enum err err = schema_spend(r, 1);

    if (err != ERR_OK || depth > 2 * SCHEMA_DEPTH_MAX + 2)
        return err;
    if (json_type_of(v) == JSON_OBJECT && has_anchor(v, name)) {
        *out = v;
        return ERR_OK;
    }
    for (const struct json *c = json_first(v);
         c != NULL && *out == NULL && err == ERR_OK; c = json_next(c)) {
        const char *key = json_name(c);

        if (key == NULL ||
            (strcmp(key, "enum") != 0 && strcmp(key, "const") != 0))
            err = find_anchor(r, c, name, depth + 1, out);
    }
    return err;
}

/* The fragment of a reference to this very document, with its '#' or empty;
 * NULL for one that leads elsewhere. The root's $id is understood when it is
 * written out in full. */
static const char *local_part(const struct schema_run *r, const char *ref)
{
    size_t n = strcspn(r->base, "#");

    if (n > 0 && strncmp(ref, r->base, n) == 0 &&
        (ref[n] == '#' || ref[n] == '\0'))
        ref += n;
    else if (ref[0] == '\0')
        return NULL;
    return ref[0] == '#' || ref[0] == '\0' ? ref : NULL;
}

bool schema_is_local(const struct schema_run *r, const char *ref)
{
    return local_part(r, ref) != NULL;
}

enum err schema_find_ref(struct schema_run *r, const char *ref,
                         const struct json **out)
{
    char text[TOKEN_MAX];
    const struct json *found = NULL;
    enum err err = ERR_OK;

    ref = local_part(r, ref);
    if (ref != NULL && ref[0] == '\0')
        found = r->root;
    else if (ref != NULL && decode_percent(ref + 1, text)) {
        if (text[0] == '\0')
            found = r->root;
        else if (text[0] == '/')
            err = find_pointer(r, text, &found);
        else
            err = find_anchor(r, r->root, text, 0, &found);
    }
    if (err == ERR_OK)
        *out = found;
    return err;
}

const struct json *schema_resolve(const struct json *root,
                                  const struct json *sub)
{
    struct schema_run r;

    schema_run_init(&r, root, NULL);
    for (int hops = 0; hops < HOPS_MAX && sub != NULL; hops++) {
        const char *ref = json_string(json_get(sub, "$ref"));

        if (ref == NULL)
            ref = json_string(json_get(sub, "$dynamicRef"));
        if (ref == NULL)
            return sub;
        if (schema_find_ref(&r, ref, &sub) != ERR_OK)
            return NULL;
    }
    return NULL;
}

/* A compiled pattern out of the cache; belongs to the run. */
static enum err schema_pattern(struct schema_run *r, const char *text,
                               struct pattern **out)
{
    struct pattern *p = NULL;
    enum err err;
    size_t slot = r->cache_next;

    for (size_t i = 0; i < SCHEMA_PATTERNS; i++)
        if (r->cache[i].text == text) {
            *out = r->cache[i].pattern;
            return ERR_OK;
        }
    err = schema_spend(r, 200 + strlen(text));
    if (err == ERR_OK)
        err = pattern_parse(text, &p, NULL);
    if (err != ERR_OK)
        return err;
    pattern_free(r->cache[slot].pattern);
    r->cache[slot].text = text;
    r->cache[slot].pattern = p;
    r->cache_next = (slot + 1) % SCHEMA_PATTERNS;
    *out = p;
    return ERR_OK;
}

enum err schema_matches(struct schema_run *r, const char *pattern,
                        const char *text, bool *out)
{
    struct pattern *p = NULL;
    size_t n = strlen(text);
    enum err err;

    *out = false;
    if (n > SUBJECT_MAX)
        return ERR_OK;
    err = schema_pattern(r, pattern, &p);
    return err == ERR_OK ? pattern_match(p, text, n, &r->steps, out) : err;
}
