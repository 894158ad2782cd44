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
/* The state just before ins, for t and an entry state from order_entry; 0: not reached. */
OrderId order_before(const Order *o, ThreadId t, InstId inst, OrderId entry, InsId ins);
/* May a point of t in state p and a point of u in state q run at once?  With
 * t = u: in two instances of it. */
bool order_parallel(const Order *o, ThreadId t, OrderId p, ThreadId u, OrderId q);
/* Can two instances of t overlap in time at all? */
bool order_self_overlap(const Order *o, ThreadId t);
const Set *order_running(const Order *o, OrderId p);

#endif
