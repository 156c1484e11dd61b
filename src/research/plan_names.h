/*
 * A part that names several things which different hosts are about ("harden a
 * Debian server that runs PostgreSQL") is asked of each: one of them would
 * fill the report alone. Inside this room only.
 */
#ifndef CITED_RESEARCH_PLAN_NAMES_H
#define CITED_RESEARCH_PLAN_NAMES_H

#include "research/about.h"
#include "research/plan.h"

/* Split such parts of a plan without sides, up to max parts in all. The names
 * become its sides. The names aside that no host is about are left out of
 * all. ERR_NOMEM. */
MUST_CHECK enum err plan_names(const struct query *q, const struct about *about,
                               size_t max, struct arena *a, struct plan *io);

#endif
