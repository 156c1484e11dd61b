/*
 * robots.txt after RFC 9309; see robots.h. Lines are read as leniently as the
 * large crawlers read them (missing colon, common misspellings), because a
 * site that tries to say no should be understood.
 *
 * Patterns and paths are compared in one spelling: unreserved characters
 * decoded, everything else that was encoded in upper-case hex, and in the
 * path '*' and '$' encoded, since in a pattern they mean something.
 */
#include "net/robots.h"

#include "base/str.h"

#include <stdint.h>
#include <string.h>

enum {
    BYTES_MAX = 500 * 1024, /* RFC 9309 section 2.5 */
    PATTERN_MAX = 4096,
    SITEMAPS_MAX = 100,
    CRAWL_DELAY_MAX = 60,
};

enum key {
    KEY_OTHER,
    KEY_AGENT,
    KEY_ALLOW,
    KEY_DISALLOW,
    KEY_DELAY,
    KEY_SITEMAP
};

struct line {
    enum key key;
    struct str value;
};

/* The rules of one set of groups: ours, or everybody's. */
struct group {
    struct robots_rule *rules;
    size_t count, size;
    double crawl_delay;
    bool seen;
};

struct parse {
    struct arena *arena;
    const char *product;
    struct group ours, all;
    bool in_ours, in_all; /* what the current group applies to */
    bool in_rules;        /* a rule was read since the last user-agent line */
    struct robots *out;
};

/* --- one spelling -------------------------------------------------------- */

static bool is_unreserved(unsigned char c)
{
    return ascii_is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

static size_t put_encoded(char *out, unsigned char c)
{
    static const char digits[] = "0123456789ABCDEF";

    out[0] = '%';
    out[1] = digits[c >> 4];
    out[2] = digits[c & 15];
    return 3;
}

/* Must the byte at i be written encoded? */
static bool needs_encoding(const char *p, size_t n, size_t i, bool pattern)
{
    unsigned char c = (unsigned char)p[i];

    if (c >= 0x80 || c <= 0x20 || c == 0x7F)
        return true;
    if (c == '*')
        return !pattern;
    return c == '$' && !(pattern && i + 1 == n);
}

/* p[0..n) in the one spelling into out (room for 3n + 1); returns its
 * length. */
static size_t normalise(const char *p, size_t n, bool pattern, char *out)
{
    size_t len = 0;

    for (size_t i = 0; i < n; i++) {
        int c = percent_byte(p + i, n - i);

        i += c >= 0 ? 2 : 0;
        if (c >= 0 && is_unreserved((unsigned char)c)) {
            out[len++] = (char)c;
        } else if (c >= 0) {
            len += put_encoded(out + len, (unsigned char)c);
        } else if (needs_encoding(p, n, i, pattern)) {
            len += put_encoded(out + len, (unsigned char)p[i]);
        } else {
            out[len++] = p[i];
        }
    }
    out[len] = '\0';
    return len;
}

/* --- reading lines ------------------------------------------------------- */

static enum key key_of(struct str name)
{
    static const struct {
        const char *name;
        enum key key;
    } keys[] = {
        {"user-agent", KEY_AGENT},  {"useragent", KEY_AGENT},
        {"user agent", KEY_AGENT},  {"allow", KEY_ALLOW},
        {"disallow", KEY_DISALLOW}, {"dissallow", KEY_DISALLOW},
        {"dissalow", KEY_DISALLOW}, {"disalow", KEY_DISALLOW},
        {"diasllow", KEY_DISALLOW}, {"disallaw", KEY_DISALLOW},
        {"crawl-delay", KEY_DELAY}, {"crawldelay", KEY_DELAY},
        {"sitemap", KEY_SITEMAP},   {"site-map", KEY_SITEMAP},
    };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_ieq(name, keys[i].name))
            return keys[i].key;
    return KEY_OTHER;
}

/* "key: value", or two words without the colon. */
static struct line line_read(struct str s)
{
    struct line l = {KEY_OTHER, {"", 0}};
    const char *hash = memchr(s.p, '#', s.n);
    const char *sep;
    struct str name;

    if (hash != NULL)
        s.n = (size_t)(hash - s.p);
    s = str_trim(s);
    sep = memchr(s.p, ':', s.n);
    for (size_t i = 0; sep == NULL && i < s.n; i++)
        if (ascii_is_space(s.p[i]))
            sep = s.p + i;
    if (sep == NULL)
        return l;
    name = str_trim((struct str){s.p, (size_t)(sep - s.p)});
    l.key = key_of(name);
    l.value = str_trim((struct str){sep + 1, (size_t)(s.p + s.n - sep - 1)});
    return l;
}

/* --- groups -------------------------------------------------------------- */

static bool is_star(struct str v)
{
    return v.n > 0 && v.p[0] == '*' && (v.n == 1 || ascii_is_space(v.p[1]));
}

/* The product token of the line, up to its first byte that cannot be part
 * of one ("cited/2.0" names "cited"), is ours? */
static bool is_product(struct str v, const char *product)
{
    size_t n = 0;

    while (n < v.n &&
           (ascii_is_alpha(v.p[n]) || v.p[n] == '-' || v.p[n] == '_'))
        n++;
    v.n = n;
    return n > 0 && str_ieq(v, product);
}

static void take_agent(struct parse *ps, struct str v)
{
    if (ps->in_rules) {
        ps->in_ours = ps->in_all = ps->in_rules = false;
    }
    if (is_star(v)) {
        ps->in_all = ps->all.seen = true;
    } else if (is_product(v, ps->product)) {
        ps->in_ours = ps->ours.seen = true;
    }
}

static enum err group_add(struct group *g, struct arena *a,
                          struct robots_rule rule)
{
    if (!arena_grow(a, &g->rules, g->count, 1, &g->size, sizeof *g->rules))
        return ERR_NOMEM;
    g->rules[g->count++] = rule;
    return ERR_OK;
}

static enum err take_rule(struct parse *ps, bool allow, struct str v)
{
    struct robots_rule rule = {allow, NULL};
    size_t n = v.n < PATTERN_MAX ? v.n : PATTERN_MAX;
    char *pattern;
    enum err e = ERR_OK;

    ps->in_rules = true;
    if (n == 0 || (!ps->in_ours && !ps->in_all))
        return ERR_OK;
    pattern = arena_alloc(ps->arena, 3 * n + 1);
    if (pattern == NULL)
        return ERR_NOMEM;
    normalise(v.p, n, true, pattern);
    rule.pattern = pattern;
    if (ps->in_ours)
        e = group_add(&ps->ours, ps->arena, rule);
    if (e == ERR_OK && ps->in_all)
        e = group_add(&ps->all, ps->arena, rule);
    return e;
}

/* A plain decimal number of seconds; < 0 when it is none. */
static double seconds_parse(struct str v)
{
    double whole = 0, scale = 1;
    size_t i = 0;

    if (v.n == 0 || !ascii_is_digit(v.p[0]))
        return -1;
    for (; i < v.n && ascii_is_digit(v.p[i]); i++)
        if (whole < 1e6)
            whole = whole * 10 + (v.p[i] - '0');
    if (i < v.n && v.p[i] == '.')
        for (i++; i < v.n && ascii_is_digit(v.p[i]); i++) {
            scale /= 10;
            whole += scale * (v.p[i] - '0');
        }
    if (i != v.n)
        return -1;
    return whole < CRAWL_DELAY_MAX ? whole : CRAWL_DELAY_MAX;
}

static void take_delay(struct parse *ps, struct str v)
{
    double s = seconds_parse(v);

    if (s < 0)
        return;
    if (ps->in_ours)
        ps->ours.crawl_delay = s;
    if (ps->in_all)
        ps->all.crawl_delay = s;
}

static enum err take_sitemap(struct parse *ps, struct str v)
{
    struct robots *out = ps->out;

    if (v.n == 0 || out->sitemap_count == SITEMAPS_MAX)
        return ERR_OK;
    if (out->sitemaps == NULL)
        out->sitemaps =
            arena_array(ps->arena, SITEMAPS_MAX, sizeof *out->sitemaps);
    if (out->sitemaps == NULL)
        return ERR_NOMEM;
    out->sitemaps[out->sitemap_count] = arena_strndup(ps->arena, v.p, v.n);
    if (out->sitemaps[out->sitemap_count] == NULL)
        return ERR_NOMEM;
    out->sitemap_count++;
    return ERR_OK;
}

/* Records other than the three of the standard never end a group (RFC 9309
 * section 2.2.4). */
static enum err take_line(struct parse *ps, struct line l)
{
    switch (l.key) {
    case KEY_AGENT:
        take_agent(ps, l.value);
        return ERR_OK;
    case KEY_ALLOW:
        return take_rule(ps, true, l.value);
    case KEY_DISALLOW:
        return take_rule(ps, false, l.value);
    case KEY_DELAY:
        take_delay(ps, l.value);
        return ERR_OK;
    case KEY_SITEMAP:
        return take_sitemap(ps, l.value);
    case KEY_OTHER:
        break;
    }
    return ERR_OK;
}

enum err robots_parse(const char *p, size_t n, const char *product,
                      struct arena *a, struct robots *out)
{
    struct robots r = {.crawl_delay = -1};
    struct parse ps = {.arena = a, .product = product, .out = &r};
    const struct group *g;

    ps.ours.crawl_delay = ps.all.crawl_delay = -1;
    if (n > BYTES_MAX)
        n = BYTES_MAX;
    if (n >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        p += 3;
        n -= 3;
    }
    while (n > 0) {
        size_t len = 0;
        enum err e;

        while (len < n && p[len] != '\n' && p[len] != '\r')
            len++;
        e = take_line(&ps, line_read((struct str){p, len}));
        if (e != ERR_OK)
            return e;
        len += len < n;
        p += len;
        n -= len;
    }
    g = ps.ours.seen ? &ps.ours : &ps.all;
    r.rules = g->rules;
    r.rule_count = g->count;
    r.crawl_delay = g->crawl_delay;
    *out = r;
    return ERR_OK;
}

/* --- asking -------------------------------------------------------------- */

/* Does the pattern match a beginning of the path (or, ending in '$', all of
 * it)? Each piece between two '*' is placed as early as it can be, which is
 * enough because a later place never helps. */
static bool matches(const char *pattern, const char *path, size_t n)
{
    size_t m = strlen(pattern), at = 0;
    bool anchored = m > 0 && pattern[m - 1] == '$';
    bool first = true;

    if (anchored)
        m--;
    for (size_t i = 0; i <= m;) {
        const char *star = i < m ? memchr(pattern + i, '*', m - i) : NULL;
        size_t len = star == NULL ? m - i : (size_t)(star - pattern) - i;
        const char *hit;

        if (len > n - at)
            return false;
        if (star == NULL && anchored && !first)
            return memcmp(path + n - len, pattern + i, len) == 0;
        if (first)
            hit = memcmp(path, pattern, len) == 0 ? path : NULL;
        else
            hit = len == 0 ? path + at
                           : memmem(path + at, n - at, pattern + i, len);
        if (hit == NULL)
            return false;
        at = (size_t)(hit - path) + len;
        if (star == NULL)
            return !anchored || at == n;
        first = false;
        i = (size_t)(star - pattern) + 1;
    }
    return true;
}

bool robots_allows(const struct robots *r, const char *path_and_query)
{
    char path[3 * PATTERN_MAX + 1];
    size_t len = strlen(path_and_query), best = 0;
    bool allow = true;

    if (strcmp(path_and_query, "/robots.txt") == 0)
        return true;
    if (len > PATTERN_MAX)
        len = PATTERN_MAX;
    len = normalise(path_and_query, len, false, path);
    for (size_t i = 0; i < r->rule_count; i++) {
        size_t m = strlen(r->rules[i].pattern);

        if (m < best || (m == best && !(r->rules[i].allow && !allow)))
            continue;
        if (!matches(r->rules[i].pattern, path, len))
            continue;
        best = m;
        allow = r->rules[i].allow;
    }
    return allow;
}
