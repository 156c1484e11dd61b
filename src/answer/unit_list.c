/* Lists said by the heads of their items; see unit_list.h. */
#include "answer/unit_list.h"

#include "text/terms.h"

#include <string.h>

enum {
    TERM_BYTES = 80,
    LIST_LEAST = 3, /* items */
    LIST_ITEMS = 24,
    REST_WORDS = 40, /* a list that ends within so many more is said whole */
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

/* Where an item's term ends, or 0. */
static size_t term_end(const struct part *p)
{
    return p->kind == 'r'
               ? 0
               : passage_term(p->c->text + p->start, p->len, TERM_BYTES);
}

/* Where the first sentence behind so many bytes of it ends. */
static enum err sentence_end(const struct part *p, size_t from, struct arena *a,
                             size_t *end)
{
    struct span *s = NULL;
    size_t n = 0;
    enum err e =
        sentences_split(p->c->text + p->start + from, p->len - from, a, &s, &n);

    *end = e == ERR_OK && n > 1 ? from + s[0].start + s[0].len : p->len;
    return e;
}

/* An item's term, or its first sentence. */
static enum err head_read(struct part *p, struct arena *a)
{
    p->head = p->kind == 'r' ? p->len : term_end(p);
    return p->head > 0 ? ERR_OK : sentence_end(p, 0, a, &p->head);
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

/* Does part i have items of its own? */
static bool has_inner(const struct part *v, size_t n, size_t i)
{
    size_t next = i + 1;

    while (next < n && v[next].section == v[i].section &&
           (v[next].kind == 'p' || v[next].goes_on))
        next++;
    return v[i].kind == 'i' && next < n && v[next].kind == 'j' &&
           v[next].section == v[i].section;
}

/* Does item i go on with a list? Those behind it are not what it names. */
static bool is_inside(const struct part *v, size_t i)
{
    return i > 0 && v[i - 1].section == v[i].section && is_item(v[i - 1].kind);
}

enum err unit_list_read(struct part *v, size_t n, struct unit *x,
                        struct arena *a)
{
    size_t first = x->from, items = 0, words = 0, more;
    struct {
        size_t items, words, last;
    } fits = {0};
    enum err e = ERR_OK;
    bool ends = true;

    if (is_item(v[first].kind)) {
        if (has_inner(v, n, first))
            words += v[first++].words;
        else if (is_inside(v, first))
            return ERR_OK;
    }
    while (first < n && first <= x->to && !is_item(v[first].kind))
        words += v[first++].words;
    if (first == n || !is_item(v[first].kind) ||
        v[first].section != v[x->from].section ||
        (first > x->from && v[first - 1].inside && v[first].kind == 'i'))
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
        ends =
            items < LIST_ITEMS && words + more <= UNIT_WORDS_LIST + REST_WORDS;
        if (!ends)
            break;
        words += more;
        items++;
        x->last = i;
        if (words <= UNIT_WORDS_LIST) {
            fits.items = items;
            fits.words = words;
            fits.last = i;
        }
    }
    if (!ends) {
        items = fits.items;
        words = fits.words;
        x->last = fits.last;
    }
    if (items < LIST_LEAST || x->last <= x->to) {
        x->last = 0;
        return e;
    }
    x->item = first;
    x->words = words;
    return e;
}

enum err unit_list_explain(struct part *v, struct unit *x, size_t max,
                           struct arena *a)
{
    size_t end[LIST_PARTS] = {0}, words = 0;
    enum err e = ERR_OK;

    if (x->last == 0)
        return ERR_OK;
    for (size_t i = x->item; e == ERR_OK && i <= x->last; i++) {
        const struct part *p = &v[i];
        size_t *to = &end[i - x->item];

        if (p->kind != v[x->item].kind || p->head == 0 ||
            p->head != term_end(p))
            continue;
        e = sentence_end(p, p->head, a, to);
        words += unit_words(
            tokens_count(p->c->text + p->start + p->head, *to - p->head));
    }
    if (e != ERR_OK || words > max || x->words + words > UNIT_WORDS_LIST)
        return e;
    for (size_t i = x->item; i <= x->last; i++)
        if (end[i - x->item] > 0)
            v[i].head = end[i - x->item];
    x->words += words;
    return ERR_OK;
}
