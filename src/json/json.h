/*
 * JSON in and out; the only home of cJSON.
 *
 * In: a scanner of our own refuses what cJSON lets through (RFC 8259: broken
 * UTF-8, control bytes, leading zeros, "1.", duplicate keys, a NUL inside a
 * string, numbers beyond a double, depth), then cJSON builds the tree. Other
 * rooms see only the opaque struct json.
 *
 * Out: a writer that appends to a struct buf and cannot produce bad nesting
 * or unescaped text; no tree is built.
 */
#ifndef CITED_JSON_JSON_H
#define CITED_JSON_JSON_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json; /* a value in a parsed tree; owned by its root */

struct json_limits {
    size_t bytes_max;
    int depth_max;             /* nesting of arrays and objects; at most 512 */
    bool allow_duplicate_keys; /* foreign answers: the first one stays,
                                  the others are dropped */
    bool allow_nul;            /* "\u0000" and a lone surrogate become U+FFFD
                                  instead of an error */
};

/* What a request body gets, and what a foreign answer gets. */
extern const struct json_limits json_limits_request; /* 1 MiB, 64 */
extern const struct json_limits json_limits_foreign; /* 16 MiB, 200, both */

/* Parse all n bytes into *out, which the caller gives back with json_free.
 * ERR_MALFORMED says what and at which byte, counted from 0; ERR_TOO_LARGE for
 * a limit. A byte order mark is skipped. */
MUST_CHECK enum err json_parse(const char *p, size_t n,
                               const struct json_limits *lim, struct json **out,
                               struct errctx *ec);
void json_free(struct json *root);

enum json_type {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

enum json_type json_type_of(const struct json *v); /* NULL: JSON_NULL */
const char *json_type_name(enum json_type t);      /* "array" … */

/* Member of an object by exact name, or NULL (also when v is no object). */
const struct json *json_get(const struct json *v, const char *name);
/* First child of an array or object, and the next one; NULL at the end.
 * Always iterate; there is no access by index. */
const struct json *json_first(const struct json *v);
const struct json *json_next(const struct json *child);
const char *json_name(const struct json *member); /* of an object's child */
size_t json_count(const struct json *v);          /* children; linear */

/* NULL / false / 0 when v is NULL or of another type. Strings belong to the
 * tree and hold no NUL. */
const char *json_string(const struct json *v);
bool json_bool(const struct json *v);
double json_number(const struct json *v);
/* A whole number in -2^53..2^53? */
bool json_is_whole(const struct json *v, int64_t *out);
/* Deep equality as JSON Schema means it (1 == 1.0, members in any order). */
bool json_equal(const struct json *a, const struct json *b);

/* --- writer ----------------------------------------------------------- */

enum { JSON_OUT_DEPTH = 600 };

/* Calls that would make bad nesting (a value without its key, an end that
 * fits no beginning, a second root) set the buffer's error to ERR_INTERNAL. */
struct json_out {
    struct buf *b;
    bool comma;     /* a separator is due before the next value */
    bool key;       /* a key was written, its value is due */
    unsigned depth; /* open arrays and objects */
    unsigned char object[JSON_OUT_DEPTH / 8]; /* a bit for each: an object? */
};

void jw_init(struct json_out *w, struct buf *b);
void jw_object(struct json_out *w); /* { */
void jw_object_end(struct json_out *w);
void jw_array(struct json_out *w); /* [ */
void jw_array_end(struct json_out *w);
void jw_key(struct json_out *w, const char *name);
void jw_string(struct json_out *w, const char *z); /* NULL writes null */
void jw_string_n(struct json_out *w, const char *p, size_t n);
void jw_int(struct json_out *w, int64_t v);
void jw_double(struct json_out *w, double v); /* not finite writes null */
void jw_bool(struct json_out *w, bool v);
void jw_null(struct json_out *w);
void jw_raw(struct json_out *w, const char *json); /* already valid JSON */
void jw_value(struct json_out *w, const struct json *v); /* a parsed tree */

/* A parsed tree as text of at most max bytes, in the arena. */
MUST_CHECK enum err json_print(const struct json *v, size_t max,
                               struct arena *a, const char **out);

/* key and value in one call. */
void jw_kstring(struct json_out *w, const char *name, const char *z);
void jw_kstring_n(struct json_out *w, const char *name, const char *p,
                  size_t n);
void jw_kint(struct json_out *w, const char *name, int64_t v);
/* null for what is below zero: not known, or none. */
void jw_kknown(struct json_out *w, const char *name, int64_t v);
void jw_kdouble(struct json_out *w, const char *name, double v);
void jw_kbool(struct json_out *w, const char *name, bool v);
void jw_kraw(struct json_out *w, const char *name, const char *json);
void jw_kvalue(struct json_out *w, const char *name, const struct json *v);
void jw_kobject(struct json_out *w, const char *name);
void jw_karray(struct json_out *w, const char *name);
/* A day of base/date.h as YYYY-MM-DD; null for DAY_NONE. */
void jw_kday(struct json_out *w, const char *name, int32_t day);
/* A time in ms since 1970 as a stamp (base/date.h); null for 0, never. */
void jw_kstamp(struct json_out *w, const char *name, int64_t ms);

#endif
