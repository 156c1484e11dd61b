/*
 * Markdown and plain text to blocks; see html.h. CommonMark's common part,
 * line by line: front matter, headings, paragraphs, lists, quotes, fences,
 * indented code, pipe tables. Inline marks are markdown_inline's.
 */
#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"
#include "text/block_list.h"
#include "text/html_parts.h"
#include "text/markdown_inline.h"

#include <string.h>

enum {
    LINKS_MAX = 2000,
    IMAGES_MAX = 32,
    COLUMNS_MAX = 64,
    PARA_BYTES_MAX = 8 * 1024 * 1024,
    TITLE_BYTES = 300,
    PLAIN_TITLE_BYTES = 120
};

struct reader {
    const char *p;
    size_t n, at;
    struct arena *a;
    struct block_list blocks;
    struct inline_sink sink;
    struct buf para; /* raw lines of the open block */
    enum block_kind kind;
    int level;
    const char *title;
    int32_t day;
};

/* The next line without its end; false at the end of the text. */
static bool next_line(struct reader *r, struct str *line)
{
    const char *end;

    if (r->at >= r->n)
        return false;
    line->p = r->p + r->at;
    end = memchr(line->p, '\n', r->n - r->at);
    line->n = end == NULL ? r->n - r->at : (size_t)(end - line->p);
    r->at += line->n + (end != NULL);
    if (line->n > 0 && line->p[line->n - 1] == '\r')
        line->n--;
    return true;
}

static struct str peek_line(struct reader *r)
{
    size_t at = r->at;
    struct str line = {"", 0};

    next_line(r, &line);
    r->at = at;
    return line;
}

/* Columns of white space at the start; a tab goes to the next fourth. */
static size_t indent_of(struct str line, size_t *bytes)
{
    size_t columns = 0, i = 0;

    for (; i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'); i++)
        columns += line.p[i] == ' ' ? 1 : 4 - columns % 4;
    *bytes = i;
    return columns;
}

static void add_inline(struct reader *r, enum block_kind kind, int level,
                       struct str text)
{
    struct buf out;

    buf_init(&out, PARA_BYTES_MAX);
    markdown_inline_text(text.p, text.n, &r->sink, &out);
    while (out.len > 0 && out.data[out.len - 1] == ' ')
        out.data[--out.len] = '\0';
    if (out.len > 0)
        block_list_add(&r->blocks, kind, level, out.data, out.len);
    if (kind == BLOCK_HEADING && level == 1 && r->title == NULL && out.len > 0)
        r->title = arena_strndup(r->a, out.data,
                                 utf8_cut(out.data, out.len, TITLE_BYTES));
    if (buf_err(&out) != ERR_OK)
        r->blocks.failed = true;
    buf_fini(&out);
}

static void flush(struct reader *r)
{
    if (r->para.len > 0)
        add_inline(r, r->kind, r->level,
                   (struct str){r->para.data, r->para.len});
    buf_reset(&r->para);
    r->kind = BLOCK_PARA;
    r->level = 0;
}

static void add_to_para(struct reader *r, struct str line)
{
    line = str_trim(line);
    if (r->para.len > 0)
        buf_addc(&r->para, ' ');
    if (buf_add(&r->para, line.p, line.n) != ERR_OK)
        r->blocks.failed = true;
}

/* --- kinds of lines ---------------------------------------------------- */

/* A run of one of the marks, spaces between allowed, at least min of them. */
static bool is_rule(struct str line, const char *marks, size_t min)
{
    size_t count = 0;

    line = str_trim(line);
    if (line.n == 0 || strchr(marks, line.p[0]) == NULL || line.p[0] == '\0')
        return false;
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == line.p[0])
            count++;
        else if (line.p[i] != ' ')
            return false;
    }
    return count >= min;
}

static bool take_atx(struct reader *r, struct str line)
{
    int level = 0;

    line = str_trim(line);
    while ((size_t)level < line.n && line.p[level] == '#')
        level++;
    if (level < 1 || level > 6 ||
        ((size_t)level < line.n && line.p[level] != ' ' &&
         line.p[level] != '\t'))
        return false;
    flush(r);
    line.p += level;
    line.n -= (size_t)level;
    line = str_trim(line);
    while (line.n > 0 && line.p[line.n - 1] == '#')
        line.n--;
    add_inline(r, BLOCK_HEADING, level, str_trim(line));
    return true;
}

static bool take_setext(struct reader *r, struct str line)
{
    if (r->para.len == 0 || r->kind != BLOCK_PARA ||
        memchr(str_trim(line).p, ' ', str_trim(line).n) != NULL ||
        !is_rule(line, "=-", 2))
        return false;
    r->kind = BLOCK_HEADING;
    r->level = str_trim(line).p[0] == '=' ? 1 : 2;
    flush(r);
    return true;
}

/* Bytes of a list mark with its space at the line's text; 0 when none. */
static size_t list_mark(struct str s)
{
    size_t n = 0;

    while (n < s.n && n < 9 && ascii_is_digit(s.p[n]))
        n++;
    if (n > 0) {
        if (n + 1 >= s.n || (s.p[n] != '.' && s.p[n] != ')'))
            return 0;
    } else if (s.n < 2 || strchr("-*+", s.p[0]) == NULL || s.p[0] == '\0') {
        return 0;
    }
    return s.p[n + 1] == ' ' || s.p[n + 1] == '\t' ? n + 2 : 0;
}

static bool take_item(struct reader *r, struct str line, size_t columns)
{
    struct str s = str_trim(line);
    size_t mark = list_mark(s);

    if (mark == 0 || is_rule(line, "*-_", 3))
        return false;
    flush(r);
    s.p += mark;
    s.n -= mark;
    s = str_trim(s);
    if (s.n >= 4 && s.p[0] == '[' && s.p[2] == ']' && s.p[3] == ' ') {
        s.p += 4; /* a task list's box */
        s.n -= 4;
    }
    r->kind = BLOCK_LIST_ITEM;
    r->level = (int)(columns > 40 ? 20 : columns / 2) + 1;
    add_to_para(r, s);
    return true;
}

/* --- code -------------------------------------------------------------- */

static size_t fence_of(struct str line, char *mark)
{
    struct str s = str_trim(line);
    size_t n = 0;

    if (s.n < 3 || (s.p[0] != '`' && s.p[0] != '~'))
        return 0;
    while (n < s.n && s.p[n] == s.p[0])
        n++;
    *mark = s.p[0];
    return n >= 3 ? n : 0;
}

static void add_code(struct reader *r, struct buf *code)
{
    while (code->len > 0 && code->data[code->len - 1] == '\n')
        code->data[--code->len] = '\0';
    if (code->len > 0)
        block_list_add(&r->blocks, BLOCK_CODE, 0, code->data, code->len);
    if (buf_err(code) != ERR_OK)
        r->blocks.failed = true;
    buf_fini(code);
}

static bool take_fence(struct reader *r, struct str line)
{
    char mark, other;
    size_t n = fence_of(line, &mark), skip;
    struct buf code;

    if (n == 0)
        return false;
    flush(r);
    indent_of(line, &skip);
    buf_init(&code, PARA_BYTES_MAX);
    while (next_line(r, &line)) {
        size_t cut = 0;

        if (fence_of(line, &other) >= n && other == mark)
            break;
        while (cut < skip && cut < line.n && line.p[cut] == ' ')
            cut++;
        buf_add(&code, line.p + cut, line.n - cut);
        buf_addc(&code, '\n');
    }
    add_code(r, &code);
    return true;
}

static bool take_indented(struct reader *r, struct str line)
{
    size_t bytes, last = r->at;
    struct buf code;

    if (indent_of(line, &bytes) < 4 || r->para.len > 0 || bytes == line.n)
        return false;
    buf_init(&code, PARA_BYTES_MAX);
    do {
        size_t columns = indent_of(line, &bytes);
        size_t cut = bytes < 4 ? bytes : line.p[0] == '\t' ? 1 : 4;

        if (bytes < line.n && columns < 4) {
            r->at = last;
            break;
        }
        buf_add(&code, line.p + cut, line.n - cut);
        buf_addc(&code, '\n');
        last = r->at;
    } while (next_line(r, &line));
    add_code(r, &code);
    return true;
}

/* --- tables ------------------------------------------------------------ */

/* Cells of a row between unescaped bars. */
static size_t split_row(struct str line, struct str cells[COLUMNS_MAX])
{
    size_t count = 0, from, i;

    line = str_trim(line);
    if (line.n > 0 && line.p[0] == '|') {
        line.p++;
        line.n--;
    }
    if (line.n > 0 && line.p[line.n - 1] == '|')
        line.n--;
    for (from = i = 0; i <= line.n && count < COLUMNS_MAX; i++) {
        if (i < line.n &&
            (line.p[i] != '|' || (i > 0 && line.p[i - 1] == '\\')))
            continue;
        cells[count++] = str_trim((struct str){line.p + from, i - from});
        from = i + 1;
    }
    return count;
}

static bool is_delimiter_row(struct str line)
{
    bool dash = false, bar = false;

    for (size_t i = 0; i < line.n; i++) {
        if (strchr("|-: \t", line.p[i]) == NULL || line.p[i] == '\0')
            return false;
        dash = dash || line.p[i] == '-';
        bar = bar || line.p[i] == '|';
    }
    return dash && bar;
}

static void add_row(struct reader *r, const struct str *heads, size_t count,
                    struct str line)
{
    struct str cells[COLUMNS_MAX];
    size_t n = split_row(line, cells);
    struct buf row, text;

    buf_init(&row, PARA_BYTES_MAX);
    buf_init(&text, PARA_BYTES_MAX);
    for (size_t i = 0; i < n; i++) {
        if (cells[i].n == 0)
            continue;
        if (row.len > 0)
            buf_adds(&row, " | ");
        if (i < count && heads[i].n > 0) {
            buf_reset(&text);
            markdown_inline_text(heads[i].p, heads[i].n, &r->sink, &text);
            buf_addf(&row, "%s: ", buf_str(&text));
        }
        if (buf_err(&text) == ERR_NOMEM)
            r->blocks.failed = true;
        buf_reset(&text);
        markdown_inline_text(cells[i].p, cells[i].n, &r->sink, &text);
        buf_adds(&row, buf_str(&text));
        if (buf_err(&text) == ERR_NOMEM)
            r->blocks.failed = true;
    }
    if (row.len > 0)
        block_list_add(&r->blocks, BLOCK_TABLE_ROW, 0, row.data, row.len);
    if (buf_err(&row) != ERR_OK)
        r->blocks.failed = true;
    buf_fini(&row);
    buf_fini(&text);
}

static bool take_table(struct reader *r, struct str line)
{
    struct str heads[COLUMNS_MAX];
    size_t count;

    if (memchr(line.p, '|', line.n) == NULL || !is_delimiter_row(peek_line(r)))
        return false;
    flush(r);
    count = split_row(line, heads);
    next_line(r, &line);
    while (r->at < r->n) {
        line = peek_line(r);
        if (memchr(line.p, '|', line.n) == NULL)
            break;
        next_line(r, &line);
        add_row(r, heads, count, line);
    }
    return true;
}

/* --- the page ---------------------------------------------------------- */

static struct str unquoted(struct str s)
{
    s = str_trim(s);
    if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'') &&
        s.p[s.n - 1] == s.p[0]) {
        s.p++;
        s.n -= 2;
    }
    return s;
}

static void take_pair(struct reader *r, struct str line)
{
    const char *colon = memchr(line.p, ':', line.n);
    struct str key, value;

    if (colon == NULL)
        return;
    key = str_trim((struct str){line.p, (size_t)(colon - line.p)});
    value = unquoted(
        (struct str){colon + 1, (size_t)(line.p + line.n - colon) - 1});
    if (str_ieq(key, "title") && value.n > 0)
        r->title = arena_strndup(r->a, value.p,
                                 utf8_cut(value.p, value.n, TITLE_BYTES));
    else if (str_ieq(key, "date") && value.n < 100)
        date_text_find(value.p, value.n, false,
                       (int32_t)(clock_now_ms() / 86400000) + 1, &r->day);
}

/* "---" lines around "key: value" pairs at the very start. */
static void take_front_matter(struct reader *r)
{
    struct str line;
    size_t end;

    if (!next_line(r, &line) || !str_eq(str_trim(line), "---")) {
        r->at = 0;
        return;
    }
    end = r->at;
    while (next_line(r, &line))
        if (str_eq(str_trim(line), "---") || str_eq(str_trim(line), "..."))
            break;
    if (!str_eq(str_trim(line), "---") && !str_eq(str_trim(line), "...")) {
        r->at = 0;
        return;
    }
    r->at = end;
    while (next_line(r, &line) && !str_eq(str_trim(line), "---") &&
           !str_eq(str_trim(line), "..."))
        take_pair(r, line);
}

/* "[id]: address" is no text. */
static bool is_reference(struct str line)
{
    const char *end;

    line = str_trim(line);
    if (line.n < 4 || line.p[0] != '[')
        return false;
    end = mem_find(line.p, line.n, "]: ");
    return end != NULL && memchr(line.p, ' ', (size_t)(end - line.p)) == NULL;
}

static void take_line(struct reader *r, struct str line)
{
    size_t bytes, columns = indent_of(line, &bytes);
    bool quoted = false;

    if (bytes == line.n) {
        flush(r);
        return;
    }
    if (take_fence(r, line) || take_indented(r, line))
        return;
    while (line.n > bytes && line.p[bytes] == '>') {
        line.p += bytes + 1;
        line.n -= bytes + 1;
        indent_of(line, &bytes);
        quoted = true;
    }
    if (quoted && r->kind != BLOCK_QUOTE)
        flush(r);
    if (bytes == line.n) {
        flush(r);
        return;
    }
    if ((columns < 4 && take_atx(r, line)) || take_setext(r, line) ||
        take_item(r, line, columns) || take_table(r, line))
        return;
    if (is_rule(line, "*-_", 3)) {
        flush(r);
        return;
    }
    if (r->para.len == 0 && is_reference(line))
        return;
    if (quoted)
        r->kind = BLOCK_QUOTE;
    add_to_para(r, line);
}

static void finish(struct reader *r, struct page_doc *out)
{
    *out = (struct page_doc){
        .title = r->title == NULL ? "" : r->title,
        .lang = "",
        .favicon = "",
        .canonical = "",
        .day = r->day,
        .blocks = r->blocks.list,
        .block_count = r->blocks.count,
        .links = r->sink.links,
        .link_count = r->sink.link_count,
        .images = r->sink.images,
        .image_count = r->sink.image_count,
    };
}

static enum err reader_init(struct reader *r, const char *p, size_t n,
                            const struct url *base, struct arena *a)
{
    *r = (struct reader){.p = p, .n = n, .a = a, .day = DAY_NONE};
    r->blocks.a = a;
    r->sink.base = base;
    r->sink.a = a;
    r->sink.link_max = LINKS_MAX;
    r->sink.image_max = IMAGES_MAX;
    r->sink.links = arena_array(a, LINKS_MAX, sizeof *r->sink.links);
    r->sink.images = arena_array(a, IMAGES_MAX, sizeof *r->sink.images);
    buf_init(&r->para, PARA_BYTES_MAX);
    return r->sink.links == NULL || r->sink.images == NULL ? ERR_NOMEM : ERR_OK;
}

/* e: how the last paragraph fared. */
static enum err end(struct reader *r, enum err e, struct page_doc *out)
{
    buf_fini(&r->para);
    if (e == ERR_OK && (r->blocks.failed || arena_failed(r->a)))
        e = ERR_NOMEM;
    if (e == ERR_OK)
        finish(r, out);
    return e;
}

enum err markdown_parse(const char *p, size_t n, const struct url *base,
                        struct arena *a, struct page_doc *out)
{
    struct reader r;
    struct str line;
    enum err e = reader_init(&r, p, n, base, a);

    if (e != ERR_OK)
        return e;
    take_front_matter(&r);
    while (!r.blocks.failed && next_line(&r, &line))
        take_line(&r, line);
    e = buf_err(&r.para);
    flush(&r);
    return end(&r, e, out);
}

/* A line of plain text, white space folded. */
static void add_plain(struct reader *r, struct str line)
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
    if (buf_err(b) != ERR_OK)
        r->blocks.failed = true;
}

static void flush_plain(struct reader *r)
{
    if (r->para.len > 0)
        block_list_add(&r->blocks, BLOCK_PARA, 0, r->para.data, r->para.len);
    buf_reset(&r->para);
}

enum err plain_parse(const char *p, size_t n, struct arena *a,
                     struct page_doc *out)
{
    struct reader r = {.p = p, .n = n, .a = a, .day = DAY_NONE};
    struct str line;
    bool first = true;
    enum err e;

    r.blocks.a = a;
    buf_init(&r.para, PARA_BYTES_MAX);
    while (!r.blocks.failed && next_line(&r, &line)) {
        line = str_trim(line);
        if (first && line.n > 0) {
            first = false;
            if (line.n <= PLAIN_TITLE_BYTES)
                r.title = arena_strndup(a, line.p, line.n);
        }
        if (line.n > 0)
            add_plain(&r, line);
        else
            flush_plain(&r);
    }
    e = buf_err(&r.para);
    flush_plain(&r);
    return end(&r, e, out);
}
