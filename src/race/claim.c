/* claim.c - the critical sections in which elements are claimed.
 *
 *	if (!used[i]) used[i] = 1;
 *	if (!(mask & 1 << i)) mask |= 1 << i;
 *	i = ffs(mask) - 1; mask &= ~(1 << i);
 *	i = idle[--n];
 *
 * A flag is looked at and stored, so that who looks next finds it taken; or a bit of a word; or a number is
 * found at a place that the next one who looks does not find.  All of that is in one critical section: a lock is
 * held at the load and the store, and nothing between them may give it back.
 *
 * The value claim_passes the claim on every way to where it is used, but on those on which a branch has found
 * that it is no element: i == N, p == NULL. */
#include "ir/arith.h"
#include "race/claim.h"

enum { ALIKE = 8 };

/* A set of instructions of a function: those on the ways from one to another, see region_has. */
typedef struct Region {
	const Races *r;
	FnId fn;
	InsId from, def, to;
	bool *ahead, *back; /* [block]: its start is come to from `from`; its end leads to `to` */
} Region;

/* What v is on an edge. */
typedef struct Known {
	bool number;
	i64 n;
	const Fn *fn; /* else what this has in */
	Val v;
} Known;

bool
claim_number(const Ir *ir, Val v, i64 *out)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;

	*out = c && c->kind == CONST_INT ? c->num : 0;
	return c && (c->kind == CONST_INT || c->kind == CONST_NULL);
}

static bool
same_value(const Ir *ir, const Fn *f, Val v, Val w, u32 depth)
{
	InsId id;
	const Ins *a, *b;

	v = reason_stripped(ir, f, v);
	w = reason_stripped(ir, f, w);
	a = def_of(ir, f, v, &id);
	b = def_of(ir, f, w, &id);
	if (v == w)
		return true;
	if (!depth || !a || !b || a->op != b->op || a->sub != b->sub || a->imm != b->imm ||
	    (a->op != OP_FIELD && a->op != OP_INDEX && a->op != OP_LOAD && a->op != OP_BIN))
		return false;
	for (u32 k = 0; k < a->narg; k++)
		if (!same_value(ir, f, ins_arg(ir, a, k), ins_arg(ir, b, k), depth - 1))
			return false;
	return true;
}

bool
claim_same(const Ir *ir, const Fn *f, Val v, Val w)
{
	return same_value(ir, f, v, w, ALIKE);
}

u32
claim_access(const Races *r, InstId inst, InsId ins)
{
	for (u32 k = access_first(r, ins); k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		if (a->ins != ins)
			break;
		if (a->inst == inst)
			return k + 1;
	}
	return 0;
}

/* ---- what branches say of a value ------------------------------------------- */

/* The condition at the end of a block, if that is one of v, without a comparison if it is v. */
static bool
branch_on(const Ir *ir, const Fn *f, const Block *b, Val v, const Ins **cmp)
{
	const Ins *end = ir_ins(ir, b->ins + b->nins - 1);
	InsId id;
	Val cond;

	if (end->op != OP_CBR)
		return false;
	cond = reason_stripped(ir, f, ins_arg(ir, end, 0));
	*cmp = def_of(ir, f, cond, &id);
	if (*cmp && (*cmp)->op == OP_CMP)
		return reason_stripped(ir, f, ins_arg(ir, *cmp, 0)) == v;
	*cmp = NULL;
	return cond == v;
}

bool
claim_branches_on(const Ir *ir, const Fn *f, const Block *b, Val v)
{
	const Ins *cmp;

	return branch_on(ir, f, b, v, &cmp);
}

static bool
holds(const Ins *cmp, i64 x, i64 y)
{
	u16 width = cmp->imm ? (u16)cmp->imm : 64;

	return arith_compare(cmp->sub, arith_mask((u64)x, width), arith_mask((u64)y, width), width);
}

static bool
holds_of_equal(const Ins *cmp)
{
	return cmp->sub == CMP_EQ || cmp->sub == CMP_SGE || cmp->sub == CMP_SLE ||
	       cmp->sub == CMP_UGE || cmp->sub == CMP_ULE;
}

/* Does the edge of a block to its k-th successor say that v is not that? */
static bool
edge_denies(const Ir *ir, const Fn *f, const Block *b, u32 k, Val v, const Known *x)
{
	const Ins *cmp;
	i64 n;

	if (!branch_on(ir, f, b, v, &cmp))
		return false;
	if (!cmp)
		return x->number && (x->n != 0) != (k == 0);
	if (cmp->sub == CMP_FLOAT)
		return false;
	if (x->number)
		return claim_number(ir, ins_arg(ir, cmp, 1), &n) && holds(cmp, x->n, n) != (k == 0);
	return (f == x->fn ? claim_same(ir, f, ins_arg(ir, cmp, 1), x->v)
			   : val_is_const(x->v) && ins_arg(ir, cmp, 1) == x->v) &&
	       holds_of_equal(cmp) != (k == 0);
}

/* Is control at the level only if an edge is passed that says so? */
static bool
level_denies(const Races *r, const Level *l, const Known *x)
{
	FnId fn = inst_fn(r, l->inst);
	const Fn *f = &r->ir->fns.at[fn];
	BlockId in = walk_block(r->walk, fn, l->ins);

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		for (u32 k = 0; k < bl->nsucc && bl->nsucc == 2; k++) {
			BlockId to = r->ir->succs.at[bl->succ + k];
			u32 n;
			if (!edge_denies(r->ir, f, bl, k, l->v, x))
				continue;
			if (b == in && to == l->to)
				return true;
			(void)walk_preds(r->walk, fn, to, &n);
			if (n == 1 && walk_block_dominates(r->walk, fn, to, in))
				return true;
		}
	}
	return false;
}

static bool
denied(const Races *r, const Level *l, Known x)
{
	for (; l; l = l->next) {
		if (level_denies(r, l, &x))
			return true;
		if (!x.number && l->add)
			return false;
		x.n += l->add;
	}
	return false;
}

bool
claim_excludes(const Races *r, const Level *at, Val c)
{
	Known x = {.number = true};

	return claim_number(r->ir, c, &x.n) && denied(r, at, x);
}

/* Is the edge one on which v is no element? */
static bool
edge_fails(const Races *r, const Level *l, const Block *b, u32 k)
{
	const Fn *f = pta_fn(r->pta, l->inst);
	const Ins *cmp;
	Known x = {.number = true};
	i64 n;

	if (b->nsucc != 2 || !branch_on(r->ir, f, b, l->v, &cmp))
		return false;
	if (!cmp)
		return k == 1 && denied(r, l, x);
	if (cmp->sub == CMP_FLOAT || (cmp->sub == CMP_EQ && k) || (cmp->sub == CMP_NE && !k))
		return false;
	if (!claim_number(r->ir, ins_arg(r->ir, cmp, 1), &n)) {
		x = (Known){.fn = f, .v = ins_arg(r->ir, cmp, 1)};
		return holds_of_equal(cmp) == (k == 0) && denied(r, l, x);
	}
	x.n = holds(cmp, n, n) == (k == 0) ? n : holds(cmp, n - 1, n) == (k == 0) ? n - 1 : n + 1;
	return denied(r, l, x);
}

/* Does a way lead from where the value is defined to where it is used past that block (0: none) and those edges (null:
 * none), and past none on which it is no element? */
static bool
comes_past(const Races *r, const Level *l, BlockId by, const u8 *edges)
{
	FnId fn = inst_fn(r, l->inst);
	const Fn *f = &r->ir->fns.at[fn];
	BlockId to = walk_block(r->walk, fn, l->ins), b;
	InsId def;
	bool *seen = arena_array(r->arena, bool, f->nblock + 1), found = false;
	VecU32 work = {0};

	(void)def_of(r->ir, f, l->v, &def);
	b = def ? walk_block(r->walk, fn, def) : 1;
	for (vec_push(r->arena, &work, b); work.n && !found;) {
		const Block *bl = fn_block(r->ir, f, b = work.at[--work.n]);
		found = b == to;
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];
			if (found && s == l->to && edge_fails(r, l, bl, k))
				found = false;
			if (s == by || seen[s] || (edges && edges[b] & 1u << k) ||
			    edge_fails(r, l, bl, k))
				continue;
			seen[s] = true;
			vec_push(r->arena, &work, s);
		}
	}
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	arena_recycle(r->arena, seen, (f->nblock + 1) * sizeof *seen);
	return found;
}

bool
claim_passes(const Races *r, const Level *l, InsId store)
{
	FnId fn = inst_fn(r, l->inst);
	BlockId by = walk_block(r->walk, fn, store);
	InsId def;

	(void)def_of(r->ir, &r->ir->fns.at[fn], l->v, &def);
	if (by == walk_block(r->walk, fn, l->ins))
		return store < l->ins;
	return by == (def ? walk_block(r->walk, fn, def) : 1) || !comes_past(r, l, by, NULL);
}

bool
claim_crosses(const Races *r, const Level *l, const u8 *edges)
{
	return !comes_past(r, l, 0, edges);
}

/* ---- ways ---------------------------------------------------------------------- */

static bool
stops(const Region *g, InsId id)
{
	return id && (id == g->from || id == g->def);
}

/* Does neither of the two lie in these instructions? */
static bool
is_free(const Region *g, InsId from, InsId end)
{
	return !(g->from >= from && g->from < end) && !(g->def >= from && g->def < end);
}

static void
region_ahead(Region *g, VecU32 *work)
{
	const Races *r = g->r;
	const Fn *f = &r->ir->fns.at[g->fn];

	if (!g->from) {
		g->ahead[1] = true;
		vec_push(r->arena, work, 1);
	} else {
		vec_push(r->arena, work, walk_block(r->walk, g->fn, g->from));
	}
	for (bool first = g->from != 0; work->n; first = false) {
		const Block *b = fn_block(r->ir, f, work->at[--work->n]);
		if (!first && !is_free(g, b->ins, b->ins + b->nins))
			continue;
		for (u32 k = 0; k < b->nsucc; k++) {
			BlockId s = r->ir->succs.at[b->succ + k];
			if (!g->ahead[s])
				vec_push(r->arena, work, s);
			g->ahead[s] = true;
		}
	}
}

static void
region_back(Region *g, VecU32 *work)
{
	const Races *r = g->r;
	const Fn *f = &r->ir->fns.at[g->fn];
	BlockId home = walk_block(r->walk, g->fn, g->to);

	vec_push(r->arena, work, home);
	for (bool first = true; work->n; first = false) {
		BlockId at = work->at[--work->n];
		const Block *b = fn_block(r->ir, f, at);
		u32 n;
		const BlockId *preds = walk_preds(r->walk, g->fn, at, &n);
		if (!is_free(g, b->ins, first ? g->to : b->ins + b->nins))
			continue;
		for (u32 k = 0; k < n; k++) {
			if (!g->back[preds[k]])
				vec_push(r->arena, work, preds[k]);
			g->back[preds[k]] = true;
		}
	}
}

static Region
region_new(const Races *r, InstId inst, InsId from, InsId def, InsId to)
{
	Region g = {r, inst_fn(r, inst), from, def, to, NULL, NULL};
	u32 n = pta_fn(r->pta, inst)->nblock + 1;
	VecU32 work = {0};

	g.ahead = arena_array(r->arena, bool, n);
	g.back = arena_array(r->arena, bool, n);
	region_ahead(&g, &work);
	region_back(&g, &work);
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	return g;
}

static void
region_drop(Region *g)
{
	u32 n = g->r->ir->fns.at[g->fn].nblock + 1;

	arena_recycle(g->r->arena, g->ahead, n * sizeof(bool));
	arena_recycle(g->r->arena, g->back, n * sizeof(bool));
}

/* Is it on a way from `from` to `to` on which neither that nor def comes again? */
static bool
region_has(const Region *g, InsId id)
{
	BlockId at = walk_block(g->r->walk, g->fn, id);
	const Block *b = fn_block(g->r->ir, &g->r->ir->fns.at[g->fn], at);
	InsId end = b->ins + b->nins;
	bool after = g->from >= b->ins && g->from < id && is_free(g, g->from + 1, id);
	bool before = id < g->to && g->to < end && is_free(g, id, g->to);

	return !stops(g, id) && (after || (g->ahead[at] && is_free(g, b->ins, id))) &&
	       (before || (g->back[at] && is_free(g, id, end)));
}

/* ---- what gives back ------------------------------------------------------------- */

/* Who writes where it is noted who has an element. */
typedef struct Givers {
	u32 at;         /* an access of that place, plus 1 */
	Set above;      /* instances that write there, or call such a one */
	VecU32 writers; /* accesses that do */
} Givers;

/* Adds the instance's accesses that do.  Where arrays lie side by side they are told apart as members. */
static void
add_writers(const Races *r, InstId inst, const Set *shapes, Givers *g)
{
	const Access *at = access_at(r, g->at - 1);

	for (u32 k = 0; k < r->writes[inst].n; k++) {
		u32 w = r->writes[inst].at[k];
		if (set_has(shapes, r->shape_of[w]) &&
		    !reason_members_apart(r, access_at(r, w), at))
			vec_push(r->arena, &g->writers, w);
	}
}

static const Givers *
givers_of(Reasons *rs, const Claim *c)
{
	Races *r = rs->r;
	const VecU32 *feet = &r->shapes.at[c->table].feet;
	VecU32 insts = {0};
	Set shapes = {0};
	Givers *g;

	for (u32 k = 0; k < rs->givers.n; k++)
		if (rs->givers.at[k]->at == c->at)
			return rs->givers.at[k];
	g = arena_new(r->arena, Givers);
	g->at = c->at;
	set_add(r->arena, &shapes, c->table);
	for (u32 k = 0; k < feet->n; k++) {
		const Foot *f = &r->feet.at[feet->at[k]];
		for (u32 n = 0; n < f->near.n; n++)
			set_or(r->arena, &shapes, &r->feet.at[f->near.at[n].foot].shapes);
	}
	for (InstId i = 1; i < r->pta->insts.n; i++) {
		u32 before = g->writers.n;
		add_writers(r, i, &shapes, g);
		if (g->writers.n > before)
			vec_push(r->arena, &insts, i);
	}
	above_add_all(rs->above, &insts, &g->above);
	arena_recycle(r->arena, insts.at, insts.cap * sizeof *insts.at);
	set_recycle(r->arena, &shapes);
	vec_push(r->arena, &rs->givers, g);
	return g;
}

const VecU32 *
claim_writers(Reasons *rs, const Claim *c)
{
	return &givers_of(rs, c)->writers;
}

bool
claim_given_back(Reasons *rs, const Claim *c, InstId inst, InsId from, InsId def, InsId to)
{
	const Races *r = rs->r;
	const Givers *give = givers_of(rs, c);
	const Fn *f = pta_fn(r->pta, inst);
	Region g = region_new(r, inst, from, def, to);
	bool found = false;

	for (u32 k = 0; k < give->writers.n && !found; k++) {
		const Access *w = access_at(r, give->writers.at[k]);
		found = w->inst == inst && region_has(&g, w->ins);
	}
	for (InsId id = f->ins; id < f->ins + f->nins && !found; id++) {
		Op op = ir_ins(r->ir, id)->op;
		if ((op == OP_FORK || op == OP_TASK ||
		     (op == OP_CALL && reason_calls(rs, inst, id, &give->above))) &&
		    region_has(&g, id))
			found = true;
	}
	region_drop(&g);
	return found;
}

/* ---- sections ------------------------------------------------------------------- */

static bool
locks_in_common(const Races *r, const Access *x, const Access *y)
{
	Set held = {0}, other = {0};
	bool found = false;

	if (!x->held || !y->held)
		return false;
	if (locks_apart(r->conc->locks, x->held, y->held))
		return true;
	/* Locks of objects that are made more than once: of one of them, where the table is, too. */
	site_locks_facts(r->site_locks, site_locks_at(r->site_locks, x), &held);
	site_locks_facts(r->site_locks, site_locks_at(r->site_locks, y), &other);
	set_and(&held, &other);
	SET_FOR (it, &held) {
		const Slot *s = pta_slot(r->pta, it.x / 2);
		found |= !s->stride && !threads_single(r->conc->threads, s->obj);
	}
	set_recycle(r->arena, &held);
	set_recycle(r->arena, &other);
	return found;
}

/* Do all accesses of the two instructions have a lock in common? */
static bool
all_locked(const Races *r, const Frame *x, ThreadId t, const Frame *y, ThreadId u)
{
	u32 n = 0;

	for (u32 k = access_first(r, x->ins); k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		if (a->ins != x->ins)
			break;
		if (a->inst != x->inst || a->thread != t)
			continue;
		for (u32 i = access_first(r, y->ins); i < r->conc->accesses.n; i++) {
			const Access *b = access_at(r, i);
			if (b->ins != y->ins)
				break;
			if (b->inst != y->inst || b->thread != u)
				continue;
			n++;
			if (!locks_in_common(r, a, b))
				return false;
		}
	}
	return n > 0;
}

bool
claim_apart(const Races *r, const Claim *x, const Claim *y)
{
	Frame a = {x->inst, x->store}, b = {y->inst, y->store};

	return all_locked(r, &a, x->thread, &b, y->thread);
}

/* Are both in one critical section, the second behind the first? */
bool
claim_section(Reasons *rs, ThreadId t, InstId inst, InsId first, InsId second, InsId def)
{
	const Races *r = rs->r;
	const Fn *f = pta_fn(r->pta, inst);
	Frame a = {inst, first}, b = {inst, second};
	Region g;
	bool left = false;

	if (!all_locked(r, &a, t, &b, t))
		return false;
	g = region_new(r, inst, first, def, second);
	for (InsId id = f->ins; id < f->ins + f->nins && !left; id++) {
		Op op = ir_ins(r->ir, id)->op;
		left = (op == OP_RELEASE || (op == OP_CALL && reason_moves_locks(rs, inst, id))) &&
		       region_has(&g, id);
	}
	region_drop(&g);
	return !left;
}
