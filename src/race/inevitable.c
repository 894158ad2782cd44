/* inevitable.c - see inevitable.h (design: Definite).
 *
 * Within a function, the region of a target is what can run before it: the
 * blocks reachable from the entry without passing it.  The target is
 * inevitable if the region has no way out but the target, every cycle in it is
 * a counting loop with constant bounds, and every instruction in it is
 * harmless.  The branch after a fork, lock or join whose result is tested, and after any
 * other call that may succeed whatever the input, is taken as on success: we look for one run, and
 * there is one where these succeed.
 *
 * All answers err to false: a false only costs a rung. */
#include "race/inevitable_int.h"

#include "conc/sign.h"
#include "ir/induction.h"

enum { MAX_LOCKS = 64 }; /* that are taken on the way to an access */

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

const Cfg *
inevitable_cfg(Inevitable *v, InstId inst)
{
	FnId fn = pta_inst(v->p, inst)->fn;

	if (!v->cfgs[fn]) {
		v->cfgs[fn] = arena_new(v->arena, Cfg);
		cfg_build(v->cfgs[fn], v->arena, v->ir, &v->ir->fns.at[fn]);
	}
	return v->cfgs[fn];
}

/* ---- regions ------------------------------------------------------------------ */

/* Does it say for which results it took place, and may always do? */
static bool
may_succeed(const Ins *i)
{
	return (i->op == OP_FORK || i->op == OP_ACQUIRE || i->op == OP_JOIN ||
		i->op == OP_NONDET) &&
	       !(i->flags & INS_TRY);
}

/* Is this successor taken only if a call failed that may succeed in any run? */
static bool
fails(Inevitable *v, InstId inst, const Fn *fn, const Block *b, u32 succ)
{
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(v->ir, fn, b, succ, facts);

	for (u32 i = 0; i < n; i++) {
		InsId id = fn_reg(v->ir, fn, facts[i].reg)->def;
		const Ins *def = ir_ins(v->ir, id);
		if (id && may_succeed(def) && def->cond && !(facts[i].mask & def->cond))
			return true;
		if (id && facts[i].mask == SIGN_ZERO &&
		    (def->op == OP_ALLOC || def->op == OP_LOAD) && def->rt == RT_PTR &&
		    inevitable_present(v, inst, facts[i].reg))
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

bool
inevitable_count(Inevitable *v, InstId inst, InsId at, Val x, i64 *last)
{
	const Cfg *cfg = inevitable_cfg(v, inst);
	BlockId b = cfg_block_of(v->ir, cfg->fn, at);
	Counter k;
	i64 trips;

	for (u32 loop = cfg->loop_of[b]; loop; loop = cfg->loops[loop].parent) {
		if (b == cfg->loops[loop].header || !ends(cfg, loop, &trips) || trips < 1 ||
		    !loop_counter(cfg, loop, &k) || k.iv.phi != x)
			continue;
		*last = ir_const(v->ir, k.iv.init)->num + (trips - 1) * k.iv.step;
		return true;
	}
	return false;
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
pruned(Inevitable *v, InstId inst, const Cfg *cfg, BlockId b, u32 succ, BlockId target)
{
	const Block *block = fn_block(v->ir, cfg->fn, b);
	BlockId to = v->ir->succs.at[block->succ + succ];
	u32 loop = cfg->loop_of[b];
	i64 trips;

	if (fails(v, inst, cfg->fn, block, succ))
		return true;
	return target && loop && cfg->loops[loop].header == b && !cfg_loop_has(cfg, loop, to) &&
	       cfg_loop_has(cfg, loop, target) && every_round(cfg, loop, target) &&
	       ends(cfg, loop, &trips) && trips > 0;
}

/* Walks the region of ins (0: of all returns); see the top of the file. */
static bool
region_leads(Inevitable *v, InstId inst, InsId ins, Needs *need)
{
	const Cfg *cfg = inevitable_cfg(v, inst);
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
			if (!inevitable_harmless(v, inst, i, need))
				return false;
		if (b == target)
			continue;
		if (op_is_terminator(last) && last != OP_BR && last != OP_CBR &&
		    last != OP_SWITCH && !(last == OP_RET && !target))
			return false;
		for (u32 k = 0; k < block->nsucc; k++) {
			BlockId to = v->ir->succs.at[block->succ + k];
			if (!pruned(v, inst, cfg, b, k, target) && set_add(v->arena, &seen, to))
				vec_push(v->arena, &todo, to);
		}
	}
	return !target || set_has(&seen, target);
}

bool
inevitable_returns(Inevitable *v, InstId inst)
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

	if (depth >= MAX_STEPS || !region_leads(v, inst, ins, &out->need) ||
	    threads_is_crew(v->c->threads, t))
		return false;
	if (inst == thread_get(v->c->threads, t)->start) {
		out->n = 0;
		out->steps[out->n++] = (Step){inst, ins};
		return true;
	}
	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &v->p->edges.at[v->p->callers.at[k]];
		if (e->fork || !set_has(&v->c->threads->insts[t], e->from) ||
		    !inevitable_callee(v, e->from, e->ins))
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
		return held && inevitable_one_lock(v, inst, ins) != lock;
	if (ins->op != OP_CALL)
		return held;
	e = pta_targets(v->p, inst, id, &n);
	for (u32 i = 0; i < n && !held; i++)
		held = !inevitable_returns(v, e[i].to) || may_hold(v, e[i].to, 0, lock);
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

/* False where there are too many locks to follow each of them. */
static bool
find_open(Inevitable *v, Arrival *a)
{
	if (set_count(&a->need.locks) > MAX_LOCKS)
		return false;
	SET_FOR (it, &a->need.locks)
		for (u32 s = 0; s < a->n; s++)
			if (may_hold(v, a->steps[s].inst, a->steps[s].ins, it.x))
				set_add(v->arena, &a->open, it.x);
	return true;
}

bool
inevitable_arrival(Inevitable *v, ThreadId t, InstId inst, InsId ins, Arrival *out)
{
	*out = (Arrival){0};
	return arrive(v, t, inst, ins, 0, out) && find_open(v, out);
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
	cfg = inevitable_cfg(v, first->steps[i].inst);
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
	const Cfg *cfg = inevitable_cfg(v, last->inst);
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
			if (!inevitable_harmless(v, last->inst, i, &need))
				return false;
		for (u32 k = 0; k < block->nsucc; k++) {
			BlockId to = v->ir->succs.at[block->succ + k];
			if (fails(v, last->inst, cfg->fn, block, k))
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
	const Cfg *cfg = inevitable_cfg(v, inst);
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
			released =
			    ins->op == OP_RELEASE && inevitable_one_lock(v, inst, ins) == lock;
			if (ins->op == OP_RET || !inevitable_harmless(v, inst, i, &need) ||
			    !waits_for_nothing(&need))
				return false;
		}
		for (u32 k = 0; k < block->nsucc && !released; k++) {
			BlockId to = v->ir->succs.at[block->succ + k];
			if (fails(v, inst, cfg->fn, block, k))
				continue;
			if (cfg->loop_of[to])
				return false;
			if (set_add(v->arena, &seen, to))
				vec_push(v->arena, &todo, fn_block(v->ir, cfg->fn, to)->ins);
		}
	}
	return true;
}

static void
list_acquire(Inevitable *v, InstId inst, InsId ins, ObjId o)
{
	u32 *head = map_at(v->arena, &v->acquired, o);

	if (*head && v->acquires.at[*head - 1].ins == ins && v->acquires.at[*head - 1].inst == inst)
		return; /* by another slot of the object */
	vec_push(v->arena, &v->acquires, (Acquire){inst, ins, *head});
	*head = v->acquires.n;
}

static void
list_acquires(Inevitable *v)
{
	for (InstId i = 1; i < v->p->insts.n; i++) {
		const Fn *fn = pta_fn(v->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *ins = ir_ins(v->ir, id);
			if (ins->op == OP_ACQUIRE)
				SET_FOR (it, pta_pts(v->p, i, ins_arg(v->ir, ins, 0)))
					list_acquire(v, i, id, pta_slot(v->p, it.x)->obj);
		}
	}
}

/* Every acquire that may name the lock names only it, and its section ends. */
static bool
sections_end(Inevitable *v, SlotId lock)
{
	if (!v->acquires.n)
		list_acquires(v);
	for (u32 k = map_get(&v->acquired, pta_slot(v->p, lock)->obj); k;) {
		Acquire a = v->acquires.at[k - 1];
		if (inevitable_one_lock(v, a.inst, ir_ins(v->ir, a.ins)) != lock ||
		    !section_ends(v, a.inst, a.ins, lock))
			return false;
		k = a.next;
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
