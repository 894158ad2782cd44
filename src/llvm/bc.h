/* bc.h - a module of bitcode: its types, values, functions and debug information.
 *
 * Only what clang-19 writes is read here, or what LLVM 19 made of anything else
 * (foreign.c): that has one form, which needs no upgrade.  What is not of that form makes
 * the module `bad`, and whoever reads it then has LLVM look at the bytes.
 *
 * Numbers of kinds, opcodes, predicates and orderings are those of LLVM-C.  The bodies of
 * functions are read one at a time: what belongs to a body ends with the
 * next one. */
#ifndef LLVM_BC_H
#define LLVM_BC_H

#include "base/vec.h"
#include "ir/ir.h"
#include "llvm/bits.h"

#include <llvm-c/Core.h>
#include <string.h>

typedef struct BcType BcType;
typedef struct BcValue BcValue;
typedef struct BcBlock BcBlock;
typedef struct BcMeta BcMeta;

struct BcType {
	u8 kind; /* LLVMTypeKind */
	bool literal, packed, variadic, opaque;
	bool laid;     /* size and align are known */
	bool is_sized; /* it has a size: see bc_is_sized */
	u16 depth;     /* of types within each other, itself counted; 0: not known yet */
	u8 rt;         /* of a register that holds it, and its width, if known: see type_reg */
	bool rt_known;
	u16 rt_width;
	u32 bits;      /* of an integer; the address space of a pointer */
	u32 n;         /* members, or a function's result and parameters */
	u64 count;     /* of an array or vector */
	BcType **part; /* n of them; the element of an array or vector */
	const char *name;
	u64 size, align; /* bytes from one to the next in an array */
	u64 *offset;     /* of the members, once laid */
	TypeId id;       /* see layout.c */
};

/* A parameter of the body. */
#define BC_PARAM(m, k) ((m)->vals.at[(m)->nlasting + (k)])

/* BcValue.flags */
enum {
	BC_VOLATILE = 1,
	BC_WEAK = 2, /* cmpxchg */
	BC_NSW = 4,
	BC_GONE = 8,     /* an instruction that a pass has removed */
	BC_NAMED = 16,   /* alloca: some debug record declares its variable */
	BC_ESCAPES = 32, /* alloca: it is more than loaded and stored */
	BC_ODD_USE = 64, /* phi: see shortcut.c */
	BC_PENDING = 128 /* asked for, and still to come */
};

/* The opcode of a debug record: operand 0, if any, is the value of the variable or, in a
 * declaration, its address. */
enum { BC_DEBUG = 255 };

struct BcValue {
	BcValue *fwd; /* what stands for it now, null: itself */
	BcValue **ops;
	BcType *type;
	BcType
	    *of; /* that an alloca allocates, a getelementptr indexes, a call calls, a global has */
	union {
		BcBlock **to;     /* successors; where what a phi takes comes from */
		u32 *index;       /* of extractvalue and insertvalue */
		i64 num;          /* an integer of at most 64 bits */
		const u64 *data;  /* an array of numbers */
		const char *text; /* of assembly, and behind it constraints */
		BcMeta *var;      /* a debug record's */
		BcValue *declare; /* an alloca's first debug record, if asked for */
	};
	BcBlock *in;
	BcValue *next;
	u32 nop; /* operands; of an array of numbers: elements; bytes of assembly */
	u32 nto; /* of to, index; bytes of constraints */
	u8 kind; /* LLVMValueKind */
	u8 op;   /* opcode of an instruction or expression */
	u8 sub; /* predicate, ordering, what a read-modify-write does; of cmpxchg the MemOrder where it fails */
	u8 flags;
	u8 order;   /* MemOrder */
	u16 depth;  /* of a constant within which there are others; 0: not known yet */
	u32 loc;    /* its position: row of locs + 1, 0 none; see bc_loc */
	u32 site;   /* ordinal of an instruction, before any pass */
	u32 row;    /* alloca: of what is promoted + 1; phi: likewise */
	Val val;    /* what it was lowered to, 0: nothing yet */
	Val second; /* of a value that is a pair: element 1 */
	u32 uses;
	u32 attrs; /* of a call: row of attrs */
};

struct BcBlock {
	BcValue *first, *last;
	u32 number;
	BlockId head, tail; /* its first, its last block in the IR; 0: unreachable, no way out */
	u32 mark;
	BcValue *phi_mark;
};

typedef struct BcMetas {
	Vec(BcMeta) at;
} BcMetas;

/* Kinds of nodes are the codes of their records. */
enum {
	MD_STRING = 0,
	MD_VALUE = 2,
	MD_NODE = 3,
	MD_NAME = 4,
	MD_DISTINCT_NODE = 5,
	MD_LOCATION = 7,
	MD_NAMED_NODE = 10,
	MD_ATTACHMENT = 11,
	MD_SUBRANGE = 13,
	MD_BASIC_TYPE = 15,
	MD_FILE = 16,
	MD_DERIVED_TYPE = 17,
	MD_COMPOSITE_TYPE = 18,
	MD_SUBROUTINE_TYPE = 19,
	MD_COMPILE_UNIT = 20,
	MD_SUBPROGRAM = 21,
	MD_LEXICAL_BLOCK = 22,
	MD_LEXICAL_BLOCK_FILE = 23,
	MD_NAMESPACE = 24,
	MD_GLOBAL_VAR = 27,
	MD_LOCAL_VAR = 28,
	MD_EXPRESSION = 29,
	MD_STRINGS = 35,
	MD_GLOBAL_ATTACHMENT = 36,
	MD_GLOBAL_VAR_EXPR = 37,
	MD_INDEX_OFFSET = 38,
	MD_INDEX = 39,
	MD_COMMON_BLOCK = 44,
	MD_ARG_LIST = 46
};

struct BcMeta {
	u8 kind;
	bool wide;             /* its numbers need 64 bits */
	u32 n;                 /* numbers, or bytes of a string */
	u32 id;                /* TypeId or StrId that it was lowered to, 0 not yet */
	const BcMetas *beside; /* the nodes of the same function, null: it belongs to the module */
	union {
		const u32 *at;
		const u64 *wide_at;
		const char *text;
	};
};

/* What is behind a number of attributes. */
typedef struct BcParamAttr {
	u32 param;  /* from 1; 0: the result */
	bool byval; /* else elementtype */
	BcType *type;
} BcParamAttr;
typedef struct BcAttrs {
	bool no_return, no_unwind, twice, always_inline, pure;
	u32 first, n; /* in param_attrs */
} BcAttrs;

/* A variable, function, alias or ifunc; `of` is the type of what it names. */
typedef struct BcGlobal {
	BcValue v;
	const char *name; /* without a zero byte behind it */
	u32 nname;
	u32 linkage; /* LLVMLinkage */
	bool hidden, tls, constant, declared;
	const char *section; /* null: none */
	u32 init;  /* value number + 1 of its initial contents, of what it names, of its resolver */
	u32 attrs; /* of a function: row of attrs */
	u32 id;    /* FnId or GlobalId, 0: none */
	FnId bound;    /* see section.c */
	u32 intrinsic; /* row of the table + 1, see intrinsic.c */
	u32 debug;     /* number + 1 of its node of debug information */
	u64 body;      /* where in the bitcode */
	BcMetas nodes; /* of its body */
	bool has_nodes;
} BcGlobal;

typedef struct BcLoc {
	u32 line, col;
	BcMeta *scope;
	SrcId src; /* once asked for */
	bool known;
} BcLoc;

/* Memory of one body after the other. */
typedef struct BcPool {
	Arena *arena;
	Vec(char *) chunks;
	u32 used; /* of chunks */
	char *at, *end;
} BcPool;

/* How a target lays out memory. */
typedef struct BcAlign {
	char kind; /* as in the string: i, f, v */
	u32 bits, bytes;
} BcAlign;
typedef struct BcLayout {
	Vec(BcAlign) align;
	u32 aggregate;
	u32 stack; /* the address space of variables on it */
	struct {
		u32 space, bits, bytes;
	} ptr[16];
	u32 nptr;
} BcLayout;

typedef struct BcModule {
	Arena *arena;
	BcPool pool[2]; /* what lasts; what belongs to the body that is being read */
	bool in_body;
	Bits bits;
	Record r;
	bool bad;
	const char *strtab;
	size_t nstrtab;
	const char *triple;
	BcLayout layout;
	u32 nbodies;

	Vec(BcType *) types;
	BcType *none, *int1, *pointer, *token;
	bool known;          /* LLVM 19 wrote it */
	bool in_constants;   /* there are no more symbols */
	Vec(BcValue *) vals; /* by number: globals, constants, and then those of a body */
	u32 next;            /* number of the next one that is defined */
	u32 pending;         /* that were asked for, and are still to come */
	u32 nglobal;         /* of vals: symbols */
	u32 nlasting;        /* of vals: those that do not end with a body */
	Vec(BcGlobal *) globals, fns, aliases, ifuncs;
	Vec(const char *) sections;
	Vec(BcAttrs) groups, attrs; /* attrs[number] */
	Map group_of;
	Vec(BcParamAttr) param_attrs;
	BcMetas nodes;
	VecU32 units; /* numbers of the nodes of !llvm.dbg.cu */
	bool inlines; /* some function with a body is always to be inlined */

	/* the body */
	BcGlobal *fn;
	u32 nparam;
	BcBlock *blocks;            /* in their order; the first is the entry */
	u32 nblock, block;          /* the one that is being filled */
	BcValue *last, **last_link; /* the last instruction, and what points to it */
	u32 site, last_loc;
	Vec(BcValue *) operands; /* of the next instruction */
	Vec(BcLoc) locs;
} BcModule;

/* ---- bc_read.c */
/* Reads all but the bodies.  The bytes stay, with BITS_SLACK more behind them.  m->bad: it is
 * nothing that is understood here. */
void bc_read(BcModule *m, Arena *a, const void *bytes, size_t n);

/* ---- bc_type.c */
/* Those that instructions have without saying so. */
void bc_types_init(BcModule *m);
/* Reads the block of types that was found. */
void bc_types(BcModule *m);
void bc_layout_parse(BcModule *m, const char *text, size_t n);
u64 bc_type_bits(BcModule *m, BcType *t);
/* Bytes from one to the next in an array. */
u64 bc_type_size(BcModule *m, BcType *t);
u64 bc_store_size(BcModule *m, BcType *t);
u64 bc_offset(BcModule *m, BcType *t, u32 k);
u32 bc_pointer_size(const BcModule *m);
/* Has it a size?  As LLVM has it: of a vector, whatever its elements are. */
static inline bool
bc_is_sized(const BcType *t)
{
	return t->is_sized;
}
/* The type with that number; void and m->bad if there is none. */
BcType *bc_type(BcModule *m, u64 number);
/* Pointers into that address space. */
BcType *bc_pointer(BcModule *m, u32 space);
/* A vector like the other one, of other elements. */
BcType *bc_vector(BcModule *m, const BcType *like, BcType *of);

/* ---- bc_const.c */
/* Reads the block of constants that was found. */
void bc_constants(BcModule *m);
/* Sees to it that none of the values from number `from` on contains itself. */
void bc_check_constants(BcModule *m, u32 from);
/* Element k of a constant array of numbers. */
BcValue *bc_element(BcModule *m, BcValue *v, u32 k);

/* ---- bc_meta.c */
/* Reads the block of nodes that was found; of the body of f, or null. */
void bc_metas(BcModule *m, BcGlobal *f);
/* Number k of a node; 0 where there is none. */
u64 bc_meta_num(const BcMeta *md, u32 k);
/* The node that number k names, counted from 1; null. */
BcMeta *bc_meta_ref(BcModule *m, const BcMeta *md, u32 k);
/* The node of that number, in a body or beside nodes of one; null. */
BcMeta *bc_meta(BcModule *m, const BcMetas *beside, u64 number);
/* The string that number k names; null. */
const char *bc_meta_text(BcModule *m, const BcMeta *md, u32 k, u32 *n);

/* ---- bc_body.c, bc_ins.c */
/* Reads the body of f into m; false if it is bad. */
bool bc_body(BcModule *m, BcGlobal *f);
/* Reads the record m->r, an instruction or what is said of the last one. */
void bc_ins(BcModule *m);

/* ---- bc_value.c */
/* n bytes, not cleared; they last as long as the body that is being read, if one is. */
void *bc_alloc(BcModule *m, size_t n);
BcValue *bc_new(BcModule *m, u8 kind, BcType *type, u32 nop);
/* The value of that number, which may be still to come; of the given type, if that is known. */
BcValue *bc_value(BcModule *m, u64 number, BcType *type);
/* Makes the next number that of a new value. */
BcValue *bc_define(BcModule *m, u8 kind, BcType *type, u32 nop);

/* ---- promote.c */
/* Makes the locals of the body whose address is not taken values. */
void bc_promote(BcModule *m);

/* ---- access ------------------------------------------------------------ */

static inline BcValue *
bc_now(BcValue *v)
{
	while (v->fwd)
		v = v->fwd;
	return v;
}

static inline BcValue *
bc_operand(const BcValue *v, u32 k)
{
	return bc_now(v->ops[k]);
}

static inline BcGlobal *
bc_global(BcValue *v)
{
	return (BcGlobal *)v;
}

static inline bool
bc_is(const BcValue *v, LLVMOpcode op)
{
	return v->kind == LLVMInstructionValueKind && v->op == op;
}

static inline bool
bc_is_int(const BcValue *v)
{
	return v->kind == LLVMConstantIntValueKind;
}

static inline bool
bc_is_fn(const BcValue *v)
{
	return v->kind == LLVMFunctionValueKind;
}

/* Is it a function that LLVM knows? */
static inline bool
bc_is_intrinsic(const BcGlobal *f)
{
	return f->nname > 5 && !memcmp(f->name, "llvm.", 5);
}

static inline bool
bc_is_constant(const BcValue *v)
{
	return v->kind != LLVMInstructionValueKind && v->kind != LLVMArgumentValueKind &&
	       v->kind != LLVMInlineAsmValueKind && v->kind != LLVMMetadataAsValueValueKind;
}

/* An integer's value as an unsigned number. */
static inline u64
bc_unsigned(const BcValue *v)
{
	u32 gone = v->type->bits < 64 ? 64 - v->type->bits : 0;

	return (u64)v->num << gone >> gone;
}

/* What a call, invoke or callbr calls: the last operand. */
static inline BcValue *
bc_callee(const BcValue *call)
{
	return bc_operand(call, call->nop - 1);
}

static inline const BcAttrs *
bc_attrs(const BcModule *m, const BcValue *call)
{
	return &m->attrs.at[call->attrs];
}

static inline const BcAttrs *
bc_fn_attrs(const BcModule *m, const BcValue *f)
{
	return &m->attrs.at[((const BcGlobal *)f)->attrs];
}

/* The type that argument k of a call is said to point to: of a copy of it, or of memory that
 * assembly touches; null. */
static inline BcType *
bc_param_type(const BcModule *m, const BcValue *call, u32 k, bool byval)
{
	const BcAttrs *a = bc_attrs(m, call);

	for (u32 i = a->first; i < a->first + a->n; i++)
		if (m->param_attrs.at[i].param == k + 1 && m->param_attrs.at[i].byval == byval)
			return m->param_attrs.at[i].type;
	return NULL;
}

static inline BcValue *
bc_aliasee(const BcModule *m, BcValue *alias)
{
	return m->vals.at[bc_global(alias)->init - 1];
}

static inline BcValue *
bc_live(BcValue *i)
{
	while (i && i->flags & BC_GONE)
		i = i->next;
	return i;
}
static inline BcValue *
bc_first(const BcBlock *b)
{
	return bc_live(b->first);
}
static inline BcValue *
bc_next(const BcValue *i)
{
	return bc_live(i->next);
}

#endif
