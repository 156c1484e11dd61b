/* Words and meaning in one list; see meaning_find.h. */
#include "find/meaning_find.h"

#include "base/log.h"
#include "find/vectors_make.h"
#include "index/texts.h"
#include "meaning/encoder.h"
#include "meaning/kernel.h"
#include "meaning/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Something that makes vectors, and those it made. */
struct space {
    const struct encoder *encoder; /* NULL: there is none */
    struct vectors *vectors;
};

struct meaning {
    struct space words, sentences;
    struct encoder *encoder; /* that of sentences, ours */
    char words_path[CONF_PATH_MAX];
};

/* Words of a question. */
struct meaning_words {
    const struct encoder *encoder;
    struct meant pieces;
};

enum {
    MEASURED = 64,       /* passages at once */
    READY_PART = 10,     /* one passage in so many may wait for its vector */
    WORDS_NEAREST = 40,  /* passages that vectors of words find at most */
    WORDS_MS = 250,      /* that a question makes vectors of words for … */
    WORDS_BEHIND = 20000 /* … of so many passages at most */
};

/* Of the reciprocal ranks. */
static const double K = 20.0;

/* What a place, from 0, in one of two lists is worth in both. */
static double share(size_t place)
{
    return K / (K + (double)place) / 2;
}

/* Have most passages a vector? Weights of answers are fitted so: where few
 * have, what has none would look far away. */
static bool is_ready(const struct space *s, struct db *index)
{
    struct errctx ec;
    int64_t passages, next, newest = vectors_newest(s->vectors);

    return newest > 0 &&
           index_passage_ids(index, &passages, &next, &ec) == ERR_OK &&
           next - 1 - newest <= passages / READY_PART;
}

/* Passages without a vector of words, up to the newest. */
static int64_t behind(struct meaning *m, struct db *index)
{
    struct errctx ec;
    int64_t passages, next;

    return index_passage_ids(index, &passages, &next, &ec) == ERR_OK
               ? next - 1 - vectors_newest(m->words.vectors)
               : 0;
}

/* Passages that lack theirs get them now, by us or by who is at it. */
static void words_catch_up(struct meaning *m, struct db *index)
{
    static const struct timespec nap = {0, 5000000};
    struct deadline d = deadline_in(WORDS_MS);
    struct errctx ec = {ERR_OK, ""};
    int64_t made = 0, left = behind(m, index);

    while (left > 0 && left <= WORDS_BEHIND && deadline_left(&d) > 0) {
        if (vectors_make(m->words_path, m->words.encoder, index, &d, 1, &made,
                         &ec) != ERR_OK) {
            log_debug(NULL, "no vectors of words: %s", ec.msg);
            return;
        }
        left = behind(m, index);
        if (left > 0 && made == 0)
            nanosleep(&nap, NULL);
    }
}

/* What there is, best first; NULL: nothing. */
static const struct space *space_of(struct meaning *m, struct db *index,
                                    enum meant_by *by)
{
    *by = MEANT_BY_ENCODER;
    if (m->sentences.encoder != NULL && is_ready(&m->sentences, index))
        return &m->sentences;
    *by = MEANT_BY_WORDS;
    if (m->words.encoder == NULL)
        return NULL;
    if (!is_ready(&m->words, index))
        words_catch_up(m, index);
    return is_ready(&m->words, index) ? &m->words : NULL;
}

/* That of the question. */
static const struct space *space_asked(const struct meaning *m,
                                       const struct query *q)
{
    return q->meant_by == MEANT_BY_ENCODER ? &m->sentences : &m->words;
}

/* Keep the pieces of words that carry meaning; all, where none does. */
static void pieces_keep(const struct query *q, size_t width, struct meant *m)
{
    struct term_iter it;
    struct term t;
    size_t i = 0, kept = 0;

    terms_init_with(&it, q->stem, q->text, strlen(q->text));
    while (terms_next(&it, &t)) {
        bool keep = query_term(q, t.text) != 0;

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

/* Set what is known of the question in that space. */
static enum err read_in(const struct space *space, enum meant_by by,
                        struct query *q)
{
    struct meaning_words *words;
    float *v;
    enum err e;

    v = arena_array(q->arena, encoder_width(space->encoder), sizeof *v);
    words = arena_alloc(q->arena, sizeof *words);
    if (v == NULL || words == NULL)
        return ERR_NOMEM;
    words->encoder = space->encoder;
    e = encode_pieces(space->encoder, q->text, strlen(q->text), q->arena, v,
                      &words->pieces);
    if (e == ERR_OK) {
        pieces_keep(q, encoder_width(space->encoder), &words->pieces);
        q->meant_by = by;
        q->meaning = v;
        q->meant =
            by == MEANT_BY_WORDS || is_quick(space->encoder) ? words : NULL;
    }
    return e == ERR_NOMEM ? e : ERR_OK;
}

enum err meaning_read(struct meaning *m, struct db *index, struct query *q)
{
    enum meant_by by;
    const struct space *space =
        m != NULL && q->lang == LANG_EN ? space_of(m, index, &by) : NULL;

    return space == NULL ? ERR_OK : read_in(space, by, q);
}

enum err meaning_read_closely(struct meaning *m, struct db *index,
                              struct query *q)
{
    return m != NULL && q->lang == LANG_EN && m->sentences.encoder != NULL &&
                   is_ready(&m->sentences, index)
               ? read_in(&m->sentences, MEANT_BY_ENCODER, q)
               : ERR_OK;
}

/* Of the nearest of a text, and its vector, of any length. */
static struct met met_of(const struct query *q, const float *near,
                         const float *vector)
{
    size_t count = q->meant->pieces.count;
    double whole = 0, square = 0;
    struct met out = {0, 0};

    for (size_t i = 0; i < count; i++)
        out.words += fmax(0, near[i]) / (double)count;
    for (size_t i = 0; i < encoder_width(q->meant->encoder); i++) {
        whole += (double)vector[i] * q->meaning[i];
        square += (double)vector[i] * vector[i];
    }
    out.whole = square > 0 ? fmax(0, whole / sqrt(square)) : 0;
    return out;
}

enum err meaning_meet(const struct query *q, const char *text, size_t n,
                      struct met *out)
{
    float near[ENCODER_TOKENS_MAX], vector[ENCODER_WIDTH_MAX];
    enum err e = encode_nearest(q->meant->encoder, &q->meant->pieces, text, n,
                                near, vector);

    *out = e == ERR_OK ? met_of(q, near, vector) : (struct met){0, 0};
    return e == ERR_NOMEM ? e : ERR_OK; /* weights that make no vector: nothing
                                           is known */
}

/* The nearest, behind them the sum. */
static size_t said_size(const struct query *q)
{
    return q->meant->pieces.count + encoder_width(q->meant->encoder);
}

float *meaning_said(const struct query *q, struct arena *a)
{
    return arena_array(a, said_size(q), sizeof(float));
}

void meaning_say(const struct query *q, const char *text, size_t n, float *said)
{
    encode_words(q->meant->encoder, &q->meant->pieces, text, n, said,
                 said + q->meant->pieces.count);
}

void meaning_say_too(const struct query *q, const float *other, float *said)
{
    size_t i = 0;

    for (; i < q->meant->pieces.count; i++)
        said[i] = other[i] > said[i] ? other[i] : said[i];
    for (; i < said_size(q); i++)
        said[i] += other[i];
}

struct met meaning_met(const struct query *q, const float *said)
{
    return met_of(q, said, said + q->meant->pieces.count);
}

void meaning_measure(const struct meaning *m, const struct query *q,
                     struct candidate *c, size_t n)
{
    int64_t ids[MEASURED];
    float near[MEASURED];

    for (size_t i = 0, some; q->meaning != NULL && i < n; i += some) {
        some = n - i < MEASURED ? n - i : MEASURED;
        for (size_t k = 0; k < some; k++)
            ids[k] = c[i + k].passage;
        vectors_cosines(space_asked(m, q)->vectors, q->meaning, ids, some,
                        near);
        for (size_t k = 0; k < some; k++)
            c[i + k].near = near[k];
    }
}

static int by_score(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->passage < b->passage ? -1 : a->passage > b->passage;
}

static struct candidate *find(struct candidate *v, size_t n, int64_t passage)
{
    for (size_t i = 0; i < n; i++)
        if (v[i].passage == passage)
            return &v[i];
    return NULL;
}

/* Those that words found, and behind them what only vectors did. */
struct both {
    struct candidate *v;
    size_t words, all;
};

/* The k passages nearest to the question, without those that are gone; into
 * list, which has room for them, those that are not there. */
static enum err nearest(struct meaning *m, struct db *index,
                        const struct query *q, const struct index_filter *f,
                        size_t k, struct arena *a, struct both *list,
                        struct vector_hit **out, size_t *count,
                        struct errctx *ec)
{
    struct id_range *ranges = NULL;
    struct vector_hit *hits = NULL, *more;
    struct candidate *fresh;
    size_t range_count = 0, hit_count = 0, more_count = 0;
    enum err e = index_ranges(index, f, a, &ranges, &range_count, ec);

    *count = 0;
    if (e == ERR_OK)
        e = vectors_search(space_asked(m, q)->vectors, q->meaning, k, ranges,
                           range_count, a, &hits, &hit_count);
    if (e != ERR_OK)
        return e == ERR_NO_RESULT ? ERR_OK : e;
    more = arena_array(a, hit_count, sizeof *more);
    if (more == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < hit_count; i++)
        if (find(list->v, list->words, hits[i].passage) == NULL)
            more[more_count++] = hits[i];
    e = index_candidates(index, more, more_count, a, &fresh, &more_count, ec);
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < more_count; i++)
        list->v[list->all++] = fresh[i];
    for (size_t i = 0; i < hit_count; i++)
        if (find(list->v, list->all, hits[i].passage) != NULL)
            hits[(*count)++] = hits[i];
    *out = hits;
    return ERR_OK;
}

/* Of the n by words, best first, what each is worth in both lists: with the
 * encoder by its place, with the vectors of words by its score and how near it
 * is, each beside the best. What has no vector yet is as near as its words say.
 */
static void words_score(enum meant_by by, struct candidate *v, size_t n,
                        double nearest)
{
    double top = n > 0 && v[0].score > 0 ? v[0].score : 1;

    for (size_t i = 0; i < n; i++) {
        double own = by == MEANT_BY_ENCODER ? share(i) : v[i].score / top / 2;
        double near =
            by == MEANT_BY_ENCODER ? 0 : fmax(0, v[i].near) / nearest / 2;

        v[i].score = own + (v[i].near == 0 ? own : near);
    }
}

/* … and of the nearest. */
static void near_score(enum meant_by by, const struct both *list,
                       const struct vector_hit *near, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct candidate *c = find(list->v, list->all, near[i].passage);

        if (c >= list->v + list->words)
            c->score = by == MEANT_BY_ENCODER ? 0
                                              : (double)near[i].cosine /
                                                    (double)near[0].cosine / 2;
        c->score += by == MEANT_BY_ENCODER ? share(i) : 0;
        c->near = near[i].cosine;
    }
}

enum err meaning_fuse(struct meaning *m, struct db *index,
                      const struct query *q, const struct index_filter *f,
                      size_t k, struct arena *a, struct candidate **found,
                      size_t *count, struct errctx *ec)
{
    struct vector_hit *near = NULL;
    struct both list = {.words = *count, .all = *count};
    size_t near_count = 0;
    enum err e;

    if (q->meaning == NULL)
        return ERR_OK;
    if (q->meant_by == MEANT_BY_WORDS && k > WORDS_NEAREST)
        k = WORDS_NEAREST;
    list.v = arena_array(a, list.words + k, sizeof *list.v);
    if (list.v == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    if (list.words > 0)
        memcpy(list.v, *found, list.words * sizeof *list.v);
    e = nearest(m, index, q, f, k, a, &list, &near, &near_count, ec);
    if (e == ERR_NOMEM)
        return err_set(ec, ERR_NOMEM, "out of memory");
    if (e != ERR_OK || near_count == 0 || near[0].cosine <= 0)
        return e;
    qsort(list.v, list.words, sizeof *list.v, by_score);
    meaning_measure(m, q, list.v, list.words);
    words_score(q->meant_by, list.v, list.words, near[0].cosine);
    near_score(q->meant_by, &list, near, near_count);
    qsort(list.v, list.all, sizeof *list.v, by_score);
    *found = list.v;
    *count = list.all;
    return ERR_OK;
}

/* --- opening ------------------------------------------------------------- */

static enum err space_open(struct space *s, const struct encoder *encoder,
                           const char *path)
{
    s->encoder = encoder;
    return encoder == NULL ? ERR_OK
                           : vectors_new(path, encoder_name(encoder),
                                         encoder_width(encoder), &s->vectors);
}

static enum err sentences_open(struct meaning *m, const struct conf *c)
{
    struct errctx ec = {ERR_OK, ""};
    char path[sizeof m->words_path];
    enum err e;

    if (*c->meaning_model == '\0')
        return ERR_OK;
    if (conf_data_file(c, VECTORS_FILE, path) == NULL)
        return ERR_OK;
    e = encoder_open(c->meaning_model, &m->encoder, &ec);
    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK)
        log_warn(NULL, "searches go by words only: %s", ec.msg);
    return space_open(&m->sentences, m->encoder, path);
}

enum err meaning_new(const struct conf *c, struct meaning **out)
{
    struct meaning *m = calloc(1, sizeof *m);
    enum err e;

    *out = NULL;
    if (m == NULL)
        return ERR_NOMEM;
    e = sentences_open(m, c);
    if (e == ERR_OK &&
        conf_data_file(c, VECTORS_OF_WORDS_FILE, m->words_path) != NULL)
        e = space_open(&m->words, encoder_words(), m->words_path);
    if (e == ERR_OK)
        *out = m;
    else
        meaning_free(m);
    return e;
}

void meaning_free(struct meaning *m)
{
    if (m == NULL)
        return;
    vectors_free(m->words.vectors);
    vectors_free(m->sentences.vectors);
    encoder_close(m->encoder);
    free(m);
}
