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
	const HeldLock *la, *lb;
	u32 na, nb;
	Intern keys; /* the id is the index in causes plus 1 */
} Finder;

static const char *
function_of(const Finder *f, const Access *a)
{
	u32 at = (u32)(a - f->r->conc->accesses.at);
	const Fn *fn = pta_fn(f->r->pta, race_shown_inst(f->r->result, at));

	return ir_str(f->r->ir, fn->pretty ? fn->pretty : fn->name);
}

const char *
cause_position(const Ir *ir, SrcId at, Arena *a)
{
	const Src *s = &ir->srcs.at[at];

	return s->file ? arena_printf(a, " at %s:%u", ir_str(ir, s->file), s->line) : "";
}

/* Sets the fix, with the position of an access between head and tail. */
static void
fix_at(const Finder *f, Cause *c, const char *head, const Access *x, const char *tail)
{
	Arena *a = f->r->arena;
	u32 at = (u32)(x - f->r->conc->accesses.at);

	c->at = ir_ins(f->r->ir, race_shown_ins(f->r->result, at))->src;
	c->cut = (u32)strlen(head);
	c->fix = arena_printf(a, "%s%s%s", head, cause_position(f->r->ir, c->at, a), tail);
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
 * it is not, null for both. */
static const char *
missing_lock(const Finder *f, const Access **side)
{
	const NearMiss *n = &f->race->near;

	*side = NULL;
	if (n->lock && !(n->at_first && n->at_second)) {
		if (n->at_first != n->at_second)
			*side = n->at_first ? f->b : f->a;
		return n->lock;
	}
	if (!f->na == !f->nb)
		return NULL;
	*side = f->na ? f->b : f->a;
	return f->na ? f->la[0].name : f->lb[0].name;
}

static const char *
ending(const char *lock)
{
	const char *arrow = strstr(lock, "->");

	return arrow ? arrow : lock;
}

/* Returns the key, which the place of the fix is a part of. */
static const char *
blame_lock(const Finder *f, Cause *c, const char *lock, const Access *side)
{
	Arena *a = f->r->arena;
	const char *where;

	c->kind = CAUSE_MISSING_LOCK;
	if (side) {
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
	c->fix = "hold one and the same lock at both accesses";
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
	const char *lock;

	if ((f->a->flags ^ f->b->flags) & ACC_ATOMIC)
		return blame_atomic(f, c);
	if (shared)
		return blame_sharing(f, c, shared);
	lock = missing_lock(f, &side);
	if (lock)
		return blame_lock(f, c, lock, side);
	if (end)
		return blame_free(f, c, end);
	if (f->na && f->nb)
		return blame_difference(f, c);
	return blame_nothing(f, c);
}

/* Returns the index of the cause of race i, new or old. */
static u32
find_cause(Finder *f, u32 i)
{
	Races *r = f->r;
	const Pair *p = &r->result->pairs.at[r->result->races.at[i].pair];
	Cause c = {0};
	const char *key;
	u32 id;

	f->race = &r->result->races.at[i];
	f->a = access_at(r, p->a);
	f->b = access_at(r, p->b);
	f->na = locks_list(r->conc->locks, f->a->inst, f->a->held, &f->la);
	f->nb = locks_list(r->conc->locks, f->b->inst, f->b->held, &f->lb);
	key = blame(f, &c);
	id = intern_str(&f->keys, arena_printf(r->arena, "%u|%s", c.kind, key));
	if (id > r->result->causes.n)
		vec_push(r->arena, &r->result->causes, c);
	return id - 1;
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
