/*
 * HTML to what the service needs from a page: main text, title, date,
 * headings, images, links, metadata.
 * Pure: bytes in, structure in the arena out.
 */
#ifndef CITED_TEXT_HTML_H
#define CITED_TEXT_HTML_H

#include "base/arena.h"
#include "base/err.h"
#include "base/url.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One block of main text, in page order. */
enum block_kind {
    BLOCK_PARA,
    BLOCK_HEADING,
    BLOCK_LIST_ITEM,
    BLOCK_TABLE_ROW,
    BLOCK_CODE,
    BLOCK_QUOTE
};

/* An entry of a definition list. */
struct definition {
    const char *name;                /* its term, short */
    const struct definition *around; /* that it stands in; NULL */
};

struct block {
    enum block_kind kind;
    int level;        /* of a heading 1-6, of a list item its nesting */
    const char *text; /* UTF-8, white space folded (not in code), no markup */
    bool links;       /* more than half of the text is linked (HTML only) */
    bool begins;      /* it is the first item of its list (HTML only) */
    const struct definition *entry; /* that it stands in; NULL: in none */
    int number; /* of an item of a numbered list; 0: it has none */
    int depth;  /* lists that it stands in */
};

struct link {
    const char *url; /* canonical absolute */
    const char *text;
    bool nofollow;
};

struct image {
    const char *url;
    const char *alt;
};

struct page_doc {
    const char *title;      /* "" if none */
    const char *author;     /* "" if none; several with commas between */
    const char *site;       /* the name of the site, "" if it does not say */
    const char *lang;       /* "en", "" unknown */
    const char *favicon;    /* absolute URL; "" when none is declared */
    const char *canonical;  /* absolute URL, or "" */
    int32_t day;            /* publication date, or DAY_NONE */
    bool noindex, nofollow; /* meta robots */
    bool cut; /* the page was too large: only its beginning is here */
    struct block *blocks;
    size_t block_count;
    struct link *links; /* every link, also outside the main text */
    size_t link_count;
    struct image *images; /* of the main text, lead image first; at most 32 */
    size_t image_count;
};

/*
 * Bytes of a page to UTF-8: BOM, then charset (from the Content-Type header,
 * may be NULL), then <meta>, then UTF-8 if valid, else a guess. A label that
 * the bytes plainly contradict (valid UTF-8 with several sequences labelled
 * as something else, or the reverse) does not count. *out is in the arena or,
 * where nothing had to be changed, in p itself; not terminated.
 * Never fails on content: what cannot be converted becomes U+FFFD.
 */
MUST_CHECK enum err html_to_utf8(const char *p, size_t n, const char *charset,
                                 struct arena *a, const char **out,
                                 size_t *out_len);

/*
 * Parse UTF-8 HTML fetched from base. ERR_TOO_LARGE above 8 MiB; ERR_NOMEM
 * when a is full. Of a page whose tree would be too large (html_tree.h), the
 * beginning is read (cut).
 */
MUST_CHECK enum err html_parse(const char *p, size_t n, const struct url *base,
                               struct arena *a, struct page_doc *out,
                               struct errctx *ec);

/*
 * Is the page a refusal instead of content: a challenge to prove to be human,
 * access denied, "not found", a wall of consent, a request to run scripts?
 * *why (static) then names which. Only of pages with less than 1,000 bytes of
 * text, so that an article about any of these is content.
 */
bool page_is_refusal(const struct page_doc *doc, const char **why);

/* Markdown (CommonMark; GitHub's tables, task lists and struck text) and plain
 * text to the same shape. Front matter "title:" and "date:" are read. HTML in
 * Markdown is its text, never markup; its links and images are not taken.
 * base may be NULL, then only absolute links are. Markdown that would take
 * more than linear time (markdown_guard.h) is read as plain text. Plain text:
 * the first line is the title when it is short. ERR_TOO_LARGE: a paragraph
 * above 8 MiB; ERR_NOMEM. */
MUST_CHECK enum err markdown_parse(const char *p, size_t n,
                                   const struct url *base, struct arena *a,
                                   struct page_doc *out);
MUST_CHECK enum err plain_parse(const char *p, size_t n, struct arena *a,
                                struct page_doc *out);

/* The blocks as Markdown, for /v1/fetch and `cited extract`. */
MUST_CHECK enum err page_markdown(const struct page_doc *doc, struct arena *a,
                                  const char **out);

/* Text of an HTML fragment (a provider's snippet): tags dropped, entities
 * decoded, white space folded. */
const char *html_fragment_text(const char *p, size_t n, struct arena *a);

#endif
