/* pieces.c - loads narrower than a pointer that may move a part of one.
 *
 * `buf[i]++` on an int reads no pointer, even where the analysis cannot tell
 * buf's bytes from those of a pointer beside it.  But a loop that copies bytes
 * moves the pointers among them, and two halves can be put together again.  So
 * a narrow load counts as a number (gen.c), which gets only what was stored
 * narrow or certainly lies at that place, unless its value
 *	is stored narrow, as it is; or
 *	becomes a pointer or a thread handle, possibly put together by shifts,
 *	ors and sums, or is so put together and stored.
 * That is looked for within the function, against the flow of its registers.
 * What is not seen: a part that is taken out of a union by a varying index
 * and passed on to another function, which puts the parts together. */
#include "pta/pta_int.h"

enum { STORED = 1, JOINED = 2 }; /* what becomes of a register's value */

typedef struct Pieces {
	const Ir *ir;
	const Fn *fn;
	Arena *a;
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

static void
see_use(Pieces *p, const Ins *i)
{
	switch (i->op) {
	case OP_STORE:
		if (is_narrow(p->ir, i->width))
			want(p, i, 1, STORED);
		else if (is_joined(p, i, 1))
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

/* Has f a narrow load at all? */
static bool
has_narrow_load(const Ir *ir, const Fn *f)
{
	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		if (ir_ins(ir, i)->op == OP_LOAD && is_narrow(ir, ir_ins(ir, i)->width))
			return true;
	return false;
}

void
pieces_mark(const Ir *ir, FnId fn, Arena *scratch, u8 *mark)
{
	const Fn *f = &ir->fns.at[fn];
	Pieces p = {.ir = ir, .fn = f, .a = scratch};

	if (!has_narrow_load(ir, f))
		return;
	p.use = arena_array(scratch, u8, f->nreg + 1);
	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		see_use(&p, ir_ins(ir, i));
	while (p.todo.n) {
		InsId def = fn_reg(ir, f, p.todo.at[--p.todo.n])->def;
		if (def)
			see_def(&p, ir_ins(ir, def));
	}
	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		if (ir_ins(ir, i)->op == OP_LOAD && p.use[ir_ins(ir, i)->dst])
			mark[i] |= MARK_MOVED;
}
