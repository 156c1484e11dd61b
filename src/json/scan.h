/*
 * The strict scanner in front of cJSON: decides whether text is JSON as
 * json.h means it, and mends in a copy the few things that are JSON but that
 * cJSON cannot read. Used by json.c alone.
 */
#ifndef CITED_JSON_SCAN_H
#define CITED_JSON_SCAN_H

#include "json/json.h"

enum { JSON_DEPTH_MAX = 512 };

/* What is to be done with text that was found good. */
struct json_scanned {
    /* NULL when cJSON may read the text itself, else as many bytes to read
     * instead and to free: "\u0000" and lone surrogates as "\uFFFD" (only
     * with allow_nul), numbers of more digits than cJSON's buffer holds in a
     * shorter spelling with spaces behind it. */
    char *mended;
    bool duplicates; /* an object has a key twice (only when allowed) */
};

/* Check p[0..n). ERR_MALFORMED names the fault and its byte, counted from 0;
 * ERR_TOO_LARGE a limit; ERR_NOMEM. */
MUST_CHECK enum err json_scan(const char *p, size_t n,
                              const struct json_limits *lim,
                              struct json_scanned *out, struct errctx *ec);

#endif
