/* apply.c - rewrites a program: calls of library functions become effects.
 *
 * The tables that effects do not touch are copied whole, so ids stay what they
 * were; bodies are built anew, in the order of functions.  A register keeps
 * its id.  A call that never returns cuts its block: what only it led to is
 * left out, and phis lose the entries of edges that are gone.
 *
 * A function without a body that may be called through a pointer gets a
 * synthetic one with the same effects, so that nothing after this knows about
 * models. */
#include "base/diag.h"
#include "model/model_int.h"

#include <string.h>

/* ---- tables -------------------------------------------------------------- */

#define COPY_TABLE(out, in, table)                                                                 \
	do {                                                                                       \
		(out)->table.n = 0;                                                                \
		vec_reserve((out)->arena, &(out)->table, (in)->table.n);                           \
		if ((in)->table.n)                                                                 \
			memcpy((out)->table.at, (in)->table.at,                                    \
			       (in)->table.n * sizeof *(in)->table.at);                            \
		(out)->table.n = (in)->table.n;                                                    \
	} while (0)

static void
copy_tables(Ir *out, const Ir *in)
{
	intern_copy(&out->strs, &in->strs);
	out->unit = in->unit;
	out->hash = in->hash;
	out->ptr_bytes = in->ptr_bytes;
	COPY_TABLE(out, in, types);
	COPY_TABLE(out, in, members);
	COPY_TABLE(out, in, consts);
	COPY_TABLE(out, in, globals);
	COPY_TABLE(out, in, inits);
	COPY_TABLE(out, in, fns);
	COPY_TABLE(out, in, refs);
	COPY_TABLE(out, in, srcs);
	COPY_TABLE(out, in, classes);
	COPY_TABLE(out, in, fields);
	COPY_TABLE(out, in, assumes);
}

void
apply_assume(Apply *x, const char *text, FnId fn, SrcId src)
{
	StrId what = intern_str(&x->out->strs, text);

	if (map_get(&x->told, what))
		return;
	map_put(x->out->arena, &x->told, what, 1);
	vec_push(x->out->arena, &x->out->assumes, (Assume){what, fn, src});
}

/* ---- which function a call means ------------------------------------------ */

/* The function behind aliases. */
static FnId
resolve(const Ir *ir, FnId f)
{
	for (u32 steps = 0; steps < ir->fns.n; steps++) {
		if (ir->fns.at[f].linkage != LINK_ALIAS || !ir->fns.at[f].alias)
			break;
		f = ir->fns.at[f].alias;
	}
	return f;
}

static bool
overridden(const Apply *x, const Fn *f)
{
	const Rule *r = models_find(x->m, ir_str(x->in, f->name), f->nparam, false);

	return r && r->override && (r->internal || f->linkage != LINK_INTERNAL);
}

FnId
apply_callee(const Apply *x, const Ins *i)
{
	const Const *c;
	FnId f;

	if (i->op != OP_CALL || (i->sub != CALL_PLAIN && i->sub != CALL_VIRTUAL) || !i->narg ||
	    !val_is_const(ins_arg(x->in, i, 0)))
		return 0;
	c = ir_const(x->in, ins_arg(x->in, i, 0));
	if (c->kind != CONST_FN)
		return 0;
	f = resolve(x->in, c->ref);
	if (i->sub == CALL_VIRTUAL) {
		f = x->kept[f] ? 0 : method_target(x, f);
		if (!f || !models_covers(x->m, ir_str(x->in, x->in->fns.at[f].name), i->narg - 1))
			return 0;
	}
	return x->kept[f] ? 0 : f;
}

static const Rule *
rule_of(const Apply *x, FnId f, u32 narg)
{
	return models_find(x->m, ir_str(x->in, x->in->fns.at[f].name), narg, false);
}

/* Is there a model of the Java method f? */
static bool
covered(const Apply *x, FnId f)
{
	return rule_of(x, f, x->in->fns.at[f].nparam) != NULL;
}

static void
take(Apply *x, Val v)
{
	if (val_is_const(v) && ir_const(x->in, v)->kind == CONST_FN)
		x->taken[resolve(x->in, ir_const(x->in, v)->ref)] = 1;
}

/* Finds the functions that are used other than as a plain call's callee. */
static void
find_taken(Apply *x)
{
	const Ir *in = x->in;

	x->taken = arena_array(x->out->arena, u8, in->fns.n);
	for (u32 k = 1; k < in->inits.n; k++)
		take(x, in->inits.at[k].val);
	for (InsId k = 1; k < in->ins.n; k++) {
		const Ins *i = ir_ins(in, k);
		u32 first = i->op == OP_CALL && i->sub == CALL_PLAIN ? 1 : 0;
		if (i->op == OP_CALL && i->sub == CALL_VIRTUAL)
			first = 1;
		for (u32 a = first; a < i->narg; a++)
			if (i->op != OP_PHI || a % 2)
				take(x, ins_arg(in, i, a));
	}
}

/* ---- one body ------------------------------------------------------------- */

typedef struct Body {
	Apply *x;
	Build b;
	const Fn *fn;
	BlockId *block; /* [old]: the new id, 0 if it cannot be reached */
	bool *cut;      /* [old]: a call in it never returns */
	bool *compared; /* [register]: the program looks at its value */
	const Rule *wrap;
	BlockId landing; /* where the wrap releases on a throw, 0 none */
} Body;

static bool
is_cut(const Body *d, const Block *b)
{
	for (InsId k = b->ins; k < b->ins + b->nins; k++) {
		const Ins *i = ir_ins(d->x->in, k);
		FnId f = apply_callee(d->x, i);
		const Rule *r = f ? rule_of(d->x, f, i->narg - 1) : NULL;
		if (r && r->ends)
			return true;
	}
	return false;
}

/* Is there, after cutting, an edge from block to block? */
static bool
has_edge(const Body *d, BlockId from, BlockId to)
{
	const Block *b = fn_block(d->x->in, d->fn, from);

	if (!d->block[from])
		return false;
	if (b->exc == to)
		return true;
	for (u32 k = 0; k < b->nsucc && !d->cut[from]; k++)
		if (d->x->in->succs.at[b->succ + k] == to)
			return true;
	return false;
}

static void
reach(Body *d, VecU32 *todo, BlockId to)
{
	if (!to || d->block[to])
		return;
	d->block[to] = 1;
	vec_push(d->x->out->arena, todo, to);
}

/* Finds cut blocks and gives the blocks that are left their ids, in order. */
static void
number_blocks(Body *d)
{
	const Ir *in = d->x->in;
	VecU32 todo = {0};
	u32 n = d->fn->nblock;

	d->block = arena_array(d->x->out->arena, BlockId, n + 1);
	d->cut = arena_array(d->x->out->arena, bool, n + 1);
	reach(d, &todo, 1);
	while (todo.n) {
		BlockId from = todo.at[--todo.n];
		const Block *b = fn_block(in, d->fn, from);
		d->cut[from] = is_cut(d, b);
		reach(d, &todo, b->exc);
		for (u32 k = 0; k < b->nsucc && !d->cut[from]; k++)
			reach(d, &todo, in->succs.at[b->succ + k]);
	}
	for (BlockId k = 1; k <= n; k++)
		if (d->block[k])
			d->block[k] = build_block_new(&d->b);
	arena_recycle(d->x->out->arena, todo.at, todo.cap * sizeof *todo.at);
}

static void
copy_regs(Body *d)
{
	Ir *out = d->x->out;

	for (Val r = 1; r <= d->fn->nreg; r++) {
		const Reg *reg = fn_reg(d->x->in, d->fn, r);
		if (r <= d->fn->nparam) {
			build_param(&d->b, r - 1, (RegType)reg->rt, reg->width, reg->name);
		} else {
			Val s = build_reg(&d->b, (RegType)reg->rt, reg->width);
			assert(s == r);
			out->regs.at[out->fns.at[d->b.fn].reg + s].name = reg->name;
		}
	}
}

/* Marks the operands from..to of i as looked at. */
static bool
mark(Body *d, const Ins *i, u32 from, u32 to)
{
	bool news = false;

	for (u32 k = from; k < to && k < i->narg; k++) {
		Val v = ins_arg(d->x->in, i, k);
		if ((i->op == OP_PHI && !(k % 2)) || !val_is_reg(v) || d->compared[v])
			continue;
		news = d->compared[v] = true;
	}
	return news;
}

/* A register is looked at if a comparison, branch, switch or selection uses
 * it, itself or through copies, casts and phis. */
static void
find_compared(Body *d)
{
	bool news = true;

	d->compared = arena_array(d->x->out->arena, bool, d->fn->nreg + 1);
	while (news) {
		news = false;
		for (InsId k = d->fn->ins + d->fn->nins; k-- > d->fn->ins;) {
			const Ins *i = ir_ins(d->x->in, k);
			if (i->op == OP_CMP)
				news |= mark(d, i, 0, 2);
			else if (i->op == OP_CBR || i->op == OP_SWITCH || i->op == OP_SELECT)
				news |= mark(d, i, 0, 1);
			else if ((i->op == OP_PHI || i->op == OP_COPY || i->op == OP_CAST) &&
				 i->dst && d->compared[i->dst])
				news |= mark(d, i, 0, i->narg);
		}
	}
}

/* ---- instructions ----------------------------------------------------------- */

static void
copy_ins(Body *d, const Ins *i)
{
	Ins *o = build_ins(&d->b, (Op)i->op, i->narg, d->x->in->args.at + i->arg);
	u32 arg = o->arg;

	*o = *i;
	o->arg = arg;
}

static void
copy_phi(Body *d, const Ins *i, BlockId in_block)
{
	Ir *out = d->x->out;
	u32 first = out->args.n, n = 0;
	Ins *o;

	for (u32 k = 0; k + 1 < i->narg; k += 2) {
		BlockId from = ins_arg(d->x->in, i, k);
		if (!has_edge(d, from, in_block))
			continue;
		vec_push(out->arena, &out->args, d->block[from]);
		vec_push(out->arena, &out->args, ins_arg(d->x->in, i, k + 1));
		n += 2;
	}
	o = build_ins(&d->b, OP_PHI, 0, NULL);
	*o = *i;
	o->arg = first;
	o->narg = n;
}

static void
copy_term(Body *d, const Ins *i, const Block *block)
{
	const Ir *in = d->x->in;
	BlockId *succs = arena_array(d->x->out->arena, BlockId, block->nsucc);
	Ins *o;
	u32 arg;

	for (u32 k = 0; k < block->nsucc; k++)
		succs[k] = d->block[in->succs.at[block->succ + k]];
	o = build_term(&d->b, (Op)i->op, i->narg, in->args.at + i->arg, block->nsucc, succs);
	arg = o->arg;
	*o = *i;
	o->arg = arg;
	arena_recycle(d->x->out->arena, succs, block->nsucc * sizeof *succs);
}

/* Fits the call's result: its type, or the function's where it is not used. */
static void
set_result(Emit *e, Val dst, RegType rt, u16 width)
{
	e->dst = dst;
	e->rt = rt;
	e->width = width;
	if (!width && rt == RT_PTR)
		e->width = (u16)(e->x->out->ptr_bytes * 8);
	if (!width && rt == RT_INT)
		e->width = 32;
}

static void
emit_extern(Emit *e, FnId f)
{
	Apply *x = e->x;
	ClassId class = e->dst && e->rt == RT_PTR ? unknown_result_class(x, f) : 0;
	Val all = class ? build_reg(e->b, e->rt, e->width) : e->dst;
	Ins *i = build_ins(e->b, OP_EXTERN, e->narg, e->args);

	i->aux = x->in->fns.at[f].name;
	if (e->dst) {
		i->dst = all;
		i->rt = (u8)e->rt;
		i->width = e->width;
	}
	if (!class)
		return;
	i = build_ins(e->b, OP_FILTER, 1, &all);
	i->sub = 2;
	i->aux = class;
	i->dst = e->dst;
	i->rt = (u8)e->rt;
	i->width = e->width;
}

static void
assume_extern(Emit *e, FnId f)
{
	Apply *x = e->x;
	const char *name = ir_str(x->in, x->in->fns.at[f].name);
	const Rule *r = models_named(x->m, name);

	if (r)
		apply_assume(x,
			     arena_printf(x->out->arena,
					  "external function %s is used with %u arguments, its "
					  "model has %u: what they reach escapes to it",
					  name, e->narg, r->nparam),
			     e->b->fn, e->b->src);
	else
		apply_assume(x,
			     arena_printf(x->out->arena,
					  "external function %s is unknown: what its arguments "
					  "reach escapes to it",
					  name),
			     e->b->fn, e->b->src);
}

/* Emits what a call of f does; returns false if it does not come back. */
static bool
emit_library(Emit *e, FnId f)
{
	bool opaque = false;

	e->rule = rule_of(e->x, f, e->narg);
	if (!e->rule) {
		e->rule = unknown_rule(e->x, f, e->narg);
		opaque = e->rule != NULL;
	}
	if (!e->rule) {
		emit_extern(e, f);
		unknown_callbacks(e, f);
		if (!(e->x->out->fns.at[f].flags & FN_UNKNOWN))
			assume_extern(e, f);
		return true;
	}
	e->callee = e->x->in->fns.at[f].class ? f : 0;
	if (opaque) {
		unknown_assume(e, f);
		unknown_callbacks(e, f);
	}
	effect_emit(e);
	return !e->ended;
}

static bool
rewrite_call(Body *d, const Ins *i, FnId f)
{
	Emit e = {
	    .x = d->x, .b = &d->b, .args = d->x->in->args.at + i->arg + 1, .narg = i->narg - 1};

	set_result(&e, i->dst, i->dst ? (RegType)i->rt : (RegType)d->x->in->fns.at[f].ret,
		   i->width);
	e.checked = i->dst && d->compared[i->dst];
	d->b.src = i->src;
	d->b.site = i->site;
	return emit_library(&e, f);
}

/* ---- wrap rules --------------------------------------------------------------- */

static void
hold(Body *d, bool acquire, SrcId src)
{
	Emit e = {.x = d->x, .b = &d->b, .rule = d->wrap};

	d->b.src = src;
	d->b.site = 0;
	effect_emit_hold(&e, acquire);
}

static bool
is_cell(const Ir *ir, GlobalId g)
{
	return ir->globals.at[g].linkage == LINK_INTERNAL &&
	       !strncmp(ir_str(ir, ir->globals.at[g].name), CELL_PREFIX, strlen(CELL_PREFIX));
}

GlobalId
apply_known_cell(const Apply *x, const char *name)
{
	for (GlobalId g = 1; g < x->in->globals.n; g++)
		if (is_cell(x->in, g) &&
		    !strcmp(ir_str(x->in, x->in->globals.at[g].name) + strlen(CELL_PREFIX), name))
			return g;
	return 0;
}

/* Was fn wrapped before, in a program that was printed since?  What wraps it
 * belongs to no site. */
static bool
is_wrapped(const Ir *ir, const Fn *fn)
{
	InsId k = fn->ins;
	const Ins *i;
	const Const *c;

	while (k < fn->ins + fn->nins && ir_ins(ir, k)->op == OP_PHI)
		k++;
	i = ir_ins(ir, k);
	if (i->op != OP_ACQUIRE || !(i->flags & INS_MODEL) || i->site || !i->narg ||
	    !val_is_const(ins_arg(ir, i, 0)))
		return false;
	c = ir_const(ir, ins_arg(ir, i, 0));
	return c->kind == CONST_GLOBAL && is_cell(ir, c->ref);
}

/* Can an exception leave the function from block b? */
static bool
leaks(const Body *d, const Block *b)
{
	if (b->exc)
		return false;
	for (InsId k = b->ins; k < b->ins + b->nins; k++)
		if (ir_ins(d->x->in, k)->flags & INS_THROWS)
			return true;
	return false;
}

static void
plan_landing(Body *d)
{
	for (BlockId k = 1; k <= d->fn->nblock && d->wrap; k++) {
		if (!d->block[k] || !leaks(d, fn_block(d->x->in, d->fn, k)))
			continue;
		if (!d->landing)
			d->landing = build_block_new(&d->b);
		build_block_exc(&d->b, d->block[k], d->landing);
	}
}

static bool
leaves(const Ins *i, const Block *b)
{
	return i->op == OP_RET || i->op == OP_TEXIT || (i->op == OP_THROW && !b->exc);
}

/* ---- functions ------------------------------------------------------------------ */

static void
rewrite_block(Body *d, BlockId id)
{
	const Block *block = fn_block(d->x->in, d->fn, id);
	bool held = !d->wrap || id != 1;

	build_block_start(&d->b, d->block[id]);
	if (block->exc)
		build_block_exc(&d->b, d->block[id], d->block[block->exc]);
	for (InsId k = block->ins; k < block->ins + block->nins; k++) {
		const Ins *i = ir_ins(d->x->in, k);
		FnId f = apply_callee(d->x, i);
		if (!held && i->op != OP_PHI) {
			hold(d, true, d->fn->src ? d->fn->src : i->src);
			held = true;
		}
		if (d->wrap && leaves(i, block))
			hold(d, false, i->src);
		if (i->op == OP_PHI)
			copy_phi(d, i, id);
		else if (op_is_terminator((Op)i->op))
			copy_term(d, i, block);
		else if (!f)
			copy_ins(d, i);
		else if (!rewrite_call(d, i, f))
			return;
	}
}

static void
rewrite_fn(Apply *x, FnId f)
{
	Body d = {.x = x, .fn = &x->in->fns.at[f]};
	Arena *a = x->out->arena;

	if (!is_wrapped(x->in, d.fn))
		d.wrap = models_wrap(x->m, ir_str(x->in, d.fn->name));
	build_begin(&d.b, x->out, f);
	copy_regs(&d);
	find_compared(&d);
	number_blocks(&d);
	plan_landing(&d);
	for (BlockId k = 1; k <= d.fn->nblock; k++)
		if (d.block[k])
			rewrite_block(&d, k);
	if (d.landing) {
		build_block_start(&d.b, d.landing);
		hold(&d, false, d.fn->src);
		build_term(&d.b, OP_THROW, 0, NULL, 0, NULL);
	}
	build_end(&d.b);
	arena_recycle(a, d.block, (d.fn->nblock + 1) * sizeof *d.block);
	arena_recycle(a, d.cut, (d.fn->nblock + 1) * sizeof *d.cut);
	arena_recycle(a, d.compared, (d.fn->nreg + 1) * sizeof *d.compared);
}

/* Where the declaration does not say, a parameter is a pointer, and has the
 * name that the model gives it. */
static void
declare_params(Apply *x, Build *b, const Fn *old, const Rule *rule)
{
	for (u32 k = 0; k < old->nparam; k++) {
		const Reg *r = k < old->nreg ? fn_reg(x->in, old, k + 1) : NULL;
		StrId name = r ? r->name : 0;
		if (!name && rule && k < rule->nparam)
			name = intern_str(&x->out->strs, rule->params[k]);
		if (r && r->rt != RT_VOID)
			build_param(b, k, (RegType)r->rt, r->width, name);
		else
			build_param(b, k, RT_PTR, (u16)(x->out->ptr_bytes * 8), name);
	}
}

void
apply_synthesise(Apply *x, FnId f)
{
	const Fn *old = &x->in->fns.at[f];
	Fn *fn = &x->out->fns.at[f];
	Val *params = arena_array(x->out->arena, Val, old->nparam + 1);
	Build b;
	Emit e = {.x = x, .b = &b, .args = params, .narg = old->nparam};

	fn->flags |= FN_SYNTHETIC;
	fn->linkage = LINK_EXTERNAL;
	build_begin(&b, x->out, f);
	declare_params(x, &b, old, rule_of(x, f, old->nparam));
	for (u32 k = 0; k < old->nparam; k++)
		params[k] = k + 1;
	build_block_start(&b, build_block_new(&b));
	set_result(&e, 0, (RegType)old->ret, 0);
	if (old->ret != RT_VOID)
		e.dst = build_reg(&b, e.rt, e.width);
	if (emit_library(&e, f))
		build_term(&b, OP_RET, old->ret != RT_VOID, &e.dst, 0, NULL);
	build_end(&b);
}

void
apply_at_end(Apply *x, const Effect *call, SrcId src)
{
	for (u32 k = 0; k < x->at_end.n; k++)
		if (x->at_end.at[k] == call)
			return;
	if (!x->at_end.n)
		x->end_src = src;
	vec_push(x->out->arena, &x->at_end, call);
}

/* A function for the harness to run behind main: what is to be called at the end. */
static void
make_end(Apply *x)
{
	Ir *out = x->out;
	Build b;
	Emit e = {.x = x, .b = &b};

	if (!x->at_end.n)
		return;
	vec_push(out->arena, &out->fns,
		 (Fn){.name = intern_str(&out->strs, "model.end"),
		      .pretty = intern_str(&out->strs, "the end of the program"),
		      .linkage = LINK_INTERNAL,
		      .src = x->end_src,
		      .flags = FN_SYNTHETIC | FN_DESTRUCTOR});
	build_begin(&b, out, out->fns.n - 1);
	b.src = x->end_src;
	build_block_start(&b, build_block_new(&b));
	for (u32 k = 0; k < x->at_end.n; k++)
		effect_emit_call(&e, x->at_end.at[k]);
	build_term(&b, OP_RET, 0, NULL, 0, NULL);
	build_end(&b);
}

/* Of what nobody calls or asks for only the name is kept. */
static void
drop_body(Fn *f)
{
	if (f->nblock)
		f->linkage = LINK_DECL;
	f->reg = f->nreg = f->block = f->nblock = f->ins = f->nins = 0;
}

void
model_apply(Ir *out, const Ir *in, const Models *m, Diag *diag)
{
	Apply x = {.out = out, .in = in, .m = m, .diag = diag};

	copy_tables(out, in);
	x.cells = arena_array(out->arena, GlobalId, m->cells.n);
	x.runners = arena_array(out->arena, FnId, m->cells.n);
	for (u32 k = 1; k < in->assumes.n; k++)
		map_put(out->arena, &x.told, in->assumes.at[k].what, 1);
	x.kept = arena_array(out->arena, u8, in->fns.n);
	x.target = arena_array(out->arena, FnId, in->fns.n);
	for (FnId f = 1; f < in->fns.n; f++)
		x.kept[f] = in->fns.at[f].nblock && !overridden(&x, &in->fns.at[f]);
	find_taken(&x);
	apply_facts(&x);
	for (FnId f = 1; f < in->fns.n; f++) {
		if (x.kept[f])
			rewrite_fn(&x, f);
		else if ((in->fns.at[f].class ? covered(&x, f) : x.taken[f]) &&
			 in->fns.at[f].linkage != LINK_ALIAS)
			apply_synthesise(&x, f);
		else
			drop_body(&out->fns.at[f]);
	}
	make_end(&x);
	keep_finish(&x);
	serial_finish(&x);
	unknown_finish(&x);
	plain_finish(&x);
	method_finish(&x);
}
