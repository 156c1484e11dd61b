/*
 * Private to store/: a word of a question in the languages of the index, and
 * how many passages hold it. Reads inside the caller's transaction. Called by
 * query.c.
 */
#ifndef CITED_INDEX_FORMS_H
#define CITED_INDEX_FORMS_H

#include "base/err.h"
#include "store/db.h"
#include "text/lang.h"
#include "text/terms.h"

#include <stddef.h>
#include <stdint.h>

/* The distinct stems of one word in the languages of the index; what the
 * question's own language makes of it is the first. */
struct forms {
    char text[LANG_COUNT + 1][TERM_MAX + 1];
    size_t count;
};

/* Passages of the index and the bytes of their texts. */
MUST_CHECK enum err forms_totals(struct db *db, int64_t *passages,
                                 int64_t *bytes, struct errctx *ec);

/* The languages in which any question is asked, English not among them: those
 * of at least one in fifty of the index's total passages. The words of a
 * question in a rarer language are found by its own stems; each more language
 * costs every question a look-up a word. */
MUST_CHECK enum err forms_languages(struct db *db, int64_t total, unsigned *out,
                                    struct errctx *ec);

/* The term that the word gives in a language; "" if it gives none. */
MUST_CHECK enum err forms_stem(struct db *db, enum lang l, const char *word,
                               struct term *out, struct errctx *ec);

/* The forms of a term: text, and what word (or NULL) gives in English and in
 * the languages of forms_languages. */
MUST_CHECK enum err forms_read(struct db *db, const char *text,
                               const char *word, unsigned languages,
                               struct forms *out, struct errctx *ec);

/* How many passages hold a term; 0 if the index does not know it. */
MUST_CHECK enum err forms_df_of(struct db *db, const char *term, int64_t *df,
                                struct errctx *ec);

/* The same for all forms together. */
MUST_CHECK enum err forms_df(struct db *db, const struct forms *f, int64_t *df,
                             struct errctx *ec);

#endif
