/* Growable bytes with a cap; see buf.h. */
#include "base/buf.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Test builds grow by one byte, so that every growth path is walked. */
#ifndef BUF_MIN_BYTES
#define BUF_MIN_BYTES 256
#endif

void buf_init(struct buf *b, size_t cap)
{
    b->data = NULL;
    b->len = 0;
    b->size = 0;
    b->cap = cap;
    b->err = ERR_OK;
}

void buf_fini(struct buf *b)
{
    free(b->data);
    buf_init(b, b->cap);
}

void buf_cut(struct buf *b, size_t len)
{
    if (len >= b->len)
        return;
    b->len = len;
    b->data[len] = '\0';
}

void buf_reset(struct buf *b)
{
    b->len = 0;
    b->err = ERR_OK;
    if (b->data != NULL)
        b->data[0] = '\0';
}

static enum err grow(struct buf *b, size_t more)
{
    size_t want, size;
    char *p;

    if (b->err != ERR_OK)
        return b->err;
    if (more > b->cap || b->len > b->cap - more)
        return b->err = ERR_TOO_LARGE;
    want = b->len + more + 1;
    if (want <= b->size)
        return ERR_OK;
    size = b->size < BUF_MIN_BYTES ? (size_t)BUF_MIN_BYTES : b->size * 2;
    if (BUF_MIN_BYTES == 1 || size < want)
        size = want;
    if (size > b->cap + 1)
        size = b->cap + 1;
    p = realloc(b->data, size);
    if (p == NULL)
        return b->err = ERR_NOMEM;
    b->data = p;
    b->size = size;
    return ERR_OK;
}

enum err buf_add(struct buf *b, const void *p, size_t n)
{
    enum err e = grow(b, n);

    if (e != ERR_OK)
        return e;
    if (n > 0)
        memcpy(b->data + b->len, p, n);
    b->len += n;
    b->data[b->len] = '\0';
    return ERR_OK;
}

enum err buf_adds(struct buf *b, const char *s)
{
    return buf_add(b, s, strlen(s));
}

enum err buf_addc(struct buf *b, char c)
{
    return buf_add(b, &c, 1);
}

enum err buf_addf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    int n;
    enum err e;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        return b->err = ERR_INTERNAL;
    e = grow(b, (size_t)n);
    if (e != ERR_OK)
        return e;
    va_start(ap, fmt);
    vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->len += (size_t)n;
    return ERR_OK;
}

enum err buf_err(const struct buf *b)
{
    return b->err;
}

const char *buf_str(const struct buf *b)
{
    return b->data == NULL ? "" : b->data;
}

enum err buf_keep(struct buf *b, enum err e, struct arena *a, const char **out)
{
    const char *text = NULL;

    if (e == ERR_OK)
        e = b->err;
    if (e == ERR_OK) {
        text = arena_strndup(a, buf_str(b), b->len);
        e = text == NULL ? ERR_NOMEM : ERR_OK;
    }
    buf_fini(b);
    if (e == ERR_OK)
        *out = text;
    return e;
}
