/* The mapped file of weights; see model_file.h. */
#include "meaning/model_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "citedbrt";

struct model_head {
    char magic[8];
    uint32_t version, order; /* order: 1, as this machine writes it */
    uint64_t size, checksum;
    struct model_shape shape;
};

enum { HEAD_BYTES = 2 * MODEL_ALIGN };
_Static_assert(sizeof(struct model_head) <= HEAD_BYTES, "raise HEAD_BYTES");

/* A walk over the sections of a file that begins at base, or of none. */
struct walk {
    const char *base;
    uint64_t at;
};

static const void *section(struct walk *w, uint64_t count, uint64_t size)
{
    uint64_t at = w->at;

    w->at += (count * size + MODEL_ALIGN - 1) / MODEL_ALIGN * MODEL_ALIGN;
    return w->base == NULL ? NULL : w->base + at;
}

static struct matrix matrix_section(struct walk *w, size_t in, size_t out)
{
    struct matrix m = {in, out, NULL, NULL, NULL, NULL};

    m.scale = section(w, out, sizeof(float));
    m.bias = section(w, out, sizeof(float));
    m.sum = section(w, out, sizeof(int32_t));
    m.cells = section(w, (uint64_t)in * out, 1);
    return m;
}

static void sections(struct walk *w, struct model_file *m)
{
    const struct model_shape *s = &m->shape;
    uint64_t width = s->width;

    section(w, 1, HEAD_BYTES);
    m->at = section(w, s->words + 1, sizeof(uint32_t));
    m->id = section(w, s->words, sizeof(uint32_t));
    m->letters = section(w, s->letters, 1);
    m->word = section(w, s->words * width, 1);
    m->word_scale = section(w, s->words, sizeof(float));
    m->position = section(w, s->positions * width, sizeof(float));
    m->gain = section(w, width, sizeof(float));
    m->bias = section(w, width, sizeof(float));
    for (uint32_t i = 0; i < s->layers; i++) {
        struct model_layer *l = &m->layer[i];

        l->qkv = matrix_section(w, s->width, 3 * (size_t)s->width);
        l->mixed = matrix_section(w, s->width, s->width);
        l->mixed_gain = section(w, width, sizeof(float));
        l->mixed_bias = section(w, width, sizeof(float));
        l->up = matrix_section(w, s->width, s->inner);
        l->down = matrix_section(w, s->inner, s->width);
        l->down_gain = section(w, width, sizeof(float));
        l->down_bias = section(w, width, sizeof(float));
    }
}

static bool is_step(uint32_t n, uint32_t max)
{
    return n > 0 && n <= max && n % KERNEL_STEP == 0;
}

static bool layers_are_good(const struct model_shape *s)
{
    return is_step(s->inner, MODEL_INNER_MAX) &&
           s->layers <= MODEL_LAYERS_MAX && s->heads > 0 &&
           s->width % s->heads == 0 && s->width / s->heads % KERNEL_STEP == 0 &&
           s->positions >= 2 && s->positions <= MODEL_POSITIONS_MAX;
}

static bool shape_is_good(const struct model_shape *s)
{
    return s->words > 0 && s->words <= MODEL_WORDS_MAX &&
           is_step(s->width, MODEL_WIDTH_MAX) &&
           (s->layers > 0
                ? layers_are_good(s)
                : s->heads == 0 && s->inner == 0 && s->positions == 0) &&
           s->unknown < s->words && s->first < s->words && s->last < s->words &&
           s->letters <= s->words * (uint64_t)MODEL_WORD_BYTES_MAX;
}

/* Bytes of the file of this shape; 0: it breaks a bound. */
static size_t file_size(const struct model_shape *s)
{
    struct model_file m = {.shape = *s};
    struct walk w = {NULL, 0};

    if (!shape_is_good(s))
        return 0;
    sections(&w, &m);
    return w.at;
}

/* Four sums side by side, as fast as memory is read: against a cut, damaged or
 * mixed up file, not against somebody who means harm. */
static uint64_t checksum(const char *p, size_t n)
{
    enum { LANES = 4 };
    static const uint64_t by = 0x9E3779B97F4A7C15u;
    uint64_t lane[LANES] = {1, 2, 3, 4}, sum = n;

    for (; n >= sizeof lane; n -= sizeof lane, p += sizeof lane) {
        uint64_t in[LANES];

        memcpy(in, p, sizeof in);
        for (int i = 0; i < LANES; i++) {
            lane[i] = (lane[i] ^ in[i]) * by;
            lane[i] ^= lane[i] >> 29;
        }
    }
    for (int i = 0; i < LANES; i++)
        sum = (sum ^ lane[i]) * by + (sum >> 31);
    return sum;
}

/* What lies behind the header; a whole number of MODEL_ALIGN bytes. */
static uint64_t body_checksum(const void *p, size_t size)
{
    return checksum((const char *)p + HEAD_BYTES, size - HEAD_BYTES);
}

enum err model_file_lay(const struct model_shape *shape, struct model_file *out,
                        void **p, size_t *size)
{
    struct model_head h = {.version = MODEL_VERSION, .order = 1};
    size_t n = file_size(shape);
    struct walk w;

    if (n == 0)
        return ERR_INVALID;
    w = (struct walk){aligned_alloc(MODEL_ALIGN, n), 0};
    if (w.base == NULL)
        return ERR_NOMEM;
    *p = (void *)(uintptr_t)w.base;
    memset(*p, 0, n);
    memcpy(h.magic, magic, sizeof magic);
    h.size = n;
    h.shape = *shape;
    memcpy(*p, &h, sizeof h);
    memset(out, 0, sizeof(*out));
    out->shape = *shape;
    sections(&w, out);
    *size = n;
    return ERR_OK;
}

void model_file_seal(void *p, size_t size)
{
    struct model_head h;

    if (size < HEAD_BYTES)
        return;
    memcpy(&h, p, sizeof h);
    h.checksum = body_checksum(p, size);
    memcpy(p, &h, sizeof h);
}

/* The words are in order, each within the letters, and numbered. */
static bool words_are_good(const struct model_file *m)
{
    const struct model_shape *s = &m->shape;

    if (m->at[0] != 0 || m->at[s->words] != s->letters)
        return false;
    for (uint32_t i = 0; i < s->words; i++)
        if (m->at[i + 1] < m->at[i] || m->id[i] >= s->words)
            return false;
    return true;
}

/* The vocabulary by hashes, half of them empty at least. */
static bool slots_fill(struct model_file *m)
{
    uint32_t size = 1;

    while (size < 2 * m->shape.words)
        size *= 2;
    m->slot = calloc(size, sizeof *m->slot);
    m->slot_mask = size - 1;
    for (uint32_t i = 0; m->slot != NULL && i < m->shape.words; i++) {
        uint32_t hash = MODEL_HASH, at = m->at[i], len = m->at[i + 1] - at;

        for (uint32_t k = 0; k < len; k++)
            hash = model_hash(hash, m->letters[at + k]);
        while (m->slot[hash & m->slot_mask].len != 0)
            hash++;
        m->slot[hash & m->slot_mask] = (struct model_slot){at, len, m->id[i]};
    }
    return m->slot != NULL;
}

enum err model_file_read(const void *p, size_t size, const char *name,
                         struct model_file *out, struct errctx *ec)
{
    struct model_head h;
    struct model_file m;
    struct walk w = {p, 0};

    if (size < sizeof h || memcmp(p, magic, sizeof magic) != 0)
        return err_set(ec, ERR_MALFORMED,
                       "%s is not a model that make meaning wrote", name);
    memcpy(&h, p, sizeof h);
    if (h.order != 1)
        return err_set(ec, ERR_MALFORMED,
                       "%s was written on a machine with another byte order",
                       name);
    if (h.version != MODEL_VERSION)
        return err_set(ec, ERR_MALFORMED,
                       "%s is of version %u, this program reads version %d; "
                       "run make meaning again",
                       name, h.version, MODEL_VERSION);
    if (h.size != size)
        return err_set(ec, ERR_MALFORMED,
                       "%s is cut: %zu of %llu bytes; run make meaning again",
                       name, size, (unsigned long long)h.size);
    if (file_size(&h.shape) != size || body_checksum(p, size) != h.checksum)
        return err_set(ec, ERR_MALFORMED,
                       "%s is damaged; run make meaning again", name);
    memset(&m, 0, sizeof m);
    m.shape = h.shape;
    m.checksum = h.checksum;
    sections(&w, &m);
    if (!words_are_good(&m))
        return err_set(ec, ERR_MALFORMED, "%s: its vocabulary is damaged",
                       name);
    if (!slots_fill(&m))
        return err_set(ec, ERR_NOMEM, "out of memory");
    *out = m;
    return ERR_OK;
}

static enum err map_model(int fd, const char *path, struct model_file *out,
                          struct errctx *ec)
{
    struct stat st;
    void *p;
    enum err e;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return err_set(ec, ERR_IO, "%s is not a file", path);
    if (st.st_size == 0)
        return err_set(ec, ERR_MALFORMED, "%s is empty", path);
    p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return err_set(ec, err_of_errno(errno), "%s cannot be mapped: %s", path,
                       strerror(errno));
    e = model_file_read(p, (size_t)st.st_size, path, out, ec);
    if (e != ERR_OK) {
        munmap(p, (size_t)st.st_size);
        return e;
    }
    out->map = p;
    out->size = (size_t)st.st_size;
    return ERR_OK;
}

enum err model_file_open(const char *path, struct model_file *out,
                         struct errctx *ec)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum err e;

    if (fd < 0)
        return err_set(ec, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO,
                       "%s cannot be opened: %s", path, strerror(errno));
    e = map_model(fd, path, out, ec);
    close(fd);
    return e;
}

void model_file_close(struct model_file *m)
{
    if (m->map != NULL)
        munmap((void *)(uintptr_t)m->map, m->size);
    m->map = NULL;
    free(m->slot);
    m->slot = NULL;
}
