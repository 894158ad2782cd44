/* adapter.h - the one place where the random tests meet the analysis. */
#ifndef RANDOM_ADAPTER_H
#define RANDOM_ADAPTER_H

#include "race/race.h"

/* Runs the whole analysis of ir from root, with points-to sets by unification if
 * unify is set; memory is a's. */
RaceResult *adapter_analyse(Arena *a, const Ir *ir, FnId root, bool unify);

#endif
