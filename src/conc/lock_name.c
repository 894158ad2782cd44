/* lock_name.c - what a lock is called, in one frame and from frame to frame.
 *
 * A path goes through a load only if no thread writes the loaded cells once
 * another can see them (`stable`) and neither the function nor a callee may
 * store to them (l->mod), so that the path means one place as long as the
 * function runs; elsewhere it starts again at the loaded register.  Handed to
 * another frame, a name is checked against that frame's stores too: its cells
 * are kept with it.
 *
 * Every register is looked at once per instance and kept.  A phi, or a select,
 * of places behind one base is somewhere behind that base; while its operands
 * are looked at it stands for itself, so that cycles end. */
#include "conc/lock_int.h"

#include <string.h>

enum { FOLLOW_DEPTH = 64 };

/* ---- aliases ------------------------------------------------------------ */

static bool
is_extern(const Locks *l, SlotId s)
{
	return pta_obj(l->pta, pta_slot(l->pta, s)->obj)->kind == OBJ_EXTERN;
}

static bool
slots_meet(const Locks *l, const Set *x, const Set *y)
{
	SET_FOR (i, x) {
		if (is_extern(l, i.x))
			return true;
		SET_FOR (j, y)
			if (is_extern(l, j.x) || i.x == j.x || pta_overlap(l->pta, i.x, 1, j.x, 1))
				return true;
	}
	return false;
}

bool
locks_sets_alias(Locks *l, SetId x, SetId y)
{
	u32 *memo;
	bool meet;

	if (!x || !y || x == y)
		return true;
	if (x > y)
		return locks_sets_alias(l, y, x);
	memo = map_at(l->arena, &l->alias_memo, map_pair(x, y));
	if (*memo)
		return *memo == 2;
	meet = slots_meet(l, setpool_get(&l->sets, x), setpool_get(&l->sets, y));
	*memo = meet ? 2 : 1;
	return meet;
}

bool
locks_alias(Locks *l, const Name *x, const Name *y)
{
	if (name_cmp(x, y) == 0)
		return true;
	if (x->kind == NAME_SLOT && y->kind == NAME_SLOT)
		return false;
	if (x->kind == NAME_PATH && y->kind == NAME_PATH && path_apart(&l->paths, x->ref, y->ref))
		return false;
	return locks_sets_alias(l, x->pts, y->pts);
}

SlotId
locks_single(const Locks *l, const Set *pts)
{
	const Slot *slot;
	const Obj *obj;
	SlotId s;

	if (!set_single(pts))
		return 0;
	s = set_first(pts);
	slot = pta_slot(l->pta, s);
	obj = pta_obj(l->pta, slot->obj);
	if (slot->stride || obj->kind == OBJ_EXTERN || obj->tls)
		return 0;
	return threads_single(l->threads, slot->obj) || set_has(&l->recurring, s) ? s : 0;
}

/* ---- paths of values ---------------------------------------------------- */

static PathOf path_at(Locks *l, InstId inst, Val v, u32 depth);

static PathId
const_path(Locks *l, Val v)
{
	const Const *c = ir_const(l->ir, v);
	GlobalId g = c->ref;

	switch (c->kind) {
	case CONST_INT: return path_num(&l->paths, c->num);
	case CONST_NULL: return path_num(&l->paths, 0);
	case CONST_GLOBAL:
		while (l->ir->globals.at[g].linkage == LINK_ALIAS && l->ir->globals.at[g].alias)
			g = l->ir->globals.at[g].alias;
		return path_off(&l->paths, path_global(&l->paths, g), c->num);
	default: return 0;
	}
}

/* Does the memory that ins loads stay as it is while inst runs? */
static bool
fixed(Locks *l, InstId inst, const Ins *ins)
{
	Val addr = ins_arg(l->ir, ins, 0);
	const Set *pts = pta_pts(l->pta, inst, addr);
	const Set *mod = setpool_get(&l->sets, l->mod[inst]);

	if (ins->flags & INS_VOLATILE || ins->width % 8 || set_empty(pts) || set_meets(pts, mod))
		return false;
	SET_FOR (it, pts)
		if (is_extern(l, it.x))
			return false;
	return l->stable && l->stable(l->stable_ctx, inst, addr, ins->width / 8);
}

static PathOf
load_path(Locks *l, InstId inst, const Ins *ins, u32 depth)
{
	Val addr = ins_arg(l->ir, ins, 0);
	PathOf p = {0};
	SetId cells;

	if (!fixed(l, inst, ins))
		return p;
	p = path_at(l, inst, addr, depth);
	p.path = locks_deref(l, p.path, ins->width / 8);
	cells = setpool_intern(&l->sets, pta_pts(l->pta, inst, addr));
	p.cells = setpool_union(&l->sets, p.cells, cells);
	return p;
}

static PathOf
cast_path(Locks *l, InstId inst, const Ins *ins, u32 depth)
{
	PathOf p = path_at(l, inst, ins_arg(l->ir, ins, 0), depth);
	bool pointer = ins->sub == CAST_PTRTOINT || ins->sub == CAST_INTTOPTR;
	u32 width = ins->sub == CAST_INTTOPTR ? (u32)ins->imm : ins->width;

	if (pointer && width && width < l->ir->ptr_bytes * 8)
		return (PathOf){0};
	if (!pointer)
		p.path = path_cast(&l->paths, p.path, ins->sub, ins->width);
	return p;
}

static PathOf
sum_path(Locks *l, InstId inst, const Ins *ins, u32 depth)
{
	Val x = ins_arg(l->ir, ins, 0), y = ins_arg(l->ir, ins, 1);
	PathOf p = {0};

	if (ins->sub == BIN_ADD && val_is_const(x)) {
		Val t = x;
		x = y;
		y = t;
	}
	if ((ins->sub != BIN_ADD && ins->sub != BIN_SUB) || !val_is_const(y) ||
	    ir_const(l->ir, y)->kind != CONST_INT)
		return p;
	p = path_at(l, inst, x, depth);
	p.path = path_off(&l->paths, p.path,
			  ins->sub == BIN_ADD ? ir_const(l->ir, y)->num
					      : (i64) - (u64)ir_const(l->ir, y)->num);
	return p;
}

static PathOf
index_path(Locks *l, InstId inst, const Ins *ins, u32 depth)
{
	PathOf p = path_at(l, inst, ins_arg(l->ir, ins, 0), depth);
	PathOf i = path_at(l, inst, ins_arg(l->ir, ins, 1), depth);

	p.path = path_index(&l->paths, p.path, i.path, ins->imm);
	p.cells = setpool_union(&l->sets, p.cells, i.cells);
	return p;
}

/* ---- what calls return -------------------------------------------------- */

/* Operand of the call for the callee's parameter k, 0 if there is none. */
static Val
actual(const Locks *l, const Edge *call, u32 k)
{
	const Ins *ins = ir_ins(l->ir, call->ins);

	return ins->op == OP_CALL && k + 1 < ins->narg ? ins_arg(l->ir, ins, k + 1) : 0;
}

/* What the call gives, 0 if that may be of more calls than one. */
static Val
result(const Locks *l, const Edge *call)
{
	const Ins *ins = ir_ins(l->ir, call->ins);

	return ins->op == OP_CALL && ins->sub != CALL_REPEAT ? ins->dst : 0;
}

/* p of the callee as the caller says it. */
static PathOf
path_up(Locks *l, const Edge *call, PathId path, u32 depth)
{
	const Path p = *path_get(&l->paths, path);
	PathOf up = {0}, index;

	switch (p.kind) {
	case PATH_PARAM: return path_at(l, call->from, actual(l, call, p.ref), depth);
	case PATH_RESULT: return path_at(l, call->from, result(l, call), depth);
	case PATH_GLOBAL:
	case PATH_NUM: return (PathOf){path, 0};
	case PATH_VALUE: return up;
	}
	up = path_up(l, call, p.base, depth);
	if (p.kind == PATH_OFF) {
		up.path = path_off(&l->paths, up.path, p.num);
	} else if (p.kind == PATH_CAST) {
		up.path = path_cast(&l->paths, up.path, p.ref >> 16, (u16)p.ref);
	} else if (p.kind == PATH_DEREF) {
		up.path = locks_deref(l, up.path, (u32)p.num);
	} else {
		index = path_up(l, call, p.ref, depth);
		up.path = path_index(&l->paths, up.path, index.path, p.num);
		up.cells = setpool_union(&l->sets, up.cells, index.cells);
	}
	return up;
}

/* May inst store to the cells that a path reads? */
static bool
changes(const Locks *l, InstId inst, SetId cells)
{
	return set_meets(setpool_get(&l->sets, cells), setpool_get(&l->sets, l->mod[inst]));
}

/* What inst returns, if it always is the same place in its callers' words.  A
 * null is nothing that anybody could lock or access. */
static PathOf
returned(Locks *l, InstId inst, u32 depth)
{
	const Fn *fn = pta_fn(l->pta, inst);
	PathOf all = {0};
	bool same = true;

	if (l->returned_known[inst] == 2)
		return l->returned[inst];
	if (l->returned_known[inst] || depth >= FOLLOW_DEPTH)
		return all;
	l->returned_known[inst] = 1;
	for (BlockId b = 1; b <= fn->nblock && same; b++) {
		const Block *block = fn_block(l->ir, fn, b);
		const Ins *last = ir_ins(l->ir, block->ins + block->nins - 1);
		Val v = last->op == OP_RET && last->narg ? ins_arg(l->ir, last, 0) : 0;
		PathOf p;
		if (!v || (val_is_const(v) && ir_const(l->ir, v)->kind == CONST_NULL))
			continue;
		p = path_at(l, inst, v, depth + 1);
		same =
		    p.path && !path_local(&l->paths, p.path) && (!all.path || all.path == p.path);
		all = p;
	}
	l->returned_known[inst] = 2;
	return l->returned[inst] = same ? all : (PathOf){0};
}

/* The path of a call's result: all callees must agree. */
static PathOf
call_path(Locks *l, InstId inst, const Ins *ins, u32 depth)
{
	const PathOf none = {0};
	PathOf all = {0};
	u32 n;
	const Edge *e = pta_targets(l->pta, inst, (InsId)(ins - l->ir->ins.at), &n);

	for (u32 i = 0; i < n; i++) {
		PathOf in = e[i].fork ? none : returned(l, e[i].to, depth);
		PathOf p = in.path ? path_up(l, &e[i], in.path, depth) : none;
		p.cells = setpool_union(&l->sets, p.cells, in.cells);
		if (!p.path || (i && p.path != all.path) || changes(l, inst, p.cells))
			return none;
		all = p;
	}
	return all;
}

/* One of several places behind one base: by which of them is the index. */
static PathOf
choice_path(Locks *l, InstId inst, const Ins *ins, u32 depth)
{
	PathOf all = {0};
	PathId base = 0;
	i64 off;

	if (ins->rt != RT_PTR)
		return all;
	for (u32 k = 1; k < ins->narg; k += ins->op == OP_PHI ? 2 : 1) {
		PathOf p = path_at(l, inst, ins_arg(l->ir, ins, k), depth);
		PathId b = p.path ? path_base(&l->paths, p.path, &off) : 0;
		if (!b || b == p.path || (base && b != base))
			return (PathOf){0};
		base = b;
		all.cells = setpool_union(&l->sets, all.cells, p.cells);
	}
	all.path = path_index(&l->paths, base, path_value(&l->paths, ins->dst), 1);
	return all;
}

/* The path of what ins computes; path 0 if it starts here. */
static PathOf
def_path(Locks *l, InstId inst, const Ins *ins, u32 depth)
{
	PathOf p = {0};

	switch (ins->op) {
	case OP_COPY: return path_at(l, inst, ins_arg(l->ir, ins, 0), depth);
	case OP_FILTER: return ins->sub == 1 ? p : path_at(l, inst, ins_arg(l->ir, ins, 0), depth);
	case OP_FIELD:
		p = path_at(l, inst, ins_arg(l->ir, ins, 0), depth);
		p.path = path_off(&l->paths, p.path, ins->sub ? (i64)ins->aux : ins->imm);
		return p;
	case OP_INDEX: return index_path(l, inst, ins, depth);
	case OP_CAST: return cast_path(l, inst, ins, depth);
	case OP_BIN: return sum_path(l, inst, ins, depth);
	case OP_LOAD: return load_path(l, inst, ins, depth);
	case OP_CALL: return ins->rt == RT_PTR ? call_path(l, inst, ins, depth) : p;
	case OP_PHI:
	case OP_SELECT: return choice_path(l, inst, ins, depth);
	default: return p;
	}
}

static PathOf
path_at(Locks *l, InstId inst, Val v, u32 depth)
{
	const Fn *fn = pta_fn(l->pta, inst);
	PathOf p = {0};
	InsId def;
	u32 memo;

	if (val_is_const(v))
		return (PathOf){const_path(l, v), 0};
	if (!v)
		return p;
	if (v <= fn->nparam)
		return (PathOf){path_param(&l->paths, v - 1), 0};
	memo = map_get(&l->path_memo, map_pair(inst, v));
	if (memo)
		return l->path_of.at[memo - 1];
	vec_push(l->arena, &l->path_of, ((PathOf){path_value(&l->paths, v), 0}));
	memo = l->path_of.n;
	map_put(l->arena, &l->path_memo, map_pair(inst, v), memo);
	def = fn_reg(l->ir, fn, v)->def;
	if (def && depth < FOLLOW_DEPTH)
		p = def_path(l, inst, ir_ins(l->ir, def), depth + 1);
	if (p.path)
		l->path_of.at[memo - 1] = p;
	return l->path_of.at[memo - 1];
}

PathOf
locks_path(Locks *l, InstId inst, Val v)
{
	return path_at(l, inst, v, 0);
}

/* ---- slots of paths ----------------------------------------------------- */

static SlotId
find_slot(const Locks *l, Slot s)
{
	SlotKey key = slot_key(&s);
	u32 at = intern_find(&l->slot_index, &key, sizeof key);

	return at ? l->slot_of.at[at - 1] : 0;
}

/* Moves the slots of `from` by off bytes. */
static bool
shift(Locks *l, const Set *from, i64 off, Set *out)
{
	SET_FOR (it, from) {
		Slot s = pta_slot_moved(l->pta, *pta_slot(l->pta, it.x), off);
		SlotId to = s.stride == 1 && !s.end ? it.x : find_slot(l, s);
		if (!to)
			return false;
		set_add(l->arena, out, to);
	}
	return true;
}

static void
contents(Locks *l, const Set *from, Set *out)
{
	SET_FOR (it, from)
		pta_contents(l->pta, it.x, l->arena, out);
}

/* The slots of what inst returns. */
static void
result_slots(Locks *l, InstId inst, Set *out)
{
	const Fn *fn = pta_fn(l->pta, inst);

	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Block *block = fn_block(l->ir, fn, b);
		const Ins *last = ir_ins(l->ir, block->ins + block->nins - 1);
		if (last->op == OP_RET && last->narg && ins_arg(l->ir, last, 0))
			set_or(l->arena, out, pta_pts(l->pta, inst, ins_arg(l->ir, last, 0)));
	}
}

/* The slots of a path that starts here. */
static void
root_slots(Locks *l, InstId inst, const Path *p, Set *out)
{
	ObjId obj;
	SlotId s;

	if (p->kind == PATH_PARAM && p->ref < pta_fn(l->pta, inst)->nparam)
		set_copy(l->arena, out, pta_pts(l->pta, inst, p->ref + 1));
	if (p->kind == PATH_VALUE)
		set_copy(l->arena, out, pta_pts(l->pta, inst, p->ref));
	if (p->kind == PATH_RESULT)
		result_slots(l, inst, out);
	if (p->kind != PATH_GLOBAL)
		return;
	obj = l->global_obj[p->ref];
	s = obj ? find_slot(l, (Slot){.obj = obj}) : 0;
	if (s)
		set_add(l->arena, out, s);
}

bool
locks_slots_at(Locks *l, InstId inst, PathId path, Set *out)
{
	const Path p = *path_get(&l->paths, path);
	Set base = {0};
	bool known;

	if (p.kind != PATH_OFF && p.kind != PATH_DEREF) {
		root_slots(l, inst, &p, out);
		return !set_empty(out);
	}
	known = locks_slots_at(l, inst, p.base, &base);
	if (known && p.kind == PATH_OFF)
		known = shift(l, &base, p.num, out);
	else if (known)
		contents(l, &base, out);
	set_recycle(l->arena, &base);
	return known && !set_empty(out);
}

SetId
locks_slots(Locks *l, InstId inst, PathId path)
{
	u32 *memo = map_at(l->arena, &l->slots_memo, map_pair(inst, path));
	Set here = {0};

	if (!*memo) {
		bool known = locks_slots_at(l, inst, path, &here);
		*memo = (known ? setpool_intern(&l->sets, &here) : 0) + 1;
		set_recycle(l->arena, &here);
	}
	return *memo - 1;
}

/* ---- names -------------------------------------------------------------- */

/* The names of the lock at path, which may be any of pts. */
static u32
names_at(Locks *l, PathOf p, SetId pts, Name out[2])
{
	SlotId single = locks_single(l, setpool_get(&l->sets, pts));
	u32 n = 0;

	if (single)
		out[n++] = (Name){NAME_SLOT, single, pts, 0};
	if (p.path)
		out[n++] = (Name){NAME_PATH, p.path, pts, p.cells};
	return n;
}

u32
locks_names(Locks *l, InstId inst, Val v, Name out[2])
{
	PathOf p = locks_path(l, inst, v);

	return names_at(l, p, setpool_intern(&l->sets, pta_pts(l->pta, inst, v)), out);
}

/* path_up, kept: summaries of a cycle bring the same paths again and again. */
static PathOf
path_above(Locks *l, const Edge *call, PathId path)
{
	u64 key = map_pair(call - l->pta->edges.at, path);
	u32 memo = map_get(&l->up_memo, key);

	if (!memo) {
		PathOf up = path_up(l, call, path, 0);
		vec_push(l->arena, &l->up_of, up);
		memo = l->up_of.n;
		map_put(l->arena, &l->up_memo, key, memo);
	}
	return l->up_of.at[memo - 1];
}

u32
locks_names_up(Locks *l, const Edge *call, const Name *name, Name out[2])
{
	PathOf p;
	SetId here;

	out[0] = *name;
	if (name->kind == NAME_SLOT)
		return 1;
	p = path_above(l, call, name->ref);
	p.cells = setpool_union(&l->sets, p.cells, name->cells);
	if (!p.path || changes(l, call->from, p.cells))
		return 0;
	here = locks_slots(l, call->from, p.path);
	return names_at(l, p, here ? here : name->pts, out);
}

/* The callee's words for path if an argument of call is that, or has the same base. */
static PathId
formal(Locks *l, const Edge *call, PathId path)
{
	u32 nparam = pta_fn(l->pta, call->to)->nparam;
	i64 off, arg_off;
	PathId base = path_base(&l->paths, path, &off);

	for (u32 k = 0; k < nparam; k++) {
		PathId arg = locks_path(l, call->from, actual(l, call, k)).path;
		if (arg && path_base(&l->paths, arg, &arg_off) == base)
			return path_off(&l->paths, path_param(&l->paths, k),
					(i64)((u64)off - (u64)arg_off));
	}
	return 0;
}

/* path of the caller as the callee says it, 0 if it has no words for it. */
static PathId
path_down(Locks *l, const Edge *call, PathId path)
{
	const Path p = *path_get(&l->paths, path);
	PathId param = p.kind == PATH_NUM ? 0 : formal(l, call, path);

	if (param)
		return param;
	switch (p.kind) {
	case PATH_GLOBAL:
	case PATH_NUM: return path;
	case PATH_OFF: return path_off(&l->paths, path_down(l, call, p.base), p.num);
	case PATH_CAST:
		return path_cast(&l->paths, path_down(l, call, p.base), p.ref >> 16, (u16)p.ref);
	case PATH_DEREF: return locks_deref(l, path_down(l, call, p.base), (u32)p.num);
	case PATH_INDEX:
		return path_index(&l->paths, path_down(l, call, p.base), path_down(l, call, p.ref),
				  p.num);
	default: return 0;
	}
}

/* Does path mean the same in every function? */
static bool
everywhere(const Locks *l, PathId path)
{
	for (const Path *p; path; path = p->base) {
		p = path_get(&l->paths, path);
		if (p->kind == PATH_PARAM || p->kind == PATH_VALUE || p->kind == PATH_RESULT)
			return false;
		if (p->kind == PATH_INDEX && !everywhere(l, p->ref))
			return false;
	}
	return true;
}

/* Gives a name the slots that its path has in inst, whoever calls it, so that
 * callers that hold the same name bring the same lockset. */
static void
settle(Locks *l, InstId inst, Name *name)
{
	SetId here = locks_slots(l, inst, name->ref);

	name->pts = here ? here : name->pts;
}

u32
locks_names_down(Locks *l, const Edge *call, const Name *name, Name out[2])
{
	PathId path;
	u32 n = 0;

	out[0] = out[1] = *name;
	if (name->kind == NAME_SLOT)
		return 1;
	if (changes(l, call->to, name->cells))
		return 0;
	path = path_down(l, call, name->ref);
	if (path)
		out[n++].ref = path;
	if (path != name->ref && everywhere(l, name->ref))
		out[n++].ref = name->ref;
	for (u32 i = 0; i < n; i++)
		settle(l, call->to, &out[i]);
	return n;
}
