/*
 * Pages in PostgreSQL, and indexes of several machines that follow them. How a
 * page is packed needs no server.
 */
#include "index/follow.h"

#include "base/buf.h"
#include "base/date.h"
#include "index/board.h"
#include "index/frontier.h"
#include "index/page.h"
#include "index/page_move.h"
#include "index/retain.h"
#include "index/stored.h"
#include "store/sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "state_db.h"

/* A machine: a data folder and its index. */
struct node {
    char dir[40];
    struct db_file *file;
    struct db *db;
};

enum { NODES = 3 };
static struct node nodes[NODES];
static struct db *a, *b;
static struct arena arena;
static struct errctx ec;

static void node_open(struct node *n)
{
    char path[64];

    strcpy(n->dir, "/tmp/cited-follow-XXXXXX");
    assert_non_null(mkdtemp(n->dir));
    snprintf(path, sizeof path, "%s/index.db", n->dir);
    assert_int_equal(db_file_new(DB_INDEX, path, &n->file), ERR_OK);
    assert_int_equal(db_file_follow(n->file, state_db_address(), &ec), ERR_OK);
    assert_int_equal(db_open(n->file, &n->db, &ec), ERR_OK);
}

static void node_close(struct node *n)
{
    db_close(n->db);
    db_file_free(n->file);
    folder_remove(n->dir);
    *n = (struct node){.db = NULL};
}

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 64 << 20);
    assert_int_equal(state_db_next(), ERR_OK);
    for (int i = 0; i < NODES; i++)
        node_open(&nodes[i]);
    a = nodes[0].db;
    b = nodes[1].db;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int i = 0; i < NODES; i++)
        node_close(&nodes[i]);
    arena_fini(&arena);
    return 0;
}

static void sql(const char *text)
{
    assert_int_equal(state_db_exec(NULL, text), ERR_OK);
}

/* --- pages --------------------------------------------------------------- */

static enum err try_put(struct db *db, const char *url, const char *text,
                        int64_t *id, struct errctx *why)
{
    struct passage_text p[] = {{"Top", text, 0, "p0", "en"},
                               {"Top > More",
                                "A second passage of lighthouses.",
                                strlen(text) + 2, "", "de"}};
    struct page page = {.url = url,
                        .title = "Of lights",
                        .lang = "en",
                        .day = 19000,
                        .fetched_ms = 5,
                        .etag = "\"e\""};
    struct arena mine;
    struct url u;
    enum err e;

    arena_init(&mine, 1 << 20);
    e = url_parse(url, strlen(url), NULL, &mine, &u, why);
    page.host = u.host;
    if (e == ERR_OK)
        e = page_put(db, &page, p, 2, id, why);
    arena_fini(&mine);
    return e;
}

static int64_t put(struct db *db, const char *url, const char *text)
{
    int64_t id = 0;

    if (try_put(db, url, text, &id, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return id;
}

static int64_t drop(struct db *db, const char *what, bool host)
{
    int64_t n = 0;

    if (page_remove(db, what, host, &n, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return n;
}

static void follow(struct db *db)
{
    struct follow_look l = {.known = 1};

    while (l.seq < l.known)
        if (index_follow(db, &l, &ec) != ERR_OK)
            fail_msg("%s", ec.msg);
    assert_int_equal(l.behind_ms, 0);
}

static bool has(struct db *db, const char *url)
{
    struct page p;

    return page_find(db, url, &arena, &p, &ec) == ERR_OK;
}

static size_t ask(struct db *db, const char *word, struct candidate **out)
{
    struct index_term t = {.text = word, .weight = 1.0, .word = word};
    struct index_filter f = {.day_from = DAY_NONE, .day_to = DAY_NONE};
    struct deadline d = deadline_in(5000);
    size_t n = 0;
    enum err e = index_query(db, &t, 1, &f, 100, &d, &arena, out, &n, &ec);

    if (e != ERR_OK && e != ERR_NO_RESULT)
        fail_msg("%s", ec.msg);
    return e == ERR_OK ? n : 0;
}

/* All that is stored, as one text. */
static const char *dump(struct db *db)
{
    struct stmt *q = sql_get(
        db, "SELECT p.id || '|' || p.url || '|' || p.host || '|' || p.rhost ||"
            " '|' || p.title || '|' || p.lang || '|' || p.favicon || '|' ||"
            " p.images || '|' || coalesce(p.day, 'none') || '|' || p.fetched"
            " || '|' || p.etag || '|' || p.last_modified || '|' ||"
            " p.text_bytes || '|' || p.first || '|' || p.passages || '|' ||"
            " coalesce((SELECT group_concat(t.id || t.page || t.start ||"
            " t.heading || t.text || t.parts) FROM passage t WHERE t.page ="
            " p.id), '') FROM page p ORDER BY p.id");
    const char *all;
    struct buf lines;
    bool row = true;

    buf_init(&lines, 16 << 20);
    while (sql_step(q, &row, &ec) == ERR_OK && row)
        buf_addf(&lines, "%s\n", sql_col_text(q, 0, &arena));
    all = arena_strdup(&arena, buf_str(&lines));
    buf_fini(&lines);
    return all;
}

/* To the last bit. */
static void same_answers(struct db *one, struct db *other, const char *word)
{
    struct candidate *x = NULL, *y = NULL;
    size_t n = ask(one, word, &x), m = ask(other, word, &y);

    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(x[i].passage, y[i].passage);
        assert_int_equal(x[i].page, y[i].page);
        assert_memory_equal(&x[i].score, &y[i].score, sizeof x[i].score);
        assert_string_equal(x[i].text, y[i].text);
    }
}

static void same(struct db *one, struct db *other)
{
    static const char *const words[] = {"light", "lighthous", "second", "ford",
                                        "baker", "able",      "char"};

    assert_string_equal(dump(one), dump(other));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        same_answers(one, other, words[i]);
}

/* --- there and everywhere ------------------------------------------------ */

static void what_one_puts_all_find(void **state)
{
    struct candidate *c = NULL;
    int64_t id = put(a, "https://a.example/x", "Ford says little.");

    (void)state;
    assert_true(has(a, "https://a.example/x"));
    assert_false(has(b, "https://a.example/x"));
    follow(b);
    assert_int_equal(ask(b, "ford", &c), 1);
    assert_int_equal(c[0].page, id);
    same(a, b);
    /* Replaced by the other one, under the same id. */
    assert_int_equal(put(b, "https://a.example/x", "Baker says more."), id);
    follow(a);
    assert_int_equal(ask(a, "ford", &c), 0);
    assert_int_equal(ask(a, "baker", &c), 1);
    same(a, b);
    assert_int_equal(page_touch(a, id, 77, &ec), ERR_OK);
    assert_int_equal(page_touch(a, id + 1, 77, &ec), ERR_NOT_FOUND);
    follow(b);
    same(a, b);
    assert_int_equal(drop(a, "https://a.example/x", false), 1);
    follow(b);
    assert_int_equal(ask(b, "baker", &c), 0);
    same(a, b);
}

static void a_domain_goes_everywhere(void **state)
{
    int64_t n;

    (void)state;
    put(a, "https://a.example/1", "Able.");
    put(a, "https://www.a.example/2", "Able too.");
    put(b, "https://b.example/3", "Baker.");
    assert_int_equal(drop(b, "a.example", true), 2);
    assert_int_equal(page_remove(b, "a.example", true, &n, &ec), ERR_NOT_FOUND);
    follow(a);
    follow(b);
    same(a, b);
    assert_true(has(a, "https://b.example/3"));
    assert_int_equal(retain_pages(a, 6, &n, &ec), ERR_OK);
    assert_int_equal(n, 1);
    follow(b);
    assert_false(has(b, "https://b.example/3"));
    same(a, b);
}

static void a_batch_reads_what_it_wrote_and_is_all_or_nothing(void **state)
{
    const char *text = NULL;
    struct page p;
    int64_t id;

    (void)state;
    assert_int_equal(page_batch_begin(a, &ec), ERR_OK);
    id = put(a, "https://a.example/1", "Able.");
    assert_int_equal(page_get(a, id, &arena, &p, &ec), ERR_OK);
    assert_string_equal(p.title, "Of lights");
    assert_int_equal(p.passage_count, 2);
    assert_int_equal(page_text(a, id, &arena, &text, &ec), ERR_OK);
    assert_string_equal(text, "Able.\n\nA second passage of lighthouses.");
    assert_true(has(a, "https://a.example/1"));
    page_batch_abort(a);
    assert_false(has(a, "https://a.example/1"));
    assert_int_equal(page_batch_begin(a, &ec), ERR_OK);
    put(a, "https://a.example/2", "Able.");
    drop(a, "https://a.example/2", false);
    put(a, "https://a.example/2", "Able again.");
    put(a, "https://a.example/3", "Char.");
    assert_int_equal(page_batch_commit(a, &ec), ERR_OK);
    assert_int_equal(page_text(a, p.id, &arena, &text, &ec), ERR_NOT_FOUND);
    follow(b);
    assert_false(has(b, "https://a.example/1"));
    assert_true(has(b, "https://a.example/3"));
    same(a, b);
}

/* --- order --------------------------------------------------------------- */

static void *put_beside(void *arg)
{
    struct errctx why;
    int64_t id;

    return (void *)(intptr_t)try_put(arg, "https://b.example/late", "Baker.",
                                     &id, &why);
}

/* The second has to wait for the first, so that no number is seen before a
 * lower one. */
static void a_transaction_that_commits_late_is_not_missed(void **state)
{
    struct follow_look l;
    pthread_t thread;
    void *e;

    (void)state;
    assert_int_equal(page_batch_begin(a, &ec), ERR_OK);
    put(a, "https://a.example/first", "Able.");
    assert_int_equal(pthread_create(&thread, NULL, put_beside, b), 0);
    clock_sleep_us(200000);
    assert_int_equal(index_follow(nodes[2].db, &l, &ec), ERR_OK);
    assert_int_equal(l.known, 0);
    assert_int_equal(page_batch_commit(a, &ec), ERR_OK);
    pthread_join(thread, &e);
    assert_int_equal((int)(intptr_t)e, ERR_OK);
    follow(nodes[2].db);
    assert_true(has(nodes[2].db, "https://a.example/first"));
    assert_true(has(nodes[2].db, "https://b.example/late"));
    follow(a);
    same(a, nodes[2].db);
}

static uint32_t seed = 7;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* Whatever two do, in batches or not, following or not: all end with the same,
 * and so does one that comes last. */
static void all_orders_end_in_the_same_index(void **state)
{
    static const char *const text[] = {"Able Baker.", "Char light light.",
                                       "Ford.", "Baker and Ford and Able."};

    (void)state;
    for (int i = 0; i < 400; i++) {
        struct db *db = nodes[below(2)].db;
        bool batch = below(4) == 0;
        char url[64];
        int64_t n;

        if (batch)
            assert_int_equal(page_batch_begin(db, &ec), ERR_OK);
        for (uint32_t k = below(batch ? 6 : 1) + 1; k > 0; k--) {
            snprintf(url, sizeof url, "https://h%u.example/%u", below(5),
                     below(12));
            if (below(4) > 0)
                n = put(db, url, text[below(4)]);
            else
                (void)!page_remove(db, url, false, &n, &ec);
            if (below(5) == 0)
                (void)!page_touch(db, n, i, &ec);
        }
        if (batch)
            assert_int_equal(page_batch_commit(db, &ec), ERR_OK);
        if (below(10) == 0)
            follow(nodes[below(2)].db);
    }
    for (int i = 0; i < NODES; i++)
        follow(nodes[i].db);
    same(a, b);
    same(a, nodes[2].db);
    /* Merged on one of them. */
    assert_int_equal(index_optimize(a, &ec), ERR_OK);
    same(a, b);
}

/* --- what cannot go on --------------------------------------------------- */

static void pages_of_its_own_are_not_lost(void **state)
{
    struct follow_look l;

    (void)state;
    put(a, "https://a.example/x", "Able.");
    assert_int_equal(sql_exec(a, "DELETE FROM followed", &ec), ERR_OK);
    assert_int_equal(index_follow(a, &l, &ec), ERR_CONFLICT);
    assert_non_null(strstr(ec.msg, "cited move"));
    assert_true(has(a, "https://a.example/x"));
    assert_int_equal(
        sql_exec(b, "INSERT INTO followed VALUES(1, 'other', 0, 0, 0)", &ec),
        ERR_OK);
    assert_int_equal(index_follow(b, &l, &ec), ERR_CONFLICT);
}

/* As after a failover to a standby that did not have the last change. */
static void another_history_is_seen_and_begun_anew(void **state)
{
    struct follow_look l;
    struct candidate *c = NULL;

    (void)state;
    put(a, "https://a.example/1", "Able.");
    put(a, "https://a.example/2", "Baker.");
    follow(b);
    sql("DELETE FROM page WHERE url = 'https://a.example/2';"
        " DELETE FROM page_turn WHERE seq = 2;"
        " UPDATE page_count SET seq = 1, next_page = 2, next_passage = 3");
    assert_int_equal(index_follow(b, &l, &ec), ERR_GONE);
    put(nodes[2].db, "https://a.example/3", "Char.");
    assert_int_equal(index_follow(b, &l, &ec), ERR_GONE);
    assert_true(has(b, "https://a.example/2"));
    assert_int_equal(index_begin_anew(b, &ec), ERR_OK);
    assert_int_equal(ask(b, "able", &c), 0);
    follow(b);
    assert_false(has(b, "https://a.example/2"));
    assert_int_equal(ask(b, "char", &c), 1);
    same(b, nodes[2].db);
}

static void removals_are_forgotten_but_not_their_effect(void **state)
{
    struct follow_look l;

    (void)state;
    put(a, "https://a.example/1", "Able.");
    put(a, "https://a.example/2", "Baker.");
    follow(b);
    drop(a, "https://a.example/1", false);
    put(a, "https://a.example/3", "Char.");
    sql("UPDATE page_turn SET at = 1");
    assert_int_equal(index_forget_removals(a, clock_now_ms(), &ec), ERR_OK);
    assert_int_equal(index_forget_removals(a, clock_now_ms(), &ec), ERR_OK);
    follow(a);
    assert_int_equal(index_follow(b, &l, &ec), ERR_GONE);
    assert_int_equal(index_begin_anew(b, &ec), ERR_OK);
    follow(b);
    follow(nodes[2].db);
    same(a, b);
    same(a, nodes[2].db);
}

static void
without_the_database_nothing_is_written_and_all_is_found(void **state)
{
    struct db_file *away = NULL, *was = nodes[0].file->source;
    struct candidate *c = NULL;
    struct follow_look l;
    int64_t id;

    (void)state;
    put(a, "https://a.example/1", "Able.");
    db_close(a);
    assert_int_equal(db_remote_new("postgresql://127.0.0.1:1/d", &away, &ec),
                     ERR_OK);
    nodes[0].file->source = away;
    assert_int_equal(db_open(nodes[0].file, &nodes[0].db, &ec), ERR_OK);
    a = nodes[0].db;
    assert_int_equal(try_put(a, "https://a.example/2", "B", &id, &ec), ERR_DB);
    assert_non_null(strstr(ec.msg, "cannot be reached"));
    assert_int_equal(page_remove(a, "https://a.example/1", false, &id, &ec),
                     ERR_DB);
    assert_int_not_equal(page_batch_begin(a, &ec), ERR_OK);
    assert_int_equal(index_follow(a, &l, &ec), ERR_DB);
    assert_int_equal(ask(a, "able", &c), 1);
    db_close(a);
    db_file_free(away);
    nodes[0].file->source = was;
    assert_int_equal(db_open(nodes[0].file, &nodes[0].db, &ec), ERR_OK);
}

/* --- moving -------------------------------------------------------------- */

static bool until_some(void *user, int64_t pages)
{
    int64_t *max = user;

    return pages < *max;
}

/* What a machine alone has is moved in two goes, is then true for all, and
 * comes back the same. */
static void pages_are_moved_there_and_back(void **state)
{
    enum { PAGES = 450 };
    int64_t max = 150, all = INT64_MAX;
    char dir[] = "/tmp/cited-alone-XXXXXX", path[64], other[64];
    struct db_file *file = NULL, *remote = NULL;
    struct db *alone = NULL, *source = NULL;
    struct page_move_count n;

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/index.db", dir);
    snprintf(other, sizeof other, "%s/back.db", dir);
    assert_int_equal(db_file_new(DB_INDEX, path, &file), ERR_OK);
    assert_int_equal(db_open(file, &alone, &ec), ERR_OK);
    for (int i = 0; i < PAGES; i++) {
        char url[64], text[64];

        snprintf(url, sizeof url, "https://h%u.example/%u", below(40),
                 below(90));
        snprintf(text, sizeof text, "Able %u light.", below(1000));
        put(alone, url, text);
        if (below(9) == 0)
            drop(alone, url, false);
    }
    assert_int_equal(state_db_again(NULL, &remote), ERR_OK);
    assert_int_equal(db_open(remote, &source, &ec), ERR_OK);
    assert_int_equal(pages_move_to(alone, source, until_some, &max, &n, &ec),
                     ERR_GONE);
    if (pages_move_to(alone, source, until_some, &all, &n, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    assert_true(n.pages > 300);
    assert_int_equal(n.pages_to, n.pages);
    assert_int_equal(n.passages_to, 2 * n.pages);
    /* Again: all is there. */
    assert_int_equal(pages_move_to(alone, source, until_some, &all, &n, &ec),
                     ERR_OK);
    follow(a);
    same(a, alone);
    /* It follows from where it is. */
    db_close(alone);
    assert_int_equal(db_file_follow(file, state_db_address(), &ec), ERR_OK);
    assert_int_equal(db_open(file, &alone, &ec), ERR_OK);
    put(a, "https://new.example/", "Ford.");
    follow(alone);
    same(a, alone);
    db_close(alone);
    db_file_free(file);
    /* Into a folder that has nothing. */
    assert_int_equal(db_file_new(DB_INDEX, other, &file), ERR_OK);
    assert_int_equal(db_file_follow(file, state_db_address(), &ec), ERR_OK);
    assert_int_equal(db_open(file, &alone, &ec), ERR_OK);
    assert_int_equal(pages_move_back(alone, until_some, &all, &n, &ec), ERR_OK);
    assert_int_equal(n.pages_to, n.pages);
    same(a, alone);
    db_close(alone);
    db_file_free(file);
    assert_int_equal(db_file_new(DB_INDEX, other, &file), ERR_OK);
    assert_int_equal(db_open(file, &alone, &ec), ERR_OK);
    put(alone, "https://own.example/", "Able.");
    assert_int_equal(pages_move_to(alone, source, until_some, &all, &n, &ec),
                     ERR_CONFLICT);
    db_close(alone);
    db_close(source);
    db_file_free(file);
    db_file_free(remote);
    folder_remove(dir);
}

/* --- packing, and the board ---------------------------------------------- */

static void a_page_comes_back_as_it_was_packed(void **state)
{
    const struct stored_passage list[] = {{0, "", "one\ntwo\x01\xff", "p0"},
                                          {7, "Head > Ü", "", ""}};
    struct stored_page p = {.id = 1, .passages = list, .count = 2}, q = p;
    size_t len;
    const char *body;

    (void)state;
    arena_init(&arena, 1 << 20);
    body = stored_pack(&p, &arena, &len);
    assert_int_equal(stored_unpack(body, len, &q, &arena, &ec), ERR_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(q.passages[i].start, list[i].start);
        assert_string_equal(q.passages[i].heading, list[i].heading);
        assert_string_equal(q.passages[i].text, list[i].text);
        assert_string_equal(q.passages[i].parts, list[i].parts);
    }
    for (size_t cut = 0; cut < len; cut++)
        assert_int_equal(stored_unpack(body, cut, &q, &arena, &ec), ERR_DB);
    q.count = 1;
    assert_int_equal(stored_unpack(body, len, &q, &arena, &ec), ERR_DB);
    q.count = 3;
    assert_int_equal(stored_unpack(body, len, &q, &arena, &ec), ERR_DB);
    arena_fini(&arena);
}

static void the_board_tells_all_how_far_it_is(void **state)
{
    char dir[] = "/tmp/cited-board-XXXXXX";
    struct board *mine, *other;
    struct board_look l;
    struct conf c;

    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_int_equal(conf_load(&c, NULL, dir, NULL, &ec), ERR_OK);
    board_look_once(&c, &l);
    assert_false(l.begun);
    mine = board_open(&c);
    other = board_open(&c);
    assert_true(board_take(mine));
    assert_false(board_take(other));
    board_set(mine, 3, 10, 5000);
    board_look(other, &l);
    assert_int_equal(l.changes, 7);
    assert_in_range(l.behind_ms, 5000, 9000);
    board_set(mine, 10, 10, 0);
    board_set_fault(mine, BOARD_AWAY);
    board_look(other, &l);
    assert_int_equal(l.behind_ms, 0);
    assert_int_equal(l.fault, BOARD_AWAY);
    board_close(mine);
    assert_true(board_take(other));
    board_close(other);
    conf_fini(&c);
    folder_remove(dir);
}

static void who_waits_for_pages_is_told_of_a_change(void **state)
{
    int64_t since = clock_mono_ms();
    int64_t long_ms = state_db_is_pooled() ? 20 : 60000;

    (void)state;
    /* At first it may have been missed. */
    assert_int_equal(index_wait(b, deadline_in(long_ms), &ec), ERR_OK);
    put(a, "https://a.example/1", "Alpha.");
    assert_int_equal(index_wait(b, deadline_in(long_ms), &ec), ERR_OK);
    assert_true(clock_mono_ms() - since < 60000);
    follow(b);
    assert_true(has(b, "https://a.example/1"));
    since = clock_mono_ms();
    assert_int_equal(index_wait(b, deadline_in(20), &ec), ERR_OK);
    assert_true(clock_mono_ms() - since >= 20);
}

/* --- crawls -------------------------------------------------------------- */

static void a_crawl_is_continued_on_another_machine(void **state)
{
    struct frontier_item items[] = {{"https://a.example/1", 0, 0, 0},
                                    {"https://a.example/2", 1, 0, 0},
                                    {"https://a.example/1", 2, 0, 0}};
    struct frontier_item *due = NULL;
    int64_t crawl = 0, same_one = 0, added = 0, after = 0;
    bool resumed = true;
    size_t n = 0;

    (void)state;
    assert_int_equal(crawl_begin(a, "one", 1, &crawl, &resumed, &ec), ERR_OK);
    assert_false(resumed);
    assert_int_equal(frontier_add(a, crawl, items, 3, &added, &ec), ERR_OK);
    assert_int_equal(added, 2);
    assert_int_equal(page_batch_begin(a, &ec), ERR_OK);
    assert_int_equal(
        frontier_mark(a, crawl, items[0].url, FRONTIER_DONE, NULL, &ec),
        ERR_OK);
    assert_int_equal(page_batch_commit(a, &ec), ERR_OK);

    assert_int_equal(crawl_begin(b, "one", 1, &same_one, &resumed, &ec),
                     ERR_OK);
    assert_true(resumed);
    assert_int_equal(same_one, crawl);
    assert_int_equal(frontier_due(b, crawl, &after, 10, &arena, &due, &n, &ec),
                     ERR_OK);
    assert_int_equal(n, 1);
    assert_string_equal(due[0].url, "https://a.example/2");
}

static void one_machine_at_a_time_is_at_a_crawl(void **state)
{
    int64_t crawl = 0;
    bool resumed;

    (void)state;
    assert_int_equal(crawl_begin(a, "two", 1, &crawl, &resumed, &ec), ERR_OK);
    assert_int_equal(crawl_hold(a, crawl, &ec), ERR_OK);
    assert_int_equal(crawl_hold(a, crawl, &ec), ERR_OK);
    assert_int_equal(crawl_hold(b, crawl, &ec), ERR_BUSY);
    assert_int_equal(crawl_release(b, crawl, &ec), ERR_OK);
    assert_int_equal(crawl_hold(b, crawl, &ec), ERR_BUSY);
    assert_int_equal(crawl_release(a, crawl, &ec), ERR_OK);
    assert_int_equal(crawl_hold(b, crawl, &ec), ERR_OK);
    /* A machine that was lost. */
    sql("UPDATE crawl SET beat = beat - 15001");
    assert_int_equal(crawl_hold(a, crawl, &ec), ERR_OK);
    assert_int_equal(crawl_hold(b, crawl, &ec), ERR_BUSY);
}

int main(void)
{
    const struct CMUnitTest alone[] = {
        cmocka_unit_test(a_page_comes_back_as_it_was_packed),
        cmocka_unit_test(the_board_tells_all_how_far_it_is),
    };
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(what_one_puts_all_find),
        T(a_domain_goes_everywhere),
        T(a_batch_reads_what_it_wrote_and_is_all_or_nothing),
        T(a_transaction_that_commits_late_is_not_missed),
        T(all_orders_end_in_the_same_index),
        T(pages_of_its_own_are_not_lost),
        T(another_history_is_seen_and_begun_anew),
        T(removals_are_forgotten_but_not_their_effect),
        T(without_the_database_nothing_is_written_and_all_is_found),
        T(pages_are_moved_there_and_back),
        T(who_waits_for_pages_is_told_of_a_change),
        T(a_crawl_is_continued_on_another_machine),
        T(one_machine_at_a_time_is_at_a_crawl),
    };

    return state_db_is_remote() ? cmocka_run_group_tests(tests, NULL, NULL)
                                : cmocka_run_group_tests(alone, NULL, NULL);
}
