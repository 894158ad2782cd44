/* interleave_live.c - which registers a thread will still read.
 *
 * A value loaded and never used would keep apart states that are otherwise
 * equal, so dead registers are zeroed before a state is looked up.  The usual
 * backward analysis; sets only grow within the registers of a function, so
 * it ends. */
#include "ir/interleave_int.h"

#include <string.h>

static void
add(u64 *set, Val v)
{
	if (val_is_reg(v))
		set[v / 64] |= (u64)1 << v % 64;
}

static void
del(u64 *set, Val v)
{
	if (val_is_reg(v))
		set[v / 64] &= ~((u64)1 << v % 64);
}

/* Turns what is live after i into what is live before it.  The values that a
 * phi reads are live at the end of the blocks they come from instead. */
static void
transfer(const Ir *ir, const Ins *i, u64 *set)
{
	del(set, i->dst);
	if (i->op == OP_PHI)
		return;
	for (u32 k = 0; k < i->narg; k++)
		add(set, ins_arg(ir, i, k));
}

/* Adds to set what block b of f needs when entered from block from. */
static void
add_entry(Machine *m, const Fn *f, FnId fn, BlockId b, BlockId from, u64 *set)
{
	const Block *block = fn_block(m->ir, f, b);
	u32 words = m->words[fn];
	const u64 *entry = m->live[fn] + (size_t)(block->ins - f->ins) * words;

	for (u32 w = 0; w < words; w++)
		set[w] |= entry[w];
	for (u32 i = block->ins; i < block->ins + block->nins; i++) {
		const Ins *phi = ir_ins(m->ir, i);
		if (phi->op != OP_PHI)
			break;
		for (u32 k = 0; k + 1 < phi->narg; k += 2)
			if (ins_arg(m->ir, phi, k) == from)
				add(set, ins_arg(m->ir, phi, k + 1));
	}
}

/* One pass over block b, backward; says whether anything changed. */
static bool
visit(Machine *m, const Fn *f, FnId fn, BlockId b, u64 *set)
{
	const Block *block = fn_block(m->ir, f, b);
	u32 words = m->words[fn];
	bool changed = false;

	memset(set, 0, words * sizeof *set);
	for (u32 k = 0; k < block->nsucc; k++)
		add_entry(m, f, fn, m->ir->succs.at[block->succ + k], b, set);
	for (u32 i = block->ins + block->nins; i-- > block->ins;) {
		u64 *at = m->live[fn] + (size_t)(i - f->ins) * words;
		transfer(m->ir, ir_ins(m->ir, i), set);
		if (block->exc) /* each may be the one that throws */
			add_entry(m, f, fn, block->exc, b, set);
		changed |= memcmp(at, set, words * sizeof *set) != 0;
		memcpy(at, set, words * sizeof *set);
	}
	return changed;
}

static void
solve(Machine *m, FnId fn)
{
	const Fn *f = &m->ir->fns.at[fn];
	u32 words = f->nreg / 64 + 1;
	u64 *set = arena_array(m->scratch, u64, words);
	bool again = f->nblock > 0;

	m->words[fn] = words;
	m->live[fn] = arena_array(m->scratch, u64, (size_t)f->nins * words + 1);
	while (again) {
		again = false;
		for (BlockId b = f->nblock; b > 0; b--)
			again |= visit(m, f, fn, b, set);
	}
}

void
live_compute(Machine *m)
{
	m->live = arena_array(m->scratch, u64 *, m->ir->fns.n);
	m->words = arena_array(m->scratch, u32, m->ir->fns.n);
	for (FnId f = 1; f < m->ir->fns.n; f++)
		solve(m, f);
}

/* Keeps the registers of frame f that are live before instruction at, but
 * for skip, which a call in progress will set. */
static void
keep(Machine *m, u32 t, const Frame *f, InsId at, Val skip)
{
	const u64 *live =
	    m->live[f->fn] + (size_t)(at - m->ir->fns.at[f->fn].ins) * m->words[f->fn];

	for (u32 r = 1; r <= f->nreg; r++)
		if (r == skip || !(live[r / 64] >> r % 64 & 1))
			m->s.reg[t][f->reg + r - 1] = m->s.fog[t][f->reg + r - 1] = 0;
}

void
live_clear(Machine *m, u32 t)
{
	for (u32 d = 0; d < m->s.thread[t].depth; d++) {
		const Frame *f = &m->s.frame[t][d];
		const Ins *i = ir_ins(m->ir, f->ins);
		bool calling = d + 1 < m->s.thread[t].depth;

		if (!calling || i->sub == CALL_REPEAT)
			keep(m, t, f, f->ins, 0);
		else
			keep(m, t, f, f->ins + 1, i->dst);
	}
}
