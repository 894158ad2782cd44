/* pieces.c - integers that may hold a pointer or a part of one.
 *
 * `buf[i]++` on an int reads no pointer, even where the analysis cannot tell
 * buf's bytes from those of a pointer beside it.  But a loop that copies bytes
 * or words moves the pointers among them, two halves can be put together again,
 * and an integer may be cast to a pointer.  So the load of an integer counts as
 * that of a number (gen.c), which gets only what was stored as an integer or, if
 * it is as wide as a pointer, certainly lies at that place, unless its value
 *	is a byte and stored as it is; or is loaded by a pointer that walks or an
 *	index, and stored as it is; or
 *	becomes a pointer or a thread handle, possibly put together by shifts,
 *	ors and sums, or is so put together and stored.
 * That is looked for within the function, against the flow of its registers.
 * Arithmetic narrower than a pointer that ends in none of these is a number.
 * What is not seen: a pointer that was stored as one at a place that is not
 * certain, is loaded as an integer and passed on to another function, which
 * makes it a pointer again. */
#include "pta/pta_int.h"

enum { STORED = 1, JOINED = 2 }; /* what becomes of a register's value */

typedef struct Pieces {
	const Ir *ir;
	const Fn *fn;
	Arena *a;
	const u8 *mark;
	u8 *use;     /* [register] */
	VecU32 todo; /* registers whose use has grown */
} Pieces;

static void
want(Pieces *p, const Ins *i, u32 k, u8 use)
{
	Val v = k < i->narg ? ins_arg(p->ir, i, k) : 0;

	if (!val_is_reg(v) || (p->use[v] | use) == p->use[v])
		return;
	p->use[v] |= use;
	vec_push(p->a, &p->todo, v);
}

static bool
is_narrow(const Ir *ir, u16 width)
{
	return width && width < ir->ptr_bytes * 8;
}

/* Was operand k put together of parts? */
static bool
is_joined(const Pieces *p, const Ins *i, u32 k)
{
	Val v = ins_arg(p->ir, i, k);
	InsId def = val_is_reg(v) ? fn_reg(p->ir, p->fn, v)->def : 0;
	const Ins *d = def ? ir_ins(p->ir, def) : NULL;

	return d && d->op == OP_BIN && (d->sub == BIN_OR || d->sub == BIN_ADD || d->sub == BIN_XOR);
}

/* The instruction behind casts that makes operand k; null: a parameter or constant. */
static const Ins *
made_by(const Pieces *p, const Ins *i, u32 k, InsId *id)
{
	for (u32 n = 0; n < p->fn->nins; n++) { /* what is not reached may copy itself */
		Val v = ins_arg(p->ir, i, k);
		*id = val_is_reg(v) ? fn_reg(p->ir, p->fn, v)->def : 0;
		if (!*id)
			return NULL;
		i = ir_ins(p->ir, *id);
		k = 0;
		if (i->op != OP_CAST && i->op != OP_COPY)
			return i;
	}
	return NULL;
}

/* Is operand k loaded from one place after the other? */
static bool
is_walked(const Pieces *p, const Ins *i, u32 k)
{
	InsId id;
	const Ins *load = made_by(p, i, k, &id);
	const Ins *at = load && load->op == OP_LOAD ? made_by(p, load, 0, &id) : NULL;

	if (!at)
		return false;
	if (at->op == OP_INDEX)
		return !val_is_const(ins_arg(p->ir, at, 1)) || (p->mark[id] & MARK_CYCLIC);
	return at->op == OP_PHI || (p->mark[id] & MARK_CYCLIC);
}

static void
see_use(Pieces *p, const Ins *i)
{
	switch (i->op) {
	case OP_STORE:
		if (i->width == 8 || is_walked(p, i, 1))
			want(p, i, 1, STORED);
		if (!is_narrow(p->ir, i->width) && is_joined(p, i, 1))
			want(p, i, 1, JOINED);
		break;
	case OP_CAST:
		if (i->sub == CAST_INTTOPTR)
			want(p, i, 0, JOINED);
		break;
	case OP_JOIN:
	case OP_DETACH: want(p, i, 0, JOINED); break;
	}
}

/* What becomes of i's result becomes of these operands. */
static void
see_def(Pieces *p, const Ins *i)
{
	u8 use = p->use[i->dst];

	switch (i->op) {
	case OP_COPY:
	case OP_CAST: want(p, i, 0, use); break;
	case OP_SELECT:
		want(p, i, 1, use);
		want(p, i, 2, use);
		break;
	case OP_PHI:
		for (u32 k = 1; k < i->narg; k += 2)
			want(p, i, k, use);
		break;
	case OP_BIN:
		if (i->sub == BIN_SHL || i->sub == BIN_OR || i->sub == BIN_ADD ||
		    i->sub == BIN_XOR) {
			want(p, i, 0, use & JOINED);
			want(p, i, 1, use & JOINED);
		}
		break;
	}
}

/* Is i an integer's load, or arithmetic on what is narrower than a pointer? */
static bool
concerns(const Ir *ir, const Ins *i)
{
	if (i->op == OP_LOAD)
		return i->rt == RT_INT || is_narrow(ir, i->width);
	return i->op == OP_BIN && i->rt == RT_INT && is_narrow(ir, i->width);
}

static bool
has_integers(const Ir *ir, const Fn *f)
{
	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		if (concerns(ir, ir_ins(ir, i)))
			return true;
	return false;
}

void
pieces_mark(const Ir *ir, FnId fn, Arena *scratch, u8 *mark)
{
	const Fn *f = &ir->fns.at[fn];
	Pieces p = {.ir = ir, .fn = f, .a = scratch, .mark = mark};

	if (!has_integers(ir, f))
		return;
	p.use = arena_array(scratch, u8, f->nreg + 1);
	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		see_use(&p, ir_ins(ir, i));
	while (p.todo.n) {
		InsId def = fn_reg(ir, f, p.todo.at[--p.todo.n])->def;
		if (def)
			see_def(&p, ir_ins(ir, def));
	}
	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		const Ins *ins = ir_ins(ir, i);
		bool used = p.use[ins->dst] != 0;
		if (ins->op == OP_LOAD && used)
			mark[i] |= MARK_MOVED;
		if (concerns(ir, ins) && ins->op == OP_BIN && !used)
			mark[i] |= MARK_NUMBER;
	}
}
