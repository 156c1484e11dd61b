/*
 * A report put together; see compose.h. First the sentences of the table are
 * picked (pick.c), then what each part says is chosen (choose.c) and the
 * paragraph among it that the report opens with; then all is said in reading
 * order.
 */
#include "research/compose.h"

#include "answer/answer_model.h"
#include "answer/label.h"
#include "base/str.h"
#include "lang/words.h"
#include "question/evidence.h"
#include "question/overlap.h"
#include "research/bearing.h"
#include "research/choose.h"
#include "research/pick.h"
#include "research/ranking.h"
#include "text/passage.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAID_MAX = 4000,
    MODEL_SENTENCES = 5, /* of a part */
    TITLE_BYTES = 200,
    TITLE_NAMES_BYTES = 60,
    LABEL_BYTES_MAX = 24, /* of what stands before a note */
    SHORT_WORDS = 150,    /* of a report without sections */
    OPENING_WORDS = 20    /* of what one opens with, at least */
};

/* Of what a report opens with: its topic counts besides this; how much it
 * counts how near it is in meaning. */
static const double TOPIC_LEAST = 0.5, NEAR = 4;
/* … and how much that it says what a name is; from when on it does. */
static const double DEFINES = 3;
static const double DEFINES_LEAST = 0.8;
/* … of what says it best. */
static const double DEFINES_BEST = 0.4;
static const double OPENING_COVER = 0.4; /* of the question, at least */
/* How much of what a part's title says one place must, so that the report
 * tells of it, wherever that stands. */
static const double TOLD_LEAST = 0.5;

/* A row of the table: what it is about, and a sentence of each side. */
struct row {
    const char *title;
    struct pick cells[PLAN_SIDES_MAX];
    bool whole; /* each side has one */
};

struct table {
    struct row rows[PLAN_SUBS_MAX]; /* by the row's first sub-question */
    size_t count;                   /* of those that are whole */
};

struct composer {
    struct run *r;
    struct arena *a;
    struct errctx *ec;
    struct candidate *c; /* of the evidence's rows */
    struct choices x;
    enum bearing bearing; /* of what is chosen */
    struct table table;
    struct choice *opening; /* what all begins with; NULL: nothing does */
    struct render out;
    struct composed *res;
    struct deadline until;               /* of a model */
    struct query names[ABOUT_NAMES_MAX]; /* that hosts are about, to define */
    size_t name_count;
};

static const char *said(const struct composer *w, enum phrase p)
{
    return phrase(w->r->query.lang, p);
}

/* Words of the question, which may hold signs that Markdown would take for
 * its own, or a number that looks like a source's. */
static const char *plain(const struct composer *w, const char *z)
{
    const char *out = label_escaped(z, w->a);

    return out == NULL ? "" : out;
}

/* --- units --------------------------------------------------------------- */

static enum err block_said(struct composer *w, const struct run_block *b,
                           bool goes_with, struct said *out)
{
    const char *text = w->r->evidence[b->row].text;

    *out = (struct said){.from = &w->c[b->row],
                         .text = arena_strndup(w->a, text + b->start, b->len),
                         .start = b->start,
                         .len = b->len,
                         .form = said_form_of(b->kind),
                         .number = b->number,
                         .goes_with = goes_with};
    return out->text == NULL ? ERR_NOMEM : ERR_OK;
}

static bool is_item(const struct run_block *b)
{
    return b->kind == 'i' || b->kind == 'j';
}

/* A list of one item is none, unless it is announced: the only item of a unit;
 * NULL: there are others, or none. */
static struct said *only_item(const struct choice *c, size_t count,
                              struct said *v)
{
    struct said *only = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!is_item(&c->blocks[i]))
            continue;
        if (only != NULL || (i > 0 && v[i - 1].form == SAID_BLOCK &&
                             !sentence_is_closed(v[i - 1].text, v[i - 1].len)))
            return NULL;
        only = &v[i];
    }
    return only;
}

/* alone: no item of its section stands beside it. */
static enum err unit_say(struct composer *w, const struct choice *c, bool alone)
{
    size_t count = c->count - choices_ends_with_name(w->r, c), held = 0;
    struct said *v = arena_array(w->a, c->count, sizeof(*v));
    enum err e = v == NULL ? ERR_NOMEM : ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < count; i++)
        e = block_said(w, &c->blocks[i], i > 0, &v[i]);
    if (e == ERR_OK) {
        struct said *only = alone ? only_item(c, count, v) : NULL;

        if (only != NULL)
            only->form = SAID_BLOCK;
        render_break(&w->out);
        e = render_said(&w->out, v, count, &held);
    }
    w->res->units += held > 0;
    w->res->verified.held += held;
    w->res->verified.dropped += count - held;
    return e;
}

/* --- a model ------------------------------------------------------------- */

/* What a model makes of the part's evidence, in front of what the pages say;
 * nothing where there is none or nothing it wrote holds. */
static enum err model_say(struct composer *w, size_t sub)
{
    struct answer_draft d = {.sentences = NULL};
    struct run *r = w->r;
    struct ranked *v = NULL;
    struct query q;
    size_t count = 0, held = 0;
    enum err e;

    if (r->env->model == NULL)
        return ERR_OK;
    e = query_parse(r->plan.subs[sub].question, w->a, &q);
    if (e == ERR_OK)
        e = overlap_weigh(&q, r->env->index, w->ec);
    if (e == ERR_OK)
        e = ranking_of_evidence(r, (int64_t)sub, &q, w->a, &v, &count, w->ec);
    if (e != ERR_OK || count == 0)
        return e;
    e = answer_model(r->env->model, &q, v, count, MODEL_SENTENCES, w->until,
                     r->lease->task.id, w->a, &d);
    if (e != ERR_OK)
        return e == ERR_NO_RESULT ? ERR_OK : e;
    render_break(&w->out);
    e = render_draft(&w->out, &d, v, &held);
    w->res->units += held;
    verify_tally_add(&w->res->verified, &d.verified);
    return e;
}

/* --- sections ------------------------------------------------------------ */

static int by_place(const void *x, const void *y)
{
    const struct choice *a = *(const struct choice *const *)x;
    const struct choice *b = *(const struct choice *const *)y;

    if (a->merit > b->merit || a->merit < b->merit)
        return a->merit > b->merit ? -1 : 1;
    if (a->page != b->page)
        return a->page < b->page ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* In front the first page that begins with words that stand by themselves. */
static void prose_first(struct choice **v, size_t n)
{
    size_t from = 0, page;

    while (from < n && (v[from]->blocks->kind != 'p' || v[from]->leans ||
                        (from > 0 && v[from - 1]->page == v[from]->page)))
        from++;
    page = from < n ? v[from]->page : 0;
    for (size_t at = 0; from + at < n && v[from + at]->page == page; at++) {
        struct choice *c = v[from + at];

        memmove(&v[at + 1], &v[at], from * sizeof(*v));
        v[at] = c;
    }
}

/* Of each unit, the best that is chosen of its page; none is better than what
 * answers the part. */
static void merit_read(struct choice *const *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        v[i]->merit = 0;
        for (size_t k = 0; k < n; k++)
            if (v[k]->page == v[i]->page)
                v[i]->merit = fmax(
                    v[i]->merit, v[k]->answers ? INFINITY : choose_merit(v[k]));
    }
}

/* In front what answers the part, unless only prose is ahead of it in its page
 * and it leans or is amid a section; but even then where what would begin the
 * section leans itself, amid one. false: nothing answers it. */
static bool answer_first(struct choice **v, size_t n)
{
    struct choice *c;
    bool prose = true;
    size_t at = 0;

    for (; at < n && !v[at]->answers; at++)
        prose = prose && v[at]->blocks->kind == 'p';
    if (at == n)
        return false;
    c = v[at];
    if (!prose || (c->leads > 0 && !c->leans) ||
        (v[0]->leads == 0 && v[0]->leans)) {
        memmove(&v[1], v, at * sizeof(*v));
        v[0] = c;
    }
    return true;
}

/* The chosen units of a sub-question in reading order: pages by the best that
 * they say of it, each from its beginning. */
static size_t units_of(struct composer *w, size_t sub, struct choice **v)
{
    size_t n = 0;

    for (size_t i = 0; i < w->x.count; i++)
        if (w->x.v[i].chosen && w->x.v[i].unit->sub == sub)
            v[n++] = &w->x.v[i];
    merit_read(v, n);
    if (n > 1)
        qsort(v, n, sizeof(*v), by_place);
    if (n > 0 && !answer_first(v, n))
        prose_first(v, n);
    return n;
}

/* Do places of other pages stand under the same? It is no name, then. */
static bool is_common(const struct run *r, const char *heading, const char *url)
{
    for (size_t i = 0; i < r->evidence_count; i++)
        if (strcmp(label_name(r->evidence[i].heading), heading) == 0 &&
            strcmp(r->evidence[i].url, url) != 0)
            return true;
    return false;
}

/* What a unit stands under in its page, with the page's title where other
 * pages have that heading, too; below another page's words, or a label, what
 * has no heading stands under its page's title. NULL where it says nothing new.
 */
static const char *label_of(const struct composer *w, const struct choice *c,
                            const char *before, bool below)
{
    const struct evidence *ev = &w->r->evidence[c->blocks->row];
    const char *z = label_name(ev->heading);
    struct str title = page_title(ev->title);

    if (*z == '\0' && below) {
        z = arena_strndup(w->a, title.p, title.n);
        z = z == NULL ? NULL : label_name(z);
    } else if (*z != '\0' && is_common(w->r, z, ev->url) &&
               strcmp(z, label_name(ev->title)) != 0)
        z = arena_printf(w->a, "%.*s: %s", (int)title.n, title.p, z);
    return z == NULL || strcmp(z, before) == 0 || !label_may_be_said(z) ? NULL
                                                                        : z;
}

/* What was said last: a section's title or a label, and whose unit. */
struct under {
    const char *label;
    bool is_label;
    size_t page; /* 0: none yet in this section */
};

/* A unit, under what it stands under in its page. */
static enum err unit_say_under(struct composer *w, const struct choice *c,
                               bool alone, struct under *under)
{
    size_t before = w->out.text.len, units = w->res->units;
    const char *z = label_of(w, c, under->label,
                             under->is_label ||
                                 (under->page != 0 && under->page != c->page));
    enum err e = z == NULL ? ERR_OK : render_label(&w->out, z);

    if (e == ERR_OK)
        e = unit_say(w, c, alone);
    if (w->res->units == units) {
        buf_cut(&w->out.text, before);
        return e;
    }
    if (z != NULL)
        *under = (struct under){z, true, 0};
    under->page = c->page;
    return e;
}

/* Do items of a section of a page follow each other there? */
static bool are_listed(const struct run *r, const struct choice *a,
                       const struct choice *b)
{
    return a->page == b->page && is_item(&a->blocks[a->count - 1]) &&
           is_item(b->blocks) &&
           strcmp(r->evidence[a->blocks->row].heading,
                  r->evidence[b->blocks->row].heading) == 0;
}

static bool is_alone_in(const struct run *r, struct choice *const *v, size_t n,
                        size_t i)
{
    return (i == 0 || !are_listed(r, v[i - 1], v[i])) &&
           (i + 1 == n || !are_listed(r, v[i], v[i + 1]));
}

/* Which pages' units of a part are said. */
enum pages { ALL_PAGES, FIRST_PAGE, OTHER_PAGES };

/* Units under a heading that is said when the first of them is. */
static enum err units_say(struct composer *w, const char *title, size_t sub,
                          enum pages pages)
{
    struct choice **v = arena_array(w->a, w->x.count + 1, sizeof(*v));
    size_t n = v == NULL ? 0 : units_of(w, sub, v), before, units;
    struct under under = {title == NULL ? "" : title, false, 0};
    enum err e = v == NULL ? ERR_NOMEM : ERR_OK;

    before = w->out.text.len;
    units = w->res->units;
    if (title != NULL)
        render_heading(&w->out, title);
    if (e == ERR_OK && pages != OTHER_PAGES)
        e = model_say(w, sub);
    for (size_t i = 0; e == ERR_OK && i < n; i++)
        if (pages == ALL_PAGES ||
            (pages == FIRST_PAGE) == (v[i]->page == v[0]->page))
            e = unit_say_under(w, v[i], is_alone_in(w->r, v, n, i), &under);
    if (e == ERR_OK && w->res->units == units)
        buf_cut(&w->out.text, before);
    else
        w->res->sections += title != NULL;
    return e;
}

/* What a part says of one side stands below its name. */
static enum err side_say(struct composer *w, size_t sub)
{
    const struct plan *p = &w->r->plan;
    size_t before = w->out.text.len, units = w->res->units;
    enum err e;

    if (p->subs[sub].side < p->side_count)
        render_words(&w->out,
                     arena_printf(w->a, "**%s**",
                                  plain(w, p->sides[p->subs[sub].side])));
    e = units_say(w, NULL, sub, ALL_PAGES);
    if (e == ERR_OK && w->res->units == units)
        buf_cut(&w->out.text, before);
    return e;
}

static enum err section_say(struct composer *w, size_t from, size_t to)
{
    const struct plan *p = &w->r->plan;
    const char *title = *p->subs[from].title == '\0'
                            ? said(w, PHRASE_OVERVIEW)
                            : plain(w, p->subs[from].title);
    size_t before = w->out.text.len, units = w->res->units;
    enum err e = ERR_OK;

    if (to - from == 1)
        return units_say(w, title, from, ALL_PAGES);
    render_heading(&w->out, title);
    for (size_t i = from; e == ERR_OK && i < to; i++)
        e = side_say(w, i);
    if (e == ERR_OK && w->res->units == units)
        buf_cut(&w->out.text, before);
    else
        w->res->sections++;
    return e;
}

/* Is the part of compared sides together? */
static bool is_together(const struct composer *w, size_t sub)
{
    const struct plan *p = &w->r->plan;

    return p->side_count > 0 &&
           strcmp(p->subs[sub].title, said(w, PHRASE_COMPARED)) == 0;
}

static enum err sections_say(struct composer *w)
{
    const struct plan *p = &w->r->plan;
    enum err e = ERR_OK;

    if (p->count == 1) {
        e = units_say(w, said(w, PHRASE_OVERVIEW), 0, FIRST_PAGE);
        return e == ERR_OK
                   ? units_say(w, said(w, PHRASE_DETAILS), 0, OTHER_PAGES)
                   : e;
    }
    /* What is said of sides together comes before what is said of each. */
    for (int each = 0; each < 2; each++)
        for (size_t i = 0, to; e == ERR_OK && i < p->count; i = to) {
            to = plan_section_end(p, i);
            if (is_together(w, i) == (each == 0))
                e = section_say(w, i, to);
        }
    return e;
}

/* --- opening and table ------------------------------------------------------
 */

static enum err pick_say(struct composer *w, const struct pick *p, size_t *held)
{
    const char *text = w->r->evidence[p->row].text + p->start;
    struct said *v = arena_array(w->a, 1, sizeof(*v));

    if (v == NULL)
        return ERR_NOMEM;
    *v = (struct said){.from = &w->c[p->row],
                       .text = arena_strndup(w->a, text, p->len),
                       .start = p->start,
                       .len = p->len,
                       .form = SAID_SENTENCE};
    return v->text == NULL ? ERR_NOMEM : render_said(&w->out, v, 1, held);
}

/* Where a paragraph's first sentence ends, about. */
static size_t first_sentence(const char *z, size_t n)
{
    const char *end = memmem(z, n, ". ", 2);

    return end == NULL ? n : (size_t)(end - z);
}

/* "Note: …", "Changed in version 3.4: …": words of a label, and what it is set
 * before. */
static bool is_labelled(const char *z, size_t n)
{
    const char *colon =
        memmem(z, n < LABEL_BYTES_MAX ? n : LABEL_BYTES_MAX, ": ", 2);

    return colon != NULL && memchr(z, '.', (size_t)(colon - z)) == NULL;
}

/* Has it a sentence about the text it stands in: "This chapter shows …"? */
static bool presents_itself(const struct composer *w, const char *z, size_t n)
{
    struct span *s = NULL;
    size_t count = 0;

    if (sentences_split(z, n, w->a, &s, &count) != ERR_OK)
        return false;
    for (size_t i = 0; i < count; i++)
        if (choices_leans(w->r, z + s[i].start, s[i].len) &&
            choices_is_of_itself(w->r, z + s[i].start, s[i].len))
            return true;
    return false;
}

/* Is it prose that says what something is: no step, no condition, no note,
 * nothing that leans on another place? */
static bool is_statement(const struct composer *w, const struct choice *c)
{
    const struct run_block *last = &c->blocks[c->count - 1];
    const char *z = w->r->evidence[c->blocks->row].text + c->blocks->start;
    const char *end = w->r->evidence[last->row].text + last->start;

    for (size_t i = 0; i < c->count; i++)
        if (c->blocks[i].kind != 'p' ||
            presents_itself(
                w, w->r->evidence[c->blocks[i].row].text + c->blocks[i].start,
                c->blocks[i].len))
            return false;
    return !c->leans && !is_labelled(z, c->blocks->len) &&
           !choices_is_of_itself(w->r, z, first_sentence(z, c->blocks->len)) &&
           !choices_asks(w->r, z, c->blocks->len) &&
           sentence_is_closed(end, last->len);
}

/* Is there nothing else to say of its part, which is not that of the sides
 * together? */
static bool is_alone(const struct composer *w, const struct choice *c)
{
    if (is_together(w, c->unit->sub))
        return false;
    for (size_t i = 0; i < w->x.count; i++) {
        const struct choice *o = &w->x.v[i];

        if (o != c && o->chosen && o->unit->sub == c->unit->sub)
            return false;
    }
    return true;
}

/* How well its first sentence says what one of the names is. */
static double defines(const struct composer *w, const struct choice *c)
{
    const struct run_block *b = c->blocks;
    const char *z = w->r->evidence[b->row].text + b->start;
    double most = 0;

    for (size_t i = 0; i < w->name_count; i++)
        most =
            fmax(most, evidence_of(&w->names[i], z, first_sentence(z, b->len)));
    return most;
}

/* Is it told of one of compared sides? */
static bool is_of_side(const struct composer *w, const struct choice *c)
{
    const struct plan *p = &w->r->plan;

    return !p->is_named && p->subs[c->unit->sub].side < p->side_count;
}

static bool is_repeated(const struct composer *w, const struct choice *c)
{
    for (size_t i = 0; i < c->line_count; i++)
        if (choices_is_said(&w->x, c->lines[i]))
            return true;
    return false;
}

/* The chosen one that stands at the same place of its page, or c itself. */
static struct choice *chosen_at(struct composer *w, struct choice *c)
{
    for (size_t i = 0; i < w->x.count; i++) {
        struct choice *o = &w->x.v[i];

        if (o->chosen && o->page == c->page && o->place == c->place)
            return o;
    }
    return c;
}

/* Does it say well enough what the report's name is? */
static bool is_definition(const struct composer *w, const struct choice *c)
{
    return c->leads == 3 && !c->twice && !c->leans &&
           c->words >= OPENING_WORDS && defines(w, c) >= DEFINES_BEST;
}

/* Of a report about one name the paragraph that says what that is; it need not
 * have been chosen. */
static enum err definition_take(struct composer *w, struct choice **out)
{
    enum err e = ERR_OK;

    *out = NULL;
    for (size_t i = 0;
         i < w->x.count && w->name_count == 1 && *out == NULL && e == ERR_OK;
         i++) {
        struct choice *c = &w->x.v[i];

        if (!is_definition(w, c))
            continue;
        c = chosen_at(w, c);
        if (c->left || (!c->chosen && is_repeated(w, c)))
            continue;
        for (size_t k = 0; !c->chosen && e == ERR_OK && k < c->line_count; k++)
            e = choices_say(&w->x, c->lines[k]);
        c->chosen = false;
        *out = c;
    }
    return e;
}

/* Does its page answer one of the parts? */
static bool is_of_answers(const struct composer *w, const struct choice *c)
{
    for (size_t i = 0; i < w->x.count; i++)
        if (w->x.v[i].answers && w->x.v[i].page == c->page)
            return true;
    return false;
}

/* Does it begin its page? Any other one is taken out of something. What says
 * what a name is opens a report only where that is asked; of several parts,
 * what answers one begins that, and a page that answers none is about another
 * thing.
 */
static bool may_open(const struct composer *w, const struct choice *c)
{
    if (w->r->plan.count > 1 && !is_together(w, c->unit->sub) &&
        (c->answers || !is_of_answers(w, c)))
        return false;
    return c->leads == 2 || (c->leads == 3 && w->name_count > 0);
}

/* The paragraph of those chosen that says best what the report is about; it
 * leaves its section. NULL: none speaks enough of what is asked. */
static struct choice *opening_take(struct composer *w)
{
    struct choice *best = NULL;
    double most = 0;

    for (size_t i = 0; i < w->x.count; i++) {
        struct choice *c = &w->x.v[i];
        /* An overview is a short page, of which little speaks of anything. */
        double v = c->cover * sqrt(c->about) * (TOPIC_LEAST + c->topic) *
                   exp(NEAR * c->near) * (1 + DEFINES * defines(w, c));

        if (c->chosen && !c->left && v > most && may_open(w, c) &&
            c->words >= OPENING_WORDS && is_statement(w, c) &&
            w->x.bridge[c->unit->sub] == NULL && !is_alone(w, c) &&
            (!is_of_side(w, c) || defines(w, c) >= DEFINES_LEAST)) {
            best = c;
            most = v;
        }
    }
    if (best == NULL || best->cover < OPENING_COVER)
        return NULL;
    best->chosen = false;
    return best;
}

/* "What it costs": of what it is asked, only its question says. */
static bool refers(const struct plan_sub *s)
{
    return strcmp(s->own, s->question) != 0;
}

/* The sub-questions of the sides from `from` on; false: they are not all. */
static bool sides_from(const struct plan *p, size_t from)
{
    for (size_t i = 0; i < p->side_count; i++)
        if (from + i >= p->count || p->subs[from + i].side != i)
            return false;
    return p->side_count > 1 && !p->is_named;
}

/* The sentences of a row, of which every side must have one; beside other rows
 * one that says what the sides are does so of each. */
static enum err row_pick(struct composer *w, size_t from, bool own,
                         struct row *row)
{
    size_t said = w->x.said_count;
    enum err e = ERR_OK;

    row->whole = true;
    for (size_t i = 0; e == ERR_OK && row->whole && i < w->r->plan.side_count;
         i++) {
        e = pick_sentence(w->r, &w->x, from + i, w->a, &row->cells[i],
                          &row->whole, w->ec);
        row->whole = row->whole && (!own || w->table.count == 0 ||
                                    row->cells[i].defines >= DEFINES_LEAST);
    }
    /* What was picked for a row that is not whole may be said elsewhere. */
    if (!row->whole)
        w->x.said_count = said;
    for (size_t i = 0; e == ERR_OK && row->whole && i < w->r->plan.side_count;
         i++)
        pick_leave(&row->cells[i]);
    return e;
}

/* A row for each part that is asked of every side, then of the sides
 * themselves, which do with what is left. */
static enum err table_pick(struct composer *w)
{
    const struct plan *p = &w->r->plan;
    struct table *t = &w->table;
    enum err e = ERR_OK;

    memset(t, 0, sizeof(*t));
    for (int own = 0; own < 2; own++)
        for (size_t i = 0; e == ERR_OK && i < p->count; i++) {
            struct row *row = &t->rows[i];
            bool titled = i + 1 < p->count &&
                          strcmp(p->subs[i].title, p->subs[i + 1].title) == 0;

            if (!sides_from(p, i) || titled != (own == 0) ||
                refers(&p->subs[i]))
                continue;
            row->title = titled ? p->subs[i].title : said(w, PHRASE_OVERVIEW);
            e = row_pick(w, i, !titled, row);
            t->count += row->whole;
        }
    return e;
}

/* A sentence as a cell: rendered through the gate, then taken to its row. */
static enum err cell_say(struct composer *w, const struct pick *p,
                         struct buf *b)
{
    size_t before = w->out.text.len, held = 0;
    const char *z;
    enum err e;

    render_break(&w->out);
    e = pick_say(w, p, &held);
    z = buf_str(&w->out.text) + before;
    buf_addf(b, " %s |", z + strspn(z, "\n"));
    buf_cut(&w->out.text, before);
    return e;
}

static enum err table_say(struct composer *w, const struct table *t)
{
    const struct plan *p = &w->r->plan;
    struct buf b;
    enum err e = ERR_OK;

    if (t->count == 0)
        return ERR_OK;
    buf_init(&b, 1 << 20);
    buf_adds(&b, "\n\n|  |");
    for (size_t i = 0; i < p->side_count; i++)
        buf_addf(&b, " %s |", plain(w, p->sides[i]));
    buf_adds(&b, "\n|---|");
    for (size_t i = 0; i < p->side_count; i++)
        buf_adds(&b, "---|");
    for (size_t i = 0; e == ERR_OK && i < p->count; i++) {
        if (!t->rows[i].whole)
            continue;
        buf_addf(&b, "\n| %s |", plain(w, t->rows[i].title));
        for (size_t k = 0; e == ERR_OK && k < p->side_count; k++)
            e = cell_say(w, &t->rows[i].cells[k], &b);
    }
    if (e == ERR_OK)
        e = buf_err(&b);
    if (e == ERR_OK)
        buf_adds(&w->out.text, buf_str(&b));
    buf_fini(&b);
    render_break(&w->out);
    return e;
}

/* --- the whole ----------------------------------------------------------- */

/* Is the part told in the table? Those of a row's sides follow each other. */
static bool is_tabled(const struct composer *w, size_t sub)
{
    for (size_t i = 0; i <= sub && i < w->r->plan.side_count; i++)
        if (w->table.rows[sub - i].whole)
            return true;
    return false;
}

/* Is anything said of it, in the table or under its own heading, or what the
 * report opens with? */
static bool is_found(const struct composer *w, size_t sub)
{
    if (is_tabled(w, sub))
        return true;
    for (size_t i = 0; i < w->x.count; i++)
        if (w->x.v[i].unit->sub == sub &&
            (w->x.v[i].chosen || &w->x.v[i] == w->opening))
            return true;
    return false;
}

/* The terms of q that the unit holds or stands under. */
static uint64_t held_by(const struct composer *w, const struct choice *c,
                        const struct query *q)
{
    const char *over = w->r->evidence[c->blocks->row].heading;
    uint64_t held = overlap_mask_loose(q, over, strlen(over));

    for (size_t i = 0; i < c->count; i++)
        held |= overlap_mask_loose(
            q, w->r->evidence[c->blocks[i].row].text + c->blocks[i].start,
            c->blocks[i].len);
    return held;
}

/* Does a place that is said of the same side say what the part's title does,
 * but for the names that hosts are about and the words that only ask? */
static enum err is_told(const struct composer *w, size_t sub, bool *out)
{
    const struct plan *p = &w->r->plan;
    double all = 0, most = 0;
    uint64_t asked = 0;
    struct query q;
    enum err e = query_parse(p->subs[sub].title, w->a, &q);

    if (e == ERR_OK)
        e = overlap_weigh(&q, w->r->env->index, w->ec);
    for (size_t i = 0; e == ERR_OK && i < q.term_count; i++)
        if (!about_hosted(&w->r->about, q.terms[i].text) &&
            !(languages_of_stop(q.terms[i].word, strlen(q.terms[i].word)) >>
                  q.lang &
              1))
            asked |= (uint64_t)1 << i;
    if (e == ERR_OK)
        all = overlap_weight(&q, asked);
    for (size_t i = 0; i < w->x.count && all > 0; i++) {
        const struct choice *c = &w->x.v[i];

        if ((c->chosen || c->left) &&
            p->subs[c->unit->sub].side == p->subs[sub].side)
            most = fmax(most, overlap_weight(&q, asked & held_by(w, c, &q)));
    }
    *out = e == ERR_OK && all > 0 && most >= TOLD_LEAST * all;
    return e;
}

/* The names of the question that nothing of what was read holds: a bit each of
 * its terms. */
static uint64_t names_missing(const struct composer *w)
{
    const struct run *r = w->r;
    uint64_t names = about_unhosted(&r->about, &r->query);

    for (size_t i = 0; i < r->evidence_count && names != 0; i++) {
        const struct evidence *ev = &r->evidence[i];
        const char *const z[] = {ev->url, ev->title, ev->heading, ev->text};

        for (size_t k = 0; k < sizeof(z) / sizeof(*z); k++)
            names &= ~overlap_mask_loose(&r->query, z[k], strlen(z[k]));
    }
    return names;
}

static void missing_add(struct composer *w, const char *z)
{
    if (w->res->missing++ == 0) {
        render_heading(&w->out, said(w, PHRASE_MISSING));
        render_words(&w->out, said(w, PHRASE_NOT_FOUND));
        buf_adds(&w->out.text, "\n");
    }
    buf_addf(&w->out.text, "\n- %s", plain(w, z));
}

/* Is the part the overview of others, or what compares sides? */
static bool is_of_all(const struct composer *w, size_t sub)
{
    const struct plan *p = &w->r->plan;

    return p->count > 1 && (*p->subs[sub].title == '\0' || is_together(w, sub));
}

/* May the word have its capital only because a sentence begins with it,
 * "Yesterday"? */
static bool begins_only(const char *text, const char *word)
{
    const char *at = mem_find(text, strlen(text), word);

    return at != NULL && at > text &&
           sentence_begins(text, (size_t)(at - text)) &&
           mem_find(at + 1, strlen(at + 1), word) == NULL;
}

/* Where z stands in the text as a word or words of its own, or NULL. */
static const char *words_find(const char *text, const char *z)
{
    size_t n = strlen(z);
    const char *at = mem_find_i(text, strlen(text), z);

    while (at != NULL && n > 0 &&
           ((at > text && ascii_is_alnum(at[-1])) || ascii_is_alnum(at[n])))
        at = mem_find_i(at + 1, strlen(at + 1), z);
    return n > 0 ? at : NULL;
}

/* Is anything found on the part's row, of whatever side? */
static bool is_row_found(const struct composer *w, const bool *found,
                         size_t sub)
{
    const struct plan *p = &w->r->plan;

    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->subs[i].title, p->subs[sub].title) == 0 && found[i])
            return true;
    return false;
}

/* "What can go wrong (frost, rust)": is something found on what the request
 * lists in brackets behind the part? */
static bool is_listed_found(const struct composer *w, const bool *found,
                            size_t sub)
{
    const struct plan *p = &w->r->plan;
    const char *title = p->subs[sub].title;
    const char *at = words_find(w->r->query.text, title), *end;

    if (at == NULL)
        return false;
    at += strlen(title);
    end = strncmp(at, " (", 2) == 0 ? strchr(at, ')') : NULL;
    for (size_t i = plan_section_end(p, sub); i < p->count && end != NULL;
         i++) {
        const char *item = words_find(at, p->subs[i].title);

        if (item == NULL || item >= end)
            return false;
        if (found[i])
            return true;
    }
    return false;
}

/* Of which parts the report tells. */
static enum err found_read(const struct composer *w, bool *found)
{
    const struct plan *p = &w->r->plan;
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < p->count; i++) {
        found[i] = is_found(w, i) || is_of_all(w, i);
        if (!found[i])
            e = is_told(w, i, &found[i]);
    }
    for (size_t i = 0; e == ERR_OK && i < p->count; i++)
        found[i] = found[i] || is_listed_found(w, found, i);
    return e;
}

/* What a part is called that nothing is there on: with its side where there is
 * something of others, NULL where one before it is called so already. */
static const char *missing_name(struct composer *w, const bool *found,
                                size_t sub)
{
    const struct plan *p = &w->r->plan;
    const struct plan_sub *s = &p->subs[sub];

    if (*s->title == '\0')
        return s->own;
    if (s->side >= p->side_count)
        return s->title;
    if (is_row_found(w, found, sub))
        return arena_printf(w->a, "%s: %s", p->sides[s->side], s->title);
    for (size_t i = 0; i < sub; i++)
        if (strcmp(p->subs[i].title, s->title) == 0)
            return NULL;
    return s->title;
}

/* The parts that nothing is there on, and the names that are in none of
 * them. */
static enum err missing_say(struct composer *w)
{
    const struct plan *p = &w->r->plan;
    const struct query *q = &w->r->query;
    uint64_t names = names_missing(w);
    struct buf *b = &w->out.text;
    bool found[PLAN_SUBS_MAX] = {false};
    enum err e = found_read(w, found);

    for (size_t i = 0; e == ERR_OK && i < p->count; i++) {
        const char *z = found[i] ? NULL : missing_name(w, found, i);

        if (z == NULL)
            continue;
        names &= ~overlap_mask(q, z, strlen(z));
        missing_add(w, z);
    }
    for (size_t i = 0; i < q->term_count; i++)
        if ((names >> i & 1) && !begins_only(q->text, q->terms[i].word))
            missing_add(w, q->terms[i].word);
    if (w->res->missing > 0 && *run_failed(w->r) != '\0')
        buf_addf(b, "\n\n%s %s.", said(w, PHRASE_NOT_HEARD), run_failed(w->r));
    return e;
}

/* The part's title as it stands in the request, amid a sentence; behind another
 * one what began a sentence there does not. */
static const char *title_amid(struct composer *w, const char *title,
                              bool behind)
{
    const char *at = words_find(w->r->query.text, title);
    char *z = arena_strdup(w->a, title);
    struct term_iter it;
    struct term t;

    if (z == NULL || at == NULL)
        return z;
    memcpy(z, at, strlen(title));
    terms_init(&it, z, strlen(z));
    if (behind && z[1] == ascii_lower(z[1]) && tokens_next(&it, &t) &&
        t.start == 0 &&
        report_list_has(report_words_of(w->r->query.lang)->asks, t.text))
        *z = ascii_lower(*z);
    return z;
}

/* What hosts are called that the request names and `beside` does not. */
static const char *names_made(struct composer *w, const char *beside)
{
    const struct about *x = &w->r->about;
    const char *text = w->r->query.text, *z = "";

    for (size_t i = 0; i < x->count && z != NULL; i++) {
        const char *word = x->names[i].word, *at;

        at = word == NULL || !about_calls(x, i) ||
                     words_find(beside, word) != NULL
                 ? NULL
                 : words_find(text, word);
        if (at != NULL && strlen(z) + strlen(word) < TITLE_NAMES_BYTES)
            z = arena_printf(w->a, "%s%s%.*s", z, *z == '\0' ? "" : ", ",
                             (int)strlen(word), at);
    }
    return z == NULL ? "" : z;
}

/* A request that is longer than a title is called by its parts as far as there
 * is room: "Exim: what is going on, which commands show me". "": it has none
 * that fits. */
static const char *title_made(struct composer *w)
{
    const struct plan *p = &w->r->plan;
    const char *all = "", *z = "", *last = "";

    for (size_t i = 0; i < p->count && all != NULL; i++)
        all = arena_printf(w->a, "%s %s", all, p->subs[i].title);
    if (all != NULL)
        z = names_made(w, all);
    for (size_t i = 0; i < p->count; i++) {
        const char *title =
            *z == '\0' ? p->subs[i].title
                       : title_amid(w, p->subs[i].title, *last != '\0');
        const char *longer;

        if (title == NULL || *title == '\0' ||
            strcmp(p->subs[i].title, last) == 0)
            continue;
        longer = arena_printf(w->a, "%s%s%s", z,
                              *z == '\0'      ? ""
                              : *last == '\0' ? ": "
                                              : ", ",
                              title);
        if (longer == NULL)
            return "";
        if (strlen(longer) > PLAN_TITLE_MAX && *last != '\0')
            break;
        /* The first one goes without names where there is no room. */
        z = strlen(longer) > PLAN_TITLE_MAX ? p->subs[i].title : longer;
        last = p->subs[i].title;
    }
    return *last == '\0' ? "" : z;
}

/* The first of several sentences in n bytes, where it asks or a list follows on
 * the last, without its stop; else all. *several: there are. */
static struct str sentence_made(struct composer *w, const char *z, size_t n,
                                bool *several)
{
    struct span *s = NULL;
    size_t count = 0;
    struct str one = {z, n};

    *several = sentences_split(z, n, w->a, &s, &count) == ERR_OK && count > 1;
    if (!*several)
        return one;
    one = (struct str){z + s[0].start, s[0].len};
    if (one.p[one.n - 1] == '?')
        return one;
    one.n -= one.p[one.n - 1] == '.';
    return z[n] == '\n' ? one : (struct str){z, n};
}

/* What the question calls its topic; else what is made of its parts, where it
 * is longer than a heading or more than one sentence, unless it ends with a
 * list of them; else its first line, or the first sentence of that. */
static void title_say(struct composer *w)
{
    const char *topic = w->r->plan.title, *made = "";
    const char *z = *topic != '\0' ? topic : w->r->query.text;
    size_t n = utf8_cut(z, strcspn(z, "\n"), TITLE_BYTES);
    bool cut = z[n] != '\0' && z[n] != '\n', several = false;
    struct str s = {z, n};

    if (*topic == '\0' && !cut)
        s = sentence_made(w, z, n, &several);
    if (*topic == '\0' && z[n] != '\n' && (several || n > PLAN_TITLE_MAX))
        made = title_made(w);
    if (*made != '\0') {
        s = str_of(made);
        cut = false;
    }
    s.n -= s.n > 0 && s.p[s.n - 1] == ':';
    while (cut && s.n > 0 && s.p[s.n] != ' ')
        s.n--;
    z = arena_strndup(w->a, s.p, s.n);
    if (z != NULL && s.n > 0)
        render_words(&w->out, arena_printf(w->a, "# %s%s", plain(w, z),
                                           cut ? " \xE2\x80\xA6" : ""));
}

/* That the pages may not be on it: the first sentence of what an answer says
 * then. */
static enum err doubt_say(struct composer *w)
{
    const char *z = said(w, PHRASE_ONLY_CLOSE);
    struct span *s = NULL;
    size_t n = 0;
    enum err e = sentences_split(z, strlen(z), w->a, &s, &n);

    if (e == ERR_OK && n > 0)
        render_words(&w->out, arena_strndup(w->a, z + s[0].start, s[0].len));
    return e;
}

/* Of one part, and no more than a page's worth? Then it has no sections. */
static bool is_short(const struct composer *w)
{
    size_t words = 0;

    for (size_t i = 0; i < w->x.count; i++)
        words += w->x.v[i].chosen ? w->x.v[i].words : 0;
    return w->r->plan.count == 1 && words < SHORT_WORDS;
}

static enum err all_say(struct composer *w)
{
    struct composed *res = w->res;
    bool is_whole = !is_short(w);
    enum err e = ERR_OK;

    if (is_whole)
        title_say(w);
    if (w->bearing == BEARS_PERHAPS)
        e = doubt_say(w);
    if (e != ERR_OK)
        return e;
    if (!is_whole) {
        e = units_say(w, NULL, 0, ALL_PAGES);
    } else {
        e = definition_take(w, &w->opening);
        if (e == ERR_OK && w->opening == NULL)
            w->opening = opening_take(w);
        if (e == ERR_OK && w->opening != NULL)
            e = unit_say(w, w->opening, true);
        if (e == ERR_OK)
            e = table_say(w, &w->table);
        if (e == ERR_OK)
            e = sections_say(w);
    }
    if (e == ERR_OK && res->units == 0)
        return ERR_NO_RESULT;
    if (e == ERR_OK) {
        e = missing_say(w);
        if (e == ERR_OK)
            e = render_end(&w->out, &res->text, &res->sources,
                           &res->source_count);
    }
    return e;
}

/* Words for the sections: what the table takes is not theirs. */
static size_t words_for(const struct composer *w)
{
    size_t cells = w->table.count * w->r->plan.side_count * PICK_WORDS / 2;
    size_t words = (size_t)w->r->budget.words;

    return cells < words / 2 ? words - cells : words / 2;
}

/* Does a part ask about little but names that hosts are about: "What is
 * Varnish", "the feldspar pump"? */
static enum err asks_of_names(const struct composer *w, bool *out)
{
    const struct run *r = w->r;
    enum err e = ERR_OK;

    *out = false;
    for (size_t i = 0; e == ERR_OK && i < r->plan.count && !*out; i++) {
        struct query q;
        size_t names = 0;

        e = query_parse(r->plan.subs[i].question, w->a, &q);
        for (size_t k = 0; e == ERR_OK && k < q.term_count; k++)
            names += about_hosted(&r->about, q.terms[k].text);
        *out = e == ERR_OK && names > 0 && 2 * names >= q.term_count;
    }
    return e;
}

/* The names of the question that hosts bear, to be defined where that is
 * asked: else they say only where to look. */
static enum err names_read(struct composer *w)
{
    const struct about *x = &w->r->about;
    unsigned borne = about_borne(x, &w->r->query);
    bool asked = false;
    enum err e = asks_of_names(w, &asked);

    borne = asked ? borne : 0;
    for (size_t i = 0; e == ERR_OK && i < x->count; i++) {
        struct query *q = &w->names[w->name_count];

        if ((borne >> i & 1) == 0 || x->names[i].word == NULL)
            continue;
        e = query_parse(x->names[i].word, w->a, q);
        if (e == ERR_OK)
            query_define(q, x->names[i].word);
        w->name_count += e == ERR_OK;
    }
    return e;
}

enum err compose_report(struct run *r, struct arena *a, struct composed *out,
                        struct errctx *ec)
{
    struct composer *w = arena_alloc(a, sizeof(*w));
    enum err e;

    if (w == NULL)
        return ERR_NOMEM;
    memset(out, 0, sizeof(*out));
    w->name_count = 0;
    w->opening = NULL;
    w->r = r;
    w->a = a;
    w->ec = ec;
    w->res = out;
    w->until = deadline_in(run_time_to_write(r));
    e = ranking_candidates(r, a, &w->c, ec);
    if (e == ERR_OK)
        e = choose_weigh(r, w->c, a, &w->x, ec);
    if (e == ERR_OK)
        e = table_pick(w);
    if (e == ERR_OK)
        e = choose_units(&w->x, words_for(w), w->ec);
    if (e == ERR_OK)
        e = bearing_read(&w->x, &w->bearing);
    if (e == ERR_OK && w->bearing == BEARS_NOT)
        e = ERR_NO_RESULT;
    /* "In MongoDB": that may not be only where it is. */
    if (e == ERR_OK &&
        (names_missing(w) & about_aside(&r->about, &r->query)) != 0)
        w->bearing = BEARS_PERHAPS;
    if (e == ERR_OK)
        e = names_read(w);
    if (e == ERR_OK)
        e = render_init(&w->out, true, SAID_MAX, a);
    if (e == ERR_OK)
        e = all_say(w);
    render_fini(&w->out);
    return e;
}
