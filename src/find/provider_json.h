/*
 * One JSON search API as its section of the configuration describes it:
 * building the request and reading the answer. Inside this room only.
 */
#ifndef CITED_FIND_PROVIDER_JSON_H
#define CITED_FIND_PROVIDER_JSON_H

#include "find/provider.h"

enum {
    PROVIDER_HEADERS_MAX = 12,
    PROVIDER_RESULTS_MAX = 100,
    PROVIDER_BYTES_MAX = 4 * 1024 * 1024
};

/* How a list of domains is written into a request. */
struct provider_sites {
    const char *all, *item, *join; /* templates; all "": not at all */
    int64_t max;                   /* domains in one request */
};

struct provider_def {
    const char *name, *url, *method, *body, *key;
    const char *results, *url_field, *title_field, *snippet_field;
    const char *date_field, *image_field, *images_path, *order_field;
    const char *error_path, *failed_path;
    struct provider_sites include, exclude;
    const char *dates, *images; /* templates */
    bool question;              /* send the question, not its keywords */
    bool missing_empty;         /* no results path: nothing was found */
    bool one_host;              /* all results are on the URL's own host */
    bool needs_contact;
    const char *lack; /* why it cannot be asked as configured, or NULL */
    struct url place; /* the URL before its query: its host */
    int64_t timeout_ms, want_max, parallel, drop_terms;
    const char *header_name[PROVIDER_HEADERS_MAX];
    const char *header_value[PROVIDER_HEADERS_MAX];
    size_t header_count;
};

/* Read a section; every string is copied into a. ERR_INVALID names the
 * section and the key that is wrong. */
MUST_CHECK enum err provider_def_read(const struct conf_provider *c,
                                      const struct conf *conf, struct arena *a,
                                      struct provider_def *out,
                                      struct errctx *ec);

/* --- provider_shipped.c: what deploy/providers holds, built in ----------- */

struct provider_text {
    const char *name, *text;
};

/* Made from the files by the build; ends with an empty row. */
extern const struct provider_text provider_texts[];

/* The definition of that name; ERR_NOT_FOUND, ERR_NOMEM. */
MUST_CHECK enum err provider_shipped_get(const char *name, struct arena *a,
                                         struct conf_provider *out);

/* --- provider_request.c, provider_json.c --------------------------------- */

/* One request of a round. */
struct provider_ask {
    const struct query *q;
    const struct index_filter *f;
    size_t want;
    bool images;
    size_t site; /* the first of the included domains it asks for */
    int dropped; /* least telling keywords that are left out */
};

MUST_CHECK enum err provider_request(const struct provider_def *p,
                                     const struct provider_ask *ask,
                                     struct arena *a, struct http_request *out);

/* How many keywords the question has for p: what may be dropped. */
size_t provider_keywords(const struct provider_def *p, const struct query *q);

/* Append z, percent-encoded but for unreserved bytes (RFC 3986, 2.3). */
struct buf;
void provider_percent(struct buf *b, const char *z);

/* Set outcome, msg, found and count from a response. ERR_NOMEM only. */
MUST_CHECK enum err provider_read(const struct provider_def *p,
                                  const struct http_response *res,
                                  struct arena *a, struct provider_answer *out);

/* --- provider_set.c: the circuit breakers, one mutex for all ------------- */

enum admission { ADMIT_YES, ADMIT_FULL, ADMIT_SUSPENDED };

const struct provider_def *provider_set_at(const struct provider_set *s,
                                           size_t i);
/* May provider i be asked now? ADMIT_YES takes one of its places until
 * provider_set_tell or provider_set_leave. After a suspension one request
 * goes ahead and the others stay away until it is back. */
enum admission provider_set_enter(struct provider_set *s, size_t i);
/* Give the place back and tell how it went; retry_after_ms < 0 when the
 * provider named none. */
void provider_set_tell(struct provider_set *s, size_t i,
                       const struct provider_answer *pa,
                       int64_t retry_after_ms);
/* What is remembered of the hosts whose pages were read. */
struct polite_memory;
struct polite_memory *provider_set_memory(struct provider_set *s);
/* Give the place back without having learnt anything. */
void provider_set_leave(struct provider_set *s, size_t i);

#endif
