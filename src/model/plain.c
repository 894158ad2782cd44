/* plain.c - classes whose objects are not worth telling apart.
 *
 * Model files say of some classes of a library that their objects are plain: all
 * that they hold is text, numbers, or other such (`plain`), or that they never
 * change, so that one stands for all (`value`).  Classes below are plain, too; and
 * values if they are a library's.  The program's classes get it as a flag, for the points-to analysis to use; and so
 * does each static method that is given nothing but numbers and such objects: who
 * calls it makes no difference to it.  Only precision and time depend on it.
 *
 * They also say which of a library's classes threads may share (`safe`): that one, and those
 * nested in it. */
#include "model/model_int.h"

#include <string.h>

static bool is_library(const Ir *ir, ClassId c);

static void
mark_safe(Apply *x, const Plain *p)
{
	size_t n = strlen(p->class);

	for (ClassId c = 1; c < x->out->classes.n; c++) {
		Class *k = &x->out->classes.at[c];
		const char *name = ir_str(x->out, k->name);
		if (!strncmp(name, p->class, n) && (!name[n] || name[n] == '$') &&
		    is_library(x->out, c))
			k->flags |= (u32)NOTE_LIBRARY_SAFE << 16;
	}
}

static void
mark_class(Apply *x, const Plain *p)
{
	StrId name = intern_find(&x->out->strs, p->class, strlen(p->class));
	ClassId c;

	if (!x->classes.ir)
		class_index(&x->classes, x->out->arena, x->in);
	c = name ? map_get(&x->classes.by_name, name) : 0;
	if (c && !models_ignored(x->m, p->class))
		x->out->classes.at[c].flags |= p->value ? CLASS_VALUE | CLASS_PLAIN : CLASS_PLAIN;
}

/* Does c come from a library? */
static bool
is_library(const Ir *ir, ClassId c)
{
	const Class *k = &ir->classes.at[c];

	for (u32 i = 0; i < k->nmethod; i++)
		if (!(ir->fns.at[ir->refs.at[k->method + i]].flags & FN_LIBRARY))
			return false;
	return k->nmethod;
}

/* Hands the flags down to the classes below. */
static void
mark_below(Ir *ir)
{
	u8 *flags = arena_array(ir->arena, u8, ir->classes.n);

	for (ClassId c = 1; c < ir->classes.n; c++)
		flags[c] = class_flags(ir, c) >> 30;
	for (ClassId c = 1; c < ir->classes.n; c++) {
		Class *k = &ir->classes.at[c];
		k->flags |= flags[c] ? CLASS_PLAIN : 0;
		if (flags[c] & 2 && is_library(ir, c))
			k->flags |= CLASS_VALUE;
	}
}

/* Is each parameter in the descriptor at s a number or a plain object? */
static bool
takes_plain(Apply *x, const char *s)
{
	for (s++; *s && *s != ')'; s = unknown_type_end(s)) {
		ClassId c = *s == 'L' ? unknown_class_at(x, s) : 0;
		if (*s == '[' || (*s == 'L' && !(x->out->classes.at[c].flags & CLASS_PLAIN)))
			return false;
	}
	return true;
}

/* Marks the classes with methods that have a model and no code. */
static void
mark_modelled(Apply *x)
{
	Ir *ir = x->out;

	for (ClassId c = 1; c < ir->classes.n; c++)
		for (u32 i = 0; i < ir->classes.at[c].nmethod; i++) {
			FnId id = ir->refs.at[ir->classes.at[c].method + i];
			const Fn *f = &x->in->fns.at[id < x->in->fns.n ? id : 0];
			if (!f->nblock && models_covers(x->m, ir_str(ir, f->name), f->nparam))
				ir->classes.at[c].flags |= CLASS_MODELLED;
		}
}

void
plain_finish(Apply *x)
{
	Ir *out = x->out;

	mark_modelled(x);
	if (!x->m->plain.n)
		return;
	for (u32 k = 0; k < x->m->plain.n; k++)
		if (x->m->plain.at[k].safe)
			mark_safe(x, &x->m->plain.at[k]);
		else
			mark_class(x, &x->m->plain.at[k]);
	mark_below(out);
	for (FnId f = 1; f < x->in->fns.n; f++) {
		Fn *fn = &out->fns.at[f];
		const char *paren =
		    fn->flags & FN_STATIC && fn->class ? strchr(ir_str(out, fn->name), '(') : NULL;
		if (paren && takes_plain(x, paren))
			fn->flags |= FN_PLAIN;
	}
}
