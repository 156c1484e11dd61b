/*
 * Text to index terms: the one tokenizer, used by the full-text index and by
 * everything that scores text, so that both always agree.
 *
 * A token is a run of letters and digits (Unicode), case-folded, diacritics
 * of Latin letters removed; Han, Kana, Hangul and Thai give overlapping
 * bigrams. An apostrophe inside a word is dropped ("dont"), one behind an
 * elided article or pronoun parts two words ("l'eau").
 * A term is the stem of a token: by the iterator's stemmer, or by Porter's
 * for ASCII words; numbers and words with digits stay as they are.
 */
#ifndef CITED_TEXT_TERMS_H
#define CITED_TEXT_TERMS_H

#include "base/arena.h"
#include "base/err.h"
#include "text/lang.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stemmer;

enum { TERM_MAX = 64 }; /* bytes of a term; longer tokens are cut */

struct term {
    char text[TERM_MAX + 1]; /* folded and stemmed */
    size_t len;
    size_t start, end; /* byte range of the token in the source */
};

/* Walks a text. Nothing is allocated. */
struct term_iter {
    const char *p;
    size_t n, at;
    struct stemmer *stem; /* NULL: English */
    bool cjk_pending;     /* private … */
    unsigned char kind;   /* of the token last given */
    size_t block_at;      /* where tokens_skip last read a block; n: nowhere */
    size_t plain; /* bytes of ASCII letters and digits alone that make the token
                     at which tokens_skip stopped; 0: not known */
    struct term_block {
        uint64_t words, rules, others, from;
        size_t len;
        bool open; /* behind len stands what needs all rules */
    } block;
};

void terms_init(struct term_iter *it, const char *p, size_t n);
/* The same in the language of a stemmer, or NULL. */
void terms_init_with(struct term_iter *it, struct stemmer *stem, const char *p,
                     size_t n);
bool terms_next(struct term_iter *it, struct term *out);

/* Folded but not stemmed: for names, stop words and exact matches. */
bool tokens_next(struct term_iter *it, struct term *out);

/* The token that tokens_next gave last becomes the term that terms_next would
 * have given. */
void token_stem(const struct term_iter *it, struct term *t);

/*
 * Which three bytes tokens begin with that may become one of some terms; nearly
 * all become none, and need not be stemmed to tell. Begin with {0}; any_second:
 * a stemmer is at work. Stemming never changes the first byte, and of English
 * it makes at most an i of a second y; a stem of four letters begins with three
 * of its word.
 */
struct term_starts {
    uint32_t third[32][32]; /* by first and second; the low five bits of all */
    bool any_second;
};
void term_starts_add(struct term_starts *s, const char *term);

static inline bool term_starts_have(const struct term_starts *s, char first,
                                    char second, char third)
{
    return s->third[first & 31][second & 31] >> (third & 31) & 1;
}

static inline bool term_starts_may(const struct term_starts *s,
                                   const struct term *token)
{
    const char *z = token->text;

    return term_starts_have(s, z[0], z[1], token->len < 2 ? '\0' : z[2]);
}

/* Goes behind tokens that become no such term, most of those up to the next
 * one that may. Returns how many. */
size_t tokens_skip(struct term_iter *it, const struct term_starts *s);

/* The first tokens of a text, at most max; how many. */
size_t tokens_read(const char *p, size_t n, struct term *out, size_t max);

/* A text as its tokens. */
enum { TOKEN_RUN_MAX = 192 };
struct token_run {
    const char *p;
    size_t len;
    struct term t[TOKEN_RUN_MAX];
    size_t n;
};

/* Reads at most max of them, TOKEN_RUN_MAX at the most. */
void token_run_read(struct token_run *out, const char *p, size_t n, size_t max);

/* Bytes between two tokens of a text, the left one first; 0 when they overlap,
 * as those of unspaced scripts do. */
size_t term_gap(const struct term *left, const struct term *right);

/* How many tokens_next gives. */
size_t tokens_count(const char *p, size_t n);

/* Is one of the text's tokens in a list as word_in takes it? */
bool tokens_have(const char *p, size_t n, const char *list);

/* Stem a folded ASCII token in place; returns the new length. */
size_t term_stem(char *z, size_t n);

/* Is the folded token an English stop word (articles, pronouns, auxiliary
 * verbs, question words, common prepositions)? */
bool term_is_stop(const char *z, size_t n);

#endif
