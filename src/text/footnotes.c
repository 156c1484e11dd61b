/* Footnotes to the sections that refer to them; see footnotes.h. */
#include "text/footnotes.h"

#include <string.h>

enum {
    NOTES_MAX = 10 * 1000,
    LOOKED_AHEAD = 64 /* marks and notes come in one order, or nearly */
};

/* The id that the mark's link leads to, NULL: it leads to another page. */
static const char *target_of(const struct dom *d, uint32_t i)
{
    for (uint32_t k = i; k < d->nodes[i].end; k++) {
        const struct node *x = &d->nodes[k];
        const char *href =
            x->tag == TAG_A && !x->is_text ? dom_attr(x, "href") : NULL;

        if (href != NULL)
            return href[0] == '#' && href[1] != '\0' ? href + 1 : NULL;
    }
    return NULL;
}

void footnotes_refer(struct footnotes *f, const struct dom *d, uint32_t i,
                     const struct block_list *l)
{
    const char *id = target_of(d, i);

    /* The arena's end is seen where blocks are added. */
    if (id == NULL || f->open != NULL || f->count == NOTES_MAX ||
        !arena_grow(f->a, &f->v, f->count, 1, &f->size, sizeof *f->v))
        return;
    f->v[f->count++] = (struct footnote){.id = id, .referrer = l->count};
}

static struct footnote *note_called(struct footnotes *f, const char *id)
{
    size_t end =
        f->count - f->next < LOOKED_AHEAD ? f->count : f->next + LOOKED_AHEAD;

    for (size_t i = f->next; i < end; i++)
        if (f->v[i].end == 0 && strcmp(f->v[i].id, id) == 0) {
            f->next = i + 1;
            return &f->v[i];
        }
    return NULL;
}

/* Do notes that begin here have a heading of their own? */
static bool is_headed(const struct block_list *l)
{
    return l->count == 0 || l->list[l->count - 1].kind == BLOCK_HEADING;
}

bool footnotes_begin(struct footnotes *f, const struct dom *d, uint32_t i,
                     uint32_t until, const struct block_list *l)
{
    const char *id = f->next < f->count ? dom_attr(&d->nodes[i], "id") : NULL;
    struct footnote *note;

    if (id == NULL)
        return false;
    if (f->open != NULL)
        footnotes_leave(f, f->open_at, l);
    note = note_called(f, id);
    if (note == NULL)
        return false;
    if (is_headed(l)) {
        f->next = f->count; /* and so are those behind it */
        return false;
    }
    note->start = note->end = l->count;
    f->open = note;
    f->open_at = until;
    return true;
}

bool footnotes_at_start(const struct footnotes *f, const struct block_list *l)
{
    return f->open != NULL && f->open->start == l->count;
}

void footnotes_leave(struct footnotes *f, uint32_t i,
                     const struct block_list *l)
{
    if (f->open == NULL || i != f->open_at)
        return;
    f->open->end = l->count;
    f->open = NULL;
}

/* Add the notes from this one on whose marks stand before the block; the next
 * one. */
static size_t add_notes(const struct footnotes *f, size_t note, size_t before,
                        const struct block_list *l, struct block *to, size_t *n)
{
    for (; note < f->count && f->v[note].referrer < before; note++)
        for (size_t i = f->v[note].start; i < f->v[note].end && i < l->count;
             i++) {
            to[*n] = l->list[i];
            to[(*n)++].depth = 0; /* wherever the list of notes stood */
        }
    return note;
}

void footnotes_move(const struct footnotes *f, struct block_list *l)
{
    struct block *to;
    size_t n = 0, note = 0;
    bool *moved;

    if (f->next == 0 || l->failed)
        return;
    to = arena_array(l->a, l->count, sizeof *to);
    moved = arena_array(l->a, l->count, sizeof *moved);
    if (to == NULL || moved == NULL) {
        l->failed = true;
        return;
    }
    memset(moved, 0, l->count * sizeof *moved);
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = f->v[i].start; k < f->v[i].end && k < l->count; k++)
            moved[k] = true;
    for (size_t i = 0; i < l->count; i++) {
        if (moved[i])
            continue;
        if (l->list[i].kind == BLOCK_HEADING)
            note = add_notes(f, note, i, l, to, &n);
        to[n++] = l->list[i];
    }
    (void)add_notes(f, note, SIZE_MAX, l, to, &n);
    l->list = to;
    l->count = n;
    l->size = n;
}
