/* llvm_int.h - what the files of the LLVM front end share.
 *
 * One Lower exists per module, inside the child process.  What values, types and nodes were
 * lowered to is noted in them; where addresses are keys of maps these are only looked up,
 * never walked: nothing in the output depends on an address. */
#ifndef LLVM_LLVM_INT_H
#define LLVM_LLVM_INT_H

#include "ir/ir.h"
#include "llvm/bc.h"
#include "llvm/llvm.h"

/* An operand of a phi whose value is known only at the function's end. */
typedef struct PhiSlot {
	u32 arg; /* in ir->args */
	Val phi;
	BlockId pred;
	BcValue *value;
} PhiSlot;

/* What a phi takes from a block and must be computed there. */
typedef struct Late {
	BcValue *phi, *value;
	u32 next; /* of the same block: row + 1 */
} Late;

/* A call that may return again. */
typedef struct Twice {
	BcValue *call;
	BcBlock *block;
	BlockId resume, landing; /* behind it; where a jump comes back */
	BcBlock *skip;           /* where control goes from the landing, null: behind the call */
	Val second;              /* what it returns then */
	u32 outer;               /* of the calls that dominate it the nearest, row + 1 */
	bool loose;              /* a jump may come from where there is no edge to the landing */
} Twice;

typedef struct Lower {
	Ir *ir;
	Arena *arena; /* lives as long as the Lower */
	BcModule *m;
	const char *cwd;
	bool tidy; /* as Source says */

	Map named;           /* StrId of "struct.s" -> TypeId */
	VecU32 anon;         /* TypeIds of structs and unions without a name */
	Vec(BcMeta *) queue; /* composite types still to be filled */
	u32 filled;          /* of queue */
	bool traps;          /* some function may end the process by an intrinsic */
	bool jumps;          /* some function may return twice */
	Map assumed;         /* (text, function) already noted */

	/* the function being lowered */
	Arena scratch;
	Build b;
	bool may_throw;
	Map edges;   /* (phi, pred) -> Val computed at the end of pred */
	Map late_of; /* BlockId -> row of late + 1 */
	Vec(Late) late;
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
	const void *bytes; /* bitcode or LLVM text, with BITS_SLACK behind it */
	size_t n;
	u64 hash;     /* of them */
	bool trusted; /* written by our clang, and not changed since */
	bool tidy;    /* compiled anywhere: name files as one would at cwd */
	bool last;    /* the process ends behind it: LLVM's memory is left to that */
} Source;

/* Lowers a module.  Returns null, or what is wrong, in a's memory. */
const char *module_lower(Ir *ir, Arena *a, const Source *source);
/* Reads and lowers the n bytes of bitcode, which are s's or what LLVM made of those; false: they must
 * go through LLVM first, or are not understood.  *wrong: what is wrong else, or null. */
bool module_lower_own(Ir *ir, Arena *a, const Source *s, const void *bytes, size_t n,
		      const char **wrong);
/* Notes what could not be represented, once for each function. */
void lower_assume(Lower *l, const char *what);

/* ---- foreign.c */
/* Gives the bytes, which are anything that LLVM reads, as bitcode of LLVM 19, in a's memory with
 * BITS_SLACK behind it.  Returns null, or what is wrong. */
const char *foreign_read(Arena *a, const Source *source, const void **bytes, size_t *n);
/* Loads LLVM's library, which else each process does that comes to need it. */
void foreign_prepare(void);

/* ---- type.c, layout.c */
/* What a register of type t holds, and its width. */
RegType type_reg(Lower *l, BcType *t, u16 *width);
/* Bytes that t takes in memory; 0 where it has no size. */
u64 type_size(Lower *l, BcType *t);
/* The type of LLVM's t, from debug information where there is some. */
TypeId type_of(Lower *l, BcType *t);
/* The type that md describes, its members still unknown until type_fill; 0
 * for void and none. */
TypeId type_of_debug(Lower *l, BcMeta *md);
/* Fills in the types named since the last call, and those they name. */
void type_fill(Lower *l);

/* ---- proto.c */
/* The type of a function as a string, 0 if md is none. */
StrId proto_of(Lower *l, BcMeta *md);

/* ---- debug.c: a record has its numbers in places that are told by whoever asks */
/* The node that number k of a node names; null. */
BcMeta *debug_ref(Lower *l, const BcMeta *md, u32 k);
/* The text that it names, n bytes; null where there is none. */
const char *debug_text(Lower *l, const BcMeta *md, u32 k, u32 *n);
/* The name of a subprogram, variable or member. */
StrId debug_name(Lower *l, const BcMeta *md);
bool debug_is_type(const BcMeta *md);
/* What kind of type it is, as DWARF has it. */
u16 debug_tag(const BcMeta *md);
/* The constant that a node wraps; null. */
BcValue *debug_constant(Lower *l, const BcMeta *md);
/* How many nodes a list names; 0 if it is none. */
u32 debug_count(const BcMeta *list);
/* The path of a debug file. */
StrId debug_file(Lower *l, BcMeta *file);
/* The position of an instruction or debug record, 0 unknown. */
SrcId debug_src(Lower *l, const BcValue *ins);
/* Where a subprogram or variable is declared. */
SrcId debug_declared(Lower *l, const BcMeta *md);
/* The variable, or subprogram, that a symbol has in the debug information; null. */
BcMeta *debug_global(Lower *l, const BcGlobal *g);
BcMeta *debug_subprogram(Lower *l, const BcGlobal *f);
StrId debug_proto(Lower *l, const BcMeta *subprogram);
TypeId debug_variable_type(Lower *l, const BcMeta *var);
/* Learns the types of all variables and of what the units retain. */
void debug_collect_types(Lower *l);
/* Takes the name of a value from a debug record. */
void debug_name_variable(Lower *l, const BcValue *record);

/* ---- value.c */
/* The operand that stands for v; emits instructions for a constant
 * expression that is no address. */
Val value_of(Lower *l, BcValue *v);
/* The constant that stands for v, or 0 if none can. */
Val value_const(Lower *l, BcValue *v);
/* The type of what lies in a t where the index of a getelementptr says; null, and the module bad, if
 * nothing does. */
BcType *value_part(Lower *l, BcType *t, const BcValue *idx);
/* Records the contents of a global that v initialises at off. */
void value_init(Lower *l, BcValue *v, u64 off, bool ints);
/* Says that v's register is r. */
void value_set(Lower *l, BcValue *v, Val r);
/* A fresh register for v, defined by i. */
Val value_define(Lower *l, BcValue *v, Ins *i);

/* ---- function.c */
/* Lowers a body; false, with the module bad, if it cannot be read. */
bool function_lower(Lower *l, BcGlobal *f);
/* Takes what debug information says of a function without a body. */
void function_declare(Lower *l, const BcGlobal *f);
/* Builds an instruction with a result of type t into a new register. */
Val emit(Lower *l, Op op, BcType *t, u32 narg, const Val *args);
/* The same with the kind of result given. */
Val emit_as(Lower *l, Op op, RegType rt, u16 width, u32 narg, const Val *args);

/* The register of a phi, which may be asked for before the phi is reached. */
Val value_of_phi(Lower *l, BcValue *phi);

/* ---- ins.c */
void ins_lower(Lower *l, BcValue *ins);
/* Lowers arithmetic, comparison, cast, select and the like, instruction or
 * constant expression, and returns its value; 0 if op is none of these. */
Val ins_compute(Lower *l, BcValue *v, u8 op);

/* ---- memory.c */
/* The address that a getelementptr computes. */
Val memory_gep(Lower *l, BcValue *gep);
void memory_lower(Lower *l, BcValue *ins, u8 op);
/* p + off as an address, p itself for 0. */
Val memory_at(Lower *l, Val p, i64 off);

/* ---- call.c, intrinsic.c */
/* Lowers a call, or the call that an invoke or callbr makes. */
void call_lower(Lower *l, BcValue *call);
void intrinsic_lower(Lower *l, BcValue *call, BcValue *callee);
/* Does the intrinsic end the process?  Is ins a call of such a one? */
bool intrinsic_traps(const BcGlobal *f);
bool intrinsic_is_trap(const BcValue *ins);
/* An unknown effect with the call's arguments, under the given name. */
void call_extern(Lower *l, BcValue *call, const char *name);
bool call_may_throw(Lower *l, BcValue *call);

/* ---- section.c */
/* Declares what says where v is, if the linker places it at the bound of a section. */
void section_declare(Lower *l, BcGlobal *v);

/* ---- twice.c */
/* Numbers the blocks behind the calls in block, up to end, that may return twice. */
void twice_find(Lower *l, BcBlock *block, BcValue *end);
/* Numbers the blocks where they return again, behind all others. */
void twice_plan(Lower *l);
/* Says, at the start of a block, where its exceptions go. */
void twice_enter(Lower *l, BcBlock *block);
/* Goes on behind a call that was lowered just now, if it may return twice. */
void twice_resume(Lower *l, BcValue *call);
/* The landing from which control comes to phi's block instead of from the end of pred; 0 none. */
BlockId twice_beside(Lower *l, BlockId pred, BcValue *phi);
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
/* Bytes that the process has mapped. */
size_t child_mapped(void);
/* The name of the unit that is made of the input in the directory cwd. */
const char *child_unit_name(Arena *a, const LlvmInput *input, const char *cwd);

/* Is that much bitcode so large that its unit may come near the limit of memory? */
bool child_is_large(const LlvmOptions *options, size_t n);

/* ---- here.c */
/* Is the unit to be read in this process? */
bool here_wanted(const LlvmInput *input, const LlvmOptions *options);
/* Reads the job's unit (empty); false if it is to be read in another one. */
bool here_read(LlvmJob *job, Ir *unit);

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

/* ---- shortcut.c */
/* Makes the body simpler to understand. */
void shorten_function(BcModule *m);

#endif
