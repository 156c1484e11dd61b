/*
 * An array: of all that the best pages list, the one thing that the field asks
 * for, by what leads to it, what stands above it, and what its items are like.
 * See fill.h. Called by structured.c.
 */
#include "object/choice.h"
#include "object/fill.h"

#include "base/buf.h"
#include "lang/words.h"
#include "question/overlap.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CANDIDATES_MAX = 24, /* passages whose surroundings are read */
    WAYS_MAX = 4,
    ASKED = 4,
    READ_BYTES_MAX = 64 * 1024 * 1024 /* for one field */
};

static const double FULL_MIN = 0.9;

struct array_field {
    struct fill *f;
    const struct json *array, *item;
    struct label label;
    struct label kin;  /* without the noun, "compression" of "compressionModes";
                          plain NULL: no choice is asked for */
    struct query noun; /* what the array is called, its last word */
    struct listings listings;
    struct choices choices;
};

/* --- reading ------------------------------------------------------------- */

/* How passages are asked for: by what the array is described with and what the
 * question is about, by what it is called and that, by the former with the
 * whole question, and by this with the names of the columns. */
enum { ASK_LABEL, ASK_NAME, ASK_BOTH, ASK_COLUMNS };

/* Ask for them in one of these ways. */
static enum err array_ask(struct array_field *x, int attempt, struct ranked **r,
                          size_t *count)
{
    const struct query *q = x->f->q;
    const struct json *p = attempt < ASK_COLUMNS
                               ? NULL
                               : json_first(json_get(x->item, "properties"));
    const char *z = "";
    struct buf b;
    enum err e;

    *count = 0;
    if ((x->label.generic && attempt < ASK_COLUMNS) ||
        (x->label.text == x->label.name && attempt == ASK_NAME))
        return ERR_OK;
    buf_init(&b, 32 * 1024);
    if (attempt < ASK_COLUMNS)
        buf_addf(&b, "%s ",
                 attempt == ASK_NAME ? x->label.plain : x->label.text);
    if (attempt >= ASK_BOTH || x->f->subject == 0)
        buf_adds(&b, q->text);
    for (size_t i = 0; attempt < ASK_BOTH && i < q->term_count; i++)
        if (x->f->subject >> i & 1)
            buf_addf(&b, " %s", q->words[i]);
    for (; p != NULL; p = json_next(p))
        buf_addf(&b, " %s", json_name(p));
    e = buf_keep(&b, ERR_OK, x->f->a, &z);
    return e != ERR_OK
               ? ERR_NOMEM
               : x->f->ask->passages(x->f->ask->user, z, x->f->a, r, count);
}

/* --- features ------------------------------------------------------------ */

/* The last sentence of a line. */
static struct str tail_of(struct str s)
{
    struct str end = str_trim(s);

    for (size_t i = end.n; i-- > 2;)
        if (end.p[i] == ' ' && (end.p[i - 1] == '.' || end.p[i - 1] == '?') &&
            i + 1 < end.n)
            return (struct str){end.p + i + 1, end.n - i - 1};
    return end;
}

/* Share of the label's identifiers that stand nowhere above the listing. */
static double unnamed(const struct label *l, const struct listing *g)
{
    size_t n = 0;

    for (size_t i = 0; i < l->identifier_count; i++) {
        const char *z = l->identifiers[i];

        n += !label_names(z, g->lead.p, g->lead.n) &&
             !label_names(z, g->within.p, g->within.n) &&
             !label_names(z, g->c->heading, strlen(g->c->heading)) &&
             !label_names(z, g->c->title, strlen(g->c->title));
    }
    return l->identifier_count == 0 ? 0
                                    : (double)n / (double)l->identifier_count;
}

/* The number that a word stands for; 0: none. */
static size_t numeral(const char *word)
{
    const char *z = check_words.numeral;
    size_t n = strlen(word);

    while ((z = strstr(z, word)) != NULL) {
        if (z[-1] == ' ' && z[n] == ' ')
            return (size_t)strtoul(z + n, NULL, 10);
        z += n;
    }
    return 0;
}

/* The number that the text says, in words or digits; 0: none or several. */
static size_t number_said(struct str s)
{
    struct term_iter it;
    struct term t;
    size_t said = 0;

    terms_init(&it, s.p, s.n);
    while (tokens_next(&it, &t)) {
        size_t n = numeral(t.text);

        if (n > 1)
            said = said == 0 ? n : SIZE_MAX;
    }
    for (size_t i = 1; said != SIZE_MAX && i + 2 < s.n; i++)
        if (s.p[i - 1] == ' ' && ascii_is_digit(s.p[i]) &&
            (s.p[i + 1] == ' ' ||
             (ascii_is_digit(s.p[i + 1]) && s.p[i + 2] == ' ')))
            said = said == 0 && s.p[i] != '0'
                       ? (size_t)strtoul(s.p + i, NULL, 10)
                       : SIZE_MAX;
    return said == SIZE_MAX ? 0 : said;
}

/* Share of the words in s that label or question have; 0 of none. */
static double focus_of(const struct array_field *x, struct str s)
{
    struct term_iter it;
    struct term t;
    size_t n = 0, own = 0;

    terms_init(&it, s.p, s.n);
    while (tokens_next(&it, &t)) {
        if (term_is_stop(t.text, t.len) || label_is_form(t.text) ||
            ascii_is_digit(t.text[0]))
            continue;
        n++;
        own += label_mask(&x->label, s.p + t.start, t.end - t.start) != 0 ||
               overlap_mask_loose(x->f->q, s.p + t.start, t.end - t.start) != 0;
    }
    return n == 0 ? 0 : (double)own / (double)n;
}

/* The label's words, or the question's where it has none. */
static const struct query *words_of(const struct array_field *x)
{
    return x->label.generic || x->label.words.term_count == 0 ? x->f->q
                                                              : &x->label.words;
}

static void lead_features(const struct array_field *x, const struct listing *g,
                          double *f)
{
    struct str tail = tail_of(g->lead);

    f[F_FOCUS] = focus_of(x, tail.n > 0 ? tail : g->heading);
    f[F_UNNAMED] = unnamed(&x->label, g);
    f[F_DEFINED] =
        cover_defines(&x->label, g->within.n > 0 ? g->within : g->lead) > 0;
    f[F_OFFERED] =
        g->offered || tokens_have(tail.p, tail.n, value_words.offers);
    f[F_BARE] = g->lead.n == 0;
    f[F_INNER] = g->inner;
}

static void above_features(const struct array_field *x, const struct listing *g,
                           double *f)
{
    const struct query *w = words_of(x), *q = x->f->q;
    const char *above = g->c->heading, *title = g->c->title;
    struct str tail = tail_of(g->lead), head = g->heading;
    uint64_t lead = overlap_mask_loose(w, tail.p, tail.n);
    uint64_t rest = (overlap_mask_loose(w, g->lead.p, g->lead.n) |
                     overlap_mask_loose(w, g->within.p, g->within.n)) &
                    ~lead;
    uint64_t above_label = overlap_mask_loose(w, head.p, head.n) |
                           overlap_mask_loose(w, above, strlen(above)) |
                           overlap_mask_loose(w, title, strlen(title));
    uint64_t asked = overlap_mask_loose(q, g->lead.p, g->lead.n) |
                     overlap_mask_loose(q, g->within.p, g->within.n) |
                     overlap_mask_loose(q, head.p, head.n);
    uint64_t further = (overlap_mask_loose(q, above, strlen(above)) |
                        overlap_mask_loose(q, title, strlen(title))) &
                       ~asked;

    f[F_LEAD] = overlap_share(w, lead);
    f[F_REST] = overlap_share(w, rest);
    f[F_FULL] = overlap_share(w, lead | rest | above_label) > FULL_MIN;
    f[F_ASKED] = overlap_share(q, asked);
    f[F_ABOVE] = overlap_share(q, further);
    f[F_RANK] = 1.00 / (1 + (double)g->rank);
    f[F_HOST] = fill_host_share(x->f, g->c);
    f[F_MISSING] = g->missing;
}

static void shape_features(const struct listing *g,
                           const struct listing_shape *s, double *f)
{
    struct str tail = tail_of(g->lead);
    size_t said = number_said(tail);
    double n = (double)s->count;

    if (said == 0)
        said = number_said(g->heading);
    f[F_COUNTED] = said == s->count;
    f[F_MISCOUNTED] = said > 0 && said != s->count;
    f[F_SHORT] = n / (s->words < n ? n : s->words);
    f[F_SINGLE] = s->single / n;
    f[F_TOLD] = s->told / n;
    f[F_NUMBERS] = s->numbers / n;
    f[F_TWO] = s->count == 2;
    f[F_HEADS] = s->heads;
    f[F_HEADED] = s->noun;
}

/* Does what is the default follow at once? */
static bool leads_to_default(struct str lead)
{
    enum { BYTES = 20 };
    size_t from = lead.n > BYTES ? lead.n - BYTES : 0;

    return (label_qualifiers(lead.p + from, lead.n - from) &
            QUALIFIER_DEFAULT) != 0;
}

/* Does an entry or a section of that name stand above it? */
static double entry_above(const struct label *l, const struct listing *g)
{
    return fmax(heading_entry(l, g->heading),
                fmax(line_entry(l, g->lead), line_entry(l, g->within)));
}

/* Does one of the items say the default, "default: 3", or is it the entry of
 * the property's own name? Then they are what is said of a setting, or
 * settings. */
static bool is_among(const struct label *l, const struct listing *g)
{
    for (size_t i = 0; i < g->count; i++) {
        struct str s = g->items[i].text, term = line_term(s);
        struct cell cell;

        if (cells_read(s, &cell, 1) > 0)
            term = cell.value;
        else if (tokens_count(term.p, term.n) == 1 &&
                 label_qualifiers(term.p, term.n) == QUALIFIER_DEFAULT)
            return true;
        if (label_entry(l, term) == 1)
            return true;
    }
    return false;
}

static void entry_features(const struct array_field *x, const struct listing *g,
                           double *f)
{
    const struct label *l = &x->label;

    f[F_ENTRY] = fmax(g->entry, entry_above(l, g));
    f[F_KIN] = 0;
    if (x->kin.plain != NULL && f[F_OFFERED] > 0 && !leads_to_default(g->lead))
        f[F_KIN] = fmax(g->kin, entry_above(&x->kin, g));
    f[F_AMONG] = g->among;
    f[F_ENTRY_OFFERED] = f[F_OFFERED] * fmax(f[F_ENTRY], f[F_KIN]);
    f[F_ENTRY_DEFAULT] =
        leads_to_default(g->lead) &&
                !tokens_have(l->hint, strlen(l->hint), value_words.offers)
            ? f[F_ENTRY]
            : 0;
}

/* --- candidates ---------------------------------------------------------- */

/* Are things asked for that take a sentence to say: rules, cases, what it does?
 * What they are of is not: "fields of a changes file". */
static bool asks_phrases(const struct array_field *x)
{
    const char *z = x->label.text;
    struct term_iter it;
    struct term t;
    bool first = true;

    terms_init(&it, z, strlen(z));
    for (; tokens_next(&it, &t); first = false) {
        if (!first && (word_in(t.text, check_words.loose) ||
                       word_in(t.text, value_words.clauses)))
            return false;
        if (word_in(t.text, value_words.phrases))
            return true;
    }
    return false;
}

static enum err listing_add(struct array_field *x, const struct listing *g,
                            const struct listing_shape *shape,
                            enum listing_term term, const char *json)
{
    struct choice one = {.from = g, .url = g->c->url, .json = json};
    struct str said[] = {tail_of(g->lead), g->heading};
    enum err e =
        label_near(&x->label, said, sizeof said / sizeof *said, &one.v[F_NEAR]);

    if (e != ERR_OK)
        return e;
    lead_features(x, g, one.v);
    above_features(x, g, one.v);
    shape_features(g, shape, one.v);
    entry_features(x, g, one.v);
    one.v[F_BY_FIRST] = term == TERM_FIRST;
    one.v[F_SENTENCES] = term == TERM_SENTENCE;
    one.v[F_PHRASES] = term == TERM_SENTENCE && asks_phrases(x);
    one.v[F_ANY] = 1;
    choice_add(&x->choices, CHOICE_ARRAY, &one);
    return ERR_OK;
}

/* Is it one word as a head has it, "Enumerator", not "HUP" or "quit"? */
static bool is_head(struct str s)
{
    bool head = s.n > 1 && s.p[0] >= 'A' && s.p[0] <= 'Z';

    for (size_t i = 1; i < s.n && head; i++)
        head = s.p[i] >= 'a' && s.p[i] <= 'z';
    return head;
}

/* A row of one cell heads wider ones alone, if it looks like a head and their
 * first cells do not. */
static void head_drop(struct listing *g)
{
    for (size_t i = 0; i < g->count; i++) {
        struct cell cell = {.value = g->items[i].text};
        bool wide = cells_read(g->items[i].text, &cell, 1) > 0;

        if (g->count < 3 || wide == (i == 0) || is_head(cell.value) == (i > 0))
            return;
    }
    g->items++;
    g->count--;
}

/* A list or table, in each of the ways that it may be read: of a table with
 * heads every column may be meant. */
static enum err listing_try(struct array_field *x, struct listing *g)
{
    struct cell cells[CELLS_MAX];
    bool objects = json_get(x->item, "properties") != NULL, headed,
         noun = false;
    size_t n, ways;
    enum err e = ERR_OK;

    head_drop(g);
    g->among = is_among(&x->label, g);
    n = g->count == 0 ? 0 : cells_read(g->items[0].text, cells, CELLS_MAX);
    headed = n > 0 && cells[0].head.n > 0;
    ways = n == 0               ? (objects ? TERM_SENTENCE : TERMS)
           : objects || !headed ? 1
                                : n;
    for (size_t k = 0; k < n && headed && objects; k++)
        noun = noun ||
               overlap_mask_loose(&x->noun, cells[k].head.p, cells[k].head.n);
    for (size_t i = 0; i < ways && i < WAYS_MAX && e == ERR_OK; i++) {
        struct listing_how how = {.term = n == 0 ? (enum listing_term)i
                                                 : TERM_WHOLE,
                                  .column = n == 0 ? 0 : i,
                                  .label = &x->label,
                                  .noun = &x->noun};
        struct listing_shape shape;
        const char *json = NULL;

        e = listing_values(x->f, x->array, x->item, g, &how, &shape, &json);
        if (e != ERR_OK || json == NULL)
            continue;
        if (!objects && headed)
            shape.heads = overlap_mask_loose(&x->noun, cells[i].head.p,
                                             cells[i].head.n) == 0
                              ? 0
                              : focus_of(x, cells[i].head);
        shape.noun = noun;
        e = listing_add(x, g, &shape, how.term, json);
    }
    return e;
}

/* Does the text hold any of the words that may lead to the array? */
static bool is_spoken_of(const struct array_field *x, const char *z)
{
    size_t n = strlen(z);
    bool named = label_mask(&x->label, z, n) != 0 ||
                 overlap_mask_loose(&x->noun, z, n) != 0 ||
                 mem_find_i(z, n, x->label.spelled) != NULL;

    for (size_t i = 0; i < x->label.identifier_count; i++)
        named = named || label_names(x->label.identifiers[i], z, n);
    return named;
}

/* May the text name several things? Most do not, which is quickly told. */
static bool has_several(struct str s)
{
    return memchr(s.p, ',', s.n) != NULL || memchr(s.p, '"', s.n) != NULL ||
           memchr(s.p, ';', s.n) != NULL || memchr(s.p, '[', s.n) != NULL ||
           memchr(s.p, '|', s.n) != NULL || mem_find(s.p, s.n, " or ") ||
           mem_find(s.p, s.n, " and ");
}

/* Was the passage read with one of the first windows already? */
static bool is_again(const struct listings *all, size_t windows,
                     const struct candidate *c)
{
    for (size_t i = 0; i < windows && c->page > 0; i++)
        if (all->windows[i].page == c->page && c->seq >= all->windows[i].from &&
            c->seq <= all->windows[i].to)
            return true;
    return false;
}

/* The enumerations in one sentence, or in a paragraph. */
static enum err unit_try(struct array_field *x, const struct candidate *c,
                         const struct unit *u, size_t rank, double missing)
{
    struct value_want w = {.kind = VALUE_LIST,
                           .type = ANSWER_LIST,
                           .leaf = x->array,
                           .label = &x->label,
                           .q = x->f->q,
                           .item = x->item};
    struct value_choices v = {.count = 0};
    double entry = unit_entry(&x->label, c, u),
           kin = x->kin.plain == NULL ? 0 : unit_entry(&x->kin, c, u);
    enum err e = ERR_OK;

    w.entry = entry > 0;
    if (w.entry || has_several(u->text))
        e = value_find(&w, u, x->f->a, &v);
    for (size_t k = 0; e == ERR_OK && k < v.count; k++) {
        const struct value_choice *o = &v.at[k];
        struct listing_shape shape = {.count = o->count,
                                      .words = o->words,
                                      .single = o->single,
                                      .numbers = o->numbers};
        struct listing *g;
        bool valid = false;

        e = fill_is_valid(x->f, x->array, o->json, &valid);
        if (e != ERR_OK || !valid)
            continue;
        g = arena_alloc(x->f->a, sizeof *g);
        if (g == NULL)
            return ERR_NOMEM;
        *g = (struct listing){.c = c,
                              .heading = listing_heading(c),
                              .rank = rank,
                              .missing = missing,
                              .entry = entry,
                              .kin = kin,
                              .offered = o->offered,
                              .within = {"", 0},
                              .lead = {u->text.p, o->start}};
        if (u->before.n > 0 && !u->apart)
            g->lead = (struct str){
                u->before.p, (size_t)(u->text.p - u->before.p) + o->start};
        e = listing_add(x, g, &shape, TERM_WHOLE, o->json);
    }
    return e;
}

/* The line that the text is at the beginning of. */
static struct str line_of(struct str s)
{
    return (struct str){s.p, strcspn(s.p, "\n")};
}

/* Enumerations in a passage: those of a sentence, and what a paragraph quotes
 * one by one. */
static enum err words_try(struct array_field *x, const struct candidate *c,
                          size_t rank, double missing)
{
    struct unit *units = NULL;
    size_t count = 0;
    enum err e;

    if (!is_spoken_of(x, c->text) && !is_spoken_of(x, c->heading) &&
        !label_is_written(&x->label, c) &&
        (x->kin.plain == NULL || !label_is_written(&x->kin, c)))
        return ERR_OK;
    e = units_read(c, NULL, &x->f->clean, x->f->a, &units, &count);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct unit line = units[i];

        if (line.kind == UNIT_ROW && unit_entry(&x->label, c, &line) == 0)
            continue;
        e = unit_try(x, c, &units[i], rank, missing);
        if (line.kind != UNIT_SENTENCE || line.before.n > 0)
            continue;
        line.text = line_of(line.text);
        if (e == ERR_OK && line.text.n > units[i].text.n &&
            memchr(line.text.p, '"', line.text.n) != NULL)
            e = unit_try(x, c, &line, rank, missing);
    }
    return e;
}

static enum err candidates_read(struct array_field *x, const struct ranked *r,
                                size_t count)
{
    struct listings *all = &x->listings;
    bool listed = x->item != NULL && strcmp(fill_type(x->item), "array") != 0;
    bool objects = json_get(x->item, "properties") != NULL;
    enum err e = ERR_OK;

    for (size_t i = 0; i < count && i < CANDIDATES_MAX && e == ERR_OK; i++) {
        bool about = false;
        double missing = 0;
        size_t had = all->count, windows = all->window_count;

        e = fill_is_about(x->f, &r[i].c, &about, &missing);
        if (e != ERR_OK || missing >= 1)
            continue;
        e = listings_read(x->f, &r[i].c, i, all);
        for (size_t k = had; k < all->count; k++)
            all->at[k]->missing = missing;
        for (size_t k = had; k < all->count && e == ERR_OK && listed; k++)
            if (!is_again(all, windows, all->at[k]->c))
                e = listing_try(x, all->at[k]);
        for (; windows < all->window_count && e == ERR_OK && !objects;
             windows++)
            for (size_t k = 0; k < all->windows[windows].count && e == ERR_OK;
                 k++)
                if (!is_again(all, windows, &all->windows[windows].all[k]))
                    e = words_try(x, &all->windows[windows].all[k], i, missing);
    }
    return e;
}

/* --- choosing ------------------------------------------------------------ */

/* The label of what the array has the choices of, "compression" of
 * "compressionModes"; of no short word, "OS" of "OS_types", nor where no choice
 * is asked for, "cachedMethods". */
static enum err kin_read(const struct label *l, struct arena *a,
                         struct label *out)
{
    enum { LETTERS_LEAST = 4 };
    const char *plain = strrchr(l->plain, ' '), *full = strrchr(l->name, ' ');

    if (plain == NULL || full == NULL || plain - l->plain < LETTERS_LEAST ||
        (!tokens_have(plain, strlen(plain), value_words.kinds) &&
         !tokens_have(l->hint, strlen(l->hint), value_words.offers)))
        return ERR_OK;
    *out = *l;
    out->name = arena_strndup(a, l->name, (size_t)(full - l->name));
    out->plain = strcmp(l->plain, l->name) == 0
                     ? out->name
                     : arena_strndup(a, l->plain, (size_t)(plain - l->plain));
    return out->name == NULL || out->plain == NULL ? ERR_NOMEM : ERR_OK;
}

static enum err array_parse(struct array_field *x, const char *name)
{
    const char *last;
    enum err e =
        label_parse(name, x->array, x->f->q, x->f->subject, x->f->a, &x->label);

    if (e == ERR_OK && x->f->ask->index != NULL)
        e = overlap_weigh(&x->label.words, x->f->ask->index, x->f->ec);
    if (e == ERR_OK)
        e = label_mean(&x->label, x->f->a);
    if (e == ERR_OK)
        e = kin_read(&x->label, x->f->a, &x->kin);
    if (e != ERR_OK)
        return e;
    last = strrchr(x->label.name, ' ');
    return query_parse(last == NULL ? x->label.name : last + 1, x->f->a,
                       &x->noun);
}

/* One value that stands for a list of one. */
static enum err single(struct fill *f, const struct json *array,
                       const struct json *item, const char *name,
                       const char **json)
{
    const char *one = NULL;
    bool valid = false;
    enum err e = field_value(f, item, fill_type(item), name, &one);

    if (e != ERR_OK)
        return e;
    *json = arena_printf(f->a, "[%s]", one);
    if (*json == NULL)
        return ERR_NOMEM;
    e = fill_is_valid(f, array, *json, &valid);
    return e != ERR_OK ? e : valid ? ERR_OK : ERR_NO_RESULT;
}

static enum err candidates_find(struct array_field *x, const char *name)
{
    enum err e = array_parse(x, name);

    for (int k = 0; k < ASKED && e == ERR_OK && !x->label.refers; k++) {
        struct ranked *r = NULL;
        size_t count = 0;

        e = array_ask(x, k, &r, &count);
        if (e == ERR_OK)
            e = candidates_read(x, r, count);
        if (e == ERR_NO_RESULT)
            e = ERR_OK;
    }
    return e;
}

/* The choice as the field's value. Everything else that was read for it is
 * given back. */
static enum err choice_take(struct fill *f, const struct choice *o,
                            const char **json)
{
    const struct listing *g = o->from;
    struct candidate c = *g->c;
    struct str said = g->lead;

    *json = arena_strdup(f->a, o->json);
    c.url = arena_strdup(f->a, c.url);
    c.host = arena_strdup(f->a, c.host);
    c.title = arena_strdup(f->a, c.title);
    c.favicon = arena_strdup(f->a, c.favicon);
    if (said.n == 0 && g->count > 0)
        said = g->items[0].text;
    return arena_failed(f->a)
               ? ERR_NOMEM
               : fill_source(f, &c, arena_strndup(f->a, said.p, said.n));
}

enum err field_array(struct fill *f, const struct json *array,
                     const struct json *item, const char *name,
                     const char **json)
{
    struct array_field *x = calloc(1, sizeof *x);
    struct arena own, *outer = f->a;
    const struct choice *best;
    enum err e;

    if (x == NULL)
        return ERR_NOMEM;
    arena_init(&own, READ_BYTES_MAX);
    x->f = f;
    x->array = array;
    x->item = item;
    e = fill_alone(f);
    f->a = &own;
    if (e == ERR_OK)
        e = candidates_find(x, name);
    f->a = outer;
    if (e == ERR_OK && f->ask->choices != NULL)
        f->ask->choices(f->ask->id, name, CHOICE_ARRAY, &x->choices);
    best = e == ERR_OK ? choice_best(&x->choices, CHOICE_ARRAY) : NULL;
    if (best != NULL)
        e = choice_take(f, best, json);
    else if (e == ERR_OK)
        e = ERR_NO_RESULT;
    arena_fini(&own);
    free(x);
    if (e != ERR_NO_RESULT || item == NULL || fill_type(item)[0] == '\0' ||
        value_kind_of(item, fill_type(item)) == VALUE_TEXT ||
        value_kind_of(item, fill_type(item)) == VALUE_LIST)
        return e;
    return single(f, array, item, name, json);
}
