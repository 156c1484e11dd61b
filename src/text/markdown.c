/*
 * Markdown to blocks; see html.h. MD4C reads it: CommonMark with GitHub's
 * tables, struck text and task lists. Here are MD4C's events as blocks, and
 * what HTML in the text comes to: its text, as of any page; markup never. A
 * text that MD4C would take too long for (markdown_guard.h), or with HTML in
 * too many places, is read as plain text.
 */
#include "base/date.h"
#include "base/str.h"
#include "text/block_list.h"
#include "text/html_parts.h"
#include "text/markdown_guard.h"

#include <md4c.h>
#include <string.h>

enum {
    LINKS_MAX = 2000,
    IMAGES_MAX = 32,
    COLUMNS_MAX = 64,
    FRAGMENTS_MAX = 20000, /* of HTML: each is a parse of its own */
    SPANS_MAX = 8,         /* links and images inside each other */
    PARA_BYTES_MAX = 8 * 1024 * 1024,
    TITLE_BYTES = 300,
    /* MD4C 0.4.8 looks up to a few bytes past the end of a text that does not
     * end in a line break. */
    SPARE_BYTES = 16
};

/* Why reading ended before the text did. */
enum stopped { NOT_STOPPED, NO_ROOM, TABLE_TOO_LARGE, TOO_MUCH_HTML };

struct reader {
    const struct url *base; /* may be NULL: only absolute links are taken */
    struct arena *a;
    struct page_doc *doc;
    struct block_list blocks;
    struct buf line; /* of the block being filled */
    struct buf html; /* of HTML blocks in a row */
    struct buf row;  /* of a table */
    const char *heads[COLUMNS_MAX];
    size_t columns, column;
    size_t cells, fragments; /* of all tables, of HTML */
    int heading, quotes;
    bool item_due; /* the next block is a list item */
    bool code, in_html, in_head, has_rows;
    size_t began[SPANS_MAX]; /* where in the line a link or image began */
    size_t spans;
    size_t raised_at;   /* where <sup> or <sub> began */
    char raised;        /* 'p', 'b', or 0 */
    const char *source; /* what MD4C reads, and hands out pieces of */
    size_t source_len;
    bool strike_began, one_tilde;
    enum stopped stopped;
};

/* --- blocks ------------------------------------------------------------ */

static enum block_kind kind_now(const struct reader *r, int *level)
{
    *level = 0;
    if (r->code)
        return BLOCK_CODE;
    if (r->heading > 0) {
        *level = r->heading;
        return BLOCK_HEADING;
    }
    if (r->item_due) {
        *level = r->blocks.depth;
        return BLOCK_LIST_ITEM;
    }
    return r->quotes > 0 ? BLOCK_QUOTE : BLOCK_PARA;
}

static void add_block(struct reader *r, const char *p, size_t n)
{
    int level;
    enum block_kind kind = kind_now(r, &level);

    block_list_add(&r->blocks, kind, level, p, n);
    if (kind == BLOCK_LIST_ITEM)
        r->item_due = false;
    if (kind == BLOCK_HEADING && level == 1 && r->doc->title[0] == '\0') {
        const char *title = arena_strndup(r->a, p, utf8_cut(p, n, TITLE_BYTES));

        r->doc->title = title == NULL ? "" : title;
    }
}

static void flush(struct reader *r)
{
    struct buf *b = &r->line;

    while (b->len > 0 && ascii_is_space(b->data[b->len - 1]))
        b->data[--b->len] = '\0';
    if (b->len > 0)
        add_block(r, b->data, b->len);
    b->len = 0;
    r->raised = 0;
    r->spans = 0;
    r->strike_began = r->one_tilde = false;
}

/* A block of a piece of HTML, in the lists that both it and the piece stand in.
 */
static void add_inner(struct reader *r, const struct block *b)
{
    int depth = r->blocks.depth;

    r->blocks.depth += b->depth;
    block_list_add(&r->blocks, b->kind, b->level, b->text, strlen(b->text));
    r->blocks.depth = depth;
}

/* HTML blocks in a row are one piece of a page. */
static void flush_html(struct reader *r)
{
    struct page_doc part = {.title = ""};
    enum err e = ERR_OK;

    if (r->html.len > 0 && ++r->fragments > FRAGMENTS_MAX)
        e = ERR_TOO_LARGE;
    else if (r->html.len > 0)
        e = html_fragment_blocks(r->html.data, r->html.len, r->a, &part);
    for (size_t i = 0; e == ERR_OK && i < part.block_count; i++) {
        const struct block *b = &part.blocks[i];

        if (b->kind == BLOCK_PARA)
            add_block(r, b->text, strlen(b->text));
        else
            add_inner(r, b);
    }
    if (e != ERR_OK)
        r->stopped = e == ERR_TOO_LARGE ? TOO_MUCH_HTML : NO_ROOM;
    r->html.len = 0;
}

/* --- tables ------------------------------------------------------------ */

/* The cell's text is in the line. */
static void end_cell(struct reader *r, bool head)
{
    const char *text;

    while (r->line.len > 0 && r->line.data[r->line.len - 1] == ' ')
        r->line.data[--r->line.len] = '\0';
    text = buf_str(&r->line);
    if (head) {
        r->heads[r->columns] = arena_strdup(r->a, text);
        if (r->heads[r->columns] == NULL)
            r->stopped = NO_ROOM;
        r->columns++;
    }
    if (text[0] != '\0') {
        if (r->row.len > 0)
            buf_adds(&r->row, " | ");
        if (!head && r->column < r->columns && r->heads[r->column][0] != '\0')
            buf_addf(&r->row, "%s: ", r->heads[r->column]);
        buf_adds(&r->row, text);
    }
    r->column++;
    buf_reset(&r->line);
    /* MD4C makes up empty cells for rows that are too short. */
    if (++r->cells > r->source_len)
        r->stopped = TABLE_TOO_LARGE;
}

static void begin_table(struct reader *r, const MD_BLOCK_TABLE_DETAIL *table)
{
    r->columns = 0;
    r->has_rows = table->body_row_count > 0;
    if (table->col_count > COLUMNS_MAX)
        r->stopped = TABLE_TOO_LARGE;
}

/* "head: cell | head: cell"; the heads alone where nothing stands below. */
static void end_row(struct reader *r, bool head)
{
    if (r->row.len > 0 && !(head && r->has_rows))
        block_list_add(&r->blocks, BLOCK_TABLE_ROW, 0, r->row.data, r->row.len);
    r->row.len = 0;
    r->column = 0;
}

/* --- MD4C's events ----------------------------------------------------- */

/* What its callbacks return: below 0 ends the reading. */
static int status(struct reader *r)
{
    if (r->stopped == NOT_STOPPED &&
        (r->blocks.failed || buf_err(&r->line) != ERR_OK ||
         buf_err(&r->html) != ERR_OK || buf_err(&r->row) != ERR_OK))
        r->stopped = NO_ROOM;
    return r->stopped == NOT_STOPPED ? 0 : -1;
}

static void begin_item(struct reader *r)
{
    block_list_item(&r->blocks, r->blocks.depth - 1);
    r->item_due = true;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct reader *r = data;

    r->in_html = type == MD_BLOCK_HTML;
    if (r->in_html)
        return status(r);
    flush(r);
    flush_html(r);
    if (type == MD_BLOCK_QUOTE)
        r->quotes++;
    else if (type == MD_BLOCK_UL || type == MD_BLOCK_OL)
        block_list_open(&r->blocks, r->blocks.depth++,
                        type == MD_BLOCK_UL
                            ? 0
                            : (int)((MD_BLOCK_OL_DETAIL *)detail)->start);
    else if (type == MD_BLOCK_LI)
        begin_item(r);
    else if (type == MD_BLOCK_H)
        r->heading = (int)((MD_BLOCK_H_DETAIL *)detail)->level;
    else if (type == MD_BLOCK_CODE)
        r->code = true;
    else if (type == MD_BLOCK_TABLE)
        begin_table(r, detail);
    else if (type == MD_BLOCK_THEAD)
        r->in_head = true;
    return status(r);
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct reader *r = data;

    (void)detail;
    if (type == MD_BLOCK_HTML) {
        r->in_html = false;
        return status(r);
    }
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
        end_cell(r, type == MD_BLOCK_TH);
    flush(r);
    flush_html(r);
    if (type == MD_BLOCK_QUOTE)
        r->quotes--;
    else if (type == MD_BLOCK_UL || type == MD_BLOCK_OL)
        r->blocks.depth--;
    else if (type == MD_BLOCK_LI)
        r->item_due = false, r->blocks.number = 0;
    else if (type == MD_BLOCK_H)
        r->heading = 0;
    else if (type == MD_BLOCK_CODE)
        r->code = false;
    else if (type == MD_BLOCK_TR)
        end_row(r, r->in_head);
    else if (type == MD_BLOCK_THEAD)
        r->in_head = false;
    return status(r);
}

/* "&copy;" as what it stands for; one that HTML does not know as it is. */
static void add_entity(struct reader *r, const char *p, size_t n,
                       struct buf *out)
{
    struct arena scratch;
    const char *text;
    size_t len;

    arena_init(&scratch, 1024 * 1024);
    text = html_fragment_text(p, n, &scratch);
    len = strlen(text);
    if (len == 0) /* a space of some kind */
        block_text_add(out, " ", 1);
    else if (len > 1 && text[len - 1] == ';')
        block_text_add(out, p, n);
    else
        block_text_add(out, text, len);
    if (arena_failed(&scratch))
        r->stopped = NO_ROOM;
    arena_fini(&scratch);
}

/* The address an attribute of a link or an image names; NULL: none of ours. */
static const char *address_of(struct reader *r, const MD_ATTRIBUTE *href)
{
    const char *found = NULL;
    struct buf z;
    struct url u;

    if (href->size == 0 || href->size > URL_MAX || href->text[0] == '#')
        return NULL;
    buf_init(&z, 4 * URL_MAX);
    for (size_t i = 0; href->substr_offsets[i] < href->size; i++) {
        const char *p = href->text + href->substr_offsets[i];
        size_t n = href->substr_offsets[i + 1] - href->substr_offsets[i];

        if (href->substr_types[i] == MD_TEXT_ENTITY)
            add_entity(r, p, n, &z);
        else
            buf_add(&z, p, n);
    }
    if (buf_err(&z) == ERR_OK && z.len <= URL_MAX &&
        url_parse(buf_str(&z), z.len, r->base, r->a, &u, NULL) == ERR_OK)
        found = u.href;
    buf_fini(&z);
    return found;
}

/* The text of the link or image that ends here. */
static const char *text_of_span(struct reader *r)
{
    size_t from = r->spans <= SPANS_MAX ? r->began[r->spans - 1] : r->line.len;
    struct str s;

    if (from > r->line.len) /* of an exponent that was written anew */
        from = r->line.len;
    s = str_trim((struct str){buf_str(&r->line) + from, r->line.len - from});
    return arena_strndup(r->a, s.p, s.n);
}

static void end_span(struct reader *r, bool is_image, const MD_ATTRIBUTE *href)
{
    struct page_doc *doc = r->doc;
    const char *url = NULL, *text = NULL;

    if (is_image ? doc->image_count < IMAGES_MAX : doc->link_count < LINKS_MAX)
        url = address_of(r, href);
    if (url != NULL)
        text = text_of_span(r);
    if (text != NULL && is_image)
        doc->images[doc->image_count++] = (struct image){url, text};
    else if (text != NULL)
        doc->links[doc->link_count++] = (struct link){url, text, false};
}

/* "~~a~~" is struck; "H~2~O" and "~a/~b", which GitHub strikes too, are not:
 * their tildes are text. p: the first text inside. */
static void begin_strike(struct reader *r, const char *p)
{
    r->strike_began = false;
    while (p > r->source + 1 && p[-1] != '\0' && strchr("*_`[!<", p[-1]))
        p--;
    r->one_tilde =
        p > r->source && p[-1] == '~' && (p == r->source + 1 || p[-2] != '~');
    if (r->one_tilde)
        buf_addc(&r->line, '~');
}

static void end_strike(struct reader *r)
{
    if (r->one_tilde)
        buf_addc(&r->line, '~');
    r->strike_began = r->one_tilde = false;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct reader *r = data;

    (void)detail;
    if (type == MD_SPAN_DEL)
        r->strike_began = true;
    if (type != MD_SPAN_A && type != MD_SPAN_IMG)
        return status(r);
    if (r->spans < SPANS_MAX)
        r->began[r->spans] = r->line.len;
    r->spans++;
    return status(r);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct reader *r = data;

    if (type == MD_SPAN_DEL)
        end_strike(r);
    /* MD4C 0.4.8 now and then ends a link it never began. */
    if ((type != MD_SPAN_A && type != MD_SPAN_IMG) || r->spans == 0)
        return status(r);
    if (type == MD_SPAN_A)
        end_span(r, false, &((MD_SPAN_A_DETAIL *)detail)->href);
    else
        end_span(r, true, &((MD_SPAN_IMG_DETAIL *)detail)->src);
    r->spans--;
    return status(r);
}

/* A tag inside a paragraph: where text is raised or lowered, and what breaks
 * a line; all others leave the text. */
static void take_tag(struct reader *r, const char *p, size_t n)
{
    size_t skip = n > 1 && p[1] == '/' ? 2 : 1, len = 0;
    char out[RAISED_MAX];
    enum tag tag;

    while (skip + len < n && ascii_is_alnum(p[skip + len]))
        len++;
    tag = tag_find(p + (len > 0 ? skip : 0), len);
    if (tag == TAG_BR || dom_is_block(tag)) {
        block_text_add(&r->line, " ", 1);
    } else if (tag != TAG_SUP && tag != TAG_SUB) {
        return;
    } else if (skip == 1) {
        r->raised = tag == TAG_SUP ? 'p' : 'b';
        r->raised_at = r->line.len;
    } else if (r->raised != 0 && r->raised_at <= r->line.len) {
        const char *z = buf_str(&r->line);

        len = raised_format(r->raised == 'b', z, r->raised_at, z + r->raised_at,
                            r->line.len - r->raised_at, out);
        if (len > 0) {
            r->line.len = r->raised_at;
            buf_add(&r->line, out, len);
        }
        r->raised = 0;
    }
}

static int take_text(MD_TEXTTYPE type, const char *p, MD_SIZE n, void *data)
{
    struct reader *r = data;

    if (r->strike_began)
        begin_strike(r, p);
    switch (type) {
    case MD_TEXT_HTML:
        if (r->in_html)
            buf_add(&r->html, p, n);
        else if (n > 0 && p[0] == '<')
            take_tag(r, p, n);
        break;
    case MD_TEXT_ENTITY:
        add_entity(r, p, n, &r->line);
        break;
    case MD_TEXT_NULLCHAR:
        buf_adds(&r->line, "\xEF\xBF\xBD");
        break;
    case MD_TEXT_BR:
    case MD_TEXT_SOFTBR:
        block_text_add(&r->line, " ", 1);
        break;
    default:
        if (r->code)
            buf_add(&r->line, p, n);
        else
            block_text_add(&r->line, p, n);
        break;
    }
    return status(r);
}

/* --- the page ---------------------------------------------------------- */

static enum err run(struct reader *r, const struct buf *text, unsigned flags)
{
    const MD_PARSER parser = {0,           flags,      enter_block,
                              leave_block, enter_span, leave_span,
                              take_text,   NULL,       NULL};
    enum err e = ERR_OK;

    r->source = text->data;
    r->source_len = text->len - SPARE_BYTES;
    r->blocks = (struct block_list){.a = r->a};
    r->doc->link_count = r->doc->image_count = 0;
    buf_init(&r->line, PARA_BYTES_MAX);
    buf_init(&r->html, PARA_BYTES_MAX);
    buf_init(&r->row, PARA_BYTES_MAX);
    if (md_parse(text->data, (MD_SIZE)r->source_len, &parser, r) != 0 &&
        r->stopped == NOT_STOPPED)
        r->stopped = NO_ROOM;
    if (buf_err(&r->line) == ERR_TOO_LARGE ||
        buf_err(&r->html) == ERR_TOO_LARGE || buf_err(&r->row) == ERR_TOO_LARGE)
        e = ERR_TOO_LARGE;
    else if (r->stopped == NO_ROOM || arena_failed(r->a))
        e = ERR_NOMEM;
    buf_fini(&r->line);
    buf_fini(&r->html);
    buf_fini(&r->row);
    return e;
}

static enum err read_text(struct reader *r, const struct buf *text)
{
    const struct reader fresh = *r;
    const unsigned flags = MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
    const char *title = r->doc->title;
    enum err e = run(r, text, flags | MD_FLAG_TABLES);

    if (e != ERR_OK || r->stopped != TABLE_TOO_LARGE)
        return e;
    *r = fresh;
    r->doc->title = title;
    return run(r, text, flags);
}

enum err markdown_parse(const char *p, size_t n, const struct url *base,
                        struct arena *a, struct page_doc *out)
{
    static const char spare[1 + SPARE_BYTES] = "\n";
    struct page_doc doc = {.title = "",
                           .lang = "",
                           .favicon = "",
                           .canonical = "",
                           .day = DAY_NONE};
    struct reader r = {.base = base, .a = a, .doc = &doc};
    size_t skip = front_matter_take(p, n, a, &doc);
    struct buf text;
    enum err e;

    if (!markdown_is_bounded(p + skip, n - skip))
        return plain_parse(p, n, a, out);
    doc.links = arena_array(a, LINKS_MAX, sizeof *doc.links);
    doc.images = arena_array(a, IMAGES_MAX, sizeof *doc.images);
    if (doc.links == NULL || doc.images == NULL)
        return ERR_NOMEM;
    buf_init(&text, n + sizeof spare);
    buf_add(&text, p + skip, n - skip);
    e = buf_add(&text, spare, sizeof spare);
    if (e == ERR_OK)
        e = read_text(&r, &text);
    buf_fini(&text);
    if (e == ERR_OK && r.stopped == TOO_MUCH_HTML)
        return plain_parse(p, n, a, out);
    doc.blocks = r.blocks.list;
    doc.block_count = r.blocks.count;
    if (e == ERR_OK)
        *out = doc;
    return e;
}
