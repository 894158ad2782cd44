/* check_fn.c - the invariants of a body.
 *
 * First the shape (blocks, successors, each instruction by the table of
 * rules), then, when everything can be followed safely, SSA: phis match the
 * predecessors, and definitions dominate uses.  A block with an exception
 * successor counts as two nodes, split before the first instruction that may
 * throw: what is defined from there on is not defined in the handler. */
#include "ir/check_int.h"
#include "ir/cfg.h"
#include "ir/text.h"

#include <stdarg.h>
#include <string.h>

enum { ANY = 255, DST_NONE = 0, DST_MAY, DST_MUST };
/* Rule.flags. */
enum {
	R_ORDER = 1, /* may have a memory order */
	R_COND = 2,  /* may depend on the sign of its result */
	R_IMM = 4    /* uses imm */
};

/* What an instruction looks like: operands, result, how many of the first
 * operands must be there (the others may be 0), and what else it uses. */
typedef struct Rule {
	u8 min, max, dst, need, flags;
} Rule;

static const Rule rules[OP_COUNT] = {
    [OP_ALLOC] = {0, 1, DST_MUST, 0, R_COND | R_IMM},
    [OP_COPY] = {1, 1, DST_MUST, 1, 0},
    [OP_PHI] = {2, ANY, DST_MUST, ANY, 0},
    [OP_SELECT] = {3, 3, DST_MUST, 3, 0},
    [OP_FIELD] = {1, 1, DST_MUST, 1, R_IMM},
    [OP_INDEX] = {2, 2, DST_MUST, 2, R_IMM},
    [OP_LOAD] = {1, 1, DST_MUST, 1, R_ORDER},
    [OP_STORE] = {2, 2, DST_NONE, 2, R_ORDER},
    [OP_BCOPY] = {3, 3, DST_NONE, 2, R_ORDER},
    [OP_READN] = {1, 2, DST_NONE, 1, R_ORDER},
    [OP_WRITEN] = {2, 2, DST_NONE, 1, R_ORDER},
    [OP_RMW] = {2, 2, DST_MAY, 2, R_ORDER},
    [OP_CAS] = {3, 3, DST_MAY, 3, R_ORDER},
    [OP_FENCE] = {0, 0, DST_NONE, 0, R_ORDER},
    [OP_CMP] = {2, 2, DST_MUST, 2, R_IMM},
    [OP_BIN] = {2, 2, DST_MUST, 2, 0},
    [OP_CAST] = {1, 1, DST_MUST, 1, R_IMM},
    [OP_FILTER] = {1, 1, DST_MAY, 1, 0},
    [OP_CALL] = {1, ANY, DST_MAY, 1, 0},
    [OP_CINIT] = {0, 0, DST_NONE, 0, 0},
    [OP_NONDET] = {0, 0, DST_MAY, 0, R_COND},
    [OP_EXTERN] = {0, ANY, DST_MAY, 0, 0},
    [OP_ASSUME] = {1, 1, DST_NONE, 1, 0},
    [OP_ACQUIRE] = {1, 1, DST_MAY, 1, R_COND},
    [OP_RELEASE] = {1, 1, DST_MAY, 1, R_COND},
    [OP_FORK] = {2, ANY, DST_MAY, 0, R_COND},
    [OP_JOIN] = {1, 2, DST_MAY, 1, R_COND},
    [OP_DETACH] = {1, 1, DST_MAY, 1, R_COND},
    [OP_SIGNAL] = {1, 2, DST_MAY, 1, R_COND},
    [OP_AWAIT] = {1, 2, DST_MAY, 1, R_COND},
    [OP_TASK] = {2, 4, DST_MAY, 2, R_COND},
    [OP_FREE] = {1, 1, DST_MAY, 1, R_COND},
    [OP_PUBLISH] = {1, 1, DST_NONE, 1, 0},
    [OP_BR] = {0, 0, DST_NONE, 0, 0},
    [OP_CBR] = {1, 1, DST_NONE, 1, 0},
    [OP_SWITCH] = {1, ANY, DST_NONE, ANY, 0},
    [OP_RET] = {0, 1, DST_NONE, 1, 0},
    [OP_THROW] = {0, 1, DST_NONE, 1, 0},
    [OP_UNREACHABLE] = {0, 0, DST_NONE, 0, 0},
    [OP_EXIT] = {0, 1, DST_NONE, 1, 0},
    [OP_TEXIT] = {0, 1, DST_NONE, 1, 0},
};

typedef struct BodyCheck {
	Check *c;
	const Ir *ir;
	const Fn *fn;
	FnId id;
	BlockId block;      /* being looked at */
	u32 at;             /* the instruction's place in it, from 0 */
	BlockId *def_block; /* [register]: 0 for what nothing defines */
	u32 *def_at;
	u32 *split; /* [block]: the place from which the exception edge skips */
	u32 halves; /* nodes per block: 2 if the function has exception edges */
	Doms dom;
} BodyCheck;

static bool
fail(BodyCheck *b, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = arena_vprintf(&b->c->scratch, fmt, ap);
	va_end(ap);
	return check_fail(b->c, "function %s, block b%u, instruction %u: %s",
			  ir_str(b->ir, b->fn->name), b->block, b->at + 1, text);
}

/* ---- the shape of instructions ------------------------------------------ */

static bool
check_val(BodyCheck *b, Val v)
{
	if (val_is_const(v) && (!val_const(v) || val_const(v) >= b->ir->consts.n))
		return fail(b, "there is no constant %u", val_const(v));
	if (val_is_reg(v) && v > b->fn->nreg)
		return fail(b, "there is no register %u", v);
	return true;
}

static bool
check_args(BodyCheck *b, const Ins *i)
{
	const Rule *r = &rules[i->op];

	if (i->narg < r->min || (r->max != ANY && i->narg > r->max))
		return fail(b, "%s has %u operands", text_ops.at[i->op], i->narg);
	if (!check_range(i->arg, i->narg, b->ir->args.n))
		return fail(b, "its operands are outside the table");
	if (i->op == OP_PHI)
		return i->narg % 2 == 0 || fail(b, "phi has a block without a value");
	for (u32 k = 0; k < i->narg; k++) {
		Val v = ins_arg(b->ir, i, k);
		if (!check_val(b, v))
			return false;
		if (!v && (k < r->need || (i->op == OP_FORK && k == 1)))
			return fail(b, "operand %u of %s is missing", k, text_ops.at[i->op]);
		if (i->op == OP_SWITCH && k &&
		    (!val_is_const(v) || ir_const(b->ir, v)->kind != CONST_INT))
			return fail(b, "a case of switch is no integer");
	}
	return true;
}

static bool
check_dst(BodyCheck *b, const Ins *i, InsId id)
{
	const Rule *r = &rules[i->op];
	const Reg *reg;

	if (!i->dst)
		return r->dst != DST_MUST || fail(b, "%s needs a result", text_ops.at[i->op]);
	if (r->dst == DST_NONE)
		return fail(b, "%s has no result", text_ops.at[i->op]);
	if (!val_is_reg(i->dst) || i->dst > b->fn->nreg)
		return fail(b, "its result is no register of the function");
	if (i->dst <= b->fn->nparam)
		return fail(b, "it defines parameter %u", i->dst);
	if (b->def_block[i->dst])
		return fail(b, "register %u is defined twice", i->dst);
	reg = fn_reg(b->ir, b->fn, i->dst);
	if (reg->def != id)
		return fail(b, "register %u names another definition", i->dst);
	if (reg->rt != i->rt)
		return fail(b, "register %u has another type", i->dst);
	if (reg->width != i->width && (i->op != OP_FORK || i->flags & INS_HANDLE))
		return fail(b, "register %u has another width", i->dst);
	b->def_block[i->dst] = b->block;
	b->def_at[i->dst] = b->at;
	return true;
}

static bool
check_aux(BodyCheck *b, const Ins *i)
{
	const Ir *ir = b->ir;

	switch (i->op) {
	case OP_ALLOC:
	case OP_INDEX: return i->aux < ir->types.n || fail(b, "there is no type t%u", i->aux);
	case OP_FIELD:
		if (i->sub)
			return (i->aux && i->aux < ir->fields.n) ||
			       fail(b, "there is no field f%u", i->aux);
		return i->aux < ir->types.n || fail(b, "there is no type t%u", i->aux);
	case OP_FILTER:
	case OP_CINIT:
		return (i->aux && i->aux < ir->classes.n) ||
		       fail(b, "there is no class c%u", i->aux);
	case OP_CALL:
	case OP_FORK:
		if ((i->sub == CALL_VIRTUAL) != (i->aux != 0))
			return fail(b, "a virtual call or fork, and only that, names its method");
		return check_str(b->c, i->aux) || fail(b, "its method is outside the string table");
	case OP_EXTERN:
		return (i->aux && check_str(b->c, i->aux)) || fail(b, "extern needs a name");
	default: return !i->aux || fail(b, "%s uses no aux", text_ops.at[i->op]);
	}
}

static u32
sub_limit(Op op)
{
	if (op == OP_BIN)
		return BIN_COUNT;
	if (op == OP_CMP)
		return CMP_COUNT;
	if (op == OP_CAST)
		return CAST_COUNT;
	return text_subs(op).n ? text_subs(op).n : 1;
}

static bool
check_details(BodyCheck *b, const Ins *i)
{
	const Rule *r = &rules[i->op];

	if (i->sub >= sub_limit(i->op))
		return fail(b, "%s has no variant %u", text_ops.at[i->op], i->sub);
	if (i->order >= ORDER_COUNT || (i->order && !(r->flags & R_ORDER)))
		return fail(b, "%s has no memory order %u", text_ops.at[i->op], i->order);
	if (i->op == OP_FENCE && !i->order)
		return fail(b, "a fence needs a memory order");
	if (i->rt > RT_AGG)
		return fail(b, "unknown type %u", i->rt);
	if (i->cond > SIGN_ANY || (i->cond && !(r->flags & R_COND)))
		return fail(b, "%s has no condition %u", text_ops.at[i->op], i->cond);
	if (i->cond && i->cond != SIGN_ANY && !i->dst)
		return fail(b, "its condition needs a result to look at");
	if (i->imm && !(r->flags & R_IMM))
		return fail(b, "%s uses no imm", text_ops.at[i->op]);
	if ((i->op == OP_CMP || i->op == OP_CAST) && (i->imm < 0 || i->imm > UINT16_MAX))
		return fail(b, "the operand has no width of %lld", (long long)i->imm);
	if (i->flags & INS_HANDLE && (i->op != OP_FORK || !i->dst))
		return fail(b, "only a fork with a result gives a handle");
	if (i->src >= b->ir->srcs.n)
		return fail(b, "its position is outside the table");
	return check_aux(b, i);
}

/* A width of 0 is unknown; where it is known it must agree. */
static bool
check_width(BodyCheck *b, const Ins *i)
{
	Val v;
	u16 width;

	if (i->op != OP_STORE)
		return true;
	v = ins_arg(b->ir, i, 1);
	width = val_is_reg(v) ? fn_reg(b->ir, b->fn, v)->width : ir_const(b->ir, v)->width;
	return !width || !i->width || width == i->width ||
	       fail(b, "a store of %u bits of a value of %u", i->width, width);
}

static bool
check_ins(BodyCheck *b, InsId id)
{
	const Ins *i = ir_ins(b->ir, id);

	if (i->op == OP_NONE || i->op >= OP_COUNT)
		return fail(b, "unknown operation %u", i->op);
	return check_args(b, i) && check_dst(b, i, id) && check_details(b, i) && check_width(b, i);
}

/* ---- blocks ------------------------------------------------------------- */

static bool
check_succ_count(BodyCheck *b, const Block *block, const Ins *last)
{
	u32 want;

	switch (last->op) {
	case OP_BR: want = 1; break;
	case OP_CBR: want = 2; break;
	case OP_SWITCH: want = last->narg; break;
	default: want = 0;
	}
	return block->nsucc == want ||
	       fail(b, "%s has %u successors", text_ops.at[last->op], block->nsucc);
}

static bool
check_succs(BodyCheck *b, const Block *block)
{
	if (!check_range(block->succ, block->nsucc, b->ir->succs.n))
		return fail(b, "the successors are outside the table");
	for (u32 k = 0; k <= block->nsucc; k++) {
		BlockId to = k < block->nsucc ? b->ir->succs.at[block->succ + k] : block->exc;
		if (to > b->fn->nblock || (!to && k < block->nsucc))
			return fail(b, "there is no block b%u", to);
		if (to == 1)
			return fail(b, "the entry has a predecessor");
	}
	return check_succ_count(b, block, ir_ins(b->ir, block->ins + block->nins - 1));
}

static bool
check_block(BodyCheck *b)
{
	const Block *block = fn_block(b->ir, b->fn, b->block);
	bool phis = true;

	for (b->at = 0; b->at < block->nins; b->at++) {
		const Ins *i = ir_ins(b->ir, block->ins + b->at);
		bool last = b->at + 1 == block->nins;
		if (!check_ins(b, block->ins + b->at))
			return false;
		if (op_is_terminator(i->op) && !last)
			return fail(b, "%s in the middle of a block", text_ops.at[i->op]);
		if (!op_is_terminator(i->op) && last)
			return fail(b, "the block ends without a terminator");
		if (i->op == OP_PHI && !phis)
			return fail(b, "a phi behind other instructions");
		if (i->op == OP_PHI && b->block == 1)
			return fail(b, "a phi in the entry");
		phis &= i->op == OP_PHI;
	}
	b->at = block->nins - 1;
	return check_succs(b, block);
}

/* Blocks lie one behind the other and cover the function's instructions. */
static bool
check_blocks(BodyCheck *b)
{
	u32 next = b->fn->ins;

	for (b->block = 1; b->block <= b->fn->nblock; b->block++) {
		const Block *block = fn_block(b->ir, b->fn, b->block);
		b->at = 0;
		if (!block->nins)
			return fail(b, "the block is empty");
		if (block->ins != next || block->nins > b->fn->ins + b->fn->nins - next)
			return fail(b, "the block's instructions do not follow those before");
		next += block->nins;
		if (!check_block(b))
			return false;
	}
	if (next != b->fn->ins + b->fn->nins)
		return check_fail(b->c, "function %s: instructions in no block",
				  ir_str(b->ir, b->fn->name));
	for (Val r = 1; r <= b->fn->nreg; r++)
		if (fn_reg(b->ir, b->fn, r)->def && !b->def_block[r])
			return check_fail(b->c,
					  "function %s: register %u is not defined where it says",
					  ir_str(b->ir, b->fn->name), r);
	return true;
}

/* ---- SSA ---------------------------------------------------------------- */

/* The node of place `at` in block: the second half is what an exception skips. */
static u32
node_of(const BodyCheck *b, BlockId block, u32 at)
{
	if (b->halves == 1)
		return block;
	return 2 * block - (at < b->split[block]);
}

static void
find_splits(BodyCheck *b)
{
	b->split = arena_array(&b->c->scratch, u32, b->fn->nblock + 1);
	b->halves = 1;
	for (BlockId k = 1; k <= b->fn->nblock; k++) {
		const Block *block = fn_block(b->ir, b->fn, k);
		u32 at = 0;
		while (at + 1 < block->nins && !ins_may_throw(ir_ins(b->ir, block->ins + at)))
			at++;
		b->split[k] = at;
		if (block->exc)
			b->halves = 2;
	}
}

typedef Vec(Arc) Arcs;

static void
split_edges(BodyCheck *b, Arcs *arcs)
{
	Arena *a = &b->c->scratch;

	for (BlockId k = 1; k <= b->fn->nblock; k++) {
		const Block *block = fn_block(b->ir, b->fn, k);
		vec_push(a, arcs, (Arc){2 * k - 1, 2 * k});
		if (block->exc)
			vec_push(a, arcs, (Arc){2 * k - 1, 2 * block->exc - 1});
		for (u32 s = 0; s < block->nsucc; s++)
			vec_push(a, arcs, (Arc){2 * k, 2 * b->ir->succs.at[block->succ + s] - 1});
	}
}

static void
find_dominators(BodyCheck *b, const Graph *g, const Graph *pred)
{
	Arena *a = &b->c->scratch;
	Arcs arcs = {0};
	Graph fine, fine_pred;

	if (b->halves == 1) {
		doms_build(&b->dom, a, a, g, pred, 1);
		return;
	}
	split_edges(b, &arcs);
	graph_build(&fine, a, 2 * b->fn->nblock + 1, arcs.at, arcs.n);
	graph_reverse(&fine_pred, a, &fine);
	doms_build(&b->dom, a, a, &fine, &fine_pred, 1);
}

static bool
is_local(const BodyCheck *b, Val v)
{
	return val_is_reg(v) && v > b->fn->nparam; /* parameters are defined everywhere */
}

/* Is v defined whenever control is in node? */
static bool
check_reaches(BodyCheck *b, Val v, u32 node)
{
	if (!b->def_block[v])
		return fail(b, "register %u is used but never defined", v);
	return doms_has(&b->dom, node_of(b, b->def_block[v], b->def_at[v]), node) ||
	       fail(b, "the definition of register %u does not dominate this use", v);
}

static bool
check_use(BodyCheck *b, Val v)
{
	u32 node = node_of(b, b->block, b->at);

	if (!is_local(b, v))
		return true;
	if (b->def_block[v] == b->block && b->def_at[v] >= b->at && b->dom.enter[node])
		return fail(b, "register %u is used before its definition", v);
	return check_reaches(b, v, node);
}

/* The same on the edge from pred to the block of a phi; an exception edge
 * leaves the first half. */
static bool
check_edge_use(BodyCheck *b, Val v, BlockId pred)
{
	const Block *p = fn_block(b->ir, b->fn, pred);

	return !is_local(b, v) ||
	       check_reaches(b, v, b->halves * pred - (p->exc == b->block ? 1 : 0));
}

/* Exactly one entry per predecessor. */
static bool
check_phi(BodyCheck *b, const Ins *i, const Graph *pred, u32 *seen)
{
	u32 npred = pred->first[b->block + 1] - pred->first[b->block];

	GRAPH_FOR (p, pred, b->block)
		seen[*p] = b->block; /* expected */
	for (u32 k = 0; k < i->narg; k += 2) {
		BlockId from = ins_arg(b->ir, i, k);
		Val v = ins_arg(b->ir, i, k + 1);
		if (!from || from > b->fn->nblock || seen[from] != b->block)
			return fail(b,
				    "phi has an entry for b%u, which is no predecessor or has one",
				    from);
		seen[from] = 0;
		if (!v)
			return fail(b, "phi has no value for b%u", from);
		if (!check_val(b, v) || !check_edge_use(b, v, from))
			return false;
	}
	return i->narg / 2 == npred ||
	       fail(b, "phi has %u entries for %u predecessors", i->narg / 2, npred);
}

static bool
check_uses(BodyCheck *b, const Graph *pred)
{
	u32 *seen = arena_array(&b->c->scratch, u32, b->fn->nblock + 1);

	for (b->block = 1; b->block <= b->fn->nblock; b->block++) {
		const Block *block = fn_block(b->ir, b->fn, b->block);
		for (b->at = 0; b->at < block->nins; b->at++) {
			const Ins *i = ir_ins(b->ir, block->ins + b->at);
			if (i->op == OP_PHI) {
				if (!check_phi(b, i, pred, seen))
					return false;
				continue;
			}
			for (u32 k = 0; k < i->narg; k++)
				if (!check_use(b, ins_arg(b->ir, i, k)))
					return false;
		}
	}
	return true;
}

static bool
check_with(Check *c, FnId f)
{
	BodyCheck b = {.c = c, .ir = c->ir, .fn = &c->ir->fns.at[f], .id = f};
	Graph g, pred;

	b.def_block = arena_array(&c->scratch, BlockId, b.fn->nreg + 1);
	b.def_at = arena_array(&c->scratch, u32, b.fn->nreg + 1);
	if (!check_blocks(&b))
		return false;
	cfg_graph(&g, &c->scratch, c->ir, b.fn);
	graph_reverse(&pred, &c->scratch, &g);
	find_splits(&b);
	find_dominators(&b, &g, &pred);
	return check_uses(&b, &pred);
}

bool
check_body(Check *c, FnId f)
{
	Arena outer = c->scratch;
	bool good;

	arena_init(&c->scratch, outer.budget);
	good = check_with(c, f);
	arena_release(&c->scratch);
	c->scratch = outer;
	return good;
}
