/* lock_list.c - what is held at an access, as a report lists it: each lock once, by the name that
 * the function has for it or else by what others call it, and where it was acquired. */
#include "conc/lock_int.h"

#include <string.h>

/* Is the lock of path name x in the list as a slot too? */
static bool
has_slot(const Locks *l, const Held *list, u32 n, const Held *x)
{
	const Set *pts = setpool_get(&l->sets, x->name.pts);
	SlotId s = x->name.pts ? locks_single(l, pts) : 0;

	for (u32 i = 0; i < n && s; i++)
		if (list[i].name.kind == NAME_SLOT && list[i].name.ref == s)
			return true;
	return false;
}

/* May two members be one lock under two names? */
static bool
listed(Locks *l, const Held *list, u32 i, u32 n)
{
	if (list[i].name.kind == NAME_PATH && has_slot(l, list, n, &list[i]))
		return true;
	for (u32 k = 0; k < i; k++)
		if (list[k].name.kind == NAME_PATH && list[i].name.kind == NAME_PATH &&
		    list[k].name.pts == list[i].name.pts &&
		    !path_apart(&l->paths, list[k].name.ref, list[i].name.ref))
			return true;
	return false;
}

/* An acquire of that name in inst, null if there is none. */
static const Ins *
acquire_of(Locks *l, InstId inst, const Name *name)
{
	const Fn *fn = pta_fn(l->pta, inst);
	Name names[2];

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		const Ins *ins = ir_ins(l->ir, i);
		u32 n =
		    ins->op == OP_ACQUIRE ? locks_names(l, inst, ins_arg(l->ir, ins, 0), names) : 0;
		for (u32 k = 0; k < n; k++)
			if (name_cmp(&names[k], name) == 0)
				return ins;
	}
	return NULL;
}

static SrcId
acquired_at(Locks *l, InstId inst, const Name *name)
{
	const Ins *ins = acquire_of(l, inst, name);

	return ins ? ins->src : 0;
}

/* "class Pool", without its package. */
static const char *
class_text(const Locks *l, const Obj *o, Arena *a)
{
	const char *name = ir_str(l->ir, l->ir->classes.at[o->ref].name), *dot = strrchr(name, '.');

	return arena_printf(a, "class %s", dot ? dot + 1 : name);
}

/* What the first acquire in the program calls a lock object; null: it has no name there. */
static const char *
name_elsewhere(Locks *l, SlotId slot, Arena *a)
{
	u32 at = map_get(&l->acquirer, slot);
	const char *name;

	if (!at)
		return NULL;
	name = locks_value_name(l, l->acquirers.at[at - 1].inst, l->acquirers.at[at - 1].v, a);
	return *name == '%' || *name == '?' || *name == '*' ? NULL : name;
}

/* A lock object without a name of its own is called what this function, or
 * the member of the list that is the same lock, calls it; else what others do. */
static const char *
slot_name(Locks *l, InstId inst, const Held *list, u32 n, u32 i, Arena *a)
{
	const Name *name = &list[i].name;
	const Obj *o = pta_obj(l->pta, pta_slot(l->pta, name->ref)->obj);
	const char *other;
	const Ins *ins;

	if (o->kind == OBJ_GLOBAL)
		return locks_slot_text(l, name->ref, a);
	if (o->kind == OBJ_CLASS)
		return class_text(l, o, a);
	ins = acquire_of(l, inst, name);
	if (ins)
		return locks_value_name(l, inst, ins_arg(l->ir, ins, 0), a);
	for (u32 k = 0; k < n; k++)
		if (list[k].name.kind == NAME_PATH && list[k].name.pts &&
		    locks_single(l, setpool_get(&l->sets, list[k].name.pts)) == name->ref)
			return locks_place_text(l, inst, list[k].name.ref, a);
	other = name_elsewhere(l, name->ref, a);
	return other ? other : locks_slot_text(l, name->ref, a);
}

/* Notes who names a lock object, the first time, and whether only turns take it. */
static void
note_acquirer(Locks *l, InstId inst, const Ins *acquire, SlotId slot)
{
	u32 *at = map_at(l->arena, &l->acquirer, slot);

	if (!*at && locks_is_turn(l, inst))
		set_add(l->arena, &l->turns, slot);
	else if (!locks_is_turn(l, inst))
		set_del(&l->turns, slot);
	if (!*at) {
		Acquirer x = {inst, ins_arg(l->ir, acquire, 0)};
		vec_push(l->arena, &l->acquirers, x);
		*at = l->acquirers.n;
	}
}

/* Where each single lock is acquired, if that is one place of the program, and which
 * are no locks to the programmer: what threads pass that wait for a first one. */
static void
find_acquired(Locks *l)
{
	Name names[2];

	for (InstId i = 1; i < l->pta->insts.n; i++) {
		const Fn *fn = pta_fn(l->pta, i);
		for (InsId id = fn->ins; l->sync[i] && id < fn->ins + fn->nins; id++) {
			const Ins *ins = ir_ins(l->ir, id);
			bool passes = ins->op == OP_AWAIT && ins->sub == EVENT_ONCE;
			u32 *at;
			if ((ins->op != OP_ACQUIRE && !passes) ||
			    !locks_names(l, i, ins_arg(l->ir, ins, 0), names) ||
			    names[0].kind != NAME_SLOT || !ins->src)
				continue;
			if (passes) {
				set_add(l->arena, &l->passed, names[0].ref);
				continue;
			}
			note_acquirer(l, i, ins, names[0].ref);
			at = map_at(l->arena, &l->acquired, names[0].ref);
			*at = locks_is_turn(l, i)           ? 1
			      : !*at || *at == ins->src + 1 ? ins->src + 1
							    : 1;
		}
	}
	map_put(l->arena, &l->acquired, 0, 1); /* no slot: it is filled */
}

/* Is the lock held by all who have passed, to the end, so that it is none to lock? */
static bool
is_passed(Locks *l, const Held *h)
{
	if (!map_get(&l->acquired, 0))
		find_acquired(l);
	return h->name.kind == NAME_SLOT && !h->count[LOCK_WRITE] &&
	       set_has(&l->passed, h->name.ref);
}

/* The only acquire of a slot in the whole program, or 0; is_passed was asked before. */
static SrcId
acquired_once(const Locks *l, const Name *name)
{
	u32 at = map_get(&l->acquired, name->ref);

	return at ? at - 1 : 0;
}

/* A lock that is a path: of an object of a class it is the object itself. */
static const char *
path_name(Locks *l, InstId inst, PathId path, Arena *a)
{
	const char *name = locks_place_text(l, inst, path, a);
	const char *class = *name == '*' ? locks_class_at(l, inst, path, a) : NULL;

	if (class && name[1] == '%')
		return arena_printf(a, "a %s", class);
	return class ? arena_printf(a, "%s (%s)", name + 1, class) : name;
}

/* Where what runs one at a time was started, if that is one place. */
static SrcId
started_at(const Locks *l, InstId inst)
{
	const Inst *i = pta_inst(l->pta, inst);
	const Edge *e = &l->pta->edges.at[l->pta->callers.at[i->caller]];

	return i->ncaller == 1 ? ir_ins(l->ir, e->ins)->src : 0;
}

/* Was inst, or what alone called it, started by what runs one at a time?  Then a
 * lock that nobody here acquired is that one's.  Climbs a few calls only. */
static bool
begins_in_turn(const Locks *l, InstId inst)
{
	enum { CALLS = 16 };

	for (u32 k = 0; k < CALLS; k++) {
		const Inst *i = pta_inst(l->pta, inst);
		if (locks_is_turn(l, inst))
			return true;
		if (i->ncaller != 1)
			return false;
		inst = l->pta->edges.at[l->pta->callers.at[i->caller]].from;
	}
	return false;
}

/* The register that path is so many bytes behind; 0 if it is no such path. */
static Val
starts_at(const Locks *l, PathId path, i64 *off)
{
	const Path *p = path_get(&l->paths, path_base(&l->paths, path, off));

	return p->kind == PATH_VALUE ? p->ref : 0;
}

static LockList
list_locks(Locks *l, InstId inst, LocksetId held)
{
	Held list[REL_NAMES];
	u32 n = locks_members(l, held, list);
	LockList out = {arena_array(l->arena, HeldLock, n), 0};

	for (u32 i = 0; i < n; i++) {
		const Name *name = &list[i].name;
		HeldLock *h = &out.at[out.n];
		if (listed(l, list, i, n) || is_passed(l, &list[i]))
			continue;
		h->slot = name->kind == NAME_SLOT ? name->ref : 0;
		h->name = h->slot ? slot_name(l, inst, list, n, i, l->arena)
				  : path_name(l, inst, name->ref, l->arena);
		h->mode = list[i].count[LOCK_WRITE] ? LOCK_WRITE : LOCK_READ;
		h->turn = locks_is_turn(l, inst) || (h->slot && set_has(&l->turns, h->slot));
		h->at = locks_is_turn(l, inst) ? started_at(l, inst) : acquired_at(l, inst, name);
		if (!h->slot) {
			h->value = starts_at(l, name->ref, &h->off);
			h->in = locks_struct_of(l, inst, name->ref);
		}
		if (!h->at && h->slot)
			h->at = acquired_once(l, name);
		h->turn |= !h->at && !h->slot && begins_in_turn(l, inst);
		out.n++;
	}
	return out;
}

u32
locks_list(Locks *l, InstId inst, LocksetId held, const HeldLock **out)
{
	u32 *at;

	*out = NULL;
	if (!held)
		return 0;
	at = map_at(l->arena, &l->list_of, map_pair(inst, held));
	if (!*at) {
		LockList list;
		*at = l->lists.n + 1;
		list = list_locks(l, inst, held);
		vec_push(l->arena, &l->lists, list);
	}
	at = map_at(l->arena, &l->list_of, map_pair(inst, held));
	*out = l->lists.at[*at - 1].at;
	return l->lists.at[*at - 1].n;
}

u32
locks_count(const Locks *l, LocksetId held)
{
	Held list[REL_NAMES];
	u32 n = locks_members(l, held, list), count = 0;

	for (u32 i = 0; i < n; i++)
		count += !listed((Locks *)l, list, i, n) && !is_passed((Locks *)l, &list[i]);
	return count;
}
