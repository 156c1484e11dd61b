/*
 * Pages cut into what a person would quote: a paragraph or a contiguous part
 * of one, a list with the line that introduces it, an entry with its term,
 * rows, a listing with its introduction; and how well each answers a
 * question. Pure.
 */
#ifndef CITED_ANSWER_UNITS_H
#define CITED_ANSWER_UNITS_H

#include "base/clock.h"
#include "find/pages.h"
#include "question/query.h"

enum {
    UNIT_WORDS = 70,       /* at most, of an ordinary question */
    UNIT_WORDS_FACT = 45,  /* of one that a value or a name answers */
    UNIT_WORDS_LIST = 110, /* of one that a list answers */
    UNIT_WORDS_LONG = 95,  /* of a report, in place of these */
    UNIT_WORDS_LONG_FACT = 60,
    UNIT_WORDS_PLAIN = 55, /* of a page that is one paragraph */
    UNITS_MET = 6          /* of a question, read by the encoder */
};

/* What pages are cut into: what a person would quote in an answer, where places
 * compete for its words, or in a report; or single sentences, entries, rows and
 * listings, out of which a value is taken. */
enum unit_grain { UNIT_WHOLE, UNIT_LONG, UNIT_SENTENCES };

enum feature {
#define FEATURE(name, sentence) FEATURE_##name,
#include "answer/features.def"
#undef FEATURE
    FEATURE_COUNT
};
extern const char *const feature_names[FEATURE_COUNT];

/* A block of a page, as part of one of its passages. */
struct part {
    const struct candidate *c; /* the passage */
    size_t start, len;         /* byte range in its text */
    char kind;                 /* a letter of passage_text.parts */
    bool goes_on;              /* the block of the part before, cut */
    bool inside;               /* a paragraph in an entry */
    bool links;                /* mostly the text of links */
    size_t number;             /* of an item, where its list gives it one */
    bool announces;            /* its last sentence ends in the next part */
    bool points;               /* it speaks of the next part, not a paragraph */
    size_t section, at;        /* its section, its place in that, from 0 */
    size_t words;
    size_t head;  /* of an item of a list: its term or first sentence, or 0 */
    double entry; /* how well it names the subject of a definition */
    bool opens;   /* … begins with it */
    uint64_t mask, loose, lead;
    bool crowded;                   /* these may lack some */
    unsigned char *times;           /* of each term of the question */
    const char *heading; /* its path, with the entry that it stands in */
    const struct unit_label *label; /* of that */
    float *said;                    /* to vectors of words; NULL: not read */
    bool is_told;                   /* looked at: */
    double told;                    /* how well its best sentence says it */
};

struct unit {
    size_t page;       /* index into the pages */
    size_t from, to;   /* parts, both included */
    size_t item, last; /* items of a list that goes on behind them, said by
                          their heads (unit_list.h); 0 and 0: none */
    size_t start, len; /* from == to: that range of the part's passage */
    size_t until;      /* from < to: where it ends in its last part, 0: behind
                          it; in its first it begins at start */
    size_t words;
    uint64_t mask, loose;
    uint64_t lead; /* terms near its beginning */
    double *v;     /* FEATURE_COUNT of them; how sure, only of the best */
    double score;
};

struct units {
    struct part **parts; /* of each page */
    size_t *part_count;
    struct unit *v; /* best first */
    size_t count;
    enum meant_by by; /* weighed so: with an encoder where each page has its
                         vectors */
};

/* Into the order of their scores; the first one has what is known of the best
 * unit only. At least one. */
void units_sort(struct units *u);

/* How probable a unit is to answer, if one does, beside the best: e to its
 * score behind the best one's, divided by spread. */
double unit_chance(const struct units *u, const struct unit *x, double spread);

/* The terms in the label of an entry, "term: what it is", of n bytes at p; 0:
 * it has none. */
uint64_t unit_labelled(const struct query *q, const char *p, size_t n);

/* By what chances are spread to tell how sure the best unit is. */
extern const double SURE_SPREAD;

/* Does it end with a colon, or in the midst of a sentence, so that what follows
 * belongs to it? */
bool part_ends_open(const struct part *p);

/* … or does it speak of what is behind it? */
bool part_leads_on(const struct part *p);

/* Has it headings, or several blocks? Else it is one paragraph. */
bool page_is_outlined(const struct found_page *page);

/* Cut pages and weigh what they say. count is 0 when they say nothing. The best
 * UNITS_MET are given to the encoder, where the question was, as long as the
 * deadline is not near; d NULL: none is. ERR_NOMEM. */
MUST_CHECK enum err units_cut(const struct query *q,
                              const struct found_page *pages, size_t count,
                              enum unit_grain grain, const struct deadline *d,
                              struct arena *a, struct units *out);

#endif
