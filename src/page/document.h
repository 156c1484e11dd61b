/*
 * From the bytes of a document to the passages of a page, and into the index:
 * for the crawler, for pages read during a search, for files given by the
 * operator. Parsing may run on any thread; putting is for the thread that
 * owns the connection.
 */
#ifndef CITED_PAGE_DOCUMENT_H
#define CITED_PAGE_DOCUMENT_H

#include "base/clock.h"
#include "net/http.h"
#include "store/db.h"
#include "text/html.h"
#include "text/passage.h"

enum { DOCUMENT_ARENA_MAX = 192 * 1024 * 1024 };

/* What a PDF file says: its text in UTF-8, and the day it says it was made. */
struct pdf_content {
    const char *text;
    int32_t day; /* or DAY_NONE */
};

/*
 * What turns a PDF file into text: a program of its own, because no parser of
 * foreign PDF files belongs into this process. Given down by prog, the only
 * room that starts processes. run puts its content into a; ERR_INVALID the
 * file cannot be read as a PDF, or there is no such program; ERR_TIMEOUT;
 * ERR_TOO_LARGE; ERR_NOMEM; ERR_IO.
 */
struct pdf_reader {
    enum err (*run)(const struct pdf_reader *self, const char *body, size_t n,
                    struct deadline d, struct arena *a, struct pdf_content *out,
                    struct errctx *ec);
    const char *path; /* of the program */
};

/* A document as it came. */
struct index_input {
    const char *url;
    const char *type, *charset; /* media type: text/html,
                                   application/xhtml+xml, text/markdown,
                                   text/plain, application/pdf */
    const char *body;
    size_t body_len;
    const char *title; /* overrides, or NULL */
    int32_t day;       /* overrides, or DAY_NONE */
    const char *etag, *last_modified;
    int64_t now_ms;
    const struct pdf_reader *pdf; /* NULL: a PDF is not a type we read */
    struct deadline pdf_until;
};

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
    DOCUMENT_PLAIN,
    DOCUMENT_PDF
};

/* What kind of document a Content-Type value ("text/html; charset=x")
 * announces. path decides between plain text and Markdown (".md"). */
enum document_type document_type(const char *content_type, const char *path);

/* The media type of a file by the ending of its name; NULL when that says
 * nothing. One that is not read, application/jsonl, is among them. */
const char *document_name_type(const char *name);

/* The content type to go by: what the server said, or what the first bytes
 * show when it said nothing, nothing certain, or that binary data is text
 * (after the WHATWG MIME Sniffing standard, section 7; static or
 * content_type itself). */
const char *document_sniff(const char *content_type, const char *body,
                           size_t n);

/* The media type alone, lower case, into out (at most size - 1 bytes). */
void document_media_type(const char *content_type, char *out, size_t size);

/* The charset parameter, or NULL. */
const char *document_charset(const char *content_type, struct arena *a);

/* What a response brought, as the document url (canonical); now. It refers to
 * r; strings of its own are in a. */
struct index_input document_of_response(const char *url,
                                        const struct http_response *r,
                                        const struct pdf_reader *pdf,
                                        struct deadline pdf_until,
                                        struct arena *a);

/* A document as it was read: its text in UTF-8 (of a PDF what was taken out)
 * and what stands in it. */
struct document_content {
    enum document_type type;
    const char *text;
    size_t len;
    struct page_doc doc;
};

/* ERR_INVALID: a type we do not read, or no URL; ERR_TOO_LARGE; ERR_NOMEM. */
MUST_CHECK enum err document_read(const struct index_input *in, struct arena *a,
                                  struct document_content *out,
                                  struct errctx *ec);

/* The same, cut into passages; errors as document_read has them. No passages is
 * not an error here, nor is a refusal (text/html.h). */
MUST_CHECK enum err document_parse(const struct index_input *in,
                                   struct arena *a, struct document *out,
                                   struct errctx *ec);

/* Store under url (canonical). Title and day of in override the document's.
 * *id is the page's. Where the same text stands under "…/" and under
 * "…/index.html" (.htm, .php), the shorter address is kept alone. */
MUST_CHECK enum err document_put(struct db *index, const struct index_input *in,
                                 const struct document *d, const char *url,
                                 struct arena *a, int64_t *id,
                                 struct errctx *ec);

/* The same under in->url, where a page is put into the index by itself.
 * *passages counts them. ERR_NO_RESULT when it is refused or has none. */
MUST_CHECK enum err document_add(struct db *index, const struct index_input *in,
                                 const struct document *d, struct arena *a,
                                 int64_t *passages, struct errctx *ec);

/* Parsed and added. */
MUST_CHECK enum err index_document(struct db *index,
                                   const struct index_input *in,
                                   struct arena *a, int64_t *passages,
                                   struct errctx *ec);

#endif
