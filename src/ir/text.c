/* text.c - the words and defaults of the text form; see text.h. */
#include "ir/text.h"

#include <string.h>

#define NAMES(...) {(const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__}))}
#define X(name, text) text,

const Names text_ops = NAMES(IR_OPS(X));
const Names text_bins = NAMES(IR_BINOPS(X));
const Names text_preds = NAMES(IR_PREDS(X));
const Names text_casts = NAMES(IR_CASTS(X));
const Names text_orders = NAMES(IR_ORDERS(X));
const Names text_linkages = NAMES("decl", "internal", "external", "weak", "common", "alias");
const Names text_types =
    NAMES("none", "int", "float", "ptr", "struct", "union", "array", "fn", "class");
/* by bit number */
const Names text_ins_flags =
    NAMES("volatile", "try", "rec", "handle", "throws", "once", "model", "final");
const Names text_fn_flags =
    NAMES("variadic", "noreturn", "static", "synthetic", "constructor", "destructor", "cinit",
	  "abstract", "native", "unknown", "library", "plain", "hidden");
const Names text_regtypes = NAMES("void", "int", "float", "ptr", "agg");

static const Names alloc_subs = NAMES("stack", "heap", "like");
static const Names address_subs = NAMES("", "java");
static const Names filter_subs = NAMES("", "instanceof", "known");
static const Names nondet_subs =
    NAMES("", "rest", "caught", "copy", "wait", "self", "unwind", "unwound");
static const Names call_subs = NAMES("", "virtual", "repeat", "maybe");
static const Names detach_subs = NAMES("", "stop");
static const Names fork_subs = NAMES("", "virtual");
static const Names lock_subs = NAMES("", "read");
static const Names event_subs = NAMES(IR_EVENTS(X));
static const Names cas_subs = NAMES(IR_FAILS(X));
static const Names task_subs = NAMES(IR_TASKS(X));
#undef X

Names
text_subs(Op op)
{
	switch (op) {
	case OP_ALLOC: return alloc_subs;
	case OP_FIELD:
	case OP_INDEX: return address_subs;
	case OP_RMW: return text_bins;
	case OP_CAS: return cas_subs;
	case OP_FILTER: return filter_subs;
	case OP_NONDET: return nondet_subs;
	case OP_CALL: return call_subs;
	case OP_DETACH: return detach_subs;
	case OP_FORK: return fork_subs;
	case OP_ACQUIRE:
	case OP_RELEASE: return lock_subs;
	case OP_SIGNAL:
	case OP_AWAIT: return event_subs;
	case OP_TASK: return task_subs;
	default: return (Names){0};
	}
}

int
text_find(Names names, const char *s, size_t n)
{
	for (u32 i = 0; i < names.n; i++)
		if (n && *names.at[i] == *s && strlen(names.at[i]) == n &&
		    !memcmp(names.at[i], s, n))
			return (int)i;
	return -1;
}

static u16
ptr_width(const Ir *ir)
{
	return (u16)(ir->ptr_bytes * 8);
}

Kind
text_kind(const Ir *ir, Op op, bool has_dst)
{
	switch (op) {
	case OP_STORE: return (Kind){RT_VOID, 32};
	case OP_FORK: return (Kind){has_dst ? RT_INT : RT_VOID, ptr_width(ir)};
	case OP_ALLOC:
	case OP_FIELD:
	case OP_INDEX:
	case OP_FILTER: return (Kind){RT_PTR, ptr_width(ir)};
	case OP_CMP: return (Kind){RT_INT, 1};
	default: return has_dst ? (Kind){RT_INT, 32} : (Kind){RT_VOID, 0};
	}
}

Kind
text_dst_kind(const Ins *i)
{
	if (i->op == OP_FORK && !(i->flags & INS_HANDLE))
		return (Kind){RT_INT, 32}; /* width is that of the handle */
	return (Kind){i->rt, i->width};
}

u16
text_width(const Ir *ir, const Ins *i, u32 k)
{
	u16 own = i->width ? i->width : 32;

	switch (i->op) {
	case OP_CMP: return i->imm > 0 && i->imm <= UINT16_MAX ? (u16)i->imm : 32;
	case OP_CBR:
	case OP_ASSUME: return 1;
	case OP_SELECT: return k ? own : 1;
	case OP_STORE:
	case OP_RMW:
	case OP_CAS: return k ? own : ptr_width(ir);
	case OP_BIN:
	case OP_PHI:
	case OP_COPY:
	case OP_RET: return own;
	case OP_ALLOC:
	case OP_LOAD:
	case OP_FIELD:
	case OP_INDEX:
	case OP_BCOPY:
	case OP_READN:
	case OP_WRITEN:
	case OP_FREE:
	case OP_TASK:
	case OP_JOIN:
	case OP_DETACH: return ptr_width(ir);
	default: return 32;
	}
}
