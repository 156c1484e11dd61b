/*
 * The language of a text. Latin languages are told apart by the stop words
 * they use and a few letters, the others by their script. Called for pages
 * that enter the index and for questions; the words are stop_words.c's.
 */
#include "text/terms.h"

#include "base/str.h"
#include "text/fold.h"

#include <string.h>

enum {
    SAMPLE_BYTES = 8000,
    FEW_TOKENS = 12,      /* a question: one stop word may decide */
    KANA_PERCENT = 5,     /* of the CJK characters, to be Japanese */
    ENGLISH_PERCENT = 30, /* of the tokens: no other language has so many of
                             its stop words in common with English … */
    ENGLISH_LONG = 20,    /* … and not so many over this many tokens */
    LONG_TOKENS = 40,
    WORDS_OF_PART = 4,  /* different stop words */
    QUESTION_SIGNS = 2, /* of keywords one may be a word of some language */
    STOPS_PERCENT = 12, /* the same for any language: prose has 30 and more, */
    STOPS_LONG = 20     /* words of no language a few by chance */
};

static const char *const codes[LANG_COUNT] = {"en", "de", "fr", "es", "it",
                                              "pt", "nl", "sv", "da", "no",
                                              "fi", "ru", "zh", "ja", "ko"};

const char *lang_code(enum lang l)
{
    return l < LANG_COUNT ? codes[l] : "en";
}

enum lang lang_of_tag(const char *tag)
{
    char two[3] = "";

    if (tag == NULL || !ascii_is_alpha(tag[0]) || !ascii_is_alpha(tag[1]) ||
        ascii_is_alpha(tag[2]))
        return LANG_EN;
    two[0] = ascii_lower(tag[0]);
    two[1] = ascii_lower(tag[1]);
    if (strcmp(two, "nb") == 0 || strcmp(two, "nn") == 0)
        return LANG_NO;
    for (int l = 0; l < LANG_COUNT; l++)
        if (strcmp(two, codes[l]) == 0)
            return (enum lang)l;
    return LANG_EN;
}

/* Characters by script. */
struct scripts {
    size_t latin, cyrillic, russian, kana, han, hangul, other;
};

/* Cyrillic letters that Russian does not have. */
static bool is_not_russian(uint32_t cp)
{
    return cp == 0x404 || (cp >= 0x406 && cp <= 0x40F) || cp == 0x454 ||
           (cp >= 0x456 && cp <= 0x45F) || cp >= 0x460;
}

static void count_scripts(const char *p, size_t n, struct scripts *s)
{
    for (size_t i = 0; i < n;) {
        uint32_t cp;

        i += utf8_decode(p + i, n - i, &cp);
        if (cp < 0x80 ? ascii_is_alpha((int)cp) : cp >= 0xC0 && cp < 0x250) {
            s->latin++;
        } else if (cp >= 0x400 && cp < 0x530) {
            s->cyrillic++;
            s->russian += is_not_russian(cp) ? 0 : 1;
        } else if (cp >= 0x3041 && cp <= 0x30FF) {
            s->kana++;
        } else if (cp >= 0x3400 && cp <= 0x9FFF) {
            s->han++;
        } else if (cp >= 0xAC00 && cp <= 0xD7A3) {
            s->hangul++;
        } else if (cp >= 0x370 && char_kind_of(cp) != CHAR_BREAK) {
            s->other++;
        }
    }
}

/* Letters and marks that few of the languages write, as a set of bits. */
static unsigned letter_languages(uint32_t cp)
{
    static const struct {
        uint32_t cp;
        unsigned languages;
    } all[] = {
        {0xBF, 1u << LANG_ES},
        {0xA1, 1u << LANG_ES},
        {0xF1, 1u << LANG_ES},
        {0xDF, 1u << LANG_DE},
        {0xFC, 1u << LANG_DE},
        {0xE4, 1u << LANG_DE | 1u << LANG_SV},
        {0xF6, 1u << LANG_DE | 1u << LANG_SV},
        {0xE5, 1u << LANG_SV | 1u << LANG_DA | 1u << LANG_NO},
        {0xE6, 1u << LANG_DA | 1u << LANG_NO},
        {0xF8, 1u << LANG_DA | 1u << LANG_NO},
        {0xE3, 1u << LANG_PT},
        {0xF5, 1u << LANG_PT},
        {0xE9, 1u << LANG_FR | 1u << LANG_ES | 1u << LANG_PT},
        {0xE7, 1u << LANG_PT | 1u << LANG_FR},
        {0xEA, 1u << LANG_PT | 1u << LANG_FR},
        {0xE8, 1u << LANG_FR | 1u << LANG_IT},
        {0x153, 1u << LANG_FR},
        {0xF2, 1u << LANG_IT},
        {0xEC, 1u << LANG_IT},
    };

    cp = char_lower(cp);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].cp == cp)
            return all[i].languages;
    return 0;
}

/* What tells each language: all of it, and what English has not. */
struct told {
    int hits[LANG_COUNT], own[LANG_COUNT];
};

static void told_add(struct told *t, unsigned languages)
{
    for (int l = 0; languages != 0 && l < LANG_COUNT; l++) {
        int one = languages >> l & 1;

        t->hits[l] += one;
        t->own[l] += languages & 1U << LANG_EN ? 0 : one;
    }
}

/* Each such letter counts like a stop word, once for a language; but a mark
 * that is in no name, for itself. */
static void count_letters(const char *p, size_t n, struct told *t)
{
    unsigned seen = 0, marks = 0;

    for (size_t i = 0; i < n;) {
        uint32_t cp;

        i += utf8_decode(p + i, n - i, &cp);
        if (cp >= 0x80 && cp < 0xC0)
            marks |= letter_languages(cp);
        else if (cp >= 0xC0 && cp < 0x180)
            seen |= letter_languages(cp);
    }
    told_add(t, seen);
    told_add(t, marks);
}

/* Mostly English? Told first, because most pages are, by one list only. */
static bool is_english(const char *p, size_t n)
{
    size_t tokens = 0, stops = 0;
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    for (; tokens_next(&it, &t); tokens++)
        stops += term_is_stop(t.text, t.len);
    return tokens > FEW_TOKENS &&
           stops * 100 >= tokens * (tokens > LONG_TOKENS
                                        ? (size_t)ENGLISH_LONG
                                        : (size_t)ENGLISH_PERCENT);
}

/* Does the token stand for a word? Of one letter, "l'" does, but not "L. M.
 * Person", "N-terminal" and "tar -c -v -f". */
static bool is_whole(const char *p, size_t n, const struct term *t)
{
    if (t->len > 1 ||
        (t->end < n && (p[t->end] == '\'' || p[t->end] == '\xE2')))
        return true;
    return strchr("aeiouy", t->text[0]) != NULL &&
           !(p[t->start] >= 'A' && p[t->start] <= 'Z');
}

/* The stop words. Single letters say nothing of a language that has no longer
 * word: "d-i", "y/n", "ls -a -o". The number of all tokens. */
static size_t count_words(const char *p, size_t n, struct told *t)
{
    struct told letters = {{0}, {0}};
    struct term_iter it;
    struct term one;
    size_t tokens = 0;

    terms_init(&it, p, n);
    for (; tokens_next(&it, &one); tokens++)
        if (is_whole(p, n, &one))
            told_add(one.len > 1 ? t : &letters,
                     languages_of_stop(one.text, one.len));
    for (int l = 0; l < LANG_COUNT; l++) {
        t->own[l] += t->hits[l] > 0 ? letters.own[l] : 0;
        t->hits[l] += t->hits[l] > 0 ? letters.hits[l] : 0;
    }
    return tokens;
}

/* The language whose stop words are most frequent, if clearly so; of a
 * question, with what each language has of its ways to ask. */
static const char *by_stop_words(const char *p, size_t n, asks_fn asks)
{
    struct told t = {{0}, {0}};
    const int *hits = t.hits;
    int best = 0, next = 0, asked[LANG_COUNT] = {0};
    size_t tokens;

    if (is_english(p, n))
        return "en";
    tokens = count_words(p, n, &t);
    count_letters(p, n, &t);
    if (asks != NULL)
        asks(p, asked);
    for (int l = 0; l < LANG_COUNT; l++) {
        t.hits[l] += asked[l];
        t.own[l] += asked[l];
    }
    for (int l = 1; l < LANG_COUNT; l++)
        if (hits[l] > hits[best])
            best = l;
    for (int l = 0; l < LANG_COUNT; l++)
        if (l != best && hits[l] > next)
            next = hits[l];
    /* A single word may be in any language, and English is first guess. */
    if (hits[best] <= 0 || hits[best] * 5 < next * 6 + 1 ||
        (best != LANG_EN && hits[best] < hits[LANG_EN] + 2) ||
        (best != LANG_EN && asks != NULL && t.own[best] < QUESTION_SIGNS) ||
        (tokens > FEW_TOKENS &&
         (size_t)hits[best] * 100 < tokens * (tokens > LONG_TOKENS
                                                  ? (size_t)STOPS_LONG
                                                  : (size_t)STOPS_PERCENT)))
        return "";
    return codes[best];
}

/* A short text in no letters but those of Russian is Russian. */
static const char *cyrillic_language(const char *p, size_t n,
                                     const struct scripts *s)
{
    const char *code = by_stop_words(p, n, NULL);

    if (code[0] != '\0' || s->russian < s->cyrillic || n > 400)
        return strcmp(code, "ru") == 0 ? code : "";
    return "ru";
}

const char *question_language(const char *p, size_t n, asks_fn asks)
{
    struct scripts s = {0, 0, 0, 0, 0, 0, 0};
    size_t all, cjk;

    n = utf8_cut(p, n, SAMPLE_BYTES);
    count_scripts(p, n, &s);
    cjk = s.han + s.kana;
    all = s.latin + s.cyrillic + cjk + s.hangul + s.other;
    /* One character of these scripts says about as much as three letters. */
    if (s.hangul * 3 > all - s.hangul)
        return "ko";
    if (cjk * 3 > all - cjk)
        return s.kana * 100 >= cjk * KANA_PERCENT ? "ja" : "zh";
    if (s.cyrillic * 2 > all)
        return cyrillic_language(p, n, &s);
    return s.latin * 2 > all ? by_stop_words(p, n, asks) : "";
}

const char *text_language(const char *p, size_t n)
{
    return question_language(p, n, NULL);
}

/* Of 64 the bit that stands for a word. */
static unsigned word_bit(const char *z, size_t n)
{
    return ((unsigned char)z[0] + 7U * (unsigned char)z[1] + (unsigned)n) % 64;
}

const char *part_language(const char *p, size_t n)
{
    const char *code = text_language(p, n);
    enum lang l = lang_of_tag(code);
    uint64_t seen = 0; /* a bit for each word, or for a few together */
    struct term_iter it;
    struct term t;

    if (l == LANG_EN || l > LANG_RU)
        return code;
    terms_init(&it, p, n);
    while (tokens_next(&it, &t)) {
        unsigned in = languages_of_stop(t.text, t.len);

        if (t.len > 1 && (in >> l & 1) != 0 && (in >> LANG_EN & 1) == 0)
            seen |= (uint64_t)1 << word_bit(t.text, t.len);
    }
    return __builtin_popcountll(seen) >= WORDS_OF_PART ? code : "";
}

const char *page_language(const char *declared, const char *found)
{
    enum lang l = lang_of_tag(declared);
    bool is_declared = declared != NULL && declared[0] != '\0';

    if (!is_declared)
        return found;
    /* Tags of languages without stop words here cannot be contradicted. */
    if (l == LANG_FI || (l == LANG_EN && !ascii_starts_i(declared, "en")))
        return declared;
    return found[0] == '\0' || lang_of_tag(found) == l ? declared : found;
}
