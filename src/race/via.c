/* via.c - helpers that work on what their callers pass, and a caller that forgot the lock.
 *
 * A list, a buffer or a cache has no lock of its own: whoever has one locks around the calls that work on
 * it, each under another lock, or under none if it is a thread's own.  The places that touch such an object
 * hold nothing in common, so that slip.c finds no lock.  Here a place is taken apart by the pointer that led
 * there: the member or variable which the first caller, the root, loaded it from (`q->cache`), and passed down from parameter to
 * parameter.  It holds what the root and those between hold around the calls, as names (might.c); what the
 * root's callers may hold besides is neither held nor lacking.  A member of an object behind one such pointer has
 * a lock if most places hold it, or all but those of one root.
 *
 * Each parameter has few arrivals (a pointer and a root), or too many to be told apart; they are only added, and what they hold only
 * shrinks, so this ends.  Nothing is excluded by it: a pair loses reasons. */
#include "race/via.h"

#include "race/reason_int.h"

#include <string.h>

enum {
	MAX_ARRIVALS = 16, /* of a parameter */
	MAX_HELD = 6,      /* around a call */
	MAX_LOCKS = 12,    /* of a spot */
	MIN_HELD = 4,      /* places, as in slip.c */
	SHARE = 3,
	FEW_HELD = 2,
	PARTNERS = 4,
	MAX_SLIPS = 512
};

typedef struct Names { /* of locks */
	u32 n;
	u32 at[MAX_HELD];
} Names;

typedef struct Arrival {
	u32 via; /* the name of the pointer */
	FnId root;
	Names held;
} Arrival;

typedef struct Param {
	bool lost; /* there are too many */
	bool queued;
	Vec(Arrival) arrivals;
	VecU32 passes; /* to others */
} Param;

typedef struct Pass {
	u32 to; /* index in params */
	Names held;
} Pass;

typedef struct Place {
	u32 unit;
	FnId root;
	Names held;
} Place;

typedef struct SpotKey {
	u32 via;
	TypeId in;
	u64 off;
} SpotKey;

typedef struct Spot { /* a member of what a pointer leads to */
	Vec(Place) places;
} Spot;

typedef struct Side { /* of a unit, at a spot that has the lock */
	u32 spot, lock;
	bool lacks;
} Side;

typedef Vec(Side) Sides;

struct Vias {
	Races *r;
	Might *might;
	const TypeId *same;
	u32 *first; /* [FnId]: of its parameters */
	Param *params;
	u32 nparam;
	Vec(Pass) passes;
	Set locked;   /* pointers at which some place holds a lock */
	Intern spots; /* of SpotKey */
	Vec(Spot) at; /* [spot] */
	u32 *side_of; /* [unit]: index in sides */
	Vec(Sides) sides;
};

/* ---- what arrives at a parameter ------------------------------------------- */

/* Makes room for the parameters of all functions; 0 is none. */
static void
make_params(Vias *v)
{
	const Ir *ir = v->r->ir;
	u32 n = 1;

	v->first = arena_array(v->r->arena, u32, ir->fns.n);
	for (FnId f = 1; f < ir->fns.n; f++) {
		v->first[f] = n;
		n += ir->fns.at[f].nparam;
	}
	v->nparam = n;
	v->params = arena_array(v->r->arena, Param, n);
}

static bool
has_name(const Names *l, u32 lock)
{
	for (u32 i = 0; i < l->n; i++)
		if (l->at[i] == lock)
			return true;
	return false;
}

static void
add_name(Names *l, u32 lock)
{
	if (l->n < MAX_HELD && !has_name(l, lock))
		l->at[l->n++] = lock;
}

static void
add_names(Names *l, const Names *more)
{
	for (u32 i = 0; i < more->n; i++)
		add_name(l, more->at[i]);
}

/* Keeps those that both have; true: that is news. */
static bool
meet_names(Names *l, const Names *other)
{
	u32 n = 0, before = l->n;

	for (u32 i = 0; i < l->n; i++)
		if (has_name(other, l->at[i]))
			l->at[n++] = l->at[i];
	l->n = n;
	return n != before;
}

static Names
held_inside(Vias *v, InstId inst, InsId ins)
{
	Names l = {0};

	SET_FOR (it, might_inside(v->might, inst, ins))
		add_name(&l, it.x);
	return l;
}

/* Takes the arrival into the parameter's; true: that is news. */
static bool
arrive(Vias *v, Param *p, const Arrival *a)
{
	for (u32 i = 0; i < p->arrivals.n; i++)
		if (p->arrivals.at[i].via == a->via && p->arrivals.at[i].root == a->root)
			return meet_names(&p->arrivals.at[i].held, &a->held);
	if (p->lost)
		return false;
	if (p->arrivals.n == MAX_ARRIVALS) {
		p->lost = true;
		p->arrivals.n = 0;
		return false;
	}
	vec_push(v->r->arena, &p->arrivals, *a);
	return true;
}

static const Ins *
root_def(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i;

	while ((i = def_of(ir, f, v, &id)) != NULL &&
	       (i->op == OP_COPY || i->op == OP_FIELD || i->op == OP_INDEX || i->op == OP_CAST))
		v = ins_arg(ir, i, 0);
	return i;
}

/* Is the pointer loaded from an object that a call made or found just now?  Who makes an object needs no lock yet. */
static bool
is_made_here(const Ir *ir, const Fn *f, Val v)
{
	const Ins *i = root_def(ir, f, v);

	if (i && i->op == OP_LOAD)
		i = root_def(ir, f, ins_arg(ir, i, 0));
	return i && (i->op == OP_CALL || i->op == OP_ALLOC);
}

/* One argument of a call, with what is held there: a pointer with a name arrives, a parameter is passed on. */
static void
add_argument(Vias *v, const Edge *e, u32 k, const Names *held)
{
	Races *r = v->r;
	Val arg = ins_arg(r->ir, ir_ins(r->ir, e->ins), k + 1);
	u32 param, name, to, from;

	if (!val_is_reg(arg) || set_empty(pta_pts(r->pta, e->from, arg)))
		return;
	name = might_name(v->might, pta_fn(r->pta, e->from), arg, &param);
	if (!name && !param)
		return;
	to = v->first[inst_fn(r, e->to)] + k;
	if (name && is_made_here(r->ir, pta_fn(r->pta, e->from), arg))
		return;
	if (name) {
		arrive(v, &v->params[to], &(Arrival){name, inst_fn(r, e->from), *held});
		return;
	}
	from = v->first[inst_fn(r, e->from)] + param - 1;
	vec_push(r->arena, &v->params[from].passes, v->passes.n);
	vec_push(r->arena, &v->passes, (Pass){to, *held});
}

static void
add_calls(Vias *v)
{
	const Races *r = v->r;
	const Edge *e = r->pta->edges.at, *end = e + r->pta->edges.n;
	const Edge *at = NULL; /* whose call holds `held` */
	Names held = {0};

	for (const Edge *last = NULL; e < end; last = e++) {
		const Ins *call = ir_ins(r->ir, e->ins);
		const Fn *to = pta_fn(r->pta, e->to);
		if (!might_stand_for(v->might, e->from) || call->op != OP_CALL ||
		    pta_fn(r->pta, e->from)->flags & FN_SYNTHETIC || !might_mean(v->might, e) ||
		    (last && last->from == e->from && last->ins == e->ins &&
		     inst_fn(r, last->to) == inst_fn(r, e->to)))
			continue;
		if (!at || at->from != e->from || at->ins != e->ins)
			held = held_inside(v, e->from, e->ins);
		at = e;
		for (u32 k = 0; k < to->nparam && k + 1 < call->narg; k++)
			add_argument(v, e, k, &held);
	}
}

/* Hands all arrivals on until nothing is new. */
static void
propagate(Vias *v)
{
	Arena *a = v->r->arena;
	VecU32 work = {0};

	for (u32 p = v->nparam; --p;)
		if (v->params[p].passes.n && v->params[p].arrivals.n)
			vec_push(a, &work, p);
	while (work.n) {
		u32 from = work.at[--work.n];
		v->params[from].queued = false;
		for (u32 i = 0; i < v->params[from].passes.n; i++) {
			const Pass *pass = &v->passes.at[v->params[from].passes.at[i]];
			Param *to = &v->params[pass->to];
			bool news = false;
			for (u32 k = 0; k < v->params[from].arrivals.n; k++) {
				Arrival next = v->params[from].arrivals.at[k];
				add_names(&next.held, &pass->held);
				news |= arrive(v, to, &next);
			}
			if (news && !to->queued)
				vec_push(a, &work, pass->to);
			to->queued |= news;
		}
	}
	arena_recycle(a, work.at, work.cap * sizeof *work.at);
}

/* ---- spots ------------------------------------------------------------------ */

/* A unit as a place: its member, and the pointer to the object. */
typedef struct Touching {
	u32 unit;
	SpotKey key;  /* via is 0: it is a parameter's */
	u32 param;    /* index in params; 0 none */
	Names inside; /* what the function itself holds there */
} Touching;

/* The struct member that the address names, and the pointer that it begins with; 0 none. */
static Val
member_of(const Vias *v, const Fn *f, Val at, SpotKey *key)
{
	const Ir *ir = v->r->ir;

	while (val_is_reg(at) && at > f->nparam) {
		const Ins *i = ir_ins(ir, fn_reg(ir, f, at)->def);
		if (i->op == OP_FIELD && !i->sub && i->aux && !key->in)
			*key = (SpotKey){.in = v->same[i->aux], .off = (u64)i->imm};
		if (i->op != OP_INDEX && i->op != OP_COPY && i->op != OP_FIELD && i->op != OP_CAST)
			break;
		at = ins_arg(ir, i, 0);
	}
	return key->in && val_is_reg(at) ? at : 0;
}

static bool
point_of(Vias *v, u32 unit, Touching *out)
{
	Races *r = v->r;
	const Unit *u = &r->units.at[unit];
	const Access *a;
	const Fn *f;
	Val base;
	u32 param;

	*out = (Touching){.unit = unit};
	if (!u->reached || !u->naccess || u->kind)
		return false;
	a = access_at(r, u->access);
	f = pta_fn(r->pta, a->inst);
	if (!(base = member_of(v, f, a->addr, &out->key)))
		return false;
	out->key.via = might_name(v->might, f, base, &param);
	if (param)
		out->param = v->first[inst_fn(r, a->inst)] + param - 1;
	if (out->key.via && is_made_here(r->ir, f, base))
		return false;
	if (!out->key.via && !v->params[out->param].arrivals.n)
		return false;
	out->inside = held_inside(v, a->inst, a->ins);
	return true;
}

static void
add_place(Vias *v, const SpotKey *key, u32 unit, FnId root, const Names *held)
{
	u32 id;
	u64 off;

	if (!set_has(&v->locked, key->via) ||
	    !(might_have_lock(v->might, key->in) ||
	      might_have_lock(v->might, might_struct(v->might, key->via, &off))))
		return;
	id = intern_bytes(&v->spots, key, sizeof *key);
	while (v->at.n <= id)
		vec_push(v->r->arena, &v->at, (Spot){0});
	vec_push(v->r->arena, &v->at.at[id].places, (Place){unit, root, *held});
}

static void
add_point(Vias *v, Touching *p)
{
	const Param *from = &v->params[p->param];
	const Access *a = access_at(v->r, v->r->units.at[p->unit].access);

	if (p->key.via)
		add_place(v, &p->key, p->unit, inst_fn(v->r, a->inst), &p->inside);
	for (u32 i = 0; p->param && i < from->arrivals.n; i++) {
		Names held = from->arrivals.at[i].held;
		p->key.via = from->arrivals.at[i].via;
		add_names(&held, &p->inside);
		add_place(v, &p->key, p->unit, from->arrivals.at[i].root, &held);
	}
}

/* Marks the pointers that lead there, if a lock is held. */
static void
mark_locked(Vias *v, const Touching *p)
{
	const Param *from = &v->params[p->param];

	if (p->key.via && p->inside.n)
		set_add(v->r->arena, &v->locked, p->key.via);
	for (u32 i = 0; p->param && i < from->arrivals.n; i++)
		if (p->inside.n || from->arrivals.at[i].held.n)
			set_add(v->r->arena, &v->locked, from->arrivals.at[i].via);
}

/* ---- the locks of a spot ---------------------------------------------------- */

/* Does the place lack the lock for sure? */
static bool
lacks(const Vias *v, const Place *p, u32 lock)
{
	return !has_name(&p->held, lock) && !might_by_callers(v->might, p->root, lock);
}

/* Is the lock beside the pointer, or in what that leads to?  Others guard what they are chosen for. */
static bool
is_beside(const Vias *v, const SpotKey *key, u32 lock)
{
	u64 off;
	TypeId of = might_struct(v->might, key->via, &off), in = might_struct(v->might, lock, &off);

	return in && (in == of || in == key->in);
}

/* Do most places hold it, or all but those of one root, for a write or in two of them? */
static bool
is_lock_of(const Vias *v, const Spot *s, u32 lock)
{
	FnId lacking = 0, holding = 0;
	u32 held = 0, without = 0;
	bool alone = true, guards = false;

	for (u32 i = 0; i < s->places.n; i++) {
		const Place *p = &s->places.at[i];
		if (has_name(&p->held, lock)) {
			held++;
			guards |= v->r->units.at[p->unit].flags & ACC_WRITE ||
				  (holding && holding != p->root);
			holding = p->root;
		} else if (lacks(v, p, lock)) {
			without++;
			alone &= !lacking || lacking == p->root;
			lacking = p->root;
		}
	}
	if (!without || !guards)
		return false;
	return (alone && held >= FEW_HELD && holding != lacking) ||
	       (held >= MIN_HELD && held * SHARE >= (held + without) * (SHARE - 1));
}

static void
add_side(Vias *v, u32 unit, Side side)
{
	Arena *a = v->r->arena;

	if (!v->side_of[unit]) {
		v->side_of[unit] = v->sides.n;
		vec_push(a, &v->sides, (Sides){0});
	}
	vec_push(a, &v->sides.at[v->side_of[unit]], side);
}

/* Does no more than one root write there?  Then that may be who makes it. */
static bool
is_steady(const Vias *v, const Spot *s)
{
	FnId writer = 0;

	for (u32 i = 0; i < s->places.n; i++) {
		const Place *p = &s->places.at[i];
		if (!(v->r->units.at[p->unit].flags & ACC_WRITE))
			continue;
		if (writer && writer != p->root)
			return false;
		writer = p->root;
	}
	return true;
}

static void
judge(Vias *v, u32 spot, u32 lock)
{
	const Spot *s = &v->at.at[spot];
	SpotKey key;
	bool steady;

	memcpy(&key, intern_get(&v->spots, spot), sizeof key);
	if (!is_beside(v, &key, lock) || !is_lock_of(v, s, lock))
		return;
	steady = is_steady(v, s);
	for (u32 i = 0; i < s->places.n; i++) {
		const Place *p = &s->places.at[i];
		bool has = has_name(&p->held, lock);
		if (has ||
		    (lacks(v, p, lock) && (!steady || v->r->units.at[p->unit].flags & ACC_WRITE)))
			add_side(v, p->unit, (Side){spot, lock, !has});
	}
}

static bool
all_hold(const Spot *s, u32 lock)
{
	for (u32 i = 0; i < s->places.n; i++)
		if (!has_name(&s->places.at[i].held, lock))
			return false;
	return true;
}

/* Of what all hold, nothing was forgotten. */
static void
judge_spot(Vias *v, u32 spot)
{
	const Spot *s = &v->at.at[spot];
	u32 lock[MAX_LOCKS], n = 0;

	for (u32 i = 0; i < s->places.n; i++)
		for (u32 k = 0; k < s->places.at[i].held.n; k++) {
			u32 name = s->places.at[i].held.at[k], at = 0;
			while (at < n && lock[at] != name)
				at++;
			if (at == n && n < MAX_LOCKS)
				lock[n++] = name;
		}
	for (u32 k = 0; k < n; k++)
		if (all_hold(s, lock[k]))
			return;
	for (u32 k = 0; k < n; k++)
		judge(v, spot, lock[k]);
}

Vias *
vias_new(Races *r, Might *m, const TypeId *same)
{
	Vias *v = arena_new(r->arena, Vias);
	Vec(Touching) points = {0};
	Touching p;

	v->r = r;
	v->might = m;
	v->same = same;
	v->side_of = arena_array(r->arena, u32, r->units.n + 1);
	intern_init(&v->spots, r->arena);
	vec_push(r->arena, &v->sides, (Sides){0});
	make_params(v);
	add_calls(v);
	propagate(v);
	for (u32 u = 1; u < r->units.n; u++)
		if (point_of(v, u, &p)) {
			mark_locked(v, &p);
			vec_push(r->arena, &points, p);
		}
	for (u32 i = 0; i < points.n; i++)
		add_point(v, &points.at[i]);
	for (u32 s = 1; s < v->at.n; s++)
		judge_spot(v, s);
	return v;
}

/* Does the first unit lack a lock at a spot where the other holds it, and so do the accesses on their ways? */
static bool
forgets(Vias *v, u32 a, u32 b)
{
	const Sides *x = &v->sides.at[v->side_of[v->r->unit_of[a]]];
	const Sides *y = &v->sides.at[v->side_of[v->r->unit_of[b]]];

	for (u32 i = 0; i < x->n; i++)
		for (u32 k = 0; x->at[i].lacks && k < y->n; k++)
			if (!y->at[k].lacks && x->at[i].spot == y->at[k].spot &&
			    x->at[i].lock == y->at[k].lock &&
			    set_has(might_on_way(v->might, access_at(v->r, b)), x->at[i].lock) &&
			    !set_has(might_on_way(v->might, access_at(v->r, a)), x->at[i].lock))
				return true;
	return false;
}

bool
vias_may(const Vias *v, u32 ux, u32 uy)
{
	return v->side_of[ux] && v->side_of[uy];
}

u32
vias_side(Vias *v, u32 a, u32 b)
{
	if (!vias_may(v, v->r->unit_of[a], v->r->unit_of[b]))
		return 0;
	return forgets(v, a, b) ? 1 : forgets(v, b, a) ? 2 : 0;
}

/* Lists the unit with some that hold the lock at the spot. */
static void
list_with_holders(const Vias *v, u32 unit, const Side *side,
		  void (*list)(void *ctx, u32 unit, u32 other), void *ctx)
{
	const Spot *s = &v->at.at[side->spot];
	u32 n = 0;

	for (u32 i = 0; i < s->places.n && n < PARTNERS; i++) {
		const Place *p = &s->places.at[i];
		if (!has_name(&p->held, side->lock) ||
		    !((v->r->units.at[unit].flags | v->r->units.at[p->unit].flags) & ACC_WRITE))
			continue;
		list(ctx, unit, p->unit);
		n++;
	}
}

void
vias_list(Vias *v, void (*list)(void *ctx, u32 unit, u32 other), void *ctx)
{
	u32 found = 0;

	for (u32 u = 1; u < v->r->units.n && found < MAX_SLIPS; u++) {
		const Sides *s = &v->sides.at[v->side_of[u]];
		for (u32 i = 0; i < s->n && found < MAX_SLIPS; i++) {
			if (!s->at[i].lacks)
				continue;
			list_with_holders(v, u, &s->at[i], list, ctx);
			found++;
		}
	}
}
