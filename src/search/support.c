/*
 * The claim laid over each sentence of the passage, word by word; see
 * support.h. Reads both into words with what stands around each, finds an
 * order-preserving match by dynamic programming, then looks at what the match
 * leaves out.
 */
#include "search/support.h"

#include "base/str.h"
#include "search/verify_number.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum {
    WORDS_MAX = 256, /* of a sentence; a longer one supports nothing */
    CLAIM_MAX = 96,
    PREPOSITION_REACH = 4,
    ANTECEDENT_REACH = 4, /* sentences a pronoun may point back */
    SUBJECT_MAX = 8       /* words of a subject */
};

enum bit {
    CONTENT = 1,
    NUMBER = 2,
    DATE = 4, /* a month, or a number beside one, or a year */
    CAPITAL = 8,
    OWNER = 16, /* with 's */
    DENIER = 32,
    HEDGE = 64,
    BREAK = 128,       /* a comma, bracket, dash or colon stands before it */
    COORDINATOR = 256, /* "and", "but" */
    CLAUSE = 512,      /* a semicolon stands before it */
    DENIED = 1024,     /* a denier between it and the content word before */
    PASSIVE = 2048,    /* the same for a form of "be" */
    BE = 4096,
    LIGHT = 8192,       /* a claim may add it */
    BRACKETED = 16384,  /* within ( ) */
    PARTICIPLE = 65536, /* looks like one */
    FUNCTION = 262144,  /* "because", "only": ends what stands before it */
    QUOTED = 131072,    /* a quotation mark stands before it */
    JOINED = 32768      /* follows the token before directly */
};

struct word {
    char z[TERM_MAX + 1]; /* stem, number or unit */
    unsigned bits;
    const char *preposition; /* that it hangs on, or NULL */
};

struct words {
    struct word *w;
    size_t n;
};

/* --- words that matter --------------------------------------------------- */

static bool is_one_of(const char *z, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(z, *list) == 0)
            return true;
    return false;
}

static bool is_denier(const char *z, const char *raw, size_t n)
{
    static const char *const words[] = {
        "not",
        "no",
        "never",
        "cannot",
        "without",
        "none",
        "neither",
        "nor",
        "nobody",
        "nothing",
        "nowhere",
        "hardly",
        "barely",
        "rarely",
        "unable",
        "nicht",
        "kein",
        "keine",
        "keinen",
        "keiner",
        "nie",
        "niemals",
        "ohne",
        "pas",
        "jamais",
        "aucun",
        "aucune",
        "sans",
        "nunca",
        "jamas",
        "sin",
        "non",
        "niet",
        "geen",
        "nooit",
        "zonder",
        "inte",
        "aldrig",
        "\xD0\xBD\xD0\xB5",         /* не */
        "\xD0\xBD\xD0\xB5\xD1\x82", /* нет */
        "\xD0\xB1\xD0\xB5\xD0\xB7", /* без */
        "\xD0\xBD\xD0\xB8\xD0\xBA\xD0\xBE\xD0\xB3\xD0\xB4\xD0\xB0",
        NULL};

    return is_one_of(z, words) || mem_find_i(raw, n, "n't") != NULL ||
           mem_find_i(raw, n, "n\xE2\x80\x99t") != NULL;
}

static bool is_hedge(const char *z)
{
    static const char *const words[] = {
        "may",          "might",     "could",     "would",       "should",
        "if",           "unless",    "allegedly", "reportedly",  "supposedly",
        "possibly",     "perhaps",   "probably",  "likely",      "unlikely",
        "rumored",      "rumoured",  "alleged",   "claimed",     "claims",
        "believed",     "proposed",  "planned",   "expected",    "false",
        "falsely",      "myth",      "wrongly",   "incorrectly", "disputed",
        "denied",       "denies",    "untrue",    "supposed",    "intended",
        "almost",       "nearly",    "except",    "unlike",      "instead",
        "rather",       "whether",   "fake",      "former",      "formerly",
        "imitation",    "mock",      "failed",    "attempted",   "unsuccessful",
        "cancelled",    "canceled",  "abandoned", "fictional",   "mythical",
        "hypothetical", "potential", "possible",  "pseudo",      NULL};

    return is_one_of(z, words);
}

/* Stop words that change what is said. */
static bool is_weighty(const char *z)
{
    static const char *const words[] = {
        "all",      "any",    "both",    "each",    "every",  "some",
        "only",     "most",   "more",    "less",    "least",  "few",
        "many",     "same",   "must",    "because", "since",  "therefore",
        "thus",     "hence",  "again",   "further", "while",  "whereas",
        "although", "though", "despite", "such",    "either", "too",
        "off",      "out",    "up",      "down",    NULL};

    return is_one_of(z, words);
}

/* Words a claim may add without saying more. */
static bool is_light(const char *z)
{
    static const char *const words[] = {
        "came",      "come",    "comes",    "called", "known",
        "named",     "said",    "says",     "spoke",  "states",
        "described", "located", "situated", "also",   "according",
        "source",    "sources", "passage",  NULL};

    return is_one_of(z, words);
}

static bool is_coordinator(const char *z)
{
    static const char *const words[] = {
        "and",      "but",    "or",      "nor", "while", "whereas",
        "although", "though", "however", "und", "aber",  "oder",
        "et",       "mais",   "ou",      "y",   "pero",  NULL};

    return is_one_of(z, words);
}

static bool is_be(const char *z)
{
    static const char *const words[] = {"am",   "is", "are",   "was", "were",
                                        "been", "be", "being", NULL};

    return is_one_of(z, words);
}

/* By its form, which past tense shares. */
static bool is_participle(const char *z)
{
    static const char *const words[] = {
        "built", "made",  "held",    "won",   "sold",       "known",  "taken",
        "given", "found", "written", "led",   "bought",     "beaten", "caught",
        "sent",  "left",  "lost",    "shown", "overthrown", NULL};
    size_t n = strlen(z);

    return is_one_of(z, words) || (n > 3 && z[n - 1] == 'd' && z[n - 2] == 'e');
}

/* A preposition's class: those of place and belonging are one. */
static const char *preposition_of(const char *z)
{
    static const char *const loose[] = {"in",     "on",  "at",   "of", "during",
                                        "within", "for", "with", "as", "into",
                                        "onto",   "to",  NULL};
    static const char *const strict[] = {
        "by",      "from",    "after",  "before", "until",   "till",
        "over",    "under",   "above",  "below",  "against", "than",
        "between", "through", "via",    "per",    "without", "unlike",
        "except",  "among",   "beyond", NULL};

    if (is_one_of(z, loose))
        return "of";
    for (size_t i = 0; strict[i] != NULL; i++)
        if (strcmp(z, strict[i]) == 0)
            return strict[i];
    return NULL;
}

/* --- reading ------------------------------------------------------------- */

/* What the bytes between two tokens say. */
static unsigned gap_bits(const char *p, size_t n, bool *bracket)
{
    unsigned bits = n == 0 ? JOINED : 0;

    for (size_t i = 0; i < n; i++) {
        if (p[i] == ';')
            bits |= CLAUSE | BREAK;
        if (strchr(",:()[]", p[i]) != NULL && p[i] != '\0')
            bits |= BREAK;
        if (p[i] == '"' ||
            (n - i >= 3 && memcmp(p + i, "\xE2\x80\x9C", 3) == 0))
            bits |= QUOTED;
        if (p[i] == '(')
            *bracket = true;
        if (p[i] == ')')
            *bracket = false;
        /* En and em dash. */
        if (n - i >= 3 && memcmp(p + i, "\xE2\x80", 2) == 0 &&
            (p[i + 2] == '\x93' || p[i + 2] == '\x94'))
            bits |= BREAK;
    }
    if (n >= 3 && mem_find(p, n, " - ") != NULL)
        bits |= BREAK;
    return bits;
}

static bool is_owner(const char *p, size_t n, size_t end)
{
    if (end + 1 < n && p[end] == '\'')
        return p[end + 1] == 's';
    return end + 3 < n && memcmp(p + end, "\xE2\x80\x99s", 4) == 0;
}

static bool begins_capital(const char *p, size_t n, size_t at)
{
    uint32_t cp;

    if (at >= n)
        return false;
    utf8_decode(p + at, n - at, &cp);
    return (cp >= 'A' && cp <= 'Z') || (cp >= 0xC0 && cp <= 0xDE) ||
           (cp >= 0x391 && cp <= 0x3A9) || (cp >= 0x410 && cp <= 0x42F);
}

static void word_put(struct word *w, const char *z)
{
    size_t n = strlen(z);

    if (n > TERM_MAX)
        n = TERM_MAX;
    memcpy(w->z, z, n);
    w->z[n] = '\0';
}

/* A word that is no number. */
static void word_read(struct word *w, const struct term *t, const char *p,
                      size_t n)
{
    const char *raw = p + t->start;
    size_t len = t->end - t->start;

    word_put(w, t->text);
    if (begins_capital(p, n, t->start))
        w->bits |= CAPITAL;
    if (is_owner(p, n, t->end))
        w->bits |= OWNER;
    if (is_denier(t->text, raw, len))
        w->bits |= DENIER;
    else if (is_hedge(t->text) &&
             !(w->bits & CAPITAL && strcmp(t->text, "may") == 0))
        w->bits |= HEDGE;
    if (is_be(t->text))
        w->bits |= BE;
    if (is_participle(t->text))
        w->bits |= PARTICIPLE;
    if (is_coordinator(t->text))
        w->bits |= COORDINATOR;
    if (is_light(t->text))
        w->bits |= LIGHT;
    if (is_weighty(t->text))
        w->bits |= FUNCTION;
    w->preposition = preposition_of(t->text);
    if (!(w->bits & (DENIER | HEDGE | COORDINATOR)) &&
        (is_weighty(t->text) || !term_is_stop(t->text, t->len))) {
        w->bits |= CONTENT;
        w->preposition = NULL;
    }
}

/* "3.10" is another version than "3.1", but 3.10 metres are 3.1 metres:
 * zeros at the end count unless a unit follows. A minus sign counts. */
static void number_put(struct word *w, const char *p, size_t n,
                       bool continental, const struct verify_number *num)
{
    char z[TERM_MAX + 1];
    size_t k = 0, at = num->start;
    bool minus = at > 0 && p[at - 1] == '-' &&
                 (at == 1 || strchr(" (", p[at - 2]) != NULL);

    if (minus)
        z[k++] = '-';
    if (continental || (unsigned char)p[at] >= 0x80 ||
        verify_unit_after(p, n, num->end) != NULL) {
        for (const char *c = num->z; *c != '\0' && k < TERM_MAX; c++)
            z[k++] = *c;
    } else {
        for (; at < num->end && k < TERM_MAX; at++)
            if (p[at] != ',')
                z[k++] = p[at];
    }
    z[k] = '\0';
    word_put(w, z);
    w->bits |= CONTENT | NUMBER;
    /* Years are dates. */
    if (strlen(w->z) == 4 && (w->z[0] == '1' || w->z[0] == '2') &&
        verify_unit_after(p, n, num->end) == NULL)
        w->bits |= DATE;
}

/* The sign of a currency before a number, as the unit behind it. */
static const char *currency_before(const char *p, size_t at)
{
    if (at > 0 && p[at - 1] == '$')
        return "dollar";
    if (at >= 3 && memcmp(p + at - 3, "\xE2\x82\xAC", 3) == 0)
        return "euro";
    if (at >= 2 && memcmp(p + at - 2, "\xC2\xA3", 2) == 0)
        return "pound";
    return NULL;
}

static void unit_put(struct words *ws, size_t max, const char *unit)
{
    struct word *w;

    if (unit == NULL || ws->n >= max)
        return;
    w = &ws->w[ws->n++];
    memset(w, 0, sizeof(*w));
    word_put(w, unit);
    w->bits = CONTENT | JOINED;
}

static bool follows_number(const struct words *ws)
{
    return ws->n > 0 && ws->w[ws->n - 1].bits & NUMBER;
}

/* Units behind numbers and words by their stem. */
static void word_settle(struct words *ws, struct word *w)
{
    const char *unit = verify_unit_of(w->z);

    if (!(w->bits & CONTENT) || w->bits & NUMBER)
        return;
    if (unit != NULL && follows_number(ws))
        word_put(w, unit);
    else
        w->z[term_stem(w->z, strlen(w->z))] = '\0';
}

/* A month beside a number is a date, and so is that number. */
static void dates_mark(struct words *ws)
{
    for (size_t i = 0; i < ws->n; i++) {
        char full[TERM_MAX + 1];
        bool before = i > 0 && ws->w[i - 1].bits & NUMBER;
        bool after = i + 1 < ws->n && ws->w[i + 1].bits & NUMBER;
        int month;

        memcpy(full, ws->w[i].z, sizeof(full));
        month = ws->w[i].bits & CAPITAL ? verify_month_of(full) : 0;
        if (month == 0 || !(before || after))
            continue;
        ws->w[i].bits |= DATE;
        if (before)
            ws->w[i - 1].bits |= DATE;
        if (after)
            ws->w[i + 1].bits |= DATE;
    }
}

/* Denial and passive reach the next word that carries meaning. */
static void reach_mark(struct words *ws)
{
    unsigned carried = 0;

    for (size_t i = 0; i < ws->n; i++) {
        struct word *w = &ws->w[i];

        if (w->bits & DENIER)
            carried |= DENIED;
        if (w->bits & BE)
            carried |= PASSIVE;
        if (!(w->bits & CONTENT))
            continue;
        w->bits |= carried;
        carried = 0;
    }
}

/* Months keep their spelling: their stems are no months. */
static bool is_month_word(const struct word *w)
{
    return w->bits & CAPITAL && verify_month_of(w->z) != 0;
}

static bool words_read(const char *p, size_t n, bool continental, size_t max,
                       struct arena *a, struct words *out)
{
    struct term_iter it;
    struct term t;
    size_t last = 0, number_end = 0;
    bool bracket = false;

    out->n = 0;
    out->w = arena_array(a, max, sizeof(*out->w));
    if (out->w == NULL)
        return false;
    terms_init(&it, p, n);
    while (tokens_next(&it, &t)) {
        struct verify_number num;
        struct word w = {.z = ""};
        size_t at = t.start;

        if (t.start < number_end)
            continue;
        if (out->n + 2 > max)
            return false;
        w.bits =
            gap_bits(p + last, t.start > last ? t.start - last : 0, &bracket);
        if (bracket)
            w.bits |= BRACKETED;
        if (verify_number_next(p, t.end, continental, &at, &num) &&
            num.start == t.start) {
            at = t.start;
            if (!verify_number_next(p, n, continental, &at, &num))
                return false;
            number_put(&w, p, n, continental, &num);
            last = number_end = num.end;
            out->w[out->n++] = w;
            unit_put(out, max, currency_before(p, num.start));
            if (num.end < n && p[num.end] == '%')
                unit_put(out, max, "percent");
            continue;
        }
        word_read(&w, &t, p, n);
        if (!is_month_word(&w))
            word_settle(out, &w);
        out->w[out->n++] = w;
        last = t.end;
    }
    dates_mark(out);
    reach_mark(out);
    return true;
}

/* --- a match ------------------------------------------------------------- */

/* A claim's content words over a sentence. */
struct match {
    const struct words *claim, *place;
    size_t c[CLAIM_MAX]; /* indexes into claim */
    size_t n;
    bool has_number;          /* the claim */
    size_t at[CLAIM_MAX];     /* found: index into place */
    bool in_claim[WORDS_MAX]; /* place's word is one of the claim's */
};

static bool is_content(const struct word *w)
{
    return (w->bits & CONTENT) != 0;
}

static bool is_boundary(const struct word *w)
{
    return (w->bits & (BREAK | CLAUSE | COORDINATOR)) != 0;
}

static bool says_it(const struct words *ws, const char *z)
{
    for (size_t i = 0; i < ws->n; i++)
        if (ws->w[i].bits & (CONTENT | HEDGE) && strcmp(ws->w[i].z, z) == 0)
            return true;
    return false;
}

/* The class of the preposition word i hangs on, or NULL. In the place words
 * that the claim leaves out are looked past. */
static const char *preposition_at(const struct words *ws, size_t i,
                                  const bool *in_claim)
{
    if (ws->w[i].bits & (BREAK | CLAUSE))
        return NULL;
    for (size_t k = 0; k < PREPOSITION_REACH && i-- > 0; k++) {
        const struct word *w = &ws->w[i];

        if (w->preposition != NULL)
            return w->preposition;
        if (w->bits & COORDINATOR ||
            (is_content(w) && (in_claim == NULL || in_claim[i])) ||
            w->bits & (BREAK | CLAUSE))
            return NULL;
    }
    return NULL;
}

static bool prepositions_agree(const struct match *m, size_t c, size_t j)
{
    const char *x = preposition_at(m->claim, c, NULL);
    const char *y = preposition_at(m->place, j, m->in_claim);

    if (x == y || (x != NULL && y != NULL && strcmp(x, y) == 0))
        return true;
    /* "in March 1889", "March 1889" */
    return m->place->w[j].bits & (DATE | NUMBER) &&
           (x == NULL || strcmp(x, "of") == 0) &&
           (y == NULL || strcmp(y, "of") == 0);
}

/* The word before a number and the one right behind it must be claimed. */
static bool company_is_kept(const struct match *m, size_t j)
{
    const struct words *p = m->place;
    size_t i = j;

    while (i > 0 && !is_boundary(&p->w[i])) {
        i--;
        if (!is_content(&p->w[i]))
            continue;
        if (!m->in_claim[i] && !(p->w[i].bits & LIGHT) &&
            !(p->w[j].bits & p->w[i].bits & DATE))
            return false;
        break;
    }
    return j + 1 >= p->n || is_boundary(&p->w[j + 1]) ||
           !is_content(&p->w[j + 1]) || m->in_claim[j + 1];
}

static bool word_matches(const struct match *m, size_t c, size_t j)
{
    const struct word *x = &m->claim->w[c], *y = &m->place->w[j];

    if (!is_content(y) || strcmp(x->z, y->z) != 0)
        return false;
    if ((x->bits & (OWNER | DENIED | NUMBER)) !=
        (y->bits & (OWNER | DENIED | NUMBER)))
        return false;
    if (x->bits & y->bits & PARTICIPLE &&
        (x->bits & PASSIVE) != (y->bits & PASSIVE))
        return false;
    if (!prepositions_agree(m, c, j))
        return false;
    return !(y->bits & NUMBER) || company_is_kept(m, j);
}

/* A number that the claim leaves out, and not as part of a date of which it
 * keeps the rest. */
static bool is_lost_number(const struct match *m, size_t j)
{
    const struct words *p = m->place;

    if (!(p->w[j].bits & NUMBER) || m->in_claim[j] || p->w[j].bits & BRACKETED)
        return false;
    for (size_t i = j; i < p->n && p->w[i].bits & DATE; i++)
        if (m->in_claim[i])
            return false;
    for (size_t i = j + 1; i-- > 0 && p->w[i].bits & DATE;)
        if (m->in_claim[i])
            return false;
    return true;
}

/* May the claim go on from the place's word p to its word q, leaving out what
 * is between? comma: the claim has one there. */
static bool may_skip(const struct match *m, size_t p, size_t q, bool comma)
{
    const struct words *ws = m->place;
    size_t last_mark = 0, last_join = 0, marks = 0;
    bool lost = false, before = false;

    for (size_t i = p + 1; i <= q; i++) {
        if (ws->w[i].bits & (COORDINATOR | CLAUSE))
            last_join = i;
        if (is_boundary(&ws->w[i])) {
            last_mark = i;
            marks++;
        }
        if (i < q)
            lost = lost || is_lost_number(m, i);
    }
    if (lost && last_join == 0 && m->has_number)
        return false;
    if (marks == 0)
        return true;
    for (size_t i = last_mark; i < q; i++)
        if (is_content(&ws->w[i]))
            return false;
    for (size_t i = last_join; last_join > 0 && i < q; i++)
        if (is_content(&ws->w[i]))
            return false;
    /* Out of an insertion into the clause around it? */
    for (size_t i = 1; i <= p; i++)
        before = before || is_boundary(&ws->w[i]);
    return last_join > 0 || marks >= 2 || !before || comma;
}

static bool has_comma(const struct match *m, size_t k)
{
    for (size_t i = m->c[k - 1] + 1; i <= m->c[k]; i++)
        if (is_boundary(&m->claim->w[i]))
            return true;
    return false;
}

/* Lay claim words from..m->n over the place in order. best[k][j]: the word
 * before, plus one, of a match of words from..k that ends at j. */
static bool lay(struct match *m, size_t from, struct arena *a)
{
    size_t width = m->place->n, n = m->n;
    unsigned short *prev;

    if (from >= n)
        return true;
    prev = arena_array(a, n * width + 1, sizeof(*prev));
    if (prev == NULL)
        return false;
    for (size_t k = from; k < n; k++) {
        bool any = false;

        for (size_t j = 0; j < width; j++) {
            if (!word_matches(m, m->c[k], j))
                continue;
            if (k == from) {
                prev[k * width + j] = 1;
                any = true;
                continue;
            }
            for (size_t i = j; i-- > 0 && prev[k * width + j] == 0;)
                if (prev[(k - 1) * width + i] != 0 &&
                    may_skip(m, i, j, has_comma(m, k)))
                    prev[k * width + j] = (unsigned short)(i + 1);
            any = any || prev[k * width + j] != 0;
        }
        if (!any)
            return false;
    }
    for (size_t j = 0; j < width; j++) {
        if (prev[(n - 1) * width + j] == 0)
            continue;
        m->at[n - 1] = j;
        for (size_t k = n - 1; k > from; k--)
            m->at[k - 1] = prev[k * width + m->at[k]] - 1u;
        return true;
    }
    return false;
}

/* --- what is left out ---------------------------------------------------- */

static bool is_used(const struct match *m, size_t from, size_t j)
{
    for (size_t k = from; k < m->n; k++)
        if (m->at[k] == j)
            return true;
    return false;
}

/* No denied word and no denier is left out of the clauses used. */
static bool denials_are_kept(const struct match *m, size_t from)
{
    const struct words *p = m->place;
    size_t lo = p->n, hi = 0;

    for (size_t k = from; k < m->n; k++) {
        lo = m->at[k] < lo ? m->at[k] : lo;
        hi = m->at[k] > hi ? m->at[k] : hi;
    }
    if (hi < lo)
        return true;
    while (lo > 0 && !(p->w[lo].bits & (COORDINATOR | CLAUSE)))
        lo--;
    while (hi + 1 < p->n && !(p->w[hi + 1].bits & (COORDINATOR | CLAUSE)))
        hi++;
    for (size_t j = lo; j <= hi; j++) {
        size_t next = j + 1;

        if (p->w[j].bits & DENIED && !is_used(m, from, j))
            return false;
        if (!(p->w[j].bits & DENIER))
            continue;
        while (next < p->n && !is_content(&p->w[next]))
            next++;
        if (next >= p->n || next > hi)
            return false;
    }
    return true;
}

/* Does the claim end where something ends: not before a quotation or a word
 * that belongs to its last one? */
static bool ends_whole(const struct match *m)
{
    const struct words *p = m->place;
    size_t next = m->at[m->n - 1] + 1;

    if (next >= p->n)
        return true;
    if (p->w[next].bits & QUOTED)
        return false;
    return is_boundary(&p->w[next]) || !is_content(&p->w[next]) ||
           p->w[next].bits & FUNCTION || m->in_claim[next];
}

static bool hedges_are_kept(const struct match *m)
{
    for (size_t j = 0; j < m->place->n; j++)
        if (m->place->w[j].bits & HEDGE && !says_it(m->claim, m->place->w[j].z))
            return false;
    for (size_t i = 0; i < m->claim->n; i++)
        if (m->claim->w[i].bits & HEDGE && !says_it(m->place, m->claim->w[i].z))
            return false;
    return true;
}

/* --- dates that moved ---------------------------------------------------- */

static bool date_stands(const struct match *m, size_t c)
{
    for (size_t j = 0; j < m->place->n; j++)
        if (word_matches(m, c, j))
            return true;
    return false;
}

/* Take the dates out of the claim's words; false when the place has another
 * number or more than one clause, so that they might belong elsewhere. */
static bool dates_take(struct match *m)
{
    size_t kept = 0;

    for (size_t j = 0; j < m->place->n; j++)
        if ((m->place->w[j].bits & NUMBER && !m->in_claim[j]) ||
            m->place->w[j].bits & (COORDINATOR | CLAUSE))
            return false;
    for (size_t k = 0; k < m->n; k++) {
        if (!(m->claim->w[m->c[k]].bits & DATE))
            m->c[kept++] = m->c[k];
        else if (!date_stands(m, m->c[k]))
            return false;
    }
    if (kept == m->n || kept == 0)
        return false;
    m->n = kept;
    return true;
}

/* --- places -------------------------------------------------------------- */

static void match_begin(struct match *m, const struct words *claim,
                        const struct words *place)
{
    m->claim = claim;
    m->place = place;
    m->n = 0;
    for (size_t i = 0; i < claim->n; i++)
        m->has_number = m->has_number || claim->w[i].bits & NUMBER;
    for (size_t i = 0; i < claim->n && m->n < CLAIM_MAX; i++)
        if (is_content(&claim->w[i]) &&
            !(claim->w[i].bits & LIGHT && !says_it(place, claim->w[i].z)))
            m->c[m->n++] = i;
    for (size_t j = 0; j < place->n; j++)
        m->in_claim[j] =
            is_content(&place->w[j]) && says_it(claim, place->w[j].z);
}

/* Do claim words 0..count make up (part of) the subject of the sentence: do
 * they stand in order at its beginning, before its verb? */
static bool is_subject(const struct match *m, size_t count,
                       const struct words *ws, bool person)
{
    size_t end = 0, k = 0;

    while (end < ws->n && end < SUBJECT_MAX && !(ws->w[end].bits & BE) &&
           !(ws->w[end].bits & (BREAK | COORDINATOR) && end > 0))
        end++;
    if (end == ws->n || !(ws->w[end].bits & BE)) {
        for (end = 0; end < ws->n &&
                      (!is_content(&ws->w[end]) || ws->w[end].bits & CAPITAL);)
            end++;
    }
    for (size_t i = 0; i < end && k < count; i++)
        if (is_content(&ws->w[i]) &&
            strcmp(ws->w[i].z, m->claim->w[m->c[k]].z) == 0 &&
            (ws->w[i].bits & (OWNER | DENIED)) ==
                (m->claim->w[m->c[k]].bits & (OWNER | DENIED)) &&
            preposition_at(ws, i, NULL) ==
                preposition_at(m->claim, m->c[k], NULL))
            k++;
    /* Another name behind the verb may be what the pronoun means: any for a
     * person, for a thing those that no preposition leads in. */
    for (size_t i = end; i < ws->n; i++)
        if (ws->w[i].bits & CAPITAL && is_content(&ws->w[i]) &&
            !(ws->w[i].bits & DATE) &&
            (person || (preposition_at(ws, i, NULL) == NULL &&
                        !(i > 0 && ws->w[i - 1].bits & CAPITAL))))
            return false;
    return k == count;
}

enum pronoun { PRONOUN_NONE, PRONOUN_THING, PRONOUN_PERSON };

static enum pronoun pronoun_of(const struct words *ws)
{
    static const char *const things[] = {"it", "its", NULL};
    static const char *const persons[] = {"he",  "she",   "they", "his",
                                          "her", "their", NULL};

    if (ws->n == 0)
        return PRONOUN_NONE;
    return is_one_of(ws->w[0].z, things)    ? PRONOUN_THING
           : is_one_of(ws->w[0].z, persons) ? PRONOUN_PERSON
                                            : PRONOUN_NONE;
}

/* With the subject taken from a sentence before. */
static bool holds_with_antecedent(struct match *m, const struct words *all,
                                  size_t i, struct arena *a)
{
    enum pronoun kind = pronoun_of(m->place);
    size_t back = i;

    if (kind == PRONOUN_NONE)
        return false;
    for (size_t k = 0; k < ANTECEDENT_REACH && back > 0; k++) {
        back--;
        if (pronoun_of(&all[back]) == PRONOUN_NONE)
            break;
        if (pronoun_of(&all[back]) != kind)
            return false;
    }
    if (back == i || pronoun_of(&all[back]) != PRONOUN_NONE)
        return false;
    for (size_t count = 1; count < m->n && count <= SUBJECT_MAX; count++)
        if (is_subject(m, count, &all[back], kind == PRONOUN_PERSON) &&
            lay(m, count, a) && denials_are_kept(m, count) && ends_whole(m))
            return true;
    return false;
}

static bool place_holds(const struct words *claim, const struct words *all,
                        size_t i, struct arena *a)
{
    struct match *m = arena_alloc(a, sizeof(*m));

    if (m == NULL || all[i].n == 0)
        return false;
    match_begin(m, claim, &all[i]);
    if (m->n == 0 || !hedges_are_kept(m))
        return false;
    if (lay(m, 0, a) && denials_are_kept(m, 0) && ends_whole(m))
        return true;
    if (holds_with_antecedent(m, all, i, a))
        return true;
    return dates_take(m) &&
           ((lay(m, 0, a) && denials_are_kept(m, 0) && ends_whole(m)) ||
            holds_with_antecedent(m, all, i, a));
}

static bool has_content(const struct words *ws)
{
    for (size_t i = 0; i < ws->n; i++)
        if (is_content(&ws->w[i]))
            return true;
    return false;
}

bool support_find(const char *claim, const char *passage, struct span *where,
                  struct arena *a)
{
    struct words c, *all;
    struct span *spans = NULL;
    size_t count = 0, pn = strlen(passage), cn = strlen(claim);
    bool there = verify_is_continental(passage, pn, false);
    bool here = verify_is_continental(claim, cn, there);

    if (!words_read(claim, cn, here, CLAIM_MAX, a, &c) ||
        sentences_split(passage, pn, a, &spans, &count) != ERR_OK)
        return false;
    if (!has_content(&c))
        return true;
    all = arena_array(a, count + 1, sizeof(*all));
    if (all == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!words_read(passage + spans[i].start, spans[i].len, there,
                        WORDS_MAX, a, &all[i]))
            all[i].n = 0;
    for (size_t i = 0; i < count; i++)
        if (place_holds(&c, all, i, a)) {
            *where = spans[i];
            return true;
        }
    return false;
}
