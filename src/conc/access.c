/* access.c - see access.h.  A read-modify-write counts as one write: whatever
 * races with its read races with its write. */
#include "conc/access.h"

/* A byte count operand: 0 where it is not a constant. */
static u64
constant_size(const Ir *ir, const Ins *ins, u32 k)
{
	const Const *c;

	if (k >= ins->narg || !val_is_const(ins_arg(ir, ins, k)))
		return 0;
	c = ir_const(ir, ins_arg(ir, ins, k));
	return c->kind == CONST_INT && c->num > 0 ? (u64)c->num : 0;
}

/* A block operation of a constant 0 bytes touches nothing. */
static bool
touches_nothing(const Ir *ir, const Ins *ins, u32 k)
{
	const Const *c;

	if (k >= ins->narg || !val_is_const(ins_arg(ir, ins, k)))
		return false;
	c = ir_const(ir, ins_arg(ir, ins, k));
	return c->kind == CONST_INT && c->num == 0;
}

/* Memory that a library call fills in through a pointer argument. */
static u32
result_cell(const Ir *ir, const Ins *ins, u32 k, u64 size, Touch *touch)
{
	Val v;

	if (k >= ins->narg || !(v = ins_arg(ir, ins, k)))
		return 0;
	if (val_is_const(v) && ir_const(ir, v)->kind == CONST_NULL)
		return 0;
	*touch = (Touch){v, ACC_WRITE | ACC_LIBRARY, size};
	return 1;
}

static u32
touch_copy(const Ir *ir, const Ins *ins, u32 flags, Touch touch[2])
{
	u64 size = constant_size(ir, ins, 2);

	if (touches_nothing(ir, ins, 2))
		return 0;
	touch[0] = (Touch){ins_arg(ir, ins, 0), flags | ACC_WRITE, size};
	touch[1] = (Touch){ins_arg(ir, ins, 1), flags | ACC_SECOND, size};
	return 2;
}

u32
access_touches(const Ir *ir, InsId id, Touch touch[2])
{
	const Ins *ins = ir_ins(ir, id);
	u32 flags = ins->order != ORDER_PLAIN ? ACC_ATOMIC : 0;
	u64 bytes = (ins->width + 7u) / 8;

	if (ins->flags & INS_VOLATILE)
		flags |= ACC_VOLATILE;
	if (ins->flags & INS_MODEL)
		flags |= ACC_LIBRARY;
	switch (ins->op) {
	case OP_LOAD: touch[0] = (Touch){ins_arg(ir, ins, 0), flags, bytes}; return 1;
	case OP_STORE:
	case OP_RMW:
	case OP_CAS: touch[0] = (Touch){ins_arg(ir, ins, 0), flags | ACC_WRITE, bytes}; return 1;
	case OP_READN:
	case OP_WRITEN:
		if (touches_nothing(ir, ins, 1))
			return 0;
		flags |= ins->op == OP_WRITEN ? ACC_WRITE : 0;
		touch[0] = (Touch){ins_arg(ir, ins, 0), flags & ~(u32)ACC_ATOMIC,
				   constant_size(ir, ins, 1)};
		return 1;
	case OP_BCOPY: return touch_copy(ir, ins, flags & ~(u32)ACC_ATOMIC, touch);
	case OP_FREE:
		touch[0] = (Touch){ins_arg(ir, ins, 0), flags | ACC_WRITE | ACC_FREE, 0};
		return 1;
	case OP_FORK: return result_cell(ir, ins, 0, bytes ? bytes : ir->ptr_bytes, touch);
	case OP_JOIN: return result_cell(ir, ins, 1, ir->ptr_bytes, touch);
	default: return 0;
	}
}
