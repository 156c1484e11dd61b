/* Units as whole thoughts; see unit_whole.h. Called by answer_units.c. */
#include "answer/unit_whole.h"
#include "answer/unit_list.h"
#include "base/str.h"
#include "lang/words.h"
#include "question/evidence.h"
#include "question/overlap.h"
#include "text/terms.h"

#include <string.h>

enum {
    BEFORE_WORDS = 30, /* of all that is taken in ahead */
    BEHIND_WORDS = 60, /* of what was announced */
    MESSAGE_WORDS = 70, /* of what is said behind a message, … */
    MESSAGE_LIST_WORDS = 100, /* … or left of a list that says it */
    FINISH_WORDS = 22, /* of what is left of a paragraph */
    FINISH_COMPARED = 80, /* … of one that compares what is asked */
    ENTRY_WORDS = 80,  /* of what is left of an entry, on both ends */
    ASKED_WORDS = 80,  /* ahead of it below a heading that asks */
    LABEL_WORDS = 5,
    HEADS_MOST = 9     /* of what is left of a list */
};

/* A unit quotes the question: its words in a row, of eight (FEATURE_RUN), and
 * what of its terms it holds, at least; or stands below it (FEATURE_ASKED). */
static const double QUOTED_RUN = 0.4, QUOTED_SHARE = 0.5, HEADED_BY = 0.6;

struct whole {
    const struct query *q;
    struct part *v;
    size_t n;
    struct unit *x;
    bool heads;
    struct arena *a;
    size_t room; /* words that may still stand ahead, … */
    size_t more; /* … and behind, of a message, … */
    size_t list; /* … and of a list that says it */
    size_t entry; /* … and of what is left of an entry, … */
    size_t asked; /* … and ahead, below a heading that asks */
};

static size_t words_of(const char *p, size_t n)
{
    return unit_words(tokens_count(p, n));
}

/* Where the last sentence of a part's bytes ahead of `to` begins; *found: there
 * is one, and it is short. */
static enum err sentence_before(const struct whole *w, const struct part *p,
                                size_t to, size_t *start, bool *found)
{
    struct span *s = NULL;
    size_t n = 0;
    enum err e =
        sentences_split(p->c->text + p->start, to - p->start, w->a, &s, &n);

    *found = e == ERR_OK && n > 0;
    if (*found) {
        *start = p->start + s[n - 1].start;
        *found = words_of(p->c->text + *start, s[n - 1].len) <= w->room;
    }
    return e;
}

/* From a byte of a part to one of a later one, or of the same. */
static size_t words_between(const struct whole *w, size_t from, size_t start,
                            size_t to, size_t end)
{
    size_t n = 0;

    for (; from < to; start = w->v[++from].start) {
        const struct part *p = &w->v[from];

        n += words_of(p->c->text + start, p->start + p->len - start);
    }
    return n + words_of(w->v[to].c->text + start, end - start);
}

/* x begins at a byte of an earlier part, or of its own. */
static void begin_at(struct whole *w, size_t part, size_t start)
{
    struct unit *x = w->x;
    const struct part *p = &w->v[part];
    size_t end = x->start + x->len;
    size_t words = words_between(w, part, start, x->from, x->start);

    if (part != x->from && x->from == x->to && x->last == 0)
        x->until = end;
    x->len =
        (part == x->from && x->from == x->to ? end : p->start + p->len) - start;
    x->from = part;
    x->start = start;
    x->words += words;
    w->room -= words < w->room ? words : w->room;
}

static bool is_prose(const struct part *p)
{
    return p->kind == 'p' || p->kind == 'q';
}

/* Is it a few words that end no sentence, and no item among others: the name of
 * what stands behind it? */
static bool is_label(const struct whole *w, const struct part *p)
{
    const char *z = p->c->text + p->start;
    bool listed = p > w->v && p[-1].section == p->section &&
                  p[-1].kind == 'i' && p->kind == 'i';

    return (is_prose(p) || (p->kind == 'i' && !listed)) && !p->inside &&
           !p->links && p->words <= LABEL_WORDS && p->len > 0 &&
           memchr(z, ':', p->len - 1) == NULL && !sentence_is_closed(z, p->len);
}

/* Does a label stand right ahead of the part, which is none itself, or of the
 * listing there? */
static bool is_labelled(const struct whole *w, const struct part *p)
{
    const struct part *o = p - 1;

    if (is_label(w, p))
        return false;
    if (is_prose(p) && o->kind == 'c' && o > w->v &&
        o[-1].section == p->section)
        return is_label(w, o - 1);
    return (is_prose(p) || p->kind == 'c') && is_label(w, o);
}

/* Does the part at which x begins go on with the one before? */
static bool is_behind(const struct whole *w, const struct part *p)
{
    const struct part *o = p - 1;
    const char *z = p->c->text + p->start;

    return part_ends_open(o) || p->goes_on || is_labelled(w, p) ||
           (p->kind == 'p' && ((o->kind == 'c' && *z >= 'a' && *z <= 'z') ||
                               report_leans(w->q->lang, z, p->len)));
}

/* One step back; *more: there was one. */
static enum err begin_before(struct whole *w, bool *more)
{
    const struct unit *x = w->x;
    const struct part *p = &w->v[x->from];
    size_t at = x->from, start = p->start;
    enum err e = ERR_OK;

    *more = is_prose(p) || p->kind == 'c';
    if (*more && x->start > p->start) {
        *more = report_leans(w->q->lang, p->c->text + x->start,
                             p->start + p->len - x->start);
        if (*more)
            e = sentence_before(w, p, x->start, &start, more);
    } else if (*more) {
        *more = x->from > 0 && p[-1].section == p->section && is_behind(w, p);
        at = x->from - 1;
        if (*more && (p[-1].kind == 'p' || is_label(w, p - 1)))
            e = sentence_before(w, p - 1, p[-1].start + p[-1].len, &start,
                                more);
        else if (*more) {
            *more = p[-1].kind == 'c' && p[-1].words <= w->room;
            start = p[-1].start;
        }
    }
    if (e == ERR_OK && *more)
        begin_at(w, at, start);
    return e;
}

/* Take in what was announced behind it: blocks of one kind, up to so many
 * words. */
static bool go_on(struct whole *w, size_t max)
{
    struct unit *x = w->x;
    size_t words = 0, to = x->to;
    char kind = x->to + 1 < w->n ? w->v[x->to + 1].kind : 'p';

    while (to + 1 < w->n && w->v[to + 1].section == w->v[x->to].section &&
           words + w->v[to + 1].words <= max) {
        if (to > x->to && w->v[to + 1].kind != kind)
            break;
        words += w->v[++to].words;
        if (kind == 'c' && !(to + 1 < w->n && w->v[to + 1].goes_on))
            break;
    }
    if (to == x->to || (to + 1 < w->n && w->v[to + 1].goes_on))
        return false;
    x->to = to;
    x->words += words;
    return true;
}

/* Does the list of which part i is an item go on behind it? */
static bool list_goes_on(const struct whole *w, size_t i)
{
    const struct part *p = &w->v[i];

    return (p->kind == 'i' || p->kind == 'j') && i + 1 < w->n &&
           p[1].section == p->section && (p[1].kind == p->kind || p[1].goes_on);
}

/* Is the question a message, which the unit quotes or stands below, or does it
 * ask what one means, why it is there or how to be rid of it? */
static bool is_message(const struct whole *w)
{
    const double *v = w->x->v;
    enum answer_type t = w->q->type;

    return (t == ANSWER_ANY && v[FEATURE_ASKED] >= HEADED_BY) ||
           ((t == ANSWER_ANY || t == ANSWER_HOWTO || t == ANSWER_REASON ||
             t == ANSWER_DEFINITION) &&
            v[FEATURE_RUN] >= QUOTED_RUN &&
            overlap_share(w->q, w->x->mask) >= QUOTED_SHARE);
}

/* A list that begins in the unit behind something else and goes on behind its
 * end is said whole, where little is left of it, or the rest by the heads of
 * its items. */
static enum err list_finish(struct whole *w, bool *done)
{
    struct unit *x = w->x, all = *x;
    struct part *v = w->v;
    size_t first = x->to, heads = 0;
    enum err e;

    *done = false;
    if (!list_goes_on(w, x->to))
        return ERR_OK;
    while (first > x->from && v[first - 1].section == v[first].section &&
           (v[first - 1].kind == v[first].kind || v[first].goes_on))
        first--;
    if (first == x->from)
        return ERR_OK;
    *done = go_on(w, is_message(w) && w->list > BEHIND_WORDS ? w->list
                                                            : BEHIND_WORDS) &&
            !list_goes_on(w, x->to);
    if (*done)
        return ERR_OK;
    *x = all;
    if (!w->heads)
        return ERR_OK;
    e = unit_list_read(w->v, w->n, &all, w->a);
    *done = e == ERR_OK && all.last > x->to && x->until == 0;
    for (size_t i = x->to + 1; *done && i <= all.last; i++)
        heads += v[i].kind == v[first].kind && !v[i].goes_on;
    *done = *done && all.item == first && heads <= HEADS_MOST &&
            !list_goes_on(w, all.last);
    for (size_t i = first; *done && i <= x->to; i++) {
        if (v[i].kind == v[first].kind && !v[i].goes_on)
            all.words += words_of(v[i].c->text + v[i].start + v[i].head,
                                  v[i].len - v[i].head);
        v[i].head = v[i].len;
    }
    if (*done)
        *x = all;
    return e;
}

/* What announces something that is not said is left out. */
static enum err close_end(struct whole *w)
{
    struct unit *x = w->x;
    const struct part *p = &w->v[x->to];
    size_t start = x->from == x->to ? x->start : p->start, n = 0;
    size_t end = x->from == x->to ? x->start + x->len : p->start + p->len;
    struct span *s = NULL;
    enum err e = sentences_split(p->c->text + start, end - start, w->a, &s, &n);

    if (e == ERR_OK && n < 2 && x->to > x->from)
        x->to--;
    if (e != ERR_OK || n < 2)
        return e;
    end = start + s[n - 2].start + s[n - 2].len;
    if (x->from == x->to)
        x->len = end - x->start;
    else
        x->until = end;
    return ERR_OK;
}

/* Where x ends in its last part. */
static size_t end_of(const struct whole *w)
{
    const struct unit *x = w->x;
    const struct part *p = &w->v[x->to];

    return x->from == x->to ? x->start + x->len
           : x->until > 0   ? x->until
                            : p->start + p->len;
}

/* Does a sentence only say where more is said: "See X", "For more, see Y"? */
static bool is_reference(const struct whole *w, const char *p, size_t n)
{
    const char *seeing = phrase(w->q->lang, PHRASE_SEEING);
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    return tokens_next(&it, &t) &&
           (word_in(t.text, seeing) ||
            (word_in(t.text, phrase(w->q->lang, PHRASE_FURTHER)) &&
             tokens_have(p, n, seeing)));
}

/* Such sentences at the end of a paragraph are left out, unless they alone
 * hold something of the question. */
static enum err drop_references(struct whole *w)
{
    struct unit *x = w->x;
    const struct part *p = &w->v[x->to];
    const char *z = p->c->text;
    size_t start = x->from == x->to ? x->start : p->start, n = 0, len;
    size_t end = end_of(w);
    struct span *s = NULL;
    enum err e = p->kind != 'p' || x->last > 0
                     ? ERR_OK
                     : sentences_split(z + start, end - start, w->a, &s, &n);

    for (; e == ERR_OK && n > 1; n--) {
        const char *at = z + start + s[n - 1].start;

        len = s[n - 2].start + s[n - 2].len;
        if (!is_reference(w, at, s[n - 1].len) ||
            (overlap_mask(w->q, at, s[n - 1].len) &
             ~overlap_mask(w->q, z + start, len)) != 0)
            break;
        x->words -= words_of(at, s[n - 1].len);
        if (x->from == x->to)
            x->len = start + len - x->start;
        else
            x->until = start + len;
    }
    return e;
}

/* What is said of a message goes on in its section, as far as there is room. */
static bool go_through(struct whole *w)
{
    struct unit *x = w->x;
    size_t words = 0, to = x->to;

    while (to + 1 < w->n && w->v[to + 1].section == w->v[x->to].section &&
           words + w->v[to + 1].words <= w->more)
        words += w->v[++to].words;
    while (to > x->to && (part_ends_open(&w->v[to]) || list_goes_on(w, to) ||
                          (to + 1 < w->n && w->v[to + 1].goes_on)))
        words -= w->v[to--].words;
    if (to == x->to)
        return false;
    x->to = to;
    x->words += words;
    return true;
}

/* A paragraph of which few words are left is said to its end; *end is where the
 * unit ends in its last part. */
static void finish(struct whole *w, size_t *end)
{
    struct unit *x = w->x;
    const struct part *p = &w->v[x->to];
    size_t rest = p->start + p->len - *end, words;

    if (p->kind != 'p' || rest == 0)
        return;
    words = words_of(p->c->text + *end, rest);
    if (words > (x->v[FEATURE_SIDES] > 0 ? FINISH_COMPARED : FINISH_WORDS) &&
        !(is_message(w) && words <= w->more))
        return;
    w->more -= words < w->more ? words : w->more;
    *end += rest;
    if (x->from == x->to)
        x->len = *end - x->start;
    x->until = 0;
    x->words += words;
}

static enum err end_whole(struct whole *w)
{
    struct unit *x = w->x;
    const struct part *p = &w->v[x->to];
    size_t end = end_of(w);
    bool whole, done;
    enum err e;

    if (x->last > 0)
        return ERR_OK;
    e = list_finish(w, &done);
    if (e != ERR_OK || done)
        return e;
    finish(w, &end);
    whole = end == p->start + p->len;
    if (whole ? part_ends_open(p) : end > 0 && p->c->text[end - 1] == ':') {
        if (whole && go_on(w, BEHIND_WORDS))
            return list_finish(w, &done);
        return close_end(w);
    }
    if (whole && p->points && go_on(w, BEHIND_WORDS))
        return ERR_OK;
    if (whole && (p->kind == 'p' || p->kind == 'c') && is_message(w) &&
        go_through(w))
        return ERR_OK;
    return drop_references(w);
}

/* The part that introduces the list of which part i is an item, or i. */
static size_t list_begin(const struct part *v, size_t i)
{
    size_t from = i;

    while (from > 0 && v[from - 1].section == v[i].section &&
           (v[from - 1].kind == v[i].kind || v[from].goes_on))
        from--;
    return from > 0 && v[from - 1].section == v[i].section &&
                   v[from - 1].kind == 'p' && part_ends_open(&v[from - 1]) &&
                   v[from - 1].words <= BEFORE_WORDS
               ? from - 1
               : i;
}

/* Where a list is asked for, one that was introduced and x begins in the midst
 * of is said from its beginning, by the heads of its items, if those of x are
 * among them then. */
static enum err list_make_whole(struct whole *w)
{
    struct unit *x = w->x, all = *x;
    const struct part *p = &w->v[x->from];
    enum err e;

    if (w->q->type != ANSWER_LIST || x->last > 0 || x->start != p->start ||
        (p->kind != 'i' && p->kind != 'j'))
        return ERR_OK;
    all.from = all.to = list_begin(w->v, x->from);
    all.start = w->v[all.from].start;
    all.len = w->v[all.from].len;
    all.until = 0;
    e = all.from == x->from ? ERR_OK : unit_list_read(w->v, w->n, &all, w->a);
    if (e == ERR_OK && all.last >= x->to)
        *x = all;
    return e;
}

/* The first part of the entry that part i stands in, or i. */
static size_t entry_begin(const struct whole *w, size_t i)
{
    const struct part *p = &w->v[i];
    size_t from = i;

    while (from > 0 && w->v[from - 1].section == p->section &&
           (w->v[from].inside || w->v[from].kind == 'j' ||
            w->v[from].goes_on))
        from--;
    return w->v[from].kind == 'i' ? from : i;
}

static size_t entry_end(const struct whole *w, size_t i)
{
    const struct part *p = &w->v[i];

    while (i + 1 < w->n && w->v[i + 1].section == p->section &&
           (w->v[i + 1].inside || w->v[i + 1].kind == 'j' ||
            w->v[i + 1].goes_on))
        i++;
    return i;
}

/* What is said of an entry is said from its term on, where little of it is left;
 * and where a number is asked for to its end, where its default stands. */
static enum err entry_make_whole(struct whole *w)
{
    struct unit *x = w->x;
    size_t from = entry_begin(w, x->from), to = entry_end(w, from);
    const struct part *first = &w->v[from], *last = &w->v[to];
    size_t ahead, left;

    if (first->kind != 'i' || w->v[x->from].kind == 'j' || x->last > 0 ||
        x->to > to)
        return ERR_OK;
    ahead = words_between(w, from, first->start, x->from, x->start);
    if (ahead > w->entry)
        return ERR_OK;
    if (ahead > 0)
        begin_at(w, from, first->start);
    if (w->q->type != ANSWER_NUMBER)
        return ERR_OK;
    left = words_between(w, x->to, end_of(w), to, last->start + last->len);
    if (left == 0 || left > w->entry - ahead || part_ends_open(last))
        return ERR_OK;
    x->to = to;
    x->until = 0;
    if (x->from == to)
        x->len = last->start + last->len - x->start;
    x->words += left;
    return drop_references(w);
}

/* A section below a question answers it from its beginning. */
static void section_begin(struct whole *w)
{
    struct unit *x = w->x;
    const struct part *p = &w->v[x->from];
    const char *h = heading_last(p->heading);
    size_t n = strlen(h), from = x->from, ahead;

    if (n == 0 || h[n - 1] != '?' || x->last > 0)
        return;
    ahead = words_of(p->c->text + p->start, x->start - p->start);
    while (from > 0 && w->v[from - 1].section == p->section &&
           ahead <= w->asked)
        ahead += w->v[--from].words;
    if (ahead > 0 && ahead <= w->asked)
        begin_at(w, from, w->v[from].start);
}

/* Names of what stands behind it are not said at its end, unless they look like
 * the number that is asked for. */
static void drop_labels(struct whole *w)
{
    struct unit *x = w->x;

    while (x->from < x->to && x->last == 0 && x->until == 0 &&
           x->to + 1 < w->n) {
        const struct part *p = &w->v[x->to];
        const char *z = p->c->text + p->start;

        if (p[1].section != p->section || !is_label(w, p) ||
            !(is_label(w, p + 1) || is_labelled(w, p + 1)) ||
            (w->q->type == ANSWER_NUMBER &&
             evidence_of(w->q, z, p->len) > 0))
            return;
        x->words -= p->words < x->words ? p->words : x->words;
        x->to--;
    }
}

enum err unit_make_whole(const struct query *q, const struct units *u,
                         struct unit *x, bool far, size_t more,
                         struct arena *a)
{
    struct whole w = {.q = q,
                      .v = u->parts[x->page],
                      .n = u->part_count[x->page],
                      .x = x,
                      .heads = far,
                      .a = a,
                      .room = BEFORE_WORDS,
                      .entry = more < ENTRY_WORDS ? more : ENTRY_WORDS,
                      .asked = more < ASKED_WORDS ? more : ASKED_WORDS,
                      .more = more < MESSAGE_WORDS ? more : MESSAGE_WORDS,
                      .list = more < MESSAGE_LIST_WORDS ? more
                                                        : MESSAGE_LIST_WORDS};
    bool ahead = true;
    enum err e = list_make_whole(&w);

    if (e == ERR_OK) {
        drop_labels(&w);
        e = end_whole(&w);
    }
    if (e == ERR_OK && far)
        e = entry_make_whole(&w);
    if (e == ERR_OK && far)
        section_begin(&w);
    while (e == ERR_OK && ahead)
        e = begin_before(&w, &ahead);
    return e;
}
