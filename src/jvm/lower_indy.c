/* lower_indy.c - invokedynamic, and constants that are computed.
 *
 * What the compiler's own bootstrap methods make is known: lambdas, strings
 * put together, the methods of records, the choice of a switch.  Any other is
 * unknown code that gets the arguments and every method it was given a handle
 * of, and an assumption of the report. */
#include "jvm/lower_int.h"

#include <string.h>

enum { ARGS = 256 };

typedef enum Boot {
	BOOT_UNKNOWN,
	BOOT_LAMBDA,
	BOOT_ALT,
	BOOT_CONCAT,
	BOOT_RECORD,
	BOOT_SWITCH
} Boot;

static const struct {
	const char *class, *method;
	Boot what;
} known[] = {
    {"java/lang/invoke/LambdaMetafactory", "metafactory", BOOT_LAMBDA},
    {"java/lang/invoke/LambdaMetafactory", "altMetafactory", BOOT_ALT},
    {"java/lang/invoke/StringConcatFactory", "makeConcat", BOOT_CONCAT},
    {"java/lang/invoke/StringConcatFactory", "makeConcatWithConstants", BOOT_CONCAT},
    {"java/lang/runtime/ObjectMethods", "bootstrap", BOOT_RECORD},
    {"java/lang/runtime/SwitchBootstraps", "typeSwitch", BOOT_SWITCH},
    {"java/lang/runtime/SwitchBootstraps", "enumSwitch", BOOT_SWITCH},
};

static Boot
boot_kind(const ClassFile *c, const JBootstrap *b, JMemberRef *r)
{
	*r = (JMemberRef){{"", 0}, {"", 0}, {"", 0}, false};
	class_member_ref(c, c->consts[b->method].b, r);
	for (u32 k = 0; k < COUNT(known); k++)
		if (jstr_is(r->class, known[k].class) && jstr_is(r->name, known[k].method))
			return known[k].what;
	return BOOT_UNKNOWN;
}

typedef struct Indy {
	const JBootstrap *b;
	JMemberRef boot;
	JStr name, desc;
	u32 nparam;
	Val args[ARGS];
	JStr types[ARGS];
} Indy;

/* ---- unknown code ------------------------------------------------------- */

/* The function that handle index names; 0 for a field's. */
static FnId
handle_fn(Lower *l, u32 index)
{
	const JConst *k = &l->c->consts[index];
	u32 m;

	if (k->tag != CP_HANDLE || k->a < HANDLE_VIRTUAL)
		return 0;
	m = unit_cp_method(l->u, l->c, k->b, k->a == HANDLE_STATIC);
	if (!m)
		return 0;
	unit_ref_method(l->u,
			k->a == HANDLE_STATIC                                ? JVM_REF_STATIC
			: k->a == HANDLE_VIRTUAL || k->a == HANDLE_INTERFACE ? JVM_REF_VIRTUAL
									     : JVM_REF_SPECIAL,
			m);
	return l->u->methods.at[m].fn;
}

/* Calls what nobody knows with args and the methods among the n pool entries. */
static Val
call_unknown(Lower *l, const char *what, VecU32 *args, const u16 *entries, u32 n, char ret)
{
	Ins *i;

	flow_raise(l);
	if (!l->emit)
		return 0;
	for (u32 k = 0; k < n; k++) {
		FnId f = handle_fn(l, entries[k]);
		if (f)
			vec_push(&l->a, args, ir_const_fn(l->ir, f));
	}
	unit_assume(l->u, l->fn, l->src, "%s is not known", what);
	i = emit_op(l, OP_EXTERN, args->n, args->at);
	i->aux = intern_str(&l->ir->strs, what);
	i->flags = INS_THROWS;
	return ret == 'V' ? 0 : emit_dst(l, i, desc_rt(ret), desc_width(ret));
}

static Val
unknown_boot(Lower *l, const Indy *x)
{
	VecU32 args = {0};

	for (u32 k = 0; l->emit && k < x->nparam; k++)
		vec_push(&l->a, &args, x->args[k]);
	return call_unknown(l,
			    arena_printf(&l->a, "bootstrap method %.*s.%.*s",
					 (int)MIN(x->boot.class.n, 200u), x->boot.class.at,
					 (int)MIN(x->boot.name.n, 200u), x->boot.name.at),
			    &args, l->c->args + x->b->arg, x->b->narg, *name_return(x->desc).at);
}

void
indy_constant(Lower *l, u32 index)
{
	const ClassFile *c = l->c;
	const JConst *k = &c->consts[index];
	u8 tag = index < c->nconst ? k->tag : 0;
	JStr name = {"", 0}, desc = {"L", 1};
	VecU32 args = {0};
	const JBootstrap *b;
	u16 own = (u16)index;

	if (tag == CP_METHOD_TYPE) {
		push(l, K_OBJ, call_unknown(l, "method type", &args, NULL, 0, 'L'));
	} else if (tag == CP_HANDLE) {
		push(l, K_OBJ, call_unknown(l, "method handle", &args, &own, 1, 'L'));
	} else if (tag == CP_DYNAMIC && class_name_type(c, k->b, &name, &desc) && desc.n &&
		   desc_field(desc.at, desc.n) == desc.n) {
		b = &c->boots[k->a];
		push(l, desc_kind(*desc.at),
		     call_unknown(l,
				  arena_printf(&l->a, "dynamic constant %.*s",
					       (int)MIN(name.n, 200u), name.at),
				  &args, c->args + b->arg, b->narg, *desc.at));
	} else {
		lower_fail(l, "an operand is no constant");
	}
}

/* ---- strings, records, switches ----------------------------------------- */

static Val
new_string(Lower *l)
{
	return memory_new(l, unit_class(l->u, (JStr){"java/lang/String", 16}));
}

static Val
nondet(Lower *l)
{
	return emit_dst(l, emit_op(l, OP_NONDET, 0, NULL), RT_INT, 32);
}

/* Calls the method of every object on v, whose type's descriptor is given. */
static void
call_on(Lower *l, JStr type, const char *name, const char *desc, u32 n, const Val *args)
{
	JStr class = type.at[0] == 'L' ? (JStr){type.at + 1, type.n - 2} : type;
	u32 m = unit_method(l->u, class, (JStr){name, (u32)strlen(name)},
			    (JStr){desc, (u32)strlen(desc)}, false);

	call_emit(l, m, CALL_VIRTUAL, JVM_REF_VIRTUAL, n, args);
}

static Val
concat(Lower *l, const Indy *x)
{
	flow_raise(l);
	for (u32 k = 0; k < x->nparam; k++)
		if (kind_is_ref((u8)desc_kind(*x->types[k].at)) &&
		    !jstr_is(x->types[k], "Ljava/lang/String;"))
			call_on(l, x->types[k], "toString", "()Ljava/lang/String;", 1, &x->args[k]);
	return new_string(l);
}

/* Reads every field; asks the objects among them. */
static Val
record(Lower *l, const Indy *x)
{
	bool equals = jstr_is(x->name, "equals"), text = jstr_is(x->name, "toString");

	flow_raise(l);
	for (u32 k = 2; k < x->b->narg && x->nparam; k++) {
		const JConst *h = &l->c->consts[l->c->args[x->b->arg + k]];
		u32 f = h->tag == CP_HANDLE && h->a == HANDLE_GET_FIELD
			    ? unit_cp_field(l->u, l->c, h->b)
			    : 0;
		JMemberRef r;
		Val v[2] = {0};
		if (!f || !class_member_ref(l->c, h->b, &r))
			continue;
		v[0] = memory_load(l, f, (Slot){K_REF, x->args[0]});
		if (equals && x->nparam > 1)
			v[1] = memory_load(l, f, (Slot){K_REF, x->args[1]});
		if (!kind_is_ref((u8)desc_kind(*r.desc.at)))
			continue;
		if (equals && x->nparam > 1)
			call_on(l, r.desc, "equals", "(Ljava/lang/Object;)Z", 2, v);
		else if (text)
			call_on(l, r.desc, "toString", "()Ljava/lang/String;", 1, v);
		else
			call_on(l, r.desc, "hashCode", "()I", 1, v);
	}
	return text ? new_string(l) : nondet(l);
}

/* ---- the instruction ---------------------------------------------------- */

static bool
pop_operands(Lower *l, Indy *x)
{
	u32 nslot, at = 0;

	if (!desc_method(x->desc, &x->nparam, &nslot) || nslot > 255)
		return lower_fail(l, "an operand has a malformed descriptor");
	for (u32 k = 0; k < x->nparam; k++)
		x->types[k] = name_next_param(x->desc, &at);
	for (u32 k = x->nparam; k-- > 0 && !l->why;)
		x->args[k] = pop(l, desc_kind(*x->types[k].at));
	return !l->why;
}

void
indy_step(Lower *l, u32 index)
{
	const ClassFile *c = l->c;
	Indy *x = arena_new(&l->a, Indy);
	Kind ret;
	Val v = 0;
	Boot what;

	if (index >= c->nconst || c->consts[index].tag != CP_INVOKE_DYNAMIC ||
	    !class_name_type(c, c->consts[index].b, &x->name, &x->desc)) {
		lower_fail(l, "an operand is no dynamic call");
		return;
	}
	if (!pop_operands(l, x))
		return;
	x->b = &c->boots[c->consts[index].a];
	what = boot_kind(c, x->b, &x->boot);
	ret = desc_kind(*name_return(x->desc).at);
	if ((what == BOOT_LAMBDA || what == BOOT_ALT) &&
	    !lambda_make(l, x->b, what == BOOT_ALT, x->name, x->desc, x->args, &v))
		what = BOOT_UNKNOWN;
	if (what == BOOT_CONCAT && ret == K_REF)
		v = concat(l, x);
	else if (what == BOOT_RECORD && (ret == K_INT || ret == K_REF))
		v = record(l, x);
	else if (what == BOOT_SWITCH && ret == K_INT)
		v = nondet(l);
	else if (what != BOOT_LAMBDA && what != BOOT_ALT)
		v = unknown_boot(l, x);
	if (ret != K_NONE)
		push(l, ret, v);
}
