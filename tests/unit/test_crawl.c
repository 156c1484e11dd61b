/* Tests of src/crawl: a small site in this process, crawled into a real
 * index in a temporary directory. */
#include "base/date.h"
#include "crawl/crawl.h"
#include "crawl/state.h"
#include "index/follow.h"
#include "index/frontier.h"
#include "index/page.h"
#include "site.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <zlib.h>

#include <cmocka.h>

#include "folder.h"
#include "state_db.h"

enum { HITS_MAX = 256 };

/* --- the site ------------------------------------------------------------ */

struct page_row {
    const char *path;
    int status;
    const char *type;
    const char *headers; /* with CRLF */
    const char *body;
};

struct world {
    struct site site;
    const struct page_row *row; /* ends with a NULL path */
    pthread_mutex_t lock;
    struct {
        char path[256];
        bool conditional;
    } hit[HITS_MAX];
    int hits;
    volatile sig_atomic_t stop;
    int stop_after; /* pages stored; 0 = never */
    char dir[64];
    struct db_file *file;
    struct db *db;
    struct http *http;
    struct conf conf;
    struct arena arena;
    struct crawl_params params;
    struct crawl_summary sum;
    struct errctx ec;
    char seed[128];
    const char *seeds[2];
};

#define PARA                                                                   \
    "<p>The quick brown fox jumps over the lazy dog while seven wise wizards " \
    "mix potions in the old tower near the river, and nobody minds it.</p>"
#define DOC(title, rest)                                                       \
    "<!doctype html><html><head><title>" title "</title></head><body><main>"   \
    "<h1>" title "</h1>" PARA rest "</main></body></html>"

static void note_hit(struct world *w, const struct site_request *rq)
{
    char value[256];

    pthread_mutex_lock(&w->lock);
    if (w->hits < HITS_MAX) {
        snprintf(w->hit[w->hits].path, sizeof w->hit[0].path, "%.255s",
                 rq->path);
        w->hit[w->hits].conditional =
            *site_header(rq, "If-None-Match", value, sizeof value) != '\0' ||
            *site_header(rq, "If-Modified-Since", value, sizeof value) != '\0';
        w->hits++;
    }
    pthread_mutex_unlock(&w->lock);
}

static bool reply_gzip(int fd, const struct page_row *r)
{
    unsigned char out[65536];
    z_stream z;

    memset(&z, 0, sizeof z);
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    z.next_in = (unsigned char *)(uintptr_t)r->body;
    z.avail_in = (uInt)strlen(r->body);
    z.next_out = out;
    z.avail_out = sizeof out;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    deflateEnd(&z);
    return site_reply(fd, r->status, r->type, r->headers, out, z.total_out);
}

static bool serve(struct site *s, struct site_request *rq)
{
    struct world *w = s->user;
    char tag[128], etag[160];

    note_hit(w, rq);
    for (const struct page_row *r = w->row; r->path != NULL; r++) {
        if (strcmp(r->path, rq->path) != 0)
            continue;
        site_header(rq, "If-None-Match", tag, sizeof tag);
        snprintf(etag, sizeof etag, "ETag: %s\r\n", tag);
        if (*tag != '\0' && strstr(r->headers, etag) != NULL)
            return site_reply(rq->fd, 304, "", etag, "", 0);
        if (strstr(r->headers, "gzip") != NULL)
            return reply_gzip(rq->fd, r);
        return site_reply(rq->fd, r->status, r->type, r->headers, r->body,
                          strlen(r->body));
    }
    return site_reply(rq->fd, 404, "text/plain", "", "no", 2);
}

/* --- set up -------------------------------------------------------------- */

static void open_index(struct world *w)
{
    char path[128];

    snprintf(path, sizeof path, "%s/index.db", w->dir);
    assert_int_equal(state_db_index(path, &w->file), ERR_OK);
    assert_int_equal(db_open(w->file, &w->db, &w->ec), ERR_OK);
}

static void close_index(struct world *w)
{
    db_close(w->db);
    db_file_free(w->file);
}

static void world_init(struct world *w, const struct page_row *row)
{
    memset(w, 0, sizeof *w);
    w->row = row;
    pthread_mutex_init(&w->lock, NULL);
    snprintf(w->dir, sizeof w->dir, "/tmp/cited-crawl-XXXXXX");
    assert_non_null(mkdtemp(w->dir));
    open_index(w);
    w->conf.user_agent = "cited/9";
    w->conf.contact = "";
    w->conf.allow_hosts = "127.0.0.1,localhost";
    w->conf.page_bytes_max = 100000;
    w->conf.fetch_timeout_ms = 5000;
    w->conf.crawl_depth = 10;
    w->conf.crawl_pages = 1000;
    w->conf.crawl_parallel = 8;
    w->conf.crawl_per_host = 4;
    assert_int_equal(http_new(&w->conf, &w->http), ERR_OK);
    arena_init(&w->arena, 1 << 24);
    crawl_params_init(&w->params, &w->conf);
    w->params.sitemaps = false;
    w->params.seeds = w->seeds;
    w->params.seed_count = 1;
    site_start(&w->site, serve, w);
    snprintf(w->seed, sizeof w->seed, "http://127.0.0.1:%d/", w->site.port);
    w->seeds[0] = w->seed;
}

static void world_fini(struct world *w)
{
    site_stop(&w->site);
    http_free(w->http);
    close_index(w);
    folder_remove(w->dir);
    arena_fini(&w->arena);
    pthread_mutex_destroy(&w->lock);
}

static void on_progress(void *user, const struct crawl_progress *p)
{
    struct world *w = user;

    if (w->stop_after > 0 && p->stored >= w->stop_after)
        w->stop = 1;
}

static enum err run(struct world *w)
{
    memset(&w->sum, 0, sizeof w->sum);
    w->ec.msg[0] = '\0';
    return crawl_run(&w->conf, w->db, w->http, &w->params, &w->stop,
                     on_progress, w, &w->arena, &w->sum, &w->ec);
}

static void crawl(struct world *w)
{
    enum err e = run(w);

    if (e != ERR_OK)
        fail_msg("crawl: %s: %s", err_name(e), w->ec.msg);
}

static void full_url(const struct world *w, const char *path, char *out,
                     size_t n)
{
    snprintf(out, n, "http://127.0.0.1:%d%s", w->site.port, path);
}

static bool has_page(struct world *w, const char *path)
{
    char url[512];
    struct page p;

    struct follow_look l;

    full_url(w, path, url, sizeof url);
    /* What was killed before it had followed is there all the same. */
    if (db_is_followed(w->db))
        assert_int_equal(index_follow(w->db, &l, &w->ec), ERR_OK);
    return page_find(w->db, url, &w->arena, &p, NULL) == ERR_OK;
}

static const char *text_of(struct world *w, const char *path)
{
    char url[512];
    struct page p;
    const char *text = NULL;

    full_url(w, path, url, sizeof url);
    assert_int_equal(page_find(w->db, url, &w->arena, &p, &w->ec), ERR_OK);
    assert_int_equal(page_text(w->db, p.id, &w->arena, &text, &w->ec), ERR_OK);
    return text;
}

static int hits_of(struct world *w, const char *path)
{
    int n = 0;

    for (int i = 0; i < w->hits; i++)
        n += strcmp(w->hit[i].path, path) == 0;
    return n;
}

static int64_t reason_count(const struct world *w, const char *reason)
{
    for (size_t i = 0; i < w->sum.reason_count; i++)
        if (strcmp(w->sum.reasons[i].reason, reason) == 0)
            return w->sum.reasons[i].count;
    return 0;
}

#define OK200 200, "text/html", ""
#define END                                                                    \
    {                                                                          \
        NULL, 0, NULL, NULL, NULL                                              \
    }

/* --- cases --------------------------------------------------------------- */

static void every_page_reachable_by_links_is_stored(void **state)
{
    static const struct page_row rows[] = {
        {"/", OK200, DOC("Home", "<a href=a>A</a> <a href='/b#x'>B</a>")},
        {"/a", OK200, DOC("A", "<a href=b>B</a><a href=c/d?x=1>D</a>")},
        {"/b", OK200, DOC("B", "<a href=/>home</a>")},
        {"/c/d?x=1", OK200, DOC("D", "<a href='../e'>E</a>")},
        {"/e", OK200, DOC("E", "<a href=missing>M</a>")},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    crawl(&w);
    assert_int_equal(w.sum.progress.stored, 5);
    assert_int_equal(w.sum.progress.queued, 0);
    assert_true(has_page(&w, "/c/d?x=1"));
    assert_non_null(strstr(text_of(&w, "/e"), "seven wise wizards"));
    assert_int_equal(hits_of(&w, "/b"), 1);
    assert_string_equal(w.hit[0].path, "/robots.txt");
    assert_int_equal(reason_count(&w, "http 404"), 1);
    assert_false(w.sum.interrupted);
    world_fini(&w);
}

static void robots_are_obeyed_before_anything_is_asked(void **state)
{
    static const struct page_row rows[] = {
        {"/robots.txt", 200, "text/plain", "",
         "User-agent: cited\nDisallow: /no\nAllow: /no/but\n"},
        {"/", OK200,
         DOC("Home", "<a href=no/x>X</a><a href=no/but>Y</a><a href=r>R</a>")},
        {"/no/x", OK200, DOC("X", "")},
        {"/no/but", OK200, DOC("Y", "")},
        {"/r", 302, "text/html", "Location: /no/x\r\n", ""},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    crawl(&w);
    assert_int_equal(hits_of(&w, "/no/x"), 0);
    assert_int_equal(w.sum.progress.stored, 2);
    assert_int_equal(reason_count(&w, "robots.txt"), 1);
    world_fini(&w);
}

static void robots_may_be_ignored_for_own_hosts(void **state)
{
    static const struct page_row rows[] = {
        {"/robots.txt", 200, "text/plain", "", "User-agent: *\nDisallow: /\n"},
        {"/", OK200, DOC("Home", "")},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    assert_int_equal(run(&w), ERR_UPSTREAM);
    assert_non_null(strstr(w.ec.msg, "robots.txt"));
    assert_int_equal(hits_of(&w, "/"), 0);
    w.params.ignore_robots = true;
    crawl(&w);
    assert_int_equal(w.sum.progress.stored, 1);
    world_fini(&w);
}

static void an_unreachable_robots_txt_forbids_all(void **state)
{
    static const struct page_row rows[] = {
        {"/robots.txt", 503, "text/plain", "Retry-After: 0\r\n", "no"},
        {"/", OK200, DOC("Home", "")},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    assert_int_equal(run(&w), ERR_UPSTREAM);
    assert_int_equal(hits_of(&w, "/"), 0);
    assert_int_equal(hits_of(&w, "/robots.txt"), 3);
    world_fini(&w);
}

static void robots_txt_may_redirect(void **state)
{
    static const struct page_row rows[] = {
        {"/robots.txt", 301, "text/plain", "Location: /r2\r\n", ""},
        {"/r2", 200, "text/plain", "", "User-agent: *\nDisallow: /a\n"},
        {"/", OK200, DOC("Home", "<a href=a>A</a>")},
        {"/a", OK200, DOC("A", "")},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    crawl(&w);
    assert_int_equal(hits_of(&w, "/a"), 0);
    world_fini(&w);
}

static void noindex_pages_lead_on_and_nofollow_ones_do_not(void **state)
{
    static const struct page_row rows[] = {
        {"/", OK200,
         DOC("Home", "<a href=list>L</a><a rel='nofollow' href=nf>N</a>"
                     "<a href=stop>S</a><a href=h>H</a><a href=o>O</a>")},
        {"/list", OK200,
         "<html><head><meta name=robots content='noindex'></head><body>" PARA
         "<a href=behind>B</a></body></html>"},
        {"/behind", OK200, DOC("Behind", "")},
        {"/nf", OK200, DOC("Never", "")},
        {"/stop", OK200,
         "<html><head><title>S</title><meta name=robots content='nofollow'>"
         "</head><body><p>Seven wise wizards mix potions near the river in "
         "the tower.</p><a href=lost>B</a></body></html>"},
        {"/lost", OK200, DOC("Lost", "")},
        {"/h", 200, "text/html", "X-Robots-Tag: NoIndex, nofollow\r\n",
         DOC("H", "<a href=lost>L</a>")},
        {"/o", 200, "text/html", "X-Robots-Tag: otherbot: noindex\r\n",
         DOC("O", "")},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    crawl(&w);
    assert_true(has_page(&w, "/"));
    assert_true(has_page(&w, "/behind"));
    assert_true(has_page(&w, "/stop"));
    assert_true(has_page(&w, "/o"));
    assert_false(has_page(&w, "/list"));
    assert_false(has_page(&w, "/h"));
    assert_int_equal(hits_of(&w, "/nf"), 0);
    assert_int_equal(hits_of(&w, "/lost"), 0);
    assert_int_equal(reason_count(&w, "noindex"), 2);
    world_fini(&w);
}

static void pages_are_stored_under_their_canonical_url(void **state)
{
    static const struct page_row rows[] = {
        {"/", OK200,
         DOC("Home", "<a href='p?s=1'>1</a><a href=alone>2</a>"
                     "<a href=wrong>3</a><a href=far>4</a>")},
        {"/p?s=1", OK200,
         "<html><head><title>Copy</title><link rel=canonical href='/p'></head>"
         "<body><p>Copy of the text about seven wise wizards near the river "
         "and the tower.</p></body></html>"},
        {"/p", OK200, DOC("Own", "")},
        {"/alone", OK200,
         "<html><head><title>Alone</title><link rel=canonical href='/named'>"
         "</head><body><p>Text about seven wise wizards near the river and "
         "the tower.</p></body></html>"},
        {"/named", 301, "text/html", "Location: /alone\r\n", ""},
        {"/wrong", OK200,
         "<html><head><title>Wrong</title><link rel=canonical href='/'></head>"
         "<body><p>Everything here says it is the home page, which it is not "
         "at all.</p></body></html>"},
        {"/far", OK200,
         "<html><head><title>Far</title><link rel=canonical "
         "href='http://other.example/far'></head><body><p>Text about seven "
         "wise wizards near the river and the tower.</p></body></html>"},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    crawl(&w);
    assert_false(has_page(&w, "/p?s=1"));
    assert_non_null(strstr(text_of(&w, "/p"), "quick brown fox"));
    assert_true(has_page(&w, "/named"));
    assert_non_null(strstr(text_of(&w, "/"), "quick brown fox"));
    assert_true(has_page(&w, "/far"));
    assert_int_equal(reason_count(&w, "copy of its canonical page"), 1);
    assert_int_equal(w.sum.progress.stored, 4);
    world_fini(&w);
}

static void redirects_stay_in_scope_and_end(void **state)
{
    static const struct page_row rows[] = {
        {"/", 302, "text/html", "Location: /start\r\n", ""},
        {"/start", OK200,
         DOC("Start", "<a href=old>O</a><a href=out>X</a><a href=l1>L</a>"
                      "<a href=r0>R</a><a href=bad>B</a>")},
        {"/old", 301, "text/html", "Location: new#part\r\n", ""},
        {"/new", OK200, DOC("New", "")},
        {"/out", 302, "text/html", "Location: http://192.0.2.1/x\r\n", ""},
        {"/l1", 302, "text/html", "Location: /l2\r\n", ""},
        {"/l2", 302, "text/html", "Location: /l1\r\n", ""},
        {"/bad", 302, "text/html", "Location: http://[\r\n", ""},
        {"/r0", 302, "text/html", "Location: /r1\r\n", ""},
        {"/r1", 302, "text/html", "Location: /r2\r\n", ""},
        {"/r2", 302, "text/html", "Location: /r3\r\n", ""},
        {"/r3", 302, "text/html", "Location: /r4\r\n", ""},
        {"/r4", 302, "text/html", "Location: /r5\r\n", ""},
        {"/r5", 302, "text/html", "Location: /r6\r\n", ""},
        {"/r6", 302, "text/html", "Location: /r7\r\n", ""},
        {"/r7", 302, "text/html", "Location: /r8\r\n", ""},
        {"/r8", 302, "text/html", "Location: /r9\r\n", ""},
        {"/r9", 302, "text/html", "Location: /r10\r\n", ""},
        {"/r10", 302, "text/html", "Location: /r11\r\n", ""},
        {"/r11", OK200, DOC("Too far", "")},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    crawl(&w);
    assert_true(has_page(&w, "/start"));
    assert_true(has_page(&w, "/new"));
    assert_false(has_page(&w, "/old"));
    assert_false(has_page(&w, "/r11"));
    assert_int_equal(w.sum.progress.stored, 2);
    assert_int_equal(reason_count(&w, "redirect to other host"), 1);
    assert_int_equal(reason_count(&w, "too many redirects"), 1);
    assert_int_equal(reason_count(&w, "redirect to no URL"), 1);
    world_fini(&w);
}

static const struct page_row versioned[] = {
    {"/", 200, "text/html", "ETag: \"1\"\r\n",
     DOC("Home", "<a href=a>A</a><a href=gone>G</a>")},
    {"/a", 200, "text/html", "ETag: \"1\"\r\n", DOC("A", "<a href=b>B</a>")},
    {"/b", OK200, DOC("B", "")},
    {"/gone", OK200, DOC("Gone", "")},
    END};

static void a_second_crawl_asks_conditionally_and_stays_complete(void **state)
{
    static const struct page_row later[] = {
        {"/", 200, "text/html", "ETag: \"1\"\r\n",
         DOC("Home", "<a href=a>A</a><a href=gone>G</a>")},
        {"/a", 200, "text/html", "ETag: \"2\"\r\n",
         DOC("A", "<a href=b>B</a><a href=c>C</a>")},
        {"/b", OK200, DOC("B two", "")},
        {"/c", OK200, DOC("C", "")},
        END};
    struct world w;
    int conditional = 0;

    (void)state;
    world_init(&w, versioned);
    crawl(&w);
    assert_int_equal(w.sum.progress.stored, 4);
    w.hits = 0;
    w.row = later;
    crawl(&w);
    for (int i = 0; i < w.hits; i++)
        conditional += w.hit[i].conditional;
    assert_int_equal(conditional, 2);
    assert_int_equal(w.sum.progress.unchanged, 1);
    assert_int_equal(w.sum.progress.stored, 3);
    assert_true(has_page(&w, "/c"));
    assert_false(has_page(&w, "/gone"));
    assert_true(has_page(&w, "/"));
    world_fini(&w);
}

static void fresh_asks_for_everything_again(void **state)
{
    struct world w;

    (void)state;
    world_init(&w, versioned);
    crawl(&w);
    w.hits = 0;
    w.params.fresh = true;
    crawl(&w);
    for (int i = 0; i < w.hits; i++)
        assert_false(w.hit[i].conditional);
    assert_int_equal(w.sum.progress.stored, 4);
    world_fini(&w);
}

static void a_page_unchanged_leads_further_when_limits_widen(void **state)
{
    struct world w;

    (void)state;
    world_init(&w, versioned);
    w.params.depth = 1;
    crawl(&w);
    assert_int_equal(w.sum.progress.stored, 3);
    assert_int_equal(reason_count(&w, "beyond the depth limit"), 1);
    w.params.depth = 5;
    crawl(&w);
    assert_int_equal(w.sum.progress.unchanged, 2);
    assert_true(has_page(&w, "/b"));
    world_fini(&w);
}

static void charsets_types_and_encodings_are_read(void **state)
{
    static const struct page_row rows[] = {
        {"/", OK200,
         DOC("Home", "<a href=l1>1</a><a href=m.md>2</a>"
                     "<a href=t>3</a><a href=z>4</a>"
                     "<a href=x>5</a><a href=pic>6</a>"
                     "<a href=big>7</a><a href=none>8</a>")},
        {"/l1", 200, "text/html; charset=\"ISO-8859-1\"", "",
         "<html><title>L</title><body><p>Die gro\xDF"
         "en B\xE4ume stehen am "
         "Flu\xDF und niemand z\xE4hlt ihre vielen Bl\xE4tter.</p></body>"},
        {"/m.md", 200, "text/plain; charset=utf-8", "",
         "# Title\n\nSeven wise wizards mix potions near the river.\n\n"
         "See [more](/more).\n"},
        {"/more", 200, "text/markdown", "",
         "# More\n\nEven more wizards come to the river every year.\n"},
        {"/t", 200, "text/plain", "",
         "Plain words about seven wizards who live near the river.\n"},
        {"/z", 200, "text/html", "Content-Encoding: gzip\r\n", DOC("Z", "")},
        {"/x", 200, "application/xhtml+xml", "", DOC("X", "")},
        {"/pic", 200, "image/png", "", "\x89PNG"},
        {"/none", 200, "text/html", "", "<html><body></body></html>"},
        {"/big", 200, "text/html", "", NULL},
        END};
    static char big[200001];
    static struct page_row copy[sizeof rows / sizeof *rows];
    struct world w;

    (void)state;
    memset(big, 'a', sizeof big - 1);
    memcpy(copy, rows, sizeof rows);
    copy[sizeof rows / sizeof *rows - 2].body = big;
    world_init(&w, copy);
    crawl(&w);
    assert_non_null(strstr(text_of(&w, "/l1"), "gro\xC3\x9F"
                                               "en B\xC3\xA4ume"));
    assert_non_null(strstr(text_of(&w, "/m.md"), "Seven wise"));
    assert_true(has_page(&w, "/more"));
    assert_true(has_page(&w, "/t"));
    assert_true(has_page(&w, "/z"));
    assert_true(has_page(&w, "/x"));
    assert_int_equal(reason_count(&w, "type image/png"), 1);
    assert_int_equal(reason_count(&w, "too large"), 1);
    assert_int_equal(reason_count(&w, "no text"), 1);
    world_fini(&w);
}

static void patterns_and_limits_bound_the_crawl(void **state)
{
    static const struct page_row rows[] = {
        {"/", OK200,
         DOC("Home", "<a href=d/1>1</a><a href=d/2>2</a>"
                     "<a href=e/1>3</a><a href=d/2.pdf>4</a>"
                     "<a href=/a/a/a/a/x>5</a>"
                     "<a href=http://other.example/>6</a>")},
        {"/d/1", OK200, DOC("1", "")},
        {"/d/2", OK200, DOC("2", "")},
        {"/e/1", OK200, DOC("3", "")},
        END};
    static const char *const include[] = {"/d/*", "/a/*"};
    static const char *const exclude[] = {"*.pdf"};
    struct world w;

    (void)state;
    world_init(&w, rows);
    w.params.include = include;
    w.params.include_count = 2;
    w.params.exclude = exclude;
    w.params.exclude_count = 1;
    crawl(&w);
    assert_int_equal(w.sum.progress.stored, 3);
    assert_int_equal(hits_of(&w, "/e/1"), 0);
    assert_int_equal(reason_count(&w, "not included by pattern"), 1);
    assert_int_equal(reason_count(&w, "excluded by pattern"), 1);
    assert_int_equal(reason_count(&w, "repeating path"), 1);
    assert_int_equal(reason_count(&w, "other host"), 1);
    w.params.include_count = 0;
    w.params.pages = 2;
    w.params.fresh = true;
    crawl(&w);
    assert_int_equal(w.sum.progress.stored, 2);
    assert_true(reason_count(&w, "page limit reached") > 0);
    world_fini(&w);
}

static void sitemaps_are_found_and_followed(void **state)
{
    static const struct page_row rows[] = {
        {"/robots.txt", 200, "text/plain", "", "Sitemap: /index.xml\n"},
        {"/index.xml", 200, "text/xml", "",
         "<sitemapindex><sitemap><loc>/one.xml</loc></sitemap>"
         "<sitemap><loc>/index.xml</loc></sitemap></sitemapindex>"},
        {"/one.xml", 200, "text/xml", "",
         "<urlset><url><loc>/hidden</loc></url><url>"
         "<loc>http://other.example/x</loc></url></urlset>"},
        {"/sitemap.xml", 200, "text/xml", "",
         "<urlset><url><loc>/plain</loc></url></urlset>"},
        {"/", OK200, DOC("Home", "")},
        {"/hidden", OK200, DOC("Hidden", "")},
        {"/plain", OK200, DOC("Plain", "")},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    w.params.sitemaps = true;
    crawl(&w);
    assert_int_equal(w.sum.progress.stored, 3);
    assert_int_equal(hits_of(&w, "/index.xml"), 1);
    assert_int_equal(reason_count(&w, "other host"), 1);
    world_fini(&w);
}

static void passing_trouble_is_tried_again(void **state)
{
    static const struct page_row rows[] = {
        {"/", OK200, DOC("Home", "<a href=busy>B</a>")},
        {"/busy", 503, "text/html", "Retry-After: 0\r\n", "later"},
        END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    crawl(&w);
    assert_int_equal(hits_of(&w, "/busy"), 3);
    assert_int_equal(w.sum.progress.failed, 1);
    assert_int_equal(reason_count(&w, "http 503"), 1);
    world_fini(&w);
}

/* Page N links to 2N+1 and 2N+2, up to 200. */
static bool serve_tree(struct site *s, struct site_request *rq)
{
    struct world *w = s->user;
    char body[2048];
    long n = strtol(rq->path + 1, NULL, 10);
    int len;

    note_hit(w, rq);
    if (n > 200 || strcmp(rq->path, "/robots.txt") == 0)
        return site_reply(rq->fd, 404, "text/plain", "", "no", 2);
    len = snprintf(body, sizeof body,
                   DOC("Page", "<a href=/%ld>l</a> <a href=/%ld>r</a>"),
                   2 * n + 1, 2 * n + 2);
    return site_reply(rq->fd, 200, "text/html", "", body, (size_t)len);
}

static void an_interrupted_crawl_continues_to_the_same_end(void **state)
{
    static const struct page_row rows[] = {END};
    struct world w;
    int runs = 1;

    (void)state;
    world_init(&w, rows);
    w.site.handler = serve_tree;
    w.stop_after = 20;
    crawl(&w);
    assert_true(w.sum.interrupted);
    while (w.sum.interrupted && runs < 50) {
        int64_t before = w.sum.progress.stored;

        w.stop = 0;
        w.stop_after = (int)before + 50;
        /* as a new process would find it */
        close_index(&w);
        open_index(&w);
        crawl(&w);
        assert_true(w.sum.progress.resumed);
        assert_true(w.sum.progress.stored >= before);
        runs++;
    }
    assert_true(runs > 1);
    assert_int_equal(w.sum.progress.stored, 201);
    assert_true(has_page(&w, "/200"));
    assert_false(w.sum.interrupted);
    world_fini(&w);
}

/* The child that crawls is killed by the server, at a certain request. */
static pid_t victim;
static int kill_at;

static bool serve_tree_and_kill(struct site *s, struct site_request *rq)
{
    if (kill_at > 0 && atomic_load(&s->requests) >= kill_at && victim > 0)
        kill(victim, SIGKILL);
    return serve_tree(s, rq);
}

static void crawl_in_child_until_killed(struct world *w, int at)
{
    int status = 0;

    site_settle(&w->site);
    atomic_store(&w->site.requests, 0);
    victim = 0;
    kill_at = at;
    victim = fork();
    assert_true(victim >= 0);
    if (victim == 0) {
        struct http *h = NULL;

        alarm(60);
        open_index(w);
        if (http_new(&w->conf, &h) != ERR_OK)
            _exit(1);
        w->http = h;
        _exit(run(w) == ERR_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(victim, &status, 0), victim);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    victim = 0;
    kill_at = 0;
}

static void a_crawl_killed_again_and_again_loses_no_page(void **state)
{
    static const struct page_row rows[] = {END};
    /* Far fewer than there are pages, as some more are asked for before the
     * signal comes: each is killed before it is done. */
    static const int at[] = {1, 2, 20, 40, 20, 30};
    struct world w;

    (void)state;
    world_init(&w, rows);
    w.site.handler = serve_tree_and_kill;
    close_index(&w);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        crawl_in_child_until_killed(&w, at[i]);
    open_index(&w);
    crawl(&w);
    assert_int_equal(w.sum.progress.stored, 201);
    for (int i = 1; i <= 200; i++) {
        char path[16];

        snprintf(path, sizeof path, "/%d", i);
        assert_true(has_page(&w, path));
    }
    world_fini(&w);
}

/* --- two machines ----------------------------------------------------------
 */

/* A machine that has its pages where w has them, and crawls w's site. */
static void join(struct world *v, struct world *w)
{
    char path[128];

    *v = *w;
    snprintf(v->dir, sizeof v->dir, "/tmp/cited-crawl-XXXXXX");
    assert_non_null(mkdtemp(v->dir));
    snprintf(path, sizeof path, "%s/index.db", v->dir);
    assert_int_equal(db_file_new(DB_INDEX, path, &v->file), ERR_OK);
    assert_int_equal(db_file_follow(v->file, state_db_address(), &v->ec),
                     ERR_OK);
    assert_int_equal(db_open(v->file, &v->db, &v->ec), ERR_OK);
    assert_int_equal(http_new(&v->conf, &v->http), ERR_OK);
    arena_init(&v->arena, 1 << 24);
    v->seeds[0] = v->seed;
    v->params.seeds = v->seeds;
}

static void leave(struct world *v)
{
    http_free(v->http);
    close_index(v);
    folder_remove(v->dir);
    arena_fini(&v->arena);
}

static void *crawl_beside(void *arg)
{
    crawl(arg);
    return NULL;
}

static void two_machines_leave_the_pause_between_requests_of_both(void **state)
{
    enum { PAUSE_MS = 50, PAGES = 12 };
    static const struct page_row rows[] = {END};
    struct world w, v;
    int64_t since;
    pthread_t beside;

    (void)state;
    world_init(&w, rows);
    w.site.handler = serve_tree;
    w.params.delay_ms = PAUSE_MS;
    w.params.pages = PAGES;
    join(&v, &w);
    v.params.pages = PAGES + 1; /* another crawl */
    since = clock_mono_ms();
    assert_int_equal(pthread_create(&beside, NULL, crawl_beside, &v), 0);
    crawl(&w);
    pthread_join(beside, NULL);
    assert_int_equal(w.sum.progress.stored + v.sum.progress.stored +
                         w.sum.progress.unchanged + v.sum.progress.unchanged,
                     2 * PAGES + 1);
    assert_in_range(clock_mono_ms() - since, 2 * PAGES * PAUSE_MS, 60000);
    leave(&v);
    world_fini(&w);
}

static void what_one_machine_left_another_continues(void **state)
{
    static const struct page_row rows[] = {END};
    struct world w, v;
    int64_t before;

    (void)state;
    world_init(&w, rows);
    w.site.handler = serve_tree;
    join(&v, &w);
    w.stop_after = 60;
    crawl(&w);
    assert_true(w.sum.interrupted);
    before = w.sum.progress.stored;
    assert_true(before >= 60 && before < 201);
    crawl(&v);
    assert_true(v.sum.progress.resumed);
    assert_int_equal(v.sum.progress.stored, 201);
    leave(&v);
    world_fini(&w);
}

static void fresh_forgets_an_interrupted_crawl(void **state)
{
    static const struct page_row rows[] = {END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    w.site.handler = serve_tree;
    w.stop = 1;
    crawl(&w);
    assert_true(w.sum.interrupted);
    w.stop = 0;
    w.params.fresh = true;
    crawl(&w);
    assert_false(w.sum.progress.resumed);
    assert_int_equal(w.sum.progress.stored, 201);
    world_fini(&w);
}

static void what_cannot_begin_says_why(void **state)
{
    static const struct page_row rows[] = {END};
    struct world w;

    (void)state;
    world_init(&w, rows);
    w.seeds[0] = "ftp://example.org/";
    assert_int_equal(run(&w), ERR_INVALID);
    w.seeds[0] = "http://10.1.2.3/";
    assert_int_equal(run(&w), ERR_UPSTREAM);
    assert_non_null(strstr(w.ec.msg, "not public"));
    w.seeds[0] = w.seed;
    w.params.seed_count = 0;
    assert_int_equal(run(&w), ERR_INVALID);
    w.params.seed_count = 1;
    assert_int_equal(run(&w), ERR_UPSTREAM);
    assert_non_null(strstr(w.ec.msg, "404"));
    world_fini(&w);
}

static void a_document_given_by_hand_is_indexed(void **state)
{
    static const struct page_row rows[] = {END};
    struct index_input in = {.url = "https://example.org/a#b",
                             .type = "text/html; charset=utf-8",
                             .body = DOC("Given", ""),
                             .day = DAY_NONE};
    struct world w;
    struct page p;
    int64_t n = 0;

    (void)state;
    world_init(&w, rows);
    in.body_len = strlen(in.body);
    assert_int_equal(index_document(w.db, &in, &w.arena, &n, &w.ec), ERR_OK);
    assert_true(n > 0);
    assert_int_equal(
        page_find(w.db, "https://example.org/a", &w.arena, &p, &w.ec), ERR_OK);
    assert_string_equal(p.title, "Given");
    in.title = "Other";
    in.day = 19000;
    assert_int_equal(index_document(w.db, &in, &w.arena, &n, &w.ec), ERR_OK);
    assert_int_equal(
        page_find(w.db, "https://example.org/a", &w.arena, &p, &w.ec), ERR_OK);
    assert_string_equal(p.title, "Other");
    assert_int_equal(p.day, 19000);
    in.type = "image/png";
    assert_int_equal(index_document(w.db, &in, &w.arena, &n, &w.ec),
                     ERR_INVALID);
    in.type = "text/plain";
    in.body = " \n ";
    in.body_len = 3;
    assert_int_equal(index_document(w.db, &in, &w.arena, &n, &w.ec),
                     ERR_NO_RESULT);
    world_fini(&w);
}

static void a_start_page_is_stored_once(void **state)
{
    static const struct page_row rows[] = {END};
    static const struct {
        const char *url, *body;
        int64_t pages; /* then there are */
    } puts[] = {
        {"https://example.org/a/index.html", DOC("Given", ""), 1},
        {"https://example.org/a/", DOC("Given", ""), 1},
        {"https://example.org/a/index.htm", DOC("Given", ""), 1},
        {"https://example.org/a/index.html",
         DOC("Given", "<p>And more of it.</p>"), 2},
        {"https://example.org/index.html", DOC("Given", ""), 3},
    };
    struct index_input in = {.type = "text/html", .day = DAY_NONE};
    struct index_size size;
    struct world w;
    struct page p;
    int64_t n = 0;

    (void)state;
    world_init(&w, rows);
    for (size_t i = 0; i < sizeof puts / sizeof puts[0]; i++) {
        in.url = puts[i].url;
        in.body = puts[i].body;
        in.body_len = strlen(in.body);
        assert_int_equal(index_document(w.db, &in, &w.arena, &n, &w.ec),
                         ERR_OK);
        assert_int_equal(index_size(w.db, &size, &w.ec), ERR_OK);
        assert_int_equal(size.pages, puts[i].pages);
        assert_int_equal(
            page_find(w.db, "https://example.org/a/", &w.arena, &p, &w.ec),
            i == 0 ? ERR_NOT_FOUND : ERR_OK);
    }
    world_fini(&w);
}

static void header_directives_are_told_apart(void **state)
{
    static const struct {
        const char *tags;
        bool noindex, nofollow;
    } cases[] = {
        {"", false, false},
        {"noindex", true, false},
        {"NOINDEX,NoFollow", true, true},
        {"none", true, true},
        {"all", false, false},
        {"otherbot: noindex", false, false},
        {"otherbot: noindex, nofollow", false, false},
        {"cited: noindex", true, false},
        {"otherbot: nofollow\nnoindex", true, false},
        {"otherbot: nofollow, cited: noindex", true, false},
        {"max-snippet: 5, noindex", true, false},
        {"unavailable_after: 25 Jun 2027 15:00:00 PST, nofollow", false, true},
        {"noindexing", false, false},
        {",,:,", false, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool noindex = false, nofollow = false;

        robots_tag_read(cases[i].tags, "cited", &noindex, &nofollow);
        if (noindex != cases[i].noindex || nofollow != cases[i].nofollow)
            fail_msg("%s", cases[i].tags);
    }
}

static void globs_match_whole_urls_or_paths(void **state)
{
    static const struct {
        const char *pattern, *url;
        bool want;
    } cases[] = {
        {"*", "http://a.example/x", true},
        {"/x", "http://a.example/x", true},
        {"/x", "http://a.example/xy", false},
        {"/x*", "http://a.example/xy?z", true},
        {"/x?z", "http://a.example/x?z", true},
        {"/x?z", "http://a.example/xyz", false},
        {"/*/b/*c", "http://a.example/a/b/b/c", true},
        {"/*.html", "http://a.example/a.html.b", false},
        {"*.html", "http://a.example/a.html", true},
        {"http://a.example/*", "http://a.example/", true},
        {"https://*", "http://a.example/", false},
        {"/a*a*a*a*b", "http://a.example/aaaaaaaaaaaaaaaaaaaaaaaaaac", false},
    };
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct url u;

        assert_int_equal(
            url_parse(cases[i].url, strlen(cases[i].url), NULL, &a, &u, NULL),
            ERR_OK);
        if (scope_glob(cases[i].pattern, &u) != cases[i].want)
            fail_msg("%s on %s", cases[i].pattern, cases[i].url);
    }
    arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_page_reachable_by_links_is_stored),
        cmocka_unit_test(robots_are_obeyed_before_anything_is_asked),
        cmocka_unit_test(robots_may_be_ignored_for_own_hosts),
        cmocka_unit_test(an_unreachable_robots_txt_forbids_all),
        cmocka_unit_test(robots_txt_may_redirect),
        cmocka_unit_test(noindex_pages_lead_on_and_nofollow_ones_do_not),
        cmocka_unit_test(pages_are_stored_under_their_canonical_url),
        cmocka_unit_test(redirects_stay_in_scope_and_end),
        cmocka_unit_test(a_second_crawl_asks_conditionally_and_stays_complete),
        cmocka_unit_test(fresh_asks_for_everything_again),
        cmocka_unit_test(a_page_unchanged_leads_further_when_limits_widen),
        cmocka_unit_test(charsets_types_and_encodings_are_read),
        cmocka_unit_test(patterns_and_limits_bound_the_crawl),
        cmocka_unit_test(sitemaps_are_found_and_followed),
        cmocka_unit_test(passing_trouble_is_tried_again),
        cmocka_unit_test(an_interrupted_crawl_continues_to_the_same_end),
        cmocka_unit_test(a_crawl_killed_again_and_again_loses_no_page),
        cmocka_unit_test(fresh_forgets_an_interrupted_crawl),
        cmocka_unit_test(what_cannot_begin_says_why),
        cmocka_unit_test(a_document_given_by_hand_is_indexed),
        cmocka_unit_test(a_start_page_is_stored_once),
        cmocka_unit_test(header_directives_are_told_apart),
        cmocka_unit_test(globs_match_whole_urls_or_paths),
    };
    const struct CMUnitTest machines[] = {
        cmocka_unit_test(two_machines_leave_the_pause_between_requests_of_both),
        cmocka_unit_test(what_one_machine_left_another_continues),
    };
    int failed;

    failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (state_db_is_remote())
        failed += cmocka_run_group_tests(machines, NULL, NULL);
    http_global_fini();
    return failed;
}
