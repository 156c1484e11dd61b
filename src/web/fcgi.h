/*
 * One FastCGI connection, one request at a time; between fcgi.c, which alone
 * knows libfcgi, and fcgi_loop.c, which owns descriptors and threads.
 */
#ifndef CITED_WEB_FCGI_H
#define CITED_WEB_FCGI_H

#include "web/app.h"

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

#endif
