/* reason_state.c - what is done only while an object is in a state that its constructor ends.
 *
 *	if (!this.unpacked) unpack();
 *
 * A field of the object is tested on the way to the access, be it in a caller, and the access lies where it
 * has some value C.  All that is ever stored in that field, of whatever object, are constants other than C; and
 * the constructor that was called for the object where it was made has stored one before each of its returns, while
 * the object was not published.  So once others have the object the field has another value, but for
 * those that come to it by a race: the access is hardly meant for such an object.
 *
 * Fields' stores are listed once, in a pass over the program; each object and field is
 * judged once. */
#include "race/reason_int.h"

#include <stdlib.h>

enum { STATE_DEPTH = 12, STATE_FRAMES = 6, STATE_CTORS = 4 };

typedef struct StateStore {
	FieldId field;
	InsId ins;
	i64 value;
} StateStore;

struct States {
	bool *unfit; /* [FieldId]: something else than constants is stored */
	Vec(StateStore) stores;
	Map first; /* field -> the first of its stores, plus 1 */
	Map ended; /* hash of (object, field, value) -> 1 no, 2 yes */
};

/* The object of whose field the address is, and which field; 0: of none. */
static Val
field_base(const Ir *ir, const Fn *fn, Val addr, FieldId *field)
{
	InsId id;
	const Ins *d = def_of(ir, fn, addr, &id);

	if (!d || d->op != OP_FIELD || d->sub != 1)
		return 0;
	*field = d->aux;
	return ins_arg(ir, d, 0);
}

static void
note_store(struct States *s, const Races *r, const Fn *fn, InsId id)
{
	const Ins *i = ir_ins(r->ir, id);
	FieldId field;

	if (i->op != OP_STORE && i->op != OP_RMW && i->op != OP_CAS)
		return;
	if (!field_base(r->ir, fn, ins_arg(r->ir, i, 0), &field))
		return;
	if (i->op != OP_STORE || !val_is_const(ins_arg(r->ir, i, 1)) ||
	    ir_const(r->ir, ins_arg(r->ir, i, 1))->kind != CONST_INT)
		s->unfit[field] = true;
	else
		vec_push(r->arena, &s->stores,
			 ((StateStore){field, id, ir_const(r->ir, ins_arg(r->ir, i, 1))->num}));
}

static int
by_field(const void *x, const void *y)
{
	const StateStore *a = x, *b = y;

	if (a->field != b->field)
		return a->field < b->field ? -1 : 1;
	return a->ins < b->ins ? -1 : a->ins > b->ins;
}

static struct States *
states(Reasons *rs)
{
	const Races *r = rs->r;
	const Ir *ir = r->ir;
	struct States *s = rs->states;

	if (s)
		return s;
	s = rs->states = arena_new(r->arena, struct States);
	s->unfit = arena_array(r->arena, bool, ir->fields.n + 1);
	for (FnId f = 1; f < ir->fns.n; f++)
		for (InsId id = ir->fns.at[f].ins; id < ir->fns.at[f].ins + ir->fns.at[f].nins;
		     id++)
			note_store(s, r, &ir->fns.at[f], id);
	if (s->stores.n)
		qsort(s->stores.at, s->stores.n, sizeof *s->stores.at, by_field);
	for (u32 k = s->stores.n; k--;)
		map_put(r->arena, &s->first, s->stores.at[k].field, k + 1);
	return s;
}

/* Is all that is stored in the field a constant other than the value? */
static bool
never_again(const struct States *s, FieldId field, i64 value)
{
	u32 first = map_get(&s->first, field);

	if (!first || s->unfit[field])
		return false;
	for (u32 k = first - 1; k < s->stores.n && s->stores.at[k].field == field; k++)
		if (s->stores.at[k].value == value)
			return false;
	return true;
}

/* Does each return of the function come behind the instruction? */
static bool
before_returns(const Races *r, FnId fn, InsId ins)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(r->ir, id)->op == OP_RET && !walk_dominates(r->walk, fn, ins, id))
			return false;
	return true;
}

/* Does inst store to its own object there, which is not published yet? */
static bool
stores_fresh(const Races *r, InstId inst, InsId store)
{
	bool found = false;

	for (u32 k = access_first(r, store);
	     k < r->conc->accesses.n && access_at(r, k)->ins == store; k++) {
		const Access *a = access_at(r, k);
		if (a->inst != inst)
			continue;
		if (!(a->flags & ACC_FRESH))
			return false;
		found = true;
	}
	return found;
}

/* Does the constructor, by itself? */
static bool
ends_itself(const Races *r, const struct States *s, InstId ctor, FieldId field)
{
	const Fn *fn = pta_fn(r->pta, ctor);

	for (u32 k = map_get(&s->first, field) - 1;
	     k < s->stores.n && s->stores.at[k].field == field; k++) {
		InsId id = s->stores.at[k].ins;
		FieldId of;
		if (id >= fn->ins && id < fn->ins + fn->nins &&
		    field_base(r->ir, fn, ins_arg(r->ir, ir_ins(r->ir, id), 0), &of) == 1 &&
		    before_returns(r, inst_fn(r, ctor), id) && stores_fresh(r, ctor, id))
			return true;
	}
	return false;
}

/* Does the constructor store to the field before it returns, or one that it calls for its object? */
static bool
ends_state(const Races *r, const struct States *s, InstId ctor, FieldId field, u32 depth)
{
	const Fn *fn = pta_fn(r->pta, ctor);

	if (!(fn->flags & FN_CONSTRUCTOR) || depth == STATE_CTORS)
		return false;
	if (ends_itself(r, s, ctor, field))
		return true;
	for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		const Edge *e;
		u32 n;
		if (i->op != OP_CALL || i->narg < 2 || ins_arg(r->ir, i, 1) != 1)
			continue;
		e = pta_targets(r->pta, ctor, id, &n);
		if (n == 1 && before_returns(r, inst_fn(r, ctor), id) &&
		    ends_state(r, s, e->to, field, depth + 1))
			return true;
	}
	return false;
}

/* Does the constructor that is called for the object, where it is made, do so? */
static bool
made_ended(const Races *r, const struct States *s, const Obj *o, FieldId field)
{
	const Fn *fn = pta_fn(r->pta, o->inst);
	Val made = ir_ins(r->ir, o->ins)->dst;
	bool found = false;

	for (InsId id = fn->ins; made && id < fn->ins + fn->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		const Edge *e;
		u32 n;
		if (i->op != OP_CALL || i->narg < 2 || ins_arg(r->ir, i, 1) != made)
			continue;
		e = pta_targets(r->pta, o->inst, id, &n);
		if (n && !(pta_fn(r->pta, e->to)->flags & FN_CONSTRUCTOR))
			continue;
		if (found || n != 1 || !ends_state(r, s, e->to, field, 0))
			return false;
		found = true;
	}
	return found;
}

static bool
is_ended(Reasons *rs, ObjId o, FieldId field, i64 value)
{
	const Races *r = rs->r;
	struct States *s = states(rs);
	const Obj *obj = pta_obj(r->pta, o);
	u32 *known;

	if (value != (i32)value || !never_again(s, field, value))
		return false;
	known = map_at(r->arena, &s->ended, hash_u64(map_pair(o, field)) ^ (u32)value);
	if (!*known)
		*known =
		    1 + (obj->kind == OBJ_HEAP && obj->inst &&
			 ir_ins(r->ir, obj->ins)->op == OP_ALLOC && made_ended(r, s, obj, field));
	return *known == 2;
}

/* The field of v's object that has the value `is` where the block is, as the branch into it says; 0: it says none. */
static FieldId
tested_field(const Races *r, FnId f, BlockId block, Val v, i64 *is)
{
	const Ir *ir = r->ir;
	const Fn *fn = &ir->fns.at[f];
	const Ins *last, *cmp, *load;
	const Block *from;
	InsId id;
	FieldId field;
	u32 n;
	const BlockId *pred = walk_preds(r->walk, f, block, &n);

	if (n != 1)
		return 0;
	from = fn_block(ir, fn, pred[0]);
	last = ir_ins(ir, from->ins + from->nins - 1);
	cmp = last->op == OP_CBR ? def_of(ir, fn, ins_arg(ir, last, 0), &id) : NULL;
	if (!cmp || cmp->op != OP_CMP || (cmp->sub != CMP_EQ && cmp->sub != CMP_NE) ||
	    ir->succs.at[from->succ + (cmp->sub == CMP_NE)] != block ||
	    ir->succs.at[from->succ + (cmp->sub == CMP_EQ)] == block ||
	    !val_is_const(ins_arg(ir, cmp, 1)) ||
	    ir_const(ir, ins_arg(ir, cmp, 1))->kind != CONST_INT)
		return 0;
	load = def_of(ir, fn, ins_arg(ir, cmp, 0), &id);
	*is = ir_const(ir, ins_arg(ir, cmp, 1))->num;
	return load && load->op == OP_LOAD && field_base(ir, fn, ins_arg(ir, load, 0), &field) == v
		   ? field
		   : 0;
}

/* Is the frame's instruction carried out only in such a state of o, which v points to? */
static bool
in_state(Reasons *rs, const Frame *at, Val v, ObjId o)
{
	const Races *r = rs->r;
	FnId f = inst_fn(r, at->inst);
	BlockId b = walk_block(r->walk, f, at->ins);
	i64 is;

	if (v == 1 && r->ir->fns.at[f].flags & FN_CONSTRUCTOR)
		return false; /* what it found there may be what it has changed since */
	for (u32 k = 0; b && k < STATE_DEPTH; k++, b = walk_idom(r->walk, f, b)) {
		FieldId field = tested_field(r, f, b, v, &is);
		if (field && is_ended(rs, o, field, is))
			return true;
	}
	return false;
}

bool
reason_state(Reasons *rs, u32 access, ObjId o)
{
	const Races *r = rs->r;
	const Facts *facts = facts_of(rs, access);
	Val v = access_at(r, access)->addr;

	if (r->ir->classes.n <= 1 || pta_obj(r->pta, o)->kind != OBJ_HEAP)
		return false;
	for (u32 k = 0; k < facts->nframe && k < STATE_FRAMES; k++) {
		const Frame *at = frame_of(rs, facts, k);
		const Fn *fn = pta_fn(r->pta, at->inst);

		v = root_of(r->ir, fn, v);
		if (!val_is_reg(v))
			return false;
		if (in_state(rs, at, v, o))
			return true;
		if (v > fn->nparam || k + 1 == facts->nframe)
			return false;
		v = frame_argument(r, frame_of(rs, facts, k + 1), v);
	}
	return false;
}
