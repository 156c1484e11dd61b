/*
 * make words: vectors of words alone (model_file.h, no layers), learned from
 * the encoder of sentences, for src/meaning/words.model.
 *
 *   words [--vectors FILE] ENCODER CORPUS OUT
 *
 * CORPUS has lines "QUERY TAB TITLE TAB HEADING TAB TEXT"; the lines of one
 * document stand together, and QUERY may be empty. The encoder tells what each
 * document and each query should be near to, and the vectors of the words are
 * fitted so that their sums say the same: the direction of each text along the
 * principal axes of all documents, and among the documents of a batch which
 * ones a query is near to (Hinton and others, 2015). They begin as what the
 * encoder says of a word alone, frequent words made small (Arora and others,
 * 2017). Adam (Kingma and Ba, 2015). The same corpus gives the same file.
 * With --vectors the encoder's vectors are kept in that file, and read from
 * it where they are of this encoder and these texts: they take a quarter of an
 * hour.
 */
#include "must.h"
#include "meaning/encoder.h"
#include "meaning/kernel.h"
#include "meaning/model_file.h"
#include "meaning/wordpiece.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WIDTH = 128, /* numbers of a word */
    LANES = 16,  /* sums side by side; every width is a multiple */
    TITLE_BYTES = 200,
    QUERY_PIECES = 64,
    AXES_ROUNDS = 100,
    EPOCHS = 8,
    BATCH = 256,
    PROGRESS = 4096,
    THREADS_MAX = 64
};

static const float TAU = 0.05f, /* how sharply a query prefers what is near */
    RATE = 3e-3f, START = 0.1f, FREQUENT = 1e-3f, BETA1 = 0.9f, BETA2 = 0.999f;

struct text {
    char *p;
    size_t doc; /* a query's document */
    uint32_t *piece;
    size_t pieces;
};

/* Texts and, a row for each, what the encoder says of them. */
struct texts {
    const char *what;
    struct text *v;
    size_t count, room;
    float *full; /* rows of the encoder's width */
    float *goal; /* rows of WIDTH: the same along the axes, of length 1 */
    atomic_size_t next;
};

static struct texts docs = {.what = "documents"}, queries = {.what = "queries"},
                    alone = {.what = "words"}; /* by number */
static struct model_file encoder;
static const struct kernel *kernel;
static size_t width;      /* the encoder's */
static const char **word; /* by number */

/* xorshift64 (Marsaglia 2003). */
static uint64_t chance(void)
{
    static uint64_t x = 88172645463325252u;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

/* Room for n numbers, which are 0. */
static float *room(size_t n)
{
    return must(calloc(n, sizeof(float)));
}

static float product(const float *a, const float *b, size_t n)
{
    float sum[LANES] = {0}, all = 0;

    for (size_t k = 0; k < n; k += LANES)
        for (size_t i = 0; i < LANES; i++)
            sum[i] += a[k + i] * b[k + i];
    for (size_t i = 0; i < LANES; i++)
        all += sum[i];
    return all;
}

static void add(float *restrict to, float by, const float *restrict row,
                size_t n)
{
    for (size_t k = 0; k < n; k += LANES)
        for (size_t i = 0; i < LANES; i++)
            to[k + i] += by * row[k + i];
}

/* Make the row's length 1; the length it had. */
static float unit(float *row, size_t n)
{
    float length = sqrtf(product(row, row, n)) + 1e-6f;

    for (size_t k = 0; k < n; k++)
        row[k] /= length;
    return length;
}

/* --- texts ------------------------------------------------------------------
 */

/* The text's pieces, without those that begin and end every text. */
static void cut(struct text *t, size_t max)
{
    uint32_t id[ENCODER_TOKENS_MAX];

    t->pieces = wordpiece(&encoder, t->p, strlen(t->p), id, NULL, max) - 2;
    t->piece = must(malloc((t->pieces + 1) * sizeof *t->piece));
    memcpy(t->piece, id + 1, t->pieces * sizeof *t->piece);
}

static struct text *text_add(struct texts *t, const char *p)
{
    if (t->count == t->room) {
        t->room = t->room * 2 + 1024;
        t->v = must(realloc(t->v, t->room * sizeof *t->v));
    }
    t->v[t->count] = (struct text){.p = must(strdup(p))};
    return &t->v[t->count++];
}

/* A document as find/vectors_make.c encodes passages. */
static void document(const char *title, const char *heading, const char *text)
{
    const char *before = docs.count > 0 ? docs.v[docs.count - 1].p : "";
    char *p;

    if (asprintf(&p, "%.*s. %s%s%s", TITLE_BYTES, title, heading,
                 *heading == '\0' ? "" : ". ", text) < 0)
        die("memory", "there is none left");
    if (strcmp(before, p) != 0)
        cut(text_add(&docs, p), ENCODER_TOKENS_MAX);
    free(p);
}

static void query(const char *p)
{
    struct text *t = text_add(&queries, p);

    cut(t, QUERY_PIECES + 2);
    t->doc = docs.count - 1;
    if (t->pieces == 0)
        queries.count--;
}

static void corpus_read(const char *path)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;

    if (f == NULL)
        die(path, strerror(errno));
    while (getline(&line, &size, f) > 0) {
        char *rest = line, *asked = strsep(&rest, "\t");
        char *title = strsep(&rest, "\t"), *heading = strsep(&rest, "\t");

        if (rest == NULL)
            die(path, "a line has fewer than four fields");
        rest[strcspn(rest, "\n")] = '\0';
        document(title, heading, rest);
        query(asked);
    }
    if (ferror(f))
        die(path, strerror(errno));
    if (queries.count < BATCH)
        die(path, "too few queries to learn from");
    fclose(f);
    free(line);
}

static void words_read(void)
{
    word = must(calloc(encoder.shape.words, sizeof *word));
    for (uint32_t i = 0; i < encoder.shape.words; i++)
        word[encoder.id[i]] = must(strndup(encoder.letters + encoder.at[i],
                                           encoder.at[i + 1] - encoder.at[i]));
    for (uint32_t i = 0; i < encoder.shape.words; i++) {
        const char *p = word[i] == NULL ? "" : word[i];

        p += strncmp(p, "##", 2) == 0 ? 2 : 0;
        text_add(&alone, *p == '\0' ? "x" : p);
    }
}

/* --- what the encoder says --------------------------------------------------
 */

static void *encode_some(void *arg)
{
    struct texts *t = arg;
    size_t i;

    while ((i = atomic_fetch_add(&t->next, 1)) < t->count) {
        const char *p = t->v[i].p;

        if (i % PROGRESS == 0)
            fprintf(stderr, "%zu of %zu %s\n", i, t->count, t->what);
        if (encode_by(&encoder, kernel, p, strlen(p), t->full + i * width) !=
            ERR_OK)
            die(p, "the encoder makes no vector of it");
    }
    return NULL;
}

static void encode_all(struct texts *t)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t thread[THREADS_MAX];
    int count = 0;

    /* This thread is one of them. */
    while (count + 1 < processors && count < THREADS_MAX &&
           pthread_create(&thread[count], NULL, encode_some, t) == 0)
        count++;
    encode_some(t);
    while (count > 0)
        pthread_join(thread[--count], NULL);
}

/* Tells these vectors apart: FNV-1a over the encoder's name and all texts. */
static uint64_t vectors_name(const struct texts *const *all, size_t count)
{
    uint64_t h = encoder.checksum;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < all[i]->count; k++) {
            const char *z = all[i]->v[k].p;

            do
                h = (h ^ (unsigned char)*z) * UINT64_C(1099511628211);
            while (*z++ != '\0');
        }
    return h;
}

static bool vectors_read(const char *path, uint64_t name, float *v, size_t n)
{
    FILE *f = path == NULL ? NULL : fopen(path, "rb");
    uint64_t found;
    bool good;

    if (f == NULL)
        return false;
    good = fread(&found, sizeof found, 1, f) == 1 && found == name &&
           fread(v, sizeof *v, n, f) == n && getc(f) == EOF;
    fclose(f);
    return good;
}

/* Two pieces of memory as one file, which is there as a whole or not. */
static void file_write(const char *path, const void *head, size_t head_size,
                       const void *p, size_t size)
{
    char aside[4096];
    FILE *f;

    snprintf(aside, sizeof aside, "%s.part", path);
    f = fopen(aside, "wb");
    if (f == NULL || fwrite(head, 1, head_size, f) != head_size ||
        fwrite(p, 1, size, f) != size || fflush(f) != 0 ||
        fsync(fileno(f)) != 0 || fclose(f) != 0 || rename(aside, path) != 0)
        die(path, "cannot be written");
}

/* The vectors of all texts, from the file at path where it has them. */
static void vectors_make(const char *path)
{
    struct texts *all[] = {&docs, &queries, &alone};
    enum { ALL = sizeof all / sizeof all[0] };
    uint64_t name = vectors_name((const struct texts *const *)all, ALL);
    size_t n = (docs.count + queries.count + alone.count) * width, at = 0;
    float *v = room(n);
    bool there = vectors_read(path, name, v, n);

    for (size_t i = 0; i < ALL; i++) {
        all[i]->full = v + at;
        at += all[i]->count * width;
        if (!there)
            encode_all(all[i]);
    }
    if (path != NULL && !there)
        file_write(path, &name, sizeof name, v, n * sizeof *v);
}

/* --- principal axes ---------------------------------------------------------
 */

/* Each axis upright on those before it, and of length 1 (Gram and Schmidt). */
static void straighten(float *axis)
{
    for (size_t i = 0; i < WIDTH; i++) {
        float *x = axis + i * width;

        for (size_t j = 0; j < i; j++)
            add(x, -product(x, axis + j * width, width), axis + j * width,
                width);
        unit(x, width);
    }
}

/* The first WIDTH principal axes of the documents, not centred, a row each, by
 * orthogonal iteration. */
static float *axes(void)
{
    size_t n = WIDTH * width;
    float *axis = room(n), *before = room(n), *moments = room(width * width);

    for (size_t i = 0; i < docs.count; i++)
        for (size_t k = 0; k < width; k++)
            add(moments + k * width, docs.full[i * width + k],
                docs.full + i * width, width);
    for (size_t i = 0; i < n; i++)
        axis[i] = (float)(chance() >> 40) - 0x1p23f;
    for (int round = 0; round < AXES_ROUNDS; round++) {
        straighten(axis);
        memcpy(before, axis, n * sizeof *axis);
        for (size_t i = 0; i < n; i++)
            axis[i] = product(moments + i % width * width,
                              before + i / width * width, width);
    }
    straighten(axis);
    free(before);
    free(moments);
    return axis;
}

static void along(const float *axis, const float *v, float *out)
{
    for (size_t k = 0; k < WIDTH; k++)
        out[k] = product(axis + k * width, v, width);
}

static void goals(struct texts *t, const float *axis)
{
    t->goal = room(t->count * WIDTH);
    for (size_t i = 0; i < t->count; i++) {
        float *row = t->goal + i * WIDTH;

        along(axis, t->full + i * width, row);
        unit(row, WIDTH);
    }
}

/* --- training ---------------------------------------------------------------
 */

static struct {
    float *row, *slope;    /* of each word, and of the loss along it */
    float *first, *second; /* Adam's means of the slope and of its square */
    int steps;
} fit;

/* One side of a batch: its texts, their vectors, what these were divided by,
 * and the slope of the loss along them. */
struct side {
    const struct text *text[BATCH];
    const float *full[BATCH], *goal[BATCH];
    float v[BATCH][WIDTH], length[BATCH], slope[BATCH][WIDTH];
};

static struct side left, right; /* queries, documents */
static float told[BATCH][BATCH], said[BATCH][BATCH];

/* A word alone less what all have in common; the more frequent the smaller. */
static void fit_start(const float *axis)
{
    size_t words = alone.count, total = words;
    float *mean = room(width), *count = room(words);

    for (size_t i = 0; i < docs.count; i++) {
        for (size_t k = 0; k < docs.v[i].pieces; k++)
            count[docs.v[i].piece[k]]++;
        total += docs.v[i].pieces;
    }
    for (size_t i = 0; i < words; i++)
        add(mean, 1 / (float)words, alone.full + i * width, width);
    for (size_t i = 0; i < words; i++) {
        float share = (count[i] + 1) / (float)total;
        float *row = fit.row + i * WIDTH;

        add(alone.full + i * width, -1, mean, width);
        along(axis, alone.full + i * width, row);
        for (size_t k = 0; k < WIDTH; k++)
            row[k] *= START * FREQUENT / (FREQUENT + share);
    }
    free(count);
    free(mean);
}

static void side_take(struct side *s, size_t at, const struct texts *t,
                      size_t i)
{
    const struct text *text = &t->v[i];

    s->text[at] = text;
    s->full[at] = t->full + i * width;
    s->goal[at] = t->goal + i * WIDTH;
    memset(s->v[at], 0, sizeof s->v[at]);
    for (size_t k = 0; k < text->pieces; k++)
        add(s->v[at], 1, fit.row + text->piece[k] * (size_t)WIDTH, WIDTH);
    s->length[at] = unit(s->v[at], WIDTH);
}

/* Logarithms of the shares that the exponentials have of their sum. */
static void shares(float *row)
{
    float most = row[0], sum = 0;

    for (size_t j = 0; j < BATCH; j++)
        most = fmaxf(most, row[j]);
    for (size_t j = 0; j < BATCH; j++)
        sum += expf(row[j] - most);
    for (size_t j = 0; j < BATCH; j++)
        row[j] -= most + logf(sum);
}

/* How far the order that the words give the documents lies from the encoder's
 * (Kullback and Leibler, 1951); adds to the slopes. */
static float batch_order(void)
{
    float loss = 0;

    for (size_t i = 0; i < BATCH; i++) {
        for (size_t j = 0; j < BATCH; j++) {
            told[i][j] = product(left.full[i], right.full[j], width) / TAU;
            said[i][j] = product(left.v[i], right.v[j], WIDTH) / TAU;
        }
        shares(told[i]);
        shares(said[i]);
        for (size_t j = 0; j < BATCH; j++) {
            float p = expf(told[i][j]);
            float slope = (expf(said[i][j]) - p) / (BATCH * TAU);

            loss += p * (told[i][j] - said[i][j]);
            add(left.slope[i], slope, right.v[j], WIDTH);
            add(right.slope[j], slope, left.v[i], WIDTH);
        }
    }
    return loss / BATCH;
}

/* One less the cosine with the goal; begins the slopes. */
static float side_goal(struct side *s)
{
    float loss = 0;

    memset(s->slope, 0, sizeof s->slope);
    for (size_t i = 0; i < BATCH; i++) {
        loss += 1 - product(s->v[i], s->goal[i], WIDTH);
        add(s->slope[i], -1.0f / BATCH, s->goal[i], WIDTH);
    }
    return loss / BATCH;
}

/* From the slope along each text to that along its words. */
static void side_back(struct side *s)
{
    for (size_t i = 0; i < BATCH; i++) {
        const struct text *t = s->text[i];

        add(s->slope[i], -product(s->slope[i], s->v[i], WIDTH), s->v[i], WIDTH);
        for (size_t k = 0; k < t->pieces; k++)
            add(fit.slope + t->piece[k] * (size_t)WIDTH, 1 / s->length[i],
                s->slope[i], WIDTH);
    }
}

static void fit_step(float rate)
{
    size_t n = alone.count * WIDTH;
    float *restrict x = fit.row, *restrict slope = fit.slope;
    float *restrict first = fit.first, *restrict second = fit.second;
    float by, root;

    fit.steps++;
    by = rate / (1 - powf(BETA1, (float)fit.steps));
    root = sqrtf(1 - powf(BETA2, (float)fit.steps));
    for (size_t i = 0; i < n; i++) {
        first[i] = BETA1 * first[i] + (1 - BETA1) * slope[i];
        second[i] = BETA2 * second[i] + (1 - BETA2) * slope[i] * slope[i];
        x[i] -= by * first[i] / (sqrtf(second[i]) / root + 1e-8f);
        slope[i] = 0;
    }
}

static void shuffle(size_t *order)
{
    for (size_t i = queries.count - 1; i > 0; i--) {
        size_t j = (size_t)(chance() % (i + 1)), kept = order[i];

        order[i] = order[j];
        order[j] = kept;
    }
}

/* The rate stays for two fifths of all steps, then falls. */
static float rate_now(void)
{
    float all = (float)(EPOCHS * queries.count / BATCH);

    return RATE * fminf(1, (all - (float)fit.steps) / (all * 0.6f) + 0.05f);
}

static void epoch(int number, size_t *order)
{
    size_t batches = queries.count / BATCH;
    double goal = 0, near = 0;

    shuffle(order);
    for (size_t at = 0; at < batches * BATCH; at += BATCH) {
        for (size_t i = 0; i < BATCH; i++) {
            side_take(&left, i, &queries, order[at + i]);
            side_take(&right, i, &docs, queries.v[order[at + i]].doc);
        }
        goal += (double)(side_goal(&left) + side_goal(&right));
        near += (double)batch_order();
        side_back(&left);
        side_back(&right);
        fit_step(rate_now());
    }
    fprintf(stderr,
            "round %d of %d: %.3f from the goals, %.3f from the order\n",
            number, EPOCHS, goal / (double)batches, near / (double)batches);
}

static void train(const float *axis)
{
    size_t n = alone.count * WIDTH;
    size_t *order = must(calloc(queries.count, sizeof *order));

    fit.row = room(n);
    fit.slope = room(n);
    fit.first = room(n);
    fit.second = room(n);
    fit_start(axis);
    for (size_t i = 0; i < queries.count; i++)
        order[i] = i;
    for (int i = 1; i <= EPOCHS; i++)
        epoch(i, order);
    free(order);
}

/* --- the file ---------------------------------------------------------------
 */

/* Words of other scripts stay out, and "[unused1]" and the like. */
static bool is_kept(const char *p)
{
    if (p == NULL || (*p == '[' && p[1] != '\0'))
        return false;
    while (*p != '\0')
        if ((unsigned char)*p++ >= 0x80)
            return false;
    return true;
}

static void model_write(const char *path)
{
    const struct model_shape *from = &encoder.shape;
    static struct model_source s = {.shape = {.width = WIDTH}};
    static const float none[WIDTH];
    const char **kept = must(calloc(from->words, sizeof *kept));
    size_t size;
    void *p;

    for (uint32_t i = 0; i < from->words; i++) {
        float *row = fit.row + s.shape.words * (size_t)WIDTH;
        uint32_t *special = i == from->unknown ? &s.shape.unknown
                            : i == from->first ? &s.shape.first
                            : i == from->last  ? &s.shape.last
                                               : NULL;

        if (special == NULL && !is_kept(word[i]))
            continue;
        memmove(row, fit.row + i * (size_t)WIDTH, sizeof none);
        if (special != NULL) {
            *special = s.shape.words;
            memset(row, 0, sizeof none);
        }
        kept[s.shape.words++] = word[i];
    }
    s.words = kept;
    s.word = fit.row;
    s.position = s.type = s.gain = s.bias = none;
    if (model_file_make(&s, &p, &size) != ERR_OK)
        die(path, "not of a shape that is known");
    file_write(path, "", 0, p, size);
    printf("%s: %u words, %.1f MB\n", path, s.shape.words, (double)size / 1e6);
}

int main(int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    const char *kept = NULL;
    float *axis;
    size_t count;

    if (argc == 6 && strcmp(argv[1], "--vectors") == 0) {
        kept = argv[2];
        argv += 2;
        argc -= 2;
    }
    if (argc != 4) {
        fputs("usage: words [--vectors FILE] ENCODER CORPUS OUT\n", stderr);
        return 2;
    }
    kernel = kernels(&count)[0];
    if (model_file_open(argv[1], &encoder, &ec) != ERR_OK)
        die("encoder", ec.msg);
    width = encoder.shape.width;
    if (encoder.shape.layers == 0 || width < WIDTH)
        die(argv[1], "is not an encoder to learn from");
    words_read();
    corpus_read(argv[2]);
    fprintf(stderr, "%zu documents, %zu queries\n", docs.count, queries.count);
    vectors_make(kept);
    axis = axes();
    goals(&docs, axis);
    goals(&queries, axis);
    train(axis);
    model_write(argv[3]);
    return 0;
}
