/*
 * An arena for the tests of one program, and questions read into it. Included
 * after cmocka.h.
 */
#ifndef CITED_TESTS_QUESTIONS_H
#define CITED_TESTS_QUESTIONS_H

#include "base/arena.h"
#include "question/query.h"

static struct arena arena;

static inline int arena_up(void **state)
{
    (void)state;
    arena_init(&arena, 64 << 20);
    return 0;
}

static inline int arena_down(void **state)
{
    (void)state;
    arena_fini(&arena);
    return 0;
}

static inline struct query parsed(const char *text)
{
    struct query q;

    assert_int_equal(query_parse(text, &arena, &q), ERR_OK);
    return q;
}

#endif
