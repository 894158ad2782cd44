/* publish.c - where pointers to each object enter shared memory.
 *
 * A fresh access is safe only if every such store orders the loads that see
 * it; the pair stage asks for the stores here. */
#include "conc/fresh_int.h"

typedef struct Found {
	ObjId obj;
	Publisher by;
} Found;

/* What is published at more places than this, or with more others, is taken to
 * be published anywhere. */
enum { MANY = 256 };

typedef struct Finder {
	Fresh *f;
	Vec(Found) found;
	u32 *count; /* [ObjId]: how often it was found */
	Set crowds; /* SetIds of more than MANY objects that were seen */
} Finder;

static void
find(Finder *fi, InstId inst, InsId ins, ObjId o)
{
	Fresh *f = fi->f;

	if (!pta_obj(f->p, o)->inst)
		return;
	if (fi->count[o]++ < MANY)
		vec_push(f->arena, &fi->found, (Found){o, {ins, inst}});
	else
		set_add(f->arena, &f->many, o);
}

/* ins may store pointers to objs where addr points. */
static void
note(Finder *fi, InstId inst, InsId ins, Val addr, SetId objs)
{
	Fresh *f = fi->f;
	const Set *set;

	if (!objs || !fresh_objects(f, inst, addr))
		return;
	set = setpool_get(&f->sets, objs);
	if (set_count(set) > MANY) {
		if (set_add(f->arena, &fi->crowds, objs))
			set_or(f->arena, &f->many, set);
		return;
	}
	SET_FOR (it, set)
		find(fi, inst, ins, it.x);
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

/* Sorts what was found by object, keeping the order of discovery. */
static void
index_found(Fresh *f, const Found *found, u32 n)
{
	f->pub_first = arena_array(f->arena, u32, f->p->objs.n + 2);
	f->pubs = arena_array(f->arena, Publisher, n + 1);
	for (u32 i = 0; i < n; i++)
		f->pub_first[found[i].obj + 1]++;
	for (ObjId o = 1; o <= f->p->objs.n; o++)
		f->pub_first[o] += f->pub_first[o - 1];
	for (u32 i = n; i--;) {
		/* Filled from the back: pub_first[obj + 1] is the end of its run. */
		f->pubs[--f->pub_first[found[i].obj + 1]] = found[i].by;
	}
	for (ObjId o = 0; o < f->p->objs.n; o++)
		f->pub_first[o] = f->pub_first[o + 1];
	f->pub_first[f->p->objs.n] = n;
}

void
fresh_publications(Fresh *f)
{
	Finder fi = {.f = f, .count = arena_array(f->arena, u32, f->p->objs.n)};

	for (InstId i = 1; i < f->p->insts.n; i++) {
		const Fn *fn = pta_fn(f->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			visit(&fi, i, id);
	}
	index_found(f, fi.found.at, fi.found.n);
}

const Publisher *
fresh_publishers(const Fresh *f, ObjId o, u32 *n)
{
	*n = f->pub_first[o + 1] - f->pub_first[o];
	return f->pubs + f->pub_first[o];
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
