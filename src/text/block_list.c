/* A growing list of blocks; see block_list.h. */
#include "text/block_list.h"

#include <string.h>

static bool make_room(struct block_list *l)
{
    size_t size = l->size == 0 ? 64 : l->size * 2;
    struct block *list;

    if (l->count < l->size)
        return true;
    list = arena_array(l->a, size, sizeof *list);
    if (list == NULL)
        return false;
    if (l->count > 0)
        memcpy(list, l->list, l->count * sizeof *list);
    l->list = list;
    l->size = size;
    return true;
}

void block_list_add(struct block_list *l, enum block_kind kind, int level,
                    const char *text, size_t n)
{
    struct block *b;

    if (l->failed || !make_room(l)) {
        l->failed = true;
        return;
    }
    b = &l->list[l->count];
    b->kind = kind;
    b->level = level;
    b->links = b->begins = false;
    b->entry = l->entry;
    b->text = arena_strndup(l->a, text, n);
    if (b->text == NULL)
        l->failed = true;
    else
        l->count++;
}

/* Bytes of what is written at p but is nothing to read, or a space of two
 * bytes; 0 for all else. */
static size_t odd_at(const char *p, size_t n, bool *space)
{
    *space = n > 1 && memcmp(p, "\xC2\xA0", 2) == 0;
    if (*space || (n > 1 && memcmp(p, "\xC2\xAD", 2) == 0))
        return 2;
    return n > 2 && (memcmp(p, "\xE2\x80\x8B", 3) == 0 ||
                     memcmp(p, "\xEF\xBB\xBF", 3) == 0)
               ? 3
               : 0;
}

void block_text_add(struct buf *line, const char *p, size_t n)
{
    const char *end = p + n;

    while (p < end) {
        const char *run = p;
        unsigned char c = 0;
        bool space = false;
        size_t odd;

        while (p < end && (c = (unsigned char)*p) > ' ' && c != 0xC2 &&
               c != 0xE2 && c != 0xEF)
            p++;
        buf_add(line, run, (size_t)(p - run));
        if (p == end)
            return;
        odd = c <= ' ' ? 0 : odd_at(p, (size_t)(end - p), &space);
        if (c <= ' ' || space) {
            if (line->len > 0 && line->data[line->len - 1] != ' ')
                buf_addc(line, ' ');
            p += space ? 2 : 1;
        } else if (odd > 0) {
            p += odd;
        } else {
            buf_addc(line, *p++);
        }
    }
}
