/*
 * Is a claim borne out by one place of a passage? The strict half of
 * verification, for sentences that do not stand in the passage word for word.
 * Pure; called by verify.c.
 */
#ifndef CITED_VERIFY_SUPPORT_H
#define CITED_VERIFY_SUPPORT_H

#include "base/arena.h"
#include "text/passage.h"

#include <stdbool.h>

/*
 * True when some sentence of the passage says all the claim says. Every word
 * of the claim that carries meaning must be one of the sentence's (same stem;
 * numbers and units in one spelling), in the sentence's order; a claim may
 * leave words out, within these rules:
 *
 *   - a word is denied in the claim when it is in the sentence, and no denied
 *     word is left out of the clauses used; hedges ("may", "if", "allegedly")
 *     stay;
 *   - behind "and", "but", ";" or a comma nothing is left out before the next
 *     word used: no clause loses its subject or its time;
 *   - a number keeps the word before it and the one that follows directly;
 *     in a claim with numbers, those left out in between must be in brackets,
 *     in a date, or in another clause;
 *   - it ends neither before a quotation nor before a word that follows its
 *     last one directly;
 *   - prepositions agree ("by", "before", "from" …), the passive stays, an
 *     owner ("Eiffel's") is not the thing;
 *   - dates may move when the sentence has no other number.
 *
 * The subject may stand in the sentence before when this one begins with a
 * pronoun for it. *where
 * becomes the sentence. Nothing is guessed: a true paraphrase that turns a
 * sentence round is not recognised. False as well when memory runs out.
 */
bool support_find(const char *claim, const char *passage, struct span *where,
                  struct arena *a);

#endif
