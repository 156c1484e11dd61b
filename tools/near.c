/*
 * Which words mean nearly the same: src/lang/en.near.
 *
 *   near MODEL TEXTS… > src/lang/en.near      TEXTS: each a collection, a
 *                                             passage a line
 *
 * Words that stand in several of the collections are given to the encoder
 * (`make meaning` leaves MODEL), alone and with a word in front; what vectors
 * of all words have in common is taken off, and those of one stem are added up,
 * the commoner for more. Of the commonest stems each is written with those
 * nearest to it, unless it is not among the nearest to them, and a digit: what
 * such a word is worth, of ten, where a question has the other.
 */
#include "meaning/encoder.h"
#include "text/lang.h"
#include "text/terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS = 1 << 19,
    WORD_MAX = 24,
    COLLECTIONS_MAX = 32,
    COLLECTIONS_LEAST = 3, /* that hold a word, … */
    PASSAGES_LEAST = 6,    /* … in so many passages together */
    STEMS = 7000,
    KEPT = 6,    /* of a stem's nearest */
    MUTUAL = 12, /* who is nearest to whom the other way round */
    LINE_BYTES = 1 << 20
};

static const double COSINE_MIN = 0.4;
static const double WORTH = 0.6; /* of one that would be the same */

static const char *const contexts[] = {"", "to ", "the "};

struct word {
    char text[WORD_MAX];
    unsigned seen; /* the last passage */
    unsigned held[COLLECTIONS_MAX], passages;
    double share; /* mean over the collections */
    float *v;
};

struct stem {
    char text[WORD_MAX];
    double share;
    float *v;
    size_t nearest[MUTUAL];
    float cosine[MUTUAL];
};

static struct word *words;
static struct stem *stems;
static size_t word_count, stem_count, width;
static unsigned passages[COLLECTIONS_MAX];

/* --- words --------------------------------------------------------------- */

static struct word *word_of(const char *z, size_t n)
{
    size_t k = 5381;

    for (size_t i = 0; i < n; i++)
        k = k * 33 + (unsigned char)z[i];
    for (k %= SLOTS; words[k].text[0] != '\0'; k = (k + 1) % SLOTS)
        if (strncmp(words[k].text, z, n) == 0 && words[k].text[n] == '\0')
            return &words[k];
    memcpy(words[k].text, z, n);
    return &words[k];
}

static bool is_plain(const struct term *t)
{
    return t->len >= 2 && t->len < WORD_MAX &&
           strspn(t->text, "abcdefghijklmnopqrstuvwxyz") == t->len &&
           !lang_is_stop(LANG_EN, t->text, t->len);
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
        while (tokens_next(&it, &t)) {
            struct word *w;

            if (!is_plain(&t))
                continue;
            w = word_of(t.text, t.len);
            w->held[c] += w->seen != passage;
            w->passages += w->seen != passage;
            w->seen = passage;
        }
    }
}

/* Those that stand in several collections to the front. */
static void words_keep(int count)
{
    for (size_t k = 0; k < SLOTS; k++) {
        int held = 0;

        for (int c = 0; c < count; c++) {
            held += words[k].held[c] > 0;
            words[k].share += words[k].held[c] / (passages[c] + 1.0) / count;
        }
        if (held >= COLLECTIONS_LEAST && words[k].passages >= PASSAGES_LEAST)
            words[word_count++] = words[k];
    }
}

/* --- stems --------------------------------------------------------------- */

static void stem_of(const struct word *w, char *out)
{
    memcpy(out, w->text, WORD_MAX);
    out[term_stem(out, strlen(out))] = '\0';
}

static int by_stem(const void *x, const void *y)
{
    char a[WORD_MAX], b[WORD_MAX];

    stem_of(x, a);
    stem_of(y, b);
    return strcmp(a, b);
}

static int by_share(const void *x, const void *y)
{
    const struct stem *a = x, *b = y;

    return a->share != b->share ? (a->share > b->share ? -1 : 1)
                                : strcmp(a->text, b->text);
}

static int by_text(const void *x, const void *y)
{
    return strcmp(((const struct stem *)x)->text,
                  ((const struct stem *)y)->text);
}

/* The commonest stems, and of the words theirs alone. */
static void stems_keep(void)
{
    size_t kept = 0;

    qsort(words, word_count, sizeof *words, by_stem);
    for (size_t i = 0; i < word_count; i++) {
        char z[WORD_MAX];

        stem_of(&words[i], z);
        if (stem_count == 0 || strcmp(stems[stem_count - 1].text, z) != 0)
            memcpy(stems[stem_count++].text, z, WORD_MAX);
        stems[stem_count - 1].share += words[i].share;
    }
    qsort(stems, stem_count, sizeof *stems, by_share);
    stem_count = stem_count < STEMS ? stem_count : STEMS;
    qsort(stems, stem_count, sizeof *stems, by_text);
    for (size_t i = 0; i < word_count; i++) {
        struct stem key;

        stem_of(&words[i], key.text);
        if (bsearch(&key, stems, stem_count, sizeof key, by_text) != NULL)
            words[kept++] = words[i];
    }
    word_count = kept;
}

/* --- vectors ------------------------------------------------------------- */

static void shorten(float *v)
{
    double sum = 0;

    for (size_t k = 0; k < width; k++)
        sum += (double)v[k] * v[k];
    for (size_t k = 0; k < width && sum > 0; k++)
        v[k] = (float)(v[k] / sqrt(sum));
}

/* What all of them have in common is taken off. */
static void centre(float *const *v, size_t n)
{
    for (size_t k = 0; k < width; k++) {
        double sum = 0;

        for (size_t i = 0; i < n; i++)
            sum += v[i][k];
        for (size_t i = 0; i < n; i++)
            v[i][k] -= (float)(sum / (double)n);
    }
    for (size_t i = 0; i < n; i++)
        shorten(v[i]);
}

static int words_encode(const struct encoder *e)
{
    float **v = calloc(word_count, sizeof *v);

    for (size_t i = 0; v != NULL && i < word_count; i++) {
        v[i] = calloc(2 * width, sizeof **v);
        if (v[i] == NULL)
            return 1;
        words[i].v = v[i] + width;
    }
    for (size_t c = 0; v != NULL && c < sizeof contexts / sizeof *contexts;
         c++) {
        for (size_t i = 0; i < word_count; i++) {
            char z[2 * WORD_MAX];
            int n = snprintf(z, sizeof z, "%s%s", contexts[c], words[i].text);

            if (encode(e, z, (size_t)n, v[i]) != ERR_OK)
                return 1;
        }
        centre(v, word_count);
        for (size_t i = 0; i < word_count; i++)
            for (size_t k = 0; k < width; k++)
                words[i].v[k] += v[i][k];
    }
    return v == NULL;
}

static int stems_add(void)
{
    float **v = calloc(stem_count, sizeof *v);

    for (size_t i = 0; v != NULL && i < stem_count; i++)
        if ((v[i] = stems[i].v = calloc(width, sizeof **v)) == NULL)
            return 1;
    for (size_t i = 0; v != NULL && i < word_count; i++) {
        struct stem key, *s;

        stem_of(&words[i], key.text);
        s = bsearch(&key, stems, stem_count, sizeof key, by_text);
        shorten(words[i].v);
        for (size_t k = 0; s != NULL && k < width; k++)
            s->v[k] += (float)words[i].share * words[i].v[k];
    }
    if (v == NULL)
        return 1;
    for (size_t i = 0; i < stem_count; i++)
        shorten(v[i]);
    centre(v, stem_count);
    return 0;
}

/* --- nearest ------------------------------------------------------------- */

static void nearest_note(struct stem *s, size_t other, float cosine)
{
    size_t i = MUTUAL;

    while (i > 0 && s->cosine[i - 1] < cosine) {
        if (i < MUTUAL) {
            s->cosine[i] = s->cosine[i - 1];
            s->nearest[i] = s->nearest[i - 1];
        }
        i--;
    }
    if (i < MUTUAL) {
        s->cosine[i] = cosine;
        s->nearest[i] = other;
    }
}

static void nearest_find(void)
{
    for (size_t i = 0; i < stem_count; i++)
        for (size_t j = i + 1; j < stem_count; j++) {
            float cosine = 0;

            for (size_t k = 0; k < width; k++)
                cosine += stems[i].v[k] * stems[j].v[k];
            nearest_note(&stems[i], j, cosine);
            nearest_note(&stems[j], i, cosine);
        }
}

static bool is_among(const struct stem *s, size_t other)
{
    for (size_t k = 0; k < MUTUAL; k++)
        if (s->cosine[k] > 0 && s->nearest[k] == other)
            return true;
    return false;
}

static void stem_print(size_t i)
{
    const struct stem *s = &stems[i];
    int kept = 0;

    for (size_t k = 0; k < MUTUAL && kept < KEPT; k++) {
        double least = COSINE_MIN / 2;
        long digit = lround(10 * WORTH * (s->cosine[k] - least) / (1 - least));

        if (s->cosine[k] < COSINE_MIN)
            break;
        if (!is_among(&stems[s->nearest[k]], i))
            continue;
        printf("%s %s%ld", kept++ == 0 ? s->text : "",
               stems[s->nearest[k]].text, digit);
    }
    if (kept > 0)
        printf("\n");
}

int main(int argc, char **argv)
{
    struct encoder *e = NULL;
    struct errctx ec;

    words = calloc(SLOTS, sizeof *words);
    stems = calloc(SLOTS, sizeof *stems);
    if (words == NULL || stems == NULL || argc < 3 ||
        argc - 2 > COLLECTIONS_MAX)
        return 2;
    if (encoder_open(argv[1], &e, &ec) != ERR_OK) {
        fprintf(stderr, "%s\n", ec.msg);
        return 1;
    }
    width = encoder_width(e);
    for (int c = 0; c + 2 < argc; c++) {
        FILE *f = fopen(argv[c + 2], "r");

        if (f == NULL) {
            perror(argv[c + 2]);
            return 1;
        }
        collection_read(f, c);
        fclose(f);
    }
    words_keep(argc - 2);
    stems_keep();
    if (words_encode(e) != 0 || stems_add() != 0)
        return 1;
    nearest_find();
    printf("# Stems of words that mean nearly the same, and what each is worth "
           "of ten; made by\n# tools/near.c out of the published weights of "
           "all-MiniLM-L6-v2 (Apache-2.0).\n\n");
    for (size_t i = 0; i < stem_count; i++)
        stem_print(i);
    return 0;
}
