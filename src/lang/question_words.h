/*
 * What languages ask and answer with, as tables: question words, nouns by
 * what they ask for, months, number words. Data, and looking words up in it.
 */
#ifndef CITED_LANG_QUESTION_WORDS_H
#define CITED_LANG_QUESTION_WORDS_H

#include "text/lang.h"

#include <stdbool.h>
#include <stddef.h>

/* What kind of thing answers the question. */
enum answer_type {
    ANSWER_ANY,        /* keywords, or nothing recognised */
    ANSWER_PERSON,     /* who, whose */
    ANSWER_DATE,       /* when, which year, what date */
    ANSWER_PLACE,      /* where, which country */
    ANSWER_NUMBER,     /* how many, how much, how large, maximum size of */
    ANSWER_DEFINITION, /* what is X, define X */
    ANSWER_HOWTO,      /* how do I, how to, steps to */
    ANSWER_REASON,     /* why */
    ANSWER_YESNO,      /* is, does, can … */
    ANSWER_LIST,       /* which …s, list, name the */
    ANSWER_COMPARE     /* difference between, X versus Y */
};

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

/* 1-12 for the folded name of a month, 0 for another word; of English its
 * first three letters too. */
int question_month(enum lang l, const char *word);

#endif
