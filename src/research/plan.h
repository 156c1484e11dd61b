/*
 * A question taken apart into sub-questions, by rules alone: several
 * sentences, parts joined by "and", comparisons (members × aspects),
 * enumerations; a question of one part gets a definition in front and
 * aspects behind it. Pure functions; called by research.c.
 */
#ifndef CITED_RESEARCH_PLAN_H
#define CITED_RESEARCH_PLAN_H

#include "research/research.h"
#include "question/query.h"

enum { PLAN_SUBS_MAX = 8, PLAN_TEXT_MAX = 400, PLAN_TITLE_MAX = 120 };

struct plan_sub {
    const char *question; /* what is searched; stands by itself */
    const char *title;    /* of its section in the report */
    const char *topic;    /* what a passage must be about; "" anything */
};

struct plan {
    enum research_mode mode;             /* never MODE_AUTO */
    struct plan_sub subs[PLAN_SUBS_MAX]; /* at least one, in reading order */
    size_t count;
    size_t lead;         /* the sub that is the question itself, or count */
    bool open;           /* one part only: aspects may be added */
    const char *subject; /* what it is about: "WAL mode"; "" not known */
};

/*
 * Plan q (guidance removed already) with at most max sub-questions (1 to
 * PLAN_SUBS_MAX). MODE_AUTO becomes MODE_ANSWER for one part that asks for
 * one fact, MODE_INVESTIGATE for another single part, else MODE_RESEARCH.
 * The most important sub-questions survive a small max. Strings are in the
 * arena. Never fails on content; ERR_NOMEM only.
 */
MUST_CHECK enum err plan_make(const struct query *q, enum research_mode mode,
                              size_t max, struct arena *a, struct plan *out);

/*
 * Add aspects to an open plan: the last components of headings ("A > B"), in
 * the order given, without numbering, general ones ("Overview") and those
 * that say nothing beyond the question; until the plan holds max.
 */
MUST_CHECK enum err plan_add_aspects(struct plan *plan, const struct query *q,
                                     const char *const *headings, size_t count,
                                     size_t max, struct arena *a);

#endif
