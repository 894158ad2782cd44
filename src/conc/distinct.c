/* distinct.c - see distinct.h.
 *
 * Values are described by forms in the counter n of the loop that forked the
 * thread: an integer add + scale * n, an address base + add + scale * n within
 * one single object, or an address within the object that was allocated in
 * round n.  The creator's side gives the forms of the thread's parameters;
 * they flow down its calls, a parameter that differs between calls being
 * unknown; SSA gives the rest.  A load is known if all stores to that memory,
 * by anyone, are the creator's for the same round.
 *
 * A form may be a range, of span + 1 values from add on: the counter of a loop
 * that goes up by one from one form to another of the same scale lies between
 * them, where the loop has tested it and not left.
 *
 * A form is certain, not a guess: unset climbs to a form and that to unknown,
 * so the flow ends.  Two instances of the thread that live at once have
 * different n: the fork is in a loop that runs once in the whole program, not
 * nested in another, or that never starts while one of its threads may run.
 * An object that each round makes is another one each time, whatever loops.
 *
 * A ticket is the result of an atomic addition to a cell that is only ever
 * added to: every execution gets its own, whichever thread it is in. */
#include "conc/distinct.h"

#include "conc/access.h"
#include "ir/induction.h"

#include <string.h>

typedef enum FormKind {
	FORM_UNSET,
	FORM_NONE,
	FORM_INT,  /* add + scale * n */
	FORM_ADDR, /* base + add + scale * n; base is one place */
	FORM_OWN   /* add bytes into the object of site base that round n made */
} FormKind;

typedef struct Form {
	u32 kind;
	u32 base; /* SlotId; for FORM_OWN the register that holds it in the creator */
	i64 scale, add;
	SlotId ticket; /* n is not the loop's counter but a ticket of this cell */
	i64 span;      /* the value is one of add .. add + span */
} Form;

static const Form none = {FORM_NONE, 0, 0, 0, 0, 0};

/* What is known of one thread that is forked again and again.  A round is one
 * of the loop around the fork or, where there is none, an activation of the
 * creator. */
typedef struct Maker {
	InstId inst; /* the creator */
	InsId fork;
	const Cfg *cfg;
	u32 loop;
	Val counter; /* the loop's phi, if each of its values is live once; else 0 */
	Map params;  /* (inst, parameter) -> index in d->forms */
} Maker;

typedef struct Write {
	InstId inst;
	InsId ins;
	u32 touch, next;
} Write;

struct Distinct {
	Arena *arena;
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	Fresh *fresh;
	const Order *order;
	bool tickets;   /* some atomic addition could draw one */
	Maker **makers; /* [ThreadId], null where the thread is none of a loop's */
	Vec(Form) forms;
	Vec(Write) writes;
	Map write_head; /* ObjId -> its first write */
	Intern families;
	Map cfgs;        /* FnId -> index of: */
	Vec(Cfg *) cfg;  /* [0..) of threads' functions */
	InstId use_inst; /* the access whose address is evaluated; 0 none */
	InsId use;
};

static Form eval(Distinct *d, ThreadId t, InstId inst, Val v, u32 depth);

/* ---- arithmetic ------------------------------------------------------------- */

static Form
shift(Form f, i64 by)
{
	if (f.kind != FORM_NONE && f.kind != FORM_UNSET)
		f.add += by;
	return f;
}

static bool
constant(const Form *f)
{
	return f->kind == FORM_INT && !f->scale && !f->span;
}

static Form
combine(const Ins *ins, Form x, Form y)
{
	i64 k = y.add;

	if (x.kind == FORM_UNSET || y.kind == FORM_UNSET)
		return (Form){0};
	if ((ins->sub == BIN_ADD || ins->sub == BIN_MUL) && constant(&x)) {
		Form t = x;
		x = y;
		y = t;
		k = y.add;
	}
	if (!constant(&y))
		return none;
	switch (ins->sub) {
	case BIN_ADD: return shift(x, k);
	case BIN_SUB: return shift(x, -k);
	case BIN_SHL:
		if (k < 0 || k > 30)
			return none;
		k = (i64)1 << k;
		break;
	case BIN_MUL: break;
	default: return none;
	}
	if (x.kind != FORM_INT || k < 0 || k > 1 << 30)
		return none;
	return (Form){FORM_INT, 0, x.scale * k, x.add * k, x.ticket, x.span * k};
}

/* base + index * stride; the base is one certain place. */
static Form
element(Form base, Form index, i64 stride)
{
	if (base.kind == FORM_UNSET || index.kind == FORM_UNSET)
		return (Form){0};
	if (index.kind != FORM_INT || (base.kind != FORM_ADDR && base.kind != FORM_OWN))
		return none;
	if (index.scale && (base.kind == FORM_OWN || base.scale))
		return constant(&index) ? shift(base, index.add * stride) : none;
	if (index.span && (stride < 0 || index.span > 1 << 30 || stride > 1 << 30))
		return none;
	base.scale += index.scale * stride;
	base.span += index.span * stride;
	if (index.scale)
		base.ticket = index.ticket;
	return shift(base, index.add * stride);
}

/* ---- certain places ----------------------------------------------------------- */

/* An address that is one exact place of one single object. */
static Form
place(const Distinct *d, InstId inst, Val v)
{
	const Set *pts = pta_pts(d->p, inst, v);
	SlotId s = set_count(pts) == 1 ? set_first(pts) : 0;

	if (!s || !pta_slot_exact(d->p, s) || !threads_single(d->t, pta_slot(d->p, s)->obj) ||
	    pta_obj(d->p, pta_slot(d->p, s)->obj)->kind == OBJ_THREAD)
		return none;
	return (Form){.kind = FORM_ADDR, .base = s};
}

static Form
eval_const(const Distinct *d, InstId inst, Val v)
{
	const Const *c = ir_const(d->ir, v);

	if (c->kind == CONST_INT)
		return (Form){.kind = FORM_INT, .add = c->num};
	return c->kind == CONST_GLOBAL ? place(d, inst, v) : none;
}

/* A cast keeps the value if it cannot cut off what tells instances apart. */
static Form
eval_cast(const Ins *ins, Form f)
{
	return ins->sub == CAST_FLOAT || (ins->sub == CAST_TRUNC && ins->width < 32) ? none : f;
}

/* Forms through operations that mean the same in the creator and the thread. */
static Form
eval_ins(Distinct *d, ThreadId t, InstId inst, const Ins *ins, u32 depth)
{
	Form f = none;
	Val a0 = ins->narg ? ins_arg(d->ir, ins, 0) : 0;

	switch (ins->op) {
	case OP_COPY: return eval(d, t, inst, a0, depth + 1);
	case OP_CAST: return eval_cast(ins, eval(d, t, inst, a0, depth + 1));
	case OP_FIELD: f = shift(eval(d, t, inst, a0, depth + 1), ins->imm); break;
	case OP_INDEX:
		f = element(eval(d, t, inst, a0, depth + 1),
			    eval(d, t, inst, ins_arg(d->ir, ins, 1), depth + 1), ins->imm);
		break;
	case OP_BIN:
		return combine(ins, eval(d, t, inst, a0, depth + 1),
			       eval(d, t, inst, ins_arg(d->ir, ins, 1), depth + 1));
	default: break;
	}
	return f;
}

/* ---- the creator's side --------------------------------------------------------- */

/* Has the instruction run, in this round, when the thread is forked? */
static bool
before_fork(const Maker *m, InsId ins)
{
	BlockId b = cfg_block_of(m->cfg->ir, m->cfg->fn, ins);
	BlockId f = cfg_block_of(m->cfg->ir, m->cfg->fn, m->fork);

	if (m->loop && !cfg_loop_has(m->cfg, m->loop, b))
		return false;
	return (b == f ? ins < m->fork : cfg_dominates(m->cfg, b, f));
}

/* Does each round make a new object, before the fork, and keep it in v? */
static bool
made_in_round(Distinct *d, const Maker *m, Val v, const Ins *def)
{
	BlockId b = cfg_block_of(d->ir, m->cfg->fn, fn_reg(d->ir, m->cfg->fn, v)->def);
	u32 n;
	const Edge *e;

	if (m->cfg->loop_of[b] != m->loop || !before_fork(m, fn_reg(d->ir, m->cfg->fn, v)->def))
		return false;
	if (def->op == OP_ALLOC)
		return def->sub != ALLOC_STACK;
	if (def->op != OP_CALL)
		return false;
	e = pta_targets(d->p, m->inst, fn_reg(d->ir, m->cfg->fn, v)->def, &n);
	for (u32 i = 0; i < n; i++)
		if (!fresh_returns(d->fresh, e[i].to))
			return false;
	return n > 0;
}

static Form
eval_creator(Distinct *d, const Maker *m, Val v, u32 depth)
{
	const Ins *def;
	Form f, g;

	if (val_is_const(v))
		return eval_const(d, m->inst, v);
	if (!v || depth > 12)
		return none;
	if (v == m->counter)
		return (Form){.kind = FORM_INT, .scale = 1};
	if (!fn_reg(d->ir, m->cfg->fn, v)->def)
		return place(d, m->inst, v);
	def = ir_ins(d->ir, fn_reg(d->ir, m->cfg->fn, v)->def);
	if (made_in_round(d, m, v, def))
		return (Form){.kind = FORM_OWN, .base = v};
	switch (def->op) {
	case OP_COPY: return eval_creator(d, m, ins_arg(d->ir, def, 0), depth + 1);
	case OP_CAST: return eval_cast(def, eval_creator(d, m, ins_arg(d->ir, def, 0), depth + 1));
	case OP_FIELD:
		return shift(eval_creator(d, m, ins_arg(d->ir, def, 0), depth + 1), def->imm);
	case OP_INDEX:
		f = eval_creator(d, m, ins_arg(d->ir, def, 0), depth + 1);
		g = eval_creator(d, m, ins_arg(d->ir, def, 1), depth + 1);
		return element(f, g, def->imm);
	case OP_BIN:
		f = eval_creator(d, m, ins_arg(d->ir, def, 0), depth + 1);
		g = eval_creator(d, m, ins_arg(d->ir, def, 1), depth + 1);
		return combine(def, f, g);
	default: return place(d, m->inst, v);
	}
}

/* ---- writes and tickets ----------------------------------------------------------- */

/* Lists the writes to each object; once. */
static void
index_writes(Distinct *d)
{
	if (d->writes.n)
		return;
	vec_push(d->arena, &d->writes, (Write){0});
	for (InstId i = 1; i < d->p->insts.n; i++) {
		const Fn *fn = pta_fn(d->p, i);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			Touch touch[2];
			u32 n = access_touches(d->ir, id, touch);
			for (u32 k = 0; k < n; k++) {
				ObjId last = 0;
				if (!(touch[k].flags & ACC_WRITE) || touch[k].flags & ACC_FREE)
					continue;
				SET_FOR (it, pta_pts(d->p, i, touch[k].addr)) {
					ObjId o = pta_slot(d->p, it.x)->obj;
					u32 *head;
					if (o == last)
						continue;
					last = o;
					head = map_at(d->arena, &d->write_head, o);
					vec_push(d->arena, &d->writes, (Write){i, id, k, *head});
					*head = d->writes.n - 1;
				}
			}
		}
	}
}

static bool
is_ticket_machine(const Ir *ir, const Ins *ins)
{
	Val k = ins->op == OP_RMW ? ins_arg(ir, ins, 1) : 0;

	return k && ins->sub == BIN_ADD && ins->order != ORDER_PLAIN && val_is_const(k) &&
	       ir_const(ir, k)->kind == CONST_INT && ir_const(ir, k)->num > 0;
}

/* The ticket that an atomic addition draws, if all writes to its cell are such. */
static Form
eval_ticket(Distinct *d, InstId inst, const Ins *ins)
{
	Form at = is_ticket_machine(d->ir, ins) ? place(d, inst, ins_arg(d->ir, ins, 0)) : none;
	ObjId o;

	if (at.kind != FORM_ADDR)
		return none;
	index_writes(d);
	o = pta_slot(d->p, at.base)->obj;
	if (fresh_unknown(d->fresh, o))
		return none;
	for (u32 w = map_get(&d->write_head, o); w; w = d->writes.at[w].next) {
		const Write *wr = &d->writes.at[w];
		const Ins *by = ir_ins(d->ir, wr->ins);
		Touch touch[2];
		bool meets = false;
		access_touches(d->ir, wr->ins, touch);
		SET_FOR (s, pta_pts(d->p, wr->inst, touch[wr->touch].addr))
			meets |= pta_overlap(d->p, at.base, (ins->width + 7u) / 8, s.x,
					     touch[wr->touch].size);
		if (meets && (!is_ticket_machine(d->ir, by) || by->width != ins->width))
			return none;
	}
	return (Form){.kind = FORM_INT, .scale = 1, .ticket = at.base};
}

/* ---- loads ------------------------------------------------------------------------ */

static bool
same_form(Form x, Form y)
{
	return x.kind == y.kind && x.base == y.base && x.scale == y.scale && x.add == y.add &&
	       x.ticket == y.ticket && x.span == y.span;
}

/* Is the write the creator's store, for the same round, of a known form? */
static bool
creator_store(Distinct *d, const Maker *m, const Write *w, Form at, u64 bytes, Form *value)
{
	const Ins *ins = ir_ins(d->ir, w->ins);
	Form to, v;

	if (w->inst != m->inst || ins->op != OP_STORE || (ins->width + 7u) / 8 != bytes ||
	    !before_fork(m, w->ins))
		return false;
	to = eval_creator(d, m, ins_arg(d->ir, ins, 0), 0);
	v = eval_creator(d, m, ins_arg(d->ir, ins, 1), 0);
	if (!same_form(to, at) || v.kind == FORM_NONE ||
	    (value->kind != FORM_UNSET && !same_form(*value, v)))
		return false;
	*value = v;
	return true;
}

/* What a thread finds at an address of its own: what the creator stored there. */
static Form
eval_load(Distinct *d, ThreadId t, InstId inst, const Ins *load, Form at)
{
	const Maker *m = d->makers[t];
	u64 bytes = (load->width + 7u) / 8;
	Form value = {0};

	if (at.kind == FORM_UNSET)
		return at;
	if (!m || at.ticket || at.span ||
	    ((at.kind != FORM_ADDR || !at.scale) && at.kind != FORM_OWN))
		return none;
	index_writes(d);
	SET_FOR (it, pta_pts(d->p, inst, ins_arg(d->ir, load, 0))) {
		ObjId o = pta_slot(d->p, it.x)->obj;
		if (pta_obj(d->p, o)->kind == OBJ_EXTERN)
			return none;
		for (u32 w = map_get(&d->write_head, o); w; w = d->writes.at[w].next) {
			const Write *wr = &d->writes.at[w];
			Touch touch[2];
			bool meets = false;
			access_touches(d->ir, wr->ins, touch);
			SET_FOR (s, pta_pts(d->p, wr->inst, touch[wr->touch].addr))
				meets |= pta_overlap(d->p, it.x, bytes, s.x, touch[wr->touch].size);
			if (meets && !creator_store(d, m, wr, at, bytes, &value))
				return none;
		}
	}
	return value.kind == FORM_UNSET ? none : value;
}

/* ---- ranges -------------------------------------------------------------------------- */

static const Cfg *
cfg_of(Distinct *d, FnId f)
{
	u32 *at = map_at(d->arena, &d->cfgs, f);
	Cfg *c;

	if (!*at) {
		c = arena_new(d->arena, Cfg);
		cfg_build(c, d->arena, d->ir, &d->ir->fns.at[f]);
		vec_push(d->arena, &d->cfg, c);
		*at = d->cfg.n;
	}
	return d->cfg.at[*at - 1];
}

/* What the loop's header tests: it goes on while `phi < bound` (or <=). */
static const Ins *
header_test(const Distinct *d, const Cfg *c, u32 loop, Val phi)
{
	const Block *h = &d->ir->blocks.at[c->fn->block + c->loops[loop].header - 1];
	const Ins *end = ir_ins(d->ir, h->ins + h->nins - 1), *cmp = NULL;
	Val v = end->op == OP_CBR ? ins_arg(d->ir, end, 0) : 0;
	InsId def;

	if (val_is_reg(v) && (def = fn_reg(d->ir, c->fn, v)->def))
		cmp = ir_ins(d->ir, def);
	if (!cmp || cmp->op != OP_CMP || !cfg_loop_has(c, loop, d->ir->succs.at[h->succ]) ||
	    cfg_loop_has(c, loop, d->ir->succs.at[h->succ + 1]) ||
	    (cmp->sub != CMP_SLT && cmp->sub != CMP_ULT && cmp->sub != CMP_SLE))
		return NULL;
	for (v = ins_arg(d->ir, cmp, 0); v != phi;) {
		def = val_is_reg(v) ? fn_reg(d->ir, c->fn, v)->def : 0;
		if (!def || ir_ins(d->ir, def)->op != OP_CAST ||
		    (ir_ins(d->ir, def)->sub != CAST_SEXT && ir_ins(d->ir, def)->sub != CAST_ZEXT))
			return NULL;
		v = ins_arg(d->ir, ir_ins(d->ir, def), 0);
	}
	return cmp;
}

/* Is the access in the loop, behind the test in its header? */
static bool
used_behind_test(const Distinct *d, const Cfg *c, u32 loop)
{
	BlockId b = cfg_block_of(d->ir, c->fn, d->use);

	return b != c->loops[loop].header && cfg_loop_has(c, loop, b);
}

/* The counter of a loop, at the access. */
static Form
eval_phi(Distinct *d, ThreadId t, InstId inst, InsId phi, u32 depth)
{
	const Cfg *c = d->use && d->use_inst == inst ? cfg_of(d, d->p->insts.at[inst].fn) : NULL;
	u32 loop = c ? c->loop_of[cfg_block_of(d->ir, c->fn, phi)] : 0;
	const Ins *test;
	Iv iv;
	Form from, to;

	if (!loop || c->loops[loop].irreducible || !used_behind_test(d, c, loop) ||
	    !loop_iv(c, loop, ir_ins(d->ir, phi)->dst, &iv) || iv.step != 1)
		return none;
	test = header_test(d, c, loop, iv.phi);
	if (!test)
		return none;
	from = eval(d, t, inst, iv.init, depth + 1);
	to = eval(d, t, inst, ins_arg(d->ir, test, 1), depth + 1);
	if (from.kind == FORM_UNSET || to.kind == FORM_UNSET)
		return (Form){0};
	if (from.kind != FORM_INT || to.kind != FORM_INT || from.scale != to.scale || from.span ||
	    to.span || from.ticket || to.ticket || to.add < from.add)
		return none;
	from.span = MAX(to.add - from.add - (test->sub != CMP_SLE), 0);
	return from;
}

/* ---- the thread's side --------------------------------------------------------------- */

static Form
param_form(const Distinct *d, ThreadId t, InstId inst, Val param)
{
	const Maker *m = d->makers[t];
	u32 f = m ? map_get(&m->params, map_pair(inst, param)) : 0;

	return f ? d->forms.at[f] : m ? (Form){0} : none;
}

static Form
eval(Distinct *d, ThreadId t, InstId inst, Val v, u32 depth)
{
	const Fn *fn = pta_fn(d->p, inst);
	const Ins *def;
	Form f;

	if (val_is_const(v))
		return eval_const(d, inst, v);
	if (!v || depth > 16)
		return none;
	if (!fn_reg(d->ir, fn, v)->def)
		return param_form(d, t, inst, v);
	def = ir_ins(d->ir, fn_reg(d->ir, fn, v)->def);
	if (def->op == OP_LOAD)
		f = eval_load(d, t, inst, def, eval(d, t, inst, ins_arg(d->ir, def, 0), depth + 1));
	else if (def->op == OP_RMW)
		f = eval_ticket(d, inst, def);
	else if (def->op == OP_PHI)
		f = eval_phi(d, t, inst, fn_reg(d->ir, fn, v)->def, depth);
	else
		f = eval_ins(d, t, inst, def, depth);
	return f.kind == FORM_NONE ? place(d, inst, v) : f;
}

/* Lets parameter `param` of inst be f as well; says whether that is news. */
static bool
meet_param(Distinct *d, Maker *m, InstId inst, Val param, Form f)
{
	u32 *at;

	if (f.kind == FORM_UNSET)
		return false;
	at = map_at(d->arena, &m->params, map_pair(inst, param));
	if (!*at) {
		*at = d->forms.n;
		vec_push(d->arena, &d->forms, f);
		return true;
	}
	if (same_form(d->forms.at[*at], f) || d->forms.at[*at].kind == FORM_NONE)
		return false;
	d->forms.at[*at] = none;
	return true;
}

static void
pass_on(Distinct *d, ThreadId t, const Edge *e, VecU32 *todo)
{
	const Ins *call = ir_ins(d->ir, e->ins);
	bool news = false;

	for (u32 k = 1; k <= pta_fn(d->p, e->to)->nparam; k++) {
		Form f = call->op == OP_CALL && k < call->narg
			     ? eval(d, t, e->from, ins_arg(d->ir, call, k), 0)
			     : none;
		news |= meet_param(d, d->makers[t], e->to, k, f);
	}
	if (news)
		vec_push(d->arena, todo, e->to);
}

/* The forms of all parameters in the thread, from its fork down. */
static void
flow_down(Distinct *d, ThreadId t)
{
	const Thread *th = thread_get(d->t, t);
	const Ins *fork = ir_ins(d->ir, th->fork);
	VecU32 todo = {0};

	for (u32 k = 1; k <= pta_fn(d->p, th->start)->nparam; k++)
		meet_param(d, d->makers[t], th->start, k,
			   k + 1 < fork->narg
			       ? eval_creator(d, d->makers[t], ins_arg(d->ir, fork, k + 1), 0)
			       : none);
	vec_push(d->arena, &todo, th->start);
	while (todo.n) {
		const Inst *in = pta_inst(d->p, todo.at[--todo.n]);
		for (u32 e = in->edge; e < in->edge + in->nedge; e++)
			if (!d->p->edges.at[e].fork)
				pass_on(d, t, &d->p->edges.at[e], &todo);
	}
}

/* Does the loop around the fork, if any, count, and is each value live once? */
static bool
counts(const Distinct *d, ThreadId t, const Cfg *cfg, u32 loop, Counter *out)
{
	const Thread *th = thread_get(d->t, t);
	bool again; /* may the loop start anew? */

	if (!loop || cfg->loops[loop].irreducible || order_self_overlap(d->order, th->parent))
		return false;
	again = !thread_get(d->t, th->parent)->unique || cfg->loops[loop].parent ||
		set_has(&d->t->many[th->parent], th->fork_inst);
	return !(again && order_piles_up(d->order, t)) && loop_counter(cfg, loop, out);
}

/* How t is made, if it is made more than once. */
static Maker *
find_maker(Distinct *d, ThreadId t)
{
	const Thread *th = thread_get(d->t, t);
	Maker *m;
	Cfg *cfg;
	Counter count;
	u32 loop;

	if (!th->parent || th->folded || th->unique)
		return NULL;
	cfg = arena_new(d->arena, Cfg);
	cfg_build(cfg, d->arena, d->ir, pta_fn(d->p, th->fork_inst));
	loop = cfg->loop_of[cfg_block_of(d->ir, cfg->fn, th->fork)];
	m = arena_new(d->arena, Maker);
	*m = (Maker){.inst = th->fork_inst, .fork = th->fork, .cfg = cfg, .loop = loop};
	if (counts(d, t, cfg, loop, &count))
		m->counter = count.iv.phi;
	return m;
}

Distinct *
distinct_solve(Arena *a, const Threads *t, Fresh *f, const Order *o)
{
	Distinct *d = arena_new(a, Distinct);

	*d = (Distinct){.arena = a, .t = t, .p = t->pta, .ir = t->pta->ir, .fresh = f, .order = o};
	d->makers = arena_array(a, Maker *, t->at.n);
	intern_init(&d->families, a);
	vec_push(a, &d->forms, (Form){0});
	for (ThreadId x = 2; x < t->at.n && !t->bounded; x++)
		d->makers[x] = find_maker(d, x);
	for (InsId i = 1; i < d->ir->ins.n && !d->tickets; i++)
		d->tickets = is_ticket_machine(d->ir, ir_ins(d->ir, i));
	for (ThreadId x = 2; x < t->at.n; x++)
		if (d->makers[x])
			flow_down(d, x);
	return d;
}

/* The family of a form in thread t; 0 if it keeps nobody apart. */
static u32
family_of(Distinct *d, ThreadId t, Form f, u64 size)
{
	struct {
		u32 thread, kind, base, ticket;
		i64 scale, window;
	} key;
	i64 step, window, rest;

	memset(&key, 0, sizeof key);
	key.thread = f.ticket ? 0 : t; /* a ticket is one thread's among all */
	key.ticket = f.ticket;
	key.kind = f.kind;
	key.base = f.base;
	if (f.kind == FORM_ADDR && f.scale && size) {
		step = f.scale < 0 ? -f.scale : f.scale;
		window = f.add >= 0 ? f.add / step : -((step - 1 - f.add) / step);
		rest = f.add - window * step;
		if ((u64)rest + (u64)f.span + size > (u64)step)
			return 0;
		key.scale = f.scale;
		key.window = window;
	} else if (f.kind != FORM_OWN) {
		return 0;
	}
	return intern_bytes(&d->families, &key, sizeof key);
}

u32
distinct_family(Distinct *d, ThreadId t, InstId inst, InsId ins, Val addr, u64 size)
{
	bool ask = d->makers[t] || d->tickets;
	u32 family;

	d->use_inst = inst;
	d->use = ins;
	family = ask ? family_of(d, t, eval(d, t, inst, addr, 0), size) : 0;
	d->use = 0;
	for (ThreadId x = 2; x < d->t->at.n && !family; x++) {
		const Maker *m = d->makers[x];
		if (m && m->inst == inst && thread_get(d->t, x)->parent == t && before_fork(m, ins))
			family = family_of(d, x, eval_creator(d, m, addr, 0), size);
	}
	return family;
}
