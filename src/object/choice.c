/* Candidates of a field, weighed; see choice.h. Called by structured_array.c
 * and structured_field.c. */
#include "object/choice.h"

#include <math.h>
#include <string.h>

static const char *const array_names[] = {
#define FEATURE(name, sentence) #name,
#include "object/array_features.def"
#undef FEATURE
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
    /* How likely the best must be: on sites left out of the fit, what is less
     * likely is wrong too often for what more of it is right. */
    double sure;
} kinds[CHOICE_KINDS] = {[CHOICE_ARRAY] = {"array", array_names, array_weights,
                                           ARRAY_FEATURES, 0.55},
                         [CHOICE_VALUE] = {"value", value_names, value_weights,
                                           VALUE_FEATURES, 0.65}};

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

/* exp(score) of all candidates with that value. */
static double odds_of(const struct choices *all, const char *json)
{
    double odds = 0;

    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->at[i].json, json) == 0)
            odds += exp(all->at[i].score);
    return odds;
}

const struct choice *choice_best(const struct choices *all,
                                 enum choice_kind kind)
{
    const struct choice *best = NULL, *rival = NULL;
    double own, other;

    for (size_t i = 0; i < all->count; i++)
        if (best == NULL || all->at[i].score > best->score)
            best = &all->at[i];
    if (best == NULL)
        return NULL;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->at[i].json, best->json) != 0 &&
            (rival == NULL || all->at[i].score > rival->score))
            rival = &all->at[i];
    own = odds_of(all, best->json);
    other = rival == NULL ? 0 : odds_of(all, rival->json);
    return own >= kinds[kind].sure * (1 + own + other) ? best : NULL;
}
