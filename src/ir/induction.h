/* induction.h - loops that count.
 *
 * A create-all and a join-all loop are recognised by their counters: where
 * both run from the same value, by the same step, to the same bound, they
 * cover the same elements. */
#ifndef IR_INDUCTION_H
#define IR_INDUCTION_H

#include "ir/cfg.h"

/* A basic induction variable: phi(init from outside, phi + step from inside). */
typedef struct Iv {
	Val phi;
	Val init;
	Val next; /* the register that holds phi + step */
	i64 step; /* not 0; of an address in bytes */
	bool address;
	u16 width;
} Iv;

/* What a loop counts, and until when: it goes on while `tested pred bound`. */
typedef struct Counter {
	Iv iv;
	Val tested;      /* iv.phi, iv.next, or an extension of one of them to a greater width */
	bool after_step; /* tested is iv.next, or an extension of it */
	bool extended;   /* tested is an extension */
	CmpPred pred;
	Val bound;      /* the same in every iteration */
	BlockId test;   /* the block that tests; it runs in every iteration */
	BlockId exit;   /* where it leaves to */
	bool only_exit; /* there is no other edge out of the loop */
} Counter;

/* Says whether phi, a phi of the loop's header, is a basic induction variable;
 * iv may be null. */
bool loop_iv(const Cfg *c, u32 loop, Val phi, Iv *iv);
/* Finds the counter whose test ends the loop: the first in the order of the
 * exits.  False if there is none: then nothing is known of its bounds. */
bool loop_counter(const Cfg *c, u32 loop, Counter *out);
/* The same, with a bound that `same` says is the same each time. */
typedef bool (*SameFn)(void *ctx, Val v);
bool loop_counter_if(const Cfg *c, u32 loop, SameFn same, void *ctx, Counter *out);
/* Is v the same in every iteration of the loop? */
bool loop_invariant(const Cfg *c, u32 loop, Val v);
/* The first counter of the loop's header, whether or not a test of it ends the loop. */
bool loop_first_iv(const Cfg *c, u32 loop, Iv *iv);

#endif
