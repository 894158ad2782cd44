/* llvm_int.h - what the files of the LLVM front end share.
 *
 * One Lower exists per module, inside the child process.  LLVM's objects are
 * named by their addresses, as keys of maps that are only looked up, never
 * walked: nothing in the output depends on an address. */
#ifndef LLVM_LLVM_INT_H
#define LLVM_LLVM_INT_H

#include "ir/ir.h"
#include "llvm/llvm.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

/* Attributes of functions and calls that matter here, by LLVM's numbers. */
typedef struct AttrKinds {
	u32 noreturn_fn, nounwind, byval, memory, elementtype, twice;
} AttrKinds;

/* An operand of a phi whose value is known only at the function's end. */
typedef struct PhiSlot {
	u32 arg; /* in ir->args */
	Val phi;
	BlockId pred;
	LLVMValueRef value;
} PhiSlot;

/* What a phi takes from a block and must be computed there. */
typedef struct Late {
	LLVMValueRef phi, value;
	u32 next; /* of the same block: row + 1 */
} Late;

/* A call that may return again. */
typedef struct Twice {
	LLVMValueRef call;
	LLVMBasicBlockRef block;
	BlockId resume, landing; /* behind it; where a jump comes back */
	LLVMBasicBlockRef skip;  /* where control goes from the landing, null: behind the call */
	Val second;              /* what it returns then */
	u32 outer;               /* of the calls that dominate it the nearest, row + 1 */
	bool loose;              /* a jump may come from where there is no edge to the landing */
} Twice;

typedef struct Lower {
	Ir *ir;
	Arena *arena; /* lives as long as the Lower */
	LLVMContextRef ctx;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	const char *cwd;
	bool tidy; /* as Source says */
	AttrKinds attr;

	Vec(LLVMValueRef) sites; /* the instructions of all bodies before any pass, in order */
	u32 nsite;               /* of sites: where the next body to lower begins */
	u32 dbg[4];              /* LLVM's numbers of its debug intrinsics */
	Map globals, fns;        /* global value -> id */
	Map bounds;              /* variable at a section's bound -> FnId, see section.c */
	Map types, named;        /* debug or LLVM type -> TypeId; StrId of "struct.s" -> TypeId */
	VecU32 anon;             /* TypeIds of structs and unions without a name */
	Vec(LLVMMetadataRef) queue; /* composite types still to be filled */
	u32 filled;                 /* of queue */
	Map files;                  /* debug file -> StrId */
	bool traps;                 /* some function may end the process by an intrinsic */
	bool jumps;                 /* some function may return twice */
	Map intrinsics;             /* LLVM's number -> row of the table + 1 */
	Map assumed;                /* (text, function) already noted */

	/* the function being lowered */
	Arena scratch;
	Build b;
	bool may_throw;
	Map site;                 /* instruction -> ordinal before any pass */
	Map srcs;                 /* debug location -> SrcId */
	LLVMMetadataRef last_loc; /* the last one asked for */
	SrcId last_src;
	Map vals;                   /* value -> Val */
	Map second;                 /* value that is a pair -> Val of its element 1 */
	Map declares;               /* alloca -> row of declared + 1 */
	Vec(LLVMValueRef) declared; /* calls of llvm.dbg.declare */
	Map head, tail;             /* block -> its first, its last BlockId */
	Map edges;                  /* (phi, pred) -> Val computed at the end of pred */
	Map late_of;                /* BlockId -> row of late + 1 */
	Vec(Late) late;
	Map phi_seen; /* (phi, pred): has an operand */
	Vec(PhiSlot) slots;
	SrcId fn_src;
	Vec(Twice) twice;
	Map twice_of; /* call -> row of twice + 1 */
	Map handler;  /* block -> row of twice + 1 of the nearest that dominates it */
	BlockId throw_on;
	Map skips; /* (resume, head of the block to skip to) -> landing */
} Lower;

#define KEY(p) ((u64)(uintptr_t)(p))

/* ---- module.c */
typedef struct Source {
	const char *name;  /* of the unit */
	const char *cwd;   /* where the user is; files elsewhere get their directory */
	const void *bytes; /* bitcode or LLVM text */
	size_t n;
	bool trusted; /* written by our clang, and not changed since */
	bool tidy;    /* compiled anywhere: name files as one would at cwd */
	bool last;    /* the process ends behind it: LLVM's memory is left to that */
} Source;

/* Sets LLVM's options; once in each process, before the first module. */
void module_prepare(void);

/* Lowers a module.  Returns null, or what is wrong, in a's memory. */
const char *module_lower(Ir *ir, Arena *a, const Source *source);
/* Notes what could not be represented, once for each function. */
void lower_assume(Lower *l, const char *what);

/* ---- type.c, layout.c */
/* What a register of type t holds, and its width. */
RegType type_reg(Lower *l, LLVMTypeRef t, u16 *width);
/* Bytes that t takes in memory; 0 where it has no size. */
u64 type_size(Lower *l, LLVMTypeRef t);
/* The type of LLVM's t, from debug information where there is some. */
TypeId type_of(Lower *l, LLVMTypeRef t);
/* The type that md describes, its members still unknown until type_fill; 0
 * for void and none. */
TypeId type_of_debug(Lower *l, LLVMMetadataRef md);
/* Fills in the types named since the last call, and those they name. */
void type_fill(Lower *l);

/* ---- proto.c */
/* The type of a function as a string, 0 if md is none. */
StrId proto_of(Lower *l, LLVMMetadataRef md);

/* ---- debug.c */
/* Operand k of a debug node, null where there is none. */
LLVMMetadataRef debug_operand(Lower *l, LLVMMetadataRef node, u32 k);
/* All operands, in l->scratch; null operands are null. */
LLVMMetadataRef *debug_operands(Lower *l, LLVMMetadataRef node, u32 *n);
/* Operand k of a debug node if it is a string that is not empty. */
StrId debug_name(Lower *l, LLVMMetadataRef node, u32 k);
/* The path of a debug file. */
StrId debug_file(Lower *l, LLVMMetadataRef file);
/* The position of an instruction, 0 unknown. */
SrcId debug_src(Lower *l, LLVMValueRef ins);
/* The variable that a global has in the debug information, or null. */
LLVMMetadataRef debug_global(LLVMValueRef global);
StrId debug_variable_name(Lower *l, LLVMMetadataRef var);
TypeId debug_variable_type(Lower *l, LLVMMetadataRef var);
/* Learns the types of all variables and of what the units retain. */
void debug_collect_types(Lower *l);
/* Learns LLVM's numbers of its debug intrinsics. */
void debug_setup(Lower *l);
/* Is ins a call of one of LLVM's debug intrinsics? */
bool debug_is_intrinsic(const Lower *l, LLVMValueRef ins);
/* Takes a variable's name from llvm.dbg.declare or llvm.dbg.value. */
void debug_name_variable(Lower *l, LLVMValueRef call);
/* What operand k of a debug intrinsic wraps: a value or a node; else null. */
LLVMValueRef debug_wrapped_value(LLVMValueRef call, u32 k);
LLVMMetadataRef debug_wrapped_node(LLVMValueRef call, u32 k);

/* ---- value.c */
/* The operand that stands for v; emits instructions for a constant
 * expression that is no address. */
Val value_of(Lower *l, LLVMValueRef v);
/* The constant that stands for v, or 0 if none can. */
Val value_const(Lower *l, LLVMValueRef v);
/* Records the contents of a global that v initialises at off. */
void value_init(Lower *l, LLVMValueRef v, u64 off, bool ints);
/* Says that v's register is r. */
void value_set(Lower *l, LLVMValueRef v, Val r);
/* A fresh register for v, defined by i. */
Val value_define(Lower *l, LLVMValueRef v, Ins *i);

/* ---- function.c */
void function_lower(Lower *l, FnId f, LLVMValueRef fn);
/* Builds an instruction with a result of type t into a new register. */
Val emit(Lower *l, Op op, LLVMTypeRef t, u32 narg, const Val *args);
/* The same with the kind of result given. */
Val emit_as(Lower *l, Op op, RegType rt, u16 width, u32 narg, const Val *args);

/* The register of a phi, which may be asked for before the phi is reached. */
Val value_of_phi(Lower *l, LLVMValueRef phi);

/* ---- ins.c */
void ins_lower(Lower *l, LLVMValueRef ins);
/* Lowers arithmetic, comparison, cast, select and the like, instruction or
 * constant expression, and returns its value; 0 if op is none of these. */
Val ins_compute(Lower *l, LLVMValueRef v, LLVMOpcode op);

/* ---- memory.c */
/* The address that a getelementptr computes. */
Val memory_gep(Lower *l, LLVMValueRef gep);
void memory_lower(Lower *l, LLVMValueRef ins, LLVMOpcode op);
/* p + off as an address, p itself for 0. */
Val memory_at(Lower *l, Val p, i64 off);
MemOrder memory_ordering(LLVMAtomicOrdering o);

/* ---- call.c, intrinsic.c */
/* Lowers a call, or the call that an invoke or callbr makes. */
void call_lower(Lower *l, LLVMValueRef call);
void intrinsic_lower(Lower *l, LLVMValueRef call, LLVMValueRef callee);
/* Does the intrinsic end the process?  Is ins a call of such a one? */
bool intrinsic_traps(LLVMValueRef callee);
bool intrinsic_is_trap(LLVMValueRef ins);
/* An unknown effect with the call's arguments, under the given name. */
void call_extern(Lower *l, LLVMValueRef call, const char *name);
bool call_may_throw(Lower *l, LLVMValueRef call);

/* ---- section.c */
/* Declares what says where v is, if the linker places it at the bound of a section. */
void section_declare(Lower *l, LLVMValueRef v);

/* ---- twice.c */
/* Numbers the blocks behind the calls in block, up to end, that may return twice. */
void twice_find(Lower *l, LLVMBasicBlockRef block, LLVMValueRef end);
/* Numbers the blocks where they return again, behind all others. */
void twice_plan(Lower *l);
/* Says, at the start of a block, where its exceptions go. */
void twice_enter(Lower *l, LLVMBasicBlockRef block);
/* Goes on behind a call that was lowered just now, if it may return twice. */
void twice_resume(Lower *l, LLVMValueRef call);
/* The landing from which control comes to phi's block instead of from the end of pred; 0 none. */
BlockId twice_beside(Lower *l, BlockId pred, LLVMValueRef phi);
/* Builds the blocks that twice_plan numbered. */
void twice_finish(Lower *l);

/* ---- clang.c */
/* The clang command for the input; null-terminated, in a's memory. */
const char **clang_command(Arena *a, const LlvmInput *input, const LlvmOptions *options);
/* Drops from argv the arguments that clang's messages say it does not know;
 * returns how many. */
u32 clang_drop_unknown(const char **argv, const char *messages);
/* The command for what gcc has preprocessed, from that for preprocessed input; null: the input is
 * none, or that is the command. */
const char **clang_for_gcc(Arena *a, const LlvmInput *input, const char **argv);
/* Reports a line "file:line:col: error: text" and overwrites it; false if it is
 * not of that form. */
bool clang_report_line(char *line, Diag *diag);
/* Turns clang's messages about path into diagnostics; a is for scratch. */
void clang_report(Arena *a, const char *messages, const char *path, Diag *diag);

/* ---- child.c */
enum { CHILD_REFUSED = 10, CHILD_CLANG = 11 }; /* exit codes: the reason is on stderr */
/* Compiles as the job's command says and writes the bitcode to job->out. */
noreturn void child_compile(const LlvmJob *job);
/* Loads the job's input, writes the serial form to job->out and the files that
 * clang read to job->deps, if that is open.  What goes wrong ends the process.
 * Says whether it may be given another one, which is not to be if this is the last. */
bool child_main(const LlvmJob *job, bool last);
/* Makes a fork of parent's a child: it ends with its parent, by signals as they
 * are, and its messages go to the file err. */
void child_begin(pid_t parent, int err);
/* Is the input bitcode or LLVM text, rather than C? */
bool child_is_bitcode(const LlvmInput *input);
/* The name of the unit that is made of the input in the directory cwd. */
const char *child_unit_name(Arena *a, const LlvmInput *input, const char *cwd);

/* ---- readers.c */
/* Has the job read by the next process that is free. */
void readers_add(LlvmReaders *r, LlvmJob *job);
/* Waits until the job is over.  Gives what waitpid says of its process, 0 if that
 * goes on; false if there was no process to read it in. */
bool readers_await(LlvmReaders *r, LlvmJob *job, int *status);

/* ---- cache.c */
/* Looks for the job's unit in its store; true if job->entry has it.  Says in
 * job->keep how a new one is to be kept. */
bool cache_find(LlvmJob *job);
/* Keeps the unit that the job's child made, n bytes in serial form. */
void cache_keep(LlvmJob *job, const Ir *unit, const void *bytes, size_t n);

/* shortcut.c */
void shorten_function(LLVMValueRef f);

#endif
