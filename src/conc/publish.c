/* publish.c - where pointers to each object enter shared memory.
 *
 * A fresh access is safe only if every such store orders the loads that see
 * it; the pair stage asks for the stores here.  Stores that may publish the same
 * objects are listed once, for the set of these: in a program whose modules share
 * containers, each of n stores may be of each of n objects. */
#include "conc/fresh_int.h"

#include <stdlib.h>

enum {
	LARGE = FRESH_LARGE, /* sets of more objects are listed while they have, */
	EACH = 16            /* together, so many times as many as there are; beyond that */
}; /* their objects are taken to be published anywhere */

typedef struct Found {
	u32 set;
	Publisher by;
} Found;

typedef struct Finder {
	Fresh *f;
	Vec(Found) found;
	Map index;   /* SetId -> its index in handed, plus 1; LEFT_OUT: it is not listed */
	u32 members; /* of large sets */
} Finder;

enum { LEFT_OUT = UINT32_MAX };

static bool
is_made(const Fresh *f, ObjId o)
{
	return pta_obj(f->p, o)->inst != 0;
}

static u32
index_of(Finder *fi, SetId objs)
{
	Fresh *f = fi->f;
	const Set *set = setpool_get(&f->sets, objs);
	u32 n = set_count(set);

	if (n > LARGE && fi->members + n > EACH * f->p->objs.n) {
		set_or(f->arena, &f->many, set);
		return LEFT_OUT;
	}
	fi->members += n > LARGE ? n : 0;
	vec_push(f->arena, &f->handed, objs);
	return f->handed.n;
}

/* ins may store pointers to objs where addr points. */
static void
note(Finder *fi, InstId inst, InsId ins, Val addr, SetId objs)
{
	Fresh *f = fi->f;
	u32 *at;

	if (!objs || !fresh_objects(f, inst, addr))
		return;
	at = map_at(f->arena, &fi->index, objs);
	if (!*at)
		*at = index_of(fi, objs);
	if (*at != LEFT_OUT)
		vec_push(f->arena, &fi->found, (Found){*at - 1, {ins, inst}});
}

static void
note_value(Finder *fi, InstId inst, InsId ins, Val addr, Val v)
{
	note(fi, inst, ins, addr, fresh_objects(fi->f, inst, v));
}

static void
note_unknown(Finder *fi, InstId inst, const Ins *ins)
{
	Fresh *f = fi->f;

	for (u32 k = 0; k < ins->narg; k++) {
		SetId closed = fresh_close(f, fresh_objects(f, inst, ins_arg(f->ir, ins, k)));
		set_or(f->arena, &f->unknown, setpool_get(&f->sets, closed));
	}
}

static void
visit(Finder *fi, InstId inst, InsId id)
{
	Fresh *f = fi->f;
	const Ins *ins = ir_ins(f->ir, id);

	switch (ins->op) {
	case OP_STORE:
	case OP_RMW:
		note_value(fi, inst, id, ins_arg(f->ir, ins, 0), ins_arg(f->ir, ins, 1));
		break;
	case OP_CAS:
		note_value(fi, inst, id, ins_arg(f->ir, ins, 0), ins_arg(f->ir, ins, 2));
		break;
	case OP_BCOPY:
		note(fi, inst, id, ins_arg(f->ir, ins, 0), fresh_copied(f, inst, ins));
		break;
	case OP_EXTERN:
	case OP_PUBLISH: note_unknown(fi, inst, ins); break;
	default: break;
	}
}

/* Makes of counts, each behind its place, where the runs of so many begin. */
static void
sum_up(u32 *first, u32 n)
{
	for (u32 i = 0; i < n; i++)
		first[i + 1] += first[i];
}

/* Lists the stores of each set, in the order of discovery: by instance and instruction. */
static void
index_found(Fresh *f, const Found *found, u32 n)
{
	u32 *next;

	f->by_first = arena_array(f->arena, u32, f->handed.n + 1);
	f->by = arena_array(f->arena, Publisher, n + 1);
	next = arena_array(f->arena, u32, f->handed.n + 1);
	for (u32 i = 0; i < n; i++)
		f->by_first[found[i].set + 1]++;
	sum_up(f->by_first, f->handed.n);
	for (u32 i = 0; i < n; i++)
		f->by[f->by_first[found[i].set] + next[found[i].set]++] = found[i].by;
}

/* Lists the sets that each object is in. */
static void
index_objects(Fresh *f)
{
	u32 n = f->p->objs.n;
	u32 *next = arena_array(f->arena, u32, n + 1);

	f->set_first = arena_array(f->arena, u32, n + 1);
	for (u32 i = 0; i < f->handed.n; i++)
		SET_FOR (it, setpool_get(&f->sets, f->handed.at[i]))
			f->set_first[it.x + 1] += is_made(f, it.x);
	sum_up(f->set_first, n);
	f->set_of = arena_array(f->arena, u32, f->set_first[n] + 1);
	for (u32 i = 0; i < f->handed.n; i++)
		SET_FOR (it, setpool_get(&f->sets, f->handed.at[i]))
			if (is_made(f, it.x))
				f->set_of[f->set_first[it.x] + next[it.x]++] = i;
}

void
fresh_publications(Fresh *f)
{
	Finder fi = {.f = f};

	for (InstId i = 1; i < f->p->insts.n; i++) {
		const Fn *fn = pta_fn(f->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			visit(&fi, i, id);
	}
	index_found(f, fi.found.at, fi.found.n);
	index_objects(f);
}

const u32 *
fresh_sets(const Fresh *f, ObjId o, u32 *n)
{
	*n = f->set_first[o + 1] - f->set_first[o];
	return f->set_of + f->set_first[o];
}

u32
fresh_set_count(const Fresh *f)
{
	return f->handed.n;
}

bool
fresh_set_large(const Fresh *f, u32 set)
{
	return set_count(setpool_get(&f->sets, f->handed.at[set])) > LARGE;
}

const Publisher *
fresh_publishers(const Fresh *f, u32 set, u32 *n)
{
	*n = f->by_first[set + 1] - f->by_first[set];
	return f->by + f->by_first[set];
}

int
publisher_compare(const void *x, const void *y)
{
	const Publisher *a = x, *b = y;

	if (a->inst != b->inst)
		return a->inst < b->inst ? -1 : 1;
	return a->ins < b->ins ? -1 : a->ins > b->ins;
}

bool
fresh_publishes(const Fresh *f, InstId inst, InsId ins, ObjId o)
{
	Publisher key = {ins, inst};
	u32 n, m;
	const u32 *sets = fresh_sets(f, o, &n);

	for (u32 i = 0; i < n; i++) {
		const Publisher *by = fresh_publishers(f, sets[i], &m);
		if (bsearch(&key, by, m, sizeof *by, publisher_compare))
			return true;
	}
	return false;
}

bool
fresh_unknown(const Fresh *f, ObjId o)
{
	return set_has(&f->unknown, o);
}

bool
fresh_many(const Fresh *f, ObjId o)
{
	return set_has(&f->many, o);
}
