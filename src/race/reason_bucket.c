/* reason_bucket.c - what hangs in a table, under the lock of its bucket.
 *
 * Both sides hold an element of one array of locks, and each came to the object
 * from an element of a table by the very number that it chose its lock by, or
 * from which it computed that, in the same way: a lock for several buckets.  What
 * hangs in one bucket is as a rule in no other; that is not shown, so this is a
 * reason and no more.
 *
 * The way from the table may lead through functions that return what they find behind
 * an argument, and the access may lie in what the holder of the lock calls for the object.
 * The lock may also be an object that an element of such an array points to.
 *
 * An element of a variable that is an array has the element of an array of locks that the same
 * expression chose, `sizes[it->class]` that of `locks[it->class]`, be it in a caller: the expression is
 * evaluated twice, and hardly means two.  Or `sizes[it->class]` has that of `locks[n]` if the item came from an
 * element that n chose: it says of itself where it hangs. */
#include "race/reason_int.h"

enum { VALUES = 48, STEPS = 4 };

/* A value without the conversions around it. */
static Val
plain(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *def;

	while ((def = def_of(ir, f, v, &id)) && (def->op == OP_CAST || def->op == OP_COPY))
		v = ins_arg(ir, def, 0);
	return v;
}

/* The number that chooses among the elements where addr lies; 0 none. */
static Val
chosen_by(const Ir *ir, const Fn *f, Val addr)
{
	InsId id;
	const Ins *def;

	while ((def = def_of(ir, f, addr, &id)) && (def->op == OP_FIELD || def->op == OP_COPY))
		addr = ins_arg(ir, def, 0);
	return def && def->op == OP_INDEX ? plain(ir, f, ins_arg(ir, def, 1)) : 0;
}

/* How n is computed from c, with constants: 1 if it is that, 0 not at all, else a hash of it. */
static u32
computed(const Ir *ir, const Fn *f, Val n, Val c)
{
	u32 how[2 * STEPS] = {0};
	u32 k = 0;
	InsId id;
	const Ins *def;

	for (; n != c && k < STEPS; k++) {
		def = def_of(ir, f, n, &id);
		if (!def || def->op != OP_BIN || !val_is_const(ins_arg(ir, def, 1)) ||
		    ir_const(ir, ins_arg(ir, def, 1))->kind != CONST_INT)
			return 0;
		how[2 * k] = def->sub;
		how[2 * k + 1] = (u32)ir_const(ir, ins_arg(ir, def, 1))->num;
		n = plain(ir, f, ins_arg(ir, def, 0));
	}
	return n != c ? 0 : !k ? 1 : (u32)hash_bytes(how, sizeof how) | 2;
}

/* Values of one function, the first ones given, the others those that they come from. */
typedef struct Origins {
	Val at[VALUES];
	u32 n;
} Origins;

static void
origins_add(Origins *o, Val v)
{
	for (u32 k = 0; k < o->n; k++)
		if (o->at[k] == v)
			return;
	if (v && o->n < VALUES)
		o->at[o->n++] = v;
}

static void origins_spread(const Ir *ir, const Fn *f, Origins *o, bool calls);

/* What is returned comes from some of the arguments. */
static void
through_call(const Ir *ir, const Ins *call, Origins *o)
{
	Val callee = ins_arg(ir, call, 0);
	const Const *c = val_is_const(callee) ? ir_const(ir, callee) : NULL;
	const Fn *f = c && c->kind == CONST_FN ? &ir->fns.at[c->ref] : NULL;
	Origins back = {.n = 0};

	for (u32 i = 0; f && i < f->nins; i++) {
		const Ins *ins = ir_ins(ir, f->ins + i);
		if (ins->op == OP_RET && ins->narg)
			origins_add(&back, ins_arg(ir, ins, 0));
	}
	if (f)
		origins_spread(ir, f, &back, false);
	for (u32 k = 0; k < back.n; k++)
		if (val_is_reg(back.at[k]) && back.at[k] <= f->nparam && back.at[k] < call->narg)
			origins_add(o, ins_arg(ir, call, back.at[k]));
}

static void
origins_spread(const Ir *ir, const Fn *f, Origins *o, bool calls)
{
	for (u32 i = 0; i < o->n; i++) {
		InsId id;
		const Ins *def = def_of(ir, f, o->at[i], &id);
		Op op = def ? def->op : OP_RET;
		u32 first = op == OP_PHI || op == OP_SELECT ? 1 : 0;

		if (op == OP_CALL && calls)
			through_call(ir, def, o);
		if (!first && op != OP_LOAD && op != OP_FIELD && op != OP_COPY && op != OP_INDEX &&
		    op != OP_FILTER)
			continue;
		for (u32 k = first; k < (first ? def->narg : 1); k += op == OP_PHI ? 2 : 1)
			origins_add(o, ins_arg(ir, def, k));
	}
}

/* Was one of them loaded from an element that n, or what that is computed from, chose? */
static u32
loaded_from(const Ir *ir, const Fn *f, const Origins *o, Val n)
{
	for (u32 i = 0; i < o->n; i++) {
		InsId id;
		const Ins *def = def_of(ir, f, o->at[i], &id);
		Val c = def && def->op == OP_LOAD ? chosen_by(ir, f, ins_arg(ir, def, 0)) : 0;
		u32 how = c ? computed(ir, f, n, c) : 0;
		if (how)
			return how;
	}
	return 0;
}

/* Was addr loaded, perhaps over other objects, from an element that n, or what that is computed
 * from, chose; or is it that element? */
static u32
comes_by(const Ir *ir, const Fn *f, Val addr, Val n)
{
	Origins o = {{addr}, 1};
	Val c = chosen_by(ir, f, addr);
	u32 how = c ? computed(ir, f, n, c) : 0;

	if (how > 1)
		return how;
	origins_spread(ir, f, &o, true);
	return loaded_from(ir, f, &o, n);
}

/* How does the access come by the number that chose a lock among the slot's places?  0: not. */
static u32
in_bucket(const Races *r, const Access *x, SlotId lock)
{
	const Fn *f = pta_fn(r->pta, x->inst);

	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		const Ins *ins = ir_ins(r->ir, i);
		const Set *pts;
		Val n;
		u32 how;
		if (ins->op != OP_ACQUIRE)
			continue;
		pts = pta_pts(r->pta, x->inst, ins_arg(r->ir, ins, 0));
		n = chosen_by(r->ir, f, ins_arg(r->ir, ins, 0));
		how = n && set_single(pts) && set_first(pts) == lock
			  ? comes_by(r->ir, f, x->addr, n)
			  : 0;
		if (how)
			return how;
	}
	return 0;
}

/* The number by which the lock object was loaded from an array; 0 none. */
static Val
loaded_by(const Ir *ir, const Fn *f, Val lock)
{
	InsId id;
	const Ins *def;

	while ((def = def_of(ir, f, lock, &id)) &&
	       (def->op == OP_FILTER || def->op == OP_COPY || def->op == OP_CAST))
		lock = ins_arg(ir, def, 0);
	return def && def->op == OP_LOAD ? chosen_by(ir, f, ins_arg(ir, def, 0)) : 0;
}

/* Is the lock that was acquired released again on the way to ins? */
static bool
is_released(const Races *r, FnId fn, InsId acquire, InsId ins)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		if (ir_ins(r->ir, i)->op == OP_RELEASE && walk_dominates(r->walk, fn, acquire, i) &&
		    walk_dominates(r->walk, fn, i, ins))
			return true;
	return false;
}

/* The locks, one for each bucket, of which the frame holds the one by whose number it came to v. */
static SlotId
lock_of_bucket(const Races *r, const Frame *at, Val v)
{
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		const Ins *ins = ir_ins(r->ir, i);
		const Set *pts;
		Val n;
		if (ins->op != OP_ACQUIRE || !walk_dominates(r->walk, fn, i, at->ins))
			continue;
		n = loaded_by(r->ir, f, ins_arg(r->ir, ins, 0));
		pts = pta_pts(r->pta, at->inst, ins_arg(r->ir, ins, 0));
		if (n && set_single(pts) && comes_by(r->ir, f, v, n) &&
		    !is_released(r, fn, i, at->ins))
			return set_first(pts);
	}
	return 0;
}

/* The same where the frame calls a method of what it came to, found once. */
static SlotId
lock_of_call(Reasons *rs, u32 frame)
{
	const Races *r = rs->r;
	const Frame *at = &rs->frames.at[frame].at;
	const Ins *call = ir_ins(r->ir, at->ins);
	u32 *known = map_at(r->arena, &rs->buckets, (u64)frame + 1);

	if (!*known)
		*known = 1 + (call->op == OP_CALL && call->narg > 1
				  ? lock_of_bucket(r, at, ins_arg(r->ir, call, 1))
				  : 0);
	return *known - 1;
}

static SlotId
lock_on_way(Reasons *rs, u32 access)
{
	const Facts *f = facts_of(rs, access);
	SlotId lock = lock_of_bucket(rs->r, frame_of(rs, f, 0), access_at(rs->r, access)->addr);

	for (u32 k = 1; k < f->nframe && !lock; k++)
		lock = lock_of_call(rs, f->frame[k]);
	return lock;
}

bool
reason_bucket_object(Reasons *rs, u32 a, u32 b, ObjId o)
{
	SlotId lock;

	if (pta_obj(rs->r->pta, o)->kind != OBJ_HEAP || rs->r->ir->classes.n <= 1)
		return false;
	lock = lock_on_way(rs, a);
	return lock && lock == lock_on_way(rs, b);
}

/* The k-th frame's value as an expression of members, constants and what the frames pass; the
 * same for the same one. */
static u64
expression(const Reasons *rs, const Facts *facts, u32 k, Val v)
{
	const Races *r = rs->r;
	u64 hash = 1;

	for (u32 n = 0; n < VALUES; n++) {
		const Fn *f = pta_fn(r->pta, frame_of(rs, facts, k)->inst);
		InsId id;
		const Ins *def;
		v = plain(r->ir, f, v);
		def = def_of(r->ir, f, v, &id);
		if (!def && val_is_reg(v) && k + 1 < facts->nframe &&
		    frame_argument(r, frame_of(rs, facts, k + 1), v)) {
			v = frame_argument(r, frame_of(rs, facts, ++k), v);
			continue;
		}
		if (def && def->op == OP_BIN && val_is_const(ins_arg(r->ir, def, 1)))
			hash = hash_u64(hash ^ map_pair(def->sub + 1, ins_arg(r->ir, def, 1)));
		else if (def && (def->op == OP_LOAD || def->op == OP_FIELD))
			hash = hash_u64(hash ^ (def->op == OP_FIELD ? (u64)def->imm + 2 : 1));
		else
			break;
		v = ins_arg(r->ir, def, 0);
	}
	return hash_u64(hash ^ map_pair(val_is_reg(v) ? k + 1 : 0, v));
}

/* The array of locks of which a frame holds the element that the expression chose. */
static SlotId
lock_chosen(const Reasons *rs, const Facts *facts, u64 by)
{
	const Races *r = rs->r;

	for (u32 k = 0; k < facts->nframe; k++) {
		const Frame *at = frame_of(rs, facts, k);
		FnId fn = inst_fn(r, at->inst);
		const Fn *f = &r->ir->fns.at[fn];
		for (InsId i = f->ins; i < f->ins + f->nins; i++) {
			const Ins *ins = ir_ins(r->ir, i);
			const Set *pts;
			Val n;
			if (ins->op != OP_ACQUIRE || !walk_dominates(r->walk, fn, i, at->ins))
				continue;
			n = chosen_by(r->ir, f, ins_arg(r->ir, ins, 0));
			pts = pta_pts(r->pta, at->inst, ins_arg(r->ir, ins, 0));
			if (n && set_single(pts) && expression(rs, facts, k, n) == by &&
			    !is_released(r, fn, i, at->ins))
				return set_first(pts);
		}
	}
	return 0;
}

/* Does the frame's function acquire a lock that a number chooses?  Of all functions, asked once. */
static bool
takes_element(Reasons *rs, const Frame *at)
{
	const Ir *ir = rs->r->ir;

	if (!rs->takes_element) {
		rs->takes_element = arena_array(rs->r->arena, bool, ir->fns.n);
		for (u32 k = 1; k < ir->fns.n; k++) {
			const Fn *f = &ir->fns.at[k];
			for (InsId i = f->ins; i < f->ins + f->nins && !rs->takes_element[k]; i++)
				rs->takes_element[k] =
				    op_at(rs->r, i) == OP_ACQUIRE &&
				    chosen_by(ir, f, ins_arg(ir, ir_ins(ir, i), 0));
		}
	}
	return rs->takes_element[inst_fn(rs->r, at->inst)];
}

/* Elements of one array: others than this thread has may mean none of it. */
static bool
is_lock_array(const Races *r, const Set *pts)
{
	const Slot *s = set_single(pts) ? pta_slot(r->pta, set_first(pts)) : NULL;

	return s && s->stride && threads_single(r->conc->threads, s->obj);
}

/* Is one of them the address of an element that n chose? */
static bool
is_element_by(const Ir *ir, const Fn *f, const Origins *o, Val n)
{
	for (u32 i = 0; i < o->n; i++)
		if (chosen_by(ir, f, o->at[i]) == n)
			return true;
	return false;
}

/* The array of locks of which the frame holds the element by whose number it came to the values,
 * or to what it handed down. */
static SlotId
lock_of_values(const Races *r, const Frame *at, const Origins *o, u32 *how)
{
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		const Ins *ins = ir_ins(r->ir, i);
		const Set *pts;
		Val n = ins->op == OP_ACQUIRE && ins->sub == LOCK_WRITE
			    ? chosen_by(r->ir, f, ins_arg(r->ir, ins, 0))
			    : 0;
		if (!n || !walk_dominates(r->walk, fn, i, at->ins))
			continue;
		pts = pta_pts(r->pta, at->inst, ins_arg(r->ir, ins, 0));
		*how = loaded_from(r->ir, f, o, n);
		if (!*how)
			*how = is_element_by(r->ir, f, o, n);
		if (*how && is_lock_array(r, pts) && !is_released(r, fn, i, at->ins))
			return set_first(pts);
	}
	return 0;
}

/* The same of a value of the access and of the frames that it was called from. */
static SlotId
find_bucket(Reasons *rs, const Facts *facts, Val v, u32 outermost, u32 *how)
{
	const Races *r = rs->r;
	Origins o = {{v}, 1};

	for (u32 k = 0;; k++) {
		const Frame *at = frame_of(rs, facts, k);
		const Fn *f = pta_fn(r->pta, at->inst);
		Origins up = {.n = 0};
		SlotId lock;
		origins_spread(r->ir, f, &o, true);
		lock = lock_of_values(r, at, &o, how);
		if (lock || k == outermost)
			return lock;
		at = frame_of(rs, facts, k + 1);
		for (u32 i = 0; i < o.n; i++)
			if (val_is_reg(o.at[i]) && o.at[i] <= f->nparam)
				origins_add(&up, frame_argument(r, at, o.at[i]));
		o = up;
	}
}

/* How many of the frames are worth a look. */
static u32
frames_with_locks(Reasons *rs, const Facts *facts)
{
	u32 n = facts->nframe;

	while (n && !takes_element(rs, frame_of(rs, facts, n - 1)))
		n--;
	return n;
}

/* The same, found once. */
static SlotId
lock_of_frames(Reasons *rs, u32 access, u32 *how)
{
	Facts *facts = facts_of(rs, access);
	Val addr = access_at(rs->r, access)->addr;
	u32 n = facts->bucket ? 0 : frames_with_locks(rs, facts);

	if (!facts->bucket)
		facts->bucket =
		    1 + (n ? find_bucket(rs, facts, addr, n - 1, &facts->bucket_by) : 0);
	*how = facts->bucket_by;
	return facts->bucket - 1;
}

/* The lock of the element of a variable that is accessed, found once: the same expression chose it, or
 * the item whose member says which element hung in the bucket of that lock. */
static SlotId
lock_of_element(Reasons *rs, u32 access)
{
	const Races *r = rs->r;
	Facts *facts = facts_of(rs, access);
	Val n = chosen_by(r->ir, pta_fn(r->pta, access_at(r, access)->inst),
			  access_at(r, access)->addr);
	u32 frames, how = 0;
	SlotId lock;

	if (facts->element)
		return facts->element - 1;
	facts->element = 1 + (n ? lock_chosen(rs, facts, expression(rs, facts, 0, n)) : 0);
	frames = n && facts->element == 1 ? frames_with_locks(rs, facts) : 0;
	lock = frames ? find_bucket(rs, facts, n, frames - 1, &how) : 0;
	if (how == 1) /* by that very number, as the other side */
		facts->element = 1 + lock;
	return facts->element - 1;
}

bool
reason_element(Reasons *rs, u32 a, u32 b, ObjId o)
{
	SlotId lock;

	if (pta_obj(rs->r->pta, o)->kind != OBJ_GLOBAL)
		return false;
	lock = lock_of_element(rs, a);
	return lock && pta_slot(rs->r->pta, lock)->stride && lock == lock_of_element(rs, b);
}

static bool
in_bucket_of_frames(Reasons *rs, u32 a, u32 b)
{
	u32 by, other;
	SlotId lock = lock_of_frames(rs, a, &by);

	return lock && lock == lock_of_frames(rs, b, &other) && by == other &&
	       (facts_of(rs, a)->nframe > 1 || facts_of(rs, b)->nframe > 1);
}

bool
reason_bucket(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	const Access *x = access_at(r, a), *y = access_at(r, b);
	Set held = {0}, other = {0};
	bool found = false;

	if (pta_obj(r->pta, o)->kind != OBJ_HEAP && pta_obj(r->pta, o)->kind != OBJ_GLOBAL)
		return false;
	if (!x->held || !y->held)
		return in_bucket_of_frames(rs, a, b);
	site_locks_facts(r->site_locks, site_locks_at(r->site_locks, x), &held);
	site_locks_facts(r->site_locks, site_locks_at(r->site_locks, y), &other);
	set_and(&held, &other);
	SET_FOR (it, &held) {
		u32 how = pta_slot(r->pta, it.x / 2)->stride ? in_bucket(r, x, it.x / 2) : 0;
		found = found || (how && how == in_bucket(r, y, it.x / 2));
	}
	set_recycle(r->arena, &held);
	set_recycle(r->arena, &other);
	return found || in_bucket_of_frames(rs, a, b);
}
