/* Passages by their ids; see texts.h. */
#include "index/texts.h"

#include "base/date.h"
#include "base/str.h"
#include "index/candidate.h"
#include "index/page_sql.h"

#include <stdlib.h>
#include <string.h>

enum {
    TEXTS_MAX = 1000,
    RANGES_MAX = 1 << 22,
    SLICE = 2000 /* passages that one statement looks through */
};

static void text_read(struct stmt *q, struct arena *a, void *element)
{
    *(struct index_text *)element =
        (struct index_text){sql_col_int(q, 0), sql_col_text(q, 1, a),
                            sql_col_text(q, 2, a), sql_col_text(q, 3, a)};
}

enum err index_texts(struct db *index, int64_t after, size_t limit,
                     struct arena *a, struct index_text **out, size_t *count,
                     struct errctx *ec)
{
    static const struct sql_shape shape = {sizeof **out, text_read};

    return sql_rows(sql_with(index,
                             "SELECT t.id, p.title, t.heading, t.text"
                             " FROM passage t, page p WHERE t.id > ?1 AND"
                             " p.id = t.page ORDER BY t.id",
                             as_int(after)),
                    &shape, limit < TEXTS_MAX ? limit : TEXTS_MAX, a, out,
                    count, ec);
}

enum err index_passage_ids(struct db *index, int64_t *passages, int64_t *next,
                           struct errctx *ec)
{
    return sql_numbers(
        sql_get(index, "SELECT passages, next_passage FROM counter"),
        (int64_t *[]){passages, next}, 2, ec);
}

/* --- filters ---------------------------------------------------------------
 */

struct ranges {
    const struct index_filter *f;
    struct arena *a, *scratch;
    struct id_range *v;
    size_t count, room;
    bool without; /* those that the filter does not let through */
};

static bool restricts(const struct index_filter *f)
{
    return f != NULL && (f->day_from != DAY_NONE || f->day_to != DAY_NONE ||
                         (f->include != NULL && f->include->count > 0) ||
                         (f->exclude != NULL && f->exclude->count > 0));
}

static bool day_is_in(const struct index_filter *f, int32_t day)
{
    if (f->day_from == DAY_NONE && f->day_to == DAY_NONE)
        return true;
    return day != DAY_NONE && (f->day_from == DAY_NONE || day >= f->day_from) &&
           (f->day_to == DAY_NONE || day <= f->day_to);
}

static bool url_is_in(const struct ranges *r, const char *z)
{
    static const struct domain_rules none = {NULL, 0};
    struct url u;
    bool in;

    in = z != NULL &&
         url_parse(z, strlen(z), NULL, r->scratch, &u, NULL) == ERR_OK &&
         domains_allow(r->f->include == NULL ? &none : r->f->include,
                       r->f->exclude == NULL ? &none : r->f->exclude, &u);
    arena_reset(r->scratch);
    return in;
}

static enum err range_add(struct ranges *r, struct id_range x)
{
    if (r->count > 0 && r->v[r->count - 1].last + 1 == x.first) {
        r->v[r->count - 1].last = x.last;
        return ERR_OK;
    }
    if (r->count == RANGES_MAX ||
        !arena_grow(r->a, &r->v, r->count, 1, &r->room, sizeof *r->v))
        return ERR_TOO_LARGE;
    r->v[r->count++] = x;
    return ERR_OK;
}

/* Columns first, passages, url, day. */
static enum err ranges_read(struct ranges *r, struct stmt *q, struct errctx *ec)
{
    bool row = true;
    enum err e;

    while ((e = sql_step(q, &row, ec)) == ERR_OK && row) {
        int64_t first = sql_col_int(q, 0), n = sql_col_int(q, 1);

        if (!day_is_in(r->f, page_col_day(q, 3)) ||
            url_is_in(r, (const char *)sqlite3_column_text(q->h, 2)) ==
                r->without)
            continue;
        e = range_add(r, (struct id_range){first, first + n - 1});
        if (e != ERR_OK)
            return err_set(ec, e, "too many pages for this filter");
    }
    return e;
}

static enum err host_ranges(struct ranges *r, struct db *db, const char *host,
                            struct errctx *ec)
{
    const char *rhost = page_rhost(host, r->a);
    struct stmt *q;
    enum err e;

    if (rhost == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    q = sql_with(db,
                 "SELECT first, passages, url, day FROM page WHERE"
                 " passages > 0 AND rhost >= ?1 AND rhost <"
                 " rtrim(?1, '.') || '/' ORDER BY first",
                 as_text(rhost));
    e = ranges_read(r, q, ec);
    sql_end(q);
    return e;
}

static int by_first(const void *x, const void *y)
{
    const struct id_range *a = x, *b = y;

    return a->first < b->first ? -1 : a->first > b->first;
}

/* Of several hosts: in order, what two of them named once. */
static void ranges_sort(struct ranges *r)
{
    size_t n = 0;

    qsort(r->v, r->count, sizeof *r->v, by_first);
    for (size_t i = 0; i < r->count; i++) {
        if (n > 0 && r->v[i].first <= r->v[n - 1].last + 1) {
            if (r->v[i].last > r->v[n - 1].last)
                r->v[n - 1].last = r->v[i].last;
        } else {
            r->v[n++] = r->v[i];
        }
    }
    r->count = n;
}

static enum err hosts_ranges(struct ranges *r, struct db *db,
                             const struct domain_rules *rules,
                             struct errctx *ec)
{
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < rules->count; i++)
        e = host_ranges(r, db, rules->rules[i].host, ec);
    return e;
}

static enum err day_ranges(struct ranges *r, struct db *db, struct errctx *ec)
{
    struct stmt *q = sql_get(db, "SELECT first, passages, url, day FROM page"
                                 " WHERE passages > 0 AND day BETWEEN ?1 AND"
                                 " ?2 ORDER BY first");
    enum err e;

    sql_int(q, 1, r->f->day_from == DAY_NONE ? INT32_MIN : r->f->day_from);
    sql_int(q, 2, r->f->day_to == DAY_NONE ? INT32_MAX : r->f->day_to);
    e = ranges_read(r, q, ec);
    sql_end(q);
    return e;
}

/* What lies between the ranges, before and behind them. */
static enum err ranges_turn(struct ranges *r, struct errctx *ec)
{
    struct id_range *v = arena_array(r->a, r->count + 1, sizeof *v);
    int64_t from = 1, end;
    size_t n = 0;

    if (v == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i <= r->count; i++) {
        end = i < r->count ? r->v[i].first : INT64_MAX - 1;
        if (end > from)
            v[n++] = (struct id_range){from, end - 1};
        if (i < r->count)
            from = r->v[i].last + 1;
    }
    r->count = n;
    r->v = v;
    return ERR_OK;
}

/* Inclusions decide alone; of what is only excluded, the pages that are. */
static enum err ranges_all(struct ranges *r, struct db *db, struct errctx *ec)
{
    const struct domain_rules *in = r->f->include;
    enum err e;

    if (in != NULL && in->count > 0)
        e = hosts_ranges(r, db, in, ec);
    else if (r->f->day_from != DAY_NONE || r->f->day_to != DAY_NONE)
        e = day_ranges(r, db, ec);
    else {
        r->without = true;
        e = hosts_ranges(r, db, r->f->exclude, ec);
    }
    if (e == ERR_OK && r->count > 0)
        ranges_sort(r);
    return e == ERR_OK && r->without ? ranges_turn(r, ec) : e;
}

enum err index_ranges(struct db *index, const struct index_filter *f,
                      struct arena *a, struct id_range **out, size_t *count,
                      struct errctx *ec)
{
    struct arena scratch;
    struct ranges r = {.f = f, .a = a, .scratch = &scratch};
    enum err e;

    *out = NULL;
    *count = 0;
    if (!restricts(f))
        return ERR_OK;
    r.v = arena_array(a, 1, sizeof *r.v);
    if (r.v == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    arena_init(&scratch, 64 << 10);
    e = ranges_all(&r, index, ec);
    arena_fini(&scratch);
    if (e != ERR_OK)
        return e;
    *out = r.v;
    *count = r.count;
    return ERR_OK;
}

static enum err holding_in(struct db *index, const char *z, struct id_range r,
                           struct vector_hit *v, size_t limit, size_t *count,
                           struct errctx *ec)
{
    struct stmt *q = sql_get(index, "SELECT id, text FROM passage WHERE id"
                                    " BETWEEN ?1 AND ?2");
    bool row = true;
    enum err e = ERR_OK;

    sql_int(q, 1, r.first);
    sql_int(q, 2, r.last);
    while (*count < limit && (e = sql_step(q, &row, ec)) == ERR_OK && row) {
        const char *text = (const char *)sqlite3_column_text(q->h, 1);

        if (text != NULL &&
            mem_find(text, (size_t)sqlite3_column_bytes(q->h, 1), z) != NULL)
            v[(*count)++] = (struct vector_hit){.passage = sql_col_int(q, 0)};
    }
    sql_end(q);
    return e;
}

/* A slice at a time, since one statement knows no deadline. */
static enum err holding_through(struct db *index, const char *z,
                                struct id_range r, const struct deadline *d,
                                struct vector_hit *v, size_t limit,
                                size_t *count, struct errctx *ec)
{
    enum err e = ERR_OK;

    for (int64_t at = r.first;
         at <= r.last && *count < limit && e == ERR_OK && !deadline_passed(d);
         at += SLICE) {
        struct id_range slice = {at, r.last};

        if (r.last - at >= SLICE)
            slice.last = at + SLICE - 1;
        e = holding_in(index, z, slice, v, limit, count, ec);
    }
    return e;
}

enum err index_holding(struct db *index, const char *z,
                       const struct index_filter *f, int64_t looked,
                       const struct deadline *d, size_t limit, struct arena *a,
                       struct vector_hit **out, size_t *count,
                       struct errctx *ec)
{
    struct id_range all = {1, looked}, *r = NULL;
    struct vector_hit *v = arena_array(a, limit, sizeof *v);
    size_t n = 0, found = 0;
    enum err e = index_ranges(index, f, a, &r, &n, ec);

    if (v == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    if (e == ERR_OK && r == NULL) {
        r = &all;
        n = 1;
    }
    for (size_t i = 0; e == ERR_OK && i < n && looked > 0; i++) {
        if (r[i].last - r[i].first >= looked)
            r[i].last = r[i].first + looked - 1;
        looked -= r[i].last - r[i].first + 1;
        e = holding_through(index, z, r[i], d, v, limit, &found, ec);
    }
    *out = v;
    *count = found;
    return e;
}

enum err index_candidates(struct db *index, const struct vector_hit *hits,
                          size_t n, struct arena *a, struct candidate **out,
                          size_t *count, struct errctx *ec)
{
    struct found *found = arena_array(a, n, sizeof *found);

    if (found == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        found[i] = (struct found){hits[i].passage, hits[i].cosine};
    return candidates_read(index, found, n, a, out, count, ec);
}
