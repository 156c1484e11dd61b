/*
 * Names of compared sides that hosts bear: what is said of such a side is
 * taken from these hosts where they speak of it, and never from a host that
 * bears another side's name.
 */
#ifndef CITED_RESEARCH_SIDE_NAMES_H
#define CITED_RESEARCH_SIDE_NAMES_H

#include "research/about.h"
#include "research/plan.h"

struct side_names {
    unsigned own, other; /* bits of about.names; own 0: no host bears it */
    struct query side;
    struct domain_rules hosts; /* that bear its name */
};

/* Of the side that the part is asked of; own is 0 where it is of none, or
 * where the sides are not compared. ERR_NOMEM. */
MUST_CHECK enum err side_names_read(const struct plan *p, const struct about *x,
                                    size_t sub, struct arena *a,
                                    struct side_names *out);

/* Of n candidates those of the side's own hosts (own), or those of any host
 * but other sides': how many of them, now in front. */
size_t side_names_keep(const struct side_names *s, const struct about *x,
                       bool own, struct candidate *v, size_t n);

/* Is the page of a host that bears the side's own name? */
bool side_names_is_own(const struct side_names *s, const struct about *x,
                       const char *url);

/* The terms of q among these that ask something of the side: all where nothing
 * but the side is named. */
uint64_t side_names_asked(const struct side_names *s, const struct query *q,
                          uint64_t terms);

#endif
