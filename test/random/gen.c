/* gen.c - draws a program.
 *
 * Statements drawn one by one would nearly always race or do nothing, so most
 * of a program is made of idioms with variations that make them right or
 * wrong: critical sections, publication, message passing, hand-over, fork and
 * join shapes.  Budgets keep a program so small that all its schedules can be
 * run. */
#include "gen.h"

/* A list of statements being built. */
typedef struct List {
	u32 first, last;
} List;

typedef struct Gen {
	Prog *prog;
	Arena *arena;
	u64 x;
	List list;
	i32 budget; /* visible steps left in this function */
	u32 fn;     /* being made */
	u32 depth;  /* of nesting */
	u32 forks;  /* left in the program */
	bool fp;    /* main has set the function pointer */
} Gen;

static void idioms(Gen *g, u32 max);

/* ---- randomness ---------------------------------------------------------- */

static u32
below(Gen *g, u32 n)
{
	g->x ^= g->x >> 12;
	g->x ^= g->x << 25;
	g->x ^= g->x >> 27;
	return (u32)((g->x * 0x2545f4914f6cdd1du >> 32) % n);
}

static bool
chance(Gen *g, u32 percent)
{
	return below(g, 100) < percent;
}

static u8
either(Gen *g, u8 a, u8 b)
{
	return below(g, 2) ? a : b;
}

/* ---- statements ---------------------------------------------------------- */

static u32
emit(Gen *g, Stmt s)
{
	u32 id = g->prog->stmts.n;

	vec_push(g->arena, &g->prog->stmts, s);
	if (g->list.last)
		g->prog->stmts.at[g->list.last].next = id;
	else
		g->list.first = id;
	g->list.last = id;
	return id;
}

/* What is emitted until close goes into a list of its own. */
static List
open(Gen *g)
{
	List outer = g->list;

	g->list = (List){0};
	g->depth++;
	return outer;
}

static u32
close(Gen *g, List outer)
{
	u32 first = g->list.first;

	g->list = outer;
	g->depth--;
	return first;
}

static u8
any_ptr(Gen *g)
{
	return either(g, BASE_P0, BASE_P1);
}

static u8
any_num(Gen *g)
{
	return either(g, V0, V1);
}

/* ---- places -------------------------------------------------------------- */

/* Within the first 8 bytes: two numbers, sometimes seen as something else. */
static Place
overlapping(Gen *g, u8 base)
{
	static const Place shapes[] = {{0, 0, 4, 0}, {0, 4, 4, 0}, {0, 0, 4, 0}, {0, 4, 4, 0},
				       {0, 0, 8, 0}, {0, 2, 2, 0}, {0, 5, 1, 0}};
	Place p = shapes[below(g, COUNT(shapes))];

	p.base = base;
	return p;
}

static Place
element(Gen *g)
{
	Place p = {.base = BASE_ARR, .width = 4};

	if (chance(g, 40))
		p.off = either(g, 0, 4);
	else
		p.index = (u8)((any_num(g) + 1) | (chance(g, 80) ? INDEX_MASKED : 0));
	return p;
}

static Place
data(Gen *g)
{
	u32 k = below(g, 100);

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
	return overlapping(g, any_ptr(g));
}

static Place
lock_place(Gen *g)
{
	u32 k = below(g, 100);

	if (k < 45)
		return (Place){.base = BASE_A};
	if (k < 60)
		return (Place){.base = BASE_B};
	if (k < 72)
		return (Place){.base = BASE_R};
	if (k < 80)
		return (Place){.base = BASE_S, .off = OFF_LOCK};
	return (Place){.base = any_ptr(g), .off = OFF_LOCK};
}

static Place
pointer_cell(Gen *g)
{
	if (chance(g, 80))
		return (Place){.base = BASE_PTR, .width = 8};
	return (Place){.base = any_ptr(g), .off = OFF_NEXT, .width = 8};
}

/* ---- single accesses ----------------------------------------------------- */

static void
emit_load(Gen *g, Place p, u8 order)
{
	emit(g, (Stmt){.kind = ST_LOAD, .place = p, .var = any_num(g), .order = order});
	g->budget--;
}

/* Stores a variable or, most often, a constant. */
static void
emit_store(Gen *g, Place p, u8 order)
{
	Stmt s = {.kind = ST_STORE, .place = p, .order = order, .num = 1 + (i32)below(g, 2)};

	if (chance(g, 20))
		s.num = -1, s.var = any_num(g);
	emit(g, s);
	g->budget--;
}

static void
access_data(Gen *g)
{
	Place p = data(g);
	u8 order = chance(g, 6) ? ORDER_RELAXED : ORDER_PLAIN;

	if (chance(g, 10)) /* p++ */
		emit_load(g, p, order);
	else if (chance(g, 40)) {
		emit_load(g, p, order);
		return;
	}
	emit_store(g, p, order);
}

static void
access_bytes(Gen *g)
{
	Place p = {.base = either(g, BASE_S, any_ptr(g)), .width = (u8)(4 + 4 * below(g, 2))};
	static const u8 kinds[] = {ST_BCOPY, ST_WRITEN, ST_READN};

	p.off = p.width == 4 ? either(g, 0, 4) : 0;
	emit(g, (Stmt){.kind = kinds[below(g, 3)],
		       .place = p,
		       .place2 = {.base = any_ptr(g), .width = p.width}});
	g->budget--;
}

static void
access_atomic(Gen *g)
{
	u8 order = (u8)(ORDER_RELAXED + below(g, 5));
	Place p = {.base = chance(g, 80) ? BASE_FLAG : BASE_X, .width = 4};

	emit(g, (Stmt){.kind = chance(g, 70) ? ST_RMW : ST_CAS,
		       .place = p,
		       .var = any_num(g),
		       .order = order,
		       .num = 1});
	g->budget--;
}

/* ---- locks --------------------------------------------------------------- */

static u32
fn_of(Gen *g, FnKind kind)
{
	for (u32 f = 0; f < g->prog->nfn; f++)
		if (g->prog->fns[f].kind == kind)
			return f;
	return 0;
}

static Stmt
locking(Gen *g, u8 kind, Place lock)
{
	Stmt s = {.kind = kind, .place = lock, .var = any_num(g)};

	if (lock.base == BASE_R && chance(g, 60))
		s.mode = LOCK_READ;
	return s;
}

/* Locks or unlocks, by hand or through the wrapper. */
static void
emit_lock(Gen *g, Stmt s, bool wrapped)
{
	if (wrapped) {
		s.fn = (u8)fn_of(g, s.kind == ST_LOCK ? FN_LOCKER : FN_UNLOCKER);
		s.kind = ST_CALL;
		s.mode = 0;
	}
	emit(g, s);
	g->budget -= s.kind != ST_UNLOCK;
}

static void
section(Gen *g)
{
	Stmt s = locking(g, ST_LOCK, lock_place(g));
	bool twice = s.mode == LOCK_WRITE && chance(g, 8);
	bool wrapped = s.mode == LOCK_WRITE && !twice && chance(g, 25);

	if (twice)
		s.flags = INS_RECURSIVE;
	for (int k = 0; k <= twice; k++)
		emit_lock(g, s, wrapped);
	if (twice && chance(g, 50)) {
		s.kind = ST_UNLOCK;
		emit_lock(g, s, false);
		twice = false;
	}
	idioms(g, 1 + below(g, 2));
	s.kind = ST_UNLOCK;
	for (int k = 0; k <= twice; k++)
		if (!chance(g, 3))
			emit_lock(g, s, wrapped);
}

/* d[i] under l[i], or under another lock of the array */
static void
indexed_section(Gen *g)
{
	u8 index = (u8)((any_num(g) + 1) | (chance(g, 80) ? INDEX_MASKED : 0));
	Place lock = {.base = BASE_LOCKS, .width = 8, .index = index},
	      cell = {.base = BASE_ARR, .width = 4, .index = index};

	if (chance(g, 15))
		lock.index = 0;
	if (chance(g, 15))
		cell = element(g);
	emit_lock(g, (Stmt){.kind = ST_LOCK, .place = lock}, false);
	if (chance(g, 50))
		emit(g, (Stmt){.kind = ST_LOAD, .place = cell, .var = V1});
	else
		emit_store(g, cell, ORDER_PLAIN);
	if ((index & ~INDEX_MASKED) - 1 != V1 || lock.index == 0 || chance(g, 30))
		emit_lock(g, (Stmt){.kind = ST_UNLOCK, .place = lock}, false);
}

static void
try_section(Gen *g)
{
	Stmt s = locking(g, ST_TRYLOCK, lock_place(g));
	Stmt test = {.kind = ST_IF, .var = s.var, .flat = chance(g, 15)};
	List outer;
	u32 body;

	emit(g, s);
	g->budget--;
	outer = open(g);
	idioms(g, 1);
	if (!test.flat)
		emit(g, (Stmt){.kind = ST_UNLOCK, .place = s.place, .mode = s.mode});
	body = close(g, outer);
	if (chance(g, 50)) /* success is zero */
		test.other = body;
	else
		test.body = body, test.num = 1;
	emit(g, test);
}

/* ---- branches ------------------------------------------------------------ */

static void
branching(Gen *g)
{
	Stmt s = {.kind = ST_IF, .var = any_num(g)};
	List outer;

	if (chance(g, 60))
		emit(g, (Stmt){.kind = ST_NONDET, .var = s.var});
	outer = open(g);
	idioms(g, 1);
	s.body = close(g, outer);
	if (chance(g, 50)) {
		outer = open(g);
		idioms(g, 1);
		s.other = close(g, outer);
	}
	emit(g, s);
}

static void
looping(Gen *g)
{
	Stmt s = {.kind = ST_LOOP, .num = 2};
	List outer = open(g);

	g->budget -= 2;
	idioms(g, 1);
	s.body = close(g, outer);
	emit(g, s);
}

static void
leaving(Gen *g)
{
	static const u8 kinds[] = {ST_RETIF, ST_RETIF, ST_ASSUME, ST_EXIT, ST_TEXIT};
	u8 v = any_num(g);

	if (chance(g, 60))
		emit(g, (Stmt){.kind = ST_NONDET, .var = v});
	emit(g, (Stmt){.kind = kinds[below(g, COUNT(kinds))], .var = v});
}

/* ---- passing objects and messages ---------------------------------------- */

static void
new_object(Gen *g, u8 var)
{
	emit(
	    g,
	    (Stmt){.kind = ST_ALLOC, .var = var, .mode = chance(g, 90) ? ALLOC_HEAP : ALLOC_STACK});
}

/* Emits s, with a lock around it or not. */
static void
maybe_locked(Gen *g, Stmt s, bool locked)
{
	Place lock = {.base = chance(g, 80) ? BASE_A : BASE_B};

	if (locked)
		emit_lock(g, (Stmt){.kind = ST_LOCK, .place = lock}, false);
	emit(g, s);
	g->budget--;
	if (locked)
		emit_lock(g, (Stmt){.kind = ST_UNLOCK, .place = lock}, false);
}

static void
publish(Gen *g)
{
	static const u8 orders[] = {ORDER_PLAIN, ORDER_RELAXED, ORDER_RELEASE, ORDER_RELEASE,
				    ORDER_SEQ_CST};
	bool locked = chance(g, 50);
	u8 order = locked ? ORDER_PLAIN : orders[below(g, COUNT(orders))];
	Place field = overlapping(g, BASE_P1);

	new_object(g, P1);
	if (chance(g, 80))
		emit_store(g, field, ORDER_PLAIN);
	if (chance(g, 15)) /* reached through another object */
		emit(g, (Stmt){.kind = ST_PSTORE,
			       .place = {.base = BASE_P0, .off = OFF_NEXT, .width = 8},
			       .var = P1});
	maybe_locked(g,
		     (Stmt){.kind = ST_PSTORE, .place = pointer_cell(g), .var = P1, .order = order},
		     locked);
	if (chance(g, 30))
		emit_store(g, field, ORDER_PLAIN);
}

static void
receive(Gen *g)
{
	static const u8 orders[] = {ORDER_PLAIN, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE,
				    ORDER_SEQ_CST};
	bool locked = chance(g, 50);
	u8 order = locked ? ORDER_PLAIN : orders[below(g, COUNT(orders))];
	Stmt test = {.kind = ST_IFP, .var = P1};
	List outer;

	maybe_locked(g,
		     (Stmt){.kind = ST_PLOAD, .place = pointer_cell(g), .var = P1, .order = order},
		     locked);
	outer = open(g);
	if (chance(g, 50))
		emit_load(g, overlapping(g, BASE_P1), ORDER_PLAIN);
	else
		emit_store(g, overlapping(g, BASE_P1), ORDER_PLAIN);
	if (chance(g, 10))
		emit(g, (Stmt){.kind = ST_FREE, .var = P1});
	test.body = close(g, outer);
	test.flat = chance(g, 10);
	emit(g, test);
}

static void
send(Gen *g)
{
	static const u8 orders[] = {ORDER_PLAIN, ORDER_RELAXED, ORDER_RELEASE, ORDER_RELEASE,
				    ORDER_SEQ_CST};

	access_data(g);
	if (chance(g, 10))
		emit(g, (Stmt){.kind = ST_FENCE, .order = ORDER_RELEASE});
	emit_store(g, (Place){.base = BASE_FLAG, .width = 4}, orders[below(g, COUNT(orders))]);
}

static void
answer(Gen *g)
{
	static const u8 orders[] = {ORDER_PLAIN, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE,
				    ORDER_SEQ_CST};
	Stmt test = {.kind = ST_IF, .var = any_num(g)};
	List outer;

	emit(g, (Stmt){.kind = ST_LOAD,
		       .place = {.base = BASE_FLAG, .width = 4},
		       .var = test.var,
		       .order = orders[below(g, COUNT(orders))]});
	g->budget--;
	if (chance(g, 10))
		emit(g, (Stmt){.kind = ST_FENCE, .order = ORDER_ACQUIRE});
	outer = open(g);
	access_data(g);
	test.body = close(g, outer);
	emit(g, test);
}

static void
event(Gen *g)
{
	bool cond = chance(g, 30);
	Stmt s = {.kind = chance(g, 50) ? ST_SIGNAL : ST_AWAIT,
		  .place = {.base = cond ? BASE_COND : BASE_SEM}};

	s.mode = cond ? EVENT_COND : EVENT_SEM;
	if (s.kind == ST_AWAIT && chance(g, cond ? 60 : 20))
		s.flags = INS_TRY;
	emit(g, s);
	g->budget--;
}

static void
point(Gen *g)
{
	if (chance(g, 40))
		new_object(g, either(g, P0, P1));
	else if (chance(g, 15))
		emit(g, (Stmt){.kind = ST_FREE, .var = either(g, P0, P1)}), g->budget--;
	else
		emit(g, (Stmt){.kind = ST_PSET,
			       .var = either(g, P0, P1),
			       .var2 = either(g, P0, P1),
			       .num = (i32)below(g, 2)});
}

/* ---- calls and threads --------------------------------------------------- */

static void
call(Gen *g)
{
	Stmt s = {.kind = chance(g, 80) ? ST_CALL : ST_ICALL,
		  .place = {.base = any_ptr(g)},
		  .var = any_num(g)};
	u32 helper = fn_of(g, FN_HELPER), end = fn_of(g, FN_LOCKER);
	u32 from = MAX(g->fn + 1, g->fn ? helper : helper - 1); /* main may call the starter, too */

	if (from >= end)
		return;
	s.mode = s.kind == ST_ICALL && g->fp && chance(g, 60);
	s.fn = (u8)(from + below(g, end - from));
	s.fn2 = (u8)(from + below(g, end - from));
	emit(g, s);
	g->budget -= 2;
}

static void
emit_fork(Gen *g, u8 fn, u8 handle)
{
	static const u8 modes[] = {FORK_REGISTER, FORK_REGISTER, FORK_STACK,
				   FORK_STACK,    FORK_GLOBAL,   FORK_MAY_FAIL};

	if (g->forks == 0)
		return;
	g->forks--;
	emit(g, (Stmt){.kind = ST_FORK,
		       .fn = fn,
		       .var = handle,
		       .mode = modes[below(g, COUNT(modes))],
		       .place = {.base = any_ptr(g)},
		       .var2 = any_num(g)});
}

static void
emit_join(Gen *g, u8 handle)
{
	if (chance(g, 6))
		emit(g, (Stmt){.kind = ST_HLOAD, .var = handle});
	if (chance(g, 6))
		emit(g, (Stmt){.kind = ST_HSELECT, .var = handle, .var2 = any_num(g)});
	emit(g, (Stmt){.kind = chance(g, 94) ? ST_JOIN : ST_TRYJOIN,
		       .var = handle,
		       .var2 = any_num(g)});
}

/* A thread that starts the last thread function, and may wait for it. */
static void
fork_inside(Gen *g)
{
	if (g->fn >= 2 || g->forks == 0)
		return;
	emit_fork(g, 2, H0);
	if (chance(g, 40))
		idioms(g, 1);
	if (chance(g, 60))
		emit_join(g, H0);
	else if (chance(g, 20))
		emit(g, (Stmt){.kind = ST_DETACH, .var = H0});
}

static const struct Idiom {
	u32 weight;
	void (*make)(Gen *g);
	bool nests;
} idiom_table[] = {
    {300, access_data, false}, {220, section, true},    {30, try_section, true},
    {50, send, false},         {60, answer, false},     {60, publish, false},
    {70, receive, false},      {60, call, false},       {30, indexed_section, false},
    {50, branching, true},     {15, looping, true},     {40, access_atomic, false},
    {25, access_bytes, false}, {25, fork_inside, true}, {20, event, false},
    {40, point, false},        {12, leaving, false},
};

static void
idiom(Gen *g)
{
	u32 sum = 0, k;

	for (u32 i = 0; i < COUNT(idiom_table); i++)
		sum += idiom_table[i].weight;
	k = below(g, sum);
	for (u32 i = 0; i < COUNT(idiom_table); i++) {
		if (k < idiom_table[i].weight) {
			if (g->depth < 4 || !idiom_table[i].nests)
				idiom_table[i].make(g);
			return;
		}
		k -= idiom_table[i].weight;
	}
}

static void
idioms(Gen *g, u32 max)
{
	g->depth++;
	for (u32 i = 0; i < max && g->budget > 0; i++)
		idiom(g);
	g->depth--;
}

/* ---- functions ----------------------------------------------------------- */

/* Creates all and, most often, joins all; each worker knows its number. */
static void
fork_all(Gen *g)
{
	Place at = {.base = BASE_HANDLES, .width = 8, .index = V1 + 1};
	List outer = open(g);

	if (chance(g, 20))
		access_data(g);
	emit(g, (Stmt){.kind = ST_FORK,
		       .fn = either(g, 1, 2),
		       .var = H0,
		       .mode = FORK_ELEMENT,
		       .place = {.base = any_ptr(g)},
		       .place2 = at,
		       .var2 = V1});
	emit(g, (Stmt){.kind = ST_LOOP, .num = 2, .mode = 1, .var = V1, .body = close(g, outer)});
	g->forks = 0;
	if (chance(g, 30))
		idioms(g, 1);
	outer = open(g);
	emit(g, (Stmt){.kind = ST_JOINAT, .place = at});
	emit(g, (Stmt){.kind = ST_LOOP,
		       .num = chance(g, 85) ? 2 : 1,
		       .mode = 1,
		       .var = V1,
		       .body = close(g, outer)});
}

/* Starts the threads in one of several shapes. */
static void
start_threads(Gen *g)
{
	u32 shape = below(g, 12);
	List outer;

	if (shape >= 10) {
		fork_all(g);
		return;
	}
	if (shape == 0) { /* the same function, in a loop */
		outer = open(g);
		emit_fork(g, 1, H0);
		if (chance(g, 30))
			emit_join(g, H0);
		emit(g, (Stmt){.kind = ST_LOOP, .num = 2, .body = close(g, outer)});
		g->forks -= g->forks > 0;
		return;
	}
	if (shape == 1)
		emit(g, (Stmt){.kind = ST_CALL,
			       .fn = (u8)fn_of(g, FN_STARTER),
			       .place = {.base = any_ptr(g)},
			       .var = V0});
	else
		emit_fork(g, 1, H0);
	if (shape == 2)
		emit_join(g, H0);
	if (chance(g, 30))
		idioms(g, 1);
	if (shape != 3)
		emit_fork(g, either(g, 1, 2), H1);
}

static void
join_threads(Gen *g)
{
	u32 shape = below(g, 10);
	List outer;

	if (shape < 5 || shape == 6)
		emit_join(g, H0);
	if (shape < 4)
		emit_join(g, H1);
	if (shape == 7) {
		outer = open(g);
		emit_join(g, H0);
		emit(g, (Stmt){.kind = ST_IF, .var = any_num(g), .body = close(g, outer)});
	}
	if (shape == 8)
		emit(g, (Stmt){.kind = ST_DETACH, .var = either(g, H0, H1)});
}

static void
make_main(Gen *g)
{
	g->budget = 6;
	if (chance(g, 50))
		new_object(g, P0);
	if (chance(g, 25))
		new_object(g, P1);
	g->fp = chance(g, 15);
	if (g->fp)
		emit(g, (Stmt){.kind = ST_FPSET, .fn = (u8)fn_of(g, FN_HELPER)});
	if (chance(g, 60))
		idioms(g, 1);
	start_threads(g);
	g->budget = MAX(g->budget, 2);
	if (chance(g, 60))
		idioms(g, 1 + below(g, 2));
	join_threads(g);
	g->budget = MAX(g->budget, 1);
	if (chance(g, 60))
		idioms(g, 1 + below(g, 2));
}

static void
make_fn(Gen *g, u32 f)
{
	GenFn *fn = &g->prog->fns[f];

	g->list = (List){0};
	g->fn = f;
	g->budget = fn->kind == FN_THREAD ? 5 : 2;
	switch (fn->kind) {
	case FN_MAIN: make_main(g); break;
	case FN_LOCKER: emit(g, (Stmt){.kind = ST_LOCK, .place = {.base = BASE_P0}}); break;
	case FN_UNLOCKER: emit(g, (Stmt){.kind = ST_UNLOCK, .place = {.base = BASE_P0}}); break;
	case FN_STARTER:
		emit_fork(g, 1, H0);
		if (chance(g, 25))
			emit_join(g, H0);
		break;
	case FN_THREAD: idioms(g, 2 + below(g, 3)); break;
	case FN_HELPER: idioms(g, 1 + below(g, 2)); break;
	}
	fn->body = g->list.first;
}

void
gen_make(Prog *p, u64 seed, Arena *a)
{
	static const GenFn fns[] = {{"main", FN_MAIN, 0},     {"t1", FN_THREAD, 0},
				    {"t2", FN_THREAD, 0},     {"starter", FN_STARTER, 0},
				    {"f1", FN_HELPER, 0},     {"f2", FN_HELPER, 0},
				    {"locker", FN_LOCKER, 0}, {"unlocker", FN_UNLOCKER, 0}};
	Gen g = {.prog = p, .arena = a, .x = hash_u64(seed + 1) | 1, .forks = 3};

	static_assert(COUNT(fns) == GEN_FNS, "all functions have their place");
	*p = (Prog){.seed = seed, .nfn = GEN_FNS};
	(void)vec_extend(a, &p->stmts, 1);
	for (u32 f = 0; f < GEN_FNS; f++)
		p->fns[f] = fns[f];
	for (u32 f = 0; f < GEN_FNS; f++)
		make_fn(&g, f);
}

const char *
gen_stmt_name(StmtKind k)
{
	static const char *const names[] = {
#define X(name, text) text,
	    GEN_STMTS(X)
#undef X
	};

	return names[k];
}
