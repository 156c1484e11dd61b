/*
 * Statements of PostgreSQL's, their values and rows; see pg.h. Called by sql.c.
 *
 * Values travel as text, whose type PostgreSQL tells from the place where they
 * stand, apart from what is bound as a number or as bytes: a statement is
 * prepared when it is first run, with the types that are bound then, and NULL
 * has none. Bytes and texts go as they are (the binary format), so that a text
 * need not end in NUL.
 */
#include "store/pg_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the server's pg_type.dat; they never change. */
enum { TYPE_NONE = 0, TYPE_BYTEA = 17, TYPE_INT8 = 20, TYPE_TEXT = 25 };
enum { TYPE_FLOAT8 = 701 };

enum { PARAMS_MAX = 40, NUMBER_MAX = 32 };

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
        return pg_fail(p, NULL, s->sql, ec);
    e = pg_take(p, s->sql, &r, ec);
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

/* Prepared, but for a session that may be another one's next. */
static int send(struct pg *p, const struct pg_stmt *s)
{
    return p->pooled ? PQsendQueryParams(p->c, s->sql, s->count, s->types,
                                         s->values, s->lengths, s->formats, 0)
                     : PQsendQueryPrepared(p->c, s->name, s->count, s->values,
                                           s->lengths, s->formats, 0);
}

static enum err stmt_step(struct pg *p, void *arg, struct errctx *ec)
{
    struct pg_stmt *s = arg;
    enum err e = ERR_OK;

    if (!p->pooled && s->generation != p->generation)
        e = prepare(p, s, ec);
    if (e != ERR_OK)
        return e;
    if (!send(p, s))
        return pg_fail(p, NULL, s->sql, ec);
    e = pg_take(p, s->sql, &s->rows, ec);
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
        e = pg_with_connection(p, stmt_step, s, ec);
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
