/* reason_drawn.c - workers that each have elements of their own, and what only these lead to.
 *
 *	i = fetch_add(&w->i, n); rows[i]->sum++;	w->i begins with w's place among the n workers
 *	i = fetch_add(&job->next, 1); ...
 *	if (i % n != w->id) continue; ...
 *	for (i = w->id; i < rows; i += n) ...
 *	w->sum++; pools[w - all]->used++;
 *
 * A number is a worker's own if it was drawn from a counter that all workers add to, from one of
 * counters that begin where their places say and go on by as many as there are (so that who has none left may
 * draw from another's), or is computed from what the worker alone was started with.  A pointer is its own if it
 * leads to the element of such a number, to what the worker was given alone, or to what it made; and
 * so is what was loaded from there, if whatever is stored in such memory is made for it (reason_task.c).
 * Both sides must have theirs in one way; or the one is its creator, which fills the element that it is about
 * to give to the next worker, or looks at that of the one that it has just waited for.  That counters end where elements do, and that nothing else
 * leads to what elements lead to, is not shown, so this lowers a rung only.
 *
 * It holds among the workers of one call: of a fork whose threads are waited for before it starts others,
 * on what its thread has for itself.  Values are followed back, at most STEPS of them for each access. */
#include "race/reason_int.h"

enum {
	STEPS = 96,
	LOADED = 12,
	MAX_SIZE = 1 << 20,
	WIDE = 32 /* bits of a counter that does not come round */
};

typedef enum How { OWN_NOT, OWN_NULL, OWN_MADE, OWN_GIVEN, OWN_DRAWN } How;

/* Why a number or a pointer is the worker's own.  OWN_NULL: it is no element's, or none at all. */
typedef struct Own {
	How how;
	u32 cell; /* the shape of what numbers are drawn or loaded from; 0: what it was started with */
	i64 factor;  /* how far two such numbers are apart; of elements, in bytes */
	bool row;    /* chosen by a remainder */
	bool beside; /* of a pointer: to what has others' beside it */
} Own;

/* A function on the way to the access, or called from one of them. */
typedef struct At {
	InstId inst;
	InsId ins;
	u32 frame;
	const struct At *caller; /* null: on the way */
	InsId call;
	bool loaded; /* what is asked for leads to the access by a load */
} At;

typedef struct Look {
	Reasons *rs;
	const Facts *facts;
	const Access *access;
	ObjId o;
	u32 steps;
	struct Open *open; /* phis that are being asked */
} Look;

typedef struct Open {
	InstId inst;
	Val v;
	i64 walked; /* by how many bytes a round goes on, at most */
	struct Open *next;
} Open;

typedef Own Rule(Look *l, const At *at, Val v);

static Own pointer(Look *l, const At *at, Val v);
static Own number(Look *l, const At *at, Val v);

static const Own None = {.how = OWN_NOT}, Null = {.how = OWN_NULL};

static bool
overlaps(const Races *r, u32 s, u32 t)
{
	return s == t || (s && t && reason_shapes_overlap(r, s, t));
}

static bool
alike(const Races *r, Own x, Own y)
{
	return x.how == y.how && x.factor == y.factor && x.row == y.row && x.beside == y.beside &&
	       overlaps(r, x.cell, y.cell);
}

/* What is one of two.  Who has none made for it makes its own. */
static Own
either(const Races *r, Own x, Own y)
{
	if (x.how == OWN_NULL || (x.how == OWN_MADE && y.how > OWN_MADE))
		return y;
	if (y.how == OWN_NULL || (y.how == OWN_MADE && x.how > OWN_MADE))
		return x;
	return alike(r, x, y) ? x : None;
}

static bool
is_number(const Ir *ir, Val v)
{
	return val_is_const(v) && ir_const(ir, v)->kind == CONST_INT;
}

/* ---- what the worker was started with -------------------------------------- */

/* If v, which the fork passes, is another in each round of its loop: how far apart these are, or how large. */
static i64
passed_alone(Look *l, InstId inst, InsId fork, Val v, bool as_number)
{
	const Races *r = l->rs->r;
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];
	InsId id;
	const Ins *i;

	if (as_number)
		return reason_counts(r, fn, reason_stripped(r->ir, f, v)) != 0;
	while ((i = def_of(r->ir, f, v, &id)) != NULL &&
	       (i->op == OP_FIELD || i->op == OP_COPY || i->op == OP_CAST))
		v = ins_arg(r->ir, i, 0);
	if (i && i->op == OP_INDEX)
		return reason_counts(r, fn, ins_arg(r->ir, i, 1)) ? i->imm : 0;
	if (!i || (i->op != OP_CALL && (i->op != OP_ALLOC || i->sub == ALLOC_STACK)) ||
	    reason_repeats_without(r, fn, fork, id))
		return 0;
	SET_FOR (it, pta_pts(r->pta, inst, v))
		if (!reason_makes(l->rs, inst, id, pta_slot(r->pta, it.x)->obj))
			return 0;
	return MAX_SIZE;
}

/* The parameter of the start routine. */
static Own
given(Look *l, Val param, bool as_number)
{
	const Races *r = l->rs->r;
	const Thread *x = thread_get(r->conc->threads, l->access->thread);
	const Ins *fork = x->fork ? ir_ins(r->ir, x->fork) : NULL;
	Val v = fork && param + 1 < fork->narg ? ins_arg(r->ir, fork, param + 1) : 0;
	i64 size = v ? passed_alone(l, x->fork_inst, x->fork, v, as_number) : 0;

	return size ? (Own){OWN_GIVEN, 0, size, false, !as_number} : None;
}

/* From a parameter to its argument. */
static Own
argument(Look *l, const At *at, Val param, Rule *rule)
{
	const Races *r = l->rs->r;
	const Frame *outer;
	Frame call;
	At up = *at;
	Val v;

	if (at->caller) {
		up = *at->caller;
		up.loaded = at->loaded;
		call = (Frame){up.inst, at->call};
		v = frame_argument(r, &call, param);
		return v ? rule(l, &up, v) : None;
	}
	if (at->frame + 1 == l->facts->nframe)
		return l->facts->nframe < FRAMES ? given(l, param, rule == number) : None;
	outer = frame_of(l->rs, l->facts, ++up.frame);
	up.inst = outer->inst;
	up.ins = outer->ins;
	v = frame_argument(r, outer, param);
	return v ? rule(l, &up, v) : None;
}

/* ---- what both have in common ------------------------------------------------ */

/* All that a phi or select chooses from. */
static Own
chosen(Look *l, const At *at, const Ins *i, Rule *rule)
{
	const Races *r = l->rs->r;
	Open open = {at->inst, i->dst, 0, l->open};
	Own all = Null;

	for (const Open *o = l->open; o; o = o->next)
		if (o->inst == at->inst && o->v == i->dst)
			return Null;
	l->open = &open;
	for (u32 k = 1; k < i->narg && all.how != OWN_NOT; k += i->op == OP_PHI ? 2 : 1)
		all = either(r, all, rule(l, at, ins_arg(r->ir, i, k)));
	l->open = open.next;
	/* Who walks on leaves what is its own. */
	return all.beside && open.walked >= all.factor ? None : all;
}

/* All that the functions which a call runs return. */
static Own
returned(Look *l, const At *at, InsId call, Rule *rule)
{
	const Races *r = l->rs->r;
	u32 n;
	const Edge *e = pta_targets(r->pta, at->inst, call, &n);
	Own all = Null;

	for (u32 k = 0; k < n && all.how != OWN_NOT; k++) {
		const Fn *f = pta_fn(r->pta, e[k].to);
		for (InsId id = f->ins; id < f->ins + f->nins; id++) {
			const Ins *ret = ir_ins(r->ir, id);
			At in = {e[k].to, id, 0, at, call, at->loaded};
			if (ret->op == OP_RET && ret->narg)
				all = either(r, all, rule(l, &in, ins_arg(r->ir, ret, 0)));
		}
	}
	return n ? all : None;
}

/* ---- numbers -------------------------------------------------------------------- */

static u32
write_shape(const Races *r, InstId inst, InsId ins)
{
	for (u32 k = access_first(r, ins); k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		if (a->ins != ins)
			break;
		if (a->inst == inst && a->flags & ACC_WRITE)
			return r->shape_of[k];
	}
	return 0;
}

/* A number in memory, and a value that all stores of it must be alike. */
typedef struct Count {
	const Races *r;
	InstId inst;
	Val v;
	u32 stores;
} Count;

static bool
stores_count(void *ctx, const Writer *w)
{
	Count *c = ctx;
	const Ir *ir = c->r->ir;
	const Fn *f = pta_fn(c->r->pta, c->inst);
	const Ins *i = ir_ins(ir, w->ins);

	c->stores++;
	return i->op == OP_STORE && inst_fn(c->r, w->inst) == inst_fn(c->r, c->inst) &&
	       reason_alike(ir, f, reason_stripped(ir, f, ins_arg(ir, i, 1)), c->v);
}

/* Is v as many as there are rounds in the loop of an instruction? */
static bool
counts_rounds(Look *l, const At *at, Val v, InstId inst, InsId in)
{
	const Races *r = l->rs->r;
	const Fn *f = pta_fn(r->pta, inst);
	const Ins *test = reason_exit_test(r, inst_fn(r, inst), in), *load, *other;
	Count c = {r, inst, test ? reason_stripped(r->ir, f, ins_arg(r->ir, test, 1)) : 0, 0};
	InsId id, bound;
	u32 shape;

	v = reason_stripped(r->ir, pta_fn(r->pta, at->inst), v);
	load = def_of(r->ir, pta_fn(r->pta, at->inst), v, &id);
	if (!test || !load || load->op != OP_LOAD)
		return false;
	shape = reason_read_shape(r, at->inst, id);
	other = def_of(r->ir, f, c.v, &bound);
	if (other && other->op == OP_LOAD)
		return overlaps(r, shape, reason_read_shape(r, inst, bound));
	return shape && reason_stores(l->rs, shape, stores_count, &c) && c.stores;
}

/* What is stored in counters or numbers of the workers. */
typedef struct Begins {
	Look *l;
	const At *at;
	Val step;
	u32 stores;
} Begins;

/* Does the store put the worker's place there: the counter of the loop that fills the elements? */
static bool
stores_place(void *ctx, const Writer *w)
{
	Begins *b = ctx;
	const Races *r = b->l->rs->r;
	FnId fn = inst_fn(r, w->inst);
	const Fn *f = &r->ir->fns.at[fn];
	const Ins *store = ir_ins(r->ir, w->ins), *at;
	InsId id;
	Val v;

	b->stores++;
	if (store->op != OP_STORE)
		return false;
	v = reason_stripped(r->ir, f, ins_arg(r->ir, store, 1));
	if (!reason_counts(r, fn, v))
		return false;
	if (!b->step)
		return true;
	for (at = def_of(r->ir, f, ins_arg(r->ir, store, 0), &id); at && at->op == OP_FIELD;)
		at = def_of(r->ir, f, ins_arg(r->ir, at, 0), &id);
	return at && at->op == OP_INDEX && reason_stripped(r->ir, f, ins_arg(r->ir, at, 1)) == v &&
	       reason_counts(r, fn, v) == 1 && counts_rounds(b->l, b->at, b->step, w->inst, w->ins);
}

static bool
stores_outside(void *ctx, const Writer *w)
{
	return w->thread != *(const ThreadId *)ctx;
}

/* Does every other atomic update of such a cell add to it as well, by a constant or not? */
static bool
only_added(const Races *r, u32 shape, bool constant)
{
	for (u32 k = 0; k < r->conc->accesses.n; k++) {
		const Ins *i = ir_ins(r->ir, access_at(r, k)->ins);
		Val by = i->op == OP_RMW ? ins_arg(r->ir, i, 1) : 0;

		if ((i->op != OP_RMW && i->op != OP_CAS) || !overlaps(r, shape, r->shape_of[k]))
			continue;
		if (!by || i->sub != BIN_ADD || is_number(r->ir, by) != constant ||
		    (constant && ir_const(r->ir, by)->num <= 0))
			return false;
	}
	return true;
}

/* What an atomic addition found. */
static Own
drawn(Look *l, const At *at, InsId id)
{
	const Races *r = l->rs->r;
	const Ins *i = ir_ins(r->ir, id);
	u32 shape = write_shape(r, at->inst, id);
	Val by = ins_arg(r->ir, i, 1);
	ThreadId t = l->access->thread;
	Begins b = {l, at, by, 0};
	At cell = *at;

	if (i->sub != BIN_ADD || i->order == ORDER_PLAIN || i->width < WIDE || !shape ||
	    !only_added(r, shape, is_number(r->ir, by)))
		return None;
	cell.loaded = true;
	if (is_number(r->ir, by) ? pointer(l, &cell, ins_arg(r->ir, i, 0)).how != OWN_NOT ||
				       !reason_stores(l->rs, shape, stores_outside, &t)
				 : !reason_stores(l->rs, shape, stores_place, &b) || !b.stores)
		return None;
	return (Own){.how = OWN_DRAWN,
		     .cell = shape,
		     .factor = is_number(r->ir, by) ? ir_const(r->ir, by)->num : 1};
}

/* A number of the worker's own that it was given in memory. */
static Own
loaded_number(Look *l, const At *at, InsId load)
{
	const Races *r = l->rs->r;
	At box = *at;
	Own own;
	Begins b = {l, at, 0, 0};

	box.loaded = true;
	own = pointer(l, &box, ins_arg(r->ir, ir_ins(r->ir, load), 0));
	if (own.how != OWN_GIVEN)
		return None;
	own = (Own){OWN_GIVEN, reason_read_shape(r, at->inst, load), 1, false, false};
	return own.cell && reason_stores(l->rs, own.cell, stores_place, &b) && b.stores ? own
											: None;
}

/* Is control where it is only if v, divided by some number, leaves the worker's own? */
static Own
row(Look *l, const At *at, Val v)
{
	const Races *r = l->rs->r;
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];
	BlockId in = walk_block(r->walk, fn, at->ins);

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *end = ir_ins(r->ir, bl->ins + bl->nins - 1), *cmp, *rem;
		InsId id;
		BlockId to;
		u32 n;
		Own own;

		cmp = end->op == OP_CBR ? def_of(r->ir, f, ins_arg(r->ir, end, 0), &id) : NULL;
		if (!cmp || cmp->op != OP_CMP || (cmp->sub != CMP_EQ && cmp->sub != CMP_NE))
			continue;
		to = r->ir->succs.at[bl->succ + (cmp->sub == CMP_NE)];
		rem = def_of(r->ir, f, reason_stripped(r->ir, f, ins_arg(r->ir, cmp, 0)), &id);
		(void)walk_preds(r->walk, fn, to, &n);
		if (n != 1 || !walk_block_dominates(r->walk, fn, to, in) || !rem ||
		    rem->op != OP_BIN || (rem->sub != BIN_SREM && rem->sub != BIN_UREM) ||
		    reason_stripped(r->ir, f, ins_arg(r->ir, rem, 0)) != v)
			continue;
		own = number(l, at, ins_arg(r->ir, cmp, 1));
		own.row = true;
		if (own.how == OWN_GIVEN)
			return own;
	}
	return None;
}

/* A counter that starts with the worker's own number and goes on by as many as there are workers. */
static Own
strided(Look *l, const At *at, const Ins *phi)
{
	const Races *r = l->rs->r;
	const Fn *f = pta_fn(r->pta, at->inst);
	const Thread *x = thread_get(r->conc->threads, l->access->thread);
	Own own = None;
	bool steps = false;

	for (u32 k = 1; k < phi->narg; k += 2) {
		Val v = reason_stripped(r->ir, f, ins_arg(r->ir, phi, k));
		InsId id;
		const Ins *sum = def_of(r->ir, f, v, &id);
		if (sum && sum->op == OP_BIN && sum->sub == BIN_ADD &&
		    reason_stripped(r->ir, f, ins_arg(r->ir, sum, 0)) == phi->dst)
			steps = x->fork &&
				counts_rounds(l, at, ins_arg(r->ir, sum, 1), x->fork_inst, x->fork);
		else if (own.how == OWN_NOT)
			own = number(l, at, v);
		else
			return None;
	}
	return steps && own.how == OWN_GIVEN ? own : None;
}

/* The place of what the worker was given in an array: its address less that of the array. */
static Own
place(Look *l, const At *at, const Ins *sub)
{
	const Ir *ir = l->rs->r->ir;
	At box = *at;
	Own own;

	box.loaded = true;
	own = pointer(l, &box,
		      reason_stripped(ir, pta_fn(l->rs->r->pta, at->inst), ins_arg(ir, sub, 0)));
	return own.how == OWN_GIVEN && own.beside ? (Own){.how = OWN_GIVEN, .factor = 1} : None;
}

static Own
calculated(Look *l, const At *at, const Ins *i)
{
	const Ir *ir = l->rs->r->ir;
	const Fn *f = pta_fn(l->rs->r->pta, at->inst);
	Val by = ins_arg(ir, i, 1);
	i64 c = is_number(ir, by) ? ir_const(ir, by)->num : -1;
	InsId id;
	const Ins *sub;
	Own own;

	if (i->sub == BIN_SDIV || i->sub == BIN_ASHR) {
		sub = def_of(ir, f, reason_stripped(ir, f, ins_arg(ir, i, 0)), &id);
		return sub && sub->op == OP_BIN && sub->sub == BIN_SUB ? place(l, at, sub) : None;
	}
	if (c < 0 || c >= MAX_SIZE)
		return None;
	own = number(l, at, ins_arg(ir, i, 0));
	if (own.how <= OWN_NULL)
		return None;
	if ((i->sub == BIN_MUL && c > 0) || (i->sub == BIN_SHL && c < 20))
		own.factor *= i->sub == BIN_MUL ? c : (i64)1 << c;
	else if ((i->sub != BIN_ADD && i->sub != BIN_OR) || c >= own.factor)
		return None;
	return own.factor < MAX_SIZE ? own : None;
}

static Own
number(Look *l, const At *at, Val v)
{
	const Races *r = l->rs->r;
	const Fn *f = pta_fn(r->pta, at->inst);
	InsId id;
	const Ins *i;
	Own own;

	v = reason_stripped(r->ir, f, v);
	if (l->steps++ > STEPS)
		return None;
	if (val_is_const(v))
		return is_number(r->ir, v) && ir_const(r->ir, v)->num < 0 ? Null : None;
	i = def_of(r->ir, f, v, &id);
	if (!i)
		return argument(l, at, v, number);
	switch (i->op) {
	case OP_BIN: return calculated(l, at, i);
	case OP_RMW: return drawn(l, at, id);
	case OP_LOAD: return loaded_number(l, at, id);
	case OP_CALL: return returned(l, at, id, number);
	case OP_SELECT: return chosen(l, at, i, number);
	case OP_PHI:
		own = row(l, at, v);
		if (own.how == OWN_NOT)
			own = strided(l, at, i);
		return own.how == OWN_NOT ? chosen(l, at, i, number) : own;
	default: return None;
	}
}

/* ---- pointers --------------------------------------------------------------------- */

/* An element by a number that is nobody's own: of an array that is. */
static Own
within(Look *l, const At *at, const Ins *index)
{
	Own own = pointer(l, at, ins_arg(l->rs->r->ir, index, 0));

	if (own.how == OWN_NULL)
		for (Open *o = l->open; o; o = o->next)
			o->walked = MAX(o->walked, index->imm);
	return own.beside && index->imm >= own.factor ? None : own;
}

/* The element of an array; one of arrays may be shorter than there are workers. */
static Own
element(Look *l, const At *at, const Ins *index)
{
	const Races *r = l->rs->r;
	Own own = number(l, at, ins_arg(r->ir, index, 1));
	InsId id;
	const Ins *array;

	if (own.how <= OWN_NULL)
		return within(l, at, index);
	array = def_of(r->ir, pta_fn(r->pta, at->inst), ins_arg(r->ir, index, 0), &id);
	own.factor *= index->imm;
	own.beside = true;
	/* What is longer than an element reaches into the next. */
	if ((array && array->op == OP_INDEX) ||
	    (!at->loaded && (!l->access->size || (i64)l->access->size > own.factor)))
		return None;
	return own;
}

/* What was loaded from memory of the worker's own. */
static Own
loaded(Look *l, const At *at, InsId load)
{
	const Races *r = l->rs->r;
	const Ins *i = ir_ins(r->ir, load);
	u32 shape = reason_read_shape(r, at->inst, load), n = 0;
	At box = *at;
	Own own;

	box.loaded = true;
	own = pointer(l, &box, ins_arg(r->ir, i, 0));
	if (own.how <= OWN_NULL || !shape)
		return None;
	own.beside = false;
	if (!at->loaded)
		return reason_stored_apart(l->rs, shape, l->o) ? own : None;
	SET_FOR (it, pta_pts(r->pta, at->inst, i->dst))
		if (n++ > LOADED || !reason_stored_apart(l->rs, shape, pta_slot(r->pta, it.x)->obj))
			return None;
	return own;
}

static Own
pointer(Look *l, const At *at, Val v)
{
	const Races *r = l->rs->r;
	const Ir *ir = r->ir;
	InsId id;
	const Ins *i = def_of(ir, pta_fn(r->pta, at->inst), v, &id);

	if (l->steps++ > STEPS)
		return None;
	if (!i)
		return val_is_reg(v) ? argument(l, at, v, pointer)
		       : val_is_const(v) && ir_const(ir, v)->kind == CONST_NULL ? Null
										: None;
	switch (i->op) {
	case OP_FIELD:
	case OP_COPY:
	case OP_CAST:
	case OP_FILTER: return pointer(l, at, ins_arg(ir, i, 0));
	case OP_INDEX: return element(l, at, i);
	case OP_ALLOC: return (Own){.how = OWN_MADE};
	case OP_CALL: return returned(l, at, id, pointer);
	case OP_LOAD: return loaded(l, at, id);
	case OP_PHI:
	case OP_SELECT: return chosen(l, at, i, pointer);
	default: return None;
	}
}

static Own
own_of(Reasons *rs, u32 access, ObjId o)
{
	Look l = {
	    .rs = rs, .facts = facts_of(rs, access), .access = access_at(rs->r, access), .o = o};
	const Frame *f = frame_of(rs, l.facts, 0);
	At at = {f->inst, f->ins, 0, NULL, 0, false};

	return pointer(&l, &at, l.access->addr);
}

/* Have those ended that an earlier call has started, on what its thread has for itself? */
static bool
all_ended(Reasons *rs, ThreadId t, ObjId o)
{
	const Races *r = rs->r;

	return (reason_scopes(rs, t) || !order_piles_up(r->conc->order, t)) &&
	       reason_of_one(r, thread_get(r->conc->threads, t)->parent, o);
}

/* Is b at the element that its worker was given alone, and does a fill the next one? */
static bool
filled(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	ThreadId t = access_at(r, b)->thread;
	const Thread *x = thread_get(r->conc->threads, t);
	Own own;

	if (r->ir->classes.n > 1 || !x->fork || x->parent != access_at(r, a)->thread ||
	    ir_ins(r->ir, x->fork)->flags & (INS_REPEATS | INS_INTERRUPTS) ||
	    !reason_fills(rs, a, x))
		return false;
	own = own_of(rs, b, o);
	return own.how == OWN_GIVEN && own.beside && !own.cell && all_ended(rs, t, o);
}

bool
reason_drawn(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	ThreadId t = access_at(r, a)->thread;
	const Thread *x = thread_get(r->conc->threads, t);
	Own own;

	if (filled(rs, a, b, o) || filled(rs, b, a, o))
		return true;
	if (r->ir->classes.n > 1 || t != access_at(r, b)->thread || !x->fork ||
	    ir_ins(r->ir, x->fork)->flags & (INS_REPEATS | INS_INTERRUPTS))
		return false;
	own = own_of(rs, a, o);
	if (own.how <= OWN_NULL || !alike(r, own, own_of(rs, b, o)))
		return false;
	return own.how == OWN_MADE || all_ended(rs, t, o);
}
