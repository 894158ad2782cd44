/* order_int.h - what the files of the order analysis share. */
#ifndef CONC_ORDER_INT_H
#define CONC_ORDER_INT_H

#include "base/graph.h"
#include "base/heap.h"
#include "conc/flow.h"
#include "conc/order.h"
#include "conc/steady.h"
#include "base/map.h"

/* A create-all loop and the join-all loop that takes back exactly what it
 * made (design: Order); they may be in different functions. */
typedef struct Batch {
	InstId fork_inst, join_inst;
	InstId
	    loop_inst; /* whose function has the creating loop: that of the fork, or its caller's */
	InsId fork, join;
	BlockId fork_head; /* entering it with the threads running makes them many; 0: no loop */
	Set fork_body;     /* the blocks of the creating loop */
	BlockId join_head; /* leaving it here means all were joined */
	BlockId join_exit;
	Val fork_count, join_count; /* the counters: what one round makes the same takes back */
	bool several;               /* other forks store their handles there too */
	bool here; /* the bounds are alike within one activation: only for what that has started */
} Batch;

typedef Vec(Batch) Batches;

typedef struct InstPoint {
	InstId inst;
	InsId ins;
} InstPoint;

typedef Vec(InstPoint) InstPoints;

/* An edge that is taken only where the handle of these threads is zero; see order_null.c. */
typedef struct NullEdge {
	InstId inst;
	BlockId from;
	u32 succ;
	ThreadId only; /* in this one; 0: in any */
	Set threads;
} NullEdge;

/* All matched loops of the program; *taken: see order_takes_back; *likely: see order_joins_likely. */
void order_batches(const Threads *t, Steady *steady, Arena *a, Batches *out, InstPoints *taken,
		   InstPoints *likely);

/* Is the memory that handle h was loaded from this thread's own, so that no
 * other instance of the code can have put its handle there? */
bool order_private(const Threads *t, InstId inst, Val handle);

/* A signal that is given at most once, at one place: who has waited for it
 * comes after all that its sender did before it. */
typedef struct Token {
	SlotId slot;
	InsId ins;
	InstId inst;
	ThreadId sender;
} Token;

typedef struct Tokens {
	Token *at; /* [1 .. n] */
	u32 n;
} Tokens;

void tokens_build(Tokens *k, const Threads *t, Arena *a);
/* The token that the signal ins gives in inst; 0 none. */
u32 tokens_find(const Tokens *k, InsId ins, InstId inst);
/* The token that the await ins certainly waits for in inst; 0 none. */
u32 tokens_awaited(const Tokens *k, const Pta *p, InstId inst, const Ins *await);

/* ---- the solver's state --------------------------------------------------- */

enum {
	MAX_FRAMES = 8, /* per thread and instance, before entries merge */
	/* In all, before only one entry of each is told from the others; each may
	 * lead to as many below it. */
	MANY_FRAMES = 8000,
	/* In all, before what enters a function that has no frame yet is taken to be any
	 * state that its thread can be in: it climbs no further from there. */
	HUGE_FRAMES = 200000,
	MAX_NESTED = 200, /* frames that are solved while another is */
	ORDER_BITS = 26,  /* of a rank and of a frame */
	ORDER_ROUNDS = 4095
};

typedef struct OrderState {
	SetId running, many;
	/* threads that have ended, tokens (from o->t->at.n on) whose signal has come,
	 * and behind those (order_started) threads that were started */
	SetId ended;
	SetId sent; /* tokens that this thread may have signalled */
} OrderState;

/* The callee's frame for an entry that nothing else will stand for: 0 none yet. */
typedef struct OrderUsed {
	OrderId entry;
	u32 frame;
} OrderUsed;

typedef struct Frame {
	ThreadId thread;
	InstId inst;
	OrderId entry;   /* it grows where it stands for several */
	OrderId *in;     /* [block] */
	u64 *dirty;      /* bits by position in reverse postorder: the block's state has changed */
	u64 *again;      /* likewise: a frame that it calls there has other exits since */
	OrderId exit;    /* at returns */
	OrderId raise;   /* at uncaught throws */
	Set users;       /* frames that have called it */
	OrderUsed *used; /* [edge of inst]: by its call last */
	bool seen;       /* it has been solved, or that has begun */
	bool all;        /* anything that it used may have changed, not only exits of frames */
} Frame;

/* Order.due of a frame: many are asked for it that are not due, which stays near. */
enum {
	DUE_QUEUED = 1,
	DUE_STALE = 2, /* what it used has changed since it was solved */
	DUE_USES = 4   /* it has called the frame whose exits have just changed */
};

/* The frames of one thread and instance. */
typedef struct Group {
	u32 n;
	u32 frames[MAX_FRAMES];
	OrderId entry[MAX_FRAMES]; /* of each */
	OrderId wide;              /* once full: covers every further entry */
	u32 wide_frame;
} Group;

/* See order_plan.c.  Frames are solved again and again: what is asked of an instruction
 * lies in its step. */
typedef struct OrderStep {
	InsId ins; /* 0: something may throw */
	u8 op;
	bool throws;        /* it may itself, whatever it calls */
	bool passes;        /* what it calls may */
	bool once;          /* a call that takes place, and once */
	u32 ntarget;        /* of a call */
	const Edge *target; /* these */
} OrderStep;
/* Is it a call that takes place, and once? */
static inline bool
order_calls_once(const Ins *i)
{
	return i->op == OP_CALL && i->sub != CALL_REPEAT && i->sub != CALL_MAYBE;
}

typedef struct OrderPlan {
	u32 *first; /* [block]: the first of its steps; the next block's end them */
	OrderStep *steps;
	InsId *ins; /* [step]: for those who ask for nothing else */
	u32 *live;  /* blocks, in reverse postorder */
	u32 nlive;
	bool edges; /* some edge may change the state */
	struct OrderFirst *firsts;
	u32 nfirst;
} OrderPlan;

/* See order_first.c: an edge that only the first round of a loop takes. */
typedef struct OrderFirst {
	BlockId from;
	u32 succ;
	BlockId header;
	Set body;
} OrderFirst;

struct Order {
	Arena *arena;
	Arena solving; /* for what only solving needs */
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	Steady *steady;
	SetPool sets;
	Intern states;
	Map joins;         /* memo of order_join */
	bool *moves;       /* [InstId] */
	OrderPlan **plans; /* [InstId]: null, not made yet */
	Batches batches;
	InstPoints taken, likely;
	Vec(NullEdge) nulls;
	Vec(Frame) frames;
	Vec(u8) due; /* [frame] */
	Vec(Group) groups;
	Map entered;     /* (frame, header of a loop) -> the state in which the loop was entered */
	u32 *group_of;   /* [thread * instances + inst]: its group */
	OrderId *start;  /* [ThreadId] */
	OrderId *widest; /* [ThreadId]: covers all entries past HUGE_FRAMES */
	Tokens tokens;
	OrderId *end;    /* [ThreadId]: at all its exits */
	Set *end_users;  /* [ThreadId]: frames that join it */
	OrderId *sent;   /* [token]: the states in which it was signalled, united */
	Set *sent_users; /* [token]: frames that wait for it */
	Set *forks;      /* [ThreadId]: states in which it was forked */
	Heap todo;       /* round, rank and frame */
	u64 round, at;   /* those of the frame that was taken last */
	u32 *rank;       /* [InstId]: callees before callers, where that is possible */
	SetId *below;    /* [InstId]: the threads that it, or what it calls, may fork */
	Set stored; /* slots that anything but a fork's handle may be stored to, see order_handle.c */
	bool passes_null; /* some join passes if its thread was not started */
	Map stays;        /* (instance, load) -> is what it finds there to stay, plus 1 */
	Map eithers;      /* two ThreadIds -> see order_either, plus 1 */
	Map own_joins;    /* InsId of a join -> see order_own_start, plus 1 */
	bool *self;       /* [ThreadId]: two instances may overlap; set after solving */
	u32 cur;          /* the frame being solved, 0 after solving */
	u32 nested;       /* frames that wait for it */
};

/* Threads that another one may end, order_stop.c: gives each its end. */
void order_find_stopped(Order *o);
/* Adds the threads that a handle may name; false if it may be anything else. */
bool order_named(const Order *o, InstId inst, Val handle, Set *out);

OrderId order_intern(Order *o, OrderState s);
OrderState order_get(const Order *o, OrderId id);

/* The member of OrderState.ended that says: x was started. */
static inline u32
order_started(const Order *o, ThreadId x)
{
	return o->t->at.n + o->tokens.n + 1 + x;
}

/* order_handle.c: fills o->stored, if some join passes on null. */
void order_find_stored(Order *o);
/* Is the handle of the join not null if its thread was started before? */
bool order_sure_handle(const Order *o, InstId inst, InsId join);
/* Is the handle that of the thread which this very activation started last, on
 * the same object?  Such an object is started once. */
bool order_own_start(Order *o, InstId inst, InsId join);
/* order_either.c: is at most one of the two, of one creator, ever started? */
bool order_either(Order *o, ThreadId x, ThreadId y);
/* Does the creator of x, of which there is one, never run that once it has started x? */
bool order_before_start(const Order *o, ThreadId x, InstId inst, InsId ins);

/* order_frame.c: the frame for an entry, new if need be; its entry may be wider. */
u32 order_need_frame(Order *o, ThreadId t, InstId inst, OrderId entry);
/* The frame for an entry among those there are; 0 none. */
u32 order_find_frame(const Order *o, ThreadId t, InstId inst, OrderId entry);
/* A frame is to be solved again. */
void order_again(Order *o, u32 frame);
void order_enqueue_all(Order *o, const Set *frames);
/* The frames of its thread's callers are due; those that called this one are stale where they
 * did. */
void order_enqueue_users(Order *o, u32 frame);
/* The frame being solved has called this one. */
/* The frame for a call by edge e of the frame being solved, which will be told of its exits. */
u32 order_use(Order *o, const Edge *e, OrderId entry);
/* order.c: solves a new frame before its user goes on, unless too many wait. */
void order_solve_now(Order *o, u32 frame);

/* order_below.c: fills o->below. */
void order_find_below(Order *o, const Graph *calls, const Sccs *sccs);
/* What of an exit of the frame holds for a call in state `before`, which its entry covers. */
OrderId order_of_entry(Order *o, u32 frame, OrderId exit, OrderId before);

/* order_plan.c: of an instance that moves. */
const OrderPlan *order_plan(Order *o, InstId inst);

static inline void
order_mark(const Flow *flow, u64 *bits, BlockId b)
{
	u32 at = flow->rank[b] - 1;

	bits[at / 64] |= (u64)1 << at % 64;
}

/* order_first.c: fills plan->firsts; and the state along an edge, if the plan has any. */
void order_find_firsts(Order *o, InstId inst, OrderPlan *plan);
OrderId order_first(Order *o, const OrderPlan *plan, const Flow *flow, u32 frame, BlockId from,
		    u32 succ, OrderId s);

/* order_step.c: the state after an instruction; 0: control does not pass it.
 * What a callee may throw is united into *raise. */
OrderId order_transfer(Order *o, ThreadId t, InstId inst, InsId id, OrderId s, OrderId *raise);
/* The same of a call that takes place, and once. */
OrderId order_call(Order *o, ThreadId t, const Edge *e, u32 n, OrderId s, OrderId *raise);
/* Is the fork that of a loop, whose threads are many where that starts anew only? */
bool order_batched(const Order *o, InstId inst, InsId fork);
/* The state after x has ended. */
OrderId order_end_of(Order *o, ThreadId x, OrderId before);
/* order_task.c: the state behind a wait for the threads that have a name. */
OrderId order_task(Order *o, InstId inst, const Ins *ins, OrderId before);
OrderId order_not_named(Order *o, const Frame *f, BlockId from, u32 succ, OrderId s);
/* The state along the edge of block `from` to its successor number succ. */
OrderId order_edge(Order *o, const Frame *f, BlockId from, u32 succ, OrderId s);

/* order_cond.c: the same without the threads that the edge tells were not started. */
OrderId order_not_started(Order *o, const Frame *f, BlockId from, u32 succ, OrderId s);
/* Was none of x running as the activation began, so that all of it that may run it has started? */
bool order_starts_here(const Order *o, const Frame *f, ThreadId x);
/* The same, by forks of its own: nothing that it calls starts one. */
bool order_starts_itself(const Order *o, const Frame *f, ThreadId x);

/* order_null.c: fills o->nulls; and the same without those whose handle the edge tells is zero. */
void order_find_nulls(Order *o);
OrderId order_null_handle(Order *o, const Frame *f, BlockId from, u32 succ, OrderId s);

/* order_parallel.c: may two instances of t overlap, as the forks say? */
bool order_overlaps_itself(const Order *o, ThreadId t);

#endif
