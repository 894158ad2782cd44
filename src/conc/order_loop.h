/* order_loop.h - what order_loop.c and order_objects.c share. */
#ifndef CONC_ORDER_LOOP_H
#define CONC_ORDER_LOOP_H

#include "conc/order_int.h"
#include "conc/steady.h"
#include "ir/induction.h"

/* One side of the match: base[counter] and off bytes on, in a loop that counts; or, if
 * that holds a pointer, `in` bytes behind where it points. */
typedef struct Walk {
	InsId ins;
	Val base, at; /* at: the address of the element's pointer */
	i64 stride, off, in;
	bool points;
	u32 loop;
	Counter count;
} Walk;

typedef struct Matcher {
	const Threads *t;
	Arena *arena;
	Cfg **cfgs; /* [FnId] */
	Batches *out;
	Steady *steady;
	InstId inst; /* that is asked about */
	BlockId from;
} Matcher;

/* The value behind copies and width changes, and what defines that. */
Val batch_strip(const Ir *ir, const Fn *fn, Val v);
const Ins *batch_def(const Ir *ir, const Fn *fn, Val v);
const Cfg *batch_cfg(Matcher *m, InstId inst);
/* Is addr base[i * stride] + off with i the counter of the innermost loop of ins,
 * on every round of which ins runs? */
bool batch_walk(Matcher *m, InstId inst, const Cfg *cfg, InsId ins, Val addr, Walk *w);
/* Does ins run on every round of its loop? */
bool batch_every_round(const Cfg *cfg, const Walk *w);
/* Is the walked array the same object on both sides? */
bool batch_same_array(const Matcher *m, InstId fi, const Walk *fork, InstId ji, const Walk *join);
/* Does the join loop cover exactly what the fork loop stored? */
bool batch_covers(Matcher *m, InstId fi, const Walk *fork, InstId ji, const Walk *join);
/* Does one thread run the fork, of which there is one? */
bool batch_sole_maker(const Threads *t, InstId fork_inst);
void batch_fill(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *fork, const Walk *join,
		Batch *out);

/* order_objects.c */
/* Is the handle a cell of an element of the array that the join's loop walks? */
bool batch_object_walk(Matcher *m, InstId inst, InsId join, Walk *w, u32 *field);
/* Do the loops of fork o, whose handle is such a cell, and of the join match?  Fills *out. */
bool batch_started(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *join, u32 field,
		   Batch *out);

#endif
