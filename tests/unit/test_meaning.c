/* The encoder: words to pieces, every kernel against the same arithmetic in
 * plain floating point, and files that are none of ours. */
#include "meaning/encoder.h"
#include "meaning/kernel.h"
#include "meaning/model_file.h"
#include "meaning/wordpiece.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bert_float.h"
#include "tiny_model.h"

static struct model_source source;
static struct model_file tiny;
static void *map;
static size_t map_size;
static char dir[64];

static int setup(void **state)
{
    (void)state;
    source = tiny_source(64, 2, 144, 3, 40);
    if (model_file_make(&source, &map, &map_size) != ERR_OK ||
        model_file_read(map, map_size, "tiny", &tiny, NULL) != ERR_OK)
        return -1;
    snprintf(dir, sizeof dir, "/tmp/cited-meaning-XXXXXX");
    return mkdtemp(dir) == NULL ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    model_file_close(&tiny);
    free(map);
    return rmdir(dir);
}

/* --- words ------------------------------------------------------------------
 */

static void text_becomes_pieces(void **state)
{
    static const struct {
        const char *text, *pieces;
    } table[] = {
        {"", ""},
        {"the file", "the file"},
        {"Reading FILES.", "read ##ing file ##s ."},
        {"caf\xc3\xa9 cafe\xcc\x81", "cafe cafe"},  /* accents, two ways */
        {"\xc3\x98 \xc3\xb8", "\xc3\xb8 \xc3\xb8"}, /* a letter of its own */
        {"don't", "don ' t"},
        {"3.14", "3 . [UNK]"},
        {"31 314", "3 ##1 3 ##1 ##4"},
        {"the\xe2\x80\x94"
         "file",
         "the \xe2\x80\x94 file"},
        {"a\xe6\x9d\xb1"
         "b",
         "a \xe6\x9d\xb1 b"}, /* Han stands alone */
        {"re\xc2\xad"
         "ad\x01\xe2\x80\x8b",
         "read"},
        {"the\xc2\xa0"
         "file\xe3\x80\x80"
         "data",
         "the file data"},
        {"# ##s", "# # # [UNK]"},
        {"reads xyz readx", "read ##s [UNK] [UNK]"},
        {"a\xff"
         "b",
         "a ##b"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        uint32_t id[40];
        size_t n = wordpiece(&tiny, table[i].text, strlen(table[i].text), id,
                             NULL, sizeof id / sizeof id[0]);
        char all[512] = "";

        assert_true(n >= 2);
        assert_int_equal(id[0], tiny.shape.first);
        assert_int_equal(id[n - 1], tiny.shape.last);
        for (size_t k = 1; k + 1 < n; k++) {
            strcat(all, k > 1 ? " " : "");
            strcat(all, tiny_words[id[k]]);
        }
        assert_string_equal(all, table[i].pieces);
    }
}

static void long_texts_are_cut(void **state)
{
    char text[1000] = "";
    uint32_t id[8];

    (void)state;
    memset(text, 'a', 101);
    assert_int_equal(wordpiece(&tiny, text, 100, id, NULL, 8), 8);
    assert_int_equal(wordpiece(&tiny, text, 101, id, NULL, 8), 3);
    assert_int_equal(id[1], tiny.shape.unknown);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 2 == 0 ? 'a' : ' ';
    assert_int_equal(wordpiece(&tiny, text, sizeof text, id, NULL, 8), 8);
    assert_int_equal(id[7], tiny.shape.last);
    assert_int_equal(wordpiece(&tiny, text, sizeof text, id, NULL, 2), 2);
}

static void pieces_know_their_words(void **state)
{
    static const char text[] = "Reading, the caf\xc3\xa9";
    static const size_t want[] = {0, 0, 7, 9, 13};
    uint32_t id[16];
    size_t at[16], n = wordpiece(&tiny, text, strlen(text), id, at, 16);

    (void)state;
    assert_int_equal(n, 7);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(at[i + 1], want[i]);
    assert_int_equal(at[6], strlen(text));
}

/* --- numbers ----------------------------------------------------------------
 */

static double cosine(const float *a, const float *b, size_t n)
{
    double sum = 0, x = 0, y = 0;

    for (size_t i = 0; i < n; i++) {
        sum += (double)a[i] * b[i];
        x += (double)a[i] * a[i];
        y += (double)b[i] * b[i];
    }
    return sum / sqrt(x * y);
}

static void every_kernel_gives_the_vector(void **state)
{
    static const char *const texts[] = {
        "", "the", "Reading the files.", "write data? don't read the cafe",
        ("the reader reads a file the writer writes data the reader reads 3 1 "
         "files the data the reader the writer the file ? the the read b a t")};
    size_t count, width = tiny.shape.width;
    const struct kernel *const *k = kernels(&count);

    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        uint32_t id[40];
        size_t n = wordpiece(&tiny, texts[t], strlen(texts[t]), id, NULL, 40);
        float want[64], got[64], first[64];

        bert_float(&source, id, n, want);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(
                encode_by(&tiny, k[i], texts[t], strlen(texts[t]), got),
                ERR_OK);
            if (i == 0)
                memcpy(first, got, sizeof got);
            assert_true(fabs(cosine(got, got, width) - 1) < 1e-6);
            assert_true(cosine(got, want, width) > 0.99);
            assert_true(cosine(got, first, width) > 0.9995);
        }
    }
}

/* Whole numbers to the edges of a byte, and sizes that fill no tile. */
static void kernels_count_alike(void **state)
{
    enum { IN = 32, OUT = 80, ROWS = 8 };
    static int8_t cells[IN * OUT], a[64], b[64];
    static uint8_t x[ROWS * IN];
    static float scale[OUT], bias[OUT], out[ROWS * OUT], first[ROWS * OUT];
    static int32_t sum[OUT];
    struct matrix m = {IN, OUT, scale, bias, sum, cells};
    struct bytes_row row[ROWS];
    uint64_t bits[6 * 9];
    size_t count;
    const struct kernel *const *k = kernels(&count);

    (void)state;
    srand(1);
    for (int i = 0; i < IN * OUT; i += 2) { /* pairs to their edges */
        cells[i] = (int8_t)(i % 3 == 0   ? 127
                            : i % 3 == 1 ? -127
                                         : rand() % 255 - 127);
        cells[i + 1] = (int8_t)(i % 4 == 0      ? 0 - cells[i]
                                : cells[i] >= 0 ? 128 - cells[i] - (cells[i] == 0)
                                                : -128 - cells[i]);
    }
    for (int i = 0; i < ROWS * IN; i++)
        x[i] = (uint8_t)(i % 3 == 0 ? 255 : i % 5 == 0 ? 0 : rand() % 256);
    for (int i = 0; i < OUT; i++) {
        scale[i] = 1;
        for (int c = 0; c < IN; c++)
            sum[i] +=
                cells[(i / 16 * IN / 4 + c / 4) * 64 + i % 16 * 4 + c % 4];
    }
    for (int i = 0; i < ROWS; i++)
        row[i] = (struct bytes_row){1, i * 36};
    for (int i = 0; i < 64; i++) {
        a[i] = (int8_t)(rand() % 255 - 127);
        b[i] = i % 2 == 0 ? 127 : -127;
    }
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        bits[i] = (uint64_t)rand() << 33 ^ (uint64_t)rand();
    for (size_t i = 0; i < count; i++) {
        uint16_t apart[8], by_plain[8];

        k[i]->multiply(&m, x, row, ROWS, out);
        if (i == 0)
            memcpy(first, out, sizeof out);
        assert_memory_equal(out, first, sizeof out);
        assert_int_equal(k[i]->dot(a, b, 64), kernel_plain.dot(a, b, 64));
        k[i]->differ(bits, bits + 6, 6, 8, apart);
        kernel_plain.differ(bits, bits + 6, 6, 8, by_plain);
        assert_memory_equal(apart, by_plain, sizeof apart);
    }
    /* One of them by hand. */
    for (int c = 0, all = 0; c < IN; c++) {
        all += (x[5 * IN + c] - 180) *
               cells[(16 / 16 * IN / 4 + c / 4) * 64 + c % 4];
        if (c == IN - 1)
            assert_true(out[5 * OUT + 16] == (float)all);
    }
}

static void weights_that_are_none_make_no_vector(void **state)
{
    struct model_source s = source;
    struct model_file m;
    float *gain = calloc(64, sizeof *gain), v[64];
    size_t size, count;
    const struct kernel *const *k = kernels(&count);
    void *p;

    (void)state;
    for (int i = 0; i < 64; i++)
        gain[i] = i == 7 ? NAN : 1e38f;
    s.layer[2].down_gain = gain;
    assert_int_equal(model_file_make(&s, &p, &size), ERR_OK);
    assert_int_equal(model_file_read(p, size, "s", &m, NULL), ERR_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(encode_by(&m, k[i], "the file", 8, v), ERR_MALFORMED);
    model_file_close(&m);
    free(p);
    free(gain);
}

/* --- files -------------------------------------------------------------------
 */

static void write_file(const char *path, const void *p, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void refused(const char *path, enum err code, const char *words)
{
    struct errctx ec = {ERR_OK, ""};
    struct encoder *e = NULL;

    assert_int_equal(encoder_open(path, &e, &ec), code);
    assert_null(e);
    if (strstr(ec.msg, words) == NULL)
        fail_msg("\"%s\" has no \"%s\"", ec.msg, words);
}

/* v is of "the file", whose pieces are near themselves and nothing else. */
static void pieces_are_compared(const struct encoder *e, const float *v)
{
    struct arena a;
    struct meant m;
    float out[64], near[2];

    arena_init(&a, 1 << 20);
    assert_int_equal(encode_pieces(e, "the file", 8, &a, out, &m), ERR_OK);
    assert_memory_equal(out, v, sizeof out);
    assert_int_equal(m.count, 2);
    assert_int_equal(m.at[1], 4);
    assert_int_equal(encode_nearest(e, &m, "the file", 8, near, out), ERR_OK);
    assert_true(near[0] > 0.999f && near[1] > 0.999f);
    assert_int_equal(encode_nearest(e, &m, "3", 1, near, out), ERR_OK);
    assert_true(near[0] > -1 && near[0] < 1.001f && near[0] + near[1] < 1.99f);
    assert_int_equal(encode_nearest(e, &m, "", 0, near, out), ERR_OK);
    assert_true(near[0] == -1 && near[1] == -1);
    assert_int_equal(encode_pieces(e, "", 0, &a, out, &m), ERR_OK);
    assert_int_equal(m.count, 0);
    arena_fini(&a);
}

static void files_are_told_apart(void **state)
{
    char path[96], *copy = malloc(map_size);
    struct errctx ec = {ERR_OK, ""};
    struct encoder *e;
    float v[ENCODER_WIDTH_MAX], w[64];
    size_t count;

    (void)state;
    assert_non_null(copy);
    memcpy(copy, map, map_size);
    snprintf(path, sizeof path, "%s/model", dir);
    refused(path, ERR_NOT_FOUND, "cannot be opened");
    refused(dir, ERR_IO, "is not a file");
    write_file(path, "", 0);
    refused(path, ERR_MALFORMED, "is empty");
    write_file(path, "GGUF and what follows", 21);
    refused(path, ERR_MALFORMED, "is not a model");
    for (size_t n = 1; n < map_size; n += n / 2 + 1) {
        write_file(path, map, n);
        refused(path, ERR_MALFORMED, n < 200 ? "" : "is cut");
    }
    copy[8] = 9;
    write_file(path, copy, map_size);
    refused(path, ERR_MALFORMED, "version 9");
    copy[8] = MODEL_VERSION;
    copy[map_size / 2] ^= 1;
    write_file(path, copy, map_size);
    refused(path, ERR_MALFORMED, "is damaged");
    write_file(path, map, map_size);
    assert_int_equal(encoder_open(path, &e, &ec), ERR_OK);
    assert_int_equal(encoder_width(e), 64);
    assert_int_equal(encoder_name(e), tiny.checksum);
    assert_int_equal(encode(e, "the file", 8, v), ERR_OK);
    assert_int_equal(encode_by(&tiny, kernels(&count)[0], "the file", 8, w),
                     ERR_OK);
    assert_memory_equal(v, w, sizeof w);
    pieces_are_compared(e, v);
    encoder_close(e);
    encoder_close(NULL);
    free(copy);
    unlink(path);
}

static void shapes_have_bounds(void **state)
{
    struct model_source s = source;
    size_t size;
    void *p;

    (void)state;
    s.shape.width = 63;
    assert_int_equal(model_file_make(&s, &p, &size), ERR_INVALID);
    s = source;
    s.shape.heads = 3;
    assert_int_equal(model_file_make(&s, &p, &size), ERR_INVALID);
    s = source;
    s.shape.inner = MODEL_INNER_MAX + 16;
    assert_int_equal(model_file_make(&s, &p, &size), ERR_INVALID);
    s = source;
    s.shape.last = TINY_WORDS;
    assert_int_equal(model_file_make(&s, &p, &size), ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_becomes_pieces),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(pieces_know_their_words),
        cmocka_unit_test(every_kernel_gives_the_vector),
        cmocka_unit_test(kernels_count_alike),
        cmocka_unit_test(weights_that_are_none_make_no_vector),
        cmocka_unit_test(files_are_told_apart),
        cmocka_unit_test(shapes_have_bounds),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
