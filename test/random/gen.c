/* gen.c - draws a program: its functions, and how threads are started and
 * joined.  What they do in between is drawn in gen_idiom.c.  Budgets keep a
 * program so small that all its schedules can be run. */
#include "gen_int.h"

/* ---- randomness ---------------------------------------------------------- */

u32
gen_below(Gen *g, u32 n)
{
	g->x ^= g->x >> 12;
	g->x ^= g->x << 25;
	g->x ^= g->x >> 27;
	return (u32)((g->x * 0x2545f4914f6cdd1du >> 32) % n);
}

bool
gen_chance(Gen *g, u32 percent)
{
	return gen_below(g, 100) < percent;
}

u8
gen_either(Gen *g, u8 a, u8 b)
{
	return gen_below(g, 2) ? a : b;
}

/* ---- statements ---------------------------------------------------------- */

u32
gen_emit(Gen *g, Stmt s)
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
List
gen_open(Gen *g)
{
	List outer = g->list;

	g->list = (List){0};
	g->depth++;
	return outer;
}

u32
gen_close(Gen *g, List outer)
{
	u32 first = g->list.first;

	g->list = outer;
	g->depth--;
	return first;
}

u8
gen_any_ptr(Gen *g)
{
	return gen_either(g, BASE_P0, BASE_P1);
}

u8
gen_any_num(Gen *g)
{
	return gen_either(g, V0, V1);
}

u32
gen_fn_of(Gen *g, FnKind kind)
{
	for (u32 f = 0; f < g->prog->nfn; f++)
		if (g->prog->fns[f].kind == kind)
			return f;
	return 0;
}

/* ---- functions ----------------------------------------------------------- */

/* An object for the thread of this round; it may lead to the one of the round before, or to one
 * of all. */
static void
make_own(Gen *g)
{
	if (gen_chance(g, 30))
		gen_emit(g, (Stmt){.kind = ST_PSET, .var = P0, .var2 = P1, .num = 1});
	gen_new_object(g, P1);
	if (gen_chance(g, 50))
		gen_store(g, (Place){.base = BASE_P1, .width = 4}, 0);
	if (gen_chance(g, 30))
		gen_emit(g, (Stmt){.kind = ST_PSTORE,
				   .place = {.base = BASE_P1, .off = OFF_NEXT, .width = 8},
				   .var = P0});
	if (gen_chance(g, 10))
		gen_emit(
		    g,
		    (Stmt){.kind = ST_PSTORE, .place = {.base = BASE_PTR, .width = 8}, .var = P1});
}

/* Creates all and, most often, joins all; each worker knows its number. */
static void
fork_all(Gen *g)
{
	Place at = {.base = BASE_HANDLES, .width = 8, .index = V1 + 1};
	List outer = gen_open(g);
	bool own = gen_chance(g, 50);

	if (own)
		make_own(g);
	if (gen_chance(g, 20))
		gen_access(g);
	gen_emit(g, (Stmt){.kind = ST_FORK,
			   .fn = gen_either(g, 1, 2),
			   .var = H0,
			   .mode = FORK_ELEMENT,
			   .place = {.base = own ? BASE_P1 : gen_any_ptr(g)},
			   .place2 = at,
			   .var2 = V1});
	if (own && gen_chance(g, 10))
		gen_store(g, (Place){.base = BASE_P1, .width = 4}, 0);
	gen_emit(
	    g,
	    (Stmt){.kind = ST_LOOP, .num = 2, .mode = 1, .var = V1, .body = gen_close(g, outer)});
	g->forks = 0;
	if (gen_chance(g, 30))
		gen_idioms(g, 1);
	outer = gen_open(g);
	gen_emit(g, (Stmt){.kind = ST_JOINAT, .place = at});
	gen_emit(g, (Stmt){.kind = ST_LOOP,
			   .num = gen_chance(g, 85) ? 2 : 1,
			   .mode = 1,
			   .var = V1,
			   .body = gen_close(g, outer)});
}

/* Starts a thread and joins it, each if a number is not zero: most often the
 * same number. */
static void
fork_if(Gen *g)
{
	u8 v = gen_any_num(g);
	Stmt test = {.kind = ST_IF, .var = v, .num = gen_chance(g, 50)};
	List outer;

	gen_emit(g, (Stmt){.kind = ST_NONDET, .var = v});
	outer = gen_open(g);
	gen_fork(g, 1, H0);
	test.body = gen_close(g, outer);
	gen_emit(g, test);
	if (gen_chance(g, 20))
		gen_emit(g, (Stmt){.kind = ST_NONDET, .var = v});
	if (gen_chance(g, 15))
		test.num = !test.num;
	outer = gen_open(g);
	gen_join(g, H0);
	test.body = gen_close(g, outer);
	gen_emit(g, test);
}

/* Starts the threads in one of several shapes. */
static void
start_threads(Gen *g)
{
	u32 shape = gen_below(g, 14);
	List outer;

	if (shape >= 10) {
		if (shape < 12)
			fork_all(g);
		else
			fork_if(g);
		return;
	}
	if (shape == 0) { /* the same function, in a loop */
		outer = gen_open(g);
		gen_fork(g, 1, H0);
		if (gen_chance(g, 30))
			gen_join(g, H0);
		gen_emit(g, (Stmt){.kind = ST_LOOP, .num = 2, .body = gen_close(g, outer)});
		g->forks -= g->forks > 0;
		return;
	}
	if (shape == 1)
		gen_emit(g, (Stmt){.kind = ST_CALL,
				   .fn = (u8)gen_fn_of(g, FN_STARTER),
				   .place = {.base = gen_any_ptr(g)},
				   .var = V0});
	else
		gen_fork(g, 1, H0);
	if (shape == 2)
		gen_join(g, H0);
	if (gen_chance(g, 30))
		gen_idioms(g, 1);
	if (shape != 3)
		gen_fork(g, gen_either(g, 1, 2), H1);
}

static void
join_threads(Gen *g)
{
	u32 shape = gen_below(g, 10);
	List outer;

	if (shape < 5 || shape == 6)
		gen_join(g, H0);
	if (shape < 4)
		gen_join(g, H1);
	if (shape == 7) {
		outer = gen_open(g);
		gen_join(g, H0);
		gen_emit(g,
			 (Stmt){.kind = ST_IF, .var = gen_any_num(g), .body = gen_close(g, outer)});
	}
	if (shape == 8 && !g->prog->java)
		gen_emit(g, (Stmt){.kind = ST_DETACH, .var = gen_either(g, H0, H1)});
}

static void
make_main(Gen *g)
{
	g->budget = 6;
	if (gen_chance(g, 50))
		gen_new_object(g, P0);
	if (gen_chance(g, 25))
		gen_new_object(g, P1);
	g->fp = gen_chance(g, 15);
	if (g->fp)
		gen_emit(g, (Stmt){.kind = ST_FPSET, .fn = (u8)gen_fn_of(g, FN_HELPER)});
	gen_setup(g);
	if (gen_chance(g, 60))
		gen_idioms(g, 1);
	start_threads(g);
	g->budget = MAX(g->budget, 2);
	if (gen_chance(g, 60))
		gen_idioms(g, 1 + gen_below(g, 2));
	join_threads(g);
	g->budget = MAX(g->budget, 1);
	if (gen_chance(g, 60))
		gen_idioms(g, 1 + gen_below(g, 2));
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
	case FN_LOCKER: gen_emit(g, (Stmt){.kind = ST_LOCK, .place = {.base = BASE_P0}}); break;
	case FN_UNLOCKER: gen_emit(g, (Stmt){.kind = ST_UNLOCK, .place = {.base = BASE_P0}}); break;
	case FN_STARTER:
		gen_fork(g, 1, H0);
		if (gen_chance(g, 25))
			gen_join(g, H0);
		break;
	case FN_THREAD: gen_idioms(g, 2 + gen_below(g, 3)); break;
	case FN_HELPER: gen_idioms(g, 1 + gen_below(g, 2)); break;
	case FN_MAKER: gen_maker(g); break;
	case FN_INIT: gen_idioms(g, 1 + gen_below(g, 2)); break;
	}
	fn->body = g->list.first;
}

void
gen_make(Prog *p, u64 seed, Arena *a)
{
	static const GenFn fns[] = {{"main", FN_MAIN, 0},          {"t1", FN_THREAD, 0},
				    {"t2", FN_THREAD, 0},          {"starter", FN_STARTER, 0},
				    {"P.m(I)V", FN_HELPER, 0},     {"Q.m(I)V", FN_HELPER, 0},
				    {"locker", FN_LOCKER, 0},      {"unlocker", FN_UNLOCKER, 0},
				    {"P.<init>(I)V", FN_MAKER, 0}, {"K.<clinit>()V", FN_INIT, 0},
				    {"L.<clinit>()V", FN_INIT, 0}};
	Gen g = {.prog = p, .arena = a, .x = hash_u64(seed + 1) | 1, .forks = 3};

	static_assert(COUNT(fns) == GEN_FNS, "all functions have their place");
	*p = (Prog){.seed = seed, .nfn = GEN_FNS, .java = gen_chance(&g, 40)};
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
