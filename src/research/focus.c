/* What is asked about first; see focus.h. */
#include "research/focus.h"

#include "lang/words.h"
#include "reading/unit.h"
#include "text/terms.h"

#include <string.h>

/* Does a clause end between the bytes? */
static bool is_parted(const char *text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (strchr(",;:?", text[i]) != NULL)
            return true;
    return false;
}

/* May the word be what a clause is about? */
static bool is_subject(const struct report_words *w, const char *word)
{
    return !report_list_has(w->forms, word) &&
           !report_list_has(w->kinds, word) &&
           !report_list_has(w->orders, word) &&
           !report_list_has(w->compares, word);
}

uint64_t focus_mask(const struct query *q, const char *text, uint64_t *aside)
{
    const struct report_words *w = report_words_of(q->lang);
    bool said = false, joined = false, is_aside = false, number = false;
    bool refers = false, subject, measures;
    uint64_t front = 0, empty = 0;
    struct term_iter it;
    struct term t;
    size_t end = 0;

    *aside = 0;
    terms_init_with(&it, q->stem, text, strlen(text));
    while (tokens_next(&it, &t)) {
        if (is_parted(text, end, t.start))
            said = is_aside = refers = false;
        end = t.end;
        /* "In this and in that": both are first. */
        refers = refers || report_list_has(w->pronouns, t.text);
        is_aside =
            is_aside || (said && !joined && report_list_has(w->asides, t.text) &&
                         !(refers && report_list_has(w->against, t.text)));
        joined = report_list_has(w->joins, t.text) ||
                 report_list_has(w->choices, t.text);
        if (lang_is_stop(q->lang, t.text, t.len) ||
            report_list_has(w->asks, t.text))
            continue;
        measures = unit_measures(t.text, number);
        number = unit_counts(t.text);
        subject = is_subject(w, t.text) && !measures;
        said = said || subject;
        token_stem(&it, &t);
        *(is_aside || measures ? aside
          : subject            ? &front
                               : &empty) |= query_term(q, t.text);
    }
    *aside = (*aside | (front != 0 ? empty : 0)) & ~front;
    return front != 0 ? front : empty;
}

uint64_t focus_aside(const struct query *q, const struct plan *p)
{
    uint64_t all = 0, front = 0, aside;

    for (size_t i = 0; i < p->count; i++) {
        front |= focus_mask(q, p->subs[i].question, &aside);
        all |= aside;
        front |= focus_mask(q, p->subs[i].context, &aside);
        all |= aside;
    }
    return all & ~front;
}

uint64_t focus_own(const struct query *q, const struct about *x,
                   const struct plan *p, size_t sub)
{
    const struct plan_sub *part = &p->subs[sub];
    uint64_t aside, own = focus_mask(q, part->question, &aside);

    if (part->side < p->side_count)
        own &= ~focus_mask(q, p->sides[part->side], &aside);
    for (size_t i = 0; i < q->term_count; i++)
        if (about_hosted(x, q->terms[i].text))
            own &= ~((uint64_t)1 << i);
    return own;
}
