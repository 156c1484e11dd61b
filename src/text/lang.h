/*
 * The languages that are treated each in its own way. Everything else counts
 * as LANG_EN: English rules do little harm to what they were not made for.
 */
#ifndef CITED_TEXT_LANG_H
#define CITED_TEXT_LANG_H

#include <stdbool.h>
#include <stddef.h>

enum lang {
    LANG_EN, /* and whatever is not known */
    LANG_DE,
    LANG_FR,
    LANG_ES,
    LANG_IT,
    LANG_PT,
    LANG_NL,
    LANG_SV,
    LANG_DA,
    LANG_NO,
    LANG_FI,
    LANG_RU,
    LANG_ZH,
    LANG_JA,
    LANG_KO,
    LANG_COUNT
};

/* The language of a tag ("de", "pt-BR", "zh_TW"); LANG_EN for unknown ones,
 * "" and NULL. */
enum lang lang_of_tag(const char *tag);

/* Its two letters. */
const char *lang_code(enum lang l);

/* The language of a text by its script, its stop words and its
 * letters, as a code, also "ko"; "" when it cannot be told. */
const char *text_language(const char *p, size_t n);

/* How much the ways to ask of each language tell that a text asks in it. */
typedef void (*asks_fn)(const char *text, int asks[LANG_COUNT]);

/* The same of a question, a string of n bytes, which may be no more than
 * keywords: another language than English is told by two signs that English has
 * not. Of these is how it asks; asks is called where its stop words do not make
 * it English. NULL: it is no question. */
const char *question_language(const char *p, size_t n, asks_fn asks);

/* The same of a part of a page, told only where several of its words do: code
 * and tables are full of letters that are words somewhere. */
const char *part_language(const char *p, size_t n);

/* The language by whose rules a page is treated that declares one and whose
 * text is found to be in another ("" not told), or a passage of such a page:
 * the one found. Templates often declare a language that their text is not in;
 * a declared one that cannot be told from its words is believed. */
const char *page_language(const char *declared, const char *found);

/* The stop words of each language, folded; none where
 * question words and the like are not known by words. */
extern const struct stop_words {
    size_t count;
    const char *const *word;
} stop_words[LANG_COUNT];

/* What pages that are no content say, in any language, in lower case: a title
 * begins with one of titles, the text holds one of texts. NULL at the ends. */
enum page_kind {
    PAGE_CHALLENGE,
    PAGE_DENIED,
    PAGE_ERROR,
    PAGE_SCRIPT,
    PAGE_CONSENT, /* several of its texts make one */
    PAGE_KINDS
};

extern const struct page_phrases {
    const char *const *titles, *const *texts;
} page_phrases[PAGE_KINDS];

/* Is the folded token a stop word of the language (articles, pronouns,
 * auxiliary verbs, question words, common prepositions)? Of Chinese and
 * Japanese pairs of characters: one that holds a particle. Apart by language
 * because "die", "on" and "son" are words of their own in English. */
bool lang_is_stop(enum lang l, const char *z, size_t n);

/* In which languages' lists the folded token stands: bit l of language l. */
unsigned languages_of_stop(const char *z, size_t n);

#endif
