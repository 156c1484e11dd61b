/* Domains and dates that a question is restricted to; see filter.h. */
#include "index/filter.h"
#include "store/fts.h"
#include "index/page_sql.h"

#include "base/date.h"

#include <string.h>

enum {
    EXCLUDED_IN_MATCH = 1000
}; /* parsing takes the square of their number */

static void add_hosts(struct buf *b, const struct domain_rules *rules,
                      bool whole_hosts_only)
{
    bool first = true;

    for (size_t i = 0; i < rules->count; i++) {
        char tag[HOST_MAX + 3] = "h:";
        const struct domain_rule *r = &rules->rules[i];
        size_t n = strlen(r->host);

        if ((whole_hosts_only && r->path[0] != '\0') || n > HOST_MAX)
            continue;
        memcpy(tag + 2, r->host, n + 1);
        buf_adds(b, first ? "(" : " OR ");
        fts_quote(b, FTS_TAG, tag, n + 2);
        first = false;
    }
    if (!first)
        buf_addc(b, ')');
}

static bool has_rules(const struct domain_rules *rules)
{
    return rules != NULL && rules->count > 0;
}

/* Too many to be part of the full-text query: checked later. */
static bool has_many(const struct domain_rules *rules)
{
    return rules != NULL && rules->count > EXCLUDED_IN_MATCH;
}

/* Clip the range to the days that occur, so that it stays a short list. */
static enum err add_days(struct db *db, const struct index_filter *f,
                         struct buf *b, struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "SELECT (SELECT min(day) FROM page WHERE day IS NOT NULL),"
                    " (SELECT max(day) FROM page WHERE day IS NOT NULL)");
    int32_t from = DAY_NONE, to = DAY_NONE;
    enum err e = sql_one(q, ec);

    if (e == ERR_OK) {
        from = page_col_day(q, 0);
        to = page_col_day(q, 1);
    }
    sql_end(q);
    if (e != ERR_OK)
        return e;
    if (f->day_from != DAY_NONE && f->day_from > from)
        from = f->day_from;
    if (f->day_to != DAY_NONE && f->day_to < to)
        to = f->day_to;
    if (from == DAY_NONE || from > to)
        return ERR_NO_RESULT;
    buf_adds(b, " AND ");
    fts_day_query(b, from, to);
    return ERR_OK;
}

enum err filter_match(struct db *db, const struct index_filter *f,
                      struct buf *b, struct errctx *ec)
{
    enum err e = ERR_OK;

    if (f == NULL)
        return ERR_OK;
    if (has_rules(f->include)) {
        buf_adds(b, " AND ");
        add_hosts(b, f->include, false);
    }
    if (f->day_from != DAY_NONE || f->day_to != DAY_NONE)
        e = add_days(db, f, b, ec);
    if (e == ERR_OK && !has_rules(f->include) && has_rules(f->exclude) &&
        !has_many(f->exclude)) {
        size_t before = b->len;

        buf_adds(b, " NOT ");
        add_hosts(b, f->exclude, true);
        if (b->len == before + 5 && buf_err(b) == ERR_OK)
            b->data[b->len = before] = '\0';
    }
    return e;
}

static bool has_path(const struct domain_rules *rules)
{
    for (size_t i = 0; rules != NULL && i < rules->count; i++)
        if (rules->rules[i].path[0] != '\0')
            return true;
    return false;
}

bool filter_needs_urls(const struct index_filter *f)
{
    if (f == NULL)
        return false;
    if (has_rules(f->include))
        return has_path(f->include);
    return has_path(f->exclude) || has_many(f->exclude);
}

enum err filter_allows(struct db *db, const struct index_filter *f,
                       int64_t passage, struct arena *a, bool *allowed,
                       struct errctx *ec)
{
    struct stmt *q = sql_get(db, "SELECT p.url FROM passage t, page p"
                                 " WHERE t.id = ?1 AND p.id = t.page");
    struct url u;
    enum err e;

    sql_int(q, 1, passage);
    e = sql_one(q, ec);
    if (e == ERR_OK) {
        const char *z = (const char *)sqlite3_column_text(q->h, 0);

        e = url_parse(z == NULL ? "" : z, z == NULL ? 0 : strlen(z), NULL, a,
                      &u, ec);
    }
    sql_end(q);
    if (e == ERR_OK)
        *allowed = domains_allow(f->include, f->exclude, &u);
    return e;
}
