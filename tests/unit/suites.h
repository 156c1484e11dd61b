/*
 * Test suites from outside the project, which no package has. `make suites`
 * names the folder they are unpacked in (CITED_SUITES) and runs the cases
 * called suite_… alone; everywhere else these are left out, since they could
 * only be skipped. A suite that the folder does not hold is skipped.
 */
#ifndef CITED_TESTS_SUITES_H
#define CITED_TESTS_SUITES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* Before the group is run. */
static inline void suites_choose(void)
{
    if (getenv("CITED_SUITES") != NULL)
        cmocka_set_test_filter("suite_*");
    else
        cmocka_set_skip_filter("suite_*");
}

/* The whole file, NUL-terminated, to free; NULL when it cannot be read. */
static inline char *suite_read(const char *path, size_t *n)
{
    FILE *f = fopen(path, "re");
    char *data = NULL;
    long size;

    if (f == NULL)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
        rewind(f);
        data = calloc(1, (size_t)size + 1);
        if (data != NULL)
            *n = fread(data, 1, (size_t)size, f);
    }
    fclose(f);
    return data;
}

/* "$CITED_SUITES/name" into out; where it is not there the case ends here. */
static inline const char *suite_path(const char *name, char *out, size_t size)
{
    const char *root = getenv("CITED_SUITES");

    snprintf(out, size, "%s/%s", root == NULL ? "" : root, name);
    if (access(out, R_OK) != 0) {
        print_message("%s is not there\n", out);
        skip();
    }
    return out;
}

#endif
