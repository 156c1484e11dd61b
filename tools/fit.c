/*
 * Weights of features, fitted: which unit of a question answers it.
 *
 *   fit [-w WEIGHTS | -l WEIGHTS] FEATURES < groups > weights
 *   fit -s SHARE FEATURES < rows > weights
 *   fit -d SHARE FEATURES < rows > weights
 *
 * A conditional logit (McFadden 1974): of a question's units the probability
 * that one is chosen is the exponential of its score over the sum of all; the
 * likelihood is that of choosing one that answers. Features are divided by
 * their standard deviation, then L2 regularised, by gradient ascent with Adam
 * (Kingma and Ba 2015). What is known of the best units only, and 0 elsewhere,
 * is fitted last, among those units, over what the others say of a site when
 * fitted without it: of questions it learned from, a fit is surer than it is
 * right, and what comes behind it would seem to say little. How much the others
 * are worth beside it is fitted with it. With -l what that file has a weight
 * for keeps it, and only what it does not name is fitted, beside that. FEATURES
 * is a file of names, one a line, behind "+" or "-" where a weight of the other
 * sign would make no sense. Groups are lines "LABEL v v v …", an empty line
 * between questions, "# SITE" or "# SITE/WEIGHT" in front of one; label 1
 * answers. A site's share
 * of right first units when fitted without it stands in front of the weights.
 * With -w: what is to be added to the weights of that file for questions of one
 * kind. With -s or -d: a logistic regression over rows "LABEL v v …" of the
 * features that tell whether a unit is on the subject (-s) or answers (-d).
 * Label 1 does; all other labels do not, each for a reason of its own, and
 * together weigh the same as label 1, each as much as another, and small
 * indexes as much as large ones. The constant is set so that SHARE of label 1
 * come out below 0 over large indexes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES_MAX = 128, SITES_MAX = 64, LABELS = 4, STEPS = 400, LINE_BYTES = 65536 };

static const double SMALL = 0.6, /* indexes of fewer than some 7,000 passages */
    RATE = 0.05, L2 = 5.0, L2_DIRECT = 0.003, BETA1 = 0.9, BETA2 = 0.999;

struct group {
    size_t first, count; /* rows */
    int site;
    double weight; /* of one question */
};

static struct {
    char name[FEATURES_MAX][64];
    int sign[FEATURES_MAX]; /* of its weight; 0: either */
    size_t features;
    double *v;               /* row by row */
    double sd[FEATURES_MAX]; /* what they were divided by */
    unsigned char *label;
    unsigned char *unknown; /* what is told last, of each row */
    size_t rows, rows_size;
    struct group *g;
    size_t groups, groups_size;
    char site[SITES_MAX][64];
    int sites;
    char kind;     /* of a regression: s or d; 0: none */
    double *apart; /* each row's score, fitted without its site */
    int met;       /* the encoder read the units */
} set;

static double base[FEATURES_MAX]; /* what the fitted ones are added to */
static char stays[FEATURES_MAX];  /* its weight is the file's */

static void *grown(void *p, size_t *size, size_t need, size_t one)
{
    if (need <= *size)
        return p;
    *size = need * 2;
    p = realloc(p, *size * one);
    if (p == NULL) {
        fputs("fit: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static int site_of(const char *name)
{
    for (int i = 0; i < set.sites; i++)
        if (strcmp(set.site[i], name) == 0)
            return i;
    if (set.sites == SITES_MAX)
        return SITES_MAX - 1;
    snprintf(set.site[set.sites], sizeof(set.site[0]), "%s", name);
    return set.sites++;
}

static void row_read(char *z)
{
    size_t size = set.rows_size;

    set.v = grown(set.v, &size, set.rows + 1, set.features * sizeof(*set.v));
    set.label = grown(set.label, &set.rows_size, set.rows + 1, 1);
    set.label[set.rows] = (unsigned char)(strtoul(z, &z, 10) % LABELS);
    for (size_t i = 0; i < set.features; i++)
        set.v[set.rows * set.features + i] = strtod(z, &z);
    set.g[set.groups - 1].count++;
    set.rows++;
}

/* "SITE" or "SITE/WEIGHT". */
static const char *name_of(char *z, double *weight)
{
    char *end = strchr(z, '/');

    *weight = end != NULL ? strtod(end + 1, NULL) : 1;
    if (end != NULL)
        *end = '\0';
    return z + strspn(z, " ");
}

static void groups_read(FILE *f)
{
    static char line[LINE_BYTES];
    int site = 0, open = 0;
    double weight = 1;

    while (fgets(line, sizeof(line), f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#') {
            site = site_of(name_of(line + 1, &weight));
        } else if (line[0] == '\0') {
            open = 0;
        } else {
            if (!open) {
                set.g = grown(set.g, &set.groups_size, set.groups + 1,
                              sizeof(*set.g));
                set.g[set.groups++] =
                    (struct group){set.rows, 0, site, weight};
                open = 1;
            }
            row_read(line);
        }
    }
}

/* Make every feature's deviation 1, so that all are regularised alike. */
static void standardise(void)
{
    for (size_t k = 0; k < set.features; k++) {
        double sum = 0, squares = 0, n = (double)set.rows, *sd = &set.sd[k];

        for (size_t i = 0; i < set.rows; i++) {
            double v = set.v[i * set.features + k];

            sum += v;
            squares += v * v;
        }
        *sd = n > 0 ? squares / n - sum / n * (sum / n) : 0;
        *sd = *sd > 1e-12 ? sqrt(*sd) : 1;
        for (size_t i = 0; i < set.rows; i++)
            set.v[i * set.features + k] /= *sd;
    }
}

static double score_of(const double *w, size_t row)
{
    double s = 0;

    for (size_t i = 0; i < set.features; i++)
        s += (base[i] + w[i]) * set.v[row * set.features + i];
    return s;
}

/* Of the best units alone, as the other features have them. */
static const char *const told_last[] = {"MET", NULL};

static int is_in(const char *const *list, const char *name)
{
    for (; *list != NULL; list++)
        if (strcmp(*list, name) == 0)
            return 1;
    return 0;
}

/* Mark the units of which those are not known: each counts as the least of those
 * of which they are, as when they are used. */
static void unknown_fill(void)
{
    set.unknown = calloc(set.rows + 1, 1);
    if (set.unknown == NULL) {
        fputs("fit: out of memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < set.groups * set.features; i++) {
        const struct group *g = &set.g[i / set.features];
        size_t k = i % set.features;
        double least = 0;

        if (!is_in(told_last, set.name[k]))
            continue;
        for (size_t at = g->first; at < g->first + g->count; at++) {
            double v = set.v[at * set.features + k];

            set.unknown[at] = v <= 0;
            if (v > 0 && (least <= 0 || v < least))
                least = v;
        }
        for (size_t at = g->first; at < g->first + g->count; at++)
            if (set.unknown[at])
                set.v[at * set.features + k] = least;
    }
}

/* What a row is worth; last: beside what others say, of weight w[features]. */
static double worth_of(const double *w, int last, size_t row)
{
    return score_of(w, row) +
           (last && set.apart != NULL ? w[set.features] * set.apart[row] : 0);
}

/* Add the gradient of a group's log-likelihood; last: of its best units. */
static void group_add(const struct group *g, const double *w, int last,
                      double *gradient)
{
    double top = -1e300, all = 0, good = 0;
    double *p = malloc(g->count * sizeof(*p));

    if (p == NULL)
        exit(1);
    for (size_t i = 0; i < g->count; i++) {
        p[i] = worth_of(w, last, g->first + i);
        top = fmax(top, p[i]);
    }
    for (size_t i = 0; i < g->count; i++) {
        p[i] = last && set.unknown[g->first + i] ? 0 : exp(p[i] - top);
        all += p[i];
        good += set.label[g->first + i] ? p[i] : 0;
    }
    for (size_t i = 0; good > 0 && i < g->count; i++) {
        double d = (set.label[g->first + i] ? p[i] / good : 0) - p[i] / all;

        d *= g->weight;
        for (size_t k = 0; k < set.features; k++)
            gradient[k] += d * set.v[(g->first + i) * set.features + k];
        if (set.apart != NULL)
            gradient[set.features] += d * set.apart[g->first + i];
    }
    free(p);
}

/* Fit those told last, or all others, on all sites but one; -1: on all. */
static void climb(int without, int last, double *w)
{
    double m[FEATURES_MAX + 1] = {0}, s[FEATURES_MAX + 1] = {0};

    for (int step = 1; step <= STEPS; step++) {
        double gradient[FEATURES_MAX + 1] = {0};

        for (size_t i = 0; i < set.groups; i++)
            if (set.g[i].site != without)
                group_add(&set.g[i], w, last, gradient);
        for (size_t k = 0; k <= set.features; k++) {
            int scale = k == set.features;
            double d = gradient[k] - (scale ? 0 : L2 * w[k]);

            if (scale ? !last || set.apart == NULL
                      : stays[k] || is_in(told_last, set.name[k]) != last)
                continue;
            m[k] = BETA1 * m[k] + (1 - BETA1) * d;
            s[k] = BETA2 * s[k] + (1 - BETA2) * d * d;
            w[k] += RATE * (m[k] / (1 - pow(BETA1, step))) /
                    (sqrt(s[k] / (1 - pow(BETA2, step))) + 1e-9);
            if (!scale && w[k] * set.sign[k] < 0)
                w[k] = 0;
        }
    }
}

/* Score each row by what is fitted without its site, which goes into without. */
static void set_apart(double (*without)[FEATURES_MAX + 1])
{
    double *apart = calloc(set.rows + 1, sizeof(*apart));

    if (apart == NULL) {
        fputs("fit: out of memory\n", stderr);
        exit(1);
    }
    for (int i = 0; i < set.sites; i++)
        climb(i, 0, without[i]);
    for (size_t i = 0; i < set.groups; i++)
        for (size_t k = 0; k < set.g[i].count; k++)
            apart[set.g[i].first + k] =
                score_of(without[set.g[i].site], set.g[i].first + k);
    set.apart = apart;
}

/* Fit what is told last, and set it in w beside the others that are there. */
static void tell_last(int without, double *w)
{
    static const double least = 0.1;
    double told[FEATURES_MAX + 1] = {0};

    told[set.features] = 1;
    for (size_t k = 0; k < set.features; k++)
        if (stays[k] && is_in(told_last, set.name[k]))
            told[k] = w[k];
    climb(without, 1, told);
    for (size_t k = 0; k < set.features; k++)
        if (is_in(told_last, set.name[k]) && !stays[k])
            w[k] = told[k] / fmax(least, told[set.features]);
}

/* Share of a site's questions whose best unit answers. */
static double right_of(int site, const double *w, size_t *n)
{
    size_t right = 0;

    *n = 0;
    for (size_t i = 0; i < set.groups; i++) {
        const struct group *g = &set.g[i];
        size_t best = g->first;

        if (g->site != site)
            continue;
        for (size_t k = 1; k < g->count; k++)
            if (score_of(w, g->first + k) > score_of(w, best))
                best = g->first + k;
        right += set.label[best] != 0;
        ++*n;
    }
    return *n > 0 ? (double)right / (double)*n : 0;
}

/* What says whether a unit is on the subject at all, and not whether it answers
 * better than others of its pages; and what says besides whether it answers,
 * some of it known only when all are scored. */
static const char *const told_by[] = {
    "OWN",     "COVERED", "MISSING", "PAIRS",     "RUN",       "HEADING",
    "HEADED",  "TITLE",   "SPREAD",  "OFTEN",     "LEAD",      "LOOSE",
    "UNNAMED", "UNKNOWN", "NEAR",    "NEAR_PAGE", "NEAR_BEST", "EXTENT",
    "SOFT",    "ALIKE",   NULL};
static const char *const told_of_answers[] = {"ABSENT", "SURE", "SURE_PAGE",
                                              NULL};
/* What says whether it answers where the encoder read it: with how near its
 * words come, all else but this tells no more of questions not learned from. */
static const char *const told_of_met[] = {
    "MET", "SURE", "SURE_PAGE", "ABSENT", "UNKNOWN", "EXTENT", NULL};
/* The same of all units of a question. */
static const char *const told_of_all[] = {"EXTENT", "SURE", "SURE_PAGE", NULL};

/* Does what is fitted go by that feature? */
static int is_told_by(const char *name)
{
    if (set.kind == 0)
        return !is_in(told_of_all, name);
    if (set.kind == 'd' && set.met)
        return is_in(told_of_met, name);
    return is_in(told_by, name) ||
           (set.kind == 'd' && is_in(told_of_answers, name));
}

/* Is a row of a small index? */
static int is_small(size_t row)
{
    for (size_t k = 0; k < set.features; k++)
        if (strcmp(set.name[k], "EXTENT") == 0)
            return set.v[row * set.features + k] * set.sd[k] < SMALL;
    return 0;
}

/* A weight for each row: half of all is label 1's, half the other labels', which
 * share it alike; of a label's, half is that of small indexes. The caller frees
 * it. */
static double *row_weights(void)
{
    size_t n[LABELS][2] = {{0}}, others = 0;
    double *weight = malloc((set.rows + 1) * sizeof(*weight));

    if (weight == NULL) {
        fputs("fit: out of memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < set.rows; i++)
        n[set.label[i]][is_small(i)]++;
    for (int l = 0; l < LABELS; l++)
        others += l != 1 && n[l][0] + n[l][1] > 0;
    for (size_t i = 0; i < set.rows; i++) {
        const size_t *of = n[set.label[i]];
        int small = is_small(i);

        weight[i] = (set.label[i] == 1 ? 0.5 : 0.5 / (double)others) /
                    (double)of[small] * (of[!small] > 0 ? 0.5 : 1);
    }
    return weight;
}

/* w[features] is the constant. */
static void fit_logistic(double *w)
{
    double m[FEATURES_MAX + 1] = {0}, s[FEATURES_MAX + 1] = {0};
    double *weight = row_weights();
    size_t told[FEATURES_MAX], n = 0;

    for (size_t k = 0; k < set.features; k++)
        if (is_told_by(set.name[k]))
            told[n++] = k;

    memset(w, 0, (FEATURES_MAX + 1) * sizeof(*w));
    for (int step = 1; step <= 10 * STEPS; step++) {
        double gradient[FEATURES_MAX + 1] = {0};

        for (size_t i = 0; i < set.rows; i++) {
            double p = 1 / (1 + exp(-score_of(w, i) - w[set.features]));
            double d = weight[i] * ((set.label[i] == 1) - p);

            for (size_t k = 0; k < n; k++)
                gradient[told[k]] += d * set.v[i * set.features + told[k]];
            gradient[set.features] += d;
        }
        for (size_t k = 0; k <= set.features; k++) {
            double d = gradient[k] - (k < set.features ? L2_DIRECT * w[k] : 0);

            m[k] = BETA1 * m[k] + (1 - BETA1) * d;
            s[k] = BETA2 * s[k] + (1 - BETA2) * d * d;
            w[k] += RATE * (m[k] / (1 - pow(BETA1, step))) /
                    (sqrt(s[k] / (1 - pow(BETA2, step))) + 1e-9);
        }
    }
    free(weight);
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return a < b ? -1 : a > b;
}

/* Move the constant to the operating point: share of the rows with label 1 of
 * large indexes stand below 0. */
static void settle(double *w, double share)
{
    double *score = malloc((set.rows + 1) * sizeof(*score));
    size_t n = 0;

    if (score == NULL) {
        fputs("fit: out of memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < set.rows; i++)
        if (set.label[i] == 1 && !is_small(i))
            score[n++] = score_of(w, i);
    qsort(score, n, sizeof(*score), by_size);
    if (n > 0)
        w[set.features] = -score[(size_t)((double)(n - 1) * share)];
    free(score);
}

/* Tell what share of the rows of each label stands below 0. */
static void below_print(const double *w)
{
    size_t n[LABELS][2] = {{0}}, below[LABELS][2] = {{0}};

    for (size_t i = 0; i < set.rows; i++) {
        n[set.label[i]][is_small(i)]++;
        below[set.label[i]][is_small(i)] +=
            score_of(w, i) + w[set.features] < 0;
    }
    printf("/* Written by `make weights`. Below 0 are, over large and small "
           "indexes:\n");
    for (int l = 0; l < LABELS; l++)
        if (n[l][0] + n[l][1] > 0)
            printf(" * label %d  %5.1f %% of %zu  %5.1f %% of %zu\n", l,
                   100 * (double)below[l][0] / (double)(n[l][0] + !n[l][0]),
                   n[l][0],
                   100 * (double)below[l][1] / (double)(n[l][1] + !n[l][1]),
                   n[l][1]);
    printf(" */\n");
}

static int regression(double share)
{
    double w[FEATURES_MAX + 1];

    set.g = grown(set.g, &set.groups_size, 1, sizeof(*set.g));
    set.groups = 1;
    groups_read(stdin);
    for (size_t i = 0; i < set.rows * set.features; i++)
        set.met |= strcmp(set.name[i % set.features], "MET") == 0 && set.v[i] > 0;
    standardise();
    fit_logistic(w);
    settle(w, share);
    below_print(w);
    for (size_t k = 0; k < set.features; k++)
        if (is_told_by(set.name[k]))
            printf("[FEATURE_%s] = %.2f,\n", set.name[k], w[k] / set.sd[k]);
    printf("[FEATURE_COUNT] = %.2f, /* the constant */\n", w[set.features]);
    return 0;
}

/* What is not gone by weighs nothing. */
static void forget(void)
{
    for (size_t k = 0; k < set.features; k++)
        for (size_t i = 0; !is_told_by(set.name[k]) && i < set.rows; i++)
            set.v[i * set.features + k] = 0;
}

static int base_read(const char *file, int last)
{
    FILE *f = fopen(file, "r");
    char line[256], name[64];
    double v;

    if (f == NULL)
        return 0;
    while (fgets(line, sizeof(line), f) != NULL)
        for (size_t k = 0; k < set.features; k++)
            if (sscanf(line, "[FEATURE_%63[A-Z_]] = %lf", name, &v) == 2 &&
                strcmp(name, set.name[k]) == 0) {
                base[k] = v;
                stays[k] = last != 0;
            }
    fclose(f);
    return 1;
}

static void sign_take(size_t feature)
{
    char *z = set.name[feature];

    set.sign[feature] = (*z == '+') - (*z == '-');
    if (set.sign[feature] != 0)
        memmove(z, z + 1, strlen(z));
}

int main(int argc, char **argv)
{
    static double without[SITES_MAX][FEATURES_MAX + 1];
    double all[FEATURES_MAX + 1] = {0};
    int last = argc == 4 && strcmp(argv[1], "-l") == 0;
    int more = argc == 4 && (last || strcmp(argv[1], "-w") == 0);
    int logistic = argc == 4 && !more &&
                   (strcmp(argv[1], "-s") == 0 || strcmp(argv[1], "-d") == 0);
    FILE *f = argc == 2 || logistic || more ? fopen(argv[argc - 1], "r") : NULL;

    if (f == NULL) {
        fputs("usage: fit [-w WEIGHTS | -l WEIGHTS | -s SHARE | -d SHARE] FEATURES < rows\n",
              stderr);
        return 2;
    }
    while (set.features < FEATURES_MAX &&
           fscanf(f, "%63s", set.name[set.features]) == 1)
        sign_take(set.features++);
    fclose(f);
    set.kind = logistic ? argv[1][1] : 0;
    if (logistic)
        return regression(atof(argv[2]));
    if (more && !base_read(argv[2], last))
        return 2;
    groups_read(stdin);
    forget();
    unknown_fill();
    for (size_t k = 0; k < set.features; k++)
        set.sd[k] = 1;
    if (!more || last) /* what is added counts by its own size */
        standardise();
    for (size_t k = 0; last && k < set.features; k++) {
        all[k] = base[k] * set.sd[k];
        for (int i = 0; i < set.sites; i++)
            without[i][k] = all[k];
        base[k] = 0;
    }
    printf("/* Written by `make weights`. First unit right, fitted without the "
           "site and on all:\n");
    climb(-1, 0, all);
    if (more && !last) {
        climb(-1, 1, all);
        for (int i = 0; i < set.sites; i++) {
            climb(i, 0, without[i]);
            climb(i, 1, without[i]);
        }
    } else {
        set_apart(without);
        tell_last(-1, all);
        for (int i = 0; i < set.sites; i++)
            tell_last(i, without[i]);
    }
    for (int i = 0; i < set.sites; i++) {
        size_t n;

        printf(" * %-12s %3.0f %%  %3.0f %%", set.site[i],
               100 * right_of(i, without[i], &n), 100 * right_of(i, all, &n));
        printf("  of %zu\n", n);
    }
    printf(" */\n");
    for (size_t k = 0; k < set.features; k++)
        if (is_told_by(set.name[k]))
            printf("[FEATURE_%s] = %.2f,\n", set.name[k], all[k] / set.sd[k]);
    return 0;
}
