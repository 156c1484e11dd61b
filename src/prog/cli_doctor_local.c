/*
 * cited doctor, this machine: the configuration's file, the data folder and
 * who may enter it, the disk, the programs that are started, limits.
 */
#include "prog/cli_doctor.h"

#include "base/beside.h"
#include "base/disk.h"
#include "base/version.h"
#include "meaning/vectors.h"
#include "run/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FREE_ERROR_MIB = 64, /* less, and writing fails any moment */
    FREE_WARNING_MIB = 1024,
    FILES_ERROR = 100,    /* inodes */
    FILES_OF_THREAD = 12, /* databases with their logs, client, connections */
    FILES_ELSE = 64,
    PROGRAM_MS = 5000
};

/* --- the configuration ------------------------------------------------- */

static bool holds_secret(const struct conf *c)
{
    if (*c->model_key != '\0')
        return true;
    for (size_t i = 0; i < c->provider_count; i++)
        if (*conf_provider_get(&c->provider[i], "key", "") != '\0')
            return true;
    return false;
}

void doctor_check_conf(struct doctor *d)
{
    const struct conf *c = &d->cli->conf;
    struct stat st;

    if (c->path == NULL) {
        doctor_ok(d, "configuration", "no file; defaults and environment");
        return;
    }
    if (stat(c->path, &st) == 0 && (st.st_mode & S_IRWXO) != 0 &&
        holds_secret(c)) {
        doctor_bad(d, FOUND_CONF_OPEN,
                   "%s holds keys and may be read by everybody (mode %04o)",
                   c->path, (unsigned)st.st_mode & 07777u);
        doctor_mend(d,
                    "chmod 640 %s, with the service's group; or put the keys "
                    "into the environment",
                    c->path);
        return;
    }
    doctor_ok(d, "configuration", "%s is valid", c->path);
}

/* --- the folder -------------------------------------------------------- */

/* May this process do it? access(2) with the effective user. */
static bool may(const char *path, int mode)
{
    return faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0;
}

static void check_open_folder(struct doctor *d, const char *dir,
                              const struct stat *st)
{
    if ((st->st_mode & S_IRWXO) != 0) {
        doctor_bad(d, FOUND_FOLDER_OPEN,
                   "%s may be entered by everybody (mode %04o)", dir,
                   (unsigned)st->st_mode & 07777u);
        doctor_mend(d,
                    "chmod 700 %s (750 where the web server's group needs the "
                    "socket in it)",
                    dir);
    } else {
        doctor_ok(d, "data-folder", "%s, of user %u", dir,
                  (unsigned)st->st_uid);
    }
}

static void check_file(struct doctor *d, const char *name,
                       const struct stat *folder, bool *bad)
{
    const char *path = conf_data_path(&d->cli->conf, &d->cli->arena, name);
    struct stat st;

    if (path == NULL || stat(path, &st) != 0)
        return;
    if (st.st_uid != folder->st_uid) {
        *bad = true;
        doctor_bad(d, FOUND_FILE_OWNER,
                   "%s belongs to user %u, the data folder to user %u", path,
                   (unsigned)st.st_uid, (unsigned)folder->st_uid);
        doctor_mend(d, "chown %u:%u %s*, and run cited as that user",
                    (unsigned)folder->st_uid, (unsigned)folder->st_gid, path);
    } else if ((st.st_mode & (S_IRUSR | S_IWUSR)) != (S_IRUSR | S_IWUSR) ||
               (!may(path, R_OK | W_OK) && errno != EROFS)) {
        *bad = true;
        doctor_bad(d, FOUND_FILE_CLOSED,
                   "%s cannot be read and written (mode %04o)", path,
                   (unsigned)st.st_mode & 07777u);
        doctor_mend(d, "chmod 600 %s", path);
    } else if ((st.st_mode & S_IRWXO) != 0) {
        *bad = true;
        doctor_bad(d, FOUND_FILE_OPEN, "%s is open to everybody (mode %04o)",
                   path, (unsigned)st.st_mode & 07777u);
        doctor_mend(d, "chmod 600 %s", path);
    }
}

static void check_files(struct doctor *d, const struct stat *folder)
{
    static const char *const names[] = {
        "state.db",     "state.db-wal", "state.db-shm", "index.db",
        "index.db-wal", "index.db-shm", VECTORS_FILE,   VECTORS_OF_WORDS_FILE,
        "api-key"};
    bool bad = false;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_file(d, names[i], folder, &bad);
    if (!bad)
        doctor_ok(d, "files", "owner and mode are right");
}

void doctor_check_folder(struct doctor *d)
{
    const char *dir = d->cli->conf.data_dir;
    struct stat st;

    if (stat(dir, &st) != 0) {
        doctor_bad(d, FOUND_NO_FOLDER, "%s: %s", dir, strerror(errno));
        return;
    }
    /* That the disk is read-only is what check_room finds. */
    if (!S_ISDIR(st.st_mode) ||
        (!may(dir, R_OK | W_OK | X_OK) && errno != EROFS)) {
        doctor_bad(d, FOUND_FOLDER_CLOSED,
                   "%s, of user %u, mode %04o, cannot be written by user %u",
                   dir, (unsigned)st.st_uid, (unsigned)st.st_mode & 07777u,
                   (unsigned)geteuid());
        doctor_mend(
            d,
            "Run this as the service's user, or: chown USER %s && chmod 700 %s",
            dir, dir);
        return;
    }
    d->has_data = true;
    check_open_folder(d, dir, &st);
    check_files(d, &st);
    if (st.st_uid == 0)
        doctor_bad(d, FOUND_FOLDER_OF_ROOT, "the data folder belongs to root");
}

/* --- the disk ---------------------------------------------------------- */

static void check_kind(struct doctor *d, const struct disk *disk)
{
    static const char what[] = "the data folder is on %s";
    const char *kind = disk_kind_name(disk->kind);

    switch (disk->kind) {
    case DISK_NETWORK:
        doctor_bad(d, FOUND_DISK_OF_NETWORK, what, kind);
        break;
    case DISK_FUSE:
        doctor_bad(d, FOUND_DISK_OF_PROGRAM, what, kind);
        break;
    case DISK_MEMORY:
        doctor_bad(d, FOUND_DISK_OF_MEMORY, what, kind);
        break;
    case DISK_LAYER:
        doctor_bad(d, FOUND_DISK_OF_LAYER, what, kind);
        break;
    case DISK_LOCAL:
        doctor_ok(d, "file-system", what, kind);
        break;
    }
}

static void check_room(struct doctor *d, const struct disk *disk)
{
    long long mib = (long long)(disk->free_bytes >> 20);
    bool full = mib < FREE_ERROR_MIB ||
                (disk->free_files >= 0 && disk->free_files < FILES_ERROR);
    const char *what =
        doctor_text(d, "%lld MiB%s are free", mib,
                    disk->free_files >= 0 && disk->free_files < FILES_ERROR
                        ? ", but no room for more files,"
                        : "");

    if (disk->read_only)
        doctor_bad(d, FOUND_DISK_READ_ONLY, "the disk is mounted read-only");
    else if (full)
        doctor_bad(d, FOUND_DISK_FULL, "%s", what);
    else if (mib < FREE_WARNING_MIB &&
             disk->free_bytes < disk->total_bytes / 10)
        doctor_bad(d, FOUND_DISK_SHORT, "%s", what);
    else
        doctor_ok(d, "disk", "%s", what);
}

void doctor_check_disk(struct doctor *d)
{
    struct errctx ec = {ERR_OK, ""};
    struct disk disk;

    if (!d->has_data)
        return;
    if (disk_look(d->cli->conf.data_dir, &disk, &ec) != ERR_OK) {
        doctor_bad(d, FOUND_DISK_SILENT, "%s", ec.msg);
        return;
    }
    check_kind(d, &disk);
    check_room(d, &disk);
}

/* --- programs ---------------------------------------------------------- */

static void check_version(struct doctor *d, const char *path)
{
    static const char expected[] = "cited-worker " CITED_VERSION "\n";
    const char *argv[] = {path, "--version", NULL};
    struct errctx ec = {ERR_OK, ""};
    char out[128];
    enum err e = program_ask(argv, PROGRAM_MS, out, sizeof out, &ec);

    if (e != ERR_OK)
        doctor_bad(d, FOUND_HELPER_BROKEN, "%s does not start: %s", path,
                   ec.msg);
    else if (strcmp(out, expected) != 0)
        doctor_bad(
            d, FOUND_HELPER_OTHER,
            "%s is not the helper of this version, which is " CITED_VERSION,
            path);
    else
        doctor_ok(d, "helper", "%s starts", path);
}

static void check_helper(struct doctor *d)
{
    const char *set = d->cli->conf.worker_path;
    char found[PROGRAM_PATH_MAX];

    if (*set == '\0' && !program_find("cited-worker", found)) {
        doctor_bad(d, FOUND_NO_HELPER,
                   "cited-worker is neither beside this program nor in its lib "
                   "folder");
        return;
    }
    if (*set == '\0')
        set = doctor_text(d, "%s", found);
    if (access(set, X_OK) != 0) {
        doctor_bad(d, FOUND_HELPER_CLOSED, "%s: %s", set, strerror(errno));
        return;
    }
    check_version(d, set);
}

static void check_pdf(struct doctor *d)
{
    const char *path = d->cli->conf.pdftotext;

    if (*path == '\0')
        doctor_ok(d, "pdftotext", "not wanted: PDF files are not read");
    else if (access(path, X_OK) != 0)
        doctor_bad(d, FOUND_NO_PDFTOTEXT, "%s: %s", path, strerror(errno));
    else
        doctor_ok(d, "pdftotext", "%s", path);
}

void doctor_check_programs(struct doctor *d)
{
    check_helper(d);
    check_pdf(d);
    if (access("/etc/ssl/certs/ca-certificates.crt", R_OK) != 0 &&
        access("/etc/ssl/cert.pem", R_OK) != 0)
        doctor_bad(d, FOUND_NO_CERTIFICATES,
                   "the certificates of the authorities are not installed");
}

/* --- limits ------------------------------------------------------------ */

void doctor_check_limits(struct doctor *d)
{
    int64_t need = FILES_ELSE + FILES_OF_THREAD * d->cli->conf.threads;
    struct rlimit rl;

    if (getrlimit(RLIMIT_NOFILE, &rl) != 0)
        return;
    if (rl.rlim_cur != RLIM_INFINITY && (int64_t)rl.rlim_cur < need)
        doctor_bad(d, FOUND_FEW_FILES,
                   "%llu files may be open, %lld are needed for %lld threads",
                   (unsigned long long)rl.rlim_cur, (long long)need,
                   (long long)d->cli->conf.threads);
    else
        doctor_ok(d, "open-files", "%llu may be open, %lld are needed",
                  (unsigned long long)rl.rlim_cur, (long long)need);
}
