/*
 * The stored units as they are weighed: entries and windows of sentences,
 * with the stems they speak of and the sentences they say. Inside this room
 * only.
 */
#ifndef CITED_RESEARCH_CHOICES_H
#define CITED_RESEARCH_CHOICES_H

#include "research/run.h"

enum {
    CONCEPTS_MAX = 16384, /* a power of two */
    SPEAKERS_MAX = 50     /* units that tell what a part is about */
};

/* A unit, or what stands by itself of it. */
struct choice {
    const struct run_unit *unit;
    struct run_block *blocks;
    size_t count;
    bool begins, ends; /* it is the first of its unit, the last */
    int leads;    /* of its unit, where it begins with that; 0 */
    bool answers; /* its unit does, and it begins with that */
    bool is_code; /* nothing else */
    size_t names; /* items of a list that say nothing about themselves */
    bool leans;   /* it begins so, or with a listing */
    bool twice;   /* it says a line twice itself */
    bool beside;  /* its part is of other sides than it names */
    const char *url;
    size_t page;  /* the how many-th of all, from 1 */
    size_t place; /* where it begins in its page */
    size_t words;
    size_t sentences; /* of its paragraphs */
    double cover;     /* share of the whole question it speaks of */
    double says;      /* … by its own words alone */
    double own;       /* … and of its part */
    double headed;    /* … of that, what it stands under */
    bool called;      /* that is all of the part's words and, of a single one,
                         another of the question's */
    double topic;     /* how much it speaks of what its part's pages do, 0-1 */
    double near;      /* how near to its part in meaning; 0: not known */
    bool far;         /* much less near than another of its part */
    double about;     /* how much its page speaks of the part, 0-1 */
    double merit;     /* the best of what is chosen of its page for the part */
    double met;       /* how near it is to the question, or to its part, by the
                         vectors of words; 0: not known */
    double whole_met; /* … to the question alone */
    double closely;   /* … by an encoder's; 0: not known */
    double worth;     /* the logarithm of the odds that a reader wants it */
    bool foreign;     /* of another thing than what is named */
    bool weak;        /* not worth its words, whatever room there is */
    bool chosen;
    bool left;          /* a sentence of it is said elsewhere */
    uint32_t *concepts; /* distinct stems, as numbers */
    size_t concept_count;
    uint32_t *lines; /* its sentences and lines, as hashes */
    size_t line_count;
};

/* What units speak of: a stem. */
struct concept {
    const char *text; /* NULL: free */
    const char *word; /* as it stood first */
    double rare;      /* in the index */
    size_t pages;     /* that speak of it */
    size_t last;      /* of these */
    bool said;
};

struct choices {
    const struct run *r;
    struct arena *a;
    struct choice *v; /* in the order of run.units */
    size_t count, size;
    struct concept *c; /* CONCEPTS_MAX */
    size_t used, pages;
    bool is_meant; /* met or closely of units is known */
    size_t *taken; /* of each page, how many are chosen */
    const struct choice *speakers[PLAN_SUBS_MAX][SPEAKERS_MAX];
    size_t speaker_count[PLAN_SUBS_MAX];
    const char *bridge[PLAN_SUBS_MAX]; /* a foreign part's own words, or NULL */
    uint32_t *said;                    /* hashes of what the chosen ones say */
    size_t said_count, said_size;
};

/* All units, in the arena. ERR_NOMEM. */
MUST_CHECK enum err choices_read(const struct run *r, struct arena *a,
                                 struct choices *out);

/* Is it too short to be said by itself, or a listing without a word about it?
 */
bool choices_is_short(const struct choice *c);

/* Is it a table of contents? */
bool choices_is_contents(const struct choice *c);

/* Is its last block but the name of what comes next in its page? */
bool choices_ends_with_name(const struct run *r, const struct choice *c);

/* The number under which a sentence counts as said; 0 for what is too short
 * to be one. */
uint32_t choices_line(const char *p, size_t n);
/* Does the sentence lean on the one before it ("however", "it")? */
bool choices_leans(const struct run *r, const char *p, size_t n);
/* Does it begin as a question does ("when", "what")? */
bool choices_asks(const struct run *r, const char *p, size_t n);
/* Does the text speak of the text it stands in ("this chapter"), or point to
 * another place of it ("above", "such problems")? */
bool choices_is_of_itself(const struct run *r, const char *p, size_t n);

bool choices_is_said(const struct choices *x, uint32_t line);
MUST_CHECK enum err choices_say(struct choices *x, uint32_t line);

#endif
