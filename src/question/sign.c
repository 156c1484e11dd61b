/* Signs of a question; see sign.h. Called by overlap.c and find/signs.c. */
#include "question/sign.h"

#include <string.h>

enum { SIGN_MAX = 64, INSIDE_MAX = 3 /* words */ };

#define SPACE " \t\n\r"

/* Signs that words of plain text have among them, too. */
static const char *const plain[] = {"-", "--", "---", "/", "&", "+",
                                    ".", "..", "...", "*", "#", "="};

/* What makes a word with letters more than a word. */
#define TELLING "$@%=<>|&*~^#\\{}[]+!"

static bool is_word(char c)
{
    return ascii_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool has_letters(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (is_word(s.p[i]))
            return true;
    return false;
}

/* A quotation mark's bytes at p, 0 when there is none. */
static size_t quote_at(const char *p, size_t n)
{
    if (n > 0 && strchr("\"'`", *p) != NULL)
        return 1;
    return n >= 3 && memcmp(p, "\xE2\x80", 2) == 0 &&
                   (unsigned char)p[2] >= 0x98 && (unsigned char)p[2] <= 0x9F
               ? 3
               : 0;
}

/* Without the quotation and the sentence around it. A mark that ends a sentence
 * belongs to the sign where nothing but signs is before it, and the sentence
 * goes on, or one sign alone: "Is $? zero?", "What is $?" */
static struct str bare(const char *p, size_t n, bool last)
{
    struct str s = {p, n};
    size_t quote;

    while ((quote = quote_at(s.p, s.n)) > 0 || (s.n > 0 && *s.p == '('))
        s.p += quote > 0 ? quote : 1, s.n -= quote > 0 ? quote : 1;
    for (bool more = s.n > 0; more;) {
        char c = s.p[s.n - 1];

        quote = s.n >= 3 ? quote_at(s.p + s.n - 3, 3) : 0;
        quote = quote == 3 ? 3 : quote_at(&c, 1);
        more = quote > 0 || c == ',' || c == ')' || c == ';' ||
               (strchr(".:?!", c) != NULL &&
                ((last && s.n > 2) || has_letters(s) || quote_at(p, n) > 0));
        s.n -= !more ? 0 : quote > 0 ? quote : 1;
        more = more && s.n > 0;
    }
    return s;
}

static bool is_sign(struct str s)
{
    bool telling = false;

    if (s.n == 0 || s.n > SIGN_MAX)
        return false;
    for (size_t i = 0; i < s.n; i++)
        telling = telling || strchr(TELLING, s.p[i]) != NULL;
    if (has_letters(s))
        return telling ||
               (s.n > 1 && strchr("-.:/", s.p[0]) != NULL &&
                (ascii_is_alpha(s.p[1]) ||
                 (s.n > 2 && s.p[1] == '-' && ascii_is_alpha(s.p[2]))));
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (str_eq(s, plain[i]))
            return false;
    return true;
}

/* Brackets that are open behind n bytes. */
static int open_in(const char *p, size_t n)
{
    int open = 0;

    for (size_t i = 0; i < n; i++)
        open += (p[i] == '{' || p[i] == '[') - (p[i] == '}' || p[i] == ']');
    return open;
}

/* Bytes of the sign at p: "{% extends %}" has words in its brackets; else it
 * ends where white space begins. */
static size_t sign_len(const char *p)
{
    size_t n = strcspn(p, SPACE), to = n;

    for (int i = 0; i < INSIDE_MAX && open_in(p, to) > 0 && p[to] != '\0'; i++)
        to += strspn(p + to, SPACE), to += strcspn(p + to, SPACE);
    return to > n && open_in(p, to) == 0 && has_letters((struct str){p, to})
               ? to
               : n;
}

size_t signs_read(const char *text, struct str *out, size_t max)
{
    size_t count = 0;

    for (const char *p = text + strspn(text, SPACE);
         *p != '\0' && count < max;) {
        size_t n = sign_len(p), k = 0;
        const char *next = p + n + strspn(p + n, SPACE);
        struct str s = bare(p, n, *next == '\0');

        while (k < count &&
               !(out[k].n == s.n && memcmp(out[k].p, s.p, s.n) == 0))
            k++;
        if (k == count && is_sign(s))
            out[count++] = s;
        p = next;
    }
    return count;
}

/* May a sign end beside this character? A word does not go on, a row of signs
 * is another one, an option has other letters behind it. */
static bool ends(char edge, char beside, bool single)
{
    if (is_word(edge))
        return !ascii_is_alnum(beside) && beside != '_';
    if (single)
        return (unsigned char)beside >= 0x80 || beside == '\0' ||
               strchr(SPACE "\"'`(),;:.", beside) != NULL;
    return beside != edge;
}

const char *sign_find(struct str sign, const char *p, size_t n)
{
    const char *from = p, *end = p + n;
    bool single = sign.n == 1, option = sign.p[0] == '-';

    while ((from = memmem(from, (size_t)(end - from), sign.p, sign.n)) !=
           NULL) {
        char before = from > p ? from[-1] : '\0';
        const char *behind = from + sign.n;
        char after = behind < end ? *behind : '\0';

        if (ends(sign.p[0], before, single) && !(option && is_word(before)) &&
            ends(sign.p[sign.n - 1], after, single) &&
            !(option && after == '-'))
            return from;
        from++;
    }
    return NULL;
}
