/*
 * A question taken apart into the parts of a report, by the words of its own
 * language (lang/report_words.h): sentences that ask, what stands behind a
 * colon, what "and how" joins, lists, and the sides of a comparison. Headings
 * are its own words. Pure.
 */
#ifndef CITED_RESEARCH_PLAN_H
#define CITED_RESEARCH_PLAN_H

#include "question/query.h"
#include "research/research.h"

enum {
    PLAN_SUBS_MAX = 16,
    PLAN_SIDES_MAX = 5,
    PLAN_TEXT_MAX = 400,
    PLAN_TITLE_MAX = 120
};

/* One thing to be found out. Those that follow each other with the same title
 * are one section, a side each. */
struct plan_sub {
    const char *question; /* what is searched */
    const char *context;  /* words of the question that it leaves out; "" */
    const char *title;    /* the heading; "": of the whole, the overview */
    size_t side;          /* of the comparison; PLAN_SIDES_MAX: of none */
    const char *own;      /* the question without what was added to it, of what
                             "it" stands for; where that names nothing, the
                             question */
};

struct plan {
    enum research_mode mode;             /* never MODE_AUTO */
    struct plan_sub subs[PLAN_SUBS_MAX]; /* at least one, in reading order */
    size_t count;
    const char *title; /* what the question calls its topic; "": nothing */
    const char *sides[PLAN_SIDES_MAX]; /* what is compared, as written */
    size_t side_count;                 /* 0 or at least 2 */
    bool is_named; /* the sides are not compared, only named together */
    /* The names that only a situation told beside what is asked has, and as
     * where or for whom it is, "a shop in Ghent": a bit each of the question's
     * terms. Not stored with the plan: it is for about_read. */
    uint64_t told_aside;
};

/* Leave out what stands behind everything else and only says what to skip,
 * "Skip the basics, please.": q is read anew without it, its guidance kept.
 * Nothing is done where nothing else is asked. ERR_NOMEM. */
MUST_CHECK enum err plan_wishes_drop(struct query *q);

/*
 * Plan q (guidance removed already) with at most max parts (1 to
 * PLAN_SUBS_MAX). MODE_AUTO becomes MODE_ANSWER for one part that asks for
 * one fact, MODE_INVESTIGATE for another single part, else MODE_RESEARCH.
 * Strings are in the arena. Never fails on content; ERR_NOMEM only.
 */
MUST_CHECK enum err plan_make(const struct query *q, enum research_mode mode,
                              size_t max, struct arena *a, struct plan *out);

/* Where the section ends that begins with the part: those of one title, a side
 * each. */
size_t plan_section_end(const struct plan *p, size_t sub);

#endif
