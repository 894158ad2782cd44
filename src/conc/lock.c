/* lock.c - summaries bottom-up, locksets top-down.
 *
 * Callees come before callers (RELAY, Section 2); the members of a cycle are
 * repeated from "never returns" until their summaries stay as they are.  A new
 * summary is joined to the old one, so it only gets weaker, and after a number
 * of rounds it forgets its conditions: the rest is a lattice of finite height.
 *
 * States, locksets and names are numbered in the order in which they come up,
 * and that order is fixed by the program: instances by component, blocks in
 * reverse postorder. */
#include "conc/lock_int.h"

#include <string.h>

enum { ROUNDS_COND = 10, ROUNDS_ALL = 60, LOCKSET_MAX = REL_NAMES };

/* ---- setting up --------------------------------------------------------- */

static void
index_slots(Locks *l)
{
	const Pta *p = l->pta;

	intern_init(&l->slot_index, l->arena);
	for (SlotId s = 1; s < p->slots.n; s++) {
		const Slot *slot = pta_slot(p, s);
		SlotKey key = slot_key(slot);
		if (!slot->obj || pta_obj(p, slot->obj)->folded) /* its slots are all the same */
			continue;
		intern_bytes(&l->slot_index, &key, sizeof key);
		vec_push(l->arena, &l->slot_of, s);
		assert(l->slot_of.n == intern_count(&l->slot_index));
	}
	l->global_obj = arena_array(l->arena, ObjId, l->ir->globals.n);
	for (ObjId o = 1; o < p->objs.n; o++)
		if (pta_obj(p, o)->kind == OBJ_GLOBAL)
			l->global_obj[pta_obj(p, o)->ref] = o;
}

/* The locks that some instance acquires for reading. */
static SetId
find_read(Locks *l)
{
	SetId all = 0;

	for (InstId i = 1; i < l->pta->insts.n; i++) {
		u32 n;
		const InsId *at = acts_of(&l->threads->acts, pta_inst(l->pta, i)->fn, &n);
		for (u32 k = 0; k < n; k++) {
			const Ins *ins = ir_ins(l->ir, at[k]);
			const Set *pts;
			if (ins->op != OP_ACQUIRE || ins->sub != LOCK_READ)
				continue;
			pts = pta_pts(l->pta, i, ins_arg(l->ir, ins, 0));
			all = setpool_union(&l->sets, all, setpool_intern(&l->sets, pts));
		}
	}
	return all;
}

static void
find_components(Locks *l)
{
	const Pta *p = l->pta;
	Vec(Arc) calls = {0};
	Graph g;

	for (u32 e = 0; e < p->edges.n; e++)
		if (p->edges.at[e].from && !p->edges.at[e].fork)
			vec_push(&l->scratch, &calls,
				 (Arc){p->edges.at[e].from, p->edges.at[e].to});
	graph_build(&g, &l->scratch, p->insts.n, calls.at, calls.n);
	graph_sccs(&l->sccs, l->arena, &g);
	arena_release(&l->scratch);
}

Locks *
locks_new(Arena *a, const Threads *t)
{
	Locks *l = arena_new(a, Locks);
	Rel same;
	u32 n;

	l->arena = a;
	arena_init(&l->scratch, a->budget);
	l->threads = t;
	l->pta = t->pta;
	l->ir = t->pta->ir;
	n = l->pta->insts.n;
	paths_init(&l->paths, a);
	setpool_init(&l->sets, a);
	setpool_init(&l->guards, a);
	vec_push(a, &l->fact_at, (FactAt){0});
	intern_init(&l->rels, a);
	intern_init(&l->locksets, a);
	intern_init(&l->facts, a);
	index_slots(l);
	l->read = find_read(l);
	l->returned = arena_array(a, PathOf, n);
	l->returned_known = arena_array(a, u8, n);
	l->sync = arena_array(a, u8, n);
	l->mod = arena_array(a, SetId, n);
	l->sum = arena_array(a, LockSummary, n);
	l->flow = arena_array(a, LockFlow, n);
	l->solved = arena_array(a, RelPack *, n);
	l->solved_at = arena_array(a, u32, n);
	l->changed_at = arena_array(a, u32, n);
	rel_same(&same);
	n = rel_intern(l, &same);
	assert(n == REL_SAME);
	find_components(l);
	lock_sync(l, &l->sccs);
	return l;
}

/* ---- summaries ---------------------------------------------------------- */

static RelId
weaken(Locks *l, RelId old, RelId now, u32 round)
{
	Rel x, y, both;

	rel_get(l, old, &x);
	rel_get(l, now, &y);
	rel_join(l, &both, &x, &y);
	if (round > ROUNDS_COND)
		both.ncond = both.nfact = 0;
	if (round > ROUNDS_ALL) {
		both.n = 0;
		both.all = !both.dead;
	}
	rel_tidy(l, &both);
	return rel_intern(l, &both);
}

static bool
calls_itself(const Pta *p, InstId inst)
{
	const Inst *i = pta_inst(p, inst);

	for (u32 e = i->edge; e < i->edge + i->nedge; e++)
		if (p->edges.at[e].to == inst && !p->edges.at[e].fork)
			return true;
	return false;
}

/* Solves inst once more; says whether its callers have to be, too. */
static bool
solve_again(Locks *l, InstId inst, u32 round)
{
	LockSummary *s = &l->sum[inst];
	LockSummary now;
	bool changed;

	l->step++;
	now = lock_flow(l, inst, l->sync[inst] ? FLOW_AGAIN : FLOW_ONCE);
	now.normal = weaken(l, s->normal, now.normal, round);
	now.thrown = weaken(l, s->thrown, now.thrown, round);
	changed = now.normal != s->normal || now.thrown != s->thrown;
	if (changed)
		l->changed_at[inst] = l->step;
	*s = now;
	return changed;
}

/* Lists the members of a cycle, each behind those that it calls unless a call
 * leads back to it: depth first, the first member being the nearest to the root.
 * next: for each instance the edges that were followed, plus 1; 0 at first. */
static void
callees_first(const Locks *l, const Sccs *s, u32 cycle, u32 *next, Arena *a, VecU32 *out)
{
	const Edge *edges = l->pta->edges.at;
	VecU32 path = {0};

	vec_push(a, &path, s->nodes[s->first[cycle]]);
	next[path.at[0]] = 1;
	while (path.n) {
		InstId i = path.at[path.n - 1];
		const Inst *inst = pta_inst(l->pta, i);
		const Edge *e = &edges[inst->edge + next[i] - 1];
		if (next[i]++ > inst->nedge) {
			vec_push(a, out, i);
			path.n--;
		} else if (!e->fork && s->of[e->to] == cycle && !next[e->to]) {
			next[e->to] = 1;
			vec_push(a, &path, e->to);
		}
	}
	assert(out->n == s->first[cycle + 1] - s->first[cycle]);
}

/* Callees first, so that in one round as much as possible goes up. */
static void
solve_cycle(Locks *l, const Sccs *s, u32 cycle, u32 *next)
{
	const Pta *p = l->pta;
	Set todo = {0}; /* a callee has changed; of other cycles too, which comes to nothing */
	VecU32 order = {0};
	bool again = true;
	Arena mine;

	arena_init(&mine, l->arena->budget);
	callees_first(l, s, cycle, next, &mine, &order);
	for (u32 round = 0; again; round++) {
		again = false;
		for (u32 i = 0; i < order.n; i++) {
			const Inst *inst = pta_inst(p, order.at[i]);
			if (round && !set_has(&todo, order.at[i]))
				continue;
			set_del(&todo, order.at[i]);
			if (!solve_again(l, order.at[i], round))
				continue;
			again = true;
			for (u32 k = inst->caller; k < inst->caller + inst->ncaller; k++)
				set_add(&mine, &todo, p->edges.at[p->callers.at[k]].from);
		}
	}
	arena_release(&mine);
	for (u32 i = s->first[cycle]; i < s->first[cycle + 1]; i++)
		if (l->sync[s->nodes[i]])
			lock_flow(l, s->nodes[i], FLOW_LAST);
}

static void
solve_all(Locks *l, const Sccs *s, Arena *a)
{
	u32 *next = arena_array(a, u32, l->pta->insts.n);

	for (u32 c = 0; c < s->n; c++) {
		const u32 *insts = &s->nodes[s->first[c]];
		u32 n = s->first[c + 1] - s->first[c];
		if (!insts[0]) /* node 0 is no instance */
			continue;
		states_begin(l);
		if (n > 1 || calls_itself(l->pta, insts[0]))
			solve_cycle(l, s, c, next);
		else
			l->sum[insts[0]] =
			    lock_flow(l, insts[0], l->sync[insts[0]] ? FLOW_KEEP : FLOW_ONCE);
	}
}

void
locks_solve(Locks *l, const Set *recurring, StableFn stable, const void *ctx)
{
	Arena mine;

	set_or(l->arena, &l->recurring, recurring);
	l->stable = stable;
	l->stable_ctx = ctx;
	arena_init(&mine, l->arena->budget);
	arena_init(&l->naming, l->arena->budget);
	intern_init(&l->namelists, &l->naming);
	lock_mod(l, &l->sccs);
	solve_all(l, &l->sccs, &mine);
	arena_release(&l->scratch);
	arena_release(&l->naming);
	arena_release(&mine);
}

RelId
locks_before(const Locks *l, InstId inst, InsId ins)
{
	const LockFlow *f = &l->flow[inst];
	u32 lo = 0, hi = f->n;

	while (lo < hi) { /* the number of changes up to ins */
		u32 mid = (lo + hi) / 2;
		if (f->at[mid].ins <= ins)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? f->at[lo - 1].state : REL_SAME;
}

/* Is the name held or released on some paths only, or for some values? */
static bool
is_conditional(const Rel *r, const RelName *n)
{
	for (u32 i = 0; i < r->ncond; i++)
		if (r->cond[i].kind == n->name.kind && r->cond[i].ref == n->name.ref)
			return true;
	return n->flags & REL_PARTIAL;
}

bool
locks_conditional(const Locks *l, InstId inst, InsId ins)
{
	Rel r;

	rel_get(l, locks_before(l, inst, ins), &r);
	for (u32 i = 0; i < r.n; i++)
		if (r.name[i].flags & REL_PARTIAL)
			return true;
	return !r.dead && r.ncond > 0;
}

/* May a conditional lock of r be the one at pts? */
static bool
conditional_at(Locks *l, const Rel *r, SetId pts)
{
	for (u32 i = 0; i < r->n; i++)
		if (is_conditional(r, &r->name[i]) && locks_sets_alias(l, r->name[i].name.pts, pts))
			return true;
	return false;
}

bool
locks_conditional_on(Locks *l, InstId inst, InsId ins, LocksetId held)
{
	Held list[REL_NAMES];
	u32 n = locks_members(l, held, list);
	Rel r;

	rel_get(l, locks_before(l, inst, ins), &r);
	for (u32 i = 0; i < n; i++)
		if (conditional_at(l, &r, list[i].name.pts))
			return true;
	return false;
}

bool
locks_conditional_alike(Locks *l, InstId inst, InsId ins, InstId other, InsId at)
{
	Rel r, q;

	rel_get(l, locks_before(l, inst, ins), &r);
	rel_get(l, locks_before(l, other, at), &q);
	for (u32 i = 0; i < q.n; i++)
		if (is_conditional(&q, &q.name[i]) && conditional_at(l, &r, q.name[i].name.pts))
			return true;
	return false;
}

/* ---- locksets ----------------------------------------------------------- */

typedef struct Lockset {
	u32 n;
	Held at[LOCKSET_MAX];
} Lockset;

static void
get_lockset(const Locks *l, LocksetId id, Lockset *out)
{
	out->n = intern_len(&l->locksets, id) / sizeof *out->at;
	memcpy(out->at, intern_get(&l->locksets, id), out->n * sizeof *out->at);
}

static LocksetId
put_lockset(Locks *l, const Lockset *s)
{
	return s->n ? intern_bytes(&l->locksets, s->at, s->n * sizeof *s->at) : 0;
}

u32
locks_members(const Locks *l, LocksetId id, Held out[REL_NAMES])
{
	Lockset s;

	get_lockset(l, id, &s);
	memcpy(out, s.at, s.n * sizeof *out);
	return s.n;
}

bool
locks_has(const Locks *l, LocksetId held, SlotId slot)
{
	Lockset s;

	get_lockset(l, held, &s);
	for (u32 i = 0; i < s.n; i++)
		if (s.at[i].name.kind == NAME_SLOT && s.at[i].name.ref == slot)
			return true;
	return false;
}

/* Adds h in order; of two with one name the higher counts hold, since both do. */
static void
add_held(Lockset *s, Held h)
{
	u32 i = 0;

	if (!h.count[0] && !h.count[1])
		return;
	while (i < s->n && name_cmp(&s->at[i].name, &h.name) < 0)
		i++;
	if (i < s->n && name_cmp(&s->at[i].name, &h.name) == 0) {
		for (u32 m = 0; m < 2; m++)
			s->at[i].count[m] = MAX(s->at[i].count[m], h.count[m]);
		return;
	}
	if (s->n == LOCKSET_MAX)
		return;
	memmove(&s->at[i + 1], &s->at[i], (s->n - i) * sizeof *s->at);
	s->at[i] = h;
	s->n++;
}

static u8
count_after(u32 count, Eff eff)
{
	int c = eff.add == EFF_ALL ? 0 : (int)count + eff.add;

	c = MAX(c, eff.floor);
	return (u8)MIN(MAX(c, 0), EFF_MAX);
}

LocksetId
locks_held(Locks *l, InstId inst, LocksetId entry, RelId rel)
{
	u64 key = map_pair(entry, rel);
	u32 memo = map_get(&l->held_memo, key);
	Lockset before, now;
	Rel r;

	(void)inst; /* names are in its frame on both sides */
	if (memo || rel == REL_DEAD)
		return memo ? memo - 1 : 0;
	now.n = 0;
	get_lockset(l, entry, &before);
	rel_get(l, rel, &r);
	for (u32 i = 0; i < before.n; i++) {
		Held h = before.at[i];
		for (u32 m = 0; m < 2; m++)
			h.count[m] = count_after(h.count[m], rel_eff(l, &r, &h.name, m));
		add_held(&now, h);
	}
	for (u32 i = 0; i < r.n; i++) {
		Held h = {.name = r.name[i].name};
		for (u32 m = 0; m < 2; m++)
			h.count[m] = count_after(0, r.name[i].eff[m]);
		add_held(&now, h);
	}
	memo = put_lockset(l, &now);
	map_put(l->arena, &l->held_memo, key, memo + 1);
	return memo;
}

LocksetId
locks_enter(Locks *l, const Edge *call, LocksetId held)
{
	u32 edge = (u32)(call - l->pta->edges.at);
	u64 key = map_pair(edge, held);
	Lockset before, now;
	Name names[2];
	u32 memo;

	assert(edge < l->pta->edges.n);
	if (call->fork || !held)
		return 0;
	memo = map_get(&l->enter_memo, key);
	if (memo)
		return memo - 1;
	now.n = 0;
	get_lockset(l, held, &before);
	for (u32 i = 0; i < before.n; i++) {
		u32 n = locks_names_down(l, call, &before.at[i].name, names);
		for (u32 k = 0; k < n; k++) {
			Held h = before.at[i];
			h.name = names[k];
			add_held(&now, h);
		}
	}
	memo = put_lockset(l, &now);
	map_put(l->arena, &l->enter_memo, key, memo + 1);
	return memo;
}

/* The slots of a name that is one of two places; 0 is unknown. */
static SetId
either(Locks *l, SetId x, SetId y)
{
	return x && y ? setpool_union(&l->sets, x, y) : 0;
}

LocksetId
locks_meet(Locks *l, LocksetId x, LocksetId y)
{
	Lockset a, b, both;
	u32 j = 0, memo;
	u64 key = map_pair(MIN(x, y), MAX(x, y));

	if (x == y || !x || !y)
		return x == y ? x : 0;
	memo = map_get(&l->meet_memo, key);
	if (memo)
		return memo - 1;
	both.n = 0;
	get_lockset(l, MIN(x, y), &a);
	get_lockset(l, MAX(x, y), &b);
	for (u32 i = 0; i < a.n; i++) {
		Held h = a.at[i];
		while (j < b.n && name_cmp(&b.at[j].name, &h.name) < 0)
			j++;
		if (j == b.n || name_cmp(&b.at[j].name, &h.name) != 0)
			continue;
		for (u32 m = 0; m < 2; m++)
			h.count[m] = MIN(h.count[m], b.at[j].count[m]);
		h.name.pts = either(l, h.name.pts, b.at[j].name.pts);
		h.name.cells = setpool_union(&l->sets, h.name.cells, b.at[j].name.cells);
		add_held(&both, h);
	}
	memo = put_lockset(l, &both);
	map_put(l->arena, &l->meet_memo, key, memo + 1);
	return memo;
}
