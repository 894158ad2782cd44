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
/* Do callers of an open program call the function? */
bool might_is_open(const Might *m, FnId fn);
/* The struct type that has that lock, or the pointer to it, as a member, at *off; 0 none. */
TypeId might_struct(const Might *m, u32 lock, u64 *off);

#endif
