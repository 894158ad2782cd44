/* test_pta_random.c - the solver against a naive fixpoint on random programs.
 *
 * The naive version knows nothing of nodes, cells, queues or merging: it runs
 * over all instructions of all reached functions until no set changes, holds
 * places as triples, and decides overlap by painting bytes.  Programs are
 * straight lines of random instructions; the analysis does not look at control
 * flow, so uses may come before definitions.  Where an object got too many
 * places, and the solver widened, only pta_check judges. */
#include "unit.h"

#include "pta/pta_int.h"

#include <stdio.h>
#include <string.h>

enum { GLOBALS = 4, FNS = 4, PARAMS = 2, INS = 16, BYTES = 64, REGS = PARAMS + INS + 1 };

typedef struct Place {
	u64 obj; /* kind, and global, function or instruction */
	i64 off;
	u32 stride;
} Place;

typedef Vec(Place) Places;

/* What was stored at some bytes. */
typedef struct Mem {
	Place at;
	u32 size;
	bool number; /* stored as an integer */
	Places in;
} Mem;

typedef struct Naive {
	Arena *a;
	const Ir *ir;
	Places reg[FNS + 1][REGS + 1], ret[FNS + 1], texit[FNS + 1];
	Places result[(FNS + 1) * (INS + 4)]; /* of the thread that an instruction forks */
	Places known;                         /* what unknown code knows */
	bool reached[FNS + 1], back[FNS + 1];
	Vec(Mem) mem;
	Vec(u64) escaped;
	bool cyclic[(FNS + 1) * (INS + 4)];
	bool moved[(FNS + 1) * (INS + 4)]; /* loads of what is then stored narrow or joined */
	bool crowd;                        /* no narrow load certainly reads a pointer's place */
	bool changed;
} Naive;

static const Place unknown = {(u64)OBJ_EXTERN << 32, 0, 1};

static bool
same(Place x, Place y)
{
	return x.obj == y.obj && x.off == y.off && x.stride == y.stride;
}

static bool
has(const Places *set, Place x)
{
	for (u32 i = 0; i < set->n; i++)
		if (same(set->at[i], x))
			return true;
	return false;
}

static void
put(Naive *n, Places *set, Place x)
{
	if (has(set, x))
		return;
	vec_push(n->a, set, x);
	n->changed = true;
}

static void
put_all(Naive *n, Places *set, const Places *more)
{
	for (u32 i = 0; more && i < more->n; i++)
		put(n, set, more->at[i]);
}

static ObjKind
kind(u64 obj)
{
	return (ObjKind)(obj >> 32);
}

static u64
size_of(const Naive *n, u64 obj)
{
	if (kind(obj) == OBJ_GLOBAL)
		return n->ir->globals.at[(u32)obj].size;
	return 32; /* what the generator allocates */
}

static u32
gcd(u32 x, u32 y)
{
	return y ? gcd(y, x % y) : x;
}

static Place
shift(const Naive *n, Place x, i64 off, u32 stride)
{
	if (kind(x.obj) == OBJ_FN || kind(x.obj) == OBJ_THREAD || kind(x.obj) == OBJ_EXTERN)
		return x;
	x.off += off;
	x.stride = gcd(x.stride, stride);
	if (!x.stride && (x.off < -4096 || x.off > (i64)size_of(n, x.obj) + 4096))
		return (Place){x.obj, 0, 1};
	if (x.stride)
		x.off = ((x.off % x.stride) + x.stride) % x.stride;
	return x;
}

static u64
paint(const Naive *n, Place x, u32 size)
{
	i64 end = (i64)size_of(n, x.obj);
	u64 bits = 0;

	for (i64 at = x.off; at <= (x.stride ? end - 1 : x.off); at += x.stride ? x.stride : 1)
		for (i64 b = MAX(at, 0); b < end && (!size || b < at + size); b++)
			bits |= (u64)1 << b;
	return bits;
}

static bool
overlap(const Naive *n, Place x, u32 k, Place y, u32 m)
{
	return x.obj == y.obj && (paint(n, x, k) & paint(n, y, m));
}

static bool
is_memory(const Naive *n, Place x)
{
	if (kind(x.obj) == OBJ_FN || kind(x.obj) == OBJ_THREAD)
		return false;
	return x.stride || (x.off >= 0 && x.off < (i64)size_of(n, x.obj));
}

static bool
is_escaped(const Naive *n, u64 obj)
{
	for (u32 i = 0; i < n->escaped.n; i++)
		if (n->escaped.at[i] == obj)
			return true;
	return false;
}

static void
store(Naive *n, Place at, u32 size, bool number, const Places *value)
{
	number |= size && size < 8;
	if (kind(at.obj) == OBJ_EXTERN) {
		put_all(n, &n->known, value);
		return;
	}
	if (!is_memory(n, at))
		return;
	for (u32 i = 0; i < n->mem.n; i++)
		if (same(n->mem.at[i].at, at) && n->mem.at[i].size == size &&
		    n->mem.at[i].number == number) {
			put_all(n, &n->mem.at[i].in, value);
			return;
		}
	if (!value->n)
		return;
	vec_push(n->a, &n->mem, (Mem){at, size, number, {0}});
	put_all(n, &n->mem.at[n->mem.n - 1].in, value);
}

/* Does a load that moves no pointers see what is in m? */
static bool
is_number(const Naive *n, const Mem *m, Place at)
{
	return m->number || (!n->crowd && !m->at.stride && !at.stride);
}

static void
load(Naive *n, Place at, u32 size, bool moves, Places *to)
{
	if (moves && (kind(at.obj) == OBJ_EXTERN || (is_escaped(n, at.obj) && is_memory(n, at))))
		put_all(n, to, &n->known);
	if (!is_memory(n, at) || kind(at.obj) == OBJ_EXTERN)
		return;
	for (u32 i = 0; i < n->mem.n; i++)
		if ((moves || is_number(n, &n->mem.at[i], at)) &&
		    overlap(n, n->mem.at[i].at, n->mem.at[i].size, at, size))
			put_all(n, to, &n->mem.at[i].in);
}

static void
bcopy_one(Naive *n, Place to, Place from, u32 size)
{
	if (kind(from.obj) == OBJ_EXTERN || is_escaped(n, from.obj))
		store(n, shift(n, to, 0, 1), 0, false, &n->known);
	for (u32 i = 0; i < n->mem.n; i++) {
		Mem m = n->mem.at[i];
		u32 stride = gcd(m.at.stride, from.stride);
		i64 off = m.at.off - from.off;
		if (!overlap(n, m.at, m.size, from, size))
			continue;
		if (stride)
			off = ((off % stride) + stride) % stride;
		else if (off < 0) {
			m.size = m.size ? (u32)(m.size + off) : 0;
			off = 0;
		}
		if (n->crowd && !m.number && m.size && m.size < 8)
			continue; /* likewise of a part that is copied */
		if (!size || off < size)
			store(n, shift(n, to, off, stride), m.size, m.number, &m.in);
	}
}

static const Places *
value(Naive *n, FnId f, Val v)
{
	static const Places none;
	const Const *c;
	Place x = {0};
	Places *set;

	if (!val_is_const(v))
		return v ? &n->reg[f][v] : &none;
	c = ir_const(n->ir, v);
	if (c->kind == CONST_GLOBAL)
		x = (Place){(u64)OBJ_GLOBAL << 32 | c->ref, c->num, 0};
	else if (c->kind == CONST_FN)
		x = (Place){(u64)OBJ_FN << 32 | c->ref, 0, 0};
	else
		return &none;
	set = arena_new(n->a, Places);
	vec_push(n->a, set, x);
	return set;
}

/* ---- the meaning of instructions ------------------------------------------------ */

static void
call(Naive *n, FnId f, const Ins *i, InsId id, FnId callee, u32 first, bool fork)
{
	n->changed |= !n->reached[callee];
	n->reached[callee] = true;
	for (u32 k = first; k < i->narg && k - first < PARAMS; k++)
		put_all(n, &n->reg[callee][k - first + 1], value(n, f, ins_arg(n->ir, i, k)));
	put_all(n, fork ? &n->result[id] : &n->texit[f], &n->texit[callee]);
	if (fork)
		put_all(n, &n->result[id], &n->ret[callee]);
	else if (i->dst)
		put_all(n, &n->reg[f][i->dst], &n->ret[callee]);
}

/* Everything that unknown code knows, closed under what it can reach. */
static void
close_unknown(Naive *n)
{
	for (u32 i = 0; i < n->known.n; i++) {
		u64 obj = n->known.at[i].obj;
		if (kind(obj) == OBJ_FN) {
			FnId f = (u32)obj;
			n->changed |= !n->reached[f];
			n->reached[f] = true;
			for (u32 r = 1; r <= PARAMS; r++)
				put_all(n, &n->reg[f][r], &n->known);
			put_all(n, &n->known, &n->ret[f]);
			put_all(n, &n->known, &n->texit[f]);
			continue;
		}
		if (kind(obj) != OBJ_EXTERN && !is_escaped(n, obj)) {
			vec_push(n->a, &n->escaped, obj);
			n->changed = true;
		}
		for (u32 m = 0; m < n->mem.n; m++)
			if (n->mem.at[m].at.obj == obj)
				put_all(n, &n->known, &n->mem.at[m].in);
	}
}

/* ends: what the thread that runs it may end with. */
static void
run_unknown(Naive *n, FnId f, const Ins *i, u32 first, Places *ends)
{
	for (u32 k = 0; k < n->known.n; k++)
		if (kind(n->known.at[k].obj) == OBJ_FN)
			put_all(n, ends, &n->texit[(u32)n->known.at[k].obj]);
	put(n, &n->known, unknown);
	for (u32 k = first; k < i->narg; k++)
		put_all(n, &n->known, value(n, f, ins_arg(n->ir, i, k)));
	if (i->dst)
		put_all(n, &n->reg[f][i->dst], &n->known);
}

static void
run_calls(Naive *n, FnId f, InsId id, const Ins *i, u32 callee, bool fork)
{
	const Places *targets = value(n, f, ins_arg(n->ir, i, callee));

	for (u32 k = 0; k < targets->n; k++) {
		if (kind(targets->at[k].obj) == OBJ_FN)
			call(n, f, i, id, (u32)targets->at[k].obj, callee + 1, fork);
		else if (kind(targets->at[k].obj) == OBJ_EXTERN)
			run_unknown(n, f, i, callee + 1, fork ? &n->result[id] : &n->texit[f]);
	}
}

static void
run_offset(Naive *n, FnId f, InsId id, const Ins *i, i64 off, u32 stride)
{
	const Places *x = value(n, f, ins_arg(n->ir, i, 0));

	if (n->cyclic[id] && off) {
		stride = (u32)(off < 0 ? -off : off);
		off = 0;
	}
	for (u32 k = 0; k < x->n; k++)
		put(n, &n->reg[f][i->dst], shift(n, x->at[k], off, stride));
}

/* Does i store an integer? */
static bool
is_integer(const Naive *n, const Ins *i)
{
	Val v = i->op == OP_LOAD ? 0 : ins_arg(n->ir, i, i->op == OP_CAS ? 2 : 1);

	for (FnId f = 1; f <= FNS; f++) {
		const Fn *fn = &n->ir->fns.at[f];
		if (val_is_reg(v) && i >= ir_ins(n->ir, fn->ins) &&
		    i < ir_ins(n->ir, fn->ins) + fn->nins)
			return fn_reg(n->ir, fn, v)->rt == RT_INT;
	}
	return false;
}

static void
run_memory(Naive *n, FnId f, InsId id, const Ins *i)
{
	/* A copy: the address's own set may grow here. */
	const Places *addr = value(n, f, ins_arg(n->ir, i, 0));
	Places at = {0};
	u32 size = i->width / 8u;

	for (u32 k = 0; k < addr->n; k++)
		vec_push(n->a, &at, addr->at[k]);
	for (u32 k = 0; k < at.n; k++) {
		if (i->op != OP_STORE)
			load(n, at.at[k], size, (size == 8 && i->rt != RT_INT) || n->moved[id],
			     &n->reg[f][i->dst]);
		if (i->op != OP_LOAD)
			store(n, at.at[k], size, is_integer(n, i),
			      value(n, f, ins_arg(n->ir, i, i->op == OP_CAS ? 2 : 1)));
	}
}

static void
run_bcopy(Naive *n, FnId f, const Ins *i)
{
	const Places *to = value(n, f, ins_arg(n->ir, i, 0));
	const Places *from = value(n, f, ins_arg(n->ir, i, 1));
	const Const *c = ir_const(n->ir, ins_arg(n->ir, i, 2));

	for (u32 x = 0; x < to->n; x++)
		for (u32 y = 0; y < from->n; y++)
			bcopy_one(n, to->at[x], from->at[y],
				  c->kind == CONST_INT ? (u32)c->num : 0);
}

static void
run_join(Naive *n, FnId f, const Ins *i)
{
	const Places *handle = value(n, f, ins_arg(n->ir, i, 0));
	const Places *at = value(n, f, ins_arg(n->ir, i, 1));

	for (u32 k = 0; k < handle->n; k++)
		for (u32 m = 0; m < at->n; m++) {
			if (kind(handle->at[k].obj) == OBJ_THREAD)
				store(n, at->at[m], 8, false, &n->result[(u32)handle->at[k].obj]);
			else if (kind(handle->at[k].obj) == OBJ_EXTERN)
				store(n, at->at[m], 8, false, &n->known);
		}
}

static void
run_fork(Naive *n, FnId f, InsId id, const Ins *i)
{
	Places self = {0};
	const Places *at = value(n, f, ins_arg(n->ir, i, 0));

	vec_push(n->a, &self, (Place){(u64)OBJ_THREAD << 32 | id, 0, 0});
	for (u32 k = 0; k < at->n; k++)
		store(n, at->at[k], 8, true, &self);
	run_calls(n, f, id, i, 1, true);
}

static void
run(Naive *n, FnId f, InsId id)
{
	const Ins *i = ir_ins(n->ir, id);
	Places *dst = &n->reg[f][i->dst];

	switch (i->op) {
	case OP_ALLOC:
		put(n, dst,
		    (Place){(u64)(i->sub == ALLOC_HEAP ? OBJ_HEAP : OBJ_STACK) << 32 | id, 0, 0});
		break;
	case OP_COPY: put_all(n, dst, value(n, f, ins_arg(n->ir, i, 0))); break;
	case OP_PHI:
		put_all(n, dst, value(n, f, ins_arg(n->ir, i, 1)));
		put_all(n, dst, value(n, f, ins_arg(n->ir, i, 3)));
		break;
	case OP_FIELD: run_offset(n, f, id, i, i->imm, 0); break;
	case OP_INDEX: run_offset(n, f, id, i, 0, (u32)i->imm); break;
	case OP_LOAD:
	case OP_STORE:
	case OP_CAS: run_memory(n, f, id, i); break;
	case OP_BCOPY: run_bcopy(n, f, i); break;
	case OP_CALL: run_calls(n, f, id, i, 0, false); break;
	case OP_FORK: run_fork(n, f, id, i); break;
	case OP_JOIN: run_join(n, f, i); break;
	case OP_EXTERN: run_unknown(n, f, i, 0, &n->texit[f]); break;
	case OP_RET: put_all(n, &n->ret[f], value(n, f, ins_arg(n->ir, i, 0))); break;
	case OP_TEXIT: put_all(n, &n->texit[f], value(n, f, ins_arg(n->ir, i, 0))); break;
	}
}

/* Does a value of register x reach y through the function's registers?  As it
 * is, unless offsets may be added. */
static bool
reaches(const Ir *ir, const Fn *f, Val x, Val y, bool offsets)
{
	bool seen[REGS + 1] = {false};

	seen[x] = true;
	for (u32 round = 0; round <= f->nins; round++)
		for (InsId id = f->ins; id < f->ins + f->nins; id++) {
			const Ins *i = ir_ins(ir, id);
			if (i->op != OP_COPY && i->op != OP_PHI &&
			    !(offsets && (i->op == OP_FIELD || i->op == OP_INDEX)))
				continue;
			for (u32 k = i->op == OP_PHI; k < i->narg; k += 1 + (i->op == OP_PHI))
				if (val_is_reg(ins_arg(ir, i, k)) && seen[ins_arg(ir, i, k)])
					seen[i->dst] = true;
		}
	return seen[y];
}

static void
find_cycles(Naive *n)
{
	for (FnId f = 1; f <= FNS; f++) {
		const Fn *fn = &n->ir->fns.at[f];
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			const Ins *i = ir_ins(n->ir, id);
			Val v = i->op == OP_FIELD || i->op == OP_INDEX ? ins_arg(n->ir, i, 0) : 0;
			n->cyclic[id] = val_is_reg(v) && reaches(n->ir, fn, i->dst, v, true);
		}
	}
}

/* What makes v, behind copies. */
static const Ins *
made_by(const Naive *n, const Fn *fn, Val v)
{
	const Ins *i = NULL;

	for (u32 k = 0; k < fn->nins && val_is_reg(v) && fn_reg(n->ir, fn, v)->def; k++) {
		i = ir_ins(n->ir, fn_reg(n->ir, fn, v)->def);
		if (i->op != OP_COPY)
			return i;
		v = ins_arg(n->ir, i, 0);
	}
	return NULL;
}

/* Is v loaded from one place after the other? */
static bool
is_walked(const Naive *n, const Fn *fn, Val v)
{
	const Ins *i = made_by(n, fn, v);

	i = i && i->op == OP_LOAD ? made_by(n, fn, ins_arg(n->ir, i, 0)) : NULL;
	if (!i)
		return false;
	if (i->op == OP_INDEX && !val_is_const(ins_arg(n->ir, i, 1)))
		return true;
	return i->op == OP_PHI || n->cyclic[i - ir_ins(n->ir, 0)];
}

static void
find_moved(Naive *n, const Fn *fn)
{
	for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
		for (InsId to = fn->ins; to < fn->ins + fn->nins; to++) {
			const Ins *i = ir_ins(n->ir, id), *st = ir_ins(n->ir, to);
			Val v = st->op == OP_JOIN ? ins_arg(n->ir, st, 0) : 0;
			if (st->op == OP_STORE &&
			    (st->width == 8 || is_walked(n, fn, ins_arg(n->ir, st, 1))))
				v = ins_arg(n->ir, st, 1);
			if (i->op == OP_LOAD && val_is_reg(v) &&
			    reaches(n->ir, fn, i->dst, v, false))
				n->moved[id] = true;
		}
}

/* Global initialisers are the same whether or not anybody looks. */
static void
init_globals(Naive *n)
{
	for (GlobalId g = 1; g <= GLOBALS; g++)
		for (u32 k = 0; k < n->ir->globals.at[g].ninit; k++) {
			const Init *init = &n->ir->inits.at[n->ir->globals.at[g].init + k];
			Place at = {(u64)OBJ_GLOBAL << 32 | g, (i64)init->off, 0};
			store(n, at, 8, false, value(n, 1, init->val));
		}
}

static const Naive *
solve_naively(Arena *a, const Ir *ir, bool crowd)
{
	Naive *n = arena_new(a, Naive);

	n->a = a;
	n->ir = ir;
	n->crowd = crowd;
	n->reached[1] = true;
	find_cycles(n);
	for (FnId f = 1; f <= FNS; f++)
		find_moved(n, &n->ir->fns.at[f]);
	put(n, &n->known, unknown);
	init_globals(n);
	do {
		n->changed = false;
		for (FnId f = 1; f <= FNS; f++)
			for (u32 k = 0; n->reached[f] && k < n->ir->fns.at[f].nins; k++)
				run(n, f, n->ir->fns.at[f].ins + k);
		close_unknown(n);
	} while (n->changed);
	return n;
}

/* ---- random programs ------------------------------------------------------------- */

static Val
random_value(Rand *r, Ir *ir)
{
	u32 c = rand_below(r, 10);

	if (c < 2)
		return ir_const_global(ir, 1 + rand_below(r, GLOBALS), 8 * rand_below(r, 3));
	if (c < 3)
		return ir_const_fn(ir, 1 + rand_below(r, FNS));
	return 1 + rand_below(r, REGS);
}

static void
random_ins(Rand *r, Build *b, Val dst)
{
	static const u8 ops[] = {OP_ALLOC, OP_COPY, OP_PHI,   OP_FIELD, OP_FIELD, OP_INDEX, OP_LOAD,
				 OP_LOAD,  OP_LOAD, OP_STORE, OP_STORE, OP_STORE, OP_STORE, OP_CAS,
				 OP_BCOPY, OP_CALL, OP_CALL,  OP_FORK,  OP_JOIN,  OP_EXTERN};
	static const u32 nargs[OP_COUNT] = {
	    [OP_ALLOC] = 1, [OP_COPY] = 1,  [OP_PHI] = 4,   [OP_FIELD] = 1, [OP_INDEX] = 2,
	    [OP_LOAD] = 1,  [OP_STORE] = 2, [OP_CAS] = 3,   [OP_BCOPY] = 3, [OP_CALL] = 3,
	    [OP_FORK] = 4,  [OP_JOIN] = 2,  [OP_EXTERN] = 1};
	static const i64 offs[] = {4, 8, 8, 16, -8};
	u8 op = ops[rand_below(r, rand_below(r, 4) ? COUNT(ops) - 1 : COUNT(ops))];
	Val args[4];
	Ins *i;

	for (u32 k = 0; k < 4; k++)
		args[k] = random_value(r, b->ir);
	if (op == OP_ALLOC)
		args[0] = ir_const_int(b->ir, 64, 32);
	if (op == OP_PHI)
		args[0] = args[2] = 1;
	if (op == OP_BCOPY)
		args[2] = rand_below(r, 2) ? ir_const_int(b->ir, 64, 8 + 8 * rand_below(r, 3))
					   : ir_const_undef(b->ir);
	if ((op == OP_CALL || op == OP_FORK) && rand_below(r, 2))
		args[op == OP_FORK] = ir_const_fn(b->ir, 1 + rand_below(r, FNS));
	i = build_ins(b, op, nargs[op], args);
	i->dst = op == OP_STORE || op == OP_BCOPY || op == OP_FORK || op == OP_JOIN ? 0 : dst;
	i->rt = dst % 3 ? RT_PTR : RT_INT;
	i->width = 64;
	if ((op == OP_LOAD || op == OP_STORE || op == OP_CAS) && !rand_below(r, 4))
		i->width = rand_below(r, 3) ? 32 : 8;
	if (op == OP_ALLOC)
		i->sub = rand_below(r, 2) ? ALLOC_HEAP : ALLOC_STACK;
	if (op == OP_FIELD)
		i->imm = offs[rand_below(r, COUNT(offs))];
	if (op == OP_INDEX)
		i->imm = 8 << rand_below(r, 2);
}

static void
random_fn(Rand *r, Ir *ir, FnId f)
{
	Build b;
	Val v;

	build_begin(&b, ir, f);
	for (Val k = PARAMS + 1; k <= REGS; k++)
		build_reg(&b, k % 3 ? RT_PTR : RT_INT, 64);
	build_block_start(&b, build_block_new(&b));
	for (u32 k = 0; k < INS; k++)
		random_ins(r, &b, PARAMS + 1 + k);
	v = random_value(r, ir);
	build_term(&b, rand_below(r, 6) ? OP_RET : OP_TEXIT, 1, &v, 0, NULL);
	build_end(&b);
}

static void
random_program(Rand *r, Ir *ir)
{
	for (GlobalId g = 1; g <= GLOBALS; g++)
		vec_push(ir->arena, &ir->globals, (Global){.size = 8 * (1 + rand_below(r, 5))});
	for (FnId f = 1; f <= FNS; f++)
		vec_push(ir->arena, &ir->fns, (Fn){.nparam = PARAMS, .ret = RT_PTR});
	for (GlobalId g = 1; g <= GLOBALS; g++) {
		if (rand_below(r, 2))
			continue;
		ir->globals.at[g].init = ir->inits.n;
		ir->globals.at[g].ninit = 1;
		vec_push(ir->arena, &ir->inits, (Init){0, ir_const_fn(ir, 1 + rand_below(r, FNS))});
	}
	for (FnId f = 1; f <= FNS; f++)
		random_fn(r, ir, f);
}

/* ---- comparison -------------------------------------------------------------------- */

static Place
place_of(const Pta *p, SlotId id)
{
	const Slot *s = pta_slot(p, id);
	const Obj *o = pta_obj(p, s->obj);

	return (Place){(u64)o->kind << 32 | (o->ref ? o->ref : o->ins), s->off, s->stride};
}

static void
compare_sets(const Pta *p, const Set *got, const Places *want, u32 seed)
{
	SET_FOR (it, got)
		if (!has(want, place_of(p, it.x)))
			fail_msg("program %u: a place too many", seed);
	if (set_count(got) != want->n)
		fail_msg("program %u: %u places of %u", seed, set_count(got), want->n);
}

/* Is x in set, or within a place there? */
static bool
covers(const Pta *p, const Set *set, Place x)
{
	SET_FOR (it, set) {
		Place y = place_of(p, it.x);
		if (same(x, y) || (x.obj == y.obj && y.stride == 1))
			return true;
	}
	return false;
}

static void
compare(const Pta *p, const Naive *n, u32 seed)
{
	u32 reached = 0;

	for (InstId i = 1; i < p->insts.n; i++) {
		FnId f = p->insts.at[i].fn;
		assert_true(n->reached[f]);
		for (Val r = 1; r <= REGS; r++)
			compare_sets(p, pta_pts(p, i, r), &n->reg[f][r], seed);
	}
	for (FnId f = 1; f <= FNS; f++)
		reached += n->reached[f];
	assert_int_equal(reached, p->insts.n - 1);
}

static bool
is_widened(const Pta *p)
{
	for (ObjId o = 1; o < p->objs.n; o++)
		if (p->objs.at[o].folded || p->solver->info.at[o].noutside >= 8)
			return true;
	for (SlotId i = 1; i < p->slots.n; i++)
		if (p->solver->steps.at[i] >= 8)
			return true;
	return false;
}

/* With pointers to few places already in the crowd, or memory unified: nothing is
 * missing. */
static void
compare_crowd(const Pta *p, const Naive *n, u32 seed)
{
	bool reached[FNS + 1] = {false};

	for (InstId i = 1; i < p->insts.n; i++) {
		FnId f = p->insts.at[i].fn;
		reached[f] = true;
		for (Val r = 1; r <= REGS; r++)
			for (u32 k = 0; k < n->reg[f][r].n; k++)
				if (!covers(p, pta_pts(p, i, r), n->reg[f][r].at[k]))
					fail_msg("program %u: a place is lost by unification",
						 seed);
	}
	for (FnId f = 1; f <= FNS; f++)
		assert_true(reached[f] || !n->reached[f]);
}

/* Says whether the sets could be compared. */
static bool
try(u32 seed, u32 *crowded)
{
	Rand r = {seed};
	Arena a;
	Ir ir;
	Pta *p, *crowd;
	bool exact;

	arena_init(&a, NULL);
	ir_init(&ir, &a);
	random_program(&r, &ir);
	p = pta_solve(&a, &ir, 1, &(PtaOptions){.policy = PTA_INSENSITIVE});
	pta_check(p);
	exact = !is_widened(p);
	if (exact)
		compare(p, solve_naively(&a, &ir, false), seed);
	crowd = pta_solve(&a, &ir, 1, &(PtaOptions){.policy = PTA_INSENSITIVE, .max_words = 1});
	pta_check(crowd);
	if (exact)
		compare_crowd(crowd, solve_naively(&a, &ir, true), seed);
	*crowded += crowd->crowded;
	crowd = pta_solve(&a, &ir, 1, &(PtaOptions){.policy = PTA_INSENSITIVE, .unify = true});
	pta_check(crowd);
	if (exact)
		compare_crowd(crowd, solve_naively(&a, &ir, false), seed);
	/* More instances only split sets. */
	p = pta_solve(&a, &ir, 1, &(PtaOptions){.policy = PTA_CALLSITE, .k = 2});
	pta_check(p);
	arena_release(&a);
	return exact;
}

static void
test_random(void **state)
{
	u32 compared = 0, crowded = 0;

	(void)state;
	for (u32 seed = 1; seed <= 1500; seed++)
		compared += try(seed, &crowded);
	assert_true(compared > 700);
	assert_true(crowded > 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
