/* lower_handle.c - accesses through handles of variables.
 *
 * A handle that a static final field holds is made of constants: a class and the
 * name of a field.  A call of one of its access modes is that access: a load,
 * store, exchange or addition, with the order that the mode's name tells, of a
 * field that has no name here yet: "?" of the class "handle of X.P", where X.P
 * is the static field.  Where X.P is set, that class gets a second field, whose
 * name is the variable's; jvm_resolve brings the two together, when the program
 * is whole.  An element of an array needs no name at all. */
#include "jvm/lower_int.h"

#include <string.h>

typedef enum Act { ACT_NONE, ACT_GET, ACT_SET, ACT_CAS, ACT_SWAP, ACT_RMW } Act;

typedef struct Mode {
	Act act;
	u8 sub;     /* ACT_RMW: BinOp */
	u8 order;   /* MemOrder */
	u8 values;  /* behind the coordinates */
	bool fresh; /* ACT_RMW: gives the new value; ACT_CAS: may fail without a reason */
	i64 by;     /* ACT_RMW without values: what is added */
} Mode;

/* ---- what a method does ---------------------------------------------------- */

typedef struct Named {
	const char *name;
	Mode mode;
} Named;

/* Access modes of a variable handle without their suffix. */
static const Named handle_modes[] = {
    {"get", {ACT_GET, 0, ORDER_PLAIN, 0, false, 0}},
    {"set", {ACT_SET, 0, ORDER_PLAIN, 1, false, 0}},
    {"compareAndSet", {ACT_CAS, 0, ORDER_SEQ_CST, 2, false, 0}},
    {"weakCompareAndSet", {ACT_CAS, 0, ORDER_SEQ_CST, 2, true, 0}},
    {"compareAndExchange", {ACT_SWAP, 0, ORDER_SEQ_CST, 2, false, 0}},
    {"getAndSet", {ACT_RMW, BIN_XCHG, ORDER_SEQ_CST, 1, false, 0}},
    {"getAndAdd", {ACT_RMW, BIN_ADD, ORDER_SEQ_CST, 1, false, 0}},
    {"getAndBitwiseOr", {ACT_RMW, BIN_OR, ORDER_SEQ_CST, 1, false, 0}},
    {"getAndBitwiseAnd", {ACT_RMW, BIN_AND, ORDER_SEQ_CST, 1, false, 0}},
    {"getAndBitwiseXor", {ACT_RMW, BIN_XOR, ORDER_SEQ_CST, 1, false, 0}},
};
/* Methods of the updaters of fields. */
static const Named updater_modes[] = {
    {"get", {ACT_GET, 0, ORDER_SEQ_CST, 0, false, 0}},
    {"set", {ACT_SET, 0, ORDER_SEQ_CST, 1, false, 0}},
    {"lazySet", {ACT_SET, 0, ORDER_RELEASE, 1, false, 0}},
    {"compareAndSet", {ACT_CAS, 0, ORDER_SEQ_CST, 2, false, 0}},
    {"weakCompareAndSet", {ACT_CAS, 0, ORDER_RELAXED, 2, true, 0}},
    {"getAndSet", {ACT_RMW, BIN_XCHG, ORDER_SEQ_CST, 1, false, 0}},
    {"getAndAdd", {ACT_RMW, BIN_ADD, ORDER_SEQ_CST, 1, false, 0}},
    {"addAndGet", {ACT_RMW, BIN_ADD, ORDER_SEQ_CST, 1, true, 0}},
    {"getAndIncrement", {ACT_RMW, BIN_ADD, ORDER_SEQ_CST, 0, false, 1}},
    {"incrementAndGet", {ACT_RMW, BIN_ADD, ORDER_SEQ_CST, 0, true, 1}},
    {"getAndDecrement", {ACT_RMW, BIN_ADD, ORDER_SEQ_CST, 0, false, -1}},
    {"decrementAndGet", {ACT_RMW, BIN_ADD, ORDER_SEQ_CST, 0, true, -1}},
};
static const struct {
	const char *text;
	u8 order;
} suffixes[] = {
    {"Volatile", ORDER_SEQ_CST}, {"Acquire", ORDER_ACQUIRE}, {"Release", ORDER_RELEASE},
    {"Opaque", ORDER_RELAXED},   {"Plain", ORDER_RELAXED},
};

static bool
look_up(const Named *table, u32 n, const char *name, size_t len, Mode *out)
{
	for (u32 k = 0; k < n; k++)
		if (strlen(table[k].name) == len && !memcmp(table[k].name, name, len)) {
			*out = table[k].mode;
			return true;
		}
	return false;
}

static bool
handle_mode(const char *name, size_t len, Mode *out)
{
	u32 n = sizeof handle_modes / sizeof *handle_modes;

	if (look_up(handle_modes, n, name, len, out))
		return true;
	for (u32 k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
		size_t tail = strlen(suffixes[k].text);
		if (len <= tail || memcmp(name + len - tail, suffixes[k].text, tail) ||
		    !look_up(handle_modes, n, name, len - tail, out))
			continue;
		out->order = suffixes[k].order;
		return true;
	}
	return false;
}

static bool
is_updater(const char *class)
{
	return !strcmp(class, "java.util.concurrent.atomic.AtomicIntegerFieldUpdater") ||
	       !strcmp(class, "java.util.concurrent.atomic.AtomicLongFieldUpdater") ||
	       !strcmp(class, "java.util.concurrent.atomic.AtomicReferenceFieldUpdater");
}

static bool
find_mode(const Lower *l, const UnitMethod *m, Mode *out)
{
	const char *class = ir_str(l->ir, l->ir->classes.at[m->class].name);
	const char *name = ir_str(l->ir, m->name), *end = strchr(name, '(');
	size_t len = end ? (size_t)(end - name) : 0;

	if (!strcmp(class, "java.lang.invoke.VarHandle"))
		return handle_mode(name, len, out);
	return is_updater(class) &&
	       look_up(updater_modes, sizeof updater_modes / sizeof *updater_modes, name, len, out);
}

/* ---- names ------------------------------------------------------------------ */

/* The static field that the register was loaded from; 0 none. */
static GlobalId
loaded_static(const Lower *l, Val v)
{
	for (u32 k = l->ins.n; val_is_reg(v) && k-- > 0;) {
		const Ins *i = &l->ins.at[k];
		Val at;
		if (i->dst != v)
			continue;
		at = i->op == OP_LOAD ? l->args.at[i->arg] : 0;
		return val_is_const(at) && ir_const(l->ir, at)->kind == CONST_GLOBAL
			   ? ir_const(l->ir, at)->ref
			   : 0;
	}
	return 0;
}

/* The class that stands for the handle in a static field. */
static ClassId
handle_class(Lower *l, GlobalId g)
{
	JStr name = {ir_str(l->ir, l->ir->globals.at[g].name),
		     intern_len(&l->ir->strs, l->ir->globals.at[g].name)};

	l->u->text.n = 0;
	name_push(l->u->a, &l->u->text, (JStr){JVM_HANDLE, sizeof JVM_HANDLE - 1});
	name_push(l->u->a, &l->u->text, name);
	return unit_class_str(l->u, unit_text(l->u));
}

/* ---- making one ------------------------------------------------------------- */

void
handle_made(Lower *l, const UnitMethod *m, const Val *args, Val result)
{
	const char *class = ir_str(l->ir, l->ir->classes.at[m->class].name);
	const char *name = ir_str(l->ir, m->name);
	Val owner = 0, text = 0;

	if (!strcmp(class, "java.lang.invoke.MethodHandles$Lookup") &&
	    (!strncmp(name, "findVarHandle(", 14) || !strncmp(name, "findStaticVarHandle(", 20))) {
		owner = args[1];
		text = args[2];
	} else if (!strncmp(name, "newUpdater(", 11) && is_updater(class)) {
		owner = args[0];
		text = args[m->nparam - 1];
	}
	if (!val_is_const(owner) || ir_const(l->ir, owner)->kind != CONST_CLASS ||
	    !val_is_const(text) || ir_const(l->ir, text)->kind != CONST_GLOBAL)
		return;
	l->handle = result;
	l->handle_owner = ir_const(l->ir, owner)->ref;
	l->handle_name = l->ir->globals.at[ir_const(l->ir, text)->ref].name;
}

void
handle_stored(Lower *l, u32 field, Val v)
{
	const UnitField *f = &l->u->fields.at[field];
	const char *quoted;
	size_t n;
	ClassId c;

	if (!v || v != l->handle || !(f->flags & ACC_FINAL) || f->class != l->class)
		return;
	c = handle_class(l, unit_static(l->u, field));
	quoted = ir_str(l->ir, l->handle_name);
	n = intern_len(&l->ir->strs, l->handle_name);
	if (n < 3)
		return;
	l->u->text.n = 0;
	name_push(l->u->a, &l->u->text,
		  (JStr){ir_str(l->ir, l->ir->classes.at[l->handle_owner].name),
			 intern_len(&l->ir->strs, l->ir->classes.at[l->handle_owner].name)});
	name_push(l->u->a, &l->u->text, (JStr){".", 1});
	name_push(l->u->a, &l->u->text, (JStr){quoted + 1, (u32)n - 2});
	unit_field(l->u, c, (JStr){l->u->text.at, l->u->text.n}, (JStr){"I", 1});
}

/* ---- using one -------------------------------------------------------------- */

/* The address of the variable: an element, a field, or a static field. */
static Val
place(Lower *l, GlobalId handle, u32 ncoord, const Val *coord, u32 bytes)
{
	u32 field;
	Ins *i;

	if (ncoord == 2) {
		i = emit_op(l, OP_INDEX, 2, coord);
		i->sub = 1;
		i->imm = bytes;
		return emit_dst(l, i, RT_PTR, 64);
	}
	field = unit_field(l->u, handle_class(l, handle), (JStr){"?", 1}, (JStr){"I", 1});
	if (!ncoord)
		return ir_const_global(l->ir, unit_static(l->u, field), 0);
	i = emit_op(l, OP_FIELD, 1, coord);
	i->sub = 1;
	i->aux = field;
	return emit_dst(l, i, RT_PTR, 64);
}

static Val
compare(Lower *l, Val x, Val y, u16 width)
{
	Ins *i = emit_op(l, OP_CMP, 2, (Val[]){x, y});

	i->sub = CMP_EQ;
	i->imm = width;
	return emit_dst(l, i, RT_INT, 32);
}

static Val
rmw(Lower *l, const Mode *mode, Val at, Val v, RegType rt, u16 width)
{
	Ins *i = emit_op(l, OP_RMW, 2, (Val[]){at, v});
	Val old;

	i->sub = rt == RT_FLOAT && mode->sub == BIN_ADD ? BIN_FLOAT : mode->sub;
	i->order = mode->order;
	i->flags = INS_THROWS;
	old = emit_dst(l, i, rt, width);
	if (!mode->fresh)
		return old;
	i = emit_op(l, OP_BIN, 2, (Val[]){old, v});
	i->sub = mode->sub;
	return emit_dst(l, i, rt, width);
}

/* The access itself, and what it gives. */
static Val
act(Lower *l, const Mode *mode, Val at, const Val *v, RegType rt, u16 width)
{
	Ins *i;
	Val old;

	switch (mode->act) {
	case ACT_GET:
		i = emit_op(l, OP_LOAD, 1, &at);
		i->order = mode->order;
		i->flags = INS_THROWS;
		return emit_dst(l, i, rt, width);
	case ACT_SET:
		i = emit_op(l, OP_STORE, 2, (Val[]){at, v[0]});
		i->order = mode->order;
		i->flags = INS_THROWS;
		i->width = width;
		return 0;
	case ACT_RMW:
		return rmw(l, mode, at,
			   mode->values  ? v[0]
			   : width == 64 ? k_long(l, mode->by)
					 : k_int(l, mode->by),
			   rt, width);
	default: break;
	}
	i = emit_op(l, OP_CAS, 3, (Val[]){at, v[0], v[1]});
	i->order = mode->order;
	i->flags = INS_THROWS;
	old = emit_dst(l, i, rt, width);
	if (mode->act == ACT_SWAP)
		return old;
	if (mode->fresh) {
		i = emit_op(l, OP_NONDET, 0, NULL);
		return emit_dst(l, i, RT_INT, 32);
	}
	return compare(l, old, v[0], width);
}

/* The descriptor of the variable's value: of the last parameter, or the result. */
static char
value_desc(const UnitMethod *m, const Mode *mode, Kind *kind)
{
	const char *at = m->desc.at, *end = at + m->desc.n, *last = NULL;

	for (at++; at < end && *at != ')'; at++) {
		last = at;
		while (at < end && *at == '[')
			at++;
		if (at < end && *at == 'L')
			while (at < end && *at != ';')
				at++;
	}
	if (!mode->values)
		last = at + 1;
	if (!last || last >= end)
		return 0;
	*kind = desc_kind(*last);
	return *last;
}

bool
handle_access(Lower *l, const UnitMethod *m, const Val *args, Val *out)
{
	Mode mode;
	Kind kind = K_NONE;
	GlobalId g;
	u32 ncoord;
	char desc;
	Val at;

	if (!l->emit || !find_mode(l, m, &mode) || m->nparam < mode.values)
		return false;
	ncoord = m->nparam - mode.values;
	desc = value_desc(m, &mode, &kind);
	g = loaded_static(l, args[0]);
	if (ncoord > 2 || !desc || desc == 'V' || (!g && ncoord != 2) || kind == K_NONE ||
	    (ncoord == 2 && strchr("ZBCS", desc)))
		return false;
	flow_raise(l);
	at = place(l, g, ncoord, args + 1, desc_width(desc) / 8);
	*out = act(l, &mode, at, args + 1 + ncoord, desc_rt(desc), desc_width(desc));
	if (m->ret != K_NONE && !*out)
		*out = kind_is_ref((u8)m->ret) ? k_null(l) : k_int(l, 0);
	return true;
}
