/*
 * Blocks as Markdown; page_markdown of html.h. For people and for clients
 * that fetch a page; the inverse of markdown.c as far as blocks go.
 */
#include "base/buf.h"
#include "text/html.h"

#include <string.h>

enum { MARKDOWN_BYTES_MAX = 16 * 1024 * 1024 };

static void add_indent(struct buf *b, int level)
{
    for (int i = 1; i < level && i < 10; i++)
        buf_adds(b, "  ");
}

/* The text with a mark at the start of each line. */
static void add_lines(struct buf *b, const char *text, const char *mark)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");

        buf_adds(b, mark);
        buf_add(b, text, n);
        text += n;
        if (*text == '\n') {
            buf_addc(b, '\n');
            text++;
        }
    }
}

/* A fence longer than any run of backquotes in the listing. */
static void add_code(struct buf *b, const char *text)
{
    size_t longest = 2, run = 0;

    for (const char *z = text; *z != '\0'; z++) {
        run = *z == '`' ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    for (size_t i = 0; i <= longest; i++)
        buf_addc(b, '`');
    buf_addc(b, '\n');
    buf_adds(b, text);
    buf_addc(b, '\n');
    for (size_t i = 0; i <= longest; i++)
        buf_addc(b, '`');
}

/* Text that would read as a mark at the start of a line is escaped. */
static void add_para(struct buf *b, const char *text)
{
    size_t digits = strspn(text, "0123456789");

    if (strchr("#>-+*=|`~", text[0]) != NULL && text[0] != '\0')
        buf_addc(b, '\\');
    else if (digits > 0 && (text[digits] == '.' || text[digits] == ')') &&
             text[digits + 1] == ' ') {
        buf_add(b, text, digits);
        buf_addc(b, '\\');
        text += digits;
    }
    buf_adds(b, text);
}

static void add_block(struct buf *b, const struct block *x)
{
    int level = x->level < 1 ? 1 : x->level > 6 ? 6 : x->level;

    switch (x->kind) {
    case BLOCK_HEADING:
        for (int i = 0; i < level; i++)
            buf_addc(b, '#');
        buf_addc(b, ' ');
        buf_adds(b, x->text);
        break;
    case BLOCK_LIST_ITEM:
        add_indent(b, x->level);
        if (x->number > 0)
            buf_addf(b, "%d. ", x->number);
        else
            buf_adds(b, "- ");
        buf_adds(b, x->text);
        break;
    case BLOCK_TABLE_ROW:
        buf_adds(b, "- ");
        buf_adds(b, x->text);
        break;
    case BLOCK_CODE:
        add_code(b, x->text);
        break;
    case BLOCK_QUOTE:
        add_lines(b, x->text, "> ");
        break;
    case BLOCK_PARA:
        add_para(b, x->text);
        break;
    }
}

static bool is_item(const struct block *x)
{
    return x->kind == BLOCK_LIST_ITEM || x->kind == BLOCK_TABLE_ROW;
}

enum err page_markdown(const struct page_doc *doc, struct arena *a,
                       const char **out)
{
    struct buf b;

    buf_init(&b, MARKDOWN_BYTES_MAX);
    for (size_t i = 0; i < doc->block_count; i++) {
        const struct block *x = &doc->blocks[i];

        if (i > 0)
            buf_adds(&b, is_item(x) && is_item(x - 1) ? "\n" : "\n\n");
        add_block(&b, x);
    }
    buf_addc(&b, '\n');
    return buf_keep(&b, ERR_OK, a, out);
}
