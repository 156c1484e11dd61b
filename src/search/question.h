/*
 * Questions in other languages than English: what kind of thing they ask for,
 * by tables of question words and nouns; and the same signs of an answer that
 * evidence.h knows, in their words. Pure. The tables are question_words.c.
 */
#ifndef CITED_SEARCH_QUESTION_H
#define CITED_SEARCH_QUESTION_H

#include "search/query.h"

/* A way to ask. */
struct asking {
    const char *words; /* folded tokens; "^" in front: at the beginning only.
                          Of unspaced scripts: characters anywhere */
    enum answer_type type;
};

/* What a language has for asking and answering. Lists are folded words with
 * single spaces around each; of unspaced scripts characters or words. */
struct question_words {
    const struct asking *asking; /* the more particular first; ends with NULL */
    const char *light;           /* say little about where an answer stands */
    const char *numbers;         /* nouns that ask for a number */
    const char *places, *people, *dates; /* … for these */
    const char *count;                   /* number words */
    const char *months; /* January first: twelve groups, " | " between */
    const char *times;  /* other words of time */
    const char *in;     /* prepositions of places */
    const char *is;     /* verbs of definitions */
    const char *because;
    const char *refers; /* stand for something before */
    bool nouns_capital; /* all nouns, so that a capital makes no name */
    bool unspaced;
};

/* Of a language; NULL for English and where nothing is known. */
const struct question_words *question_words_of(enum lang l);

/* Is the folded word in a list of the kind above? */
bool question_list_has(const char *list, const char *word);

/* Does the text hold one of the listed words of an unspaced script? */
bool question_text_has(const char *p, size_t n, const char *list);

/* Does a text that begins with p, its first token the folded word, begin with
 * one that stands for something said before? */
bool question_refers(enum lang l, const char *p, const char *word);

/* 1-12 for the folded name of a month, 0 for another word. */
int question_month(enum lang l, const char *word);

/* The words of an unspaced question that ask ("何メートル"), as a byte range:
 * no answer repeats them. False when there are none. */
bool question_asks_at(enum lang l, const char *text, size_t *from, size_t *to);

/* As query_type_of, for questions in l. */
enum answer_type question_type_in(enum lang l, const char *text,
                                  struct arena *a, const char **subject);

/* As query.focus: the noun behind "wie viele", "combien de"… */
size_t question_focus_in(const struct query *q);

/* As evidence_of, for questions that are not in English. */
double question_evidence(const struct query *q, const char *p, size_t n);

#endif
