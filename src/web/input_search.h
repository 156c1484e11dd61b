/* POST /v1/search: the body to search parameters (contract, section 2). */
#ifndef CITED_WEB_INPUT_SEARCH_H
#define CITED_WEB_INPUT_SEARCH_H

#include "search/search.h"
#include "web/input_common.h"

/*
 * Read every field of in->object into *out; what is wrong is in in->problem
 * afterwards, and then *out must not be used. Strings belong to the object's
 * tree or the arena. *owned is a tree to json_free in any case (may be NULL).
 */
void input_search(const struct input *in, const struct conf *c,
                  struct search_params *out, struct json **owned);

#endif
