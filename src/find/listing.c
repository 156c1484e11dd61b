/*
 * Pages for a list of results, scored from the texts of their passages; see
 * listing.h. Pure but for document counts.
 */
#include "find/listing.h"
#include "find/page_score.h"
#include "question/evidence.h"
#include "question/overlap.h"

#include "index/rescore.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Saturation and length normalisation of a passage and of a page, weights of
 * title and heading, worth of another form of a word. */
static const double K1 = 1.5, LENGTH = 0.5, LENGTH_PAGE = 0.3;
static const double TITLE = 2.0, HEADING = 1.2, OTHER_FORM = 0.6;
/* Share of a score kept at no coverage; bonus of a page's beginning, and of
 * a title without other words; share of the passage in the mix. */
static const double UNCOVERED = 0.75, BEGINNING = 1.04, TITLE_FULL = 0.3;
static const double PASSAGE = 0.75;
/* What the nearest passage is worth beside the best by words, with the encoder
 * (from 0.7 to 2.5 little changes) and with the vectors of words; of both, the
 * share of the page's. */
static const double MEANING_WEIGHT = 1.4, WORDS_WEIGHT = 0.8;
static const double OF_PAGE = 0.5;
/* The power of a page's odds (page_score.h) that goes with its score. */
static const double ODDS = 0.125;
/* Which passage of a page is shown: what its score in the index and what looks
 * like an answer are worth beside its score, each of the page's best. Fitted to
 * the passages that answer, of 1,160 questions. */
static const double INDEXED = 0.42, EVIDENCE = 0.3;
/* Feedback: what the new words weigh in relation to the question's. */
static const double FEEDBACK = 0.43;
static const double COMMON = 0.1;
enum {
    FEEDBACK_ASKED = 6, /* terms of a question that gets feedback */
    FEEDBACK_PAGES = 8,
    FEEDBACK_PASSAGES = 24, /* read of each */
    FEEDBACK_COUNTED = 100, /* words whose rarity is looked up */
    FEEDBACK_TERMS = 30,
    WORDS = 4096,
    SLOTS = 2 * WORDS,
    WORD_BYTES = 6
};

/* The candidates of one page. */
struct group {
    size_t from, to;
    double score; /* of its best passage */
};

struct listing {
    const struct query *q;
    struct arena *a;
    struct listed *list; /* by page, then by place in it */
    size_t count;
    struct group *groups;
    size_t group_count;
    double text_avg, page_avg;  /* bytes */
    struct rescore_term *terms; /* the question's, other words for them, then
                                   feedback's */
    size_t own, term_count;
    struct rescore rescore;
    double gain_all;
};

static int by_page(const void *x, const void *y)
{
    const struct candidate *a = ((const struct listed *)x)->c;
    const struct candidate *b = ((const struct listed *)y)->c;

    if (a->page != b->page)
        return a->page < b->page ? -1 : 1;
    return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static int by_score(const void *x, const void *y)
{
    const struct listed *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return by_page(x, y);
}

static int by_group_score(const void *x, const void *y)
{
    const struct group *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->from < b->from ? -1 : 1;
}

/* --- scoring ------------------------------------------------------------- */

static double saturate(double x)
{
    return x * (K1 + 1) / (x + K1);
}

/* Occurrences in the text, other forms for less. */
static double occurrences(const struct rescore_term *term,
                          const struct rescore_tally *t)
{
    if (term->word == NULL)
        return t->in_text;
    return t->words + OTHER_FORM * (t->in_text - t->words);
}

static double above_text(const struct rescore_term *term,
                         const struct rescore_tally *t)
{
    double x = t->in_heading ? HEADING : 0;

    if (t->in_title)
        x +=
            TITLE * (t->word_in_title || term->word == NULL ? 1.0 : OTHER_FORM);
    return x;
}

static double pair_bonus(const struct listing *x, const struct rescore_tally *t,
                         size_t i)
{
    double one = x->terms[i].gain, other;

    if (i == 0 || i >= x->own || t[i].pair <= 0)
        return 0;
    other = x->terms[i - 1].gain;
    return t[i].pair * (one < other ? one : other);
}

/* A title made of the question's words names the page. */
static double title_bonus(const struct listing *x,
                          const struct rescore_tally *t, long words)
{
    double held = 0, matched = 0;

    for (size_t i = 0; i < x->own; i++)
        if (t[i].in_title) {
            held += x->terms[i].gain;
            matched++;
        }
    if (words < 1 || x->gain_all <= 0)
        return 0;
    if (matched > (double)words)
        matched = (double)words;
    return TITLE_FULL * held * (held / x->gain_all) * matched / (double)words;
}

/* What a passage has of each term: other words for less. */
struct held {
    double text[RESCORE_TERMS_MAX], above[RESCORE_TERMS_MAX];
    double cover[RESCORE_TERMS_MAX]; /* 1: it is there */
};

static bool is_other(const struct listing *x, size_t i)
{
    return i >= x->own && i < x->own + x->q->other_count;
}

static void held_read(const struct listing *x, const struct rescore_tally *t,
                      struct held *h)
{
    for (size_t i = 0; i < x->term_count; i++) {
        h->text[i] = occurrences(&x->terms[i], &t[i]);
        h->above[i] = above_text(&x->terms[i], &t[i]);
        h->cover[i] = h->text[i] + h->above[i] > 0;
    }
    for (size_t i = 0; i < x->q->other_count; i++) {
        const struct query_other *o = &x->q->others[i];
        double *above = &h->above[o->term], *cover = &h->cover[o->term];

        h->text[o->term] += o->worth * h->text[x->own + i];
        *above = fmax(*above, o->worth * h->above[x->own + i]);
        *cover = fmax(*cover, o->worth * h->cover[x->own + i]);
    }
}

static double passage_score(const struct listing *x,
                            const struct rescore_tally *t, const struct held *h,
                            const struct candidate *c, double bonus)
{
    double length = 1 - LENGTH + LENGTH * (double)strlen(c->text) / x->text_avg;
    double score = bonus, covered = 0;

    for (size_t i = 0; i < x->term_count; i++) {
        double n = h->text[i] / length + h->above[i];

        if (n <= 0 || is_other(x, i))
            continue;
        covered += x->terms[i].gain * h->cover[i];
        score += x->terms[i].gain * saturate(n) + pair_bonus(x, t, i);
    }
    if (c->seq == 0)
        score *= BEGINNING;
    return score * (UNCOVERED + (1 - UNCOVERED) * covered / x->gain_all);
}

static void masks_set(const struct listing *x, const struct rescore_tally *t,
                      struct listed *l)
{
    l->own = l->context = 0;
    for (size_t i = 0; i < x->own; i++) {
        uint64_t bit = (uint64_t)1 << i;

        l->own |= t[i].in_text > 0 ? bit : 0;
        l->context |= t[i].in_title || t[i].in_heading ? bit : 0;
    }
}

/* Add what a passage holds to what its page holds. */
static void page_add(const struct listing *x, const struct held *passage,
                     struct held *page)
{
    for (size_t i = 0; i < x->term_count; i++) {
        page->text[i] += passage->text[i];
        page->above[i] = fmax(page->above[i], passage->above[i]);
    }
}

static double page_score(const struct listing *x, const struct candidate *c,
                         const struct held *h)
{
    double bytes = c->page_bytes > 0 ? (double)c->page_bytes : x->page_avg;
    double length = 1 - LENGTH_PAGE + LENGTH_PAGE * bytes / x->page_avg;
    double score = 0;

    for (size_t i = 0; i < x->term_count; i++)
        if (!is_other(x, i))
            score +=
                x->terms[i].gain * saturate(h->text[i] / length + h->above[i]);
    return score;
}

static void group_score(struct listing *x, struct group *g)
{
    struct rescore_tally title[RESCORE_TERMS_MAX], t[RESCORE_TERMS_MAX];
    struct held held, all;
    const char *z = x->list[g->from].c->title;
    double bonus, page;
    long words;

    memset(all.text, 0, x->term_count * sizeof(*all.text));
    memset(all.above, 0, x->term_count * sizeof(*all.above));
    rescore_clear(&x->rescore, title);
    words = rescore_count(&x->rescore, title, z, strlen(z), RESCORE_TITLE);
    bonus = title_bonus(x, title, words);
    for (size_t i = g->from; i < g->to; i++) {
        const struct candidate *c = x->list[i].c;

        memcpy(t, title, x->term_count * sizeof(*t));
        (void)rescore_count(&x->rescore, t, c->heading, strlen(c->heading),
                            RESCORE_HEADING);
        (void)rescore_count(&x->rescore, t, c->text, strlen(c->text),
                            RESCORE_TEXT);
        held_read(x, t, &held);
        x->list[i].score = PASSAGE * passage_score(x, t, &held, c, bonus);
        masks_set(x, t, &x->list[i]);
        page_add(x, &held, &all);
    }
    page = (1 - PASSAGE) * page_score(x, x->list[g->from].c, &all);
    g->score = 0;
    for (size_t i = g->from; i < g->to; i++) {
        x->list[i].score += page;
        if (x->list[i].score > g->score)
            g->score = x->list[i].score;
    }
}

static void score_all(struct listing *x)
{
    rescore_init(&x->rescore, x->terms, x->term_count, x->q->stem);
    x->gain_all = 0;
    for (size_t i = 0; i < x->term_count; i++)
        x->gain_all += x->terms[i].gain;
    for (size_t i = 0; i < x->group_count; i++)
        group_score(x, &x->groups[i]);
}

/* --- feedback ------------------------------------------------------------ */

struct word {
    char text[TERM_MAX + 1];
    double share; /* of the best pages' words */
    double rarity;
};

struct words {
    struct word *v; /* WORDS of them */
    size_t count;
    uint16_t slot[SLOTS]; /* number in v and 1, or 0 */
};

static struct word *word_find(struct words *w, const struct term *t)
{
    uint32_t h = hash_bytes(t->text, t->len);
    struct word *new;
    size_t i;

    for (i = h & (SLOTS - 1); w->slot[i] != 0; i = (i + 1) & (SLOTS - 1))
        if (strcmp(w->v[w->slot[i] - 1].text, t->text) == 0)
            return &w->v[w->slot[i] - 1];
    if (w->count == WORDS)
        return NULL;
    new = &w->v[w->count++];
    w->slot[i] = (uint16_t)w->count;
    memcpy(new->text, t->text, t->len + 1);
    new->share = 0;
    return new;
}

static void words_read(struct words *w, const struct query *q, const char *text,
                       double weight)
{
    struct term_iter it;
    struct term t;

    terms_init_with(&it, q->stem, text, strlen(text));
    while (terms_next(&it, &t)) {
        struct word *found;

        if (t.len < 2 || lang_is_stop(q->lang, t.text, t.len))
            continue;
        found = word_find(w, &t);
        if (found != NULL)
            found->share += weight;
    }
}

static int by_share(const void *x, const void *y)
{
    const struct word *a = x, *b = y;

    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* The words of the best pages, those with the largest share first. A short
 * page does not speak louder than a long one. */
static enum err words_gather(struct listing *x, struct word **out,
                             size_t *count)
{
    struct words w = {.v = arena_alloc(x->a, WORDS * sizeof(*w.v))};
    size_t pages =
        x->group_count < FEEDBACK_PAGES ? x->group_count : FEEDBACK_PAGES;

    if (w.v == NULL)
        return ERR_NOMEM;
    qsort(x->groups, x->group_count, sizeof(*x->groups), by_group_score);
    for (size_t p = 0; p < pages; p++) {
        const struct group *g = &x->groups[p];
        double bytes = (double)x->list[g->from].c->page_bytes;
        double weight = g->score * WORD_BYTES / (bytes + 2 * x->page_avg);

        for (size_t i = g->from; i < g->to && i < g->from + FEEDBACK_PASSAGES;
             i++)
            words_read(&w, x->q, x->list[i].c->text, weight);
    }
    qsort(w.v, w.count, sizeof(*w.v), by_share);
    *out = w.v;
    *count = w.count < FEEDBACK_COUNTED ? w.count : FEEDBACK_COUNTED;
    return ERR_OK;
}

/* As in overlap.c: 1 for a term nobody holds. */
static double rarity_of(int64_t df, int64_t total)
{
    double n = (double)total, d = (double)df;

    return log(1 + (n - d + 0.5) / (d + 0.5)) / log(1 + (n + 0.5) / 0.5);
}

/* Keep those that are neither everywhere nor a single passage's, those with
 * the largest share times rarity first. */
static enum err words_weigh(struct word *words, size_t count, struct db *index,
                            struct arena *a, size_t *kept, struct errctx *ec)
{
    struct index_term *terms = arena_array(a, count, sizeof(*terms));
    int64_t df[FEEDBACK_COUNTED], total = 0;
    size_t n = 0;
    enum err e;

    if (terms == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < count; i++)
        terms[i] = (struct index_term){.text = words[i].text};
    e = index_df(index, terms, count, df, &total, ec);
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        if (df[i] < 2 || (double)df[i] > COMMON * (double)total)
            continue;
        words[n] = words[i];
        words[n].rarity = rarity_of(df[i], total);
        words[n].share *= words[n].rarity;
        n++;
    }
    qsort(words, n, sizeof(*words), by_share);
    *kept = n < FEEDBACK_TERMS ? n : FEEDBACK_TERMS;
    return e;
}

static struct rescore_term *own_term(struct listing *x, const char *text)
{
    for (size_t i = 0; i < x->own; i++)
        if (strcmp(x->terms[i].text, text) == 0)
            return &x->terms[i];
    return NULL;
}

static void words_join(struct listing *x, const struct word *words, size_t n)
{
    double all = 0, question = 0;

    for (size_t i = 0; i < n; i++)
        all += words[i].share;
    for (size_t i = 0; i < x->own; i++)
        question += x->q->terms[i].weight;
    for (size_t i = 0; i < n; i++) {
        struct rescore_term *t = own_term(x, words[i].text);
        double gain =
            FEEDBACK * question * words[i].share / all * words[i].rarity;

        if (t != NULL)
            t->gain += gain;
        else
            x->terms[x->term_count++] = (struct rescore_term){
                words[i].text, (uint32_t)strlen(words[i].text), gain, NULL};
    }
}

/* Keywords say what they mean, and a question's words are not those of its
 * answer's neighbours: only a long statement profits. */
static bool wants_feedback(const struct query *q)
{
    return q->term_count >= FEEDBACK_ASKED && strchr(q->text, '?') == NULL;
}

static enum err feedback(struct listing *x, struct db *index, struct errctx *ec)
{
    struct word *words = NULL;
    size_t count = 0;
    enum err e = words_gather(x, &words, &count);

    if (e == ERR_OK && count > 0)
        e = words_weigh(words, count, index, x->a, &count, ec);
    if (e != ERR_OK || count == 0)
        return e;
    words_join(x, words, count);
    score_all(x);
    return ERR_OK;
}

/* --- setting up ---------------------------------------------------------- */

static enum err terms_set(struct listing *x)
{
    const struct query *q = x->q;

    x->own = x->term_count = q->term_count;
    x->terms =
        arena_array(x->a, q->term_count + q->other_count + FEEDBACK_TERMS,
                    sizeof(*x->terms));
    if (x->terms == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < q->term_count; i++)
        x->terms[i] = (struct rescore_term){
            q->terms[i].text, (uint32_t)strlen(q->terms[i].text),
            q->terms[i].weight * q->rarity[i], q->words[i]};
    for (size_t i = 0; i < q->other_count; i++)
        x->terms[x->term_count++] =
            (struct rescore_term){.text = q->others[i].text,
                                  .len = (uint32_t)strlen(q->others[i].text)};
    return ERR_OK;
}

/* Passages of one page together; mean lengths of what was found. */
static enum err groups_set(struct listing *x)
{
    double text = 0, page = 0;

    qsort(x->list, x->count, sizeof(*x->list), by_page);
    x->groups = arena_array(x->a, x->count, sizeof(*x->groups));
    if (x->groups == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < x->count; i++) {
        const struct candidate *c = x->list[i].c;

        text += (double)strlen(c->text);
        if (i > 0 && x->list[i - 1].c->page == c->page) {
            x->groups[x->group_count - 1].to = i + 1;
            continue;
        }
        x->groups[x->group_count++] = (struct group){i, i + 1, 0};
        page += (double)c->page_bytes;
    }
    x->text_avg = 1 + text / (double)x->count;
    x->page_avg = 1 + page / (double)x->group_count;
    return ERR_OK;
}

/* --- meaning ------------------------------------------------------------- */

/* Beside the best ones: what has no vector yet is as near as its words say. */
static double near_of(const struct listed *l, double top, double nearest)
{
    return l->c->near != 0 ? l->c->near / nearest : l->score / top;
}

/* Each as a part of the best one's. */
static void meaning_add(struct listing *x)
{
    double worth =
        x->q->meant_by == MEANT_BY_WORDS ? WORDS_WEIGHT : MEANING_WEIGHT;
    double top = 0, nearest = 0;

    for (size_t i = 0; i < x->count; i++) {
        top = fmax(top, x->list[i].score);
        nearest = fmax(nearest, x->list[i].c->near);
    }
    if (top <= 0 || nearest <= 0)
        return;
    for (size_t k = 0; k < x->group_count; k++) {
        const struct group *g = &x->groups[k];
        double page = 0;

        for (size_t i = g->from; i < g->to; i++)
            page = fmax(page, near_of(&x->list[i], top, nearest));
        page = g->score / top + worth * page;
        for (size_t i = g->from; i < g->to; i++) {
            struct listed *l = &x->list[i];

            l->score = OF_PAGE * page +
                       (1 - OF_PAGE) *
                           (l->score / top + worth * near_of(l, top, nearest));
        }
    }
}

/* --- pages --------------------------------------------------------------- */

static double answers_of(const struct listing *x, const struct listed *l,
                         double top, double indexed)
{
    const struct candidate *c = l->c;

    return (top > 0 ? l->score / top : 0) +
           INDEXED * (indexed > 0 ? c->score / indexed : 0) +
           EVIDENCE * evidence_of(x->q, c->text, strlen(c->text));
}

/* The page's score goes to the passage that answers most likely, and to others
 * a part of it. */
static void passages_order(struct listing *x, const struct group *g)
{
    struct listed *v = x->list + g->from;
    size_t n = g->to - g->from;
    double top = 0, indexed = 0, best = 0;

    if (n < 2)
        return;
    for (size_t i = 0; i < n; i++) {
        top = fmax(top, v[i].score);
        indexed = fmax(indexed, v[i].c->score);
    }
    for (size_t i = 0; i < n; i++) {
        v[i].score = answers_of(x, &v[i], top, indexed);
        best = fmax(best, v[i].score);
    }
    for (size_t i = 0; best > 0 && i < n; i++)
        v[i].score *= top / best;
}

/* What is known of pages goes with the scores of their passages. */
static enum err odds_add(struct listing *x)
{
    const struct candidate **v = arena_array(x->a, x->count, sizeof(*v));
    double *odds = arena_array(x->a, x->group_count, sizeof(*odds));
    double read[PAGE_FEATURES], top = 0, best = -HUGE_VAL;
    struct page_reader r;

    if (v == NULL || odds == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < x->count; i++) {
        v[i] = x->list[i].c;
        top = fmax(top, v[i]->score);
    }
    page_reader_init(&r, x->q, top);
    for (size_t k = 0; k < x->group_count; k++) {
        const struct group *g = &x->groups[k];

        passages_order(x, g);
        page_read(&r, &v[g->from], g->to - g->from, read);
        odds[k] = page_odds(read);
        best = fmax(best, odds[k]);
    }
    for (size_t k = 0; k < x->group_count; k++)
        for (size_t i = x->groups[k].from; i < x->groups[k].to; i++)
            x->list[i].score *= exp(ODDS * (odds[k] - best));
    return ERR_OK;
}

static enum err score_pages(struct listing *x, struct db *index,
                            struct errctx *ec)
{
    enum err e = groups_set(x);

    if (e == ERR_OK)
        e = terms_set(x);
    if (e != ERR_OK)
        return e;
    score_all(x);
    if (index != NULL && wants_feedback(x->q))
        e = feedback(x, index, ec);
    if (e == ERR_OK && x->q->meaning != NULL)
        meaning_add(x);
    if (e == ERR_OK && x->q->meant_by != MEANT_BY_ENCODER &&
        !wants_feedback(x->q)) /* what it was fitted to */
        e = odds_add(x);
    qsort(x->list, x->count, sizeof(*x->list), by_score);
    return e;
}

static void keep_scores(struct listing *x)
{
    for (size_t i = 0; i < x->count; i++) {
        struct listed *l = &x->list[i];
        const struct candidate *c = l->c;

        l->score = c->score;
        l->own = overlap_mask(x->q, c->text, strlen(c->text));
        l->context = overlap_mask(x->q, c->heading, strlen(c->heading)) |
                     overlap_mask(x->q, c->title, strlen(c->title));
    }
}

enum err listing_score(const struct query *q, struct db *index,
                       const struct candidate *found, size_t n, struct arena *a,
                       struct listed **out, struct errctx *ec)
{
    struct listing x = {.q = q, .a = a, .count = n};
    bool all_indexed = q->term_count > 0 && n > 0;
    enum err e = ERR_OK;

    x.list = arena_array(a, n + 1, sizeof(*x.list));
    if (x.list == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        x.list[i].c = &found[i];
        all_indexed = all_indexed && found[i].page != 0;
    }
    if (all_indexed)
        e = score_pages(&x, index, ec);
    else
        keep_scores(&x);
    if (e == ERR_OK)
        *out = x.list;
    return e;
}
