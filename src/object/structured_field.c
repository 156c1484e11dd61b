/*
 * One field of a schema: of all values of its type in the passages for it and
 * on the first pages for the question, the likeliest. See fill.h. Called by
 * structured.c.
 */
#include "object/choice.h"
#include "object/fill.h"

#include "base/buf.h"
#include "base/str.h"
#include "lang/words.h"
#include "object/value.h"
#include "question/identifier.h"
#include "question/overlap.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum {
    GENERIC_SENTENCES = 8,
    SNIPPET_BYTES_MAX = 500,
    ASKED = 4,
    PAGES_READ = 1, /* whole, of each way to ask */
    PAGES_MAX = 3,  /* … where nothing of that is likely enough */
    PAGE_PASSAGES = 200,
    AFTER_MAX = 2, /* passages that go on with the entry of one */
    READ_BYTES_MAX = 64 * 1024 * 1024, /* for one field */
    SEEN_MAX = 1024,
    IDENTIFIERS_MAX = 4
};

/* Less of the label's words than that, or of its name's, and a unit is not
 * looked at. */
static const double NEAR_MIN = 0.6;
static const double LOOK_MIN = 0.4; /* in all of a passage */

/* Where a candidate was found. */
struct found {
    const struct candidate *c;
    struct str sentence;
};

struct field {
    struct fill *f;
    struct value_want want;
    struct query question;
    struct label label;
    struct query named;                  /* the property's own name */
    struct str written[IDENTIFIERS_MAX]; /* the question's identifiers */
    size_t written_count;
    const struct json *schema;
    struct choices choices;
    int64_t seen[SEEN_MAX]; /* passages */
    size_t seen_count;
};

/* --- the field's kind ---------------------------------------------------- */

/* What a text field names, by the words of its own name, or by how its
 * description begins: "since when it is there". */
static enum answer_type type_of_label(const struct label *l)
{
    const char *label = l->name;
    size_t n = strlen(label);

    if (tokens_have(label, n, value_words.person))
        return ANSWER_PERSON;
    if (tokens_have(label, n, value_words.place))
        return ANSWER_PLACE;
    return tokens_have(label, n, value_words.date) ||
                   l->words.type == ANSWER_DATE
               ? ANSWER_DATE
               : ANSWER_ANY;
}

static enum answer_type type_of_kind(enum value_kind k, const struct label *l)
{
    enum answer_type t = type_of_label(l);

    switch (k) {
    case VALUE_INTEGER:
    case VALUE_NUMBER:
        return t == ANSWER_DATE ? t : ANSWER_NUMBER;
    case VALUE_BOOLEAN:
        return ANSWER_YESNO;
    case VALUE_DATE:
    case VALUE_DATE_TIME:
        return ANSWER_DATE;
    case VALUE_LIST:
        return ANSWER_LIST;
    case VALUE_ENUM:
        return ANSWER_ANY;
    case VALUE_TEXT:
        break;
    }
    return t;
}

/* --- asking -------------------------------------------------------------- */

/* What the question is about ("SQLite"), or the whole of it. */
static void question_add(const struct fill *f, struct buf *b, bool subject)
{
    if (!subject || f->subject == 0) {
        buf_addf(b, " %s", f->q->text);
        return;
    }
    for (size_t i = 0; i < f->q->term_count; i++)
        if (f->subject >> i & 1)
            buf_addf(b, " %s", f->q->words[i]);
}

/* The question's identifiers that no name is written like ("LibreOffice"). */
static size_t written_read(const char *text, struct str *out)
{
    size_t count = identifiers_read(text, out, IDENTIFIERS_MAX), n = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < out[i].n; k++)
            if (!ascii_is_alnum(out[i].p[k])) {
                out[n++] = out[i];
                break;
            }
    return n;
}

static enum err field_parse(struct fill *f, const struct json *leaf,
                            enum value_kind kind, const char *name,
                            struct field *out)
{
    enum err e = label_parse(name, leaf, f->q, f->subject, f->a, &out->label);

    if (e != ERR_OK)
        return e;
    out->want.kind = kind;
    out->want.leaf = leaf;
    out->want.q = f->q;
    out->want.label = &out->label;
    out->want.type = out->label.generic && kind == VALUE_TEXT
                         ? f->q->type
                         : type_of_kind(kind, &out->label);
    out->written_count = written_read(f->q->text, out->written);
    e = query_parse(out->label.name, f->a, &out->named);
    if (e == ERR_OK && f->ask->index != NULL)
        e = overlap_weigh(&out->label.words, f->ask->index, f->ec);
    return e == ERR_OK ? label_mean(&out->label, f->a) : e;
}

/* What the index said of the question's words holds for the field's too. */
static void rarity_copy(const struct query *from, struct query *to)
{
    for (size_t i = 0; i < to->term_count; i++)
        for (size_t k = 0; k < from->term_count; k++)
            if (strcmp(to->terms[i].text, from->terms[k].text) == 0)
                to->rarity[i] = from->rarity[k];
}

/* How passages are asked for: by what the field is described with and the
 * question's names, by what it is called and them, by the former with the whole
 * question, and by the question alone. */
enum { ASK_LABEL, ASK_NAME, ASK_BOTH, ASK_ALONE };

/* Ask for the field's passages in one of these ways. */
static enum err field_ask(struct fill *f, struct field *x, int attempt,
                          struct ranked **r, size_t *count)
{
    struct buf b;
    const char *z = "";
    enum err e;

    buf_init(&b, 32 * 1024);
    if (attempt < ASK_ALONE && !x->label.generic)
        buf_adds(&b, attempt == ASK_NAME ? x->label.plain : x->label.text);
    question_add(f, &b, attempt < ASK_BOTH && !x->label.generic);
    e = buf_keep(&b, ERR_OK, f->a, &z) == ERR_OK ? ERR_OK : ERR_NOMEM;
    if (e == ERR_OK)
        e = query_parse(z, f->a, &x->question);
    if (e != ERR_OK)
        return e;
    rarity_copy(f->q, &x->question);
    x->question.type = x->want.type;
    *count = 0;
    return f->ask->passages(f->ask->user, z, f->a, r, count);
}

/* --- features ------------------------------------------------------------ */

/* Which of the query's words the text holds as they are written. */
static uint64_t exact_mask(const struct query *q, const char *p, size_t n)
{
    struct term_iter it;
    struct term t;
    uint64_t mask = 0;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        for (size_t i = 0; i < q->term_count; i++)
            if (strcmp(q->words[i], t.text) == 0)
                mask |= (uint64_t)1 << i;
    return mask;
}

/* Behind the last sign or word in from..to that parts what belongs to one value
 * from what belongs to the next; `to` where there is none. */
static size_t parted(const char *p, size_t from, size_t to)
{
    static const char *const words[] = {" and ", " or ", " while ", ". "};
    size_t at = to;

    for (size_t i = from; i < to; i++) {
        if (p[i] == ',' || p[i] == ';')
            at = i + 1;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (to - i >= strlen(words[k]) &&
                memcmp(p + i, words[k], strlen(words[k])) == 0)
                at = i + strlen(words[k]);
    }
    return at;
}

/* What belongs to value i alone, the words up to its neighbours, where they are
 * parted: bytes *first..*last with the value in them. */
static void own_part(struct str s, const struct value_choices *all, size_t i,
                     size_t *first, size_t *last)
{
    size_t start = all->at[i].start, end = all->at[i].end, from = 0, to = s.n;
    size_t cut;

    for (size_t k = 0; k < all->count; k++) {
        if (all->at[k].end <= start && all->at[k].end > from)
            from = all->at[k].end;
        if (all->at[k].start >= end && all->at[k].start < to)
            to = all->at[k].start;
    }
    if (from > 0 && (cut = parted(s.p, from, start)) < start)
        from = cut;
    if (to < s.n && (cut = parted(s.p, end, to)) < to)
        to = cut;
    *first = from;
    *last = to;
}

static double exact_share(const struct label *l, struct str s, size_t from,
                          const struct value_choice *o, size_t to)
{
    return overlap_share(&l->words,
                         exact_mask(&l->words, s.p + from, o->start - from) |
                             exact_mask(&l->words, s.p + o->end, to - o->end));
}

/* Is the value the end of a range that the label asks for, the upper of "1 to
 * 7", "between 1 and 64", "0.0-1500.0" of a maximum? */
static bool is_end(const struct label *l, struct str s, size_t start,
                   size_t end)
{
    static const char *const links[] = {"-", "\xE2\x80\x93", " to ", " and ",
                                        " through "};
    bool upper = false, lower = false;

    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        size_t n = strlen(links[i]);

        upper = upper || (start > n && ascii_is_digit(s.p[start - n - 1]) &&
                          memcmp(s.p + start - n, links[i], n) == 0);
        lower = lower || (end + n < s.n && ascii_is_digit(s.p[end + n]) &&
                          memcmp(s.p + end, links[i], n) == 0);
    }
    return ((l->qualifiers & QUALIFIER_MAXIMUM) && upper) ||
           ((l->qualifiers & QUALIFIER_MINIMUM) && lower);
}

/* The qualifiers within three words of the value, in first..last. */
static unsigned qualifiers_next(struct str s, size_t start, size_t end,
                                size_t first, size_t last)
{
    enum { NEXT = 3, BYTES = 40 };
    size_t from = start > first + BYTES ? start - BYTES : first, behind = 0;
    unsigned ahead[NEXT + 1] = {0}, all = 0;
    struct term_iter it;
    struct term t;

    terms_init(&it, s.p + from, start - from);
    while (tokens_next(&it, &t)) {
        memmove(ahead, ahead + 1, NEXT * sizeof *ahead);
        ahead[NEXT] = label_qualifiers(s.p + from + t.start, t.end - t.start);
    }
    for (size_t i = 0; i <= NEXT; i++)
        all |= ahead[i];
    terms_init(&it, s.p + end, last - end);
    while (behind++ < NEXT && tokens_next(&it, &t))
        all |= label_qualifiers(s.p + end + t.start, t.end - t.start);
    return all;
}

static void qualifier_features(const struct field *x, const struct candidate *c,
                               const struct unit *u, double *v)
{
    unsigned limits = QUALIFIER_MAXIMUM | QUALIFIER_MINIMUM,
             asked = x->label.qualifiers,
             own = label_qualifiers(u->text.p, u->text.n),
             all = own | label_qualifiers(u->before.p, u->before.n) |
                   label_qualifiers(c->heading, strlen(c->heading)) |
                   label_qualifiers(c->title, strlen(c->title));
    bool is_default = (own & QUALIFIER_DEFAULT) != 0 ||
                      label_assigned(&x->label, u->text).n > 0;

    v[V_DEFAULT_NOT] = (asked & QUALIFIER_DEFAULT) && !is_default;
    v[V_LIMIT_NOT] = (asked & limits & ~all) != 0;
    v[V_LIMIT_ODD] = (own & limits & ~asked) != 0;
}

/* A maximum alone where a minimum is asked for, or the reverse. */
static bool says_other_limit(const struct label *l, const struct unit *u)
{
    unsigned limits = QUALIFIER_MAXIMUM | QUALIFIER_MINIMUM,
             own = label_qualifiers(u->text.p, u->text.n) & limits,
             asked = l->qualifiers & limits;

    return own != 0 && asked != 0 && (own & asked) == 0;
}

static uint64_t loose_mask(const struct query *q, const char *z)
{
    return overlap_mask_loose(q, z, strlen(z));
}

/* Share of the question's identifiers that the passage does not write. */
static double unnamed(const struct field *x, const struct candidate *c)
{
    double n = 0;

    for (size_t i = 0; i < x->written_count; i++)
        n += !identifier_in(x->written[i], c->text, strlen(c->text)) &&
             !identifier_in(x->written[i], c->heading, strlen(c->heading)) &&
             !identifier_in(x->written[i], c->title, strlen(c->title));
    return x->written_count == 0 ? 0 : n / (double)x->written_count;
}

/* Reads what all units of the passage share; false: it says too little of the
 * label and the name for any of them to be worth looking at. */
static bool passage_read(const struct field *x, const struct candidate *c,
                         struct passage *out)
{
    const struct label *l = &x->label;
    const struct query *q = x->f->q;

    out->c = c;
    out->label = label_mask(l, c->text, strlen(c->text));
    out->label_above = label_mask(l, c->heading, strlen(c->heading)) |
                       label_mask(l, c->title, strlen(c->title));
    if (!l->generic &&
        overlap_share(&l->words, out->label | out->label_above) < LOOK_MIN &&
        overlap_share(&x->named, loose_mask(&x->named, c->text) |
                                     loose_mask(&x->named, c->heading) |
                                     loose_mask(&x->named, c->title)) <
            NEAR_MIN &&
        mem_find_i(c->text, strlen(c->text), l->spelled) == NULL &&
        !label_is_written(l, c))
        return false;
    out->title = overlap_mask(q, c->title, strlen(c->title));
    out->above = loose_mask(q, c->heading) | out->title;
    out->unnamed = unnamed(x, c);
    return true;
}

/* Those that all values of a unit share; false: it is not worth looking at. */
static bool unit_features(const struct field *x, const struct passage *p,
                          const struct unit *u, double *v)
{
    const struct query *q = x->f->q;
    const struct candidate *c = p->c;
    const char *spelled = x->label.spelled;
    uint64_t own, above;
    struct cover cover;
    double near, score;
    bool named;

    cover_read(&x->label, p, u, &cover);
    near = cover.whole + cover.before + cover.above;
    v[V_NAMED] = overlap_share(
        &x->named, overlap_mask_loose(&x->named, u->text.p, u->text.n) |
                       overlap_mask_loose(&x->named, u->before.p, u->before.n));
    named = v[V_NAMED] >= NEAR_MIN ||
            mem_find_i(u->text.p, u->text.n, spelled) != NULL ||
            mem_find_i(u->before.p, u->before.n, spelled) != NULL;
    v[V_ENTRY] = unit_entry(&x->label, c, u);
    named = named || v[V_ENTRY] > 0;
    if (!named && !x->label.generic && near < LOOK_MIN)
        return false;
    score = cover_score(&x->label, x->want.kind, c, u);
    v[V_GATED] = score < 0 && v[V_ENTRY] < 1;
    v[V_NUMBER_NOT] = cover.number_not;
    v[V_SAID] = x->want.kind == VALUE_BOOLEAN && score > 0 ? score : 0;
    if (v[V_GATED] > 0 && !named && near < NEAR_MIN)
        return false;
    if (says_other_limit(&x->label, u) ||
        value_of_other_unit(&x->label, u->before))
        return false;
    own = overlap_mask_loose(q, u->text.p, u->text.n);
    above = p->above | overlap_mask_loose(q, u->before.p, u->before.n);
    v[V_AROUND] = cover.around;
    v[V_ABOVE] = cover.above;
    v[V_OTHER] = cover.defines < 0;
    qualifier_features(x, c, u, v);
    if (v[V_ENTRY] > 0) { /* it is said of the very setting */
        v[V_LIMIT_NOT] = 0;
        v[V_OTHER] = 0;
    }
    v[V_ASKED] = overlap_share(q, own);
    v[V_ASKED_ABOVE] = overlap_share(q, above & ~own);
    v[V_TITLED] = overlap_share(q, p->title);
    v[V_UNNAMED] = v[V_ENTRY] < 1 ? p->unnamed : 0;
    v[V_ROW] = u->kind == UNIT_ROW;
    v[V_LATE] = c->seq <= 0 ? 0 : 1 - 1 / (1 + 0.1 * (double)c->seq);
    v[V_STATEMENT] = x->want.kind == VALUE_BOOLEAN;
    v[V_TEXT] = x->want.kind == VALUE_TEXT;
    v[V_ANY] = 1;
    return true;
}

static bool is_quoted(struct str s, size_t start, size_t end)
{
    unsigned char a = start > 0 ? (unsigned char)s.p[start - 1] : ' ',
                  b = end < s.n ? (unsigned char)s.p[end] : ' ';

    return (a == '"' && b == '"') || (a == '\'' && b == '\'') ||
           (a == '`' && b == '`') || (a >= 0x98 && a <= 0x9D && b == 0xE2);
}

/* Does a text hold nothing but words of the label, or none at all? */
static bool is_asked(const struct label *l, struct str s)
{
    struct term_iter it;
    struct term t;
    bool own = false, any = false;

    terms_init(&it, s.p, s.n);
    while (tokens_next(&it, &t)) {
        any = true;
        if (tokens_have(l->text, strlen(l->text), t.text) ||
            label_mask(l, s.p + t.start, t.end - t.start) != 0)
            own = true;
        else if (!term_is_stop(t.text, t.len))
            return false;
    }
    return own || !any;
}

static void text_features(const struct field *x, struct str s,
                          const struct value_choice *o, double *v)
{
    struct str value = {s.p + o->start, o->end - o->start};
    size_t words = tokens_count(value.p, value.n);
    bool asks_name =
        x->want.type == ANSWER_PERSON || x->want.type == ANSWER_PLACE;

    v[V_AS_MEASURE] = o->way == WAY_MEASURE;
    v[V_AS_CELL] = o->way == WAY_CELL;
    v[V_AS_SUBJECT] = o->way == WAY_SUBJECT;
    v[V_AS_PREDICATE] = o->way == WAY_PREDICATE;
    v[V_AS_BESIDE] = o->way == WAY_BESIDE;
    v[V_AS_NAME] = o->way == WAY_NAME && !asks_name;
    v[V_AS_ASKED_NAME] = o->way == WAY_NAME && asks_name;
    v[V_WHOLE] = o->way == WAY_WHOLE;
    v[V_AS_VERSION] = o->way == WAY_VERSION;
    v[V_QUOTED] = is_quoted(s, o->start, o->end);
    v[V_LONG] = words > 10 ? 1 : 0.1 * (double)words;
    v[V_AS_ASKED] =
        is_asked(&x->label, value) || label_entry(&x->label, value) > 0;
    v[V_DIGITS] = value.n > 0 && ascii_is_digit(value.p[0]);
}

/* --- reading ------------------------------------------------------------- */

/* Is the byte part of a URL? */
static bool in_address(struct str s, size_t at)
{
    size_t from = at;

    while (from > 0 && !ascii_is_space(s.p[from - 1]))
        from--;
    return mem_find(s.p + from, at - from, "://") != NULL;
}

/* Does the choice stand in a part of the text, or is it told by that? */
static bool is_within(struct str text, const struct value_choice *o,
                      struct str part)
{
    size_t from = (size_t)(part.p - text.p);

    return part.n > 0 && o->start <= from + part.n && o->end >= from &&
           (o->end <= from + part.n + 1 || o->way == WAY_PLAIN);
}

static enum err unit_try(struct field *x, const struct candidate *c,
                         const struct unit *u, const double *unit_v)
{
    struct fill *f = x->f;
    struct value_choices all = {.count = 0};
    struct found *from = NULL;
    double exact[VALUE_CHOICES_MAX], parts[NEAR_PARTS];
    unsigned next[VALUE_CHOICES_MAX],
        asked = x->label.qualifiers,
        limits = QUALIFIER_MAXIMUM | QUALIFIER_MINIMUM, any = 0;
    size_t first[VALUE_CHOICES_MAX], last[VALUE_CHOICES_MAX];
    struct near near;
    struct str said[] = {u->text, u->before, unit_heading(c)},
               head = unit_v[V_ENTRY] > 0 ? label_signed(&x->label, u->text)
                                          : (struct str){u->text.p, 0};
    double meant = 0;
    enum err e;

    x->want.entry = unit_v[V_ENTRY] > 0;
    e = value_find(&x->want, u, f->a, &all);
    if (e == ERR_OK && all.count > 0)
        e = label_near(&x->label, said, sizeof said / sizeof *said, &meant);
    if (e != ERR_OK || all.count == 0)
        return e;
    near_read(&x->label, u->text,
              x->want.type == ANSWER_DATE || x->want.type == ANSWER_PERSON,
              &near);
    for (size_t i = 0; i < all.count; i++) {
        own_part(u->text, &all, i, &first[i], &last[i]);
        exact[i] =
            exact_share(&x->label, u->text, first[i], &all.at[i], last[i]);
        next[i] = qualifiers_next(u->text, all.at[i].start, all.at[i].end,
                                  first[i], last[i]);
        any |= next[i];
    }
    for (size_t i = 0; e == ERR_OK && i < all.count; i++) {
        const struct value_choice *o = &all.at[i];
        struct choice one = {.json = o->json, .url = c->url};
        bool valid = false;

        if (in_address(u->text, o->start))
            continue;
        e = fill_is_valid(f, x->schema, o->json, &valid);
        if (e != ERR_OK || !valid)
            continue;
        if (from == NULL) {
            from = arena_alloc(f->a, sizeof *from);
            if (from == NULL)
                return ERR_NOMEM;
            *from = (struct found){c, u->text};
        }
        one.from = from;
        memcpy(one.v, unit_v, sizeof one.v);
        one.v[V_NEAR] = meant;
        near_parts(&near, o->start, o->end, parts);
        if (o->way == WAY_PLAIN || o->way == WAY_NAME || o->way == WAY_STATE)
            one.v[V_SELF] = o->fit - near_sum(parts);
        one.v[V_ASSIGNED] = o->start > 0 && u->text.p[o->start - 1] == '=' &&
                            label_assigned(&x->label, u->text).n == 0;
        one.v[V_PAST] = parts[NEAR_TENSE] < 0;
        one.v[V_NEW] = parts[NEAR_TENSE] > 0;
        one.v[V_CELL] = parts[NEAR_CELL];
        one.v[V_LINKED] = parts[NEAR_LINKED];
        one.v[V_COUNTED] = parts[NEAR_COUNTED];
        one.v[V_EXACT] = exact[i];
        for (size_t k = 0; k < all.count; k++)
            if ((all.at[k].end <= o->start || all.at[k].start >= o->end) &&
                exact[k] - exact[i] > one.v[V_RIVAL])
                one.v[V_RIVAL] = exact[k] - exact[i];
        one.v[V_END] = is_end(&x->label, u->text, o->start, o->end);
        if (one.v[V_END] > 0) { /* both ends are of one thing */
            one.v[V_LIMIT_NOT] = 0;
            one.v[V_EXACT] += one.v[V_RIVAL];
            one.v[V_RIVAL] = 0;
        }
        one.v[V_DEFAULT_RIVAL] =
            (any & ~next[i] & asked & QUALIFIER_DEFAULT) != 0;
        one.v[V_DEFAULT_ODD] =
            unit_v[V_ENTRY] == 0 && (next[i] & ~asked & QUALIFIER_DEFAULT) != 0;
        one.v[V_ENTRY_DEFAULT] =
            o->way == WAY_STATE || is_within(u->text, o, head) ||
                    (head.n == 0 && (next[i] & QUALIFIER_DEFAULT) != 0)
                ? unit_v[V_ENTRY]
                : 0;
        one.v[V_LIMIT_NEXT] = (next[i] & asked & limits) != 0;
        if (x->want.kind == VALUE_TEXT)
            text_features(x, u->text, o, one.v);
        for (size_t k = 0; k < DOUBTS; k++)
            one.v[V_PART + k] = o->doubts >> k & 1;
        /* What is hardly of the statement does not deny it. */
        one.v[V_DENIES] *= unit_v[V_GATED] == 0;
        choice_add(&x->choices, CHOICE_VALUE, &one);
    }
    return e;
}

/* The first part of a passage; false: it has none. */
static bool part_first(const struct candidate *c, struct passage_part *part)
{
    const char *parts = c->parts == NULL ? "" : c->parts;

    return passage_part_next(&parts, strlen(c->text), part);
}

/* The passage before, where this one goes on with its paragraph or its entry;
 * *out NULL: it does not. */
static enum err before_read(const struct field *x, const struct candidate *c,
                            struct candidate **out)
{
    struct fill *f = x->f;
    struct passage_part part;
    size_t n = 0;
    enum err e;

    *out = NULL;
    if (f->ask->index == NULL || c->page <= 0 || c->seq <= 0 ||
        !part_first(c, &part) || (!part.goes_on && !part.inside))
        return ERR_OK;
    e = index_passages(f->ask->index, c->page, c->seq - 1, 1, f->a, out, &n,
                       f->ec);
    if (e != ERR_OK || n == 0 ||
        !heading_same_section((*out)->heading, c->heading))
        *out = NULL;
    return e == ERR_NO_RESULT || e == ERR_NOT_FOUND ? ERR_OK : e;
}

/* A passage may begin amid a paragraph: then the last line of the passage
 * before stands ahead of all sentences of its first line, behind the name of
 * their entry. */
static enum err before_extend(const struct field *x, const struct candidate *c,
                              const struct candidate *last, struct unit *units,
                              size_t count)
{
    const struct query *q = &x->label.words;
    struct fill *f = x->f;
    const char *line, *end = NULL;
    struct passage_part part;

    if (last == NULL || !part_first(c, &part) || !part.goes_on ||
        overlap_mask_loose(q, c->text, strlen(c->text)) == 0)
        return ERR_OK;
    line = strrchr(last->text, '\n');
    line = line == NULL ? last->text : line + 1;
    for (size_t i = 0; i < count; i++) {
        struct unit *u = &units[i];
        struct str b = u->before;
        const char *colon = u->apart ? mem_find(b.p, b.n, ": ") : NULL;
        size_t name = colon == NULL ? 0 : (size_t)(colon - b.p) + 2;

        if (u->kind != UNIT_SENTENCE)
            continue;
        if (end == NULL)
            end = u->text.p + strcspn(u->text.p, "\n");
        else if (u->text.p > end)
            break;
        u->before = str_of(arena_printf(f->a, "%.*s%s %.*s", (int)name, b.p,
                                        line, (int)(b.n - name), b.p + name));
    }
    return arena_failed(f->a) ? ERR_NOMEM : ERR_OK;
}

static bool is_seen(const struct field *x, const struct candidate *c)
{
    for (size_t i = 0; i < x->seen_count && c->passage > 0; i++)
        if (x->seen[i] == c->passage)
            return true;
    return false;
}

/* A passage once; rank and page from 1, 0 for none. */
static enum err passage_try(struct field *x, const struct candidate *c,
                            size_t rank, size_t page_rank)
{
    struct unit *units = NULL;
    struct candidate *before = NULL;
    struct passage p;
    bool asked = false, about = false;
    double missing = 0;
    size_t count = 0;
    enum err e;

    if (is_seen(x, c))
        return ERR_OK;
    if (x->seen_count < SEEN_MAX)
        x->seen[x->seen_count++] = c->passage;
    if (!passage_read(x, c, &p))
        return ERR_OK;
    e = before_read(x, c, &before);
    if (e == ERR_OK)
        e = units_read(c, before, &x->f->clean, x->f->a, &units, &count);
    if (e == ERR_OK)
        e = before_extend(x, c, before, units, count);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        double v[CHOICE_FEATURES_MAX] = {0};

        if (!unit_features(x, &p, &units[i], v))
            continue;
        if (!asked)
            e = fill_is_about(x->f, c, &about, &missing);
        asked = true;
        v[V_MISSING] = missing;
        v[V_HOST] = fill_host_share(x->f, c);
        v[V_RANK] = rank == 0 ? 0 : 1 / (double)rank;
        v[V_PAGE] = page_rank == 0 ? 0 : 1 / (double)page_rank;
        if (e == ERR_OK && missing < 1)
            e = unit_try(x, c, &units[i], v);
    }
    return e;
}

/* What goes on with the entry of the label behind a passage that was found:
 * there its default may stand, without a word that is asked. */
static enum err after_try(struct field *x, const struct candidate *c,
                          size_t rank, size_t page_rank)
{
    struct fill *f = x->f;
    struct candidate *next = NULL;
    size_t n = 0;
    enum err e;

    if (f->ask->index == NULL || c->page <= 0 || c->seq < 0 ||
        !label_is_written(&x->label, c))
        return ERR_OK;
    e = index_passages(f->ask->index, c->page, c->seq + 1, AFTER_MAX, f->a,
                       &next, &n, f->ec);
    for (size_t i = 0; e == ERR_OK && i < n; i++) {
        if (!heading_same_section(c->heading, next[i].heading) ||
            heading_entry(&x->label, unit_heading(&next[i])) <= 0)
            break;
        e = passage_try(x, &next[i], rank, page_rank);
    }
    return e == ERR_NO_RESULT || e == ERR_NOT_FOUND ? ERR_OK : e;
}

static enum err found_try(struct field *x, const struct candidate *c,
                          size_t rank)
{
    size_t page_rank = fill_page_rank(x->f, c);
    bool seen = is_seen(x, c);
    enum err e = passage_try(x, c, rank, page_rank);

    return e == ERR_OK && !seen ? after_try(x, c, rank, page_rank) : e;
}

/* The whole of pages `from` to `to`: what is asked may stand in a passage that
 * the question's other words do not. */
static enum err pages_try(struct field *x, const struct ranked *r, size_t count,
                          size_t from, size_t to)
{
    struct fill *f = x->f;
    int64_t read[PAGES_MAX];
    size_t pages = 0;
    enum err e = ERR_OK;

    for (size_t i = 0; i < count && pages < to && e == ERR_OK; i++) {
        struct candidate *all = NULL;
        size_t n = 0, k = 0;

        while (k < pages && read[k] != r[i].c.page)
            k++;
        if (k < pages || r[i].c.page <= 0)
            continue;
        read[pages++] = r[i].c.page;
        if (pages <= from)
            continue;
        e = index_passages(f->ask->index, r[i].c.page, 0, PAGE_PASSAGES, f->a,
                           &all, &n, f->ec);
        if (e == ERR_NO_RESULT || e == ERR_NOT_FOUND)
            e = ERR_OK;
        for (k = 0; e == ERR_OK && k < n; k++)
            e = passage_try(x, &all[k], 0, fill_page_rank(f, &all[k]));
    }
    return e;
}

static enum err candidates_read(struct field *x)
{
    struct fill *f = x->f;
    struct ranked *r[ASKED] = {[ASK_ALONE] = f->alone};
    size_t count[ASKED] = {[ASK_ALONE] = f->alone_count};
    int first = x->label.generic ? ASK_ALONE : ASK_LABEL;
    enum err e = ERR_OK;

    for (int k = first; k < ASKED && e == ERR_OK; k++) {
        if (k == ASK_NAME && x->label.text == x->label.name)
            continue;
        if (k < ASK_ALONE)
            e = field_ask(f, x, k, &r[k], &count[k]);
        for (size_t i = 0; e == ERR_OK && i < count[k]; i++)
            e = found_try(x, &r[k][i].c, i + 1);
        if (e == ERR_OK && k >= ASK_BOTH && f->ask->index != NULL)
            e = pages_try(x, r[k], count[k], 0, PAGES_READ);
        if (e == ERR_NO_RESULT)
            e = ERR_OK;
    }
    for (int k = first > ASK_BOTH ? first : ASK_BOTH;
         k < ASKED && e == ERR_OK && f->ask->index != NULL &&
         choice_best(&x->choices, CHOICE_VALUE) == NULL;
         k++)
        e = pages_try(x, r[k], count[k], PAGES_READ, PAGES_MAX);
    return e == ERR_NO_RESULT ? ERR_OK : e;
}

/* --- choosing ------------------------------------------------------------- */

/* The choice as the field's value. Everything else that was read for it is
 * given back. */
static enum err choice_take(struct fill *f, const struct choice *o,
                            const char **json)
{
    const struct found *from = o->from;
    struct candidate c = *from->c;

    *json = arena_strdup(f->a, o->json);
    c.url = arena_strdup(f->a, c.url);
    c.host = arena_strdup(f->a, c.host);
    c.title = arena_strdup(f->a, c.title);
    c.favicon = arena_strdup(f->a, c.favicon);
    return arena_failed(f->a)
               ? ERR_NOMEM
               : fill_source(
                     f, &c,
                     arena_strndup(f->a, from->sentence.p, from->sentence.n));
}

/* "answer", "summary": the sentence that answers the question best. */
static enum err generic_find(struct fill *f, struct field *x, const char **json)
{
    struct ranked *r = NULL;
    struct answer_draft d = {.sentences = NULL};
    const struct cited_sentence *best = NULL;
    size_t count = 0;
    enum err e = field_ask(f, x, ASK_ALONE, &r, &count);

    if (e == ERR_OK && count > 0)
        e = answer_candidates(&x->question, r, count, GENERIC_SENTENCES, f->a,
                              &d);
    for (size_t i = 0; e == ERR_OK && i < d.count; i++) {
        const struct cited_sentence *s = &d.sentences[i];
        const char *value = value_string(s->text, strlen(s->text), f->a);
        bool about = false, valid = false;
        double missing = 0;

        if (value == NULL)
            return ERR_NOMEM;
        e = fill_is_about(f, &r[s->passage].c, &about, &missing);
        if (e == ERR_OK)
            e = fill_is_valid(f, x->schema, value, &valid);
        if (e == ERR_OK && about && valid &&
            (best == NULL || s->score > best->score)) {
            best = s;
            *json = value;
        }
    }
    if (e != ERR_OK || best == NULL)
        return e == ERR_OK ? ERR_NO_RESULT : e;
    return fill_source(f, &r[best->passage].c, arena_strdup(f->a, best->text));
}

/* A link is the page of the best passage. */
static enum err uri_find(struct fill *f, struct field *x,
                         const struct json *leaf, const char **json)
{
    struct ranked *r = NULL;
    size_t count = 0;
    bool valid = false;
    enum err e = field_ask(f, x, ASK_ALONE, &r, &count);

    if (e != ERR_OK)
        return e;
    if (count == 0)
        return ERR_NO_RESULT;
    *json = value_string(r[0].c.url, strlen(r[0].c.url), f->a);
    if (*json == NULL)
        return ERR_NOMEM;
    e = fill_is_valid(f, leaf, *json, &valid);
    if (e != ERR_OK || !valid)
        return e != ERR_OK ? e : ERR_NO_RESULT;
    return fill_source(
        f, &r[0].c,
        snippet_of(&x->question, r[0].c.text, SNIPPET_BYTES_MAX, f->a));
}

static enum err field_find(struct fill *f, struct field *x, const char *name,
                           const char **json)
{
    struct arena own, *outer = f->a;
    const struct choice *best;
    enum err e = fill_alone(f);

    if (e != ERR_OK)
        return e;
    arena_init(&own, READ_BYTES_MAX);
    f->a = &own;
    e = candidates_read(x);
    f->a = outer;
    if (e == ERR_OK && f->ask->choices != NULL)
        f->ask->choices(f->ask->id, name, CHOICE_VALUE, &x->choices);
    best = e == ERR_OK ? choice_best(&x->choices, CHOICE_VALUE) : NULL;
    if (best != NULL)
        e = choice_take(f, best, json);
    else if (e == ERR_OK)
        e = ERR_NO_RESULT;
    arena_fini(&own);
    return e;
}

enum err field_value(struct fill *f, const struct json *leaf, const char *type,
                     const char *name, const char **json)
{
    struct field *x = calloc(1, sizeof *x);
    enum err e;

    if (x == NULL)
        return ERR_NOMEM;
    x->f = f;
    x->schema = leaf;
    e = field_parse(f, leaf, value_kind_of(leaf, type), name, x);
    if (e == ERR_OK && ascii_starts_i(label_schema_text(leaf, "format"), "uri"))
        e = uri_find(f, x, leaf, json);
    else if (e == ERR_OK && (strcmp(type, "null") == 0 || x->label.refers))
        e = ERR_NO_RESULT;
    else if (e == ERR_OK && x->label.generic && x->want.kind == VALUE_TEXT)
        e = generic_find(f, x, json);
    else if (e == ERR_OK)
        e = field_find(f, x, name, json);
    free(x);
    return e;
}
