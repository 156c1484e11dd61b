/*
 * A schema's object filled from evidence, field by field; see answer.h.
 * Walks the schema and writes the object; what a value is, is decided in
 * structured_field.c. Called by search.c and the research room.
 */
#include "object/fill.h"
#include "question/overlap.h"

#include "base/buf.h"
#include "json/schema.h"

#include <string.h>

enum {
    DEPTH_MAX = 5,
    FIELDS_MAX = 100,
    PROPERTIES_MAX = 2000, /* references may repeat a few of them for ever */
    OBJECT_BYTES_MAX = 1 << 20,
    GIVEN_MAX = 100, /* elements that a model proposes */
    PATH_BYTES_MAX = 200
};

struct place {
    const char *path; /* "author.name" */
    const char *name; /* of the property */
    int depth;
    bool required;
    const struct json *given; /* what a model proposes, or NULL */
};

static enum err absent(struct fill *f, const struct place *at)
{
    return err_set(f->ec, ERR_NO_RESULT,
                   "no sufficient evidence for the required field %s",
                   at->path);
}

static enum err value_fill(struct fill *f, const struct json *schema,
                           const struct place *at, const char **json);

/* One property into the object. */
static enum err property_fill(struct fill *f, const struct json *owner,
                              const struct json *property,
                              const struct place *at, struct json_out *w)
{
    const char *name = json_name(property), *json = NULL;
    struct place here = {.name = name,
                         .depth = at->depth + 1,
                         .required = fill_is_required(owner, name),
                         .given = json_get(at->given, name)};
    struct shape shape;
    enum err e;

    /* A required one that is left out here fails the last check. */
    if (f->properties++ >= PROPERTIES_MAX)
        return ERR_OK;
    shape = fill_shape(f, property);
    here.path = arena_printf(f->a, "%.*s%s%s", PATH_BYTES_MAX, at->path,
                             at->path[0] == '\0' ? "" : ".", name);
    if (here.path == NULL)
        return ERR_NOMEM;
    e = value_fill(f, property, &here, &json);
    if (e != ERR_OK && e != ERR_NO_RESULT)
        return e;
    if (e == ERR_NO_RESULT) {
        if (shape.nullable)
            json = "null";
        else if (here.required)
            return e;
        else
            return ERR_OK;
    }
    jw_kraw(w, name, json);
    return ERR_OK;
}

static enum err object_fill(struct fill *f, const struct json *schema,
                            const struct place *at, const char **json)
{
    const struct json *p = json_first(json_get(schema, "properties"));
    struct json_out w;
    struct buf b;
    enum err e = ERR_OK;

    buf_init(&b, OBJECT_BYTES_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    for (; e == ERR_OK && p != NULL; p = json_next(p)) {
        e = property_fill(f, schema, p, at, &w);
        if (e == ERR_OK)
            e = buf_err(&b);
    }
    jw_object_end(&w);
    /* A nested object without one value is no evidence of anything. */
    if (e == ERR_OK && buf_err(&b) == ERR_OK && at->depth > 0 && b.len <= 2)
        e = absent(f, at);
    return buf_keep(&b, e, f->a, json);
}

/* Does the empty array satisfy the schema? */
static bool may_be_empty(const struct json *schema)
{
    int64_t least = 0;

    json_is_whole(json_get(schema, "minItems"), &least);
    return least == 0 && json_get(schema, "contains") == NULL;
}

/* What a model proposes for an array: those of its elements that hold. */
static enum err given_array(struct fill *f, const struct json *schema,
                            const struct place *at, const char **json)
{
    const struct json *items = json_get(schema, "items");
    const struct json *g = json_first(at->given);
    bool valid = false;
    size_t n = 0;
    struct buf b;
    enum err e = ERR_OK;

    buf_init(&b, OBJECT_BYTES_MAX);
    buf_addc(&b, '[');
    for (; g != NULL && f->given++ < GIVEN_MAX; g = json_next(g)) {
        struct place here = {.path = at->path,
                             .name = at->name,
                             .depth = at->depth + 1,
                             .required = true,
                             .given = g};
        const char *one = NULL;

        f->only_given++;
        e = value_fill(f, items, &here, &one);
        f->only_given--;
        if (e == ERR_OK)
            buf_addf(&b, "%s%s", n++ == 0 ? "" : ",", one);
        else if (e != ERR_NO_RESULT)
            break;
    }
    buf_addc(&b, ']');
    e = e == ERR_NO_RESULT ? ERR_OK : e;
    e = e == ERR_OK ? buf_err(&b) : e;
    if (e == ERR_OK && n > 0)
        e = fill_is_valid(f, schema, buf_str(&b), &valid);
    return buf_keep(&b, e == ERR_OK && !valid ? ERR_NO_RESULT : e, f->a, json);
}

static enum err array_fill(struct fill *f, const struct json *schema,
                           const struct place *at, const char **json)
{
    const struct json *items = json_get(schema, "items");
    struct shape item = fill_shape(f, items);
    enum err e = ERR_NO_RESULT;

    if (json_type_of(at->given) == JSON_ARRAY && items != NULL)
        e = given_array(f, schema, at, json);
    if (e != ERR_NO_RESULT || f->only_given > 0)
        return e;
    if (item.schema != NULL || items == NULL)
        e = field_array(f, schema, item.schema, at->name, json);
    if (e == ERR_NO_RESULT && at->required && may_be_empty(schema)) {
        *json = "[]";
        return ERR_OK;
    }
    return e;
}

static enum err value_fill(struct fill *f, const struct json *schema,
                           const struct place *at, const char **json)
{
    struct shape s = fill_shape(f, schema);
    enum err e;

    if (s.schema == NULL || at->depth > DEPTH_MAX)
        return absent(f, at);
    if (json_get(s.schema, "const") != NULL)
        return json_print(json_get(s.schema, "const"), OBJECT_BYTES_MAX, f->a,
                          json);
    if (strcmp(s.type, "object") == 0)
        return object_fill(f, s.schema, at, json);
    if (f->only_given == 0 && f->fields++ >= FIELDS_MAX)
        return absent(f, at);
    e = ERR_NO_RESULT;
    if (strcmp(s.type, "array") != 0 && at->given != NULL)
        e = model_holds(f, f->proposal, s.schema, at->name, at->given, json);
    if (e != ERR_NO_RESULT)
        return e;
    if (strcmp(s.type, "array") == 0)
        e = array_fill(f, s.schema, at, json);
    else if (f->only_given == 0)
        e = field_value(f, s.schema, s.type, at->name, json);
    return e == ERR_NO_RESULT ? absent(f, at) : e;
}

/* Never send what does not satisfy the caller's schema. */
static enum err object_check(const struct fill *f, const char *object)
{
    struct json *root = NULL;
    struct errctx why;
    enum err e =
        json_parse(object, strlen(object), &json_limits_foreign, &root, &why);

    if (e != ERR_OK)
        return err_set(f->ec, ERR_INTERNAL, "the object is not JSON: %s",
                       why.msg);
    e = schema_validate(f->root, root, &why);
    json_free(root);
    if (e == ERR_INVALID)
        return err_set(f->ec, ERR_NO_RESULT,
                       "the evidence does not satisfy the schema: %s", why.msg);
    return e;
}

/* The terms of q in the names and descriptions of the schema's properties. */
static uint64_t mask_of_fields(const struct query *q, const struct json *v,
                               int depth)
{
    uint64_t mask = 0;

    for (const struct json *c = json_first(v); depth > 0 && c != NULL;
         c = json_next(c)) {
        const char *name = json_name(c), *text = json_string(c);

        if (text != NULL && name != NULL && strcmp(name, "description") == 0)
            mask |= overlap_mask(q, text, strlen(text));
        else if (text == NULL)
            mask |= mask_of_fields(q, c, depth - 1);
    }
    return mask;
}

/* Names in the question that no field has for itself say what all of them are
 * about; without such a one all names do. */
static uint64_t subject_of(const struct query *q, const struct json *schema)
{
    uint64_t own = mask_of_fields(q, schema, 2 * DEPTH_MAX);

    return (q->names & ~own) != 0 ? q->names & ~own : q->names;
}

enum err structured_fill(const struct query *q, const struct json *schema,
                         const struct structured_ask *ask, struct arena *a,
                         const char **object, struct source **sources,
                         size_t *source_count, struct errctx *ec)
{
    struct fill f = {.q = q,
                     .subject = subject_of(q, schema),
                     .root = schema,
                     .ask = ask,
                     .a = a,
                     .ec = ec};
    struct proposal proposal = {.object = NULL};
    struct place root = {.path = "", .name = ""};
    const char *json = NULL;
    enum err e;

    f.sources = arena_array(a, FILL_SOURCES_MAX, sizeof(*f.sources));
    if (f.sources == NULL)
        return ERR_NOMEM;
    f.proposal = &proposal;
    e = model_propose(&f, &proposal);
    root.given = proposal.object;
    if (e == ERR_OK)
        e = value_fill(&f, schema, &root, &json);
    json_free(proposal.object);
    if (e == ERR_OK && f.source_count == 0)
        e = err_set(ec, ERR_NO_RESULT,
                    "no sufficient evidence for any field of the schema");
    if (e == ERR_OK)
        e = object_check(&f, json);
    if (e != ERR_OK)
        return e;
    *object = json;
    *sources = f.sources;
    *source_count = f.source_count;
    return ERR_OK;
}
