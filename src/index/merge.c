/*
 * Several segments into one, without the pages that are removed, and lost ones
 * made again from the stored pages; see shelf.h. One at a time for a data
 * folder, by a lock that ends with its process. A merge reads and writes files
 * outside any transaction; only naming its outcome is one, which finds its
 * inputs still named or gives up. Memory: twelve bytes a passage, the words and
 * addresses once.
 */
#include "index/shelf.h"

#include "index/page_sql.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    KIND_FIRST = 512, /* passages of the smallest kind of segment */
    KIND_TIMES = 8,   /* how much more each next kind has */
    OF_A_KIND = 8,    /* so many become one of the next */
    COPIED_TIMES = 2, /* the largest may have so much more than the others */
    AT_ONCE = 32,     /* at most so many, the smallest */
    KIND_LAST = 12,
    REBUILT_AT_ONCE = 20000 /* passages in a transaction */
};

#define GONE UINT32_MAX

/* A segment being merged. */
struct source {
    const struct placed *p;
    struct segment *s;
    uint32_t *doc; /* of each page its first passage's new number, or GONE */
    uint32_t page, host;    /* while pages are put in order; then of c */
    struct seg_words words; /* at a word, while more is true */
    struct cursor c;        /* of the word at hand, while held is true */
    uint32_t next;          /* new number of the posting c stands at */
    bool more, held;
};

struct merge {
    struct db *db;
    struct manifest *view;
    struct source *source;
    size_t count;
    bool whole; /* all that there are, none lost */
    const _Atomic bool *stop;
    struct seg_entry *pages;
    uint16_t *lengths;
    uint32_t page_count, docs;
    int32_t lang[LANG_COUNT + 1];
    struct seg_writer *w;
    int64_t dropped; /* postings of the word at hand */
    char name[24];
    int64_t bytes;
};

static bool is_asked_to_stop(const _Atomic bool *stop)
{
    return stop != NULL && atomic_load(stop);
}

/* --- pages ------------------------------------------------------------- */

static bool is_removed(const struct placed *p, uint32_t page)
{
    const uint64_t *removed = placed_removed(p);

    return removed != NULL && (removed[page / 64] >> page % 64 & 1) != 0;
}

/* To the next page that is there; false at the end. */
static bool find_page(struct source *x)
{
    while (x->page < x->s->head->pages && is_removed(x->p, x->page))
        x->doc[x->page++] = GONE;
    while (x->page < x->s->head->pages &&
           x->s->hosts[x->host + 1].page <= x->page)
        x->host++;
    return x->page < x->s->head->pages;
}

static struct seg_entry entry_of(const struct source *x)
{
    const struct seg_page *p = &x->s->pages[x->page];

    return (struct seg_entry){.first = p->first,
                              .docs = p[1].doc - p->doc,
                              .day = p->day,
                              .lang = (enum lang)p->lang,
                              .goes_on = p->goes_on,
                              .rhost =
                                  x->s->strings + x->s->hosts[x->host].name,
                              .url = x->s->strings + p->url};
}

static bool stands_before(const struct seg_entry *a, const struct seg_entry *b)
{
    int c = strcmp(a->rhost, b->rhost);

    c = c != 0 ? c : strcmp(a->url, b->url);
    return c != 0 ? c < 0 : a->first < b->first;
}

static void take_page(struct merge *m, struct source *x,
                      const struct seg_entry *e)
{
    m->pages[m->page_count++] = *e;
    memcpy(m->lengths + m->docs, x->s->lengths + x->s->pages[x->page].doc,
           sizeof *m->lengths * e->docs);
    x->doc[x->page++] = m->docs;
    m->docs += e->docs;
    if (e->lang != LANG_EN)
        m->lang[e->lang] += (int32_t)e->docs;
}

static void order_pages(struct merge *m)
{
    for (;;) {
        struct source *best = NULL;
        struct seg_entry least = {0}, e;

        for (size_t i = 0; i < m->count; i++) {
            if (!find_page(&m->source[i]))
                continue;
            e = entry_of(&m->source[i]);
            if (best == NULL || stands_before(&e, &least)) {
                best = &m->source[i];
                least = e;
            }
        }
        if (best == NULL)
            return;
        take_page(m, best, &least);
    }
}

/* What the heads say together stays true; of the whole, what was counted. */
static void count_languages(struct merge *m)
{
    if (!m->whole)
        memset(m->lang, 0, sizeof m->lang);
    for (size_t i = 0; i < m->count && !m->whole; i++)
        for (int l = 0; l < LANG_COUNT; l++)
            m->lang[l] += m->source[i].s->head->lang[l];
}

static enum err ready(struct merge *m, struct errctx *ec)
{
    uint64_t pages = 1, docs = 1;

    for (size_t i = 0; i < m->count; i++) {
        struct source *x = &m->source[i];

        x->s = x->p->s;
        x->doc = malloc(sizeof *x->doc * (x->s->head->pages + 1));
        pages += x->s->head->pages;
        docs += x->s->head->docs;
        if (x->doc == NULL)
            return err_set(ec, ERR_NOMEM, "out of memory");
    }
    m->pages = malloc(sizeof *m->pages * pages);
    m->lengths = malloc(sizeof *m->lengths * docs);
    if (m->pages == NULL || m->lengths == NULL || docs > UINT32_MAX)
        return err_set(ec, ERR_NOMEM, "out of memory");
    order_pages(m);
    count_languages(m);
    return ERR_OK;
}

/* --- words ------------------------------------------------------------- */

/* From the posting c stands at to one whose page is there. */
static void find_posting(struct merge *m, struct source *x)
{
    const struct seg_page *pages = x->s->pages;

    for (; x->held; x->held = cursor_next(&x->c)) {
        uint32_t doc = x->c.doc[x->c.i];

        while (pages[x->page + 1].doc <= doc)
            x->page++;
        if (x->doc[x->page] != GONE) {
            x->next = x->doc[x->page] + (doc - pages[x->page].doc);
            return;
        }
        m->dropped++;
    }
}

static int compare_words(const struct source *a, const struct source *b)
{
    size_t n = a->words.len < b->words.len ? a->words.len : b->words.len;
    int c = memcmp(a->words.text, b->words.text, n);

    return c != 0
               ? c
               : (a->words.len > b->words.len) - (a->words.len < b->words.len);
}

/* The postings of all that hold the word, in their new order. */
static void write_postings(struct merge *m)
{
    for (;;) {
        struct source *best = NULL;

        for (size_t i = 0; i < m->count; i++) {
            struct source *x = &m->source[i];

            if (x->held && (best == NULL || x->next < best->next))
                best = x;
        }
        if (best == NULL)
            return;
        seg_writer_posting(m->w, best->next,
                           cursor_code_at(&best->c, best->c.i));
        best->held = cursor_next(&best->c);
        find_posting(m, best);
    }
}

static void write_word(struct merge *m, const struct source *least)
{
    struct seg_words word = least->words;
    int64_t removed = 0;

    m->dropped = 0;
    for (size_t i = 0; i < m->count; i++) {
        struct source *x = &m->source[i];

        if (!x->more || x->words.len != word.len ||
            memcmp(x->words.text, word.text, word.len) != 0)
            continue;
        removed += x->words.term.removed;
        x->page = 0;
        cursor_begin(&x->c, x->s, &x->words.term);
        x->held = x->words.term.df > 0 && cursor_seek(&x->c, 0);
        find_posting(m, x);
        x->more = seg_words_next(&x->words);
    }
    seg_writer_term(m->w, word.text, word.len);
    write_postings(m);
    seg_writer_removed(m->w, m->whole ? 0 : removed - m->dropped);
}

static enum err write_words(struct merge *m, struct errctx *ec)
{
    for (size_t i = 0; i < m->count; i++) {
        seg_words_begin(&m->source[i].words, m->source[i].s);
        m->source[i].more = seg_words_next(&m->source[i].words);
    }
    while (!is_asked_to_stop(m->stop)) {
        struct source *least = NULL;

        for (size_t i = 0; i < m->count; i++)
            if (m->source[i].more &&
                (least == NULL || compare_words(&m->source[i], least) < 0))
                least = &m->source[i];
        if (least == NULL)
            break;
        write_word(m, least);
    }
    if (is_asked_to_stop(m->stop))
        return err_set(ec, ERR_GONE, "asked to stop");
    for (size_t i = 0; i < m->count; i++)
        if (atomic_load(&m->source[i].s->damaged))
            return err_set(ec, ERR_DB, "segment %s of the index is damaged",
                           m->source[i].p->name);
    return ERR_OK;
}

static enum err write_merged(struct merge *m, struct errctx *ec)
{
    char path[4096];
    enum err e = shelf_new_name(m->name, ec);

    if (e == ERR_OK)
        e = shelf_path(m->db, m->name, path, sizeof path, ec);
    if (e == ERR_OK)
        e = seg_writer_new(path, m->pages, m->page_count, m->lengths, m->docs,
                           &m->w, ec);
    if (e != ERR_OK)
        return e;
    e = write_words(m, ec);
    if (e == ERR_OK)
        return seg_writer_finish(m->w, m->lang, true, &m->bytes, ec);
    seg_writer_free(m->w);
    return e;
}

/* --- naming it --------------------------------------------------------- */

/* The inputs, if they are named still. */
static enum err drop_inputs(const struct merge *m, struct errctx *ec)
{
    enum err e = ERR_OK;

    for (size_t i = 0; i < m->count && e == ERR_OK; i++) {
        e = sql_do(m->db, ec, "DELETE FROM segment WHERE id = ?1",
                   as_int(m->source[i].p->id));
        if (e == ERR_OK && sql_changes(m->db) == 0)
            e = err_set(ec, ERR_INTERNAL, "somebody else merged them");
    }
    return e;
}

static bool is_source_of(const struct merge *m, int64_t first)
{
    for (size_t i = 0; i < m->count; i++)
        if (segment_page(m->source[i].s, first) != UINT32_MAX)
            return true;
    return m->whole;
}

/* Removals that the merge has done. */
static enum err drop_removed(const struct merge *m, struct errctx *ec)
{
    struct stmt *q = sql_get(m->db, "SELECT seq, first FROM removed"
                                    " WHERE seq > ?2 AND seq <= ?1"
                                    " ORDER BY seq LIMIT 1");
    int64_t seq = 0;
    bool row = true;
    enum err e = ERR_OK;

    while (e == ERR_OK && row) {
        int64_t first = 0;

        sql_int(q, 1, m->view->seq);
        sql_int(q, 2, seq);
        e = sql_step(q, &row, ec);
        if (e == ERR_OK && row) {
            seq = sql_col_int(q, 0);
            first = sql_col_int(q, 1);
        }
        sql_end(q);
        if (e == ERR_OK && row && is_source_of(m, first))
            e = sql_do(m->db, ec, "DELETE FROM removed WHERE seq = ?1",
                       as_int(seq));
    }
    return e;
}

static enum err name_in(struct db *db, void *arg, struct errctx *ec)
{
    struct merge *m = arg;
    struct merge here = *m;
    enum err e;

    here.db = db;
    e = drop_inputs(&here, ec);
    if (e == ERR_OK)
        e = drop_removed(&here, ec);
    if (e == ERR_OK)
        e = shelf_add(db, m->name, m->page_count, m->docs, m->bytes,
                      m->view->seq, ec);
    return e;
}

static void unlink_named(const struct db *db, const char *name)
{
    char path[4096];

    if (shelf_path(db, name, path, sizeof path, NULL) == ERR_OK)
        (void)unlink(path);
}

static void merge_fini(struct merge *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->source[i].doc);
    free(m->source);
    free(m->pages);
    free(m->lengths);
}

/* m->db, view, source (with p), count and whole are set. */
static enum err merge_run(struct merge *m, struct errctx *ec)
{
    enum err e = ready(m, ec);

    if (e == ERR_OK)
        e = write_merged(m, ec);
    if (e == ERR_OK) {
        e = db_write(m->db, name_in, m, ec);
        if (e != ERR_OK)
            unlink_named(m->db, m->name);
        for (size_t i = 0; i < m->count && e == ERR_OK; i++)
            unlink_named(m->db, m->source[i].p->name);
    }
    return e;
}

/* --- which ------------------------------------------------------------- */

static int kind_of(int64_t passages)
{
    int kind = 0;

    for (int64_t top = KIND_FIRST; passages >= top; top *= KIND_TIMES)
        kind++;
    return kind;
}

/* All; or those of the smallest kind of which, with all smaller ones, there
 * are enough, unless most of the work would be to copy the largest; or one of
 * which most is removed. The largest come first. */
static size_t choose(struct merge *m, int64_t passages_max)
{
    const struct manifest *v = m->view;

    for (int kind = 0; kind <= KIND_LAST; kind++) {
        int64_t sum = 0, largest = 0;
        size_t n = 0;

        for (size_t i = v->count; i-- > 0 && (m->whole || n < AT_ONCE);) {
            if (!m->whole && (!placed_is_whole(&v->v[i]) ||
                              kind_of(v->v[i].passages) > kind))
                continue;
            m->source[n++].p = &v->v[i];
            largest = v->v[i].passages;
            sum += largest;
        }
        if (m->whole ||
            (n >= OF_A_KIND && largest <= COPIED_TIMES * (sum - largest)))
            return sum <= passages_max ? n : 0;
    }
    for (size_t i = 0; i < v->count; i++) {
        m->source[0].p = &v->v[i];
        if (placed_is_whole(&v->v[i]) && v->v[i].passages <= passages_max &&
            placed_removed_passages(&v->v[i]) * 2 > v->v[i].passages)
            return 1;
    }
    return 0;
}

/* *done: nothing more is to be merged. */
static enum err merge_once(struct db *db, int64_t passages_max, bool whole,
                           const _Atomic bool *stop, bool *done,
                           struct errctx *ec)
{
    struct merge m = {.db = db, .whole = whole, .stop = stop};
    struct manifest_sums sums;
    enum err e = shelf_look(db, &m.view, ec);

    if (e != ERR_OK)
        return e;
    manifest_sum(m.view, &sums);
    m.source = calloc(m.view->count + 1, sizeof *m.source);
    if (m.source == NULL)
        e = err_set(ec, ERR_NOMEM, "out of memory");
    else if (whole && sums.lost > 0)
        e = err_set(ec, ERR_DB, "a segment of the index cannot be read");
    else
        m.count = choose(&m, passages_max);
    *done = whole || m.count == 0;
    if (e == ERR_OK && m.count > 0)
        e = merge_run(&m, ec);
    merge_fini(&m);
    manifest_free(m.view);
    return e;
}

/* The lock of the folder; -1: somebody else has it, or there is no folder. */
static int take_lock(const struct db *db, bool wait)
{
    char path[4096];
    int fd;

    if (shelf_path(db, "lock", path, sizeof path, NULL) != ERR_OK)
        return -1;
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        shelf_give(db, path);
    if (fd >= 0 && flock(fd, wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Are there so many that the lock is worth a look? */
static bool is_due(struct db *db)
{
    struct errctx ec;
    int64_t due;

    return sql_number(sql_with(db,
                               "SELECT count(*) >= ?1 OR"
                               " 2 * (SELECT count(*) FROM removed) >"
                               " (SELECT pages FROM counter) FROM segment",
                               as_int(OF_A_KIND)),
                      &due, &ec) == ERR_OK &&
           due != 0;
}

enum err shelf_merge(struct db *db, int64_t passages_max, bool whole,
                     const _Atomic bool *stop, struct errctx *ec)
{
    enum err e = ERR_OK;
    bool done = false;
    int lock;

    if (!whole && !is_due(db))
        return ERR_OK;
    lock = take_lock(db, whole);
    if (lock < 0)
        return ERR_OK;
    while (e == ERR_OK && !done)
        e = merge_once(db, passages_max, whole, stop, &done, ec);
    close(lock);
    return e;
}

/* --- making again ------------------------------------------------------ */

struct again {
    int64_t after, rebuilt; /* the last page looked at */
    int64_t passages;       /* gathered in this transaction */
    bool more;
};

/* Page's columns: id, first, passages, url, rhost, title, day, lang. */
static enum err gather_again(struct db *db, struct stmt *q, struct arena *a,
                             struct errctx *ec)
{
    struct gather *g = shelf_gather(db);
    enum lang l = lang_of_tag((const char *)sqlite3_column_text(q->h, 7));
    const char *url = sql_col_text(q, 3, a), *rhost = sql_col_text(q, 4, a);
    const char *title = sql_col_text(q, 5, a);

    if (g == NULL || arena_failed(a) ||
        gather_page(g, sql_col_int(q, 1), rhost, url, page_col_day(q, 6),
                    title) != ERR_OK)
        return err_set(ec, ERR_NOMEM, "out of memory");
    return page_gather_passages(db, sql_col_int(q, 1), sql_col_int(q, 2), l,
                                ec);
}

/* The pages behind x->after that are in no segment, as many as fit in one
 * transaction. */
static enum err again_in(struct db *db, void *arg, struct errctx *ec)
{
    struct again *x = arg;
    struct stmt *q =
        sql_get(db, "SELECT id, first, passages, url, rhost, title,"
                    " day, lang FROM page WHERE id > ?1"
                    " AND passages > 0 ORDER BY id");
    struct arena a;
    enum err e;

    arena_init(&a, 1 << 20);
    x->passages = 0;
    sql_int(q, 1, x->after);
    while ((e = sql_step(q, &x->more, ec)) == ERR_OK && x->more) {
        bool there = false;

        if (x->passages >= REBUILT_AT_ONCE)
            break;
        e = shelf_holds(db, sql_col_int(q, 1), &there, ec);
        if (e == ERR_OK && !there)
            e = gather_again(db, q, &a, ec);
        if (e != ERR_OK)
            break;
        x->after = sql_col_int(q, 0);
        x->passages += there ? 0 : sql_col_int(q, 2);
        x->rebuilt += !there;
        arena_reset(&a);
    }
    sql_end(q);
    arena_fini(&a);
    return e;
}

/* Take the lost ones out of the manifest, or with all whatever it names. */
static enum err forget_in(struct db *db, void *arg, struct errctx *ec)
{
    const bool *all = arg;
    struct manifest *v = NULL;
    enum err e = shelf_read(db, MANIFEST_LAST, &v, ec);

    for (size_t i = 0; e == ERR_OK && i < v->count; i++) {
        if (!*all && placed_is_whole(&v->v[i]))
            continue;
        e = sql_do(db, ec, "DELETE FROM segment WHERE id = ?1",
                   as_int(v->v[i].id));
    }
    if (e == ERR_OK)
        e = shelf_changed(db, ec);
    manifest_free(v);
    return e;
}

/* Files that the manifest does not name: nobody else makes any, while there is
 * a transaction and the lock. */
static enum err sweep_in(struct db *db, void *arg, struct errctx *ec)
{
    struct stmt *q = sql_get(db, "SELECT 1 FROM segment WHERE name = ?1");
    const struct dirent *entry;
    char folder[4096];
    enum err e = shelf_path(db, "", folder, sizeof folder, ec);
    DIR *d = e == ERR_OK ? opendir(folder) : NULL;

    (void)arg;
    while (d != NULL && e == ERR_OK && (entry = readdir(d)) != NULL) {
        size_t n = strlen(entry->d_name);
        bool named = true;

        if (n < 4 || strcmp(entry->d_name + n - 4, ".seg") != 0)
            continue;
        sql_text(q, 1, entry->d_name);
        e = sql_step(q, &named, ec);
        sql_end(q);
        if (e == ERR_OK && !named)
            unlink_named(db, entry->d_name);
    }
    if (d != NULL)
        closedir(d);
    return e;
}

/* What the pages have and what can be found, at one moment. */
static enum err compare(struct db *db, int64_t *stored,
                        struct manifest_sums *sums, struct errctx *ec)
{
    struct manifest *v = NULL;
    enum err e = db_read_begin(db, ec);

    if (e != ERR_OK)
        return e;
    e = sql_number(sql_get(db, "SELECT passages FROM counter"), stored, ec);
    if (e == ERR_OK)
        e = shelf_read(db, MANIFEST_LAST, &v, ec);
    db_read_end(db);
    if (e == ERR_OK)
        manifest_sum(v, sums);
    manifest_free(v);
    return e;
}

static enum err make_again(struct db *db, bool all, const _Atomic bool *stop,
                           struct errctx *ec)
{
    struct again x = {.more = true};
    enum err e = ERR_OK;

    if (all)
        e = db_write(db, forget_in, &all, ec);
    while (e == ERR_OK && x.more)
        e = is_asked_to_stop(stop) ? err_set(ec, ERR_GONE, "asked to stop")
                                   : db_write(db, again_in, &x, ec);
    if (e == ERR_OK && !all)
        e = db_write(db, forget_in, &all, ec);
    return e;
}

enum err shelf_repair(struct db *db, const _Atomic bool *stop,
                      struct errctx *ec)
{
    struct manifest_sums sums = {0};
    int64_t stored = 0;
    int lock = take_lock(db, true);
    enum err e = compare(db, &stored, &sums, ec);
    bool missing = e == ERR_OK && (sums.lost > 0 || sums.passages != stored);

    if (missing)
        e = make_again(db, sums.passages > stored, stop, ec);
    if (missing && e == ERR_OK)
        e = compare(db, &stored, &sums, ec);
    /* More, or less, than there is: nothing of it can be believed. */
    if (missing && e == ERR_OK && sums.passages != stored)
        e = make_again(db, true, stop, ec);
    if (e == ERR_OK && lock >= 0)
        e = db_write(db, sweep_in, NULL, ec);
    if (lock >= 0)
        close(lock);
    if (missing && e == ERR_OK)
        e = shelf_merge(db, INT64_MAX, true, stop, ec);
    return e;
}
