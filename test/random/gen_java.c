/* gen_java.c - draws what only Java has: monitors that an exception may leave,
 * handlers, virtual calls, initialisers of classes, constructors that store
 * final fields. */
#include "gen_int.h"

static u32
body(Gen *g)
{
	List outer = gen_open(g);

	gen_idioms(g, 1 + gen_below(g, 2));
	return gen_close(g, outer);
}

static void
throwing(Gen *g)
{
	u8 v = gen_any_num(g);

	if (gen_chance(g, 70))
		gen_emit(g, (Stmt){.kind = ST_NONDET, .var = v});
	gen_emit(g, (Stmt){.kind = ST_THROW, .var = v});
}

/* On a global, or on the object itself. */
static void
synchronized_block(Gen *g)
{
	Stmt s = {.kind = ST_SYNC, .num = gen_chance(g, 30)};

	s.place.base = gen_chance(g, 60) ? BASE_A : gen_any_ptr(g);
	s.body = body(g);
	gen_emit(g, s);
	g->budget--;
}

static void
try_block(Gen *g)
{
	Stmt s = {.kind = ST_TRY};
	List outer = gen_open(g);

	gen_idioms(g, 1);
	if (gen_chance(g, 60))
		throwing(g);
	s.body = gen_close(g, outer);
	s.other = gen_chance(g, 60) ? body(g) : 0;
	gen_emit(g, s);
}

static void
virtual_call(Gen *g)
{
	u32 helper = gen_fn_of(g, FN_HELPER);

	if (g->fn >= helper) /* which would call itself */
		return;
	gen_emit(g, (Stmt){.kind = ST_VCALL,
			   .fn = (u8)helper,
			   .place = {.base = gen_any_ptr(g)},
			   .var = gen_any_num(g)});
	g->budget -= 2;
}

static void
initialise(Gen *g)
{
	gen_emit(g, (Stmt){.kind = ST_CINIT, .cls = gen_either(g, CLASS_K, CLASS_L)});
	g->budget--;
	if (gen_chance(g, 60))
		gen_access(g);
}

static void
construct(Gen *g)
{
	u8 var = gen_either(g, P0, P1);

	if (g->fn == gen_fn_of(g, FN_MAKER))
		return;
	gen_emit(g, (Stmt){.kind = ST_NEW,
			   .fn = (u8)gen_fn_of(g, FN_MAKER),
			   .var = var,
			   .cls = gen_either(g, CLASS_P, CLASS_Q),
			   .mode = ALLOC_HEAP});
	gen_emit(g, (Stmt){.kind = ST_PSTORE, .place = {.base = BASE_PTR, .width = 8}, .var = var});
	g->budget -= 2;
}

void
gen_maker(Gen *g)
{
	Place first = {.base = BASE_P0, .width = 4},
	      second = {.base = BASE_P0, .off = 4, .width = 4};
	Stmt leak = {.kind = ST_PSTORE, .place = {.base = BASE_PTR, .width = 8}, .var = P0};

	gen_store(g, first, gen_chance(g, 80) ? INS_FINAL : 0);
	if (gen_chance(g, 20))
		gen_emit(g, leak);
	if (gen_chance(g, 40))
		gen_store(g, second, gen_chance(g, 50) ? INS_FINAL : 0);
	if (gen_chance(g, 20))
		throwing(g);
}

void
gen_java(Gen *g)
{
	static void (*const idioms[])(Gen *) = {
	    synchronized_block, synchronized_block, try_block, virtual_call,
	    initialise,         construct,          throwing};

	idioms[gen_below(g, COUNT(idioms))](g);
}
