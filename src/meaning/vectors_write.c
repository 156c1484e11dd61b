/* Vectors written; see vectors.h. */
#include "meaning/vectors_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct vectors_writer {
    char *path;
    struct vectors_head head;
    struct vectors_block block;
    int fd;
    int64_t last;
    /* Room for a block's worth of each part. */
    int8_t *bytes;
    uint64_t *signs;
    float *scales;
};

static enum err fault(const struct vectors_writer *w, const char *what,
                      struct errctx *ec)
{
    int n = errno;

    return err_set(ec, err_of_errno(n), "%s cannot be %s: %s", w->path, what,
                   strerror(n));
}

static enum err put(const struct vectors_writer *w, const void *p, size_t n,
                    uint64_t at, struct errctx *ec)
{
    const char *z = p;

    while (n > 0) {
        ssize_t k = pwrite(w->fd, z, n, (off_t)at);

        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return fault(w, "written", ec);
        z += k;
        n -= (size_t)k;
        at += (size_t)k;
    }
    return ERR_OK;
}

static uint64_t block_at(const struct vectors_writer *w, uint64_t row)
{
    return VECTORS_PAGE + row / VECTORS_ROWS * w->block.size;
}

static enum err get(const struct vectors_writer *w, void *p, size_t n,
                    uint64_t at, struct errctx *ec)
{
    ssize_t k = pread(w->fd, p, n, (off_t)at);

    if (k == (ssize_t)n)
        return ERR_OK;
    if (k >= 0)
        errno = EIO;
    return fault(w, "read", ec);
}

/* --- opening
 * ------------------------------------------------------------------ */

/* The file at path, ours alone. Another one may have taken its place before we
 * had it. */
static enum err take(struct vectors_writer *w, int flags, struct errctx *ec)
{
    struct stat mine, there;

    w->fd =
        open(w->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
    if (w->fd < 0 && errno == EEXIST)
        return err_set(ec, ERR_BUSY, "another process wrote %s", w->path);
    if (w->fd < 0)
        return fault(w, "opened", ec);
    if (flock(w->fd, LOCK_EX | LOCK_NB) != 0)
        return err_set(ec, ERR_BUSY, "another process writes %s", w->path);
    if (fstat(w->fd, &mine) != 0 || stat(w->path, &there) != 0 ||
        mine.st_ino != there.st_ino)
        return err_set(ec, ERR_BUSY, "another process wrote %s", w->path);
    return ERR_OK;
}

/* An empty file in the place of what is there: readers may still have that
 * mapped, so it is not cut. */
static enum err begin(struct vectors_writer *w, struct errctx *ec)
{
    enum err e;

    if (unlink(w->path) != 0)
        return fault(w, "replaced", ec);
    close(w->fd);
    e = take(w, O_EXCL, ec);
    if (e == ERR_OK && ftruncate(w->fd, VECTORS_PAGE) != 0)
        e = fault(w, "written", ec);
    return e == ERR_OK ? put(w, &w->head, sizeof w->head, 0, ec) : e;
}

/* Go on with what is there, if it is ours. */
static enum err go_on(struct vectors_writer *w, struct errctx *ec)
{
    struct vectors_head h;
    struct stat st;
    uint64_t row;

    if (fstat(w->fd, &st) != 0)
        return fault(w, "read", ec);
    if (pread(w->fd, &h, sizeof h, 0) != (ssize_t)sizeof h ||
        !vectors_head_is_good(&h, w->head.name, w->head.width,
                              (uint64_t)st.st_size))
        return begin(w, ec);
    w->head = h;
    if (h.count == 0)
        return ERR_OK;
    row = h.count - 1;
    return get(w, &w->last, sizeof w->last,
               block_at(w, row) + row % VECTORS_ROWS * sizeof w->last, ec);
}

static enum err writer_new(const char *path, uint64_t name, size_t width,
                           struct vectors_writer **out)
{
    struct vectors_writer *w = calloc(1, sizeof *w);

    if (w == NULL)
        return ERR_NOMEM;
    w->fd = -1;
    w->block = vectors_block_of(width);
    vectors_head_make(&w->head, name, width);
    w->path = strdup(path);
    w->bytes = malloc(VECTORS_ROWS * width);
    w->signs = malloc(VECTORS_ROWS * vectors_words(width) * sizeof *w->signs);
    w->scales = malloc(VECTORS_ROWS * sizeof *w->scales);
    *out = w;
    if (w->path != NULL && w->bytes != NULL && w->signs != NULL &&
        w->scales != NULL)
        return ERR_OK;
    vectors_write_end(w);
    return ERR_NOMEM;
}

enum err vectors_write(const char *path, uint64_t name, size_t width,
                       struct vectors_writer **out, struct errctx *ec)
{
    struct vectors_writer *w;
    enum err e = writer_new(path, name, width, &w);

    if (e != ERR_OK)
        return err_set(ec, e, "out of memory");
    e = take(w, 0, ec);
    if (e == ERR_OK)
        e = go_on(w, ec);
    if (e == ERR_OK)
        *out = w;
    else
        vectors_write_end(w);
    return e;
}

void vectors_write_end(struct vectors_writer *w)
{
    if (w == NULL)
        return;
    if (w->fd >= 0)
        close(w->fd);
    free(w->path);
    free(w->bytes);
    free(w->signs);
    free(w->scales);
    free(w);
}

size_t vectors_written(const struct vectors_writer *w)
{
    return (size_t)w->head.count;
}

int64_t vectors_last(const struct vectors_writer *w)
{
    return w->last;
}

/* --- adding
 * ------------------------------------------------------------------- */

/* count rows, of which the parts are ready, behind the last; all of one block.
 */
static enum err put_rows(struct vectors_writer *w, uint64_t row,
                         const int64_t *ids, size_t count, struct errctx *ec)
{
    uint64_t base = block_at(w, row), at = row % VECTORS_ROWS;
    size_t width = w->head.width, words = vectors_words(width);
    enum err e = ERR_OK;

    if (at == 0 && ftruncate(w->fd, (off_t)(base + w->block.size)) != 0)
        return fault(w, "written", ec);
    e = put(w, w->bytes, count * width, base + w->block.bytes + at * width, ec);
    if (e == ERR_OK)
        e = put(w, w->signs, count * words * sizeof *w->signs,
                base + w->block.signs + at * words * sizeof *w->signs, ec);
    if (e == ERR_OK)
        e = put(w, w->scales, count * sizeof *w->scales,
                base + w->block.scales + at * sizeof *w->scales, ec);
    if (e == ERR_OK)
        e = put(w, ids, count * sizeof *ids, base + at * sizeof *ids, ec);
    return e;
}

/* What was put behind the last is complete: a reader may see it. */
static enum err commit(struct vectors_writer *w, uint64_t count, int64_t last,
                       struct errctx *ec)
{
    struct vectors_head h = w->head;
    enum err e;

    if (fdatasync(w->fd) != 0)
        return fault(w, "written", ec);
    h.count = count;
    e = put(w, &h, sizeof h, 0, ec);
    if (e == ERR_OK) {
        w->head = h;
        w->last = last;
    }
    return e;
}

enum err vectors_add(struct vectors_writer *w, const int64_t *ids,
                     const float *rows, size_t count, struct errctx *ec)
{
    size_t width = w->head.width, words = vectors_words(width);
    uint64_t row = w->head.count;
    int64_t last = w->last;
    enum err e = ERR_OK;

    for (size_t i = 0; i < count; i++) {
        if (ids[i] <= last)
            return err_set(ec, ERR_INTERNAL, "vectors out of order");
        last = ids[i];
    }
    for (size_t n; e == ERR_OK && count > 0; count -= n, row += n) {
        n = VECTORS_ROWS - row % VECTORS_ROWS;
        if (n > count)
            n = count;
        for (size_t i = 0; i < n; i++, rows += width) {
            w->scales[i] = vectors_shorten(rows, width, w->bytes + i * width);
            vectors_signs(rows, width, w->signs + i * words);
        }
        e = put_rows(w, row, ids, n, ec);
        ids += n;
    }
    return e == ERR_OK ? commit(w, row, last, ec) : e;
}

/* --- sifting
 * ------------------------------------------------------------------ */

/* The kept rows of a block, moved to the front of the parts. */
static enum err sift_block(struct vectors_writer *from,
                           struct vectors_writer *to, uint64_t row, size_t n,
                           bool (*keep)(void *, int64_t), void *ctx,
                           struct errctx *ec)
{
    size_t width = from->head.width, words = vectors_words(width), kept = 0;
    uint64_t base = block_at(from, row);
    int64_t ids[VECTORS_ROWS];
    enum err e = get(from, ids, n * sizeof *ids, base, ec);

    if (e == ERR_OK)
        e = get(from, from->scales, n * sizeof *from->scales,
                base + from->block.scales, ec);
    if (e == ERR_OK)
        e = get(from, from->signs, n * words * sizeof *from->signs,
                base + from->block.signs, ec);
    if (e == ERR_OK)
        e = get(from, from->bytes, n * width, base + from->block.bytes, ec);
    for (size_t i = 0; e == ERR_OK && i < n; i++) {
        if (!keep(ctx, ids[i]))
            continue;
        ids[kept] = ids[i];
        to->scales[0] = from->scales[i];
        memcpy(to->signs, from->signs + i * words, words * sizeof *to->signs);
        memcpy(to->bytes, from->bytes + i * width, width);
        e = put_rows(to, to->head.count + kept, &ids[kept], 1, ec);
        kept++;
    }
    if (e == ERR_OK && kept > 0)
        e = commit(to, to->head.count + kept, ids[kept - 1], ec);
    return e;
}

enum err vectors_sift(struct vectors_writer *w,
                      bool (*keep)(void *ctx, int64_t passage), void *ctx,
                      struct errctx *ec)
{
    size_t n = strlen(w->path) + sizeof ".new";
    char *aside = malloc(n);
    struct vectors_writer *to = NULL;
    enum err e;

    if (aside == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    snprintf(aside, n, "%s.new", w->path);
    unlink(aside); /* of one that was killed */
    e = vectors_write(aside, w->head.name, w->head.width, &to, ec);
    for (uint64_t row = 0; e == ERR_OK && row < w->head.count;
         row += VECTORS_ROWS)
        e = sift_block(w, to, row,
                       w->head.count - row < VECTORS_ROWS
                           ? (size_t)(w->head.count - row)
                           : VECTORS_ROWS,
                       keep, ctx, ec);
    if (e == ERR_OK && rename(aside, w->path) != 0)
        e = fault(w, "replaced", ec);
    if (e == ERR_OK) {
        int fd = w->fd;

        w->fd = to->fd;
        to->fd = fd;
        w->head = to->head;
        w->last = to->last;
    } else if (to != NULL) {
        unlink(aside);
    }
    vectors_write_end(to);
    free(aside);
    return e;
}
