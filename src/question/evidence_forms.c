/* Does a text define the subject of an English question? Pure. Called by
 * evidence.c. */
#include "question/evidence.h"
#include "question/evidence_text.h"

enum { REMARK_WORDS = 8, OPENING_WORDS = 6 };

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

/* The subject without where it is at home: "decorator" of "decorator in
 * Python". */
static size_t subject_length(const struct sentence *s)
{
    const struct question_words *k = question_words_of(s->q->lang);
    struct sentence all;

    sentence_read(&all, s->q, s->q->subject, strlen(s->q->subject));
    for (size_t i = 1; k != NULL && i < all.n; i++)
        if (word_in(all.t[i].text, k->within))
            return all.t[i].start;
    return strlen(s->q->subject);
}

double evidence_defines(const struct sentence *s)
{
    struct sentence want;
    double best = 0;

    sentence_read(&want, s->q, s->q->subject, subject_length(s));
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
