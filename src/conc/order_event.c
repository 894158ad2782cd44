/* order_event.c - semaphores that are posted once.
 *
 * If all the signals that may reach an event are one instruction, which runs
 * at most once in the whole program, then whoever has passed a wait for it has
 * waited for that one: what its sender did before comes before what the waiter
 * does after.  A semaphore that starts above zero has a signal for that too,
 * so it is never a token; nor is one that unknown code can reach. */
#include "conc/order_int.h"

typedef struct Finder {
	const Threads *t;
	const Pta *p;
	Arena *arena;
	Map signals; /* SlotId -> how many signals name exactly it */
	Map dirty;   /* ObjId -> 1: some signal or unknown code may reach any part of it */
	Vec(Token) found;
} Finder;

static bool
waits_for_signals(const Ins *ins)
{
	return ins->sub == EVENT_SEM || ins->sub == EVENT_FUTURE;
}

/* The one thread that runs the instruction, at most once; 0 none. */
static ThreadId
only_sender(Finder *f, InstId inst, InsId ins)
{
	const Flow *flow = flow_of(f->t->flows, pta_inst(f->p, inst)->fn);
	ThreadId sender = 0;

	if (flow->cyclic[cfg_block_of(f->p->ir, pta_fn(f->p, inst), ins)])
		return 0;
	for (ThreadId x = 1; x < f->t->at.n; x++) {
		if (!set_has(&f->t->insts[x], inst))
			continue;
		if (sender || !thread_get(f->t, x)->unique || set_has(&f->t->many[x], inst))
			return 0;
		sender = x;
	}
	return sender;
}

static void
make_dirty(Finder *f, const Set *slots)
{
	SET_FOR (it, slots)
		map_put(f->arena, &f->dirty, pta_slot(f->p, it.x)->obj, 1);
}

static void
visit_signal(Finder *f, InstId inst, InsId id, const Ins *ins)
{
	const Set *pts = pta_pts(f->p, inst, ins_arg(f->p->ir, ins, 0));
	SlotId slot;

	if (!set_single(pts) || pta_slot(f->p, set_first(pts))->stride) {
		make_dirty(f, pts);
		return;
	}
	slot = set_first(pts);
	++*map_at(f->arena, &f->signals, slot);
	if (waits_for_signals(ins) && threads_single(f->t, pta_slot(f->p, slot)->obj))
		vec_push(f->arena, &f->found, (Token){slot, id, inst, only_sender(f, inst, id)});
}

static void
visit(Finder *f, InstId inst)
{
	u32 n;
	const InsId *at = acts_of(&f->t->acts, pta_inst(f->p, inst)->fn, &n);

	for (u32 i = 0; i < n; i++) {
		const Ins *ins = ir_ins(f->p->ir, at[i]);
		if (ins->op == OP_SIGNAL)
			visit_signal(f, inst, at[i], ins);
		if (ins->op == OP_EXTERN)
			for (u32 k = 0; k < ins->narg; k++)
				make_dirty(f, pta_pts(f->p, inst, ins_arg(f->p->ir, ins, k)));
	}
}

void
tokens_build(Tokens *k, const Threads *t, Arena *a)
{
	Finder f = {.t = t, .p = t->pta, .arena = a};

	for (InstId i = 1; i < f.p->insts.n; i++)
		visit(&f, i);
	k->at = arena_array(a, Token, f.found.n + 1);
	k->n = 0;
	for (u32 i = 0; i < f.found.n; i++) {
		const Token *x = &f.found.at[i];
		if (x->sender && map_get(&f.signals, x->slot) == 1 &&
		    !map_get(&f.dirty, pta_slot(f.p, x->slot)->obj))
			k->at[++k->n] = *x;
	}
}

u32
tokens_find(const Tokens *k, InsId ins, InstId inst)
{
	for (u32 i = 1; i <= k->n; i++)
		if (k->at[i].ins == ins && k->at[i].inst == inst)
			return i;
	return 0;
}

u32
tokens_awaited(const Tokens *k, const Pta *p, InstId inst, const Ins *await)
{
	const Set *pts = pta_pts(p, inst, ins_arg(p->ir, await, 0));

	if (!waits_for_signals(await) || !set_single(pts))
		return 0;
	for (u32 i = 1; i <= k->n; i++)
		if (k->at[i].slot == set_first(pts))
			return i;
	return 0;
}
