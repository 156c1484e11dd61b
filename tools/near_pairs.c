/*
 * Which words of another language mean the same as words of English:
 * src/lang/CODE.near.
 *
 *   near_pairs CODE PAIRS > src/lang/CODE.near
 *
 * PAIRS has lines "TEXT TAB ENGLISH", one the other's translation. Which stem
 * says which is found by expectation maximisation (Brown and others, 1993,
 * model 1), both ways; what two stems are to each other is the geometric mean
 * of both. Of the commonest stems each is written with what it says and a
 * digit: what such a word is worth, of ten, where a question has the other.
 * Words of the language that say the same English are left out: pages in German
 * were found worse with them.
 */
#include "must.h"
#include "text/lang.h"
#include "text/stemmer.h"
#include "text/terms.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS = 1 << 20,
    SIDE_MAX = 40, /* stems of a text */
    LEAST = 6,     /* texts with a stem */
    STEMS = 12000,
    ROUNDS = 5,
    KEPT = 4,      /* of what a stem says */
    TEXT_LEAST = 3 /* letters */
};

static const double SAME_LEAST = 0.08; /* of what two stems are to each other */
static const double SAME_SURE = 0.3; /* … that is as good as the same word */
static const double SAME_WORTH = 0.9;

struct stem {
    char *text;
    unsigned count; /* texts with it */
    struct says {
        unsigned stem;
        double much;
    } says[KEPT];
};

/* The stems of a language. */
struct side {
    struct stemmer *stemmer; /* NULL: English */
    enum lang lang;
    struct stem *v;
    unsigned count, *slot;
};

struct pair {
    unsigned *own, *english;
    unsigned own_count, english_count;
};

struct link {
    unsigned own, english;   /* and 1; 0: free */
    float says[2], count[2]; /* own to English, English to own */
};

static struct side own = {.lang = LANG_EN}, english = {.lang = LANG_EN};
static struct pair *pairs;
static size_t pair_count, link_mask;
static struct link *links;

static unsigned stem_of(struct side *s, const char *p)
{
    unsigned h = 2166136261u;

    for (const char *z = p; *z != '\0'; z++)
        h = (h ^ (unsigned char)*z) * 16777619u;
    for (h %= SLOTS; s->slot[h] != 0; h = (h + 1) % SLOTS)
        if (strcmp(s->v[s->slot[h] - 1].text, p) == 0)
            return s->slot[h] - 1;
    if (s->count * 2 > SLOTS)
        die("pairs", "too many stems");
    if (s->count % 4096 == 0)
        s->v = must(realloc(s->v, (s->count + 4096) * sizeof *s->v));
    s->v[s->count] = (struct stem){.text = must(strdup(p))};
    s->slot[h] = s->count + 1;
    return s->count++;
}

/* The distinct stems of a text that carry meaning; in memory of theirs. */
static unsigned *stems_of(struct side *s, const char *p, unsigned *count)
{
    unsigned v[SIDE_MAX];
    struct term_iter it;
    struct term t;

    *count = 0;
    terms_init_with(&it, s->stemmer, p, strlen(p));
    while (*count < SIDE_MAX && tokens_next(&it, &t)) {
        unsigned k = 0, stem;

        if (t.len < TEXT_LEAST || strpbrk(t.text, "0123456789") != NULL ||
            lang_is_stop(s->lang, t.text, t.len))
            continue;
        token_stem(&it, &t);
        stem = stem_of(s, t.text);
        while (k < *count && v[k] != stem)
            k++;
        if (k < *count)
            continue;
        v[(*count)++] = stem;
        s->v[stem].count++;
    }
    return memcpy(must(malloc((*count + 1) * sizeof *v)), v,
                  *count * sizeof *v);
}

static void pairs_read(const char *path)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;

    if (f == NULL)
        die(path, strerror(errno));
    while (getline(&line, &size, f) > 0) {
        char *other = strchr(line, '\t');
        struct pair *p;

        if (other == NULL)
            die(path, "a line has one field");
        *other++ = '\0';
        if (pair_count % 4096 == 0)
            pairs = must(realloc(pairs, (pair_count + 4096) * sizeof *pairs));
        p = &pairs[pair_count++];
        p->own = stems_of(&own, line, &p->own_count);
        p->english = stems_of(&english, other, &p->english_count);
    }
    if (ferror(f))
        die(path, strerror(errno));
    fclose(f);
    free(line);
}

/* --- which says which ------------------------------------------------------
 */

static struct link *link_of(unsigned a, unsigned b)
{
    uint64_t h = ((uint64_t)a << 32 | b) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(h >> 24) & link_mask;

    while (links[at].own != 0 &&
           (links[at].own != a + 1 || links[at].english != b + 1))
        at = (at + 1) & link_mask;
    return &links[at];
}

/* Share what stands on one side among what may say it on the other. */
static void pair_share(const struct pair *p, int way)
{
    unsigned n = way == 0 ? p->english_count : p->own_count;
    unsigned m = way == 0 ? p->own_count : p->english_count;

    for (unsigned i = 0; i < n; i++) {
        struct link *l[SIDE_MAX];
        float sum = 0;

        for (unsigned j = 0; j < m; j++) {
            unsigned a = p->own[way == 0 ? j : i];
            unsigned b = p->english[way == 0 ? i : j];

            l[j] = link_of(a, b);
            if (l[j]->own == 0)
                *l[j] = (struct link){a + 1, b + 1, {1, 1}, {0, 0}};
            sum += l[j]->says[way];
        }
        for (unsigned j = 0; j < m && sum > 0; j++)
            l[j]->count[way] += l[j]->says[way] / sum;
    }
}

static void links_share(int way, double *all, size_t count)
{
    memset(all, 0, count * sizeof *all);
    for (size_t i = 0; i <= link_mask; i++)
        if (links[i].own != 0)
            all[(way == 0 ? links[i].own : links[i].english) - 1] +=
                links[i].count[way];
    for (size_t i = 0; i <= link_mask; i++) {
        struct link *l = &links[i];
        double sum =
            l->own == 0 ? 0 : all[(way == 0 ? l->own : l->english) - 1];

        l->says[way] = sum > 0 ? (float)(l->count[way] / sum) : 0;
        l->count[way] = 0;
    }
}

static void links_learn(void)
{
    size_t most = 0, size = 1 << 16;
    size_t count = own.count > english.count ? own.count : english.count;
    double *all = must(calloc(count, sizeof *all));

    for (size_t i = 0; i < pair_count; i++)
        most += (size_t)pairs[i].own_count * pairs[i].english_count;
    while (size < most)
        size *= 2;
    links = must(calloc(size, sizeof *links));
    link_mask = size - 1;
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < 2; way++) {
            for (size_t i = 0; i < pair_count; i++)
                pair_share(&pairs[i], way);
            links_share(way, all, count);
        }
    free(all);
}

/* --- what is near ----------------------------------------------------------
 */

static void says_note(struct says *v, size_t count, unsigned stem, double much)
{
    size_t i = count;

    while (i > 0 && v[i - 1].much < much) {
        if (i < count)
            v[i] = v[i - 1];
        i--;
    }
    if (i < count)
        v[i] = (struct says){stem, much};
}

static int by_count(const void *x, const void *y)
{
    const struct stem *a = &own.v[*(const unsigned *)x];
    const struct stem *b = &own.v[*(const unsigned *)y];

    return a->count != b->count ? (a->count > b->count ? -1 : 1)
                                : strcmp(a->text, b->text);
}

static int by_text(const void *x, const void *y)
{
    return strcmp(own.v[*(const unsigned *)x].text,
                  own.v[*(const unsigned *)y].text);
}

/* The commonest stems; how many. */
static unsigned stems_choose(unsigned *v)
{
    unsigned n = 0;

    for (unsigned i = 0; i < own.count; i++)
        if (own.v[i].count >= LEAST)
            v[n++] = i;
    qsort(v, n, sizeof *v, by_count);
    n = n < STEMS ? n : STEMS;
    qsort(v, n, sizeof *v, by_text);
    return n;
}

static void says_find(void)
{
    for (size_t i = 0; i <= link_mask; i++)
        if (links[i].own != 0)
            says_note(own.v[links[i].own - 1].says, KEPT, links[i].english - 1,
                      sqrt((double)links[i].says[0] * links[i].says[1]));
}

static void stem_print(const struct stem *s)
{
    double sure = fmax(SAME_SURE, s->says[0].much);
    bool any = false;

    for (size_t i = 0; i < KEPT && s->says[i].much >= SAME_LEAST; i++) {
        const struct stem *other = &english.v[s->says[i].stem];

        if (strcmp(other->text, s->text) == 0 || other->count < LEAST)
            continue;
        printf("%s %s%ld", any ? "" : s->text, other->text,
               lround(10 * SAME_WORTH * sqrt(s->says[i].much / sure)));
        any = true;
    }
    if (any)
        printf("\n");
}

int main(int argc, char **argv)
{
    unsigned *v, n;

    if (argc != 3)
        die("usage", "near_pairs CODE PAIRS");
    own.lang = lang_of_tag(argv[1]);
    own.slot = must(calloc(SLOTS, sizeof *own.slot));
    english.slot = must(calloc(SLOTS, sizeof *english.slot));
    if (!stemmer_exists(own.lang) ||
        stemmer_new(own.lang, &own.stemmer) != ERR_OK)
        die(argv[1], "there is no stemmer of it");
    pairs_read(argv[2]);
    fprintf(stderr, "%zu pairs, %u stems and %u of English\n", pair_count,
            own.count, english.count);
    links_learn();
    v = must(calloc(own.count + 1, sizeof *v));
    n = stems_choose(v);
    says_find();
    printf("# Stems of English that mean the same, and what each is worth of "
           "ten; made by\n# tools/near_pairs.c out of translations.\n\n");
    for (unsigned i = 0; i < n; i++)
        stem_print(&own.v[v[i]]);
    return 0;
}
