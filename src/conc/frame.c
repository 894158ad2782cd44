/* frame.c - addresses that a thread has from its own stack.
 *
 * A local variable is one abstract object and, in each thread, another
 * variable.  Who has its address from the call that made it, in registers and
 * arguments alone, has that of his own thread's; only what was loaded from memory,
 * or came from unknown code or with the start of the thread, may be another's.
 *
 * The lattice: for each parameter of each instance, whether what all calls pass
 * there is had in that way; true at first, and only ever made false: the greatest
 * solution.  A value is had in that way if it is a constant or an
 * allocation, or computed from values that are; a parameter if it is so
 * at each call.  An instance is looked at again when one of its parameters
 * has changed, once for each at most, so this ends.
 *
 * What is guaranteed: two accesses in different threads at addresses of local
 * variables that both have in that way are of different variables. */
#include "conc/frame.h"

enum { MAX_DEPTH = 64 };

struct Frames {
	const Pta *p;
	const Ir *ir;
	Arena *a;
	u32 *param;   /* [InstId]: its first parameter in other */
	bool *other;  /* of each parameter: may be another thread's */
	VecU32 todo;  /* instances */
	bool *queued; /* [InstId] */
};

typedef struct Walk {
	const Frames *f;
	InstId inst;
	u32 n;
	Val seen[MAX_DEPTH];
} Walk;

/* The operands that the address is computed from: first, and how many. */
static u32
sources(const Ins *d, u32 *first, u32 *step)
{
	*first = 0;
	*step = 1;
	switch (d->op) {
	case OP_COPY:
	case OP_CAST:
	case OP_FIELD:
	case OP_INDEX: return 1;
	case OP_SELECT: *first = 1; return d->narg;
	case OP_PHI:
		*first = 1;
		*step = 2;
		return d->narg;
	case OP_BIN: return d->narg;
	default: return 0;
	}
}

static bool
had(Walk *w, Val v)
{
	const Frames *f = w->f;
	const Fn *fn = pta_fn(f->p, w->inst);
	const Ins *d;
	u32 first, step, n;

	if (!val_is_reg(v))
		return true;
	if (v <= fn->nparam)
		return !f->other[f->param[w->inst] + v - 1];
	for (u32 k = 0; k < w->n; k++)
		if (w->seen[k] == v)
			return true;
	if (!fn_reg(f->ir, fn, v)->def || w->n == MAX_DEPTH)
		return false;
	w->seen[w->n++] = v;
	d = ir_ins(f->ir, fn_reg(f->ir, fn, v)->def);
	if (d->op == OP_ALLOC)
		return true;
	n = sources(d, &first, &step);
	if (!n)
		return false;
	for (u32 k = first; k < n; k += step)
		if (!had(w, ins_arg(f->ir, d, k)))
			return false;
	return true;
}

static void
enqueue(Frames *f, InstId i)
{
	if (f->queued[i])
		return;
	f->queued[i] = true;
	vec_push(f->a, &f->todo, i);
}

/* What a call passes that its caller may have from elsewhere. */
static void
pass(Frames *f, const Edge *e)
{
	const Ins *i = ir_ins(f->ir, e->ins);
	u32 n = pta_fn(f->p, e->to)->nparam;
	bool *other = &f->other[f->param[e->to]];

	for (u32 k = 0; k < n; k++) {
		Walk w = {.f = f, .inst = e->from};
		bool mine = !other[k] && !e->fork && i->op == OP_CALL && k + 1 < i->narg &&
			    had(&w, ins_arg(f->ir, i, k + 1));
		if (other[k] || mine)
			continue;
		other[k] = true;
		enqueue(f, e->to);
	}
}

Frames *
frames_solve(Arena *a, const Pta *p)
{
	Frames *f = arena_new(a, Frames);
	u32 n = 0;

	*f = (Frames){.p = p, .ir = p->ir, .a = a};
	f->param = arena_array(a, u32, p->insts.n);
	f->queued = arena_array(a, bool, p->insts.n);
	for (InstId i = 1; i < p->insts.n; i++) {
		f->param[i] = n;
		n += pta_fn(p, i)->nparam;
	}
	f->other = arena_array(a, bool, n + 1);
	for (InstId i = 1; i < p->insts.n; i++)
		for (u32 k = 0; !pta_inst(p, i)->ncaller && k < pta_fn(p, i)->nparam; k++)
			f->other[f->param[i] + k] = true;
	for (InstId i = p->insts.n; i-- > 1;)
		enqueue(f, i);
	while (f->todo.n) {
		InstId i = f->todo.at[--f->todo.n];
		const Inst *inst = pta_inst(p, i);
		f->queued[i] = false;
		for (u32 e = 0; e < inst->nedge; e++)
			pass(f, &p->edges.at[inst->edge + e]);
	}
	return f;
}

bool
frames_own(const Frames *f, InstId inst, Val addr)
{
	Walk w = {.f = f, .inst = inst};

	if (!val_is_reg(addr))
		return false;
	SET_FOR (it, pta_pts(f->p, inst, addr))
		if (pta_obj(f->p, pta_slot(f->p, it.x)->obj)->kind != OBJ_STACK)
			return false;
	return had(&w, addr);
}
