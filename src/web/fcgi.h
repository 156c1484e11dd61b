/*
 * One FastCGI connection, one request at a time; between fcgi.c, which alone
 * knows libfcgi, and fcgi_loop.c, which owns descriptors and threads.
 */
#ifndef CITED_WEB_FCGI_H
#define CITED_WEB_FCGI_H

#include "base/err.h"
#include "web/app.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What became of the connection. */
enum fcgi_end {
    FCGI_END_KEEP,  /* answered; the peer will send another request */
    FCGI_END_CLOSE, /* answered; nothing more is expected */
    FCGI_END_DRAIN, /* answered before the peer had sent everything */
    FCGI_END_GONE   /* no request came; the descriptor is closed already */
};

/* Once, before any other call. ERR_INTERNAL when libfcgi refuses. */
MUST_CHECK enum err fcgi_init(struct errctx *ec);

/*
 * Read one request from fd (with send and receive timeouts set), answer it
 * through app_handle before the deadline, reset the arena. body is the
 * thread's buffer for request bodies. *kick tells that app->kick is due.
 */
enum fcgi_end fcgi_request(struct worker_ctx *w, int fd, struct deadline d,
                           struct buf *body, bool *kick);

/*
 * Answer whatever request is arriving on fd with 503, without reading more
 * than its first record, and end the sending side. Never blocks.
 */
void fcgi_refuse(int fd);

/* --- connections ------------------------------------------------------------
 */

enum conn_state { CONN_FREE, CONN_IDLE, CONN_QUEUED, CONN_BUSY, CONN_DRAIN };

struct conn {
    int fd;
    enum conn_state state;
    bool watched;  /* epoll knows the descriptor */
    bool served;   /* a request was answered: may idle for ever */
    int64_t at_ms; /* of the last change of state, monotonic */
    size_t drained;
    struct conn *next; /* in the queue or the free list */
};

struct conn_set {
    int epoll_fd;
    struct conn *all, *unused, *head, *tail;
    size_t max, count, queued;
};

MUST_CHECK enum err conn_set_init(struct conn_set *s, size_t max);
void conn_set_fini(struct conn_set *s); /* closes none of the connections */

/* A place for fd, IDLE but not yet watched; NULL when the table is full. */
struct conn *conn_take(struct conn_set *s, int fd);
/* Give the place back; the descriptor is closed already. */
void conn_put(struct conn_set *s, struct conn *c);
void conn_close(struct conn_set *s, struct conn *c);

/* To the end of the queue, and its first one as BUSY (NULL: empty). */
void conn_enqueue(struct conn_set *s, struct conn *c);
struct conn *conn_dequeue(struct conn_set *s);

/* Watch for one readable event in state IDLE or DRAIN; closes on failure. */
void conn_watch(struct conn_set *s, struct conn *c, enum conn_state state);
/* Answer with 503 and drain. */
void conn_refuse(struct conn_set *s, struct conn *c);
/* Throw away what has come; closes at the end of the stream. */
void conn_drain(struct conn_set *s, struct conn *c);
/* Close what has been silent or draining for too long. */
void conn_sweep(struct conn_set *s);
/* For the end: close what is idle; a request that just came on such a
 * connection is queued. */
void conn_close_idle(struct conn_set *s);

/* Is there a byte to read? Nothing is taken. */
bool conn_is_readable(int fd);

#endif
