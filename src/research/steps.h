/*
 * The data of a task's steps as JSON objects: checkpoint for resume.c and
 * progress for a reader. Each ends with "ms", the time since a monotonic
 * moment. NULL: out of memory. Strings are in the arena.
 */
#ifndef CITED_RESEARCH_STEPS_H
#define CITED_RESEARCH_STEPS_H

#include "research/gap.h"

/* What one query brought. */
struct found {
    size_t candidates;  /* before ranking */
    const char *failed; /* providers that failed and why, or "" */
    size_t read;        /* passages of the pages that were read whole */
    struct evidence *rows;
    size_t count;
    struct run_unit *units;
    size_t unit_count;
    bool defines; /* it was asked what a name is */
};

const char *steps_plan(const struct plan *p, const struct about *about,
                       struct arena *a, int64_t since);
const char *steps_search(const struct run *r, const struct run_query *q,
                         const struct found *f, struct arena *a, int64_t since);
/* end: why searching ends here, or NULL. */
const char *steps_gap(const struct run *r, const struct gap *g, const char *end,
                      struct arena *a, int64_t since);

#endif
