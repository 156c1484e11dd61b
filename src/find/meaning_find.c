/* Words and meaning in one list; see meaning_find.h. */
#include "find/meaning_find.h"

#include "base/log.h"
#include "index/texts.h"
#include "meaning/encoder.h"
#include "meaning/kernel.h"
#include "meaning/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct meaning {
    struct encoder *encoder;
    struct vectors *vectors;
};

/* Words of a question. */
struct meaning_words {
    const struct encoder *encoder;
    struct meant pieces;
};

enum { READY_PART = 10 }; /* one passage in so many may wait for its vector */

/* Of the reciprocal ranks. */
static const double K = 20.0;

/* What a place, from 0, in one of two lists is worth in both. */
static double share(size_t place)
{
    return K / (K + (double)place) / 2;
}

/* Have most passages a vector? Weights of answers are fitted so: where few
 * have, what has none would look far away. */
static bool is_ready(struct meaning *m, struct db *index)
{
    struct errctx ec;
    int64_t passages, next, newest = vectors_newest(m->vectors);

    return newest > 0 &&
           index_passage_ids(index, &passages, &next, &ec) == ERR_OK &&
           next - 1 - newest <= passages / READY_PART;
}

static bool is_term(const struct query *q, const struct term *t)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, t->text) == 0)
            return true;
    return false;
}

/* Keep the pieces of words that carry meaning; all, where none does. */
static void pieces_keep(const struct query *q, size_t width, struct meant *m)
{
    struct term_iter it;
    struct term t;
    size_t i = 0, kept = 0;

    terms_init_with(&it, q->stem, q->text, strlen(q->text));
    while (terms_next(&it, &t)) {
        bool keep = is_term(q, &t);

        while (i < m->count && m->at[i] < t.start)
            i++;
        for (; i < m->count && m->at[i] < t.end; i++) {
            if (!keep)
                continue;
            m->at[kept] = m->at[i];
            memmove(m->rows + kept * width, m->rows + i * width,
                    width * sizeof *m->rows);
            kept++;
        }
    }
    m->count = kept > 0 ? kept : m->count;
}

/* Can it read a dozen places within an answer's time? Without vector
 * instructions they would take more than a second. */
static bool is_quick(const struct encoder *e)
{
    return strcmp(encoder_kernel(e), kernel_plain.name) != 0;
}

enum err meaning_read(struct meaning *m, struct db *index, struct query *q)
{
    struct meaning_words *words;
    float *v;
    enum err e;

    if (m == NULL || q->lang != LANG_EN || !is_ready(m, index))
        return ERR_OK;
    v = arena_array(q->arena, encoder_width(m->encoder), sizeof *v);
    words = arena_alloc(q->arena, sizeof *words);
    if (v == NULL || words == NULL)
        return ERR_NOMEM;
    words->encoder = m->encoder;
    e = encode_pieces(m->encoder, q->text, strlen(q->text), q->arena, v,
                      &words->pieces);
    if (e == ERR_OK) {
        pieces_keep(q, encoder_width(m->encoder), &words->pieces);
        q->meaning = v;
        q->meant = is_quick(m->encoder) ? words : NULL;
    }
    return e == ERR_NOMEM ? e : ERR_OK;
}

enum err meaning_meet(const struct query *q, const char *text, size_t n,
                      double *out)
{
    const struct meant *m = &q->meant->pieces;
    float near[ENCODER_TOKENS_MAX];
    enum err e = encode_nearest(q->meant->encoder, m, text, n, near);

    *out = 0;
    for (size_t i = 0; e == ERR_OK && i < m->count; i++)
        *out += fmax(0, near[i]) / (double)m->count;
    return e;
}

void meaning_measure(const struct meaning *m, const struct query *q,
                     struct candidate *c, size_t n)
{
    for (size_t i = 0; q->meaning != NULL && i < n; i++)
        c[i].near = vectors_cosine(m->vectors, q->meaning, c[i].passage);
}

static int by_score(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->passage < b->passage ? -1 : a->passage > b->passage;
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

static struct candidate *find(struct candidate *v, size_t n, int64_t passage)
{
    for (size_t i = 0; i < n; i++)
        if (v[i].passage == passage)
            return &v[i];
    return NULL;
}

/* near behind the n of words, which have their scores; returns how many they
 * are together. */
static size_t join(struct candidate *words, size_t n,
                   const struct candidate *near, size_t near_count)
{
    size_t all = n;

    for (size_t i = 0; i < near_count; i++) {
        struct candidate *same = find(words, n, near[i].passage);

        if (same == NULL) {
            same = &words[all++];
            *same = near[i];
            same->score = 0;
        }
        same->score += share(i);
        same->near = (float)near[i].score;
    }
    return all;
}

enum err meaning_fuse(struct meaning *m, struct db *index,
                      const struct query *q, const struct index_filter *f,
                      size_t k, struct arena *a, struct candidate **found,
                      size_t *count, struct errctx *ec)
{
    struct candidate *near = NULL, *list;
    size_t n = *count, near_count = 0;
    enum err e;

    if (q->meaning == NULL)
        return ERR_OK;
    e = nearest(m, index, q->meaning, f, k, a, &near, &near_count, ec);
    if (e == ERR_NO_RESULT)
        return ERR_OK;
    list =
        e == ERR_OK ? arena_array(a, n + near_count + 1, sizeof *list) : NULL;
    if (e == ERR_NOMEM || (e == ERR_OK && list == NULL))
        return err_set(ec, ERR_NOMEM, "out of memory");
    if (e != ERR_OK)
        return e;
    if (n > 0)
        memcpy(list, *found, n * sizeof *list);
    qsort(list, n, sizeof *list, by_score);
    meaning_measure(m, q, list, n);
    /* What has no vector yet is as near as its words say. */
    for (size_t i = 0; i < n; i++)
        list[i].score = share(i) * (list[i].near == 0 ? 2 : 1);
    *count = join(list, n, near, near_count);
    qsort(list, *count, sizeof *list, by_score);
    *found = list;
    return ERR_OK;
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
