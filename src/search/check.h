/*
 * The check as a tool of its own: what a text says, sentence by sentence, held
 * against the pages that it cites or the passages that come with it. Knows
 * nothing of who wrote the text.
 */
#ifndef CITED_SEARCH_CHECK_H
#define CITED_SEARCH_CHECK_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "json/json.h"
#include "verify/verify.h"

#include <stdint.h>

struct db;
struct http;
struct pdf_reader; /* page/document.h */

enum {
    CHECK_ITEMS_MAX = 5000,      /* sentences of one check */
    CHECK_URLS_MAX = 8,          /* sources of a sentence */
    CHECK_TEXT_MAX = 8 << 20,    /* bytes of what is checked */
    CHECK_PASSAGE_MAX = 4 << 20, /* … of what it is held against */
    CHECK_SENTENCE_MAX = 4000
};

/* A sentence and what it rests on: a passage, or stored pages by their
 * addresses. All valid UTF-8. */
struct check_item {
    const char *sentence;
    const char *passage; /* or NULL */
    const char *quote;   /* the words it is said to rest on, or NULL */
    const char *urls[CHECK_URLS_MAX];
    size_t url_count;
};

struct check_list {
    struct check_item *items;
    size_t count;
};

/*
 * The sentences of a text with what each cites. Either JSON lines of
 * {"sentence","passage"} or {"sentence","url"}, with "quote" or without, or
 * {"text","url"}; or an answer as the service gives it, {"answer","sources"};
 * or Markdown with marks such as [1] and the list of their addresses, or with
 * links behind what they bear out. Headings, code and the list itself are no
 * sentences. A sentence without a mark has that of the next one that
 * has some, in its paragraph else of the last one.
 *
 * ERR_INVALID names the line that is wrong, and what was expected · ERR_LIMIT
 * too many sentences · ERR_NOMEM.
 */
MUST_CHECK enum err check_read(const char *text, size_t n, struct arena *a,
                               struct check_list *out, struct errctx *ec);

/* Markdown alone; url (or NULL): what sentences without a mark cite. sources:
 * addresses by number, beside those in the text. */
MUST_CHECK enum err check_read_markdown(const char *text, size_t n,
                                        const char *url,
                                        const char *const *sources,
                                        size_t source_count, struct arena *a,
                                        struct check_list *out,
                                        struct errctx *ec);

/* One object of JSON lines; *wrong (for people) or NULL. Adds to out. */
MUST_CHECK enum err check_read_object(const struct json *v, struct arena *a,
                                      struct check_list *out,
                                      const char **wrong, struct errctx *ec);

struct check_result {
    enum verdict verdict;
    const char *url;   /* the page that decides, or NULL */
    const char *quote; /* its words, or NULL when UNSUPPORTED */
    size_t start, end; /* bytes of the passage, or of the page's text as
                          GET /v1/pages gives it */
    const char *why;   /* "" when nothing is missing */
};

/* Where cited pages are. */
struct check_pages {
    struct db *index;  /* NULL: there is none */
    struct http *http; /* what is not in the index is fetched; NULL: it is not.
                          Not used otherwise meanwhile. */
    size_t bytes_max;  /* of a page that is fetched */
    int64_t timeout_ms;
    const struct pdf_reader *pdf; /* or NULL */
};

enum { CHECK_FETCHES_MAX = 200 }; /* pages of one check */

/*
 * Hold each item against what it cites; of several pages the one that bears it
 * out best counts. A page that can not be had bears nothing out, and why says
 * so; the text of one that is fetched is what the index would store of it.
 * ERR_TIMEOUT when d is over · ERR_DB · ERR_NOMEM.
 */
MUST_CHECK enum err check_run(const struct check_pages *from,
                              const struct check_list *list, struct deadline d,
                              struct arena *a, struct check_result **out,
                              struct errctx *ec);

#endif
