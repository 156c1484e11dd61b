/* How well a unit fits a field; see fill.h. Called by
 * structured_field.c. The weights were set with those of structured_near.c. */
#include "object/fill.h"

#include "question/overlap.h"
#include "text/terms.h"

#include <string.h>

enum { LEAD_BYTES_MAX = 80 };

/* How much of the label's words must stand by the value; those above it or
 * ahead of it in its paragraph count less, those elsewhere in the passage
 * least. */
static const double COVER_MIN = 0.7;
static const double COVER_MIN_ROW = 0.75; /* a row's neighbours tell others */
static const double OWN_MIN = 0.3;
static const double BEFORE_MIN = 0.45;
static const double WEIGHT_BEFORE = 0.8;
static const double WEIGHT_ABOVE = 0.7;
static const double PROPOSED_MIN = 0.5;
static const double OTHER_QUALIFIER = -0.2; /* it tells the default alone */
static const double DEFINED = 0.25; /* the paragraph defines the thing */

static bool has_numbers(const struct label *l, const struct candidate *c,
                        const struct unit *u)
{
    for (size_t i = 0; i < l->literal_count; i++) {
        const char *z = l->literals[i];

        if (!label_has_literal(z, u->text.p, u->text.n, NULL) &&
            !label_has_literal(z, c->heading, strlen(c->heading), NULL) &&
            !label_has_literal(z, c->title, strlen(c->title), NULL))
            return false;
    }
    return true;
}

/* Does the unit, or what stands above it, hold every number and identifier
 * that the label insists on? */
static bool has_literals(const struct label *l, const struct candidate *c,
                         const struct unit *u)
{
    if (!has_numbers(l, c, u))
        return false;
    for (size_t i = 0; i < l->identifier_count; i++) {
        const char *z = l->identifiers[i];

        if (!label_names(z, u->text.p, u->text.n) &&
            !label_names(z, u->before.p, u->before.n) &&
            !label_names(z, c->heading, strlen(c->heading)) &&
            !label_names(z, c->title, strlen(c->title)))
            return false;
    }
    return true;
}

/* "Maximum" and "minimum" may stand above or ahead; "default" must stand with
 * its value. What is only said of the opposite does not count. */
static bool has_qualifiers(const struct label *l, const struct candidate *c,
                           const struct unit *u)
{
    unsigned own = label_qualifiers(u->text.p, u->text.n);
    unsigned all = own | label_qualifiers(u->before.p, u->before.n) |
                   label_qualifiers(c->heading, strlen(c->heading)) |
                   label_qualifiers(c->title, strlen(c->title));
    unsigned limits = QUALIFIER_MAXIMUM | QUALIFIER_MINIMUM;

    if ((l->qualifiers & QUALIFIER_DEFAULT) && !(own & QUALIFIER_DEFAULT) &&
        label_assigned(l, u->text).n == 0)
        return false;
    if ((l->qualifiers & limits) && (own & limits) &&
        (own & l->qualifiers & limits) == 0)
        return false;
    return (l->qualifiers & limits & ~all) == 0;
}

/* The label's words in a unit; of a row those in its cells of remarks are
 * about something else. */
static uint64_t own_mask(const struct label *l, const struct unit *u)
{
    struct cell cells[CELLS_MAX];
    size_t n = u->kind == UNIT_ROW ? cells_read(u->text, cells, CELLS_MAX) : 0;
    uint64_t mask = 0;

    if (n == 0)
        return label_mask(l, u->text.p, u->text.n) |
               (l->boolean && value_reply(u) != 0
                    ? label_mask(l, u->before.p, u->before.n)
                    : 0);
    for (size_t i = 0; i < n; i++)
        if (!cell_is_remark(&cells[i]))
            mask |= label_mask(l, cells[i].head.p, cells[i].head.n) |
                    label_mask(l, cells[i].value.p, cells[i].value.n);
    return mask;
}

/* The label's rarest word: without it a text is about something else, however
 * many of the others it holds. */
static uint64_t rarest(const struct query *q)
{
    size_t best = 0;

    for (size_t i = 1; i < q->term_count; i++)
        if (q->terms[i].weight * q->rarity[i] >
            q->terms[best].weight * q->rarity[best])
            best = i;
    return (uint64_t)1 << best;
}

static double cover_of(const struct label *l, enum value_kind kind,
                       const struct candidate *c, const struct unit *u,
                       double *own_share)
{
    const struct query *q = &l->words;
    uint64_t own = own_mask(l, u);
    uint64_t before = label_mask(l, u->before.p, u->before.n) & ~own;
    uint64_t above = (label_mask(l, c->heading, strlen(c->heading)) |
                      label_mask(l, c->title, strlen(c->title))) &
                     ~own & ~before;

    *own_share = overlap_share(q, own);
    if (q->term_count == 0)
        return 1;
    if (label_assigned(l, u->text).n > 0)
        return *own_share = 1;
    /* Of a statement the verb may be the rarest, and be another one; what it is
     * about comes first. */
    if (((own | before | above) & (kind == VALUE_BOOLEAN ? 1 : rarest(q))) == 0)
        return 0;
    return *own_share + WEIGHT_BEFORE * overlap_share(q, before) +
           WEIGHT_ABOVE * overlap_share(q, above);
}

/* Are all words of a lead or a heading the label's, its qualifiers, words of
 * form, units or the question's, some of them the label's? What stands in
 * brackets does not count. */
static bool is_all_label(const struct label *l, struct str s)
{
    struct term_iter it;
    struct term t;
    size_t n = 0, own = 0;

    while (n < s.n && s.p[n] != '(' && s.p[n] != '<')
        n++;
    terms_init(&it, s.p, n);
    while (tokens_next(&it, &t)) {
        if (label_mask(l, s.p + t.start, t.end - t.start) != 0)
            own++;
        else if (label_qualifiers(s.p + t.start, t.end - t.start) == 0 &&
                 !label_is_form(t.text) && !term_is_stop(t.text, t.len) &&
                 !ascii_is_digit(t.text[0]) && !value_is_unit(t.text) &&
                 !tokens_have(l->asked, strlen(l->asked), t.text))
            return false;
    }
    return own > 0;
}

/* What a line begins with ahead of ": "; empty: nothing. */
static struct str lead_of(struct str line)
{
    size_t n = line.n < LEAD_BYTES_MAX ? line.n : LEAD_BYTES_MAX;
    const char *colon = mem_find(line.p, n, ": ");

    return (struct str){line.p, colon == NULL ? 0 : (size_t)(colon - line.p)};
}

/* Its lead is one identifier of another setting, neither the label's nor the
 * question's: "work_mem (integer): …". */
static bool is_of_another(const struct label *l, struct str line)
{
    struct str lead = lead_of(line);
    bool identifier = false;
    size_t n = 0;
    char z[LEAD_BYTES_MAX + 1];

    for (; n < lead.n && strchr(" :(", lead.p[n]) == NULL; n++)
        identifier =
            identifier || lead.p[n] == '_' || (lead.p[n] == '.' && n > 0);
    memcpy(z, lead.p, n);
    z[n] = '\0';
    return identifier && !is_all_label(l, (struct str){lead.p, n}) &&
           mem_find_i(l->asked, strlen(l->asked), z) == NULL;
}

/* Is the lead's first word the property's own name? */
static bool is_spelled(const struct label *l, struct str lead)
{
    size_t n = strlen(l->spelled);

    return lead.n >= n && ascii_starts_i(lead.p, l->spelled) &&
           (lead.n == n || strchr(" (,", lead.p[n]) != NULL);
}

int cover_defines(const struct label *l, struct str line)
{
    struct str lead = lead_of(line);

    if (lead.n > 0 && (is_spelled(l, lead) || is_all_label(l, lead)))
        return 1;
    return is_of_another(l, line) ? -1 : 0;
}

/* The same of a unit, whose section may define the field's very thing too. */
static int unit_defines(const struct label *l, const struct candidate *c,
                        const struct unit *u)
{
    int is = u->kind != UNIT_SENTENCE
                 ? 0
                 : cover_defines(l, u->before.n > 0 ? u->before : u->text);

    return is == 0 && u->kind == UNIT_SENTENCE &&
                   is_all_label(l, unit_heading(c))
               ? 1
               : is;
}

/* What a row is about stands in its first cell: does the label name it? The
 * numbers that the label insists on do as well. */
static bool is_row_of(const struct label *l, const struct unit *u)
{
    struct cell cells[CELLS_MAX];
    size_t n = u->kind == UNIT_ROW ? cells_read(u->text, cells, CELLS_MAX) : 0;

    return n == 0 || l->literal_count > 0 ||
           label_mask(l, cells[0].value.p, cells[0].value.n) != 0;
}

/* "Can such a column be dropped": does the sentence hold what is asked of it?
 */
static bool says_predicate(const struct label *l, const struct unit *u)
{
    return l->predicate == 0 || (own_mask(l, u) & l->predicate) != 0;
}

void cover_read(const struct label *l, const struct passage *p,
                const struct unit *u, struct cover *out)
{
    const struct query *q = &l->words;
    uint64_t own = own_mask(l, u);
    uint64_t before = label_mask(l, u->before.p, u->before.n) & ~own;
    uint64_t above = p->label_above & ~own & ~before;

    out->before = overlap_share(q, before);
    out->above = overlap_share(q, above);
    out->whole = u->kind == UNIT_ROW
                     ? overlap_share(q, label_mask(l, u->text.p, u->text.n))
                     : overlap_share(q, own);
    out->around = overlap_share(q, p->label & ~own & ~before & ~above);
    out->defines = unit_defines(l, p->c, u);
    out->number_not = !has_numbers(l, p->c, u);
}

double cover_score(const struct label *l, enum value_kind kind,
                   const struct candidate *c, const struct unit *u)
{
    double own = 0, cover, before, least;
    int defines;

    if (l->generic)
        return 1;
    cover = cover_of(l, kind, c, u, &own);
    defines = unit_defines(l, c, u);
    if (defines < 0) {
        if (kind == VALUE_BOOLEAN && (l->qualifiers & QUALIFIER_DEFAULT) != 0)
            return -1; /* the default is that one's */
        cover -= DEFINED;
    } else if (defines > 0) {
        cover += DEFINED;
    }
    if (!is_row_of(l, u))
        return -1;
    least = u->kind == UNIT_ROW && l->literal_count == 0 ? COVER_MIN_ROW
                                                         : COVER_MIN;
    if (cover < least || !has_qualifiers(l, c, u) || !has_literals(l, c, u))
        return -1;
    /* What an entry is called is said in each of its sentences. */
    if (kind == VALUE_BOOLEAN && (l->qualifiers & QUALIFIER_DEFAULT) == 0) {
        struct str lead = lead_of(u->before);

        own = overlap_share(&l->words,
                            own_mask(l, u) | label_mask(l, lead.p, lead.n));
        return own < COVER_MIN || !says_predicate(l, u) ? -1 : cover;
    }
    if ((l->qualifiers & QUALIFIER_DEFAULT) == 0 &&
        (label_qualifiers(u->text.p, u->text.n) & QUALIFIER_DEFAULT) != 0)
        cover += OTHER_QUALIFIER;
    before = overlap_share(&l->words, label_mask(l, u->before.p, u->before.n));
    /* "The default is 10." of a paragraph or a section that is about it. */
    if (own < OWN_MIN && l->literal_count == 0 &&
        ((l->qualifiers & QUALIFIER_DEFAULT) == 0 ||
         (before < BEFORE_MIN && !is_all_label(l, unit_heading(c)))))
        return -1;
    return cover;
}

bool cover_allows(const struct label *l, enum value_kind kind,
                  const struct candidate *c, const struct unit *u)
{
    double own = 0;

    if (l->generic || l->words.term_count == 0)
        return true;
    if (kind == VALUE_BOOLEAN)
        return cover_score(l, kind, c, u) >= 0;
    return cover_of(l, kind, c, u, &own) +
                   (unit_defines(l, c, u) > 0 ? DEFINED : 0) >=
               PROPOSED_MIN &&
           has_qualifiers(l, c, u) && has_literals(l, c, u);
}
