/* threads.c - the tree of abstract threads, and multiplicity.
 *
 * Threads (Choi et al., Section 4: the interthread call graph, unrolled into
 * chains).  From each thread's start routine the call edges give the instances
 * that it runs; each fork among them is a link to a child.  A link that the
 * chain already has leads back to that ancestor, so chains have no repeated
 * link and the tree is finite.  Where an ancestor is many and has a child with
 * the same start routine, the link leads to that, and where there are more than
 * FEW_THREADS also if only the child and the creator are many: threads that start each other
 * would else make a chain for every order in which they can, though little is
 * known of the one that is not known of the others.  MAX_THREADS
 * bounds the tree's size, and in large programs MAX_RUNS what all of them may run: beyond
 * that a child folds into an existing thread with the same start routine.  Where the threads run more than
 * CREW_RUNS instances in all, the tree is made anew, and a thread that runs nearly what another
 * does joins that one's crew (crew.h), which is expanded again for what it runs as well then.
 * Doubtful threads, which only a guess starts, and all that they start never stand for others, so that
 * these keep their order; they are one for each start routine, and one crew if there are many.
 *
 * Multiplicity (errata: transitive).  Within one instance of a thread, a
 * function instance may run many times if it is on a call cycle, has two call
 * sites, or is called from a block on a cycle, by a repeating call, or from an
 * instance that may itself run many times.  An object is single if its one
 * allocation runs at most once in at most one thread that is unique.
 */
#include "conc/threads.h"

#include "conc/crew.h"
#include "conc/flow.h"
#include "conc/given.h"
#include "conc/lent.h"
#include "conc/share.h"
#include "conc/table_fork.h"

enum {
	MAX_THREADS = 128,
	FEW_THREADS = 24,
	MAX_RUNS = 1 << 19,
	CREW_RUNS = 1 << 18,
	MANY_DOUBTS = 4
};

typedef struct Builder {
	Threads *t;
	const Pta *p;
	const bool *guess; /* [edge], or null */
	Arena *a;
	Map child;          /* (thread, link) -> child */
	bool mixed, remix;  /* a thread stands for those of several forks; that was found */
	u32 many;           /* threads that are no finalizers, which start nothing as a rule */
	u32 runs, max_runs; /* instances that threads run, of each the sum */
	bool crews;
	VecU32 grown; /* crews to expand again */
} Builder;

static u64
child_key(ThreadId parent, u32 edge)
{
	return map_pair(parent, edge + 1);
}

/* The index of a fork's edge, by its parts: an instance's edges are sorted. */
static u32
find_edge(const Pta *p, InstId inst, InsId fork, InstId start)
{
	u32 lo = pta_inst(p, inst)->edge, end = lo + pta_inst(p, inst)->nedge, hi = end;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;
		const Edge *e = &p->edges.at[mid];
		if (e->ins < fork || (e->ins == fork && e->to < start))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == end || p->edges.at[lo].ins != fork || p->edges.at[lo].to != start ||
	    !p->edges.at[lo].fork)
		return UINT32_MAX;
	return lo;
}

/* Is it told what the thread's fork passes?  Nobody asks for it, if it passes nothing that is
 * known; and a crew, or a thread that stands for those of other forks, is passed other things. */
static bool
passes(Builder *b, ThreadId id)
{
	const Thread *t = thread_get(b->t, id);

	if (!b->t->given)
		b->t->given = given_new(b->a, b->p);
	return !b->crews && !t->doubtful && !b->mixed && given_asks(b->t->given, t->start, t->fork);
}

/* Fills t->insts[id]: what the thread runs by calls.  What others pass than main
 * says more of them: main makes most calls there are. */
static void
reach(Builder *b, ThreadId id)
{
	VecU32 todo = {0};
	Set *seen = &b->t->insts[id];
	InstId start = thread_get(b->t, id)->start;

	if (id != 1) {
		InsId fork = passes(b, id) ? thread_get(b->t, id)->fork : 0;
		given_reach(b->t->given, start, fork, NULL, NULL, seen, &b->t->skipped[id]);
		given_dead(b->t->given, seen, &b->t->dead[id]);
		return;
	}
	set_add(b->a, seen, start);
	vec_push(b->a, &todo, start);
	while (todo.n) {
		const Inst *in = pta_inst(b->p, todo.at[--todo.n]);
		for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
			const Edge *edge = &b->p->edges.at[e];
			if (!edge->fork && set_add(b->a, seen, edge->to))
				vec_push(b->a, &todo, edge->to);
		}
	}
	arena_recycle(b->a, todo.at, todo.cap * sizeof *todo.at);
}

/* Does the edge run the initialiser of a class?  Such run once in all. */
static bool
initialises(const Builder *b, const Edge *e)
{
	return ir_ins(b->p->ir, e->ins)->op == OP_CINIT;
}

/* Can one activation of the edge's caller take it twice? */
static bool
repeats(Builder *b, const Edge *e)
{
	const Fn *fn = pta_fn(b->p, e->from);
	const Ins *ins = ir_ins(b->p->ir, e->ins);

	if (ins->op == OP_CALL && ins->sub == CALL_REPEAT)
		return true;
	if (ins->op == OP_FORK && ins->flags & INS_REPEATS)
		return true;
	if (ins->op == OP_EXTERN) /* a callback of unknown code */
		return true;
	return flow_of(b->t->flows, pta_inst(b->p, e->from)->fn)
	    ->cyclic[cfg_block_of(b->p->ir, fn, e->ins)];
}

/* Does the fork of a loop start that function in one round only? */
static bool
starts_once(Builder *b, const Edge *e)
{
	const Ins *ins = ir_ins(b->p->ir, e->ins);

	return ins->op == OP_FORK && !(ins->flags & INS_REPEATS) && table_forks_once(b->p, b->a, e);
}

/* Fills t->many[id].  A worklist: marking only grows. */
static void
multiply(Builder *b, ThreadId id)
{
	const Set *in = &b->t->insts[id];
	Set *many = &b->t->many[id], once = {0};
	VecU32 todo = {0};

	SET_FOR (it, in) {
		const Inst *inst = pta_inst(b->p, it.x);
		for (u32 e = inst->edge; e < inst->edge + inst->nedge; e++) {
			const Edge *edge = &b->p->edges.at[e];
			if (edge->fork || initialises(b, edge))
				continue;
			if (!set_add(b->a, &once, edge->to) || repeats(b, edge) ||
			    threads_starts(b->t, id, edge->to))
				if (set_add(b->a, many, edge->to))
					vec_push(b->a, &todo, edge->to);
		}
	}
	while (todo.n) {
		const Inst *inst = pta_inst(b->p, todo.at[--todo.n]);
		for (u32 e = inst->edge; e < inst->edge + inst->nedge; e++) {
			const Edge *edge = &b->p->edges.at[e];
			if (!edge->fork && !initialises(b, edge) && set_add(b->a, many, edge->to))
				vec_push(b->a, &todo, edge->to);
		}
	}
	set_recycle(b->a, &once);
	arena_recycle(b->a, todo.at, todo.cap * sizeof *todo.at);
}

/* Is the thread that the edge starts for that parent a doubtful one? */
static bool
is_doubtful(const Builder *b, ThreadId parent, u32 e)
{
	return thread_get(b->t, parent)->doubtful ||
	       (b->guess && b->guess[e] && b->p->edges.at[e].assumed);
}

/* The doubtful thread with that start routine, whoever starts it; 0 none. */
static ThreadId
find_doubtful(const Threads *t, InstId start)
{
	for (ThreadId id = 2; id < t->at.n; id++)
		if (t->at.at[id].doubtful && t->at.at[id].start == start)
			return id;
	return 0;
}

/* The ancestor of t, or t itself, that was made by the same link; 0 none. */
static ThreadId
find_ancestor(const Threads *t, ThreadId id, const Edge *e)
{
	for (; id; id = t->at.at[id].parent) {
		const Thread *th = &t->at.at[id];
		if (th->fork == e->ins && th->fork_inst == e->from && th->start == e->to)
			return id;
	}
	return 0;
}

/* The child with that start routine of an ancestor that is many or, among many threads, has
 * many of it; 0 none.  Threads are expanded breadth first: the ancestors' children are there. */
static ThreadId
find_uncle(const Builder *b, ThreadId id, InstId start)
{
	const Threads *t = b->t;
	bool any = !t->at.at[id].unique && b->many > FEW_THREADS;

	for (id = t->at.at[id].parent; id; id = t->at.at[id].parent)
		for (ThreadId x = id + 1; (any || !t->at.at[id].unique) && x < t->at.n; x++)
			if (t->at.at[x].parent == id && t->at.at[x].start == start &&
			    !t->at.at[x].doubtful && (!t->at.at[id].unique || !t->at.at[x].unique))
				return x;
	return 0;
}

/* The thread of a handler that the creator or an ancestor registers as well; 0
 * none.  Where a handler runs does not depend on who registered it. */
static ThreadId
find_handler(const Builder *b, ThreadId id, const Edge *e)
{
	const Threads *t = b->t;

	if (!(ir_ins(b->p->ir, e->ins)->flags & INS_INTERRUPTS))
		return 0;
	for (; id; id = t->at.at[id].parent)
		for (ThreadId x = id + 1; x < t->at.n; x++)
			if (t->at.at[x].parent == id && t->at.at[x].start == e->to &&
			    !t->at.at[x].doubtful &&
			    ir_ins(b->p->ir, t->at.at[x].fork)->flags & INS_INTERRUPTS)
				return x;
	return 0;
}

/* Any thread with that start routine, for when there are too many. */
static ThreadId
find_start(const Threads *t, InstId start)
{
	for (ThreadId id = 2; id < t->at.n; id++)
		if (t->at.at[id].start == start && !t->at.at[id].doubtful)
			return id;
	return 0;
}

static void
fold(Thread *t)
{
	t->folded = true;
	t->once = t->unique = false;
}

/* Lets a thread of which is known what it runs join a crew, if there is one for it. */
static bool
join_crew(Builder *b, ThreadId id)
{
	Threads *t = b->t;
	ThreadId crew = crew_find(t, id);

	if (!crew)
		return false;
	if (crew_join(t, b->a, crew, id))
		vec_push(b->a, &b->grown, crew);
	fold(&t->at.at[id]);
	fold(&t->at.at[crew]);
	t->bounded = true;
	t->blurred |= !thread_get(t, id)->doubtful;
	return true;
}

static bool
too_many(const Builder *b)
{
	u32 n = b->many;

	return b->t->at.n > MAX_THREADS ||
	       (n > FEW_THREADS / 2 && (u64)n * b->p->insts.n > MAX_RUNS);
}

/* The thread that is there already and stands for what the edge starts as well; 0 none. */
static ThreadId
find_known(Builder *b, ThreadId parent, u32 e)
{
	Threads *t = b->t;
	const Edge *edge = &b->p->edges.at[e];
	ThreadId id;

	if (is_doubtful(b, parent, e))
		return find_doubtful(t, edge->to);
	id = find_ancestor(t, parent, edge);
	if (!id)
		id = find_handler(b, parent, edge);
	if (!id)
		id = find_uncle(b, parent, edge->to);
	if (!id && (too_many(b) || t->blurred)) {
		t->bounded = t->blurred = true;
		return find_start(t, edge->to);
	}
	return id;
}

static void
add_child(Builder *b, ThreadId parent, u32 e)
{
	Threads *t = b->t;
	const Edge *edge = &b->p->edges.at[e];
	const Thread *up;
	ThreadId id;
	Thread new;

	if (map_get(&b->child, child_key(parent, e)))
		return; /* the parent is a crew that has grown */
	id = find_known(b, parent, e);
	if (id && t->at.at[id].parent != parent && !threads_within(t, id, parent))
		t->at.at[id].adopted = true;
	if (id) {
		b->remix |= passes(b, id) && thread_get(t, id)->fork != edge->ins;
		fold(&t->at.at[id]);
		map_put(b->a, &b->child, child_key(parent, e), id);
		return;
	}
	up = thread_get(t, parent);
	new = (Thread){.parent = parent,
		       .fork = edge->ins,
		       .fork_inst = edge->from,
		       .start = edge->to,
		       .crew = t->at.n,
		       .assumed = edge->assumed,
		       .doubtful = is_doubtful(b, parent, e)};
	new.depth = up->depth + 1;
	new.once =
	    !set_has(&t->many[parent], edge->from) && (!repeats(b, edge) || starts_once(b, edge));
	new.unique = new.once && up->unique;
	map_put(b->a, &b->child, child_key(parent, e), t->at.n);
	vec_push(b->a, &t->at, new);
	b->many += !new.doubtful && !(pta_fn(b->p, edge->to)->flags & FN_DESTRUCTOR);
}

/* Does the thread never come to the fork?  A crew's may, where one of its members does. */
static bool
shuns_fork(const Builder *b, ThreadId id, const Edge *e)
{
	return !b->crews && b->t->dead[id].n &&
	       !threads_runs(b->t, id, e->from,
			     cfg_block_of(b->p->ir, pta_fn(b->p, e->from), e->ins));
}

/* Makes the children of one thread, in the order of instances and sites. */
static void
expand(Builder *b, ThreadId id)
{
	Threads *t = b->t;

	multiply(b, id);
	SET_FOR (it, &t->insts[id]) {
		const Inst *inst = pta_inst(b->p, it.x);
		for (u32 e = inst->edge; e < inst->edge + inst->nedge; e++)
			if (b->p->edges.at[e].fork && !shuns_fork(b, id, &b->p->edges.at[e]))
				add_child(b, id, e);
	}
}

/* Is it one of so many doubtful threads that these are one crew? */
static bool
is_one_of_many(const Builder *b, ThreadId id)
{
	u32 n = 0;

	for (ThreadId x = id; thread_get(b->t, id)->doubtful && x > 1 && n <= MANY_DOUBTS; x--)
		n += thread_get(b->t, x)->doubtful;
	return n > MANY_DOUBTS;
}

/* Makes all threads; false: they run too much to be told apart.  What a crew runs as well, since
 * another joined it, may fork further ones. */
static bool
expand_all(Builder *b)
{
	Threads *t = b->t;

	for (ThreadId id = 1; id < t->at.n;) {
		bool joins = b->crews || is_one_of_many(b, id);
		reach(b, id);
		b->runs += joins ? 0 : set_count(&t->insts[id]);
		if (!b->crews && b->many > FEW_THREADS / 2 && b->runs > b->max_runs)
			return false;
		if (!joins || !join_crew(b, id))
			expand(b, id);
		id++;
		while (id == t->at.n && b->grown.n)
			expand(b, b->grown.at[--b->grown.n]);
	}
	return true;
}

static void
begin(Builder *b)
{
	Threads *t = b->t;

	for (ThreadId id = 1; id < t->at.n; id++) {
		set_recycle(b->a, &t->insts[id]);
		set_recycle(b->a, &t->skipped[id]);
		set_recycle(b->a, &t->dead[id]);
		set_recycle(b->a, &t->many[id]);
	}
	b->child = (Map){0};
	b->many = 2;
	b->runs = 0;
	t->joined = 0;
	t->bounded = t->blurred = false;
	t->at.n = 0;
	vec_push(b->a, &t->at, (Thread){0});
	vec_push(b->a, &t->at,
		 (Thread){.start = b->p->root, .crew = 1, .once = true, .unique = true});
}

static void
make_threads(Builder *b)
{
	bool done;

	begin(b);
	done = expand_all(b);
	b->mixed = b->remix;
	if (done && b->mixed) {
		begin(b);
		done = expand_all(b);
	}
	if (!done) {
		b->crews = true;
		begin(b);
		expand_all(b);
	}
	crew_share(b->t);
}

/* A descendant of a folded thread is not unique, whenever it was made. */
static void
settle_unique(Threads *t)
{
	for (ThreadId id = 2; id < t->at.n; id++) {
		Thread *th = &t->at.at[id];
		th->unique = th->first || (th->once && t->at.at[th->parent].unique);
	}
}

/* Fills *out with what runs other than within an initialiser. */
static void
find_plain(Builder *b, Set *out)
{
	VecU32 todo = {0};

	for (ThreadId id = 1; id < b->t->at.n; id++)
		if (set_add(b->a, out, thread_get(b->t, id)->start))
			vec_push(b->a, &todo, thread_get(b->t, id)->start);
	while (todo.n) {
		const Inst *in = pta_inst(b->p, todo.at[--todo.n]);
		for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
			const Edge *edge = &b->p->edges.at[e];
			if (!edge->fork && !initialises(b, edge) && set_add(b->a, out, edge->to))
				vec_push(b->a, &todo, edge->to);
		}
	}
}

/* Fills *out with the instances that run once in all, by whichever thread:
 * initialisers, and what only one of them calls, once. */
static void
find_initial(Builder *b, Set *out)
{
	Set plain = {0}, many = {0};
	VecU32 todo = {0};

	find_plain(b, &plain);
	for (InstId i = 1; i < b->p->insts.n; i++) {
		const Inst *in = pta_inst(b->p, i);
		u32 calls = 0;
		for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
			const Edge *e = &b->p->edges.at[b->p->callers.at[k]];
			calls += initialises(b, e) ? 0 : 1 + repeats(b, e);
		}
		if (set_has(&plain, i) || calls > 1) {
			vec_push(b->a, &todo, i);
			set_add(b->a, &many, i);
		}
	}
	while (todo.n) {
		const Inst *in = pta_inst(b->p, todo.at[--todo.n]);
		for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
			const Edge *edge = &b->p->edges.at[e];
			if (!initialises(b, edge) && set_add(b->a, &many, edge->to))
				vec_push(b->a, &todo, edge->to);
		}
	}
	for (InstId i = 1; i < b->p->insts.n; i++)
		if (!set_has(&many, i))
			set_add(b->a, out, i);
}

static bool
cyclic_at(Builder *b, InstId inst, InsId ins)
{
	return flow_of(b->t->flows, pta_inst(b->p, inst)->fn)
	    ->cyclic[cfg_block_of(b->p->ir, pta_fn(b->p, inst), ins)];
}

static void
find_makers(Builder *b)
{
	Threads *t = b->t;
	const Pta *p = b->p;
	Set initial = {0};

	find_initial(b, &initial);
	for (ObjId o = 1; o < p->objs.n; o++) {
		const Obj *obj = pta_obj(p, o);
		u32 makers = 0;
		bool once = true;
		if (!obj->inst) {
			t->obj_single[o] =
			    obj->kind != OBJ_EXTERN && obj->kind != OBJ_VALUE && !obj->tls;
			continue;
		}
		for (ThreadId id = 1; id < t->at.n; id++) {
			if (!set_has(&t->insts[id], obj->inst))
				continue;
			set_add(b->a, &t->of_obj[o], id);
			makers++;
			once &= t->at.at[id].unique && !set_has(&t->many[id], obj->inst);
		}
		once = (makers == 1 && once) || set_has(&initial, obj->inst);
		t->obj_single[o] = once && !cyclic_at(b, obj->inst, obj->ins);
	}
}

/* Is it the thread of one object, which is started as often as one likes, but runs once? */
static bool
runs_one_object(const Threads *t, const Thread *th)
{
	const Ins *fork = ir_ins(t->pta->ir, th->fork);
	const Set *object;

	if (fork->op != OP_FORK || !(fork->flags & INS_FIRST) || th->folded || th->unique ||
	    !pta_fn(t->pta, th->start)->nparam)
		return false;
	object = pta_pts(t->pta, th->start, 1);
	return set_single(object) && t->obj_single[pta_slot(t->pta, set_first(object))->obj] &&
	       pta_obj(t->pta, pta_slot(t->pta, set_first(object))->obj)->kind == OBJ_HEAP;
}

/* Which threads are unique, and which objects are single: each may make more of the other. */
static void
settle(Builder *b)
{
	Threads *t = b->t;
	bool more = true;

	while (more) {
		settle_unique(t);
		find_makers(b);
		more = false;
		for (ThreadId id = 2; id < t->at.n; id++)
			if (runs_one_object(t, &t->at.at[id]))
				more = t->at.at[id].first = true;
	}
}

Threads *
threads_build(Arena *a, const Pta *p, const bool *guess, u32 max_runs)
{
	Threads *t = arena_new(a, Threads);
	Builder *b = arena_new(a, Builder);
	u32 most = MAX_THREADS + p->edges.n + 2; /* past the bound, one per start routine */

	*b = (Builder){
	    .t = t, .p = p, .guess = guess, .a = a, .max_runs = max_runs ? max_runs : CREW_RUNS};
	t->pta = p;
	t->arena = a;
	t->insts = arena_array(a, Set, most);
	t->skipped = arena_array(a, Set, most);
	t->dead = arena_array(a, Set, most);
	t->many = arena_array(a, Set, most);
	t->of_obj = arena_array(a, Set, p->objs.n + 1);
	t->obj_single = arena_array(a, u8, p->objs.n + 1);
	acts_find(&t->acts, a, p->ir);
	t->flows = flows_build(a, p->ir);
	make_threads(b);
	assert(t->at.n <= most);
	t->children = b->child;
	settle(b);
	share_solve(t, a);
	lent_solve(t, a, &t->lent);
	return t;
}

ThreadId
threads_child(const Threads *t, ThreadId parent, InstId inst, InsId fork, InstId start)
{
	u32 e = find_edge(t->pta, inst, fork, start);

	return e == UINT32_MAX ? 0
			       : thread_get(t, map_get(&t->children, child_key(parent, e)))->crew;
}

bool
threads_runs(const Threads *t, ThreadId id, InstId inst, BlockId b)
{
	const Set *dead = &t->dead[id];

	return !dead->n || !set_has(dead, given_block(t->given, inst, b));
}

bool
threads_run_only(const Threads *t, InstId inst, const Set *threads)
{
	for (ThreadId x = 1; x < t->at.n; x++)
		if (set_has(&t->insts[x], inst) && !set_has(threads, x))
			return false;
	return true;
}

bool
threads_main_only(const Threads *t, InstId inst)
{
	for (ThreadId x = 2; x < t->at.n; x++)
		if (set_has(&t->insts[x], inst))
			return false;
	return set_has(&t->insts[1], inst);
}

bool
threads_is_crew(const Threads *t, ThreadId id)
{
	for (ThreadId x = id + 1; x < t->at.n && t->joined; x++)
		if (thread_get(t, x)->crew == id)
			return true;
	return false;
}

bool
threads_starts(const Threads *t, ThreadId crew, InstId inst)
{
	if (thread_get(t, crew)->start == inst)
		return true;
	for (ThreadId id = crew + 1; id < t->at.n && t->joined; id++)
		if (thread_get(t, id)->crew == crew && thread_get(t, id)->start == inst)
			return true;
	return false;
}

bool
threads_within(const Threads *t, ThreadId a, ThreadId b)
{
	while (thread_get(t, b)->depth > thread_get(t, a)->depth)
		b = thread_get(t, b)->parent;
	return a == b;
}

ThreadId
threads_common(const Threads *t, ThreadId a, ThreadId b)
{
	while (a != b) {
		if (thread_get(t, a)->depth < thread_get(t, b)->depth)
			b = thread_get(t, b)->parent;
		else
			a = thread_get(t, a)->parent;
	}
	return a;
}

bool
threads_single(const Threads *t, ObjId o)
{
	return t->obj_single[o];
}

bool
threads_shared(const Threads *t, ObjId o)
{
	return t->shared[o];
}

bool
threads_lent(const Threads *t, ObjId o)
{
	return set_has(&t->lent, o);
}
