/*
 * The address guard against every spelling of tests/support/forbidden.json,
 * by every route: asked for directly, by redirects, by names whose address
 * changes. Two things must stay at zero: requests to a canary server on
 * loopback, and calls of connect() to an address that is not public. Both
 * calls below take the place of the C library's, also for libcurl (the
 * program exports them): no name server and no foreign host is asked.
 */
#include "net/http.h"

#include "base/log.h"
#include "base/url.h"
#include "json/json.h"

#include "suites.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { CASES_MAX = 256, CASES_LEAST = 60, URL_SIZE = 512, HOPS = 2 };

/* --- names --------------------------------------------------------------- */

static atomic_int asked; /* how often the name that changes was looked up */

static const struct {
    const char *name, *first, *second; /* addresses */
} names[] = {{"front.example", "127.0.0.1", NULL},
             {"public.example", "8.8.4.4", NULL},
             {"canary.example", "127.0.0.1", NULL},
             {"canary6.example", "::1", NULL},
             {"mapped.example", "::ffff:127.0.0.1", NULL},
             {"metadata.example", "169.254.169.254", NULL},
             {"private.example", "10.0.0.1", NULL},
             {"two.example", "8.8.4.4", "127.0.0.1"},
             {"localhost", "127.0.0.1", "::1"}};

static bool address_put(const char *text, int port, struct addrinfo **list)
{
    struct addrinfo *ai = calloc(1, sizeof *ai);
    struct sockaddr_storage *sa = calloc(1, sizeof *sa);
    struct sockaddr_in *in = (struct sockaddr_in *)sa;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)sa;
    bool six = strchr(text, ':') != NULL;

    if (ai == NULL || sa == NULL ||
        inet_pton(six ? AF_INET6 : AF_INET, text,
                  six ? (void *)&in6->sin6_addr : (void *)&in->sin_addr) != 1) {
        free(ai);
        free(sa);
        return false;
    }
    sa->ss_family = six ? AF_INET6 : AF_INET;
    in->sin_port = htons((uint16_t)port); /* at the same place in both */
    ai->ai_family = sa->ss_family;
    ai->ai_socktype = SOCK_STREAM;
    ai->ai_protocol = IPPROTO_TCP;
    ai->ai_addr = (struct sockaddr *)sa;
    ai->ai_addrlen = six ? sizeof *in6 : sizeof *in;
    ai->ai_next = *list;
    *list = ai;
    return true;
}

int getaddrinfo(const char *node, const char *service,
                const struct addrinfo *hints, struct addrinfo **out)
{
    int port = service == NULL ? 0 : (int)strtol(service, NULL, 10);
    const char *first = NULL, *second = NULL;

    (void)hints;
    *out = NULL;
    for (size_t i = 0; node != NULL && i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i].name, node) == 0) {
            first = names[i].first;
            second = names[i].second;
        }
    if (node != NULL && strcmp(node, "changing.example") == 0)
        first = atomic_fetch_add(&asked, 1) == 0 ? "8.8.4.4" : "127.0.0.1";
    if (first == NULL)
        first = node;
    if (second != NULL)
        (void)address_put(second, port, out);
    if (first == NULL || !address_put(first, port, out))
        return EAI_NONAME;
    return 0;
}

void freeaddrinfo(struct addrinfo *list)
{
    while (list != NULL) {
        struct addrinfo *next = list->ai_next;

        free(list->ai_addr);
        free(list);
        list = next;
    }
}

/* --- connections --------------------------------------------------------- */

static int front_port, canary_port;
static atomic_int forbidden_connects, public_connects;
static bool front_only; /* nothing else is allowed by the operator */

static int port_of(const struct sockaddr *sa)
{
    struct sockaddr_in in;

    memcpy(&in, sa, sizeof in);
    return ntohs(in.sin_port);
}

int connect(int fd, const struct sockaddr *sa, socklen_t n)
{
    static int (*real)(int, const struct sockaddr *, socklen_t);

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "connect");
    if (sa->sa_family != AF_INET && sa->sa_family != AF_INET6)
        return real(fd, sa, n);
    if (http_address_is_public(sa)) {
        atomic_fetch_add(&public_connects, 1);
        errno = ECONNREFUSED;
        return -1;
    }
    if (front_only && port_of(sa) != front_port)
        atomic_fetch_add(&forbidden_connects, 1);
    return real(fd, sa, n);
}

/* --- servers ------------------------------------------------------------- */

static atomic_int canary_hits, front_hits;
static char targets[CASES_MAX][URL_SIZE]; /* where the front sends people */
static size_t target_count;

struct listener {
    int fd, port;
    pthread_t thread;
};

static struct listener front, canary, canary6;

static int listen_on(const char *address, int port, int *out)
{
    struct addrinfo *ai = NULL;
    struct sockaddr_storage sa;
    socklen_t n = sizeof sa;
    int fd;

    if (!address_put(address, port, &ai))
        return -1;
    fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, ai->ai_addr, ai->ai_addrlen) != 0 ||
        listen(fd, 64) != 0 ||
        getsockname(fd, (struct sockaddr *)&sa, &n) != 0) {
        if (fd >= 0)
            close(fd);
        fd = -1;
    } else {
        *out = port_of((struct sockaddr *)&sa);
    }
    freeaddrinfo(ai);
    return fd;
}

static void *canary_serve(void *arg)
{
    static const char ok[] = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n"
                             "Connection: close\r\n\r\ncanary";
    struct listener *l = arg;
    int fd;

    while ((fd = accept(l->fd, NULL, NULL)) >= 0) {
        char request[4096];

        if (recv(fd, request, sizeof request, 0) > 0)
            atomic_fetch_add(&canary_hits, 1);
        (void)send(fd, ok, sizeof ok - 1, MSG_NOSIGNAL);
        close(fd);
    }
    return arg;
}

/* "/HOPS/CASE" goes to "/HOPS-1/CASE", and from 0 to the case's target. */
static void *front_serve(void *arg)
{
    struct listener *l = arg;
    int fd;

    while ((fd = accept(l->fd, NULL, NULL)) >= 0) {
        char request[4096] = "", answer[2048];
        unsigned hops = 0, which = 0;
        int n;

        if (recv(fd, request, sizeof request - 1, 0) > 0)
            atomic_fetch_add(&front_hits, 1);
        if (sscanf(request, "GET /%u/%u", &hops, &which) == 2 && hops > 0)
            n = snprintf(answer, sizeof answer,
                         "HTTP/1.1 307 Hop\r\nLocation: /%u/%u\r\n"
                         "Content-Length: 0\r\nConnection: close\r\n\r\n",
                         hops - 1, which);
        else
            n = snprintf(answer, sizeof answer,
                         "HTTP/1.1 302 There\r\nLocation: %s\r\n"
                         "Content-Length: 0\r\nConnection: close\r\n\r\n",
                         which < target_count ? targets[which] : "/");
        (void)send(fd, answer, (size_t)n, MSG_NOSIGNAL);
        close(fd);
    }
    return arg;
}

static int server_start(struct listener *l, const char *address, int port,
                        void *(*serve)(void *))
{
    l->fd = listen_on(address, port, &l->port);
    return l->fd < 0 ? -1 : pthread_create(&l->thread, NULL, serve, l);
}

static int servers_up(void **state)
{
    (void)state;
    log_set_level(LOG_OFF);
    if (server_start(&front, "127.0.0.1", 0, front_serve) != 0 ||
        server_start(&canary, "127.0.0.1", 0, canary_serve) != 0)
        return -1;
    front_port = front.port;
    canary_port = canary.port;
    if (server_start(&canary6, "::1", canary_port, canary_serve) != 0)
        print_message("NOT RUN: no canary on ::1: %s\n", strerror(errno));
    return 0;
}

static void server_stop(struct listener *l)
{
    if (l->fd < 0)
        return;
    shutdown(l->fd, SHUT_RDWR);
    pthread_join(l->thread, NULL);
    close(l->fd);
}

static int servers_down(void **state)
{
    (void)state;
    server_stop(&front);
    server_stop(&canary);
    server_stop(&canary6);
    http_global_fini();
    return 0;
}

/* --- cases --------------------------------------------------------------- */

static char cases[CASES_MAX][URL_SIZE];
static size_t case_count;

/* template with the canary's port for "{P}". */
static void url_fill(const char *template, char out[URL_SIZE])
{
    const char *at = strstr(template, "{P}");

    if (at == NULL)
        snprintf(out, URL_SIZE, "%s", template);
    else
        snprintf(out, URL_SIZE, "%.*s%d%s", (int)(at - template), template,
                 canary_port, at + 3);
}

static void cases_read(void)
{
    size_t n = 0;
    char *text = suite_read("tests/support/forbidden.json", &n);
    struct json *root = NULL;

    case_count = 0;
    assert_non_null(text);
    assert_int_equal(json_parse(text, n, &json_limits_foreign, &root, NULL),
                     ERR_OK);
    for (const struct json *v = json_first(root); v != NULL; v = json_next(v)) {
        assert_true(case_count < CASES_MAX);
        url_fill(json_string(v), cases[case_count++]);
    }
    json_free(root);
    free(text);
    assert_true(case_count >= CASES_LEAST);
}

struct rig {
    struct conf conf;
    struct http *http;
    char allow[128];
};

static void rig_up(struct rig *g, const char *allow)
{
    memset(g, 0, sizeof *g);
    snprintf(g->allow, sizeof g->allow, "front.example:%d,%s", front_port,
             allow);
    g->conf.allow_hosts = g->allow;
    assert_int_equal(http_new(&g->conf, &g->http), ERR_OK);
    front_only = true;
    atomic_store(&canary_hits, 0);
    atomic_store(&forbidden_connects, 0);
    atomic_store(&public_connects, 0);
    atomic_store(&asked, 0);
}

static void rig_down(struct rig *g)
{
    http_free(g->http);
    front_only = false;
}

static enum err get(struct rig *g, const char *url, int redirects)
{
    struct http_request rq = {
        .url = url, .response_max = 65536, .redirects_max = redirects};
    struct http_response res;
    enum err e;

    http_run(g->http, &rq, deadline_in(5000), &res);
    e = res.err;
    http_response_fini(&res);
    return e;
}

static bool is_refusal(enum err e)
{
    return e == ERR_FORBIDDEN || e == ERR_INVALID || e == ERR_UPSTREAM;
}

static void nothing_was_reached(void)
{
    assert_int_equal(atomic_load(&canary_hits), 0);
    assert_int_equal(atomic_load(&forbidden_connects), 0);
}

/* --- tests --------------------------------------------------------------- */

static void the_canary_lives(void **state)
{
    struct rig g;

    (void)state;
    rig_up(&g, "canary.example");
    front_only = false;
    snprintf(targets[0], URL_SIZE, "http://canary.example:%d/", canary_port);
    target_count = 1;
    assert_int_equal(get(&g, targets[0], 0), ERR_OK);
    assert_int_equal(atomic_load(&canary_hits), 1);
    rig_down(&g);
}

static void no_spelling_is_reached(void **state)
{
    struct rig g;

    (void)state;
    cases_read();
    rig_up(&g, "");
    for (size_t i = 0; i < case_count; i++) {
        enum err e = get(&g, cases[i], 0);

        if (!is_refusal(e))
            fail_msg("%s: %s", cases[i], err_name(e));
        nothing_was_reached();
    }
    rig_down(&g);
}

static bool fits_header(const char *z)
{
    return strpbrk(z, "\r\n") == NULL;
}

static void no_redirect_leads_there(void **state)
{
    struct rig g;
    size_t tried = 0;

    (void)state;
    cases_read();
    rig_up(&g, "");
    memcpy(targets, cases, sizeof cases);
    target_count = case_count;
    for (size_t i = 0; i < case_count; i++) {
        for (int hops = 0; fits_header(cases[i]) && hops < HOPS; hops++) {
            char url[URL_SIZE];
            enum err e;

            snprintf(url, sizeof url, "http://front.example:%d/%d/%zu",
                     front_port, hops, i);
            e = get(&g, url, 5);
            if (!is_refusal(e))
                fail_msg("redirect to %s: %s", cases[i], err_name(e));
            nothing_was_reached();
            tried++;
        }
    }
    assert_true(tried >= 2 * CASES_LEAST);
    assert_true(atomic_load(&front_hits) >= (int)tried);
    rig_down(&g);
}

static void a_redirect_without_scheme_is_guarded(void **state)
{
    static const char *const forms[] = {
        "//127.0.0.1:{P}/", "\\\\127.0.0.1:{P}/", "/\\[::1]:{P}/",
        "//canary.example:{P}/", "http:\\127.1:{P}/"};
    struct rig g;
    char url[URL_SIZE];

    (void)state;
    rig_up(&g, "");
    target_count = sizeof forms / sizeof *forms;
    for (size_t i = 0; i < target_count; i++) {
        url_fill(forms[i], targets[i]);
        snprintf(url, sizeof url, "http://front.example:%d/0/%zu", front_port,
                 i);
        assert_true(is_refusal(get(&g, url, 5)));
        nothing_was_reached();
    }
    rig_down(&g);
}

/* The name is checked by its address at each connection: what it was before
 * does not count. */
static void a_name_whose_address_changes_is_refused(void **state)
{
    char url[URL_SIZE];
    struct rig g;

    (void)state;
    rig_up(&g, "");
    snprintf(url, sizeof url, "http://changing.example:%d/", canary_port);
    assert_int_equal(get(&g, url, 0), ERR_UPSTREAM); /* public, refused */
    assert_int_equal(atomic_load(&public_connects), 1);
    http_free(g.http);
    assert_int_equal(http_new(&g.conf, &g.http), ERR_OK);
    assert_int_equal(get(&g, url, 0), ERR_FORBIDDEN);
    assert_true(atomic_load(&asked) >= 2);
    nothing_was_reached();
    rig_down(&g);
}

static void a_second_answer_is_checked_too(void **state)
{
    char url[URL_SIZE];
    struct rig g;

    (void)state;
    rig_up(&g, "");
    snprintf(url, sizeof url, "http://two.example:%d/", canary_port);
    assert_true(is_refusal(get(&g, url, 0)));
    assert_int_equal(atomic_load(&public_connects), 1);
    nothing_was_reached();
    rig_down(&g);
}

/* A connection to an allowed host is not taken for another name of the same
 * address. */
static void an_open_connection_opens_no_door(void **state)
{
    char url[URL_SIZE];
    struct rig g;
    int before;

    (void)state;
    rig_up(&g, "");
    snprintf(targets[0], URL_SIZE, "http://front.example:%d/x", front_port);
    target_count = 1;
    snprintf(url, sizeof url, "http://front.example:%d/0/0", front_port);
    assert_int_equal(get(&g, url, 0), ERR_OK);
    before = atomic_load(&front_hits);
    snprintf(url, sizeof url, "http://canary.example:%d/", front_port);
    assert_int_equal(get(&g, url, 0), ERR_FORBIDDEN);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", front_port);
    assert_int_equal(get(&g, url, 0), ERR_FORBIDDEN);
    snprintf(url, sizeof url, "http://front.example:%d/", canary_port);
    assert_int_equal(get(&g, url, 0), ERR_FORBIDDEN);
    assert_int_equal(atomic_load(&front_hits), before);
    nothing_was_reached();
    rig_down(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_canary_lives),
        cmocka_unit_test(no_spelling_is_reached),
        cmocka_unit_test(no_redirect_leads_there),
        cmocka_unit_test(a_redirect_without_scheme_is_guarded),
        cmocka_unit_test(a_name_whose_address_changes_is_refused),
        cmocka_unit_test(a_second_answer_is_checked_too),
        cmocka_unit_test(an_open_connection_opens_no_door)};

    return cmocka_run_group_tests(tests, servers_up, servers_down);
}
