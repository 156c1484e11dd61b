/*
 * Connections to PostgreSQL, what is told on them, transactions; see pg.h.
 * Statements are in pg_stmt.c. Knows no table. Called by sql.c, write.c and
 * remote.c.
 */
#include "store/pg_link.h"

#include "base/str.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATEMENT_MS = 10000,
    MARGIN_MS = 500, /* the server's own bound is told to us sooner */
    REFUSED_MS = 1000
};

#define CONNECT_S "3"

struct pg_server {
    char *address, *name;
    /* No server took a connection; nobody else tries before. */
    _Atomic int64_t refused_until_ms;
};

/* --- addresses --------------------------------------------------------- */

static const char *option(const PQconninfoOption *all, const char *keyword)
{
    for (; all->keyword != NULL; all++)
        if (strcmp(all->keyword, keyword) == 0 && all->val != NULL)
            return all->val;
    return "";
}

/* libpq's words end with line breaks. */
static void say(char *out, size_t size, const char *words)
{
    snprintf(out, size, "%s", words == NULL ? "out of memory" : words);
    for (size_t n = strlen(out); n > 0 && (unsigned char)out[n - 1] <= ' ';)
        out[--n] = '\0';
    str_clean(out);
}

enum err pg_server_new(const char *address, struct pg_server **out,
                       struct errctx *ec)
{
    struct pg_server *s;
    PQconninfoOption *all;
    char *why = NULL, words[160];
    enum err e = pg_load(ec);

    if (e != ERR_OK)
        return e;
    all = PQconninfoParse(address, &why);
    if (all == NULL) {
        say(words, sizeof words, why);
        PQfreemem(why);
        return err_set(ec, ERR_INVALID,
                       "[state] database is no address of PostgreSQL: %s",
                       words);
    }
    s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->address = strdup(address);
        if (asprintf(&s->name, "postgresql://%s/%s", option(all, "host"),
                     option(all, "dbname")) < 0)
            s->name = NULL;
    }
    PQconninfoFree(all);
    if (s == NULL || s->address == NULL || s->name == NULL) {
        pg_server_free(s);
        return err_set(ec, ERR_NOMEM, "out of memory");
    }
    *out = s;
    return ERR_OK;
}

void pg_server_free(struct pg_server *s)
{
    if (s == NULL)
        return;
    free(s->address);
    free(s->name);
    free(s);
}

const char *pg_server_name(const struct pg_server *s)
{
    return s->name;
}

/* --- errors ------------------------------------------------------------ */

/* The classes of "PostgreSQL Error Codes" (appendix A of its manual). */
static enum err err_of(const char *code)
{
    static const struct {
        const char *begins;
        enum err e;
    } all[] = {
        {"53100", ERR_FULL},    /* disk full */
        {"53200", ERR_NOMEM},   /* out of memory */
        {"40", ERR_BUSY},       /* deadlock, serialization */
        {"55P03", ERR_BUSY},    /* lock not available */
        {"22021", ERR_INVALID}, /* no UTF-8, or NUL, in a text */
        {"54", ERR_TOO_LARGE},  /* a limit of the server */
        {"23", ERR_INTERNAL},   /* what we asked for is wrong */
        {"22", ERR_INTERNAL},   /* the same */
        {"26", ERR_INTERNAL},   /* no such prepared statement */
        {"", ERR_DB},
    };
    size_t i = 0;

    while (strncmp(code, all[i].begins, strlen(all[i].begins)) != 0)
        i++;
    return all[i].e;
}

/* A server that takes no more writes, or goes: another one may. */
static bool is_leaving(const char *code)
{
    return strncmp(code, "57P", 3) == 0 || strncmp(code, "08", 2) == 0 ||
           strcmp(code, "25006") == 0;
}

static void drop(struct pg *p)
{
    PQfinish(p->c);
    p->c = NULL;
    p->lost = true;
}

enum err pg_fail(struct pg *p, const PGresult *r, const char *sql,
                 struct errctx *ec)
{
    const char *code =
        r == NULL ? NULL : PQresultErrorField(r, PG_DIAG_SQLSTATE);
    char words[160];
    enum err e;

    if (code == NULL || is_leaving(code) || PQstatus(p->c) == CONNECTION_BAD) {
        say(words, sizeof words,
            code == NULL ? PQerrorMessage(p->c)
                         : PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY));
        drop(p);
        return err_set(ec, ERR_DB, "%.80s: %.150s", p->server->name, words);
    }
    e = err_of(code);
    say(words, sizeof words, PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY));
    return err_set(ec, e, "%.60s: %.90s (%s) in: %.70s", p->server->name, words,
                   code, sql);
}

/* --- waiting ----------------------------------------------------------- */

/* Until the next result can be had. ERR_GONE: the connection was lost. */
static enum err wait_result(struct pg *p, struct deadline d)
{
    for (;;) {
        int flushed = PQflush(p->c);
        struct pollfd fd = {.fd = PQsocket(p->c), .events = POLLIN};

        if (flushed < 0)
            return ERR_GONE;
        if (flushed == 0 && !PQisBusy(p->c))
            return ERR_OK;
        if (flushed > 0)
            fd.events |= POLLOUT;
        if (deadline_passed(&d))
            return ERR_TIMEOUT;
        if (poll(&fd, 1, (int)deadline_left(&d)) > 0 &&
            (fd.revents & ~POLLOUT) != 0 && !PQconsumeInput(p->c))
            return ERR_GONE;
    }
}

static bool is_good(const PGresult *r)
{
    ExecStatusType s = PQresultStatus(r);

    return s == PGRES_COMMAND_OK || s == PGRES_TUPLES_OK;
}

enum err pg_take(struct pg *p, const char *sql, PGresult **out,
                 struct errctx *ec)
{
    struct deadline d =
        deadline_min(p->until, deadline_in(STATEMENT_MS + MARGIN_MS));
    PGresult *last = NULL, *r;
    enum err e;

    while ((e = wait_result(p, d)) == ERR_OK &&
           (r = PQgetResult(p->c)) != NULL) {
        if (last != NULL && !is_good(last)) {
            PQclear(r);
            continue;
        }
        PQclear(last);
        last = r;
    }
    if (e == ERR_TIMEOUT) {
        bool ours = deadline_passed(&p->until);

        PQclear(last);
        drop(p);
        return err_set(ec, ours ? ERR_TIMEOUT : ERR_DB,
                       "%.80s did not answer in time: %.100s", p->server->name,
                       sql);
    }
    if (e != ERR_OK || last == NULL || !is_good(last)) {
        e = pg_fail(p, e == ERR_OK ? last : NULL, sql, ec);
        PQclear(last);
        return e;
    }
    *out = last;
    return ERR_OK;
}

/* --- connections ------------------------------------------------------- */

/* What servers say beside results: that something is there already. */
static void ignore(void *arg, const char *message)
{
    (void)arg;
    (void)message;
}

static enum err run(struct pg *p, const char *sql, struct errctx *ec)
{
    PGresult *r = NULL;
    enum err e;

    if (!PQsendQuery(p->c, sql))
        return pg_fail(p, NULL, sql, ec);
    e = pg_take(p, sql, &r, ec);
    PQclear(r);
    return e;
}

/* What the address says stands above what we would have. */
static PGconn *dial(const struct pg_server *s)
{
    const char *const keys[] = {
        "connect_timeout",           "target_session_attrs",
        "tcp_user_timeout",          "keepalives_idle",
        "fallback_application_name", "dbname",
        "client_encoding",           NULL};
    const char *const values[] = {CONNECT_S, "read-write", "10000", "30",
                                  "cited",   s->address,   "UTF8",  NULL};

    return PQconnectdbParams(keys, values, 1);
}

/* Both bounds are the server's, too: what is left by a program that was stopped
 * or cut off holds nobody up. In a pool, whose sessions are others' as well,
 * they are said with each transaction. */
static const char settings[] = "SET statement_timeout = 10000;"
                               " SET lock_timeout = 10000;"
                               " SET idle_in_transaction_session_timeout = "
                               "20000";
#define SETTINGS_LOCAL                                                         \
    "; SET LOCAL statement_timeout = 10000;"                                   \
    " SET LOCAL idle_in_transaction_session_timeout = 20000"

/* A pooler tells the client a number of its own in place of the session's. */
static enum err ask_pooled(struct pg *p, struct errctx *ec)
{
    static const char sql[] = "SELECT pg_backend_pid()";
    PGresult *r = NULL;
    enum err e;

    if (!PQsendQuery(p->c, sql))
        return pg_fail(p, NULL, sql, ec);
    e = pg_take(p, sql, &r, ec);
    if (e == ERR_OK)
        p->pooled = PQntuples(r) != 1 ||
                    strtol(PQgetvalue(r, 0, 0), NULL, 10) != PQbackendPID(p->c);
    PQclear(r);
    return e;
}

static enum err connect_now(struct pg *p, struct errctx *ec)
{
    struct pg_server *s = p->server;
    char words[160];
    enum err e;

    if (clock_mono_ms() < atomic_load(&s->refused_until_ms))
        return err_set(ec, ERR_DB, "%.100s could not be reached just now",
                       s->name);
    if (deadline_passed(&p->until))
        return err_set(ec, ERR_TIMEOUT, "no time is left to reach %.100s",
                       s->name);
    p->c = dial(s);
    if (PQstatus(p->c) != CONNECTION_OK || PQsetnonblocking(p->c, 1) != 0) {
        say(words, sizeof words, PQerrorMessage(p->c));
        drop(p);
        atomic_store(&s->refused_until_ms, clock_mono_ms() + REFUSED_MS);
        return err_set(ec, ERR_DB, "%.80s cannot be reached: %.150s", s->name,
                       words);
    }
    PQsetNoticeProcessor(p->c, ignore, NULL);
    p->generation++;
    e = ask_pooled(p, ec);
    if (e == ERR_OK && !p->pooled)
        e = run(p, settings, ec);
    if (e == ERR_OK && p->greet != NULL) {
        p->greeting = true;
        e = p->greet(p->greet_arg, ec);
        p->greeting = false;
    }
    if (e != ERR_OK && p->c != NULL)
        drop(p);
    return e;
}

enum err pg_open(struct pg_server *s, pg_greet_fn *greet, void *arg,
                 struct pg **out, struct errctx *ec)
{
    struct pg *p = calloc(1, sizeof *p);

    if (p == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    p->server = s;
    p->greet = greet;
    p->greet_arg = arg;
    p->until = (struct deadline){INT64_MAX};
    *out = p;
    return ERR_OK;
}

void pg_close(struct pg *p)
{
    if (p == NULL)
        return;
    if (p->c != NULL)
        PQfinish(p->c);
    free(p);
}

void pg_until(struct pg *p, struct deadline d)
{
    p->until = d;
}

bool pg_is_lost(const struct pg *p)
{
    return p->lost;
}

int64_t pg_changes(const struct pg *p)
{
    return p->changes;
}

int64_t pg_total_changes(const struct pg *p)
{
    return p->total_changes;
}

enum err pg_with_connection(struct pg *p, pg_step_fn *step, void *arg,
                            struct errctx *ec)
{
    bool bound = p->in_transaction || p->greeting;
    bool again = p->c != NULL && !bound;
    enum err e = ERR_OK;

    if (p->c == NULL && bound)
        return err_set(ec, ERR_DB, "%.80s was lost in the midst of it",
                       p->server->name);
    if (p->c == NULL)
        e = connect_now(p, ec);
    p->lost = false;
    if (e == ERR_OK)
        e = step(p, arg, ec);
    if (e != ERR_DB || !p->lost || !again)
        return e;
    e = connect_now(p, ec);
    return e == ERR_OK ? step(p, arg, ec) : e;
}

static enum err exec_step(struct pg *p, void *sql, struct errctx *ec)
{
    return run(p, sql, ec);
}

enum err pg_exec(struct pg *p, const char *sql, struct errctx *ec)
{
    char *copy = strdup(sql);
    enum err e;

    if (copy == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    e = pg_with_connection(p, exec_step, copy, ec);
    free(copy);
    return e;
}

/* --- what is told ------------------------------------------------------ */

struct wait {
    const char *channel;
    struct deadline d;
    bool told;
};

static enum err start_listening(struct pg *p, struct wait *w, struct errctx *ec)
{
    char sql[80];
    enum err e;

    snprintf(sql, sizeof sql, "LISTEN %s", w->channel);
    e = run(p, sql, ec);
    if (e == ERR_OK) {
        p->listens = p->generation;
        w->told = true;
    }
    return e;
}

static void take_told(struct pg *p, struct wait *w)
{
    PGnotify *n;

    while ((n = PQnotifies(p->c)) != NULL) {
        PQfreemem(n);
        w->told = true;
    }
}

static enum err wait_step(struct pg *p, void *arg, struct errctx *ec)
{
    struct wait *w = arg;

    if (p->pooled) { /* would hear nothing */
        clock_sleep_us(deadline_left(&w->d) * 1000);
        return ERR_OK;
    }
    if (p->listens != p->generation)
        return start_listening(p, w, ec);
    for (;;) {
        struct pollfd fd = {.fd = PQsocket(p->c), .events = POLLIN};

        take_told(p, w);
        if (w->told || deadline_passed(&w->d))
            return ERR_OK;
        if (poll(&fd, 1, (int)deadline_left(&w->d)) > 0 &&
            !PQconsumeInput(p->c))
            return pg_fail(p, NULL, "LISTEN", ec);
    }
}

enum err pg_wait(struct pg *p, const char *channel, struct deadline d,
                 bool *told, struct errctx *ec)
{
    struct wait w = {.channel = channel, .d = d};
    enum err e = pg_with_connection(p, wait_step, &w, ec);

    *told = e == ERR_OK && w.told;
    return e;
}

/* --- transactions ------------------------------------------------------ */

enum err pg_begin(struct pg *p, const char *begin, struct errctx *ec)
{
    char sql[256];
    enum err e;

    snprintf(sql, sizeof sql, "%s%s", begin, p->pooled ? SETTINGS_LOCAL : "");
    e = pg_exec(p, sql, ec);

    p->in_transaction = e == ERR_OK;
    if (e != ERR_OK)
        pg_roll_back(p);
    return e;
}

/* PostgreSQL answers ROLLBACK, which is no error, where a statement failed. */
enum err pg_commit(struct pg *p, struct errctx *ec)
{
    enum err e = pg_is_broken(p) ? err_set(ec, ERR_INTERNAL,
                                           "commit after a statement failed")
                                 : pg_exec(p, "COMMIT", ec);

    pg_roll_back(p);
    return e;
}

void pg_roll_back(struct pg *p)
{
    struct errctx ec;

    p->in_transaction = false;
    if (p->c != NULL && PQtransactionStatus(p->c) != PQTRANS_IDLE &&
        pg_exec(p, "ROLLBACK", &ec) != ERR_OK && p->c != NULL)
        drop(p);
}

bool pg_in_transaction(const struct pg *p)
{
    return p->in_transaction;
}

bool pg_is_broken(const struct pg *p)
{
    return p->in_transaction &&
           (p->c == NULL || PQtransactionStatus(p->c) != PQTRANS_INTRANS);
}
