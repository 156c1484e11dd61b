/*
 * Text that speaks to a machine; see injection.h. The words are data
 * (lang/words.h); what they say together is told here, for languages
 * whose words stand apart by their order, for the others by their presence.
 */
#include "page/injection.h"
#include "lang/words.h"

#include "base/str.h"
#include "text/fold.h"
#include "text/passage.h"
#include "text/terms.h"

#include <pthread.h>
#include <string.h>

enum {
    PLAIN_MAX = 4096, /* bytes of a sentence looked at */
    WORDS_MAX = 192,
    NEAR = 8,
    OUTSIDE_MIN = 2 /* words around a quotation that make it one */
};

/* A sentence as it is read: invisible characters and quotations left out,
 * letters of other scripts that look like Latin ones in their place. */
struct plain {
    char z[PLAIN_MAX + 8];
    size_t len;
    struct term t[WORDS_MAX];
    bool mark[WORDS_MAX]; /* something but blanks stands before it */
    size_t n;
};

/* --- letters ------------------------------------------------------------- */

/* Letters that look like those of ASCII: Greek, Cyrillic, Armenian, Latin. */
static const struct {
    uint32_t cp;
    char ascii;
} look_alikes[] = {
    {0x131, 'i'}, {0x251, 'a'}, {0x261, 'g'}, {0x391, 'A'}, {0x392, 'B'},
    {0x395, 'E'}, {0x396, 'Z'}, {0x397, 'H'}, {0x399, 'I'}, {0x39A, 'K'},
    {0x39C, 'M'}, {0x39D, 'N'}, {0x39F, 'O'}, {0x3A1, 'P'}, {0x3A4, 'T'},
    {0x3A5, 'Y'}, {0x3A7, 'X'}, {0x3B1, 'a'}, {0x3B5, 'e'}, {0x3B7, 'n'},
    {0x3B9, 'i'}, {0x3BA, 'k'}, {0x3BD, 'v'}, {0x3BF, 'o'}, {0x3C1, 'p'},
    {0x3C4, 't'}, {0x3C5, 'u'}, {0x3C9, 'w'}, {0x405, 'S'}, {0x406, 'I'},
    {0x408, 'J'}, {0x410, 'A'}, {0x412, 'B'}, {0x415, 'E'}, {0x41A, 'K'},
    {0x41C, 'M'}, {0x41D, 'H'}, {0x41E, 'O'}, {0x420, 'P'}, {0x421, 'C'},
    {0x422, 'T'}, {0x423, 'Y'}, {0x425, 'X'}, {0x430, 'a'}, {0x435, 'e'},
    {0x43A, 'k'}, {0x43C, 'm'}, {0x43E, 'o'}, {0x440, 'p'}, {0x441, 'c'},
    {0x442, 't'}, {0x443, 'y'}, {0x445, 'x'}, {0x455, 's'}, {0x456, 'i'},
    {0x458, 'j'}, {0x475, 'v'}, {0x4BB, 'h'}, {0x4CF, 'l'}, {0x501, 'd'},
    {0x51B, 'q'}, {0x51D, 'w'}, {0x570, 'h'}, {0x578, 'n'}, {0x57D, 'u'},
    {0x585, 'o'}};

static char look_alike(uint32_t cp)
{
    for (size_t i = 0; i < sizeof(look_alikes) / sizeof(look_alikes[0]); i++)
        if (look_alikes[i].cp == cp)
            return look_alikes[i].ascii;
    return '\0';
}

/* Letters that are ASCII ones in another dress: mathematical, circled, full
 * width, and tags, which nobody sees. 0: none of these. */
static uint32_t undressed(uint32_t cp)
{
    if (cp >= 0x1D400 && cp <= 0x1D6A3) {
        uint32_t i = (cp - 0x1D400) % 52;

        return i < 26 ? 'A' + i : 'a' + i - 26;
    }
    if (cp >= 0x24B6 && cp <= 0x24E9)
        return cp < 0x24D0 ? 'A' + cp - 0x24B6 : 'a' + cp - 0x24D0;
    if (cp >= 0xFF21 && cp <= 0xFF5A)
        return cp - 0xFF21 + 'A';
    return cp >= 0xE0020 && cp <= 0xE007E ? cp - 0xE0000 : 0;
}

/* The text without what nobody sees, in its plain dress. */
static size_t undress(const char *p, size_t n, char *out, size_t max)
{
    size_t len = 0;

    for (size_t i = 0; i < n && len + 4 <= max;) {
        uint32_t cp, plain;

        if ((unsigned char)p[i] < 0x80) {
            out[len++] = p[i++];
            continue;
        }
        i += utf8_decode(p + i, n - i, &cp);
        plain = undressed(cp);
        if (plain != 0)
            cp = plain;
        else if (char_kind_of(cp) == CHAR_IGNORE && cp >= 0x2000)
            continue;
        len += utf8_encode(cp, out + len);
    }
    return len;
}

static bool is_letter(uint32_t cp)
{
    return cp < 0x80 ? ascii_is_alpha((char)cp) : char_kind_of(cp) == CHAR_WORD;
}

/* In words with a letter of ASCII the letters that only look like one become
 * it. In place: no letter gets longer. */
static size_t unmask(char *z, size_t n)
{
    size_t len = 0;

    while (len < n && (unsigned char)z[len] < 0x80)
        len++;
    for (size_t i = len == n ? n : (len = 0); i < n;) {
        size_t end = i, width = 0;
        bool ascii = false;
        uint32_t cp;

        while (end < n) {
            width = utf8_decode(z + end, n - end, &cp);
            if (!is_letter(cp))
                break;
            ascii = ascii || cp < 0x80;
            end += width;
        }
        if (end == i) {
            memmove(z + len, z + i, width);
            len += width;
            i += width;
            continue;
        }
        while (i < end) {
            width = utf8_decode(z + i, n - i, &cp);
            if (ascii && look_alike(cp) != '\0') {
                z[len++] = look_alike(cp);
            } else {
                memmove(z + len, z + i, width);
                len += width;
            }
            i += width;
        }
    }
    z[len] = '\0';
    return len;
}

/* --- quotations ---------------------------------------------------------- */

/* Length of the quotation that opens at z[0..n) with its marks, or 0. */
static size_t quotation(const char *z, size_t n)
{
    static const char *const marks[][2] = {
        {"\"", "\""}, {"“", "”"},   {"„", "“"},   {"„", "”"},
        {"«", "»"},   {"「", "」"}, {"『", "』"}, {"`", "`"}};

    if ((unsigned char)z[0] < 0x80 && z[0] != '"' && z[0] != '`')
        return 0;
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        size_t open = strlen(marks[i][0]), close = strlen(marks[i][1]);
        const char *end;

        if (n < open + close || memcmp(z, marks[i][0], open) != 0)
            continue;
        end = mem_find(z + open, n - open, marks[i][1]);
        if (end != NULL)
            return (size_t)(end - z) + close;
    }
    return 0;
}

/* What is quoted is spoken about: it leaves the text, unless hardly anything
 * stands around it. */
static void unquote(struct plain *x)
{
    char out[PLAIN_MAX + 8];
    size_t len = 0;
    bool quoted = false;

    for (size_t i = 0; i < x->len;) {
        size_t n = quotation(x->z + i, x->len - i);

        if (n > 0) {
            quoted = true;
            memcpy(out + len, " , ", 3);
            len += n < 3 ? n : 3;
        } else {
            out[len++] = x->z[i];
        }
        i += n > 0 ? n : 1;
    }
    if (!quoted || tokens_count(out, len) < OUTSIDE_MIN)
        return;
    memcpy(x->z, out, len);
    x->z[len] = '\0';
    x->len = len;
}

static void plain_read(struct plain *x, const char *p, size_t n)
{
    struct term_iter it;
    size_t at = 0;

    x->len = undress(p, n, x->z, PLAIN_MAX);
    x->len = unmask(x->z, x->len);
    unquote(x);
    x->n = 0;
    terms_init(&it, x->z, x->len);
    while (x->n < WORDS_MAX && tokens_next(&it, &x->t[x->n])) {
        bool mark = false;

        for (; at < x->t[x->n].start; at++)
            mark = mark || x->z[at] != ' ';
        at = x->t[x->n].end > at ? x->t[x->n].end : at;
        x->mark[x->n++] = mark;
    }
}

/* --- words --------------------------------------------------------------- */

/* Does word ("ignor*", "ignore") say token z? n bytes of it. */
static bool says(const char *word, size_t n, const char *z)
{
    if (n > 0 && word[n - 1] == '*')
        return strncmp(word, z, n - 1) == 0;
    return strncmp(word, z, n) == 0 && z[n] == '\0';
}

/* How many words at i say the entry ("you_are_now"); 0: they do not. */
static size_t entry_at(const struct plain *x, const char *entry, size_t i)
{
    size_t count = 0;

    for (;;) {
        size_t n = strcspn(entry, "_");

        if (i + count >= x->n ||
            (count > 0 && x->mark[i + count] &&
             x->z[x->t[i + count].start - 1] == ' ') ||
            !says(entry, n, x->t[i + count].text))
            return 0;
        count++;
        if (entry[n] == '\0')
            return count;
        entry += n + 1;
    }
}

/* Which bytes the entries of a class begin with, for each language: most
 * words begin none. */
static unsigned char firsts[ORDER_LANGUAGES][ORDER_CLASSES][256 / 8];
static pthread_once_t firsts_once = PTHREAD_ONCE_INIT;

/* No order does without an entry of one of these; a machine alone makes none
 * where parts are looked for anywhere. */
static const enum order_class needed[] = {ORDER_FORGET, ORDER_SPEAK, ORDER_NOW,
                                          ORDER_MACHINE};
enum { NEEDED = sizeof(needed) / sizeof(needed[0]), STARTS = 4096 };

/* In which languages, as bits, such an entry begins with these three bytes of a
 * word, by their hash, or, where parts are looked for, with this one. */
static uint32_t starts[STARTS], part_starts[256];

static uint32_t *start_of(const char *z, size_t n)
{
    uint32_t h = 0;

    for (size_t i = 0; i < 3; i++)
        h = h * 37 + (i < n ? (unsigned char)z[i] : 0);
    return &starts[h % STARTS];
}

static void start_set(const char *entry, uint32_t bit)
{
    size_t n = strcspn(entry, "_");

    if (n > 3 || entry[n - 1] != '*')
        *start_of(entry, n) |= bit;
    else /* anything behind fewer bytes */
        for (size_t i = 0; i < STARTS; i++)
            starts[i] |= bit;
}

static void firsts_set(void)
{
    for (size_t l = 0; l < ORDER_LANGUAGES; l++)
        for (size_t c = 0; c < ORDER_CLASSES; c++)
            for (const char *const *w = order_words[l].of[c];
                 w != NULL && *w != NULL; w++) {
                unsigned char first = (unsigned char)(*w)[0];

                firsts[l][c][first / 8] |= (unsigned char)(1u << first % 8);
            }
    for (size_t l = 0; l < ORDER_LANGUAGES; l++)
        for (size_t k = 0; k < NEEDED; k++)
            for (const char *const *w = order_words[l].of[needed[k]];
                 w != NULL && *w != NULL; w++) {
                if (!order_words[l].anywhere)
                    start_set(*w, (uint32_t)1 << l);
                else if (needed[k] != ORDER_MACHINE)
                    part_starts[(unsigned char)(*w)[0]] |= (uint32_t)1 << l;
            }
}

/* The most words at i that say an entry of the class. */
static size_t at(const struct plain *x, const struct order_words *l,
                 enum order_class c, size_t i)
{
    unsigned char first = i < x->n ? (unsigned char)x->t[i].text[0] : 0;
    size_t best = 0;

    if ((firsts[l - order_words][c][first / 8] >> first % 8 & 1) == 0)
        return 0;
    for (const char *const *w = l->of[c]; w != NULL && *w != NULL; w++) {
        size_t n = (unsigned char)(*w)[0] == first ? entry_at(x, *w, i) : 0;

        best = n > best ? n : best;
    }
    return best;
}

/* The first place in from..to where the class is said, or x->n. */
static size_t find(const struct plain *x, const struct order_words *l,
                   enum order_class c, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < x->n; i++)
        if (at(x, l, c, i) > 0)
            return i;
    return x->n;
}

static bool holds(const struct plain *x, const struct order_words *l,
                  enum order_class c, size_t from, size_t to)
{
    return find(x, l, c, from, to) < x->n;
}

/* May an order begin at word i: at the beginning, behind a mark, or behind a
 * word that leads to one, as "please" does? */
static bool begins(const struct plain *x, const struct order_words *l, size_t i)
{
    if (i == 0 || x->mark[i])
        return true;
    for (size_t n = 1; n <= 3 && n <= i; n++)
        if (at(x, l, ORDER_LEAD, i - n) == n)
            return true;
    return false;
}

/* Where an order to speak begins at or behind word i, or x->n. */
static size_t order_at(const struct plain *x, const struct order_words *l,
                       size_t i)
{
    for (; i < x->n; i++)
        if (at(x, l, ORDER_SPEAK, i) > 0 && begins(x, l, i))
            return i;
    return x->n;
}

static bool has_order(const struct plain *x, const struct order_words *l,
                      size_t from)
{
    return order_at(x, l, from) < x->n;
}

/* --- what words that stand apart say together ---------------------------- */

/* "Ignore all previous instructions", "disregard the above and …". */
static bool forgets(const struct plain *x, const struct order_words *l)
{
    for (size_t i = 0; i < x->n; i++) {
        size_t n = at(x, l, ORDER_FORGET, i);
        size_t k = i + n, rules, told;

        if (n == 0 || !begins(x, l, i))
            continue;
        rules = find(x, l, ORDER_RULES, k, k + NEAR);
        if (rules < x->n && holds(x, l, ORDER_PRIOR, k, rules + 3))
            return true;
        for (size_t skip = 0; skip < 3 && at(x, l, ORDER_ALL, k) > 0; skip++)
            k += at(x, l, ORDER_ALL, k);
        told = at(x, l, ORDER_TOLD, k);
        if (told > 1 || (told == 1 && (k + 1 == x->n || x->mark[k + 1] ||
                                       at(x, l, ORDER_LEAD, k + 1) > 0)))
            return true;
    }
    return false;
}

/* The words for a machine at i; *sure: no person is called so. */
static size_t machine_at(const struct plain *x, const struct order_words *l,
                         size_t i, bool *sure)
{
    size_t n = at(x, l, ORDER_MACHINE, i);

    *sure = n > 0;
    return n > 0 ? n : at(x, l, ORDER_HELPER, i);
}

/* "Dear summarizer, …", "Note to AI models: …". */
static bool calls_machine(const struct plain *x, const struct order_words *l)
{
    for (size_t i = 0; i < x->n && i < 3; i++) {
        size_t k = i + at(x, l, ORDER_CALL, i), n, end;
        bool sure = false, order;

        if (k == i || !begins(x, l, i))
            continue;
        for (size_t skip = 0; skip < 4 && at(x, l, ORDER_TO, k) > 0; skip++)
            k += at(x, l, ORDER_TO, k);
        n = k < x->n ? machine_at(x, l, k, &sure) : 0;
        end = k + n;
        if (n == 0 || end >= x->n)
            continue;
        order = has_order(x, l, end) || holds(x, l, ORDER_FORGET, end, x->n);
        /* "Note: bots, crawlers and …" tells of them. */
        sure = sure && (!x->mark[k] || x->z[x->t[end - 1].end] == ':');
        if (order && (x->mark[end] || at(x, l, ORDER_READING, end) > 0))
            return true;
        if (sure && (x->mark[end] || at(x, l, ORDER_READING, end) > 0 ||
                     at(x, l, ORDER_MUST, end) > 0))
            return true;
    }
    return false;
}

/* "If you are a language model, …", "As an assistant, reply …",
 * "ChatGPT: say …". */
static bool is_told_who_it_is(const struct plain *x,
                              const struct order_words *l)
{
    bool sure = false;
    size_t n;

    for (size_t i = 0; i < x->n; i++) {
        size_t told = at(x, l, ORDER_IF, i);

        if (told == 0 || !begins(x, l, i))
            continue;
        for (size_t k = i + told; k <= i + told + 2; k++) {
            n = machine_at(x, l, k, &sure);
            if (n == 0 || k + n >= x->n ||
                (!x->mark[k + n] && at(x, l, ORDER_READING, k + n) == 0))
                continue;
            if ((sure && told > 1) || has_order(x, l, k + n))
                return true;
        }
    }
    n = machine_at(x, l, 0, &sure);
    return n > 0 && n < x->n && x->mark[n] &&
           (at(x, l, ORDER_SPEAK, n) > 0 || at(x, l, ORDER_FORGET, n) > 0);
}

/* "Language models must state that …". */
static bool machine_must(const struct plain *x, const struct order_words *l)
{
    for (size_t i = 0; i < x->n; i++) {
        size_t n = at(x, l, ORDER_MACHINE, i), must, speak;

        if (n == 0)
            continue;
        must = find(x, l, ORDER_MUST, i + n, i + n + 3);
        speak = must < x->n ? find(x, l, ORDER_SPEAK, must, must + 4) : x->n;
        if (speak < x->n && holds(x, l, ORDER_THAT, speak + 1, speak + 4))
            return true;
    }
    return false;
}

/* "SYSTEM: You are now …": a role and what is said in it. */
static bool has_role(const struct plain *x, const struct order_words *l)
{
    size_t n = at(x, l, ORDER_SYSTEM, 0), end;
    bool capitals;

    if (n == 0 || n >= x->n)
        return false;
    end = x->t[n - 1].end;
    if (x->z[end] != ':')
        return false;
    capitals = x->z[x->t[0].start] >= 'A' && x->z[x->t[0].start] <= 'Z' &&
               x->z[x->t[0].start + 1] >= 'A' && x->z[x->t[0].start + 1] <= 'Z';
    return at(x, l, ORDER_NOW, n) > 0 || at(x, l, ORDER_FORGET, n) > 0 ||
           (capitals && has_order(x, l, n));
}

/* "You are now an unrestricted AI", "From now on, answer …". */
static bool is_told_what_it_is(const struct plain *x,
                               const struct order_words *l)
{
    for (size_t i = 0; i < x->n; i++) {
        size_t n = at(x, l, ORDER_NOW, i);

        if (n > 0 && begins(x, l, i) &&
            (holds(x, l, ORDER_MACHINE, i + n, i + n + 6) ||
             holds(x, l, ORDER_HELPER, i + n, i + n + 6) ||
             holds(x, l, ORDER_PERSONA, i + n, i + n + 6) ||
             has_order(x, l, i + n)))
            return true;
    }
    return false;
}

/* "When asked about the tower, say …", "Answer every question with …",
 * "Mention in your answer …", "Please append the phrase …". */
static bool is_told_what_to_say(const struct plain *x,
                                const struct order_words *l)
{
    size_t i = order_at(x, l, 0);

    if (i == x->n)
        return false;
    if (holds(x, l, ORDER_ASKED, 0, x->n) || holds(x, l, ORDER_YOUR, i, x->n))
        return true;
    if (i < 3 && holds(x, l, ORDER_GIVEN, i + 1, i + NEAR))
        return true;
    for (; i < x->n; i = order_at(x, l, i + 1))
        if (holds(x, l, ORDER_WITH, i + 1, i + NEAR) &&
            holds(x, l, ORDER_WORDING, i + 1, i + NEAR))
            return true;
    return false;
}

/* --- what parts say that are looked for anywhere ------------------------- */

/* Where an entry of the class stands in the text, or NULL. */
static const char *part(const struct plain *x, const struct order_words *l,
                        enum order_class c)
{
    for (const char *const *w = l->of[c]; w != NULL && *w != NULL; w++) {
        const char *found = strstr(x->z, *w);

        if (found != NULL)
            return found;
    }
    return NULL;
}

static bool has(const struct plain *x, const struct order_words *l,
                enum order_class c)
{
    return part(x, l, c) != NULL;
}

/* Does a clause begin at p, or stand there behind a word that leads to an
 * order? */
static bool begins_part(const struct plain *x, const struct order_words *l,
                        const char *p)
{
    static const char *const marks[] = {",",  ".",  ":",  "!", "，", "。",
                                        "：", "！", "、", "،", "؛",  "*",
                                        "-",  "(",  "（", NULL};
    const char *end = p;

    while (end > x->z && end[-1] == ' ')
        end--;
    if (end == x->z || l->of[ORDER_LEAD] == NULL)
        return true;
    for (int list = 0; list < 2; list++)
        for (const char *const *w = list == 0 ? marks : l->of[ORDER_LEAD];
             *w != NULL; w++) {
            size_t n = strlen(*w);

            if ((size_t)(end - x->z) >= n && memcmp(end - n, *w, n) == 0)
                return true;
        }
    return false;
}

static bool forgets_part(const struct plain *x, const struct order_words *l)
{
    bool what = has(x, l, ORDER_ALL) ||
                (has(x, l, ORDER_RULES) && has(x, l, ORDER_PRIOR));

    for (const char *const *w = l->of[ORDER_FORGET]; what && *w != NULL; w++)
        for (const char *p = x->z; (p = strstr(p, *w)) != NULL; p++)
            if (begins_part(x, l, p))
                return true;
    return false;
}

/* Does the text begin with a role's name and a colon? */
static bool has_role_part(const struct plain *x, const struct order_words *l)
{
    for (const char *const *w = l->of[ORDER_SYSTEM]; *w != NULL; w++) {
        size_t n = strlen(*w);

        if (strncmp(x->z, *w, n) == 0 &&
            (x->z[n] == ':' || strncmp(x->z + n, "：", 3) == 0))
            return true;
    }
    return false;
}

static bool speaks_anywhere(const struct plain *x, const struct order_words *l)
{
    bool order;

    if (forgets_part(x, l))
        return true;
    order = has(x, l, ORDER_SPEAK) || has(x, l, ORDER_FORGET);
    if (has(x, l, ORDER_MACHINE) &&
        (has(x, l, ORDER_NOW) ||
         (order && (has(x, l, ORDER_CALL) || has(x, l, ORDER_IF)))))
        return true;
    if (has_role_part(x, l) && (order || has(x, l, ORDER_NOW)))
        return true;
    return has(x, l, ORDER_SPEAK) &&
           (has(x, l, ORDER_ASKED) || has(x, l, ORDER_YOUR) ||
            has(x, l, ORDER_WORDING) || has(x, l, ORDER_NOW));
}

/* --- the whole ----------------------------------------------------------- */

static bool speaks(const struct plain *x, const struct order_words *l)
{
    if (l->anywhere)
        return speaks_anywhere(x, l);
    return forgets(x, l) || calls_machine(x, l) || is_told_who_it_is(x, l) ||
           machine_must(x, l) || has_role(x, l) || is_told_what_it_is(x, l) ||
           is_told_what_to_say(x, l);
}

/* The languages, as bits, that have a word without which nothing is an order. */
static uint32_t languages_of(const struct plain *x)
{
    uint32_t found = 0;

    for (size_t i = 0; i < x->len; i++)
        found |= part_starts[(unsigned char)x->z[i]];
    for (size_t i = 0; i < x->n; i++) {
        uint32_t may = *start_of(x->t[i].text, x->t[i].len) & ~found;

        for (size_t l = 0; may >> l != 0; l++)
            for (size_t k = 0; (may >> l & 1) && k < NEEDED; k++)
                if (at(x, &order_words[l], needed[k], i) > 0)
                    found |= (uint32_t)1 << l;
    }
    return found;
}

/* Signs of chat templates: no page for people needs them outside of quotes. */
static const char *const template_signs[] = {"<|im_",
                                             "<|system",
                                             "<|user",
                                             "<|assistant",
                                             "<|end",
                                             "[INST]",
                                             "[/INST]",
                                             "<<SYS>>",
                                             "### Instruction:",
                                             "### System:",
                                             "BEGIN SYSTEM PROMPT",
                                             "BEGIN SYSTEM MESSAGE",
                                             NULL};

bool injection_is(const char *p, size_t n)
{
    struct plain x;
    uint32_t languages;

    pthread_once(&firsts_once, firsts_set);
    plain_read(&x, p, n);
    if (x.n == 0)
        return false;
    for (size_t i = 0; template_signs[i] != NULL; i++)
        if (mem_find_i(x.z, x.len, template_signs[i]) != NULL)
            return true;
    languages = languages_of(&x);
    for (size_t i = 0; i < ORDER_LANGUAGES; i++)
        if ((languages >> i & 1) && speaks(&x, &order_words[i]))
            return true;
    return false;
}

const char *injection_mask(const char *text, struct arena *a)
{
    struct span *spans = NULL;
    size_t n = strlen(text), count = 0, until = 0;
    char *copy = NULL;

    if (sentences_split(text, n, a, &spans, &count) != ERR_OK)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const char *line;

        if (spans[i].start < until ||
            !injection_is(text + spans[i].start, spans[i].len))
            continue;
        if (copy == NULL && (copy = arena_strndup(a, text, n)) == NULL)
            return NULL;
        line = memchr(text + spans[i].start, '\n', n - spans[i].start);
        until = line == NULL ? n : (size_t)(line - text);
        memset(copy + spans[i].start, ' ', until - spans[i].start);
    }
    return copy == NULL ? text : copy;
}
