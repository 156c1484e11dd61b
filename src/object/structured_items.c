/*
 * The items of a listing as the elements of an array: told apart by what
 * stands first in each ("--soft: Does not touch …", "FULL (2): When …", "%d |
 * day of month"), or by the heads of their columns. See fill.h. Called by
 * structured_array.c.
 */
#include "object/fill.h"

#include "base/buf.h"
#include "lang/words.h"
#include "page/injection.h"
#include "question/overlap.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum {
    TERM_BYTES_MAX = 80,
    TERM_WORDS_MAX = 8,
    SENTENCE_WORDS_MAX = 40,
    RUN_IN_WORDS_MAX = 3, /* "NULL. The value is …" */
    COLUMNS_MAX = 12,
    CELL_WORD_MAX = 8, /* bytes of "yes" */
    BYTES_MAX = 256 * 1024
};

/* How much of a property's words its column's head must hold. */
static const double HEAD_MIN = 0.5;
/* So many of the items must give an element. */
static const double ITEMS_MIN = 0.8;

struct item {
    struct cell cells[CELLS_MAX]; /* the term, what stands in brackets behind
                                     it, the rest; or those of a row */
    size_t count;                 /* 0: there is no telling */
};

/* A property of the elements. */
struct column {
    const char *name;
    const struct json *schema; /* of its value, resolved */
    struct label label;
    bool nullable, required;
    size_t cell; /* of a row with heads that has its value; CELLS_MAX: none */
};

struct columns {
    struct column at[COLUMNS_MAX];
    size_t count, required;
};

/* --- an item ------------------------------------------------------------- */

static struct str cut(const char *p, const char *end)
{
    return str_trim((struct str){p, (size_t)(end - p)});
}

static void cell_add(struct item *out, struct str s)
{
    s = str_trim(s);
    if (s.n > 0 && out->count < CELLS_MAX)
        out->cells[out->count++] = (struct cell){.value = s};
}

/* Where the sign stands outside brackets, or NULL. */
static const char *sign_find(const char *p, size_t n, const char *sign)
{
    const char *at = mem_find(p, n, sign);
    int open = 0;

    for (const char *c = p; at != NULL && c <= at; c++) {
        open += (*c == '(') - (*c == ')');
        if (c == at && open > 0)
            at = mem_find(at + 1, n - (size_t)(at + 1 - p), sign);
    }
    return at;
}

/* "Plain text, for short": a clause begins behind the comma. */
static bool clause_split(struct str s, size_t *end, size_t *rest)
{
    const char *at = sign_find(s.p, s.n, ", ");
    struct term_iter it;
    struct term t;

    if (at == NULL)
        return false;
    *end = (size_t)(at - s.p);
    *rest = *end + 2;
    terms_init(&it, s.p + *rest, s.n - *rest);
    return tokens_next(&it, &t) && term_is_stop(t.text, t.len) &&
           strcmp(t.text, "and") != 0 && strcmp(t.text, "or") != 0;
}

/* Where the term ends and what follows it begins; false: nowhere. */
static bool split(struct str s, size_t *end, size_t *rest)
{
    static const char *const signs[] = {": ", " \xE2\x80\x93 ",
                                        " \xE2\x80\x94 ", " - ", " = "};
    size_t n = s.n < TERM_BYTES_MAX ? s.n : TERM_BYTES_MAX;
    const char *stop = mem_find(s.p, n, ". ");

    /* The number of a section is no term. */
    if (stop != NULL && strspn(s.p, "0123456789.") >= (size_t)(stop - s.p))
        return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at = sign_find(s.p, n, signs[i]);

        if (at != NULL && (stop == NULL || at < stop)) {
            *end = (size_t)(at - s.p);
            *rest = *end + strlen(signs[i]);
            return true;
        }
    }
    if (stop == NULL ||
        tokens_count(s.p, (size_t)(stop - s.p)) > RUN_IN_WORDS_MAX)
        return false;
    *end = (size_t)(stop - s.p);
    *rest = *end + 2;
    return true;
}

/* Length of the article that s begins with, and the blank behind it. */
static size_t article_of(struct str s)
{
    static const char *const all[] = {"the ", "an ", "a "};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (s.n > strlen(all[i]) && ascii_starts_i(s.p, all[i]))
            return strlen(all[i]);
    return 0;
}

/* "The unicode61 tokenizer, based on …", "The contrib archive area": what
 * stands between the article and the array's own words. Empty: nothing. */
static struct str named_by(const struct listing_how *how, struct str s)
{
    enum { AHEAD_MAX = 6 };
    size_t from = article_of(s), end = 0;
    struct term_iter it;
    struct term t;
    bool label = false;

    terms_init(&it, s.p + from, s.n - from);
    for (size_t n = 0; from > 0 && n < AHEAD_MAX && tokens_next(&it, &t); n++) {
        const char *p = s.p + from + t.start;

        if (overlap_mask_loose(how->noun, p, t.end - t.start) != 0)
            return cut(s.p + from, s.p + from + end);
        if (label_mask(how->label, p, t.end - t.start) == 0 && !label)
            end = t.end;
        else
            label = true;
        if (t.end < s.n - from && strchr("\"'", s.p[from + t.end]) != NULL &&
            !label)
            end = t.end + 1;
    }
    return (struct str){s.p, 0};
}

/* The first word of a sentence about it: "nowarn turns off …", "A VOLATILE
 * function can …". */
static struct str first_of(struct str s)
{
    size_t from = article_of(s), n = from;
    struct term_iter it;
    struct term t;

    while (n < s.n && !ascii_is_space(s.p[n]))
        n++;
    if (n > from && n < s.n && s.p[n - 1] == ',')
        n--;
    terms_init(&it, s.p + from, n - from);
    return n == s.n || !tokens_next(&it, &t) || term_is_stop(t.text, t.len)
               ? (struct str){s.p, 0}
               : (struct str){s.p + from, n - from};
}

/* "Section 7.13, “Raise Layer”" refers to what it quotes. */
static struct str referred(struct str s)
{
    size_t n = 0;

    while (n < s.n && ascii_is_alpha(s.p[n]))
        n++;
    if (n == 0 || n + 1 >= s.n || s.p[n] != ' ' || !ascii_is_digit(s.p[n + 1]))
        return s;
    n++;
    while (n < s.n && (ascii_is_digit(s.p[n]) || s.p[n] == '.'))
        n++;
    if (n + 2 >= s.n || s.p[n] != ',' || s.p[n + 1] != ' ')
        return s;
    return value_bare((struct str){s.p + n + 2, s.n - n - 2}).n < s.n - n - 2
               ? value_bare((struct str){s.p + n + 2, s.n - n - 2})
               : s;
}

/* Without the sign that ends it, or leads to the next: "…; and". */
static struct str unended(struct str s)
{
    static const char *const links[] = {" and", " or"};

    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        size_t n = strlen(links[i]);

        if (s.n > n && memcmp(s.p + s.n - n, links[i], n) == 0)
            s.n -= n;
    }
    while (s.n > 0 && strchr(".,;", s.p[s.n - 1]) != NULL)
        s.n--;
    return s;
}

/* The first sentence of what an item says. */
static enum err sentence_read(struct arena *a, struct str s, struct item *out)
{
    struct span *spans = NULL;
    size_t count = 0;
    enum err e = sentences_split(s.p, s.n, a, &spans, &count);

    if (e == ERR_OK && count > 0)
        s = str_trim((struct str){s.p + spans[0].start, spans[0].len});
    s = unended(s);
    if (tokens_count(s.p, s.n) <= SENTENCE_WORDS_MAX)
        cell_add(out, s);
    return e;
}

/* Where what tells the item apart ends, and the rest begins; false: nothing
 * short does. */
static bool is_told(struct str s, size_t *end, size_t *rest)
{
    if ((split(s, end, rest) || clause_split(s, end, rest)) &&
        tokens_count(s.p, *end) <= TERM_WORDS_MAX)
        return true;
    *end = *rest = s.n;
    return false;
}

static enum err item_read(struct arena *a, const struct listing_how *how,
                          const struct listed *from, struct item *out)
{
    struct str s = referred(str_trim(from->text)), term = {s.p, 0},
               other = {s.p, 0};
    size_t end = s.n, rest = s.n;
    const char *open;
    bool told;

    out->count = cells_read(s, out->cells, CELLS_MAX);
    if (out->count > 0)
        return ERR_OK;
    if (how->term == TERM_SENTENCE)
        return sentence_read(a, s, out);
    told = is_told(s, &end, &rest);
    if (how->term == TERM_NAMED)
        other = named_by(how, s);
    else if (how->term == TERM_FIRST && !told)
        other = first_of(s);
    if (other.n > 0) {
        end = rest = (size_t)(other.p + other.n - s.p);
        term = other;
    } else if (!told) {
        end = unended(s).n;
    }
    if (term.n == 0)
        term = cut(s.p, s.p + end);
    /* "add <path> [<commit>]": a name and what may follow it. */
    open = mem_find(term.p, term.n, " <");
    if (open != NULL || (open = mem_find(term.p, term.n, " [")) != NULL)
        term = cut(term.p, open);
    open = term.n > 0 && term.p[term.n - 1] == ')'
               ? mem_find(term.p, term.n, " (")
               : NULL;
    end = open == NULL ? term.n : (size_t)(open - term.p);
    if (end == 0 || tokens_count(term.p, end) > TERM_WORDS_MAX)
        return ERR_OK;
    cell_add(out, (struct str){term.p, end});
    if (open != NULL)
        cell_add(out, cut(open + 2, term.p + term.n - 1));
    cell_add(out, (struct str){s.p + rest, s.n - rest});
    if (out->count == 1 && !injection_is(from->behind.p, from->behind.n))
        cell_add(out, from->behind);
    return ERR_OK;
}

/* --- values -------------------------------------------------------------- */

/* "yes" and "no" as cells have them; NULL: neither. */
static const char *cell_bool(struct str v)
{
    char z[CELL_WORD_MAX + 1];

    if (v.n == 0 || v.n > CELL_WORD_MAX || memchr(v.p, ' ', v.n) != NULL)
        return NULL;
    for (size_t i = 0; i < v.n; i++)
        z[i] = ascii_lower(v.p[i]);
    z[v.n] = '\0';
    return word_in(z, value_words.yes)  ? "true"
           : word_in(z, value_words.no) ? "false"
                                        : NULL;
}

/* The one value that the property's own words lead to, "the default is 10";
 * NULL: none, or several. */
static const char *led_to(const struct label *l, struct str cell,
                          const struct value_choices *v)
{
    double parts[NEAR_PARTS];
    const char *json = NULL;
    struct near near;

    near_read(l, cell, false, &near);
    for (size_t i = 0; i < v->count; i++) {
        near_parts(&near, v->at[i].start, v->at[i].end, parts);
        if (parts[NEAR_LINKED] <= 0)
            continue;
        if (json != NULL && strcmp(json, v->at[i].json) != 0)
            return NULL;
        json = v->at[i].json;
    }
    return json;
}

/* A cell as a value of the schema, or NULL. Which of the numbers of prose is
 * meant the property's words say, or nothing does. */
static enum err cell_json(struct fill *f, const struct json *schema,
                          const struct label *l, struct str cell, bool headed,
                          const char **json)
{
    enum { WORDS_MAX = 3 };
    struct value_want w = {.kind = value_kind_of(schema, fill_type(schema)),
                           .type = ANSWER_ANY,
                           .leaf = schema,
                           .label = l,
                           .q = f->q};
    struct unit u = {UNIT_SENTENCE, cell, {"", 0}, false};
    struct value_choices v = {.count = 0};
    bool valid = false;
    enum err e = ERR_OK;

    *json = NULL;
    cell = value_bare(cell);
    if (w.kind == VALUE_TEXT)
        *json = value_string(cell.p, cell.n, f->a);
    else if (w.kind == VALUE_BOOLEAN)
        *json = cell_bool(cell);
    else if (w.kind != VALUE_LIST)
        e = value_find(&w, &u, f->a, &v);
    if (v.count == 1 && (headed || tokens_count(cell.p, cell.n) <= WORDS_MAX))
        *json = v.at[0].json;
    else if (v.count > 0 && !headed)
        *json = led_to(l, cell, &v);
    if (e == ERR_OK && *json != NULL)
        e = fill_is_valid(f, schema, *json, &valid);
    if (!valid)
        *json = NULL;
    return arena_failed(f->a) ? ERR_NOMEM : e;
}

/* --- objects ------------------------------------------------------------- */

static enum err columns_read(struct fill *f, const struct json *item,
                             struct columns *out)
{
    const struct json *p = json_first(json_get(item, "properties"));
    enum err e = ERR_OK;

    out->count = out->required = 0;
    for (; p != NULL && e == ERR_OK && out->count < COLUMNS_MAX;
         p = json_next(p)) {
        struct column *c = &out->at[out->count++];

        c->name = json_name(p);
        c->schema = fill_leaf(f, p);
        c->required = fill_is_required(item, c->name);
        c->cell = CELLS_MAX;
        out->required += c->required;
        e = fill_is_valid(f, p, "null", &c->nullable);
        if (e == ERR_OK)
            e = label_parse(c->name, c->schema, f->q, 0, f->a, &c->label);
    }
    return e;
}

/* Does the head of a column name the property: by the property's words, or by
 * all of its own? */
static enum err heads_named(struct fill *f, const struct column *c,
                            struct str head, bool *named)
{
    struct query words;
    struct term_iter it;
    struct term t;
    uint64_t mask;
    size_t own = 0;
    enum err e = query_parse(c->label.name, f->a, &words);

    *named = false;
    if (e != ERR_OK || head.n == 0)
        return e;
    mask = overlap_mask_loose(&words, head.p, head.n);
    terms_init(&it, head.p, head.n);
    while (tokens_next(&it, &t))
        own += !term_is_stop(t.text, t.len);
    *named = mask != 0 && (overlap_share(&words, mask) > HEAD_MIN || own <= 1);
    return ERR_OK;
}

/* Which cell of a row with heads has which property; *named: how many are
 * named by the heads. Where some are, the others take the columns that are
 * left, in their order. */
static enum err columns_match(struct fill *f, struct columns *x,
                              const struct item *first, size_t *named)
{
    bool taken[CELLS_MAX] = {false};
    enum err e = ERR_OK;

    *named = 0;
    for (size_t k = 0; k < x->count && e == ERR_OK; k++) {
        x->at[k].cell = CELLS_MAX;
        for (size_t i = 0; i < first->count && e == ERR_OK; i++) {
            bool is = false;

            if (taken[i] || x->at[k].cell < CELLS_MAX)
                continue;
            e = heads_named(f, &x->at[k], first->cells[i].head, &is);
            if (!is)
                continue;
            x->at[k].cell = i;
            taken[i] = true;
            ++*named;
        }
    }
    for (size_t k = 0, i = 0; k<x->count && * named> 0; k++) {
        if (x->at[k].cell < CELLS_MAX)
            continue;
        while (i < first->count && taken[i])
            i++;
        if (i < first->count)
            x->at[k].cell = i++;
    }
    return e;
}

/* Many a table has its heads in a row like any other: do its cells name the
 * properties, in their order? */
static enum err is_head(struct fill *f, const struct columns *x,
                        const struct item *row, bool *head)
{
    enum err e = ERR_OK;

    *head = x->count > 1 && row->count >= x->count;
    for (size_t k = 0; k < x->count && *head && e == ERR_OK; k++)
        e = heads_named(f, &x->at[k], row->cells[k].value, head);
    return e;
}

/* The cell of an item without heads that property k takes: the first that is
 * left and that its schema takes. The remark in brackets is left out where
 * there are too few texts for it. */
static enum err cell_take(struct fill *f, const struct columns *x, size_t k,
                          const struct item *item, bool *taken,
                          const char **json)
{
    const struct column *c = &x->at[k];
    bool text = value_kind_of(c->schema, fill_type(c->schema)) == VALUE_TEXT;
    enum err e = ERR_OK;

    *json = NULL;
    for (size_t i = 0; i < item->count && *json == NULL && e == ERR_OK; i++) {
        if (taken[i] || (text && i == 1 && k > 0 && k + 1 == x->count &&
                         i + 1 < item->count && !taken[i + 1]))
            continue;
        e = cell_json(f, c->schema, &c->label, item->cells[i].value, false,
                      json);
        taken[i] = *json != NULL;
    }
    return e;
}

/* The item as an object; "" when it has not what one needs: the first of the
 * properties, two of several, and those that are required. */
static enum err item_object(struct fill *f, const struct columns *x,
                            const struct item *item, struct buf *out)
{
    bool taken[CELLS_MAX] = {false}, headed = item->cells[0].head.n > 0;
    size_t got = 0, required = 0, needed = x->count > 1 ? 2 : 1;
    struct json_out w;
    enum err e = ERR_OK;

    jw_init(&w, out);
    jw_object(&w);
    for (size_t k = 0; k < x->count && e == ERR_OK; k++) {
        const struct column *c = &x->at[k];
        const char *json = NULL;

        if (!headed)
            e = cell_take(f, x, k, item, taken, &json);
        else if (c->cell < item->count)
            e = cell_json(f, c->schema, &c->label, item->cells[c->cell].value,
                          true, &json);
        if (json == NULL && !headed && !c->nullable)
            break;
        if (json == NULL && !c->nullable)
            continue;
        jw_kraw(&w, c->name, json == NULL ? "null" : json);
        got += json != NULL;
        required += c->required;
    }
    jw_object_end(&w);
    if (got < needed || required < x->required || (!headed && !taken[0]))
        buf_reset(out);
    return e == ERR_OK ? buf_err(out) : e;
}

/* --- plain values -------------------------------------------------------- */

/* "default, myers: …": two words for the same, each of them a value. */
static bool is_alias(struct str s)
{
    const char *comma = mem_find(s.p, s.n, ", ");

    return comma != NULL && s.p[0] != '-' && memchr(s.p, '(', s.n) == NULL &&
           tokens_count(s.p, (size_t)(comma - s.p)) == 1 &&
           tokens_count(comma, s.n - (size_t)(comma - s.p)) == 1;
}

static enum err item_plain(struct fill *f, const struct json *item,
                           const struct item *x, size_t column, struct buf *out)
{
    struct label none = {.name = "", .text = "", .hint = ""};
    bool headed = x->cells[0].head.n > 0;
    const char *json = NULL, *comma;
    struct str s, alias;
    enum err e;

    if (column >= x->count)
        return ERR_OK;
    s = x->cells[column].value;
    if (!headed && is_alias(s)) {
        comma = mem_find(s.p, s.n, ", ");
        alias = cut(s.p, comma);
        s = cut(comma + 2, s.p + s.n);
        /* "p, plain" is one value, and short for it. */
        e = s.n > alias.n && memcmp(s.p, alias.p, alias.n) == 0
                ? ERR_OK
                : cell_json(f, item, &none, alias, headed, &json);
        if (e == ERR_OK && json != NULL)
            buf_addf(out, "%s,", json);
    }
    e = cell_json(f, item, &none, s, headed, &json);
    return e == ERR_OK && json != NULL ? buf_adds(out, json) : e;
}

/* --- all of them --------------------------------------------------------- */

/* Is the last value the same name? Then something else tells the two apart. */
static bool ends_with(struct buf *all, struct buf *one)
{
    return all->len > one->len && buf_str(one)[0] == '"' &&
           str_eq((struct str){buf_str(all) + all->len - one->len, one->len},
                  buf_str(one));
}

static size_t elements_max(const struct json *array)
{
    int64_t most = LISTED_MAX;

    json_is_whole(json_get(array, "maxItems"), &most);
    return most < 0 || most > LISTED_MAX ? LISTED_MAX : (size_t)most;
}

/* What tells one item from another: all cells of a row, or what stands first.
 */
static void shape_add(const struct item *x, size_t column,
                      struct listing_shape *out)
{
    struct str s = value_bare(x->cells[column < x->count ? column : 0].value);
    size_t words = view_words(s);

    out->words += (double)words;
    out->single += memchr(s.p, ' ', s.n) == NULL ? 1 : 0;
    out->told += x->count > 1 ? 1 : 0;
    out->numbers += s.n > 0 && ascii_is_digit(s.p[0]) ? 1 : 0;
}

/* Is it one of the n before? */
static bool is_again(const struct str *before, size_t n, struct str s)
{
    while (n > 0 && !view_same(before[n - 1], s))
        n--;
    return n > 0;
}

enum err listing_values(struct fill *f, const struct json *array,
                        const struct json *item, const struct listing *g,
                        const struct listing_how *how,
                        struct listing_shape *shape, const char **json)
{
    bool objects = json_get(item, "properties") != NULL, valid = false,
         head = false;
    struct columns x = {.count = 0};
    struct str told[LISTED_MAX + 1];
    struct buf b, one;
    size_t n = 0, named = 0, max = elements_max(array);
    enum err e = objects ? columns_read(f, item, &x) : ERR_OK;

    *json = NULL;
    *shape = (struct listing_shape){.words = 0};
    buf_init(&b, BYTES_MAX);
    buf_init(&one, BYTES_MAX);
    buf_addc(&b, '[');
    for (size_t i = 0; i < g->count && n < max && e == ERR_OK; i++) {
        struct item it;

        e = item_read(f->a, how, &g->items[i], &it);
        if (e != ERR_OK || it.count == 0)
            continue;
        if (how->term == TERM_FIRST && is_again(told, n, it.cells[0].value)) {
            n = 0; /* it does not tell them apart */
            break;
        }
        told[n] = it.cells[0].value;
        if (i == 0 && objects && g->count > 2 && it.cells[0].head.n == 0)
            e = is_head(f, &x, &it, &head);
        if (e != ERR_OK || (head && i == 0))
            continue;
        if (i == 0 && objects && it.cells[0].head.n > 0)
            e = columns_match(f, &x, &it, &named);
        buf_reset(&one);
        if (e == ERR_OK)
            e = objects ? item_object(f, &x, &it, &one)
                        : item_plain(f, item, &it, how->column, &one);
        if (e != ERR_OK || one.len == 0 || ends_with(&b, &one))
            continue;
        buf_addf(&b, "%s%s", n++ == 0 ? "" : ",", buf_str(&one));
        shape_add(&it, objects ? 0 : how->column, shape);
    }
    buf_addc(&b, ']');
    buf_fini(&one);
    if (e == ERR_OK && n >= 2 &&
        ((double)n >= ITEMS_MIN * (double)(g->count - head) || n == max))
        e = fill_is_valid(f, array, buf_str(&b), &valid);
    shape->count = n;
    shape->heads = head           ? 1
                   : x.count == 0 ? 0
                                  : (double)named / (double)x.count;
    if (objects)
        shape->numbers = 0; /* a key may be one */
    e = buf_keep(&b, e, f->a, json);
    if (!valid)
        *json = NULL;
    return e;
}
