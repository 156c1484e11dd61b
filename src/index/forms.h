/*
 * Private to index/: a word of a question in the languages of the index, and
 * how many passages hold it. Called by
 * query.c.
 */
#ifndef CITED_INDEX_FORMS_H
#define CITED_INDEX_FORMS_H

#include "index/shelf.h"
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

/* Languages with stems of their own that the index holds, as bits; English is
 * not among them. */
struct form_languages {
    unsigned all;
    unsigned asked; /* in which any question is asked: those of at least one in
                       fifty of all passages. The words of a question in a
                       rarer one are found by its own stems; each more language
                       costs every question a look-up a word */
    enum lang most;  /* of more than half of the passages; else English */
};

/* Passages of the index and the bytes of their texts. */
MUST_CHECK enum err forms_totals(struct db *db, int64_t *passages,
                                 int64_t *bytes, struct errctx *ec);

void forms_languages(const struct manifest *v, int64_t total,
                     struct form_languages *out);

/* The term that the word gives in a language; "" if it gives none. */
MUST_CHECK enum err forms_stem(struct db *db, enum lang l, const char *word,
                               struct term *out, struct errctx *ec);

/* The forms of a term: text, and what word (or NULL) gives in English and in
 * these languages. */
MUST_CHECK enum err forms_read(struct db *db, const char *text,
                               const char *word, unsigned languages,
                               struct forms *out, struct errctx *ec);

/* How many passages hold one of the forms. */
int64_t forms_df(const struct manifest *v, const struct forms *f);

#endif
