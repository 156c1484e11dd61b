/*
 * What stands behind a sentence that introduces it: the items of a list, the
 * rows under a table's caption, steps and commands. Private to the writer;
 * called by answer_forms.c and answer_extract.c.
 */
#ifndef CITED_ANSWER_ANSWER_ITEMS_H
#define CITED_ANSWER_ANSWER_ITEMS_H

#include "answer/answer_render.h"
#include "answer/answer_score.h"

#include "base/str.h"

enum { ITEMS_MAX = 12 };

/* One item: a byte range of a passage. */
struct item {
    size_t passage;
    size_t start, len;
    size_t words;
    enum said_form form; /* SAID_CODE: several lines as they stand */
};

/* Does the sentence introduce what follows it: by a colon, and for a list as
 * a table's caption or as an entry under a heading that names the list? */
bool items_introduced(const struct pool *pool, const struct sentence *s);

/* What the sentence introduces (a list's items by their names, steps as they
 * stand, a listing as a whole), at most ITEMS_MAX, from passages at hand of its
 * page under its heading; 0: nothing. For lists and steps only. */
size_t items_read(const struct pool *pool, const struct sentence *s,
                  struct item *out);

/* Is the sentence itself one of its items, an entry under a heading that
 * names the list? Then the items alone are delivered. */
bool items_is_entry(const struct pool *pool, const struct sentence *s);

/* --- looking at sentences ------------------------------------------------ */

const char *sentence_text(const struct pool *pool, const struct sentence *s);

/* The line of its passage that it stands in. */
struct str sentence_line(const struct pool *pool, const struct sentence *s);

size_t words_count(struct str text);

#endif
