/*
 * Signs of an answer in a sentence of another language than English; see
 * question.h. As evidence.c, by the words of lang/words.h. Called by
 * evidence.c.
 */
#include "question/question.h"

#include "base/str.h"
#include "text/fold.h"
#include "text/terms.h"

#include <string.h>

enum { TOKENS_MAX = 160, SUBJECT_WORDS = 8 };

struct sentence {
    const struct query *q;
    const struct question_words *k;
    const char *p;
    size_t len;
    struct term t[TOKENS_MAX];
    size_t n;
};

static void sentence_read(struct sentence *s, const struct query *q,
                          const char *p, size_t n)
{
    struct term_iter it;

    s->q = q;
    s->k = question_words_of(q->lang);
    s->p = p;
    s->len = n;
    s->n = 0;
    terms_init(&it, p, n);
    while (s->n < TOKENS_MAX && tokens_next(&it, &s->t[s->n]))
        s->n++;
}

static bool is_digits(const struct term *t)
{
    return t->len > 0 && strspn(t->text, "0123456789") == t->len;
}

static bool is_year(const struct term *t)
{
    return t->len == 4 && is_digits(t) &&
           (t->text[0] == '1' || (t->text[0] == '2' && t->text[1] == '0'));
}

/* A word of the question, or a form of one. */
static bool in_question(const struct sentence *s, size_t i)
{
    for (size_t k = 0; k < s->q->term_count; k++) {
        const char *stem = s->q->terms[k].text;
        size_t n = strlen(stem);

        if (strcmp(s->q->words[k], s->t[i].text) == 0 ||
            (n >= 4 && (unsigned char)stem[0] < 0xE0 &&
             strncmp(stem, s->t[i].text, n) == 0 && s->t[i].len <= n + 6))
            return true;
    }
    return false;
}

static bool holds(const struct sentence *s, const char *list)
{
    return question_text_has(s->p, s->len, list);
}

static bool has_word(const struct sentence *s, const char *list)
{
    if (s->k->unspaced)
        return holds(s, list);
    for (size_t i = 0; i < s->n; i++)
        if (word_in(s->t[i].text, list))
            return true;
    return false;
}

static bool is_stop(const struct sentence *s, size_t i)
{
    return lang_is_stop(s->q->lang, s->t[i].text, s->t[i].len);
}

/* --- numbers and dates --------------------------------------------------- */

/* The noun asked for, within a few words behind the number. */
static bool noun_follows(const struct sentence *s, size_t i)
{
    const char *noun;
    size_t n;

    if (s->q->focus >= s->q->term_count)
        return false;
    noun = s->q->terms[s->q->focus].text;
    n = strlen(noun);
    for (size_t k = i + 1; k < s->n && k <= i + 4; k++)
        if (strncmp(s->t[k].text, noun, n) == 0)
            return true;
    return false;
}

/* Does something that is counted or measured stand behind the number? */
static bool unit_follows(const struct sentence *s, size_t i)
{
    static const char year[] = "年";
    size_t end = s->t[i].end, gap;

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

static double number_evidence(const struct sentence *s)
{
    double best = 0;

    for (size_t i = 0; i < s->n; i++) {
        bool unit = unit_follows(s, i);
        double e = 0;

        if (in_question(s, i))
            continue;
        if (is_year(&s->t[i]) && !unit)
            e = 0.4;
        else if (ascii_is_digit(s->t[i].text[0]))
            e = unit ? 1.0 : 0.7;
        else if (word_in(s->t[i].text, s->k->count))
            e = 0.8;
        if (e > 0.4 && noun_follows(s, i))
            e = 1.4;
        if (e > best)
            best = e;
    }
    return best;
}

static double date_evidence(const struct sentence *s)
{
    double best = 0;

    for (size_t i = 0; i < s->n; i++) {
        double e = 0;

        if (in_question(s, i))
            continue;
        if (is_year(&s->t[i]) && (s->k->unspaced || !unit_follows(s, i)))
            e = 1.0;
        else if (word_in(s->t[i].text, s->k->months))
            e = 0.9;
        else if (ascii_is_digit(s->t[i].text[0]))
            e = 0.5;
        else if (word_in(s->t[i].text, s->k->times))
            e = 0.35;
        if (e > best)
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
           !is_stop(s, i) && !word_in(s->t[i].text, s->k->months);
}

static bool pair_begins(const struct sentence *s, size_t i)
{
    return i + 1 < s->n && is_capital(s, i + 1) && !is_stop(s, i + 1) &&
           term_gap(&s->t[i], &s->t[i + 1]) <= 3;
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
        e = pair_begins(s, i)     ? 1.0
            : i == 0              ? 0.2
            : s->k->nouns_capital ? 0.5
                                  : 0.7;
        best = e > best ? e : best;
    }
    return best;
}

static double place_evidence(const struct sentence *s)
{
    double best = 0;

    if (s->k->unspaced)
        return holds(s, s->k->in) ? 1.0 : 0.3;
    for (size_t i = 1; i < s->n; i++) {
        size_t before =
            i > 1 && is_stop(s, i - 1) && !word_in(s->t[i - 1].text, s->k->in)
                ? i - 2
                : i - 1;
        bool in = word_in(s->t[before].text, s->k->in);
        double e = 0;

        if (is_new_name(s, i))
            e = in ? 1.0 : s->k->nouns_capital ? 0.4 : 0.6;
        best = e > best ? e : best;
    }
    return best;
}

/* --- sentence forms ------------------------------------------------------ */

/* Where the sentence names the subject, as bytes. Word for word where words
 * are parted: letters of any script fold. */
static bool subject_find(const struct sentence *s, size_t *start, size_t *end)
{
    const char *z = s->q->subject, *at;
    struct term want[SUBJECT_WORDS];
    struct term_iter it;
    size_t n = 0, k;

    if (s->k->unspaced) {
        at = mem_find_i(s->p, s->len, z);
        *start = at == NULL ? 0 : (size_t)(at - s->p);
        *end = *start + strlen(z);
        return z[0] != '\0' && at != NULL;
    }
    terms_init(&it, z, strlen(z));
    while (n < SUBJECT_WORDS && tokens_next(&it, &want[n]))
        n++;
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

static double list_evidence(const struct sentence *s)
{
    size_t commas = 0;

    for (size_t i = 0; i < s->len; i++)
        commas += s->p[i] == ',' || s->p[i] == ';';
    for (const char *z = s->p; s->k->unspaced; z += 3, commas++) {
        z = mem_find(z, s->len - (size_t)(z - s->p), "、");
        if (z == NULL)
            break;
    }
    return commas >= 2 ? 0.9 : commas == 1 ? 0.5 : 0;
}

double question_evidence(const struct query *q, const char *p, size_t n)
{
    struct sentence s;

    sentence_read(&s, q, p, n);
    if (s.k == NULL)
        return 0;
    switch (q->type) {
    case ANSWER_NUMBER:
        return number_evidence(&s);
    case ANSWER_DATE:
        return date_evidence(&s);
    case ANSWER_PERSON:
        return person_evidence(&s);
    case ANSWER_PLACE:
        return place_evidence(&s);
    case ANSWER_DEFINITION:
        return definition_evidence(&s);
    case ANSWER_REASON:
        return has_word(&s, s.k->because) ? 1.0 : 0;
    case ANSWER_HOWTO:
        return 0.3;
    case ANSWER_LIST:
        return list_evidence(&s);
    case ANSWER_COMPARE:
    case ANSWER_ANY:
    case ANSWER_YESNO:
        break;
    }
    return 0;
}
