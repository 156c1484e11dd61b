/*
 * Is a passage about what a sub-question is about? By the content words of
 * the topic ("rollback journal"): most of them must stand in the passage,
 * its heading or its page's title. Pure.
 */
#ifndef CITED_RESEARCH_TOPIC_H
#define CITED_RESEARCH_TOPIC_H

#include "index/page.h"
#include "text/terms.h"

enum { TOPIC_TERMS_MAX = 12 };

struct topic {
    char term[TOPIC_TERMS_MAX][TERM_MAX + 1];
    size_t count; /* 0: anything fits */
};

/* Its distinct terms without stop words; the first TOPIC_TERMS_MAX count. */
void topic_read(struct topic *t, const char *text);

/* Does the candidate hold more than half of the terms? */
bool topic_is_of(const struct topic *t, const struct candidate *c);

/* Does the sentence, or the heading or title above it, hold any of them? */
bool topic_touches(const struct topic *t, const char *sentence,
                   const struct candidate *c);

#endif
