/*
 * One figure: milliseconds for a token read, a token written counting as
 * WRITE_COST of them. That is what it is on a processor; where a graphics card
 * reads far faster than that there is time enough either way. See pace.h.
 */
#include "model/pace.h"

static const int64_t WRITE_COST = 4;
static const double NEW = 0.5;  /* weight of the last call */
static const double LATE = 1.5; /* of the time it had: a call given up */
static const int64_t ANSWER_USUAL = 150;

static void learn(double *v, double now)
{
    *v = *v == 0 ? now : (1 - NEW) * *v + NEW * now;
}

static double cost(int64_t read, int64_t written)
{
    return (double)(read + WRITE_COST * written) + 1;
}

void pace_add(struct pace *p, int64_t read, int64_t written, int64_t ms)
{
    learn(&p->token_ms, ((double)ms + 0.5) / cost(read, written));
    learn(&p->written, (double)written);
}

void pace_late(struct pace *p, int64_t read, int64_t ms)
{
    double least = LATE * (double)ms / cost(read, pace_answer(p));

    p->token_ms = p->token_ms < least ? least : p->token_ms;
}

int64_t pace_answer(const struct pace *p)
{
    return p->written == 0 ? ANSWER_USUAL : (int64_t)(p->written * 4 / 3);
}

int64_t pace_ms(const struct pace *p, int64_t read, int64_t written)
{
    return (int64_t)(p->token_ms * cost(read, written));
}

int64_t pace_read_room(const struct pace *p, int64_t written, int64_t ms)
{
    return p->token_ms == 0 ? INT64_MAX
                            : (int64_t)((double)ms / p->token_ms) -
                                  WRITE_COST * written;
}

int64_t pace_write_room(const struct pace *p, int64_t read, int64_t ms)
{
    return p->token_ms == 0
               ? INT64_MAX
               : ((int64_t)((double)ms / p->token_ms) - read) / WRITE_COST;
}
