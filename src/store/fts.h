/*
 * Private to store/: what the full-text table needs from us. The tokenizer
 * "cited" (text/terms, plus raw tokens) and the function cited_collect, which
 * scores every matching row and keeps the best in db->collect.
 *
 * Text that begins with FTS_TAG is a list of raw tokens divided by spaces;
 * text that begins with FTS_RAW is one raw token, without that byte. Page
 * text never contains either byte.
 */
#ifndef CITED_STORE_FTS_H
#define CITED_STORE_FTS_H

#include "base/buf.h"
#include "base/err.h"
#include "text/stemmer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTS_TAG '\x01'
#define FTS_RAW '\x02'

enum { FTS_TITLE, FTS_HEADING, FTS_TEXT, FTS_TAGS, FTS_COLUMNS };
enum { FTS_TERMS_MAX = 64 }; /* terms that select */

struct hit {
    int64_t passage;
    double score;
};

/* The k best of a running query, as a heap with the worst on top. */
struct collect {
    struct hit *heap;
    size_t count, max;
    size_t term_count;          /* the first phrases of the query are terms */
    double gain[FTS_TERMS_MAX]; /* weight of each: rarity times its own */
};

struct db;
MUST_CHECK enum err fts_register(struct db *db, struct errctx *ec);

/* For a bare handle that only checks the file, which SQLite since 3.44 does
 * for the full-text table as well: its tokenizer by name, which refuses any
 * text (the table holds none to compare with). Where that fails, so does the
 * check, which says why. */
struct sqlite3;
void fts_name_tokenizer(struct sqlite3 *h);

/* The connection's stemmer for a language, NULL for one without. */
MUST_CHECK enum err fts_stemmer(struct db *db, enum lang l,
                                struct stemmer **out, struct errctx *ec);

/* The languages whose stems the index holds, English not among them: bit l
 * is set for enum lang l. passages, if not NULL, gets how many each has (of
 * LANG_COUNT). They are counted in the term table, under FTS_TAG and the
 * language's code. */
MUST_CHECK enum err fts_languages(struct db *db, unsigned *out,
                                  int64_t *passages, struct errctx *ec);

/* Does hit a come before b: higher score, then smaller id. */
bool hit_before(const struct hit *a, const struct hit *b);

/* How much of a term's weight x weighted occurrences earn. */
double fts_saturate(double x);

/* One token of the query language, quoted: the only place where text becomes
 * query language. kind is FTS_TAG (p has its own) or FTS_RAW. */
void fts_quote(struct buf *b, char kind, const char *p, size_t n);

/* Tags of a page for the column tags. day may be DAY_NONE. */
void fts_tags(struct buf *b, const char *host, int32_t day);

/* "(tag OR tag ...)" for days from..to, both real. */
void fts_day_query(struct buf *b, int32_t from, int32_t to);

#endif
