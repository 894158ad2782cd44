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
 * A form may be a range, of span + 1 values from add on, or a remainder, any
 * number of times mod more or less (distinct_range.c).  Remainders keep two
 * instances apart if all values of the counter lie within one turn.  A form
 * that is bounded for all instances gives the extent of an access: two
 * accesses, by whatever threads, whose extents share no byte do not meet.
 *
 * A form is certain, not a guess: unset climbs to a form and that to unknown,
 * so the flow ends.  Two instances of the thread that live at once have
 * different n: the fork is in a loop that runs once in the whole program, not
 * nested in another, or that never starts while one of its threads may run.
 * An object that each round makes is another one each time, whatever loops.
 *
 * A ticket is the result of an addition, atomic or in critical sections that
 * exclude each other, to a cell that is only ever added to: every execution
 * gets its own, whichever thread it is in (distinct_load.c). */
#include "conc/distinct_int.h"

#include "conc/steady.h"
#include "ir/induction.h"

#include <string.h>

enum { SMALL = 20000 }; /* entries */
enum { ALONE = 1 };     /* a family's kind */
enum { WIDE = 32 };     /* bits of a counter that no number of threads exhausts */

/* Forms through operations that mean the same in the creator and the thread. */
static Form
eval_ins(Distinct *d, ThreadId t, InstId inst, const Ins *ins, u32 depth)
{
	Form f = FORM_UNKNOWN;
	Val a0 = ins->narg ? ins_arg(d->ir, ins, 0) : 0;

	switch (ins->op) {
	case OP_COPY: return form_eval(d, t, inst, a0, depth + 1);
	case OP_CAST: return form_cast(ins, form_eval(d, t, inst, a0, depth + 1));
	case OP_FIELD: f = form_shift(form_eval(d, t, inst, a0, depth + 1), ins->imm); break;
	case OP_INDEX:
		f = form_element(d, ins, form_eval(d, t, inst, a0, depth + 1),
				 form_eval(d, t, inst, ins_arg(d->ir, ins, 1), depth + 1));
		break;
	case OP_BIN:
		return form_bin(d, d->makers[t], ins, form_eval(d, t, inst, a0, depth + 1),
				form_eval(d, t, inst, ins_arg(d->ir, ins, 1), depth + 1));
	default: break;
	}
	return f;
}

/* ---- the thread's side --------------------------------------------------------------- */

/* What the only call of inst passes. */
static Form
passed_form(Distinct *d, ThreadId t, InstId inst, Val param, u32 depth)
{
	const Edge *e = only_call(d, inst);

	if (!e || param >= ir_ins(d->ir, e->ins)->narg)
		return FORM_UNKNOWN;
	return form_eval(d, t, e->from, ins_arg(d->ir, ir_ins(d->ir, e->ins), param), depth + 1);
}

static Form
param_form(Distinct *d, ThreadId t, InstId inst, Val param, u32 depth)
{
	const Maker *m = d->makers[t];
	u32 f = m ? map_get(&m->params, map_pair(inst, param)) : 0;

	if (!m)
		return passed_form(d, t, inst, param, depth);
	return f ? d->forms.at[f] : (Form){0};
}

Form
form_eval(Distinct *d, ThreadId t, InstId inst, Val v, u32 depth)
{
	const Fn *fn = pta_fn(d->p, inst);
	const Ins *def;
	Form f;

	if (val_is_const(v))
		return form_const(d, inst, v);
	if (!v || depth > 16)
		return FORM_UNKNOWN;
	if (!fn_reg(d->ir, fn, v)->def)
		return param_form(d, t, inst, v, depth);
	def = ir_ins(d->ir, fn_reg(d->ir, fn, v)->def);
	if (def->op == OP_LOAD)
		f = form_load(d, t, inst, fn_reg(d->ir, fn, v)->def,
			      form_eval(d, t, inst, ins_arg(d->ir, def, 0), depth + 1));
	else if (def->op == OP_RMW)
		f = form_ticket(d, inst, def);
	else if (def->op == OP_ALLOC)
		f = form_self_made(d, t, inst, def);
	else if (def->op == OP_PHI)
		f = form_phi(d, t, inst, fn_reg(d->ir, fn, v)->def, depth);
	else if (def->op == OP_SELECT)
		f = form_select(d, t, inst, fn_reg(d->ir, fn, v)->def, depth);
	else
		f = eval_ins(d, t, inst, def, depth);
	if (f.kind == FORM_NONE && (def->op == OP_PHI || def->op == OP_CALL))
		f = form_tested(d, t, inst, v, depth);
	if (f.kind == FORM_NONE || (f.kind == FORM_INT && !f.of && !f.scale && (f.span || f.mod))) {
		Form r = fn_reg(d->ir, fn, v)->rt == RT_INT ? form_residue(d, t, inst, v, depth)
							    : FORM_UNKNOWN;
		if (r.kind == FORM_INT)
			return r;
	}
	if (f.kind == FORM_NONE)
		f = form_within(d, inst, v);
	return f.kind == FORM_NONE ? form_place(d, inst, v) : f;
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
	if (form_same(d->forms.at[*at], f) || d->forms.at[*at].kind == FORM_NONE)
		return false;
	d->forms.at[*at] = FORM_UNKNOWN;
	return true;
}

static void
pass_on(Distinct *d, ThreadId t, const Edge *e, VecU32 *todo)
{
	const Ins *call = ir_ins(d->ir, e->ins);
	bool news = false;

	/* What is passed is what it is at the call. */
	d->use_inst = e->from;
	d->use = e->ins;
	for (u32 k = 1; k <= pta_fn(d->p, e->to)->nparam; k++) {
		Form f = call->op == OP_CALL && k < call->narg
			     ? form_eval(d, t, e->from, ins_arg(d->ir, call, k), 0)
			     : FORM_UNKNOWN;
		news |= meet_param(d, d->makers[t], e->to, k, f);
	}
	d->use = 0;
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
			   k + 1 < fork->narg ? form_made(d, d->makers[t], th->fork_inst,
							  ins_arg(d->ir, fork, k + 1), 0)
					      : FORM_UNKNOWN);
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
counts(const Distinct *d, ThreadId t, const Maker *m, Counter *out, bool *bounded)
{
	const Thread *th = thread_get(d->t, t);
	const Cfg *cfg = m->cfg;
	u32 loop = m->loop;
	bool again; /* may the loop start anew? */

	if (!loop || cfg->loops[loop].irreducible || order_self_overlap(d->order, th->parent))
		return false;
	again = !thread_get(d->t, th->parent)->unique || cfg->loops[loop].parent ||
		set_has(&d->t->many[th->parent], m->inst);
	if (again && order_piles_up(d->order, t))
		return false;
	*bounded = loop_counter(cfg, loop, out);
	/* Whatever ends the loop: a counter is another one in each of fewer rounds than it
	 * has values, and each round starts a thread. */
	return *bounded || (loop_first_iv(cfg, loop, &out->iv) && out->iv.width >= WIDE);
}

static Maker
maker_at(Distinct *d, InstId inst, InsId fork, bool once)
{
	Cfg *cfg = arena_new(d->arena, Cfg);

	cfg_build(cfg, d->arena, d->ir, pta_fn(d->p, inst));
	return (Maker){.inst = inst,
		       .fork = fork,
		       .cfg = cfg,
		       .loop = once ? 0 : cfg->loop_of[cfg_block_of(d->ir, cfg->fn, fork)]};
}

enum { WRAPPERS = 3 }; /* of the fork, between it and its loop */

/* Where the rounds are: at the fork or, if its function forks once, at its call in a
 * loop that counts. */
static bool
find_rounds(Distinct *d, ThreadId t, Maker *m, Counter *count, bool *bounded)
{
	const Thread *th = thread_get(d->t, t);
	Maker at = *m = maker_at(d, th->fork_inst, th->fork, th->unique);
	const Edge *e;

	for (u32 n = 0; n < WRAPPERS && !th->unique && !at.loop; n++) {
		if (!(e = only_call(d, at.inst)))
			break;
		at = maker_at(d, e->from, e->ins, false);
	}
	if (!counts(d, t, &at, count, bounded))
		return false;
	*m = at;
	if (at.inst != th->fork_inst) {
		m->wrapper = th->fork_inst;
		m->wrapped_fork = th->fork;
	}
	return true;
}

/* How t is made, if it is made more than once. */
static Maker *
find_maker(Distinct *d, ThreadId t)
{
	const Thread *th = thread_get(d->t, t);
	Maker *m;
	Counter count = {0};
	bool bounded;

	if (!th->parent || th->folded || (th->unique && !d->small))
		return NULL;
	m = arena_new(d->arena, Maker);
	if (find_rounds(d, t, m, &count, &bounded)) {
		maker_counts(m, &count.iv);
		m->bounded = bounded && counter_bounds(d, m, &count, &m->lo, &m->hi);
		m->rises = m->bounded || counter_rises(d, m, &count.iv, &m->lo);
		m->end = maker_end(d, m);
	}
	return m;
}

bool
distinct_few(u32 entries)
{
	return entries < SMALL;
}

Distinct *
distinct_solve(Arena *a, const Threads *t, const Order *o, const Fresh *f, Entries *few)
{
	Distinct *d = arena_new(a, Distinct);

	*d = (Distinct){.arena = a,
			.t = t,
			.p = t->pta,
			.ir = t->pta->ir,
			.fresh = f,
			.order = o,
			.steady = steady_new(t, a),
			.entries = few,
			.small = few != NULL};
	intern_init(&d->extents, a);
	d->makers = arena_array(a, Maker *, t->at.n);
	intern_init(&d->families, a);
	intern_init(&d->shares, a);
	terms_init(&d->terms, a);
	vec_push(a, &d->forms, (Form){0});
	for (ThreadId x = 2; x < t->at.n && !t->bounded; x++)
		d->makers[x] = find_maker(d, x);
	for (u32 k = 0; k < t->acts.ins.n; k++) {
		const Ins *i = ir_ins(d->ir, t->acts.ins.at[k]);
		d->tickets = d->tickets || is_ticket_machine(d->ir, i);
		d->assumes = d->assumes || i->op == OP_ASSUME;
	}
	for (ThreadId x = 2; x < t->at.n; x++)
		if (d->makers[x])
			flow_down(d, x);
	return d;
}

bool
distinct_asks_order(const Distinct *d)
{
	return d->small;
}

u32
family_of(Distinct *d, ThreadId t, Form f, u64 size)
{
	struct {
		u32 thread, kind, base, of, var;
		i64 scale, window, shift, mod;
	} key;
	const Maker *m = d->makers[t];
	i64 step, window, rest, k = 1;

	memset(&key, 0, sizeof key);
	key.thread = f.of == OF_TICKET ? 0 : t; /* a ticket is one thread's among all */
	key.of = f.of;
	key.var = f.var;
	key.kind = f.kind;
	key.base = f.base;
	if (f.of == OF_BELOW || f.of == OF_UPTO ||
	    (f.of == OF_TERM && !term_linear(&d->terms, f.var, &k)))
		return 0;
	if (f.kind == FORM_ADDR && f.scale && size) {
		f.scale *= k;
		if (!f.scale)
			return 0;
		step = f.scale < 0 ? -f.scale : f.scale;
		window = f.add >= 0 ? f.add / step : -((step - 1 - f.add) / step);
		rest = f.add - window * step;
		/* Windows may begin anywhere: the families of those that do elsewhere are others. */
		if ((u64)rest + (u64)f.span + size > (u64)step && !f.mod &&
		    (u64)f.span + size <= (u64)step) {
			key.shift = rest;
			rest = 0;
		}
		/* What lies beyond one window is as far apart as whole turns of the counter. */
		if ((u64)rest + (u64)f.span + size > (u64)step && f.grain && !f.mod) {
			f.mod = f.grain;
			f.span = 0;
		}
		if ((u64)rest + (u64)f.span + size > (u64)step)
			return 0;
		/* Remainders differ as long as the counter stays within one turn. */
		if (f.mod && !f.turn &&
		    (f.of || !m || !m->bounded || (m->hi - m->lo) * step > f.mod))
			return 0;
		if (f.of == OF_SHARE && !window && share_bytes(d, f.var, f.scale)) {
			key.var = share_bytes(d, f.var, f.scale);
			f.scale = 1;
		}
		key.mod = f.mod;
		key.scale = f.scale;
		key.window = window;
	} else if (f.kind != FORM_OWN) {
		return 0;
	}
	return intern_bytes(&d->families, &key, sizeof key);
}

/* Does ins run in the round of m's loop behind its join? */
static bool
behind_join(const Maker *m, InsId ins)
{
	BlockId b = cfg_block_of(m->cfg->ir, m->cfg->fn, ins);
	BlockId j = cfg_block_of(m->cfg->ir, m->cfg->fn, m->fork);

	if (!m->loop || !cfg_loop_has(m->cfg, m->loop, b))
		return false;
	return b == j ? ins > m->fork : cfg_dominates(m->cfg, j, b);
}

/* An address in inst, and where top, inst itself or a caller of it, comes to its access. */
typedef struct Reached {
	InstId top;
	InsId at;
	InstId inst;
	Val addr;
} Reached;

/* The family of what is reached from a round in which top has joined the one
 * instance of x that the same value of the counter made. */
static u32
joined_from(Distinct *d, ThreadId x, const Reached *a, u64 size)
{
	const Maker *m = d->makers[x];
	Rounds r;

	for (u32 k = 0; order_rounds(d->order, x, a->top, k, &r); k++) {
		const Cfg *cfg = distinct_cfg(d, pta_inst(d->p, a->top)->fn);
		Maker join = {.inst = a->top, .fork = r.join, .cfg = cfg, .joined = x};
		Form f;
		Iv iv = {.phi = r.join_count};
		join.loop = cfg->loop_of[cfg_block_of(d->ir, cfg->fn, r.join)];
		loop_iv(cfg, join.loop, r.join_count, &iv);
		maker_counts(&join, &iv);
		if (r.fork_count != m->counter || !behind_join(&join, a->at))
			continue;
		f = form_made(d, &join, a->inst, a->addr, 0);
		/* What a round made is told by its register. */
		if (f.kind == FORM_ADDR || (f.kind == FORM_OWN && m->inst == a->top))
			return family_of(d, x, f, size);
	}
	return 0;
}

enum { CALLS_DOWN = 3 }; /* from the function that forks or joins to the access */

static u32
joined_family(Distinct *d, ThreadId x, InstId inst, InsId ins, Val addr, u64 size)
{
	Reached a = {inst, ins, inst, addr};
	u32 family = joined_from(d, x, &a, size);

	for (u32 k = 0; k < CALLS_DOWN && !family; k++) {
		const Edge *e = only_call(d, a.top);
		if (!e)
			break;
		a.top = e->from;
		a.at = e->ins;
		family = joined_from(d, x, &a, size);
	}
	return family;
}

/* Does ins of inst run before the fork of x, in the round that the same values of the counter
 * belong to?  Both may be in the function with the loop, or in one that it calls to fork. */
static bool
before_start(Distinct *d, ThreadId x, InstId inst, InsId ins)
{
	const Maker *m = d->makers[x];
	InstId at = thread_get(d->t, x)->fork_inst;
	InsId fork = thread_get(d->t, x)->fork;

	for (u32 n = 0; n <= WRAPPERS && at != inst && at != m->inst; n++) {
		const Edge *e = only_call(d, at);
		if (!e)
			return false;
		at = e->from;
		fork = e->ins;
	}
	if (at != inst)
		return false;
	return at == m->inst ? before_fork(m, ins)
			     : cfg_precedes(distinct_cfg(d, pta_inst(d->p, at)->fn), ins, fork);
}

/* The family of what the creator of x touches in a round before it forks, also in functions that
 * it calls. */
static u32
creator_family(Distinct *d, ThreadId x, InstId inst, InsId ins, Val addr, u64 size)
{
	InstId top = inst;
	const Edge *e;

	for (u32 k = 0; !before_start(d, x, top, ins); k++) {
		if (k == CALLS_DOWN || !(e = only_call(d, top)))
			return 0;
		top = e->from;
		ins = e->ins;
	}
	return family_of(d, x, form_made(d, d->makers[x], inst, addr, 0), size);
}

/* The form of an address that is computed from the start of some object. */
static Form
form_from_start(Distinct *d, ThreadId t, InstId inst, Val v, u32 depth)
{
	InsId def = val_is_reg(v) ? fn_reg(d->ir, pta_fn(d->p, inst), v)->def : 0;
	const Ins *ins = def ? ir_ins(d->ir, def) : NULL;
	const Set *pts;

	if (ins && depth < 8 && (ins->op == OP_COPY || ins->op == OP_CAST))
		return form_from_start(d, t, inst, ins_arg(d->ir, ins, 0), depth + 1);
	if (ins && depth < 8 && ins->op == OP_FIELD && ins->sub != 1)
		return form_shift(form_from_start(d, t, inst, ins_arg(d->ir, ins, 0), depth + 1),
				  ins->imm);
	if (ins && depth < 8 && ins->op == OP_INDEX && ins->sub != 1)
		return form_element(d, ins,
				    form_from_start(d, t, inst, ins_arg(d->ir, ins, 0), depth + 1),
				    form_eval(d, t, inst, ins_arg(d->ir, ins, 1), 0));
	pts = pta_pts(d->p, inst, v);
	SET_FOR (it, pts) {
		const Slot *s = pta_slot(d->p, it.x);
		if (s->off || !pta_slot_exact(d->p, it.x) ||
		    (pta_obj(d->p, s->obj)->kind != OBJ_HEAP &&
		     pta_obj(d->p, s->obj)->kind != OBJ_GLOBAL))
			return FORM_UNKNOWN;
	}
	return set_empty(pts) ? FORM_UNKNOWN : (Form){.kind = FORM_ADDR, .base = BASE_START};
}

enum { MANY_WORDS = 8 }; /* of a set of slots */

/* Is so little known of where addr points that its form will not be known either?
 * Most accesses of a large program are such, and forms are not cheap. */
static bool
points_anywhere(const Distinct *d, InstId inst, Val addr)
{
	return pta_pts(d->p, inst, addr)->n > MANY_WORDS;
}

/* The form of the address of an access; d->use is the access while it is asked
 * for, and after.  Its extent and its family are asked for one after the other. */
static Form
access_form(Distinct *d, ThreadId t, InstId inst, InsId ins, Val addr)
{
	bool again = d->last_thread == t && d->last_inst == inst && d->last_use == ins &&
		     d->last_addr == addr;

	d->use_inst = inst;
	d->use = ins;
	if (again)
		return d->last;
	d->last = points_anywhere(d, inst, addr) ? FORM_UNKNOWN : form_eval(d, t, inst, addr, 0);
	d->last_thread = t;
	d->last_inst = inst;
	d->last_use = ins;
	d->last_addr = addr;
	return d->last;
}

/* The family of all that the one instance does for which the term is 0. */
static u32
alone_family(Distinct *d, ThreadId t, TermId is_zero)
{
	u32 key[] = {t, is_zero, ALONE};

	return is_zero ? intern_bytes(&d->families, key, sizeof key) : 0;
}

u32
distinct_family(Distinct *d, ThreadId t, InstId inst, InsId ins, Val addr, u64 size)
{
	bool ask = d->makers[t] || d->tickets || d->small;
	u32 family = 0;

	if (ask) {
		Form f = access_form(d, t, inst, ins, addr);
		family = family_of(d, t, f, size);
		if (!family)
			family = family_of(d, t, share_block(d, t, inst, ir_ins(d->ir, ins), f), 1);
		if (!family && size && d->small && d->makers[t] && !points_anywhere(d, inst, addr))
			family = family_of(d, t, form_from_start(d, t, inst, addr, 0), size);
	}
	d->use = 0;
	if (!family)
		family = alone_family(d, t, form_alone(d, t, inst, ins));
	for (ThreadId x = 2; x < d->t->at.n && !family; x++) {
		const Maker *m = d->makers[x];
		if (m && thread_get(d->t, x)->parent == t)
			family = creator_family(d, x, inst, ins, addr, size);
		if (m && !family && m->counter && thread_get(d->t, x)->parent == t)
			family = joined_family(d, x, inst, ins, addr, size);
	}
	return family;
}

/* ---- extents ------------------------------------------------------------------ */

/* No object has so many bytes. */
#define FAR ((i64)1 << 40)

/* The whole numbers that a form can be, in all instances, and what they step by. */
static bool
hull(const Maker *m, const Form *f, i64 *lo, i64 *hi, i64 *step)
{
	i64 first = 0, last = 0, end;

	if (f->of || (f->scale && (!m || !m->rises)))
		return false;
	*step = f->mod ? (f->span ? 0 : f->mod) : f->grain;
	if (*step && f->scale % *step)
		*step = 0;
	if (f->mod) {
		*lo = f->add - FAR / f->mod * f->mod;
		*hi = FAR;
		return *step != 0;
	}
	if (f->scale) {
		end = m->bounded ? m->hi : m->lo + FAR / (f->scale > 0 ? f->scale : -f->scale);
		if (end <= m->lo)
			return false;
		first = f->scale * (f->scale > 0 ? m->lo : end - 1);
		last = f->scale * (f->scale > 0 ? end - 1 : m->lo);
	}
	*lo = f->add + first;
	*hi = f->add + last + f->span;
	return true;
}

/* Where in a turn of step bytes the extent lies; -1: over its end. */
static i64
place_in_turn(const Extent *x, i64 step)
{
	i64 at = (x->lo % step + step) % step;

	return at + x->size <= step ? at : -1;
}

bool
extents_apart(const Extent *x, const Extent *y)
{
	i64 step = x->step, other = y->step, at, with;

	if (x->obj != y->obj)
		return false;
	if (x->hi <= y->lo || y->hi <= x->lo)
		return true;
	if (!step || !other)
		return false;
	while (other) {
		i64 rest = step % other;
		step = other;
		other = rest;
	}
	at = place_in_turn(x, step);
	with = place_in_turn(y, step);
	return at >= 0 && with >= 0 && (at + x->size <= with || with + y->size <= at);
}

/* Is the address that of a field by number, not of bytes? */
static bool
is_field(const Distinct *d, InstId inst, Val addr)
{
	const Ir *ir = d->p->ir;
	InsId def = val_is_reg(addr) ? fn_reg(ir, pta_fn(d->p, inst), addr)->def : 0;

	return def && ir_ins(ir, def)->op == OP_FIELD && ir_ins(ir, def)->sub == 1;
}

u32
distinct_extent(Distinct *d, ThreadId t, InstId inst, InsId ins, Val addr, u64 size)
{
	Extent e;
	Form f;

	if (!d->small || !size || is_field(d, inst, addr))
		return 0;
	f = access_form(d, t, inst, ins, addr);
	d->use = 0;
	memset(&e, 0, sizeof e);
	if (f.kind != FORM_ADDR || !hull(d->makers[t], &f, &e.lo, &e.hi, &e.step))
		return 0;
	e.obj = pta_slot(d->p, f.base)->obj;
	e.size = (i64)size;
	e.lo += pta_slot(d->p, f.base)->off;
	e.hi += pta_slot(d->p, f.base)->off + (i64)size;
	return intern_bytes(&d->extents, &e, sizeof e);
}

const Extent *
distinct_extent_get(const Distinct *d, u32 id)
{
	return (const Extent *)(const void *)intern_get(&d->extents, id);
}
