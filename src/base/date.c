/* Calendar dates; see date.h. The two day-count functions follow Howard
 * Hinnant's published algorithms "days_from_civil" and "civil_from_days". */
#include "base/date.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

bool date_exists(int year, int month, int day)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30,
                                 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1)
        return false;
    return day <= days[month - 1] + (month == 2 && leap ? 1 : 0);
}

int32_t date_to_day(int year, int month, int day)
{
    int y = month <= 2 ? year - 1 : year;
    int era = (y >= 0 ? y : y - 399) / 400;
    int yoe = y - era * 400;
    int doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;

    return era * 146097 + doe - 719468;
}

void date_from_day(int32_t day, int *year, int *month, int *mday)
{
    int z = day + 719468;
    int era = (z >= 0 ? z : z - 146096) / 146097;
    int doe = z - era * 146097;
    int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int mp = (5 * doy + 2) / 153;

    *mday = doy - (153 * mp + 2) / 5 + 1;
    *month = mp < 10 ? mp + 3 : mp - 9;
    *year = yoe + era * 400 + (*month <= 2 ? 1 : 0);
}

/* Exactly count digits at p, as a number; -1 when there are other bytes. */
static int digits(const char *p, int count)
{
    int v = 0;

    for (int i = 0; i < count; i++) {
        if (!ascii_is_digit(p[i]))
            return -1;
        v = v * 10 + (p[i] - '0');
    }
    return v;
}

static bool in_range(int v, int lo, int hi)
{
    return v >= lo && v <= hi;
}

/* "hh:mm[:ss[.f…]][Z|±hh:mm]", all of p[0..n). */
static bool is_time(const char *p, size_t n)
{
    size_t i = 5;

    if (n < 5 || !in_range(digits(p, 2), 0, 23) || p[2] != ':' ||
        !in_range(digits(p + 3, 2), 0, 59))
        return false;
    if (i < n && p[i] == ':') {
        if (n < i + 3 || !in_range(digits(p + i + 1, 2), 0, 60))
            return false;
        i += 3;
        if (i < n && p[i] == '.') {
            size_t start = ++i;

            while (i < n && ascii_is_digit(p[i]))
                i++;
            if (i == start)
                return false;
        }
    }
    if (n - i <= 1)
        return n == i || p[i] == 'Z';
    return n - i == 6 && (p[i] == '+' || p[i] == '-') &&
           in_range(digits(p + i + 1, 2), 0, 23) && p[i + 3] == ':' &&
           in_range(digits(p + i + 4, 2), 0, 59);
}

bool date_parse_iso(const char *p, size_t n, int32_t *day)
{
    int y, m, d;

    if (n < DATE_LEN || p[4] != '-' || p[7] != '-')
        return false;
    y = digits(p, 4);
    m = digits(p + 5, 2);
    d = digits(p + 8, 2);
    if (!date_exists(y, m, d))
        return false;
    if (n > DATE_LEN &&
        (p[DATE_LEN] != 'T' || !is_time(p + DATE_LEN + 1, n - DATE_LEN - 1)))
        return false;
    *day = date_to_day(y, m, d);
    return true;
}

bool date_parse_http(const char *z, int64_t *ms)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *name = NULL;
    int y, d, h, m, s, month;

    if (strlen(z) != 29 || z[3] != ',' || z[4] != ' ' || z[7] != ' ' ||
        z[11] != ' ' || z[16] != ' ' || z[19] != ':' || z[22] != ':' ||
        strcmp(z + 25, " GMT") != 0)
        return false;
    for (month = 1; month <= 12 && name == NULL; month++)
        if (memcmp(z + 8, names + 3 * (month - 1), 3) == 0)
            name = z + 8;
    month--;
    d = digits(z + 5, 2);
    y = digits(z + 12, 4);
    h = digits(z + 17, 2);
    m = digits(z + 20, 2);
    s = digits(z + 23, 2);
    if (name == NULL || !date_exists(y, month, d) || !in_range(h, 0, 23) ||
        !in_range(m, 0, 59) || !in_range(s, 0, 60))
        return false;
    *ms = ((int64_t)date_to_day(y, month, d) * 86400 + h * 3600 + m * 60 + s) *
          1000;
    return true;
}

void date_format(int32_t day, char out[DATE_LEN + 1])
{
    int y, m, d;

    date_from_day(day, &y, &m, &d);
    snprintf(out, DATE_LEN + 1, "%04u-%02u-%02u", (unsigned)y % 10000u,
             (unsigned)m % 100u, (unsigned)d % 100u);
}

void date_format_stamp(int64_t ms, char out[STAMP_LEN + 1])
{
    int64_t days = ms / 86400000;
    int64_t rest = ms % 86400000;
    char day[DATE_LEN + 1];
    unsigned sec;

    if (rest < 0) {
        rest += 86400000;
        days--;
    }
    sec = (unsigned)(rest / 1000);
    date_format((int32_t)days, day);
    snprintf(out, STAMP_LEN + 1, "%sT%02u:%02u:%02u.%03uZ", day, sec / 3600u,
             sec / 60u % 60u, sec % 60u, (unsigned)(rest % 1000));
}
