/* Units as they are weighed; see choices.h. */
#include "research/choices.h"

#include "base/str.h"
#include "lang/words.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum {
    UNIT_CONCEPTS = 160,
    UNIT_LINES = 64,
    LINE_WORDS = 5,    /* of what counts as said */
    ENTRY_WORDS = 12,  /* of an item that says enough by itself, on average */
    WINDOW_WORDS = 70, /* of what is taken out of paragraphs */
    NUMBER_WORDS = 3,  /* of a caption's number */
    NAME_WORDS = 10,   /* at most, of an item that is only a name */
    NAMES_MANY = 6,    /* so many are a table of contents */
    WORDS_LEAST = 12,
    BLOCK_LEAST = 4,    /* … for each of its blocks: no menu, no drawing */
    LEANING_LEAST = 25, /* … of what leans on words before it */
    SENTENCE_LEAST = 8  /* … a sentence, on average: no notes, no menu */
};

/* --- concepts and lines -------------------------------------------------- */

uint32_t choices_line(const char *p, size_t n)
{
    struct term_iter it;
    struct term t;
    uint32_t h = 2166136261u;
    size_t words = 0;

    for (size_t i = 0; i < n; i++)
        words += !ascii_is_space(p[i]) && (i == 0 || ascii_is_space(p[i - 1]));
    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        h = (h ^ hash_bytes(t.text, t.len)) * 16777619u;
    return words < LINE_WORDS ? 0 : h | 1;
}

/* The concept's number; CONCEPTS_MAX: there are too many. */
static uint32_t concept_of(struct choices *w, const struct term *t,
                           const char *word)
{
    uint32_t i = hash_bytes(t->text, t->len) % CONCEPTS_MAX;

    for (;; i = (i + 1) % CONCEPTS_MAX) {
        struct concept *c = &w->c[i];

        if (c->text == NULL && w->used < CONCEPTS_MAX / 2) {
            c->text = arena_strndup(w->a, t->text, t->len);
            c->word = arena_strdup(w->a, word);
            w->used++;
            return i;
        }
        if (c->text == NULL)
            return CONCEPTS_MAX;
        if (strcmp(c->text, t->text) == 0)
            return i;
    }
}

static bool has_number(const uint32_t *v, size_t n, uint32_t x)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] == x)
            return true;
    return false;
}

static void concepts_read(struct choices *w, struct choice *c, const char *p,
                          size_t n)
{
    enum lang l = w->r->query.lang;
    char word[sizeof((struct term *)0)->text];
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t)) {
        uint32_t i;

        c->words++;
        if (t.len < 2 || term_is_stop(t.text, t.len) ||
            lang_is_stop(l, t.text, t.len) || ascii_is_digit(t.text[0]))
            continue;
        memcpy(word, t.text, t.len + 1);
        t.len = term_stem(t.text, t.len);
        t.text[t.len] = '\0';
        i = concept_of(w, &t, word);
        if (i < CONCEPTS_MAX && c->concept_count < UNIT_CONCEPTS &&
            !has_number(c->concepts, c->concept_count, i))
            c->concepts[c->concept_count++] = i;
    }
}

static enum err line_read(struct choices *w, struct choice *c, const char *p,
                          size_t n)
{
    struct span *s = NULL;
    size_t count = 0;
    enum err e = sentences_split(p, n, w->a, &s, &count);

    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        uint32_t line = choices_line(p + s[i].start, s[i].len);

        c->sentences++;
        if (line == 0 || c->line_count == UNIT_LINES)
            continue;
        c->twice = c->twice || has_number(c->lines, c->line_count, line);
        c->lines[c->line_count++] = line;
    }
    return e;
}

static enum err lines_read(struct choices *w, struct choice *c, const char *p,
                           size_t n)
{
    enum err e = ERR_OK;

    for (size_t at = 0, len; e == ERR_OK && at < n; at += len + 1) {
        const char *end = memchr(p + at, '\n', n - at);

        len = end == NULL ? n - at : (size_t)(end - (p + at));
        e = line_read(w, c, p + at, len);
    }
    return e;
}

bool choices_leans(const struct run *r, const char *p, size_t n)
{
    const struct report_words *words = report_words_of(r->query.lang);
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    return n == 0 || *p == '(' || !tokens_next(&it, &t) || t.start > 1 ||
           report_list_has(words->clauses, t.text) ||
           report_leans(r->query.lang, p, n);
}

bool choices_asks(const struct run *r, const char *p, size_t n)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    return tokens_next(&it, &t) &&
           report_list_has(report_words_of(r->query.lang)->asks, t.text);
}

bool choices_is_of_itself(const struct run *r, const char *p, size_t n)
{
    const struct report_words *w = report_words_of(r->query.lang);
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        if (report_list_has(w->texts, t.text) ||
            report_list_has(w->refers, t.text))
            return true;
    return false;
}

bool choices_is_said(const struct choices *x, uint32_t line)
{
    return has_number(x->said, x->said_count, line);
}

enum err choices_say(struct choices *x, uint32_t line)
{
    if (!arena_grow(x->a, &x->said, x->said_count, 1, &x->said_size,
                    sizeof(*x->said)))
        return ERR_NOMEM;
    x->said[x->said_count++] = line;
    return ERR_OK;
}

/* --- units ---------------------------------------------------------------- */

/* The how many-th page it is of all, from 1. */
static size_t page_number(struct choices *w, const struct choice *c)
{
    for (const struct choice *o = w->v; o < c; o++)
        if (strcmp(o->url, c->url) == 0)
            return o->page;
    return ++w->pages;
}

/* "3.9. Maintainer Scripts": an item that names something and says nothing
 * about it. */
static bool is_name(const struct run_block *b, const char *p)
{
    return (b->kind == 'i' || b->kind == 'j') &&
           memchr(p, ':', b->len) == NULL && !sentence_is_closed(p, b->len) &&
           tokens_count(p, b->len) <= NAME_WORDS;
}

/* The name of the entry that comes next, and no item of a list; what the block
 * before it announces, "… is set in:", is more. */
bool choices_ends_with_name(const struct run *r, const struct choice *c)
{
    const struct run_block *b, *o;

    if (c->count < 2)
        return false;
    b = &c->blocks[c->count - 1];
    o = b - 1;
    return is_name(b, r->evidence[b->row].text + b->start) && o->kind != 'i' &&
           o->kind != 'j' && o->len > 0 &&
           r->evidence[o->row].text[o->start + o->len - 1] != ':';
}

/* "Changed in version 3.7": what is new, where that is not asked. */
static bool is_change(const struct run *r, const char *p, size_t n)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    return tokens_next(&it, &t) &&
           report_list_has(report_words_of(r->query.lang)->changes, t.text) &&
           !about_asks_for_changes(&r->query);
}

static enum err unit_read(struct choices *w, struct choice *c,
                          const struct run_unit *u)
{
    enum err e = ERR_OK;

    c->unit = u;
    c->is_code = true;
    c->url = w->r->evidence[c->blocks[0].row].url;
    c->place =
        (size_t)w->r->evidence[c->blocks[0].row].start + c->blocks[0].start;
    c->page = page_number(w, c);
    c->concepts = arena_array(w->a, UNIT_CONCEPTS, sizeof(*c->concepts));
    c->lines = arena_array(w->a, UNIT_LINES, sizeof(*c->lines));
    if (c->concepts == NULL || c->lines == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < c->count; i++) {
        const struct run_block *b = &c->blocks[i];
        const char *p = w->r->evidence[b->row].text + b->start;
        size_t before;

        c->is_code = c->is_code && b->kind == 'c';
        /* A listing without the line before it leans on that. */
        c->leans = c->leans || (i == 0 && (b->kind == 'c' ||
                                           choices_leans(w->r, p, b->len) ||
                                           is_change(w->r, p, b->len)));
        c->names += is_name(b, p);
        concepts_read(w, c, p, b->len);
        before = c->sentences;
        e = lines_read(w, c, p, b->len);
        if (b->kind != 'p')
            c->sentences = before;
    }
    return e;
}

/* Adds blocks of the unit; first: its own first one is among them. */
static enum err choice_add(struct choices *w, const struct run_unit *u,
                           const struct run_block *blocks, size_t count,
                           bool first, bool last)
{
    struct choice *c;

    if (count == 0)
        return ERR_OK;
    if (!arena_grow(w->a, &w->v, w->count, 1, &w->size, sizeof(*w->v)))
        return ERR_NOMEM;
    c = &w->v[w->count++];
    memset(c, 0, sizeof(*c));
    c->blocks = arena_array(w->a, count, sizeof(*c->blocks));
    if (c->blocks == NULL)
        return ERR_NOMEM;
    memcpy(c->blocks, blocks, count * sizeof(*blocks));
    c->count = count;
    c->begins = first;
    c->ends = last;
    c->leads = first ? u->leads : 0;
    c->answers = first && u->answers;
    return unit_read(w, c, u);
}

/* Its blocks that are weighed. */
static const struct run_block *core_of(const struct run_unit *u, size_t *n)
{
    *n = u->count - u->ahead - u->behind;
    return u->blocks + u->ahead;
}

/* What is taken together of a unit's paragraphs. */
struct window {
    const struct run_unit *unit;
    struct run_block b[RUN_BLOCKS_MAX];
    size_t n, words;
    bool first;
};

/* Does it end in a dash ("loop –"): a name, whose text stands behind it? */
static bool ends_in_dash(const char *p, size_t n)
{
    return (n > 0 && p[n - 1] == '-') ||
           (n > 2 && (memcmp(p + n - 3, "\xE2\x80\x93", 3) == 0 ||
                      memcmp(p + n - 3, "\xE2\x80\x94", 3) == 0));
}

/* Does the block announce something behind it, or end in the midst of a
 * sentence? An item may end as it likes, but not announce. */
static bool is_open(const struct choices *w, const struct run_block *b)
{
    const char *p = w->r->evidence[b->row].text + b->start;

    if (b->kind == 'p')
        return !sentence_is_closed(p, b->len);
    return b->kind != 'c' && b->kind != 'r' && b->len > 0 &&
           (p[b->len - 1] == ':' || ends_in_dash(p, b->len));
}

/* The block without its last sentence. */
static enum err sentence_drop(const struct choices *w, struct run_block *b)
{
    const char *p = w->r->evidence[b->row].text + b->start;
    struct span *s = NULL;
    size_t n = 0;
    enum err e = sentences_split(p, b->len, w->a, &s, &n);

    b->len = e == ERR_OK && n > 1 ? s[n - 2].start + s[n - 2].len : 0;
    return e;
}

/* What introduces something that is not there, or is not finished, says
 * nothing; a caption neither. */
static enum err drop_open(const struct choices *w, struct run_block *b,
                          size_t *n)
{
    enum err e = ERR_OK;

    while (e == ERR_OK && *n > 0 && is_open(w, &b[*n - 1])) {
        e = sentence_drop(w, &b[*n - 1]);
        *n -= b[*n - 1].len == 0;
    }
    return e;
}

static enum err window_end(struct choices *w, struct window *x, bool last)
{
    enum err e = drop_open(w, x->b, &x->n);

    if (e == ERR_OK)
        e = choice_add(w, x->unit, x->b, x->n, x->first, last);
    x->n = x->words = 0;
    x->first = false;
    return e;
}

/* A window ends where it is long enough and the next sentence stands by
 * itself. */
static enum err sentences_add(struct choices *w, struct window *x,
                              const struct run_block *b)
{
    const char *p = w->r->evidence[b->row].text + b->start;
    struct span *s = NULL;
    size_t count = 0;
    bool joined = false;
    /* "Figure 3. Names of the parts": a caption. */
    bool open = b->len > 0 && !sentence_is_closed(p, b->len) &&
                strchr(":,;", p[b->len - 1]) == NULL;
    enum err e = sentences_split(p, b->len, w->a, &s, &count);

    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        size_t words = tokens_count(p + s[i].start, s[i].len);

        if (open && (i + 1 == count || words <= NUMBER_WORDS))
            continue;
        if (x->n > 0 && x->words + words > WINDOW_WORDS &&
            !choices_leans(w->r, p + s[i].start, s[i].len)) {
            e = window_end(w, x, false);
            joined = false;
        }
        if (!joined)
            x->b[x->n++] =
                (struct run_block){b->row, b->start + s[i].start, 0, b->kind,
                                   s[i].start == 0 ? b->number : 0};
        x->b[x->n - 1].len =
            b->start + s[i].start + s[i].len - x->b[x->n - 1].start;
        x->words += words;
        joined = true;
    }
    return e;
}

/* Are they entries, each of which says something by itself? Steps do not. */
static bool has_entries(const struct choices *w, const struct run_unit *u)
{
    size_t words = 0, steps = 0, n;
    const struct run_block *v = core_of(u, &n);

    for (size_t i = 0; i < n; i++) {
        const struct run_block *b = &v[i];

        if (b->kind != 'i')
            return false;
        words += tokens_count(w->r->evidence[b->row].text + b->start, b->len);
        steps += report_tells_to(
            w->r->query.lang, w->r->evidence[b->row].text + b->start, b->len);
    }
    return n > 1 && words >= ENTRY_WORDS * n && 2 * steps <= n;
}

/* A unit with more than paragraphs, without a listing in front that nothing is
 * said of. */
static enum err whole_add(struct choices *w, const struct run_unit *u)
{
    struct run_block b[RUN_BLOCKS_MAX];
    size_t n = 0, from = 0, count;
    const struct run_block *v = core_of(u, &count);
    enum err e;

    while (from < count && v[from].kind == 'c')
        from++;
    while (from + n < count) {
        b[n] = v[from + n];
        n++;
    }
    e = drop_open(w, b, &n);
    return e == ERR_OK ? choice_add(w, u, b, n, from == 0, true) : e;
}

static enum err entry_add(struct choices *w, const struct run_unit *u, size_t i)
{
    size_t n;
    struct run_block b = core_of(u, &n)[i];
    enum err e;

    n = 1;
    e = drop_open(w, &b, &n);
    return e == ERR_OK ? choice_add(w, u, &b, n, i == 0, false) : e;
}

/* Entries one by one; any other list stays whole. */
static enum err windows_add(struct choices *w, const struct run_unit *u)
{
    struct window x = {.unit = u, .first = true};
    bool entries = has_entries(w, u);
    size_t n;
    const struct run_block *v = core_of(u, &n);
    enum err e = ERR_OK;

    for (size_t i = 0; !entries && i < n; i++)
        if (v[i].kind != 'p')
            return whole_add(w, u);
    for (size_t i = 0; e == ERR_OK && i < n; i++)
        e = entries ? entry_add(w, u, i) : sentences_add(w, &x, &v[i]);
    return e == ERR_OK ? window_end(w, &x, true) : e;
}

enum err choices_read(const struct run *r, struct arena *a, struct choices *out)
{
    enum err e = ERR_OK;

    *out = (struct choices){.r = r, .a = a};
    out->c = arena_array(a, CONCEPTS_MAX, sizeof(*out->c));
    if (out->c == NULL)
        return ERR_NOMEM;
    memset(out->c, 0, CONCEPTS_MAX * sizeof(*out->c));
    for (size_t i = 0; e == ERR_OK && i < r->unit_count; i++)
        e = windows_add(out, &r->units[i]);
    return e == ERR_OK && arena_failed(a) ? ERR_NOMEM : e;
}

bool choices_is_contents(const struct choice *c)
{
    return c->names >= NAMES_MANY && 2 * c->names > c->count;
}

bool choices_is_short(const struct choice *c)
{
    return c->words < WORDS_LEAST || c->words < BLOCK_LEAST * c->count ||
           c->words < SENTENCE_LEAST * c->sentences || c->is_code ||
           (c->words < LEANING_LEAST && c->blocks->kind == 'p' && c->leans);
}
