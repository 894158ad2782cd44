/* order_lost.c - arrays of handles in which handles are moved.
 *
 *	for (i = 0; i < n; i++) create(&h[i], ...);
 *	h[2] = h[3];
 *	for (j = 0; j < n; j++) join(h[j]);
 *
 * waits for one thread twice, and for another not at all.  Whoever stores a handle to the array, other than the forks
 * that fill it, may so lose one, unless that lies before the forks or behind the joins.  What is no
 * handle loses one, too, but no join could then be called with it.  Unknown code that is given the array is taken to leave it as
 * a rule. */
#include "conc/order_loop.h"

/* What fills the array, and what is asked of all else that writes to it. */
typedef struct Filled {
	Matcher *m;
	const Batches *by;
	const WalkList *forks; /* of each */
	bool unknown_too;      /* may unknown code move handles? */
} Filled;

static bool
has_thread(const Pta *p, const Set *s)
{
	SET_FOR (it, s)
		if (pta_obj(p, pta_slot(p, it.x)->obj)->kind == OBJ_THREAD)
			return true;
	return false;
}

/* Does the block copy read memory that handles lie in? */
static bool
copies_thread(Matcher *m, InstId inst, const Ins *copy)
{
	const Pta *p = m->t->pta;
	bool found = false;

	SET_FOR (it, pta_pts(p, inst, ins_arg(p->ir, copy, 1))) {
		Set held = {0};
		pta_held(p, pta_slot(p, it.x)->obj, m->arena, &held);
		found |= has_thread(p, &held);
		set_recycle(m->arena, &held);
	}
	return found;
}

/* Does the write leave all handles in their places? */
static bool
moves_none(void *ctx, InstId inst, InsId id)
{
	const Filled *f = ctx;
	const Pta *p = f->m->t->pta;
	const Ins *ins = ir_ins(p->ir, id);

	for (u32 i = 0; i < f->forks->n; i++)
		if (f->forks->at[i].ins == id && f->by->at[i].loop_inst == inst)
			return true;
	switch (ins->op) {
	case OP_FORK:
	case OP_WRITEN: return true;
	case OP_EXTERN:
	case OP_PUBLISH: return !f->unknown_too;
	case OP_BCOPY: return !copies_thread(f->m, inst, ins);
	default: break;
	}
	for (u32 k = 1; k < ins->narg; k++)
		if (has_thread(p, pta_pts(p, inst, ins_arg(p->ir, ins, k))))
			return false;
	return true;
}

/* Is that so of all that can run from each of the forks until all have been joined? */
static bool
stay_meanwhile(Filled *f, InstId inst, const Walk *join, const Set *at, u32 bytes)
{
	const Cfg *cfg = batch_cfg(f->m, inst);

	for (u32 i = 0; i < f->by->n; i++) {
		const Batch *b = &f->by->at[i];
		InsId start = b->fork_head ? fn_block(cfg->ir, cfg->fn, b->fork_head)->ins
					   : f->forks->at[i].ins;
		if (b->loop_inst != inst ||
		    !steady_fine_between(f->m->steady, inst, start,
					 fn_block(cfg->ir, cfg->fn, join->count.exit)->ins, at,
					 bytes, moves_none, f))
			return false;
	}
	return f->by->n > 0;
}

bool
batch_own_handle(Matcher *m, const Set *handles, const Obj *self)
{
	const Threads *t = m->t;
	Set made = {0};
	bool only;

	SET_FOR (it, handles) {
		const Obj *o = pta_obj(t->pta, pta_slot(t->pta, it.x)->obj);
		for (ThreadId x = 2; o->kind == OBJ_THREAD && x < t->at.n; x++)
			if (thread_get(t, x)->fork == o->ins &&
			    thread_get(t, x)->fork_inst == o->inst)
				set_add(m->arena, &made, x);
	}
	only = threads_run_only(t, self->inst, &made);
	set_recycle(m->arena, &made);
	return only;
}

Within
batch_stay(Matcher *m, const Batches *by, const WalkList *forks, InstId inst, const Walk *join,
	   const Ins *handle)
{
	const Pta *p = m->t->pta;
	const Set *at = pta_pts(p, inst, ins_arg(p->ir, handle, 0));
	u32 bytes = handle->width ? (handle->width + 7u) / 8 : p->ir->ptr_bytes;

	for (u32 unknown = 2; unknown--;) {
		Filled f = {m, by, forks, unknown};
		if (steady_fine(m->steady, at, bytes, moves_none, &f) ||
		    stay_meanwhile(&f, inst, join, at, bytes))
			return unknown ? WITHIN_ALWAYS : WITHIN_LIKELY;
	}
	return WITHIN_NOT;
}
