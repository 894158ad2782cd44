/* given.c - see given.h.
 *
 * A search that is cut short still has only true races, so that it need not be
 * complete to find what the analysis excludes wrongly.  Runs are sequentially
 * consistent and inputs few: what it does not find says nothing. */
#include "given.h"

#include "adapter.h"
#include "base/diag.h"
#include "base/file.h"
#include "ir/fence.h"
#include "ir/interleave.h"
#include "ir/prune.h"

enum { MAX_STATES = 15000 };

static bool
read_program(Ir *ir, Arena *a, const char *path, const char *text, size_t n)
{
	const char *wrong = NULL;
	Diag diag;
	bool ok;

	ir_init(ir, a);
	diag_init(&diag, a, stderr);
	ok = ir_parse(ir, path, text, n, &diag);
	diag_release(&diag);
	wrong = ok ? ir_check(ir) : NULL;
	if (wrong)
		fprintf(stderr, "%s: %s\n", path, wrong);
	return ok && !wrong;
}

static void
print_side(const Ir *ir, InsId i)
{
	for (FnId f = 1; f < ir->fns.n; f++)
		if (i >= ir->fns.at[f].ins && i < ir->fns.at[f].ins + ir->fns.at[f].nins) {
			printf("  %s: ", ir_str(ir, ir->fns.at[f].name));
			ir_print_ins(ir, f, i, stdout);
			putchar('\n');
		}
}

/* Compares all races; returns how many pairs are excluded. */
static u32
compare(const Ir *ir, const InterleaveResult *found, RaceResult *r, const InsId *to, bool weak)
{
	u32 excluded = 0;

	for (u32 i = 0; i < found->pairs.n; i++) {
		const InterleavePair *p = &found->pairs.at[i];
		InsId a = to ? to[p->a] : p->a, b = to ? to[p->b] : p->b;
		Rung rung = a && b ? race_pair_rung(r, a, b) : RUNG_EXCLUDED;

		excluded += rung == RUNG_EXCLUDED;
		if (rung > (weak ? RUNG_POSSIBLE : RUNG_EXCLUDED))
			continue;
		printf("%s%s\n", rung_name(rung), p->adjacent ? ", adjacent" : "");
		print_side(ir, p->a);
		print_side(ir, p->b);
	}
	return excluded;
}

bool
given_test(const char *path, bool weak)
{
	PruneOptions opt = {.closed = true, .memory = true};
	InterleaveLimits limits = interleave_defaults;
	const char *error = NULL;
	u32 excluded = 0;
	Arena a;
	char *text;
	size_t n;

	arena_init(&a, NULL);
	limits.max_states = MAX_STATES;
	if (file_read(&a, path, &text, &n, &error)) {
		InterleaveResult found = {.arena = &a};
		Ir ir, pruned;
		FnId root = read_program(&ir, &a, path, text, n) ? ir_find_fn(&ir, "main") : 0;
		if (root) {
			const InsId *to;
			read_program(&pruned, &a, path, text, n);
			to = ir_prune(&pruned, root, &opt).to;
			ir_fences(&pruned);
			interleave_run(&ir, root, &limits, &found);
			excluded = compare(&ir, &found, adapter_analyse(&a, &pruned, root, false),
					   to, weak);
		}
		printf("%s: %u races, %u excluded; %s\n", path, found.pairs.n, excluded,
		       !root       ? "no program"
		       : found.why ? found.why
				   : "complete");
	} else {
		fprintf(stderr, "%s: %s\n", path, error);
	}
	arena_release(&a);
	return !excluded;
}
