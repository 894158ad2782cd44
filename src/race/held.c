/* held.c - the locks of one side of a race, as its call path takes them.
 *
 * A lockset names locks in the words of the function that the access is in.  A lock that a caller
 * took, and that has no name there, is missing from it: the monitor of a pool while its list works,
 * anything around a call of a library.  So what each frame of the shown path took before it made its
 * call is added, the outermost first, where it cannot have been given back since: around a library's
 * function, and around methods of classes, whose locks are taken and given back in blocks.  A frame that
 * only gives locks back ends what is known of those above it.
 *
 * A lock whose acquire is not in the access's function is shown with that of the frame that took it;
 * of several acquires by one register, the last one before the access or call. */
#include "race/race_int.h"

#include <string.h>

enum { LOCKS_SHOWN = 8 }; /* of one frame */

typedef struct Frames {
	const RaceResult *r;
	const Edge **edges;
	u32 n;
	const Use *use; /* behind the last edge; or null */
} Frames;

bool
race_asks_frames(const RaceResult *r, u32 access)
{
	const Access *a = &r->conc->accesses.at[access];
	const HeldLock *locks;
	u32 n;

	if (race_use(r, access) || pta_fn(r->conc->pta, a->inst)->class)
		return true;
	n = race_locks(r, a->inst, a->held, &locks);
	for (u32 i = 0; i < n; i++)
		if (!locks[i].at)
			return true;
	return false;
}

static InstId
inst_of(const Frames *f, u32 k)
{
	return k < f->n ? f->edges[k]->from : f->use->inst;
}

/* What the k-th frame, from the outside, took before its call. */
static u32
taken(const Frames *f, u32 k, const HeldLock **out)
{
	u32 n =
	    race_locks_before(f->r, inst_of(f, k), k < f->n ? f->edges[k]->ins : f->use->call, out);

	return MIN(n, LOCKS_SHOWN);
}

static bool
only_releases(const Frames *f, InstId inst)
{
	const Ir *ir = f->r->conc->ir;
	const Fn *fn = pta_fn(f->r->conc->pta, inst);
	bool releases = false;

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		if (ir_ins(ir, i)->op == OP_ACQUIRE)
			return false;
		releases |= ir_ins(ir, i)->op == OP_RELEASE;
	}
	return releases;
}

/* The outermost frame whose locks are certainly still held. */
static u32
first_frame(const Frames *f, InstId inst)
{
	u32 k = f->n + (f->use != NULL);

	if (f->use)
		return 0;
	for (; k > 0 && pta_fn(f->r->conc->pta, inst)->class && !only_releases(f, inst); k--)
		inst = f->edges[k - 1]->from;
	return k;
}

static bool
is_same(const HeldLock *x, const HeldLock *y)
{
	return x->slot || y->slot ? x->slot == y->slot : !strcmp(x->name, y->name);
}

static bool
is_listed(const HeldLock *list, u32 n, const HeldLock *x)
{
	for (u32 i = 0; i < n; i++)
		if (is_same(&list[i], x) || !strcmp(list[i].name, x->name))
			return true;
	return false;
}

/* The last acquire before `before` of what one at `at` takes, by the same register. */
static SrcId
last_acquire(const Frames *f, InstId inst, InsId before, SrcId at)
{
	const Ir *ir = f->r->conc->ir;
	const Fn *fn = pta_fn(f->r->conc->pta, inst);
	Val lock = 0;

	for (InsId i = fn->ins; !lock && i < fn->ins + fn->nins; i++)
		if (ir_ins(ir, i)->op == OP_ACQUIRE && ir_ins(ir, i)->src == at)
			lock = ins_arg(ir, ir_ins(ir, i), 0);
	for (InsId i = before; lock && i-- > fn->ins;)
		if (ir_ins(ir, i)->op == OP_ACQUIRE && ins_arg(ir, ir_ins(ir, i), 0) == lock)
			return ir_ins(ir, i)->src;
	return at;
}

static HeldLock
taken_by(const Frames *f, u32 k, const HeldLock *x)
{
	HeldLock l = *x;

	l.by = inst_of(f, k);
	if (l.at)
		l.at = last_acquire(f, l.by, k < f->n ? f->edges[k]->ins : f->use->call, l.at);
	return l;
}

/* Sets by which frame a lock of the access's own function was taken: itself, or the innermost that
 * took one of that name. */
static void
find_taker(const Frames *f, const Access *a, HeldLock *x)
{
	if (x->at) {
		x->by = a->inst;
		x->at = last_acquire(f, a->inst, a->ins, x->at);
		return;
	}
	for (u32 k = f->n + (f->use != NULL); k-- > 0;) {
		const HeldLock *list;
		u32 n = taken(f, k, &list);
		for (u32 i = 0; i < n; i++)
			if (list[i].at && is_same(&list[i], x)) {
				HeldLock found = taken_by(f, k, &list[i]);
				x->at = found.at;
				x->by = found.by;
				return;
			}
	}
}

u32
race_side_locks(const RaceResult *r, u32 access, const HeldLock **out)
{
	const Access *a = &r->conc->accesses.at[access];
	Frames f = {.r = r, .use = race_use(r, access)};
	bool asks = race_asks_frames(r, access);
	const HeldLock *own;
	HeldLock *all;
	u32 n = race_locks(r, a->inst, a->held, &own);

	f.n = asks ? race_path(r, access, r->arena, &f.edges) : 0;
	all = arena_array(r->arena, HeldLock, n + (f.n + 1) * LOCKS_SHOWN);
	if (n)
		memcpy(all, own, n * sizeof *all);
	for (u32 i = 0; i < n; i++)
		find_taker(&f, a, &all[i]);
	for (u32 k = first_frame(&f, a->inst); k < f.n + (f.use != NULL); k++) {
		const HeldLock *more;
		u32 count = taken(&f, k, &more);
		for (u32 i = 0; i < count; i++)
			if (!is_listed(all, n, &more[i]))
				all[n++] = taken_by(&f, k, &more[i]);
	}
	*out = all;
	return n;
}
