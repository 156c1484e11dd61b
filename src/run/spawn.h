/*
 * Start the research helper so that it outlives us and inherits nothing:
 * double fork, new session, null device on 0-2 (2 may go to a log), every
 * other descriptor closed, exec by absolute path.
 */
#ifndef CITED_RUN_SPAWN_H
#define CITED_RUN_SPAWN_H

#include "base/conf.h"
#include "base/err.h"

/* argv[0] is the absolute path. log_path NULL = null device. Returns once the
 * intermediate child is gone. ERR_IO with the reason. */
MUST_CHECK enum err spawn_detached(const char *const argv[],
                                   const char *log_path, struct errctx *ec);

/* The helper: research.worker, else cited-worker where program_find has it,
 * with this configuration and data folder, an option (NULL: for tasks) and that
 * option's value (or NULL). ERR_IO. */
MUST_CHECK enum err spawn_helper(const struct conf *c, const char *option,
                                 const char *value, struct errctx *ec);

#endif
