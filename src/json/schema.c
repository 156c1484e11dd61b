/*
 * Validating a value; see schema.h. One function per keyword family, each
 * ERR_OK, ERR_INVALID (with a message unless the run is quiet, as within
 * anyOf), ERR_LIMIT when the work is used up, or ERR_NOMEM. The schema has
 * passed schema_check; what is not of the right form is skipped.
 */
#include "json/schema.h"

#include "base/str.h"
#include "json/schema_part.h"

#include <cjson/cJSON.h>

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What is being held against what, and where in the value that is. */
struct task {
    const struct json *schema, *value;
    const struct place *at;
    int depth;
};

PRINTF_LIKE(3, 4)
static enum err refuse(struct schema_run *r, const struct task *t,
                       const char *fmt, ...)
{
    char place[100], what[140];
    va_list ap;

    if (r->quiet > 0)
        return ERR_INVALID;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    what[utf8_cut(what, strlen(what), sizeof what - 4)] = '\0';
    return err_set(r->ec, ERR_INVALID, "%s %s",
                   place_format(t->at, "the value", place, sizeof place), what);
}

static const struct json *keyword(const struct task *t, const char *name)
{
    return json_get(t->schema, name);
}

/* Validate the same value against another schema. */
static enum err sub(struct schema_run *r, const struct task *t,
                    const struct json *schema)
{
    return schema_validate_at(r, schema, t->value, t->at, t->depth + 1);
}

/* The same, only to know whether it holds. */
static enum err probe(struct schema_run *r, const struct task *t,
                      const struct json *schema)
{
    return schema_probe(r, schema, t->value, t->at, t->depth + 1);
}

/* --- any value ------------------------------------------------------------ */

static bool has_type(const struct json *v, const char *name)
{
    enum json_type t = json_type_of(v);
    double d = json_number(v);

    if (strcmp(name, "integer") == 0)
        return t == JSON_NUMBER && d >= trunc(d) && d <= trunc(d);
    return strcmp(name, json_type_name(t)) == 0;
}

static enum err check_type(struct schema_run *r, const struct task *t)
{
    const struct json *type = keyword(t, "type");
    const char *one = json_string(type);
    const char *given = json_type_name(json_type_of(t->value));

    if (type == NULL || (one != NULL && has_type(t->value, one)))
        return ERR_OK;
    if (one != NULL)
        return refuse(r, t, "must be of type %s, not %s", one, given);
    for (const struct json *e = json_first(type); e != NULL; e = json_next(e))
        if (json_string(e) != NULL && has_type(t->value, json_string(e)))
            return ERR_OK;
    return refuse(r, t, "must be of another type than %s", given);
}

/* Steps that comparing with v may take: its values, and the lengths of its
 * strings. */
static size_t weight(const struct json *v, int depth)
{
    size_t n = 1;

    if (json_string(v) != NULL)
        return 1 + strlen(json_string(v)) / 64;
    if (depth > 600)
        return n;
    for (const struct json *c = json_first(v); c != NULL; c = json_next(c))
        n += weight(c, depth + 1);
    return n;
}

static enum err check_values(struct schema_run *r, const struct task *t)
{
    const struct json *constant = keyword(t, "const");
    const struct json *list = keyword(t, "enum");
    size_t cost;
    enum err err;

    if (constant == NULL && list == NULL)
        return ERR_OK;
    cost = weight(t->value, 0);
    err = schema_spend(r, cost);
    if (err != ERR_OK)
        return err;
    if (constant != NULL && !json_equal(constant, t->value))
        return refuse(r, t, "must equal the schema's const");
    if (list == NULL)
        return ERR_OK;
    for (const struct json *e = json_first(list); e != NULL; e = json_next(e)) {
        err = schema_spend(r, cost);
        if (err != ERR_OK)
            return err;
        if (json_equal(e, t->value))
            return ERR_OK;
    }
    return refuse(r, t, "must be one of the schema's enum values");
}

/* --- numbers -------------------------------------------------------------- */

/* Is v a multiple of m, as far as doubles can tell? */
static bool is_multiple(double v, double m)
{
    double q = v / m;

    if (!isfinite(q))
        return false;
    return fabs(q - round(q)) <= 4 * DBL_EPSILON * fabs(q);
}

static enum err check_number(struct schema_run *r, const struct task *t)
{
    const struct json *k;
    double v = json_number(t->value);

    if ((k = keyword(t, "minimum")) != NULL && v < json_number(k))
        return refuse(r, t, "must be at least %g", json_number(k));
    if ((k = keyword(t, "maximum")) != NULL && v > json_number(k))
        return refuse(r, t, "must be at most %g", json_number(k));
    if ((k = keyword(t, "exclusiveMinimum")) != NULL && v <= json_number(k))
        return refuse(r, t, "must be above %g", json_number(k));
    if ((k = keyword(t, "exclusiveMaximum")) != NULL && v >= json_number(k))
        return refuse(r, t, "must be below %g", json_number(k));
    if ((k = keyword(t, "multipleOf")) != NULL &&
        !is_multiple(v, json_number(k)))
        return refuse(r, t, "must be a multiple of %g", json_number(k));
    return ERR_OK;
}

/* --- strings -------------------------------------------------------------- */

/* A count against the keywords min and max. */
static enum err check_count(struct schema_run *r, const struct task *t,
                            const char *min, const char *max, size_t n,
                            const char *what)
{
    const struct json *lo = keyword(t, min), *hi = keyword(t, max);

    if (lo != NULL && (double)n < json_number(lo))
        return refuse(r, t, "must have at least %.0f %s, not %zu",
                      json_number(lo), what, n);
    if (hi != NULL && (double)n > json_number(hi))
        return refuse(r, t, "must have at most %.0f %s, not %zu",
                      json_number(hi), what, n);
    return ERR_OK;
}

static enum err check_string(struct schema_run *r, const struct task *t)
{
    const char *z = json_string(t->value);
    const char *pattern = json_string(keyword(t, "pattern"));
    const char *format = json_string(keyword(t, "format"));
    bool good = true;
    enum err err = schema_spend(r, strlen(z) / 64);

    if (err == ERR_OK)
        err = check_count(r, t, "minLength", "maxLength",
                          utf8_count(z, strlen(z)), "characters");
    if (err == ERR_OK && pattern != NULL)
        err = schema_matches(r, pattern, z, &good);
    if (err != ERR_OK)
        return err;
    if (!good)
        return refuse(r, t, "must match the pattern %.80s", pattern);
    if (format != NULL && !schema_format_holds(format, z))
        return refuse(r, t, "must have the format %.40s", format);
    return ERR_OK;
}

/* --- arrays --------------------------------------------------------------- */

/* The elements from e on, of index i, against their schemas: a list for the
 * first ones, one for the rest. */
static enum err check_elements(struct schema_run *r, const struct task *t,
                               const struct json *list, const struct json *rest)
{
    const struct json *schema = json_first(list);
    enum err err = ERR_OK;
    size_t i = 0;

    for (const struct json *e = json_first(t->value);
         e != NULL && err == ERR_OK; e = json_next(e)) {
        struct place here = {t->at, NULL, i++};
        const struct json *s = schema != NULL ? schema : rest;

        if (s != NULL)
            err = schema_validate_at(r, s, e, &here, t->depth + 1);
        schema = json_next(schema);
    }
    return err;
}

static enum err check_items(struct schema_run *r, const struct task *t)
{
    const struct json *items = keyword(t, "items");
    const struct json *prefix = keyword(t, "prefixItems");

    if (json_type_of(items) == JSON_ARRAY) /* draft-07 */
        return check_elements(r, t, items, keyword(t, "additionalItems"));
    return items == NULL && prefix == NULL
               ? ERR_OK
               : check_elements(r, t, prefix, items);
}

static enum err check_unique(struct schema_run *r, const struct task *t)
{
    size_t i = 0;

    if (!json_bool(keyword(t, "uniqueItems")))
        return ERR_OK;
    for (const struct json *a = json_first(t->value); a != NULL;
         a = json_next(a), i++) {
        size_t cost = weight(a, 0), j = i + 1;

        for (const struct json *b = json_next(a); b != NULL;
             b = json_next(b), j++) {
            enum err err = schema_spend(r, cost);

            if (err != ERR_OK)
                return err;
            if (json_equal(a, b))
                return refuse(r, t, "must not repeat a value: %zu and %zu", i,
                              j);
        }
    }
    return ERR_OK;
}

static enum err check_contains(struct schema_run *r, const struct task *t)
{
    const struct json *schema = keyword(t, "contains");
    const struct json *lo = keyword(t, "minContains");
    const struct json *hi = keyword(t, "maxContains");
    double found = 0, min = lo == NULL ? 1 : json_number(lo);

    if (schema == NULL)
        return ERR_OK;
    for (const struct json *e = json_first(t->value); e != NULL;
         e = json_next(e)) {
        struct task element = {t->schema, e, t->at, t->depth};
        enum err err = probe(r, &element, schema);

        if (err != ERR_OK && err != ERR_INVALID)
            return err;
        found += err == ERR_OK ? 1 : 0;
    }
    if (found < min)
        return refuse(r, t,
                      "must contain %.0f or more elements of a kind, "
                      "not %.0f",
                      min, found);
    if (hi != NULL && found > json_number(hi))
        return refuse(r, t,
                      "must contain %.0f or fewer elements of a kind, "
                      "not %.0f",
                      json_number(hi), found);
    return ERR_OK;
}

static enum err check_array(struct schema_run *r, const struct task *t)
{
    size_t n = json_count(t->value);
    enum err err = schema_spend(r, n);

    if (err == ERR_OK)
        err = check_count(r, t, "minItems", "maxItems", n, "elements");
    if (err == ERR_OK)
        err = check_items(r, t);
    if (err == ERR_OK)
        err = check_unique(r, t);
    if (err == ERR_OK)
        err = check_contains(r, t);
    return err;
}

/* --- objects -------------------------------------------------------------- */

/* Every name of the list is a member of the value. */
static enum err check_names(struct schema_run *r, const struct task *t,
                            const struct json *list)
{
    for (const struct json *e = json_first(list); e != NULL; e = json_next(e)) {
        const struct json *found = NULL;
        enum err err = ERR_OK;

        if (json_string(e) != NULL)
            err = schema_find(r, t->value, json_string(e), &found);
        if (err != ERR_OK)
            return err;
        if (found == NULL)
            return refuse(r, t, "lacks the required member \"%.60s\"",
                          json_string(e) == NULL ? "" : json_string(e));
    }
    return ERR_OK;
}

/* dependentRequired, dependentSchemas and draft-07's dependencies. */
static enum err check_dependencies(struct schema_run *r, const struct task *t,
                                   const char *name)
{
    enum err err = ERR_OK;

    for (const struct json *d = json_first(keyword(t, name));
         d != NULL && err == ERR_OK; d = json_next(d)) {
        const struct json *found = NULL;

        err = schema_find(r, t->value, json_name(d), &found);
        if (err != ERR_OK || found == NULL)
            continue;
        err =
            json_type_of(d) == JSON_ARRAY ? check_names(r, t, d) : sub(r, t, d);
    }
    return err;
}

/* One member against properties, patternProperties, additionalProperties. */
static enum err check_member(struct schema_run *r, const struct task *t,
                             const struct json *m)
{
    const struct place here = {t->at, json_name(m), 0};
    const struct task member = {t->schema, m, &here, t->depth};
    const struct json *schema = NULL;
    bool known;
    enum err err =
        schema_find(r, keyword(t, "properties"), json_name(m), &schema);

    known = schema != NULL;
    if (err == ERR_OK && known)
        err = sub(r, &member, schema);
    for (const struct json *p = json_first(keyword(t, "patternProperties"));
         p != NULL && err == ERR_OK; p = json_next(p)) {
        bool match = false;

        err = schema_matches(r, json_name(p), json_name(m), &match);
        if (err == ERR_OK && match)
            err = sub(r, &member, p);
        known = known || match;
    }
    schema = keyword(t, "additionalProperties");
    if (err != ERR_OK || known || schema == NULL)
        return err;
    if (json_type_of(schema) == JSON_BOOL && !json_bool(schema))
        return refuse(r, &member, "is a member the schema does not allow");
    return sub(r, &member, schema);
}

static enum err check_members(struct schema_run *r, const struct task *t)
{
    const struct json *names = keyword(t, "propertyNames");
    enum err err = ERR_OK;

    for (const struct json *m = json_first(t->value);
         m != NULL && err == ERR_OK; m = json_next(m)) {
        const struct place here = {t->at, json_name(m), 0};
        /* cJSON wants the string writable; nobody writes here. */
        cJSON name = {.type = cJSON_String | cJSON_IsReference,
                      .valuestring = ((const cJSON *)m)->string};

        err = check_member(r, t, m);
        if (err == ERR_OK && names != NULL)
            err = schema_validate_at(r, names, (const struct json *)&name,
                                     &here, t->depth + 1);
    }
    return err;
}

static enum err check_object(struct schema_run *r, const struct task *t)
{
    size_t n = json_count(t->value);
    enum err err = schema_spend(r, n);

    if (err == ERR_OK)
        err = check_count(r, t, "minProperties", "maxProperties", n, "members");
    if (err == ERR_OK)
        err = check_names(r, t, keyword(t, "required"));
    if (err == ERR_OK)
        err = check_members(r, t);
    if (err == ERR_OK)
        err = check_dependencies(r, t, "dependentRequired");
    if (err == ERR_OK)
        err = check_dependencies(r, t, "dependentSchemas");
    if (err == ERR_OK)
        err = check_dependencies(r, t, "dependencies");
    return err;
}

/* --- combinations --------------------------------------------------------- */

static enum err check_all_of(struct schema_run *r, const struct task *t)
{
    enum err err = ERR_OK;

    for (const struct json *s = json_first(keyword(t, "allOf"));
         s != NULL && err == ERR_OK; s = json_next(s))
        err = sub(r, t, s);
    return err;
}

/* anyOf and oneOf: how many of the list hold, at most enough of them. */
static enum err count_holding(struct schema_run *r, const struct task *t,
                              const struct json *list, int enough, int *out)
{
    int n = 0;

    for (const struct json *s = json_first(list); s != NULL && n < enough;
         s = json_next(s)) {
        enum err err = probe(r, t, s);

        if (err != ERR_OK && err != ERR_INVALID)
            return err;
        n += err == ERR_OK;
    }
    *out = n;
    return ERR_OK;
}

static enum err check_choices(struct schema_run *r, const struct task *t)
{
    const struct json *any = keyword(t, "anyOf"), *one = keyword(t, "oneOf");
    int n = 0;
    enum err err;

    if (any != NULL) {
        err = count_holding(r, t, any, 1, &n);
        if (err != ERR_OK)
            return err;
        if (n == 0)
            return refuse(r, t, "fits none of the schemas of anyOf");
    }
    if (one == NULL)
        return ERR_OK;
    err = count_holding(r, t, one, 2, &n);
    if (err != ERR_OK || n == 1)
        return err;
    return refuse(r, t, "fits %s of the schemas of oneOf",
                  n == 0 ? "none" : "more than one");
}

static enum err check_conditions(struct schema_run *r, const struct task *t)
{
    const struct json *no = keyword(t, "not"), *cond = keyword(t, "if");
    const struct json *then;
    enum err err;

    if (no != NULL) {
        err = probe(r, t, no);
        if (err == ERR_OK)
            return refuse(r, t, "fits the schema of not");
        if (err != ERR_INVALID)
            return err;
    }
    if (cond == NULL)
        return ERR_OK;
    err = probe(r, t, cond);
    if (err != ERR_OK && err != ERR_INVALID)
        return err;
    then = keyword(t, err == ERR_OK ? "then" : "else");
    return then == NULL ? ERR_OK : sub(r, t, then);
}

/* --- the whole ------------------------------------------------------------ */

static enum err check_by_type(struct schema_run *r, const struct task *t)
{
    switch (json_type_of(t->value)) {
    case JSON_NUMBER:
        return check_number(r, t);
    case JSON_STRING:
        return check_string(r, t);
    case JSON_ARRAY:
        return check_array(r, t);
    case JSON_OBJECT:
        return check_object(r, t);
    default:
        return ERR_OK;
    }
}

static enum err check_ref(struct schema_run *r, const struct task *t,
                          const char *name)
{
    const struct json *target = NULL;
    const char *ref = json_string(keyword(t, name));
    enum err err;

    if (ref == NULL)
        return ERR_OK;
    err = schema_find_ref(r, t->schema, ref, &target);
    if (err != ERR_OK)
        return err;
    return target == NULL ? refuse(r, t, "meets a $ref that leads nowhere")
                          : sub(r, t, target);
}

static enum err check_keywords(struct schema_run *r, const struct task *t)
{
    static enum err (*const checks[])(struct schema_run *,
                                      const struct task *) = {
        check_type,   check_values,  check_by_type,
        check_all_of, check_choices, check_conditions,
    };
    enum err err = check_ref(r, t, "$ref");

    if (r->refs_alone && json_string(keyword(t, "$ref")) != NULL)
        return err;
    if (err == ERR_OK)
        err = check_ref(r, t, "$dynamicRef");
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && err == ERR_OK;
         i++)
        err = checks[i](r, t);
    if (err == ERR_OK && !r->refs_alone)
        err = schema_check_rest(r, t->schema, t->value, t->at, t->depth);
    return err;
}

enum err schema_validate_at(struct schema_run *r, const struct json *schema,
                            const struct json *value, const struct place *at,
                            int depth)
{
    const struct task t = {schema, value, at, depth};
    enum err err = schema_spend(r, 10 + 4 * json_count(schema));

    if (err != ERR_OK)
        return err;
    if (depth > SCHEMA_VALIDATE_MAX)
        return ERR_LIMIT;
    if (json_type_of(schema) == JSON_BOOL)
        return json_bool(schema) ? ERR_OK
                                 : refuse(r, &t, "is not allowed here");
    return check_keywords(r, &t);
}

enum err schema_probe(struct schema_run *r, const struct json *schema,
                      const struct json *value, const struct place *at,
                      int depth)
{
    enum err err;

    r->quiet++;
    err = schema_validate_at(r, schema, value, at, depth);
    r->quiet--;
    return err;
}

enum err schema_validate_part(const struct json *root, const struct json *sub,
                              const struct json *value, struct errctx *ec)
{
    struct schema_run r;
    enum err err;

    schema_run_init(&r, root, ec);
    err = schema_run_result(&r, schema_validate_at(&r, sub, value, NULL, 0));
    schema_run_fini(&r);
    return err;
}

enum err schema_validate(const struct json *schema, const struct json *value,
                         struct errctx *ec)
{
    return schema_validate_part(schema, schema, value, ec);
}
