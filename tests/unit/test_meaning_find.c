/* Words and meaning together, over a real index and real vectors of a made-up
 * encoder: what comes in gets its vector, filters hold, what is gone stays
 * gone. */
#include "answer/units.h"
#include "find/meaning_find.h"
#include "find/vectors_make.h"
#include "index/texts.h"
#include "meaning/encoder.h"
#include "meaning/vectors.h"
#include "run/vectors_keep.h"
#include "store/sql.h"

#include "base/date.h"
#include "base/log.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "state_db.h"
#include "tiny_model.h"

static char dir[64], index_path[96], model_path[96], vectors_path[96];
static struct db_file *file;
static struct db *db;
static struct arena arena;
static struct errctx ec;
static struct encoder *encoder;
static struct conf conf;

static bool write_model(void)
{
    struct model_source s = tiny_source(64, 2, 64, 1, 40);
    size_t size;
    void *p;
    FILE *f = fopen(model_path, "wb");

    if (f == NULL || model_file_make(&s, &p, &size) != ERR_OK ||
        fwrite(p, 1, size, f) != size)
        return false;
    free(p);
    return fclose(f) == 0;
}

static int setup(void **state)
{
    (void)state;
    log_set_level(LOG_ERROR);
    snprintf(dir, sizeof dir, "/tmp/cited-near-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(index_path, sizeof index_path, "%s/index.db", dir);
    snprintf(model_path, sizeof model_path, "%s/model", dir);
    snprintf(vectors_path, sizeof vectors_path, "%s/" VECTORS_FILE, dir);
    arena_init(&arena, 64 << 20);
    conf.data_dir = dir;
    conf.meaning_model = model_path;
    if (!write_model() || encoder_open(model_path, &encoder, &ec) != ERR_OK ||
        state_db_index(index_path, &file) != ERR_OK)
        return -1;
    return db_open(file, &db, &ec) == ERR_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    db_close(db);
    db_file_free(file);
    encoder_close(encoder);
    arena_fini(&arena);
    return folder_remove(dir);
}

/* A page of count passages, which say text and their number's letters. */
static void put(const char *url, int32_t day, const char *text, size_t count)
{
    struct passage_text p[500];
    struct page page = {.title = "the file",
                        .lang = "en",
                        .favicon = "",
                        .day = day,
                        .fetched_ms = 1,
                        .etag = "",
                        .last_modified = ""};
    struct url u;
    int64_t id;

    assert_int_equal(url_parse(url, strlen(url), NULL, &arena, &u, &ec),
                     ERR_OK);
    page.url = u.href;
    page.host = u.host;
    for (size_t i = 0; i < count; i++)
        p[i] = (struct passage_text){"data > the reader",
                                     arena_printf(&arena, "%s %c %c%c", text,
                                                  "ab3"[i % 3], "ab"[i / 3 % 2],
                                                  "ab"[i / 6 % 2]),
                                     0, "", ""};
    if (page_put(db, &page, p, count, &id, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
}

static void kept(void)
{
    if (vectors_keep(&conf, db, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
}

static struct vectors *vectors(void)
{
    struct vectors *v = NULL;

    assert_int_equal(vectors_new(vectors_path, encoder_name(encoder),
                                 encoder_width(encoder), &v),
                     ERR_OK);
    return v;
}

static size_t vector_count(void)
{
    struct vectors *v = vectors();
    size_t n = vectors_count(v);

    vectors_free(v);
    return n;
}

static struct meaning *opened(void)
{
    struct meaning *m = NULL;

    assert_int_equal(meaning_new(&conf, &m), ERR_OK);
    assert_non_null(m);
    return m;
}

static const struct index_filter everything = {.day_from = DAY_NONE,
                                               .day_to = DAY_NONE};

static struct domain_rules rule(const char *entry)
{
    struct domain_rule *r = arena_alloc(&arena, sizeof *r);

    assert_int_equal(domain_rule_parse(entry, strlen(entry), &arena, r),
                     ERR_OK);
    return (struct domain_rules){r, 1};
}

/* A question with its vector, if m is there. */
static struct query question(struct meaning *m, const char *text)
{
    struct query q;

    assert_int_equal(query_parse(text, &arena, &q), ERR_OK);
    q.lang = LANG_EN;
    assert_int_equal(meaning_read(m, db, &q), ERR_OK);
    assert_true((q.meaning != NULL) == (m != NULL));
    return q;
}

static void passages_get_their_vectors(void **state)
{
    struct conf none = {.meaning_model = "", .data_dir = dir};
    struct conf broken = {.meaning_model = index_path, .data_dir = dir};
    struct vectors *v;
    struct vectors_writer *w;
    struct meaning *m;

    (void)state;
    put("http://a.example/1", 100, "reading the file", 200);
    put("http://b.example/2", 200, "writing data", 3);
    assert_int_equal(vectors_keep(&none, db, &ec), ERR_OK);
    assert_int_not_equal(access(vectors_path, F_OK), 0);
    assert_int_equal(vectors_keep(&broken, db, &ec), ERR_MALFORMED);
    assert_int_equal(meaning_new(&broken, &m), ERR_OK);
    assert_int_equal(question(m, "reading").meant_by, MEANT_BY_WORDS);
    meaning_free(m);
    kept();
    assert_int_equal(vector_count(), 203);
    put("http://c.example/sub/3", DAY_NONE, "a cafe", 2);
    put("http://www.a.example/4", 300, "wr", 1);
    kept();
    kept();
    assert_int_equal(vector_count(), 206);
    /* While another is at it, it leaves. */
    put("http://b.example/5", 200, "writers", 4);
    assert_int_equal(
        vectors_write(vectors_path, encoder_name(encoder), 64, &w, &ec),
        ERR_OK);
    kept();
    assert_int_equal(vector_count(), 206);
    vectors_write_end(w);
    v = vectors(); /* sees what comes later */
    assert_int_equal(vectors_count(v), 206);
    kept();
    assert_int_equal(vectors_count(v), 210);
    vectors_free(v);
}

enum { ALL = 210 }; /* passages, by then */

/* The passages of a filter, one by one. */
static size_t passages_of(const struct index_filter *f)
{
    struct id_range *r;
    size_t n = 0, count;

    assert_int_equal(index_ranges(db, f, &arena, &r, &count, &ec), ERR_OK);
    for (size_t i = 0; i < count; i++) {
        if (r[i].last == INT64_MAX - 2) /* whatever comes */
            r[i].last = ALL;
        assert_true(r[i].first <= r[i].last);
        assert_true(i == 0 || r[i].first > r[i - 1].last + 1);
        n += (size_t)(r[i].last - r[i].first + 1);
    }
    return r == NULL ? 9999 : n;
}

static void filters_are_ranges(void **state)
{
    struct domain_rules a = rule("a.example"), sub = rule("c.example/sub");
    struct domain_rules other = rule("c.example/other"), www;
    struct domain_rule two[2];
    struct index_filter f = everything;

    (void)state;
    assert_int_equal(passages_of(NULL), 9999);
    f.exclude = &other;
    assert_int_equal(passages_of(&f), ALL);
    f.exclude = &sub;
    assert_int_equal(passages_of(&f), ALL - 2);
    f = everything;
    assert_int_equal(passages_of(&f), 9999);
    f.include = &a;
    assert_int_equal(passages_of(&f), 201);
    f.day_from = 250;
    assert_int_equal(passages_of(&f), 1);
    f = everything;
    f.exclude = &a;
    assert_int_equal(passages_of(&f), ALL - 201);
    f.day_to = 1000;
    assert_int_equal(passages_of(&f), 7);
    f = everything;
    f.include = &sub;
    assert_int_equal(passages_of(&f), 2);
    f.include = &other;
    assert_int_equal(passages_of(&f), 0);
    two[0] = rule("b.example").rules[0];
    two[1] = rule("example").rules[0];
    www = (struct domain_rules){two, 2};
    f.include = &www;
    assert_int_equal(passages_of(&f), 210);
}

static void words_and_meaning_are_one_list(void **state)
{
    struct meaning *m = opened();
    struct domain_rules b = rule("b.example");
    struct index_term term = {.text = "cafe", .weight = 1.0};
    struct index_filter f = everything;
    struct candidate *found, *words;
    struct query q = question(NULL, "cafe");
    size_t count, word_count;

    (void)state;
    assert_int_equal(index_query(db, &term, 1, &f, 10, NULL, &arena, &words,
                                 &word_count, &ec),
                     ERR_OK);
    assert_int_equal(word_count, 2);
    found = words;
    count = word_count;
    assert_int_equal(
        meaning_fuse(NULL, db, &q, &f, 10, &arena, &found, &count, &ec),
        ERR_OK);
    assert_ptr_equal(found, words);
    q.lang = LANG_DE; /* the encoder knows no German */
    assert_int_equal(meaning_read(m, db, &q), ERR_OK);
    assert_null(q.meaning);
    q = question(m, "cafe");
    assert_int_equal(
        meaning_fuse(m, db, &q, &f, 10, &arena, &found, &count, &ec), ERR_OK);
    assert_true(count >= 10 && count <= 12);
    for (size_t i = 0; i < count; i++) {
        assert_true(found[i].score <= 1 && found[i].score > 0);
        assert_true(i == 0 || found[i].score <= found[i - 1].score);
        assert_true(fabsf(found[i].near) < 1.01f && found[i].near != 0);
        for (size_t k = 0; k < i; k++)
            assert_true(found[k].passage != found[i].passage);
    }
    /* A filter holds for both. */
    f.include = &b;
    count = 0;
    assert_int_equal(
        meaning_fuse(m, db, &q, &f, 50, &arena, &found, &count, &ec), ERR_OK);
    assert_int_equal(count, 7);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(found[i].host, "b.example");
    meaning_free(m);
}

static void questions_meet_texts(void **state)
{
    struct meaning *m = opened();
    struct query q = question(m, "reading the file");
    struct met same, other, none;

    (void)state;
    assert_int_equal(q.meant_by, MEANT_BY_ENCODER);
    assert_int_equal(meaning_meet(&q, "reading the file", 16, &same), ERR_OK);
    assert_int_equal(meaning_meet(&q, "a 3 b", 5, &other), ERR_OK);
    assert_int_equal(meaning_meet(&q, "", 0, &none), ERR_OK);
    assert_true(same.words > 0.999 && same.words < 1.001);
    assert_true(same.whole > 0.999 && same.whole < 1.001);
    assert_true(other.words < same.words && other.words >= 0);
    assert_true(other.whole < 1);
    assert_true(none.words == 0);
    meaning_free(m);
}

/* "erase a folder" in two parts is as near as it is at once. */
static void said_in_parts(const struct query *q, const struct met *whole)
{
    float *all = meaning_said(q, &arena), *part = meaning_said(q, &arena);
    struct met met = meaning_met(q, all);

    assert_true(met.words == 0 && met.whole == 0);
    meaning_say(q, "erase a", 7, all);
    meaning_say(q, "folder", 6, part);
    meaning_say_too(q, part, all);
    met = meaning_met(q, all);
    assert_true(fabs(met.words - whole->words) < 1e-5);
    assert_true(fabs(met.whole - whole->whole) < 1e-5);
}

/* Vectors whose last one is not that of its passage are of an index that was
 * there before. */
static void another_index_has_other_vectors(void)
{
    char path[128];
    const struct encoder *words = encoder_words();
    float row[ENCODER_WIDTH_MAX], cosine = 0;
    int64_t passages, next, last;
    struct vectors_writer *w;
    struct vectors *v;

    put("http://d.example/4", 100, "erase a folder", 1);
    assert_int_equal(index_passage_ids(db, &passages, &next, &ec), ERR_OK);
    last = next - 1;
    snprintf(path, sizeof path, "%s/" VECTORS_OF_WORDS_FILE, dir);
    unlink(path);
    assert_int_equal(
        vectors_write(path, encoder_name(words), encoder_width(words), &w, &ec),
        ERR_OK);
    assert_int_equal(encode(words, "cook a soup", 11, row), ERR_OK);
    assert_int_equal(vectors_add(w, &last, row, 1, &ec), ERR_OK);
    vectors_write_end(w);
    assert_int_equal(vectors_make_words(&conf, db, NULL, &ec), ERR_OK);
    assert_int_equal(
        vectors_new(path, encoder_name(words), encoder_width(words), &v),
        ERR_OK);
    assert_true(vectors_count(v) > 1);
    assert_int_equal(encode(words, "erase a folder", 14, row), ERR_OK);
    vectors_cosines(v, row, &last, 1, &cosine);
    assert_true(cosine > 0.4);
    vectors_free(v);
}

/* Without an encoder the vectors of words find what has none of the question's
 * words; a question makes those of what just came in. */
static void words_have_vectors_of_their_own(void **state)
{
    struct conf none = {.meaning_model = "", .data_dir = dir};
    struct candidate *found = NULL;
    struct met near, far;
    struct meaning *m;
    struct query q;
    size_t count = 0;

    (void)state;
    assert_int_equal(vectors_make_words(&none, db, NULL, &ec), ERR_OK);
    put("http://d.example/1", 100, "erase a folder", 1);
    put("http://d.example/2", 100, "cook a soup", 1);
    assert_int_equal(meaning_new(&none, &m), ERR_OK);
    assert_int_equal(vectors_make_words(&none, db, NULL, &ec), ERR_OK);
    q = question(m, "how do I delete directories?");
    assert_int_equal(q.meant_by, MEANT_BY_WORDS);
    assert_int_equal(
        meaning_fuse(m, db, &q, &everything, 3, &arena, &found, &count, &ec),
        ERR_OK);
    assert_int_equal(count, 3);
    assert_string_equal(found[0].url, "http://d.example/1");
    assert_int_equal(meaning_meet(&q, "erase a folder", 14, &near), ERR_OK);
    assert_int_equal(meaning_meet(&q, "cook a soup", 11, &far), ERR_OK);
    assert_true(near.words > far.words && near.whole > far.whole);
    said_in_parts(&q, &near);
    assert_int_equal(query_parse("\xce\xbb \xd0\xb6", &arena, &q), ERR_OK);
    q.lang = LANG_EN;
    assert_int_equal(meaning_read(m, db, &q), ERR_OK);
    assert_null(q.meaning); /* it knows none of these */
    put("http://d.example/3", 100, "\xce\xbb \xd0\xb6", 1);
    assert_int_equal(vectors_make_words(&none, db, NULL, &ec), ERR_OK);
    meaning_free(m);
    another_index_has_other_vectors();
}

/* How many of some units the encoder was given. */
static size_t units_met(const struct units *u)
{
    size_t n = 0;

    for (size_t i = 0; i < u->count; i++)
        n += u->v[i].v[FEATURE_MET] > 0;
    return n;
}

static void the_best_units_meet_the_question(void **state)
{
    enum { PARTS = 30 };

    struct meaning *m = opened();
    struct query q = question(m, "reading the file");
    struct deadline later = deadline_in(60000), soon = deadline_in(20);
    struct candidate c[PARTS];
    struct found_page page = {.c = c, .passages = c, .count = PARTS};
    struct units u;

    (void)state;
    for (int i = 0; i < PARTS; i++)
        c[i] = (struct candidate){
            .url = "http://a.example/",
            .host = "a.example",
            .title = "",
            .heading = arena_printf(&arena, "a > %d", i),
            .text = arena_printf(&arena, "The reader %d reads a file b%d.", i,
                                 i * 7 % 3),
            .parts = "p0",
            .page = 1,
            .seq = i,
            .near = 0.5f};
    assert_int_equal(units_cut(&q, &page, 1, UNIT_WHOLE, NULL, &arena, &u),
                     ERR_OK);
    assert_true(u.count >= PARTS && u.by == MEANT_BY_ENCODER);
    assert_int_equal(units_met(&u), 0);
    assert_int_equal(units_cut(&q, &page, 1, UNIT_WHOLE, &soon, &arena, &u),
                     ERR_OK);
    assert_int_equal(units_met(&u), 0);
    assert_int_equal(units_cut(&q, &page, 1, UNIT_WHOLE, &later, &arena, &u),
                     ERR_OK);
    assert_int_equal(units_met(&u), UNITS_MET);
    for (size_t i = 1; i < u.count; i++)
        assert_true(u.v[i].score <= u.v[i - 1].score);
    meaning_free(m);
}

static void what_is_gone_is_not_found(void **state)
{
    struct meaning *m = opened();
    struct candidate *found = NULL;
    struct query q = question(m, "reading the file");
    size_t count = 0;
    int64_t removed;

    (void)state;
    assert_int_equal(page_remove(db, "a.example", true, &removed, &ec), ERR_OK);
    assert_int_equal(
        meaning_fuse(m, db, &q, &everything, 100, &arena, &found, &count, &ec),
        ERR_OK);
    assert_true(count <= 9);
    for (size_t i = 0; i < count; i++)
        assert_null(strstr(found[i].host, "a.example"));
    /* Few are gone: they stay in the file. An index that is older than the
     * vectors has other passages under their ids. */
    kept();
    assert_int_equal(vector_count(), 210);
    assert_int_equal(sql_exec(db, "UPDATE counter SET next_passage = 210", &ec),
                     ERR_OK);
    kept();
    assert_int_equal(vector_count(), 9);
    assert_int_equal(
        sql_exec(db, "UPDATE counter SET next_passage = 5000", &ec), ERR_OK);
    meaning_free(m);
}

/* Thousands are replaced: the file is rid of them. */
static void many_that_are_gone_are_removed(void **state)
{
    (void)state;
    for (int i = 0; i < 11; i++)
        put("http://d.example/", 1, "reads", 450);
    kept();
    assert_true(vector_count() == 459);
    for (int i = 0; i < 11; i++) {
        put("http://d.example/", 1, "files", 450);
        kept();
    }
    assert_true(vector_count() < 450 + 9 + 4096 + 450);
    assert_true(vector_count() >= 459);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passages_get_their_vectors),
        cmocka_unit_test(filters_are_ranges),
        cmocka_unit_test(words_and_meaning_are_one_list),
        cmocka_unit_test(questions_meet_texts),
        cmocka_unit_test(the_best_units_meet_the_question),
        cmocka_unit_test(what_is_gone_is_not_found),
        cmocka_unit_test(many_that_are_gone_are_removed),
        cmocka_unit_test(words_have_vectors_of_their_own),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
