/* order_int.h - what order.c and order_loop.c share. */
#ifndef CONC_ORDER_INT_H
#define CONC_ORDER_INT_H

#include "conc/flow.h"
#include "conc/order.h"

/* A create-all loop and the join-all loop that takes back exactly what it
 * made (design: Order); they may be in different functions. */
typedef struct Batch {
	InstId fork_inst, join_inst;
	InsId fork, join;
	BlockId fork_head;  /* entering it with the threads running makes them many */
	Set fork_body;      /* the blocks of the creating loop */
	BlockId join_head;  /* leaving it here means all were joined */
	BlockId join_exit;
} Batch;

typedef Vec(Batch) Batches;

/* All matched loops of the program. */
void order_batches(const Threads *t, Arena *a, Batches *out);

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

void tokens_build(Tokens *k, const Threads *t, Flows *flows, Arena *a);
/* The token that the signal ins gives in inst; 0 none. */
u32 tokens_find(const Tokens *k, InsId ins, InstId inst);
/* The token that the await ins certainly waits for in inst; 0 none. */
u32 tokens_awaited(const Tokens *k, const Pta *p, InstId inst, const Ins *await);

#endif
