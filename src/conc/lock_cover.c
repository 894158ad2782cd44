/* lock_cover.c - see lock_cover.h.
 *
 * A section is a single lock and a thread, of which there is one, that starts others while it
 * holds that lock exclusively.  A window is a section and one of those others, which is never
 * started without the lock.
 *
 *   IN   the thread was started, it or an ancestor, through a window, and is not running where
 *        the holder may release the lock: its whole life lies in one critical section;
 *   OUT  another than the holder holds the lock, or is IN that of another holder.
 *
 * Two critical sections of different threads do not overlap: IN excludes OUT.
 *
 *   BEFORE  the holder holds the lock, and has not released it since it started the window's
 *           thread, if it has; or a thread that is IN was started at such a point;
 *   BEHIND  the window's thread, or a descendant, on the way from there, has acquired the lock.
 *
 * It can have acquired the lock only after the critical section in which it was started, to
 * which BEFORE belongs: the one comes before the other.  A lock that somebody may release who
 * does not hold it is no section. */
#include "conc/lock_cover.h"

#include "conc/bits.h"
#include "conc/conc.h"
#include "conc/entry.h"
#include "conc/lock_int.h"

enum { SECTIONS = 16, WINDOWS = BITS - SECTIONS, COVER_ENTRIES = 3000 };

/* Numbers of facts, behind all that flags and barriers have. */
enum { IN = 1 << 24, BEFORE = 1 << 25 };

typedef struct Section {
	SlotId lock;
	ThreadId holder;
	bool loose;
	Set outlives; /* threads that may run where the holder releases it */
} Section;

typedef struct Window {
	u32 section;
	ThreadId child;
} Window;

/* A fork or release that some entry comes to. */
typedef struct Sync {
	ThreadId thread, child; /* child: that a fork starts; else 0 */
	InstId inst;
	InsId ins;
	OrderId order;
	LocksetId held;
} Sync;

struct Covers {
	Arena *arena;
	Entries *e;
	const Threads *t;
	Locks *l;
	const Ir *ir;
	Vec(Sync) syncs;
	Section section[SECTIONS];
	Window window[WINDOWS];
	u32 nsection, nwindow;
	Map released; /* (instance, release) -> windows that it ends, as bits, in halves */
	Bits *
	    *done; /* [ThreadId]: bit k: section k's lock may not be acquired yet; bit SECTIONS + k:
		       * window k's may have been released since; null: not of interest */
	u64 *early; /* [ThreadId]: the windows' bits at all forks of it */
};

/* ---- what is held where --------------------------------------------------------- */

/* How often the lock is certainly held exclusively. */
static u32
held_count(const Covers *c, LocksetId held, SlotId lock)
{
	Held members[REL_NAMES];
	u32 n = locks_members(c->l, held, members);

	for (u32 i = 0; i < n; i++)
		if (members[i].name.kind == NAME_SLOT && members[i].name.ref == lock)
			return members[i].count[LOCK_WRITE];
	return 0;
}

static void
note_sync(void *ctx, const Point *pt)
{
	Covers *c = ctx;
	const Pta *p = c->t->pta;
	Sync s = {.thread = pt->entry->thread,
		  .inst = pt->entry->inst,
		  .ins = pt->ins,
		  .order = pt->order,
		  .held = entries_held(c->e, pt)};
	u32 n;
	const Edge *e = pta_targets(p, s.inst, s.ins, &n);

	if (ir_ins(c->ir, s.ins)->op == OP_RELEASE) {
		vec_push(c->arena, &c->syncs, s);
		return;
	}
	for (u32 i = 0; i < n; i++) {
		s.child = e[i].fork ? threads_child(c->t, s.thread, s.inst, s.ins, e[i].to) : 0;
		if (s.child)
			vec_push(c->arena, &c->syncs, s);
	}
}

/* Is the thread started by its parent alone, and as a thread of its own? */
static bool
plainly_forked(const Covers *c, ThreadId x)
{
	const Thread *t = thread_get(c->t, x);

	return !t->adopted && !t->folded &&
	       !(ir_ins(c->ir, t->fork)->flags & (INS_REPEATS | INS_INTERRUPTS));
}

static u32
section_of(Covers *c, SlotId lock, ThreadId holder)
{
	u32 k = 0;

	while (k < c->nsection && (c->section[k].lock != lock || c->section[k].holder != holder))
		k++;
	if (k == c->nsection && k < SECTIONS)
		c->section[c->nsection++] = (Section){.lock = lock, .holder = holder};
	return k;
}

/* Is the child never started without the section's lock? */
static bool
always_held(const Covers *c, const Section *s, ThreadId child)
{
	for (u32 i = 0; i < c->syncs.n; i++)
		if (c->syncs.at[i].child == child && !held_count(c, c->syncs.at[i].held, s->lock))
			return false;
	return true;
}

static void
add_window(Covers *c, SlotId lock, ThreadId holder, ThreadId child)
{
	u32 k = section_of(c, lock, holder);

	if (!threads_single(c->t,
			    pta_slot(c->t->pta, lock)->obj)) /* it may be gone, not released */
		return;
	for (u32 w = 0; w < c->nwindow; w++)
		if (c->window[w].section == k && c->window[w].child == child)
			return;
	if (k < SECTIONS && c->nwindow < WINDOWS && always_held(c, &c->section[k], child))
		c->window[c->nwindow++] = (Window){k, child};
}

static void
find_windows(Covers *c)
{
	for (u32 i = 0; i < c->syncs.n; i++) {
		const Sync *s = &c->syncs.at[i];
		Held members[REL_NAMES];
		u32 n = s->child ? locks_members(c->l, s->held, members) : 0;
		if (!n || !thread_get(c->t, s->thread)->unique || !plainly_forked(c, s->child))
			continue;
		for (u32 k = 0; k < n; k++)
			if (members[k].name.kind == NAME_SLOT && members[k].count[LOCK_WRITE])
				add_window(c, members[k].name.ref, s->thread, s->child);
	}
}

/* ---- where it is released --------------------------------------------------------- */

/* Is it of a condition wait, which gives back a lock however often it is held? */
static bool
waits(const Covers *c, InsId release)
{
	const Ins *next = ir_ins(c->ir, release + 1);

	return next->op == OP_AWAIT && next->sub == EVENT_COND;
}

/* May the section's lock be free behind that release? */
static bool
may_free(const Covers *c, const Section *s, const Sync *at)
{
	const Set *pts = pta_pts(c->t->pta, at->inst, ins_arg(c->ir, ir_ins(c->ir, at->ins), 0));
	Set one = {0};
	bool may;

	set_add(c->arena, &one, s->lock);
	may = locks_sets_alias(c->l, setpool_intern(&c->l->sets, pts),
			       setpool_intern(&c->l->sets, &one));
	set_recycle(c->arena, &one);
	return may && (locks_single(c->l, pts) != s->lock || waits(c, at->ins) ||
		       held_count(c, at->held, s->lock) < 2);
}

static void
end_windows(Covers *c, u32 k, const Sync *at)
{
	u64 key = map_pair(at->inst, at->ins);
	Section *s = &c->section[k];

	for (ThreadId x = 1; x < c->t->at.n; x++) {
		if (x == s->holder || !threads_within(c->t, s->holder, x) ||
		    !order_runs(c->e->order, s->holder, at->order, x))
			continue;
		set_add(c->arena, &s->outlives, x);
		for (u32 w = 0; w < c->nwindow; w++)
			if (c->window[w].section == k &&
			    threads_within(c->t, c->window[w].child, x))
				*map_at(c->arena, &c->released, key * 2 + w / 32) |= (u32)1
										     << w % 32;
	}
}

static void
find_releases(Covers *c)
{
	for (u32 i = 0; i < c->syncs.n; i++) {
		const Sync *at = &c->syncs.at[i];
		for (u32 k = 0; !at->child && k < c->nsection; k++) {
			Section *s = &c->section[k];
			if (!may_free(c, s, at))
				continue;
			s->loose |= !locks_has(c->l, at->held, s->lock);
			if (at->thread == s->holder)
				end_windows(c, k, at);
		}
	}
}

/* ---- what has been done ------------------------------------------------------------ */

static u64
step(void *ctx, ThreadId t, InstId inst, InsId id, u64 s)
{
	const Covers *c = ctx;
	const Ins *ins = ir_ins(c->ir, id);
	u64 key = map_pair(inst, id);
	SlotId lock;

	if (ins->op == OP_RELEASE) {
		u64 ended = map_get(&c->released, key * 2) | (u64)map_get(&c->released, key * 2 + 1)
								 << 32;
		for (u32 w = 0; ended && w < c->nwindow; w++)
			if (c->section[c->window[w].section].holder != t)
				ended &= ~((u64)1 << w);
		return s | ended << SECTIONS;
	}
	if (ins->op != OP_ACQUIRE || ins->flags & INS_TRY || (ins->cond && ins->cond != SIGN_ANY))
		return s;
	lock = locks_single(c->l, pta_pts(c->t->pta, inst, ins_arg(c->ir, ins, 0)));
	for (u32 k = 0; lock && k < c->nsection; k++)
		if (c->section[k].lock == lock && c->section[k].holder != t &&
		    threads_within(c->t, c->section[k].holder, t))
			s &= ~((u64)1 << k);
	return s;
}

/* What holds where x is started. */
static u64
at_start(Covers *c, ThreadId x)
{
	ThreadId parent = thread_get(c->t, x)->parent;
	u64 all = ((u64)1 << c->nsection) - 1, inherited = 0, s, own = 0;

	for (u32 k = 0; k < c->nsection; k++)
		if (parent == c->section[k].holder || !parent ||
		    !threads_within(c->t, c->section[k].holder, parent) || !plainly_forked(c, x))
			own |= (u64)1 << k;
	for (u32 i = 0; i < c->syncs.n; i++) {
		const Sync *at = &c->syncs.at[i];
		if (at->child != x || !c->done[parent] ||
		    !bits_at(c->done[parent], at->inst, at->ins, &s))
			continue;
		inherited |= s & all;
		c->early[x] |= s & ~all;
	}
	return own | inherited;
}

static void
solve_threads(Covers *c)
{
	c->done = arena_array(c->arena, Bits *, c->t->at.n);
	c->early = arena_array(c->arena, u64, c->t->at.n);
	for (ThreadId x = 1; x < c->t->at.n; x++) {
		bool within = false;
		for (u32 k = 0; k < c->nsection; k++)
			within |=
			    !c->section[k].loose && threads_within(c->t, c->section[k].holder, x);
		if (within)
			c->done[x] = bits_solve(c->arena, c->t, x, at_start(c, x), step, c);
	}
}

Covers *
covers_solve(Arena *a, Entries *e)
{
	Covers *c;

	if (entries_states(e) > COVER_ENTRIES || e->t->bounded || !e->complete || e->t->at.n < 3)
		return NULL;
	c = arena_new(a, Covers);
	*c = (Covers){.arena = a, .e = e, .t = e->t, .l = e->locks, .ir = e->t->pta->ir};
	for (u32 i = 1; i < e->at.n; i++)
		if (!e->at.at[i].dead)
			entries_walk(e, &e->at.at[i], SITE_SYNC, note_sync, c);
	find_windows(c);
	if (!c->nwindow)
		return NULL;
	find_releases(c);
	solve_threads(c);
	return c;
}

/* ---- what guards an access ---------------------------------------------------------- */

/* The window through which x comes from the section's holder; WINDOWS if there is none. */
static u32
window_to(const Covers *c, u32 section, ThreadId x)
{
	u32 w = 0;

	while (w < c->nwindow &&
	       (c->window[w].section != section || !threads_within(c->t, c->window[w].child, x)))
		w++;
	return w < c->nwindow ? w : WINDOWS;
}

static bool
is_in(const Covers *c, u32 section, ThreadId x)
{
	return window_to(c, section, x) < WINDOWS && !set_has(&c->section[section].outlives, x);
}

/* Does x hold the lock, or another than the section's holder for it? */
static bool
is_out(const Covers *c, u32 section, ThreadId x, LocksetId held)
{
	const Section *s = &c->section[section];

	if (x == s->holder)
		return false;
	if (held && locks_has(c->l, held, s->lock))
		return true;
	for (u32 k = 0; k < c->nsection; k++)
		if (c->section[k].lock == s->lock && c->section[k].holder != s->holder &&
		    is_in(c, k, x))
			return true;
	return false;
}

static GuardId
add(const Covers *c, const struct Access *acc, GuardId guard, u32 section, u32 own, u32 others)
{
	return locks_guard_flag(c->l, acc->inst, guard, c->section[section].lock, own, others);
}

/* done: what the thread has done where the access is. */
static GuardId
in_order(const Covers *c, const struct Access *acc, u32 k, u64 done, GuardId guard)
{
	u32 own = window_to(c, k, acc->thread);
	bool in = is_in(c, k, acc->thread);
	bool holds =
	    acc->thread == c->section[k].holder && held_count(c, acc->held, c->section[k].lock);
	u64 since = in ? c->early[c->window[own].child] : done;

	for (u32 w = 0; (in || holds) && w < c->nwindow; w++)
		if (c->window[w].section == k && !(since >> SECTIONS >> w & 1))
			guard = add(c, acc, guard, k, BEFORE + 2 * w, BEFORE + 2 * w + 1);
	if (own < WINDOWS && !(done >> k & 1))
		guard = add(c, acc, guard, k, BEFORE + 2 * own + 1, BEFORE + 2 * own);
	return guard;
}

GuardId
covers_guard(const Covers *c, const struct Access *acc, GuardId guard)
{
	u64 done;

	for (u32 k = 0; k < c->nsection; k++) {
		if (c->section[k].loose)
			continue;
		if (is_in(c, k, acc->thread))
			guard = add(c, acc, guard, k, IN + 2 * k, IN + 2 * k + 1);
		if (is_out(c, k, acc->thread, acc->held))
			guard = add(c, acc, guard, k, IN + 2 * k + 1, IN + 2 * k);
		if (!c->done[acc->thread])
			continue;
		if (bits_at(c->done[acc->thread], acc->inst, acc->ins, &done))
			guard = in_order(c, acc, k, done, guard);
	}
	return guard;
}
