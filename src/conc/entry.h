/* entry.h - in which states instances are entered.
 *
 * What holds at entry flows down the call graph: (thread, running, lockset,
 * fresh parameters), kept apart per instance up to a bound (design: Locks);
 * beyond it locksets and fresh sets intersect and running sets unite.  In a library
 * the same state is entered once for each call of the program that led there, up to
 * a bound: what is shown, and what is said to be held on the way, is that call's. */
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
	u32 from;  /* the entry that led here, an earlier one; 0: the thread starts here */
	u32 edge;  /* by that call, plus 1 */
	u32 use;   /* in a library: the last call out of the program's own code, plus 1; else 0 */
} Entry;

/* The entries of one instance and thread: how many are kept apart, and the one
 * that covers all others. */
typedef struct EntryGroup {
	u32 n, wide;
	u32 ways; /* how many differ from another in nothing but the use */
} EntryGroup;

/* Calls, the likeliest first; what ends the process last.  Those whose caller holds a lock that has
 * no name in the callee come behind others: where both lead to one state, the way without the
 * lock is the one that explains a race. */
typedef enum Standing {
	STANDING_MEANT,
	STANDING_LOCKED,
	STANDING_GUESSED,
	STANDING_ENDING,
	STANDINGS
} Standing;

/* Which instructions of a function a walk stops at. */
typedef enum SiteKind { SITE_CALL, SITE_TOUCH, SITE_SYNC, SITE_KINDS } SiteKind;
/* The sites of a block, in Sites.at. */
typedef struct SiteRun {
	BlockId block;
	u32 first, end;
} SiteRun;

typedef struct Sites {
	bool known;
	VecU32 at;         /* InsIds */
	Vec(SiteRun) runs; /* of blocks that have any, in reverse postorder */
} Sites;

/* Those of all functions, which have memory of their own: they are the same whatever is known at
 * entries. */
typedef struct EntrySites {
	Arena *arena;
	Sites *of[SITE_KINDS]; /* [FnId], found on first use */
} EntrySites;

EntrySites *entry_sites_new(Arena *a, const Pta *p);

typedef struct EntryCalls EntryCalls;

typedef struct Entries {
	Arena *arena;
	const Threads *t;
	Order *order;
	Fresh *fresh;
	Locks *locks;               /* null: locksets stay empty */
	u32 max;                    /* entries kept apart */
	const bool *ending, *guess; /* [edge], as in Conc */
	Vec(Entry) at;              /* from 1 */
	Intern known, uses;         /* states; states with uses */
	Map group_of;
	Vec(EntryGroup) groups;
	u32 walked;                  /* the entry that is being walked */
	Standing least;              /* of the calls that are followed now */
	Vec(Entry) later[STANDINGS]; /* what less likely calls lead to */
	EntryCalls *calls;           /* where they lead, while entries are found */
	EntrySites *sites;
	u32 merged;
	u32 ways;  /* entries that differ from another in nothing but the use */
	bool lost; /* some entries stand for other uses as well */
	bool complete;
} Entries;

/* How many states there are, whatever the uses. */
static inline u32
entries_states(const Entries *e)
{
	return e->at.n - e->ways;
}

typedef struct EntryInput {
	const Threads *t;
	Order *order;
	Fresh *fresh;
	Locks *locks;               /* or null */
	const bool *ending, *guess; /* [edge]; null: none is */
	u32 max;
	EntrySites *sites; /* shared by all */
	EntryCalls *calls; /* shared by those with the same threads, order and fresh */
} EntryInput;

/* What the likeliest calls lead to is found first, so that `from` goes back by such calls
 * wherever there are any. */
void entries_solve(Entries *e, Arena *a, const EntryInput *in);

/* What is known just before an instruction, when its instance was entered by e. */
typedef struct Point {
	const Entry *entry;
	InsId ins;
	OrderId order;
	u32 site; /* of the function's, from 0 */
} Point;

/* Calls visit for every reached instruction of the entry's instance that may call,
 * that touches memory, or that starts a thread or releases a lock, in block order. */
void entries_walk(Entries *e, const Entry *entry, SiteKind kind,
		  void (*visit)(void *, const Point *), void *ctx);
/* How many sites of a kind a function has. */
u32 entries_sites(Entries *e, FnId fn, SiteKind kind);
/* The locks held at a point. */
LocksetId entries_held(Entries *e, const Point *p);

#endif
