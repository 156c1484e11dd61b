/*
 * Is it a stop word? The words are data (CODE.words in lang), in strcmp order;
 * of unspaced scripts, whose tokens are pairs of characters, the characters
 * that make a pair one stand here. Called by whoever tells words that carry
 * meaning from others, and by language.c.
 */
#include "text/terms.h"

#include "base/str.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

/* Characters that ask or bind: a pair with one of them is half a word. */
static const char chinese[] =
    "的了吗呢吧是在和与及有什么谁哪几为怎样何被把由到于"
    "请这那其而且或者就也都很最多少个些";
/* Particles of Japanese, and what else its endings are made of. */
static const char particles[] = "はがをにのでともへや";
static const char endings[] =
    "はがをにのでともへやかねよすましたているれさなっだ"
    "こそあどつうくりらえ";
static const char asking[] = "何誰幾ぜ";

/* The words of all languages by their hash: texts are full of them. */
enum { SLOTS = 8192 };
static struct {
    const char *word;
    unsigned languages;
} slots[SLOTS];
static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

/* The slot of a word, or the empty one where it belongs. */
static size_t slot_of(const char *z, size_t n)
{
    uint32_t h = hash_bytes(z, n);
    size_t i;

    for (i = (h ^ h >> 13) % SLOTS; slots[i].word != NULL; i = (i + 1) % SLOTS)
        if (strncmp(slots[i].word, z, n) == 0 && slots[i].word[n] == '\0')
            break;
    return i;
}

static void slots_fill(void)
{
    for (unsigned l = 0; l < LANG_COUNT; l++)
        for (size_t k = 0; k < stop_words[l].count; k++) {
            const char *word = stop_words[l].word[k];
            size_t i = slot_of(word, strlen(word));

            slots[i].word = word;
            slots[i].languages |= 1u << l;
        }
}

unsigned languages_of_stop(const char *z, size_t n)
{
    pthread_once(&slots_once, slots_fill);
    return slots[slot_of(z, n)].languages;
}

static bool is_listed(enum lang l, const char *z, size_t n)
{
    return languages_of_stop(z, n) >> l & 1;
}

bool term_is_stop(const char *z, size_t n)
{
    return is_listed(LANG_EN, z, n);
}

/* Is the character of n bytes at z one of a list? */
static bool is_among(const char *z, size_t n, const char *list)
{
    char one[5] = "";

    if (n == 0 || n >= sizeof one)
        return false;
    memcpy(one, z, n);
    return strstr(list, one) != NULL;
}

static bool is_stop_pair(enum lang l, const char *z, size_t n)
{
    uint32_t cp;
    size_t one = utf8_decode(z, n, &cp), two = n - one;

    if (cp < 0x3000)
        return false;
    if (l == LANG_ZH)
        return is_among(z, one, chinese) || is_among(z + one, two, chinese);
    if (is_among(z, one, particles) || is_among(z + one, two, particles) ||
        is_among(z, one, asking) || is_among(z + one, two, asking))
        return true;
    return is_among(z, one, endings) &&
           (two == 0 || is_among(z + one, two, endings));
}

bool lang_is_stop(enum lang l, const char *z, size_t n)
{
    if (l == LANG_ZH || l == LANG_JA)
        return (n > 0 && is_stop_pair(l, z, n)) || term_is_stop(z, n);
    return is_listed(l, z, n);
}
