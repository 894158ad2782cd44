/* reason_made.c - objects of a constructor that has not returned yet.
 *
 * A constructor may give its object away and go on: to a timer, a list of listeners.  The object
 * counts as published then.  But who calls the methods of a library, as the harness of an open
 * program does, gets the object when the constructor has returned; and another call of the
 * constructor works on another object.  So a pair is not meant where
 *
 *	one side reaches the location from `this` of a constructor on its call path, whose object
 *	the frame above has made, and what it touches is that object or was made in the constructor
 *	or in one of the frames below;
 *	the other does so, too, or reaches it from what its caller has passed to the library, or from
 *	an object that it finalizes, behind whose constructor it runs.
 *
 * That is only likely: the constructor may have hung its object in another that callers have.
 * Values are followed up the frames of the two accesses, a bounded number of steps. */
#include "race/reason_int.h"

#include <string.h>

enum { STEPS = 64 };

typedef enum Source { SOURCE_OTHER, SOURCE_CALLER, SOURCE_MADE } Source;

static bool
is_synthetic(const Races *r, const Frame *at)
{
	return pta_fn(r->pta, at->inst)->flags & FN_SYNTHETIC;
}

/* The allocation in the frame above of what the constructor in the k-th frame makes; 0: the
 * function is none, or got the object from elsewhere. */
static InsId
made_above(Reasons *rs, const Facts *f, u32 k)
{
	const Races *r = rs->r;
	const Fn *fn = pta_fn(r->pta, frame_of(rs, f, k)->inst);
	const Frame *up = k + 1 < f->nframe ? frame_of(rs, f, k + 1) : NULL;
	Val this = up ? frame_argument(r, up, 1) : 0;
	const Ins *def;
	InsId id = 0;

	if (!this || !fn->class || !(fn->flags & FN_CONSTRUCTOR))
		return 0;
	def = def_of(r->ir, pta_fn(r->pta, up->inst), this, &id);
	return def && def->op == OP_ALLOC ? id : 0;
}

/* Was o made in the frames up to the k-th, or is it what the constructor there makes? */
static bool
is_made(Reasons *rs, const Facts *f, u32 k, InsId alloc, ObjId o)
{
	const Obj *obj = pta_obj(rs->r->pta, o);

	for (u32 i = 0; i <= k; i++)
		if (frame_of(rs, f, i)->inst == obj->inst)
			return true;
	return obj->inst == frame_of(rs, f, k + 1)->inst && obj->ins == alloc;
}

/* Is it called on an object, by name or as its class has it? */
static bool
is_method_call(const Ir *ir, const Ins *call)
{
	const Const *c =
	    val_is_const(ins_arg(ir, call, 0)) ? ir_const(ir, ins_arg(ir, call, 0)) : NULL;
	const Fn *f = c && c->kind == CONST_FN ? &ir->fns.at[c->ref] : NULL;

	return call->narg > 1 &&
	       (call->sub == CALL_VIRTUAL || (f && f->class && !(f->flags & FN_STATIC)));
}

/* The value that `def` has its own from; 0: it is not followed.  What a method of an object returns
 * counts as the object's. */
static Val
source_value(const Ir *ir, const Ins *def)
{
	switch (def->op) {
	case OP_LOAD:
	case OP_FIELD:
	case OP_INDEX:
	case OP_COPY:
	case OP_CAST:
	case OP_FILTER: return ins_arg(ir, def, 0);
	case OP_CALL: return is_method_call(ir, def) ? ins_arg(ir, def, 1) : 0;
	default: return 0;
	}
}

/* From where does the access have the location? */
static Source
source_of(Reasons *rs, u32 access, ObjId o)
{
	const Races *r = rs->r;
	const Facts *f = facts_of(rs, access);
	Val v = access_at(r, access)->addr;
	u32 k = 0;

	for (u32 step = 0; step < STEPS && k < f->nframe && val_is_reg(v); step++) {
		const Frame *at = frame_of(rs, f, k);
		const Fn *fn = pta_fn(r->pta, at->inst);
		const Ins *def;
		InsId id, alloc;
		if (v > fn->nparam) {
			def = def_of(r->ir, fn, v, &id);
			v = def ? source_value(r->ir, def) : 0;
			continue;
		}
		alloc = v == 1 ? made_above(rs, f, k) : 0;
		if (alloc && is_made(rs, f, k, alloc, o))
			return SOURCE_MADE;
		if (k + 1 == f->nframe)
			return fn->flags & FN_DESTRUCTOR ? SOURCE_CALLER : SOURCE_OTHER;
		if (is_synthetic(r, frame_of(rs, f, k + 1)))
			return SOURCE_CALLER;
		v = frame_argument(r, frame_of(rs, f, ++k), v);
	}
	return SOURCE_OTHER;
}

/* Does the access run in a call of a library by unknown callers, or in a finalizer? */
static bool
is_called(const Races *r, u32 access)
{
	const Thread *t = thread_get(r->conc->threads, access_at(r, access)->thread);

	const Fn *fn = t->start ? pta_fn(r->pta, t->start) : NULL;

	return fn && (fn->flags & FN_DESTRUCTOR || (fn->flags & FN_SYNTHETIC && fn->pretty &&
						    !strcmp(ir_str(r->ir, fn->pretty), FN_CALLER)));
}

bool
reason_made(Reasons *rs, u32 a, u32 b, ObjId o)
{
	Source x, y;

	if (pta_obj(rs->r->pta, o)->kind != OBJ_HEAP || !is_called(rs->r, a) ||
	    !is_called(rs->r, b))
		return false;
	x = source_of(rs, a, o);
	y = x ? source_of(rs, b, o) : SOURCE_OTHER;
	return y && (x == SOURCE_MADE || y == SOURCE_MADE);
}
