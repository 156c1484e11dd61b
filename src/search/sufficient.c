/*
 * When the best sentence is enough to answer with; see sufficient.h. Pure.
 * Called by answer_extract.
 */
#include "search/sufficient.h"
#include "search/overlap.h"

#include <math.h>

enum { FEW_TERMS = 3 };

/* Confidence: begun as a logistic fit of answerable questions against those
 * of other collections; base, HALF, FOCUS, ODD, NOBODY and ANYBODY are set by
 * hand on the same questions. MASS is the weight itself of the terms within
 * reach, so that one word of two is less than three of six. */
static const double CONFIDENCE_BASE = -7.2;
static const double CONFIDENCE_MASS = 4.0;
static const double CONFIDENCE_PLACE = 5.65;
static const double CONFIDENCE_OWN = 3.7;
static const double CONFIDENCE_PAIRS = 2.1;
static const double CONFIDENCE_TERMS = 0.067;
static const double CONFIDENCE_TYPE = 0.6;
static const double CONFIDENCE_GAP = 0.9;
static const double CONFIDENCE_HALF = -1.2; /* of few terms a heavy one lacks */
static const double CONFIDENCE_FOCUS = -2.5; /* … the noun asked for */
static const double HALF_GAP = 0.6;
static const double CONFIDENCE_NAMES = -2.0;
static const double CONFIDENCE_ODD = -4.0;     /* no prose */
static const double CONFIDENCE_NOBODY = -9.0;  /* "who", and no name */
static const double CONFIDENCE_ANYBODY = -3.0; /* … or only a first word */
static const double MASS_FULL = 3.0;
static const double MASS_MOST = 1.5;

/* The heaviest term that is not there, as a share of the heaviest. */
static double gap_of(const struct query *q, uint64_t mask)
{
    double most = 0, all = 0;

    for (size_t i = 0; i < q->term_count; i++) {
        double w = q->terms[i].weight * q->rarity[i];

        if (w > all)
            all = w;
        if (w > most && !(mask >> i & 1))
            most = w;
    }
    return all > 0 ? most / all : 0;
}

/* A short question for a person is answered by a name and nothing else. */
static double name_of(const struct sentence *s)
{
    double name = s->sign[SIGN_TYPE];

    return name < 0.15  ? CONFIDENCE_NOBODY
           : name < 0.5 ? CONFIDENCE_ANYBODY
                        : 0;
}

double sufficient_confidence(const struct pool *pool, const struct sentence *s)
{
    static const enum sign places[] = {SIGN_OWN, SIGN_LOOSE, SIGN_BEFORE,
                                       SIGN_CONTEXT, SIGN_AROUND};
    const struct query *q = pool->q;
    double mass = overlap_weight(q, s->reach) / MASS_FULL, place = 0;

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        place += s->sign[places[i]];
    double gap = gap_of(q, s->reach);
    bool unfocused = q->term_count <= FEW_TERMS && q->focus < q->term_count &&
                     !(s->reach >> q->focus & 1);
    bool half = q->term_count <= FEW_TERMS && gap >= HALF_GAP;
    bool who = q->type == ANSWER_PERSON && q->term_count <= FEW_TERMS;
    return CONFIDENCE_BASE + CONFIDENCE_MASS * fmin(mass, MASS_MOST) +
           CONFIDENCE_PLACE * place + CONFIDENCE_OWN * s->sign[SIGN_OWN] +
           CONFIDENCE_PAIRS * s->sign[SIGN_PAIRS] +
           CONFIDENCE_TERMS * (double)q->term_count +
           CONFIDENCE_TYPE * s->sign[SIGN_TYPE] + CONFIDENCE_GAP * gap +
           (half ? CONFIDENCE_HALF : 0) + (unfocused ? CONFIDENCE_FOCUS : 0) +
           CONFIDENCE_ODD * (1 - s->sign[SIGN_PROSE]) + (who ? name_of(s) : 0) +
           CONFIDENCE_NAMES * overlap_share(q, q->names & ~s->reach);
}
