/*
 * Does a sentence hold the kind of thing a question asks for? Signs only,
 * no understanding: a number with a unit, a date, a name, "X is a …".
 */
#ifndef CITED_QUESTION_EVIDENCE_H
#define CITED_QUESTION_EVIDENCE_H

#include "base/str.h"
#include "question/query.h"

/* How strongly the n bytes at p look like an answer of q's type: 0-1,
 * a little more for a number in the unit asked for.
 * 0 for types that no sentence tells (ANSWER_ANY, ANSWER_YESNO, ANSWER_HOWTO,
 * ANSWER_LIST, ANSWER_COMPARE). What stands in the
 * question itself (its names, its numbers) is no evidence. */
double evidence_of(const struct query *q, const char *p, size_t n);

/* Does a sentence hold a word that tells yes from no: "not", "only", "must"? */
bool evidence_decides(const struct query *q, const char *p, size_t n);

/* How well a passage says what the subject of a definition is: an entry or a
 * paragraph of it that begins with saying so, what stands first under a
 * heading or title that names the subject. 0-1.5; 0 for other questions. */
double evidence_introduces(const struct query *q, const struct candidate *c);

/* How well the label of an entry ("term: what it is") names the subject, 0-1.
 */
double evidence_label(const struct query *q, const char *p, size_t n);

/* How well a page's title does, without the site's name behind it. */
double evidence_title(const struct query *q, const char *title);

/* Does a text begin with speaking of itself ("this chapter", "in the following
 * section")? */
bool evidence_itself(const struct query *q, const char *p, size_t n);

/* A cell of a row: "Upper Limit: 1,600". */
struct cell {
    struct str head, value; /* head is empty when the table names none */
};

/* The cells of a row "Head: value | Head: value", at most max. */
size_t row_cells(struct str row, struct cell *out, size_t max);

/* How much the text looks like prose of a page: 1 for a proper sentence,
 * less for fragments, menus, code and questions; never below 0. */
double evidence_prose(const char *p, size_t n);

#endif
