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
		touch[0] = (Touch){ins_arg(ir, ins, 0), flags, constant_size(ir, ins, 1)};
		return 1;
	case OP_BCOPY: return touch_copy(ir, ins, flags, touch);
	case OP_FREE:
		touch[0] = (Touch){ins_arg(ir, ins, 0), flags | ACC_WRITE | ACC_FREE, 0};
		return 1;
	case OP_FORK: return result_cell(ir, ins, 0, bytes ? bytes : ir->ptr_bytes, touch);
	case OP_JOIN: return result_cell(ir, ins, 1, ir->ptr_bytes, touch);
	default: return 0;
	}
}

/* The bytes from off on of the array that lies there in a struct of type t; 0 none.  The last member of
 * a struct may stand for more than it says, and so may an array of one. */
static u64
array_bytes(const Ir *ir, TypeId type, i64 off)
{
	const Type *t = &ir->types.at[type];

	for (u32 k = t->member; k + 1 < t->member + t->nmember; k++) {
		const Member *m = &ir->members.at[k];
		const Type *of = &ir->types.at[m->type];
		if ((i64)m->off <= off && off < (i64)(m->off + of->size) &&
		    of->kind == TYPE_ARRAY && of->count > 1 && m[1].off >= m->off + of->size)
			return of->size - (u64)(off - (i64)m->off);
	}
	return 0;
}

/* The same at that address.  The start of a variable is also that of its first member. */
static u64
member_bytes(const Ir *ir, const Fn *fn, Val addr)
{
	InsId def = val_is_reg(addr) ? fn_reg(ir, fn, addr)->def : 0;
	const Ins *field = def ? ir_ins(ir, def) : NULL;
	const Const *c = val_is_const(addr) ? ir_const(ir, addr) : NULL;

	if (c && c->kind == CONST_GLOBAL && c->num)
		return array_bytes(ir, ir->globals.at[c->ref].type, c->num);
	return field && field->op == OP_FIELD && field->sub != 1 && field->aux
		   ? array_bytes(ir, field->aux, field->imm)
		   : 0;
}

/* The bytes of the number or pointer that lies off bytes into something of that type, or of the
 * rest of the text; 0 unknown.  Text at the end of a struct may be longer than it says. */
static u64
item_of_type(const Ir *ir, TypeId type, u64 off)
{
	for (bool last = false; type;) {
		const Type *t = &ir->types.at[type];
		const Type *elem = t->kind == TYPE_ARRAY ? &ir->types.at[t->elem] : NULL;
		u32 k = t->member;
		if (off >= t->size || t->kind == TYPE_UNION)
			return 0;
		if (elem && elem->kind == TYPE_INT && elem->size == 1)
			return last || t->count < 2 ? 0 : t->size - off;
		if (elem && elem->size) {
			off %= elem->size;
			type = t->elem;
			continue;
		}
		if (t->kind != TYPE_STRUCT)
			return t->kind == TYPE_INT || t->kind == TYPE_FLOAT || t->kind == TYPE_PTR
				   ? t->size - off
				   : 0;
		while (k + 1 < t->member + t->nmember && ir->members.at[k + 1].off <= off)
			k++;
		if (!t->nmember)
			return 0;
		last = k + 1 == t->member + t->nmember;
		off -= ir->members.at[k].off;
		type = ir->members.at[k].type;
	}
	return 0;
}

static u64
item_bytes(const Ir *ir, const Fn *fn, Val addr)
{
	InsId def = val_is_reg(addr) ? fn_reg(ir, fn, addr)->def : 0;
	const Ins *field = def ? ir_ins(ir, def) : NULL;
	const Const *c = val_is_const(addr) ? ir_const(ir, addr) : NULL;

	if (c && c->kind == CONST_GLOBAL && c->num >= 0)
		return item_of_type(ir, ir->globals.at[c->ref].type, (u64)c->num);
	return field && field->op == OP_FIELD && field->sub != 1 && field->aux && field->imm >= 0
		   ? item_of_type(ir, field->aux, (u64)field->imm)
		   : 0;
}

u64
access_most(const Ir *ir, const Fn *fn, InsId id)
{
	const Ins *ins = ir_ins(ir, id);
	u64 x, y;

	if (ins->op == OP_WRITEN && ins->flags & INS_ITEM)
		return item_bytes(ir, fn, ins_arg(ir, ins, 0));
	if (ins->op == OP_READN || ins->op == OP_WRITEN)
		return member_bytes(ir, fn, ins_arg(ir, ins, 0));
	if (ins->op != OP_BCOPY)
		return 0;
	x = member_bytes(ir, fn, ins_arg(ir, ins, 0));
	y = member_bytes(ir, fn, ins_arg(ir, ins, 1));
	return x && y ? MIN(x, y) : x ? x : y;
}
