/* interleave_unknown.c - the search where inputs are unknown.
 *
 * A register or byte is known, or could be anything: then it is marked, and 0.
 * What is computed from unknown values is unknown, a branch on one goes both
 * ways, and a place that is unknown ends the search.  So the runs that are
 * looked at include all that there are, for any input; they may include some
 * that are not, in which two branches on one input disagree.  Fresh memory
 * is unknown, an allocation may fail, and so is what depends on where objects
 * lie.  A run that no such thing has decided is one of the program's own.
 *
 * Where the program's behaviour is undefined, real ones mostly go on in a way
 * that is known (a mutex is given back by another thread than its owner's, or
 * twice), or end at once (at a null pointer); else the search gives up. */
#include "ir/interleave_int.h"

#include <string.h>

enum { PAGE = 4096 };

bool
unknown_value(Machine *m, u32 t, Val v)
{
	if (!m->limits->unknown || v == 0)
		return false;
	if (val_is_const(v))
		return ir_const(m->ir, v)->kind == CONST_UNDEF ||
		       ir_const(m->ir, v)->kind == CONST_OPAQUE;
	return m->s.fog[t][top(m, t)->reg + v - 1];
}

/* How many operands of the instruction say where and how much it touches. */
static u32
places(const Ins *i)
{
	switch ((Op)i->op) {
	case OP_LOAD:
	case OP_STORE:
	case OP_RMW:
	case OP_CAS:
	case OP_FREE:
	case OP_ACQUIRE:
	case OP_RELEASE:
	case OP_DETACH:
	case OP_CALL:
	case OP_ALLOC: return 1;
	case OP_FORK:
	case OP_JOIN:
	case OP_SIGNAL:
	case OP_AWAIT:
	case OP_READN:
	case OP_WRITEN: return 2;
	case OP_BCOPY: return 3;
	default: return 0;
	}
}

bool
unknown_place(Machine *m, u32 t, const Ins *i)
{
	u32 n = m->limits->unknown ? places(i) : 0;

	if (n && blur_knows(m, t, i))
		return false;
	for (u32 k = 0; k < MIN(n, i->narg); k++)
		if (unknown_value(m, t, ins_arg(m->ir, i, k))) {
			machine_give_up(m, "an unknown place");
			return true;
		}
	if (n && i->op == OP_FORK && i->flags & (INS_TRY | INS_REPEATS | INS_INTERRUPTS))
		machine_give_up(m, "a thread that starts at any time");
	if (n && i->op == OP_WRITEN && (i->narg < 2 || !ins_arg(m->ir, i, 1)))
		machine_give_up(m, "a write of unknown size");
	return m->why != NULL;
}

/* The object or function near which v points; 0: it looks like a number. */
static u32
pointed(const Machine *m, u64 v)
{
	u32 key = addr_key(m, v);

	return key && v - addr_of(m, key) + MEMORY <= 2 * MEMORY ? key : 0;
}

bool
unknown_by_layout(const Machine *m, const Ins *i, u64 a, u64 b)
{
	u32 x = pointed(m, a), y = pointed(m, b);

	if (!m->limits->unknown)
		return false;
	switch ((Op)i->op) {
	case OP_CMP: return i->sub != CMP_EQ && i->sub != CMP_NE && x && y && x != y;
	case OP_CAST: return i->sub == CAST_FLOAT || (x && i->width < 8 * m->ir->ptr_bytes);
	case OP_BIN:
	case OP_RMW:
		if (i->sub == BIN_XCHG)
			return false;
		if (i->sub == BIN_SUB)
			return x && y && x != y;
		return i->sub == BIN_FLOAT || (i->sub != BIN_ADD && (x || y));
	default: return false;
	}
}

u32
unknown_choose(Machine *m, u32 n)
{
	m->s.n.guessed = 1;
	return machine_choose(m, n);
}

void
unknown_args(Machine *m, u32 t, const Ins *i, u32 from)
{
	m->args_unknown = 0;
	for (u32 k = from; k < i->narg && k < from + 64; k++)
		if (unknown_value(m, t, ins_arg(m->ir, i, k)))
			m->args_unknown |= (u64)1 << (k - from);
}

bool
unknown_bytes(Machine *m, const Object *o, u64 addr, u64 size)
{
	const u8 *at = m->s.mist + (object_bytes(m, o, addr) - m->s.mem);

	for (u64 k = 0; k < size; k++)
		if (at[k])
			return true;
	return false;
}

void
unknown_set(Machine *m, const Object *o, u64 addr, u64 size, bool is)
{
	if (!m->limits->unknown)
		return;
	memset(m->s.mist + (object_bytes(m, o, addr) - m->s.mem), is, size);
	if (is)
		memset(object_bytes(m, o, addr), 0, size);
}

void
unknown_fault(Machine *m, u32 t, const Ins *i, u64 addr)
{
	if (m->limits->unknown && addr >= PAGE)
		machine_give_up(m, "undefined behaviour");
	class_fail(m, t, i);
}

/* The exchange, a comparison of what it found, a nondet, and both together. */
static bool
is_weak(const Machine *m, const Ins *cas)
{
	if (cas + 3 >= m->ir->ins.at + m->ir->ins.n)
		return false;
	return cas[1].op == OP_CMP && cas[2].op == OP_NONDET && cas[3].op == OP_BIN &&
	       cas[3].sub == BIN_AND && ins_arg(m->ir, &cas[3], 0) == cas[1].dst &&
	       ins_arg(m->ir, &cas[3], 1) == cas[2].dst &&
	       (ins_arg(m->ir, &cas[1], 0) == cas->dst || ins_arg(m->ir, &cas[1], 1) == cas->dst);
}

bool
unknown_weak(Machine *m, u32 t, const Ins *cas)
{
	bool fails;

	if (!m->limits->unknown || !is_weak(m, cas))
		return false;
	fails = machine_choose(m, 2);
	m->s.n.guessed |= fails;
	top(m, t)->weak = fails ? 1 : 2;
	return fails;
}

void
unknown_release(Machine *m, u32 t, const Ins *i, Lock *l)
{
	Clock now = m->s.thread[t].clock;

	if (!m->limits->unknown) {
		class_fail(m, t, i);
		return;
	}
	m->s.n.guessed = 1;
	if (l->owner) {
		clock_join(&now, &l->write);
		*l = (Lock){.addr = l->addr, .write = now};
		clock_tick(m, t);
	}
	exec_advance(m, t);
}

bool
unknown_failure(Machine *m, u32 t, const Ins *i)
{
	const Frame *f = top(m, t);
	u32 words = m->words[f->fn];
	const u64 *live = m->live[f->fn] + (size_t)(f->ins + 1 - m->ir->fns.at[f->fn].ins) * words;

	return !m->limits->unknown || m->ir->classes.n > 1 ||
	       (i->dst && live[i->dst / 64] >> i->dst % 64 & 1);
}

bool
unknown_success(Machine *m, u32 t, const Ins *i)
{
	if (!m->limits->unknown || i->cond != SIGN_ZERO || !unknown_failure(m, t, i))
		return false;
	if (!machine_choose(m, 2))
		return true;
	m->s.n.guessed = 1;
	return false;
}

bool
unknown_owner(Machine *m, u32 t, const Ins *release)
{
	u64 addr = exec_value(m, t, ins_arg(m->ir, release, 0));

	if (!m->limits->unknown)
		return false;
	for (u32 k = 0; k < m->s.n.nlock; k++)
		if (m->s.lock[k].addr == addr)
			return m->s.lock[k].owner != t + 1 && !m->s.lock[k].readers[t];
	return true;
}

void
unknown_result(Machine *m, u32 t, const Ins *join)
{
	u64 addr = join->narg > 1 ? exec_value(m, t, ins_arg(m->ir, join, 1)) : 0;
	const Object *o = object_at(m, addr, m->ir->ptr_bytes);

	if (o)
		unknown_set(m, o, addr, m->ir->ptr_bytes, true);
}

/* What a global starts with, as far as it is not listed. */
void
unknown_global(Machine *m, const Global *g, GlobalId id)
{
	const Object *o = object_find(m, id);
	bool is = g->linkage == LINK_DECL || g->size > IR_INT_INIT || (g->constant && !g->ninit);

	for (u32 k = 0; k < g->ninit; k++) {
		ConstKind c = ir_const(m->ir, m->ir->inits.at[g->init + k].val)->kind;
		is |= c == CONST_OPAQUE || c == CONST_UNDEF;
	}
	if (o && is && m->limits->unknown)
		memset(m->s.mist + o->at, 1, o->size);
}
