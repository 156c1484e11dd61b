/* Files that lie beside the running program; see beside.h. */
#include "base/beside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The folder of the running program, with its last '/'. */
static bool own_folder(char *out, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    char *slash;

    if (n <= 0)
        return false;
    out[n] = '\0';
    slash = strrchr(out, '/');
    if (slash == NULL)
        return false;
    slash[1] = '\0';
    return true;
}

bool program_find(const char *name, char out[PROGRAM_PATH_MAX])
{
    static const char *const places[] = {"../lib/cited/", ""};
    char self[PROGRAM_PATH_MAX / 2];

    out[0] = '\0';
    if (!own_folder(self, sizeof self))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int n =
            snprintf(out, PROGRAM_PATH_MAX, "%s%s%s", self, places[i], name);

        if (n > 0 && n < PROGRAM_PATH_MAX && access(out, F_OK) == 0)
            return true;
    }
    return false;
}
