/*
 * A search from question to verified answer: query → ask providers → merge →
 * rank → write or fill the schema → verify. One call for the responder and
 * for the research helper. Knows nothing of HTTP requests or JSON on the
 * wire.
 */
#ifndef CITED_SEARCH_SEARCH_H
#define CITED_SEARCH_SEARCH_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/url.h"
#include "store/page.h"
#include "text/html.h"
#include "json/json.h"

enum search_depth { DEPTH_FLASH, DEPTH_FAST, DEPTH_STANDARD, DEPTH_DEEP };
enum output_type { OUTPUT_SOURCED, OUTPUT_RESULTS, OUTPUT_STRUCTURED };

struct search_params {
    const char *q; /* as the caller sent it, guidance block included */
    enum search_depth depth;
    enum output_type output;
    struct domain_rules include, exclude;
    int32_t from_day, to_day; /* inclusive, DAY_NONE = open */
    bool images, inline_citations, sources;
    const struct json *schema; /* for OUTPUT_STRUCTURED, checked */
    int max_results;           /* 1-100 */
};

/* A page that stands behind an answer, or a result. */
struct source {
    const char *name, *url, *favicon;
    const char *snippet; /* verbatim text of the page */
    int32_t day;
    int64_t page, passage; /* in the index; 0 when from elsewhere */
};

struct search_result {
    const char *answer; /* OUTPUT_SOURCED: text, with [n] if asked for */
    const char *object; /* OUTPUT_STRUCTURED: JSON that satisfies the schema */
    struct source *sources; /* SOURCED: in citation order; RESULTS: ranked;
                               STRUCTURED: what the fields rest on */
    size_t source_count;
    struct image *images; /* when asked for; filters hold for them too */
    size_t image_count;
};

struct http;
struct model; /* net/model.h */
struct relevance;
struct provider_set; /* search/provider.h: shared state of the providers */
struct pdf_reader;   /* search/document.h */

/* What a search works with; one per thread. */
struct search_env {
    const struct conf *conf;
    struct db *index;
    struct http *http;
    struct provider_set *providers;
    struct model *model;          /* NULL: none is configured */
    struct relevance *relevance;  /* net/relevance.h; NULL: none */
    const struct pdf_reader *pdf; /* NULL: PDF files are not read */
};

/*
 * Run a search. ERR_OK with *out · ERR_NO_RESULT nothing matched, or no
 * sufficient evidence, or a required field of the schema has none (the
 * message names it) · ERR_UPSTREAM every provider that was asked failed ·
 * ERR_TIMEOUT · ERR_DB · ERR_NOMEM. id is for log lines.
 */
MUST_CHECK enum err search_run(const struct search_env *env,
                               const struct search_params *p, struct deadline d,
                               const char *id, struct arena *a,
                               struct search_result *out, struct errctx *ec);

/* The time a depth may take, from the configuration. */
int64_t search_deadline_ms(const struct conf *c, enum search_depth depth);

#endif
