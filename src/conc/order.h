/* order.h - which threads may be running at each point.
 *
 * At each point of a thread, flow-sensitively: R, the threads that it started,
 * directly or not, that may still be running, each standing for itself and all
 * that it may start; M, those of R that may run more than once at a time; and
 * J, the unique threads that have certainly ended.  An OrderId is an interned
 * (R, M, J).  Computed per thread, top down, one entry state at a time:
 * an instance that is entered in several states keeps them apart up to a
 * bound, then unites R and M and intersects J. */
#ifndef CONC_ORDER_H
#define CONC_ORDER_H

#include "conc/threads.h"

typedef u32 OrderId; /* 1 is the state at main's start: nothing runs, nothing ended */

typedef struct Order Order;

Order *order_solve(Arena *a, const Threads *t);
/* The state at the start of a thread. */
OrderId order_start(const Order *o, ThreadId t);
/* The state in which inst, entered by t in state entry, was analysed: entry
 * itself, or wider. */
OrderId order_entry(const Order *o, ThreadId t, InstId inst, OrderId entry);
/* The state at the start of a block, for t and an entry state from
 * order_entry; 0: not reached. */
OrderId order_block(const Order *o, ThreadId t, InstId inst, OrderId entry, BlockId b);
/* The same for all blocks: an array by BlockId; null if none is reached.  For an
 * instance that moves. */
const OrderId *order_blocks(const Order *o, ThreadId t, InstId inst, OrderId entry);
/* The instructions of block b that may change the state, in order; zeros between
 * them count for nothing.  For an instance that moves. */
const u32 *order_steps(Order *o, InstId inst, BlockId b, u32 *n);
/* The state after ins, from the one before it; 0: control does not pass ins. */
OrderId order_step(Order *o, ThreadId t, InstId inst, InsId ins, OrderId before);
/* R and M united, J intersected. */
OrderId order_join(Order *o, OrderId x, OrderId y);
/* Can inst, or what it calls, start or join a thread?  If not, its state is
 * its entry state throughout. */
bool order_moves(const Order *o, InstId inst);
/* Does the loop of the join wait for all that this activation of its function has started, with
 * handles in memory that it made itself?  Others may have started more. */
bool order_takes_back(const Order *o, InstId inst, InsId join);
/* Does the loop of the join wait for all that some loops started, unless one of these ends before it
 * begins? */
bool order_joins_likely(const Order *o, InstId inst, InsId join);
/* May a point of t in state p and a point of u in state q run at once?  With
 * t = u: in two instances of it. */
bool order_parallel(const Order *o, ThreadId t, OrderId p, ThreadId u, OrderId q);
/* May u, a descendant of a, or what leads to it, be running at a point of a in state p? */
bool order_runs(const Order *o, ThreadId a, OrderId p, ThreadId u);
/* Can two instances of t overlap in time at all? */
bool order_self_overlap(const Order *o, ThreadId t);
/* Is t ever forked where one that its creator no longer keeps track of may
 * still run: not joined by the loop that created it? */
bool order_piles_up(const Order *o, ThreadId t);
/* A loop of inst, the k-th, that joins in each round what one round of the loop that
 * forked t has made: the join, and the registers that count the rounds. */
typedef struct Rounds {
	InsId join;
	Val fork_count, join_count;
} Rounds;
bool order_rounds(const Order *o, ThreadId t, InstId inst, u32 k, Rounds *out);
const Set *order_running(const Order *o, OrderId p);
const Set *order_ended(const Order *o, OrderId p);
/* The states in which t was forked. */
const Set *order_forks(const Order *o, ThreadId t);

#endif
