/*
 * Is it a stop word? The words are data (CODE.words in lang), in strcmp order;
 * of unspaced scripts, whose tokens are pairs of characters, the characters
 * that make a pair one stand here. Called by whoever tells words that carry
 * meaning from others, and by language.c.
 */
#include "text/terms.h"

#include "base/str.h"

#include <stdlib.h>
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

struct needle {
    const char *z;
    size_t n;
};

static int compare_word(const void *key, const void *entry)
{
    const struct needle *k = key;
    const char *word = *(const char *const *)entry;
    int c = strncmp(k->z, word, k->n);

    return c != 0 ? c : word[k->n] == '\0' ? 0 : -1;
}

static bool is_listed(enum lang l, const char *z, size_t n)
{
    struct needle key = {z, n};

    return n > 0 && stop_words[l].count > 0 &&
           bsearch(&key, stop_words[l].word, stop_words[l].count,
                   sizeof(char *), compare_word) != NULL;
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
