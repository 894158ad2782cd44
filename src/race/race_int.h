/* race_int.h - what the files of src/race share: units, contexts, shapes.
 *
 * Counts and pairs are over *units*: an access instruction, or the reading
 * half of one that reads and writes in two places.  Many units behave alike,
 * and the program has far too many pairs of them, or of their accesses, to
 * look at each.  So accesses are split into where and how:
 *
 *	shape    the same slots and extent: which memory
 *	foot     the part of shapes that lies in one object; feet that overlap
 *	         make their shapes neighbours
 *	ctx      all else that a stage asks for (write, atomic, fresh, when,
 *	         guards), where what no stage can tell apart is one
 *	bundle   a shape with the set of ctxs in which a unit touches it
 *	group    units with the same bundles
 *
 * The stages judge sets of ctxs by bit sets, once for each pair of sets.  The
 * counts are sums of products of group sizes, exact because each unit is in
 * one group. */
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
	u32 access, naccess; /* in conc->accesses */
} Unit;

typedef struct Cell { /* a slot of a data object in a points-to set */
	ObjId obj;
	SlotId slot;
} Cell;

typedef Vec(Cell) CellList; /* sorted by object, then slot */

typedef struct Near {
	u32 foot;
	bool other; /* not only in one and the same slot */
} Near;

/* The shapes that feet meet, [Near.other]: the same for many, as what is mixed up is so everywhere. */
typedef struct Neighbours {
	Set shapes[2];
	u32 gathered, variants; /* for which shape last, and bits of the variants as which */
} Neighbours;

/* The cells of one object that a shape has, with the extent. */
typedef struct Foot {
	ObjId obj;
	u64 size;
	const Cell *cells;
	u32 ncell;
	bool writes; /* some access does */
	Set shapes;
	u32 id;         /* of the set of shapes */
	Vec(Near) near; /* the feet that it overlaps, itself too, where one of both writes */
	Neighbours *neighbours; /* found on first use, while the stages run */
} Foot;

typedef struct Shape {
	u32 cells; /* index of a CellList */
	u64 size;
	VecU32 feet; /* by object */
	VecU32 bundles;
	Set ctxs;        /* of all its accesses */
	Set *neighbours; /* [Variant] of shapes, found on first use, while the stages run */
} Shape;

typedef struct Ctx {
	u32 kind;
	u32 flags; /* ACC_WRITE, ACC_ATOMIC, ACC_FRESH, CTX_* */
	u32 when;  /* thread and order */
	u32 guard;
	u32 family; /* of cells that instances of a thread do not share; 0 none */
} Ctx;

/* Ctx.flags, beside ACC_*. */
enum {
	CTX_READS = 1 << 16,   /* also a read-modify-write */
	CTX_RELEASE = 1 << 17, /* atomic with that order */
	CTX_ACQUIRE = 1 << 18,
	CTX_OWN = 1 << 19 /* names a thread-local variable directly: its own thread's */
};

typedef struct Bundle {
	u32 shape;
	SetId ctxs;
	VecU32 groups;
} Bundle;

typedef struct Group {
	VecU32 units, bundles;
	Set racing; /* the groups with which no stage keeps it apart */
	u32 doubt;
} Group;

/* How two shapes meet, as far as a stage asks: 0 where memory is not shared;
 * else VARIANT_SHARED plus bits. */
typedef u32 Variant;
enum {
	VARIANT_SHARED = 1,
	VARIANT_COUNT = VARIANT_SHARED + 8,
	/* the bits */
	MEET_OTHER = 1,     /* not only in one and the same slot */
	MEET_ORDERED_X = 2, /* the publication of the first side's object is ordered */
	MEET_ORDERED_Y = 4
};

/* Two accesses that no stage keeps apart, and where they meet. */
typedef struct Meeting {
	u32 shape_x, shape_y, ctx_x, ctx_y;
	SlotId slot_x, slot_y;
	bool published; /* one side is fresh, but its publication is not ordered */
	bool vague;     /* meet_vague of the slots */
	u32 doubt;      /* how unsure at first sight: the surest are looked at first */
	u32 making;     /* of equally sure ones those with the fewest sides in a constructor */
} Meeting;

typedef struct Races {
	const Conc *conc;
	const Ir *ir;
	const Pta *pta;
	const RaceOptions *opt;
	Arena *arena;
	RaceResult *result;
	Walk *walk;
	struct Slips *slips;

	u8 *ops;         /* [InsId]: its op, of which many ask all instructions: 0 in no function */
	Vec(Unit) units; /* [unit], from 1 */
	u32 *unit_at;    /* [ins * 2 + second]: unit; 0 none */
	u32 *unit_of;    /* [access] */
	u32 *shape_of;   /* [access] */
	u32 *ctx_of;     /* [access] */
	u8 *far;         /* [access]: FAR_*; 0 not asked */
	u8 *library;     /* [access]: is it in a library: use.c, plus 1; 0 not asked */
	VecU32 *writes;  /* [InstId]: its writing accesses */

	Vec(CellList) cells;
	Vec(Shape) shapes;         /* [shape], from 1 */
	Vec(Foot) feet;            /* [foot], from 1 */
	ObjId *foot_obj;           /* [foot]: its object: what is asked of most feet */
	VecU32 *feet_of;           /* [ObjId] */
	u64 *rows;                 /* [Variant] of bits of shapes, all 0 between uses */
	Arena stages;              /* what nobody needs once the stages are run; there: */
	Intern near_sets;          /* (Near.other, set of shapes) of all that a foot is near */
	Vec(Neighbours *) near_of; /* [of near_sets - 1] */
	VecU32 near_key;
	Map first_of;        /* (shape, ctx) -> the first such access, plus 1 */
	Vec(Bundle) bundles; /* [bundle], from 1 */
	Vec(Group) groups;   /* [group], from 1 */

	struct Contexts *contexts;
	struct Publish *publish;
	struct Reasons *reasons;
	struct Uses *uses;
	struct SiteLocks *site_locks;
	struct Notes *notes;
	Map harm_of; /* InsId of a read -> harm plus 1 */
	u8 *making;  /* [access]: does it lie in a constructor, plus 1; 0 not asked: meet.c */
} Races;

/* units.c: lists the units of the whole program and of each access. */
void units_build(Races *r);
/* Pairs of units that could conflict by kind and flags alone: every one, or
 * only reached ones.  In closed form. */
u64 units_pairs(const Races *r, bool reached);
/* Can two accesses with these flags conflict?  One writes, not both atomic. */
bool flags_conflict(u32 x, u32 y);

/* context.c: what accesses have in common apart from the memory they touch. */
struct Contexts *contexts_new(Races *r);
u32 context_of(struct Contexts *cs, const Access *a, u32 kind, u32 flags);
const Ctx *context_get(const struct Contexts *cs, u32 ctx);
/* Interns a set of ctxs. */
SetId contexts_set(struct Contexts *cs, const Set *s);
const Set *contexts_get(const struct Contexts *cs, SetId id);
/* The furthest stage that some ctx of x reaches with some of y where they meet
 * like that; 0: none even conflicts. */
Stage contexts_stage(struct Contexts *cs, SetId x, SetId y, Variant v);
/* [SetId]: what is known of x with each other set, for known_stage; null: there are too
 * many sets for that. */
const u32 *contexts_known(struct Contexts *cs, SetId x);
/* The stage, plus 1; 0: it has not been asked for. */
static inline u32
known_stage(u32 known, Variant v)
{
	return known >> v * 3 & 7;
}
/* Does the pair of ctxs pass all stages? */
bool contexts_race(struct Contexts *cs, u32 x, u32 y, Variant v);
/* The ctxs that may read, with nothing that orders the two, what ctx x wrote
 * where they meet like that. */
const Set *contexts_finding(struct Contexts *cs, u32 x, Variant v);

/* shapes.c: which memory accesses touch, and where two of them overlap. */
struct ShapeBuilder *shapes_begin(Races *r);
u32 shape_of(struct ShapeBuilder *b, const Access *a);
/* Once all shapes are known, and which of them are written. */
void shapes_end(Races *r);
/* [Variant]: the shapes that s meets like that, once publication is decided; in r->stages. */
const Set *shape_neighbours(Races *r, u32 s);
/* Where two feet of one object share a byte: [1] in one and the same slot,
 * apart from any other element of it; [0] in any other way.  A slot of 0:
 * nowhere. */
typedef struct Overlap {
	SlotId x[2], y[2];
} Overlap;
bool feet_overlap(const Races *r, const Foot *x, const Foot *y, Overlap *at);
/* Calls visit for each object in which the shapes overlap, in order, until it
 * returns false. */
typedef bool (*OverlapFn)(void *ctx, ObjId o, const Overlap *at);
void shapes_overlap(const Races *r, u32 s, u32 t, OverlapFn visit, void *ctx);
/* How the feet of an object meet there. */
Variant variant_at(const Races *r, ObjId o, bool other);
/* The cell that stands for a shape where aliasing is not looked at: one that
 * could escape, if any. */
Cell shape_stand_in(const Races *r, u32 s);

/* How two shapes meet where aliasing is not looked at. */
Variant variant_anywhere(const Races *r, u32 s, u32 t);

/* groups.c: makes shapes, contexts, bundles and groups of the accesses. */
void groups_build(Races *r);
/* The first access of ins, or where it would be: they are sorted by instruction. */
u32 access_first(const Races *r, InsId ins);

/* stages.c: judges pairs of groups and counts. */
void stages_run(Races *r);

/* meet.c: the surest meetings of two groups that race, at most max; the surest
 * first. */
u32 meetings_of(Races *r, u32 g, u32 h, Meeting *out, u32 max);
/* How unsure a shape is at first sight, wherever it is met. */
u32 shape_doubt(const Races *r, u32 s);
/* Is one of two slots of an object all of it, since it has too many places? */
bool meet_vague(const Races *r, SlotId x, SlotId y);

/* publish.c: is every publication of o ordered before what finds it?  Answered
 * for the objects that some access knows as fresh. */
struct Publish *publish_new(Races *r);
bool publish_ordered(const struct Publish *p, ObjId o);
/* The store and the load that are not; false if unknown code is to blame. */
bool publish_refuted_by(const struct Publish *p, ObjId o, u32 *store, u32 *load);

/* freeze.c: is what o's maker writes to it before it is published written before
 * the end of the constructor ctor, which stores o into a final field, and does
 * everybody else only read it?  For the objects given. */
struct Freeze *freeze_new(Races *r, const VecU32 *objs);
bool freeze_orders(struct Freeze *f, ObjId o, InstId ctor);

/* reason.c: why a pair of accesses that meets there may not be a real race. */
struct Reasons *reasons_new(Races *r);
u32 reasons_of(struct Reasons *rs, u32 a, u32 b, const Meeting *m);
/* Does the access's thread come there only by ways that are not meant: reason_way.c? */
bool reason_astray(struct Reasons *rs, u32 access);

/* prepare.c: is it done before threads are started by the same function, or by the main thread before its callers
 * do?  forking: functions that fork. */
bool sets_up(const Races *r, const Set *forking, const Unit *u);

/* slip.c: of two accesses of a member that has a lock, does one hold it and the other not? */
struct Slips *slips_new(Races *r);
bool slips(struct Slips *s, u32 a, u32 b);
/* May that be, of some accesses of these units? */
bool slips_may(const struct Slips *s, u32 ux, u32 uy);
/* Which one does not, 1 or 2; 0: neither. */
u32 slips_side(struct Slips *s, u32 a, u32 b);
/* Is it the lock of what one pointer leads to, which both were given? */
bool slips_behind(struct Slips *s, u32 a, u32 b);
/* Units that do not hold it, each with some that do. */
void slips_list(struct Slips *s, void (*list)(void *ctx, u32 unit, u32 other), void *ctx);
/* The same of what a pointer leads to: only in some of their contexts. */
void slips_list_behind(struct Slips *s, void (*list)(void *ctx, u32 unit, u32 other), void *ctx);

/* note.c: what people say of the program. */
struct Notes *notes_new(Races *r);
/* That the two never run at once; that no two threads use it at once; that its
 * class is not for sharing. */
bool notes_apart(struct Notes *n, const Access *a, const Access *b);
bool notes_local(struct Notes *n, SlotId slot, u64 size);
bool notes_confined(struct Notes *n, SlotId slot);
/* Are both accesses a library's own, to an object that its documentation lets threads share? */
bool notes_safe(struct Notes *n, SlotId slot, const Access *x, const Access *y);
/* What the annotations of a field or its class promise, which a race there breaks;
 * null: nothing.  p: its best pair. */
const char *notes_said(struct Notes *n, SlotId slot, const Pair *p);

/* list.c: lists the pairs of each stage, if that is asked for. */
void list_build(Races *r);

/* site_lock.c: locks by allocation site. */
struct SiteLocks *site_locks_new(Races *r);
/* What is held at the access; 0: nothing. */
SetId site_locks_at(struct SiteLocks *l, const Access *a);
/* The same as facts of a guard: guards.h. */
void site_locks_facts(struct SiteLocks *l, SetId x, Set *out);
/* Is the lock an object of a class that leads to o? */
bool site_locks_owns(struct SiteLocks *l, ObjId lock, ObjId o);
/* What is held, and by the caller at that call. */
SetId site_locks_with(struct SiteLocks *l, SetId held, InstId inst, InsId call);
/* Do all callers of inst hold a lock that is, or lies in, such an object? */
bool site_locks_enters(struct SiteLocks *l, InstId inst, ObjId o);
/* Is such a lock in both?  self: one of an object that is not told apart from o counts. */
bool site_locks_owner(struct SiteLocks *l, SetId x, SetId y, ObjId o, bool self);

/* use_made.c: is the value that x's call is on, if it is o, made by a call just before? */
bool use_made(const Races *r, const Use *x, Val on, ObjId o);
/* Is it one that the function has made, and o that or a part that the library has made for it? */
bool use_just_made(const Races *r, const Use *x, Val on, ObjId o);

/* use.c: accesses in a library, as calls of the program. */
struct Uses *uses_new(Races *r);
bool use_is_library(const Races *r, u32 access);
/* The call that led to the access; null: there is none, or it is the program's own. */
const Use *use_of(struct Uses *u, u32 access);
/* Is one of the accesses in a library, and was not called by the program? */
bool uses_nowhere(struct Uses *u, u32 a, u32 b);
/* Are both in a library, on something of its own making, called on objects that have nothing to do with
 * each other? */
bool uses_apart(struct Uses *u, u32 a, u32 b, ObjId o);
/* The object on which both calls are; 0: none. */
ObjId use_common(struct Uses *u, u32 a, u32 b);
/* On how many sides the program's call is on that object by a field or variable of its own. */
u32 use_named(struct Uses *u, const Pair *p, ObjId used);
/* What the first pair that has a name for it calls it; null: nothing. */
const char *use_name(struct Uses *u, const Pair *p, u32 n, ObjId used);

/* far.c: does the access lie in the making or end of an object, and how many calls of the
 * program's own lead to it? */
typedef struct Far {
	u32 making, calls;
} Far;
enum { FAR_CALLS = 31, FAR_MAKING = 1 << 5, FAR_KNOWN = 1 << 6 }; /* how it is kept */
u8 far_look(const Races *r, u32 access);
static inline Far
far_of(const Races *r, u32 access)
{
	u8 far = r->far[access] ? r->far[access] : far_look(r, access);

	return (Far){(far & FAR_MAKING) != 0, far & FAR_CALLS};
}

/* pairs.c: from meetings to pairs with their rungs. */
void pairs_build(Races *r);
/* exhaust.c: takes pairs out that no schedule of a small program has. */
void exhaust_pairs(Races *r);
/* places.c: groups pairs into races, names them. */
void places_build(Races *r);
/* harm.c: the worst that a race with these pairs could do. */
Harm race_harm(Races *r, const Pair *pairs, u32 n);
/* near.c: finds the locks that are held at most accesses of each race. */
void near_build(Races *r);
/* What tells a lock from others, in whichever function it is named; "" for
 * none. */
const char *lock_key(const Races *r, const HeldLock *l);
/* cause.c: groups races by what would fix them. */
void causes_build(Races *r);
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
static inline Op
op_at(const Races *r, InsId i)
{
	return (Op)r->ops[i];
}
static inline FnId
inst_fn(const Races *r, InstId i)
{
	return pta_inst(r->pta, i)->fn;
}

#endif
