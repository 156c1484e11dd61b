/*
 * What a sentence says of a statement: that it is so, or that it is not. See
 * value.h. Called by structured_value.c. Nothing is said by what is only
 * possible, was once so, or holds on a condition; null is better than a guess.
 */
#include "object/value.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

/* Fitness of what a sentence says as a whole, and of "the default is off". */
static const double FIT_SENTENCE = 0.2;
static const double FIT_STATE = 0.45;

enum {
    DENIAL_BYTES = 30, /* a denial further off is of something else */
    VERB_TOKENS = 6
};

static const char states_on[] =
    "on enabled true yes active enable enables allowed";
static const char states_off[] =
    "off disabled false no none inactive disable disables";
/* Between "default" and the state it names. */
static const char links[] =
    "by is to value setting the a an of for as be it turned are set s option "
    "in at which this";
/* The apostrophe of "doesn't" is none of a token. */
static const char negations[] =
    "not no never cannot neither nor none doesnt dont isnt "
    "arent cant wont hasnt havent neednt mustnt";
static const char denials[] =
    "without unable omit omits omitted omitting "
    "refuse refuses lack lacks ignore ignores ignored "
    "fails instead";
static const char denied_by[] =
    "unsupported disabled prohibited impossible "
    "unavailable disallowed rejected forbidden off false"; /* behind it */
static const char hedges[] =
    "may might could sometimes usually often possibly perhaps future planned "
    "typically would";
static const char unreal[] = "will would may might could changing";
static const char past[] = "was were did didnt wasnt previously formerly prior "
                           "until earlier older used";
static const char conditions[] = "if when unless whether though although once "
                                 "while except until";
static const char verbs[] =
    "is are be been being do does doesnt can cannot must "
    "has have will should isnt arent dont became was were did had may";
static const char plurals[] = "they these those"; /* what is spoken of before */
static const char modals[] = "can may could might allowed possible able must";

static int state_of(const char *token)
{
    return word_in(token, states_on) ? 1 : word_in(token, states_off) ? -1 : 0;
}

static bool is_default(const char *token)
{
    return word_in(token, "default defaults defaulted");
}

/* Part of an option or a name ("--no-single-branch"): no word of the sentence.
 */
static bool is_part(const struct text *x, size_t i)
{
    size_t end = x->t[i].end, start = x->t[i].start;

    return (end < x->n && strchr("-_=", x->p[end]) != NULL) ||
           (start > 0 && strchr("-_", x->p[start - 1]) != NULL);
}

static bool has_any(const struct text *x, size_t first, size_t last,
                    const char *list)
{
    for (size_t i = first; i <= last; i++)
        if (word_in(x->t[i].text, list) && !is_part(x, i))
            return true;
    return false;
}

/* Is token i a word of the list that the field's own words do not have? "Can it
 * be used", "is it usually needed", "when it is empty". */
static bool is_foreign(const struct text *x, size_t i, const char *list)
{
    const char *asked = x->near.label->text;

    return word_in(x->t[i].text, list) && !is_part(x, i) &&
           !tokens_have(asked, strlen(asked), x->t[i].text);
}

static bool is_weakened(const struct text *x, size_t first, size_t last,
                        const char *list)
{
    for (size_t i = first; i <= last; i++)
        if (is_foreign(x, i, list))
            return true;
    return false;
}

/* --- the default state ---------------------------------------------------- */

/* Does a bracket open between token i and the one behind it? */
static bool opens_bracket(const struct text *x, size_t i)
{
    return i + 1 < x->count && memchr(x->p + x->t[i].end, '(',
                                      term_gap(&x->t[i], &x->t[i + 1])) != NULL;
}

/* "The default on all systems": a preposition, no state. */
static bool leads_on(const struct text *x, size_t d)
{
    const struct term *t = &x->t[d];

    return d + 2 < x->count && strcmp(t[1].text, "on") == 0 &&
           term_gap(&t[0], &t[1]) == 1 && term_gap(&t[1], &t[2]) == 1 &&
           !word_in(t[2].text, links) && !word_in(t[2].text, conditions);
}

/* Is token i one of the label's own words? */
static bool is_own(const struct text *x, size_t i)
{
    for (size_t k = 0; k < x->near.hit_count; k++)
        if (!x->near.hits[k].qualifier &&
            x->near.hits[k].start <= x->t[i].start &&
            x->near.hits[k].end >= x->t[i].end)
            return true;
    return false;
}

/* Does the line begin with what token d says, "Default: KeepAlive On"? */
static bool is_headed(const struct text *x, size_t d)
{
    return d == 0 && x->t[0].end < x->n && x->p[x->t[0].end] == ':';
}

/* The token of the state that the default token d is said to be, x->count for
 * none: "on by default", "defaults to false", "the default value is off". */
static size_t state_by(const struct text *x, size_t d)
{
    for (size_t i = d; i-- > 0 && d - i <= 4 && !opens_bracket(x, i);) {
        if (state_of(x->t[i].text) != 0)
            return strcmp(x->t[d - 1].text, "by") == 0 ? i : x->count;
        if (!word_in(x->t[i].text, links))
            break;
    }
    for (size_t i = d + 1; i < x->count && i - d <= 6 && !leads_on(x, d); i++) {
        if (state_of(x->t[i].text) != 0)
            return i;
        if (!word_in(x->t[i].text, links) && !ascii_is_digit(x->t[i].text[0]) &&
            !(is_headed(x, d) && is_own(x, i)))
            break;
    }
    return x->count;
}

/* Does a condition hold for token i, "if X is on by default, …", or is it only
 * possible, "this may change so that it is"? Not for what brackets say of it:
 * "if X is on (the default is off)". */
static bool is_conditional(const struct text *x, size_t i)
{
    while (i-- > 0) {
        const char *end = x->p + x->t[i].end;
        size_t gap = term_gap(&x->t[i], &x->t[i + 1]);

        if (memchr(end, ',', gap) != NULL || memchr(end, '(', gap) != NULL)
            return false;
        if ((word_in(x->t[i].text, conditions) ||
             word_in(x->t[i].text, unreal)) &&
            !is_part(x, i))
            return true;
    }
    return false;
}

/* "If it is true (the default), …", "If True (default) …": the state that the
 * default token d stands behind, 0 for none. */
static int state_marked(const struct text *x, size_t d)
{
    size_t s = d > 1 && strcmp(x->t[d - 1].text, "the") == 0 ? d - 2 : d - 1;
    size_t end = x->t[d].end;

    return d > 0 && opens_bracket(x, s) && end < x->n && x->p[end] == ')'
               ? state_of(x->t[s].text)
               : 0;
}

/* "The shell defaults to /bin/sh": what it is by default is no state. */
static bool has_other_default(const struct text *x)
{
    for (size_t d = 0; d + 1 < x->count; d++)
        if (is_default(x->t[d].text) && strcmp(x->t[d + 1].text, "to") == 0)
            return true;
    return false;
}

/* 1, -1, or 0 when no default state is told. */
static int default_state(const struct text *x)
{
    for (size_t d = 0; d < x->count; d++) {
        size_t s;
        int state;

        if (!is_default(x->t[d].text))
            continue;
        if (state_marked(x, d) != 0)
            return state_marked(x, d);
        s = state_by(x, d);
        if (s == x->count || is_conditional(x, d) ||
            has_any(x, s < 4 ? 0 : s - 4, s, unreal))
            continue;
        state = state_of(x->t[s].text);
        return s > 0 && strcmp(x->t[s - 1].text, "not") == 0 ? -state : state;
    }
    return 0;
}

/* "echo=False –": the state that the entry's head assigns; scratch is
 * overwritten. */
static int assigned_state(const struct text *x, const struct label *l,
                          struct text *scratch)
{
    struct str value = label_assigned(l, (struct str){x->p, x->n});

    text_read(scratch, value.p, value.n);
    return scratch->count == 1 ? state_of(scratch->t[0].text) : 0;
}

/* "open(path, keep=False): …": the default that a head gives; 0: none. */
static int signed_state(const struct text *x, const struct label *l,
                        struct text *scratch)
{
    struct str value = label_signed(l, (struct str){x->p, x->n});

    text_read(scratch, value.p, value.n);
    return scratch->count == 1 && strcmp(scratch->t[0].text, "none") != 0
               ? state_of(scratch->t[0].text)
               : 0;
}

/* --- a statement ---------------------------------------------------------- */

/* Does a clause end with token i, or its next begin there? One that says all of
 * the label also ends with "and". */
static bool ends_clause(const struct text *x, size_t from_token, size_t i)
{
    size_t start = x->t[from_token].start;
    const struct label *l = x->near.label;

    size_t from = x->t[i].end, to = i + 1 < x->count ? x->t[i + 1].start : x->n;

    if (to < from) /* tokens of Chinese overlap */
        to = from;
    return memchr(x->p + from, ';', to - from) != NULL ||
           (memchr(x->p + from, ',', to - from) != NULL &&
            is_foreign(x, from_token, conditions)) ||
           (i + 1 < x->count &&
            (is_foreign(x, i + 1, conditions) ||
             is_foreign(x, i + 1, "but because so") ||
             (strcmp(x->t[i + 1].text, "and") == 0 &&
              label_mask(l, x->p + start, x->t[i].end - start) ==
                  label_mask(l, x->p, x->n))));
}

static size_t hits_in(const struct text *x, size_t from, size_t to)
{
    size_t n = 0;

    for (size_t i = 0; i < x->near.hit_count; i++)
        n += !x->near.hits[i].qualifier && x->near.hits[i].start >= from &&
             x->near.hits[i].end <= to;
    return n;
}

/* The clause with most of the label's words, as tokens first..last. */
static void clause_find(const struct text *x, size_t *first, size_t *last)
{
    size_t most = 0;

    *first = 0;
    *last = x->count - 1;
    for (size_t i = 0, from = 0; i < x->count; i++) {
        size_t hits;

        if (i + 1 < x->count && !ends_clause(x, from, i))
            continue;
        hits = hits_in(x, x->t[from].start, x->t[i].end);
        if (hits > most) {
            most = hits;
            *first = from;
            *last = i;
        }
        from = i + 1;
    }
}

/* Leave out what stands ahead of a comma behind which the clause says as much
 * of the label: "X does not always apply, and use of Y is not required". */
static void clause_trim(const struct text *x, size_t *first, size_t last)
{
    const struct label *l = x->near.label;
    size_t from = x->t[*first].start, end = x->t[last].end;
    uint64_t all = label_mask(l, x->p + from, end - from);

    for (size_t i = *first; i < last; i++) {
        size_t at = x->t[i].end, next = x->t[i + 1].start;

        if (next > at && memchr(x->p + at, ',', next - at) != NULL &&
            label_mask(l, x->p + next, end - next) == all)
            *first = i + 1;
    }
}

/* Does token i stand in brackets, and all of the label, if there is one,
 * outside them: "By default (without --tags) it shows tags"? */
static bool is_aside(const struct label *l, const struct text *x, size_t i)
{
    const char *open = NULL, *close;
    size_t at = x->t[i].start;

    for (size_t k = 0; k < at; k++)
        open = x->p[k] == '(' ? x->p + k : x->p[k] == ')' ? NULL : open;
    if (open == NULL || (close = memchr(x->p + at, ')', x->n - at)) == NULL)
        return false;
    return l == NULL ||
           (label_mask(l, open, (size_t)(close - open)) &
            ~label_mask(l, x->p, (size_t)(open - x->p)) &
            ~label_mask(l, close, (size_t)(x->p + x->n - close))) == 0;
}

/* "None", "FALSE" amid a sentence: a value of programs. */
static bool is_constant(const struct text *x, size_t i)
{
    char c = x->p[x->t[i].start];

    return i > 0 && c >= 'A' && c <= 'Z' &&
           word_in(x->t[i].text, "none false no off");
}

/* "Not" said again of a coordinate is the same one: "does not work or is not
 * available", "neither … nor". */
static size_t count_denials(const struct text *x, size_t first, size_t last,
                            const struct label *l)
{
    size_t n = 0;
    bool again = false;

    for (size_t i = first; i <= last; i++) {
        const char *z = x->t[i].text;
        bool joins = word_in(z, "or nor and");

        again = joins ? n > 0 : again;
        if (l != NULL && label_is_denied(l, x->p + x->t[i].start,
                                         x->t[i].end - x->t[i].start))
            n++; /* "case-insensitive", too */
        else if (l != NULL && strcmp(z, "non") == 0 && is_part(x, i) &&
                 i < last && is_own(x, i + 1))
            n++; /* "non-recursive" */
        else if (is_part(x, i) || is_aside(l, x, i) || is_constant(x, i))
            continue;
        else if (word_in(z, negations) && !again)
            n++;
        else if (word_in(z, denials) || word_in(z, denied_by))
            n++;
        again = again && (joins || !word_in(z, negations));
    }
    return n;
}

/* Does token i deny what ends at byte `to`, right behind it: "X cannot be …",
 * "X is not …"? */
static bool denies_next(const struct text *x, size_t i, size_t to)
{
    return word_in(x->t[i].text, negations) && !is_part(x, i) &&
           (x->t[i].start <= to + 2 ||
            (i > 0 && x->t[i - 1].start >= to && x->t[i - 1].start <= to + 2 &&
             word_in(x->t[i - 1].text, verbs)));
}

/* The tokens around the label's words in first..last. */
static void narrow(const struct text *x, size_t *first, size_t *last)
{
    size_t from = x->n, to = 0;

    for (size_t i = 0; i < x->near.hit_count; i++) {
        const struct label_hit *h = &x->near.hits[i];

        if (h->start < x->t[*first].start || h->end > x->t[*last].end)
            continue;
        from = h->start < from ? h->start : from;
        to = h->end > to ? h->end : to;
    }
    while (*first < *last && x->t[*first].end + DENIAL_BYTES < from)
        ++*first;
    while (*last > *first && x->t[*last].start >= to &&
           (!word_in(x->t[*last].text, denied_by) ||
            x->t[*last].start > to + DENIAL_BYTES) &&
           !denies_next(x, *last, to))
        --*last;
}

/* Is there a verb ahead of the label's last word that says it of something? */
static bool is_said(const struct text *x, size_t first, size_t last)
{
    const struct label *l = x->near.label;
    size_t end = 0, words = 0;

    if (!tokens_have(l->text, strcspn(l->text, " "),
                     "is are must can may will was has"))
        return true; /* its own words say what is done */
    for (size_t i = 0; i < x->near.hit_count; i++)
        if (x->near.hits[i].end <= x->t[last].end)
            end = x->near.hits[i].start;
    for (size_t i = last + 1; i-- > first && words < VERB_TOKENS;) {
        if (x->t[i].start > end)
            continue;
        words++;
        if (word_in(x->t[i].text, verbs))
            return true;
    }
    return false;
}

/* "… by default": what is said holds so. */
static bool says_by_default(const struct text *x)
{
    for (size_t i = 1; i < x->count; i++)
        if (is_default(x->t[i].text) && word_in(x->t[i - 1].text, "by as"))
            return true;
    return false;
}

/* "The default shell": a thing that the label's word names, not what it is by
 * default. */
static bool names_default(const struct text *x)
{
    for (size_t d = 0; d + 1 < x->count; d++)
        if (is_default(x->t[d].text) && !word_in(x->t[d + 1].text, links) &&
            hits_in(x, x->t[d + 1].start, x->t[d + 1].end) > 0)
            return true;
    return false;
}

/* What must be is said to be by few words; what merely is says nothing of it.
 */
static bool says_must(const struct text *x, const struct label *l)
{
    static const char duties[] = "must required requires require need needs "
                                 "needed mandatory shall obligatory have "
                                 "necessary optional";

    return !tokens_have(l->text, strlen(l->text), "must") ||
           tokens_have(x->p, x->n, duties);
}

/* Does it say a word of the label and its opposite? */
static bool says_both(const struct text *x, const struct label *l)
{
    uint64_t said = 0, denied = 0;

    for (size_t i = 0; i < x->count; i++) {
        const char *p = x->p + x->t[i].start;
        size_t n = x->t[i].end - x->t[i].start;

        if (label_is_denied(l, p, n))
            denied |= label_mask(l, p, n);
        else
            said |= label_mask(l, p, n);
    }
    return (said & denied) != 0;
}

/* Do the tokens say all of the label that the text does? "Can" says that it is
 * allowed. */
static bool says_all(const struct text *x, size_t first, size_t last)
{
    const struct label *l = x->near.label;
    size_t from = x->t[first].start;
    uint64_t can = has_any(x, first, last, modals)
                       ? label_mask(l, modals, strlen(modals))
                       : 0;

    return (label_mask(l, x->p + from, x->t[last].end - from) | can) ==
           (label_mask(l, x->p, x->n) | can);
}

/* "… on all systems except Windows": what is said behind token last is left out
 * of what the clause says. */
static bool is_excepted(const struct text *x, size_t last)
{
    return last + 1 < x->count &&
           word_in(x->t[last + 1].text, "except excluding") &&
           hits_in(x, x->t[last + 1].end, x->n) > 0;
}

/* What the label itself asks: 1 that it is so, -1 that it is not so ("is it
 * disabled?"), but not "is it off or on?". */
static int sense_of(const struct label *l, struct text *scratch)
{
    text_read(scratch, l->text, strlen(l->text));
    return scratch->count > 0 &&
                   !has_any(scratch, 0, scratch->count - 1, states_on) &&
                   count_denials(scratch, 0, scratch->count - 1, NULL) % 2 == 1
               ? -1
               : 1;
}

int value_reply(const struct unit *u)
{
    struct str before = str_trim(u->before), s = u->text;
    int reply = ascii_starts_i(s.p, "yes")  ? 1
                : ascii_starts_i(s.p, "no") ? -1
                                            : 0;
    size_t n = reply > 0 ? 3 : 2;

    return before.n > 0 && before.p[before.n - 1] == '?' && s.n > n &&
                   strchr(".,;:!", s.p[n]) != NULL
               ? reply
               : 0;
}

/* What "Yes." says to a question that denies nothing itself. */
static void reply_add(const struct unit *u, int sense, struct text *scratch,
                      struct value_choices *out)
{
    text_read(scratch, u->before.p, u->before.n);
    if (scratch->count > 0 &&
        count_denials(scratch, 0, scratch->count - 1, NULL) == 0)
        value_add(out, value_reply(u) * sense > 0 ? "true" : "false", 0,
                  u->text.n, FIT_STATE);
}

void value_boolean(const struct value_want *w, const struct unit *u,
                   const struct text *x, struct text *scratch,
                   struct value_choices *out)
{
    const struct label *l = w->label;
    bool wants_default = (l->qualifiers & QUALIFIER_DEFAULT) != 0;
    int sense = sense_of(l, scratch), state = default_state(x);
    size_t first, last, denied;
    unsigned doubts = 0;
    bool excepted, told;

    if (x->count == 0 || x->p[x->n - 1] == '?' || mem_find(x->p, x->n, "…"))
        return;
    if (value_reply(u) != 0) {
        reply_add(u, sense, scratch, out);
        return;
    }
    if (w->entry && state == 0)
        state = signed_state(x, l, scratch);
    told = state != 0;
    if (wants_default && state == 0) /* it may be an example */
        state = assigned_state(x, l, scratch);
    if (state != 0 && (wants_default || w->entry || x->near.hit_count > 0)) {
        /* "omit_tags: … Default is on" says it of that, "Tags are on by
         * default" and "They are …" of what is omitted. */
        state *= w->entry && hits_in(x, 0, x->n) == 0 &&
                         !word_in(x->t[0].text, plurals)
                     ? 1
                     : sense;
        value_add(out, state > 0 ? "true" : "false", 0, x->n, FIT_STATE);
        if (told && out->count > 0)
            out->at[out->count - 1].way = WAY_STATE;
        return;
    }
    if (x->near.hit_count == 0)
        return;
    clause_find(x, &first, &last);
    clause_trim(x, &first, last);
    excepted = is_excepted(x, last);
    if (excepted)
        last = x->count - 1;
    if (wants_default &&
        (is_weakened(x, 0, last, unreal) || has_other_default(x) ||
         (names_default(x) && !says_by_default(x))))
        return; /* what it is not yet, or another thing is */
    if (says_both(x, l) || !says_must(x, l))
        return;
    if (!is_said(x, first, last))
        doubts |= DOUBT_UNSAID;
    if (wants_default && word_in(x->t[first].text, conditions))
        return; /* what else it is, is not said */
    if (!says_all(x, first, last)) {
        if (!wants_default) /* it may be said of something else */
            return;
        doubts |= DOUBT_PART;
    }
    narrow(x, &first, &last);
    if (is_weakened(x, first, last, past))
        return;
    if (is_weakened(x, first, last, hedges) &&
        !tokens_have(l->text, strlen(l->text), modals))
        return;
    denied = count_denials(x, first, last, l) + excepted;
    if (denied > 0)
        doubts |= DOUBT_DENIES;
    value_add(out, (denied % 2 == 0 ? 1 : -1) * sense > 0 ? "true" : "false", 0,
              x->n, FIT_SENTENCE);
    if (out->count > 0)
        out->at[out->count - 1].doubts = doubts;
}
