/*
 * Floors for the index: the same passages in a plain FTS5 table, asked
 * (a) with the built-in bm25() and (b) with an own ranking function that uses
 * term frequency and rarity but no document length.
 *
 *   fts_floor build INDEX.DB OUT.DB     copy the passages into a plain table
 *   fts_floor ask OUT.DB bm25|own < QUERIES
 *
 * ask prints one line per query: milliseconds and hits. The best ten.
 */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int die(sqlite3 *db, const char *what)
{
    fprintf(stderr, "fts_floor: %s: %s\n", what, sqlite3_errmsg(db));
    return 1;
}

/* Sum over the phrases of tf/(tf + 1.2) times the rarity given as argument. */
static void own_rank(const Fts5ExtensionApi *api, Fts5Context *f,
                     sqlite3_context *ctx, int n, sqlite3_value **v)
{
    double sum = 0;

    for (int i = 0; i < api->xPhraseCount(f) && i < n; i++) {
        Fts5PhraseIter it;
        int col, off, tf = 0;

        api->xPhraseFirst(f, i, &it, &col, &off);
        for (; col >= 0; api->xPhraseNext(f, &it, &col, &off))
            tf++;
        if (tf > 0)
            sum += sqlite3_value_double(v[i]) * tf / (tf + 1.2);
    }
    sqlite3_result_double(ctx, sum);
}

static int add_function(sqlite3 *db)
{
    fts5_api *api = NULL;
    sqlite3_stmt *st;

    sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &st, NULL);
    sqlite3_bind_pointer(st, 1, &api, "fts5_api_ptr", NULL);
    sqlite3_step(st);
    sqlite3_finalize(st);
    return api == NULL ? 1
                       : api->xCreateFunction(api, "own", NULL, own_rank, NULL);
}

static int build(const char *from, const char *to)
{
    sqlite3 *db;
    char *sql;
    int rc;

    if (sqlite3_open(to, &db) != SQLITE_OK)
        return die(db, to);
    sql = sqlite3_mprintf(
        "ATTACH %Q AS src;"
        "PRAGMA journal_mode=WAL;"
        "CREATE VIRTUAL TABLE f USING fts5(title, text, content='',"
        " tokenize='unicode61');"
        "INSERT INTO f(rowid, title, text)"
        " SELECT p.id, g.title, p.text FROM src.passage p"
        " JOIN src.page g ON g.id = p.page;"
        "INSERT INTO f(f) VALUES('optimize');"
        "CREATE VIRTUAL TABLE v USING fts5vocab(f, row);"
        "CREATE TABLE df(term TEXT PRIMARY KEY, n INT) WITHOUT ROWID;"
        "INSERT INTO df SELECT term, doc FROM v;"
        "CREATE TABLE total(n); INSERT INTO total SELECT count(*)"
        " FROM src.passage;",
        from);
    rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
    return rc == SQLITE_OK ? 0 : die(db, "build");
}

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Compose the match expression and the rarity arguments of one query. */
static void compose(sqlite3 *db, char *line, int own, double total, char *sql,
                    size_t size)
{
    char match[2048] = "", args[2048] = "";
    sqlite3_stmt *st;

    sqlite3_prepare_v2(db, "SELECT n FROM df WHERE term = ?1", -1, &st, NULL);
    for (char *save, *w = strtok_r(line, " \n", &save); w != NULL;
         w = strtok_r(NULL, " \n", &save)) {
        double n = 0;
        size_t m = strlen(match), k = strlen(args);

        sqlite3_bind_text(st, 1, w, -1, SQLITE_STATIC);
        if (sqlite3_step(st) == SQLITE_ROW)
            n = sqlite3_column_double(st, 0);
        sqlite3_reset(st);
        snprintf(match + m, sizeof match - m, "%s\"%s\"", m ? " OR " : "", w);
        snprintf(args + k, sizeof args - k, ",%.4f",
                 log((total - n + 0.5) / (n + 0.5) + 1));
    }
    sqlite3_finalize(st);
    snprintf(sql, size,
             "SELECT rowid, %s(f%s) AS r FROM f WHERE f MATCH '%s'"
             " ORDER BY r %s LIMIT 10",
             own ? "own" : "bm25", own ? args : "", match, own ? "DESC" : "");
}

static int ask(const char *path, int own)
{
    sqlite3 *db;
    sqlite3_stmt *st;
    char line[1024], sql[8192];
    double total = 0;

    if (sqlite3_open(path, &db) != SQLITE_OK || add_function(db) != 0)
        return die(db, path);
    sqlite3_prepare_v2(db, "SELECT n FROM total", -1, &st, NULL);
    if (sqlite3_step(st) == SQLITE_ROW)
        total = sqlite3_column_double(st, 0);
    sqlite3_finalize(st);
    while (fgets(line, sizeof line, stdin) != NULL) {
        double start = now_ms();
        int rows = 0;

        compose(db, line, own, total, sql, sizeof sql);
        if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
            return die(db, sql);
        while (sqlite3_step(st) == SQLITE_ROW)
            rows++;
        sqlite3_finalize(st);
        printf("%.4f %d\n", now_ms() - start, rows);
    }
    sqlite3_close(db);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "build") == 0)
        return build(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "ask") == 0)
        return ask(argv[2], strcmp(argv[3], "own") == 0);
    fputs("usage: fts_floor build INDEX.DB OUT.DB | ask OUT.DB bm25|own\n",
          stderr);
    return 2;
}
