/* Field getters; see input.h. */
#include "web/input.h"

#include "base/date.h"
#include "base/str.h"
#include "json/schema.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_MAX = 60 };

void input_wrong(const struct input *in, const char *field, const char *fmt,
                 ...)
{
    char name[128], text[448];
    va_list ap;

    snprintf(name, sizeof name, "%s%s", in->prefix, field);
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    problem_add(in->problem, name, "%s %s", name, text);
}

const struct json *input_member(const struct input *in, const char *name)
{
    const struct json *v = json_get(in->object, name);

    return v == NULL || json_type_of(v) == JSON_NULL ? NULL : v;
}

const char *input_shown(const struct json *v, struct arena *a)
{
    const char *z = NULL;
    size_t n;

    switch (json_type_of(v)) {
    case JSON_NULL:
        return "null";
    case JSON_BOOL:
        return json_bool(v) ? "true" : "false";
    case JSON_NUMBER:
        z = arena_printf(a, "%.17g", json_number(v));
        break;
    case JSON_STRING:
        n = strlen(json_string(v));
        z = n <= SHOWN_MAX
                ? arena_printf(a, "\"%s\"", json_string(v))
                : arena_printf(a, "\"%.*s…\"",
                               (int)utf8_cut(json_string(v), n, SHOWN_MAX),
                               json_string(v));
        break;
    case JSON_ARRAY:
        return "an array";
    case JSON_OBJECT:
        return "an object";
    }
    return z == NULL ? "another value" : z;
}

/* --- strings ------------------------------------------------------------ */

static bool is_blank_cp(uint32_t cp)
{
    return cp <= 0x20 || cp == 0x85 || cp == 0xA0 || cp == 0x1680 ||
           (cp >= 0x2000 && cp <= 0x200F) || cp == 0x2028 || cp == 0x2029 ||
           cp == 0x202F || cp == 0x205F || cp == 0x2060 || cp == 0x3000 ||
           cp == 0xFEFF;
}

static bool is_blank(const char *z)
{
    size_t n = strlen(z);

    while (n > 0) {
        uint32_t cp;
        size_t len = utf8_decode(z, n, &cp);

        if (!is_blank_cp(cp))
            return false;
        z += len;
        n -= len;
    }
    return true;
}

const char *input_string(const struct input *in, const char *name)
{
    const struct json *v = input_member(in, name);

    if (v != NULL && json_type_of(v) != JSON_STRING)
        input_wrong(in, name, "must be a string; %s was given",
                    input_shown(v, in->arena));
    return json_string(v);
}

const char *input_question(const struct input *in, const char *name,
                           int64_t max)
{
    const struct json *v = json_get(in->object, name);
    const char *z;

    if (v == NULL) {
        input_wrong(in, name, "is required");
        return "";
    }
    if (json_type_of(v) != JSON_STRING) {
        input_wrong(in, name, "must be a string; %s was given",
                    input_shown(v, in->arena));
        return "";
    }
    z = json_string(v);
    if (is_blank(z)) {
        input_wrong(in, name, "must not be blank");
        return "";
    }
    if (strlen(z) > (uint64_t)max) {
        input_wrong(in, name, "must be at most %lld bytes long; it has %zu",
                    (long long)max, strlen(z));
        return "";
    }
    return z;
}

static const char *join_words(const struct input_word *words, size_t count,
                              char *out, size_t size)
{
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", i == 0 ? "" : ", ",
                              words[i].word);
    return out;
}

bool input_enum(const struct input *in, const char *name,
                const struct input_word *words, size_t count, bool required,
                bool any_case, int fallback, int *out)
{
    const struct json *v = json_get(in->object, name);
    const char *z = json_string(v);
    char list[160];

    *out = fallback;
    if (v == NULL || (json_type_of(v) == JSON_NULL && !required)) {
        if (required)
            input_wrong(in, name, "is required: one of %s",
                        join_words(words, count, list, sizeof list));
        return false;
    }
    for (size_t i = 0; z != NULL && i < count; i++)
        if (any_case ? ascii_casecmp(z, words[i].word) == 0
                     : strcmp(z, words[i].word) == 0) {
            *out = words[i].value;
            return true;
        }
    input_wrong(in, name, "must be one of %s; %s was given",
                join_words(words, count, list, sizeof list),
                input_shown(v, in->arena));
    return false;
}

/* --- booleans and numbers ----------------------------------------------- */

bool input_bool(const struct input *in, const char *name, bool fallback)
{
    const struct json *v = input_member(in, name);
    const char *z = json_string(v);

    if (v == NULL)
        return fallback;
    if (json_type_of(v) == JSON_BOOL)
        return json_bool(v);
    if (z != NULL && strcmp(z, "true") == 0)
        return true;
    if (z != NULL && strcmp(z, "false") == 0)
        return false;
    input_wrong(in, name, "must be true or false; %s was given",
                input_shown(v, in->arena));
    return fallback;
}

int64_t input_whole(const struct input *in, const char *name, int64_t lo,
                    int64_t hi, int64_t fallback)
{
    const struct json *v = input_member(in, name);
    int64_t n;

    if (v == NULL)
        return fallback;
    if (json_type_of(v) == JSON_NUMBER && json_is_whole(v, &n) && n >= lo &&
        n <= hi)
        return n;
    input_wrong(in, name,
                "must be a whole number from %lld to %lld; %s was given",
                (long long)lo, (long long)hi, input_shown(v, in->arena));
    return fallback;
}

/* --- dates -------------------------------------------------------------- */

int32_t input_date(const struct input *in, const char *name, bool recent)
{
    const struct json *v = input_member(in, name);
    const char *z = json_string(v);
    int32_t day;

    if (v == NULL)
        return DAY_NONE;
    if (z == NULL || !date_parse_iso(z, strlen(z), &day)) {
        input_wrong(in, name,
                    "must be an existing date as YYYY-MM-DD; %s was given",
                    input_shown(v, in->arena));
        return DAY_NONE;
    }
    if (recent && day <= 0) {
        input_wrong(in, name, "must be later than 1970-01-01; %s was given",
                    input_shown(v, in->arena));
        return DAY_NONE;
    }
    return day;
}

void input_dates(const struct input *in, const char *from_name,
                 const char *to_name, bool one_day, int32_t *from, int32_t *to)
{
    *from = input_date(in, from_name, true);
    *to = input_date(in, to_name, true);
    if (*from != DAY_NONE && *to != DAY_NONE &&
        (one_day ? *from > *to : *from >= *to))
        input_wrong(in, from_name, "must %s %s; %s and %s were given",
                    one_day ? "not be after" : "be before", to_name,
                    input_shown(input_member(in, from_name), in->arena),
                    input_shown(input_member(in, to_name), in->arena));
}

/* --- domains ------------------------------------------------------------ */

bool input_is_blank(const struct json *v)
{
    const char *z = json_string(v);

    return z != NULL && str_trim(str_of(z)).n == 0;
}

static size_t count_named(const struct json *list)
{
    size_t n = 0;

    for (const struct json *e = json_first(list); e != NULL; e = json_next(e))
        n += input_is_blank(e) ? 0 : 1;
    return n;
}

static void one_domain(const struct input *in, const char *name, size_t i,
                       const struct json *v, struct domain_rule *out)
{
    const char *z = json_string(v);
    char field[96];

    if (z != NULL && domain_rule_parse(z, strlen(z), in->arena, out) == ERR_OK)
        return;
    snprintf(field, sizeof field, "%s.%zu", name, i);
    input_wrong(in, field, "must be a domain or a URL; %s was given",
                input_shown(v, in->arena));
}

void input_domains(const struct input *in, const char *name, size_t max,
                   struct domain_rules *out)
{
    const struct json *v = input_member(in, name);
    size_t count, named, used = 0, i = 0;
    struct domain_rule *rules;

    out->rules = NULL;
    out->count = 0;
    if (v == NULL)
        return;
    if (json_type_of(v) != JSON_ARRAY) {
        input_wrong(in, name, "must be an array of domains; %s was given",
                    input_shown(v, in->arena));
        return;
    }
    /* A list of nothing but blanks is no list: it would filter nothing. */
    named = count_named(v);
    count = named > 0 ? named : json_count(v);
    if (max > 0 && count > max) {
        input_wrong(in, name, "must hold at most %zu domains; it has %zu", max,
                    count);
        return;
    }
    rules = arena_array(in->arena, count, sizeof *rules);
    if (rules == NULL) {
        input_wrong(in, name, "is too large");
        return;
    }
    for (const struct json *e = json_first(v); e != NULL; e = json_next(e)) {
        if (named == 0 || !input_is_blank(e))
            one_domain(in, name, i, e, &rules[used++]);
        i++;
    }
    out->rules = rules;
    out->count = count;
}

/* --- schema ------------------------------------------------------------- */

static const struct json *schema_text(const struct input *in, const char *name,
                                      const char *z, int depth_max,
                                      struct json **owned)
{
    struct json_limits lim = json_limits_request;
    struct errctx ec = {0};

    lim.depth_max = depth_max;
    if (json_parse(z, strlen(z), &lim, owned, &ec) == ERR_OK)
        return *owned;
    input_wrong(in, name, "must hold a JSON Schema: %s", ec.msg);
    return NULL;
}

void input_schema(const struct input *in, const char *name, bool required,
                  int depth_max, const struct json **schema,
                  struct json **owned)
{
    const struct json *v = input_member(in, name);
    const char *z = json_string(v);
    struct errctx ec = {0};

    *schema = NULL;
    *owned = NULL;
    if (v == NULL) {
        if (required)
            input_wrong(in, name, "is required when outputType is structured");
        return;
    }
    if (z == NULL && json_type_of(v) != JSON_OBJECT) {
        input_wrong(in, name,
                    "must be a JSON Schema, as a string or an object; %s was "
                    "given",
                    input_shown(v, in->arena));
        return;
    }
    if (z != NULL)
        v = schema_text(in, name, z, depth_max, owned);
    if (v == NULL)
        return;
    if (schema_check(v, &ec) != ERR_OK)
        input_wrong(in, name, "is not a schema that can be honoured: %s",
                    ec.msg);
    else
        *schema = v;
}

bool input_url(const struct input *in, const char *name, bool required,
               struct url *out)
{
    const struct json *v = input_member(in, name);
    const char *z = json_string(v);
    struct errctx ec = {0};

    if (v == NULL) {
        if (required)
            input_wrong(in, name, "is required");
        return false;
    }
    if (z == NULL)
        input_wrong(in, name, "must be a string; %s was given",
                    input_shown(v, in->arena));
    else if (url_parse(z, strlen(z), NULL, in->arena, out, &ec) != ERR_OK)
        input_wrong(in, name,
                    "must be an absolute http or https URL; %s was given (%s)",
                    input_shown(v, in->arena), ec.msg);
    else
        return true;
    return false;
}
