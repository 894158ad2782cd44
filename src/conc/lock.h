/* lock.h - relative locksets (RELAY, Section 3.2) over symbolic names.
 *
 * A lock's name is a path in the frame of one function: a parameter, a
 * register or a global, then offsets, indices and loads.  A summary says for
 * each name how often the function acquired it in the balance (net) and how
 * deep it went below its entry (low), and what it may have released; a few
 * return-value cases keep trylock and release-on-failure apart.  Summaries go
 * up the call graph; what is held at entry comes down it. */
#ifndef CONC_LOCK_H
#define CONC_LOCK_H

#include "conc/threads.h"

typedef u32 PathId; /* an interned symbolic address in a function's frame */
typedef u32 RelId;  /* an interned relative lock state */
typedef u32
    LocksetId; /* an interned set of (name, mode, count), in the frame of an instance; 0: none held */
typedef u32 GuardId; /* an interned set of guard facts of an access; 0: none */

/* Is the memory at all slots of addr in inst never written once another
 * thread can see it?  Then a path through it names one thing. */
typedef bool (*StableFn)(const void *ctx, InstId inst, Val addr, u32 bytes);

typedef struct Locks Locks;

/* What the threads alone say. */
Locks *locks_new(Arena *a, const Threads *t);
/* Computes the summaries of all instances, callees first.  recurring: see recur.h; kept. */
void locks_solve(Locks *l, const Set *recurring, StableFn stable, const void *ctx);

/* The relative state just before ins in inst. */
RelId locks_before(const Locks *l, InstId inst, InsId ins);
/* What is held at a point with state rel, when entry was held at inst's start. */
LocksetId locks_held(Locks *l, InstId inst, LocksetId entry, RelId rel);
/* held (in the caller's frame, before the call) as the callee names it. */
LocksetId locks_enter(Locks *l, const Edge *call, LocksetId held);
/* Is the single lock at slot a member of held? */
bool locks_has(const Locks *l, LocksetId held, SlotId slot);
LocksetId locks_meet(Locks *l, LocksetId x, LocksetId y);

/* The guard facts of an access of size bytes (0: unknown) at addr, with held
 * locks: facts about one single lock object, and relations of cell and lock. */
GuardId locks_guard(Locks *l, InstId inst, InsId ins, Val addr, u64 size, LocksetId held);

/* The same guard, and what init.h says of classes there. */
GuardId locks_guard_inits(Locks *l, InstId inst, GuardId guard, const Set *inits);

/* The same guard, and that a flag has one of its own values there, which none
 * of those in others is: both as flag.h counts them. */
GuardId locks_guard_flag(Locks *l, InstId inst, GuardId guard, SlotId flag, u32 own, u32 others);
/* The same guard, and that the access stays within an extent (distinct.h) of the
 * slot's object, which shares no byte with the other one. */
GuardId locks_guard_extent(Locks *l, InstId inst, GuardId guard, SlotId slot, u32 own, u32 other);
/* The same guard, and that the access is of a local variable of its own thread's
 * calls (frame.h), such as the one at slot. */
GuardId locks_guard_frame(Locks *l, InstId inst, GuardId guard, SlotId slot);
/* The same guard, and that the access is of what its thread's instance has for itself (region.h). */
GuardId locks_guard_region(Locks *l, InstId inst, GuardId guard, SlotId slot);
/* Does some single lock keep apart who holds x from who holds y? */
bool locks_apart(const Locks *l, LocksetId x, LocksetId y);

/* The facts of a guard, as fact * 2 + (exclusive ? 1 : 0). */
const Set *locks_facts(const Locks *l, GuardId g);
/* Does the fact count wherever the two cells are, or only in one slot? */
bool locks_fact_anywhere(const Locks *l, u32 fact);

/* The fact that excludes who has this one, whatever else he has; 0 none. */
u32 locks_fact_opposite(const Locks *l, u32 fact);

/* Why two accesses cannot overlap in time.  same_slot: the two cells' slots
 * are one, with a stride that is 0 or at least the accesses' extent; only then
 * do relations count.  Returns false if nothing excludes them; else sets *why
 * to the fact (for locks_fact_name). */
bool locks_exclude(const Locks *l, GuardId x, GuardId y, bool same_slot, u32 *why);

/* For reports: the locks held, as the programmer writes them. */
typedef struct HeldLock {
	const char *name; /* "c->lock", "stats_lock" */
	LockMode mode;
	SlotId slot; /* the single lock object, 0 if it is not one */
	SrcId at;    /* where it was acquired, 0 unknown */
	bool turn;   /* no lock: what is started there runs one at a time */
	InstId by;   /* of a side of a race: the frame that took it; 0 unknown */
	Val value;   /* the register that leads to it, so many bytes before it; 0 none */
	i64 off;
	TypeId in; /* the struct that it is a member of; 0 unknown, or none */
} HeldLock;
u32 locks_list(Locks *l, InstId inst, LocksetId held, const HeldLock **out);
const char *locks_fact_name(const Locks *l, u32 fact, Arena *a);
/* Writes a register's value or address as C text: "c->lock", "tab[i].next". */
const char *locks_value_text(const Locks *l, InstId inst, Val v, Arena *a);
/* The same without the & of an address. */
const char *locks_value_name(const Locks *l, InstId inst, Val v, Arena *a);

/* Lowers an access's guard to what is certain: used where entries merge. */
u32 locks_count(const Locks *l, LocksetId held);

/* For RELAY's reason "conditional locking": in inst, before ins, some lock is held on some paths only. */
bool locks_conditional(const Locks *l, InstId inst, InsId ins);
/* May one of those be a lock of held, in whichever instance that is?  One of those before another
 * point, in another instance? */
bool locks_conditional_on(Locks *l, InstId inst, InsId ins, LocksetId held);
bool locks_conditional_alike(Locks *l, InstId inst, InsId ins, InstId other, InsId at);

#endif
