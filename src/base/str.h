/*
 * Bytes and characters: ASCII case, UTF-8, bounded number parsing, hex.
 * Pure functions; nothing here allocates. Locale is never consulted.
 */
#ifndef CITED_BASE_STR_H
#define CITED_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A view on bytes owned by somebody else; not NUL-terminated. */
struct str {
    const char *p;
    size_t n;
};

struct str str_of(const char *z);  /* NULL gives the empty view */
struct str str_trim(struct str s); /* without ASCII white space at its ends */
bool str_eq(struct str a, const char *z);
bool str_ieq(struct str a, const char *z); /* ASCII case ignored */

/* ASCII only, any locale. */
static inline bool ascii_is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool ascii_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_alpha(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool ascii_is_alnum(int c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c);
}

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

void ascii_lower_all(char *z);
int ascii_casecmp(const char *a, const char *b);
bool ascii_starts_i(const char *s, const char *prefix);

/* First place of needle in the n bytes of hay, or NULL; ASCII case ignored
 * by the second. */
const char *mem_find(const char *hay, size_t n, const char *needle);
const char *mem_find_i(const char *hay, size_t n, const char *needle);

/* Levenshtein distance of the first STR_DISTANCE_MAX bytes, whatever their
 * ASCII case. */
enum { STR_DISTANCE_MAX = 64 };
size_t str_distance(const char *a, const char *b);

/* Is z one of the words of a list, which single spaces part? Not of NULL. */
bool word_in(const char *z, const char *list);

/* Is p[0..n) well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates,
 * nothing above U+10FFFF)? */
bool utf8_valid(const char *p, size_t n);

/* Characters of n bytes of UTF-8. */
size_t utf8_count(const char *p, size_t n);

/* Decode one code point at p (n > 0 bytes left) into *cp and return its
 * length; a malformed byte gives U+FFFD and length 1. */
size_t utf8_decode(const char *p, size_t n, uint32_t *cp);

/* Encode cp into out (room for 4) and return the length; a surrogate or a
 * value out of range becomes U+FFFD. */
size_t utf8_encode(uint32_t cp, char *out);

/* The longest prefix of p[0..n) of at most max bytes that ends at a
 * character border. */
size_t utf8_cut(const char *p, size_t n, size_t max);

/* Make z fit for a terminal and a log line, in place: line ends and tabs become
 * spaces, other control characters and what is no UTF-8 '?'. */
void str_clean(char *z);

/* A whole decimal integer within lo..hi, nothing before or after it; no sign
 * but a leading '-'. False leaves *out alone. */
bool parse_int(const char *z, int64_t lo, int64_t hi, int64_t *out);

/* Lower-case hex of n bytes into out (2n + 1 bytes). */
void hex_format(const unsigned char *p, size_t n, char *out);
/* A digit's value, or -1. */
int hex_digit(int c);
/* Exactly n <= 8 hex digits at p, which ends with something else. */
bool hex_read(const char *p, size_t n, uint32_t *out);
/* The byte that "%XX" at p stands for, of n bytes; -1: it is no such. */
int percent_byte(const char *p, size_t n);

/* FNV-1a (draft-eastlake-fnv), 32 bits. */
uint32_t hash_bytes(const char *p, size_t n);

/* --- pieces of a text -------------------------------------------------------
 */

/* n bytes at p, or the rest of s from byte at, without blanks around. */
struct str view_of(const char *p, size_t n);
struct str view_from(struct str s, size_t at);

/* The next line from *p on, without its end and the white space around it; *p
 * is behind it then. False: *p is the end. */
bool view_line(const char **p, const char *end, struct str *line);

/* Without marks (? ! . , ; :) and blanks at its end. */
struct str view_trim_marks(struct str s);

/* Length of word at the start of s when it stands there whole, else 0. */
size_t view_starts(struct str s, const char *word);
/* The same for the longest that fits; words ends with NULL, or is NULL. */
size_t view_starts_any(struct str s, const char *const *words);

/* Offset of needle in s, from the front or the back; s.n: not there. */
size_t view_find(struct str s, const char *needle);
size_t view_find_last(struct str s, const char *needle);

size_t view_words(struct str s); /* between blanks */
bool view_same(struct str a, struct str b);

#endif
