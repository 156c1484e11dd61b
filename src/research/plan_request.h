/*
 * A request as tokens, while its parts and sides are found: what stands where,
 * and which words of its language it is (lang/words.h, struct report_words).
 * Inside this room only.
 */
#ifndef CITED_RESEARCH_PLAN_REQUEST_H
#define CITED_RESEARCH_PLAN_REQUEST_H

#include "lang/words.h"
#include "research/plan.h"
#include "text/terms.h"

enum { PLAN_TOKENS_MAX = 400, PLAN_PARTS_MAX = 12 };

struct range {
    size_t from, to; /* tokens, the last one not included */
};

/* tail: what the last one of a list says of each, "of table bloat"; of a topic
 * that is told, itself; or empty. */
struct parts {
    struct range v[PLAN_PARTS_MAX], tail[PLAN_PARTS_MAX];
    size_t n;
};

struct planner {
    const struct query *q;
    const struct report_words *w;
    struct arena *a;
    const char *text;
    struct term *t;
    size_t n;
    bool marked;    /* it has bullets, or numbers that count */
    size_t *within; /* of each token: where its bracket opens + 1; 0: in none */
    struct parts parts, topics; /* what asks; what it asks about */
    size_t told;                /* topics that are sentences: a situation */
    size_t every;               /* the first parts, which each stand alone */
    bool of_all;                /* a text on all of it is ordered */
    bool of_sides;              /* to compare them is asked for by itself … */
    struct range on;            /* … on this; empty: that is not said */
    struct range named;         /* what the request names as its topic */
    struct range sides_at;      /* of them all, "or" included; empty: none */
    struct plan *out;
};

/* Read the tokens of p->text. ERR_NOMEM. */
MUST_CHECK enum err plan_tokens_read(struct planner *p);

/* Is the token i in the list of words? */
bool plan_is(const char *list, const struct planner *p, size_t i);

/* What stands in the range, a mark that it closes with included. */
struct str plan_text_of(const struct planner *p, struct range r);

/* Does the mark stand between the tokens i and i + 1? */
bool plan_has_between(const struct planner *p, size_t i, const char *marks);

/* Is the gap behind the token i within brackets? */
bool plan_is_within(const struct planner *p, size_t i);

/* Has r a bracket open behind the token i? */
bool plan_opens_in(const struct planner *p, struct range r, size_t i);

/* Is r parted behind the token i, outside its brackets? */
bool plan_is_parted(const struct planner *p, struct range r, size_t i);

/* Is it a verb that orders a text? Many do so only where a clause begins. */
bool plan_is_order(const struct planner *p, size_t i);

/* Does the token say something, and order or ask nothing? */
bool plan_is_content(const struct planner *p, size_t i);

/* … or order something and is said for itself, as in "set-up"? */
bool plan_is_said(const struct planner *p, size_t i);

/* How many tokens are content. */
size_t plan_content_of(const struct planner *p, struct range r);

/* Has it a capital or a digit: may it be a name? */
bool plan_is_name(const struct planner *p, size_t i);

/* The tokens of a view into the text. */
struct range plan_range_of(const struct planner *p, struct str s);

/* Are the sides within the range? */
bool plan_has_sides(const struct planner *p, struct range r);

#endif
