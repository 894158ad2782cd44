/* reason_buffers.c - two buffers that two threads hand to and fro.
 *
 *	fill: buf[side] = ...; lock; full++; signal; while (full == 2) wait; unlock; side ^= 1
 *	drain: for (;;) { while (!full) wait; use buf[mine]; mine ^= 1; full--; signal; }
 *
 * One side fills the one buffer while the other drains the other.  Told by the addresses: both are
 * indexed by a value that is turned over, v ^ x or k - v: in each round of a loop in which
 * something is waited for, or in memory, behind a wait, from where it is loaded.
 * That the two are never at the same buffer is not shown, so this only lowers a rung.
 * Stores that turn over are listed once; addresses are followed through a bounded number of
 * operations. */
#include "race/reason_int.h"

enum { DEPTH = 6 };

typedef struct Turn {
	InstId inst;
	Val addr; /* what the store turns over */
} Turn;

typedef struct Buffers {
	Vec(Turn) turns;
} Buffers;

/* Is it the other one of two: v ^ x, or k - v?  Then v. */
static Val
turned(const Ir *ir, const Ins *i)
{
	if (!i || i->op != OP_BIN)
		return 0;
	if (i->sub == BIN_XOR)
		return ins_arg(ir, i, 0);
	return i->sub == BIN_SUB && val_is_const(ins_arg(ir, i, 0)) ? ins_arg(ir, i, 1) : 0;
}

/* Does the store turn over what is there? */
static bool
turns_cell(const Ir *ir, const Fn *f, const Ins *store)
{
	InsId id;
	Val v = turned(ir, def_of(ir, f, ins_arg(ir, store, 1), &id));
	const Ins *load = v ? def_of(ir, f, v, &id) : NULL;

	return load && load->op == OP_LOAD &&
	       same_address(ir, f, ins_arg(ir, load, 0), ins_arg(ir, store, 0));
}

/* Does an instruction that waits lead to this one, or also lie on a way back from it? */
static bool
waits_before(const Races *r, FnId fn, InsId ins, bool round)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(r->ir, id)->op == OP_AWAIT && walk_reaches(r->walk, fn, id, ins) &&
		    (!round || walk_reaches(r->walk, fn, ins, id)))
			return true;
	return false;
}

static const Buffers *
buffers_of(Reasons *rs)
{
	const Races *r = rs->r;

	if (rs->buffers)
		return rs->buffers;
	rs->buffers = arena_new(r->arena, Buffers);
	for (u32 k = 0; k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		const Ins *i = ir_ins(r->ir, a->ins);
		if (i->op == OP_STORE && turns_cell(r->ir, pta_fn(r->pta, a->inst), i) &&
		    waits_before(r, inst_fn(r, a->inst), a->ins, false))
			vec_push(r->arena, &rs->buffers->turns,
				 ((Turn){a->inst, ins_arg(r->ir, i, 0)}));
	}
	return rs->buffers;
}

static bool
is_turned_cell(Reasons *rs, InstId inst, const Ins *load)
{
	const Buffers *b = buffers_of(rs);
	const Set *s = pta_pts(rs->r->pta, inst, ins_arg(rs->r->ir, load, 0));

	for (u32 k = 0; k < b->turns.n; k++)
		if (set_meets(s, pta_pts(rs->r->pta, b->turns.at[k].inst, b->turns.at[k].addr)))
			return true;
	return false;
}

/* Is v turned over, by a loop that waits (*waits) or in memory? */
static bool
is_turned(Reasons *rs, InstId inst, Val v, u32 depth, bool *waits)
{
	const Races *r = rs->r;
	const Fn *f = pta_fn(r->pta, inst);
	InsId id, other;
	const Ins *i = def_of(r->ir, f, v, &id);

	if (!i || depth == DEPTH)
		return false;
	if (i->op == OP_LOAD)
		return is_turned_cell(rs, inst, i);
	if (i->op == OP_CAST || i->op == OP_COPY)
		return is_turned(rs, inst, ins_arg(r->ir, i, 0), depth + 1, waits);
	for (u32 k = 1; i->op == OP_PHI && k < i->narg; k += 2) {
		Val arm = ins_arg(r->ir, i, k);
		if (turned(r->ir, def_of(r->ir, f, arm, &other)) == i->dst &&
		    waits_before(r, inst_fn(r, inst), id, true)) {
			*waits = true;
			return true;
		}
		if (arm != i->dst && is_turned(rs, inst, arm, depth + 1, waits))
			return true;
	}
	return false;
}

/* Is the address of an element whose index is turned over? */
static bool
is_buffer(Reasons *rs, const Access *a, bool *waits)
{
	const Races *r = rs->r;
	const Fn *f = pta_fn(r->pta, a->inst);
	Val v = a->addr;
	InsId id;
	const Ins *i;

	for (u32 depth = 0; depth < DEPTH; depth++) {
		i = def_of(r->ir, f, v, &id);
		if (!i || (i->op != OP_INDEX && i->op != OP_FIELD && i->op != OP_COPY))
			return false;
		if (i->op == OP_INDEX && is_turned(rs, a->inst, ins_arg(r->ir, i, 1), 0, waits))
			return true;
		v = ins_arg(r->ir, i, 0);
	}
	return false;
}

bool
reason_buffers(Reasons *rs, u32 a, u32 b)
{
	const Access *x = access_at(rs->r, a), *y = access_at(rs->r, b);
	bool waits = false;

	return x->thread != y->thread && is_buffer(rs, x, &waits) && is_buffer(rs, y, &waits) &&
	       waits;
}
