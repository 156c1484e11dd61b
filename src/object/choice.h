/*
 * What a field's value is chosen among: candidates weighed by features, of
 * which the likeliest is taken. For the files that read candidates and the tool
 * that fits their weights. Pure.
 */
#ifndef CITED_OBJECT_CHOICE_H
#define CITED_OBJECT_CHOICE_H

#include <stddef.h>

enum { CHOICE_FEATURES_MAX = 72, CHOICES_MAX = 1024 };

/* All of it stays its owner's. */
struct choice {
    const char *json; /* the value; valid by its schema */
    const char *url;  /* of the page */
    const void *from; /* where it was found; of arrays: the list it is a reading
                         of */
    double score;
    double v[CHOICE_FEATURES_MAX];
};

struct choices {
    struct choice at[CHOICES_MAX];
    size_t count;
};

/* The kinds that have weights of their own. */
enum choice_kind {
    CHOICE_ARRAY,
    CHOICE_VALUE, /* anything else */
    CHOICE_KINDS
};

/* Their names for the tool; feature i of a kind, NULL behind the last. Behind
 * "+" or "-": its weight has that sign. */
const char *choice_kind_name(enum choice_kind kind);
const char *choice_feature_name(enum choice_kind kind, size_t i);

enum array_feature {
#define FEATURE(name, sentence) F_##name,
#define FOR FEATURE
#include "object/array_features.def"
#undef FEATURE
#undef FOR
    ARRAY_FEATURES
};
enum value_feature {
#define FEATURE(name, sentence) V_##name,
#define FOR FEATURE
#define AGAINST FEATURE
#include "object/value_features.def"
#undef FEATURE
#undef FOR
#undef AGAINST
    VALUE_FEATURES
};

/* Add a candidate; of the same value on the same page the better one stays,
 * and of too many the best. */
void choice_add(struct choices *all, enum choice_kind kind,
                const struct choice *one);

/* The best of them, or NULL when it is not likely enough beside none of them
 * and the best other one: many that are unlikely say nothing. The same value on
 * another page is one with it, and so is an array of nearly the same; one that
 * only names some of them is no other one. Of an array, its list must be likely
 * enough so, and of the readings of that list this one. */
const struct choice *choice_best(const struct choices *all,
                                 enum choice_kind kind);

#endif
