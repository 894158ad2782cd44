/* gen_idiom.c - draws the statements of a body.
 *
 * Statements drawn one by one would nearly always race or do nothing, so most
 * of a program is made of idioms with variations that make them right or
 * wrong: critical sections, publication, message passing, hand-over.  Nesting
 * and budget are bounded, so drawing ends. */
#include "gen_int.h"

/* ---- places -------------------------------------------------------------- */

/* Within the first 8 bytes: two numbers, sometimes seen as something else. */
static Place
overlapping(Gen *g, u8 base)
{
	static const Place shapes[] = {{0, 0, 4, 0}, {0, 4, 4, 0}, {0, 0, 4, 0}, {0, 4, 4, 0},
				       {0, 0, 8, 0}, {0, 2, 2, 0}, {0, 5, 1, 0}};
	/* An object of a class has fields, which do not overlap. */
	Place p = shapes[gen_below(g, g->prog->java ? 4 : COUNT(shapes))];

	p.base = base;
	return p;
}

static Place
element(Gen *g)
{
	Place p = {.base = BASE_ARR, .width = 4};

	if (gen_chance(g, 40))
		p.off = gen_either(g, 0, 4);
	else
		p.index = (u8)((gen_any_num(g) + 1) | (gen_chance(g, 80) ? INDEX_MASKED : 0));
	return p;
}

static Place
data(Gen *g)
{
	u32 k = gen_below(g, 100);

	if (k < 35)
		return (Place){.base = BASE_X, .width = 4};
	if (k < 50)
		return (Place){.base = BASE_Y, .width = 4};
	if (k < 63)
		return overlapping(g, BASE_S);
	if (k < 75)
		return element(g);
	if (k < 77)
		return (Place){.base = BASE_TLS, .width = 4};
	return overlapping(g, gen_any_ptr(g));
}

static Place
lock_place(Gen *g)
{
	u32 k = gen_below(g, 100);

	if (k < 45)
		return (Place){.base = BASE_A};
	if (k < 60)
		return (Place){.base = BASE_B};
	if (k < 72)
		return (Place){.base = BASE_R};
	if (k < 80)
		return (Place){.base = BASE_S, .off = OFF_LOCK};
	return (Place){.base = gen_any_ptr(g), .off = OFF_LOCK};
}

static Place
pointer_cell(Gen *g)
{
	if (gen_chance(g, 80))
		return (Place){.base = BASE_PTR, .width = 8};
	return (Place){.base = gen_any_ptr(g), .off = OFF_NEXT, .width = 8};
}

/* ---- single accesses ----------------------------------------------------- */

static void
emit_load(Gen *g, Place p, u8 order)
{
	gen_emit(g, (Stmt){.kind = ST_LOAD, .place = p, .var = gen_any_num(g), .order = order});
	g->budget--;
}

/* Stores a variable or, most often, a constant. */
static void
emit_store(Gen *g, Place p, u8 order)
{
	Stmt s = {.kind = ST_STORE, .place = p, .order = order, .num = 1 + (i32)gen_below(g, 2)};

	if (gen_chance(g, 20))
		s.num = -1, s.var = gen_any_num(g);
	gen_emit(g, s);
	g->budget--;
}

void
gen_store(Gen *g, Place p, u8 flags)
{
	emit_store(g, p, ORDER_PLAIN);
	g->prog->stmts.at[g->list.last].flags = flags;
}

void
gen_access(Gen *g)
{
	Place p = data(g);
	u8 order = gen_chance(g, 6) ? ORDER_RELAXED : ORDER_PLAIN;

	if (gen_chance(g, 10)) /* p++ */
		emit_load(g, p, order);
	else if (gen_chance(g, 40)) {
		emit_load(g, p, order);
		return;
	}
	emit_store(g, p, order);
}

static void
access_bytes(Gen *g)
{
	Place p = {.base = gen_either(g, BASE_S, gen_any_ptr(g)),
		   .width = (u8)(4 + 4 * gen_below(g, 2))};
	static const u8 kinds[] = {ST_BCOPY, ST_WRITEN, ST_READN};

	if (g->prog->java)
		return;
	p.off = p.width == 4 ? gen_either(g, 0, 4) : 0;
	gen_emit(g, (Stmt){.kind = kinds[gen_below(g, 3)],
			   .place = p,
			   .place2 = {.base = gen_any_ptr(g), .width = p.width}});
	g->budget--;
}

static void
access_atomic(Gen *g)
{
	u8 order = (u8)(ORDER_RELAXED + gen_below(g, 5));
	Place p = {.base = gen_chance(g, 80) ? BASE_FLAG : BASE_X, .width = 4};

	Stmt s = {.kind = gen_chance(g, 70) ? ST_RMW : ST_CAS,
		  .place = p,
		  .var = gen_any_num(g),
		  .order = order,
		  .num = 1};

	if (s.kind == ST_CAS)
		s.mode = (u8)gen_below(g, 3);
	gen_emit(g, s);
	g->budget--;
}

/* ---- locks --------------------------------------------------------------- */

static Stmt
locking(Gen *g, u8 kind, Place lock)
{
	Stmt s = {.kind = kind, .place = lock, .var = gen_any_num(g)};

	if (lock.base == BASE_R && gen_chance(g, 60))
		s.mode = LOCK_READ;
	return s;
}

/* Locks or unlocks, by hand or through the wrapper. */
static void
emit_lock(Gen *g, Stmt s, bool wrapped)
{
	if (wrapped) {
		s.fn = (u8)gen_fn_of(g, s.kind == ST_LOCK ? FN_LOCKER : FN_UNLOCKER);
		s.kind = ST_CALL;
		s.mode = 0;
	}
	gen_emit(g, s);
	g->budget -= s.kind != ST_UNLOCK;
}

static void
section(Gen *g)
{
	Stmt s = locking(g, ST_LOCK, lock_place(g));
	bool twice = s.mode == LOCK_WRITE && gen_chance(g, 8);
	bool wrapped = s.mode == LOCK_WRITE && !twice && gen_chance(g, 25);

	if (twice)
		s.flags = INS_RECURSIVE;
	for (int k = 0; k <= twice; k++)
		emit_lock(g, s, wrapped);
	if (twice && gen_chance(g, 50)) {
		s.kind = ST_UNLOCK;
		emit_lock(g, s, false);
		twice = false;
	}
	gen_idioms(g, 1 + gen_below(g, 2));
	s.kind = ST_UNLOCK;
	for (int k = 0; k <= twice; k++)
		if (!gen_chance(g, 3))
			emit_lock(g, s, wrapped);
}

/* d[i] under l[i], or under another lock of the array */
static void
indexed_section(Gen *g)
{
	u8 index = (u8)((gen_any_num(g) + 1) | (gen_chance(g, 80) ? INDEX_MASKED : 0));
	Place lock = {.base = BASE_LOCKS, .width = 8, .index = index},
	      cell = {.base = BASE_ARR, .width = 4, .index = index};

	if (gen_chance(g, 15))
		lock.index = 0;
	if (gen_chance(g, 15))
		cell = element(g);
	emit_lock(g, (Stmt){.kind = ST_LOCK, .place = lock}, false);
	if (gen_chance(g, 50))
		gen_emit(g, (Stmt){.kind = ST_LOAD, .place = cell, .var = V1});
	else
		emit_store(g, cell, ORDER_PLAIN);
	if ((index & ~INDEX_MASKED) - 1 != V1 || lock.index == 0 || gen_chance(g, 30))
		emit_lock(g, (Stmt){.kind = ST_UNLOCK, .place = lock}, false);
}

static void
try_section(Gen *g)
{
	Stmt s = locking(g, ST_TRYLOCK, lock_place(g));
	Stmt test = {.kind = ST_IF, .var = s.var, .flat = gen_chance(g, 15)};
	List outer;
	u32 body;

	gen_emit(g, s);
	g->budget--;
	outer = gen_open(g);
	gen_idioms(g, 1);
	if (!test.flat)
		gen_emit(g, (Stmt){.kind = ST_UNLOCK, .place = s.place, .mode = s.mode});
	body = gen_close(g, outer);
	if (gen_chance(g, 50)) /* success is zero */
		test.other = body;
	else
		test.body = body, test.num = 1;
	gen_emit(g, test);
}

/* ---- branches ------------------------------------------------------------ */

static void
branching(Gen *g)
{
	Stmt s = {.kind = ST_IF, .var = gen_any_num(g)};
	List outer;

	if (gen_chance(g, 60))
		gen_emit(g, (Stmt){.kind = ST_NONDET, .var = s.var});
	outer = gen_open(g);
	gen_idioms(g, 1);
	s.body = gen_close(g, outer);
	if (gen_chance(g, 50)) {
		outer = gen_open(g);
		gen_idioms(g, 1);
		s.other = gen_close(g, outer);
	}
	gen_emit(g, s);
}

static void
looping(Gen *g)
{
	Stmt s = {.kind = ST_LOOP, .num = 2};
	List outer = gen_open(g);

	g->budget -= 2;
	gen_idioms(g, 1);
	s.body = gen_close(g, outer);
	gen_emit(g, s);
}

static void
leaving(Gen *g)
{
	static const u8 kinds[] = {ST_RETIF, ST_RETIF, ST_ASSUME, ST_EXIT, ST_TEXIT};
	u8 v = gen_any_num(g);

	if (gen_chance(g, 60))
		gen_emit(g, (Stmt){.kind = ST_NONDET, .var = v});
	gen_emit(g, (Stmt){.kind = kinds[gen_below(g, COUNT(kinds))], .var = v});
}

/* ---- passing objects and messages ---------------------------------------- */

void
gen_new_object(Gen *g, u8 var)
{
	gen_emit(g, (Stmt){.kind = ST_ALLOC,
			   .var = var,
			   .cls = g->prog->java ? (u8)gen_below(g, 3) : 0,
			   .mode = gen_chance(g, 90) ? ALLOC_HEAP : ALLOC_STACK});
}

/* Emits s, with a lock around it or not. */
static void
maybe_locked(Gen *g, Stmt s, bool locked)
{
	Place lock = {.base = gen_chance(g, 80) ? BASE_A : BASE_B};

	if (locked)
		emit_lock(g, (Stmt){.kind = ST_LOCK, .place = lock}, false);
	gen_emit(g, s);
	g->budget--;
	if (locked)
		emit_lock(g, (Stmt){.kind = ST_UNLOCK, .place = lock}, false);
}

static void
publish(Gen *g)
{
	static const u8 orders[] = {ORDER_PLAIN, ORDER_RELAXED, ORDER_RELEASE, ORDER_RELEASE,
				    ORDER_SEQ_CST};
	bool locked = gen_chance(g, 50);
	u8 order = locked ? ORDER_PLAIN : orders[gen_below(g, COUNT(orders))];
	Place field = overlapping(g, BASE_P1);

	gen_new_object(g, P1);
	if (gen_chance(g, 80))
		emit_store(g, field, ORDER_PLAIN);
	if (gen_chance(g, 15)) /* reached through another object */
		gen_emit(g, (Stmt){.kind = ST_PSTORE,
				   .place = {.base = BASE_P0, .off = OFF_NEXT, .width = 8},
				   .var = P1});
	maybe_locked(g,
		     (Stmt){.kind = ST_PSTORE, .place = pointer_cell(g), .var = P1, .order = order},
		     locked);
	if (gen_chance(g, 30))
		emit_store(g, field, ORDER_PLAIN);
}

static void
receive(Gen *g)
{
	static const u8 orders[] = {ORDER_PLAIN, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE,
				    ORDER_SEQ_CST};
	bool locked = gen_chance(g, 50);
	u8 order = locked ? ORDER_PLAIN : orders[gen_below(g, COUNT(orders))];
	Stmt test = {.kind = ST_IFP, .var = P1};
	List outer;

	maybe_locked(g,
		     (Stmt){.kind = ST_PLOAD, .place = pointer_cell(g), .var = P1, .order = order},
		     locked);
	outer = gen_open(g);
	if (gen_chance(g, 50))
		emit_load(g, overlapping(g, BASE_P1), ORDER_PLAIN);
	else
		emit_store(g, overlapping(g, BASE_P1), ORDER_PLAIN);
	if (!g->prog->java && gen_chance(g, 10))
		gen_emit(g, (Stmt){.kind = ST_FREE, .var = P1});
	test.body = gen_close(g, outer);
	test.flat = gen_chance(g, 10);
	gen_emit(g, test);
}

static void
send(Gen *g)
{
	static const u8 orders[] = {ORDER_PLAIN, ORDER_RELAXED, ORDER_RELEASE, ORDER_RELEASE,
				    ORDER_SEQ_CST};

	gen_access(g);
	if (gen_chance(g, 10))
		gen_emit(g, (Stmt){.kind = ST_FENCE, .order = ORDER_RELEASE});
	emit_store(g, (Place){.base = BASE_FLAG, .width = 4}, orders[gen_below(g, COUNT(orders))]);
}

static void
answer(Gen *g)
{
	static const u8 orders[] = {ORDER_PLAIN, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE,
				    ORDER_SEQ_CST};
	Stmt test = {.kind = ST_IF, .var = gen_any_num(g)};
	List outer;

	gen_emit(g, (Stmt){.kind = ST_LOAD,
			   .place = {.base = BASE_FLAG, .width = 4},
			   .var = test.var,
			   .order = orders[gen_below(g, COUNT(orders))]});
	g->budget--;
	if (gen_chance(g, 10))
		gen_emit(g, (Stmt){.kind = ST_FENCE, .order = ORDER_ACQUIRE});
	outer = gen_open(g);
	gen_access(g);
	test.body = gen_close(g, outer);
	gen_emit(g, test);
}

static void
event(Gen *g)
{
	bool cond = gen_chance(g, 30);
	Stmt s = {.kind = gen_chance(g, 50) ? ST_SIGNAL : ST_AWAIT,
		  .place = {.base = cond ? BASE_COND : BASE_SEM}};

	s.mode = cond ? EVENT_COND : EVENT_SEM;
	if (s.kind == ST_AWAIT && gen_chance(g, cond ? 60 : 20))
		s.flags = INS_TRY;
	gen_emit(g, s);
	g->budget--;
}

static void
point(Gen *g)
{
	if (gen_chance(g, 40))
		gen_new_object(g, gen_either(g, P0, P1));
	else if (!g->prog->java && gen_chance(g, 15))
		gen_emit(g, (Stmt){.kind = ST_FREE, .var = gen_either(g, P0, P1)}), g->budget--;
	else
		gen_emit(g, (Stmt){.kind = ST_PSET,
				   .var = gen_either(g, P0, P1),
				   .var2 = gen_either(g, P0, P1),
				   .num = (i32)gen_below(g, 2)});
}

/* ---- calls and threads --------------------------------------------------- */

static void
call(Gen *g)
{
	Stmt s = {.kind = gen_chance(g, 80) ? ST_CALL : ST_ICALL,
		  .place = {.base = gen_any_ptr(g)},
		  .var = gen_any_num(g)};
	u32 helper = gen_fn_of(g, FN_HELPER), end = gen_fn_of(g, FN_LOCKER);
	u32 from = MAX(g->fn + 1, g->fn ? helper : helper - 1); /* main may call the starter, too */

	if (from >= end)
		return;
	s.mode = s.kind == ST_ICALL && g->fp && gen_chance(g, 60);
	s.fn = (u8)(from + gen_below(g, end - from));
	s.fn2 = (u8)(from + gen_below(g, end - from));
	gen_emit(g, s);
	g->budget -= 2;
}

void
gen_fork(Gen *g, u8 fn, u8 handle)
{
	static const u8 modes[] = {FORK_REGISTER, FORK_REGISTER, FORK_STACK,
				   FORK_STACK,    FORK_GLOBAL,   FORK_MAY_FAIL};

	if (g->forks == 0)
		return;
	g->forks--;
	gen_emit(g, (Stmt){.kind = ST_FORK,
			   .fn = fn,
			   .var = handle,
			   .mode = modes[gen_below(g, COUNT(modes))],
			   .place = {.base = gen_any_ptr(g)},
			   .var2 = gen_any_num(g),
			   .num = gen_chance(g, 40) ? 1 + (i32)gen_below(g, 2) : 0});
}

void
gen_join(Gen *g, u8 handle)
{
	if (gen_chance(g, 6))
		gen_emit(g, (Stmt){.kind = ST_HLOAD, .var = handle});
	if (gen_chance(g, 6))
		gen_emit(g, (Stmt){.kind = ST_HSELECT, .var = handle, .var2 = gen_any_num(g)});
	gen_emit(g, (Stmt){.kind = gen_chance(g, 94) ? ST_JOIN : ST_TRYJOIN,
			   .var = handle,
			   .flags = g->prog->java && gen_chance(g, 25) ? INS_THROWS : 0,
			   .var2 = gen_any_num(g)});
}

/* A thread that starts the last thread function, and may wait for it. */
static void
fork_inside(Gen *g)
{
	if (g->fn >= 2 || g->forks == 0)
		return;
	gen_fork(g, 2, H0);
	if (gen_chance(g, 40))
		gen_idioms(g, 1);
	if (gen_chance(g, 60))
		gen_join(g, H0);
	else if (gen_chance(g, 20) && !g->prog->java)
		gen_emit(g, (Stmt){.kind = ST_DETACH, .var = H0});
}

/* A thread that starts itself again, once, and lends it an object. */
static void
fork_self(Gen *g)
{
	Stmt test = {.kind = ST_IF, .var = V0};
	List outer;

	if (g->fn != 1 || g->forks == 0)
		return;
	g->forks = 0;
	outer = gen_open(g);
	gen_new_object(g, P1);
	if (gen_chance(g, 70))
		emit_store(g, overlapping(g, BASE_P1), ORDER_PLAIN);
	gen_emit(g, (Stmt){.kind = ST_CALC, .var = V1, .var2 = V0, .mode = BIN_AND, .num = 0});
	gen_emit(g, (Stmt){.kind = ST_FORK,
			   .fn = 1,
			   .var = H0,
			   .mode = gen_either(g, FORK_STACK, FORK_MAY_FAIL),
			   .place = {.base = gen_chance(g, 85) ? BASE_P1 : BASE_P0},
			   .var2 = V1,
			   .num = gen_chance(g, 30)});
	if (gen_chance(g, 15))
		gen_access(g);
	if (gen_chance(g, 80))
		gen_join(g, H0);
	emit_load(g, overlapping(g, BASE_P1), ORDER_PLAIN);
	test.body = gen_close(g, outer);
	gen_emit(g, test);
	if (gen_chance(g, 70))
		emit_store(g, overlapping(g, BASE_P0), ORDER_PLAIN);
}

static const struct Idiom {
	u32 weight;
	void (*make)(Gen *g);
	bool nests;
} idiom_table[] = {
    {300, gen_access, false},
    {220, section, true},
    {30, try_section, true},
    {50, send, false},
    {60, answer, false},
    {60, publish, false},
    {70, receive, false},
    {60, call, false},
    {30, indexed_section, false},
    {50, branching, true},
    {15, looping, true},
    {40, access_atomic, false},
    {25, access_bytes, false},
    {25, fork_inside, true},
    {60, fork_self, true},
    {20, event, false},
    {40, point, false},
    {12, leaving, false},
    {60, gen_barrier, false},
    {25, gen_sem_section, true},
    {40, gen_ticket, false},
    {25, gen_stride, false},
    {25, gen_await_flag, false},
    {40, gen_flag_section, false},
    {25, gen_busy_section, false},
    {20, gen_cond_section, false},
};

static void
idiom(Gen *g)
{
	u32 sum = 0, k;

	if (g->prog->java && g->depth < 4 && gen_chance(g, 35)) {
		gen_java(g);
		return;
	}
	for (u32 i = 0; i < COUNT(idiom_table); i++)
		sum += idiom_table[i].weight;
	k = gen_below(g, sum);
	for (u32 i = 0; i < COUNT(idiom_table); i++) {
		if (k < idiom_table[i].weight) {
			if (g->depth < 4 || !idiom_table[i].nests)
				idiom_table[i].make(g);
			return;
		}
		k -= idiom_table[i].weight;
	}
}

void
gen_idioms(Gen *g, u32 max)
{
	g->depth++;
	for (u32 i = 0; i < max && g->budget > 0; i++)
		idiom(g);
	g->depth--;
}
