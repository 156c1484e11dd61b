/* Tokenizer and ranking function of the full-text table; see fts.h. */
#include "store/fts.h"

#include "store/df.h"
#include "store/sql.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

typedef int token_fn(void *, int, const char *, int, int, int);

static int tokenizer_create(void *db, const char **argv, int argc,
                            Fts5Tokenizer **out)
{
    (void)argv;
    (void)argc;
    *out = db;
    return SQLITE_OK;
}

static void tokenizer_delete(Fts5Tokenizer *t)
{
    (void)t;
}

static int emit_tags(void *ctx, const char *p, int n, token_fn *emit)
{
    int rc = SQLITE_OK, at = 0;

    while (rc == SQLITE_OK && at < n) {
        const char *end = memchr(p + at, ' ', (size_t)(n - at));
        int stop = end == NULL ? n : (int)(end - p);

        if (stop > at)
            rc = emit(ctx, 0, p + at, stop - at, at, stop);
        at = stop + 1;
    }
    return rc;
}

/* Once for each passage is enough; df_add sees to that. */
static bool count_language(struct df *df, enum lang l)
{
    char name[4] = {FTS_TAG, 0, 0, 0};

    memcpy(name + 1, lang_code(l), 2);
    return df_add(df, name, 3);
}

static int emit_terms(const struct db *db, struct df *df, void *ctx,
                      const char *p, int n, token_fn *emit)
{
    struct stemmer *stem = db->stemmers[db->lang];
    struct term_iter it;
    struct term t;
    int rc = SQLITE_OK;

    if (df != NULL && stem != NULL && !count_language(df, db->lang))
        return SQLITE_NOMEM;
    terms_init_with(&it, stem, p, (size_t)n);
    while (rc == SQLITE_OK && terms_next(&it, &t)) {
        if (df != NULL && !df_add(df, t.text, t.len))
            return SQLITE_NOMEM;
        rc = emit(ctx, 0, t.text, (int)t.len, (int)t.start, (int)t.end);
    }
    return rc;
}

static int tokenize(Fts5Tokenizer *self, void *ctx, int flags, const char *p,
                    int n, token_fn *emit)
{
    struct db *db = (void *)self;

    if (db == NULL) /* of fts_name_tokenizer */
        return SQLITE_MISUSE;
    if (n == 0)
        return SQLITE_OK;
    if (p[0] == FTS_TAG)
        return emit_tags(ctx, p, n, emit);
    if (p[0] == FTS_RAW)
        return n == 1 ? SQLITE_OK : emit(ctx, 0, p + 1, n - 1, 0, n);
    return emit_terms(db, (flags & FTS5_TOKENIZE_DOCUMENT) != 0 ? db->df : NULL,
                      ctx, p, n, emit);
}

/* --- languages --------------------------------------------------------- */

enum err fts_stemmer(struct db *db, enum lang l, struct stemmer **out,
                     struct errctx *ec)
{
    if (db->stemmers[l] == NULL && stemmer_new(l, &db->stemmers[l]) != ERR_OK)
        return err_set(ec, ERR_NOMEM, "out of memory");
    *out = db->stemmers[l];
    return ERR_OK;
}

enum err fts_languages(struct db *db, unsigned *out, int64_t *passages,
                       struct errctx *ec)
{
    /* Terms of text begin with no control character. */
    struct stmt *q = sql_get(db, "SELECT substr(term, 2), df FROM term"
                                 " WHERE term > char(1) AND term < char(2)");
    unsigned found = 0;
    bool row = true;
    enum err e;

    while ((e = sql_step(q, &row, ec)) == ERR_OK && row) {
        const char *code = (const char *)sqlite3_column_text(q->h, 0);

        enum lang l = lang_of_tag(code);

        found |= 1u << l;
        if (passages != NULL)
            passages[l] = sql_col_int(q, 1);
    }
    sql_end(q);
    if (e == ERR_OK)
        *out = found & ~(1u << LANG_EN);
    return e;
}

/* --- ranking ----------------------------------------------------------- */

bool hit_before(const struct hit *a, const struct hit *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return a->passage < b->passage;
}

double fts_saturate(double x)
{
    return x * 2.2 / (x + 1.2);
}

static void sift_down(struct collect *c, size_t i)
{
    struct hit h = c->heap[i];

    for (;;) {
        size_t kid = 2 * i + 1;

        if (kid >= c->count)
            break;
        if (kid + 1 < c->count && hit_before(&c->heap[kid], &c->heap[kid + 1]))
            kid++;
        if (!hit_before(&h, &c->heap[kid]))
            break;
        c->heap[i] = c->heap[kid];
        i = kid;
    }
    c->heap[i] = h;
}

static void keep(struct collect *c, struct hit h)
{
    if (c->count == c->max) {
        if (hit_before(&h, &c->heap[0])) {
            c->heap[0] = h;
            sift_down(c, 0);
        }
        return;
    }
    c->heap[c->count++] = h;
    /* Rows come until the heap is full; then it becomes one, once. */
    if (c->count == c->max)
        for (size_t i = c->count / 2; i-- > 0;)
            sift_down(c, i);
}

static double row_score(const Fts5ExtensionApi *api, Fts5Context *fts,
                        const struct collect *c)
{
    static const double weight[FTS_COLUMNS] = {1.5, 1.0, 1.0, 0.0};
    double score = 0;

    for (size_t i = 0; i < c->term_count; i++) {
        Fts5PhraseIter it;
        int col = -1, off = 0;
        double x = 0;

        if (api->xPhraseFirst(fts, (int)i, &it, &col, &off) != SQLITE_OK)
            continue;
        while (col >= 0) {
            x += weight[col & 3];
            api->xPhraseNext(fts, &it, &col, &off);
        }
        if (x > 0)
            score += c->gain[i] * fts_saturate(x);
    }
    return score;
}

/* Always 0, so that the statement's loop never leaves SQLite. */
static void collect_row(const Fts5ExtensionApi *api, Fts5Context *fts,
                        sqlite3_context *ctx, int n, sqlite3_value **args)
{
    struct db *db = api->xUserData(fts);

    (void)n;
    (void)args;
    if (db->collect != NULL)
        keep(db->collect,
             (struct hit){api->xRowid(fts), row_score(api, fts, db->collect)});
    sqlite3_result_int(ctx, 0);
}

/* --- registration ------------------------------------------------------ */

static fts5_api *find_api(sqlite3 *h)
{
    fts5_api *api = NULL;
    sqlite3_stmt *q = NULL;

    if (sqlite3_prepare_v2(h, "SELECT fts5(?1)", -1, &q, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_pointer(q, 1, &api, "fts5_api_ptr", NULL);
    (void)sqlite3_step(q);
    sqlite3_finalize(q);
    return api;
}

static int name_tokenizer(fts5_api *api, struct db *db)
{
    static const fts5_tokenizer methods = {tokenizer_create, tokenizer_delete,
                                           tokenize};
    fts5_tokenizer copy = methods;

    return api->xCreateTokenizer(api, "cited", db, &copy, NULL);
}

void fts_name_tokenizer(sqlite3 *h)
{
    fts5_api *api = find_api(h);

    if (api != NULL)
        (void)name_tokenizer(api, NULL);
}

enum err fts_register(struct db *db, struct errctx *ec)
{
    fts5_api *api = find_api(db->h);
    int rc;

    if (api == NULL)
        return err_set(ec, ERR_DB, "this SQLite has no FTS5");
    rc = name_tokenizer(api, db);
    if (rc == SQLITE_OK)
        rc = api->xCreateFunction(api, "cited_collect", db, collect_row, NULL);
    if (rc != SQLITE_OK)
        return sql_fail(db, rc, "fts5 registration", ec);
    return ERR_OK;
}
