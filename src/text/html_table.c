/* Tables of data as blocks; see html_table.h. */
#include "text/html_table.h"

#include "text/html_asked.h"

#include <string.h>

enum {
    CELL_BYTES = 4000,
    CARRIED_BYTES = 200,      /* of a cell that is said again in the next row */
    CARRIED_MAX = 256 * 1024, /* of all of them, in a table */
    HEADER_BYTES = 120,
    ROW_BYTES = 16000,
    ROWS_MAX = 1000,   /* that a cell spans */
    CELL_CHARS = 1500, /* of a longer one is layout */
    NAME_CHARS = 60,   /* of what the cell beside says something of */
    PAIR_CHARS = 600,  /* of both */
    ROW_CHARS = 300    /* of a row in a table of layout */
};

static bool is_cell(const struct node *x)
{
    return x->tag == TAG_TD || x->tag == TAG_TH;
}

/* The next cell of the row from k on; the row's end if none. */
static uint32_t next_cell(const struct dom *d, uint32_t row, uint32_t k)
{
    while (k < d->nodes[row].end && !is_cell(&d->nodes[k]))
        k = d->nodes[k].end;
    return k;
}

/* Is the one row a name and what is said of it? */
static bool is_pair(const struct dom *d, uint32_t row)
{
    uint32_t k = next_cell(d, row, row + 1);

    for (uint32_t n = row + 1; n < d->nodes[row].end; n++) {
        const struct node *x = &d->nodes[n];

        if (x->block && !is_cell(x) && x->tag != TAG_P)
            return false;
    }
    return k < d->nodes[row].end && d->nodes[k].text > 0 &&
           d->nodes[k].text <= NAME_CHARS && d->nodes[row].text <= PAIR_CHARS &&
           d->nodes[k].text < d->nodes[row].text && d->nodes[k].linked == 0;
}

bool table_is_data(const struct dom *d, uint32_t i)
{
    size_t rows = 0, cells = 0, heads = 0, text = 0;
    uint32_t row = 0;

    if (asked_holds(d, i))
        return false;
    for (uint32_t k = i + 1; k < d->nodes[i].end; k++) {
        const struct node *x = &d->nodes[k];

        if (x->tag == TAG_TABLE || x->tag == TAG_PRE || dom_is_heading(x))
            return false;
        if (x->tag == TAG_TR) {
            rows++;
            row = k;
        }
        cells += is_cell(x) && x->text > 0;
        heads += x->tag == TAG_TH;
        if (is_cell(x)) {
            if (x->text > CELL_CHARS)
                return false;
            text += x->text;
        }
    }
    if (rows == 0 || cells < 2 || cells <= rows)
        return false;
    if (rows == 1)
        return heads > 0 || is_pair(d, row) ||
               (cells >= 3 && text / cells < 40 &&
                d->nodes[i].linked * 2 < text);
    return heads > 0 || text / cells < 150;
}

/* Is it a row of Doxygen's: a "mem" of something, or the "mdesc" of the one
 * above? Older ones name its cells alone. */
static bool is_called(const struct dom *d, uint32_t row, const char *name)
{
    uint32_t k = next_cell(d, row, row + 1);
    const char *z = dom_attr(&d->nodes[row], "class");

    if (z == NULL && k < d->nodes[row].end)
        z = dom_attr(&d->nodes[k], "class");
    return z != NULL && ascii_starts_i(z, name);
}

static bool is_description(const struct dom *d, uint32_t row)
{
    return is_called(d, row, "memdesc") || is_called(d, row, "mdesc");
}

bool table_is_row(const struct dom *d, uint32_t i)
{
    const struct node *x = &d->nodes[i];
    size_t cells = 0;

    if (is_called(d, i, "memitem") || is_description(d, i))
        return x->text < CELL_CHARS;
    if (dom_attr_is(x, "class", "question") ||
        dom_attr_is(x, "class", "answer"))
        return false;
    if (x->text > ROW_CHARS || x->linked * 10 > x->text * 9)
        return false;
    for (uint32_t k = next_cell(d, i, i + 1); k < x->end;
         k = next_cell(d, i, d->nodes[k].end)) {
        if (d->nodes[k].holds_block)
            return false;
        cells += d->nodes[k].text > 1;
    }
    return cells > 1;
}

/* How many columns or rows the cell is over. */
static size_t span_of(const struct node *cell, const char *attr, size_t max)
{
    const char *z = dom_attr(cell, attr);
    int64_t span = 1;

    if (z == NULL || !parse_int(z, 1, INT32_MAX, &span))
        return 1;
    return (size_t)span < max ? (size_t)span : max;
}

/* Are all words of the cell bold? */
static bool is_bold(const struct dom *d, uint32_t cell)
{
    for (uint32_t k = cell + 1; k < d->nodes[cell].end; k++) {
        uint32_t up = k;

        if (!d->nodes[k].is_text || d->nodes[k].text <= 1)
            continue;
        while (up != cell && d->nodes[up].tag != TAG_B &&
               d->nodes[up].tag != TAG_STRONG)
            up = d->nodes[up].parent;
        if (up == cell)
            return false;
    }
    return d->nodes[cell].text > 0;
}

static bool is_bold_row(const struct dom *d, uint32_t row)
{
    size_t cells = 0;

    for (uint32_t k = next_cell(d, row, row + 1); k < d->nodes[row].end;
         k = next_cell(d, row, d->nodes[k].end)) {
        if (d->nodes[k].text <= 1)
            continue;
        if (d->nodes[k].text > NAME_CHARS || !is_bold(d, k))
            return false;
        cells++;
    }
    return cells > 1;
}

/* Cells of names; or the first row is bold, and no other is. */
static bool is_header_row(const struct table *t, uint32_t row)
{
    const struct dom *d = t->d;
    uint32_t k = next_cell(d, row, row + 1), next;
    size_t cells = 0;

    for (; k < d->nodes[row].end; k = next_cell(d, row, d->nodes[k].end)) {
        if (d->nodes[k].tag != TAG_TH &&
            d->nodes[d->nodes[row].parent].tag != TAG_THEAD)
            break;
        cells++;
    }
    if (k >= d->nodes[row].end)
        return cells > 1;
    if (t->rows > 0 || !is_bold_row(d, row))
        return false;
    next = dom_find(d, d->nodes[row].end, TAG_TR);
    return next < t->end && !is_bold_row(d, next);
}

/* Cells do not go on in another group of rows. */
static void enter_group(struct table *t, uint32_t row)
{
    if (t->d->nodes[row].parent != t->group)
        for (size_t i = 0; i < COLUMNS_MAX; i++)
            t->column[i].rows = 0;
    t->group = t->d->nodes[row].parent;
}

struct cell {
    const char *text; /* NULL: nothing of it is kept */
    size_t at, span;  /* its columns */
    bool names;       /* a heading's cell */
};

/* The next cell of the row, from column at and node *k on: one that began in
 * a row above, or its own; false: there is none. */
static bool read_cell(struct table *t, uint32_t row, uint32_t *k, size_t at,
                      size_t max, struct cell *out)
{
    const struct dom *d = t->d;
    size_t rows;

    for (; at < COLUMNS_MAX; at++) {
        struct column *c = &t->column[at];

        if (c->rows == 0) {
            *k = next_cell(d, row, *k);
            if (*k < d->nodes[row].end)
                break;
            continue; /* a later one may go on */
        }
        c->rows--;
        if (c->text == NULL || t->carried >= CARRIED_MAX)
            continue;
        t->carried += strlen(c->text);
        *out = (struct cell){c->text, at, 1, c->names};
        return true;
    }
    if (at >= COLUMNS_MAX)
        return false;
    *out = (struct cell){.at = at,
                         .span = span_of(&d->nodes[*k], "colspan", COLUMNS_MAX),
                         .names = d->nodes[*k].tag == TAG_TH};
    if (!d->nodes[*k].dropped) {
        out->text = dom_text(d, *k, max, true, t->a);
        t->failed = t->failed || out->text == NULL;
    }
    rows = span_of(&d->nodes[*k], "rowspan", ROWS_MAX);
    for (size_t i = at; i < at + out->span && i < COLUMNS_MAX; i++) {
        bool again =
            i == at && out->text != NULL && strlen(out->text) <= CARRIED_BYTES;

        t->column[i].text = again ? out->text : NULL;
        t->column[i].rows = rows - 1;
        t->column[i].names = out->names;
    }
    *k = d->nodes[*k].end;
    return true;
}

/* The name of a column below another one: "1.9: zlib". */
static const char *join_names(struct table *t, const char *above,
                              const char *name)
{
    size_t n = above == NULL ? 0 : strlen(above);

    if (n == 0 || name == NULL || strcmp(above, name) == 0)
        return n == 0 ? name : above;
    if (name[0] == '\0' || n > HEADER_BYTES)
        return above;
    return arena_printf(t->a, above[n - 1] == ':' ? "%s %s" : "%s: %s", above,
                        name);
}

static void read_headers(struct table *t, uint32_t row)
{
    bool below = t->columns > 0 && !t->header_used; /* of another such row */
    uint32_t k = row + 1;
    struct cell cell;
    size_t at = 0;

    while (read_cell(t, row, &k, at, HEADER_BYTES, &cell)) {
        const char *above = NULL; /* of the column to the left, and both */
        const char *both = NULL;

        for (at = cell.at; at < cell.at + cell.span && at < COLUMNS_MAX; at++) {
            struct column *c = &t->column[at];
            bool same = both != NULL && c->header == above;

            above = c->header;
            c->header = !below || at >= t->columns ? cell.text
                        : same                     ? both
                               : join_names(t, above, cell.text);
            both = c->header;
            t->failed = t->failed || (cell.text != NULL && c->header == NULL);
        }
    }
    if (!below || at > t->columns)
        t->columns = at;
}

/* What one cell leads to the next with: it names it, maybe with a colon of its
 * own; a member is one line. */
static void add_mark(struct buf *out, bool names, bool is_line)
{
    if (out->len > 0 && is_line)
        buf_addc(out, ' ');
    else if (out->len > 0)
        buf_adds(out, names ? ": " : " | ");
}

/* What is said of the member in the row above goes behind it. */
static bool add_to_member(struct table *t, uint32_t row, const struct buf *out)
{
    struct block *b = t->member > 0 && t->member == t->out->count
                          ? &t->out->list[t->out->count - 1]
                          : NULL;

    if (!is_description(t->d, row) || out->len == 0 || b == NULL ||
        b->kind != BLOCK_TABLE_ROW)
        return false;
    t->member = 0; /* it has one */
    b->text = arena_printf(t->a, "%s: %s", b->text, out->data);
    t->failed = t->failed || b->text == NULL;
    return b->text != NULL;
}

/* The row, unless it is one sign or two that say nothing: "|". */
static void put_row(struct table *t, struct buf *out)
{
    bool says = out->len > 2;

    for (size_t i = 0; i < out->len && !says; i++)
        says =
            ascii_is_alnum(out->data[i]) || (unsigned char)out->data[i] >= 0x80;
    if (says)
        block_list_add(t->out, BLOCK_TABLE_ROW, 0, out->data, out->len);
    t->failed = t->failed || buf_err(out) == ERR_NOMEM;
    buf_fini(out);
}

static void add_row(struct table *t, uint32_t row)
{
    uint32_t k = row + 1;
    struct cell cell;
    struct buf out;
    bool names = false, member = is_called(t->d, row, "memitem");
    size_t at = 0, count = t->out->count;

    buf_init(&out, ROW_BYTES);
    while (read_cell(t, row, &k, at, CELL_BYTES, &cell)) {
        const char *head =
            cell.at < t->columns && (cell.span == 1 || cell.span < t->columns)
                ? t->column[cell.at].header
                : NULL;

        at = cell.at + cell.span;
        if (cell.text == NULL || cell.text[0] == '\0')
            continue;
        add_mark(&out, names,
                 member || (t->columns == 0 && out.len > 0 &&
                            out.data[out.len - 1] == ':'));
        names = cell.names && t->columns == 0;
        if (head != NULL && head[0] != '\0' && strcmp(head, cell.text) != 0) {
            buf_adds(&out, head);
            buf_adds(&out, head[strlen(head) - 1] == ':' ? " " : ": ");
        }
        buf_adds(&out, cell.text);
    }
    if (add_to_member(t, row, &out))
        buf_reset(&out);
    put_row(t, &out);
    t->member = member && t->out->count > count ? t->out->count : t->member;
    if (t->out->count > count)
        t->out->list[count].links =
            t->d->nodes[row].linked * 2ull > t->d->nodes[row].text;
}

/* Names without rows below them would be lost. */
static void put_headers(struct table *t)
{
    struct buf out;

    buf_init(&out, ROW_BYTES);
    for (size_t i = 0; i < t->columns && !t->header_used; i++) {
        const char *name = t->column[i].header;

        if (name == NULL || name[0] == '\0' ||
            (i > 0 && name == t->column[i - 1].header))
            continue;
        if (out.len > 0)
            buf_adds(&out, " | ");
        buf_adds(&out, name);
    }
    put_row(t, &out);
    t->columns = 0;
    t->header_used = false;
}

/* Does a row of names stand below this one, whose cells are over several of
 * its columns? */
static bool is_headed(const struct table *t)
{
    for (size_t i = 1; i < t->columns && !t->header_used; i++)
        if (t->column[i].header == t->column[i - 1].header &&
            t->column[0].header != t->column[t->columns - 1].header)
            return true;
    return false;
}

void table_open(struct table *t, const struct dom *d, uint32_t i,
                struct arena *a, struct block_list *out)
{
    bool failed = t->failed;
    size_t member = t->member;

    *t = (struct table){.d = d,
                        .a = a,
                        .out = out,
                        .end = d->nodes[i].end,
                        .member = member,
                        .failed = failed};
}

void table_take_row(struct table *t, uint32_t row)
{
    enter_group(t, row);
    if (next_cell(t->d, row, row + 1) == t->d->nodes[row].end) {
        for (size_t i = 0; i < COLUMNS_MAX; i++) /* a spacer */
            t->column[i].rows -= t->column[i].rows > 0;
        return;
    }
    if (is_header_row(t, row)) {
        if (!is_headed(t))
            put_headers(t);
        read_headers(t, row);
    } else {
        add_row(t, row);
        t->header_used = true;
    }
    t->rows++;
}

void table_close(struct table *t)
{
    put_headers(t);
    t->end = 0;
}
