/* lower_memory.c - objects, fields, arrays, casts and constants of the pool.
 *
 * An access through a reference that may be null may throw, as may every
 * access to an array.  An array is a header with its length, which is written
 * once, and its elements behind; where its making is in sight the length is
 * taken from there, so that loops over it show their bound. */
#include "jvm/lower_int.h"
#include "jvm/lower_op.h"

static bool
is_int(const Lower *l, Val v)
{
	return val_is_const(v) && ir_const(l->ir, v)->kind == CONST_INT;
}

enum { MOST_USED = 32 }; /* references that are remembered */

static bool
is_used(const Lower *l, Val v)
{
	for (u32 k = l->used.n; k-- > 0;)
		if (l->used.at[k] == v)
			return true;
	return false;
}

void
memory_used(Lower *l, Val v)
{
	if (l->emit && val_is_reg(v) && l->used.n < MOST_USED && !is_used(l, v))
		vec_push(&l->a, &l->used, v);
}

/* The flag of an access to obj.  Whether it was used before is known only in the
 * second mode, so the first takes it that it may throw. */
static u8
may_throw(Lower *l, Slot obj)
{
	u8 flags = 0;

	if (obj.kind != K_REF)
		return 0;
	flow_raise(l);
	if (!is_used(l, obj.v))
		flags = INS_THROWS;
	memory_used(l, obj.v);
	return flags;
}

/* ---- classes ------------------------------------------------------------ */

/* Is the class of m certainly initialised, or being so by this thread, when m
 * starts?  An object may have come from another thread without any order: then
 * only the use of a static field itself waits for the initialiser. */
static bool
starts_initialised(const JMember *m)
{
	return m->flags & ACC_STATIC || jstr_is(m->name, "<init>");
}

void
memory_init(Lower *l, ClassId c)
{
	if ((c == l->class && starts_initialised(l->m)) || l->u->classes.at[c].array)
		return;
	flow_raise(l);
	if (!l->emit)
		return;
	unit_ref_class(l->u, JVM_REF_INIT, c);
	for (u32 k = 0; k < l->inited.n; k++)
		if (l->inited.at[k] == c)
			return;
	vec_push(&l->a, &l->inited, c);
	emit_op(l, OP_CINIT, 0, NULL)->aux = c;
}

Val
memory_new(Lower *l, ClassId c)
{
	Ins *i = emit_op(l, OP_ALLOC, 0, NULL);

	i->sub = ALLOC_HEAP;
	if (l->emit) {
		i->aux = unit_type(l->u, c);
		unit_ref_class(l->u, JVM_REF_NEW, c);
	}
	return emit_dst(l, i, RT_PTR, 64);
}

static ClassId
class_operand(Lower *l)
{
	ClassId c = unit_cp_class(l->u, l->c, code_u16(l->code.at + l->pc + 1));

	if (!c)
		lower_fail(l, "an operand is no class");
	return c;
}

static void
new_step(Lower *l)
{
	ClassId c = class_operand(l);

	if (l->why)
		return;
	memory_init(l, c);
	push(l, K_OBJ, memory_new(l, c));
}

static void
cast_step(Lower *l, bool test)
{
	Slot s = pop_ref(l);
	ClassId c = class_operand(l);
	Ins *i;

	if (l->why)
		return;
	if (!test)
		flow_raise(l);
	i = emit_op(l, OP_FILTER, 1, &s.v);
	i->sub = test;
	i->aux = c;
	if (l->emit)
		unit_ref_class(l->u, JVM_REF_CLASS, c);
	if (test)
		push(l, K_INT, emit_dst(l, i, RT_INT, 32));
	else
		push(l, s.kind, emit_dst(l, i, RT_PTR, 64));
}

/* ---- fields ------------------------------------------------------------- */

static u8
field_order(const Lower *l, u32 field)
{
	return l->u->fields.at[field].flags & ACC_VOLATILE ? ORDER_SEQ_CST : ORDER_PLAIN;
}

static Val
field_address(Lower *l, u32 field, Slot obj)
{
	Ins *i = emit_op(l, OP_FIELD, 1, &obj.v);

	i->sub = 1;
	i->aux = field; /* until jvm_unit_finish */
	if (l->emit)
		unit_ref_field(l->u, field);
	return emit_dst(l, i, RT_PTR, 64);
}

static Val
load(Lower *l, u32 field, Val at, u8 flags)
{
	char d = l->u->fields.at[field].desc;
	Ins *i = emit_op(l, OP_LOAD, 1, &at);

	i->order = field_order(l, field);
	i->flags = flags;
	return emit_dst(l, i, desc_rt(d), desc_width(d));
}

static void
store(Lower *l, u32 field, Val at, Val v, u8 flags)
{
	Ins *i = emit_op(l, OP_STORE, 2, (Val[]){at, v});

	i->order = field_order(l, field);
	i->flags = flags;
	i->width = desc_width(l->u->fields.at[field].desc);
}

Val
memory_load(Lower *l, u32 field, Slot obj)
{
	Val at = field_address(l, field, obj);

	return load(l, field, at, may_throw(l, obj));
}

void
memory_store(Lower *l, u32 field, Slot obj, Val v, u32 flags)
{
	Val at = field_address(l, field, obj);

	store(l, field, at, v, (u8)(flags | may_throw(l, obj)));
}

static void
static_step(Lower *l, u8 op, u32 field)
{
	Kind k = desc_kind(l->u->fields.at[field].desc);
	Val at = 0, v = op == J_PUTSTATIC ? pop(l, k) : 0;

	memory_init(l, l->u->fields.at[field].class);
	if (l->emit) {
		at = ir_const_global(l->ir, unit_static(l->u, field), 0);
		unit_ref_field(l->u, field);
	}
	if (op == J_PUTSTATIC) {
		store(l, field, at, v, 0);
		if (l->emit)
			handle_stored(l, field, v);
	} else {
		push(l, k, load(l, field, at, 0));
	}
}

static void
field_step(Lower *l, u8 op)
{
	u32 field = unit_cp_field(l->u, l->c, code_u16(l->code.at + l->pc + 1));
	const UnitField *f = &l->u->fields.at[field];
	Kind k;
	Slot obj;
	Val v;

	if (!field) {
		lower_fail(l, "an operand is no field");
		return;
	}
	if (op <= J_PUTSTATIC) {
		static_step(l, op, field);
		return;
	}
	k = desc_kind(f->desc);
	v = op == J_PUTFIELD ? pop(l, k) : 0;
	obj = pop_ref(l);
	if (l->why)
		return;
	if (op == J_GETFIELD)
		push(l, k, memory_load(l, field, obj));
	else
		memory_store(l, field, obj, v,
			     f->flags & ACC_FINAL && f->class == l->class &&
				     jstr_is(l->m->name, "<init>")
				 ? INS_FINAL
				 : 0);
}

/* ---- arrays ------------------------------------------------------------- */

/* The bytes of an array of n elements. */
static Val
array_size(Lower *l, u32 bytes, Val n)
{
	Ins *i;
	Val v;

	if (!l->emit)
		return 0;
	if (is_int(l, n))
		return k_long(l, ARRAY_HEADER + MAX(ir_const(l->ir, n)->num, 0) * bytes);
	i = emit_op(l, OP_CAST, 1, &n);
	i->sub = CAST_SEXT;
	i->imm = 32;
	v = emit_dst(l, i, RT_INT, 64);
	i = emit_op(l, OP_BIN, 2, (Val[]){v, k_long(l, bytes)});
	i->sub = BIN_MUL;
	v = emit_dst(l, i, RT_INT, 64);
	i = emit_op(l, OP_BIN, 2, (Val[]){v, k_long(l, ARRAY_HEADER)});
	i->sub = BIN_ADD;
	return emit_dst(l, i, RT_INT, 64);
}

Val
memory_new_array(Lower *l, ClassId array, u32 bytes, Val n)
{
	Val size, v;
	Ins *i;
	u32 length;

	flow_raise(l); /* a negative length */
	if (!l->emit)
		return 0;
	size = array_size(l, bytes, n);
	i = emit_op(l, OP_ALLOC, 1, &size);
	i->sub = ALLOC_HEAP;
	i->aux = unit_type(l->u, array);
	if (!is_int(l, n) || ir_const(l->ir, n)->num < 0)
		i->flags = INS_THROWS;
	unit_ref_class(l->u, JVM_REF_CLASS, array);
	v = emit_dst(l, i, RT_PTR, 64);
	l->lengths.at[v] = n;
	length = unit_length(l->u);
	memory_store(l, length, (Slot){K_OBJ, v}, n, INS_FINAL);
	return v;
}

static void
new_array_step(Lower *l, u8 op)
{
	static const char *const names[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
	static const u8 sizes[] = {1, 2, 4, 8, 1, 2, 4, 8};
	Val n = pop(l, K_INT);
	u32 type = l->code.at[l->pc + 1], bytes = 8;
	ClassId c;

	if (op == J_NEWARRAY && (type < 4 || type > 11)) {
		lower_fail(l, "an array of an unknown type");
		return;
	}
	if (op == J_NEWARRAY) {
		c = unit_class(l->u, (JStr){names[type - 4], 2});
		bytes = sizes[type - 4];
	} else {
		JStr text;
		c = class_operand(l);
		if (l->why)
			return;
		text = (JStr){ir_str(l->ir, l->ir->classes.at[c].name),
			      intern_len(&l->ir->strs, l->ir->classes.at[c].name)};
		l->u->text.n = 0;
		name_push(l->u->a, &l->u->text, text);
		name_push(l->u->a, &l->u->text, (JStr){"[]", 2});
		c = unit_class_str(l->u, unit_text(l->u));
	}
	push(l, K_OBJ, memory_new_array(l, c, bytes, n));
}

static void
length_step(Lower *l)
{
	Slot s = pop_ref(l);
	Val v;

	if (l->emit && val_is_reg(s.v) && l->lengths.at[s.v])
		v = l->lengths.at[s.v];
	else
		v = memory_load(l, unit_length(l->u), s);
	push(l, K_INT, v);
}

static Val
convert(Lower *l, CastKind how, u16 from, u16 to, Val v)
{
	Ins *i = emit_op(l, OP_CAST, 1, &v);

	i->sub = (u8)how;
	i->imm = from;
	return emit_dst(l, i, RT_INT, to);
}

static Val
element(Lower *l, Slot array, Val index, u32 bytes)
{
	Ins *i = emit_op(l, OP_INDEX, 2, (Val[]){array.v, index});

	i->sub = 1;
	i->imm = bytes;
	return emit_dst(l, i, RT_PTR, 64);
}

/* By the order of the instructions: i, l, f, d, a, b, c, s. */
static const u8 element_kinds[] = {K_INT, K_LONG, K_FLOAT, K_DOUBLE, K_REF, K_INT, K_INT, K_INT};
static const u8 element_bytes[] = {4, 8, 4, 8, 8, 1, 2, 2};

static void
array_load(Lower *l, u32 which)
{
	Val index = pop(l, K_INT), at, v;
	Slot array = pop_ref(l);
	u8 k = element_kinds[which];
	u16 width = (u16)(element_bytes[which] * 8);
	Ins *i;

	flow_raise(l);
	at = element(l, array, index, element_bytes[which]);
	i = emit_op(l, OP_LOAD, 1, &at);
	i->flags = INS_THROWS;
	v = emit_dst(l, i,
		     k == K_REF                      ? RT_PTR
		     : k == K_FLOAT || k == K_DOUBLE ? RT_FLOAT
						     : RT_INT,
		     width);
	if (width < 32)
		v = convert(l, which == 6 ? CAST_ZEXT : CAST_SEXT, width, 32, v);
	push(l, k, v);
}

static void
array_store(Lower *l, u32 which)
{
	Val v = pop(l, element_kinds[which]), index = pop(l, K_INT), at;
	Slot array = pop_ref(l);
	u16 width = (u16)(element_bytes[which] * 8);
	Ins *i;

	flow_raise(l);
	if (width < 32)
		v = convert(l, CAST_TRUNC, 32, width, v);
	at = element(l, array, index, element_bytes[which]);
	i = emit_op(l, OP_STORE, 2, (Val[]){at, v});
	i->flags = INS_THROWS;
	i->width = width;
}

static void
many_step(Lower *l)
{
	const u8 *code = l->code.at + l->pc;
	ClassId c = class_operand(l);
	JStr name = class_class(l->c, code_u16(code + 1));
	u32 dims = code[3], have = 0;
	Val args[256] = {0}, v;
	Ins *i;

	while (have < name.n && name.at[have] == '[')
		have++;
	if (!dims || dims > have)
		lower_fail(l, "an array has more sizes than dimensions");
	for (u32 k = dims; k > 0 && !l->why; k--)
		args[k] = pop(l, K_INT);
	if (l->why)
		return;
	flow_raise(l);
	if (l->emit) {
		args[0] = ir_const_fn(l->ir, many_fn(l->u, name, dims));
		unit_ref_class(l->u, JVM_REF_CLASS, c);
	}
	i = emit_op(l, OP_CALL, dims + 1, args);
	i->flags = INS_THROWS;
	v = emit_dst(l, i, RT_PTR, 64);
	if (l->emit)
		l->lengths.at[v] = args[1];
	push(l, K_OBJ, v);
}

/* ---- constants ---------------------------------------------------------- */

void
memory_constant(Lower *l, u32 index)
{
	const ClassFile *c = l->c;
	u8 tag = index < c->nconst ? c->consts[index].tag : 0;
	ClassId class;

	switch (tag) {
	case CP_INT: push(l, K_INT, k_int(l, class_number(c, index))); break;
	case CP_LONG: push(l, K_LONG, k_long(l, class_number(c, index))); break;
	case CP_FLOAT: push(l, K_FLOAT, l->emit ? ir_const_opaque(l->ir) : 0); break;
	case CP_DOUBLE: push(l, K_DOUBLE, l->emit ? ir_const_opaque(l->ir) : 0); break;
	case CP_STRING:
		push(l, K_OBJ,
		     l->emit ? ir_const_global(
				   l->ir, unit_string(l->u, class_utf8(c, c->consts[index].a)), 0)
			     : 0);
		break;
	case CP_CLASS:
		class = unit_cp_class(l->u, c, index);
		if (!class) {
			lower_fail(l, "a constant is no class");
			break;
		}
		if (l->emit)
			unit_ref_class(l->u, JVM_REF_CLASS, class);
		push(l, K_OBJ, l->emit ? ir_const_class(l->ir, class) : 0);
		break;
	default: indy_constant(l, index);
	}
}

bool
memory_step(Lower *l, u8 op)
{
	if (op >= J_IALOAD && op <= J_SALOAD)
		array_load(l, op - J_IALOAD);
	else if (op >= J_IASTORE && op <= J_SASTORE)
		array_store(l, op - J_IASTORE);
	else if (op >= J_GETSTATIC && op <= J_PUTFIELD)
		field_step(l, op);
	else if (op == J_NEW)
		new_step(l);
	else if (op == J_NEWARRAY || op == J_ANEWARRAY)
		new_array_step(l, op);
	else if (op == J_ARRAYLENGTH)
		length_step(l);
	else if (op == J_CHECKCAST || op == J_INSTANCEOF)
		cast_step(l, op == J_INSTANCEOF);
	else if (op == J_MULTIANEWARRAY)
		many_step(l);
	else
		return false;
	return true;
}
