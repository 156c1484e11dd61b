/*
 * Private to index/: the segments that the manifest names (tables segment and
 * removed of index.db), opened once for all threads of a process, and their
 * changes: what was gathered in a transaction becomes a segment when it
 * commits.
 *
 * Segments lie in the folder that has the database's name without ".db". A
 * file is made before the transaction that names it commits and deleted after
 * the one that no longer does, so that a kill at any instruction leaves at
 * most files that nobody names; shelf_repair sweeps them. What cannot be read
 * counts as lost: asking goes on with the rest, and shelf_repair makes it
 * again from the pages.
 */
#ifndef CITED_INDEX_SHELF_H
#define CITED_INDEX_SHELF_H

#include "index/gather.h"
#include "index/segment.h"
#include "store/sql.h"

/* A segment as the manifest has it. */
struct placed {
    int64_t id, sum, bytes, pages, passages, applied;
    char name[24];
    struct shared_segment *shared; /* NULL: lost */
    struct segment *s;             /* likewise */
    struct gone *gone;             /* NULL: nothing is removed from it */
};

/* Pages removed from a segment; shared by manifests until more are. */
struct gone {
    _Atomic int users;
    int64_t passages;
    uint64_t bits[]; /* one for each page */
};

static inline const uint64_t *placed_removed(const struct placed *p)
{
    return p->gone == NULL ? NULL : p->gone->bits;
}

static inline int64_t placed_removed_passages(const struct placed *p)
{
    return p->gone == NULL ? 0 : p->gone->passages;
}

/* Can it be read? Not any more, perhaps, when it could at first. */
static inline bool placed_is_whole(const struct placed *p)
{
    return p->s != NULL && !atomic_load(&p->s->damaged);
}

/* The manifest of one moment. */
struct manifest {
    int64_t generation;
    int64_t seq;      /* the last of table removed */
    struct placed *v; /* the largest first */
    size_t count;
    _Atomic int users;
};

enum manifest_mode {
    MANIFEST_TRY, /* ERR_BUSY when a file has gone since the transaction began:
                     try in a new one */
    MANIFEST_LAST /* what has gone counts as lost */
};

/* The manifest that db sees, inside a transaction. */
MUST_CHECK enum err shelf_read(struct db *db, enum manifest_mode mode,
                               struct manifest **out, struct errctx *ec);
/* The same in a transaction of its own. */
MUST_CHECK enum err shelf_look(struct db *db, struct manifest **out,
                               struct errctx *ec);
void manifest_free(struct manifest *v);

struct manifest_sums {
    int64_t segments, lost, bytes, removed;
    int64_t passages; /* that can be found */
};
void manifest_sum(const struct manifest *v, struct manifest_sums *out);

/* The passages that hold a term. out, if not NULL, gets what each segment of
 * the view has of it, df 0 where it is not. */
int64_t manifest_find(const struct manifest *v, const char *text, size_t n,
                      struct seg_term *out);
/* Passages by language that has a stemmer of its own, English apart. */
void manifest_languages(const struct manifest *v, int64_t passages[LANG_COUNT]);

/* The terms that some passage holds. Walks all words. */
MUST_CHECK enum err manifest_count_terms(const struct manifest *v, int64_t *out,
                                         struct errctx *ec);

/* --- inside a write transaction ---------------------------------------- */

/* What the connection gathers; NULL: no memory. */
struct gather *shelf_gather(struct db *db);
/* Write it when it is much; the transaction's end writes the rest. */
MUST_CHECK enum err shelf_spill(struct db *db, struct errctx *ec);
/* A version of a page goes. *indexed: its passages are to be told to the
 * gather as removed, too. */
MUST_CHECK enum err shelf_remove(struct db *db, int64_t first, bool *indexed,
                                 struct errctx *ec);

/* The connection's stemmer for a language, NULL for one without. */
MUST_CHECK enum err shelf_stemmer(struct db *db, enum lang l,
                                  struct stemmer **out, struct errctx *ec);

/* Is this version of a page in a segment that can be read? */
MUST_CHECK enum err shelf_holds(struct db *db, int64_t first, bool *out,
                                struct errctx *ec);

/* --- upkeep (merge.c) -------------------------------------------------- */

/* Merge segments of together at most passages_max passages, where there are
 * many of a kind; with whole, all into one, for exact counts. Somebody else
 * at it: nothing. */
MUST_CHECK enum err shelf_merge(struct db *db, int64_t passages_max, bool whole,
                                const _Atomic bool *stop, struct errctx *ec);
/* Make again what is lost, from the pages, sweep files that nobody names. Both
 * end soon when *stop (or NULL) becomes true: ERR_GONE. */
MUST_CHECK enum err shelf_repair(struct db *db, const _Atomic bool *stop,
                                 struct errctx *ec);

/* Of a file in the folder of the segments; "" is the folder. */
MUST_CHECK enum err shelf_path(const struct db *db, const char *name, char *out,
                               size_t size, struct errctx *ec);
MUST_CHECK enum err shelf_new_name(char name[24], struct errctx *ec);
/* Root works for the user who owns the database, as SQLite does. */
void shelf_give(const struct db *db, const char *path);
/* applied: the last row of table removed that does not concern it, or -1: all
 * that are there. */
MUST_CHECK enum err shelf_add(struct db *db, const char *name, int64_t pages,
                              int64_t passages, int64_t bytes, int64_t applied,
                              struct errctx *ec);
MUST_CHECK enum err shelf_changed(struct db *db, struct errctx *ec);

#endif
