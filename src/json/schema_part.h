/*
 * What the files of the schema checker share: the work that is left, places
 * for messages, and references. Only schema*.c and the tests include it.
 */
#ifndef CITED_JSON_SCHEMA_PART_H
#define CITED_JSON_SCHEMA_PART_H

#include "json/pattern.h"
#include "json/schema.h"

enum {
    SCHEMA_DEPTH_MAX = 32,      /* of a schema's own nesting */
    SCHEMA_VALIDATE_MAX = 200,  /* nested schemas while validating */
    SCHEMA_STEPS_MAX = 5000000, /* about 50 ms */
    SCHEMA_PATTERNS = 16,       /* compiled patterns that are kept */
    SCHEMA_PATTERN_BYTES = 1024 /* of a pattern */
};

/* Where we are, in a schema or a value: a chain on the C stack. */
struct place {
    const struct place *up; /* NULL at the root */
    const char *name;       /* a member, or NULL for index */
    size_t index;
};

/* Schemas with addresses of their own, the document among them. */
enum resources { RESOURCES_UNKNOWN, RESOURCES_ONE, RESOURCES_SEVERAL };

struct schema_run {
    const struct json *root;
    enum resources resources;
    bool refs_alone; /* up to draft-07 what stands beside $ref is ignored */
    int64_t steps;
    int quiet; /* > 0: failures need no message */
    struct errctx *ec;
    struct {
        const char *text;
        struct pattern *pattern;
    } cache[SCHEMA_PATTERNS];
    size_t cache_next;
};

void schema_run_init(struct schema_run *r, const struct json *root,
                     struct errctx *ec);
void schema_run_fini(struct schema_run *r);

/* Take n steps off; ERR_LIMIT when the work is used up. */
MUST_CHECK enum err schema_spend(struct schema_run *r, size_t n);

/* What the caller of a run gets: ERR_LIMIT becomes ERR_INVALID with the
 * message that it is too complex. */
enum err schema_run_result(struct schema_run *r, enum err err);

/* "people.0.name", or root at the root, into out. */
const char *place_format(const struct place *at, const char *root, char *out,
                         size_t size);

/* Member name of object, which may be NULL; costs a step for each member
 * passed. ERR_OK with *out NULL when there is none. */
MUST_CHECK enum err schema_find(struct schema_run *r, const struct json *object,
                                const char *name, const struct json **out);

/* Does the reference of the schema owner lead into this document: "#…", or the
 * $id of a schema in it? */
MUST_CHECK enum err schema_is_local(struct schema_run *r,
                                    const struct json *owner, const char *ref,
                                    bool *local);

/* The target of owner's reference, *out NULL when there is none. */
MUST_CHECK enum err schema_find_ref(struct schema_run *r,
                                    const struct json *owner, const char *ref,
                                    const struct json **out);

/* Does text match the pattern? A text too long to try is none of its. */
MUST_CHECK enum err schema_matches(struct schema_run *r, const char *pattern,
                                   const char *text, bool *out);

/* Value at its place against a schema that is part of the run's root. */
MUST_CHECK enum err schema_validate_at(struct schema_run *r,
                                       const struct json *schema,
                                       const struct json *value,
                                       const struct place *at, int depth);

/* The same, only to know whether it holds: no message. */
MUST_CHECK enum err schema_probe(struct schema_run *r,
                                 const struct json *schema,
                                 const struct json *value,
                                 const struct place *at, int depth);

/* unevaluatedProperties and unevaluatedItems of schema, whose other keywords
 * value satisfies. */
MUST_CHECK enum err schema_check_rest(struct schema_run *r,
                                      const struct json *schema,
                                      const struct json *value,
                                      const struct place *at, int depth);

/* schema_check without the rule that the root's type is object. */
MUST_CHECK enum err schema_check_form(const struct json *schema,
                                      struct errctx *ec);

/* Does z have the form that format names? True for unknown formats. */
bool schema_format_holds(const char *format, const char *z);

#endif
