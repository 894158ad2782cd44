/* frame.c - addresses that a thread has from its own stack.
 *
 * A local variable is one abstract object and, in each thread, another
 * variable; so is memory that each thread allocates for itself.  Who has its address
 * from the call that made it, in registers, arguments and results alone, has that of his own
 * thread's; so has who loads it from a local variable, or a field of a Java object, of his own
 * in which nothing else was ever put.  Only what was loaded from other memory, or came from
 * unknown code or with the start of the thread, may be another's.
 *
 * The lattice: for each parameter of each instance, whether what all calls pass
 * there is had in that way, for each instance, whether what it returns is, and for each
 * variable or object, whether all pointers that
 * are stored in it are, at addresses that are, and nobody else has written there; true
 * at first, and only ever made false: the greatest solution.  A value is had in that way
 * if it is a constant or an allocation, or computed from values that are, or loaded from
 * such variables at an address that is, or returned by functions that do; a parameter if it is so
 * at each call.  An instance is looked at again when one of its parameters
 * or a callee's result has changed, once for each at most; all are while variables change, ROUNDS times
 * at most, after which no variable counts.  So this ends.
 *
 * Who stores at an address that he has in that way stores in an object that he made: so
 * what lies in an object was put there by its maker, whoever else has its address by now.
 *
 * What is guaranteed: two accesses in different threads at addresses of local
 * variables, or of allocated memory, that both have in that way are of different
 * ones. */
#include "conc/frame.h"

enum { MAX_DEPTH = 64, ROUNDS = 6 };

/* Whose a result is. */
typedef enum Gives {
	GIVES_OWN,
	GIVES_PASSED,
	GIVES_OTHER
} Gives; /* PASSED: if arguments are own */

struct Frames {
	const Pta *p;
	const Ir *ir;
	Arena *a;
	u32 *param;   /* [InstId]: its first parameter in other */
	bool *other;  /* of each parameter: may be another thread's */
	u8 *gives;    /* [InstId]: a Gives */
	VecU32 todo;  /* instances */
	bool *queued; /* [InstId] */
	bool *mixed;  /* [ObjId]: a variable in all of which other pointers may be */
	Set slots;    /* other places where they may be */
	Map places;   /* variable -> those of it, in: */
	Vec(VecU32) mixes;
	Map done;     /* sets of places that are mixed */
	bool changed; /* one more is */
};

typedef struct Walk {
	const Frames *f;
	InstId inst;
	bool passed; /* parameters count as the thread's own */
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
	case OP_FILTER:
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

/* May another's pointer lie in this place of a variable? */
static bool
is_mixed(const Frames *f, SlotId slot)
{
	ObjId o = pta_slot(f->p, slot)->obj;
	u32 row = map_get(&f->places, o), bytes = f->ir->ptr_bytes;

	for (u32 k = 0; row && k < f->mixes.at[row - 1].n; k++)
		if (pta_overlap(f->p, slot, bytes, f->mixes.at[row - 1].at[k], bytes))
			return true;
	return f->mixed[o];
}

/* Are these all places of variables of which the contents are known? */
static bool
all_clean(const Frames *f, const Set *places)
{
	SET_FOR (it, places)
		if (is_mixed(f, it.x))
			return false;
	return !set_empty(places);
}

static bool had(Walk *w, Val v);

/* May the call run code that is not known: through a pointer to what only that knows, or a method of
 * such an object? */
static bool
calls_unknown(const Frames *f, InstId inst, const Ins *call)
{
	Val callee = ins_arg(f->ir, call, call->sub == CALL_VIRTUAL && call->narg > 1);

	SET_FOR (it, pta_pts(f->p, inst, callee))
		if (pta_obj(f->p, pta_slot(f->p, it.x)->obj)->kind == OBJ_EXTERN)
			return true;
	return false;
}

/* Does each function that the call may run return what it has from itself, or from what is passed
 * to it? */
static bool
all_give(Walk *w, InsId call)
{
	const Frames *f = w->f;
	const Ins *i = ir_ins(f->ir, call);
	u32 n;
	const Edge *e = pta_targets(f->p, w->inst, call, &n);
	Gives most = GIVES_OWN;

	for (u32 k = 0; k < n; k++)
		most = MAX(most, e[k].fork || e[k].assumed ? GIVES_OTHER : f->gives[e[k].to]);
	if (!n || most == GIVES_OTHER || calls_unknown(f, w->inst, i))
		return false;
	for (u32 k = 1; k < i->narg && most == GIVES_PASSED; k++) {
		Val v = ins_arg(f->ir, i, k);
		if (!set_empty(pta_pts(f->p, w->inst, v)) && !had(w, v))
			return false;
	}
	return true;
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
		return w->passed || !f->other[f->param[w->inst] + v - 1];
	for (u32 k = 0; k < w->n; k++)
		if (w->seen[k] == v)
			return true;
	if (!fn_reg(f->ir, fn, v)->def || w->n == MAX_DEPTH)
		return false;
	w->seen[w->n++] = v;
	d = ir_ins(f->ir, fn_reg(f->ir, fn, v)->def);
	if (d->op == OP_ALLOC)
		return true;
	if (d->op == OP_CALL)
		return all_give(w, fn_reg(f->ir, fn, v)->def);
	if (d->op == OP_LOAD)
		return all_clean(f, pta_pts(f->p, w->inst, ins_arg(f->ir, d, 0))) &&
		       had(w, ins_arg(f->ir, d, 0));
	n = sources(d, &first, &step);
	if (!n)
		return false;
	for (u32 k = first; k < n; k += step)
		if (!had(w, ins_arg(f->ir, d, k)))
			return false;
	return true;
}

/* Does inst have the value from itself? */
static bool
has(const Frames *f, InstId inst, Val v, bool passed)
{
	Walk w;

	w.f = f;
	w.inst = inst;
	w.passed = passed;
	w.n = 0;
	return had(&w, v);
}

/* Does the value hold no pointer, or one that the thread has from itself? */
static bool
is_own(const Frames *f, InstId inst, Val v, bool passed)
{
	return set_empty(pta_pts(f->p, inst, v)) || (val_is_reg(v) && has(f, inst, v, passed));
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
		bool mine = !other[k] && !e->fork && i->op == OP_CALL && k + 1 < i->narg &&
			    has(f, e->from, ins_arg(f->ir, i, k + 1), false);
		if (other[k] || mine)
			continue;
		other[k] = true;
		enqueue(f, e->to);
	}
}

/* Whether the result of i may be another's, which those that call it look at. */
static void
give(Frames *f, InstId i)
{
	const Inst *inst = pta_inst(f->p, i);
	const Fn *fn = pta_fn(f->p, i);
	Gives before = f->gives[i];

	for (BlockId b = 1; b <= fn->nblock && f->gives[i] < GIVES_OTHER; b++) {
		const Block *bl = fn_block(f->ir, fn, b);
		const Ins *ret = ir_ins(f->ir, bl->ins + bl->nins - 1);
		Val v = ret->op == OP_RET && ret->narg ? ins_arg(f->ir, ret, 0) : 0;
		while (v && f->gives[i] < GIVES_OTHER &&
		       !is_own(f, i, v, f->gives[i] == GIVES_PASSED))
			f->gives[i]++;
	}
	for (u32 k = 0; f->gives[i] != before && k < inst->ncaller; k++)
		enqueue(f, f->p->edges.at[f->p->callers.at[inst->caller + k]].from);
}

/* ---- what variables hold -------------------------------------------------------- */

static void
mix_place(Frames *f, SlotId slot)
{
	ObjId o = pta_slot(f->p, slot)->obj;
	u32 *row;

	if (!set_add(f->a, &f->slots, slot))
		return;
	row = map_at(f->a, &f->places, o);
	if (!*row) {
		vec_push(f->a, &f->mixes, (VecU32){0});
		*row = f->mixes.n;
	}
	vec_push(f->a, &f->mixes.at[*row - 1], slot);
	f->changed = true;
}

/* Another's pointers are put where addr points to; or, if all, around there. */
static void
mix(Frames *f, InstId inst, Val addr, bool all)
{
	const Set *places = pta_pts(f->p, inst, addr);
	u32 *done = map_at(f->a, &f->done, (u64)(uintptr_t)places * 2 + all);

	if (*done)
		return;
	*done = 1;
	SET_FOR (it, places) {
		bool *m = &f->mixed[pta_slot(f->p, it.x)->obj];
		if (!all && !*m)
			mix_place(f, it.x);
		f->changed |= all && !*m;
		*m |= all;
	}
}

/* What the instruction may put into variables. */
static void
see_write(Frames *f, InstId inst, const Ins *i)
{
	u8 op = i->op;
	Val to, v;

	if (op != OP_STORE && op != OP_RMW && op != OP_CAS && op != OP_BCOPY && op != OP_JOIN)
		return;
	to = i->narg ? ins_arg(f->ir, i, 0) : 0;
	v = i->narg > 1 ? ins_arg(f->ir, i, 1) : 0;
	if (op == OP_STORE && (set_empty(pta_pts(f->p, inst, v)) ||
			       (is_own(f, inst, to, false) && is_own(f, inst, v, false))))
		return;
	if (op == OP_JOIN)
		to = v;
	if (to)
		mix(f, inst, to, i->op == OP_BCOPY);
}

static void
see_writes(Frames *f)
{
	for (InstId i = 1; i < f->p->insts.n; i++) {
		const Fn *fn = pta_fn(f->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			see_write(f, i, ir_ins(f->ir, id));
	}
}

/* Only local variables and Java objects count, and none that unknown code knows. */
static void
mix_first(Frames *f)
{
	bool java = f->ir->classes.n > 1;
	Set known = {0};

	for (ObjId o = 0; o < f->p->objs.n; o++) {
		const Obj *obj = pta_obj(f->p, o);
		f->mixed[o] =
		    obj->folded || (obj->kind != OBJ_STACK && !(java && obj->kind == OBJ_HEAP));
		if (pta_obj(f->p, o)->kind == OBJ_EXTERN)
			pta_held(f->p, o, f->a, &known);
	}
	SET_FOR (it, &known)
		f->mixed[pta_slot(f->p, it.x)->obj] = true;
	set_recycle(f->a, &known);
}

static void
mix_all(Frames *f)
{
	for (ObjId o = 0; o < f->p->objs.n; o++)
		f->mixed[o] = true;
	f->changed = true;
}

/* ---- solving --------------------------------------------------------------------- */

static void
pass_all(Frames *f)
{
	for (InstId i = f->p->insts.n; i-- > 1;)
		enqueue(f, i);
	while (f->todo.n) {
		InstId i = f->todo.at[--f->todo.n];
		const Inst *inst = pta_inst(f->p, i);
		f->queued[i] = false;
		for (u32 e = 0; e < inst->nedge; e++)
			pass(f, &f->p->edges.at[inst->edge + e]);
		if (f->gives[i] != GIVES_OTHER)
			give(f, i);
	}
}

Frames *
frames_solve(Arena *a, const Pta *p)
{
	Frames *f = arena_new(a, Frames);
	u32 n = 0, round = 0;

	*f = (Frames){.p = p, .ir = p->ir, .a = a};
	f->param = arena_array(a, u32, p->insts.n);
	f->queued = arena_array(a, bool, p->insts.n);
	f->gives = arena_array(a, u8, p->insts.n);
	f->mixed = arena_array(a, bool, p->objs.n + 1);
	for (InstId i = 1; i < p->insts.n; i++) {
		f->param[i] = n;
		n += pta_fn(p, i)->nparam;
	}
	f->other = arena_array(a, bool, n + 1);
	for (InstId i = 1; i < p->insts.n; i++)
		for (u32 k = 0; !pta_inst(p, i)->ncaller && k < pta_fn(p, i)->nparam; k++)
			f->other[f->param[i] + k] = true;
	mix_first(f);
	do {
		pass_all(f);
		f->changed = false;
		if (round < ROUNDS)
			see_writes(f);
		else if (round == ROUNDS)
			mix_all(f);
		round++;
	} while (f->changed);
	return f;
}

bool
frames_own(const Frames *f, InstId inst, Val addr)
{
	if (!val_is_reg(addr))
		return false;
	SET_FOR (it, pta_pts(f->p, inst, addr)) {
		u8 kind = pta_obj(f->p, pta_slot(f->p, it.x)->obj)->kind;
		if (kind != OBJ_STACK && kind != OBJ_HEAP)
			return false;
	}
	return has(f, inst, addr, false);
}
