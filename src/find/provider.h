/*
 * Where candidates come from. Two kinds stand behind one interface: the
 * embedded index, and any JSON search API described in the configuration
 * (a [provider.NAME] section). An empty answer and a failed one are
 * different outcomes, always.
 *
 * Keys of a section. In templates {q} is the query, {want} how many results,
 * {page} 1, {from} and {to} the dates asked for (YYYY-MM-DD, or nothing; also
 * {from_digits}, {to_digits} as YYYYMMDD, {after_digits} the day after {to},
 * {from_us}, {to_us} as M/D/YYYY), {lang} "en", {key} the value of key; other
 * braces stand for themselves.
 *
 *   use            a shipped definition (deploy/providers); this section's
 *                  keys replace its own
 *   url            template, required; values are percent-encoded
 *   base           what {base} at the beginning of url is
 *   method         GET (default) or POST
 *   body           template for POST; values are escaped for JSON, or
 *                  percent-encoded when the Content-Type header says form
 *   header.NAME    a header line's value
 *   headers        more of them: "Name: value | Name: value"
 *   key            a secret, for {key}; never logged
 *   contact        required: not asked until crawl.contact is set
 *   query          what {q} is: keywords (default) or question
 *   drop_terms     an empty answer to keywords is asked again this many times
 *                  (0-8), each time without the least telling word; 0
 *   want_max       most results it gives, 1-100
 *   include        template that {include} stands for when there are domains
 *                  to include, else for nothing; in it {sites} is include_item
 *                  ("{site}") for each, joined by include_join (",")
 *                  Priority domains are asked for so too, in one more request
 *   include_max    domains in one request (1-1000, default 100); more of them
 *                  are asked for in up to 4 requests
 *   exclude, exclude_item, exclude_join, exclude_max   the same for {exclude}
 *   dates          template that {dates} stands for when a date is asked for;
 *                  in it an open {from} is 1970-01-01, an open {to} today
 *   images         template that {images} stands for when images are asked
 *   one_host       yes: all results are on the URL's host, so it is not asked
 *                  when the domains leave that out
 *   results        dotted path to the array, "web.results" or
 *                  "channels.0.items"; "" is the answer itself
 *   url_field      path in a result, default "url"; or a template such as
 *                  "https://wiki.example/{title}" of such paths
 *   title_field, snippet_field, date_field   default title, snippet, none
 *   image_field    path of a result's image URL
 *   images_path    path to an array of image URLs, or of objects with url and
 *                  description, that belong to no result
 *   order_field    path of a number that results are sorted by
 *   error_path     where a failed answer with status 200 has its error
 *   failed_path    paths, separated by blanks: something there makes an empty
 *                  answer a failed one, and another a partial one (such as
 *                  "unresponsive_engines")
 *   missing        what an absent results path means: malformed (default) or
 *                  empty
 *   timeout_ms     100-60000, default search.provider_timeout_ms
 *   parallel       requests to it at once, of this process, 1-64, default 8
 *
 * Outcomes by what is seen: 401, 402, 403, 432, 433 denied; other 4xx but
 * 408, 425, 429 bad request; 429 and 503 limited; other 5xx, 408, 425, no
 * connection unavailable; 200 with something else than JSON, or without the
 * results path, malformed. An unavailable provider is asked once more when
 * time is left. Three failures in a row suspend a provider for 1, 2, 4 …
 * 60 seconds; then one request tries, and the others wait for it. A
 * Retry-After (RFC 9110, 10.2.3) suspends at once and for as long as it says,
 * a day at most.
 */
#ifndef CITED_FIND_PROVIDER_H
#define CITED_FIND_PROVIDER_H

#include "base/clock.h"
#include "base/meter.h"
#include "net/http.h"
#include "question/query.h"
#include "find/env.h"

enum outcome {
    OUTCOME_OK,
    OUTCOME_EMPTY,
    OUTCOME_PARTIAL, /* results, but not from all it asked itself */
    OUTCOME_LIMITED,
    OUTCOME_DENIED,
    OUTCOME_BAD_REQUEST,
    OUTCOME_UNAVAILABLE,
    OUTCOME_TIMEOUT,
    OUTCOME_MALFORMED,
    OUTCOME_SUSPENDED /* by its circuit breaker */
};

/* An image a provider knows. page is the result it belongs to, or "". */
struct provider_image {
    const char *url, *alt, *page;
    int32_t day; /* of the result */
};

/* One provider's answer. Candidates from a JSON provider have page and
 * passage 0 and the provider's snippet as text. */
struct provider_answer {
    const char *provider;
    enum outcome outcome;
    char msg[160];
    struct candidate *found;
    size_t count;
    struct provider_image *images;
    size_t image_count;
};

/* Providers of the configuration with their circuit breakers, shared by all
 * threads. ERR_INVALID names the section and key that is wrong. */
MUST_CHECK enum err provider_set_new(const struct conf *c,
                                     struct provider_set **out,
                                     struct errctx *ec);
void provider_set_free(struct provider_set *s);          /* NULL is fine */
size_t provider_set_count(const struct provider_set *s); /* NULL: 0 */

/* Count from now on how requests end: cited_provider_requests_total. */
void provider_set_count_in(struct provider_set *s, struct meter *meter);

/* "ok", "rate limited" … for messages and logs. */
const char *outcome_name(enum outcome o);

/* Was the provider asked and gave no proper answer? */
bool outcome_is_failure(enum outcome o);

/* What is wrong with a provider now, for operators. */
struct provider_state {
    const char *name;
    const char *at;       /* URL it is asked at, without its query */
    const char *lack;     /* what its configuration lacks, or NULL */
    enum outcome outcome; /* of its last failure; OUTCOME_OK: none */
    char msg[160];        /* what that said */
    int64_t until_ms;     /* suspended until then, UTC; 0 = it is not */
};
void provider_set_state(struct provider_set *s, size_t i,
                        struct provider_state *out);

/* Names of the definitions that come with the program; NULL behind the
 * last. */
const char *provider_shipped_name(size_t i);

/*
 * The two halves of providers_ask, so that other work can be done while the
 * requests are on their way. Between them the http client must not be used
 * otherwise, and every start needs its finish.
 */
struct provider_round;
MUST_CHECK enum err providers_start(const struct search_env *env,
                                    const struct query *q,
                                    const struct index_filter *f, size_t want,
                                    bool images, struct deadline d,
                                    struct arena *a,
                                    struct provider_round **out);
MUST_CHECK enum err providers_finish(struct provider_round *r,
                                     struct provider_answer **out,
                                     size_t *count);

/* Ask every provider of the configuration in parallel; one answer each. */
MUST_CHECK enum err providers_ask(const struct search_env *env,
                                  const struct query *q,
                                  const struct index_filter *f, size_t want,
                                  bool images, struct deadline d,
                                  struct arena *a, struct provider_answer **out,
                                  size_t *count);

#endif
