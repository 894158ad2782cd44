/* interleave_sync.c - locks, threads, events and the order they make.
 *
 * Releasing a lock and starting a thread are local steps: each commutes to
 * the left past all that other threads can do meanwhile, with the clocks the
 * same.  (A trylock that would have failed in between may still fail:
 * failure is always one of its choices.)  Joining is local while no other
 * thread could claim the same one. */
#include "ir/interleave_int.h"

#include <string.h>

/* ---- sorted tables ------------------------------------------------------- */

static Lock *
lock_at(Machine *m, u64 addr)
{
	State *s = &m->s;
	u32 i = 0;

	while (i < s->n.nlock && s->lock[i].addr < addr)
		i++;
	if (i < s->n.nlock && s->lock[i].addr == addr)
		return &s->lock[i];
	if (s->n.nlock == LOCKS) {
		machine_give_up(m, "too many locks");
		return &s->lock[0];
	}
	memmove(s->lock + i + 1, s->lock + i, (s->n.nlock++ - i) * sizeof(Lock));
	s->lock[i] = (Lock){.addr = addr};
	return &s->lock[i];
}

static Event *
event_at(Machine *m, u64 addr)
{
	State *s = &m->s;
	u32 i = 0;

	while (i < s->n.nevent && s->event[i].addr < addr)
		i++;
	if (i < s->n.nevent && s->event[i].addr == addr)
		return &s->event[i];
	if (s->n.nevent == EVENTS) {
		machine_give_up(m, "too many events");
		return &s->event[0];
	}
	memmove(s->event + i + 1, s->event + i, (s->n.nevent++ - i) * sizeof(Event));
	s->event[i] = (Event){.addr = addr};
	return &s->event[i];
}

/* ---- atomics and fences -------------------------------------------------- */

void
sync_loaded(Machine *m, u32 t, u64 addr, u64 size, u8 order, bool acquires)
{
	Thread *th = &m->s.thread[t];

	if (order == ORDER_PLAIN)
		return;
	for (u32 i = 0; i < m->s.n.nsync; i++) {
		const Sync *y = &m->s.sync[i];
		if (y->addr != addr || y->size != size)
			continue;
		if (acquires)
			clock_join(&th->clock, &y->clock);
		else
			clock_join(&th->seen, &y->clock);
	}
}

/* Takes out what overlaps [addr, addr + size); returns the clock that this
 * very location carried. */
static Clock
take(State *s, u64 addr, u64 size)
{
	Clock old = {{0}};
	u32 n = 0;

	for (u32 i = 0; i < s->n.nsync; i++) {
		const Sync *y = &s->sync[i];
		if (y->addr == addr && y->size == size)
			old = y->clock;
		if (y->addr >= addr + size || addr >= y->addr + y->size)
			s->sync[n++] = *y;
	}
	s->n.nsync = n;
	return old;
}

/* A store begins a new release sequence (the same thread's later relaxed
 * stores do not continue it, as since C++20); a read-modify-write goes on. */
void
sync_stored(Machine *m, u32 t, u64 addr, u64 size, u8 order, bool rmw)
{
	State *s = &m->s;
	Clock none = {{0}}, new = s->thread[t].fence;
	Clock old = take(s, addr, size);
	u32 i = 0;

	if (order == ORDER_PLAIN)
		return;
	if (order_releases(order))
		clock_join(&new, &s->thread[t].clock);
	if (rmw)
		clock_join(&new, &old);
	if (order_releases(order))
		clock_tick(m, t);
	if (!memcmp(&new, &none, sizeof none))
		return;
	if (s->n.nsync == SYNCS) {
		machine_give_up(m, "too many atomic locations");
		return;
	}
	while (i < s->n.nsync && s->sync[i].addr < addr)
		i++;
	memmove(s->sync + i + 1, s->sync + i, (s->n.nsync++ - i) * sizeof(Sync));
	s->sync[i] = (Sync){addr, size, new};
}

static void
fence(Machine *m, u32 t, const Ins *i)
{
	Thread *th = &m->s.thread[t];

	if (order_acquires(i->order))
		clock_join(&th->clock, &th->seen);
	if (order_releases(i->order)) {
		th->fence = th->clock;
		clock_tick(m, t);
	}
	exec_advance(m, t);
}

/* ---- results ------------------------------------------------------------- */

/* The signs for which the effect took place. */
static u32
success(const Ins *i)
{
	return i->cond ? i->cond : SIGN_ANY;
}

static u32
failure(const Ins *i)
{
	u32 other = SIGN_ANY & ~success(i);

	return other ? other : SIGN_ANY;
}

/* Does what may fail by itself do so? */
static bool
fails(Machine *m)
{
	bool so = machine_choose(m, 2);

	m->s.n.guessed |= so;
	return so;
}

/* Sets i's result to some value whose sign is in signs, and goes on. */
static void
finish(Machine *m, u32 t, const Ins *i, u32 signs)
{
	u64 val[3];
	u32 n = 0;

	if (signs & SIGN_ZERO)
		val[n++] = 0;
	if (signs & SIGN_POS)
		val[n++] = 1;
	if (signs & SIGN_NEG)
		val[n++] = ~(u64)0;
	if (i->dst && n > 1)
		m->s.n.guessed = 1;
	m->unknown = false;
	if (i->dst)
		exec_set(m, t, i, val[machine_choose(m, n)]);
	exec_advance(m, t);
}

/* ---- locks --------------------------------------------------------------- */

static bool
read_locked(const Lock *l)
{
	for (u32 t = 0; t < THREADS; t++)
		if (l->readers[t])
			return true;
	return false;
}

static bool
can_acquire(const Lock *l, u32 t, const Ins *i)
{
	if (l->owner)
		return l->owner == t + 1 && (i->flags & INS_RECURSIVE) && i->sub == LOCK_WRITE;
	return i->sub == LOCK_READ || !read_locked(l);
}

static void
take_lock(Machine *m, u32 t, const Ins *i, Lock *l)
{
	Thread *th = &m->s.thread[t];

	clock_join(&th->clock, &l->write);
	if (i->sub == LOCK_READ) {
		l->readers[t]++;
		return;
	}
	clock_join(&th->clock, &l->read);
	l->owner = (u8)(t + 1);
	l->count++;
}

static void
acquire(Machine *m, u32 t, const Ins *i)
{
	u64 addr = exec_arg(m, t, i, 0);
	Lock *l;
	bool free;

	if (!object_at(m, addr, 1)) {
		unknown_fault(m, t, i, addr);
		return;
	}
	l = lock_at(m, addr);
	free = can_acquire(l, t, i);
	if (m->limits->unknown && l->owner == t + 1 && !free) {
		m->s.n.guessed = 1; /* it waits for itself, or says so */
		finish(m, t, i, failure(i));
		return;
	}
	if (!free || ((i->flags & INS_TRY) && fails(m))) {
		finish(m, t, i, failure(i));
		return;
	}
	take_lock(m, t, i, l);
	finish(m, t, i, success(i));
}

static void
release(Machine *m, u32 t, const Ins *i)
{
	u64 addr = exec_arg(m, t, i, 0);
	Lock *l = lock_at(m, addr);
	const Clock *now = &m->s.thread[t].clock;

	if (!object_at(m, addr, 1)) {
		unknown_fault(m, t, i, addr);
		return;
	}
	if (l->owner != t + 1 && !l->readers[t]) {
		unknown_release(m, t, i, l);
		return;
	}
	if (l->owner != t + 1) {
		l->readers[t]--;
		clock_join(&l->read, now);
		clock_tick(m, t);
	} else if (--l->count == 0) {
		*l = (Lock){.addr = addr, .write = *now}; /* which covers what was read before */
		clock_tick(m, t);
	}
	finish(m, t, i, success(i));
}

/* ---- threads ------------------------------------------------------------- */

/* The second step of a fork: its phase is the new thread plus 1. */
static void
store_handle(Machine *m, u32 t, const Ins *i)
{
	u64 handle = HANDLE + top(m, t)->phase - 1u;
	Access a;
	u8 *p;

	if (exec_accesses(m, t, &a) && ins_arg(m->ir, i, 0)) {
		if (!exec_access(m, t, &a, &p))
			return;
		memcpy(p, &handle, a.size);
		unknown_set(m, object_at(m, a.addr, a.size), a.addr, a.size, false);
		sync_stored(m, t, a.addr, a.size, ORDER_PLAIN, false);
		object_escape_stored(m, object_at(m, a.addr, a.size), a.addr, a.size);
	}
	m->unknown = false;
	if (i->flags & INS_HANDLE) {
		exec_set(m, t, i, handle);
		exec_advance(m, t);
	} else {
		finish(m, t, i, success(i));
	}
}

static FnId
start_routine(Machine *m, u32 t, const Ins *i)
{
	u64 v = exec_arg(m, t, i, 1);
	u32 key = addr_key(m, v);
	FnId f = key & (KEY_FN - 1);

	if (i->sub == CALL_VIRTUAL)
		return class_dispatch(m, i, v, exec_arg(m, t, i, 2));
	return (key & KEY_FN) && f < m->ir->fns.n && m->ir->fns.at[f].nblock ? f : 0;
}

static void
fork_thread(Machine *m, u32 t, const Ins *i)
{
	State *s = &m->s;
	u32 new = s->n.nthread;
	FnId fn = start_routine(m, t, i);
	u64 args[8];
	u32 n = 0;

	if (success(i) != SIGN_ANY && unknown_failure(m, t, i) && machine_choose(m, 2)) {
		m->s.n.guessed = 1;
		finish(m, t, i, failure(i));
		return;
	}
	if (!fn || new >= MIN(m->limits->max_threads, (u32)THREADS)) {
		machine_give_up(m, fn ? "too many threads" : "a thread without a body");
		return;
	}
	for (; n + 2 < i->narg && n < COUNT(args); n++) {
		args[n] = exec_arg(m, t, i, n + 2);
		object_escape(m, args[n]);
	}
	unknown_args(m, t, i, 2);
	exec_start(m, new, fn, n, args);
	s->thread[new].clock = s->thread[t].clock;
	s->thread[new].clock.at[new] = 1;
	clock_tick(m, t);
	top(m, t)->phase = (u8)(new + 1);
	if (!ins_arg(m->ir, i, 0))
		store_handle(m, t, i);
}

/* The thread with the given handle, NULL if there is none. */
static Thread *
by_handle(Machine *m, u64 handle)
{
	return handle - HANDLE < m->s.n.nthread ? &m->s.thread[handle - HANDLE] : NULL;
}

static void
join(Machine *m, u32 t, const Ins *i)
{
	u64 handle = exec_arg(m, t, i, 0);
	Thread *th = by_handle(m, handle);
	bool again = i->flags & INS_RECURSIVE;
	bool waits = th && th->status != ENDED && !(i->flags & INS_TRY);

	if (i->flags & INS_THROWS && (waits || machine_choose(m, 2))) {
		class_raise(m, t, 0);
		return;
	}
	if (again && !handle) {
		finish(m, t, i, success(i));
		return;
	}
	if (!th || (!again && th->claimed)) {
		unknown_fault(m, t, i, handle + HANDLE);
		return;
	}
	if (th->status != ENDED || ((i->flags & INS_TRY) && fails(m))) {
		finish(m, t, i, failure(i));
		return;
	}
	clock_join(&m->s.thread[t].clock, &th->clock);
	unknown_result(m, t, i);
	if (!again) {
		th->claimed = true;
		th->clock = (Clock){{0}};
	}
	finish(m, t, i, success(i));
}

static void
detach(Machine *m, u32 t, const Ins *i)
{
	u64 handle = exec_arg(m, t, i, 0);
	Thread *th = by_handle(m, handle);

	if (i->sub) {
		machine_give_up(m, "a thread that another one ends");
		return;
	}
	if (!th || th->claimed) {
		unknown_fault(m, t, i, handle + HANDLE);
		return;
	}
	th->claimed = true;
	finish(m, t, i, success(i));
}

/* ---- events -------------------------------------------------------------- */

static bool
sticky(u8 kind)
{
	return kind == EVENT_ONCE || kind == EVENT_FUTURE;
}

/* Wakes a choice of the threads that wait; at least one if there is one. */
static void
wake(Machine *m, u32 t, Event *e)
{
	u32 left = e->waiting;
	bool woken = false;

	for (u32 w = 0; w < THREADS; w++) {
		if (!(left >> w & 1))
			continue;
		left &= ~(1u << w);
		if ((left || woken) && machine_choose(m, 2))
			continue;
		woken = true;
		e->waiting &= ~(1u << w);
		clock_join(&m->s.thread[w].clock, &m->s.thread[t].clock);
	}
}

/* The last to come lets all go on, behind what each did before. */
static void
arrive(Machine *m, u32 t, Event *e)
{
	if (!e->size)
		machine_give_up(m, "a barrier of unknown size");
	e->waiting |= 1u << t;
	clock_join(&e->clock, &m->s.thread[t].clock);
	if ((u32)__builtin_popcount(e->waiting) < e->size)
		return;
	for (u32 w = 0; w < THREADS; w++)
		if (e->waiting >> w & 1)
			clock_join(&m->s.thread[w].clock, &e->clock);
	e->waiting = 0;
	e->clock = (Clock){{0}};
}

static void
signal_event(Machine *m, u32 t, const Ins *i)
{
	Event *e = event_at(m, exec_arg(m, t, i, 0));
	u64 n = i->narg > 1 ? exec_arg(m, t, i, 1) : 1;

	if (i->sub == EVENT_BARRIER && i->narg > 1) {
		e->size = (u32)n;
	} else if (i->sub == EVENT_BARRIER) {
		arrive(m, t, e);
	} else if (i->sub == EVENT_COND) {
		wake(m, t, e);
	} else {
		e->count = sticky(i->sub) ? 1 : e->count + (u32)n;
		clock_join(&e->clock, &m->s.thread[t].clock);
	}
	clock_tick(m, t);
	finish(m, t, i, success(i));
}

/* A condition: first the thread begins to wait, then it is woken, or goes on
 * by itself. */
static void
await_cond(Machine *m, u32 t, const Ins *i, Event *e)
{
	if (top(m, t)->phase == 0) {
		e->waiting |= 1u << t;
		top(m, t)->phase = 1;
		return;
	}
	m->s.n.guessed |= e->waiting >> t & 1; /* it may, but need not ever do so */
	e->waiting &= ~(1u << t);
	finish(m, t, i, success(i));
}

static void
await_event(Machine *m, u32 t, const Ins *i)
{
	Event *e = event_at(m, exec_arg(m, t, i, 0));

	if (i->sub == EVENT_BARRIER) {
		finish(m, t, i, success(i));
	} else if (i->sub == EVENT_COND) {
		await_cond(m, t, i, e);
	} else if (!e->count || ((i->flags & INS_TRY) && fails(m))) {
		finish(m, t, i, failure(i));
	} else {
		e->count -= !sticky(i->sub);
		clock_join(&m->s.thread[t].clock, &e->clock);
		finish(m, t, i, success(i));
	}
}

/* ---- dispatch ------------------------------------------------------------ */

static StepKind
acquire_kind(Machine *m, u32 t, const Ins *i)
{
	u64 addr = exec_value(m, t, ins_arg(m->ir, i, 0));

	if ((i->flags & INS_TRY) || !object_at(m, addr, 1))
		return STEP_VISIBLE;
	for (u32 k = 0; k < m->s.n.nlock; k++)
		if (m->s.lock[k].addr == addr)
			return can_acquire(&m->s.lock[k], t, i) ||
				       (m->limits->unknown && m->s.lock[k].owner == t + 1)
				   ? STEP_VISIBLE
				   : STEP_BLOCKED;
	return STEP_VISIBLE;
}

static StepKind
join_kind(Machine *m, u32 t, const Ins *i)
{
	const Thread *th = by_handle(m, exec_value(m, t, ins_arg(m->ir, i, 0)));
	bool local = m->alone_joins && !m->limits->every_step;
	bool again = i->flags & INS_RECURSIVE;

	if (i->flags & (INS_TRY | INS_THROWS))
		return STEP_VISIBLE;
	if (th && (again || !th->claimed) && th->status != ENDED)
		return STEP_BLOCKED;
	return local ? STEP_LOCAL : STEP_VISIBLE;
}

static StepKind
await_kind(Machine *m, u32 t, const Ins *i)
{
	u64 addr = exec_value(m, t, ins_arg(m->ir, i, 0));
	const Event *e = NULL;

	for (u32 k = 0; k < m->s.n.nevent; k++)
		if (m->s.event[k].addr == addr)
			e = &m->s.event[k];
	if (i->flags & INS_TRY)
		return STEP_VISIBLE;
	if (i->sub == EVENT_BARRIER)
		return e && e->waiting >> t & 1 ? STEP_BLOCKED : STEP_VISIBLE;
	if (i->sub == EVENT_COND)
		return top(m, t)->phase && e && (e->waiting >> t & 1) ? STEP_BLOCKED : STEP_VISIBLE;
	return e && e->count ? STEP_VISIBLE : STEP_BLOCKED;
}

StepKind
sync_kind(Machine *m, u32 t, const Ins *i)
{
	switch ((Op)i->op) {
	case OP_ACQUIRE: return acquire_kind(m, t, i);
	case OP_RELEASE:
		return m->limits->every_step || unknown_owner(m, t, i) ? STEP_VISIBLE : STEP_LOCAL;
	case OP_JOIN: return join_kind(m, t, i);
	case OP_AWAIT: return await_kind(m, t, i);
	default: return STEP_VISIBLE;
	}
}

void
sync_step(Machine *m, u32 t, const Ins *i)
{
	switch ((Op)i->op) {
	case OP_FENCE: fence(m, t, i); break;
	case OP_ACQUIRE: acquire(m, t, i); break;
	case OP_RELEASE: release(m, t, i); break;
	case OP_FORK:
		if (top(m, t)->phase)
			store_handle(m, t, i);
		else
			fork_thread(m, t, i);
		break;
	case OP_JOIN: join(m, t, i); break;
	case OP_DETACH: detach(m, t, i); break;
	case OP_SIGNAL: signal_event(m, t, i); break;
	case OP_AWAIT: await_event(m, t, i); break;
	default: assert(!"a synchronisation");
	}
}
