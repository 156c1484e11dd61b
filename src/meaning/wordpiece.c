/* Words to pieces; see wordpiece.h. */
#include "meaning/wordpiece.h"

#include "base/str.h"
#include "text/fold.h"

#include <string.h>

enum {
    WORD_CHARS_MAX = 100, /* longer ones are unknown, as in training */
    WORD_BYTES_MAX = 4 * WORD_CHARS_MAX
};

struct span_of {
    uint32_t lo, hi;
};

/* Punctuation beyond ASCII (Unicode's categories P), in order. */
static const struct span_of marks[] = {
    {0xA1, 0xA1},     {0xA7, 0xA7},     {0xAB, 0xAB},     {0xB6, 0xB7},
    {0xBB, 0xBB},     {0xBF, 0xBF},     {0x37E, 0x37E},   {0x387, 0x387},
    {0x55A, 0x55F},   {0x589, 0x58A},   {0x5BE, 0x5BE},   {0x5F3, 0x5F4},
    {0x60C, 0x60D},   {0x61B, 0x61F},   {0x66A, 0x66D},   {0x6D4, 0x6D4},
    {0x964, 0x965},   {0x2010, 0x2027}, {0x2030, 0x2043}, {0x2045, 0x2051},
    {0x2053, 0x205E}, {0x207D, 0x207E}, {0x208D, 0x208E}, {0x2308, 0x230B},
    {0x2329, 0x232A}, {0x2768, 0x2775}, {0x27C5, 0x27C6}, {0x27E6, 0x27EF},
    {0x2983, 0x2998}, {0x29D8, 0x29DB}, {0x29FC, 0x29FD}, {0x2E00, 0x2E5D},
    {0x3001, 0x3003}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0x3030, 0x3030},
    {0x303D, 0x303D}, {0x30A0, 0x30A0}, {0x30FB, 0x30FB}, {0xFE10, 0xFE19},
    {0xFE30, 0xFE63}, {0xFE68, 0xFE6B}, {0xFF01, 0xFF03}, {0xFF05, 0xFF0A},
    {0xFF0C, 0xFF0F}, {0xFF1A, 0xFF1B}, {0xFF1F, 0xFF20}, {0xFF3B, 0xFF3D},
    {0xFF3F, 0xFF3F}, {0xFF5B, 0xFF5B}, {0xFF5D, 0xFF5D}, {0xFF5F, 0xFF65},
};

/* Latin letters that are no other letter with an accent, in order. */
static const struct span_of whole[] = {
    {0xC6, 0xC6},   {0xD0, 0xD0},   {0xD8, 0xD8},   {0xDE, 0xDF},
    {0xE6, 0xE6},   {0xF0, 0xF0},   {0xF8, 0xF8},   {0xFE, 0xFE},
    {0x110, 0x111}, {0x126, 0x127}, {0x131, 0x133}, {0x138, 0x138},
    {0x13F, 0x142}, {0x149, 0x14B}, {0x152, 0x153}, {0x166, 0x167},
    {0x17F, 0x19F}, {0x1A2, 0x1AE}, {0x1B1, 0x1CC}, {0x1DD, 0x1DD},
    {0x1E2, 0x1E5}, {0x1EE, 0x1EF}, {0x1F1, 0x1F3}, {0x1F6, 0x1F7},
    {0x1FC, 0x1FF}, {0x21C, 0x21D}, {0x220, 0x225}, {0x234, 0x24F},
};

static const struct span_of han[] = {
    {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF},
    {0xF900, 0xFAFF},
    {0x20000, 0x2FA1F},
};

#define IN(spans, cp) in_spans(spans, sizeof spans / sizeof spans[0], cp)

static bool in_spans(const struct span_of *v, size_t count, uint32_t cp)
{
    for (size_t i = 0; i < count && v[i].lo <= cp; i++)
        if (cp <= v[i].hi)
            return true;
    return false;
}

static bool is_space(uint32_t cp)
{
    return cp == ' ' || (cp >= '\t' && cp <= '\r') || cp == 0xA0 ||
           cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 ||
           cp == 0x2029 || cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

/* A mark that stands alone. */
static bool is_mark(uint32_t cp)
{
    if (cp < 0x80)
        return cp > ' ' && cp < 0x7F && !ascii_is_alnum((int)cp);
    return IN(marks, cp) || IN(han, cp);
}

/* Left out: control characters, joiners, accents that stand apart. */
static bool is_nothing(uint32_t cp)
{
    return cp < ' ' || (cp >= 0x7F && cp < 0xA0) || cp == 0xFFFD ||
           (cp >= 0x80 && char_kind_of(cp) == CHAR_IGNORE);
}

/* The small letter without accents; its bytes in out. */
static size_t letter(uint32_t cp, char *out)
{
    bool latin = (cp >= 0xC0 && cp < 0x250) || (cp >= 0x1E00 && cp < 0x1F00);

    if (latin && !IN(whole, cp))
        return char_fold(cp, out);
    return utf8_encode(char_lower(cp), out);
}

/* --- pieces ----------------------------------------------------------------
 */

/* The word of the vocabulary that is the n bytes at p, behind "##" when inside;
 * hash is that of all of it. */
static bool find(const struct model_file *m, uint32_t hash, bool inside,
                 const char *p, size_t n, uint32_t *id)
{
    size_t skip = inside ? 2 : 0;

    for (const struct model_slot *s;
         (s = &m->slot[hash & m->slot_mask])->len != 0; hash++) {
        const char *word = m->letters + s->at;

        if (s->len == n + skip && (!inside || memcmp(word, "##", 2) == 0) &&
            memcmp(word + skip, p, n) == 0) {
            *id = s->id;
            return true;
        }
    }
    return false;
}

struct pieces {
    const struct model_file *m;
    uint32_t *out;
    size_t *at, begins; /* of the word at hand */
    size_t count, max;
    char word[WORD_BYTES_MAX];
    size_t bytes, chars;
    uint32_t hash; /* of the word */
};

static void add(struct pieces *w, uint32_t id)
{
    if (w->count == w->max)
        return;
    if (w->at != NULL)
        w->at[w->count] = w->begins;
    w->out[w->count++] = id;
}

/* The longest piece at a byte of the word; 0: there is none. */
static size_t longest(const struct pieces *w, size_t at, uint32_t *id)
{
    uint32_t hash[WORD_BYTES_MAX + 1];
    size_t n = w->bytes - at;

    hash[0] = MODEL_HASH;
    for (int i = 0; at > 0 && i < 2; i++)
        hash[0] = model_hash(hash[0], '#');
    for (size_t i = 0; i < n; i++)
        hash[i + 1] = model_hash(hash[i], w->word[at + i]);
    while (n > 0 && !find(w->m, hash[n], at > 0, w->word + at, n, id))
        n--;
    return n;
}

/* Cut the word into pieces; unknown as a whole where one is. */
static void word_end(struct pieces *w)
{
    size_t first = w->count, at = 0, n;
    uint32_t id = 0;

    if (w->bytes == 0)
        return;
    if (w->chars > WORD_CHARS_MAX)
        add(w, w->m->shape.unknown);
    else if (find(w->m, w->hash, false, w->word, w->bytes, &id))
        add(w, id);
    else
        for (; at < w->bytes; at += n) {
            n = longest(w, at, &id);
            if (n == 0) {
                w->count = first;
                add(w, w->m->shape.unknown);
                break;
            }
            add(w, id);
        }
    w->bytes = w->chars = 0;
}

static void word_add(struct pieces *w, uint32_t cp, size_t at)
{
    char *z = w->word + w->bytes;
    size_t n = 1;

    if (w->chars++ == 0) {
        w->begins = at;
        w->hash = MODEL_HASH;
    }
    if (w->bytes + 4 > sizeof w->word)
        return;
    if (cp < 0x80)
        *z = ascii_lower((char)cp);
    else
        n = letter(cp, z);
    w->bytes += n;
    for (size_t i = 0; i < n; i++)
        w->hash = model_hash(w->hash, z[i]);
}

size_t wordpiece(const struct model_file *m, const char *p, size_t n,
                 uint32_t *out, size_t *at, size_t max)
{
    struct pieces w = {.m = m, .out = out, .at = at, .max = max - 1};

    add(&w, m->shape.first);
    for (size_t i = 0, from = 0; i < n && w.count < w.max; from = i) {
        uint32_t cp = (unsigned char)p[i];

        i += cp < 0x80 ? 1 : utf8_decode(p + i, n - i, &cp);
        if (cp < 0x80 && ascii_is_alnum((int)cp)) {
            word_add(&w, cp, from);
        } else if (is_space(cp)) {
            word_end(&w);
        } else if (is_mark(cp)) {
            word_end(&w);
            word_add(&w, cp, from);
            word_end(&w);
        } else if (!is_nothing(cp)) {
            word_add(&w, cp, from);
        }
    }
    word_end(&w);
    w.begins = n;
    w.max = max;
    add(&w, m->shape.last);
    return w.count;
}
