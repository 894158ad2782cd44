/* value_cell.c - variables that only the program's loads and stores access.
 *
 * A global is hidden if its address is the operand of loads, stores and other
 * accesses by name and nothing else, and no unknown code can name it.  Such an
 * access touches a cell: an offset and a width.  Cells that overlap others are
 * not followed.  What a cell holds at any time is what it begins with or what
 * some store, of any thread, has put there. */
#include "ir/value_int.h"

#include "ir/arith.h"

enum { CELLS_PER_GLOBAL = 64, GROWS = 4, TYPE_DEPTH = 32 };

/* May unknown code, or another definition, give the variable a value? */
static bool
is_exposed(const Values *v, const Global *g)
{
	switch (g->linkage) {
	case LINK_INTERNAL: return false;
	case LINK_EXTERNAL:
	case LINK_COMMON: return !v->opt.closed;
	default: return true;
	}
}

static void
expose(Values *v, Val x)
{
	const Const *c = val_is_const(x) ? ir_const(v->ir, x) : NULL;

	if (c && c->kind == CONST_GLOBAL)
		v->hidden[c->ref] = 0;
}

/* Does operand k of the instruction name memory, rather than give an address away? */
static bool
names_memory(const Ins *i, u32 k)
{
	return !k && (i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_RMW || i->op == OP_CAS);
}

static void
find_hidden(Values *v)
{
	const Ir *ir = v->ir;

	v->hidden = arena_array(v->arena, u8, ir->globals.n);
	for (GlobalId g = 1; g < ir->globals.n; g++)
		v->hidden[g] = v->opt.memory && !is_exposed(v, &ir->globals.at[g]);
	for (GlobalId g = 1; g < ir->globals.n; g++)
		if (ir->globals.at[g].alias)
			v->hidden[ir->globals.at[g].alias] = v->hidden[g] = 0;
	for (u32 k = 1; k < ir->inits.n; k++)
		expose(v, ir->inits.at[k].val);
	for (InsId id = 1; id < ir->ins.n; id++) {
		const Ins *i = ir_ins(ir, id);
		for (u32 k = i->op == OP_PHI ? 1 : 0; k < i->narg; k += i->op == OP_PHI ? 2 : 1)
			if (!names_memory(i, k))
				expose(v, ins_arg(ir, i, k));
	}
	/* what is never written keeps its first value, whoever reads it */
	for (GlobalId g = 1; g < ir->globals.n; g++)
		if (v->opt.memory && ir->globals.at[g].constant &&
		    ir->globals.at[g].linkage == LINK_INTERNAL)
			v->hidden[g] = 1;
}

/* Is there a number or pointer of that many bytes at off?  Floating-point
 * numbers and unions have first contents that are not known. */
static bool
is_scalar_at(const Ir *ir, TypeId type, u64 off, u64 bytes, u32 depth)
{
	const Type *t = &ir->types.at[type];

	if (!type || depth > TYPE_DEPTH)
		return false;
	if (t->kind == TYPE_INT || t->kind == TYPE_PTR)
		return !off && t->size == bytes;
	if (t->kind == TYPE_ARRAY && t->elem && ir->types.at[t->elem].size)
		return is_scalar_at(ir, t->elem, off % ir->types.at[t->elem].size, bytes,
				    depth + 1);
	for (u32 k = t->member; t->kind == TYPE_STRUCT && k < t->member + t->nmember; k++) {
		const Member *m = &ir->members.at[k];
		if (off >= m->off && off - m->off < ir->types.at[m->type].size)
			return is_scalar_at(ir, m->type, off - m->off, bytes, depth + 1);
	}
	return false;
}

/* What the cell begins with. */
static Range
first_value(const Ir *ir, const Cell *c)
{
	const Global *g = &ir->globals.at[c->global];
	u64 bytes = c->width / 8;

	/* the letters of strings are not kept */
	if (g->size > IR_INT_INIT || (g->constant && bytes == 1) ||
	    !is_scalar_at(ir, g->type, c->off, bytes, 0))
		return range_all(c->width);
	for (u32 k = g->init; k < g->init + g->ninit; k++) {
		const Init *i = &ir->inits.at[k];
		const Const *x = ir_const(ir, i->val);
		u64 size = x->width ? (x->width + 7u) / 8 : ir->ptr_bytes;
		if (i->off + size <= c->off || c->off + bytes <= i->off)
			continue;
		return i->off == c->off && x->kind == CONST_INT && x->width == c->width
			   ? range_one(arith_extend((u64)x->num, x->width))
			   : range_all(c->width);
	}
	return range_one(0);
}

/* Marks the cells of the same global that overlap the new one, and it. */
static void
part(Values *v, u32 new)
{
	Cell *c = &v->cells.at[new];
	u32 n = 0;

	for (u32 k = c->next; k; k = v->cells.at[k].next, n++) {
		Cell *o = &v->cells.at[k];
		if (o->off < c->off + c->width / 8 && c->off < o->off + o->width / 8)
			o->any = c->any = true;
	}
	if (n >= CELLS_PER_GLOBAL)
		v->hidden[c->global] = 0;
}

static u64
cell_key(const Const *c, u16 width)
{
	return (u64)c->ref << 32 | (u64)(u32)c->num << 8 | (width & 255);
}

static bool
has_cell(const Values *v, const Ins *i, const Const **c)
{
	Val at = i->narg ? ins_arg(v->ir, i, 0) : 0;

	if (!names_memory(i, 0) || !val_is_const(at))
		return false;
	*c = ir_const(v->ir, at);
	return (*c)->kind == CONST_GLOBAL && v->hidden[(*c)->ref] && (*c)->num >= 0 &&
	       (*c)->num < 1 << 24;
}

static u32
make_cell(Values *v, const Const *c, u16 width)
{
	u32 *at = map_at(v->arena, &v->cell_index, cell_key(c, width));
	Cell new = {.global = c->ref, .off = (u64)c->num, .width = width};

	if (*at)
		return *at;
	*at = v->cells.n;
	new.next = v->cell_of_global[c->ref];
	new.any = !width || width % 8 || width > 64;
	v->cell_of_global[c->ref] = v->cells.n;
	vec_push(v->arena, &v->cells, new);
	part(v, v->cells.n - 1);
	return v->cells.n - 1;
}

u32
cell_of(const Values *v, const Fn *f, const Ins *i)
{
	const Const *c;
	u32 k;

	if (i->narg && val_is_reg(ins_arg(v->ir, i, 0)))
		return field_cell_of(v, f, i);
	if (!has_cell(v, i, &c) || i->flags & INS_VOLATILE)
		return 0;
	k = map_get(&v->cell_index, cell_key(c, i->width));
	return k && !v->cells.at[k].any ? k : 0;
}

void
cells_find(Values *v)
{
	const Const *c;

	find_hidden(v);
	v->cell_of_global = arena_array(v->arena, u32, v->ir->globals.n);
	(void)vec_extend(v->arena, &v->cells, 1);
	(void)vec_extend(v->arena, &v->loads, 1);
	for (InsId id = 1; id < v->ir->ins.n; id++) {
		const Ins *i = ir_ins(v->ir, id);
		u32 k;
		if (!has_cell(v, i, &c))
			continue;
		k = make_cell(v, c, i->width);
		if (i->op != OP_LOAD && i->op != OP_STORE)
			v->cells.at[k].any = true;
		if (i->op != OP_LOAD)
			continue;
		vec_push(v->arena, &v->loads, (CellLoad){id, v->cells.at[k].load});
		v->cells.at[k].load = v->loads.n - 1;
	}
}

void
cells_reset(Values *v)
{
	for (u32 k = 1; k < v->cells.n; k++) {
		Cell *c = &v->cells.at[k];
		c->grown = 0;
		c->range = c->global ? first_value(v->ir, c) : range_one(0);
	}
}

bool
cell_join(Cell *c, Range x)
{
	Range new = range_join(c->range, x);

	if (range_eq(new, c->range))
		return false;
	c->range = c->grown++ < GROWS ? new : range_all(c->width);
	return true;
}
