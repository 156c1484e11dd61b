/*
 * An answer out of whole pages: the unit that answers best, and another one
 * for what it leaves open. Composes nothing; says when it is only close.
 */
#ifndef CITED_ANSWER_ANSWER_UNITS_H
#define CITED_ANSWER_ANSWER_UNITS_H

#include "answer/answer_render.h"
#include "answer/units.h"

enum directness {
    ANSWER_DIRECT,
    ANSWER_RELATED /* on the subject; it does not answer */
};

/* A question, or a part of one (question/parts.h), and what the pages found for
 * it say. */
struct asked {
    const struct query *q;
    struct found_page *pages;
    size_t page_count;
    struct units units;
};

struct units_answer {
    const char *text;
    struct source *sources;
    size_t source_count;
    enum directness directness;
    struct ranked *used; /* the passages it quotes */
    size_t used_count;
    struct verify_tally verified;
    struct answer_evidence *evidence;
    size_t evidence_count;
};

/* The passages in which the best units begin, each once, at most max, best
 * first: what a model reads. ERR_NOMEM. */
MUST_CHECK enum err units_passages(const struct units *u, size_t max,
                                   struct arena *a, struct ranked **out,
                                   size_t *count);

/* Put units into the order of their passages, as a model gave it. */
void units_follow(struct units *u, const struct ranked *passages, size_t count);

/* Parts of one question ask of one thing: a unit counts more, the more probable
 * it is that its host answers the other parts, too. At most QUERY_PARTS_MAX.
 * ERR_NOMEM. */
MUST_CHECK enum err parts_agree(struct asked *v, size_t count, struct arena *a);

/* Is the best unit on the subject of what was asked, whether it answers or not?
 */
bool units_are_on_subject(const struct units *u);

/* Does the best unit answer it, and not only speak of its subject, by log odds of
 * at least `odds`? 0: the answer says no more of it. */
bool asked_is_answered(const struct asked *x, double odds);

/* The answer to a question, or to its parts (at most QUERY_PARTS_MAX) in their
 * order; of a part on which no page says anything it says that.
 * ANSWER_RELATED: one of them is not answered. ERR_NO_RESULT: nothing on the
 * subject stands on any page. ERR_NOMEM. */
MUST_CHECK enum err answer_units(const struct asked *v, size_t count,
                                 bool markers, struct arena *a,
                                 struct units_answer *out);

/* Does the question ask for a value or a default? */
bool answer_asks_default(const struct query *q);

/* The short line that tells the default of what the unit is said of: ahead of
 * it in its entry or section, of which all that is ahead was read. NULL: none
 * does, or several, of several things. A row among others is on its own. */
const struct part *answer_default(const struct units *u, const struct unit *x);

#endif
