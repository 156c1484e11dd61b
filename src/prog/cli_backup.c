/*
 * cited backup and cited restore: both databases as one folder, copied while
 * the service runs, checked after writing; and the way back.
 */
#include "prog/cli.h"

#include "base/disk.h"
#include "base/version.h"
#include "index/page.h"
#include "meaning/vectors.h"
#include "store/copy.h"
#include "store/inspect.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 2, CHECK_MS = 3600 * 1000, MARGIN_BYTES = 16 << 20 };

static const struct {
    enum db_kind kind;
    const char *name;
} files[FILES] = {{DB_STATE, "state.db"}, {DB_INDEX, "index.db"}};

/* The copying of both files from one folder to another. */
struct job {
    struct cli *cli;
    const char *from, *to; /* folders */
    const char *suffix;    /* of the names while they are being written */
    const char *doing;     /* "copying" … */
    const char *name;      /* of the file at work */
    const volatile sig_atomic_t *stop;
    struct db_copy *copy[FILES]; /* NULL: there is no such file */
    struct db_look look[FILES];  /* of what was written */
};

/* Is it a file, not in PostgreSQL? */
static bool is_file(const struct job *j, size_t i)
{
    return files[i].kind != DB_STATE || *j->cli->conf.database == '\0';
}

static const char *join(struct job *j, const char *dir, const char *name,
                        const char *suffix)
{
    return arena_printf(&j->cli->arena, "%s/%s%s", dir, name, suffix);
}

static bool tell(void *user, int64_t done, int64_t total)
{
    struct job *j = user;

    cli_progress(j->cli, "%s %s: %lld %%", j->doing, j->name,
                 (long long)(total > 0 ? done * 100 / total : 100));
    return *j->stop == 0;
}

/* --- copying ----------------------------------------------------------- */

/* Both snapshots before the first byte is copied. */
static enum err begin(struct job *j, struct errctx *ec)
{
    for (size_t i = 0; i < FILES; i++) {
        const char *path = join(j, j->from, files[i].name, "");
        enum err e;

        if (!is_file(j, i))
            continue;
        e = path == NULL ? ERR_NOMEM : db_copy_begin(path, &j->copy[i], ec);

        /* An index is there only once something was indexed. */
        if (e == ERR_NOT_FOUND && files[i].kind == DB_INDEX)
            continue;
        if (e != ERR_OK)
            return e;
    }
    return ERR_OK;
}

/* Read every page of the copy: a disk that writes wrongly is noticed now. */
static enum err check(struct job *j, size_t i, const char *path,
                      struct errctx *ec)
{
    enum db_fault fault;

    cli_progress(j->cli, "checking %s", files[i].name);
    fault = db_inspect(files[i].kind, path, deadline_in(CHECK_MS), &j->look[i]);
    /* Nobody else has opened it. */
    (void)unlink(join(j, j->to, files[i].name,
                      *j->suffix == '\0' ? "-wal" : ".new-wal"));
    (void)unlink(join(j, j->to, files[i].name,
                      *j->suffix == '\0' ? "-shm" : ".new-shm"));
    if (fault == DB_SOUND || fault == DB_OLDER)
        return ERR_OK;
    return err_set(ec, ERR_DB, "the copy of %s is not sound: %.150s",
                   files[i].name, j->look[i].msg);
}

static enum err copy_all(struct job *j, struct errctx *ec)
{
    enum err e = ERR_OK;

    for (size_t i = 0; i < FILES && e == ERR_OK; i++) {
        const char *path = join(j, j->to, files[i].name, j->suffix);

        j->name = files[i].name;
        if (j->copy[i] == NULL)
            continue;
        if (path == NULL)
            return err_set(ec, ERR_NOMEM, "out of memory");
        db_remove(path); /* of one that was interrupted */
        e = db_copy_run(j->copy[i], path, tell, j, ec);
        if (e == ERR_OK)
            e = check(j, i, path, ec);
    }
    return e;
}

static void end(struct job *j)
{
    for (size_t i = 0; i < FILES; i++)
        db_copy_end(j->copy[i]);
}

static enum err sync_folder(const char *path, struct errctx *ec)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum err e = ERR_OK;

    if (fd < 0 || fsync(fd) != 0)
        e = err_set(ec, ERR_IO, "cannot sync %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return e;
}

/* --- telling ----------------------------------------------------------- */

static int report_json(struct job *j, const char *folder)
{
    struct cli_json out;
    struct json_out *w = cli_json_begin(&out);

    jw_object(w);
    jw_kstring(w, "folder", folder);
    jw_kstring(w, "program", "cited " CITED_VERSION);
    jw_kstamp(w, "at", clock_now_ms());
    jw_karray(w, "files");
    for (size_t i = 0; i < FILES; i++) {
        if (j->copy[i] == NULL)
            continue;
        jw_object(w);
        jw_kstring(w, "name", files[i].name);
        jw_kint(w, "bytes", j->look[i].bytes);
        jw_kint(w, "version", j->look[i].version);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
    return cli_json_end(j->cli, &out);
}

static int report(struct job *j, const char *folder, const char *done)
{
    if (!is_file(j, 0))
        cli_note(j->cli, "Accounts and tasks are in PostgreSQL and no part of "
                         "this: use pg_dump and pg_restore for them.");
    if (j->cli->json)
        return report_json(j, folder);
    cli_progress_end(j->cli);
    printf("%s %s: %lld bytes of accounts and tasks, %lld bytes of pages.\n",
           done, folder, (long long)j->look[0].bytes,
           (long long)j->look[1].bytes);
    return CLI_OK;
}

/* --- backup ------------------------------------------------------------ */

/* The folder in the making; one that was interrupted is taken over. */
static enum err make_part(const char *part, struct errctx *ec)
{
    if (mkdir(part, 0700) == 0 || errno == EEXIST)
        return ERR_OK;
    return err_set(ec, ERR_IO, "cannot make %s: %s", part, strerror(errno));
}

static enum err backup_to(struct job *j, const char *target, struct errctx *ec)
{
    enum err e = begin(j, ec);

    if (e == ERR_OK)
        e = make_part(j->to, ec);
    if (e == ERR_OK)
        e = copy_all(j, ec);
    if (e == ERR_OK)
        e = sync_folder(j->to, ec);
    if (e == ERR_OK && rename(j->to, target) != 0)
        e = err_set(ec, ERR_IO, "cannot rename %s: %s", j->to, strerror(errno));
    return e;
}

int cli_backup(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    struct job j = {.cli = cli,
                    .from = cli->conf.data_dir,
                    .suffix = "",
                    .doing = "copying"};
    const char *target;
    enum err e;

    optind = 1;
    if (!cli_operands(cli, argc, 1, "DIR"))
        return CLI_USAGE;
    target = argv[1];
    if (access(target, F_OK) == 0)
        return cli_failf(cli, ERR_CONFLICT,
                         "%s exists; a backup goes into a new folder", target);
    j.to = arena_printf(&cli->arena, "%s.part", target);
    if (j.to == NULL)
        return cli_failf(cli, ERR_NOMEM, "out of memory");
    j.stop = cli_catch_stop();
    e = backup_to(&j, target, &ec);
    end(&j);
    return e == ERR_OK ? report(&j, target, "Backed up to")
                       : cli_fail(cli, &ec);
}

/* --- restore ----------------------------------------------------------- */

static enum err check_source(struct job *j, int64_t *bytes, struct errctx *ec)
{
    for (size_t i = 0; i < FILES; i++) {
        const char *path = join(j, j->from, files[i].name, "");
        struct db_look look;
        enum db_fault fault;

        if (!is_file(j, i))
            continue;
        cli_progress(j->cli, "checking %s", files[i].name);
        fault = db_inspect(files[i].kind, path == NULL ? "" : path,
                           deadline_in(CHECK_MS), &look);
        if (fault == DB_ABSENT && files[i].kind == DB_INDEX)
            continue;
        if (fault == DB_NEWER)
            return err_set(ec, ERR_DB,
                           "%s was made by a later version of cited",
                           files[i].name);
        if (fault != DB_SOUND && fault != DB_OLDER)
            return err_set(ec, fault == DB_ABSENT ? ERR_NOT_FOUND : ERR_DB,
                           "%.120s is no sound backup: %.100s",
                           path == NULL ? "" : path, look.msg);
        *bytes += look.bytes;
    }
    return ERR_OK;
}

/* Nobody may have the files open that are replaced. */
static enum err check_unused(struct job *j, struct errctx *ec)
{
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < FILES; i++) {
        const char *path = join(j, j->to, files[i].name, "");

        if (path != NULL)
            e = cli_check_unused(j->cli, path, ec);
    }
    return e;
}

static enum err check_target(struct job *j, bool force, int64_t bytes,
                             struct errctx *ec)
{
    struct disk disk;
    enum err e = ERR_OK;

    for (size_t i = 0; i < FILES && e == ERR_OK && !force; i++) {
        const char *path = join(j, j->to, files[i].name, "");

        if (is_file(j, i) && path != NULL && access(path, F_OK) == 0)
            e = err_set(ec, ERR_CONFLICT, "%.150s exists; --force replaces it",
                        path);
    }
    if (e == ERR_OK)
        e = check_unused(j, ec);
    if (e == ERR_OK && mkdir(j->to, 0700) != 0 && errno != EEXIST)
        e = err_set(ec, ERR_IO, "cannot make %s: %s", j->to, strerror(errno));
    if (e == ERR_OK)
        e = disk_look(j->to, &disk, ec);
    if (e == ERR_OK && disk.free_bytes < bytes + MARGIN_BYTES)
        e = err_set(ec, ERR_IO, "%s has room for %lld MiB, %lld are needed",
                    j->to, (long long)(disk.free_bytes >> 20),
                    (long long)((bytes + MARGIN_BYTES) >> 20));
    return e;
}

/* Root restores for the user who owns the folder. */
static enum err give_to_owner(const char *path, const char *folder,
                              struct errctx *ec)
{
    struct stat st;

    if (geteuid() != 0)
        return ERR_OK;
    if (stat(folder, &st) != 0 || chown(path, st.st_uid, st.st_gid) != 0)
        return err_set(ec, ERR_IO, "cannot give %s to its owner: %s", path,
                       strerror(errno));
    return ERR_OK;
}

/* The new file in the place of the old; the old one's log must not be taken
 * for the new one's, so it goes first. */
static enum err put_in_place(struct job *j, const char *name, struct errctx *ec)
{
    const char *old = join(j, j->to, name, "");
    const char *new = join(j, j->to, name, j->suffix);
    enum err e = old == NULL || new == NULL
                     ? err_set(ec, ERR_NOMEM, "out of memory")
                     : give_to_owner(new, j->to, ec);

    if (e != ERR_OK)
        return e;
    db_remove(old);
    if (rename(new, old) != 0)
        e = err_set(ec, ERR_IO, "cannot rename %s: %s", new, strerror(errno));
    return e;
}

/* They belong to the index that was there; they are made anew. */
static void drop_vectors(struct job *j)
{
    static const char *const names[] = {VECTORS_FILE, VECTORS_OF_WORDS_FILE};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *path = join(j, j->to, names[i], "");

        if (path != NULL)
            (void)unlink(path);
    }
}

/* Segments are no part of a backup: they are made from the pages. Where that
 * fails, a helper does it later. */
static void make_segments(struct job *j)
{
    const char *path = join(j, j->to, "index.db", "");
    struct errctx ec = {ERR_OK, ""};
    struct db_file *f = NULL;
    struct db *index = NULL;

    cli_progress(j->cli, "making the segments of the index");
    if (path == NULL || db_file_new(DB_INDEX, path, &f) != ERR_OK ||
        db_open(f, &index, &ec) != ERR_OK ||
        index_upkeep(index, NULL, &ec) != ERR_OK)
        cli_note(j->cli, "The index is not whole yet: %s", ec.msg);
    db_close(index);
    db_file_free(f);
}

static enum err restore_from(struct job *j, bool force, struct errctx *ec)
{
    int64_t bytes = 0;
    enum err e = check_source(j, &bytes, ec);

    if (e == ERR_OK)
        e = check_target(j, force, bytes, ec);
    if (e == ERR_OK)
        e = begin(j, ec);
    if (e == ERR_OK)
        e = copy_all(j, ec);
    if (e == ERR_OK)
        e = check_unused(j, ec); /* started meanwhile */
    if (e == ERR_OK)
        drop_vectors(j);
    for (size_t i = 0; i < FILES && e == ERR_OK; i++) {
        if (j->copy[i] != NULL)
            e = put_in_place(j, files[i].name, ec);
        else if (is_file(j, i))
            db_remove(join(j, j->to, files[i].name, ""));
    }
    if (e == ERR_OK)
        e = sync_folder(j->to, ec);
    if (e == ERR_OK && j->copy[1] != NULL)
        make_segments(j);
    return e;
}

int cli_restore(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    struct job j = {.cli = cli,
                    .to = cli->conf.data_dir,
                    .suffix = ".new",
                    .doing = "restoring"};
    bool force = false;
    const struct cli_option options[] = {CLI_FLAG("force", &force),
                                         CLI_OPTIONS_END};
    enum err e;

    if (!cli_options(cli, argc, argv, options) ||
        !cli_operands(cli, argc, 1, "DIR"))
        return CLI_USAGE;
    j.from = argv[optind];
    j.stop = cli_catch_stop();
    e = restore_from(&j, force, &ec);
    end(&j);
    return e == ERR_OK ? report(&j, j.to, "Restored to") : cli_fail(cli, &ec);
}
