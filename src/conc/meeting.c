/* meeting.c - see meeting.h.
 *
 *	lock(m); turn = b->turn;
 *	if (++b->count == b->n) { b->count = 0; b->turn++; wake(c); }
 *	else while (turn == b->turn) wait(c, m);
 *	unlock(m);
 *
 * Such a function counts who comes and tests the count.  On one side of the
 * test it waits: for a condition, or in a loop that does nothing but look at
 * memory.  On the other it does not, and wakes those who wait or changes what
 * they look at.  Told by its shape alone, so that it proves nothing: a
 * semaphore that counts wakes nobody where it does not wait, and a bounded
 * queue tests its count before it counts. */
#include "conc/meeting.h"

#include "ir/cfg.h"

enum { MAX_INS = 400, DEPTH = 4 };

typedef struct Look {
	Arena *arena;
	const Ir *ir;
	const Fn *fn;
	Cfg cfg;
} Look;

static const Ins *
def_of(const Look *l, Val v)
{
	InsId id = val_is_reg(v) ? fn_reg(l->ir, l->fn, v)->def : 0;
	const Ins *def = id ? ir_ins(l->ir, id) : NULL;

	while (def && (def->op == OP_COPY || def->op == OP_CAST)) {
		v = ins_arg(l->ir, def, 0);
		id = val_is_reg(v) ? fn_reg(l->ir, l->fn, v)->def : 0;
		def = id ? ir_ins(l->ir, id) : NULL;
	}
	return def;
}

/* Are two addresses written alike? */
static bool
same_place(const Look *l, Val x, Val y, u32 depth)
{
	const Ins *a, *b;

	if (x == y)
		return true;
	if (!x || !y || depth == DEPTH)
		return false;
	if (val_is_const(x) && val_is_const(y))
		return ir_const(l->ir, x)->kind == CONST_GLOBAL &&
		       ir_const(l->ir, y)->kind == CONST_GLOBAL &&
		       ir_const(l->ir, x)->ref == ir_const(l->ir, y)->ref &&
		       ir_const(l->ir, x)->num == ir_const(l->ir, y)->num;
	a = def_of(l, x);
	b = def_of(l, y);
	return a && b && a->op == b->op && (a->op == OP_FIELD || a->op == OP_LOAD) &&
	       a->imm == b->imm &&
	       same_place(l, ins_arg(l->ir, a, 0), ins_arg(l->ir, b, 0), depth + 1);
}

static bool
is_step(const Ins *i)
{
	return i && (i->op == OP_BIN || i->op == OP_RMW) &&
	       (i->sub == BIN_ADD || i->sub == BIN_SUB);
}

/* The store that counts: of one more or less than what lies there. */
static bool
counting_store(const Look *l, const Ins *store)
{
	const Ins *add = store->op == OP_STORE ? def_of(l, ins_arg(l->ir, store, 1)) : NULL;
	const Ins *load = is_step(add) && add->op == OP_BIN && val_is_const(ins_arg(l->ir, add, 1))
			      ? def_of(l, ins_arg(l->ir, add, 0))
			      : NULL;

	return load && load->op == OP_LOAD &&
	       same_place(l, ins_arg(l->ir, load, 0), ins_arg(l->ir, store, 0), 0);
}

/* Is v what a count has come to: the number that an atomic step found, or what is stored, or was
 * before, by one that is not? */
static bool
is_count(const Look *l, Val v)
{
	const Ins *def = def_of(l, v), *from;

	if (def && def->op == OP_RMW)
		return is_step(def);
	if (is_step(def)) {
		from = def_of(l, ins_arg(l->ir, def, 0));
		if (from && from->op == OP_RMW)
			return is_step(from);
	}
	for (InsId i = l->fn->ins; def && i < l->fn->ins + l->fn->nins; i++) {
		const Ins *s = ir_ins(l->ir, i);
		if (!counting_store(l, s))
			continue;
		if (def == def_of(l, ins_arg(l->ir, s, 1)))
			return true;
		if (def->op == OP_LOAD &&
		    same_place(l, ins_arg(l->ir, def, 0), ins_arg(l->ir, s, 0), 0) &&
		    cfg_precedes(&l->cfg, i, fn_reg(l->ir, l->fn, def->dst)->def))
			return true;
	}
	return false;
}

/* Does the loop only look, at what its end decides by? */
static bool
is_spin(const Look *l, u32 loop)
{
	bool looks = false;

	for (BlockId b = 1; b <= l->fn->nblock; b++) {
		const Block *bl = fn_block(l->ir, l->fn, b);
		if (!cfg_loop_has(&l->cfg, loop, b))
			continue;
		for (u32 k = 0; k < bl->nins; k++) {
			u8 op = ir_ins(l->ir, bl->ins + k)->op;
			looks |= op == OP_LOAD;
			if (op == OP_STORE || op == OP_RMW || op == OP_CALL || op == OP_EXTERN ||
			    op == OP_FORK || op == OP_JOIN)
				return false;
		}
	}
	return looks;
}

/* Does control wait in the block? */
static bool
waits_in(const Look *l, BlockId b)
{
	const Block *bl = fn_block(l->ir, l->fn, b);

	for (u32 k = 0; k < bl->nins; k++)
		if (ir_ins(l->ir, bl->ins + k)->op == OP_AWAIT)
			return true;
	return l->cfg.loop_of[b] && is_spin(l, l->cfg.loop_of[b]);
}

/* Does control come to a wait from block b on, but not by way of block `not`? */
static bool
waits_behind(const Look *l, BlockId b, BlockId not)
{
	bool *seen = arena_array(l->arena, bool, l->fn->nblock + 1);
	VecU32 todo = {0};

	seen[b] = seen[not] = true;
	vec_push(l->arena, &todo, b);
	while (todo.n) {
		b = todo.at[--todo.n];
		if (waits_in(l, b))
			return true;
		GRAPH_FOR (s, &l->cfg.succ, b)
			if (!seen[*s]) {
				seen[*s] = true;
				vec_push(l->arena, &todo, *s);
			}
	}
	return false;
}

/* Does something that others may wait for happen behind b, which one edge leads to, and only
 * there? */
static bool
wakes_behind(const Look *l, BlockId b)
{
	if (l->cfg.pred.first[b + 1] - l->cfg.pred.first[b] != 1)
		return false;
	for (BlockId x = 1; x <= l->fn->nblock; x++) {
		const Block *bl = fn_block(l->ir, l->fn, x);
		if (!l->cfg.rank[x] || !cfg_dominates(&l->cfg, b, x))
			continue;
		for (u32 k = 0; k < bl->nins; k++) {
			u8 op = ir_ins(l->ir, bl->ins + k)->op;
			if (op == OP_SIGNAL || op == OP_STORE || op == OP_RMW)
				return true;
		}
	}
	return false;
}

/* Does the end of block b test the count, so that all wait but one? */
static bool
tests_count(const Look *l, BlockId b)
{
	const Block *bl = fn_block(l->ir, l->fn, b);
	const Ins *end = ir_ins(l->ir, bl->ins + bl->nins - 1);
	const Ins *cmp = end->op == OP_CBR ? def_of(l, ins_arg(l->ir, end, 0)) : NULL;

	if (!cmp || cmp->op != OP_CMP ||
	    (!is_count(l, ins_arg(l->ir, cmp, 0)) && !is_count(l, ins_arg(l->ir, cmp, 1))))
		return false;
	for (u32 way = 0; way < 2; way++) {
		BlockId waits = l->ir->succs.at[bl->succ + way];
		BlockId wakes = l->ir->succs.at[bl->succ + 1 - way];
		if (waits_behind(l, waits, b) && !waits_behind(l, wakes, b) &&
		    wakes_behind(l, wakes))
			return true;
	}
	return false;
}

bool
meeting_is(Arena *a, const Ir *ir, const Fn *fn)
{
	Look l = {.arena = a, .ir = ir, .fn = fn};
	bool counts = false;

	if (fn->nblock < 3 || fn->nins > MAX_INS)
		return false;
	for (InsId i = fn->ins; i < fn->ins + fn->nins && !counts; i++)
		counts = is_step(ir_ins(ir, i));
	if (!counts)
		return false;
	cfg_build(&l.cfg, a, ir, fn);
	for (BlockId b = 1; b <= fn->nblock; b++)
		if (l.cfg.rank[b] && tests_count(&l, b))
			return true;
	return false;
}
