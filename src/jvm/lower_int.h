/* lower_int.h - what the parts of lowering share.
 *
 * A body is interpreted twice by the same code (lower_step.c and what it
 * calls).  First with kinds instead of values, until nothing changes: that
 * finds the blocks, what is on the stack and in the locals at each, and every
 * mistake.  Then once per block, in reverse postorder, with values: that emits
 * instructions.  In the first mode emit_op() and friends give back nothing, so
 * that both modes cannot disagree about what may throw or where control goes. */
#ifndef JVM_LOWER_INT_H
#define JVM_LOWER_INT_H

#include "jvm/class_int.h"
#include "jvm/name.h"

/* What a local or a place of the stack holds.  A long or double is one place
 * of our stack, and two locals, the second of them K_NONE. */
typedef enum Kind { K_NONE, K_INT, K_LONG, K_FLOAT, K_DOUBLE, K_REF, K_OBJ, K_RET } Kind;
/* K_OBJ: a reference that is not null.  K_RET: a return address, v its CtxId. */
typedef struct Slot {
	u8 kind;
	u32 v; /* second mode: the value */
} Slot;

static inline bool
kind_is_ref(u8 k)
{
	return k == K_REF || k == K_OBJ;
}
static inline bool
kind_is_wide(u8 k)
{
	return k == K_LONG || k == K_DOUBLE;
}

/* ---- the unit (lower_unit.c) ------------------------------------------------------ */

/* A class that the unit knows: declared or only named.  By ClassId. */
typedef struct UnitClass {
	const ClassFile *file; /* null: only named */
	VecU32 methods;        /* FnIds */
	VecU32 fields;         /* of u->fields */
	VecU32 ifaces;
	TypeId type; /* of its instances; 0 until one is made */
	bool array;
	ClassId elem; /* of an array: what is in the innermost one, 0 for numbers */
	u32 seen;     /* generation in which it was listed, and as what */
	u32 seen_as;
	u32 *cache;   /* declared: [constant pool index] what the entry is here */
	FnId *fns;    /* declared: [method] */
	u8 *done;     /* declared: [method] lowered */
	StrId source; /* its file, for positions */
} UnitClass;

typedef struct UnitField {
	ClassId class;
	StrId name;
	char desc; /* its descriptor's first character */
	u32 flags;
	TypeId type;     /* that it is declared with, of a reference; else 0 */
	StrId guard;     /* @GuardedBy's value */
	GlobalId global; /* static ones that were used or declared */
	FieldId id;      /* after finish */
	u32 seen;
} UnitField;

/* A method reference, by name. */
typedef struct UnitMethod {
	FnId fn;
	ClassId class;
	StrId name; /* name and descriptor */
	JStr desc;
	u32 nparam; /* without the receiver */
	u8 *kinds;  /* of the parameters */
	Kind ret;
	u32 seen, seen_as;
	bool exact; /* private or final: a virtual call runs this one */
} UnitMethod;

typedef struct Pending { /* functions to build when the method is done */
	bool many;       /* an array of arrays; else a lambda's method */
	FnId fn;
	ClassId class;
	JStr array;
	u32 dims;
	struct Lambda *lambda;
	JStr desc;
} Pending;

struct JvmUnit {
	Ir *ir;
	Arena *a;
	Vec(UnitClass) classes;  /* [ClassId] */
	Vec(UnitField) fields;   /* [0] unused */
	Vec(UnitMethod) methods; /* [0] unused */
	Map class_index;         /* StrId -> ClassId */
	Map file_index;          /* ClassFile -> ClassId */
	Map fn_index;            /* StrId -> FnId */
	Map method_index;        /* StrId of class.name(desc) -> u->methods */
	Map field_index;         /* (ClassId, StrId) -> u->fields */
	Map type_index;          /* StrId -> TypeId */
	Map global_index;        /* StrId -> GlobalId */
	NameBuf text;            /* scratch */
	Vec(JvmRef) refs;
	u32 generation; /* of refs */
	Vec(Pending) pending;
	Slot *stack;          /* STACK_ROOM, used by one method at a time */
	const ClassFile *cur; /* whose cache was asked last */
	u32 *cur_cache;
};

enum { STACK_ROOM = 65536 + 8 };

/* The class that c declared, 0 if it did not. */
static inline ClassId
unit_declared(const JvmUnit *u, const ClassFile *c)
{
	return map_get(&u->file_index, (u64)(uintptr_t)c);
}
ClassId unit_class(JvmUnit *u, JStr name); /* of a Class entry's name, also arrays */
ClassId unit_class_str(JvmUnit *u, StrId name);
ClassId unit_desc_class(JvmUnit *u, JStr desc);
TypeId unit_type(JvmUnit *u, ClassId c);
StrId unit_text(JvmUnit *u); /* interns u->text and empties it */
u32 unit_method(JvmUnit *u, JStr class, JStr name, JStr desc, bool is_static);
u32 unit_field(JvmUnit *u, ClassId c, JStr name, JStr desc);
u32 unit_length(JvmUnit *u); /* the field that stands for every array's length */
GlobalId unit_static(JvmUnit *u, u32 field);
/* The same by constant pool index of c; 0: there is no such entry. */
ClassId unit_cp_class(JvmUnit *u, const ClassFile *c, u32 index);
u32 unit_cp_method(JvmUnit *u, const ClassFile *c, u32 index, bool is_static);
u32 unit_cp_field(JvmUnit *u, const ClassFile *c, u32 index);
GlobalId unit_string(JvmUnit *u, JStr text);
void unit_ref_class(JvmUnit *u, JvmRefKind kind, ClassId c);
void unit_ref_method(JvmUnit *u, JvmRefKind kind, u32 method);
void unit_ref_field(JvmUnit *u, u32 field);
void unit_assume(JvmUnit *u, FnId fn, SrcId src, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A class that no file declares; its superclass is java.lang.Object. */
ClassId unit_new_class(JvmUnit *u, StrId name, u32 flags);
FnId unit_new_fn(JvmUnit *u, StrId name, StrId pretty, ClassId c, JStr desc, bool is_static);

/* What the descriptor's first character says. */
Kind desc_kind(char c);
RegType desc_rt(char c);
u16 desc_width(char c);

/* ---- a body in the making --------------------------------------------------------- */

typedef struct Node {
	u32 at, end; /* bytecode; a dispatch node has none */
	u32 ctx;     /* of subroutines, 0 none */
	bool dispatch, queued, back;
	u32 list; /* of handlers: those around it, or those dispatched to */
	u32 exc;  /* dispatch node, 0 none */
	Slot *in; /* locals, then the stack */
	u32 depth;
	u32 succ, nsucc; /* in l->succs; second mode not */
	u64 *live;       /* locals at its start */
	u32 rank;        /* place in reverse postorder, from 1; 0: unreachable */
	u32 block;       /* its first IR block */
	u32 edge;        /* last of its incoming ones, 0 none */
	u32 phi, nphi;   /* in l->phis */
	u32 npred;
	bool done; /* emitted */
} Node;

typedef struct Ctx {
	u32 parent, depth;
	u32 ret; /* where the subroutine returns to */
} Ctx;

typedef struct HandlerList {
	u32 first, n; /* in l->clauses */
} HandlerList;
typedef struct Clause {
	u16 type, target;
} Clause;

/* Control comes from block with these values (locals, then the stack). */
typedef struct InEdge {
	u32 next;
	u32 block;
	const Slot *vals;
} InEdge;
typedef struct Phi {
	Val reg;
	u32 node;
	u32 slot;
} Phi;
/* A target is a node, or with TO_BLOCK a block. */
#define TO_BLOCK 0x80000000u
typedef struct LBlock {
	u32 ins, nins; /* in l->code */
	u32 to, nto;   /* in l->targets */
	u32 node;      /* its first block has the node's phis */
	bool first;
	u32 exc;   /* node */
	bool kept; /* by prune */
	BlockId id;
} LBlock;

typedef struct Lower {
	JvmUnit *u;
	Ir *ir;
	const ClassFile *c;
	const JMember *m;
	ClassId class;
	FnId fn;
	JCode code;
	Arena a; /* of this body alone */
	const char *why;
	bool emit; /* second mode */

	u32 nlocal;
	u8 *marks; /* [bytecode offset] MARK_* */
	Vec(Node) nodes;
	Map node_index;
	Vec(Ctx) ctxs;
	Map ctx_index;
	Vec(HandlerList) lists;
	Vec(Clause) clauses;
	VecU32 work, succs;
	u32 nsucc_first;
	u32 *order; /* nodes in reverse postorder */
	u32 norder;
	u64 room;  /* slots of states so far */
	u64 spent; /* steps of work so far */

	/* where interpretation is */
	u32 node;
	u32 pc, next;
	Slot *local; /* [nlocal] */
	Slot *stack;
	u32 depth;
	bool ended;    /* the node's control has gone elsewhere */
	bool throwing; /* something in this block may throw */

	/* second mode */
	Vec(Ins) ins;
	VecU32 args, targets;
	Vec(LBlock) blocks;
	Vec(Reg) regs;  /* [0] unused */
	VecU32 lengths; /* [register]: the length if it is a new array, else 0 */
	Vec(InEdge) edges;
	Vec(Phi) phis;
	/* What holds since the node's start: classes that were initialised, and
	 * references that were used, so are not null.  The first `everywhere` of
	 * each hold in the whole method. */
	VecU32 inited, used;
	u32 inited_everywhere, used_everywhere;
	bool entering; /* in the entry's blocks, before any exception edge */
	u32 merged;    /* the node that the block goes on with, 0 none */
	u32 line;      /* place in code.lines */
	u32 line_no;
	SrcId src;
	Val lock;   /* of a synchronized method */
	Val handle; /* of a variable, made last: see lower_handle.c */
	ClassId handle_owner;
	StrId handle_name; /* in quotes */
	Ins sink;
} Lower;

enum { MARK_START = 1, MARK_LEADER = 2 };

/* Notes the first mistake; returns false. */
bool lower_fail(Lower *l, const char *what);
/* Counts steps of work, and refuses a body that takes far more than any that a
 * compiler makes: what is not linear here is so only in theory. */
void lower_spend(Lower *l, u64 steps);

/* lower_code.c: instructions as bytes */
bool code_scan(Lower *l);
u32 code_length(const u8 *code, u32 n, u32 at); /* 0: malformed */
/* Is the instruction at `at` a use or definition of a local? */
typedef struct LocalUse {
	u32 slot;
	u8 kind; /* of the value */
	bool reads, writes;
} LocalUse;
LocalUse code_local(const u8 *code, u32 at);
static inline i32
code_s16(const u8 *p)
{
	return (int16_t)(p[0] << 8 | p[1]);
}
static inline u32
code_u16(const u8 *p)
{
	return (u32)(p[0] << 8 | p[1]);
}
static inline i32
code_s32(const u8 *p)
{
	return (i32)((u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3]);
}

/* lower_flow.c: blocks, states, liveness, order */
bool flow_analyse(Lower *l);
u32 flow_node(Lower *l, u32 at, u32 ctx);
/* Interprets l->node, from its start with the current locals and stack. */
void flow_run(Lower *l);
/* Control goes from here to the nodes `to`, with that terminator. */
void flow_end(Lower *l, Op op, u32 narg, const Val *args, u32 nto, const u32 *to);
void flow_raise(Lower *l); /* the instruction may throw */
u32 flow_ctx(Lower *l, u32 parent, u32 ret);
static inline bool
node_live(const Node *n, u32 local)
{
	return n->live[local / 64] >> (local % 64) & 1;
}

/* lower_ssa.c: values */
bool ssa_emit(Lower *l); /* second mode over all nodes */
/* Goes on with node `to` in the same block, if that can be. */
bool ssa_merge(Lower *l, u32 to);
void ssa_entered(Lower *l); /* from here on, not all paths come from the entry */
void ssa_split(Lower *l);   /* goes on in a new block */
/* Ends the block; control goes on to the nodes or blocks `to`. */
void ssa_end(Lower *l, Op op, u32 narg, const Val *args, u32 nto, const u32 *to);
void ssa_finish(Lower *l); /* the function's body */
Ins *emit_op(Lower *l, Op op, u32 narg, const Val *args);
Val emit_dst(Lower *l, Ins *i, RegType rt, u16 width);
void ssa_name(Lower *l, Val v, u32 local, u32 at);

/* lower_prune.c: between emitting and building */
void prune(Lower *l);

/* lower_frame.c */
void push(Lower *l, Kind k, Val v);
Slot pop_any(Lower *l);
Val pop(Lower *l, Kind k);
Slot pop_ref(Lower *l);
void local_set(Lower *l, u32 slot, Slot s);
Slot local_get(Lower *l, u32 slot, Kind k);
Val k_int(Lower *l, i64 v);
Val k_long(Lower *l, i64 v);
Val k_null(Lower *l);
Val k_fn(Lower *l, FnId f);

/* lower_step.c */
void step(Lower *l);
void step_position(Lower *l); /* of what is emitted from now on: that of l->pc */

/* lower_arith.c: the instruction at l->pc if it computes; false: it is another */
bool arith_step(Lower *l, u8 op);
/* Does the branch (ifeq ... if_acmpne, ifnull) lead forwards? */
bool arith_forwards(const Lower *l, u32 branch);
/* Pops what the condition at `op` (such a branch) compares; the truth of it or, if that leads
 * forwards, of its contrary. */
Val arith_condition(Lower *l, u8 op);

/* lower_memory.c */
bool memory_step(Lower *l, u8 op);
/* v was used as an object: from here on it is not null. */
void memory_used(Lower *l, Val v);
void memory_init(Lower *l, ClassId c); /* c's initialiser may run */
Val memory_new(Lower *l, ClassId c);
Val memory_load(Lower *l, u32 field, Slot obj);
void memory_store(Lower *l, u32 field, Slot obj, Val v, u32 flags);
void memory_constant(Lower *l, u32 index);
Val memory_new_array(Lower *l, ClassId array, u32 bytes, Val n);

/* lower_call.c */
bool call_step(Lower *l, u8 op);
/* Calls method with n arguments, the receiver first; the result or 0. */
Val call_emit(Lower *l, u32 method, CallKind kind, JvmRefKind ref, u32 n, const Val *args);

/* lower_handle.c */
/* The call of m, with these arguments, gave a handle if it is one that makes them. */
void handle_made(Lower *l, const UnitMethod *m, const Val *args, Val result);
/* v was stored to a static field. */
void handle_stored(Lower *l, u32 field, Val v);
/* Emits the access that a call of m on a handle is; false: it is no such call. */
bool handle_access(Lower *l, const UnitMethod *m, const Val *args, Val *out);

/* lower_indy.c */
void indy_step(Lower *l, u32 index);
/* Pushes a method type, method handle or dynamic constant. */
void indy_constant(Lower *l, u32 index);
/* lower_lambda.c */
/* Makes the lambda object that bootstrap b describes, from the captured values;
 * false: it is not one that the factory would accept. */
bool lambda_make(Lower *l, const JBootstrap *b, bool alt, JStr name, JStr desc, const Val *captured,
		 Val *out);
void lambda_build(JvmUnit *u, const Pending *p);
/* lower_many.c */
FnId many_fn(JvmUnit *u, JStr array, u32 dims);
void many_build(JvmUnit *u, const Pending *p);

#endif
