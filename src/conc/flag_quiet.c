/* flag_quiet.c - calls that no flag notices.
 *
 * What a function finds at its start is joined over its calls, so a small
 * helper that main calls before and behind the start of a thread would hand
 * what is known behind it to what comes before.  A function that with all it
 * calls writes no flag, starts and joins no thread and takes and leaves no lock
 * ends in the state in which it began: the others may do while it runs just what
 * they may do at its call, and the state there is closed under that.
 *
 * Each instance is looked at once; one that is met again on the way is not quiet.  So this ends. */
#include "conc/flag_int.h"

#include "conc/access.h"

/* May the instruction, which calls nothing, look at or change a flag, what is held or who runs? */
static bool
disturbs(const Flags *f, InstId inst, InsId id)
{
	Touch touch[2];
	u32 n;

	switch (ir_ins(f->ir, id)->op) {
	case OP_COPY:
	case OP_PHI:
	case OP_SELECT:
	case OP_FIELD:
	case OP_INDEX:
	case OP_CMP:
	case OP_BIN:
	case OP_CAST:
	case OP_FILTER:
	case OP_NONDET:
	case OP_ALLOC:
	case OP_BR:
	case OP_CBR:
	case OP_SWITCH:
	case OP_RET:
	case OP_THROW: return false;
	case OP_LOAD: /* what it tells is worth more */
	case OP_STORE: break;
	default: return true;
	}
	n = access_touches(f->ir, id, touch);
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < f->n; k++)
			if (flag_touched(f, inst, &touch[i], k))
				return true;
	return false;
}

bool
flag_quiet(Flags *f, InstId inst)
{
	const Fn *fn = pta_fn(f->p, inst);
	u32 *known = map_at(f->arena, &f->quiet, inst);
	bool quiet = fn->nblock > 0;

	if (*known)
		return *known > 1;
	*known = 1; /* while it is looked at, and if it is not */
	for (InsId id = fn->ins; quiet && id < fn->ins + fn->nins; id++) {
		u32 n;
		const Edge *e = pta_targets(f->p, inst, id, &n);
		if (!n)
			quiet = !disturbs(f, inst, id);
		for (u32 i = 0; quiet && i < n; i++)
			quiet = !e[i].fork && flag_quiet(f, e[i].to);
	}
	if (quiet)
		map_put(f->arena, &f->quiet, inst, 2);
	return quiet;
}
