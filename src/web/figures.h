/*
 * The figures of requests: what app_handle counts of each, and the text that
 * GET /metrics answers.
 */
#ifndef CITED_WEB_FIGURES_H
#define CITED_WEB_FIGURES_H

#include "base/meter.h"
#include "web/app.h"

/* The histogram of durations: upper bounds in milliseconds and as labels, the
 * name of a bucket's counter. The sum is counted in microseconds. */
#define FIGURES_SECONDS "cited_request_seconds"
enum { FIGURES_BOUNDS = 12 };
extern const int64_t figures_bound_ms[FIGURES_BOUNDS];
extern const char *const figures_bound_text[FIGURES_BOUNDS];
void figures_bucket_name(const char *pattern, const char *bound,
                         char out[METER_NAME_MAX]);

/* One answered request: by route and status, by duration, and, when it ended
 * with a status of 500 or more, among the last errors. */
void figures_count(struct meter *m, const char *pattern,
                   const struct request *rq, const struct response *res,
                   int64_t took_us);

/* Is address (as the web server gave it) one of those in list, separated by
 * commas? Spellings of the same address are equal. */
bool figures_may_watch(const char *list, const char *address);

#endif
