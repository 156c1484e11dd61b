/*
 * From the bytes of a document to the passages of a page, and into the index.
 * Parsing is pure and may run on any thread; putting is for the thread that
 * owns the connection.
 */
#ifndef CITED_CRAWL_DOCUMENT_H
#define CITED_CRAWL_DOCUMENT_H

#include "crawl/crawl.h"
#include "text/html.h"
#include "text/passage.h"

enum { DOCUMENT_ARENA_MAX = 192 * 1024 * 1024 };

struct document {
    struct page_doc doc;
    struct passage_text *passages;
    size_t count;
    const char *refusal; /* what it is instead of content, or NULL */
};

enum document_type {
    DOCUMENT_OTHER,
    DOCUMENT_HTML,
    DOCUMENT_MARKDOWN,
    DOCUMENT_PLAIN
};

/* What kind of document a Content-Type value ("text/html; charset=x")
 * announces. path decides between plain text and Markdown (".md"). */
enum document_type document_type(const char *content_type, const char *path);

/* The media type alone, lower case, into out (at most size - 1 bytes). */
void document_media_type(const char *content_type, char *out, size_t size);

/* The charset parameter, or NULL. */
const char *document_charset(const char *content_type, struct arena *a);

/* ERR_INVALID: a type we do not read, or no URL; ERR_TOO_LARGE; ERR_NOMEM.
 * No passages is not an error here, nor is a refusal (text/html.h). */
MUST_CHECK enum err document_parse(const struct index_input *in,
                                   struct arena *a, struct document *out,
                                   struct errctx *ec);

/* Store under url (canonical). Title and day of in override the document's.
 * *id is the page's. */
MUST_CHECK enum err document_put(struct db *index, const struct index_input *in,
                                 const struct document *d, const char *url,
                                 struct arena *a, int64_t *id,
                                 struct errctx *ec);

#endif
