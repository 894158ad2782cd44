/* typed.c - objects of a known struct type, and pointers that do not fit them.
 *
 * What a program gets out of generic containers, pools and callbacks' arguments
 * may, as far as inclusion constraints see it, be any of what went in.  But
 * `p->member` says of which struct type *p is, and C11 6.5p7 allows an object of a
 * known type to be accessed by that type, one that it contains or a
 * character type only.  So a member's address is taken only of places
 * where a struct of that type can lie (typed_fits): places of objects whose
 * type is not known, or that hold such a struct or a union or bytes there, or a
 * struct that begins like it (the common headers of dynamically typed values).
 *
 * Memory may come to be used as something else (a free list in a pool of
 * structs): a member that no object of its pointer has room for by its type is
 * taken of all of them (solve.c).
 *
 * The type of a variable is declared.  A heap object has one if its allocation
 * says so twice: the pointer that comes out of the allocation, or of the wrappers
 * around it, is used as a pointer to one struct type, and the size of that type
 * is a constant there, alone or times a count. */
#include "pta/pta_int.h"

enum { MAX_USES = 64, MAX_DEPTH = 16 };

/* ---- what type an allocation makes -------------------------------------------- */

/* The function whose body holds instruction id; bodies may lie in any order. */
static FnId
fn_of_ins(Solver *s, InsId id)
{
	const Ir *ir = s->ir;

	if (!s->fn_of_ins) {
		s->fn_of_ins = arena_array(s->a, FnId, ir->ins.n);
		for (FnId f = 1; f < ir->fns.n; f++)
			for (u32 k = 0; k < ir->fns.at[f].nins; k++)
				s->fn_of_ins[ir->fns.at[f].ins + k] = f;
	}
	return s->fn_of_ins[id];
}

static bool
is_record(const Ir *ir, TypeId t)
{
	return t && ir->types.at[t].kind == TYPE_STRUCT && ir->types.at[t].name &&
	       *ir_str(ir, ir->types.at[t].name);
}

/* One function's registers that hold the new object's address. */
typedef struct Uses {
	const Ir *ir;
	const Fn *fn;
	Val reg[MAX_USES];
	u32 n;
	TypeId type;
	bool clash;
} Uses;

static bool
holds(const Uses *u, Val v)
{
	for (u32 k = 0; k < u->n; k++)
		if (u->reg[k] == v)
			return true;
	return false;
}

/* The type of the member of t at off, through structs in it; 0 if there is none. */
static TypeId
member_at(const Ir *ir, TypeId t, i64 off)
{
	for (u32 depth = 0; t && depth < MAX_DEPTH; depth++) {
		const Type *x = &ir->types.at[t];
		TypeId next = 0;
		if (x->kind == TYPE_ARRAY && off >= 0 && ir->types.at[x->elem].size) {
			off %= (i64)ir->types.at[x->elem].size;
			t = x->elem;
			continue;
		}
		if (x->kind != TYPE_STRUCT)
			return off ? 0 : t;
		for (u32 k = 0; k < x->nmember; k++) {
			const Member *m = &ir->members.at[x->member + k];
			if (off >= (i64)m->off &&
			    off < (i64)(m->off + ir->types.at[m->type].size)) {
				next = m->type;
				off -= (i64)m->off;
				break;
			}
		}
		t = next;
	}
	return 0;
}

/* What a pointer that is stored at address v is declared to point to. */
static TypeId
declared_at(const Uses *u, Val v)
{
	const Ir *ir = u->ir;
	InsId def = val_is_reg(v) ? fn_reg(ir, u->fn, v)->def : 0;
	const Ins *d = def ? ir_ins(ir, def) : NULL;
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;
	TypeId t = 0;

	if (d && d->op == OP_FIELD && d->sub != 1)
		t = member_at(ir, d->aux, d->imm);
	else if (d && d->op == OP_INDEX && d->sub != 1)
		t = ir->types.at[d->aux].kind == TYPE_ARRAY ? ir->types.at[d->aux].elem : d->aux;
	else if (d && d->op == OP_ALLOC)
		t = d->aux;
	else if (c && c->kind == CONST_GLOBAL)
		t = member_at(ir, ir->globals.at[c->ref].type, c->num);
	return t && ir->types.at[t].kind == TYPE_PTR ? ir->types.at[t].elem : 0;
}

static void
see(Uses *u, const Ins *i)
{
	TypeId t = 0;

	switch (i->op) {
	case OP_COPY:
		if (holds(u, ins_arg(u->ir, i, 0)) && !holds(u, i->dst) && u->n < MAX_USES)
			u->reg[u->n++] = i->dst;
		return;
	case OP_PHI:
		for (u32 k = 1; k < i->narg; k += 2)
			if (holds(u, ins_arg(u->ir, i, k)) && !holds(u, i->dst) && u->n < MAX_USES)
				u->reg[u->n++] = i->dst;
		return;
	case OP_FIELD:
	case OP_INDEX:
		if (i->sub != 1 && holds(u, ins_arg(u->ir, i, 0)) && is_record(u->ir, i->aux))
			t = i->aux;
		break;
	case OP_STORE:
		if (holds(u, ins_arg(u->ir, i, 1)))
			t = declared_at(u, ins_arg(u->ir, i, 0));
		t = is_record(u->ir, t) ? t : 0;
		break;
	}
	if (!t)
		return;
	if (u->type && u->ir->types.at[u->type].name != u->ir->types.at[t].name)
		u->clash = true;
	u->type = t;
}

/* The struct type that fn uses register r as a pointer to; 0 if none or several. */
static TypeId
used_as(const Ir *ir, const Fn *fn, Val r)
{
	Uses u = {.ir = ir, .fn = fn, .reg = {r}, .n = 1};

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++)
		see(&u, ir_ins(ir, i));
	return u.clash ? 0 : u.type;
}

static bool
is_number(const Ir *ir, Val v, u64 num)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;

	return c && c->kind == CONST_INT && (u64)c->num == num && num;
}

/* Is an operand of i the size, or a multiple of it? */
static bool
names_size(const Ir *ir, const Fn *fn, const Ins *i, u64 size)
{
	for (u32 k = 0; k < i->narg; k++) {
		Val v = ins_arg(ir, i, k);
		InsId def = val_is_reg(v) && v <= fn->nreg ? fn_reg(ir, fn, v)->def : 0;
		const Ins *d = def ? ir_ins(ir, def) : NULL;
		if (is_number(ir, v, size))
			return true;
		if (d && d->op == OP_BIN && d->sub == BIN_MUL &&
		    (is_number(ir, ins_arg(ir, d, 0), size) ||
		     is_number(ir, ins_arg(ir, d, 1), size)))
			return true;
	}
	return false;
}

TypeId
typed_alloc(Solver *s, InstId inst, InsId ins)
{
	const Ir *ir = s->ir;
	CtxId ctx = s->p->insts.at[inst].ctx;
	u32 n = intern_len(&s->policy.strings, ctx) / sizeof(InsId);
	FnId f = s->p->insts.at[inst].fn;
	TypeId t = used_as(ir, &ir->fns.at[f], ir_ins(ir, ins)->dst);
	bool sized = t && names_size(ir, &ir->fns.at[f], ir_ins(ir, ins), ir->types.at[t].size);

	while (!t && n) {
		InsId call = ((const InsId *)intern_get(&s->policy.strings, ctx))[--n];
		f = fn_of_ins(s, call);
		if (!f || !ir_ins(ir, call)->dst)
			return 0;
		t = used_as(ir, &ir->fns.at[f], ir_ins(ir, call)->dst);
		sized = t && names_size(ir, &ir->fns.at[f], ir_ins(ir, call), ir->types.at[t].size);
	}
	return sized ? t : 0;
}

/* ---- what a pointer is declared or used as ------------------------------------ */

static bool
is_code(const Ir *ir, const Type *t)
{
	return t->kind == TYPE_PTR && ir->types.at[t->elem].kind == TYPE_FN;
}

/* Do the structs x and y begin with the same two members? */
static bool
begin_alike(const Ir *ir, const Type *x, const Type *y)
{
	if (x->nmember < 2 || y->nmember < 2)
		return true;
	for (u32 k = 0; k < 2; k++) {
		const Member *m = &ir->members.at[x->member + k],
			     *n = &ir->members.at[y->member + k];
		const Type *a = &ir->types.at[m->type], *b = &ir->types.at[n->type];
		if (m->off != n->off || a->kind != b->kind || a->size != b->size ||
		    is_code(ir, a) != is_code(ir, b))
			return false;
	}
	return true;
}

TypeId
typed_pointee(Solver *s, FnId f, Val r)
{
	const Ir *ir = s->ir;
	const Fn *fn = &ir->fns.at[f];
	u32 *known = map_at(s->a, &s->pointee, map_pair(f, r));
	InsId def;
	TypeId t = 0;

	if (*known)
		return *known - 1;
	def = fn_reg(ir, fn, r)->def;
	if (def && ir_ins(ir, def)->op == OP_LOAD) {
		Uses u = {.ir = ir, .fn = fn};
		t = declared_at(&u, ins_arg(ir, ir_ins(ir, def), 0));
	}
	if (!is_record(ir, t))
		t = used_as(ir, fn, r);
	*known = t + 1;
	return t;
}

StrId
typed_called(Solver *s, FnId f, Val v)
{
	const Ir *ir = s->ir;
	const Fn *fn = &ir->fns.at[f];
	InsId def = fn_reg(ir, fn, v)->def;
	Uses u = {.ir = ir, .fn = fn};
	TypeId t = 0;

	if (def && ir_ins(ir, def)->op == OP_LOAD)
		t = declared_at(&u, ins_arg(ir, ir_ins(ir, def), 0));
	return t && ir->types.at[t].kind == TYPE_FN ? ir->types.at[t].name : 0;
}

bool
typed_alike(const Ir *ir, TypeId t, TypeId u)
{
	return !t || !u || ir->types.at[t].name == ir->types.at[u].name ||
	       begin_alike(ir, &ir->types.at[t], &ir->types.at[u]);
}

/* ---- does a place fit? ----------------------------------------------------------- */

/* May a struct of type want begin at off in something of type t, which has
 * room bytes? */
static bool
fits(const Ir *ir, TypeId t, i64 off, u64 room, TypeId want, u32 depth)
{
	const Type *x = &ir->types.at[t], *w = &ir->types.at[want];
	const Type *elem;

	if (!t || depth > MAX_DEPTH)
		return true;
	switch (x->kind) {
	case TYPE_STRUCT:
		if (off == 0 && (x->name == w->name || !x->nmember || !w->nmember ||
				 !*ir_str(ir, x->name) || begin_alike(ir, x, w)))
			return true;
		/* fallthrough */
	case TYPE_UNION:
		for (u32 k = 0; k < x->nmember; k++) {
			const Member *m = &ir->members.at[x->member + k];
			u64 size = ir->types.at[m->type].size;
			/* The last one may go on behind the end. */
			bool last = x->kind == TYPE_STRUCT && k + 1 == x->nmember &&
				    (!depth || room == UINT64_MAX);
			if (off >= (i64)m->off && (off < (i64)(m->off + size) || last) &&
			    fits(ir, m->type, off - (i64)m->off, last ? UINT64_MAX : size, want,
				 depth + 1))
				return true;
		}
		return false;
	case TYPE_ARRAY:
		elem = &ir->types.at[x->elem];
		if (!x->elem || !elem->size)
			return true;
		if (elem->kind == TYPE_INT && elem->size == 1)
			return room == UINT64_MAX || off + w->size <= room;
		return fits(ir, x->elem, off % (i64)elem->size, elem->size, want, depth + 1);
	default: return false;
	}
}

static bool
find_somewhere(const Ir *ir, TypeId t, TypeId want)
{
	const Type *x = &ir->types.at[t];

	if (x->kind == TYPE_ARRAY || x->kind == TYPE_UNION)
		return fits(ir, t, 0, UINT64_MAX, want, 0);
	if (x->kind != TYPE_STRUCT)
		return false;
	if (fits(ir, t, 0, UINT64_MAX, want, 0))
		return true;
	/* where a member begins there is no other, unless that begins there too */
	for (u32 k = 0; k < x->nmember; k++) {
		TypeId m = ir->members.at[x->member + k].type;
		u64 room = k + 1 == x->nmember ? UINT64_MAX : ir->types.at[m].size;

		if (fits(ir, m, 0, room, want, 1))
			return true;
	}
	return false;
}

/* May a struct of type want begin anywhere in something of type t? */
static bool
fits_somewhere(Solver *s, TypeId t, TypeId want)
{
	u32 *known = map_at(s->a, &s->somewhere, map_pair(t, want));

	if (!*known)
		*known = find_somewhere(s->ir, t, want) ? 1 : 2;
	return *known == 1;
}

/* The same of a slot that was not asked for; *once if the answer may change. */
static bool
look(Solver *s, SlotId slot, TypeId want, bool *once)
{
	Slot x = s->p->slots.at[slot];
	const Obj *o = pta_obj(s->p, x.obj);
	u64 size;
	TypeId t = o->type ? extent_element(s->ir, o, &size) : 0;
	bool placed, fit;

	*once = x.off < 0 || obj_info(s, x.obj)->java;
	if (o->kind == OBJ_FN)
		return false; /* a function has no members */
	if (!t || !is_record(s->ir, want) || *once)
		return true; /* also on the way to the container */
	placed = !o->folded && (!x.stride || x.end || x.stride % size == 0);
	fit = placed ? fits(s->ir, t, x.off % (i64)size, UINT64_MAX, want, 0)
		     : fits_somewhere(s, t, want);
	s->p->typed |= !fit;
	return fit;
}

static Fit *
fit_of(Solver *s, TypeId want)
{
	u32 *at;

	if (!s->fit)
		s->fit = arena_array(s->a, u32, s->ir->types.n);
	at = &s->fit[want];
	if (!*at) {
		*at = s->fits.n;
		vec_push(s->a, &s->fits, (Fit){0});
	}
	return &s->fits.at[*at];
}

bool
typed_fits(Solver *s, SlotId slot, TypeId want)
{
	Fit *f = fit_of(s, want);
	bool fit, once;

	if (set_has(&f->seen, slot))
		return set_has(&f->pass, slot);
	fit = look(s, slot, want, &once);
	if (once)
		return fit;
	set_add(s->a, &f->seen, slot);
	if (fit)
		set_add(s->a, &f->pass, slot);
	return fit;
}

void
typed_filter(Solver *s, Set *set, TypeId want)
{
	Set news = {0}, fit = {0};

	set_or_minus(s->a, &news, set, &fit_of(s, want)->seen);
	SET_FOR (it, &news)
		if (typed_fits(s, it.x, want))
			set_add(s->a, &fit, it.x);
	set_and(set, &fit_of(s, want)->pass);
	set_or(s->a, set, &fit);
	set_recycle(s->a, &news);
	set_recycle(s->a, &fit);
}

/* Adds each place of struct type want in type t, which lies at base in every
 * element of o, off bytes on.  False where it may lie at others as well. */
static bool
add_places(Solver *s, ObjId o, TypeId t, i64 base, TypeId want, i64 off, Set *to, u32 depth)
{
	const Type *x = &s->ir->types.at[t];
	u64 size;

	(void)extent_element(s->ir, pta_obj(s->p, o), &size);
	if (x->kind == TYPE_ARRAY || x->kind == TYPE_UNION || depth > MAX_DEPTH)
		return !fits_somewhere(s, t, want) && depth <= MAX_DEPTH;
	if (x->kind != TYPE_STRUCT)
		return true;
	if (x->name == s->ir->types.at[want].name || !*ir_str(s->ir, x->name) ||
	    begin_alike(s->ir, x, &s->ir->types.at[want])) {
		set_add(s->a, to,
			slot_get(s, o, base + off, pta_obj(s->p, o)->size == size ? 0 : (u32)size));
	}
	for (u32 k = 0; k < x->nmember; k++) {
		const Member *m = &s->ir->members.at[x->member + k];
		if (!add_places(s, o, m->type, base + (i64)m->off, want, off, to, depth + 1))
			return false;
	}
	return true;
}

void
typed_places(Solver *s, SlotId slot, TypeId want, i64 off, Set *to)
{
	ObjId o = s->p->slots.at[slot].obj;
	u64 size;
	TypeId t = pta_obj(s->p, o)->type ? extent_element(s->ir, pta_obj(s->p, o), &size) : 0;

	if (!t || pta_obj(s->p, o)->folded || !add_places(s, o, t, 0, want, off, to, 0))
		set_add(s->a, to, slot);
}
