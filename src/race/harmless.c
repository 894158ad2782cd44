/* harmless.c - which instructions control certainly passes.
 *
 * No trap, no exit, and no waiting but for locks and for threads that end by
 * themselves; what it waits for is noted.  All answers err to false. */
#include "race/inevitable_int.h"

/* Is it the address of a field of a class? */
static bool
is_member(const Inevitable *v, InstId inst, Val addr)
{
	InsId id = val_is_reg(addr) ? fn_reg(v->ir, pta_fn(v->p, inst), addr)->def : 0;

	return id && ir_ins(v->ir, id)->op == OP_FIELD && ir_ins(v->ir, id)->sub == 1;
}

/* Are there size bytes at addr, in known objects?  Nothing on the way frees any: that is not harmless. */
static bool
within(Inevitable *v, InstId inst, Val addr, u64 size)
{
	SET_FOR (it, pta_pts(v->p, inst, addr)) {
		const Slot *s = pta_slot(v->p, it.x);
		const Obj *o = pta_obj(v->p, s->obj);
		if (s->stride || s->off < 0 || o->folded ||
		    (o->kind != OBJ_GLOBAL && o->kind != OBJ_STACK && o->kind != OBJ_HEAP))
			return false;
		if (!o->size || (u64)s->off + size > o->size)
			return false;
	}
	return true;
}

/* The variable that a constant address is in, which points-to need not have been asked about; null:
 * it is none. */
static const Global *
variable(const Inevitable *v, Val addr, u64 *off)
{
	const Const *c = val_is_const(addr) ? ir_const(v->ir, addr) : NULL;

	if (!c || c->kind != CONST_GLOBAL || c->num < 0)
		return NULL;
	*off = (u64)c->num;
	return &v->ir->globals.at[c->ref];
}

/* The definition of a register, behind conversions to a greater width. */
static const Ins *
definition(const Inevitable *v, InstId inst, Val *x)
{
	const Fn *fn = pta_fn(v->p, inst);
	const Ins *def = NULL;

	while (val_is_reg(*x) && fn_reg(v->ir, fn, *x)->def) {
		def = ir_ins(v->ir, fn_reg(v->ir, fn, *x)->def);
		if (def->op != OP_CAST || (def->sub != CAST_SEXT && def->sub != CAST_ZEXT))
			break;
		*x = ins_arg(v->ir, def, 0);
	}
	return def;
}

/* Is it an element of an array that is there, for each number that a loop counts? */
static bool
within_by_counter(Inevitable *v, InstId inst, InsId at, const Touch *t)
{
	Val x = t->addr;
	const Ins *def = definition(v, inst, &x);
	i64 last;

	if (x != t->addr || !def || def->op != OP_INDEX || def->sub || def->imm <= 0)
		return false;
	x = ins_arg(v->ir, def, 1);
	definition(v, inst, &x);
	return inevitable_count(v, inst, at, x, &last) && def->imm <= 1 << 20 &&
	       !set_empty(pta_pts(v->p, inst, ins_arg(v->ir, def, 0))) &&
	       within(v, inst, ins_arg(v->ir, def, 0), (u64)last * (u64)def->imm + t->size);
}

/* Is it read up to its end, and text that the program has as a constant? */
static bool
is_literal(const Inevitable *v, InstId inst, const Touch *t)
{
	const Set *pts = pta_pts(v->p, inst, t->addr);
	u64 off;
	const Global *g = variable(v, t->addr, &off);

	if (t->size || t->flags & (ACC_WRITE | ACC_FREE) || !(t->flags & ACC_LIBRARY))
		return false;
	if (g)
		return g->constant && off < g->size;
	SET_FOR (it, pts) {
		const Obj *o = pta_obj(v->p, pta_slot(v->p, it.x)->obj);
		if (o->kind != OBJ_GLOBAL || !v->ir->globals.at[o->ref].constant)
			return false;
	}
	return !set_empty(pts);
}

/* An access that cannot trap: of size bytes within known objects. */
static bool
safe(Inevitable *v, InstId inst, InsId at, const Touch *t)
{
	u64 off;
	const Global *g = variable(v, t->addr, &off);

	if (is_literal(v, inst, t))
		return inevitable_present(v, inst, t->addr);
	if (g && t->size && !(t->flags & ACC_FREE))
		return off + t->size <= g->size;
	if (set_empty(pta_pts(v->p, inst, t->addr)) || !t->size || t->flags & ACC_FREE ||
	    !inevitable_present(v, inst, t->addr))
		return false;
	if (is_member(v, inst, t->addr))
		return true; /* its object has it, or the class would not have been loaded */
	return within(v, inst, t->addr, t->size) || within_by_counter(v, inst, at, t);
}

bool
inevitable_touch(Inevitable *v, const Access *a)
{
	Touch t = {a->addr, a->flags, a->size};

	return safe(v, a->inst, a->ins, &t);
}

/* The one lock object that an acquire or release names; 0 if not certain. */
SlotId
inevitable_one_lock(Inevitable *v, InstId inst, const Ins *ins)
{
	const Set *pts = pta_pts(v->p, inst, ins_arg(v->ir, ins, 0));
	SlotId s;

	if (!set_single(pts))
		return 0;
	s = set_first(pts);
	return !pta_slot(v->p, s)->stride && threads_single(v->c->threads, pta_slot(v->p, s)->obj)
		   ? s
		   : 0;
}

/* Is the lock that is released here certainly held, by this function's doing? */
static bool
holds(Inevitable *v, InstId inst, InsId release)
{
	SlotId lock = inevitable_one_lock(v, inst, ir_ins(v->ir, release));
	LocksetId held = locks_held(v->c->locks, inst, 0, locks_before(v->c->locks, inst, release));

	return lock && locks_has(v->c->locks, held, lock);
}

static void
add_needs(Inevitable *v, Needs *to, const Needs *from)
{
	set_or(v->arena, &to->locks, &from->locks);
	set_or(v->arena, &to->ended, &from->ended);
}

const Edge *
inevitable_callee(Inevitable *v, InstId inst, InsId id)
{
	const Ins *ins = ir_ins(v->ir, id);
	u32 n;
	const Edge *e = pta_targets(v->p, inst, id, &n);
	const Fn *fn = n == 1 ? pta_fn(v->p, e->to) : NULL;

	if (!fn || ins->op != OP_CALL || (ins->sub != CALL_PLAIN && ins->sub != CALL_VIRTUAL))
		return NULL;
	if (!fn->class || fn->flags & FN_STATIC)
		return e;
	if (ins->narg < 2 || !set_single(pta_pts(v->p, inst, ins_arg(v->ir, ins, 1))) ||
	    !inevitable_present(v, inst, ins_arg(v->ir, ins, 1)))
		return NULL;
	return e;
}

static bool
harmless_call(Inevitable *v, InstId inst, InsId id, Needs *need)
{
	const Edge *e = inevitable_callee(v, inst, id);

	if (!e || !inevitable_returns(v, e->to))
		return false;
	add_needs(v, need, &v->needs[e->to]);
	return true;
}

/* An initialiser that returns.  Who comes later waits for that; two that wait
 * for each other need each other, and do not count as returning. */
static bool
harmless_cinit(Inevitable *v, InstId inst, InsId id, Needs *need)
{
	u32 n;
	const Edge *e = pta_targets(v->p, inst, id, &n);

	if (!v->ir->classes.at[ir_ins(v->ir, id)->aux].cinit)
		return true;
	if (n != 1 || !inevitable_returns(v, e->to))
		return false;
	add_needs(v, need, &v->needs[e->to]);
	return true;
}

/* Notes which objects are written other than by forks that store a handle
 * there, and which threads are joined or detached at more than one place. */
static void
scan_handles(Inevitable *v)
{
	for (InstId i = 1; i < v->p->insts.n; i++) {
		const Fn *fn = pta_fn(v->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *ins = ir_ins(v->ir, id);
			Touch touch[2];
			u32 n = ins->op == OP_FORK ? 0 : access_touches(v->ir, id, touch);
			for (u32 k = 0; k < n; k++)
				if (touch[k].flags & ACC_WRITE)
					SET_FOR (it, pta_pts(v->p, i, touch[k].addr))
						set_add(v->arena, &v->stored,
							pta_slot(v->p, it.x)->obj);
			if (ins->op == OP_JOIN || (ins->op == OP_DETACH && !ins->sub))
				SET_FOR (it, pta_pts(v->p, i, ins_arg(v->ir, ins, 0)))
					if (!set_add(v->arena, &v->claimed,
						     pta_slot(v->p, it.x)->obj))
						set_add(v->arena, &v->claimed_twice,
							pta_slot(v->p, it.x)->obj);
		}
	}
	v->scanned = true;
}

/* Does the handle certainly come from a fork: its result, or loaded from
 * memory that only forks write? */
static bool
certain_handle(Inevitable *v, InstId inst, Val handle)
{
	const Fn *fn = pta_fn(v->p, inst);
	const Ins *def;

	if (!val_is_reg(handle) || !fn_reg(v->ir, fn, handle)->def)
		return false;
	def = ir_ins(v->ir, fn_reg(v->ir, fn, handle)->def);
	if (def->op == OP_FORK)
		return true;
	if (def->op != OP_LOAD)
		return false;
	SET_FOR (it, pta_pts(v->p, inst, ins_arg(v->ir, def, 0)))
		if (!pta_slot_exact(v->p, it.x) || set_has(&v->stored, pta_slot(v->p, it.x)->obj))
			return false;
	return true;
}

/* The one unique thread that a handle names, forked in this very instance;
 * 0 if that is not certain. */
static ThreadId
own_child(Inevitable *v, InstId inst, Val handle)
{
	const Set *pts = pta_pts(v->p, inst, handle);
	const Obj *o = set_single(pts) ? pta_obj(v->p, pta_slot(v->p, set_first(pts))->obj) : NULL;
	const Threads *t = v->c->threads;
	ThreadId found = 0;

	if (!v->scanned)
		scan_handles(v);
	if (!o || o->kind != OBJ_THREAD || o->inst != inst || !certain_handle(v, inst, handle) ||
	    set_has(&v->claimed_twice, pta_slot(v->p, set_first(pts))->obj))
		return 0;
	for (ThreadId x = 2; x < t->at.n; x++)
		if (thread_get(t, x)->fork == o->ins && thread_get(t, x)->fork_inst == inst) {
			if (found || !thread_get(t, x)->unique)
				return 0;
			found = x;
		}
	return found;
}

/* A join of an object's thread passes if that was never started, and else waits for its
 * end: all threads that the handle may name have to end by themselves. */
static bool
harmless_wait(Inevitable *v, InstId inst, const Ins *join, Needs *need)
{
	const Threads *t = v->c->threads;

	SET_FOR (it, pta_pts(v->p, inst, ins_arg(v->ir, join, 0))) {
		const Obj *o = pta_obj(v->p, pta_slot(v->p, it.x)->obj);
		if (o->kind != OBJ_THREAD)
			return false;
		for (ThreadId x = 2; x < t->at.n; x++) {
			const Thread *th = thread_get(t, x);
			if (th->fork != o->ins || th->fork_inst != o->inst)
				continue;
			if (!inevitable_returns(v, th->start))
				return false;
			add_needs(v, need, &v->needs[th->start]);
			set_add(v->arena, &need->ended, x);
		}
	}
	return true;
}

/* A join of a thread that was certainly started here and ends by itself. */
static bool
harmless_join(Inevitable *v, InstId inst, InsId id, Needs *need)
{
	const Ins *ins = ir_ins(v->ir, id);
	const Cfg *cfg = inevitable_cfg(v, inst);
	bool waits = ins->flags & INS_RECURSIVE && !(ins->flags & INS_TRY);
	ThreadId x = ins->flags & INS_TRY ? 0 : own_child(v, inst, ins_arg(v->ir, ins, 0));
	BlockId fork, join = cfg_block_of(v->ir, cfg->fn, id);
	const Thread *th;

	if (!x)
		return waits && harmless_wait(v, inst, ins, need);
	th = thread_get(v->c->threads, x);
	fork = cfg_block_of(v->ir, cfg->fn, th->fork);
	if (fork == join ? th->fork > id : !cfg_dominates(cfg, fork, join))
		return false;
	if (!inevitable_returns(v, th->start))
		return false;
	add_needs(v, need, &v->needs[th->start]);
	set_add(v->arena, &need->ended, x);
	return true;
}

static bool
harmless_divide(Inevitable *v, const Ins *ins)
{
	Val d = ins_arg(v->ir, ins, 1);

	if (ins->sub != BIN_UDIV && ins->sub != BIN_SDIV && ins->sub != BIN_UREM &&
	    ins->sub != BIN_SREM)
		return true;
	return val_is_const(d) && ir_const(v->ir, d)->kind == CONST_INT &&
	       ir_const(v->ir, d)->num > 0;
}

static bool
all_safe(Inevitable *v, InstId inst, InsId id)
{
	Touch touch[2];
	u32 n = access_touches(v->ir, id, touch);

	for (u32 i = 0; i < n; i++)
		if (!safe(v, inst, id, &touch[i]))
			return false;
	return true;
}

/* Can control certainly pass the instruction?  What it waits for goes to need. */
bool
inevitable_harmless(Inevitable *v, InstId inst, InsId id, Needs *need)
{
	const Ins *ins = ir_ins(v->ir, id);
	SlotId lock;

	if (inst == v->p->root && pta_fn(v->p, inst)->flags & FN_SYNTHETIC &&
	    (ins->op == OP_ALLOC || ins->op == OP_STORE))
		return true; /* the harness makes main's arguments */
	switch (ins->op) {
	case OP_ALLOC:
		return ins->sub == ALLOC_STACK || ins->flags & INS_MODEL ||
		       pta_fn(v->p, inst)->flags & FN_SYNTHETIC ||
		       (!ins->narg && inevitable_is_class(v, ins->aux));
	case OP_FILTER: return ins->sub != 0;
	case OP_CINIT: return harmless_cinit(v, inst, id, need);
	case OP_COPY:
	case OP_PHI:
	case OP_SELECT:
	case OP_FIELD:
	case OP_INDEX:
	case OP_CMP:
	case OP_CAST:
	case OP_FENCE:
	case OP_SIGNAL:
	case OP_PUBLISH:
	case OP_BR:
	case OP_CBR:
	case OP_SWITCH:
	case OP_RET: return true;
	case OP_TASK: return ins->sub == TASK_NAME;
	case OP_NONDET: return ins->sub != NONDET_WAIT;
	case OP_RELEASE: return holds(v, inst, id);
	case OP_BIN: return harmless_divide(v, ins);
	case OP_LOAD:
	case OP_STORE:
	case OP_RMW:
	case OP_CAS:
	case OP_READN:
	case OP_WRITEN:
	case OP_BCOPY:
	case OP_FORK: return all_safe(v, inst, id);
	case OP_JOIN: return all_safe(v, inst, id) && harmless_join(v, inst, id, need);
	case OP_ACQUIRE:
		lock = inevitable_one_lock(v, inst, ins);
		if (!lock || (pta_fn(v->p, inst)->class &&
			      !inevitable_present(v, inst, ins_arg(v->ir, ins, 0))))
			return false; /* a monitor of null throws */
		set_add(v->arena, &need->locks, lock);
		return true;
	case OP_CALL: return harmless_call(v, inst, id, need);
	default: return false;
	}
}
