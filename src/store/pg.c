/*
 * Connections to PostgreSQL, statements and their rows; see pg.h. Knows no
 * table. Called by sql.c, write.c and remote.c.
 *
 * Values travel as text, whose type PostgreSQL tells from the place where they
 * stand, apart from what is bound as a number or as bytes: a statement is
 * prepared when it is first run, with the types that are bound then, and NULL
 * has none. Bytes and texts go as they are (the binary format), so that a text
 * need not end in NUL.
 */
#include "store/pg.h"

#include "base/buf.h"
#include "base/str.h"
#include "store/pg_load.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the server's pg_type.dat; they never change. */
enum { TYPE_NONE = 0, TYPE_BYTEA = 17, TYPE_INT8 = 20, TYPE_TEXT = 25 };
enum { TYPE_FLOAT8 = 701 };

enum {
    PARAMS_MAX = 32,
    NUMBER_MAX = 32,
    STATEMENT_MS = 10000,
    MARGIN_MS = 500, /* the server's own bound is told to us sooner */
    REFUSED_MS = 1000,
    SQL_MAX = 65536
};

#define CONNECT_S "3"

struct pg_server {
    char *address, *name;
    /* No server took a connection; nobody else tries before. */
    _Atomic int64_t refused_until_ms;
};

struct pg {
    struct pg_server *server;
    PGconn *c;           /* or NULL: to be made when it is needed */
    unsigned generation; /* which connection it is, from 1 */
    unsigned listens;    /* the one that listens, 0: none yet */
    unsigned names;      /* of statements, so far */
    int64_t changes, total_changes;
    struct deadline until;
    pg_greet_fn *greet; /* or NULL */
    void *greet_arg;
    bool greeting;
    bool in_transaction;
    bool lost; /* the last statement lost it */
};

struct pg_stmt {
    char *sql;
    char name[16];
    unsigned generation; /* of the connection that has it prepared */
    int count;
    Oid types[PARAMS_MAX];
    const char *values[PARAMS_MAX];
    int lengths[PARAMS_MAX], formats[PARAMS_MAX];
    char numbers[PARAMS_MAX][NUMBER_MAX];
    bool too_long; /* a value beyond what the protocol carries */
    PGresult *rows;
    int at; /* the row */
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

/* The error of r, or of the connection. */
static enum err fail(struct pg *p, const PGresult *r, const char *sql,
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

/* What was sent, to its end: the last of its results, or the one that says what
 * failed. */
static enum err take(struct pg *p, const char *sql, PGresult **out,
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
        e = fail(p, e == ERR_OK ? last : NULL, sql, ec);
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
        return fail(p, NULL, sql, ec);
    e = take(p, sql, &r, ec);
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
 * or cut off holds nobody up. */
static const char settings[] = "SET statement_timeout = 10000;"
                               " SET lock_timeout = 10000;"
                               " SET idle_in_transaction_session_timeout = "
                               "20000";

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

/* Do what step does, on a connection. One that was lost since it was last used
 * is made anew, but not if a transaction was lost with it. */
static enum err with_connection(struct pg *p,
                                enum err (*step)(struct pg *, void *,
                                                 struct errctx *),
                                void *arg, struct errctx *ec)
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
    e = with_connection(p, exec_step, copy, ec);
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

    if (p->listens != p->generation)
        return start_listening(p, w, ec);
    for (;;) {
        struct pollfd fd = {.fd = PQsocket(p->c), .events = POLLIN};

        take_told(p, w);
        if (w->told || deadline_passed(&w->d))
            return ERR_OK;
        if (poll(&fd, 1, (int)deadline_left(&w->d)) > 0 &&
            !PQconsumeInput(p->c))
            return fail(p, NULL, "LISTEN", ec);
    }
}

enum err pg_wait(struct pg *p, const char *channel, struct deadline d,
                 bool *told, struct errctx *ec)
{
    struct wait w = {.channel = channel, .d = d};
    enum err e = with_connection(p, wait_step, &w, ec);

    *told = e == ERR_OK && w.told;
    return e;
}

/* --- transactions ------------------------------------------------------ */

enum err pg_begin(struct pg *p, const char *begin, struct errctx *ec)
{
    enum err e = pg_exec(p, begin, ec);

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

/* --- statements -------------------------------------------------------- */

/* ?7 is $7 here; none of our texts holds a '?' that is no parameter. */
struct pg_stmt *pg_stmt_new(const char *sql)
{
    struct pg_stmt *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->sql = strdup(sql);
    if (s->sql == NULL) {
        free(s);
        return NULL;
    }
    for (char *z = strchr(s->sql, '?'); z != NULL; z = strchr(z, '?')) {
        int n = (int)strtol(z + 1, NULL, 10);

        *z = '$';
        if (n > s->count)
            s->count = n;
    }
    return s;
}

void pg_stmt_free(struct pg_stmt *s)
{
    if (s == NULL)
        return;
    PQclear(s->rows);
    free(s->sql);
    free(s);
}

static void bind(struct pg_stmt *s, int i, Oid type, const void *p, size_t n,
                 int format)
{
    if (i < 1 || i > PARAMS_MAX)
        return;
    s->too_long = s->too_long || n > INT32_MAX;
    s->types[i - 1] = p == NULL ? TYPE_NONE : type;
    s->values[i - 1] = p;
    s->lengths[i - 1] = (int)n;
    s->formats[i - 1] = format;
}

void pg_bind_int(struct pg_stmt *s, int i, int64_t v)
{
    if (i < 1 || i > PARAMS_MAX)
        return;
    snprintf(s->numbers[i - 1], NUMBER_MAX, "%lld", (long long)v);
    bind(s, i, TYPE_INT8, s->numbers[i - 1], 0, 0);
}

void pg_bind_real(struct pg_stmt *s, int i, double v)
{
    if (i < 1 || i > PARAMS_MAX)
        return;
    snprintf(s->numbers[i - 1], NUMBER_MAX, "%.17g", v);
    bind(s, i, TYPE_FLOAT8, s->numbers[i - 1], 0, 0);
}

void pg_bind_text(struct pg_stmt *s, int i, const char *z, size_t n)
{
    bind(s, i, TYPE_TEXT, z, n, 1);
}

void pg_bind_blob(struct pg_stmt *s, int i, const void *p, size_t n)
{
    bind(s, i, TYPE_BYTEA, p, n, 1);
}

static enum err prepare(struct pg *p, struct pg_stmt *s, struct errctx *ec)
{
    PGresult *r = NULL;
    enum err e;

    snprintf(s->name, sizeof s->name, "s%u", ++p->names);
    if (!PQsendPrepare(p->c, s->name, s->sql, s->count, s->types))
        return fail(p, NULL, s->sql, ec);
    e = take(p, s->sql, &r, ec);
    PQclear(r);
    if (e == ERR_OK)
        s->generation = p->generation;
    return e;
}

static void count_changes(struct pg *p, PGresult *r)
{
    if (strncmp(PQcmdStatus(r), "SELECT", 6) == 0)
        return;
    p->changes = strtoll(PQcmdTuples(r), NULL, 10);
    p->total_changes += p->changes;
}

static enum err stmt_step(struct pg *p, void *arg, struct errctx *ec)
{
    struct pg_stmt *s = arg;
    enum err e = ERR_OK;

    if (s->generation != p->generation)
        e = prepare(p, s, ec);
    if (e != ERR_OK)
        return e;
    if (!PQsendQueryPrepared(p->c, s->name, s->count, s->values, s->lengths,
                             s->formats, 0))
        return fail(p, NULL, s->sql, ec);
    e = take(p, s->sql, &s->rows, ec);
    if (e == ERR_OK)
        count_changes(p, s->rows);
    return e;
}

enum err pg_step(struct pg *p, struct pg_stmt *s, bool *row, struct errctx *ec)
{
    if (s->rows != NULL) {
        s->at++;
    } else {
        enum err e;

        if (s->count > PARAMS_MAX)
            return err_set(ec, ERR_INTERNAL, "too many parameters: %.100s",
                           s->sql);
        if (s->too_long)
            return err_set(ec, ERR_TOO_LARGE, "a value is too long: %.100s",
                           s->sql);
        e = with_connection(p, stmt_step, s, ec);
        if (e != ERR_OK)
            return e;
        s->at = 0;
    }
    *row = s->at < PQntuples(s->rows);
    return ERR_OK;
}

void pg_end(struct pg_stmt *s)
{
    PQclear(s->rows);
    s->rows = NULL;
    s->too_long = false;
    memset(s->values, 0, sizeof s->values);
    memset(s->types, 0, sizeof s->types);
    memset(s->formats, 0, sizeof s->formats);
}

const char *pg_column(const struct pg_stmt *s, int i, size_t *n)
{
    if (s->rows == NULL || PQgetisnull(s->rows, s->at, i))
        return NULL;
    *n = (size_t)PQgetlength(s->rows, s->at, i);
    return PQgetvalue(s->rows, s->at, i);
}
