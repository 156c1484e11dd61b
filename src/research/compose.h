/*
 * The text of a report: title, opening, table of sides, a section a part,
 * what was not found. All of the pages' words goes through the renderer of
 * answers and its gate. Inside this room only.
 */
#ifndef CITED_RESEARCH_COMPOSE_H
#define CITED_RESEARCH_COMPOSE_H

#include "answer/answer_render.h"
#include "research/run.h"

struct composed {
    const char *text;
    struct source *sources;
    size_t source_count;
    size_t sections, units, missing;
    struct verify_tally verified;
};

/* ERR_NO_RESULT: nothing holds. Everything is in the arena. */
MUST_CHECK enum err compose_report(struct run *r, struct arena *a,
                                   struct composed *out, struct errctx *ec);

#endif
