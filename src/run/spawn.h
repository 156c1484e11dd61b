/*
 * Start the research helper so that it outlives us and inherits nothing:
 * double fork, new session, null device on 0-2 (2 may go to a log), every
 * other descriptor closed, exec by absolute path.
 */
#ifndef CITED_RUN_SPAWN_H
#define CITED_RUN_SPAWN_H

#include "base/err.h"

/* argv[0] is the absolute path. log_path NULL = null device. Returns once the
 * intermediate child is gone. ERR_IO with the reason. */
MUST_CHECK enum err spawn_detached(const char *const argv[],
                                   const char *log_path, struct errctx *ec);

#endif
