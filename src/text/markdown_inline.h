/* Inline marks of Markdown; private to text/. */
#ifndef CITED_TEXT_MARKDOWN_INLINE_H
#define CITED_TEXT_MARKDOWN_INLINE_H

#include "base/buf.h"
#include "text/html.h"

/* Links and images met on the way. */
struct inline_sink {
    const struct url *base; /* may be NULL: only absolute links are taken */
    struct arena *a;
    struct link *links;
    size_t link_count, link_max;
    struct image *images;
    size_t image_count, image_max;
};

/* Append the text of p[0..n) without its marks: emphasis, code marks, links
 * (their text stays), images (their alternative text stays), tags, escapes,
 * the common entities. White space is folded. */
void markdown_inline_text(const char *p, size_t n, struct inline_sink *sink,
                          struct buf *out);

#endif
