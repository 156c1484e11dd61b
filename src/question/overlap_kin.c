/*
 * Other words for a question's terms; see overlap_kin_read in overlap.h. Pure;
 * the words are data (lang/en.words). Called by answer_score.c.
 */
#include "question/overlap.h"

#include "base/str.h"
#include "text/terms.h"

#include <stdio.h>
#include <string.h>

enum { GROUP_WORDS_MAX = 8 };

/* The stems of a group's words; a longer one is cut, and matches nothing. */
static size_t group_read(const char *group, char stems[][OVERLAP_KIN_BYTES])
{
    size_t count = 0;

    for (const char *at = group; *at != '\0' && count < GROUP_WORDS_MAX;) {
        size_t n = strcspn(at, " ");
        char *stem = stems[count++];

        snprintf(stem, OVERLAP_KIN_BYTES, "%.*s", (int)n, at);
        at += n;
        at += strspn(at, " ");
        stem[term_stem(stem, strlen(stem))] = '\0';
    }
    return count;
}

/* Does the group hold terms[i]? Then the others of it are kin. */
static void group_add(const struct query *q, size_t i,
                      char stems[][OVERLAP_KIN_BYTES], size_t count,
                      struct overlap_kin *out)
{
    bool member = false;

    for (size_t k = 0; k < count; k++)
        member = member || strcmp(stems[k], q->terms[i].text) == 0;
    for (size_t k = 0; member && k < count && out->count < OVERLAP_ALIASES_MAX;
         k++)
        if (strcmp(stems[k], q->terms[i].text) != 0) {
            out->v[out->count].term = (unsigned char)i;
            memcpy(out->v[out->count++].stem, stems[k], OVERLAP_KIN_BYTES);
        }
}

/* The first letters of names that stand side by side in the question:
 * "European Union" is "EU" too. */
static void acronyms_read(const struct query *q, struct overlap_kin *out)
{
    for (size_t i = 0; i < q->term_count; i++) {
        char z[OVERLAP_ACRONYM_MAX + 1];
        size_t n = 0;

        while (i + n < q->term_count && n < OVERLAP_ACRONYM_MAX &&
               (q->names >> (i + n) & 1) &&
               ascii_is_alpha(q->words[i + n][0])) {
            z[n] = q->words[i + n][0];
            n++;
            z[n] = '\0';
            if (n < 2 || out->acronym_count == OVERLAP_ACRONYMS_MAX)
                continue;
            memcpy(out->acronyms[out->acronym_count].text, z, n + 1);
            out->acronyms[out->acronym_count].first = (unsigned char)i;
            out->acronyms[out->acronym_count++].n = (unsigned char)n;
        }
    }
}

void overlap_kin_read(const struct query *q, struct overlap_kin *out)
{
    char stems[GROUP_WORDS_MAX][OVERLAP_KIN_BYTES];

    out->count = 0;
    out->acronym_count = 0;
    acronyms_read(q, out);
    for (const char *const *group = word_kin;
         q->lang == LANG_EN && *group != NULL; group++) {
        size_t count = group_read(*group, stems);

        for (size_t i = 0; i < q->term_count; i++)
            group_add(q, i, stems, count, out);
    }
}
