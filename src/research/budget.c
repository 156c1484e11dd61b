/* What a depth may spend; see research.h. */
#include "research/research.h"

struct research_budget research_budget_of(enum reasoning_depth d)
{
    static const struct research_budget of[] = {
        [REASONING_S] = {4, 1, 8, 16, 60 * 1000, 10, 550},
        [REASONING_M] = {6, 2, 20, 48, 2 * 60 * 1000, 20, 1050},
        [REASONING_L] = {12, 4, 48, 240, 4 * 60 * 1000, 96, 1415},
        [REASONING_XL] = {16, 5, 96, 320, 8 * 60 * 1000, 128, 2450},
    };

    return of[d];
}
