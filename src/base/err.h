/*
 * What can go wrong, as values. Every function that can fail returns an
 * enum err; what it produces goes to out parameters, set only on ERR_OK.
 *
 * Nothing found, upstream failed, out of time and a broken database are
 * four different values: an error never becomes an empty success.
 */
#ifndef CITED_BASE_ERR_H
#define CITED_BASE_ERR_H

#include <stdbool.h>

enum err {
    ERR_OK = 0,
    ERR_NOMEM,      /* the allocator said no */
    ERR_INVALID,    /* the input breaks a rule; the message names it */
    ERR_AUTH,       /* no key, or not a valid one */
    ERR_FORBIDDEN,  /* a valid key that may not do this */
    ERR_NOT_FOUND,  /* no such thing */
    ERR_CONFLICT,   /* it exists already */
    ERR_TOO_LARGE,  /* a cap of ours was reached */
    ERR_TIMEOUT,    /* the deadline passed */
    ERR_BUSY,       /* try again later */
    ERR_LIMIT,      /* a rate or a quota of the caller is used up */
    ERR_NO_RESULT,  /* searched, and nothing matched */
    ERR_UPSTREAM,   /* every provider or peer that was asked failed */
    ERR_GONE,       /* the peer left */
    ERR_TOLD,       /* it failed, and whoever asked was told */
    ERR_LEASE_LOST, /* another helper owns the task now */
    ERR_DB,         /* a database cannot be read: damaged, gone, not ours;
                       the message holds the SQL */
    ERR_FULL,       /* no room left on the disk */
    ERR_READ_ONLY,  /* the file system takes no writes */
    ERR_IO,         /* a file or socket failed */
    ERR_MALFORMED,  /* a foreign answer or file could not be parsed */
    ERR_INTERNAL,   /* a defect of ours */
    ERR__MAX
};

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* An error with words for the person who has to act on it. */
struct errctx {
    enum err code;
    char msg[256];
};

/* A short lower-case name, for logs: "not_found". Never NULL. */
const char *err_name(enum err code);

/* The message of ec, or the name of e where it has none; as long as ec. */
const char *err_words(enum err e, const struct errctx *ec);

/* What an errno value of a file means: no room, no writing, no memory, too many
 * open files (ERR_BUSY); ERR_IO otherwise. */
enum err err_of_errno(int n);

/* Is it a fault of the data folder, which a try later may not meet? */
bool err_is_storage(enum err code);

/* Set ctx (may be NULL) to code and a formatted message; returns code, so
 * that "return err_set(ctx, ERR_X, ...)" reads as one step. What is no text in
 * it (bytes of a damaged file, say) becomes '?'. */
enum err err_set(struct errctx *ctx, enum err code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
