/* A search's result as the wire shows it (contract, section 2). */
#ifndef CITED_WEB_RENDER_SEARCH_H
#define CITED_WEB_RENDER_SEARCH_H

#include "search/search.h"

/* One JSON object onto out, in the shape p->output asks for. Failures stick
 * in out. */
void render_search(const struct search_params *p, const struct search_result *r,
                   struct buf *out);

#endif
