/*
 * A sentence as words, for those who look for signs in it: evidence.c and
 * evidence_define.c. Pure.
 */
#ifndef CITED_QUESTION_EVIDENCE_TEXT_H
#define CITED_QUESTION_EVIDENCE_TEXT_H

#include "question/query.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

enum { SENTENCE_TOKENS_MAX = 160 };

struct sentence {
    const struct query *q;
    const struct question_words *k; /* of its language, or NULL */
    const char *p;
    size_t len;
    struct term t[SENTENCE_TOKENS_MAX];
    size_t n;
};

static inline void sentence_read(struct sentence *s, const struct query *q,
                                 const char *p, size_t n)
{
    s->q = q;
    s->k = question_words_of(q->lang);
    s->p = p;
    s->len = n;
    s->n = tokens_read(p, n, s->t, SENTENCE_TOKENS_MAX);
}

/* A word of the question, or a form of one: English forms are short. */
static inline bool in_question(const struct sentence *s, size_t i)
{
    size_t more = s->q->lang == LANG_EN ? 3 : 6;

    for (size_t k = 0; k < s->q->term_count; k++) {
        const char *stem = s->q->terms[k].text;
        size_t n = strlen(stem);

        if (strcmp(s->q->words[k], s->t[i].text) == 0 ||
            (n >= 4 && (unsigned char)stem[0] < 0xE0 &&
             strncmp(stem, s->t[i].text, n) == 0 && s->t[i].len <= n + more))
            return true;
    }
    return false;
}

/* How well an English text defines the question's subject, 0-1. */
double evidence_defines(const struct sentence *s);

#endif
