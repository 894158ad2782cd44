/* adapter.c - see adapter.h. */
#include "adapter.h"

RaceResult *
adapter_analyse(Arena *a, const Ir *ir, FnId root, bool unify)
{
	/* Small programs have small sets: the crowd begins at once. */
	PtaOptions pta = {.unify = unify, .max_words = unify};
	ConcOptions conc = {.jobs = 1};
	RaceOptions race = {.volatile_races = true, .no_schedules = true};

	return race_find(a, conc_solve(a, pta_solve(a, ir, root, &pta), &conc), &race);
}
