/*
 * Stems of other languages than English, by libstemmer (the Snowball
 * algorithms), which has its only home behind this header. English is
 * term_stem in terms.h.
 *
 * A stemmer keeps working memory: one thread at a time. It remembers what it
 * stemmed last, as texts repeat their words.
 */
#ifndef CITED_TEXT_STEMMER_H
#define CITED_TEXT_STEMMER_H

#include "base/arena.h"
#include "base/err.h"
#include "text/lang.h"

struct stemmer;

/* Has the language a stemmer here? */
bool stemmer_exists(enum lang l);

/* *out is NULL for a language without one: English rules hold. ERR_NOMEM. */
MUST_CHECK enum err stemmer_new(enum lang l, struct stemmer **out);
void stemmer_free(struct stemmer *s);

/* The same, freed with the arena. */
MUST_CHECK enum err stemmer_in(struct arena *a, enum lang l,
                               struct stemmer **out);

/* Does the stemmer know words that begin with this byte of UTF-8? Words of
 * another script are left alone by it, or English. */
bool stemmer_reads(const struct stemmer *s, unsigned char first);

/* The stem of a word in lower case, diacritics kept (the algorithms decide by
 * them), then folded, into out with its NUL; its length. A stem that does not
 * fit is cut. The word itself, folded, when there is no memory. */
size_t stemmer_stem(struct stemmer *s, const char *word, size_t n, char *out,
                    size_t out_max);

#endif
