/* order_loop.h - what order_loop.c and the files beside it share. */
#ifndef CONC_ORDER_LOOP_H
#define CONC_ORDER_LOOP_H

#include "conc/order_int.h"
#include "ir/induction.h"

/* v + add; v = 0: add alone. */
typedef struct Limit {
	Val v;
	i64 add;
} Limit;

/* One side of the match: base[index + plus] and off bytes on, in a loop that counts; or, if
 * that holds a pointer, `in` bytes behind where it points.  Over all rounds these are the
 * elements from lo to hi - 1. */
typedef struct Walk {
	InstId inst; /* whose function has the loop */
	InsId ins;
	Val base, at; /* at: the address of the element's pointer */
	i64 stride, off, in;
	bool points;
	u32 loop;
	Counter count;
	Val index; /* a counter of the loop, perhaps an address */
	i64 plus, step;
	Limit lo, hi;
} Walk;

typedef Vec(Walk) WalkList;

typedef struct Matcher {
	const Threads *t;
	Arena *arena;
	Cfg **cfgs; /* [FnId] */
	Batches *out;
	InstPoints *taken, *likely;
	Steady *steady;
	BlockId head; /* of the forks' loop that is being matched */
	bool here;    /* its match holds for what one activation has started only */
} Matcher;

/* order_walk.c */
/* The value behind copies and width changes, and what defines that. */
Val batch_strip(const Ir *ir, const Fn *fn, Val v);
const Ins *batch_def(const Ir *ir, const Fn *fn, Val v);
/* Does def, an allocation or a call, make a new object each time, or give null? */
bool batch_makes(const Pta *p, InstId inst, const Ins *def);
/* Is addr that of an element, with an index that the innermost loop of ins counts? */
bool batch_walk(Matcher *m, InstId inst, const Cfg *cfg, InsId ins, Val addr, Walk *w);
/* Do two walks in one loop come to the same element in each round? */
static inline bool
batch_same_element(const Walk *x, const Walk *y)
{
	return x->index == y->index && x->plus == y->plus;
}
/* Does ins run on every round of its loop? */
bool batch_every_round(const Cfg *cfg, const Walk *w);
/* Does the edge say that the fork failed? */
bool batch_failed_on(const Cfg *cfg, const Ins *fork, Arc arc);

/* order_loop.c */
const Cfg *batch_cfg(Matcher *m, InstId inst);
/* Is the walked array the same object on both sides? */
bool batch_same_array(const Matcher *m, InstId fi, const Walk *fork, InstId ji, const Walk *join);
/* Is the loop left only before this round's create, or where that failed? */
bool batch_leaves_unstored(Matcher *m, const Cfg *cfg, const Walk *fork);
/* Does the join loop cover exactly what the fork loop stored? */
bool batch_covers(Matcher *m, InstId fi, const Walk *fork, InstId ji, const Walk *join);
/* Are two limits of loops in inst the same, that of the forks before that of the joins? */
bool batch_same_limit(Matcher *m, InstId inst, Limit fork, Limit join);
/* Does one thread run the fork, of which there is one? */
bool batch_sole_maker(const Threads *t, InstId fork_inst);
void batch_fill(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *fork, const Walk *join,
		Batch *out);

/* Where the fork's handle is stored: by itself or, then *fork is that, by a store of its result
 * in the same block; 0 unknown. */
Val batch_handle(const Cfg *cfg, InsId *fork);

/* order_piece.c */
/* Does fork o store to some of the elements that the join's loop in inst walks? */
bool batch_piece(Matcher *m, const Obj *o, InstId inst, const Walk *join, Walk *fork);
/* Are all elements of the k-th of the forks in inst among those of the join?  LIKELY: unless a loop
 * ends before it begins. */
typedef enum Within { WITHIN_NOT, WITHIN_LIKELY, WITHIN_ALWAYS } Within;
Within batch_within(Matcher *m, InstId inst, const WalkList *forks, u32 k, const Walk *join);
/* Do two of the forks, in inst, never store to one element? */
bool batch_apart(Matcher *m, InstId inst, const WalkList *forks, u32 i, u32 k);

/* Are all that the batch's fork has started in this activation of the function joined before it
 * starts more, with handles in memory that the activation made? */
bool batch_takes_back(Matcher *m, const Cfg *cfg, const Batch *b, const Walk *join);

/* order_null.c */
/* Does the join run on every round of its loop in which its handle, an element, is not zero? */
bool batch_unless_null(Matcher *m, InstId inst, const Cfg *cfg, const Walk *join,
		       const Ins *handle);
/* Is an element that the fork has stored to not zero when the join's loop comes to it? */
bool batch_keeps_handles(Matcher *m, InstId fork_inst, const Walk *fork, InstId inst,
			 const Walk *join);

/* order_noted.c */
/* Is the bound of the join's loop in ji loaded from where fi notes behind its forks how many there were? */
bool batch_noted(Matcher *m, InstId fi, const Walk *fork, InstId ji, const Walk *join);

/* order_lost.c */
/* Is `self` the handle of a thread that the other handles may be of, too, whoever found it out? */
bool batch_own_handle(Matcher *m, const Set *handles, const Obj *self);
/* Do the handles that these forks store to the array that the join's loop walks stay in their
 * places until they are joined?  LIKELY: if unknown code leaves them there. */
Within batch_stay(Matcher *m, const Batches *by, const WalkList *forks, InstId inst,
		  const Walk *join, const Ins *handle);

/* order_objects.c */
/* Is whatever is ever stored to the array an object of its own, made for that one store? */
bool batch_holds_own(Matcher *m, InstId inst, Val array);
/* Is the handle a cell of an element of the array that the join's loop walks? */
bool batch_object_walk(Matcher *m, InstId inst, InsId join, Walk *w, u32 *field);
/* Do the loops of fork o, whose handle is such a cell, and of the join match?  Fills *out. */
bool batch_started(Matcher *m, const Obj *o, InstId inst, InsId id, const Walk *join, u32 field,
		   Batch *out);

#endif
