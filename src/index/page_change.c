/*
 * The verbs of page.h that change pages: what a page is stored as, and where:
 * in this index (page.c), or where its pages are true (source.c), which this
 * index then follows (follow.c). Called by crawl, search/read and the
 * operator's command.
 */
#include "index/page.h"

#include "base/buf.h"
#include "base/date.h"
#include "index/follow.h"
#include "index/page_sql.h"
#include "index/source.h"

#include <string.h>

enum { FIELD_MAX = 65536 };

/* Where its pages are true elsewhere, a batch is a transaction here, for what
 * else the index holds, and one there, for the pages and the frontiers of crawls;
 * that one ends first. */
enum err page_batch_begin(struct db *index, struct errctx *ec)
{
    enum err e = page_here_begin(index, ec);

    if (e != ERR_OK || index->source == NULL)
        return e;
    e = db_batch_begin(index->source, ec);
    if (e != ERR_OK)
        page_here_abort(index);
    return e;
}

enum err page_batch_commit(struct db *index, struct errctx *ec)
{
    enum err e =
        index->source == NULL ? ERR_OK : db_batch_commit(index->source, ec);

    if (e == ERR_OK)
        e = page_here_commit(index, ec);
    else
        page_here_abort(index);
    if (e == ERR_OK && index->source != NULL && index->batch == 0)
        index_reach(index, source_last(index->source));
    return e;
}

void page_batch_abort(struct db *index)
{
    if (index->source != NULL)
        db_batch_abort(index->source);
    page_here_abort(index);
}

/* --- putting ------------------------------------------------------------ */

/* Control characters that mean nothing in a text become spaces; offsets
 * stay. The string itself when there are none. */
static const char *clean(const char *z, struct arena *a)
{
    static const char special[] = "\x01\x02";
    char *copy;

    if (z == NULL)
        return "";
    if (strpbrk(z, special) == NULL)
        return z;
    copy = arena_strdup(a, z);
    for (char *p = copy; p != NULL && (p = strpbrk(p, special)) != NULL; p++)
        *p = ' ';
    return copy;
}

static const char *image_lines(const struct page *p, struct arena *a)
{
    struct buf b;
    const char *z;

    buf_init(&b, FIELD_MAX);
    for (size_t i = 0; i < p->image_count; i++) {
        const char *alt = p->images[i].alt == NULL ? "" : p->images[i].alt;
        size_t at = b.len;

        if (buf_addf(&b, "%s\t%s\n", p->images[i].url, alt) != ERR_OK)
            break;
        for (at += strlen(p->images[i].url) + 1; at + 1 < b.len; at++)
            if (b.data[at] == '\t' || b.data[at] == '\n')
                b.data[at] = ' ';
    }
    if (buf_err(&b) == ERR_NOMEM)
        z = NULL;
    else
        z = buf_err(&b) == ERR_OK ? arena_strdup(a, buf_str(&b)) : "";
    buf_fini(&b);
    return z;
}

/* What the passage is made of, with its language where that is another than
 * its page's. */
static const char *parts_of(const struct passage_text *t, const char *page,
                            struct arena *a)
{
    const char *parts = t->parts == NULL ? "" : t->parts;
    enum lang l =
        lang_of_tag(page_language(page, t->lang == NULL ? "" : t->lang));

    return l == lang_of_tag(page)
               ? parts
               : arena_printf(a, "%s %s", lang_code(l), parts);
}

static const char *text_or_empty(const char *z)
{
    return z == NULL ? "" : z;
}

/* A page as it will be stored, not numbered. */
static enum err to_stored(const struct page *p,
                          const struct passage_text *passages, size_t count,
                          struct arena *a, struct stored_page *out,
                          struct errctx *ec)
{
    struct stored_passage *list = arena_array(a, count + 1, sizeof *list);

    *out =
        (struct stored_page){.url = p->url,
                             .host = p->host,
                             .rhost = page_rhost(p->host, a),
                             .title = clean(p->title, a),
                             .lang = text_or_empty(p->lang),
                             .favicon = text_or_empty(p->favicon),
                             .images = image_lines(p, a),
                             .day = p->day,
                             .fetched = p->fetched_ms,
                             .etag = text_or_empty(p->etag),
                             .last_modified = text_or_empty(p->last_modified),
                             .passages = list,
                             .count = count};
    for (size_t i = 0; list != NULL && i < count; i++) {
        const struct passage_text *t = &passages[i];

        list[i] =
            (struct stored_passage){(int64_t)t->start, clean(t->heading, a),
                                    clean(t->text, a), parts_of(t, p->lang, a)};
        out->text_bytes += (int64_t)strlen(t->text);
    }
    return out->images == NULL || arena_failed(a)
               ? err_set(ec, ERR_NOMEM, "out of memory")
               : ERR_OK;
}

static enum err check_put(const struct page *p, size_t count, struct errctx *ec)
{
    if (p->url == NULL || p->url[0] == '\0' || p->host == NULL)
        return err_set(ec, ERR_INVALID, "a page needs URL and host");
    if (count > PASSAGES_MAX)
        return err_set(ec, ERR_TOO_LARGE, "more than %d passages",
                       PASSAGES_MAX);
    if (p->day != DAY_NONE &&
        (p->day < date_to_day(1, 1, 1) || p->day > date_to_day(9999, 12, 31)))
        return err_set(ec, ERR_INVALID, "no such day");
    return ERR_OK;
}

/* A single change is in the index before its call ends; what was done within a
 * batch, when that does. */
static void after_change(struct db *index)
{
    if (index->batch > 0)
        return;
    if (index->source != NULL)
        index_reach(index, source_last(index->source));
    else
        page_here_settle(index);
}

enum err page_put(struct db *index, const struct page *p,
                  const struct passage_text *passages, size_t count,
                  int64_t *id, struct errctx *ec)
{
    struct stored_page row;
    struct arena a;
    enum err e = check_put(p, count, ec);

    if (e != ERR_OK)
        return e;
    arena_init(&a, 256 << 20);
    e = to_stored(p, passages, count, &a, &row, ec);
    if (e == ERR_OK && index->source != NULL) {
        e = source_put(index->source, &row, ec);
        if (e == ERR_OK)
            *id = row.id;
    } else if (e == ERR_OK) {
        e = page_here_put(index, &row, id, ec);
    }
    arena_fini(&a);
    if (e == ERR_OK)
        after_change(index);
    return e;
}

/* --- touching, removing -------------------------------------------------- */

enum err page_touch(struct db *index, int64_t id, int64_t now_ms,
                    struct errctx *ec)
{
    enum err e;

    if (index->source == NULL)
        return page_here_touch(index, id, now_ms, ec);
    e = source_touch(index->source, id, now_ms, ec);
    if (e == ERR_OK)
        after_change(index);
    return e;
}

enum err page_remove(struct db *index, const char *url_or_host, bool is_host,
                     int64_t *removed, struct errctx *ec)
{
    struct arena a;
    struct page_choice which = {.id = 0};
    int64_t n = 0;
    enum err e = ERR_OK;

    arena_init(&a, 65536);
    if (is_host)
        which.rhost = page_rhost(url_or_host, &a);
    else
        which.url = url_or_host;
    if (arena_failed(&a) || url_or_host[0] == '\0')
        e = err_set(ec, ERR_INVALID, "not a %s", is_host ? "host" : "URL");
    if (e == ERR_OK && index->source != NULL)
        e = source_remove(index->source, &which, &n, ec);
    else if (e == ERR_OK)
        e = page_here_remove(index, &which, &n, ec);
    arena_fini(&a);
    if (e == ERR_OK && n == 0)
        e = err_set(ec, ERR_NOT_FOUND, "no page of %s", url_or_host);
    if (e != ERR_OK)
        return e;
    *removed = n;
    after_change(index);
    return ERR_OK;
}
