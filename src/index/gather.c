/* Postings in memory; see gather.h. A hash over a pool of strings numbers the
 * terms; a passage's postings are its terms' numbers with a code each. */
#include "index/gather.h"

#include "base/str.h"
#include "index/segment.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_MIN = 4096,
    POSTINGS_FULL = 8 << 20,
    TERMS_FULL = 1 << 20,
    CODE_BITS = 8
};

struct word {
    size_t at; /* in the pool */
    uint32_t hash, len;
    uint32_t passage; /* that held it last … */
    uint32_t posting; /* … and where that stands */
    uint32_t count;   /* passages, while writing */
    int64_t removed;
};

/* Of type T, grown by grow(). */
struct list {
    void *v;
    size_t count, size;
};

struct doc {
    uint32_t posting; /* its first one */
    uint16_t length;
};

struct gathered_page {
    struct seg_entry e;
    uint32_t doc; /* its first passage */
    bool dropped;
};

struct gather {
    uint32_t *slot; /* number of a word plus one; 0 = free */
    size_t slots;
    struct list words;    /* struct word */
    struct list pool;     /* char */
    struct list postings; /* uint32_t: word << CODE_BITS | code */
    struct list docs;     /* struct doc */
    struct list pages;    /* struct gathered_page */
    int32_t lang[LANG_COUNT + 1];
    /* the page at hand, and the language it is in there */
    enum lang l;
    struct stemmer *stem;
    bool removal;
    uint32_t passage; /* number of the last one, removals too; from 1 */
    bool begins;      /* none of its passages came yet */
    struct list title, heading; /* uint32_t: words of them, each once */
    struct list title_text, heading_text; /* char: what these were made of */
};

/* --- memory ------------------------------------------------------------ */

/* Room for n more of that many bytes. */
static bool grow(struct list *l, size_t n, size_t bytes)
{
    size_t size = l->size == 0 ? 64 : l->size;
    void *p;

    if (l->count + n <= l->size)
        return true;
    while (size < l->count + n)
        size *= 2;
    p = realloc(l->v, size * bytes);
    if (p == NULL)
        return false;
    l->v = p;
    l->size = size;
    return true;
}

static void drop(struct list *l)
{
    free(l->v);
    *l = (struct list){0};
}

struct gather *gather_new(void)
{
    return calloc(1, sizeof(struct gather));
}

void gather_clear(struct gather *g)
{
    struct gathered_page *p = g->pages.v;

    for (size_t i = 0; i < g->pages.count; i++)
        if (!p[i].e.goes_on)
            free((void *)(uintptr_t)p[i].e.url);
    free(g->slot);
    drop(&g->words);
    drop(&g->pool);
    drop(&g->postings);
    drop(&g->docs);
    drop(&g->pages);
    drop(&g->title);
    drop(&g->heading);
    drop(&g->title_text);
    drop(&g->heading_text);
    *g = (struct gather){0};
}

void gather_free(struct gather *g)
{
    if (g != NULL)
        gather_clear(g);
    free(g);
}

bool gather_is_empty(const struct gather *g)
{
    return g->passage == 0;
}

bool gather_is_full(const struct gather *g)
{
    return g->postings.count >= POSTINGS_FULL || g->words.count >= TERMS_FULL;
}

/* --- words ------------------------------------------------------------- */

static size_t find_slot(const struct gather *g, const char *p, size_t n,
                        uint32_t h)
{
    const struct word *words = g->words.v;
    size_t i = h & (g->slots - 1);

    while (g->slot[i] != 0) {
        const struct word *w = &words[g->slot[i] - 1];

        if (w->hash == h && w->len == n &&
            memcmp((char *)g->pool.v + w->at, p, n) == 0)
            break;
        i = (i + 1) & (g->slots - 1);
    }
    return i;
}

static bool grow_slots(struct gather *g)
{
    size_t slots = g->slots == 0 ? SLOTS_MIN : g->slots * 2;
    uint32_t *slot = calloc(slots, sizeof *slot);
    const struct word *words = g->words.v;

    if (slot == NULL)
        return false;
    for (size_t i = 0; i < g->words.count; i++) {
        size_t k = words[i].hash & (slots - 1);

        while (slot[k] != 0)
            k = (k + 1) & (slots - 1);
        slot[k] = (uint32_t)i + 1;
    }
    free(g->slot);
    g->slot = slot;
    g->slots = slots;
    return true;
}

static bool number_of(struct gather *g, const struct term *t, uint32_t *out)
{
    uint32_t h = hash_bytes(t->text, t->len);
    struct word *w;
    size_t i;

    if (g->words.count * 2 >= g->slots && !grow_slots(g))
        return false;
    i = find_slot(g, t->text, t->len, h);
    if (g->slot[i] == 0) {
        if (!grow(&g->words, 1, sizeof *w) || !grow(&g->pool, t->len, 1))
            return false;
        w = (struct word *)g->words.v + g->words.count;
        *w = (struct word){
            .at = g->pool.count, .hash = h, .len = (uint32_t)t->len};
        memcpy((char *)g->pool.v + w->at, t->text, t->len);
        g->pool.count += t->len;
        g->slot[i] = (uint32_t)++g->words.count;
    }
    *out = g->slot[i] - 1;
    return true;
}

/* --- passages ---------------------------------------------------------- */

/* The word stands in the passage at hand; code is added to what it has. */
static bool count_word(struct gather *g, uint32_t number, uint32_t code)
{
    struct word *w = (struct word *)g->words.v + number;
    uint32_t *postings = g->postings.v;

    if (w->passage != g->passage) {
        w->passage = g->passage;
        if (g->removal) {
            w->removed++;
            return true;
        }
        if (!grow(&g->postings, 1, sizeof *postings))
            return false;
        postings = g->postings.v;
        w->posting = (uint32_t)g->postings.count++;
        postings[w->posting] = number << CODE_BITS;
    }
    if (g->removal)
        return true;
    if (code < 4)
        postings[w->posting] |= code;
    else if ((postings[w->posting] & 0xFF) >> 2 < SEG_TIMES)
        postings[w->posting] += code;
    return true;
}

/* The words of a text, once for each time. */
static bool words_of(struct gather *g, const char *z, struct list *out)
{
    struct term_iter it;
    struct term t;

    out->count = 0;
    terms_init_with(&it, g->stem, z, strlen(z));
    while (terms_next(&it, &t)) {
        if (!grow(out, 1, sizeof(uint32_t)) ||
            !number_of(g, &t, (uint32_t *)out->v + out->count))
            return false;
        out->count++;
    }
    return true;
}

static bool count_words(struct gather *g, const struct list *l, uint32_t code)
{
    for (size_t i = 0; i < l->count; i++)
        if (!count_word(g, ((uint32_t *)l->v)[i], code))
            return false;
    return true;
}

static bool copy_text(struct list *l, const char *z)
{
    size_t n = strlen(z) + 1;

    l->count = 0;
    if (!grow(l, n, 1))
        return false;
    memcpy(l->v, z, n);
    l->count = n;
    return true;
}

/* Neighbours often stand below the same heading. */
static bool read_heading(struct gather *g, const char *z)
{
    if (g->heading_text.count > 0 && strcmp(g->heading_text.v, z) == 0)
        return true;
    return copy_text(&g->heading_text, z) && words_of(g, z, &g->heading);
}

static bool count_text(struct gather *g, const char *text)
{
    struct term_iter it;
    struct term t;
    uint32_t number;

    terms_init_with(&it, g->stem, text, strlen(text));
    while (terms_next(&it, &t))
        if (!number_of(g, &t, &number) || !count_word(g, number, 4))
            return false;
    return true;
}

/* A stretch of the page in another language than what came before, or its
 * first one. */
static bool begin_stretch(struct gather *g, enum lang l, struct stemmer *stem)
{
    if (!g->removal) {
        struct gathered_page *p, next;

        if (!grow(&g->pages, 1, sizeof *p))
            return false;
        p = (struct gathered_page *)g->pages.v + g->pages.count - 1;
        if (!g->begins) {
            next = *p;
            next.e.goes_on = true;
            next.e.first += next.e.docs;
            next.e.docs = 0;
            next.doc = (uint32_t)g->docs.count;
            *++p = next;
            g->pages.count++;
        }
        p->e.lang = l;
    }
    g->begins = false;
    g->l = l;
    g->stem = stem;
    g->heading_text.count = 0;
    return words_of(g, g->title_text.v, &g->title);
}

enum err gather_passage(struct gather *g, enum lang l, struct stemmer *stem,
                        const char *heading, const char *text)
{
    struct gathered_page *p;
    size_t n = strlen(text);
    struct doc *d;

    l = stem == NULL ? LANG_EN : l;
    if ((g->begins || l != g->l) && !begin_stretch(g, l, stem))
        return ERR_NOMEM;
    p = g->pages.v;
    g->passage++;
    if (g->l != LANG_EN)
        g->lang[g->l] += g->removal ? -1 : 1;
    if (!g->removal) {
        if (!grow(&g->docs, 1, sizeof *d))
            return ERR_NOMEM;
        d = (struct doc *)g->docs.v + g->docs.count++;
        d->posting = (uint32_t)g->postings.count;
        d->length = (uint16_t)(n < SEG_LENGTH_MAX ? n : SEG_LENGTH_MAX);
        p[g->pages.count - 1].e.docs++;
    }
    if (!read_heading(g, heading) || !count_words(g, &g->title, SEG_TITLE) ||
        !count_words(g, &g->heading, SEG_HEADING) || !count_text(g, text))
        return ERR_NOMEM;
    return ERR_OK;
}

static enum err begin_page(struct gather *g, bool removal, const char *title)
{
    g->removal = removal;
    g->begins = true;
    return copy_text(&g->title_text, title) ? ERR_OK : ERR_NOMEM;
}

enum err gather_page(struct gather *g, int64_t first, const char *rhost,
                     const char *url, int32_t day, const char *title)
{
    size_t n = strlen(url) + 1, m = strlen(rhost) + 1;
    struct gathered_page *p;
    char *names = malloc(n + m);

    if (names == NULL || !grow(&g->pages, 1, sizeof *p)) {
        free(names);
        return ERR_NOMEM;
    }
    memcpy(names, url, n);
    memcpy(names + n, rhost, m);
    p = (struct gathered_page *)g->pages.v + g->pages.count++;
    *p = (struct gathered_page){
        .e = {.first = first, .day = day, .url = names, .rhost = names + n},
        .doc = (uint32_t)g->docs.count,
    };
    return begin_page(g, false, title);
}

enum err gather_removal(struct gather *g, const char *title)
{
    return begin_page(g, true, title);
}

bool gather_drop(struct gather *g, int64_t first)
{
    struct gathered_page *p = g->pages.v;
    size_t low = 0, high = g->pages.count;

    while (low < high) { /* ids are handed out in ascending order */
        size_t mid = low + (high - low) / 2;

        if (p[mid].e.first < first)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == g->pages.count || p[low].e.first != first || p[low].dropped)
        return false;
    do {
        if (p[low].e.lang != LANG_EN)
            g->lang[p[low].e.lang] -= (int32_t)p[low].e.docs;
        p[low].dropped = true;
    } while (++low < g->pages.count && p[low].e.goes_on);
    return true;
}

/* --- writing ----------------------------------------------------------- */

/* What is written, in its order. */
struct output {
    struct seg_entry *pages;
    uint32_t *from; /* of each page, its first passage as it was gathered */
    uint16_t *lengths;
    uint32_t *order; /* of the words */
    uint32_t *begin; /* of each word, its first in doc and code */
    uint32_t *doc;
    uint8_t *code;
    uint32_t page_count, docs, postings;
};

static int by_address(const void *va, const void *vb)
{
    const struct gathered_page *const *a = va, *const *b = vb;
    int c = strcmp((*a)->e.rhost, (*b)->e.rhost);

    c = c != 0 ? c : strcmp((*a)->e.url, (*b)->e.url);
    return c != 0 ? c : (*a)->e.first < (*b)->e.first ? -1 : 1;
}

static bool order_pages(const struct gather *g, struct output *o)
{
    struct gathered_page *p = g->pages.v;
    struct gathered_page **list = calloc(g->pages.count + 1, sizeof *list);
    const struct doc *docs = g->docs.v;
    size_t n = 0;

    o->pages = calloc(g->pages.count + 1, sizeof *o->pages);
    o->from = calloc(g->pages.count + 1, sizeof *o->from);
    o->lengths = calloc(g->docs.count + 1, sizeof *o->lengths);
    if (list == NULL || o->pages == NULL || o->from == NULL ||
        o->lengths == NULL) {
        free(list);
        return false;
    }
    for (size_t i = 0; i < g->pages.count; i++)
        if (!p[i].dropped && p[i].e.docs > 0)
            list[n++] = &p[i];
    qsort(list, n, sizeof *list, by_address);
    for (size_t i = 0; i < n; i++) {
        o->pages[i] = list[i]->e;
        o->from[i] = list[i]->doc;
        for (uint32_t k = 0; k < list[i]->e.docs; k++)
            o->lengths[o->docs++] = docs[list[i]->doc + k].length;
    }
    o->page_count = (uint32_t)n;
    free(list);
    return true;
}

static uint32_t posting_end(const struct gather *g, uint32_t doc)
{
    return doc + 1 < g->docs.count ? ((struct doc *)g->docs.v)[doc + 1].posting
                                   : (uint32_t)g->postings.count;
}

/* For each posting of the pages in their order: count it by its word, or, with
 * place, put it behind those of its word. */
static void each_posting(const struct gather *g, struct output *o, bool place)
{
    const uint32_t *postings = g->postings.v;
    const struct doc *docs = g->docs.v;
    struct word *words = g->words.v;
    uint32_t number = 0;

    for (uint32_t i = 0; i < o->page_count; i++)
        for (uint32_t d = o->from[i]; d < o->from[i] + o->pages[i].docs;
             d++, number++)
            for (uint32_t k = docs[d].posting; k < posting_end(g, d); k++) {
                uint32_t w = postings[k] >> CODE_BITS;
                uint32_t at = o->begin[w] + words[w].count;

                words[w].count++;
                if (!place)
                    continue;
                o->doc[at] = number;
                o->code[at] = (uint8_t)postings[k];
            }
}

static int by_text(const void *va, const void *vb, void *arg)
{
    const struct gather *g = arg;
    const struct word *a = (struct word *)g->words.v + *(const uint32_t *)va;
    const struct word *b = (struct word *)g->words.v + *(const uint32_t *)vb;
    const char *pool = g->pool.v;
    int c =
        memcmp(pool + a->at, pool + b->at, a->len < b->len ? a->len : b->len);

    return c != 0 ? c : (a->len > b->len) - (a->len < b->len);
}

static bool order_postings(struct gather *g, struct output *o)
{
    struct word *words = g->words.v;
    size_t n = g->words.count;

    o->order = calloc(n + 1, sizeof *o->order);
    o->begin = calloc(n + 1, sizeof *o->begin);
    if (o->order == NULL || o->begin == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        o->order[i] = (uint32_t)i;
        words[i].count = 0;
    }
    each_posting(g, o, false);
    for (size_t i = 0; i < n; i++) {
        o->begin[i] = o->postings;
        o->postings += words[i].count;
        words[i].count = 0;
    }
    o->doc = calloc(o->postings + 1, sizeof *o->doc);
    o->code = calloc(o->postings + 1, sizeof *o->code);
    if (o->doc == NULL || o->code == NULL)
        return false;
    each_posting(g, o, true);
    qsort_r(o->order, n, sizeof *o->order, by_text, g);
    return true;
}

static void output_free(struct output *o)
{
    free(o->pages);
    free(o->from);
    free(o->lengths);
    free(o->order);
    free(o->begin);
    free(o->doc);
    free(o->code);
}

static void write_words(const struct gather *g, const struct output *o,
                        struct seg_writer *w)
{
    const struct word *words = g->words.v;

    for (size_t i = 0; i < g->words.count; i++) {
        const struct word *x = &words[o->order[i]];
        uint32_t at = o->begin[o->order[i]];

        if (x->count == 0 && x->removed == 0)
            continue;
        seg_writer_term(w, (char *)g->pool.v + x->at, x->len);
        seg_writer_removed(w, x->removed);
        for (uint32_t k = at; k < at + x->count; k++)
            seg_writer_posting(w, o->doc[k], o->code[k]);
    }
}

enum err gather_write(struct gather *g, const char *path, struct gathered *out,
                      struct errctx *ec)
{
    struct output o = {0};
    struct seg_writer *w = NULL;
    enum err e = ERR_NOMEM;

    if (order_pages(g, &o) && order_postings(g, &o))
        e = seg_writer_new(path, o.pages, o.page_count, o.lengths, o.docs, &w,
                           ec);
    else
        err_set(ec, e, "out of memory");
    if (e == ERR_OK) {
        write_words(g, &o, w);
        e = seg_writer_finish(w, g->lang, false, &out->bytes, ec);
    }
    out->pages = o.page_count;
    out->passages = o.docs;
    output_free(&o);
    return e;
}
