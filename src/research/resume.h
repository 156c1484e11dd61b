/*
 * A run rebuilt from its stored steps and evidence, so that a second helper
 * goes on where the first was killed.
 */
#ifndef CITED_RESEARCH_RESUME_H
#define CITED_RESEARCH_RESUME_H

#include "research/run.h"

/* Read plan, queue, evidence and rounds back. A task without steps leaves
 * the run as it is. ERR_MALFORMED when the steps are not what this program
 * writes. */
MUST_CHECK enum err resume_run(struct run *r, struct errctx *ec);

#endif
