/* wrapper.c - functions that only wrap an allocation, a fork or a join.
 *
 * A wrapper is small, does not call itself, and
 *	makes a heap object (or calls a wrapper that does) and returns it or
 *	stores it through a parameter; or
 *	forks, with a start routine or place for the handle that comes from a
 *	parameter, or with a handle that it returns, or a start routine that relays; or
 *	joins a handle that comes from a parameter; or
 *	calls a wrapper of fork or join with something that comes from a
 *	parameter, or returns what that returned.
 *
 * A small function relays if it calls through a pointer that comes from a parameter, as
 * the start routine of such a wrapper does: run(job) { job->function(job->argument); }
 *
 * A call through a variable that starts with the address of a function is taken for one of that
 * function, as with hooks for a program's own allocator.
 *
 * A cheap, syntactic guess before anything is solved: a wrong one costs
 * precision or time, never soundness.  Functions are visited callees first
 * along direct calls.  Within one, each register carries a few bits of where
 * its value comes from, and each local variable's address those of its
 * content; bits are only added, so the passes over it end. */
#include "base/graph.h"
#include "pta/pta_int.h"

enum { SMALL = 80 };

/* Where a value comes from. */
enum {
	FROM_PARAM = 1,
	FROM_HEAP = 2,
	FROM_FORK = 4,
	IS_LOCAL = 8, /* it is the address of a local variable */
};

typedef struct Scan {
	const Ir *ir;
	const Fn *fn;
	const u8 *wraps; /* [FnId], of the callees */
	u8 *from;        /* [register] */
	u8 *content;     /* [register that IS_LOCAL] */
	u8 found;
	bool changed;
} Scan;

static u8
from(const Scan *s, const Ins *i, u32 k)
{
	Val v = k < i->narg ? ins_arg(s->ir, i, k) : 0;

	return val_is_reg(v) ? s->from[v] : 0;
}

static void
add(Scan *s, u8 *bits, u32 more)
{
	if ((*bits | more) != *bits) {
		*bits |= (u8)more;
		s->changed = true;
	}
}

static void
set_dst(Scan *s, const Ins *i, u32 bits)
{
	if (i->dst)
		add(s, &s->from[i->dst], bits);
}

/* Something with these bits is stored at operand k. */
static void
put(Scan *s, const Ins *i, u32 k, u32 bits)
{
	Val v = k < i->narg ? ins_arg(s->ir, i, k) : 0;

	if (!val_is_reg(v))
		return;
	if (s->from[v] & IS_LOCAL)
		add(s, &s->content[v], bits & ~(u32)IS_LOCAL);
	if ((s->from[v] & FROM_PARAM) && (bits & FROM_HEAP))
		s->found |= WRAPS_HEAP;
	if ((s->from[v] & FROM_PARAM) && (bits & FROM_FORK))
		s->found |= WRAPS_THREAD;
}

static void
scan_load(Scan *s, const Ins *i)
{
	Val at = ins_arg(s->ir, i, 0);

	if (!val_is_reg(at))
		return;
	if (s->from[at] & IS_LOCAL)
		set_dst(s, i, s->content[at]);
	set_dst(s, i, s->from[at] & FROM_PARAM);
}

static const Ins *
def_of(const Ir *ir, const Fn *f, Val v)
{
	InsId def = val_is_reg(v) ? fn_reg(ir, f, v)->def : 0;

	return def ? ir_ins(ir, def) : NULL;
}

/* The function that a constant is; 0 none. */
static FnId
named(const Ir *ir, Val v)
{
	return val_is_const(v) && ir_const(ir, v)->kind == CONST_FN
		   ? call_resolve(ir, ir_const(ir, v)->ref)
		   : 0;
}

/* The function whose address a variable starts with, at the offset; 0 none. */
static FnId
first_content(const Ir *ir, Val global, u64 off)
{
	const Global *g;

	if (!val_is_const(global) || ir_const(ir, global)->kind != CONST_GLOBAL)
		return 0;
	g = &ir->globals.at[ir_const(ir, global)->ref];
	for (u32 k = g->init; k < g->init + g->ninit; k++)
		if (ir->inits.at[k].off == off)
			return named(ir, ir->inits.at[k].val);
	return 0;
}

/* The function that a call means, as far as its text says; 0 unknown. */
static FnId
meant(const Ir *ir, const Fn *f, const Ins *call)
{
	Val v = ins_arg(ir, call, 0);
	const Ins *i = def_of(ir, f, v);
	u64 off = 0;

	if (call->sub != CALL_PLAIN || !i || i->op != OP_LOAD)
		return named(ir, v);
	v = ins_arg(ir, i, 0);
	if ((i = def_of(ir, f, v)) != NULL && i->op == OP_FIELD) {
		off = (u64)i->imm;
		v = ins_arg(ir, i, 0);
	}
	return first_content(ir, v, off);
}

static void
scan_call(Scan *s, const Ins *i)
{
	u8 wraps = s->wraps[meant(s->ir, s->fn, i)];
	u32 bits = (wraps & WRAPS_HEAP ? FROM_HEAP : 0) | (wraps & WRAPS_THREAD ? FROM_FORK : 0);

	if (i->sub == CALL_PLAIN && (from(s, i, 0) & FROM_PARAM))
		s->found |= RELAYS;
	if (!wraps)
		return;
	set_dst(s, i, bits);
	for (u32 k = 1; k < i->narg; k++) {
		if (from(s, i, k) & IS_LOCAL)
			put(s, i, k, bits);
		if ((wraps & WRAPS_THREAD) && (from(s, i, k) & FROM_PARAM))
			s->found |= WRAPS_THREAD;
	}
}

static void
scan_thread(Scan *s, const Ins *i)
{
	if (i->op == OP_JOIN) {
		if (from(s, i, 0) & FROM_PARAM)
			s->found |= WRAPS_THREAD;
		return;
	}
	if (((from(s, i, 0) | from(s, i, i->sub == CALL_VIRTUAL ? 2 : 1)) & FROM_PARAM) ||
	    (i->sub != CALL_VIRTUAL && s->wraps[named(s->ir, ins_arg(s->ir, i, 1))] & RELAYS))
		s->found |= WRAPS_THREAD;
	put(s, i, 0, FROM_FORK);
	if (i->flags & INS_HANDLE)
		set_dst(s, i, FROM_FORK);
}

static void
scan_ins(Scan *s, const Ins *i)
{
	switch (i->op) {
	case OP_ALLOC: set_dst(s, i, i->sub == ALLOC_STACK ? IS_LOCAL : FROM_HEAP); break;
	case OP_COPY:
	case OP_CAST:
	case OP_FIELD:
	case OP_INDEX:
		/* Parts of a local variable are not told apart: they are lost. */
		set_dst(s, i,
			from(s, i, 0) & ~(i->op == OP_FIELD || i->op == OP_INDEX ? IS_LOCAL : 0));
		break;
	case OP_PHI:
		for (u32 k = 1; k < i->narg; k += 2)
			set_dst(s, i, from(s, i, k) & ~IS_LOCAL);
		break;
	case OP_SELECT: set_dst(s, i, (from(s, i, 1) | from(s, i, 2)) & ~IS_LOCAL); break;
	case OP_LOAD: scan_load(s, i); break;
	case OP_STORE: put(s, i, 0, from(s, i, 1)); break;
	case OP_CALL: scan_call(s, i); break;
	case OP_FORK:
	case OP_JOIN: scan_thread(s, i); break;
	case OP_RET:
		if (from(s, i, 0) & FROM_HEAP)
			s->found |= WRAPS_HEAP;
		if (from(s, i, 0) & FROM_FORK)
			s->found |= WRAPS_THREAD;
		break;
	}
}

static u8
scan_fn(const Ir *ir, const Fn *f, const u8 *wraps, Arena *scratch)
{
	Scan s = {.ir = ir, .fn = f, .wraps = wraps};

	if (f->nins > SMALL || !f->nblock)
		return 0;
	s.from = arena_array(scratch, u8, f->nreg + 1);
	s.content = arena_array(scratch, u8, f->nreg + 1);
	for (u32 r = 1; r <= f->nparam; r++)
		s.from[r] = FROM_PARAM;
	do {
		s.changed = false;
		for (InsId i = f->ins; i < f->ins + f->nins; i++)
			scan_ins(&s, ir_ins(ir, i));
	} while (s.changed);
	arena_recycle(scratch, s.from, f->nreg + 1);
	arena_recycle(scratch, s.content, f->nreg + 1);
	return s.found;
}

/* Marks what f, which relays, calls by name with a parameter of its own, as to clean up. */
static void
mark_relayed(const Ir *ir, const Fn *f, u8 *wraps)
{
	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(ir, id);
		FnId to = i->op == OP_CALL ? named(ir, ins_arg(ir, i, 0)) : 0;
		for (u32 k = 1; to && k < i->narg; k++)
			if (ins_arg(ir, i, k) && ins_arg(ir, i, k) <= f->nparam)
				wraps[to] |= RELAYED;
	}
}

/* Marks the start routines that relay. */
static void
find_relays(const Ir *ir, Arena *scratch, u8 *wraps)
{
	for (InsId id = 1; id < ir->ins.n; id++) {
		const Ins *i = ir_ins(ir, id);
		FnId f =
		    i->op == OP_FORK && i->sub != CALL_VIRTUAL ? named(ir, ins_arg(ir, i, 1)) : 0;
		if (!f || wraps[f] & RELAYS)
			continue;
		wraps[f] |= scan_fn(ir, &ir->fns.at[f], wraps, scratch) & RELAYS;
		if (wraps[f] & RELAYS)
			mark_relayed(ir, &ir->fns.at[f], wraps);
	}
}

/* The calls that say what they call. */
static void
direct_calls(const Ir *ir, Arena *scratch, Graph *g)
{
	Vec(Arc) arcs = {0};

	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *i = ir_ins(ir, id);
			FnId to = i->op == OP_CALL ? meant(ir, fn, i) : 0;
			if (to)
				vec_push(scratch, &arcs, (Arc){f, to});
		}
	}
	graph_build(g, scratch, ir->fns.n, arcs.at, arcs.n);
}

void
wrapper_find(const Ir *ir, Arena *scratch, u8 *wraps, bool *recursive)
{
	Graph g;
	Sccs sccs;

	find_relays(ir, scratch, wraps);
	direct_calls(ir, scratch, &g);
	graph_sccs(&sccs, scratch, &g);
	for (u32 c = 0; c < sccs.n; c++) {
		FnId f = sccs.nodes[sccs.first[c]];
		bool loop = sccs.first[c + 1] - sccs.first[c] > 1;
		GRAPH_FOR (to, &g, f)
			loop |= *to == f;
		for (u32 k = sccs.first[c]; k < sccs.first[c + 1]; k++)
			recursive[sccs.nodes[k]] = loop;
		if (f && !loop)
			wraps[f] |= scan_fn(ir, &ir->fns.at[f], wraps, scratch);
	}
}
