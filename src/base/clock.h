/*
 * Time: wall-clock stamps in milliseconds UTC, monotonic deadlines.
 *
 * Every blocking call of the program takes a deadline; a deadline is a point
 * of the monotonic clock, so that a changed wall clock cannot stretch it.
 */
#ifndef CITED_BASE_CLOCK_H
#define CITED_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds since 1970-01-01 UTC. */
int64_t clock_now_ms(void);

/* Milliseconds of a clock that never jumps. */
int64_t clock_mono_ms(void);
/* The same in microseconds. */
int64_t clock_mono_us(void);

/* Sleep so long, or less when a signal comes. */
void clock_sleep_us(int64_t us);

/* A point in monotonic time. */
struct deadline {
    int64_t at_ms;
};

struct deadline deadline_in(int64_t ms);         /* ms from now */
int64_t deadline_left(const struct deadline *d); /* >= 0; 0 when passed */
bool deadline_passed(const struct deadline *d);
struct deadline deadline_min(struct deadline a, struct deadline b);

#endif
