/* Vectors read and searched; see vectors.h. */
#include "meaning/vectors_file.h"

#include "meaning/kernel.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    /* So many are compared by their bytes at once. */
    ALL = 8192,
    /* Of more, those with the most equal signs: this many for each wanted,
     * and this many at least. */
    PER_HIT = 30,
    LEAST = 4096,
    FETCHED = 16 /* rows that memory is asked for at once */
};

struct vectors {
    char *path;
    uint64_t name;
    size_t width, words;
    struct vectors_block block;
    const struct kernel *kernel;
    const char *map; /* NULL: nothing is mapped */
    size_t size, count;
    dev_t device;
    ino_t inode;
};

enum err vectors_new(const char *path, uint64_t name, size_t width,
                     struct vectors **out)
{
    struct vectors *v = calloc(1, sizeof *v);
    size_t n;

    if (v == NULL || (v->path = strdup(path)) == NULL) {
        free(v);
        return ERR_NOMEM;
    }
    v->name = name;
    v->width = width;
    v->words = vectors_words(width);
    v->block = vectors_block_of(width);
    v->kernel = kernels(&n)[0];
    *out = v;
    return ERR_OK;
}

static void forget(struct vectors *v)
{
    if (v->map != NULL)
        munmap((void *)(uintptr_t)v->map, v->size);
    v->map = NULL;
    v->count = 0;
}

void vectors_free(struct vectors *v)
{
    if (v == NULL)
        return;
    forget(v);
    free(v->path);
    free(v);
}

/* --- the file as it is now ---------------------------------------------------
 */

static void map_file(struct vectors *v, int fd, const struct stat *st)
{
    struct vectors_head h;
    void *p;

    if (pread(fd, &h, sizeof h, 0) != (ssize_t)sizeof h ||
        !vectors_head_is_good(&h, v->name, v->width, (uint64_t)st->st_size))
        return;
    p = mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return;
    v->map = p;
    v->size = (size_t)st->st_size;
    v->count = (size_t)h.count;
    v->device = st->st_dev;
    v->inode = st->st_ino;
}

/* How far the mapped file is written by now; it only grows. */
static bool follow(struct vectors *v, const struct stat *st)
{
    struct vectors_head h;

    if (v->map == NULL || st->st_dev != v->device || st->st_ino != v->inode ||
        (size_t)st->st_size != v->size)
        return false;
    memcpy(&h, v->map, sizeof h);
    if (!vectors_head_is_good(&h, v->name, v->width, v->size))
        return false;
    v->count = (size_t)h.count;
    return true;
}

size_t vectors_count(struct vectors *v)
{
    struct stat st;
    int fd;

    if (stat(v->path, &st) != 0) {
        forget(v);
        return 0;
    }
    if (follow(v, &st))
        return v->count;
    forget(v);
    fd = open(v->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        map_file(v, fd, &st);
    close(fd);
    return v->count;
}

/* --- rows
 * --------------------------------------------------------------------- */

static const char *block_at(const struct vectors *v, size_t row)
{
    return v->map + VECTORS_PAGE + row / VECTORS_ROWS * v->block.size;
}

static int64_t id_at(const struct vectors *v, size_t row)
{
    int64_t id;

    memcpy(&id, block_at(v, row) + row % VECTORS_ROWS * sizeof id, sizeof id);
    return id;
}

/* The first row whose id is not below. */
static size_t row_of(const struct vectors *v, int64_t id)
{
    size_t lo = 0, hi = v->count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (id_at(v, mid) < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

struct rows {
    size_t first, end;
};

/* What is being looked for, and the best so far: a heap, the worst on top. */
struct look {
    const struct vectors *v;
    const struct rows *part;
    size_t part_count, rows; /* of all parts */
    int8_t bytes[ENCODER_WIDTH_MAX];
    uint64_t signs[ENCODER_WIDTH_MAX / 64];
    float scale;
    struct vector_hit *best;
    size_t count, k;
};

static bool worse(const struct vector_hit *a, const struct vector_hit *b)
{
    return a->cosine != b->cosine ? a->cosine < b->cosine
                                  : a->passage > b->passage;
}

static void sink(struct vector_hit *h, size_t n, size_t i)
{
    for (size_t c; (c = 2 * i + 1) < n; i = c) {
        struct vector_hit t = h[i];

        if (c + 1 < n && worse(&h[c + 1], &h[c]))
            c++;
        if (!worse(&h[c], &h[i]))
            return;
        h[i] = h[c];
        h[c] = t;
    }
}

static void offer(struct look *l, struct vector_hit hit)
{
    if (l->count < l->k) {
        l->best[l->count++] = hit;
        if (l->count == l->k)
            for (size_t i = l->k / 2; i-- > 0;)
                sink(l->best, l->k, i);
    } else if (worse(&l->best[0], &hit)) {
        l->best[0] = hit;
        sink(l->best, l->k, 0);
    }
}

static const int8_t *bytes_at(const struct vectors *v, size_t row)
{
    return (const int8_t *)block_at(v, row) + v->block.bytes +
           row % VECTORS_ROWS * v->width;
}

/* Of a row with the query's bytes; 0 for one that was damaged. */
static float cosine_of(const struct vectors *v, size_t row, const int8_t *bytes,
                       float by)
{
    float scale;

    memcpy(&scale,
           block_at(v, row) + v->block.scales +
               row % VECTORS_ROWS * sizeof scale,
           sizeof scale);
    if (!(scale > 0 && scale < 1))
        return 0;
    return (float)v->kernel->dot(bytes, bytes_at(v, row), v->width) * scale *
           by;
}

static void weigh(struct look *l, size_t row)
{
    float cosine = cosine_of(l->v, row, l->bytes, l->scale);

    if (l->count < l->k || cosine >= l->best[0].cosine)
        offer(l, (struct vector_hit){id_at(l->v, row), cosine});
}

/* How many signs of each row differ, one behind the other in out, and how
 * often each number occurs. */
static void compare_signs(const struct look *l, uint16_t *out, size_t *often)
{
    const struct vectors *v = l->v;

    for (size_t p = 0; p < l->part_count; p++)
        for (size_t row = l->part[p].first, n; row < l->part[p].end; row += n) {
            size_t at = row % VECTORS_ROWS;
            const char *signs = block_at(v, row) + v->block.signs;

            n = VECTORS_ROWS - at;
            if (n > l->part[p].end - row)
                n = l->part[p].end - row;
            v->kernel->differ(l->signs, (const uint64_t *)signs + at * v->words,
                              v->words, n, out);
            for (size_t i = 0; i < n; i++)
                often[out[i]]++;
            out += n;
        }
}

/* Weigh rows that lie apart: what each waits for memory, all wait together. */
static void weigh_all(struct look *l, const size_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < l->v->width; k += 64)
            __builtin_prefetch(bytes_at(l->v, rows[i]) + k);
    for (size_t i = 0; i < n; i++)
        weigh(l, rows[i]);
}

/* Weigh the wanted rows whose signs differ least. */
static enum err look_twice(struct look *l, size_t wanted)
{
    size_t often[ENCODER_WIDTH_MAX + 1] = {0}, most = 0, sum = 0;
    size_t rows[FETCHED], n = 0;
    uint16_t *apart = malloc(l->rows * sizeof *apart), *a = apart;

    if (apart == NULL)
        return ERR_NOMEM;
    compare_signs(l, apart, often);
    while (sum + often[most] < wanted && most < ENCODER_WIDTH_MAX)
        sum += often[most++];
    for (size_t p = 0; p < l->part_count; p++)
        for (size_t row = l->part[p].first; row < l->part[p].end; row++) {
            rows[n] = row;
            n += *a++ <= most;
            if (n < FETCHED)
                continue;
            weigh_all(l, rows, n);
            n = 0;
        }
    weigh_all(l, rows, n);
    free(apart);
    return ERR_OK;
}

static int by_cosine(const void *x, const void *y)
{
    return worse(x, y) ? 1 : worse(y, x) ? -1 : 0;
}

/* The rows of the ranges' passages. */
static enum err parts_of(const struct vectors *v, const struct id_range *ranges,
                         size_t count, struct look *l, struct arena *a)
{
    static const struct id_range all = {INT64_MIN, INT64_MAX - 1};
    struct rows *r = arena_array(a, count + 1, sizeof *r);

    if (r == NULL)
        return ERR_NOMEM;
    if (ranges == NULL) {
        ranges = &all;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        struct rows *x = &r[l->part_count];

        x->first = row_of(v, ranges[i].first);
        x->end = row_of(v, ranges[i].last + 1);
        if (x->first >= x->end)
            continue;
        l->rows += x->end - x->first;
        l->part_count++;
    }
    l->part = r;
    return l->rows == 0 ? ERR_NO_RESULT : ERR_OK;
}

enum err vectors_search(struct vectors *v, const float *query, size_t k,
                        const struct id_range *ranges, size_t range_count,
                        struct arena *a, struct vector_hit **out, size_t *count)
{
    struct look l = {.v = v, .k = k};
    size_t wanted = k * PER_HIT > LEAST ? k * PER_HIT : LEAST;
    enum err e;

    if (l.k > VECTORS_FOUND_MAX)
        l.k = VECTORS_FOUND_MAX;
    if (l.k == 0 || vectors_count(v) == 0)
        return ERR_NO_RESULT;
    e = parts_of(v, ranges, range_count, &l, a);
    if (e != ERR_OK)
        return e;
    l.best = arena_array(a, l.k, sizeof *l.best);
    if (l.best == NULL)
        return ERR_NOMEM;
    l.scale = vectors_shorten(query, v->width, l.bytes);
    vectors_signs(query, v->width, l.signs);
    if (l.rows > ALL)
        e = look_twice(&l, wanted);
    else
        for (size_t p = 0; p < l.part_count; p++)
            for (size_t row = l.part[p].first; row < l.part[p].end; row++)
                weigh(&l, row);
    if (e != ERR_OK)
        return e;
    qsort(l.best, l.count, sizeof *l.best, by_cosine);
    *out = l.best;
    *count = l.count;
    return ERR_OK;
}

int64_t vectors_newest(struct vectors *v)
{
    return vectors_count(v) == 0 ? 0 : id_at(v, v->count - 1);
}

void vectors_cosines(const struct vectors *v, const float *query,
                     const int64_t *passages, size_t n, float *out)
{
    int8_t bytes[ENCODER_WIDTH_MAX];
    float by = vectors_shorten(query, v->width, bytes);
    size_t row = 0;

    for (size_t i = 0; i < n; i++) {
        /* Those of a page stand in a row. */
        if (++row >= v->count || id_at(v, row) != passages[i])
            row = row_of(v, passages[i]);
        out[i] = row < v->count && id_at(v, row) == passages[i]
                     ? cosine_of(v, row, bytes, by)
                     : 0;
    }
}
