/*
 * A question taken apart: the guidance block, the words that carry meaning,
 * quoted phrases, and the type of answer asked for. Pure; the weighing of
 * its words by rarity is in overlap.h.
 */
#ifndef CITED_QUESTION_QUERY_H
#define CITED_QUESTION_QUERY_H

#include "base/arena.h"
#include "base/str.h"
#include "base/url.h"
#include "index/page.h"
#include "lang/words.h"
#include "text/stemmer.h"
#include "text/terms.h"

/* One bit of a uint64_t for each term (see overlap.h). */
enum {
    QUERY_TERMS_MAX = 64,
    QUERY_PHRASES_MAX = 8,
    QUERY_SIDES_MAX = 4,
    QUERY_OTHERS_MAX = 24,
    GUIDANCE_RULES_MAX = 100
};

/* Another word for a term. */
struct query_other {
    const char *text; /* its stem */
    size_t term;      /* terms[term] */
    double worth;     /* below 1, which is the term's */
    bool part;        /* of a compound: the next one, or the one before, is its
                         other word, and both together are the term */
};

/* What a question is compared with pages by, beside its words: the vectors of
 * words that are built in, or an encoder. */
enum meant_by { MEANT_BY_NOTHING, MEANT_BY_WORDS, MEANT_BY_ENCODER };

struct query {
    const char *text;              /* the question, guidance removed, trimmed */
    const char *guidance;          /* free text of the block, or "" */
    struct domain_rules preferred; /* listed outside <priority> */
    struct domain_rules priority;  /* listed in <priority> */
    struct domain_rules restricted; /* when the text says to use only these */
    enum lang lang;                 /* of the question; LANG_EN when unclear */
    bool lang_clear;                /* its own words tell it */
    struct stemmer *stem;           /* of that language, or NULL */
    struct arena *arena;            /* where all this lives */
    enum answer_type type;
    const char *subject; /* of a definition, comparison…: "WAL mode"; or "" */
    uint64_t about;      /* bit i: terms[i] is of the subject */
    struct index_term *terms; /* stemmed, distinct, stop words dropped (kept
                                 when nothing else is left) */
    const char **words;       /* terms[i] as written, folded */
    double *rarity;           /* of terms[i] in 0-1; 1 until overlap_weigh */
    bool weighed;             /* overlap_weigh was here */
    int64_t passages;         /* … and found so many in the index */
    size_t term_count;
    struct query_other *others; /* of all terms; none until overlap_weigh */
    size_t other_count;
    struct term_starts starts; /* of the terms */
    struct term_starts kin; /* … and of others that are as good (others.h) */
    uint64_t names;         /* bit i: terms[i] is (part of) a name, a number
                               or a quotation: an answer cannot do without */
    size_t focus;           /* terms[focus] is the noun asked for ("which
                               treaty", "how many points"); term_count if none */
    uint64_t pairs;         /* bit i: terms[i] is "backup" for "back up" */
    uint64_t signs;         /* bit i: terms[i] stands in a text as it is
                               written ("&&"), or not at all (sign.h) */
    uint64_t unspaced;      /* bit i: terms[i] is a pair of characters that
                               shares one with terms[i - 1] */
    const char **phrases;   /* quoted in the question */
    size_t phrase_count;
    bool is_message;        /* the only one is what an error says */
    const char *sides[QUERY_SIDES_MAX];   /* what a comparison compares, with
                                             the circumstances: "WAL mode in
                                             SQLite" */
    uint64_t side_terms[QUERY_SIDES_MAX]; /* terms of that side alone; all of
                                             its terms when it has none */
    size_t side_count;                    /* 0 or at least 2 */
    enum meant_by meant_by;               /* what made … (meaning_find.h) */
    const float *meaning;              /* … its vector; NULL: nothing did */
    const struct meaning_words *meant; /* … and of its words; NULL likewise */
};

/* Never fails on content; ERR_NOMEM only. a must outlive out. Guidance markup
 * that does not parse is plain text. */
MUST_CHECK enum err query_parse(const char *q, struct arena *a,
                                struct query *out);

/* Let q ask what the name is that it was parsed from; the name must outlive it.
 */
void query_define(struct query *q, const char *name);

/* Read the question's words anew as those of a language: for one whose own
 * words do not tell it. */
MUST_CHECK enum err query_read_as(struct query *q, enum lang l);

/* A sign becomes a term, as rare as it is told to be, if there is room
 * (sign.h). ERR_NOMEM. */
MUST_CHECK enum err query_sign_add(struct query *q, struct str sign,
                                   double rarity);

/* Ask without these terms, of which some are left: something else sees to
 * them. What is a copy of q stays as it was. ERR_NOMEM. */
MUST_CHECK enum err query_release(struct query *q, uint64_t terms);

/*
 * The block at the beginning of q: free text, lines "- domain", a nested
 * <priority> of such lines. Fills text, guidance, preferred, priority and
 * restricted of out. Wording such as "use only these" turns the listed
 * domains into restricted (those of <priority> too). A block that is not
 * closed, or has no question behind it, leaves q as plain text.
 */
MUST_CHECK enum err guidance_parse(const char *q, struct arena *a,
                                   struct query *out);

/* What kind of thing answers text, in l; *subject is what a definition, a
 * place or a comparison is about, "" if unclear. *subject NULL: out of
 * memory. */
enum answer_type query_type_of(enum lang l, const char *text, struct arena *a,
                               const char **subject);

/* How much the ways to ask of each language tell that the text asks in it,
 * beyond those of others: 1 a word ("pourquoi"), 3 two ("was ist"); less what
 * its stop words tell that English has as well ("sans", "font"). */
void query_asks(const char *text, int asks[LANG_COUNT]);

/* Does it ask what changed from version to version, or of a version? What a
 * list of changes says answers nothing else. True where that is not known. */
bool query_asks_changes(const struct query *q);

/* The words of an unspaced question that ask ("何メートル"), as a byte range:
 * no answer repeats them. False when there are none. */
bool query_asks_at(enum lang l, const char *text, size_t *from, size_t *to);

/* The bit of the term that is the stem; 0: none is. */
uint64_t query_term(const struct query *q, const char *stem);

#endif
