/* Words and meaning in one list; see meaning_find.h. */
#include "find/meaning_find.h"

#include "base/log.h"
#include "index/texts.h"
#include "meaning/encoder.h"
#include "meaning/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct meaning {
    struct encoder *encoder;
    struct vectors *vectors;
};

/* Of the reciprocal ranks (Cormack, Clarke, Buettcher 2009). */
static const double K = 20.0;

struct fused {
    struct candidate c;
    double score;
    float cosine;
};

static double share(size_t place)
{
    return K / (K + (double)place) / 2;
}

static int by_score(const void *x, const void *y)
{
    const struct fused *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->c.passage < b->c.passage ? -1 : a->c.passage > b->c.passage;
}

/* The nearest passages as candidates; score is the cosine. */
static enum err nearest(struct meaning *m, struct db *index, const float *query,
                        const struct index_filter *f, size_t k, struct arena *a,
                        struct candidate **out, size_t *count,
                        struct errctx *ec)
{
    struct id_range *ranges = NULL;
    struct vector_hit *hits = NULL;
    size_t range_count = 0, n = 0;
    enum err e = index_ranges(index, f, a, &ranges, &range_count, ec);

    if (e == ERR_OK)
        e = vectors_search(m->vectors, query, k, ranges, range_count, a, &hits,
                           &n);
    return e == ERR_OK ? index_candidates(index, hits, n, a, out, count, ec)
                       : e;
}

static struct fused *find(struct fused *v, size_t n, int64_t passage)
{
    for (size_t i = 0; i < n; i++)
        if (v[i].c.passage == passage)
            return &v[i];
    return NULL;
}

/* near behind words; returns how many they are together. */
static size_t join(struct meaning *m, const float *query,
                   const struct candidate *words, size_t count,
                   const struct candidate *near, size_t near_count,
                   struct fused *out)
{
    size_t n = count;

    for (size_t i = 0; i < count; i++)
        out[i] =
            (struct fused){words[i], share(i),
                           vectors_cosine(m->vectors, query, words[i].passage)};
    for (size_t i = 0; i < near_count; i++) {
        struct fused *same = find(out, count, near[i].passage);

        if (same == NULL)
            out[n++] = (struct fused){near[i], share(i), (float)near[i].score};
        else
            same->score += share(i);
    }
    qsort(out, n, sizeof *out, by_score);
    return n;
}

static enum err fuse(struct meaning *m, const float *query,
                     const struct candidate *near, size_t near_count,
                     struct arena *a, struct candidate **found, size_t *count,
                     float **cosine)
{
    size_t all = *count + near_count;
    struct fused *v = arena_array(a, all, sizeof *v);
    struct candidate *list = arena_array(a, all, sizeof *list);
    float *by = arena_array(a, all, sizeof *by);

    if (v == NULL || list == NULL || by == NULL)
        return ERR_NOMEM;
    all = join(m, query, *found, *count, near, near_count, v);
    for (size_t i = 0; i < all; i++) {
        list[i] = v[i].c;
        list[i].score = v[i].score;
        by[i] = v[i].cosine;
    }
    *found = list;
    *count = all;
    *cosine = by;
    return ERR_OK;
}

enum err meaning_fuse(struct meaning *m, struct db *index, const char *question,
                      const struct index_filter *f, size_t k, struct arena *a,
                      struct candidate **found, size_t *count, float **cosine,
                      struct errctx *ec)
{
    float query[ENCODER_WIDTH_MAX];
    struct candidate *near = NULL;
    size_t near_count = 0;
    enum err e;

    *cosine = NULL;
    if (m == NULL || vectors_count(m->vectors) == 0)
        return ERR_OK;
    e = encode(m->encoder, question, strlen(question), query);
    if (e == ERR_OK)
        e = nearest(m, index, query, f, k, a, &near, &near_count, ec);
    if (e == ERR_OK && near_count > 0)
        e = fuse(m, query, near, near_count, a, found, count, cosine);
    if (e == ERR_NOMEM)
        return err_set(ec, e, "out of memory");
    return e == ERR_DB ? e : ERR_OK;
}

/* --- opening ------------------------------------------------------------- */

enum err meaning_new(const struct conf *c, struct meaning **out)
{
    struct errctx ec = {ERR_OK, ""};
    struct meaning *m;
    char path[4096];
    enum err e;

    *out = NULL;
    if (*c->meaning_model == '\0')
        return ERR_OK;
    if (snprintf(path, sizeof path, "%s/" VECTORS_FILE, c->data_dir) >=
        (int)sizeof path)
        return ERR_OK;
    m = calloc(1, sizeof *m);
    if (m == NULL)
        return ERR_NOMEM;
    e = encoder_open(c->meaning_model, &m->encoder, &ec);
    if (e == ERR_OK)
        e = vectors_new(path, encoder_name(m->encoder),
                        encoder_width(m->encoder), &m->vectors);
    if (e == ERR_OK) {
        *out = m;
        return ERR_OK;
    }
    meaning_free(m);
    if (e == ERR_NOMEM)
        return e;
    log_warn(NULL, "searches go by words only: %s", ec.msg);
    return ERR_OK;
}

void meaning_free(struct meaning *m)
{
    if (m == NULL)
        return;
    vectors_free(m->vectors);
    encoder_close(m->encoder);
    free(m);
}
