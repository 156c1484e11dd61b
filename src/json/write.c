/*
 * Writing JSON; see json.h. Appends to a struct buf, whose first failure
 * sticks, so a renderer checks once. Misuse (a value without a key, an end
 * that fits no beginning) sets the buffer to ERR_INTERNAL instead of writing
 * something that is no JSON.
 */
#include "json/json.h"

#include "base/date.h"
#include "base/str.h"
#include "json/scan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void jw_init(struct json_out *w, struct buf *b)
{
    memset(w, 0, sizeof *w);
    w->b = b;
}

static void misuse(struct json_out *w)
{
    if (w->b->err == ERR_OK)
        w->b->err = ERR_INTERNAL;
}

static bool in_object(const struct json_out *w)
{
    return w->depth > 0 &&
           (w->object[(w->depth - 1) / 8] >> (w->depth - 1) % 8 & 1) != 0;
}

/* What comes before any value: its separator. */
static void begin_value(struct json_out *w)
{
    if (in_object(w) && !w->key)
        misuse(w);
    if (w->depth == 0 && w->comma)
        misuse(w);
    if (w->comma)
        buf_addc(w->b, ',');
    w->comma = true;
    w->key = false;
}

static void open_container(struct json_out *w, bool object)
{
    unsigned at = w->depth;

    begin_value(w);
    if (at >= JSON_OUT_DEPTH) {
        misuse(w);
        return;
    }
    if (object)
        w->object[at / 8] |= (unsigned char)(1u << at % 8);
    else
        w->object[at / 8] &= (unsigned char)~(1u << at % 8);
    w->depth++;
    w->comma = false;
    buf_addc(w->b, object ? '{' : '[');
}

static void close_container(struct json_out *w, bool object)
{
    if (w->depth == 0 || in_object(w) != object || w->key) {
        misuse(w);
        return;
    }
    w->depth--;
    w->comma = true;
    buf_addc(w->b, object ? '}' : ']');
}

void jw_object(struct json_out *w)
{
    open_container(w, true);
}

void jw_object_end(struct json_out *w)
{
    close_container(w, true);
}

void jw_array(struct json_out *w)
{
    open_container(w, false);
}

void jw_array_end(struct json_out *w)
{
    close_container(w, false);
}

/* --- strings -------------------------------------------------------------- */

/* One byte below 0x80 that may not stand in a string as it is. */
static void add_escape(struct buf *b, unsigned char c)
{
    static const char from[] = "\b\f\n\r\t\"\\", to[] = "bfnrt\"\\";
    const char *at = c == '\0' ? NULL : strchr(from, c);

    if (at != NULL) {
        buf_addc(b, '\\');
        buf_addc(b, to[at - from]);
    } else {
        buf_addf(b, "\\u%04x", (unsigned)c);
    }
}

/* Length of what may be copied as it stands at p: an ASCII byte, or one
 * well-formed character but U+2028 and U+2029. 0 for anything else. */
static size_t plain_len(const char *p, size_t n)
{
    unsigned char c = (unsigned char)*p;
    uint32_t cp;
    size_t len;

    if (c < 0x80)
        return c >= 0x20 && c != '"' && c != '\\' ? 1 : 0;
    len = utf8_decode(p, n, &cp);
    return len == 1 || cp == 0x2028 || cp == 0x2029 ? 0 : len;
}

static void add_string(struct buf *b, const char *p, size_t n)
{
    size_t run = 0;

    buf_addc(b, '"');
    for (size_t i = 0; i < n;) {
        size_t len = plain_len(p + i, n - i);
        uint32_t cp;

        if (len > 0) {
            i += len;
            continue;
        }
        buf_add(b, p + run, i - run);
        len = utf8_decode(p + i, n - i, &cp);
        if ((unsigned char)p[i] < 0x80)
            add_escape(b, (unsigned char)p[i]);
        else
            buf_adds(b, len == 1       ? "\xEF\xBF\xBD"
                        : cp == 0x2028 ? "\\u2028"
                                       : "\\u2029");
        i += len;
        run = i;
    }
    buf_add(b, p + run, n - run);
    buf_addc(b, '"');
}

void jw_key(struct json_out *w, const char *name)
{
    if (!in_object(w) || w->key)
        misuse(w);
    if (w->comma)
        buf_addc(w->b, ',');
    add_string(w->b, name, strlen(name));
    buf_addc(w->b, ':');
    w->comma = false;
    w->key = true;
}

void jw_string(struct json_out *w, const char *z)
{
    if (z == NULL)
        jw_null(w);
    else
        jw_string_n(w, z, strlen(z));
}

void jw_string_n(struct json_out *w, const char *p, size_t n)
{
    begin_value(w);
    add_string(w->b, p, n);
}

/* --- other values --------------------------------------------------------- */

void jw_int(struct json_out *w, int64_t v)
{
    begin_value(w);
    buf_addf(w->b, "%" PRId64, v);
}

void jw_double(struct json_out *w, double v)
{
    char text[32];

    if (!isfinite(v)) {
        jw_null(w);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        double back;

        snprintf(text, sizeof text, "%.*g", digits, v);
        back = strtod(text, NULL);
        if (back >= v && back <= v)
            break;
    }
    begin_value(w);
    buf_adds(w->b, text);
}

void jw_bool(struct json_out *w, bool v)
{
    jw_raw(w, v ? "true" : "false");
}

void jw_null(struct json_out *w)
{
    jw_raw(w, "null");
}

void jw_raw(struct json_out *w, const char *json)
{
    begin_value(w);
    buf_adds(w->b, json);
}

static void write_value(struct json_out *w, const struct json *v, int depth)
{
    enum json_type t = json_type_of(v);
    int64_t whole;

    switch (t) {
    case JSON_NULL:
        jw_null(w);
        return;
    case JSON_BOOL:
        jw_bool(w, json_bool(v));
        return;
    case JSON_STRING:
        jw_string(w, json_string(v));
        return;
    case JSON_NUMBER:
        if (json_is_whole(v, &whole))
            jw_int(w, whole);
        else
            jw_double(w, json_number(v));
        return;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    if (depth >= JSON_DEPTH_MAX) {
        misuse(w);
        return;
    }
    open_container(w, t == JSON_OBJECT);
    for (const struct json *c = json_first(v); c != NULL; c = json_next(c)) {
        if (t == JSON_OBJECT)
            jw_key(w, json_name(c));
        write_value(w, c, depth + 1);
    }
    close_container(w, t == JSON_OBJECT);
}

void jw_value(struct json_out *w, const struct json *v)
{
    if (v == NULL)
        jw_null(w);
    else
        write_value(w, v, 0);
}

enum err json_print(const struct json *v, size_t max, struct arena *a,
                    const char **out)
{
    struct json_out w;
    struct buf b;

    buf_init(&b, max);
    jw_init(&w, &b);
    jw_value(&w, v);
    return buf_keep(&b, ERR_OK, a, out);
}

void jw_kstring(struct json_out *w, const char *name, const char *z)
{
    jw_key(w, name);
    jw_string(w, z);
}

void jw_kstring_n(struct json_out *w, const char *name, const char *p, size_t n)
{
    jw_key(w, name);
    jw_string_n(w, p, n);
}

void jw_kint(struct json_out *w, const char *name, int64_t v)
{
    jw_key(w, name);
    jw_int(w, v);
}

void jw_kknown(struct json_out *w, const char *name, int64_t v)
{
    if (v < 0)
        jw_kraw(w, name, "null");
    else
        jw_kint(w, name, v);
}

void jw_kdouble(struct json_out *w, const char *name, double v)
{
    jw_key(w, name);
    jw_double(w, v);
}

void jw_kbool(struct json_out *w, const char *name, bool v)
{
    jw_key(w, name);
    jw_bool(w, v);
}

void jw_kraw(struct json_out *w, const char *name, const char *json)
{
    jw_key(w, name);
    jw_raw(w, json);
}

void jw_kvalue(struct json_out *w, const char *name, const struct json *v)
{
    jw_key(w, name);
    jw_value(w, v);
}

void jw_kobject(struct json_out *w, const char *name)
{
    jw_key(w, name);
    jw_object(w);
}

void jw_karray(struct json_out *w, const char *name)
{
    jw_key(w, name);
    jw_array(w);
}

void jw_kday(struct json_out *w, const char *name, int32_t day)
{
    char text[DATE_LEN + 1];

    if (day != DAY_NONE)
        date_format(day, text);
    jw_kstring(w, name, day == DAY_NONE ? NULL : text);
}

void jw_kstamp(struct json_out *w, const char *name, int64_t ms)
{
    char at[STAMP_LEN + 1];

    date_format_stamp(ms, at);
    jw_kstring(w, name, ms == 0 ? NULL : at);
}
