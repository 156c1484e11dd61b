/*
 * One JSON line per event on standard error:
 * {"at":"…","level":"info","id":"…","msg":"…"}; on a terminal, plain words.
 *
 * The only global of the program. Thread-safe: each line is one write.
 * Keys, questions and page bodies are never logged.
 */
#ifndef CITED_BASE_LOG_H
#define CITED_BASE_LOG_H

#include "base/err.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_OFF };

/* Lines below level are dropped; the default is LOG_INFO. */
void log_set_level(enum log_level level);

/* The same by the level's name: debug, info, warn, error, off; for another one
 * nothing changes. */
void log_set_level_named(const char *name);

/* Lines go to this descriptor; the default is 2. */
void log_set_fd(int fd);

/* From now on lines are for people at a terminal: "warning: …", over a line of
 * progress that may stand there, without time and id. */
void log_for_people(void);

/* id is a request's or a task's id, or NULL. A line is cut at 2 KiB. */
void log_line(enum log_level level, const char *id, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#define log_debug(id, ...) log_line(LOG_DEBUG, id, __VA_ARGS__)
#define log_info(id, ...) log_line(LOG_INFO, id, __VA_ARGS__)
#define log_warn(id, ...) log_line(LOG_WARN, id, __VA_ARGS__)
#define log_error(id, ...) log_line(LOG_ERROR, id, __VA_ARGS__)

#endif
