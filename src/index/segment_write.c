/*
 * Writing a segment in one pass: the postings go out list by list, the words
 * are kept until the end. See segment.h.
 */
#include "index/segment.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUT_BYTES = 1 << 18, LIST_MAX = 1 << 30, WORDS_MAX = 1 << 30 };

struct seg_writer {
    char *path;
    int fd;
    enum err err;
    struct errctx why;
    struct seg_head head;
    const struct seg_entry *pages;
    const uint16_t *lengths;
    uint8_t *out; /* what is not written yet */
    size_t out_len;
    uint64_t at;     /* bytes put out */
    struct buf sums; /* of the whole chunks before it */
    uint8_t *chunk;  /* the one being filled */
    size_t chunk_len;
    /* the words */
    struct buf words, blocks;
    char last[TERM_MAX];
    size_t last_len, in_block;
    /* the term at hand */
    char term[TERM_MAX];
    size_t term_len;
    int64_t removed;
    uint64_t list_at;
    uint32_t df, n; /* of the term; of the block being filled */
    uint32_t doc[SEG_BLOCK], before;
    uint8_t code[SEG_BLOCK];
    uint16_t top, block_top;
    struct buf heads, data;
};

/* --- bytes ------------------------------------------------------------- */

static enum err fail(struct seg_writer *w, enum err e, const char *what)
{
    if (w->err == ERR_OK)
        w->err = err_set(&w->why, e, "cannot write %.150s: %s", w->path, what);
    return w->err;
}

static void note_err(struct seg_writer *w, const struct buf *b)
{
    if (buf_err(b) == ERR_NOMEM)
        fail(w, ERR_NOMEM, "out of memory");
    else if (buf_err(b) != ERR_OK)
        fail(w, buf_err(b), "too much for one segment");
}

static void flush(struct seg_writer *w)
{
    size_t done = 0;

    while (done < w->out_len && w->err == ERR_OK) {
        ssize_t n = write(w->fd, w->out + done, w->out_len - done);

        if (n < 0 && errno != EINTR)
            fail(w, err_of_errno(errno), strerror(errno));
        done += n > 0 ? (size_t)n : 0;
    }
    w->out_len = 0;
}

static void close_chunk(struct seg_writer *w)
{
    uint64_t sum = seg_sum(w->chunk, w->chunk_len);

    if (w->chunk_len > 0 && w->head.at[SEG_SUMS] == 0)
        buf_add(&w->sums, &sum, sizeof sum);
    w->chunk_len = 0;
}

static void put(struct seg_writer *w, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    w->at += n;
    while (n > 0 && w->err == ERR_OK) {
        size_t room = SEG_CHUNK - w->chunk_len, out = OUT_BYTES - w->out_len;
        size_t take = n < room ? n : room;

        take = take < out ? take : out;
        memcpy(w->chunk + w->chunk_len, p, take);
        memcpy(w->out + w->out_len, p, take);
        w->chunk_len += take;
        w->out_len += take;
        p += take;
        n -= take;
        if (w->chunk_len == SEG_CHUNK)
            close_chunk(w);
        if (w->out_len == OUT_BYTES)
            flush(w);
    }
}

/* A section begins at the next multiple of eight. */
static void begin_section(struct seg_writer *w, enum seg_section s)
{
    static const char zeros[8];

    put(w, zeros, (8 - w->at % 8) % 8);
    w->head.at[s] = w->at;
}

static void add_varint(struct buf *b, uint64_t v)
{
    while (v >= 0x80) {
        buf_addc(b, (char)(v | 0x80));
        v >>= 7;
    }
    buf_addc(b, (char)v);
}

/* --- postings ---------------------------------------------------------- */

static uint32_t width(uint32_t v)
{
    return v == 0 ? 0 : 32 - (uint32_t)__builtin_clz(v);
}

static void pack(struct buf *b, const uint32_t *v, uint32_t n, uint32_t bits)
{
    uint64_t held = 0;
    uint32_t have = 0;

    for (uint32_t i = 0; i < n; i++) {
        held |= (uint64_t)v[i] << have;
        for (have += bits; have >= 8; have -= 8, held >>= 8)
            buf_addc(b, (char)held);
    }
    if (have > 0)
        buf_addc(b, (char)held);
}

/* The block being filled becomes bits; one that is alone gets its widths in
 * front, others their head. */
static void close_block(struct seg_writer *w, bool alone)
{
    uint32_t gap[SEG_BLOCK], code[SEG_BLOCK], gaps = 0, codes = 0;
    struct seg_block b = {.last = w->doc[w->n - 1],
                          .at = (uint32_t)w->data.len,
                          .top = w->block_top};

    for (uint32_t i = 0; i < w->n; i++) {
        gap[i] = w->doc[i] - w->before - 1;
        w->before = w->doc[i];
        code[i] = w->code[i];
        gaps |= gap[i];
        codes |= code[i];
    }
    b.gap_bits = (uint8_t)width(gaps);
    b.code_bits = (uint8_t)width(codes);
    if (alone) {
        buf_addc(&w->data, (char)b.gap_bits);
        buf_addc(&w->data, (char)b.code_bits);
    } else {
        buf_add(&w->heads, &b, sizeof b);
    }
    pack(&w->data, gap, w->n, b.gap_bits);
    pack(&w->data, code, w->n, b.code_bits);
    w->n = 0;
    w->block_top = 0;
}

/* In 1/256, up: what is read must never be more. */
static uint16_t top_of(const struct seg_writer *w, uint32_t doc, uint32_t code)
{
    float norm = seg_norm(w->lengths[doc], 0.5F / (float)w->head.length_avg);

    return (uint16_t)ceilf(256 * ((float)(code >> 2) / norm + seg_above(code)) +
                           0.01F);
}

void seg_writer_posting(struct seg_writer *w, uint32_t doc, uint32_t code)
{
    uint16_t top = top_of(w, doc, code);

    if (w->n == SEG_BLOCK)
        close_block(w, false);
    w->doc[w->n] = doc;
    w->code[w->n++] = (uint8_t)code;
    w->df++;
    w->block_top = top > w->block_top ? top : w->block_top;
    w->top = top > w->top ? top : w->top;
}

/* --- words ------------------------------------------------------------- */

static void add_word(struct seg_writer *w, uint64_t bytes)
{
    size_t shared = 0;

    if (w->in_block == SEG_WORDS || w->head.blocks == 0) {
        uint32_t at = (uint32_t)w->words.len;

        buf_add(&w->blocks, &at, sizeof at);
        add_varint(&w->words, w->list_at);
        w->head.blocks++;
        w->in_block = 0;
        w->last_len = 0;
    }
    while (shared < w->last_len && shared < w->term_len &&
           w->last[shared] == w->term[shared])
        shared++;
    add_varint(&w->words, shared);
    add_varint(&w->words, w->term_len - shared);
    buf_add(&w->words, w->term + shared, w->term_len - shared);
    add_varint(&w->words, w->df);
    add_varint(&w->words,
               (uint64_t)w->removed << 1 ^ (uint64_t)(w->removed >> 63));
    add_varint(&w->words, w->top);
    add_varint(&w->words, bytes);
    memcpy(w->last, w->term, w->term_len);
    w->last_len = w->term_len;
    w->in_block++;
    w->head.terms++;
}

static void end_term(struct seg_writer *w)
{
    if (w->df == 0 && w->removed == 0)
        return;
    if (w->n > 0)
        close_block(w, w->heads.len == 0);
    w->list_at = w->at;
    put(w, buf_str(&w->heads), w->heads.len);
    put(w, buf_str(&w->data), w->data.len);
    add_word(w, w->at - w->list_at);
    note_err(w, &w->heads);
    note_err(w, &w->data);
}

void seg_writer_removed(struct seg_writer *w, int64_t removed)
{
    w->removed = removed;
}

void seg_writer_term(struct seg_writer *w, const char *text, size_t n)
{
    end_term(w);
    memcpy(w->term, text, n);
    w->term_len = n;
    w->removed = 0;
    w->df = w->n = 0;
    w->before = UINT32_MAX;
    w->top = w->block_top = 0;
    buf_reset(&w->heads);
    buf_reset(&w->data);
}

/* --- tables ------------------------------------------------------------ */

static int by_first(const void *va, const void *vb, void *pages)
{
    const struct seg_entry *p = pages;
    int64_t a = p[*(const uint32_t *)va].first;
    int64_t b = p[*(const uint32_t *)vb].first;

    return a < b ? -1 : a > b;
}

static void put_firsts(struct seg_writer *w)
{
    uint32_t n = w->head.pages;
    uint32_t *order = malloc(sizeof *order * (n + 1));

    if (order == NULL) {
        fail(w, ERR_NOMEM, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_first, (void *)(uintptr_t)w->pages);
    begin_section(w, SEG_FIRSTS);
    put(w, order, sizeof *order * n);
    free(order);
}

static void put_pages(struct seg_writer *w)
{
    struct seg_page row = {0};

    begin_section(w, SEG_PAGES);
    for (uint32_t i = 0; i < w->head.pages; i++) {
        const struct seg_entry *p = &w->pages[i];

        row.first = p->first;
        row.day = p->day;
        row.lang = (uint16_t)p->lang;
        row.goes_on = p->goes_on;
        put(w, &row, sizeof row);
        row.doc += p->docs;
        row.url += (uint32_t)strlen(p->url) + 1;
    }
    put(w, &row, sizeof row);
}

/* The names stand behind the addresses. */
static void put_hosts(struct seg_writer *w, uint32_t name)
{
    struct seg_host row = {.name = name};
    const char *before = NULL;

    begin_section(w, SEG_HOSTS);
    for (uint32_t i = 0; i < w->head.pages; i++) {
        const char *host = w->pages[i].rhost;

        if (before != NULL && strcmp(before, host) == 0)
            continue;
        row.page = i;
        put(w, &row, sizeof row);
        row.name += (uint32_t)strlen(host) + 1;
        w->head.hosts++;
        before = host;
    }
    row.page = w->head.pages;
    put(w, &row, sizeof row);
}

static void put_strings(struct seg_writer *w)
{
    const char *before = NULL;

    begin_section(w, SEG_STRINGS);
    for (uint32_t i = 0; i < w->head.pages; i++)
        put(w, w->pages[i].url, strlen(w->pages[i].url) + 1);
    for (uint32_t i = 0; i < w->head.pages; i++) {
        const char *host = w->pages[i].rhost;

        if (before == NULL || strcmp(before, host) != 0)
            put(w, host, strlen(host) + 1);
        before = host;
    }

    /* At least one, and the last byte of the section is a zero. */
    put(w, "\0\0\0\0\0\0\0", 8 - w->at % 8);
}

static void put_tables(struct seg_writer *w)
{
    uint64_t names = 0;

    for (uint32_t i = 0; i < w->head.pages; i++)
        names += strlen(w->pages[i].url) + strlen(w->pages[i].rhost) + 2;
    if (names > UINT32_MAX)
        fail(w, ERR_TOO_LARGE, "too many pages for one segment");
    names = 0;
    for (uint32_t i = 0; i < w->head.pages; i++)
        names += strlen(w->pages[i].url) + 1;
    begin_section(w, SEG_DICTIONARY);
    put(w, buf_str(&w->words), w->words.len);
    begin_section(w, SEG_BLOCKS);
    put(w, buf_str(&w->blocks), w->blocks.len);
    put_pages(w);
    begin_section(w, SEG_LENGTHS);
    put(w, w->lengths, sizeof *w->lengths * w->head.docs);
    put_firsts(w);
    put_hosts(w, (uint32_t)names);
    put_strings(w);
    close_chunk(w);
    begin_section(w, SEG_SUMS);
}

/* --- the whole --------------------------------------------------------- */

static uint32_t average(const uint16_t *lengths, uint32_t n)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += lengths[i];
    return sum < n || n == 0 ? 1 : (uint32_t)(sum / n);
}

void seg_writer_free(struct seg_writer *w)
{
    if (w == NULL)
        return;
    if (w->fd >= 0) {
        close(w->fd);
        unlink(w->path);
    }
    buf_fini(&w->sums);
    buf_fini(&w->words);
    buf_fini(&w->blocks);
    buf_fini(&w->heads);
    buf_fini(&w->data);
    free(w->out);
    free(w->chunk);
    free(w->path);
    free(w);
}

enum err seg_writer_new(const char *path, const struct seg_entry *pages,
                        size_t count, const uint16_t *lengths, uint32_t docs,
                        struct seg_writer **out, struct errctx *ec)
{
    struct seg_writer *w = calloc(1, sizeof *w);

    if (w == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    w->fd = -1;
    w->path = strdup(path);
    w->out = malloc(OUT_BYTES);
    w->chunk = malloc(SEG_CHUNK);
    buf_init(&w->sums, LIST_MAX);
    buf_init(&w->words, WORDS_MAX);
    buf_init(&w->blocks, WORDS_MAX);
    buf_init(&w->heads, LIST_MAX);
    buf_init(&w->data, LIST_MAX);
    memcpy(w->head.magic, seg_magic, sizeof seg_magic);
    w->head.docs = docs;
    w->head.pages = (uint32_t)count;
    w->head.length_avg = average(lengths, docs);
    w->pages = pages;
    w->lengths = lengths;
    if (w->path == NULL || w->out == NULL || w->chunk == NULL) {
        seg_writer_free(w);
        return err_set(ec, ERR_NOMEM, "out of memory");
    }
    w->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (w->fd < 0) {
        enum err e = err_set(ec, err_of_errno(errno), "cannot make %.200s: %s",
                             path, strerror(errno));

        seg_writer_free(w);
        return e;
    }
    /* The head's place; it is written last. */
    memcpy(w->out, &w->head, sizeof w->head);
    w->out_len = w->at = w->head.at[SEG_POSTINGS] = sizeof w->head;
    *out = w;
    return ERR_OK;
}

enum err seg_writer_finish(struct seg_writer *w,
                           const int32_t lang[LANG_COUNT + 1], bool sync,
                           int64_t *bytes, struct errctx *ec)
{
    enum err e;

    end_term(w);
    put_tables(w);
    note_err(w, &w->words);
    note_err(w, &w->blocks);
    note_err(w, &w->sums);
    put(w, buf_str(&w->sums), w->sums.len);
    flush(w);
    w->head.at[SEG_END] = w->at;
    memcpy(w->head.lang, lang, sizeof w->head.lang);
    w->head.sum = seg_head_sum(&w->head, buf_str(&w->sums), w->sums.len);
    if (w->err == ERR_OK &&
        pwrite(w->fd, &w->head, sizeof w->head, 0) != sizeof w->head)
        fail(w, err_of_errno(errno), strerror(errno));
    if (w->err == ERR_OK && sync && fsync(w->fd) != 0)
        fail(w, err_of_errno(errno), strerror(errno));
    e = w->err;
    if (e == ERR_OK) {
        *bytes = (int64_t)w->at;
        close(w->fd);
        w->fd = -1;
    } else {
        err_set(ec, e, "%s", w->why.msg);
    }
    seg_writer_free(w);
    return e;
}
