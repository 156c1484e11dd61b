/*
 * Compiling patterns; see pattern.h. Recursive descent, of bounded depth,
 * over the text; the program is Thompson's construction as described in Russ
 * Cox, "Regular Expression Matching: the Virtual Machine Approach" (2009).
 */
#include "json/pattern.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_MAX = 4000, RANGES_MAX = 1000, NEST_MAX = 24, REPEAT_MAX = 1000 };

/* --- compiling: output ---------------------------------------------------- */

struct compiler {
    const char *p; /* what is left of the text */
    struct pattern *out;
    size_t looks; /* look-aheads we are in */
    enum err err;
    struct errctx *ec;
};

static void refuse(struct compiler *c, const char *what)
{
    if (c->err == ERR_OK)
        c->err = err_set(c->ec, ERR_INVALID, "%s", what);
}

/* What is none the less a pattern. */
static void give_up(struct compiler *c, const char *what)
{
    if (c->err == ERR_OK)
        c->err = err_set(c->ec, ERR_LIMIT, "%s", what);
}

static void emit(struct compiler *c, enum op op, int32_t a, int32_t b)
{
    if (c->err != ERR_OK)
        return;
    if (c->out->len == CODE_MAX) {
        give_up(c, "is too large a pattern");
        return;
    }
    c->out->code[c->out->len++] = (struct inst){op, a, b};
}

/* Put a SPLIT in front of what was emitted since at; jumps are relative, so
 * the moved code stays right. */
static void insert_split(struct compiler *c, size_t at, int32_t a, int32_t b)
{
    struct inst *code = c->out->code;

    emit(c, OP_SPLIT, 0, 0);
    if (c->err != ERR_OK)
        return;
    memmove(code + at + 1, code + at, (c->out->len - 1 - at) * sizeof *code);
    code[at] = (struct inst){OP_SPLIT, a, b};
}

static void add_range(struct compiler *c, uint32_t lo, uint32_t hi)
{
    if (c->out->range_count == RANGES_MAX)
        give_up(c, "is too large a pattern");
    if (c->err == ERR_OK)
        c->out->ranges[c->out->range_count++] = (struct range){lo, hi};
}

/* --- compiling: classes --------------------------------------------------- */

static const struct range digit_ranges[] = {{'0', '9'}};
static const struct range word_ranges[] = {
    {'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
static const struct range space_ranges[] = {
    {'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680},
    {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
    {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
static const struct range line_ranges[] = {
    {'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};

/* Add the n sorted ranges of r, or everything between them. */
static void add_ranges(struct compiler *c, const struct range *r, size_t n,
                       bool others)
{
    uint32_t from = 0;

    for (size_t i = 0; i < n; i++) {
        if (!others)
            add_range(c, r[i].lo, r[i].hi);
        else if (r[i].lo > from)
            add_range(c, from, r[i].lo - 1);
        from = r[i].hi + 1;
    }
    if (others)
        add_range(c, from, 0x10FFFF);
}

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* \p{…} or \P{…}; c->p is at the letter, *end at the last byte. */
static void add_categories(struct compiler *c, bool others, const char **end)
{
    const char *close = c->p[1] == '{' ? strchr(c->p, '}') : NULL;
    uint32_t set =
        close == NULL ? 0 : category_set(c->p + 2, (size_t)(close - c->p) - 2);

    if (set == 0)
        give_up(c, "has a property of characters that is not supported; those "
                   "that are: general categories, such as \\p{L}");
    else
        *end = close;
    add_range(c, RANGE_CATEGORIES, others ? ~set : set);
}

/* Take the letter behind a backslash for the class it stands for, \d \w \s
 * \p{…} and their opposites; false for another letter. */
static bool take_named_class(struct compiler *c)
{
    bool others = *c->p >= 'A' && *c->p <= 'Z';
    const char *end = c->p;

    switch (ascii_lower(*c->p)) {
    case 'd':
        add_ranges(c, digit_ranges, COUNT(digit_ranges), others);
        break;
    case 'w':
        add_ranges(c, word_ranges, COUNT(word_ranges), others);
        break;
    case 's':
        add_ranges(c, space_ranges, COUNT(space_ranges), others);
        break;
    case 'p':
        add_categories(c, others, &end);
        break;
    default:
        return false;
    }
    c->p = end + 1;
    return true;
}

/* Emit a class of the ranges added since first. */
static void emit_class(struct compiler *c, size_t first, bool negated)
{
    int32_t n = (int32_t)(c->out->range_count - first);

    emit(c, OP_CLASS, (int32_t)first, negated ? -n - 1 : n);
}

/* --- compiling: characters ------------------------------------------------ */

static uint32_t take_char(struct compiler *c)
{
    uint32_t cp;

    c->p += utf8_decode(c->p, strlen(c->p), &cp);
    return cp;
}

/* Exactly n hex digits at c->p. */
static bool take_hex(struct compiler *c, size_t n, uint32_t *out)
{
    bool taken = hex_read(c->p, n, out);

    c->p += taken ? n : 0;
    return taken;
}

/* Behind "\u": four digits, a pair of surrogates so written, or {…}. */
static bool take_unicode(struct compiler *c, uint32_t *cp)
{
    uint32_t low;
    const char *close = c->p[0] == '{' ? strchr(c->p, '}') : NULL;

    if (close != NULL && close - c->p >= 2 && close - c->p <= 7) {
        size_t n = (size_t)(close - c->p - 1);

        c->p++;
        if (!take_hex(c, n, cp) || *cp > 0x10FFFF)
            return false;
        c->p++;
        return true;
    }
    if (!take_hex(c, 4, cp))
        return false;
    if (*cp >= 0xD800 && *cp < 0xDC00 && c->p[0] == '\\' && c->p[1] == 'u') {
        c->p += 2;
        if (!take_hex(c, 4, &low) || low < 0xDC00 || low > 0xDFFF)
            return false;
        *cp = 0x10000 + ((*cp - 0xD800) << 10) + (low - 0xDC00);
    }
    return true;
}

/* The character an escape stands for; c->p is behind the backslash. */
static uint32_t take_escaped(struct compiler *c)
{
    static const char from[] = "tnvfr", to[] = "\t\n\v\f\r";
    char e = *c->p;
    const char *at = e == '\0' ? NULL : strchr(from, e);
    uint32_t cp = 0;
    bool good = true;

    if (e != '\0' && !ascii_is_alnum(e))
        return take_char(c);
    c->p += e == '\0' ? 0 : 1;
    if (at != NULL)
        return (uint32_t)to[at - from];
    if (e == 'x')
        good = take_hex(c, 2, &cp);
    else if (e == 'u')
        good = take_unicode(c, &cp);
    else if (e == 'c' && ascii_is_alpha(*c->p))
        cp = (uint32_t)*c->p++ & 31u;
    else
        good = e == '0' && !ascii_is_digit(*c->p);
    if (!good && ((e >= '1' && e <= '9') || e == 'k'))
        give_up(c, "uses a back-reference, which is not supported");
    else if (!good)
        refuse(c, "has an escape that is not supported");
    return cp;
}

/* One end of a range in [...]; false when it was a named class instead. */
static bool take_class_char(struct compiler *c, uint32_t *cp)
{
    if (*c->p != '\\') {
        *cp = take_char(c);
        return true;
    }
    c->p++;
    if (take_named_class(c))
        return false;
    if (*c->p == 'b' || *c->p == '-') {
        *cp = *c->p == 'b' ? '\b' : '-';
        c->p++;
        return true;
    }
    *cp = take_escaped(c);
    return true;
}

/* A class; c->p is behind '['. */
static void take_class(struct compiler *c)
{
    size_t first = c->out->range_count;
    bool negated = *c->p == '^';

    c->p += negated ? 1 : 0;
    while (*c->p != ']' && c->err == ERR_OK) {
        uint32_t lo, hi;

        if (*c->p == '\0') {
            refuse(c, "lacks a ']'");
            return;
        }
        if (!take_class_char(c, &lo))
            continue;
        hi = lo;
        if (c->p[0] == '-' && c->p[1] != ']' && c->p[1] != '\0') {
            c->p++;
            if (!take_class_char(c, &hi)) {
                add_range(c, '-', '-');
                hi = lo;
            }
        }
        if (hi < lo)
            refuse(c, "has a range that runs backwards");
        add_range(c, lo, hi);
    }
    c->p += c->err == ERR_OK ? 1 : 0;
    emit_class(c, first, negated);
}

/* --- compiling: structure ------------------------------------------------- */

static void take_alternatives(struct compiler *c, int depth);

/* A look-ahead; c->p is behind "(?=" or "(?!". */
static void take_look(struct compiler *c, bool negated, int depth)
{
    size_t at = c->out->len;

    if (++c->looks > PATTERN_LOOKS_MAX)
        give_up(c, "nests look-aheads too deep");
    if (c->looks > c->out->looks)
        c->out->looks = c->looks;
    emit(c, OP_LOOK, 0, negated);
    take_alternatives(c, depth + 1);
    emit(c, OP_MATCH, 0, 0);
    c->looks--;
    if (c->err == ERR_OK)
        c->out->code[at].a = (int32_t)(c->out->len - at);
    if (*c->p == ')')
        c->p++;
    else
        refuse(c, "lacks a ')'");
}

/* A group; c->p is behind '('. True when it can be repeated. */
static bool take_group(struct compiler *c, int depth)
{
    if (*c->p == '?' && (c->p[1] == '=' || c->p[1] == '!')) {
        bool negated = c->p[1] == '!';

        c->p += 2;
        take_look(c, negated, depth);
        return false;
    }
    if (*c->p == '?') {
        const char *close;

        if (c->p[1] == ':') {
            c->p += 2;
        } else if (c->p[1] == '<' && c->p[2] != '=' && c->p[2] != '!' &&
                   (close = strchr(c->p, '>')) != NULL) {
            c->p = close + 1;
        } else {
            give_up(c, "uses look-behind, which is not supported");
            return false;
        }
    }
    take_alternatives(c, depth + 1);
    if (*c->p == ')')
        c->p++;
    else
        refuse(c, "lacks a ')'");
    return true;
}

/* An escape outside a class; true when it can be repeated. */
static bool take_escape(struct compiler *c)
{
    size_t first = c->out->range_count;

    c->p++;
    if (*c->p == 'b' || *c->p == 'B') {
        emit(c, *c->p == 'b' ? OP_WORD : OP_NOT_WORD, 0, 0);
        c->p++;
        return false;
    }
    if (take_named_class(c)) {
        emit_class(c, first, false);
        return true;
    }
    emit(c, OP_CHAR, (int32_t)take_escaped(c), 0);
    return true;
}

/* One atom; true when it can be repeated. */
static bool take_atom(struct compiler *c, int depth)
{
    size_t first = c->out->range_count;
    char ch = *c->p;

    switch (ch) {
    case '\\':
        return take_escape(c);
    case '^':
    case '$':
        c->p++;
        emit(c, ch == '^' ? OP_BEGIN : OP_END, 0, 0);
        return false;
    case '(':
        c->p++;
        return take_group(c, depth);
    case '[':
        c->p++;
        take_class(c);
        return true;
    case '.':
        c->p++;
        add_ranges(c, line_ranges, COUNT(line_ranges), true);
        emit_class(c, first, false);
        return true;
    case '*':
    case '+':
    case '?':
        refuse(c, "repeats nothing");
        return false;
    default:
        emit(c, OP_CHAR, (int32_t)take_char(c), 0);
        return true;
    }
}

static const char *take_number(const char *p, int *out)
{
    int v = 0;

    for (; ascii_is_digit(*p); p++)
        v = v > REPEAT_MAX ? v : v * 10 + (*p - '0');
    *out = v;
    return p;
}

/* Length of "{n}", "{n,}" or "{n,m}" at p, 0 for none; no upper end: -1. */
static size_t bounds_len(const char *p, int *min, int *max)
{
    const char *q;

    if (p[0] != '{' || !ascii_is_digit(p[1]))
        return 0;
    q = take_number(p + 1, min);
    *max = *min;
    if (*q == ',') {
        *max = -1;
        q++;
        if (ascii_is_digit(*q))
            q = take_number(q, max);
    }
    return *q == '}' ? (size_t)(q + 1 - p) : 0;
}

/* Emit the n instructions of copy once more. */
static void emit_copy(struct compiler *c, const struct inst *copy, size_t n)
{
    for (size_t i = 0; i < n; i++)
        emit(c, copy[i].op, copy[i].a, copy[i].b);
}

/* Make what was emitted since at repeat min to max times (-1: any). */
static void repeat(struct compiler *c, size_t at, int min, int max)
{
    size_t n = c->out->len - at;
    struct inst *copy;

    if (min > REPEAT_MAX || max > REPEAT_MAX || (max >= 0 && max < min)) {
        refuse(c, "has a repetition that is too large or runs backwards");
        return;
    }
    copy = malloc((n + 1) * sizeof *copy);
    if (copy == NULL) {
        c->err = err_set(c->ec, ERR_NOMEM, "out of memory");
        return;
    }
    memcpy(copy, c->out->code + at, n * sizeof *copy);
    c->out->len = at;
    for (int i = 0; i < min && c->err == ERR_OK; i++)
        emit_copy(c, copy, n);
    if (max < 0) {
        emit(c, OP_SPLIT, 1, (int32_t)n + 2);
        emit_copy(c, copy, n);
        emit(c, OP_JUMP, -(int32_t)n - 1, 0);
    }
    for (int left = max - min; left > 0 && c->err == ERR_OK; left--) {
        emit(c, OP_SPLIT, 1, left * ((int32_t)n + 1));
        emit_copy(c, copy, n);
    }
    free(copy);
}

/* A quantifier behind the atom emitted since at, if there is one. */
static void take_quantifier(struct compiler *c, size_t at, bool repeatable)
{
    int min = 0, max = -1;
    size_t len = bounds_len(c->p, &min, &max);

    if (len == 0 && (*c->p == '*' || *c->p == '+' || *c->p == '?')) {
        min = *c->p == '+' ? 1 : 0;
        max = *c->p == '?' ? 1 : -1;
        len = 1;
    }
    if (len == 0)
        return;
    if (!repeatable) {
        refuse(c, "repeats nothing");
        return;
    }
    c->p += len;
    c->p += *c->p == '?' ? 1 : 0; /* lazy: the same strings match */
    if (c->err == ERR_OK)
        repeat(c, at, min, max);
}

static void take_sequence(struct compiler *c, int depth)
{
    while (*c->p != '\0' && *c->p != '|' && *c->p != ')' && c->err == ERR_OK) {
        size_t at = c->out->len;
        bool repeatable = take_atom(c, depth);

        take_quantifier(c, at, repeatable);
    }
}

/* a|b|c: each but the last gets a SPLIT in front and a JUMP to the end
 * behind; the jumps are chained by their operand until the end is known. */
static void take_alternatives(struct compiler *c, int depth)
{
    size_t at = c->out->len, jump = SIZE_MAX;

    if (depth > NEST_MAX) {
        give_up(c, "is nested too deep");
        return;
    }
    take_sequence(c, depth);
    while (*c->p == '|' && c->err == ERR_OK) {
        int32_t n = (int32_t)(c->out->len - at);

        c->p++;
        insert_split(c, at, 1, n + 2);
        emit(c, OP_JUMP, jump == SIZE_MAX ? -1 : (int32_t)jump, 0);
        jump = c->out->len - 1;
        at = c->out->len;
        take_sequence(c, depth);
    }
    while (c->err == ERR_OK && jump != SIZE_MAX) {
        struct inst *i = &c->out->code[jump];
        int32_t before = i->a;

        i->a = (int32_t)(c->out->len - jump);
        jump = before < 0 ? SIZE_MAX : (size_t)before;
    }
}

/* Memory for running a program of len instructions. */
static bool set_new(struct set *s, size_t len)
{
    s->at = calloc(len, sizeof *s->at);
    s->mark = calloc(len, sizeof *s->mark);
    return s->at != NULL && s->mark != NULL;
}

/* Cut the compiled pattern to size and ready it for running. */
static bool settle(struct pattern *p)
{
    struct inst *code = realloc(p->code, p->len * sizeof *code);

    if (code != NULL)
        p->code = code;
    for (size_t i = 0; i <= p->looks; i++) {
        struct frame *f = &p->frames[i];

        f->stack = calloc(2 * p->len, sizeof *f->stack);
        if (f->stack == NULL || !set_new(&f->now, p->len) ||
            !set_new(&f->next, p->len))
            return false;
    }
    return true;
}

enum err pattern_parse(const char *text, struct pattern **out,
                       struct errctx *ec)
{
    struct compiler c = {.p = text, .ec = ec};

    c.out = calloc(1, sizeof *c.out);
    if (c.out == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    c.out->code = calloc(CODE_MAX, sizeof *c.out->code);
    c.out->ranges = calloc(RANGES_MAX, sizeof *c.out->ranges);
    if (c.out->code == NULL || c.out->ranges == NULL) {
        c.err = err_set(ec, ERR_NOMEM, "out of memory");
        goto out;
    }
    take_alternatives(&c, 0);
    if (*c.p == ')')
        refuse(&c, "has a ')' too many");
    emit(&c, OP_MATCH, 0, 0);
    if (c.err == ERR_OK && !settle(c.out))
        c.err = err_set(ec, ERR_NOMEM, "out of memory");
out:
    if (c.err == ERR_OK)
        *out = c.out;
    else
        pattern_free(c.out);
    return c.err;
}
