/* ir.h - the program as every analysis sees it.
 *
 * An Ir is a unit (one bitcode module or class) or, after ir_link, the whole
 * program: a few flat tables of small structs that refer to each other by
 * 1-based u32 ids, 0 meaning none.  Flat tables make a unit's bytes its
 * serial form, linking a renumbering, and cost a few machine words per
 * instruction.  The front ends build, ir_check validates, ir_link joins,
 * model_apply rewrites calls of library functions; after that an Ir is
 * read-only.
 *
 * Functions are in SSA form over registers.  Addresses are explicit: Java's
 * x.f is `field x, f` and then a load or store, as C's is.  A block has one
 * exception successor, taken by any of its instructions that may throw; a
 * function ends normally (ret) or exceptionally (throw, or a throwing
 * instruction in a block without one). */
#ifndef IR_IR_H
#define IR_IR_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

typedef u32 StrId, TypeId, ClassId, FieldId, GlobalId, FnId, ConstId, SrcId;
typedef u32 BlockId; /* within a function, from 1; 1 is the entry */
typedef u32 InsId;   /* index into ir->ins, over the whole Ir, from 1 */

/* An operand: 0 none; with VAL_CONST set a constant of ir->consts; else a
 * register of the function, from 1.  Registers 1..nparams are parameters. */
typedef u32 Val;
#define VAL_CONST 0x80000000u
static inline bool
val_is_const(Val v)
{
	return (v & VAL_CONST) != 0;
}
static inline bool
val_is_reg(Val v)
{
	return v && !(v & VAL_CONST);
}
static inline ConstId
val_const(Val v)
{
	assert(val_is_const(v));
	return v & ~VAL_CONST;
}

/* What a register holds.  Width in bits is beside it. */
typedef enum RegType { RT_VOID, RT_INT, RT_FLOAT, RT_PTR, RT_AGG } RegType;

/* ---- instructions ------------------------------------------------------ */

/* op, name in the text form.  Operands are listed in HACKING order:
 *
 * alloc     dst = new object; args: size in bytes or none; sub: AllocKind; aux: its type or 0;
 *           sub = ALLOC_LIKE: on the heap, of the class and size of the object arg0
 * copy      dst = arg0 (also bitcasts and freezes)
 * phi       args: block, value, block, value ...
 * select    dst = arg0 ? arg1 : arg2
 * field     dst = arg0 + imm bytes; aux: the struct type or 0 (C), or sub = 1 and aux: the FieldId (Java)
 * index     dst = arg0 + arg1 * imm bytes; aux: the array or element type or 0; sub = 1: Java array element,
 *           behind a header of 8 bytes with the length
 * load      dst = *arg0                      (width, order, volatile flag)
 * store     *arg0 = arg1                     (width of arg1)
 * bcopy     copies arg2 bytes from *arg1 to *arg0
 * readn     reads arg1 bytes at *arg0 (arg1 may be 0: up to a zero byte, extent unknown)
 * writen    writes arg1 bytes at *arg0 with unknown, pointer-free contents
 * rmw       dst = *arg0; *arg0 = dst (sub: BinOp, BIN_XCHG ...) arg1
 * cas       dst = *arg0; if dst == arg1 then *arg0 = arg2     (dst is the old value); sub: CasFail, what it orders
 *           where it does not take place
 * fence     order
 * cmp       dst = arg0 sub arg1 (CmpPred), width of the operands in imm
 * bin       dst = arg0 sub arg1 (BinOp)
 * cast      dst = arg0 converted (sub: CastKind); imm: width of arg0
 * filter    dst = arg0 if its class is within aux (ClassId), else throws; sub = 1: instanceof, gives 0 or 1;
 *           sub = 2: its class is known to be within aux, a test came before
 * call      dst = arg0(arg1...); sub: CallKind; aux: for a virtual call the StrId of name+descriptor
 * cinit     runs the initialiser of class aux once: the first thread that comes here does, the others wait for
 *           its end, and the thread that is in it passes; nothing happens for a class without one.  Where the
 *           initialiser throws, this and every later one does
 * nondet    dst = any value (input, unknown result that is no pointer); sub = 1: or any argument of the
 *           function behind its named ones; sub = 2: the exception that led to this handler;
 *           sub = NONDET_COPY: zero if this is a copy of the process that it was in;
 *           sub = NONDET_WAIT: it may have to be waited for, for ever;
 *           sub = NONDET_SELF: a handle of the thread that runs it;
 *           sub = NONDET_UNWIND: the thread ends, but runs the handlers of that first; NONDET_UNWOUND: those further out
 *           cond: whatever the input, some run has a value of these signs (a call that may succeed)
 * extern    dst = result of an unknown function (aux: its name) on args: everything reachable escapes to it
 * assume    execution continues only where arg0 is not 0
 * br/cbr/switch/ret/throw/unreachable  terminators; successors are the block's.
 *           cbr arg0: successor 0 if not 0, else 1.  switch arg0, case values...: successor 0 is the default.
 * exit      the whole process ends (terminator)
 * texit     the current thread ends (terminator); arg0: its result or none
 *
 * and what models turn calls into; `cond` says for which signs of dst it took place
 * (0, or SIGN_ANY: always):
 * acquire   arg0: the lock's address; sub: LockMode; flags INS_TRY, INS_RECURSIVE, INS_ONCE
 * release   arg0: the lock's address; flags as for acquire
 * fork      runs arg1(arg2...) in a new thread; the handle is stored to *arg0 (or 0), width bits wide;
 *           dst: the call's result, or the handle itself if INS_HANDLE; sub = CALL_VIRTUAL: as in a call,
 *           dispatch on arg2's class, aux: the method; INS_REPEATS: any number of times, also at once;
 *           INS_INTERRUPTS: not in a new thread, but in any that is there already, between two steps of it;
 *           INS_FIRST: no thread, if arg2 is an object that this, or another such fork, made one for before
 * join      waits for the end of the thread whose handle is arg0; *arg1 (if given and not null) = its result;
 *           INS_RECURSIVE: passes at once if arg0 is null, and may be repeated; INS_THROWS: may also throw,
 *           at any time and without waiting; INS_ONCE, with INS_TRY: only asks whether it has ended
 * detach    arg0: handle; sub = 1: the thread may end at any of its instructions from now on
 * signal    release(o) event: what came before is ordered before each await(o) that it lets pass; arg0: o; sub: EventKind;
 *           arg1: a semaphore goes up by so many; or so many threads meet at a barrier from now on
 * await     acquire(o) event; arg0: o; sub: EventKind; INS_TRY: may pass without a signal (timeouts, spurious)
 * task      sub = TASK_NAME: the forks behind it that the same model makes (INS_NAMED) are known by the
 *           number arg0 with the address arg1, and by arg2 with arg3, and take place if it does;
 *           TASK_FINISH: waits for all threads so forked that are known by arg0 with arg1, TASK_CANCEL: also for those that they fork so, TASK_CANCEL_ONE: the same, of one TASK_NAME
 * free      arg0: the object ends; a write to all of it
 * publish   arg0 and all it reaches becomes visible to other threads
 */
#define IR_OPS(X)                                                                                  \
	X(NONE, "none")                                                                            \
	X(ALLOC, "alloc")                                                                          \
	X(COPY, "copy")                                                                            \
	X(PHI, "phi")                                                                              \
	X(SELECT, "select")                                                                        \
	X(FIELD, "field")                                                                          \
	X(INDEX, "index")                                                                          \
	X(LOAD, "load")                                                                            \
	X(STORE, "store")                                                                          \
	X(BCOPY, "bcopy")                                                                          \
	X(READN, "readn")                                                                          \
	X(WRITEN, "writen")                                                                        \
	X(RMW, "rmw")                                                                              \
	X(CAS, "cas")                                                                              \
	X(FENCE, "fence")                                                                          \
	X(CMP, "cmp")                                                                              \
	X(BIN, "bin")                                                                              \
	X(CAST, "cast")                                                                            \
	X(FILTER, "filter")                                                                        \
	X(CALL, "call")                                                                            \
	X(CINIT, "cinit")                                                                          \
	X(NONDET, "nondet")                                                                        \
	X(EXTERN, "extern")                                                                        \
	X(ASSUME, "assume")                                                                        \
	X(ACQUIRE, "acquire")                                                                      \
	X(RELEASE, "release")                                                                      \
	X(FORK, "fork")                                                                            \
	X(JOIN, "join")                                                                            \
	X(DETACH, "detach")                                                                        \
	X(SIGNAL, "signal")                                                                        \
	X(AWAIT, "await")                                                                          \
	X(TASK, "task")                                                                            \
	X(FREE, "free")                                                                            \
	X(PUBLISH, "publish")                                                                      \
	/* terminators, from here on */                                                            \
	X(BR, "br")                                                                                \
	X(CBR, "cbr")                                                                              \
	X(SWITCH, "switch")                                                                        \
	X(RET, "ret")                                                                              \
	X(THROW, "throw")                                                                          \
	X(UNREACHABLE, "unreachable")                                                              \
	X(EXIT, "exit")                                                                            \
	X(TEXIT, "texit")

typedef enum Op {
#define X(name, text) OP_##name,
	IR_OPS(X)
#undef X
	    OP_COUNT
} Op;

static inline bool
op_is_terminator(Op op)
{
	return op >= OP_BR;
}

/* stack: ends with its function */
typedef enum AllocKind { ALLOC_STACK, ALLOC_HEAP, ALLOC_LIKE } AllocKind;
enum { ARRAY_HEADER = 8 }; /* bytes before the elements of a Java array */

#define IR_BINOPS(X)                                                                               \
	X(ADD, "add") X(SUB, "sub") X(MUL, "mul") X(UDIV, "udiv") X(SDIV, "sdiv") X(UREM, "urem") \
	X(SREM, "srem") X(SHL, "shl") X(LSHR, "lshr") X(ASHR, "ashr") X(AND, "and") X(OR, "or")   \
	X(XOR, "xor") X(XCHG, "xchg") X(NAND, "nand") X(MAX, "max") X(MIN, "min") X(UMAX, "umax") \
	X(UMIN, "umin") X(FLOAT, "float") /* any floating-point operation */
typedef enum BinOp {
#define X(name, text) BIN_##name,
	IR_BINOPS(X)
#undef X
	    BIN_COUNT
} BinOp;

#define IR_PREDS(X)                                                                                \
	X(EQ, "eq") X(NE, "ne") X(UGT, "ugt") X(UGE, "uge") X(ULT, "ult") X(ULE, "ule")           \
	X(SGT, "sgt") X(SGE, "sge") X(SLT, "slt") X(SLE, "sle") X(FLOAT, "fcmp")
typedef enum CmpPred {
#define X(name, text) CMP_##name,
	IR_PREDS(X)
#undef X
	    CMP_COUNT
} CmpPred;

#define IR_CASTS(X)                                                                                \
	X(TRUNC, "trunc") X(ZEXT, "zext") X(SEXT, "sext") X(PTRTOINT, "ptrtoint")                  \
	X(INTTOPTR, "inttoptr") X(FLOAT, "fpcast")
typedef enum CastKind {
#define X(name, text) CAST_##name,
	IR_CASTS(X)
#undef X
	    CAST_COUNT
} CastKind;

typedef enum CallKind {
	CALL_PLAIN,   /* arg0 is a function address, constant or register */
	CALL_VIRTUAL, /* dispatch on arg1's class; arg0 is the named method */
	CALL_REPEAT,  /* as plain, zero or more times (qsort's comparison) */
	CALL_MAYBE    /* as plain, at most once (atexit, once) */
} CallKind;

#define IR_ORDERS(X)                                                                               \
	X(PLAIN, "plain") X(RELAXED, "relaxed") X(ACQUIRE, "acq") X(RELEASE, "rel")                \
	X(ACQ_REL, "acq_rel") X(SEQ_CST, "seq_cst")
typedef enum MemOrder {
#define X(name, text) ORDER_##name,
	IR_ORDERS(X)
#undef X
	    ORDER_COUNT
} MemOrder;
static inline bool
order_acquires(u8 o)
{
	return o == ORDER_ACQUIRE || o == ORDER_ACQ_REL || o == ORDER_SEQ_CST;
}
static inline bool
order_releases(u8 o)
{
	return o == ORDER_RELEASE || o == ORDER_ACQ_REL || o == ORDER_SEQ_CST;
}

/* SAME: what its order says of loads; RELAXED: nothing; ACQUIRE: it acquires, though one that takes place need not. */
#define IR_FAILS(X) X(SAME, "") X(RELAXED, "fails_relaxed") X(ACQUIRE, "fails_acq")
typedef enum CasFail {
#define X(name, text) FAIL_##name,
	IR_FAILS(X)
#undef X
} CasFail;

#define IR_TASKS(X)                                                                                \
	X(NAME, "name") X(FINISH, "finish") X(CANCEL, "cancel") X(CANCEL_ONE, "cancel_one")
typedef enum TaskKind {
#define X(name, text) TASK_##name,
	IR_TASKS(X)
#undef X
	    TASK_COUNT
} TaskKind;

typedef enum LockMode { LOCK_WRITE, LOCK_READ } LockMode; /* exclusive, shared */

#define IR_EVENTS(X)                                                                               \
	X(SEM, "sem") X(COND, "cond") X(BARRIER, "barrier") X(ONCE, "once") X(QUEUE, "queue")     \
	X(FUTURE, "future")
typedef enum EventKind {
#define X(name, text) EVENT_##name,
	IR_EVENTS(X)
#undef X
	    EVENT_COUNT
} EventKind;

/* Signs of a result: for which the effect of an acquire, fork or join took place. */
enum { SIGN_NEG = 1, SIGN_ZERO = 2, SIGN_POS = 4, SIGN_ANY = 7, SIGN_NONZERO = 5 };

/* Ins.flags */
enum {
	INS_VOLATILE = 1,
	INS_TRY = 2, /* acquire, join, await: may fail or pass by itself; fork: may start late */
	INS_RECURSIVE = 4, /* acquire, release: the lock counts; join: see there */
	INS_HANDLE = 8,    /* fork: dst is the handle */
	INS_THROWS = 16,   /* may throw; a call without it does not */
	INS_ONCE = 32,     /* acquire, release: the lock never counts: taken twice, it is held once;
			  * join: see there */
	INS_MODEL = 64,    /* made by a model: an effect of the library call at src */
	INS_FINAL = 128,   /* store: of a Java final field in its constructor */
	INS_REPEATS = INS_RECURSIVE, /* fork: see there */
	INS_INTERRUPTS = INS_ONCE,   /* fork: see there */
	INS_NAMED = INS_FINAL,       /* fork: see task */
	INS_FIRST = INS_VOLATILE,    /* fork: see there */
	INS_ITEM = INS_ONCE,      /* writen: the number, pointer or text that lies there, at most */
	INS_MAPPED = INS_VOLATILE /* alloc: other processes may have the memory, too */
};
enum { NONDET_COPY = 3, NONDET_WAIT, NONDET_SELF, NONDET_UNWIND, NONDET_UNWOUND };

typedef struct Ins {
	u8 op, sub, order, flags;
	u8 rt;     /* RegType of dst */
	u8 cond;   /* SIGN_* set, see above; 0 where it does not apply */
	u16 width; /* bits of dst, or of the value stored; 0: unknown */
	Val dst;
	u32 arg; /* first operand in ir->args */
	u32 narg;
	u32 aux;
	i64 imm;
	SrcId src;
	u32 site; /* ordinal of the site in its function before any pass, from 1; 0: none */
} Ins;
static_assert(sizeof(Ins) <= 48, "an instruction stays small");

/* Does it acquire where it loads? An exchange: where it takes place (or not). */
static inline bool
ins_acquires(const Ins *i, bool takes_place)
{
	if (i->op == OP_CAS && !takes_place && i->sub != FAIL_SAME)
		return i->sub == FAIL_ACQUIRE;
	return order_acquires(i->order);
}

/* ---- tables ------------------------------------------------------------ */

typedef enum ConstKind {
	CONST_INT, /* num, sign-extended from width; wider than 64 bits: CONST_OPAQUE */
	CONST_NULL,
	CONST_UNDEF,
	CONST_GLOBAL, /* address of global ref, plus num bytes */
	CONST_FN,     /* address of function ref */
	CONST_CLASS,  /* Java class object */
	CONST_OPAQUE  /* a float, wide integer or aggregate: no pointer in it */
} ConstKind;
typedef struct Const {
	u8 kind;
	u8 rt;
	u16 width;
	u32 ref;
	i64 num;
} Const;

typedef enum TypeKind {
	TYPE_NONE,
	TYPE_INT,
	TYPE_FLOAT,
	TYPE_PTR,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_ARRAY,
	TYPE_FN,
	TYPE_CLASS
} TypeKind;
/* The layout of memory and the names in it; for reports, extents and strides. */
typedef struct Type {
	u8 kind;
	StrId name;          /* as the programmer writes it: "struct conn", "int" */
	u64 size;            /* bytes; 0 unknown */
	u32 member, nmember; /* in ir->members */
	TypeId elem;         /* of an array or pointer */
	u64 count;           /* of an array */
} Type;
typedef struct Member {
	StrId name;
	TypeId type;
	u64 off; /* bytes */
} Member;

typedef enum Linkage {
	LINK_DECL,
	LINK_INTERNAL,
	LINK_EXTERNAL,
	LINK_WEAK,
	LINK_COMMON,
	LINK_ALIAS
} Linkage;

enum { IR_INT_INIT = 256 };
/* Begins the name of a function that says where a symbol of the linker is, see link_section.c. */
#define SECTION_BOUND "address of "
typedef struct Global {
	StrId name;   /* linkage name */
	StrId pretty; /* as written; 0: same */
	StrId unit;
	TypeId type;
	u64 size;
	u8 linkage;
	bool tls, constant;
	/* in ir->inits: what is known of its first contents; the rest is zero or pointer-free, and
	 * zero where it is an integer or pointer and the global has at most IR_INT_INIT bytes */
	u32 init, ninit;
	u32 alias; /* LINK_ALIAS: the aliased global in ir */
	SrcId src;
	StrId
	    section; /* of a unit's: where it lies, if it says so; the linked program does without */
} Global;
typedef struct Init {
	u64 off;
	Val val; /* a constant */
} Init;

/* Fn.flags */
enum {
	FN_VARIADIC = 1,
	FN_NORETURN = 2,
	FN_STATIC = 4,       /* Java static method */
	FN_SYNTHETIC = 8,    /* harness or model body: not shown in call paths */
	FN_CONSTRUCTOR = 16, /* runs before main (C), <init> (Java) */
	FN_DESTRUCTOR = 32,
	FN_CINIT = 64,
	FN_ABSTRACT = 128, /* Java method that has a body in subclasses only */
	FN_NATIVE = 256,   /* Java method that is not in Java */
	FN_UNKNOWN = 512,  /* Java method of which nothing is known: its body is unknown code */
	FN_LIBRARY = 1024, /* of what the program uses, not of the program itself */
	FN_PLAIN = 2048,   /* Java static method that is given plain objects and numbers only */
	FN_HIDDEN = 4096   /* C: its name is seen within the program or library only */
};
/* The name of the function that calls a library as anybody might. */
#define FN_CALLER "any caller"
typedef struct Fn {
	StrId name;   /* linkage name; Java: class.method(descriptor) */
	StrId pretty; /* as written */
	StrId unit;
	ClassId class;
	u8 linkage;
	u8 ret; /* RegType */
	u16 flags;
	u32 nparam;
	u32 reg, nreg; /* ir->regs[reg + r] for register r, 1..nreg */
	/* ir->blocks[block + b - 1] for b in 1..nblock; 0 blocks: a declaration */
	u32 block, nblock;
	u32 ins, nins; /* ir->ins[ins .. ins + nins), in block order */
	FnId alias;
	SrcId src;
	StrId proto; /* C: its type as declared, spelled as the name of a TYPE_FN is; 0 unknown */
} Fn;
typedef struct Reg {
	InsId def;  /* 0 for a parameter */
	StrId name; /* the source variable it holds, 0 unknown */
	u8 rt;
	u16 width;
} Reg;
typedef struct Block {
	u32 ins, nins;   /* ir->ins[ins .. ins + nins); the last is the terminator */
	u32 succ, nsucc; /* in ir->succs */
	BlockId exc;     /* exception successor, 0 none */
} Block;
typedef struct Src {
	StrId file;
	u32 line, col;
} Src;
/* What annotations of a class or field say, by their simple names, whatever
 * their package; in flags, from bit 16. */
enum {
	NOTE_GUARDED_BY = 1,
	NOTE_THREAD_SAFE = 2,
	NOTE_NOT_THREAD_SAFE = 4,
	NOTE_IMMUTABLE = 8,
	NOTE_THREAD_CONFINED = 16,
	NOTE_LIBRARY_SAFE = 32 /* by a model file: its library says that threads may share it */
};
/* Classes whose objects are not worth telling apart: all that they hold is text and
 * numbers; they never change.  In flags, too. */
#define CLASS_INTERFACE (1u << 9) /* as a class file has it */
#define CLASS_MODELLED (1u << 29) /* models stand for some of its methods */
#define CLASS_PLAIN (1u << 30)
#define CLASS_VALUE (1u << 31)
typedef struct Class {
	StrId name;
	ClassId super;
	u32 iface, niface;   /* in ir->refs: ClassIds */
	u32 method, nmethod; /* in ir->refs: FnIds */
	u32 field, nfield;   /* ir->fields[field .. field + nfield) */
	u32 flags;
	FnId cinit;
	StrId unit;
} Class;
typedef struct Field {
	StrId name;
	ClassId class;
	TypeId type;
	u32 flags;
	StrId guard; /* the lock that an annotation promises, as it is written there; 0 none */
} Field;
/* What could not be represented or was skipped: shown to the user. */
typedef struct Assume {
	StrId what; /* "inline assembly ignored" */
	FnId fn;    /* where, 0 none */
	SrcId src;
} Assume;

typedef struct Ir {
	Arena *arena; /* owns all tables */
	Intern strs;
	StrId unit;      /* name of the unit; 0 for a linked program */
	u64 hash;        /* of the unit's content; beside site ids, for checking */
	u32 ptr_bytes;   /* 4 or 8 */
	u32 image;       /* of a unit: which shared library it is in, 0 for none; not written */
	Vec(Type) types; /* all tables: element 0 is unused, zeroed */
	Vec(Member) members;
	Vec(Const) consts;
	Vec(Global) globals;
	Vec(Init) inits;
	Vec(Fn) fns;
	Vec(Reg) regs;
	Vec(Block) blocks;
	Vec(Ins) ins;
	VecU32 args, succs, refs;
	Vec(Src) srcs;
	Vec(Class) classes;
	Vec(Field) fields;
	Vec(Assume) assumes;
	Map const_index, src_index;       /* for ir_const_* and ir_src */
	u32 consts_indexed, srcs_indexed; /* up to these */
} Ir;

/* Makes ir an empty unit whose memory is a's. */
void ir_init(Ir *ir, Arena *a);

static inline const char *
ir_str(const Ir *ir, StrId s)
{
	return intern_get(&ir->strs, s);
}
static inline const Ins *
ir_ins(const Ir *ir, InsId i)
{
	return &ir->ins.at[i];
}
static inline Val
ins_arg(const Ir *ir, const Ins *i, u32 k)
{
	assert(k < i->narg);
	return ir->args.at[i->arg + k];
}
/* By file, in order of arrival, then line and column. */
static inline int
src_compare(const Src *x, const Src *y)
{
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->col > y->col) - (x->col < y->col);
}
static inline const Block *
fn_block(const Ir *ir, const Fn *f, BlockId b)
{
	assert(b >= 1 && b <= f->nblock);
	return &ir->blocks.at[f->block + b - 1];
}
static inline const Reg *
fn_reg(const Ir *ir, const Fn *f, Val r)
{
	assert(val_is_reg(r) && r <= f->nreg);
	return &ir->regs.at[f->reg + r];
}
static inline const Const *
ir_const(const Ir *ir, Val v)
{
	return &ir->consts.at[val_const(v)];
}

/* ---- building (front ends, models, harness, text reader) ---------------- */

Val ir_const_int(Ir *ir, u16 width, i64 num);
Val ir_const_null(Ir *ir);
Val ir_const_undef(Ir *ir);
Val ir_const_opaque(Ir *ir);
Val ir_const_global(Ir *ir, GlobalId g, i64 off);
Val ir_const_fn(Ir *ir, FnId f);
Val ir_const_class(Ir *ir, ClassId c);
SrcId ir_src(Ir *ir, StrId file, u32 line, u32 col);

/* Builds one function body at a time, blocks in order:
 *
 *	Build b;
 *	build_begin(&b, ir, fn);           fn's header is set, nparam too
 *	BlockId e = build_block_new(&b);   reserves ids; the first is the entry
 *	build_block_start(&b, e);          in the order of ids
 *	Ins *i = build_ins(&b, OP_LOAD, 1, (Val[]){addr});  then set its fields
 *	i->dst = build_reg(&b, RT_INT, 32);
 *	build_term(&b, OP_BR, 0, NULL, 1, (BlockId[]){next});
 *	build_end(&b);                     sets fn's ranges and the registers' defs
 *
 * Registers may be used before the instruction that defines them is built.
 * The Ins pointer is valid until the next build call. */
typedef struct Build {
	Ir *ir;
	FnId fn;
	BlockId cur;
	u32 nblock;
	Vec(Block) blocks;
	SrcId src; /* given to each instruction built */
	u32 site;  /* likewise */
} Build;
void build_begin(Build *b, Ir *ir, FnId fn);
BlockId build_block_new(Build *b);
void build_block_start(Build *b, BlockId block);
void build_block_exc(Build *b, BlockId block, BlockId handler);
Val build_reg(Build *b, RegType rt, u16 width);
/* Says what parameter k, from 0, is: register k + 1.  Until then it is void. */
void build_param(Build *b, u32 k, RegType rt, u16 width, StrId name);
Ins *build_ins(Build *b, Op op, u32 narg, const Val *args);
Ins *build_term(Build *b, Op op, u32 narg, const Val *args, u32 nsucc, const BlockId *succs);
void build_end(Build *b);

/* ---- text, checking, serial form, linking ------------------------------- */

#include <stdio.h>

struct Diag; /* base/diag.h */

/* Prints ir so that ir_parse gives back the same program. */
void ir_print(const Ir *ir, FILE *to);
/* Prints one function, or one instruction without a newline. */
void ir_print_fn(const Ir *ir, FnId f, FILE *to);
void ir_print_ins(const Ir *ir, FnId f, InsId i, FILE *to);
/* Reads the text form into ir, which is empty; false after a diagnostic with
 * file, line and column. */
bool ir_parse(Ir *ir, const char *file, const char *text, size_t n, struct Diag *diag);
/* Checks every invariant of this header; returns null, or what is wrong, in
 * ir's arena. */
const char *ir_check(const Ir *ir);
/* The serial form: a checksummed dump of the tables. */
void ir_write(const Ir *ir, Arena *a, u8 **bytes, size_t *n);
/* Reads it into ir, which is empty; false: corrupt.  Never trusts a length, but
 * what the tables say is for ir_check to judge, before anything else. */
bool ir_read(Ir *ir, const u8 *bytes, size_t n);
/* Joins n units into out (empty): internal symbols stay apart, weak and
 * common ones merge, declarations and aliases resolve.  Reports duplicate
 * strong definitions. */
void ir_link(Ir *out, Ir *const *units, u32 n, struct Diag *diag);

/* A function by linkage name; 0 if there is none, or none external. */
FnId ir_find_fn(const Ir *ir, const char *name);

#endif
