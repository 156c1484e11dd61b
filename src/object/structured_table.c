/* Rows as objects; see fill.h. Called by structured_field.c. */
#include "object/fill.h"

#include "base/buf.h"
#include "object/value.h"
#include "question/overlap.h"
#include "text/terms.h"

#include <string.h>

enum {
    COLUMNS_MIN = 2,
    COLUMNS_MAX = 12,
    ROWS_MIN = 2, /* one is no table of what there is several of */
    ROWS_MAX = 100,
    PASSAGES_BEFORE = 60, /* a table is cut into passages */
    PASSAGES_BEHIND = 40,
    TABLE_BYTES_MAX = 256 * 1024
};

/* How much of the array's own words must stand by the table. */
static const double ABOUT_MIN = 0.5;
/* A table that has so much less above it than another is of something else. */
static const double ASKED_MIN = 0.7;
/* How much of a property's words its column's head must hold. */
static const double HEAD_MIN = 0.5;

struct column {
    const char *name;          /* of the property */
    const struct json *schema; /* of its value, resolved */
    bool nullable;
    struct label label;
    struct query words; /* of its name */
    bool required;
};

struct table {
    struct fill *f;
    struct label label;
    const struct json *item, *array;
    struct column columns[COLUMNS_MAX];
    size_t column_count, required_count;
    struct buf out;
    size_t rows;
    const char *first_row;
};

static enum err columns_read(struct table *t)
{
    const struct json *p = json_first(json_get(t->item, "properties"));
    enum err e = ERR_OK;

    for (; p != NULL && e == ERR_OK && t->column_count < COLUMNS_MAX;
         p = json_next(p)) {
        struct column *c = &t->columns[t->column_count++];

        c->name = json_name(p);
        c->schema = fill_leaf(t->f, p);
        e = fill_is_valid(t->f, p, "null", &c->nullable);
        if (e != ERR_OK)
            return e;
        c->required = fill_is_required(t->item, c->name);
        t->required_count += c->required;
        e = label_parse(c->name, c->schema, t->f->q, 0, t->f->a, &c->label);
        if (e == ERR_OK)
            e = query_parse(c->label.name, t->f->a, &c->words);
    }
    return e;
}

/* Does the head of a column name the property: by the property's words, or by
 * all of its own? */
static bool is_column(const struct column *c, struct str head)
{
    const struct query *q = &c->words;
    uint64_t mask = overlap_mask_loose(q, head.p, head.n);
    struct term_iter it;
    struct term t;
    size_t words = 0;

    if (head.n == 0 || mask == 0)
        return false;
    if (overlap_share(q, mask) > HEAD_MIN)
        return true;
    terms_init(&it, head.p, head.n);
    while (tokens_next(&it, &t))
        words += !term_is_stop(t.text, t.len);
    return words <= 1;
}

/* "yes" and "no" as cells have them; NULL: neither. */
static const char *cell_bool(struct str v)
{
    static const char *const yes[] = {"yes",          "true",         "on", "y",
                                      "\xE2\x9C\x93", "\xE2\x9C\x94", NULL};
    static const char *const no[] = {"no",           "false",        "off", "n",
                                     "\xE2\x9C\x97", "\xE2\x9C\x98", NULL};

    for (size_t i = 0; yes[i] != NULL; i++)
        if (str_ieq(v, yes[i]))
            return "true";
    for (size_t i = 0; no[i] != NULL; i++)
        if (str_ieq(v, no[i]))
            return "false";
    return NULL;
}

/* The value of a cell for its column, or NULL. */
static enum err cell_value(struct table *t, const struct column *c,
                           struct str cell, const char **json)
{
    const char *type = fill_type(c->schema);
    struct value_want w = {.kind = value_kind_of(c->schema, type),
                           .type = ANSWER_ANY,
                           .leaf = c->schema,
                           .label = &c->label,
                           .q = t->f->q};
    struct unit u = {UNIT_SENTENCE, cell, {"", 0}};
    struct value_choices v = {.count = 0};
    bool valid = false;
    enum err e = ERR_OK;

    *json = NULL;
    if (w.kind == VALUE_TEXT) {
        *json = value_string(cell.p, cell.n, t->f->a);
        e = *json == NULL ? ERR_NOMEM : ERR_OK;
    } else if (w.kind == VALUE_BOOLEAN) {
        *json = cell_bool(cell);
    } else if (w.kind != VALUE_LIST) {
        e = value_find(&w, &u, t->f->a, &v);
    }
    /* A cell of several numbers or dates does not say which is meant. */
    if (v.count == 1)
        *json = v.at[0].json;
    if (e != ERR_OK || *json == NULL)
        return e;
    e = fill_is_valid(t->f, c->schema, *json, &valid);
    if (!valid)
        *json = NULL;
    return e;
}

/* One row as an object, added when it has what the item needs. */
static enum err row_take(struct table *t, struct str row)
{
    struct cell cells[CELLS_MAX];
    size_t n = cells_read(row, cells, CELLS_MAX), taken = 0, required = 0;
    size_t needed = t->column_count > 1 ? 2 : 1;
    struct json_out w;
    struct buf b;
    enum err e = ERR_OK;

    buf_init(&b, TABLE_BYTES_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    for (size_t k = 0; k < t->column_count && e == ERR_OK; k++) {
        const struct column *c = &t->columns[k];
        const char *json = NULL;

        for (size_t i = 0; i < n && json == NULL && e == ERR_OK; i++)
            if (is_column(c, cells[i].head))
                e = cell_value(t, c, cells[i].value, &json);
        if (e != ERR_OK || (json == NULL && !c->nullable))
            continue;
        jw_kraw(&w, c->name, json == NULL ? "null" : json);
        taken += json != NULL;
        required += c->required;
    }
    jw_object_end(&w);
    if (e == ERR_OK)
        e = buf_err(&b);
    if (e == ERR_OK && taken >= needed && required == t->required_count) {
        buf_addf(&t->out, "%s%s", t->rows++ == 0 ? "" : ",", buf_str(&b));
        if (t->rows == 1) {
            t->first_row = arena_strndup(t->f->a, row.p, row.n);
            e = t->first_row == NULL ? ERR_NOMEM : ERR_OK;
        }
    }
    buf_fini(&b);
    return e;
}

/* The rows of one passage; *more: its last line is one, so that the table may
 * go on. */
static enum err passage_rows(struct table *t, const struct candidate *c,
                             size_t max, bool *more)
{
    struct unit *units = NULL;
    size_t count = 0;
    enum err e;

    e = units_read(c, t->f->a, &units, &count);
    for (size_t i = 0; e == ERR_OK && i < count && t->rows < max; i++)
        if (units[i].kind == UNIT_ROW)
            e = row_take(t, units[i].text);
    *more = count > 0 && units[count - 1].kind == UNIT_ROW && t->rows < max;
    return e;
}

/* Where the table that passage *c is part of begins. */
static enum err table_start(struct table *t, const struct candidate **c)
{
    struct candidate *before = NULL;
    int64_t seq = (*c)->seq - PASSAGES_BEFORE;
    size_t n = 0;
    enum err e;

    if (t->f->ask->index == NULL || (*c)->page <= 0 || (*c)->seq <= 0)
        return ERR_OK;
    seq = seq < 0 ? 0 : seq;
    e = index_passages(t->f->ask->index, (*c)->page, seq,
                       (size_t)((*c)->seq - seq), t->f->a, &before, &n,
                       t->f->ec);
    if (e != ERR_OK)
        return e == ERR_NO_RESULT || e == ERR_NOT_FOUND ? ERR_OK : e;
    while (n > 0 && strstr(before[n - 1].text, " | ") != NULL &&
           strcmp(before[n - 1].heading, (*c)->heading) == 0)
        *c = &before[--n];
    return ERR_OK;
}

/* The rows of the table that passage c is part of. */
static enum err rows_of(struct table *t, const struct candidate *c, size_t max)
{
    struct candidate *behind = NULL;
    size_t n = 0;
    bool more = false;
    enum err e = table_start(t, &c);

    if (e != ERR_OK)
        return e;
    t->rows = 0;
    buf_reset(&t->out);
    buf_addc(&t->out, '[');
    e = passage_rows(t, c, max, &more);
    if (e != ERR_OK || t->rows == 0 || !more || t->f->ask->index == NULL ||
        c->page <= 0)
        return e;
    e = index_passages(t->f->ask->index, c->page, c->seq + 1, PASSAGES_BEHIND,
                       t->f->a, &behind, &n, t->f->ec);
    if (e == ERR_NO_RESULT || e == ERR_NOT_FOUND)
        return ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < n && more; i++)
        e = passage_rows(t, &behind[i], max, &more);
    return e;
}

/* Words of q above the table and in the lines ahead of it. */
static uint64_t mask_above(const struct query *q, const struct candidate *c)
{
    const char *bar = strstr(c->text, " | ");
    size_t n = 0;

    for (size_t i = 0; bar != NULL && c->text + i < bar; i++)
        if (c->text[i] == '\n')
            n = i;
    return overlap_mask_loose(q, c->text, n) |
           overlap_mask_loose(q, c->heading, strlen(c->heading)) |
           overlap_mask_loose(q, c->title, strlen(c->title));
}

/* How much of the question and the array's words stands there. */
static double above_score(const struct table *t, const struct candidate *c)
{
    const struct query *l = &t->label.words;

    return overlap_share(t->f->q, mask_above(t->f->q, c)) +
           (t->label.generic ? 0 : overlap_share(l, mask_above(l, c)));
}

/* Of what the question asks of its subject, by weight, how much stands there;
 * 0 of a passage without rows. */
static double asked_above(const struct table *t, const struct candidate *c)
{
    return strstr(c->text, " | ") == NULL
               ? 0
               : overlap_weight(t->f->q,
                                mask_above(t->f->q, c) & ~t->f->subject);
}

/* Does the passage, or what stands above it, speak of what the array is of? */
static bool is_about(const struct table *t, const struct candidate *c)
{
    const struct query *q = t->label.generic ? t->f->q : &t->label.words;

    return q->term_count == 0 ||
           overlap_share(
               q, overlap_mask_loose(q, c->text, strlen(c->text)) |
                      overlap_mask_loose(q, c->heading, strlen(c->heading)) |
                      overlap_mask_loose(q, c->title, strlen(c->title))) >=
               ABOUT_MIN;
}

/* Has the passage's first row, which must have heads, one for each of several
 * columns? Such a table need not be called what the array is, unless any table
 * might have all of these heads. */
static bool has_columns(const struct table *t, const struct candidate *c)
{
    static const char plain[] =
        "name title key id term type value meaning description";
    const char *from = strstr(c->text, " | ");
    struct cell cells[CELLS_MAX];
    size_t n = 0, named = 0;
    bool told = false;

    while (from != NULL && from > c->text && from[-1] != '\n')
        from--;
    if (from != NULL)
        n = cells_read((struct str){from, strcspn(from, "\n")}, cells,
                       CELLS_MAX);
    for (size_t k = 0; k < t->column_count; k++) {
        size_t i = 0;

        while (i < n && !is_column(&t->columns[k], cells[i].head))
            i++;
        named += i < n;
        told = told || !word_in(t->columns[k].name, plain);
    }
    return told && named >= COLUMNS_MIN && named == t->column_count;
}

static size_t rows_max(const struct json *array)
{
    int64_t most = ROWS_MAX;

    json_is_whole(json_get(array, "maxItems"), &most);
    return most < 0 || most > ROWS_MAX ? ROWS_MAX : (size_t)most;
}

enum err table_rows(struct fill *f, const struct json *array,
                    const struct json *item, const char *name,
                    const struct ranked *r, size_t count, const char **json,
                    const struct candidate **c, const char **row)
{
    struct table t = {.f = f, .item = item, .array = array};
    size_t max = rows_max(array);
    double most = -1, asked = 0;
    enum err e = label_parse(name, array, f->q, f->subject, f->a, &t.label);

    buf_init(&t.out, TABLE_BYTES_MAX);
    if (e == ERR_OK)
        e = columns_read(&t);
    for (size_t i = 0; i < count; i++)
        if (asked_above(&t, &r[i].c) > asked)
            asked = asked_above(&t, &r[i].c);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool about = false, page = false, valid = false;
        double score = above_score(&t, &r[i].c);

        if (strstr(r[i].c.text, " | ") == NULL ||
            asked_above(&t, &r[i].c) < ASKED_MIN * asked ||
            (!is_about(&t, &r[i].c) && !has_columns(&t, &r[i].c)) ||
            score <= most)
            continue;
        e = fill_is_about(f, &r[i].c, &about, &page);
        if (e == ERR_OK && about)
            e = rows_of(&t, &r[i].c, max);
        if (e != ERR_OK || !about || t.rows < ROWS_MIN)
            continue;
        buf_addc(&t.out, ']');
        e = buf_err(&t.out);
        if (e == ERR_OK)
            e = fill_is_valid(f, array, buf_str(&t.out), &valid);
        if (e != ERR_OK || !valid)
            continue;
        most = score;
        *c = &r[i].c;
        *row = t.first_row;
        *json = arena_strdup(f->a, buf_str(&t.out));
        e = *json == NULL ? ERR_NOMEM : ERR_OK;
    }
    buf_fini(&t.out);
    return e == ERR_OK && most < 0 ? ERR_NO_RESULT : e;
}
