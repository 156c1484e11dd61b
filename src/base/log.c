/* Log lines; see log.h. */
#include "base/log.h"

#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Atomic int min_level = LOG_INFO;
static _Atomic int log_fd = STDERR_FILENO;

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

/* s as the inside of a JSON string; what cannot stand there becomes '?' or
 * U+FFFD. Returns the end of what was written, whole characters only. */
static char *add_escaped(char *q, const char *end, const char *s)
{
    size_t n = strlen(s);

    while (n > 0 && end - q > 4) {
        uint32_t cp;
        size_t len = utf8_decode(s, n, &cp);

        if (cp == '"' || cp == '\\')
            *q++ = '\\';
        q += utf8_encode(cp < 0x20 || cp == 0x7F ? '?' : cp, q);
        s += len;
        n -= len;
    }
    return q;
}

void log_line(enum log_level level, const char *id, const char *fmt, ...)
{
    char text[768], line[2048], stamp[STAMP_LEN + 1];
    char *q, *end = line + sizeof line - 8;
    va_list ap;
    int n;

    if ((int)level < atomic_load(&min_level) || level >= LOG_OFF)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    date_format_stamp(clock_now_ms(), stamp);
    n = snprintf(line, sizeof line, "{\"at\":\"%s\",\"level\":\"%s\",", stamp,
                 words[level]);
    q = line + n;
    if (id != NULL) {
        memcpy(q, "\"id\":\"", 6);
        q = add_escaped(q + 6, line + 256, id);
        memcpy(q, "\",", 2);
        q += 2;
    }
    memcpy(q, "\"msg\":\"", 7);
    q = add_escaped(q + 7, end, text);
    memcpy(q, "\"}\n", 3);
    q += 3;
    if (write(atomic_load(&log_fd), line, (size_t)(q - line)) < 0)
        return; /* nobody left to tell */
}
