/*
 * Regular expressions of JSON Schema: ECMA 262 without look-behind and
 * back-references, and of \p{…} with general categories only, over code points
 * of UTF-8. Matching takes time
 * linear in program size times subject, whatever the pattern, times the
 * subject once more for each look-ahead within another; and never more than
 * the steps it is given: patterns come from strangers.
 */
#ifndef CITED_JSON_PATTERN_H
#define CITED_JSON_PATTERN_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pattern;

/*
 * Compile text into *out, to be given back with pattern_free. Understood:
 * . [] [^] | () (?:) (?<name>) (?=) (?!) * + ? {n} {n,} {n,m}, all also lazy,
 * ^ $ \b \B \d \w \s and their opposites, \t \n \v \f \r \0 \cX \xHH \uHHHH
 * \u{…} \p{L} \P{Nd} \p{Letter} \p{gc=Sc}. ERR_INVALID names what no pattern
 * has, ERR_LIMIT what is one that is not understood or too large; ERR_NOMEM.
 */
MUST_CHECK enum err pattern_parse(const char *text, struct pattern **out,
                                  struct errctx *ec);
void pattern_free(struct pattern *p);

/*
 * Does the pattern match anywhere in the n bytes of z, valid UTF-8? Work is
 * taken off *steps; ERR_LIMIT when they do not suffice. Not for two threads
 * at once on one pattern.
 */
MUST_CHECK enum err pattern_match(struct pattern *p, const char *z, size_t n,
                                  int64_t *steps, bool *out);

/* --- what pattern_parse.c makes, for pattern.c ------------------------------
 */

enum op {
    OP_CHAR,     /* the code point a */
    OP_CLASS,    /* one of b ranges from a on; b < 0: none of -b - 1 */
    OP_SPLIT,    /* go on at both pc + a and pc + b */
    OP_JUMP,     /* go on at pc + a */
    OP_BEGIN,    /* ^ */
    OP_END,      /* $ */
    OP_WORD,     /* \b */
    OP_NOT_WORD, /* \B */
    OP_LOOK,     /* what follows, up to a MATCH, must match here (b: must
                    not); then go on at pc + a */
    OP_MATCH
};

struct inst {
    enum op op;
    int32_t a, b;
};

/* Of a range whose lo it is: hi is a set of categories instead. */
#define RANGE_CATEGORIES UINT32_MAX

struct range {
    uint32_t lo, hi;
};

/* The general category of a code point, below 30; and the set of those, a bit
 * for each, that a name of n bytes stands for ("Lu", "Letter", "gc=Nd"); 0: it
 * is none. */
unsigned category_of(uint32_t cp);
uint32_t category_set(const char *name, size_t n);

/* A set of program places, each once. */
struct set {
    int32_t *at;
    uint32_t *mark; /* by place: the generation it was added in */
    uint32_t generation;
    size_t count;
};

/* How deep look-aheads stand in each other. */
enum { PATTERN_LOOKS_MAX = 3 };

/* What one run needs; a look-ahead is a run within a run. */
struct frame {
    struct set now, next;
    int32_t *stack;
};

struct pattern {
    struct inst *code;
    size_t len;
    struct range *ranges;
    size_t range_count;
    struct frame frames[PATTERN_LOOKS_MAX + 1];
    size_t looks; /* nesting of look-aheads: frames in use, less one */
};

#endif
