/* method.c - Java methods in models: what a virtual call means, the library's
 * own fields of objects, callbacks by method.
 *
 * A virtual call is replaced by its model only if every class of the program
 * below the one it names has that one method; else the modelled ones get
 * bodies, and the points-to analysis dispatches.  A callback that may happen
 * any number of times is a call of a helper with the loop, because effects
 * are straight-line code; helpers get their bodies when all others have
 * theirs. */
#include "ir/class.h"
#include "model/model_int.h"

#include <string.h>

/* ---- dispatch ------------------------------------------------------------- */

const char *
method_short_name(const char *name)
{
	const char *paren = strchr(name, '('), *at = paren ? paren : name + strlen(name);

	while (at > name && at[-1] != '.')
		at--;
	return at;
}

/* The method of that name that c declares, or inherits from a superclass; 0
 * none, or an abstract one. */
static FnId
declared(const Ir *ir, ClassId c, const char *name)
{
	for (u32 n = 0; c && n < ir->classes.n; n++, c = ir->classes.at[c].super) {
		const Class *k = &ir->classes.at[c];
		for (u32 i = 0; i < k->nmethod; i++) {
			FnId f = ir->refs.at[k->method + i];
			if (!strcmp(method_short_name(ir_str(ir, ir->fns.at[f].name)), name))
				return ir->fns.at[f].flags & FN_ABSTRACT ? 0 : f;
		}
	}
	return 0;
}

/* The one method that a virtual call of f may run; 0 if there are several. */
static FnId
only_target(const Ir *ir, FnId f)
{
	const char *name = method_short_name(ir_str(ir, ir->fns.at[f].name));
	StrId id = intern_find(&ir->strs, name, strlen(name));
	FnId only = 0;

	for (ClassId c = 1; c < ir->classes.n; c++) {
		FnId m;
		if (!class_within(ir, c, ir->fns.at[f].class))
			continue;
		m = declared(ir, c, name);
		if (!m && id)
			m = class_method(ir, c, id);
		if (m && only && m != only)
			return 0;
		only = m ? m : only;
	}
	return only ? only : f;
}

FnId
method_target(const Apply *x, FnId f)
{
	if (!x->in->fns.at[f].class)
		return f;
	if (!x->target[f])
		x->target[f] = only_target(x->in, f) + 1;
	return x->target[f] - 1;
}

/* ---- fields ---------------------------------------------------------------- */

#define LIBRARY_CLASS "the library"

/* The class that the library's own fields belong to; its fields are the last. */
static Class *
library_class(Apply *x)
{
	Ir *ir = x->out;
	StrId name = intern_str(&ir->strs, LIBRARY_CLASS);

	for (ClassId c = ir->classes.n - 1; c && !x->library_class; c--)
		if (ir->classes.at[c].name == name) /* of an earlier rewriting */
			x->library_class = c;
	if (x->library_class)
		return &ir->classes.at[x->library_class];
	x->library_class = ir->classes.n;
	vec_push(ir->arena, &ir->classes, (Class){.name = name, .field = ir->fields.n});
	vec_push(ir->arena, &ir->types,
		 (Type){.kind = TYPE_PTR,
			.name = intern_str(&ir->strs, "Object"),
			.size = ir->ptr_bytes});
	return &ir->classes.at[x->library_class];
}

FieldId
method_field(Apply *x, const char *name)
{
	Ir *ir = x->out;
	Class *c = library_class(x);
	StrId id = intern_str(&ir->strs, name);

	for (FieldId f = c->field; f < c->field + c->nfield; f++)
		if (ir->fields.at[f].name == id)
			return f;
	vec_push(ir->arena, &ir->fields,
		 (Field){.name = id, .class = x->library_class, .type = ir->types.n - 1});
	if (!c->nfield++)
		c->field = ir->fields.n - 1;
	for (TypeId t = ir->types.n - 1; t; t--) /* of an earlier rewriting */
		if (ir->types.at[t].kind == TYPE_PTR)
			ir->fields.at[ir->fields.n - 1].type = t;
	return ir->fields.n - 1;
}

/* No class of the program has this name; it is below the one above all. */
static void
need_class(Apply *x, StrId name)
{
	Ir *ir = x->out;
	ClassId above = 0;

	for (ClassId c = 1; c < ir->classes.n; c++) {
		if (ir->classes.at[c].name == name)
			return;
		if (!above && ir->classes.at[c].super)
			above = c;
	}
	for (u32 n = 0; n < ir->classes.n && ir->classes.at[above].super; n++)
		above = ir->classes.at[above].super;
	vec_push(ir->arena, &ir->classes, (Class){.name = name, .super = above});
}

TypeId
method_class_type(Apply *x, const char *name)
{
	Ir *ir = x->out;
	StrId id = intern_str(&ir->strs, name);
	u32 *memo = map_at(ir->arena, &x->class_types, id);

	for (TypeId t = 1; !*memo && t < ir->types.n; t++)
		if (ir->types.at[t].kind == TYPE_CLASS && ir->types.at[t].name == id)
			*memo = t;
	if (!*memo) {
		*memo = ir->types.n;
		vec_push(ir->arena, &ir->types, (Type){.kind = TYPE_CLASS, .name = id});
		if (!strcmp(name, ARRAY_OF_ANY) || !strcmp(name, OBJECT_OF_ANY))
			need_class(x, id);
	}
	return *memo;
}

/* ---- callbacks ------------------------------------------------------------- */

/* The function that a callback names, for receivers of no known class. */
static Val
named(Apply *x, const char *method)
{
	u32 *memo = map_at(x->out->arena, &x->methods, intern_str(&x->out->strs, method));

	if (!*memo)
		*memo = ir_find_fn(x->in, method) + 1;
	return *memo > 1 ? ir_const_fn(x->out, *memo - 1) : ir_const_null(x->out);
}

static Val
emit_virtual(Apply *x, Build *b, const Effect *f, bool fork, u32 narg, const Val *args)
{
	const char *method = f->method;
	Vec(Val) all = {0};
	Arena *a = x->out->arena;
	u16 width = (u16)(x->out->ptr_bytes * 8);
	Val dst = build_reg(b, RT_PTR, width);
	Ins *i;

	if (fork)
		vec_push(a, &all, 0);
	vec_push(a, &all, named(x, method));
	for (u32 k = 0; k < narg; k++)
		vec_push(a, &all, args[k]);
	i = build_ins(b, fork ? OP_FORK : OP_CALL, all.n, all.at);
	i->sub = CALL_VIRTUAL;
	i->aux = intern_str(&x->out->strs, method_short_name(method));
	i->flags = (u8)(INS_MODEL | (fork ? INS_HANDLE : INS_THROWS));
	if (fork)
		i->flags |= (f->try ? INS_TRY : 0) | (f->first ? INS_FIRST : 0);
	i->cond = fork ? SIGN_ANY : 0;
	i->dst = dst;
	i->rt = RT_PTR;
	i->width = width;
	arena_recycle(a, all.at, all.cap * sizeof *all.at);
	return dst;
}

/* A helper that makes the callback, or thread, any number of times, and returns the last
 * one's result or handle; without its body. */
static FnId
helper(Emit *e, const Effect *f, bool fork)
{
	Apply *x = e->x;
	const char *name = arena_printf(x->out->arena, CELL_PREFIX "%s.%s.%u.%u",
					f->c   ? "holds"
					: fork ? f->try ? "forks.later" : "forks"
					       : "calls",
					f->method, f->narg, f->sub);
	StrId id = intern_str(&x->out->strs, name);
	u32 *fn = map_at(x->out->arena, &x->helper_of, id);
	FnId method;

	if (!*fn)
		*fn = ir_find_fn(x->in, name);
	if (*fn)
		return *fn;
	*fn = x->out->fns.n;
	method = f->c ? ir_find_fn(x->in, f->method) : 0;
	vec_push(x->out->arena, &x->out->fns,
		 (Fn){.name = id,
		      .pretty = intern_str(&x->out->strs, f->method),
		      .linkage = LINK_EXTERNAL,
		      .class = method ? x->in->fns.at[method].class : 0,
		      .ret = RT_PTR,
		      .nparam = f->narg + 1 + (f->c ? 1 : 0),
		      .src = e->b->src,
		      .flags = FN_SYNTHETIC});
	vec_push(x->out->arena, &x->helpers, ((Helper){f, *fn, fork}));
	return *fn;
}

/* A new thread that runs the method with a lock held throughout; its handle. */
static Val
fork_holding(Emit *e, const Effect *f)
{
	Vec(Val) args = {0};
	Arena *a = e->x->out->arena;
	u16 width = (u16)(e->x->out->ptr_bytes * 8);
	Ins *i;

	vec_push(a, &args, 0);
	vec_push(a, &args, ir_const_fn(e->x->out, helper(e, f, true)));
	vec_push(a, &args, effect_value(e, f->a));
	for (u32 k = 0; k < f->narg; k++)
		vec_push(a, &args, effect_value(e, f->args[k]));
	vec_push(a, &args, effect_value(e, f->c));
	i = effect_ins(e, OP_FORK, args.n, args.at);
	i->flags |= INS_HANDLE | (f->try ? INS_TRY : 0);
	i->cond = SIGN_ANY;
	i->rt = RT_PTR;
	i->width = width;
	arena_recycle(a, args.at, args.cap * sizeof *args.at);
	return e->b->ir->ins.at[e->b->ir->ins.n - 1].dst = build_reg(e->b, RT_PTR, width);
}

Val
method_emit(Emit *e, const Effect *f, bool fork)
{
	Vec(Val) args = {0};
	Arena *a = e->x->out->arena;
	u16 width = (u16)(e->x->out->ptr_bytes * 8);
	bool often = f->sub == CALL_REPEAT || f->sub == CALL_MAYBE;
	Val dst;
	Ins *i;

	if (fork && f->c)
		return fork_holding(e, f);
	if (often)
		vec_push(a, &args, ir_const_fn(e->x->out, helper(e, f, fork)));
	vec_push(a, &args, effect_value(e, f->a));
	for (u32 k = 0; k < f->narg; k++)
		vec_push(a, &args, effect_value(e, f->args[k]));
	if (!often) {
		dst = emit_virtual(e->x, e->b, f, fork, args.n, args.at);
	} else {
		dst = build_reg(e->b, RT_PTR, width);
		i = effect_ins(e, OP_CALL, args.n, args.at);
		i->flags |= INS_THROWS;
		i->dst = dst;
		i->rt = RT_PTR;
		i->width = width;
	}
	arena_recycle(a, args.at, args.cap * sizeof *args.at);
	return dst;
}

/* for (;;) { if (any) break; callback } */
static void
build_helper(Apply *x, const Helper *h)
{
	Build b;
	u32 n = h->effect->narg + 1;
	u16 width = (u16)(x->out->ptr_bytes * 8);
	Val *args = arena_array(x->out->arena, Val, n), any, got, last;
	BlockId head, body, out;
	Ins *i;

	build_begin(&b, x->out, h->fn);
	for (u32 k = 0; k < n; k++) {
		build_param(&b, k, RT_PTR, width, 0);
		args[k] = k + 1;
	}
	b.src = x->out->fns.at[h->fn].src;
	build_block_start(&b, build_block_new(&b));
	head = build_block_new(&b);
	body = build_block_new(&b);
	out = build_block_new(&b);
	build_term(&b, OP_BR, 0, NULL, 1, &head);
	build_block_start(&b, head);
	got = build_reg(&b, RT_PTR, width);
	last = build_reg(&b, RT_PTR, width);
	i = build_ins(&b, OP_PHI, 4, (Val[]){1, ir_const_null(x->out), body, got});
	i->dst = last;
	i->rt = RT_PTR;
	i->width = width;
	any = build_reg(&b, RT_INT, 1);
	i = build_ins(&b, OP_NONDET, 0, NULL);
	i->dst = any;
	i->rt = RT_INT;
	i->width = 1;
	build_term(&b, OP_CBR, 1, &any, 2, (BlockId[]){body, out});
	build_block_start(&b, body);
	any = emit_virtual(x, &b, h->effect, h->fork, n, args);
	i = build_ins(&b, OP_COPY, 1, &any);
	i->dst = got;
	i->rt = RT_PTR;
	i->width = width;
	build_term(&b, OP_BR, 0, NULL, 1, &head);
	build_block_start(&b, out);
	build_term(&b, OP_RET, 1, &last, 0, NULL);
	build_end(&b);
}

/* acquire lock; callback; release lock.  A method of the task, so that tasks are
 * told apart as other receivers are. */
static void
build_holder(Apply *x, const Helper *h)
{
	Build b;
	u32 n = h->effect->narg + 2;
	u16 width = (u16)(x->out->ptr_bytes * 8);
	Val *args = arena_array(x->out->arena, Val, n), got;
	Ins *i;

	build_begin(&b, x->out, h->fn);
	for (u32 k = 0; k < n; k++) {
		build_param(&b, k, RT_PTR, width, 0);
		args[k] = k + 1;
	}
	b.src = x->out->fns.at[h->fn].src;
	build_block_start(&b, build_block_new(&b));
	i = build_ins(&b, OP_ACQUIRE, 1, args + n - 1);
	i->sub = LOCK_WRITE;
	i->flags = INS_MODEL | INS_RECURSIVE;
	got = emit_virtual(x, &b, h->effect, false, n - 1, args);
	i = build_ins(&b, OP_RELEASE, 1, args + n - 1);
	i->flags = INS_MODEL | INS_RECURSIVE;
	build_term(&b, OP_RET, 1, &got, 0, NULL);
	build_end(&b);
}

void
method_finish(Apply *x)
{
	for (u32 k = 0; k < x->helpers.n; k++) {
		if (x->helpers.at[k].effect->c)
			build_holder(x, &x->helpers.at[k]);
		else
			build_helper(x, &x->helpers.at[k]);
	}
}
