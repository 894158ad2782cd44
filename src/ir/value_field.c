/* value_field.c - private fields of classes, each one cell for all objects.
 *
 * A field is hidden if it is a private number of a class whose methods are all
 * there as code, without native ones and without models in place of them, and if
 * its address is the operand of loads and stores and nothing else.  Nobody but the
 * loads and stores of the program names it then, so what it holds, in whatever
 * object, is the zero that it begins with or what some store has put there.  A
 * volatile field is left alone: handles may change it.
 *
 * The lattice and the transfer functions are those of value.c; there is a cell for
 * a field at most, so this costs one pass over the program. */
#include "ir/value_int.h"

enum { PRIVATE = 2, STATIC = 8, VOLATILE = 64 };

/* Is every method of the class that may run seen? */
static bool
is_plain_code(const Ir *ir, const Class *c)
{
	if (c->flags & CLASS_MODELLED)
		return false;
	for (u32 i = 0; i < c->nmethod; i++)
		if (ir->fns.at[ir->refs.at[c->method + i]].flags & FN_NATIVE)
			return false;
	return true;
}

static void
find_private(Values *v)
{
	const Ir *ir = v->ir;

	for (ClassId c = 1; c < ir->classes.n; c++) {
		const Class *k = &ir->classes.at[c];
		if (!k->nfield || !is_plain_code(ir, k))
			continue;
		for (FieldId f = k->field; f < k->field + k->nfield; f++)
			v->field_cell[f] =
			    (ir->fields.at[f].flags & (PRIVATE | STATIC | VOLATILE)) == PRIVATE;
	}
}

/* The field whose address x is; 0 if it is another's. */
static FieldId
field_at(const Ir *ir, const Fn *f, Val x)
{
	InsId def = val_is_reg(x) ? fn_reg(ir, f, x)->def : 0;
	const Ins *i = def ? ir_ins(ir, def) : NULL;

	return i && i->op == OP_FIELD && i->sub == 1 ? i->aux : 0;
}

/* Notes what the instruction does with the addresses of fields. */
static void
look(Values *v, const Fn *f, InsId id)
{
	const Ir *ir = v->ir;
	const Ins *i = ir_ins(ir, id);
	bool access = i->op == OP_LOAD || i->op == OP_STORE;

	for (u32 k = i->op == OP_PHI ? 1 : 0; k < i->narg; k += i->op == OP_PHI ? 2 : 1) {
		FieldId at = field_at(ir, f, ins_arg(ir, i, k));
		u16 width = i->width;
		u32 cell;
		if (!at || !v->field_cell[at])
			continue;
		if (k || !access || !width || width > 32 || i->flags & INS_VOLATILE ||
		    (i->op == OP_LOAD && i->rt != RT_INT)) {
			v->field_cell[at] = 0;
			continue;
		}
		if (v->field_cell[at] == 1) {
			v->field_cell[at] = v->cells.n;
			vec_push(v->arena, &v->cells, (Cell){.width = width});
		}
		cell = v->field_cell[at];
		v->cells.at[cell].any |= v->cells.at[cell].width != width;
		if (i->op != OP_LOAD)
			continue;
		vec_push(v->arena, &v->loads, (CellLoad){id, v->cells.at[cell].load});
		v->cells.at[cell].load = v->loads.n - 1;
	}
}

void
fields_find(Values *v)
{
	const Ir *ir = v->ir;

	v->field_cell = arena_array(v->arena, u32, ir->fields.n + 1);
	if (!v->opt.fields || ir->classes.n <= 1)
		return;
	while (v->cells.n < 2) /* 0 is none, 1 is not made yet */
		vec_push(v->arena, &v->cells, (Cell){.any = true});
	find_private(v);
	for (FnId f = 1; f < ir->fns.n; f++)
		for (InsId i = ir->fns.at[f].ins; i < ir->fns.at[f].ins + ir->fns.at[f].nins; i++)
			look(v, &ir->fns.at[f], i);
}

u32
field_cell_of(const Values *v, const Fn *f, const Ins *i)
{
	FieldId at = i->narg ? field_at(v->ir, f, ins_arg(v->ir, i, 0)) : 0;
	u32 k = at ? v->field_cell[at] : 0;

	return k > 1 && !v->cells.at[k].any ? k : 0;
}
