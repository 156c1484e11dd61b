/*
 * How common words are in any text: the lists "common.N" of src/lang/en.words.
 *
 *   common TEXTS… > lists        each a collection, a passage a line
 *
 * Of each stem the share of a collection's passages that hold it, averaged over
 * all but the three collections that use it most, so that what some are about
 * counts as no common word. Printed in bands: in at least N of a thousand
 * passages, and fewer than twice as many. Stop words are left out.
 */
#include "text/lang.h"
#include "text/terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS = 1 << 19,
    STEM_MAX = 20,
    COLLECTIONS_MAX = 32,
    MOST = 3,  /* left out */
    LEAST = 6, /* collections that hold it */
    LINE_COLUMNS = 80,
    LINE_BYTES = 1 << 20
};

static struct word {
    char stem[STEM_MAX];
    unsigned seen; /* the last passage */
    unsigned held[COLLECTIONS_MAX];
    double share;
} * words;

static unsigned passages[COLLECTIONS_MAX];

static struct word *word_of(const char *z, size_t n)
{
    size_t k = 5381;

    for (size_t i = 0; i < n; i++)
        k = k * 33 + (unsigned char)z[i];
    for (k %= SLOTS; words[k].stem[0] != '\0'; k = (k + 1) % SLOTS)
        if (strncmp(words[k].stem, z, n) == 0 && words[k].stem[n] == '\0')
            return &words[k];
    memcpy(words[k].stem, z, n);
    return &words[k];
}

static void collection_read(FILE *f, int c)
{
    static char line[LINE_BYTES];
    static unsigned passage;
    struct term_iter it;
    struct term t;

    while (fgets(line, sizeof line, f) != NULL) {
        passage++;
        passages[c]++;
        terms_init(&it, line, strlen(line));
        while (terms_next(&it, &t)) {
            struct word *w;

            if (t.len < 2 || t.len >= STEM_MAX || t.text[0] < 'a' ||
                t.text[0] > 'z' || lang_is_stop(LANG_EN, t.text, t.len))
                continue;
            w = word_of(t.text, t.len);
            w->held[c] += w->seen != passage;
            w->seen = passage;
        }
    }
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return a < b ? -1 : a > b;
}

static double share_of(const struct word *w, int count)
{
    double share[COLLECTIONS_MAX], sum = 0;
    int held = 0;

    for (int c = 0; c < count; c++) {
        share[c] = w->held[c] / (passages[c] + 1.0);
        held += w->held[c] > 0;
    }
    qsort(share, (size_t)count, sizeof *share, by_size);
    for (int c = 0; c + MOST < count; c++)
        sum += share[c];
    return held < LEAST ? 0 : sum / (count - MOST);
}

static int by_stem(const void *x, const void *y)
{
    return strcmp(((const struct word *)x)->stem,
                  ((const struct word *)y)->stem);
}

static void band_print(int least, int below)
{
    int column = printf("\ncommon.%d:", least);

    for (size_t k = 0; k < SLOTS; k++) {
        int n = (int)strlen(words[k].stem);

        if (words[k].share * 1000 < least ||
            (below > 0 && words[k].share * 1000 >= below))
            continue;
        if (column + 1 + n > LINE_COLUMNS)
            column = printf("\n   ") - 1;
        column += printf(" %s", words[k].stem);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    words = calloc(SLOTS, sizeof *words);
    if (words == NULL || argc <= MOST || argc > COLLECTIONS_MAX)
        return 2;
    for (int c = 0; c + 1 < argc; c++) {
        FILE *f = fopen(argv[c + 1], "r");

        if (f == NULL) {
            perror(argv[c + 1]);
            return 1;
        }
        collection_read(f, c);
        fclose(f);
    }
    for (size_t k = 0; k < SLOTS; k++)
        words[k].share = share_of(&words[k], argc - 1);
    qsort(words, SLOTS, sizeof *words, by_stem);
    for (int least = 256; least > 0; least /= 2)
        band_print(least, least == 256 ? 0 : 2 * least);
    return 0;
}
