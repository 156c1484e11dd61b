/*
 * Blocks as Markdown; page_markdown of html.h. For people and for clients
 * that fetch a page; the inverse of markdown.c as far as blocks go.
 */
#include "base/buf.h"
#include "text/html.h"

#include <string.h>

enum { MARKDOWN_BYTES_MAX = 16 * 1024 * 1024 };

enum { DEPTH_MAX = 9 /* deeper items are indented as those */ };

static void add_indent(struct buf *b, int indent)
{
    for (int i = 0; i < indent; i++)
        buf_addc(b, ' ');
}

/* The text with a mark at the start of each line. */
static void add_lines(struct buf *b, const char *text, const char *mark,
                      int indent)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");

        add_indent(b, n > 0 ? indent : 0);
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
static void add_code(struct buf *b, const char *text, int indent)
{
    size_t longest = 2, run = 0;

    for (const char *z = text; *z != '\0'; z++) {
        run = *z == '`' ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    add_indent(b, indent);
    for (size_t i = 0; i <= longest; i++)
        buf_addc(b, '`');
    buf_addc(b, '\n');
    add_lines(b, text, "", indent);
    buf_addc(b, '\n');
    add_indent(b, indent);
    for (size_t i = 0; i <= longest; i++)
        buf_addc(b, '`');
}

/* Would the text's first sign read as a mark? An option and a hexadecimal
 * colour are none. */
static bool is_mark(const char *text)
{
    size_t run = strspn(text, "-+*=#>|`~");
    char next = text[0] == '\0' ? '\0' : text[1];

    switch (text[0]) {
    case '-':
    case '+':
        return next == ' ' || text[run] == '\0';
    case '=':
        return text[run] == '\0';
    case '#':
        return text[strspn(text, "#")] == ' ' || text[run] == '\0';
    case '*':
    case '>':
    case '|':
        return true;
    case '`':
    case '~':
        return run > 2;
    default:
        return false;
    }
}

/* Text that would read as a mark at the start of a line is escaped. */
static void add_para(struct buf *b, const char *text)
{
    size_t digits = strspn(text, "0123456789");

    if (is_mark(text))
        buf_addc(b, '\\');
    else if (digits > 0 && (text[digits] == '.' || text[digits] == ')') &&
             text[digits + 1] == ' ') {
        buf_add(b, text, digits);
        buf_addc(b, '\\');
        text += digits;
    }
    buf_adds(b, text);
}

static void add_block(struct buf *b, const struct block *x, int indent)
{
    int level = x->level < 1 ? 1 : x->level > 6 ? 6 : x->level;

    if (x->kind != BLOCK_CODE && x->kind != BLOCK_QUOTE)
        add_indent(b, indent);
    switch (x->kind) {
    case BLOCK_HEADING:
        for (int i = 0; i < level; i++)
            buf_addc(b, '#');
        buf_addc(b, ' ');
        buf_adds(b, x->text);
        break;
    case BLOCK_LIST_ITEM:
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
        add_code(b, x->text, indent);
        break;
    case BLOCK_QUOTE:
        add_lines(b, x->text, "> ", indent);
        break;
    case BLOCK_PARA:
        add_para(b, x->text);
        break;
    }
}

/* Spaces in front of the block: those of the items that it stands in, which
 * open[] has of each depth. What a list holds without an item in front of it
 * stands in none; an item is open until something stands outside its list. */
static int indent_of(const struct block *x, int open[DEPTH_MAX + 1])
{
    bool item = x->kind == BLOCK_LIST_ITEM;
    int depth = x->depth < DEPTH_MAX ? x->depth : DEPTH_MAX, indent = 0;

    if (x->kind == BLOCK_HEADING)
        depth = 0;
    for (int i = depth + 1; i <= DEPTH_MAX; i++)
        open[i] = 0;
    for (int i = 1; i < depth + !item; i++)
        indent += open[i];
    if (item)
        open[depth] = x->number > 999  ? 6
                      : x->number > 99 ? 5
                      : x->number > 9  ? 4
                      : x->number > 0  ? 3
                                       : 2;
    return indent;
}

static bool is_item(const struct block *x)
{
    return x->kind == BLOCK_LIST_ITEM || x->kind == BLOCK_TABLE_ROW;
}

enum err page_markdown(const struct page_doc *doc, struct arena *a,
                       const char **out)
{
    int open[DEPTH_MAX + 1] = {0};
    struct buf b;

    buf_init(&b, MARKDOWN_BYTES_MAX);
    for (size_t i = 0; i < doc->block_count; i++) {
        const struct block *x = &doc->blocks[i];

        if (i > 0)
            buf_adds(&b, is_item(x) && is_item(x - 1) ? "\n" : "\n\n");
        add_block(&b, x, indent_of(x, open));
    }
    buf_addc(&b, '\n');
    return buf_keep(&b, ERR_OK, a, out);
}
