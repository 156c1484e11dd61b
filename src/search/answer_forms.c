/* The forms of answers; see answer_forms.h. Pure. */
#include "search/answer_forms.h"
#include "search/evidence.h"
#include "search/overlap.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

enum {
    LABEL_WORDS = 6,
    SKIPPED_LINES = 4, /* of explanation between two items */
    STEP_LINES = 6,
    STEP_WORDS = 60,
    LINE_WORDS = 30,
    LINES_MAX = 6
};

/* What forms are worth, on the scale of answer_score.c's weights; set by
 * hand on the development half of tests/support/doc_questions.json. */
static const double ROW = 7.0;
static const double ROW_REACH = 0.45; /* share of the question it stands for */
static const double LABEL = 6.0;
static const double DEFINED = 3.0; /* the rest of a glossary's entry */
static const double LABEL_NAMED = 0.6;
static const double VERB = 3.0;
static const double IDENTIFIER = 2.0;
static const double ENUMERATION = 3.0;
static const double ENUMERATES = 0.9; /* of list evidence */
static const double BOTH_SIDES = 4.0;
static const double ONE_SIDE = 0.5;
static const double ITEMS = 5.0;
static const double NO_ITEMS = -4.0;
static const double SIDE_HELD = 0.5; /* share of a side's weight */
static const double SIDE_PROSE = 0.6;

static const char *text_of(const struct pool *pool, const struct sentence *s)
{
    return pool->passages[s->passage].c.text + s->span.start;
}

static size_t words_in(const char *p, size_t n)
{
    struct term_iter it;
    struct term t;
    size_t words = 0;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        words++;
    return words;
}

/* --- rows ---------------------------------------------------------------- */

static void row_weigh(struct pool *pool, struct sentence *s)
{
    double row = evidence_row(pool->q, text_of(pool, s), s->span.len);

    if (row <= 0 || overlap_share(pool->q, s->reach) < ROW_REACH)
        return;
    s->score += ROW * row * overlap_share(pool->q, s->reach);
    s->sign[SIGN_PROSE] = 1;
    s->sign[SIGN_TYPE] = row;
}

/* --- labels -------------------------------------------------------------- */

/* The line that the sentence stands in. */
static struct str line_of(const struct pool *pool, const struct sentence *s)
{
    const char *text = pool->passages[s->passage].c.text;
    size_t from = s->span.start;

    while (from > 0 && text[from - 1] != '\n')
        from--;
    return (struct str){text + from, strcspn(text + from, "\n")};
}

/* "work_mem (integer): …": what the whole entry speaks of. */
static void label_weigh(struct pool *pool, struct sentence *s)
{
    struct str line = line_of(pool, s);
    const char *colon = mem_find(line.p, line.n, ": ");
    size_t n = colon == NULL ? 0 : (size_t)(colon - line.p);
    uint64_t mask;
    double named;

    if (n == 0 || evidence_is_row(line.p, line.n) ||
        words_in(line.p, n) > LABEL_WORDS)
        return;
    named = evidence_named(pool->q, line.p, n);
    if (named < LABEL_NAMED)
        return;
    mask = overlap_mask_loose(pool->q, line.p, n);
    s->score += LABEL * named * overlap_share(pool->q, mask);
    if (pool->q->type == ANSWER_DEFINITION && text_of(pool, s) != line.p)
        s->score += DEFINED;
    s->sign[SIGN_CONTEXT] += overlap_share(pool->q, mask & ~s->reach);
    s->reach |= mask;
}

/* --- yes or no ----------------------------------------------------------- */

/* "Is SQLite threadsafe?" is answered by "SQLite is threadsafe": the question's
 * verb stands between its words. */
static void verb_weigh(struct pool *pool, struct sentence *s)
{
    const struct query *q = pool->q;
    const char *p = text_of(pool, s);
    struct term_iter it;
    struct term verb, t;
    uint64_t before = 0, after = 0, seen = 0;
    bool found = false;

    terms_init(&it, q->text, strlen(q->text));
    if (!tokens_next(&it, &verb))
        return;
    terms_init(&it, p, s->span.len);
    while (tokens_next(&it, &t)) {
        uint64_t mask;

        if (!found && seen != 0 && strcmp(t.text, verb.text) == 0) {
            found = true;
            before = seen;
        }
        mask = overlap_mask_loose(q, p + t.start, t.end - t.start);
        seen |= mask;
        after |= found ? mask : 0;
    }
    if (found && (after & ~before) != 0)
        s->score += VERB * overlap_share(q, before | after);
}

/* --- identifiers --------------------------------------------------------- */

static bool is_identifier_byte(char c)
{
    return ascii_is_alnum(c) || c == '_';
}

/* The next word with an underscore in it at or after *at. */
static bool identifier_next(const char *z, size_t *at, struct str *out)
{
    for (size_t i = *at; z[i] != '\0';) {
        size_t n = 0;

        while (is_identifier_byte(z[i + n]))
            n++;
        if (n > 2 && memchr(z + i, '_', n) != NULL) {
            *out = (struct str){z + i, n};
            *at = i + n;
            return true;
        }
        i += n > 0 ? n : 1;
    }
    return false;
}

/* Does the text hold it as a word (1), in a longer one only (-1), or not? */
static int identifier_held(struct str id, const char *p, size_t n)
{
    int held = 0;

    for (size_t i = 0; i + id.n <= n; i++) {
        if (memcmp(p + i, id.p, id.n) != 0)
            continue;
        if ((i == 0 || !is_identifier_byte(p[i - 1])) &&
            (i + id.n == n || !is_identifier_byte(p[i + id.n])))
            return 1;
        held = -1;
    }
    return held;
}

/* "work_mem" is not "maintenance_work_mem". */
static void identifiers_weigh(struct pool *pool, struct sentence *s)
{
    size_t at = 0;
    struct str id, line = line_of(pool, s);

    while (identifier_next(pool->q->text, &at, &id)) {
        int held = identifier_held(id, line.p, line.n);

        s->score += held > 0 ? IDENTIFIER : held < 0 ? -IDENTIFIER : 0;
    }
}

/* --- sides --------------------------------------------------------------- */

static bool side_held(const struct query *q, size_t side, uint64_t mask)
{
    double all = overlap_weight(q, q->side_terms[side]);

    return all > 0 &&
           overlap_weight(q, mask & q->side_terms[side]) >= SIDE_HELD * all;
}

/* "VACUUM" of "VACUUM and VACUUM FULL": a side whose words are all the
 * other's too is spoken of by name, or as the plain one. */
static bool is_plain_side(const struct query *q, size_t side)
{
    for (size_t i = 0; i < q->side_count; i++)
        if (i != side && (q->side_terms[side] & q->side_terms[i]) == 0 &&
            strncmp(q->sides[i], q->sides[side],
                    strcspn(q->sides[side], " ")) == 0)
            return true;
    return false;
}

static bool says_plain(const char *p, size_t n)
{
    static const char *const words[] = {"plain",   "ordinary", "standard",
                                        "regular", "simple",   "normal",
                                        "without", NULL};

    for (size_t i = 0; words[i] != NULL; i++)
        if (mem_find_i(p, n, words[i]) != NULL)
            return true;
    return false;
}

unsigned forms_sides(const struct pool *pool, const struct sentence *s)
{
    const struct query *q = pool->q;
    unsigned held = 0, all = 0;

    for (size_t i = 0; i < q->side_count; i++) {
        all |= 1u << i;
        if (side_held(q, i, s->loose))
            held |= 1u << i;
    }
    /* The words of both, but nothing is said of the plain one. */
    for (size_t i = 0; i < q->side_count && held == all; i++)
        if (is_plain_side(q, i) && !says_plain(text_of(pool, s), s->span.len))
            held &= ~(1u << i);
    return held;
}

static void sides_weigh(struct pool *pool, struct sentence *s)
{
    unsigned held = forms_sides(pool, s);

    if (held == (1u << pool->q->side_count) - 1)
        s->score += BOTH_SIDES;
    else if (held != 0)
        s->score += ONE_SIDE;
}

struct sentence *forms_missing_side(struct pool *pool)
{
    struct sentence *best = NULL;
    unsigned said = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (pool->s[i].taken)
            said |= forms_sides(pool, &pool->s[i]);
    for (size_t i = 0; i < pool->count; i++) {
        struct sentence *s = &pool->s[i];

        if (!s->taken && (forms_sides(pool, s) & ~said) != 0 &&
            s->sign[SIGN_PROSE] >= SIDE_PROSE &&
            (best == NULL || s->score > best->score))
            best = s;
    }
    return best;
}

/* --- items --------------------------------------------------------------- */

/* The passages' lines from a place on, across passages of one page under one
 * heading. */
struct lines {
    const struct pool *pool;
    size_t passage, at;
};

static struct str next_line(struct lines *l)
{
    const char *text = l->pool->passages[l->passage].c.text + l->at;
    size_t n = strcspn(text, "\n");

    l->at += n + (text[n] == '\n' ? 1 : 0);
    return (struct str){text, n};
}

/* On to the page's next passage, when it is at hand and under the same
 * heading. */
static bool next_passage(struct lines *l)
{
    const struct candidate *c = &l->pool->passages[l->passage].c;

    for (size_t i = 0; i < l->pool->given; i++) {
        const struct candidate *o = &l->pool->passages[i].c;

        if (c->page != 0 && o->page == c->page && o->seq == c->seq + 1 &&
            strcmp(o->heading, c->heading) == 0) {
            l->passage = i;
            l->at = 0;
            return true;
        }
    }
    return false;
}

/* The next line that is not blank; false at the end. */
static bool line_read(struct lines *l, struct str *out, struct item *where)
{
    do {
        while (l->pool->passages[l->passage].c.text[l->at] != '\0') {
            struct str line = str_trim(next_line(l));

            if (line.n == 0)
                continue;
            *out = line;
            where->passage = l->passage;
            where->start =
                (size_t)(line.p - l->pool->passages[l->passage].c.text);
            return true;
        }
    } while (next_passage(l));
    return false;
}

/* Commands and their output name nothing. */
static bool is_code_like(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("$<>=|&{}[]\\;", p[i]) != NULL && p[i] != '\0')
            return true;
    return false;
}

/* How many bytes of the line name the item: "NULL. The value is …",
 * "Range Partitioning: …", "UNLOCKED"; 0 when it has no name. */
static size_t label_of(struct str line)
{
    static const char *const ends[] = {": ", ". ", " \xE2\x80\x94 ", " - ",
                                       NULL};
    size_t best = line.n, words;

    for (size_t i = 0; ends[i] != NULL; i++) {
        const char *at = mem_find(line.p, line.n, ends[i]);

        if (at != NULL && (size_t)(at - line.p) < best)
            best = (size_t)(at - line.p);
    }
    if (best == line.n && strchr(".!?:;,", line.p[line.n - 1]) != NULL)
        return 0;
    words = words_in(line.p, best);
    return words > 0 && words <= LABEL_WORDS && !is_code_like(line.p, best)
               ? best
               : 0;
}

/* Items with names; what explains them is left out. */
static size_t labels_read(struct lines l, size_t max, struct item *out)
{
    size_t n = 0, skipped = 0;
    struct str line;
    struct item it;

    while (n < max && skipped <= SKIPPED_LINES && line_read(&l, &line, &it)) {
        size_t label = label_of(line);

        if (label == 0) {
            skipped++;
            continue;
        }
        skipped = 0;
        it.len = label;
        it.words = words_in(line.p, label);
        out[n++] = it;
    }
    return n;
}

/* Items that are whole lines: steps, commands, short statements. */
static size_t lines_read(struct lines l, size_t max, size_t words_max,
                         bool steps, struct item *out)
{
    size_t n = 0, words = 0;
    struct str line;
    struct item it;
    bool code = false;

    while (n < max && line_read(&l, &line, &it)) {
        double prose = evidence_prose(line.p, line.n);

        it.len = line.n;
        it.words = words_in(line.p, line.n);
        words += it.words;
        if (!steps && is_code_like(line.p, line.n))
            break;
        if (it.words > LINE_WORDS || words > words_max ||
            line.p[line.n - 1] == ':' || (code && prose > 0.75))
            break;
        if (steps && n == 0)
            code = prose < 0.75;
        out[n++] = it;
    }
    return n;
}

bool forms_introduces(const struct pool *pool, const struct sentence *s)
{
    return text_of(pool, s)[s->span.len - 1] == ':';
}

/* "one of five locking states": how many items are announced, or max. */
static size_t announced(const char *p, size_t n, size_t max)
{
    static const char *const numbers[] = {"two", "three", "four",  "five",
                                          "six", "seven", "eight", "nine",
                                          "ten", NULL};
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        for (size_t i = 0; numbers[i] != NULL; i++)
            if (strcmp(t.text, numbers[i]) == 0)
                return i + 2 < max ? i + 2 : max;
    return max;
}

size_t forms_items(const struct pool *pool, const struct sentence *s,
                   struct item *out)
{
    struct lines l = {pool, s->passage, s->span.start + s->span.len};
    enum answer_type t = pool->q->type;
    size_t n;

    if (!forms_introduces(pool, s) || (t != ANSWER_LIST && t != ANSWER_HOWTO))
        return 0;
    if (t == ANSWER_HOWTO)
        return lines_read(l, STEP_LINES, STEP_WORDS, true, out);
    n = labels_read(l, announced(text_of(pool, s), s->span.len, ITEMS_MAX),
                    out);
    if (n >= 2)
        return n;
    return lines_read(l, LINES_MAX, STEP_WORDS, false, out);
}

size_t forms_take_items(struct pool *pool, const struct sentence *s)
{
    struct item items[ITEMS_MAX];
    size_t n = forms_items(pool, s, items), words = 0;

    for (size_t k = 0; k < n; k++) {
        words += items[k].words;
        for (size_t i = 0; i < pool->count; i++) {
            struct sentence *o = &pool->s[i];

            if (o->passage == items[k].passage && o != s &&
                o->span.start < items[k].start + items[k].len &&
                items[k].start < o->span.start + o->span.len)
                o->score = FORMS_REFUSED;
        }
    }
    return words;
}

/* A sentence that introduces items is as good as they are. */
static void items_weigh(struct pool *pool, struct sentence *s)
{
    struct item items[ITEMS_MAX];

    if (!forms_introduces(pool, s)) {
        if (pool->q->type == ANSWER_LIST && s->sign[SIGN_FORM] >= ENUMERATES) {
            s->score += ENUMERATION * overlap_share(pool->q, s->loose);
            if (mem_find(text_of(pool, s), s->span.len, " | ") != NULL)
                s->sign[SIGN_PROSE] = 1;
        }
        return;
    }
    if (forms_items(pool, s, items) == 0) {
        s->score += NO_ITEMS;
        return;
    }
    s->score += ITEMS * overlap_share(pool->q, s->loose);
    s->sign[SIGN_PROSE] = 1;
}

void forms_weigh(struct pool *pool)
{
    enum answer_type t = pool->q->type;

    for (size_t i = 0; i < pool->count; i++) {
        struct sentence *s = &pool->s[i];

        if (t != ANSWER_COMPARE && t != ANSWER_LIST && t != ANSWER_HOWTO)
            row_weigh(pool, s);
        label_weigh(pool, s);
        identifiers_weigh(pool, s);
        if (t == ANSWER_YESNO)
            verb_weigh(pool, s);
        if (t == ANSWER_COMPARE)
            sides_weigh(pool, s);
        if (t == ANSWER_LIST || t == ANSWER_HOWTO)
            items_weigh(pool, s);
    }
}
