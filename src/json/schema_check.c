/*
 * Is a schema one we can honour? A table says which form each keyword has;
 * the walk follows the keywords that hold schemas. Called when a request
 * comes in, so every message is for the person who wrote the schema.
 */
#include "json/schema_part.h"

#include <stdio.h>
#include <string.h>

enum { TARGETS_MAX = 256 };

enum form {
    FORM_SCHEMA,
    FORM_SCHEMAS,        /* a list of schemas, not empty */
    FORM_SCHEMA_OR_LIST, /* items, as draft-07 also has it */
    FORM_SCHEMA_MAP,     /* an object of schemas */
    FORM_PATTERN_MAP,    /* the same, its keys are patterns */
    FORM_DEPENDENCIES,   /* an object of schemas or lists of names */
    FORM_NUMBER,
    FORM_POSITIVE,
    FORM_COUNT, /* a whole number from 0 on */
    FORM_BOOL,
    FORM_STRING,
    FORM_PATTERN,
    FORM_REF,
    FORM_ID,
    FORM_TYPE,
    FORM_NAMES,     /* a list of strings */
    FORM_NAMES_MAP, /* an object of such lists */
    FORM_VALUES,    /* a list */
    FORM_UNSUPPORTED
};

static const struct keyword {
    const char *name;
    enum form form;
} keywords[] = {
    {"$anchor", FORM_STRING},
    {"$defs", FORM_SCHEMA_MAP},
    {"$dynamicAnchor", FORM_STRING},
    {"$dynamicRef", FORM_REF},
    {"$id", FORM_ID},
    {"$recursiveRef", FORM_UNSUPPORTED},
    {"$ref", FORM_REF},
    {"$schema", FORM_STRING},
    {"additionalItems", FORM_SCHEMA},
    {"additionalProperties", FORM_SCHEMA},
    {"allOf", FORM_SCHEMAS},
    {"anyOf", FORM_SCHEMAS},
    {"contains", FORM_SCHEMA},
    {"definitions", FORM_SCHEMA_MAP},
    {"dependencies", FORM_DEPENDENCIES},
    {"dependentRequired", FORM_NAMES_MAP},
    {"dependentSchemas", FORM_SCHEMA_MAP},
    {"else", FORM_SCHEMA},
    {"enum", FORM_VALUES},
    {"exclusiveMaximum", FORM_NUMBER},
    {"exclusiveMinimum", FORM_NUMBER},
    {"format", FORM_STRING},
    {"if", FORM_SCHEMA},
    {"items", FORM_SCHEMA_OR_LIST},
    {"maxContains", FORM_COUNT},
    {"maxItems", FORM_COUNT},
    {"maxLength", FORM_COUNT},
    {"maxProperties", FORM_COUNT},
    {"maximum", FORM_NUMBER},
    {"minContains", FORM_COUNT},
    {"minItems", FORM_COUNT},
    {"minLength", FORM_COUNT},
    {"minProperties", FORM_COUNT},
    {"minimum", FORM_NUMBER},
    {"multipleOf", FORM_POSITIVE},
    {"not", FORM_SCHEMA},
    {"oneOf", FORM_SCHEMAS},
    {"pattern", FORM_PATTERN},
    {"patternProperties", FORM_PATTERN_MAP},
    {"prefixItems", FORM_SCHEMAS},
    {"properties", FORM_SCHEMA_MAP},
    {"propertyNames", FORM_SCHEMA},
    {"required", FORM_NAMES},
    {"then", FORM_SCHEMA},
    {"type", FORM_TYPE},
    {"unevaluatedItems", FORM_SCHEMA},
    {"unevaluatedProperties", FORM_SCHEMA},
    {"uniqueItems", FORM_BOOL},
};

struct check {
    struct schema_run run;
    const struct json *target[TARGETS_MAX]; /* of references, walked once */
    size_t targets;
};

static enum err walk(struct check *c, const struct json *v,
                     const struct place *at, int depth);

static enum err must_be(struct check *c, const struct place *at,
                        const char *what, const struct json *v)
{
    char place[128];

    return err_set(c->run.ec, ERR_INVALID, "%s must be %s, not %s%s",
                   place_format(at, "the schema", place, sizeof place), what,
                   v == NULL || json_type_of(v) == JSON_NULL ? ""
                   : json_type_of(v) == JSON_ARRAY ||
                           json_type_of(v) == JSON_OBJECT
                       ? "an "
                       : "a ",
                   json_type_name(json_type_of(v)));
}

static enum err refuse(struct check *c, const struct place *at,
                       const char *what)
{
    char place[128];

    return err_set(c->run.ec, ERR_INVALID, "%s %s",
                   place_format(at, "the schema", place, sizeof place), what);
}

/* --- forms that hold no schema -------------------------------------------- */

static enum err check_names(struct check *c, const struct json *v,
                            const struct place *at)
{
    size_t i = 0;

    if (json_type_of(v) != JSON_ARRAY)
        return must_be(c, at, "an array of strings", v);
    for (const struct json *e = json_first(v); e != NULL; e = json_next(e)) {
        struct place here = {at, NULL, i++};

        if (json_type_of(e) != JSON_STRING)
            return must_be(c, &here, "a string", e);
    }
    return schema_spend(&c->run, i);
}

static enum err check_names_map(struct check *c, const struct json *v,
                                const struct place *at)
{
    enum err err = ERR_OK;

    if (json_type_of(v) != JSON_OBJECT)
        return must_be(c, at, "an object", v);
    for (const struct json *e = json_first(v); e != NULL && err == ERR_OK;
         e = json_next(e)) {
        struct place here = {at, json_name(e), 0};

        err = check_names(c, e, &here);
    }
    return err;
}

static bool is_type_name(const char *z)
{
    static const char *const names[] = {"array",  "boolean", "integer", "null",
                                        "number", "object",  "string"};

    for (size_t i = 0; z != NULL && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(z, names[i]) == 0)
            return true;
    return false;
}

static enum err check_type(struct check *c, const struct json *v,
                           const struct place *at)
{
    static const char rule[] = "must be array, boolean, integer, null, "
                               "number, object or string, or a list of these";

    if (json_type_of(v) != JSON_ARRAY)
        return is_type_name(json_string(v)) ? ERR_OK : refuse(c, at, rule);
    if (json_first(v) == NULL)
        return refuse(c, at, "must not be empty");
    for (const struct json *e = json_first(v); e != NULL; e = json_next(e))
        if (!is_type_name(json_string(e)))
            return refuse(c, at, rule);
    return ERR_OK;
}

static enum err check_pattern(struct check *c, const char *text,
                              const struct place *at)
{
    struct errctx why = {ERR_OK, ""};
    struct pattern *p = NULL;
    enum err err = schema_spend(&c->run, 200 + strlen(text));

    if (err != ERR_OK)
        return err;
    if (strlen(text) > SCHEMA_PATTERN_BYTES)
        return refuse(c, at, "is too long a pattern");
    err = pattern_parse(text, &p, &why);
    if (err != ERR_OK)
        return err == ERR_INVALID || err == ERR_LIMIT ? refuse(c, at, why.msg)
                                                      : err;
    pattern_free(p);
    return ERR_OK;
}

/* Forms that are a matter of type alone, or nearly. */
static enum err check_plain(struct check *c, enum form form,
                            const struct json *v, const struct place *at)
{
    enum json_type t = json_type_of(v);
    int64_t whole;

    switch (form) {
    case FORM_NUMBER:
        return t == JSON_NUMBER ? ERR_OK : must_be(c, at, "a number", v);
    case FORM_POSITIVE:
        if (t != JSON_NUMBER)
            return must_be(c, at, "a number", v);
        return json_number(v) > 0 ? ERR_OK : refuse(c, at, "must be above 0");
    case FORM_COUNT:
        if (t != JSON_NUMBER)
            return must_be(c, at, "a whole number", v);
        return json_is_whole(v, &whole) && whole >= 0
                   ? ERR_OK
                   : refuse(c, at, "must be a whole number from 0 on");
    case FORM_BOOL:
        return t == JSON_BOOL ? ERR_OK : must_be(c, at, "a boolean", v);
    case FORM_VALUES:
        return t == JSON_ARRAY ? ERR_OK : must_be(c, at, "an array", v);
    default:
        return t == JSON_STRING ? ERR_OK : must_be(c, at, "a string", v);
    }
}

/* --- references ----------------------------------------------------------- */

/* Does a reference stand in v that depends on which resources were entered? */
static bool holds_dynamic(const struct json *v, int depth)
{
    if (depth > 2 * SCHEMA_DEPTH_MAX)
        return true;
    for (const struct json *m = json_first(v); m != NULL; m = json_next(m)) {
        const char *name = json_name(m);

        if ((name != NULL && strcmp(name, "$dynamicRef") == 0) ||
            holds_dynamic(m, depth + 1))
            return true;
    }
    return false;
}

/* Is this reference one that the walk from the root reaches anyway? */
static bool is_walked(const char *ref)
{
    static const char *const maps[] = {"#/$defs/", "#/definitions/",
                                       "#/properties/"};

    if (strcmp(ref, "#") == 0)
        return true;
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        size_t n = strlen(maps[i]);

        if (strncmp(ref, maps[i], n) == 0 && strchr(ref + n, '/') == NULL)
            return true;
    }
    return false;
}

/* Walk a target once; a pointer can lead to where no keyword leads. */
static enum err walk_target(struct check *c, const struct json *v,
                            const struct place *at, int depth)
{
    for (size_t i = 0; i < c->targets; i++)
        if (c->target[i] == v)
            return ERR_OK;
    if (c->targets == TARGETS_MAX)
        return ERR_LIMIT;
    c->target[c->targets++] = v;
    return walk(c, v, at, depth);
}

static enum err check_ref(struct check *c, const struct json *owner,
                          const struct json *v, const struct place *at,
                          int depth)
{
    const char *ref = json_string(v);
    const struct json *target = NULL;
    bool local = false;
    enum err err;

    if (ref == NULL)
        return must_be(c, at, "a string", v);
    err = schema_is_local(&c->run, owner, ref, &local);
    if (err == ERR_OK && !local)
        return refuse(c, at,
                      "must be local: it begins with \"#\" or is the $id of "
                      "a schema in this one");
    if (err == ERR_OK)
        err = schema_find_ref(&c->run, owner, ref, &target);
    if (err != ERR_OK)
        return err;
    if (target == NULL)
        return refuse(c, at, "names nothing in this schema");
    if (schema_resolve(c->run.root, owner) == NULL)
        return refuse(c, at, "leads in a circle or too far");
    return is_walked(ref) ? ERR_OK : walk_target(c, target, at, depth + 1);
}

/* --- forms that hold schemas ---------------------------------------------- */

static enum err walk_list(struct check *c, const struct json *v,
                          const struct place *at, int depth)
{
    enum err err = ERR_OK;
    size_t i = 0;

    for (const struct json *e = json_first(v); e != NULL && err == ERR_OK;
         e = json_next(e)) {
        struct place here = {at, NULL, i++};

        err = walk(c, e, &here, depth + 1);
    }
    return err;
}

static enum err walk_map(struct check *c, enum form form, const struct json *v,
                         const struct place *at, int depth)
{
    enum err err = ERR_OK;

    if (json_type_of(v) != JSON_OBJECT)
        return must_be(c, at, "an object", v);
    for (const struct json *e = json_first(v); e != NULL && err == ERR_OK;
         e = json_next(e)) {
        struct place here = {at, json_name(e), 0};

        if (form == FORM_PATTERN_MAP)
            err = check_pattern(c, json_name(e), &here);
        if (err != ERR_OK)
            return err;
        if (form == FORM_DEPENDENCIES && json_type_of(e) == JSON_ARRAY)
            err = check_names(c, e, &here);
        else
            err = walk(c, e, &here, depth + 1);
    }
    return err;
}

static enum err walk_keyword(struct check *c, const struct keyword *k,
                             const struct json *owner, const struct json *v,
                             const struct place *at, int depth)
{
    switch (k->form) {
    case FORM_SCHEMA:
        return walk(c, v, at, depth + 1);
    case FORM_SCHEMAS:
        if (json_type_of(v) != JSON_ARRAY || json_first(v) == NULL)
            return refuse(c, at, "must be a list of at least one schema");
        return walk_list(c, v, at, depth);
    case FORM_SCHEMA_OR_LIST:
        return json_type_of(v) == JSON_ARRAY ? walk_list(c, v, at, depth)
                                             : walk(c, v, at, depth + 1);
    case FORM_SCHEMA_MAP:
    case FORM_PATTERN_MAP:
    case FORM_DEPENDENCIES:
        return walk_map(c, k->form, v, at, depth);
    case FORM_NAMES:
        return check_names(c, v, at);
    case FORM_NAMES_MAP:
        return check_names_map(c, v, at);
    case FORM_TYPE:
        return check_type(c, v, at);
    case FORM_REF:
        return check_ref(c, owner, v, at, depth);
    case FORM_PATTERN:
        return json_string(v) == NULL ? must_be(c, at, "a string", v)
                                      : check_pattern(c, json_string(v), at);
    case FORM_ID:
        if (json_string(v) == NULL)
            return must_be(c, at, "a string", v);
        return owner == c->run.root || json_string(v)[0] == '#' ||
                       !holds_dynamic(c->run.root, 0)
                   ? ERR_OK
                   : refuse(c, at,
                            "is supported below the root only in a schema "
                            "without $dynamicRef");
    case FORM_UNSUPPORTED:
        return refuse(c, at, "is not supported");
    default:
        return check_plain(c, k->form, v, at);
    }
}

static const struct keyword *find_keyword(const char *name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strcmp(keywords[i].name, name) == 0)
            return &keywords[i];
    return NULL;
}

/* One schema: true, false, or an object of keywords. Unknown keywords are
 * annotations. */
static enum err walk(struct check *c, const struct json *v,
                     const struct place *at, int depth)
{
    enum err err = schema_spend(&c->run, 1);

    if (err != ERR_OK)
        return err;
    if (depth > SCHEMA_DEPTH_MAX)
        return refuse(c, at, "is nested too deep");
    if (json_type_of(v) == JSON_BOOL)
        return ERR_OK;
    if (json_type_of(v) != JSON_OBJECT)
        return must_be(c, at, "a schema", v);
    for (const struct json *m = json_first(v); m != NULL && err == ERR_OK;
         m = json_next(m)) {
        const struct keyword *k = find_keyword(json_name(m));
        struct place here = {at, json_name(m), 0};

        if (k != NULL && c->run.refs_alone && k->form != FORM_REF &&
            k->form != FORM_SCHEMA_MAP && json_get(v, "$ref") != NULL)
            k = NULL;
        if (k != NULL)
            err = walk_keyword(c, k, v, m, &here, depth);
    }
    return err;
}

enum err schema_check_form(const struct json *schema, struct errctx *ec)
{
    struct check c = {.targets = 0};
    enum err err;

    schema_run_init(&c.run, schema, ec);
    err = walk(&c, schema, NULL, 0);
    if (err == ERR_LIMIT)
        err = err_set(ec, ERR_INVALID, "the schema is too complex");
    else
        err = schema_run_result(&c.run, err);
    schema_run_fini(&c.run);
    return err;
}

/* Is the type "object", or a list of that alone? */
static bool is_object_type(const struct json *type)
{
    const char *z = json_string(type);

    if (z == NULL && json_count(type) == 1)
        z = json_string(json_first(type));
    return z != NULL && strcmp(z, "object") == 0;
}

enum err schema_check(const struct json *schema, struct errctx *ec)
{
    const struct json *root;
    enum err err;

    if (json_type_of(schema) != JSON_OBJECT)
        return err_set(ec, ERR_INVALID, "the schema must be an object");
    err = schema_check_form(schema, ec);
    if (err != ERR_OK)
        return err;
    root = schema_resolve(schema, schema);
    if (!is_object_type(json_get(root, "type")))
        return err_set(ec, ERR_INVALID,
                       "the schema's root must have the type \"object\"");
    return ERR_OK;
}
