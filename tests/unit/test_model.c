/* The chat endpoint against a scripted server in a thread of this program,
 * on a loopback port the system chooses; and what is made of its words. */
#include "model/entail.h"
#include "model/model.h"
#include "model/pace.h"
#include "answer/answer_parse.h"
#include "find/rerank.h"

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

enum { REQUEST_MAX = 64 * 1024, REPLIES_MAX = 8 };

struct reply {
    const char *status, *headers, *body;
};

static struct {
    int listener, port;
    pthread_t thread;
    pthread_mutex_t mutex;
    struct reply replies[REPLIES_MAX]; /* the last one repeats; guarded */
    size_t count, at;
    char last[REQUEST_MAX + 1];
    int requests;
} server;

static void reply_send(int fd, const struct reply *r)
{
    char head[512];
    int n = snprintf(head, sizeof(head),
                     "HTTP/1.1 %s\r\nContent-Type: application/json\r\n%s"
                     "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                     r->status, r->headers == NULL ? "" : r->headers,
                     strlen(r->body));

    if (send(fd, head, (size_t)n, MSG_NOSIGNAL) > 0 &&
        send(fd, r->body, strlen(r->body), MSG_NOSIGNAL) < 0)
        perror("send");
}

static void *serve(void *user)
{
    static char z[REQUEST_MAX + 1];
    int fd;

    (void)user;
    while ((fd = accept(server.listener, NULL, NULL)) >= 0) {
        struct reply r;

        peer_read(fd, z, REQUEST_MAX);
        pthread_mutex_lock(&server.mutex);
        memcpy(server.last, z, sizeof(z));
        server.requests++;
        r = server.replies[server.at];
        if (server.at + 1 < server.count)
            server.at++;
        pthread_mutex_unlock(&server.mutex);
        reply_send(fd, &r);
        close(fd);
    }
    return NULL;
}

static int server_start(void **state)
{
    (void)state;
    log_set_level(LOG_OFF);
    server.listener = peer_listen(&server.port);
    if (server.listener < 0)
        return -1;
    pthread_mutex_init(&server.mutex, NULL);
    return pthread_create(&server.thread, NULL, serve, NULL);
}

static int server_stop(void **state)
{
    (void)state;
    shutdown(server.listener, SHUT_RDWR);
    pthread_join(server.thread, NULL);
    close(server.listener);
    pthread_mutex_destroy(&server.mutex);
    return 0;
}

#define SCRIPT(...)                                                            \
    do {                                                                       \
        static const struct reply s[] = {__VA_ARGS__};                         \
        script(s, sizeof(s) / sizeof(s[0]));                                   \
    } while (0)

static void script(const struct reply *r, size_t n)
{
    pthread_mutex_lock(&server.mutex);
    memcpy(server.replies, r, n * sizeof(*r));
    server.count = n;
    server.at = 0;
    server.requests = 0;
    pthread_mutex_unlock(&server.mutex);
}

/* --- asking -------------------------------------------------------------- */

struct talk {
    struct conf conf;
    struct model *model;
    struct arena arena;
    struct model_answer answer;
    struct errctx ec;
    char url[64];
};

static void talk_begin(struct talk *t, const char *path, const char *key)
{
    memset(t, 0, sizeof(*t));
    arena_init(&t->arena, 1 << 22);
    snprintf(t->url, sizeof(t->url), "http://127.0.0.1:%d%s", server.port,
             path);
    t->conf.user_agent = "cited-test";
    t->conf.contact = t->conf.allow_hosts = "";
    t->conf.model_url = t->url;
    t->conf.model_name = "small";
    t->conf.model_key = key;
    t->conf.model_timeout_ms = 5000;
    t->conf.model_context = 4096;
    t->conf.model_answer = 256;
    assert_int_equal(model_new(&t->conf, &t->model, &t->ec), ERR_OK);
    assert_non_null(t->model);
}

static void talk_end(struct talk *t)
{
    model_free(t->model);
    arena_fini(&t->arena);
}

static const char schema[] = "{\"type\":\"object\"}";

static enum err talk(struct talk *t, const char *with_schema, bool plain)
{
    struct model_ask ask = {.system = "Be \"brief\".",
                            .user = "Why?\n",
                            .schema = with_schema,
                            .plain_schema = plain};

    t->ec.msg[0] = '\0';
    return model_chat(t->model, &ask, deadline_in(5000), "test", &t->arena,
                      &t->answer, &t->ec);
}

#define OK(text)                                                               \
    {                                                                          \
        "200 OK", NULL,                                                        \
            "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":"  \
            "\"" text "\"},\"finish_reason\":\"stop\"}]}"                      \
    }
#define SAYS(status, body)                                                     \
    {                                                                          \
        status, NULL, body                                                     \
    }

static bool last_has(const char *z)
{
    bool has;

    pthread_mutex_lock(&server.mutex);
    has = strstr(server.last, z) != NULL;
    pthread_mutex_unlock(&server.mutex);
    return has;
}

static void the_smallest_request_is_sent(void **state)
{
    struct talk t;

    (void)state;
    talk_begin(&t, "/v1", "secret");
    SCRIPT(OK("Because."));
    assert_int_equal(talk(&t, NULL, false), ERR_OK);
    assert_string_equal(t.answer.text, "Because.");
    assert_false(t.answer.cut);
    assert_true(last_has("POST /v1/chat/completions HTTP/1.1"));
    assert_true(last_has("Authorization: Bearer secret"));
    assert_true(last_has("{\"model\":\"small\",\"messages\":[{\"role\":"
                         "\"system\",\"content\":\"Be \\\"brief\\\".\"},"
                         "{\"role\":\"user\",\"content\":\"Why?\\n\"}],"
                         "\"temperature\":0,\"max_tokens\":256,"
                         "\"stream\":false}"));
    talk_end(&t);
}

static void the_address_may_be_given_in_several_ways(void **state)
{
    static const char *const paths[][2] = {
        {"", "/v1/chat/completions"},
        {"/", "/v1/chat/completions"},
        {"/v1/", "/v1/chat/completions"},
        {"/api/openai", "/api/openai/chat/completions"},
        {"/x/chat/completions", "/x/chat/completions"}};

    (void)state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        char line[80];
        struct talk t;

        talk_begin(&t, paths[i][0], "");
        SCRIPT(OK("Yes."));
        assert_int_equal(talk(&t, NULL, false), ERR_OK);
        snprintf(line, sizeof(line), "POST %s HTTP/1.1", paths[i][1]);
        assert_true(last_has(line));
        assert_false(last_has("Authorization"));
        talk_end(&t);
    }
}

static void a_wrong_configuration_is_named(void **state)
{
    struct conf c = {.user_agent = "x", .contact = "", .allow_hosts = ""};
    struct model *m;
    struct errctx ec;

    (void)state;
    c.model_name = c.model_key = c.model_url = "";
    assert_int_equal(model_new(&c, &m, &ec), ERR_OK);
    assert_null(m);
    c.model_url = "ftp://x/";
    assert_int_equal(model_new(&c, &m, &ec), ERR_INVALID);
    assert_non_null(strstr(ec.msg, "model.url"));
    c.model_url = "http://x/?a=b";
    assert_int_equal(model_new(&c, &m, &ec), ERR_INVALID);
    c.model_url = "http://x/";
    c.model_key = "two words";
    assert_int_equal(model_new(&c, &m, &ec), ERR_INVALID);
    assert_non_null(strstr(ec.msg, "model.key"));
    assert_null(m);
}

static void refused_forms_are_replaced_and_remembered(void **state)
{
    struct talk t;

    (void)state;
    talk_begin(&t, "/v1", "");
    SCRIPT(SAYS("400 Bad Request", "{\"error\":{\"message\":\"strict\"}}"),
           SAYS("400 Bad Request", "{\"error\":\"no json_schema\"}"), OK("{}"));
    assert_int_equal(talk(&t, schema, true), ERR_OK);
    assert_int_equal(server.requests, 3);
    assert_true(last_has("\"response_format\":{\"type\":\"json_object\"}"));
    assert_true(last_has("JSON Schema:\\n{\\\"type\\\":\\\"object\\\"}"));
    SCRIPT(OK("{}"));
    assert_int_equal(talk(&t, schema, true), ERR_OK);
    assert_int_equal(server.requests, 1);
    assert_true(last_has("json_object"));
    talk_end(&t);
}

static void what_a_schema_is_to_blame_for_is_forgotten(void **state)
{
    struct talk t;

    (void)state;
    talk_begin(&t, "/v1", "");
    SCRIPT(SAYS("400 Bad Request", "{\"error\":{\"message\":\"$ref\"}}"),
           OK("{}"));
    assert_int_equal(talk(&t, schema, false), ERR_OK);
    assert_false(last_has("strict"));
    SCRIPT(OK("{}"));
    assert_int_equal(talk(&t, schema, false), ERR_OK);
    assert_true(last_has("\"strict\":true"));
    talk_end(&t);
}

static void other_names_of_fields_are_learnt(void **state)
{
    struct talk t;

    (void)state;
    talk_begin(&t, "/v1", "");
    SCRIPT(SAYS("400 Bad Request",
                "{\"error\":{\"message\":\"Use 'max_completion_tokens'\"}}"),
           SAYS("400 Bad Request",
                "{\"error\":{\"message\":\"'temperature' is fixed\"}}"),
           OK("x"));
    assert_int_equal(talk(&t, NULL, false), ERR_OK);
    assert_true(last_has("\"max_completion_tokens\":256"));
    assert_false(last_has("temperature"));
    talk_end(&t);
}

struct failure {
    struct reply reply;
    enum err e;
    const char *msg;
    int requests;
};

static void failures_are_told_apart(void **state)
{
    static const struct failure all[] = {
        {SAYS("401 Unauthorized", "{\"error\":{\"message\":\"bad key\"}}"),
         ERR_UPSTREAM, "401: bad key", 1},
        {SAYS("404 Not Found", "<html>"), ERR_UPSTREAM, "404", 1},
        {SAYS(
             "429 Too Many",
             "{\"error\":{\"message\":\"m\",\"code\":\"insufficient_quota\"}}"),
         ERR_LIMIT, "429: m", 1},
        {{"429 Too Many", "Retry-After: 60\r\n", "{}"}, ERR_LIMIT, "429", 1},
        {{"500 Oops", "Retry-After: 0\r\n", "oops"}, ERR_UPSTREAM, "500", 3},
        {SAYS("400 Bad Request", "{\"error\":{\"message\":\"m\",\"type\":"
                                 "\"exceed_context_size_error\"}}"),
         ERR_TOO_LARGE, "400", 1},
        {SAYS("400 Bad Request",
              "{\"error\":{\"message\":\"maximum context length is 1\"}}"),
         ERR_TOO_LARGE, "maximum", 1},
        {SAYS("200 OK", "<html>"), ERR_MALFORMED, "no JSON", 1},
        {SAYS("200 OK", "{\"choices\":[{\"mess"), ERR_MALFORMED, "no JSON", 1},
        {SAYS("200 OK", "{\"choices\":[]}"), ERR_MALFORMED, "no message", 1},
        {SAYS("200 OK", "{\"choices\":[{\"message\":{\"content\":null}}]}"),
         ERR_MALFORMED, "empty", 1},
        {SAYS("200 OK",
              "{\"choices\":[{\"finish_reason\":\"length\",\"message\":"
              "{\"content\":\"<think>I see\"}}]}"),
         ERR_MALFORMED, "reasoning", 1},
        {SAYS("301 Moved", ""), ERR_UPSTREAM, "301", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct talk t;
        enum err e;

        talk_begin(&t, "/v1", "");
        script(&all[i].reply, 1);
        e = talk(&t, NULL, false);
        if (e != all[i].e || strstr(t.ec.msg, all[i].msg) == NULL)
            print_message("%zu: %s: %s\n", i, err_name(e), t.ec.msg);
        assert_int_equal(e, all[i].e);
        assert_non_null(strstr(t.ec.msg, all[i].msg));
        assert_int_equal(server.requests, all[i].requests);
        talk_end(&t);
    }
}

static void a_passing_fault_is_tried_again(void **state)
{
    struct talk t;

    (void)state;
    talk_begin(&t, "/v1", "");
    SCRIPT({"503 Busy", "Retry-After: 0\r\n", "{}"}, OK("Here."));
    assert_int_equal(talk(&t, NULL, false), ERR_OK);
    assert_string_equal(t.answer.text, "Here.");
    talk_end(&t);
}

static void a_failing_endpoint_is_left_alone(void **state)
{
    struct model_health health;
    struct talk t;

    (void)state;
    talk_begin(&t, "/v1", "");
    SCRIPT(SAYS("401 Unauthorized", "{}"));
    for (int i = 0; i < 3; i++)
        assert_int_equal(talk(&t, NULL, false), ERR_UPSTREAM);
    assert_int_equal(talk(&t, NULL, false), ERR_BUSY);
    assert_int_equal(server.requests, 3);
    model_health_get(t.model, &health);
    assert_true(health.suspended);
    assert_int_equal(health.failures, 3);
    assert_non_null(strstr(health.why, "401"));
    assert_true(health.resume_ms > clock_now_ms());
    assert_string_equal(health.name, "small");
    talk_end(&t);
}

static void a_cut_off_answer_says_so(void **state)
{
    struct talk t;

    (void)state;
    talk_begin(&t, "/v1", "");
    SCRIPT(SAYS("200 OK",
                "{\"choices\":[{\"finish_reason\":\"length\",\"message\":"
                "{\"content\":[{\"type\":\"text\",\"text\":\"A\"},"
                "{\"type\":\"text\",\"text\":\"B\"}]}}]}"));
    assert_int_equal(talk(&t, NULL, false), ERR_OK);
    assert_string_equal(t.answer.text, "AB");
    assert_true(t.answer.cut);
    talk_end(&t);
}

/* --- order --------------------------------------------------------------- */

/* The texts of four passages behind a rerank or embeddings endpoint that
 * answers so, in their new order, at most three; "abc" when it stays. */
static void order_after(bool rerank, const struct reply *reply, char out[5])
{
    static const char *const texts[] = {"a", "b", "c", "d"};
    struct relevance *r = NULL;
    struct ranked v[4];
    struct conf c = {.user_agent = "x", .contact = "", .allow_hosts = ""};
    struct query q = {.text = "Why?"};
    struct arena a;
    struct errctx ec;
    char url[64];
    size_t n = 4;

    arena_init(&a, 1 << 22);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", server.port);
    if (rerank)
        c.rerank_url = url;
    c.embeddings_url = url;
    c.rerank_name = c.embeddings_name = "m";
    c.rerank_key = c.embeddings_key = "";
    c.rerank_timeout_ms = c.embeddings_timeout_ms = 5000;
    script(reply, 1);
    assert_int_equal(relevance_new(&c, &r, &ec), ERR_OK);
    memset(v, 0, sizeof(v));
    for (size_t i = 0; i < 4; i++)
        v[i].c.text = texts[i];
    assert_int_equal(
        rerank_passages(r, &q, 3, deadline_in(5000), "test", &a, v, &n),
        ERR_OK);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++)
        out[i] = v[i].c.text[0];
    out[n] = '\0';
    relevance_free(r);
    arena_fini(&a);
}

#define ITEM(i, score) "{\"index\":" #i ",\"relevance_score\":" #score "}"

static void passages_take_the_order_of_both(void **state)
{
    static const struct {
        bool rerank;
        struct reply reply;
        const char *want;
    } cases[] = {
        {true,
         SAYS("200 OK", "{\"results\":[" ITEM(3, 9.5) "," ITEM(2, -1) "," ITEM(
                            1, -2) "," ITEM(0, -3) "]}"),
         "adb"},
        {true,
         SAYS("200 OK", "[{\"index\":0,\"score\":1},{\"index\":1,\"score\":2},"
                        "{\"index\":2,\"score\":0},{\"index\":3,\"score\":0}]"),
         "abc"},
        /* Not every text, a wrong index, no list, no answer. */
        {true, SAYS("200 OK", "{\"results\":[" ITEM(3, 9) "]}"), "abc"},
        {true, SAYS("200 OK", "{\"results\":[" ITEM(7, 9) "]}"), "abc"},
        {true, SAYS("200 OK", "{\"results\":{}}"), "abc"},
        {true, SAYS("200 OK", "<html>"), "abc"},
        {true, SAYS("500 Oops", "{}"), "abc"},
        {false,
         SAYS("200 OK", "{\"data\":[{\"index\":0,\"embedding\":[1,0]},"
                        "{\"index\":1,\"embedding\":[0,1]},"
                        "{\"index\":2,\"embedding\":[0,2]},"
                        "{\"index\":3,\"embedding\":[0,3]},"
                        "{\"index\":4,\"embedding\":[5,0]}]}"),
         "adb"},
        {false,
         SAYS("200 OK", "{\"data\":[{\"index\":0,\"embedding\":[1,0]},"
                        "{\"index\":1,\"embedding\":[0]}]}"),
         "abc"},
        {false, SAYS("200 OK", "{\"data\":[]}"), "abc"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char got[5];

        order_after(cases[i].rerank, &cases[i].reply, got);
        if (strcmp(got, cases[i].want) != 0)
            print_message("case %zu\n", i);
        assert_string_equal(got, cases[i].want);
        assert_true(last_has(cases[i].rerank ? "POST /v1/rerank "
                                             : "POST /v1/embeddings "));
        assert_true(last_has(cases[i].rerank
                                 ? "{\"model\":\"m\",\"query\":\"Why?\","
                                   "\"top_n\":4,\"documents\":[\"a\",\"b\","
                                   "\"c\",\"d\"]}"
                                 : "\"input\":[\"Why?\",\"a\""));
    }
}

/* --- words --------------------------------------------------------------- */

static void reasoning_is_taken_out(void **state)
{
    static const char *const cases[][2] = {
        {"Plain.", "Plain."},
        {"<think>a</think>\n B ", "B"},
        {"a</think>B", "B"},
        {"<think>a", ""},
        {"<think>a</think><think>b</think>C", "C"},
        {"```json\n{}\n```", "{}"},
        {"```\n[1]\n```", "[1]"},
        {"<|channel|>analysis<|message|>x<|channel|>final<|message|>Y", "Y"},
        {"<reasoning>q</reasoning> ```json\n{}```", "{}"},
        {"``````", "``````"},
        {"", ""}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char z[128];

        snprintf(z, sizeof(z), "%s", cases[i][0]);
        assert_string_equal(model_strip_reasoning(z), cases[i][1]);
    }
}

static void tokens_are_not_underrated(void **state)
{
    (void)state;
    assert_int_equal(model_tokens_of("", 0), 0);
    assert_int_equal(model_tokens_of("abcdef", 6), 2);
    assert_int_equal(model_tokens_of("\xE6\xBC\xA2\xE5\xAD\x97", 6), 4);
    assert_int_equal(model_tokens_of("\xC3\xA9", 2), 1);
}

/* What is made of an answer, as "text<ids>|text<ids>". */
struct parsed {
    const char *answer, *want;
    bool cut;
};

static const struct parsed answers[] = {
    {"{\"sentences\":[{\"text\":\"A b.\",\"passages\":[1,2]}]}", "A b.<12>",
     false},
    {"{\"sentences\":[]}", "", false},
    {"[{\"text\":\"A.\",\"passages\":2},{\"sentence\":\"B.\",\"ids\":[\"3\"]}]",
     "A.<2>|B.<3>", false},
    {"{\"sentences\":[\"A [1].\",\"B\"]}", "A.<1>|B<>", false},
    {"{\"answer\":\"One [1]. Two [2, 3].\"}", "One.<1>|Two.<23>", false},
    {"Sure: {\"sentences\":[{\"text\":\"A.\",\"passages\":[1]}]} Done.",
     "A.<1>", false},
    {"{\"sentences\":[{\"text\":\"A.\",\"passages\":[1]},{\"text\":\"B",
     "A.<1>", true},
    {"{\"sentences\":[{\"text\":\"A.\",\"pass", "", true},
    {"{\"sentences\":[{\"text\":\"A.\",\"passages\":[0,-1,4,99,3,3]}]}",
     "A.<3>", false},
    {"{\"sentences\":[{\"text\":\"It is. It was.\",\"passages\":[2]}]}",
     "It is.<2>|It was.<2>", false},
    {"{\"sentences\":[{\"text\":7},{\"text\":\"  \"},9,null]}", "", false},
    {"The tower is tall [1]. It is old. [2] And more",
     "The tower is tall.<1>|"
     "It is old.<2>|And more<>",
     false},
    {"The tower is tall [1]. It is", "The tower is tall.<1>", true},
    {"- First [1].\n- Second [passage 2].\n3. Third [3]",
     "-First.<1>|"
     "-Second.<2>|-Third<3>",
     false},
    {"**Bold** word [1][2].", "Bold word.<12>", false},
    {"A [1] and B [2] meet [3].", "A<1>|and B<2>|meet.<3>", false},
    {"The tower opened in 1889[1]. It is tall[2].",
     "The tower opened in 1889[1].<1>|It is tall[2].<2>", false},
    {"In C argv[1] holds a word [2]. Next", "In C argv[1] holds a word.<21>|Next<>",
     false},
    {"{\"sentences\":[{\"text\":\"In C argv[1] holds it.\",\"passages\":[3]}]}",
     "In C argv[1] holds it.<31>", false},
    {"{\"statements\":[{\"text\":\"A b.\",\"passage\":1,\"quote\":\"a b\","
     "\"form\":\"item\"},{\"text\":\"x **y**  z\",\"passage\":2,\"quote\":"
     "[\"q\"],\"form\":\"code\"},{\"text\":\"C.\",\"passage\":3,\"quote\":"
     "\"\",\"form\":\"verse\"}]}",
     "-A b.<1'a b'>|`x **y**  z<2'q'>|C.<3>", false},
    {"A is b [1] \"it is \"b\" here\"\n- C. [2]: \"c d\"\nNONE",
     "A is b<1'it is \"b\" here'>|-C.<2'c d'>|NONE<>", false},
    {"[x] A [] B.", "[x] A [] B.<>", false},
    {"", "", false}};

/* What calls took tells what others take; nothing is planned that takes half
 * as long again. */
static void a_pace_is_learnt(void **state)
{
    static const struct {
        double read_ms, write_ms;
    } endpoints[] = {{20, 50}, {10, 80}, {4, 20}};

    (void)state;
    for (size_t i = 0; i < sizeof(endpoints) / sizeof(endpoints[0]); i++) {
        double a = endpoints[i].read_ms, b = endpoints[i].write_ms, ms;
        struct pace p = {0};

        assert_int_equal(pace_ms(&p, 1000, 100), 0);
        assert_true(pace_read_room(&p, 100, 1000) == INT64_MAX);
        for (int k = 0; k < 6; k++)
            pace_add(&p, 600 + 100 * k, 60 + 20 * (k % 4),
                     (int64_t)(a * (600 + 100 * k) + b * (60 + 20 * (k % 4))));
        ms = a * (double)pace_read_room(&p, 100, 20000) + b * 100;
        assert_true(ms > 20000 * 0.67 && ms < 20000 * 1.5);
        ms = a * 600 + b * (double)pace_write_room(&p, 600, 30000);
        assert_true(ms > 30000 * 0.5 && ms < 30000 * 1.5);
    }
}

/* Each question that is too late makes the next one shorter; a quick one gives
 * the room back. */
static void a_late_endpoint_is_asked_less(void **state)
{
    struct pace p = {0};
    int64_t room = 2000, last;

    (void)state;
    for (int k = 0; k < 2; k++) {
        last = room;
        pace_late(&p, room, 9000);
        room = pace_read_room(&p, pace_answer(&p), 8000);
        assert_true(room < last);
    }
    for (int k = 0; k < 8; k++)
        pace_add(&p, 900, 100, 300);
    assert_true(pace_read_room(&p, pace_answer(&p), 8000) > 2000);
    assert_true(pace_write_room(&p, 900, 8000) > 500);
}

/* Of three statements which follow: y, n, or ? for what is not told. */
static void verdicts_are_read(void **state)
{
    static const char *const cases[][2] = {
        {"{\"verdicts\":[{\"number\":1,\"follows\":true},{\"number\":3,"
         "\"follows\":false}]}", "y?n"},
        {"1 yes\n2. No, it does not\n- 3: yes", "yny"},
        {"yes\nno\nyes", "???"},
        {"1 yes\n1 no\n1 yes\n4 yes\n0 no\n99999999999999999999 yes", "n??"},
        {"{\"verdicts\":[{\"number\":\"1\",\"follows\":1},7,{\"number\":2.5,"
         "\"follows\":true}]}", "???"},
        {"", "???"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct entail_pair v[3] = {{.statement = ""}};

        entail_read(cases[i][0], v, 3);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal("?yn"[v[k].told], cases[i][1][k]);
    }
}

static void answers_are_taken_apart(void **state)
{
    static const char *const forms[] = {"", "+", "-", "`"};

    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        struct arena a;
        struct written *v = NULL;
        size_t n = 0, len = 0;
        char got[512] = "";

        arena_init(&a, 1 << 20);
        assert_int_equal(
            answer_parse(answers[i].answer, answers[i].cut, 3, &a, &v, &n),
            ERR_OK);
        for (size_t k = 0; k < n; k++) {
            len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%s%s<",
                                    k == 0 ? "" : "|", forms[v[k].form],
                                    v[k].text);
            for (size_t j = 0; j < v[k].id_count; j++)
                len += (size_t)snprintf(got + len, sizeof(got) - len, "%zu",
                                        v[k].ids[j]);
            len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%s%s>",
                                    v[k].quote == NULL ? "" : "'",
                                    v[k].quote == NULL ? "" : v[k].quote,
                                    v[k].quote == NULL ? "" : "'");
        }
        assert_string_equal(got, answers[i].want);
        arena_fini(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_request_is_sent),
        cmocka_unit_test(the_address_may_be_given_in_several_ways),
        cmocka_unit_test(a_wrong_configuration_is_named),
        cmocka_unit_test(refused_forms_are_replaced_and_remembered),
        cmocka_unit_test(what_a_schema_is_to_blame_for_is_forgotten),
        cmocka_unit_test(other_names_of_fields_are_learnt),
        cmocka_unit_test(failures_are_told_apart),
        cmocka_unit_test(a_passing_fault_is_tried_again),
        cmocka_unit_test(a_failing_endpoint_is_left_alone),
        cmocka_unit_test(a_cut_off_answer_says_so),
        cmocka_unit_test(passages_take_the_order_of_both),
        cmocka_unit_test(reasoning_is_taken_out),
        cmocka_unit_test(tokens_are_not_underrated),
        cmocka_unit_test(verdicts_are_read),
        cmocka_unit_test(a_pace_is_learnt),
        cmocka_unit_test(a_late_endpoint_is_asked_less),
        cmocka_unit_test(answers_are_taken_apart)};

    return cmocka_run_group_tests(tests, server_start, server_stop);
}
