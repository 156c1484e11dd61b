/*
 * Fields of a request's JSON object. Each getter checks one field, adds what
 * is wrong with it to the problem — what is allowed and what was given — and
 * goes on with a usable value, so that one pass finds every field at fault.
 * null counts as not given; keys nobody asks for are ignored.
 */
#ifndef CITED_WEB_INPUT_COMMON_H
#define CITED_WEB_INPUT_COMMON_H

#include "base/url.h"
#include "web/problem.h"
#include "json/json.h"

struct input {
    const struct json *object;
    const char *prefix; /* before each field's name in errors; "" */
    struct arena *arena;
    struct problem *problem;
};

/* A word of an enumeration and the value it stands for. */
struct input_word {
    const char *word;
    int value;
};

/* An error on field; the prefix is put before it. */
void input_wrong(const struct input *in, const char *field, const char *fmt,
                 ...) PRINTF_LIKE(3, 4);

/* The member, or NULL when absent or null. */
const struct json *input_member(const struct input *in, const char *name);

/* A string of nothing but white space? */
bool input_is_blank(const struct json *v);

/* What was given, in words for a message: `"foo"`, `12`, `an array`. Cut at
 * 60 bytes. */
const char *input_shown(const struct json *v, struct arena *a);

/* Required, not blank (Unicode white space counts as blank), at most max
 * bytes. "" after an error. */
const char *input_question(const struct input *in, const char *name,
                           int64_t max);

/* One of count words. Not given: an error if required, else fallback. True
 * when *out was really given and valid. */
bool input_enum(const struct input *in, const char *name,
                const struct input_word *words, size_t count, bool required,
                bool any_case, int fallback, int *out);

/* true, false, "true", "false". */
bool input_bool(const struct input *in, const char *name, bool fallback);

/* A whole number (1.0 is one) within lo..hi. */
int64_t input_whole(const struct input *in, const char *name, int64_t lo,
                    int64_t hi, int64_t fallback);

/* Two dates later than 1970-01-01, the first before the second or, where
 * one_day, the same; DAY_NONE when not given. */
void input_dates(const struct input *in, const char *from_name,
                 const char *to_name, bool one_day, int32_t *from, int32_t *to);

/* An array of domains or URLs; max 0 = bounded by the body only. Blank
 * entries beside others are left out: a text cut at its commas has them
 * ("a.org, "). */
void input_domains(const struct input *in, const char *name, size_t max,
                   struct domain_rules *out);

/* An absolute http or https URL. False when not given (an error if required)
 * or wrong. */
bool input_url(const struct input *in, const char *name, bool required,
               struct url *out);

/*
 * A JSON Schema, as an object or as a string holding one, checked. *schema is
 * NULL when not given (an error if required) or wrong. When it came as a
 * string, *owned is its tree and the caller's to json_free.
 */
void input_schema(const struct input *in, const char *name, bool required,
                  int depth_max, const struct json **schema,
                  struct json **owned);

#endif
