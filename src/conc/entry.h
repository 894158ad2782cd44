/* entry.h - in which states instances are entered.
 *
 * What holds at entry flows down the call graph: (thread, running, lockset,
 * fresh parameters), kept apart per instance up to a bound (design: Locks);
 * beyond it locksets and fresh sets intersect and running sets unite. */
#ifndef CONC_ENTRY_H
#define CONC_ENTRY_H

#include "conc/fresh.h"
#include "conc/lock.h"
#include "conc/flow.h"
#include "conc/order.h"

typedef struct Entry {
	InstId inst;
	ThreadId thread;
	OrderId order;
	LocksetId held;
	FreshMask fresh;
	bool dead; /* replaced by a wider one */
} Entry;

/* The entries of one instance and thread: how many are kept apart, and the one
 * that covers all others. */
typedef struct EntryGroup {
	u32 n, wide;
} EntryGroup;

typedef struct Entries {
	Arena *arena;
	const Threads *t;
	Order *order;
	Fresh *fresh;
	Locks *locks;  /* null: locksets stay empty */
	u32 max;       /* entries kept apart */
	Vec(Entry) at; /* from 1 */
	Intern known;
	Map group_of;
	Vec(EntryGroup) groups;
	Flows *flows;
	u32 merged;
	bool complete;
} Entries;

void entries_solve(Entries *e, Arena *a, const Threads *t, Order *o, Fresh *f, Locks *l, u32 max);

/* What is known just before an instruction, when its instance was entered by e. */
typedef struct Point {
	const Entry *entry;
	InsId ins;
	OrderId order;
} Point;

/* Calls visit for every reached instruction of the entry's instance, in block
 * order. */
void entries_walk(Entries *e, const Entry *entry, void (*visit)(void *, const Point *), void *ctx);
/* The locks held at a point. */
LocksetId entries_held(Entries *e, const Point *p);

#endif
