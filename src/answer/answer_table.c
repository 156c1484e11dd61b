/* Rows as a table of Markdown; see answer_table.h. Pure. */
#include "answer/answer_table.h"

#include <string.h>

enum { HEAD_BYTES_MAX = 60, ROW_BYTES_MAX = 1 << 20 };

static const char between[] = " | ", behind_head[] = ": ";

/* The cells of a row as it is stored; 0: too many, or not of one line. */
static size_t cells_of(struct str row, struct str cells[TABLE_COLUMNS_MAX])
{
    size_t n = 0, from = 0, step = sizeof between - 1;

    if (memchr(row.p, '\n', row.n) != NULL)
        return 0;
    for (size_t i = 0; i <= row.n; i++) {
        bool ends = i == row.n;

        if (!ends &&
            (row.n - i < step || memcmp(row.p + i, between, step) != 0))
            continue;
        if (n == TABLE_COLUMNS_MAX)
            return 0;
        cells[n++] = (struct str){row.p + from, i - from};
        from = i + step;
        i = ends ? i : from - 1;
    }
    return n;
}

/* "Name" of "Name: port"; empty: there is none. */
static struct str head_of(struct str cell)
{
    size_t step = sizeof behind_head - 1;

    for (size_t i = 1; i <= HEAD_BYTES_MAX && i + step < cell.n; i++)
        if (memcmp(cell.p + i, behind_head, step) == 0)
            return (struct str){cell.p, i};
    return (struct str){cell.p, 0};
}

static struct str value_of(struct str cell, struct str head)
{
    size_t n = head.n == 0 ? 0 : head.n + sizeof behind_head - 1;

    return (struct str){cell.p + n, cell.n - n};
}

/* The heads of the row with most cells, all different; the first column may
 * have none. */
static bool heads_set(const struct str *rows, size_t n, struct answer_table *t)
{
    struct str cells[TABLE_COLUMNS_MAX], first;
    size_t same = 0;

    t->columns = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = cells_of(rows[i], cells);

        if (count == 0)
            return false;
        if (count <= t->columns)
            continue;
        t->columns = count;
        for (size_t k = 0; k < count; k++)
            t->heads[k] = head_of(cells[k]);
    }
    first = t->heads[0];
    for (size_t i = 0; i < n; i++) {
        cells_of(rows[i], cells);
        same += view_same(head_of(cells[0]), first);
    }
    /* "speed | A: 1", "note: size | A: 2": words of the first column. */
    if (same < n && first.n > 0 && (same > 1 || n == 2))
        return false;
    if (same < n)
        t->heads[0].n = 0;
    for (size_t k = 1; k < t->columns; k++) {
        if (t->heads[k].n == 0)
            return false;
        for (size_t i = 0; i < k; i++)
            if (view_same(t->heads[i], t->heads[k]))
                return false;
    }
    return t->columns > 1;
}

/* Which cell of the row stands in each column; false: one stands in none. */
static bool cells_place(const struct answer_table *t, struct str row,
                        struct str values[TABLE_COLUMNS_MAX])
{
    struct str cells[TABLE_COLUMNS_MAX];
    size_t n = cells_of(row, cells), k = 0;

    memset(values, 0, TABLE_COLUMNS_MAX * sizeof *values);
    for (size_t i = 0; i < n; i++, k++) {
        while (k < t->columns && t->heads[k].n > 0 &&
               !view_same(head_of(cells[i]), t->heads[k]))
            k++;
        if (k == t->columns)
            return false;
        values[k] = value_of(cells[i], t->heads[k]);
        if (str_trim(values[k]).n != values[k].n)
            return false;
    }
    return true;
}

static void cell_add(struct buf *b, struct str s)
{
    buf_addc(b, ' ');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '|')
            buf_addc(b, '\\');
        buf_addc(b, s.p[i]);
    }
    buf_adds(b, " |");
}

void table_head_add(const struct answer_table *t, struct buf *b)
{
    buf_addc(b, '|');
    for (size_t k = 0; k < t->columns; k++)
        cell_add(b, t->heads[k]);
    buf_adds(b, "\n|");
    for (size_t k = 0; k < t->columns; k++)
        buf_adds(b, "---|");
}

void table_row_add(const struct answer_table *t, struct str row, struct buf *b)
{
    struct str values[TABLE_COLUMNS_MAX];

    cells_place(t, row, values);
    buf_addc(b, '|');
    for (size_t k = 0; k < t->columns; k++)
        cell_add(b, values[k]);
}

/* The next cell behind *at, which goes to the sign behind it. */
static struct str cell_read(struct str z, size_t *at)
{
    size_t from = *at;

    while (*at < z.n && !(z.p[*at] == '|' && z.p[*at - 1] != '\\'))
        ++*at;
    return str_trim((struct str){z.p + from, *at - from});
}

/* A cell behind what is there, as it is stored. */
static void cell_join(struct buf *b, struct str head, struct str cell)
{
    if (b->len > 0)
        buf_adds(b, between);
    buf_add(b, head.p, head.n);
    if (head.n > 0)
        buf_adds(b, behind_head);
    for (size_t i = 0; i < cell.n; i++)
        if (cell.p[i] != '\\' || i + 1 == cell.n || cell.p[i + 1] != '|')
            buf_addc(b, cell.p[i]);
}

char *table_row_read(const struct answer_table *t, struct str z,
                     struct arena *a)
{
    struct buf b;
    char *out;

    buf_init(&b, ROW_BYTES_MAX);
    for (size_t k = 0, at = 1; k < t->columns && at < z.n; k++, at++) {
        struct str cell = cell_read(z, &at);

        if (cell.n > 0)
            cell_join(&b, t->heads[k], cell);
    }
    out = buf_err(&b) == ERR_OK ? arena_strndup(a, buf_str(&b), b.len) : NULL;
    buf_fini(&b);
    return out;
}

bool table_of(const struct str *rows, size_t n, struct answer_table *out)
{
    struct str values[TABLE_COLUMNS_MAX];

    if (n < 2 || !heads_set(rows, n, out))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!cells_place(out, rows[i], values))
            return false;
    return true;
}
