/* lock_int.h - relative lock states, shared by the lock_*.c files.
 *
 * A run of code changes how often a lock is held.  For one name and mode we
 * keep a lower bound of that change as an Eff: c times before becomes at least
 * max(c + add, floor) times after.  `add` is RELAY's net count; floor - add is
 * how deep the run went below its start.  Effs are closed under sequence, and
 * min is their join.  All there is:
 *
 *   acquire            (0, 1)       held once, however often it was before
 *   release            (ALL, 0)     not held
 *   acquire, recursive (1, 1)
 *   release, recursive (-1, 0)
 *   nothing            (0, 0)
 *
 * so a balanced pair under a held recursive lock is nothing, and lock, lock,
 * unlock of another is a release.
 *
 * One lock may have several names in a state: the slot of a single object, and
 * paths.  Each name is a lower bound by itself.  A release acts on its own
 * names as above and empties every other name that may be the same lock; names
 * that a state does not mention are left alone unless something that it
 * released, and did not take before or again, may be them (rel_rest): a counted
 * lock that is held as often as before is so by every name.  A lock that nobody
 * acquires for reading has no count in that mode. */
#ifndef CONC_LOCK_INT_H
#define CONC_LOCK_INT_H

#include "base/graph.h"
#include "conc/flow.h"
#include "conc/lock.h"
#include "conc/sign.h"
#include "conc/path.h"

/* ---- effects ------------------------------------------------------------ */

typedef struct Eff {
	int8_t add, floor;
} Eff;
enum { EFF_ALL = -16, EFF_MAX = 15 }; /* add of EFF_ALL: whatever was held is gone */

Eff eff_then(Eff first, Eff second);
static inline Eff
eff_min(Eff x, Eff y)
{
	return (Eff){MIN(x.add, y.add), MIN(x.floor, y.floor)};
}
static inline Eff
eff_max(Eff x, Eff y)
{
	return (Eff){MAX(x.add, y.add), MAX(x.floor, y.floor)};
}
static inline bool
eff_eq(Eff x, Eff y)
{
	return x.add == y.add && x.floor == y.floor;
}
static inline bool
eff_within(Eff x, Eff y) /* does y promise all that x does? */
{
	return x.add <= y.add && x.floor <= y.floor;
}

/* ---- names -------------------------------------------------------------- */

typedef enum NameKind {
	NAME_SLOT = 1, /* one concrete place: the same in every frame */
	NAME_PATH      /* in the frame of the function */
} NameKind;

typedef struct Name {
	u32 kind;
	u32 ref;     /* SlotId or PathId */
	SetId pts;   /* the slots it may be; 0: unknown */
	SetId cells; /* what the loads on its path read */
} Name;

static inline int
name_cmp(const Name *x, const Name *y)
{
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->ref < y->ref ? -1 : x->ref > y->ref;
}

/* ---- states ------------------------------------------------------------- */

/* RelName.flags. */
enum {
	REL_RELEASED = 1, /* a release of this name happened: others may be the same lock */
	REL_PARTIAL = 2,  /* held, or released, on some paths only */
	REL_LAST = 4      /* held by another acquisition than all names without this flag that are
			   * held: by the last of them, and counted apart */
};
typedef struct RelName {
	Name name;
	Eff eff[2]; /* by LockMode */
	u32 flags;
} RelName;

/* If reg's sign is in mask then `name` fared better: eff.  The state has the name too. */
typedef struct RelCond {
	u32 kind, ref; /* of the name */
	u32 reg;       /* 0: the value that the function returns */
	u8 mode, mask;
	Eff eff;
} RelCond;

typedef SignFact RelFact;

enum { REL_NAMES = 64, REL_CONDS = 16, REL_FACTS = 8 };

typedef struct Rel {
	u32 n, ncond, nfact; /* all sorted */
	SetId lost;          /* slots of released locks that have no name here */
	u32 all;             /* something was released that may be anything */
	u32 dead;            /* no run comes here; nothing else counts */
	RelName name[REL_NAMES];
	RelCond cond[REL_CONDS];
	RelFact fact[REL_FACTS];
} Rel;

enum { REL_DEAD = 0, REL_SAME = 1 }; /* RelIds: unreachable; nothing happened */

/* A state while an instance is solved: its bytes, whose memory the next one uses, and names. */
typedef struct RelPack {
	char *at; /* null: dead */
	u32 cap;
	u32 names; /* in Locks.namelists; 0 none */
} RelPack;

typedef struct LockSummary {
	RelId normal, thrown; /* at the two exits; conditions are on what it returns */
} LockSummary;

/* What one instance keeps: the states of its instructions, in their order.  None: no lock is
 * touched, everything is REL_SAME. */
typedef struct LockChange {
	InsId ins; /* from here on */
	RelId state;
} LockChange;
typedef Vec(LockChange) LockFlow;

/* A member of a lockset. */
typedef struct Held {
	Name name;
	u8 count[2]; /* by LockMode */
	u16 zero;
} Held;

typedef struct FactAt {
	InstId inst;
	u32 kind, ref; /* of the lock's name there; kind 0: the class */
} FactAt;

/* Where a lock object is acquired, and by which value. */
typedef struct Acquirer {
	InstId inst;
	Val v;
} Acquirer;

/* What locks_list found. */
typedef struct LockList {
	HeldLock *at;
	u32 n;
} LockList;

typedef struct PathOf {
	PathId path;
	SetId cells;
} PathOf;

/* A slot as bytes to intern. */
typedef struct SlotKey {
	u32 part[7];
} SlotKey;
static inline SlotKey
slot_key(const Slot *s)
{
	return (SlotKey){
	    {s->obj, s->stride, (u32)s->off, (u32)((u64)s->off >> 32), s->in, s->lo, s->end}};
}

typedef struct LockFields LockFields;

struct Locks {
	Arena *arena;
	Arena scratch;
	const Threads *threads;
	const Pta *pta;
	const Ir *ir;
	StableFn stable;
	const void *stable_ctx;
	Sccs sccs; /* of the calls */
	Paths paths;
	SetPool sets;
	Intern slot_index; /* SlotKey -> index in slot_of, from 1 */
	VecU32 slot_of;    /* SlotIds */
	ObjId *global_obj; /* [GlobalId] */
	Map path_memo;     /* (inst, reg) -> index in path_of */
	Vec(PathOf) path_of;
	PathOf *returned;   /* [InstId]: what it returns, in its own frame */
	u8 *returned_known; /* [InstId]: 1 being found, 2 found */
	LockFields *fields; /* null: not yet asked for; see lock_field.c */
	Map alias_memo;     /* two SetIds -> 1 no, 2 yes */
	u8 *sync;           /* [InstId]: touches a lock, itself or by calls */
	Set recurring;      /* slots of locks of which there is one at a time: recur.h */
	SetId read;         /* slots of locks that are acquired for reading somewhere */
	SetId *mod;         /* [InstId]: lock-path cells that it or its callees may store to */
	LockSummary *sum;   /* [InstId] */
	LockFlow *flow;     /* [InstId] */
	RelPack **solved;   /* [InstId]: the blocks' states when a cycle's member was solved last */
	size_t solved_bytes;
	Intern namelists; /* the names of those states, each list once */
	Arena naming;     /* of namelists */
	u32 *solved_at;   /* [InstId]: the step at which that was */
	u32 *changed_at;  /* [InstId]: the step at which its summary changed last */
	u32 step;         /* counts the members of cycles that were solved */
	Intern rels, locksets, facts;
	Map cfg_of; /* FnId -> index in cfgs plus 1 */
	Vec(struct Cfg *) cfgs;
	Map list_of; /* (inst, lockset) -> index in lists plus 1 */
	Vec(LockList) lists;
	Map acquired; /* SlotId -> where it is acquired plus 1, 1 if at several places */
	Set passed;   /* SlotIds that are held for good by who has passed there */
	Map acquirer; /* SlotId -> index in acquirers plus 1 */
	Vec(Acquirer) acquirers;
	Set turns;         /* SlotIds that stand for threads that run one at a time */
	Map up_memo;       /* (call, path of the callee) -> index in up_of plus 1 */
	Vec(PathOf) up_of; /* in the caller's words */
	Map slots_memo;    /* (inst, path) -> the slots there plus 1 */
	Map held_memo, enter_memo, meet_memo;
	Map bound_memo;      /* (first edge of a call, summary) -> that in the caller's words + 1 */
	SetPool guards;      /* sets of fact * 2 + (exclusive ? 1 : 0) */
	Map starts;          /* ObjId -> the slot at its start; see lock_guard.c */
	Vec(FactAt) fact_at; /* [fact id]: where it came up first, for its name */
};

/* lock_pack.c, lock_rel.c: states and their algebra.  `out` may not be an argument. */
void rel_same(Rel *r);
void rel_copy(Rel *to, const Rel *from);
/* Something with these slots was released that has no name; 0: anything. */
void rel_lose(Locks *l, Rel *r, SetId pts);
/* What counts of r is kept in scratch memory; r is not dead. */
void rel_put(Locks *l, RelPack *to, const Rel *r);
void rel_take(const Locks *l, const RelPack *from, Rel *out);
/* Is x the state r? */
bool rel_is(const Locks *l, const RelPack *x, const Rel *r);
/* The states of all blocks of an instance, [n], which solved_bytes counts: their size; given back; kept
 * until it is solved again, while there is room. */
size_t states_bytes(const RelPack *in, u32 n);
void states_drop(Locks *l, InstId inst, RelPack *in, u32 n);
void states_keep(Locks *l, InstId inst, RelPack *in, u32 n);
/* Between two components: nothing is in use but what is kept. */
void states_begin(Locks *l);
/* The same with those that stay. */
RelId rel_intern(Locks *l, const Rel *r);
void rel_get(const Locks *l, RelId id, Rel *out);
/* Does the state mean the same in every frame? */
bool rel_everywhere(const Locks *l, RelId id);
/* Is as much held of x's lock as before?  Then also of every other name for it:
 * each counts the same lock. */
bool rel_keeps(const RelName *x);
/* What r does to a name that it does not mention. */
Eff rel_rest(Locks *l, const Rel *r, const Name *name);
/* What r does to name in a mode. */
Eff rel_eff(Locks *l, const Rel *r, const Name *name, LockMode mode);
RelName *rel_find(Rel *r, u32 kind, u32 ref);
/* Adds name with no effect if it is new; null if there is no room. */
RelName *rel_add(Locks *l, Rel *r, const Name *name);
void rel_remove(Locks *l, Rel *r, u32 i);
/* Removes what says nothing. */
void rel_tidy(Locks *l, Rel *r);
/* first, then second, whose conditions on the returned value become conditions on dst. */
void rel_then(Locks *l, Rel *out, const Rel *first, const Rel *second, Val dst);
/* x or y. */
void rel_join(Locks *l, Rel *out, const Rel *x, const Rel *y);
/* reg is defined anew. */
void rel_kill(Locks *l, Rel *r, Val reg);
/* reg's sign is in mask: settles conditions. */
void rel_learn(Rel *r, Val reg, u32 mask);
u32 rel_known(const Rel *r, Val reg);
void rel_add_cond(Rel *r, RelCond c);
void rel_add_fact(Rel *r, Val reg, u32 mask);
/* Leaves what means something to callers. */
void rel_leave(Locks *l, Rel *r);
/* A lock was acquired, and is counted.  If others are held that may be the same, it is held by
 * another acquisition than they. */
void rel_mark_last(Locks *l, Rel *s, const Name *names, u32 n);
/* One acquisition was taken back, of a lock that was held, and is counted.  What another
 * acquisition holds is held as before, also if it is of the same lock. */
void rel_keep_apart(Rel *s, const Rel *before, u32 last, const Name *names, u32 n);

/* lock_name.c: names in instances. */
bool locks_alias(Locks *l, const Name *x, const Name *y);
bool locks_sets_alias(Locks *l, SetId x, SetId y);
/* The path of v in inst and what its loads read. */
PathOf locks_path(Locks *l, InstId inst, Val v);
/* lock_field.c: what lies at an address, by the shortest way that leads there. */
PathId locks_deref(Locks *l, PathId address, u32 bytes);
/* The names of the lock at address v; returns how many, at most 2. */
u32 locks_names(Locks *l, InstId inst, Val v, Name out[2]);
/* The names, in the caller, of what the callee names so; 0: none. */
u32 locks_names_up(Locks *l, const Edge *call, const Name *name, Name out[2]);
/* The same downwards. */
u32 locks_names_down(Locks *l, const Edge *call, const Name *name, Name out[2]);
/* The one place that a set of slots stands for, or 0. */
SlotId locks_single(const Locks *l, const Set *pts);
/* Fills *out with the slots at path in inst; false if they are unknown. */
bool locks_slots_at(Locks *l, InstId inst, PathId path, Set *out);
/* The same as an interned set, kept; 0 if they are unknown. */
SetId locks_slots(Locks *l, InstId inst, PathId path);

/* lock.c: the members of a lockset, sorted by name. */
u32 locks_members(const Locks *l, LocksetId id, Held out[REL_NAMES]);

/* lock_text.c: the place at a path in inst's frame, and a slot, as C text. */
const char *locks_place_text(const Locks *l, InstId inst, PathId path, Arena *a);
const char *locks_slot_text(const Locks *l, SlotId s, Arena *a);
/* The class of the objects that path leads to, without its package; null if it is no class. */
const char *locks_class_at(Locks *l, InstId inst, PathId path, Arena *a);
/* The struct that the lock at path is a member of, as far as the function says; 0 unknown. */
TypeId locks_struct_of(Locks *l, InstId inst, PathId path);
/* Is inst a thread that a model's `fork ... holding` starts? */
bool locks_is_turn(const Locks *l, InstId inst);

/* lock_bind.c: names what s says of locks within v, which inst returns, by way of the result. */
void lock_give(Locks *l, InstId inst, Rel *s, Val v);
/* The summary of a target in the caller's words, which depend on the call alone.
 * One that only names places is the same in every frame. */
RelId lock_bound(Locks *l, const Edge *call, RelId sum);

/* lock_flow.c: one instance, from its callees' summaries. */
typedef enum FlowUse {
	FLOW_ONCE,  /* only its summary is wanted */
	FLOW_KEEP,  /* its flow is stored, too */
	FLOW_AGAIN, /* it may have to be solved again; what is said is new since it was last */
	FLOW_LAST   /* its flow is stored; nothing has changed below since it was solved last */
} FlowUse;
LockSummary lock_flow(Locks *l, InstId inst, FlowUse use);

/* lock_mod.c: fills l->sync, and then l->mod; s are the components of the calls. */
void lock_sync(Locks *l, const Sccs *s);
void lock_mod(Locks *l, const Sccs *s);

/* lock_chosen.c: how the number of the lock is computed from that of the cell, by which the
 * access of inst is guarded; 0 if it is not. */
u64 locks_chosen(Locks *l, InstId inst, InsId access, PathId cell_index, PathId lock_index);

#endif
