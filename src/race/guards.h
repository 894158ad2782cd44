/* guards.h - which guards of accesses exclude each other. */
#ifndef RACE_GUARDS_H
#define RACE_GUARDS_H

#include "conc/lock.h"

typedef struct Guards Guards;

/* Without locks every fact counts wherever the two cells are. */
Guards *guards_new(Arena *a, const Locks *l);
bool guards_has(const Guards *g, GuardId id);
/* A new one, with its facts as locks_facts says them; keeps their memory. */
void guards_add(Guards *g, GuardId id, const Set *facts);
/* Once all are there. */
void guards_solve(Guards *g);
/* Guards of one class exclude, and are excluded by, the same ones. */
u32 guards_class(const Guards *g, GuardId id);
/* The guards, of all classes, that keep an access away from one with this,
 * where the two cells are in one slot, or wherever they are. */
const Set *guards_excluded(const Guards *g, u32 class, bool same_slot);

#endif
