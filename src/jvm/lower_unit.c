/* lower_unit.c - a unit: names to ids, and what is listed for the loader.
 *
 * Everything is found by its full name, as in jvm.h, and by constant pool index
 * in a cache per class, so that a name is spelled out once per class that uses
 * it.  Fields are numbered by us until jvm_unit_finish lays the classes out,
 * because a class's fields are neighbours in the IR and become known one by
 * one. */
#include "jvm/lower_int.h"

#include <stdarg.h>
#include <string.h>

enum { LITERAL = 120 }; /* bytes of a string literal that its name keeps */

Kind
desc_kind(char c)
{
	switch (c) {
	case 'J': return K_LONG;
	case 'F': return K_FLOAT;
	case 'D': return K_DOUBLE;
	case 'L':
	case '[': return K_REF;
	case 'V': return K_NONE;
	default: return K_INT;
	}
}

RegType
desc_rt(char c)
{
	switch (c) {
	case 'F':
	case 'D': return RT_FLOAT;
	case 'L':
	case '[': return RT_PTR;
	case 'V': return RT_VOID;
	default: return RT_INT;
	}
}

u16
desc_width(char c)
{
	switch (c) {
	case 'J':
	case 'D':
	case 'L':
	case '[': return 64;
	case 'V': return 0;
	default: return 32;
	}
}

JvmUnit *
jvm_unit_new(Ir *ir)
{
	JvmUnit *u = arena_new(ir->arena, JvmUnit);

	u->ir = ir;
	u->a = ir->arena;
	vec_reserve(u->a, &u->text, 1);
	(void)vec_extend(u->a, &u->classes, 1);
	(void)vec_extend(u->a, &u->fields, 1);
	(void)vec_extend(u->a, &u->methods, 1);
	u->stack = arena_array(u->a, Slot, STACK_ROOM);
	return u;
}

StrId
unit_text(JvmUnit *u)
{
	StrId s = intern_bytes(&u->ir->strs, u->text.at, u->text.n);

	u->text.n = 0;
	return s;
}

static JStr
str(const JvmUnit *u, StrId s)
{
	return (JStr){ir_str(u->ir, s), intern_len(&u->ir->strs, s)};
}

static void
add(JvmUnit *u, JStr s)
{
	name_push(u->a, &u->text, s);
}

/* ---- classes ------------------------------------------------------------ */

static void
init_array(JvmUnit *u, ClassId c, StrId name)
{
	static const char *const numbers[] = {"byte", "char", "double", "float",
					      "int",  "long", "short",  "boolean"};
	JStr s = str(u, name), object = {"java/lang/Object", 16};
	ClassId elem = 0;
	bool number = false;

	while (s.n > 2 && s.at[s.n - 1] == ']')
		s.n -= 2;
	for (u32 k = 0; k < COUNT(numbers); k++)
		number |= jstr_is(s, numbers[k]);
	if (!number) {
		add(u, s);
		elem = unit_class_str(u, unit_text(u));
	}
	u->classes.at[c].array = true;
	u->classes.at[c].elem = elem;
	elem = unit_class(u, object);
	u->ir->classes.at[c].super = elem;
}

ClassId
unit_class_str(JvmUnit *u, StrId name)
{
	ClassId c = map_get(&u->class_index, name);
	JStr s;

	if (c)
		return c;
	c = u->ir->classes.n;
	vec_push(u->a, &u->ir->classes, (Class){.name = name});
	vec_push(u->a, &u->classes, (UnitClass){0});
	map_put(u->a, &u->class_index, name, c);
	s = str(u, name);
	if (s.n > 2 && s.at[s.n - 1] == ']')
		init_array(u, c, name);
	return c;
}

ClassId
unit_class(JvmUnit *u, JStr name)
{
	u->text.n = 0;
	name_class(u->a, &u->text, name);
	return unit_class_str(u, unit_text(u));
}

ClassId
unit_desc_class(JvmUnit *u, JStr desc)
{
	u->text.n = 0;
	name_desc(u->a, &u->text, desc);
	return unit_class_str(u, unit_text(u));
}

TypeId
unit_type(JvmUnit *u, ClassId c)
{
	TypeId *t = &u->classes.at[c].type;

	if (!*t) {
		*t = u->ir->types.n;
		vec_push(u->a, &u->ir->types,
			 (Type){.kind = TYPE_CLASS, .name = u->ir->classes.at[c].name});
	}
	return *t;
}

ClassId
unit_new_class(JvmUnit *u, StrId name, u32 flags)
{
	ClassId c = unit_class_str(u, name), object = unit_class(u, (JStr){"java/lang/Object", 16});

	u->ir->classes.at[c].super = object;
	u->ir->classes.at[c].flags = flags;
	u->ir->classes.at[c].unit = name;
	return c;
}

/* ---- methods and fields ------------------------------------------------- */

static JStr
class_str(const JvmUnit *u, ClassId c)
{
	return str(u, u->ir->classes.at[c].name);
}

FnId
unit_new_fn(JvmUnit *u, StrId name, StrId pretty, ClassId c, JStr desc, bool is_static)
{
	u32 *id = map_at(u->a, &u->fn_index, name);
	u32 nparam = 0, nslot;
	Fn *f;

	if (!*id) {
		*id = u->ir->fns.n;
		vec_push(u->a, &u->ir->fns, (Fn){.name = name, .linkage = LINK_DECL});
	}
	f = &u->ir->fns.at[*id];
	f->pretty = pretty;
	f->class = c;
	f->unit = u->ir->classes.at[c].name;
	if (f->nblock)
		return *id;
	if (desc_method(desc, &nparam, &nslot))
		f->ret = (u8)desc_rt(*name_return(desc).at);
	f->nparam = nparam + !is_static;
	f->flags = is_static ? FN_STATIC : 0;
	return *id;
}

/* Interns class.name(desc); also (desc) alone behind the name. */
static StrId
method_name(JvmUnit *u, ClassId c, JStr name, JStr desc)
{
	u->text.n = 0;
	add(u, class_str(u, c));
	add(u, (JStr){".", 1});
	add(u, name);
	add(u, desc);
	return unit_text(u);
}

static StrId
pretty_method(JvmUnit *u, ClassId c, JStr name)
{
	u->text.n = 0;
	name_pretty_method(u->a, &u->text, class_str(u, c), name);
	return unit_text(u);
}

u32
unit_method(JvmUnit *u, JStr class, JStr name, JStr desc, bool is_static)
{
	ClassId c = unit_class(u, class);
	StrId full = method_name(u, c, name, desc);
	u32 *place = map_at(u->a, &u->method_index, full), id;
	UnitMethod m = {.class = c, .desc = desc};
	u32 nslot;

	if (*place)
		return *place;
	id = *place = u->methods.n;
	vec_push(u->a, &u->methods, m);
	if (!desc_method(desc, &m.nparam, &nslot))
		return *map_at(u->a, &u->method_index, full) = id;
	m.kinds = arena_array(u->a, u8, m.nparam + 1);
	for (u32 k = 0, at = 0; k < m.nparam; k++)
		m.kinds[k] = (u8)desc_kind(*name_next_param(desc, &at).at);
	m.ret = desc_kind(*name_return(desc).at);
	m.fn = map_get(&u->fn_index, full);
	if (!m.fn)
		m.fn = unit_new_fn(u, full, pretty_method(u, c, name), c, desc, is_static);
	add(u, name);
	add(u, desc);
	m.name = unit_text(u);
	u->methods.at[id] = m;
	return id;
}

u32
unit_field(JvmUnit *u, ClassId c, JStr name, JStr desc)
{
	StrId s = intern_bytes(&u->ir->strs, name.at, name.n);
	u32 *place = map_at(u->a, &u->field_index, map_pair(c, s));

	if (!*place) {
		*place = u->fields.n;
		vec_push(u->a, &u->classes.at[c].fields, u->fields.n);
		vec_push(u->a, &u->fields, (UnitField){.class = c, .name = s, .desc = *desc.at});
	}
	return *place;
}

u32
unit_length(JvmUnit *u)
{
	u32 f =
	    unit_field(u, unit_class(u, (JStr){"array", 5}), (JStr){"length", 6}, (JStr){"I", 1});

	u->fields.at[f].flags |= JVM_DECLARED | ACC_FINAL;
	return f;
}

GlobalId
unit_static(JvmUnit *u, u32 field)
{
	UnitField *f = &u->fields.at[field];
	StrId name, pretty;
	JStr own = str(u, f->name);

	if (f->global)
		return f->global;
	u->text.n = 0;
	add(u, class_str(u, f->class));
	add(u, (JStr){".", 1});
	add(u, own);
	name = unit_text(u);
	name_pretty_class(u->a, &u->text, class_str(u, f->class));
	add(u, (JStr){".", 1});
	add(u, own);
	pretty = unit_text(u);
	f->global = u->ir->globals.n;
	vec_push(u->a, &u->ir->globals,
		 (Global){.name = name,
			  .pretty = pretty,
			  .unit = u->ir->classes.at[f->class].name,
			  .size = 8,
			  .linkage = LINK_DECL});
	return f->global;
}

/* ---- by constant pool index --------------------------------------------- */

static u32 *
cache_of(JvmUnit *u, const ClassFile *c, u32 index)
{
	if (u->cur != c) {
		ClassId own = unit_declared(u, c);
		assert(own);
		u->cur = c;
		u->cur_cache = u->classes.at[own].cache;
	}
	return index < c->nconst ? &u->cur_cache[index] : NULL;
}

ClassId
unit_cp_class(JvmUnit *u, const ClassFile *c, u32 index)
{
	JStr name = class_class(c, index);
	u32 *place;

	if (!name.n || (name.at[0] == '[' && desc_field(name.at, name.n) != name.n))
		return 0;
	place = cache_of(u, c, index);
	if (!*place) {
		ClassId id = unit_class(u, name);
		*place = id;
	}
	return *place;
}

u32
unit_cp_method(JvmUnit *u, const ClassFile *c, u32 index, bool is_static)
{
	JMemberRef r;
	u32 *place = cache_of(u, c, index), nparam, nslot, id;

	if (!place || (c->consts[index].tag != CP_METHOD && c->consts[index].tag != CP_IMETHOD))
		return 0;
	if (*place)
		return *place;
	if (!class_member_ref(c, index, &r) || !desc_method(r.desc, &nparam, &nslot) ||
	    (r.class.at[0] == '[' && desc_field(r.class.at, r.class.n) != r.class.n))
		return 0;
	id = unit_method(u, r.class, r.name, r.desc, is_static);
	return *place = id;
}

u32
unit_cp_field(JvmUnit *u, const ClassFile *c, u32 index)
{
	JMemberRef r;
	u32 *place = cache_of(u, c, index), id;

	if (!place || c->consts[index].tag != CP_FIELD)
		return 0;
	if (*place)
		return *place;
	if (!class_member_ref(c, index, &r) || r.class.at[0] == '[' || !r.desc.n ||
	    desc_field(r.desc.at, r.desc.n) != r.desc.n)
		return 0;
	id = unit_field(u, unit_class(u, r.class), r.name, r.desc);
	return *place = id;
}

/* One object per text, as the language says. */
GlobalId
unit_string(JvmUnit *u, JStr text)
{
	ClassId c = unit_class(u, (JStr){"java/lang/String", 16});
	GlobalId *place;
	StrId name;

	u->text.n = 0;
	add(u, (JStr){"\"", 1});
	add(u, (JStr){text.at, MIN(text.n, (u32)LITERAL)});
	add(u, (JStr){"\"", 1});
	if (text.n > LITERAL) {
		char *hash =
		    arena_printf(u->a, "%016llx", (unsigned long long)hash_bytes(text.at, text.n));
		add(u, (JStr){hash, 16});
	}
	name = unit_text(u);
	place = map_at(u->a, &u->global_index, name);
	if (!*place) {
		*place = u->ir->globals.n;
		vec_push(u->a, &u->ir->globals,
			 (Global){.name = name,
				  .type = unit_type(u, c),
				  .size = 8,
				  .linkage = LINK_WEAK,
				  .constant = true});
	}
	return *place;
}

/* ---- what the loader needs ---------------------------------------------- */

void
unit_ref_class(JvmUnit *u, JvmRefKind kind, ClassId c)
{
	UnitClass *k;

	if (u->classes.at[c].array) {
		c = u->classes.at[c].elem;
		kind = JVM_REF_CLASS;
	}
	if (!c)
		return;
	k = &u->classes.at[c];
	if (k->seen != u->generation)
		k->seen_as = 0;
	k->seen = u->generation;
	if (k->seen_as >> kind & 1)
		return;
	k->seen_as |= 1u << kind;
	vec_push(u->a, &u->refs, (JvmRef){.kind = kind, .class = u->ir->classes.at[c].name});
}

void
unit_ref_method(JvmUnit *u, JvmRefKind kind, u32 method)
{
	UnitMethod *m = &u->methods.at[method];
	ClassId c = m->class;

	if (m->seen != u->generation)
		m->seen_as = 0;
	m->seen = u->generation;
	if (m->seen_as >> kind & 1)
		return;
	m->seen_as |= 1u << kind;
	if (u->classes.at[c].array)
		c = unit_class(u, (JStr){"java/lang/Object", 16});
	vec_push(u->a, &u->refs,
		 (JvmRef){.kind = kind, .class = u->ir->classes.at[c].name, .name = m->name});
}

void
unit_ref_field(JvmUnit *u, u32 field)
{
	UnitField *f = &u->fields.at[field];

	if (f->seen == u->generation || f->flags & JVM_DECLARED) /* here: its class is known */
		return;
	f->seen = u->generation;
	vec_push(u->a, &u->refs,
		 (JvmRef){.kind = JVM_REF_FIELD,
			  .class = u->ir->classes.at[f->class].name,
			  .name = f->name});
}

const JvmRef *
jvm_refs(const JvmUnit *u, u32 *n)
{
	*n = u->refs.n;
	return u->refs.at;
}

void
unit_assume(JvmUnit *u, FnId fn, SrcId src, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = arena_vprintf(u->a, fmt, ap);
	va_end(ap);
	vec_push(u->a, &u->ir->assumes, (Assume){intern_str(&u->ir->strs, text), fn, src});
}
