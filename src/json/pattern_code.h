/*
 * The program a pattern is compiled to: written by pattern_parse.c, run by
 * pattern.c, seen by nobody else.
 */
#ifndef CITED_JSON_PATTERN_CODE_H
#define CITED_JSON_PATTERN_CODE_H

#include "json/pattern.h"

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

struct range {
    uint32_t lo, hi;
};

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
