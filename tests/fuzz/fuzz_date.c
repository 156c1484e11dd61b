/*
 * libFuzzer: dates as pages, servers and callers write them. What is read as
 * one is a day that exists, and written again it reads as the same.
 */
#include "fuzz.h"

#include "base/date.h"
#include "base/url.h"
#include "text/html_parts.h"

enum { LATEST = 30000 };

static void check_day(int32_t day)
{
    char text[DATE_LEN + 1];
    int32_t again = DAY_NONE;
    int y, m, d;

    date_from_day(day, &y, &m, &d);
    HOLDS(date_exists(y, m, d) && date_to_day(y, m, d) == day);
    date_format(day, text);
    HOLDS(date_parse_iso(text, strlen(text), &again) && again == day);
}

static void check_stamp(int64_t ms)
{
    char text[STAMP_LEN + 1];
    int32_t day = DAY_NONE;

    date_format_stamp(ms, text);
    HOLDS(strlen(text) == STAMP_LEN);
    HOLDS(date_parse_iso(text, strlen(text), &day));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size};
    char *z = fuzz_copy(in), *bytes = malloc(size + (size == 0));
    int32_t day = DAY_NONE;
    int64_t ms;

    HOLDS(bytes != NULL);
    memcpy(bytes, size == 0 ? "" : in.p, size);
    if (date_parse_iso(bytes, size, &day))
        check_day(day);
    for (int month_first = 0; month_first < 2; month_first++) {
        day = DAY_NONE;
        if (date_text_find(bytes, size, month_first, LATEST, &day)) {
            HOLDS(day <= LATEST);
            check_day(day);
        }
    }
    if (date_parse_http(z, &ms))
        check_stamp(ms);
    free(bytes);
    free(z);
    return 0;
}
