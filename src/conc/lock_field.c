/* lock_field.c - fields that are other names for what is reached without them.
 *
 * The two halves of a read-write lock are objects of their own, which know the lock that they are
 * halves of; a class keeps them in fields, or the lock, or both.  Two rules make one path of all ways
 * to one lock:
 *
 *   alias  wherever f is given something, it is what a path from the object leads to
 *          (r = rw.readLock(), that is rw.readerLock): then so does f;
 *   back   whatever is put in f was made there, and g of it is the object whose f it is
 *          (readerLock.whole, the outer object of an inner one): then x.f.g is x.
 *
 * Both hold for good only if the fields on the way are given something once for each object: all
 * their stores are on an object that the function has just made, or on that of a constructor.  A
 * field may be seen empty before; nobody locks what is not there.  A copy of an object has the
 * fields of the original, so its fields do not lead back to it. */
#include "conc/lock_int.h"

enum { CANON_DEPTH = 8, FIELD_FINAL = 0x10 };

typedef struct FieldStore {
	FnId fn;
	InsId ins;
	u32 next; /* of the same field; 0: none */
} FieldStore;

typedef struct LockField {
	u32 store;    /* the first of its stores; 0: none */
	bool spoilt;  /* its address is used for more than loads and stores */
	bool asked;   /* the alias is known, or being found */
	u8 once;      /* 1 no, 2 yes */
	PathId alias; /* from parameter 0; 0: none */
	u8 copied;    /* 1 no, 2 yes: is an object that has it copied? */
} LockField;

struct LockFields {
	Map index; /* field -> index in at */
	Vec(LockField) at;
	Vec(FieldStore) stores;
	Map back;       /* two fields -> 1 no, 2 yes */
	u32 *inst_of;   /* [FnId]: the first of its instances */
	u32 *inst_next; /* [InstId] */
};

/* ---- stores ------------------------------------------------------------- */

static const Ins *
def_of(const Locks *l, const Fn *f, Val v)
{
	InsId def = val_is_reg(v) && v > f->nparam ? fn_reg(l->ir, f, v)->def : 0;

	return def ? ir_ins(l->ir, def) : NULL;
}

/* The field that v is the address of; 0: none. */
static u32
field_of(const Locks *l, const Fn *f, Val v)
{
	const Ins *i = def_of(l, f, v);

	return i && i->op == OP_FIELD && i->sub ? i->aux : 0;
}

static LockField *
field_at(Locks *l, u32 field)
{
	LockFields *fs = l->fields;
	u32 *at = map_at(l->arena, &fs->index, field);

	if (!*at) {
		vec_push(l->arena, &fs->at, (LockField){0});
		*at = fs->at.n - 1;
	}
	return &fs->at.at[*at];
}

static void
note_uses(Locks *l, FnId fn, InsId id)
{
	LockFields *fs = l->fields;
	const Fn *f = &l->ir->fns.at[fn];
	const Ins *i = ir_ins(l->ir, id);
	u32 phi = i->op == OP_PHI; /* every other operand is a block */

	for (u32 k = phi; k < i->narg; k += 1 + phi) {
		u32 field = field_of(l, f, ins_arg(l->ir, i, k));
		if (!field || (i->op == OP_LOAD && !k))
			continue;
		if (i->op == OP_STORE && !k) {
			LockField *at = field_at(l, field);
			vec_push(l->arena, &fs->stores, (FieldStore){fn, id, at->store});
			at->store = fs->stores.n - 1;
		} else {
			field_at(l, field)->spoilt = true;
		}
	}
}

static LockFields *
fields_of(Locks *l)
{
	LockFields *fs = l->fields;

	if (fs)
		return fs;
	fs = l->fields = arena_new(l->arena, LockFields);
	vec_push(l->arena, &fs->at, (LockField){0});
	vec_push(l->arena, &fs->stores, (FieldStore){0});
	fs->inst_of = arena_array(l->arena, u32, l->ir->fns.n);
	fs->inst_next = arena_array(l->arena, u32, l->pta->insts.n);
	for (InstId i = 1; i < l->pta->insts.n; i++) {
		FnId fn = l->pta->insts.at[i].fn;
		fs->inst_next[i] = fs->inst_of[fn];
		fs->inst_of[fn] = i;
	}
	for (FnId fn = 1; fn < l->ir->fns.n; fn++)
		for (u32 k = 0; fs->inst_of[fn] && k < l->ir->fns.at[fn].nins; k++)
			note_uses(l, fn, l->ir->fns.at[fn].ins + k);
	return fs;
}

static Val
base_of(const Locks *l, const FieldStore *s)
{
	const Fn *f = &l->ir->fns.at[s->fn];

	return ins_arg(l->ir, def_of(l, f, ins_arg(l->ir, ir_ins(l->ir, s->ins), 0)), 0);
}

static bool
in_constructor(const Locks *l, const FieldStore *s)
{
	const Fn *f = &l->ir->fns.at[s->fn];

	return f->flags & FN_CONSTRUCTOR && base_of(l, s) == 1;
}

/* Is it a store to what its block has made, and the only one to that? */
static bool
on_new(const Locks *l, const FieldStore *s)
{
	const LockFields *fs = l->fields;
	const Fn *f = &l->ir->fns.at[s->fn];
	Val base = base_of(l, s);
	const Ins *made = def_of(l, f, base);
	const Block *b = fn_block(l->ir, f, 1);

	if (!made || made->op != OP_ALLOC)
		return false;
	while (s->ins - b->ins >= b->nins)
		b++;
	for (u32 k = s->next; k && fs->stores.at[k].fn == s->fn; k = fs->stores.at[k].next)
		if (base_of(l, &fs->stores.at[k]) == base)
			return false;
	return (InsId)(made - l->ir->ins.at) - b->ins < b->nins;
}

static bool
runs_once(Locks *l, const FieldStore *s)
{
	const Flow *flow = flow_of(l->threads->flows, s->fn);
	const Fn *f = &l->ir->fns.at[s->fn];

	for (BlockId b = 1; b <= f->nblock; b++)
		if (s->ins - fn_block(l->ir, f, b)->ins < fn_block(l->ir, f, b)->nins)
			return !flow->cyclic[b];
	return false;
}

/* Is the field given something once for each object? */
static bool
given_once(Locks *l, u32 field)
{
	LockFields *fs = fields_of(l);
	LockField *at = field_at(l, field);
	bool final = field < l->ir->fields.n && l->ir->fields.at[field].flags & FIELD_FINAL;
	u32 own = 0;

	if (at->once)
		return at->once == 2;
	at->once = at->store && !at->spoilt ? 2 : 1;
	for (u32 k = at->store; k && at->once == 2; k = fs->stores.at[k].next) {
		const FieldStore *s = &fs->stores.at[k];
		if (on_new(l, s))
			continue;
		if (!in_constructor(l, s) || (!final && (own++ || !runs_once(l, s))))
			at->once = 1;
	}
	return at->once == 2;
}

/* Is an object that has the field copied? */
static bool
is_copied(Locks *l, u32 field)
{
	LockField *at = field_at(l, field);

	if (at->copied)
		return at->copied == 2;
	at->copied = 1;
	for (InstId i = 1; i < l->pta->insts.n && at->copied == 1; i++) {
		const Fn *f = pta_fn(l->pta, i);
		for (InsId k = f->ins; k < f->ins + f->nins; k++) {
			const Ins *ins = ir_ins(l->ir, k);
			if (ins->op != OP_ALLOC || ins->sub != ALLOC_LIKE)
				continue;
			SET_FOR (it, pta_pts(l->pta, i, ins->dst)) {
				Slot s = {.obj = pta_slot(l->pta, it.x)->obj, .off = field};
				SlotKey key = slot_key(&s);
				if (intern_find(&l->slot_index, &key, sizeof key))
					at->copied = 2;
			}
		}
	}
	return at->copied == 2;
}

/* ---- what constructors put there ----------------------------------------------- */

static PathId canon(Locks *l, InstId inst, Val v, u32 depth);

/* path with `to` in place of parameter 0, by the shortest ways; 0: too long. */
static PathId
with(Locks *l, PathId path, PathId to)
{
	const Path p = *path_get(&l->paths, path);

	if (!path || p.kind == PATH_PARAM)
		return path ? to : 0;
	if (p.kind == PATH_OFF)
		return path_off(&l->paths, with(l, p.base, to), p.num);
	assert(p.kind == PATH_DEREF);
	return locks_deref(l, with(l, p.base, to), (u32)p.num);
}

/* What a method returns, as a path from its object. */
static PathId
canon_result(Locks *l, InstId inst, u32 depth)
{
	const Fn *f = pta_fn(l->pta, inst);
	PathId all = 0;

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *block = fn_block(l->ir, f, b);
		const Ins *last = ir_ins(l->ir, block->ins + block->nins - 1);
		PathId p;
		if (last->op != OP_RET || !last->narg)
			continue;
		p = canon(l, inst, ins_arg(l->ir, last, 0), depth);
		if (!p || (all && p != all))
			return 0;
		all = p;
	}
	return all;
}

static PathId
canon_call(Locks *l, InstId inst, const Ins *call, u32 depth)
{
	PathId object = call->narg > 1 ? canon(l, inst, ins_arg(l->ir, call, 1), depth) : 0;
	PathId all = 0;
	u32 n;
	const Edge *e = pta_targets(l->pta, inst, (InsId)(call - l->ir->ins.at), &n);

	for (u32 i = 0; object && i < n; i++) {
		PathId p = e[i].fork ? 0 : with(l, canon_result(l, e[i].to, depth), object);
		if (!p || (i && p != all))
			return 0;
		all = p;
	}
	return all;
}

/* v of a constructor or method as a path from its object, through fields that stay. */
static PathId
canon(Locks *l, InstId inst, Val v, u32 depth)
{
	const Fn *f = pta_fn(l->pta, inst);
	const Ins *i = def_of(l, f, v);
	u32 field;
	PathId p;

	if (v == 1)
		return path_param(&l->paths, 0);
	if (!i || depth == CANON_DEPTH)
		return 0;
	if (i->op == OP_COPY || (i->op == OP_FILTER && i->sub != 1))
		return canon(l, inst, ins_arg(l->ir, i, 0), depth + 1);
	if (i->op == OP_CALL)
		return canon_call(l, inst, i, depth + 1);
	field = i->op == OP_LOAD ? field_of(l, f, ins_arg(l->ir, i, 0)) : 0;
	if (!field || !given_once(l, field))
		return 0;
	p = canon(l, inst, ins_arg(l->ir, def_of(l, f, ins_arg(l->ir, i, 0)), 0), depth + 1);
	return locks_deref(l, path_off(&l->paths, p, field), i->width / 8);
}

static PathId
alias_of(Locks *l, u32 field)
{
	LockFields *fs = fields_of(l);
	LockField *at = field_at(l, field);
	PathId all = 0;
	bool same = true, any = false;

	if (at->asked)
		return at->alias;
	at->asked = true;
	same = given_once(l, field);
	for (u32 k = at->store; k && same; k = fs->stores.at[k].next) {
		FieldStore s = fs->stores.at[k];
		same = in_constructor(l, &s);
		for (InstId i = fs->inst_of[s.fn]; i && same; i = fs->inst_next[i], any = true) {
			PathId p = canon(l, i, ins_arg(l->ir, ir_ins(l->ir, s.ins), 1), 0);
			same = p && (!any || p == all);
			all = p;
		}
	}
	if (same && all == path_param(&l->paths, 0))
		same = !is_copied(l, field);
	if (same)
		field_at(l, field)->alias = all; /* the table may have moved */
	return same ? all : 0;
}

/* ---- the way back ------------------------------------------------------------------ */

/* Is g of v, made in a constructor, given the constructor's object?  By a store there, or by v's own
 * constructor. */
static bool
is_told(Locks *l, FnId fn, Val v, u32 g)
{
	LockFields *fs = l->fields;
	const Fn *f = &l->ir->fns.at[fn];

	for (u32 k = field_at(l, g)->store; k; k = fs->stores.at[k].next) {
		const FieldStore *s = &fs->stores.at[k];
		Val given = ins_arg(l->ir, ir_ins(l->ir, s->ins), 1);
		if (s->fn == fn && base_of(l, s) == v)
			return given == 1;
		if (!in_constructor(l, s) || given > l->ir->fns.at[s->fn].nparam)
			continue;
		for (InsId id = f->ins; id < f->ins + f->nins; id++) {
			const Ins *i = ir_ins(l->ir, id);
			if (i->op == OP_CALL && i->narg > given && ins_arg(l->ir, i, 1) == v &&
			    val_is_const(ins_arg(l->ir, i, 0)) &&
			    ir_const(l->ir, ins_arg(l->ir, i, 0))->kind == CONST_FN &&
			    ir_const(l->ir, ins_arg(l->ir, i, 0))->ref == s->fn)
				return ins_arg(l->ir, i, given) == 1;
		}
	}
	return false;
}

static bool
leads_back(Locks *l, u32 f, u32 g)
{
	LockFields *fs = fields_of(l);
	u32 *known = map_at(l->arena, &fs->back, map_pair(f, g));
	bool back;

	if (*known)
		return *known == 2;
	back = given_once(l, f) && given_once(l, g) && !is_copied(l, f);
	for (u32 k = field_at(l, f)->store; k && back; k = fs->stores.at[k].next) {
		const FieldStore *s = &fs->stores.at[k];
		Val v = ins_arg(l->ir, ir_ins(l->ir, s->ins), 1);
		const Ins *made = def_of(l, &l->ir->fns.at[s->fn], v);
		back =
		    in_constructor(l, s) && made && made->op == OP_ALLOC && is_told(l, s->fn, v, g);
	}
	*map_at(l->arena, &fs->back, map_pair(f, g)) = back ? 2 : 1;
	return back;
}

/* ---- the shortest way ------------------------------------------------------------- */

/* The field that path is the address of; 0: none. */
static u32
last_field(const Locks *l, PathId path)
{
	const Path *p = path_get(&l->paths, path);

	return p->kind == PATH_OFF && p->num > 0 && p->num <= UINT32_MAX ? (u32)p->num : 0;
}

PathId
locks_deref(Locks *l, PathId address, u32 bytes)
{
	u32 field = address && l->ir->fields.n > 1 ? last_field(l, address) : 0, outer = 0;
	PathId object, alias;
	Path p;

	if (!field)
		return path_deref(&l->paths, address, bytes);
	object = path_get(&l->paths, address)->base;
	p = *path_get(&l->paths, object);
	if (p.kind == PATH_DEREF)
		outer = last_field(l, p.base);
	if (outer && leads_back(l, outer, field))
		return path_get(&l->paths, p.base)->base;
	alias = alias_of(l, field);
	alias = alias ? with(l, alias, object) : 0;
	return alias ? alias : path_deref(&l->paths, address, bytes);
}
