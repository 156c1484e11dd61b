/*
 * Memory that all processes of a data folder share: a file of fixed size,
 * mapped. What stands in it is its user's affair (base/meter, web/limit): a
 * file of zeros must be an empty one, every word is atomic, and a process may
 * be killed between any two of them.
 */
#ifndef CITED_BASE_SHARED_H
#define CITED_BASE_SHARED_H

#include <stddef.h>

/*
 * Map the file at path, made when it is missing (mode 0600; its folder must
 * be there); *fd is open on it then, for the caller to close. Where the file
 * cannot be had (a full disk), or path is NULL, this process's own memory,
 * and *fd is -1. NULL: no memory either. Unmap with munmap(2).
 */
void *shared_map(const char *path, size_t size, int *fd);

#endif
