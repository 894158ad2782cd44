/* marks.c - see marks.h. */
#include "cli/marks.h"

#include <string.h>

static bool
has_id(const RaceResult *races, const char *id)
{
	for (u32 i = 0; i < races->races.n; i++)
		if (!strcmp(races->races.at[i].id, id))
			return true;
	return false;
}

/* Is the saved race one of the program that is checked? */
static bool
of_program(const SavedRace *r, const char *program)
{
	const char *name = json_get_str(r->doc, "program");

	return !program || !name || !strcmp(program, name);
}

/* Marks the races that the baseline has, and counts those that are gone. */
static bool
apply_baseline(Run *run, ReportInput *in, Mark *marks)
{
	Saved old;
	Intern ids;

	if (!run->opt->baseline)
		return true;
	if (!saved_read(run, run->opt->baseline, &old))
		return false;
	intern_init(&ids, &run->arena);
	for (u32 i = 0; i < old.races.n; i++) {
		u32 before = intern_count(&ids);

		(void)intern_str(&ids, old.races.at[i].id);
		if (intern_count(&ids) > before && of_program(&old.races.at[i], in->program))
			in->absent += !has_id(in->races, old.races.at[i].id);
	}
	for (u32 i = 0; i < in->races->races.n; i++) {
		const char *id = in->races->races.at[i].id;

		marks[i].known = intern_find(&ids, id, strlen(id)) != 0;
	}
	in->baseline = run->opt->baseline;
	return true;
}

static bool
apply_verdicts(Run *run, const ReportInput *in, Mark *marks)
{
	Verdicts verdicts = {0};

	if (!triage_read(run, &verdicts))
		return false;
	for (u32 i = 0; i < in->races->races.n; i++)
		for (u32 k = 0; k < verdicts.list.n; k++)
			if (!strcmp(verdicts.list.at[k].id, in->races->races.at[i].id)) {
				marks[i].verdict = verdicts.list.at[k].word;
				marks[i].note = verdicts.list.at[k].note;
			}
	return true;
}

bool
marks_build(Run *run, ReportInput *in)
{
	Mark *marks = arena_array(&run->arena, Mark, in->races->races.n + 1);
	Rules rules = {0};

	if (!rules_read(run, &rules) || !apply_baseline(run, in, marks) ||
	    !apply_verdicts(run, in, marks))
		return false;
	rules_scan(run, in->races, &rules);
	rules_apply(run, &rules, in->races, in->level, marks);
	in->marks = marks;
	return true;
}
