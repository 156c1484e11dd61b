/*
 * The state database of a test: a file at the path given, or, where
 * CITED_TEST_POSTGRES holds an address, to which parameters can be added,
 * tables of its own in that PostgreSQL, made anew each time
 * (tests/support/postgres.sh runs programs so).
 */
#ifndef CITED_TESTS_STATE_DB_H
#define CITED_TESTS_STATE_DB_H

#include "base/conf.h"
#include "store/db.h"
#include "store/pg.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool state_db_is_remote(void)
{
    return getenv("CITED_TEST_POSTGRES") != NULL;
}

/* Is a PgBouncer before it that gives each transaction another session? */
static inline bool state_db_is_pooled(void)
{
    return getenv("CITED_TEST_POOLER") != NULL;
}

/* The name of the schema, and behind a pooler, which hands no parameters on, of the
 * role whose first one it is; the next one from here on, if next. Processes that
 * are forked have the one of their parent. */
static inline const char *state_db_name(bool next)
{
    static char name[64];
    static int count;

    if (next)
        snprintf(name, sizeof name, "t%ld_%d", (long)getpid(), ++count);
    return name;
}

/* Where it is, without a pooler; good until this thread asks again. */
static inline const char *state_db_direct(void)
{
    static _Thread_local char address[512];

    snprintf(address, sizeof address, "%soptions=-csearch_path%%3D%s",
             getenv("CITED_TEST_POSTGRES"), state_db_name(false));
    return address;
}

static inline const char *state_db_address(void)
{
    static _Thread_local char address[512];
    const char *pooler = getenv("CITED_TEST_POOLER"), *at;

    if (pooler == NULL)
        return state_db_direct();
    at = strstr(pooler, "%s");
    snprintf(address, sizeof address, "%.*s%s%s", (int)(at - pooler), pooler,
             state_db_name(false), at + 2);
    return address;
}

/* Run SQL in PostgreSQL, or in the file at path, beside what is tested. */
static inline enum err state_db_exec(const char *path, const char *sql)
{
    struct pg_server *s = NULL;
    struct pg *p = NULL;
    sqlite3 *h = NULL;
    struct errctx ec;
    enum err e;

    if (!state_db_is_remote()) {
        e = sqlite3_open(path, &h) == SQLITE_OK &&
                    sqlite3_exec(h, sql, NULL, NULL, NULL) == SQLITE_OK
                ? ERR_OK
                : ERR_DB;
        sqlite3_close(h);
        return e;
    }
    e = pg_server_new(state_db_direct(), &s, &ec);
    if (e == ERR_OK)
        e = pg_open(s, NULL, NULL, &p, &ec);
    if (e == ERR_OK)
        e = pg_exec(p, sql, &ec);
    pg_close(p);
    pg_server_free(s);
    if (e != ERR_OK)
        fprintf(stderr, "PostgreSQL: %s\n", ec.msg);
    return e;
}

static inline enum err state_db_next(void)
{
    char sql[256];
    const char *name = state_db_name(true);

    snprintf(sql, sizeof sql,
             state_db_is_pooled()
                 ? "CREATE SCHEMA %s; CREATE ROLE %s SUPERUSER LOGIN"
                 : "CREATE SCHEMA %s",
             name, name);
    return state_db_exec(NULL, sql);
}

/* Another one over the same data. */
static inline enum err state_db_again(const char *path, struct db_file **out)
{
    struct errctx ec;

    return state_db_is_remote()
               ? db_remote_new(state_db_address(), out, &ec)
               : db_file_new(DB_STATE, path, out);
}

static inline enum err state_db_new(const char *path, struct db_file **out)
{
    enum err e = state_db_is_remote() ? state_db_next() : ERR_OK;

    return e == ERR_OK ? state_db_again(path, out) : e;
}

/* An index: a file at path alone, or one that follows pages of its own in that
 * PostgreSQL, the same where the path is the last one's. */
static inline enum err state_db_index(const char *path, struct db_file **out)
{
    static char last[256];
    struct errctx ec;
    enum err e = db_file_new(DB_INDEX, path, out);

    if (e == ERR_OK && state_db_is_remote() && strcmp(last, path) != 0)
        e = state_db_next();
    snprintf(last, sizeof last, "%s", path);
    if (e == ERR_OK && state_db_is_remote())
        e = db_file_follow(*out, state_db_address(), &ec);
    return e;
}

/* The configuration names a new one. */
static inline enum err state_db_configure(struct conf *c)
{
    enum err e;

    if (!state_db_is_remote())
        return ERR_OK;
    e = state_db_next();
    c->database = arena_strdup(&c->arena, state_db_address());
    return e;
}

#endif
