/*
 * The parts of a request: sentences that ask or wish, what stands behind a
 * colon or is to be in a text, what "and how" joins, lists. Inside this room
 * only.
 */
#ifndef CITED_RESEARCH_PLAN_PARTS_H
#define CITED_RESEARCH_PLAN_PARTS_H

#include "research/plan_request.h"

/* Does a sentence ask (2), or wish for or list something (1)? */
int plan_asking_of(const struct planner *p, struct range r);

/* Add the parts of a sentence, or, where it asks less than `asking`, what it
 * tells as a topic. */
void plan_sentence_add(struct planner *p, struct range r, int asking);

/* Of a request for something of each of several things that are told, "the cause
 * of each", or for what has happened where several are listed, make these its
 * parts. Behind all sentences. */
void plan_every_add(struct planner *p);

/* Does a part of its own begin at i, behind a comma or an "and"? */
bool plan_begins_part(const struct planner *p, struct range r, size_t i);

/* Behind "In SQLAlchemy," of "In SQLAlchemy, what is …", behind "If not,", and
 * behind "By the book," where a question follows; or r.from. */
size_t plan_aside_end(const struct planner *p, struct range r);

/* Does a sentence only say what is not asked: "skip the basics"? */
bool plan_is_declined(const struct planner *p, struct range r);

#endif
