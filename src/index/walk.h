/*
 * Private to index/: the best passages of the segments for weighted terms, in
 * one walk over their postings. Exact: what it skips could not have been among
 * them, by the tops that segments keep for blocks of postings (block-max
 * MaxScore: Turtle and Flood 1995; Ding and Suel 2011). Of many windows those
 * that promise most are walked first: what they give lets the others be passed
 * by. Called by query.c.
 *
 * A passage's score is the sum over its terms of weight times seg_share, times
 * one half plus half of the share that the terms it holds have of all weight.
 * It is counted in whole numbers, so that the order of adding changes nothing.
 */
#ifndef CITED_INDEX_WALK_H
#define CITED_INDEX_WALK_H

#include "base/clock.h"
#include "index/sieve.h"

/* A stem that is asked for. */
struct walk_form {
    const struct seg_term *in; /* of each segment; df 0: not there */
    int64_t df;                /* for the caller */
    double weight[LANG_COUNT]; /* in texts of each language; 0: is none of
                                  what was asked there */
};

struct hit {
    int64_t passage;
    uint64_t score;
};

/* Passages of a window: builds that test make it small, so that few passages
 * are many windows. */
#ifndef WALK_WINDOW_PASSAGES
#define WALK_WINDOW_PASSAGES 4096
#endif

enum {
    WALK_WINDOW = WALK_WINDOW_PASSAGES,
    WALK_AHEAD = 8, /* windows that are walked before the others … */
    WALK_MANY = 16  /* … of so many or more */
};
enum { WALK_COVER = 1 << 16, WALK_SCORE = 1 << 30 };

struct leaf;

struct walk {
    const struct walk_form *forms;
    size_t form_count;
    double weight;                   /* of all terms together */
    double length_avg;               /* bytes of a passage's text */
    const struct deadline *deadline; /* or NULL */
    struct hit *heap;                /* the worst on top, once it is full */
    size_t count, max;
    bool openings; /* only passages that begin their pages */
    /* of the segment being walked */
    struct segment *s;
    struct sieve *sieve;
    struct leaf **leaves; /* by what they may bring here, ascending */
    size_t leaf_count;
    float half, stretch;
    uint32_t ahead[WALK_AHEAD]; /* their numbers */
    size_t ahead_count;
    uint32_t page, run; /* of the last passage asked for */
    bool mixed;         /* languages in the window; else that of lang[0] */
    uint64_t held[WALK_WINDOW]; /* score; above, weight of the terms */
    uint64_t seen[WALK_WINDOW / 64];
    uint8_t lang[WALK_WINDOW];
};

/* Add the best of segment number n to w->heap; scratch holds what that needs.
 * Asks that forms, weight, length_avg, heap and max are set. ERR_TIMEOUT,
 * ERR_NOMEM. A segment that turns out damaged says so itself. */
MUST_CHECK enum err walk_segment(struct walk *w, struct segment *s, size_t n,
                                 struct sieve *sieve, struct arena *scratch,
                                 struct errctx *ec);

/* The heap, best first: by score, then by passage. */
void walk_sort(struct walk *w);

/* A score as weights have it. */
double walk_score(const struct walk *w, uint64_t score);

/* What a term of that weight adds, and its share of the cover: for checking
 * the walk against plain sums. */
static inline uint64_t walk_part(float weight, uint32_t code, float norm)
{
    return (uint32_t)(int32_t)(weight * seg_share(code, norm));
}

static inline uint64_t walk_whole(uint64_t sum, uint64_t cover)
{
    return sum * (WALK_COVER + cover);
}

#endif
