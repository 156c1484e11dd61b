/*
 * What pages list, whatever it is of: lists and tables without heads, tables
 * with them, and runs of sections. Which of them a field asks for is decided
 * in structured_array.c. See fill.h.
 */
#include "object/fill.h"

#include "lang/words.h"
#include "page/injection.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum {
    PASSAGES_BEFORE = 40, /* of a candidate, where a list may begin */
    PASSAGES_BEHIND = 40,
    INSIDE = 12, /* so far from its end a window need not be read again */
    NOTE_ROWS = 2,
    WITHIN_BYTES = 120,
    LEVELS_MAX = 4 /* of headings above a passage */
};

/* A window of a page while it is read. */
struct reading {
    struct fill *f;
    struct listings *out;
    struct listing *lists[LIST_LEVELS]; /* that items go to, by their level */
    struct listing *table;
    struct listing *sections[LEVELS_MAX]; /* by the level of their headings */
    struct str title; /* a short paragraph, which may head the next one */
    struct str above; /* the line ahead of it */
    struct str under; /* the one that heads the last paragraph */
    struct listing *titled;
    struct str line; /* the last paragraph, or item that announces others */
    bool announces;
    size_t inner; /* the level of the item that it was; 0: none */
    bool clean;   /* the passage holds no orders to machines */
};

static bool announces(struct str s)
{
    s = str_trim(s);
    return s.n > 0 && s.p[s.n - 1] == ':';
}

struct str listing_heading(const struct candidate *c)
{
    return c->heading[0] == '\0' ? page_title(c->title) : unit_heading(c);
}

/* Without the number of a section: "8.1.4. synaptic". That of an item ends with
 * a full stop: "3.0 (native)" is a name. */
static struct str unnumbered(struct str s, bool item)
{
    size_t n = 0;

    while (n < s.n && (ascii_is_digit(s.p[n]) || s.p[n] == '.'))
        n++;
    if (n > 0 && n < s.n && s.p[n] == ' ' && (!item || s.p[n - 1] == '.'))
        s = (struct str){s.p + n, s.n - n};
    return str_trim(s);
}

static struct listing *listing_add(struct reading *x, const struct candidate *c)
{
    struct listed *items;
    struct listing *g;

    if (x->out->count == LISTINGS_MAX)
        return NULL;
    items = arena_array(x->f->a, LISTED_MAX, sizeof *items);
    g = arena_alloc(x->f->a, sizeof *g);
    if (g == NULL || items == NULL)
        return NULL;
    *g = (struct listing){.items = items,
                          .heading = listing_heading(c),
                          .lead = x->line,
                          .within = x->under,
                          .c = c};
    x->out->at[x->out->count++] = g;
    return g;
}

static void listed_add(struct listing *g, struct str text)
{
    if (g != NULL && g->count < LISTED_MAX)
        g->items[g->count++] = (struct listed){text, {"", 0}};
}

/* --- items and rows ------------------------------------------------------ */

/* Is it the first of footnotes, which follow a list of other things? */
static bool begins_notes(const struct listing *g, struct str s)
{
    return g != NULL && g->count > 0 && s.n > 1 && s.p[0] == '1' &&
           strchr(": .", s.p[1]) != NULL &&
           !ascii_is_digit(g->items[0].text.p[0]);
}

/* Has a row other columns than those above it? */
static bool has_other_heads(const struct listing *g, struct str row)
{
    struct cell a[CELLS_MAX], b[CELLS_MAX];
    size_t n = cells_read(g->items[0].text, a, CELLS_MAX);
    size_t k = cells_read(row, b, CELLS_MAX);

    return n > 0 && k > 0 && !view_same(a[0].head, b[0].head);
}

/* "slow: A man turns the crank." */
static bool is_entry(struct str s)
{
    enum { TERM_BYTES_MAX = 80 };

    return mem_find(s.p, s.n < TERM_BYTES_MAX ? s.n : TERM_BYTES_MAX, ": ") !=
           NULL;
}

/* Does an item or row go on with listing g? Many sites end a list of entries
 * for a note, or make a list of its own of each. */
static bool goes_on(const struct reading *x, struct listing *g, struct str s,
                    const struct candidate *c, bool begins)
{
    if (g == NULL || g->count == 0 || x->announces ||
        !heading_same_section(g->c->heading, c->heading) ||
        begins_notes(g, s) || (g == x->table && has_other_heads(g, s)) ||
        (begins && g->count - g->begun > 1 &&
         !(is_entry(s) && is_entry(g->items[g->count - 1].text))))
        return false;
    if (begins)
        g->begun = g->count;
    return true;
}

static struct str beginning(struct str s)
{
    return (struct str){s.p, utf8_cut(s.p, s.n, WITHIN_BYTES)};
}

/* The table that goes on with the row, or a new one. */
static struct listing *table_for(struct reading *x, struct str s,
                                 const struct candidate *c)
{
    if (!goes_on(x, x->table, s, c, false))
        x->table = listing_add(x, c);
    return x->table;
}

/* The list that an item of the level stands in an item of, or NULL. */
static const struct listing *list_around(const struct reading *x, size_t level)
{
    while (level-- > 1)
        if (x->lists[level - 1] != NULL && x->lists[level - 1]->count > 0)
            return x->lists[level - 1];
    return NULL;
}

/* The list that goes on with the item, or a new one. A list goes on behind
 * those within its items, and behind the notes that many sites make tables of.
 */
static struct listing *list_for(struct reading *x, const struct passage_part *p,
                                struct str s, const struct candidate *c)
{
    struct listing **g = &x->lists[p->level - 1];
    const struct listing *around;
    bool note = x->table != NULL && x->table->count <= NOTE_ROWS;

    if (x->table != NULL && !note)
        memset(x->lists, 0, sizeof x->lists);
    x->table = NULL;
    around = list_around(x, p->level);
    if (p->level <= x->inner)
        x->announces = false;
    if (*g == NULL && around != NULL && !x->announces) {
        x->line = around->items[around->count - 1].text;
        x->inner = p->level - 1;
    }
    if (!goes_on(x, *g, s, c, p->begins && !note)) {
        if (*g != NULL && (*g)->lead.p == x->line.p)
            x->line.n = 0; /* it led to the list before */
        *g = listing_add(x, c);
        if (*g != NULL)
            (*g)->inner = x->inner > 0;
        if (*g != NULL && around != NULL)
            (*g)->within = beginning(around->items[around->count - 1].text);
    }
    for (size_t i = p->level; i < LIST_LEVELS; i++)
        x->lists[i] = NULL;
    return *g;
}

/* The deepest list that is open, or NULL. */
static struct listing *list_last(const struct reading *x)
{
    size_t i = LIST_LEVELS;

    while (i > 0 && x->lists[i - 1] == NULL)
        i--;
    return i == 0 ? NULL : x->lists[i - 1];
}

/* A short line ahead of a paragraph, "UNLOCKED", heads it like an item. */
static void titled_read(struct reading *x, const struct candidate *c,
                        struct str s)
{
    enum { WORDS_MAX = 5 };
    bool title = s.n > 0 && strchr(".,:;?!", s.p[s.n - 1]) == NULL &&
                 tokens_count(s.p, s.n) <= WORDS_MAX;

    if (x->title.n > 0 || title)
        x->under = title ? (struct str){s.p, 0} : x->title;
    if (!title && x->title.n > 0) {
        if (x->titled == NULL) {
            x->line = x->above;
            x->titled = listing_add(x, c);
        }
        listed_add(x->titled, x->title);
        if (x->titled != NULL)
            x->titled->items[x->titled->count - 1].behind = s;
    }
    x->above = title ? x->line : s;
    x->title = title ? s : (struct str){s.p, 0};
    x->line = s;
}

/* A paragraph, code or a quotation: what leads to a list, or goes on with what
 * an item says. */
static void line_read(struct reading *x, const struct candidate *c, char kind,
                      struct str s)
{
    struct listing *last = list_last(x);

    if (kind == 'p')
        titled_read(x, c, s);
    else
        x->line = s;
    x->announces = kind == 'p' && announces(s);
    x->inner = 0;
    if (last != NULL && last->count > 0 && kind == 'p' &&
        last->items[last->count - 1].behind.n == 0)
        last->items[last->count - 1].behind = s;
}

/* A cell may hold a choice of entries: "… Allowed values: stop: end all;
 * freeze: go on". What the row begins with is what it stands within. */
static void cell_read(struct reading *x, const struct candidate *c,
                      struct str row, struct str cell, struct str name)
{
    struct listing *g = NULL;
    const char *semicolon = mem_find(cell.p, cell.n, "; "), *at = semicolon;
    struct str lead = cell, said;

    if (at == NULL)
        return;
    while (at > cell.p && !(at[0] == ' ' && at[-1] == '.'))
        at--;
    said = (struct str){at, 0};
    at = mem_find(at, (size_t)(semicolon - at), ": ");
    if (at == NULL)
        return;
    said.n = (size_t)(at - said.p);
    if (!tokens_have(said.p, said.n, value_words.offers) ||
        tokens_have(said.p, said.n, check_words.deny))
        return;
    lead.n = (size_t)(at - cell.p) + 1;
    cell = (struct str){at + 2, (size_t)(cell.p + cell.n - at - 2)};
    for (size_t n; cell.n > 0; cell = (struct str){cell.p + n, cell.n - n}) {
        n = view_find(cell, "; ");
        if (!is_entry((struct str){cell.p, n}))
            break;
        g = g == NULL ? listing_add(x, c) : g;
        listed_add(g, (struct str){cell.p, n});
        n += n < cell.n ? 2 : 0;
    }
    if (g == NULL)
        return;
    g->lead = lead;
    g->within =
        beginning((struct str){name.p, (size_t)(row.p + row.n - name.p)});
}

/* The choices in the cells of a row behind its first. */
static void row_read(struct reading *x, const struct candidate *c,
                     struct str row)
{
    struct cell cells[CELLS_MAX];
    size_t n = cells_read(row, cells, CELLS_MAX);

    for (size_t i = 1; i < n; i++)
        cell_read(x, c, row, cells[i].value, cells[0].value);
}

static void part_read(struct reading *x, const struct candidate *c,
                      const struct passage_part *p)
{
    struct str s = str_trim((struct str){c->text + p->start, p->len});

    if (p->goes_on || s.n == 0 || (!x->clean && injection_is(s.p, s.n)))
        return;
    if (p->level == 0 && p->kind != 'r') {
        line_read(x, c, p->kind, s);
        return;
    }
    x->title.n = 0;
    if (p->level > 0)
        s = unnumbered(s, true);
    listed_add(p->level == 0 ? table_for(x, s, c) : list_for(x, p, s, c), s);
    if (p->level == 0)
        row_read(x, c, s);
    x->announces = announces(s);
    x->inner = x->announces ? p->level : 0;
    if (x->announces)
        x->line = s;
}

/* --- sections ------------------------------------------------------------ */

/* The headings above a passage, the highest first. */
static size_t headings_of(const struct candidate *c, struct str *out)
{
    struct str left = {c->heading, heading_section(c->heading)};
    size_t n = 0;

    while (left.n > 0 && n < LEVELS_MAX) {
        size_t len = view_find(left, " > ");

        out[n++] = (struct str){left.p, len};
        len += len < left.n ? 3 : 0;
        left = (struct str){left.p + len, left.n - len};
    }
    return n;
}

/* Is the heading that of the last section of g? */
static bool is_last(const struct listing *g, struct str s)
{
    return g->count > 0 && view_same(g->items[g->count - 1].text, s);
}

/* The passage stands at the beginning of sections: each is an item of those
 * beside it, below the same heading. */
static void sections_read(struct reading *x, const struct candidate *c)
{
    struct str h[LEVELS_MAX];
    size_t n = headings_of(c, h);

    for (size_t i = 0; i < n; i++) {
        struct str s = unnumbered(h[i], false);
        struct listing *g = x->sections[i];

        if (g != NULL && is_last(g, s))
            continue;
        for (size_t k = i + 1; k < LEVELS_MAX; k++)
            x->sections[k] = NULL;
        if (g == NULL) {
            g = x->sections[i] = listing_add(x, c);
            if (g == NULL)
                return;
            g->heading = i == 0 ? page_title(c->title) : h[i - 1];
        }
        if (injection_is(s.p, s.n))
            continue;
        listed_add(g, s);
        if (i + 1 == n && g->count > 0)
            g->items[g->count - 1].behind =
                str_trim((struct str){c->text, strcspn(c->text, "\n")});
    }
    for (size_t k = n; k < LEVELS_MAX; k++)
        x->sections[k] = NULL;
}

/* --- a window ------------------------------------------------------------ */

static void passage_read(struct reading *x, const struct candidate *c)
{
    const char *z = c->parts == NULL ? "" : c->parts, *line = c->text;
    bool told = *z != '\0';
    struct passage_part p = {.goes_on = false};

    x->clean = unit_shown(c, &x->f->clean, x->f->a) == c->text;
    while (passage_part_next(&z, strlen(c->text), &p))
        part_read(x, c, &p);
    /* Of what its parts are not told of, lines with bars are rows. */
    while (!told && *line != '\0') {
        size_t n = strcspn(line, "\n");

        p = (struct passage_part){.kind = mem_find(line, n, " | ") ? 'r' : 'p',
                                  .start = (size_t)(line - c->text),
                                  .len = n};
        part_read(x, c, &p);
        line += n + (line[n] != '\0');
    }
}

/* The passages around c; itself where its page is not in the index. */
static enum err window_read(struct fill *f, const struct candidate *c,
                            const struct candidate **all, size_t *count)
{
    int64_t from = c->seq > PASSAGES_BEFORE ? c->seq - PASSAGES_BEFORE : 0;
    struct candidate *near = NULL;
    enum err e;

    *all = c;
    *count = 1;
    if (f->ask->index == NULL || c->page <= 0)
        return ERR_OK;
    e = index_passages(f->ask->index, c->page, from,
                       (size_t)(c->seq - from) + PASSAGES_BEHIND, f->a, &near,
                       count, f->ec);
    *all = near;
    if (e == ERR_NO_RESULT || e == ERR_NOT_FOUND) {
        *count = 0;
        e = ERR_OK;
    }
    return e;
}

static bool is_read(const struct listings *x, const struct candidate *c)
{
    for (size_t i = 0; i < x->window_count; i++)
        if (x->windows[i].page == c->page && c->page > 0 &&
            c->seq >= x->windows[i].from && c->seq + INSIDE <= x->windows[i].to)
            return true;
    return false;
}

enum err listings_read(struct fill *f, const struct candidate *c, size_t rank,
                       struct listings *out)
{
    struct reading x = {.f = f,
                        .out = out,
                        .line = {"", 0},
                        .above = {"", 0},
                        .title = {"", 0},
                        .under = {"", 0}};
    const struct candidate *all = NULL;
    size_t n = 0, had = out->count;
    enum err e;

    if (is_read(out, c) || out->window_count == WINDOWS_MAX)
        return ERR_OK;
    e = window_read(f, c, &all, &n);
    if (e != ERR_OK || n == 0)
        return e;
    out->windows[out->window_count++] = (struct window){.page = c->page,
                                                        .from = all[0].seq,
                                                        .to = all[n - 1].seq,
                                                        .all = all,
                                                        .count = n};
    /* The end of a page is no reason to read it again. */
    if (n < PASSAGES_BEFORE + PASSAGES_BEHIND)
        out->windows[out->window_count - 1].to += INSIDE;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 &&
            !heading_same_section(all[i].heading, all[i - 1].heading)) {
            x.line = (struct str){"", 0};
            x.announces = true; /* a heading begins another list */
            x.inner = 0;
            x.title.n = x.under.n = 0;
            memset(x.lists, 0, sizeof x.lists);
            x.table = x.titled = NULL;
        }
        sections_read(&x, &all[i]);
        passage_read(&x, &all[i]);
    }
    for (size_t i = had; i < out->count; i++)
        out->at[i]->rank = rank;
    return arena_failed(f->a) ? ERR_NOMEM : ERR_OK;
}
