/* lock_mod.c - which instances touch locks, and which may store to the cells
 * that the names of locks are read from.
 *
 * Only cells that some path to a lock goes through matter, and those are few,
 * so the sets are nearly always empty.  A fork is no call here: what other
 * threads store is what `stable` answers.  Both properties go up the call
 * graph, callees first, all members of a cycle alike. */
#include "conc/lock_int.h"

#include <string.h>

static bool
touches_lock(const Locks *l, FnId fn)
{
	u32 n;
	const InsId *at = acts_of(&l->threads->acts, fn, &n);

	for (u32 i = 0; i < n; i++) {
		u8 op = ir_ins(l->ir, at[i])->op;
		if (op == OP_ACQUIRE || op == OP_RELEASE)
			return true;
	}
	return false;
}

void
lock_sync(Locks *l, const Sccs *s)
{
	const Pta *p = l->pta;
	u8 *own = arena_array(&l->scratch, u8, l->ir->fns.n);

	for (FnId f = 1; f < l->ir->fns.n; f++)
		own[f] = touches_lock(l, f);
	for (u32 c = 0; c < s->n; c++) {
		bool sync = false;
		for (u32 i = s->first[c]; i < s->first[c + 1]; i++) {
			const Inst *inst = pta_inst(p, s->nodes[i]);
			sync |= own[inst->fn];
			for (u32 e = inst->edge; e < inst->edge + inst->nedge; e++)
				sync |= !p->edges.at[e].fork && l->sync[p->edges.at[e].to];
		}
		for (u32 i = s->first[c]; i < s->first[c + 1]; i++)
			l->sync[s->nodes[i]] = sync;
	}
	arena_release(&l->scratch);
}

/* ---- the cells that matter ---------------------------------------------- */

static void
add_cells(Locks *l, InstId inst, Val v, Set *cells)
{
	SetId read = locks_path(l, inst, v).cells;

	if (read)
		set_or(&l->scratch, cells, setpool_get(&l->sets, read));
}

static bool
calls_sync(const Locks *l, InstId inst, InsId ins)
{
	u32 n;
	const Edge *e = pta_targets(l->pta, inst, ins, &n);

	for (u32 i = 0; i < n; i++)
		if (!e[i].fork && l->sync[e[i].to])
			return true;
	return false;
}

static void
find_cells(Locks *l, InstId inst, Set *cells)
{
	const Fn *fn = pta_fn(l->pta, inst);

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		const Ins *ins = ir_ins(l->ir, i);
		if (ins->op == OP_ACQUIRE || ins->op == OP_RELEASE)
			add_cells(l, inst, ins_arg(l->ir, ins, 0), cells);
		else if (ins->op == OP_CALL && calls_sync(l, inst, i))
			for (u32 k = 1; k < ins->narg; k++)
				add_cells(l, inst, ins_arg(l->ir, ins, k), cells);
	}
}

/* ---- who stores to them ------------------------------------------------- */

/* The address that ins stores to and how many bytes; 0 if it stores nothing. */
static Val
stored(const Ir *ir, const Ins *ins, u64 *size)
{
	*size = (ins->width + 7u) / 8;
	switch (ins->op) {
	case OP_STORE:
	case OP_RMW:
	case OP_CAS:
	case OP_FORK: return ins_arg(ir, ins, 0);
	case OP_BCOPY:
	case OP_WRITEN: *size = 0; return ins_arg(ir, ins, 0);
	case OP_JOIN: *size = ir->ptr_bytes; return ins->narg > 1 ? ins_arg(ir, ins, 1) : 0;
	default: return 0;
	}
}

static void
hit(Locks *l, SlotId at, u64 size, const Set *cells, Set *out)
{
	SET_FOR (it, cells)
		if (pta_slot(l->pta, at)->obj == pta_slot(l->pta, it.x)->obj &&
		    pta_overlap(l->pta, at, size, it.x, l->ir->ptr_bytes))
			set_add(&l->scratch, out, it.x);
}

typedef struct Stores {
	const Set *cells;
	Set objs;      /* of the cells */
	Intern places; /* where stores go, by where the set of slots is kept, and size */
	Vec(Set) hits; /* [place - 1]: cells */
} Stores;

/* The cells that a store of so many bytes hits.  Pointers share their sets: each is looked through
 * once. */
static const Set *
hits_of(Locks *l, Stores *st, const Set *pts, u64 size)
{
	struct {
		const Set *pts;
		u64 size;
	} key = {pts, size};
	u32 place = intern_bytes(&st->places, &key, sizeof key);

	if (place > st->hits.n) {
		Set new = {0};
		SET_FOR (it, pts)
			if (set_has(&st->objs, pta_slot(l->pta, it.x)->obj))
				hit(l, it.x, size, st->cells, &new);
		vec_push(&l->scratch, &st->hits, new);
	}
	return &st->hits.at[place - 1];
}

static void
find_stores(Locks *l, InstId inst, Stores *st, Set *out)
{
	const Fn *fn = pta_fn(l->pta, inst);
	u64 size;

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		Val addr = stored(l->ir, ir_ins(l->ir, i), &size);
		const Set *pts = addr ? pta_pts(l->pta, inst, addr) : NULL;
		if (pts && !set_empty(pts))
			set_or(&l->scratch, out, hits_of(l, st, pts, size));
	}
}

static void
find_mod(Locks *l, const Sccs *s, const Set *cells)
{
	const Pta *p = l->pta;
	Stores st = {.cells = cells};

	intern_init(&st.places, &l->scratch);
	SET_FOR (it, cells)
		set_add(&l->scratch, &st.objs, pta_slot(p, it.x)->obj);
	for (u32 c = 0; c < s->n; c++) {
		Set mod = {0};
		SetId id;
		for (u32 i = s->first[c]; i < s->first[c + 1]; i++) {
			const Inst *inst = pta_inst(p, s->nodes[i]);
			if (!s->nodes[i])
				continue;
			find_stores(l, s->nodes[i], &st, &mod);
			for (u32 e = inst->edge; e < inst->edge + inst->nedge; e++)
				if (!p->edges.at[e].fork)
					set_or(&l->scratch, &mod,
					       setpool_get(&l->sets, l->mod[p->edges.at[e].to]));
		}
		id = setpool_intern(&l->sets, &mod);
		for (u32 i = s->first[c]; i < s->first[c + 1]; i++)
			l->mod[s->nodes[i]] = id;
	}
}

void
lock_mod(Locks *l, const Sccs *s)
{
	Set cells = {0};

	for (InstId i = 1; i < l->pta->insts.n; i++)
		if (l->sync[i])
			find_cells(l, i, &cells);
	if (!set_empty(&cells)) {
		find_mod(l, s, &cells);
		map_clear(&l->path_memo); /* paths were read as if nobody stored */
		l->path_of.n = 0;
		memset(l->returned_known, 0, l->pta->insts.n);
	}
	arena_release(&l->scratch);
}
