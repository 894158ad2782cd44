/* pta_int.h - the solver's state, shared by the files of this directory.
 *
 * The lattice.  A node is a variable of the constraint system; its value is a
 * finite set of slots, ordered by inclusion.  Nodes are the registers, the
 * result and the exceptional result of each instance, the `in` (what was
 * stored) and `out` (what a load may give) of each memory cell, what is passed
 * to each instance behind its named parameters, and what unknown code knows.
 *
 * The constraints.  With pts(x) the value of x:
 *
 *	copy    pts(y) contains pts(x)                              a successor edge
 *	shift   pts(y) contains s + off (+ any multiple of stride), for s in pts(x)
 *	load    pts(y) contains pts(out(c)), c the cell at s, for s in pts(x)
 *	store   pts(in(c)) contains pts(y), likewise
 *	call    binds arguments and results of each function in pts(x)
 *	and variants of these: see ConKind.
 *
 * For cells c and d of one object whose bytes overlap, out(d) contains in(c):
 * two exact cells are thus not merged by a strided one that overlaps both.
 *
 * What is guaranteed.  The result is the least solution over the slots that
 * were not widened, so it holds every address that a run of the IR can put in
 * a register or cell.  Widening only ever adds: offsets far outside an object
 * and places that are too many in an object become "anywhere in the object".
 *
 * Why it ends.  An object has at most max_slots slots, or some for each member of its type (room.c);
 * objects, nodes and constraints are made per instance; instances are made
 * per function and call string, of which there are finitely many.  Values only
 * grow.
 *
 * Inclusion constraints: Andersen 1994.  Difference propagation and online
 * cycle elimination: Pearce, Kelly, Hankin 2004. */
#ifndef PTA_PTA_INT_H
#define PTA_PTA_INT_H

#include "base/least.h"
#include "ir/class.h"
#include "pta/pta.h"

typedef u32 NodeId, ConId, CellId, RelId, SiteId;

typedef struct Node {
	Set known; /* what successors and constraints have seen */
	Set fresh; /* what they have not */
	Set succ;  /* copy edges; may name nodes that were merged away */
	ConId con, con_last;
	u32 order; /* nodes of a lower order are propagated first; each has its own */
	u16 limit; /* what it may hold: limit.c; 0: anything */
	bool queued : 1;
	bool fixed : 1; /* the address of a constant: never grows */
	bool large : 1; /* has had more than max_words */
	bool loose : 1; /* once had another limit */
} Node;
static_assert(sizeof(Node) <= 64, "there are several nodes per instruction");

/* What to do with each slot that a node gets.  The fields are Con's. */
typedef enum ConKind {
	CON_SHIFT,     /* to gets slot + off, + multiples of arg */
	CON_PLACES,    /* to gets off bytes into each struct of the type in the slot's object */
	CON_ALIGN,     /* to gets slot & off, for a mask of low bits */
	CON_TAG,       /* to gets slot | off, for low bits */
	CON_MEMBER,    /* to gets the slot of FieldId arg (Java) */
	CON_LIKE,      /* to gets an object that ins arg in inst len makes, of the slot's class */
	CON_LOAD,      /* to gets what arg bytes at the slot hold */
	CON_NUMBER,    /* the same, of a load that moves no pointer that happens to be there */
	CON_STORE,     /* arg bytes at the slot get what to has */
	CON_CALL,      /* site `to` calls the function */
	CON_DISPATCH,  /* site `to` calls the method of the slot's class on it */
	CON_RECEIVE,   /* site `to` calls the method that it names on the slot */
	CON_JOIN,      /* to gets the result of the thread */
	CON_COPY_FROM, /* block copy from the slot into buffer object to; arg bytes */
	CON_COPY_TO,   /* block copy from buffer object to into the slot; arg bytes */
	CON_ESCAPE     /* the slot's object is known to unknown code */
} ConKind;

typedef struct Con {
	u8 kind;
	bool all;    /* it has met the crowded objects: see crowd.c */
	bool index;  /* shift: an index, which stays in its array */
	bool number; /* store: of an integer */
	u32 arg;
	u32 to;
	ConId next;
	u32 len; /* shift: bytes of the array that starts at the slot, 0 unknown; like: inst */
	TypeId
	    type; /* shift: only of a struct of this type, 0 of any; like: of what has no class */
	i64 off;
} Con;

/* Constraints that have yet to see some slots of their node. */
typedef struct Late {
	Set news;
	ConId first, last;
	bool crowd; /* the node is the crowd */
} Late;

/* Some bytes at a slot, as far as the program loads or stores them. */
typedef struct Cell {
	SlotId slot;
	u32 size;       /* bytes; 0: to the end of the object */
	NodeId in, out; /* 0 until stored, loaded */
	NodeId number;  /* what loads get that move no pointers: see pieces.c */
	bool number_in; /* stored as numbers: see pieces.c */
	CellId next;    /* of the same object */
} Cell;

/* Bytes are copied from one slot to another: whatever cell turns up in the
 * source has its counterpart in the destination. */
typedef struct Rel {
	SlotId from, to;
	u32 size;   /* bytes; 0: unknown, to the end */
	RelId next; /* with the same source object */
} Rel;

/* What the solver keeps of an object beside Obj. */
typedef struct ObjInfo {
	u32 nslot, noutside; /* slots, and those outside its bounds */
	u32 limit;           /* of nslot; 0 until max_slots are met */
	SlotId slot;         /* list, by slot_next */
	SlotId base;         /* offset 0, exact */
	SlotId any;          /* stride 1, 0 until needed */
	CellId cell;         /* list */
	RelId rel;           /* list, by source */
	CellId whole, part;  /* the only cells, once united; part: of numbers */
	NodeId result;       /* of a thread */
	bool crowded;        /* see crowd.c */
	bool escaped;        /* unknown code may read and write it */
	bool flat;           /* has one slot, of stride 1 */
	bool java;           /* offsets are FieldIds: cells overlap only if equal */
	u8 elements;         /* ELEMENTS_*: what it is an array of, at offset 0 */
	u16 limit_in;        /* of what is stored there */
} ObjInfo;

/* The slots where a struct of one type may begin, of those that were asked for: typed.c. */
typedef struct Fit {
	Set seen, pass;
} Fit;

/* What loads, or stores, of one kind through the same slots share: bundle.c. */
typedef struct Bundle {
	Set set;
	NodeId node;
	u32 arg;
	u8 kind;
	bool number;
} Bundle;

/* What constraints like one have made of a set of slots: met.c. */
typedef struct Met {
	Con con;
	SetId set;
	u32 folded;    /* objects by then */
	Set got;       /* of a shift */
	VecU32 places; /* of a load or store: the nodes of the cells, each once */
} Met;

/* The slots that a node with a limit may hold: limit.c. */
typedef struct Limit {
	ClassId class;
	ObjId next; /* the first object that was not looked at */
	Set pass;
	u8 *within; /* [ClassId]: 1 it is, 2 it is not, 0 not asked yet */
} Limit;

/* An instruction of an instance that may run functions. */
typedef struct Site {
	InstId inst;
	InsId ins;
	u32 first;    /* the operand that is the callee's first parameter */
	ObjId thread; /* of a fork */
	bool unknown; /* runs unknown code, which may call back */
} Site;

/* A call through a pointer of another type than the function's: signature.c. */
typedef struct Misfit {
	SiteId site;
	FnId fn;
	u32 fit; /* FIT_* there */
	bool
	    wide; /* but for numbers of which a model does not say how wide they are it would fit */
} Misfit;

/* Which functions are cloned, and by what: see policy.c. */
typedef struct Policy {
	const Ir *ir;
	u32 k;          /* length of strings */
	u32 max_clones; /* instances with a context */
	u32 clones, widened;
	u32 pays;       /* clones that are too many to be worth their while; 0: never */
	bool in_vain;   /* they are: solve again without contexts */
	bool objects;   /* by receiver, not by call */
	bool starts;    /* start routines too, not only callees */
	bool *clone;    /* [FnId] */
	bool *part;     /* [InsId]: allocations that come on top of k; null: none do */
	u8 *wraps;      /* [FnId]: WRAPS_* and RELAYS, if AUTO */
	Map seen;       /* function and context of each clone */
	Intern strings; /* CtxId: the bytes of InsIds, the innermost call or allocation last */
} Policy;

typedef struct Solver {
	Pta *p;
	const Ir *ir;
	Arena *a;
	u32 max_slots, max_words; /* of an object; of a set before its node joins the crowd */
	bool few_large;           /* a few nodes may have more */
	bool java;                /* there are classes */
	u32 large;                /* those that had */
	Policy policy;
	Vec(Node) node;
	VecU32 rep;       /* [NodeId]: union-find */
	VecU32 slot_next; /* [SlotId]: of the same object */
	Set code;         /* the slots that can be called */
	SlotId room[2];   /* Java: the next places, and the next objects, in their rows of slots */
	Vec(u8) steps;    /* [SlotId]: constant offsets on the way to it */
	Vec(Con) con;
	Vec(Cell) cell;
	Vec(Rel) rel;
	Vec(Site) site;
	Vec(ObjInfo) info;  /* [ObjId] */
	ClassIndex classes; /* filled at the first question */
	Map within, method; /* (class, class), (class, name) -> answers: class.c */
	Vec(Limit) limit;
	Map limit_of;  /* class -> its index there */
	Map tested_of; /* FnId -> 1: it tests no classes; else index + 2 in: */
	Vec(struct Tested *) tested;
	bool hierarchy;
	NodeId *field; /* [FieldId], where fields are not told apart by object: field.c; or null */
	bool *exposed; /* [FieldId]: unknown code knows an object that has it */
	bool unify;
	Vec(Fit) fits;
	u32 *fit;      /* [type]: its index there */
	Map somewhere; /* (type, type) -> 1 the second fits somewhere in the first, 2 it does not */
	Map pointee;   /* (function, register) -> its type plus 1: typed.c */
	FnId *fn_of_ins; /* [InsId], null until needed */
	Map slot_index, cell_index, rel_index, inst_index, bound;
	Vec(Bundle) bundle;
	Vec(Met) met;
	Map met_index; /* set, and hash of the constraint -> its index there plus 1 */
	SetPool met_sets;
	Map bundle_index; /* what was met -> that it was, and its index there */
	Map defined; /* (node, hash) -> the constraint that first made a register of it: gen.c */
	NodeId *const_node; /* [ConstId], 0 until used */
	Map like;           /* (node, type) -> the object of CON_LIKE */
	ObjId *global_obj, *fn_obj, *class_obj, *value_obj;
	bool *locked;                  /* [GlobalId]: by name */
	u8 *mark;                      /* [InsId]: MARK_* */
	bool *marked;                  /* [FnId]: mark is computed */
	VecU32 new_insts, new_globals; /* constraints still to be made */
	Vec(Late) late;
	VecU32 new_cells;      /* block copies of them still to be made */
	VecU32 unknown;        /* sites that run unknown code */
	VecU32 callbacks;      /* functions that unknown code knows */
	Set called_back;       /* instances that have got unknown arguments */
	struct Houses *houses; /* null until needed: house.c */
	Map enough;            /* function -> what its calls must fit, 0 undecided: signature.c */
	Vec(Misfit) misfit;
	u32 unknown_edges, nescaped;
	NodeId known_out; /* what unknown code knows: the contents of OBJ_EXTERN */
	bool native;      /* some unknown code is native: escape.c */
	Set unknown_names, packages;
	Intern package;
	Map known_of, touched; /* class -> node; field -> TOUCH_* */
	ObjId ext, constants;  /* OBJ_EXTERN; all constants without pointers */
	Least queue;           /* orders of nodes */
	VecU32 by_order;       /* the node of that order */
	u64 spent, max_work;   /* before that; all that this attempt may take, 0: any */
	u64 work, next_scc;    /* since cycles were looked for, and until they are again */
	u32 patience;          /* how much more than its cost is done in between */
	NodeId crowd, parts;   /* see crowd.c; 0 until there is a crowd */
	bool crowd_queued;
	/* Its constraints: those that meet all its slots, and only some; the last that is there. */
	VecU32 crowd_all, crowd_some;
	ConId crowd_last;
	Set crowd_open; /* what it knows that has memory and is not crowded */
	Map places;     /* (type, offset) -> the node of CON_PLACES for the crowd */
	Vec(u64) stale; /* bits of slots of folded objects that another stands for now */
	Set none;
} Solver;

/* The nodes of an instance behind its registers; its result is in front. */
typedef enum InstNode {
	INST_RAISED = 1, /* the exceptional result */
	INST_REST,       /* the arguments behind the named ones */
	INST_TEXIT,      /* what a texit in it, or in what it calls, ends the thread with */
	INST_NODES
} InstNode;

/* ---- slot.c: objects, slots, cells --------------------------------------- */

/* Finds the constants that are locked by name, as string literals may be: each is one object. */
void obj_find_locked(Solver *s);
ObjId obj_new(Solver *s, Obj o);
ObjId obj_global(Solver *s, GlobalId g);
ObjId obj_fn(Solver *s, FnId f);
ObjId obj_class(Solver *s, ClassId c);
ObjId obj_value(Solver *s, ClassId c, TypeId type);
/* The object of o's type that CON_LIKE makes. */
ObjId obj_like(Solver *s, Con c, ObjId o);
SlotId slot_get(Solver *s, ObjId o, i64 off, u32 stride);
/* slot + off, + any multiple of stride where that is not 0. */
SlotId slot_shift(Solver *s, SlotId slot, i64 off, u32 stride);
/* slot + any multiple of stride within its array, which starts there and has
 * len bytes if that is not 0. */
SlotId slot_index(Solver *s, SlotId slot, u32 stride, u32 len);
/* The slot for x, in its normal form. */
SlotId slot_make(Solver *s, Slot x);
/* slot & mask and slot | bits; stride 1 where the object's alignment is unknown. */
SlotId slot_align(Solver *s, SlotId slot, i64 mask);
SlotId slot_tag(Solver *s, SlotId slot, i64 bits);
/* From now on another slot of its object stands for this one. */
void slot_retire(Solver *s, SlotId slot);
/* Does set hold such slots? */
bool slot_any_stale(const Solver *s, const Set *set);
/* Gives the slots of folded objects in set their one name. */
void slot_rename(Solver *s, Set *set);
/* Do the bytes overlap?  Of one object, sizes as for pta_overlap. */
bool slot_overlap(const Pta *p, const ObjInfo *info, Slot x, u64 m, Slot y, u64 n);
/* The place of field f in slot's object (Java). */
SlotId slot_member(Solver *s, SlotId slot, FieldId f);
/* Has the slot memory that can be loaded and stored? */
bool slot_in_memory(const Solver *s, SlotId slot);

/* ---- room.c: how many slots an object may have ---------------------------------- */

enum { ROOM_TYPE = 2048 }; /* for places that its type has */

typedef enum Room {
	ROOM_THERE,
	ROOM_OWN,      /* for this one, which its type has; its cells are united */
	ROOM_ANYWHERE, /* none: the place is taken for all of the object; likewise */
	ROOM_NONE      /* none: the object folds */
} Room;

/* Is there room for a new slot x in its object? */
Room room_for(Solver *s, const Slot *x);

/* ---- extent.c: arrays in objects ----------------------------------------------- */

typedef struct Extent {
	i64 lo, end;
} Extent;

/* The array within o that a pointer at off walks in steps of stride; false if
 * that is not known, or the whole of o. */
bool extent_find(const Ir *ir, const Obj *o, i64 off, u32 stride, Extent *e);
/* The type that o consists of, one or several times, and its size; 0 unknown. */
TypeId extent_element(const Ir *ir, const Obj *o, u64 *size);
/* The bytes of the array that is the member of struct t at off; 0 if there is
 * none, or it may be longer. */
u64 extent_of_member(const Ir *ir, TypeId t, i64 off);

/* ---- typed.c: objects of a known type ------------------------------------------- */

/* The struct type of what ins in inst allocates, 0 if that is not certain. */
TypeId typed_alloc(Solver *s, InstId inst, InsId ins);
/* Adds the places off bytes into the structs of type want in the object that the slot, where one
 * may begin, is all of. */
void typed_places(Solver *s, SlotId slot, TypeId want, i64 off, Set *to);
/* The struct type that register r of f is declared or used as a pointer to, 0 if
 * that is not known. */
TypeId typed_pointee(Solver *s, FnId f, Val r);
/* The type of function that the pointer v of f is declared to point to, as
 * Fn.proto spells it; 0 unknown. */
StrId typed_called(Solver *s, FnId f, Val v);
/* May a pointer to t be one to u, as far as both are known? */
bool typed_alike(const Ir *ir, TypeId t, TypeId u);
/* May a struct of type want begin at the slot? */
bool typed_fits(Solver *s, SlotId slot, TypeId want);
/* Leaves those in set for which it may. */
void typed_filter(Solver *s, Set *set, TypeId want);

/* ---- cell.c: memory ------------------------------------------------------- */

/* The node that holds what is stored to (loaded from) size bytes at slot; 0
 * where there is no memory. */
NodeId cell_in(Solver *s, SlotId slot, u32 size, bool number);
NodeId cell_out(Solver *s, SlotId slot, u32 size);
/* The same for a load that moves no pointers. */
NodeId cell_number(Solver *s, SlotId slot, u32 size);
/* Does such a load of d get what is stored at c, if they overlap? */
bool cell_gives_number(const Solver *s, const Cell *c, const Cell *d);
/* Everything in o may be read and written by unknown code. */
void cell_escape(Solver *s, ObjId o);
/* o has too many slots: all of them become one. */
void cell_fold(Solver *s, ObjId o);
/* What o holds is no longer told apart by place; its slots are. */
void cell_unite(Solver *s, ObjId o);
/* Copies size bytes (0: to the end) from one slot to the other. */
void cell_copy(Solver *s, SlotId from, SlotId to, u32 size);
/* Makes the copies of the new cell c; solve_run calls it for s->new_cells. */
void cell_relate(Solver *s, CellId c);

/* ---- solve.c: propagation ------------------------------------------------- */

NodeId node_new(Solver *s);
NodeId node_find(const Solver *s, NodeId x);
/* Makes x and y one; returns it. */
NodeId node_merge(Solver *s, NodeId x, NodeId y);
/* The same of n nodes, at least one, that were not merged yet: what one knew is not
 * offered to the others first. */
NodeId node_merge_all(Solver *s, const NodeId *nodes, u32 n);
void node_edge(Solver *s, NodeId x, NodeId y);
/* Hands set to x, keeping only what x has not seen; which is work. */
void node_hand(Solver *s, NodeId x, const Set *set);
void node_offer(Solver *s, NodeId x, const Set *set);
void node_give(Solver *s, NodeId x, SlotId slot);
/* From now on c meets what x gets; returns its id, 0 if there is no x. */
ConId node_con(Solver *s, NodeId x, Con c);
/* y, which nothing flows to yet, gets what of x is of class c. */
void node_filter(Solver *s, NodeId x, NodeId y, ClassId c);
void solve_run(Solver *s);
void solve_requeue(Solver *s);

/* ---- meet.c: constraints and slots -------------------------------------------------- */

/* c meets set, which is the caller's own: what c does may change any node.  At the memory
 * limit the rest is left undone, and solve_run stops. */
void con_meet(Solver *s, Con c, const Set *set);

/* ---- met.c: what they made of them ---------------------------------------------------- */

/* Of what a constraint says but for `to`. */
u32 con_hash(const Con *c);
bool con_alike(const Con *c, const Con *d);
/* Has a constraint like c met these slots, and is what it made of them still right?  *m is good
 * until the next question; if not, it is empty, and the caller's to fill. */
bool met_before(Solver *s, const Con *c, const Set *set, Met **m);
void met_forget(Solver *s);

/* ---- bundle.c: loads and stores through the same slots ---------------------------- */

/* Is the set large enough for a bundle? */
bool bundle_may(const Set *set);
/* The node that stands for all these slots where c loads or stores through them, 0 if it has to
 * look at each.  True: it is new, and has yet to do so. */
bool bundle_find(Solver *s, const Con *c, const Set *set, NodeId *node);

/* ---- limit.c: nodes that hold objects of a class only ---------------------------- */

typedef enum ElementKind {
	ELEMENTS_NONE,
	ELEMENTS_REFS,
	ELEMENTS_NUMBERS,
	ELEMENTS_EMPTY
} ElementKind;

/* The class of what an array of type t holds, 0 unknown, and what kind of array it
 * is, if it is one. */
ClassId element_class(Solver *s, TypeId t, ElementKind *kind);
/* Notes in o's info what its elements are. */
void element_init(Solver *s, ObjInfo *info, const Obj *o);
/* The limit of class c; 0: there is none. */
u16 limit_of(Solver *s, ClassId c);
/* tested.c: the class that v, a register of f, is certainly of before an instruction; 0: not known. */
ClassId tested_class(Solver *s, FnId f, InsId at, Val v);
/* The slots that pass the limit, which is not 0; good until the next question. */
const Set *limit_pass(Solver *s, u16 limit);

/* ---- escape.c: what unknown code does with Java objects ---------------------- */

void escape_init(Solver *s);
/* May unknown code that knows the slot's object load and store there? */
bool escape_touches(Solver *s, SlotId slot);
/* May such code name the field? */
bool escape_names(Solver *s, FieldId f);
/* What such code may have stored there; in that field of some object. */
NodeId escape_field(Solver *s, FieldId f);
NodeId escape_out(Solver *s, SlotId slot);
/* The same, of the solution; may be more. */
const Set *escape_contents(const Solver *s, const Slot *x);

/* ---- field.c: fields that are not told apart by object ---------------------------- */

void field_init(Solver *s);
/* The field that x is a place of, if its object does not matter; else 0. */
FieldId field_shared(const Solver *s, const Slot *x);
/* What the field may hold, and is given, in any object. */
NodeId field_node(Solver *s, FieldId f);
/* Unknown code knows an object that has field f; o. */
void field_expose(Solver *s, FieldId f);
void field_escape(Solver *s, ObjId o);
/* Of the solution: what the place holds, null if its object matters; the nodes of
 * the fields of o. */
const Set *field_contents(const Solver *s, const Slot *x);
void field_parts(const Solver *s, ObjId o, Arena *a, Set *out);

/* ---- crowd.c: pointers to too many places ------------------------------------ */

bool crowd_is(const Solver *s, NodeId x);
/* Makes x and y, which flows from x through memory, one if they may be. */
void crowd_unify(Solver *s, NodeId x, NodeId y);
/* Makes x one of the crowd; returns the crowd. */
NodeId crowd_join(Solver *s, NodeId x);
/* Crowds the objects in set, slots that the crowd may point to, and names them by
 * their slot of stride 1. */
void crowd_absorb(Solver *s, Set *set);
/* Meets the crowded objects with a constraint of the crowd.  Says whether it
 * has only to meet the rest of them. */
bool crowd_meet(Solver *s, ConId c);
/* Puts the constraints that are new to the crowd in their lists, and has them meet
 * the crowded objects. */
void crowd_sort(Solver *s);
/* The crowd knows these, too. */
void crowd_learn(Solver *s, const Set *set);
/* The slots of set, which the crowd knows, with memory that are not crowded. */
void crowd_rest(Solver *s, const Set *set, Set *rest);
/* Merges what the crowd flows to with it; false if there is none. */
bool crowd_spread(Solver *s);

/* ---- cycle.c: merging what copies in a circle ------------------------------- */

/* Returns what it cost; adds to *merged how many nodes are no more. */
u64 cycle_collapse(Solver *s, u32 *merged);

/* ---- gen.c, call.c: constraints from the program ---------------------------- */

void gen_inst(Solver *s, InstId inst);
void gen_global(Solver *s, GlobalId g);
NodeId gen_value(Solver *s, InstId inst, Val v);
u32 gen_bytes(const Solver *s, u8 rt, u16 width);

FnId call_resolve(const Ir *ir, FnId f);
InstId call_inst(Solver *s, FnId f, CtxId ctx);
SiteId call_site(Solver *s, InstId inst, InsId ins, u32 first, ObjId thread);
void call_bind(Solver *s, SiteId site, FnId callee, bool assumed);
/* site calls callee on the receiver, and on nothing else. */
void call_on(Solver *s, SiteId site, FnId callee, SlotId receiver);
/* site calls the method that the receiver's class has, on the receiver. */
void call_dispatch(Solver *s, SiteId site, SlotId receiver);
/* site may call each method that the class hierarchy allows. */
void call_hierarchy(Solver *s, SiteId site);
/* The function that operand k of i names, 0 if it is not a constant. */
FnId call_named(const Ir *ir, const Ins *i, u32 k);
/* A call through a pointer to unknown code. */
void call_unknown_through(Solver *s, SiteId site);
/* A call through a pointer, if the types fit; else it waits (signature.c). */
void call_through(Solver *s, SiteId site, FnId callee);
/* Makes the calls that wait and whose functions fit nowhere; false: there are none. */
bool call_misfits(Solver *s);
/* site runs code of which nothing is known, with its operands. */
void call_unknown(Solver *s, SiteId site);
/* Unknown code knows f, and may call it at every site that runs such code. */
void call_back(Solver *s, FnId f);
/* Does it? */
bool call_is_back(const Solver *s, FnId f);

/* ---- house.c: the members that pointers to functions lie in -------------------- */

/* May v, which caller calls, be callee, as far as it is known where v was loaded
 * from? */
bool house_holds(Solver *s, FnId caller, Val v, FnId callee);
/* Is it known where v was loaded from, and that callee was put there? */
bool house_gives(Solver *s, FnId caller, Val v, FnId callee);
/* Is it certain that v is not callee? */
bool house_never(Solver *s, FnId caller, Val v, FnId callee);
/* May v be a function that only unknown code knows? */
bool house_unknown(Solver *s, FnId caller, Val v);

/* ---- nameless.c: structs without a name ----------------------------------------- */

/* [TypeId]: one of the declarations of the struct or union without a name; any
 * other type itself. */
const TypeId *nameless_find(const Ir *ir, Arena *a);

/* ---- exposed.c: structs that unknown code knows ---------------------------------- */

/* [TypeId]: may unknown code name the members of such a struct? */
const bool *exposed_find(Solver *s, const TypeId *nameless);

/* ---- class.c: the class hierarchy ---------------------------------------------- */

/* The class of objects of type t, 0 if it is none. */
ClassId class_of_alloc(Solver *s, TypeId t);
/* The class that o is an instance of, 0 if it is none. */
ClassId obj_class_of(Solver *s, ObjId o);
/* Is it an object of a class that is not worth telling apart? */
bool obj_is_plain(Solver *s, ObjId o);
/* class_within and class_method, remembered. */
bool obj_within(Solver *s, ObjId o, ClassId super);
FnId obj_method(Solver *s, ClassId c, StrId name);
/* May the object have the field? */
bool obj_has(Solver *s, ObjId o, FieldId f);

/* What is known of an instruction before solving. */
enum {
	MARK_CYCLIC = 1, /* adds an offset again and again: strides.c */
	MARK_MOVED = 2,  /* loads what may be part of a pointer: pieces.c */
	MARK_NUMBER = 4  /* computes a number that no part of a pointer is in: pieces.c */
};

/* ---- policy.c, wrapper.c, strides.c, pieces.c ------------------------------------------------------ */

void policy_init(Policy *p, Arena *a, const Ir *ir, FnId root, const PtaOptions *opt);
/* The context of callee when it is called, or forked, at ins in context ctx. */
CtxId policy_context(Policy *p, CtxId ctx, InsId ins, FnId callee, bool fork);
/* The context of the method callee when it is called at ins on an object that
 * alloc made in context ctx; alloc is 0 for an object that no allocation made. */
CtxId policy_receiver(Policy *p, CtxId ctx, InsId alloc, InsId ins, FnId callee);
/* Is f called once per receiver? */
bool policy_by_receiver(const Policy *p, FnId f);
/* Finds the functions that only wrap an allocation, a fork or a join, start routines that
 * call what a parameter leads to, what these hand it to, and those that may call themselves
 * directly.  Both have ir->fns.n elements, at first 0. */
enum { WRAPS_HEAP = 1, WRAPS_THREAD = 2, RELAYS = 4, RELAYED = 8 };
void wrapper_find(const Ir *ir, Arena *scratch, u8 *wraps, bool *recursive);
/* Marks the instructions of f that add a constant to a value that depends on
 * their own result. */
void strides_mark(const Ir *ir, FnId f, Arena *scratch, u8 *mark);
/* Marks the narrow loads of f that may move a part of a pointer. */
void pieces_mark(const Ir *ir, FnId f, Arena *scratch, u8 *mark);

static inline NodeId
inst_node(const Solver *s, InstId inst, InstNode which)
{
	const Inst *i = pta_inst(s->p, inst);

	return i->node + s->ir->fns.at[i->fn].nreg + which;
}

static inline ObjInfo *
obj_info(const Solver *s, ObjId o)
{
	return &s->info.at[o];
}

#endif
