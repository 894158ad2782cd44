/* oracle.c - random programs: the analysis against the interleaver.
 *
 *	oracle --count N --seed S    programs S .. S+N-1 against the analysis
 *	oracle --self ...            the reduced search against the plain one
 *	oracle --unify ...           the analysis by unification against that by inclusion
 *	oracle --one SEED            prints a program and all that is known of it
 *	oracle [--weak] FILE.ir...   programs that are given, as `concord ir` prints them
 *
 * A pair that races in some run must not be excluded, and a pair called
 * definite must be one that some run makes adjacent.  Coarser points-to sets
 * exclude nothing, and make nothing definite, that finer ones do not.  A failure is printed
 * with its seed and the smallest program that still fails in that way.
 * Exits 0 if nothing failed, 1 if something did, 2 for wrong arguments. */
#include "adapter.h"
#include "gen.h"
#include "given.h"
#include "ir/fence.h"
#include "ir/interleave.h"
#include "ir/prune.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
	u64 seed;
	u32 count;
	bool one, self, unify, weak;
	char **files;
	int nfiles;
} Options;

typedef enum Failure {
	FAIL_NONE,
	FAIL_CHECK,
	FAIL_EXCLUDED,
	FAIL_DEFINITE,
	FAIL_STRONGER,
	FAIL_MISSED,
	FAIL_INVENTED
} Failure;

/* What is wrong with one program: the pair, and how. */
typedef struct Verdict {
	Failure failure;
	InsId a, b;
	const char *text;
} Verdict;

typedef struct Stats {
	u32 programs, conclusive, racy, pairs, adjacent, compared;
	u32 excluded,
	    definite; /* racing pairs are never excluded: all pairs of accesses that are */
	u64 states, transitions;
	u32 stmts[ST_COUNT]; /* programs with such a statement */
} Stats;

/* ---- one program --------------------------------------------------------- */

/* A program with the result of the search. */
typedef struct Case {
	Ir ir;
	FnId root;
	InterleaveResult result;
	Ir pruned; /* the same without what never runs, for every other seed */
	InsId *to; /* where its instructions are there; null: they are where they were */
} Case;

static void
run(Case *c, const Prog *p, Arena *a)
{
	PruneOptions opt = {.closed = true, .memory = true};

	ir_init(&c->ir, a);
	c->root = gen_lower(p, &c->ir);
	c->result = (InterleaveResult){.arena = a};
	interleave_run(&c->ir, c->root, &interleave_defaults, &c->result);
	ir_init(&c->pruned, a);
	gen_lower(p, &c->pruned);
	c->to = p->seed % 2 ? NULL : ir_prune(&c->pruned, c->root, &opt).to;
	ir_fences(&c->pruned);
}

/* Pairs of x that y does not have, or has in a weaker form. */
static bool
missing(const InterleaveResult *x, const InterleaveResult *y, Verdict *v)
{
	for (u32 i = 0; i < x->pairs.n; i++) {
		const InterleavePair *p = &x->pairs.at[i], *q = interleave_find(y, p->a, p->b);
		if (q && (q->adjacent || !p->adjacent))
			continue;
		v->a = p->a;
		v->b = p->b;
		return true;
	}
	return false;
}

/* Compares with a search that schedules everywhere and, if plain, merges
 * nothing; inconclusive searches say nothing. */
static bool
compare_self(const Case *c, Arena *a, bool plain, Verdict *v)
{
	InterleaveLimits all = interleave_defaults;
	InterleaveResult r = {.arena = a};

	all.every_step = true;
	all.no_memo = plain;
	all.max_states = plain ? 20000 : 100000;
	if (!interleave_run(&c->ir, c->root, &all, &r))
		return false;
	if (missing(&r, &c->result, v)) {
		v->failure = FAIL_MISSED;
		v->text =
		    plain ? "the plain search has this pair" : "the full schedule has this pair";
	} else if (missing(&c->result, &r, v)) {
		v->failure = FAIL_INVENTED;
		v->text = plain ? "the plain search has no such pair"
				: "the full schedule has no such pair";
	}
	return true;
}

/* The plain accesses that are in no race of r. */
static const bool *
quiet_in(const Case *c, Arena *a, const InterleaveResult *r)
{
	bool *quiet = arena_array(a, bool, c->ir.ins.n);

	for (InsId i = 1; i < c->ir.ins.n; i++)
		quiet[i] = ir_ins(&c->ir, i)->order == ORDER_PLAIN;
	for (u32 i = 0; i < r->pairs.n; i++)
		quiet[r->pairs.at[i].a] = quiet[r->pairs.at[i].b] = false;
	return quiet;
}

/* Finds the same races as r, which is complete, where nobody takes turns around accesses that are
 * in none. */
static void
compare_quiet(const Case *c, Arena *a, const InterleaveLimits *limits, const InterleaveResult *r,
	      Verdict *v)
{
	InterleaveLimits most = *limits;
	InterleaveResult q = {.arena = a};

	most.quiet = quiet_in(c, a, r);
	interleave_run(&c->ir, c->root, &most, &q);
	if (missing(r, &q, v) && !q.why)
		*v = (Verdict){FAIL_MISSED, v->a, v->b, "races, but not around quiet accesses"};
	else if (missing(&q, r, v))
		*v = (Verdict){FAIL_INVENTED, v->a, v->b, "only races around quiet accesses"};
}

/* The same where inputs are unknown, and so may be the places of quiet accesses. */
static void
compare_blurred(const Case *c, Arena *a, const InterleaveLimits *limits, Verdict *v)
{
	InterleaveLimits most = *limits;
	InterleaveResult q = {.arena = a};

	most.quiet = quiet_in(c, a, &c->result);
	if (interleave_run(&c->ir, c->root, &most, &q))
		for (u32 i = 0; i < c->result.pairs.n && !v->failure; i++) {
			const InterleavePair *p = &c->result.pairs.at[i];
			if (!interleave_find(&q, p->a, p->b))
				*v = (Verdict){FAIL_MISSED, p->a, p->b,
					       "races, but not with unknown places"};
		}
}

/* The search with unknown inputs has all races of the one with some, if it is complete; and what
 * it is certain of are races. */
static void
compare_unknown(const Case *c, Arena *a, Verdict *v)
{
	InterleaveLimits all = interleave_defaults;
	InterleaveResult r = {.arena = a};

	all.unknown = true;
	compare_blurred(c, a, &all, v);
	if (interleave_run(&c->ir, c->root, &all, &r) && !v->failure) {
		compare_quiet(c, a, &all, &r, v);
		for (u32 i = 0; i < c->result.pairs.n && !v->failure; i++) {
			const InterleavePair *p = &c->result.pairs.at[i];
			if (!interleave_find(&r, p->a, p->b))
				*v = (Verdict){FAIL_MISSED, p->a, p->b,
					       "races, but not with unknown inputs"};
		}
	}
	for (u32 i = 0; i < r.pairs.n && !v->failure; i++) {
		const InterleavePair *p = &r.pairs.at[i];
		if (p->certain && !interleave_find(&c->result, p->a, p->b))
			*v = (Verdict){FAIL_INVENTED, p->a, p->b,
				       "is certain with unknown inputs, but never races"};
	}
}

static bool
is_access(const Ins *i)
{
	return (i->op >= OP_LOAD && i->op <= OP_CAS) || i->op == OP_FREE || i->op == OP_FORK;
}

static void
compare_pair(RaceResult *r, const Case *c, InsId a, InsId b, Verdict *v, Stats *st)
{
	const InterleavePair *p = interleave_find(&c->result, a, b);
	InsId x = c->to ? c->to[a] : a, y = c->to ? c->to[b] : b;
	Rung rung = x && y ? race_pair_rung(r, x, y) : RUNG_EXCLUDED;

	st->excluded += rung == RUNG_EXCLUDED;
	st->definite += rung == RUNG_DEFINITE;
	if (v->failure)
		return;
	if (p && rung == RUNG_EXCLUDED)
		*v = (Verdict){FAIL_EXCLUDED, a, b, "races, but is excluded"};
	else if (rung == RUNG_DEFINITE && !(p && p->adjacent))
		*v = (Verdict){FAIL_DEFINITE, a, b,
			       p ? "is definite, but never adjacent"
				 : "is definite, but never races"};
}

static void
compare_analysis(const Case *c, Arena *a, Verdict *v, Stats *st)
{
	RaceResult *r = adapter_analyse(a, &c->pruned, c->root, false);

	for (InsId x = 1; x < c->ir.ins.n; x++)
		for (InsId y = x; is_access(ir_ins(&c->ir, x)) && y < c->ir.ins.n; y++)
			if (is_access(ir_ins(&c->ir, y)))
				compare_pair(r, c, x, y, v, st);
}

static void
compare_unified(const Case *c, Arena *a, Verdict *v, Stats *st)
{
	RaceResult *fine = adapter_analyse(a, &c->ir, c->root, false),
		   *coarse = adapter_analyse(a, &c->ir, c->root, true);

	for (InsId x = 1; x < c->ir.ins.n; x++)
		for (InsId y = x; is_access(ir_ins(&c->ir, x)) && y < c->ir.ins.n; y++) {
			Rung f = race_pair_rung(fine, x, y), g = race_pair_rung(coarse, x, y);
			st->excluded += g == RUNG_EXCLUDED;
			st->definite += g == RUNG_DEFINITE;
			st->compared += f != g;
			if (g == RUNG_EXCLUDED && f != RUNG_EXCLUDED)
				*v = (Verdict){FAIL_STRONGER, x, y, "is excluded by unification"};
			if (g == RUNG_DEFINITE && f != RUNG_DEFINITE)
				*v = (Verdict){FAIL_STRONGER, x, y, "is definite by unification"};
		}
}

/* Judges one program; nothing is wrong with one whose search was cut short. */
static Verdict
judge(Case *c, const Options *opt, Arena *a, Stats *st)
{
	Verdict v = {0};
	const char *wrong = ir_check(&c->ir);

	wrong = wrong ? wrong : ir_check(&c->pruned);
	if (wrong)
		return (Verdict){FAIL_CHECK, 0, 0, wrong};
	if (opt->unify) {
		compare_unified(c, a, &v, st);
		return v;
	}
	if (c->result.why)
		return v;
	if (!opt->self) {
		compare_analysis(c, a, &v, st);
		return v;
	}
	st->compared += compare_self(c, a, true, &v);
	if (!v.failure)
		compare_self(c, a, false, &v);
	if (!v.failure)
		compare_quiet(c, a, &interleave_defaults, &c->result, &v);
	if (!v.failure)
		compare_unknown(c, a, &v);
	return v;
}

/* ---- shrinking ----------------------------------------------------------- */

/* Whether p still fails in the same way. */
static bool
still_fails(const Prog *p, const Options *opt, Failure failure)
{
	Arena a;
	Case c;
	Stats ignored = {0};
	bool same;

	arena_init(&a, NULL);
	run(&c, p, &a);
	same = judge(&c, opt, &a, &ignored).failure == failure;
	arena_release(&a);
	return same;
}

/* Switches off statements while p still fails.  Each round removes one or is
 * the last. */
static void
shrink(Prog *p, const Options *opt, Failure failure)
{
	bool again = true;

	while (again) {
		again = false;
		for (u32 i = p->stmts.n; i-- > 1;) {
			Stmt *s = &p->stmts.at[i], old = *s;
			if (s->gone)
				continue;
			s->gone = true;
			if (!still_fails(p, opt, failure)) {
				s->gone = false;
				s->flat = (s->body || s->other) && !old.flat ? true : old.flat;
				if (s->flat != old.flat && !still_fails(p, opt, failure))
					s->flat = old.flat;
			}
			again |= s->gone != old.gone || s->flat != old.flat;
		}
	}
}

/* ---- output -------------------------------------------------------------- */

static FnId
fn_at(const Ir *ir, InsId i)
{
	for (FnId f = 1; f < ir->fns.n; f++)
		if (i >= ir->fns.at[f].ins && i < ir->fns.at[f].ins + ir->fns.at[f].nins)
			return f;
	return 0;
}

static void
print_ins(const Ir *ir, InsId i)
{
	FnId f = fn_at(ir, i);

	if (!f)
		return;
	printf("  %u in %s: ", i, ir_str(ir, ir->fns.at[f].name));
	ir_print_ins(ir, f, i, stdout);
	putchar('\n');
}

/* Leaves out the functions that nothing mentions any more. */
static void
print_program(const Ir *ir)
{
	for (FnId f = 1; f < ir->fns.n; f++)
		if (ir->fns.at[f].nins > 1)
			ir_print_fn(ir, f, stdout);
}

static void
print_pairs(const InterleaveResult *r)
{
	printf("%u states, %u transitions; %s\n", r->states, r->transitions,
	       r->why ? r->why : "complete");
	for (u32 i = 0; i < r->pairs.n; i++)
		printf("race %u %u%s\n", r->pairs.at[i].a, r->pairs.at[i].b,
		       r->pairs.at[i].adjacent ? " adjacent" : "");
}

static void
report(Prog *p, const Options *opt, Failure failure)
{
	Arena a;
	Case c;
	Stats ignored = {0};
	Verdict v;

	arena_init(&a, NULL);
	shrink(p, opt, failure);
	run(&c, p, &a);
	v = judge(&c, opt, &a, &ignored);
	printf("FAILED seed %" PRIu64 ": %s\n", p->seed, v.text);
	print_ins(&c.ir, v.a);
	print_ins(&c.ir, v.b);
	print_program(&c.ir);
	print_pairs(&c.result);
	arena_release(&a);
}

static void
print_stats(const Stats *s, u32 failed)
{
	printf("%u programs, %u conclusive, %u with races, %u racing pairs, %u adjacent\n",
	       s->programs, s->conclusive, s->racy, s->pairs, s->adjacent);
	printf("%" PRIu64 " states, %" PRIu64 " transitions, %u compared with another result\n",
	       s->states, s->transitions, s->compared);
	printf("%u pairs excluded, %u definite\n", s->excluded, s->definite);
	for (u32 k = 0; k < ST_COUNT; k++)
		printf("%s%s %u", k ? ", " : "programs with ", gen_stmt_name(k), s->stmts[k]);
	printf("\n%u passed, %u failed\n", s->programs - failed, failed);
}

/* ---- driver -------------------------------------------------------------- */

static void
count(Stats *st, const Prog *p, const Case *c)
{
	bool has[ST_COUNT] = {false};

	st->programs++;
	st->conclusive += !c->result.why;
	st->racy += c->result.pairs.n > 0;
	st->pairs += c->result.pairs.n;
	for (u32 i = 0; i < c->result.pairs.n; i++)
		st->adjacent += c->result.pairs.at[i].adjacent;
	st->states += c->result.states;
	st->transitions += c->result.transitions;
	for (u32 i = 1; i < p->stmts.n; i++)
		has[p->stmts.at[i].kind] = true;
	for (u32 k = 0; k < ST_COUNT; k++)
		st->stmts[k] += has[k];
}

static bool
test_seed(u64 seed, const Options *opt, Stats *st)
{
	Arena a;
	Prog p;
	Case c;
	Verdict v;

	arena_init(&a, NULL);
	gen_make(&p, seed, &a);
	run(&c, &p, &a);
	count(st, &p, &c);
	v = judge(&c, opt, &a, st);
	if (v.failure)
		report(&p, opt, v.failure);
	arena_release(&a);
	return v.failure == FAIL_NONE;
}

static void
show(u64 seed)
{
	Arena a;
	Prog p;
	Case c;

	arena_init(&a, NULL);
	gen_make(&p, seed, &a);
	run(&c, &p, &a);
	ir_print(&c.ir, stdout);
	print_pairs(&c.result);
	for (u32 i = 0; i < c.result.pairs.n; i++) {
		printf("race%s\n", c.result.pairs.at[i].adjacent ? ", adjacent" : "");
		print_ins(&c.ir, c.result.pairs.at[i].a);
		print_ins(&c.ir, c.result.pairs.at[i].b);
	}
	arena_release(&a);
}

static bool
parse(Options *opt, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i];
		bool number =
		    !strcmp(arg, "--count") || !strcmp(arg, "--seed") || !strcmp(arg, "--one");
		u64 n = 0;

		if (number && ++i == argc)
			return false;
		if (number)
			n = strtoull(argv[i], NULL, 10);
		if (!strcmp(arg, "--self"))
			opt->self = true;
		else if (!strcmp(arg, "--unify"))
			opt->unify = true;
		else if (!strcmp(arg, "--count"))
			opt->count = (u32)n;
		else if (number)
			opt->seed = n;
		else if (!strcmp(arg, "--weak"))
			opt->weak = true;
		else if (arg[0] == '-')
			return false;
		else
			return opt->files = argv + i, opt->nfiles = argc - i, true;
		opt->one |= !strcmp(arg, "--one");
	}
	return true;
}

int
main(int argc, char **argv)
{
	Options opt = {.seed = 1, .count = 1000};
	Stats st = {0};
	u32 failed = 0;

	if (!parse(&opt, argc, argv)) {
		fprintf(stderr,
			"usage: oracle [--self | --unify] [--count N] [--seed S] [--one SEED]\n"
			"       oracle [--weak] FILE.ir...\n");
		return 2;
	}
	for (int i = 0; i < opt.nfiles; i++)
		failed += !given_test(opt.files[i], opt.weak);
	if (opt.nfiles)
		return failed > 0;
	if (opt.one) {
		show(opt.seed);
		opt.count = 1;
	}
	for (u32 i = 0; i < opt.count && failed < 10; i++)
		failed += !test_seed(opt.seed + i, &opt, &st);
	print_stats(&st, failed);
	return failed > 0;
}
