/* reason_sweep.c - who takes every lock of an array excludes who holds one of them.
 *
 *	for (i = 0; i < N; i++) lock(&stripe[i]);  table = grown;  for (...) unlock(&stripe[i]);
 *
 * A table whose parts have locks of their own is changed as a whole by whoever holds all of these.  The
 * loop is behind the access's function, or in a function that is called before, and nothing that may be one
 * of the locks is given back in between.  Whether the loop comes to all elements is not
 * asked, so this is a reason and no more; the other side certainly holds an element. */
#include "race/reason_int.h"

struct Sweeps {
	bool *fn; /* [FnId] */
	Set locks;
};

/* Is it an element of an array, or what a pointer comes to that walks through one? */
static bool
is_element(const Ir *ir, const Fn *f, Val addr)
{
	InsId id;
	const Ins *def;

	while ((def = def_of(ir, f, addr, &id)) && (def->op == OP_FIELD || def->op == OP_COPY))
		addr = ins_arg(ir, def, 0);
	return def &&
	       ((def->op == OP_INDEX && val_is_reg(ins_arg(ir, def, 1))) || def->op == OP_PHI);
}

/* Does the instruction take an element's lock in a loop? */
static bool
takes_element(const Races *r, FnId fn, InsId id)
{
	const Ins *i = ir_ins(r->ir, id);

	return i->op == OP_ACQUIRE && !(i->flags & INS_TRY) && i->sub == LOCK_WRITE &&
	       is_element(r->ir, &r->ir->fns.at[fn], ins_arg(r->ir, i, 0)) &&
	       walk_cyclic(r->walk, fn, walk_block(r->walk, fn, id));
}

static void
add_locks(const Races *r, InstId inst, Set *to)
{
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (takes_element(r, fn, id))
			set_or(r->arena, to,
			       pta_pts(r->pta, inst, ins_arg(r->ir, ir_ins(r->ir, id), 0)));
}

/* Which functions have such an instruction, and the locks that it may be: few, as a rule none. */
static struct Sweeps *
sweeps_of(Reasons *rs)
{
	const Races *r = rs->r;
	struct Sweeps *s = rs->sweeps;

	if (s)
		return s;
	s = rs->sweeps = arena_new(r->arena, struct Sweeps);
	s->fn = arena_array(r->arena, bool, r->ir->fns.n);
	for (FnId fn = 1; fn < r->ir->fns.n; fn++)
		for (u32 k = 0; k < r->ir->fns.at[fn].nins && !s->fn[fn]; k++)
			s->fn[fn] = takes_element(r, fn, r->ir->fns.at[fn].ins + k);
	for (InstId inst = 1; inst < r->pta->insts.n; inst++)
		if (s->fn[inst_fn(r, inst)])
			add_locks(r, inst, &s->locks);
	return s;
}

/* Is the loop around `in` passed on every path to `to`, which is not within it? */
static bool
loop_before(const Races *r, FnId fn, InsId in, InsId to)
{
	BlockId b = walk_block(r->walk, fn, in), target = walk_block(r->walk, fn, to), d = b;

	if (!walk_cyclic(r->walk, fn, b) || (walk_block_dominates(r->walk, fn, b, target) &&
					     walk_block_reaches(r->walk, fn, target, b)))
		return false;
	for (; d && walk_block_reaches(r->walk, fn, b, d); d = walk_idom(r->walk, fn, d))
		if (d != target && walk_block_dominates(r->walk, fn, d, target))
			return true;
	return false;
}

/* May the instruction give back one of the locks at addr of inst, or call who might? */
static bool
may_give_back(Reasons *rs, InstId inst, InsId id, const Set *locks)
{
	const Races *r = rs->r;
	const Ins *i = ir_ins(r->ir, id);

	if (i->op == OP_RELEASE)
		return set_meets(pta_pts(r->pta, inst, ins_arg(r->ir, i, 0)), locks);
	return reason_moves_locks(rs, inst, id);
}

/* Is one of the locks given back between `from` and `to`? */
static bool
given_back(Reasons *rs, InstId inst, InsId from, InsId to, const Set *locks)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (id != from && id != to && may_give_back(rs, inst, id, locks) &&
		    !walk_dominates(r->walk, fn, to, id) && walk_reaches(r->walk, fn, from, id) &&
		    walk_reaches(r->walk, fn, id, to))
			return true;
	return false;
}

/* Does inst take all the elements of an array before `to`, a lock of which is in held? */
static bool
sweeps(Reasons *rs, InstId inst, InsId to, const Set *held, const Set **locks)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; sweeps_of(rs)->fn[fn] && id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		if (!takes_element(r, fn, id))
			continue;
		*locks = pta_pts(r->pta, inst, ins_arg(r->ir, i, 0));
		if (set_meets(*locks, held) && loop_before(r, fn, id, to) &&
		    !given_back(rs, inst, id, to, *locks))
			return true;
	}
	return false;
}

/* The one return of a function; 0: it has several. */
static InsId
sole_return(const Ir *ir, const Fn *f)
{
	InsId found = 0;

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		if (ir_ins(ir, id)->op != OP_RET)
			continue;
		if (found)
			return 0;
		found = id;
	}
	return found;
}

/* The same of a function that is called before `to`. */
static bool
callee_sweeps(Reasons *rs, InstId inst, InsId to, const Set *held)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		u32 n = 0;
		const Edge *e = ir_ins(r->ir, id)->op == OP_CALL && id != to
				    ? pta_targets(r->pta, inst, id, &n)
				    : NULL;
		const Fn *g = n == 1 ? pta_fn(r->pta, e->to) : NULL;
		const Set *locks;
		InsId end = g && sweeps_of(rs)->fn[inst_fn(r, e->to)] ? sole_return(r->ir, g) : 0;
		if (end && walk_dominates(r->walk, fn, id, to) &&
		    sweeps(rs, e->to, end, held, &locks) && !given_back(rs, inst, id, to, locks))
			return true;
	}
	return false;
}

/* Does the access have all locks of an array, one of which the other one holds? */
static bool
swept_for(Reasons *rs, u32 access, u32 other)
{
	const Races *r = rs->r;
	const Facts *f = facts_of(rs, access);
	SetId site = site_locks_at(r->site_locks, access_at(r, other));
	Set facts = {0}, held = {0};
	const Set *locks;
	bool yes = false;

	if (!site || set_empty(&sweeps_of(rs)->locks))
		return false;
	site_locks_facts(r->site_locks, site, &facts);
	SET_FOR (it, &facts)
		set_add(r->arena, &held, it.x / 2);
	for (u32 k = 0; k < f->nframe && !yes && set_meets(&held, &sweeps_of(rs)->locks); k++) {
		const Frame *at = frame_of(rs, f, k);
		yes = sweeps(rs, at->inst, at->ins, &held, &locks) ||
		      callee_sweeps(rs, at->inst, at->ins, &held);
	}
	set_recycle(r->arena, &facts);
	set_recycle(r->arena, &held);
	return yes;
}

bool
reason_swept(Reasons *rs, u32 a, u32 b)
{
	return swept_for(rs, a, b) || swept_for(rs, b, a);
}
