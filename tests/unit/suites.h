/*
 * Test suites from outside the project, used where they are at hand: the
 * variable CITED_SUITES of the environment names the folder they are unpacked
 * in. A test that does not find its suite says so in a line of its own.
 */
#ifndef CITED_TESTS_SUITES_H
#define CITED_TESTS_SUITES_H

#include <stdio.h>
#include <stdlib.h>

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

/* "$CITED_SUITES/name" into out, or NULL with a line that says what is not
 * tested. */
static inline const char *suite_path(const char *name, char *out, size_t size)
{
    const char *root = getenv("CITED_SUITES");

    if (root == NULL || root[0] == '\0') {
        printf("NOT RUN: %s: CITED_SUITES names no folder of suites\n", name);
        return NULL;
    }
    snprintf(out, size, "%s/%s", root, name);
    return out;
}

#endif
