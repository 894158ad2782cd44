/* fresh.c - summaries of what functions publish, and the questions.
 *
 * Lattice of a point: sets of registers, intersected at merges (must).  Of a
 * summary: sets of objects, growing (may); a component of the call graph is
 * iterated until its summaries are stable.  Both are finite.
 *
 * Guarantee: a register in the state points to an object (if any) to which no
 * memory that another thread can reach holds a pointer. */
#include "conc/fresh_int.h"

#include <string.h>

/* The shared objects of these slots, found once for all values that share the set. */
static SetId
shared_objects(Fresh *f, const Set *slots)
{
	u32 *at;
	Set objs = {0};

	if (set_empty(slots))
		return 0;
	at = map_at(f->arena, &f->shared_of, (uintptr_t)slots);
	if (*at)
		return *at - 1;
	SET_FOR (it, slots) {
		ObjId o = pta_slot(f->p, it.x)->obj;
		if (threads_shared(f->t, o))
			set_add(f->arena, &objs, o);
	}
	*at = setpool_intern(&f->sets, &objs) + 1;
	set_recycle(f->arena, &objs);
	return *at - 1;
}

SetId
fresh_objects(Fresh *f, InstId inst, Val v)
{
	u32 *at = map_at(f->arena, &f->objs_of, map_pair(inst, v));

	if (!*at)
		*at = shared_objects(f, pta_pts(f->p, inst, v)) + 1;
	return *at - 1;
}

SetId
fresh_reached(Fresh *f, const Set *objs)
{
	Set sccs = {0}, all = {0};
	SetId id;

	SET_FOR (it, objs)
		set_add(f->arena, &sccs, f->scc[it.x]);
	SET_FOR (it, &sccs)
		set_or(f->arena, &all, &f->reach[it.x]);
	id = setpool_intern(&f->sets, &all);
	set_recycle(f->arena, &sccs);
	set_recycle(f->arena, &all);
	return id;
}

SetId
fresh_close(Fresh *f, SetId objs)
{
	u32 *at;

	if (!objs)
		return 0;
	at = map_at(f->arena, &f->closed_of, objs);
	if (*at)
		return *at - 1;
	*at = fresh_reached(f, setpool_get(&f->sets, objs)) + 1;
	return *at - 1;
}

/* ---- the points-to graph of shared objects -------------------------------- */

/* The objects of the slots in these parts. */
static SetId
objects_in(Fresh *f, const Set *parts)
{
	Set held = {0}, objs = {0};
	SetId id;

	SET_FOR (part, parts)
		set_or(f->arena, &held, pta_part(f->p, part.x));
	SET_FOR (it, &held)
		set_add(f->arena, &objs, pta_slot(f->p, it.x)->obj);
	id = setpool_intern(&f->sets, &objs);
	set_recycle(f->arena, &held);
	set_recycle(f->arena, &objs);
	return id;
}

/* Many objects have the same parts. */
static void
find_holds(Fresh *f)
{
	SetPool lists;
	Map held = {0}; /* list of parts -> SetId plus 1 */
	Arena scratch;

	arena_init(&scratch, f->arena->budget);
	setpool_init(&lists, &scratch);
	for (ObjId o = 1; o < f->p->objs.n; o++) {
		Set parts = {0};
		u32 *known;
		if (!threads_shared(f->t, o))
			continue;
		pta_parts(f->p, o, &scratch, &parts);
		known = map_at(&scratch, &held, setpool_intern(&lists, &parts) + 1);
		if (!*known)
			*known = objects_in(f, &parts) + 1;
		f->holds[o] = *known - 1;
		set_recycle(&scratch, &parts);
	}
	arena_release(&scratch);
}

/* What objects hold, as a graph.  Many hold the same, all of a class where fields are not told
 * apart by object: each such set is a node, behind the objects. */
static void
build_holds(Fresh *f, Graph *g)
{
	u32 n = f->p->objs.n, nset = f->sets.n;
	Vec(Arc) arcs = {0};

	for (ObjId o = 1; o < n; o++)
		if (f->holds[o])
			vec_push(f->arena, &arcs, (Arc){o, n + f->holds[o]});
	for (SetId s = 1; s < nset; s++)
		SET_FOR (it, setpool_get(&f->sets, s))
			vec_push(f->arena, &arcs, (Arc){n + s, it.x});
	graph_build(g, f->arena, n + nset, arcs.at, arcs.n);
	arena_recycle(f->arena, arcs.at, arcs.cap * sizeof *arcs.at);
}

/* An object that is in a set of what is reachable came with all that it reaches. */
static void
find_reach(Fresh *f)
{
	u32 n = f->p->objs.n;
	Graph g;
	Sccs sccs;

	build_holds(f, &g);
	graph_sccs(&sccs, f->arena, &g);
	f->scc = sccs.of;
	f->reach = arena_array(f->arena, Set, sccs.n);
	for (u32 c = 0; c < sccs.n; c++) {
		for (u32 i = sccs.first[c]; i < sccs.first[c + 1]; i++) {
			u32 x = sccs.nodes[i];
			if (x < n)
				set_add(f->arena, &f->reach[c], x);
			GRAPH_FOR (to, &g, x)
				if (sccs.of[*to] != c && (*to >= n || !set_has(&f->reach[c], *to)))
					set_or(f->arena, &f->reach[c], &f->reach[sccs.of[*to]]);
		}
	}
}

/* ---- roots ---------------------------------------------------------------- */

static bool
add_root(Val r, Val roots[MAX_ROOTS], u32 *n)
{
	for (u32 i = 0; i < *n; i++)
		if (roots[i] == r)
			return true;
	if (*n == MAX_ROOTS)
		return false;
	roots[(*n)++] = r;
	return true;
}

/* A phi on a cycle may carry the object of an earlier round, which a register
 * made on that cycle no longer names. */
static bool
carries_old(const Fresh *f, InstId inst, BlockId phi, const Val *roots, u32 n)
{
	const Fn *fn = pta_fn(f->p, inst);
	const Flow *flow = flow_of(f->t->flows, pta_inst(f->p, inst)->fn);

	if (!flow->cyclic[phi])
		return false;
	for (u32 i = 0; i < n; i++) {
		InsId def = fn_reg(f->ir, fn, roots[i])->def;
		if (def && flow->scc[cfg_block_of(f->ir, fn, def)] == flow->scc[phi])
			return true;
	}
	return false;
}

/* The field of the first parameter's object that addr is the address of; 0: of none. */
static FieldId
own_field(const Fresh *f, const Fn *fn, Val addr)
{
	InsId id = val_is_reg(addr) ? fn_reg(f->ir, fn, addr)->def : 0;
	const Ins *def = id ? ir_ins(f->ir, id) : NULL;

	return def && def->op == OP_FIELD && def->sub == 1 && ins_arg(f->ir, def, 0) == 1 ? def->aux
											  : 0;
}

static bool
is_null(const Fresh *f, Val v)
{
	return val_is_const(v) && ir_const(f->ir, v)->kind == CONST_NULL;
}

/* What a load in a constructor finds in a final field of its object, if anything: the value of the
 * one store there, but for those of null, before it; else 0. */
static Val
final_value(const Fresh *f, InstId inst, InsId load)
{
	const Fn *fn = pta_fn(f->p, inst);
	const Flow *flow = flow_of(f->t->flows, pta_inst(f->p, inst)->fn);
	FieldId field = own_field(f, fn, ins_arg(f->ir, ir_ins(f->ir, load), 0));
	InsId found = 0;
	BlockId at;

	for (InsId i = fn->ins; field && i < fn->ins + fn->nins; i++) {
		const Ins *s = ir_ins(f->ir, i);
		if (s->op != OP_STORE || !(s->flags & INS_FINAL) ||
		    own_field(f, fn, ins_arg(f->ir, s, 0)) != field ||
		    is_null(f, ins_arg(f->ir, s, 1)))
			continue;
		if (found)
			return 0;
		found = i;
	}
	if (!found || found > load)
		return 0;
	at = cfg_block_of(f->ir, fn, found);
	if (flow->cyclic[at] && at != cfg_block_of(f->ir, fn, load))
		return 0;
	return ins_arg(f->ir, ir_ins(f->ir, found), 1);
}

static bool
find_roots(const Fresh *f, InstId inst, Val v, u32 depth, Val roots[MAX_ROOTS], u32 *n)
{
	const Fn *fn = pta_fn(f->p, inst);
	const Ins *def;
	InsId id;

	if (val_is_const(v)) {
		u8 kind = ir_const(f->ir, v)->kind;
		return kind == CONST_NULL || kind == CONST_UNDEF;
	}
	if (!v || depth > 16)
		return false;
	id = fn_reg(f->ir, fn, v)->def;
	if (!id)
		return add_root(v, roots, n);
	def = ir_ins(f->ir, id);
	switch (def->op) {
	case OP_ALLOC:
	case OP_CALL: return add_root(v, roots, n);
	case OP_COPY:
	case OP_FIELD:
	case OP_INDEX:
	case OP_FILTER: return find_roots(f, inst, ins_arg(f->ir, def, 0), depth + 1, roots, n);
	case OP_SELECT:
		return find_roots(f, inst, ins_arg(f->ir, def, 1), depth + 1, roots, n) &&
		       find_roots(f, inst, ins_arg(f->ir, def, 2), depth + 1, roots, n);
	case OP_PHI:
		for (u32 k = 1; k < def->narg; k += 2)
			if (!find_roots(f, inst, ins_arg(f->ir, def, k), depth + 4, roots, n))
				return false;
		return !carries_old(f, inst, cfg_block_of(f->ir, fn, id), roots, *n);
	case OP_LOAD:
		v = fn->flags & FN_CONSTRUCTOR ? final_value(f, inst, id) : 0;
		return v && find_roots(f, inst, v, depth + 1, roots, n);
	default: return false;
	}
}

bool
fresh_roots(const Fresh *f, InstId inst, Val v, Val roots[MAX_ROOTS], u32 *n)
{
	*n = 0;
	return find_roots(f, inst, v, 0, roots, n) && *n > 0;
}

bool
fresh_addr(const Fresh *f, InstId inst, const Set *state, Val addr)
{
	Val roots[MAX_ROOTS];
	u32 n;

	if (set_empty(state) || !fresh_roots(f, inst, addr, roots, &n))
		return false;
	for (u32 i = 0; i < n; i++)
		if (!set_has(state, roots[i]))
			return false;
	return true;
}

/* ---- summaries ------------------------------------------------------------ */

/* Adds the sets that were noted to one of a summary; says whether it grew. */
static bool
grow(Fresh *f, SetId *to, Set *noted)
{
	SetId before = *to;
	Set all = {0};

	SET_FOR (it, noted)
		set_or(f->arena, &all, setpool_get(&f->sets, it.x));
	*to = setpool_union(&f->sets, *to, setpool_intern(&f->sets, &all));
	set_recycle(f->arena, &all);
	set_recycle(f->arena, noted);
	return *to != before;
}

/* Recomputes the summary of inst; says whether it changed. */
static bool
summarise(Fresh *f, InstId inst)
{
	const Fn *fn = pta_fn(f->p, inst);
	u32 n = MIN(fn->nparam, FRESH_PARAMS);
	PubSum *s = &f->sums[inst];
	/* until a return says otherwise */
	PubRecord record = {.returns = !s->done || s->returns, .unstored = !s->done || s->unstored};
	FreshFrame frame = {0};
	bool changed = !s->done;

	if (!s->given && n)
		s->given = arena_array(f->arena, SetId, n);
	s->returns = record.returns;
	s->unstored = record.unstored;
	s->done = true;
	f->record = &record;
	fresh_run(f, inst, (1u << n) - 1, &frame);
	f->record = NULL;
	changed |= record.returns != s->returns || record.unstored != s->unstored;
	s->returns = record.returns;
	s->unstored = record.unstored;
	changed |= grow(f, &s->always, &record.always);
	for (u32 i = 0; i < n; i++)
		changed |= grow(f, &s->given[i], &record.given[i]);
	arena_recycle(f->arena, frame.in, (fn->nblock + 1) * sizeof *frame.in);
	arena_recycle(f->arena, frame.seen, (fn->nblock + 1) * sizeof *frame.seen);
	return changed;
}

static bool
recursive(const Graph *g, const Sccs *sccs, u32 c)
{
	u32 x = sccs->nodes[sccs->first[c]];

	if (sccs->first[c + 1] - sccs->first[c] > 1)
		return true;
	GRAPH_FOR (to, g, x)
		if (*to == x)
			return true;
	return false;
}

static void
summarise_all(Fresh *f)
{
	Vec(Arc) arcs = {0};
	Graph g, callers;
	Sccs sccs;

	for (u32 e = 0; e < f->p->edges.n; e++)
		if (!f->p->edges.at[e].fork)
			vec_push(f->arena, &arcs,
				 (Arc){f->p->edges.at[e].from, f->p->edges.at[e].to});
	graph_build(&g, f->arena, f->p->insts.n, arcs.at, arcs.n);
	graph_sccs(&sccs, f->arena, &g);
	graph_reverse(&callers, f->arena, &g);
	for (u32 c = 0; c < sccs.n; c++) {
		Set todo = {0}; /* a callee has changed */
		bool again = true;
		for (u32 round = 0; again; round++) {
			again = false;
			for (u32 i = sccs.first[c]; i < sccs.first[c + 1]; i++) {
				InstId inst = sccs.nodes[i];
				if (!inst || !pta_fn(f->p, inst)->nblock ||
				    (round && !set_has(&todo, inst)))
					continue;
				set_del(&todo, inst);
				if (!summarise(f, inst))
					continue;
				again = true;
				GRAPH_FOR (from, &callers, inst)
					set_add(f->arena, &todo, *from);
			}
			if (!recursive(&g, &sccs, c))
				break; /* a second round would say the same */
		}
		set_recycle(f->arena, &todo);
	}
	arena_recycle(f->arena, arcs.at, arcs.cap * sizeof *arcs.at);
}

static FreshFrame *
frame_of(Fresh *f, InstId inst, FreshMask entry)
{
	u64 key = map_pair(inst, entry);
	u32 frame;

	if (f->last_frame && f->last_key == key)
		return &f->frames.at[f->last_frame];
	frame = map_get(&f->frame_of, key);
	if (!frame) {
		FreshFrame new = {0};
		fresh_run(f, inst, entry, &new);
		fresh_answer(f, inst, &new);
		frame = f->frames.n;
		vec_push(f->arena, &f->frames, new);
		map_put(f->arena, &f->frame_of, key, frame);
	}
	f->last_key = key;
	f->last_frame = frame;
	return &f->frames.at[frame];
}

/* Asks for the frames of inst that calls lead to, whoever makes them. */
static void
follow(Fresh *f, InstId inst, FreshMask entry, VecU32 *todo)
{
	const Inst *in = pta_inst(f->p, inst);

	for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
		const Edge *edge = &f->p->edges.at[e];
		FreshMask mask = map_get(&frame_of(f, inst, entry)->enters, e + 1);
		if (edge->fork || !pta_fn(f->p, edge->to)->nblock ||
		    map_get(&f->frame_of, map_pair(edge->to, mask)))
			continue;
		(void)frame_of(f, edge->to, mask);
		vec_push(f->arena, todo, edge->to);
		vec_push(f->arena, todo, mask);
	}
}

/* Finds the frames that will be asked for, nearly all, while others do other things. */
static void
find_frames(Fresh *f)
{
	VecU32 todo = {0}; /* instances, each with its mask */

	for (ThreadId x = 1; x < f->t->at.n; x++) {
		vec_push(f->arena, &todo, thread_get(f->t, x)->start);
		vec_push(f->arena, &todo, 0);
	}
	for (u32 i = 0; i < todo.n && !arena_exceeded(f->arena); i += 2)
		follow(f, todo.at[i], todo.at[i + 1], &todo);
	arena_recycle(f->arena, todo.at, todo.cap * sizeof *todo.at);
}

Fresh *
fresh_solve(Arena *a, const Threads *t)
{
	Fresh *f = arena_new(a, Fresh);

	*f = (Fresh){.arena = a, .t = t, .p = t->pta, .ir = t->pta->ir};
	setpool_init(&f->sets, a);
	f->holds = arena_array(a, SetId, f->p->objs.n);
	f->own_holds = arena_array(a, SetId, f->p->objs.n);
	f->sums = arena_array(a, PubSum, f->p->insts.n);
	vec_push(a, &f->frames, (FreshFrame){0});
	find_holds(f);
	find_reach(f);
	summarise_all(f);
	find_frames(f);
	return f;
}

bool
fresh_access(Fresh *f, InstId inst, FreshMask entry, InsId ins, u32 touch)
{
	return set_has(&frame_of(f, inst, entry)->touches, ins * 2 + touch);
}

bool
fresh_frozen(Fresh *f, InstId inst, FreshMask entry, InsId ins)
{
	const Ins *i = ir_ins(f->ir, ins);
	Val roots[MAX_ROOTS];
	u32 n = 0;

	if (i->op != OP_STORE || !(i->flags & INS_FINAL) ||
	    !(pta_fn(f->p, inst)->flags & FN_CONSTRUCTOR))
		return false;
	return fresh_access(f, inst, entry, ins, 0) && frame_of(f, inst, entry)->keeps &&
	       fresh_roots(f, inst, ins_arg(f->ir, i, 0), roots, &n) && n == 1 && roots[0] == 1;
}

FreshMask
fresh_enter(Fresh *f, const Edge *call, FreshMask entry)
{
	u32 edge = (u32)(call - f->p->edges.at);

	return map_get(&frame_of(f, call->from, entry)->enters, edge + 1);
}

bool
fresh_returns(const Fresh *f, InstId inst)
{
	return f->sums[inst].returns;
}
