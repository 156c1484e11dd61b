/* Signs of an answer in a sentence, by the words its language has for them
 * (lang/words.h); see evidence.h. Pure. Called by answer_extract and
 * structured_value. */
#include "question/evidence.h"
#include "question/overlap.h"
#include "question/evidence_text.h"

#include "reading/unit.h"
#include "text/fold.h"

enum { SUBJECT_WORDS = 8 };

static bool is_english(const struct sentence *s)
{
    return s->q->lang == LANG_EN;
}

static bool is_stop(const struct sentence *s, size_t i)
{
    return lang_is_stop(s->q->lang, s->t[i].text, s->t[i].len);
}

/* Does the sentence, in an unspaced script, hold one of the words? */
static bool holds(const struct sentence *s, const char *list)
{
    return question_text_has(s->p, s->len, list);
}

static bool is_listed(const struct sentence *s, size_t i, const char *list)
{
    return word_in(s->t[i].text, list);
}

/* The name of a month that is no other word. */
static bool is_month(const struct sentence *s, size_t i)
{
    return is_listed(
        s, i, s->k->month_names != NULL ? s->k->month_names : s->k->months);
}

/* --- numbers and dates --------------------------------------------------- */

static bool is_digits(const struct term *t)
{
    return t->len > 0 && strspn(t->text, "0123456789") == t->len;
}

static bool is_year(const struct term *t)
{
    return t->len == 4 && is_digits(t) &&
           (t->text[0] == '1' || (t->text[0] == '2' && t->text[1] == '0'));
}

/* Also in one word, "4GB", and behind the number in words: "five (5) seconds".
 */
static bool english_unit_follows(const struct sentence *s, size_t i)
{
    const char *z = s->p + s->t[i].end;
    const char *end = s->p + s->len;

    if (unit_measures(s->t[i].text, false))
        return true;
    if (z < end && *z == ')' && s->t[i].start > 0 &&
        s->p[s->t[i].start - 1] == '(')
        z++;
    if (z < end && (*z == '%' || *z == ' ' || *z == '-'))
        return *z == '%' || (z + 1 < end && ascii_is_alpha(z[1]) &&
                             i + 1 < s->n && !is_stop(s, i + 1));
    return false;
}

/* Does something that is counted or measured stand behind the number? */
static bool unit_follows(const struct sentence *s, size_t i)
{
    static const char year[] = "年";
    size_t end = s->t[i].end, gap;

    if (is_english(s))
        return english_unit_follows(s, i);
    if (end < s->len && s->p[end] == '%')
        return true;
    if (i + 1 >= s->n || is_stop(s, i + 1))
        return false;
    gap = term_gap(&s->t[i], &s->t[i + 1]);
    if (gap > 3)
        return false;
    if (s->k->unspaced)
        return strncmp(s->p + s->t[i + 1].start, year, sizeof(year) - 1) != 0;
    return !ascii_is_digit(s->t[i + 1].text[0]) &&
           memchr(s->p + end, '.', gap) == NULL &&
           memchr(s->p + end, ',', gap) == NULL &&
           !word_in(s->t[i + 1].text, s->k->months) &&
           !word_in(s->t[i + 1].text, s->k->times);
}

/* Of English a number of any kind and one that is none in particular count
 * for more. */
static double number_evidence(const struct sentence *s)
{
    double bare = is_english(s) ? 0.8 : 0.7, best = 0;

    for (size_t i = 0; i < s->n; i++) {
        double e = 0;

        if (ascii_is_digit(s->t[i].text[0]))
            e = unit_follows(s, i) ? 1.0 : is_year(&s->t[i]) ? 0.4 : bare;
        else if (is_listed(s, i, s->k->count))
            e = 0.8;
        else if (is_listed(s, i, s->k->few))
            e = 0.3;
        if (e > best && !in_question(s, i))
            best = e;
    }
    return best;
}

static double date_evidence(const struct sentence *s)
{
    bool counted = is_english(s) || s->k->unspaced;
    double best = 0;

    for (size_t i = 0; i < s->n; i++) {
        double e = 0;

        if ((is_year(&s->t[i]) && (counted || !unit_follows(s, i))) ||
            is_listed(s, i, s->k->years))
            e = 1.0;
        else if (is_month(s, i) || is_listed(s, i, s->k->periods))
            e = 0.9;
        else if (ascii_is_digit(s->t[i].text[0]))
            e = 0.5;
        else if (is_listed(s, i, s->k->times))
            e = 0.35;
        if (e > best && !in_question(s, i))
            best = e;
    }
    if (s->k->unspaced && best > 0 && best < 0.9 &&
        mem_find(s->p, s->len, "世紀") == NULL &&
        mem_find(s->p, s->len, "世纪") == NULL &&
        mem_find(s->p, s->len, "年") == NULL)
        best = 0.3;
    return best;
}

/* --- names --------------------------------------------------------------- */

static bool is_capital(const struct sentence *s, size_t i)
{
    uint32_t cp;

    utf8_decode(s->p + s->t[i].start, s->len - s->t[i].start, &cp);
    return char_is_upper(cp);
}

static bool is_new_name(const struct sentence *s, size_t i)
{
    return is_capital(s, i) && !in_question(s, i) && s->t[i].len > 1 &&
           !is_stop(s, i) && !is_month(s, i);
}

/* Written as a name is, not as an abbreviation or an identifier. */
static bool is_spelled_name(const struct sentence *s, size_t i)
{
    const struct term *t = &s->t[i];
    bool joined = (t->end < s->len && s->p[t->end] == '_') ||
                  (t->start > 0 && s->p[t->start - 1] == '_');
    bool lower = false;

    for (size_t k = t->start + 1; k < t->end; k++)
        lower = lower || (s->p[k] >= 'a' && s->p[k] <= 'z') ||
                (unsigned char)s->p[k] >= 0x80;
    return lower && !joined;
}

/* Does a name of two words begin at i? */
static bool pair_begins(const struct sentence *s, size_t i)
{
    if (i + 1 >= s->n || !is_capital(s, i + 1) ||
        term_gap(&s->t[i], &s->t[i + 1]) > 3)
        return false;
    return is_english(s) ? s->t[i + 1].len == 1 || is_spelled_name(s, i + 1)
                         : !is_stop(s, i + 1);
}

/* Without capitals nothing tells a name: the middle. */
static double person_evidence(const struct sentence *s)
{
    double best = 0;

    if (s->k->unspaced)
        return 0.5;
    for (size_t i = 0; i < s->n; i++) {
        double e;

        if (!is_new_name(s, i))
            continue;
        e = is_english(s) && !is_spelled_name(s, i) ? 0.1
            : pair_begins(s, i)                     ? 1.0
            : i == 0                                ? 0.2
            : s->k->nouns_capital                   ? 0.5
                                                    : 0.7;
        best = e > best ? e : best;
    }
    return best;
}

/* The word before token i that may lead to a place: an article between them
 * is looked past. */
static size_t leading(const struct sentence *s, size_t i)
{
    bool article = is_english(s)
                       ? strcmp(s->t[i - 1].text, "the") == 0
                       : is_stop(s, i - 1) && !is_listed(s, i - 1, s->k->in);

    return i > 1 && article ? i - 2 : i - 1;
}

static double place_evidence(const struct sentence *s)
{
    double best = 0;

    if (s->k->unspaced)
        return holds(s, s->k->in) ? 1.0 : 0.3;
    for (size_t i = 1; i < s->n; i++) {
        size_t before = leading(s, i);
        double e = is_listed(s, before, s->k->within) ? 0.3 : 0;

        if (is_new_name(s, i))
            e = is_listed(s, before, s->k->in) ? 1.0
                : s->k->nouns_capital          ? 0.4
                                               : 0.6;
        best = e > best ? e : best;
    }
    return best;
}

/* --- sentence forms ------------------------------------------------------ */

static bool holds_word(const struct sentence *s, const char *list)
{
    if (s->k->unspaced)
        return holds(s, list);
    for (size_t i = 0; i < s->n; i++)
        if (is_listed(s, i, list))
            return true;
    return false;
}

/* Where the sentence names the subject, as bytes. Word for word where words
 * are parted: letters of any script fold. */
static bool subject_find(const struct sentence *s, size_t *start, size_t *end)
{
    const char *z = s->q->subject, *at;
    struct term want[SUBJECT_WORDS];
    size_t n, k;

    if (s->k->unspaced) {
        at = mem_find_i(s->p, s->len, z);
        *start = at == NULL ? 0 : (size_t)(at - s->p);
        *end = *start + strlen(z);
        return z[0] != '\0' && at != NULL;
    }
    n = tokens_read(z, strlen(z), want, SUBJECT_WORDS);
    for (size_t i = 0; n > 0 && i + n <= s->n; i++) {
        for (k = 0; k < n; k++)
            if (strcmp(want[k].text, s->t[i + k].text) != 0)
                break;
        if (k < n)
            continue;
        *start = s->t[i].start;
        *end = s->t[i + n - 1].end;
        return true;
    }
    return false;
}

/* The subject opens the sentence and a verb of being follows it. */
static double definition_evidence(const struct sentence *s)
{
    size_t start, end;
    bool verb = false;

    if (!subject_find(s, &start, &end))
        return 0;
    if (s->k->unspaced)
        verb = holds(s, s->k->is);
    for (size_t i = 0; i < s->n && !verb; i++)
        verb = s->t[i].start >= end && s->t[i].start < end + 40 &&
               word_in(s->t[i].text, s->k->is);
    /* Russian leaves the verb out and sets a dash. */
    if (!verb)
        verb = mem_find(s->p + end, s->len - end < 8 ? s->len - end : 8,
                        "\xE2\x80\x94") != NULL;
    return (start < 12 ? 1.0 : start < 40 ? 0.5 : 0.25) * (verb ? 1.0 : 0.2);
}

/* Is there any sign of such an answer? */
static bool is_told(enum answer_type t)
{
    return t != ANSWER_HOWTO && t != ANSWER_LIST && t != ANSWER_COMPARE &&
           t != ANSWER_ANY && t != ANSWER_YESNO;
}

double evidence_of(const struct query *q, const char *p, size_t n)
{
    uint64_t signs = q->about & q->signs; /* "the <<- operator" */
    struct sentence s;

    if (!is_told(q->type) || question_words_of(q->lang) == NULL)
        return 0;
    if (q->type == ANSWER_DEFINITION && signs != 0 &&
        (overlap_mask(q, p, n) & signs) == 0)
        return 0;
    sentence_read(&s, q, p, n);
    switch (q->type) {
    case ANSWER_NUMBER:
        return number_evidence(&s);
    case ANSWER_DATE:
        return date_evidence(&s);
    case ANSWER_PERSON:
        return person_evidence(&s);
    case ANSWER_PLACE:
        return place_evidence(&s);
    case ANSWER_REASON:
        return holds_word(&s, s.k->because) ? 1.0 : 0;
    case ANSWER_DEFINITION:
        return is_english(&s) ? evidence_defines(&s) : definition_evidence(&s);
    case ANSWER_HOWTO:
    case ANSWER_LIST:
    case ANSWER_COMPARE:
    case ANSWER_ANY:
    case ANSWER_YESNO:
        break;
    }
    return 0;
}

bool evidence_decides(const struct query *q, const char *p, size_t n)
{
    const struct question_words *k = question_words_of(q->lang);
    struct sentence s;

    if (k == NULL || k->decides == NULL)
        return false;
    sentence_read(&s, q, p, n);
    return holds_word(&s, k->decides);
}

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
