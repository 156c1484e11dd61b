/* Marks of questions, pages and paragraphs; see marks.h. */
#include "text/marks.h"

#include "base/str.h"

#include <stdint.h>
#include <string.h>

enum {
    QUESTION_BYTES = 300, /* a longer one heads nothing */
    QUESTION_BLOCKS = 3,  /* what is told before it is answered, at most */
    NUMBERS_LEAST = 5,    /* that are marks, not what a page says */
    NUMBER_BYTES = 5
};

/* The text behind "Q:" or "Q2:", where letter is Q; NULL: it has no mark. */
static const char *behind_mark(const struct block *b, char letter)
{
    const char *z = b->text;

    if (*z != letter || (b->kind != BLOCK_PARA && b->kind != BLOCK_QUOTE))
        return NULL; /* an item may be called Q, among others */
    z += 1 + strspn(z + 1, "0123456789");
    return z[0] == ':' && z[1] == ' ' && z[2] != '\0' ? z + 2 : NULL;
}

/* The block behind i that begins with what answers it; 0: none. */
static size_t answer_of(const struct page_doc *doc, size_t i)
{
    for (size_t k = i + 1; k < doc->block_count && k <= i + QUESTION_BLOCKS;
         k++) {
        const struct block *b = &doc->blocks[k];

        if (b->kind == BLOCK_HEADING || behind_mark(b, 'Q') != NULL)
            return 0;
        if (behind_mark(b, 'A') != NULL)
            return k;
    }
    return 0;
}

static void questions_read(struct page_doc *doc)
{
    int level = 1; /* of the last heading that is no question */

    for (size_t i = 0; i < doc->block_count; i++) {
        struct block *b = &doc->blocks[i];
        const char *question = behind_mark(b, 'Q');
        size_t answer = question == NULL || strlen(question) > QUESTION_BYTES
                            ? 0
                            : answer_of(doc, i);

        if (b->kind == BLOCK_HEADING)
            level = b->level;
        if (answer == 0)
            continue;
        b->kind = BLOCK_HEADING;
        b->level = level < 6 ? level + 1 : 6;
        b->text = question;
        if (answer == i + 1) /* else it tells the answer from the question */
            doc->blocks[answer].text = behind_mark(&doc->blocks[answer], 'A');
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

void marks_read(struct page_doc *doc)
{
    numbers_drop(doc);
    questions_read(doc);
}
