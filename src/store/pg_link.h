/* A connection as the files of PostgreSQL's see it; private to them. */
#ifndef CITED_STORE_PG_LINK_H
#define CITED_STORE_PG_LINK_H

#include "store/pg.h"
#include "store/pg_load.h"

struct pg {
    struct pg_server *server;
    PGconn *c;           /* or NULL: to be made when it is needed */
    unsigned generation; /* which connection it is, from 1 */
    unsigned listens;    /* the one that listens, 0: none yet */
    unsigned names;      /* of statements, so far */
    bool pooled; /* by a pooler: nothing lasts beyond a transaction */
    int64_t changes, total_changes;
    struct deadline until;
    pg_greet_fn *greet; /* or NULL */
    void *greet_arg;
    bool greeting;
    bool in_transaction;
    bool lost; /* the last statement lost it */
};

/* Do what step does, on a connection. One that was lost since it was last used
 * is made anew, but not if a transaction was lost with it. */
typedef enum err pg_step_fn(struct pg *p, void *arg, struct errctx *ec);
MUST_CHECK enum err pg_with_connection(struct pg *p, pg_step_fn *step,
                                       void *arg, struct errctx *ec);

/* What was sent, to its end: the last of its results, or the one that says what
 * failed. */
MUST_CHECK enum err pg_take(struct pg *p, const char *sql, PGresult **out,
                            struct errctx *ec);

/* The error of r, or of the connection. */
enum err pg_fail(struct pg *p, const PGresult *r, const char *sql,
                 struct errctx *ec);

#endif
