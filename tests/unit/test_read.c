/* Reading the pages that providers found: a server of known pages in a thread
 * of this program, a real index in a temporary folder. */
#include "find/provider_json.h"
#include "find/read.h"
#include "net/polite.h"
#include "run/pdf.h"

#include "base/date.h"
#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "peer.h"
#include "state_db.h"

/* --- the server ---------------------------------------------------------- */

enum { REQUEST_MAX = 8192, LOG_MAX = 64, HELD_MAX = 16 };

#define PAGE(title, text)                                                      \
    "<html lang=en><head><title>" title "</title>"                             \
    "<meta property=\"article:published_time\" content=\"2024-05-06\">"        \
    "</head><body><main><h1>" title "</h1><p>" text                            \
    "</p></main></body></html>"

#define LAMP "The lamp of the Halden lighthouse was lit in 1874 by its keeper."

static const char pdf_file[] =
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
    "/Resources<</Font<</F1 5 0 R>>>>>>endobj\n"
    "4 0 obj<</Length 86>>stream\nBT /F1 12 Tf 50 700 Td (The Halden "
    "lighthouse has a lamp of nine prisms.) Tj ET       \nendstream endobj\n"
    "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
    "trailer<</Root 1 0 R>>\n%%EOF\n";

static const struct {
    const char *path, *status, *headers, *body;
} replies[] = {
    {"/robots.txt", "200 OK", "Content-Type: text/plain\r\n",
     "User-agent: *\nDisallow: /private\n"},
    {"/lamp", "200 OK", "Content-Type: text/html\r\nETag: \"v1\"\r\n",
     PAGE("Lamp", LAMP)},
    {"/short", "200 OK",
     "Content-Type: text/html\r\nETag: \"s\"\r\nCache-Control: max-age=0\r\n",
     PAGE("Lamp", LAMP)},
    {"/private/lamp", "200 OK", "Content-Type: text/html\r\n",
     PAGE("Private", LAMP)},
    {"/noindex", "200 OK",
     "Content-Type: text/html\r\nX-Robots-Tag: noindex\r\n",
     PAGE("Hidden", LAMP)},
    {"/moved", "301 Moved", "Location: /lamp\r\n", ""},
    {"/to-private", "302 Found", "Location: /private/lamp\r\n", ""},
    {"/loop", "302 Found", "Location: /loop\r\n", ""},
    {"/away", "302 Found", "Location: http://localhost:%d/lamp\r\n", ""},
    {"/to-file", "302 Found", "Location: file:///etc/passwd\r\n", ""},
    {"/gone", "410 Gone", "", ""},
    {"/broken", "500 Oops", "", "no"},
    {"/captcha", "200 OK", "Content-Type: text/html\r\n",
     "<html><head><title>Just a moment...</title></head><body><h1>Verify you "
     "are human</h1><p>Checking your browser before accessing. Complete the "
     "security check to continue.</p></body></html>"},
    {"/latin", "200 OK", "Content-Type: text/html; charset=iso-8859-1\r\n",
     PAGE("Caf\xE9", "The Halden lighthouse has a caf\xE9 under its lamp.")},
    {"/untyped", "200 OK", "", PAGE("Untyped", LAMP)},
    {"/pdf", "200 OK", "Content-Type: application/pdf\r\n", pdf_file},
    {"/badpdf", "200 OK", "Content-Type: application/pdf\r\n", "%PDF-1.4 no"},
    {"/image", "200 OK", "Content-Type: image/png\r\n", "\x89PNG"},
};

static struct {
    int listener, port;
    pthread_t thread;
    pthread_mutex_t mutex;
    char log[LOG_MAX][128]; /* request lines; guarded */
    bool conditional;       /* the latest had If-None-Match; guarded */
    int requests;           /* guarded */
    int held[HELD_MAX], held_count;
} server;

static void reply_send(int fd, const char *request)
{
    char head[1024], headers[256], path[128] = "";
    size_t i = 0, n = sizeof replies / sizeof *replies;
    const char *mark;

    (void)sscanf(request, "GET %127s", path);
    while (i < n && strcmp(replies[i].path, path) != 0)
        i++;
    if (i == n) {
        if (server.held_count < HELD_MAX) { /* no answer at all */
            server.held[server.held_count++] = fd;
            return;
        }
        close(fd);
        return;
    }
    mark = strstr(replies[i].headers, "%d");
    if (mark == NULL)
        snprintf(headers, sizeof headers, "%s", replies[i].headers);
    else
        snprintf(headers, sizeof headers, "%.*s%d%s",
                 (int)(mark - replies[i].headers), replies[i].headers,
                 server.port, mark + 2);
    if (strstr(request, "If-None-Match: \"") != NULL)
        snprintf(head, sizeof head,
                 "HTTP/1.1 304 Same\r\nConnection: close\r\n\r\n");
    else
        snprintf(head, sizeof head,
                 "HTTP/1.1 %s\r\n%sContent-Length: %zu\r\n"
                 "Connection: close\r\n\r\n",
                 replies[i].status, headers, strlen(replies[i].body));
    (void)send(fd, head, strlen(head), MSG_NOSIGNAL);
    if (strstr(head, " 304 ") == NULL)
        (void)send(fd, replies[i].body, strlen(replies[i].body), MSG_NOSIGNAL);
    close(fd);
}

static void *serve(void *unused)
{
    int fd;

    while ((fd = accept(server.listener, NULL, NULL)) >= 0) {
        char request[REQUEST_MAX + 1];
        ssize_t n = recv(fd, request, REQUEST_MAX, 0);

        request[n > 0 ? n : 0] = '\0';
        pthread_mutex_lock(&server.mutex);
        if (server.requests < LOG_MAX)
            snprintf(server.log[server.requests], sizeof *server.log, "%.*s",
                     (int)strcspn(request, "\r\n"), request);
        server.requests++;
        server.conditional = strstr(request, "If-None-Match") != NULL;
        pthread_mutex_unlock(&server.mutex);
        reply_send(fd, request);
    }
    return unused;
}

static int asked_for(const char *path)
{
    int count = 0;
    size_t n = strlen(path);

    pthread_mutex_lock(&server.mutex);
    for (int i = 0; i < server.requests && i < LOG_MAX; i++)
        count += strncmp(server.log[i] + 4, path, n) == 0 &&
                 server.log[i][4 + n] == ' ';
    pthread_mutex_unlock(&server.mutex);
    return count;
}

static int server_up(void **state)
{
    (void)state;
    log_set_level(LOG_OFF);
    server.listener = peer_listen(&server.port);
    if (server.listener < 0)
        return -1;
    pthread_mutex_init(&server.mutex, NULL);
    return pthread_create(&server.thread, NULL, serve, NULL);
}

static int server_down(void **state)
{
    (void)state;
    shutdown(server.listener, SHUT_RDWR);
    pthread_join(server.thread, NULL);
    close(server.listener);
    for (int i = 0; i < server.held_count; i++)
        close(server.held[i]);
    pthread_mutex_destroy(&server.mutex);
    http_global_fini();
    return 0;
}

/* --- a search's surroundings --------------------------------------------- */

enum { FOUND_MAX = 16 };

struct rig {
    char dir[64];
    struct conf conf;
    struct db_file *file;
    struct search_env env;
    struct pdf_reader pdf;
    struct arena arena;
    struct query q;
    struct index_filter filter;
    struct candidate found[FOUND_MAX];
    struct provider_answer answer;
};

static void path_in(const struct rig *g, const char *name, char out[128])
{
    snprintf(out, 128, "%s/%s", g->dir, name);
}

static void rig_up(struct rig *g)
{
    char *const no_env[] = {NULL};
    struct errctx ec = {ERR_OK, ""};
    char path[128];
    FILE *f;

    memset(g, 0, sizeof *g);
    snprintf(g->dir, sizeof g->dir, "/tmp/cited-test-read-XXXXXX");
    assert_non_null(mkdtemp(g->dir));
    path_in(g, "cited.conf", path);
    f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(conf_load(&g->conf, path, g->dir, no_env, &ec), ERR_OK);
    g->conf.allow_hosts = "127.0.0.1,localhost";
    path_in(g, "index.db", path);
    assert_int_equal(state_db_index(path, &g->file), ERR_OK);
    assert_int_equal(db_open(g->file, &g->env.index, &ec), ERR_OK);
    arena_init(&g->arena, 64 << 20);
    assert_int_equal(provider_set_new(&g->conf, &g->env.providers, &ec),
                     ERR_OK);
    assert_int_equal(http_new(&g->conf, &g->env.http), ERR_OK);
    pdf_reader_init(&g->pdf, &g->conf);
    g->env.conf = &g->conf;
    g->env.pdf = &g->pdf;
    g->filter.day_from = g->filter.day_to = DAY_NONE;
    assert_int_equal(
        query_parse("lamp of the Halden lighthouse", &g->arena, &g->q), ERR_OK);
    g->answer.provider = "test";
    pthread_mutex_lock(&server.mutex);
    server.requests = 0;
    pthread_mutex_unlock(&server.mutex);
}

static void rig_down(struct rig *g)
{
    http_free(g->env.http);
    provider_set_free(g->env.providers);
    db_close(g->env.index);
    db_file_free(g->file);
    arena_fini(&g->arena);
    conf_fini(&g->conf);
    assert_int_equal(folder_remove(g->dir), 0);
}

/* The provider found these paths of the server. */
static void find(struct rig *g, const char *const *paths)
{
    size_t n = 0;

    for (; paths[n] != NULL; n++)
        g->found[n] = (struct candidate){
            .url = arena_printf(&g->arena, "http://127.0.0.1:%d%s", server.port,
                                paths[n]),
            .host = "127.0.0.1",
            .title = "as found",
            .heading = "",
            .text = "snippet",
            .favicon = "",
            .lang = "",
            .day = DAY_NONE,
            .score = 1.0 / (1.0 + 0.1 * (double)n)};
    g->answer.found = g->found;
    g->answer.count = n;
    g->answer.outcome = OUTCOME_OK;
}

static void read_for(struct rig *g, int64_t ms)
{
    struct pages_read p = {.q = &g->q,
                           .filter = &g->filter,
                           .max = 10,
                           .deadline = deadline_in(ms),
                           .id = "test"};
    struct errctx ec = {ERR_OK, ""};

    if (pages_read(&g->env, &p, &g->answer, 1, &g->arena, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
}

static void read_one(struct rig *g, const char *path)
{
    const char *const paths[] = {path, NULL};

    find(g, paths);
    read_for(g, 5000);
}

static bool kept_snippet(const struct rig *g)
{
    return g->answer.count == 1 &&
           strcmp(g->answer.found[0].text, "snippet") == 0;
}

static int64_t pages_stored(struct rig *g)
{
    struct index_stats st;

    assert_int_equal(index_stats(g->env.index, &g->arena, &st, NULL), ERR_OK);
    return st.pages;
}

/* --- tests --------------------------------------------------------------- */

static void a_page_replaces_its_snippet_and_is_kept(void **state)
{
    struct rig g;
    const struct candidate *c;

    (void)state;
    rig_up(&g);
    read_one(&g, "/lamp");
    assert_int_equal(g.answer.count, 1);
    c = &g.answer.found[0];
    assert_non_null(strstr(c->text, LAMP));
    assert_string_equal(c->title, "Lamp");
    assert_int_equal(c->day, date_to_day(2024, 5, 6));
    assert_true(c->page > 0 && c->passage > 0);
    assert_int_equal(pages_stored(&g), 1);
    assert_int_equal(asked_for("/robots.txt"), 1);
    /* Fresh: nothing is asked again. */
    read_one(&g, "/lamp");
    assert_non_null(strstr(g.answer.found[0].text, LAMP));
    assert_int_equal(asked_for("/lamp"), 1);
    assert_int_equal(asked_for("/robots.txt"), 1);
    rig_down(&g);
}

static void a_page_that_is_not_kept_is_read_all_the_same(void **state)
{
    struct rig g;

    (void)state;
    rig_up(&g);
    g.conf.read_keep = false;
    read_one(&g, "/lamp");
    assert_int_equal(g.answer.count, 1);
    assert_non_null(strstr(g.answer.found[0].text, LAMP));
    assert_string_equal(g.answer.found[0].title, "Lamp");
    assert_int_equal(g.answer.found[0].page, 0);
    assert_int_equal(pages_stored(&g), 0);
    rig_down(&g);
}

static void a_stale_page_is_asked_for_changes(void **state)
{
    struct rig g;

    (void)state;
    rig_up(&g);
    read_one(&g, "/short");
    assert_false(server.conditional);
    read_one(&g, "/short");
    assert_int_equal(asked_for("/short"), 2);
    assert_true(server.conditional);
    assert_non_null(strstr(g.answer.found[0].text, LAMP));
    assert_int_equal(pages_stored(&g), 1);
    rig_down(&g);
}

static void what_may_not_or_cannot_be_read_keeps_its_snippet(void **state)
{
    static const char *const paths[] = {"/private/lamp", "/noindex", "/loop",
                                        "/to-private",   "/broken",  "/captcha",
                                        "/to-file",      "/badpdf",  "/image"};

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct rig g;

        rig_up(&g);
        read_one(&g, paths[i]);
        if (!kept_snippet(&g))
            fail_msg("%s: %zu", paths[i], g.answer.count);
        assert_int_equal(pages_stored(&g), 0);
        assert_int_equal(asked_for("/private/lamp"), 0);
        rig_down(&g);
    }
}

static void what_is_gone_is_taken_out(void **state)
{
    const char *const paths[] = {"/gone", "/lamp", NULL};
    struct rig g;

    (void)state;
    rig_up(&g);
    find(&g, paths);
    read_for(&g, 5000);
    assert_int_equal(g.answer.count, 1);
    assert_non_null(strstr(g.answer.found[0].url, "/lamp"));
    rig_down(&g);
}

static void redirects_are_followed_and_held_against_the_filter(void **state)
{
    struct domain_rule other = {"localhost", ""}, here = {"127.0.0.1", ""};
    struct domain_rules exclude = {&other, 1}, include = {&here, 1};
    struct rig g;

    (void)state;
    rig_up(&g);
    read_one(&g, "/moved");
    assert_non_null(strstr(g.answer.found[0].url, "/lamp"));
    assert_non_null(strstr(g.answer.found[0].text, LAMP));
    read_one(&g, "/away");
    assert_non_null(strstr(g.answer.found[0].url, "http://localhost:"));
    assert_int_equal(asked_for("/robots.txt"), 2);
    g.filter.exclude = &exclude;
    read_one(&g, "/away");
    assert_int_equal(g.answer.count, 0);
    g.filter.exclude = NULL;
    g.filter.include = &include;
    read_one(&g, "/away");
    assert_int_equal(g.answer.count, 0);
    rig_down(&g);
}

static void bytes_are_read_as_a_browser_would(void **state)
{
    struct rig g;

    (void)state;
    rig_up(&g);
    read_one(&g, "/latin");
    assert_non_null(strstr(g.answer.found[0].text, "caf\xC3\xA9"));
    assert_string_equal(g.answer.found[0].title, "Caf\xC3\xA9");
    read_one(&g, "/untyped");
    assert_non_null(strstr(g.answer.found[0].text, LAMP));
    rig_down(&g);
}

static void a_pdf_is_read_by_a_process_of_its_own(void **state)
{
    struct rig g;

    (void)state;
    rig_up(&g);
    if (access(g.pdf.path, X_OK) != 0) {
        rig_down(&g);
        print_message("NOT RUN: %s is not installed\n", g.pdf.path);
        skip();
    }
    read_one(&g, "/pdf");
    assert_int_equal(g.answer.count, 1);
    assert_non_null(strstr(g.answer.found[0].text, "nine prisms"));
    assert_int_equal(pages_stored(&g), 1);
    rig_down(&g);
}

static void without_pdftotext_a_pdf_keeps_its_snippet(void **state)
{
    struct rig g;

    (void)state;
    rig_up(&g);
    g.pdf.path = "/nonexistent/pdftotext";
    read_one(&g, "/pdf");
    assert_true(kept_snippet(&g));
    rig_down(&g);
}

/* A program that never ends stands in for a PDF that takes for ever. */
static void a_pdf_ends_with_the_deadline(void **state)
{
    struct rig g;
    char path[128];
    int64_t start;
    FILE *f;

    (void)state;
    rig_up(&g);
    path_in(&g, "forever", path);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("#!/bin/sh\nwhile :; do :; done\n", f);
    fclose(f);
    assert_int_equal(chmod(path, 0700), 0);
    g.pdf.path = path;
    start = clock_mono_ms();
    find(&g, (const char *const[]){"/pdf", NULL});
    read_for(&g, 1500);
    assert_true(kept_snippet(&g));
    assert_true(clock_mono_ms() - start < 1500);
    unlink(path);
    rig_down(&g);
}

static void a_silent_page_costs_its_time_and_no_more(void **state)
{
    const char *const paths[] = {"/hang", "/lamp", "/hang2", NULL};
    int64_t start;
    struct rig g;

    (void)state;
    rig_up(&g);
    g.conf.read_timeout_ms = 400;
    find(&g, paths);
    start = clock_mono_ms();
    read_for(&g, 20000);
    assert_true(clock_mono_ms() - start < 5000);
    assert_int_equal(g.answer.count, 3);
    assert_string_equal(g.answer.found[0].text, "snippet");
    assert_non_null(strstr(g.answer.found[1].text, LAMP));
    g.conf.read_timeout_ms = 60000;
    find(&g, paths);
    start = clock_mono_ms();
    read_for(&g, 1000);
    assert_true(clock_mono_ms() - start < 1000);
    assert_int_equal(http_in_flight(g.env.http), 0);
    rig_down(&g);
}

static void the_index_own_candidates_are_not_read(void **state)
{
    struct rig g;

    (void)state;
    rig_up(&g);
    find(&g, (const char *const[]){"/lamp", NULL});
    g.found[0].page = 7;
    read_for(&g, 5000);
    assert_true(kept_snippet(&g));
    assert_int_equal(asked_for("/robots.txt"), 0);
    rig_down(&g);
}

/* What a server says of its robots.txt. */
static void robots_of(struct polite_memory *m, const char *origin, long status,
                      const char *rules)
{
    struct http_response r = {.status = status};

    buf_init(&r.body, 1000);
    buf_adds(&r.body, rules);
    polite_remember(m, origin, &r, "cited");
    buf_fini(&r.body);
}

static void robots_are_remembered_a_while(void **state)
{
    static const char rules[] = "User-agent: *\nDisallow: /a\nCrawl-delay: 2\n";
    struct polite_memory *m = NULL;

    char name[64];

    (void)state;
    assert_int_equal(polite_memory_new(&m), ERR_OK);
    assert_int_equal(polite_ask(m, "https://a.example/a"), PERMISSION_UNKNOWN);
    robots_of(m, "https://a.example", 200, rules);
    assert_int_equal(polite_ask(m, "https://a.example/a"), PERMISSION_NO);
    assert_int_equal(polite_ask(m, "https://a.example/b"), PERMISSION_YES);
    assert_int_equal(polite_ask(m, "https://a.example"), PERMISSION_YES);
    robots_of(m, "https://b.example", 503, "");
    assert_int_equal(polite_ask(m, "https://b.example/"), PERMISSION_NO);
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "https://%d.example", i);
        robots_of(m, name, 404, "");
    }
    assert_int_equal(polite_ask(m, "https://a.example/a"), PERMISSION_UNKNOWN);
    assert_int_equal(polite_ask(m, name), PERMISSION_YES);
    assert_int_equal(polite_fresh(m, name), -1);
    polite_set_fresh(m, name, 12345);
    assert_int_equal(polite_fresh(m, name), 12345);
    polite_memory_free(m);
}

static void pauses_hold_for_all_searches(void **state)
{
    struct polite_memory *m = NULL;
    int64_t pause = -1;

    (void)state;
    assert_int_equal(polite_memory_new(&m), ERR_OK);
    robots_of(m, "https://a.example", 200, "User-agent: *\nCrawl-delay: 60\n");
    robots_of(m, "https://b.example", 200, "User-agent: *\nDisallow: /a\n");
    assert_true(polite_take_turn(m, "https://a.example/1", &pause));
    assert_false(polite_take_turn(m, "https://a.example/2", &pause));
    assert_true(polite_take_turn(m, "https://b.example/1", &pause));
    assert_true(polite_take_turn(m, "https://b.example/2", &pause));
    assert_true(polite_take_turn(m, "https://c.example/1", &pause));
    /* Asking for the rules again ends no pause. */
    robots_of(m, "https://a.example", 200, "User-agent: *\nCrawl-delay: 60\n");
    assert_false(polite_take_turn(m, "https://a.example/2", &pause));
    polite_memory_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_replaces_its_snippet_and_is_kept),
        cmocka_unit_test(a_page_that_is_not_kept_is_read_all_the_same),
        cmocka_unit_test(a_stale_page_is_asked_for_changes),
        cmocka_unit_test(what_may_not_or_cannot_be_read_keeps_its_snippet),
        cmocka_unit_test(what_is_gone_is_taken_out),
        cmocka_unit_test(redirects_are_followed_and_held_against_the_filter),
        cmocka_unit_test(bytes_are_read_as_a_browser_would),
        cmocka_unit_test(a_pdf_is_read_by_a_process_of_its_own),
        cmocka_unit_test(without_pdftotext_a_pdf_keeps_its_snippet),
        cmocka_unit_test(a_pdf_ends_with_the_deadline),
        cmocka_unit_test(a_silent_page_costs_its_time_and_no_more),
        cmocka_unit_test(the_index_own_candidates_are_not_read),
        cmocka_unit_test(robots_are_remembered_a_while),
        cmocka_unit_test(pauses_hold_for_all_searches)};

    return cmocka_run_group_tests(tests, server_up, server_down);
}
