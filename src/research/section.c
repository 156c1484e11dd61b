/* Sentences of a section; see section.h. */
#include "research/section.h"

#include "base/str.h"
#include "research/ranking.h"
#include "answer/answer_model.h"
#include "question/evidence.h"
#include "page/injection.h"
#include "question/overlap.h"
#include "text/passage.h"

#include <string.h>

enum {
    SECTION_CALLS = 4, /* times its passages are asked for more */
    FIRST_TAKE = 3,    /* sentences of the first call */
    NEXT_TAKE = 2,
    LIST_ITEMS = 3,
    ANNOUNCE_MAX = 60 /* bytes of a sentence such as "They are:" */
};

/* Of a section's lead, below which a further sentence adds noise. */
static const double FOLLOW_MIN = 0.5;
static const double PROSE_MIN = 0.6; /* of evidence_prose */

struct chooser {
    struct arena *a;
    struct section *sections; /* of the whole report */
};

static bool section_repeats(const struct section *s, const struct same_print *p)
{
    for (size_t i = 0; i < s->count; i++)
        if (same_repeats(&s->picks[i].print, p))
            return true;
    return false;
}

/* Said already, here or in a section before? */
static bool is_repeated(const struct chooser *w, const struct section *s,
                        const struct same_print *p, bool only_here)
{
    if (section_repeats(s, p))
        return true;
    for (const struct section *x = w->sections; x < s && !only_here; x++)
        if (section_repeats(x, p))
            return true;
    return false;
}

/* Codes and cross-references that a tokenizer takes for words. */
static bool is_odd(const char *p, size_t n)
{
    size_t digits = 0, i = 0;

    for (; i < n && p[i] != ' '; i++)
        digits += ascii_is_digit((unsigned char)p[i]);
    return p[0] == '(' || (digits > 4 && i > 12) ||
           mem_find(p, n, "\xE2\x86\x92") != NULL;
}

/* A whole sentence of prose that speaks of the section's topic? */
static bool is_fit(const struct section *s, const char *text, size_t n,
                   const struct candidate *from)
{
    return n > 0 && text[n - 1] != ':' && !is_odd(text, n) &&
           evidence_prose(text, n) >= PROSE_MIN &&
           topic_touches(&s->topic, text, from);
}

/* Add bytes start..start+len of a passage unless they were said or do not
 * hold. */
static void add_range(struct chooser *w, struct section *s,
                      const struct candidate *from, struct span at,
                      double score, bool only_here)
{
    struct pick *p = &s->picks[s->count];
    /* What speaks to machines tells nobody anything. */
    const char *why = NULL, *shown = injection_mask(from->text, w->a);

    if (s->count == SECTION_MAX)
        return;
    p->text = arena_strndup(w->a, from->text + at.start, at.len);
    if (p->text == NULL || !is_fit(s, p->text, at.len, from))
        return;
    same_read(&p->print, p->text, at.len);
    if (is_repeated(w, s, &p->print, only_here) || shown == NULL)
        return;
    if (!verify_sentence(p->text, shown, &why, w->a)) {
        verify_tally_add(&s->verified,
                         &(struct verify_tally){.dropped = 1, .why = why});
        return;
    }
    s->verified.held++;
    p->from = from;
    p->start = at.start;
    p->len = at.len;
    p->score = score;
    s->count++;
}

static bool ends_with_colon(const char *text, struct span at)
{
    return at.len > 0 && text[at.start + at.len - 1] == ':';
}

/* When a list is announced by the sentence, or by a short one behind it, its
 * first items are what was asked for. */
static enum err add_items(struct chooser *w, struct section *s,
                          const struct cited_sentence *c,
                          const struct candidate *from, size_t wanted,
                          bool only_here)
{
    struct span *spans = NULL;
    size_t count = 0, i = 0, items = 0;
    enum err e =
        sentences_split(from->text, strlen(from->text), w->a, &spans, &count);

    if (e != ERR_OK)
        return e;
    while (i < count && spans[i].start < c->start)
        i++;
    if (i < count && !ends_with_colon(from->text, spans[i]) && ++i < count &&
        spans[i].len > ANNOUNCE_MAX)
        return ERR_OK;
    if (i >= count || !ends_with_colon(from->text, spans[i]))
        return ERR_OK;
    for (i++; i < count && items < LIST_ITEMS && s->count < wanted; i++) {
        if (ends_with_colon(from->text, spans[i]))
            break;
        items++;
        add_range(w, s, from, spans[i], c->score, only_here);
    }
    return ERR_OK;
}

static enum err add_pick(struct chooser *w, struct section *s,
                         const struct cited_sentence *c,
                         const struct candidate *from, size_t wanted,
                         bool only_here)
{
    struct span at = {c->start, c->len};

    if (s->count > 0 && c->score < FOLLOW_MIN * s->picks[0].score)
        return ERR_OK;
    add_range(w, s, from, at, c->score, only_here);
    return add_items(w, s, c, from, wanted, only_here);
}

/* Drop the passages of every page the draft drew from, used or not. */
static size_t drop_drawn(struct ranked *v, size_t count,
                         const struct answer_draft *d, struct arena *a)
{
    const char **urls = arena_array(a, d->count + 1, sizeof *urls);
    size_t kept = 0;

    if (urls == NULL)
        return 0;
    for (size_t i = 0; i < d->count; i++)
        urls[i] = v[d->sentences[i].passage].c.url;
    for (size_t i = 0; i < count; i++) {
        bool drawn = false;

        for (size_t j = 0; j < d->count && !drawn; j++)
            drawn = strcmp(urls[j], v[i].c.url) == 0;
        if (!drawn)
            v[kept++] = v[i];
    }
    return kept;
}

static size_t sentences_wanted(const struct run *r)
{
    static const size_t of[] = {2, 3, 4, 5};

    return of[r->params->reasoning];
}

/* Ask for sentences, then again without the pages they came from, until
 * there are enough. The passages are copied: drafts point into them. */
/* Items and the sentence that introduces them: a report's sentences stand
 * for themselves. */
static bool is_listing(const struct answer_draft *d, size_t k)
{
    return d->sentences[k].item ||
           (k + 1 < d->count && d->sentences[k + 1].item);
}

static enum err choose(struct chooser *w, struct section *s,
                       const struct query *q, const struct ranked *ranked,
                       size_t count, size_t wanted, bool only_here)
{
    struct ranked *left = arena_array(w->a, count, sizeof *left);

    if (left == NULL)
        return ERR_NOMEM;
    memcpy(left, ranked, count * sizeof *left);
    for (int i = 0; i < SECTION_CALLS && s->count < wanted && count > 0; i++) {
        size_t take = i == 0 ? FIRST_TAKE : NEXT_TAKE;
        struct ranked *now = arena_array(w->a, count, sizeof *now);
        struct answer_draft d = {.sentences = NULL};
        enum err e;

        if (now == NULL)
            return ERR_NOMEM;
        memcpy(now, left, count * sizeof *now);
        if (take > wanted - s->count)
            take = wanted - s->count;
        e = answer_candidates(q, now, count, take, w->a, &d);
        if (e == ERR_NO_RESULT)
            return ERR_OK;
        if (e != ERR_OK)
            return e;
        for (size_t k = 0; k < d.count && e == ERR_OK &&
                           d.sentences[k].score > d.sentences[0].score - 3;
             k++)
            e = is_listing(&d, k) ? ERR_OK
                                  : add_pick(w, s, &d.sentences[k],
                                             &now[d.sentences[k].passage].c,
                                             wanted, only_here);
        if (e != ERR_OK)
            return e;
        count = drop_drawn(left, count, &d, w->a);
    }
    return arena_failed(w->a) ? ERR_NOMEM : ERR_OK;
}

/* The sentences a model wrote from the section's passages, those left out
 * that a section before said. ERR_NO_RESULT: none, for whatever reason. */
static enum err write_with_model(struct run *r, struct chooser *w,
                                 struct section *s, const struct query *q,
                                 const struct ranked *ranked, size_t count,
                                 size_t wanted)
{
    struct answer_draft d = {.sentences = NULL};
    enum err e = ERR_NO_RESULT;

    if (r->env->model != NULL)
        e = answer_model(r->env->model, q, ranked, count, wanted,
                         r->write_until, r->lease->task.id, w->a, &d);
    verify_tally_add(&s->verified, &d.verified);
    for (size_t i = 0; e == ERR_OK && i < d.count && s->count < SECTION_MAX;
         i++) {
        const struct cited_sentence *c = &d.sentences[i];
        struct pick *p = &s->picks[s->count];

        same_read(&p->print, c->text, strlen(c->text));
        if (is_repeated(w, s, &p->print, false))
            continue;
        p->text = c->text;
        p->from = &ranked[c->passage].c;
        p->start = c->start;
        p->len = c->len;
        p->score = c->score;
        s->count++;
    }
    return e == ERR_OK && s->count == 0 ? ERR_NO_RESULT : e;
}

enum err section_choose(struct run *r, struct section *sections, size_t sub,
                        struct arena *a, struct errctx *ec)
{
    struct chooser w = {a, sections};
    struct section *s = &sections[sub];
    struct ranked *ranked = NULL;
    struct query *q = arena_array(a, 1, sizeof *q);
    size_t count = 0;
    enum err e;

    if (q == NULL)
        return ERR_NOMEM;
    s->sub = &r->plan.subs[sub];
    e = query_parse(s->sub->question, a, q);
    if (e == ERR_OK)
        e = overlap_weigh(q, r->env->index, ec);
    if (e == ERR_OK)
        e = ranking_of_evidence(r, (int64_t)sub, q, a, &ranked, &count, ec);
    if (e != ERR_OK || count == 0)
        return e;
    s->q = q;
    topic_read(&s->topic, s->sub->topic);
    e = write_with_model(r, &w, s, q, ranked, count, sentences_wanted(r));
    if (e != ERR_NO_RESULT)
        return e;
    e = choose(&w, s, q, ranked, count, sentences_wanted(r), false);
    /* All of it stands elsewhere: its best sentence is said again. */
    if (e == ERR_OK && s->count == 0)
        e = choose(&w, s, q, ranked, count, 1, true);
    return e;
}
