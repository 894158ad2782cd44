/* lower_declare.c - declares classes, and lays them out when a unit is done. */
#include "jvm/lower_int.h"

#include <string.h>

static bool
fail(JvmUnit *u, const char **why, const char *what, JStr name)
{
	*why = arena_printf(u->a, "%s %.*s", what, (int)MIN(name.n, 200u), name.at);
	return false;
}

/* java/lang/Thread.java */
static StrId
source_path(JvmUnit *u, const ClassFile *c)
{
	u32 n = c->name.n;

	while (n && c->name.at[n - 1] != '/')
		n--;
	u->text.n = 0;
	name_push(u->a, &u->text, (JStr){c->name.at, n});
	if (c->source.n && !memchr(c->source.at, '/', c->source.n)) {
		name_push(u->a, &u->text, c->source);
	} else {
		JStr own = {c->name.at + n, c->name.n - n};
		const char *inner = own.n ? memchr(own.at + 1, '$', own.n - 1) : NULL;
		if (inner)
			own.n = (u32)(inner - own.at);
		name_push(u->a, &u->text, own);
		name_push(u->a, &u->text, (JStr){".java", 5});
	}
	return unit_text(u);
}

/* ---- fields ------------------------------------------------------------- */

static void
set_first_value(JvmUnit *u, const ClassFile *c, const JMember *m, GlobalId g)
{
	u8 tag = m->value && m->value < c->nconst ? c->consts[m->value].tag : 0;
	Val v;

	if (tag == CP_STRING)
		v = ir_const_global(u->ir, unit_string(u, class_utf8(c, c->consts[m->value].a)), 0);
	else if (tag == CP_INT || tag == CP_LONG)
		v = ir_const_int(u->ir, tag == CP_INT ? 32 : 64, class_number(c, m->value));
	else
		return;
	u->ir->globals.at[g].init = u->ir->inits.n;
	u->ir->globals.at[g].ninit = 1;
	vec_push(u->a, &u->ir->inits, (Init){0, v});
}

static bool
declare_fields(JvmUnit *u, const ClassFile *c, ClassId id, const char **why)
{
	for (u32 k = 0; k < c->nfield; k++) {
		const JMember *m = &c->fields[k];
		u32 f;
		if ((u32)class_find_field(c, m->name, m->desc) != k)
			return fail(u, why, "two fields with the name", m->name);
		f = unit_field(u, id, m->name, m->desc);
		u->fields.at[f].desc = *m->desc.at;
		if (desc_kind(*m->desc.at) == K_REF) {
			TypeId t = unit_type(u, unit_desc_class(u, m->desc));
			u->fields.at[f].type = t;
		}
		u->fields.at[f].flags |= JVM_DECLARED | (u32)m->flags | (u32)m->notes << 16;
		if (m->guard.n)
			u->fields.at[f].guard = intern_bytes(&u->ir->strs, m->guard.at, m->guard.n);
		if (m->flags & ACC_STATIC) {
			GlobalId g = unit_static(u, f);
			if (u->ir->globals.at[g].linkage == LINK_EXTERNAL)
				continue; /* another type's, with the same name */
			u->ir->globals.at[g].linkage = LINK_EXTERNAL;
			set_first_value(u, c, m, g);
		}
	}
	return true;
}

/* ---- methods ------------------------------------------------------------ */

static u16
fn_flags(const JMember *m)
{
	u16 flags = m->flags & ACC_STATIC ? FN_STATIC : 0;

	if (jstr_is(m->name, "<init>"))
		flags |= FN_CONSTRUCTOR;
	if (jstr_is(m->name, "<clinit>"))
		flags |= FN_CINIT;
	if (jstr_is(m->name, "finalize") && jstr_is(m->desc, "()V"))
		flags |= FN_DESTRUCTOR;
	if (m->flags & ACC_SYNTHETIC && !(m->name.n > 7 && !memcmp(m->name.at, "lambda$", 7)))
		flags |= FN_SYNTHETIC;
	if (m->flags & ACC_ABSTRACT)
		flags |= FN_ABSTRACT;
	if (m->flags & ACC_NATIVE)
		flags |= FN_NATIVE;
	return flags;
}

static bool
declare_methods(JvmUnit *u, const ClassFile *c, ClassId id, const char **why)
{
	UnitClass *k = &u->classes.at[id];
	FnId *fns = arena_array(u->a, FnId, c->nmethod + 1);
	Map seen = {0};

	k->fns = fns;
	k->done = arena_array(u->a, u8, c->nmethod + 1);
	for (u32 i = 0; i < c->nmethod; i++) {
		const JMember *m = &c->methods[i];
		u32 method = unit_method(u, c->name, m->name, m->desc, m->flags & ACC_STATIC);
		FnId f = u->methods.at[method].fn;
		Fn *fn = &u->ir->fns.at[f];
		u32 nslot;
		if (map_get(&seen, f))
			return fail(u, why, "two methods with the name", m->name);
		map_put(u->a, &seen, f, 1);
		desc_method(m->desc, &fn->nparam, &nslot);
		fn->nparam += !(m->flags & ACC_STATIC);
		fn->flags = fn_flags(m) | (c->library ? FN_LIBRARY : 0);
		u->methods.at[method].exact =
		    (m->flags & (ACC_PRIVATE | ACC_FINAL)) || (c->flags & ACC_FINAL);
		fns[i] = f;
		vec_push(u->a, &u->classes.at[id].methods, f);
	}
	return true;
}

bool
jvm_declare(JvmUnit *u, const ClassFile *c, const char **why)
{
	ClassId id = unit_class(u, c->name), super;
	Class *k;

	u->generation++;
	u->refs.n = 0;
	if (u->classes.at[id].file)
		return fail(u, why, "declared twice:", c->name);
	if (jstr_equal(c->name, c->super))
		return fail(u, why, "it inherits from itself:", c->name);
	u->classes.at[id].file = c;
	map_put(u->a, &u->file_index, (u64)(uintptr_t)c, id);
	u->classes.at[id].cache = arena_array(u->a, u32, c->nconst);
	u->classes.at[id].source = source_path(u, c);
	super = c->super.n ? unit_class(u, c->super) : 0;
	if (super)
		unit_ref_class(u, JVM_REF_CLASS, super);
	for (u32 i = 0; i < c->niface; i++) {
		ClassId iface = unit_class(u, c->ifaces[i]);
		unit_ref_class(u, JVM_REF_CLASS, iface);
		if (iface != id)
			vec_push(u->a, &u->classes.at[id].ifaces, iface);
	}
	k = &u->ir->classes.at[id];
	k->super = super;
	k->flags = (u32)c->flags | (u32)c->notes << 16;
	k->unit = k->name;
	return declare_fields(u, c, id, why) && declare_methods(u, c, id, why);
}

FnId
jvm_fn(const JvmUnit *u, const ClassFile *c, u32 k)
{
	const UnitClass *x = &u->classes.at[unit_declared(u, c)];

	return x->fns && k < c->nmethod ? x->fns[k] : 0;
}

/* ---- the end ------------------------------------------------------------ */

static u32
append(JvmUnit *u, const VecU32 *list)
{
	u32 first = u->ir->refs.n;

	for (u32 k = 0; k < list->n; k++)
		vec_push(u->a, &u->ir->refs, list->at[k]);
	return first;
}

static void
lay_out(JvmUnit *u, ClassId c)
{
	Ir *ir = u->ir;
	const UnitClass *k = &u->classes.at[c];
	Class *x = &ir->classes.at[c];

	x->field = ir->fields.n;
	x->nfield = k->fields.n;
	for (u32 i = 0; i < k->fields.n; i++) {
		UnitField *f = &u->fields.at[k->fields.at[i]];
		f->id = ir->fields.n;
		vec_push(u->a, &ir->fields,
			 (Field){.name = f->name,
				 .class = c,
				 .type = f->type,
				 .flags = f->flags,
				 .guard = f->guard});
	}
	x->niface = k->ifaces.n;
	x->iface = append(u, &k->ifaces);
	x->nmethod = k->methods.n;
	x->method = append(u, &k->methods);
	for (u32 i = 0; i < k->methods.n; i++)
		if (ir->fns.at[k->methods.at[i]].flags & FN_CINIT)
			x->cinit = k->methods.at[i];
}

void
jvm_unit_finish(JvmUnit *u)
{
	Ir *ir = u->ir;

	for (ClassId c = 1; c < ir->classes.n; c++)
		lay_out(u, c);
	for (InsId i = 1; i < ir->ins.n; i++) {
		Ins *x = &ir->ins.at[i];
		if (x->op == OP_FIELD && x->sub == 1)
			x->aux = u->fields.at[x->aux].id;
	}
}
