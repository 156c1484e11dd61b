/* Does a text define the subject of an English question? Pure. Called by
 * evidence.c. */
#include "question/evidence.h"
#include "question/evidence_text.h"

#include "question/overlap.h"
#include "text/passage.h"

#include <math.h>

/* "The WAL file is …" is not quite of the WAL. */
static const double COMPOUND = 0.4;

enum {
    REMARK_WORDS = 8,
    OPENING_WORDS = 6,
    LABEL_BYTES = 80,
    ITSELF_WORDS = 6,
    PARTS_READ = 16,
    PART_BYTES = 160, /* of a part: what it begins with */
    HEAD_BYTES = 64   /* … the subject in it */
};

/* How much of a word its plural and its singular have in common. */
static size_t common_form(const struct term *t)
{
    const char *end = t->text + t->len;

    if (t->len <= 3 || end[-1] != 's' || strchr("sui", end[-2]) != NULL)
        return t->len;
    if (memcmp(end - 3, "ies", 3) == 0)
        return t->len - 3;
    return t->len - (memcmp(end - 3, "xes", 3) == 0 ||
                             memcmp(end - 3, "hes", 3) == 0 ||
                             memcmp(end - 3, "ses", 3) == 0
                         ? 2
                         : 1);
}

static bool is_form_of(const struct term *word, const struct term *want)
{
    bool whole = strncmp(word->text, want->text, want->len) == 0;

    return whole ? word->len <= want->len + 2
                 : word->len <= want->len &&
                       strncmp(word->text, want->text, common_form(want)) == 0;
}

static bool is_joint(const struct sentence *s, size_t at)
{
    return at > 0 && at + 1 < s->len && strchr("-_./:@$", s->p[at]) != NULL &&
           !ascii_is_space(s->p[at - 1]) && !ascii_is_space(s->p[at + 1]);
}

/* Part of a longer name ("git-shell", "octave:warning", "Python/C") the words
 * from..to are not the subject, if that is not what the sentence begins with.
 */
static bool is_joined(const struct sentence *s, size_t from, size_t to)
{
    size_t start = s->t[from].start;

    return (from > 1 && start > 0 && is_joint(s, start - 1)) ||
           is_joint(s, s->t[to - 1].end);
}

/* Does the subject stand at i, one word in it allowed ("WAL journaling
 * mode")? The token behind it, or 0. Plurals and possessives count. */
static size_t subject_at(const struct sentence *s, const struct sentence *want,
                         size_t i)
{
    size_t k = 0, extra = 0, from = i;

    while (k < want->n && i < s->n) {
        if (is_form_of(&s->t[i], &want->t[k]))
            k++;
        else if (k == 0 || extra++ > 0)
            return 0;
        i++;
    }
    return k == want->n && !is_joined(s, from, i) ? i : 0;
}

static bool is_adverb(const struct term *t)
{
    return word_in(t->text, "just also only often now always never still") ||
           (t->len > 4 && memcmp(t->text + t->len - 2, "ly", 2) == 0);
}

static bool is_past_form(const struct term *t)
{
    return t->len > 4 && memcmp(t->text + t->len - 2, "ed", 2) == 0;
}

/* How well "is" at i, with what follows it, defines: "is a …", "is just the …",
 * and not "is considered". */
static double being_of_definition(const struct sentence *s, size_t i)
{
    while (i + 2 < s->n && is_adverb(&s->t[i + 1]))
        i++;
    if (i + 1 >= s->n)
        return 0;
    if (i + 2 < s->n && word_in(s->t[i + 2].text, "better good great bad more "
                                                  "less different common "
                                                  "problem bit"))
        return 0.3;
    if (word_in(s->t[i + 1].text, "a an the one any called") ||
        (i + 2 < s->n && word_in(s->t[i + 1].text, "defined known") &&
         strcmp(s->t[i + 2].text, "as") == 0))
        return 1.0;
    return is_past_form(&s->t[i + 1]) ||
                   term_is_stop(s->t[i + 1].text, s->t[i + 1].len)
               ? 0.2
               : 0.5;
}

/* How well the words from i on define: "is a …", "means …". */
static double verb_of_definition(const struct sentence *s, size_t i)
{
    const char *z = i < s->n ? s->t[i].text : "";

    return word_in(z, s->k->is)      ? being_of_definition(s, i)
           : word_in(z, s->k->means) ? 1.0
           : word_in(z, s->k->lets)  ? 0.7
           : word_in(z, s->k->holds) ? 0.4
                                     : 0;
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
    if (before == 0)
        return 1.0;
    if (s->t[before].start > 1 &&
        strchr(".:", s->p[s->t[before].start - 2]) != NULL)
        return 0.9;
    return from < OPENING_WORDS ? 0.5 : 0.25;
}

/* "… is called X", "known as X". */
static bool is_named_before(const struct sentence *s, size_t from)
{
    while (from > 0 && word_in(s->t[from - 1].text, "a an the"))
        from--;
    if (from < 2)
        return false;
    return (word_in(s->t[from - 1].text, "called termed dubbed named") &&
            word_in(s->t[from - 2].text, "is are was were be been also often "
                                         "commonly sometimes usually so")) ||
           (from > 1 && word_in(s->t[from - 1].text, "as") &&
            word_in(s->t[from - 2].text, "known to"));
}

/* "git - the stupid content tracker": of a manual page. */
static bool is_dash(const struct sentence *s, size_t to)
{
    const char *z = s->p + s->t[to - 1].end;
    size_t n = to < s->n ? term_gap(&s->t[to - 1], &s->t[to]) : 0;

    return mem_find(z, n, " - ") != NULL ||
           mem_find(z, n, "\xE2\x80\x94") != NULL ||
           mem_find(z, n, " \xE2\x80\x93 ") != NULL;
}

/* The subject from..to: its verb follows, at most a remark in brackets or
 * commas between them; or a colon, as in a glossary. */
static double defines(const struct sentence *s, size_t from, size_t to)
{
    double best = verb_of_definition(s, to);
    bool remark;

    if (s->len > 0 && s->p[s->len - 1] == '?')
        return 0;
    if ((from == 0 || (from < 3 && s->p[s->t[from].start - 1] == '-')) &&
        is_dash(s, to))
        return 1.0;
    if (is_named_before(s, from))
        return 0.9;
    if (to < s->n && s->p[s->t[to - 1].end] == ':')
        return from > 0                                             ? 0.4
               : word_in(s->t[to].text, "a an the one any another") ? 1.0
                                                                    : 0.8;
    remark = to < s->n && (strchr("(,\"", s->p[s->t[to].start - 1]) != NULL ||
                           strchr(",\"", s->p[s->t[to - 1].end]) != NULL);
    for (size_t i = to; best <= 0 && i < s->n && i < to + REMARK_WORDS; i++) {
        bool closed = i > to && strchr("),\"", s->p[s->t[i - 1].end]) != NULL;

        if (!remark || closed || word_in(s->t[i].text, s->k->is))
            best = verb_of_definition(s, i) * (!remark  ? COMPOUND
                                               : closed ? 0.9
                                                        : 0.5);
    }
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

/* What every form of the subject's first word begins with. */
static void subject_begins(const struct query *q, char out[TERM_MAX + 1])
{
    size_t i = 0, n = 0;

    while (!(q->about >> i & 1))
        i++;
    while (q->terms[i].text[n] != '\0' &&
           q->terms[i].text[n] == q->words[i][n] && n < TERM_MAX)
        n++;
    memcpy(out, q->terms[i].text, n);
    out[n] = '\0';
}

double evidence_label(const struct query *q, const char *p, size_t n)
{
    const char *end = p + passage_told(p, n, LABEL_BYTES);
    char begins[TERM_MAX + 1];
    double best = 0;

    if (end == p || q->about == 0)
        return 0;
    /* Only of an acronym other words may stand there. */
    subject_begins(q, begins);
    if (strspn(q->subject, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") < 3 &&
        mem_find_i(p, (size_t)(end - p), begins) == NULL)
        return 0;
    for (const char *z = p; z < end;) {
        size_t k = 0;
        double e;

        while (z + k < end && strchr("(,)", z[k]) == NULL)
            k++;
        if (z[k] == '(' && memchr(z + k, ')', (size_t)(end - z) - k) == NULL)
            return best;
        e = overlap_topic(q, z, k);
        best = e > best ? e : best;
        z += k + 1;
    }
    return best;
}

double evidence_title(const struct query *q, const char *title)
{
    static const char *const behind[] = {
        " \xE2\x80\x94 ", " \xE2\x80\x93 ", " - ", " | ", " (", ": ", NULL};
    size_t n = strlen(title);
    double best;

    for (size_t i = 0; behind[i] != NULL; i++) {
        const char *at = mem_find(title, n, behind[i]);

        n = at != NULL && at > title ? (size_t)(at - title) : n;
    }
    best = overlap_topic(q, title, n);
    /* "Overview — GNU Octave" */
    return best < 0 ? fmax(0, overlap_topic(q, title, strlen(title))) : best;
}

bool evidence_itself(const struct query *q, const char *p, size_t n)
{
    const char *texts = report_words_of(q->lang)->texts;
    struct token_run words;

    token_run_read(&words, p, n, ITSELF_WORDS);
    for (size_t i = 1; i < words.n; i++)
        if (word_in(words.t[i].text, texts) &&
            lang_is_stop(q->lang, words.t[i - 1].text, words.t[i - 1].len))
            return true;
    return false;
}

/* Of one part: what it begins with, and as an entry. */
static double part_introduces(const struct query *q, const char *p,
                              const struct passage_part *part,
                              const char *begins)
{
    bool item = part->kind == 'i' || part->kind == 'j';
    double label = item ? evidence_label(q, p, part->len) : 0;
    size_t head = part->len < HEAD_BYTES ? part->len : HEAD_BYTES;
    double e = 0;

    if (mem_find_i(p, head, begins) != NULL)
        e = evidence_of(q, p, part->len < PART_BYTES ? part->len : PART_BYTES);
    return label > e ? label : e;
}

double evidence_introduces(const struct query *q, const struct candidate *c)
{
    const char *last = heading_last(c->heading),
               *z = c->parts == NULL ? "" : c->parts;
    size_t n = strlen(c->text);
    struct passage_part part = {.kind = 'p', .len = n};
    char begins[TERM_MAX + 1];
    double best, topic;

    if (q->type != ANSWER_DEFINITION || q->about == 0)
        return 0;
    topic = fmax(c->seq == 0 ? evidence_title(q, c->title) : 0,
                 overlap_topic(q, last, strlen(last)));
    if (*z != '\0' && !passage_part_next(&z, n, &part))
        return 0;
    subject_begins(q, begins);
    best = part_introduces(q, c->text + part.start, &part, begins) +
           0.5 * fmax(0, topic);
    for (size_t i = 1; i < PARTS_READ && passage_part_next(&z, n, &part); i++)
        best =
            fmax(best, part_introduces(q, c->text + part.start, &part, begins));
    return best;
}

double evidence_defines(const struct sentence *s)
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
