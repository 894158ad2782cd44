/* cause.c - races grouped by what would fix them (Houdini's clusters by root
 * cause, applied to races).
 *
 * Each race has a cause of its own first: what is wrong with its best pair and
 * the place where a change would mend it.  Races with the same kind and place
 * are one.  A race that follows from another one has that one's cause. */
#include "race/race_int.h"

#include <string.h>

typedef struct Finder {
	Races *r;
	const Race *race;
	const Access *a, *b;
	const HeldLock *la, *lb; /* without turns */
	u32 na, nb;
	Intern keys;     /* the id is the index in cause_of */
	VecU32 cause_of; /* [key]: index in causes plus 1; 0: none yet */
} Finder;

static const char *
function_of(const Finder *f, const Access *a)
{
	u32 at = (u32)(a - f->r->conc->accesses.at);

	return race_fn_brief(f->r->ir, pta_fn(f->r->pta, race_shown_inst(f->r->result, at)),
			     f->r->arena);
}

const char *
race_fn_brief(const Ir *ir, const Fn *f, Arena *a)
{
	const char *name = ir_str(ir, f->pretty ? f->pretty : f->name);
	const char *class = f->class ? ir_str(ir, ir->classes.at[f->class].name) : "";
	const char *dot = strrchr(class, '.');
	const char *at =
	    dot ? strstr(name, arena_printf(a, "%.*s", (int)(dot + 1 - class), class)) : NULL;

	return at ? arena_printf(a, "%.*s%s", (int)(at - name), name, at + (dot + 1 - class))
		  : name;
}

const char *
cause_position(const Ir *ir, SrcId at, Arena *a)
{
	const Src *s = &ir->srcs.at[at];

	return s->file ? arena_printf(a, " at %s:%u", ir_str(ir, s->file), s->line) : "";
}

/* Sets the fix, with a position between head and tail. */
static void
fix_here(const Finder *f, Cause *c, const char *head, SrcId at, const char *tail)
{
	c->at = at;
	c->cut = (u32)strlen(head);
	c->fix = arena_printf(f->r->arena, "%s%s%s", head,
			      cause_position(f->r->ir, c->at, f->r->arena), tail);
}

/* The same with the position of an access. */
static void
fix_at(const Finder *f, Cause *c, const char *head, const Access *x, const char *tail)
{
	u32 at = (u32)(x - f->r->conc->accesses.at);

	fix_here(f, c, head, ir_ins(f->r->ir, race_shown_ins(f->r->result, at))->src, tail);
}

/* A lock that both sides hold: then only for reading where it matters. */
static const HeldLock *
common_lock(const Finder *f)
{
	for (u32 i = 0; i < f->na; i++)
		for (u32 k = 0; k < f->nb; k++)
			if (!strcmp(lock_key(f->r, &f->la[i]), lock_key(f->r, &f->lb[k])) &&
			    f->la[i].mode == LOCK_READ && f->lb[k].mode == LOCK_READ)
				return &f->la[i];
	return NULL;
}

static const char *
names_of(const Finder *f, const HeldLock *l, u32 n)
{
	const char *all = "";

	for (u32 i = 0; i < n; i++)
		all = arena_printf(f->r->arena, "%s%s'%s'", all, *all ? " and " : "", l[i].name);
	return all;
}

/* The lock that is held at one side, or at most other accesses; *side is where
 * it is not, null for both; *by who took it, 0: nobody here. */
static const char *
missing_lock(const Finder *f, const Access **side, InstId *by)
{
	const NearMiss *n = &f->race->near;

	*side = NULL;
	*by = 0;
	if (n->lock && !(n->at_first && n->at_second)) {
		if (n->at_first != n->at_second)
			*side = n->at_first ? f->b : f->a;
		return n->lock;
	}
	if (!f->na == !f->nb)
		return NULL;
	*side = f->na ? f->b : f->a;
	*by = f->na ? f->la[f->na - 1].by : f->lb[f->nb - 1].by; /* the innermost */
	return f->na ? f->la[f->na - 1].name : f->lb[f->nb - 1].name;
}

static const char *
ending(const char *lock)
{
	const char *arrow = strstr(lock, "->");

	return arrow ? arrow : lock;
}

/* The call on the way to the access out of the class whose method took the lock, if the access is in
 * another class: there the lock has a name.  Null: none. */
static const Edge *
forgetful(const Finder *f, const Access *side, InstId by)
{
	const Pta *p = f->r->pta;
	u32 at = (u32)(side - f->r->conc->accesses.at), n;
	ClassId class = by ? pta_fn(p, by)->class : 0;
	const Edge **edges;

	if (!class || pta_fn(p, race_shown_inst(f->r->result, at))->class == class)
		return NULL;
	n = race_path(f->r->result, at, f->r->arena, &edges);
	while (n-- > 0)
		if (pta_fn(p, edges[n]->from)->class == class)
			return edges[n];
	return NULL;
}

/* What an inner class calls its outer object is `this` to that. */
static const char *
from_outside(const char *lock)
{
	return strncmp(lock, "outer this (", 12) ? lock : lock + 6;
}

/* Returns the key, which the place of the fix is a part of. */
static const char *
blame_lock(const Finder *f, Cause *c, const char *lock, const Access *side, InstId by)
{
	const Edge *call = side ? forgetful(f, side, by) : NULL;
	Arena *a = f->r->arena;
	const char *where;

	lock = from_outside(lock);
	c->kind = CAUSE_MISSING_LOCK;
	if (call) {
		where = race_fn_brief(f->r->ir, pta_fn(f->r->pta, call->from), a);
		c->text = arena_printf(a, "%s does not hold '%s'", where, lock);
		fix_here(f, c, arena_printf(a, "hold '%s' in %s", lock, where),
			 ir_ins(f->r->ir, call->ins)->src, "");
	} else if (side) {
		where = function_of(f, side);
		c->text = arena_printf(a, "%s does not hold '%s'", where, lock);
		fix_at(f, c, arena_printf(a, "hold '%s' in %s", lock, where), side, "");
	} else {
		const char *x = function_of(f, f->a), *y = function_of(f, f->b);

		where =
		    arena_printf(a, "%s|%s", strcmp(x, y) < 0 ? x : y, strcmp(x, y) < 0 ? y : x);
		c->text = strcmp(x, y) ? arena_printf(a, "neither %s nor %s holds '%s'", x, y, lock)
				       : arena_printf(a, "%s does not hold '%s'", x, lock);
		c->fix = strcmp(x, y) ? arena_printf(a, "hold '%s' in %s and in %s", lock, x, y)
				      : arena_printf(a, "hold '%s' in %s", lock, x);
	}
	return arena_printf(a, "%s|%s", ending(lock), where);
}

static const char *
blame_sharing(const Finder *f, Cause *c, const HeldLock *lock)
{
	const char *where = function_of(f, f->a);

	c->kind = CAUSE_SHARED_LOCK;
	c->text = arena_printf(f->r->arena, "%s writes with '%s' held for reading only", where,
			       lock->name);
	c->fix = arena_printf(f->r->arena, "acquire '%s' for writing in %s", lock->name, where);
	return arena_printf(f->r->arena, "%s|%s", ending(lock->name), where);
}

static const char *
blame_difference(const Finder *f, Cause *c)
{
	const char *x = names_of(f, f->la, f->na), *y = names_of(f, f->lb, f->nb);

	c->kind = CAUSE_DIFFERENT_LOCKS;
	c->text = strcmp(x, y) ? arena_printf(f->r->arena, "one side holds %s, the other %s", x, y)
			       : arena_printf(f->r->arena, "%s may be two different locks", x);
	c->fix = strcmp(x, y) ? arena_printf(f->r->arena, "hold %s in %s as well, or %s in %s", x,
					     function_of(f, f->b), y, function_of(f, f->a))
			      : "hold one and the same lock at both accesses";
	if (strcmp(x, y) > 0)
		return arena_printf(f->r->arena, "%s|%s", y, x);
	return arena_printf(f->r->arena, "%s|%s", x, y);
}

static const char *
blame_atomic(const Finder *f, Cause *c)
{
	const Access *plain = f->a->flags & ACC_ATOMIC ? f->b : f->a;

	c->kind = CAUSE_MIXED_ATOMIC;
	c->text = arena_printf(f->r->arena, "%s is atomic in %s, but not in %s", f->race->name,
			       function_of(f, plain == f->a ? f->b : f->a), function_of(f, plain));
	fix_at(f, c, "make the access", plain, " atomic too");
	return function_of(f, plain);
}

/* The access of the race that frees; null if none does. */
static const Access *
free_of(const Finder *f)
{
	const Pair *p = &f->r->result->pairs.at[f->race->pair];

	for (u32 i = 0; i < f->race->npair * 2; i++) {
		const Access *a = access_at(f->r, i % 2 ? p[i / 2].b : p[i / 2].a);

		if (a->flags & ACC_FREE)
			return a;
	}
	return NULL;
}

static const char *
blame_free(const Finder *f, Cause *c, const Access *end)
{
	c->kind = CAUSE_EARLY_FREE;
	c->text = arena_printf(f->r->arena, "%s frees it while another thread may use it",
			       function_of(f, end));
	c->fix = "free it after the last user has ended, under the users' lock, or count "
		 "references atomically";
	return function_of(f, end);
}

/* How many objects the method may return; 0: not this one. */
static u32
gives(const Finder *f, InstId inst, ObjId o)
{
	const Pta *p = f->r->pta;
	const Fn *fn = pta_fn(p, inst);

	for (InsId k = fn->ins; k < fn->ins + fn->nins; k++) {
		const Ins *ret = ir_ins(f->r->ir, k);
		const Set *pts;
		if (ret->op != OP_RET || !ret->narg)
			continue;
		pts = pta_pts(p, inst, ins_arg(f->r->ir, ret, 0));
		SET_FOR (it, pts)
			if (pta_slot(p, it.x)->obj == o)
				return set_count(pts);
	}
	return 0;
}

/* The method by which the callers of an open program get an object, the one that returns the
 * fewest others; null: by none.  */
static const char *
giver(const Finder *f, ObjId o)
{
	const Pta *p = f->r->pta;
	const Fn *best = NULL;
	u32 least = UINT32_MAX;

	for (u32 i = 0; i < p->edges.n; i++) {
		const Edge *e = &p->edges.at[i];
		const Fn *to = pta_fn(p, e->to);
		u32 n;
		if (e->fork || !to->class || to->flags & (FN_SYNTHETIC | FN_LIBRARY) ||
		    !(pta_fn(p, e->from)->flags & FN_SYNTHETIC))
			continue;
		n = gives(f, e->to, o);
		if (n && n < least) {
			least = n;
			best = to;
		}
	}
	return best ? race_fn_brief(f->r->ir, best, f->r->arena) : NULL;
}

/* A library's own object that callers got, and that a side uses as one of theirs. */
static const char *
blame_giver(const Finder *f, Cause *c, const char *giver)
{
	Arena *a = f->r->arena;
	const HeldLock *l = f->na ? &f->la[f->na - 1] : f->nb ? &f->lb[f->nb - 1] : NULL;

	c->kind = CAUSE_HANDED_OUT;
	c->text = arena_printf(a, "%s gives it to callers, who use it%s%s%s while the library does",
			       giver, l ? " without '" : "", l ? l->name : "", l ? "'" : "");
	c->fix = arena_printf(a, "let %s return a copy, or a synchronised view of it", giver);
	return arena_printf(a, "%s|%s", giver, f->race->name);
}

/* A structure of which several members race lacks one lock; for anything else
 * the two functions do. */
static const char *
blame_nothing(const Finder *f, Cause *c)
{
	Arena *a = f->r->arena;
	const Obj *o = pta_obj(f->r->pta, f->race->obj);
	const char *x = function_of(f, f->a), *y = function_of(f, f->b);

	c->kind = CAUSE_NO_LOCK;
	c->fix = "hold one lock at both accesses, make both atomic, or order the threads";
	if (o->kind != OBJ_EXTERN && (!o->size || o->size > f->race->size) && f->race->size) {
		c->text =
		    arena_printf(a, "no lock is held at these accesses to %s%s",
				 strncmp(f->race->made, "any ", 4) ? "the " : "", f->race->made);
		return arena_printf(a, "%u|%u", o->kind, o->ins ? o->ins : o->ref);
	}
	c->text = strcmp(x, y) ? arena_printf(a, "neither %s nor %s holds a lock", x, y)
			       : arena_printf(a, "%s holds no lock", x);
	return strcmp(x, y) < 0 ? arena_printf(a, "%s|%s", x, y) : arena_printf(a, "%s|%s", y, x);
}

static const char *
blame(const Finder *f, Cause *c)
{
	const HeldLock *shared = common_lock(f);
	const Access *side, *end = free_of(f);
	const Pair *p = &f->r->result->pairs.at[f->race->pair];
	const char *lock;
	InstId by;

	if ((f->a->flags ^ f->b->flags) & ACC_ATOMIC)
		return blame_atomic(f, c);
	if (shared)
		return blame_sharing(f, c, shared);
	if (f->race->used && use_named(f->r->uses, p, f->race->used) == 1 &&
	    (lock = giver(f, f->race->used)) != NULL)
		return blame_giver(f, c, lock);
	lock = missing_lock(f, &side, &by);
	if (lock)
		return blame_lock(f, c, lock, side, by);
	if (end)
		return blame_free(f, c, end);
	if (f->na && f->nb)
		return blame_difference(f, c);
	return blame_nothing(f, c);
}

/* The locks of an access, without what only stands for threads in turn. */
static u32
locks_of(const Finder *f, u32 access, const HeldLock **out)
{
	const HeldLock *all;
	u32 n = race_side_locks(f->r->result, access, &all), kept = 0;
	HeldLock *list = arena_array(f->r->arena, HeldLock, n);

	for (u32 i = 0; i < n; i++)
		if (!all[i].turn)
			list[kept++] = all[i];
	*out = list;
	return kept;
}

static u32 *
cause_of(Finder *f, const Cause *c, const char *key)
{
	u32 id = intern_str(&f->keys, arena_printf(f->r->arena, "%u|%s", c->kind, key));

	while (f->cause_of.n <= id)
		vec_push(f->r->arena, &f->cause_of, 0);
	return &f->cause_of.at[id];
}

/* Returns the index of the cause of race i, new or old.  A field of a class that lacks a lock has
 * one cause, whichever of its objects it is and whoever forgot the lock first. */
static u32
find_cause(Finder *f, u32 i)
{
	Races *r = f->r;
	const Pair *p = &r->result->pairs.at[r->result->races.at[i].pair];
	Cause c = {0};
	const char *key;
	TypeId type;
	u32 at;

	f->race = &r->result->races.at[i];
	f->a = access_at(r, p->a);
	f->b = access_at(r, p->b);
	f->na = locks_of(f, p->a, &f->la);
	f->nb = locks_of(f, p->b, &f->lb);
	key = blame(f, &c);
	type = pta_obj(r->pta, f->race->obj)->type;
	at = *cause_of(f, &c, key);
	if (c.kind == CAUSE_MISSING_LOCK && type && r->ir->types.at[type].kind == TYPE_CLASS) {
		const char *field = arena_printf(r->arena, "field|%s", f->race->name);
		at = *cause_of(f, &c, field) ? *cause_of(f, &c, field) : at;
		*cause_of(f, &c, field) = at ? at : r->result->causes.n + 1;
	}
	if (!at) {
		vec_push(r->arena, &r->result->causes, c);
		at = r->result->causes.n;
		*cause_of(f, &c, key) = at;
	}
	return at - 1;
}

/* The race at the end of the chain that race i follows from; a race that would
 * follow from itself does not. */
static u32
root_of_chain(RaceResult *res, u32 i)
{
	u32 at = i;

	for (u32 n = 0; res->races.at[at].under && n < res->races.n; n++) {
		at = res->races.at[at].under - 1;
		if (at == i)
			res->races.at[i].under = 0;
	}
	return at;
}

static void
join_cause(Races *r, u32 race, u32 cause)
{
	r->result->races.at[race].cause = cause;
	vec_push(r->arena, &r->result->causes.at[cause].races, race);
}

void
causes_build(Races *r)
{
	RaceResult *res = r->result;
	Finder f = {.r = r};

	intern_init(&f.keys, r->arena);
	for (u32 i = 0; i < res->races.n; i++)
		if (root_of_chain(res, i) == i)
			join_cause(r, i, find_cause(&f, i));
	for (u32 i = 0; i < res->races.n; i++) {
		u32 root = root_of_chain(res, i);

		if (root != i)
			join_cause(r, i, res->races.at[root].cause);
	}
}
