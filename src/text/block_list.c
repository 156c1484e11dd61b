/* A growing list of blocks; see block_list.h. */
#include "text/block_list.h"

#include "base/str.h"

#include <string.h>

enum {
    NAME_BYTES = 80, /* of a term, as a heading */
    NUMBERS_MAX = 10000
};

void block_list_add(struct block_list *l, enum block_kind kind, int level,
                    const char *text, size_t n)
{
    struct block *b;

    if (l->failed ||
        !arena_grow(l->a, &l->list, l->count, 1, &l->size, sizeof *l->list)) {
        l->failed = true;
        return;
    }
    b = &l->list[l->count];
    b->kind = kind;
    b->level = level;
    b->links = b->begins = false;
    b->number = kind == BLOCK_LIST_ITEM ? l->number : 0;
    b->entry = l->entry;
    b->depth = l->depth;
    b->text = arena_strndup(l->a, text, n);
    if (b->text == NULL)
        l->failed = true;
    else
        l->count++;
    if (kind == BLOCK_LIST_ITEM)
        l->number = 0;
}

void block_list_open(struct block_list *l, int depth, int first)
{
    if (depth >= 0 && depth < LISTS_NUMBERED)
        l->next[depth] = first > 0 && first < NUMBERS_MAX ? first : 0;
}

void block_list_item(struct block_list *l, int depth)
{
    int *next = depth >= 0 && depth < LISTS_NUMBERED ? &l->next[depth] : NULL;

    l->number = next == NULL || *next >= NUMBERS_MAX ? 0 : *next;
    if (l->number > 0)
        (*next)++;
}

/* The bytes of what an entry is called, of its term: "open" of "open(file,
 * mode='r')", "git stash push" of "git stash push [-p]", "y = interp1" of
 * "y = interp1 (x)". */
static size_t entry_name(const char *z, size_t n)
{
    size_t end = utf8_cut(z, n, NAME_BYTES);

    for (size_t i = 1; i < end; i++)
        if (z[i] == '(' || (z[i - 1] == ' ' && strchr("[<{", z[i]) != NULL))
            end = i;
    while (end > 0 && strchr(" :,;", z[end - 1]) != NULL)
        end--;
    /* The forms of one thing: "NA, NA (n)". */
    for (size_t i = 1; 2 * i + 2 <= end; i++)
        if (z[i] == ',' && memcmp(z, z + i + 2, i) == 0)
            return i;
    return end;
}

const struct definition *block_entry(struct block_list *l, const char *term,
                                     size_t n)
{
    size_t bytes = entry_name(term, n);
    struct definition *entry;

    if (bytes == 0)
        return NULL;
    entry = arena_array(l->a, 1, sizeof *entry);
    if (entry != NULL)
        *entry =
            (struct definition){arena_strndup(l->a, term, bytes), l->entry};
    if (entry != NULL && entry->name != NULL)
        return entry;
    l->failed = true;
    return NULL;
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
