/* Marks of questions, pages and paragraphs; see marks.h. */
#include "text/marks.h"

#include "base/str.h"

#include <stdint.h>
#include <string.h>

enum {
    QUESTION_BYTES = 300, /* a longer one heads nothing */
    QUESTION_BLOCKS = 3,  /* what is told before it is answered, at most */
    COLOPHON_BYTES = 200,
    NUMBERS_LEAST = 5, /* that are marks, not what a page says */
    NUMBER_BYTES = 5
};

/* What languages mark a question by, and its answer. */
static const char *const marks[MARK_PAIRS][2] = {{"Q", "A"},
                                                 {"Question", "Answer"},
                                                 {"F", "A"},
                                                 {"Frage", "Antwort"},
                                                 {"Q", "R"},
                                                 {"Question", "R\xC3\xA9ponse"},
                                                 {"P", "R"},
                                                 {"Pregunta", "Respuesta"},
                                                 {"Pergunta", "Resposta"},
                                                 {"D", "R"},
                                                 {"Domanda", "Risposta"},
                                                 {"V", "A"},
                                                 {"Vraag", "Antwoord"}};

size_t mark_bytes(const char *z, size_t pair, bool answer)
{
    const char *mark = marks[pair][answer];
    size_t n = strlen(mark);

    if (n == 1 ? z[0] != mark[0] : !ascii_starts_i(z, mark))
        return 0; /* a small letter is a word's, or an item's */
    if (z[n] == ' ' && ascii_is_digit(z[n + 1]))
        n++;
    return n + strspn(z + n, "0123456789");
}

bool mark_is_clear(size_t pair)
{
    return marks[pair][0][0] == 'Q' || marks[pair][0][1] != '\0';
}

/* The text behind "Q:", "Q2.", "Frage 2 :"; NULL: it has no mark. A letter that
 * may count or be a name's is one with a colon alone. */
static const char *behind_mark(const struct block *b, size_t pair, bool answer)
{
    const char *z = b->text;
    size_t n = mark_bytes(z, pair, answer);

    if (n == 0 || (b->kind != BLOCK_PARA && b->kind != BLOCK_QUOTE &&
                   b->kind != BLOCK_HEADING))
        return NULL; /* an item may be called Q, among others */
    z += n + (z[n] == ' ' && z[n + 1] == ':');
    if (z[0] != ':' && !(mark_is_clear(pair) && (z[0] == '.' || z[0] == ')')))
        return NULL;
    return z[1] == ' ' && z[2] != '\0' ? z + 2 : NULL;
}

/* The block behind i that begins with what answers it; 0: none. */
static size_t answer_of(const struct page_doc *doc, size_t i, size_t pair)
{
    for (size_t k = i + 1; k < doc->block_count && k <= i + QUESTION_BLOCKS;
         k++) {
        const struct block *b = &doc->blocks[k];

        if (b->kind == BLOCK_HEADING || behind_mark(b, pair, false) != NULL)
            return 0;
        if (behind_mark(b, pair, true) != NULL)
            return k;
    }
    return 0;
}

/* The question that block i asks and that block *answer answers; NULL: it is
 * none. */
static const char *question_of(const struct page_doc *doc, size_t i,
                               size_t pair, size_t *answer)
{
    const char *z = behind_mark(&doc->blocks[i], pair, false);

    if (z == NULL || strlen(z) > QUESTION_BYTES)
        return NULL;
    *answer = answer_of(doc, i, pair);
    return *answer > 0 ? z : NULL;
}

/* Does the page mark several, or one that asks? */
static bool is_asked(const struct page_doc *doc, size_t pair)
{
    size_t count = 0, answer;
    bool asks = false;

    for (size_t i = 0; i < doc->block_count; i++) {
        const char *z = question_of(doc, i, pair, &answer);

        count += z != NULL;
        asks = asks || (z != NULL && strchr(z, '?') != NULL);
    }
    return asks || (count > 1 && mark_is_clear(pair));
}

static void questions_read(struct page_doc *doc, size_t pair)
{
    int level = 1; /* of the last heading that is no question */

    for (size_t i = 0; i < doc->block_count; i++) {
        struct block *b = &doc->blocks[i];
        size_t answer;
        const char *z = question_of(doc, i, pair, &answer);

        if (b->kind == BLOCK_HEADING && z == NULL)
            level = b->level;
        if (z == NULL)
            continue;
        if (b->kind != BLOCK_HEADING)
            b->level = level < 6 ? level + 1 : 6;
        b->kind = BLOCK_HEADING;
        b->text = z;
        if (answer == i + 1) /* else it tells the answer from the question */
            doc->blocks[answer].text =
                behind_mark(&doc->blocks[answer], pair, true);
    }
}

/* The number that is all a paragraph says; 0: it says something. */
static uint32_t number_of(const struct block *b)
{
    size_t n = strspn(b->text, "0123456789");
    uint32_t number = 0;

    if (b->kind != BLOCK_PARA || n > NUMBER_BYTES || b->text[n] != '\0')
        return 0;
    for (size_t i = 0; i < n; i++)
        number = number * 10 + (uint32_t)(b->text[i] - '0');
    return number;
}

static void numbers_drop(struct page_doc *doc)
{
    size_t count = 0, kept = 0;
    uint32_t last = 0;

    for (size_t i = 0; i < doc->block_count; i++) {
        uint32_t number = number_of(&doc->blocks[i]);

        if (number > 0 && number <= last)
            return;
        count += number > 0;
        last = number > 0 ? number : last;
    }
    if (count < NUMBERS_LEAST)
        return;
    for (size_t i = 0; i < doc->block_count; i++)
        if (number_of(&doc->blocks[i]) == 0)
            doc->blocks[kept++] = doc->blocks[i];
    doc->block_count = kept;
}

/* Does the block lead to other pages and says nothing else: "Next Previous
 * Contents", "[ << ] | [ >> ] | [Top]"? */
static bool turns_pages(const struct block *b)
{
    static const char *const words[] = {
        "back", "contents", "forward",  "home",  "index", "next",
        "of",   "prev",     "previous", "table", "top",   "up"};
    bool turns = false;

    if (b->kind == BLOCK_HEADING || b->kind == BLOCK_CODE)
        return false;
    for (const char *z = b->text; *z != '\0';) {
        struct str word = {z, 0};
        size_t k = 0;

        while (ascii_is_alpha(z[word.n]))
            word.n++;
        if (word.n == 0) {
            if (strchr(" |[]<>?", *z) == NULL)
                return false;
            turns = turns ||
                    ((*z == '<' || *z == '>') && strchr(b->text, '[') != NULL);
            z++;
            continue;
        }
        while (k < sizeof words / sizeof words[0] && !str_ieq(word, words[k]))
            k++;
        if (k == sizeof words / sizeof words[0])
            return false;
        turns = turns || ascii_lower(*z) == 'p' || ascii_lower(*z) == 'n';
        z += word.n;
    }
    return turns && strchr(b->text, ' ') != NULL;
}

static void turns_drop(struct page_doc *doc)
{
    size_t kept = 0;

    for (size_t i = 0; i < doc->block_count; i++)
        if (!turns_pages(&doc->blocks[i]))
            doc->blocks[kept++] = doc->blocks[i];
    doc->block_count = kept;
}

/* How a page ends that says who made it and when, in no word on its subject. */
static void colophon_drop(struct page_doc *doc)
{
    static const char *const begins[] = {"\xC2\xA9",
                                         "Copyright \xC2\xA9",
                                         "Copyright (c)",
                                         "Generated by ",
                                         "Last modified",
                                         "Last updated",
                                         "Page generated ",
                                         "Powered by ",
                                         "This document was generated",
                                         "This page was generated"};

    while (doc->block_count > 1) {
        const struct block *b = &doc->blocks[doc->block_count - 1];
        size_t k = 0;

        while (k < sizeof begins / sizeof begins[0] &&
               strncmp(b->text, begins[k], strlen(begins[k])) != 0)
            k++;
        if (b->kind != BLOCK_PARA || strlen(b->text) > COLOPHON_BYTES ||
            (k == sizeof begins / sizeof begins[0] &&
             strstr(b->text, " \xC2\xA9 ") == NULL &&
             strstr(b->text, "$Id: ") == NULL))
            return;
        doc->block_count--;
    }
}

void marks_read(struct page_doc *doc)
{
    colophon_drop(doc);
    numbers_drop(doc);
    turns_drop(doc);
    for (size_t pair = 0; pair < MARK_PAIRS; pair++)
        if (is_asked(doc, pair))
            questions_read(doc, pair);
}
