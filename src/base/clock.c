/* Stamps and deadlines; see clock.h. */
#include "base/clock.h"

#include <time.h>

static int64_t read_ms(clockid_t id)
{
    struct timespec ts;

    clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int64_t clock_now_ms(void)
{
    return read_ms(CLOCK_REALTIME);
}

int64_t clock_mono_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t clock_mono_ms(void)
{
    return read_ms(CLOCK_MONOTONIC);
}

void clock_sleep_us(int64_t us)
{
    struct timespec t = {us / 1000000, (long)(us % 1000000) * 1000};

    (void)nanosleep(&t, NULL);
}

struct deadline deadline_in(int64_t ms)
{
    struct deadline d = {clock_mono_ms() + ms};

    return d;
}

int64_t deadline_left(const struct deadline *d)
{
    int64_t left = d->at_ms - clock_mono_ms();

    return left > 0 ? left : 0;
}

bool deadline_passed(const struct deadline *d)
{
    return deadline_left(d) == 0;
}

struct deadline deadline_min(struct deadline a, struct deadline b)
{
    return a.at_ms < b.at_ms ? a : b;
}
