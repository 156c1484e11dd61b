/*
 * Sentence borders; see passage.h. A border is decided where a full stop,
 * an exclamation or question mark stands, from the word before it and the
 * word behind it; a line break always is one, because blocks hold none
 * inside a sentence. Used to cut passages and to choose answers.
 */
#include "base/str.h"
#include "text/fold.h"
#include "text/passage.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    MARK_BYTES_MAX = 28, /* of a remark in square brackets */
    SHORT_BYTES = 8,     /* of the longest abbreviation below */
    SENTENCES = 32       /* most texts have fewer: walked once */
};

/* One text while it is walked. */
struct walk {
    const char *p;
    size_t n;
};

/* The word that ends right before a stop. */
struct word {
    size_t at, len;
};

/* Abbreviations that something always follows; lower case, inner dots kept. */
static const char *const never_last[] = {
    "mr",   "mrs",    "ms",   "dr",   "prof", "rev", "hon",  "gen",
    "sen",  "rep",    "gov",  "capt", "lt",   "col", "sgt",  "st",
    "mt",   "vs",     "e.g",  "i.e",  "eg",   "ie",  "cf",   "viz",
    "al",   "approx", "resp", "incl", "esp",  "ca",  "dept", "messrs",
    "ph.d", "mme",    "mlle", "hr",   "v",    "fr",  "nr",   "bzw",
    "z.b",  "d.h",    "mio",  "vgl",  "sog",  "ggf", "inkl", "geb",
    "sra",  "dra",    "núm",  "pág",  "env",  "sig", "dhr",  "mevr",
    "им",   "ул",     "см",   "напр", "тыс",  "млн", "млрд", "проф",
};

/* German numbers its days, centuries and wars with a full stop. */
static const char *const after_ordinal[] = {
    "januar",      "jänner",    "februar",    "märz",        "april",
    "mai",         "juni",      "juli",       "august",      "september",
    "oktober",     "november",  "dezember",   "jahrhundert", "jahrhunderts",
    "jahrtausend", "weltkrieg", "weltkriegs", "auflage",     "lebensjahr",
    "geburtstag",  "stock",     "klasse",
};

/* Abbreviations only in front of a number (or a capital and a dot). */
static const char *const before_number[] = {
    "no",   "nos", "fig",  "figs", "eq",   "eqs", "sec", "sect", "ch",
    "chap", "vol", "vols", "pp",   "p",    "pg",  "art", "ver",  "par",
    "ed",   "jan", "feb",  "mar",  "apr",  "abs", "kap", "str",  "tel",
    "jun",  "jul", "aug",  "sep",  "sept", "oct", "nov", "dec",
};

/* Abbreviations that may end a sentence. */
static const char *const may_be_last[] = {
    "etc", "inc",  "ltd", "co",  "corp", "jr",  "sr",  "bros", "est",
    "ave", "blvd", "rd",  "hrs", "min",  "max", "ext", "dist",
};

/* Words that open sentences and hardly ever follow an abbreviation. */
static const char *const openers[] = {
    "the",     "this", "that",      "these", "those", "it",    "its",   "he",
    "she",     "they", "we",        "you",   "i",     "a",     "an",    "in",
    "on",      "at",   "for",       "from",  "but",   "and",   "or",    "so",
    "if",      "when", "while",     "as",    "after", "since", "there", "here",
    "however", "also", "his",       "her",   "their", "our",   "my",    "each",
    "all",     "some", "many",      "most",  "no",    "not",   "to",    "by",
    "with",    "what", "how",       "why",   "who",   "where", "then",  "thus",
    "such",    "both", "according",
};

#define IN_LIST(list, p, n) in_list(list, sizeof(list) / sizeof(list)[0], p, n)

static bool in_list(const char *const *list, size_t count, const char *p,
                    size_t n)
{
    struct str word = {p, n};
    char first = n > 0 ? ascii_lower(p[0]) : '\0';

    for (size_t i = 0; i < count; i++)
        if (list[i][0] == first && str_ieq(word, list[i]))
            return true;
    return false;
}

static uint32_t char_at(const struct walk *w, size_t i, size_t *len)
{
    uint32_t cp;

    *len = 0;
    if (i >= w->n)
        return 0;
    *len = utf8_decode(w->p + i, w->n - i, &cp);
    return cp;
}

static bool is_closer(uint32_t cp)
{
    switch (cp) {
    case '"':
    case '\'':
    case ')':
    case ']':
    case '}':
    case 0xBB:
    case 0x2018: /* German closes with what English opens with */
    case 0x2019:
    case 0x201C:
    case 0x201D:
    case 0x203A:
    case 0x300D:
    case 0x300F:
    case 0xFF09:
    case 0x3011:
        return true;
    default:
        return false;
    }
}

static bool is_cjk_stop(uint32_t cp)
{
    return cp == 0x3002 || cp == 0xFF01 || cp == 0xFF1F || cp == 0xFF61 ||
           cp == 0xFF0E;
}

static bool is_space(uint32_t cp)
{
    return (cp < 0x80 && ascii_is_space((int)cp)) || cp == 0xA0 ||
           cp == 0x3000 || cp == 0x2028 || cp == 0x2029;
}

bool sentence_begins(const char *text, size_t at)
{
    while (at > 0 && strchr(" \t\n\"'(", text[at - 1]) != NULL)
        at--;
    return at == 0 || strchr(".?!:;", text[at - 1]) != NULL;
}

bool sentence_is_closed(const char *p, size_t n)
{
    for (;;) {
        size_t at = n, len;
        uint32_t cp;

        if (n == 0)
            return false;
        do
            at--;
        while (at > 0 && ((unsigned char)p[at] & 0xC0) == 0x80);
        cp = char_at(&(struct walk){p, n}, at, &len);
        if (cp == '.' || cp == '!' || cp == '?' || cp == 0x2026 ||
            is_cjk_stop(cp))
            return true;
        if (!is_closer(cp))
            return false;
        n = at;
    }
}

/* A mark right behind a stop: "[12]", "[a]", "[citation needed]". Its length
 * or 0. */
static size_t reference_mark(const struct walk *w, size_t i)
{
    size_t k = i + 1;

    if (i >= w->n || w->p[i] != '[')
        return 0;
    while (k < w->n && k < i + MARK_BYTES_MAX &&
           (ascii_is_alnum(w->p[k]) || w->p[k] == ' '))
        k++;
    return k < w->n && k > i + 1 && w->p[k] == ']' ? k + 1 - i : 0;
}

/* French sets a space before its closing mark; an opening one has none behind
 * it. The bytes of both at i, or 0. */
static size_t spaced_closer(const struct walk *w, size_t i)
{
    size_t space, mark, len;
    uint32_t cp = char_at(w, i, &space);

    if (cp != ' ' && cp != 0xA0 && cp != 0x202F)
        return 0;
    if (char_at(w, i + space, &mark) != 0xBB)
        return 0;
    cp = char_at(w, i + space + mark, &len);
    return len == 0 || is_space(cp) ? space + mark : 0;
}

/* Behind every further stop, closing mark and reference mark. */
static size_t skip_closers(const struct walk *w, size_t i, size_t *stops)
{
    for (;;) {
        size_t len, mark = reference_mark(w, i);
        uint32_t cp = char_at(w, i, &len);

        if (mark == 0)
            mark = spaced_closer(w, i);
        if (mark > 0) {
            i += mark;
            continue;
        }
        if (cp == '.' || cp == '!' || cp == '?' || cp == 0x2026)
            (*stops)++;
        else if (!is_closer(cp) && !is_cjk_stop(cp))
            return i;
        i += len;
    }
}

/* The letters, digits and inner dots that end at end, not before from. */
static struct word word_before(const struct walk *w, size_t from, size_t end)
{
    size_t at = end;

    while (at > from &&
           (ascii_is_alnum(w->p[at - 1]) ||
            (unsigned char)w->p[at - 1] >= 128 || w->p[at - 1] == '_' ||
            (w->p[at - 1] == '.' && at - 1 > from && at < end &&
             ascii_is_alnum(w->p[at - 2]))))
        at--;
    return (struct word){at, end - at};
}

static bool is_lower(uint32_t cp)
{
    if (cp < 0x80)
        return cp >= 'a' && cp <= 'z';
    return cp < 0x530 && char_kind_of(cp) == CHAR_WORD && !char_is_upper(cp);
}

/* Initials and dotted acronyms: "J", "U.S", "a.m". */
static bool is_acronym(const char *p, size_t n)
{
    if (n == 0 || n % 2 == 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (i % 2 == 0 ? !ascii_is_alpha(p[i]) : p[i] != '.')
            return false;
    return true;
}

static struct word word_at(const struct walk *w, size_t at)
{
    size_t end = at;

    while (end < w->n && (ascii_is_alnum(w->p[end]) ||
                          (unsigned char)w->p[end] >= 128 || w->p[end] == '_'))
        end++;
    return (struct word){at, end - at};
}

/* A word in lower case that may open a sentence: an identifier, a call, a
 * file name. */
static bool is_identifier(const struct walk *w, size_t at)
{
    struct word x = word_at(w, at);
    size_t end = x.at + x.len;

    for (size_t i = x.at; i < end; i++)
        if (w->p[i] == '_' || ascii_is_digit(w->p[i]))
            return true;
    if (end + 1 < w->n && w->p[end] == '(' && w->p[end + 1] == ')')
        return true;
    return end + 1 < w->n && w->p[end] == '.' && ascii_is_alpha(w->p[end + 1]);
}

static bool is_opener(const struct walk *w, size_t at)
{
    struct word x = word_at(w, at);

    return IN_LIST(openers, w->p + x.at, x.len);
}

/* Only digits from the start of the sentence: the number of a list item. */
static bool is_item_number(const struct walk *w, size_t from, struct word x)
{
    if (x.at != from || x.len > 3)
        return false;
    for (size_t i = 0; i < x.len; i++)
        if (!ascii_is_digit(w->p[x.at + i]))
            return false;
    return x.len > 0;
}

/* One or two digits in front of a word that German counts. */
static bool is_ordinal(const struct walk *w, struct word x, size_t next)
{
    struct word behind = word_at(w, next);

    for (size_t i = 0; i < x.len; i++)
        if (!ascii_is_digit(w->p[x.at + i]))
            return false;
    return x.len > 0 && x.len <= 2 &&
           IN_LIST(after_ordinal, w->p + behind.at, behind.len);
}

/* A single capital letter of any script. */
static bool is_initial(const struct walk *w, struct word x)
{
    size_t len;
    uint32_t cp = char_at(w, x.at, &len);

    return len == x.len && char_is_upper(cp);
}

/* Does the word before a single full stop keep the sentence open, given that
 * something other than a lower-case word follows at next? */
static bool keeps_open(const struct walk *w, size_t from, struct word x,
                       size_t next)
{
    const char *z = w->p + x.at;

    if (x.len == 0)
        return false;
    if (x.len > SHORT_BYTES)
        return is_acronym(z, x.len) && !is_opener(w, next);
    if (is_item_number(w, from, x) || IN_LIST(never_last, z, x.len) ||
        is_ordinal(w, x, next))
        return true;
    if (IN_LIST(before_number, z, x.len)) {
        size_t behind = word_at(w, next).len;

        return ascii_is_digit(w->p[next]) ||
               (behind == 1 && next + 1 < w->n && w->p[next + 1] == '.');
    }
    if (x.len == 1 && !(z[0] >= 'A' && z[0] <= 'Z'))
        return false; /* initials are capitals */
    if (x.len > 1 && is_initial(w, x))
        return true;
    if (is_acronym(z, x.len) || IN_LIST(may_be_last, z, x.len))
        return !is_opener(w, next);
    return false;
}

static bool stops_in_quotation(const struct walk *w, size_t end, uint32_t next)
{
    static const char *const marks[] = {"」", "』", "”"};

    if (next != 0x3068 && next != 0x3063 && next != 0x3001 && next != 0xFF0C)
        return false;
    for (size_t i = 0; i < 3; i++)
        if (end >= 3 && memcmp(w->p + end - 3, marks[i], 3) == 0)
            return true;
    return false;
}

/* Is the stop at i (its run and closers end at end) a sentence border? */
static bool is_border(const struct walk *w, size_t from, size_t i, size_t end,
                      size_t stops)
{
    size_t len, next = end;
    uint32_t stop = char_at(w, i, &len), cp = char_at(w, end, &len);

    /* A quotation that ends in 。 goes on with the particle behind it. */
    if (is_cjk_stop(stop) && stops_in_quotation(w, end, cp))
        return false;
    if (is_cjk_stop(stop) || len == 0 || cp == '\n')
        return true;
    if (!is_space(cp))
        return false;
    while (len > 0 && is_space(cp) && cp != '\n') {
        next += len;
        cp = char_at(w, next, &len);
    }
    if (len == 0 || cp == '\n')
        return true;
    if (cp == '"' || cp == '(' || cp == '[' || cp == 0x201C || cp == 0x2018 ||
        cp == 0xAB || cp == '\'' || cp == 0xBF || cp == 0xA1 || cp == 0x201E)
        cp = char_at(w, next += len, &len); /* what is quoted decides */
    if (is_lower(cp) && !(stop == '.' && stops == 1 && is_identifier(w, next)))
        return false;
    if (stop == 0x2026 || stops > 1)
        return true;
    return stop != '.' || next >= w->n ||
           !keeps_open(w, from, word_before(w, from, i), next);
}

/* Bytes that need a look; the others go on with the sentence. */
static const bool may_end[256] = {['\n'] = true,
                                  ['.'] = true,
                                  ['!'] = true,
                                  ['?'] = true,
                                  [0x80 ... 0xFF] = true};

#ifdef __SSE2__
/* Sixteen bytes at a time; nearly all of a text is gone by here. */
static size_t go_on(const struct walk *w, size_t i)
{
    for (; w->n - i >= 16; i += 16) {
        __m128i v = _mm_loadu_si128((const void *)(w->p + i));
        __m128i ends =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('.')),
                                      _mm_cmpeq_epi8(v, _mm_set1_epi8('\n'))),
                         _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('!')),
                                      _mm_cmpeq_epi8(v, _mm_set1_epi8('?'))));
        /* The highest bit says that it is no ASCII. */
        unsigned bits = (unsigned)_mm_movemask_epi8(_mm_or_si128(ends, v));

        if (bits != 0)
            return i + (size_t)__builtin_ctz(bits);
    }
    return i;
}
#else
static size_t go_on(const struct walk *w, size_t i)
{
    (void)w;
    return i;
}
#endif

/* The sentence that begins at from (no space there); its end. */
static size_t sentence_end(const struct walk *w, size_t from)
{
    size_t i = from;

    while (i < w->n) {
        size_t len, stops = 1, end;
        uint32_t cp;

        i = go_on(w, i);
        while (i < w->n && !may_end[(unsigned char)w->p[i]])
            i++;
        if (i == w->n || w->p[i] == '\n')
            return i;
        cp = char_at(w, i, &len);
        if (cp != '.' && cp != '!' && cp != '?' && cp != 0x2026 &&
            !is_cjk_stop(cp)) {
            i += len;
            continue;
        }
        end = skip_closers(w, i + len, &stops);
        if (is_border(w, from, i, end, stops))
            return end;
        i = end;
    }
    return w->n;
}

static bool next_sentence(const struct walk *w, size_t *at, struct span *out)
{
    size_t len, end;
    uint32_t cp;

    while ((cp = char_at(w, *at, &len)), len > 0 && is_space(cp))
        *at += len;
    if (*at >= w->n)
        return false;
    end = sentence_end(w, *at);
    out->start = *at;
    out->len = end - *at;
    *at = end;
    while (out->len > 0 && ascii_is_space(w->p[out->start + out->len - 1]))
        out->len--;
    return true;
}

enum err sentences_split(const char *text, size_t n, struct arena *a,
                         struct span **out, size_t *count)
{
    struct walk w = {text, n};
    struct span first[SENTENCES], s, *spans;
    size_t at = 0, k = 0, behind = 0;

    for (; next_sentence(&w, &at, &s); k++)
        if (k < SENTENCES) {
            first[k] = s;
            behind = at;
        }
    spans = arena_array(a, k, sizeof *spans);
    if (spans == NULL)
        return ERR_NOMEM;
    *out = spans;
    *count = k;
    k = k < SENTENCES ? k : (size_t)SENTENCES;
    memcpy(spans, first, k * sizeof *spans);
    while (k < *count && next_sentence(&w, &behind, &spans[k]))
        k++;
    return ERR_OK;
}
