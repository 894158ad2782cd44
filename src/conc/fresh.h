/* fresh.h - objects that no other thread can reach yet (design: Unpublished
 * objects).
 *
 * Freshness belongs to the object: from its allocation until any alias of it
 * reaches memory that another thread can reach, a fork, or unknown code.  At
 * each point of an instance we keep the registers (allocations of this
 * activation, results of calls that return fresh objects, parameters that came
 * in fresh) whose objects are still unpublished; an access is fresh if its
 * address derives, in SSA, only from such registers. */
#ifndef CONC_FRESH_H
#define CONC_FRESH_H

#include "conc/threads.h"

/* Bit i: parameter i + 1 points to an unpublished object; bit FRESH_UNSTORED + i: to one
 * that is in no memory, and by no other parameter. */
typedef u32 FreshMask;
enum { FRESH_UNSTORED = 16 };

typedef struct Fresh Fresh;

Fresh *fresh_solve(Arena *a, const Threads *t);
/* Finds who publishes what, which the questions behind fresh_returns are about. */
void fresh_publications(Fresh *f);

/* Is the object that the instruction touches (its first or second touch, see
 * access.h) unpublished then, when the parameters in `entry` came in fresh? */
bool fresh_access(Fresh *f, InstId inst, FreshMask entry, InsId ins, u32 touch);
/* Is this the store of a final field, in a constructor throughout which its
 * object is unpublished?  Whoever reads that field sees what was stored. */
bool fresh_frozen(Fresh *f, InstId inst, FreshMask entry, InsId ins);
/* The mask with which the call enters its callee. */
FreshMask fresh_enter(Fresh *f, const Edge *call, FreshMask entry);

/* Does every call of inst that returns give an object of its own making that
 * nobody else can reach, or null? */
bool fresh_returns(const Fresh *f, InstId inst);

/* An instruction in an instance that may store a pointer to an object into
 * memory that another thread can reach. */
typedef struct Publisher {
	InsId ins;
	InstId inst;
} Publisher;
int publisher_compare(const void *x, const void *y); /* by instance, then instruction */
/* Objects that the same stores may publish are a set: those that o is in, numbered from 0. */
const u32 *fresh_sets(const Fresh *f, ObjId o, u32 *n);
u32 fresh_set_count(const Fresh *f);
/* Has it more than FRESH_LARGE objects? */
enum { FRESH_LARGE = 256 };
bool fresh_set_large(const Fresh *f, u32 set);
/* Its stores, in their order. */
const Publisher *fresh_publishers(const Fresh *f, u32 set, u32 *n);
/* Is ins a store that may publish o? */
bool fresh_publishes(const Fresh *f, InstId inst, InsId ins, ObjId o);
/* Unknown code may hand out o: its publication is never known to be ordered. */
bool fresh_unknown(const Fresh *f, ObjId o);
/* Are there more places than those that publish o? */
bool fresh_many(const Fresh *f, ObjId o);

#endif
