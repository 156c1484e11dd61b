/* The walk over postings, window by window; see walk.h. */
#include "index/walk.h"

#include <stdlib.h>
#include <string.h>

enum { BETWEEN_CHECKS = 64, AHEAD = 8 };

/* A form as one segment has it. */
struct leaf {
    float weight[LANG_COUNT], weight_max;
    uint64_t cover[LANG_COUNT], cover_max; /* already in the upper half */
    uint64_t top; /* the most it brings in the window; 0: nothing */
    const struct seg_term *term;
    struct cursor c;
};

#define COVER_SHIFT 32

/* --- the best ---------------------------------------------------------- */

static bool hit_before(const struct hit *a, const struct hit *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return a->passage < b->passage;
}

static void sift_down(struct walk *w, size_t i)
{
    struct hit h = w->heap[i];

    for (size_t kid; (kid = 2 * i + 1) < w->count; i = kid) {
        if (kid + 1 < w->count && hit_before(&w->heap[kid], &w->heap[kid + 1]))
            kid++;
        if (!hit_before(&h, &w->heap[kid]))
            break;
        w->heap[i] = w->heap[kid];
    }
    w->heap[i] = h;
}

static void keep(struct walk *w, struct hit h)
{
    if (w->count < w->max) {
        w->heap[w->count++] = h;
        /* They come until the heap is full; then it becomes one, once. */
        for (size_t i = w->count == w->max ? w->count / 2 : 0; i-- > 0;)
            sift_down(w, i);
    } else if (hit_before(&h, &w->heap[0])) {
        w->heap[0] = h;
        sift_down(w, 0);
    }
}

/* Less than this is not among the best. */
static uint64_t least(const struct walk *w)
{
    return w->count < w->max ? 0 : w->heap[0].score;
}

static int by_rank(const void *a, const void *b)
{
    return hit_before(a, b) ? -1 : 1;
}

void walk_sort(struct walk *w)
{
    if (w->count > 0)
        qsort(w->heap, w->count, sizeof *w->heap, by_rank);
}

double walk_score(const struct walk *w, uint64_t score)
{
    return (double)score / WALK_SCORE / (2.0 * WALK_COVER) * 2.2 * w->weight;
}

/* --- bounds ------------------------------------------------------------ */

static uint64_t whole_of(uint64_t held)
{
    return walk_whole(held & UINT32_MAX, held >> COVER_SHIFT);
}

/* What top allows at most; tops refer to the mean length of their segment. */
static uint64_t bound(const struct walk *w, const struct leaf *l, uint16_t top)
{
    float x = (float)top / 256 * w->stretch;

    if (top == 0)
        return 0;
    return (uint64_t)(l->weight_max * (x / (x + 1.2F)) * 1.00001F) + 2;
}

/* The leaves by what they may bring in the window; how many of them, the
 * least first, bring too little even together. *rest: what these bring. */
static size_t sort_leaves(struct walk *w, uint32_t from, uint32_t to,
                          uint64_t *rest)
{
    uint64_t sum = 0, cover = 0, theta = least(w);
    size_t n = 0;

    for (size_t i = 0; i < w->leaf_count; i++) {
        struct leaf *l = w->leaves[i];
        size_t k = i;

        l->top = bound(w, l, cursor_top(&l->c, from, to));
        for (; k > 0 && w->leaves[k - 1]->top > l->top; k--)
            w->leaves[k] = w->leaves[k - 1];
        w->leaves[k] = l;
    }
    for (*rest = 0; n < w->leaf_count; n++) {
        const struct leaf *l = w->leaves[n];

        if (l->top > 0) {
            sum += l->top;
            cover += l->cover_max >> COVER_SHIFT;
        }
        if (walk_whole(sum, cover) >= theta)
            break;
        *rest = sum | cover << COVER_SHIFT;
    }
    return n;
}

/* --- a window ---------------------------------------------------------- */

/* The page of a passage not before those asked for earlier. */
static uint32_t page_of(struct walk *w, uint32_t doc)
{
    const struct seg_page *pages = w->s->pages;
    uint32_t step = 1, low = w->page, high;

    while (low + step < w->s->head->pages && pages[low + step].doc <= doc)
        low += step, step *= 2;
    high = low + step < w->s->head->pages ? low + step : w->s->head->pages;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;

        if (pages[mid].doc <= doc)
            low = mid;
        else
            high = mid;
    }
    return w->page = low;
}

/* Languages come in long runs. */
static void note_languages(struct walk *w, uint32_t from, uint32_t to)
{
    const struct seg_run *runs = w->s->runs;

    while (runs[w->run + 1].doc <= from)
        w->run++;
    w->mixed = runs[w->run + 1].doc < to;
    w->lang[0] = (uint8_t)runs[w->run].lang;
    for (uint32_t doc = from, i = w->run; w->mixed && doc < to; i++) {
        uint32_t end = runs[i + 1].doc < to ? runs[i + 1].doc : to;

        memset(w->lang + (doc - from), (int)runs[i].lang, end - doc);
        doc = end;
    }
}

/* Is there a posting of this passage? Seldom far from the last one. */
static bool cursor_holds(struct cursor *c, uint32_t doc)
{
    if (c->n > 0 && c->doc[c->n - 1] >= doc) {
        c->i += c->doc[c->i] < doc;
        c->i += c->doc[c->i] < doc;
        while (c->doc[c->i] < doc)
            c->i++;
    } else if (!cursor_seek(c, doc)) {
        return false;
    }
    return c->doc[c->i] == doc;
}

/* All that a leaf brings in the window. */
static void add_leaf(struct walk *w, struct leaf *l, uint32_t from, uint32_t to)
{
    struct cursor *c = &l->c;
    const uint16_t *lengths = w->s->lengths;
    uint64_t cover = l->cover[w->lang[0]];
    float half = w->half, weight = l->weight[w->lang[0]];

    if (l->top == 0 || !cursor_seek(c, from))
        return;
    do {
        uint32_t i = c->i;

        for (; i < c->n && c->doc[i] < to; i++) {
            uint32_t doc = c->doc[i], at = doc - from;

            /* What comes from memory is asked for in time; behind the block's
             * end stand passages of earlier ones. */
            __builtin_prefetch(&lengths[c->doc[(i + AHEAD) % SEG_BLOCK]]);
            if (w->mixed) {
                cover = l->cover[w->lang[at]];
                weight = l->weight[w->lang[at]];
            }
            if (cover == 0)
                continue;
            w->held[at] += cover + walk_part(weight, cursor_code_at(c, i),
                                             seg_norm(lengths[doc], half));
            w->seen[at / 64] |= (uint64_t)1 << at % 64;
        }
        c->i = i;
    } while (c->i == c->n && cursor_next_block(c));
}

/* What the lesser leaves add to a passage, the greatest first, as long as it
 * may still be among the best; rest: what they may bring. 0: it is not. */
static uint64_t complete(struct walk *w, uint64_t held, size_t lesser,
                         uint64_t rest, uint32_t doc, uint32_t from)
{
    uint32_t lang = w->lang[w->mixed ? doc - from : 0];
    uint64_t theta = least(w);

    while (lesser-- > 0) {
        struct leaf *l = w->leaves[lesser];

        if (l->top == 0)
            break;
        rest -= l->top + l->cover_max;
        if (l->cover[lang] != 0 && cursor_holds(&l->c, doc))
            held += l->cover[lang] +
                    walk_part(l->weight[lang], cursor_code_at(&l->c, l->c.i),
                              seg_norm(w->s->lengths[doc], w->half));
        if (whole_of(held + rest) < theta)
            return 0;
    }
    return whole_of(held);
}

static void judge(struct walk *w, uint64_t held, size_t lesser, uint64_t rest,
                  uint32_t doc, uint32_t from)
{
    uint32_t page;
    struct hit h;

    h.score = complete(w, held, lesser, rest, doc, from);
    if (h.score < least(w))
        return;
    page = page_of(w, doc);
    if (w->openings &&
        (w->s->pages[page].doc != doc || w->s->pages[page].goes_on))
        return;
    h.passage = w->s->pages[page].first + (doc - w->s->pages[page].doc);
    if (sieve_allows(w->sieve, page))
        keep(w, h);
}

static void walk_window(struct walk *w, uint32_t from, uint32_t to)
{
    uint64_t rest, theta = least(w);
    size_t lesser = sort_leaves(w, from, to, &rest);

    if (lesser == w->leaf_count)
        return;
    note_languages(w, from, to);
    for (size_t i = lesser; i < w->leaf_count; i++)
        add_leaf(w, w->leaves[i], from, to);
    for (uint32_t i = 0; 64 * i < to - from; i++) {
        for (uint64_t bits = w->seen[i]; bits != 0; bits &= bits - 1) {
            uint32_t at = 64 * i + (uint32_t)__builtin_ctzll(bits);
            uint64_t held = w->held[at];

            w->held[at] = 0;
            if (whole_of(held + rest) < theta)
                continue;
            judge(w, held, lesser, rest, from + at, from);
            theta = least(w);
        }
        w->seen[i] = 0;
    }
}

/* --- a segment --------------------------------------------------------- */

static void ready_leaf(const struct walk *w, const struct walk_form *f,
                       const struct seg_term *t, struct leaf *l)
{
    for (int i = 0; i < LANG_COUNT; i++) {
        double share = f->weight[i] / w->weight;

        if (share <= 0)
            continue;
        l->weight[i] = (float)(share * WALK_SCORE);
        l->cover[i] = (uint64_t)(share * WALK_COVER + 1) << COVER_SHIFT;
        if (l->weight[i] > l->weight_max) {
            l->weight_max = l->weight[i];
            l->cover_max = l->cover[i];
        }
    }
    l->term = t;
    cursor_begin(&l->c, w->s, t);
}

static enum err ready_leaves(struct walk *w, size_t n, struct arena *scratch,
                             struct errctx *ec)
{
    w->leaf_count = 0;
    w->leaves = arena_array(scratch, w->form_count, sizeof(struct leaf *));
    for (size_t i = 0; w->leaves != NULL && i < w->form_count; i++) {
        const struct seg_term *t = &w->forms[i].in[n];
        struct leaf *l;

        if (t->df == 0)
            continue;
        l = arena_alloc(scratch, sizeof *l);
        if (l == NULL)
            break;
        ready_leaf(w, &w->forms[i], t, l);
        if (l->weight_max > 0)
            w->leaves[w->leaf_count++] = l;
    }
    return arena_failed(scratch) ? err_set(ec, ERR_NOMEM, "out of memory")
                                 : ERR_OK;
}

/* --- the most promising windows ------------------------------------------ */

static void begin_anew(struct walk *w)
{
    w->page = w->run = 0;
    for (size_t i = 0; i < w->leaf_count; i++)
        cursor_begin(&w->leaves[i]->c, w->s, w->leaves[i]->term);
}

/* What each window may bring, roughly; NULL: no memory. */
static uint64_t *promises(struct walk *w, uint32_t windows,
                          struct arena *scratch)
{
    uint64_t *sum = arena_array(scratch, windows, sizeof *sum);
    uint16_t *top = arena_array(scratch, windows, sizeof *top);

    if (sum == NULL || top == NULL)
        return NULL;
    for (size_t i = 0; i < w->leaf_count; i++) {
        struct leaf *l = w->leaves[i];

        memset(top, 0, windows * sizeof *top);
        cursor_tops(&l->c, WALK_WINDOW, top);
        for (uint32_t k = 0; k < windows; k++)
            sum[k] += top[k] == 0 ? 0 : bound(w, l, top[k]) + l->cover_max;
    }
    return sum;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* The best windows into w->ahead, ascending. */
static void choose_ahead(struct walk *w, const uint64_t *sum, uint32_t windows)
{
    for (uint32_t k = 0; k < windows; k++) {
        size_t i = w->ahead_count;

        while (i > 0 && whole_of(sum[w->ahead[i - 1]]) < whole_of(sum[k])) {
            if (i < WALK_AHEAD)
                w->ahead[i] = w->ahead[i - 1];
            i--;
        }
        if (i < WALK_AHEAD)
            w->ahead[i] = k;
        w->ahead_count += w->ahead_count < WALK_AHEAD;
    }
    qsort(w->ahead, w->ahead_count, sizeof *w->ahead, by_number);
}

static bool is_ahead(const struct walk *w, uint32_t at)
{
    for (size_t i = 0; i < w->ahead_count; i++)
        if (w->ahead[i] == at / WALK_WINDOW)
            return true;
    return false;
}

/* What is found where most is promised lets the walk pass by much of the rest.
 */
static enum err walk_ahead(struct walk *w, struct arena *scratch,
                           struct errctx *ec)
{
    uint32_t docs = w->s->head->docs, windows = (docs - 1) / WALK_WINDOW + 1;
    uint64_t *sum;

    w->ahead_count = 0;
    if (w->leaf_count == 0 || windows < WALK_MANY || !sieve_is_wide(w->sieve))
        return ERR_OK;
    sum = promises(w, windows, scratch);
    if (sum == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    choose_ahead(w, sum, windows);
    begin_anew(w);
    for (size_t i = 0; i < w->ahead_count; i++) {
        uint32_t at = w->ahead[i] * WALK_WINDOW;

        walk_window(w, at, docs - at > WALK_WINDOW ? at + WALK_WINDOW : docs);
    }
    begin_anew(w);
    return ERR_OK;
}

/* Runs of pages that lie close to each other are walked as one. */
static bool next_stretch(struct walk *w, uint32_t page, struct page_run *out)
{
    const struct seg_page *pages = w->s->pages;
    struct page_run more;

    if (!sieve_run(w->sieve, page, out))
        return false;
    while (pages[out->to].doc - pages[out->from].doc < WALK_WINDOW &&
           sieve_run(w->sieve, out->to, &more) &&
           pages[more.from].doc - pages[out->to].doc <= SIEVE_APART)
        out->to = more.to;
    return true;
}

enum err walk_segment(struct walk *w, struct segment *s, size_t n,
                      struct sieve *sieve, struct arena *scratch,
                      struct errctx *ec)
{
    struct page_run run = {0, 0};
    unsigned windows = 0;
    enum err e;

    w->s = s;
    w->sieve = sieve;
    w->page = w->run = 0;
    w->half = (float)(0.5 / (w->length_avg < 1 ? 1 : w->length_avg));
    w->stretch = 0.5F / w->half / (float)s->head->length_avg;
    w->stretch = w->stretch < 1 ? 1 : w->stretch * 1.00001F;
    e = ready_leaves(w, n, scratch, ec);
    if (e == ERR_OK)
        e = walk_ahead(w, scratch, ec);
    while (e == ERR_OK && w->leaf_count > 0 && next_stretch(w, run.to, &run)) {
        uint32_t end = s->pages[run.to].doc;

        for (uint32_t at = s->pages[run.from].doc; at < end;) {
            uint32_t to = at - at % WALK_WINDOW;

            to = end - to > WALK_WINDOW ? to + WALK_WINDOW : end;
            if (w->deadline != NULL && windows++ % BETWEEN_CHECKS == 0 &&
                deadline_passed(w->deadline))
                return err_set(ec, ERR_TIMEOUT, "out of time");
            if (!is_ahead(w, at))
                walk_window(w, at, to);
            at = to;
        }
    }
    return e;
}
