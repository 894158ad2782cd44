/* might.h - locks that a place may hold, though it is not known to. */
#ifndef RACE_MIGHT_H
#define RACE_MIGHT_H

#include "race/race_int.h"

typedef struct Might Might;

Might *might_new(Races *r);
/* The locks that may be held at the access, on the way by which it is reached: what the
 * program calls them, as numbers. */
const Set *might_on_way(Might *m, const Access *a);
/* May that one be held there, whoever calls? */
bool might_at_all(Might *m, const Access *a, u32 lock);

#endif
