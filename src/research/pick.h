/*
 * Single sentences out of the stored units, for the cells of a report's
 * table, taken before units are chosen. None twice, and none that leans on the
 * sentence before it; a unit that begins or ends with one goes on without it,
 * where it can. Inside this room only.
 */
#ifndef CITED_RESEARCH_PICK_H
#define CITED_RESEARCH_PICK_H

#include "research/choose.h"

struct pick {
    size_t row; /* of the evidence */
    size_t start, len;
    struct choice *from; /* the unit it stands in, … */
    size_t next;         /* … which may begin here, in its first block, … */
    size_t end;          /* … or end here, in its last one; 0: it may not */
    double defines; /* how well it says what the side is, 0-1, where nothing
                       else is asked of it */
};

enum { PICK_WORDS = 32 /* of a sentence, at most */ };

/* The sentence that best speaks for a sub-question of a side; false: none does.
 * What is picked counts as said. ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err pick_sentence(const struct run *r, struct choices *x,
                                  size_t sub, struct arena *a, struct pick *out,
                                  bool *found, struct errctx *ec);

/* Once the sentence is said for certain: its unit goes on without it. */
void pick_leave(const struct pick *p);

#endif
