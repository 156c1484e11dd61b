/* The adapter for JSON search APIs against a small strict HTTP server in a
 * thread of this program, on a loopback port the system chooses. */
#include "find/provider_json.h"

#include "base/date.h"
#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "peer.h"

/* --- the server ---------------------------------------------------------- */

enum { REQUEST_MAX = 64 * 1024, HELD_MAX = 16 };

static struct {
    int listener, port;
    pthread_t thread;
    pthread_mutex_t mutex;
    char last[REQUEST_MAX + 1]; /* the latest request; guarded */
    int requests;               /* guarded */
    int held[HELD_MAX];         /* connections that get no answer */
    int held_count;
} server;

struct reply {
    const char *path, *status, *type, *headers, *body;
};

static const char ok_body[] =
    "{\"web\":{\"results\":["
    "{\"link\":\"HTTP://Wal.Example:80/a/../b#x\",\"t\":\"The <b>WAL</b>\","
    "\"s\":\"It &amp; the <i>log</i>\",\"d\":\"2024-05-06 07:08\"},"
    "{\"link\":\"ftp://bad.example/\",\"t\":\"bad\",\"s\":\"\"},"
    "{\"t\":\"no link\"},"
    "{\"link\":\"https://second.example/\",\"t\":[\"two\",\"parts\"],"
    "\"s\":[{\"value\":\"of\"},{\"value\":\"text\"}],\"d\":null}]}}";

static const struct reply replies[] = {
    {"/ok", "200 OK", "application/json", "", ok_body},
    {"/empty", "200 OK", "application/json", "", "{\"web\":{\"results\":[]}}"},
    {"/limited", "429 Too Many Requests", "application/json",
     "Retry-After: 7\r\n", "{}"},
    {"/busy", "503 Service Unavailable", "text/plain", "", "later"},
    {"/denied", "403 Forbidden", "text/html", "", "<html>no</html>"},
    {"/bad", "400 Bad Request", "application/json", "", "{}"},
    {"/broken", "500 Internal Server Error", "text/plain", "", "oops"},
    {"/html", "200 OK", "text/html", "", "<html><body>sign in</body></html>"},
    {"/half", "200 OK", "application/json", "", "{\"web\":{\"results\":[{"},
    {"/shape", "200 OK", "application/json", "", "{\"web\":{\"results\":7}}"},
    {"/other", "200 OK", "application/json", "", "{\"hits\":[]}"},
    {"/error", "200 OK", "application/json", "",
     "{\"error\":{\"code\":\"ratelimited\",\"info\":\"Rate limit hit\"}}"},
    {"/errstring", "200 OK", "application/json", "",
     "{\"error\":\"bad parameter\"}"},
    {"/dead", "200 OK", "application/json", "",
     "{\"web\":{\"results\":[]},\"unresponsive\":[[\"x\",\"timeout\"]]}"},
    {"/some", "200 OK", "application/json", "",
     "{\"web\":{\"results\":[{\"link\":\"https://a.example/\",\"t\":\"a\"}]},"
     "\"timed_out\":false,\"shards\":{\"failed\":1}}"},
    {"/whole", "200 OK", "application/json", "",
     "{\"web\":{\"results\":[{\"link\":\"https://a.example/\",\"t\":\"a\"}]},"
     "\"timed_out\":false,\"shards\":{\"failed\":0}}"},
    {"/order", "200 OK", "application/json", "",
     "{\"web\":{\"results\":[{\"link\":\"https://c.example/\",\"n\":3},"
     "{\"link\":\"https://a.example/\",\"n\":1,\"im\":\"https://a.example/i\","
     "\"t\":\"A\",\"d\":\"Tue, 07 May 2024 01:02:03 GMT\"},"
     "{\"link\":\"https://b.example/\",\"n\":2}]},"
     "\"pictures\":[\"https://d.example/x.png\",{\"url\":"
     "\"https://e.example/y.png\",\"description\":\"why\"},\"no url\"]}"},
    {"/later", "429 Too Many Requests", "text/plain",
     "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n", ""},
    {"/drop?q=halden", "200 OK", "application/json", "", ok_body},
    {"/drop?q=halden%20solheim", "200 OK", "application/json", "", ok_body},
    {"/drop", "200 OK", "application/json", "", "{\"web\":{\"results\":[]}}"},
    {"/urls", "200 OK", "application/json", "",
     "{\"web\":{\"results\":[{\"link\":\"mailto:a@b\"}]}}"}};

static void reply_send(int fd, const struct reply *r)
{
    char head[512];
    int n = snprintf(head, sizeof(head),
                     "HTTP/1.1 %s\r\nContent-Type: %s\r\n%s"
                     "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                     r->status, r->type, r->headers, strlen(r->body));

    if (send(fd, head, (size_t)n, MSG_NOSIGNAL) > 0 &&
        send(fd, r->body, strlen(r->body), MSG_NOSIGNAL) < 0)
        perror("send");
}

static const struct reply *reply_for(const char *request)
{
    const char *path = strchr(request, ' ');

    for (size_t i = 0; path != NULL && i < sizeof(replies) / sizeof(*replies);
         i++) {
        size_t n = strlen(replies[i].path);

        if (strncmp(path + 1, replies[i].path, n) == 0 &&
            strchr(" ?", path[1 + n]) != NULL)
            return &replies[i];
    }
    return NULL;
}

static void *serve(void *unused)
{
    static char request[REQUEST_MAX + 1];
    int fd;

    while ((fd = accept(server.listener, NULL, NULL)) >= 0) {
        const struct reply *r;

        peer_read(fd, request, REQUEST_MAX);
        pthread_mutex_lock(&server.mutex);
        memcpy(server.last, request, sizeof(request));
        server.requests++;
        pthread_mutex_unlock(&server.mutex);
        r = reply_for(request);
        if (r != NULL)
            reply_send(fd, r);
        if (r == NULL && server.held_count < HELD_MAX)
            server.held[server.held_count++] = fd;
        else
            close(fd);
    }
    return unused;
}

static int server_up(void **state)
{
    (void)state;
    server.listener = peer_listen(&server.port);
    if (server.listener < 0)
        return -1;
    pthread_mutex_init(&server.mutex, NULL);
    log_set_level(LOG_OFF);
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

static int requests_so_far(void)
{
    int n;

    pthread_mutex_lock(&server.mutex);
    n = server.requests;
    pthread_mutex_unlock(&server.mutex);
    return n;
}

static bool last_request_has(const char *part)
{
    bool has;

    pthread_mutex_lock(&server.mutex);
    has = strstr(server.last, part) != NULL;
    if (!has)
        print_message("not in the request: %s\n%s\n", part, server.last);
    pthread_mutex_unlock(&server.mutex);
    return has;
}

/* --- a set of providers -------------------------------------------------- */

struct rig {
    struct conf conf;
    struct arena arena;
    struct search_env env;
    struct provider_answer *answers;
    size_t count;
    char url[4][160];
};

static void rig_up(struct rig *g)
{
    char *const no_env[] = {NULL};
    char path[] = "/tmp/cited-test-provider-XXXXXX";
    struct errctx ec;
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    close(fd);
    memset(g, 0, sizeof(*g));
    assert_int_equal(conf_load(&g->conf, path, NULL, no_env, &ec), ERR_OK);
    unlink(path);
    g->conf.allow_hosts = "127.0.0.1";
    g->conf.provider_timeout_ms = 5000;
    arena_init(&g->arena, 32 << 20);
    g->env.conf = &g->conf;
}

static void key_set(struct rig *g, size_t provider, const char *key,
                    const char *value)
{
    struct conf_provider *p = &g->conf.provider[provider];

    p->key[p->count] = key;
    p->value[p->count++] = value;
}

/* One more provider at the server's path, with the fields of ok_body. */
static size_t provider_add(struct rig *g, const char *name, const char *path)
{
    size_t i = g->conf.provider_count++;

    g->conf.provider[i].name = name;
    snprintf(g->url[i], sizeof(g->url[i]), "http://127.0.0.1:%d%s", server.port,
             path);
    key_set(g, i, "url", g->url[i]);
    key_set(g, i, "results", "web.results");
    key_set(g, i, "url_field", "link");
    key_set(g, i, "title_field", "t");
    key_set(g, i, "snippet_field", "s");
    key_set(g, i, "date_field", "d");
    return i;
}

static void rig_ready(struct rig *g)
{
    struct errctx ec = {ERR_OK, ""};

    if (provider_set_new(&g->conf, &g->env.providers, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    assert_int_equal(http_new(&g->conf, &g->env.http), ERR_OK);
}

static void rig_ask(struct rig *g, const char *question, int64_t ms)
{
    struct index_filter f = {.day_from = DAY_NONE, .day_to = DAY_NONE};
    struct query q;

    f.day_from = date_to_day(2024, 1, 2);
    assert_int_equal(query_parse(question, &g->arena, &q), ERR_OK);
    assert_int_equal(providers_ask(&g->env, &q, &f, 20, false, deadline_in(ms),
                                   &g->arena, &g->answers, &g->count),
                     ERR_OK);
    assert_int_equal(g->count, provider_set_count(g->env.providers));
}

static void rig_down(struct rig *g)
{
    http_free(g->env.http);
    provider_set_free(g->env.providers);
    arena_fini(&g->arena);
    g->conf.provider_count = 0;
    conf_fini(&g->conf);
}

/* Ask one provider at path once; the rig stays for more. */
static void ask_path(struct rig *g, const char *path)
{
    rig_up(g);
    provider_add(g, "one", path);
    rig_ready(g);
    rig_ask(g, "What is the write-ahead log?", 5000);
}

/* --- tests --------------------------------------------------------------- */

static void results_become_candidates(void **state)
{
    struct rig g;
    const struct provider_answer *pa;

    (void)state;
    ask_path(&g, "/ok?q={q}&n={want}&from={from}&to={to}");
    pa = &g.answers[0];
    assert_string_equal(pa->provider, "one");
    assert_int_equal(pa->outcome, OUTCOME_OK);
    assert_int_equal(pa->count, 2);
    assert_string_equal(pa->found[0].url, "http://wal.example/b");
    assert_string_equal(pa->found[0].host, "wal.example");
    assert_string_equal(pa->found[0].title, "The WAL");
    assert_string_equal(pa->found[0].text, "It & the log");
    assert_int_equal(pa->found[0].day, date_to_day(2024, 5, 6));
    assert_int_equal(pa->found[0].page, 0);
    assert_string_equal(pa->found[1].title, "two parts");
    assert_string_equal(pa->found[1].text, "of text");
    assert_int_equal(pa->found[1].day, DAY_NONE);
    assert_true(last_request_has(
        "GET /ok?q=write%20ahead%20log&n=20&from=2024-01-02&to= HTTP/1.1"));
    assert_true(last_request_has("Accept: application/json\r\n"));
    rig_down(&g);
}

static void what_is_seen_decides_the_outcome(void **state)
{
    static const struct {
        const char *path;
        enum outcome o;
        const char *msg;
        int requests;
    } cases[] = {{"/empty", OUTCOME_EMPTY, "", 1},
                 {"/limited", OUTCOME_LIMITED, "429", 1},
                 {"/busy", OUTCOME_LIMITED, "503", 1},
                 {"/denied", OUTCOME_DENIED, "403", 1},
                 {"/bad", OUTCOME_BAD_REQUEST, "400", 1},
                 {"/broken", OUTCOME_UNAVAILABLE, "500", 2},
                 {"/html", OUTCOME_MALFORMED, "not JSON", 1},
                 {"/half", OUTCOME_MALFORMED, "not JSON", 1},
                 {"/shape", OUTCOME_MALFORMED, "no list", 1},
                 {"/other", OUTCOME_MALFORMED, "no list", 1},
                 {"/urls", OUTCOME_MALFORMED, "URL", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig g;
        int before = requests_so_far();

        ask_path(&g, cases[i].path);
        if (g.answers[0].outcome != cases[i].o)
            print_message("%s: %s\n", cases[i].path,
                          outcome_name(g.answers[0].outcome));
        assert_int_equal(g.answers[0].outcome, cases[i].o);
        assert_non_null(strstr(g.answers[0].msg, cases[i].msg));
        assert_int_equal(g.answers[0].count, 0);
        assert_int_equal(requests_so_far() - before, cases[i].requests);
        assert_int_equal(outcome_is_failure(cases[i].o), i > 0);
        rig_down(&g);
    }
}

static void errors_inside_a_success_are_errors(void **state)
{
    struct rig g;
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/error");
    key_set(&g, i, "error_path", "error");
    i = provider_add(&g, "b", "/errstring");
    key_set(&g, i, "error_path", "error");
    i = provider_add(&g, "c", "/dead");
    key_set(&g, i, "failed_path", "unresponsive");
    i = provider_add(&g, "d", "/other");
    key_set(&g, i, "missing", "empty");
    rig_ready(&g);
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_LIMITED);
    assert_int_equal(g.answers[1].outcome, OUTCOME_BAD_REQUEST);
    assert_string_equal(g.answers[1].msg, "bad parameter");
    assert_int_equal(g.answers[2].outcome, OUTCOME_UNAVAILABLE);
    assert_int_equal(g.answers[3].outcome, OUTCOME_EMPTY);
    rig_down(&g);
}

static void a_silent_provider_costs_only_its_own_time(void **state)
{
    struct rig g;
    size_t i;
    int64_t start = clock_mono_ms();

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "slow", "/hang");
    key_set(&g, i, "timeout_ms", "300");
    provider_add(&g, "quick", "/ok");
    rig_ready(&g);
    rig_ask(&g, "wal", 20000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_TIMEOUT);
    assert_int_equal(g.answers[1].outcome, OUTCOME_OK);
    assert_true(clock_mono_ms() - start < 5000);
    rig_down(&g);
}

static void the_callers_deadline_is_kept(void **state)
{
    struct rig g;
    int64_t start = clock_mono_ms();

    (void)state;
    rig_up(&g);
    provider_add(&g, "slow", "/hang");
    rig_ready(&g);
    rig_ask(&g, "wal", 200);
    assert_int_equal(g.answers[0].outcome, OUTCOME_TIMEOUT);
    rig_ask(&g, "wal", 0);
    assert_int_equal(g.answers[0].outcome, OUTCOME_TIMEOUT);
    assert_true(clock_mono_ms() - start < 4000);
    rig_down(&g);
}

static void three_failures_suspend_a_provider(void **state)
{
    struct rig g;
    int before;

    (void)state;
    rig_up(&g);
    provider_add(&g, "one", "/html");
    rig_ready(&g);
    before = requests_so_far();
    for (int i = 0; i < 3; i++) {
        rig_ask(&g, "wal", 5000);
        assert_int_equal(g.answers[0].outcome, OUTCOME_MALFORMED);
    }
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_SUSPENDED);
    assert_int_equal(requests_so_far() - before, 3);
    rig_down(&g);
}

static void retry_after_suspends_at_once(void **state)
{
    struct rig g;

    (void)state;
    ask_path(&g, "/limited");
    assert_int_equal(g.answers[0].outcome, OUTCOME_LIMITED);
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_SUSPENDED);
    rig_down(&g);
}

static void a_post_sends_its_body_and_key(void **state)
{
    struct rig g;
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "post", "/ok?key={key}");
    key_set(&g, i, "method", "post");
    key_set(&g, i, "query", "question");
    key_set(&g, i, "key", "s3cret");
    key_set(&g, i, "body",
            "{\"query\":\"{q}\",\"max\":{want},\"page\":{page},"
            "\"lang\":\"{lang}\",\"other\":\"{other}\"}");
    key_set(&g, i, "header.X-Api-Key", "{key}");
    key_set(&g, i, "headers", "X-One: 1 | X-Two: a b");
    rig_ready(&g);
    rig_ask(&g, "say \"hello\"\\ \xC3\xA9", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_OK);
    assert_true(last_request_has("POST /ok?key=s3cret "));
    assert_true(last_request_has("X-Api-Key: s3cret\r\n"));
    assert_true(last_request_has("X-One: 1\r\n"));
    assert_true(last_request_has("X-Two: a b\r\n"));
    assert_true(last_request_has("Content-Type: application/json\r\n"));
    assert_true(last_request_has(
        "\r\n\r\n{\"query\":\"say \\\"hello\\\"\\\\ \xC3\xA9\",\"max\":20,"
        "\"page\":1,\"lang\":\"en\",\"other\":\"{other}\"}"));
    rig_down(&g);
}

static void a_form_is_percent_encoded(void **state)
{
    struct rig g;
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "form", "/ok");
    key_set(&g, i, "method", "POST");
    key_set(&g, i, "header.Content-Type", "application/x-www-form-urlencoded");
    key_set(&g, i, "body", "q={q}&format=json");
    rig_ready(&g);
    rig_ask(&g, "caf\xC3\xA9 & tea", 5000);
    assert_true(last_request_has("\r\n\r\nq=cafe%20tea&format=json") ||
                last_request_has("\r\n\r\nq=caf%C3%A9%20tea&format=json"));
    rig_down(&g);
}

static void a_url_may_be_made_of_fields(void **state)
{
    struct rig g;
    struct conf_provider *p;

    (void)state;
    rig_up(&g);
    provider_add(&g, "wiki", "/ok");
    p = &g.conf.provider[0];
    for (size_t k = 0; k < p->count; k++)
        if (strcmp(p->key[k], "url_field") == 0)
            p->value[k] = "https://wiki.example/wiki/{s}";
    rig_ready(&g);
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_OK);
    assert_non_null(
        strstr(g.answers[0].found[0].url, "https://wiki.example/wiki/It%20"));
    rig_down(&g);
}

static void a_private_address_must_be_allowed(void **state)
{
    struct rig g;
    int before = requests_so_far();

    (void)state;
    rig_up(&g);
    g.conf.allow_hosts = "";
    provider_add(&g, "one", "/ok");
    rig_ready(&g);
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_DENIED);
    assert_int_equal(requests_so_far(), before);
    rig_down(&g);
}

static void a_wrong_section_is_named(void **state)
{
    static const struct {
        const char *key, *value, *msg;
    } cases[] = {{"url", "ftp://x.example/", "[provider.one] url"},
                 {"url", "", "[provider.one] url"},
                 {"method", "PUT", "method"},
                 {"query", "all", "query"},
                 {"missing", "never", "missing"},
                 {"timeout_ms", "5s", "timeout_ms"},
                 {"timeout_ms", "99", "timeout_ms"},
                 {"use", "nobody", "use"},
                 {"parallel", "0", "parallel"},
                 {"drop_terms", "9", "drop_terms"},
                 {"one_host", "maybe", "one_host"},
                 {"contact", "me", "contact"},
                 {"headers", "no colon", "headers"},
                 {"header.A B", "x", "header"},
                 {"header.A", "x\ny", "header"},
                 {"header.", "x", "header."},
                 {"colour", "red", "colour"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig g;
        struct errctx ec = {ERR_OK, ""};

        rig_up(&g);
        g.conf.provider_count = 1;
        g.conf.provider[0].name = "one";
        key_set(&g, 0, cases[i].key, cases[i].value);
        if (strcmp(cases[i].key, "url") != 0)
            key_set(&g, 0, "url", "https://x.example/");
        assert_int_equal(provider_set_new(&g.conf, &g.env.providers, &ec),
                         ERR_INVALID);
        if (strstr(ec.msg, cases[i].msg) == NULL)
            print_message("%s: %s\n", cases[i].key, ec.msg);
        assert_non_null(strstr(ec.msg, cases[i].msg));
        rig_down(&g);
    }
}

static void no_providers_is_no_answer(void **state)
{
    struct rig g;

    (void)state;
    rig_up(&g);
    rig_ready(&g);
    rig_ask(&g, "wal", 100);
    assert_int_equal(g.count, 0);
    assert_int_equal(provider_set_count(NULL), 0);
    rig_down(&g);
}

static void part_of_the_results_is_partial(void **state)
{
    struct rig g;
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/some");
    key_set(&g, i, "failed_path", "timed_out shards.failed");
    i = provider_add(&g, "b", "/whole");
    key_set(&g, i, "failed_path", "timed_out shards.failed");
    rig_ready(&g);
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_PARTIAL);
    assert_int_equal(g.answers[0].count, 1);
    assert_int_equal(g.answers[1].outcome, OUTCOME_OK);
    assert_false(outcome_is_failure(OUTCOME_PARTIAL));
    rig_down(&g);
}

static void results_are_sorted_and_images_kept(void **state)
{
    struct rig g;
    size_t i;
    const struct provider_answer *pa;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/order");
    key_set(&g, i, "order_field", "n");
    key_set(&g, i, "image_field", "im");
    key_set(&g, i, "images_path", "pictures");
    rig_ready(&g);
    rig_ask(&g, "wal", 5000);
    pa = &g.answers[0];
    assert_int_equal(pa->count, 3);
    assert_string_equal(pa->found[0].host, "a.example");
    assert_int_equal(pa->found[0].day, date_to_day(2024, 5, 7));
    assert_string_equal(pa->found[2].host, "c.example");
    assert_int_equal(pa->image_count, 3);
    assert_string_equal(pa->images[0].url, "https://a.example/i");
    assert_string_equal(pa->images[0].page, "https://a.example/");
    assert_string_equal(pa->images[0].alt, "A");
    assert_string_equal(pa->images[2].alt, "why");
    assert_string_equal(pa->images[2].page, "");
    rig_down(&g);
}

static void an_empty_answer_is_asked_again_with_fewer_words(void **state)
{
    struct rig g;
    int before;
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/drop?q={q}");
    key_set(&g, i, "drop_terms", "3");
    rig_ready(&g);
    before = requests_so_far();
    rig_ask(&g, "How tall is the tower that Solheim built at Halden?", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_EMPTY);
    assert_true(requests_so_far() - before <= 4);
    before = requests_so_far();
    /* Names go last. */
    rig_ask(&g, "what colour is the Halden?", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_OK);
    assert_true(last_request_has("GET /drop?q=halden HTTP"));
    assert_int_equal(requests_so_far() - before, 2);
    rig_down(&g);
}

/* Ask with domains to include and exclude, and images. */
static void ask_filtered(struct rig *g, const char *include,
                         const char *exclude, int32_t from, int32_t to)
{
    struct domain_rule in[64], out[64];
    struct domain_rules ins = {in, 0}, outs = {out, 0};
    struct index_filter f = {
        .include = &ins, .exclude = &outs, .day_from = from, .day_to = to};
    struct query q;

    for (const char *z = include; *z != '\0'; z += strspn(z, " ")) {
        assert_int_equal(
            domain_rule_parse(z, strcspn(z, " "), &g->arena, &in[ins.count++]),
            ERR_OK);
        z += strcspn(z, " ");
    }
    for (const char *z = exclude; *z != '\0'; z += strspn(z, " ")) {
        assert_int_equal(domain_rule_parse(z, strcspn(z, " "), &g->arena,
                                           &out[outs.count++]),
                         ERR_OK);
        z += strcspn(z, " ");
    }
    assert_int_equal(query_parse("write-ahead log", &g->arena, &q), ERR_OK);
    assert_int_equal(providers_ask(&g->env, &q, &f, 20, true, deadline_in(5000),
                                   &g->arena, &g->answers, &g->count),
                     ERR_OK);
}

static void filters_go_into_the_templates(void **state)
{
    struct rig g;
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/ok?q={q}{include}{exclude}{dates}{images}");
    key_set(&g, i, "include", "%20{sites}");
    key_set(&g, i, "include_item", "site:{site}");
    key_set(&g, i, "include_join", "%20OR%20");
    key_set(&g, i, "exclude", "&not={sites}");
    key_set(&g, i, "exclude_max", "2");
    key_set(&g, i, "dates", "&d={from_digits}-{after_digits},{from_us}");
    key_set(&g, i, "images", "&im=1");
    rig_ready(&g);
    ask_filtered(&g, "a.example b.example/x", "c.example", DAY_NONE, DAY_NONE);
    assert_true(
        last_request_has("GET /ok?q=write%20ahead%20log%20site:a.example"
                         "%20OR%20site:b.example&im=1 HTTP"));
    ask_filtered(&g, "", "c.example d.example e.example",
                 date_to_day(2024, 1, 2), date_to_day(2024, 2, 29));
    assert_true(
        last_request_has("log&not=c.example,d.example"
                         "&d=20240102-20240301,1%2F2%2F2024&im=1 HTTP"));
    rig_down(&g);
}

static void a_long_list_of_domains_is_asked_for_in_parts(void **state)
{
    struct rig g;
    int before;
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/ok?q={q}{include}");
    key_set(&g, i, "include", "&in={sites}");
    key_set(&g, i, "include_max", "2");
    rig_ready(&g);
    before = requests_so_far();
    ask_filtered(&g, "a.example b.example c.example d.example e.example", "",
                 DAY_NONE, DAY_NONE);
    assert_int_equal(requests_so_far() - before, 3);
    assert_int_equal(g.count, 1);
    assert_int_equal(g.answers[0].outcome, OUTCOME_OK);
    assert_int_equal(g.answers[0].count, 6);
    rig_down(&g);
}

static void priority_domains_are_asked_for_in_one_more_request(void **state)
{
    static const char q[] =
        "<guidance><priority>\n- a.example\n- b.example\n</priority>"
        "</guidance>write-ahead log";
    struct rig g;
    int before;
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/ok?q={q}{include}");
    key_set(&g, i, "include", "&in={sites}");
    provider_add(&g, "b", "/ok");
    rig_ready(&g);
    before = requests_so_far();
    rig_ask(&g, q, 5000);
    assert_int_equal(requests_so_far() - before, 3);
    assert_int_equal(g.answers[0].outcome, OUTCOME_OK);
    assert_int_equal(g.answers[0].count, 4);
    assert_int_equal(g.answers[1].count, 2);
    rig_down(&g);
}

static void a_provider_of_one_host_is_asked_for_that_only(void **state)
{
    struct rig g;
    int before;
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/ok");
    key_set(&g, i, "one_host", "yes");
    rig_ready(&g);
    before = requests_so_far();
    ask_filtered(&g, "elsewhere.example", "", DAY_NONE, DAY_NONE);
    assert_int_equal(g.answers[0].outcome, OUTCOME_EMPTY);
    assert_int_equal(requests_so_far(), before);
    ask_filtered(&g, "elsewhere.example 127.0.0.1", "", DAY_NONE, DAY_NONE);
    assert_int_equal(g.answers[0].outcome, OUTCOME_OK);
    rig_down(&g);
}

static void no_more_requests_at_once_than_parallel(void **state)
{
    struct rig g;
    struct provider_answer pa = {.outcome = OUTCOME_OK};
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/ok");
    key_set(&g, i, "parallel", "1");
    key_set(&g, i, "timeout_ms", "300");
    rig_ready(&g);
    assert_int_equal(provider_set_enter(g.env.providers, 0), ADMIT_YES);
    assert_int_equal(provider_set_enter(g.env.providers, 0), ADMIT_FULL);
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_LIMITED);
    assert_non_null(strstr(g.answers[0].msg, "parallel"));
    provider_set_tell(g.env.providers, 0, &pa, -1);
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_OK);
    rig_down(&g);
}

static void a_retry_after_is_kept_for_a_day_at_most(void **state)
{
    const int64_t day = 86400000;
    struct provider_state st;
    struct rig g;

    (void)state;
    ask_path(&g, "/later");
    assert_int_equal(g.answers[0].outcome, OUTCOME_LIMITED);
    provider_set_state(g.env.providers, 0, &st);
    assert_int_equal(st.outcome, OUTCOME_LIMITED);
    assert_true(st.until_ms - clock_now_ms() > day - 60000);
    assert_true(st.until_ms - clock_now_ms() <= day);
    rig_down(&g);
}

static void after_a_pause_one_request_tries(void **state)
{
    struct provider_answer bad = {.outcome = OUTCOME_UNAVAILABLE};
    struct provider_state st;
    struct rig g;

    (void)state;
    rig_up(&g);
    provider_add(&g, "a", "/ok");
    rig_ready(&g);
    assert_int_equal(provider_set_enter(g.env.providers, 0), ADMIT_YES);
    provider_set_tell(g.env.providers, 0, &bad, 0); /* pauses for a second */
    assert_int_equal(provider_set_enter(g.env.providers, 0), ADMIT_SUSPENDED);
    do
        provider_set_state(g.env.providers, 0, &st);
    while (st.until_ms != 0);
    assert_int_equal(provider_set_enter(g.env.providers, 0), ADMIT_YES);
    assert_int_equal(provider_set_enter(g.env.providers, 0), ADMIT_SUSPENDED);
    bad.outcome = OUTCOME_OK;
    provider_set_tell(g.env.providers, 0, &bad, -1);
    assert_int_equal(provider_set_enter(g.env.providers, 0), ADMIT_YES);
    assert_int_equal(provider_set_enter(g.env.providers, 0), ADMIT_YES);
    provider_set_leave(g.env.providers, 0);
    provider_set_leave(g.env.providers, 0);
    rig_down(&g);
}

static void what_is_lacking_is_said_and_nobody_asked(void **state)
{
    struct provider_state st;
    struct rig g;
    int before = requests_so_far();
    size_t i;

    (void)state;
    rig_up(&g);
    i = provider_add(&g, "a", "/ok?k={key}");
    i = provider_add(&g, "b", "/ok");
    key_set(&g, i, "contact", "required");
    rig_ready(&g);
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_DENIED);
    assert_non_null(strstr(g.answers[0].msg, "key"));
    assert_int_equal(g.answers[1].outcome, OUTCOME_DENIED);
    assert_non_null(strstr(g.answers[1].msg, "crawl.contact"));
    provider_set_state(g.env.providers, 1, &st);
    assert_non_null(st.lack);
    assert_int_equal(requests_so_far(), before);
    rig_down(&g);
    rig_up(&g);
    i = provider_add(&g, "b", "/ok");
    key_set(&g, i, "contact", "required");
    g.conf.contact = "owner@example.org";
    rig_ready(&g);
    rig_ask(&g, "wal", 5000);
    assert_int_equal(g.answers[0].outcome, OUTCOME_OK);
    assert_true(last_request_has("(+owner@example.org)\r\n"));
    rig_down(&g);
}

/* What each shipped definition sends, for a question with an inclusion and
 * dates; "" is no body. */
static void shipped_definitions_ask_as_their_service_wants(void **state)
{
    static const struct {
        const char *use, *url, *body, *header;
    } cases[] = {
        {"searxng",
         "https://own.example/s/search?q=write%20ahead%20log&format=json&"
         "pageno=1",
         "", "Accept: application/json"},
        {"mediawiki",
         "https://own.example/s/api.php?action=query&generator=search&"
         "gsrsearch=write%20ahead%20log&gsrwhat=text&gsrlimit=20&",
         "", "Accept: application/json"},
        {"wikipedia",
         "https://own.example/s/api.php?action=query&generator=search&", "",
         "Accept: application/json"},
        {"brave",
         "https://api.search.brave.com/res/v1/web/search?q=write%20ahead%20log"
         "%20site:a.example&count=20&freshness=2024-01-02to2024-02-29&",
         "", "X-Subscription-Token: s3cret"},
        {"tavily", "https://api.tavily.com/search",
         "{\"query\":\"write-ahead log\",\"max_results\":20,"
         "\"search_depth\":\"basic\",\"include_domains\":[\"a.example\"],"
         "\"start_date\":\"2024-01-02\",\"end_date\":\"2024-02-29\"}",
         "Authorization: Bearer s3cret"},
        {"mojeek",
         "https://www.mojeek.com/search?q=write%20ahead%20log&fmt=json&"
         "api_key=s3cret&t=20&site=a.example&since=20240102&before=20240301",
         "", "Accept: application/json"},
        {"marginalia",
         "https://api2.marginalia-search.com/search?query=write%20ahead%20log"
         "%20site:a.example&count=20",
         "", "API-Key: s3cret"},
        {"serper", "https://google.serper.dev/search",
         "{\"q\":\"write-ahead log\\u0020site:a.example\",\"num\":20,"
         "\"tbs\":\"cdr:1,cd_min:1/2/2024,cd_max:2/29/2024\"}",
         "X-API-KEY: s3cret"},
        {"opensearch", "https://own.example/s/_search",
         "{\"size\":20,\"timeout\":\"2s\",\"track_total_hits\":false,"
         "\"_source\":[\"url\",\"title\",\"published\"],\"query\":{\"bool\":{"
         "\"must\":[{\"multi_match\":{\"query\":\"write-ahead log\","
         "\"fields\":[\"title^3\",\"body\"]}}],\"filter\":[{\"match_all\":{}},"
         "{\"terms\":{\"domains\":[\"a.example\"]}},{\"range\":{"
         "\"published\":{\"gte\":\"2024-01-02\",\"lte\":\"2024-02-29\"}}}],"
         "\"must_not\":[{\"match_none\":{}}]}},\"highlight\":{",
         "Content-Type: application/json"}};
    size_t n = 0;

    (void)state;
    for (; provider_shipped_name(n) != NULL; n++) {
    }
    assert_int_equal(n, sizeof(cases) / sizeof(cases[0]));
    for (size_t i = 0; i < n; i++) {
        struct domain_rule a = {"a.example", ""};
        struct domain_rules in = {&a, 1};
        struct index_filter f = {.include = &in,
                                 .day_from = date_to_day(2024, 1, 2),
                                 .day_to = date_to_day(2024, 2, 29)};
        struct conf_provider c = {
            .name = "x",
            .count = 3,
            .key = {"use", "base", "key"},
            .value = {cases[i].use, "https://own.example/s/", "s3cret"}};
        struct provider_def def;
        struct http_request rq;
        struct errctx ec = {ERR_OK, ""};
        struct query q;
        struct provider_ask ask = {.q = &q, .f = &f, .want = 20};
        bool header = false;
        struct rig g;

        rig_up(&g);
        assert_int_equal(query_parse("write-ahead log", &g.arena, &q), ERR_OK);
        if (provider_def_read(&c, &g.conf, &g.arena, &def, &ec) != ERR_OK)
            fail_msg("%s", ec.msg);
        assert_int_equal(provider_request(&def, &ask, &g.arena, &rq), ERR_OK);
        for (size_t k = 0; rq.headers[k] != NULL; k++)
            header = header || strcmp(rq.headers[k], cases[i].header) == 0;
        if (strncmp(rq.url, cases[i].url, strlen(cases[i].url)) != 0)
            fail_msg("%s: %s", cases[i].use, rq.url);
        if (strncmp(rq.body == NULL ? "" : rq.body, cases[i].body,
                    strlen(cases[i].body)) != 0)
            fail_msg("%s: %s", cases[i].use, rq.body);
        if (!header)
            fail_msg("%s: no header %s", cases[i].use, cases[i].header);
        rig_down(&g);
    }
}

/* The files say the same when they are read as a configuration. */
static void shipped_files_are_sections(void **state)
{
    char *const no_env[] = {NULL};

    (void)state;
    for (size_t i = 0; provider_shipped_name(i) != NULL; i++) {
        char path[] = "/tmp/cited-test-provider-XXXXXX";
        const struct provider_text *t = &provider_texts[i];
        struct conf_provider built;
        struct errctx ec = {ERR_OK, ""};
        struct arena a;
        struct conf c;
        int fd = mkstemp(path);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, t->text, strlen(t->text)), strlen(t->text));
        close(fd);
        if (conf_load(&c, path, NULL, no_env, &ec) != ERR_OK)
            fail_msg("%s", ec.msg);
        unlink(path);
        arena_init(&a, 1 << 20);
        assert_int_equal(provider_shipped_get(t->name, &a, &built), ERR_OK);
        assert_int_equal(c.provider_count, 1);
        assert_string_equal(c.provider[0].name, t->name);
        assert_int_equal(c.provider[0].count, built.count);
        for (size_t k = 0; k < built.count; k++)
            assert_string_equal(
                conf_provider_get(&c.provider[0], built.key[k], "?"),
                built.value[k]);
        arena_fini(&a);
        conf_fini(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_become_candidates),
        cmocka_unit_test(what_is_seen_decides_the_outcome),
        cmocka_unit_test(errors_inside_a_success_are_errors),
        cmocka_unit_test(a_silent_provider_costs_only_its_own_time),
        cmocka_unit_test(the_callers_deadline_is_kept),
        cmocka_unit_test(three_failures_suspend_a_provider),
        cmocka_unit_test(retry_after_suspends_at_once),
        cmocka_unit_test(a_post_sends_its_body_and_key),
        cmocka_unit_test(a_form_is_percent_encoded),
        cmocka_unit_test(a_url_may_be_made_of_fields),
        cmocka_unit_test(a_private_address_must_be_allowed),
        cmocka_unit_test(a_wrong_section_is_named),
        cmocka_unit_test(no_providers_is_no_answer),
        cmocka_unit_test(part_of_the_results_is_partial),
        cmocka_unit_test(results_are_sorted_and_images_kept),
        cmocka_unit_test(an_empty_answer_is_asked_again_with_fewer_words),
        cmocka_unit_test(filters_go_into_the_templates),
        cmocka_unit_test(a_long_list_of_domains_is_asked_for_in_parts),
        cmocka_unit_test(priority_domains_are_asked_for_in_one_more_request),
        cmocka_unit_test(a_provider_of_one_host_is_asked_for_that_only),
        cmocka_unit_test(no_more_requests_at_once_than_parallel),
        cmocka_unit_test(a_retry_after_is_kept_for_a_day_at_most),
        cmocka_unit_test(after_a_pause_one_request_tries),
        cmocka_unit_test(what_is_lacking_is_said_and_nobody_asked),
        cmocka_unit_test(shipped_definitions_ask_as_their_service_wants),
        cmocka_unit_test(shipped_files_are_sections)};

    return cmocka_run_group_tests(tests, server_up, server_down);
}
