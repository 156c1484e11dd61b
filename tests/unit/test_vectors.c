/* Vectors of passages: what is found is what lies nearest, of a file that
 * grows, that belongs to another model, that is cut, and whose disk is full. */
#include "meaning/encoder.h"
#include "meaning/vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 64, MANY = 12000, MODEL = 7 };

static char dir[64], path[96];
static struct arena arena;
static float *rows; /* MANY of them, around a few middles */

static void unit_length(float *v)
{
    double square = 0;

    for (int i = 0; i < WIDTH; i++)
        square += (double)v[i] * v[i];
    for (int i = 0; i < WIDTH; i++)
        v[i] = (float)(v[i] / sqrt(square));
}

static int setup(void **state)
{
    static float middle[40][WIDTH];

    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-vectors-XXXXXX");
    rows = malloc(sizeof(float) * WIDTH * MANY);
    if (rows == NULL || mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/" VECTORS_FILE, dir);
    arena_init(&arena, 8 << 20);
    srand(4);
    for (int m = 0; m < 40; m++)
        for (int i = 0; i < WIDTH; i++)
            middle[m][i] = (float)rand() / (float)RAND_MAX - 0.5f;
    for (int r = 0; r < MANY; r++) {
        for (int i = 0; i < WIDTH; i++)
            rows[r * WIDTH + i] =
                middle[r % 40][i] + (float)rand() / (float)RAND_MAX - 0.5f;
        unit_length(rows + r * WIDTH);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(rows);
    arena_fini(&arena);
    return rmdir(dir);
}

static int fresh(void **state)
{
    (void)state;
    arena_reset(&arena);
    unlink(path);
    return 0;
}

/* The id of row r: every third number. */
static int64_t id_of(size_t r)
{
    return 10 + 3 * (int64_t)r;
}

static enum err add(uint64_t model, size_t first, size_t end, struct errctx *ec)
{
    static int64_t ids[MANY];
    struct vectors_writer *w = NULL;
    enum err e = vectors_write(path, model, WIDTH, &w, ec);

    for (size_t r = first; r < end; r++)
        ids[r - first] = id_of(r);
    if (e == ERR_OK)
        e = vectors_add(w, ids, rows + first * WIDTH, end - first, ec);
    vectors_write_end(w);
    return e;
}

static void added(size_t first, size_t end)
{
    struct errctx ec = {ERR_OK, ""};

    if (add(MODEL, first, end, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
}

static struct vectors *opened(void)
{
    struct vectors *v = NULL;

    assert_int_equal(vectors_new(path, MODEL, WIDTH, &v), ERR_OK);
    return v;
}

static double cosine(size_t r, const float *q)
{
    double sum = 0;

    for (size_t i = 0; i < WIDTH; i++)
        sum += (double)rows[r * WIDTH + i] * q[i];
    return sum;
}

/* How many of the k nearest by plain arithmetic, of rows first to end, are
 * among what was found. */
static size_t recall(const struct vector_hit *h, size_t n, size_t k,
                     const float *q, size_t first, size_t end)
{
    size_t good = 0;

    for (size_t i = 0; i < n; i++) {
        size_t r = (size_t)(h[i].passage - 10) / 3, nearer = 0;

        assert_int_equal(h[i].passage, id_of(r));
        assert_true(r >= first && r < end);
        assert_true(fabs(h[i].cosine - cosine(r, q)) < 0.02);
        assert_true(i == 0 || h[i].cosine <= h[i - 1].cosine);
        for (size_t o = first; o < end; o++)
            nearer += cosine(o, q) > cosine(r, q) + 0.01;
        good += nearer < k;
    }
    return good;
}

static void the_nearest_are_found(void **state)
{
    struct vectors *v = opened();
    struct vector_hit *h;
    size_t n = 0, found = 0;

    (void)state;
    assert_int_equal(vectors_search(v, rows, 10, NULL, 0, &arena, &h, &n),
                     ERR_NO_RESULT);
    for (size_t at = 0; at < MANY; at += 1500) {
        added(at, at + 1500);
        assert_int_equal(vectors_count(v), at + 1500);
        assert_int_equal(
            vectors_search(v, rows + 7 * WIDTH, 25, NULL, 0, &arena, &h, &n),
            ERR_OK);
        assert_int_equal(n, 25);
        assert_int_equal(h[0].passage, id_of(7));
        found += recall(h, n, 25, rows + 7 * WIDTH, 0, at + 1500);
    }
    assert_true(found >= 8 * 25 * 97 / 100);
    vectors_free(v);
    vectors_free(NULL);
}

static void ranges_restrict(void **state)
{
    static const struct id_range some[] = {{0, 9},
                                           {10, 10 + 3 * 500 - 1},
                                           {10 + 3 * 900, 10 + 3 * 9900 - 1},
                                           {10 + 3 * 100000, INT64_MAX - 1}};
    struct vectors *v = opened();
    struct vector_hit *h;
    size_t n = 0;

    (void)state;
    added(0, MANY);
    assert_int_equal(
        vectors_search(v, rows + 600 * WIDTH, 20, some, 2, &arena, &h, &n),
        ERR_OK);
    assert_int_equal(recall(h, n, 20, rows + 600 * WIDTH, 0, 500), 20);
    assert_int_equal(
        vectors_search(v, rows + 9950 * WIDTH, 20, some, 4, &arena, &h, &n),
        ERR_OK);
    assert_true(recall(h, n, 20, rows + 9950 * WIDTH, 0, 9900) >= 19);
    assert_int_equal(vectors_search(v, rows, 20, some, 1, &arena, &h, &n),
                     ERR_NO_RESULT);
    assert_int_equal(vectors_search(v, rows, 20, some, 0, &arena, &h, &n),
                     ERR_NO_RESULT);
    vectors_free(v);
}

static void another_model_begins_anew(void **state)
{
    struct vectors *v = opened();
    struct vector_hit *h;
    struct errctx ec = {ERR_OK, ""};
    size_t n;

    (void)state;
    added(0, 3000);
    assert_int_equal(vectors_count(v), 3000);
    assert_int_equal(add(MODEL + 1, 0, 10, &ec), ERR_OK);
    assert_int_equal(vectors_count(v), 0);
    assert_int_equal(vectors_search(v, rows, 1, NULL, 0, &arena, &h, &n),
                     ERR_NO_RESULT);
    added(0, 20);
    assert_int_equal(vectors_count(v), 20);
    vectors_free(v);
}

static void a_file_that_is_cut_begins_anew(void **state)
{
    struct vectors *v;
    struct stat st;

    (void)state;
    added(0, 3000);
    assert_int_equal(stat(path, &st), 0);
    for (off_t n = st.st_size - 1; n > 0; n = n * 2 / 3) {
        assert_int_equal(truncate(path, n), 0);
        v = opened();
        assert_int_equal(vectors_count(v), 0);
        vectors_free(v);
    }
    added(0, 5);
    v = opened();
    assert_int_equal(vectors_count(v), 5);
    vectors_free(v);
}

static void one_writes_in_order(void **state)
{
    struct vectors_writer *w, *other = NULL;
    struct errctx ec = {ERR_OK, ""};
    int64_t ids[] = {5, 9, 9};

    (void)state;
    assert_int_equal(vectors_write(path, MODEL, WIDTH, &w, &ec), ERR_OK);
    assert_int_equal(vectors_write(path, MODEL, WIDTH, &other, &ec), ERR_BUSY);
    assert_null(other);
    assert_int_equal(vectors_last(w), 0);
    assert_int_equal(vectors_add(w, ids, rows, 3, &ec), ERR_INTERNAL);
    assert_int_equal(vectors_add(w, ids, rows, 2, &ec), ERR_OK);
    assert_int_equal(vectors_add(w, ids, rows, 1, &ec), ERR_INTERNAL);
    assert_int_equal(vectors_last(w), 9);
    assert_int_equal(vectors_written(w), 2);
    vectors_write_end(w);
    vectors_write_end(NULL);
    assert_int_equal(vectors_write(path, MODEL, WIDTH, &w, &ec), ERR_OK);
    assert_int_equal(vectors_last(w), 9);
    vectors_write_end(w);
}

static bool is_even(void *ctx, int64_t passage)
{
    ++*(int *)ctx;
    return passage % 2 == 0;
}

static void what_is_gone_is_sifted_out(void **state)
{
    struct vectors *v = opened();
    struct vectors_writer *w;
    struct vector_hit *h;
    struct errctx ec = {ERR_OK, ""};
    size_t n;
    int asked = 0;

    (void)state;
    added(0, 3000);
    assert_int_equal(vectors_count(v), 3000);
    assert_int_equal(vectors_write(path, MODEL, WIDTH, &w, &ec), ERR_OK);
    assert_int_equal(vectors_sift(w, is_even, &asked, &ec), ERR_OK);
    assert_int_equal(asked, 3000);
    assert_int_equal(vectors_written(w), 1500);
    assert_int_equal(vectors_last(w), id_of(2998));
    assert_int_equal(vectors_count(v), 1500);
    assert_int_equal(
        vectors_search(v, rows + 2 * WIDTH, 3, NULL, 0, &arena, &h, &n),
        ERR_OK);
    assert_int_equal(h[0].passage, id_of(2));
    assert_true(h[1].passage % 2 == 0);
    /* It is still ours alone, and goes on. */
    assert_int_equal(add(MODEL, 3000, 3001, &ec), ERR_BUSY);
    assert_int_equal(
        vectors_add(w, &(int64_t){id_of(3000)}, rows + 3000 * WIDTH, 1, &ec),
        ERR_OK);
    vectors_write_end(w);
    assert_int_equal(vectors_count(v), 1501);
    vectors_free(v);
}

/* A child that may write so many bytes of a file: none of what did not fit is
 * seen, and it goes on when there is room. */
static void a_full_disk_loses_nothing(void **state)
{
    struct rlimit limit = {300000, 300000};
    struct vectors *v = opened();
    int status;
    pid_t pid;

    (void)state;
    added(0, 1000);
    pid = fork();
    if (pid == 0) {
        struct errctx ec = {ERR_OK, ""};
        enum err e;

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        e = add(MODEL, 1000, MANY, &ec);
        _exit(e == ERR_OK ? 1 : ec.msg[0] == '\0' ? 2 : 0);
    }
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(vectors_count(v), 1000);
    added(1000, 2000);
    assert_int_equal(vectors_count(v), 2000);
    vectors_free(v);
}

/* Killed at any moment: what is seen is whole. */
static void a_killed_writer_leaves_whole_vectors(void **state)
{
    struct vectors *v = opened();
    size_t seen = 0;

    (void)state;
    added(0, 1);
    for (int round = 0; round < 20; round++) {
        struct vector_hit *h;
        size_t n;
        pid_t pid = fork();

        if (pid == 0) {
            struct errctx ec;

            for (size_t at = seen == 0 ? 1 : seen; at < MANY; at += 50)
                if (add(MODEL, at, at + 50 < MANY ? at + 50 : MANY, &ec) !=
                    ERR_OK)
                    _exit(1);
            _exit(0);
        }
        assert_true(pid > 0);
        usleep((useconds_t)(round * 700));
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        seen = vectors_count(v);
        arena_reset(&arena);
        assert_int_equal(vectors_search(v, rows + (seen - 1) * WIDTH, 1, NULL,
                                        0, &arena, &h, &n),
                         ERR_OK);
        assert_int_equal(h[0].passage, id_of(seen - 1));
    }
    vectors_free(v);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, fresh, fresh)
    const struct CMUnitTest tests[] = {
        T(the_nearest_are_found),     T(ranges_restrict),
        T(another_model_begins_anew), T(a_file_that_is_cut_begins_anew),
        T(one_writes_in_order),       T(what_is_gone_is_sifted_out),
        T(a_full_disk_loses_nothing), T(a_killed_writer_leaves_whole_vectors),
    };
#undef T

    return cmocka_run_group_tests(tests, setup, teardown);
}
