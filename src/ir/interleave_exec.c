/* interleave_exec.c - one instruction of one thread.
 *
 * exec_kind tells how a thread's next step meets the other threads.  A step
 * is local if it commutes with everything they can do before this thread
 * moves again: work on registers, and accesses to an object that they cannot
 * reach, or that are known to race with none of theirs: one of these would have
 * to come first in every run, or this one.  Phis run with the jump into their block. */
#include "ir/interleave_int.h"

#include <string.h>

enum { PHIS = 64, ARGS = 16, REPEATS = 2 };

/* ---- operands ------------------------------------------------------------ */

static u64
const_value(const Machine *m, u32 t, const Const *c)
{
	switch ((ConstKind)c->kind) {
	case CONST_INT: return arith_mask((u64)c->num, c->width);
	case CONST_GLOBAL:
		if (m->ir->globals.at[c->ref].tls)
			return addr_of(m, KEY_TLS + (t << 9) + c->ref) + (u64)c->num;
		return addr_of(m, c->ref) + (u64)c->num;
	case CONST_FN: return addr_of(m, KEY_FN | c->ref);
	case CONST_NULL:
	case CONST_UNDEF:
	case CONST_CLASS:
	case CONST_OPAQUE: break;
	}
	return 0;
}

/* v's value; undefined ones read as 0, which as an address is no object's. */
u64
exec_value(Machine *m, u32 t, Val v)
{
	if (v == 0)
		return 0;
	m->unknown |= unknown_value(m, t, v);
	if (val_is_const(v))
		return const_value(m, t, ir_const(m->ir, v));
	return m->s.reg[t][top(m, t)->reg + v - 1];
}

static u16
value_width(Machine *m, u32 t, Val v)
{
	if (val_is_const(v))
		return ir_const(m->ir, v)->width;
	return fn_reg(m->ir, &m->ir->fns.at[top(m, t)->fn], v)->width;
}

/* As exec_value, but an undefined value is a choice. */
static u64
pick(Machine *m, u32 t, Val v)
{
	if (val_is_const(v) && ir_const(m->ir, v)->kind == CONST_UNDEF)
		return machine_input(m, ir_const(m->ir, v)->width);
	return exec_value(m, t, v);
}

u64
exec_arg(Machine *m, u32 t, const Ins *i, u32 k)
{
	return k < i->narg ? pick(m, t, ins_arg(m->ir, i, k)) : 0;
}

static void
set_reg(Machine *m, u32 t, Val r, u64 v)
{
	m->s.reg[t][top(m, t)->reg + r - 1] = v;
}

void
exec_set(Machine *m, u32 t, const Ins *i, u64 v)
{
	if (!i->dst)
		return;
	set_reg(m, t, i->dst, m->unknown ? 0 : arith_mask(v, value_width(m, t, i->dst)));
	m->s.fog[t][top(m, t)->reg + i->dst - 1] = m->unknown;
}

/* ---- control ------------------------------------------------------------- */

void
exec_advance(Machine *m, u32 t)
{
	top(m, t)->ins++;
	top(m, t)->phase = 0;
}

void
exec_stop(Machine *m, u32 t)
{
	Thread *th = &m->s.thread[t];

	*th = (Thread){.status = STOPPED, .nobject = th->nobject, .claimed = th->claimed};
}

void
exec_jump(Machine *m, u32 t, BlockId to)
{
	Frame *f = top(m, t);
	const Fn *fn = &m->ir->fns.at[f->fn];
	const Block *block = fn_block(m->ir, fn, to);
	u64 val[PHIS];
	bool unknown[PHIS];
	u32 n = 0;

	for (; n < PHIS && ir_ins(m->ir, block->ins + n)->op == OP_PHI; n++) {
		const Ins *phi = ir_ins(m->ir, block->ins + n);
		val[n] = 0;
		m->unknown = false;
		for (u32 k = 0; k + 1 < phi->narg; k += 2)
			if (ins_arg(m->ir, phi, k) == f->block)
				val[n] = exec_arg(m, t, phi, k + 1);
		unknown[n] = m->unknown;
	}
	if (n == PHIS)
		machine_give_up(m, "too many phis");
	for (u32 k = 0; k < n; k++) {
		m->unknown = unknown[k];
		exec_set(m, t, ir_ins(m->ir, block->ins + k), val[k]);
	}
	f->block = (u16)to;
	f->ins = block->ins + n;
	f->phase = 0;
}

void
exec_push(Machine *m, u32 t, FnId fn, u32 narg, const u64 *args)
{
	const Fn *f = &m->ir->fns.at[fn];
	Thread *th = &m->s.thread[t];
	u64 *regs = &m->s.reg[t][th->nreg];

	if (th->depth == FRAMES || f->nreg > (u32)REGS - th->nreg) {
		machine_give_up(m, "recursion too deep");
		return;
	}
	m->s.frame[t][th->depth++] = (Frame){.fn = fn,
					     .ins = fn_block(m->ir, f, 1)->ins,
					     .block = 1,
					     .reg = th->nreg,
					     .nreg = (u16)f->nreg};
	th->nreg = (u16)(th->nreg + f->nreg);
	memset(regs, 0, f->nreg * sizeof *regs);
	memset(&m->s.fog[t][th->nreg - f->nreg], 0, f->nreg);
	for (u32 k = 0; k < f->nparam; k++) {
		bool unknown = k < narg ? m->args_unknown >> k & 1 : m->limits->unknown;
		regs[k] = k < narg && !unknown ? args[k] : 0;
		m->s.fog[t][th->nreg - f->nreg + k] = unknown;
	}
	m->args_unknown = 0;
}

FnId
exec_callee(Machine *m, u64 v)
{
	u32 key = addr_key(m, v);
	FnId f = key & (KEY_FN - 1);

	if (!(key & KEY_FN) || f >= m->ir->fns.n || v != addr_of(m, key))
		return 0;
	if (m->ir->fns.at[f].alias)
		f = m->ir->fns.at[f].alias;
	if (!m->ir->fns.at[f].nblock)
		machine_give_up(m, "a function without a body");
	return f;
}

void
exec_start(Machine *m, u32 t, FnId fn, u32 narg, const u64 *args)
{
	m->s.thread[t] = (Thread){.status = RUNNING};
	m->s.n.nthread = MAX(m->s.n.nthread, t + 1);
	for (GlobalId g = 1; g < m->ir->globals.n; g++)
		if (m->ir->globals.at[g].tls) {
			Object *o = object_new(m, KEY_TLS + (t << 9) + g,
					       (u32)m->ir->globals.at[g].size, OBJ_HEAP);
			if (o)
				o->tid = (u8)t;
			if (o)
				unknown_set(m, o, addr_of(m, o->key), o->size, false);
		}
	exec_push(m, t, fn, narg, args);
}

/* A method is called on an object, or not at all. */
static bool
is_method(const Machine *m, FnId fn)
{
	const Fn *f = &m->ir->fns.at[fn];

	return f->class && !(f->flags & (FN_STATIC | FN_CINIT));
}

static void
call(Machine *m, u32 t, const Ins *i)
{
	u64 args[ARGS];
	u32 n = MIN(i->narg - 1, (u32)ARGS);
	FnId fn;

	if (i->sub == CALL_REPEAT && m->limits->unknown)
		machine_give_up(m, "a call of unknown number");
	if (i->sub == CALL_REPEAT && top(m, t)->phase++ == REPEATS) {
		exec_advance(m, t);
		return;
	}
	if ((i->sub == CALL_REPEAT || i->sub == CALL_MAYBE) && unknown_choose(m, 2) == 0) {
		exec_advance(m, t);
		return;
	}
	if (i->sub == CALL_VIRTUAL)
		fn = class_dispatch(m, i, exec_arg(m, t, i, 0), exec_arg(m, t, i, 1));
	else
		fn = exec_callee(m, exec_arg(m, t, i, 0));
	if (!fn || m->why || (is_method(m, fn) && !exec_arg(m, t, i, 1))) {
		unknown_fault(m, t, i, exec_arg(m, t, i, 0));
		return;
	}
	for (u32 k = 0; k < n; k++)
		args[k] = exec_arg(m, t, i, k + 1);
	unknown_args(m, t, i, 1);
	exec_push(m, t, fn, n, args);
}

/* Ends the stack objects of t's frames from the given depth on. */
static void
drop_stack(Machine *m, u32 t, u32 depth)
{
	for (u32 k = m->s.n.nobject; k-- > 0;) {
		Object *o = &m->s.object[k];
		if (o->kind == OBJ_STACK && o->tid == t && o->depth >= depth)
			object_delete(m, o);
	}
}

bool
exec_shows_stack(const Machine *m, u32 t, u32 depth)
{
	for (u32 k = 0; k < m->s.n.nobject; k++) {
		const Object *o = &m->s.object[k];
		if (o->kind == OBJ_STACK && o->tid == t && o->depth >= depth && o->escaped)
			return true;
	}
	return false;
}

void
exec_end_thread(Machine *m, u32 t)
{
	Thread *th = &m->s.thread[t];

	drop_stack(m, t, 1);
	*th = (Thread){
	    .status = ENDED, .nobject = th->nobject, .claimed = th->claimed, .clock = th->clock};
}

void
exec_pop(Machine *m, u32 t)
{
	Thread *th = &m->s.thread[t];

	record_freeze(m, t);
	drop_stack(m, t, th->depth);
	th->nreg = (u16)(th->nreg - top(m, t)->nreg);
	th->depth--;
}

/* The root's return ends the process: as in exec_stop, nothing comes after. */
static void
ret(Machine *m, u32 t, const Ins *i)
{
	Thread *th = &m->s.thread[t];
	u64 v = exec_arg(m, t, i, 0);
	const Ins *at;

	if (th->depth == 1) {
		if (t == 0)
			exec_stop(m, t);
		else
			exec_end_thread(m, t);
		return;
	}
	exec_pop(m, t);
	at = next_ins(m, t);
	if (at->op == OP_CINIT) {
		class_init_end(m, t, at, INIT_DONE);
		return;
	}
	exec_set(m, t, at, v);
	if (at->sub != CALL_REPEAT)
		exec_advance(m, t);
}

static void
branch(Machine *m, u32 t, const Ins *i)
{
	u64 v = exec_arg(m, t, i, 0);
	const Fn *fn = &m->ir->fns.at[top(m, t)->fn];
	const Block *from = fn_block(m->ir, fn, top(m, t)->block);
	u32 to = 0;

	if (m->unknown && i->op != OP_BR)
		to = unknown_choose(m, i->op == OP_CBR ? 2 : i->narg);
	else if (i->op == OP_CBR)
		to = v == 0;
	else if (i->op == OP_SWITCH)
		for (u32 k = i->narg - 1; k > 0; k--)
			if (exec_arg(m, t, i, k) == v)
				to = k;
	exec_jump(m, t, m->ir->succs.at[from->succ + to]);
}

/* ---- arithmetic ---------------------------------------------------------- */

static void
bin(Machine *m, u32 t, const Ins *i)
{
	u64 a = exec_arg(m, t, i, 0), b = exec_arg(m, t, i, 1);
	bool zero = (!a && !unknown_value(m, t, ins_arg(m->ir, i, 0))) ||
		    (!b && !unknown_value(m, t, ins_arg(m->ir, i, 1)));

	m->unknown |= unknown_by_layout(m, i, a, b);
	if (i->sub == BIN_AND && zero)
		m->unknown = false;
	if (i->sub == BIN_FLOAT || m->unknown) {
		exec_set(m, t, i, machine_input(m, i->width));
	} else if (!arith_is_division(i->sub)) {
		exec_set(m, t, i, arith_combine(i->sub, a, b, i->width));
	} else if (arith_mask(b, i->width) == 0) {
		class_fail(m, t, i);
		return;
	} else {
		exec_set(m, t, i, arith_divide(i->sub, a, b, i->width));
	}
	exec_advance(m, t);
}

/* ---- memory -------------------------------------------------------------- */

static u32
bytes_of(Machine *m, u16 width)
{
	if (width == 0 || width > 64)
		machine_give_up(m, "an access of unusual width");
	return MIN((width + 7u) / 8u, 8u);
}

/* The bytes of a string at addr, its end included; 0 if it is not readable. */
static u32
string_size(Machine *m, u64 addr)
{
	u32 n = 0;

	for (const Object *o; (o = object_at(m, addr, n + 1)) != NULL;) {
		bool constant = o->kind == OBJ_GLOBAL && m->ir->globals.at[o->key].constant;
		if (!constant && unknown_bytes(m, o, addr, n + 1))
			machine_give_up(m, "an unknown string");
		if (object_bytes(m, o, addr)[n++] == 0)
			return n;
	}
	return n + 1;
}

static u64
peek(Machine *m, u64 addr, u32 size)
{
	const Object *o = object_at(m, addr, size);
	u64 v = 0;

	if (o)
		memcpy(&v, object_bytes(m, o, addr), size);
	return v;
}

/* What a free of v writes: the whole object, or the byte at v if that is no
 * object (any more).  A variable cannot be freed: nothing happens to it. */
static Access
freed(Machine *m, u64 v)
{
	const Object *o = object_at(m, v, 0);

	if (o && o->kind == OBJ_HEAP && v == addr_of(m, o->key))
		return (Access){v, MAX(o->size, 1u), true, false};
	return (Access){v, v && !(o && o->kind != OBJ_HEAP) ? 1 : 0, true, false};
}

/* May a compare-exchange find what it expects, which is unknown, or is there what is? */
static bool
maybe_equal(Machine *m, u32 t, const Ins *i, u64 addr)
{
	const Object *o = object_at(m, addr, bytes_of(m, i->width));

	return m->limits->unknown && o &&
	       (unknown_value(m, t, ins_arg(m->ir, i, 1)) ||
		unknown_bytes(m, o, addr, bytes_of(m, i->width)));
}

u32
exec_accesses(Machine *m, u32 t, Access *a)
{
	const Ins *i = next_ins(m, t);
	u64 v[3] = {0};
	bool atomic = i->order != ORDER_PLAIN;

	if (i->op == OP_FORK ? top(m, t)->phase == 0
			     : !(i->op >= OP_LOAD && i->op <= OP_CAS) && i->op != OP_FREE)
		return 0;
	for (u32 k = 0; k < MIN(i->narg, 3u); k++)
		v[k] = exec_value(m, t, ins_arg(m->ir, i, k));
	switch ((Op)i->op) {
	case OP_LOAD: a[0] = (Access){v[0], bytes_of(m, i->width), false, atomic}; return 1;
	case OP_FORK: atomic = false; /* fallthrough */
	case OP_STORE:
	case OP_RMW: a[0] = (Access){v[0], bytes_of(m, i->width), true, atomic}; return 1;
	case OP_CAS:
		a[0] = (Access){v[0], bytes_of(m, i->width), true, atomic};
		a[0].write = peek(m, v[0], a[0].size) == v[1] || maybe_equal(m, t, i, v[0]);
		return 1;
	case OP_BCOPY:
		a[0] = (Access){v[1], (u32)v[2], false, atomic};
		a[1] = (Access){v[0], (u32)v[2], true, atomic};
		return 2;
	case OP_READN:
		a[0] = (Access){v[0], (u32)v[1], false, atomic};
		if (i->narg < 2 || !ins_arg(m->ir, i, 1))
			a[0].size = string_size(m, v[0]);
		return 1;
	case OP_WRITEN: a[0] = (Access){v[0], (u32)v[1], true, atomic}; return 1;
	case OP_FREE: a[0] = freed(m, v[0]); return 1;
	default: return 0;
	}
}

static bool
is_quiet(const Machine *m, InsId ins)
{
	return m->limits->quiet && m->limits->quiet[ins];
}

bool
exec_access(Machine *m, u32 t, const Access *a, u8 **bytes)
{
	InsId ins = top(m, t)->ins;
	Object *o = object_at(m, a->addr, a->size);

	*bytes = NULL;
	if (!a->size)
		return true;
	if (!is_quiet(m, ins))
		record_check(m, t, ins, a);
	if (!o) {
		unknown_fault(m, t, ir_ins(m->ir, ins), a->addr);
		return false;
	}
	if (!is_quiet(m, ins)) {
		record_add(m, t, ins, a);
		set_add(m->result->arena, &m->result->done, ins);
	}
	*bytes = object_bytes(m, o, a->addr);
	return true;
}

/* Writes size bytes of v at p, with what that does to clocks and escape. */
static void
poke(Machine *m, u32 t, const Ins *i, const Access *a, u8 *p, u64 v)
{
	memcpy(p, &v, a->size);
	unknown_set(m, object_at(m, a->addr, a->size), a->addr, a->size, m->unknown);
	sync_stored(m, t, a->addr, a->size, i->order, i->op != OP_STORE);
	object_escape_stored(m, object_at(m, a->addr, a->size), a->addr, a->size);
}

/* What an rmw makes of old, which may be unknown. */
static u64
modified(Machine *m, u32 t, const Ins *i, u64 old)
{
	u64 by = exec_arg(m, t, i, 1);

	if (i->sub == BIN_XCHG)
		m->unknown = unknown_value(m, t, ins_arg(m->ir, i, 1));
	m->unknown |= unknown_by_layout(m, i, old, by);
	return arith_combine(i->sub, old, by, i->width);
}

/* load, store, rmw and cas */
static void
access_cell(Machine *m, u32 t, const Ins *i)
{
	Access a;
	u8 *p;
	u64 old = 0;
	bool blurred, either;

	exec_accesses(m, t, &a);
	either = i->op == OP_CAS && maybe_equal(m, t, i, a.addr);
	if (i->op == OP_CAS && a.write &&
	    ((either && unknown_choose(m, 2)) || unknown_weak(m, t, i)))
		a.write = false;
	if (!exec_access(m, t, &a, &p))
		return;
	memcpy(&old, p, a.size);
	blurred =
	    m->limits->unknown && unknown_bytes(m, object_at(m, a.addr, a.size), a.addr, a.size);
	if (i->op != OP_STORE) {
		sync_loaded(m, t, a.addr, a.size, i->order, ins_acquires(i, a.write));
		m->unknown = blurred;
		exec_set(m, t, i, old);
	}
	if (i->op == OP_RMW)
		poke(m, t, i, &a, p, modified(m, t, i, old));
	m->unknown = false;
	if (i->op == OP_STORE)
		poke(m, t, i, &a, p, exec_arg(m, t, i, 1));
	else if (i->op == OP_CAS && a.write)
		poke(m, t, i, &a, p, exec_arg(m, t, i, 2));
	exec_advance(m, t);
}

/* bcopy, readn and writen */
static void
access_bytes(Machine *m, u32 t, const Ins *i)
{
	Access a[2];
	u8 *p[2] = {NULL, NULL};
	u32 n = exec_accesses(m, t, a);

	for (u32 k = 0; k < n; k++)
		if (!exec_access(m, t, &a[k], &p[k]))
			return;
	if (a[n - 1].write && a[n - 1].size) {
		const Access *to = &a[n - 1];
		if (i->op == OP_BCOPY) {
			memmove(p[1], p[0], to->size);
			memmove(m->s.mist + (p[1] - m->s.mem), m->s.mist + (p[0] - m->s.mem),
				to->size);
		} else {
			memset(p[0], (int)machine_input(m, 8), to->size);
			unknown_set(m, object_at(m, to->addr, to->size), to->addr, to->size, true);
		}
		sync_stored(m, t, to->addr, to->size, ORDER_PLAIN, false);
		object_escape_stored(m, object_at(m, to->addr, to->size), to->addr, to->size);
	}
	exec_advance(m, t);
}

static void
free_object(Machine *m, u32 t)
{
	Access a;
	u8 *p;
	Object *o;

	exec_accesses(m, t, &a);
	if (!exec_access(m, t, &a, &p))
		return;
	if (a.addr && !a.size) {
		unknown_fault(m, t, next_ins(m, t), a.addr);
		return;
	}
	if (a.size) {
		o = object_at(m, a.addr, a.size);
		if (o->kind != OBJ_HEAP || a.addr != addr_of(m, o->key)) {
			unknown_fault(m, t, next_ins(m, t), a.addr);
			return;
		}
		sync_stored(m, t, a.addr, a.size, ORDER_PLAIN, false);
		object_delete(m, o);
	}
	exec_advance(m, t);
}

static void
alloc(Machine *m, u32 t, const Ins *i)
{
	Thread *th = &m->s.thread[t];
	u64 size = i->narg ? exec_arg(m, t, i, 0) : i->aux ? m->ir->types.at[i->aux].size : 0;
	u32 key = KEY_DYNAMIC + t * OBJECTS_PER_THREAD + th->nobject;
	const Object *like = i->sub == ALLOC_LIKE ? object_at(m, size, 0) : NULL;
	TypeId type = like ? like->type : i->aux;
	Object *o;

	if (i->sub == ALLOC_LIKE)
		size = like ? like->size : MEMORY + 1;
	if (m->limits->unknown && i->sub == ALLOC_HEAP && machine_choose(m, 2)) {
		m->s.n.guessed = 1;
		exec_set(m, t, i, 0);
		exec_advance(m, t);
		return;
	}
	if (th->nobject == OBJECTS_PER_THREAD || size > MEMORY) {
		machine_give_up(m, "too much memory");
		return;
	}
	th->nobject++;
	o = object_new(m, key, (u32)size, i->sub == ALLOC_STACK ? OBJ_STACK : OBJ_HEAP);
	if (!o)
		return;
	o->tid = (u8)t;
	o->type = type;
	o->depth = i->sub == ALLOC_STACK ? th->depth : 0;
	exec_set(m, t, i, addr_of(m, key));
	exec_advance(m, t);
}

/* ---- dispatch ------------------------------------------------------------ */

static StepKind
access_kind(Machine *m, u32 t)
{
	Access a[2];
	u32 n = is_quiet(m, top(m, t)->ins) ? 0 : exec_accesses(m, t, a);

	for (u32 k = 0; k < n; k++) {
		const Object *o = object_at(m, a[k].addr, a[k].size);
		if (a[k].size && (!o || o->escaped || m->limits->every_step))
			return STEP_VISIBLE;
	}
	return STEP_LOCAL;
}

StepKind
exec_kind(Machine *m, u32 t)
{
	const Thread *th = &m->s.thread[t];
	const Ins *i;

	if (th->status != RUNNING)
		return STEP_NONE;
	i = next_ins(m, t);
	if (unknown_place(m, t, i))
		return STEP_NONE;
	switch ((Op)i->op) {
	case OP_LOAD:
	case OP_STORE:
	case OP_BCOPY:
	case OP_READN:
	case OP_WRITEN:
	case OP_RMW:
	case OP_CAS:
	case OP_FREE: return access_kind(m, t);
	case OP_FORK:
		if (top(m, t)->phase)
			return access_kind(m, t);
		return m->limits->every_step ? STEP_VISIBLE : STEP_LOCAL;
	case OP_ACQUIRE:
	case OP_RELEASE:
	case OP_JOIN:
	case OP_DETACH:
	case OP_SIGNAL:
	case OP_AWAIT: return sync_kind(m, t, i);
	case OP_RET:
		if (t == 0 && th->depth == 1)
			return STEP_LOCAL;
		return exec_shows_stack(m, t, th->depth) ? STEP_VISIBLE : STEP_LOCAL;
	case OP_CINIT: return class_init_kind(m, t, i);
	case OP_THROW:
	case OP_TEXIT: return exec_shows_stack(m, t, 1) ? STEP_VISIBLE : STEP_LOCAL;
	default: return STEP_LOCAL;
	}
}

/* Register work that only computes dst. */
static u64
compute(Machine *m, u32 t, const Ins *i)
{
	u64 a = exec_arg(m, t, i, 0);

	switch ((Op)i->op) {
	case OP_SELECT:
		if (m->unknown)
			a = unknown_choose(m, 2);
		m->unknown = false;
		return exec_arg(m, t, i, a ? 1 : 2);
	case OP_FIELD: return a + (u64)i->imm;
	case OP_INDEX:
		return a +
		       (u64)arith_extend(exec_arg(m, t, i, 1),
					 value_width(m, t, ins_arg(m->ir, i, 1))) *
			   (u64)i->imm +
		       (i->sub ? ARRAY_HEADER : 0);
	case OP_CMP:
		if (i->sub == CMP_FLOAT)
			return machine_input(m, 1);
		m->unknown |= unknown_by_layout(m, i, a, exec_arg(m, t, i, 1));
		return arith_compare(i->sub, a, exec_arg(m, t, i, 1),
				     i->imm ? (u16)i->imm : (u16)(m->ir->ptr_bytes * 8));
	case OP_CAST:
		m->unknown |= unknown_by_layout(m, i, a, 0);
		return i->sub == CAST_SEXT ? (u64)arith_extend(a, (u16)i->imm) : a;
	case OP_NONDET:
		if (top(m, t)->weak)
			return top(m, t)->weak - 1u;
		if (i->sub == NONDET_WAIT)
			m->s.n.guessed = 1;
		if (i->sub == 2)
			return m->s.thread[t].raised;
		return unknown_success(m, t, i) ? 0 : machine_input(m, i->width);
	default: return a; /* copy */
	}
}

void
exec_step(Machine *m, u32 t)
{
	const Ins *i = next_ins(m, t);

	m->unknown = false;
	if (blur_knows(m, t, i)) {
		blur_step(m, t, i);
		return;
	}
	switch ((Op)i->op) {
	case OP_COPY:
	case OP_SELECT:
	case OP_FIELD:
	case OP_INDEX:
	case OP_CMP:
	case OP_CAST:
	case OP_NONDET:
		if (i->sub >= NONDET_UNWIND && i->flags & INS_THROWS) {
			machine_give_up(m, "what is done where a thread ends");
			break;
		}
		exec_set(m, t, i, compute(m, t, i));
		if (i->op == OP_INDEX || i->op == OP_FIELD)
			blur_address(m, t, i);
		top(m, t)->weak = i->op == OP_NONDET ? 0 : top(m, t)->weak;
		exec_advance(m, t);
		break;
	case OP_BIN: bin(m, t, i); break;
	case OP_ALLOC: alloc(m, t, i); break;
	case OP_LOAD:
	case OP_STORE:
	case OP_RMW:
	case OP_CAS: access_cell(m, t, i); break;
	case OP_BCOPY:
	case OP_READN:
	case OP_WRITEN: access_bytes(m, t, i); break;
	case OP_FREE: free_object(m, t); break;
	case OP_CALL: call(m, t, i); break;
	case OP_CINIT: class_init(m, t, i); break;
	case OP_FILTER: class_filter(m, t, i); break;
	case OP_THROW: class_raise(m, t, exec_arg(m, t, i, 0)); break;
	case OP_PUBLISH: exec_advance(m, t); break;
	case OP_ASSUME:
		if (exec_arg(m, t, i, 0) || (m->unknown && unknown_choose(m, 2)))
			exec_advance(m, t);
		else
			exec_stop(m, t);
		break;
	case OP_BR:
	case OP_CBR:
	case OP_SWITCH: branch(m, t, i); break;
	case OP_RET: ret(m, t, i); break;
	case OP_TEXIT: exec_end_thread(m, t); break;
	case OP_UNREACHABLE:
	case OP_EXIT: exec_stop(m, t); break;
	case OP_FENCE:
	case OP_ACQUIRE:
	case OP_RELEASE:
	case OP_FORK:
	case OP_JOIN:
	case OP_DETACH:
	case OP_SIGNAL:
	case OP_AWAIT: sync_step(m, t, i); break;
	default: machine_give_up(m, "an instruction that the interleaver does not know");
	}
}
