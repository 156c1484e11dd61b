/*
 * Asking another program something (base/beside.h says where those of cited
 * are). Called by kick.c and by the commands that start programs.
 */
#ifndef CITED_RUN_PROGRAMS_H
#define CITED_RUN_PROGRAMS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Run argv[0] (a path) without input and with an empty environment, and keep
 * what it writes to standard output, at most size - 1 bytes. ERR_IO with the
 * reason: it cannot be started, ends with another status than 0 or by a
 * signal. ERR_TIMEOUT: it was killed after timeout_ms. */
MUST_CHECK enum err program_ask(const char *const argv[], int64_t timeout_ms,
                                char *out, size_t size, struct errctx *ec);

#endif
