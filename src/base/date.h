/*
 * Calendar dates and the service's time stamps; strict parsing.
 * The proleptic Gregorian calendar; a day is counted from 1970-01-01.
 */
#ifndef CITED_BASE_DATE_H
#define CITED_BASE_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "No date": smaller than any day a page may carry. */
#define DAY_NONE INT32_MIN

enum { DATE_LEN = 10, STAMP_LEN = 24 };

/* Does year-month-day exist in the calendar (year 1 to 9999)? */
bool date_exists(int year, int month, int day);

/* Days since 1970-01-01 of a date that exists, and back. */
int32_t date_to_day(int year, int month, int day);
void date_from_day(int32_t day, int *year, int *month, int *mday);

/* "YYYY-MM-DD", or a full ISO 8601 date-time
 * "YYYY-MM-DDThh:mm[:ss[.f…]][Z|±hh:mm]" whose date part counts as written.
 * A date that does not exist (2025-02-29) is refused. False leaves *day
 * alone. n bytes, all of them must match. */
bool date_parse_iso(const char *p, size_t n, int32_t *day);

/* "Sun, 06 Nov 1994 08:49:37 GMT", the form HTTP senders must use (RFC 9110,
 * 5.6.7), to milliseconds UTC. The day of the week is not checked. */
bool date_parse_http(const char *z, int64_t *ms);

/* "YYYY-MM-DD" of a day into out[DATE_LEN + 1]. */
void date_format(int32_t day, char out[DATE_LEN + 1]);

/* "YYYY-MM-DDThh:mm:ss.mmmZ" into out[STAMP_LEN + 1]. */
void date_format_stamp(int64_t ms, char out[STAMP_LEN + 1]);

#endif
