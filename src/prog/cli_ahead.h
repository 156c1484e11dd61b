/*
 * Private to `cited index add`: documents are parsed ahead on threads, and put
 * into the index in the order they came by the thread that owns it. What costs
 * as much as the putting is done meanwhile; where there is one processor, the
 * owner does both.
 */
#ifndef CITED_PROG_CLI_AHEAD_H
#define CITED_PROG_CLI_AHEAD_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "page/document.h"

/* A document on its way. Whoever takes an empty one fills in the first group;
 * the second is the preparing thread's until it is put. */
struct ahead_doc {
    struct arena arena;          /* emptied before it is filled */
    struct buf bytes;            /* of its file, when it has one of its own */
    const char *file;            /* lives until it is put */
    long line;                   /* in file; 0: the whole file */
    const char *relative, *type; /* path below the operand; media type */
    bool named;                  /* is the operand, or a line of one */
    struct str text;             /* the line, borrowed until all are put */

    struct json *json;
    struct index_input in;
    struct document doc;
    const char *wrong; /* why it cannot be put, or NULL */
    struct errctx ec;

    enum { AHEAD_EMPTY, AHEAD_WAITING, AHEAD_TAKEN, AHEAD_READY } state;
};

struct ahead;

struct ahead_work {
    void (*prepare)(struct ahead_doc *d, void *arg); /* on any thread */
    void (*put)(struct ahead_doc *d, void *arg);     /* on the owner's */
    void *arg;
};

/* NULL: no memory. Threads that cannot be had are done without. */
struct ahead *ahead_new(const struct ahead_work *work);
/* What was not put is dropped. */
void ahead_free(struct ahead *a);

/* An empty one to fill; the oldest are put to make room. It is under way from
 * ahead_add on, and not before: another call gives the same one. */
struct ahead_doc *ahead_next(struct ahead *a);
void ahead_add(struct ahead *a);

/* Put all that are under way. */
void ahead_settle(struct ahead *a);

#endif
