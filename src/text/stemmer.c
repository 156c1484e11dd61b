/* Stems of other languages; see stemmer.h. The only home of libstemmer. */
#include "text/stemmer.h"

#include "base/str.h"
#include "text/fold.h"

#include <libstemmer.h>
#include <stdlib.h>
#include <string.h>

/* Slots of the memory, a power of two, and the longest word it holds. With it
 * a word costs a third of what it costs without. */
enum { SLOTS = 1024, WORD_MAX = 28 };

struct slot {
    unsigned char word_len, stem_len;
    char word[WORD_MAX], stem[WORD_MAX];
};

struct stemmer {
    struct sb_stemmer *sb;
    enum lang lang;
    struct slot slot[SLOTS];
};

static const char *const algorithms[LANG_COUNT] = {
    [LANG_DE] = "german",  [LANG_FR] = "french",     [LANG_ES] = "spanish",
    [LANG_IT] = "italian", [LANG_PT] = "portuguese", [LANG_NL] = "dutch",
    [LANG_SV] = "swedish", [LANG_DA] = "danish",     [LANG_NO] = "norwegian",
    [LANG_FI] = "finnish", [LANG_RU] = "russian",
};

bool stemmer_exists(enum lang l)
{
    return l < LANG_COUNT && algorithms[l] != NULL;
}

/* The library grows its buffers with the longest word: let it do so here,
 * where running out of memory can be said. */
static bool warm_up(struct sb_stemmer *sb)
{
    sb_symbol word[256];

    memset(word, 'x', sizeof word);
    return sb_stemmer_stem(sb, word, sizeof word) != NULL;
}

enum err stemmer_new(enum lang l, struct stemmer **out)
{
    struct stemmer *s;

    if (!stemmer_exists(l)) {
        *out = NULL;
        return ERR_OK;
    }
    s = calloc(1, sizeof *s);
    if (s == NULL)
        return ERR_NOMEM;
    s->lang = l;
    s->sb = sb_stemmer_new(algorithms[l], "UTF_8");
    if (s->sb == NULL || !warm_up(s->sb)) {
        stemmer_free(s);
        return ERR_NOMEM;
    }
    *out = s;
    return ERR_OK;
}

void stemmer_free(struct stemmer *s)
{
    if (s == NULL)
        return;
    sb_stemmer_delete(s->sb);
    free(s);
}

static void free_later(void *s)
{
    stemmer_free(s);
}

enum err stemmer_in(struct arena *a, enum lang l, struct stemmer **out)
{
    struct stemmer *s = NULL;
    enum err e = stemmer_new(l, &s);

    if (e == ERR_OK && s != NULL && !arena_at_end(a, free_later, s)) {
        stemmer_free(s);
        e = ERR_NOMEM;
    }
    if (e == ERR_OK)
        *out = s;
    return e;
}

bool stemmer_reads(const struct stemmer *s, unsigned char first)
{
    /* D0 and D1 begin the letters of Russian. */
    bool cyrillic = first == 0xD0 || first == 0xD1;

    return s->lang == LANG_RU ? cyrillic : first < 0x80 || first < 0xCE;
}

static size_t fold_into(const char *p, size_t n, char *out, size_t out_max)
{
    size_t len = 0;

    for (size_t i = 0; i < n;) {
        char folded[4];
        uint32_t cp;
        size_t k;

        i += utf8_decode(p + i, n - i, &cp);
        k = char_fold(cp, folded);
        if (len + k >= out_max)
            break;
        memcpy(out + len, folded, k);
        len += k;
    }
    out[len] = '\0';
    return len;
}

static struct slot *slot_of(struct stemmer *s, const char *word, size_t n)
{
    uint32_t h = hash_bytes(word, n);

    return &s->slot[(h ^ h >> 15) & (SLOTS - 1)];
}

static size_t stem_anew(struct stemmer *s, const char *word, size_t n,
                        char *out, size_t out_max)
{
    const sb_symbol *z =
        sb_stemmer_stem(s->sb, (const sb_symbol *)word, (int)n);

    if (z == NULL)
        return fold_into(word, n, out, out_max);
    return fold_into((const char *)z, (size_t)sb_stemmer_length(s->sb), out,
                     out_max);
}

size_t stemmer_stem(struct stemmer *s, const char *word, size_t n, char *out,
                    size_t out_max)
{
    struct slot *slot;
    size_t len;

    if (n == 0 || n > WORD_MAX || out_max <= WORD_MAX)
        return stem_anew(s, word, n, out, out_max);
    slot = slot_of(s, word, n);
    if (slot->word_len == n && memcmp(slot->word, word, n) == 0) {
        memcpy(out, slot->stem, slot->stem_len);
        out[slot->stem_len] = '\0';
        return slot->stem_len;
    }
    len = stem_anew(s, word, n, out, out_max);
    if (len <= WORD_MAX) {
        slot->word_len = (unsigned char)n;
        slot->stem_len = (unsigned char)len;
        memcpy(slot->word, word, n);
        memcpy(slot->stem, out, len);
    }
    return len;
}
