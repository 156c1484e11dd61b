/* Signs of an answer in a sentence; see evidence.h. Pure. Called by
 * answer_extract and structured_value. */
#include "question/evidence.h"
#include "question/evidence_text.h"
#include "question/question.h"

/* --- numbers and dates --------------------------------------------------- */

static const char number_words[] =
    "two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty "
    "fifty sixty seventy eighty ninety hundred hundreds thousand thousands "
    "million millions billion billions trillion dozen half third quarter "
    "twice double triple";

static const char month_words[] =
    "january february march april june july august september october november "
    "december";

static const char weekday_words[] =
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays "
    "wednesdays thursdays fridays saturdays sundays";

static bool is_digits(const struct term *t)
{
    return t->len > 0 && strspn(t->text, "0123456789") == t->len;
}

static bool is_year(const struct term *t)
{
    return t->len == 4 && is_digits(t) &&
           (t->text[0] == '1' || (t->text[0] == '2' && t->text[1] == '0'));
}

static bool unit_follows(const struct sentence *s, size_t i)
{
    const char *z = s->p + s->t[i].end;
    const char *end = s->p + s->len;

    if (z < end && (*z == '%' || *z == ' ' || *z == '-'))
        return *z == '%' ||
               (z + 1 < end && ascii_is_alpha(z[1]) && i + 1 < s->n &&
                !term_is_stop(s->t[i + 1].text, s->t[i + 1].len));
    return false;
}

/* The units that measure what the question asks for, by a word of it. */
static const char *units_asked(const struct query *q)
{
    static const struct {
        const char *words, *units;
    } all[] = {
        {"size large big capacity memory storage",
         "byte bytes kb mb gb tb kib mib gib kilobyte kilobytes megabyte "
         "megabytes gigabyte gigabytes terabyte terabytes"},
        {"tall high long wide deep far height length width depth distance "
         "altitude elevation",
         "m metre metres meter meters km kilometres kilometers mile miles "
         "feet foot ft cm mm inches"},
        {"old duration age often quickly",
         "second seconds minute minutes hour hours day days week weeks month "
         "months year years ms milliseconds"},
        {"percent percentage proportion share fraction",
         "percent half third quarter"},
        {"expensive cost costs price salary budget revenue fee",
         "dollar dollars euro euros pounds million billion cents"},
        {"heavy weight mass", "kg kilograms tonnes tons grams pounds g"},
        {"hot cold temperature", "degrees celsius fahrenheit kelvin c f"}};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        for (size_t k = 0; k < q->term_count; k++)
            if (word_in(q->words[k], all[i].words))
                return all[i].units;
    return NULL;
}

/* Does one of these units, or a percent sign, stand behind the number? */
static bool unit_is(const struct sentence *s, size_t i, const char *units)
{
    const char *z = s->p + s->t[i].end;

    if (z < s->p + s->len && *z == '%')
        return word_in("percent", units);
    return (i + 1 < s->n && word_in(s->t[i + 1].text, units)) ||
           (i + 2 < s->n && word_in(s->t[i + 2].text, units));
}

/* Does the noun asked for ("how many points") follow the number? */
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

static double number_evidence(const struct sentence *s)
{
    const char *units = units_asked(s->q);
    double best = 0;

    for (size_t i = 0; i < s->n; i++) {
        double e = 0;

        if (in_question(s, i))
            continue;
        if (is_year(&s->t[i]) && !unit_follows(s, i))
            e = 0.4;
        else if (ascii_is_digit(s->t[i].text[0]))
            e = unit_follows(s, i) ? 1.0 : 0.8;
        else if (word_in(s->t[i].text, number_words))
            e = 0.8;
        else if (word_in(s->t[i].text, "one several few many none nothing"))
            e = 0.3;
        /* In the right unit is worth more than in any other. */
        if (e > 0 && units != NULL)
            e = unit_is(s, i, units) ? 1.4 : e * 0.8;
        else if (e >= 0.3 && noun_follows(s, i))
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
        if (is_year(&s->t[i]) || word_in(s->t[i].text, "1980s 1990s 1960s"))
            e = 1.0;
        else if (word_in(s->t[i].text, month_words) ||
                 word_in(s->t[i].text, "century centuries bc bce ad ce ago") ||
                 word_in(s->t[i].text, weekday_words))
            e = 0.9;
        else if (ascii_is_digit(s->t[i].text[0]))
            e = 0.5;
        else if (word_in(s->t[i].text, "during after before since until when "
                                       "years decades decade spring summer "
                                       "autumn winter year today"))
            e = 0.35;
        if (e > best)
            best = e;
    }
    return best;
}

/* --- names --------------------------------------------------------------- */

static bool is_capital(const struct sentence *s, size_t i)
{
    unsigned char c = (unsigned char)s->p[s->t[i].start];

    /* Bytes C3 80 to C3 9E: the capitals of Latin-1. */
    if (c == 0xC3 && s->t[i].start + 1 < s->len)
        return (unsigned char)s->p[s->t[i].start + 1] <= 0x9E;
    return c >= 'A' && c <= 'Z';
}

static bool is_new_name(const struct sentence *s, size_t i)
{
    return is_capital(s, i) && !in_question(s, i) && s->t[i].len > 1 &&
           !term_is_stop(s->t[i].text, s->t[i].len) &&
           !word_in(s->t[i].text, month_words);
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

static double person_evidence(const struct sentence *s)
{
    double best = 0;

    for (size_t i = 0; i < s->n; i++) {
        bool pair = i + 1 < s->n && is_capital(s, i + 1) &&
                    term_gap(&s->t[i], &s->t[i + 1]) <= 3 &&
                    (s->t[i + 1].len == 1 || is_spelled_name(s, i + 1));

        if (!is_new_name(s, i))
            continue;
        if (!is_spelled_name(s, i)) {
            best = best < 0.1 ? 0.1 : best;
            continue;
        }
        if (pair)
            return 1.0;
        if (i > 0)
            best = 0.7;
        else if (best < 0.2)
            best = 0.2;
    }
    return best;
}

static double place_evidence(const struct sentence *s)
{
    double best = 0;

    for (size_t i = 1; i < s->n; i++) {
        const char *before = s->t[i - 1].text;
        bool the = strcmp(before, "the") == 0 && i > 1;

        if (the)
            before = s->t[i - 2].text;
        if (is_new_name(s, i))
            best = word_in(before, "in at near from to of on around within "
                                   "outside between and throughout into")
                       ? 1.0
                   : best > 0.6 ? best
                                : 0.6;
        else if (best < 0.3 &&
                 word_in(before, "in at near within outside inside between"))
            best = 0.3;
    }
    return best;
}

/* --- sentence forms ------------------------------------------------------ */

static double reason_evidence(const struct sentence *s)
{
    static const char *const strong[] = {
        "because",   "due to",     "as a result", "owing to",  "caused by",
        "so that",   "in order",   "reason",      "therefore", "thus",
        "thanks to", "attribut",   "result of",   "leads to",  "led to",
        "result in", "results in", "resulting",   "cause",     NULL};
    static const char *const weak[] = {"since ", "as ", " to ",
                                       " for ",  "so ", NULL};

    return has_phrase(s, strong) ? 1.0 : has_phrase(s, weak) ? 0.2 : 0;
}

double evidence_of(const struct query *q, const char *p, size_t n)
{
    struct sentence s;

    if (q->lang != LANG_EN)
        return question_evidence(q, p, n);
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
        return reason_evidence(&s);
    case ANSWER_DEFINITION:
    case ANSWER_HOWTO:
    case ANSWER_LIST:
    case ANSWER_COMPARE:
        return evidence_of_form(q, p, n);
    case ANSWER_ANY:
    case ANSWER_YESNO:
        break;
    }
    return 0;
}

/* --- opposites ----------------------------------------------------------- */

bool evidence_opposes(const struct query *q, const char *p, size_t n)
{
    static const char *const pairs[][2] = {{"maximum", "minimum"},
                                           {"largest", "smallest"},
                                           {"first", "last"},
                                           {"highest", "lowest"},
                                           {"oldest", "newest"},
                                           {"longest", "shortest"},
                                           {"advantages", "disadvantages"},
                                           {"most", "least"},
                                           {"north", "south"},
                                           {"east", "west"}};
    struct sentence s;

    sentence_read(&s, q, p, n);
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        for (size_t k = 0; k < 2; k++) {
            bool asked = false, own = false, other = false;

            for (size_t w = 0; w < q->term_count; w++)
                asked = asked || strcmp(q->words[w], pairs[i][k]) == 0;
            for (size_t w = 0; asked && w < s.n; w++) {
                own = own || strcmp(s.t[w].text, pairs[i][k]) == 0;
                other = other || strcmp(s.t[w].text, pairs[i][1 - k]) == 0;
            }
            if (other && !own)
                return true;
        }
    return false;
}
