/*
 * A wall clock that a test sets: preloaded into the programs (LD_PRELOAD), it
 * adds the seconds in the file that CLOCK_STEP names, eight bytes, to what the
 * system's clock says. The monotonic clock is left alone, as when a machine's
 * clock is set. Made and used by tests/e2e/lib/trouble.js.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *step;

__attribute__((constructor)) static void open_step(void)
{
    const char *path = getenv("CLOCK_STEP");
    int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    void *p = fd < 0 ? MAP_FAILED
                     : mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, fd, 0);

    if (fd >= 0)
        close(fd);
    if (p != MAP_FAILED)
        step = p;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
    static int (*real)(clockid_t, struct timespec *);
    int rc;

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    rc = real(id, ts);
    if (rc == 0 && step != NULL &&
        (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        ts->tv_sec += *step;
    return rc;
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
    struct timespec ts;
    int rc = clock_gettime(CLOCK_REALTIME, &ts);

    (void)tz;
    tv->tv_sec = ts.tv_sec;
    tv->tv_usec = ts.tv_nsec / 1000;
    return rc;
}

time_t time(time_t *out)
{
    struct timespec ts = {0, 0};

    clock_gettime(CLOCK_REALTIME, &ts);
    if (out != NULL)
        *out = ts.tv_sec;
    return ts.tv_sec;
}
