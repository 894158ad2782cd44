/* test_ir_cfg.c - flow graphs against definitions taken literally: x dominates
 * y if y cannot be reached without x; a loop is what lies on a cycle. */
#include "test_ir.h"

#include "ir/cfg.h"
#include "ir/induction.h"

enum { N = 14 };

/* A body of n blocks with random edges; some blocks have a handler. */
static void
random_body(Ir *ir, Rand *r, u32 n, u32 dense)
{
	Build b;
	FnId f = ir->fns.n;

	vec_push(ir->arena, &ir->fns,
		 (Fn){.name = intern_str(&ir->strs, "f"), .linkage = LINK_EXTERNAL});
	build_begin(&b, ir, f);
	for (u32 k = 0; k < n; k++)
		build_block_new(&b);
	for (BlockId k = 1; k <= n; k++) {
		u32 nsucc = n > 1 ? rand_below(r, dense) : 0;
		BlockId to[2];
		Val c = ir_const_int(ir, 1, 1);
		build_block_start(&b, k);
		for (u32 s = 0; s < 2; s++)
			to[s] = n > 1 ? 2 + rand_below(r, n - 1) : 0;
		if (k > 1 && n > 1 && !rand_below(r, 6))
			build_block_exc(&b, k, 2 + rand_below(r, n - 1));
		if (!rand_below(r, 6))
			build_ins(&b, OP_CALL, 1, (Val[]){ir_const_fn(ir, f)})->flags = INS_THROWS;
		if (nsucc == 0)
			build_term(&b, rand_below(r, 2) ? OP_RET : OP_THROW, 0, NULL, 0, NULL);
		else if (nsucc == 1)
			build_term(&b, OP_BR, 0, NULL, 1, to);
		else
			build_term(&b, OP_CBR, 1, &c, 2, to);
	}
	build_end(&b);
}

typedef struct Naive {
	u32 n;
	bool edge[N + 2][N + 2]; /* node n + 1 is the exit */
} Naive;

static bool
has_throw(const Ir *ir, const Block *b)
{
	for (u32 k = 0; k < b->nins; k++)
		if (ir_ins(ir, b->ins + k)->flags & INS_THROWS ||
		    ir_ins(ir, b->ins + k)->op == OP_THROW)
			return true;
	return false;
}

static void
naive_edges(Naive *g, const Ir *ir, const Fn *f)
{
	memset(g, 0, sizeof *g);
	g->n = f->nblock;
	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *k = fn_block(ir, f, b);
		bool throws = ir_ins(ir, k->ins + k->nins - 1)->op == OP_THROW;
		for (u32 s = 0; s < k->nsucc; s++)
			g->edge[b][ir->succs.at[k->succ + s]] = true;
		if (k->exc)
			g->edge[b][k->exc] = true;
		if ((!k->nsucc && !(throws && k->exc)) || (!k->exc && has_throw(ir, k)))
			g->edge[b][g->n + 1] = true;
	}
}

/* What is reachable from x, or against the edges, without passing `without`. */
static void
flood(const Naive *g, u32 x, u32 without, bool back, bool *seen)
{
	if (x == without || seen[x])
		return;
	seen[x] = true;
	for (u32 y = 1; y <= g->n + 1; y++)
		if (back ? g->edge[y][x] : g->edge[x][y])
			flood(g, y, without, back, seen);
}

static void
check_dominators(const Cfg *c, const Naive *g)
{
	bool all[N + 2] = {0}, end[N + 2] = {0};

	flood(g, 1, 0, false, all);
	flood(g, g->n + 1, 0, true, end);
	for (BlockId x = 1; x <= g->n; x++) {
		bool without[N + 2] = {0}, post[N + 2] = {0};
		flood(g, 1, x, false, without);
		flood(g, g->n + 1, x, true, post);
		for (BlockId y = 1; y <= g->n; y++) {
			assert_int_equal(c->rank[y] != 0, all[y]);
			assert_int_equal(cfg_dominates(c, x, y),
					 !all[y] || (all[x] && !without[y]));
			assert_int_equal(cfg_postdominates(c, x, y), end[y] && !post[y]);
		}
	}
	for (BlockId y = 1; y <= g->n; y++) { /* the nearest of the dominators */
		BlockId d = c->dom.idom[y];
		if (!all[y] || y == 1) {
			assert_int_equal(d, 0);
			continue;
		}
		assert_true(d != y && cfg_dominates(c, d, y));
		for (BlockId x = 1; x <= g->n; x++)
			if (x != y && all[x] && cfg_dominates(c, x, y))
				assert_true(cfg_dominates(c, x, d));
		assert_int_equal(cfg_ipdom(c, y) != 0, end[y]);
	}
}

/* Is there a way from x to y of at least one edge, within `in`? */
static bool
reaches(const Naive *g, u32 x, u32 y, const bool *in)
{
	bool seen[N + 2] = {0};
	Naive part = *g;

	for (u32 a = 1; a <= g->n + 1; a++)
		for (u32 b = 1; b <= g->n + 1; b++)
			part.edge[a][b] &= a <= g->n && b <= g->n && in[a] && in[b];
	for (u32 b = 1; b <= g->n; b++)
		if (part.edge[x][b])
			flood(&part, b, 0, false, seen);
	return seen[y];
}

/* A loop is a component: of the reachable blocks, or of the loop around it
 * without that one's header. */
static void
check_loop(const Cfg *c, const Naive *g, u32 loop)
{
	const Loop *l = &c->loops[loop];
	bool region[N + 2] = {0};
	u32 exits = 0, entries = 0, count = 0;

	for (BlockId b = 1; b <= g->n; b++)
		region[b] = c->rank[b] && (!l->parent || (cfg_loop_has(c, l->parent, b) &&
							  b != c->loops[l->parent].header));
	assert_true(cfg_loop_has(c, loop, l->header));
	for (BlockId b = 1; b <= g->n; b++) {
		bool in = region[b] && reaches(g, l->header, b, region) &&
			  reaches(g, b, l->header, region);
		bool entry = false;
		assert_int_equal(cfg_loop_has(c, loop, b), in);
		if (!in)
			continue;
		count++;
		for (BlockId x = 1; x <= g->n; x++) {
			exits += g->edge[b][x] && !cfg_loop_has(c, loop, x);
			entry |= g->edge[x][b] && c->rank[x] && !cfg_loop_has(c, loop, x);
		}
		entries += entry;
		if (entry && entries > 1)
			assert_true(l->irreducible);
	}
	assert_int_equal(l->irreducible, entries > 1);
	assert_int_equal(l->nexit, exits);
	assert_int_equal(l->nblock, count);
	for (u32 k = 0; k < l->nblock; k++)
		assert_true(cfg_loop_has(c, loop, c->loop_blocks[l->block + k]));
	for (u32 k = 0; k < l->nexit; k++) {
		Arc e = c->loop_exits[l->exit + k];
		assert_true(g->edge[e.from][e.to] && cfg_loop_has(c, loop, e.from) &&
			    !cfg_loop_has(c, loop, e.to));
	}
	assert_int_equal(l->depth, l->parent ? c->loops[l->parent].depth + 1 : 1);
}

static void
random_graphs(void **state)
{
	Rand r = {11};
	u32 loops = 0, irreducible = 0;

	(void)state;
	for (u32 round = 0; round < 1500; round++) {
		Bench b;
		Ir ir;
		Cfg c;
		Naive g;
		bool all[N + 2];
		bench_init(&b);
		ir_init(&ir, &b.arena);
		random_body(&ir, &r, 1 + rand_below(&r, N), 2 + rand_below(&r, 3));
		bench_check(&ir);
		cfg_build(&c, &b.arena, &ir, &ir.fns.at[1]);
		naive_edges(&g, &ir, &ir.fns.at[1]);
		check_dominators(&c, &g);
		for (u32 l = 1; l <= c.nloop; l++) {
			check_loop(&c, &g, l);
			irreducible += c.loops[l].irreducible;
		}
		loops += c.nloop;
		memset(all, true, sizeof all);
		for (BlockId k = 1; k <= g.n; k++)
			assert_int_equal(cfg_in_cycle(&c, k), c.rank[k] && reaches(&g, k, k, all));
		for (u32 k = 1; k < c.nrpo; k++) /* a block comes after one of its predecessors */
			assert_true(c.rank[c.dom.idom[c.rpo[k]]] < c.rank[c.rpo[k]]);
		bench_release(&b);
	}
	assert_true(loops > 500 && irreducible > 50); /* the test is not empty */
}

static void
blocks_of_instructions(void **state)
{
	Rand r = {5};
	Bench b;
	Ir ir;
	const Fn *f;

	(void)state;
	bench_init(&b);
	ir_init(&ir, &b.arena);
	random_body(&ir, &r, N, 3);
	f = &ir.fns.at[1];
	for (BlockId k = 1; k <= f->nblock; k++)
		for (u32 i = 0; i < fn_block(&ir, f, k)->nins; i++)
			assert_int_equal(cfg_block_of(&ir, f, fn_block(&ir, f, k)->ins + i), k);
	bench_release(&b);
}

/* ---- counters ------------------------------------------------------------ */

static const struct {
	const char *name, *text;
	bool found;
	i64 step;
	CmpPred pred;
	bool after_step, extended, only_exit;
} counted[] = {
    {"for (i = 0; i < n; i++)",
     "fn @f(%n) {\na:\n br h\nh:\n %i = phi [a: 0], [b: %j]\n %c = slt %i, %n\n cbr %c, b, o\n"
     "b:\n %j = add %i, 1\n br h\no:\n ret\n}\n",
     true, 1, CMP_SLT, false, false, true},
    {"the same, the branch turned round",
     "fn @f(%n) {\na:\n br h\nh:\n %i = phi [a: 0], [b: %j]\n %c = sge %i, %n\n cbr %c, o, b\n"
     "b:\n %j = add 1, %i\n br h\no:\n ret\n}\n",
     true, 1, CMP_SLT, false, false, true},
    {"while (n > i) i += 2, the operands turned round",
     "fn @f(%n) {\na:\n br h\nh:\n %i = phi [b: %j], [a: 0]\n %c = ugt %n, %i\n cbr %c, b, o\n"
     "b:\n %j = add %i, 2\n br h\no:\n ret\n}\n",
     true, 2, CMP_ULT, false, false, true},
    {"for (i = n; i != 0; i--)",
     "fn @f(%n) {\na:\n br h\nh:\n %i = phi [a: %n], [b: %j]\n %c = ne %i, 0\n cbr %c, b, o\n"
     "b:\n %j = sub %i, 1\n br h\no:\n ret\n}\n",
     true, -1, CMP_NE, false, false, true},
    {"do i++ while (i < n)",
     "fn @f(%n) {\na:\n br h\nh:\n %i = phi [a: 0], [h: %j]\n %j = add %i, 1\n %c = slt %j, %n\n"
     " cbr %c, h, o\no:\n ret\n}\n",
     true, 1, CMP_SLT, true, false, true},
    {"compared after an extension",
     "fn @f(%n: i64) {\na:\n br h\nh:\n %i = phi [a: 0], [b: %j]\n %w = sext i64 %i\n %c = ult i64 "
     "%w, %n\n"
     " cbr %c, b, o\nb:\n %j = add %i, 1\n br h\no:\n ret\n}\n",
     true, 1, CMP_ULT, false, true, true},
    {"with a break",
     "fn @f(%n) {\na:\n br h\nh:\n %i = phi [a: 0], [l: %j]\n %c = slt %i, %n\n cbr %c, b, o\n"
     "b:\n %e = nondet i1\n cbr %e, o, l\nl:\n %j = add %i, 1\n br h\no:\n ret\n}\n",
     true, 1, CMP_SLT, false, false, false},
    {"the bound is loaded in the loop",
     "global @n\nfn @f() {\na:\n br h\nh:\n %i = phi [a: 0], [b: %j]\n %n = load @n\n %c = slt %i, "
     "%n\n"
     " cbr %c, b, o\nb:\n %j = add %i, 1\n br h\no:\n ret\n}\n",
     false, 0, CMP_EQ, false, false, false},
    {"the step is not constant",
     "fn @f(%n) {\na:\n br h\nh:\n %i = phi [a: 0], [b: %j]\n %c = slt %i, %n\n cbr %c, b, o\n"
     "b:\n %j = add %i, %n\n br h\no:\n ret\n}\n",
     false, 0, CMP_EQ, false, false, false},
    {"it steps differently on two ways",
     "fn @f(%n) {\na:\n br h\nh:\n %i = phi [a: 0], [b: %j], [d: %k]\n %c = slt %i, %n\n cbr %c, "
     "b, o\n"
     "b:\n %j = add %i, 1\n %e = nondet i1\n cbr %e, h, d\nd:\n %k = add %i, 2\n br h\no:\n "
     "ret\n}\n",
     false, 0, CMP_EQ, false, false, false},
    {"the test is not passed in every iteration",
     "fn @f(%n) {\na:\n br h\nh:\n %i = phi [a: 0], [l: %j]\n %e = nondet i1\n cbr %e, t, l\n"
     "t:\n %c = slt %i, %n\n cbr %c, l, o\nl:\n %j = add %i, 1\n br h\no:\n ret\n}\n",
     false, 0, CMP_EQ, false, false, false},
    {"the value starts from two places",
     "fn @f(%n) {\na:\n %e = nondet i1\n cbr %e, x, y\nx:\n br h\ny:\n br h\n"
     "h:\n %i = phi [x: 0], [y: 1], [b: %j]\n %c = slt %i, %n\n cbr %c, b, o\n"
     "b:\n %j = add %i, 1\n br h\no:\n ret\n}\n",
     false, 0, CMP_EQ, false, false, false},
};

static void
counters(void **state)
{
	(void)state;
	for (u32 k = 0; k < COUNT(counted); k++) {
		Bench b;
		Ir ir;
		Cfg c;
		Counter x;
		bool found;
		bench_init(&b);
		bench_parse(&b, &ir, counted[k].name, counted[k].text);
		bench_check(&ir);
		cfg_build(&c, &b.arena, &ir, &ir.fns.at[1]);
		assert_int_equal(c.nloop, 1);
		found = loop_counter(&c, 1, &x);
		if (found != counted[k].found)
			fail_msg("%s: %s", counted[k].name, found ? "found" : "not found");
		if (found) {
			assert_int_equal(x.iv.step, counted[k].step);
			assert_int_equal(x.pred, counted[k].pred);
			assert_int_equal(x.after_step, counted[k].after_step);
			assert_int_equal(x.extended, counted[k].extended);
			assert_int_equal(x.only_exit, counted[k].only_exit);
			assert_true(loop_invariant(&c, 1, x.bound));
			assert_false(loop_invariant(&c, 1, x.iv.phi));
			assert_true(x.bound == 1 || val_is_const(x.bound));
		}
		bench_release(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_graphs),
	    cmocka_unit_test(blocks_of_instructions),
	    cmocka_unit_test(counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
