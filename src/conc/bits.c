/* bits.c - see bits.h. */
#include "conc/bits.h"

#include "base/map.h"

static const u64 REACHED = (u64)1 << BITS;

typedef struct BitsFrame { /* of an instance */
	u64 in, out;
	u64 *blocks;
} BitsFrame;

struct Bits {
	Arena *arena;
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	ThreadId thread;
	BitsStep step;
	void *ctx;
	BitsFrame *frames; /* [InstId] */
	bool again;
};

static void
grow(Bits *b, u64 *to, u64 more)
{
	b->again |= (more & ~*to) != 0;
	*to |= more;
}

/* What the callees make of s, which goes to them; 0: none returns. */
static u64
through_calls(Bits *b, InstId inst, InsId id, u64 s)
{
	const Ins *ins = ir_ins(b->ir, id);
	bool once = ins->op == OP_CALL && ins->sub != CALL_REPEAT && ins->sub != CALL_MAYBE;
	u32 n, calls = 0;
	const Edge *e = pta_targets(b->p, inst, id, &n);
	u64 out = 0;

	for (u32 i = 0; i < n; i++) {
		BitsFrame *f = &b->frames[e[i].to];
		if (e[i].fork || set_has(&b->t->skipped[b->thread], (u32)(&e[i] - b->p->edges.at)))
			continue;
		calls++;
		grow(b, &f->in, s);
		out |= f->out;
	}
	if (calls && once)
		return out;
	for (u32 i = 0; i < n; i++)
		if (!e[i].fork)
			grow(b, &b->frames[e[i].to].in, out);
	return s | out;
}

static u64
pass(Bits *b, InstId inst, InsId id, u64 s)
{
	return through_calls(b, inst, id, b->step(b->ctx, b->thread, inst, id, s) | REACHED);
}

static void
walk(Bits *b, InstId inst)
{
	const Fn *fn = pta_fn(b->p, inst);
	const Flow *flow = flow_of(b->t->flows, pta_inst(b->p, inst)->fn);
	BitsFrame *f = &b->frames[inst];

	if (!f->in)
		return;
	if (!fn->nblock) {
		grow(b, &f->out, f->in);
		return;
	}
	if (!f->blocks)
		f->blocks = arena_array(b->arena, u64, fn->nblock + 1);
	grow(b, &f->blocks[1], f->in);
	for (u32 i = 0; i < flow->nrpo; i++) {
		const Block *bl = fn_block(b->ir, fn, flow->rpo[i]);
		u64 s = f->blocks[flow->rpo[i]];
		for (u32 k = 0; s && k < bl->nins; k++) {
			if (bl->exc)
				grow(b, &f->blocks[bl->exc], s);
			s = pass(b, inst, bl->ins + k, s);
		}
		for (u32 k = 0; k < bl->nsucc; k++)
			grow(b, &f->blocks[b->ir->succs.at[bl->succ + k]], s);
		if (bl->exc)
			grow(b, &f->blocks[bl->exc], s);
		grow(b, &f->out, bl->nsucc ? 0 : s);
	}
}

Bits *
bits_solve(Arena *a, const Threads *t, ThreadId thread, u64 start, BitsStep step, void *ctx)
{
	Bits *b = arena_new(a, Bits);

	*b = (Bits){.arena = a,
		    .t = t,
		    .p = t->pta,
		    .ir = t->pta->ir,
		    .thread = thread,
		    .step = step,
		    .ctx = ctx,
		    .frames = arena_array(a, BitsFrame, t->pta->insts.n)};
	for (ThreadId x = thread; x < t->at.n; x++)
		if (thread_get(t, x)->crew == thread)
			b->frames[thread_get(t, x)->start].in = start | REACHED;
	do {
		b->again = false;
		SET_FOR (it, &t->insts[thread])
			walk(b, it.x);
	} while (b->again);
	return b;
}

bool
bits_at(const Bits *b, InstId inst, InsId ins, u64 *out)
{
	const Fn *fn = pta_fn(b->p, inst);
	BlockId block = cfg_block_of(b->ir, fn, ins);
	Bits scratch = *b; /* nothing grows any more */
	u64 s = b->frames[inst].blocks ? b->frames[inst].blocks[block] : 0;

	for (InsId id = fn_block(b->ir, fn, block)->ins; s && id < ins; id++)
		s = pass(&scratch, inst, id, s);
	*out = s & ~REACHED;
	return s != 0;
}
