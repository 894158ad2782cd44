/* fresh.h - objects that no other thread can reach yet.
 *
 * Freshness belongs to the object: from its allocation until any alias of it
 * reaches memory that another thread can reach, a fork, or unknown code.  At
 * each point of an instance we keep the allocations of this activation (and
 * the parameters that came in fresh) that are still unpublished; an access is
 * fresh if its address derives, in SSA, only from such a one. */
#ifndef CONC_FRESH_H
#define CONC_FRESH_H

#include "conc/threads.h"

typedef u32 FreshMask; /* bit i: parameter i + 1 points to an unpublished object, i < 32 */

typedef struct Fresh Fresh;

Fresh *fresh_solve(Arena *a, const Threads *t);
/* Is the object that addr points to unpublished just before ins in inst, when
 * the parameters in `entry` came in fresh? */
bool fresh_at(const Fresh *f, InstId inst, FreshMask entry, InsId ins, Val addr);
/* The mask with which `call` enters its callee from `entry`. */
FreshMask fresh_enter(const Fresh *f, const Edge *call, FreshMask entry);

/* The instructions, with their instances, that may store a pointer to o into
 * memory that another thread can reach. */
typedef struct Publisher {
	InsId ins;
	InstId inst;
} Publisher;
const Publisher *fresh_publishers(const Fresh *f, ObjId o, u32 *n);
/* Unknown code may hand out o: its publication is never known to be ordered. */
bool fresh_unknown(const Fresh *f, ObjId o);
/* Is memory at all slots of addr written only while its object is fresh? */
bool fresh_stable(const Fresh *f, InstId inst, Val addr, u32 bytes);

#endif
