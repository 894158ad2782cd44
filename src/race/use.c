/* use.c - races inside a library, as uses of the library by the program.
 *
 * Whoever reads a report can change the program, not the library.  An access in
 * a library's function is therefore shown as the call by which the program came
 * there: the last one out of the program's own code on the access's way.  Races whose two
 * sides are calls on one object are one race, on that object: an unsynchronised use of it.
 * What the program calls may be another object that calls this one, as a map its key.
 *
 * What a library made for itself, as the nodes of its maps, is often not told apart.  Where the two
 * calls are on different objects, and are given none in common, the program shares nothing there:
 * if the race is real, it is the library's own. */
#include "race/race_int.h"

#include <string.h>

enum {
	FRAMES = 16, /* of a library that are looked at, the outermost */
	GIVEN = 256, /* calls on either side of which it is remembered what they are given */
};

typedef struct Given {
	Use of;
	Set passed;   /* the objects that the call is on or passes */
	Set all, own; /* what those hold: all, and what the program made */
} Given;

struct Uses {
	Races *r;
	Map looked;      /* access + 1 -> 1: it has none; else index + 2 in result->uses */
	Map libraries;   /* StrId of a unit whose functions are a library's */
	Map apart;       /* hash of two calls -> 1 no, 2 yes */
	Given *given[2]; /* [GIVEN], by hash; the later call takes the place */
};

struct Uses *
uses_new(Races *r)
{
	struct Uses *u = arena_new(r->arena, struct Uses);

	u->r = r;
	for (FnId f = 1; f < r->ir->fns.n; f++)
		if (r->ir->fns.at[f].flags & FN_LIBRARY)
			map_put(r->arena, &u->libraries, r->ir->fns.at[f].unit, 1);
	r->library = arena_array(r->arena, u8, r->conc->accesses.n + 1);
	u->given[0] = arena_array(r->arena, Given, GIVEN);
	u->given[1] = arena_array(r->arena, Given, GIVEN);
	return u;
}

static bool
is_own(const Fn *f)
{
	return !(f->flags & (FN_LIBRARY | FN_SYNTHETIC));
}

static bool
find(struct Uses *u, u32 access, Use *out)
{
	const Races *r = u->r;
	const Conc *c = r->conc;
	FnId callee = 0; /* one that was written: a model's stands for it */

	for (u32 w = access_at(r, access)->way; c->ways[w].edge; w = c->ways[w].from) {
		const Edge *e = &r->pta->edges.at[c->ways[w].edge - 1];
		if (!callee || !(pta_fn(r->pta, e->to)->flags & FN_SYNTHETIC))
			callee = pta_inst(r->pta, e->to)->fn;
		if (!is_own(pta_fn(r->pta, e->from)))
			continue;
		*out = (Use){e->ins, e->from, callee};
		return true;
	}
	return false;
}

bool
use_is_library(const Races *r, u32 access)
{
	const Access *a = access_at(r, access);
	u8 *known = &r->library[access];
	u16 flags;

	if (*known)
		return *known == 2;
	flags = pta_fn(r->pta, a->inst)->flags;
	/* what a model stands for is a library's too */
	*known =
	    flags & FN_LIBRARY || (flags & FN_SYNTHETIC && !ir_ins(r->ir, a->ins)->src) ? 2 : 1;
	return *known == 2;
}

const Use *
use_of(struct Uses *u, u32 access)
{
	RaceResult *res = u->r->result;
	u32 *at;
	Use use;

	if (!use_is_library(u->r, access))
		return NULL;
	at = map_at(u->r->arena, &u->looked, (u64)access + 1);
	if (!*at) {
		*at = 1;
		if (find(u, access, &use)) {
			vec_push(u->r->arena, &res->uses, use);
			*at = res->uses.n + 1;
			map_put(u->r->arena, &res->use_of, (u64)access + 1, res->uses.n);
		}
	}
	return *at > 1 ? &res->uses.at[*at - 2] : NULL;
}

bool
uses_nowhere(struct Uses *u, u32 a, u32 b)
{
	return (use_is_library(u->r, a) && !use_of(u, a)) ||
	       (use_is_library(u->r, b) && !use_of(u, b));
}

/* What the method call is on; 0: nothing. */
static Val
receiver(const Races *r, const Use *u)
{
	const Ins *i = ir_ins(r->ir, u->call);
	const Fn *f = &r->ir->fns.at[u->callee];

	return i->op == OP_CALL && i->narg > 1 && f->class && !(f->flags & FN_STATIC)
		   ? ins_arg(r->ir, i, 1)
		   : 0;
}

static bool
made_by_library(const Races *r, ObjId o)
{
	const Obj *obj = pta_obj(r->pta, o);

	return obj->kind == OBJ_HEAP && pta_fn(r->pta, obj->inst)->flags & FN_LIBRARY;
}

/* The objects that the call is on or passes. */
static void
add_passed(const Races *r, const Use *u, Set *out)
{
	const Ins *i = ir_ins(r->ir, u->call);

	for (u32 k = 1; k < i->narg; k++)
		SET_FOR (it, pta_pts(r->pta, u->inst, ins_arg(r->ir, i, k)))
			if (pta_obj(r->pta, pta_slot(r->pta, it.x)->obj)->kind == OBJ_HEAP)
				set_add(r->arena, out, pta_slot(r->pta, it.x)->obj);
}

static void
add_parts(const Races *r, Given *g)
{
	Set held = {0};

	SET_FOR (it, &g->passed)
		pta_held(r->pta, it.x, r->arena, &held);
	SET_FOR (it, &held) {
		ObjId o = pta_slot(r->pta, it.x)->obj;
		if (set_add(r->arena, &g->all, o) && !made_by_library(r, o))
			set_add(r->arena, &g->own, o);
	}
	set_recycle(r->arena, &held);
}

static void
forget(const Races *r, Given *g)
{
	set_recycle(r->arena, &g->passed);
	set_recycle(r->arena, &g->all);
	set_recycle(r->arena, &g->own);
	*g = (Given){0};
}

static u32
given_at(const Use *x)
{
	InsId call[] = {x->call, x->inst};

	return (u32)(hash_bytes(call, sizeof call) % GIVEN);
}

static const Given *
given(struct Uses *u, u32 side, const Use *x)
{
	Given *g = &u->given[side][given_at(x)];

	if (g->of.call == x->call && g->of.inst == x->inst)
		return g;
	forget(u->r, g);
	g->of = *x;
	add_passed(u->r, x, &g->passed);
	add_parts(u->r, g);
	return g;
}

/* Have the two calls no object in common, nor one of the program's that what they are given holds? */
static bool
calls_apart(struct Uses *u, const Use *x, const Use *y)
{
	const Given *g, *h;

	if (!receiver(u->r, x) || !receiver(u->r, y))
		return false;
	g = given(u, 0, x);
	h = given(u, 1, y);
	return !set_meets(&g->passed, &h->passed) && !set_meets(&g->passed, &h->all) &&
	       !set_meets(&h->passed, &g->all) && !set_meets(&g->own, &h->own);
}

/* Is that a method of an object, or the initialiser of a class? */
static bool
is_of_object(const Races *r, const Use *x)
{
	return receiver(r, x) || r->ir->fns.at[x->callee].flags & FN_CINIT;
}

/* A static variable of the library's that two methods of objects touch is its own affair; what
 * static methods set and give is the program's. */
static bool
is_own_variable(const struct Uses *u, ObjId o, const Use *x, const Use *y)
{
	const Obj *obj = pta_obj(u->r->pta, o);

	return obj->kind == OBJ_GLOBAL &&
	       map_get(&u->libraries, u->r->ir->globals.at[obj->ref].unit) &&
	       is_of_object(u->r, x) && is_of_object(u->r, y);
}

bool
uses_apart(struct Uses *u, u32 a, u32 b, ObjId o)
{
	bool global = pta_obj(u->r->pta, o)->kind == OBJ_GLOBAL;
	const Use *x = use_of(u, a), *y;
	Use first;
	u32 *known;

	if (!x)
		return false;
	first = *x;
	y = use_of(u, b);
	if (!y)
		return false;
	if (global)
		return is_own_variable(u, o, &first, y);
	if (use_just_made(u->r, &first, receiver(u->r, &first), o) &&
	    use_just_made(u->r, y, receiver(u->r, y), o))
		return true;
	if (!made_by_library(u->r, o))
		return false;
	if (use_made(u->r, &first, receiver(u->r, &first), o) &&
	    use_made(u->r, y, receiver(u->r, y), o))
		return true;
	InsId calls[] = {first.call, first.inst, y->call, y->inst};
	known = map_at(u->r->arena, &u->apart, hash_bytes(calls, sizeof calls));
	if (!*known)
		*known = calls_apart(u, &first, y) ? 2 : 1;
	return *known == 2;
}

/* The library's frames from the program's call to the access that have an object; their number. */
static u32
library_frames(const Races *r, u32 access, const Use *u, InstId out[FRAMES])
{
	const Conc *c = r->conc;
	InstId all[FRAMES];
	u32 n = 0, kept = 0;

	for (u32 w = access_at(r, access)->way; c->ways[w].edge; w = c->ways[w].from) {
		const Edge *e = &r->pta->edges.at[c->ways[w].edge - 1];
		const Fn *f = pta_fn(r->pta, e->to);
		if (f->nparam && !(f->flags & (FN_STATIC | FN_SYNTHETIC)))
			all[n++ % FRAMES] = e->to;
		if (e->from == u->inst && e->ins == u->call)
			break;
	}
	for (; n > 0 && kept < FRAMES; n--)
		out[kept++] = all[(n - 1) % FRAMES];
	return kept;
}

static ObjId
common_receiver(const Races *r, InstId x, InstId y)
{
	const Set *s = pta_pts(r->pta, x, 1), *t = pta_pts(r->pta, y, 1);

	SET_FOR (it, s)
		if (set_has(t, it.x))
			return pta_slot(r->pta, it.x)->obj;
	return 0;
}

/* The one object that both calls of the program are on: in the library, where it serves all, less is known. */
static ObjId
shared_receiver(const Races *r, const Use *x, const Use *y)
{
	Val v = receiver(r, x), w = receiver(r, y);
	const Set *s = v ? pta_pts(r->pta, x->inst, v) : NULL;
	const Set *t = w ? pta_pts(r->pta, y->inst, w) : NULL;

	return s && t && set_single(s) && set_single(t) && set_first(s) == set_first(t)
		   ? pta_slot(r->pta, set_first(s))->obj
		   : 0;
}

ObjId
use_common(struct Uses *u, u32 a, u32 b)
{
	const Races *r = u->r;
	const Use *x = use_of(u, a), *y;
	InstId of_a[FRAMES], of_b[FRAMES];
	u32 na, nb;
	ObjId o = 0;
	Use first;

	if (!x)
		return 0;
	first = *x;
	y = use_of(u, b);
	if (!y)
		return 0;
	o = shared_receiver(r, &first, y);
	na = library_frames(r, a, &first, of_a);
	nb = library_frames(r, b, y, of_b);
	for (u32 sum = 0; !o && sum + 1 < na + nb; sum++)
		for (u32 i = 0; !o && i <= sum && i < na; i++)
			if (sum - i < nb)
				o = common_receiver(r, of_a[i], of_b[sum - i]);
	return o;
}

/* "a.b.C.field", where the value comes from one that the source names; null: from elsewhere. */
static const char *
field_name(const Races *r, const Use *u)
{
	const Fn *f = pta_fn(r->pta, u->inst);
	Val v = receiver(r, u);
	const Ins *i;
	const Const *c;

	for (u32 steps = 0; steps < 4 && val_is_reg(v) && fn_reg(r->ir, f, v)->def; steps++) {
		i = ir_ins(r->ir, fn_reg(r->ir, f, v)->def);
		if (i->op == OP_FIELD && i->sub == 1) {
			const Field *x = &r->ir->fields.at[i->aux];
			const char *name = ir_str(r->ir, x->name);
			if (strchr(name, '$')) /* the compiler's, as for what a lambda captures */
				return NULL;
			return arena_printf(r->arena, "%s.%s",
					    ir_str(r->ir, r->ir->classes.at[x->class].name), name);
		}
		if (i->op != OP_LOAD && i->op != OP_COPY && i->op != OP_FILTER)
			return NULL;
		v = ins_arg(r->ir, i, 0);
	}
	c = val_is_const(v) ? ir_const(r->ir, v) : NULL;
	if (!c || c->kind != CONST_GLOBAL)
		return NULL;
	return ir_str(r->ir, r->ir->globals.at[c->ref].pretty ? r->ir->globals.at[c->ref].pretty
							      : r->ir->globals.at[c->ref].name);
}

/* Is the program's call one on the object? */
static bool
is_on(const Races *r, const Use *u, ObjId used)
{
	Val v = receiver(r, u);

	if (v)
		SET_FOR (it, pta_pts(r->pta, u->inst, v))
			if (pta_slot(r->pta, it.x)->obj == used)
				return true;
	return false;
}

u32
use_named(struct Uses *u, const Pair *p, ObjId used)
{
	u32 n = 0;

	for (u32 i = 0; i < 2; i++) {
		const Use *x = use_of(u, i ? p->b : p->a);
		n += x && is_on(u->r, x, used) && field_name(u->r, x);
	}
	return n;
}

const char *
use_name(struct Uses *u, const Pair *p, u32 n, ObjId used)
{
	const Races *r = u->r;
	TypeId type = pta_obj(r->pta, used)->type;
	const char *name = NULL;

	for (u32 i = 0; !name && i < n * 2; i++) {
		const Use *x = use_of(u, i % 2 ? p[i / 2].b : p[i / 2].a);
		if (x && is_on(r, x, used))
			name = field_name(r, x);
	}
	if (!name && type && r->ir->types.at[type].name)
		name = ir_str(r->ir, r->ir->types.at[type].name);
	return name;
}

const Use *
race_use(const RaceResult *r, u32 access)
{
	u32 at = map_get(&r->use_of, (u64)access + 1);

	return at ? &r->uses.at[at - 1] : NULL;
}

InsId
race_shown_ins(const RaceResult *r, u32 access)
{
	const Use *u = race_use(r, access);

	return u ? u->call : r->conc->accesses.at[access].ins;
}

InstId
race_shown_inst(const RaceResult *r, u32 access)
{
	const Use *u = race_use(r, access);

	return u ? u->inst : r->conc->accesses.at[access].inst;
}

u32
race_path(const RaceResult *r, u32 access, Arena *a, const Edge ***out)
{
	const Use *u = race_use(r, access);
	u32 n = conc_path(r->conc, &r->conc->accesses.at[access], a, out);

	while (u && n > 0 && !((*out)[n - 1]->from == u->inst && (*out)[n - 1]->ins == u->call))
		n--;
	return u ? n - (n > 0) : n;
}
