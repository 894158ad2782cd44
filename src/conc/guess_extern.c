/* guess_extern.c - calls back that external functions are only assumed to make.
 *
 * What an unknown function was once given it may keep, so each call of any unknown function has
 * an edge to each function that has escaped to one (pta/call.c).  Most of these calls have
 * nothing to do with it: a library calls back what it was given.  A call is meant to run f if
 *	it passes f, or an object that the program puts f in; or
 *	it passes an object that was passed together with f somewhere, as a handle or a cookie; or
 *	it passes memory of unknown code that was passed with f, or returned for it, and that is not
 *	loaded from other cells than there; or
 *	f was given to a function with nothing else, and it passes no pointer.
 * Who calls f that no call of an unknown function passes?  The program itself, if it does so
 * anywhere: its own tables of functions escape with whatever leads to them.  Of a function that
 * nobody else is meant to run, all calls are as likely as before; so are they in Java, where
 * unknown code keeps to classes.
 *
 * A pointer to a function that unknown code may have stored may point to unknown code, which
 * calls back what it knows: such a call is one of an unknown function, too, and meant to run f
 * if it passes f, or an object that the program puts f in.  So is a fork of such a start routine or
 * handler: the thread that it starts is a doubtful one (threads.h).
 *
 * This is no proof: it may only lower a rung.  For each call the arguments are looked at once;
 * linear in instructions, and in calls times callbacks. */
#include "conc/guess.h"

/* One call of an unknown function. */
typedef struct Site {
	InstId inst;
	InsId ins;
	Set fns;    /* FnIds that it passes, or that lie in what it passes */
	Set objs;   /* ObjIds that it passes */
	Set cells;  /* slots that it loads memory of unknown code from, or stores it to */
	bool loose; /* such memory comes from elsewhere, too */
} Site;

/* What is passed together with a function. */
typedef struct Given {
	Set objs, cells;
	bool loose, alone;
} Given;

typedef struct Calls {
	Arena *a;
	const Pta *p;
	Set *holds; /* [ObjId]: the functions that the program puts there by their names */
	Vec(Site) sites;
	Map site_of;  /* inst and ins -> index plus 1 */
	Map given_of; /* FnId -> index plus 1 */
	Vec(Given) given;
	Set called; /* FnIds that the program itself calls */
} Calls;

static bool
is_unknown(const Pta *p, ObjId o)
{
	return pta_obj(p, o)->kind == OBJ_EXTERN;
}

/* Where memory of unknown code, the value v, is kept. */
static void
add_cells(Calls *c, Site *s, Val v)
{
	const Fn *f = pta_fn(c->p, s->inst);
	InsId def = val_is_reg(v) ? fn_reg(c->p->ir, f, v)->def : 0;
	const Ins *i = def ? ir_ins(c->p->ir, def) : NULL;

	if (i && i->op == OP_LOAD)
		set_or(c->a, &s->cells, pta_pts(c->p, s->inst, ins_arg(c->p->ir, i, 0)));
	else
		s->loose = true;
}

static FnId
function_in(const Ir *ir, Val v)
{
	return val_is_const(v) && ir_const(ir, v)->kind == CONST_FN ? ir_const(ir, v)->ref : 0;
}

/* The object that the pointer v is certainly into, or 0. */
static ObjId
only_object(const Pta *p, InstId inst, Val v)
{
	ObjId found = 0;

	SET_FOR (it, pta_pts(p, inst, v)) {
		ObjId o = pta_slot(p, it.x)->obj;
		if (found && found != o)
			return 0;
		found = o;
	}
	return found;
}

/* A table that is copied, as by `struct ops mine = { f };`, is in the copy, too. */
static void
add_copy(Calls *c, InstId inst, const Ins *i)
{
	ObjId to = only_object(c->p, inst, ins_arg(c->p->ir, i, 0));
	ObjId from = only_object(c->p, inst, ins_arg(c->p->ir, i, 1));

	if (to && from)
		set_or(c->a, &c->holds[to], &c->holds[from]);
}

static void
add_stores(Calls *c, InstId inst, bool copies)
{
	const Pta *p = c->p;
	const Fn *fn = pta_fn(p, inst);

	for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
		const Ins *i = ir_ins(p->ir, id);
		FnId f = i->op == OP_STORE ? function_in(p->ir, ins_arg(p->ir, i, 1)) : 0;
		if (copies && i->op == OP_BCOPY)
			add_copy(c, inst, i);
		if (copies || !f)
			continue;
		SET_FOR (it, pta_pts(p, inst, ins_arg(p->ir, i, 0)))
			set_add(c->a, &c->holds[pta_slot(p, it.x)->obj], f);
	}
}

/* Fills c->holds: what variables start with, what is stored, and copies of these. */
static void
find_held(Calls *c)
{
	const Pta *p = c->p;
	const Ir *ir = p->ir;

	c->holds = arena_array(c->a, Set, p->objs.n);
	for (ObjId o = 1; o < p->objs.n; o++) {
		const Obj *obj = pta_obj(p, o);
		const Global *g = obj->kind == OBJ_GLOBAL ? &ir->globals.at[obj->ref] : NULL;
		for (u32 k = 0; g && k < g->ninit; k++) {
			FnId f = function_in(ir, ir->inits.at[g->init + k].val);
			if (f)
				set_add(c->a, &c->holds[o], f);
		}
	}
	for (u32 copies = 0; copies < 2; copies++)
		for (InstId inst = 1; inst < p->insts.n; inst++)
			add_stores(c, inst, copies);
}

static void
add_value(Calls *c, Site *s, Val v)
{
	const Pta *p = c->p;

	/* What comes from unknown code may be all that it knows: a handle is meant. */
	SET_FOR (it, pta_pts(p, s->inst, v)) {
		ObjId o = pta_slot(p, it.x)->obj;
		if (is_unknown(p, o)) {
			set_add(c->a, &s->objs, o);
			add_cells(c, s, v);
			return;
		}
	}
	SET_FOR (it, pta_pts(p, s->inst, v)) {
		ObjId o = pta_slot(p, it.x)->obj;
		const Obj *obj = pta_obj(p, o);
		if (obj->kind == OBJ_FN) {
			set_add(c->a, &s->fns, obj->ref);
			continue;
		}
		if (obj->kind == OBJ_GLOBAL && p->ir->globals.at[obj->ref].constant &&
		    !p->ir->globals.at[obj->ref].ninit)
			continue; /* text */
		set_add(c->a, &s->objs, o);
		set_or(c->a, &s->fns, &c->holds[o]);
	}
}

/* The cells that the call's result, a handle, is stored to. */
static void
add_result(Calls *c, Site *s)
{
	const Ir *ir = c->p->ir;
	const Fn *f = pta_fn(c->p, s->inst);
	Val dst = ir_ins(ir, s->ins)->dst;

	for (InsId id = f->ins; dst && id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(ir, id);
		if (i->op == OP_STORE && ins_arg(ir, i, 1) == dst)
			set_or(c->a, &s->cells, pta_pts(c->p, s->inst, ins_arg(ir, i, 0)));
	}
}

static Given *
given(Calls *c, FnId f)
{
	u32 *at = map_at(c->a, &c->given_of, f);

	if (!*at) {
		vec_push(c->a, &c->given, (Given){{0}, {0}, false, false});
		*at = c->given.n;
	}
	return &c->given.at[*at - 1];
}

static void
add_site(Calls *c, InstId inst, InsId ins)
{
	const Ins *i = ir_ins(c->p->ir, ins);
	Site s = {.inst = inst, .ins = ins};

	for (u32 k = i->op == OP_CALL ? 1 : i->op == OP_FORK ? 2 : 0; k < i->narg; k++)
		add_value(c, &s, ins_arg(c->p->ir, i, k));
	SET_FOR (it, &s.fns) {
		Given *g = given(c, it.x);
		Site with = s;
		with.cells = (Set){0};
		set_or(c->a, &with.cells, &s.cells);
		add_result(c, &with);
		set_or(c->a, &g->objs, &s.objs);
		set_or(c->a, &g->cells, &with.cells);
		g->loose |= s.loose;
		g->alone |= set_empty(&s.objs);
	}
	vec_push(c->a, &c->sites, s);
	map_put(c->a, &c->site_of, map_pair(inst, ins), c->sites.n);
}

/* Is the call of the site meant to run f? */
static bool
is_meant(Calls *c, const Site *s, FnId f)
{
	u32 at = map_get(&c->given_of, f);
	const Given *g = at ? &c->given.at[at - 1] : NULL;

	if (!g)
		return !set_has(&c->called, f);
	if (ir_ins(c->p->ir, s->ins)->op != OP_EXTERN)
		return set_has(&s->fns, f);
	if (set_has(&s->fns, f) || (g->alone && set_empty(&s->objs)))
		return true;
	SET_FOR (it, &s->objs)
		if (!is_unknown(c->p, it.x) && set_has(&g->objs, it.x))
			return true;
	return set_meets(&s->cells, &g->cells) || (s->loose && g->loose);
}

/* Lists the calls of unknown functions, and what the program calls itself. */
static void
find_sites(Calls *c)
{
	const Pta *p = c->p;

	for (u32 k = 0; k < p->edges.n; k++) {
		const Edge *e = &p->edges.at[k];
		if (!e->assumed)
			set_add(c->a, &c->called, pta_inst(p, e->to)->fn);
		if (!e->assumed || map_get(&c->site_of, map_pair(e->from, e->ins)))
			continue;
		if (!c->holds)
			find_held(c);
		add_site(c, e->from, e->ins);
	}
}

bool *
guess_callbacks(Arena *a, const Pta *p, bool *guess)
{
	Calls c = {.a = a, .p = p};
	Set meant = {0}; /* FnIds that somebody is meant to call */

	if (p->ir->classes.n > 1)
		return guess;
	find_sites(&c);
	set_or(a, &meant, &c.called);
	for (u32 pass = 0; pass < 2; pass++)
		for (u32 k = 0; k < p->edges.n && c.sites.n; k++) {
			const Edge *e = &p->edges.at[k];
			u32 at = e->assumed ? map_get(&c.site_of, map_pair(e->from, e->ins)) : 0;
			FnId f = pta_inst(p, e->to)->fn;
			if (!at || is_meant(&c, &c.sites.at[at - 1], f)) {
				if (at && !pass)
					set_add(a, &meant, f);
				continue;
			}
			if (!pass || !set_has(&meant, f))
				continue;
			if (!guess)
				guess = arena_array(a, bool, p->edges.n);
			guess[k] = true;
		}
	return guess;
}
