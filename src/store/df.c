/* Document counts of a transaction; see df.h. An open hash over a pool of
 * strings; written out in term order so that the B-tree is walked once. */
#include "store/df.h"

#include "store/sql.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 4096, FULL_AT = 100000 };

struct entry {
    size_t at; /* offset in the pool */
    uint32_t hash;
    uint32_t len; /* 0 = free slot */
    int64_t seen; /* the passage that counted it last */
    int64_t delta;
};

struct df {
    struct entry *slot;
    size_t slots, used;
    char *pool;
    size_t pool_len, pool_size;
    int64_t passage;
    int sign; /* 0 = paused */
};

struct df *df_new(void)
{
    return calloc(1, sizeof(struct df));
}

void df_free(struct df *df)
{
    if (df == NULL)
        return;
    free(df->slot);
    free(df->pool);
    free(df);
}

void df_passage(struct df *df, int sign)
{
    df->passage++;
    df->sign = sign;
}

void df_pause(struct df *df)
{
    df->sign = 0;
}

void df_clear(struct df *df)
{
    free(df->slot);
    free(df->pool);
    df->slot = NULL;
    df->pool = NULL;
    df->slots = df->used = df->pool_len = df->pool_size = 0;
    df->sign = 0;
}

bool df_is_full(const struct df *df)
{
    return df->used >= FULL_AT;
}

static uint32_t hash_of(const char *p, size_t n)
{
    uint32_t h = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 16777619u;
    return h;
}

static struct entry *find(const struct df *df, const char *p, size_t n,
                          uint32_t h)
{
    size_t i = h & (df->slots - 1);

    while (df->slot[i].len != 0) {
        struct entry *e = &df->slot[i];

        if (e->hash == h && e->len == n && memcmp(df->pool + e->at, p, n) == 0)
            return e;
        i = (i + 1) & (df->slots - 1);
    }
    return &df->slot[i];
}

static bool grow_slots(struct df *df)
{
    struct df bigger = *df;

    bigger.slots = df->slots == 0 ? SLOTS_MIN : df->slots * 2;
    bigger.slot = calloc(bigger.slots, sizeof *bigger.slot);
    if (bigger.slot == NULL)
        return false;
    for (size_t i = 0; i < df->slots; i++) {
        const struct entry *e = &df->slot[i];

        if (e->len != 0)
            *find(&bigger, df->pool + e->at, e->len, e->hash) = *e;
    }
    free(df->slot);
    *df = bigger;
    return true;
}

static bool grow_pool(struct df *df, size_t n)
{
    size_t size = df->pool_size == 0 ? 65536 : df->pool_size * 2;
    char *p = realloc(df->pool, size + n);

    if (p == NULL)
        return false;
    df->pool = p;
    df->pool_size = size + n;
    return true;
}

bool df_add(struct df *df, const char *p, size_t n)
{
    uint32_t h;
    struct entry *e;

    if (df->sign == 0 || n == 0)
        return true;
    if (df->used * 2 >= df->slots && !grow_slots(df))
        return false;
    h = hash_of(p, n);
    e = find(df, p, n, h);
    if (e->len == 0) {
        if (df->pool_len + n > df->pool_size && !grow_pool(df, n))
            return false;
        memcpy(df->pool + df->pool_len, p, n);
        *e = (struct entry){.at = df->pool_len, .hash = h, .len = (uint32_t)n};
        df->pool_len += n;
        df->used++;
    }
    if (e->seen != df->passage) {
        e->seen = df->passage;
        e->delta += df->sign;
    }
    return true;
}

static int by_term(const void *va, const void *vb, void *pool)
{
    const struct entry *a = va, *b = vb;
    const char *base = pool;
    uint32_t n = a->len < b->len ? a->len : b->len;
    int c = memcmp(base + a->at, base + b->at, n);

    return c != 0 ? c : (a->len > b->len) - (a->len < b->len);
}

static enum err write_entry(struct db *db, const char *p, size_t n,
                            int64_t delta, struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "INSERT INTO term(term, df) VALUES(?1, ?2)"
                    " ON CONFLICT(term) DO UPDATE SET df = df + excluded.df");
    enum err e;

    sql_bytes(q, 1, p, n);
    sql_int(q, 2, delta);
    e = sql_run(q, ec);
    if (e != ERR_OK || delta > 0)
        return e;
    q = sql_get(db, "DELETE FROM term WHERE term = ?1 AND df <= 0");
    sql_bytes(q, 1, p, n);
    return sql_run(q, ec);
}

/* Move the used slots to the front; the hash is not one any more. */
static size_t pack(struct df *df)
{
    size_t n = 0;

    for (size_t i = 0; i < df->slots; i++)
        if (df->slot[i].len != 0 && df->slot[i].delta != 0)
            df->slot[n++] = df->slot[i];
    return n;
}

enum err df_flush(struct db *db, struct errctx *ec)
{
    struct df *df = db->df;
    enum err e = ERR_OK;
    size_t n = pack(df);

    if (n > 0)
        qsort_r(df->slot, n, sizeof *df->slot, by_term, df->pool);
    for (size_t i = 0; i < n && e == ERR_OK; i++)
        e = write_entry(db, df->pool + df->slot[i].at, df->slot[i].len,
                        df->slot[i].delta, ec);
    df_clear(df);
    return e;
}
