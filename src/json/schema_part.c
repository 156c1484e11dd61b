/*
 * Places, patterns and the count of work of the schema checker; see
 * schema_part.h. Every search through a schema costs steps, so that no schema
 * can make us work without end.
 */
#include "json/schema_part.h"

#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACES_MAX = 40,
    SUBJECT_MAX = 64 * 1024 /* a longer string is held against no pattern */
};

void schema_run_init(struct schema_run *r, const struct json *root,
                     struct errctx *ec)
{
    const char *dialect = json_string(json_get(root, "$schema"));

    memset(r, 0, sizeof *r);
    r->root = root;
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
