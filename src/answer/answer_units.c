/* Choosing units that are said; see answer_units.h. Called by search.c. */
#include "answer/answer_units.h"
#include "answer/answer_say.h"
#include "answer/unit_list.h"
#include "answer/unit_whole.h"
#include "answer/weights.h"
#include "page/injection.h"
#include "question/overlap.h"
#include "question/parts.h"
#include "reading/repeat.h"

#include "base/str.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_MAX = 165,       /* of an answer */
    WORDS_MAX_PLAIN = 90,  /* … out of pages without an outline */
    WORDS_MAX_PARTS = 110, /* … to several parts of a question, together */
    WORDS_FEW = 30,        /* may not be all that a thing is */
    WORDS_LEAST = 8,       /* counted for a unit */
    DEFAULT_WORDS = 14,    /* of a line that tells a default, at most */
    LOOKED = 40            /* units that may be said */
};

/* An answer goes on as long as that is worth the words: how probable it is, at
 * least, for each of a unit's words that this unit answers, if one does
 * (unit_chance). So what is certain is said shortly, and what is not goes on.
 */
static const double WORTH_LEAST = 0.0016, WORTH_LEAST_MEANING = 0.002,
                    WORTH_LEAST_PLAIN = 0.0018;
/* … what the chances of units are spread by: those of a page with an outline
 * are short, and of several that are near in score each may hold a part. */
static const double SPREAD = 1.8, SPREAD_PLAIN = 1.25;
/* … more where it goes on behind one that is said, much more if that ends with
 * a colon; less on another host, which may speak of another thing. */
static const double GOES_ON = 1.5, ANNOUNCED = 10, OTHER_HOST = 0.5;
/* Of a further unit's words, in runs, less than this is said before: on the
 * same page, where parallel sections say much alike, and on another, which may
 * be the page in another form. */
static const double REPEATED_MOST = 0.8, TWIN_MOST = 0.5;
/* Parts of one question are answered by one host, or, as probable as this, by
 * any. */
static const double ELSEWHERE = 0.1;
/* Said by a further unit of a definition, where one of those chosen says some
 * of it and where none does. */
static const double DEFINES_LEAST = 0.9, DEFINES_SOME = 0.3;
/* What is said holds so much of all chances, at least, where it stands out: of
 * the answers to bench/questions/asked 26 of 100 wrong ones hold less, and 5 of
 * 100 right ones. */
static const double SAID_LEAST = 0.18;

/* With all words of the question in its headings or its title a place is on its
 * subject, however few they are: "2FA". */
static const double HEADED_WHOLLY = 1 - 1e-9;

static double log_odds(const double *w, const struct unit *x)
{
    double sum = w[FEATURE_COUNT];

    for (size_t i = 0; i < FEATURE_COUNT; i++)
        sum += w[i] * x->v[i];
    return sum;
}

/* --- choosing ------------------------------------------------------------ */

/* Does x begin ahead of where y ends? */
static bool begins_in(const struct choice *c, const struct unit *x,
                      const struct unit *y)
{
    size_t start, len, end = unit_end(y);

    return x->from != end ? x->from < end
                          : unit_says(c->u, y, end, &start, &len) &&
                                x->start < start + len;
}

static bool overlap(const struct choice *c, const struct unit *x,
                    const struct unit *o)
{
    return o->page == x->page && begins_in(c, o, x) && begins_in(c, x, o);
}

/* Is a part of it said by one of those chosen? */
static bool overlaps(const struct choice *c, const struct unit *x)
{
    for (size_t i = 0; i < c->count; i++)
        if (overlap(c, x, &c->v[i]))
            return true;
    return false;
}

/* Is y said in the list that x gets longer by, or from its beginning to its end
 * in x? */
static bool is_said_in(const struct choice *c, const struct unit *y,
                       const struct unit *x)
{
    size_t end = unit_end(y), start, len, from, n;

    if (!overlap(c, x, y) || x->last > 0)
        return overlap(c, x, y);
    if (y->from < x->from || (y->from == x->from && y->start < x->start))
        return false;
    return end < x->to ||
           (end == x->to && unit_says(c->u, x, end, &start, &len) &&
            unit_says(c->u, y, end, &from, &n) && from + n <= start + len);
}

/* Of those chosen after the one at i the ones that it says now. */
static void displace(struct choice *c, size_t i)
{
    const struct unit *x = &c->v[i];
    size_t kept = i + 1;

    for (size_t k = i + 1; k < c->count; k++) {
        const struct unit *y = &c->v[k];

        if (is_said_in(c, y, x)) {
            for (size_t at = y->from;
                 x->last > 0 && at <= unit_end(y) && at <= x->last; at++)
                c->u->parts[y->page][at].head = c->u->parts[y->page][at].len;
            c->words -= y->words < c->words ? y->words : c->words;
            continue;
        }
        c->v[kept] = c->v[k];
        c->said[kept++] = c->said[k];
    }
    c->count = kept;
}

/* The one chosen whose paragraph x is of, too, going on over both; CHOSEN_MAX:
 * there is none. */
static size_t extend(const struct choice *c, const struct unit *x,
                     struct unit *both)
{
    for (size_t i = 0; c->outlined && i < c->count; i++) {
        const struct unit *o = &c->v[i];
        const char *text = c->u->parts[o->page][o->from].c->text;
        size_t end = o->start + o->len, other = x->start + x->len;

        if (o->page != x->page || o->from != unit_end(o) ||
            x->from != unit_end(x) || o->from != x->from)
            continue;
        *both = *o;
        both->start = o->start < x->start ? o->start : x->start;
        both->len = (end > other ? end : other) - both->start;
        both->words = unit_words(tokens_count(text + both->start, both->len));
        both->loose |= x->loose;
        return both->len > o->len ? i : CHOSEN_MAX;
    }
    return CHOSEN_MAX;
}

/* What the chosen ones say, as terms of the question. */
static uint64_t said_of(const struct choice *c)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < c->count; i++)
        mask |= c->v[i].loose;
    return mask;
}

/* A side of the comparison that nothing chosen speaks of, or 0. */
static uint64_t open_side(const struct choice *c)
{
    uint64_t said = said_of(c);

    for (size_t i = 0; i < c->q->side_count; i++)
        if ((c->q->side_terms[i] & ~said) == c->q->side_terms[i])
            return c->q->side_terms[i];
    return 0;
}

/* A passage without what speaks to machines; NULL: no memory. */
static const char *shown_of(struct choice *c, const char *text)
{
    const char *shown;

    for (size_t i = 0; i < c->shown_count; i++)
        if (c->shown[i].text == text)
            return c->shown[i].shown;
    shown = injection_mask(text, c->a);
    if (c->shown_count < SHOWN_MAX)
        c->shown[c->shown_count++] = (struct shown){text, shown};
    return shown;
}

/* Leave out what speaks to machines, and what stands behind it; *left: is
 * there anything else? */
static enum err unit_show(struct choice *c, struct unit *x, bool *left)
{
    const struct part *v = c->u->parts[x->page];

    *left = true;
    for (size_t i = x->from, start, end; i <= unit_end(x); i++) {
        const struct part *p = &v[i];
        const char *text = p->c->text, *shown = shown_of(c, text);

        if (shown == NULL)
            return ERR_NOMEM;
        if (!unit_says(c->u, x, i, &start, &end))
            continue;
        end += start;
        if (memcmp(shown + start, text + start, end - start) == 0)
            continue;
        *left = i > x->from;
        if (*left) {
            x->to = i - 1 < x->to ? i - 1 : x->to;
            x->last = x->last > 0 && i > x->item ? i - 1 : 0;
            x->until = 0;
            return ERR_OK;
        }
        while (end > start && ascii_is_space(shown[end - 1]))
            end--;
        *left = end > start && !ascii_is_space(shown[start]);
        x->to = x->from;
        x->last = x->until = 0;
        x->start = start;
        x->len = end - start;
        return ERR_OK;
    }
    return ERR_OK;
}

/* How well does the unit say what the subject of a definition is? */
static double how_defines(const struct unit *x)
{
    return fmax(x->v[FEATURE_DEFINES], x->v[FEATURE_ENTRY]);
}

/* Does one of those chosen, at least in part? */
static bool is_defined(const struct choice *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (how_defines(&c->v[i]) >= DEFINES_SOME)
            return true;
    return false;
}

/* A unit as it would be said, at a place among those chosen. */
struct option {
    struct unit unit;
    struct shingles said;
    size_t at, words; /* which it adds */
};

/* Where may the unit be said: at a place of its own or in one that is there? */
static bool option_place(const struct choice *c, const struct unit *x,
                         struct option *out)
{
    out->unit = *x;
    out->at = c->count;
    out->words = x->words;
    if (c->count == 0)
        return true;
    if (c->q->type == ANSWER_DEFINITION && c->words >= WORDS_FEW &&
        how_defines(x) < (is_defined(c) ? DEFINES_LEAST : DEFINES_SOME))
        return false;
    if (overlaps(c, x)) {
        out->at = extend(c, x, &out->unit);
        if (out->at == CHOSEN_MAX)
            return false;
        out->words = out->unit.words > c->v[out->at].words
                         ? out->unit.words - c->v[out->at].words
                         : 0;
    }
    return out->at < CHOSEN_MAX && c->words + out->words <= c->words_max;
}

/* Cut the option down to what may be shown and read what it would say. *may: is
 * there anything, which no other one says? */
static enum err option_show(struct choice *c, struct option *o, bool *may)
{
    const struct unit *x = &o->unit;
    const struct part *v = c->u->parts[x->page];
    size_t size = 1, n = 0, start, len;
    enum err e = unit_show(c, &o->unit, may);
    char *z;

    /* What goes on ends further behind than it did. */
    if (e != ERR_OK || !*may ||
        (o->at < c->count && x->len <= c->v[o->at].len)) {
        *may = false;
        return e;
    }
    for (size_t i = x->from; i <= unit_end(x); i++)
        size += v[i].len + 1;
    z = arena_alloc(c->a, size);
    if (z == NULL)
        return ERR_NOMEM;
    for (size_t i = x->from; i <= unit_end(x); i++) {
        if (!unit_says(c->u, x, i, &start, &len))
            continue;
        memcpy(z + n, v[i].c->text + start, len);
        z[n + len] = '\n';
        n += len + 1;
    }
    z[n] = '\0';
    shingles_read(&o->said, z);
    for (size_t i = 0; i < c->count && *may; i++)
        *may = i == o->at ||
               shingles_share(&o->said, &c->said[i]) <
                   (x->page == c->v[i].page ? REPEATED_MOST : TWIN_MOST);
    return ERR_OK;
}

/* Of the question's words that nothing chosen holds, the share that this unit
 * does, by weight. */
static double adds(const struct choice *c, const struct unit *x)
{
    const struct query *q = c->q;
    uint64_t said = said_of(c);
    double open = 0, now = 0;

    for (size_t i = 0; i < q->term_count; i++) {
        double w = q->terms[i].weight * q->rarity[i];

        open += said >> i & 1 ? 0 : w;
        now += (x->loose & ~said) >> i & 1 ? w : 0;
    }
    return open > 0 ? now / open : 0;
}

/* How much more the words of the unit are worth beside what is said: up to
 * twice as much where it holds what of the question is not said yet. */
static double beside(const struct choice *c, const struct unit *x)
{
    const struct part *v = c->u->parts[x->page];
    double more = c->outlined && c->count > 0 ? 1 + adds(c, x) : 1;

    for (size_t i = 0; i < c->count; i++) {
        const struct unit *o = &c->v[i];

        if (o->page == x->page && v[o->to].section == v[x->from].section &&
            x->from == unit_end(o) + 1)
            more *=
                o->last == 0 && part_leads_on(&v[o->to]) ? ANNOUNCED : GOES_ON;
    }
    if (c->count > 0 &&
        strcmp(c->pages[c->v[0].page].c->host, c->pages[x->page].c->host) != 0)
        more *= OTHER_HOST;
    return more;
}

static void option_take(struct choice *c, const struct option *o)
{
    c->words += o->words;
    c->v[o->at] = o->unit;
    c->said[o->at] = o->said;
    c->count += o->at == c->count ? 1 : 0;
}

/* Take the unit whose words are worth most and that holds one of the terms (0:
 * any, if they are worth enough). */
static enum err take_next(struct choice *c, uint64_t terms, bool *taken)
{
    double best = terms == 0 ? c->least : 0;
    struct option chosen = {.at = c->count};

    *taken = false;
    for (size_t i = 0; i < c->u->count && i < LOOKED; i++) {
        const struct unit *x = &c->u->v[i];
        struct option o;
        double worth;
        enum err e;
        bool may;

        if ((terms != 0 && (x->loose & terms) == 0) || !option_place(c, x, &o))
            continue;
        worth = unit_chance(c->u, x, c->spread) / c->all * beside(c, x) /
                (double)(o.words > WORDS_LEAST ? o.words : WORDS_LEAST);
        if (c->count > 0 && worth <= best)
            continue;
        e = option_show(c, &o, &may);
        if (e != ERR_OK)
            return e;
        if (!may)
            continue;
        chosen = o;
        best = worth;
        *taken = true;
        if (c->count == 0)
            break;
    }
    if (!*taken)
        return ERR_OK;
    option_take(c, &chosen);
    return ERR_OK;
}

static bool is_same(const struct unit *x, const struct unit *y)
{
    return x->from == y->from && x->to == y->to && x->last == y->last &&
           x->start == y->start && x->len == y->len && x->until == y->until;
}

/* Let what was chosen be a whole thought, as far as nothing else that was is in
 * the way, and nothing that speaks to machines; *done: it is. */
static enum err round_off(struct choice *c, size_t i, bool heads, bool *done)
{
    struct unit x = c->v[i], shown;
    size_t room = i == 0                    ? WORDS_MAX
                  : c->words < c->words_max ? c->words_max - c->words
                                            : 0;
    bool left, free = true;
    enum err e = unit_make_whole(c->q, c->u, &x, heads, room, c->a);

    *done = false;
    if (e == ERR_OK)
        e = unit_list_explain(c->u->parts[x.page], &x, room, c->a);
    for (size_t k = 0; k < c->count && e == ERR_OK && free; k++)
        free = k == i || !overlap(c, &x, &c->v[k]) ||
               (k > i && is_said_in(c, &c->v[k], &x));
    if (e != ERR_OK || !free)
        return e;
    shown = x;
    e = unit_show(c, &shown, &left);
    if (e != ERR_OK || !left || !is_same(&shown, &x))
        return e;
    c->words += x.words - c->v[i].words;
    c->v[i] = x;
    displace(c, i);
    *done = true;
    return ERR_OK;
}

/* Does a label that the part begins with, or a cell of a row, tell what holds
 * where nothing is set: "Default: 1 day", "Default value: 16"? */
static bool is_default(const struct part *p)
{
    const char *z = p->c->text + p->start;
    struct term_iter it;
    struct term t;

    terms_init(&it, z, p->len);
    while (tokens_next(&it, &t) && (p->kind == 'r' || t.start == 0)) {
        size_t end = t.end;

        if (!word_in(t.text, value_words.defaults))
            continue;
        if (end < p->len && z[end] == ' ' && tokens_next(&it, &t) &&
            t.start == end + 1)
            end = t.end;
        end += end < p->len && z[end] == ' ';
        return end + 1 < p->len && z[end] == ':' && z[end + 1] == ' ';
    }
    return false;
}

bool answer_asks_default(const struct query *q)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (word_in(q->words[i], value_words.defaults))
            return true;
    return q->type == ANSWER_NUMBER;
}

const struct part *answer_default(const struct units *u, const struct unit *x)
{
    const struct part *v = u->parts[x->page], *p = &v[x->from];
    const struct part *found = NULL;
    size_t n = u->part_count[x->page], from = x->from;

    while (from > 0 && v[from - 1].section == p->section)
        from--;
    if (v[from].at != 0)
        return NULL;
    for (size_t i = from; i < n && v[i].section == p->section; i++) {
        bool among = v[i].kind == 'r' && ((i > from && v[i - 1].kind == 'r') ||
                                          (i + 1 < n && v[i + 1].kind == 'r'));

        if (v[i].goes_on || among || strcmp(v[i].heading, p->heading) != 0 ||
            !is_default(&v[i]))
            continue;
        if (found != NULL)
            return NULL;
        found = &v[i];
    }
    return found != NULL && found < p && found->words <= DEFAULT_WORDS ? found
                                                                       : NULL;
}

/* The sides of the comparison, bit by bit, that the label of an entry names. */
static unsigned sides_labelled(const struct choice *c, const struct unit *x)
{
    const struct part *p = &c->u->parts[x->page][x->from];
    uint64_t named = p->kind == 'i' && x->start == p->start
                         ? unit_labelled(c->q, p->c->text + p->start, p->len)
                         : 0;
    unsigned sides = 0;

    for (size_t i = 0; i < c->q->side_count; i++)
        if (c->q->side_terms[i] != 0 && (c->q->side_terms[i] & ~named) == 0)
            sides |= 1U << i;
    return sides;
}

/* Beside an entry for one side of a comparison, which may mention the other,
 * stands the entry for that. */
static enum err take_sides(struct choice *c)
{
    size_t page = c->count > 0 ? c->v[0].page : 0;
    unsigned said = 0;

    for (size_t i = 0; i < c->count; i++)
        said |= sides_labelled(c, &c->v[i]);
    for (size_t i = 0; i < c->u->count && i < LOOKED && said != 0; i++) {
        const struct unit *x = &c->u->v[i];
        unsigned sides = x->page == page ? sides_labelled(c, x) : 0;
        struct option o;
        bool may = false;
        enum err e = ERR_OK;

        if ((sides & ~said) == 0 || overlaps(c, x) || !option_place(c, x, &o))
            continue;
        e = option_show(c, &o, &may);
        if (e != ERR_OK)
            return e;
        if (may) {
            option_take(c, &o);
            said |= sides;
        }
    }
    return ERR_OK;
}

/* By what it is told whether units answer: with an encoder, where it read the
 * best of them. */
static enum meant_by judged_by(const struct units *u)
{
    return u->by == MEANT_BY_ENCODER && u->v[0].v[FEATURE_MET] <= 0
               ? MEANT_BY_NOTHING
               : u->by;
}

/* The best unit, and others as long as they are worth it, beside those of other
 * parts of the question. */
static enum err choose(struct choice *c)
{
    bool taken = false;
    enum err e;

    c->outlined = page_is_outlined(&c->pages[c->u->v[0].page]);
    c->words_max = c->parts > 1  ? WORDS_MAX_PARTS / c->parts
                   : c->outlined ? WORDS_MAX
                                 : WORDS_MAX_PLAIN;
    c->least = !c->outlined                          ? WORTH_LEAST_PLAIN
               : judged_by(c->u) == MEANT_BY_ENCODER ? WORTH_LEAST_MEANING
                                                     : WORTH_LEAST;
    c->spread = c->outlined ? SPREAD : SPREAD_PLAIN;
    for (size_t i = 0; i < c->u->count; i++)
        c->all += unit_chance(c->u, &c->u->v[i], c->spread);
    e = take_next(c, 0, &taken);
    if (e == ERR_OK)
        e = take_sides(c);
    while (e == ERR_OK && taken && c->words < c->words_max)
        e = take_next(c, open_side(c), &taken);
    for (size_t i = 0; e == ERR_OK && c->outlined && i < c->count; i++) {
        e = round_off(c, i, true, &taken);
        if (e == ERR_OK && !taken)
            e = round_off(c, i, false, &taken);
    }
    return e;
}

/* Those of one section together and in reading order; else as they were
 * chosen. */
static void in_order(struct choice *c)
{
    for (size_t i = 1; i < c->count; i++) {
        struct unit x = c->v[i];
        size_t at = i;

        for (size_t k = 0; k < i; k++) {
            const struct unit *o = &c->v[k];

            if (!choice_is_beside(c, o, &x))
                continue;
            at = k + 1;
            if (o->from != x.from ? o->from > x.from : o->start > x.start) {
                at = k;
                break;
            }
        }
        memmove(&c->v[at + 1], &c->v[at], (i - at) * sizeof(x));
        c->v[at] = x;
    }
}

static int by_place(const void *x, const void *y)
{
    const struct unit *a = x, *b = y;

    return a->score > b->score ? -1 : a->score < b->score;
}

void units_follow(struct units *u, const struct ranked *passages, size_t count)
{
    for (size_t i = 0; i < u->count; i++) {
        struct unit *x = &u->v[i];
        const struct candidate *c = u->parts[x->page][x->from].c;
        size_t at = 0;

        while (at < count && (passages[at].c.text != c->text ||
                              passages[at].c.passage != c->passage))
            at++;
        /* Within a passage its own order: i is the place so far. */
        x->score = -(double)at - (double)i / (double)(u->count + 1);
    }
    qsort(u->v, u->count, sizeof(*u->v), by_place);
}

/* How probable it is that the host has what answers. */
static double host_chance(const struct asked *v, const char *host)
{
    double all = 0, here = 0;

    for (size_t i = 0; i < v->units.count; i++) {
        const struct unit *x = &v->units.v[i];
        double chance = unit_chance(&v->units, x, SPREAD);

        all += chance;
        here += strcmp(v->pages[x->page].c->host, host) == 0 ? chance : 0;
    }
    return all > 0 ? here / all : 0;
}

enum err parts_agree(struct asked *v, size_t count, struct arena *a)
{
    double *more[QUERY_PARTS_MAX];

    for (size_t k = 0; k < count; k++) {
        struct units *u = &v[k].units;

        more[k] = arena_array(a, u->count + 1, sizeof(**more));
        if (more[k] == NULL)
            return ERR_NOMEM;
        for (size_t i = 0; i < u->count; i++) {
            const char *host = v[k].pages[u->v[i].page].c->host;

            more[k][i] = 0;
            for (size_t o = 0; o < count; o++)
                if (o != k && v[o].units.count > 0)
                    more[k][i] += log(ELSEWHERE + host_chance(&v[o], host));
        }
    }
    for (size_t k = 0; k < count; k++) {
        struct units *u = &v[k].units;

        for (size_t i = 0; i < u->count; i++)
            u->v[i].score += SPREAD * more[k][i];
        if (u->count > 0)
            units_sort(u);
    }
    return ERR_OK;
}

/* Does one of the parts before say what this one's best unit says? */
static bool is_repeated(const struct choice *v, const struct choice *c)
{
    for (; v < c; v++)
        for (size_t i = 0; i < v->count; i++)
            if (shingles_share(&c->said[0], &v->said[i]) >= REPEATED_MOST)
                return true;
    return false;
}

static bool is_direct(const struct units *u, double odds)
{
    return log_odds(weights_of(judged_by(u))->direct, &u->v[0]) >= odds;
}

bool units_are_on_subject(const struct units *u)
{
    return u->count > 0 &&
           (u->v[0].v[FEATURE_PATH] >= HEADED_WHOLLY ||
            log_odds(weights_of(u->by)->subject, &u->v[0]) >= 0);
}

bool asked_is_answered(const struct asked *x, double odds)
{
    return units_are_on_subject(&x->units) && is_direct(&x->units, odds);
}

/* Does what was chosen, with all units that say some of it, hold so much of all
 * chances that it is rather this than another place? Not measured of units that
 * the encoder read. */
static bool stands_out(const struct choice *c)
{
    double all = 0, said = 0;

    if (judged_by(c->u) == MEANT_BY_ENCODER)
        return true;
    for (size_t i = 0; i < c->u->count; i++) {
        const struct unit *x = &c->u->v[i];
        double chance = unit_chance(c->u, x, SURE_SPREAD);

        all += chance;
        said += overlaps(c, x) ? chance : 0;
    }
    return said >= SAID_LEAST * all;
}

/* What is said of one of the parts: nothing where nothing is on its subject. */
static enum err part_choose(struct choice *c, const struct choice *all)
{
    const struct units *u = c->u;
    enum err e;

    if (!units_are_on_subject(u))
        return ERR_OK;
    e = choose(c);
    if (e != ERR_OK || c->count == 0)
        return e;
    c->related = !is_direct(u, 0) || !stands_out(c);
    c->repeated = is_repeated(all, c);
    if (c->repeated)
        c->count = 0;
    in_order(c);
    return e;
}

enum err answer_units(const struct asked *v, size_t count, bool markers,
                      struct arena *a, struct units_answer *out)
{
    struct units_answer answer = {.directness = ANSWER_DIRECT};
    struct choice *c = arena_array(a, count, sizeof(*c));
    bool said = false;
    enum err e = c == NULL ? ERR_NOMEM : ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        c[i] = (struct choice){.q = v[i].q,
                               .pages = v[i].pages,
                               .u = &v[i].units,
                               .parts = count,
                               .a = a};
        e = part_choose(&c[i], c);
        said = said || c[i].count > 0;
        if (c[i].related || (c[i].count == 0 && !c[i].repeated))
            answer.directness = ANSWER_RELATED;
    }
    if (e == ERR_OK && !said)
        return ERR_NO_RESULT;
    if (e == ERR_OK)
        e = answer_say(c, count, markers, a, &answer);
    if (e == ERR_OK)
        *out = answer;
    return e;
}
