/* Units of measure; see unit.h. Called by verify/ and object/. */
#include "reading/unit.h"

#include "base/str.h"

#include <stddef.h>
#include <string.h>

static const struct measure units[] = {
    {"byte", UNIT_DATA, 1, "byte bytes"},
    {"byte", UNIT_OTHER, 1, "b"},
    {"kilobyte", UNIT_DATA, 1e3, "kb kilobyte kilobytes"},
    {"kibibyte", UNIT_DATA, 1024.0, "kib"},
    {"megabyte", UNIT_DATA, 1e6, "mb megabyte megabytes"},
    {"mebibyte", UNIT_DATA, 1048576.0, "mib"},
    {"gigabyte", UNIT_DATA, 1e9, "gb gigabyte gigabytes"},
    {"gibibyte", UNIT_DATA, 1073741824.0, "gib"},
    {"terabyte", UNIT_DATA, 1e12, "tb terabyte terabytes"},
    {"tebibyte", UNIT_DATA, 1099511627776.0, "tib"},
    {"petabyte", UNIT_DATA, 1e15, "pb petabyte petabytes"},
    {"millisecond", UNIT_TIME, 0.001, "ms millisecond milliseconds"},
    {"second", UNIT_TIME, 1, "second seconds"},
    {"minute", UNIT_TIME, 60, "minute minutes"},
    {"hour", UNIT_TIME, 3600, "hour hours"},
    {"day", UNIT_TIME, 86400, "day days"},
    {"week", UNIT_TIME, 604800, "week weeks"},
    {"month", UNIT_OTHER, 1, "month months"},
    {"year", UNIT_OTHER, 1, "year years"},
    {"millimetre", UNIT_LENGTH, 0.001,
     "mm millimetre millimetres millimeter millimeters"},
    {"centimetre", UNIT_LENGTH, 0.01, "cm centimetre centimetres"},
    {"metre", UNIT_LENGTH, 1, "metre metres meter meters"},
    {"metre", UNIT_OTHER, 1, "m"},
    {"kilometre", UNIT_LENGTH, 1000,
     "km kilometre kilometres kilometer kilometers"},
    {"mile", UNIT_OTHER, 1, "mile miles mi"},
    {"foot", UNIT_OTHER, 1, "foot feet ft"},
    {"kilogram", UNIT_OTHER, 1, "kg kilograms"},
    {"percent", UNIT_SHARE, 1, "percent"},
    {"percentage", UNIT_SHARE, 1, "percentage percentages"},
    {"thousand", UNIT_OTHER, 1, "thousand"},
    {"million", UNIT_OTHER, 1, "million"},
    {"billion", UNIT_OTHER, 1, "billion"},
    {"trillion", UNIT_OTHER, 1, "trillion"},
    {"euro", UNIT_OTHER, 1, "euro euros"},
    {"dollar", UNIT_OTHER, 1, "dollar dollars"},
};

const struct measure *unit_find(const char *word)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (word_in(word, units[i].words))
            return &units[i];
    return NULL;
}

bool unit_counts(const char *word)
{
    return word[strspn(word, "0123456789.")] == '\0';
}

bool unit_measures(const char *word, bool behind_number)
{
    const char *unit = word + strspn(word, "0123456789.");

    if (unit == word)
        return behind_number && unit_find(word) != NULL;
    return *unit != '\0' && (unit[1] == '\0' || unit_find(unit) != NULL);
}
