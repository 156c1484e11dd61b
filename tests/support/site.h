/*
 * A small HTTP/1.1 server inside a test: a thread on an ephemeral loopback
 * port, a thread for each connection, one handler that writes whatever it
 * likes. Used by test_http.c and test_crawl.c only.
 */
#ifndef CITED_TESTS_SITE_H
#define CITED_TESTS_SITE_H

#include "peer.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SITE_CONNECTIONS_MAX = 1024, SITE_REQUEST_MAX = 16 * 1024 };

struct site_request {
    int fd;
    char method[16];
    char path[4096];             /* with the query */
    char head[SITE_REQUEST_MAX]; /* request line and headers */
    const char *body;            /* what came along with the headers */
};

struct site;
/* Returns whether the connection may carry another request. */
typedef bool site_handler(struct site *s, struct site_request *rq);

struct site {
    int fd, port;
    int stop_pipe[2];
    pthread_t acceptor;
    pthread_t thread[SITE_CONNECTIONS_MAX];
    int conn[SITE_CONNECTIONS_MAX];
    int count, joined; /* connections; those that ended and were waited for */
    _Atomic int requests;
    site_handler *handler;
    void *user;
};

struct site_conn {
    struct site *site;
    int fd;
};

static inline void site_write(int fd, const void *p, size_t n)
{
    const char *q = p;

    while (n > 0) {
        ssize_t k = send(fd, q, n, MSG_NOSIGNAL);

        if (k <= 0)
            return;
        q += k;
        n -= (size_t)k;
    }
}

__attribute__((format(printf, 2, 3))) static inline void
site_printf(int fd, const char *fmt, ...)
{
    char text[8192];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n > 0)
        site_write(fd, text,
                   (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* headers: "" or lines ending in CRLF. */
static inline bool site_reply(int fd, int status, const char *type,
                              const char *headers, const void *body, size_t n)
{
    site_printf(fd, "HTTP/1.1 %d X\r\n%s%s%s%sContent-Length: %zu\r\n\r\n",
                status, *type ? "Content-Type: " : "", type,
                *type ? "\r\n" : "", headers, n);
    site_write(fd, body, n);
    return true;
}

/* The value of a request header into out, or "". */
static inline const char *site_header(const struct site_request *rq,
                                      const char *name, char *out, size_t size)
{
    char line[128];
    const char *p;

    snprintf(line, sizeof line, "\r\n%s: ", name);
    p = strcasestr(rq->head, line);
    out[0] = '\0';
    if (p != NULL) {
        p += strlen(line);
        snprintf(out, size, "%.*s", (int)strcspn(p, "\r"), p);
    }
    return out;
}

/* One request's head; false when the peer left. */
static inline bool site_read(struct site_request *rq)
{
    size_t n = 0;
    char *end = NULL;

    while (end == NULL && n < sizeof rq->head - 1) {
        ssize_t k = recv(rq->fd, rq->head + n, sizeof rq->head - 1 - n, 0);

        if (k <= 0)
            return false;
        n += (size_t)k;
        rq->head[n] = '\0';
        end = strstr(rq->head, "\r\n\r\n");
    }
    if (end == NULL)
        return false;
    rq->body = end + 4;
    return sscanf(rq->head, "%15s %4095s", rq->method, rq->path) == 2;
}

static inline void *site_serve(void *arg)
{
    struct site_conn *c = arg;
    struct site_request *rq = malloc(sizeof *rq);

    if (rq != NULL) {
        rq->fd = c->fd;
        while (site_read(rq)) {
            atomic_fetch_add(&c->site->requests, 1);
            if (!c->site->handler(c->site, rq))
                break;
        }
    }
    shutdown(c->fd, SHUT_RDWR);
    free(rq);
    free(c);
    return NULL;
}

static inline void *site_accept(void *arg)
{
    struct site *s = arg;

    while (s->count < SITE_CONNECTIONS_MAX) {
        struct pollfd p[2] = {{s->fd, POLLIN, 0}, {s->stop_pipe[0], POLLIN, 0}};
        struct site_conn *c;
        int fd;

        if (poll(p, 2, -1) < 0 || p[1].revents != 0)
            break;
        fd = accept(s->fd, NULL, NULL);
        if (fd < 0)
            continue;
        c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        *c = (struct site_conn){s, fd};
        s->conn[s->count] = fd;
        if (pthread_create(&s->thread[s->count], NULL, site_serve, c) != 0)
            abort();
        s->count++;
    }
    return NULL;
}

static inline void site_start(struct site *s, site_handler *handler, void *user)
{
    memset(s, 0, sizeof *s);
    s->handler = handler;
    s->user = user;
    s->fd = peer_listen(&s->port);
    if (s->fd < 0 || pipe(s->stop_pipe) != 0)
        abort();
    if (pthread_create(&s->acceptor, NULL, site_accept, s) != 0)
        abort();
}

/* Wait for the connections of a client that is gone: what their threads hold at
 * a fork, the allocator's locks too, would stay held in the child. */
static inline void site_settle(struct site *s)
{
    for (; s->joined < s->count; s->joined++) {
        pthread_join(s->thread[s->joined], NULL);
        close(s->conn[s->joined]);
    }
}

static inline void site_stop(struct site *s)
{
    if (write(s->stop_pipe[1], "x", 1) != 1)
        abort();
    pthread_join(s->acceptor, NULL);
    for (int i = s->joined; i < s->count; i++)
        shutdown(s->conn[i], SHUT_RDWR);
    site_settle(s);
    close(s->fd);
    close(s->stop_pipe[0]);
    close(s->stop_pipe[1]);
}

#endif
