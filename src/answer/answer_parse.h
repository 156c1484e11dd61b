/*
 * What a model wrote, taken apart into statements with the passages they name
 * and the words of these that they rest on. Takes the JSON that was asked for,
 * whole or cut off, and lines: statement [1] "words". Pure; called by
 * answer_model.c.
 */
#ifndef CITED_MODEL_ANSWER_PARSE_H
#define CITED_MODEL_ANSWER_PARSE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { WRITTEN_MAX = 32, WRITTEN_IDS_MAX = 8 };

enum written_form {
    WRITTEN_SENTENCE,
    WRITTEN_PARAGRAPH, /* begins one */
    WRITTEN_ITEM,
    WRITTEN_CODE /* text is as it was written */
};

struct written {
    const char *text; /* one line, without marks, list signs and emphasis; a
                         mark that hangs on a word ("argv[1]") is still there,
                         only the passage can tell what it is */
    size_t ids[WRITTEN_IDS_MAX]; /* numbers of passages as given, from 1 */
    size_t id_count;             /* 0: it names none that exist */
    const char *quote;           /* the passage's words, or NULL */
    enum written_form form;
};

/*
 * The sentences of text in order, at most WRITTEN_MAX, out of range numbers
 * (above passages, or 0) left out. cut: the text breaks off; what it breaks
 * off in is left out. *count may be 0. ERR_NOMEM only.
 */
MUST_CHECK enum err answer_parse(const char *text, bool cut, size_t passages,
                                 struct arena *a, struct written **out,
                                 size_t *count);

#endif
