/*
 * One JSON search API as its section of the configuration describes it:
 * building the request and reading the answer. Inside this room only.
 */
#ifndef CITED_SEARCH_PROVIDER_JSON_H
#define CITED_SEARCH_PROVIDER_JSON_H

#include "search/provider.h"

enum {
    PROVIDER_HEADERS_MAX = 12,
    PROVIDER_RESULTS_MAX = 100,
    PROVIDER_BYTES_MAX = 4 * 1024 * 1024
};

struct provider_def {
    const char *name, *url, *method, *body, *key;
    const char *results, *url_field, *title_field, *snippet_field;
    const char *date_field, *error_path, *failed_path;
    bool question;      /* send the question, not its keywords */
    bool missing_empty; /* no results path: nothing was found */
    int64_t timeout_ms;
    const char *header_name[PROVIDER_HEADERS_MAX];
    const char *header_value[PROVIDER_HEADERS_MAX];
    size_t header_count;
};

/* Read a section; every string is copied into a. ERR_INVALID names the
 * section and the key that is wrong. */
MUST_CHECK enum err provider_def_read(const struct conf_provider *c,
                                      int64_t timeout_ms, struct arena *a,
                                      struct provider_def *out,
                                      struct errctx *ec);

MUST_CHECK enum err provider_request(const struct provider_def *p,
                                     const struct query *q,
                                     const struct index_filter *f, size_t want,
                                     struct arena *a, struct http_request *out);

/* Append z, percent-encoded but for unreserved bytes (RFC 3986, 2.3). */
struct buf;
void provider_percent(struct buf *b, const char *z);

/* Set outcome, msg, found and count from a response. ERR_NOMEM only. */
MUST_CHECK enum err provider_read(const struct provider_def *p,
                                  const struct http_response *res,
                                  struct arena *a, struct provider_answer *out);

/* --- provider_set.c: the circuit breakers, one mutex for all ------------- */

const struct provider_def *provider_set_at(const struct provider_set *s,
                                           size_t i);
/* May provider i be asked now? */
bool provider_set_open(struct provider_set *s, size_t i);
/* Tell how it went; retry_after_ms < 0 when the provider named none. */
void provider_set_tell(struct provider_set *s, size_t i, enum outcome o,
                       int64_t retry_after_ms);

#endif
