/* The tokenizer "cited" of earlier versions; see fts.h. */
#include "store/fts.h"

#include <sqlite3.h>
#include <stddef.h>

typedef int token_fn(void *, int, const char *, int, int, int);

static int create(void *user, const char **argv, int argc, Fts5Tokenizer **out)
{
    (void)argv;
    (void)argc;
    *out = user;
    return SQLITE_OK;
}

static void destroy(Fts5Tokenizer *t)
{
    (void)t;
}

static int tokenize(Fts5Tokenizer *t, void *ctx, int flags, const char *p,
                    int n, token_fn *emit)
{
    (void)t;
    if ((flags & FTS5_TOKENIZE_QUERY) == 0)
        return SQLITE_MISUSE;
    return n == 0 ? SQLITE_OK : emit(ctx, 0, p, n, 0, n);
}

void fts_register(sqlite3 *h)
{
    static fts5_tokenizer methods = {create, destroy, tokenize};
    static char self;
    fts5_api *api = NULL;
    sqlite3_stmt *q = NULL;

    if (sqlite3_prepare_v2(h, "SELECT fts5(?1)", -1, &q, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_pointer(q, 1, &api, "fts5_api_ptr", NULL);
    (void)sqlite3_step(q);
    sqlite3_finalize(q);
    if (api != NULL)
        (void)api->xCreateTokenizer(api, "cited", &self, &methods, NULL);
}
