/* More passages for an answer's form; see widen.h. Called by search.c. */
#include "find/widen.h"
#include "question/evidence.h"
#include "question/overlap.h"

#include <string.h>

enum {
    SIDE_K = 60,
    SIDE_PASSAGES = 2, /* for each side of a comparison */
    FOLLOWING = 4,     /* passages behind one that introduces them */
    AROUND = 16        /* under a heading that names the list */
};

/* What a passage found for one side weighs beside those for the whole. */
static const double SIDE_SCORE = 0.8;
static const double HEADING_NAMED = 0.5; /* share of the question */

/* Behind passages, those of more that are not there yet; at most max. */
static enum err ranked_join(struct arena *a, struct ranked **passages,
                            size_t *count, const struct ranked *more, size_t n,
                            size_t max)
{
    struct ranked *all = arena_array(a, *count + n + 1, sizeof(*all));
    size_t total = *count;

    if (all == NULL)
        return ERR_NOMEM;
    memcpy(all, *passages, *count * sizeof(*all));
    for (size_t i = 0; i < n && total < *count + max; i++) {
        size_t k = 0;

        while (k < total && (all[k].c.passage != more[i].c.passage ||
                             strcmp(all[k].c.url, more[i].c.url) != 0))
            k++;
        if (k == total)
            all[total++] = more[i];
    }
    *passages = all;
    *count = total;
    return ERR_OK;
}

/* The best passages on one side of a comparison, in place of the last ones
 * on the whole. */
static enum err side_add(const struct widen *w, const char *side,
                         struct ranked **passages, size_t *count)
{
    struct provider_answer found_all = {.provider = "index",
                                        .outcome = OUTCOME_OK};
    struct ranked *found = NULL;
    struct query q;
    size_t n = 0;
    enum err e = query_parse(side, w->a, &q);

    if (e != ERR_OK || q.term_count == 0 || deadline_passed(w->deadline))
        return e;
    e = index_query(w->index, q.terms, q.term_count, w->filter, SIDE_K,
                    w->deadline, w->a, &found_all.found, &found_all.count,
                    w->ec);
    if (e == ERR_NO_RESULT)
        return ERR_OK;
    if (e == ERR_OK)
        e = rank_candidates(&q, w->filter, &found_all, 1, w->index,
                            SIDE_PASSAGES, 1, w->a, &found, &n, w->ec);
    for (size_t i = 0; i < n; i++)
        found[i].score *= SIDE_SCORE;
    return e == ERR_OK
               ? ranked_join(w->a, passages, count, found, n, SIDE_PASSAGES)
               : e;
}

static enum err sides_add(const struct widen *w, struct ranked **passages,
                          size_t *count)
{
    size_t room = w->q->side_count * SIDE_PASSAGES;
    enum err e = ERR_OK;

    if (w->q->side_count == 0 || *count == 0)
        return ERR_OK;
    if (*count + room > w->max)
        *count = w->max > room ? w->max - room : 1;
    for (size_t i = 0; e == ERR_OK && i < w->q->side_count; i++)
        e = side_add(w, w->q->sides[i], passages, count);
    return e;
}

/* Does the text introduce something that follows it, or end in a table? */
static bool is_introducing(const char *text)
{
    const char *last = strrchr(text, '\n');

    last = last == NULL ? text : last + 1;
    return strstr(text, ":\n") != NULL ||
           (text[0] != '\0' && text[strlen(text) - 1] == ':') ||
           evidence_is_row(last, strlen(last));
}

/* Does the heading above name what the question lists? */
static bool is_headed(const struct widen *w, const struct candidate *c)
{
    uint64_t mask = overlap_mask_loose(w->q, c->heading, strlen(c->heading));

    return w->q->type == ANSWER_LIST &&
           overlap_share(w->q, mask) >= HEADING_NAMED;
}

/* The page's passages from seq on, n at most, added. */
static enum err page_add(const struct widen *w, const struct candidate *c,
                         int64_t seq, size_t n, struct ranked **passages,
                         size_t *count)
{
    struct ranked more[AROUND];
    struct candidate *found = NULL;
    size_t got = 0;
    enum err e =
        index_passages(w->index, c->page, seq, n, w->a, &found, &got, w->ec);

    if (e != ERR_OK)
        return e == ERR_NO_RESULT || e == ERR_NOT_FOUND ? ERR_OK : e;
    for (size_t k = 0; k < got; k++)
        more[k] = (struct ranked){.c = found[k]};
    return ranked_join(w->a, passages, count, more, got, n);
}

/* What follows passages that introduce something, and what stands around
 * those whose heading names the list: items and steps may go on there. They
 * are not read as sentences of their own. */
static enum err following_add(const struct widen *w, struct ranked **passages,
                              size_t *count)
{
    size_t first = *count;
    enum err e = ERR_OK;

    if (w->q->type != ANSWER_LIST && w->q->type != ANSWER_HOWTO)
        return ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < first; i++) {
        const struct candidate *c = &(*passages)[i].c;

        if (c->page == 0)
            continue;
        if (is_headed(w, c))
            e = page_add(w, c, c->seq - AROUND / 2, AROUND, passages, count);
        else if (is_introducing(c->text))
            e = page_add(w, c, c->seq + 1, FOLLOWING, passages, count);
    }
    return e;
}

enum err widen_passages(const struct widen *w, struct ranked **passages,
                        size_t *count)
{
    enum err e;

    if (w->index == NULL)
        return ERR_OK;
    e = sides_add(w, passages, count);
    return e == ERR_OK ? following_add(w, passages, count) : e;
}
