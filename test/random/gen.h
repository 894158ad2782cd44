/* gen.h - random small concurrent programs, from a seed.
 *
 * A program is first made as statements of a little C-like language, which is
 * lowered to IR.  Shrinking works on the statements: each can be switched off
 * (or replaced by its body) and the rest still lowers to a valid program. */
#ifndef RANDOM_GEN_H
#define RANDOM_GEN_H

#include "ir/ir.h"

/* Every function has these variables: pointers, numbers, thread handles.
 * The first pointer and number are its parameters. */
typedef enum Var { P0, P1, V0, V1, H0, H1, VARS } Var;

/* Globals, in the order of their ids.  S has the layout of heap objects:
 * two numbers (as one union), a lock, a pointer. */
#define GEN_GLOBALS(X)                                                                             \
	X(X, "x", 4) X(Y, "y", 4) X(S, "s", 24) X(ARR, "arr", 8) X(FLAG, "flag", 4)               \
	X(PTR, "G", 8) X(A, "A", 8) X(B, "B", 8) X(R, "R", 8) X(HANDLE, "h", 8) X(FP, "fp", 8)    \
	X(SEM, "sem", 8) X(COND, "cond", 8) X(TLS, "own", 4) X(HANDLES, "hs", 16) X(LOCKS, "locks", 16) X(BARRIER, "barrier", 8)
typedef enum Base {
	BASE_NONE,
#define X(name, text, size) BASE_##name,
	GEN_GLOBALS(X)
#undef X
	    BASE_P0,
	BASE_P1
} Base;
enum { OFF_LOCK = 8, OFF_NEXT = 16, OBJECT_SIZE = 24 };

typedef struct Place {
	u8 base; /* Base */
	u8 off;
	u8 width; /* bytes; also the stride of an index */
	u8 index; /* 0 none, else a Var + 1; bit 7: masked to 0..1 */
} Place;
enum { INDEX_MASKED = 0x80 };

#define GEN_STMTS(X)                                                                               \
	X(LOAD, "load") X(STORE, "store") X(RMW, "rmw") X(CAS, "cas") X(BCOPY, "bcopy")            \
	X(WRITEN, "writen") X(READN, "readn") X(ALLOC, "alloc") X(FREE, "free")                    \
	X(PLOAD, "load pointer") X(PSTORE, "store pointer") X(PSET, "address of")                  \
	X(LOCK, "lock") X(TRYLOCK, "trylock") X(UNLOCK, "unlock") X(CALL, "call")                  \
	X(ICALL, "indirect call") X(FORK, "fork") X(JOIN, "join") X(TRYJOIN, "try join")           \
	X(JOINAT, "join element") X(FPSET, "store function") X(HSELECT, "choose handle") X(HLOAD, "load handle") X(DETACH, "detach") X(NONDET, "nondet") \
	X(IF, "if") X(IFP, "if pointer") X(LOOP, "loop") X(RETIF, "return if") X(SIGNAL, "signal") \
	X(AWAIT, "await") X(FENCE, "fence") X(ASSUME, "assume") X(EXIT, "exit if") X(TEXIT, "texit if") \
	X(SYNC, "synchronized") X(TRY, "try") X(THROW, "throw if") X(VCALL, "virtual call")        \
	X(CINIT, "initialise") X(NEW, "construct") X(CALC, "calculate")
typedef enum StmtKind {
#define X(name, text) ST_##name,
	GEN_STMTS(X)
#undef X
	    ST_COUNT
} StmtKind;

typedef struct Stmt {
	u8 kind;
	u8 var, var2;
	u8 fn, fn2; /* callee: index into Prog.fns */
	u8 order;   /* MemOrder */
	u8 flags;   /* INS_ */
	u8 cls;     /* a class, from 1: what is made or initialised; 0 none */
	u8 mode; /* calculate: BinOp; LockMode, AllocKind, EventKind, ForkMode; rmw: 1 if it exchanges; cas: CasFail; loop: 1 if var is its counter;
	               * indirect call: 1 if through the global */
	i32 num; /* value, count; store: -1 means var; if: 1 means inverted; signal: how many, 0 one;
	          * fork: it passes num - 1, 0 var2 */
	Place place, place2;
	u32 body, other, next; /* index into Prog.stmts, 0 none */
	bool gone, flat;       /* shrinking: left out; replaced by its body */
} Stmt;
/* Where the handle goes: a register, a variable on the stack, a global, an
 * element of the global array. */
typedef enum ForkMode {
	FORK_REGISTER,
	FORK_STACK,
	FORK_GLOBAL,
	FORK_MAY_FAIL,
	FORK_ELEMENT
} ForkMode;

/* Classes: P and Q, below it, whose methods m are the two helpers, and two with
 * initialisers. */
enum { CLASS_P = 1, CLASS_Q, CLASS_K, CLASS_L };
enum { GEN_FNS = 11 };
typedef enum FnKind {
	FN_MAIN,
	FN_THREAD,
	FN_HELPER,
	FN_STARTER,
	FN_LOCKER,
	FN_UNLOCKER,
	FN_MAKER, /* a constructor */
	FN_INIT   /* of a class */
} FnKind;
typedef struct GenFn {
	const char *name;
	FnKind kind;
	u32 body; /* first statement */
} GenFn;

typedef struct Prog {
	u64 seed;
	bool java; /* calls may throw, joins pass on null */
	u32 nfn;
	GenFn fns[GEN_FNS]; /* fns[0] is main */
	Vec(Stmt) stmts;    /* from 1 */
} Prog;

/* Makes the program of a seed; memory is a's. */
void gen_make(Prog *p, u64 seed, Arena *a);
/* Lowers p into ir, which is initialised and empty; returns its main. */
FnId gen_lower(const Prog *p, Ir *ir);
const char *gen_stmt_name(StmtKind k);

#endif
