/* lower_frame.c - the operand stack and the locals, in both modes. */
#include "jvm/lower_int.h"

enum { MAX_STEPS = 1 << 28 };

bool
lower_fail(Lower *l, const char *what)
{
	if (!l->why)
		l->why = what;
	return false;
}

void
lower_spend(Lower *l, u64 steps)
{
	l->spent += steps;
	if (l->spent > MAX_STEPS)
		lower_fail(l, "the body takes too long");
}

void
push(Lower *l, Kind k, Val v)
{
	if (l->depth >= l->code.max_stack) {
		lower_fail(l, "the stack overflows");
		return;
	}
	l->stack[l->depth++] = (Slot){(u8)k, v};
}

Slot
pop_any(Lower *l)
{
	if (!l->depth) {
		lower_fail(l, "the stack underflows");
		return (Slot){0};
	}
	return l->stack[--l->depth];
}

Val
pop(Lower *l, Kind k)
{
	Slot s = pop_any(l);

	if (s.kind != k && !(k == K_REF && s.kind == K_OBJ))
		lower_fail(l, "an operand has another type");
	return s.v;
}

Slot
pop_ref(Lower *l)
{
	Slot s = pop_any(l);

	if (!kind_is_ref(s.kind))
		lower_fail(l, "an operand is no reference");
	return s;
}

void
local_set(Lower *l, u32 slot, Slot s)
{
	u32 exc = l->nodes.at[l->node].exc;

	/* A handler must see one value of each local per block. */
	if (l->emit && l->throwing && exc && node_live(&l->nodes.at[exc], slot))
		ssa_split(l);
	if (slot && kind_is_wide(l->local[slot - 1].kind))
		l->local[slot - 1] = (Slot){0};
	l->local[slot] = s;
	if (kind_is_wide(s.kind))
		l->local[slot + 1] = (Slot){0};
	if (l->emit && s.kind != K_RET)
		ssa_name(l, s.v, slot, l->next);
}

Slot
local_get(Lower *l, u32 slot, Kind k)
{
	Slot s = l->local[slot];

	if (k == K_REF ? !kind_is_ref(s.kind) : s.kind != k)
		lower_fail(l, "a local has no value of the wanted type");
	return s;
}

Val
k_int(Lower *l, i64 v)
{
	return l->emit ? ir_const_int(l->ir, 32, v) : 0;
}

Val
k_long(Lower *l, i64 v)
{
	return l->emit ? ir_const_int(l->ir, 64, v) : 0;
}

Val
k_null(Lower *l)
{
	return l->emit ? ir_const_null(l->ir) : 0;
}

Val
k_fn(Lower *l, FnId f)
{
	return l->emit ? ir_const_fn(l->ir, f) : 0;
}
