/* inevitable.c - see inevitable.h (design: Definite).
 *
 * Within a function, the region of a target is what can run before it: the
 * blocks reachable from the entry without passing it.  The target is
 * inevitable if the region has no way out but the target, every cycle in it is
 * a counting loop with constant bounds, and every instruction in it is
 * harmless.  The branch after a fork, lock or join whose result is tested is
 * taken as on success: we look for one run, and there is one where these
 * succeed.
 *
 * All answers err to false: a false only costs a rung. */
#include "race/inevitable.h"

#include "conc/sign.h"
#include "ir/induction.h"

struct Inevitable {
	Arena *arena;
	const Conc *c;
	const Ir *ir;
	const Pta *p;
	Cfg **cfgs;        /* [FnId] */
	u8 *returns;       /* [InstId]: ANSWER_* */
	Needs *needs;      /* [InstId]: of an instance that returns */
	Map locks;         /* SlotId -> ANSWER_* */
	Set *written;      /* ObjIds of globals that the program writes to; found on first use */
	bool scanned;      /* the next three are known */
	Set stored;        /* ObjIds that anything but a fork's handle is stored to */
	Set claimed;       /* thread objects that are joined or detached somewhere */
	Set claimed_twice; /* at more than one place */
};

enum { ANSWER_NONE, ANSWER_BUSY, ANSWER_YES, ANSWER_NO };

Inevitable *
inevitable_new(Arena *a, const Conc *c)
{
	Inevitable *v = arena_new(a, Inevitable);

	*v = (Inevitable){.arena = a, .c = c, .ir = c->ir, .p = c->pta};
	v->cfgs = arena_array(a, Cfg *, c->ir->fns.n);
	v->returns = arena_array(a, u8, c->pta->insts.n);
	v->needs = arena_array(a, Needs, c->pta->insts.n);
	return v;
}

static const Cfg *
cfg_of(Inevitable *v, InstId inst)
{
	FnId fn = pta_inst(v->p, inst)->fn;

	if (!v->cfgs[fn]) {
		v->cfgs[fn] = arena_new(v->arena, Cfg);
		cfg_build(v->cfgs[fn], v->arena, v->ir, &v->ir->fns.at[fn]);
	}
	return v->cfgs[fn];
}

/* ---- harmless instructions -------------------------------------------------- */

static bool
never_written(Inevitable *v, ObjId o)
{
	if (!v->written) {
		v->written = arena_new(v->arena, Set);
		for (u32 k = 0; k < v->c->accesses.n; k++) {
			const Access *a = &v->c->accesses.at[k];
			if (!(a->flags & ACC_WRITE))
				continue;
			SET_FOR (it, pta_pts(v->p, a->inst, a->addr))
				set_add(v->arena, v->written, pta_slot(v->p, it.x)->obj);
		}
	}
	return v->c->complete && !set_has(v->written, o) && !fresh_unknown(v->c->fresh, o);
}

/* What a load certainly gets: the first contents of a global that nobody
 * writes to; 0 if that is not certain. */
static Val
constant_at(Inevitable *v, InstId inst, Val addr)
{
	const Set *pts = pta_pts(v->p, inst, addr);
	const Slot *s = set_count(pts) == 1 ? pta_slot(v->p, set_first(pts)) : NULL;
	const Obj *o = s ? pta_obj(v->p, s->obj) : NULL;
	const Global *g;

	if (!o || o->kind != OBJ_GLOBAL || o->folded || s->stride || !never_written(v, s->obj))
		return 0;
	g = &v->ir->globals.at[o->ref];
	for (u32 k = g->init; k < g->init + g->ninit; k++)
		if (v->ir->inits.at[k].off == (u64)s->off)
			return v->ir->inits.at[k].val;
	return 0;
}

/* Certainly the address of an object that is there. */
static bool
not_null(Inevitable *v, InstId inst, Val x, u32 depth)
{
	const Inst *in = pta_inst(v->p, inst);
	const Fn *fn = pta_fn(v->p, inst);
	const Ins *def;
	InsId id;

	if (val_is_const(x))
		return ir_const(v->ir, x)->kind == CONST_GLOBAL;
	if (!x || depth > 8)
		return false;
	id = fn_reg(v->ir, fn, x)->def;
	if (id) {
		def = ir_ins(v->ir, id);
		if (def->op == OP_ALLOC)
			return def->sub == ALLOC_STACK;
		if (def->op == OP_COPY || def->op == OP_FIELD || def->op == OP_INDEX)
			return not_null(v, inst, ins_arg(v->ir, def, 0), depth + 1);
		if (def->op == OP_LOAD) {
			Val first = constant_at(v, inst, ins_arg(v->ir, def, 0));
			return first && not_null(v, inst, first, depth + 1);
		}
		return false;
	}
	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &v->p->edges.at[v->p->callers.at[k]];
		const Ins *call = ir_ins(v->ir, e->ins);
		u32 arg = x + (e->fork ? 1 : 0); /* a fork has the handle before its function */
		if ((call->op != OP_CALL && call->op != OP_FORK) || arg >= call->narg)
			return false;
		if (!not_null(v, e->from, ins_arg(v->ir, call, arg), depth + 1))
			return false;
	}
	return in->ncaller > 0;
}

/* An access that cannot trap: of size bytes within known objects. */
static bool
safe(Inevitable *v, InstId inst, const Touch *t)
{
	const Set *pts = pta_pts(v->p, inst, t->addr);

	if (set_empty(pts) || !t->size || t->flags & ACC_FREE || !not_null(v, inst, t->addr, 0))
		return false;
	SET_FOR (it, pts) {
		const Slot *s = pta_slot(v->p, it.x);
		const Obj *o = pta_obj(v->p, s->obj);
		if (s->stride || s->off < 0 || o->folded ||
		    (o->kind != OBJ_GLOBAL && o->kind != OBJ_STACK))
			return false;
		if (!o->size || (u64)s->off + t->size > o->size)
			return false;
	}
	return true;
}

bool
inevitable_touch(Inevitable *v, const Access *a)
{
	Touch t = {a->addr, a->flags, a->size};

	return safe(v, a->inst, &t);
}

/* The one lock object that an acquire or release names; 0 if not certain. */
static SlotId
one_lock(Inevitable *v, InstId inst, const Ins *ins)
{
	const Set *pts = pta_pts(v->p, inst, ins_arg(v->ir, ins, 0));
	SlotId s;

	if (set_count(pts) != 1)
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
	SlotId lock = one_lock(v, inst, ir_ins(v->ir, release));
	LocksetId held = locks_held(v->c->locks, inst, 0, locks_before(v->c->locks, inst, release));
	HeldLock *list;
	u32 n = lock ? locks_list(v->c->locks, inst, held, v->arena, &list) : 0;

	for (u32 i = 0; i < n; i++)
		if (list[i].slot == lock)
			return true;
	return false;
}

static bool returns(Inevitable *v, InstId inst);

static void
add_needs(Inevitable *v, Needs *to, const Needs *from)
{
	set_or(v->arena, &to->locks, &from->locks);
	set_or(v->arena, &to->ended, &from->ended);
}

static bool
harmless_call(Inevitable *v, InstId inst, InsId id, Needs *need)
{
	u32 n;
	const Edge *e = pta_targets(v->p, inst, id, &n);

	if (n != 1 || ir_ins(v->ir, id)->sub != CALL_PLAIN || !returns(v, e->to))
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
			if (ins->op == OP_JOIN || ins->op == OP_DETACH)
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
	const Obj *o =
	    set_count(pts) == 1 ? pta_obj(v->p, pta_slot(v->p, set_first(pts))->obj) : NULL;
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

/* A join of a thread that was certainly started here and ends by itself. */
static bool
harmless_join(Inevitable *v, InstId inst, InsId id, Needs *need)
{
	const Ins *ins = ir_ins(v->ir, id);
	const Cfg *cfg = cfg_of(v, inst);
	ThreadId x = ins->flags & INS_TRY ? 0 : own_child(v, inst, ins_arg(v->ir, ins, 0));
	BlockId fork, join = cfg_block_of(v->ir, cfg->fn, id);
	const Thread *th;

	if (!x)
		return false;
	th = thread_get(v->c->threads, x);
	fork = cfg_block_of(v->ir, cfg->fn, th->fork);
	if (fork == join ? th->fork > id : !cfg_dominates(cfg, fork, join))
		return false;
	if (!returns(v, th->start))
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
		if (!safe(v, inst, &touch[i]))
			return false;
	return true;
}

/* Can control certainly pass the instruction?  What it waits for goes to need. */
static bool
harmless(Inevitable *v, InstId inst, InsId id, Needs *need)
{
	const Ins *ins = ir_ins(v->ir, id);
	SlotId lock;

	if (inst == v->p->root && pta_fn(v->p, inst)->flags & FN_SYNTHETIC &&
	    (ins->op == OP_ALLOC || ins->op == OP_STORE))
		return true; /* the harness makes main's arguments */
	switch (ins->op) {
	case OP_ALLOC: return ins->sub == ALLOC_STACK || ins->flags & INS_MODEL;
	case OP_COPY:
	case OP_PHI:
	case OP_SELECT:
	case OP_FIELD:
	case OP_INDEX:
	case OP_CMP:
	case OP_CAST:
	case OP_NONDET:
	case OP_FENCE:
	case OP_SIGNAL:
	case OP_PUBLISH:
	case OP_BR:
	case OP_CBR:
	case OP_SWITCH:
	case OP_RET: return true;
	case OP_RELEASE: return holds(v, inst, id);
	case OP_BIN: return harmless_divide(v, ins);
	case OP_LOAD:
	case OP_STORE:
	case OP_RMW:
	case OP_CAS:
	case OP_READN:
	case OP_WRITEN:
	case OP_BCOPY:
	case OP_FORK:
		if (ins->op == OP_WRITEN && ins->flags & INS_MODEL)
			return false; /* input: may never come */
		return all_safe(v, inst, id);
	case OP_JOIN: return all_safe(v, inst, id) && harmless_join(v, inst, id, need);
	case OP_ACQUIRE:
		lock = one_lock(v, inst, ins);
		if (!lock)
			return false;
		set_add(v->arena, &need->locks, lock);
		return true;
	case OP_CALL: return harmless_call(v, inst, id, need);
	default: return false;
	}
}

/* ---- regions ------------------------------------------------------------------ */

/* Is this successor taken only if a fork, lock or join failed? */
static bool
fails(Inevitable *v, const Fn *fn, const Block *b, u32 succ)
{
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(v->ir, fn, b, succ, facts);

	for (u32 i = 0; i < n; i++) {
		InsId id = fn_reg(v->ir, fn, facts[i].reg)->def;
		const Ins *def = ir_ins(v->ir, id);
		if (id && (def->op == OP_FORK || def->op == OP_ACQUIRE || def->op == OP_JOIN) &&
		    def->cond && !(def->flags & INS_TRY) && !(facts[i].mask & def->cond))
			return true;
	}
	return false;
}

/* A counting loop with constant bounds; its body runs at least *trips times. */
static bool
ends(const Cfg *cfg, u32 loop, i64 *trips)
{
	Counter k;
	const Const *init, *bound;
	i64 span;

	if (cfg->loops[loop].irreducible || !loop_counter(cfg, loop, &k))
		return false;
	if (k.after_step || k.test != cfg->loops[loop].header || !val_is_const(k.iv.init) ||
	    !val_is_const(k.bound))
		return false;
	init = ir_const(cfg->ir, k.iv.init);
	bound = ir_const(cfg->ir, k.bound);
	if (init->kind != CONST_INT || bound->kind != CONST_INT || k.iv.step <= 0)
		return false;
	if (k.pred != CMP_SLT && k.pred != CMP_ULT && !(k.pred == CMP_NE && k.iv.step == 1))
		return false;
	span = bound->num - init->num;
	if (init->num < 0 || span < 0 || span > 1 << 20)
		return false;
	*trips = (span + k.iv.step - 1) / k.iv.step;
	return true;
}

/* Does every round of the loop pass the block? */
static bool
every_round(const Cfg *cfg, u32 loop, BlockId b)
{
	GRAPH_FOR (from, &cfg->pred, cfg->loops[loop].header)
		if (cfg_loop_has(cfg, loop, *from) && !cfg_dominates(cfg, b, *from))
			return false;
	return true;
}

/* Is this edge left out: failure of a call, or leaving a counting loop that
 * has the target before its first round? */
static bool
pruned(Inevitable *v, const Cfg *cfg, BlockId b, u32 succ, BlockId target)
{
	const Block *block = fn_block(v->ir, cfg->fn, b);
	BlockId to = v->ir->succs.at[block->succ + succ];
	u32 loop = cfg->loop_of[b];
	i64 trips;

	if (fails(v, cfg->fn, block, succ))
		return true;
	return target && loop && cfg->loops[loop].header == b && !cfg_loop_has(cfg, loop, to) &&
	       cfg_loop_has(cfg, loop, target) && every_round(cfg, loop, target) &&
	       ends(cfg, loop, &trips) && trips > 0;
}

/* Walks the region of ins (0: of all returns); see the top of the file. */
static bool
region_leads(Inevitable *v, InstId inst, InsId ins, Needs *need)
{
	const Cfg *cfg = cfg_of(v, inst);
	BlockId target = ins ? cfg_block_of(v->ir, cfg->fn, ins) : 0;
	VecU32 todo = {0};
	Set seen = {0};
	i64 trips;

	vec_push(v->arena, &todo, 1);
	set_add(v->arena, &seen, 1);
	while (todo.n) {
		BlockId b = todo.at[--todo.n];
		const Block *block = fn_block(v->ir, cfg->fn, b);
		u8 last = ir_ins(v->ir, block->ins + block->nins - 1)->op;
		if (cfg->loop_of[b] && !ends(cfg, cfg->loop_of[b], &trips))
			return false;
		for (InsId i = block->ins; i < block->ins + block->nins && i != ins; i++)
			if (!harmless(v, inst, i, need))
				return false;
		if (b == target)
			continue;
		if (op_is_terminator(last) && last != OP_BR && last != OP_CBR &&
		    last != OP_SWITCH && !(last == OP_RET && !target))
			return false;
		for (u32 k = 0; k < block->nsucc; k++) {
			BlockId to = v->ir->succs.at[block->succ + k];
			if (!pruned(v, cfg, b, k, target) && set_add(v->arena, &seen, to))
				vec_push(v->arena, &todo, to);
		}
	}
	return !target || set_has(&seen, target);
}

static bool
returns(Inevitable *v, InstId inst)
{
	if (v->returns[inst] == ANSWER_BUSY || !pta_fn(v->p, inst)->nblock)
		return false; /* recursion is not shown to end */
	if (v->returns[inst] == ANSWER_NONE) {
		v->returns[inst] = ANSWER_BUSY;
		v->returns[inst] =
		    region_leads(v, inst, 0, &v->needs[inst]) ? ANSWER_YES : ANSWER_NO;
	}
	return v->returns[inst] == ANSWER_YES;
}

/* ---- arrivals ------------------------------------------------------------------ */

static bool
arrive(Inevitable *v, ThreadId t, InstId inst, InsId ins, u32 depth, Arrival *out)
{
	const Inst *in = pta_inst(v->p, inst);

	if (depth >= MAX_STEPS || !region_leads(v, inst, ins, &out->need))
		return false;
	if (inst == thread_get(v->c->threads, t)->start) {
		out->n = 0;
		out->steps[out->n++] = (Step){inst, ins};
		return true;
	}
	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &v->p->edges.at[v->p->callers.at[k]];
		u32 n;
		if (e->fork || !set_has(&v->c->threads->insts[t], e->from))
			continue;
		pta_targets(v->p, e->from, e->ins, &n);
		if (n != 1 || ir_ins(v->ir, e->ins)->op != OP_CALL ||
		    ir_ins(v->ir, e->ins)->sub != CALL_PLAIN)
			continue;
		if (arrive(v, t, e->from, e->ins, depth + 1, out)) {
			out->steps[out->n++] = (Step){inst, ins};
			return true;
		}
	}
	return false;
}

static bool may_hold(Inevitable *v, InstId inst, InsId ins, SlotId lock);

/* May the lock be held after the instruction, if it may have been before as said? */
static bool
held_after(Inevitable *v, InstId inst, InsId id, SlotId lock, bool held)
{
	const Ins *ins = ir_ins(v->ir, id);
	u32 n;
	const Edge *e;

	if (ins->op == OP_ACQUIRE)
		return held || set_has(pta_pts(v->p, inst, ins_arg(v->ir, ins, 0)), lock);
	if (ins->op == OP_RELEASE)
		return held && one_lock(v, inst, ins) != lock;
	if (ins->op != OP_CALL)
		return held;
	e = pta_targets(v->p, inst, id, &n);
	for (u32 i = 0; i < n && !held; i++)
		held = !returns(v, e[i].to) || may_hold(v, e[i].to, 0, lock);
	return held;
}

/* May inst, which starts without the lock, hold it when control comes to ins
 * (0: when it returns)?  Ends: a function that returns does not recurse. */
static bool
may_hold(Inevitable *v, InstId inst, InsId ins, SlotId lock)
{
	const Fn *fn = pta_fn(v->p, inst);
	bool *in = arena_array(v->arena, bool, fn->nblock + 1);
	VecU32 todo = {0};

	for (BlockId b = 1; b <= fn->nblock; b++)
		vec_push(v->arena, &todo, b);
	while (todo.n) {
		BlockId b = todo.at[--todo.n];
		const Block *block = fn_block(v->ir, fn, b);
		bool held = in[b];
		for (InsId i = block->ins; i < block->ins + block->nins; i++) {
			if (held && (i == ins || (!ins && ir_ins(v->ir, i)->op == OP_RET)))
				return true;
			held = held_after(v, inst, i, lock, held);
		}
		for (u32 k = 0; k < block->nsucc && held; k++) {
			BlockId to = v->ir->succs.at[block->succ + k];
			if (!in[to])
				vec_push(v->arena, &todo, to);
			in[to] = true;
		}
	}
	return false;
}

static void
find_open(Inevitable *v, Arrival *a)
{
	SET_FOR (it, &a->need.locks)
		for (u32 s = 0; s < a->n; s++)
			if (may_hold(v, a->steps[s].inst, a->steps[s].ins, it.x))
				set_add(v->arena, &a->open, it.x);
}

bool
inevitable_arrival(Inevitable *v, ThreadId t, InstId inst, InsId ins, Arrival *out)
{
	*out = (Arrival){0};
	if (!arrive(v, t, inst, ins, 0, out))
		return false;
	find_open(v, out);
	return true;
}

bool
inevitable_before(Inevitable *v, const Arrival *first, const Arrival *second)
{
	u32 i = 0;
	const Cfg *cfg;
	BlockId x, y;
	InsId f, s;

	while (i < first->n && i < second->n && first->steps[i].inst == second->steps[i].inst &&
	       first->steps[i].ins == second->steps[i].ins)
		i++;
	if (i == first->n || i == second->n || first->steps[i].inst != second->steps[i].inst)
		return false;
	cfg = cfg_of(v, first->steps[i].inst);
	f = first->steps[i].ins;
	s = second->steps[i].ins;
	x = cfg_block_of(v->ir, cfg->fn, f);
	y = cfg_block_of(v->ir, cfg->fn, s);
	return x == y ? f < s : cfg_dominates(cfg, x, y);
}

static bool
waits_for_nothing(const Needs *need)
{
	return set_empty(&need->locks) && set_empty(&need->ended);
}

bool
inevitable_twice(Inevitable *v, const Arrival *fork)
{
	const Step *last = &fork->steps[fork->n - 1];
	const Cfg *cfg = cfg_of(v, last->inst);
	BlockId at = cfg_block_of(v->ir, cfg->fn, last->ins);
	u32 loop = cfg->loop_of[at];
	Needs need = {0};
	i64 trips;

	if (!loop || !ends(cfg, loop, &trips) || trips < 2)
		return false;
	/* The fork is on every round, and nothing in the loop blocks. */
	for (BlockId b = 1; b <= cfg->fn->nblock; b++) {
		const Block *block = fn_block(v->ir, cfg->fn, b);
		if (!cfg_loop_has(cfg, loop, b))
			continue;
		for (InsId i = block->ins; i < block->ins + block->nins; i++)
			if (!harmless(v, last->inst, i, &need))
				return false;
		for (u32 k = 0; k < block->nsucc; k++) {
			BlockId to = v->ir->succs.at[block->succ + k];
			if (fails(v, cfg->fn, block, k))
				continue;
			if (to == cfg->loops[loop].header && !cfg_dominates(cfg, at, b))
				return false;
			if (b != cfg->loops[loop].header && !cfg_loop_has(cfg, loop, to))
				return false; /* another way out */
		}
	}
	return waits_for_nothing(&need);
}

/* Does every path from the acquire reach a release of the lock in the same
 * function, with nothing in between that blocks or calls? */
static bool
section_ends(Inevitable *v, InstId inst, InsId acquire, SlotId lock)
{
	const Cfg *cfg = cfg_of(v, inst);
	VecU32 todo = {0};
	Set seen = {0};

	vec_push(v->arena, &todo, acquire + 1);
	while (todo.n) {
		InsId i = todo.at[--todo.n];
		BlockId b = cfg_block_of(v->ir, cfg->fn, i);
		const Block *block = fn_block(v->ir, cfg->fn, b);
		bool released = false;
		Needs need = {0};
		for (; i < block->ins + block->nins && !released; i++) {
			const Ins *ins = ir_ins(v->ir, i);
			released = ins->op == OP_RELEASE && one_lock(v, inst, ins) == lock;
			if (ins->op == OP_RET || !harmless(v, inst, i, &need) ||
			    !waits_for_nothing(&need))
				return false;
		}
		for (u32 k = 0; k < block->nsucc && !released; k++) {
			BlockId to = v->ir->succs.at[block->succ + k];
			if (cfg->loop_of[to])
				return false;
			if (set_add(v->arena, &seen, to))
				vec_push(v->arena, &todo, fn_block(v->ir, cfg->fn, to)->ins);
		}
	}
	return true;
}

/* Every acquire that may name the lock names only it, and its section ends. */
static bool
sections_end(Inevitable *v, SlotId lock)
{
	for (InstId i = 1; i < v->p->insts.n; i++) {
		const Fn *fn = pta_fn(v->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *ins = ir_ins(v->ir, id);
			bool may = false;
			if (ins->op != OP_ACQUIRE)
				continue;
			SET_FOR (it, pta_pts(v->p, i, ins_arg(v->ir, ins, 0)))
				may |= pta_slot(v->p, it.x)->obj == pta_slot(v->p, lock)->obj;
			if (may && (one_lock(v, i, ins) != lock || !section_ends(v, i, id, lock)))
				return false;
		}
	}
	return true;
}

bool
inevitable_lock(Inevitable *v, SlotId lock)
{
	u32 answer = map_get(&v->locks, lock);

	if (!answer) {
		answer = sections_end(v, lock) ? ANSWER_YES : ANSWER_NO;
		map_put(v->arena, &v->locks, lock, answer);
	}
	return answer == ANSWER_YES;
}
