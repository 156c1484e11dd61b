/*
 * cited doctor, the databases: are they ours, sound and current, and is there
 * what a service needs: an account with a key, pages, somebody at the tasks.
 */
#include "prog/cli_doctor.h"

#include "base/clock.h"
#include "index/board.h"
#include "index/page.h"
#include "run/slot.h"

enum {
    BEHIND_MS = 3000,
    CHECK_MS = 120000, /* for quick_check of both */
    SEGMENTS_MS = 60000,
    WAL_WARNING_MIB = 128, /* store/db.c cuts a log to 32 MiB */
    WAITING_MS = 120000,   /* a task that waits longer has nobody */
    EXPIRED_MS = 60000
};

static const char *path_of(struct doctor *d, const char *name)
{
    const char *path = conf_data_path(&d->cli->conf, &d->cli->arena, name);

    return path == NULL ? name : path;
}

/* --- the files --------------------------------------------------------- */

static void tell_newer(struct doctor *d, const char *path,
                       const struct db_look *l)
{
    doctor_bad(d, FOUND_DB_NEWER,
               "%s has version %lld, this program knows up to %lld", path,
               (long long)l->version, (long long)l->known);
}

static void check_wal(struct doctor *d, const char *path,
                      const struct db_look *l)
{
    long long mib = (long long)(l->wal_bytes >> 20);

    if (mib < WAL_WARNING_MIB)
        return;
    doctor_bad(d, FOUND_WAL_LARGE, "%s-wal has %lld MiB", path, mib);
}

/* The state database of several machines; its files are looked after there. */
static enum db_fault check_remote(struct doctor *d, struct db_look *l)
{
    enum db_fault fault = db_inspect_remote(d->cli->conf.database, l);

    if (fault == DB_UNREADABLE)
        doctor_bad(d, FOUND_STATE_AWAY, "the state database cannot be read: %s",
                   l->msg);
    else if (fault == DB_NEWER)
        tell_newer(d, l->server, l);
    else if (fault == DB_ABSENT)
        doctor_ok(d, "database",
                  "%s has no tables of cited yet; made when "
                  "first needed",
                  l->server);
    else
        doctor_ok(d, "database", "%s, version %lld%s", l->server,
                  (long long)l->version,
                  fault == DB_OLDER ? " (brought up to date at the next start)"
                                    : "");
    return fault;
}

static enum db_fault check_database(struct doctor *d, enum db_kind kind,
                                    struct deadline until, struct db_look *l)
{
    const char *name = kind == DB_STATE ? "state.db" : "index.db";
    const char *path = path_of(d, name);
    enum db_fault fault = db_inspect(kind, path, until, l);

    switch (fault) {
    case DB_ABSENT:
        doctor_ok(d, "database", "%s is not there yet; made when first needed",
                  path);
        break;
    case DB_EMPTY:
        doctor_bad(d, FOUND_DB_EMPTY, "%s is empty (0 bytes)", path);
        break;
    case DB_FOREIGN:
        doctor_bad(d, FOUND_DB_FOREIGN, "%s is not a database of cited: %s",
                   path, l->msg);
        break;
    case DB_NEWER:
        tell_newer(d, path, l);
        break;
    case DB_DAMAGED:
        doctor_bad(d,
                   kind == DB_INDEX ? FOUND_INDEX_DAMAGED : FOUND_STATE_DAMAGED,
                   "%s is damaged: %.200s", path, l->msg);
        break;
    case DB_UNREADABLE:
        doctor_bad(d, FOUND_DB_UNREADABLE, "%s cannot be read: %s", path,
                   l->msg);
        break;
    case DB_OLDER:
    case DB_SOUND:
        doctor_ok(
            d, "database", "%s, version %lld%s, %s", name,
            (long long)l->version,
            fault == DB_OLDER ? " (brought up to date at the next start)" : "",
            l->checked ? "sound" : "not checked to its end: it is very large");
        check_wal(d, path, l);
        break;
    }
    return fault;
}

void doctor_check_databases(struct doctor *d)
{
    struct deadline until = deadline_in(CHECK_MS);

    d->state_fault = d->index_fault = DB_ABSENT;
    if (!d->has_data)
        return;
    cli_progress(d->cli, "checking the state database");
    d->state_fault = *d->cli->conf.database != '\0'
                         ? check_remote(d, &d->state)
                         : check_database(d, DB_STATE, until, &d->state);
    cli_progress(d->cli, "checking index.db");
    d->index_fault = check_database(d, DB_INDEX, until, &d->index);
}

static bool is_readable(enum db_fault f)
{
    return f == DB_SOUND || f == DB_OLDER;
}

/* --- what is in them --------------------------------------------------- */

void doctor_check_accounts(struct doctor *d)
{
    const struct db_look *s = &d->state;

    if (!d->has_data ||
        (!is_readable(d->state_fault) && d->state_fault != DB_ABSENT))
        return;
    if (s->accounts == 0)
        doctor_bad(d, FOUND_NO_ACCOUNT, "there is no account in use");
    else if (s->keys == 0)
        doctor_bad(d, FOUND_NO_KEY, "no key is valid, of %lld accounts",
                   (long long)s->accounts);
    else
        doctor_ok(d, "account", "%lld in use, %lld keys",
                  (long long)s->accounts, (long long)s->keys);
}

/* The segments of a current index, read from end to end while there is time. */
static void check_segments(struct doctor *d)
{
    struct deadline until = deadline_in(SEGMENTS_MS);
    struct db_file *f = NULL;
    struct db *index = NULL;
    struct errctx ec = {ERR_OK, ""};
    struct index_size s = {0};
    enum err e = db_file_new(DB_INDEX, path_of(d, "index.db"), &f);

    if (e == ERR_OK)
        e = db_open(f, &index, &ec);
    if (e == ERR_OK)
        e = index_check(index, &until, &s, &ec);
    db_close(index);
    db_file_free(f);
    if (e != ERR_OK)
        doctor_bad(d, FOUND_SEGMENTS_UNASKED, "the index cannot be asked: %s",
                   ec.msg);
    else if (s.lost > 0 || s.missing > 0)
        doctor_bad(d, FOUND_SEGMENTS_LOST,
                   "%lld segments of the index cannot be read, %lld passages "
                   "are not found",
                   (long long)s.lost, (long long)s.missing);
    else
        doctor_ok(d, "segments", "%lld, sound; %lld removed passages in them",
                  (long long)s.segments, (long long)s.removed);
}

void doctor_check_index(struct doctor *d)
{
    const struct conf *c = &d->cli->conf;

    if (!c->use_index && c->provider_count == 0) {
        doctor_bad(d, FOUND_NO_SOURCE,
                   "search.index is false and no provider is configured");
        return;
    }
    if (!d->has_data ||
        (!is_readable(d->index_fault) && d->index_fault != DB_ABSENT))
        return;
    if (d->index_fault == DB_SOUND)
        check_segments(d);
    if (d->index.pages == 0 && c->provider_count == 0)
        doctor_bad(d, FOUND_NOTHING_TO_FIND,
                   "the index is empty and no provider is configured");
    else
        doctor_ok(d, "sources", "%lld pages, %lld passages, %zu providers",
                  (long long)d->index.pages, (long long)d->index.passages,
                  c->provider_count);
}

/* --- tasks ------------------------------------------------------------- */

static long long minutes_since(int64_t then_ms)
{
    return (long long)((clock_now_ms() - then_ms) / 60000);
}

static void tell_silent(struct doctor *d, const struct slots *s)
{
    doctor_bad(d, FOUND_HELPER_SILENT,
               "%lld research helpers hold a place without a sign of life, "
               "process %lld for %lld seconds",
               (long long)s->silent, (long long)s->pid,
               (long long)(s->silent_ms / 1000));
    doctor_mend(d,
                "kill -CONT %lld lets it go on, kill -KILL %lld ends it; "
                "nothing is lost.",
                (long long)s->pid, (long long)s->pid);
}

/* Does the index follow the pages in the database? */
void doctor_check_pages(struct doctor *d)
{
    const struct conf *c = &d->cli->conf;
    struct board_look l;

    if (*c->database == '\0' || !d->has_data)
        return;
    board_look_once(c, &l);
    if (l.fault == BOARD_CONFLICT)
        doctor_bad(d, FOUND_PAGES_CONFLICT,
                   "the index holds pages that are not those of the database");
    else if (!l.begun)
        doctor_bad(d, FOUND_PAGES_NOT_BEGUN,
                   "the index has not followed the pages of the database yet");
    else if (l.fault != BOARD_FINE || l.behind_ms >= BEHIND_MS)
        doctor_bad(d, FOUND_PAGES_BEHIND,
                   "the index is %lld s and %lld changes behind the pages of "
                   "the database%s",
                   (long long)(l.behind_ms / 1000), (long long)l.changes,
                   l.fault == BOARD_AWAY ? ", which did not answer last" : "");
    else
        doctor_ok(d, "pages", "the index follows the pages of the database");
}

void doctor_check_tasks(struct doctor *d)
{
    const struct db_look *s = &d->state;
    const struct conf *c = &d->cli->conf;
    int64_t now = clock_now_ms();
    struct slots helpers;

    slot_look(c->data_dir, c->lease_ms, &helpers);
    if (helpers.silent > 0)
        tell_silent(d, &helpers);
    if (!is_readable(d->state_fault))
        return;
    if (s->expired > 0 && now - s->expired_ms > c->lease_ms + EXPIRED_MS)
        doctor_bad(
            d, FOUND_TASKS_LEFT,
            "%lld tasks were left by their helper, the first %lld minutes ago",
            (long long)s->expired, minutes_since(s->expired_ms));
    else if (s->waiting > 0 && now - s->waiting_ms > WAITING_MS &&
             helpers.live == 0)
        doctor_bad(d,
                   c->workers == 0 ? FOUND_NO_HELPER_WANTED
                                   : FOUND_NO_HELPER_STARTED,
                   "%lld tasks wait, the oldest for %lld minutes, and no "
                   "helper is at work",
                   (long long)s->waiting, minutes_since(s->waiting_ms));
    else
        doctor_ok(d, "tasks", "%lld wait, none is stuck",
                  (long long)s->waiting);
}
