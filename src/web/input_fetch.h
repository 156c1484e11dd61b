/* POST /v1/fetch: the body to what is to be read and given. */
#ifndef CITED_WEB_INPUT_FETCH_H
#define CITED_WEB_INPUT_FETCH_H

#include "web/input_common.h"

struct fetch_params {
    struct url url;
    bool raw_html;    /* rawHtml, the older name of rawContent */
    bool raw_content; /* rawContent and contentType */
    bool images;
};

/*
 * Read every field of in->object into *out; what is wrong is in in->problem
 * afterwards, and then *out must not be used. A field of the interface that
 * asks for something that is not done here (scripts run, another way to a
 * page, an extraction by schema) is refused by its name, never ignored.
 */
void input_fetch(const struct input *in, struct fetch_params *out);

#endif
