/*
 * What a folder lies on: how much room is left, and whether a database with a
 * write-ahead log can live there. Reads only; called by `cited doctor`.
 */
#ifndef CITED_BASE_DISK_H
#define CITED_BASE_DISK_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum disk_kind {
    DISK_LOCAL,
    DISK_NETWORK, /* shared between machines: no shared memory for a WAL */
    DISK_FUSE,    /* a program of the user's, often a network behind it */
    DISK_MEMORY,  /* gone when the machine stops */
    DISK_LAYER    /* a container's own layer, gone with the container */
};

struct disk {
    enum disk_kind kind;
    int64_t free_bytes; /* for those who are not root */
    int64_t total_bytes;
    int64_t free_files; /* inodes; -1: the file system does not count them */
    bool read_only;
};

/* ERR_IO with the reason when path cannot be asked. */
MUST_CHECK enum err disk_look(const char *path, struct disk *out,
                              struct errctx *ec);

/* The kind by f_type of statfs(2); its numbers are in linux/magic.h, and for
 * file systems outside the kernel in their own sources. Pure. */
enum disk_kind disk_kind_of(uint32_t f_type);

/* "a network file system" … */
const char *disk_kind_name(enum disk_kind k);

#endif
