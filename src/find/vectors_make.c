/* Vectors kept up with the index; see vectors_make.h. */
#include "find/vectors_make.h"

#include "index/texts.h"
#include "meaning/vectors.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    AT_ONCE = 64,          /* passages of one write */
    TEXT_BYTES_MAX = 8192, /* of one that is encoded */
    ARENA_BYTES = 16 << 20,
    TITLE_BYTES = 200,
    GONE_MIN = 4096, /* of so many that are gone, and a third of all, */
    GONE_SHARE = 3,  /* the file is rid */
    THREADS_MAX = 8
};

/* Cosine of a vector and the same one in bytes, and far less of another. */
static const float SAME = 0.99f;

struct keeping {
    struct db *index;
    const struct encoder *encoder;
    const struct deadline *deadline; /* or NULL */
    struct vectors_writer *writer;
    struct arena arena;
    size_t threads; /* that encode, at least one */
    float *rows;    /* AT_ONCE vectors */
    int64_t ids[AT_ONCE];
    int64_t made;
};

/* What a passage is encoded as: it stands below its page's title and its last
 * heading. */
static size_t text_of(const struct index_text *t, char *out, size_t size)
{
    const char *last = t->heading, *next;
    int n;

    while ((next = strstr(last, " > ")) != NULL)
        last = next + 3;
    n = snprintf(out, size, "%.*s. %.*s%s%s", TITLE_BYTES, t->title,
                 TITLE_BYTES, last, *last == '\0' ? "" : ". ", t->text);
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

/* Some passages, encoded by several threads: each takes the next one. */
struct share {
    struct keeping *k;
    const struct index_text *t;
    size_t count;
    atomic_size_t next;
    enum err e[THREADS_MAX]; /* of each thread … */
    int64_t at[THREADS_MAX]; /* … and the passage it stopped at */
    atomic_size_t thread;
};

static void *encode_share(void *arg)
{
    struct share *s = arg;
    size_t width = encoder_width(s->k->encoder), i;
    size_t me = atomic_fetch_add(&s->thread, 1);
    char text[TEXT_BYTES_MAX];

    while (s->e[me] == ERR_OK &&
           (i = atomic_fetch_add(&s->next, 1)) < s->count) {
        s->at[me] = s->t[i].passage;
        s->e[me] =
            encode(s->k->encoder, text, text_of(&s->t[i], text, sizeof text),
                   s->k->rows + i * width);
    }
    return NULL;
}

static enum err encode_some(struct keeping *k, const struct index_text *t,
                            size_t count, struct errctx *ec)
{
    struct share s = {.k = k, .t = t, .count = count};
    pthread_t helper[THREADS_MAX];
    size_t helpers = 0;

    while (helpers + 1 < k->threads &&
           pthread_create(&helper[helpers], NULL, encode_share, &s) == 0)
        helpers++;
    encode_share(&s);
    for (size_t i = 0; i < helpers; i++)
        pthread_join(helper[i], NULL);
    for (size_t i = 0; i <= helpers; i++)
        if (s.e[i] != ERR_OK)
            return err_set(ec, s.e[i],
                           "the model makes no vector of passage %lld",
                           (long long)s.at[i]);
    for (size_t i = 0; i < count; i++)
        k->ids[i] = t[i].passage;
    return vectors_add(k->writer, k->ids, k->rows, count, ec);
}

static enum err catch_up(struct keeping *k, struct errctx *ec)
{
    struct index_text *t = NULL;
    size_t count = 1;
    enum err e = ERR_OK;

    while (e == ERR_OK && count > 0 &&
           (k->deadline == NULL || deadline_left(k->deadline) > 0)) {
        arena_reset(&k->arena);
        e = index_texts(k->index, vectors_last(k->writer), AT_ONCE, &k->arena,
                        &t, &count, ec);
        if (e == ERR_OK && count > 0)
            e = encode_some(k, t, count, ec);
        if (e == ERR_OK)
            k->made += (int64_t)count;
    }
    return e;
}

/* --- passages that are gone -------------------------------------------------
 */

/* Those that are there, a piece of their ids at a time. */
struct present {
    struct keeping *k;
    struct index_text *t;
    size_t at, count;
    enum err e;
    struct errctx *ec;
};

static bool is_there(void *ctx, int64_t passage)
{
    struct present *p = ctx;

    while (p->e == ERR_OK && p->at < p->count && p->t[p->at].passage < passage)
        p->at++;
    if (p->e == ERR_OK && p->at == p->count) {
        arena_reset(&p->k->arena);
        p->at = 0;
        p->e = index_texts(p->k->index, passage - 1, AT_ONCE, &p->k->arena,
                           &p->t, &p->count, p->ec);
    }
    return p->e == ERR_OK && p->at < p->count && p->t[p->at].passage == passage;
}

static bool none(void *ctx, int64_t passage)
{
    (void)ctx;
    (void)passage;
    return false;
}

static enum err sift(struct keeping *k, struct errctx *ec)
{
    int64_t passages, next, have = (int64_t)vectors_written(k->writer);
    struct present p = {.k = k, .ec = ec};
    enum err e = index_passage_ids(k->index, &passages, &next, ec);

    if (e != ERR_OK)
        return e;
    /* An older index was put in the place of this one: ids mean others. */
    if (vectors_last(k->writer) >= next)
        return vectors_sift(k->writer, none, NULL, ec);
    if (have - passages < GONE_MIN || have - passages < have / GONE_SHARE)
        return ERR_OK;
    e = vectors_sift(k->writer, is_there, &p, ec);
    return e == ERR_OK ? p.e : e;
}

/* Is the last vector that of its passage? It is not where another index came in
 * the place of the one they were made of. */
static bool is_of_index(struct keeping *k, const char *path)
{
    int64_t last = vectors_last(k->writer);
    size_t count = 0, width = encoder_width(k->encoder);
    char text[TEXT_BYTES_MAX];
    struct index_text *t = NULL;
    struct vectors *v = NULL;
    float cosine = 1, length = 0;

    arena_reset(&k->arena);
    if (last == 0 ||
        index_texts(k->index, last - 1, 1, &k->arena, &t, &count, NULL) !=
            ERR_OK ||
        count == 0 || t[0].passage != last ||
        encode(k->encoder, text, text_of(&t[0], text, sizeof text), k->rows) !=
            ERR_OK ||
        vectors_new(path, encoder_name(k->encoder), width, &v) != ERR_OK)
        return true;
    for (size_t i = 0; i < width; i++)
        length += k->rows[i] * k->rows[i];
    if (length > 0 && vectors_count(v) > 0)
        vectors_cosines(v, k->rows, &last, 1, &cosine);
    vectors_free(v);
    return cosine > SAME;
}

/* --- all of it ---------------------------------------------------------------
 */

static enum err keep(struct keeping *k, const char *path, struct errctx *ec)
{
    enum err e = vectors_write(path, encoder_name(k->encoder),
                               encoder_width(k->encoder), &k->writer, ec);

    if (e == ERR_OK && !is_of_index(k, path))
        e = vectors_sift(k->writer, none, NULL, ec);
    if (e == ERR_OK)
        e = sift(k, ec);
    if (e == ERR_OK)
        e = catch_up(k, ec);
    return e;
}

/* Did pages come in after our last look, whose process found us at it and
 * left? */
static bool is_behind(struct keeping *k, int64_t last)
{
    struct index_text *t;
    size_t count = 0;

    arena_reset(&k->arena);
    return index_texts(k->index, last, 1, &k->arena, &t, &count, NULL) ==
               ERR_OK &&
           count > 0;
}

/* The arena and the room for rows are ready. */
static enum err keep_all(struct keeping *k, const char *path, struct errctx *ec)
{
    bool more = true;
    enum err e = ERR_OK;

    while (e == ERR_OK && more) {
        int64_t last;

        e = keep(k, path, ec);
        last = k->writer == NULL ? 0 : vectors_last(k->writer);
        vectors_write_end(k->writer);
        k->writer = NULL;
        more = (k->deadline == NULL || deadline_left(k->deadline) > 0) &&
               is_behind(k, last);
    }
    return e == ERR_BUSY ? ERR_OK : e;
}

enum err vectors_make(const char *path, const struct encoder *encoder,
                      struct db *index, const struct deadline *d,
                      size_t threads, int64_t *made, struct errctx *ec)
{
    struct keeping k = {.index = index,
                        .encoder = encoder,
                        .deadline = d,
                        .threads = threads < 1             ? 1
                                   : threads > THREADS_MAX ? THREADS_MAX
                                                           : threads};
    enum err e;

    arena_init(&k.arena, ARENA_BYTES);
    k.rows = calloc(AT_ONCE, encoder_width(encoder) * sizeof *k.rows);
    e = k.rows == NULL ? err_set(ec, ERR_NOMEM, "out of memory")
                       : keep_all(&k, path, ec);
    free(k.rows);
    arena_fini(&k.arena);
    *made = k.made;
    return e;
}

enum err vectors_make_words(const struct conf *c, struct db *index,
                            const struct deadline *d, struct errctx *ec)
{
    int64_t made;
    char path[CONF_PATH_MAX];

    if (conf_data_file(c, VECTORS_OF_WORDS_FILE, path) == NULL)
        return err_set(ec, ERR_INVALID, "the data folder's path is too long");
    return vectors_make(path, encoder_words(), index, d, 1, &made, ec);
}
