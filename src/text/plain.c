/*
 * Plain text to blocks; plain_parse of html.h. What is mostly sentences is read
 * by prose.h; of all else paragraphs are what blank lines part. A short first
 * line is the title.
 */
#include "base/date.h"
#include "base/str.h"
#include "text/block_list.h"
#include "text/prose.h"

#include <string.h>

enum { PARA_BYTES_MAX = 8 * 1024 * 1024, PLAIN_TITLE_BYTES = 120 };

struct reader {
    const char *p, *end;
    struct block_list blocks;
    struct buf para;
};

static void add_line(struct reader *r, struct str line)
{
    struct buf *b = &r->para;

    if (b->len > 0)
        buf_addc(b, ' ');
    for (size_t i = 0; i < line.n; i++) {
        if (!ascii_is_space(line.p[i]) && line.p[i] != '\0')
            buf_addc(b, line.p[i]);
        else if (b->len > 0 && b->data[b->len - 1] != ' ')
            buf_addc(b, ' ');
    }
}

static void flush(struct reader *r)
{
    if (r->para.len > 0 && buf_err(&r->para) == ERR_OK)
        block_list_add(&r->blocks, BLOCK_PARA, 0, r->para.data, r->para.len);
    r->para.len = 0;
}

/* Sentences with items, terms and listings between them. */
static bool read_typed(struct reader *r)
{
    size_t n = (size_t)(r->end - r->p);

    if (memchr(r->p, '\0', n) != NULL)
        return false;
    block_list_add(&r->blocks, BLOCK_CODE, 0, r->p, n);
    if (prose_read(&r->blocks))
        return true;
    r->blocks.count = 0;
    return false;
}

/* Is it more than a rule? */
static bool has_letter(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (ascii_is_alnum(s.p[i]) || (unsigned char)s.p[i] >= 0x80)
            return true;
    return false;
}

/* The first line, if it is short; where that is a rule, the first heading.
 * NULL: no memory. */
static const char *read_title(struct reader *r)
{
    struct str line = {"", 0};

    while (view_line(&r->p, r->end, &line))
        if (line.n > 0)
            break;
    if (!has_letter(line))
        for (size_t i = 0; i < r->blocks.count; i++)
            if (r->blocks.list[i].kind == BLOCK_HEADING) {
                line = str_of(r->blocks.list[i].text);
                break;
            }
    return has_letter(line) && line.n <= PLAIN_TITLE_BYTES
               ? arena_strndup(r->blocks.a, line.p, line.n)
               : "";
}

enum err plain_parse(const char *p, size_t n, struct arena *a,
                     struct page_doc *out)
{
    struct reader r = {.p = p, .end = p + n, .blocks = {.a = a}};
    const char *title;
    struct str line;
    bool read = read_typed(&r);
    enum err e;

    buf_init(&r.para, PARA_BYTES_MAX);
    title = read_title(&r);
    r.p = p;
    while (!read && !r.blocks.failed && buf_err(&r.para) == ERR_OK &&
           view_line(&r.p, r.end, &line)) {
        if (line.n > 0)
            add_line(&r, line);
        else
            flush(&r);
    }
    flush(&r);
    e = buf_err(&r.para);
    buf_fini(&r.para);
    if (e == ERR_OK && (r.blocks.failed || title == NULL))
        e = ERR_NOMEM;
    if (e == ERR_OK)
        *out = (struct page_doc){.title = title,
                                 .lang = "",
                                 .favicon = "",
                                 .canonical = "",
                                 .day = DAY_NONE,
                                 .blocks = r.blocks.list,
                                 .block_count = r.blocks.count};
    return e;
}
