/* Slots of helpers; see slot.h. The locks are open-file-description locks:
 * they end with their process, and can be looked at without being taken.
 * Signs of life are told by the monotonic clock, which nobody sets. */
#include "run/slot.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS_MAX = 1024, SIGN_BYTES = 64 };

/* What a slot's file says: three numbers, each of a fixed width so that one
 * write replaces another whole. */
struct sign {
    long long pid, taken_ms, beat_ms;
};

static int slot_open(const char *data_dir, int64_t i, int flags)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/worker-%lld.lock", data_dir,
                     (long long)i);

    if (n < 0 || (size_t)n >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, flags | O_CLOEXEC, 0600);
}

static struct flock whole_file(void)
{
    struct flock fl;

    memset(&fl, 0, sizeof fl);
    fl.l_type = F_WRLCK;
    fl.l_whence = SEEK_SET;
    return fl;
}

static struct sign sign_read(int fd)
{
    char z[SIGN_BYTES + 1];
    struct sign s = {0, 0, 0};
    ssize_t n = pread(fd, z, SIGN_BYTES, 0);

    z[n < 0 ? 0 : n] = '\0';
    if (sscanf(z, "%lld %lld %lld", &s.pid, &s.taken_ms, &s.beat_ms) != 3)
        memset(&s, 0, sizeof s);
    return s;
}

static void sign_write(int fd, const struct sign *s)
{
    char z[SIGN_BYTES + 1];

    snprintf(z, sizeof z, "%-20lld %-20lld %-20lld\n", s->pid, s->taken_ms,
             s->beat_ms);
    /* A sign that cannot be written is none, which is how it is read. */
    (void)!pwrite(fd, z, strlen(z), 0);
}

void slot_beat(int fd)
{
    struct sign s = sign_read(fd);

    s.pid = getpid();
    s.beat_ms = clock_mono_ms();
    if (s.taken_ms == 0)
        s.taken_ms = s.beat_ms;
    sign_write(fd, &s);
}

static void look_at(int fd, int64_t silent_ms, struct slots *out)
{
    struct flock fl = whole_file();
    struct sign s = sign_read(fd);
    int64_t age = clock_mono_ms() - s.beat_ms;

    if (s.taken_ms > out->taken_ms)
        out->taken_ms = s.taken_ms;
    if (fcntl(fd, F_OFD_GETLK, &fl) != 0 || fl.l_type == F_UNLCK)
        return;
    if (age <= silent_ms) {
        out->live++;
        return;
    }
    out->silent++;
    if (age > out->silent_ms) {
        out->silent_ms = age;
        out->pid = s.pid;
    }
}

void slot_look(const char *data_dir, int64_t silent_ms, struct slots *out)
{
    memset(out, 0, sizeof *out);
    for (int64_t i = 0; i < SLOTS_MAX; i++) {
        int f = slot_open(data_dir, i, O_RDWR);

        if (f < 0 && errno == ENOENT)
            break; /* they are made in order, and stay */
        if (f < 0)
            continue;
        look_at(f, silent_ms, out);
        close(f);
    }
}

enum err slot_take(const char *data_dir, int64_t workers, int64_t silent_ms,
                   int *fd, struct errctx *ec)
{
    struct slots now;

    slot_look(data_dir, silent_ms, &now);
    for (int64_t i = 0; i < workers + now.silent; i++) {
        struct flock fl = whole_file();
        int f = slot_open(data_dir, i, O_RDWR | O_CREAT);

        if (f < 0)
            return err_set(ec, ERR_IO, "%s/worker-%lld.lock: %s", data_dir,
                           (long long)i, strerror(errno));
        if (fcntl(f, F_OFD_SETLK, &fl) == 0) {
            struct sign s = {getpid(), clock_mono_ms(), clock_mono_ms()};

            sign_write(f, &s);
            *fd = f;
            return ERR_OK;
        }
        close(f);
    }
    return err_set(ec, ERR_BUSY, "%lld helpers are at work already",
                   (long long)workers);
}
