/* reason_passed.c - objects that only some of a function's callers pass.
 *
 *	match(&table[i]) under the table's lock; match(&own) without it
 *
 * An access through a parameter is listed once for each state in which its function is
 * entered, with all that any caller passes.  So the state without the lock meets the object
 * of those who hold it.  Here the callers are told apart: from the access up, through
 * parameters, only calls of the access's thread that may pass the object are followed, and
 * what is held at the access is what each of these ways holds for itself; ways that are ordered
 * with the other side do not count.  If no way passes the
 * object, or all of them hold a lock that the other side holds, the two do not meet.
 *
 * Ways are as long as parameters hand the address on, at most CALLS; a longer one starts with
 * nothing held.  What is held on all ways is their meet, so it is a lower bound, found once for
 * each access, object and point of the other thread.  Whether a call is really made with that object is up to points-to:
 * like all reasons this only lowers a rung. */
#include "race/reason_int.h"

enum { CALLS = 4, CALLERS = 64, WORK = 512 };

typedef struct Passing {
	Reasons *rs;
	const Access *access, *other;
	ObjId obj;
	const Edge *call[CALLS]; /* innermost first */
	u32 n;
	bool any;       /* some way passes the object */
	LocksetId held; /* on all of them */
	u32 work;
} Passing;

static bool
leads_to(const Races *r, InstId inst, Val v, ObjId o)
{
	const Obj *obj = pta_obj(r->pta, o);
	const Const *c;

	if (!val_is_reg(v)) {
		c = ir_const(r->ir, v);
		return c->kind == CONST_GLOBAL && obj->kind == OBJ_GLOBAL && obj->ref == c->ref;
	}
	SET_FOR (it, pta_pts(r->pta, inst, v))
		if (pta_slot(r->pta, it.x)->obj == o)
			return true;
	return false;
}

/* Is the way that is followed now known to be gone, or not yet taken, when the other side is
 * reached? */
static bool
is_ordered(const Passing *p)
{
	const Races *r = p->rs->r;
	const Access *a = p->access;

	for (u32 k = access_first(r, a->ins); k < r->conc->accesses.n; k++) {
		const Access *x = access_at(r, k);
		u32 w = x->way, n = 0;
		if (x->ins != a->ins)
			break;
		if (x->inst != a->inst || x->thread != a->thread ||
		    order_parallel(r->conc->order, x->thread, x->order, p->other->thread,
				   p->other->order))
			continue;
		while (n < p->n && r->conc->ways[w].edge &&
		       &r->pta->edges.at[r->conc->ways[w].edge - 1] == p->call[n]) {
			w = r->conc->ways[w].from;
			n++;
		}
		if (n && n == p->n)
			return true;
	}
	return false;
}

/* What is held at the access on the way that is followed now. */
static void
end_way(Passing *p)
{
	Locks *l = p->rs->r->conc->locks;
	const Access *a = p->access;
	LocksetId held = 0;

	if (is_ordered(p))
		return;
	for (u32 k = p->n; k-- > 0;) {
		const Edge *e = p->call[k];
		held = locks_held(l, e->from, held, locks_before(l, e->from, e->ins));
		held = locks_enter(l, e, held);
	}
	held = locks_held(l, a->inst, held, locks_before(l, a->inst, a->ins));
	p->held = p->any ? locks_meet(l, p->held, held) : held;
	p->any = true;
}

/* Follows the address up from inst, as far as it is a parameter there.  False: too much to do. */
static bool
follow(Passing *p, InstId inst, Val addr)
{
	const Races *r = p->rs->r;
	const Fn *f = pta_fn(r->pta, inst);
	const Inst *in = pta_inst(r->pta, inst);
	Val v = root_of(r->ir, f, addr);
	const Set *own = &r->conc->threads->insts[p->access->thread];

	if (!val_is_reg(v) || v > f->nparam || p->n == CALLS ||
	    threads_starts(r->conc->threads, p->access->thread, inst)) {
		end_way(p);
		return true;
	}
	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &r->pta->edges.at[r->pta->callers.at[k]];
		const Ins *call = ir_ins(r->ir, e->ins);
		if (e->fork || !set_has(own, e->from))
			continue;
		if (call->op != OP_CALL || call->sub != CALL_PLAIN || v >= call->narg ||
		    in->ncaller > CALLERS || p->work++ > WORK)
			return false;
		if (!leads_to(r, e->from, ins_arg(r->ir, call, v), p->obj))
			continue;
		p->call[p->n++] = e;
		if (!follow(p, e->from, ins_arg(r->ir, call, v)))
			return false;
		p->n--;
	}
	return true;
}

enum { NOBODY = 1, HELD }; /* nobody passes it; HELD and more: plus what is held */

static u32
ask(Reasons *rs, u32 access, u32 other, ObjId o)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Fn *f = pta_fn(r->pta, a->inst);
	Passing p = {.rs = rs, .access = a, .other = access_at(r, other), .obj = o};
	Val v = root_of(r->ir, f, a->addr);

	if (!val_is_reg(v) || v > f->nparam || !follow(&p, a->inst, a->addr))
		return HELD + a->held;
	return p.any ? HELD + p.held : NOBODY;
}

/* The same, asked once. */
static u32
passed(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Access *y = access_at(rs->r, b);
	u32 key[] = {a, o, y->thread, y->order};
	u32 at = intern_bytes(&rs->passing, key, sizeof key);
	u32 known = map_get(&rs->passed, at);

	if (!known) {
		known = ask(rs, a, b, o);
		map_put(rs->r->arena, &rs->passed, at, known);
	}
	return known;
}

bool
reason_passed(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Locks *l = rs->r->conc->locks;
	u32 x = passed(rs, a, b, o), y = passed(rs, b, a, o);

	return x == NOBODY || y == NOBODY || locks_apart(l, x - HELD, y - HELD) ||
	       locks_apart(l, x - HELD, access_at(rs->r, b)->held) ||
	       locks_apart(l, access_at(rs->r, a)->held, y - HELD);
}
