/*
 * A made collection: pages of English-looking words drawn from a Zipf
 * distribution, as JSON lines for `cited index add -`, and queries taken from
 * its passages. Deterministic for a seed.
 *
 *   words pages COUNT        COUNT passages of about 100 words, 5 to a page
 *   words queries COUNT N    COUNT queries of N words each, one a line
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VOCABULARY = 60000, PER_PAGE = 5, WORDS = 96 };

static uint64_t state = 88172645463325252u;

/* xorshift64, Marsaglia 2003. */
static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double uniform(void)
{
    return (double)(next() >> 11) / 9007199254740992.0;
}

/* A rank from 1 on with probability about 1/rank (inverse of the harmonic
 * distribution's continuous form). */
static int zipf(void)
{
    return (int)exp(uniform() * log(VOCABULARY));
}

/* The word of a rank: syllables that spell the number. */
static void word(int rank, char *out)
{
    static const char *const on[] = {"b", "d", "f", "g", "k", "l", "m", "n",
                                     "p", "r", "s", "t", "v", "z"};
    static const char *const vowel[] = {"a", "e", "i", "o", "u"};

    for (int v = rank + 13; v > 0; v /= 70) {
        const char *a = on[v % 14], *b = vowel[v / 14 % 5];

        *out++ = *a;
        *out++ = *b;
    }
    *out = '\0';
}

static void pages(int count)
{
    char w[32];

    for (int p = 0; p * PER_PAGE < count; p++) {
        printf("{\"url\":\"http://site%d.example/p/%d\",\"title\":\"", p % 50,
               p);
        for (int i = 0; i < 4; i++) {
            word(zipf() + 60, w);
            printf("%s%s", i ? " " : "", w);
        }
        printf("\",\"date\":\"20%02d-%02d-%02d\",\"text\":\"", 10 + p % 15,
               1 + p % 12, 1 + p % 28);
        for (int i = 0; i < PER_PAGE; i++) {
            for (int k = 0; k < WORDS; k++) {
                word(zipf(), w);
                if (k % 16 == 0)
                    w[0] = (char)(w[0] - 32);
                printf("%s%s", w, k % 16 == 15 ? ". " : " ");
            }
            fputs("\\n\\n", stdout);
        }
        puts("\"}");
    }
}

static void queries(int count, int n)
{
    char w[32];

    state = 1181783497276652981u;
    for (int q = 0; q < count; q++) {
        for (int i = 0; i < n; i++) {
            int rank = zipf();

            /* Content words: 0.15 to 14 % of the passages, 1.4 % in the
             * middle, as content words of documentation text are spread. */
            while (rank < 60 || rank > 6000)
                rank = zipf();
            word(rank, w);
            printf("%s%s", i ? " " : "", w);
        }
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "pages") == 0)
        pages((int)strtol(argv[2], NULL, 10));
    else if (argc == 4 && strcmp(argv[1], "queries") == 0)
        queries((int)strtol(argv[2], NULL, 10),
                (int)strtol(argv[3], NULL, 10));
    else
        return fputs("usage: words pages COUNT | queries COUNT N\n", stderr), 2;
    return 0;
}
