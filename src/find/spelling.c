/* One slip of the hand in a word, a version's last ".0", or the "s" of a number
 * in the plural; see spelling.h. Two letters changed over, one left out or
 * typed twice are slips in any word; another letter in the place of one, or one
 * too many, may be another word where words are short. */
#include "find/spelling.h"

#include "base/str.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD_LEAST = 5, /* letters */
    WORD_MOST = 24,
    LONG = 10,      /* letters of a word in which any slip counts */
    MENDED_MAX = 3, /* words of a question */
    KNOWN = 3, /* passages that hold what stands in its place, unless it is of
                  the likeliest slips */
    TRIES_MAX = 4, /* slips that are looked for in passages … */
    LOOKED = 20,   /* … so many */
    LETTERS = 26,
    SLIPS_MAX = WORD_MOST * (2 + LETTERS) + (WORD_MOST + 1) * LETTERS
};

/* What the word may have been, likelier slips first. */
struct slips {
    char text[SLIPS_MAX][WORD_MOST + 2];
    int kind[SLIPS_MAX];
    size_t count;
};

/* kind 0: changed over, or one of two equal letters missing or too many; 1: a
 * letter missing; 2: one too many, or another one. */
static void slip_add(struct slips *s, int kind, const char *a, size_t n,
                     char letter, const char *rest)
{
    char *z = s->text[s->count];

    memcpy(z, a, n);
    if (letter != '\0')
        z[n++] = letter;
    memcpy(z + n, rest, strlen(rest) + 1);
    s->kind[s->count++] = kind;
}

/* "3.39", "10.2.1" */
static bool is_version(const char *w, size_t n)
{
    return strspn(w, "0123456789.") == n && ascii_is_digit(w[0]) &&
           ascii_is_digit(w[n - 1]) && memchr(w, '.', n) != NULL;
}

/* "403s", and no "30s" or "k8s" */
static bool is_plural(const char *w, size_t n)
{
    return n > 3 && w[n - 1] == 's' && strspn(w, "0123456789") == n - 1;
}

static void slips_read(struct slips *s, const char *w, size_t n)
{
    s->count = 0;
    if (is_version(w, n)) { /* "3.39" is 3.39.0 where pages say that */
        slip_add(s, 0, w, n, '.', "0");
        if (memcmp(w + n - 2, ".0", 2) == 0)
            slip_add(s, 0, w, n - 2, '\0', "");
        return;
    }
    if (is_plural(w, n)) {
        slip_add(s, 0, w, n - 1, '\0', "");
        return;
    }
    for (size_t i = 0; i <= n; i++) {
        for (char l = 'a'; l <= 'z'; l++) {
            bool doubled = (i > 0 && w[i - 1] == l) || w[i] == l;

            /* The first letter is rarely missing. */
            if (i > 0)
                slip_add(s, doubled ? 0 : 1, w, i, l, w + i);
            if (n >= LONG && i > 0 && i < n && w[i] != l)
                slip_add(s, 2, w, i, l, w + i + 1);
        }
        if (i + 1 < n && w[i] != w[i + 1]) {
            slip_add(s, 0, w, i, w[i + 1], w + i + 1);
            s->text[s->count - 1][i + 1] = w[i];
        }
        if (i > 0 && i < n && (w[i] == w[i - 1] || n >= LONG))
            slip_add(s, w[i] == w[i - 1] ? 0 : 2, w, i, '\0', w + i + 1);
    }
}

/* Of the slips, those which df passages hold the stem of, the likeliest, and of
 * these the commonest; the count: there is none. */
static size_t likeliest(const struct slips *s, const int64_t *df)
{
    size_t best = s->count;

    for (size_t i = 0; i < s->count; i++)
        if (df[i] >= (s->kind[i] == 0 ? 1 : KNOWN) &&
            (best == s->count || s->kind[i] < s->kind[best] ||
             (s->kind[i] == s->kind[best] && df[i] > df[best])))
            best = i;
    return best;
}

/* Is the word written in what the index finds by it? What has its stem may be
 * another: "voir" is no "voirer". */
static enum err is_written(struct db *index, const struct index_term *t,
                           const struct deadline *d, struct arena *a, bool *out,
                           struct errctx *ec)
{
    struct candidate *c = NULL;
    size_t n = 0;
    enum err e = ERR_OK;

    *out = is_version(t->text, strlen(t->text));
    if (!*out)
        e = index_query(index, t, 1, NULL, LOOKED, d, a, &c, &n, ec);
    for (size_t i = 0; e == ERR_OK && i < n && !*out; i++)
        *out = tokens_have(c[i].text, strlen(c[i].text), t->text) ||
               tokens_have(c[i].heading, strlen(c[i].heading), t->text) ||
               tokens_have(c[i].title, strlen(c[i].title), t->text);
    return e == ERR_NO_RESULT || e == ERR_TIMEOUT ? ERR_OK : e;
}

/* What the index holds in most passages among the likeliest slips; NULL: it
 * holds none. */
static enum err best_slip(struct db *index, const char *word,
                          const struct deadline *d, struct arena *a,
                          const char **out, struct errctx *ec)
{
    struct slips *s = arena_alloc(a, sizeof *s);
    struct index_term *terms = arena_array(a, SLIPS_MAX, sizeof *terms);
    int64_t *df = arena_array(a, SLIPS_MAX, sizeof *df), passages;
    enum err e;

    *out = NULL;
    if (s == NULL || terms == NULL || df == NULL)
        return ERR_NOMEM;
    slips_read(s, word, strlen(word));
    for (size_t i = 0; i < s->count; i++)
        terms[i] = (struct index_term){
            .text = s->text[i], .weight = 1, .word = s->text[i]};
    e = index_df(index, terms, s->count, df, &passages, ec);
    for (int tries = 0; e == ERR_OK && *out == NULL && tries < TRIES_MAX;
         tries++) {
        size_t best = likeliest(s, df);
        bool written = false;

        if (best == s->count)
            break;
        e = is_written(index, &terms[best], d, a, &written, ec);
        if (written)
            *out = s->text[best];
        df[best] = 0;
    }
    return e;
}

/* Is term i a plain word, a version, or a number in the plural, that no page
 * holds? As it is written; else NULL. */
static const char *unknown_word(const struct query *q, size_t i)
{
    const char *w = q->terms[i].word;
    size_t n = w == NULL ? 0 : strlen(w);

    if (n == 0 || n > WORD_MOST || q->rarity[i] < 1)
        return NULL;
    if (is_version(w, n) || is_plural(w, n))
        return w;
    return n >= WORD_LEAST && !(q->names >> i & 1) &&
                   strspn(w, "abcdefghijklmnopqrstuvwxyz") == n
               ? w
               : NULL;
}

/* The text with each `word` that stands alone between white space and
 * punctuation replaced; NULL: there is none. */
static const char *replaced(const char *text, const char *word,
                            const char *with, struct arena *a)
{
    static const char before[] = " \t\n(,;", after[] = " \t\n),;:?!";
    size_t n = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; at += n) {
        const char *end = at + n;
        bool stop = *end == '.' && (end[1] == '\0' || end[1] == ' ');

        if ((at == text || strchr(before, at[-1]) != NULL) &&
            (*end == '\0' || stop || strchr(after, *end) != NULL))
            return arena_printf(a, "%.*s%s%s", (int)(at - text), text, with,
                                end);
    }
    return NULL;
}

enum err spelling_mend(struct db *index, struct query *q,
                       const struct deadline *d, bool *mended,
                       struct errctx *ec)
{
    const char *text = q->text;
    size_t unknown = 0;
    enum err e = ERR_OK;

    *mended = false;
    for (size_t i = 0; e == ERR_OK && i < q->term_count; i++) {
        const char *word = unknown_word(q, i), *with, *other;

        if (word == NULL || unknown++ == MENDED_MAX)
            continue;
        e = best_slip(index, word, d, q->arena, &with, ec);
        if (e != ERR_OK || with == NULL)
            continue;
        other = replaced(text, word, with, q->arena);
        if (other != NULL)
            text = other;
    }
    if (e != ERR_OK || text == q->text)
        return e;
    q->text = text;
    *mended = true;
    return query_read_as(q, q->lang);
}
