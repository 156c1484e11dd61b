/*
 * The baseline of bench-quality: documents in a plain FTS5 table (porter
 * unicode61), ranked by its own bm25() with equal column weights.
 *
 *   plain_fts DOCS.tsv K < QUERIES.tsv
 *
 * DOCS has id, title and text, QUERIES id and MATCH expression, separated by
 * tabs. Prints for each query its id and the ids of the best K documents.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int die(sqlite3 *db, const char *what)
{
    fprintf(stderr, "plain_fts: %s: %s\n", what, sqlite3_errmsg(db));
    return 1;
}

/* The line's fields in place; returns how many. */
static int fields(char *line, char **f, int max)
{
    int n = 0;

    line[strcspn(line, "\n")] = '\0';
    for (char *p = line; p != NULL && n < max; n++) {
        f[n] = p;
        p = strchr(p, '\t');
        if (p != NULL)
            *p++ = '\0';
    }
    return n;
}

static int load(sqlite3 *db, const char *file)
{
    FILE *in = fopen(file, "r");
    sqlite3_stmt *st = NULL;
    char *line = NULL, *f[3];
    size_t cap = 0;

    if (in == NULL ||
        sqlite3_exec(db,
                     "CREATE VIRTUAL TABLE d USING fts5(id UNINDEXED, title, "
                     "text, tokenize='porter unicode61')",
                     NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "INSERT INTO d VALUES (?, ?, ?)", -1, &st,
                           NULL) != SQLITE_OK)
        return die(db, file);
    while (getline(&line, &cap, in) > 0) {
        if (fields(line, f, 3) != 3)
            continue;
        for (int i = 0; i < 3; i++)
            sqlite3_bind_text(st, i + 1, f[i], -1, SQLITE_TRANSIENT);
        sqlite3_step(st);
        sqlite3_reset(st);
    }
    free(line);
    fclose(in);
    return sqlite3_finalize(st) == SQLITE_OK ? 0 : die(db, file);
}

static int ask(sqlite3 *db, int k)
{
    sqlite3_stmt *st = NULL;
    char *line = NULL, *f[2];
    size_t cap = 0;

    if (sqlite3_prepare_v2(db,
                           "SELECT id FROM d WHERE d MATCH ? "
                           "ORDER BY bm25(d), rowid LIMIT ?",
                           -1, &st, NULL) != SQLITE_OK)
        return die(db, "query");
    while (getline(&line, &cap, stdin) > 0) {
        if (fields(line, f, 2) != 2)
            continue;
        printf("%s", f[0]);
        sqlite3_bind_text(st, 1, f[1], -1, SQLITE_TRANSIENT);
        sqlite3_bind_int(st, 2, k);
        while (sqlite3_step(st) == SQLITE_ROW)
            printf("\t%s", (const char *)sqlite3_column_text(st, 0));
        putchar('\n');
        sqlite3_reset(st);
    }
    free(line);
    sqlite3_finalize(st);
    return 0;
}

int main(int argc, char **argv)
{
    sqlite3 *db;
    int rc;

    if (argc != 3 || sqlite3_open(":memory:", &db) != SQLITE_OK) {
        fprintf(stderr, "usage: plain_fts DOCS.tsv K < QUERIES.tsv\n");
        return 2;
    }
    rc = load(db, argv[1]);
    if (rc == 0)
        rc = ask(db, atoi(argv[2]));
    sqlite3_close(db);
    return rc;
}
