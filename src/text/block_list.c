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
    b->text = arena_strndup(l->a, text, n);
    if (b->text == NULL)
        l->failed = true;
    else
        l->count++;
}
