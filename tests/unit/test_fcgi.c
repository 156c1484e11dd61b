/*
 * The FastCGI server itself: fcgi_serve in a thread on a unix socket, spoken
 * to byte by byte by the small client below. search_run is the test's own:
 * it waits until the test lets it go, so that requests can be kept in flight.
 */
#include "webapp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

/* --- the search that waits -------------------------------------------------
 */

static sem_t search_began, search_goes;

enum err search_run(const struct search_env *env, const struct search_params *p,
                    struct deadline d, const char *id, struct arena *a,
                    struct search_result *out, struct errctx *ec)
{
    (void)env;
    (void)p;
    (void)d;
    (void)id;
    (void)a;
    (void)out;
    sem_post(&search_began);
    while (sem_wait(&search_goes) != 0 && errno == EINTR)
        ;
    return err_set(ec, ERR_NO_RESULT, "nothing");
}

int64_t search_deadline_ms(const struct conf *c, struct model *model,
                           enum search_depth depth)
{
    (void)c;
    (void)model;
    (void)depth;
    return 30000;
}

/* --- the server --------------------------------------------------------------
 */

struct server {
    struct webapp t;
    char path[64];
    int listen_fd, stop[2];
    pthread_t thread;
    enum err result;
    struct errctx ec;
};

static sem_t kick_goes;
static _Atomic int kicks;

static void kick(struct app *app, struct db *state)
{
    (void)app;
    assert_non_null(state);
    while (sem_wait(&kick_goes) != 0 && errno == EINTR)
        ;
    atomic_fetch_add(&kicks, 1);
}

static void *serve(void *arg)
{
    struct server *s = arg;

    s->result = fcgi_serve(&s->t.app, s->listen_fd, s->stop[0], &s->ec);
    return NULL;
}

static void server_prepare(struct server *s, const char *threads,
                           const char *queue)
{
    char v1[64], v2[64];
    char *envp[] = {v1, v2, (char *)"CITED_LIMITS_BODY_BYTES=100000", NULL};
    struct sockaddr_un sa = {.sun_family = AF_UNIX};

    memset(s, 0, sizeof *s);
    snprintf(v1, sizeof v1, "CITED_SERVER_THREADS=%s", threads);
    snprintf(v2, sizeof v2, "CITED_SERVER_QUEUE=%s", queue);
    webapp_open(&s->t, envp);
    assert_int_equal(sem_init(&search_began, 0, 0), 0);
    assert_int_equal(sem_init(&search_goes, 0, 0), 0);
    assert_int_equal(sem_init(&kick_goes, 0, 0), 0);
    atomic_store(&kicks, 0);
    snprintf(s->path, sizeof s->path, "%s/sock", s->t.dir);
    snprintf(sa.sun_path, sizeof sa.sun_path, "%s", s->path);
    s->listen_fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(s->listen_fd >= 0);
    assert_int_equal(bind(s->listen_fd, (struct sockaddr *)&sa, sizeof sa), 0);
    assert_int_equal(listen(s->listen_fd, 1024), 0);
    assert_int_equal(pipe(s->stop), 0);
}

static void server_run(struct server *s)
{
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static void server_start(struct server *s, const char *threads,
                         const char *queue)
{
    server_prepare(s, threads, queue);
    server_run(s);
}

static void server_ask_stop(struct server *s)
{
    assert_int_equal(write(s->stop[1], "x", 1), 1);
}

static void server_end(struct server *s)
{
    pthread_join(s->thread, NULL);
    assert_int_equal(s->result, ERR_OK);
    close(s->listen_fd);
    close(s->stop[0]);
    close(s->stop[1]);
    webapp_close(&s->t);
}

static void server_stop(struct server *s)
{
    int64_t start = clock_mono_ms();

    server_ask_stop(s);
    server_end(s);
    assert_true(clock_mono_ms() - start < 2000);
}

/* --- the client
 * ---------------------------------------------------------------- */

enum { BEGIN = 1, END = 3, PARAMS = 4, STDIN = 5, STDOUT = 6, KEEP = 1 };

static int dial(const struct server *s)
{
    struct sockaddr_un sa = {.sun_family = AF_UNIX};
    struct timeval tv = {.tv_sec = 20};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
    snprintf(sa.sun_path, sizeof sa.sun_path, "%s", s->path);
    assert_int_equal(connect(fd, (struct sockaddr *)&sa, sizeof sa), 0);
    return fd;
}

static void put_record(struct buf *b, int type, const char *p, size_t n)
{
    /* libfcgi does not expect padding behind its fixed-size record */
    unsigned char pad = type == BEGIN ? 0 : (unsigned char)(n % 3);
    unsigned char h[8] = {1,
                          (unsigned char)type,
                          0,
                          7,
                          (unsigned char)(n >> 8),
                          (unsigned char)n,
                          pad,
                          0};

    buf_add(b, h, sizeof h);
    buf_add(b, p, n);
    assert_int_equal(buf_add(b, "\0\0\0", pad), ERR_OK);
}

static void put_length(struct buf *b, size_t n)
{
    if (n >= 128) {
        buf_addc(b, (char)(n >> 24 | 128));
        buf_addc(b, (char)(n >> 16));
        buf_addc(b, (char)(n >> 8));
    }
    buf_addc(b, (char)n);
}

static void put_param(struct buf *b, const char *name, const char *value)
{
    put_length(b, strlen(name));
    put_length(b, strlen(value));
    buf_adds(b, name);
    buf_adds(b, value);
}

/* Cut content into records of at most size bytes, and end the stream. */
static void put_stream(struct buf *b, int type, const char *p, size_t n,
                       size_t size)
{
    while (n > 0) {
        size_t k = n < size ? n : size;

        put_record(b, type, p, k);
        p += k;
        n -= k;
    }
    put_record(b, type, "", 0);
}

struct said {
    const char *method, *path, *body;
    size_t body_len;
    size_t record; /* bytes a record, 0: as many as fit */
    bool keep, no_length, no_key;
    size_t cookie; /* bytes of a header nobody needs */
};

/* The whole request as bytes. */
static void compose(const struct server *s, const struct said *q, struct buf *b)
{
    size_t n = q->body == NULL   ? 0
               : q->body_len > 0 ? q->body_len
                                 : strlen(q->body);
    size_t size = q->record > 0 ? q->record : 65535;
    char begin[8] = {0, 1, q->keep ? KEEP : 0, 0, 0, 0, 0, 0}, num[32];
    char *cookie = calloc(1, q->cookie + 1);
    struct buf p;

    buf_init(&p, 1 << 22);
    put_param(&p, "REQUEST_METHOD", q->method);
    put_param(&p, "SCRIPT_NAME", "");
    put_param(&p, "PATH_INFO", q->path);
    if (!q->no_key)
        put_param(&p, "HTTP_AUTHORIZATION", s->t.bearer);
    memset(cookie, 'c', q->cookie);
    put_param(&p, "HTTP_COOKIE", cookie);
    free(cookie);
    snprintf(num, sizeof num, "%zu", n);
    if (q->body != NULL)
        put_param(&p, "CONTENT_TYPE", "application/json");
    if (q->body != NULL && !q->no_length)
        put_param(&p, "CONTENT_LENGTH", num);
    put_record(b, BEGIN, begin, sizeof begin);
    put_stream(b, PARAMS, p.data, p.len, size);
    put_stream(b, STDIN, q->body == NULL ? "" : q->body, n, size);
    assert_int_equal(buf_err(b), ERR_OK);
    buf_fini(&p);
}

static void send_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t k = send(fd, p, n, MSG_NOSIGNAL);

        if (k <= 0)
            return;
        p += k;
        n -= (size_t)k;
    }
}

static void say(const struct server *s, int fd, const struct said *q)
{
    struct buf b;

    buf_init(&b, 1 << 25);
    compose(s, q, &b);
    send_all(fd, b.data, b.len);
    buf_fini(&b);
}

static bool read_all(int fd, void *p, size_t n)
{
    char *q = p;

    while (n > 0) {
        ssize_t k = read(fd, q, n);

        if (k <= 0)
            return false;
        q += k;
        n -= (size_t)k;
    }
    return true;
}

/* What came on standard output until END_REQUEST; false: the connection
 * ended before. */
static bool hear(int fd, struct buf *out)
{
    unsigned char h[8];
    char data[65536 + 256];

    buf_reset(out);
    while (read_all(fd, h, sizeof h)) {
        size_t n = (size_t)h[4] << 8 | h[5];

        if (!read_all(fd, data, n + h[6]))
            return false;
        assert_int_equal(h[3], 7);
        if (h[1] == END)
            return true;
        if (h[1] == STDOUT)
            buf_add(out, data, n);
    }
    return false;
}

static void hears(int fd, const char *status, const char *part)
{
    struct buf out;

    buf_init(&out, 1 << 22);
    if (!hear(fd, &out))
        fail_msg("no answer");
    if (strncmp(buf_str(&out), "Status: ", 8) != 0 ||
        strncmp(buf_str(&out) + 8, status, strlen(status)) != 0 ||
        strstr(buf_str(&out), part) == NULL)
        fail_msg("wanted %s %s, got %s", status, part, buf_str(&out));
    buf_fini(&out);
}

static void is_closed(int fd)
{
    char c;

    assert_int_equal(read(fd, &c, 1), 0);
    close(fd);
}

static const struct said balance = {.method = "GET",
                                    .path = "/v1/credits/balance"};
static const struct said search = {.method = "POST",
                                   .path = "/v1/search",
                                   .body = "{\"q\":\"why?\",\"depth\":\"fast\","
                                           "\"outputType\":\"searchResults\"}"};

/* One whole exchange on a connection of its own. */
static void exchange(const struct server *s, const struct said *q,
                     const char *status, const char *part)
{
    int fd = dial(s);

    say(s, fd, q);
    hears(fd, status, part);
    is_closed(fd);
}

/* --- cases
 * ----------------------------------------------------------------------- */

static void a_request_is_answered_and_the_connection_closed(void **state)
{
    struct server s;
    struct said head = {.method = "HEAD", .path = "/healthz", .no_key = true};
    struct said none = {.method = "GET", .path = "/v1/nothing"};

    (void)state;
    server_start(&s, "2", "16");
    exchange(&s, &balance, "200 OK", "\r\n\r\n{\"balance\":1000000}");
    exchange(&s, &none, "404 Not Found", "\"NOT_FOUND\"");
    exchange(&s, &head, "200 OK", "\r\n\r\n");
    server_stop(&s);
}

static void a_kept_connection_serves_many_requests(void **state)
{
    struct server s;
    struct said keep = balance;
    int fd;

    (void)state;
    server_start(&s, "1", "16");
    keep.keep = true;
    fd = dial(&s);
    for (int i = 0; i < 20; i++) {
        say(&s, fd, &keep);
        hears(fd, "200", "1000000");
    }
    say(&s, fd, &balance);
    hears(fd, "200", "1000000");
    is_closed(fd);
    server_stop(&s);
}

static void idle_kept_connections_hold_no_thread(void **state)
{
    struct server s;
    struct said keep = balance;
    int fd[20];

    (void)state;
    server_start(&s, "1", "16");
    keep.keep = true;
    for (int i = 0; i < 20; i++) {
        fd[i] = dial(&s);
        say(&s, fd[i], &keep);
        hears(fd[i], "200", "1000000");
    }
    exchange(&s, &balance, "200", "1000000");
    for (int i = 0; i < 20; i++) {
        say(&s, fd[i], &keep);
        hears(fd[i], "200", "1000000");
    }
    server_stop(&s);
    for (int i = 0; i < 20; i++)
        is_closed(fd[i]);
}

static void silent_connections_hold_no_thread(void **state)
{
    struct server s;
    int fd[50];

    (void)state;
    server_start(&s, "1", "16");
    for (int i = 0; i < 50; i++)
        fd[i] = dial(&s);
    exchange(&s, &balance, "200", "1000000");
    server_stop(&s);
    for (int i = 0; i < 50; i++)
        is_closed(fd[i]);
}

static void records_may_be_cut_anywhere(void **state)
{
    struct server s;
    struct said q = {.method = "POST",
                     .path = "/v1/research",
                     .body = "{\"q\":\"why?\",\"outputType\":"
                             "\"sourcedAnswer\"}"};
    struct buf b;
    int fd;

    (void)state;
    server_start(&s, "2", "16");
    for (q.record = 1; q.record < 40; q.record += 6)
        exchange(&s, &q, "200 OK", "\"pending\"");
    /* and the bytes may come one by one */
    buf_init(&b, 1 << 20);
    compose(&s, &q, &b);
    fd = dial(&s);
    for (size_t i = 0; i < b.len; i++)
        send_all(fd, b.data + i, 1);
    hears(fd, "200 OK", "\"pending\"");
    is_closed(fd);
    buf_fini(&b);
    server_stop(&s);
}

static void parameters_may_be_longer_than_a_record(void **state)
{
    struct server s;
    struct said q = balance;

    (void)state;
    server_start(&s, "2", "16");
    for (q.cookie = 65400; q.cookie < 65600; q.cookie += 20)
        exchange(&s, &q, "200 OK", "1000000");
    q.cookie = 1000000;
    exchange(&s, &q, "200 OK", "1000000");
    server_stop(&s);
}

static void a_body_needs_no_announced_length(void **state)
{
    struct server s;
    struct said q = {.method = "POST",
                     .path = "/v1/research",
                     .no_length = true,
                     .body = "{\"q\":\"why?\",\"outputType\":"
                             "\"sourcedAnswer\"}"};

    (void)state;
    server_start(&s, "2", "16");
    exchange(&s, &q, "200 OK", "\"pending\"");
    q.body = NULL;
    exchange(&s, &q, "411", "LENGTH_REQUIRED");
    server_stop(&s);
}

static void a_body_over_the_cap_is_refused_on_a_usable_connection(void **state)
{
    struct server s;
    struct said q = {.method = "POST", .path = "/v1/search", .keep = true};
    size_t big = 10 << 20; /* more than is read to its end */
    char *body = malloc(big);
    int fd;

    (void)state;
    assert_non_null(body);
    memset(body, ' ', big);
    server_start(&s, "2", "16");
    q.body = body;
    q.body_len = 100000;
    exchange(&s,
             &(struct said){.method = "POST",
                            .path = "/v1/search",
                            .body = body,
                            .body_len = 100000},
             "400", "VALIDATION_ERROR");
    fd = dial(&s);
    q.body_len = 100001;
    say(&s, fd, &q);
    hears(fd, "413", "PAYLOAD_TOO_LARGE");
    q.body_len = 1000000;
    q.no_length = true;
    say(&s, fd, &q);
    hears(fd, "413", "PAYLOAD_TOO_LARGE");
    say(&s, fd, &balance);
    hears(fd, "200", "1000000");
    is_closed(fd);
    /* still an answer, not a reset */
    fd = dial(&s);
    q.body_len = big;
    say(&s, fd, &q);
    hears(fd, "413", "PAYLOAD_TOO_LARGE");
    is_closed(fd);
    free(body);
    server_stop(&s);
}

static void a_peer_that_stalls_is_given_up(void **state)
{
    struct server s;
    struct buf b;
    int fd;

    (void)state;
    server_start(&s, "1", "16");
    buf_init(&b, 1 << 20);
    compose(&s, &search, &b);
    fd = dial(&s);
    send_all(fd, b.data, b.len - 20);
    /* the only thread is waiting for the rest; then it serves this one */
    exchange(&s, &balance, "200", "1000000");
    hears(fd, "400", "did not arrive whole");
    is_closed(fd);
    buf_fini(&b);
    server_stop(&s);
}

static void a_client_that_left_does_no_harm(void **state)
{
    struct server s;
    struct buf b;

    (void)state;
    server_start(&s, "2", "64");
    buf_init(&b, 1 << 20);
    compose(&s, &balance, &b);
    for (size_t n = 0; n <= b.len; n += 7) {
        int fd = dial(&s);

        send_all(fd, b.data, n);
        close(fd);
    }
    exchange(&s, &balance, "200", "1000000");
    buf_fini(&b);
    server_stop(&s);
}

static void nonsense_is_hung_up_on(void **state)
{
    static const char *const rows[] = {"GET / HTTP/1.1\r\n\r\n",
                                       "\x02\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
                                       "\1\1\0\1\0\1\0\0\0\0\0\0\0\0\0\0"};
    struct server s;
    char c;

    (void)state;
    server_start(&s, "2", "16");
    for (size_t i = 0; i < 3; i++) {
        int fd = dial(&s);

        send_all(fd, rows[i], 16);
        shutdown(fd, SHUT_WR);
        assert_true(read(fd, &c, 1) <= 0);
        close(fd);
    }
    exchange(&s, &balance, "200", "1000000");
    server_stop(&s);
}

static void a_full_queue_is_answered_at_once(void **state)
{
    struct server s;
    int busy, queued, refused;

    (void)state;
    server_start(&s, "1", "1");
    busy = dial(&s);
    say(&s, busy, &search);
    sem_wait(&search_began);
    queued = dial(&s);
    say(&s, queued, &balance);
    /* the queue is one long; which of several is queued does not matter */
    for (int i = 0; i < 30; i++) {
        struct buf out;

        refused = dial(&s);
        say(&s, refused, &balance);
        buf_init(&out, 1 << 16);
        if (!hear(refused, &out))
            fail_msg("no answer");
        assert_non_null(strstr(buf_str(&out), "Status: 503 "));
        assert_non_null(strstr(buf_str(&out), "Retry-After: 1\r\n"));
        assert_non_null(strstr(buf_str(&out), "\"statusCode\":503"));
        buf_fini(&out);
        is_closed(refused);
    }
    sem_post(&search_goes);
    hears(busy, "400", "SEARCH_QUERY_NO_RESULT");
    hears(queued, "200", "1000000");
    is_closed(busy);
    is_closed(queued);
    server_stop(&s);
}

static void threads_serve_side_by_side(void **state)
{
    struct server s;
    int fd[8];

    (void)state;
    server_start(&s, "8", "64");
    for (int i = 0; i < 8; i++) {
        fd[i] = dial(&s);
        say(&s, fd[i], &search);
    }
    for (int i = 0; i < 8; i++)
        sem_wait(&search_began);
    for (int i = 0; i < 8; i++)
        sem_post(&search_goes);
    for (int i = 0; i < 8; i++) {
        hears(fd[i], "400", "SEARCH_QUERY_NO_RESULT");
        is_closed(fd[i]);
    }
    server_stop(&s);
}

static void what_is_in_flight_is_finished_when_asked_to_stop(void **state)
{
    struct server s;
    int busy, queued;

    (void)state;
    server_start(&s, "1", "16");
    busy = dial(&s);
    say(&s, busy, &search);
    sem_wait(&search_began);
    queued = dial(&s);
    say(&s, queued, &balance);
    server_ask_stop(&s);
    sem_post(&search_goes);
    hears(busy, "400", "SEARCH_QUERY_NO_RESULT");
    hears(queued, "200", "1000000");
    is_closed(busy);
    is_closed(queued);
    server_end(&s);
}

static void a_kick_comes_after_the_reply(void **state)
{
    struct server s;
    struct said q = {.method = "POST",
                     .path = "/v1/research",
                     .body = "{\"q\":\"why?\",\"outputType\":"
                             "\"sourcedAnswer\"}"};

    (void)state;
    server_prepare(&s, "1", "16");
    s.t.app.kick = kick;
    server_run(&s);
    exchange(&s, &q, "200 OK", "\"pending\"");
    assert_int_equal(atomic_load(&kicks), 0);
    sem_post(&kick_goes);
    exchange(&s, &balance, "200", "1000000");
    assert_int_equal(atomic_load(&kicks), 1);
    server_stop(&s);
}

/* Over TCP, from 127.0.0.1, to a server that allows only the list. */
static bool is_answered_over_tcp(const char *list)
{
    struct server s;
    struct sockaddr_in sa = {.sin_family = AF_INET,
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof sa;
    struct timeval tv = {.tv_sec = 20};
    struct buf out;
    bool answered;
    int fd, tcp = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(tcp, (struct sockaddr *)&sa, sizeof sa), 0);
    assert_int_equal(listen(tcp, 16), 0);
    assert_int_equal(getsockname(tcp, (struct sockaddr *)&sa, &len), 0);
    server_prepare(&s, "1", "16");
    s.t.app.web_servers = list;
    close(s.listen_fd);
    s.listen_fd = tcp;
    server_run(&s);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
    assert_int_equal(connect(fd, (struct sockaddr *)&sa, sizeof sa), 0);
    say(&s, fd, &balance);
    buf_init(&out, 1 << 16);
    answered = hear(fd, &out);
    buf_fini(&out);
    close(fd);
    server_stop(&s);
    return answered;
}

static void only_named_web_servers_are_answered_over_tcp(void **state)
{
    (void)state;
    assert_true(is_answered_over_tcp(NULL));
    assert_true(is_answered_over_tcp("127.0.0.1"));
    assert_true(is_answered_over_tcp("10.0.0.1, 127.0.0.1"));
    assert_false(is_answered_over_tcp("10.0.0.1,127.0.0.10"));
    assert_false(is_answered_over_tcp(""));
}

static void a_descriptor_that_does_not_listen_is_an_error(void **state)
{
    struct webapp t;
    struct errctx ec = {0};
    int p[2];

    (void)state;
    webapp_open(&t, NULL);
    assert_int_equal(pipe(p), 0);
    assert_int_equal(fcgi_serve(&t.app, 9999, p[0], &ec), ERR_IO);
    assert_int_equal(ec.code, ERR_IO);
    close(p[0]);
    close(p[1]);
    webapp_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_answered_and_the_connection_closed),
        cmocka_unit_test(a_kept_connection_serves_many_requests),
        cmocka_unit_test(idle_kept_connections_hold_no_thread),
        cmocka_unit_test(silent_connections_hold_no_thread),
        cmocka_unit_test(records_may_be_cut_anywhere),
        cmocka_unit_test(parameters_may_be_longer_than_a_record),
        cmocka_unit_test(a_body_needs_no_announced_length),
        cmocka_unit_test(a_body_over_the_cap_is_refused_on_a_usable_connection),
        cmocka_unit_test(a_peer_that_stalls_is_given_up),
        cmocka_unit_test(a_client_that_left_does_no_harm),
        cmocka_unit_test(nonsense_is_hung_up_on),
        cmocka_unit_test(a_full_queue_is_answered_at_once),
        cmocka_unit_test(threads_serve_side_by_side),
        cmocka_unit_test(what_is_in_flight_is_finished_when_asked_to_stop),
        cmocka_unit_test(a_kick_comes_after_the_reply),
        cmocka_unit_test(only_named_web_servers_are_answered_over_tcp),
        cmocka_unit_test(a_descriptor_that_does_not_listen_is_an_error),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
