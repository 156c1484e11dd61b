/*
 * What requests say: fields of a JSON object or of a query string, and whole
 * bodies made of them. Each getter checks one field, adds what is wrong with it
 * to the problem — what is allowed and what was given — and goes on with a
 * usable value, so that one pass finds every field at fault. null counts as not
 * given; keys nobody asks for are ignored.
 */
#ifndef CITED_WEB_INPUT_H
#define CITED_WEB_INPUT_H

#include "base/url.h"
#include "page/document.h"
#include "research/research.h"
#include "store/session.h"
#include "store/task.h"
#include "web/route.h"
#include "json/json.h"

/* --- fields (input_common.c) ---------------------------------------------- */

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

/* A string; NULL when it is not given or wrong. */
const char *input_string(const struct input *in, const char *name);

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

/* A date, where recent later than 1970-01-01; DAY_NONE when not given or
 * wrong. */
int32_t input_date(const struct input *in, const char *name, bool recent);

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

/* --- query strings (input_list.c) ----------------------------------------- */

struct list_params {
    int64_t page, page_size;
    enum task_sort sort;
    bool descending;
};

/*
 * Read "page=1&pageSize=10&…" (raw, percent-encoded, '+' is a space).
 * Unknown keys are ignored; a known key that comes twice, an empty or wrong
 * value, broken percent-encoding, broken UTF-8 and NUL are errors in p, never
 * corrected. Fields not given have their defaults.
 */
void input_list(const char *query, struct problem *p, struct list_params *out);

/*
 * The words given for a key, which may come several times (status=a&status=b),
 * as a set of bits 1 << place in words; all of them when the key is not given.
 * A word that is none of them is an error in p.
 */
unsigned input_words(const char *query, const char *name,
                     const char *const *words, size_t count, struct problem *p);

/*
 * The value of one key of a query string, decoded into p's arena; NULL when
 * it is not given, or when it is given twice, empty or broken, which are
 * errors in p.
 */
const char *input_query(const char *query, const char *name, struct problem *p);

/* --- bodies --------------------------------------------------------------- */

/*
 * Read every field of in->object into *out; what is wrong is in in->problem
 * afterwards, and then *out must not be used. Strings belong to the object's
 * tree or the arena. *owned is a tree to json_free in any case (may be NULL).
 */
void input_search(const struct input *in, const struct conf *c,
                  struct search_params *out, struct json **owned);

/* As input_search. */
void input_research(const struct input *in, const struct conf *c,
                    struct research_params *out, struct json **owned);

/* callbackUrl: where the record goes when the task has ended, in canonical
 * form; NULL when not given or wrong. */
const char *input_callback(const struct input *in);

/*
 * The echo: what the record shows as input and what the helper reads back.
 * One JSON object with every field, defaults filled in, dates as YYYY-MM-DD,
 * the schema as a JSON string or null; callbackUrl only when given. in and p
 * are those of a faultless input_research.
 */
MUST_CHECK enum err input_research_echo(const struct input *in,
                                        const struct research_params *p,
                                        struct buf *out);

struct fetch_params {
    struct url url;
    bool raw_html;    /* rawHtml, the older name of rawContent */
    bool raw_content; /* rawContent and contentType */
    bool images;
};

/*
 * As input_search. A field of the interface that
 * asks for something that is not done here (scripts run, another way to a
 * page, an extraction by schema) is refused by its name, never ignored.
 */
void input_fetch(const struct input *in, struct fetch_params *out);

/*
 * A page that is put in, as input_search: url, title and date and, where
 * out->body is not there yet, the one of html, markdown and text that is given,
 * with its type and charset. The rest of *out is left as it is.
 */
void input_page(const struct input *in, struct index_input *out);

/* --- registering and signing in (input_person.c) -------------------------- */

/* A required string that is not empty. "" after an error. */
const char *input_text(const struct input *in, const char *name);

/* "what:address" of the one who asks, for the throttle: of IPv6 the network
 * of 64 bits, which one customer has whole. NULL when the web server does not
 * tell the address, or without memory. */
const char *person_address(const char *what, const struct request *rq);

/* May it be tried now? ERR_TOLD: no, a 429 with Retry-After was written. */
MUST_CHECK enum err person_pass(struct call *c, const struct throttle *t);

#endif
