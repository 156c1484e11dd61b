/* The index's segments: what the walk finds against plain sums over all
 * passages, through puts, replacements, removals and merges; damage, loss and
 * kills. */
#include "index/follow.h"
#include "index/page.h"

#include "base/clock.h"
#include "base/date.h"
#include "index/shelf.h"
#include "index/walk.h"
#include "store/fts.h"
#include "text/stemmer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "state_db.h"

static char dir[64], path[96], folder[96];
static struct db_file *file;
static struct db *db;
static struct arena arena;
static struct errctx ec;
static struct stemmer *stemmers[LANG_COUNT];
static uint64_t random_state;

static void open_index(void)
{
    assert_int_equal(state_db_index(path, &file), ERR_OK);
    if (db_open(file, &db, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
}

static void close_index(void)
{
    db_close(db);
    db_file_free(file);
    db = NULL;
    file = NULL;
}

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-segments-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/index.db", dir);
    snprintf(folder, sizeof folder, "%s/index", dir);
    arena_init(&arena, 256 << 20);
    random_state = 88172645463325252U;
    open_index();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close_index();
    arena_fini(&arena);
    for (int l = 0; l < LANG_COUNT; l++) {
        stemmer_free(stemmers[l]);
        stemmers[l] = NULL;
    }
    return folder_remove(dir);
}

/* xorshift64, Marsaglia 2003. */
static uint32_t below(uint32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % n;
}

/* --- a made-up world --------------------------------------------------- */

enum { PAGES = 160, PASSAGES = 12, HOSTS = 9, WORDS = 300, STEMS = 256 };

/* A passage as the test knows it: its stems with their codes. */
struct known {
    char stem[STEMS][TERM_MAX + 1];
    uint32_t code[STEMS];
    size_t count;
    uint32_t bytes;
    enum lang lang; /* its page's, or another */
};

static struct world_page {
    char host[32], url[64];
    int32_t day;
    enum lang lang;
    bool there;
    int64_t first;
    size_t count;
    struct known passage[PASSAGES];
} world[PAGES];

static const enum lang languages[] = {LANG_EN, LANG_EN, LANG_EN, LANG_DE,
                                      LANG_FR};

/* Frequent words are short and come first, as in any text. */
static void word(char out[24])
{
    uint32_t n = below(WORDS), limit = below(WORDS) + 1;
    static const char *const ends[] = {"", "s", "ing", "en", "ement", "e"};

    n %= limit;
    snprintf(out, 24, "%c%c%c%s", 'b' + (int)(n % 20), 'a' + (int)(n / 20 % 5),
             'l' + (int)(n / 100), ends[below(6)]);
}

static void write_words(char *out, uint32_t n)
{
    *out = '\0';
    for (uint32_t i = 0; i < n; i++) {
        char w[24];

        word(w);
        strcat(strcat(out, w), " ");
    }
}

static struct stemmer *stemmer(enum lang l)
{
    if (stemmers[l] == NULL)
        assert_int_equal(stemmer_new(l, &stemmers[l]), ERR_OK);
    return stemmers[l];
}

/* Read a field as the index is meant to. */
static void know(struct known *k, const char *z, uint32_t code)
{
    struct term_iter it;
    struct term t;

    terms_init_with(&it, stemmer(k->lang), z, strlen(z));
    while (terms_next(&it, &t)) {
        size_t i = 0;

        while (i < k->count && strcmp(k->stem[i], t.text) != 0)
            i++;
        assert_true(i < STEMS);
        if (i == k->count) {
            memcpy(k->stem[i], t.text, t.len + 1);
            k->code[k->count++] = 0;
        }
        if (code < 4)
            k->code[i] |= code;
        else if (k->code[i] >> 2 < SEG_TIMES)
            k->code[i] += 4;
    }
}

/* Put page i of the world, with new texts. */
static void put_page(int i)
{
    static char texts[PASSAGES][2048], headings[PASSAGES][128], title[128];
    struct world_page *w = &world[i];
    struct passage_text p[PASSAGES];
    struct page page = {.url = w->url, .host = w->host, .title = title};
    char host[32];
    int64_t id;

    snprintf(host, sizeof host, "%s%d.example", i % 3 ? "" : "www.h",
             i % HOSTS);
    memcpy(w->host, host, sizeof host);
    snprintf(w->url, sizeof w->url, "https://%s/%s/%d", host,
             i % 4 ? "some" : "docs", i);
    w->lang = languages[below(5)];
    w->day = below(5) == 0 ? DAY_NONE : 19000 + (int32_t)below(40);
    w->count = 1 + below(PASSAGES);
    write_words(title, below(5));
    for (size_t k = 0; k < w->count; k++) {
        write_words(headings[k], below(4));
        write_words(texts[k], 1 + below(k % 4 == 3 ? 200 : 40));
        w->passage[k] = (struct known){
            .bytes = (uint32_t)strlen(texts[k]),
            .lang = below(4) == 0 ? languages[below(5)] : w->lang};
        p[k] = (struct passage_text){.heading = headings[k],
                                     .text = texts[k],
                                     .parts = "",
                                     .lang = lang_code(w->passage[k].lang)};
        know(&w->passage[k], title, SEG_TITLE);
        know(&w->passage[k], headings[k], SEG_HEADING);
        know(&w->passage[k], texts[k], 4);
    }
    page.lang = lang_code(w->lang);
    page.day = w->day;
    if (page_put(db, &page, p, w->count, &id, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    w->there = true;
}

static void remove_page(int i)
{
    int64_t removed;

    if (!world[i].there)
        return;
    assert_int_equal(page_remove(db, world[i].url, false, &removed, &ec),
                     ERR_OK);
    world[i].there = false;
}

static int64_t number(const char *sql, const char *arg)
{
    struct stmt *q = sql_get(db, sql);
    int64_t v;

    if (arg != NULL)
        sql_text(q, 1, arg);
    if (sql_one(q, &ec) != ERR_OK)
        fail_msg("%s: %s", sql, ec.msg);
    v = sql_col_int(q, 0);
    sql_end(q);
    return v;
}

static void read_firsts(void)
{
    for (int i = 0; i < PAGES; i++)
        if (world[i].there)
            world[i].first =
                number("SELECT first FROM page WHERE url = ?1", world[i].url);
}

static void clear_world(void)
{
    memset(world, 0, sizeof world);
}

/* --- plain sums -------------------------------------------------------- */

struct question {
    char text[12][24];
    struct index_term terms[12];
    size_t count;
    struct index_filter filter;
    struct domain_rule rule[2];
    struct domain_rules rules;
    size_t k;
};

static bool lets_through(const struct question *q, const struct world_page *w)
{
    const struct index_filter *f = &q->filter;
    struct url u;

    assert_int_equal(url_parse(w->url, strlen(w->url), NULL, &arena, &u, &ec),
                     ERR_OK);
    return domains_allow(f->include, f->exclude, &u) &&
           ((f->day_from == DAY_NONE && f->day_to == DAY_NONE) ||
            (w->day != DAY_NONE &&
             (f->day_from == DAY_NONE || w->day >= f->day_from) &&
             (f->day_to == DAY_NONE || w->day <= f->day_to)));
}

static uint32_t code_in(const struct known *k, const char *stem)
{
    for (size_t i = 0; i < k->count; i++)
        if (strcmp(k->stem[i], stem) == 0)
            return k->code[i];
    return 0;
}

/* What a term is called in a language. */
static void stem_in(enum lang l, const struct index_term *t, struct term *out)
{
    struct term_iter it;

    terms_init_with(&it, stemmer(l), t->word, strlen(t->word));
    assert_true(terms_next(&it, out));
}

static bool is_spoken(enum lang l)
{
    for (int i = 0; i < PAGES; i++)
        for (size_t k = 0; world[i].there && k < world[i].count; k++)
            if (world[i].passage[k].lang == l)
                return true;
    return l == LANG_EN;
}

/* Passages that hold one of the term's forms. */
static int64_t count_df(const struct index_term *t)
{
    char forms[3][TERM_MAX + 1];
    size_t n = 0;
    int64_t df = 0;

    for (int l = 0; l < 3; l++) {
        struct term form;
        bool new = is_spoken(languages[l + 2]);

        stem_in(languages[l + 2], t, &form);
        for (size_t i = 0; i < n; i++)
            new = new &&strcmp(forms[i], form.text) != 0;
        if (new)
            memcpy(forms[n++], form.text, sizeof forms[0]);
    }
    for (int i = 0; i < PAGES; i++)
        for (size_t k = 0; world[i].there && k < world[i].count; k++)
            for (size_t j = 0; j < n; j++)
                df += code_in(&world[i].passage[k], forms[j]) > 0;
    return df;
}

static struct hit hits[PAGES * PASSAGES];

static int by_rank(const void *va, const void *vb)
{
    const struct hit *a = va, *b = vb;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->passage < b->passage ? -1 : 1;
}

/* Every passage that the filter lets through, best first. */
static size_t sum_all(const struct question *q, struct walk *scale)
{
    double gain[12], all = 0, bytes = 0, passages = 0;
    size_t n = 0;

    for (int i = 0; i < PAGES; i++)
        for (size_t k = 0; world[i].there && k < world[i].count; k++) {
            bytes += world[i].passage[k].bytes;
            passages++;
        }
    for (size_t i = 0; i < q->count; i++) {
        double df = (double)count_df(&q->terms[i]), rest = passages - df + 0.5;

        gain[i] = df > 0 ? q->terms[i].weight *
                               log(1 + (rest < 0.5 ? 0.5 : rest) / (df + 0.5))
                         : 0;
        all += gain[i];
    }
    for (int i = 0; i < PAGES; i++) {
        const struct world_page *w = &world[i];

        for (size_t k = 0; w->there && k < w->count && lets_through(q, w);
             k++) {
            float norm = seg_norm(w->passage[k].bytes,
                                  (float)(0.5 / (bytes / passages)));
            uint64_t sum = 0, cover = 0;

            for (size_t j = 0; j < q->count; j++) {
                double share = gain[j] / all;
                bool again = false;
                struct term form, other;
                uint32_t code;

                stem_in(w->passage[k].lang, &q->terms[j], &form);
                for (size_t o = 0; o < j; o++) {
                    stem_in(w->passage[k].lang, &q->terms[o], &other);
                    again = again ||
                            (gain[o] > 0 && strcmp(other.text, form.text) == 0);
                }
                code = code_in(&w->passage[k], form.text);
                if (code == 0 || again || share <= 0)
                    continue;
                sum += walk_part((float)(share * WALK_SCORE), code, norm);
                cover += (uint64_t)(share * WALK_COVER + 1);
            }
            if (cover > 0 && (k == 0 || !q->filter.openings))
                hits[n++] =
                    (struct hit){w->first + (int64_t)k, walk_whole(sum, cover)};
        }
    }
    qsort(hits, n, sizeof *hits, by_rank);
    scale->weight = all;
    return n;
}

/* A question of words of the world, some of them, and often a filter. */
static void make_question(struct question *q)
{
    static const char *const domains[] = {"example",        "1.example",
                                          "www.h3.example", "h0.example",
                                          "2.example/docs", "nowhere.test"};
    struct term t;

    *q = (struct question){.k = 1 + below(40)};
    for (uint32_t n = 1 + below(10); q->count < n;) {
        struct term_iter it;
        char *text = q->text[q->count];
        bool there = false;

        word(text);
        terms_init(&it, text, strlen(text));
        assert_true(terms_next(&it, &t));
        for (size_t i = 0; i < q->count; i++)
            there = there || strcmp(q->terms[i].text, t.text) == 0;
        if (there) {
            n--;
            continue;
        }
        q->terms[q->count++] =
            (struct index_term){.text = arena_strdup(&arena, t.text),
                                .weight = 0.5 + below(4) / 2.0,
                                .word = text};
    }
    q->filter = (struct index_filter){
        .day_from = DAY_NONE, .day_to = DAY_NONE, .openings = below(4) == 0};
    if (below(3) == 0)
        q->filter.day_from = 19000 + (int32_t)below(40);
    if (below(3) == 0)
        q->filter.day_to = 19000 + (int32_t)below(40);
    for (size_t i = 0; i < 2; i++) {
        const char *z = domains[below(6)];

        assert_int_equal(domain_rule_parse(z, strlen(z), &arena, &q->rule[i]),
                         ERR_OK);
    }
    q->rules = (struct domain_rules){q->rule, 1 + below(2)};
    if (below(3) == 0)
        q->filter.include = &q->rules;
    else if (below(3) == 0)
        q->filter.exclude = &q->rules;
}

static void ask_and_compare(int questions)
{
    static struct question q;
    static struct walk scale;

    read_firsts();
    for (int i = 0; i < questions; i++) {
        struct candidate *found = NULL;
        size_t n = 0, want;
        enum err e;

        arena_reset(&arena);
        make_question(&q);
        want = sum_all(&q, &scale);
        want = want < q.k ? want : q.k;
        e = index_query(db, q.terms, q.count, &q.filter, q.k, NULL, &arena,
                        &found, &n, &ec);
        assert_int_equal(e, want == 0 ? ERR_NO_RESULT : ERR_OK);
        assert_int_equal(n, want);
        for (size_t k = 0; k < n; k++) {
            if (found[k].passage != hits[k].passage ||
                found[k].score != walk_score(&scale, hits[k].score))
                fail_msg("question %d, %zu terms, hit %zu of %zu: passage %d"
                         " with %.17g, should be %d with %.17g",
                         i, q.count, k, n, (int)found[k].passage,
                         found[k].score, (int)hits[k].passage,
                         walk_score(&scale, hits[k].score));
        }
    }
}

static struct index_stats stats(void)
{
    struct index_stats s;

    arena_reset(&arena);
    if (index_stats(db, &arena, &s, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return s;
}

/* --- what is found ----------------------------------------------------- */

static void the_walk_finds_what_plain_sums_find(void **state)
{
    (void)state;
    clear_world();
    for (int i = 0; i < PAGES; i++) {
        if (i % 40 == 0)
            assert_int_equal(page_batch_begin(db, &ec), ERR_OK);
        put_page(i);
        if (i % 40 == 39)
            assert_int_equal(page_batch_commit(db, &ec), ERR_OK);
    }
    ask_and_compare(200);
    for (int i = 0; i < PAGES; i += 3)
        put_page((int)below(PAGES));
    ask_and_compare(200);
    for (int i = 0; i < PAGES; i += 4)
        remove_page((int)below(PAGES));
    ask_and_compare(300);
    assert_int_equal(index_optimize(db, &ec), ERR_OK);
    assert_int_equal(stats().segments, 1);
    assert_int_equal(stats().removed, 0);
    ask_and_compare(300);
}

/* Long lists, of many blocks and windows. */
static void long_lists_are_walked_exactly(void **state)
{
    (void)state;
    clear_world();
    assert_int_equal(page_batch_begin(db, &ec), ERR_OK);
    /* Pages that the world does not know would change the counts: so many
     * small ones of it that it is put again and again, and removed. */
    for (int round = 0; round < 30; round++)
        for (int i = 0; i < PAGES; i++)
            put_page(i);
    assert_int_equal(page_batch_commit(db, &ec), ERR_OK);
    ask_and_compare(100);
}

/* --- damage and loss --------------------------------------------------- */

/* The name of the only segment, with its folder. */
static void only_segment(char *out, size_t size)
{
    struct stmt *q = sql_get(db, "SELECT name FROM segment");

    assert_int_equal(sql_one(q, &ec), ERR_OK);
    snprintf(out, size, "%s/%s", folder,
             (const char *)sqlite3_column_text(q->h, 0));
    sql_end(q);
}

static char *read_file(const char *name, size_t *n)
{
    FILE *f = fopen(name, "rb");
    char *p = malloc(1 << 22);

    assert_non_null(f);
    assert_non_null(p);
    *n = fread(p, 1, 1 << 22, f);
    fclose(f);
    return p;
}

static void write_file(const char *name, const char *p, size_t n)
{
    FILE *f = fopen(name, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static bool opens_whole(const char *name)
{
    struct segment *s = NULL;
    bool whole = segment_open(name, &s, &ec) == ERR_OK && segment_check(s);

    segment_close(s);
    return whole;
}

static void a_flipped_bit_and_a_missing_end_are_seen(void **state)
{
    char name[160], copy[160];
    size_t n;
    char *p;
    int fd;

    (void)state;
    clear_world();
    for (int i = 0; i < 6; i++)
        put_page(i);
    assert_int_equal(index_optimize(db, &ec), ERR_OK);
    only_segment(name, sizeof name);
    assert_true(opens_whole(name));
    p = read_file(name, &n);
    snprintf(copy, sizeof copy, "%s/copy", dir);
    write_file(copy, p, n);
    fd = open(copy, O_WRONLY);
    for (size_t i = 0; i < n; i++) {
        char flipped = (char)(p[i] ^ 1 << i % 8);

        assert_int_equal(pwrite(fd, &flipped, 1, (off_t)i), 1);
        if (opens_whole(copy))
            fail_msg("byte %zu of %zu changed unseen", i, n);
        assert_int_equal(pwrite(fd, &p[i], 1, (off_t)i), 1);
    }
    assert_true(opens_whole(copy));
    for (size_t i = n; i-- > 0;) {
        assert_int_equal(ftruncate(fd, (off_t)i), 0);
        assert_false(opens_whole(copy));
    }
    close(fd);
    free(p);
}

/* With the index closed meanwhile, do something to the only segment. */
static void harm(void (*how)(const char *name))
{
    char name[160];

    only_segment(name, sizeof name);
    close_index();
    how(name);
    open_index();
}

static void cut_off(const char *name)
{
    size_t n;
    char *p = read_file(name, &n);

    write_file(name, p, n / 2);
    free(p);
}

static void flip_posting(const char *name)
{
    size_t n;
    char *p = read_file(name, &n);

    p[sizeof(struct seg_head) + 40] ^= 4;
    write_file(name, p, n);
    free(p);
}

static void take_away(const char *name)
{
    assert_int_equal(unlink(name), 0);
}

static void take_folder(const char *name)
{
    (void)name;
    assert_int_equal(folder_remove(folder), 0);
}

static void what_is_lost_is_made_again(void **state)
{
    static void (*const harms[])(const char *) = {cut_off, flip_posting,
                                                  take_away, take_folder};

    (void)state;
    clear_world();
    for (int i = 0; i < 50; i++)
        put_page(i);
    for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
        struct candidate *found;
        struct index_term t = {.text = "ball", .weight = 1};
        size_t n;

        assert_int_equal(index_optimize(db, &ec), ERR_OK);
        ask_and_compare(5);
        harm(harms[i]);
        assert_true(index_query(db, &t, 1, NULL, 5, NULL, &arena, &found, &n,
                                &ec) != ERR_DB);
        put_page(60 + (int)i); /* what comes is found, and what goes is gone */
        remove_page((int)i);
        put_page(10 + (int)i);
        if (harms[i] != flip_posting)
            assert_true(stats().missing > 0);
        assert_int_equal(index_optimize(db, &ec), ERR_OK);
        assert_int_equal(stats().missing, 0);
        assert_int_equal(stats().lost, 0);
        ask_and_compare(50);
    }
}

/* --- kills ------------------------------------------------------------- */

/* Put, replace and remove pages of its own until killed; after each call a
 * byte in the pipe says that it was acknowledged. */
static void work_until_killed(int out, unsigned seed)
{
    open_index();
    random_state = seed * 2654435761U + 1;
    for (int i = 0;; i++) {
        struct passage_text p = {.heading = "",
                                 .text = "a page that is put and killed",
                                 .parts = ""};
        char url[64];
        struct page page = {
            .url = url, .host = "k.example", .title = "T", .day = DAY_NONE};
        int64_t id;
        unsigned char n = (unsigned char)below(100), what = below(4) == 0;

        snprintf(url, sizeof url, "https://k.example/%d", n);
        if (what == 1) {
            enum err e = page_remove(db, url, false, &id, &ec);

            if (e != ERR_OK && e != ERR_NOT_FOUND)
                _exit(3);
        } else if (page_put(db, &page, &p, 1, &id, &ec) != ERR_OK) {
            _exit(4);
        }
        if (i % 50 == 49 && index_upkeep(db, NULL, &ec) != ERR_OK)
            _exit(5);
        n = (unsigned char)(n << 1 | what);
        if (write(out, &n, 1) != 1)
            _exit(0);
    }
}

/* Nothing that was acknowledged is lost, nothing removed is found, and what
 * is counted is what is there. */
static void check_after_kill(const bool there[100], int unsure)
{
    struct index_term t = {.text = "kill", .weight = 1, .word = "killed"};
    struct candidate *found = NULL;
    size_t n = 0;
    int64_t df, passages, pages = number("SELECT count(*) FROM page", NULL);
    struct index_stats s = stats();

    assert_int_equal(s.missing, 0);
    assert_int_equal(s.lost, 0);
    assert_int_equal(s.pages, pages);
    assert_int_equal(index_df(db, &t, 1, &df, &passages, &ec), ERR_OK);
    assert_int_equal(df, pages);
    if (index_query(db, &t, 1, NULL, 200, NULL, &arena, &found, &n, &ec) !=
        ERR_OK)
        n = 0;
    assert_int_equal(n, pages);
    for (int i = 0; i < 100; i++) {
        char url[64];
        bool has = false;

        snprintf(url, sizeof url, "https://k.example/%d", i);
        for (size_t k = 0; k < n; k++)
            has = has || strcmp(found[k].url, url) == 0;
        if (i != unsure)
            assert_int_equal(has, there[i]);
    }
}

/* What was killed may have been committed there, or be about to be: a change
 * waits for that. */
static void follow_to_the_end(void)
{
    struct follow_look l = {.known = 1};

    assert_int_equal(page_touch(db, INT64_MAX, 1, &ec), ERR_NOT_FOUND);
    while (l.seq < l.known)
        assert_int_equal(index_follow(db, &l, &ec), ERR_OK);
}

static void kills_lose_nothing(void **state)
{
    const char *many = getenv("CITED_KILLS");
    int kills = many == NULL ? 25 : atoi(many);
    static bool there[100];
    static unsigned char said[1 << 20];

    (void)state;
    memset(there, 0, sizeof there);
    for (int i = 0; i < kills; i++) {
        int pipes[2];
        ssize_t n, got = 0;
        pid_t child;

        close_index();
        assert_int_equal(pipe(pipes), 0);
        child = fork();
        if (child == 0) {
            close(pipes[0]);
            work_until_killed(pipes[1], (unsigned)i);
            _exit(1);
        }
        close(pipes[1]);
        usleep(5000 + below(60000));
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        while ((n = read(pipes[0], said + got, sizeof said - (size_t)got)) > 0)
            got += n;
        close(pipes[0]);
        for (ssize_t k = 0; k < got; k++)
            there[said[k] >> 1] = !(said[k] & 1);
        open_index();
        if (db_is_followed(db))
            follow_to_the_end();
        /* What it was at is done or not: as the pages say. */
        for (int k = 0; k < 100; k++) {
            char url[64];

            snprintf(url, sizeof url, "https://k.example/%d", k);
            n = number("SELECT count(*) FROM page WHERE url = ?1", url);
            if ((n != 0) != there[k]) {
                check_after_kill(there, k);
                there[k] = n != 0;
            }
        }
        check_after_kill(there, -1);
        if (i % 10 == 9)
            assert_int_equal(index_upkeep(db, NULL, &ec), ERR_OK);
    }
    assert_int_equal(index_optimize(db, &ec), ERR_OK);
    check_after_kill(there, -1);
}

/* Files that nobody names go; the named one stays. */
static void orphans_are_swept(void **state)
{
    char name[160];
    size_t files = 0;
    struct dirent *e;
    DIR *d;

    (void)state;
    clear_world();
    put_page(1);
    snprintf(name, sizeof name, "%s/0123456789abcdef.seg", folder);
    write_file(name, "half", 4);
    assert_int_equal(index_upkeep(db, NULL, &ec), ERR_OK);
    assert_non_null(d = opendir(folder));
    while ((e = readdir(d)) != NULL)
        files += strstr(e->d_name, ".seg") != NULL;
    closedir(d);
    assert_int_equal(files, 1);
    ask_and_compare(5);
}

/* --- an earlier version ------------------------------------------------ */

/* An index of version 2, as the one before left it, with its full text. */
static void an_index_of_version_2_is_brought_forward(void **state)
{
    static const char rows[] =
        "INSERT INTO page VALUES(5, 'https://x.org/', 'x.org', 'org.x.',"
        " 'Old title', 'en', '', '', 19000, 1, '', '', 26, 9, 2);"
        "INSERT INTO passage VALUES(9, 5, 0, '', 'whales are large', 'p0');"
        "INSERT INTO passage VALUES(10, 5, 18, 'Head', 'and swim', 'p0');"
        "UPDATE counter SET pages = 1, passages = 2, text_bytes = 26,"
        " next_passage = 11;"
        "INSERT INTO term VALUES('whale', 1);"
        "PRAGMA application_id=0x43697449; PRAGMA user_version=2;";
    struct index_term t = {.text = "whale", .weight = 1, .word = "whales"};
    struct candidate *found;
    sqlite3 *old = NULL;
    size_t n = 0;

    (void)state;
    close_index();
    assert_int_equal(unlink(path), 0);
    assert_int_equal(sqlite3_open(path, &old), SQLITE_OK);
    fts_register(old);
    assert_int_equal(sqlite3_exec(old, index_sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(old, index_2_sql, NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(old, rows, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(old);
    open_index();
    assert_int_equal(stats().missing, 2);
    assert_int_equal(
        index_query(db, &t, 1, NULL, 5, NULL, &arena, &found, &n, &ec),
        ERR_NO_RESULT);
    /* For an earlier version that still answers the old tables stay … */
    assert_int_equal(index_optimize(db, &ec), ERR_OK);
    assert_int_equal(number("SELECT count(*) FROM term", NULL), 1);
    assert_int_equal(number("PRAGMA user_version", NULL), 2);
    close_index(); /* and is opened again as it is */
    open_index();
    assert_int_equal(stats().missing, 0);
    assert_int_equal(
        index_query(db, &t, 1, NULL, 5, NULL, &arena, &found, &n, &ec), ERR_OK);
    assert_int_equal(n, 1);
    assert_int_equal(found[0].passage, 9);
    /* … and what it does meanwhile is seen. */
    assert_int_equal(
        sql_exec(db,
                 "DELETE FROM passage; DELETE FROM page; UPDATE counter"
                 " SET pages = 0, passages = 0, text_bytes = 0",
                 &ec),
        ERR_OK);
    assert_int_equal(index_upkeep(db, NULL, &ec), ERR_OK);
    assert_int_equal(stats().terms, 0);
    assert_int_equal(number("SELECT count(*) FROM sqlite_schema WHERE name"
                            " LIKE 'passage_fts%' OR name = 'term'",
                            NULL),
                     0);
    assert_int_equal(number("PRAGMA user_version", NULL), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(the_walk_finds_what_plain_sums_find),
        T(long_lists_are_walked_exactly),
        T(a_flipped_bit_and_a_missing_end_are_seen),
        T(what_is_lost_is_made_again),
        T(kills_lose_nothing),
        T(orphans_are_swept),
        T(an_index_of_version_2_is_brought_forward),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
