/*
 * The FastCGI server: one loop that accepts and watches idle connections, and
 * threads that serve ready ones. See fcgi_serve in app.h.
 *
 * Only ready connections reach a thread, so neither a silent peer nor a
 * connection that a web server keeps open for later ever holds one. Threads
 * are started when there is more to do than the ones at hand can take, and
 * woken one after the other: a thread that finds more work wakes the next.
 */
#include "web/fcgi.h"

#include "base/log.h"
#include "base/str.h"
#include "web/route.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    IO_TIMEOUT_S = 5,   /* one read or write of a peer in mid-request */
    REQUEST_MS = 38000, /* below mod_fcgid's 40 s of silence */
    STOP_MS = 10000,    /* for what is in flight when asked to stop */
    EVENTS = 64,
    SPARE_CONNS = 256,
    FDS_PER_THREAD = 16, /* databases, and a search's connections */
#ifdef __SANITIZE_ADDRESS__
    STACK_BYTES = 2 * 1024 * 1024
#else
    STACK_BYTES = 512 * 1024
#endif
};

struct server {
    struct app *app;
    int listen_fd, stop_fd;
    size_t queue_max, threads_max;
    pthread_mutex_t lock; /* everything below */
    pthread_cond_t work;  /* a connection was queued, or stopping */
    pthread_cond_t quiet; /* a thread ended */
    struct conn_set conns;
    size_t threads;
    size_t waiting; /* threads asleep on work, the woken ones included */
    size_t woken;   /* signalled, but not yet running */
    bool stopping;
    struct worker_ctx *first; /* opened before the first thread starts */
};

/* --- threads ------------------------------------------------------------ */

/* Is a thread to be woken for the queue? The caller signals, best after the
 * lock is given back. The lock is held. */
static bool wants_wake(struct server *s)
{
    if (s->conns.queued == 0 || s->woken > 0 || s->waiting == 0)
        return false;
    s->woken++;
    return true;
}

/* The connection goes back to the loop, or away. The lock is held. */
static void give_back(struct server *s, struct conn *c, enum fcgi_end end)
{
    c->served = true;
    if (s->stopping)
        conn_close(&s->conns, c);
    else if (end == FCGI_END_KEEP)
        conn_watch(&s->conns, c, CONN_IDLE);
    else
        conn_watch(&s->conns, c, CONN_DRAIN);
}

/* After a request. True: the descriptor is closed, the place is to be put
 * back. */
static bool release(struct server *s, struct conn *c, enum fcgi_end end)
{
    /* Closing on unread bytes would reset what we sent. */
    if (end == FCGI_END_CLOSE && conn_is_readable(c->fd))
        end = FCGI_END_DRAIN;
    if (end == FCGI_END_CLOSE)
        close(c->fd);
    if (end == FCGI_END_CLOSE || end == FCGI_END_GONE)
        return true;
    if (end == FCGI_END_DRAIN)
        shutdown(c->fd, SHUT_WR);
    pthread_mutex_lock(&s->lock);
    give_back(s, c, end);
    pthread_mutex_unlock(&s->lock);
    return false;
}

/* True: as release. */
static bool serve(struct server *s, struct worker_ctx *w, struct conn *c,
                  struct buf *body)
{
    struct deadline d = {c->at_ms + REQUEST_MS};
    bool kick = false;
    enum fcgi_end end = fcgi_request(w, c->fd, d, body, &kick);
    bool done = release(s, c, end);

    if (kick && s->app->kick != NULL)
        s->app->kick(s->app, w->store.state);
    return done;
}

/* Put done (may be NULL) back and take the next connection; NULL when
 * stopping and none is left. */
static struct conn *next_conn(struct server *s, struct conn *done)
{
    struct conn *c;
    bool wake;

    pthread_mutex_lock(&s->lock);
    if (done != NULL)
        conn_put(&s->conns, done);
    while ((c = conn_dequeue(&s->conns)) == NULL && !s->stopping) {
        s->waiting++;
        pthread_cond_wait(&s->work, &s->lock);
        s->waiting--;
        if (s->woken > 0)
            s->woken--;
    }
    wake = wants_wake(s);
    pthread_mutex_unlock(&s->lock);
    if (wake)
        pthread_cond_signal(&s->work);
    return c;
}

static void thread_ended(struct server *s)
{
    pthread_mutex_lock(&s->lock);
    s->threads--;
    pthread_cond_signal(&s->quiet);
    pthread_mutex_unlock(&s->lock);
}

static struct worker_ctx *take_first(struct server *s)
{
    struct worker_ctx *w;

    pthread_mutex_lock(&s->lock);
    w = s->first;
    s->first = NULL;
    pthread_mutex_unlock(&s->lock);
    return w;
}

static void *thread_main(void *arg)
{
    struct server *s = arg;
    struct worker_ctx *first = take_first(s), own, *w = first;
    struct errctx ec = {0};
    struct conn *c, *done = NULL;
    struct buf body;
    enum err e;

    if (w == NULL) {
        w = &own;
        worker_ctx_init(w, s->app);
        /* For want of files or memory: the others go on. A database that
         * cannot be opened is told to every client. */
        e = worker_ctx_store(w, &ec);
        if (e != ERR_OK && !err_is_storage(e)) {
            log_error(NULL, "a serving thread cannot start: %s", ec.msg);
            worker_ctx_fini(w);
            thread_ended(s);
            return NULL;
        }
    }
    buf_init(&body, route_body_cap(s->app->conf));
    while ((c = next_conn(s, done)) != NULL)
        done = serve(s, w, c, &body) ? c : NULL;
    buf_fini(&body);
    worker_ctx_fini(w);
    thread_ended(s);
    return NULL;
}

/* Start one more thread. The lock is held. */
static bool thread_start(struct server *s)
{
    pthread_attr_t attr;
    pthread_t id;
    int rc = pthread_attr_init(&attr);

    if (rc != 0)
        return false;
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    rc = pthread_create(&id, &attr, thread_main, s);
    pthread_attr_destroy(&attr);
    if (rc != 0)
        log_warn(NULL, "a thread cannot be created: %s", strerror(rc));
    else
        s->threads++;
    return rc == 0;
}

/* --- the loop ----------------------------------------------------------- */

/* A connection has its first bytes: to the threads, or refused. True: a
 * thread is to be woken. The lock is held. */
static bool on_ready(struct server *s, struct conn *c)
{
    if (s->conns.queued >= s->queue_max) {
        conn_refuse(&s->conns, c);
        return false;
    }
    conn_enqueue(&s->conns, c);
    if (s->conns.queued > s->waiting && s->threads < s->threads_max)
        (void)thread_start(s);
    return wants_wake(s);
}

static void on_event(struct server *s, struct conn *c)
{
    bool wake = false;

    pthread_mutex_lock(&s->lock);
    if (c->state == CONN_DRAIN)
        conn_drain(&s->conns, c);
    else if (c->state == CONN_IDLE && conn_is_readable(c->fd))
        wake = on_ready(s, c);
    else if (c->state == CONN_IDLE)
        conn_close(&s->conns, c);
    pthread_mutex_unlock(&s->lock);
    if (wake)
        pthread_cond_signal(&s->work);
}

static void set_options(int fd, const struct sockaddr_storage *from)
{
    struct timeval tv = {.tv_sec = IO_TIMEOUT_S};
    int one = 1;

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof tv);
    if (from->ss_family == AF_INET || from->ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static void on_accepted(struct server *s, int fd)
{
    bool ready = conn_is_readable(fd), wake = false;
    struct conn *c;

    pthread_mutex_lock(&s->lock);
    c = conn_take(&s->conns, fd);
    if (c != NULL && ready)
        wake = on_ready(s, c);
    else if (c != NULL)
        conn_watch(&s->conns, c, CONN_IDLE);
    pthread_mutex_unlock(&s->lock);
    if (wake)
        pthread_cond_signal(&s->work);
    if (c == NULL) {
        fcgi_refuse(fd);
        close(fd);
    }
}

/* May this peer ask us at all? Unix sockets are guarded by their mode. */
static bool is_allowed(const struct server *s,
                       const struct sockaddr_storage *from)
{
    const char *list = s->app->web_servers;
    char text[INET_ADDRSTRLEN];

    if (list == NULL || from->ss_family == AF_UNIX)
        return true;
    if (from->ss_family != AF_INET ||
        inet_ntop(AF_INET, &((const struct sockaddr_in *)from)->sin_addr, text,
                  sizeof text) == NULL)
        return false;
    while (*list != '\0') {
        size_t n = strcspn(list, ",");

        if (str_eq(str_trim((struct str){list, n}), text))
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}

/* Errors that a later accept may not have. */
static bool is_passing(int e)
{
    return e == EINTR || e == ECONNABORTED || e == EPROTO || e == EPERM ||
           e == ENETDOWN || e == EHOSTDOWN || e == ENONET ||
           e == EHOSTUNREACH || e == ENETUNREACH || e == EOPNOTSUPP;
}

/* Out of descriptors or memory: let some be given back first. */
static void pause_accepting(struct server *s)
{
    struct pollfd p = {.fd = s->stop_fd, .events = POLLIN};

    log_warn(NULL, "connections cannot be accepted: %s", strerror(errno));
    poll(&p, 1, 50);
}

/* Accept what is waiting. ERR_IO: the socket is unusable. */
static enum err accept_some(struct server *s, struct errctx *ec)
{
    for (int i = 0; i < EVENTS; i++) {
        struct sockaddr_storage from = {0};
        socklen_t len = sizeof from;
        int fd =
            accept4(s->listen_fd, (struct sockaddr *)&from, &len, SOCK_CLOEXEC);

        if (fd >= 0 && !is_allowed(s, &from)) {
            close(fd);
        } else if (fd >= 0) {
            set_options(fd, &from);
            on_accepted(s, fd);
        } else if (errno == EAGAIN) {
            return ERR_OK;
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
                   errno == ENOMEM) {
            pause_accepting(s);
            return ERR_OK;
        } else if (!is_passing(errno)) {
            return err_set(ec, ERR_IO, "cannot accept: %s", strerror(errno));
        }
    }
    return ERR_OK;
}

/* Handle one round of events. *stop: the stop descriptor fired. */
static enum err turn(struct server *s, bool *stop, struct errctx *ec)
{
    struct epoll_event ev[EVENTS];
    enum err e = ERR_OK;
    int timeout, n;

    pthread_mutex_lock(&s->lock);
    timeout = s->conns.count > 0 ? 1000 : -1;
    pthread_mutex_unlock(&s->lock);
    n = epoll_wait(s->conns.epoll_fd, ev, EVENTS, timeout);
    if (n < 0 && errno != EINTR)
        return err_set(ec, ERR_IO, "epoll_wait: %s", strerror(errno));
    for (int i = 0; i < n && e == ERR_OK; i++) {
        if (ev[i].data.ptr == &s->listen_fd)
            e = accept_some(s, ec);
        else if (ev[i].data.ptr == &s->stop_fd)
            *stop = true;
        else
            on_event(s, ev[i].data.ptr);
    }
    return e;
}

static enum err loop(struct server *s, struct errctx *ec)
{
    int64_t swept = clock_mono_ms();
    bool stop = false;
    enum err e = ERR_OK;

    while (e == ERR_OK && !stop) {
        e = turn(s, &stop, ec);
        if (clock_mono_ms() - swept < 1000)
            continue;
        pthread_mutex_lock(&s->lock);
        conn_sweep(&s->conns);
        pthread_mutex_unlock(&s->lock);
        swept = clock_mono_ms();
    }
    return e;
}

/* --- start and stop ----------------------------------------------------- */

static enum err watch(struct server *s, int *fd, uint32_t events,
                      struct errctx *ec)
{
    struct epoll_event ev = {.events = events, .data.ptr = fd};

    if (epoll_ctl(s->conns.epoll_fd, EPOLL_CTL_ADD, *fd, &ev) != 0)
        return err_set(ec, ERR_IO, "descriptor %d cannot be watched: %s", *fd,
                       strerror(errno));
    return ERR_OK;
}

/* Siblings share the listening socket: accepting must never block, and only
 * one of them needs to be woken. */
static enum err watch_all(struct server *s, struct errctx *ec)
{
    int flags = fcntl(s->listen_fd, F_GETFL);
    enum err e;

    if (flags < 0 || fcntl(s->listen_fd, F_SETFL, flags | O_NONBLOCK) != 0)
        return err_set(ec, ERR_IO, "descriptor %d is no socket: %s",
                       s->listen_fd, strerror(errno));
    e = watch(s, &s->listen_fd, EPOLLIN | EPOLLEXCLUSIVE, ec);
    return e == ERR_OK ? watch(s, &s->stop_fd, EPOLLIN, ec) : e;
}

/* How many connections there may be, within the descriptors we may have. */
static size_t conns_wanted(const struct conf *c)
{
    size_t want = (size_t)c->queue_max + (size_t)c->threads + SPARE_CONNS;
    size_t used = (size_t)c->threads * FDS_PER_THREAD + 32;
    struct rlimit lim;

    if (getrlimit(RLIMIT_NOFILE, &lim) != 0 || lim.rlim_cur == RLIM_INFINITY)
        return want;
    if (lim.rlim_cur < used + 64)
        return 64;
    return want < lim.rlim_cur - used ? want : (size_t)lim.rlim_cur - used;
}

static void server_free(struct server *s)
{
    if (s->first != NULL)
        worker_ctx_fini(s->first);
    pthread_cond_destroy(&s->quiet);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    conn_set_fini(&s->conns);
    free(s);
}

/* The lock is held for a few instructions at a time: spinning a little is
 * cheaper than sleeping. */
static void init_locks(struct server *s)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;

    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&s->lock, &mutex);
    pthread_mutexattr_destroy(&mutex);
    pthread_condattr_init(&cond);
    pthread_condattr_setclock(&cond, CLOCK_MONOTONIC);
    pthread_cond_init(&s->work, &cond);
    pthread_cond_init(&s->quiet, &cond);
    pthread_condattr_destroy(&cond);
}

static struct server *server_new(struct app *app, int listen_fd, int stop_fd)
{
    struct server *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    if (conn_set_init(&s->conns, conns_wanted(app->conf)) != ERR_OK) {
        free(s);
        return NULL;
    }
    s->app = app;
    s->listen_fd = listen_fd;
    s->stop_fd = stop_fd;
    s->queue_max = (size_t)app->conf->queue_max;
    s->threads_max = (size_t)app->conf->threads;
    init_locks(s);
    return s;
}

/* True when every thread has ended within STOP_MS. */
static bool stop_threads(struct server *s)
{
    struct timespec until;
    bool done;
    int rc = 0;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += STOP_MS / 1000;
    pthread_mutex_lock(&s->lock);
    conn_close_idle(&s->conns);
    s->stopping = true;
    pthread_cond_broadcast(&s->work);
    while (s->threads > 0 && rc == 0)
        rc = pthread_cond_timedwait(&s->quiet, &s->lock, &until);
    done = s->threads == 0;
    pthread_mutex_unlock(&s->lock);
    return done;
}

static enum err start(struct server *s, struct worker_ctx *first,
                      struct errctx *ec)
{
    enum err e = fcgi_init(ec);

    if (e == ERR_OK)
        e = watch_all(s, ec);
    if (e != ERR_OK)
        return e;
    worker_ctx_init(first, s->app);
    if (worker_ctx_store(first, ec) != ERR_OK)
        log_error(NULL, "the databases cannot be opened: %s", ec->msg);
    pthread_mutex_lock(&s->lock);
    s->first = first;
    if (!thread_start(s))
        e = err_set(ec, ERR_NOMEM, "no serving thread can be created");
    pthread_mutex_unlock(&s->lock);
    return e;
}

enum err fcgi_serve(struct app *app, int listen_fd, int stop_fd,
                    struct errctx *ec)
{
    struct server *s = server_new(app, listen_fd, stop_fd);
    struct worker_ctx *first = calloc(1, sizeof *first);
    enum err e;

    if (s == NULL || first == NULL) {
        if (s != NULL)
            server_free(s);
        free(first);
        return err_set(ec, ERR_NOMEM, "no memory to start");
    }
    e = start(s, first, ec);
    if (e == ERR_OK)
        e = loop(s, ec);
    if (!stop_threads(s))
        /* They still use all of it; the process ends anyway. */
        return err_set(ec, ERR_TIMEOUT, "requests in flight were left");
    server_free(s);
    free(first);
    return e;
}
