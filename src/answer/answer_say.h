/*
 * What was chosen for an answer, and saying it: units with their labels, whose
 * page it is, that it may not answer, that sources disagree. Called by
 * answer_units.c, which chooses.
 */
#ifndef CITED_ANSWER_ANSWER_SAY_H
#define CITED_ANSWER_ANSWER_SAY_H

#include "answer/answer_units.h"
#include "question/parts.h"
#include "reading/repeat.h"

enum { CHOSEN_MAX = 4, SHOWN_MAX = 64 };

/* Of a question, or of one of its parts. */
struct choice {
    const struct query *q;
    const struct found_page *pages;
    const struct units *u;
    struct arena *a;
    struct unit v[CHOSEN_MAX];
    struct shingles said[CHOSEN_MAX]; /* of each */
    size_t count, words, words_max;
    size_t parts;              /* of the question, of which this is one */
    size_t said_from, said_to; /* of what is said, those that say it */
    bool related;              /* it may not answer */
    bool repeated;             /* another part says it */
    bool outlined;             /* the page of the best one */
    double all;                /* chances of all units, together */
    double least;              /* worth of a word */
    double spread;             /* of chances */
    struct shown {
        const char *text, *shown;
    } shown[SHOWN_MAX]; /* passages looked at for what speaks to machines */
    size_t shown_count;
};

/* Are both of one section? */
bool choice_is_beside(const struct choice *c, const struct unit *x,
                      const struct unit *y);

/* The answer out of what was chosen for each part; out->directness is the
 * caller's. ERR_NO_RESULT: nothing of it may be said. ERR_NOMEM. */
MUST_CHECK enum err answer_say(struct choice *v, size_t count, bool markers,
                               struct arena *a, struct units_answer *out);

#endif
