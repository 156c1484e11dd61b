/*
 * What an index finds by words, by meaning and by both, for bench/meaning.mjs.
 *
 *   meaning find DATA MODEL < QUESTIONS   lines of ID TAB QUESTION; prints a
 *                                         line of JSON for each: the lists
 *   meaning scan COUNT                    milliseconds of a search in COUNT
 *                                         vectors made up
 */
#include "base/conf.h"
#include "base/date.h"
#include "base/log.h"
#include "find/meaning_find.h"
#include "find/rank.h"
#include "index/texts.h"
#include "meaning/encoder.h"
#include "meaning/vectors.h"
#include "question/overlap.h"
#include "json/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    WANTED = 150,
    SHOWN = 60,
    LINE_BYTES = 1 << 16,
    ARENA_BYTES = 256 << 20,
    LINE_OUT_MAX = 8 << 20,
    WIDTH = 384,
    AROUND = 200,
    ASKED = 50
};

extern char **environ;

static int die(const char *what, const char *why)
{
    fprintf(stderr, "meaning: %s: %s\n", what, why);
    return 1;
}

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* --- find ---------------------------------------------------------------- */

struct finding {
    struct conf conf;
    struct store_files files;
    struct store store;
    struct meaning *meaning;
    struct encoder *encoder; /* once more, for what is counted */
    struct vectors *vectors;
    struct arena arena;
};

static void print_list(struct json_out *w, const char *name,
                       const struct candidate *c, size_t n)
{
    jw_key(w, name);
    jw_array(w);
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        jw_object(w);
        jw_kint(w, "id", c[i].passage);
        jw_kstring(w, "url", c[i].url);
        jw_kstring(w, "title", c[i].title);
        jw_kstring(w, "heading", c[i].heading);
        jw_kstring(w, "text", c[i].text);
        jw_object_end(w);
    }
    jw_array_end(w);
}

/* The passages as they are ranked today, out of what was found. */
static void print_ranked(struct finding *x, struct json_out *w,
                         const char *name, const struct query *q,
                         const struct index_filter *f, struct candidate *c,
                         size_t n)
{
    struct provider_answer pa = {
        .provider = "index", .outcome = OUTCOME_OK, .found = c, .count = n};
    struct candidate *list = arena_array(&x->arena, n + 1, sizeof *list);
    struct errctx ec = {ERR_OK, ""};
    struct ranked *r = NULL;
    size_t count = 0;

    if (rank_candidates(q, f, &pa, 1, x->store.index, SHOWN, 3, &x->arena, &r,
                        &count, &ec) != ERR_OK)
        count = 0;
    for (size_t i = 0; i < count; i++)
        list[i] = r[i].c;
    print_list(w, name, list, count);
}

/* How many of the ten nearest, by all vectors' bytes, are in a list. */
static int nearest_found(struct finding *x, const char *text,
                         const struct candidate *c, size_t n)
{
    float query[ENCODER_WIDTH_MAX], worst[10];
    int64_t best[10] = {0}, passages, next;
    struct errctx ec = {ERR_OK, ""};
    int found = 0;

    for (int i = 0; i < 10; i++)
        worst[i] = -2;
    if (encode(x->encoder, text, strlen(text), query) != ERR_OK ||
        index_passage_ids(x->store.index, &passages, &next, &ec) != ERR_OK)
        exit(die(text, "cannot be encoded"));
    for (int64_t id = 1; id < next; id++) {
        float near;
        int i = 9;

        vectors_cosines(x->vectors, query, &id, 1, &near);
        if (near <= worst[9])
            continue;
        for (; i > 0 && worst[i - 1] < near; i--) {
            worst[i] = worst[i - 1];
            best[i] = best[i - 1];
        }
        worst[i] = near;
        best[i] = id;
    }
    for (int i = 0; i < 10; i++)
        for (size_t k = 0; k < n; k++)
            found += c[k].passage == best[i];
    return found;
}

static void ask(struct finding *x, const char *id, const char *text)
{
    struct index_filter f = {.day_from = DAY_NONE, .day_to = DAY_NONE};
    struct deadline d = deadline_in(60000);
    struct errctx ec = {ERR_OK, ""};
    struct candidate *words = NULL, *near = NULL, *both;
    size_t count = 0, near_count = 0, both_count;
    struct query q;
    struct json_out w;
    struct buf b;
    double start, spent;

    arena_reset(&x->arena);
    buf_init(&b, LINE_OUT_MAX);
    if (query_parse(text, &x->arena, &q) != ERR_OK ||
        overlap_weigh(&q, x->store.index, &ec) != ERR_OK)
        exit(die(text, ec.msg));
    start = now_ms();
    if (meaning_read(x->meaning, x->store.index, &q) != ERR_OK)
        exit(die(text, "out of memory"));
    spent = now_ms() - start;
    if (q.term_count > 0 &&
        index_query(x->store.index, q.terms, q.term_count, &f, WANTED, &d,
                    &x->arena, &words, &count, &ec) != ERR_OK)
        count = 0;
    both = words;
    both_count = count;
    start = now_ms();
    if (meaning_fuse(x->meaning, x->store.index, &q, &f, WANTED, &x->arena,
                     &both, &both_count, &ec) != ERR_OK)
        exit(die(text, ec.msg));
    spent += now_ms() - start;
    if (meaning_fuse(x->meaning, x->store.index, &q, &f, WANTED, &x->arena,
                     &near, &near_count, &ec) != ERR_OK)
        exit(die(text, ec.msg));
    jw_init(&w, &b);
    jw_object(&w);
    jw_kstring(&w, "id", id);
    jw_key(&w, "ms");
    jw_double(&w, spent);
    jw_kint(&w, "nearest", nearest_found(x, q.text, near, near_count));
    print_list(&w, "words", words, count);
    print_ranked(x, &w, "ranked", &q, &f, words, count);
    print_list(&w, "meaning", near, near_count);
    print_list(&w, "fused", both, both_count);
    print_ranked(x, &w, "fused, ranked", &q, &f, both, both_count);
    jw_object_end(&w);
    puts(buf_str(&b));
    buf_fini(&b);
}

static int find(const char *data, const char *model)
{
    static struct finding x;
    static char line[LINE_BYTES];
    struct errctx ec = {ERR_OK, ""};
    char path[4096];

    log_set_level(LOG_ERROR);
    snprintf(path, sizeof path, "%s/" VECTORS_FILE, data);
    if (conf_load(&x.conf, NULL, data, environ, &ec) != ERR_OK ||
        store_files_open(&x.conf, &x.files, &ec) != ERR_OK ||
        store_open(&x.files, &x.store, &ec) != ERR_OK ||
        encoder_open(model, &x.encoder, &ec) != ERR_OK)
        return die(data, ec.msg);
    x.conf.meaning_model = model;
    if (vectors_new(path, encoder_name(x.encoder), encoder_width(x.encoder),
                    &x.vectors) != ERR_OK ||
        meaning_new(&x.conf, &x.meaning) != ERR_OK || x.meaning == NULL ||
        vectors_count(x.vectors) == 0)
        return die(data, "no memory, or no vectors");
    arena_init(&x.arena, ARENA_BYTES);
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *tab = strchr(line, '\t');

        if (tab == NULL)
            return die(line, "has no question");
        *tab = '\0';
        tab[1 + strcspn(tab + 1, "\n")] = '\0';
        ask(&x, line, tab + 1);
    }
    arena_fini(&x.arena);
    meaning_free(x.meaning);
    vectors_free(x.vectors);
    encoder_close(x.encoder);
    store_close(&x.store);
    store_files_close(&x.files);
    conf_fini(&x.conf);
    return 0;
}

/* --- scan ---------------------------------------------------------------- */

/* xorshift64 (Marsaglia 2003), as a number between -1 and 1. */
static float next(void)
{
    static uint64_t s = 88172645463325252u;

    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (float)((double)(int64_t)s / 9.3e18);
}

/* Around one of AROUND middles, as passages on one subject lie. */
static void make_up(float *v)
{
    static float middle[AROUND][WIDTH];
    static bool ready;
    double square = 0;
    float *m;

    for (int i = 0; i < AROUND && !ready; i++)
        for (int k = 0; k < WIDTH; k++)
            middle[i][k] = next();
    ready = true;
    m = middle[(int)(fabsf(next()) * AROUND) % AROUND];
    for (int k = 0; k < WIDTH; k++)
        v[k] = m[k] * 0.6f + next();
    for (int k = 0; k < WIDTH; k++)
        square += (double)v[k] * v[k];
    for (int k = 0; k < WIDTH; k++)
        v[k] = (float)(v[k] / sqrt(square));
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return a < b ? -1 : a > b;
}

static int scan(long count)
{
    char path[] = "/tmp/cited-scan-XXXXXX";
    int fd = mkstemp(path);
    struct vectors_writer *w = NULL;
    struct errctx ec = {ERR_OK, ""};
    struct vectors *v;
    struct arena a;
    static float rows[256 * WIDTH];
    int64_t ids[256];
    double ms[ASKED];

    if (fd < 0 || close(fd) != 0 || unlink(path) != 0 ||
        vectors_write(path, 1, WIDTH, &w, &ec) != ERR_OK)
        return die(path, ec.msg);
    for (long at = 0; at < count; at += 256) {
        for (int i = 0; i < 256; i++) {
            ids[i] = at + i + 1;
            make_up(rows + i * WIDTH);
        }
        if (vectors_add(w, ids, rows, 256, &ec) != ERR_OK)
            return die(path, ec.msg);
    }
    vectors_write_end(w);
    if (vectors_new(path, 1, WIDTH, &v) != ERR_OK)
        return die(path, "no memory");
    arena_init(&a, 64 << 20);
    for (int i = -5; i < ASKED; i++) { /* the first ones map the file */
        struct vector_hit *hit;
        size_t n;
        double start;

        arena_reset(&a);
        make_up(rows);
        start = now_ms();
        if (vectors_search(v, rows, WANTED, NULL, 0, &a, &hit, &n) != ERR_OK)
            return die(path, "nothing found");
        if (i >= 0)
            ms[i] = now_ms() - start;
    }
    qsort(ms, ASKED, sizeof *ms, by_size);
    printf("%ld vectors: %.2f ms, at most %.2f\n", count, ms[ASKED / 2],
           ms[ASKED - 1]);
    unlink(path);
    vectors_free(v);
    arena_fini(&a);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "find") == 0)
        return find(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "scan") == 0)
        return scan(strtol(argv[2], NULL, 10));
    fputs("usage: meaning find DATA MODEL < QUESTIONS | scan COUNT\n", stderr);
    return 2;
}
