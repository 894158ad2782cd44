/* solve.c - propagation of differences, with the call graph on the fly.
 *
 * Each node splits its set in two: `known`, which its successors and
 * constraints have seen, and `fresh`, which they have not.  Between steps
 * (pta_check):
 *
 *	known and fresh are disjoint;
 *	a node is queued exactly when its fresh set is not empty;
 *	known(x) is within known(y) + fresh(y) for every edge x -> y, where the
 *	slots of a folded object count as one.
 *
 * Nodes are taken in topological order of the copy edges as of the last time
 * that cycles were looked for (cycle.c), which is done again whenever as many
 * nodes have been propagated as there are (in Java programs, as many words of sets
 * as there are nodes and edges: few propagations are many words there): its cost
 * stays a constant part of the whole.  Sets only grow and are bounded (pta_int.h), so solving ends. */
#include "pta/pta_int.h"

/* ---- the queue ---------------------------------------------------- */

/* The crowd comes last: all that concerns it is then done at once. */
static void
push(Solver *s, NodeId x)
{
	s->node.at[x].queued = true;
	if (s->crowd == x)
		s->crowd_queued = true;
	else
		least_add(s->a, &s->queue, s->node.at[x].order);
}

static bool
any_queued(const Solver *s)
{
	return s->queue.n || s->crowd_queued;
}

static NodeId
pop(Solver *s)
{
	NodeId x = s->queue.n ? s->by_order.at[least_take(&s->queue)] : s->crowd;

	if (x == s->crowd)
		s->crowd_queued = false;
	s->node.at[x].queued = false;
	return x;
}

/* Puts the queue in order again after orders have changed. */
void
solve_requeue(Solver *s)
{
	least_clear(&s->queue);
	s->crowd_queued = false;
	for (NodeId x = 1; x < s->node.n; x++) {
		if (s->rep.at[x] != x)
			continue;
		s->node.at[x].queued = false;
		if (!set_empty(&s->node.at[x].fresh))
			push(s, x);
	}
}

/* ---- nodes ------------------------------------------------------------------------- */

NodeId
node_new(Solver *s)
{
	NodeId x = s->node.n;

	vec_push(s->a, &s->node, (Node){.order = x});
	vec_push(s->a, &s->rep, x);
	vec_push(s->a, &s->by_order, x);
	return x;
}

NodeId
node_find(const Solver *s, NodeId x)
{
	u32 *rep = s->rep.at;

	while (rep[x] != x) {
		NodeId up = rep[rep[x]];
		if (rep[x] != up) /* never after solving, when several threads ask */
			rep[x] = up;
		x = up;
	}
	return x;
}

void
node_hand(Solver *s, NodeId x, const Set *set)
{
	Node *n = &s->node.at[x];
	Set pass = {0};

	assert(s->rep.at[x] == x && !n->fixed);
	if (n->limit) {
		set_copy(s->a, &pass, set);
		set_and(&pass, limit_pass(s, n->limit));
		set = &pass;
	}
	if (set_or_minus(s->a, &n->fresh, set, &n->known) && !n->queued)
		push(s, x);
	set_recycle(s->a, &pass);
}

void
node_offer(Solver *s, NodeId x, const Set *set)
{
	if (s->java)
		s->work += set->n;
	node_hand(s, x, set);
}

void
node_give(Solver *s, NodeId x, SlotId slot)
{
	Node *n;

	if (!x)
		return;
	x = node_find(s, x);
	n = &s->node.at[x];
	assert(!n->fixed);
	if (n->limit && !set_has(limit_pass(s, n->limit), slot))
		return;
	if (!set_has(&n->known, slot) && set_add(s->a, &n->fresh, slot) && !n->queued)
		push(s, x);
}

void
node_edge(Solver *s, NodeId x, NodeId y)
{
	if (!x || !y)
		return;
	x = node_find(s, x);
	y = node_find(s, y);
	if (x == y)
		return;
	if (crowd_is(s, x)) {
		crowd_join(s, y);
		return;
	}
	if ((s->node.at[x].fixed || set_add(s->a, &s->node.at[x].succ, y)) &&
	    !set_empty(&s->node.at[x].known))
		node_offer(s, y, &s->node.at[x].known);
}

void
node_filter(Solver *s, NodeId x, NodeId y, ClassId c)
{
	if (!x || !y)
		return;
	assert(set_empty(&s->node.at[node_find(s, y)].known));
	s->node.at[node_find(s, y)].limit = limit_of(s, c);
	node_edge(s, x, y);
}

/* Is there a node other than x among these, or what stands for them? */
static bool
has_other(const Solver *s, const Set *nodes, NodeId x)
{
	SET_FOR (it, nodes)
		if (node_find(s, it.x) != x)
			return true;
	return false;
}

/* What `to` knows and `from` does not is news to the constraints of `from`, and to
 * those of its successors that are not successors of `to`: the others have it.
 * Constraints may merge nodes themselves, so theirs waits. */
static void
catch_up(Solver *s, const Node *to, const Node *from)
{
	NodeId merged = node_find(s, (NodeId)(to - s->node.at));
	Late late = {.first = from->con, .last = from->con_last, .crowd = crowd_is(s, merged)};
	Set succ = {0};

	if (set_empty(&to->known))
		return;
	if (!late.crowd)
		set_or_minus(s->a, &succ, &from->succ, &to->succ);
	if (late.first || has_other(s, &succ, merged))
		set_or_minus(s->a, &late.news, &to->known, &from->known);
	if (!set_empty(&late.news))
		SET_FOR (it, &succ) {
			NodeId y = node_find(s, it.x);
			if (y != merged)
				node_offer(s, y, &late.news);
		}
	if (late.first && !set_empty(&late.news))
		vec_push(s->a, &s->late, late);
	else
		set_recycle(s->a, &late.news);
	set_recycle(s->a, &succ);
}

static void
swap(Set *x, Set *y)
{
	Set t = *x;

	*x = *y;
	*y = t;
}

static void
merge_sets(Solver *s, Node *to, Node *from)
{
	if (set_empty(&to->known) && to->fresh.n < from->fresh.n)
		swap(&to->fresh, &from->fresh);
	if (to->succ.n < from->succ.n)
		swap(&to->succ, &from->succ);
	set_or_minus(s->a, &to->fresh, &from->fresh, &to->known);
	set_or_minus(s->a, &to->fresh, &from->known, &to->known);
	set_or(s->a, &to->succ, &from->succ);
	set_recycle(s->a, &from->fresh);
	set_recycle(s->a, &from->known);
	set_recycle(s->a, &from->succ);
}

/* Makes y, which x stands for already, one with it. */
static void
absorb(Solver *s, NodeId x, NodeId y)
{
	Node *to = &s->node.at[x], *from = &s->node.at[y];

	assert(!to->fixed && !from->fixed);
	if (to->limit != from->limit) {
		to->limit = 0; /* what either was not given cannot be there */
		to->loose = true;
	}
	to->loose |= from->loose;
	catch_up(s, to, from);
	merge_sets(s, to, from);
	if (from->con) {
		if (to->con)
			s->con.at[to->con_last].next = from->con;
		else
			to->con = from->con;
		to->con_last = from->con_last;
	}
	if (!to->queued && !set_empty(&to->fresh))
		push(s, x);
}

NodeId
node_merge(Solver *s, NodeId x, NodeId y)
{
	x = node_find(s, x);
	y = node_find(s, y);
	if (x == y)
		return x;
	if (!crowd_is(s, x) && (crowd_is(s, y) || s->node.at[y].known.n > s->node.at[x].known.n)) {
		NodeId t = x;
		x = y;
		y = t;
	}
	s->rep.at[y] = x;
	absorb(s, x, y);
	return x;
}

NodeId
node_merge_all(Solver *s, const NodeId *nodes, u32 n)
{
	NodeId x = nodes[0];

	for (u32 i = 0; i < n; i++) {
		assert(s->rep.at[nodes[i]] == nodes[i]);
		if (crowd_is(s, nodes[i]) ||
		    (!crowd_is(s, x) && s->node.at[nodes[i]].known.n > s->node.at[x].known.n))
			x = nodes[i];
	}
	for (u32 i = 0; i < n; i++)
		s->rep.at[nodes[i]] = x;
	for (u32 i = 0; i < n; i++)
		if (nodes[i] != x)
			absorb(s, x, nodes[i]);
	return x;
}

/* ---- constraints --------------------------------------------------------------------- */

/* c, which is the crowd's, meets set; rest is crowd_rest(set). */
static void
meet_crowd(Solver *s, ConId c, const Set *set, const Set *rest)
{
	con_meet(s, s->con.at[c], crowd_meet(s, c) ? rest : set);
}

static ConId
add_con(Solver *s, NodeId x, Con c)
{
	ConId id = s->con.n;

	vec_push(s->a, &s->con, c);
	if (s->node.at[x].fixed) /* has met all that it ever will */
		return id;
	if (s->node.at[x].con)
		s->con.at[s->node.at[x].con_last].next = id;
	else
		s->node.at[x].con = id;
	s->node.at[x].con_last = id;
	return id;
}

ConId
node_con(Solver *s, NodeId x, Con c)
{
	Set known = {0}, rest = {0};
	ConId id;

	if (!x)
		return 0;
	x = node_find(s, x);
	set_copy(s->a, &known, &s->node.at[x].known);
	if (crowd_is(s, x)) {
		id = add_con(s, x, c);
		crowd_rest(s, &known, &rest);
		meet_crowd(s, id, &known, &rest);
	} else {
		con_meet(s, c, &known);
		id = add_con(s, node_find(s, x), c);
	}
	set_recycle(s->a, &known);
	set_recycle(s->a, &rest);
	return id;
}

/* Of all nodes one in so many may be large, up to so many times the bound. */
enum { LARGE_PART = 64, LARGE_WORDS = 64 };

/* If fewer nodes were merged than one in so many, cycles are looked for at twice the
 * distance, up to so many times the cost of looking. */
enum { FEW_MERGED = 256, PATIENCE = 16 };

/* ---- the loop -------------------------------------------------------------------------- */

/* Takes what is fresh at x, folded objects by their one slot. */
static Set
take_fresh(Solver *s, NodeId x)
{
	Node *n = &s->node.at[x];
	Set fresh = n->fresh;

	n->fresh = (Set){0};
	if (slot_any_stale(s, &fresh)) {
		slot_rename(s, &fresh);
		set_minus(&fresh, &n->known);
	}
	return fresh;
}

/* As propagate, for the crowd. */
static void
propagate_crowd(Solver *s, NodeId x)
{
	Set fresh = take_fresh(s, x), rest = {0};

	crowd_absorb(s, &fresh);
	x = node_find(s, x);
	set_minus(&fresh, &s->node.at[x].known);
	crowd_learn(s, &fresh);
	crowd_rest(s, &fresh, &rest);
	crowd_sort(s);
	for (u32 k = 0; k < s->crowd_all.n; k++)
		con_meet(s, s->con.at[s->crowd_all.at[k]], &fresh);
	for (u32 k = 0; k < s->crowd_some.n && !set_empty(&rest); k++)
		con_meet(s, s->con.at[s->crowd_some.at[k]], &rest);
	set_recycle(s->a, &fresh);
	set_recycle(s->a, &rest);
}

static void
propagate(Solver *s, NodeId x)
{
	Set fresh = take_fresh(s, x);

	set_or(s->a, &s->node.at[x].known, &fresh);
	/* A constraint may merge x with another node; the list goes on behind. */
	for (ConId c = s->node.at[x].con; c; c = s->con.at[c].next)
		con_meet(s, s->con.at[c], &fresh);
	s->work++;
	x = node_find(s, x);
	SET_FOR (it, &s->node.at[x].succ) {
		NodeId y = node_find(s, it.x);
		if (y != x)
			node_offer(s, y, &fresh);
	}
	set_recycle(s->a, &fresh);
}

/* Shows constraints that came by a merge what their new node knew before. */
static void
meet_late(Solver *s, Late late)
{
	Set rest = {0};

	if (late.crowd)
		crowd_rest(s, &late.news, &rest);
	for (ConId c = late.first;; c = s->con.at[c].next) {
		if (late.crowd)
			meet_crowd(s, c, &late.news, &rest);
		else
			con_meet(s, s->con.at[c], &late.news);
		if (c == late.last)
			break;
	}
	set_recycle(s->a, &late.news);
	set_recycle(s->a, &rest);
}

/* Makes the constraints of what has become reachable. */
static bool
generate(Solver *s)
{
	if (s->new_insts.n)
		gen_inst(s, s->new_insts.at[--s->new_insts.n]);
	else if (crowd_spread(s))
		return true;
	else if (s->late.n)
		meet_late(s, s->late.at[--s->late.n]);
	else if (s->new_globals.n)
		gen_global(s, s->new_globals.at[--s->new_globals.n]);
	else if (s->new_cells.n)
		cell_relate(s, s->new_cells.at[--s->new_cells.n]);
	else
		return false;
	return true;
}

/* Is the set of x so large that x joins the crowd?  A few may have large sets, as
 * what shared containers of a large program hold; it is the many that cost. */
static bool
too_large(Solver *s, NodeId x)
{
	Node *n = &s->node.at[x];
	u32 words = n->known.n + n->fresh.n;

	if (words <= s->max_words)
		return false;
	s->large += !n->large;
	n->large = true;
	return !s->few_large || s->large > s->node.n / LARGE_PART ||
	       words / LARGE_WORDS > s->max_words;
}

/* Propagates the first node in the queue, if it was not merged away. */
static void
step(Solver *s)
{
	NodeId x = pop(s);

	if (s->rep.at[x] != x || set_empty(&s->node.at[x].fresh))
		return;
	if (too_large(s, x))
		x = crowd_join(s, x);
	if (crowd_is(s, x))
		propagate_crowd(s, x);
	else
		propagate(s, x);
}

/* Does c take a member of none of these, though some have memory?  Then their
 * type is not what it was taken for: memory may be used for something else. */
static bool
fits_none(Solver *s, const Con *c, const Set *set)
{
	bool some = false;

	if (c->kind != CON_SHIFT || !c->type)
		return false;
	SET_FOR (it, set) {
		if (typed_fits(s, it.x, c->type))
			return false;
		some |= pta_obj(s->p, pta_slot(s->p, it.x)->obj)->kind != OBJ_FN;
	}
	return some;
}

/* Lets go of the type where it leaves a pointer nothing to point to. */
static bool
loosen(Solver *s)
{
	bool loosened = false;

	for (NodeId x = 1; x < s->node.n; x++) {
		Set known = {0};
		if (s->rep.at[x] != x || !s->node.at[x].con || crowd_is(s, x))
			continue;
		set_copy(s->a, &known, &s->node.at[x].known);
		for (ConId c = s->node.at[x].con; c && s->rep.at[x] == x; c = s->con.at[c].next)
			if (fits_none(s, &s->con.at[c], &known)) {
				s->con.at[c].type = 0;
				con_meet(s, s->con.at[c], &known);
				loosened = true;
			}
		set_recycle(s->a, &known);
	}
	return loosened;
}

/* Looks for cycles, and says when to look again: the fewer there were, the later. */
static void
collapse(Solver *s)
{
	u32 merged = 0;
	u64 cost = cycle_collapse(s, &merged);

	if (merged > s->node.n / FEW_MERGED)
		s->patience = 1;
	else if (s->patience < PATIENCE)
		s->patience *= 2;
	s->next_scc = s->java ? cost * s->patience : s->node.n;
	s->spent += s->work;
	s->work = 0;
}

/* Is this more work than the attempt is worth? */
static bool
in_vain(Solver *s)
{
	s->policy.in_vain |= s->max_work && s->spent + s->work > s->max_work;
	return s->policy.in_vain;
}

void
solve_run(Solver *s)
{
	s->patience = 1;
	for (;;) {
		while (!arena_exceeded(s->a) && !in_vain(s) && generate(s))
			;
		if (arena_exceeded(s->a) || s->policy.in_vain ||
		    (!any_queued(s) && !loosen(s) && !call_misfits(s)))
			break;
		if (!any_queued(s))
			continue;
		if (s->work < s->next_scc)
			step(s);
		else /* may empty the queue, or make constraints late */
			collapse(s);
	}
	s->p->complete = !arena_exceeded(s->a);
}
