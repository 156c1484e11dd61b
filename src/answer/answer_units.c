/* Choosing units and saying them; see answer_units.h. Called by search.c. */
#include "answer/answer_units.h"
#include "answer/agree.h"
#include "answer/label.h"
#include "answer/unit_list.h"
#include "answer/unit_whole.h"
#include "lang/words.h"
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
    WORDS_MAX = 180,       /* of an answer */
    WORDS_MAX_PLAIN = 90,  /* … out of pages without an outline */
    WORDS_MAX_PARTS = 110, /* … to several parts of a question, together */
    WORDS_FEW = 30,        /* may not be all that a thing is */
    WORDS_LEAST = 8,       /* counted for a unit */
    CHOSEN_MAX = 4,
    LOOKED = 40, /* units that may be said */
    SAID_MAX = 64,
    /* their passages, and for each part of the question two that disagree */
    USED_MAX = SAID_MAX + 2 * QUERY_PARTS_MAX,
    SHOWN_MAX = 64,
    LABEL_WORDS = 16,
    DISSENT_UNITS = 24 /* looked through for another value */
};

/* An answer goes on as long as that is worth the words: how probable it is, at
 * least, for each of a unit's words that this unit answers, if one does
 * (unit_chance). So what is certain is said shortly, and what is not goes on.
 */
static const double WORTH_LEAST = 0.00124, WORTH_LEAST_MEANING = 0.00133,
                    WORTH_LEAST_PLAIN = 0.0018;
/* … what the chances of units are spread by: those of a page with an outline
 * are short, and of several that are near in score each may hold a part. */
static const double SPREAD = 1.8, SPREAD_PLAIN = 1.25;
/* … more where it goes on behind one that is said, much more if that ends with
 * a colon; less on another host, which may speak of another thing. */
static const double GOES_ON = 1.5, ANNOUNCED = 10, OTHER_HOST = 0.5;
/* How much less another value's unit may answer than the first. */
static const double DISSENT_BEHIND = 4.0;
/* Of a further unit's words, in runs, less than this is said before: on the
 * same page, where parallel sections say much alike, and on another, which may
 * be the page in another form. */
static const double REPEATED_MOST = 0.8, TWIN_MOST = 0.5;
/* Said by a second unit of a definition. */
static const double DEFINES_LEAST = 0.9;
/* Where units of other hosts have more than this share of all chances, it is
 * said whose page answers: over the benches' sites 9 of 10 answers out of
 * another product's pages are told so, and 4 of 10 of all. */
static const double CONTESTED = 0.1;

/* Is the best unit on the subject at all, and does it answer, as far as it and
 * the others say? Logistic regressions over its features, by words alone and
 * with the encoder; `make weights` sets their constants, too, so that 0 is the
 * operating point. */
static const double on_subject[FEATURE_COUNT + 1] = {
#include "answer/weights_subject.inc"
};
static const double on_subject_by_meaning[FEATURE_COUNT + 1] = {
#include "answer/weights_meaning_subject.inc"
};
static const double direct[FEATURE_COUNT + 1] = {
#include "answer/weights_direct.inc"
};
static const double direct_by_meaning[FEATURE_COUNT + 1] = {
#include "answer/weights_meaning_direct.inc"
};

static double log_odds(const double *w, const struct unit *x)
{
    double sum = w[FEATURE_COUNT];

    for (size_t i = 0; i < FEATURE_COUNT; i++)
        sum += w[i] * x->v[i];
    return sum;
}

/* --- choosing ------------------------------------------------------------ */

struct choice {
    const struct query *q;
    const struct found_page *pages;
    const struct units *u;
    struct arena *a;
    struct unit v[CHOSEN_MAX];
    struct shingles said[CHOSEN_MAX]; /* of each */
    size_t count, words, words_max;
    size_t parts;              /* of the question, of which this is one */
    size_t said_from, said_to; /* of what is said, those that say it */
    bool related;              /* it may not answer */
    bool repeated;             /* another part says it */
    bool outlined;             /* the page of the best one */
    double all;                /* chances of all units, together */
    double least;              /* worth of a word */
    double spread;             /* of chances */
    struct shown {
        const char *text, *shown;
    } shown[SHOWN_MAX]; /* passages looked at for what speaks to machines */
    size_t shown_count;
};

/* Does x begin ahead of where y ends? */
static bool begins_in(const struct choice *c, const struct unit *x,
                      const struct unit *y)
{
    size_t start, len, end = unit_end(y);

    return x->from != end
               ? x->from < end
               : unit_says(c->u, y, end, &start, &len) && x->start < start + len;
}

/* Is a part of it said, by one of those chosen but the one at `but`? */
static bool overlaps(const struct choice *c, const struct unit *x, size_t but)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct unit *o = &c->v[i];

        if (i != but && o->page == x->page && begins_in(c, o, x) &&
            begins_in(c, x, o))
            return true;
    }
    return false;
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

/* Does the unit say what the subject of a definition is? */
static bool defines(const struct unit *x)
{
    return fmax(x->v[FEATURE_DEFINES], x->v[FEATURE_ENTRY]) >= DEFINES_LEAST;
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
    if (c->q->type == ANSWER_DEFINITION && c->words >= WORDS_FEW && !defines(x))
        return false;
    if (overlaps(c, x, c->count)) {
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
                o->last == 0 && part_ends_open(&v[o->to]) ? ANNOUNCED : GOES_ON;
    }
    if (c->count > 0 &&
        strcmp(c->pages[c->v[0].page].c->host, c->pages[x->page].c->host) != 0)
        more *= OTHER_HOST;
    return more;
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
    c->words += chosen.words;
    c->v[chosen.at] = chosen.unit;
    c->said[chosen.at] = chosen.said;
    c->count += chosen.at == c->count ? 1 : 0;
    return ERR_OK;
}

static bool is_same(const struct unit *x, const struct unit *y)
{
    return x->from == y->from && x->to == y->to && x->last == y->last &&
           x->start == y->start && x->len == y->len && x->until == y->until;
}

/* Let what was chosen be a whole thought, as far as nothing else that was is in
 * the way, and nothing that speaks to machines. */
static enum err round_off(struct choice *c, size_t i)
{
    struct unit x = c->v[i], shown;
    bool left;
    enum err e = unit_make_whole(c->q, c->u, &x, c->a);

    if (e != ERR_OK || overlaps(c, &x, i))
        return e;
    shown = x;
    e = unit_show(c, &shown, &left);
    if (e != ERR_OK || !left || !is_same(&shown, &x))
        return e;
    c->words += x.words - c->v[i].words;
    c->v[i] = x;
    return ERR_OK;
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
    c->least = !c->outlined       ? WORTH_LEAST_PLAIN
               : c->u->by_meaning ? WORTH_LEAST_MEANING
                                  : WORTH_LEAST;
    c->spread = c->outlined ? SPREAD : SPREAD_PLAIN;
    for (size_t i = 0; i < c->u->count; i++)
        c->all += unit_chance(c->u, &c->u->v[i], c->spread);
    e = take_next(c, 0, &taken);
    while (e == ERR_OK && taken && c->words < c->words_max)
        e = take_next(c, open_side(c), &taken);
    for (size_t i = 0; e == ERR_OK && c->outlined && i < c->count; i++)
        e = round_off(c, i);
    return e;
}

static bool is_beside(const struct choice *c, const struct unit *x,
                      const struct unit *y)
{
    const struct part *v = c->u->parts[x->page];

    return x->page == y->page && v[x->from].section == v[y->from].section;
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

            if (!is_beside(c, o, &x))
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

/* Does y go on where x ends, at the next part? */
static bool goes_on(const struct choice *c, const struct unit *x,
                    const struct unit *y)
{
    const struct part *v = c->u->parts[x->page];

    return is_beside(c, x, y) && x->last == 0 && x->until == 0 &&
           y->from == x->to + 1 && y->start == v[y->from].start &&
           (x->from != x->to ||
            x->start + x->len == v[x->to].start + v[x->to].len);
}

/* --- saying -------------------------------------------------------------- */

static enum said_form form_of(char kind)
{
    return kind == 'c'                                 ? SAID_CODE
           : kind == 'i' || kind == 'j' || kind == 'r' ? SAID_ITEM
                                                       : SAID_BLOCK;
}

struct saying_list {
    struct arena *a;
    struct said v[SAID_MAX];
    size_t count;
    struct ranked *used;
    size_t used_count;
};

static const struct candidate *used_add(struct saying_list *s,
                                        const struct candidate *c)
{
    for (size_t i = 0; i < s->used_count; i++)
        if (s->used[i].c.passage == c->passage &&
            strcmp(s->used[i].c.url, c->url) == 0)
            return &s->used[i].c;
    s->used[s->used_count].c = *c;
    return &s->used[s->used_count++].c;
}

/* on: it goes on with what is said. */
static enum err unit_say(struct saying_list *s, const struct units *u,
                         const struct unit *x, bool on)
{
    for (size_t i = x->from, start, len;
         i <= unit_end(x) && s->count < SAID_MAX; i++) {
        const struct part *p = &u->parts[x->page][i];
        struct said *said = &s->v[s->count];

        if (!unit_says(u, x, i, &start, &len))
            continue;
        s->count++;
        *said =
            (struct said){.from = used_add(s, p->c),
                          .text = arena_strndup(s->a, p->c->text + start, len),
                          .start = start,
                          .len = len,
                          .form = form_of(p->kind),
                          .goes_with = on || i > x->from};
        if (said->text == NULL)
            return ERR_NOMEM;
    }
    return ERR_OK;
}

/* A sentence of an independent host that gives another value than one of
 * those said: both, and the values. */
struct dissent {
    struct said said[2];
    struct claim value[2];
};

/* Each sentence of the unit against what was said of `own`. */
static enum err dissent_in(const struct choice *c, const struct said *own,
                           const struct unit *x, struct dissent *d, bool *found)
{
    const struct part *p = &c->u->parts[x->page][x->from];
    struct span *mine = NULL, *theirs = NULL;
    size_t n = 0, m = 0;
    enum err e = sentences_split(own->text, own->len, c->a, &mine, &n);

    if (e == ERR_OK)
        e = sentences_split(p->c->text + x->start, x->len, c->a, &theirs, &m);
    for (size_t i = 0; e == ERR_OK && i < n * m && !*found; i++) {
        const struct span *s = &mine[i / m], *t = &theirs[i % m];
        struct saying one = {own->from, own->start + s->start, s->len};
        struct saying other = {p->c, x->start + t->start, t->len};

        if (!agree_is_dissent(c->q, &one, &other, &d->value[0], &d->value[1]))
            continue;
        *found = true;
        d->said[0] = (struct said){.from = one.from,
                                   .text = own->text + s->start,
                                   .start = one.start,
                                   .len = one.len};
        d->said[1] = (struct said){.from = other.from,
                                   .text = p->c->text + other.start,
                                   .start = other.start,
                                   .len = other.len};
    }
    return e;
}

static enum err dissent_say(struct render *r, struct saying_list *s,
                            const struct choice *c, struct dissent *d)
{
    bool found = false;
    enum err e = ERR_OK;

    if (c->q->type != ANSWER_NUMBER && c->q->type != ANSWER_DATE)
        return ERR_OK;
    for (size_t k = c->said_from; k < c->said_to && !found; k++)
        for (size_t i = 0; i < c->u->count && i < DISSENT_UNITS; i++) {
            const struct unit *x = &c->u->v[i];

            if (e != ERR_OK || found || x->from != x->to ||
                x->score < c->u->v[0].score - DISSENT_BEHIND)
                break;
            e = dissent_in(c, &s->v[k], x, d, &found);
        }
    if (e != ERR_OK || !found)
        return e;
    used_add(s, d->said[0].from);
    used_add(s, d->said[1].from);
    return render_dissent(
        r, d->said,
        (struct dissent_part[]){
            {d->said[0].from, d->said[0].text + d->value[0].start,
             d->value[0].len, 0},
            {d->said[1].from, d->said[1].text + d->value[1].start,
             d->value[1].len, 0}});
}

/* Does what is said from v on hold all words of the label? */
static bool says_label(const struct choice *c, const char *label,
                       const struct said *v, size_t n)
{
    struct term_iter it;
    struct term t;
    struct token_run words;
    uint32_t open;

    token_run_read(&words, label, strlen(label), LABEL_WORDS);
    open = (1u << words.n) - 1;
    for (size_t i = 0; i < n; i++) {
        terms_init_with(&it, NULL, v[i].from->text + v[i].start, v[i].len);
        while (open != 0 && tokens_next(&it, &t))
            for (size_t k = 0; k < words.n; k++)
                if (strcmp(words.t[k].text, t.text) == 0)
                    open &= ~(1u << k);
    }
    for (size_t k = 0; k < words.n; k++)
        if (lang_is_stop(c->q->lang, words.t[k].text, words.t[k].len))
            open &= ~(1u << k);
    return open == 0;
}

/* "Description": one word that places of other pages stand under, too, is no
 * name. */
static bool is_common(const struct choice *c, const char *label,
                      const char *url)
{
    if (strchr(label, ' ') != NULL)
        return false;
    for (size_t i = 0; i < c->u->count; i++) {
        const struct unit *x = &c->u->v[i];
        const struct candidate *o = c->u->parts[x->page][x->from].c;

        if (strcmp(label_name(o->heading), label) == 0 &&
            strcmp(o->url, url) != 0)
            return true;
    }
    return false;
}

/* May pages of other hosts mean the same words otherwise, and does the question
 * not say whose it is about? */
static bool is_contested(const struct choice *c)
{
    const struct units *u = c->u;
    const struct found_page *best = &c->pages[u->v[0].page];
    double others = 0;

    for (size_t i = 0; i < u->count; i++)
        if (strcmp(c->pages[u->v[i].page].c->host, best->c->host) != 0)
            others += unit_chance(u, &u->v[i], c->spread);
    return best->host == 0 && others > CONTESTED * c->all;
}

/* What a place stands under in its page; "": nothing that says more. */
static const char *label_of(const struct choice *c, const struct said *v,
                            size_t n, const char *before)
{
    const char *label = label_name(v->from->heading);

    return strcmp(label, before) != 0 && label_may_be_said(label) &&
                   !is_common(c, label, v->from->url) &&
                   !says_label(c, label, v, n)
               ? label
               : "";
}

/* What is said, each place under what it stands under in its page; and whose
 * page it is, where that is contested. */
static enum err say_under(struct render *r, const struct choice *c,
                          const struct saying_list *s, size_t *held)
{
    const char *before = "", *host = "";
    bool contested = is_contested(c);
    enum err e = ERR_OK;

    for (size_t i = c->said_from, k; e == ERR_OK && i < c->said_to; i = k) {
        const struct candidate *from = s->v[i].from;
        bool names = contested && strcmp(from->host, host) != 0;
        size_t at = r->text.len, now = 0;
        const char *label;

        for (k = i + 1; k < c->said_to && s->v[k].goes_with;)
            k++;
        label = label_of(c, s->v + i, k - i, before);
        if (names)
            label = arena_printf(c->a, "%s%s%s", from->host,
                                 *label == '\0' ? "" : ": ", label);
        if (label == NULL)
            return ERR_NOMEM;
        if (*label != '\0')
            e = render_label(r, label);
        if (e == ERR_OK)
            e = render_said(r, s->v + i, k - i, &now);
        *held += now;
        if (e == ERR_OK && now == 0) {
            buf_cut(&r->text, at);
            continue;
        }
        before = label_name(from->heading);
        host = from->host;
    }
    return e;
}

/* Of a part nothing was found: that, in its own words. */
static enum err say_missing(struct render *r, const struct choice *c)
{
    const char *part = label_escaped(c->q->text, c->a);
    const char *z =
        part == NULL ? NULL
                     : arena_printf(c->a, "%s %s",
                                    phrase(c->q->lang, PHRASE_NOT_FOUND), part);

    if (z == NULL)
        return ERR_NOMEM;
    render_words(r, z);
    return ERR_OK;
}

/* Which part it is, in its own words. */
static enum err part_head(struct render *r, const struct choice *c)
{
    const char *part = label_escaped(c->q->text, c->a);
    const char *z = part == NULL ? NULL : arena_printf(c->a, "**%s**", part);

    if (z == NULL)
        return ERR_NOMEM;
    render_words(r, z);
    return ERR_OK;
}

static enum err say_part(struct render *r, struct saying_list *s,
                         const struct choice *c, struct dissent *d,
                         size_t *held)
{
    size_t now = 0;
    enum err e;

    if (c->count == 0)
        return c->repeated ? ERR_OK : say_missing(r, c);
    e = c->parts > 1 ? part_head(r, c) : ERR_OK;
    if (e != ERR_OK)
        return e;
    if (c->related)
        render_words(r, phrase(c->q->lang, PHRASE_ONLY_CLOSE));
    e = say_under(r, c, s, &now);
    if (e == ERR_OK && now > 0)
        e = dissent_say(r, s, c, d);
    *held += now;
    return e;
}

static enum err render(struct saying_list *s, const struct choice *v,
                       size_t count, bool markers, struct units_answer *out)
{
    struct render r;
    struct dissent d[QUERY_PARTS_MAX];
    size_t held = 0;
    enum err e = render_init(&r, markers, s->count + 2 * count, s->a);

    for (size_t i = 0; e == ERR_OK && i < count; i++)
        e = say_part(&r, s, &v[i], &d[i], &held);
    if (e == ERR_OK && held == 0)
        e = ERR_NO_RESULT;
    if (e == ERR_OK)
        e = render_end(&r, &out->text, &out->sources, &out->source_count);
    if (e == ERR_OK)
        e = render_evidence(&r, &out->evidence, &out->evidence_count);
    out->verified = r.verified;
    render_fini(&r);
    return e;
}

static enum err say(struct choice *v, size_t count, bool markers,
                    struct arena *a, struct units_answer *out)
{
    struct saying_list *s = arena_alloc(a, sizeof(*s));
    enum err e = ERR_OK;

    if (s == NULL)
        return ERR_NOMEM;
    memset(s, 0, sizeof(*s));
    s->a = a;
    s->used = arena_array(a, USED_MAX, sizeof(*s->used));
    if (s->used == NULL)
        return ERR_NOMEM;
    memset(s->used, 0, USED_MAX * sizeof(*s->used));
    for (size_t k = 0; e == ERR_OK && k < count; k++) {
        struct choice *c = &v[k];

        c->said_from = s->count;
        for (size_t i = 0; e == ERR_OK && i < c->count; i++)
            e = unit_say(s, c->u, &c->v[i],
                         i > 0 && goes_on(c, &c->v[i - 1], &c->v[i]));
        c->said_to = s->count;
    }
    if (e == ERR_OK)
        e = render(s, v, count, markers, out);
    out->used = s->used;
    out->used_count = s->used_count;
    return e;
}

/* The passages of the best units, each once. */
enum err units_passages(const struct units *u, size_t max, struct arena *a,
                        struct ranked **out, size_t *count)
{
    struct saying_list s = {.a = a};

    s.used = arena_array(a, max + 1, sizeof(*s.used));
    if (s.used == NULL)
        return ERR_NOMEM;
    memset(s.used, 0, (max + 1) * sizeof(*s.used));
    for (size_t i = 0; i < u->count && s.used_count < max; i++) {
        const struct unit *x = &u->v[i];
        const struct candidate *c = u->parts[x->page][x->from].c;
        size_t before = s.used_count;

        used_add(&s, c);
        if (s.used_count > before)
            s.used[before].score = x->score;
    }
    *out = s.used;
    *count = s.used_count;
    return ERR_OK;
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

/* Does one of the parts before say what this one's best unit says? */
static bool is_repeated(const struct choice *v, const struct choice *c)
{
    for (; v < c; v++)
        for (size_t i = 0; i < v->count; i++)
            if (shingles_share(&c->said[0], &v->said[i]) >= REPEATED_MOST)
                return true;
    return false;
}

/* What is said of one of the parts: nothing where nothing is on its subject. */
static enum err part_choose(struct choice *c, const struct choice *all)
{
    const struct units *u = c->u;
    enum err e;

    if (u->count == 0 ||
        log_odds(u->by_meaning ? on_subject_by_meaning : on_subject, &u->v[0]) <
            0)
        return ERR_OK;
    c->related =
        log_odds(u->by_meaning ? direct_by_meaning : direct, &u->v[0]) < 0;
    e = choose(c);
    if (e != ERR_OK || c->count == 0)
        return e;
    c->repeated = is_repeated(all, c);
    if (c->repeated)
        c->count = 0;
    in_order(c);
    return ERR_OK;
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
        e = say(c, count, markers, a, &answer);
    if (e == ERR_OK)
        *out = answer;
    return e;
}
