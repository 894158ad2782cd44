/* lower_lambda.c - lambdas and method references.
 *
 * Each place where one is made has a class of its own, named after the class,
 * the method's number and the place.  It holds the captured values in final
 * fields and implements the interface's method (and the bridges that the
 * compiler asks for) by a call of the method behind the handle, with arguments
 * converted as the factory would: boxed, unboxed, widened, cast. */
#include "jvm/lower_int.h"

#include <stdio.h>
#include <string.h>

enum { ARGS = 256, FLAG_SERIALIZABLE = 1, FLAG_MARKERS = 2, FLAG_BRIDGES = 4 };

typedef struct Lambda {
	const ClassFile *c;
	u8 kind;         /* HANDLE_* */
	u32 method;      /* behind the handle */
	JStr impl_class; /* of that method */
	JStr impl_desc;
	JStr inst;     /* the interface's method with the types of this use */
	JStr captured; /* descriptor whose parameters are the captured values */
	u32 *fields;   /* that hold them */
	u32 nfield;
	SrcId src;
} Lambda;

/* ---- making one --------------------------------------------------------- */

static JStr
method_type(const ClassFile *c, u32 index)
{
	const JConst *k = &c->consts[index];
	JStr desc = k->tag == CP_METHOD_TYPE ? class_utf8(c, k->a) : (JStr){"", 0};
	u32 nparam, nslot;

	return desc_method(desc, &nparam, &nslot) && nslot < 255 ? desc : (JStr){"", 0};
}

static bool
read_handle(Lower *l, u32 index, Lambda *x)
{
	const JConst *k = &l->c->consts[index];
	JMemberRef r;

	if (k->tag != CP_HANDLE || k->a < HANDLE_VIRTUAL || !class_member_ref(l->c, k->b, &r))
		return false;
	x->kind = (u8)k->a;
	x->method = unit_cp_method(l->u, l->c, k->b, k->a == HANDLE_STATIC);
	if (!x->method)
		return false;
	x->impl_class = r.class;
	x->impl_desc = r.desc;
	return true;
}

/* How many values the method takes, the receiver included. */
static u32
impl_params(const JvmUnit *u, const Lambda *x)
{
	bool receiver = x->kind != HANDLE_STATIC && x->kind != HANDLE_NEW;

	return u->methods.at[x->method].nparam + receiver;
}

static StrId
class_name(Lower *l)
{
	char place[32];
	JStr own = {ir_str(l->ir, l->ir->classes.at[l->class].name),
		    intern_len(&l->ir->strs, l->ir->classes.at[l->class].name)};

	l->u->text.n = 0;
	name_push(l->u->a, &l->u->text, own);
	name_push(l->u->a, &l->u->text,
		  (JStr){place, (u32)snprintf(place, sizeof place, "$$Lambda$%u_%u",
					      (u32)(l->m - l->c->methods), l->pc)});
	return unit_text(l->u);
}

static void
add_method(Lower *l, ClassId c, Lambda *x, JStr name, JStr desc)
{
	JvmUnit *u = l->u;
	StrId s;
	FnId f;
	JStr own = {ir_str(l->ir, l->ir->classes.at[c].name),
		    intern_len(&l->ir->strs, l->ir->classes.at[c].name)};

	u->text.n = 0;
	name_push(u->a, &u->text, own);
	name_push(u->a, &u->text, (JStr){".", 1});
	name_push(u->a, &u->text, name);
	name_push(u->a, &u->text, desc);
	s = unit_text(u);
	if (map_get(&u->fn_index, s))
		return;
	name_push(u->a, &u->text, (JStr){"lambda in ", 10});
	name_pretty_method(u->a, &u->text, l->c->name, l->m->name);
	f = unit_new_fn(u, s, unit_text(u), c, desc, false);
	/* what leads to code of the class itself is no frame; what leads to another's is the use of it */
	u->ir->fns.at[f].flags =
	    jstr_equal(x->impl_class, l->c->name) || l->c->library ? FN_SYNTHETIC : 0;
	vec_push(u->a, &u->classes.at[c].methods, f);
	vec_push(u->a, &u->pending, (Pending){.fn = f, .class = c, .lambda = x, .desc = desc});
}

/* altMetafactory's further arguments: marker interfaces and bridges. */
static void
add_extras(Lower *l, const JBootstrap *b, ClassId c, Lambda *x, JStr name)
{
	const u16 *arg = l->c->args + b->arg;
	u32 k = 4, n;
	i64 flags = b->narg > 3 ? class_number(l->c, arg[3]) : 0;

	if (flags & FLAG_SERIALIZABLE) {
		ClassId s = unit_class(l->u, (JStr){"java/io/Serializable", 20});
		vec_push(l->u->a, &l->u->classes.at[c].ifaces, s);
	}
	if (flags & FLAG_MARKERS && k < b->narg) {
		n = (u32)class_number(l->c, arg[k++]);
		for (; n && k < b->narg; n--, k++) {
			ClassId m = unit_cp_class(l->u, l->c, arg[k]);
			if (m)
				vec_push(l->u->a, &l->u->classes.at[c].ifaces, m);
		}
	}
	if (flags & FLAG_BRIDGES && k < b->narg) {
		n = (u32)class_number(l->c, arg[k++]);
		for (; n && k < b->narg; n--, k++) {
			JStr desc = method_type(l->c, arg[k]);
			if (desc.n)
				add_method(l, c, x, name, desc);
		}
	}
}

static void
add_fields(Lower *l, ClassId c, Lambda *x)
{
	JStr type;
	char name[16];
	u32 at = 0;

	x->fields = arena_array(l->u->a, u32, ARGS);
	while ((type = name_next_param(x->captured, &at)).n) {
		u32 n = (u32)snprintf(name, sizeof name, "arg$%u", x->nfield + 1);
		u32 f = unit_field(l->u, c, (JStr){name, n}, type);
		l->u->fields.at[f].flags |= JVM_DECLARED | ACC_FINAL;
		x->fields[x->nfield++] = f;
	}
}

static void
list_refs(Lower *l, const Lambda *x, ClassId c, ClassId iface)
{
	static const u8 kinds[] = {[HANDLE_VIRTUAL] = JVM_REF_VIRTUAL,
				   [HANDLE_INTERFACE] = JVM_REF_VIRTUAL,
				   [HANDLE_STATIC] = JVM_REF_STATIC,
				   [HANDLE_SPECIAL] = JVM_REF_SPECIAL,
				   [HANDLE_NEW] = JVM_REF_SPECIAL};
	ClassId owner = l->u->methods.at[x->method].class;

	unit_ref_method(l->u, kinds[x->kind], x->method);
	if (x->kind == HANDLE_NEW)
		unit_ref_class(l->u, JVM_REF_NEW, owner);
	if (x->kind == HANDLE_NEW || x->kind == HANDLE_STATIC)
		unit_ref_class(l->u, JVM_REF_INIT, owner);
	vec_push(l->u->a, &l->u->refs,
		 (JvmRef){.kind = JVM_REF_LAMBDA,
			  .class = l->ir->classes.at[c].name,
			  .iface = l->ir->classes.at[iface].name});
}

/* The class of the lambda at l->pc; made at its first visit. */
static Lambda *
lambda_class(Lower *l, const JBootstrap *b, bool alt, JStr name, Lambda first, ClassId *out)
{
	StrId s = class_name(l);
	bool known = map_get(&l->u->class_index, s) != 0;
	ClassId c = unit_new_class(l->u, s, ACC_FINAL | ACC_SYNTHETIC), iface;
	Lambda *x = arena_new(l->u->a, Lambda);

	*x = first;
	*out = c;
	add_fields(l, c, x);
	if (known)
		return x;
	iface = unit_desc_class(l->u, name_return(x->captured));
	vec_push(l->u->a, &l->u->classes.at[c].ifaces, iface);
	add_method(l, c, x, name, method_type(l->c, l->c->args[b->arg]));
	if (alt)
		add_extras(l, b, c, x, name);
	list_refs(l, x, c, iface);
	return x;
}

/* The method's parameters are the captured values and the interface's. */
static bool
fits(const Lower *l, const Lambda *x, JStr sam)
{
	u32 captured, params, nslot;

	desc_method(x->captured, &captured, &nslot);
	desc_method(sam, &params, &nslot);
	return *name_return(x->captured).at == 'L' && captured + params == impl_params(l->u, x) &&
	       captured + params < ARGS - 2;
}

bool
lambda_make(Lower *l, const JBootstrap *b, bool alt, JStr name, JStr desc, const Val *captured,
	    Val *out)
{
	const u16 *arg = l->c->args + b->arg;
	Lambda first = {.c = l->c, .captured = desc, .src = l->src, .inst = {"", 0}}, *x;
	ClassId c;

	if (b->narg < 3 || !method_type(l->c, arg[0]).n || !method_type(l->c, arg[2]).n ||
	    !read_handle(l, arg[1], &first) || !fits(l, &first, method_type(l->c, arg[0])))
		return false;
	if (!l->emit)
		return true;
	first.inst = method_type(l->c, arg[2]);
	x = lambda_class(l, b, alt, name, first, &c);
	*out = memory_new(l, c);
	for (u32 k = 0; k < x->nfield; k++)
		memory_store(l, x->fields[k], (Slot){K_OBJ, *out}, captured[k], INS_FINAL);
	return true;
}

/* ---- its method --------------------------------------------------------- */

typedef struct Body {
	JvmUnit *u;
	Build b;
} Body;

static Val
define(Body *y, Ins x, u32 narg, const Val *args, char type)
{
	Val r = type == 'V' ? 0 : build_reg(&y->b, desc_rt(type), desc_width(type));
	Ins *i = build_ins(&y->b, x.op, narg, args);

	x.arg = i->arg;
	x.narg = narg;
	x.src = i->src;
	x.dst = r;
	x.rt = (u8)desc_rt(type);
	x.width = desc_width(type);
	*i = x;
	return r;
}

static const struct {
	char type;
	const char *class, *unbox, *box_desc, *unbox_desc;
} boxes[] = {
    {'Z', "java/lang/Boolean", "booleanValue", "(Z)Ljava/lang/Boolean;", "()Z"},
    {'B', "java/lang/Byte", "byteValue", "(B)Ljava/lang/Byte;", "()B"},
    {'C', "java/lang/Character", "charValue", "(C)Ljava/lang/Character;", "()C"},
    {'S', "java/lang/Short", "shortValue", "(S)Ljava/lang/Short;", "()S"},
    {'I', "java/lang/Integer", "intValue", "(I)Ljava/lang/Integer;", "()I"},
    {'J', "java/lang/Long", "longValue", "(J)Ljava/lang/Long;", "()J"},
    {'F', "java/lang/Float", "floatValue", "(F)Ljava/lang/Float;", "()F"},
    {'D', "java/lang/Double", "doubleValue", "(D)Ljava/lang/Double;", "()D"},
};

static JStr
jstr(const char *s)
{
	return (JStr){s, (u32)strlen(s)};
}

static Val
call_box(Body *y, u32 box, bool unbox, Val v)
{
	u32 m =
	    unit_method(y->u, jstr(boxes[box].class), jstr(unbox ? boxes[box].unbox : "valueOf"),
			jstr(unbox ? boxes[box].unbox_desc : boxes[box].box_desc), !unbox);
	Val args[2] = {ir_const_fn(y->u->ir, y->u->methods.at[m].fn), v};

	unit_ref_method(y->u, unbox ? JVM_REF_SPECIAL : JVM_REF_STATIC, m);
	return define(y, (Ins){.op = OP_CALL, .flags = INS_THROWS}, 2, args,
		      unbox ? boxes[box].type : 'L');
}

static Val
check_class(Body *y, JStr type, Val v)
{
	ClassId c = unit_desc_class(y->u, type);

	return define(y, (Ins){.op = OP_FILTER, .aux = c}, 1, &v, 'L');
}

/* Between numbers: only ever to a wider one. */
static Val
widen(Body *y, char from, char to, Val v)
{
	Kind x = desc_kind(from), z = desc_kind(to);
	Ins i = {.op = OP_CAST, .imm = desc_width(from)};

	if (x == z)
		return v;
	i.sub = z == K_FLOAT || z == K_DOUBLE || x == K_FLOAT || x == K_DOUBLE ? CAST_FLOAT
		: z == K_LONG                                                  ? CAST_SEXT
									       : CAST_TRUNC;
	return define(y, i, 1, &v, to);
}

static u32
box_of(JStr type, char number)
{
	u32 k;

	for (k = 0; k < COUNT(boxes); k++)
		if (type.n == strlen(boxes[k].class) + 2 &&
		    !memcmp(type.at + 1, boxes[k].class, type.n - 2))
			return k;
	for (k = 0; k + 1 < COUNT(boxes) && boxes[k].type != number; k++)
		;
	return k;
}

static Val
adapt(Body *y, JStr from, JStr to, Val v)
{
	bool ref = desc_rt(*from.at) == RT_PTR, want = desc_rt(*to.at) == RT_PTR;
	u32 box;

	if (ref && want)
		return jstr_equal(from, to) || jstr_is(to, "Ljava/lang/Object;")
			   ? v
			   : check_class(y, to, v);
	if (!ref && !want)
		return widen(y, *from.at, *to.at, v);
	if (!ref)
		return call_box(y, box_of(from, *from.at), false, v);
	box = box_of(from, *to.at);
	if (!(from.n == strlen(boxes[box].class) + 2))
		v = check_class(y,
				(JStr){arena_printf(y->u->a, "L%s;", boxes[box].class),
				       (u32)strlen(boxes[box].class) + 2},
				v);
	return widen(y, boxes[box].type, *to.at, call_box(y, box, true, v));
}

/* Parameter k of the method behind the handle, the receiver being the first. */
static JStr
impl_type(Body *y, const Lambda *x, u32 k)
{
	bool receiver = x->kind != HANDLE_STATIC && x->kind != HANDLE_NEW;
	JStr t;
	u32 at = 0;

	if (receiver && !k)
		return x->impl_class.at[0] == '['
			   ? x->impl_class
			   : (JStr){arena_printf(y->u->a, "L%.*s;", (int)x->impl_class.n,
						 x->impl_class.at),
				    x->impl_class.n + 2};
	do
		t = name_next_param(x->impl_desc, &at);
	while (k-- > receiver);
	return t;
}

/* The captured values, then the parameters; converted, into args. */
static u32
gather(Body *y, const Pending *p, Val *args)
{
	const Lambda *x = p->lambda;
	u32 n = 0, at = 0, inst = 0;
	JStr type, use;

	for (; n < x->nfield; n++) {
		Val self = 1, v = define(y, (Ins){.op = OP_FIELD, .sub = 1, .aux = x->fields[n]}, 1,
					 &self, 'L');
		type = name_next_param(x->captured, &at);
		v = define(y, (Ins){.op = OP_LOAD}, 1, &v, *type.at);
		args[n] = adapt(y, type, impl_type(y, x, n), v);
	}
	at = 0;
	for (Val r = 2; (type = name_next_param(p->desc, &at)).n && n < impl_params(y->u, x); r++) {
		use = name_next_param(x->inst, &inst);
		args[n] = r;
		if (use.n && !jstr_equal(use, type) && desc_rt(*use.at) == RT_PTR &&
		    desc_rt(*type.at) == RT_PTR) {
			args[n] = adapt(y, type, use, r);
			type = use;
		}
		args[n] = adapt(y, type, impl_type(y, x, n), args[n]);
		n++;
	}
	return n;
}

static Val
build_call(Body *y, const Lambda *x, u32 n, Val *args)
{
	Ir *ir = y->u->ir;
	const UnitMethod *m = &y->u->methods.at[x->method];
	bool virtual = (x->kind == HANDLE_VIRTUAL || x->kind == HANDLE_INTERFACE) && !m->exact;
	Ins call = {.op = OP_CALL, .flags = INS_THROWS};
	Val object = 0, v;

	if (x->kind == HANDLE_NEW || x->kind == HANDLE_STATIC)
		define(y, (Ins){.op = OP_CINIT, .aux = m->class}, 0, NULL, 'V');
	if (x->kind == HANDLE_NEW) {
		TypeId type = unit_type(y->u, m->class);
		object =
		    define(y, (Ins){.op = OP_ALLOC, .sub = ALLOC_HEAP, .aux = type}, 0, NULL, 'L');
		memmove(args + 1, args, n++ * sizeof *args);
		args[0] = object;
	}
	memmove(args + 1, args, n++ * sizeof *args);
	args[0] = ir_const_fn(ir, m->fn);
	if (virtual) {
		call.sub = CALL_VIRTUAL;
		call.aux = m->name;
	}
	v = define(y, call, n, args, *name_return(x->impl_desc).at);
	return object ? object : v;
}

void
lambda_build(JvmUnit *u, const Pending *p)
{
	Body y = {.u = u};
	const Lambda *x = p->lambda;
	Val args[ARGS + 2], v;
	JStr type, ret = name_return(p->desc), have = name_return(x->impl_desc);
	u32 at = 0, n;

	u->ir->fns.at[p->fn].linkage = LINK_EXTERNAL;
	u->ir->fns.at[p->fn].src = x->src;
	build_begin(&y.b, u->ir, p->fn);
	y.b.src = x->src;
	build_param(&y.b, 0, RT_PTR, 64, intern_str(&u->ir->strs, "this"));
	for (u32 k = 1; (type = name_next_param(p->desc, &at)).n; k++)
		build_param(&y.b, k, desc_rt(*type.at), desc_width(*type.at), 0);
	build_block_new(&y.b);
	build_block_start(&y.b, 1);
	n = gather(&y, p, args);
	v = build_call(&y, x, n, args);
	if (x->kind == HANDLE_NEW)
		have = (JStr){"Ljava/lang/Object;", 18};
	if (*ret.at == 'V' || *have.at == 'V')
		v = 0;
	else if (desc_rt(*ret.at) != RT_PTR || desc_rt(*have.at) != RT_PTR)
		v = adapt(&y, have, ret, v);
	if (!v && *ret.at != 'V')
		v = ir_const_undef(u->ir);
	build_term(&y.b, OP_RET, *ret.at != 'V', &v, 0, NULL);
	build_end(&y.b);
}
