/* reason_either.c - the locks of both of two objects, taken in an order.
 *
 *	first = x < y ? x : y; second = x < y ? y : x;
 *	lock(first->m); lock(second->m); x->n--; y->n++;
 *
 * The access comes to its object by a pointer, or a number, among which two
 * locks were chosen that are held there: what is not the one is the other.
 * That they are not twice the same is not shown, so this is a reason and no
 * more.  The locks may have been taken by a function that was given both.
 * Values are followed through a bounded number of steps, and up to callers.  A body
 * is read once for each access: very long ones are left alone. */
#include "race/reason_int.h"

enum { NAMES = 8, CHOICES = 3, SHORT = 64, LONG = 20000 };

/* What an address is computed from: pointers and numbers. */
typedef struct Names {
	u32 n;
	Val at[NAMES];
	bool chosen; /* among them */
} Names;

static void
add_name(Names *out, Val v)
{
	for (u32 i = 0; i < out->n; i++)
		if (out->at[i] == v)
			return;
	if (out->n < NAMES && val_is_reg(v))
		out->at[out->n++] = v;
}

static void
find_names(const Ir *ir, const Fn *f, Val v, u32 choices, Names *out)
{
	InsId id;
	const Ins *i;

	while ((i = def_of(ir, f, v, &id)) != NULL &&
	       (i->op == OP_COPY || i->op == OP_CAST || i->op == OP_FIELD || i->op == OP_INDEX)) {
		if (i->op == OP_INDEX)
			find_names(ir, f, ins_arg(ir, i, 1), choices, out);
		v = ins_arg(ir, i, 0);
	}
	if (!i || !choices || (i->op != OP_PHI && i->op != OP_SELECT)) {
		add_name(out, v);
		return;
	}
	out->chosen = true;
	for (u32 k = 1; k < i->narg; k += i->op == OP_PHI ? 2 : 1)
		find_names(ir, f, ins_arg(ir, i, k), choices - 1, out);
}

static bool
share_name(const Names *x, const Names *y)
{
	for (u32 i = 0; i < x->n; i++)
		for (u32 k = 0; k < y->n; k++)
			if (x->at[i] == y->at[k])
				return true;
	return false;
}

/* Is a lock released between the two instructions? */
static bool
releases_between(const Races *r, FnId fn, InsId from, InsId to)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		if (ir_ins(r->ir, i)->op == OP_RELEASE && walk_dominates(r->walk, fn, from, i) &&
		    walk_dominates(r->walk, fn, i, to))
			return true;
	return false;
}

/* How many locks does the callee take, and keep, that are chosen among its arguments? */
static u32
taken_by(const Races *r, const Frame *call, const Names *names, SlotId *lock)
{
	const Ins *c = ir_ins(r->ir, call->ins);
	const Fn *caller = pta_fn(r->pta, call->inst), *f;
	Names given = {0};
	u32 n, taken = 0;
	const Edge *e = pta_targets(r->pta, call->inst, call->ins, &n);

	if (n != 1 || e->fork || pta_fn(r->pta, e->to)->nins > SHORT)
		return 0;
	for (u32 k = 1; k < c->narg; k++)
		find_names(r->ir, caller, ins_arg(r->ir, c, k), 0, &given);
	if (!share_name(&given, names))
		return 0;
	f = pta_fn(r->pta, e->to);
	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		const Ins *ins = ir_ins(r->ir, i);
		const Set *locks;
		Names of = {0};
		if (ins->op == OP_RELEASE)
			return 0;
		if (ins->op != OP_ACQUIRE)
			continue;
		locks = pta_pts(r->pta, e->to, ins_arg(r->ir, ins, 0));
		find_names(r->ir, f, ins_arg(r->ir, ins, 0), CHOICES, &of);
		for (u32 k = 0; k < of.n; k++)
			if (fn_reg(r->ir, f, of.at[k])->def)
				of.chosen = false;
		taken += of.chosen && !set_empty(locks);
		if (!set_empty(locks))
			*lock = set_first(locks);
	}
	return taken;
}

/* Two locks that the function holds at the frame, chosen among what v is computed from: where
 * they are; 0 none. */
static SlotId
held_by_choice(const Races *r, const Frame *at, Val v)
{
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];
	Names names = {0};
	SlotId lock = 0;
	u32 taken = 0;

	if (f->nins > LONG)
		return 0;
	find_names(r->ir, f, v, 0, &names);
	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		const Ins *ins = ir_ins(r->ir, i);
		Frame call = {at->inst, i};
		Names of = {0};
		SlotId found = 0;
		u32 n = 0;
		if (ins->op == OP_CALL && ins->narg > 2 && i != at->ins)
			n = taken_by(r, &call, &names, &found);
		if (ins->op == OP_ACQUIRE) {
			find_names(r->ir, f, ins_arg(r->ir, ins, 0), CHOICES, &of);
			const Set *locks = pta_pts(r->pta, at->inst, ins_arg(r->ir, ins, 0));
			n = of.chosen && !set_empty(locks) && share_name(&of, &names);
			found = n ? set_first(locks) : 0;
		}
		if (n && walk_dominates(r->walk, fn, i, at->ins) &&
		    !releases_between(r, fn, i, at->ins)) {
			taken += n;
			lock = found;
		}
	}
	return taken >= 2 ? lock : 0;
}

static SlotId
chosen_locks(Reasons *rs, u32 access)
{
	const Races *r = rs->r;
	Facts *facts = facts_of(rs, access);
	Val v = access_at(r, access)->addr;
	SlotId lock = 0;

	if (facts->either)
		return facts->either - 1;
	for (u32 k = 0; v && k < facts->nframe && !lock; k++) {
		const Frame *at = frame_of(rs, facts, k);
		lock = held_by_choice(r, at, v);
		v = root_of(r->ir, pta_fn(r->pta, at->inst), v);
		if (!val_is_reg(v) || fn_reg(r->ir, pta_fn(r->pta, at->inst), v)->def ||
		    k + 1 == facts->nframe)
			break;
		v = frame_argument(r, frame_of(rs, facts, k + 1), v);
	}
	facts->either = lock + 1;
	return lock;
}

bool
reason_either(Reasons *rs, u32 a, u32 b)
{
	SlotId lock = chosen_locks(rs, a);

	return lock && lock == chosen_locks(rs, b);
}
