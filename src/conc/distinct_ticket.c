/* distinct_ticket.c - numbers that are drawn.
 *
 * A cell that is only ever added to, by atomic additions or by load and store
 * in critical sections that exclude each other, gives each taker a number of
 * its own, as far from any other as the least that is ever added; what the main thread
 * stores there while it is alone parts takers that never meet.  A cell of few bits comes
 * round and gives its numbers again, while an array that has an element for each is still small. */
#include "conc/distinct_int.h"

#include "conc/access.h"
#include "conc/flag.h"

enum { WIDE = 32 }; /* bits of a counter that does not come round */

bool
is_ticket_machine(const Ir *ir, const Ins *ins)
{
	Val k = ins->op == OP_RMW ? ins_arg(ir, ins, 1) : 0;

	return k && ins->sub == BIN_ADD && ins->order != ORDER_PLAIN && ins->width >= WIDE &&
	       val_is_const(k) && ir_const(ir, k)->kind == CONST_INT && ir_const(ir, k)->num > 0;
}

Form
form_ticket(Distinct *d, InstId inst, const Ins *ins)
{
	Form at = is_ticket_machine(d->ir, ins) ? form_place(d, inst, ins_arg(d->ir, ins, 0))
						: FORM_UNKNOWN;
	ObjId o;
	i64 least = INT64_MAX;

	if (at.kind != FORM_ADDR)
		return FORM_UNKNOWN;
	o = pta_slot(d->p, at.base)->obj;
	if (fresh_unknown(d->fresh, o))
		return FORM_UNKNOWN;
	for (const Write *wr = distinct_writes(d, o); wr; wr = wr->next) {
		const Ins *by = ir_ins(d->ir, wr->ins);
		Touch touch[2];
		bool meets = false;
		access_touches(d->ir, wr->ins, touch);
		SET_FOR (s, pta_pts(d->p, wr->inst, touch[wr->touch].addr))
			meets |= pta_overlap(d->p, at.base, (ins->width + 7u) / 8, s.x,
					     touch[wr->touch].size);
		if (!meets || write_alone(d, wr))
			continue;
		if (!is_ticket_machine(d->ir, by) || by->width != ins->width)
			return FORM_UNKNOWN;
		least = MIN(least, ir_const(d->ir, ins_arg(d->ir, by, 1))->num);
	}
	/* Any two are so much apart, at least. */
	return (Form){.kind = FORM_INT,
		      .scale = least > 1 << 30 ? 1 : least,
		      .of = OF_TICKET,
		      .var = at.base};
}

/* Is v what the load found, or what another found there right behind it?  Nothing but what counts
 * up stores to such a cell. */
static bool
found_by(const Distinct *d, InstId inst, InsId load, Val v, InsId before)
{
	const Fn *fn = pta_fn(d->p, inst);
	const Ins *l = ir_ins(d->ir, load), *other;
	InsId def = val_is_reg(v) ? fn_reg(d->ir, fn, v)->def : 0;

	if (v == l->dst)
		return true;
	other = def > load && def < before ? ir_ins(d->ir, def) : NULL;
	return other && other->op == OP_LOAD && other->width == l->width &&
	       form_same(form_place(d, inst, ins_arg(d->ir, other, 0)),
			 form_place(d, inst, ins_arg(d->ir, l, 0)));
}

/* By how much more than what the load found does the instruction store, in the same place; 0: it
 * does not. */
static i64
counts_by(const Distinct *d, InstId inst, InsId load, InsId at)
{
	const Fn *fn = pta_fn(d->p, inst);
	const Ins *ins = ir_ins(d->ir, at);
	Val v = ins->op == OP_STORE ? ins_arg(d->ir, ins, 1) : 0;
	InsId def = val_is_reg(v) ? fn_reg(d->ir, fn, v)->def : 0;
	const Ins *add = def ? ir_ins(d->ir, def) : NULL;
	Form place;

	if (!add || add->op != OP_BIN || add->sub != BIN_ADD ||
	    !found_by(d, inst, load, ins_arg(d->ir, add, 0), at) ||
	    !val_is_const(ins_arg(d->ir, add, 1)) ||
	    ir_const(d->ir, ins_arg(d->ir, add, 1))->kind != CONST_INT)
		return 0;
	place = form_place(d, inst, ins_arg(d->ir, ins, 0));
	if (place.kind != FORM_ADDR ||
	    !form_same(place, form_place(d, inst, ins_arg(d->ir, ir_ins(d->ir, load), 0))))
		return 0;
	return ir_const(d->ir, ins_arg(d->ir, add, 1))->num;
}

/* The first instruction from i on, up to the end of the block, that could wait or call, or that
 * counts up; 0 none. */
static InsId
first_event(const Distinct *d, InstId inst, InsId load, InsId i, InsId end)
{
	for (; i < end; i++) {
		const Ins *ins = ir_ins(d->ir, i);
		if (counts_by(d, inst, load, i) > 0 ||
		    (ins->op > OP_STORE && ins->op != OP_CMP && ins->op != OP_BIN &&
		     ins->op != OP_CAST && ins->op != OP_CBR && ins->op != OP_BR))
			return i;
	}
	return 0;
}

/* The store that follows the load, nothing that could wait or call between them, and puts more by
 * a constant there; 0 none.  It is in the same block, or in one that this alone leads to. */
static InsId
counts_up(const Distinct *d, const Cfg *c, InstId inst, InsId load)
{
	BlockId at = cfg_block_of(d->ir, c->fn, load);
	const Block *b = fn_block(d->ir, c->fn, at);
	InsId i = first_event(d, inst, load, load + 1, b->ins + b->nins);

	if (i)
		return counts_by(d, inst, load, i) > 0 ? i : 0;
	GRAPH_FOR (s, &c->succ, at) {
		const Block *next = fn_block(d->ir, c->fn, *s);
		if (c->pred.first[*s + 1] - c->pred.first[*s] != 1)
			continue;
		i = first_event(d, inst, load, next->ins, next->ins + next->nins);
		if (i && counts_by(d, inst, load, i) > 0)
			return i;
	}
	return 0;
}

/* The load whose value, and more, the store puts back; 0 none. */
static InsId
counted_from(const Distinct *d, const Cfg *c, InstId inst, InsId store)
{
	BlockId at = cfg_block_of(d->ir, c->fn, store);

	for (u32 k = 0; ir_ins(d->ir, store)->op == OP_STORE && at && k < 2; k++) {
		const Block *b = fn_block(d->ir, c->fn, at);
		for (InsId i = b->ins; i < b->ins + b->nins; i++)
			if (ir_ins(d->ir, i)->op == OP_LOAD && counts_up(d, c, inst, i) == store)
				return i;
		at = c->dom.idom[at];
	}
	return 0;
}

/* A section in which a number is drawn, in one of the states in which it is reached. */
typedef struct Draw {
	FlagAt at;
	LocksetId held;
	bool plain; /* nothing else is stored to before the number is put back */
} Draw;
typedef Vec(Draw) Draws;

/* Does nothing but loads and arithmetic lie between the load and the store behind it? */
static bool
is_plain(const Distinct *d, InstId inst, InsId load, InsId store)
{
	const Fn *fn = pta_fn(d->p, inst);

	if (store < load)
		return false;
	for (InsId i = load + 1; i < fn->ins + fn->nins && i < store; i++)
		if (ir_ins(d->ir, i)->op == OP_STORE)
			return false;
	return true;
}

/* Adds the section from the load to the store, in each state in which it is reached, each once. */
static void
sections_at(Distinct *d, InstId inst, InsId load, InsId store, Draws *out)
{
	Entries *e = d->entries;
	bool plain = is_plain(d, inst, load, store);

	for (u32 i = distinct_entry(d, inst); i; i = distinct_entry_next(d, i)) {
		const Entry *en = &e->at.at[i];
		LocksetId held = entries_held(e, &(Point){en, load, en->order, 0});
		u32 k = 0;
		while (k < out->n &&
		       (out->at[k].held != held || out->at[k].at.ins != load ||
			out->at[k].at.inst != inst || out->at[k].at.thread != en->thread))
			k++;
		if (k == out->n)
			vec_push(d->arena, out, (Draw){{en->thread, inst, load}, held, plain});
	}
}

/* Are they never in both at once?  What flags say at the load stays so until the store: there is
 * no other before it. */
static bool
sections_apart(const Distinct *d, const Draw *x, const Draw *y)
{
	return locks_apart(d->entries->locks, x->held, y->held) ||
	       (x->plain && y->plain && flags_apart(d->flags, x->at, y->at));
}

/* Has the number that the load found been counted up when it is used? */
static bool
draws(Distinct *d, InstId inst, InsId load)
{
	const Cfg *c = distinct_cfg(d, pta_inst(d->p, inst)->fn);
	InsId store = counts_up(d, c, inst, load);

	return store && (cfg_block_of(d->ir, c->fn, store) == cfg_block_of(d->ir, c->fn, load) ||
			 (d->use && d->use_inst == inst && cfg_precedes(c, store, d->use)));
}

/* How far apart the numbers are that are taken from a cell and counted up, in critical sections
 * that exclude each other, wherever the cell is written; 0: it is written otherwise, too. */
static u32
find_machine(Distinct *d, SlotId cell, u32 width)
{
	i64 least = 1 << 30;
	Draws drawn = {0};

	for (const Write *wr = distinct_writes(d, pta_slot(d->p, cell)->obj); wr; wr = wr->next) {
		const Cfg *c;
		InsId from;
		if (!write_meets(d, wr, cell, (width + 7u) / 8) || write_alone(d, wr))
			continue;
		c = distinct_cfg(d, pta_inst(d->p, wr->inst)->fn);
		from = counted_from(d, c, wr->inst, wr->ins);
		if (!from || ir_ins(d->ir, wr->ins)->width != width)
			return 0;
		least = MIN(least, counts_by(d, wr->inst, from, wr->ins));
		sections_at(d, wr->inst, from, wr->ins, &drawn);
	}
	for (u32 i = 0; i < drawn.n; i++)
		for (u32 k = 0; k <= i; k++)
			if (!sections_apart(d, &drawn.at[i], &drawn.at[k]))
				return 0;
	return (u32)least;
}

void
distinct_use_flags(Distinct *d, const struct Flags *f)
{
	d->flags = f;
	d->machines = (Map){0};
	d->last_use = 0;
}

/* A number that is drawn from a cell of which all writes do so. */
Form
form_locked_ticket(Distinct *d, InstId inst, InsId load, Form at)
{
	ObjId o = at.kind == FORM_ADDR ? pta_slot(d->p, at.base)->obj : 0;
	u32 width = ir_ins(d->ir, load)->width, *found, machine;

	if (!d->small || !o || width < WIDE || at.scale || at.span || at.mod || at.add ||
	    fresh_unknown(d->fresh, o) || !draws(d, inst, load))
		return FORM_UNKNOWN;
	found = map_at(d->arena, &d->machines, map_pair(at.base, width));
	if (!*found)
		*found = 1 + find_machine(d, at.base, width);
	machine = *found - 1;
	if (!machine)
		return FORM_UNKNOWN;
	return (Form){.kind = FORM_INT, .scale = machine, .of = OF_TICKET, .var = at.base};
}
