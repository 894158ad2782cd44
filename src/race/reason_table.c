/* reason_table.c - hooks that a loop calls one after the other, as a table lists them.
 *
 *	for (i = 0; modules[i]; i++) if (modules[i]->start) modules[i]->start();
 *
 * One of the hooks creates a thread, others prepare what it uses.  For the order analysis
 * each round may call each of them, so the thread runs beside all.  But hooks that come
 * earlier in the table have run before, and what the hook itself does before it creates the thread
 * has, too: it is called once.
 *
 * A walk is a call of a function that is loaded from an element of an array, or from
 * where an element points to, whose index the loop counts up, and the loop begins once in its
 * function; all that it may call is in one table.  The place of a hook is where the one table that has it, as its
 * initial contents, has it; the program may walk through a copy of the table, so this is no proof
 * and only lowers a rung.  A thread belongs to a hook if its creator comes to the
 * fork only by walks, through that hook alone, and enters no function that walks to it
 * while it runs.  Hooks that come later in the table, or whose place is not known, stay parallel.
 *
 * Walks are found once, in one pass; what hooks run by one search for each that is asked for. */
#include "conc/given.h"
#include "race/reason_int.h"

enum { MAX_HOOKS = 64 };

/* A function that walks call. */
typedef struct Hook {
	InstId inst;
	GlobalId table; /* 0: its place is not known */
	u64 place;      /* there */
	bool *runs;     /* [InstId]; null: not asked */
} Hook;

typedef struct Tables {
	Reasons *rs;
	Set walks; /* instructions */
	Vec(Hook) hooks;
	bool **plain; /* [ThreadId][InstId]: run other than by walks; null: not asked */
	u32 *hook_of; /* [ThreadId]: index plus 1 in hooks plus 1; 0 not asked, 1 none */
} Tables;

/* ---- walks ------------------------------------------------------------------------ */

i64
reason_step(const Races *r, FnId fn, Val index)
{
	const Fn *f = &r->ir->fns.at[fn];
	InsId id, sum;
	const Ins *phi = def_of(r->ir, f, index, &id);
	bool once = true;
	i64 step = 0;

	while (phi && phi->op == OP_CAST)
		phi = def_of(r->ir, f, ins_arg(r->ir, phi, 0), &id);
	for (u32 k = 0; phi && phi->op == OP_PHI && k + 1 < phi->narg; k += 2) {
		const Ins *i = def_of(r->ir, f, ins_arg(r->ir, phi, k + 1), &sum);
		Val by =
		    i && i->op == OP_BIN && i->sub == BIN_ADD && ins_arg(r->ir, i, 0) == phi->dst
			? ins_arg(r->ir, i, 1)
			: 0;
		if (val_is_const(by) && ir_const(r->ir, by)->kind == CONST_INT &&
		    ir_const(r->ir, by)->num)
			step = ir_const(r->ir, by)->num;
		else
			once &= !walk_cyclic(r->walk, fn, ins_arg(r->ir, phi, k));
	}
	return once ? step : 0;
}

/* The address behind a load and a member; *off: of which. */
static Val
member_of(const Ir *ir, const Fn *f, Val v, u64 *off)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);

	if (!i || i->op != OP_LOAD)
		return 0;
	v = ins_arg(ir, i, 0);
	i = def_of(ir, f, v, &id);
	*off = i && i->op == OP_FIELD && i->imm >= 0 ? (u64)i->imm : 0;
	return i && i->op == OP_FIELD ? ins_arg(ir, i, 0) : v;
}

/* Is it a call by a table?  *off: the member that has the function, where the elements are
 * pointers; *direct: they are not. */
static bool
is_walk(const Races *r, FnId fn, InsId call, u64 *off, bool *direct)
{
	const Fn *f = &r->ir->fns.at[fn];
	const Ins *i;
	InsId id;
	u64 none;
	Val v = member_of(r->ir, f, ins_arg(r->ir, ir_ins(r->ir, call), 0), off);

	for (*direct = true; v; *direct = false, v = member_of(r->ir, f, v, &none)) {
		i = def_of(r->ir, f, v, &id);
		if (i && i->op == OP_INDEX)
			return i->imm > 0 && reason_step(r, fn, ins_arg(r->ir, i, 1)) > 0;
		if (!*direct)
			return false;
	}
	return false;
}

/* ---- places ----------------------------------------------------------------------- */

/* The one global that has the constant among its initial contents, at *off; 0: none,
 * or several. */
static GlobalId
holder(const Ir *ir, u8 kind, u32 ref, bool anywhere, u64 *off)
{
	GlobalId found = 0;
	u64 at = 0;

	for (GlobalId g = 1; g < ir->globals.n; g++)
		for (u32 k = 0; k < ir->globals.at[g].ninit; k++) {
			const Init *i = &ir->inits.at[ir->globals.at[g].init + k];
			const Const *c = ir_const(ir, i->val);
			if (c->kind != kind || c->ref != ref || c->num ||
			    (!anywhere && i->off != *off))
				continue;
			if (found)
				return 0;
			found = g;
			at = i->off;
		}
	*off = at;
	return found;
}

/* The hook with its place. */
static Hook
placed(const Races *r, InstId inst, u64 off, bool direct)
{
	GlobalId g = holder(r->ir, CONST_FN, inst_fn(r, inst), direct, &off);

	if (g && !direct)
		g = holder(r->ir, CONST_GLOBAL, g, true, &off);
	return (Hook){.inst = inst, .table = g, .place = off};
}

/* Adds what is called, if all of it is in one table. */
static void
add_hooks(Tables *t, const Edge *e, u32 n, u64 off, bool direct)
{
	const Races *r = t->rs->r;
	Hook hook[MAX_HOOKS];

	for (u32 i = 0; i < n; i++) {
		hook[i] = placed(r, e[i].to, off, direct);
		if (!hook[i].table || hook[i].table != hook[0].table)
			return;
	}
	set_add(r->arena, &t->walks, e->ins);
	for (u32 i = 0; i < n; i++) {
		u32 k = 0;
		while (k < t->hooks.n && t->hooks.at[k].inst != e[i].to)
			k++;
		if (k == t->hooks.n)
			vec_push(r->arena, &t->hooks, hook[i]);
	}
}

static Tables *
tables_of(Reasons *rs)
{
	const Races *r = rs->r;
	Tables *t = rs->tables;

	if (t)
		return t;
	t = rs->tables = arena_new(r->arena, Tables);
	t->rs = rs;
	t->plain = arena_array(r->arena, bool *, r->conc->threads->at.n + 1);
	t->hook_of = arena_array(r->arena, u32, r->conc->threads->at.n + 1);
	for (u32 k = 0, n; k < r->pta->edges.n; k += n) {
		const Edge *e = &r->pta->edges.at[k];
		const Ins *i = ir_ins(r->ir, e->ins);
		u64 off = 0;
		bool direct;
		for (n = 1; k + n < r->pta->edges.n && e[n].from == e->from && e[n].ins == e->ins;)
			n++;
		if (n < 2 || n > MAX_HOOKS || t->hooks.n > MAX_HOOKS || i->op != OP_CALL ||
		    i->sub != CALL_PLAIN || val_is_const(ins_arg(r->ir, i, 0)) ||
		    !is_walk(r, inst_fn(r, e->from), e->ins, &off, &direct))
			continue;
		add_hooks(t, e, n, off, direct);
	}
	return t;
}

/* ---- who runs what ---------------------------------------------------------------- */

/* Calls by walks, and those of which it is not known whom they mean (conc/guess.h). */
static bool
is_by_walk(void *ctx, u32 edge)
{
	const Tables *t = ctx;
	const Conc *c = t->rs->r->conc;

	return set_has(&t->walks, c->pta->edges.at[edge].ins) || (c->guess && c->guess[edge]);
}

static bool *
runs_from(Tables *t, InstId start)
{
	const Races *r = t->rs->r;
	bool *runs = arena_array(r->arena, bool, r->pta->insts.n + 1);
	Set insts = {0}, skipped = {0};

	given_reach(r->conc->threads->given, start, 0, is_by_walk, t, &insts, &skipped);
	SET_FOR (it, &insts)
		runs[it.x] = true;
	set_recycle(r->arena, &insts);
	set_recycle(r->arena, &skipped);
	return runs;
}

/* Does the thread come there other than by walks? */
static bool
comes_plainly(Tables *t, ThreadId thread, InstId inst)
{
	bool **at = &t->plain[thread];

	if (!*at)
		*at = runs_from(t, thread_get(t->rs->r->conc->threads, thread)->start);
	return (*at)[inst];
}

static bool
hook_runs(Tables *t, Hook *h, InstId inst)
{
	if (!h->runs)
		h->runs = runs_from(t, h->inst);
	return h->runs[inst];
}

/* Is a function that walks to the hook entered by `up` while t may run? */
static bool
walked_again(const Tables *t, const Hook *h, ThreadId up, ThreadId thread)
{
	const Races *r = t->rs->r;
	const Inst *in = pta_inst(r->pta, h->inst);
	bool again = false;

	for (u32 k = in->caller; k < in->caller + in->ncaller && !again; k++) {
		const Edge *e = &r->pta->edges.at[r->pta->callers.at[k]];
		again =
		    set_has(&t->walks, e->ins) && conc_enters_beside(r->conc, up, e->from, thread);
	}
	return again;
}

/* The hook that alone creates the thread; null: there is none. */
static Hook *
hook_of(Tables *t, ThreadId thread)
{
	const Races *r = t->rs->r;
	const Thread *th = thread_get(r->conc->threads, thread);
	u32 found = 0, *known = &t->hook_of[thread];

	if (*known)
		return *known > 1 ? &t->hooks.at[*known - 2] : NULL;
	*known = 1;
	if (!t->hooks.n || comes_plainly(t, th->parent, th->fork_inst))
		return NULL;
	for (u32 k = 0; k < t->hooks.n; k++)
		if (hook_runs(t, &t->hooks.at[k], th->fork_inst)) {
			if (found)
				return NULL;
			found = k + 1;
		}
	if (!found || !t->hooks.at[found - 1].table ||
	    walked_again(t, &t->hooks.at[found - 1], th->parent, thread))
		return NULL;
	*known = found + 1;
	return &t->hooks.at[found - 1];
}

/* Does the hook itself come to the access before it creates the thread? */
static bool
before_fork(Tables *t, const Hook *h, const Thread *th, const Access *b)
{
	const Races *r = t->rs->r;
	const Inst *in = pta_inst(r->pta, h->inst);

	if (b->inst != h->inst)
		return false;
	for (u32 k = in->edge; k < in->edge + in->nedge; k++) {
		const Edge *e = &r->pta->edges.at[k];
		bool *runs;
		if (!walk_reaches(r->walk, in->fn, e->ins, b->ins))
			continue;
		if (e->fork)
			return false;
		runs = runs_from(t, e->to);
		if (runs[th->fork_inst])
			return false;
	}
	return th->fork_inst != h->inst || !walk_reaches(r->walk, in->fn, th->fork, b->ins);
}

/* Is b what the creator of a's thread does in earlier hooks only? */
static bool
hooked_before(Tables *t, const Access *a, const Access *b)
{
	const Thread *th = thread_get(t->rs->r->conc->threads, a->thread);
	const Hook *own;
	bool any = false;

	if (!th->parent || th->parent != b->thread)
		return false;
	own = hook_of(t, a->thread);
	if (!own || comes_plainly(t, b->thread, b->inst))
		return false;
	for (u32 k = 0; k < t->hooks.n; k++) {
		Hook *h = &t->hooks.at[k];
		if (!hook_runs(t, h, b->inst))
			continue;
		any = true;
		if (h == own ? !before_fork(t, h, th, b)
			     : h->table != own->table || h->place >= own->place)
			return false;
	}
	return any;
}

bool
reason_table(Reasons *rs, u32 a, u32 b)
{
	const Access *x = access_at(rs->r, a), *y = access_at(rs->r, b);
	Tables *t;

	if (x->thread == y->thread || !rs->r->conc->threads->given || !rs->r->conc->entries)
		return false;
	t = tables_of(rs);
	return t->hooks.n && (hooked_before(t, x, y) || hooked_before(t, y, x));
}
