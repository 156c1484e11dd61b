/*
 * Scored passages to those that are shown: best first, copies once, a host's
 * third and later ones behind what others have that is nearly as good. Pure.
 * Called by rank.c.
 */
#ifndef CITED_FIND_RANK_CHOOSE_H
#define CITED_FIND_RANK_CHOOSE_H

#include "index/page.h"
#include "reading/repeat.h"

struct entry {
    const struct candidate *c;
    size_t provider, place; /* place among the pages of its provider */
    uint32_t address;       /* hash: that of the same address is the same */
    double strength;        /* provider's own score relative to its best */
    double cover, score;
    bool priority;
};

/* The same address but for http or https and a slash at the end. */
bool rank_is_same_url(const char *a, const char *b);

/* A hash that addresses which are the same have in common. */
uint32_t rank_url_hash(const char *url);

/* Of two pages with the same text: is b the own page of what a, which is at
 * least four times as long, has among other things of the site? */
bool rank_is_own_page(const struct candidate *a, const struct candidate *b);

/* The same page of the index, or the same address. */
bool rank_is_same_page(const struct candidate *a, const struct candidate *b);

/* Plain text, as documentation has beside the pages made of it. */
bool rank_is_source(const struct candidate *c);

/* Is it the text that the page was made of, by their addresses, between which
 * a folder may lie ("/_sources/library/csv.rst.txt" of "/library/csv.html"), and
 * their lengths? */
bool rank_is_source_of(const struct candidate *source,
                       const struct candidate *page);

/*
 * Sort all by score, priority first, and choose at most max of them, at most
 * per_page of one page. any_host: the caller names the hosts, so that all
 * may come from one. *out is the caller's to free. ERR_NOMEM.
 */
MUST_CHECK enum err rank_choose(struct entry *all, size_t count, bool any_host,
                                size_t max, size_t per_page, struct entry **out,
                                size_t *out_count);

#endif
