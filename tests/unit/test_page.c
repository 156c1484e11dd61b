/* The embedded index over real files: storing, counting, asking. */
#include "index/page.h"

#include "base/clock.h"
#include "base/date.h"
#include "find/spelling.h"
#include "index/rescore.h"
#include "question/others.h"
#include "question/overlap.h"
#include "store/sql.h"
#include "text/terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "state_db.h"

static char dir[64], path[96];
static struct db_file *file;
static struct db *db;
static struct arena arena;
static struct errctx ec;

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-page-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/index.db", dir);
    arena_init(&arena, 64 << 20);
    if (state_db_index(path, &file) != ERR_OK)
        return -1;
    return db_open(file, &db, &ec) == ERR_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    db_close(db);
    db_file_free(file);
    arena_fini(&arena);
    return folder_remove(dir);
}

/* A page of the passages in texts (NULL-terminated), each under heading. */
static int64_t put(const char *url, const char *title, const char *heading,
                   int32_t day, const char *const *texts)
{
    struct passage_text p[64];
    struct page page = {.title = title,
                        .lang = "en",
                        .favicon = "",
                        .day = day,
                        .fetched_ms = 1,
                        .etag = "",
                        .last_modified = ""};
    struct url u;
    int64_t id = 0;
    size_t n = 0, at = 0;

    if (url_parse(url, strlen(url), NULL, &arena, &u, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    page.url = u.href;
    page.host = u.host;
    for (; texts[n] != NULL; n++) {
        p[n] = (struct passage_text){heading, texts[n], at, "", ""};
        at += strlen(texts[n]) + 2;
    }
    if (page_put(db, &page, p, n, &id, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return id;
}

static int64_t put1(const char *url, int32_t day, const char *text)
{
    const char *texts[] = {text, NULL};

    return put(url, "Title", "", day, texts);
}

static struct candidate *found;
static size_t found_count;

/* Ask for the words of a question. */
static enum err ask(const char *words, const struct index_filter *f, size_t k)
{
    static struct term stems[300];
    static struct index_term terms[300];
    struct term_iter it;
    size_t n = 0;

    terms_init(&it, words, strlen(words));
    while (n < 300 && terms_next(&it, &stems[n])) {
        terms[n] = (struct index_term){.text = stems[n].text, .weight = 1.0};
        n++;
    }
    found_count = 0;
    return index_query(db, terms, n, f, k, NULL, &arena, &found, &found_count,
                       &ec);
}

static bool has(const char *url)
{
    for (size_t i = 0; i < found_count; i++)
        if (strcmp(found[i].url, url) == 0)
            return true;
    return false;
}

static int64_t number(const char *sql)
{
    struct stmt *q = sql_get(db, sql);
    int64_t v;

    if (sql_one(q, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    v = sql_col_int(q, 0);
    sql_end(q);
    return v;
}

/* --- counts ------------------------------------------------------------ */

struct recount {
    char term[80];
    int64_t df;
};

static struct recount words[4000];
static size_t word_count;

static void recount_term(const char *term)
{
    for (size_t i = 0; i < word_count; i++)
        if (strcmp(words[i].term, term) == 0) {
            words[i].df++;
            return;
        }
    assert_true(word_count < 4000);
    snprintf(words[word_count].term, sizeof words[0].term, "%s", term);
    words[word_count++].df = 1;
}

static size_t distinct(const char *const fields[3], struct term *out)
{
    size_t n = 0;

    for (int f = 0; f < 3; f++) {
        struct term_iter it;
        struct term t;

        terms_init(&it, fields[f], strlen(fields[f]));
        while (terms_next(&it, &t)) {
            size_t i = 0;

            while (i < n && strcmp(out[i].text, t.text) != 0)
                i++;
            if (i == n)
                out[n++] = t;
        }
    }
    return n;
}

/* The term table and the counters against counting everything again. */
static void check_counts(void)
{
    static struct term list[2000];
    struct index_stats s;
    sqlite3_stmt *q;
    int64_t passages = 0;

    word_count = 0;
    assert_int_equal(
        sqlite3_prepare_v2(db->h,
                           "SELECT p.title, t.heading, t.text FROM passage t"
                           " JOIN page p ON p.id = t.page",
                           -1, &q, NULL),
        SQLITE_OK);
    while (sqlite3_step(q) == SQLITE_ROW) {
        const char *fields[3];
        size_t n;

        for (int i = 0; i < 3; i++)
            fields[i] = (const char *)sqlite3_column_text(q, i);
        n = distinct(fields, list);
        for (size_t i = 0; i < n; i++)
            recount_term(list[i].text);
        passages++;
    }
    sqlite3_finalize(q);
    assert_int_equal(number("SELECT passages FROM counter"), passages);
    assert_int_equal(number("SELECT pages FROM counter"),
                     number("SELECT count(*) FROM page"));
    assert_int_equal(number("SELECT text_bytes FROM counter"),
                     number("SELECT coalesce(sum(length(CAST(text AS BLOB))),"
                            " 0) FROM passage"));
    for (size_t i = 0; i < word_count; i++) {
        struct index_term t = {.text = words[i].term, .weight = 1};
        int64_t df = -1;

        assert_int_equal(index_df(db, &t, 1, &df, &passages, &ec), ERR_OK);
        if (df != words[i].df)
            fail_msg("df of %s is %d, counted %d", words[i].term, (int)df,
                     (int)words[i].df);
    }
    assert_int_equal(index_stats(db, &arena, &s, &ec), ERR_OK);
    assert_int_equal(s.terms, word_count);
    assert_int_equal(s.missing, 0);
    assert_int_equal(s.lost, 0);
}

/* Nothing of a removed page is left in the postings. */
static void check_empty(void)
{
    struct index_stats s;

    assert_int_equal(index_stats(db, &arena, &s, &ec), ERR_OK);
    assert_int_equal(s.terms, 0);
    assert_int_equal(number("SELECT count(*) FROM passage"), 0);
    assert_int_equal(number("SELECT text_bytes FROM counter"), 0);
}

/* --- storing ----------------------------------------------------------- */

static void a_page_comes_back_whole(void **state)
{
    const struct image images[] = {{"https://x.org/a.png", "alt\ttext\nhere"},
                                   {"https://x.org/b.png", ""}};
    struct page p = {.url = "https://x.org/p",
                     .host = "x.org",
                     .title = "T\xC3\xAFtle",
                     .lang = "fr",
                     .favicon = "https://x.org/f.ico",
                     .images = images,
                     .image_count = 2,
                     .day = 19000,
                     .fetched_ms = 77,
                     .etag = "\"e\"",
                     .last_modified = "yesterday"};
    const struct passage_text t[] = {{"A > B", "one two", 0, "p0", ""},
                                     {"", "three", 9, "", ""}};
    struct page got;
    int64_t id = 0;

    (void)state;
    assert_int_equal(page_put(db, &p, t, 2, &id, &ec), ERR_OK);
    assert_int_equal(page_find(db, p.url, &arena, &got, &ec), ERR_OK);
    assert_int_equal(got.id, id);
    assert_string_equal(got.host, "x.org");
    assert_string_equal(got.title, p.title);
    assert_string_equal(got.lang, "fr");
    assert_string_equal(got.favicon, p.favicon);
    assert_int_equal(got.image_count, 2);
    assert_string_equal(got.images[0].url, images[0].url);
    assert_string_equal(got.images[0].alt, "alt text here");
    assert_string_equal(got.images[1].alt, "");
    assert_int_equal(got.day, 19000);
    assert_int_equal(got.fetched_ms, 77);
    assert_string_equal(got.etag, "\"e\"");
    assert_string_equal(got.last_modified, "yesterday");
    assert_int_equal(got.text_bytes, 12);
    assert_int_equal(got.passage_count, 2);
    assert_int_equal(page_touch(db, id, 99, &ec), ERR_OK);
    assert_int_equal(page_get(db, id, &arena, &got, &ec), ERR_OK);
    assert_int_equal(got.fetched_ms, 99);
    assert_int_equal(page_touch(db, id + 1, 99, &ec), ERR_NOT_FOUND);
    assert_int_equal(page_get(db, id + 1, &arena, &got, &ec), ERR_NOT_FOUND);
    assert_int_equal(page_find(db, "https://x.org/", &arena, &got, &ec),
                     ERR_NOT_FOUND);
}

static void a_passage_stands_at_its_offset_in_the_page(void **state)
{
    const char *texts[] = {"First passage.", "Second \xE2\x82\xAC passage.",
                           "Third\x01passage \x02 here.", NULL};
    const char *text;
    struct candidate *list;
    size_t n;
    int64_t id = put("https://x.org/", "T", "H", DAY_NONE, texts);

    (void)state;
    assert_int_equal(page_text(db, id, &arena, &text, &ec), ERR_OK);
    assert_int_equal(index_passages(db, id, 0, 100, &arena, &list, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(list[i].seq, i);
        assert_memory_equal(text + list[i].start, list[i].text,
                            strlen(list[i].text));
    }
    assert_string_equal(list[2].text, "Third passage   here.");
    assert_int_equal(index_passages(db, id, 1, 1, &arena, &list, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 1);
    assert_int_equal(list[0].seq, 1);
    assert_int_equal(ask("second", NULL, 5), ERR_OK);
    assert_int_equal(found_count, 1);
    assert_memory_equal(text + found[0].start, found[0].text,
                        strlen(found[0].text));
}

static void a_page_without_passages_is_kept_but_never_found(void **state)
{
    const char *none[] = {NULL};
    const char *text = NULL;
    struct page p;
    int64_t id = put("https://x.org/", "Lonely", "", DAY_NONE, none);

    (void)state;
    assert_int_equal(page_get(db, id, &arena, &p, &ec), ERR_OK);
    assert_int_equal(page_text(db, id, &arena, &text, &ec), ERR_OK);
    assert_string_equal(text, "");
    assert_int_equal(page_text(db, 99, &arena, &text, &ec), ERR_NOT_FOUND);
    assert_int_equal(ask("lonely", NULL, 5), ERR_NO_RESULT);
}

static void putting_again_replaces_and_keeps_the_id(void **state)
{
    const char *before[] = {"alpha beta", "beta gamma", "gamma delta", NULL};
    const char *after[] = {"beta epsilon", NULL};
    int64_t id, other;

    (void)state;
    other = put1("https://y.org/", DAY_NONE, "beta zeta");
    id = put("https://x.org/", "Old title", "Heading", 100, before);
    check_counts();
    assert_int_equal(put("https://x.org/", "New", "", 200, after), id);
    check_counts();
    assert_int_equal(ask("alpha", NULL, 5), ERR_NO_RESULT);
    assert_int_equal(ask("old heading", NULL, 5), ERR_NO_RESULT);
    assert_int_equal(ask("beta", NULL, 5), ERR_OK);
    assert_int_equal(found_count, 2);
    assert_int_equal(ask("epsilon", NULL, 5), ERR_OK);
    assert_int_equal(found[0].page, id);
    assert_int_equal(found[0].day, 200);
    assert_int_not_equal(other, id);
}

static void removing_leaves_nothing_behind(void **state)
{
    const char *many[] = {"one", "two", "three", NULL};
    int64_t n = 0;

    (void)state;
    put("https://x.org/", "A", "B", 5, many);
    put("https://www.x.org/", "A", "B", 5, many);
    put("https://a.b.x.org/", "A", "B", 5, many);
    put("https://xx.org/", "A", "B", 5, many);
    put("https://x.org.evil.net/", "A", "B", 5, many);
    assert_int_equal(page_remove(db, "https://nowhere/", false, &n, &ec),
                     ERR_NOT_FOUND);
    assert_int_equal(page_remove(db, "https://xx.org/", false, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 1);
    check_counts();
    assert_int_equal(page_remove(db, "x.org", true, &n, &ec), ERR_OK);
    assert_int_equal(n, 3);
    check_counts();
    assert_int_equal(page_remove(db, "net", true, &n, &ec), ERR_OK);
    assert_int_equal(n, 1);
    check_empty();
    assert_int_equal(ask("two", NULL, 5), ERR_NO_RESULT);
    put("https://x.org/", "A", "B", 5, many);
    assert_int_equal(ask("two", NULL, 5), ERR_OK);
    assert_int_equal(found_count, 1);
}

static void pages_are_listed_by_id_and_host(void **state)
{
    struct page *list;
    size_t n;
    int64_t first = put1("https://b.x.org/1", DAY_NONE, "t"), after = 0;

    (void)state;
    put1("https://y.org/2", DAY_NONE, "t");
    put1("https://x.org/3", DAY_NONE, "t");
    assert_int_equal(page_list(db, NULL, 0, 2, &arena, &list, &n, &ec), ERR_OK);
    assert_int_equal(n, 2);
    assert_int_equal(list[0].id, first);
    after = list[1].id;
    assert_int_equal(page_list(db, NULL, after, 9, &arena, &list, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 1);
    assert_int_equal(page_list(db, "x.org", 0, 9, &arena, &list, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 2);
    assert_string_equal(list[0].url, "https://b.x.org/1");
    assert_string_equal(list[1].url, "https://x.org/3");
}

static void statistics_add_up(void **state)
{
    const char *two[] = {"one", "three", NULL};
    struct index_stats s;

    (void)state;
    put("https://x.org/1", "", "", DAY_NONE, two);
    put("https://x.org/2", "", "", DAY_NONE, two);
    put("https://a.org/", "", "", DAY_NONE, two);
    assert_int_equal(index_stats(db, &arena, &s, &ec), ERR_OK);
    assert_int_equal(s.pages, 3);
    assert_int_equal(s.passages, 6);
    assert_int_equal(s.terms, 2);
    assert_int_equal(s.text_bytes, 24);
    assert_true(s.file_bytes > 0);
    assert_int_equal(s.host_count, 2);
    assert_string_equal(s.hosts[0].host, "x.org");
    assert_int_equal(s.hosts[0].pages, 2);
    assert_int_equal(s.hosts[0].passages, 4);
    assert_int_equal(index_optimize(db, &ec), ERR_OK);
    assert_int_equal(ask("three", NULL, 9), ERR_OK);
    assert_int_equal(found_count, 3);
}

/* --- batches ----------------------------------------------------------- */

static void a_batch_counts_like_single_pages(void **state)
{
    const char *a[] = {"alpha beta", "beta", NULL};
    const char *b[] = {"beta gamma", NULL};

    (void)state;
    assert_int_equal(page_batch_begin(db, &ec), ERR_OK);
    put("https://x.org/1", "T", "", 1, a);
    put("https://x.org/2", "T", "", 2, a);
    put("https://x.org/1", "T", "", 3, b); /* replaced within the batch */
    assert_int_equal(page_batch_commit(db, &ec), ERR_OK);
    check_counts();
    assert_int_equal(ask("alpha", NULL, 5), ERR_OK);
    assert_int_equal(found_count, 1);
    assert_string_equal(found[0].url, "https://x.org/2");

    assert_int_equal(page_batch_begin(db, &ec), ERR_OK);
    put("https://x.org/3", "T", "", 1, a);
    page_batch_abort(db);
    check_counts();
    assert_int_equal(ask("alpha", NULL, 5), ERR_OK);
    assert_int_equal(found_count, 1);
}

struct writer {
    pthread_t thread;
    int n, wrong;
};

static void *write_pages(void *arg)
{
    struct writer *w = arg;
    struct errctx mine = {0};
    struct db *own = NULL;

    if (db_open(file, &own, &mine) != ERR_OK)
        w->wrong++;
    for (int i = 0; i < 12 && own != NULL; i++) {
        char url[64];
        struct passage_text t = {"", "common words of thread pages", 0, "", ""};
        struct page p = {
            .url = url, .host = "x.org", .title = "T", .day = DAY_NONE};
        int64_t id;

        snprintf(url, sizeof url, "https://x.org/%d/%d", w->n, i % 9);
        if (page_put(own, &p, &t, 1, &id, &mine) != ERR_OK)
            w->wrong++;
    }
    db_close(own);
    return NULL;
}

static void threads_put_pages_together(void **state)
{
    struct writer w[6];

    (void)state;
    for (int i = 0; i < 6; i++) {
        w[i] = (struct writer){.n = i};
        pthread_create(&w[i].thread, NULL, write_pages, &w[i]);
    }
    for (int i = 0; i < 6; i++) {
        pthread_join(w[i].thread, NULL);
        assert_int_equal(w[i].wrong, 0);
    }
    assert_int_equal(number("SELECT count(*) FROM page"), 6 * 9);
    check_counts();
    assert_int_equal(ask("common words", NULL, 100), ERR_OK);
    assert_int_equal(found_count, 6 * 9);
}

/* --- asking ------------------------------------------------------------ */

static struct domain_rules rules(const char *const *entries)
{
    struct domain_rule *list = arena_array(&arena, 60, sizeof *list);
    size_t n = 0;

    for (; entries[n] != NULL; n++)
        assert_int_equal(
            domain_rule_parse(entries[n], strlen(entries[n]), &arena, &list[n]),
            ERR_OK);
    return (struct domain_rules){list, n};
}

static void domain_filters_are_exact(void **state)
{
    static const char *const urls[] = {
        "https://example.com/docs/a", "https://example.com/docs",
        "https://example.com/docsy",  "https://www.example.com/docs/b",
        "https://sub.example.com/x",  "https://notexample.com/docs/a",
        "https://example.org/docs/a", "http://127.0.0.1/docs/a",
        "https://example.com/"};
    static const char *const lists[][4] = {
        {NULL},
        {"example.com", NULL},
        {"example.com/docs", NULL},
        {"sub.example.com", "example.org", NULL},
        {"org", NULL},
        {"nowhere.test", NULL},
        {"www.example.com", "example.org/docs/a", NULL},
        {"com", "example.com/docs", NULL},
        {"127.0.0.1", NULL}};
    enum {
        URLS = sizeof urls / sizeof *urls,
        LISTS = sizeof lists / sizeof *lists
    };

    (void)state;
    for (int i = 0; i < URLS; i++)
        put1(urls[i], DAY_NONE, "needle in a haystack");
    for (int i = 0; i < LISTS * LISTS; i++) {
        struct domain_rules in = rules(lists[i / LISTS]);
        struct domain_rules out = rules(lists[i % LISTS]);
        struct index_filter f = {.include = &in,
                                 .exclude = &out,
                                 .day_from = DAY_NONE,
                                 .day_to = DAY_NONE};
        enum err e = ask("needle", &f, 50);
        size_t want = 0;

        for (int j = 0; j < URLS; j++) {
            struct url u;

            assert_int_equal(
                url_parse(urls[j], strlen(urls[j]), NULL, &arena, &u, &ec),
                ERR_OK);
            assert_int_equal(has(u.href), domains_allow(&in, &out, &u));
            want += domains_allow(&in, &out, &u);
        }
        assert_int_equal(e, want == 0 ? ERR_NO_RESULT : ERR_OK);
        assert_int_equal(found_count, want);
    }
}

/* A path that few of many pages have is looked for to the end. */
static void a_rare_path_is_found_below_the_first_hundred(void **state)
{
    const char *entry[] = {"x.org/rare", NULL};
    struct domain_rules in = rules(entry);
    struct index_filter f = {.include = &in,
                             .exclude = NULL,
                             .day_from = DAY_NONE,
                             .day_to = DAY_NONE};

    (void)state;
    assert_int_equal(page_batch_begin(db, &ec), ERR_OK);
    for (int i = 0; i < 700; i++) {
        char url[64];

        snprintf(url, sizeof url, "https://x.org/often/%d", i);
        put1(url, DAY_NONE, "needle needle");
    }
    put1("https://x.org/rare/1", DAY_NONE,
         "needle in a much longer text than all the others have here");
    assert_int_equal(page_batch_commit(db, &ec), ERR_OK);
    assert_int_equal(ask("needle", &f, 10), ERR_OK);
    assert_int_equal(found_count, 1);
    assert_string_equal(found[0].url, "https://x.org/rare/1");
}

/* Research takes as many exclusions as fit into its body. */
static void any_number_of_domains_may_be_excluded(void **state)
{
    static const size_t counts[] = {1, 1000, 1001, 70000};

    (void)state;
    put1("https://a.example/", DAY_NONE, "whale");
    put1("https://b.example/", DAY_NONE, "whale");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct domain_rule *list = calloc(counts[i], sizeof *list);
        struct domain_rules none = {NULL, 0}, out = {list, counts[i]};
        struct index_filter f = {.include = &none,
                                 .exclude = &out,
                                 .day_from = DAY_NONE,
                                 .day_to = DAY_NONE};

        assert_non_null(list);
        for (size_t k = 0; k < counts[i]; k++)
            list[k] = (struct domain_rule){"long.name.of.no.page.test", ""};
        list[counts[i] - 1].host = "b.example";
        assert_int_equal(ask("whale", &f, 10), ERR_OK);
        assert_int_equal(found_count, 1);
        assert_true(has("https://a.example/"));
        free(list);
    }
}

static void date_filters_are_exact_at_every_border(void **state)
{
    static const int dates[][3] = {
        {1899, 12, 31}, {1900, 1, 1},   {1999, 12, 31}, {2000, 1, 1},
        {2000, 2, 29},  {2023, 12, 31}, {2024, 1, 1},   {2024, 1, 31},
        {2024, 2, 1},   {2024, 2, 28},  {2024, 2, 29},  {2024, 3, 1},
        {2024, 6, 15},  {2024, 12, 31}, {2025, 1, 1}};
    enum { N = sizeof dates / sizeof *dates };
    int32_t day[N + 1];

    (void)state;
    for (int i = 0; i < N; i++) {
        char url[64];

        day[i] = date_to_day(dates[i][0], dates[i][1], dates[i][2]);
        snprintf(url, sizeof url, "https://x.org/%d", i);
        put1(url, day[i], "needle");
    }
    put1("https://x.org/undated", DAY_NONE, "needle");
    assert_int_equal(ask("needle", NULL, 99), ERR_OK);
    assert_int_equal(found_count, N + 1);
    day[N] = DAY_NONE;
    for (int i = 0; i < (N + 1) * (N + 1); i++) {
        struct index_filter f = {.day_from = day[i / (N + 1)],
                                 .day_to = day[i % (N + 1)]};
        bool open = f.day_from == DAY_NONE && f.day_to == DAY_NONE;
        size_t want = open ? N + 1 : 0;
        enum err e = ask("needle", &f, 99);

        for (int j = 0; j < N && !open; j++)
            want += (f.day_from == DAY_NONE || day[j] >= f.day_from) &&
                    (f.day_to == DAY_NONE || day[j] <= f.day_to);
        assert_int_equal(e, want == 0 ? ERR_NO_RESULT : ERR_OK);
        assert_int_equal(found_count, want);
        for (size_t j = 0; j < found_count && !open; j++)
            assert_true(found[j].day >= f.day_from &&
                        (f.day_to == DAY_NONE || found[j].day <= f.day_to));
    }
}

static void rarer_terms_more_terms_and_titles_come_first(void **state)
{
    const char *body[] = {"something about sqlite locking", NULL};
    const char *fill[] = {"common common filler", NULL};

    (void)state;
    for (int i = 0; i < 30; i++) {
        char url[64];

        snprintf(url, sizeof url, "https://x.org/f%d", i);
        put(url, "Filler", "", DAY_NONE, fill);
    }
    put("https://x.org/body", "Other", "", DAY_NONE, body);
    put("https://x.org/title", "SQLite locking", "", DAY_NONE, body);
    put1("https://x.org/apart", DAY_NONE,
         "locking was, many years before anybody thought of it, in sqlite");
    put1("https://x.org/one", DAY_NONE, "sqlite sqlite sqlite");
    assert_int_equal(ask("common sqlite locking", NULL, 10), ERR_OK);
    assert_string_equal(found[0].url, "https://x.org/title");
    assert_string_equal(found[1].url, "https://x.org/body");
    assert_string_equal(found[2].url, "https://x.org/apart");
    assert_string_equal(found[3].url, "https://x.org/one");
    /* The common term selects as well when the rare ones are too few. */
    assert_int_equal(found_count, 10);
    for (size_t i = 1; i < found_count; i++)
        assert_true(found[i - 1].score >= found[i].score);
    /* Equal scores: by passage. */
    assert_true(found[5].passage < found[6].passage);
}

static void inflected_words_meet(void **state)
{
    (void)state;
    put1("https://x.org/", DAY_NONE, "The caf\xC3\xA9s were Running");
    assert_int_equal(ask("cafe runs", NULL, 5), ERR_OK);
    assert_int_equal(found_count, 1);
}

static void put_in(const char *url, const char *lang, const char *text)
{
    struct passage_text p = {"", text, 0, "", ""};
    struct page page = {.url = url,
                        .host = "x.org",
                        .title = "",
                        .lang = lang,
                        .day = DAY_NONE};
    int64_t id;

    assert_int_equal(page_put(db, &page, &p, 1, &id, &ec), ERR_OK);
}

static const char *first_for(const char *word)
{
    struct index_term t = {.text = word, .weight = 1.0, .word = word};
    enum err e = index_query(db, &t, 1, NULL, 5, NULL, &arena, &found,
                             &found_count, &ec);

    return e == ERR_OK ? found[0].url : "";
}

static void words_are_stemmed_in_the_language_of_their_page(void **state)
{
    struct index_term t = {.text = "haus", .weight = 1.0, .word = "Haus"};
    int64_t df = 0, passages = 0;
    enum lang l = LANG_ZH;

    (void)state;
    put_in("https://x.org/en", "en", "The houses of Bremen are running.");
    assert_int_equal(index_language(db, &t, 1, &l, &ec), ERR_OK);
    assert_int_equal(l, LANG_EN);
    put_in("https://x.org/de", "de-AT", "Die Häuser in Berlin wuchsen.");
    put_in("https://x.org/ru", "ru", "Библиотеки работают.");
    assert_string_equal(first_for("Häusern"), "https://x.org/de");
    assert_string_equal(first_for("house"), "https://x.org/en");
    assert_string_equal(first_for("библиотека"), "https://x.org/ru");
    assert_string_equal(first_for("run"), "https://x.org/en");
    assert_int_equal(index_df(db, &t, 1, &df, &passages, &ec), ERR_OK);
    assert_int_equal(df, 1);
    assert_int_equal(passages, 3);
    assert_int_equal(index_language(db, &t, 1, &l, &ec), ERR_OK);
    assert_int_equal(l, LANG_DE);
}

static void what_all_languages_know_is_in_the_commonest(void **state)
{
    struct index_term t = {.text = "pumpen", .weight = 1.0, .word = "Pumpen"};
    enum lang l = LANG_ZH;

    (void)state;
    put_in("https://x.org/en", "en", "The pumpen of Bremen.");
    put_in("https://x.org/1", "de", "Die Pump in Berlin.");
    put_in("https://x.org/2", "de", "Die Häuser in Berlin wuchsen.");
    assert_int_equal(index_language(db, &t, 1, &l, &ec), ERR_OK);
    assert_int_equal(l, LANG_DE);
    put_in("https://x.org/3", "en", "The houses of Bremen.");
    assert_int_equal(index_language(db, &t, 1, &l, &ec), ERR_OK);
    assert_int_equal(l, LANG_EN);
}

static void put_three(const char *lang, const char *text)
{
    put_in("https://x.org/1", lang, text);
    put_in("https://x.org/2", lang, text);
    put_in("https://x.org/3", lang, text);
}

static void words_of_a_compound_count(void **state)
{
    struct query q;

    (void)state;
    put_three("de", "Die Mauern der Reben in dem alten Haus.");
    assert_int_equal(
        query_parse("Was ist das für eine Rebenmauer?", &arena, &q), ERR_OK);
    assert_int_equal(overlap_weigh(&q, db, &ec), ERR_OK);
    assert_int_equal(q.lang, LANG_DE);
    assert_int_equal(q.other_count, 2);
    assert_string_equal(q.others[0].text, "reb");
    assert_string_equal(q.others[1].text, "mau");
    assert_int_equal(q.others[0].term, q.others[1].term);
    /* Both together are the word. */
    assert_int_equal(overlap_mask(&q, "Reben und Mauern", 16),
                     (uint64_t)1 << q.others[0].term);
    assert_int_equal(overlap_mask(&q, "Reben im Haus", 13), 0);
    /* What the index does not know is no word. */
    assert_int_equal(
        query_parse("Was ist das für ein Fensterwindrad?", &arena, &q), ERR_OK);
    assert_int_equal(overlap_weigh(&q, db, &ec), ERR_OK);
    assert_int_equal(q.other_count, 0);
}

/* Pages in English are found by the words that are called so in all languages.
 */
static void a_word_is_looked_for_as_english_has_it(void **state)
{
    struct query q;

    (void)state;
    put_three("en", "They prune the vine in winter.");
    assert_int_equal(
        query_parse("Wie funktioniert das Prune der Reben?", &arena, &q),
        ERR_OK);
    assert_int_equal(overlap_weigh(&q, db, &ec), ERR_OK);
    assert_int_equal(q.lang, LANG_DE);
    assert_int_equal(q.other_count, 1);
    assert_string_equal(q.others[0].text, "prune");
    assert_string_equal(q.terms[q.others[0].term].text, "prun");
}

static const struct query_other *other_of(const struct query *q,
                                          const char *text)
{
    for (size_t i = 0; i < q->other_count; i++)
        if (strcmp(q->others[i].text, text) == 0)
            return &q->others[i];
    return NULL;
}

/* A question in German is asked of pages in English by what its words are
 * there, those of a compound that no page knows, too, and a word that only
 * they have is as rare as what it is. */
static void a_word_is_looked_for_as_english_says_it(void **state)
{
    const struct query_other *o;
    struct query q;

    (void)state;
    put_three("en",
              "The service that sends a message with an image is disabled.");
    assert_int_equal(
        query_parse("Wie werden Bildnachrichten vom Dienst verschickt?", &arena,
                    &q),
        ERR_OK);
    assert_int_equal(overlap_weigh(&q, db, &ec), ERR_OK);
    assert_int_equal(q.lang, LANG_DE);
    assert_non_null(other_of(&q, "imag"));
    assert_true(other_of(&q, "imag")->part);
    assert_non_null(other_of(&q, "messag"));
    o = other_of(&q, "servic");
    assert_non_null(o);
    assert_true(other_is_kin(o));
    /* Half a compound says nothing of how rare it is. */
    assert_true(q.rarity[o->term] < q.rarity[other_of(&q, "imag")->term]);
    /* A verb in two words. */
    assert_int_equal(query_parse("Wie schalte ich den Dienst ab?", &arena, &q),
                     ERR_OK);
    assert_int_equal(overlap_weigh(&q, db, &ec), ERR_OK);
    o = other_of(&q, "disabl");
    assert_non_null(o);
    assert_true(q.rarity[o->term] > 0 && q.rarity[o->term] < 1);
}

/* "voir" is in the pages, whose stem "voirer" has, and that is no word. */
static void a_slip_is_mended_to_a_word_of_the_pages(void **state)
{
    struct query q;
    bool mended = true;

    (void)state;
    put_three("fr", "Il faut voir le miroir dans la salle.");
    assert_int_equal(
        query_parse("puis-je virer les tables dans la salle ?", &arena, &q),
        ERR_OK);
    assert_int_equal(overlap_weigh(&q, db, &ec), ERR_OK);
    assert_int_equal(spelling_mend(db, &q, NULL, &mended, &ec), ERR_OK);
    assert_false(mended);
    assert_int_equal(
        query_parse("y a-t-il un mirroir dans la salle ?", &arena, &q), ERR_OK);
    assert_int_equal(overlap_weigh(&q, db, &ec), ERR_OK);
    assert_int_equal(spelling_mend(db, &q, NULL, &mended, &ec), ERR_OK);
    assert_true(mended);
    assert_non_null(strstr(q.text, "un miroir"));
}

static void a_number_in_the_plural_is_mended_to_the_number(void **state)
{
    struct query q;
    bool mended = false;

    (void)state;
    put_three("en", "The gate answers 403 to strangers.");
    assert_int_equal(query_parse("Why are there 403s at night?", &arena, &q),
                     ERR_OK);
    assert_int_equal(overlap_weigh(&q, db, &ec), ERR_OK);
    assert_int_equal(spelling_mend(db, &q, NULL, &mended, &ec), ERR_OK);
    assert_true(mended);
    assert_string_equal(q.text, "Why are there 403 at night?");
    assert_int_equal(query_parse("Why does it wait 30s at night?", &arena, &q),
                     ERR_OK);
    assert_int_equal(overlap_weigh(&q, db, &ec), ERR_OK);
    assert_int_equal(spelling_mend(db, &q, NULL, &mended, &ec), ERR_OK);
    assert_false(mended);
}

static void pages_of_another_language_leave_nothing_behind(void **state)
{
    int64_t removed = 0;

    (void)state;
    put_in("https://x.org/1", "de", "Die Häuser in Berlin wuchsen.");
    put_in("https://x.org/1", "fr", "Les maisons de Berlin.");
    assert_string_equal(first_for("Häuser"), "");
    assert_string_equal(first_for("maison"), "https://x.org/1");
    assert_int_equal(page_remove(db, "https://x.org/1", false, &removed, &ec),
                     ERR_OK);
    check_empty();
}

static void passages_are_stemmed_each_in_its_language(void **state)
{
    static const struct passage_text p[] = {
        {.text = "The houses of Bremen are running.", .lang = "en"},
        {.heading = "Städte", .text = "Die Häuser wuchsen.", .lang = "de"},
        {.text = "x = 1", .parts = "c0", .lang = ""},
        {.text = "Les maisons brûlaient.", .parts = "p0", .lang = "fr"}};
    struct page page = {.url = "https://x.org/mixed",
                        .host = "x.org",
                        .title = "Tarnvik",
                        .lang = "en",
                        .day = DAY_NONE};
    struct index_filter openings = {
        .day_from = DAY_NONE, .day_to = DAY_NONE, .openings = true};
    static const char *const asked[] = {"house", "Hauses", "x", "maison"};
    struct index_term t = {.text = "tarnvik", .weight = 1.0, .word = "Tarnvik"};
    int64_t id, removed = 0;

    (void)state;
    assert_int_equal(page_put(db, &page, p, 4, &id, &ec), ERR_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(first_for(asked[i]), page.url);
        assert_int_equal(found[0].seq, i);
    }
    assert_string_equal(found[0].parts, "fr p0");
    assert_int_equal(passage_language(found[0].parts, LANG_EN), LANG_FR);
    assert_int_equal(index_query(db, &t, 1, &openings, 5, NULL, &arena, &found,
                                 &found_count, &ec),
                     ERR_OK);
    assert_int_equal(found_count, 1);
    assert_int_equal(found[0].seq, 0);
    assert_int_equal(page_put(db, &page, p, 1, &id, &ec), ERR_OK);
    assert_string_equal(first_for("Hauses"), "");
    assert_int_equal(page_remove(db, page.url, false, &removed, &ec), ERR_OK);
    check_empty();
}

static void query_language_in_terms_is_plain_text(void **state)
{
    static const char *const odd[] = {"\"",   "a\" OR \"b", "*", "NEAR(",
                                      "-x",   "title:x",    "",  "\x01h:x.org",
                                      "\x02", "AND"};

    (void)state;
    put1("https://x.org/", DAY_NONE, "plain text");
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct index_term t[] = {{.text = odd[i], .weight = 1.0},
                                 {.text = "plain", .weight = 1.0}};

        assert_int_equal(index_query(db, t, 1, NULL, 5, NULL, &arena, &found,
                                     &found_count, &ec),
                         ERR_NO_RESULT);
        assert_int_equal(index_query(db, t, 2, NULL, 5, NULL, &arena, &found,
                                     &found_count, &ec),
                         ERR_OK);
    }
}

static void bad_questions_are_errors_not_empty_answers(void **state)
{
    struct deadline past = {clock_mono_ms() - 1};
    struct index_term t = {.text = "text", .weight = 1.0};

    (void)state;
    assert_int_equal(ask("anything", NULL, 5), ERR_NO_RESULT);
    put1("https://x.org/", DAY_NONE, "text");
    assert_int_equal(ask("", NULL, 5), ERR_NO_RESULT);
    assert_int_equal(ask("text", NULL, 0), ERR_INVALID);
    assert_int_equal(ask("text", NULL, 1001), ERR_INVALID);
    assert_int_equal(index_query(db, &t, 1, NULL, 5, &past, &arena, &found,
                                 &found_count, &ec),
                     ERR_TIMEOUT);
    assert_int_equal(sql_exec(db, "DROP TABLE passage", &ec), ERR_OK);
    assert_int_equal(ask("text", NULL, 5), ERR_DB);
}

static void many_words_may_be_asked(void **state)
{
    char words_asked[2048];
    size_t at = 0;

    (void)state;
    put1("https://x.org/", DAY_NONE, "w199 w7 w55 and w102");
    for (int i = 0; i < 200; i++)
        at += (size_t)snprintf(words_asked + at, sizeof words_asked - at,
                               "w%d ", i);
    assert_int_equal(ask(words_asked, NULL, 5), ERR_OK);
    assert_int_equal(found_count, 1);
}

/* More than are read at once. */
static void every_passage_found_comes_with_its_own_page(void **state)
{
    char url[64], text[64];

    (void)state;
    for (int i = 0; i < 70; i++) {
        snprintf(url, sizeof url, "https://x.org/%d", i);
        snprintf(text, sizeof text, "common number n%d.", i);
        put1(url, DAY_NONE, text);
    }
    assert_int_equal(ask("common", NULL, 100), ERR_OK);
    assert_int_equal(found_count, 70);
    for (size_t i = 0; i < found_count; i++) {
        snprintf(text, sizeof text, "common number n%s.",
                 strrchr(found[i].url, '/') + 1);
        assert_string_equal(found[i].text, text);
        assert_true(i == 0 || found[i - 1].score >= found[i].score);
    }
    assert_int_equal(sql_exec(db, "DELETE FROM page WHERE id = 40", &ec),
                     ERR_OK);
    assert_int_equal(ask("common", NULL, 100), ERR_DB);
}

/* --- scoring ----------------------------------------------------------- */

/* How often the terms stand in a text, and how near to each other. */
static double occurrences(struct rescore *r, const char *text)
{
    struct rescore_tally t[8];
    double sum = 0;

    rescore_clear(r, t);
    (void)rescore_count(r, t, text, strlen(text), RESCORE_TEXT);
    for (size_t i = 0; i < r->count; i++)
        sum += (double)(i + 1) * t[i].in_text + t[i].pair;
    return sum;
}

/* Passing over words by their first letters changes no score: text with
 * every word in a chunk of its own non-ASCII prefix is read in full. */
static void skipping_words_does_not_change_a_score(void **state)
{
    static const char *const words_in[] = {
        "ties",    "tying", "say",   "says",  "O'Neil's",    "3,000",
        "sky",     "skies", "dying", "(foo)", "foo-bar",     "v1.2.3",
        "Running", "run",   "be",    "by",    "caf\xC3\xA9", "e-mail",
        "1st",     "x",     "eyes",  "eyed"};
    enum { N = sizeof words_in / sizeof *words_in };
    static const char gap[] = "\xC2\xA0"; /* no-break space */

    (void)state;
    for (int i = 0; i < N * N; i++) {
        const char *w[2] = {words_in[i / N], words_in[i % N]};
        struct term t[8];
        struct rescore_term terms[8];
        struct rescore r;
        struct term_iter it;
        char plain[256], read[256];
        double a, b;
        size_t n = 0;

        for (int k = 0; k < 2; k++) {
            terms_init(&it, w[k], strlen(w[k]));
            while (n < 8 && terms_next(&it, &t[n])) {
                terms[n] = (struct rescore_term){t[n].text, (uint32_t)t[n].len,
                                                 1.0, NULL};
                n++;
            }
        }
        snprintf(plain, sizeof plain, "the %s of %s then %s!", w[1], w[0],
                 w[1]);
        rescore_init(&r, terms, n, NULL);
        a = occurrences(&r, plain);
        snprintf(read, sizeof read, "the%s%s%sof%s%s%sthen%s%s!", gap, w[1],
                 gap, gap, w[0], gap, gap, w[1]);
        b = occurrences(&r, read);
        assert_true(a > 0);
        assert_true(a - b < 1e-9 && b - a < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(a_page_comes_back_whole),
        T(a_passage_stands_at_its_offset_in_the_page),
        T(a_page_without_passages_is_kept_but_never_found),
        T(putting_again_replaces_and_keeps_the_id),
        T(removing_leaves_nothing_behind),
        T(pages_are_listed_by_id_and_host),
        T(statistics_add_up),
        T(a_batch_counts_like_single_pages),
        T(threads_put_pages_together),
        T(domain_filters_are_exact),
        T(a_rare_path_is_found_below_the_first_hundred),
        T(any_number_of_domains_may_be_excluded),
        T(date_filters_are_exact_at_every_border),
        T(rarer_terms_more_terms_and_titles_come_first),
        T(inflected_words_meet),
        T(words_are_stemmed_in_the_language_of_their_page),
        T(what_all_languages_know_is_in_the_commonest),
        T(words_of_a_compound_count),
        T(a_word_is_looked_for_as_english_has_it),
        T(a_word_is_looked_for_as_english_says_it),
        T(a_slip_is_mended_to_a_word_of_the_pages),
        T(a_number_in_the_plural_is_mended_to_the_number),
        T(pages_of_another_language_leave_nothing_behind),
        T(passages_are_stemmed_each_in_its_language),
        T(query_language_in_terms_is_plain_text),
        T(bad_questions_are_errors_not_empty_answers),
        T(many_words_may_be_asked),
        T(every_passage_found_comes_with_its_own_page),
        cmocka_unit_test(skipping_words_does_not_change_a_score),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
