/* The parts of a request; see plan_parts.h. */
#include "research/plan_parts.h"

#include "base/str.h"
#include "question/compare.h"

#include <string.h>

enum {
    ORDER_WORDS = 7,   /* between "give" and "a way to" */
    TOLD_WORDS = 4,    /* … "brief" and "on" */
    FORM_WORDS = 4,    /* … "a" and "guide" */
    WISH_WORDS = 3,    /* … "we" and "like" */
    INQUIRY_WORDS = 8, /* … of who asks, "our data protection officer" */
    DECLINE_WORDS = 4, /* … "I" and "not" */
    SHORT_WORDS = 3,   /* of "No tables" */
    PART_WORDS = 8,    /* of a part that only is named */
    ASIDE_WORDS = 5,
    ITEM_WORDS = 2,    /* content words of what "and" may cut off */
    ITEMS_LEAST = 3,   /* of a list without an "and" */
    SUBJECT_WORDS = 3, /* of the first of several who do one thing */
    READER_WORDS = 5,  /* of "for our team" */
    WISH_LONG = 6,     /* … of what is said of the text: "A table would be
                          nice." */
    TOWARDS_WORDS = 2, /* between "when" and "comes" */
    TOLD_LEAST = 3,    /* … of each of several things that are told */
    TOLD_LONG = 5,     /* … far from where that is asked */
    EVERY_WORDS = 2,   /* … of what asks for something of each */
    ENDING = 3         /* bytes that two words of one kind end in */
};

static void add_with(struct parts *l, struct range r, struct range tail)
{
    if (l->n == PLAN_PARTS_MAX || r.from >= r.to)
        return;
    l->tail[l->n] = tail;
    l->v[l->n++] = r;
}

static void add(struct parts *l, struct range r)
{
    add_with(l, r, (struct range){0, 0});
}

/* "Our board wants a short overview of": does one of those whom texts are for,
 * from i on, want one at k? */
static bool names_form(const struct planner *p, size_t i, size_t k)
{
    bool form = false;

    for (size_t n = k + 1; n <= k + FORM_WORDS; n++)
        form = form || plan_is(p->w->forms, p, n);
    return form && plan_is(p->w->wants, p, k) &&
           plan_is(p->w->articles, p, k + 1) &&
           (plan_is(p->w->ours, p, i) || plan_is(p->w->articles, p, i));
}

/* Is something asked outside of i to `to`? Then that is asked, and what others
 * asked is told. */
static bool asks_elsewhere(const struct planner *p, size_t i, size_t to)
{
    const char *z = p->q->text, *at = z;

    while ((at = strchr(at, '?')) != NULL) {
        size_t n = (size_t)(at++ - z);

        if (n < p->t[i].start || (to < p->n && n >= p->t[to].start))
            return true;
    }
    return false;
}

/* Where what somebody else asks begins, as is told from i on: behind "our
 * auditor asks", "my manager wants to know" and "she has asked me to"; or i. */
static size_t inquiry_end(const struct planner *p, size_t i, size_t to)
{
    if (asks_elsewhere(p, i, to))
        return i;
    for (size_t k = i + 1; k + 1 < to && k <= i + INQUIRY_WORDS; k++) {
        size_t at = k + 1;

        if (plan_is(p->w->denies, p, k - 1) ||
            plan_has_between(p, k - 1, ",;:") || plan_is(p->w->asks, p, k - 1))
            break;
        if (plan_is(p->w->wants, p, k) && plan_is(p->w->onto, p, k + 1) &&
            plan_is(p->w->learns, p, k + 2))
            at = k + 3;
        else if (names_form(p, i, k))
            return k + 1;
        else if (!plan_is(p->w->inquires, p, k))
            continue;
        while (at < to && (plan_is(p->w->ours, p, at) || plan_is_order(p, at) ||
                           plan_is(p->w->onto, p, at)))
            at++; /* "… us to find out" */
        if (at + 1 < to && (plan_is(p->w->asks, p, at) ||
                            plan_is(p->w->clauses, p, at))) /* "if" */
            return at;
        if (at + 1 < to && plan_is(p->w->about, p, at))
            return at + 1;
    }
    return i;
}

/* A person who wishes, within i to `to`: behind "I would like" and the "she
 * needs" of "she needs to know"; or i. */
static size_t wish_end(const struct planner *p, size_t i, size_t to)
{
    for (size_t k = i + 1; k < to && k <= i + WISH_WORDS; k++)
        if (plan_is(p->w->wants, p, k) &&
            (plan_is(p->w->persons, p, i) ||
             (plan_is(p->w->pronouns, p, i) && plan_is(p->w->onto, p, k + 1) &&
              plan_is(p->w->learns, p, k + 2))))
            return k + 1;
    if (plan_is(p->w->wants, p, i) && plan_is(p->w->articles, p, i + 1))
        return i + 1; /* "Need a guide" */
    return inquiry_end(p, i, to);
}

/* "In what order", "with reasons", "the two so that we can decide" of sides:
 * does it only say how to answer? A question of its own is none. */
static bool is_manner(const struct planner *p, struct range r)
{
    bool sides = p->out->side_count > 0;
    size_t i = r.from;

    while (i < r.to && plan_is_order(p, i))
        i++;
    if (plan_is(p->w->asks, p, r.from))
        return false;
    for (; i < r.to; i++)
        if (plan_is_said(p, i) && !plan_is(p->w->manners, p, i) &&
            !plan_is(p->w->forms, p, i) && !plan_is(p->w->ones, p, i) &&
            !(sides &&
              (plan_is(p->w->kinds, p, i) || plan_is(p->w->picks, p, i))))
            return false;
    return true;
}

/* "The roles, who waits for whom, how it ends, and a plan": is a thing listed
 * with what asks? What may be said of that thing alone, ", which we run", does
 * not. */
static bool lists_questions(const struct planner *p, size_t from, size_t to)
{
    struct range r = {from, to};
    size_t first = to;

    for (size_t i = from; i + 1 < to; i++) {
        if (!plan_is_parted(p, r, i))
            continue;
        first = i < first ? i + 1 : first;
        i += plan_is(p->w->joins, p, i + 1);
        if (plan_is(p->w->asks, p, i + 1) && !plan_is(p->w->relative, p, i + 1))
            return !is_manner(p, (struct range){from, first});
    }
    return false;
}

/* Behind what stands in front of what is asked for: "also", "it should", "I'd
 * like to know about", and the "I need" of "I need a guide"; or r.from. */
static size_t lead_end(const struct planner *p, struct range r)
{
    size_t i = r.from, to, said;

    while (i + 1 < r.to && plan_is(p->w->polite, p, i))
        i++;
    if (plan_is(p->w->links, p, i) && !plan_is(p->w->pronouns, p, i) &&
        (plan_is(p->w->asks, p, i + 1) || plan_is_order(p, i + 1) ||
         plan_is(p->w->helps, p, i + 1) || plan_is(p->w->persons, p, i + 1)))
        i++;
    if ((plan_is(p->w->pronouns, p, i) && plan_is(p->w->helps, p, i + 1)) ||
        (plan_is(p->w->helps, p, i) && plan_is(p->w->persons, p, i + 1)))
        for (said = i + 2; said < i + 4;
             said++) /* "could you kindly compare" */
            if (plan_is_order(p, said))
                return said;
    to = inquiry_end(p, i, r.to);
    if (to > i)
        return to;
    to = wish_end(p, i, r.to);
    if (to == i)
        return i;
    if (!plan_is(p->w->onto, p, to) && lists_questions(p, to, r.to))
        return to; /* "I want the roles, who waits for whom, …" */
    for (size_t k = to; k < r.to && k <= to + 1; k++)
        if (plan_is(p->w->learns, p, k))
            return k + 1 + (k + 1 < r.to && plan_is(p->w->about, p, k + 1));
    if (plan_is(p->w->onto, p, to) && plan_is(p->w->orders, p, to + 1))
        return to + 1; /* "I need to explain to my students how" */
    for (size_t k = to; k < r.to && k < to + ORDER_WORDS; k++)
        if (plan_is(p->w->forms, p, k)) /* "grateful for a" */
            return to + (plan_is(p->w->readers, p, to) &&
                         plan_is(p->w->articles, p, to + 1));
    return i;
}

/* Behind "our board on", or i. */
static size_t reader_end(const struct planner *p, size_t i, size_t to)
{
    for (size_t k = i; k + 2 < to && k < i + READER_WORDS; k++)
        if (plan_is(p->w->audience, p, k) && plan_is(p->w->about, p, k + 1) &&
            !plan_is(p->w->onto, p, k + 1))
            return k + 2;
    return i;
}

/* "A colleague", "a colleague who takes over next week": are only those whom a
 * text is for named from i on, and who they are? */
static bool are_readers(const struct planner *p, size_t i, size_t to)
{
    i += i < to && (plan_is(p->w->articles, p, i) || plan_is(p->w->ours, p, i));
    return i < to && plan_is(p->w->audience, p, i) &&
           (i + 1 == to || plan_is(p->w->relative, p, i + 1));
}

/* Behind words that name a text, what it is about: "Overview of …", "A short
 * guide to …"; empty when it only is named ("Briefing"), r when it is not. */
static struct range without_form(const struct planner *p, struct range r)
{
    const struct term *t = &p->t[r.from];
    size_t i = r.from;

    if (plan_is(p->w->persons, p, r.from)) /* "We plan to" */
        return r;
    if (r.from < r.to && lang_is_stop(p->q->lang, t->text, t->len))
        while (i < r.to && i < r.from + FORM_WORDS &&
               !plan_is(p->w->forms, p, i))
            i++;
    if (i == r.to || !plan_is(p->w->forms, p, i))
        i = r.from;
    while (i < r.to && plan_is(p->w->forms, p, i))
        i++;
    while (i > r.from && i < r.to && plan_is(p->w->polite, p, i))
        i++;
    if (i == r.to)
        return (struct range){i, i};
    if (i > r.from && plan_is(p->w->readers, p, i) &&
        reader_end(p, i + 1, r.to) > i + 1)
        return (struct range){reader_end(p, i + 1, r.to), r.to};
    return i > r.from && i + 1 < r.to && plan_is(p->w->about, p, i)
               ? (struct range){i + 1, r.to}
               : r;
}

/* "for people who are new to it, what it is": where it asks, near i and without
 * a comma between; or r.to. */
static size_t asks_near(const struct planner *p, struct range r, size_t i)
{
    for (size_t k = i; k + 1 < r.to && k <= i + ORDER_WORDS; k++) {
        if (plan_is(p->w->asks, p, k + 1))
            return k + 1;
        if (plan_has_between(p, k, ",;:") || plan_is(p->w->joins, p, k))
            break;
    }
    return r.to;
}

/* Behind "Brief our people on" or "Tell them": what they are to be told. From
 * i, where the order has ended, when it tells nobody. */
static size_t without_told(const struct planner *p, struct range r, size_t i)
{
    size_t k = i, asks = asks_near(p, r, i);

    if (i + 1 < r.to && plan_is(p->w->about, p, i))
        return plan_is(p->w->readers, p, i) && asks < r.to ? asks : i + 1;
    while (plan_is(p->w->tells, p, i - 1) && k + 1 < r.to &&
           k < i + TOLD_WORDS) {
        if (plan_is(p->w->asks, p, k))
            return k;
        if (plan_is(p->w->about, p, k++))
            return k;
    }
    return i;
}

/* Behind "also" or "especially", where it asks there or a thing is named; or i.
 */
static size_t without_added(const struct planner *p, struct range r, size_t i)
{
    size_t k = i;

    while (k < r.to && plan_is(p->w->adds, p, k))
        k++;
    return k < r.to &&
                   (plan_is(p->w->asks, p, k) || plan_is(p->w->articles, p, k))
               ? k
               : i;
}

/* Behind "Give me a step-by-step way to": what is wanted. Empty when nothing
 * but a text is ordered. */
static struct range without_order(const struct planner *p, struct range r)
{
    size_t i = r.from;

    while (i < r.to && plan_is_order(p, i))
        i++;
    if (i == r.from)
        return without_form(p, r);
    if (plan_is(p->w->starts, p, i - 1) && plan_is(p->w->asides, p, i))
        i++; /* "finish with" */
    i = without_added(p, r, i);
    i = without_told(p, r, i);
    for (size_t k = i; k < r.to && k < i + ORDER_WORDS; k++) {
        if (!plan_is(p->w->forms, p, k))
            continue;
        while (k + 1 < r.to && plan_is(p->w->forms, p, k + 1))
            k++;
        if (k + 1 >= r.to)
            return (struct range){r.to, r.to};
        if (plan_is(p->w->readers, p, k + 1) && are_readers(p, k + 2, r.to))
            return (struct range){r.to, r.to};
        if (plan_is(p->w->readers, p, k + 1) && asks_near(p, r, k + 1) < r.to)
            return (struct range){asks_near(p, r, k + 1), r.to};
        if (plan_is(p->w->about, p, k + 1) ||
            (plan_is(p->w->readers, p, k + 1) && p->parts.n == 0))
            return (struct range){reader_end(p, k + 2, r.to), r.to};
        if (plan_is(p->w->readers, p, k + 1))
            return (struct range){r.to, r.to};
        break;
    }
    if (plan_is(p->w->readers, p, i) && p->parts.n > 0)
        i = r.to;
    return (struct range){i, r.to};
}

/* What an order of r leaves, without whom it is for: "… for our operators". */
static struct range without_reader(const struct planner *p, struct range r,
                                   struct range one)
{
    if (one.from == r.from || one.from >= one.to ||
        !plan_is(p->w->about, p, one.from - 1) ||
        plan_is(p->w->asks, p, one.from) ||
        !plan_is(p->w->audience, p, one.to - 1))
        return one;
    for (size_t i = one.to - 1; i > one.from && i + READER_WORDS > one.to; i--)
        if (plan_is(p->w->readers, p, i) && !plan_is(p->w->onto, p, i) &&
            plan_is(p->w->ours, p, i + 1) &&
            plan_content_of(p, (struct range){one.from, i}) >= ITEM_WORDS)
            return (struct range){one.from, i};
    return one;
}

/* Does a word of a heading only say that a list follows? */
static bool is_label(const struct planner *p, size_t i)
{
    const char *z = i < p->n ? p->t[i].text : "";

    return plan_is(p->w->labels, p, i) || plan_is(p->w->covers, p, i) ||
           (i > 0 && ascii_is_digit(*z) && /* "Question 4" */
            z[strspn(z, "0123456789")] == '\0' &&
            plan_is(p->w->labels, p, i - 1));
}

/* "Topics", "the following for X", "X with these points": without what only
 * says that a list follows. */
static struct range without_label(const struct planner *p, struct range r)
{
    if (plan_is(p->w->asks, p, r.from))
        return r;
    while (r.to > r.from &&
           (is_label(p, r.to - 1) || !plan_is_said(p, r.to - 1)))
        r.to--;
    for (size_t i = r.from; i < r.to && i <= r.from + 1; i++)
        if (is_label(p, i))
            r.from = i + 1 +
                     (plan_is(p->w->about, p, i + 1) ||
                      plan_is(p->w->asides, p, i + 1));
    return r.from < r.to ? r : (struct range){r.to, r.to};
}

static bool is_asking(const struct planner *p, struct range r)
{
    return plan_is(p->w->asks, p, r.from) ||
           (plan_is_order(p, r.from) && !plan_is(p->w->persons, p, r.from)) ||
           p->text[p->t[r.to - 1].end] == '?';
}

/* "can I", "is it": does a question that wants yes or no begin at i? */
static bool asks_whether(const struct planner *p, size_t i)
{
    return plan_is(p->w->helps, p, i) && (plan_is(p->w->persons, p, i + 1) ||
                                          plan_is(p->w->pronouns, p, i + 1));
}

/* "tell me how": is a question ordered at i? */
static bool orders_to_ask(const struct planner *p, struct range r, size_t i)
{
    size_t k = i;

    while (k < r.to && plan_is_order(p, k))
        k++;
    return k > i && k < r.to && plan_is(p->w->asks, p, k);
}

/* "Which … and which not": does what asks at i, which of what is before it, or
 * as something there does, only deny that? "Why not" asks. */
static bool only_denies(const struct planner *p, struct range r, size_t i)
{
    size_t before = r.from;
    bool denies = false;

    while (before < i && strcmp(p->t[before].text, p->t[i].text) != 0)
        before++;
    if (before == i && !plan_is(p->w->relative, p, i))
        return false;
    for (size_t k = i; k < r.to && !plan_is_content(p, k); k++) {
        denies = denies || plan_is(p->w->denies, p, k);
        if (k + 1 == r.to || plan_is_parted(p, r, k) ||
            plan_is(p->w->joins, p, k + 1))
            return denies && plan_is(p->w->asks, p, i);
    }
    return false;
}

bool plan_begins_part(const struct planner *p, struct range r, size_t i)
{
    bool joined = plan_is(p->w->joins, p, i);
    bool question = p->text[p->t[r.to - 1].end] == '?', parted, orders;

    if (i <= r.from || i + 1 >= r.to || plan_is_within(p, i - 1))
        return false;
    parted = plan_has_between(p, i - 1, ",;?");
    if (!joined && !parted)
        return false;
    i += joined;
    i += plan_is(p->w->links, p, i) && !plan_is(p->w->pronouns, p, i);
    if (i + 1 >= r.to) /* "and why" */
        return !joined && plan_is(p->w->asks, p, i);
    if (only_denies(p, r, i))
        return false;
    orders = plan_is_order(p, i);
    return plan_is(p->w->asks, p, i) ||
           ((joined || plan_has_between(p, i - 1, "?")) &&
            asks_whether(p, i)) ||
           (joined && parted && question && plan_is(p->w->helps, p, i)) ||
           (joined && parted && orders && plan_is_order(p, r.from)) ||
           (plan_is(p->w->owners, p, i) && plan_is_content(p, i + 1) &&
            is_asking(p, r)) ||
           (plan_is(p->w->asks, p, i + 1) && i + 2 < r.to &&
            (joined || question || !plan_is(p->w->relative, p, i + 1)) &&
            (plan_is(p->w->asides, p, i) || plan_is(p->w->about, p, i))) ||
           ((joined || parted) && orders_to_ask(p, r, i));
}

/* ", each with an example", ", in particular this", not ", one lid must rust":
 * does it go on with what was before the comma? */
static bool is_tail(const struct planner *p, struct range r, size_t i)
{
    bool one = plan_is(p->w->ones, p, i) &&
               (plan_is(p->w->every, p, i) || !plan_is_content(p, i + 1));

    return (plan_is(p->w->asides, p, i) || one) &&
           !(plan_is(p->w->asks, p, i + 1) && plan_is(p->w->asks, p, r.from));
}

/* Where the last item of a list with commas begins, its "and" before it, or
 * r.to: it is none. */
static size_t last_item(const struct planner *p, struct range r)
{
    size_t at = r.to;
    bool comma = false;

    for (size_t i = r.from; i + 1 < r.to; i++) {
        if (plan_is_parted(p, r, i) && !is_tail(p, r, i + 1)) {
            comma = true;
            at = r.to;
        }
        if (comma && at == r.to && plan_is(p->w->joins, p, i + 1) &&
            !plan_is(p->w->compares, p, i + 1) && !plan_opens_in(p, r, i) &&
            (i + 3 < r.to || !plan_is(p->w->asks, p, i + 2))) /* "and why" */
            at = i + 1;
    }
    return at;
}

/* Are the words around the "and" at i two of one thing: "saving and loading
 * files", or those of a pair: "between saving and loading"? */
static bool is_pair(const struct planner *p, struct range r, size_t i)
{
    const struct term *a = &p->t[i - 1], *b = &p->t[i + 1];

    for (size_t k = r.from; k < i; k++)
        if (plan_is(p->w->pairs, p, k))
            return true;
    return a->len > ENDING && b->len > ENDING && plan_is_content(p, i - 1) &&
           memcmp(a->text + a->len - ENDING, b->text + b->len - ENDING,
                  ENDING) == 0;
}

/* "how locks and gates fit": are those before i the first who do what the
 * question asks? */
static bool is_subject(const struct planner *p, struct range r, size_t i)
{
    bool subject = plan_is(p->w->asks, p, r.from) && i > r.from + 1 &&
                   i <= r.from + 1 + SUBJECT_WORDS;

    for (size_t k = r.from + 1; subject && k < i; k++)
        subject = !plan_is(p->w->helps, p, k) && !plan_is(p->w->about, p, k);
    return subject;
}

/* "This and that": where a list without commas is joined, or r.to. */
static size_t join_of(const struct planner *p, struct range r)
{
    for (size_t i = r.from + 1; i + 1 < r.to; i++)
        if (plan_is(p->w->joins, p, i) && !plan_opens_in(p, r, i - 1) &&
            !plan_is(p->w->choices, p, i) && !is_pair(p, r, i) &&
            plan_content_of(p, (struct range){r.from, i}) > 0 &&
            plan_content_of(p, (struct range){i + 1, r.to}) > 0)
            return i;
    return r.to;
}

/* Is the token a verb, or may it be, in a language whose verbs are not known?
 */
static bool may_do(const struct planner *p, size_t i)
{
    const char *doing = question_words[p->q->lang].doing;

    return doing == NULL || plan_is_order(p, i) || plan_is(p->w->deeds, p, i) ||
           word_in(p->t[i].text, doing);
}

/* "Repair this and replace that": where the second half begins, or r.to. In a
 * question it does with a verb: "how do locks and gates of rivers work" is one.
 */
static size_t second_half(const struct planner *p, struct range r)
{
    bool asks = plan_is(p->w->asks, p, r.from);

    for (size_t i = r.from + 1; i + 1 < r.to; i++) {
        bool ordered = plan_is(p->w->orders, p, i + 1); /* "… and write that" */
        size_t before = plan_content_of(p, (struct range){r.from, i});
        size_t behind =
            plan_content_of(p, (struct range){i + 1, r.to}) + ordered;

        if (plan_is(p->w->joins, p, i) && !plan_opens_in(p, r, i - 1) &&
            before >= ITEM_WORDS && behind >= ITEM_WORDS && !is_pair(p, r, i) &&
            !is_subject(p, r, i) && (ordered || plan_is_content(p, i + 1)) &&
            !plan_is_name(p, i + 1) && (!asks || may_do(p, i + 1)))
            return i;
    }
    return r.to;
}

/* A list in brackets behind words of r that are no name of a function, with
 * which a clause ends: "the pump (its valve, its noise), …". Empty: none. */
static struct range list_in(const struct planner *p, struct range r)
{
    for (size_t i = r.from + 1, to; i < r.to; i = to + (to == i)) {
        size_t items = 0, open = p->within[i];

        for (to = i; to < r.to && open != 0 && p->within[to] == open; to++)
            items += to + 1 < r.to && p->within[to + 1] == open &&
                     plan_has_between(p, to, ",;");
        if (items > 0 && p->within[i - 1] != open && open > 1 &&
            p->text[open - 2] == ' ' &&
            (to == r.to || plan_has_between(p, to - 1, ",;:.") ||
             plan_is(p->w->joins, p, to)))
            return (struct range){i, to};
    }
    return (struct range){r.to, r.to};
}

/* Behind the content of a list's last item: what is said of all of them. */
static struct range tail_of(const struct planner *p, struct range r)
{
    for (size_t i = r.from + 1; i + 1 < r.to; i++)
        if (plan_content_of(p, (struct range){r.from, i}) > 0 &&
            (plan_is(p->w->about, p, i) || plan_is(p->w->asides, p, i)))
            return (struct range){i, r.to};
    return (struct range){0, 0};
}

/* "Which files, users and ports does it use": does something follow on the last
 * item, from `last` on, that all of the list is asked with? */
static bool is_inverted(const struct planner *p, struct range r, size_t last)
{
    if (!plan_is(p->w->asks, p, r.from))
        return false;
    for (size_t i = last + 2; i < r.to; i++) {
        const struct term *t = &p->t[i];

        if (plan_is(p->w->about, p, i) || plan_is(p->w->asides, p, i))
            return false;
        if (plan_is_content(p, i - 1) && !plan_is(p->w->links, p, i) &&
            (p->w->helps == NULL
                 ? lang_is_stop(p->q->lang, t->text, t->len)
                 : plan_is(p->w->helps, p, i) || plan_is(p->w->clauses, p, i)))
            return true;
    }
    return false;
}

static bool has_commas(const struct planner *p, struct range r)
{
    for (size_t i = r.from; i + 1 < r.to; i++)
        if (plan_is_parted(p, r, i))
            return true;
    return false;
}

/* "Which of them is best for a mix of this, that and those": a list that only
 * says of or for what, in a question, or of those who do what it asks? */
static bool is_adjunct(const struct planner *p, struct range r)
{
    if (!plan_is(p->w->asks, p, r.from))
        return false;
    for (size_t i = r.from + 1; i + 1 < r.to; i++) {
        if (!plan_is_parted(p, r, i))
            continue;
        if (is_subject(p, r, i + 1))
            return true;
        while (i > r.from && plan_is_content(p, i))
            i--;
        return i + 1 < r.to &&
               plan_content_of(p, (struct range){r.from, i}) > 0 &&
               (plan_is(p->w->readers, p, i) || plan_is(p->w->about, p, i));
    }
    return false;
}

/* "How they are sealed": does it ask by itself what is before it? */
static bool asks_itself(const struct planner *p, struct range r)
{
    return plan_is(p->w->asks, p, r.from) && r.from + 2 < r.to &&
           plan_is(p->w->pronouns, p, r.from + 1);
}

/* One of a list; "and so on" is none, nor what has no word of its own. */
static void add_item(struct planner *p, struct range r, struct range tail)
{
    bool said;

    r.from = without_added(p, r, r.from);
    said = plan_is(p->w->asks, p, r.from);

    r.from += r.from + 1 < r.to && (plan_is(p->w->learns, p, r.from) ||
                                    (plan_is(p->w->links, p, r.from) &&
                                     !plan_is(p->w->pronouns, p, r.from) &&
                                     !plan_is_said(p, r.from)));
    if (r.from + 2 < r.to && plan_is_order(p, r.from) &&
        plan_is(p->w->asides, p, r.from + 1)) /* "finish with" */
        r.from += 2;
    for (size_t i = r.from; i + 1 < r.to && !said; i++)
        if (plan_has_between(p, i, ",") && !plan_opens_in(p, r, i) &&
            is_tail(p, r, i + 1) && !plan_is(p->w->asks, p, i + 2))
            r.to = i + 1;
    for (size_t i = r.from; i < r.to; i++)
        said = said || plan_is_said(p, i);
    if (said)
        add_with(&p->parts, r, tail);
}

/* "Locks, rust, the colour of the paint, and smells.": parts, and nothing said
 * of them. */
static bool is_named_only(const struct planner *p, struct range r)
{
    size_t last = last_item(p, r), from = r.from, items = 1;

    for (size_t i = r.from; i + 1 < r.to; i++)
        items += plan_is_parted(p, r, i);
    if ((last == r.to && items < ITEMS_LEAST) || !plan_is_content(p, r.from))
        return false;
    for (size_t i = r.from; i < r.to; i++) {
        if (i + 1 < r.to && i + 1 != last && !plan_is_parted(p, r, i))
            continue;
        if (i - from >= PART_WORDS)
            return false;
        from = i + 1;
    }
    return true;
}

/* The items of a list with commas; else the two halves of what "and" joins. */
static void add_items(struct planner *p, struct range r, bool listed)
{
    struct range list = list_in(p, r);
    struct range tail = {0, 0};
    size_t last = last_item(p, r), from = r.from;

    /* Of one thing among others it says only more. */
    if (list.from < list.to && !(listed && has_commas(p, r))) {
        add_items(p, (struct range){from, list.from}, listed);
        add_items(p, list, true);
        from = list.to + plan_is(p->w->joins, p, list.to);
        if (from < r.to)
            add_items(p, (struct range){from, r.to},
                      listed || is_named_only(p, (struct range){from, r.to}));
        return;
    }
    if (last == r.to && !(listed && has_commas(p, r))) {
        last = listed && !plan_is(p->w->asks, p, r.from) ? join_of(p, r)
                                                         : second_half(p, r);
        add(&p->parts, (struct range){from, last});
        add(&p->parts, (struct range){last + 1, r.to});
        return;
    }
    if (!listed && (is_inverted(p, r, last) || is_adjunct(p, r))) {
        add(&p->parts, r);
        return;
    }
    if (!listed)
        tail = tail_of(p, (struct range){last + 1, r.to});
    for (size_t i = r.from; i + 1 < r.to; i++)
        if (i + 1 == last ||
            (plan_is_parted(p, r, i) && !is_tail(p, r, i + 1))) {
            struct range one = {from, i + 1};
            bool own = tail_of(p, one).from > 0 || asks_itself(p, one);

            add_item(p, one, own ? (struct range){0, 0} : tail);
            from = i + 1 + (i + 1 == last);
        }
    add_item(p, (struct range){from, r.to}, (struct range){0, 0});
}

/* "The difference between A, B and C": one part, where not all is compared. */
static bool is_compared(const struct planner *p, struct range r)
{
    struct comparison c;
    bool compares = false;

    for (size_t i = r.from; i < r.to; i++)
        compares = compares || plan_is(p->w->compares, p, i);
    return compares && compare_find(p->q->lang, plan_text_of(p, r), &c);
}

/* A situation, or where all is asked: no part. */
static void tell(struct planner *p, struct range r)
{
    if (p->topics.n + 1 == PLAN_PARTS_MAX) /* that is for what is ordered */
        return;
    p->told++;
    add_with(&p->topics, r, r);
}

/* The first that stands in front of a list is what the request calls its topic,
 * if it says without the rest what that is. */
static void name(struct planner *p, struct range r)
{
    if (plan_is(p->w->readers, p, r.from) || plan_is(p->w->asides, p, r.from))
        r.from++;
    for (size_t i = r.from; i < r.to; i++)
        if (plan_is(p->w->pronouns, p, i) || plan_is(p->w->persons, p, i) ||
            (plan_is(p->w->orders, p, i) && !plan_is(p->w->forms, p, i) &&
             (i < r.from + 2 || !plan_is(p->w->asks, p, i - 2))))
            return; /* but "how to make" */
    if (r.to < p->n && plan_is(p->w->pronouns, p, r.to))
        return; /* "for setting it up:" */
    if (p->named.from >= p->named.to && plan_content_of(p, r) > 0)
        p->named = r;
}

size_t plan_aside_end(const struct planner *p, struct range r)
{
    bool aside =
        plan_is(p->w->asides, p, r.from) || plan_is(p->w->clauses, p, r.from);
    size_t first = r.to;

    if (plan_is(p->w->asks, p, r.from) || plan_is_order(p, r.from) ||
        plan_is(p->w->helps, p, r.from) || plan_is(p->w->asks, p, r.from + 1))
        return r.from;
    for (size_t i = r.from; i + 1 < r.to; i++) {
        size_t k = i + 1;

        if (!plan_is_parted(p, r, i))
            continue;
        first = i < first ? i : first;
        /* "I travel, so what …" */
        k += plan_is(p->w->persons, p, r.from) && k + 1 < r.to &&
             plan_is(p->w->links, p, k) && !plan_is(p->w->pronouns, p, k);
        if ((plan_is(p->w->asks, p, k) || plan_is(p->w->helps, p, k) ||
             orders_to_ask(p, r, k) ||
             (plan_is(p->w->orders, p, k) &&
              plan_is(p->w->orders, p, k + 1))) && /* "please tell us" */
            !plan_has_sides(p, (struct range){r.from, i + 1}))
            return k;
    }
    return aside && first < r.to && first < r.from + ASIDE_WORDS ? first + 1
                                                                 : r.from;
}

/* "A or B for this", "compare A and B there": are the sides all it asks? */
static bool is_choice(const struct planner *p, struct range r)
{
    bool choice = plan_is(p->w->compares, p, r.from);

    if (!plan_has_sides(p, r))
        return false;
    for (size_t i = p->sides_at.from; i < p->sides_at.to; i++)
        choice = choice || plan_is(p->w->choices, p, i);
    for (size_t i = r.from + (choice && plan_is(p->w->about, p, r.from + 1));
         i < r.to; i++)
        if (plan_is(p->w->asks, p, i))
            return false;
    return choice;
}

/* Behind "in", "with regard to" or "when it comes to" at i, and before what is
 * theirs in ", with their limits"; or i. */
static size_t regards_end(const struct planner *p, size_t i, size_t to)
{
    if (i + 1 < p->n && i > 0 && plan_has_between(p, i - 1, ",") &&
        plan_is(p->w->against, p, i) && plan_is(p->w->owners, p, i + 1))
        return i + 1;
    for (size_t k = i + 1; k < to && k <= i + TOWARDS_WORDS; k++)
        if (plan_is(p->w->towards, p, k))
            return k + 1 + (k + 1 < to && plan_is(p->w->about, p, k + 1));
    return i + (i < to && plan_is(p->w->regards, p, i));
}

/* "How do A and B compare when it comes to this": is it all that is asked? */
static bool asks_to_compare(const struct planner *p, struct range r)
{
    size_t to = p->sides_at.to;

    if (!plan_has_sides(p, r) || to >= r.to || !plan_is(p->w->compares, p, to))
        return false;
    for (size_t i = r.from; i < p->sides_at.from; i++)
        if (plan_is_content(p, i) && !plan_is(p->w->compares, p, i))
            return false;
    return to + 1 >= r.to || regards_end(p, to + 1, r.to) > to + 1 ||
           plan_is(p->w->asides, p, to + 1);
}

/* Is it a list of points, and not where or how: "in a yard", "in Ghent, …",
 * "in one table"? */
static bool are_points(const struct planner *p, struct range list)
{
    size_t end = list.from;

    if (list.from >= list.to || is_manner(p, list) ||
        plan_is(p->w->articles, p, list.from))
        return false;
    while (end + 1 < list.to && !plan_is_parted(p, list, end))
        end++;
    for (size_t i = list.from; i <= end; i++)
        if (plan_is(p->w->shapes, p, i) || plan_is(p->w->forms, p, i))
            return false;
    return !(end == list.from && plan_is_name(p, end)) &&
           !(end + 1 < list.to && is_tail(p, list, end + 1));
}

/* Is it one thing, and nothing asked of it? */
static bool is_one(const struct planner *p, struct range r)
{
    for (size_t i = r.from; i < r.to; i++)
        if (plan_is(p->w->asks, p, i))
            return false;
    return join_of(p, r) == r.to;
}

/* "Compare A and B in this, that and those", "…, with regard to this and that":
 * on what sides are compared; empty: nothing is said of that. Whether one or
 * the other is good for something is no such list. */
static struct range aspects_of(const struct planner *p, struct range r)
{
    struct range none = {r.to, r.to};
    bool near = true, differ = false, ended = false;

    if (!plan_has_sides(p, r) || plan_is(p->w->helps, p, r.from))
        return none;
    for (size_t i = p->sides_at.to; i < r.to; i++) {
        struct range list = {regards_end(p, i, r.to), r.to};
        bool theirs = plan_is(p->w->owners, p, list.from);
        size_t join;

        differ = i > p->sides_at.to && plan_is(p->w->compares, p, i - 1);
        near = near && (i == p->sides_at.to || differ);
        /* "… of these with regard to this": that leads to nothing else */
        if ((!near && list.from <= i + 1 && !plan_has_between(p, i - 1, ",")) ||
            list.from == i || (ended && !theirs))
            continue;
        ended = !are_points(p, list);
        if (ended)
            continue;
        join = join_of(p, list);
        /* "… differ in this and that", not "compare them in a yard and pick
         * one" */
        if (has_commas(p, list) || theirs ||
            ((differ || list.from > i + 1) && join < list.to &&
             !plan_is_order(p, join + 1)))
            return list;
    }
    return none;
}

/* What is compared in r, ahead of on what, with what stands around the sides:
 * "the schools of A and B", "A and B for this". */
static struct range compared_in(const struct planner *p, struct range r,
                                size_t aspects)
{
    size_t from = r.from, to = p->sides_at.to;

    while (from < p->sides_at.from &&
           (!plan_is_content(p, from) || plan_is(p->w->compares, p, from)))
        from++;
    while (to < aspects && !plan_is(p->w->compares, p, to) &&
           (plan_is_content(p, to) || regards_end(p, to, p->n) != aspects))
        to++;
    return (struct range){from, to};
}

/* "How do we clean the lid, drain the tank", with more behind it: does each
 * piece between commas but the first begin with a thing or with what is done?
 */
static bool lists_more(const struct planner *p, struct range r)
{
    bool more = false;

    for (size_t i = r.from; i + 1 < r.to; i++) {
        bool thing =
            plan_is(p->w->articles, p, i + 1) && plan_is_content(p, i + 2);
        bool done = question_words[p->q->lang].doing != NULL &&
                    (may_do(p, i + 1) || plan_is(p->w->picks, p, i + 1));

        if (!plan_is_parted(p, r, i))
            continue;
        if (!thing && !done)
            return false;
        more = true;
    }
    return more && plan_is(p->w->asks, p, r.from);
}

/* "How caching works, basics of it, and smells", behind another question: is
 * each piece of a list but the first a thing without more, no "the"? */
static bool goes_on_bare(const struct planner *p, struct range r)
{
    size_t last = last_item(p, r);

    for (size_t i = r.from; i + 1 < r.to; i++)
        if ((i + 1 == last || plan_is_parted(p, r, i)) &&
            !plan_is_content(p, i + 1 + (i + 1 == last)))
            return false;
    return last < r.to;
}

/* A piece of a sentence of which begins_part found both ends; followed: by
 * another, so that commas in it part a list. */
static void add_piece(struct planner *p, struct range r, bool first,
                      bool listed, bool followed)
{
    bool ordered = (first && !listed) || orders_to_ask(p, r, r.from), bare;
    struct range one = ordered ? without_reader(p, r, without_order(p, r)) : r;
    struct range aspects = aspects_of(p, one);

    bare = plan_is(p->w->about, p, one.from + 1) ||
           plan_is(p->w->asides, p, one.from + 1);
    if ((bare || p->out->side_count > 0) &&
        plan_is(p->w->pronouns, p, one.from)) /* "compare them on" */
        one.from += 1 + bare;
    if (one.from >= one.to) {
        /* behind questions it only says who reads what answers them */
        p->of_all = p->of_all || (r.from < r.to && p->parts.n == 0);
    } else if (aspects.from < aspects.to) {
        add(&p->topics, compared_in(p, one, aspects.from));
        if (p->told == 0 && p->topics.n > 0)
            name(p, p->topics.v[p->topics.n - 1]);
        p->of_sides = p->told == 0;
        add_items(p, aspects, true);
    } else if (asks_to_compare(p, one)) {
        aspects =
            (struct range){regards_end(p, p->sides_at.to + 1, one.to), one.to};
        if (aspects.from == p->sides_at.to + 1 || !are_points(p, aspects))
            aspects.from = aspects.to;
        if (followed) /* "… differ in this, and what do they cost" */
            add(&p->parts, aspects);
        else if (is_one(p, aspects))
            p->on = aspects;
        add(&p->topics, (struct range){p->sides_at.from, one.to});
        p->of_sides = p->told == 0;
    } else if (is_choice(p, r)) {
        add(&p->topics, one);
    } else if (is_manner(p, one)) {
        return;
    } else if ((first || listed) && !plan_has_sides(p, one) &&
               ((listed && !plan_is(p->w->asks, p, one.from)) ||
                !is_compared(p, one))) {
        add_items(p, one,
                  listed || (followed && has_commas(p, one) &&
                             (!plan_is(p->w->asks, p, one.from) ||
                              lists_more(p, one))));
    } else if (!first && !plan_has_sides(p, one) && !is_compared(p, one) &&
               goes_on_bare(p, one)) {
        add_items(p, one, true);
    } else {
        add(&p->parts, one);
    }
}

/* What "and how", "and say" and the like join, and the last of a row of such:
 * "…, and its limits". */
static void add_joined(struct planner *p, struct range r, bool listed)
{
    size_t from = listed ? r.from : plan_aside_end(p, r);
    bool row = false, items = listed;

    if (plan_content_of(p, (struct range){r.from, from}) > 0)
        tell(p, (struct range){r.from, from});
    r.from = from;
    for (size_t i = r.from; i <= r.to; i++) {
        bool joined = i < r.to && plan_is(p->w->joins, p, i);
        bool last = row && joined && i + 1 < r.to &&
                    !plan_is_within(p, i - 1) &&
                    plan_has_between(p, i - 1, ",") &&
                    !has_commas(p, (struct range){from, i});

        if (i < r.to && !last && !plan_begins_part(p, r, i))
            continue;
        add_piece(p, (struct range){from, i}, from == r.from,
                  from == r.from ? listed : items, i < r.to);
        /* "Compare them on locks, what they cost, and rust": a list. */
        if (from == r.from && !joined) {
            struct range one = without_order(p, (struct range){from, i});

            items = items ||
                    (one.from < one.to && !plan_is(p->w->asks, p, one.from));
        }
        row = true;
        from = i + joined;
        from += from < r.to && plan_is(p->w->links, p, from) &&
                !plan_is(p->w->pronouns, p, from);
    }
}

/* Does a list follow on what ends with the token i: behind a colon, or behind a
 * dash where what follows is one? */
static bool is_head(const struct planner *p, struct range r, size_t i)
{
    static const char *const dashes[] = {" - ", " \xE2\x80\x93 ",
                                         " \xE2\x80\x94 "};
    struct range rest = {i + 1, r.to};

    if (i + 1 >= p->n || plan_is_within(p, i))
        return false;
    if (plan_has_between(p, i, ":"))
        return true;
    for (size_t k = 0; k < sizeof(dashes) / sizeof(*dashes); k++)
        if (mem_find(p->text + p->t[i].end, term_gap(&p->t[i], &p->t[i + 1]),
                     dashes[k]) != NULL)
            return last_item(p, rest) < rest.to || is_named_only(p, rest) ||
                   plan_is(p->w->asks, p, i + 1);
    return false;
}

/* Does a list of what is to be in a text begin at i: "…, including this and
 * that", "Cover this and that"? */
static bool is_covering(const struct planner *p, struct range r, size_t i)
{
    bool ordered = !plan_is(p->w->asks, p, r.from);

    if (!plan_is(p->w->covers, p, i) || i + 1 >= r.to || plan_is_within(p, i))
        return false;
    for (size_t k = i + 1; k + 1 < r.to; k++) /* "cover the following: …" */
        if (plan_has_between(p, k, ":") && !plan_is_within(p, k))
            return false;
    if (i == r.from)
        return true;
    return plan_is_order(p, i) ? plan_is_parted(p, r, i - 1) && ordered
                               : plan_is_parted(p, r, i - 1) || ordered;
}

static bool is_item_end(const struct planner *p, struct range r, size_t i)
{
    return plan_has_between(p, i, ";") && !plan_opens_in(p, r, i);
}

/* How many items of the writer's own list do semicolons part? */
static size_t count_marked(const struct planner *p, struct range r)
{
    size_t items = 0;

    for (size_t i = r.from; i < r.to; i++)
        items += i + 1 == r.to || is_item_end(p, r, i);
    return items;
}

/* An item of such a list is a part, whatever commas it has. Is it one? */
static bool add_marked(struct planner *p, struct range r)
{
    bool marked = count_marked(p, r) > 1;
    size_t from = r.from;

    for (size_t i = r.from; i < r.to && marked; i++) {
        struct range one = {from, i + 1};

        if (i + 1 < r.to && !is_item_end(p, r, i))
            continue;
        one.from += one.from + 1 < one.to && plan_is(p->w->joins, p, one.from);
        if (orders_to_ask(p, one, one.from))
            one = without_order(p, one);
        add_item(p, one, (struct range){0, 0});
        from = i + 1;
    }
    return marked;
}

/* What stands before the list that begins at i, and its items. */
static void add_covered(struct planner *p, struct range r, size_t i)
{
    struct range head = {r.from, i}, list = {i + 1, r.to}, asked;

    if (head.to > head.from && !plan_is_parted(p, r, i - 1) &&
        !plan_is_said(p, head.to - 1))
        head.to--; /* "a plan that covers" */
    if (plan_is(p->w->asides, p, list.from) ||
        plan_is(p->w->about, p, list.from))
        list.from++;
    asked = without_order(p, head); /* "write up how it works, including …" */
    if ((head.from < head.to && plan_is(p->w->asks, p, head.from)) ||
        (asked.from < asked.to && plan_is(p->w->asks, p, asked.from))) {
        add_joined(p, head, false);
    } else if (p->parts.n > 0 && asked.from < asked.to &&
               has_commas(p, asked)) {
        add_joined(p, asked, true); /* "…? Give us the costs, the limits and
                                       the pitfalls, including rust" */
    } else if (head.from < head.to) {
        head = asked;
        p->of_all = p->of_all || head.from >= head.to;
        add(&p->topics, head);
        if (p->told == 0)
            name(p, head);
    }
    if (!add_marked(p, list))
        add_joined(p, list, true);
}

/* Is it one thing, of which nothing is asked? */
static bool is_topic(const struct planner *p, struct range r)
{
    return !plan_is(p->w->asks, p, r.from) && !plan_is_order(p, r.from) &&
           !has_commas(p, r) && join_of(p, r) == r.to;
}

/* "Topic: this, that and those" or "A, B or C: which …". What only names a
 * text has no topic: "Briefing: …". */
static void add_asking(struct planner *p, struct range r, bool listed)
{
    struct range list = list_in(p, r);

    for (size_t i = r.from; i + 1 < r.to; i++) {
        struct range head = {r.from, i + 1}, rest = {i + 1, r.to};

        if (is_covering(p, r, i)) {
            add_covered(p, r, i);
            return;
        }
        /* What is asked of sides may stand in brackets behind them. */
        if (!is_head(p, r, i) &&
            (i + 1 != list.from || list.to != r.to || !plan_has_sides(p, head)))
            continue;
        head =
            without_label(p, without_reader(p, head, without_order(p, head)));
        if (plan_is(p->w->pronouns, p, head.from))
            p->told++; /* "It must be short:" */
        add(&p->topics, head);
        if (head.from >= head.to && is_topic(p, rest)) {
            tell(p, rest);
            name(p, rest);
        } else if (!add_marked(p, rest)) {
            if (plan_is(p->w->against, p, rest.from) &&
                plan_is(p->w->articles, p, rest.from + 1))
                rest.from++; /* "- with the filters, …" */
            add_asking(p, rest, true);
        }
        if (!plan_is(p->w->series, p, head.from))
            name(p, head);
        return;
    }
    add_joined(p, r, listed);
}

int plan_asking_of(const struct planner *p, struct range r)
{
    size_t lead = lead_end(p, r);
    size_t wish = wish_end(p, r.from, r.to);
    bool listed = false;

    if (lead > r.from || is_asking(p, r) || is_covering(p, r, r.from) ||
        without_form(p, r).from > r.from)
        return 2;
    for (size_t i = r.from; i + 1 < r.to; i++) {
        bool head = is_head(p, r, i);
        struct range said = without_label(p, (struct range){r.from, i + 1});

        if (head && (said.from >= said.to || plan_is(p->w->series, p, r.from)))
            return 2;
        if ((head && plan_is(p->w->asks, p, i + 1)) ||
            (plan_is_parted(p, r, i) && orders_to_ask(p, r, i + 1)))
            return 2;
        if (wish > r.from && (head || is_covering(p, r, i)))
            return 2;
        listed = listed || head;
    }
    return listed || wish > r.from;
}

/* Does a part ask for something of each thing that was told, and for little
 * else: "the cause of each", "which of these can explain it"? */
static bool is_of_every(const struct planner *p, struct range r)
{
    bool every = false;

    for (size_t i = r.from; i < r.to; i++) {
        bool last = i + 1 == r.to;

        every =
            every ||
            (plan_is(p->w->every, p, i) &&
             (last || plan_is(p->w->about, p, i + 1))) ||
            (i > r.from + 1 && plan_is(p->w->points, p, i) &&
             plan_is(p->w->about, p, i - 1) && plan_is(p->w->asks, p, i - 2) &&
             (last || !plan_is_content(p, i + 1)));
    }
    return every && plan_content_of(p, r) <= EVERY_WORDS;
}

/* "Which gates decide it", "what do visitors see with each": is "each" of what
 * the part before asks for? */
static bool is_of_asked(const struct planner *p, struct range before,
                        struct range r)
{
    bool each = false;

    for (size_t i = r.from; i < r.to; i++)
        each = each || plan_is(p->w->every, p, i);
    return each && plan_is(p->w->asks, p, before.from) &&
           plan_is_content(p, before.from + 1);
}

/* "What has happened": does it ask for no more than that? */
static bool is_of_all_told(const struct planner *p, struct range r)
{
    bool asks = plan_is(p->w->asks, p, r.from);

    for (size_t i = r.from; i < r.to && asks; i++)
        asks = !plan_is_content(p, i) || plan_is(p->w->happens, p, i);
    return asks && plan_content_of(p, r) > 0;
}

/* Has each part words enough to tell something, "the belt slips"? */
static bool are_told(const struct parts *l, size_t least)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].to - l->v[i].from < least)
            return false;
    return l->n > 1;
}

/* What a topic lists behind a colon; false: nothing that tells something. */
static bool list_behind(struct planner *p, struct range r, size_t least)
{
    for (size_t i = r.from; i + 1 < r.to; i++) {
        struct range list = {i + 1, r.to};

        if (!plan_has_between(p, i, ":") || plan_is_within(p, i) ||
            !has_commas(p, list))
            continue;
        p->parts.n = 0;
        add_items(p, list, true);
        if (are_told(&p->parts, least))
            return true;
        p->parts.n = 0;
        return false;
    }
    return false;
}

/* What the topics list behind a colon, the last of them also in few words; or,
 * where each is asked about, what each of several tells but, of more than two,
 * the first, which says where that is. */
static void list_told(struct planner *p, bool each)
{
    size_t n = p->topics.n;

    for (size_t k = n; k > 0; k--)
        if (list_behind(p, p->topics.v[k - 1], k == n ? TOLD_LEAST : TOLD_LONG))
            return;
    for (size_t k = n > 2; k < n && each; k++)
        if (n > 1 && plan_content_of(p, p->topics.v[k]) > ITEM_WORDS)
            add(&p->parts, p->topics.v[k]);
}

void plan_every_add(struct planner *p)
{
    struct parts asked = p->parts, others = {.n = 0};
    bool each = false;

    for (size_t i = 0; i < asked.n; i++) {
        bool every = is_of_every(p, asked.v[i]) &&
                     !(i > 0 && is_of_asked(p, asked.v[i - 1], asked.v[i]));

        each = each || every;
        if (!every && !is_of_all_told(p, asked.v[i]))
            add_with(&others, asked.v[i], asked.tail[i]);
    }
    if (others.n == asked.n || p->told == 0 || p->out->side_count > 0)
        return;
    p->parts.n = 0;
    list_told(p, each);
    if (p->parts.n < 2) {
        p->parts = asked;
        return;
    }
    if (p->parts.n + others.n > PLAN_PARTS_MAX)
        p->parts.n = PLAN_PARTS_MAX - others.n;
    p->every = p->parts.n;
    for (size_t i = 0; i < others.n; i++)
        add_with(&p->parts, others.v[i], others.tail[i]);
}

static bool has_question(const struct planner *p, struct range r)
{
    for (size_t i = r.from; i < r.to; i++)
        if (plan_is(p->w->asks, p, i))
            return true;
    return p->text[p->t[r.to - 1].end] == '?';
}

/* "Skip the basics", "No tables", "I don't want tables", "please don't explain
 * it": does it only say what is not asked? */
bool plan_is_declined(const struct planner *p, struct range r)
{
    size_t i = r.from;
    bool said = false; /* by a person, or politely */

    if (has_question(p, r))
        return false;
    for (; i + 1 < r.to && plan_is(p->w->polite, p, i); i++)
        said = true;
    if (plan_is(p->w->declines, p, i) ||
        (plan_is(p->w->denies, p, i) && r.to - i <= SHORT_WORDS))
        return true;
    said = said || plan_is(p->w->persons, p, i);
    for (size_t k = i; said && k + 1 < r.to && k <= i + DECLINE_WORDS; k++)
        if (plan_is(p->w->denies, p, k) &&
            (plan_is(p->w->wants, p, k + 1) || plan_is_order(p, k + 1)))
            return true;
    return false;
}

/* "The report is for our board": does it speak of what is to be written? */
static bool is_of_product(const struct planner *p, struct range r)
{
    return r.to - r.from > 2 && plan_is(p->w->articles, p, r.from) &&
           plan_is(p->w->products, p, r.from + 1) &&
           plan_is(p->w->helps, p, r.from + 2);
}

/* "A table would be nice.", behind what asks: does it only say what the text is
 * to look like? */
static bool is_of_shape(const struct planner *p, struct range r)
{
    bool shape = false, taste = false;

    if (p->parts.n == 0 || r.to - r.from > WISH_LONG)
        return false;
    for (size_t i = r.from; i < r.to; i++) {
        if (plan_is(p->w->persons, p, i) || plan_is(p->w->pronouns, p, i))
            return false;
        shape = shape || plan_is(p->w->shapes, p, i) ||
                plan_is(p->w->forms, p, i) || plan_is(p->w->products, p, i);
        taste = taste || plan_is(p->w->tastes, p, i);
    }
    return shape && taste;
}

/* "I care most about locks, rust, and smells.", behind what asks: what is
 * wished for; empty: no list is. */
static struct range wished_in(const struct planner *p, struct range r)
{
    struct range none = {r.to, r.to}, list = none;
    size_t wish = wish_end(p, r.from, r.to);

    if (wish == r.from || (p->parts.n == 0 && p->out->side_count == 0))
        return none;
    for (size_t i = wish; i + 1 < r.to && i <= wish + WISH_WORDS; i++)
        if (list.from == r.to && !plan_is(p->w->onto, p, i) &&
            (plan_is(p->w->about, p, i) || plan_is(p->w->asides, p, i)))
            list.from = i + 1;
    return has_commas(p, list) && is_named_only(p, list) ? list : none;
}

/* Behind "in particular", "especially" or "criteria are". */
static struct range without_lead(const struct planner *p, struct range r)
{
    size_t i = r.from;

    if (plan_is(p->w->adds, p, i))
        i++;
    else if ((plan_is(p->w->asides, p, i) && is_label(p, i + 1)) ||
             (is_label(p, i) && plan_is(p->w->helps, p, i + 1)))
        i += 2;
    return (struct range){i, r.to};
}

void plan_sentence_add(struct planner *p, struct range r, int asking)
{
    bool asks = plan_asking_of(p, r) == asking;
    struct range wished = wished_in(p, r);
    struct range more = without_lead(p, r);

    while (r.to > r.from + 1 && plan_is(p->w->polite, p, r.to - 1))
        r.to--;
    if (asks) {
        size_t wish = wish_end(p, r.from, r.to);
        bool listed = wish > r.from && lists_questions(p, wish, r.to);

        r.from = asking > 1 ? lead_end(p, r) : wish;
        add_asking(p, r, listed && r.from == wish);
    } else if (wished.from < wished.to) {
        add_joined(p, wished, true);
    } else if ((p->parts.n > 0 || p->out->side_count > 0) &&
               ((p->marked && count_marked(p, r) > 1) ||
                is_named_only(p, more))) {
        if (!add_marked(p, r))
            add_joined(p, more, true);
    } else if (!is_of_product(p, r) && !is_of_shape(p, r)) {
        tell(p, r);
    }
}
