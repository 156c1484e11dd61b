/* What a depth may spend; see research.h. */
#include "research/research.h"

struct research_budget research_budget_of(enum reasoning_depth d)
{
    static const struct research_budget of[] = {
        [REASONING_S] = {3, 1, 6, 10, 60 * 1000},
        [REASONING_M] = {4, 2, 16, 20, 2 * 60 * 1000},
        [REASONING_L] = {6, 3, 30, 40, 4 * 60 * 1000},
        [REASONING_XL] = {8, 4, 60, 60, 8 * 60 * 1000},
    };

    return of[d];
}
