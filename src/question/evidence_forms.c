/*
 * Signs by the form of a text: definitions, instructions, enumerations,
 * comparisons, table rows; see evidence.h. Pure. Called by evidence.c and
 * answer_forms.c.
 */
#include "question/evidence.h"
#include "question/evidence_text.h"
#include "question/overlap.h"

enum {
    CELLS_MAX = 24,
    LABEL_WORDS = 6, /* of what stands before a colon */
    LABEL_BYTES = 60,
    VALUE_WORDS = 16,
    REMARK_WORDS = 8,
    OPENING_WORDS = 6,
    PART_WORDS = 5
};

static const double KEY_MIN = 0.6; /* share of a cell that the question names */
static const double LABEL_MIN = 0.5;  /* … of a header */
static const double PAIR_NAMED = 0.5; /* … and of the question in a label */
static const double TYPE_CLEAR = 0.8;
static const double LIST_CLEAR = 0.9;
static const double LIST_NAMED = 0.4; /* share of the question */

/* --- definitions --------------------------------------------------------- */

static bool is_form_of(const struct term *word, const struct term *want)
{
    return strncmp(word->text, want->text, want->len) == 0 &&
           word->len <= want->len + 2;
}

/* Does the subject stand at i, one word in it allowed ("WAL journaling
 * mode")? The token behind it, or 0. Plurals and possessives count. */
static size_t subject_at(const struct sentence *s, const struct sentence *want,
                         size_t i)
{
    size_t k = 0, extra = 0;

    while (k < want->n && i < s->n) {
        if (is_form_of(&s->t[i], &want->t[k]))
            k++;
        else if (k == 0 || extra++ > 0)
            return 0;
        i++;
    }
    return k == want->n ? i : 0;
}

/* How well the words from i on define: "is a …", "means …". */
static double verb_of_definition(const struct sentence *s, size_t i)
{
    if (i >= s->n)
        return 0;
    if (word_in(s->t[i].text, "means refers stands denotes describes consists "
                              "refer denote describe"))
        return 1.0;
    if (word_in(s->t[i].text,
                "uses use provides provide allows allow lets let shows show "
                "records record stores store contains contain holds hold "
                "enables enable implements implement represents represent"))
        return 0.7;
    if (!word_in(s->t[i].text, "is are was were") || i + 1 >= s->n)
        return 0;
    if (i + 2 < s->n && word_in(s->t[i + 2].text, "better good great bad more "
                                                  "less different common "
                                                  "problem bit"))
        return 0.3;
    return word_in(s->t[i + 1].text, "a an the one any defined known called")
               ? 1.0
               : 0.5;
}

/* Only an article or quotation mark before the subject. Behind a preposition
 * it is not what the sentence speaks of. */
static double opening(const struct sentence *s, size_t from)
{
    size_t before = from;

    while (before > 0 && word_in(s->t[before - 1].text, "a an the"))
        before--;
    if (before > 0 && word_in(s->t[before - 1].text,
                              "of in to for with from by into on under after"))
        return 0.15;
    if (from == 0 || (from == 1 && word_in(s->t[0].text, "a an the")))
        return 1.0;
    return from < OPENING_WORDS ? 0.5 : 0.25;
}

/* "… is called X", "known as X". */
static bool is_named_before(const struct sentence *s, size_t from)
{
    while (from > 0 && word_in(s->t[from - 1].text, "a an the"))
        from--;
    if (from == 0)
        return false;
    return word_in(s->t[from - 1].text, "called termed dubbed named") ||
           (from > 1 && word_in(s->t[from - 1].text, "as") &&
            word_in(s->t[from - 2].text, "known to"));
}

/* The subject from..to: its verb follows, at most a remark in brackets or
 * commas between them; or a colon, as in a glossary. */
static double defines(const struct sentence *s, size_t from, size_t to)
{
    double best = verb_of_definition(s, to);

    if (is_named_before(s, from))
        return 0.9;
    if (to < s->n && s->p[s->t[to - 1].end] == ':')
        return from > 0                                             ? 0.4
               : word_in(s->t[to].text, "a an the one any another") ? 1.0
                                                                    : 0.8;
    if (best <= 0 && to < s->n &&
        strchr("(,\"", s->p[s->t[to].start - 1]) == NULL &&
        strchr(",\"", s->p[s->t[to - 1].end]) == NULL)
        return 0;
    for (size_t i = to; best <= 0 && i < s->n && i < to + REMARK_WORDS; i++)
        best = verb_of_definition(s, i) * 0.9;
    return opening(s, from) * best;
}

/* Do words from i on begin with the letters of the abbreviation? */
static bool expands_at(const struct sentence *s, size_t i, const char *letters,
                       size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (i + k >= s->n || s->t[i + k].len < 2 ||
            ascii_lower(letters[k]) != s->t[i + k].text[0])
            return false;
    return true;
}

/* Does the sentence spell an abbreviation of the subject out ("write-ahead
 * log" for "WAL")? */
static bool expands(const struct sentence *s, const struct sentence *want)
{
    for (size_t w = 0; w < want->n; w++) {
        const struct term *t = &want->t[w];
        const char *z = want->p + t->start;
        size_t capitals = 0;

        while (t->start + capitals < t->end && z[capitals] >= 'A' &&
               z[capitals] <= 'Z')
            capitals++;
        if (capitals < 3 || t->start + capitals < t->end)
            continue;
        for (size_t i = 0; i < s->n; i++)
            if (expands_at(s, i, z, capitals))
                return true;
    }
    return false;
}

static double definition_form(const struct sentence *s)
{
    struct sentence want;
    double best = 0;

    sentence_read(&want, s->q, s->q->subject, strlen(s->q->subject));
    for (size_t i = 0; want.n > 0 && i < s->n; i++) {
        size_t to = subject_at(s, &want, i);
        double e = to > 0 ? defines(s, i, to) : 0;

        if (to > i + want.n)
            e *= 0.9;
        if (e > best)
            best = e;
    }
    if (want.n > 0 && expands(s, &want))
        best = best + 0.35 > 1 ? 1 : best + 0.35;
    return best;
}

/* --- instructions -------------------------------------------------------- */

static const char imperatives[] =
    "use run call set add create open select click type install "
    "enter choose make put write start change remove configure "
    "build copy execute compile invoke specify pass let mix bake stir "
    "pour heat download connect press turn check apply visit";

/* A word that is part of a command: "--soft", "PRAGMA", "journal_mode=WAL",
 * or something quoted in the manner of code. */
static bool has_command(const struct sentence *s)
{
    size_t capitals = 0;

    if (mem_find(s->p, s->len, " --") != NULL ||
        mem_find(s->p, s->len, "$ ") != NULL)
        return true;
    for (size_t i = 0; i < s->n; i++) {
        const struct term *t = &s->t[i];
        size_t k = t->start;

        while (k < t->end && s->p[k] >= 'A' && s->p[k] <= 'Z')
            k++;
        capitals = k == t->end && t->len > 2 ? capitals + 1 : 0;
        if (capitals >= 2)
            return true;
    }
    return false;
}

static double howto_form(const struct sentence *s)
{
    static const char *const doing[] = {
        "by running",  "by using", "by setting", "by specifying", "run ",
        "use ",        "using ",   "invoking",   "to do this",    "you can ",
        "is used to ", "can be ",  "execute",    "enabled by",    NULL};
    static const char *const means[] = {" command", " statement", " option",
                                        " pragma",  " clause",    " method",
                                        " flag",    " button",    NULL};
    static const char *const weak[] = {"you must", "must be", "step", "first,",
                                       "set the",  " by ",    NULL};
    bool does = has_phrase(s, doing);

    if (s->n > 1 && word_in(s->t[0].text, imperatives))
        return 1.0;
    if (s->n > 2 && s->t[0].len < 3 &&
        strspn(s->t[0].text, "0123456789") == s->t[0].len)
        return 0.9;
    if (does && has_command(s))
        return 1.0;
    if (does && has_phrase(s, means))
        return 0.9;
    return does || has_phrase(s, means) || has_phrase(s, weak) ? 0.6 : 0;
}

/* --- enumerations, comparisons ------------------------------------------- */

static size_t count_of(const struct sentence *s, const char *z)
{
    size_t n = 0;

    for (const char *at = s->p, *end = s->p + s->len;
         (at = mem_find(at, (size_t)(end - at), z)) != NULL; at++)
        n++;
    return n;
}

/* The most short parts in a row between commas: "B-tree, Hash, GiST and". */
static size_t short_parts(const struct sentence *s)
{
    size_t run = 0, best = 0, words = 0;
    bool inside = false; /* behind the first comma */

    for (size_t i = 0; i + 1 < s->n; i++) {
        words++;
        if (memchr(s->p + s->t[i].end, ',', term_gap(&s->t[i], &s->t[i + 1])) ==
            NULL)
            continue;
        run = inside && words <= PART_WORDS ? run + 1 : 0;
        best = run > best ? run : best;
        inside = true;
        words = 0;
    }
    return best;
}

static double list_form(const struct sentence *s)
{
    static const char *const signs[] = {
        "such as", "includ", "consist", "are:",  "namely",  "following",
        "are the", "one of", "types:",  "kinds", "either ", NULL};
    size_t parts = short_parts(s);
    bool sign = has_phrase(s, signs);

    if (count_of(s, " | ") >= 2 && mem_find(s->p, s->len, ": ") == NULL)
        return 1.2; /* alternatives in a syntax are all there are */
    if (parts >= 2 || (parts == 1 && sign))
        return sign || count_of(s, ": ") == 1 ? 1.0 : 0.8;
    if (count_of(s, ",") > 0 || mem_find(s->p, s->len, " and ") != NULL)
        return sign ? 0.6 : 0.4;
    return sign ? 0.4 : 0;
}

static double compare_form(const struct sentence *s)
{
    static const char *const signs[] = {
        "whereas", "while ",   "unlike",     "differ",       " than ",
        "compar",  "contrast", "instead of", "on the other", "however",
        "rather",  "both ",    NULL};

    return has_phrase(s, signs) ? 1.0 : 0;
}

double evidence_of_form(const struct query *q, const char *p, size_t n)
{
    struct sentence s;

    sentence_read(&s, q, p, n);
    switch (q->type) {
    case ANSWER_DEFINITION:
        return definition_form(&s);
    case ANSWER_HOWTO:
        return howto_form(&s);
    case ANSWER_LIST:
        return list_form(&s);
    case ANSWER_COMPARE:
        return compare_form(&s);
    default:
        return 0;
    }
}

/* --- table rows ---------------------------------------------------------- */

size_t row_cells(struct str row, struct cell *out, size_t max)
{
    size_t n = 0;

    while (row.n > 0 && n < max) {
        const char *bar = mem_find(row.p, row.n, " | ");
        struct str one = {row.p, bar == NULL ? row.n : (size_t)(bar - row.p)};
        const char *colon = mem_find(one.p, one.n, ": ");
        size_t head = colon == NULL ? 0 : (size_t)(colon - one.p);
        size_t from = colon == NULL ? 0 : head + 1;

        out[n].head = str_trim((struct str){one.p, head});
        out[n].value = str_trim((struct str){one.p + from, one.n - from});
        n++;
        row = bar == NULL ? (struct str){row.p + row.n, 0}
                          : (struct str){bar + 3, row.n - one.n - 3};
    }
    return n;
}

/* Share of the text's content words that the question names; *words: how
 * many it has. */
static double named_share(const struct query *q, struct str text, size_t *words)
{
    struct sentence s;
    size_t named = 0;

    sentence_read(&s, q, text.p, text.n);
    *words = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (term_is_stop(s.t[i].text, s.t[i].len) ||
            word_in(s.t[i].text, "per number"))
            continue;
        ++*words;
        named += in_question(&s, i) ? 1 : 0;
    }
    return *words == 0 ? 0 : (double)named / (double)*words;
}

static bool has_value_type(enum answer_type t)
{
    return t == ANSWER_NUMBER || t == ANSWER_DATE || t == ANSWER_PERSON ||
           t == ANSWER_PLACE;
}

/* In a cell every number is meant as one, a year's four digits too. */
static bool is_of_type(const struct query *q, struct str value)
{
    if (q->type == ANSWER_NUMBER)
        for (size_t i = 0; i < value.n; i++)
            if (ascii_is_digit(value.p[i]))
                return true;
    return evidence_of(q, value.p, value.n) >= TYPE_CLEAR;
}

/* What the cell tells of what is asked for: its label is asked for, or its
 * value is of the type. */
static double tells(const struct query *q, const struct cell *c)
{
    size_t words;

    bool asked = named_share(q, c->head, &words) >= LABEL_MIN;

    if (has_value_type(q->type) && !is_of_type(q, c->value))
        return 0;
    if (asked)
        return 1.0;
    if (has_value_type(q->type))
        return 0.8;
    return q->type == ANSWER_DEFINITION ? 0.6 : 0;
}

/* "Founded: 1998": the label alone is what is asked for. */
static double pair_fact(const struct query *q, const struct cell *c)
{
    size_t words, value;

    (void)named_share(q, c->value, &value);
    if (c->head.n == 0 || value == 0 || value > VALUE_WORDS ||
        named_share(q, c->head, &words) < 1.0 || words > LABEL_WORDS ||
        overlap_share(q, overlap_mask_loose(q, c->head.p, c->head.n)) <
            PAIR_NAMED)
        return 0;
    return !has_value_type(q->type) || is_of_type(q, c->value) ? 0.8 : 0;
}

/* A row of a table: cells "header: value" with " | " between them. */
static bool is_row(const char *p, size_t n)
{
    return mem_find(p, n, " | ") != NULL && mem_find(p, n, ": ") != NULL;
}

double evidence_row(const struct query *q, const char *p, size_t n)
{
    struct cell cells[CELLS_MAX];
    size_t count = row_cells((struct str){p, n}, cells, CELLS_MAX), words;
    double best = count == 1 ? pair_fact(q, &cells[0]) : 0;

    if (count > 1 && !is_row(p, n))
        return 0;
    for (size_t k = 0; k < count && count > 1; k++) {
        double key = named_share(q, cells[k].value, &words);

        if (key < KEY_MIN || words == 0)
            continue;
        for (size_t i = 0; i < count; i++) {
            double e = i == k ? 0 : key * tells(q, &cells[i]);

            if (e > best)
                best = e;
        }
    }
    return best;
}

/* --- passages ------------------------------------------------------------ */

/* The length of the first sentence of a line, roughly. */
static size_t sentence_length(struct str line)
{
    for (size_t i = 0; i + 2 < line.n; i++)
        if (strchr(".!?", line.p[i]) != NULL && line.p[i + 1] == ' ' &&
            line.p[i + 2] >= 'A' && line.p[i + 2] <= 'Z')
            return i + 1;
    return line.n;
}

/* An enumeration, or what introduces one, of what the question names. */
static double list_statement(const struct query *q, const char *p, size_t n)
{
    double named = overlap_share(q, overlap_mask_loose(q, p, n));
    double form = p[n - 1] == ':' ? 1.0 : evidence_of_form(q, p, n);

    return form < LIST_CLEAR || named < LIST_NAMED ? 0 : form * named;
}

/* "max_connections (integer): …": an entry about what the question names. */
static double entry_statement(const struct query *q, struct str line)
{
    const char *colon = mem_find(line.p, line.n, ": ");
    size_t n = colon == NULL ? 0 : (size_t)(colon - line.p);
    double named;
    size_t words;

    if (n == 0 || n > LABEL_BYTES)
        return 0;
    named = named_share(q, (struct str){line.p, n}, &words);
    return named < KEY_MIN
               ? 0
               : named * overlap_share(q, overlap_mask_loose(q, line.p, n));
}

/* How many sides of the comparison a text names, as a share, and how it
 * does. */
static double compare_statement(const struct query *q, const char *p, size_t n)
{
    uint64_t mask = overlap_mask_loose(q, p, n);

    for (size_t i = 0; i < q->side_count; i++)
        if ((mask & q->side_terms[i]) == 0)
            return 0;
    return q->side_count == 0 ? 0 : 0.4 + 0.6 * evidence_of_form(q, p, n);
}

static double statement(const struct query *q, const char *p, size_t n)
{
    switch (q->type) {
    case ANSWER_LIST:
        return list_statement(q, p, n);
    case ANSWER_COMPARE:
        return compare_statement(q, p, n);
    default:
        break;
    }
    if (is_row(p, n))
        return evidence_row(q, p, n) *
               overlap_share(q, overlap_mask_loose(q, p, n));
    return q->type == ANSWER_DEFINITION ? evidence_of_form(q, p, n) : 0;
}

static bool is_told_by_sentence(const struct query *q)
{
    return q->type == ANSWER_DEFINITION || q->type == ANSWER_LIST ||
           q->type == ANSWER_COMPARE;
}

static bool has_entries(const struct query *q)
{
    return !is_told_by_sentence(q) && q->type != ANSWER_HOWTO;
}

double evidence_of_passage(const struct query *q, const char *text)
{
    bool sentences = is_told_by_sentence(q) || strstr(text, " | ") != NULL;
    double best = 0;

    while (*text != '\0') {
        struct str line = {text, strcspn(text, "\n")};
        double e = has_entries(q) ? entry_statement(q, line) : 0;

        best = e > best ? e : best;
        text += line.n + (text[line.n] == '\n' ? 1 : 0);
        while (sentences && line.n > 0) {
            size_t n = sentence_length(line);

            e = statement(q, line.p, n);
            best = e > best ? e : best;
            n += n < line.n ? 1 : 0;
            line.p += n;
            line.n -= n;
        }
    }
    return best;
}
