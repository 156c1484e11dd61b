/* Reading a segment; see segment.h. Writing is segment_write.c. */
#include "index/segment.h"

#include "base/date.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char seg_magic[8] = "citedSG\1";

/* Numbers are mapped as they stand. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "byte order");
_Static_assert(sizeof(struct seg_head) % 8 == 0 &&
                   sizeof(struct seg_page) == 24 &&
                   sizeof(struct seg_host) == 8 &&
                   sizeof(struct seg_block) == 12,
               "the layout of the file");

/* --- sums -------------------------------------------------------------- */

static uint64_t load(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Four lanes, each step a bijection of its lane, so that no change of one
 * word goes unseen. */
uint64_t seg_sum(const void *bytes, size_t n)
{
    static const uint64_t odd = 0x9E3779B97F4A7C15U;
    uint64_t h[4] = {n, ~(uint64_t)n, odd, ~odd}, all = 0;
    const uint8_t *p = bytes;
    uint8_t rest[32] = {0};

    for (; n >= 32; p += 32, n -= 32)
        for (int i = 0; i < 4; i++) {
            h[i] = (h[i] ^ load(p + 8 * i)) * odd;
            h[i] ^= h[i] >> 29;
        }
    if (n > 0)
        memcpy(rest, p, n);
    for (int i = 0; i < 4; i++) {
        h[i] = (h[i] ^ load(rest + 8 * i)) * odd;
        all = (all ^ h[i] ^ h[i] >> 32) * odd;
    }
    return all ^ all >> 31;
}

uint64_t seg_head_sum(const struct seg_head *h, const void *sums, size_t n)
{
    return seg_sum(h, offsetof(struct seg_head, sum)) ^ seg_sum(sums, n) << 1;
}

static bool damaged(struct segment *s)
{
    atomic_store_explicit(&s->damaged, true, memory_order_relaxed);
    return false;
}

static bool check_chunk(struct segment *s, size_t chunk)
{
    size_t from = sizeof *s->head + chunk * SEG_CHUNK;
    size_t n = s->head->at[SEG_SUMS] - from;

    if (n > SEG_CHUNK)
        n = SEG_CHUNK;
    if (load(s->base + s->head->at[SEG_SUMS] + 8 * chunk) !=
        seg_sum(s->base + from, n))
        return damaged(s);
    atomic_store_explicit(&s->checked[chunk], 1, memory_order_relaxed);
    return true;
}

/* The n bytes at from, which lie between head and sums, are as written. */
static inline bool touch(struct segment *s, size_t from, size_t n)
{
    size_t chunk = (from - sizeof *s->head) / SEG_CHUNK;
    size_t last = (from + n - 1 - sizeof *s->head) / SEG_CHUNK;

    if (s->unchecked || n == 0)
        return true;
    for (; chunk <= last; chunk++)
        if (!atomic_load_explicit(&s->checked[chunk], memory_order_relaxed) &&
            !check_chunk(s, chunk))
            return false;
    return true;
}

bool segment_check(struct segment *s)
{
    size_t from = sizeof *s->head;

    return touch(s, from, s->head->at[SEG_SUMS] - from) &&
           !atomic_load(&s->damaged);
}

/* --- opening ----------------------------------------------------------- */

/* The bytes that a section must have at least. */
static uint64_t section_bytes(const struct seg_head *h, int section)
{
    uint64_t body = h->at[SEG_SUMS] - sizeof *h;

    switch (section) {
    case SEG_BLOCKS:
        return 4 * (uint64_t)h->blocks;
    case SEG_PAGES:
        return sizeof(struct seg_page) * ((uint64_t)h->pages + 1);
    case SEG_LENGTHS:
        return 2 * (uint64_t)h->docs;
    case SEG_FIRSTS:
        return 4 * (uint64_t)h->pages;
    case SEG_HOSTS:
        return sizeof(struct seg_host) * ((uint64_t)h->hosts + 1);
    case SEG_STRINGS:
        return 1;
    case SEG_SUMS:
        return 8 * ((body + SEG_CHUNK - 1) / SEG_CHUNK);
    default:
        return 0;
    }
}

static bool sections_fit(const struct segment *s)
{
    const struct seg_head *h = s->head;

    if (memcmp(h->magic, seg_magic, sizeof seg_magic) != 0 ||
        h->at[SEG_POSTINGS] != sizeof *h || h->at[SEG_END] != s->bytes)
        return false;
    for (int i = 0; i < SEG_END; i++)
        if (h->at[i] % 8 != 0 || h->at[i] > h->at[i + 1] ||
            h->at[i + 1] > s->bytes)
            return false;
    for (int i = 0; i < SEG_END; i++)
        if (h->at[i + 1] - h->at[i] < section_bytes(h, i))
            return false;
    return h->at[SEG_SUMS] - h->at[SEG_STRINGS] <= UINT32_MAX &&
           h->at[SEG_BLOCKS] - h->at[SEG_DICTIONARY] <= UINT32_MAX &&
           h->blocks == (h->terms + SEG_WORDS - 1) / SEG_WORDS &&
           h->length_avg > 0;
}

/* Rising numbers within their bounds; strings end inside their section. */
static bool tables_agree(struct segment *s)
{
    const struct seg_head *h = s->head;
    uint64_t strings = h->at[SEG_SUMS] - h->at[SEG_STRINGS];

    if (s->strings[strings - 1] != '\0' || s->pages[0].doc != 0 ||
        s->pages[h->pages].doc != h->docs || s->hosts[0].page != 0 ||
        s->hosts[h->hosts].page != h->pages)
        return false;
    for (uint32_t i = 0; i < h->pages; i++) {
        const struct seg_page *p = &s->pages[i];

        if (p->doc >= p[1].doc || p->url >= strings || p->lang >= LANG_COUNT ||
            p->goes_on > (i > 0) || s->firsts[i] >= h->pages ||
            (i > 0 &&
             s->pages[s->firsts[i - 1]].first >= s->pages[s->firsts[i]].first))
            return false;
    }
    for (uint32_t i = 0; i < h->hosts; i++)
        if (s->hosts[i].page >= s->hosts[i + 1].page ||
            s->hosts[i].name >= strings)
            return false;
    return true;
}

static void find_runs(struct segment *s)
{
    const struct seg_page *p = s->pages;

    for (uint32_t i = 0; i < s->head->pages; i++) {
        s->days[i] = p[i].day;
        if (i == 0 || p[i].lang != p[i - 1].lang)
            s->runs[s->run_count++] = (struct seg_run){p[i].doc, p[i].lang};
    }
    s->runs[s->run_count] = (struct seg_run){s->head->docs, LANG_EN};
    for (uint32_t i = 0; i < SEG_DAYS; i++)
        s->days[s->head->pages + i] = DAY_NONE;
}

/* s->base and s->bytes are set. ERR_MALFORMED, ERR_NOMEM. */
static enum err ready(struct segment *s)
{
    const struct seg_head *h = (const void *)s->base;
    uint64_t sums;

    s->head = h;
    if (s->bytes < sizeof *h || !sections_fit(s))
        return ERR_MALFORMED;
    sums = section_bytes(h, SEG_SUMS);
    if (!s->unchecked &&
        h->sum != seg_head_sum(h, s->base + h->at[SEG_SUMS], sums))
        return ERR_MALFORMED;
    s->checked = calloc(sums / 8 + 1, 1);
    s->runs = malloc(sizeof *s->runs * ((size_t)h->pages + 1));
    s->days = malloc(sizeof *s->days * ((size_t)h->pages + SEG_DAYS));
    s->pages = (const void *)(s->base + h->at[SEG_PAGES]);
    s->lengths = (const void *)(s->base + h->at[SEG_LENGTHS]);
    s->firsts = (const void *)(s->base + h->at[SEG_FIRSTS]);
    s->hosts = (const void *)(s->base + h->at[SEG_HOSTS]);
    s->strings = (const char *)(s->base + h->at[SEG_STRINGS]);
    if (s->checked == NULL || s->runs == NULL || s->days == NULL)
        return ERR_NOMEM;
    if (!touch(s, h->at[SEG_BLOCKS], h->at[SEG_SUMS] - h->at[SEG_BLOCKS]) ||
        !tables_agree(s))
        return ERR_MALFORMED;
    find_runs(s);
    return ERR_OK;
}

static enum err finish_open(struct segment *s, struct segment **out,
                            struct errctx *ec)
{
    enum err e = ready(s);

    if (e != ERR_OK) {
        segment_close(s);
        return err_set(ec, e, e == ERR_NOMEM ? "out of memory" : "damaged");
    }
    *out = s;
    return ERR_OK;
}

enum err segment_view(const void *p, size_t n, struct segment **out,
                      struct errctx *ec)
{
    struct segment *s = calloc(1, sizeof *s);

    if (s == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    s->base = p;
    s->bytes = n;
    s->unchecked = true;
    return finish_open(s, out, ec);
}

/* Map the file into s. */
static enum err map_file(struct segment *s, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), why;
    struct stat st;
    void *p = MAP_FAILED;

    if (fd < 0)
        return errno == ENOENT ? ERR_NOT_FOUND : err_of_errno(errno);
    if (fstat(fd, &st) == 0 && st.st_size == 0) {
        close(fd);
        return ERR_MALFORMED;
    }
    if (st.st_size > 0)
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    why = errno;
    close(fd);
    if (p == MAP_FAILED)
        return err_of_errno(why);
    s->base = p;
    s->bytes = (size_t)st.st_size;
    s->mapped = true;
    return ERR_OK;
}

enum err segment_open(const char *path, struct segment **out, struct errctx *ec)
{
    struct segment *s = calloc(1, sizeof *s);
    enum err e = s == NULL ? ERR_NOMEM : map_file(s, path);

    if (e == ERR_OK)
        return finish_open(s, out, ec);
    free(s);
    return err_set(ec, e, "cannot open %.200s (%s)", path, err_name(e));
}

void segment_close(struct segment *s)
{
    if (s == NULL)
        return;
    if (s->mapped)
        munmap((void *)(uintptr_t)s->base, s->bytes);
    free((void *)s->checked);
    free(s->runs);
    free(s->days);
    free(s);
}

uint32_t segment_page_end(const struct segment *s, uint32_t page)
{
    do
        page++;
    while (page < s->head->pages && s->pages[page].goes_on);
    return page;
}

uint32_t segment_page(const struct segment *s, int64_t first)
{
    uint32_t low = 0, high = s->head->pages;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        int64_t there = s->pages[s->firsts[mid]].first;

        if (there == first)
            return s->firsts[mid];
        if (there < first)
            low = mid + 1;
        else
            high = mid;
    }
    return UINT32_MAX;
}

/* --- words ------------------------------------------------------------- */

static bool take_varint(const uint8_t **p, const uint8_t *end, uint64_t *out)
{
    uint64_t v = 0;

    for (int shift = 0; shift < 64 && *p < end; shift += 7) {
        uint8_t b = *(*p)++;

        v |= (uint64_t)(b & 0x7F) << shift;
        if (b < 0x80) {
            *out = v;
            return true;
        }
    }
    return false;
}

static int64_t unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

/* The bytes of block i, checked. */
static bool block_bytes(struct segment *s, uint32_t i, const uint8_t **p,
                        const uint8_t **end)
{
    const struct seg_head *h = s->head;
    const uint32_t *at = (const void *)(s->base + h->at[SEG_BLOCKS]);
    uint64_t size = h->at[SEG_BLOCKS] - h->at[SEG_DICTIONARY];
    uint64_t to = i + 1 < h->blocks ? at[i + 1] : size;

    if (at[i] >= to || to > size)
        return damaged(s);
    *p = s->base + h->at[SEG_DICTIONARY] + at[i];
    *end = s->base + h->at[SEG_DICTIONARY] + to;
    return touch(s, (size_t)(*p - s->base), (size_t)(to - at[i]));
}

/* What a block of words begins with: where its postings do. */
static bool begin_block(struct seg_words *w, uint32_t block)
{
    uint32_t before = block * SEG_WORDS, terms = w->s->head->terms;

    w->left = terms - before < SEG_WORDS ? (int)(terms - before) : SEG_WORDS;
    w->len = 0;
    w->block = block;
    return block_bytes(w->s, block, &w->p, &w->end) &&
           (take_varint(&w->p, w->end, &w->at) || damaged(w->s));
}

/* The next word of the block; its postings stand behind those of the one
 * before. */
static bool next_word(struct seg_words *w)
{
    uint64_t shared, more, df, removed, top, bytes;

    if (!take_varint(&w->p, w->end, &shared) ||
        !take_varint(&w->p, w->end, &more) || shared > w->len ||
        more > TERM_MAX - shared || more > (uint64_t)(w->end - w->p))
        return damaged(w->s);
    memcpy(w->text + shared, w->p, more);
    w->p += more;
    w->len = shared + more;
    w->text[w->len] = '\0';
    if (!take_varint(&w->p, w->end, &df) ||
        !take_varint(&w->p, w->end, &removed) ||
        !take_varint(&w->p, w->end, &top) ||
        !take_varint(&w->p, w->end, &bytes) || df > w->s->head->docs ||
        top > UINT16_MAX)
        return damaged(w->s);
    w->term = (struct seg_term){.df = (uint32_t)df,
                                .removed = unzigzag(removed),
                                .top = (uint16_t)top,
                                .at = w->at};
    w->at += bytes;
    w->left--;
    return true;
}

void seg_words_begin(struct seg_words *w, struct segment *s)
{
    *w = (struct seg_words){.s = s, .block = UINT32_MAX};
}

bool seg_words_next(struct seg_words *w)
{
    if (w->left == 0)
        if (w->block + 1 >= w->s->head->blocks || !begin_block(w, w->block + 1))
            return false;
    return next_word(w);
}

static int compare(const char *a, size_t an, const char *b, size_t bn)
{
    int c = memcmp(a, b, an < bn ? an : bn);

    return c != 0 ? c : (an > bn) - (an < bn);
}

/* The first word of a block, where it stands: it shares nothing. */
static bool first_word(struct segment *s, uint32_t block, struct str *out)
{
    const uint8_t *p, *end;
    uint64_t at, shared, more;

    if (!block_bytes(s, block, &p, &end))
        return false;
    if (!take_varint(&p, end, &at) || !take_varint(&p, end, &shared) ||
        !take_varint(&p, end, &more) || shared > 0 || more > TERM_MAX ||
        more > (uint64_t)(end - p))
        return damaged(s);
    *out = (struct str){(const char *)p, more};
    return true;
}

/* The last block whose first word is not behind the text, begun anew;
 * false: there is none. */
static bool find_block(struct seg_words *w, const char *text, size_t n)
{
    uint32_t low = 0, high = w->s->head->blocks;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        struct str first;

        if (!first_word(w->s, mid, &first))
            return false;
        if (compare(first.p, first.n, text, n) <= 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low > 0 && begin_block(w, low - 1);
}

bool segment_find(struct segment *s, const char *text, size_t n,
                  struct seg_term *out)
{
    struct seg_words w;
    int c = -1;

    seg_words_begin(&w, s);
    if (!find_block(&w, text, n))
        return false;
    while (c < 0 && w.left > 0 && next_word(&w))
        c = compare(w.text, w.len, text, n);
    if (c == 0)
        *out = w.term;
    return c == 0;
}

/* --- postings ---------------------------------------------------------- */

static struct seg_block block_head(const struct cursor *c, uint32_t i)
{
    struct seg_block b;

    memcpy(&b, c->heads + sizeof b * i, sizeof b);
    return b;
}

/* No postings from here on. */
static bool cursor_end(struct cursor *c)
{
    c->block = c->blocks;
    c->n = 0;
    return false;
}

void cursor_begin(struct cursor *c, struct segment *s, const struct seg_term *t)
{
    uint64_t limit = s->head->at[SEG_DICTIONARY];
    size_t heads;

    c->s = s;
    c->heads = NULL;
    c->data = s->base + t->at;
    c->df = t->df;
    c->top = t->top;
    c->blocks = (t->df + SEG_BLOCK - 1) / SEG_BLOCK;
    c->block = c->n = c->i = 0;
    heads = c->blocks > 1 ? sizeof(struct seg_block) * c->blocks : 0;
    if (t->at < sizeof *s->head || t->at > limit || limit - t->at < heads ||
        !touch(s, t->at, heads)) {
        (void)damaged(s);
        cursor_end(c);
    } else if (heads > 0) {
        c->heads = c->data;
        c->data += heads;
    }
}

/* Unpack the block; its gaps must lead to what is known of it. */
static bool unpack_block(struct cursor *c)
{
    uint32_t n =
        c->block + 1 < c->blocks ? SEG_BLOCK : c->df - c->block * SEG_BLOCK;
    const uint8_t *end = c->s->base + c->s->head->at[SEG_DICTIONARY];
    struct seg_block b = {.at = 2};
    const uint8_t *p = c->data;
    uint64_t doc = UINT64_MAX;
    size_t gaps, bytes;

    if (c->heads != NULL) {
        b = block_head(c, c->block);
        doc = c->block == 0 ? doc : block_head(c, c->block - 1).last;
    } else if (end - p < 2 || !touch(c->s, (size_t)(p - c->s->base), 2)) {
        return damaged(c->s) || cursor_end(c);
    } else {
        b.gap_bits = p[0];
        b.code_bits = p[1];
    }
    gaps = ((size_t)n * b.gap_bits + 7) / 8;
    bytes = gaps + ((size_t)n * b.code_bits + 7) / 8;
    if (b.gap_bits > 32 || b.code_bits > 8 || b.at > end - p ||
        bytes > (size_t)(end - p - b.at) ||
        !touch(c->s, (size_t)(p - c->s->base) + b.at, bytes))
        return damaged(c->s) || cursor_end(c);
    p += b.at;
    for (uint32_t i = 0; i < n; i++) {
        doc += (uint64_t)seg_unpack(p, b.gap_bits, i) + 1;
        c->doc[i] = (uint32_t)doc;
    }
    if (doc >= c->s->head->docs || (c->heads != NULL && doc != b.last))
        return damaged(c->s) || cursor_end(c);
    c->n = n;
    c->i = 0;
    c->codes = p + gaps;
    c->code_bits = b.code_bits;
    return true;
}

/* To the block that may hold doc. A single block is unpacked at once. */
static bool reach(struct cursor *c, uint32_t doc)
{
    uint32_t block = c->block;

    if (block >= c->blocks)
        return false;
    if (c->heads == NULL)
        return (c->n > 0 || unpack_block(c)) &&
               (c->doc[c->n - 1] >= doc || cursor_end(c));
    while (block < c->blocks && block_head(c, block).last < doc)
        block++;
    if (block != c->block)
        c->n = 0;
    c->block = block;
    return block < c->blocks;
}

bool cursor_seek(struct cursor *c, uint32_t doc)
{
    if (!reach(c, doc) || (c->n == 0 && !unpack_block(c)))
        return false;
    while (c->doc[c->i] < doc)
        c->i++;
    return true;
}

bool cursor_next(struct cursor *c)
{
    return ++c->i < c->n || cursor_next_block(c);
}

bool cursor_next_block(struct cursor *c)
{
    return (++c->block < c->blocks && unpack_block(c)) || cursor_end(c);
}

uint16_t cursor_top(struct cursor *c, uint32_t from, uint32_t to)
{
    uint16_t top = 0;
    uint32_t i;

    if (!reach(c, from))
        return 0;
    if (c->n > 0) {
        while (c->doc[c->i] < from)
            c->i++;
        if (c->doc[c->i] >= to)
            return 0;
    }
    if (c->heads == NULL)
        return c->top;
    for (i = c->block; i < c->blocks; i++) {
        struct seg_block b = block_head(c, i);

        top = b.top > top ? b.top : top;
        if (b.last >= to - 1)
            break;
    }
    return top;
}

/* So few postings are unpacked: where they stand says more than their blocks.
 */
enum { FEW = 2048 };

void cursor_tops(struct cursor *c, uint32_t width, uint16_t *top)
{
    bool few = c->df <= FEW;
    uint32_t from = 0;

    for (bool any = few && cursor_seek(c, 0); any; any = cursor_next(c)) {
        uint16_t *at = &top[c->doc[c->i] / width];
        uint16_t most = c->heads == NULL ? c->top : block_head(c, c->block).top;

        *at = *at < most ? most : *at;
    }
    for (uint32_t i = 0; !few && i < c->blocks; i++) {
        struct seg_block b = block_head(c, i);

        if (b.last >= c->s->head->docs) {
            (void)damaged(c->s);
            return;
        }
        for (uint32_t k = from / width; k <= b.last / width; k++)
            top[k] = top[k] < b.top ? b.top : top[k];
        from = b.last + 1;
    }
}
