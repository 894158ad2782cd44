/* race_int.h - what the files of src/race share: units, classes, meetings.
 *
 * Counts and pairs are over *units*: an access instruction, or the reading
 * half of one that reads and writes in two places.  Many units behave alike,
 * and the program has far too many pairs of them to look at each, so accesses
 * are grouped first:
 *
 *	shape   the same slots and extent: which memory
 *	class   a shape, and all that a stage asks for (write, atomic, thread,
 *	        order, guards, fresh): the stages judge pairs of classes
 *	group   units with the same set of classes: the counts are sums of
 *	        products of group sizes, exact because each unit is in one group */
#ifndef RACE_RACE_INT_H
#define RACE_RACE_INT_H

#include "race/race.h"
#include "race/source.h"
#include "race/walk.h"

typedef struct Unit {
	InsId ins;
	u32 kind;  /* C memory 0; Java: a field or array kind */
	u32 flags; /* ACC_WRITE, ACC_ATOMIC, ACC_SECOND */
	bool reached;
	u32 group;
} Unit;

typedef struct Cell { /* a slot of a data object in a points-to set */
	ObjId obj;
	SlotId slot;
} Cell;

typedef struct Shape {
	u32 cells; /* index of a CellList */
	u64 size;
	bool writes; /* one of its classes does */
	VecU32 classes;
} Shape;

typedef Vec(Cell) CellList; /* sorted by object, then slot */

typedef struct AccClass {
	u32 shape;
	u32 kind;
	u32 flags; /* ACC_WRITE, ACC_ATOMIC, ACC_VOLATILE, ACC_FRESH, CLASS_* */
	ThreadId thread;
	OrderId order;
	GuardId guards;
	VecU32 accesses; /* in conc->accesses */
	VecU32 groups;
} AccClass;

enum {                          /* AccClass.flags, beside ACC_* */
       CLASS_READS = 1 << 16,   /* also a read-modify-write */
       CLASS_RELEASE = 1 << 17, /* atomic with that order */
       CLASS_ACQUIRE = 1 << 18,
       CLASS_OWN = 1 << 19 /* names a thread-local variable directly: its own thread's */
};

/* Two classes that no stage keeps apart, and where they meet. */
typedef struct Meeting {
	u32 x, y; /* classes */
	SlotId slot_x, slot_y;
	bool published; /* one side is fresh, but its publication is not ordered */
	u32 doubt;      /* how unsure at first sight: the surest are looked at first */
} Meeting;

typedef struct Races {
	const Conc *conc;
	const Ir *ir;
	const Pta *pta;
	const RaceOptions *opt;
	Arena *arena;
	RaceResult *result;
	Walk *walk;

	Vec(Unit) units; /* [unit], from 1 */
	Map unit_index;  /* ins * 2 + second -> unit */
	u32 *unit_of;    /* [access] */
	u32 *class_of;   /* [access] */

	Vec(CellList) cells;
	Vec(Shape) shapes;
	Vec(AccClass) classes; /* [class], from 1 */
	VecU32 *shapes_of;     /* [ObjId] */
	Vec(u32) group_sizes;  /* [group], from 1 */

	Map levels; /* map_pair(group, group) -> the furthest Stage that a pair of them reaches */
	Map memo_when;  /* parallel: (thread, order) pairs */
	Map when_index; /* (thread, order) -> id */
	Map memo_guard[2];
	Vec(Meeting) meetings;
	struct Publish *publish;
	struct Reasons *reasons;
} Races;

/* units.c: lists the units of the whole program and of each access. */
void units_build(Races *r);
/* Pairs of units that could conflict by kind and flags alone: every one, or
 * only reached ones.  In closed form. */
u64 units_pairs(const Races *r, bool reached);
/* Can two accesses with these flags conflict?  One writes, not both atomic. */
bool flags_conflict(u32 x, u32 y);

/* classes.c: groups the accesses into shapes, classes and groups. */
void classes_build(Races *r);
/* The cells of shape s in object o; *n may be 0. */
const Cell *shape_cells(const Races *r, u32 s, ObjId o, u32 *n);
/* Where two shapes share a byte of o: [1] in one and the same slot, apart from
 * any other element of it; [0] in any other way.  A slot of 0: nowhere. */
typedef struct Overlap {
	SlotId x[2], y[2];
} Overlap;
bool shapes_overlap(const Races *r, u32 s, u32 t, ObjId o, Overlap *at);

/* The first access of ins, or where it would be: they are sorted by instruction. */
u32 access_first(const Races *r, InsId ins);

/* stages.c: judges pairs of classes, counts, and lists meetings. */
void stages_run(Races *r);
bool classes_parallel(Races *r, u32 x, u32 y);
bool classes_excluded(Races *r, u32 x, u32 y, bool same_slot);

/* publish.c: is every publication of o ordered before what finds it? */
struct Publish *publish_new(Races *r);
bool publish_ordered(struct Publish *p, ObjId o);
/* The store and the load that are not; false if unknown code is to blame. */
bool publish_refuted_by(const struct Publish *p, ObjId o, u32 *store, u32 *load);

/* reason.c: why a pair of accesses that meets there may not be a real race. */
struct Reasons *reasons_new(Races *r);
u32 reasons_of(struct Reasons *rs, u32 a, u32 b, const Meeting *m);

/* pairs.c: from meetings to pairs with their rungs. */
void pairs_build(Races *r);
/* places.c: groups pairs into races, names them. */
void places_build(Races *r);
/* fingerprint.c: gives each race its id. */
void fingerprints_build(Races *r);

/* name.c: the name of size bytes at a slot, in a's memory; null if nothing in
 * the program names it. */
const char *place_name(const Races *r, SlotId slot, u64 size, Arena *a);
/* What the object is and, in *src, where it is declared or allocated. */
const char *place_made(const Races *r, ObjId obj, Arena *a, SrcId *src);

static inline const Access *
access_at(const Races *r, u32 i)
{
	return &r->conc->accesses.at[i];
}
static inline FnId
inst_fn(const Races *r, InstId i)
{
	return pta_inst(r->pta, i)->fn;
}

#endif
