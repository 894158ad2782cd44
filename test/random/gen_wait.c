/* gen_wait.c - threads that wait for each other: barriers, semaphores as locks
 * and as signals, flags that are awaited, and locks made of flags, each right
 * or with something amiss; and numbers that
 * tell threads apart: tickets, strides, remainders. */
#include "gen_int.h"

static const Place flag = {.base = BASE_FLAG, .width = 4};

/* Most often the first. */
static u8
order(Gen *g, u8 usual)
{
	return gen_chance(g, 85) ? usual : gen_either(g, ORDER_RELAXED, ORDER_PLAIN);
}

/* What main sets up before all threads. */
void
gen_setup(Gen *g)
{
	static const u8 parties[] = {2, 2, 2, 3, 1};

	g->barrier = gen_chance(g, 35);
	if (g->barrier)
		gen_emit(g, (Stmt){.kind = ST_SIGNAL,
				   .place = {.base = BASE_BARRIER},
				   .mode = EVENT_BARRIER,
				   .num = parties[gen_below(g, COUNT(parties))]});
	if (gen_chance(g, 30))
		gen_emit(g, (Stmt){.kind = ST_SIGNAL,
				   .place = {.base = BASE_SEM},
				   .mode = EVENT_SEM,
				   .num = gen_chance(g, 80) ? 1 : 2});
}

void
gen_barrier(Gen *g)
{
	Stmt s = {.kind = ST_SIGNAL, .place = {.base = BASE_BARRIER}, .mode = EVENT_BARRIER};

	if (!g->barrier)
		return;
	gen_emit(g, s);
	s.kind = ST_AWAIT;
	gen_emit(g, s);
	g->budget--;
}

/* A semaphore around something. */
void
gen_sem_section(Gen *g)
{
	Stmt s = {.kind = ST_AWAIT, .place = {.base = BASE_SEM}, .mode = EVENT_SEM};

	if (!gen_chance(g, 5))
		gen_emit(g, s);
	gen_idioms(g, 1);
	s.kind = ST_SIGNAL;
	if (!gen_chance(g, 5))
		gen_emit(g, s);
	g->budget--;
}

/* Goes on only if the flag is set; or not set. */
void
gen_await_flag(Gen *g)
{
	u8 v = gen_any_num(g);

	gen_emit(
	    g, (Stmt){.kind = ST_LOAD, .place = flag, .var = v, .order = order(g, ORDER_ACQUIRE)});
	gen_emit(g, (Stmt){.kind = ST_ASSUME, .var = v});
	g->budget--;
	gen_access(g);
}

/* A lock made of the flag: who finds 0 there and sets it has it. */
void
gen_flag_section(Gen *g)
{
	u8 v = gen_any_num(g);
	Stmt take = {.kind = gen_either(g, ST_RMW, ST_CAS),
		     .place = flag,
		     .var = v,
		     .order = order(g, gen_either(g, ORDER_ACQUIRE, ORDER_SEQ_CST)),
		     .num = 1,
		     .mode = 1};
	Stmt test = {.kind = ST_IF, .var = v};
	List outer;

	gen_emit(g, take);
	g->budget--;
	outer = gen_open(g);
	gen_access(g);
	if (!gen_chance(g, 8))
		gen_emit(g, (Stmt){.kind = ST_STORE,
				   .place = flag,
				   .order = order(g, gen_either(g, ORDER_RELEASE, ORDER_SEQ_CST))});
	if (gen_chance(g, 92))
		test.other = gen_close(g, outer);
	else
		test.body = gen_close(g, outer);
	gen_emit(g, test);
}

/* The same with a lock around the flag, which is given back meanwhile. */
void
gen_busy_section(Gen *g)
{
	Stmt lock = {.kind = ST_LOCK, .place = {.base = BASE_A}};
	Stmt unlock = {.kind = ST_UNLOCK, .place = {.base = BASE_A}};
	Stmt test = {.kind = ST_IF, .var = gen_any_num(g)};
	List outer;

	gen_emit(g, lock);
	gen_emit(g, (Stmt){.kind = ST_LOAD, .place = flag, .var = test.var});
	outer = gen_open(g);
	gen_emit(g, (Stmt){.kind = ST_STORE, .place = flag, .num = 1});
	gen_emit(g, unlock);
	gen_access(g);
	if (!gen_chance(g, 8))
		gen_emit(g, lock);
	gen_emit(g, (Stmt){.kind = ST_STORE, .place = flag});
	test.other = gen_close(g, outer);
	gen_emit(g, test);
	gen_emit(g, unlock);
	g->budget -= 3;
}

/* Finds the flag, waits for a condition, in which the lock is given back, and finds it again. */
void
gen_cond_section(Gen *g)
{
	Stmt lock = {.kind = ST_LOCK, .place = {.base = BASE_A}};
	Stmt unlock = {.kind = ST_UNLOCK, .place = {.base = BASE_A}};
	Stmt wait = {
	    .kind = ST_AWAIT, .place = {.base = BASE_COND}, .mode = EVENT_COND, .flags = INS_TRY};
	Stmt test = {.kind = ST_IF, .var = gen_any_num(g)};
	List outer;

	gen_emit(g, lock);
	gen_emit(g, (Stmt){.kind = ST_LOAD, .place = flag, .var = test.var});
	outer = gen_open(g);
	gen_emit(g, unlock);
	gen_emit(g, wait);
	gen_emit(g, lock);
	if (gen_chance(g, 50))
		gen_emit(g, (Stmt){.kind = ST_LOAD, .place = flag, .var = test.var});
	if (gen_chance(g, 50))
		gen_emit(g, (Stmt){.kind = ST_ASSUME, .var = test.var});
	if (gen_chance(g, 60))
		gen_access(g);
	test.other = gen_close(g, outer);
	gen_emit(g, test);
	gen_emit(g, (Stmt){.kind = ST_STORE, .place = flag, .num = gen_chance(g, 70)});
	gen_emit(g, unlock);
	if (gen_chance(g, 60))
		gen_access(g);
	g->budget -= 3;
}

static void
element_of(Gen *g, u8 index)
{
	Place cell = {.base = BASE_ARR, .width = 4, .index = (u8)(index + 1)};

	if (gen_chance(g, 30))
		gen_emit(g, (Stmt){.kind = ST_LOAD, .place = cell, .var = V1});
	else
		gen_store(g, cell, 0);
	g->budget--;
}

/* A number that is read and counted on under a lock is its reader's own; main sets the count. */
void
gen_ticket(Gen *g)
{
	Place count = {.base = BASE_Y, .width = 4};
	Stmt lock = {.kind = ST_LOCK, .place = {.base = BASE_A}};
	Stmt unlock = {.kind = ST_UNLOCK, .place = {.base = BASE_A}};
	bool apart = gen_chance(g, 10), back = gen_chance(g, 10);

	if (g->fn == 0 && gen_chance(g, 70)) {
		gen_store(g, count, 0);
		return;
	}
	gen_emit(g, lock);
	gen_emit(g, (Stmt){.kind = ST_LOAD, .place = count, .var = V0});
	if (apart) {
		gen_emit(g, unlock);
		gen_emit(g, lock);
	}
	gen_emit(
	    g,
	    (Stmt){.kind = ST_CALC, .var = V1, .var2 = V0, .mode = BIN_ADD, .num = back ? -1 : 1});
	gen_emit(g, (Stmt){.kind = ST_STORE, .place = count, .var = V1, .num = -1});
	gen_emit(g, unlock);
	g->budget -= 3;
	element_of(g, V0);
}

/* An element by the thread's number, a multiple or a remainder of it. */
void
gen_stride(Gen *g)
{
	static const u8 ops[] = {BIN_MUL, BIN_ADD, BIN_UREM, BIN_AND, BIN_SUB};
	u8 op = ops[gen_below(g, COUNT(ops))];

	if (gen_chance(g, 70))
		gen_emit(g, (Stmt){.kind = ST_CALC,
				   .var = V1,
				   .var2 = V0,
				   .mode = op,
				   .num = 1 + (i32)gen_below(g, 2)});
	element_of(g, gen_chance(g, 70) ? V1 : V0);
}
