/* reason_found.c - where a pointer was found.
 *
 * Follows a value back, through offsets, phis and what calls return, to the
 * loads that it may come from; a bounded number of phis and of calls. */
#include "race/reason_int.h"

enum { RETURNS = 3, PHIS = 4 }; /* how many calls, and phis, are looked through */

typedef struct Found {
	const Races *r;
	FoundBy *is_so;
	void *ctx;
} Found;

static bool found_by_call(const Found *f, InstId inst, InsId call, u32 depth);

static bool
found_so(const Found *f, const Frame *at, Val v, u32 phis, u32 depth)
{
	const Ir *ir = f->r->ir;
	const Fn *fn = pta_fn(f->r->pta, at->inst);
	InsId id;
	const Ins *i = def_of(ir, fn, root_of(ir, fn, v), &id);

	if (!i)
		return val_is_const(v) && ir_const(ir, v)->kind == CONST_NULL;
	if (i->op == OP_LOAD || i->op == OP_RMW)
		return f->is_so(f->ctx, at, id);
	if (i->op == OP_CALL)
		return found_by_call(f, at->inst, id, depth);
	for (u32 k = 1; i->op == OP_PHI && phis && k < i->narg; k += 2)
		if (!found_so(f, at, ins_arg(ir, i, k), phis - 1, depth))
			return false;
	return i->op == OP_PHI && phis;
}

/* Does whatever the call may run return such a pointer, by all its returns? */
static bool
found_by_call(const Found *f, InstId inst, InsId call, u32 depth)
{
	u32 n, returns = 0;
	const Edge *e = pta_targets(f->r->pta, inst, call, &n);

	for (u32 k = 0; depth && k < n; k++) {
		const Fn *fn = pta_fn(f->r->pta, e[k].to);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *i = ir_ins(f->r->ir, id);
			Frame ret = {e[k].to, id};
			if (i->op != OP_RET || !i->narg)
				continue;
			if (!found_so(f, &ret, ins_arg(f->r->ir, i, 0), PHIS, depth - 1))
				return false;
			returns++;
		}
	}
	return returns > 0;
}

bool
reason_found(const Races *r, const Frame *at, Val v, FoundBy *is_so, void *ctx)
{
	return found_so(&(Found){r, is_so, ctx}, at, v, PHIS, RETURNS);
}
