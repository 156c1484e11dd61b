/*
 * unevaluatedProperties and unevaluatedItems (JSON Schema 2020-12, core,
 * section 11): what no keyword of the schema, nor of the schemas applied in
 * place, has looked at. The value is known to satisfy all of these, so a walk
 * over them that marks members and elements suffices; only branches are tried
 * again. Called by schema.c as the last of a schema's checks.
 */
#include "json/schema_part.h"

#include <stdlib.h>
#include <string.h>

/* The members or elements of a value, and which are accounted for. */
struct marks {
    const struct json *value;
    const struct place *at;
    bool *seen;
    size_t count;
};

static enum err mark(struct schema_run *r, struct marks *m,
                     const struct json *schema, int depth, bool outer);

static void mark_all(struct marks *m)
{
    for (size_t i = 0; i < m->count; i++)
        m->seen[i] = true;
}

/* --- by the schema's own keywords ----------------------------------------- */

static enum err mark_member(struct schema_run *r, const struct json *schema,
                            const struct json *member, bool *seen)
{
    const struct json *found = NULL;
    enum err err = schema_find(r, json_get(schema, "properties"),
                               json_name(member), &found);

    *seen = *seen || found != NULL;
    for (const struct json *p =
             json_first(json_get(schema, "patternProperties"));
         p != NULL && err == ERR_OK && !*seen; p = json_next(p))
        err = schema_matches(r, json_name(p), json_name(member), seen);
    return err;
}

static enum err mark_members(struct schema_run *r, struct marks *m,
                             const struct json *schema, bool outer)
{
    enum err err = ERR_OK;
    size_t i = 0;

    if (json_get(schema, "additionalProperties") != NULL ||
        (!outer && json_get(schema, "unevaluatedProperties") != NULL))
        mark_all(m);
    for (const struct json *c = json_first(m->value);
         c != NULL && err == ERR_OK; c = json_next(c), i++)
        if (!m->seen[i])
            err = mark_member(r, schema, c, &m->seen[i]);
    return err;
}

static enum err mark_contained(struct schema_run *r, struct marks *m,
                               const struct json *contains, int depth)
{
    size_t i = 0;

    for (const struct json *c = json_first(m->value); c != NULL;
         c = json_next(c), i++) {
        enum err err = schema_probe(r, contains, c, m->at, depth + 1);

        if (err != ERR_OK && err != ERR_INVALID)
            return err;
        m->seen[i] = m->seen[i] || err == ERR_OK;
    }
    return ERR_OK;
}

static enum err mark_elements(struct schema_run *r, struct marks *m,
                              const struct json *schema, int depth, bool outer)
{
    const struct json *items = json_get(schema, "items");
    const struct json *first = json_get(schema, "prefixItems");
    const struct json *contains = json_get(schema, "contains");
    size_t n;

    if (json_type_of(items) == JSON_ARRAY) { /* up to 2019-09 */
        first = items;
        items = json_get(schema, "additionalItems");
    }
    n = json_count(first);
    for (size_t i = 0; i < n && i < m->count; i++)
        m->seen[i] = true;
    if (items != NULL ||
        (!outer && json_get(schema, "unevaluatedItems") != NULL))
        mark_all(m);
    return contains == NULL ? ERR_OK : mark_contained(r, m, contains, depth);
}

/* --- by what is applied in place ------------------------------------------ */

/* Mark by schema if the value satisfies it; *holds may be NULL. */
static enum err mark_if(struct schema_run *r, struct marks *m,
                        const struct json *schema, int depth, bool *holds)
{
    enum err err = schema_probe(r, schema, m->value, m->at, depth + 1);

    if (err != ERR_OK && err != ERR_INVALID)
        return err;
    if (holds != NULL)
        *holds = err == ERR_OK;
    return err == ERR_OK ? mark(r, m, schema, depth + 1, false) : ERR_OK;
}

static enum err mark_branches(struct schema_run *r, struct marks *m,
                              const struct json *schema, int depth)
{
    static const char *const lists[] = {"allOf", "anyOf", "oneOf"};
    enum err err = ERR_OK;

    for (size_t i = 0; i < 3; i++)
        for (const struct json *s = json_first(json_get(schema, lists[i]));
             s != NULL && err == ERR_OK; s = json_next(s))
            err = mark_if(r, m, s, depth, NULL);
    return err;
}

static enum err mark_condition(struct schema_run *r, struct marks *m,
                               const struct json *schema, int depth)
{
    const struct json *cond = json_get(schema, "if"), *then;
    bool holds = false;
    enum err err;

    if (cond == NULL)
        return ERR_OK;
    err = mark_if(r, m, cond, depth, &holds);
    then = json_get(schema, holds ? "then" : "else");
    return err == ERR_OK && then != NULL ? mark(r, m, then, depth + 1, false)
                                         : err;
}

static enum err mark_dependents(struct schema_run *r, struct marks *m,
                                const struct json *schema, int depth)
{
    enum err err = ERR_OK;

    for (const struct json *d =
             json_first(json_get(schema, "dependentSchemas"));
         d != NULL && err == ERR_OK; d = json_next(d)) {
        const struct json *found = NULL;

        err = schema_find(r, m->value, json_name(d), &found);
        if (err == ERR_OK && found != NULL)
            err = mark(r, m, d, depth + 1, false);
    }
    return err;
}

static enum err mark_ref(struct schema_run *r, struct marks *m,
                         const struct json *schema, const char *keyword,
                         int depth)
{
    const char *ref = json_string(json_get(schema, keyword));
    const struct json *target = NULL;
    enum err err;

    if (ref == NULL)
        return ERR_OK;
    err = schema_find_ref(r, schema, ref, &target);
    return err == ERR_OK && target != NULL
               ? mark(r, m, target, depth + 1, false)
               : err;
}

/* Mark what schema accounts for; outer: it is the one being checked, whose
 * own unevaluated… does not count. */
static enum err mark(struct schema_run *r, struct marks *m,
                     const struct json *schema, int depth, bool outer)
{
    enum err err = schema_spend(r, 10 + 4 * json_count(schema) + m->count);

    if (err != ERR_OK || json_type_of(schema) != JSON_OBJECT)
        return err;
    if (depth > SCHEMA_VALIDATE_MAX)
        return ERR_LIMIT;
    if (json_type_of(m->value) == JSON_OBJECT)
        err = mark_members(r, m, schema, outer);
    else
        err = mark_elements(r, m, schema, depth, outer);
    if (err == ERR_OK)
        err = mark_ref(r, m, schema, "$ref", depth);
    if (err == ERR_OK)
        err = mark_ref(r, m, schema, "$dynamicRef", depth);
    if (err == ERR_OK)
        err = mark_branches(r, m, schema, depth);
    if (err == ERR_OK)
        err = mark_condition(r, m, schema, depth);
    return err == ERR_OK ? mark_dependents(r, m, schema, depth) : err;
}

/* --- the rest ------------------------------------------------------------- */

enum err schema_check_rest(struct schema_run *r, const struct json *schema,
                           const struct json *value, const struct place *at,
                           int depth)
{
    bool object = json_type_of(value) == JSON_OBJECT;
    const struct json *rest = NULL;
    struct marks m = {value, at, NULL, json_count(value)};
    size_t i = 0;
    enum err err;

    if (object)
        rest = json_get(schema, "unevaluatedProperties");
    else if (json_type_of(value) == JSON_ARRAY)
        rest = json_get(schema, "unevaluatedItems");
    if (rest == NULL || m.count == 0)
        return ERR_OK;
    m.seen = calloc(m.count, sizeof *m.seen);
    if (m.seen == NULL)
        return ERR_NOMEM;
    err = mark(r, &m, schema, depth, true);
    for (const struct json *c = json_first(value); c != NULL && err == ERR_OK;
         c = json_next(c), i++) {
        const struct place here = {at, object ? json_name(c) : NULL, i};

        if (!m.seen[i])
            err = schema_validate_at(r, rest, c, &here, depth + 1);
    }
    free(m.seen);
    return err;
}
