/* keep.c - calls that are handed to the library, for it to make later.
 *
 * `keep f(any, x) in calls` is a callback with its arguments; `run calls` is
 * where the library makes all calls that were kept there, any number of times.
 * A callback belongs to its own arguments: each site that keeps one has
 * globals of its own for it, and run calls one function (its runner), which
 * has a call for each such site.  Were they all kept in one place, every
 * callback would get every argument. */
#include "model/model_int.h"

static GlobalId
make_global(Apply *x, const Effect *f)
{
	const Cell *c = &x->m->cells.at[f->b->num];
	u32 n = x->out->globals.n;
	const char *name =
	    arena_printf(x->out->arena, CELL_PREFIX "%s.%u", intern_get(&x->m->names, c->name), n);

	vec_push(x->out->arena, &x->out->globals,
		 (Global){.name = intern_str(&x->out->strs, name),
			  .pretty = intern_str(&x->out->strs, c->pretty),
			  .size = x->out->ptr_bytes,
			  .linkage = LINK_INTERNAL});
	return n;
}

static u16
width_of(const Emit *e, Val v)
{
	const Ir *ir = e->b->ir;

	return val_is_const(v) ? ir_const(ir, v)->width
			       : fn_reg(ir, &ir->fns.at[e->b->fn], v)->width;
}

/* The library guards its own objects, by means that order nothing of the program's unless it
 * says so. */
static void
put(Emit *e, GlobalId g, const Expr *value, u8 order)
{
	Val v = effect_value(e, value);
	u16 width = width_of(e, v);
	Ins *i = effect_ins(e, OP_STORE, 2, (Val[]){ir_const_global(e->x->out, g, 0), v});

	i->width = width;
	i->order = order;
}

static Val
get(Emit *e, GlobalId g, u8 order)
{
	u16 width = (u16)(e->x->out->ptr_bytes * 8);
	Val r = build_reg(e->b, RT_PTR, width), at = ir_const_global(e->x->out, g, 0);
	Ins *i = effect_ins(e, OP_LOAD, 1, &at);

	i->dst = r;
	i->rt = RT_PTR;
	i->width = width;
	i->order = order;
	return r;
}

void
keep_emit(Emit *e, const Effect *f)
{
	Apply *x = e->x;
	Kept kept = {f, make_global(x, f)};
	GlobalId g = kept.first;

	for (u32 k = 0; k < f->narg; k++)
		if (f->args[k]->kind != EXPR_ANY)
			make_global(x, f);
	put(e, g++, f->a, f->order);
	for (u32 k = 0; k < f->narg; k++)
		if (f->args[k]->kind != EXPR_ANY)
			put(e, g++, f->args[k], f->order);
	vec_push(x->out->arena, &x->kept_calls, kept);
}

/* The runner's function, without its body. */
static FnId
runner(Apply *x, u32 cell, SrcId src)
{
	const char *name = arena_printf(x->out->arena, CELL_PREFIX "run.%s",
					intern_get(&x->m->names, x->m->cells.at[cell].name));

	if (!x->runners[cell])
		x->runners[cell] = ir_find_fn(x->in, name); /* of an earlier rewriting */
	if (!x->runners[cell]) {
		x->runners[cell] = x->out->fns.n;
		vec_push(x->out->arena, &x->out->fns,
			 (Fn){.name = intern_str(&x->out->strs, name),
			      .pretty = intern_str(&x->out->strs, x->m->cells.at[cell].pretty),
			      .linkage = LINK_EXTERNAL,
			      .src = src,
			      .flags = FN_SYNTHETIC});
	}
	return x->runners[cell];
}

void
keep_run(Emit *e, const Effect *f)
{
	Val callee = ir_const_fn(e->x->out, runner(e->x, (u32)f->b->num, e->b->src));

	effect_ins(e, OP_CALL, 1, &callee)->sub = CALL_REPEAT;
}

static void
make_call(Emit *e, const Kept *kept)
{
	const Effect *f = kept->effect;
	Arena *a = e->x->out->arena;
	GlobalId g = kept->first;
	VecU32 args = {0};

	vec_push(a, &args, get(e, g++, f->order));
	for (u32 k = 0; k < f->narg; k++)
		vec_push(a, &args,
			 f->args[k]->kind == EXPR_ANY ? effect_value(e, f->args[k])
						      : get(e, g++, f->order));
	effect_ins(e, OP_CALL, args.n, args.at)->sub = CALL_REPEAT;
	arena_recycle(a, args.at, args.cap * sizeof *args.at);
}

/* The calls may come in any order, so the body is run again and again. */
void
keep_finish(Apply *x)
{
	for (u32 cell = 1; cell < x->m->cells.n; cell++) {
		FnId f = x->runners[cell];
		Build b;
		Emit e = {.x = x, .b = &b};
		if (!f || f < x->in->fns.n)
			continue;
		build_begin(&b, x->out, f);
		b.src = x->out->fns.at[f].src;
		build_block_start(&b, build_block_new(&b));
		for (u32 k = 0; k < x->kept_calls.n; k++)
			if (x->kept_calls.at[k].effect->b->num == cell)
				make_call(&e, &x->kept_calls.at[k]);
		build_term(&b, OP_RET, 0, NULL, 0, NULL);
		build_end(&b);
	}
}
