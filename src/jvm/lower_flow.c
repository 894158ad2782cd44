/* lower_flow.c - the first mode: blocks, and what each starts with.
 *
 * A node is a block of bytecode in a context: the chain of subroutine calls
 * (jsr) that led to it, so that each call has its own copy and `ret` is a plain
 * jump.  A chain does not call from one place twice, and contexts and nodes
 * are bounded.  What a throwing instruction leads to is a dispatch node: one
 * per list of handlers and context, which tests the exception's class.
 *
 * States only go up a lattice of height three per place (an object, a
 * reference, nothing), so the work list runs dry.  Locals whose kinds differ
 * hold nothing; places of the stack that differ are an error. */
#include "jvm/lower_int.h"

#include <string.h>

enum {
	MAX_NODES = 1 << 17,
	MAX_CTXS = 1 << 10,
	MAX_DEPTH = 16,
	MAX_CLAUSES = 1 << 20,
	MAX_ROOM = 1 << 24 /* slots of all states */
};

/* ---- handlers ----------------------------------------------------------- */

static bool
has_type(const Clause *c, u32 n, u16 type)
{
	for (u32 k = 0; k < n; k++)
		if (c[k].type == type)
			return true;
	return false;
}

static bool
same_clauses(const Lower *l, u32 list, const Clause *c, u32 n)
{
	const HandlerList *h = &l->lists.at[list];

	return h->n == n && !memcmp(&l->clauses.at[h->first], c, n * sizeof *c);
}

/* The list of handlers around the instruction at `at`, innermost first. */
static u32
list_at(Lower *l, u32 at)
{
	u32 first = l->clauses.n, n = 0;

	lower_spend(l, (u64)l->code.nhandler + l->lists.n);
	for (u32 k = 0; k < l->code.nhandler && !l->why; k++) {
		const JHandler *h = &l->code.handlers[k];
		if (at < h->from || at >= h->to)
			continue;
		lower_spend(l, n);
		if (has_type(l->clauses.at + first, n, h->type))
			continue;
		vec_push(&l->a, &l->clauses, (Clause){h->type, h->target});
		n++;
		if (!h->type)
			break;
	}
	for (u32 k = l->lists.n; n && k-- > 1;)
		if (same_clauses(l, k, l->clauses.at + first, n)) {
			l->clauses.n = first;
			return k;
		}
	if (!n)
		return 0;
	if (l->clauses.n > MAX_CLAUSES)
		lower_fail(l, "too many exception handlers");
	vec_push(&l->a, &l->lists, (HandlerList){first, n});
	return l->lists.n - 1;
}

/* ---- nodes -------------------------------------------------------------- */

static u32
new_node(Lower *l, Node n, u64 key)
{
	u32 id = l->nodes.n;

	if (id > MAX_NODES)
		lower_fail(l, "too many blocks");
	vec_push(&l->a, &l->nodes, n);
	map_put(&l->a, &l->node_index, key, id);
	return id;
}

/* The node that dispatches to the list's handlers; 0: an exception leaves the
 * method, and there is nothing to do. */
static u32
dispatch_node(Lower *l, u32 list, u32 ctx)
{
	u64 key = (u64)1 << 63 | map_pair(list, ctx);
	u32 id = map_get(&l->node_index, key);

	if (id || (!list && !(l->m->flags & ACC_SYNCHRONIZED)))
		return id;
	return new_node(l, (Node){.dispatch = true, .list = list, .ctx = ctx}, key);
}

u32
flow_node(Lower *l, u32 at, u32 ctx)
{
	u64 key = map_pair(at, ctx);
	u32 id = map_get(&l->node_index, key), end = at + 1;
	Node n = {.at = at, .ctx = ctx};

	if (id)
		return id;
	while (!(l->marks[end] & MARK_LEADER))
		end++;
	n.end = end;
	n.list = list_at(l, at);
	n.exc = dispatch_node(l, n.list, ctx);
	return new_node(l, n, key);
}

u32
flow_ctx(Lower *l, u32 parent, u32 ret)
{
	u32 *id = map_at(&l->a, &l->ctx_index, map_pair(parent, ret));
	u32 depth = l->ctxs.at[parent].depth + 1;

	if (*id)
		return *id;
	/* One that was left by a jump is called anew: it goes on in the copy that it was left in.
	 * None calls itself for ever, as it would keep as many addresses to return to. */
	for (u32 c = parent; c; c = l->ctxs.at[c].parent)
		if (l->ctxs.at[c].ret == ret)
			return c;
	if (depth > MAX_DEPTH || l->ctxs.n > MAX_CTXS)
		lower_fail(l, "too many subroutine calls");
	*id = l->ctxs.n;
	vec_push(&l->a, &l->ctxs, (Ctx){parent, depth, ret});
	return l->ctxs.n - 1;
}

/* ---- states ------------------------------------------------------------- */

static Slot
meet(Slot x, Slot y)
{
	if (x.kind == y.kind && (x.kind != K_RET || x.v == y.v))
		return x;
	if (kind_is_ref(x.kind) && kind_is_ref(y.kind))
		return (Slot){K_REF, 0};
	return (Slot){0};
}

static void
queue(Lower *l, u32 node)
{
	if (!l->nodes.at[node].queued) {
		l->nodes.at[node].queued = true;
		vec_push(&l->a, &l->work, node);
	}
}

static void
enter_first(Lower *l, u32 node, const Slot *stack, u32 depth)
{
	Slot *in = arena_array(&l->a, Slot, l->nlocal + depth + 1);

	l->room += l->nlocal + depth + 1;
	if (l->room > MAX_ROOM)
		lower_fail(l, "the body is too large");
	memcpy(in, l->local, l->nlocal * sizeof *in);
	if (depth)
		memcpy(in + l->nlocal, stack, depth * sizeof *in);
	for (u32 k = 0; k < l->nlocal + depth; k++)
		if (in[k].kind != K_RET)
			in[k].v = 0;
	l->nodes.at[node].in = in;
	l->nodes.at[node].depth = depth;
	queue(l, node);
}

/* Control comes to node with the current locals and that stack. */
static void
enter(Lower *l, u32 node, const Slot *stack, u32 depth)
{
	Node *n = &l->nodes.at[node];
	bool changed = false;

	lower_spend(l, l->nlocal + depth);
	if (l->why)
		return;
	if (!n->in) {
		enter_first(l, node, stack, depth);
		return;
	}
	if (n->depth != depth) {
		lower_fail(l, "the stack has different depths where control meets");
		return;
	}
	for (u32 k = 0; k < l->nlocal + depth; k++) {
		Slot was = n->in[k], s = k < l->nlocal ? l->local[k] : stack[k - l->nlocal];
		Slot now = meet(was, s);
		if (k >= l->nlocal && !now.kind) {
			lower_fail(l, "types on the stack do not merge");
			return;
		}
		changed |= was.kind != now.kind;
		n->in[k] = (Slot){now.kind, now.kind == K_RET ? now.v : 0};
	}
	if (changed)
		queue(l, node);
}

void
flow_end(Lower *l, Op op, u32 narg, const Val *args, u32 nto, const u32 *to)
{
	l->ended = true;
	if (l->emit) {
		if (op != OP_BR || !ssa_merge(l, to[0]))
			ssa_end(l, op, narg, args, nto, to);
		return;
	}
	for (u32 k = 0; k < nto; k++) {
		vec_push(&l->a, &l->succs, to[k]);
		enter(l, to[k], l->stack, l->depth);
	}
}

void
flow_raise(Lower *l)
{
	u32 exc = l->nodes.at[l->node].exc;

	if (l->emit) {
		l->throwing = true;
		if (exc)
			ssa_entered(l);
	} else if (exc)
		enter(l, exc, NULL, 0);
}

/* ---- interpretation ----------------------------------------------------- */

static void
run_dispatch(Lower *l, const Node *n)
{
	HandlerList h = l->lists.at[n->list];
	u32 ctx = n->ctx;
	Slot e = {K_OBJ, 0};

	for (u32 k = 0; k < h.n && !l->why; k++) {
		u32 to = flow_node(l, l->clauses.at[h.first + k].target, ctx);
		vec_push(&l->a, &l->succs, to);
		enter(l, to, &e, 1);
	}
}

void
flow_run(Lower *l)
{
	Node n = l->nodes.at[l->node];
	u32 at = n.at, end = n.end, to;

	for (l->pc = at; l->pc < end && !l->why && !l->ended; l->pc = l->next) {
		l->next = l->pc + code_length(l->code.at, l->code.n, l->pc);
		step(l);
	}
	if (l->why || l->ended)
		return;
	if (end >= l->code.n) {
		lower_fail(l, "control runs off the end of the body");
		return;
	}
	to = flow_node(l, end, n.ctx);
	flow_end(l, OP_BR, 0, NULL, 1, &to);
}

static void
run_node(Lower *l, u32 id)
{
	Node n = l->nodes.at[id];

	lower_spend(l, n.end - n.at + l->nlocal);
	l->node = id;
	l->ended = false;
	l->depth = n.depth;
	memcpy(l->local, n.in, l->nlocal * sizeof *l->local);
	if (n.depth)
		memcpy(l->stack, n.in + l->nlocal, n.depth * sizeof *l->stack);
	l->nodes.at[id].succ = l->succs.n;
	if (n.dispatch)
		run_dispatch(l, &n);
	else
		flow_run(l);
	l->nodes.at[id].nsucc = l->succs.n - l->nodes.at[id].succ;
}

/* ---- liveness and order ------------------------------------------------- */

static void
own_uses(const Lower *l, const Node *n, u64 *uses, u64 *defs)
{
	for (u32 at = n->at; at < n->end; at += code_length(l->code.at, l->code.n, at)) {
		LocalUse u = code_local(l->code.at, at);
		u64 bit = (u64)1 << (u.slot % 64);
		if (!u.kind)
			continue;
		if (u.reads && !(defs[u.slot / 64] & bit))
			uses[u.slot / 64] |= bit;
		if (u.writes)
			defs[u.slot / 64] |= bit;
	}
}

static bool
add_live(u64 *to, const u64 *from, const u64 *but, u32 words)
{
	bool changed = false;

	for (u32 k = 0; k < words; k++) {
		u64 now = to[k] | (from[k] & ~(but ? but[k] : 0));
		changed |= now != to[k];
		to[k] = now;
	}
	return changed;
}

static bool
flow_back(Lower *l, Node *n, const u64 *defs, u32 words)
{
	bool changed = false;

	for (u32 k = 0; k < n->nsucc; k++) {
		const Node *s = &l->nodes.at[l->succs.at[n->succ + k]];
		changed |= add_live(n->live, s->live, defs, words);
	}
	if (n->exc && l->nodes.at[n->exc].in)
		changed |= add_live(n->live, l->nodes.at[n->exc].live, NULL, words);
	return changed;
}

/* Which locals are still read; in postorder until nothing changes. */
static void
find_live(Lower *l)
{
	u32 words = l->nlocal / 64 + 1;
	u64 **defs = arena_array(&l->a, u64 *, l->nodes.n);
	bool changed = true;

	for (u32 id = 1; id < l->nodes.n; id++) {
		Node *n = &l->nodes.at[id];
		if (!n->in)
			continue;
		n->live = arena_array(&l->a, u64, words);
		defs[id] = arena_array(&l->a, u64, words);
		if (!n->dispatch)
			own_uses(l, n, n->live, defs[id]);
	}
	while (changed && !l->why) {
		changed = false;
		lower_spend(l, ((u64)l->norder + l->succs.n) * words);
		for (u32 k = l->norder; k-- > 0;)
			changed |=
			    flow_back(l, &l->nodes.at[l->order[k]], defs[l->order[k]], words);
	}
}

/* Successor k of n, its exceptions last; 0: no more. */
static u32
nth_succ(const Lower *l, const Node *n, u32 k)
{
	if (k < n->nsucc)
		return l->succs.at[n->succ + k];
	return k == n->nsucc && n->exc && l->nodes.at[n->exc].in ? n->exc : 0;
}

static void
find_order(Lower *l)
{
	u32 *stack = arena_array(&l->a, u32, l->nodes.n + 1), n = 0, at;
	u32 *next = arena_array(&l->a, u32, l->nodes.n);

	l->order = arena_array(&l->a, u32, l->nodes.n);
	at = l->nodes.n;
	stack[n++] = 1;
	next[1] = 1;
	while (n) {
		u32 id = stack[n - 1];
		u32 s = nth_succ(l, &l->nodes.at[id], next[id] - 1);
		if (!s) {
			l->order[--at] = id;
			n--;
			continue;
		}
		next[id]++;
		if (!next[s]) {
			next[s] = 1;
			stack[n++] = s;
		}
	}
	l->norder = l->nodes.n - at;
	memmove(l->order, l->order + at, l->norder * sizeof *l->order);
	for (u32 k = 0; k < l->norder; k++)
		l->nodes.at[l->order[k]].rank = k + 1;
}

/* Counts predecessors, and notes those that come later in the order. */
static void
find_back_edges(Lower *l)
{
	for (u32 k = 0; k < l->norder; k++) {
		const Node *n = &l->nodes.at[l->order[k]];
		for (u32 i = 0, s; (s = nth_succ(l, n, i)); i++) {
			l->nodes.at[s].back |= l->nodes.at[s].rank <= n->rank;
			l->nodes.at[s].npred++;
		}
	}
}

bool
flow_analyse(Lower *l)
{
	u32 entry;

	vec_push(&l->a, &l->nodes, (Node){0});
	vec_push(&l->a, &l->ctxs, (Ctx){0});
	vec_push(&l->a, &l->lists, (HandlerList){0});
	vec_reserve(&l->a, &l->clauses, 1);
	entry = flow_node(l, 0, 0);
	/* A dispatch node may have come first; the entry is node 1. */
	if (entry != 1) {
		Node d = l->nodes.at[1];
		l->nodes.at[1] = l->nodes.at[entry];
		l->nodes.at[entry] = d;
		l->nodes.at[1].exc = entry;
		map_put(&l->a, &l->node_index, map_pair(0, 0), 1);
		map_put(&l->a, &l->node_index, (u64)1 << 63 | map_pair(d.list, d.ctx), entry);
	}
	enter(l, 1, NULL, 0);
	while (l->work.n && !l->why) {
		u32 id = l->work.at[--l->work.n];
		l->nodes.at[id].queued = false;
		run_node(l, id);
	}
	if (l->why)
		return false;
	find_order(l);
	find_back_edges(l);
	find_live(l);
	return !l->why;
}
