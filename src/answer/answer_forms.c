/* The forms of answers; see answer_forms.h. Pure. */
#include "answer/answer_forms.h"
#include "answer/answer_items.h"
#include "question/evidence.h"
#include "question/overlap.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

enum { LABEL_WORDS = 6, ENTRY_SENTENCES = 3, VERB_REACH = 2 };

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
static const double INSTRUCTION = 3.0;
static const double INSTRUCTS = 1.2;  /* of the evidence for steps */
static const double ENUMERATES = 0.9; /* of list evidence */
static const double BOTH_SIDES = 4.0;
static const double ONE_SIDE = 0.5;
static const double ITEMS = 5.0;
static const double NO_ITEMS = -4.0;
static const double SIDE_PROSE = 0.6;

/* --- rows ---------------------------------------------------------------- */

static void row_weigh(struct pool *pool, struct sentence *s)
{
    double row = evidence_row(pool->q, sentence_text(pool, s), s->span.len);

    if (row <= 0 || overlap_share(pool->q, s->reach) < ROW_REACH)
        return;
    s->score += ROW * row * overlap_share(pool->q, s->reach);
    s->sign[SIGN_PROSE] = 1;
    s->sign[SIGN_TYPE] = row;
}

/* --- labels -------------------------------------------------------------- */

/* "work_mem (integer): …": what the whole entry speaks of. */
static void label_weigh(struct pool *pool, struct sentence *s)
{
    struct str line = sentence_line(pool, s);
    const char *colon = mem_find(line.p, line.n, ": ");
    size_t n = colon == NULL ? 0 : (size_t)(colon - line.p);
    uint64_t mask;
    double named;

    if (n == 0 || evidence_is_row(line.p, line.n) ||
        words_count((struct str){line.p, n}) > LABEL_WORDS)
        return;
    named = evidence_named(pool->q, line.p, n);
    if (named < LABEL_NAMED)
        return;
    mask = overlap_mask_loose(pool->q, line.p, n);
    s->score += LABEL * named * overlap_share(pool->q, mask);
    if (pool->q->type == ANSWER_DEFINITION && sentence_text(pool, s) != line.p)
        s->score += DEFINED;
    s->sign[SIGN_CONTEXT] += overlap_share(pool->q, mask & ~s->reach);
    s->reach |= mask;
}

/* --- yes or no ----------------------------------------------------------- */

/* "Is SQLite threadsafe?" is answered by "SQLite is threadsafe", and not by
 * "If SQLite is …": the question's verb stands behind one of its words, another
 * one follows. */
static void verb_weigh(struct pool *pool, struct sentence *s)
{
    const struct query *q = pool->q;
    const char *p = sentence_text(pool, s);
    struct term_iter it;
    struct term verb, t;
    uint64_t mask, last = 0, subject = 0;
    size_t since = VERB_REACH + 1, at = 0;

    terms_init(&it, q->text, strlen(q->text));
    if (!tokens_next(&it, &verb))
        return;
    terms_init(&it, p, s->span.len);
    for (; tokens_next(&it, &t); at++, last = mask) {
        mask = overlap_mask_loose(q, p + t.start, t.end - t.start);
        if (at == 0 &&
            (strcmp(t.text, "if") == 0 || strcmp(t.text, "when") == 0))
            return;
        if (last != 0 && strcmp(t.text, verb.text) == 0) {
            subject = last;
            since = 0;
        } else if (since++ < VERB_REACH && (mask & ~subject) != 0) {
            s->score += VERB * overlap_share(q, subject | mask);
            return;
        }
    }
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

/* Is the line an entry about another identifier? */
static bool is_of_another(struct str id, struct str line)
{
    const char *colon = mem_find(line.p, line.n, ": ");
    struct str label = {line.p, colon == NULL ? 0 : (size_t)(colon - line.p)};

    label.n = label.n < line.n &&
                      words_count((struct str){label.p, label.n}) <= LABEL_WORDS
                  ? label.n
                  : 0;
    return memchr(label.p, '_', label.n) != NULL &&
           identifier_held(id, label.p, label.n) <= 0;
}

/* "work_mem" is not "maintenance_work_mem". */
static void identifiers_weigh(struct pool *pool, struct sentence *s)
{
    size_t at = 0;
    struct str id, line = sentence_line(pool, s);

    while (identifier_next(pool->q->text, &at, &id)) {
        int held = identifier_held(id, line.p, line.n);

        if (held < 0 || is_of_another(id, line))
            s->score -= IDENTIFIER;
        else if (held > 0)
            s->score += IDENTIFIER;
    }
}

/* --- sides --------------------------------------------------------------- */

/* Does the set hold the word that tells the side from the others: the
 * heaviest of its own, the first of equals? */
static bool side_held(const struct query *q, size_t side, uint64_t mask)
{
    size_t best = q->term_count;

    for (size_t i = 0; i < q->term_count; i++)
        if ((q->side_terms[side] >> i & 1) != 0 &&
            (best == q->term_count ||
             overlap_weight(q, (uint64_t)1 << i) >
                 overlap_weight(q, (uint64_t)1 << best) + 1e-9))
            best = i;
    return best < q->term_count && (mask >> best & 1) != 0;
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

/* Which sides of the comparison the sentence speaks of, as bits. */
static unsigned sides_of(const struct pool *pool, const struct sentence *s)
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
        if (is_plain_side(q, i) &&
            !says_plain(sentence_text(pool, s), s->span.len))
            held &= ~(1u << i);
    return held;
}

static void sides_weigh(struct pool *pool, struct sentence *s)
{
    unsigned held = sides_of(pool, s);

    if (held == (1u << pool->q->side_count) - 1)
        s->score += evidence_is_enumeration(pool->q, sentence_text(pool, s),
                                            s->span.len)
                        ? ONE_SIDE
                        : BOTH_SIDES;
    else if (held != 0)
        s->score += ONE_SIDE;
}

struct sentence *forms_missing_side(struct pool *pool)
{
    struct sentence *best = NULL;
    unsigned said = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (pool->s[i].taken)
            said |= sides_of(pool, &pool->s[i]);
    for (size_t i = 0; i < pool->count; i++) {
        struct sentence *s = &pool->s[i];

        if (!s->taken && (sides_of(pool, s) & ~said) != 0 &&
            s->sign[SIGN_PROSE] >= SIDE_PROSE &&
            (best == NULL || s->score > best->score))
            best = s;
    }
    return best;
}

/* --- items ---------------------------------------------------------------- */

/* An entry's explanation goes on behind its first sentence. */
static void entry_go_on(struct pool *pool, const struct sentence *lead)
{
    struct str line = sentence_line(pool, lead);
    size_t i = (size_t)(lead - pool->s);

    if (pool->q->type != ANSWER_DEFINITION ||
        sentence_text(pool, lead) != line.p ||
        mem_find(line.p, lead->span.len, ": ") == NULL)
        return;
    for (size_t k = 1; k <= ENTRY_SENTENCES && i + k < pool->count; k++) {
        struct sentence *s = &pool->s[i + k];
        double least = lead->score - 0.1 * (double)k;

        if (s->passage != lead->passage ||
            s->span.start > lead->span.start + line.n)
            break;
        s->score = s->score < least ? least : s->score;
    }
}

size_t forms_take_lead(struct pool *pool, const struct sentence *lead)
{
    size_t words = forms_take_items(pool, lead);

    entry_go_on(pool, lead);
    return pool->q->type == ANSWER_LIST && words > 0 ? FORMS_COMPLETE : words;
}

size_t forms_take_items(struct pool *pool, const struct sentence *s)
{
    struct item items[ITEMS_MAX];
    size_t n = items_read(pool, s, items), words = 0;

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

    if (!items_introduced(pool, s)) {
        if (pool->q->type == ANSWER_HOWTO && s->sign[SIGN_FORM] >= INSTRUCTS)
            s->score += INSTRUCTION * overlap_share(pool->q, s->loose);
        if (pool->q->type == ANSWER_LIST && s->sign[SIGN_FORM] >= ENUMERATES) {
            s->score += ENUMERATION * overlap_share(pool->q, s->loose);
            if (mem_find(sentence_text(pool, s), s->span.len, " | ") != NULL)
                s->sign[SIGN_PROSE] = 1;
        }
        return;
    }
    if (items_read(pool, s, items) == 0) {
        if (sentence_text(pool, s)[s->span.len - 1] == ':')
            s->score += NO_ITEMS;
        return;
    }
    s->score +=
        ITEMS *
        overlap_share(pool->q, items_is_entry(pool, s) ? s->reach : s->loose);
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
