/* unstored.c - objects that only registers hold.
 *
 * Freshness goes by abstract objects: where an object of an allocation is
 * published, all of them may be.  But the one that was just made, and whose
 * address was never stored, cannot be the one that others got: who publishes an
 * object has its address from memory, or from the register that made it.
 *
 * The lattice: at each point, the fresh registers whose objects no memory
 * holds a pointer to and no unknown code knows (UNSTORED + register beside the
 * register itself); sets that are intersected at merges and only lose what an
 * instruction ends, so this ends as freshness does.  An allocation adds its
 * register, and so does a call all of whose targets return such an object.  An instruction that
 * captures one of its operands (captured.c: stores, publishes, throws it, hands it to
 * unknown code, a thread, or a function that does) takes away every register that this operand
 * may be derived from: through copies, arithmetic, choices, and calls that
 * return an argument.  What was loaded from memory derives from none.  A parameter
 * comes in so if the argument does, and no other argument of the call may hold the same object.
 *
 * What is guaranteed: the object of such a register is in no memory, so neither this thread by
 * another register, nor any other thread can publish it; what is published is another
 * object, and the register stays fresh. */
#include "conc/captured.h"
#include "conc/fresh_int.h"

enum { MAX_SOURCES = 32 };

/* The registers that a value may be derived from. */
typedef struct Sources {
	Val at[MAX_SOURCES];
	u32 n;
	bool all; /* there are more */
} Sources;

static void
add(Sources *s, Val v)
{
	if (!val_is_reg(v))
		return;
	for (u32 i = 0; i < s->n; i++)
		if (s->at[i] == v)
			return;
	if (s->n == MAX_SOURCES)
		s->all = true;
	else
		s->at[s->n++] = v;
}

/* Adds what the result of id may be derived from. */
static void
add_operands(const Fresh *f, InstId inst, InsId id, Sources *s)
{
	const Ins *i = ir_ins(f->ir, id);
	u32 step = i->op == OP_PHI ? 2 : 1;

	switch (i->op) {
	case OP_ALLOC:
	case OP_LOAD:
	case OP_RMW:
	case OP_CAS:
	case OP_NONDET:
	case OP_EXTERN:
	case OP_FORK:
	case OP_CMP: return;
	default: break;
	}
	for (u32 k = step - 1; k < i->narg; k += step) {
		Val v = ins_arg(f->ir, i, k);
		if (val_is_reg(v) && captures_use(f->t->captures, inst, id, k) & RETURNED)
			add(s, v);
	}
}

static void
find_sources(const Fresh *f, InstId inst, Val v, Sources *s)
{
	const Fn *fn = pta_fn(f->p, inst);

	s->n = 0;
	s->all = false;
	add(s, v);
	for (u32 i = 0; i < s->n && !s->all; i++) {
		InsId def = fn_reg(f->ir, fn, s->at[i])->def;
		if (def)
			add_operands(f, inst, def, s);
	}
}

static bool
has(const Sources *s, Val r)
{
	for (u32 i = 0; i < s->n; i++)
		if (s->at[i] == r)
			return true;
	return s->all;
}

/* Is one of the sources' objects held by registers only? */
static bool
any_unstored(const Sources *s, const Set *state)
{
	for (u32 i = 0; i < s->n; i++)
		if (set_has(state, UNSTORED + s->at[i]))
			return true;
	return s->all;
}

static void
drop(Fresh *f, const Sources *s, Set *state)
{
	Set dead = {0};

	for (u32 i = 0; i < s->n && !s->all; i++)
		set_del(state, UNSTORED + s->at[i]);
	if (!s->all)
		return;
	SET_FOR (it, state)
		if (it.x > UNSTORED)
			set_add(f->arena, &dead, it.x);
	set_minus(state, &dead);
	set_recycle(f->arena, &dead);
}

void
unstored_end(Fresh *f, InstId inst, InsId id, Set *state)
{
	const Ins *i = ir_ins(f->ir, id);
	Sources s;

	if (i->op == OP_PHI || !unstored_any(state))
		return;
	for (u32 k = 0; k < i->narg; k++) {
		Val v = ins_arg(f->ir, i, k);
		if (!val_is_reg(v))
			continue;
		if (!(captures_use(f->t->captures, inst, id, k) & CAPTURED))
			continue;
		find_sources(f, inst, v, &s);
		if (any_unstored(&s, state))
			drop(f, &s, state);
	}
}

bool
unstored_all(const Set *state, const Val *roots, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (!set_has(state, UNSTORED + roots[i]))
			return false;
	return true;
}

bool
unstored_passed(const Fresh *f, InstId inst, const Ins *call, u32 arg, const Set *state)
{
	Val roots[MAX_ROOTS];
	Sources s;
	u32 n;

	if (!unstored_any(state) || !fresh_roots(f, inst, ins_arg(f->ir, call, arg), roots, &n) ||
	    !unstored_all(state, roots, n))
		return false;
	for (u32 k = 1; k < call->narg; k++) {
		Val v = ins_arg(f->ir, call, k);
		if (k == arg || !val_is_reg(v))
			continue;
		find_sources(f, inst, v, &s);
		for (u32 i = 0; i < n; i++)
			if (has(&s, roots[i]))
				return false;
	}
	return true;
}
