/*
 * The embedded index: pages, their passages, and full text over them.
 *
 * It is asked through one narrow call, index_query: terms, filters, k →
 * candidates. What stands behind it are segments (segment.h, shelf.h).
 */
#ifndef CITED_INDEX_PAGE_H
#define CITED_INDEX_PAGE_H

#include "base/arena.h"
#include "base/url.h"
#include "store/db.h"
#include "text/html.h"
#include "text/lang.h"
#include "text/passage.h"

#include <stdint.h>

struct page {
    int64_t id;
    const char *url; /* canonical; the identity of a page */
    const char *host;
    const char *title;
    const char *lang; /* its tag; decides how words are stemmed; "" unknown */
    const char *favicon; /* absolute URL or "" */
    const struct image *images;
    size_t image_count;
    int32_t day; /* publication date, or DAY_NONE */
    int64_t fetched_ms;
    const char *etag, *last_modified; /* "" if none */
    int64_t text_bytes;
    int64_t passage_count;
};

/* Add or replace the page with p->url, its passages and their postings, in
 * one transaction. p->id is ignored and set in *id. Pages without passages
 * are stored too (so that a re-crawl can be conditional), but never found. */
MUST_CHECK enum err page_put(struct db *index, const struct page *p,
                             const struct passage_text *passages, size_t count,
                             int64_t *id, struct errctx *ec);

/* Many page_put calls (and touch, remove, crawl_*, frontier_*) as one
 * transaction: begin, any number of them, commit; pairs may nest. Other writers
 * wait meanwhile, so keep it under a second. A call that failed after it had
 * begun to write makes the commit fail, which then undoes the whole batch;
 * ERR_NOT_FOUND and refused input do not. New pages are searchable after the
 * commit; a batch sees its own with page_find, page_get and page_text. abort
 * ends every nested pair. Where pages are true in PostgreSQL (follow.h), each
 * of these calls may fail with ERR_DB or ERR_TIMEOUT. */
MUST_CHECK enum err page_batch_begin(struct db *index, struct errctx *ec);
MUST_CHECK enum err page_batch_commit(struct db *index, struct errctx *ec);
void page_batch_abort(struct db *index);

MUST_CHECK enum err page_get(struct db *index, int64_t id, struct arena *a,
                             struct page *out, struct errctx *ec);
MUST_CHECK enum err page_find(struct db *index, const char *url,
                              struct arena *a, struct page *out,
                              struct errctx *ec); /* ERR_NOT_FOUND */
/* The page was checked and has not changed. */
MUST_CHECK enum err page_touch(struct db *index, int64_t id, int64_t now_ms,
                               struct errctx *ec);
/* Remove a page by URL, or (is_host) every page of a host and its
 * subdomains. *removed counts; 0 is ERR_NOT_FOUND. */
MUST_CHECK enum err page_remove(struct db *index, const char *url_or_host,
                                bool is_host, int64_t *removed,
                                struct errctx *ec);
/* Pages after after_id in id order, optionally of one host (with
 * subdomains); host NULL = all. */
MUST_CHECK enum err page_list(struct db *index, const char *host,
                              int64_t after_id, size_t limit, struct arena *a,
                              struct page **out, size_t *count,
                              struct errctx *ec);

/* The page's whole text: its passages joined by "\n\n". */
MUST_CHECK enum err page_text(struct db *index, int64_t id, struct arena *a,
                              const char **out, struct errctx *ec);

struct index_host_stats {
    const char *host;
    int64_t pages, passages;
};

struct index_stats {
    int64_t pages, passages, terms, text_bytes;
    int64_t file_bytes; /* of the database and the segments */
    int64_t segments, segment_bytes;
    int64_t removed; /* passages whose postings a merge will drop */
    int64_t lost;    /* segments that cannot be read */
    int64_t missing; /* passages that cannot be found until index_optimize */
    struct index_host_stats *hosts; /* by pages, at most 1,000 */
    size_t host_count;
};

MUST_CHECK enum err index_stats(struct db *index, struct arena *a,
                                struct index_stats *out, struct errctx *ec);
/* The same without what takes time. */
struct deadline;
struct index_size {
    int64_t pages, passages, file_bytes;
    int64_t segments, removed, lost, missing;
    bool outgrown; /* the full text of an earlier version is there, too */
};
MUST_CHECK enum err index_size(struct db *index, struct index_size *out,
                               struct errctx *ec);
/* The same after all segments were read and checked; those that come after the
 * deadline are believed. */
MUST_CHECK enum err index_check(struct db *index, const struct deadline *d,
                                struct index_size *out, struct errctx *ec);
/* Make again what is lost of the segments, merge them into one, checkpoint and
 * let SQLite analyse. */
MUST_CHECK enum err index_optimize(struct db *index, struct errctx *ec);
/* The same as far as it is due: lost segments, many of a kind, what an earlier
 * version left. Takes as long as that takes, and stops nobody. Where *stop (or
 * NULL) becomes true it ends soon: ERR_GONE. */
MUST_CHECK enum err index_upkeep(struct db *index, const _Atomic bool *stop,
                                 struct errctx *ec);

/* --- asking ------------------------------------------------------------ */

struct index_filter {
    const struct domain_rules *include; /* NULL or empty = no restriction */
    const struct domain_rules *exclude;
    int32_t day_from, day_to; /* inclusive; DAY_NONE = open. With either set
                                 pages without a date are dropped */
    bool openings; /* of each page only the passage it begins with */
};

/* One query term; text as text/terms gives it (folded, stemmed). Where the
 * index holds pages in several languages, word, as it was written, is what
 * they are asked for, stemmed in each; NULL: text serves for all. */
struct index_term {
    const char *text;
    double weight; /* 1.0 ordinary; 0 < weight */
    const char *word;
    bool other; /* another word for one of the terms: where it stands it counts
                   its weight, of a word that is in no passage; where it does
                   not, nothing is missing */
};

struct candidate {
    int64_t passage, page;
    int64_t seq; /* number of the passage in its page, from 0 */
    size_t start;
    const char *url, *host, *title, *heading, *text, *favicon, *lang;
    int32_t day;
    int64_t page_bytes; /* of all its page's passages; 0 = unknown */
    const char *parts;  /* what text is made of (text/passage.h); NULL or "":
                           not known */
    double score;       /* BM25F over title, heading, text; larger is better */
    float near; /* its cosine to the question; 0: it has none (meaning_find.h) */
};

/*
 * The best k passages (k at most 1,000) matching any of the terms, filters
 * applied exactly, best first, equal ones by their ids. Fewer than k only when
 * no more match. ERR_NO_RESULT when nothing matches; ERR_TIMEOUT; ERR_DB.
 */
struct deadline;
MUST_CHECK enum err index_query(struct db *index,
                                const struct index_term *terms, size_t count,
                                const struct index_filter *f, size_t k,
                                const struct deadline *d, struct arena *a,
                                struct candidate **out, size_t *out_count,
                                struct errctx *ec);

/* Document counts: passages holding each term (in any of its languages), and
 * passages in all; for weighting by rarity. df has count entries. */
MUST_CHECK enum err index_df(struct db *index, const struct index_term *terms,
                             size_t count, int64_t *df, int64_t *passages,
                             struct errctx *ec);

/* The language of the index in which most of the terms are known, for words
 * of which nothing else tells it. English where others know no more, and
 * instead of a language with less than two passages in a hundred: what is
 * known in such a one is most likely chance. */
MUST_CHECK enum err index_language(struct db *index,
                                   const struct index_term *terms, size_t count,
                                   enum lang *out, struct errctx *ec);

/* Passages of a page from seq on, at most limit: the surroundings of a
 * candidate. */
MUST_CHECK enum err index_passages(struct db *index, int64_t page, int64_t seq,
                                   size_t limit, struct arena *a,
                                   struct candidate **out, size_t *count,
                                   struct errctx *ec);

#endif
