/*
 * A segment: postings of some pages in one file that never changes, mapped
 * into memory. Reading and writing it; which segments there are is the
 * manifest's affair (shelf.h).
 *
 * The file, numbers little-endian, each section at a multiple of eight:
 *
 *   head      struct seg_head
 *   postings  the lists of all terms, one behind the other
 *   words     the terms in byte order, in blocks of SEG_WORDS: where the first
 *             one's postings begin, then of each: bytes shared with the one
 *             before, more bytes, these, df, removed, top, bytes of postings
 *   blocks    where each block of words begins, uint32
 *   pages     struct seg_page by host (labels reversed) and address, and one
 *             more for the end; a page's passages are numbered in a row. One
 *             in several languages has a row for each stretch of passages
 *   lengths   of each passage's text in bytes, uint16
 *   firsts    the pages' numbers by their passages' ids, uint32
 *   hosts     struct seg_host in that order, and one more for the end
 *   strings   of hosts and addresses
 *   sums      of each SEG_CHUNK bytes between head and here, uint64
 *
 * A posting is a passage and a code: occurrences in the text (at most
 * SEG_TIMES) times four, plus 2 for the heading, plus 1 for the title. A list
 * is cut into blocks of SEG_BLOCK: gaps, less one, in as many bits as the
 * largest needs, then codes likewise. One block: a byte for each of the two
 * widths and the bits. More: a struct seg_block for each in front.
 *
 * What is read first time is checked against its sum; a segment that does not
 * agree is damaged from then on. Whatever the bytes are, reading stays inside
 * them.
 */
#ifndef CITED_INDEX_SEGMENT_H
#define CITED_INDEX_SEGMENT_H

#include "base/err.h"
#include "text/lang.h"
#include "text/terms.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    SEG_BLOCK = 128,
    SEG_WORDS = 16,
    SEG_TIMES = 63,
    SEG_TITLE = 1,
    SEG_HEADING = 2,
    SEG_CHUNK = 65536,
    SEG_LENGTH_MAX = 65535
};

enum seg_section {
    SEG_POSTINGS,
    SEG_DICTIONARY,
    SEG_BLOCKS,
    SEG_PAGES,
    SEG_LENGTHS,
    SEG_FIRSTS,
    SEG_HOSTS,
    SEG_STRINGS,
    SEG_SUMS,
    SEG_END,
    SEG_SECTIONS
};

struct seg_head {
    char magic[8];
    uint32_t docs, pages, hosts, blocks; /* docs: passages */
    uint32_t terms;
    uint32_t length_avg; /* bytes of a text, to which the tops refer */
    uint64_t at[SEG_SECTIONS];
    int32_t lang[LANG_COUNT + 1]; /* passages by language, less those removed
                                     from other segments; of English none */
    uint64_t sum;                 /* of the sums and of what is above */
};

struct seg_page {
    int64_t first; /* the id of its first passage; a page's: its version */
    uint32_t doc;  /* its first passage's number */
    int32_t day;
    uint32_t url; /* in the strings */
    uint16_t lang;
    uint16_t goes_on; /* 1: with the page before, in another language */
};

struct seg_host {
    uint32_t name; /* in the strings; labels reversed */
    uint32_t page; /* the first */
};

struct seg_block {
    uint32_t last; /* passage */
    uint32_t at;   /* of its bits behind the seg_blocks */
    uint16_t top;
    uint8_t gap_bits, code_bits;
};

/* Passages in a row whose words are stemmed in one language. */
struct seg_run {
    uint32_t doc, lang;
};

enum { SEG_DAYS = 32 };

struct segment {
    const uint8_t *base;
    size_t bytes;
    bool mapped;
    const struct seg_head *head;
    const struct seg_page *pages;
    const uint16_t *lengths;
    const uint32_t *firsts;
    const struct seg_host *hosts;
    const char *strings;
    struct seg_run *runs; /* of one language, ascending, and one more */
    uint32_t run_count;
    int32_t *days; /* the pages', side by side, and SEG_DAYS more of none */
    _Atomic bool damaged;     /* met a sum or a number that cannot be */
    bool unchecked;           /* sums are not looked at */
    _Atomic uint8_t *checked; /* chunks */
};

/* Map a file. ERR_NOT_FOUND; ERR_MALFORMED: not a whole segment; ERR_IO. */
MUST_CHECK enum err segment_open(const char *path, struct segment **out,
                                 struct errctx *ec);
/* The same of n bytes in memory, aligned to eight, which must outlive it;
 * without looking at the sums. */
MUST_CHECK enum err segment_view(const void *p, size_t n, struct segment **out,
                                 struct errctx *ec);
void segment_close(struct segment *s);

/* Check all that is not checked yet; false: damaged. */
bool segment_check(struct segment *s);

/* The page whose passages begin with this id; UINT32_MAX if there is none. */
uint32_t segment_page(const struct segment *s, int64_t first);
/* Behind the last of its rows. */
uint32_t segment_page_end(const struct segment *s, uint32_t page);

/* --- words ------------------------------------------------------------- */

struct seg_term {
    uint32_t df;     /* postings */
    int64_t removed; /* passages of other segments that no longer hold it */
    uint16_t top;    /* the best of its postings, in 1/256 of seg_weight, up */
    uint64_t at;     /* of its postings in the file */
};

/* False when the segment does not know it. */
bool segment_find(struct segment *s, const char *text, size_t n,
                  struct seg_term *out);

/* Walks all words in order. */
struct seg_words {
    struct segment *s;
    const uint8_t *p, *end;
    uint32_t block;
    int left;    /* in the block */
    uint64_t at; /* of the next one's postings */
    char text[TERM_MAX + 1];
    size_t len;
    struct seg_term term;
};

void seg_words_begin(struct seg_words *w, struct segment *s);
bool seg_words_next(struct seg_words *w);

/* --- postings ---------------------------------------------------------- */

struct cursor {
    struct segment *s;
    const uint8_t *heads; /* the seg_blocks, or NULL for a single block */
    const uint8_t *data;  /* what stands behind them */
    uint32_t df, blocks, block;
    uint16_t top;
    uint32_t n, i; /* of the block that is unpacked; n 0: none is */
    const uint8_t *codes;
    uint8_t code_bits;
    uint32_t doc[SEG_BLOCK];
};

/* Begin with a term that segment_find or seg_words_next gave. */
void cursor_begin(struct cursor *c, struct segment *s,
                  const struct seg_term *t);
/* To the first posting of a passage >= doc, unpacked; false at the end. */
bool cursor_seek(struct cursor *c, uint32_t doc);
/* To the next posting; to the next block's first one. */
bool cursor_next(struct cursor *c);
bool cursor_next_block(struct cursor *c);
/* The top of the postings in from..to-1 and not behind the cursor, or more;
 * 0 only when there are none. Moves the cursor to from, without unpacking. */
uint16_t cursor_top(struct cursor *c, uint32_t from, uint32_t to);

/* Into top[i] the most that postings bring among the passages that begin at
 * i * width, or more, where it was less; the cursor must be begun anew. */
void cursor_tops(struct cursor *c, uint32_t width, uint16_t *top);

/* Value i of those in bits each, at most 32; eight bytes may be read. */
static inline uint32_t seg_unpack(const uint8_t *p, uint32_t bits, uint32_t i)
{
    uint64_t at = (uint64_t)bits * i, v;

    memcpy(&v, p + (at >> 3), sizeof v);
    return (uint32_t)(v >> (at & 7) & (((uint64_t)1 << bits) - 1));
}

/* The code of posting i of the block that is unpacked. */
static inline uint32_t cursor_code_at(const struct cursor *c, uint32_t i)
{
    return seg_unpack(c->codes, c->code_bits, i);
}

/* --- weight ------------------------------------------------------------ */

/* What a code counts before it saturates (BM25F, Robertson and Zaragoza 2009,
 * section 3.6): occurrences in the text over norm, plus what title and heading
 * are worth, once. */
static inline float seg_above(uint32_t code)
{
    static const float above[4] = {0, 2.0F, 1.2F, 3.2F};

    return above[code & 3];
}

/* How a text of this length compares with the mean; half is 0.5 / mean. */
static inline float seg_norm(uint32_t length, float half)
{
    return 0.5F + (float)length * half;
}

/* x / (x + 1.2) for the x above: the share of a term's weight that is earned,
 * below 1. */
static inline float seg_share(uint32_t code, float norm)
{
    float times = (float)(code >> 2), above = seg_above(code);

    return (times + above * norm) / (times + (above + 1.2F) * norm);
}

/* --- writing ----------------------------------------------------------- */

/* A page of a segment to be written. */
struct seg_entry {
    int64_t first;
    uint32_t docs;
    int32_t day;
    enum lang lang;
    bool goes_on; /* as in seg_page */
    const char *rhost, *url;
};

struct seg_writer;

/* Begin a file that is not there yet: pages in order, lengths of all their
 * passages; both must stay until the end. ERR_FULL, ERR_IO, ERR_NOMEM,
 * ERR_TOO_LARGE. After an error or seg_writer_free the file is gone. */
MUST_CHECK enum err seg_writer_new(const char *path,
                                   const struct seg_entry *pages, size_t count,
                                   const uint16_t *lengths, uint32_t docs,
                                   struct seg_writer **out, struct errctx *ec);
/* A term, in byte order, then its postings in ascending order and its
 * removals; one without either is left out. Errors stay until the finish. */
void seg_writer_term(struct seg_writer *w, const char *text, size_t n);
void seg_writer_posting(struct seg_writer *w, uint32_t doc, uint32_t code);
void seg_writer_removed(struct seg_writer *w, int64_t removed);
/* lang as in seg_head; *bytes: of the file. sync: it will stand before it is
 * named in the manifest. Frees w in any case. */
MUST_CHECK enum err seg_writer_finish(struct seg_writer *w,
                                      const int32_t lang[LANG_COUNT + 1],
                                      bool sync, int64_t *bytes,
                                      struct errctx *ec);
void seg_writer_free(struct seg_writer *w);

/* Shared by reading and writing. */
uint64_t seg_sum(const void *p, size_t n);
uint64_t seg_head_sum(const struct seg_head *h, const void *sums, size_t n);
extern const char seg_magic[8];

#endif
