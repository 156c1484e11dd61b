/*
 * Lists and tables without heads as values: their items, told apart by what
 * stands first in each ("--soft: Does not touch …", "FULL (2): When …", "%d |
 * day of month"). See fill.h. Called by structured_field.c.
 */
#include "object/fill.h"

#include "base/buf.h"
#include "page/injection.h"
#include "question/overlap.h"
#include "text/terms.h"

#include <string.h>

enum {
    CANDIDATES_MAX = 12, /* passages whose surroundings are looked at */
    PASSAGES_BEFORE = 12,
    PASSAGES_BEHIND = 30,
    ITEMS_MAX = 100,
    GROUPS_MAX = 64,
    TERM_BYTES_MAX = 80,
    TERM_WORDS_MAX = 8,
    NOTE_ROWS = 2,
    RUN_IN_WORDS_MAX = 3, /* "NULL. The value is …" */
    BYTES_MAX = 256 * 1024
};

/* How much of the label, by weight, must stand in the lines above a list; what
 * stands in the nearest one counts whole. */
static const double LEAD_MIN = 0.75;
static const double LABEL_MIN = 0.9; /* anywhere above it */
static const double QUESTION_MIN = 0.6;
static const double WEIGHT_HEADING = 0.85;
static const double WEIGHT_TITLE = 0.6;
static const double WEIGHT_QUESTION = 0.3; /* of the question's words */
static const double ANNOUNCED = 0.1;       /* "… is one of the following:" */
static const double UNTOLD = -0.3;         /* other prose stands ahead of it */
/* So many of the items must have a term. */
static const double TERMS_MIN = 0.8;

struct item {
    struct cell cells[CELLS_MAX]; /* the term, what stands in brackets behind
                                     it, the rest; or those of a row */
    size_t count;                 /* 0: there is no telling */
};

struct group {
    char kind; /* of its parts */
    struct str items[ITEMS_MAX];
    struct str behind[ITEMS_MAX]; /* the paragraph behind each, if any */
    size_t count, told;           /* of them with a term */
    struct str lead;              /* the line ahead of the first */
    bool inner;                   /* an item led to it */
    const struct candidate *c;
};

/* The groups of a page's part, while they are read. */
struct groups {
    struct group *at[GROUPS_MAX];
    size_t count;
    struct str line; /* the last paragraph, or item that announces others */
    bool announces;
    bool inner; /* it was an item */
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

/* Where the term ends and what follows it begins; false: nowhere. */
static bool split(struct str s, size_t *end, size_t *rest)
{
    static const char *const signs[] = {": ", " \xE2\x80\x93 ",
                                        " \xE2\x80\x94 ", " - "};
    size_t n = s.n < TERM_BYTES_MAX ? s.n : TERM_BYTES_MAX;
    const char *stop = mem_find(s.p, n, ". ");

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at = mem_find(s.p, n, signs[i]);

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

static void item_read(struct str s, struct item *out)
{
    size_t end = s.n, rest = s.n;
    struct str term;
    const char *open;

    out->count = 0;
    s = str_trim(s);
    if (cells_read(s, out->cells, CELLS_MAX) > 0) {
        out->count = cells_read(s, out->cells, CELLS_MAX);
        return;
    }
    if (!split(s, &end, &rest)) {
        end = rest = s.n;
        while (end > 0 && strchr(".,;", s.p[end - 1]) != NULL)
            end--;
    }
    term = cut(s.p, s.p + end);
    /* "add <path> [<commit>]": a name and what may follow it. */
    open = mem_find(term.p, term.n, " <");
    if (open != NULL || (open = mem_find(term.p, term.n, " [")) != NULL)
        term = cut(term.p, open);
    if (term.n == 0 || tokens_count(term.p, term.n) > TERM_WORDS_MAX)
        return;
    open = term.p[term.n - 1] == ')' ? mem_find(term.p, term.n, " (") : NULL;
    cell_add(out, open == NULL ? term : cut(term.p, open));
    if (open != NULL)
        cell_add(out, cut(open + 2, term.p + term.n - 1));
    cell_add(out, (struct str){s.p + rest, s.n - rest});
}

/* Do both begin alike, as options and settings of one list do? */
static bool is_alike(struct str a, struct str b)
{
    return a.n >= 2 && b.n >= 2 && memcmp(a.p, b.p, 2) == 0;
}

/* --- groups of items ----------------------------------------------------- */

static bool announces(struct str s)
{
    s = str_trim(s);
    return s.n > 0 && s.p[s.n - 1] == ':';
}

static struct group *group_for(struct groups *x, char kind, bool fresh,
                               const struct candidate *c, struct arena *a)
{
    /* A note, which many sites make a table of, does not end a list. */
    size_t last = x->count > 1 && x->at[x->count - 1]->kind == 'r' &&
                          kind != 'r' && x->at[x->count - 1]->count <= NOTE_ROWS
                      ? 2
                      : 1;
    struct group *g = x->count == 0 ? NULL : x->at[x->count - last];

    if (g != NULL && g->kind == kind && !fresh &&
        strcmp(g->c->heading, c->heading) == 0)
        return g;
    if (x->count == GROUPS_MAX)
        return NULL;
    g = arena_alloc(a, sizeof *g);
    if (g == NULL)
        return NULL;
    *g = (struct group){
        .kind = kind, .lead = x->line, .inner = x->inner, .c = c};
    x->at[x->count++] = g;
    return g;
}

/* Is it the first of footnotes, which follow a list of other things? */
static bool begins_notes(const struct group *g, const struct item *item)
{
    return g != NULL && g->count > 0 && item->count > 0 &&
           str_eq(item->cells[0].value, "1") &&
           !ascii_is_digit(g->items[0].p[0]);
}

static void part_read(struct groups *x, const struct candidate *c,
                      const struct passage_part *p, struct arena *a)
{
    struct str s = str_trim((struct str){c->text + p->start, p->len});
    struct item item;
    struct group *g;

    if (p->kind != 'i' && p->kind != 'j' && p->kind != 'r') {
        x->line = s;
        x->announces = p->kind == 'p' && announces(s);
        x->inner = false;
        g = x->count == 0 ? NULL : x->at[x->count - 1];
        if (g != NULL && g->count > 0 && p->kind == 'p' &&
            g->behind[g->count - 1].n == 0)
            g->behind[g->count - 1] = s;
        return;
    }
    if (p->goes_on || injection_is(s.p, s.n))
        return;
    g = x->count == 0 ? NULL : x->at[x->count - 1];
    /* The list that was interrupted goes on. */
    if (g != NULL && g->inner && g->count > 0 && is_alike(s, g->lead) &&
        !is_alike(g->items[0], g->lead)) {
        x->line = (struct str){"", 0};
        x->announces = true;
        x->inner = false;
    }
    item_read(s, &item);
    g = group_for(x, p->kind, x->announces || begins_notes(g, &item), c, a);
    x->announces = x->inner = announces(s);
    if (x->announces)
        x->line = s;
    if (g == NULL || g->count == ITEMS_MAX)
        return;
    g->told += item.count > 0;
    g->items[g->count++] = s;
}

static enum err groups_read(struct fill *f, const struct candidate *c,
                            struct groups *out)
{
    int64_t from = c->seq > PASSAGES_BEFORE ? c->seq - PASSAGES_BEFORE : 0;
    struct candidate *all = NULL;
    size_t n = 0;
    enum err e = ERR_NO_RESULT;

    memset(out, 0, sizeof *out);
    if (f->ask->index != NULL && c->page > 0)
        e = index_passages(f->ask->index, c->page, from,
                           (size_t)(c->seq - from) + PASSAGES_BEHIND, f->a,
                           &all, &n, f->ec);
    if (e != ERR_OK)
        return e == ERR_NO_RESULT || e == ERR_NOT_FOUND ? ERR_OK : e;
    for (size_t i = 0; i < n; i++) {
        const char *z = all[i].parts == NULL ? "" : all[i].parts;
        struct passage_part p;

        if (i > 0 && strcmp(all[i].heading, all[i - 1].heading) != 0) {
            out->line = (struct str){"", 0};
            out->announces = true; /* a heading begins another list */
        }
        while (passage_part_next(&z, strlen(all[i].text), &p))
            part_read(out, &all[i], &p, f->a);
    }
    return arena_failed(f->a) ? ERR_NOMEM : ERR_OK;
}

/* Does the line lead to a list, or head it? */
static bool is_lead(struct str s)
{
    return s.n == 0 || announces(s) ||
           tokens_have(s.p, s.n, "following below these") ||
           (s.p[s.n - 1] != '.' && tokens_count(s.p, s.n) <= TERM_WORDS_MAX);
}

/* --- which group is asked for ----------------------------------------------
 */

/* How much of the words stands above the group, the nearest line first. */
static double lead_score(const struct fill *f, const struct query *q,
                         double least, const struct group *g)
{
    struct str heading = unit_heading(g->c);
    const char *above = g->c->heading, *title = g->c->title;
    uint64_t lead = overlap_mask_loose(q, g->lead.p, g->lead.n);
    uint64_t near = overlap_mask_loose(q, heading.p, heading.n) & ~lead;
    uint64_t far = (overlap_mask_loose(q, above, strlen(above)) |
                    overlap_mask_loose(q, title, strlen(title))) &
                   ~lead & ~near;
    double own;
    bool told = is_lead(g->lead);

    if ((lead | near) == 0 || overlap_share(q, lead | near | far) < least)
        return 0;
    own = overlap_share(f->q, overlap_mask(f->q, g->lead.p, g->lead.n) |
                                  overlap_mask(f->q, above, strlen(above)) |
                                  overlap_mask(f->q, title, strlen(title)));
    return WEIGHT_QUESTION * own + overlap_share(q, lead) +
           WEIGHT_HEADING * overlap_share(q, near) +
           WEIGHT_TITLE * overlap_share(q, far) + (told ? ANNOUNCED : UNTOLD);
}

/* Does every identifier of the label stand above the group? */
static bool has_identifiers(const struct label *l, const struct group *g)
{
    for (size_t i = 0; i < l->identifier_count; i++) {
        const char *z = l->identifiers[i];

        if (!label_names(z, g->lead.p, g->lead.n) &&
            !label_names(z, g->c->heading, strlen(g->c->heading)) &&
            !label_names(z, g->c->title, strlen(g->c->title)))
            return false;
    }
    return true;
}

/* Options that stand behind one are no list that it leads to, and numbers
 * alone are those of notes. */
static bool is_list(const struct group *g)
{
    return g->count >= 2 && (double)g->told >= TERMS_MIN * (double)g->count &&
           !(g->items[0].p[0] == '-' && is_alike(g->items[0], g->lead)) &&
           !str_eq(g->items[0], "1") && !ascii_starts_i(g->items[0].p, "1: ");
}

/* --- values -------------------------------------------------------------- */

static bool is_text(const struct json *schema)
{
    return strcmp(fill_type(schema), "string") == 0 &&
           json_get(schema, "format") == NULL;
}

/* A cell as a value of the schema, or NULL. */
static enum err cell_json(struct fill *f, const struct json *schema,
                          struct str cell, const char **json)
{
    struct label none = {.name = "", .text = "", .hint = ""};
    const char *type = fill_type(schema);
    struct value_want w = {.kind = value_kind_of(schema, type),
                           .leaf = schema,
                           .label = &none,
                           .q = f->q};
    struct unit u = {UNIT_SENTENCE, cell, {"", 0}};
    struct value_choices v = {.count = 0};
    bool valid = false;
    enum err e = ERR_OK;

    *json = NULL;
    cell = value_bare(cell);
    if (is_text(schema))
        *json = value_string(cell.p, cell.n, f->a);
    else if (w.kind == VALUE_INTEGER || w.kind == VALUE_NUMBER ||
             w.kind == VALUE_ENUM)
        e = value_find(&w, &u, f->a, &v);
    /* Of prose it is not said which of its numbers is meant. */
    if (v.count == 1 && tokens_count(cell.p, cell.n) <= 3)
        *json = v.at[0].json;
    if (e == ERR_OK && *json != NULL)
        e = fill_is_valid(f, schema, *json, &valid);
    if (!valid)
        *json = NULL;
    return arena_failed(f->a) ? ERR_NOMEM : e;
}

/* The item as an object: each property takes the first cell that is left and
 * that its schema takes. "" when one that is not nullable has none, and where
 * columns have heads, which then say other things (structured_table.c). */
static enum err item_object(struct fill *f, const struct json *item,
                            const struct item *x, struct buf *out)
{
    const struct json *p = json_first(json_get(item, "properties"));
    bool taken[CELLS_MAX] = {false};
    struct json_out w;
    size_t got = 0;
    enum err e = ERR_OK;

    jw_init(&w, out);
    jw_object(&w);
    for (; p != NULL && e == ERR_OK && x->cells[0].head.n == 0;
         p = json_next(p)) {
        const struct json *schema = fill_leaf(f, p);
        const char *json = NULL;

        for (size_t i = 0; i < x->count && json == NULL && e == ERR_OK; i++) {
            if (taken[i])
                continue;
            e = cell_json(f, schema, x->cells[i].value, &json);
            taken[i] = json != NULL;
        }
        if (json == NULL)
            break;
        jw_kraw(&w, json_name(p), json);
        got++;
    }
    jw_object_end(&w);
    if (p != NULL || got == 0 || !taken[0])
        buf_reset(out);
    return e == ERR_OK ? buf_err(out) : e;
}

/* "default, myers: …": two words for the same, each of them a value. */
static bool is_alias(struct str s)
{
    const char *comma = mem_find(s.p, s.n, ", ");

    return comma != NULL && s.p[0] != '-' && memchr(s.p, '(', s.n) == NULL &&
           tokens_count(s.p, (size_t)(comma - s.p)) == 1 &&
           tokens_count(comma, s.n - (size_t)(comma - s.p)) == 1;
}

/* A plain value: of a row the cell of the column that the label names. */
static enum err item_plain(struct fill *f, const struct json *item,
                           const struct label *l, const struct item *x,
                           struct buf *out)
{
    const char *json = NULL, *comma;
    size_t i = 0;
    struct str s;
    enum err e;

    while (i < x->count && x->cells[i].head.n > 0 &&
           label_mask(l, x->cells[i].head.p, x->cells[i].head.n) == 0)
        i++;
    if (i == x->count)
        return ERR_OK;
    s = x->cells[i].value;
    if (x->cells[0].head.n == 0 && is_alias(s)) {
        comma = mem_find(s.p, s.n, ", ");
        e = cell_json(f, item, cut(s.p, comma), &json);
        if (e == ERR_OK && json != NULL)
            buf_addf(out, "%s,", json);
        s = cut(comma + 2, s.p + s.n);
    }
    e = cell_json(f, item, s, &json);
    return e == ERR_OK && json != NULL ? buf_adds(out, json) : e;
}

static enum err item_value(struct fill *f, const struct json *item,
                           const struct label *l, const struct item *x,
                           struct buf *out)
{
    buf_reset(out);
    return json_get(item, "properties") != NULL
               ? item_object(f, item, x, out)
               : item_plain(f, item, l, x, out);
}

/* Is the last value the same name? Then something else tells the two apart. */
static bool ends_with(struct buf *all, struct buf *one)
{
    return all->len > one->len && buf_str(one)[0] == '"' &&
           str_eq((struct str){buf_str(all) + all->len - one->len, one->len},
                  buf_str(one));
}

/* All items of the group, as the array; NULL when the schema does not take
 * it, or too few of them. */
static enum err group_json(struct fill *f, const struct json *array,
                           const struct json *item, const struct label *l,
                           const struct group *g, const char **json)
{
    struct buf b, one;
    size_t n = 0;
    bool valid = false;
    enum err e = ERR_OK;

    buf_init(&b, BYTES_MAX);
    buf_init(&one, BYTES_MAX);
    buf_addc(&b, '[');
    for (size_t i = 0; i < g->count && e == ERR_OK; i++) {
        struct item x;

        item_read(g->items[i], &x);
        if (x.count == 0)
            continue;
        if (x.count == 1 && !injection_is(g->behind[i].p, g->behind[i].n))
            cell_add(&x, g->behind[i]);
        e = item_value(f, item, l, &x, &one);
        if (e == ERR_OK && one.len > 0 && !ends_with(&b, &one))
            buf_addf(&b, "%s%s", n++ == 0 ? "" : ",", buf_str(&one));
    }
    buf_addc(&b, ']');
    buf_fini(&one);
    if (e == ERR_OK && (double)n >= TERMS_MIN * (double)g->count)
        e = fill_is_valid(f, array, buf_str(&b), &valid);
    *json = NULL;
    e = buf_keep(&b, e, f->a, json);
    if (!valid)
        *json = NULL;
    return e;
}

enum err items_find(struct fill *f, const struct json *array,
                    const struct json *item, const struct label *l,
                    const struct ranked *r, size_t count, const char **json)
{
    bool own = !l->generic && l->words.term_count > 0;
    const struct query *q = own ? &l->words : f->q;
    const struct group *best = NULL;
    double least = own ? LABEL_MIN : QUESTION_MIN, most = LEAD_MIN;
    const char *got = NULL;
    enum err e = ERR_OK;

    for (size_t i = 0; i < count && i < CANDIDATES_MAX && e == ERR_OK; i++) {
        struct groups x;
        bool about = false, page = false;

        e = fill_is_about(f, &r[i].c, &about, &page);
        if (e == ERR_OK && about)
            e = groups_read(f, &r[i].c, &x);
        for (size_t k = 0; e == ERR_OK && about && k < x.count; k++) {
            double score = is_list(x.at[k]) && has_identifiers(l, x.at[k])
                               ? lead_score(f, q, least, x.at[k])
                               : 0;
            const char *z = NULL;

            if (score <= most)
                continue;
            e = group_json(f, array, item, l, x.at[k], &z);
            if (e != ERR_OK || z == NULL)
                continue;
            most = score;
            best = x.at[k];
            got = z;
        }
    }
    if (e != ERR_OK || best == NULL)
        return e == ERR_OK ? ERR_NO_RESULT : e;
    *json = got;
    return fill_source(f, best->c,
                       arena_strndup(f->a, best->lead.p, best->lead.n));
}
