/* said.c - looks at what the user says of the program, as --not-parallel and
 * --never-shared: a name that nothing has is probably mistyped, and a warning. */
#include "cli/commands.h"

#include <fnmatch.h>
#include <string.h>

/* Does a function have a name like that? */
static bool
names_function(const Ir *ir, const char *pattern)
{
	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		if (!fnmatch(pattern, ir_str(ir, fn->pretty ? fn->pretty : fn->name), 0))
			return true;
	}
	return false;
}

/* Does a type have a name like that, or a place that races? */
static bool
names_data(const Ir *ir, const RaceResult *races, const char *pattern)
{
	for (TypeId t = 1; t < ir->types.n; t++)
		if (ir->types.at[t].name && !fnmatch(pattern, ir_str(ir, ir->types.at[t].name), 0))
			return true;
	for (u32 i = 0; i < races->races.n; i++)
		if (!fnmatch(pattern, races->races.at[i].name, 0))
			return true;
	return false;
}

/* One side of "A | B", without the blanks around it. */
static void
look_at_root(Run *run, const Ir *ir, const char *text, size_t n)
{
	const char *name;

	for (; n && *text == ' '; n--)
		text++;
	while (n && text[n - 1] == ' ')
		n--;
	name = arena_dup(&run->arena, text, n);
	if (!names_function(ir, name))
		diag_warning(&run->diag, NULL, "--not-parallel: no function is called '%s'", name);
}

void
said_check(Run *run, const Ir *ir, const RaceResult *races)
{
	for (u32 i = 0; i < run->opt->not_parallel.n; i++) {
		const char *note = run->opt->not_parallel.at[i], *bar = strchr(note, '|');
		look_at_root(run, ir, note, bar ? (size_t)(bar - note) : strlen(note));
		if (bar)
			look_at_root(run, ir, bar + 1, strlen(bar + 1));
	}
	for (u32 i = 0; i < run->opt->never_shared.n; i++)
		if (!names_data(ir, races, run->opt->never_shared.at[i]))
			diag_warning(&run->diag, NULL,
				     "--never-shared: no class or racing field is called '%s'",
				     run->opt->never_shared.at[i]);
}
