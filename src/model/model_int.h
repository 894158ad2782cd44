/* model_int.h - parsed models, for the files of this directory. */
#ifndef MODEL_MODEL_INT_H
#define MODEL_MODEL_INT_H

#include "base/set.h"
#include "ir/class.h"
#include "model/model.h"

/* What an effect talks about. */
typedef enum ExprKind {
	EXPR_PARAM, /* argument num, from 0 */
	EXPR_REST,  /* each argument behind the named ones that is a pointer */
	EXPR_NUM,   /* num */
	EXPR_NULL,
	EXPR_ANY,    /* an unknown value that is no pointer */
	EXPR_SELF,   /* a handle of the calling thread */
	EXPR_RESULT, /* what the call returns */
	EXPR_CELL,   /* the address of library object num */
	EXPR_DEREF,  /* the pointer stored at *of */
	EXPR_INTO,   /* of and a multiple of num bytes, within the object */
	EXPR_PLUS,   /* of and num bytes */
	EXPR_WORDS,  /* of and num times the size of a pointer */
	EXPR_PART, /* of and the offset of the program's member num (of the names), "type.member" */
	EXPR_MEMBER /* the library's field num (of the names) in of's object */
} ExprKind;
typedef struct Expr {
	u8 kind;
	i64 num;
	const struct Expr *of;
} Expr;

/* A number of bytes: unknown, up to a zero byte, or a product of factors. */
typedef enum SizeKind { SIZE_ANY, SIZE_STRING, SIZE_WORD, SIZE_ITEM, SIZE_PRODUCT } SizeKind;
enum { SIZE_FACTORS = 3 };
typedef struct Size {
	u8 kind;
	u8 nfactor;
	const Expr *factor[SIZE_FACTORS];
} Size;

#define MODEL_VERBS(X)                                                                             \
	X(NOTHING, "nothing")                                                                      \
	X(ACQUIRE, "acquire")                                                                      \
	X(RELEASE, "release")                                                                      \
	X(HOLD, "hold")                                                                            \
	X(FORK, "fork")                                                                            \
	X(JOIN, "join")                                                                            \
	X(DETACH, "detach")                                                                        \
	X(NAME, "name")                                                                            \
	X(FINISH, "finish")                                                                        \
	X(CANCEL, "cancel")                                                                        \
	X(STOP, "stop")                                                                            \
	X(UNWIND, "unwind")                                                                        \
	X(SIGNAL, "signal")                                                                        \
	X(AWAIT, "await")                                                                          \
	X(WAIT, "wait")                                                                            \
	X(PUBLISH, "publish")                                                                      \
	X(RETAIN, "retain")                                                                        \
	X(FREE, "free")                                                                            \
	X(READ, "read")                                                                            \
	X(WRITE, "write")                                                                          \
	X(COPY, "copy")                                                                            \
	X(ALLOCATE, "allocate")                                                                    \
	X(CHANNEL, "channel")                                                                      \
	X(RETURN, "return")                                                                        \
	X(CALL, "call")                                                                            \
	X(KEEP, "keep")                                                                            \
	X(RUN, "run")                                                                              \
	X(LOAD, "load")                                                                            \
	X(STORE, "store")                                                                          \
	X(RMW, "rmw")                                                                              \
	X(CAS, "cas")                                                                              \
	X(FENCE, "fence")                                                                          \
	X(EXIT, "exit")                                                                            \
	X(THROW, "throw")                                                                          \
	X(DUPLICATE, "duplicate")                                                                  \
	X(SUCCEEDS, "succeeds")                                                                    \
	X(WAITS, "waits")                                                                          \
	X(ASSUME, "assume")                                                                        \
	X(ASSUMPTION, "assumption")                                                                \
	X(PROVE, "prove")                                                                          \
	X(REFUTE, "refute")

typedef enum Verb {
#define X(name, text) VERB_##name,
	MODEL_VERBS(X)
#undef X
	    VERB_COUNT
} Verb;

/* One effect; which fields a verb uses is told in parse.c. */
typedef struct Effect {
	u8 verb;
	u8 sub;   /* LockMode, EventKind, CallKind or BinOp */
	u8 cond;  /* SIGN_* */
	u8 order; /* MemOrder; unless order_arg */
	bool try, recursive, handle, thread;
	bool checked; /* cond matters only if the program looks at the result */
	bool result;  /* this effect makes the call's result */
	bool fresh;   /* rmw: the result is the new value; cas: whether it took place */
	bool or_null;
	u8 which;                /* return: CmpPred of a and c that holds if it is a; 0: either */
	bool mapped;             /* allocate: other processes may have it, too */
	bool is_zero;            /* rmw: the result is whether the new value is zero */
	bool at_end;             /* call: when main has returned */
	bool interrupts;         /* fork: in a thread that is there already */
	bool first;              /* fork: not again for the same object */
	bool in_turn;            /* fork: one thread makes the call any number of times */
	bool one;                /* cancel: only of one call */
	bool named;              /* fork: known by the name before it */
	u32 kinds[2];            /* name, finish, cancel: hashes of what a and b are */
	bool again, now, throws; /* join, await; throws: only if fact holds, if there is one */
	const char *method;      /* call, fork: a virtual one on a; fork: with the lock c held */
	u16 width;               /* bits; 0: from the result or value */
	const Expr *order_arg;   /* the order is this argument, numbered as in <stdatomic.h> */
	u32 fact;          /* acquire, release: recursive only if it holds; prove, refute: it */
	i64 number;        /* prove, refute: if argument a is this */
	const Expr *given; /* not if this argument is a constant zero; or, with: */
	i64 is[8];         /* only if it is one of these constants, */
	u32 nis;
	bool is_not; /* or unless it is */
	u32 when;    /* only if this fact holds, */
	bool unless; /* or only if it does not */
	const Expr *a, *b, *c;
	const Expr **args; /* without the receiver */
	u32 narg;
	Size size;
	const char *text;
	struct Effect *next;
} Effect;

typedef struct Rule {
	const char *file;
	u32 line;
	u32 nparam;
	const char **params;                 /* their names */
	bool variadic, override, wrap, ends; /* ends: the call does not return */
	bool internal;                       /* override: also a unit's own, as of a header */
	bool uses_result;                    /* some effect speaks of what the call returns */
	bool gives_address;                  /* it is made by allocate, or a method */
	const Effect *effects;
	struct Rule *next; /* of the same name: a later rule stands before */
} Rule;

/* A name with `*` at one end or at both. */
typedef struct Pattern {
	const char *text; /* without the stars */
	u32 len;
	bool head, tail; /* a star there */
	bool wrap;
	Rule *rule;
} Pattern;

/* An object of the library, as a declaration in a model file makes it. */
typedef struct Cell {
	u32 name; /* in Models.names */
	u64 size;
	bool thread;
	const char *pretty;
} Cell;

/* A variable of that type that begins with the number there refutes the fact. */
typedef struct Initial {
	u32 fact;
	const char *type;
	i64 number;
	u64 off; /* bytes */
} Initial;

/* A fact that holds if a type of the program has a member: "type.member". */
typedef struct Layout {
	u32 fact;
	u32 part; /* of the names */
} Layout;

/* A class whose objects are not worth telling apart: plain.c. */
typedef struct Plain {
	const char *class;
	bool value; /* and never change */
	bool safe;  /* no plain one: threads may share its objects */
} Plain;

/* The functions with which a program of some kind begins and ends. */
typedef struct Start {
	const char *first, *then; /* then: null for none */
} Start;

struct Models {
	Arena *arena;
	Intern names;      /* of functions, cells and facts */
	Vec(Rule *) exact; /* [name]: its rules, the latest first */
	Vec(Pattern) patterns;
	Vec(Cell) cells; /* from 1 */
	Map cell_of;     /* name -> index of cells */
	Map fact_of;     /* name -> fact, from 1 */
	u32 nfact;
	Set assumed; /* facts that hold unless refuted */
	Vec(Initial) initials;
	Vec(Layout) layouts;
	Vec(Plain) plain;
	Vec(Start) starts;
	u64 hash;
	Vec(const char *) ignored; /* names that have no rules */
};

/* The rule for a call of name with narg arguments, null if there is none; with
 * any true the number does not matter. */
const Rule *models_find(const Models *m, const char *name, u32 narg, bool any);
/* A rule of just that name, for any number of arguments; null if there is none. */
const Rule *models_named(const Models *m, const char *name);
/* Is it a name that models_ignore was given, or a part of what has that name? */
bool models_ignored(const Models *m, const char *name);
/* The wrap rule for a function of that name with a body, or null. */
const Rule *models_wrap(const Models *m, const char *name);

/* ---- applying (apply.c) and emitting effects (effect.c) -------------------- */

/* A call that was handed to the library at one site: keep.c. */
typedef struct Kept {
	const Effect *effect;
	GlobalId first; /* the callee's, then one for each argument that is not `any` */
} Kept;

/* What one model_apply shares between the functions that it rewrites. */
enum { FACT_OPEN, FACT_HOLDS, FACT_NEVER };

/* A function that makes a callback any number of times. */
typedef struct Helper {
	const Effect *effect;
	FnId fn;
	bool fork;
} Helper;

/* A function that a new thread runs in place of the program's: serial.c. */
typedef struct Serial {
	const Effect *effect;
	FnId fn;
	bool locked;
	u32 same;    /* the argument that is the lock, too; 0 none */
	Reg *params; /* of fn: what to call, its arguments, the lock */
} Serial;

typedef struct Apply {
	Ir *out;
	const Ir *in;
	const Models *m;
	struct Diag *diag;
	GlobalId *cells;       /* [cell]: its global in out, 0 not yet made */
	Map told;              /* texts of assumptions already made */
	u8 *kept;              /* [FnId]: the program says what it does */
	u8 *taken;             /* [FnId]: may be called other than by name */
	u8 *holds;             /* [fact]: FACT_* */
	FnId *target;          /* [FnId]: see method_target, plus 1; 0 not yet known */
	ClassIndex classes;    /* of in, when first asked for */
	ClassId library_class; /* of the fields that models name; 0 none yet */
	Map class_types;       /* StrId of a class -> its type */
	Map methods;           /* StrId -> FnId + 1 */
	Map parts;             /* name of a "type.member" -> PART_*, or its offset and PART_AT */
	Map helper_of;         /* StrId -> FnId */
	Vec(Helper) helpers;
	Vec(Serial) serials;
	SrcId end_src;              /* where the first of these was asked for: */
	Vec(const Effect *) at_end; /* calls to make when main has returned, each once */
	Vec(Kept) kept_calls;       /* see keep.c */
	FnId *runners;              /* [cell]: the function that makes its calls, 0 none */
} Apply;

/* Where the program's types have the member that models call "type.member":
 * PART_NONE no such type is known, PART_ABSENT it has no such member, PART_MANY
 * several places; else its offset in bytes and PART_AT (part.c). */
enum { PART_NONE = 1, PART_ABSENT, PART_MANY, PART_AT };
u32 part_find(Apply *x, u32 name);
/* The function without a body that a plain call by name means, else 0. */
FnId apply_callee(const Apply *x, const Ins *i);
/* Decides x->holds by the calls of the whole program (fact.c). */
void apply_facts(Apply *x);
/* Has the effect `call` take place when main has returned; src asks for it. */
void apply_at_end(Apply *x, const Effect *call, SrcId src);
/* Makes a body that does what the model of f says, for calls that do not name f. */
void apply_synthesise(Apply *x, FnId f);
/* Notes an assumption once, for fn at src. */
void apply_assume(Apply *x, const char *text, FnId fn, SrcId src);

/* Where the effects of one call go. */
typedef struct Emit {
	Apply *x;
	Build *b;
	const Rule *rule;
	const Val *args; /* of the call, without the callee */
	u32 narg;
	Val dst;           /* the call's result, 0 none */
	Val made;          /* a new object, and */
	const Expr *other; /* what the call may return in its place; both 0: none */
	RegType rt;
	u16 width;
	bool checked; /* the program compares the result */
	bool defined; /* dst has its definition */
	bool ended;   /* a terminator was emitted */
	FnId callee;  /* the Java method that is called, in x->in; else 0 */
	Val rest;     /* what EXPR_REST stands for at the moment */
	bool named;   /* forks from here on are known by a name */
} Emit;

/* Emits all of e->rule's effects and, if none of them did, defines dst. */
void effect_emit(Emit *e);
/* Emits the call of an effect of the rules, now. */
void effect_emit_call(Emit *e, const Effect *f);
/* How the names of the globals begin that stand for cells of models. */
#define CELL_PREFIX "model."
/* The cell of that name in a program that models were applied to before; 0:
 * none. */
GlobalId apply_known_cell(const Apply *x, const char *name);
/* The value of an expression, in the place where e emits. */
Val effect_value(Emit *e, const Expr *x);
/* A new instruction of the model's. */
Ins *effect_ins(Emit *e, Op op, u32 narg, const Val *args);
/* serial.c: the function to fork in place of args[0], which is to be called with the n - 1
 * others, the last of which is a lock if locked; and its body, at the end. */
FnId serial_fn(Emit *e, const Effect *f, bool locked, u32 n, const Val *args);
void serial_finish(Apply *x);
/* keep.c: emits what `keep` and `run` stand for, and at the end the functions
 * that make the calls. */
void keep_emit(Emit *e, const Effect *f);
void keep_run(Emit *e, const Effect *f);
void keep_finish(Apply *x);
/* ---- Java methods (method.c) ------------------------------------------------ */

/* The method that a virtual call of f certainly runs; f itself if it has no
 * class, 0 if there are several. */
FnId method_target(const Apply *x, FnId f);
/* "run()V" of "a.B.run()V". */
const char *method_short_name(const char *name);
/* The library's own field of that name, in any object. */
FieldId method_field(Apply *x, const char *name);
TypeId method_class_type(Apply *x, const char *name);
/* Emits the callback or fork of a method; returns its result or handle. */
Val method_emit(Emit *e, const Effect *f, bool fork);
/* Builds what method_emit asked for. */
void method_finish(Apply *x);

/* ---- unknown Java methods (unknown.c) -------------------------------------- */

/* Behind the type of the descriptor at s. */
const char *unknown_type_end(const char *s);
/* The class that the descriptor's type at s names; 0: none that the program has,
 * or a number. */
ClassId unknown_class_at(Apply *x, const char *s);
/* The declared class of what f returns, if that says anything; else 0. */
ClassId unknown_result_class(Apply *x, FnId f);
TypeId unknown_result_type(Apply *x, FnId f);
/* The rule for a method of which the program would have the body if it were
 * known to run it, or for a native one of a library; null if f is neither. */
const Rule *unknown_rule(const Apply *x, FnId f, u32 narg);
/* Lists what is assumed where that rule stands for f. */
void unknown_assume(Emit *e, FnId f);
/* Emits the callbacks that the unknown method f may make with its arguments. */
void unknown_callbacks(Emit *e, FnId f);
/* Gives the methods without body and model that may be dispatched to bodies. */
void unknown_finish(Apply *x);

/* Marks what model files say is plain (plain.c). */
void plain_finish(Apply *x);

/* Emits the acquire at entry or the release at exit of a wrap rule. */
void effect_emit_hold(Emit *e, bool acquire);

#endif
