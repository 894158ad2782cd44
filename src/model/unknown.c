/* unknown.c - Java methods of which nothing is known, and objects of which only
 * the declared class is.
 *
 * A method that has neither a body nor a model (a native one, one of a class
 * that is missing) is unknown code.  A native one of a library does what the rule
 * for `native.method` says, and the report lists it.  An abstract method, and one that no object
 * that the program makes has, runs only where not even the class of the receiver
 * is known; what it does then is said by the models' rule for `opaque.method`.  Either may call back the objects that it is
 * given: those that it takes as a functional interface, an interface with one
 * abstract method, are called any number of times.
 *
 * Who reaches such a body is known only when calls are resolved, so it is marked
 * FN_UNKNOWN, and the report lists those that run. */
#include "base/set.h"
#include "ir/class.h"
#include "model/model_int.h"

#include <string.h>

enum { ACC_INTERFACE = 0x200, IFACE_DEPTH = 32 };

/* ---- descriptors ------------------------------------------------------------ */

const char *
unknown_type_end(const char *s)
{
	while (*s == '[')
		s++;
	if (*s == 'L')
		while (*s && *s != ';')
			s++;
	return *s ? s + 1 : s;
}

ClassId
unknown_class_at(Apply *x, const char *s)
{
	const char *end = unknown_type_end(s);
	char *name;
	StrId id;

	if (*s != 'L' || end[-1] != ';')
		return 0;
	name = arena_dup(x->out->arena, s + 1, (size_t)(end - s) - 2);
	for (char *c = name; *c; c++)
		*c = *c == '/' ? '.' : *c;
	id = intern_find(&x->in->strs, name, strlen(name));
	if (!x->classes.ir)
		class_index(&x->classes, x->out->arena, x->in);
	return id ? map_get(&x->classes.by_name, id) : 0;
}

ClassId
unknown_result_class(Apply *x, FnId f)
{
	const char *paren = f ? strchr(ir_str(x->in, x->in->fns.at[f].name), ')') : NULL;
	ClassId c = paren ? unknown_class_at(x, paren + 1) : 0;

	if (!c || (!x->in->classes.at[c].super && !(x->in->classes.at[c].flags & ACC_INTERFACE)))
		return 0; /* the class of all objects says nothing */
	return c;
}

TypeId
unknown_result_type(Apply *x, FnId f)
{
	ClassId c = unknown_result_class(x, f);

	return c ? method_class_type(x, ir_str(x->in, x->in->classes.at[c].name)) : 0;
}

/* ---- callbacks -------------------------------------------------------------- */

/* Does a class without a superclass declare a method of f's name? */
static bool
is_everyones(const Ir *ir, FnId f)
{
	const char *name = method_short_name(ir_str(ir, ir->fns.at[f].name));

	for (ClassId c = 1; c < ir->classes.n; c++) {
		const Class *k = &ir->classes.at[c];
		for (u32 i = 0; !k->super && !(k->flags & ACC_INTERFACE) && i < k->nmethod; i++)
			if (!strcmp(name, method_short_name(ir_str(
					      ir, ir->fns.at[ir->refs.at[k->method + i]].name))))
				return true;
	}
	return false;
}

/* Counts the abstract methods of c and the interfaces above it; *only is one. */
static u32
count_abstract(const Ir *ir, ClassId c, FnId *only, u32 depth)
{
	const Class *k = &ir->classes.at[c];
	u32 n = 0;

	for (u32 i = 0; i < k->nmethod && n < 2; i++) {
		FnId f = ir->refs.at[k->method + i];
		if (!(ir->fns.at[f].flags & FN_ABSTRACT) || is_everyones(ir, f))
			continue;
		*only = f;
		n++;
	}
	for (u32 i = 0; i < k->niface && n < 2 && depth < IFACE_DEPTH; i++)
		n += count_abstract(ir, ir->refs.at[k->iface + i], only, depth + 1);
	return n;
}

static FnId
functional_method(const Ir *ir, ClassId c)
{
	FnId only = 0;

	if (!c || !(ir->classes.at[c].flags & ACC_INTERFACE))
		return 0;
	return count_abstract(ir, c, &only, 0) == 1 ? only : 0;
}

/* Calls method on argument k, with e->rest for each parameter. */
static void
call_back(Emit *e, u32 k, FnId method)
{
	static const Expr rest = {.kind = EXPR_REST};
	Arena *a = e->x->out->arena;
	const Fn *fn = &e->x->in->fns.at[method];
	Effect *f = arena_new(a, Effect);
	Expr *on = arena_new(a, Expr);
	u32 n = fn->nparam ? fn->nparam - 1 : 0;

	*on = (Expr){.kind = EXPR_PARAM, .num = k};
	*f = (Effect){.verb = VERB_CALL,
		      .sub = CALL_REPEAT,
		      .method = ir_str(e->x->in, fn->name),
		      .a = on,
		      .args = arena_array(a, const Expr *, n),
		      .narg = n};
	for (u32 i = 0; i < n; i++)
		f->args[i] = &rest;
	(void)method_emit(e, f, false);
}

/* Something that unknown code knows. */
static Val
something(Emit *e, FnId f)
{
	u16 width = (u16)(e->x->out->ptr_bytes * 8);
	Ins *i = effect_ins(e, OP_EXTERN, 0, NULL);

	i->dst = build_reg(e->b, RT_PTR, width);
	i->rt = RT_PTR;
	i->width = width;
	i->aux = e->x->in->fns.at[f].name;
	return i->dst;
}

void
unknown_callbacks(Emit *e, FnId f)
{
	const char *paren = strchr(ir_str(e->x->in, e->x->in->fns.at[f].name), '(');
	u32 n = 0, first;

	if (!paren)
		return;
	for (const char *s = paren + 1; *s && *s != ')'; s = unknown_type_end(s))
		n++;
	first = e->narg - MIN(n, e->narg);
	n = 0;
	for (const char *s = paren + 1; *s && *s != ')' && first + n < e->narg;
	     s = unknown_type_end(s)) {
		FnId method = functional_method(e->x->in, unknown_class_at(e->x, s));
		if (method && (val_is_reg(e->args[first + n]))) {
			e->rest = e->rule ? e->args[0] : something(e, f);
			call_back(e, first + n, method);
		}
		n++;
	}
}

/* Is f a native method of a library? */
static bool
is_library_native(const Fn *f)
{
	return f->flags & FN_NATIVE && f->flags & FN_LIBRARY;
}

const Rule *
unknown_rule(const Apply *x, FnId f, u32 narg)
{
	const Fn *fn = &x->in->fns.at[f];

	if (is_library_native(fn))
		return models_find(x->m, "native.method", narg, false);
	if (!fn->class || !x->in->classes.at[fn->class].nmethod ||
	    fn->flags & (FN_NATIVE | FN_STATIC))
		return NULL;
	return models_find(x->m, "opaque.method", narg, false);
}

void
unknown_assume(Emit *e, FnId f)
{
	Apply *x = e->x;

	if (is_library_native(&x->in->fns.at[f]))
		apply_assume(
		    x,
		    arena_printf(
			x->out->arena,
			"native method %s of a library is taken to keep and change nothing "
			"that it is given",
			ir_str(x->in, x->in->fns.at[f].name)),
		    e->b->fn, e->b->src);
}

/* ---- bodies ----------------------------------------------------------------- */

/* Does the program call a method of f's name by the class of its receiver? */
static bool
is_dispatched(const Apply *x, const Set *names, FnId f)
{
	const char *name = method_short_name(ir_str(x->in, x->in->fns.at[f].name));

	return set_has(names, intern_find(&x->out->strs, name, strlen(name)));
}

void
unknown_finish(Apply *x)
{
	Ir *out = x->out;
	Set names = {0};

	for (InsId k = 1; k < out->ins.n; k++) {
		const Ins *i = ir_ins(out, k);
		if ((i->op == OP_CALL || i->op == OP_FORK) && i->sub == CALL_VIRTUAL)
			set_add(out->arena, &names, i->aux);
	}
	for (FnId f = 1; f < x->in->fns.n; f++) {
		Fn *fn = &out->fns.at[f];
		if (!fn->class || fn->nblock || fn->flags & FN_STATIC ||
		    fn->linkage == LINK_ALIAS || !is_dispatched(x, &names, f))
			continue;
		if (!is_library_native(fn) || !unknown_rule(x, f, fn->nparam))
			fn->flags |= FN_UNKNOWN;
		apply_synthesise(x, f);
	}
	set_recycle(out->arena, &names);
}
