/* interleave_blur.c - quiet accesses at places that are not known.
 *
 * What races with nothing need not be found at one place: a load from an unknown one
 * gives anything, a store makes all of the object unknown that its address is derived
 * from (C lets it leave no object).  An address that is computed from a known one and
 * an unknown number is unknown, but its register keeps where the object begins. */
#include "ir/interleave_int.h"

/* The object near which v points, though it may be unknown where; null: that is not known. */
static Object *
somewhere_in(Machine *m, u32 t, Val v)
{
	bool unknown = m->unknown;
	u64 at = exec_value(m, t, v);

	m->unknown = unknown;
	return at ? object_find(m, addr_key(m, at)) : NULL;
}

static bool
is_vague(Machine *m, u32 t, const Ins *i)
{
	bool sized = i->op == OP_READN || i->op == OP_WRITEN;
	Val size = sized && i->narg > 1 ? ins_arg(m->ir, i, 1) : 0;

	return unknown_value(m, t, ins_arg(m->ir, i, 0)) || (i->op == OP_WRITEN && !size) ||
	       unknown_value(m, t, size);
}

bool
blur_knows(Machine *m, u32 t, const Ins *i)
{
	if (!m->limits->unknown || !m->limits->quiet || !m->limits->quiet[top(m, t)->ins])
		return false;
	switch ((Op)i->op) {
	case OP_LOAD:
	case OP_READN: return is_vague(m, t, i);
	case OP_STORE:
	case OP_WRITEN: return is_vague(m, t, i) && somewhere_in(m, t, ins_arg(m->ir, i, 0));
	default: return false;
	}
}

void
blur_step(Machine *m, u32 t, const Ins *i)
{
	Object *o = somewhere_in(m, t, ins_arg(m->ir, i, 0));
	u64 value;

	if (i->op == OP_LOAD) {
		m->unknown = true;
		exec_set(m, t, i, 0);
	} else if (i->op != OP_READN) {
		value = i->op == OP_STORE ? exec_value(m, t, ins_arg(m->ir, i, 1)) : 0;
		object_escape(m, value);
		o = somewhere_in(m, t, ins_arg(m->ir, i, 0));
		unknown_set(m, o, addr_of(m, o->key), o->size, true);
		sync_stored(m, t, addr_of(m, o->key), o->size, ORDER_PLAIN, false);
		m->s.n.guessed = 1;
	}
	exec_advance(m, t);
}

void
blur_address(Machine *m, u32 t, const Ins *i)
{
	Object *o = m->unknown ? somewhere_in(m, t, ins_arg(m->ir, i, 0)) : NULL;

	if (o)
		m->s.reg[t][top(m, t)->reg + i->dst - 1] = addr_of(m, o->key);
}
