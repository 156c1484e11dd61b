/* Sitemaps; see sitemap.h. The only home of expat, and of zlib here. */
#include "crawl/sitemap.h"

#include "base/str.h"
#include "base/url.h"

#include <expat.h>
#include <string.h>
#include <zlib.h>

enum { FEED_BYTES = 64 * 1024, DEPTH_MAX = 64 };

struct reader {
    XML_Parser xml;
    struct arena *arena;
    struct sitemap map;
    size_t size; /* room in map.locs */
    int depth;
    bool is_sitemap; /* the root element is one of the two */
    bool in_entry, in_loc;
    bool stopped; /* on purpose */
    char loc[URL_MAX];
    size_t loc_len;
};

static const char *local_name(const char *name)
{
    const char *colon = strrchr(name, ':');

    return colon == NULL ? name : colon + 1;
}

static void stop(struct reader *r)
{
    r->stopped = true;
    XML_StopParser(r->xml, XML_FALSE);
}

static enum err add_loc(struct reader *r, struct str s)
{
    s = str_trim(s);
    if (s.n == 0 || s.n > URL_MAX)
        return ERR_OK;
    if (!arena_grow(r->arena, &r->map.locs, r->map.count, 1, &r->size,
                    sizeof *r->map.locs))
        return ERR_NOMEM;
    r->map.locs[r->map.count] = arena_strndup(r->arena, s.p, s.n);
    if (r->map.locs[r->map.count] == NULL)
        return ERR_NOMEM;
    r->map.count++;
    return ERR_OK;
}

static void on_start(void *user, const char *name, const char **attributes)
{
    struct reader *r = user;

    (void)attributes;
    name = local_name(name);
    r->depth++;
    if (r->depth == 1) {
        r->map.is_index = strcmp(name, "sitemapindex") == 0;
        r->is_sitemap = r->map.is_index || strcmp(name, "urlset") == 0;
    }
    if (!r->is_sitemap || r->depth > DEPTH_MAX) {
        stop(r);
        return;
    }
    if (r->depth == 2)
        r->in_entry = strcmp(name, r->map.is_index ? "sitemap" : "url") == 0;
    /* Only here: image and video extensions have a loc further down. */
    if (r->depth == 3 && r->in_entry && strcmp(name, "loc") == 0) {
        r->in_loc = true;
        r->loc_len = 0;
    }
}

static void on_end(void *user, const char *name)
{
    struct reader *r = user;

    (void)name;
    if (r->depth == 3 && r->in_loc) {
        r->in_loc = false;
        if (r->loc_len <= sizeof r->loc &&
            add_loc(r, (struct str){r->loc, r->loc_len}) != ERR_OK)
            stop(r);
        if (r->map.count == SITEMAP_URLS_MAX)
            stop(r);
    }
    r->depth--;
}

static void on_text(void *user, const char *p, int n)
{
    struct reader *r = user;

    if (!r->in_loc || r->depth != 3)
        return;
    if ((size_t)n > sizeof r->loc - r->loc_len || r->loc_len > sizeof r->loc) {
        r->loc_len = sizeof r->loc + 1; /* too long to be a URL */
        return;
    }
    memcpy(r->loc + r->loc_len, p, (size_t)n);
    r->loc_len += (size_t)n;
}

static void on_doctype(void *user, const char *name, const char *sysid,
                       const char *pubid, int has_internal_subset)
{
    (void)name;
    (void)sysid;
    (void)pubid;
    (void)has_internal_subset;
    stop(user);
}

static enum err read_xml(struct reader *r, const char *p, size_t n)
{
    bool broken = false;

    r->xml = XML_ParserCreate(NULL);
    if (r->xml == NULL)
        return ERR_NOMEM;
    XML_SetUserData(r->xml, r);
    XML_SetElementHandler(r->xml, on_start, on_end);
    XML_SetCharacterDataHandler(r->xml, on_text);
    XML_SetStartDoctypeDeclHandler(r->xml, on_doctype);
    while (!broken && !r->stopped) {
        size_t len = n < FEED_BYTES ? n : FEED_BYTES;

        broken = XML_Parse(r->xml, p, (int)len, len == n) != XML_STATUS_OK;
        p += len;
        n -= len;
        if (n == 0)
            break;
    }
    XML_ParserFree(r->xml);
    if (arena_failed(r->arena))
        return ERR_NOMEM;
    if (!r->is_sitemap || ((broken || r->stopped) && r->map.count == 0))
        return ERR_MALFORMED;
    return ERR_OK;
}

/* One URL a line; the first must look like one. */
static enum err read_lines(struct reader *r, const char *p, size_t n)
{
    while (n > 0 && r->map.count < SITEMAP_URLS_MAX) {
        const char *nl = memchr(p, '\n', n);
        size_t len = nl == NULL ? n : (size_t)(nl - p);
        struct str s = str_trim((struct str){p, len});

        if (s.n > 0 && (s.n < 8 || !ascii_starts_i(s.p, "http")))
            return r->map.count > 0 ? ERR_OK : ERR_MALFORMED;
        if (add_loc(r, s) != ERR_OK)
            return ERR_NOMEM;
        len += nl != NULL;
        p += len;
        n -= len;
    }
    return r->map.count > 0 ? ERR_OK : ERR_MALFORMED;
}

struct growing {
    unsigned char *p;
    size_t len, size;
};

/* Double the room, up to the cap. */
static enum err grow(struct arena *a, struct growing *b)
{
    size_t size = b->size == 0 ? 256 * 1024 : b->size * 2;
    unsigned char *bigger;

    if (b->size >= SITEMAP_BYTES_MAX)
        return ERR_TOO_LARGE;
    if (size > SITEMAP_BYTES_MAX)
        size = SITEMAP_BYTES_MAX;
    bigger = arena_alloc(a, size);
    if (bigger == NULL)
        return ERR_NOMEM;
    if (b->len > 0)
        memcpy(bigger, b->p, b->len);
    b->p = bigger;
    b->size = size;
    return ERR_OK;
}

/* Gunzip into the arena. A file cut short still has its beginning. */
static enum err gunzip(struct arena *a, const char *p, size_t n,
                       struct growing *out)
{
    struct growing b = {NULL, 0, 0};
    enum err e = ERR_OK;
    int code = Z_OK;
    z_stream z;

    memset(&z, 0, sizeof z);
    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return ERR_NOMEM;
    z.next_in = (unsigned char *)(uintptr_t)p;
    z.avail_in = (uInt)n;
    while (code == Z_OK && e == ERR_OK) {
        if (b.len == b.size)
            e = grow(a, &b);
        if (e != ERR_OK)
            break;
        z.next_out = b.p + b.len;
        z.avail_out = (uInt)(b.size - b.len);
        code = inflate(&z, Z_NO_FLUSH);
        b.len = b.size - z.avail_out;
    }
    inflateEnd(&z);
    if (e == ERR_OK && code != Z_STREAM_END && b.len == 0)
        e = ERR_MALFORMED;
    if (e == ERR_OK)
        *out = b;
    return e;
}

enum err sitemap_parse(const char *p, size_t n, struct arena *a,
                       struct sitemap *out)
{
    struct reader r = {.arena = a};
    struct str s;
    enum err e;

    if (n > SITEMAP_BYTES_MAX)
        return ERR_TOO_LARGE;
    if (n >= 2 && memcmp(p, "\x1f\x8b", 2) == 0) {
        struct growing plain;

        e = gunzip(a, p, n, &plain);
        if (e != ERR_OK)
            return e;
        p = (const char *)plain.p;
        n = plain.len;
    }
    s = str_trim((struct str){p, n});
    if (s.n > 0 && ascii_is_alpha(s.p[0]))
        e = read_lines(&r, s.p, s.n);
    else
        e = read_xml(&r, s.p, s.n);
    if (e == ERR_OK)
        *out = r.map;
    return e;
}
