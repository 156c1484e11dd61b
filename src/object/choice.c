/* Candidates of a field, weighed; see choice.h. Called by structured_array.c
 * and structured_field.c. */
#include "object/choice.h"

#include "base/str.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { ELEMENTS_MAX = 100 };

static const double ALIKE_MIN = 0.8;

static const char *const array_names[] = {
#define FEATURE(name, sentence) #name,
#define FOR(name, sentence) "+" #name,
#include "object/array_features.def"
#undef FEATURE
#undef FOR
    NULL};
static const char *const value_names[] = {
#define FEATURE(name, sentence) #name,
#define FOR(name, sentence) "+" #name,
#define AGAINST(name, sentence) "-" #name,
#include "object/value_features.def"
#undef FEATURE
#undef FOR
#undef AGAINST
    NULL};

/* Of choices between all candidates and none (conditional logit). */
static const double array_weights[CHOICE_FEATURES_MAX] = {
#include "object/weights_array.inc"
};
static const double value_weights[CHOICE_FEATURES_MAX] = {
#include "object/weights_value.inc"
};

static const struct {
    const char *name;
    const char *const *names;
    const double *weights;
    size_t features;
} kinds[CHOICE_KINDS] = {
    [CHOICE_ARRAY] = {"array", array_names, array_weights, ARRAY_FEATURES},
    [CHOICE_VALUE] = {"value", value_names, value_weights, VALUE_FEATURES}};

/* How likely the best must be, by what it is of: on sites left out of the fit,
 * what is less likely is wrong too often for what more of it is right. */
enum { SURE_ARRAY, SURE_STATEMENT, SURE_TEXT, SURE_OTHER, SURE_KINDS };
static const double sure[SURE_KINDS] = {
#include "object/sure.inc"
};

_Static_assert((int)ARRAY_FEATURES <= (int)CHOICE_FEATURES_MAX &&
                   (int)VALUE_FEATURES <= (int)CHOICE_FEATURES_MAX,
               "features of a candidate");

const char *choice_kind_name(enum choice_kind kind)
{
    return kinds[kind].name;
}

const char *choice_feature_name(enum choice_kind kind, size_t i)
{
    return i < kinds[kind].features ? kinds[kind].names[i] : NULL;
}

void choice_add(struct choices *all, enum choice_kind kind,
                const struct choice *one)
{
    struct choice new = *one, *c = NULL, *worst = &all->at[0];

    new.score = 0;
    for (size_t i = 0; i < kinds[kind].features; i++)
        new.score += kinds[kind].weights[i] * new.v[i];
    for (size_t i = 0; i < all->count && c == NULL; i++) {
        if (strcmp(all->at[i].json, new.json) == 0 &&
            strcmp(all->at[i].url, new.url) == 0)
            c = &all->at[i];
        else if (all->at[i].score < worst->score)
            worst = &all->at[i];
    }
    if (c == NULL && all->count < CHOICES_MAX) {
        all->at[all->count++] = new;
        return;
    }
    c = c == NULL ? worst : c;
    if (new.score > c->score)
        *c = new;
}

/* The elements of an array as they are written; 0: it is none. */
static size_t elements_read(const char *json, struct str *out)
{
    size_t n = 0, depth = 0, from = 1;
    bool quoted = false;

    for (size_t i = 0; json[0] == '[' && json[i] != '\0' && n < ELEMENTS_MAX;
         i++) {
        char c = json[i];

        if (quoted && c == '\\' && json[i + 1] != '\0')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{'))
            depth++;
        else if (!quoted && (c == ']' || c == '}'))
            depth--;
        if (!quoted && ((c == ',' && depth == 1) || (c == ']' && depth == 0))) {
            if (i > from)
                out[n++] = (struct str){json + from, i - from};
            from = i + 1;
        }
    }
    return n;
}

/* Are they the same, or arrays that share most of their elements: two readings
 * of one list, or two pages that name the same things? *within: all of one's
 * stand in the other. */
static bool is_alike(const char *one, const char *other, bool *within)
{
    struct str a[ELEMENTS_MAX], b[ELEMENTS_MAX];
    size_t n, k, both = 0;

    *within = strcmp(one, other) == 0;
    if (*within)
        return true;
    n = elements_read(one, a);
    k = n == 0 ? 0 : elements_read(other, b);
    for (size_t i = 0; i < n && k > 0; i++)
        for (size_t j = 0; j < k; j++)
            if (a[i].n == b[j].n && strncasecmp(a[i].p, b[j].p, a[i].n) == 0) {
                both++;
                break;
            }
    *within = n > 1 && both == n;
    return k > 0 && 2 * (double)both >= ALIKE_MIN * (double)(n + k);
}

/* Are both readings of one list? */
static bool is_reading(enum choice_kind kind, const struct choice *one,
                       const struct choice *other)
{
    return kind == CHOICE_ARRAY && one->from == other->from;
}

/* exp(score) of all candidates with that value, and of other readings of its
 * list, where these count. */
static double odds_of(const struct choices *all, enum choice_kind kind,
                      const struct choice *one, bool readings)
{
    double odds = 0;
    bool within;

    for (size_t i = 0; i < all->count; i++)
        if ((readings && is_reading(kind, &all->at[i], one)) ||
            is_alike(all->at[i].json, one->json, &within))
            odds += exp(all->at[i].score);
    return odds;
}

static double sure_of(enum choice_kind kind, const struct choice *best)
{
    return sure[kind == CHOICE_ARRAY       ? SURE_ARRAY
                : best->v[V_STATEMENT] > 0 ? SURE_STATEMENT
                : best->v[V_TEXT] > 0      ? SURE_TEXT
                                           : SURE_OTHER];
}

const struct choice *choice_best(const struct choices *all,
                                 enum choice_kind kind)
{
    const struct choice *best = NULL, *rival = NULL;
    double own, other, bar;
    bool within;

    for (size_t i = 0; i < all->count; i++)
        if (best == NULL || all->at[i].score > best->score)
            best = &all->at[i];
    if (best == NULL)
        return NULL;
    for (size_t i = 0; i < all->count; i++)
        if ((rival == NULL || all->at[i].score > rival->score) &&
            !is_reading(kind, &all->at[i], best) &&
            !is_alike(all->at[i].json, best->json, &within) && !within)
            rival = &all->at[i];
    own = odds_of(all, kind, best, true);
    other = rival == NULL ? 0 : odds_of(all, kind, rival, true);
    bar = sure_of(kind, best);
    return own >= bar * (1 + own + other) &&
                   odds_of(all, kind, best, false) >= bar * own
               ? best
               : NULL;
}
