/*
 * What a search is asked for and what it works with: shared by all steps from
 * the question to the answer.
 */
#ifndef CITED_FIND_ENV_H
#define CITED_FIND_ENV_H

#include "base/clock.h"
#include "base/conf.h"
#include "base/url.h"
#include "json/json.h"

enum search_depth { DEPTH_FLASH, DEPTH_FAST, DEPTH_STANDARD, DEPTH_DEEP };
enum output_type { OUTPUT_SOURCED, OUTPUT_RESULTS, OUTPUT_STRUCTURED };

struct search_params {
    const char *q; /* as the caller sent it, guidance block included */
    enum search_depth depth;
    enum output_type output;
    struct domain_rules include, exclude;
    int32_t from_day, to_day; /* inclusive, DAY_NONE = open */
    bool images, inline_citations, sources, evidence;
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

/* That of a passage, without a snippet. */
struct candidate;
struct source source_of(const struct candidate *c);

/* What an answer says, and the words of a page it rests on. */
struct answer_evidence {
    const char *text;  /* as the answer says it */
    const char *quote; /* as the page does */
    size_t source;     /* number of its page among the sources, from 1 */
    bool stored;       /* start and end are byte offsets in the page's text */
    size_t start, end;
    const char *kind;  /* quoted, supported, repaired */
};

struct http;
struct model; /* model/model.h */
struct relevance;
struct meaning;
struct provider_set; /* find/provider.h: shared state of the providers */
struct pdf_reader;   /* page/document.h */
struct choices; /* object/choice.h */

/* What a search works with; one per thread. */
struct search_env {
    const struct conf *conf;
    struct db *index;
    struct http *http;
    struct provider_set *providers;
    struct model *model;          /* NULL: none is configured */
    struct relevance *relevance;  /* model/relevance.h; NULL: none */
    struct meaning *meaning;      /* find/meaning_find.h; NULL: words only */
    const struct pdf_reader *pdf; /* NULL: PDF files are not read */
    /* Told of the choices of arrays as in object/structured.h; or NULL */
    void (*choices)(const char *id, const char *name, int kind,
                    const struct choices *all);
};

#endif
