/* Log lines; see log.h. */
#include "base/log.h"

#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Atomic int min_level = LOG_INFO;
static _Atomic int log_fd = STDERR_FILENO;
static atomic_bool for_people;

static const char *const words[] = {"debug", "info", "warn", "error", "off"};

void log_set_level(enum log_level level)
{
    atomic_store(&min_level, (int)level);
}

void log_set_level_named(const char *name)
{
    for (int i = 0; i <= LOG_OFF; i++)
        if (strcmp(words[i], name) == 0)
            log_set_level((enum log_level)i);
}

void log_set_fd(int fd)
{
    atomic_store(&log_fd, fd);
}

void log_for_people(void)
{
    atomic_store(&for_people, true);
}

/* s without control characters, which become '?', and with U+FFFD for what is
 * no UTF-8; quoted: as the inside of a JSON string. Returns the end of what was
 * written, whole characters only. */
static char *add_text(char *q, const char *end, const char *s, bool quoted)
{
    size_t n = strlen(s);

    while (n > 0 && end - q > 4) {
        uint32_t cp;
        size_t len = utf8_decode(s, n, &cp);

        if (quoted && (cp == '"' || cp == '\\'))
            *q++ = '\\';
        q += utf8_encode(cp < 0x20 || cp == 0x7F ? '?' : cp, q);
        s += len;
        n -= len;
    }
    return q;
}

enum { LOG_LINE_MAX = 2048 };

static char *plain_line(char *line, enum log_level level, const char *text)
{
    char *q = line + snprintf(line, LOG_LINE_MAX, "\r\033[K%s: ",
                              level == LOG_WARN ? "warning" : words[level]);

    q = add_text(q, line + LOG_LINE_MAX - 8, text, false);
    *q++ = '\n';
    return q;
}

static char *json_line(char *line, enum log_level level, const char *id,
                       const char *text)
{
    char stamp[STAMP_LEN + 1];
    char *q;

    date_format_stamp(clock_now_ms(), stamp);
    q = line + snprintf(line, LOG_LINE_MAX, "{\"at\":\"%s\",\"level\":\"%s\",",
                        stamp, words[level]);
    if (id != NULL) {
        memcpy(q, "\"id\":\"", 6);
        q = add_text(q + 6, line + 256, id, true);
        memcpy(q, "\",", 2);
        q += 2;
    }
    memcpy(q, "\"msg\":\"", 7);
    q = add_text(q + 7, line + LOG_LINE_MAX - 8, text, true);
    memcpy(q, "\"}\n", 3);
    return q + 3;
}

void log_line(enum log_level level, const char *id, const char *fmt, ...)
{
    char text[768], line[LOG_LINE_MAX], *q;
    va_list ap;

    if ((int)level < atomic_load(&min_level) || level >= LOG_OFF)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    q = atomic_load(&for_people) ? plain_line(line, level, text)
                                 : json_line(line, level, id, text);
    if (write(atomic_load(&log_fd), line, (size_t)(q - line)) < 0)
        return; /* nobody left to tell */
}
