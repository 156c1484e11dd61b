/* Results by what their pages say; see search_results.h. Called by search.c. */
#include "search/search_results.h"
#include "answer/unit_list.h"
#include "page/injection.h"
#include "reading/repeat.h"

#include "base/buf.h"
#include "text/passage.h"

#include <math.h>
#include <string.h>

/* How much a page's share of all chances to answer counts beside its score as
 * it was found, which is 1 for the best. On bench/real.mjs anything from 0.7 to
 * 2.5 does. */
static const double SAYS = 1;
/* How probable it is, at least, beside the page's best place, that a passage
 * answers which is shown with it, behind and ahead: readers would rather have
 * little than what they did not ask for. */
static const double BEHIND = 0.1, AHEAD = 0.4;

/* The page of a result among those that were read; page_count: none is. */
static size_t page_of(const struct asked *read, const struct candidate *c)
{
    size_t i = 0;

    while (i < read->page_count && (read->pages[i].c->page != c->page ||
                                    strcmp(read->pages[i].c->url, c->url) != 0))
        i++;
    return i;
}

/* How probable it is that the page answers, if one does. */
static double page_chance(const struct units *u, size_t page)
{
    double all = 0, here = 0;

    for (size_t i = 0; i < u->count; i++) {
        double chance = unit_chance(u, &u->v[i], SURE_SPREAD);

        all += chance;
        here += u->v[i].page == page ? chance : 0;
    }
    return all > 0 ? here / all : 0;
}

/* Those from `from` up to `to`, whose merit is read here. */
static void part_order(const struct asked *read, struct ranked *ranked,
                       double *merit, size_t from, size_t to)
{
    double best = 0, least;

    for (size_t i = from; i < to; i++)
        best = fmax(best, ranked[i].score);
    least = best;
    for (size_t i = from; i < to; i++) {
        struct ranked x = ranked[i];
        size_t page = page_of(read, &x.c), at = i;
        double own;

        /* A score that is more than that of what is ahead counts no more:
         * rules gave it its place. */
        least = fmin(least, x.score);
        own = (best > 0 ? least / best : 0) +
              (page < read->page_count ? SAYS * page_chance(&read->units, page)
                                       : 0);
        for (; at > from && merit[at - 1] < own; at--) {
            merit[at] = merit[at - 1];
            ranked[at] = ranked[at - 1];
        }
        merit[at] = own;
        ranked[at] = x;
    }
}

enum err results_order(const struct asked *read, struct ranked *ranked,
                       size_t count, struct arena *a)
{
    double *merit = arena_array(a, count + 1, sizeof(*merit));

    if (merit == NULL)
        return ERR_NOMEM;
    for (size_t i = 0, to; i < count; i = to) {
        to = i + 1;
        while (to < count && ranked[to].priority == ranked[i].priority)
            to++;
        part_order(read, ranked, merit, i, to);
    }
    return ERR_OK;
}

/* How probable it is, beside the page's best unit, that one answers which
 * begins in this passage. */
static double passage_chance(const struct units *u, const struct unit *best,
                             const struct candidate *c)
{
    double sum = 0;

    for (size_t i = 0; i < u->count; i++)
        if (u->v[i].page == best->page &&
            u->parts[best->page][u->v[i].from].c == c)
            sum += exp((u->v[i].score - best->score) / SURE_SPREAD);
    return sum;
}

/* Passages of a page that follow each other. */
struct window {
    size_t from, to; /* both included */
    size_t bytes;    /* of their text as the page has it */
};

/* Does it speak to people only? Answers leave out what speaks to machines: a
 * list shows it where it was found, not for what stands beside it. */
static bool is_for_people(const char *text, struct arena *a)
{
    return injection_mask(text, a) == text;
}

/* Take the passage in, if it follows in the same section and there is room. */
static bool widen(const struct found_page *p, size_t i, struct window *w,
                  struct arena *a)
{
    size_t beside = i < w->from ? w->from : w->to;
    int64_t step = i < w->from ? -1 : 1;
    const struct candidate *c = &p->passages[i], *o = &p->passages[beside];
    size_t n = strlen(c->text), bytes = w->bytes + strlen("\n\n") + n;

    if (c->seq != o->seq + step || bytes > CONTENT_BYTES_MAX ||
        !heading_same_section(c->heading, o->heading) ||
        !is_for_people(c->text, a))
        return false;
    w->from = i < w->from ? i : w->from;
    w->to = i > w->to ? i : w->to;
    w->bytes = bytes;
    return true;
}

/* The passages in which the page's best unit stands, with those around them
 * that may answer, too, as far as there is room; what is behind before what is
 * ahead. */
static struct window window_of(const struct units *u, const struct unit *best,
                               const struct found_page *p, struct arena *a)
{
    const struct part *v = u->parts[best->page];
    size_t i = (size_t)(v[best->from].c - p->passages);
    size_t end = (size_t)(v[unit_end(best)].c - p->passages);
    struct window w = {i, i, strlen(p->passages[i].text)};
    bool grows = true;

    while (w.to < end && widen(p, w.to + 1, &w, a))
        ;
    while (grows)
        grows = (w.to + 1 < p->count &&
                 passage_chance(u, best, &p->passages[w.to + 1]) >= BEHIND &&
                 widen(p, w.to + 1, &w, a)) ||
                (w.from > 0 &&
                 passage_chance(u, best, &p->passages[w.from - 1]) >= AHEAD &&
                 widen(p, w.from - 1, &w, a));
    return w;
}

/* The best unit of a page that begins in a passage for people; NULL: it has
 * none. */
static const struct unit *best_of(const struct units *u, size_t page,
                                  struct arena *a)
{
    const struct candidate *last = NULL; /* which is not */

    for (size_t i = 0; i < u->count; i++) {
        const struct candidate *c = u->parts[u->v[i].page][u->v[i].from].c;

        if (u->v[i].page != page || c == last)
            continue;
        if (is_for_people(c->text, a))
            return &u->v[i];
        last = c;
    }
    return NULL;
}

enum err results_excerpt(const struct asked *read, struct ranked *ranked,
                         size_t count, struct arena *a)
{
    for (size_t i = 0; i < count; i++) {
        size_t page = page_of(read, &ranked[i].c);
        const struct unit *best = best_of(&read->units, page, a);
        const struct found_page *p;
        struct candidate *c = &ranked[i].c;
        struct window w;
        struct buf b;
        enum err e;

        if (best == NULL)
            continue;
        p = &read->pages[page];
        w = window_of(&read->units, best, p, a);
        c->passage = p->passages[w.from].passage;
        c->seq = p->passages[w.from].seq;
        c->start = p->passages[w.from].start;
        c->heading = p->passages[w.from].heading;
        c->parts = NULL; /* of one passage */
        buf_init(&b, w.bytes + 1);
        for (size_t k = w.from; k <= w.to; k++) {
            buf_adds(&b, k > w.from ? "\n\n" : "");
            buf_adds(&b, p->passages[k].text);
        }
        e = buf_keep(&b, ERR_OK, a, &c->text);
        if (e != ERR_OK)
            return e;
    }
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}

enum err results_once(struct ranked *ranked, size_t *count, size_t max,
                      struct arena *a)
{
    struct shingles *said = arena_array(a, *count + 1, sizeof(*said));
    size_t kept = 0;

    if (said == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < *count && kept < max; i++) {
        size_t k = 0;

        shingles_read(&said[kept], ranked[i].c.text);
        while (k < kept && !shingles_same(&said[k], &said[kept]))
            k++;
        if (k == kept)
            ranked[kept++] = ranked[i];
    }
    *count = kept;
    return ERR_OK;
}
