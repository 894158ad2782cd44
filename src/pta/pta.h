/* pta.h - points-to sets and the call graph, solved together.
 *
 * The unit of analysis is an instance: a function in a context.  Which
 * contexts there are is the policy's choice; all later analyses work on
 * instances and never ask.  Values point to slots: a slot is a set of byte
 * offsets of one abstract object:
 *	exactly off (stride 0);
 *	all of off + k * stride that lie in the object (0 <= off < stride; stride 1
 *	is the whole object);
 *	with an end, those of an array within it: off + k * stride < end, and
 *	lo <= off < lo + stride, where lo is the start of the array;
 *	with an end and `in`, the arrays in the elements of an array: off + j * in
 *	< end, + k * stride.
 * Java's fields are slots whose offset is the FieldId.
 *
 * May-information: pts(v) holds every object that v may point to, unless v
 * points into memory that only unknown code knows, which the object of kind
 * OBJ_EXTERN stands for. */
#ifndef PTA_PTA_H
#define PTA_PTA_H

#include "base/set.h"
#include "ir/ir.h"

typedef u32 InstId, ObjId, SlotId, CtxId;

typedef enum ObjKind {
	OBJ_NONE,
	OBJ_GLOBAL, /* ref: GlobalId; constants without pointers in them are one object, ref any of them */
	OBJ_STACK,  /* ins in inst */
	OBJ_HEAP,   /* ins in inst */
	OBJ_FN,     /* ref: FnId: a function's address */
	OBJ_THREAD, /* ins (a fork) in inst: what a thread handle points to */
	OBJ_SELF,  /* ins (NONDET_SELF) in inst: what a handle of a thread that runs it points to */
	OBJ_CLASS, /* ref: ClassId */
	OBJ_VALUE, /* ref: ClassId: all objects of that class, or (by_class) all that libraries make */
	OBJ_EXTERN /* memory that only unknown functions know; one object */
} ObjKind;

typedef struct Obj {
	u8 kind;
	bool tls;    /* a thread-local global: one object in each thread */
	bool folded; /* had too many slots: all of them became stride 1 */
	bool
	    vague; /* had too many: what it holds is not told apart, nor are places that its type does not have */
	bool empty; /* an array without elements: nothing is at offset 0 */
	u32 ref;
	InsId ins;
	InstId inst; /* where it is made; 0 for globals and functions */
	TypeId type; /* 0 unknown */
	u64 size;    /* bytes; 0 unknown */
} Obj;

typedef struct Slot {
	ObjId obj;
	u32 stride;
	i64 off;
	u32 in, lo, end; /* 0 unless it lies in an array that is a member */
} Slot;

typedef struct Inst {
	FnId fn;
	CtxId ctx;
	u32 node;            /* register r's points-to node is node + r */
	u32 edge, nedge;     /* outgoing: pta_edge(edge .. edge + nedge), by ins, then callee */
	u32 caller, ncaller; /* incoming: indices of edges in pta_caller */
} Inst;

/* A call or fork that may run `to`. */
typedef struct Edge {
	InstId from, to;
	InsId ins;
	bool fork;
	bool assumed; /* unknown code that ins runs may call it back; or ins does, by a type that
			 does not fit, though unknown code was given it */
} Edge;

typedef enum PtaPolicy {
	PTA_AUTO, /* OBJECT if there are classes; else call strings where they pay: small programs,
		     wrappers of alloc, fork and join */
	PTA_INSENSITIVE, /* one instance per function */
	PTA_CALLSITE,    /* call strings of length k everywhere */
	PTA_OBJECT       /* methods by the allocation site of their receiver, and k - 1 more */
} PtaPolicy;

typedef struct PtaOptions {
	PtaPolicy policy;
	u32 k;
	u32 max_slots; /* of one object before it folds; 0: default */
	u32 max_insts; /* before AUTO and OBJECT stop cloning; 0: default */
	u32 pays;      /* AUTO gives contexts up at so many instances; 0: default */
	u64 max_work;  /* Java: an attempt that takes more is in vain; 0: any */
	u32 max_words; /* words of a set before its pointer is one of the crowd; 0: default */
	bool unify;    /* cheaper and coarser: crowd.c */
	bool parts; /* objects: what a class nested in the maker's is made of comes on top of k */
	bool by_field;  /* Java: what fields hold is not told apart by object: field.c */
	bool by_class;  /* Java: what a library makes is told apart by class, not by place */
	bool hierarchy; /* virtual calls run what the classes allow, whatever the receivers are */
} PtaOptions;

typedef struct Pta {
	const Ir *ir;
	Arena *arena;
	InstId root;
	Vec(Obj) objs;         /* [ObjId] */
	Vec(Slot) slots;       /* [SlotId]; those of no object are none */
	Vec(Inst) insts;       /* [InstId] */
	Vec(Edge) edges;       /* sorted by from, ins, to */
	VecU32 callers;        /* edge indices, sorted by to */
	struct Solver *solver; /* nodes and sets: pta_int.h */
	bool complete;         /* false: the memory limit stopped it; nothing is excluded then */
	u32 folded;            /* objects that folded */
	u32 widened;           /* calls in a context that there was no room for */
	bool crowded;          /* pointers to too many places are not told apart */
	bool by_field;         /* fields of Java objects are not told apart by object: field.c */
	bool by_class;         /* what a library makes is told apart by class, not by place */
	bool typed;            /* an object was left out where another type is accessed: typed.c */
	bool named;            /* unknown code was taken not to touch a field: escape.c */
	bool strict; /* a call through a pointer of another type was left out: signature.c */
	bool cut;    /* so much unknown code that not all its calls back are edges */
} Pta;

/* Solves for everything reachable from root.  All memory is a's. */
Pta *pta_solve(Arena *a, const Ir *ir, FnId root, const PtaOptions *opt);

/* The slots that v may point to in inst; never null. */
const Set *pta_pts(const Pta *p, InstId inst, Val v);
/* Is v one of the pointers to so many places that they are not told apart (crowd.c)? */
bool pta_crowded(const Pta *p, InstId inst, Val v);
/* The slots that a pointer stored at `at` may point to (all overlapping cells). */
void pta_contents(const Pta *p, SlotId at, Arena *a, Set *out);
/* The same for a pointer stored anywhere in that many bytes from there. */
void pta_range_contents(const Pta *p, SlotId at, u64 bytes, Arena *a, Set *out);
/* The same for a pointer stored anywhere in o. */
void pta_held(const Pta *p, ObjId o, Arena *a, Set *out);
/* The same in parts, which objects share: numbers of sets of slots, and each of these. */
void pta_parts(const Pta *p, ObjId o, Arena *a, Set *parts);
const Set *pta_part(const Pta *p, u32 part);
/* Is that function's address stored at no more than one place of o, which nobody unknown can reach? */
bool pta_held_once(const Pta *p, ObjId o, FnId fn);
/* The outgoing edges of one instruction; *n may be 0. */
const Edge *pta_targets(const Pta *p, InstId inst, InsId ins, u32 *n);
/* The call that inst, of C, was made for: its only one, if its function has other instances too,
 * or is the body of a model; else null. */
const Edge *pta_made_for(const Pta *p, InstId inst);

/* Do size_a bytes at some offset of a and size_b bytes at some offset of b
 * share a byte?  Size 0 means: to the end of the object. */
bool pta_overlap(const Pta *p, SlotId a, u64 size_a, SlotId b, u64 size_b);
/* The same of what lies `off` bytes behind a. */
bool pta_overlap_behind(const Pta *p, SlotId a, i64 off, u64 size_a, SlotId b, u64 size_b);

/* s, off bytes further on: as a pointer there is moved by a constant.  May name
 * more places than that, and no slot of the solution. */
Slot pta_slot_moved(const Pta *p, Slot s, i64 off);

/* Is the slot at most one place: exact, or of a stride that no second place
 * of the object is apart? */
bool pta_slot_exact(const Pta *p, SlotId slot);
/* Is the slot one that the struct type of its object has: a member, or a member of each element of an array? */
bool pta_slot_own(const Pta *p, SlotId slot);

/* Asserts that p is a solution: for tests and the hard variant. */
void pta_check(const Pta *p);

static inline const Obj *
pta_obj(const Pta *p, ObjId o)
{
	return &p->objs.at[o];
}
/* Does only a thread's handle point to it? */
static inline bool
pta_is_thread(const Obj *o)
{
	return o->kind == OBJ_THREAD || o->kind == OBJ_SELF;
}

static inline const Slot *
pta_slot(const Pta *p, SlotId s)
{
	return &p->slots.at[s];
}
static inline const Inst *
pta_inst(const Pta *p, InstId i)
{
	return &p->insts.at[i];
}
static inline const Fn *
pta_fn(const Pta *p, InstId i)
{
	return &p->ir->fns.at[p->insts.at[i].fn];
}

#endif
