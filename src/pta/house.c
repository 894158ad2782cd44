/* house.c - which functions a member is ever given.
 *
 * A pointer to a function lies in a member of a struct type, in a global
 * variable or in a parameter: its house.  In memory that points-to cannot tell apart, what is loaded
 * from a member may be any function that lies nearby; but a program stores
 * functions by naming the member, and C11 6.5p7 lets it be read as nothing else.
 * So before anything is solved, each house collects what its stores,
 * initialisers or direct calls give it:
 *
 *	a function by its name;
 *	what is in another house: an edge from that;
 *	one of several of these;
 *	anything else: the house is open, and may hold any function;
 *	its address is used for more than loads and stores, or it is a parameter of a
 *	function whose address is used: it is open, too.
 *
 * Struct copies move members to the same members.  A struct that begins with all of
 * another's members may be used as that one, so members of one type at the same offset of such
 * structs are one another's houses; a pointer to a function and one to data are no such members.  The members are found by the names of
 * structs, as each unit has a declaration of its own (a model knows only offsets: those are in the
 * struct that the program passes); those of structs without a name by
 * where these lie (nameless.c).  A store that names a struct without a name of which only
 * the layout is known may be to any such of that size.
 *
 * What is called is itself a house: the call fits the functions that reach it along
 * edges from houses none of which is open (house_holds).  No other function that
 * points-to finds is called there (house_never), but for those that were also stored
 * to no house: these are misfits (signature.c).  Nor is one that only unknown code
 * knows, unless the houses got none from the program, or are members of a struct that
 * such code knows (exposed.c).
 *
 * Collecting is one pass over the program; a house's functions are gathered at the
 * first question by a search over the houses before it, each of which is
 * visited once. */
#include "pta/pta_int.h"

enum { MAX_DEPTH = 16 };

/* Where pointers to functions are kept. */
typedef struct House {
	TypeId type;
	i64 off;
	StrId proto; /* of the functions: the name of their type */
	bool open;
	bool foreign;  /* unknown code may give it functions */
	bool gathered; /* all, and what open says of it */
	VecU32 fns;    /* given by name */
	VecU32 from;   /* houses whose functions it gets */
	Set all;       /* FnIds */
} House;

/* A direct call. */
typedef struct Direct {
	InsId ins;
	FnId caller;
	u32 next; /* of the same callee */
} Direct;

typedef struct Houses {
	Vec(House) at;             /* from 1 */
	Map member, global, param; /* (name, off), global, (function, register) -> house */
	Map loose;                 /* (size, off) in structs of which only the layout is known */
	Map joined;                /* (house, house): they lie in the same place of a union */
	const TypeId *nameless;    /* [TypeId]: which of the structs without a name are one */
	const bool *exposed;       /* [TypeId]: unknown code knows it */
	VecU32 params;             /* houses of parameters: (function, register, house)... */
	u32 nseen;                 /* of params */
	Vec(Direct) calls;         /* from 1 */
	u32 *called;               /* [FnId]: its first call */
	bool *taken;               /* [FnId]: its address is used */
	bool *stray;               /* [FnId]: it was put where no house is */
	Map by_off;                /* offset -> its row in `alike`, plus 1 */
	Vec(VecU32) alike;         /* houses of members at one offset */
} Houses;

/* ---- finding ---------------------------------------------------------------- */

static bool
is_code(const Ir *ir, TypeId t)
{
	return t && ir->types.at[t].kind == TYPE_PTR &&
	       ir->types.at[ir->types.at[t].elem].kind == TYPE_FN;
}

static u32
new_house(Solver *s, u32 *place, TypeId t, i64 off)
{
	Houses *h = s->houses;

	*place = h->at.n;
	vec_push(s->a, &h->at, (House){.type = t, .off = off});
	return *place;
}

/* Both get what is given to either. */
static void
join(Solver *s, u32 a, u32 b)
{
	u32 *seen = map_at(s->a, &s->houses->joined, map_pair(MIN(a, b), MAX(a, b)));

	if (a == b || *seen)
		return;
	*seen = 1;
	vec_push(s->a, &s->houses->at.at[a].from, b);
	vec_push(s->a, &s->houses->at.at[b].from, a);
}

/* The house at off in structs of so many bytes of which nothing else is known. */
static u32
loose_house(Solver *s, u64 size, i64 off)
{
	u32 *place = map_at(s->a, &s->houses->loose, map_pair((u32)size, (u32)off));

	return *place ? *place : new_house(s, place, 0, 0);
}

static u32
member_house(Solver *s, TypeId t, i64 off, StrId proto)
{
	Houses *h = s->houses;
	StrId name = s->ir->types.at[t].name;
	u32 owner = name ? name : h->nameless[t] | 0x80000000u, house;
	u32 *place = map_at(s->a, &h->member, map_pair(owner, (u32)off)), *row;

	if (*place)
		return *place;
	house = new_house(s, place, t, off);
	h->at.at[house].proto = proto;
	h->at.at[house].foreign = h->exposed[t];
	row = map_at(s->a, &h->by_off, (u64)off);
	if (!*row) {
		vec_push(s->a, &h->alike, (VecU32){0});
		*row = h->alike.n;
	}
	vec_push(s->a, &h->alike.at[*row - 1], house);
	if (!name)
		join(s, house, loose_house(s, s->ir->types.at[t].size, off));
	return house;
}

static u32 house_in(Solver *s, TypeId t, i64 off, u32 depth);

static const Member *
member_at(const Ir *ir, const Type *x, i64 off)
{
	for (u32 k = 0; k < x->nmember; k++) {
		const Member *m = &ir->members.at[x->member + k];
		if (off >= (i64)m->off && off < (i64)(m->off + ir->types.at[m->type].size))
			return m;
	}
	return NULL;
}

/* The pointer at off in struct t itself. */
static u32
house_of_member(Solver *s, TypeId t, i64 off, TypeId what)
{
	const Ir *ir = s->ir;
	const Type *x = &ir->types.at[what], *owner = &ir->types.at[t];

	if (is_code(ir, what))
		return member_house(s, t, off, ir->types.at[x->elem].name);
	if (x->kind == TYPE_PTR && !x->elem && !owner->name && !member_at(ir, owner, off)->name)
		return loose_house(s, owner->size, off);
	return 0;
}

/* The house at off in union t: what its members have there is one. */
static u32
house_in_union(Solver *s, const Type *x, i64 off, u32 depth)
{
	u32 first = 0;

	for (u32 k = 0; k < x->nmember; k++) {
		u32 house = house_in(s, s->ir->members.at[x->member + k].type, off, depth + 1);
		if (first && house)
			join(s, first, house);
		else if (house)
			first = house;
	}
	return first;
}

/* The house at off in something of type t; 0 if no pointer to a function lies there. */
static u32
house_in(Solver *s, TypeId t, i64 off, u32 depth)
{
	const Ir *ir = s->ir;
	TypeId owner = 0;
	i64 at = 0; /* in the owner */

	for (; t && off >= 0 && depth < MAX_DEPTH; depth++) {
		const Type *x = &ir->types.at[t];
		const Member *m;
		if (x->kind == TYPE_ARRAY && ir->types.at[x->elem].size) {
			off %= (i64)ir->types.at[x->elem].size;
			t = x->elem;
			continue;
		}
		if (x->kind == TYPE_UNION)
			return house_in_union(s, x, off, depth);
		if (x->kind != TYPE_STRUCT)
			return owner && !off ? house_of_member(s, owner, at, t) : 0;
		m = member_at(ir, x, off);
		if (!m)
			return 0;
		owner = t;
		at = (i64)m->off;
		off -= at;
		t = m->type;
	}
	return 0;
}

static bool
is_array_of_code(const Ir *ir, TypeId t)
{
	return t && ir->types.at[t].kind == TYPE_ARRAY && is_code(ir, ir->types.at[t].elem);
}

/* All of an array is one house. */
static u32
global_house(Solver *s, GlobalId g, i64 off)
{
	TypeId t = s->ir->globals.at[g].type;
	u32 *place;

	if (!is_array_of_code(s->ir, t) && !(is_code(s->ir, t) && !off))
		return house_in(s, t, off, 0);
	place = map_at(s->a, &s->houses->global, g);
	return *place ? *place : new_house(s, place, 0, 0);
}

/* The house that many bytes behind v, an address that the program passes to a function with a
 * model: that knows no types; 0 none. */
static u32
house_behind(Solver *s, const Fn *fn, Val v, i64 off)
{
	const Ir *ir = s->ir;
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;
	InsId def = val_is_reg(v) ? fn_reg(ir, fn, v)->def : 0;
	const Ins *d = def ? ir_ins(ir, def) : NULL;

	if (c)
		return c->kind == CONST_GLOBAL ? global_house(s, c->ref, c->num + off) : 0;
	if (d && d->op == OP_FIELD && d->aux && d->sub != 1)
		return house_in(s, d->aux, d->imm + off, 0);
	if (d && d->op == OP_ALLOC)
		return house_in(s, d->aux, off, 0);
	return v ? house_in(s, typed_pointee(s, (FnId)(fn - ir->fns.at), v), off, 0) : 0;
}

/* The house that v, an address in fn, is that of; 0 none. */
static u32
house_at(Solver *s, const Fn *fn, Val v, u32 depth)
{
	const Ir *ir = s->ir;
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;
	InsId def = val_is_reg(v) ? fn_reg(ir, fn, v)->def : 0;
	const Ins *d = def ? ir_ins(ir, def) : NULL;

	if (c)
		return c->kind == CONST_GLOBAL ? global_house(s, c->ref, c->num) : 0;
	if (!d || depth > MAX_DEPTH)
		return 0;
	if (d->op == OP_FIELD && d->sub != 1 && !d->aux && d->flags & INS_MODEL)
		return house_behind(s, fn, ins_arg(ir, d, 0), d->imm);
	if (d->op == OP_FIELD && d->sub != 1)
		return house_in(s, d->aux, d->imm, 0);
	if (d->op == OP_ALLOC)
		return house_in(s, d->aux, 0, 0);
	if (d->op != OP_INDEX || d->sub == 1)
		return 0;
	if (d->aux && !is_code(ir, d->aux) && !is_array_of_code(ir, d->aux))
		return 0; /* a struct's */
	return house_at(s, fn, ins_arg(ir, d, 0), depth + 1);
}

/* ---- collecting ----------------------------------------------------------------- */

static u32
param_house(Solver *s, const Fn *fn, Val v)
{
	Houses *h = s->houses;
	FnId f = (FnId)(fn - s->ir->fns.at);
	u32 *place = map_at(s->a, &h->param, map_pair(f, v));

	if (*place)
		return *place;
	(void)new_house(s, place, 0, 0);
	vec_push(s->a, &h->params, f);
	vec_push(s->a, &h->params, v);
	vec_push(s->a, &h->params, *place);
	return *place;
}

static void give(Solver *s, const Fn *fn, u32 house, Val v, u32 depth);

static void
give_reg(Solver *s, const Fn *fn, u32 house, Val v, u32 depth)
{
	InsId def = fn_reg(s->ir, fn, v)->def;
	const Ins *d = def ? ir_ins(s->ir, def) : NULL;
	u32 op = d ? d->op : OP_NONE, from = 0;

	if (op == OP_LOAD)
		from = house_at(s, fn, ins_arg(s->ir, d, 0), 0);
	else if (v <= fn->nparam)
		from = param_house(s, fn, v);
	if (from)
		vec_push(s->a, &s->houses->at.at[house].from, from);
	else if (depth < MAX_DEPTH && (op == OP_PHI || op == OP_SELECT || op == OP_COPY))
		for (u32 k = op != OP_COPY; k < d->narg; k += 1 + (op == OP_PHI))
			give(s, fn, house, ins_arg(s->ir, d, k), depth + 1);
	else
		s->houses->at.at[house].open = true;
}

static void
give(Solver *s, const Fn *fn, u32 house, Val v, u32 depth)
{
	const Const *c = val_is_const(v) ? ir_const(s->ir, v) : NULL;

	if (c && c->kind == CONST_FN)
		vec_push(s->a, &s->houses->at.at[house].fns, call_resolve(s->ir, c->ref));
	else if (val_is_reg(v))
		give_reg(s, fn, house, v, depth);
	else if (c && c->kind != CONST_NULL && c->kind != CONST_INT && c->kind != CONST_UNDEF)
		s->houses->at.at[house].open = true;
}

/* A whole struct is stored: what is in its members is not known. */
static void
open_members(Solver *s, TypeId t, u32 depth)
{
	const Type *x = &s->ir->types.at[t];

	if (x->kind != TYPE_STRUCT || depth > MAX_DEPTH)
		return;
	for (u32 k = 0; k < x->nmember; k++) {
		const Member *m = &s->ir->members.at[x->member + k];
		u32 h = house_in(s, t, (i64)m->off, 0);
		if (h)
			s->houses->at.at[h].open = true;
		open_members(s, m->type, depth + 1);
	}
}

/* v is put somewhere else. */
static void
stray(Solver *s, Val v)
{
	if (val_is_const(v) && ir_const(s->ir, v)->kind == CONST_FN)
		s->houses->stray[call_resolve(s->ir, ir_const(s->ir, v)->ref)] = true;
}

static void
see_store(Solver *s, const Fn *fn, const Ins *i)
{
	Val at = ins_arg(s->ir, i, 0);
	InsId def = val_is_reg(at) ? fn_reg(s->ir, fn, at)->def : 0;
	u32 h = house_at(s, fn, at, 0);

	u32 bytes = gen_bytes(s, i->rt, i->width);

	if (bytes && bytes <= s->ir->ptr_bytes) {
		if (h)
			give(s, fn, h, ins_arg(s->ir, i, 1), 0);
		else
			stray(s, ins_arg(s->ir, i, 1));
		return;
	}
	if (h)
		s->houses->at.at[h].open = true;
	if (def && ir_ins(s->ir, def)->op == OP_ALLOC)
		open_members(s, ir_ins(s->ir, def)->aux, 0);
}

/* May operand k of i be an address of a house without opening it? */
static bool
is_access(const Ins *i, u32 k)
{
	switch (i->op) {
	case OP_LOAD:
	case OP_STORE:
	case OP_INDEX: return k == 0;
	case OP_FIELD: /* also a struct that begins with the member */
	case OP_BCOPY:
	case OP_READN:
	case OP_WRITEN:
	case OP_CMP:
	case OP_FREE: return true;
	default: return false;
	}
}

/* Does a pointer to a function, or an array of such, begin at off in something
 * of type t?  A struct that begins with one does not: its address is passed
 * around for the sake of the struct. */
static bool
begins_code(const Ir *ir, TypeId t, i64 off)
{
	for (u32 depth = 0; t && off && depth < MAX_DEPTH; depth++) {
		const Type *x = &ir->types.at[t];
		const Member *m = x->kind == TYPE_STRUCT ? member_at(ir, x, off) : NULL;
		TypeId next = m ? m->type : 0;
		off -= m ? (i64)m->off : 0;
		if (x->kind == TYPE_ARRAY && ir->types.at[x->elem].size) {
			off %= (i64)ir->types.at[x->elem].size;
			next = x->elem;
		}
		t = next;
	}
	return is_code(ir, t) || is_array_of_code(ir, t);
}

/* Is v the address of a house, rather than of a struct that begins with one? */
static bool
names_house(const Solver *s, const Fn *fn, Val v)
{
	const Ir *ir = s->ir;
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;
	InsId def = val_is_reg(v) ? fn_reg(ir, fn, v)->def : 0;
	const Ins *d = def ? ir_ins(ir, def) : NULL;

	if (c)
		return c->kind == CONST_GLOBAL &&
		       begins_code(ir, ir->globals.at[c->ref].type, c->num);
	if (!d || d->sub == 1)
		return false;
	if (d->op == OP_FIELD && !d->imm && ir->types.at[d->aux].nmember)
		return begins_code(ir, ir->members.at[ir->types.at[d->aux].member].type, 0);
	return d->op == OP_INDEX || (d->op == OP_FIELD && begins_code(ir, d->aux, d->imm));
}

static void
see_call(Solver *s, FnId caller, InsId id)
{
	Houses *h = s->houses;
	Val v = ins_arg(s->ir, ir_ins(s->ir, id), 0);
	FnId callee;

	if (!val_is_const(v) || ir_const(s->ir, v)->kind != CONST_FN)
		return;
	callee = call_resolve(s->ir, ir_const(s->ir, v)->ref);
	vec_push(s->a, &h->calls, ((Direct){id, caller, h->called[callee]}));
	h->called[callee] = h->calls.n - 1;
}

static void
take(Solver *s, Val v)
{
	if (val_is_const(v) && ir_const(s->ir, v)->kind == CONST_FN)
		s->houses->taken[call_resolve(s->ir, ir_const(s->ir, v)->ref)] = true;
}

static void
see(Solver *s, FnId f, InsId id)
{
	const Fn *fn = &s->ir->fns.at[f];
	const Ins *i = ir_ins(s->ir, id);

	if (i->op == OP_STORE)
		see_store(s, fn, i);
	if (i->op == OP_CALL)
		see_call(s, f, id);
	for (u32 k = i->op == OP_CALL; k < i->narg; k++) {
		Val v = ins_arg(s->ir, i, k);
		u32 h;
		take(s, v);
		if ((i->op == OP_PHI && !(k & 1)) || is_access(i, k) || !names_house(s, fn, v))
			continue;
		h = house_at(s, fn, v, 0);
		if (h)
			s->houses->at.at[h].open = true;
	}
}

static void
see_global(Solver *s, GlobalId g)
{
	const Global *x = &s->ir->globals.at[g];
	bool unknown = x->linkage == LINK_DECL;
	u32 h;

	if (unknown && (h = global_house(s, g, 0)))
		s->houses->at.at[h].open = true;
	for (u32 k = 0; k < x->ninit; k++) {
		const Init *i = &s->ir->inits.at[x->init + k];
		take(s, i->val);
		if ((h = global_house(s, g, (i64)i->off)))
			give(s, NULL, h, i->val, 0);
		else
			stray(s, i->val);
		if (names_house(s, NULL, i->val) && (h = house_at(s, NULL, i->val, 0)))
			s->houses->at.at[h].open = true;
	}
}

/* What calls pass to the parameters that turned out to be houses. */
static void
see_params(Solver *s)
{
	Houses *h = s->houses;

	for (; h->nseen < h->params.n; h->nseen += 3) { /* giving may add more */
		FnId f = h->params.at[h->nseen];
		Val v = h->params.at[h->nseen + 1];
		u32 house = h->params.at[h->nseen + 2];
		h->at.at[house].open |= h->taken[f]; /* else called by name, or not at all */
		for (u32 c = h->called[f]; c; c = h->calls.at[c].next) {
			const Ins *i = ir_ins(s->ir, h->calls.at[c].ins);
			if (v < i->narg)
				give(s, &s->ir->fns.at[h->calls.at[c].caller], house,
				     ins_arg(s->ir, i, v), 0);
			else
				h->at.at[house].open = true;
		}
	}
}

static void
collect(Solver *s)
{
	const Ir *ir = s->ir;
	Houses *h = s->houses = arena_new(s->a, Houses);

	h->called = arena_array(s->a, u32, ir->fns.n);
	h->taken = arena_array(s->a, bool, ir->fns.n);
	h->stray = arena_array(s->a, bool, ir->fns.n);
	h->nameless = nameless_find(ir, s->a);
	h->exposed = exposed_find(s, h->nameless);
	vec_push(s->a, &h->at, (House){0});
	vec_push(s->a, &h->calls, (Direct){0});
	for (GlobalId g = 1; g < ir->globals.n; g++)
		see_global(s, g);
	for (FnId f = 1; f < ir->fns.n; f++)
		for (u32 k = 0; k < ir->fns.at[f].nins; k++)
			see(s, f, ir->fns.at[f].ins + k);
	see_params(s);
}

/* ---- questions ---------------------------------------------------------------------- */

/* Does one of the structs t and u begin with the other's members? */
static bool
begins_with(const Ir *ir, TypeId t, TypeId u)
{
	const Type *x = &ir->types.at[t], *y = &ir->types.at[u];
	bool same = x->name && x->name == y->name;

	for (u32 k = 0; k < MIN(x->nmember, y->nmember) && !same; k++) {
		const Member *m = &ir->members.at[x->member + k],
			     *n = &ir->members.at[y->member + k];
		const Type *a = &ir->types.at[m->type], *b = &ir->types.at[n->type];
		StrId to = ir->types.at[a->elem].name, to_too = ir->types.at[b->elem].name;
		if (m->off != n->off || a->kind != b->kind || a->size != b->size ||
		    is_code(ir, m->type) != is_code(ir, n->type) ||
		    (a->kind == TYPE_PTR && to && to_too && to != to_too))
			return false;
	}
	return true;
}

/* Adds to work the houses that x gets its functions from. */
static void
push_before(Solver *s, u32 x, Set *seen, VecU32 *work)
{
	const Houses *h = s->houses;
	const House *house = &h->at.at[x];
	u32 row = house->type ? map_get(&h->by_off, (u64)house->off) : 0;

	for (u32 k = 0; k < house->from.n; k++)
		if (set_add(s->a, seen, house->from.at[k]))
			vec_push(s->a, work, house->from.at[k]);
	for (u32 k = 0; row && k < h->alike.at[row - 1].n; k++) {
		u32 y = h->alike.at[row - 1].at[k];
		if (house->proto == h->at.at[y].proto &&
		    begins_with(s->ir, house->type, h->at.at[y].type) && set_add(s->a, seen, y))
			vec_push(s->a, work, y);
	}
}

static void
gather(Solver *s, u32 house)
{
	Houses *h = s->houses;
	House *to = &h->at.at[house];
	VecU32 work = {0};
	Set seen = {0};

	to->gathered = true;
	vec_push(s->a, &work, house);
	set_add(s->a, &seen, house);
	while (work.n && !to->open) {
		u32 x = work.at[--work.n];
		for (u32 k = 0; k < h->at.at[x].fns.n; k++)
			set_add(s->a, &to->all, h->at.at[x].fns.at[k]);
		to->open |= h->at.at[x].open;
		to->foreign |= h->at.at[x].foreign;
		push_before(s, x, &seen, &work);
	}
}

/* The house of v, a pointer in caller. */
static u32
value_house(Solver *s, FnId caller, Val v)
{
	const Fn *fn = &s->ir->fns.at[caller];
	u64 key = map_pair(caller, v);
	u32 house = map_get(&s->houses->param, key);

	if (house)
		return house;
	if (v <= fn->nparam) {
		house = param_house(s, fn, v);
	} else {
		house = new_house(s, map_at(s->a, &s->houses->param, key), 0, 0);
		give(s, fn, house, v, 0);
	}
	see_params(s);
	return house;
}

static const House *
gathered(Solver *s, FnId caller, Val v)
{
	u32 h;

	if (!s->houses)
		collect(s);
	h = value_house(s, caller, v);
	if (!s->houses->at.at[h].gathered)
		gather(s, h);
	return &s->houses->at.at[h];
}

bool
house_holds(Solver *s, FnId caller, Val v, FnId callee)
{
	const House *h = val_is_reg(v) ? gathered(s, caller, v) : NULL;

	return !h || h->open || set_has(&h->all, callee);
}

bool
house_gives(Solver *s, FnId caller, Val v, FnId callee)
{
	const House *h = val_is_reg(v) ? gathered(s, caller, v) : NULL;

	return !h || (!h->open && set_has(&h->all, callee));
}

bool
house_never(Solver *s, FnId caller, Val v, FnId callee)
{
	return !house_holds(s, caller, v, callee) && !s->houses->stray[callee];
}

bool
house_unknown(Solver *s, FnId caller, Val v)
{
	const House *h = val_is_reg(v) ? gathered(s, caller, v) : NULL;

	return !h || h->open || h->foreign || set_empty(&h->all);
}
