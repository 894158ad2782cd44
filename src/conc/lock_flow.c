/* lock_flow.c - the relative lock states within one instance.
 *
 * A forward analysis over blocks in reverse postorder.  States at a block's
 * start only get weaker (each arriving one is joined to what was there) in a
 * lattice of finite height; a block that is visited very often first forgets
 * conditions, then everything, so the number of visits is bounded whatever the
 * conditions do.  Phis are handled on the edges: there it is known which
 * operand they take. */
#include "conc/lock_int.h"

enum { VISITS_COND = 40, VISITS_ALL = 400 };

typedef struct Run {
	Locks *l;
	InstId inst;
	const Fn *fn;
	const Flow *flow;
	bool sync;   /* else every state is REL_SAME or REL_DEAD */
	RelPack *in; /* [BlockId], in l->scratch */
	bool *dirty;
	u32 *visits;
	const Block *block; /* being walked */
	bool raised;        /* the present state went to its handler */
	bool replay;        /* the states are known: nothing is passed on */
	Rel normal, thrown;
} Run;

/* ---- arriving ----------------------------------------------------------- */

static void
forget(Rel *s, u32 visits)
{
	if (visits > VISITS_COND)
		s->ncond = s->nfact = 0;
	if (visits > VISITS_ALL) {
		s->n = 0;
		s->all = 1;
	}
}

static void
arrive(Run *run, BlockId to, Rel *s)
{
	Locks *l = run->l;
	RelPack *in = &run->in[to];
	Rel old, both;

	if (s->dead || run->replay)
		return;
	forget(s, ++run->visits[to]);
	if (rel_is(l, in, s))
		return;
	if (in->at) {
		rel_take(l, in, &old);
		rel_join(l, &both, &old, s);
		forget(&both, run->visits[to]);
		rel_tidy(l, &both);
		if (rel_is(l, in, &both))
			return;
		s = &both;
	}
	rel_put(l, in, s);
	run->dirty[to] = true;
}

static void
leave(Run *run, Rel *out, const Rel *s)
{
	Rel mine, old;

	if (s->dead || run->replay)
		return;
	rel_copy(&mine, s);
	rel_leave(run->l, &mine);
	rel_copy(&old, out);
	rel_join(run->l, out, &old, &mine);
}

/* s goes to the handler of the present block or out of the function. */
static void
raise_to(Run *run, const Rel *s)
{
	Rel e;

	if (!run->block->exc) {
		leave(run, &run->thrown, s);
		return;
	}
	rel_copy(&e, s);
	arrive(run, run->block->exc, &e);
}

/* ---- signs -------------------------------------------------------------- */

/* The acquire behind reg failed. */
static void
failed(Run *run, Rel *s, const Ins *ins)
{
	Name names[2];
	u32 n = locks_names(run->l, run->inst, ins_arg(run->l->ir, ins, 0), names);

	for (u32 i = 0; i < n; i++) {
		RelName *x = rel_find(s, names[i].kind, names[i].ref);
		if (x)
			x->eff[ins->sub].floor = 0;
	}
}

static void
learn(Run *run, Rel *s, Val v, u32 mask)
{
	const Ir *ir = run->l->ir;
	RelFact facts[SIGN_FACTS];
	u32 n;

	if (!(sign_of(ir, v) & mask))
		s->dead = 1;
	if (!run->sync || s->dead)
		return;
	n = sign_follow(ir, run->fn, v, mask, facts);
	for (u32 i = 0; i < n && !s->dead; i++) {
		const Ins *def = ir_ins(ir, fn_reg(ir, run->fn, facts[i].reg)->def);
		rel_learn(s, facts[i].reg, facts[i].mask);
		if (def->op == OP_ACQUIRE && !(def->flags & INS_TRY) && def->cond &&
		    !(def->cond & facts[i].mask))
			failed(run, s, def);
	}
	rel_tidy(run->l, s);
}

/* What reg (0: the result) and the conditions on it become when it takes v. */
typedef struct Taken {
	Val reg;
	u32 signs;
	u32 nmask;
	u8 mask[REL_CONDS]; /* for each condition of the state: signs of reg that imply it */
} Taken;

static Taken
take(Run *run, const Rel *s, Val reg, Val v)
{
	Taken t = {.reg = reg, .nmask = s->ncond};
	RelFact facts[SIGN_FACTS];

	for (u32 sign = SIGN_NEG; sign <= SIGN_POS; sign <<= 1) {
		u32 n = sign_follow(run->l->ir, run->fn, v, sign, facts);
		bool can = sign_of(run->l->ir, v) & sign;
		for (u32 i = 0; i < n; i++)
			can = can && facts[i].mask & rel_known(s, facts[i].reg);
		t.signs |= can ? sign : 0;
		for (u32 c = 0; c < s->ncond; c++) {
			bool implied = !can;
			for (u32 i = 0; i < n; i++)
				implied |= facts[i].reg == s->cond[c].reg &&
					   !(facts[i].mask & rel_known(s, facts[i].reg) &
					     ~(u32)s->cond[c].mask);
			t.mask[c] |= implied ? (u8)sign : 0;
		}
	}
	return t;
}

/* from: the conditions when t was made. */
static void
give(Rel *s, const Taken *t, const RelCond *from)
{
	if (t->signs)
		rel_add_fact(s, t->reg, t->signs);
	for (u32 c = 0; c < t->nmask; c++) {
		RelCond cond = from[c];
		cond.reg = t->reg;
		cond.mask = t->mask[c];
		if (cond.mask & t->signs && rel_find(s, cond.kind, cond.ref))
			rel_add_cond(s, cond);
	}
}

/* ---- edges -------------------------------------------------------------- */

static Val
phi_value(const Ir *ir, const Ins *phi, BlockId from)
{
	for (u32 i = 0; i + 1 < phi->narg; i += 2)
		if (ins_arg(ir, phi, i) == from)
			return ins_arg(ir, phi, i + 1);
	return 0;
}

enum { PHIS = 16 }; /* whose signs are followed */

static bool
has_pointer_phi(const Ir *ir, const Block *b)
{
	for (InsId i = b->ins; i < b->ins + b->nins && ir_ins(ir, i)->op == OP_PHI; i++)
		if (ir_ins(ir, i)->rt == RT_PTR)
			return true;
	return false;
}

/* Are locks held by paths?  They come last. */
static bool
has_paths(const Rel *s)
{
	for (u32 i = s->n; i-- > 0 && s->name[i].name.kind == NAME_PATH;)
		if (s->name[i].eff[LOCK_WRITE].floor > 0 || s->name[i].eff[LOCK_READ].floor > 0)
			return true;
	return false;
}

/* What was held by way of the value that a phi takes is now held by way of the phi as well: the
 * same locks by another name. */
static void
rename_phis(Run *run, Rel *s, const Rel *before, BlockId from, const Block *b)
{
	Locks *l = run->l;

	for (InsId i = b->ins; i < b->ins + b->nins && ir_ins(l->ir, i)->op == OP_PHI; i++) {
		const Ins *phi = ir_ins(l->ir, i);
		PathId to = locks_path(l, run->inst, phi->dst).path;
		Val v = phi->rt == RT_PTR ? phi_value(l->ir, phi, from) : 0;
		PathId at = v && v != phi->dst ? locks_path(l, run->inst, v).path : 0;
		if (!at || path_get(&l->paths, at)->kind == PATH_NUM ||
		    path_get(&l->paths, to)->kind != PATH_VALUE)
			continue;
		for (u32 k = 0; k < before->n; k++) {
			RelName x = before->name[k], *new;
			if (x.name.kind != NAME_PATH)
				continue;
			x.name.ref = path_rebase(&l->paths, x.name.ref, at, to);
			if (!x.name.ref)
				continue;
			x.name.pts = locks_slots(l, run->inst, x.name.ref);
			new = rel_add(l, s, &x.name);
			if (new)
				*new = x;
		}
	}
}

/* All phis of a block take their values at once. */
static void
phis(Run *run, Rel *s, BlockId from, BlockId to)
{
	const Ir *ir = run->l->ir;
	const Block *b = fn_block(ir, run->fn, to);
	bool rename = has_paths(s) && has_pointer_phi(ir, b);
	RelCond conds[REL_CONDS];
	Taken taken[PHIS];
	Rel before;
	u32 n = 0;

	if (rename)
		rel_copy(&before, s);
	for (u32 i = 0; i < s->ncond; i++)
		conds[i] = s->cond[i];
	for (u32 i = b->ins; i < b->ins + b->nins && ir_ins(ir, i)->op == OP_PHI && n < PHIS; i++) {
		Val v = phi_value(ir, ir_ins(ir, i), from);
		if (v && v != ir_ins(ir, i)->dst)
			taken[n++] = take(run, s, ir_ins(ir, i)->dst, v);
	}
	for (u32 i = b->ins; i < b->ins + b->nins && ir_ins(ir, i)->op == OP_PHI; i++)
		if (phi_value(ir, ir_ins(ir, i), from) != ir_ins(ir, i)->dst)
			rel_kill(run->l, s, ir_ins(ir, i)->dst);
	for (u32 i = 0; i < n; i++)
		give(s, &taken[i], conds);
	if (rename)
		rename_phis(run, s, &before, from, b);
}

static void
follow_edge(Run *run, const Rel *s, u32 k, Val v, u32 mask)
{
	const Ir *ir = run->l->ir;
	BlockId from = (BlockId)(run->block - &ir->blocks.at[run->fn->block]) + 1;
	BlockId to = ir->succs.at[run->block->succ + k];
	Rel e;

	rel_copy(&e, s);
	if (v)
		learn(run, &e, v, mask);
	if (e.dead)
		return;
	if (run->sync)
		phis(run, &e, from, to);
	arrive(run, to, &e);
}

static void
switch_edges(Run *run, const Rel *s, const Ins *ins)
{
	const Ir *ir = run->l->ir;
	Val v = ins_arg(ir, ins, 0);
	u32 rest = SIGN_ANY;

	for (u32 k = 1; k < run->block->nsucc; k++) {
		u32 sign = sign_of(ir, ins_arg(ir, ins, k));
		if (sign == SIGN_ZERO)
			rest &= ~(u32)SIGN_ZERO;
		follow_edge(run, s, k, v, sign);
	}
	follow_edge(run, s, 0, v, rest);
}

static void
finish(Run *run, Rel *s, const Ins *ins)
{
	const Ir *ir = run->l->ir;
	RelCond conds[REL_CONDS];
	Taken t;

	switch (ins->op) {
	case OP_CBR:
		follow_edge(run, s, 0, ins_arg(ir, ins, 0), SIGN_NONZERO);
		follow_edge(run, s, 1, ins_arg(ir, ins, 0), SIGN_ZERO);
		break;
	case OP_SWITCH: switch_edges(run, s, ins); break;
	case OP_BR: follow_edge(run, s, 0, 0, 0); break;
	case OP_RET:
		if (run->sync && ins->narg && ins_arg(ir, ins, 0)) {
			lock_give(run->l, run->inst, s, ins_arg(ir, ins, 0));
			for (u32 i = 0; i < s->ncond; i++)
				conds[i] = s->cond[i];
			t = take(run, s, 0, ins_arg(ir, ins, 0));
			give(s, &t, conds);
		}
		leave(run, &run->normal, s);
		break;
	case OP_THROW: raise_to(run, s); break;
	default: break;
	}
}

/* ---- instructions ------------------------------------------------------- */

static void
apply(Run *run, Rel *s, const Rel *effect, Val dst)
{
	Rel out;

	rel_then(run->l, &out, s, effect, dst);
	rel_copy(s, &out);
	run->raised = false;
}

static void
acquire(Run *run, Rel *s, const Ins *ins)
{
	Eff eff = ins->flags & INS_RECURSIVE ? (Eff){1, 1} : (Eff){0, 1};
	bool sure = !(ins->flags & INS_TRY) || ins->cond == SIGN_ANY;
	Name names[2];
	Rel t;
	u32 n;

	rel_same(&t);
	n = locks_names(run->l, run->inst, ins_arg(run->l->ir, ins, 0), names);
	for (u32 i = 0; i < n; i++) {
		RelName *x = rel_add(run->l, &t, &names[i]);
		if (sure)
			x->eff[ins->sub] = eff;
		else
			x->flags |= REL_PARTIAL;
		if (!sure && ins->cond)
			rel_add_cond(&t, (RelCond){names[i].kind, names[i].ref, 0, ins->sub,
						   ins->cond, eff});
	}
	apply(run, s, &t, ins->dst);
	if (sure && ins->flags & INS_RECURSIVE && ins->sub == LOCK_WRITE)
		rel_mark_last(run->l, s, names, n);
}

static void
release(Run *run, Rel *s, const Ins *ins)
{
	Eff eff = ins->flags & INS_RECURSIVE ? (Eff){-1, 0} : (Eff){EFF_ALL, 0};
	Val lock = ins_arg(run->l->ir, ins, 0);
	SetId pts = setpool_intern(&run->l->sets, pta_pts(run->l->pta, run->inst, lock));
	bool shared = run->l->read && locks_sets_alias(run->l, run->l->read, pts);
	const RelName *counted;
	Name names[2];
	Rel t, before;
	u32 n, last;

	rel_same(&t);
	n = locks_names(run->l, run->inst, lock, names);
	for (u32 i = 0; i < n; i++) {
		RelName *x = rel_add(run->l, &t, &names[i]);
		x->eff[LOCK_WRITE] = eff;
		x->eff[LOCK_READ] = shared ? eff : (Eff){0, 0};
		x->flags |= REL_RELEASED;
	}
	if (!n)
		rel_lose(run->l, &t, pts);
	counted = n && ins->flags & INS_RECURSIVE ? rel_find(s, names[0].kind, names[0].ref) : NULL;
	if (!counted || counted->eff[LOCK_WRITE].floor <= 0) {
		apply(run, s, &t, ins->dst);
		return;
	}
	rel_copy(&before, s);
	last = counted->flags & REL_LAST;
	apply(run, s, &t, ins->dst);
	rel_keep_apart(s, &before, last, names, n);
}

/* A variable begins: nobody holds the locks in it, whatever was done to those of the last one. */
static void
begin_locks(Run *run, Rel *s, InsId id)
{
	Locks *l = run->l;

	SET_FOR (it, &l->recurring) {
		const Obj *o = pta_obj(l->pta, pta_slot(l->pta, it.x)->obj);
		Set one = {0};
		RelName *x;
		Rel t;
		if (o->ins != id || o->inst != run->inst)
			continue;
		set_add(l->arena, &one, it.x);
		rel_same(&t);
		x = rel_add(l, &t, &(Name){NAME_SLOT, it.x, setpool_intern(&l->sets, &one), 0});
		x->eff[LOCK_WRITE] = x->eff[LOCK_READ] = (Eff){EFF_ALL, 0};
		x->flags |= REL_RELEASED;
		apply(run, s, &t, 0);
	}
}

/* ---- calls -------------------------------------------------------------- */

static void
after(Run *run, Rel *out, const Rel *s, RelId effect, Val dst)
{
	Rel t;

	if (effect == REL_SAME) {
		rel_copy(out, s);
		return;
	}
	rel_get(run->l, effect, &t);
	rel_then(run->l, out, s, &t, dst);
}

/* One call, of any of the edges' targets: those that do the same count once. */
static void
call_once(Run *run, Rel *out, const Rel *s, const Edge *e, u32 n, Val dst)
{
	Locks *l = run->l;
	Set normal = {0}, thrown = {0}; /* RelIds */
	Rel old, one;

	rel_same(out);
	out->dead = 1;
	for (u32 i = 0; i < n; i++) {
		if (e[i].fork)
			continue;
		set_add(l->arena, &normal, lock_bound(l, e, l->sum[e[i].to].normal));
		if (l->sum[e[i].to].thrown)
			set_add(l->arena, &thrown, lock_bound(l, e, l->sum[e[i].to].thrown));
	}
	SET_FOR (it, &normal) {
		after(run, &one, s, it.x, dst);
		rel_copy(&old, out);
		rel_join(l, out, &old, &one);
	}
	SET_FOR (it, &thrown) {
		after(run, &one, s, it.x, 0);
		raise_to(run, &one);
	}
	set_recycle(l->arena, &normal);
	set_recycle(l->arena, &thrown);
}

static bool
quiet(const Locks *l, const Edge *e, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (e[i].fork || l->sum[e[i].to].normal != REL_SAME || l->sum[e[i].to].thrown)
			return false;
	return true;
}

/* Zero or more calls: until nothing new comes of another. */
static void
call_often(Run *run, Rel *s, const Edge *e, u32 n, Val dst)
{
	RelPack before = {0};
	Rel old, next;
	u32 round = 0;

	while (!s->dead && !rel_is(run->l, &before, s)) {
		rel_put(run->l, &before, s);
		call_once(run, &next, s, e, n, dst);
		rel_copy(&old, s);
		rel_join(run->l, s, &old, &next);
		forget(s, round++ < 8 ? 0 : VISITS_ALL + 1);
		rel_tidy(run->l, s);
	}
	arena_recycle(&run->l->scratch, before.at, before.cap);
}

static void
call(Run *run, Rel *s, const Ins *ins, InsId id)
{
	Rel out, old;
	u32 n;
	const Edge *e = pta_targets(run->l->pta, run->inst, id, &n);

	if (ins->flags & INS_THROWS && !n)
		raise_to(run, s);
	if (quiet(run->l, e, n))
		return;
	run->raised = false;
	if (ins->op == OP_CALL && ins->sub == CALL_REPEAT) {
		call_often(run, s, e, n, ins->dst);
		return;
	}
	call_once(run, &out, s, e, n, ins->dst);
	if (ins->op != OP_CALL || ins->sub == CALL_MAYBE) {
		rel_copy(&old, &out);
		rel_join(run->l, &out, &old, s);
	}
	rel_copy(s, &out);
}

/* ---- walking ------------------------------------------------------------ */

/* Is the release at id that of a condition wait?  Who returns from there holds
 * what it held before, by whatever name; nothing happens in between. */
static bool
waits(const Run *run, InsId id)
{
	const Ir *ir = run->l->ir;
	const Ins *i = ir_ins(ir, id);

	return id + 2 < run->block->ins + run->block->nins && i[1].op == OP_AWAIT &&
	       i[1].sub == EVENT_COND && i[2].op == OP_ACQUIRE &&
	       ins_arg(ir, &i[2], 0) == ins_arg(ir, i, 0);
}

static void
step(Run *run, Rel *s, InsId id)
{
	const Ins *ins = ir_ins(run->l->ir, id);

	/* of a call the callee's exits say; in Java only what is caught here is asked for */
	if ((run->block->exc || run->l->ir->classes.n <= 1) && !run->raised && ins_may_throw(ins) &&
	    ins->op != OP_CALL) {
		run->raised = true;
		raise_to(run, s);
	}
	if (ins->dst && ins->op != OP_PHI && (s->n || s->nfact))
		rel_kill(run->l, s, ins->dst);
	switch (ins->op) {
	case OP_ACQUIRE: acquire(run, s, ins); break;
	case OP_RELEASE:
		if (!waits(run, id))
			release(run, s, ins);
		break;
	case OP_ASSUME: learn(run, s, ins_arg(run->l->ir, ins, 0), SIGN_NONZERO); break;
	case OP_ALLOC:
		if (ins->sub == ALLOC_STACK && !set_empty(&run->l->recurring))
			begin_locks(run, s, id);
		break;
	case OP_CALL:
	case OP_CINIT: call(run, s, ins, id); break;
	case OP_FILTER:
		if (!ins->sub)
			raise_to(run, s);
		break;
	default:
		if (op_is_terminator(ins->op))
			finish(run, s, ins);
		break;
	}
}

static void
walk(Run *run, BlockId b)
{
	Rel s;

	run->block = fn_block(run->l->ir, run->fn, b);
	run->raised = false;
	rel_take(run->l, &run->in[b], &s);
	for (u32 i = 0; i < run->block->nins && !s.dead; i++)
		step(run, &s, run->block->ins + i);
}

static void
begin(Run *run)
{
	Rel same;

	rel_same(&same);
	rel_put(run->l, &run->in[1], &same);
	run->dirty[1] = true;
}

/* Of an instance that was solved before, only the calls do something else whose targets' summaries
 * have changed since.  Those only get weaker, and so do the states, so that going on from the old
 * ones comes to the same as beginning anew. */
static void
resume(Run *run)
{
	Locks *l = run->l;
	const Inst *inst = pta_inst(l->pta, run->inst);

	for (u32 k = inst->edge; k < inst->edge + inst->nedge; k++) {
		const Edge *e = &l->pta->edges.at[k];
		if (!e->fork && l->changed_at[e->to] >= l->solved_at[run->inst])
			run->dirty[cfg_block_of(l->ir, run->fn, e->ins)] = true;
	}
	for (BlockId b = 1; b <= run->fn->nblock; b++) /* what was not reached need not be yet */
		run->dirty[b] = run->dirty[b] && run->in[b].at;
}

static void
solve(Run *run)
{
	bool again = true;

	while (again) {
		again = false;
		for (u32 i = 0; i < run->flow->nrpo; i++) {
			BlockId b = run->flow->rpo[i];
			if (!run->dirty[b])
				continue;
			run->dirty[b] = false;
			walk(run, b);
			again = true;
		}
	}
}

/* ---- what is kept ------------------------------------------------------- */

static RelId
plain(Locks *l, const Rel *s)
{
	Rel bare;

	rel_copy(&bare, s);
	bare.nfact = 0;
	return rel_intern(l, &bare);
}

/* Steps over id; may the state be another one now, but for what it knows of signs?
 * What defines a register only takes away. */
static bool
step_acts(Run *run, Rel *s, InsId id)
{
	u32 op = ir_ins(run->l->ir, id)->op, n = s->n, ncond = s->ncond;

	step(run, s, id);
	return op == OP_ACQUIRE || op == OP_RELEASE || op == OP_ASSUME || op == OP_CALL ||
	       op == OP_CINIT || s->n != n || s->ncond != ncond;
}

/* From ins on the state is s, if it was not before. */
static void
keep_change(Locks *l, LockFlow *f, InsId ins, const Rel *s)
{
	RelId now = plain(l, s);

	if (!f->n || f->at[f->n - 1].state != now)
		vec_push(l->arena, f, (LockChange){ins, now});
}

static void
keep_flow(Run *run)
{
	Locks *l = run->l;
	LockFlow *f = &l->flow[run->inst];

	assert(!f->n);
	run->replay = true;
	for (BlockId b = 1; b <= run->fn->nblock; b++) {
		Rel s;
		run->block = fn_block(l->ir, run->fn, b);
		rel_take(l, &run->in[b], &s);
		keep_change(l, f, run->block->ins, &s);
		for (u32 i = 0; i + 1 < run->block->nins && !s.dead; i++)
			if (step_acts(run, &s, run->block->ins + i))
				keep_change(l, f, run->block->ins + i + 1, &s);
	}
}

LockSummary
lock_flow(Locks *l, InstId inst, FlowUse use)
{
	Run run = {.l = l, .inst = inst, .fn = pta_fn(l->pta, inst), .sync = l->sync[inst]};
	LockSummary sum = {REL_SAME, REL_DEAD};
	u32 n = run.fn->nblock + 1;
	bool old = (use == FLOW_LAST || use == FLOW_AGAIN) && l->solved[inst];

	if (!run.fn->nblock)
		return sum;
	run.flow = flow_of(l->threads->flows, pta_inst(l->pta, inst)->fn);
	run.in = old ? l->solved[inst] : arena_array(&l->scratch, RelPack, n);
	run.dirty = arena_array(l->arena, bool, n);
	run.visits = arena_array(l->arena, u32, n);
	run.normal.dead = run.thrown.dead = 1;
	l->solved_bytes -= states_bytes(run.in, n);
	if (old)
		resume(&run);
	else
		begin(&run);
	solve(&run);
	l->solved_bytes += states_bytes(run.in, n);
	sum.normal = rel_intern(l, &run.normal);
	sum.thrown = rel_intern(l, &run.thrown);
	if (use == FLOW_KEEP || use == FLOW_LAST)
		keep_flow(&run);
	if (use == FLOW_AGAIN)
		states_keep(l, inst, run.in, n);
	else
		states_drop(l, inst, run.in, n);
	arena_recycle(l->arena, run.dirty, n * sizeof *run.dirty);
	arena_recycle(l->arena, run.visits, n * sizeof *run.visits);
	return sum;
}
