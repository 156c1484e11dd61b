/* A test's folder goes with all that is in it. */
#ifndef CITED_TESTS_FOLDER_H
#define CITED_TESTS_FOLDER_H

#include <ftw.h>
#include <stdio.h>

static inline int folder_entry_remove(const char *path, const struct stat *st,
                                      int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

static inline int folder_remove(const char *path)
{
    return nftw(path, folder_entry_remove, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
