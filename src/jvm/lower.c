/* lower.c - a method's bytecode to IR: the steps in order.
 *
 * scan the bytes, find blocks and states, emit, build the function, then the
 * functions that it needs (lambdas, arrays of arrays).  Nothing of the IR is
 * touched before a body is known to be well formed, but for the names that it
 * uses. */
#include "jvm/lower_int.h"

/* Puts the parameters into the locals, as kinds. */
static bool
place_params(Lower *l)
{
	u32 nparam, nslot, at = 0, slot = 0;
	JStr d;

	if (!desc_method(l->m->desc, &nparam, &nslot))
		return lower_fail(l, "the descriptor is malformed");
	nslot += !(l->m->flags & ACC_STATIC);
	if (nslot > l->code.max_locals)
		return lower_fail(l, "the parameters do not fit into the locals");
	l->nlocal = MAX(l->nlocal, nslot);
	l->local = arena_array(&l->a, Slot, l->nlocal + 1);
	if (!(l->m->flags & ACC_STATIC))
		l->local[slot++].kind = K_OBJ;
	while ((d = name_next_param(l->m->desc, &at)).n) {
		l->local[slot].kind = (u8)desc_kind(*d.at);
		slot += kind_is_wide(l->local[slot].kind) ? 2 : 1;
	}
	return true;
}

static bool
lower(Lower *l)
{
	return class_code(&l->code, &l->a, l->c, l->m, &l->why) && code_scan(l) &&
	       place_params(l) && flow_analyse(l) && ssa_emit(l);
}

static void
build_pending(JvmUnit *u)
{
	for (u32 k = 0; k < u->pending.n; k++) {
		Pending p = u->pending.at[k];
		if (p.many)
			many_build(u, &p);
		else
			lambda_build(u, &p);
	}
	u->pending.n = 0;
}

static void
finish(Lower *l)
{
	Fn *f = &l->ir->fns.at[l->fn];

	f->linkage = LINK_EXTERNAL;
	if (l->code.nline)
		f->src = ir_src(l->ir, l->u->classes.at[l->class].source, l->code.lines[0].line, 0);
	ssa_finish(l);
	build_pending(l->u);
}

bool
jvm_lower_method(JvmUnit *u, const ClassFile *c, u32 k, const char **why)
{
	Lower l = {.u = u, .ir = u->ir, .c = c, .m = &c->methods[k], .stack = u->stack};
	bool good;

	u->generation++;
	u->refs.n = 0;
	l.class = unit_declared(u, c);
	assert(l.class);
	if (!l.m->code || u->classes.at[l.class].done[k])
		return true;
	l.fn = u->classes.at[l.class].fns[k];
	arena_init(&l.a, u->a->budget);
	good = lower(&l);
	if (good)
		finish(&l);
	else
		*why = arena_printf(u->a, "%s: %s", ir_str(u->ir, u->ir->fns.at[l.fn].name), l.why);
	u->classes.at[l.class].done[k] = good;
	u->pending.n = 0;
	arena_release(&l.a);
	return good;
}

u32
jvm_lower_class(JvmUnit *u, const ClassFile *c)
{
	const char *why;
	u32 bad = 0;

	if (!jvm_declare(u, c, &why)) {
		unit_assume(u, 0, 0, "%s", why);
		return 1;
	}
	for (u32 k = 0; k < c->nmethod; k++)
		if (!jvm_lower_method(u, c, k, &why)) {
			unit_assume(u, jvm_fn(u, c, k), 0, "%s", why);
			bad++;
		}
	return bad;
}
