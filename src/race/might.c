/* might.c - locks that a place may hold, though it is not known to.
 *
 * A mutex that can be switched off (`if (p) methods.enter(p)`) is never certainly held, and a
 * relative lockset has none.  Here a function that takes a lock on some of its paths takes it, for
 * those that call it: what programmers mean where they lock under a condition.
 *
 * A lock is told by what leads to it: a global, a member that it is, a member that points to it,
 * or a parameter, which each caller turns into what it passes.  Of each function it is known what it takes, what it gives back that it did not take,
 * and what all paths hold at the entry of its blocks; callees first, the members of a cycle of calls twice.
 * Of the callees of a pointer half must take a lock, so that it is taken.  Then what callers
 * may hold is handed down, where the callee is one of few.  All sets
 * only grow and there are as many words as acquires and calls, so this ends.  Nothing is excluded by
 * it: it says what was meant, for slip.c. */
#include "race/might.h"

#include "base/graph.h"

#include <string.h>

enum {
	ROUNDS = 2,
	FEW_TARGETS = 4 /* of a call: all are meant */
};

typedef enum TokenKind {
	TOKEN_NONE,
	TOKEN_PARAM,
	TOKEN_MEMBER,
	TOKEN_POINTED,
	TOKEN_VARIABLE
} TokenKind;

typedef struct Token {
	u32 kind;
	u32 param; /* which; the lock is the member below of what it points to */
	u32 ref;   /* a type or a global; 0: of a parameter, none */
	u32 pad;
	u64 off;
} Token;

typedef struct FnLocks {
	Set takes, gives;
	Set *in; /* [block]: held at its entry, of what the function took */
} FnLocks;

struct Might {
	Races *r;
	const TypeId *same; /* [TypeId]: the first of that name and size */
	Intern tokens;
	InstId *inst;  /* [FnId]: the first that stands for it; 0 none */
	bool *open;    /* [FnId]: called from outside */
	FnLocks **fns; /* [FnId]: null: it takes and gives nothing */
	Set *callers;  /* [FnId]: what those that call it may hold */
	Map way_index; /* Way -> index in ways plus 1 */
	Vec(Set) ways; /* held by the calls of a way */
	Set locked;    /* struct types that have a lock, and globals */
	Set now, here; /* for steps through a block, and an answer */
	struct {
		InstId inst;
		InsId ins;
	} asked;    /* of held_before, last */
	Set before; /* and its answer */
	Set none;
};

static u32
token_new(Might *m, Token t)
{
	return t.kind ? intern_bytes(&m->tokens, &t, sizeof t) : 0;
}

static Token
token_get(const Might *m, u32 token)
{
	Token t;

	assert(token);
	memcpy(&t, intern_get(&m->tokens, token), sizeof t);
	return t;
}

/* What leads to the lock at v. */
static Token
token_of(const Might *m, const Fn *f, Val v)
{
	const Ir *ir = m->r->ir;
	TokenKind kind = TOKEN_MEMBER;
	Token t = {0};

	while (val_is_reg(v) && v > f->nparam) {
		const Ins *i = ir_ins(ir, fn_reg(ir, f, v)->def);
		bool field = i->op == OP_FIELD && !i->sub;
		if (field && i->aux && !t.kind)
			t = (Token){.kind = kind, .ref = m->same[i->aux], .off = (u64)i->imm};
		if (i->op == OP_LOAD && !t.kind && kind == TOKEN_MEMBER)
			kind = TOKEN_POINTED;
		else if (!field && i->op != OP_COPY && i->op != OP_CAST && i->op != OP_INDEX)
			return t;
		v = ins_arg(ir, i, 0);
	}
	if (val_is_reg(v) && v && kind == TOKEN_MEMBER)
		return (Token){.kind = TOKEN_PARAM, .param = v - 1, .ref = t.ref, .off = t.off};
	if (val_is_const(v) && ir_const(ir, v)->kind == CONST_GLOBAL)
		return (Token){.kind = TOKEN_VARIABLE,
			       .ref = ir_const(ir, v)->ref,
			       .off = (u64)ir_const(ir, v)->num};
	return t;
}

/* The caller's word for a callee's lock: what it passes, or else the member; 0 none. */
static u32
word_for(Might *m, const Fn *f, const Ins *call, u32 token)
{
	const Ir *ir = m->r->ir;
	Token t = token_get(m, token), arg = {0};

	if (t.kind != TOKEN_PARAM)
		return token;
	if (call->op == OP_CALL && t.param + 1 < call->narg)
		arg = token_of(m, f, ins_arg(ir, call, t.param + 1));
	if (arg.kind == TOKEN_PARAM && !arg.ref) {
		arg.ref = t.ref;
		arg.off = t.off;
	} else if (!arg.kind && t.ref) {
		arg = (Token){.kind = TOKEN_MEMBER, .ref = t.ref, .off = t.off};
	}
	return token_new(m, arg);
}

static void
take(Might *m, Set *held, u32 token)
{
	if (token && set_add(m->r->arena, held, token))
		set_add(m->r->arena, &m->locked, token_get(m, token).ref);
}

/* gives: what was released that was not held, null: not asked. */
static void
give(Might *m, Set *held, u32 token, Set *gives)
{
	if (token && !set_del(held, token) && gives)
		set_add(m->r->arena, gives, token);
}

/* Of the callees, do at least half take the lock, or give it? */
static bool
half(const Might *m, const Edge *e, u32 n, u32 token, bool takes)
{
	u32 found = 0;

	for (u32 k = 0; k < n && 2 * found < n; k++) {
		const FnLocks *to = m->fns[inst_fn(m->r, e[k].to)];
		found += to && set_has(takes ? &to->takes : &to->gives, token);
	}
	return 2 * found >= n;
}

static void
step_call(Might *m, InstId inst, InsId id, Set *held, Set *gives)
{
	const Races *r = m->r;
	const Fn *f = pta_fn(r->pta, inst);
	const Ins *call = ir_ins(r->ir, id);
	u32 n;
	const Edge *e = pta_targets(r->pta, inst, id, &n);

	for (u32 k = 0; k < n; k++) {
		const FnLocks *to = m->fns[inst_fn(r, e[k].to)];
		if (!to || e[k].fork)
			continue;
		SET_FOR (it, &to->gives)
			if (half(m, e, n, it.x, false))
				give(m, held, word_for(m, f, call, it.x), gives);
		SET_FOR (it, &to->takes)
			if (half(m, e, n, it.x, true))
				take(m, held, word_for(m, f, call, it.x));
	}
}

/* Leaves in held what is held behind the instruction. */
static void
step(Might *m, InstId inst, InsId id, Set *held, Set *gives)
{
	const Races *r = m->r;
	Op op = op_at(r, id);
	u32 token;

	if (op == OP_CALL)
		step_call(m, inst, id, held, gives);
	if (op != OP_ACQUIRE && op != OP_RELEASE)
		return;
	token =
	    token_new(m, token_of(m, pta_fn(r->pta, inst), ins_arg(r->ir, ir_ins(r->ir, id), 0)));
	if (op == OP_ACQUIRE)
		take(m, held, token);
	else
		give(m, held, token, gives);
}

/* Has it to do with locks at all, as far as its callees are known?  A harness has not: each caller
 * of an open program begins with none, whatever calls came before. */
static bool
concerned(const Might *m, InstId inst)
{
	const Races *r = m->r;
	const Fn *f = pta_fn(r->pta, inst);
	const Inst *self = pta_inst(r->pta, inst);

	if (f->flags & FN_SYNTHETIC)
		return false;
	for (u32 e = self->edge; e < self->edge + self->nedge; e++) {
		const FnLocks *to = m->fns[inst_fn(r, r->pta->edges.at[e].to)];
		if (to && !r->pta->edges.at[e].fork &&
		    (!set_empty(&to->takes) || !set_empty(&to->gives)))
			return true;
	}
	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (op_at(r, id) == OP_ACQUIRE || op_at(r, id) == OP_RELEASE)
			return true;
	return false;
}

/* What is held at the entry of a block, from one before it; true: that is news. */
static bool
merge(Arena *a, Set *in, bool *seen, const Set *more, bool all)
{
	bool first = !*seen;

	*seen = true;
	if (all && !first)
		return set_and(in, more);
	return set_or(a, in, more) || first;
}

/* Carries what is held through the blocks until nothing changes: at a merge what all paths
 * hold, or what some do.  Of the latter, what is left at the end is taken. */
static void
flow(Might *m, InstId inst, FnLocks *l, Set *in, bool all)
{
	Races *r = m->r;
	const Fn *f = pta_fn(r->pta, inst);
	bool *seen = arena_array(r->arena, bool, f->nblock + 1);
	VecU32 work = {0};

	seen[1] = true;
	vec_push(r->arena, &work, 1);
	while (work.n) {
		BlockId b = work.at[--work.n];
		const Block *bl = fn_block(r->ir, f, b);
		set_copy(r->arena, &m->now, &in[b]);
		for (InsId id = bl->ins; id < bl->ins + bl->nins; id++)
			step(m, inst, id, &m->now, all ? NULL : &l->gives);
		if (!all && bl->nins && ir_ins(r->ir, bl->ins + bl->nins - 1)->op == OP_RET)
			set_or(r->arena, &l->takes, &m->now);
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];
			if (merge(r->arena, &in[s], &seen[s], &m->now, all))
				vec_push(r->arena, &work, s);
		}
	}
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	arena_recycle(r->arena, seen, (f->nblock + 1) * sizeof *seen);
}

static void
solve_fn(Might *m, FnId fn)
{
	Races *r = m->r;
	u32 n = r->ir->fns.at[fn].nblock + 1;
	FnLocks *l = m->fns[fn];
	Set *some;

	if (!m->inst[fn] || (!l && !concerned(m, m->inst[fn])))
		return;
	if (!l)
		l = m->fns[fn] = arena_new(r->arena, FnLocks);
	some = arena_array(r->arena, Set, n);
	flow(m, m->inst[fn], l, some, false);
	for (u32 b = 0; b < n; b++)
		set_recycle(r->arena, &some[b]);
	arena_recycle(r->arena, some, n * sizeof *some);
	l->in = arena_array(r->arena, Set, n);
	flow(m, m->inst[fn], l, l->in, true);
}

static void
solve(Might *m, const Sccs *s)
{
	for (u32 c = 0; c < s->n; c++)
		for (u32 k = 0; k < (s->first[c + 1] - s->first[c] > 1 ? ROUNDS : 1); k++)
			for (u32 i = s->first[c]; i < s->first[c + 1]; i++)
				solve_fn(m, s->nodes[i]);
}

/* The word outside of its function. */
static u32
outside(Might *m, u32 token)
{
	Token t = token_get(m, token);

	if (t.kind != TOKEN_PARAM)
		return token;
	t.kind = t.ref ? TOKEN_MEMBER : TOKEN_NONE;
	t.param = 0;
	return token_new(m, t);
}

static void
add_outside(Might *m, const Set *held, Set *out)
{
	SET_FOR (it, held)
		take(m, out, outside(m, it.x));
}

/* What the function itself may hold before ins.  All accesses of one instruction ask, one after the
 * other. */
static const Set *
held_before(Might *m, InstId inst, InsId ins)
{
	Races *r = m->r;
	FnId fn = inst_fn(r, inst);
	const FnLocks *l = m->fns[fn];
	BlockId b;

	if (!l)
		return &m->none;
	if (m->asked.inst == inst && m->asked.ins == ins)
		return &m->before;
	m->asked.inst = inst;
	m->asked.ins = ins;
	b = walk_block(r->walk, fn, ins);
	set_copy(r->arena, &m->now, &l->in[b]);
	for (InsId id = fn_block(r->ir, &r->ir->fns.at[fn], b)->ins; id < ins; id++)
		step(m, inst, id, &m->now, NULL);
	set_clear(&m->before);
	add_outside(m, &m->now, &m->before);
	return &m->before;
}

/* Is the callee meant?  What callers of an open program call is, by them, and they hold none of its
 * locks; that it is also one of many whose address a pointer might hold says little. */
static bool
is_meant(const Might *m, const Edge *e)
{
	const Races *r = m->r;
	u32 n;

	if (e->fork || !m->open[inst_fn(r, e->to)])
		return !e->fork;
	if (pta_fn(r->pta, e->from)->flags & FN_SYNTHETIC)
		return false;
	pta_targets(r->pta, e->from, e->ins, &n);
	return n <= FEW_TARGETS && !(r->conc->guess && r->conc->guess[e - r->pta->edges.at]);
}

/* Hands down what is held at calls. */
static void
hand_calls(Might *m)
{
	Races *r = m->r;
	const Edge *e = r->pta->edges.at;

	for (; e < r->pta->edges.at + r->pta->edges.n; e++) {
		if (!m->fns[inst_fn(r, e->from)] || !is_meant(m, e))
			continue;
		set_or(r->arena, &m->callers[inst_fn(r, e->to)], held_before(m, e->from, e->ins));
	}
}

/* Hands down what callers of callers hold; those of a cycle hold the same. */
static void
hand_down(Might *m, const Graph *g, const Sccs *s)
{
	Arena *a = m->r->arena;

	for (u32 c = s->n; c--;) {
		const u32 *fn = s->nodes + s->first[c], *end = s->nodes + s->first[c + 1];
		set_clear(&m->here);
		for (const u32 *x = fn; x < end; x++)
			set_or(a, &m->here, &m->callers[*x]);
		for (const u32 *x = fn; x < end && !set_empty(&m->here); x++) {
			set_or(a, &m->callers[*x], &m->here);
			GRAPH_FOR (to, g, *x)
				set_or(a, &m->callers[*to], &m->here);
		}
	}
}

/* The calls between functions, of all callees or of those that are meant, and their cycles. */
static void
build_calls(const Might *m, Arena *a, bool meant, Graph *g, Sccs *s)
{
	const Races *r = m->r;
	const Pta *p = r->pta;
	Vec(Arc) calls = {0};

	for (const Edge *e = p->edges.at; e < p->edges.at + p->edges.n; e++)
		if (meant ? is_meant(m, e) : !e->fork)
			vec_push(a, &calls, (Arc){inst_fn(r, e->from), inst_fn(r, e->to)});
	graph_build(g, a, r->ir->fns.n, calls.at, calls.n);
	graph_sccs(s, a, g);
}

Might *
might_new(Races *r, const TypeId *same)
{
	Might *m = arena_new(r->arena, Might);
	Arena mine;
	Graph g;
	Sccs s;

	m->r = r;
	m->same = same;
	m->inst = arena_array(r->arena, InstId, r->ir->fns.n);
	m->fns = arena_array(r->arena, FnLocks *, r->ir->fns.n);
	m->callers = arena_array(r->arena, Set, r->ir->fns.n);
	m->open = arena_array(r->arena, bool, r->ir->fns.n);
	intern_init(&m->tokens, r->arena);
	arena_init(&mine, r->arena->budget);
	for (InstId i = r->pta->insts.n; --i;)
		m->inst[inst_fn(r, i)] = i;
	for (const Edge *e = r->pta->edges.at; e < r->pta->edges.at + r->pta->edges.n; e++)
		if (pta_fn(r->pta, e->from)->flags & FN_SYNTHETIC)
			m->open[inst_fn(r, e->to)] = true;
	build_calls(m, &mine, false, &g, &s);
	solve(m, &s);
	build_calls(m, &mine, true, &g, &s);
	hand_calls(m);
	hand_down(m, &g, &s);
	arena_release(&mine);
	return m;
}

/* What the calls of the way may hold: found from the first whose answer is known. */
static const Set *
held_by_way(Might *m, u32 way)
{
	Races *r = m->r;
	const Way *ways = r->conc->ways;
	VecU32 todo = {0};
	Set held = {0};
	u32 at;

	for (at = way; ways[at].edge && !map_get(&m->way_index, at); at = ways[at].from)
		vec_push(r->arena, &todo, at);
	if (ways[at].edge)
		set_copy(r->arena, &held, &m->ways.at[map_get(&m->way_index, at) - 1]);
	while (todo.n) {
		const Edge *e = &r->pta->edges.at[ways[todo.at[--todo.n]].edge - 1];
		Set next = {0};
		set_or(r->arena, &held, held_before(m, e->from, e->ins));
		set_copy(r->arena, &next, &held);
		vec_push(r->arena, &m->ways, next);
		map_put(r->arena, &m->way_index, todo.at[todo.n], m->ways.n);
	}
	arena_recycle(r->arena, todo.at, todo.cap * sizeof *todo.at);
	set_recycle(r->arena, &held);
	return ways[way].edge ? &m->ways.at[map_get(&m->way_index, way) - 1] : &m->none;
}

const Set *
might_on_way(Might *m, const Access *a)
{
	const Set *way = held_by_way(m, a->way), *own = held_before(m, a->inst, a->ins);

	if (set_empty(way) || set_empty(own))
		return set_empty(way) ? own : way;
	set_copy(m->r->arena, &m->here, way);
	set_or(m->r->arena, &m->here, own);
	return &m->here;
}

bool
might_at_all(Might *m, const Access *a, u32 lock)
{
	return set_has(&m->callers[inst_fn(m->r, a->inst)], lock) ||
	       set_has(held_before(m, a->inst, a->ins), lock);
}

bool
might_is_open(const Might *m, FnId fn)
{
	return m->open[fn];
}

TypeId
might_struct(const Might *m, u32 lock, u64 *off)
{
	Token t = token_get(m, lock);

	*off = t.off;
	return t.kind == TOKEN_MEMBER || t.kind == TOKEN_POINTED ? t.ref : 0;
}

u32
might_name(Might *m, const Fn *f, Val v, u32 *param)
{
	Token t = token_of(m, f, v);

	*param = t.kind == TOKEN_PARAM && !t.ref ? t.param + 1 : 0;
	return *param || !t.kind ? 0 : outside(m, token_new(m, t));
}

const Set *
might_inside(Might *m, InstId inst, InsId ins)
{
	return held_before(m, inst, ins);
}

bool
might_by_callers(const Might *m, FnId fn, u32 lock)
{
	return set_has(&m->callers[fn], lock);
}

bool
might_mean(const Might *m, const Edge *e)
{
	return is_meant(m, e);
}

bool
might_stand_for(const Might *m, InstId inst)
{
	return m->inst[inst_fn(m->r, inst)] == inst;
}

bool
might_have_lock(const Might *m, TypeId type)
{
	return type && set_has(&m->locked, type);
}

TypeId *
might_same(const Races *r)
{
	const Ir *ir = r->ir;
	TypeId *same = arena_array(r->arena, TypeId, ir->types.n + 1);
	Map first = {0};

	for (TypeId t = 1; t < ir->types.n; t++) {
		const Type *type = &ir->types.at[t];
		u32 *at;
		same[t] = t;
		if (type->kind != TYPE_STRUCT || !type->name)
			continue;
		at = map_at(r->arena, &first, map_pair(type->name, (u32)type->size));
		if (!*at)
			*at = t;
		same[t] = *at;
	}
	return same;
}
