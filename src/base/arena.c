/* Bump allocator; see arena.h. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fuzzers give every piece a chunk of its own, so that a read beyond its
 * end is seen. */
#ifndef ARENA_CHUNK_BYTES
#define ARENA_CHUNK_BYTES (32 * 1024)
#endif

enum { CHUNK_BYTES = ARENA_CHUNK_BYTES, FIRST_ROOM = 16 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t size; /* payload bytes */
    size_t fill;
    alignas(max_align_t) unsigned char data[];
};

struct arena_end {
    struct arena_end *next;
    void (*end)(void *p);
    void *p;
};

void arena_init(struct arena *a, size_t cap)
{
    a->head = NULL;
    a->ends = NULL;
    a->used = 0;
    a->cap = cap;
    a->failed = false;
}

static void free_chunks(struct arena_chunk *c)
{
    while (c != NULL) {
        struct arena_chunk *next = c->next;

        free(c);
        c = next;
    }
}

static void call_ends(struct arena *a)
{
    for (struct arena_end *e = a->ends; e != NULL; e = e->next)
        e->end(e->p);
    a->ends = NULL;
}

void arena_fini(struct arena *a)
{
    call_ends(a);
    free_chunks(a->head);
    arena_init(a, a->cap);
}

void arena_reset(struct arena *a)
{
    struct arena_chunk *keep = NULL;

    call_ends(a);
    while (a->head != NULL) {
        struct arena_chunk *next = a->head->next;

        if (keep == NULL && a->head->size == CHUNK_BYTES)
            keep = a->head;
        else
            free(a->head);
        a->head = next;
    }
    if (keep != NULL) {
        keep->next = NULL;
        keep->fill = 0;
    }
    a->head = keep;
    a->used = 0;
    a->failed = false;
}

static struct arena_chunk *chunk_new(struct arena *a, size_t need)
{
    size_t size = need > CHUNK_BYTES / 4 ? need : (size_t)CHUNK_BYTES;
    /* A big one is often not filled: what nobody touches costs nothing. */
    struct arena_chunk *c = size == CHUNK_BYTES ? malloc(sizeof *c + size)
                                                : calloc(1, sizeof *c + size);

    if (c == NULL)
        return NULL;
    c->size = size;
    c->fill = 0;
    /* A big one-off chunk goes behind the chunk being filled. */
    if (size != CHUNK_BYTES && a->head != NULL) {
        c->next = a->head->next;
        a->head->next = c;
    } else {
        c->next = a->head;
        a->head = c;
    }
    return c;
}

/* *zero: it is. */
static void *take(struct arena *a, size_t n, bool *zero)
{
    size_t need = n == 0 ? 1 : n;
    struct arena_chunk *c = a->head;
    void *p;

    if (need > a->cap || a->used > a->cap - need)
        goto fail;
    if (CHUNK_BYTES > 1)
        need = (need + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    if (c == NULL || c->size - c->fill < need) {
        c = chunk_new(a, need);
        if (c == NULL)
            goto fail;
    }
    p = c->data + c->fill;
    c->fill += need;
    a->used += need;
    *zero = c->size != CHUNK_BYTES;
    return p;
fail:
    a->failed = true;
    return NULL;
}

void *arena_alloc(struct arena *a, size_t n)
{
    bool zero;
    void *p = take(a, n, &zero);

    if (p != NULL && !zero)
        memset(p, 0, n == 0 ? 1 : n);
    return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        a->failed = true;
        return NULL;
    }
    return arena_alloc(a, count * size);
}

bool arena_grow(struct arena *a, void *v, size_t count, size_t more,
                size_t *room, size_t each)
{
    size_t size = *room == 0 ? FIRST_ROOM : 2 * *room;
    void *old, *bigger;

    if (more > SIZE_MAX / 2 - count) {
        a->failed = true;
        return false;
    }
    if (count + more <= *room)
        return true;
    if (size < count + more)
        size = count + more;
    bigger = arena_array(a, size, each);
    if (bigger == NULL)
        return false;
    memcpy(&old, v, sizeof old);
    if (count > 0)
        memcpy(bigger, old, count * each);
    memcpy(v, &bigger, sizeof bigger);
    *room = size;
    return true;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *p;
    bool zero;

    if (s == NULL)
        return NULL;
    if (n == SIZE_MAX) {
        a->failed = true;
        return NULL;
    }
    p = take(a, n + 1, &zero);
    if (p != NULL) {
        memcpy(p, s, n);
        p[n] = '\0';
    }
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return s == NULL ? NULL : arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    int n;
    char *p;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0) {
        a->failed = true;
        return NULL;
    }
    p = arena_alloc(a, (size_t)n + 1);
    if (p == NULL)
        return NULL;
    va_start(ap, fmt);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return p;
}

bool arena_at_end(struct arena *a, void (*end)(void *p), void *p)
{
    struct arena_end *e = arena_alloc(a, sizeof *e);

    if (e == NULL)
        return false;
    *e = (struct arena_end){a->ends, end, p};
    a->ends = e;
    return true;
}

bool arena_failed(const struct arena *a)
{
    return a->failed;
}
