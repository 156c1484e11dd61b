/*
 * What bench-index needs of an index of real documents; linked with the
 * project's library so that our side is asked as the service asks it.
 *
 *   passages pages DATA COUNT       its pages as JSON lines, COUNT passages
 *   passages queries DATA N COUNT   COUNT questions, N words of a passage each
 *   passages ask DATA PLAIN [FILTER] < QUERIES
 *   passages exact DATA < QUERIES
 *   passages put DATA COUNT
 *   passages size DATA
 *
 * pages begins again when the real text does not suffice, each time with a
 * third of the longer words changed, and says on standard error how often. Each
 * second page is told to be of half.example, each hundredth of some.example and
 * each ten thousandth of few.example; days are spread over ten years from 2010.
 * ask prints for each question the milliseconds of processor time of
 * index_query (the best ten), of the whole list of results, and of FTS5's
 * bm25() in PLAIN (made by fts_floor, the best ten), measured one after the
 * other; with "-" for PLAIN index_query alone. FILTER restricts index_query: a
 * domain, or two days FROM..TO. exact fails when the best ten are not the first
 * ten of the best thousand. put puts COUNT pages in, one after the other, and
 * prints the milliseconds until another connection finds each. size prints the
 * bytes of the segments, of everything else, and of the text.
 */
#include "base/conf.h"
#include "base/date.h"
#include "base/log.h"
#include "search/search.h"
#include "text/terms.h"
#include "json/json.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WORDS_MAX = 32,
    PICKED_MAX = 512,
    TEXT_MAX = 64 << 20,
    LINE_BYTES = 4096,
    WANTED = 10
};

extern char **environ;

static int die(const char *what, const char *why)
{
    fprintf(stderr, "passages: %s: %s\n", what, why);
    return 1;
}

static sqlite3 *open_index(const char *data)
{
    char path[4096];
    sqlite3 *db = NULL;

    snprintf(path, sizeof path, "%s/index.db", data);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        exit(die(path, sqlite3_errmsg(db)));
    return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *st = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        exit(die(sql, sqlite3_errmsg(db)));
    return st;
}

static const char *text_of(sqlite3_stmt *st, int column)
{
    const unsigned char *z = sqlite3_column_text(st, column);

    return z == NULL ? "" : (const char *)z;
}

/* --- pages ------------------------------------------------------------- */

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* FNV-1a of a word and the number of the copy. */
static unsigned hash(const char *p, size_t n, int copy)
{
    unsigned h = 2166136261u ^ (unsigned)copy * 2654435761u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 16777619u;
    return h ^ h >> 15;
}

/* The text of a copy: every third of the words longer than three letters gets
 * two letters of its own in this copy. */
static void add_varied(struct buf *out, const char *z, int copy)
{
    while (*z != '\0') {
        size_t n = 0;

        while (is_letter(z[n]))
            n++;
        if (n > 3 && copy > 0 && hash(z, n, copy) % 3 == 0) {
            unsigned h = hash(z, n, copy) >> 8;
            char tail[3] = {(char)('a' + h % 26), (char)('a' + h / 26 % 26),
                            '\0'};

            buf_add(out, z, n);
            buf_adds(out, tail);
        } else {
            n += n == 0;
            buf_add(out, z, n);
        }
        z += n;
    }
}

struct copying {
    struct buf url, body, line;
    sqlite3_stmt *page, *part;
    long number; /* of the page */
};

/* Behind the scheme, the host first, so that addresses stay apart. */
static void add_url(struct copying *c, const char *url, int copy)
{
    const char *host = strstr(url, "://") + 3;

    buf_adds(&c->url, "http://");
    if (c->number % 10000 == 7)
        buf_adds(&c->url, "few.example/");
    else if (c->number % 100 == 3)
        buf_adds(&c->url, "some.example/");
    else if (c->number % 2 == 0)
        buf_adds(&c->url, "half.example/");
    buf_adds(&c->url, host);
    if (copy > 0)
        buf_addf(&c->url, "?copy=%d", copy);
}

/* The page that stands in c->page, at most left passages of it. */
static long print_page(struct copying *c, int copy, long left)
{
    struct json_out w;
    char day[DATE_LEN + 1];
    unsigned h = hash((const char *)&c->number, sizeof c->number, 0);
    long made = 0;

    buf_reset(&c->url);
    buf_reset(&c->body);
    buf_reset(&c->line);
    add_url(c, text_of(c->page, 0), copy);
    c->number++;
    date_format((int32_t)(14610 + h % 3650), day);
    sqlite3_bind_int64(c->part, 1, sqlite3_column_int64(c->page, 2));
    sqlite3_bind_int64(c->part, 2, sqlite3_column_int64(c->page, 3));
    for (; made < left && sqlite3_step(c->part) == SQLITE_ROW; made++) {
        add_varied(&c->body, text_of(c->part, 0), copy);
        buf_adds(&c->body, "\n\n");
    }
    sqlite3_reset(c->part);
    jw_init(&w, &c->line);
    jw_object(&w);
    jw_kstring(&w, "url", buf_str(&c->url));
    jw_kstring(&w, "title", text_of(c->page, 1));
    jw_kstring(&w, "date", day);
    jw_kstring(&w, "text", buf_str(&c->body));
    jw_object_end(&w);
    if (buf_err(&c->body) != ERR_OK || buf_err(&c->line) != ERR_OK ||
        puts(buf_str(&c->line)) == EOF)
        exit(die("pages", "cannot write"));
    return made;
}

static int pages(const char *data, long count)
{
    sqlite3 *db = open_index(data);
    struct copying c;
    long made = 0;
    int copy = 0;

    c.page = prepare(db, "SELECT url, title, first, passages FROM page"
                         " WHERE passages > 0 ORDER BY id");
    c.part = prepare(db, "SELECT text FROM passage"
                         " WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id");
    c.number = 0;
    buf_init(&c.url, LINE_BYTES);
    buf_init(&c.body, TEXT_MAX);
    buf_init(&c.line, TEXT_MAX);
    for (long before = -1; made < count && made != before; copy++) {
        before = made;
        while (made < count && sqlite3_step(c.page) == SQLITE_ROW)
            made += print_page(&c, copy, count - made);
        sqlite3_reset(c.page);
    }
    fprintf(stderr, "%ld %d\n", made, copy);
    buf_fini(&c.url);
    buf_fini(&c.body);
    buf_fini(&c.line);
    sqlite3_finalize(c.page);
    sqlite3_finalize(c.part);
    sqlite3_close(db);
    return 0;
}

/* --- queries ----------------------------------------------------------- */

/* xorshift64, Marsaglia 2003. */
static unsigned long next(unsigned long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int has_word(char w[][TERM_MAX + 1], int n, const char *z)
{
    for (int i = 0; i < n; i++)
        if (strcmp(w[i], z) == 0)
            return 1;
    return 0;
}

/* The different words of a text that a person would ask with: no stop words,
 * nothing below three letters, nothing that begins with a digit. */
static int words_of(const char *z, char w[][TERM_MAX + 1])
{
    struct term_iter it;
    struct term t;
    int n = 0;

    terms_init(&it, z, strlen(z));
    while (n < PICKED_MAX && tokens_next(&it, &t))
        if (t.len >= 3 && is_letter(t.text[0]) &&
            !term_is_stop(t.text, t.len) && !has_word(w, n, t.text))
            memcpy(w[n++], t.text, t.len + 1);
    return n;
}

static int queries(const char *data, int n, int count)
{
    static char w[PICKED_MAX][TERM_MAX + 1];
    sqlite3 *db = open_index(data);
    sqlite3_stmt *last = prepare(db, "SELECT max(id) FROM passage");
    sqlite3_stmt *one =
        prepare(db, "SELECT text FROM passage WHERE id >= ?1 LIMIT 1");
    unsigned long state = 88172645463325252u, max;

    sqlite3_step(last);
    max = (unsigned long)sqlite3_column_int64(last, 0) + 1;
    for (int made = 0, tries = 0; made < count && tries < 100 * count;
         tries++) {
        int have = 0;

        sqlite3_bind_int64(one, 1, (sqlite3_int64)(next(&state) % max));
        if (sqlite3_step(one) == SQLITE_ROW)
            have = words_of(text_of(one, 0), w);
        sqlite3_reset(one);
        if (have < n)
            continue;
        for (int i = 0; i < n; i++) {
            int pick = i + (int)(next(&state) % (unsigned long)(have - i));

            printf("%s%s", i > 0 ? " " : "", w[pick]);
            memcpy(w[pick], w[i], sizeof w[i]);
        }
        putchar('\n');
        made++;
    }
    sqlite3_finalize(last);
    sqlite3_finalize(one);
    sqlite3_close(db);
    return 0;
}

/* --- ask --------------------------------------------------------------- */

struct asking {
    struct conf conf;
    struct store_files files;
    struct store store;
    struct arena arena, kept;
    struct domain_rule rule;
    struct domain_rules rules;
    struct index_filter filter;
    sqlite3 *plain;
    sqlite3_stmt *bm25;
};

static double now_ms(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The best k; *count of them. */
static struct candidate *query(struct asking *x, struct db *index,
                               const char *q, size_t k, size_t *count)
{
    struct errctx ec = {ERR_OK, ""};
    struct index_term terms[WORDS_MAX];
    struct candidate *found = NULL;
    struct term_iter it;
    struct deadline d = deadline_in(60000);
    struct term t;
    size_t n = 0;
    enum err e;

    *count = 0;
    terms_init(&it, q, strlen(q));
    while (n < WORDS_MAX && terms_next(&it, &t)) {
        terms[n++] = (struct index_term){
            .text = arena_strdup(&x->arena, t.text), .weight = 1};
    }
    e = index_query(index, terms, n, &x->filter, k, &d, &x->arena, &found,
                    count, &ec);
    if (e != ERR_OK && e != ERR_NO_RESULT)
        exit(die("index_query", ec.msg));
    return found;
}

static double ask_index(struct asking *x, const char *q)
{
    double start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    size_t count;

    arena_reset(&x->arena);
    query(x, x->store.index, q, WANTED, &count);
    return now_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static double ask_list(struct asking *x, const char *q)
{
    struct search_env env = {.conf = &x->conf, .index = x->store.index};
    struct search_params p = {.q = q,
                              .depth = DEPTH_FAST,
                              .output = OUTPUT_RESULTS,
                              .from_day = DAY_NONE,
                              .to_day = DAY_NONE,
                              .max_results = WANTED};
    struct search_result res = {0};
    struct errctx ec = {ERR_OK, ""};
    double start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    enum err e;

    arena_reset(&x->arena);
    e = search_run(&env, &p, deadline_in(60000), "bench", &x->arena, &res, &ec);
    if (e != ERR_OK && e != ERR_NO_RESULT)
        exit(die("search_run", ec.msg));
    return now_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static double ask_plain(struct asking *x, const char *q)
{
    char match[LINE_BYTES] = "", line[LINE_BYTES];
    double start = now_ms(CLOCK_PROCESS_CPUTIME_ID);

    snprintf(line, sizeof line, "%s", q);
    for (char *save, *w = strtok_r(line, " ", &save); w != NULL;
         w = strtok_r(NULL, " ", &save)) {
        size_t n = strlen(match);

        snprintf(match + n, sizeof match - n, "%s\"%s\"", n > 0 ? " OR " : "",
                 w);
    }
    sqlite3_bind_text(x->bm25, 1, match, -1, SQLITE_STATIC);
    while (sqlite3_step(x->bm25) == SQLITE_ROW)
        ;
    if (sqlite3_reset(x->bm25) != SQLITE_OK)
        exit(die("bm25", sqlite3_errmsg(x->plain)));
    return now_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static void parse_filter(struct asking *x, const char *z)
{
    x->filter = (struct index_filter){.day_from = DAY_NONE, .day_to = DAY_NONE};
    if (z == NULL)
        return;
    if (strlen(z) == 22 && date_parse_iso(z, 10, &x->filter.day_from) &&
        date_parse_iso(z + 12, 10, &x->filter.day_to))
        return;
    if (domain_rule_parse(z, strlen(z), &x->kept, &x->rule) != ERR_OK)
        exit(die(z, "no filter"));
    x->rules = (struct domain_rules){&x->rule, 1};
    x->filter.include = &x->rules;
}

static void open_all(struct asking *x, const char *data, const char *plain,
                     const char *filter)
{
    struct errctx ec = {ERR_OK, ""};

    memset(x, 0, sizeof *x);
    log_set_level(LOG_ERROR);
    if (conf_load(&x->conf, NULL, data, environ, &ec) != ERR_OK ||
        store_files_open(&x->conf, &x->files, &ec) != ERR_OK ||
        store_open(&x->files, &x->store, &ec) != ERR_OK)
        exit(die(data, ec.msg));
    arena_init(&x->arena, TEXT_MAX);
    arena_init(&x->kept, TEXT_MAX);
    parse_filter(x, filter);
    if (strcmp(plain, "-") == 0)
        return;
    if (sqlite3_open_v2(plain, &x->plain, SQLITE_OPEN_READONLY, NULL) !=
        SQLITE_OK)
        exit(die(plain, sqlite3_errmsg(x->plain)));
    x->bm25 = prepare(x->plain, "SELECT rowid, bm25(f) AS r FROM f"
                                " WHERE f MATCH ?1 ORDER BY r LIMIT 10");
}

static void close_all(struct asking *x)
{
    sqlite3_finalize(x->bm25);
    sqlite3_close(x->plain);
    arena_fini(&x->arena);
    arena_fini(&x->kept);
    store_close(&x->store);
    store_files_close(&x->files);
    conf_fini(&x->conf);
}

static int ask(const char *data, const char *plain, const char *filter)
{
    static struct asking x;
    char line[LINE_BYTES];

    open_all(&x, data, plain, filter);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        printf("%.4f", ask_index(&x, line));
        if (x.bm25 != NULL)
            printf(" %.4f %.4f", ask_list(&x, line), ask_plain(&x, line));
        putchar('\n');
        fflush(stdout);
    }
    close_all(&x);
    return 0;
}

/* What is skipped for ten and what for a thousand differ. */
static int exact(const char *data)
{
    static struct asking x;
    char line[LINE_BYTES];
    long asked = 0, wrong = 0;

    open_all(&x, data, "-", NULL);
    for (; fgets(line, sizeof line, stdin) != NULL; asked++) {
        struct candidate *few, *many;
        size_t n, m, same = 0;

        line[strcspn(line, "\n")] = '\0';
        arena_reset(&x.arena);
        few = query(&x, x.store.index, line, WANTED, &n);
        many = query(&x, x.store.index, line, 100 * WANTED, &m);
        while (same < n && same < m &&
               few[same].passage == many[same].passage &&
               few[same].score == many[same].score)
            same++;
        wrong += same < n || (n < m && n < WANTED);
    }
    close_all(&x);
    printf("%ld %ld\n", asked, wrong);
    return wrong > 0;
}

/* --- put --------------------------------------------------------------- */

static int put(const char *data, int count)
{
    static struct asking x;
    struct errctx ec = {ERR_OK, ""};
    struct db *other;

    open_all(&x, data, "-", NULL);
    if (db_open(x.files.index, &other, &ec) != ERR_OK)
        return die("put", ec.msg);
    for (int i = 0; i < count; i++) {
        char url[64], text[128];
        struct passage_text part = {"", text, 0, "", ""};
        struct page page = {.url = url,
                            .host = "put.example",
                            .title = "Put",
                            .day = DAY_NONE};
        double start = now_ms(CLOCK_MONOTONIC);
        struct candidate *found;
        int64_t id;
        size_t n;

        snprintf(url, sizeof url, "http://put.example/%d", i);
        snprintf(text, sizeof text, "A page put in beside many, zq%dx", i);
        if (page_put(x.store.index, &page, &part, 1, &id, &ec) != ERR_OK)
            return die("put", ec.msg);
        snprintf(text, sizeof text, "zq%dx", i);
        arena_reset(&x.arena);
        found = query(&x, other, text, 1, &n);
        if (n != 1 || strcmp(found[0].url, url) != 0)
            return die(url, "put, and not found");
        printf("%.4f\n", now_ms(CLOCK_MONOTONIC) - start);
    }
    db_close(other);
    close_all(&x);
    return 0;
}

/* --- size -------------------------------------------------------------- */

static int size(const char *data)
{
    static struct asking x;
    struct index_stats s = {0};
    struct errctx ec = {ERR_OK, ""};

    open_all(&x, data, "-", NULL);
    if (index_stats(x.store.index, &x.arena, &s, &ec) != ERR_OK)
        return die("size", ec.msg);
    printf("%lld %lld %lld %lld\n", (long long)s.segment_bytes,
           (long long)(s.file_bytes - s.segment_bytes), (long long)s.text_bytes,
           (long long)s.passages);
    close_all(&x);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "pages") == 0)
        return pages(argv[2], strtol(argv[3], NULL, 10));
    if (argc == 5 && strcmp(argv[1], "queries") == 0)
        return queries(argv[2], (int)strtol(argv[3], NULL, 10),
                       (int)strtol(argv[4], NULL, 10));
    if ((argc == 4 || argc == 5) && strcmp(argv[1], "ask") == 0)
        return ask(argv[2], argv[3], argv[4]);
    if (argc == 3 && strcmp(argv[1], "exact") == 0)
        return exact(argv[2]);
    if (argc == 4 && strcmp(argv[1], "put") == 0)
        return put(argv[2], (int)strtol(argv[3], NULL, 10));
    if (argc == 3 && strcmp(argv[1], "size") == 0)
        return size(argv[2]);
    fputs("usage: passages pages DATA COUNT | queries DATA N COUNT |"
          " ask DATA PLAIN [FILTER] | exact DATA | put DATA COUNT | size DATA\n",
          stderr);
    return 2;
}
