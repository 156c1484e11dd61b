/* Strict schemas; see fill.h. Called by structured_model.c. */
#include "object/fill.h"

#include <string.h>

enum { DEPTH_MAX = 6, BYTES_MAX = 64 * 1024, ANSWER_BYTES_MAX = 1 << 20 };

static bool write_schema(struct fill *f, struct json_out *w,
                         const struct json *schema, bool nullable, int depth);

static void write_type(struct json_out *w, const char *type, bool nullable)
{
    jw_key(w, "type");
    if (nullable)
        jw_array(w);
    jw_string(w, type);
    if (nullable) {
        jw_string(w, "null");
        jw_array_end(w);
    }
}

/* The description, and the form the value shall have. */
static void write_words(struct fill *f, struct json_out *w,
                        const struct json *leaf)
{
    const char *about = json_string(json_get(leaf, "description"));
    const char *format = json_string(json_get(leaf, "format"));
    const char *z;

    if (about == NULL && format == NULL)
        return;
    z = arena_printf(f->a, "%s%s%s", about == NULL ? "" : about,
                     about != NULL && format != NULL ? "; format " : "",
                     format == NULL ? "" : format);
    jw_kstring(w, "description", z == NULL ? "" : z);
}

static bool is_null(const struct json *v)
{
    return json_type_of(v) == JSON_NULL;
}

static void write_enum(struct json_out *w, const struct json *leaf,
                       bool nullable)
{
    const struct json *constant = json_get(leaf, "const");

    jw_karray(w, "enum");
    if (constant != NULL)
        jw_value(w, constant);
    for (const struct json *v = json_first(json_get(leaf, "enum"));
         constant == NULL && v != NULL; v = json_next(v))
        if (!is_null(v))
            jw_value(w, v);
    if (nullable)
        jw_null(w);
    jw_array_end(w);
}

/* Does the schema, part of the root, take null? */
static bool takes_null(const struct fill *f, const struct json *schema)
{
    bool valid = false;

    return fill_is_valid(f, schema, "null", &valid) == ERR_OK && valid;
}

static bool write_object(struct fill *f, struct json_out *w,
                         const struct json *leaf, int depth)
{
    const struct json *all = json_get(leaf, "properties");
    bool good = json_first(all) != NULL;

    jw_kobject(w, "properties");
    for (const struct json *p = json_first(all); p != NULL && good;
         p = json_next(p)) {
        bool optional = !fill_is_required(leaf, json_name(p));

        jw_key(w, json_name(p));
        good = write_schema(f, w, p, optional || takes_null(f, p), depth + 1);
    }
    jw_object_end(w);
    jw_karray(w, "required");
    for (const struct json *p = json_first(all); p != NULL; p = json_next(p))
        jw_string(w, json_name(p));
    jw_array_end(w);
    jw_kbool(w, "additionalProperties", false);
    return good;
}

/* False when the schema cannot be written; what was written is then of no
 * use. */
static bool write_schema(struct fill *f, struct json_out *w,
                         const struct json *schema, bool nullable, int depth)
{
    const struct json *leaf = fill_leaf(f, schema);
    const char *type = leaf == NULL ? "" : fill_type(leaf);
    bool listed =
        json_get(leaf, "enum") != NULL || json_get(leaf, "const") != NULL;
    bool good = depth <= DEPTH_MAX && (type[0] != '\0' || listed);

    jw_object(w);
    if (type[0] != '\0')
        write_type(w, type, nullable);
    write_words(f, w, leaf);
    if (listed) {
        write_enum(w, leaf, nullable);
    } else if (good && strcmp(type, "object") == 0) {
        good = write_object(f, w, leaf, depth);
    } else if (good && strcmp(type, "array") == 0) {
        good = json_type_of(json_get(leaf, "items")) == JSON_OBJECT;
        jw_key(w, "items");
        if (good)
            good =
                write_schema(f, w, json_get(leaf, "items"), false, depth + 1);
        else
            jw_null(w);
    }
    jw_object_end(w);
    return good;
}

enum err strict_schema(struct fill *f, const char **text)
{
    struct json_out w;
    struct buf b;
    enum err e = ERR_OK;

    buf_init(&b, BYTES_MAX);
    jw_init(&w, &b);
    if (!write_schema(f, &w, f->root, false, 0))
        e = ERR_INVALID;
    e = buf_keep(&b, e, f->a, text);
    return e == ERR_NOMEM || arena_failed(f->a) ? ERR_NOMEM : ERR_OK;
}

/* --- answers -------------------------------------------------------------- */

static void copy_value(struct fill *f, struct json_out *w,
                       const struct json *schema, const struct json *v,
                       int depth)
{
    const struct json *leaf = schema == NULL ? NULL : fill_leaf(f, schema);

    if (depth > DEPTH_MAX || leaf == NULL ||
        (json_type_of(v) != JSON_OBJECT && json_type_of(v) != JSON_ARRAY)) {
        jw_value(w, v);
        return;
    }
    if (json_type_of(v) == JSON_ARRAY) {
        jw_array(w);
        for (const struct json *c = json_first(v); c != NULL; c = json_next(c))
            copy_value(f, w, json_get(leaf, "items"), c, depth + 1);
        jw_array_end(w);
        return;
    }
    jw_object(w);
    for (const struct json *c = json_first(v); c != NULL; c = json_next(c)) {
        const struct json *p =
            json_get(json_get(leaf, "properties"), json_name(c));

        if (is_null(c) && p != NULL && !takes_null(f, p))
            continue;
        jw_key(w, json_name(c));
        copy_value(f, w, p, c, depth + 1);
    }
    jw_object_end(w);
}

enum err strict_answer(struct fill *f, const struct json *answer,
                       struct json **out)
{
    struct json_out w;
    struct buf b;
    enum err e;

    buf_init(&b, ANSWER_BYTES_MAX);
    jw_init(&w, &b);
    copy_value(f, &w, f->root, answer, 0);
    e = buf_err(&b);
    if (e == ERR_OK)
        e = json_parse(buf_str(&b), b.len, &json_limits_foreign, out, NULL);
    buf_fini(&b);
    return e;
}
