/* Units chosen of pages; see keep.h. */
#include "research/keep.h"

#include "answer/answer_units.h"
#include "answer/label.h"
#include "answer/unit_list.h"
#include "answer/unit_whole.h"
#include "answer/units.h"
#include "base/str.h"
#include "lang/words.h"
#include "page/injection.h"
#include "question/evidence.h"
#include "question/overlap.h"
#include "question/sign.h"
#include "research/choices.h"
#include "text/passage.h"
#include "text/terms.h"

#include <math.h>
#include <string.h>

enum {
    PAGE_UNITS = 5, /* of a page, its opening besides */
    PAGE_WORDS = 420,
    QUERY_UNITS = 48, /* of all pages of a query */
    ROWS_MAX = 256,
    NAMES_LEAST = 8,     /* commas of a row of names */
    PLACES_LEAST = 4,    /* words of a row of places */
    OPENING_LOOK = 6,    /* parts that are looked at for a page's opening */
    LIST_LOOK = 16,      /* … for its first list */
    OPENING_WORDS = 12,  /* at least, of a first paragraph */
    THOUGHT_WORDS = 100, /* with what it leans on */
    LIST_WORDS = 80,     /* of a list that is taken to its end */
    REST_WORDS = 60,     /* … of a list that little is left of */
    LEAD_WORDS = 30,     /* … of the line that introduces it */
    NAME_WORDS = 5,      /* … of what only names what stands behind it */
    WITH_WORDS = 80,     /* of what is said with a unit, of each kind */
    STEPS_WORDS = 500,   /* … that says step by step what to do */
    STEPS_LEAST = 3,
    STEPS_MOST = 15,
    UNITS_MAX = 5 * QUERY_UNITS /* with openings and outlines */
};

static const double PROSE_MIN = 0.6; /* of evidence_prose */

struct keeper {
    const struct run *r;
    size_t sub;
    const struct query *q;
    const struct found_page *pages;
    size_t count; /* of pages */
    const struct units *u;
    struct arena *a;
    struct found *f;
    double *none; /* features of what was not weighed */
};

/* --- ranges -------------------------------------------------------------- */

static bool is_item(char kind)
{
    return kind == 'i' || kind == 'j' || kind == 'r';
}

static bool ends_open(const struct part *p)
{
    return p->kind == 'p' && p->len > 0 &&
           strchr(":,;", p->c->text[p->start + p->len - 1]) != NULL;
}

static bool introduces(const struct part *p)
{
    return p->announces || ends_open(p);
}

/* Does a sentence run on from part i over a listing: "Suppose you want to see
 * …", which stands below it, "will show it"? */
static bool runs_over(const struct part *v, size_t n, size_t i)
{
    size_t c = v[i].kind == 'c' ? i : i + 1;
    const char *behind;

    if (c == 0 || c + 1 >= n || v[c].kind != 'c' || v[c - 1].kind != 'p' ||
        v[c + 1].kind != 'p' || v[c - 1].section != v[c].section ||
        v[c + 1].section != v[c].section)
        return false;
    behind = v[c + 1].c->text + v[c + 1].start;
    return *behind >= 'a' && *behind <= 'z';
}

/* The items of the list that part i is one of: *from to *to, with what goes on
 * in them. */
static void list_of(const struct part *v, size_t n, size_t i, size_t *from,
                    size_t *to)
{
    *from = *to = i;
    while (*from > 0 && v[*from - 1].section == v[i].section &&
           (is_item(v[*from - 1].kind) || v[*from].goes_on))
        (*from)--;
    while (*to + 1 < n && v[*to + 1].section == v[i].section &&
           (is_item(v[*to + 1].kind) || v[*to + 1].goes_on))
        (*to)++;
}

/* Does most of a list's items say what to do: are they steps, of which none may
 * be left out? */
static bool is_steps(const struct keeper *k, const struct part *v, size_t from,
                     size_t to)
{
    size_t items = 0, steps = 0;

    for (size_t i = from; i <= to; i++) {
        if (v[i].kind != 'i' || v[i].goes_on)
            continue;
        items++;
        steps +=
            report_tells_to(k->q->lang, v[i].c->text + v[i].start, v[i].len);
    }
    return items >= STEPS_LEAST && items <= STEPS_MOST && 2 * steps > items;
}

/* From the line that introduces a list to the list's end, a listing with the
 * line before it, where that is not too long. */
static void whole_list(const struct keeper *k, struct unit *x)
{
    const struct part *v = k->u->parts[x->page];
    size_t n = k->u->part_count[x->page], from = x->from, to = x->to;
    size_t words = x->words, most = LIST_WORDS, at, first, last;

    if (x->from == x->to && x->len < v[x->from].len)
        return;
    at = x->to + (!is_item(v[x->to].kind) && introduces(&v[x->to]));
    if (at < n && is_item(v[at].kind)) {
        list_of(v, n, at, &first, &last);
        if (is_steps(k, v, first, last))
            most = STEPS_WORDS;
    }
    while (from > 0 && v[from - 1].section == v[from].section &&
           words + v[from - 1].words <= most &&
           ((is_item(v[from].kind) && is_item(v[from - 1].kind)) ||
            ((is_item(v[from].kind) || v[from].kind == 'c') &&
             introduces(&v[from - 1]))))
        words += v[--from].words;
    while (to + 1 < n && v[to + 1].section == v[to].section &&
           words + v[to + 1].words <= most &&
           ((is_item(v[to].kind) && is_item(v[to + 1].kind)) ||
            introduces(&v[to]) || v[to + 1].goes_on || runs_over(v, n, to)))
        words += v[++to].words;
    /* A listing whose end is too far is not begun. */
    while (to > from && v[to].kind == 'c' && to + 1 < n && v[to + 1].goes_on)
        words -= v[to--].words;
    /* What introduces nothing any more says nothing. */
    while (to > from && (introduces(&v[to]) || runs_over(v, n, to)))
        words -= v[to--].words;
    if (from == x->from && to == x->to)
        return;
    *x = (struct unit){.page = x->page,
                       .from = from,
                       .to = to,
                       .start = v[from].start,
                       .len = v[from].len,
                       .words = words,
                       .score = x->score};
}

/* Does the text lean on what stands before it? */
static bool leans_at(const struct keeper *k, const struct part *p, size_t start)
{
    return p->kind == 'p' &&
           choices_leans(k->r, p->c->text + start, p->start + p->len - start);
}

/* The last sentence of the part before `start` that leans on none, or its
 * first. */
static enum err start_of(const struct keeper *k, const struct part *p,
                         size_t *start)
{
    const char *z = p->c->text + p->start;
    struct span *s = NULL;
    size_t n = 0, found = 0;
    enum err e = sentences_split(z, p->len, k->a, &s, &n);

    for (size_t i = 0; i < n && p->start + s[i].start < *start; i++)
        if (!choices_leans(k->r, z + s[i].start, s[i].len))
            found = s[i].start;
    if (e == ERR_OK)
        *start = p->start + found;
    return e;
}

/* What a unit's beginning leans on, in front of it, where that is not too
 * long. */
static enum err whole_thought(const struct keeper *k, struct unit *x)
{
    const struct part *v = k->u->parts[x->page];
    size_t end = x->start + x->len, from = x->from, words = 0;
    enum err e = ERR_OK;

    if (leans_at(k, &v[from], x->start) && x->start > v[from].start) {
        e = start_of(k, &v[from], &x->start);
        x->len = end - x->start;
    }
    if (x->from == x->to && end < v[from].start + v[from].len)
        return e;
    for (size_t i = x->from; i <= x->to; i++)
        words += v[i].words;
    while (from > 0 && leans_at(k, &v[from], v[from].start) &&
           v[from - 1].section == v[from].section &&
           words + v[from - 1].words <= THOUGHT_WORDS)
        words += v[--from].words;
    if (from == x->from || e != ERR_OK)
        return e;
    *x = (struct unit){.page = x->page,
                       .from = from,
                       .to = x->to,
                       .start = v[from].start,
                       .len = v[from].len,
                       .words = words,
                       .score = x->score};
    return e;
}

/* --- what is said with a unit --------------------------------------------- */

/* A few words that end no sentence and stand before what they name. */
static bool is_name(const struct keeper *k, size_t page, size_t i)
{
    const struct part *p = &k->u->parts[page][i];
    const char *z = p->c->text + p->start;

    return i + 1 < k->u->part_count[page] && p[1].section == p->section &&
           (p[1].kind == 'p' || p[1].kind == 'q' || p[1].kind == 'c') &&
           p->kind != 'r' && p->kind != 'c' && p->words <= NAME_WORDS &&
           p->len > 0 && memchr(z, ':', p->len - 1) == NULL &&
           !sentence_is_closed(z, p->len);
}

/* Where the unit ends in its last part. */
static size_t span_end(const struct keeper *k, const struct unit *x)
{
    size_t start, len;

    (void)unit_says(k->u, x, x->to, &start, &len);
    return start + len;
}

/* Let it be from a byte of a part to one of another. */
static void span_set(const struct keeper *k, struct unit *x, size_t from,
                     size_t start, size_t to, size_t end)
{
    const struct part *v = k->u->parts[x->page];

    x->from = from;
    x->start = start;
    x->to = to;
    x->len = (from == to ? end : v[from].start + v[from].len) - start;
    x->until = from == to || end == v[to].start + v[to].len ? 0 : end;
}

/* A list is said to its end where little of it is left, and from the line that
 * introduces it where most of it is said. */
static void list_complete(const struct keeper *k, struct unit *x)
{
    const struct part *v = k->u->parts[x->page];
    size_t n = k->u->part_count[x->page], first, last, said = 0;
    size_t ahead = 0, rest = 0, at = x->to;
    bool begins = x->start == v[x->from].start;

    if (!is_item(v[at].kind) || span_end(k, x) < v[at].start + v[at].len)
        at = x->from;
    if (!is_item(v[at].kind) || (at == x->from && !begins))
        return;
    list_of(v, n, at, &first, &last);
    /* What stands in one entry is no list with the others. */
    for (size_t i = at; i > first && v[at].kind == 'j'; i--)
        first = v[i - 1].kind == 'i' ? i : first;
    for (size_t i = at; i < last && v[at].kind == 'j'; i++)
        last = v[i + 1].kind == 'i' ? i : last;
    for (size_t i = first; i <= last; i++)
        *(i < x->from ? &ahead : i > x->to ? &rest : &said) += v[i].words;
    if (ahead + rest > REST_WORDS || ahead + rest > said)
        return;
    if (first <= x->from && first > 0 && first < last &&
        v[first - 1].section == v[first].section &&
        v[first - 1].words <= LEAD_WORDS &&
        (introduces(&v[first - 1]) || is_item(v[first - 1].kind) ||
         is_name(k, x->page, first - 1)))
        first--;
    if (first < x->from && begins)
        span_set(k, x, first, v[first].start, x->to, span_end(k, x));
    if (last > x->to)
        span_set(k, x, x->from, x->start, last, v[last].start + v[last].len);
}

/* What is said behind x is no list that is only begun, and ends neither with
 * what announces something nor with the name of what is not said. */
static void drop_begun(const struct keeper *k, struct unit *w,
                       const struct unit *x)
{
    const struct part *v = k->u->parts[w->page];
    size_t first, last = w->to;

    if (w->to > x->to && is_item(v[w->to].kind))
        list_of(v, k->u->part_count[w->page], w->to, &first, &last);
    if (last > w->to)
        span_set(k, w, w->from, w->start, x->to, span_end(k, x));
    while (w->to > x->to &&
           (part_ends_open(&v[w->to]) || is_name(k, w->page, w->to)))
        span_set(k, w, w->from, w->start, w->to - 1,
                 v[w->to - 1].start + v[w->to - 1].len);
}

/* The unit with what its first words lean on, the term of its entry, what it
 * announces, and what is left of its list. */
static enum err complete(const struct keeper *k, const struct unit *x,
                         struct unit *out)
{
    struct unit w = *x;
    enum err e;

    if (w.v == NULL)
        w.v = k->none;
    e = unit_make_whole(k->q, k->u, &w, true, WITH_WORDS, k->a);
    w.last = 0; /* not by the heads of a list alone */
    if (w.to < x->to || (w.to == x->to && span_end(k, &w) < span_end(k, x)))
        span_set(k, &w, w.from, w.start, x->to, span_end(k, x));
    list_complete(k, &w);
    drop_begun(k, &w, x);
    *out = w;
    return e;
}

/* --- rows ---------------------------------------------------------------- */

static bool is_row(const struct evidence *e, const struct candidate *c,
                   const char *heading)
{
    if (strcmp(e->heading, heading) != 0)
        return false;
    if (e->passage != 0 || c->passage != 0)
        return e->passage == c->passage;
    return strcmp(e->url, c->url) == 0 && strcmp(e->text, c->text) == 0;
}

static void row_of(struct evidence *row, size_t sub, const struct candidate *c,
                   const char *heading, double score)
{
    memset(row, 0, sizeof *row);
    row->sub = (int64_t)sub;
    row->page = c->page;
    row->passage = c->passage;
    row->url = c->url;
    row->title = c->title == NULL ? "" : c->title;
    row->favicon = c->favicon == NULL ? "" : c->favicon;
    row->heading = heading;
    row->text = c->text;
    row->start = c->start;
    row->day = c->day;
    row->score = score;
}

/* The number of the row of a passage and of what is said of it under the
 * heading, counted through the whole evidence; the sub-question's own are used
 * again. */
static bool row_find(struct keeper *k, const struct candidate *c,
                     const char *heading, double score, size_t *row)
{
    const struct run *r = k->r;

    if (heading == NULL)
        heading = c->heading == NULL ? "" : c->heading;

    for (size_t i = 0; i < r->evidence_count; i++)
        if (r->evidence[i].sub == (int64_t)k->sub &&
            is_row(&r->evidence[i], c, heading)) {
            *row = i;
            return true;
        }
    for (size_t i = 0; i < k->f->count; i++)
        if (is_row(&k->f->rows[i], c, heading)) {
            *row = r->evidence_count + i;
            return true;
        }
    if (k->f->count == ROWS_MAX)
        return false;
    row_of(&k->f->rows[k->f->count], k->sub, c, heading, score);
    *row = r->evidence_count + k->f->count++;
    return true;
}

/* --- units --------------------------------------------------------------- */

/* "asyncio is …": does it begin with a word of what it stands under? */
static bool begins_named(const struct keeper *k, const struct part *p)
{
    const char *z = p->c->text + p->start;
    struct str first = {z, strcspn(z, " \n")};
    const char *const over[] = {p->c->heading, p->c->title};

    if (lang_is_stop(k->q->lang, first.p, first.n))
        return false;
    for (size_t i = 0; i < sizeof(over) / sizeof(*over); i++)
        if (over[i] != NULL &&
            sign_find(first, over[i], strlen(over[i])) != NULL)
            return true;
    return false;
}

/* Does it begin in the middle of something? */
static bool is_torn(const struct keeper *k, const struct unit *x)
{
    const struct part *p = &k->u->parts[x->page][x->from];
    char first = p->c->text[p->start];

    return p->kind == 'p' &&
           (strchr("()[],", first) != NULL ||
            (first >= 'a' && first <= 'z' && !begins_named(k, p)));
}

/* "Clone, Close, Clothify, Color, Glossary": names, and no sentence. */
static bool is_row_of_names(const char *p, size_t n)
{
    size_t words = 0, commas = 0;

    for (size_t i = 0; i < n; i++) {
        words += p[i] == ' ';
        commas += p[i] == ',';
    }
    return commas >= NAMES_LEAST && 2 * commas > words;
}

/* "rtree → vtab.html#list fts5.html changes.html#new": where something stands,
 * and nothing about it. */
static bool is_row_of_places(const char *p, size_t n)
{
    size_t words = 0, places = 0;

    for (size_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && !ascii_is_space(p[end]);)
            end++;
        words += end > i;
        for (size_t k = i + 1; k + 1 < end; k++)
            if ((p[k] == '.' || p[k] == '#') && !ascii_is_digit(p[k + 1]) &&
                p[k + 1] != p[k]) {
                places++;
                break;
            }
    }
    return words >= PLACES_LEAST && 2 * places > words;
}

/* Does one of the first words say in capitals, in any language, that this is
 * still to be written: "FIXME: describe it", "Open points (TODO)"? */
static bool is_draft(const char *p, size_t n, size_t words)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (words-- > 0 && tokens_next(&it, &t))
        if (p[t.start] >= 'A' && p[t.start] <= 'Z' && p[t.end - 1] >= 'A' &&
            p[t.end - 1] <= 'Z' &&
            report_list_has(report_words[LANG_EN].drafts, t.text))
            return true;
    return false;
}

/* A paragraph that is none: an index, a menu, a row of names. */
static bool is_prose(const struct keeper *k, const struct unit *x)
{
    const struct part *v = k->u->parts[x->page];
    const char *const over[] = {v[x->from].c->heading, v[x->from].c->title};

    for (size_t i = 0; i < sizeof(over) / sizeof(*over); i++)
        if (over[i] != NULL && is_draft(over[i], strlen(over[i]), SIZE_MAX))
            return false;
    for (size_t i = x->from; i <= x->to; i++) {
        size_t start = x->from == x->to ? x->start : v[i].start;
        size_t len = x->from == x->to ? x->len : v[i].len;

        if (is_draft(v[i].c->text + start, len, 1) ||
            (is_item(v[i].kind) && is_row_of_places(v[i].c->text + start, len)))
            return false;
        if (v[i].kind == 'p' && !ends_open(&v[i]) &&
            (evidence_prose(v[i].c->text + start, len) < PROSE_MIN ||
             is_row_of_names(v[i].c->text + start, len)))
            return false;
    }
    return true;
}

/* Text that speaks to machines is not kept. */
static bool is_clean(const struct keeper *k, const struct unit *x)
{
    const struct part *v = k->u->parts[x->page];
    const struct candidate *c = NULL;
    const char *shown = NULL;

    for (size_t i = x->from; i <= x->to; i++) {
        if (v[i].c != c)
            shown = injection_mask(v[i].c->text, k->a);
        c = v[i].c;
        if (shown == NULL ||
            memcmp(shown + v[i].start, c->text + v[i].start, v[i].len) != 0)
            return false;
    }
    return true;
}

/* How the page stands among those found, to 1. */
static double standing_of(const struct keeper *k, size_t page)
{
    double best = 0;

    for (size_t i = 0; i < k->count; i++)
        best = fmax(best, k->pages[i].score);
    return best > 0 ? fmax(0, trunc(k->pages[page].score / best * RUN_SCORES)) /
                          RUN_SCORES
                    : 0;
}

/* The first paragraph of the page, where it was read from its beginning; NULL:
 * it has none. */
static const struct part *opening_of(const struct keeper *k, size_t page)
{
    const struct part *v = k->u->parts[page];
    size_t n = k->u->part_count[page];

    for (size_t i = 0; i < n && i < OPENING_LOOK && v[0].c->seq == 0; i++)
        if (v[i].kind == 'p' && v[i].words >= OPENING_WORDS &&
            evidence_prose(v[i].c->text + v[i].start, v[i].len) >= PROSE_MIN)
            return &v[i];
    return NULL;
}

/* As run_unit.leads has it. */
static int leads(const struct keeper *k, const struct unit *x)
{
    const struct part *p = &k->u->parts[x->page][x->from];

    if (x->from == x->to && x->start > p->start)
        return 0;
    if (k->f->defines && k->f->unit_count == 0 && p->kind == 'p')
        return 3;
    return p == opening_of(k, x->page) ? 2 : p->at == 0;
}

/* Bytes of part i as a block of the unit, or ahead of it or behind. */
static bool block_add(struct keeper *k, const struct unit *x, size_t i,
                      size_t start, size_t end, struct run_unit *u)
{
    const struct part *p = &k->u->parts[x->page][i];
    const char *first = k->u->parts[x->page][x->from].heading;
    struct run_block *b = &u->blocks[u->count];

    while (end > start && ascii_is_space(p->c->text[end - 1]))
        end--;
    while (start > p->start && start < end && ascii_is_space(p->c->text[start]))
        start++;
    if (start == end)
        return true;
    b->start = start;
    b->len = end - start;
    b->kind = i < x->from && is_name(k, x->page, i) ? 'p' : p->kind;
    b->number = start == p->start ? p->number : 0;
    u->count++;
    return row_find(k, p->c,
                    p->c == k->u->parts[x->page][x->from].c ? first : NULL,
                    x->score, &b->row);
}

/* What of w, which is said with x, is ahead of it, it itself, and behind it; in
 * front of all its default, where the request asks for such. */
static bool blocks_add(struct keeper *k, const struct unit *x,
                       const struct unit *w, struct run_unit *u)
{
    const struct part *v = k->u->parts[x->page];
    const struct part *value =
        answer_asks_default(&k->r->query) ? answer_default(k->u, x) : NULL;
    size_t start, len, from, n;
    bool ok = true;

    if (value != NULL && value < v + w->from &&
        is_clean(k, &(struct unit){.page = x->page,
                                   .from = (size_t)(value - v),
                                   .to = (size_t)(value - v)}))
        ok = block_add(k, x, (size_t)(value - v), value->start,
                       value->start + value->len, u);
    for (size_t i = w->from; ok && i <= x->from; i++) {
        (void)unit_says(k->u, w, i, &start, &len);
        n = i < x->from ? start + len : x->start;
        ok = n <= start || block_add(k, x, i, start, n, u);
    }
    u->ahead = u->count;
    for (size_t i = x->from; ok && i <= x->to; i++) {
        (void)unit_says(k->u, x, i, &start, &len);
        ok = block_add(k, x, i, start, start + len, u);
    }
    from = u->count;
    for (size_t i = x->to; ok && i <= w->to; i++) {
        (void)unit_says(k->u, w, i, &start, &len);
        n = start + len;
        if (i == x->to) {
            (void)unit_says(k->u, x, i, &start, &len);
            start += len;
        }
        ok = n <= start || block_add(k, x, i, start, n, u);
    }
    u->behind = u->count - from;
    return ok;
}

static enum err unit_keep(struct keeper *k, struct unit x)
{
    struct run_unit *u = &k->f->units[k->f->unit_count];
    struct unit w;
    enum err e;

    if (x.to - x.from + 1 > RUN_BLOCKS_MAX || is_torn(k, &x) ||
        !is_prose(k, &x) || !is_clean(k, &x))
        return ERR_OK;
    e = complete(k, &x, &w);
    if (e != ERR_OK)
        return e;
    if (w.to - w.from + 4 > RUN_BLOCKS_MAX || !is_prose(k, &w) ||
        !is_clean(k, &w))
        w = x;
    /* As exact as it is stored, so that who goes on finds the same order. */
    *u = (struct run_unit){.sub = k->sub,
                           .standing = standing_of(k, x.page),
                           .leads = leads(k, &x)};
    u->blocks = arena_array(k->a, w.to - w.from + 4, sizeof *u->blocks);
    if (u->blocks == NULL)
        return ERR_NOMEM;
    if (!blocks_add(k, &x, &w, u)) {
        u->count = u->ahead = u->behind = 0;
        if (!blocks_add(k, &x, &x, u))
            return ERR_OK;
    }
    k->f->unit_count += u->count > u->ahead + u->behind;
    return ERR_OK;
}

/* The first list of a page, where it stands near its beginning: what the page
 * has to say in short. */
static bool find_list(const struct keeper *k, size_t page, double score,
                      struct unit *out)
{
    const struct part *v = k->u->parts[page];
    size_t n = k->u->part_count[page];

    for (size_t i = 0; i + 1 < n && i < LIST_LOOK && v[0].c->seq == 0; i++) {
        if (!is_item(v[i].kind) || v[i].kind == 'r' || !is_item(v[i + 1].kind))
            continue;
        *out = (struct unit){.page = page,
                             .from = i,
                             .to = i + 1,
                             .start = v[i].start,
                             .len = v[i].len,
                             .words = v[i].words + v[i + 1].words,
                             .score = score};
        return true;
    }
    return false;
}

/* What the page opens with. */
static bool find_opening(const struct keeper *k, size_t page, double score,
                         struct unit *out)
{
    const struct part *p = opening_of(k, page);
    size_t i = p == NULL ? 0 : (size_t)(p - k->u->parts[page]);

    if (p != NULL)
        *out = (struct unit){.page = page,
                             .from = i,
                             .to = i,
                             .start = p->start,
                             .len = p->len,
                             .words = p->words,
                             .score = score};
    return p != NULL;
}

static bool overlaps(const struct unit *list, size_t count,
                     const struct unit *x)
{
    for (size_t i = 0; i < count; i++) {
        const struct unit *o = &list[i];

        if (o->page == x->page && o->from <= x->to && x->from <= o->to &&
            (x->from != x->to || o->from != o->to ||
             (o->start < x->start + x->len && x->start < o->start + o->len)))
            return true;
    }
    return false;
}

static enum err opening_keep(struct keeper *k, struct unit x,
                             struct unit *taken, size_t *n)
{
    whole_list(k, &x);
    if (*n == UNITS_MAX || overlaps(taken, *n, &x))
        return ERR_OK;
    taken[(*n)++] = x;
    return unit_keep(k, x);
}

/* Does the part's heading name something that is asked? */
static bool is_headed(const struct keeper *k, const struct part *p)
{
    const char *z = label_name(p->c->heading == NULL ? "" : p->c->heading);

    return overlap_mask(k->q, z, strlen(z)) != 0;
}

/* What every section of the page begins with: its outline. */
static enum err outline_keep(struct keeper *k, size_t page, double score,
                             struct unit *taken, size_t *n)
{
    const struct part *v = k->u->parts[page];
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < k->u->part_count[page]; i++) {
        struct unit x = {.page = page,
                         .from = i,
                         .to = i,
                         .start = v[i].start,
                         .len = v[i].len,
                         .words = v[i].words,
                         .score = score};

        if (v[i].at != 0 || (v[i].kind != 'p' && v[i].kind != 'i') ||
            !is_headed(k, &v[i]))
            continue;
        e = opening_keep(k, x, taken, n);
    }
    return e;
}

/* What a search for the part's question would begin with. */
static enum err answer_keep(struct keeper *k, const struct query *asked,
                            size_t pages, struct unit *taken, size_t *n)
{
    size_t count = k->f->unit_count;
    struct units u = {.v = NULL};
    enum err e = units_cut(asked, k->pages, pages, UNIT_LONG, NULL, k->a, &u);

    if (e != ERR_OK || !units_are_on_subject(&u))
        return e;
    taken[*n] = u.v[0];
    whole_list(k, &taken[*n]);
    e = whole_thought(k, &taken[*n]);
    if (e == ERR_OK)
        e = unit_keep(k, taken[*n]);
    if (e == ERR_OK && k->f->unit_count > count) {
        k->f->units[count].answers = true;
        (*n)++;
    }
    return e;
}

/* The best units of every page, and what each opens with. */
static enum err choose(struct keeper *k, const struct query *asked,
                       size_t pages)
{
    struct unit taken[UNITS_MAX];
    size_t n = 0, used[QUERY_UNITS] = {0}, words[QUERY_UNITS] = {0};
    double scores[QUERY_UNITS];
    enum err e =
        asked == NULL ? ERR_OK : answer_keep(k, asked, pages, taken, &n);

    for (size_t i = 0; e == ERR_OK && i < k->u->count && n < QUERY_UNITS; i++) {
        struct unit x = k->u->v[i];

        whole_list(k, &x);
        e = whole_thought(k, &x);
        if (e != ERR_OK || used[x.page] == PAGE_UNITS ||
            (used[x.page] > 0 && words[x.page] + x.words > PAGE_WORDS) ||
            overlaps(taken, n, &x))
            continue;
        used[x.page]++;
        words[x.page] += x.words;
        taken[n++] = x;
        e = unit_keep(k, x);
    }
    for (size_t p = 0; e == ERR_OK && p < pages; p++) {
        double best = k->u->v[k->u->count - 1].score;
        struct unit x;

        for (size_t i = k->u->count; i-- > 0;)
            best = k->u->v[i].page == p ? k->u->v[i].score : best;
        if (find_opening(k, p, best, &x))
            e = opening_keep(k, x, taken, &n);
        if (e == ERR_OK && find_list(k, p, best, &x))
            e = opening_keep(k, x, taken, &n);
        scores[p] = best;
    }
    for (size_t p = 0; e == ERR_OK && p < pages; p++)
        e = outline_keep(k, p, scores[p], taken, &n);
    return e;
}

enum err keep_pages(const struct run *r, size_t sub, const struct query *q,
                    const struct query *asked, const struct found_page *pages,
                    size_t count, struct arena *a, struct found *found)
{
    struct units u = {.v = NULL};
    struct keeper k = {r, sub, q, pages, count, &u, a, found, NULL};
    enum err e;

    if (count > QUERY_UNITS)
        count = QUERY_UNITS;
    for (size_t i = 0; i < count; i++)
        found->read += pages[i].count;
    found->rows = arena_array(a, ROWS_MAX, sizeof *found->rows);
    found->units = arena_array(a, UNITS_MAX, sizeof *found->units);
    k.none = arena_array(a, FEATURE_COUNT, sizeof *k.none);
    if (found->rows == NULL || found->units == NULL || k.none == NULL)
        return ERR_NOMEM;
    memset(k.none, 0, FEATURE_COUNT * sizeof *k.none);
    e = units_cut(q, pages, count, UNIT_LONG, NULL, a, &u);
    return e == ERR_OK && u.count > 0 ? choose(&k, asked, count) : e;
}
