/* interleave.c - the search over schedules and choices.
 *
 * Depth first over settled states: every thread stands before a visible step,
 * is blocked, or is over.  From a state each enabled thread takes one visible
 * step, and then all local steps are run (exec_kind says why their order does
 * not matter).  A transition that asks for choices is repeated until all have
 * been taken.  A state seen before is not entered again: a State holds all
 * that its future and its future races depend on.
 *
 * Races are found by vector clocks (interleave_state.c), adjacency by looking
 * at what the threads stand before in each settled state: local steps only
 * bring other threads further, so each pair of positions is seen.
 *
 * It ends because the number of states, the length of runs and the local
 * steps in between are bounded; hitting a bound is told. */
#include "ir/interleave_int.h"

#include <string.h>

static const i64 bits[] = {0, 1};
const InterleaveLimits interleave_defaults = {.max_states = 200000,
					      .max_depth = 400,
					      .max_local = 2000,
					      .max_threads = THREADS,
					      .domain = bits,
					      .ndomain = 2};

enum { NOBODY = THREADS }; /* the transition into the first settled state */

/* A settled state on the path, and the next transition out of it. */
typedef struct Node {
	u32 at, len; /* its packed bytes in Search.bytes */
	u32 enabled; /* threads not yet tried */
	u32 thread;  /* being tried */
	Choices choices;
} Node;

typedef struct Search {
	Machine *m;
	InterleaveResult *result;
	Arena *scratch;
	Map seen; /* hash of packed bytes -> 1 */
	Vec(Node) path;
	Vec(u8) bytes;
} Search;

/* ---- choices ------------------------------------------------------------- */

u32
machine_choose(Machine *m, u32 n)
{
	Choices *c = &m->choices;

	if (n < 2 || m->why)
		return 0;
	if (m->taken == CHOICES) {
		machine_give_up(m, "too many choices");
		return 0;
	}
	if (m->taken == c->n) {
		c->val[c->n] = 0;
		c->of[c->n++] = (u8)n;
	}
	assert(c->of[m->taken] == n);
	return c->val[m->taken++];
}

u64
machine_input(Machine *m, u16 width)
{
	u64 v;

	if (m->limits->unknown && width == 1)
		return unknown_choose(m, 2);
	if (m->limits->unknown) {
		m->unknown = true;
		return 0;
	}
	v = (u64)m->limits->domain[machine_choose(m, m->limits->ndomain)];
	return width && width < 64 ? v & (((u64)1 << width) - 1) : v;
}

/* Sets c to the next combination; false if it was the last. */
static bool
next_choices(Choices *c)
{
	while (c->n && c->val[c->n - 1] + 1 == c->of[c->n - 1])
		c->n--;
	if (c->n)
		c->val[c->n - 1]++;
	return c->n > 0;
}

void
machine_give_up(Machine *m, const char *why)
{
	if (!m->why)
		m->why = why;
}

/* Is all found that was asked for? */
static bool
answered(const Machine *m)
{
	for (u32 i = 0; i < m->limits->nasked; i++) {
		const InterleavePair *p = &m->limits->asked[i];
		u32 found = map_get(&m->pairs, map_pair(MIN(p->a, p->b), MAX(p->a, p->b)));
		if (!(found & (p->certain ? FOUND_CERTAIN : FOUND_RACE)))
			return false;
	}
	return m->limits->nasked > 0;
}

void
machine_found(Machine *m, InsId a, InsId b, u32 found)
{
	u32 *at = map_at(m->scratch, &m->pairs, map_pair(MIN(a, b), MAX(a, b)));
	u32 before = *at;

	if (m->limits->unknown && found & FOUND_ADJACENT && !m->s.n.guessed)
		found |= FOUND_CERTAIN;
	*at |= found;
	if (*at != before && answered(m))
		machine_give_up(m, "all is found");
}

/* ---- settling ------------------------------------------------------------ */

/* Runs local steps until there are none. */
static void
settle(Machine *m)
{
	u32 steps = 0;
	bool again = true;

	while (again && !m->why) {
		again = false;
		for (u32 t = 0; t < m->s.n.nthread; t++)
			for (; !m->why && exec_kind(m, t) == STEP_LOCAL; again = true) {
				exec_step(m, t);
				if (++steps > m->limits->max_local)
					machine_give_up(m, "too many local steps");
			}
	}
	if (m->why || m->limits->every_step)
		return;
	for (u32 t = 0; t < m->s.n.nthread; t++)
		live_clear(m, t);
	record_sweep(m);
	clock_renumber(m);
}

/* Whether a run goes through a's access: one that leaves its object ends it
 * before. */
static bool
valid(Machine *m, const Access *a)
{
	return object_at(m, a->addr, a->size) != NULL;
}

static void
compare_next(Machine *m, u32 t, u32 u)
{
	Access a[2], b[2];
	u32 na = exec_accesses(m, t, a), nb = exec_accesses(m, u, b);

	for (u32 i = 0; i < na; i++)
		for (u32 k = 0; k < nb; k++)
			if (access_conflict(&a[i], &b[k]) && (valid(m, &a[i]) || valid(m, &b[k])))
				machine_found(m, top(m, t)->ins, top(m, u)->ins,
					      FOUND_RACE | FOUND_ADJACENT);
}

/* Notes the conflicting accesses that threads stand before. */
static void
find_adjacent(Machine *m)
{
	for (u32 t = 1; t < m->s.n.nthread; t++)
		for (u32 u = 0; u < t; u++)
			if (m->s.thread[t].status == RUNNING && m->s.thread[u].status == RUNNING)
				compare_next(m, t, u);
}

static u32
enabled(Machine *m)
{
	u32 set = 0;

	for (u32 t = 0; t < m->s.n.nthread; t++)
		if (exec_kind(m, t) == STEP_VISIBLE)
			set |= 1u << t;
	return set;
}

/* ---- search -------------------------------------------------------------- */

/* Whether the packed state was seen before; it is from now on. */
static bool
seen(Search *s, const u8 *packed, u32 len)
{
	u32 *mark;

	if (s->m->limits->no_memo)
		return false;
	mark = map_at(s->scratch, &s->seen, hash_bytes(packed, len));
	if (*mark)
		return true;
	*mark = 1;
	return false;
}

/* Puts m's state onto the path, unless it is old or has no way out. */
static void
enter(Search *s)
{
	Machine *m = s->m;
	u32 at = s->bytes.n, len;

	vec_reserve(s->scratch, &s->bytes, sizeof(State));
	len = state_pack(&m->s, s->bytes.at + at);
	s->result->bytes += len;
	if (m->limits->max_bytes && s->result->bytes > m->limits->max_bytes)
		machine_give_up(m, "too large states");
	if (seen(s, s->bytes.at + at, len))
		return;
	if (++s->result->states > m->limits->max_states)
		machine_give_up(m, "too many states");
	if (s->path.n > m->limits->max_depth)
		machine_give_up(m, "a run too long");
	find_adjacent(m);
	vec_push(s->scratch, &s->path,
		 (Node){.at = at, .len = len, .enabled = enabled(m), .thread = NOBODY});
	s->bytes.n += len;
}

static void
leave(Search *s)
{
	s->bytes.n = s->path.at[--s->path.n].at;
}

/* Moves n on to its next transition; false if there is none. */
static bool
advance(Node *n)
{
	if (n->thread != NOBODY && next_choices(&n->choices))
		return true;
	if (!n->enabled)
		return false;
	n->thread = (u32)__builtin_ctz(n->enabled);
	n->enabled &= n->enabled - 1;
	n->choices.n = 0;
	return true;
}

/* Takes thread t's step (NOBODY: none) with the given choices, which grow by
 * those that it asks for, and settles. */
static void
take(Search *s, u32 t, Choices *c)
{
	Machine *m = s->m;

	m->choices = *c;
	m->taken = 0;
	s->result->transitions++;
	if (t != NOBODY)
		exec_step(m, t);
	settle(m);
	*c = m->choices;
}

static void
search(Search *s)
{
	Machine *m = s->m;

	while (s->path.n && !m->why) {
		Node *n = &s->path.at[s->path.n - 1];
		if (!advance(n)) {
			leave(s);
			continue;
		}
		state_unpack(&m->s, s->bytes.at + n->at);
		take(s, n->thread, &n->choices);
		if (!m->why)
			enter(s);
	}
}

/* The first settled states: one for each combination of choices on the way. */
static void
search_all(Search *s, const u8 *initial)
{
	Choices c = {0};

	do {
		state_unpack(&s->m->s, initial);
		take(s, NOBODY, &c);
		if (!s->m->why)
			enter(s);
		search(s);
	} while (!s->m->why && next_choices(&c));
}

/* ---- set-up and result --------------------------------------------------- */

static void
store_init(Machine *m, const Global *g, GlobalId id, const Init *in)
{
	const Const *c = ir_const(m->ir, in->val);
	u32 size = c->kind == CONST_INT ? (c->width + 7u) / 8u : m->ir->ptr_bytes;
	u64 addr = addr_of(m, id) + in->off, v = c->kind == CONST_INT ? (u64)c->num : 0;
	const Object *o = object_at(m, addr, size);

	if (c->kind == CONST_GLOBAL)
		v = addr_of(m, c->ref) + (u64)c->num;
	else if (c->kind == CONST_FN)
		v = addr_of(m, KEY_FN | c->ref);
	if (!o || size > sizeof v || g->tls)
		machine_give_up(m, "an unusual initial value");
	else if (c->kind != CONST_OPAQUE && c->kind != CONST_UNDEF) {
		memcpy(object_bytes(m, o, addr), &v, size);
		unknown_set(m, o, addr, size, false);
	}
}

static void
make_globals(Machine *m)
{
	if (m->ir->globals.n > 512 || m->ir->fns.n >= KEY_FN) {
		machine_give_up(m, "too many globals");
		return;
	}
	for (GlobalId id = 1; id < m->ir->globals.n && !m->why; id++) {
		const Global *g = &m->ir->globals.at[id];
		if (!g->tls && g->size)
			object_new(m, id, (u32)MIN(g->size, (u64)MEMORY + 1), OBJ_GLOBAL);
		unknown_global(m, g, id);
		for (u32 k = 0; k < g->ninit && !m->why; k++)
			store_init(m, g, id, &m->ir->inits.at[g->init + k]);
	}
}

/* Whether the root's own body, which only the first thread runs, has all
 * joins, and nothing detaches. */
static bool
alone_joins(const Ir *ir, FnId root)
{
	const Fn *f = &ir->fns.at[root];

	for (ConstId c = 1; c < ir->consts.n; c++)
		if (ir->consts.at[c].kind == CONST_FN && ir->consts.at[c].ref == root)
			return false;
	for (InsId i = 1; i < ir->ins.n; i++)
		if (ir->ins.at[i].op == OP_DETACH ||
		    (ir->ins.at[i].op == OP_JOIN && (i < f->ins || i >= f->ins + f->nins)))
			return false;
	return true;
}

static int
compare_pairs(const InterleavePair *x, const InterleavePair *y)
{
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

/* Copies what was found into the result, sorted. */
static void
collect(const Machine *m, InterleaveResult *r)
{
	for (u32 i = 0; i < m->pairs.cap; i++) {
		const MapCell *c = &m->pairs.cells[i];
		InterleavePair p = {(InsId)(c->key >> 32), (InsId)c->key,
				    (c->val & FOUND_ADJACENT) != 0, (c->val & FOUND_CERTAIN) != 0};
		u32 k;

		if (!c->val)
			continue;
		vec_push(r->arena, &r->pairs, p);
		for (k = r->pairs.n - 1; k > 0 && compare_pairs(&p, &r->pairs.at[k - 1]) < 0; k--)
			r->pairs.at[k] = r->pairs.at[k - 1];
		r->pairs.at[k] = p;
	}
}

bool
interleave_run(const Ir *ir, FnId root, const InterleaveLimits *limits, InterleaveResult *result)
{
	Arena scratch;
	Machine *m;
	Search s = {.result = result, .scratch = &scratch};
	u8 *initial;

	assert(ir->fns.at[root].nblock && limits->ndomain < 256);
	assert(limits->ndomain || limits->unknown);
	arena_init(&scratch, NULL);
	m = s.m = arena_new(&scratch, Machine);
	m->ir = ir;
	m->limits = limits;
	m->scratch = &scratch;
	m->result = result;
	m->alone_joins = alone_joins(ir, root);
	class_index(&m->classes, &scratch, ir);
	live_compute(m);
	make_globals(m);
	exec_start(m, 0, root, 0, NULL);
	m->s.thread[0].clock.at[0] = 1;
	initial = arena_alloc(&scratch, sizeof(State));
	state_pack(&m->s, initial);
	if (!m->why)
		search_all(&s, initial);
	collect(m, result);
	result->why = m->why;
	arena_release(&scratch);
	return !result->why;
}

const InterleavePair *
interleave_find(const InterleaveResult *r, InsId a, InsId b)
{
	InterleavePair want = {.a = MIN(a, b), .b = MAX(a, b)};

	for (u32 i = 0; i < r->pairs.n; i++)
		if (compare_pairs(&want, &r->pairs.at[i]) == 0)
			return &r->pairs.at[i];
	return NULL;
}

bool
interleave_meet(const InterleaveResult *r, InsId a, InsId b)
{
	return map_get(&r->ordered, map_pair(MIN(a, b), MAX(a, b)));
}
