/*
 * The same search in the shapes that other programs speak: their request
 * becomes the body of POST /v1/search, its answer theirs. h_shapes.c has those
 * of search engines, h_openai.c those of models.
 */
#ifndef CITED_WEB_SHAPE_H
#define CITED_WEB_SHAPE_H

#include "web/handlers.h"
#include "web/input.h"

/* Of {"…": …, the body that is being written for the handler. */
struct shape {
    struct call *c;
    struct buf text;
    struct json_out body;
};

void shape_begin(struct shape *s, struct call *c);
/*
 * Ends the body, asks handle (NULL: that of POST /v1/search), and parses what
 * it answers into *out, the caller's to json_free; NULL where nothing was
 * found. c->res is empty again then. ERR_TOLD where the handler answered a
 * problem: c->res is the whole answer, and the handler is done. ERR_NOMEM, and
 * what the handler itself could not do.
 */
MUST_CHECK enum err shape_ask(struct shape *s, call_handler *handle,
                              struct json **out);

/* The end of a handler whose clients are switched off. */
MUST_CHECK enum err shape_off(struct call *c);

/* Was a member given that is neither null, false, 0, "" nor empty? */
bool shape_given(const struct json *body, const char *name);

/* What cannot be honoured is refused by its name. */
void shape_refuse(const struct input *in, const char *const *names);

#endif
