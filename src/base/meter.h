/*
 * Figures of a service whose processes come and go: counters by name, how
 * many requests took how long in each of the last minutes, and the last
 * errors. All processes of a data folder count in one file of fixed size
 * that they map, by atomic additions, so that what is read counts FastCGI
 * processes, CGI and helpers together and outlives each of them. A process
 * that is killed leaves at worst one name or one error that is passed over.
 *
 * Where the file cannot be had (a full disk), a process counts for itself.
 */
#ifndef CITED_BASE_METER_H
#define CITED_BASE_METER_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct meter;
struct conf;

/* The file's name in the data folder; the number is that of its layout. */
#define METER_FILE "metrics-1"

enum {
    METER_NAME_MAX = 112,
    METER_NAMES_MAX = 2048,
    METER_MINUTES = 60,
    METER_ERRORS = 50,
    METER_ERROR_MAX = 200
};

/* Map the file at path (made when it is missing, mode 0600; its folder must
 * be there), or NULL: this process's own memory. ERR_NOMEM; a file that
 * cannot be had is no error. */
MUST_CHECK enum err meter_new(const char *path, struct meter **out);
/* The file of the configuration's data folder. */
MUST_CHECK enum err meter_open(const struct conf *c, struct meter **out);
void meter_free(struct meter *m); /* NULL is fine */
/* Is it shared with other processes? */
bool meter_is_shared(const struct meter *m);

/*
 * Add n to the counter of that name, as Prometheus writes it:
 * family{label="value",…}. What finds no place (too many names, too long a
 * name) is not counted. m may be NULL in all that follows.
 */
void meter_add(struct meter *m, const char *name, uint64_t n);

/* Every counter in order of its name; returns how many. */
struct meter_count {
    char name[METER_NAME_MAX];
    uint64_t value;
};
size_t meter_counts(struct meter *m, struct meter_count *out, size_t max);

/* A request that ended at now_ms (wall clock) had taken took_ms. */
void meter_request(struct meter *m, int64_t now_ms, int64_t took_ms);

/* Requests in each of the last 60 minutes, the present one last; and how long
 * they took at the median and the 95th of 100, to a tenth or so (-1: none). */
struct meter_hour {
    int64_t per_minute[METER_MINUTES];
    int64_t p50_ms, p95_ms;
};
void meter_hour(struct meter *m, int64_t now_ms, struct meter_hour *out);

/* An error, cut to METER_ERROR_MAX; and the last ones, the newest first. */
struct meter_error {
    int64_t at_ms;
    char id[40]; /* of the request, or "" */
    char message[METER_ERROR_MAX];
};
void meter_error(struct meter *m, int64_t now_ms, const char *id,
                 const char *message);
size_t meter_errors(struct meter *m, struct meter_error out[METER_ERRORS]);

#endif
