/* pta.c - points-to and call graph: the whole of it, and its answers.
 *
 * pta_solve is the pipeline: decide which calls are cloned, make the root's
 * instance, solve, then put the results in the order that pta.h promises. */
#include "pta/pta_int.h"

#include <stdlib.h>
#include <string.h>

/* Sets of Java objects are larger before they say nothing: their types keep them apart. */
/* Slots of one object before it folds; in a large program, where pointers are mixed up and
 * offsets in memory without a type tell little apart, fewer. */
enum { MAX_SLOTS = 128, FEW_SLOTS = 24, LARGE = 10000 };
enum { MAX_WORDS = 64, JAVA_WORDS = 4096, UNIFY_WORDS = 16 };
/* What shared containers hold grows with the program, so the bound of C does, too: a word for so
 * many instructions.  Sets then cost what they cost in half the program, in twice as many words. */
enum { INS_PER_WORD = 16384 };

static void
make_tables(Solver *s)
{
	const Ir *ir = s->ir;
	Pta *p = s->p;

	(void)vec_extend(s->a, &p->objs, 1);
	(void)vec_extend(s->a, &p->slots, 1);
	(void)vec_extend(s->a, &p->insts, 1);
	(void)vec_extend(s->a, &s->slot_next, 1);
	(void)vec_extend(s->a, &s->steps, 1);
	(void)vec_extend(s->a, &s->node, 1);
	(void)vec_extend(s->a, &s->rep, 1);
	(void)vec_extend(s->a, &s->by_order, 1);
	(void)vec_extend(s->a, &s->con, 1);
	(void)vec_extend(s->a, &s->cell, 1);
	(void)vec_extend(s->a, &s->rel, 1);
	(void)vec_extend(s->a, &s->site, 1);
	(void)vec_extend(s->a, &s->info, 1);
	(void)vec_extend(s->a, &s->limit, 1);
	(void)vec_extend(s->a, &s->fits, 1);
	setpool_init(&s->met_sets, s->a);
	s->const_node = arena_array(s->a, NodeId, ir->consts.n);
	s->global_obj = arena_array(s->a, ObjId, ir->globals.n);
	s->fn_obj = arena_array(s->a, ObjId, ir->fns.n);
	s->class_obj = arena_array(s->a, ObjId, ir->classes.n);
	s->value_obj = arena_array(s->a, ObjId, ir->classes.n);
	s->mark = arena_array(s->a, u8, ir->ins.n);
	s->marked = arena_array(s->a, bool, ir->fns.n);
	obj_find_locked(s);
}

/* The memory of unknown code: one cell, which holds its own address. */
static void
make_extern(Solver *s)
{
	SlotId slot;

	s->ext = obj_new(s, (Obj){.kind = OBJ_EXTERN});
	slot = obj_info(s, s->ext)->base;
	s->known_out = node_new(s);
	node_give(s, s->known_out, slot);
	node_con(s, s->known_out, (Con){.kind = CON_ESCAPE});
}

/* Whoever runs the root gives it memory that we know nothing of. */
static void
make_root(Solver *s, FnId root)
{
	const Fn *f = &s->ir->fns.at[root];
	InstId inst = call_inst(s, root, 0);

	s->p->root = inst;
	for (u32 r = 1; r <= f->nparam; r++)
		if (fn_reg(s->ir, f, r)->rt == RT_PTR)
			node_give(s, pta_inst(s->p, inst)->node + r, obj_info(s, s->ext)->base);
}

/* ---- results ---------------------------------------------------------------------- */

static int
compare_edges(const void *x, const void *y)
{
	const Edge *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->ins != b->ins)
		return a->ins < b->ins ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

/* Sorts the edges and drops those that two sites of one instruction share. */
static void
sort_edges(Pta *p)
{
	u32 n = 0;

	if (p->edges.n)
		qsort(p->edges.at, p->edges.n, sizeof *p->edges.at, compare_edges);
	for (u32 e = 0; e < p->edges.n; e++)
		if (!n || compare_edges(&p->edges.at[n - 1], &p->edges.at[e]))
			p->edges.at[n++] = p->edges.at[e];
		else
			p->edges.at[n - 1].assumed &= p->edges.at[e].assumed;
	p->edges.n = n;
	for (u32 e = p->edges.n; e--;) {
		Inst *from = &p->insts.at[p->edges.at[e].from];
		from->edge = e;
		from->nedge++;
	}
}

static void
list_callers(Pta *p)
{
	u32 at = 0;

	for (u32 e = 0; e < p->edges.n; e++)
		p->insts.at[p->edges.at[e].to].ncaller++;
	for (InstId i = 1; i < p->insts.n; i++) {
		p->insts.at[i].caller = at;
		at += p->insts.at[i].ncaller;
		p->insts.at[i].ncaller = 0;
	}
	(void)vec_extend(p->arena, &p->callers, p->edges.n);
	for (u32 e = 0; e < p->edges.n; e++) {
		Inst *to = &p->insts.at[p->edges.at[e].to];
		p->callers.at[to->caller + to->ncaller++] = e;
	}
}

/* Sets that got slots of an object before it folded still hold them. */
static void
rename_folded(Solver *s)
{
	for (NodeId x = 1; x < s->node.n && s->stale.n; x++)
		if (slot_any_stale(s, &s->node.at[x].known))
			slot_rename(s, &s->node.at[x].known);
}

static void
forget_map(Arena *a, Map *m)
{
	arena_recycle(a, m->cells, m->cap * sizeof *m->cells);
	memset(m, 0, sizeof *m);
}

#define FORGET_VEC(a, v)                                                                           \
	(arena_recycle((a), (v)->at, (v)->cap * sizeof *(v)->at), memset((v), 0, sizeof *(v)))

/* Gives back what only the solving needed. */
static void
forget(Solver *s)
{
	Arena *a = s->a;

	for (NodeId x = 1; x < s->node.n; x++) {
		set_recycle(a, &s->node.at[x].fresh);
		set_recycle(a, &s->node.at[x].succ);
	}
	for (u32 k = 0; k < s->fits.n; k++) {
		set_recycle(a, &s->fits.at[k].seen);
		set_recycle(a, &s->fits.at[k].pass);
	}
	met_forget(s);
	FORGET_VEC(a, &s->fits);
	FORGET_VEC(a, &s->con);
	FORGET_VEC(a, &s->rel);
	FORGET_VEC(a, &s->by_order);
	forget_map(a, &s->defined);
	forget_map(a, &s->slot_index);
	forget_map(a, &s->cell_index);
	forget_map(a, &s->rel_index);
	forget_map(a, &s->bound);
}

static Pta *
solve(Arena *a, const Ir *ir, FnId root, const PtaOptions *opt)
{
	Pta *p = arena_new(a, Pta);
	Solver *s = arena_new(a, Solver);

	assert(root && root < ir->fns.n);
	*p = (Pta){.ir = ir, .arena = a, .solver = s};
	s->p = p;
	s->ir = ir;
	s->a = a;
	s->max_slots = ir->ins.n > LARGE ? FEW_SLOTS : MAX_SLOTS;
	if (opt->max_slots)
		s->max_slots = opt->max_slots;
	s->max_words = ir->classes.n > 1 ? JAVA_WORDS : MAX_WORDS;
	if (opt->unify)
		s->max_words = UNIFY_WORDS;
	if (opt->max_words)
		s->max_words = opt->max_words;
	s->few_large = s->max_words == MAX_WORDS;
	if (s->few_large)
		s->max_words = MAX(MAX_WORDS, ir->ins.n / INS_PER_WORD);
	s->java = ir->classes.n > 1;
	s->hierarchy = opt->hierarchy;
	s->unify = opt->unify;
	s->max_work = opt->max_work;
	p->by_class = s->java && opt->by_class;
	make_tables(s);
	if (s->java && opt->by_field)
		field_init(s);
	policy_init(&s->policy, a, ir, call_resolve(ir, root), opt);
	intern_init(&s->package, a);
	escape_init(s);
	make_extern(s);
	make_root(s, call_resolve(ir, root));
	solve_run(s);
	if (s->policy.in_vain)
		return p;
	rename_folded(s);
	p->widened = s->policy.widened;
#ifdef CONCORD_HARD
	pta_check(p);
#endif
	sort_edges(p);
	list_callers(p);
	for (NodeId x = 0; x < s->rep.n; x++)
		s->rep.at[x] = node_find(s, x);
	if (!arena_exceeded(a))
		forget(s);
	return p;
}

/* Solves into an arena of its own, which a gets if contexts were worth it; else null. */
static Pta *
attempt(Arena *a, const Ir *ir, FnId root, const PtaOptions *opt)
{
	Arena trial;
	Pta *p;

	arena_init(&trial, a->budget);
	p = solve(&trial, ir, root, opt);
	if (p->solver->policy.in_vain && !arena_exceeded(a)) {
		arena_release(&trial);
		return NULL;
	}
	arena_adopt(a, &trial);
	p->arena = p->solver->a = a;
	return p;
}

/* The contexts of Java programs that are tried in turn, and at how many clones the
 * next ones are; 0: the policy's own bound.  An iterator is made by a view of a
 * container that an object of the program made: four steps tell the containers of
 * two such objects apart, and so does one with the parts of each container on top. */
static const struct {
	u32 k, pays;
	bool parts;
} ladder[] = {{4, 5632, false}, {2, 16384, false}, {1, 0, true}, {1, 0, false}};

/* Java programs of more instructions are solved without contexts at once, and what
 * their fields hold is not told apart by object; of still more, nor are the objects that
 * libraries make by where they do. */
enum { HUGE = 300000, VAST = 600000 };

/* Words of sets that are handed on for each instruction. Where contexts pay these are
 * up to 140, where they do not 1300 until there are too many clones; without contexts 300, and
 * in programs that are as tangled as huge ones no end of it. */
enum { WORK_CONTEXTS = 200, WORK_PLAIN = 600, MOST_CONTEXTS = 20000000, MOST_PLAIN = 50000000 };

static u64
worth(const Ir *ir, u32 each, u32 most)
{
	return MIN((u64)ir->ins.n * each, most);
}

/* Contexts are given up where they do not pay (policy.c): what was found with
 * them is thrown away, and the program is solved with shorter ones, then without. */
Pta *
pta_solve(Arena *a, const Ir *ir, FnId root, const PtaOptions *opt)
{
	bool climb = opt->policy == PTA_AUTO && !opt->k && !opt->max_insts && ir->classes.n > 1;
	bool huge = ir->classes.n > 1 && ir->ins.n > HUGE && !opt->unify;
	PtaOptions other = *opt;
	Pta *p = NULL;

	for (u32 i = 0; climb && !huge && !p && i < COUNT(ladder); i++) {
		other.k = ladder[i].k;
		other.pays = ladder[i].pays;
		other.parts = ladder[i].parts;
		other.max_work = worth(ir, WORK_CONTEXTS, MOST_CONTEXTS);
		p = attempt(a, ir, root, &other);
		if (p && ladder[i].k == 1)
			p->widened++;
	}
	other.parts = opt->policy == PTA_AUTO && opt->k == 1;
	if (!climb && opt->policy != PTA_INSENSITIVE)
		p = attempt(a, ir, root, &other);
	if (p)
		return p;
	other = *opt;
	other.policy = PTA_INSENSITIVE;
	other.by_field |= huge;
	other.by_class |= huge && ir->ins.n > VAST;
	if (climb && !other.by_field && !opt->unify) {
		other.max_work = worth(ir, WORK_PLAIN, MOST_PLAIN);
		p = attempt(a, ir, root, &other);
		other.max_work = 0;
		other.by_field = true;
	}
	if (!p)
		p = solve(a, ir, root, &other);
	p->widened += opt->policy != PTA_INSENSITIVE;
	return p;
}

/* ---- questions ---------------------------------------------------------------------- */

const Set *
pta_pts(const Pta *p, InstId inst, Val v)
{
	const Solver *s = p->solver;
	NodeId x = 0;

	if (val_is_const(v))
		x = s->const_node[val_const(v)];
	else if (v)
		x = p->insts.at[inst].node + v;
	return x ? &s->node.at[node_find(s, x)].known : &s->none;
}

bool
pta_crowded(const Pta *p, InstId inst, Val v)
{
	return val_is_reg(v) && crowd_is(p->solver, p->insts.at[inst].node + v);
}

void
pta_contents(const Pta *p, SlotId at, Arena *a, Set *out)
{
	pta_range_contents(p, at, p->ir->ptr_bytes, a, out);
}

void
pta_range_contents(const Pta *p, SlotId at, u64 bytes, Arena *a, Set *out)
{
	const Solver *s = p->solver;
	Slot x = p->slots.at[at];
	const ObjInfo *info = obj_info(s, x.obj);

	if (x.obj == s->ext || info->escaped)
		set_or(a, out, escape_contents(s, &x));
	if (field_contents(s, &x))
		set_or(a, out, field_contents(s, &x));
	for (CellId c = info->cell; c; c = s->cell.at[c].next) {
		const Cell *cell = &s->cell.at[c];
		Slot y = p->slots.at[cell->slot];
		if (cell->in && slot_overlap(p, info, x, bytes, y, cell->size))
			set_or(a, out, &s->node.at[node_find(s, cell->in)].known);
	}
}

void
pta_parts(const Pta *p, ObjId o, Arena *a, Set *parts)
{
	const Solver *s = p->solver;
	const ObjInfo *info = obj_info(s, o);

	if (o == s->ext || info->escaped)
		set_add(a, parts, node_find(s, s->known_out));
	field_parts(s, o, a, parts);
	for (CellId c = info->cell; c; c = s->cell.at[c].next)
		if (s->cell.at[c].in)
			set_add(a, parts, node_find(s, s->cell.at[c].in));
}

const Set *
pta_part(const Pta *p, u32 part)
{
	return &p->solver->node.at[part].known;
}

void
pta_held(const Pta *p, ObjId o, Arena *a, Set *out)
{
	Set parts = {0};

	pta_parts(p, o, a, &parts);
	SET_FOR (it, &parts)
		set_or(a, out, pta_part(p, it.x));
	set_recycle(a, &parts);
}

static bool
has_fn(const Pta *p, const Set *s, FnId fn)
{
	SET_FOR (it, s) {
		const Obj *o = pta_obj(p, pta_slot(p, it.x)->obj);
		if (o->kind == OBJ_EXTERN || (o->kind == OBJ_FN && o->ref == fn))
			return true;
	}
	return false;
}

bool
pta_held_once(const Pta *p, ObjId o, FnId fn)
{
	const Solver *s = p->solver;
	const ObjInfo *info = obj_info(s, o);
	u32 places = 0;

	if (o == s->ext || info->escaped || pta_obj(p, o)->folded || pta_obj(p, o)->vague)
		return false;
	for (CellId c = info->cell; c; c = s->cell.at[c].next) {
		const Cell *cell = &s->cell.at[c];
		if (!cell->in || !has_fn(p, &s->node.at[node_find(s, cell->in)].known, fn))
			continue;
		if (field_contents(s, &p->slots.at[cell->slot]) || places++ ||
		    cell->size > p->ir->ptr_bytes || !pta_slot_exact(p, cell->slot))
			return false;
	}
	return places == 1;
}

/* The first edge of inst whose instruction is not before ins. */
static u32
find_edge(const Pta *p, InstId inst, InsId ins)
{
	u32 lo = p->insts.at[inst].edge, hi = lo + p->insts.at[inst].nedge;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;
		if (p->edges.at[mid].ins < ins)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const Edge *
pta_targets(const Pta *p, InstId inst, InsId ins, u32 *n)
{
	u32 first = find_edge(p, inst, ins), end = first;
	u32 all = p->insts.at[inst].edge + p->insts.at[inst].nedge;

	while (end < all && p->edges.at[end].ins == ins) /* most calls have one */
		end++;
	*n = end - first;
	return p->edges.at + first;
}

const Edge *
pta_made_for(const Pta *p, InstId inst)
{
	const Inst *i = pta_inst(p, inst);
	bool other = pta_fn(p, inst)->flags & FN_SYNTHETIC;

	if (i->ncaller != 1 || pta_fn(p, inst)->class)
		return NULL;
	for (InstId k = 1; k < p->insts.n && !other; k++)
		other = k != inst && p->insts.at[k].fn == i->fn && p->insts.at[k].ncaller;
	return other ? &p->edges.at[p->callers.at[i->caller]] : NULL;
}

bool
pta_overlap(const Pta *p, SlotId a, u64 size_a, SlotId b, u64 size_b)
{
	Slot x = p->slots.at[a], y = p->slots.at[b];

	return x.obj == y.obj && slot_overlap(p, obj_info(p->solver, x.obj), x, size_a, y, size_b);
}

bool
pta_overlap_behind(const Pta *p, SlotId a, i64 off, u64 size_a, SlotId b, u64 size_b)
{
	Slot x = p->slots.at[a], y = p->slots.at[b];

	return x.obj == y.obj &&
	       slot_overlap(p, obj_info(p->solver, x.obj), off ? pta_slot_moved(p, x, off) : x,
			    size_a, y, size_b);
}

bool
pta_slot_exact(const Pta *p, SlotId slot)
{
	Slot x = p->slots.at[slot];
	const Obj *o = pta_obj(p, x.obj);

	if (x.end && !x.in && x.off + x.stride >= x.end)
		return true;
	return !x.stride || (!x.in && o->size && x.stride >= o->size);
}
