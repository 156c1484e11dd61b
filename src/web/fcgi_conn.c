/* The FastCGI server's connections; see fcgi.h. */
#include "web/fcgi.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    FIRST_BYTE_MS = 30000, /* a new connection that sends nothing */
    DRAIN_MS = 5000,
    DRAIN_MAX = 64 * 1024 * 1024
};

enum err conn_set_init(struct conn_set *s, size_t max)
{
    *s = (struct conn_set){.epoll_fd = -1, .max = max};
    s->all = calloc(max, sizeof *s->all);
    if (s->all == NULL)
        return ERR_NOMEM;
    for (size_t i = max; i-- > 0;) {
        s->all[i].fd = -1;
        s->all[i].next = s->unused;
        s->unused = &s->all[i];
    }
    s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (s->epoll_fd >= 0)
        return ERR_OK;
    free(s->all);
    s->all = NULL;
    return ERR_IO;
}

void conn_set_fini(struct conn_set *s)
{
    if (s->epoll_fd >= 0)
        close(s->epoll_fd);
    free(s->all);
}

struct conn *conn_take(struct conn_set *s, int fd)
{
    struct conn *c = s->unused;

    if (c == NULL)
        return NULL;
    s->unused = c->next;
    s->count++;
    *c = (struct conn){.fd = fd, .state = CONN_IDLE, .at_ms = clock_mono_ms()};
    return c;
}

void conn_put(struct conn_set *s, struct conn *c)
{
    c->state = CONN_FREE;
    c->fd = -1;
    c->next = s->unused;
    s->unused = c;
    s->count--;
}

void conn_close(struct conn_set *s, struct conn *c)
{
    close(c->fd);
    conn_put(s, c);
}

void conn_enqueue(struct conn_set *s, struct conn *c)
{
    c->state = CONN_QUEUED;
    c->at_ms = clock_mono_ms();
    c->next = NULL;
    if (s->tail == NULL)
        s->head = c;
    else
        s->tail->next = c;
    s->tail = c;
    s->queued++;
}

struct conn *conn_dequeue(struct conn_set *s)
{
    struct conn *c = s->head;

    if (c == NULL)
        return NULL;
    s->head = c->next;
    if (s->head == NULL)
        s->tail = NULL;
    s->queued--;
    c->state = CONN_BUSY;
    return c;
}

void conn_watch(struct conn_set *s, struct conn *c, enum conn_state state)
{
    struct epoll_event ev = {.events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT,
                             .data.ptr = c};
    int op = c->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

    c->state = state;
    c->at_ms = clock_mono_ms();
    c->watched = true;
    if (epoll_ctl(s->epoll_fd, op, c->fd, &ev) != 0)
        conn_close(s, c);
}

void conn_refuse(struct conn_set *s, struct conn *c)
{
    fcgi_refuse(c->fd);
    conn_watch(s, c, CONN_DRAIN);
}

void conn_drain(struct conn_set *s, struct conn *c)
{
    int64_t since = c->at_ms;
    char trash[16 * 1024];
    ssize_t n = 0;

    while (c->drained < DRAIN_MAX &&
           (n = recv(c->fd, trash, sizeof trash, MSG_DONTWAIT)) > 0)
        c->drained += (size_t)n;
    if (n >= 0 || (errno != EAGAIN && errno != EINTR)) {
        conn_close(s, c);
        return;
    }
    conn_watch(s, c, CONN_DRAIN);
    /* The bound is for all of it. */
    c->at_ms = since;
}

static bool is_overdue(const struct conn *c, int64_t now)
{
    if (c->state == CONN_DRAIN)
        return now - c->at_ms > DRAIN_MS;
    return c->state == CONN_IDLE && !c->served &&
           now - c->at_ms > FIRST_BYTE_MS;
}

void conn_sweep(struct conn_set *s)
{
    int64_t now = clock_mono_ms();

    for (size_t i = 0; i < s->max; i++)
        if (is_overdue(&s->all[i], now))
            conn_close(s, &s->all[i]);
}

void conn_close_idle(struct conn_set *s)
{
    for (size_t i = 0; i < s->max; i++) {
        struct conn *c = &s->all[i];

        if (c->state == CONN_IDLE && conn_is_readable(c->fd))
            conn_enqueue(s, c);
        else if (c->state == CONN_IDLE || c->state == CONN_DRAIN)
            conn_close(s, c);
    }
}

bool conn_is_readable(int fd)
{
    char b;

    return recv(fd, &b, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}
