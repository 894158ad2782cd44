/* might.h - locks that a place may hold, though it is not known to. */
#ifndef RACE_MIGHT_H
#define RACE_MIGHT_H

#include "race/race_int.h"

typedef struct Might Might;

/* [TypeId]: the first of that name and size, as units declare structs anew. */
TypeId *might_same(const Races *r);
Might *might_new(Races *r, const TypeId *same);
/* The locks that may be held at the access, on the way by which it is reached: what the
 * program calls them, as numbers. */
const Set *might_on_way(Might *m, const Access *a);
/* May that one be held there, whoever calls? */
bool might_at_all(Might *m, const Access *a, u32 lock);
/* Do callers of an open program call the function? */
bool might_is_open(const Might *m, FnId fn);
/* The struct type that has that lock, or the pointer to it, as a member, at *off; 0 none. */
TypeId might_struct(const Might *m, u32 lock, u64 *off);
/* What leads to v, a member or a variable, as a number; 0: none is known, or v is the parameter *param, from 1. */
u32 might_name(Might *m, const Fn *f, Val v, u32 *param);
/* What the function itself may hold before the instruction; and may those that call it? */
const Set *might_inside(Might *m, InstId inst, InsId ins);
bool might_by_callers(const Might *m, FnId fn, u32 lock);
/* Is the call's callee one that is meant? */
bool might_mean(const Might *m, const Edge *e);
/* Is it the instance that stands for its function? */
bool might_stand_for(const Might *m, InstId inst);
/* Is something locked that is a member of that struct, or that one points to?  If not, false as a rule. */
bool might_have_lock(const Might *m, TypeId type);

#endif
