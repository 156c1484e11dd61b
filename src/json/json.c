/*
 * Reading JSON; see json.h. The scanner decides, cJSON builds the tree, and
 * only …CaseSensitive look-ups are used: the others match "A" with "a".
 */
#include "json/json.h"

#include "json/scan.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Objects of more members are compared in sorted order. */
enum { SMALL_OBJECT = 16 };

const struct json_limits json_limits_request = {
    .bytes_max = 1 << 20,
    .depth_max = 64,
};
const struct json_limits json_limits_foreign = {
    .bytes_max = 16 << 20,
    .depth_max = 200,
    .allow_duplicate_keys = true,
    .allow_nul = true,
};

static const cJSON *tree(const struct json *v)
{
    return (const cJSON *)v;
}

static const struct json *opaque(const cJSON *v)
{
    return (const struct json *)v;
}

/* --- reading -------------------------------------------------------------- */

struct member {
    cJSON *item;
    size_t index;
};

static int member_order(const void *va, const void *vb)
{
    const struct member *a = va, *b = vb;
    int c = strcmp(a->item->string, b->item->string);

    return c != 0 ? c : (a->index > b->index) - (a->index < b->index);
}

/* Remove all but the first of the members of one name. */
static enum err drop_from_object(cJSON *object)
{
    size_t n = json_count(opaque(object)), i = 0;
    struct member *list = n < 2 ? NULL : malloc(n * sizeof *list);

    if (n < 2)
        return ERR_OK;
    if (list == NULL)
        return ERR_NOMEM;
    for (cJSON *c = object->child; c != NULL; c = c->next, i++)
        list[i] = (struct member){c, i};
    qsort(list, n, sizeof *list, member_order);
    for (size_t kept = 0, k = 1; k < n; k++)
        if (strcmp(list[kept].item->string, list[k].item->string) == 0)
            cJSON_Delete(cJSON_DetachItemViaPointer(object, list[k].item));
        else
            kept = k;
    free(list);
    return ERR_OK;
}

/* The same for v and everything in it, JSON_DEPTH_MAX deep at most. */
static enum err drop_duplicates(cJSON *v)
{
    enum err err = cJSON_IsObject(v) ? drop_from_object(v) : ERR_OK;

    for (cJSON *c = v->child; c != NULL && err == ERR_OK; c = c->next)
        err = drop_duplicates(c);
    return err;
}

enum err json_parse(const char *p, size_t n, const struct json_limits *lim,
                    struct json **out, struct errctx *ec)
{
    struct json_scanned scanned;
    const char *text;
    cJSON *root;
    enum err err;

    if (n > lim->bytes_max)
        return err_set(ec, ERR_TOO_LARGE,
                       "%zu bytes of JSON, of which at most %zu are read", n,
                       lim->bytes_max);
    err = json_scan(p, n, lim, &scanned, ec);
    if (err != ERR_OK)
        return err;
    text = scanned.mended == NULL ? p : scanned.mended;
    if (text[0] == '\xEF') { /* a byte order mark: cJSON misses short ones */
        text += 3;
        n -= 3;
    }
    root = cJSON_ParseWithLengthOpts(text, n, NULL, 0);
    free(scanned.mended);
    /* The text is good, so a refusal of cJSON's means no memory. */
    if (root == NULL ||
        (scanned.duplicates && drop_duplicates(root) != ERR_OK)) {
        cJSON_Delete(root);
        return err_set(ec, ERR_NOMEM, "out of memory");
    }
    *out = (struct json *)root;
    return ERR_OK;
}

void json_free(struct json *root)
{
    cJSON_Delete((cJSON *)root);
}

enum json_type json_type_of(const struct json *v)
{
    switch (v == NULL ? cJSON_NULL : tree(v)->type & 0xFF) {
    case cJSON_False:
    case cJSON_True:
        return JSON_BOOL;
    case cJSON_Number:
        return JSON_NUMBER;
    case cJSON_String:
        return JSON_STRING;
    case cJSON_Array:
        return JSON_ARRAY;
    case cJSON_Object:
        return JSON_OBJECT;
    default:
        return JSON_NULL;
    }
}

const char *json_type_name(enum json_type t)
{
    static const char *const names[] = {"null",   "boolean", "number",
                                        "string", "array",   "object"};

    return names[t];
}

const struct json *json_get(const struct json *v, const char *name)
{
    if (v == NULL || !cJSON_IsObject(tree(v)))
        return NULL;
    return opaque(cJSON_GetObjectItemCaseSensitive(tree(v), name));
}

const struct json *json_first(const struct json *v)
{
    if (v == NULL || !(cJSON_IsObject(tree(v)) || cJSON_IsArray(tree(v))))
        return NULL;
    return opaque(tree(v)->child);
}

const struct json *json_next(const struct json *child)
{
    return child == NULL ? NULL : opaque(tree(child)->next);
}

const char *json_name(const struct json *member)
{
    return member == NULL ? NULL : tree(member)->string;
}

size_t json_count(const struct json *v)
{
    size_t n = 0;

    for (const struct json *c = json_first(v); c != NULL; c = json_next(c))
        n++;
    return n;
}

const char *json_string(const struct json *v)
{
    return v == NULL ? NULL : cJSON_GetStringValue(tree(v));
}

bool json_bool(const struct json *v)
{
    return v != NULL && cJSON_IsTrue(tree(v));
}

double json_number(const struct json *v)
{
    return v != NULL && cJSON_IsNumber(tree(v)) ? tree(v)->valuedouble : 0;
}

bool json_is_whole(const struct json *v, int64_t *out)
{
    static const double most = 9007199254740992.0; /* 2^53 */
    double d;

    if (v == NULL || !cJSON_IsNumber(tree(v)))
        return false;
    d = tree(v)->valuedouble;
    if (!(d >= -most && d <= most) || d != trunc(d))
        return false;
    *out = (int64_t)d;
    return true;
}

/* --- equality ------------------------------------------------------------- */

static bool equal(const struct json *a, const struct json *b, int depth);

static int by_name(const void *va, const void *vb)
{
    const struct json *const *a = va, *const *b = vb;

    return strcmp(json_name(*a), json_name(*b));
}

/* The n members of v sorted by name, to free; NULL without memory. */
static const struct json **sorted_members(const struct json *v, size_t n)
{
    const struct json **list = malloc(n * sizeof *list);
    size_t i = 0;

    if (list == NULL)
        return NULL;
    for (const struct json *c = json_first(v); c != NULL; c = json_next(c))
        list[i++] = c;
    qsort(list, n, sizeof *list, by_name);
    return list;
}

static bool equal_sorted(const struct json **x, const struct json **y, size_t n,
                         int depth)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(json_name(x[i]), json_name(y[i])) != 0 ||
            !equal(x[i], y[i], depth))
            return false;
    return true;
}

/* Objects of n members each, all of whose names differ. */
static bool equal_objects(const struct json *a, const struct json *b, size_t n,
                          int depth)
{
    if (n > SMALL_OBJECT) {
        const struct json **x = sorted_members(a, n);
        const struct json **y = sorted_members(b, n);
        bool done = x != NULL && y != NULL, same = false;

        if (done)
            same = equal_sorted(x, y, n, depth);
        free(x);
        free(y);
        if (done)
            return same;
    }
    for (const struct json *c = json_first(a); c != NULL; c = json_next(c)) {
        const struct json *d = json_get(b, json_name(c));

        if (d == NULL || !equal(c, d, depth))
            return false;
    }
    return true;
}

static bool equal_arrays(const struct json *a, const struct json *b, int depth)
{
    const struct json *x = json_first(a), *y = json_first(b);

    while (x != NULL && y != NULL && equal(x, y, depth)) {
        x = json_next(x);
        y = json_next(y);
    }
    return x == NULL && y == NULL;
}

/* Side by side: the longer one is not walked to its end. */
static bool same_count(const struct json *a, const struct json *b, size_t *n)
{
    const struct json *x = json_first(a), *y = json_first(b);

    for (*n = 0; x != NULL && y != NULL; ++*n) {
        x = json_next(x);
        y = json_next(y);
    }
    return x == NULL && y == NULL;
}

static bool equal(const struct json *a, const struct json *b, int depth)
{
    enum json_type t = json_type_of(a);
    size_t n;

    if (t != json_type_of(b) || depth > JSON_DEPTH_MAX)
        return false;
    switch (t) {
    case JSON_NULL:
        return true;
    case JSON_BOOL:
        return json_bool(a) == json_bool(b);
    case JSON_NUMBER: {
        double x = json_number(a), y = json_number(b);

        return x >= y && x <= y;
    }
    case JSON_STRING:
        return strcmp(json_string(a), json_string(b)) == 0;
    case JSON_ARRAY:
        return equal_arrays(a, b, depth + 1);
    case JSON_OBJECT:
        return same_count(a, b, &n) && equal_objects(a, b, n, depth + 1);
    }
    return false;
}

bool json_equal(const struct json *a, const struct json *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return equal(a, b, 0);
}
