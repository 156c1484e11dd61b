/* Features of a page, weighed; see page_score.h. */
#include "find/page_score.h"
#include "question/evidence.h"
#include "question/overlap.h"

#include "base/str.h"
#include "text/page_class.h"
#include "text/passage.h"

#include <math.h>
#include <string.h>

enum { PAGE_BYTES_LEAST = 100 };

const char *const page_feature_names[PAGE_FEATURES] = {
#define FEATURE(name, sentence) #name,
#include "find/page_features.def"
#undef FEATURE
};

static const double weights[PAGE_FEATURES] = {
#include "find/page_weights.inc"
};

void page_reader_init(struct page_reader *r, const struct query *q, double top)
{
    r->q = q;
    r->top = top;
    r->all = overlap_weight(q, overlap_all(q));
    r->asks_changes = query_asks_changes(q);
    for (size_t i = 0; i < q->term_count; i++)
        r->terms[i] =
            (struct rescore_term){.text = q->terms[i].text,
                                  .len = (uint32_t)strlen(q->terms[i].text),
                                  .gain = q->terms[i].weight * q->rarity[i]};
    rescore_init(&r->rescore, r->terms, q->term_count, q->stem);
}

static double share_of(const struct page_reader *r, uint64_t mask)
{
    return r->all > 0 ? overlap_weight(r->q, mask) / r->all : 0;
}

/* Terms seen in the text; *pairs: what neighbours in it are worth. */
static uint64_t text_read(struct page_reader *r, const char *text,
                          double *pairs)
{
    struct rescore_tally t[QUERY_TERMS_MAX];
    uint64_t mask = 0;

    *pairs = 0;
    rescore_clear(&r->rescore, t);
    (void)rescore_count(&r->rescore, t, text, strlen(text), RESCORE_TEXT);
    for (size_t i = 0; i < r->q->term_count; i++) {
        mask |= t[i].in_text > 0 ? (uint64_t)1 << i : 0;
        if (i > 0)
            *pairs += t[i].pair * fmin(r->terms[i].gain, r->terms[i - 1].gain);
    }
    return mask;
}

/* The page's three best scores, and which passage has the best one. */
static const struct candidate *scores_read(const struct page_reader *r,
                                           const struct candidate *const *v,
                                           size_t n, double out[PAGE_FEATURES])
{
    const struct candidate *best = v[0];

    for (size_t i = 0; i < n; i++) {
        double s = r->top > 0 ? v[i]->score / r->top : 1;

        best = v[i]->score > best->score ? v[i] : best;
        for (size_t k = P_BEST; k <= P_THIRD; k++)
            if (s > out[k]) {
                double lower = out[k];

                out[k] = s;
                s = lower;
            }
    }
    return best;
}

static void texts_read(struct page_reader *r, const struct candidate *const *v,
                       size_t n, uint64_t above, double out[PAGE_FEATURES])
{
    uint64_t texts = 0;

    for (size_t i = 0; i < n; i++) {
        const char *heading = v[i]->heading, *last = heading_last(heading);
        double pairs;

        /* Many passages of a page stand below one heading. */
        if (i == 0 || strcmp(heading, v[i - 1]->heading) != 0) {
            above |= overlap_mask(r->q, heading, strlen(heading));
            out[P_HEAD] =
                fmax(out[P_HEAD],
                     share_of(r, overlap_mask(r->q, last, strlen(last))));
        }
        texts |= text_read(r, v[i]->text, &pairs);
        if (r->all > 0)
            out[P_PAIRS] = fmax(out[P_PAIRS], pairs / r->all);
    }
    out[P_SPREAD] = share_of(r, texts);
    out[P_NAMED] = share_of(r, r->q->names & (texts | above));
    out[P_UNNAMED] = share_of(r, r->q->names & ~(texts | above));
}

static void class_read(const struct page_reader *r,
                       const struct candidate *const *v, size_t n,
                       double out[PAGE_FEATURES])
{
    struct page_shape shape = {0};
    enum page_class class;

    for (size_t i = 0; i < n; i++)
        page_shape_add(&shape, v[i]->heading, v[i]->text, v[i]->parts);
    class = page_shape_class(&shape, v[0]->title);
    out[P_LINKS] = class == PAGE_LINKS || class == PAGE_SOURCES;
    out[P_CHANGES] = class == PAGE_CHANGES && !r->asks_changes;
    out[P_CODE] = class == PAGE_CODE;
}

/* Folders of an address, the host's own one too. */
static size_t depth_of(const char *url)
{
    const char *at = strstr(url, "://");
    size_t n = 0;

    for (at = at == NULL ? url : at + 3; *at != '\0'; at++)
        n += *at == '/';
    return n;
}

/* Words of a title, and the terms among them. */
static uint64_t title_read(struct page_reader *r, const char *title,
                           size_t *words)
{
    struct str z = page_title(title);
    uint64_t loose;

    return overlap_masks(r->q, z.p, z.n, &loose, words);
}

void page_read(struct page_reader *r, const struct candidate *const *v,
               size_t n, double out[PAGE_FEATURES])
{
    const struct candidate *best;
    size_t words = 0;
    uint64_t title = title_read(r, v[0]->title, &words);

    memset(out, 0, PAGE_FEATURES * sizeof *out);
    best = scores_read(r, v, n, out);
    texts_read(r, v, n, title, out);
    class_read(r, v, n, out);
    out[P_TITLE] = share_of(r, title);
    out[P_TITLE_WORDS] = log(1 + (double)words);
    out[P_HOST] =
        share_of(r, overlap_mask(r->q, best->host, strlen(best->host)));
    out[P_EVIDENCE] = evidence_of(r->q, best->text, strlen(best->text));
    out[P_EARLY] = 1 / (1 + (double)best->seq);
    out[P_SIZE] = log((double)best->page_bytes + PAGE_BYTES_LEAST);
    out[P_DEPTH] = (double)depth_of(best->url);
}

double page_odds(const double v[PAGE_FEATURES])
{
    double score = 0;

    for (size_t i = 0; i < PAGE_FEATURES; i++)
        score += weights[i] * v[i];
    return score;
}
