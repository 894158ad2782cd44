/* reason_claimed.c - elements that are claimed under a lock, and used without it.
 *
 *	lock; for (i = 0; i < n && used[i]; i++) ; if (i < n) used[i] = 1; unlock;
 *	if (i < n) { slot[i].count++; lock; used[i] = 0; unlock; }
 *
 * The index of each side's element, or a pointer to it, is followed back to where it was claimed (claim.c),
 * through what calls return, the arguments of the calls that lead to the access, and those with which the thread was
 * started.  Each way must end in a claim or a value that was tested to be no element's, and nobody may give the element back in
 * between.  The claims of both sides are noted in the same memory, under a common lock.  What an element points to
 * goes with it, if whatever is stored there is made for it.
 *
 * That nobody else gives back what he has not claimed is not shown, nor that the claims of several elements
 * and those of several tables do not mix: this lowers a rung only. */
#include "race/claim.h"
#include "race/origin.h"

enum { STEPS = 64, CLAIMS = 4, CALLERS = 16, WRITERS = 64 };

/* Where an access is, as far as claims say. */
typedef struct Claimed {
	u32 n; /* 0: nowhere */
	Claim at[CLAIMS];
	i64 stride, base,
	    add;    /* at base + (number + add) * stride of something; stride 0: of a pointer */
	u32 loaded; /* the shape of the pointer that leads there from the element; 0: it is within */
} Claimed;

/* A value on the way, and where its function hands it on. */
typedef struct At {
	Level l;
	InsId use;
	ThreadId thread;
	u32 frame;     /* of the access, which */
	bool called;   /* no frame: returned to one */
	i64 off;       /* to the access, in bytes */
	Claimed place; /* the element's */
	struct {       /* what was left for this: a part of a function, if there is inst */
		InstId inst;
		InsId from, to;
	} left;
	const struct At *before;
} At;

typedef struct Open {
	InstId inst;
	Val v;
	struct Open *next;
} Open;

typedef struct Look {
	Reasons *rs;
	const Facts *facts; /* null: wherever the functions are called from by: */
	ThreadId thread;
	u64 size; /* of the access */
	u32 steps;
	Open *open; /* phis that are being asked */
	Claimed found;
} Look;

typedef bool Rule(Look *l, const At *at);

static bool pointer(Look *l, const At *at);
static bool number(Look *l, const At *at);

/* The same for what a value of the same function comes from. */
static At
further(const At *at, Val v, i64 add)
{
	At to = *at;

	to.l.v = v;
	to.l.add = add;
	to.l.next = &at->l;
	to.left.inst = 0;
	to.before = at;
	return to;
}

/* The same for a value of another function: `from` is what of this one has it, 0 its entry. */
static At
beyond(const At *at, InsId from, const Frame *there, Val v)
{
	At to = further(at, v, 0);

	to.left.inst = at->l.inst;
	to.left.from = from;
	to.left.to = at->use;
	to.l.inst = there->inst;
	to.l.ins = to.use = there->ins;
	to.l.to = 0;
	return to;
}

/* ---- where a value comes from --------------------------------------------------- */

/* Notes a claim, if nothing gives the element back on the way from there and it is like those that were
 * found. */
static bool
claims(Look *l, const At *at)
{
	const Claimed *p = &at->place;
	Claimed *out = &l->found;
	Claim c = claim_at(l->rs, at->thread, &at->l, at->use);

	if (c.how == CLAIM_NONE || out->n == CLAIMS ||
	    (out->n && (out->stride != p->stride || out->base != p->base || out->add != p->add ||
			out->loaded != p->loaded)))
		return false;
	for (const At *b = at; b; b = b->before)
		if (b->left.inst &&
		    claim_given_back(l->rs, &c, b->left.inst, b->left.from, 0, b->left.to))
			return false;
	out->stride = p->stride;
	out->base = p->base;
	out->add = p->add;
	out->loaded = p->loaded;
	out->at[out->n++] = c;
	return true;
}

/* All that a phi or select chooses from. */
static bool
chosen(Look *l, const At *at, const Ins *i, Rule *rule)
{
	const Races *r = l->rs->r;
	FnId fn = inst_fn(r, at->l.inst);
	Open open = {at->l.inst, i->dst, l->open};
	bool all = true;

	for (const Open *o = l->open; o; o = o->next)
		if (o->inst == at->l.inst && o->v == i->dst)
			return true;
	l->open = &open;
	for (u32 k = 1; k < i->narg && all; k += i->op == OP_PHI ? 2 : 1) {
		At in = further(at, ins_arg(r->ir, i, k), 0);
		if (i->op == OP_PHI) {
			const Block *b =
			    fn_block(r->ir, &r->ir->fns.at[fn], ins_arg(r->ir, i, k - 1));
			InsId def;
			(void)def_of(r->ir, &r->ir->fns.at[fn], i->dst, &def);
			in.left.inst = at->l.inst;
			in.left.from = def;
			in.left.to = at->use;
			in.l.ins = in.use = b->ins + b->nins - 1;
			in.l.to = walk_block(r->walk, fn, def);
		}
		all = rule(l, &in);
	}
	l->open = open.next;
	return all;
}

/* All that the functions which a call runs return. */
static bool
returned(Look *l, const At *at, InsId call, Rule *rule)
{
	const Races *r = l->rs->r;
	u32 n, rets = 0;
	const Edge *e = pta_targets(r->pta, at->l.inst, call, &n);

	for (u32 k = 0; k < n; k++) {
		const Fn *f = pta_fn(r->pta, e[k].to);
		for (InsId id = f->ins; id < f->ins + f->nins; id++) {
			const Ins *ret = ir_ins(r->ir, id);
			Frame there = {e[k].to, id};
			At in;
			if (ret->op != OP_RET || !ret->narg)
				continue;
			in = beyond(at, call, &there, ins_arg(r->ir, ret, 0));
			in.called = true;
			rets++;
			if (e[k].fork || !rule(l, &in))
				return false;
		}
	}
	return rets > 0;
}

/* Is control where the value is used only if the call came out one way? */
static bool
is_answered(const Races *r, const Level *at, InsId call)
{
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];
	BlockId in = walk_block(r->walk, fn, at->ins);
	Val answer = ir_ins(r->ir, call)->dst;

	for (BlockId b = in; answer && b; b = walk_idom(r->walk, fn, b)) {
		const Block *bl = fn_block(r->ir, f, b);
		if (bl->nsucc != 2 || b == in || !claim_branches_on(r->ir, f, bl, answer))
			continue;
		for (u32 k = 0; k < 2; k++) {
			BlockId to = r->ir->succs.at[bl->succ + k];
			u32 n;
			(void)walk_preds(r->walk, fn, to, &n);
			if (n == 1 && walk_block_dominates(r->walk, fn, to, in))
				return true;
		}
	}
	return false;
}

/* The only call that is given the address of the local variable, which nothing else has but loads, and stores of
 * constants; arg: as which argument.  0: there is none. */
static InsId
filled_by(const Races *r, InstId inst, Val var, u32 *arg)
{
	const Fn *f = pta_fn(r->pta, inst);
	InsId call = 0;

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		for (u32 k = 0; k < i->narg; k++) {
			if (ins_arg(r->ir, i, k) != var || i->op == OP_LOAD)
				continue;
			if (i->op == OP_STORE && k == 0 && val_is_const(ins_arg(r->ir, i, 1)))
				continue;
			if (i->op != OP_CALL || call || !k)
				return 0;
			call = id;
			*arg = k;
		}
	}
	return call;
}

/* What a local variable holds that a call was told to store to, and said that it has. */
static bool
stored(Look *l, const At *at, InsId load, Rule *rule)
{
	const Races *r = l->rs->r;
	Val var = ins_arg(r->ir, ir_ins(r->ir, load), 0);
	InsId def, call;
	const Ins *alloc = def_of(r->ir, pta_fn(r->pta, at->l.inst), var, &def);
	u32 arg = 0, n, stores = 0;
	const Edge *e;

	call = alloc && alloc->op == OP_ALLOC && alloc->sub == ALLOC_STACK
		   ? filled_by(r, at->l.inst, var, &arg)
		   : 0;
	if (!call || !walk_dominates(r->walk, inst_fn(r, at->l.inst), call, load) ||
	    !is_answered(r, &at->l, call))
		return false;
	e = pta_targets(r->pta, at->l.inst, call, &n);
	for (u32 k = 0; k < n; k++) {
		const Fn *f = pta_fn(r->pta, e[k].to);
		InsId ret = f->ins;
		while (ret < f->ins + f->nins && ir_ins(r->ir, ret)->op != OP_RET)
			ret++;
		for (InsId id = f->ins; ret < f->ins + f->nins && id < f->ins + f->nins; id++) {
			const Ins *s = ir_ins(r->ir, id);
			Frame there = {e[k].to, id};
			At in;
			if (s->op != OP_STORE || ins_arg(r->ir, s, 0) != arg)
				continue;
			in = beyond(at, call, &there, ins_arg(r->ir, s, 1));
			in.use = ret;
			in.called = true;
			stores++;
			if (e[k].fork || !rule(l, &in))
				return false;
		}
	}
	return stores > 0;
}

/* What the thread was started with. */
static bool
given(Look *l, const At *at, Rule *rule)
{
	const Thread *x = thread_get(l->rs->r->conc->threads, at->thread);
	const Ins *fork = x->fork ? ir_ins(l->rs->r->ir, x->fork) : NULL;
	Frame there = {x->fork_inst, x->fork};
	Val param = at->l.v;
	At up;

	if (!fork || fork->flags & (INS_REPEATS | INS_INTERRUPTS) || param + 1 >= fork->narg)
		return false;
	up = beyond(at, 0, &there, ins_arg(l->rs->r->ir, fork, param + 1));
	up.thread = x->parent;
	return up.l.v && rule(l, &up);
}

/* What those calls of a function pass that the thread may make, if they are no more than so many. */
static bool
passed(Look *l, const At *at, Rule *rule, u32 most)
{
	const Races *r = l->rs->r;
	const Inst *in = pta_inst(r->pta, at->l.inst);
	u32 n = 0;

	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &r->pta->edges.at[r->pta->callers.at[k]];
		Frame there = {e->from, e->ins};
		At up;
		if (!e->fork && !set_has(&r->conc->threads->insts[at->thread], e->from))
			continue;
		if (n++ == most)
			return false;
		if (e->fork) {
			if (!given(l, at, rule))
				return false;
			continue;
		}
		up = beyond(at, 0, &there, frame_argument(r, &there, at->l.v));
		if (!up.l.v || !rule(l, &up))
			return false;
	}
	return n > 0;
}

/* From a parameter to its argument. */
static bool
argument(Look *l, const At *at, Rule *rule)
{
	const Frame *outer;
	At up;

	if (at->called || (l->facts && l->facts->nframe == FRAMES))
		return false;
	if (!l->facts || at->thread != l->thread)
		return passed(l, at, rule, l->facts ? 1 : CALLERS);
	if (at->frame + 1 == l->facts->nframe)
		return given(l, at, rule);
	outer = frame_of(l->rs, l->facts, at->frame + 1);
	up = beyond(at, 0, outer, frame_argument(l->rs->r, outer, at->l.v));
	up.frame++;
	return up.l.v && rule(l, &up);
}

/* Sums with constants are as good as what they are computed from. */
static bool
added(Look *l, const At *at, const Ins *i)
{
	const Ir *ir = l->rs->r->ir;
	At to;
	i64 n;

	if ((i->sub != BIN_ADD && i->sub != BIN_SUB) || !claim_number(ir, ins_arg(ir, i, 1), &n))
		return false;
	n = i->sub == BIN_SUB ? -n : n;
	to = further(at, ins_arg(ir, i, 0), n);
	to.place.add += n;
	return number(l, &to);
}

static bool
number(Look *l, const At *at)
{
	const Races *r = l->rs->r;
	const Fn *f = pta_fn(r->pta, at->l.inst);
	At here = *at;
	InsId id;
	const Ins *i;

	here.l.v = reason_stripped(r->ir, f, at->l.v);
	if (l->steps++ > STEPS)
		return false;
	if (val_is_const(here.l.v))
		return claim_excludes(r, &here.l, here.l.v);
	if (claims(l, &here))
		return true;
	i = def_of(r->ir, f, here.l.v, &id);
	if (!i)
		return argument(l, &here, number);
	switch (i->op) {
	case OP_BIN: return added(l, &here, i);
	case OP_LOAD: return stored(l, &here, id, number);
	case OP_CALL: return returned(l, &here, id, number);
	case OP_PHI:
	case OP_SELECT: return chosen(l, &here, i, number);
	default: return false;
	}
}

/* The element of an array, as far as the access does not reach into the next; or what is chosen otherwise in
 * what is claimed. */
static bool
element(Look *l, const At *at, const Ins *index)
{
	const Ir *ir = l->rs->r->ir;
	const Claimed before = l->found;
	At to = further(at, ins_arg(ir, index, 1), 0);
	Spot base;

	if (origin_spot(ir, pta_fn(l->rs->r->pta, at->l.inst), ins_arg(ir, index, 0), &base) &&
	    at->off >= 0 && at->off + (at->place.loaded ? 1 : (i64)l->size) <= index->imm) {
		to.place.stride = index->imm;
		to.place.base = base.off;
		to.l.next = NULL; /* nothing that is said of an address is said of a number */
		if (number(l, &to))
			return true;
		l->found = before;
	}
	to = further(at, ins_arg(ir, index, 0), 0);
	return pointer(l, &to);
}

/* What was loaded from an element. */
static bool
loaded(Look *l, const At *at, InsId load)
{
	const Races *r = l->rs->r;
	At box = further(at, ins_arg(r->ir, ir_ins(r->ir, load), 0), 0);

	box.place.loaded = at->place.loaded ? 0 : reason_read_shape(r, at->l.inst, load);
	box.l.next = NULL;
	box.off = 0;
	return box.place.loaded && pointer(l, &box);
}

static bool
pointer(Look *l, const At *at)
{
	const Races *r = l->rs->r;
	InsId id;
	const Ins *i = def_of(r->ir, pta_fn(r->pta, at->l.inst), at->l.v, &id);
	Op op = i ? i->op : OP_RET;
	At to;

	if (l->steps++ > STEPS)
		return false;
	if (val_is_const(at->l.v))
		return claim_excludes(r, &at->l, at->l.v);
	if (op == OP_FIELD || op == OP_COPY || op == OP_CAST || op == OP_FILTER) {
		to = further(at, ins_arg(r->ir, i, 0), op == OP_FIELD ? i->imm : 0);
		to.off += to.l.add;
		return pointer(l, &to);
	}
	if (op == OP_INDEX)
		return element(l, at, i);
	if (claims(l, at))
		return true;
	if (!i)
		return val_is_reg(at->l.v) && argument(l, at, pointer);
	switch (op) {
	case OP_CALL: return returned(l, at, id, pointer);
	case OP_LOAD: return stored(l, at, id, pointer) || loaded(l, at, id);
	case OP_PHI:
	case OP_SELECT: return chosen(l, at, i, pointer);
	default: return false;
	}
}

static const Claimed *
claimed_at(Reasons *rs, u32 access)
{
	Races *r = rs->r;
	const Access *x = access_at(r, access);
	Look l = {.rs = rs, .facts = facts_of(rs, access), .thread = x->thread, .size = x->size};
	u32 *known = map_at(r->arena, &rs->claimed_index, access + 1);
	const Frame *f = frame_of(rs, l.facts, 0);
	At at = {.l = {.inst = f->inst, .ins = f->ins, .v = x->addr},
		 .use = f->ins,
		 .thread = x->thread};

	if (*known)
		return rs->claimed.at[*known - 1];
	if (!x->size || !pointer(&l, &at))
		l.found.n = 0;
	vec_push(r->arena, &rs->claimed, arena_new(r->arena, Claimed));
	*rs->claimed.at[rs->claimed.n - 1] = l.found;
	*known = rs->claimed.n;
	return rs->claimed.at[*known - 1];
}

/* ---- who gives back --------------------------------------------------------------- */

/* The claim that others are to be like. */
typedef struct Like {
	Reasons *rs;
	const Claim *claim;
} Like;

/* Do both count in one cell how many there are to be popped? */
static bool
one_count(const Races *r, const Claim *x, const Claim *y)
{
	u32 a = claim_access(r, x->inst, x->store), b = claim_access(r, y->inst, y->store);

	return a && b &&
	       (r->shape_of[a - 1] == r->shape_of[b - 1] ||
		reason_shapes_overlap(r, r->shape_of[a - 1], r->shape_of[b - 1]));
}

static bool
one_table(const Races *r, const Claim *x, const Claim *y)
{
	return (x->how != CLAIM_POPPED || one_count(r, x, y)) && x->how == y->how &&
	       x->clears == y->clears &&
	       (x->table == y->table || reason_shapes_overlap(r, x->table, y->table));
}

/* Is the value, wherever the access's function is called from, that of an element that its thread has claimed
 * so? */
static bool
is_own(const Like *like, const Access *x, Val v, Rule *rule)
{
	Look l = {.rs = like->rs, .thread = x->thread, .size = 1};
	At at = {.l = {.inst = x->inst, .ins = x->ins, .v = v}, .use = x->ins, .thread = x->thread};

	if (!rule(&l, &at) || !l.found.n || l.found.loaded)
		return false;
	for (u32 k = 0; k < l.found.n; k++)
		if (!one_table(like->rs->r, like->claim, &l.found.at[k]))
			return false;
	return true;
}

/* Is what the writer stores claimed, as a number or a pointer, by all who run it? */
static bool
is_popped(void *ctx, const Writer *w)
{
	const Like *like = ctx;
	const Races *r = like->rs->r;
	const VecU32 *writers = claim_writers(like->rs, like->claim);
	const Ins *store = ir_ins(r->ir, w->ins);
	u32 n = 0;

	for (u32 k = 0; k < writers->n; k++) {
		const Access *x = access_at(r, writers->at[k]);
		if (x->inst != w->inst || x->ins != w->ins)
			continue;
		n++;
		if (store->op != OP_STORE || (!is_own(like, x, ins_arg(r->ir, store, 1), number) &&
					      !is_own(like, x, ins_arg(r->ir, store, 1), pointer)))
			return false;
	}
	return n > 0;
}

/* Does the access, which writes to the table, note of an element that it is free or taken which its thread has
 * claimed, or claims thereby? */
static bool
is_holders(const Like *like, const Access *w)
{
	const Races *r = like->rs->r;
	const Ins *store = ir_ins(r->ir, w->ins);
	Val bit[2];

	if (store->op == OP_STORE && claim_takes(like->rs, w->thread, w->inst, w->ins, like->claim))
		return true;
	if (like->claim->how == CLAIM_FLAG)
		return is_own(like, w, w->addr, pointer);
	for (u32 n = store->op == OP_STORE ? claim_bits(r->ir, pta_fn(r->pta, w->inst), store, bit)
					   : 0;
	     n;)
		if (is_own(like, w, bit[--n], number))
			return true;
	return false;
}

/* Do all who may write to the table beside the claim write of elements of their own? */
static bool
holders_only(Reasons *rs, const Claim *c)
{
	const Races *r = rs->r;
	u32 *known = map_at(r->arena, &rs->held_apart, map_pair(c->table, c->store));
	const VecU32 *w = *known ? NULL : claim_writers(rs, c);
	Like like = {rs, c};
	bool all = !w || w->n <= WRITERS;

	for (u32 k = 0; w && k < w->n && all; k++) {
		const Access *x = access_at(r, w->at[k]);
		bool beside = false;
		for (u32 i = 0; i < w->n && !beside && x->ins != c->store; i++) {
			const Access *y = access_at(r, w->at[i]);
			beside =
			    y->ins == c->store && order_parallel(r->conc->order, x->thread,
								 x->order, y->thread, y->order);
		}
		all = !beside || is_holders(&like, x);
	}
	if (w)
		map_put(r->arena, &rs->held_apart, map_pair(c->table, c->store), all ? 2 : 1);
	return *map_at(r->arena, &rs->held_apart, map_pair(c->table, c->store)) == 2;
}

/* ---- pairs ------------------------------------------------------------------------ */

/* Do the two claims keep out each other, and all others who say of an element that it is free? */
static bool
are_apart(Reasons *rs, const Claim *x, const Claim *y, ObjId o)
{
	Like like = {rs, x};

	if (!one_table(rs->r, x, y) || !claim_apart(rs->r, x, y))
		return false;
	return x->how == CLAIM_POPPED ? reason_stored_apart_or(rs, x->table, o, is_popped, &like)
				      : holders_only(rs, x) && holders_only(rs, y);
}

bool
reason_claimed(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Claimed *x, *y;

	if (rs->r->ir->classes.n > 1)
		return false;
	x = claimed_at(rs, a);
	y = x->n ? claimed_at(rs, b) : x;
	if (!x->n || !y->n || x->stride != y->stride || x->base != y->base || x->add != y->add ||
	    !x->loaded != !y->loaded)
		return false;
	for (u32 i = 0; i < x->n; i++)
		for (u32 k = 0; k < y->n; k++)
			if (!are_apart(rs, &x->at[i], &y->at[k], x->stride ? 0 : o))
				return false;
	return !x->loaded ||
	       ((x->loaded == y->loaded || reason_shapes_overlap(rs->r, x->loaded, y->loaded)) &&
		reason_stored_apart(rs, x->loaded, o));
}
