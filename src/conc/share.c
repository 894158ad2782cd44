/* share.c - which objects two threads may reach: escape by reachability.
 *
 * Globals, what forks pass on, and what unknown code holds are roots; what shared
 * memory may point to is shared.  But an object that one thread alone ever touches,
 * of which there is but one, hands nothing to others, whatever leads to it: a list of all
 * workers that only main keeps does not publish them.  So it is not shared, and the
 * search does not go on from it.  What unknown code knows counts as touched by all. */
#include "conc/share.h"

#include "conc/access.h"
#include "conc/captured.h"

enum { BY_MANY = UINT32_MAX };

typedef struct Sharer {
	Threads *t;
	const Pta *p;
	Arena *a;
	VecU32 todo;
	Set seen;           /* parts of what objects hold that were walked */
	Set own;            /* objects that nobody can share, whatever points to them */
	ThreadId *run_by;   /* [InstId]: the one thread, of which there is one; 0: none */
	ThreadId *touch_by; /* [ObjId]: the same */
} Sharer;

static void
add_thread(ThreadId *by, ThreadId t)
{
	*by = *by && *by != t ? BY_MANY : t;
}

static void
find_runners(Sharer *s)
{
	s->run_by = arena_array(s->a, ThreadId, s->p->insts.n + 1);
	for (ThreadId id = 1; id < s->t->at.n; id++)
		SET_FOR (it, &s->t->insts[id])
			add_thread(&s->run_by[it.x], thread_get(s->t, id)->unique ? id : BY_MANY);
}

/* Many pointers share one set; seen has by whom it was touched last. */
static void
touch_all(Sharer *s, const Set *slots, ThreadId by, Map *seen)
{
	u32 *last = map_at(s->a, seen, (uintptr_t)slots);

	if (*last == by || *last == BY_MANY)
		return;
	*last = by;
	SET_FOR (it, slots)
		add_thread(&s->touch_by[pta_slot(s->p, it.x)->obj], by);
}

/* The addresses that an instruction touches memory at, or synchronises by; returns how many. */
static u32
addresses(const Ir *ir, InsId id, Val at[2])
{
	const Ins *ins = ir_ins(ir, id);
	Touch touch[2];
	u32 n;

	switch (ins->op) {
	case OP_ACQUIRE:
	case OP_RELEASE:
	case OP_SIGNAL:
	case OP_AWAIT: at[0] = ins_arg(ir, ins, 0); return 1;
	default: break;
	}
	n = access_touches(ir, id, touch);
	for (u32 k = 0; k < n; k++)
		at[k] = touch[k].addr;
	return n;
}

static void
find_touched(Sharer *s)
{
	const Ir *ir = s->p->ir;
	Map seen = {0};
	Val at[2];

	s->touch_by = arena_array(s->a, ThreadId, s->p->objs.n + 1);
	for (InstId i = 1; i < s->p->insts.n; i++) {
		const Fn *fn = pta_fn(s->p, i);
		for (InsId k = fn->ins; s->run_by[i] && k < fn->ins + fn->nins; k++)
			for (u32 n = addresses(ir, k, at); n-- > 0;)
				touch_all(s, pta_pts(s->p, i, at[n]), s->run_by[i], &seen);
	}
}

static void
share(Sharer *s, ObjId o)
{
	if (s->touch_by[o] != BY_MANY || s->t->shared[o] || set_has(&s->own, o))
		return;
	s->t->shared[o] = true;
	vec_push(s->a, &s->todo, o);
}

static void
share_all(Sharer *s, const Set *slots)
{
	SET_FOR (it, slots)
		share(s, pta_slot(s->p, it.x)->obj);
}

/* Goes on from what is shared until nothing is new; with `known`, what it leads to is touched.
 * Objects share most of what they hold; who touches it does not change but here. */
static void
spread(Sharer *s, bool known)
{
	Set parts = {0};

	while (s->todo.n) {
		set_clear(&parts);
		pta_parts(s->p, s->todo.at[--s->todo.n], s->a, &parts);
		SET_FOR (part, &parts) {
			const Set *held = pta_part(s->p, part.x);
			if (!set_add(s->a, &s->seen, part.x))
				continue;
			SET_FOR (it, held)
				if (known)
					s->touch_by[pta_slot(s->p, it.x)->obj] = BY_MANY;
			share_all(s, held);
		}
	}
	set_recycle(s->a, &parts);
}

static void
share_unknown(Sharer *s)
{
	for (ObjId o = 1; o < s->p->objs.n; o++)
		if (pta_obj(s->p, o)->kind == OBJ_EXTERN) {
			s->touch_by[o] = BY_MANY;
			share(s, o);
		}
	spread(s, true);
}

static void
share_roots(Sharer *s)
{
	const Pta *p = s->p;

	for (ObjId o = 1; o < p->objs.n; o++) {
		const Obj *obj = pta_obj(p, o);
		if ((obj->kind == OBJ_GLOBAL && !obj->tls) || obj->kind == OBJ_CLASS)
			share(s, o);
	}
	for (u32 e = 0; e < p->edges.n; e++) {
		const Edge *edge = &p->edges.at[e];
		const Ins *ins = ir_ins(p->ir, edge->ins);
		if (!edge->fork)
			continue;
		for (u32 k = 2; k < ins->narg; k++)
			share_all(s, pta_pts(p, edge->from, ins_arg(p->ir, ins, k)));
	}
	spread(s, false);
}

void
share_solve(Threads *t, Arena *a)
{
	Sharer s = {.t = t, .p = t->pta, .a = a};

	t->shared = arena_array(a, bool, t->pta->objs.n + 1);
	t->captures = captures_solve(a, t->pta, &s.own);
	find_runners(&s);
	find_touched(&s);
	share_unknown(&s);
	share_roots(&s);
}
