/*
 * HTML cut into tags and text (WHATWG HTML, section 13.2.5), in place: what a
 * token points at is in the buffer that is read, decoded and NUL-terminated
 * there. Comments, declarations and attributes that nobody asks for are
 * passed over. Private to text/, called by html_tree.c.
 */
#ifndef CITED_TEXT_HTML_TOKEN_H
#define CITED_TEXT_HTML_TOKEN_H

#include "text/dom.h"

enum { ATTRS_MAX = 34 /* kinds of attributes that are kept */ };

enum token_kind { TOKEN_NONE, TOKEN_END, TOKEN_TEXT, TOKEN_OPEN, TOKEN_CLOSE };

struct token {
    enum token_kind kind;
    enum tag tag;
    const char *name; /* of a tag, lower case */
    bool closed;      /* a start tag with "/>" */
    char *text;
    size_t len;
    size_t attr_count;
    struct attr attrs[ATTRS_MAX];
};

struct html_tokens {
    char *p; /* n bytes and room for one more */
    size_t n, at;
    bool at_tag;  /* p[at] was a '<' with a tag behind it */
    bool foreign; /* the caller is inside svg or math */
    bool doctype; /* a document type was met */
    bool quirks;  /* of the old kind */
};

/* The next token; *out holds until the next call. */
void html_token_next(struct html_tokens *t, struct token *out);

/* Behind the start tag of an element that holds text only: its text, past
 * its end tag. Character references are decoded in title and textarea. One
 * that an XML writer closed in its start tag is empty where a tag follows,
 * which by the standard would be its text, as all the page. */
char *html_token_raw(struct html_tokens *t, const struct token *open,
                     size_t *len);

#endif
