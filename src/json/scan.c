/*
 * A strict JSON scanner (RFC 8259); see scan.h. One loop and an explicit
 * stack, so depth costs no C stack. Keys of an object are compared when it
 * ends, by sorting: no hash an attacker could aim at, and memory only for
 * the objects that are open.
 */
#include "json/scan.h"

#include "base/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cJSON copies a number into 64 bytes and ignores what does not fit. */
enum { NUMBER_MAX = 60, SHOWN_MAX = 40 };

/* The inside of a key's quotes. */
struct key {
    const char *p;
    size_t n;
};

struct level {
    bool object;
    size_t keys_at; /* index of its first key in scan.keys */
};

/* What may come next. */
enum want {
    WANT_VALUE,
    WANT_VALUE_OR_END, /* behind '[' */
    WANT_KEY,
    WANT_KEY_OR_END, /* behind '{' */
    WANT_COLON,
    WANT_COMMA_OR_END,
    WANT_NOTHING /* behind the root */
};

struct scan {
    const char *start, *p, *end;
    const struct json_limits *lim;
    enum want want;
    struct level level[JSON_DEPTH_MAX];
    int depth;
    struct key *keys; /* of all open objects, innermost last */
    size_t key_count, key_size;
    struct json_scanned result;
    struct errctx *ec;
};

static enum err fail(const struct scan *s, const char *what, const char *at)
{
    return err_set(s->ec, ERR_MALFORMED, "%s at byte %zu", what,
                   (size_t)(at - s->start));
}

static enum err fail_nomem(const struct scan *s)
{
    return err_set(s->ec, ERR_NOMEM, "out of memory");
}

/* Replace n bytes at at by text and spaces in the copy for cJSON. */
static enum err mend(struct scan *s, const char *at, size_t n, const char *text)
{
    size_t len = strlen(text), size = (size_t)(s->end - s->start);
    char *to;

    if (s->result.mended == NULL) {
        s->result.mended = malloc(size + 1);
        if (s->result.mended == NULL)
            return fail_nomem(s);
        memcpy(s->result.mended, s->start, size);
        s->result.mended[size] = '\0';
    }
    to = s->result.mended + (at - s->start);
    memset(to, ' ', n);
    memcpy(to, text, len < n ? len : n);
    return ERR_OK;
}

/* --- strings -------------------------------------------------------------- */

/* The code point of "\uXXXX" or a pair of them at p, of length *len; a lone
 * surrogate as itself. False when it is no such escape. */
static bool decode_u(const char *p, const char *end, uint32_t *cp, size_t *len)
{
    uint32_t low;

    if (end - p < 6 || p[1] != 'u' || !hex_read(p + 2, 4, cp))
        return false;
    *len = 6;
    if (*cp >= 0xD800 && *cp < 0xDC00 && end - p >= 12 && p[6] == '\\' &&
        p[7] == 'u' && hex_read(p + 8, 4, &low) && low >= 0xDC00 &&
        low < 0xE000) {
        *cp = 0x10000 + ((*cp - 0xD800) << 10) + (low - 0xDC00);
        *len = 12;
    }
    return true;
}

/* One escape at s->p. */
static enum err scan_escape(struct scan *s)
{
    const char *at = s->p;
    uint32_t cp;
    size_t len;
    bool lone;

    if (s->end - at >= 2 && at[1] != '\0' &&
        strchr("\"\\/bfnrt", at[1]) != NULL) {
        s->p += 2;
        return ERR_OK;
    }
    if (!decode_u(at, s->end, &cp, &len))
        return fail(s, "invalid escape", at);
    s->p += len;
    lone = cp >= 0xD800 && cp < 0xE000;
    if (cp != 0 && !lone)
        return ERR_OK;
    if (!s->lim->allow_nul)
        return fail(s, lone ? "lone surrogate" : "NUL character", at);
    return mend(s, at, len, "\\uFFFD");
}

/* A string at its opening quote; its inside to *inside. */
static enum err scan_string(struct scan *s, struct key *inside)
{
    const char *open = s->p++;

    while (s->p < s->end) {
        unsigned char c = (unsigned char)*s->p;
        enum err err = ERR_OK;

        if (c == '"') {
            inside->p = open + 1;
            inside->n = (size_t)(s->p - open - 1);
            s->p++;
            return ERR_OK;
        }
        if (c < 0x20)
            return fail(s, "control character in a string", s->p);
        if (c == '\\') {
            err = scan_escape(s);
        } else if (c < 0x80) {
            s->p++;
        } else {
            uint32_t cp;
            size_t len = utf8_decode(s->p, (size_t)(s->end - s->p), &cp);

            if (len == 1)
                return fail(s, "invalid UTF-8", s->p);
            s->p += len;
        }
        if (err != ERR_OK)
            return err;
    }
    return fail(s, "string without end", open);
}

/* --- keys ----------------------------------------------------------------- */

/* Decode the next code point of a scanned key; what is mended counts as
 * U+FFFD here too. */
static uint32_t key_next(struct key *k)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    uint32_t cp = 0;
    size_t len = 2;
    const char *at;

    if (k->p[0] != '\\') {
        len = utf8_decode(k->p, k->n, &cp);
    } else if (k->p[1] == 'u') {
        decode_u(k->p, k->p + k->n, &cp, &len);
        if (cp == 0 || (cp >= 0xD800 && cp < 0xE000))
            cp = 0xFFFD;
    } else {
        at = strchr(from, k->p[1]);
        cp = (uint32_t)(at == NULL ? k->p[1] : to[at - from]);
    }
    k->p += len;
    k->n -= len;
    return cp;
}

/* Order of the decoded contents. */
static int key_compare(struct key a, struct key b)
{
    while (a.n > 0 && b.n > 0) {
        uint32_t x = key_next(&a), y = key_next(&b);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return (a.n > 0) - (b.n > 0);
}

/* For qsort: by content, then by place. */
static int key_order(const void *va, const void *vb)
{
    const struct key *a = va, *b = vb;
    int c = key_compare(*a, *b);

    return c != 0 ? c : (a->p > b->p) - (a->p < b->p);
}

static enum err keep_key(struct scan *s, struct key k)
{
    if (s->key_count == s->key_size) {
        size_t size = s->key_size == 0 ? 64 : 2 * s->key_size;
        struct key *keys = realloc(s->keys, size * sizeof *keys);

        if (keys == NULL)
            return fail_nomem(s);
        s->keys = keys;
        s->key_size = size;
    }
    s->keys[s->key_count++] = k;
    return ERR_OK;
}

/* The object that ends here: no key twice. Forgets its keys. */
static enum err check_keys(struct scan *s, size_t first)
{
    size_t count = s->key_count - first;
    char what[SHOWN_MAX + 24];

    s->key_count = first;
    if (count < 2)
        return ERR_OK;
    qsort(s->keys + first, count, sizeof *s->keys, key_order);
    for (size_t i = first + 1; i < first + count; i++) {
        const struct key *k = &s->keys[i];

        if (key_compare(k[-1], *k) != 0)
            continue;
        s->result.duplicates = true;
        if (s->lim->allow_duplicate_keys)
            return ERR_OK;
        snprintf(what, sizeof what, "duplicate key \"%.*s\"",
                 (int)utf8_cut(k->p, k->n, SHOWN_MAX), k->p);
        return fail(s, what, k->p - 1);
    }
    return ERR_OK;
}

/* --- numbers and words ---------------------------------------------------- */

static size_t skip_digits(struct scan *s)
{
    const char *from = s->p;

    while (s->p < s->end && ascii_is_digit(*s->p))
        s->p++;
    return (size_t)(s->p - from);
}

/* The value of the number text [at, s->p), which is well-formed. */
static enum err check_range(struct scan *s, const char *at)
{
    size_t n = (size_t)(s->p - at);
    char small[NUMBER_MAX + 1], *text = small;
    double v;

    if (n > NUMBER_MAX) {
        text = malloc(n + 1);
        if (text == NULL)
            return fail_nomem(s);
    }
    memcpy(text, at, n);
    text[n] = '\0';
    v = strtod(text, NULL);
    if (text != small)
        free(text);
    if (!isfinite(v))
        return fail(s, "number too large", at);
    if (n <= NUMBER_MAX)
        return ERR_OK;
    snprintf(small, sizeof small, "%.17g", v);
    return mend(s, at, n, small);
}

static enum err scan_number(struct scan *s)
{
    const char *at = s->p;
    bool zero;
    size_t n;

    if (*s->p == '-')
        s->p++;
    zero = s->p < s->end && *s->p == '0';
    n = skip_digits(s);
    if (n == 0 || (zero && n > 1))
        return fail(s, "invalid number", at);
    if (s->p < s->end && *s->p == '.') {
        s->p++;
        if (skip_digits(s) == 0)
            return fail(s, "invalid number", at);
    }
    if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
        s->p++;
        if (s->p < s->end && (*s->p == '+' || *s->p == '-'))
            s->p++;
        if (skip_digits(s) == 0)
            return fail(s, "invalid number", at);
    }
    return check_range(s, at);
}

static enum err scan_word(struct scan *s)
{
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);

        if ((size_t)(s->end - s->p) >= n && memcmp(s->p, words[i], n) == 0) {
            s->p += n;
            return ERR_OK;
        }
    }
    return fail(s, "expected a value", s->p);
}

/* --- structure ------------------------------------------------------------ */

static void after_value(struct scan *s)
{
    s->want = s->depth == 0 ? WANT_NOTHING : WANT_COMMA_OR_END;
}

static enum err open_container(struct scan *s)
{
    struct level *l;
    int most =
        s->lim->depth_max < JSON_DEPTH_MAX ? s->lim->depth_max : JSON_DEPTH_MAX;

    if (s->depth >= most)
        return err_set(s->ec, ERR_TOO_LARGE,
                       "nested more than %d deep at byte %zu", most,
                       (size_t)(s->p - s->start));
    l = &s->level[s->depth++];
    l->object = *s->p == '{';
    l->keys_at = s->key_count;
    s->want = l->object ? WANT_KEY_OR_END : WANT_VALUE_OR_END;
    s->p++;
    return ERR_OK;
}

static enum err close_container(struct scan *s)
{
    const struct level *l = &s->level[--s->depth];
    enum err err = l->object ? check_keys(s, l->keys_at) : ERR_OK;

    s->p++;
    after_value(s);
    return err;
}

static enum err scan_value(struct scan *s)
{
    struct key inside;
    enum err err;

    if (*s->p == '{' || *s->p == '[')
        return open_container(s);
    if (*s->p == '"')
        err = scan_string(s, &inside);
    else if (*s->p == '-' || ascii_is_digit(*s->p))
        err = scan_number(s);
    else
        err = scan_word(s);
    after_value(s);
    return err;
}

static enum err scan_key(struct scan *s)
{
    struct key k;
    enum err err;

    if (*s->p != '"')
        return fail(s, "expected a key in quotes", s->p);
    err = scan_string(s, &k);
    s->want = WANT_COLON;
    return err == ERR_OK ? keep_key(s, k) : err;
}

static enum err scan_comma(struct scan *s)
{
    const struct level *l = &s->level[s->depth - 1];

    if (*s->p == (l->object ? '}' : ']'))
        return close_container(s);
    if (*s->p != ',')
        return fail(
            s, l->object ? "expected ',' or '}'" : "expected ',' or ']'", s->p);
    s->p++;
    s->want = l->object ? WANT_KEY : WANT_VALUE;
    return ERR_OK;
}

/* One token; s->p is at its first byte. */
static enum err scan_token(struct scan *s)
{
    switch (s->want) {
    case WANT_VALUE_OR_END:
        return *s->p == ']' ? close_container(s) : scan_value(s);
    case WANT_VALUE:
        return scan_value(s);
    case WANT_KEY_OR_END:
        return *s->p == '}' ? close_container(s) : scan_key(s);
    case WANT_KEY:
        return scan_key(s);
    case WANT_COLON:
        if (*s->p != ':')
            return fail(s, "expected ':'", s->p);
        s->p++;
        s->want = WANT_VALUE;
        return ERR_OK;
    case WANT_COMMA_OR_END:
        return scan_comma(s);
    case WANT_NOTHING:
        break;
    }
    return fail(s, "text behind the value", s->p);
}

static void skip_space(struct scan *s)
{
    while (s->p < s->end &&
           (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
        s->p++;
}

static enum err scan_all(struct scan *s)
{
    if (s->end - s->p >= 3 && memcmp(s->p, "\xEF\xBB\xBF", 3) == 0)
        s->p += 3; /* a byte order mark may be ignored (RFC 8259, 8.1) */
    for (;;) {
        enum err err;

        skip_space(s);
        if (s->p == s->end)
            break;
        err = scan_token(s);
        if (err != ERR_OK)
            return err;
    }
    return s->want == WANT_NOTHING ? ERR_OK : fail(s, "unexpected end", s->p);
}

enum err json_scan(const char *p, size_t n, const struct json_limits *lim,
                   struct json_scanned *out, struct errctx *ec)
{
    struct scan s = {.start = p, .p = p, .end = p + n, .lim = lim, .ec = ec};
    enum err err = scan_all(&s);

    free(s.keys);
    if (err == ERR_OK)
        *out = s.result;
    else
        free(s.result.mended);
    return err;
}
