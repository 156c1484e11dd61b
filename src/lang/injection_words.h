/*
 * The words of orders to machines, language by language: data for
 * injection.c. A word is written as the tokenizer folds it (lower case, no
 * diacritics of Latin letters); "word*" is what begins so; "two_words" are
 * two in a row. Of languages written without spaces, and of Korean and Arabic,
 * whose particles and articles are part of the word, the parts are looked for
 * anywhere; ORDER_LEAD, where there are any, and punctuation are then what
 * ORDER_FORGET stands behind.
 */
#ifndef CITED_SEARCH_INJECTION_WORDS_H
#define CITED_SEARCH_INJECTION_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum order_class {
    ORDER_LEAD,    /* leads to an order: please, now, and, you must */
    ORDER_FORGET,  /* ignore, disregard */
    ORDER_PRIOR,   /* previous, above, all, your */
    ORDER_RULES,   /* instructions, prompt */
    ORDER_ALL,     /* everything; anywhere: everything above */
    ORDER_TOLD,    /* what follows it: you were told, above */
    ORDER_SPEAK,   /* say, answer, recommend */
    ORDER_WITH,    /* only, with: says how to speak */
    ORDER_WORDING, /* the word, every question */
    ORDER_GIVEN,   /* verbatim, the phrase: the words themselves are given */
    ORDER_YOUR,    /* in your answer */
    ORDER_MACHINE, /* language model, chatbot */
    ORDER_HELPER,  /* assistant: may be a person */
    ORDER_PERSONA, /* unrestricted: what a machine is told to be */
    ORDER_CALL,    /* dear, attention, note: begins an address to somebody */
    ORDER_TO,      /* what may stand between such a word and the machine */
    ORDER_IF,      /* if you are, as a */
    ORDER_READING, /* reading, processing */
    ORDER_MUST,    /* must, are instructed to */
    ORDER_THAT,    /* that: says what to say */
    ORDER_ASKED,   /* asked about, summarising this */
    ORDER_SYSTEM,  /* system: a role's name ahead of a colon */
    ORDER_NOW,     /* you are now, from now on */
    ORDER_CLASSES
};

struct order_words {
    const char *code;                     /* of the language */
    bool anywhere;                        /* parts are looked for anywhere */
    const char *const *of[ORDER_CLASSES]; /* NULL, or ended by NULL */
};

enum { ORDER_LANGUAGES = 16 };
extern const struct order_words order_words[ORDER_LANGUAGES];

/* Signs of chat templates: no page for people needs them outside of quotes. */
extern const char *const order_signs[];

#endif
