/*
 * libpq, loaded when the first address is named. It brings the libraries of
 * Kerberos and LDAP with it: a service that keeps its state in a file never
 * pays for them. The calls below are libpq's own, passed on; nothing else of
 * the program knows that they are not linked.
 */
#include "store/pg_load.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define CALLS(X)                                                               \
    X(PQconninfoParse)                                                         \
    X(PQconninfoFree)                                                          \
    X(PQfreemem)                                                               \
    X(PQconnectdbParams) X(PQfinish) X(PQstatus) X(PQtransactionStatus)        \
        X(PQsocket) X(PQerrorMessage) X(PQsetnonblocking) X(PQflush)           \
            X(PQisBusy) X(PQconsumeInput) X(PQsendQuery) X(PQsendPrepare)      \
                X(PQsendQueryPrepared) X(PQgetResult) X(PQclear)               \
                    X(PQresultStatus) X(PQresultErrorField) X(PQcmdStatus)     \
                        X(PQcmdTuples) X(PQntuples) X(PQgetvalue)              \
                            X(PQgetisnull) X(PQgetlength)                      \
                                X(PQsetNoticeProcessor) X(PQnotifies)          \
                                    X(PQbackendPID) X(PQsendQueryParams)

#define MEMBER(call) __typeof__(call) *call;
static struct {
    CALLS(MEMBER)
} pq;

#define ROW(call) {#call, &pq.call},
static const struct {
    const char *name;
    void *place; /* a member of pq */
} calls[] = {CALLS(ROW)};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;

static void load(void)
{
    void *lib = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);

    for (size_t i = 0; lib != NULL && i < sizeof calls / sizeof calls[0]; i++) {
        void *f = dlsym(lib, calls[i].name);

        if (f == NULL)
            return;
        /* POSIX lets an object pointer of dlsym be a function's. */
        *(void **)calls[i].place = f;
    }
    loaded = lib != NULL;
}

enum err pg_load(struct errctx *ec)
{
    pthread_once(&once, load);
    if (loaded)
        return ERR_OK;
    return err_set(ec, ERR_INTERNAL,
                   "libpq.so.5 cannot be loaded; a database at a "
                   "postgresql:// address needs the package libpq5");
}

#define PASS(type, call, takes, gives)                                         \
    type call takes                                                            \
    {                                                                          \
        return pq.call gives;                                                  \
    }
#define PASS_VOID(call, takes, gives)                                          \
    void call takes                                                            \
    {                                                                          \
        pq.call gives;                                                         \
    }

PASS(PQconninfoOption *, PQconninfoParse, (const char *z, char **msg), (z, msg))
PASS_VOID(PQconninfoFree, (PQconninfoOption * o), (o))
PASS_VOID(PQfreemem, (void *p), (p))
PASS(PGconn *, PQconnectdbParams,
     (const char *const *k, const char *const *v, int expand), (k, v, expand))
PASS_VOID(PQfinish, (PGconn * c), (c))
PASS(ConnStatusType, PQstatus, (const PGconn *c), (c))
PASS(PGTransactionStatusType, PQtransactionStatus, (const PGconn *c), (c))
PASS(int, PQsocket, (const PGconn *c), (c))
PASS(char *, PQerrorMessage, (const PGconn *c), (c))
PASS(int, PQsetnonblocking, (PGconn * c, int on), (c, on))
PASS(int, PQflush, (PGconn * c), (c))
PASS(int, PQisBusy, (PGconn * c), (c))
PASS(int, PQconsumeInput, (PGconn * c), (c))
PASS(int, PQsendQuery, (PGconn * c, const char *sql), (c, sql))
PASS(int, PQsendPrepare,
     (PGconn * c, const char *name, const char *sql, int n, const Oid *types),
     (c, name, sql, n, types))
PASS(int, PQsendQueryPrepared,
     (PGconn * c, const char *name, int n, const char *const *v,
      const int *lengths, const int *formats, int format),
     (c, name, n, v, lengths, formats, format))
PASS(int, PQsendQueryParams,
     (PGconn * c, const char *sql, int n, const Oid *types,
      const char *const *v, const int *lengths, const int *formats, int format),
     (c, sql, n, types, v, lengths, formats, format))
PASS(int, PQbackendPID, (const PGconn *c), (c))
PASS(PGresult *, PQgetResult, (PGconn * c), (c))
PASS_VOID(PQclear, (PGresult * r), (r))
PASS(ExecStatusType, PQresultStatus, (const PGresult *r), (r))
PASS(char *, PQresultErrorField, (const PGresult *r, int field), (r, field))
PASS(char *, PQcmdStatus, (PGresult * r), (r))
PASS(char *, PQcmdTuples, (PGresult * r), (r))
PASS(int, PQntuples, (const PGresult *r), (r))
PASS(char *, PQgetvalue, (const PGresult *r, int row, int i), (r, row, i))
PASS(int, PQgetisnull, (const PGresult *r, int row, int i), (r, row, i))
PASS(int, PQgetlength, (const PGresult *r, int row, int i), (r, row, i))
PASS(PQnoticeProcessor, PQsetNoticeProcessor,
     (PGconn * c, PQnoticeProcessor f, void *arg), (c, f, arg))
PASS(PGnotify *, PQnotifies, (PGconn * c), (c))
