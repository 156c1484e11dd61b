/* The manifest and the segments it names; see shelf.h. Merging and making
 * again are merge.c. */
#include "index/shelf.h"

#include "base/id.h"
#include "base/log.h"
#include "text/stemmer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 4 };

struct shared_segment {
    _Atomic int users;
    struct segment *s;
};

/* Of a database file, for all threads. */
struct shelf {
    pthread_mutex_t lock;
    struct manifest *now; /* the last that was committed, or NULL */
};

struct made {
    char name[24];
    struct made *next;
};

/* Of a connection. */
struct desk {
    struct guest guest;
    struct gather *gather;
    struct manifest *seen; /* by the running transaction, or NULL */
    struct made *made;     /* files of the running transaction */
    bool changed;          /* it has changed the manifest */
    struct stemmer *stemmers[LANG_COUNT]; /* made when first needed */
};

/* --- views ------------------------------------------------------------- */

static void shared_free(struct shared_segment *x)
{
    if (x == NULL || atomic_fetch_sub(&x->users, 1) > 1)
        return;
    segment_close(x->s);
    free(x);
}

static void gone_free(struct gone *g)
{
    if (g != NULL && atomic_fetch_sub(&g->users, 1) == 1)
        free(g);
}

void manifest_free(struct manifest *v)
{
    if (v == NULL || atomic_fetch_sub(&v->users, 1) > 1)
        return;
    for (size_t i = 0; i < v->count; i++) {
        shared_free(v->v[i].shared);
        gone_free(v->v[i].gone);
    }
    free(v->v);
    free(v);
}

static void shelf_free(void *p)
{
    struct shelf *x = p;

    manifest_free(x->now);
    pthread_mutex_destroy(&x->lock);
    free(x);
}

static struct shelf *shelf_of(struct db *db)
{
    struct db_file *f = db->file;
    struct shelf *x;

    pthread_mutex_lock(&f->lock);
    if (f->shared == NULL && (x = calloc(1, sizeof *x)) != NULL) {
        pthread_mutex_init(&x->lock, NULL);
        f->shared = x;
        f->shared_free = shelf_free;
    }
    x = f->shared;
    pthread_mutex_unlock(&f->lock);
    return x;
}

enum err shelf_path(const struct db *db, const char *name, char *out,
                    size_t size, struct errctx *ec)
{
    const char *path = db->file->path;
    size_t n = strlen(path);

    if (n > 3 && strcmp(path + n - 3, ".db") == 0)
        n -= 3;
    if (snprintf(out, size, "%.*s%s%s", (int)n, path,
                 name[0] == '\0' ? "" : "/", name) >= (int)size)
        return err_set(ec, ERR_TOO_LARGE, "the path is too long: %s", path);
    return ERR_OK;
}

void shelf_give(const struct db *db, const char *path)
{
    struct stat st;

    if (geteuid() == 0 && stat(db->file->path, &st) == 0)
        (void)!chown(path, st.st_uid, st.st_gid);
}

/* Open what the row names; ERR_OK with p->s NULL: it is lost. */
static enum err open_placed(struct db *db, enum manifest_mode mode,
                            struct placed *p, struct errctx *ec)
{
    struct segment *s = NULL;
    struct errctx why = {0};
    char path[4096];
    enum err e = shelf_path(db, p->name, path, sizeof path, ec);

    if (e != ERR_OK)
        return e;
    e = segment_open(path, &s, &why);
    if (e == ERR_NOT_FOUND && mode == MANIFEST_TRY)
        return err_set(ec, ERR_BUSY, "%s", why.msg);
    if (e == ERR_NOMEM || e == ERR_BUSY)
        return err_set(ec, e, "%s", why.msg);
    if (e == ERR_OK && s->head->sum != (uint64_t)p->sum) {
        segment_close(s);
        e = err_set(&why, ERR_MALFORMED, "another one has its name");
    }
    if (e != ERR_OK) {
        log_warn(NULL,
                 "segment %s of the index cannot be read (%s): its pages"
                 " are not found until cited index optimize",
                 p->name, why.msg);
        return ERR_OK;
    }
    p->shared = calloc(1, sizeof *p->shared);
    if (p->shared == NULL) {
        segment_close(s);
        return err_set(ec, ERR_NOMEM, "out of memory");
    }
    atomic_store(&p->shared->users, 1);
    p->shared->s = p->s = s;
    return ERR_OK;
}

/* What an earlier view knows of the segment; false: it does not. */
static bool take_over(struct placed *p, const struct manifest *old)
{
    for (size_t i = 0; old != NULL && i < old->count; i++) {
        const struct placed *o = &old->v[i];

        if (o->id != p->id || o->sum != p->sum)
            continue;
        if (o->s == NULL)
            return true;
        atomic_fetch_add(&o->shared->users, 1);
        p->shared = o->shared;
        p->s = o->s;
        p->gone = o->gone;
        if (p->gone != NULL)
            atomic_fetch_add(&p->gone->users, 1);
        p->applied = old->seq;
        return true;
    }
    return false;
}

static enum err read_segments(struct db *db, enum manifest_mode mode,
                              const struct manifest *old, struct manifest *v,
                              struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "SELECT id, name, sum, bytes, pages, passages,"
                    " applied FROM segment ORDER BY passages DESC");
    size_t room = 0;
    bool row = true;
    enum err e;

    while ((e = sql_step(q, &row, ec)) == ERR_OK && row) {
        struct placed *p = v->v;

        if (v->count == room) {
            room = room == 0 ? 16 : room * 2;
            p = realloc(v->v, sizeof *v->v * room);
        }
        if (p == NULL) {
            e = err_set(ec, ERR_NOMEM, "out of memory");
            break;
        }
        v->v = p;
        p += v->count++;
        *p = (struct placed){.id = sql_col_int(q, 0),
                             .sum = sql_col_int(q, 2),
                             .bytes = sql_col_int(q, 3),
                             .pages = sql_col_int(q, 4),
                             .passages = sql_col_int(q, 5),
                             .applied = sql_col_int(q, 6)};
        snprintf(p->name, sizeof p->name, "%s",
                 (const char *)sqlite3_column_text(q->h, 1));
        if (!take_over(p, old))
            e = open_placed(db, mode, p, ec);
        if (e != ERR_OK)
            break;
    }
    sql_end(q);
    return e;
}

/* A bitmap of its own for one more removal. */
static bool own_gone(struct placed *p)
{
    size_t bytes = (size_t)(p->s->head->pages + 63) / 64 * 8;
    struct gone *g;

    if (p->gone != NULL && atomic_load(&p->gone->users) == 1)
        return true;
    g = calloc(1, sizeof *g + bytes);
    if (g == NULL)
        return false;
    atomic_store(&g->users, 1);
    if (p->gone != NULL) {
        g->passages = p->gone->passages;
        memcpy(g->bits, p->gone->bits, bytes);
        gone_free(p->gone);
    }
    p->gone = g;
    return true;
}

static enum err remove_from(struct placed *p, int64_t first)
{
    uint32_t page = p->s == NULL ? UINT32_MAX : segment_page(p->s, first);
    uint32_t end;

    if (page == UINT32_MAX)
        return ERR_OK;
    if (!own_gone(p))
        return ERR_NOMEM;
    end = segment_page_end(p->s, page);
    if (!(p->gone->bits[page / 64] >> page % 64 & 1))
        p->gone->passages += p->s->pages[end].doc - p->s->pages[page].doc;
    for (; page < end; page++)
        p->gone->bits[page / 64] |= (uint64_t)1 << page % 64;
    return ERR_OK;
}

static enum err read_removed(struct db *db, struct manifest *v,
                             struct errctx *ec)
{
    struct stmt *q =
        sql_get(db, "SELECT seq, first FROM removed WHERE seq > ?1");
    int64_t from = INT64_MAX;
    bool row = true;
    enum err e;

    for (size_t i = 0; i < v->count; i++)
        from = v->v[i].applied < from ? v->v[i].applied : from;
    sql_int(q, 1, from);
    while ((e = sql_step(q, &row, ec)) == ERR_OK && row) {
        int64_t seq = sql_col_int(q, 0), first = sql_col_int(q, 1);

        v->seq = seq > v->seq ? seq : v->seq;
        for (size_t i = 0; i < v->count && e == ERR_OK; i++)
            if (seq > v->v[i].applied)
                e = remove_from(&v->v[i], first);
        if (e != ERR_OK)
            break;
    }
    sql_end(q);
    return e;
}

static enum err read_generation(struct db *db, struct manifest *v,
                                struct errctx *ec)
{
    return sql_numbers(
        sql_get(db, "SELECT generation, (SELECT seq FROM sqlite_sequence"
                    " WHERE name = 'removed') FROM counter"),
        (int64_t *[]){&v->generation, &v->seq}, 2, ec);
}

static struct manifest *current(struct shelf *x)
{
    struct manifest *v;

    pthread_mutex_lock(&x->lock);
    v = x->now;
    if (v != NULL)
        atomic_fetch_add(&v->users, 1);
    pthread_mutex_unlock(&x->lock);
    return v;
}

static void make_current(struct shelf *x, struct manifest *v)
{
    struct manifest *old = NULL;

    pthread_mutex_lock(&x->lock);
    if (x->now == NULL || x->now->generation < v->generation) {
        old = x->now;
        x->now = v;
        atomic_fetch_add(&v->users, 1);
    }
    pthread_mutex_unlock(&x->lock);
    manifest_free(old);
}

enum err shelf_read(struct db *db, enum manifest_mode mode,
                    struct manifest **out, struct errctx *ec)
{
    const struct desk *d = (const struct desk *)db->guest;
    struct shelf *x = shelf_of(db);
    struct manifest *v = calloc(1, sizeof *v), *old;
    enum err e;

    if (x == NULL || v == NULL) {
        free(v);
        return err_set(ec, ERR_NOMEM, "out of memory");
    }
    atomic_store(&v->users, 1);
    old = current(x);
    e = read_generation(db, v, ec);
    if (e == ERR_OK && old != NULL && old->generation == v->generation) {
        manifest_free(v);
        *out = old;
        return ERR_OK;
    }
    if (e == ERR_OK)
        e = read_segments(db, mode, old, v, ec);
    if (e == ERR_OK)
        e = read_removed(db, v, ec);
    manifest_free(old);
    if (e == ERR_OK && (d == NULL || !d->changed))
        make_current(x, v);
    if (e != ERR_OK)
        manifest_free(v);
    else
        *out = v;
    return e;
}

enum err shelf_look(struct db *db, struct manifest **out, struct errctx *ec)
{
    enum err e = ERR_BUSY;

    for (int i = 1; i <= TRIES && e == ERR_BUSY; i++) {
        e = db_read_begin(db, ec);
        if (e != ERR_OK)
            return e;
        e = shelf_read(db, i < TRIES ? MANIFEST_TRY : MANIFEST_LAST, out, ec);
        db_read_end(db);
    }
    return e;
}

void manifest_sum(const struct manifest *v, struct manifest_sums *out)
{
    *out = (struct manifest_sums){.segments = (int64_t)v->count};
    for (size_t i = 0; i < v->count; i++) {
        const struct placed *p = &v->v[i];

        out->bytes += p->bytes;
        if (placed_is_whole(p)) {
            out->passages += p->passages - placed_removed_passages(p);
            out->removed += placed_removed_passages(p);
        } else {
            out->lost++;
        }
    }
}

int64_t manifest_find(const struct manifest *v, const char *text, size_t n,
                      struct seg_term *out)
{
    int64_t df = 0;

    for (size_t i = 0; i < v->count; i++) {
        struct seg_term t = {0};

        if (placed_is_whole(&v->v[i]) && segment_find(v->v[i].s, text, n, &t))
            df += (int64_t)t.df - t.removed;
        if (out != NULL)
            out[i] = t;
    }
    return df > 0 ? df : 0;
}

void manifest_languages(const struct manifest *v, int64_t passages[LANG_COUNT])
{
    memset(passages, 0, sizeof *passages * LANG_COUNT);
    for (size_t i = 0; i < v->count; i++)
        for (int l = 0; l < LANG_COUNT && placed_is_whole(&v->v[i]); l++)
            passages[l] += v->v[i].s->head->lang[l];
}

static bool is_same(const struct seg_words *a, const struct seg_words *b)
{
    return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/* One word of all that are next; NULL: no more. */
static const struct seg_words *least_word(const struct seg_words *w, size_t n)
{
    const struct seg_words *least = NULL;

    for (size_t i = 0; i < n; i++)
        if (w[i].s != NULL &&
            (least == NULL || strcmp(w[i].text, least->text) < 0))
            least = &w[i];
    return least;
}

enum err manifest_count_terms(const struct manifest *v, int64_t *out,
                              struct errctx *ec)
{
    struct seg_words *w = calloc(v->count + 1, sizeof *w);
    const struct seg_words *least;

    if (w == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < v->count; i++) {
        seg_words_begin(&w[i], v->v[i].s);
        if (!placed_is_whole(&v->v[i]) || !seg_words_next(&w[i]))
            w[i].s = NULL;
    }
    for (*out = 0; (least = least_word(w, v->count)) != NULL;) {
        struct seg_words word = *least;
        int64_t df = 0;

        for (size_t i = 0; i < v->count; i++) {
            if (w[i].s == NULL || !is_same(&w[i], &word))
                continue;
            df += (int64_t)w[i].term.df - w[i].term.removed;
            if (!seg_words_next(&w[i]))
                w[i].s = NULL;
        }
        *out += df > 0;
    }
    free(w);
    return ERR_OK;
}

/* --- writing ----------------------------------------------------------- */

static enum err before_commit(struct db *db, struct errctx *ec);

/* The files of a transaction that failed; of one that did not they stay. */
static void after_end(struct db *db, bool committed)
{
    struct desk *d = (struct desk *)db->guest;
    char path[4096];

    for (struct made *m = d->made, *next; m != NULL; m = next) {
        next = m->next;
        if (!committed &&
            shelf_path(db, m->name, path, sizeof path, NULL) == ERR_OK)
            (void)unlink(path);
        free(m);
    }
    d->made = NULL;
    if (d->gather != NULL)
        gather_clear(d->gather);
    manifest_free(d->seen);
    d->seen = NULL;
    d->changed = false;
}

static void desk_free(struct guest *g)
{
    struct desk *d = (struct desk *)g;

    gather_free(d->gather);
    manifest_free(d->seen);
    for (int l = 0; l < LANG_COUNT; l++)
        stemmer_free(d->stemmers[l]);
    free(d);
}

static struct desk *desk_of(struct db *db)
{
    struct desk *d = (struct desk *)db->guest;

    if (d != NULL)
        return d;
    d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->guest = (struct guest){before_commit, after_end, desk_free};
    db->guest = &d->guest;
    return d;
}

enum err shelf_stemmer(struct db *db, enum lang l, struct stemmer **out,
                       struct errctx *ec)
{
    struct desk *d = desk_of(db);

    if (d == NULL ||
        (d->stemmers[l] == NULL && stemmer_new(l, &d->stemmers[l]) != ERR_OK))
        return err_set(ec, ERR_NOMEM, "out of memory");
    *out = d->stemmers[l];
    return ERR_OK;
}

struct gather *shelf_gather(struct db *db)
{
    struct desk *d = desk_of(db);

    if (d != NULL && d->gather == NULL)
        d->gather = gather_new();
    return d == NULL ? NULL : d->gather;
}

enum err shelf_new_name(char name[24], struct errctx *ec)
{
    uint64_t n;

    if (id_random(&n, sizeof n) != ERR_OK)
        return err_set(ec, ERR_INTERNAL, "no random numbers");
    snprintf(name, 24, "%016llx.seg", (unsigned long long)n);
    return ERR_OK;
}

enum err shelf_changed(struct db *db, struct errctx *ec)
{
    struct desk *d = desk_of(db);

    if (d == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    d->changed = true;
    return sql_run(
        sql_get(db, "UPDATE counter SET generation = generation + 1"), ec);
}

/* The head's sum is read back: what was written is what is meant. */
static enum err head_sum(const char *path, int64_t *out, struct errctx *ec)
{
    struct seg_head h;
    FILE *f = fopen(path, "rbe");
    bool ok = f != NULL && fread(&h, sizeof h, 1, f) == 1;

    if (f != NULL)
        fclose(f);
    if (!ok)
        return err_set(ec, ERR_IO, "cannot read %.200s", path);
    *out = (int64_t)h.sum;
    return ERR_OK;
}

enum err shelf_add(struct db *db, const char *name, int64_t pages,
                   int64_t passages, int64_t bytes, int64_t applied,
                   struct errctx *ec)
{
    struct stmt *q;
    char path[4096];
    int64_t sum = 0;
    enum err e = shelf_path(db, name, path, sizeof path, ec);

    if (e == ERR_OK)
        e = head_sum(path, &sum, ec);
    if (e != ERR_OK)
        return e;
    shelf_give(db, path);
    q = sql_get(db, "INSERT INTO segment(name, sum, bytes, pages, passages,"
                    " applied) VALUES(?1, ?2, ?3, ?4, ?5, ifnull(?6, ifnull("
                    "(SELECT seq FROM sqlite_sequence WHERE name = 'removed'),"
                    " 0)))");
    sql_text(q, 1, name);
    sql_int(q, 2, sum);
    sql_int(q, 3, bytes);
    sql_int(q, 4, pages);
    sql_int(q, 5, passages);
    if (applied >= 0)
        sql_int(q, 6, applied);
    else
        sql_text(q, 6, NULL);
    e = sql_run(q, ec);
    return e == ERR_OK ? shelf_changed(db, ec) : e;
}

static enum err make_folder(const struct db *db, struct errctx *ec)
{
    char path[4096];
    enum err e = shelf_path(db, "", path, sizeof path, ec);

    if (e != ERR_OK)
        return e;
    if (mkdir(path, 0700) == 0)
        shelf_give(db, path);
    else if (errno != EEXIST)
        e = err_set(ec, err_of_errno(errno),
                    "cannot make the folder %.200s: %s", path, strerror(errno));
    return e;
}

/* What was gathered becomes a segment; removed pages cannot be in it. */
static enum err spill(struct db *db, struct desk *d, struct errctx *ec)
{
    struct made *m = calloc(1, sizeof *m);
    struct gathered g = {0};
    char path[4096];
    enum err e;

    if (m == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    e = shelf_new_name(m->name, ec);
    if (e == ERR_OK)
        e = shelf_path(db, m->name, path, sizeof path, ec);
    if (e == ERR_OK)
        e = make_folder(db, ec);
    m->next = d->made;
    d->made = m;
    if (e == ERR_OK)
        e = gather_write(d->gather, path, &g, ec);
    if (e == ERR_OK)
        e = shelf_add(db, m->name, g.pages, g.passages, g.bytes, -1, ec);
    gather_clear(d->gather);
    manifest_free(d->seen);
    d->seen = NULL;
    return e;
}

static enum err before_commit(struct db *db, struct errctx *ec)
{
    struct desk *d = (struct desk *)db->guest;

    return d->gather == NULL || gather_is_empty(d->gather) ? ERR_OK
                                                           : spill(db, d, ec);
}

enum err shelf_spill(struct db *db, struct errctx *ec)
{
    struct desk *d = (struct desk *)db->guest;

    return gather_is_full(d->gather) ? spill(db, d, ec) : ERR_OK;
}

/* In a segment that can be read? Where it is in none, it is lost, and its
 * words are in no count. */
static bool is_placed(const struct manifest *v, int64_t first)
{
    for (size_t i = 0; i < v->count; i++)
        if (placed_is_whole(&v->v[i]) &&
            segment_page(v->v[i].s, first) != UINT32_MAX)
            return true;
    return false;
}

enum err shelf_holds(struct db *db, int64_t first, bool *out, struct errctx *ec)
{
    struct desk *d = desk_of(db);
    enum err e = ERR_OK;

    if (d == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    if (d->seen == NULL)
        e = shelf_read(db, MANIFEST_LAST, &d->seen, ec);
    if (e == ERR_OK)
        *out = is_placed(d->seen, first);
    return e;
}

enum err shelf_remove(struct db *db, int64_t first, bool *indexed,
                      struct errctx *ec)
{
    struct gather *g = shelf_gather(db);
    struct stmt *q;
    enum err e;

    *indexed = false;
    if (g == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    if (gather_drop(g, first))
        return ERR_OK;
    e = shelf_holds(db, first, indexed, ec);
    if (e != ERR_OK)
        return e;
    q = sql_get(db, "INSERT INTO removed(first) VALUES(?1)");
    sql_int(q, 1, first);
    e = sql_run(q, ec);
    return e == ERR_OK ? shelf_changed(db, ec) : e;
}
