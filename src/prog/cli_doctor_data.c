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

static void tell_foreign(struct doctor *d, const char *path,
                         const struct db_look *l)
{
    doctor_bad(
        d, LEVEL_ERROR, "database",
        doctor_text(d, "%s is not a database of cited: %s", path, l->msg),
        "No program of cited opens it, so that nothing of somebody "
        "else is overwritten.",
        "Check that this is the right data folder; move the file away, "
        "or bring back the right one with cited restore.");
}

static void tell_empty(struct doctor *d, const char *path)
{
    doctor_bad(d, LEVEL_ERROR, "database",
               doctor_text(d, "%s is empty (0 bytes)", path),
               "What was in it is gone; no program of cited opens it, so that "
               "this is not taken for a new installation.",
               "Stop the service, then cited restore; without a backup, to "
               "begin anew, remove the file.");
}

static void tell_newer(struct doctor *d, const char *path,
                       const struct db_look *l)
{
    doctor_bad(d, LEVEL_ERROR, "database",
               doctor_text(d,
                           "%s has version %lld, this program knows up to "
                           "%lld",
                           path, (long long)l->version, (long long)l->known),
               "A later version of cited has used it; this one refuses it.",
               "Install that version again, or cited restore a backup made "
               "before the upgrade.");
}

static void tell_damaged(struct doctor *d, const char *path,
                         const struct db_look *l, bool is_index)
{
    doctor_bad(d, LEVEL_ERROR, "database",
               doctor_text(d, "%s is damaged: %.200s", path, l->msg),
               "Searches or tasks fail with 503, and what is read may be "
               "wrong. A disk that fails, or two machines on one network "
               "folder, are the usual causes.",
               is_index ? "Stop the service, then cited restore; without a "
                          "backup remove index.db* and crawl again."
                        : "Stop the service, then cited restore; without a "
                          "backup: sqlite3 state.db .recover.");
}

static void tell_unreadable(struct doctor *d, const char *path,
                            const struct db_look *l)
{
    doctor_bad(d, LEVEL_ERROR, "database",
               doctor_text(d, "%s cannot be read: %s", path, l->msg),
               "The service cannot read it either, or is holding it.",
               "See what was found about the folder and its files above; run "
               "this as the service's user.");
}

static void check_wal(struct doctor *d, const char *path,
                      const struct db_look *l)
{
    long long mib = (long long)(l->wal_bytes >> 20);

    if (mib < WAL_WARNING_MIB)
        return;
    doctor_bad(d, LEVEL_WARNING, "write-ahead-log",
               doctor_text(d, "%s-wal has %lld MiB", path, mib),
               "It is folded back whenever nobody reads an older state; one "
               "this large slows every search, and means that a reader "
               "hangs, or that programs were killed in the midst of a large "
               "crawl.",
               "Restart the service. If it stays: stop it and run cited index "
               "optimize.");
}

/* The state database of several machines; its files are looked after there. */
static enum db_fault check_remote(struct doctor *d, struct db_look *l)
{
    enum db_fault fault = db_inspect_remote(d->cli->conf.database, l);

    if (fault == DB_UNREADABLE)
        doctor_bad(
            d, LEVEL_ERROR, "database",
            doctor_text(d, "the state database cannot be read: %s", l->msg),
            "Requests that need an account or a task fail with 503.",
            "Try psql with the address of [state] database, as the "
            "service's user.");
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
        tell_empty(d, path);
        break;
    case DB_FOREIGN:
        tell_foreign(d, path, l);
        break;
    case DB_NEWER:
        tell_newer(d, path, l);
        break;
    case DB_DAMAGED:
        tell_damaged(d, path, l, kind == DB_INDEX);
        break;
    case DB_UNREADABLE:
        tell_unreadable(d, path, l);
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
        doctor_bad(d, LEVEL_ERROR, "account", "there is no account in use",
                   "Every request but /healthz needs an account's key.",
                   "cited account create EMAIL, then cited key create EMAIL");
    else if (s->keys == 0)
        doctor_bad(d, LEVEL_ERROR, "account",
                   doctor_text(d, "no key is valid, of %lld accounts",
                               (long long)s->accounts),
                   "Every request but /healthz is refused with 401.",
                   "cited key create EMAIL");
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
        doctor_bad(d, LEVEL_ERROR, "segments",
                   doctor_text(d, "the index cannot be asked: %s", ec.msg),
                   "Searches fail with 503.",
                   "See what was found about index.db above.");
    else if (s.lost > 0 || s.missing > 0)
        doctor_bad(d, LEVEL_WARNING, "segments",
                   doctor_text(d,
                               "%lld segments of the index cannot be read, "
                               "%lld passages are not found",
                               (long long)s.lost, (long long)s.missing),
                   "Searches go on without them. After a restore or an upgrade "
                   "a helper makes them, which takes seconds to minutes; else "
                   "a disk that fails is the usual cause.",
                   "cited index optimize makes them again from the pages.");
    else
        doctor_ok(d, "segments", "%lld, sound; %lld removed passages in them",
                  (long long)s.segments, (long long)s.removed);
}

void doctor_check_index(struct doctor *d)
{
    const struct conf *c = &d->cli->conf;

    if (!c->use_index && c->provider_count == 0) {
        doctor_bad(d, LEVEL_ERROR, "sources",
                   "search.index is false and no provider is configured",
                   "Nothing can ever be found.",
                   "Set search.index = true, or add a [provider.NAME] "
                   "section.");
        return;
    }
    if (!d->has_data ||
        (!is_readable(d->index_fault) && d->index_fault != DB_ABSENT))
        return;
    if (d->index_fault == DB_SOUND)
        check_segments(d);
    if (d->index.pages == 0 && c->provider_count == 0)
        doctor_bad(d, LEVEL_ERROR, "sources",
                   "the index is empty and no provider is configured",
                   "Every search ends with SEARCH_QUERY_NO_RESULT.",
                   "cited crawl URL, cited index add FOLDER --base URL, or a "
                   "[provider.NAME] section (cited provider list)");
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
    doctor_bad(
        d, LEVEL_ERROR, "helpers",
        doctor_text(d,
                    "%lld research helpers hold a place without a sign of "
                    "life, process %lld for %lld seconds",
                    (long long)s->silent, (long long)s->pid,
                    (long long)(s->silent_ms / 1000)),
        "It was stopped (SIGSTOP) or hangs. Its tasks went to others, and "
        "another helper may take its place.",
        doctor_text(d,
                    "kill -CONT %lld lets it go on, kill -KILL %lld ends it; "
                    "nothing is lost.",
                    (long long)s->pid, (long long)s->pid));
}

/* Does the index follow the pages in the database? */
void doctor_check_pages(struct doctor *d)
{
    static const char why[] =
        "Searches on this machine do not find what was put in since.";
    const struct conf *c = &d->cli->conf;
    struct board_look l;

    if (*c->database == '\0' || !d->has_data)
        return;
    board_look_once(c, &l);
    if (l.fault == BOARD_CONFLICT)
        doctor_bad(d, LEVEL_ERROR, "pages",
                   "the index holds pages that are not those of the database",
                   why,
                   "Stop the service. If they are wanted, cited move --to "
                   "brings them there; else remove index.db*, index.vectors "
                   "and the folder index: it is made anew.");
    else if (!l.begun)
        doctor_bad(d, LEVEL_WARNING, "pages",
                   "the index has not followed the pages of the database yet",
                   why,
                   "Start the service: the responder does, and cited-worker "
                   "--stay.");
    else if (l.fault != BOARD_FINE || l.behind_ms >= BEHIND_MS)
        doctor_bad(d, LEVEL_WARNING, "pages",
                   doctor_text(d, "the index is %lld s and %lld changes behind "
                                  "the pages of the database%s",
                               (long long)(l.behind_ms / 1000),
                               (long long)l.changes,
                               l.fault == BOARD_AWAY
                                   ? ", which did not answer last"
                                   : ""),
                   why,
                   "It catches up by itself where the service runs and the "
                   "database answers; the log says what fails.");
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
        doctor_bad(d, LEVEL_ERROR, "tasks",
                   doctor_text(d,
                               "%lld tasks were left by their helper, the "
                               "first %lld minutes ago",
                               (long long)s->expired,
                               minutes_since(s->expired_ms)),
                   "The helper was killed, and no other took them up: no "
                   "service runs, it cannot start helpers, or all hang.",
                   "Run cited-worker --sweep once and read what it says; then "
                   "have it run each minute (deploy/cron, "
                   "cited-sweep.timer).");
    else if (s->waiting > 0 && now - s->waiting_ms > WAITING_MS &&
             helpers.live == 0)
        doctor_bad(
            d, LEVEL_ERROR, "tasks",
            doctor_text(d,
                        "%lld tasks wait, the oldest for %lld "
                        "minutes, and no helper is at work",
                        (long long)s->waiting, minutes_since(s->waiting_ms)),
            c->workers == 0 ? "research.workers is 0: the responder starts no "
                              "helper, and nobody else does."
                            : "The responder could not start a helper; its log "
                              "says why.",
            c->workers == 0
                ? "Enable cited-worker.service, or set "
                  "research.workers to 1."
                : "Run cited-worker --sweep and read what it says.");
    else
        doctor_ok(d, "tasks", "%lld wait, none is stuck",
                  (long long)s->waiting);
}
