/*
 * References of schemas; see schema_part.h. A document holds resources: itself,
 * and each schema in it with an $id of its own, "#name" apart, whose address is
 * read against that of the one around it (JSON Schema 2020-12, section 8.2).
 * "#…" leads into the resource it stands in, another address into the one that
 * is called so. Nothing is fetched. Every search costs steps.
 */
#include "json/schema_part.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

enum { TOKEN_MAX = 512, HOPS_MAX = 32, DEPTH_MAX = 2 * SCHEMA_DEPTH_MAX + 2 };

struct resource {
    const struct json *schema;
    char uri[TOKEN_MAX]; /* without fragment; "" for a document without $id */
};

/* --- addresses ------------------------------------------------------------ */

static bool has_scheme(const char *z)
{
    size_t n = 0;

    while (ascii_is_alnum(z[n]) ||
           (n > 0 && strchr("+-.", z[n]) != NULL && z[n] != '\0'))
        n++;
    return n > 0 && ascii_is_alpha(z[0]) && z[n] == ':';
}

/* Take "./" and "name/../" out of the path at z. */
static void remove_dots(char *z)
{
    char *p = z;

    while (*p != '\0') {
        char *end = strchr(p, '/'), *before = p;

        if (strncmp(p, "./", 2) == 0) {
            memmove(p, p + 2, strlen(p + 2) + 1);
        } else if (strncmp(p, "../", 3) == 0) {
            if (before > z)
                for (before--; before > z && before[-1] != '/';)
                    before--;
            memmove(before, p + 3, strlen(p + 3) + 1);
            p = before;
        } else {
            p = end == NULL ? p + strlen(p) : end + 1;
        }
    }
}

/* The n bytes of ref, read against the address base, without fragment (RFC
 * 3986, section 5.2); false: too long. */
static bool join(const char *base, const char *ref, size_t n,
                 char out[TOKEN_MAX])
{
    const char *path = strstr(base, "://");
    size_t root, keep = 0;
    int len;

    path = path == NULL ? base : path + 3;
    root = (size_t)(path - base) + (path == base ? 0 : strcspn(path, "/"));
    n = strcspn(ref, "#") < n ? strcspn(ref, "#") : n;
    if (!has_scheme(ref)) {
        const char *last = strrchr(base + root, '/');

        keep = n == 0          ? strlen(base)
               : ref[0] == '/' ? root
               : last != NULL  ? (size_t)(last + 1 - base)
                               : root;
    }
    len = snprintf(
        out, TOKEN_MAX, "%.*s%s%.*s", (int)keep, base,
        keep > 0 && n > 0 && keep == root && ref[0] != '/' && path != base ? "/"
                                                                           : "",
        (int)n, ref);
    if (len < 0 || len >= TOKEN_MAX)
        return false;
    path = strstr(out, "://");
    root = path == NULL ? 0 : (size_t)(path + 3 - out);
    if (path != NULL)
        root += strcspn(out + root, "/");
    remove_dots(out + root + (out[root] == '/'));
    return true;
}

/* --- resources ------------------------------------------------------------ */

/* The $id with which v begins a resource, or NULL. */
static const char *own_id(const struct schema_run *r, const struct json *v)
{
    const char *id = json_string(json_get(v, "$id"));

    return id == NULL || id[0] == '#' ||
                   (r->refs_alone && v != r->root &&
                    json_get(v, "$ref") != NULL)
               ? NULL
               : id;
}

/* Values of enum and const are data. */
static bool is_data(const char *key)
{
    return key != NULL &&
           (strcmp(key, "enum") == 0 || strcmp(key, "const") == 0);
}

/* The resource that holds the schema `part`, or, part NULL, that has the
 * address uri, among those from v on, which stands in `around`; *found. */
static enum err find_resource(struct schema_run *r, const struct json *v,
                              const struct resource *around,
                              const struct json *part, const char *uri,
                              int depth, struct resource *out, bool *found)
{
    const char *id = own_id(r, v);
    struct resource own;
    enum err err = schema_spend(r, 1);

    if (err != ERR_OK || depth > DEPTH_MAX)
        return err;
    if (id != NULL) {
        own.schema = v;
        if (!join(around->uri, id, strlen(id), own.uri))
            return ERR_OK;
        around = &own;
    }
    if (part != NULL
            ? v == part
            : (id != NULL || v == r->root) && strcmp(around->uri, uri) == 0) {
        *out = *around;
        *found = true;
        return ERR_OK;
    }
    for (const struct json *c = json_first(v);
         c != NULL && !*found && err == ERR_OK; c = json_next(c))
        if (!is_data(json_name(c)))
            err = find_resource(r, c, around, part, uri, depth + 1, out, found);
    return err;
}

/* Does a schema below the document begin a resource of its own? */
static enum err has_several(struct schema_run *r, const struct json *v,
                            int depth, bool *several)
{
    enum err err = schema_spend(r, 1);

    if (err != ERR_OK || depth > DEPTH_MAX)
        return err;
    *several = depth > 0 && own_id(r, v) != NULL;
    for (const struct json *c = json_first(v);
         c != NULL && !*several && err == ERR_OK; c = json_next(c))
        if (!is_data(json_name(c)))
            err = has_several(r, c, depth + 1, several);
    return err;
}

/* The resource that holds the schema owner: nearly always the document. */
static enum err find_owner(struct schema_run *r, const struct json *owner,
                           struct resource *out, bool *found)
{
    const struct resource document = {r->root, ""};
    bool several = r->resources == RESOURCES_SEVERAL;
    enum err err = ERR_OK;

    if (r->resources == RESOURCES_UNKNOWN) {
        err = has_several(r, r->root, 0, &several);
        r->resources = several ? RESOURCES_SEVERAL : RESOURCES_ONE;
    }
    return err != ERR_OK
               ? err
               : find_resource(r, r->root, &document, several ? owner : r->root,
                               NULL, 0, out, found);
}

/* Where the reference of the schema owner leads to: a resource, and the
 * fragment in it. *found: there is such a resource here. */
static enum err find_target(struct schema_run *r, const struct json *owner,
                            const char *ref, struct resource *out,
                            const char **fragment, bool *found)
{
    const struct resource document = {r->root, ""};
    size_t n = strcspn(ref, "#");
    struct resource at;
    char uri[TOKEN_MAX];
    enum err err;

    *found = false;
    *fragment = ref[n] == '#' ? ref + n + 1 : "";
    if (ref[0] == '\0')
        return ERR_OK;
    err = find_owner(r, owner, &at, found);
    if (err != ERR_OK || !*found || n == 0) {
        *out = at;
        return err;
    }
    *found = false;
    return join(at.uri, ref, n, uri)
               ? find_resource(r, r->root, &document, NULL, uri, 0, out, found)
               : ERR_OK;
}

/* --- fragments ------------------------------------------------------------ */

/* Percent-decode z into out; false when it is too long or holds a NUL. */
static bool decode_percent(const char *z, char out[TOKEN_MAX])
{
    size_t n = 0;

    for (; *z != '\0'; z++) {
        int byte = percent_byte(z, 3);

        if (n + 1 >= TOKEN_MAX)
            return false;
        out[n] = byte >= 0 ? (char)byte : *z;
        z += byte >= 0 ? 2 : 0;
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

/* The value behind the pointer z ("/a/0/b") from at on; z is spoiled. */
static enum err find_pointer(struct schema_run *r, const struct json *at,
                             char *z, const struct json **out)
{

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

/* Search v and what is in it of its resource. */
static enum err find_anchor(struct schema_run *r, const struct json *v,
                            const char *name, int depth,
                            const struct json **out)
{
    enum err err = schema_spend(r, 1);

    if (err != ERR_OK || depth > DEPTH_MAX ||
        (depth > 0 && own_id(r, v) != NULL))
        return err;
    if (json_type_of(v) == JSON_OBJECT && has_anchor(v, name)) {
        *out = v;
        return ERR_OK;
    }
    for (const struct json *c = json_first(v);
         c != NULL && *out == NULL && err == ERR_OK; c = json_next(c))
        if (!is_data(json_name(c)))
            err = find_anchor(r, c, name, depth + 1, out);
    return err;
}

enum err schema_is_local(struct schema_run *r, const struct json *owner,
                         const char *ref, bool *local)
{
    struct resource to;
    const char *fragment;

    return find_target(r, owner, ref, &to, &fragment, local);
}

enum err schema_find_ref(struct schema_run *r, const struct json *owner,
                         const char *ref, const struct json **out)
{
    char text[TOKEN_MAX];
    const struct json *found = NULL;
    const char *fragment;
    struct resource to;
    bool known = false;
    enum err err = find_target(r, owner, ref, &to, &fragment, &known);

    if (err == ERR_OK && known && decode_percent(fragment, text)) {
        if (text[0] == '\0')
            found = to.schema;
        else if (text[0] == '/')
            err = find_pointer(r, to.schema, text, &found);
        else
            err = find_anchor(r, to.schema, text, 0, &found);
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
        if (schema_find_ref(&r, sub, ref, &sub) != ERR_OK)
            return NULL;
    }
    return NULL;
}
