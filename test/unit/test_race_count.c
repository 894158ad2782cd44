/* test_race_count.c - the stages on classes against the same rules on every
 * pair of accesses, on random programs. */
#include "unit.h"

#include "base/diag.h"
#include "conc/access.h"
#include "race/race.h"

#include <stdio.h>
#include <string.h>

enum { PROGRAMS = 400, TEXT = 16384 };

/* ---- random programs ---------------------------------------------------- */

typedef struct Gen {
	Rand rand;
	char *text;
	size_t n;
	u32 reg;
} Gen;

__attribute__((format(printf, 2, 3))) static void
put(Gen *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	g->n += (size_t)vsnprintf(g->text + g->n, TEXT - g->n, fmt, ap);
	va_end(ap);
	assert_true(g->n < TEXT);
}

/* Some address: a global, a part of one, or what a shared pointer holds. */
static const char *
address(Gen *g, char *out)
{
	static const char *const fixed[] = {"@x", "@y", "@s", "@own"};
	u32 k = rand_below(&g->rand, 8);

	if (k < 4)
		return fixed[k];
	if (k < 6)
		put(g, "\t%%r%u = field @s + %u\n", g->reg, 4 * rand_below(&g->rand, 3));
	else
		put(g, "\t%%r%u = load%s ptr @G\n", g->reg, rand_below(&g->rand, 2) ? ".acq" : "");
	sprintf(out, "%%r%u", g->reg++);
	return out;
}

static void
publish(Gen *g)
{
	static const char *const order[] = {"", ".rel", ".relaxed", ".volatile"};
	u32 p = g->reg++;
	bool lock = rand_below(&g->rand, 2);

	put(g, "\t%%r%u = alloc.heap 8\n\tstore %%r%u, i32 1\n", p, p);
	if (rand_below(&g->rand, 3) == 0) {
		u32 q = g->reg++;

		put(g, "\t%%r%u = alloc.heap 8\n\tstore %%r%u, i32 2\n", q, q);
		put(g, "\tstore i64 %%r%u, %%r%u\n", p, q);
	}
	put(g, lock ? "\tacquire @A\n" : "");
	put(g, "\tstore%s i64 @G, %%r%u\n", order[rand_below(&g->rand, 4)], p);
	put(g, lock ? "\trelease @A\n" : "");
	if (rand_below(&g->rand, 3) == 0)
		put(g, "\tstore %%r%u, i32 3\n", p);
}

static void
statement(Gen *g, u32 self)
{
	static const char *const order[] = {"", "", "", ".relaxed", ".volatile"};
	char buf[16];
	const char *a;
	u32 k = rand_below(&g->rand, 12), v = g->reg++;

	if (k < 4) {
		a = address(g, buf);
		put(g, "\tstore%s %s, i32 1\n", order[rand_below(&g->rand, 5)], a);
	} else if (k < 6) {
		a = address(g, buf);
		put(g, "\t%%r%u = load%s i32 %s\n", v, order[rand_below(&g->rand, 5)], a);
	} else if (k < 8) {
		const char *lock = rand_below(&g->rand, 2) ? "@A" : "@B";

		put(g, "\tacquire %s\n", lock);
		a = address(g, buf);
		put(g, "\tstore %s, i32 2\n\trelease %s\n", a, lock);
	} else if (k == 8) {
		put(g, "\tbcopy @s, @y, 4\n");
	} else if (k == 9) {
		publish(g);
	} else if (self) {
		put(g, "\t%%h%u = alloc.stack 8\n\t%%r%u = fork %%h%u, @t%u, null if zero\n", v, v,
		    v, 1 + rand_below(&g->rand, self));
		if (rand_below(&g->rand, 2))
			put(g, "\t%%j%u = load i64 %%h%u\n\tjoin %%j%u\n", v, v, v);
	}
}

static const char *
make_program(Gen *g, Arena *a, u64 seed)
{
	u32 nthread = 1 + rand_below(&(Rand){seed}, 3);

	*g = (Gen){.rand = {seed}, .text = arena_alloc(a, TEXT)};
	put(g, "global @x size 4\nglobal @y size 4\nglobal @s size 12\nglobal @G size 8\n"
	       "global @A size 8\nglobal @B size 8\nglobal tls @own size 4\n");
	for (u32 t = 1; t <= nthread + 1; t++) {
		g->reg = 1;
		put(g, t <= nthread ? "fn @t%u(%%arg: ptr) -> ptr {\n" : "fn @main() -> int {\n",
		    t);
		for (u32 n = 1 + rand_below(&g->rand, 7); n; n--)
			statement(g, t - 1);
		put(g, t <= nthread ? "\tret null\n}\n" : "\tret 0\n}\n");
	}
	put(g, "fn @never() -> int {\n\tstore @x, i32 9\n\tret 0\n}\n");
	return g->text;
}

/* ---- the same rules, on every pair --------------------------------------- */

typedef struct Brute {
	const Conc *c;
	const RaceOptions *opt;
	bool *unordered; /* [ObjId] */
	u32 n;           /* parts: instruction * 2 + second */
	u8 *level;       /* [part * n + part] */
} Brute;

static bool
is_own(const Brute *b, const Access *a)
{
	const Const *k = val_is_const(a->addr) ? ir_const(b->c->ir, a->addr) : NULL;

	return k && k->kind == CONST_GLOBAL && b->c->ir->globals.at[k->ref].tls;
}

static bool
is_data(const Brute *b, ObjId o)
{
	return pta_obj(b->c->pta, o)->kind != OBJ_FN && pta_obj(b->c->pta, o)->kind != OBJ_THREAD;
}

static bool
guarded(const Brute *b, const Access *x, const Access *y, SlotId s, SlotId t)
{
	u32 stride = pta_slot(b->c->pta, s)->stride, why;
	bool same = s == t && (!stride || (x->size && y->size && stride >= MAX(x->size, y->size)));

	return x->guards && y->guards &&
	       locks_exclude(b->c->locks, x->guards, y->guards, same, &why);
}

static bool
parallel(const Brute *b, const Access *x, const Access *y)
{
	return order_parallel(b->c->order, x->thread, x->order, y->thread, y->order);
}

static Stage
judge(const Brute *b, const Access *x, const Access *y, SlotId s, SlotId t)
{
	ObjId o = pta_slot(b->c->pta, s)->obj;
	const bool *without = b->opt->without;
	bool fresh = (x->flags | y->flags) & ACC_FRESH, both = x->flags & y->flags & ACC_FRESH;
	bool two = x->thread != y->thread || order_self_overlap(b->c->order, x->thread);

	if (!without[STAGE_ESCAPING] &&
	    (!two || (is_own(b, x) && is_own(b, y)) || !threads_shared(b->c->threads, o)))
		return STAGE_ALIASING;
	if (!without[STAGE_PARALLEL] && (!parallel(b, x, y) || both || (fresh && !b->unordered[o])))
		return STAGE_ESCAPING;
	if (!without[STAGE_UNGUARDED] && guarded(b, x, y, s, t))
		return STAGE_PARALLEL;
	return STAGE_UNGUARDED;
}

static bool
overlap(const Brute *b, const Access *x, const Access *y, SlotId s, SlotId t)
{
	ObjId o = pta_slot(b->c->pta, s)->obj;

	if (x->family && x->family == y->family)
		return false; /* each instance's own */
	return o == pta_slot(b->c->pta, t)->obj && is_data(b, o) &&
	       pta_overlap(b->c->pta, s, x->size, t, y->size);
}

static bool
conflict(const Access *x, const Access *y)
{
	return ((x->flags | y->flags) & ACC_WRITE) && !(x->flags & y->flags & ACC_ATOMIC);
}

static u32
part_of(const Access *a)
{
	return a->ins * 2 + ((a->flags & ACC_SECOND) != 0);
}

static void
judge_pair(Brute *b, const Access *x, const Access *y)
{
	u32 p = MIN(part_of(x), part_of(y)), q = MAX(part_of(x), part_of(y));
	u8 *level = &b->level[p * b->n + q];

	if (!conflict(x, y))
		return;
	*level = MAX(*level, STAGE_REACHABLE);
	SET_FOR (s, pta_pts(b->c->pta, x->inst, x->addr))
		SET_FOR (t, pta_pts(b->c->pta, y->inst, y->addr))
			if (overlap(b, x, y, s.x, t.x))
				*level = MAX(*level, judge(b, x, y, s.x, t.x));
}

/* May y find what x stored, with nothing to order them? */
static bool
finds(const Brute *b, const Access *x, const Access *y)
{
	const Ins *i = ir_ins(b->c->ir, x->ins), *j = ir_ins(b->c->ir, y->ins);
	bool reads = !(y->flags & ACC_WRITE) || j->op == OP_RMW || j->op == OP_CAS;

	if (!reads || !parallel(b, x, y) ||
	    (order_releases(i->order) && order_acquires(j->order)) ||
	    (x->flags & y->flags & ACC_FRESH))
		return false;
	SET_FOR (s, pta_pts(b->c->pta, x->inst, x->addr))
		SET_FOR (t, pta_pts(b->c->pta, y->inst, y->addr)) {
			bool fresh = (x->flags | y->flags) & ACC_FRESH;

			if (overlap(b, x, y, s.x, t.x) && !guarded(b, x, y, s.x, t.x) &&
			    !(fresh && !b->unordered[pta_slot(b->c->pta, s.x)->obj]))
				return true;
		}
	return false;
}

/* Does some load find what the store, by an instance, wrote? */
static bool
is_found(const Brute *b, const Publisher *by)
{
	for (u32 k = 0; k < b->c->accesses.n; k++) {
		const Access *x = &b->c->accesses.at[k];

		if (x->ins != by->ins || x->inst != by->inst || !(x->flags & ACC_WRITE))
			continue;
		for (u32 j = 0; j < b->c->accesses.n; j++)
			if (finds(b, x, &b->c->accesses.at[j]))
				return true;
	}
	return false;
}

static bool
refuted(const Brute *b, ObjId o)
{
	u32 nset, n;
	const u32 *sets = fresh_sets(b->c->fresh, o, &nset);

	if (fresh_unknown(b->c->fresh, o))
		return true;
	for (u32 i = 0; i < nset; i++) {
		const Publisher *by = fresh_publishers(b->c->fresh, sets[i], &n);
		for (u32 k = 0; k < n; k++)
			if (is_found(b, &by[k]))
				return true;
	}
	return false;
}

static void
find_unordered(Brute *b)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (ObjId o = 1; o < b->c->pta->objs.n; o++)
			if (!b->unordered[o] && is_data(b, o) && refuted(b, o))
				changed = b->unordered[o] = true;
	}
}

static u64
count_original(const Ir *ir)
{
	u64 n = 0;

	for (InsId i = 1; i < ir->ins.n; i++)
		for (InsId k = i; k < ir->ins.n; k++) {
			Touch x[2], y[2];
			u32 nx = access_touches(ir, i, x), ny = access_touches(ir, k, y);

			for (u32 s = 0; s < nx; s++)
				for (u32 t = i == k ? s : 0; t < ny; t++)
					n += ((x[s].flags | y[t].flags) & ACC_WRITE) &&
					     !(x[s].flags & y[t].flags & ACC_ATOMIC);
		}
	return n;
}

static void
compare(Arena *a, const Conc *c, const RaceOptions *opt, const char *text)
{
	RaceResult *r = race_find(a, c, opt);
	Brute b = {c, opt, arena_array(a, bool, c->pta->objs.n + 1), c->ir->ins.n * 2 + 2, NULL};
	u64 count[STAGE_COUNT] = {count_original(c->ir)};

	b.level = arena_alloc(a, (size_t)b.n * b.n);
	find_unordered(&b);
	for (u32 i = 0; i < c->accesses.n; i++)
		for (u32 k = i; k < c->accesses.n; k++)
			judge_pair(&b, &c->accesses.at[i], &c->accesses.at[k]);
	for (u32 i = 0; i < b.n * b.n; i++)
		for (u32 s = STAGE_REACHABLE; s <= b.level[i]; s++)
			count[s]++;
	for (u32 s = 0; s < STAGE_COUNT; s++) {
		if (count[s] != r->count[s])
			print_error("stage %s of\n%s", stage_name((Stage)s), text);
		assert_int_equal(r->count[s], count[s]);
	}
	assert_int_equal(r->pairs.n, count[STAGE_UNGUARDED]);
	for (u32 p = 0; p < b.n; p++)
		for (u32 q = p; q < b.n; q++)
			if (b.level[p * b.n + q] == STAGE_UNGUARDED)
				assert_true(race_pair_rung(r, p / 2, q / 2) >= RUNG_POSSIBLE);
}

static const Conc *
solve(Arena *a, const char *text)
{
	Ir *ir = arena_new(a, Ir);
	PtaOptions pta = {0};
	ConcOptions conc = {.jobs = 1};
	Diag diag;

	ir_init(ir, a);
	diag_init(&diag, a, stderr);
	if (!ir_parse(ir, "random.ir", text, strlen(text), &diag))
		fail_msg("%s", text);
	if (ir_check(ir))
		fail_msg("%s\n%s", ir_check(ir), text);
	diag_release(&diag);
	return conc_solve(a, pta_solve(a, ir, ir_find_fn(ir, "main"), &pta), &conc);
}

static void
test_counts(void **state)
{
	u64 kept = 0, fresh = 0;

	(void)state;
	for (u64 seed = 1; seed <= PROGRAMS; seed++) {
		RaceOptions opt = {.no_schedules = true};
		Arena a;
		Gen g;
		const char *text;
		const Conc *c;

		arena_init(&a, NULL);
		text = make_program(&g, &a, seed);
		c = solve(&a, text);
		compare(&a, c, &opt, text);
		kept += race_find(&a, c, &opt)->count[STAGE_UNGUARDED];
		for (u32 i = 0; i < c->accesses.n; i++)
			fresh += (c->accesses.at[i].flags & ACC_FRESH) != 0;
		opt.without[STAGE_ESCAPING + seed % 3] = true;
		compare(&a, c, &opt, text);
		arena_release(&a);
	}
	assert_true(kept > PROGRAMS); /* the programs are not all harmless */
	assert_true(fresh > PROGRAMS / 4);
}

/* Each stage that is left out keeps all that it got. */
static void
test_without(void **state)
{
	(void)state;
	for (u64 seed = 1; seed <= PROGRAMS / 8; seed++) {
		Arena a;
		Gen g;
		const Conc *c;

		arena_init(&a, NULL);
		c = solve(&a, make_program(&g, &a, seed));
		for (u32 s = STAGE_REACHABLE; s < STAGE_COUNT; s++) {
			RaceOptions opt = {.no_schedules = true};
			RaceResult *r;

			opt.without[s] = true;
			r = race_find(&a, c, &opt);
			assert_int_equal(r->count[s], r->count[s - 1]);
			for (u32 k = 1; k < STAGE_COUNT; k++)
				assert_true(r->count[k] <= r->count[k - 1]);
		}
		arena_release(&a);
	}
}

/* Very many alike pairs are counted, not listed; every access is. */
static void
test_abridged(void **state)
{
	enum { STORES = 100 };
	RaceOptions opt = {.no_schedules = true};
	Gen g;
	Arena a;
	const Conc *c;
	RaceResult *r;
	Set listed = {0};

	(void)state;
	arena_init(&a, NULL);
	g = (Gen){.text = arena_alloc(&a, TEXT)};
	put(&g, "global @x size 4\nglobal @y size 4\nfn @w(%%arg: ptr) -> ptr {\n");
	for (u32 i = 0; i < STORES; i++)
		put(&g, "\tstore @x, i32 1\n");
	put(&g,
	    "\tstore @y, i32 1\n\tret null\n}\nfn @main() -> int {\n\t%%h = alloc.stack 8\n"
	    "\t%%a = fork %%h, @w, null if zero\n\t%%b = fork %%h, @w, null if zero\n\tret 0\n}\n");
	c = solve(&a, g.text);
	r = race_find(&a, c, &opt);
	assert_true(r->abridged);
	assert_int_equal(r->count[STAGE_UNGUARDED], STORES * (STORES + 1) / 2 + 1);
	assert_true(r->pairs.n < STORES * 4);
	for (u32 i = 0; i < r->pairs.n; i++) {
		set_add(&a, &listed, c->accesses.at[r->pairs.at[i].a].ins);
		set_add(&a, &listed, c->accesses.at[r->pairs.at[i].b].ins);
	}
	assert_int_equal(set_count(&listed), STORES + 1);
	assert_true(race_pair_rung(r, set_first(&listed) + 3, set_first(&listed) + 7) >=
		    RUNG_POSSIBLE);
	assert_int_equal(race_pair_rung(r, set_first(&listed), set_first(&listed) + STORES),
			 RUNG_EXCLUDED);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_counts),
	    cmocka_unit_test(test_without),
	    cmocka_unit_test(test_abridged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
