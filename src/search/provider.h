/*
 * Where candidates come from. Two kinds stand behind one interface: the
 * embedded index, and any JSON search API described in the configuration
 * (a [provider.NAME] section). An empty answer and a failed one are
 * different outcomes, always.
 *
 * Keys of a section. In templates {q} is the query, {want} how many results,
 * {page} 1, {from} and {to} the dates asked for (YYYY-MM-DD, or nothing),
 * {lang} "en", {key} the value of key; other braces stand for themselves.
 *
 *   url            template, required; values are percent-encoded
 *   method         GET (default) or POST
 *   body           template for POST; values are escaped for JSON, or
 *                  percent-encoded when the Content-Type header says form
 *   header.NAME    a header line's value; only here {key} is replaced
 *   headers        more of them: "Name: value | Name: value"
 *   key            a secret, for {key}; never logged
 *   query          what {q} is: keywords (default) or question
 *   results        dotted path to the array, "web.results" or
 *                  "channels.0.items"; "" is the answer itself
 *   url_field      path in a result, default "url"; or a template such as
 *                  "https://wiki.example/{title}" of such paths
 *   title_field, snippet_field, date_field   default title, snippet, none
 *   error_path     where a failed answer with status 200 has its error
 *   failed_path    what is not empty here means: an empty answer is a failed
 *                  one (such as "unresponsive_engines")
 *   missing        what an absent results path means: malformed (default) or
 *                  empty
 *   timeout_ms     100-60000, default search.provider_timeout_ms
 *
 * Outcomes by what is seen: 401, 402, 403, 432, 433 denied; other 4xx but
 * 408, 425, 429 bad request; 429 and 503 limited; other 5xx, 408, 425, no
 * connection unavailable; 200 with something else than JSON, or without the
 * results path, malformed. An unavailable provider is asked once more when
 * time is left. Three failures in a row suspend a provider for 1, 2, 4 …
 * 60 seconds; a Retry-After does at once.
 */
#ifndef CITED_SEARCH_PROVIDER_H
#define CITED_SEARCH_PROVIDER_H

#include "base/clock.h"
#include "net/http.h"
#include "search/query.h"
#include "search/search.h"

enum outcome {
    OUTCOME_OK,
    OUTCOME_EMPTY,
    OUTCOME_LIMITED,
    OUTCOME_DENIED,
    OUTCOME_BAD_REQUEST,
    OUTCOME_UNAVAILABLE,
    OUTCOME_TIMEOUT,
    OUTCOME_MALFORMED,
    OUTCOME_SUSPENDED /* by its circuit breaker */
};

/* One provider's answer. Candidates from a JSON provider have page and
 * passage 0 and the provider's snippet as text. */
struct provider_answer {
    const char *provider;
    enum outcome outcome;
    char msg[160];
    struct candidate *found;
    size_t count;
};

/* Providers of the configuration with their circuit breakers, shared by all
 * threads. ERR_INVALID names the section and key that is wrong. */
MUST_CHECK enum err provider_set_new(const struct conf *c,
                                     struct provider_set **out,
                                     struct errctx *ec);
void provider_set_free(struct provider_set *s);          /* NULL is fine */
size_t provider_set_count(const struct provider_set *s); /* NULL: 0 */

/* "ok", "rate limited" … for messages and logs. */
const char *outcome_name(enum outcome o);

/* Was the provider asked and gave no proper answer? */
bool outcome_is_failure(enum outcome o);

/*
 * The two halves of providers_ask, so that other work can be done while the
 * requests are on their way. Between them the http client must not be used
 * otherwise, and every start needs its finish.
 */
struct provider_round;
MUST_CHECK enum err providers_start(const struct search_env *env,
                                    const struct query *q,
                                    const struct index_filter *f, size_t want,
                                    struct deadline d, struct arena *a,
                                    struct provider_round **out);
MUST_CHECK enum err providers_finish(struct provider_round *r,
                                     struct provider_answer **out,
                                     size_t *count);

/* Ask every provider of the configuration in parallel; one answer each. */
MUST_CHECK enum err providers_ask(const struct search_env *env,
                                  const struct query *q,
                                  const struct index_filter *f, size_t want,
                                  struct deadline d, struct arena *a,
                                  struct provider_answer **out, size_t *count);

#endif
