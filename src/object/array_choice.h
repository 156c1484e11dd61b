/*
 * What an array is chosen among, as the choice sees it: for structured_array.c
 * and the tool that fits its weights.
 */
#ifndef CITED_OBJECT_ARRAY_CHOICE_H
#define CITED_OBJECT_ARRAY_CHOICE_H

enum array_feature {
#define FEATURE(name, sentence) F_##name,
#include "object/array_features.def"
#undef FEATURE
    FEATURES
};
extern const char *const array_feature_names[FEATURES];

struct listing; /* inside the room */

/* All of it stays its owner's. */
struct array_choice {
    const struct listing *g;
    const char *url;  /* of the page */
    const char *json; /* the array; valid by its schema */
    double score;
    double v[FEATURES];
};

#endif
