/*
 * A tree that is being built: what the files of the builder share.
 * html_stack.c holds nodes, open and formatting elements, html_modes.c the
 * rules for each token, html_tree.c what is made of it. Private to them.
 */
#ifndef CITED_TEXT_HTML_BUILD_H
#define CITED_TEXT_HTML_BUILD_H

#include "text/html_token.h"
#include "text/html_tree.h"

enum {
    FORMATS_MAX = 256,  /* active formatting elements; the oldest goes */
    TEMPLATES_MAX = 32, /* open ones that have their own mode */
    STEPS_MAX = 60 * 1000 * 1000,
    NONE = 0,              /* as a link: the root is nobody's child */
    TAG_ISLAND = TAG_COUNT /* of svg and math: may hold HTML, or is special */
};

#define MARKER UINT32_MAX /* among the active formatting elements */

enum mode {
    BEFORE_HTML,
    BEFORE_HEAD,
    IN_HEAD,
    IN_HEAD_NOSCRIPT,
    AFTER_HEAD,
    IN_BODY,
    IN_TABLE,
    IN_CAPTION,
    IN_COLUMN_GROUP,
    IN_TABLE_BODY,
    IN_ROW,
    IN_CELL,
    IN_SELECT,
    IN_SELECT_IN_TABLE,
    IN_TEMPLATE,
    AFTER_BODY
};

enum space { HTML, MATH, SVG };

struct elem {
    const char *data; /* of a text; else the element's name */
    const struct attr *attrs;
    uint32_t parent, first, last, next, prev;
    uint8_t tag, attr_count, space;
    bool is_text, open;
};

struct tree {
    struct html_tokens t;
    struct token token;
    struct dom *d;
    struct elem *e;
    uint32_t count, size;
    uint32_t stack[TREE_DEPTH_MAX]; /* open elements */
    size_t depth;
    uint32_t opened[TAG_COUNT]; /* how many HTML elements of the tag are open */
    uint32_t formats[FORMATS_MAX];
    size_t format_count;
    enum mode mode, templates[TEMPLATES_MAX];
    size_t template_count;
    uint32_t head, form;
    bool quirks, foster;
    bool line_due; /* the next line end is dropped */
    size_t steps;
    bool full;
    enum err failed;
};

enum scope { IN_SCOPE, IN_LIST_SCOPE, IN_BUTTON_SCOPE, IN_TABLE_SCOPE };

bool tree_is_one_of(enum tag tag, const enum tag *tags, size_t n);
#define IS(it, ...)                                                            \
    tree_is_one_of((it), (const enum tag[]){__VA_ARGS__},                      \
                   sizeof((const enum tag[]){__VA_ARGS__}) / sizeof(enum tag))

/* Was a limit reached, or memory short? */
bool tree_stopped(const struct tree *x);

/* A new element, not in the tree yet; its number. */
uint32_t tree_add_elem(struct tree *x, struct elem e);

/* The innermost open element; its tag, TAG_UNKNOWN of svg and math. */
uint32_t tree_current(const struct tree *x);
enum tag tree_tag_at(const struct tree *x, size_t depth);
enum tag tree_current_tag(const struct tree *x);

/* --- the stack of open elements: its first, <html>, stays --- */
void tree_pop(struct tree *x);
void tree_push(struct tree *x, uint32_t i);
void tree_remove_open(struct tree *x, size_t at);

/* Until so many are open; until the innermost of the tag is closed. */
void tree_pop_to(struct tree *x, size_t depth);
void tree_pop_until(struct tree *x, enum tag tag);

/* Is an element of the tag open "in scope"? */
bool tree_has_in(struct tree *x, enum tag tag, enum scope scope);
bool tree_has_heading(struct tree *x);

/* "Generate implied end tags", except for one. */
void tree_close_implied(struct tree *x, enum tag but);
void tree_close_p(struct tree *x);

/* Down to one of the tags, html and template at the latest. */
void tree_clear_to(struct tree *x, enum tag a, enum tag b, enum tag c);

/* --- putting in, at the appropriate place (section 13.2.6.1) --- */
void tree_insert_text(struct tree *x, const char *z);

/* The token's attributes, kept. */
const struct attr *tree_keep_attrs(struct tree *x, size_t *count);

/* The token's element, in the tree and open; one that was left out. */
uint32_t tree_open_as(struct tree *x, enum space space, uint8_t tag);
uint32_t tree_open_token(struct tree *x);
uint32_t tree_open_implied(struct tree *x, enum tag tag);

/* The token's element without content; with its text alone. */
void tree_put_void(struct tree *x);
void tree_put_raw(struct tree *x);

/* --- active formatting elements; places count from 1, 0 is none --- */
void tree_drop_format(struct tree *x, size_t at);
void tree_add_format(struct tree *x, uint32_t i);
void tree_clear_formats(struct tree *x);
size_t tree_find_format(struct tree *x, enum tag tag);
size_t tree_format_of(const struct tree *x, uint32_t i);

/* "Reconstruct the active formatting elements". */
void tree_reopen_formats(struct tree *x);

/* The standard's "special" category. */
bool tree_is_special(const struct elem *e);

/* "Any other end tag". */
void tree_close_other(struct tree *x, enum tag tag, const char *name);

/* Where the open element i stands on the stack. */
size_t tree_depth_of(struct tree *x, uint32_t i);

/* The adoption agency. */
void tree_close_format(struct tree *x, enum tag tag);

/* Take x->token by the rules of the mode that x is in. */
void tree_take(struct tree *x);

#endif
