/*
 * PostgreSQL, through libpq; pg.c, pg_stmt.c and pg_load.c are its
 * only home. Private to
 * store/: sql.c hands what it is asked to a connection of this kind, remote.c
 * opens one.
 *
 * Nothing waits without end: a connection is given up after CONNECT_S for each
 * server of the address, a statement after STATEMENT_MS or at the deadline of
 * whoever asks. A connection that was lost is made again when it is next
 * needed, but never within a transaction.
 */
#ifndef CITED_STORE_PG_H
#define CITED_STORE_PG_H

#include "base/clock.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pg_server; /* an address; shared by threads */
struct pg;        /* a connection; used by one thread at a time */
struct pg_stmt;   /* a statement with its values and rows */

/* A postgresql:// address as libpq takes it. ERR_INVALID: it is none; ec says
 * why, without a password. ERR_INTERNAL: libpq is not there. */
MUST_CHECK enum err pg_server_new(const char *address, struct pg_server **out,
                                  struct errctx *ec);
void pg_server_free(struct pg_server *s);
/* Hosts and database for messages: no user, no password. */
const char *pg_server_name(const struct pg_server *s);

/* What is done first on each new connection, or NULL. */
typedef enum err pg_greet_fn(void *arg, struct errctx *ec);

/* Connects when it is first needed: from then on ERR_DB may say that no server
 * of the address takes writes just now. ERR_NOMEM. */
MUST_CHECK enum err pg_open(struct pg_server *s, pg_greet_fn *greet, void *arg,
                            struct pg **out, struct errctx *ec);
void pg_close(struct pg *p); /* NULL is fine */
/* Nothing that is asked for from now on waits beyond d. */
void pg_until(struct pg *p, struct deadline d);

/* Statements without values; several may stand in sql. */
MUST_CHECK enum err pg_exec(struct pg *p, const char *sql, struct errctx *ec);

/* Sleep until something is told on the channel (a name), which others do with
 * NOTIFY, or d has passed. *told is also true when it may have been while
 * nobody listened: at first, and on a connection that was made anew. A pooler
 * that hands connections round lets nothing through: who waits also looks by
 * itself now and then. A connection waits on one channel for as long as it
 * lives. */
MUST_CHECK enum err pg_wait(struct pg *p, const char *channel,
                            struct deadline d, bool *told, struct errctx *ec);

/* A transaction, begun as begin says. After an error of pg_commit it is not
 * known whether it was. */
MUST_CHECK enum err pg_begin(struct pg *p, const char *begin,
                             struct errctx *ec);
MUST_CHECK enum err pg_commit(struct pg *p, struct errctx *ec);
void pg_roll_back(struct pg *p); /* fine without one */
bool pg_in_transaction(const struct pg *p);
/* Has a statement of the transaction failed, so that it can only be rolled
 * back? */
bool pg_is_broken(const struct pg *p);
/* Was the connection lost by the last statement? */
bool pg_is_lost(const struct pg *p);
/* Rows that the last statement changed; all of them since the beginning. */
int64_t pg_changes(const struct pg *p);
int64_t pg_total_changes(const struct pg *p);

/* sql with parameters ?1, ?2 … of which at most 32; NULL: no memory. It must
 * stay. Bytes that are bound are not copied; NULL binds NULL. */
struct pg_stmt *pg_stmt_new(const char *sql);
void pg_stmt_free(struct pg_stmt *s);
void pg_bind_int(struct pg_stmt *s, int i, int64_t v);
void pg_bind_real(struct pg_stmt *s, int i, double v);
void pg_bind_text(struct pg_stmt *s, int i, const char *z, size_t n);
void pg_bind_blob(struct pg_stmt *s, int i, const void *p, size_t n);

/* The next row; the statement is run before the first. */
MUST_CHECK enum err pg_step(struct pg *p, struct pg_stmt *s, bool *row,
                            struct errctx *ec);
/* Forget rows and values. */
void pg_end(struct pg_stmt *s);
/* A value of the row as PostgreSQL writes it, with its length, until pg_end; or
 * NULL. */
const char *pg_column(const struct pg_stmt *s, int i, size_t *n);

#endif
