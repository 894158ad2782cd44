/* captured.c - objects whose address never leaves the calls that use them.
 *
 * Points-to tells what a pointer may point to, and where it cannot tell, a local
 * variable is one of thousands of objects that any thread may reach.  But most
 * local variables are only passed down: their address is in registers alone.
 *
 * The lattice: for each parameter, whether what it points to is CAPTURED (its
 * address may be stored, published, passed to unknown code or to another thread)
 * and whether it is RETURNED (a result may be derived from it); both false at
 * first, and only ever set.  The transfer function of a value follows the
 * registers that are derived from it (arithmetic, phi, select, the results of
 * calls that return it) to their uses: loads, stores and effects at the address
 * are harmless, a call does what its targets' parameters say, everything
 * else captures.  A function is looked at again when a callee has changed;
 * each does so twice per parameter at most, so this ends.
 *
 * What is guaranteed: an object in `own` is accessed only by the thread that made it.
 * Who else has its address must have loaded it from memory or got it from
 * unknown code or at its start, and it never was there. */
#include "conc/captured.h"

#include <string.h>

enum { DONE = 4 };

typedef struct Target {
	FnId fn;
	u32 next; /* of the same call */
} Target;

/* Of a register of the function that is looked at. */
typedef struct Use {
	InsId ins;
	u32 operand;
	u32 next; /* of the same register */
} Use;

struct Captures {
	const Pta *p;
	const Ir *ir;
	Arena *keep;  /* for what outlives the search */
	u32 *param;   /* [FnId]: its first parameter in bits */
	Vec(u8) bits; /* of each parameter */
	Map unknown;  /* calls that may run code that is not known */
	Arena *a;     /* for the rest */
	u32 *target;  /* [InsId]: first of its targets */
	Vec(Target) targets;
	Vec(VecU32) callers; /* [FnId] */
	VecU32 todo;         /* functions */
	bool *queued;        /* [FnId] */
	Map value;           /* instruction whose result was followed -> bits and DONE */
	/* the function that is looked at */
	FnId fn;
	VecU32 use;    /* [register]: first of its uses */
	Vec(Use) uses; /* from 1 */
	VecU32 work;   /* registers to follow */
};

/* ---- calls ---------------------------------------------------------------------- */

static void
add_targets(Captures *c)
{
	Map seen = {0};

	for (u32 e = 0; e < c->p->edges.n; e++) {
		const Edge *edge = &c->p->edges.at[e];
		FnId to = pta_inst(c->p, edge->to)->fn;
		u32 *had = map_at(c->a, &seen, map_pair(edge->ins, to));
		if (*had)
			continue;
		*had = 1;
		vec_push(c->a, &c->targets, ((Target){to, c->target[edge->ins]}));
		c->target[edge->ins] = c->targets.n - 1;
		vec_push(c->a, &c->callers.at[to], pta_inst(c->p, edge->from)->fn);
	}
}

static bool
has_any(const Set *pts, const VecU32 *slots)
{
	for (u32 k = 0; k < slots->n; k++)
		if (set_has(pts, slots->at[k]))
			return true;
	return false;
}

/* What decides which function a call runs. */
static Val
callee(const Captures *c, const Ins *ins)
{
	return ins_arg(c->ir, ins, ins->sub == CALL_VIRTUAL && ins->narg > 1);
}

/* Calls through a pointer to what only unknown code knows, or of its methods. */
static void
add_unknown(Captures *c)
{
	VecU32 slots = {0};

	for (SlotId s = 1; s < c->p->slots.n; s++)
		if (pta_obj(c->p, pta_slot(c->p, s)->obj)->kind == OBJ_EXTERN)
			vec_push(c->a, &slots, s);
	for (InstId i = 1; i < c->p->insts.n; i++) {
		const Fn *f = pta_fn(c->p, i);
		for (InsId k = f->ins; k < f->ins + f->nins; k++) {
			const Ins *ins = ir_ins(c->ir, k);
			if (ins->op == OP_CALL && val_is_reg(callee(c, ins)) &&
			    has_any(pta_pts(c->p, i, callee(c, ins)), &slots))
				map_put(c->keep, &c->unknown, k, 1);
		}
	}
}

/* ---- uses ------------------------------------------------------------------------- */

static void
index_uses(Captures *c, FnId f)
{
	const Fn *fn = &c->ir->fns.at[f];

	if (c->fn == f)
		return;
	c->fn = f;
	c->use.n = c->uses.n = 0;
	memset(vec_extend(c->a, &c->use, fn->nreg + 1), 0, (fn->nreg + 1) * sizeof *c->use.at);
	vec_push(c->a, &c->uses, (Use){0});
	for (InsId k = fn->ins; k < fn->ins + fn->nins; k++) {
		const Ins *i = ir_ins(c->ir, k);
		for (u32 n = i->op == OP_PHI; n < i->narg; n += 1 + (i->op == OP_PHI)) {
			Val v = ins_arg(c->ir, i, n);
			if (!val_is_reg(v))
				continue;
			vec_push(c->a, &c->uses, ((Use){k, n, c->use.at[v]}));
			c->use.at[v] = c->uses.n - 1;
		}
	}
}

/* What function f does with operand n of a call. */
static u8
use_by(const Captures *c, FnId f, u32 n)
{
	const Fn *fn = &c->ir->fns.at[f];

	return !fn->nblock || n > fn->nparam ? CAPTURED : c->bits.at[c->param[f] + n - 1];
}

/* What a call does with its operand n; RETURNED: its result is derived from it. */
static u8
use_in_call(const Captures *c, InsId id, u32 n)
{
	u8 bits = 0;

	if (!n)
		return 0;
	if (!c->target[id] || map_get(&c->unknown, id))
		return CAPTURED;
	for (u32 t = c->target[id]; t; t = c->targets.at[t].next)
		bits |= use_by(c, c->targets.at[t].fn, n);
	return bits;
}

static bool
is_cast_pointer(const Captures *c, const Fn *fn, Val v)
{
	InsId def = val_is_reg(v) ? fn_reg(c->ir, fn, v)->def : 0;
	const Ins *d = def ? ir_ins(c->ir, def) : NULL;

	return d && d->op == OP_CAST && d->sub == CAST_PTRTOINT;
}

/* No address comes of the difference of two addresses, or of low bits of one. */
static bool
is_number(const Captures *c, const Fn *fn, const Ins *i, u32 n)
{
	enum { LOW = 4096 };
	Val other = ins_arg(c->ir, i, !n);
	const Const *k = val_is_const(other) ? ir_const(c->ir, other) : NULL;

	if (i->sub == BIN_SUB)
		return is_cast_pointer(c, fn, ins_arg(c->ir, i, n)) &&
		       is_cast_pointer(c, fn, other);
	return (i->sub == BIN_AND || i->sub == BIN_UREM) && k && k->kind == CONST_INT &&
	       k->num >= 0 && k->num < LOW;
}

/* What instruction id, no call, does with its operand n; RETURNED: its result is derived
 * from it, or that of the function. */
static u8
use_in(const Captures *c, const Fn *fn, const Ins *i, u32 n)
{
	switch (i->op) {
	case OP_COPY:
	case OP_PHI:
	case OP_SELECT:
	case OP_FIELD:
	case OP_INDEX:
	case OP_CAST:
	case OP_RET: return RETURNED;
	case OP_FILTER: return i->sub == 1 ? 0 : RETURNED;
	case OP_BIN: return is_number(c, fn, i, n) ? 0 : RETURNED;
	case OP_ALLOC:
	case OP_LOAD:
	case OP_READN:
	case OP_WRITEN:
	case OP_CMP:
	case OP_CBR:
	case OP_SWITCH:
	case OP_ASSUME:
	case OP_ACQUIRE:
	case OP_RELEASE:
	case OP_SIGNAL:
	case OP_AWAIT:
	case OP_BCOPY:
	case OP_FREE: return 0;
	case OP_STORE:
	case OP_RMW:
	case OP_CAS: return n ? CAPTURED : 0;
	default: return CAPTURED;
	}
}

/* Follows register r of function f. */
static u8
follow(Captures *c, FnId f, Val r)
{
	const Fn *fn = &c->ir->fns.at[f];
	Set seen = {0};
	u8 bits = 0;

	index_uses(c, f);
	c->work.n = 0;
	vec_push(c->a, &c->work, r);
	set_add(c->a, &seen, r);
	while (c->work.n && !(bits & CAPTURED)) {
		Val v = c->work.at[--c->work.n];
		for (u32 u = c->use.at[v]; u; u = c->uses.at[u].next) {
			const Use *use = &c->uses.at[u];
			const Ins *i = ir_ins(c->ir, use->ins);
			u8 does = i->op == OP_CALL ? use_in_call(c, use->ins, use->operand)
						   : use_in(c, fn, i, use->operand);
			bits |= does & CAPTURED;
			if (does & RETURNED && i->op == OP_RET)
				bits |= RETURNED;
			else if (does & RETURNED && i->dst && set_add(c->a, &seen, i->dst))
				vec_push(c->a, &c->work, i->dst);
		}
	}
	set_recycle(c->a, &seen);
	return bits;
}

/* ---- parameters -------------------------------------------------------------------- */

static void
enqueue(Captures *c, FnId f)
{
	if (c->queued[f])
		return;
	c->queued[f] = true;
	vec_push(c->a, &c->todo, f);
}

static void
look_at(Captures *c, FnId f)
{
	const Fn *fn = &c->ir->fns.at[f];
	bool changed = false;

	for (u32 k = 0; k < fn->nparam; k++) {
		u8 *bits = &c->bits.at[c->param[f] + k];
		u8 now = *bits & CAPTURED ? *bits : (u8)(*bits | follow(c, f, k + 1));
		changed |= now != *bits;
		*bits = now;
	}
	for (u32 k = 0; changed && k < c->callers.at[f].n; k++)
		enqueue(c, c->callers.at[f].at[k]);
}

static void
settle(Captures *c)
{
	for (FnId f = c->ir->fns.n; f-- > 1;)
		if (c->ir->fns.at[f].nblock)
			enqueue(c, f);
	while (c->todo.n) {
		FnId f = c->todo.at[--c->todo.n];
		c->queued[f] = false;
		look_at(c, f);
	}
}

/* ---- objects ----------------------------------------------------------------------- */

/* What becomes of the result of instruction id of f. */
static u8
follow_result(Captures *c, FnId f, InsId id)
{
	u32 known = map_get(&c->value, id);
	Val r = ir_ins(c->ir, id)->dst;

	if (!known) {
		known = DONE | (r ? follow(c, f, r) : 0);
		map_put(c->a, &c->value, id, known);
	}
	return (u8)known;
}

/* Is what id makes in inst for those alone that it is returned to? */
static bool
is_own(Captures *c, InstId inst, InsId id)
{
	VecU32 work = {0};
	Set seen = {0};

	vec_push(c->a, &work, inst);
	vec_push(c->a, &work, id);
	while (work.n) {
		const Inst *at;
		u8 bits;
		id = work.at[--work.n];
		inst = work.at[--work.n];
		at = pta_inst(c->p, inst);
		bits = follow_result(c, at->fn, id);
		if (bits & CAPTURED)
			return false;
		if (!(bits & RETURNED) || !set_add(c->a, &seen, inst))
			continue;
		for (u32 k = 0; k < at->ncaller; k++) {
			const Edge *e = &c->p->edges.at[c->p->callers.at[at->caller + k]];
			if (e->fork || ir_ins(c->ir, e->ins)->op != OP_CALL)
				return false;
			vec_push(c->a, &work, e->from);
			vec_push(c->a, &work, e->ins);
		}
	}
	return true;
}

static void
make_tables(Captures *c)
{
	const Ir *ir = c->ir;

	c->param = arena_array(c->keep, u32, ir->fns.n);
	c->queued = arena_array(c->a, bool, ir->fns.n);
	c->target = arena_array(c->a, u32, ir->ins.n);
	(void)vec_extend(c->a, &c->callers, ir->fns.n);
	vec_push(c->a, &c->targets, (Target){0});
	for (FnId f = 1; f < ir->fns.n; f++) {
		c->param[f] = c->bits.n;
		(void)vec_extend(c->keep, &c->bits, ir->fns.at[f].nparam);
	}
	add_targets(c);
	add_unknown(c);
}

Captures *
captures_solve(Arena *a, const Pta *p, Set *own)
{
	Captures *c = arena_new(a, Captures);
	Arena mine;

	*c = (Captures){.p = p, .ir = p->ir, .keep = a, .a = &mine};
	if (!p->complete)
		return NULL;
	arena_init(&mine, a->budget);
	make_tables(c);
	settle(c);
	for (ObjId o = 1; o < p->objs.n; o++) {
		const Obj *obj = pta_obj(p, o);
		if ((obj->kind == OBJ_STACK || obj->kind == OBJ_HEAP) && obj->inst &&
		    is_own(c, obj->inst, obj->ins))
			set_add(a, own, o);
	}
	arena_release(&mine);
	c->a = NULL;
	return c;
}

u8
captures_use(const Captures *c, InstId inst, InsId id, u32 n)
{
	const Ins *i;
	const Edge *e;
	u32 edges;
	u8 bits = 0;

	if (!c)
		return CAPTURED | RETURNED;
	i = ir_ins(c->ir, id);
	if (i->op != OP_CALL)
		return use_in(c, pta_fn(c->p, inst), i, n);
	if (!n)
		return 0;
	e = pta_targets(c->p, inst, id, &edges);
	if (!edges || map_get(&c->unknown, id))
		return CAPTURED;
	for (u32 k = 0; k < edges && bits != (CAPTURED | RETURNED); k++)
		bits |= e[k].fork ? CAPTURED : use_by(c, pta_inst(c->p, e[k].to)->fn, n);
	return bits;
}

u8
captures_param(const Captures *c, FnId fn, u32 n)
{
	return c ? use_by(c, fn, n) : CAPTURED | RETURNED;
}
