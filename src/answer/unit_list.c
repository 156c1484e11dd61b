/* Lists said by the heads of their items; see unit_list.h. */
#include "answer/unit_list.h"

#include "text/terms.h"

#include <string.h>

enum {
    TERM_BYTES = 80,
    LIST_LEAST = 3, /* items */
    LIST_ITEMS = 24,
    LIST_PARTS = 120 /* looked through for them */
};

size_t unit_words(size_t tokens)
{
    return (tokens * 9 + 5) / 10;
}

size_t unit_end(const struct unit *x)
{
    return x->last > 0 ? x->last : x->to;
}

bool unit_says(const struct units *u, const struct unit *x, size_t i,
               size_t *start, size_t *len)
{
    const struct part *p = &u->parts[x->page][i];

    size_t end = p->start + p->len;

    if (x->last == 0 && x->from == x->to)
        end = x->start + x->len;
    else if (x->last == 0 && i == x->to && x->until > 0)
        end = x->until;
    *start = i == x->from ? x->start : p->start;
    *len = end - *start;
    if (x->last == 0 || i < x->item)
        return i <= x->to;
    *len = p->head;
    return i <= x->last && p->kind == u->parts[x->page][x->item].kind &&
           p->head > 0;
}

/* An item's term, or its first sentence. */
static enum err head_read(struct part *p, struct arena *a)
{
    const char *z = p->c->text + p->start;
    const char *colon =
        memmem(z, p->len < TERM_BYTES ? p->len : TERM_BYTES, ": ", 2);
    struct span *s = NULL;
    size_t n = 0;
    enum err e;

    p->head = colon == NULL || p->kind == 'r' ? p->len : (size_t)(colon - z);
    if (colon != NULL || p->kind == 'r')
        return ERR_OK;
    e = sentences_split(z, p->len, a, &s, &n);
    if (e == ERR_OK && n > 1)
        p->head = s[0].start + s[0].len;
    return e;
}

static bool is_item(char kind)
{
    return kind == 'i' || kind == 'j' || kind == 'r';
}

/* Does part i introduce another list of such items? */
static bool is_next_list(const struct part *v, size_t n, size_t i, char kind)
{
    return v[i].kind == 'p' && part_ends_open(&v[i]) && i + 1 < n &&
           v[i + 1].kind == kind;
}

enum err unit_list_read(struct part *v, size_t n, struct unit *x,
                        struct arena *a)
{
    size_t first = x->from, items = 0, words = 0, more;
    enum err e = ERR_OK;

    while (first < n && first <= x->to && !is_item(v[first].kind))
        words += v[first++].words;
    if (first == n || !is_item(v[first].kind) ||
        v[first].section != v[x->from].section)
        return ERR_OK;
    for (size_t i = first; e == ERR_OK && i < n && i < first + LIST_PARTS &&
                           v[i].section == v[first].section;
         i++) {
        if (is_next_list(v, n, i, v[first].kind))
            break;
        if (v[i].kind != v[first].kind || v[i].goes_on)
            continue;
        e = head_read(&v[i], a);
        more = unit_words(tokens_count(v[i].c->text + v[i].start, v[i].head));
        if (items == LIST_ITEMS || words + more > UNIT_WORDS_LIST)
            break;
        words += more;
        items++;
        x->last = i;
    }
    if (items < LIST_LEAST || x->last <= x->to) {
        x->last = 0;
        return e;
    }
    x->item = first;
    x->words = words;
    return e;
}
