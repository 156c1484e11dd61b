/*
 * The tokenizer; see terms.h. One pass, nothing allocated: ASCII is read
 * through one table, everything else through text/fold. Used by the index
 * and by whatever scores text; never decides what a term is worth.
 */
#include "text/terms.h"

#include "base/str.h"
#include "text/fold.h"
#include "text/stemmer.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* What is being collected. */
struct token {
    char *text;
    size_t len;
    size_t begin;      /* in the source */
    bool only_letters; /* ASCII ones: may be stemmed */
    bool only_digits;
    bool full; /* cut: nothing more is stored */
};

/* Folded ASCII letter or digit, 0 for anything else. */
static const unsigned char ascii_fold[256] = {
    ['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4',
    ['5'] = '5', ['6'] = '6', ['7'] = '7', ['8'] = '8', ['9'] = '9',
    ['a'] = 'a', ['b'] = 'b', ['c'] = 'c', ['d'] = 'd', ['e'] = 'e',
    ['f'] = 'f', ['g'] = 'g', ['h'] = 'h', ['i'] = 'i', ['j'] = 'j',
    ['k'] = 'k', ['l'] = 'l', ['m'] = 'm', ['n'] = 'n', ['o'] = 'o',
    ['p'] = 'p', ['q'] = 'q', ['r'] = 'r', ['s'] = 's', ['t'] = 't',
    ['u'] = 'u', ['v'] = 'v', ['w'] = 'w', ['x'] = 'x', ['y'] = 'y',
    ['z'] = 'z', ['A'] = 'a', ['B'] = 'b', ['C'] = 'c', ['D'] = 'd',
    ['E'] = 'e', ['F'] = 'f', ['G'] = 'g', ['H'] = 'h', ['I'] = 'i',
    ['J'] = 'j', ['K'] = 'k', ['L'] = 'l', ['M'] = 'm', ['N'] = 'n',
    ['O'] = 'o', ['P'] = 'p', ['Q'] = 'q', ['R'] = 'r', ['S'] = 's',
    ['T'] = 't', ['U'] = 'u', ['V'] = 'v', ['W'] = 'w', ['X'] = 'x',
    ['Y'] = 'y', ['Z'] = 'z',
};

void terms_init(struct term_iter *it, const char *p, size_t n)
{
    it->p = p;
    it->n = n;
    it->at = 0;
    it->stem = NULL;
    it->cjk_pending = false;
    it->block_at = n; /* behind every token: none is read */
}

void terms_init_with(struct term_iter *it, struct stemmer *stem, const char *p,
                     size_t n)
{
    terms_init(it, p, n);
    it->stem = stem;
}

static bool digit_at(const struct term_iter *it, size_t i)
{
    return i < it->n && ascii_is_digit(it->p[i]);
}

static enum char_kind kind_at(const struct term_iter *it, size_t i, size_t *len,
                              uint32_t *cp)
{
    *len = utf8_decode(it->p + i, it->n - i, cp);
    return char_kind_of(*cp);
}

static bool word_at(const struct term_iter *it, size_t i)
{
    uint32_t cp;
    size_t len;

    return i < it->n && kind_at(it, i, &len, &cp) == CHAR_WORD;
}

static void put(struct token *t, const char *p, size_t n)
{
    if (t->full || t->len + n > TERM_MAX) {
        t->full = true;
        return;
    }
    memcpy(t->text + t->len, p, n);
    t->len += n;
}

static void put_cp(struct token *t, uint32_t cp)
{
    char folded[4];
    size_t n = char_fold(cp, folded);

    if (n > 1 || !ascii_is_alpha(folded[0]))
        t->only_letters = t->only_letters && n == 2 && folded[0] > 0 &&
                          ascii_is_alpha(folded[0]);
    if (n > 1 || !ascii_is_digit(folded[0]))
        t->only_digits = false;
    put(t, folded, n);
}

/* A comma that groups thousands: up to three digits before it in this token
 * or since the last such comma, and exactly three behind it. */
static bool groups_thousands(const struct term_iter *it, const struct token *t,
                             size_t i)
{
    return t->only_digits && t->len > 0 &&
           (t->len <= 3 || it->p[i - 4] == ',') && digit_at(it, i + 1) &&
           digit_at(it, i + 2) && digit_at(it, i + 3) && !digit_at(it, i + 4);
}

/* French and Italian elision: the article or pronoun is a word of its own. */
static bool is_elided(const struct token *t)
{
    return (t->len == 1 && memchr("cdjlmnst", t->text[0], 8) != NULL) ||
           (t->len == 2 && memcmp(t->text, "qu", 2) == 0);
}

/* The bytes of an apostrophe at i that joins letters, 0 when the token ends
 * there; *drop is set when a final 's is to be skipped. */
static size_t apostrophe(const struct term_iter *it, const struct token *t,
                         size_t i, size_t len, size_t *drop)
{
    size_t next = i + len;

    if (!word_at(it, next))
        return 0;
    if (ascii_lower(it->p[next]) == 's' && !word_at(it, next + 1)) {
        *drop = len + 1;
        return 0;
    }
    return is_elided(t) ? 0 : len;
}

/* Bytes of what stands at i (not an ASCII letter or digit) and belongs to the
 * token; 0 ends it. */
static size_t join(const struct term_iter *it, struct token *t, size_t i,
                   size_t *drop)
{
    char c = it->p[i];
    uint32_t cp;
    size_t len;

    if (c == '.' && i > 0 && ascii_is_digit(it->p[i - 1]) &&
        digit_at(it, i + 1)) {
        t->only_letters = t->only_digits = false;
        put(t, ".", 1);
        return 1;
    }
    if (c == ',')
        return groups_thousands(it, t, i) ? 1 : 0;
    if (c >= 0 && c != '\'')
        return 0;
    switch (kind_at(it, i, &len, &cp)) {
    case CHAR_WORD:
        put_cp(t, cp);
        return len;
    case CHAR_IGNORE:
        return len;
    case CHAR_QUOTE:
        return apostrophe(it, t, i, len, drop);
    default:
        return 0;
    }
}

/* Collect the token that begins at it->at; moves behind it. */
static size_t scan_word(struct term_iter *it, struct token *t)
{
    size_t i = it->at, drop = 0, end;

    while (i < it->n) {
        unsigned char c = (unsigned char)it->p[i];
        char folded = (char)ascii_fold[c];
        size_t len;

        if (folded != 0) {
            if (folded >= 'a')
                t->only_digits = false;
            else
                t->only_letters = false;
            if (t->len < TERM_MAX && !t->full)
                t->text[t->len++] = folded;
            else
                t->full = true;
            i++;
            continue;
        }
        len = join(it, t, i, &drop);
        if (len == 0)
            break;
        i += len;
    }
    end = i;
    it->at = i + drop;
    return end;
}

/* Two neighbours of unspaced script; a lone one gives itself. False when the
 * character at it->at was the second of the pair before and has no follower.
 */
static bool scan_cjk(struct term_iter *it, size_t len, uint32_t cp,
                     struct token *t, size_t *end)
{
    size_t next = it->at + len, next_len;
    uint32_t next_cp;

    if (next < it->n && kind_at(it, next, &next_len, &next_cp) == CHAR_CJK) {
        put_cp(t, cp);
        put_cp(t, next_cp);
        *end = next + next_len;
        it->at = next;
        it->cjk_pending = true;
        return true;
    }
    it->at = next;
    if (it->cjk_pending) {
        it->cjk_pending = false;
        return false;
    }
    put_cp(t, cp);
    *end = next;
    return true;
}

/* What the stemmers of a term need to know. */
enum word_kind { WORD_ASCII, WORD_OTHER, WORD_UNSPACED };

/* Does what stands at i, behind a letter or digit, belong to it by some rule?
 */
static bool rules_at(const unsigned char *p, size_t i)
{
    return p[i] >= 0x80 || p[i] == '\'' ||
           ((p[i] == '.' || p[i] == ',') && ascii_is_digit(p[i - 1]));
}

#ifdef __SSE2__
/* Which bytes of v are from..from + count - 1. */
static __m128i in_range(__m128i v, char from, char count)
{
    /* Signed, so that the range begins at the least there is. */
    v = _mm_add_epi8(v, _mm_set1_epi8((char)(-128 - from)));
    return _mm_cmplt_epi8(v, _mm_set1_epi8((char)(-128 + count)));
}
#endif

/* ASCII letters and digits in a row, folded, at most max of p's left bytes,
 * into out; *letters: there are no digits among them. */
static size_t plain_run(const unsigned char *p, size_t left, size_t max,
                        char *out, bool *letters)
{
    unsigned char c, kinds = 0x40; /* no digit has it */
    size_t n = 0;

#ifdef __SSE2__
    if (left >= 16) {
        __m128i v = _mm_loadu_si128((const void *)p);
        __m128i lower = _mm_or_si128(v, _mm_set1_epi8(0x20));
        unsigned digits = (unsigned)_mm_movemask_epi8(in_range(v, '0', 10));
        unsigned all =
            (unsigned)_mm_movemask_epi8(in_range(lower, 'a', 26)) | digits;

        n = (size_t)__builtin_ctz(~all);
        if (n < 16) {
            _mm_storeu_si128((void *)out, lower);
            *letters = (digits & ((1u << n) - 1)) == 0;
            return n;
        }
    }
#endif
    for (n = 0; n < max && (c = ascii_fold[p[n]]) != 0; n++) {
        out[n] = (char)c;
        kinds &= c;
    }
    *letters = kinds != 0;
    return n;
}

/* The token at it->at, when it is ASCII letters and digits and ends where no
 * rule need be asked: nearly all are, and this is where time goes. */
static bool plain_word(struct term_iter *it, struct term *out)
{
    const unsigned char *p = (const unsigned char *)it->p + it->at;
    size_t left = it->n - it->at, max = left < TERM_MAX ? left : TERM_MAX;
    bool letters;
    size_t n = plain_run(p, left, max, out->text, &letters);

    if (n == 0)
        return false;
    if (n < left && (n == TERM_MAX || rules_at(p, n)))
        return false;
    out->text[n] = '\0';
    out->len = n;
    out->start = it->at;
    out->end = it->at += n;
    it->cjk_pending = false;
    it->kind = letters ? WORD_ASCII : WORD_OTHER;
    return true;
}

/* Any token, by all rules; false when none begins at it->at, which moves on. */
static bool any_word(struct term_iter *it, struct term *out)
{
    struct token t = {out->text, 0, it->at, true, true, false};
    enum char_kind kind;
    size_t len, end = 0;
    uint32_t cp;

    kind = kind_at(it, it->at, &len, &cp);
    if (kind != CHAR_CJK)
        it->cjk_pending = false;
    if (kind == CHAR_WORD) {
        end = scan_word(it, &t);
    } else if (kind != CHAR_CJK) {
        it->at += len;
        return false;
    } else if (!scan_cjk(it, len, cp, &t, &end)) {
        return false;
    }
    out->len = t.len;
    out->text[t.len] = '\0';
    out->start = t.begin;
    out->end = end;
    it->kind = kind == CHAR_CJK ? WORD_UNSPACED
               : t.only_letters ? WORD_ASCII
                                : WORD_OTHER;
    return true;
}

bool tokens_next(struct term_iter *it, struct term *out)
{
    while (it->at < it->n) {
        unsigned char c = (unsigned char)it->p[it->at];

        if (c < 0x80 && ascii_fold[c] == 0) {
            it->cjk_pending = false;
            it->at++;
        } else if (plain_word(it, out) || any_word(it, out)) {
            return true;
        }
    }
    return false;
}

size_t term_gap(const struct term *left, const struct term *right)
{
    return right->start > left->end ? right->start - left->end : 0;
}

size_t tokens_count(const char *p, size_t n)
{
    static const struct term_starts none;
    struct term_iter it;
    struct term t;
    size_t count;

    terms_init(&it, p, n);
    for (count = tokens_skip(&it, &none); tokens_next(&it, &t); count++)
        count += tokens_skip(&it, &none);
    return count;
}

/* The token as it is spelled, in lower case with its diacritics; 0 when it
 * does not fit or holds a digit. */
static size_t spell(const struct term_iter *it, const struct term *t, char *out)
{
    size_t len = 0;

    for (size_t i = t->start; i < t->end;) {
        enum char_kind kind;
        uint32_t cp;
        size_t n;

        kind = kind_at(it, i, &n, &cp);
        i += n;
        if (cp < 0x80 && ascii_is_digit((int)cp))
            return 0;
        if (kind == CHAR_IGNORE || kind == CHAR_QUOTE)
            continue;
        if (len + 4 > TERM_MAX)
            return 0;
        len += utf8_encode(char_lower(cp), out + len);
    }
    return len;
}

/* By a stemmer: false when the word is none for it. */
static bool stem_with(const struct term_iter *it, struct term *t)
{
    char word[TERM_MAX];
    size_t n;

    if (!stemmer_reads(it->stem, (unsigned char)t->text[0]))
        return false;
    n = spell(it, t, word);
    if (n > 0)
        t->len = stemmer_stem(it->stem, word, n, t->text, sizeof t->text);
    return true;
}

void term_starts_add(struct term_starts *s, const char *term)
{
    uint32_t *of = s->third[term[0] & 31];
    char c = term[0] == '\0' ? '\0' : term[1];
    bool plain = !s->any_second && c >= 'a' && c <= 'z';
    bool third = plain && strlen(term) > 3 && term[2] >= 'a' && term[2] <= 'z';
    uint32_t bits = third ? 1u << (term[2] & 31) : UINT32_MAX;

    for (unsigned i = 0; i < 32; i++)
        if (!plain || i == ((unsigned char)c & 31u) ||
            (c == 'i' && i == ('y' & 31u)))
            of[i] |= bits;
}

/* A block of bytes as sets of bits: which are ASCII letters and digits, which
 * may belong to a token by some rule, which are no ASCII. */
enum { BLOCK = 64 };

#ifdef __SSE2__
static void block_read(struct term_block *b, const unsigned char *p)
{
    *b = (struct term_block){0};
    for (unsigned i = 0; i < BLOCK; i += 16) {
        __m128i v = _mm_loadu_si128((const void *)(p + i));
        __m128i word = _mm_or_si128(
            in_range(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a', 26),
            in_range(v, '0', 10));
        __m128i rule =
            _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\'')),
                         _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('.')),
                                      _mm_cmpeq_epi8(v, _mm_set1_epi8(','))));

        b->words |= (uint64_t)(unsigned)_mm_movemask_epi8(word) << i;
        b->rules |= (uint64_t)(unsigned)_mm_movemask_epi8(rule) << i;
        b->others |= (uint64_t)(unsigned)_mm_movemask_epi8(v) << i;
    }
}
#else
static void block_read(struct term_block *b, const unsigned char *p)
{
    *b = (struct term_block){0};
    for (unsigned i = 0; i < BLOCK; i++) {
        uint64_t bit = (uint64_t)1 << i;

        b->words |= ascii_fold[p[i]] != 0 ? bit : 0;
        b->rules |= p[i] == '\'' || p[i] == '.' || p[i] == ',' ? bit : 0;
        b->others |= p[i] >= 0x80 ? bit : 0;
    }
}
#endif

/* Which tokens begin in the block and end there, joined to nothing; up to its
 * len, of at most known bytes, there are no others. */
static void block_tokens(struct term_block *b, size_t known, bool last)
{
    uint64_t from = b->words & ~(b->words << 1), ends = b->words;
    uint64_t joined =
        (b->rules & b->words << 1 & (b->words | b->others) >> 1) | b->others;
    size_t len = known;

    b->open = joined != 0;
    if (b->open)
        len = (size_t)__builtin_ctzll(joined);
    else if (!last) /* it may go on behind the block */
        ends |= b->rules & b->words << 1;
    if (len < BLOCK)
        from &= ((uint64_t)1 << len) - 1;
    if ((b->open || !last) && len > 0 && (ends >> (len - 1) & 1)) {
        len = BLOCK - 1 - (size_t)__builtin_clzll(from);
        from &= ~((uint64_t)1 << len);
    }
    b->from = from;
    b->len = len;
}

/* The block that begins at it->at. */
static void block_begin(struct term_iter *it)
{
    size_t left = it->n - it->at, known = left < BLOCK ? left : BLOCK;
    const char *p = it->p + it->at;
    char rest[BLOCK];

    if (left < BLOCK) {
        memset(rest, 0, sizeof rest);
        p = memcpy(rest, p, left);
    }
    block_read(&it->block, (const unsigned char *)p);
    block_tokens(&it->block, known, known == left);
    it->block_at = it->at;
}

/* How many low bits are set in a row. */
static size_t ones(uint64_t bits)
{
    return ~bits == 0 ? BLOCK : (size_t)__builtin_ctzll(~bits);
}

size_t tokens_skip(struct term_iter *it, const struct term_starts *s)
{
    const struct term_block *b = &it->block;
    size_t count = 0;

    it->plain = 0;
    while (it->at < it->n) {
        if (it->at < it->block_at || it->at - it->block_at >= b->len)
            block_begin(it);
        for (uint64_t from = b->from >> (it->at - it->block_at)
                                            << (it->at - it->block_at);
             from != 0; from &= from - 1, count++) {
            size_t i = (size_t)__builtin_ctzll(from), at = it->block_at + i;
            const char *p = it->p + at;

            if (it->n - at < 3 || term_starts_have(s, p[0], p[1], p[2])) {
                it->at = at;
                it->cjk_pending = false;
                it->plain = ones(b->words >> i);
                return count;
            }
        }
        if (b->len > 0)
            it->cjk_pending = false;
        it->at = it->block_at + b->len;
        if (b->open || b->len == 0)
            break;
    }
    return count;
}

size_t tokens_read(const char *p, size_t n, struct term *out, size_t max)
{
    struct term_iter it;
    size_t count = 0;

    terms_init(&it, p, n);
    while (count < max && tokens_next(&it, &out[count]))
        count++;
    return count;
}

void token_run_read(struct token_run *out, const char *p, size_t n, size_t max)
{
    out->p = p;
    out->len = n;
    out->n = tokens_read(p, n, out->t, max);
}

bool tokens_have(const char *p, size_t n, const char *list)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        if (word_in(t.text, list))
            return true;
    return false;
}

void token_stem(const struct term_iter *it, struct term *t)
{
    if (t->len <= 2 || it->kind == WORD_UNSPACED ||
        (it->stem != NULL && stem_with(it, t)))
        return;
    if (it->kind == WORD_ASCII) {
        t->len = term_stem(t->text, t->len);
        t->text[t->len] = '\0';
    }
}

bool terms_next(struct term_iter *it, struct term *out)
{
    if (!tokens_next(it, out))
        return false;
    token_stem(it, out);
    return true;
}
