/* promote.c - locals whose address is not taken become values.
 *
 * As LLVM's mem2reg does it, after Cytron et al. (1991): phis stand where stores meet of
 * a local that is read from there on, loads become what was stored last, and a phi of one value
 * is that value.  Where one store comes before all loads, or all is in one block, no phi is
 * asked for.  No access of other memory is merged or removed.
 *
 * A store becomes what debug information says of it: that the variable has that value now.
 *
 * Each further round has fewer locals, the walk visits each block once, and a phi that goes
 * never comes back. */
#include "ir/dom.h"
#include "llvm/bc.h"

typedef Vec(BcValue *) Values;

/* A local that may be promoted. */
typedef struct Local {
	BcValue *at;    /* the alloca */
	BcValue *store; /* the only one */
	BcValue *declare;
	u32 first, n; /* accesses */
	u32 nstore;
	bool escapes, done;
} Local;

typedef struct Undo {
	u32 local;
	BcValue *value;
	u32 loc;
} Undo;

typedef struct Step {
	u32 block, from; /* numbers + 1; 0: none */
	u32 undo;
} Step;

typedef struct Promote {
	BcModule *m;
	Arena scratch;
	Vec(Local) locals; /* row - 1 of allocas */
	VecU32 queue;      /* of locals, in LLVM's order */
	Values found;      /* accesses as they come */
	BcValue **access;  /* by local */
	bool have_flow;
	Graph succ, pred;
	Doms dom;
	Graph front;       /* dominance frontiers */
	u32 *stamp, *live; /* [block + 1] */
	u32 round;
	Values phis;
	VecU32 *phis_of; /* [block + 1]: rows of phis, the last first */
	BcValue **now;   /* [local] */
	u32 *now_loc;
	Vec(Undo) undo;
	Vec(Step) steps;
	bool *visited;
	bool again;
} Promote;

/* ---- which -------------------------------------------------------------- */

static void
find_locals(Promote *p)
{
	BcBlock *entry = &p->m->blocks[0];

	for (BcValue *i = bc_first(entry); i; i = bc_next(i))
		if (i->op == LLVMAlloca && !(i->flags & BC_ESCAPES)) {
			vec_push(&p->scratch, &p->locals, (Local){.at = i});
			i->row = p->locals.n;
		}
}

/* Does the call only say how long the local lives? */
static bool
is_lifetime(const BcValue *i)
{
	const BcValue *f = i->op == LLVMCall ? i->ops[i->nop - 1] : NULL;
	const BcGlobal *g = f && bc_is_fn(f) ? (const BcGlobal *)f : NULL;

	return g && g->nname > 14 && !memcmp(g->name, "llvm.lifetime.", 14);
}

/* May the use stay what it is if the local is a value? */
static bool
is_plain_use(const BcValue *i, u32 k, const BcValue *local)
{
	switch (i->op) {
	case LLVMLoad: return i->type == local->of && !(i->flags & BC_VOLATILE);
	case LLVMStore:
		return k == 1 && i->ops[0] != local && i->ops[0]->type == local->of &&
		       !(i->flags & BC_VOLATILE);
	case BC_DEBUG: return true;
	default: return is_lifetime(i);
	}
}

static bool
is_local(const BcValue *v)
{
	return v->row && v->op == LLVMAlloca;
}

static void
look_at_uses(Promote *p, BcValue *i)
{
	for (u32 k = 0; k < i->nop; k++) {
		BcValue *v = i->ops[k] = bc_now(i->ops[k]);
		Local *l = is_local(v) ? &p->locals.at[v->row - 1] : NULL;
		if (!l)
			continue;
		if (!is_plain_use(i, k, v)) {
			l->escapes = true;
		} else if (i->op == LLVMLoad || i->op == LLVMStore) {
			vec_push(&p->scratch, &p->found, i);
			l->n++;
			l->nstore += i->op == LLVMStore;
			l->store = i->op == LLVMStore ? i : l->store;
		} else if (i->op == BC_DEBUG && i->sub && !i->order && !l->declare) {
			l->declare = i;
		}
	}
}

static BcValue *
local_of(const BcValue *access)
{
	return access->ops[access->op == LLVMStore];
}

/* Sorts the accesses by local; in a local they stay in their order. */
static void
sort_accesses(Promote *p)
{
	u32 at = 0;

	p->access = arena_array(&p->scratch, BcValue *, p->found.n + 1);
	for (u32 k = 0; k < p->locals.n; k++) {
		p->locals.at[k].first = at;
		at += p->locals.at[k].n;
		p->locals.at[k].n = 0;
	}
	for (u32 k = 0; k < p->found.n; k++) {
		Local *l = &p->locals.at[local_of(p->found.at[k])->row - 1];
		p->access[l->first + l->n++] = p->found.at[k];
	}
}

static void
find_uses(Promote *p)
{
	BcModule *m = p->m;

	for (u32 b = 0; b < m->nblock; b++)
		for (BcValue *i = bc_first(&m->blocks[b]); i; i = bc_next(i))
			look_at_uses(p, i);
	sort_accesses(p);
	for (u32 k = 0; k < p->locals.n; k++)
		if (p->locals.at[k].escapes)
			p->locals.at[k].at->row = 0;
		else
			vec_push(&p->scratch, &p->queue, k);
}

/* ---- flow --------------------------------------------------------------- */

static void
add_edges(Promote *p)
{
	BcModule *m = p->m;
	Vec(Arc) arcs = {0};

	for (u32 b = 0; b < m->nblock; b++)
		for (u32 k = 0; k < m->blocks[b].last->nto; k++)
			vec_push(&p->scratch, &arcs,
				 (Arc){b + 1, m->blocks[b].last->to[k]->number + 1});
	graph_build(&p->succ, &p->scratch, m->nblock + 1, arcs.at, arcs.n);
	graph_reverse(&p->pred, &p->scratch, &p->succ);
}

/* A block is in the frontier of those that dominate a predecessor of it, but not itself. */
static void
add_frontiers(Promote *p)
{
	Vec(Arc) arcs = {0};
	u32 n = p->m->nblock + 1, *last = arena_array(&p->scratch, u32, n);

	for (u32 b = 1; b < n; b++) {
		if (!p->dom.enter[b] || p->pred.first[b + 1] - p->pred.first[b] < 2)
			continue;
		GRAPH_FOR (x, &p->pred, b)
			for (u32 at = *x; p->dom.enter[at] && at != p->dom.idom[b] && last[at] != b;
			     at = p->dom.idom[at]) {
				last[at] = b;
				vec_push(&p->scratch, &arcs, (Arc){at, b});
			}
	}
	graph_build(&p->front, &p->scratch, n, arcs.at, arcs.n);
}

static void
find_flow(Promote *p)
{
	u32 n = p->m->nblock + 1;

	if (p->have_flow)
		return;
	p->have_flow = true;
	add_edges(p);
	doms_build(&p->dom, &p->scratch, &p->scratch, &p->succ, &p->pred, 1);
	add_frontiers(p);
	p->stamp = arena_array(&p->scratch, u32, n);
	p->live = arena_array(&p->scratch, u32, n);
	p->phis_of = arena_array(&p->scratch, VecU32, n);
	p->visited = arena_array(&p->scratch, bool, n);
}

static u32
node_of(const BcValue *i)
{
	return i->in->number + 1;
}

/* ---- without phis ------------------------------------------------------- */

/* The load is what v is now; in code that nobody reaches v may be the load itself. */
static void
replace_load(Promote *p, BcValue *load, BcValue *v)
{
	v = bc_now(v);
	load->flags |= BC_GONE;
	load->fwd = v == load ? bc_new(p->m, LLVMPoisonValueValueKind, load->type, 0) : v;
}

static BcValue *
undefined(Promote *p, BcType *t)
{
	return bc_new(p->m, LLVMUndefValueValueKind, t, 0);
}

/* The store says from now on what value its variable has. */
static void
replace_store(Promote *p, const Local *l, BcValue *store)
{
	p->again |= bc_is(bc_operand(store, 0), LLVMAlloca);
	if (!l->declare) {
		store->flags |= BC_GONE;
		return;
	}
	store->op = BC_DEBUG;
	store->sub = 0;
	store->loc = 0; /* that of the variable is not where its value comes from */
	store->nop = 1;
	store->var = l->declare->var;
}

/* Does the only store come before the load? */
static bool
comes_before(Promote *p, const Local *l, u32 load, u32 store)
{
	const BcValue *x = p->access[l->first + load], *s = p->access[l->first + store];

	if (s->ops[0]->kind != LLVMInstructionValueKind)
		return true; /* then it does not matter */
	if (x->in == s->in)
		return store < load;
	find_flow(p);
	return doms_has(&p->dom, node_of(s), node_of(x));
}

static bool
promote_single_store(Promote *p, Local *l)
{
	u32 at = 0;
	bool all = true;

	while (p->access[l->first + at] != l->store)
		at++;
	for (u32 k = 0; k < l->n && all; k++)
		all = k == at || comes_before(p, l, k, at);
	if (!all)
		return false;
	for (u32 k = 0; k < l->n; k++)
		if (k != at)
			replace_load(p, p->access[l->first + k], l->store->ops[0]);
	replace_store(p, l, l->store);
	return true;
}

/* All accesses are in one block, and none is a load before the first store, or there is no
 * store. */
static bool
promote_in_block(Promote *p, Local *l)
{
	BcValue **x = p->access + l->first, *v = NULL;

	for (u32 k = 1; k < l->n; k++)
		if (x[k]->in != x[0]->in)
			return false;
	if (l->nstore && x[0]->op == LLVMLoad)
		return false;
	for (u32 k = 0; k < l->n; k++)
		if (x[k]->op == LLVMLoad) {
			v = v ? v : undefined(p, x[k]->type);
			replace_load(p, x[k], v);
		} else {
			v = x[k]->ops[0];
			replace_store(p, l, x[k]);
		}
	return true;
}

/* ---- where phis stand ---------------------------------------------------- */

/* Marks the blocks at whose start the local will still be read. */
static void
find_live(Promote *p, const Local *l)
{
	BcValue **x = p->access + l->first;
	VecU32 list = {0};

	p->round++;
	for (u32 k = 0; k < l->n; k++) {
		if (x[k]->op == LLVMStore)
			p->stamp[node_of(x[k])] = p->round;
		if ((!k || x[k]->in != x[k - 1]->in) && x[k]->op == LLVMLoad)
			vec_push(&p->scratch, &list, node_of(x[k]));
	}
	while (list.n) {
		u32 b = list.at[--list.n];
		if (p->live[b] == p->round)
			continue;
		p->live[b] = p->round;
		GRAPH_FOR (from, &p->pred, b)
			if (p->stamp[*from] != p->round)
				vec_push(&p->scratch, &list, *from);
	}
}

static void
add_phi(Promote *p, const Local *l, u32 row, u32 block)
{
	u32 n = p->pred.first[block + 1] - p->pred.first[block];
	BcValue *phi = bc_new(p->m, LLVMInstructionValueKind, l->at->of, n);
	BcBlock *b = &p->m->blocks[block - 1];

	phi->op = LLVMPHI;
	phi->to = bc_alloc(p->m, (n + 1) * sizeof *phi->to);
	phi->nop = 0;
	phi->in = b;
	phi->row = row + 1;
	phi->next = b->first;
	b->first = phi;
	vec_push(&p->scratch, &p->phis, phi);
	vec_push(&p->scratch, &p->phis_of[block], p->phis.n - 1);
}

static void
place_phis(Promote *p, const Local *l, u32 row)
{
	BcValue **x = p->access + l->first;
	VecU32 list = {0};
	u32 placed;

	find_flow(p);
	find_live(p, l);
	placed = ++p->round;
	for (u32 k = 0; k < l->n; k++)
		if (x[k]->op == LLVMStore && p->dom.enter[node_of(x[k])])
			vec_push(&p->scratch, &list, node_of(x[k]));
	while (list.n) {
		u32 b = list.at[--list.n];
		GRAPH_FOR (to, &p->front, b) {
			if (p->stamp[*to] == placed || p->live[*to] != placed - 1)
				continue;
			p->stamp[*to] = placed;
			add_phi(p, l, row, *to);
			vec_push(&p->scratch, &list, *to);
		}
	}
}

/* ---- renaming ------------------------------------------------------------ */

static void
set_now(Promote *p, u32 local, BcValue *v, u32 loc)
{
	vec_push(&p->scratch, &p->undo, (Undo){local, p->now[local], p->now_loc[local]});
	p->now[local] = v;
	p->now_loc[local] = loc;
}

static void
undo_to(Promote *p, u32 n)
{
	while (p->undo.n > n) {
		Undo u = p->undo.at[--p->undo.n];
		p->now[u.local] = u.value;
		p->now_loc[u.local] = u.loc;
	}
}

/* What two positions have in common. */
static u32
merge_locs(BcModule *m, u32 x, u32 y)
{
	BcLoc l, k;

	if (!x || !y || x == y)
		return x == y ? x : 0;
	l = m->locs.at[x - 1];
	k = m->locs.at[y - 1];
	if (l.line == k.line && l.col == k.col && l.scope == k.scope)
		return x;
	l.col = l.line == k.line && l.col == k.col ? l.col : 0;
	l.line = l.line == k.line ? l.line : 0;
	l.known = false;
	vec_push(m->arena, &m->locs, l);
	return m->locs.n;
}

static void
enter_phi(Promote *p, BcValue *phi, BcBlock *from)
{
	u32 local = phi->row - 1;

	phi->loc = phi->nop ? merge_locs(p->m, phi->loc, p->now_loc[local]) : p->now_loc[local];
	for (u32 k = 0; k < from->last->nto; k++)
		if (from->last->to[k] == phi->in) {
			phi->to[phi->nop] = from;
			phi->ops[phi->nop++] = p->now[local];
		}
	set_now(p, local, phi, p->now_loc[local]);
}

static void
rename_access(Promote *p, BcValue *i)
{
	bool access = i->op == LLVMLoad || i->op == LLVMStore;
	u32 row = access && is_local(local_of(i)) ? local_of(i)->row : 0;

	if (!row || p->locals.at[row - 1].done)
		return;
	if (i->op == LLVMLoad) {
		replace_load(p, i, p->now[row - 1]);
		return;
	}
	set_now(p, row - 1, i->ops[0], i->loc);
	replace_store(p, &p->locals.at[row - 1], i);
}

static void
push_step(Promote *p, u32 block, u32 from)
{
	vec_push(&p->scratch, &p->steps, (Step){block, from, p->undo.n});
}

/* The first successor comes next, then the last. */
static void
push_successors(Promote *p, const BcBlock *b)
{
	const BcValue *end = b->last;
	BcBlock *first = end->nto ? end->to[0] : NULL;

	p->round++;
	if (first)
		p->stamp[first->number + 1] = p->round;
	for (u32 k = 1; k < end->nto; k++) {
		u32 to = end->to[k]->number + 1;
		if (p->stamp[to] == p->round)
			continue;
		p->stamp[to] = p->round;
		push_step(p, to, b->number + 1);
	}
	if (first)
		push_step(p, first->number + 1, b->number + 1);
}

static void
rename_block(Promote *p, Step s)
{
	BcBlock *b = &p->m->blocks[s.block - 1];
	VecU32 *phis = &p->phis_of[s.block];

	for (u32 k = phis->n; s.from && k-- > 0;)
		enter_phi(p, p->phis.at[phis->at[k]], &p->m->blocks[s.from - 1]);
	if (p->visited[s.block])
		return;
	p->visited[s.block] = true;
	for (BcValue *i = bc_first(b); i; i = bc_next(i))
		rename_access(p, i);
	push_successors(p, b);
}

static void
rename_all(Promote *p)
{
	p->now = arena_array(&p->scratch, BcValue *, p->locals.n);
	p->now_loc = arena_array(&p->scratch, u32, p->locals.n);
	for (u32 k = 0; k < p->queue.n; k++)
		p->now[p->queue.at[k]] = undefined(p, p->locals.at[p->queue.at[k]].at->of);
	push_step(p, 1, 0);
	while (p->steps.n) {
		Step s = p->steps.at[--p->steps.n];
		undo_to(p, s.undo);
		rename_block(p, s);
	}
}

/* ---- afterwards ----------------------------------------------------------- */

static bool
dominates_phi(const Promote *p, const BcValue *v, const BcValue *phi)
{
	return v->kind != LLVMInstructionValueKind ||
	       (v->in != phi->in && doms_has(&p->dom, node_of(v), node_of(phi)));
}

/* The one value that the phi has, or null. */
static BcValue *
only_value(Promote *p, const BcValue *phi)
{
	BcValue *only = NULL;
	bool undef = false;

	for (u32 k = 0; k < phi->nop; k++) {
		BcValue *v = bc_operand(phi, k);
		if (v == phi)
			continue;
		if (v->kind == LLVMUndefValueValueKind || v->kind == LLVMPoisonValueValueKind)
			undef = true;
		else if (only && v != only)
			return NULL;
		else
			only = v;
	}
	if (!only)
		return undefined(p, phi->type);
	return undef && !dominates_phi(p, only, phi) ? NULL : only;
}

static void
simplify_phis(Promote *p)
{
	for (bool more = true; more;) {
		more = false;
		for (u32 k = 0; k < p->phis.n; k++) {
			BcValue *phi = p->phis.at[k];
			BcValue *v = phi->flags & BC_GONE ? NULL : only_value(p, phi);
			if (!v)
				continue;
			phi->fwd = v;
			phi->flags |= BC_GONE;
			more = true;
		}
	}
}

/* Says behind the phis of a block which variables they are. */
static void
declare_phis(Promote *p, u32 block)
{
	BcValue **at = &p->m->blocks[block - 1].first;

	while ((*at)->op == LLVMPHI)
		at = &(*at)->next;
	for (u32 k = 0; k < p->phis_of[block].n; k++) {
		BcValue *phi = p->phis.at[p->phis_of[block].at[k]], *i;
		const Local *l = &p->locals.at[phi->row - 1];
		if (!l->declare)
			continue;
		i = bc_new(p->m, LLVMInstructionValueKind, p->m->none, 1);
		i->op = BC_DEBUG;
		i->ops[0] = phi;
		i->var = l->declare->var;
		i->in = phi->in;
		i->next = *at;
		*at = i;
		at = &i->next;
	}
}

/* Takes away what was promoted, and what is said of it. */
static void
remove_locals(Promote *p)
{
	BcModule *m = p->m;

	for (u32 b = 0; b < m->nblock; b++)
		for (BcValue *i = m->blocks[b].first; i; i = i->next)
			if (i->op == BC_DEBUG
				? i->nop && is_local(bc_operand(i, 0))
				: is_lifetime(i) && i->nop == 3 && is_local(i->ops[1]))
				i->flags |= BC_GONE;
	for (u32 k = 0; k < p->locals.n; k++)
		if (p->locals.at[k].at->row) {
			p->locals.at[k].at->flags |= BC_GONE;
			p->locals.at[k].at->row = 0;
		}
}

static void
promote_all(Promote *p)
{
	for (u32 k = 0; k < p->queue.n; k++) {
		Local *l = &p->locals.at[p->queue.at[k]];
		l->done = !l->n || (l->nstore == 1 && promote_single_store(p, l)) ||
			  promote_in_block(p, l);
		if (l->done)
			p->queue.at[k--] = p->queue.at[--p->queue.n];
		else
			place_phis(p, l, p->queue.at[k]);
	}
	if (!p->queue.n)
		return;
	rename_all(p);
	for (u32 b = 1; b <= p->m->nblock; b++)
		if (p->phis_of[b].n)
			declare_phis(p, b);
	simplify_phis(p);
}

/* One round; says whether another may find more: the address of a local was in one that is gone. */
static bool
promote(BcModule *m)
{
	Promote p = {.m = m};

	arena_init(&p.scratch, m->arena->budget);
	find_locals(&p);
	if (p.locals.n) {
		find_uses(&p);
		promote_all(&p);
		remove_locals(&p);
	}
	arena_release(&p.scratch);
	return p.again;
}

void
bc_promote(BcModule *m)
{
	while (promote(m))
		continue;
}
