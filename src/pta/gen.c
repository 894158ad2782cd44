/* gen.c - the constraints of one instance of a function, and of a global.
 *
 * Each instruction is looked at once per instance; what it means for pointers
 * is written beside its case.  Integers are not told from pointers: addresses
 * and thread handles survive casts, arithmetic and narrow stores (but see
 * pieces.c for narrow loads).  Where arithmetic is not a known offset, the result may point anywhere in the
 * object ("wild"). */
#include "pta/pta_int.h"

/* The instruction that constraints are being made for. */
typedef struct Gen {
	Solver *s;
	InstId inst;
	InsId id;
	const Ins *i;
} Gen;

enum { TABLE = 32 }; /* pointers in a variable that are kept apart by their offsets */

static const Con wild = {.kind = CON_SHIFT, .arg = 1};

static NodeId
const_value(Solver *s, Val v)
{
	const Const *c = ir_const(s->ir, v);
	NodeId *node = &s->const_node[val_const(v)];
	SlotId slot;

	if (*node)
		return *node;
	if (c->kind == CONST_GLOBAL)
		slot = slot_get(s, obj_global(s, c->ref), c->num, 0);
	else if (c->kind == CONST_FN)
		slot = obj_info(s, obj_fn(s, c->ref))->base;
	else if (c->kind == CONST_CLASS)
		slot = obj_info(s, obj_class(s, c->ref))->base;
	else
		return 0;
	*node = node_new(s);
	set_add(s->a, &s->node.at[*node].known, slot);
	s->node.at[*node].fixed = true;
	return *node;
}

NodeId
gen_value(Solver *s, InstId inst, Val v)
{
	if (val_is_const(v))
		return const_value(s, v);
	return v ? s->p->insts.at[inst].node + v : 0;
}

u32
gen_bytes(const Solver *s, u8 rt, u16 width)
{
	if (width)
		return (width + 7u) / 8;
	return rt == RT_AGG ? 0 : s->ir->ptr_bytes;
}

/* Operand k's node, 0 if there is none or it cannot hold an address. */
static NodeId
arg(const Gen *g, u32 k)
{
	return k < g->i->narg ? gen_value(g->s, g->inst, ins_arg(g->s->ir, g->i, k)) : 0;
}

static NodeId
dst(const Gen *g)
{
	return gen_value(g->s, g->inst, g->i->dst);
}

/* Is it an instruction of a language whose numbers hold no addresses? */
static bool
is_method(const Gen *g)
{
	return pta_fn(g->s->p, g->inst)->class;
}

/* Is operand k an integer constant? */
static bool
number(const Gen *g, u32 k, i64 *num)
{
	Val v = k < g->i->narg ? ins_arg(g->s->ir, g->i, k) : 0;
	const Const *c;

	if (!val_is_const(v))
		return false;
	c = ir_const(g->s->ir, v);
	*num = c->kind == CONST_INT ? c->num : 0;
	return c->kind == CONST_INT || c->kind == CONST_NULL || c->kind == CONST_UNDEF;
}

static void
constrain(const Gen *g, NodeId x, Con c, NodeId to)
{
	c.to = to;
	if (to)
		node_con(g->s, x, c);
}

/* dst gets what c says of x, and nothing else.  Registers that are defined alike hold
 * the same in any solution, whenever they are loaded, so they are one node: a member
 * that a function names ten times costs as much as once.  But not in Java: see gen_copy. */
static void
define(const Gen *g, NodeId x, Con c)
{
	Solver *s = g->s;
	ConId first;
	u64 key;

	c.to = dst(g);
	if (!x || !c.to)
		return;
	x = node_find(s, x);
	key = map_pair(x, con_hash(&c));
	first = s->java ? 0 : map_get(&s->defined, key);
	if (first && con_alike(&s->con.at[first], &c)) {
		node_merge(s, s->con.at[first].to, c.to);
		return;
	}
	first = node_con(s, x, c);
	if (!s->java)
		map_put(s->a, &s->defined, key, first);
}

/* How many bytes has the array that v points to the start of?  0: unknown. */
static u32
array_bytes(const Gen *g, Val v)
{
	const Ir *ir = g->s->ir;
	const Fn *f = pta_fn(g->s->p, g->inst);
	InsId def = val_is_reg(v) ? fn_reg(ir, f, v)->def : 0;
	const Ins *d = def ? ir_ins(ir, def) : NULL;
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;
	u64 n = 0;

	if (d && d->op == OP_FIELD && d->sub != 1)
		n = extent_of_member(ir, d->aux, d->imm);
	else if (c && c->kind == CONST_GLOBAL)
		n = extent_of_member(ir, ir->globals.at[c->ref].type, c->num);
	return n <= UINT32_MAX ? (u32)n : 0;
}

/* dst gets x + off, of a struct of that type if one is given; a register that
 * feeds itself gets all multiples. */
static void
add_offset(const Gen *g, NodeId x, i64 off, TypeId type)
{
	Con c = {.kind = CON_SHIFT, .off = off, .type = type};

	if ((g->s->mark[g->id] & MARK_CYCLIC) && off) {
		u64 stride = off < 0 ? -(u64)off : (u64)off;
		c = stride <= UINT32_MAX ? (Con){.kind = CON_SHIFT, .arg = (u32)stride} : wild;
		c.index = g->i->op != OP_BIN;
		c.type = type;
	}
	if (off || type)
		define(g, x, c);
	else if (x && dst(g) && !g->s->java && !g->s->node.at[x].fixed)
		node_merge(g->s, x, dst(g));
	else
		node_edge(g->s, x, dst(g));
}

/* dst has one definition: where that is a copy, the two are one node; but in Java
 * what flows on is few, and a limit is of one of them only. */
static void
gen_copy(const Gen *g, u32 k)
{
	Val v = ins_arg(g->s->ir, g->i, k);

	if (val_is_reg(v) && g->i->dst && !g->s->java)
		node_merge(g->s, arg(g, k), dst(g));
	else
		node_edge(g->s, arg(g, k), dst(g));
}

static void
gen_phi(const Gen *g)
{
	for (u32 k = 1; k < g->i->narg; k += 2)
		node_edge(g->s, arg(g, k), dst(g));
}

static void
gen_field(const Gen *g)
{
	if (g->i->sub == 1)
		constrain(g, arg(g, 0), (Con){.kind = CON_MEMBER, .arg = g->i->aux}, dst(g));
	else
		add_offset(g, arg(g, 0), g->i->imm, g->i->aux);
}

/* Any element of the array that operand 0 points into. */
static Con
within_array(const Gen *g, u32 stride)
{
	u32 len = array_bytes(g, ins_arg(g->s->ir, g->i, 0));

	return (Con){.kind = CON_SHIFT, .index = true, .arg = stride, .len = len};
}

static void
gen_index(const Gen *g)
{
	u64 stride = g->i->imm < 0 ? -(u64)g->i->imm : (u64)g->i->imm;
	i64 num, off;

	if (g->i->sub == 1 || !stride)
		node_edge(g->s, arg(g, 0), dst(g));
	else if (number(g, 1, &num) && !__builtin_mul_overflow(num, g->i->imm, &off))
		add_offset(g, arg(g, 0), off, 0);
	else if (stride > UINT32_MAX)
		constrain(g, arg(g, 0), wild, dst(g));
	else if (stride > 1)
		define(g, arg(g, 0), within_array(g, (u32)stride));
	else {
		constrain(g, arg(g, 0), within_array(g, 1), dst(g));
		/* Bytes from null: the address is in the index. */
		constrain(g, arg(g, 1), wild, dst(g));
	}
}

/* and, or: masks that set or clear the few bits that alignment leaves free. */
static void
gen_mask(const Gen *g, NodeId x, i64 mask)
{
	i64 low = g->s->ir->ptr_bytes;
	bool and = g->i->sub == BIN_AND;

	if (and&&mask >= -low && mask < 0)
		constrain(g, x, (Con){.kind = CON_ALIGN, .off = mask}, dst(g));
	else if (!and&&mask >= 0 && mask < low)
		constrain(g, x, (Con){.kind = CON_TAG, .off = mask}, dst(g));
	else if (!and|| mask < 0 || mask >= 4096) /* else only the low bits are left */
		constrain(g, x, wild, dst(g));
}

static void
gen_bin(const Gen *g)
{
	NodeId x = arg(g, 0), y = arg(g, 1);
	i64 num = 0;
	bool right = number(g, 1, &num), left = !right && number(g, 0, &num);

	if (g->s->mark[g->id] & MARK_NUMBER || is_method(g))
		return;
	switch (g->i->sub) {
	case BIN_UREM:
	case BIN_SREM:
	case BIN_FLOAT: return;
	case BIN_MAX:
	case BIN_MIN:
	case BIN_UMAX:
	case BIN_UMIN:
		node_edge(g->s, x, dst(g));
		node_edge(g->s, y, dst(g));
		return;
	case BIN_SUB: /* minus an address is a distance */
		if (right && num != INT64_MIN)
			add_offset(g, x, -num, 0);
		else
			constrain(g, x, wild, dst(g));
		return;
	case BIN_ADD:
		if (right || left) {
			add_offset(g, right ? x : y, num, 0);
			return;
		}
		break;
	case BIN_AND:
	case BIN_OR:
		if (right || left) {
			gen_mask(g, right ? x : y, num);
			return;
		}
		break;
	}
	constrain(g, x, wild, dst(g));
	constrain(g, y, wild, dst(g));
}

/* ---- memory -------------------------------------------------------------------- */

/* What a load gets; moves: of what may be part of a pointer. */
static Con
loaded(const Gen *g, bool moves)
{
	Con c = {.kind = CON_LOAD, .arg = gen_bytes(g->s, g->i->rt, g->i->width)};

	if (!moves && c.arg && (c.arg < g->s->ir->ptr_bytes || g->i->rt == RT_INT))
		c.kind = CON_NUMBER;
	return c;
}

static void
store(const Gen *g, NodeId at, NodeId value, bool number)
{
	u8 rt = g->i->width ? RT_VOID : RT_AGG; /* of unknown width: to the end */
	Con c = {.kind = CON_STORE, .arg = gen_bytes(g->s, rt, g->i->width), .number = number};

	constrain(g, at, c, value);
}

/* Is operand k an integer? */
static bool
is_integer(const Gen *g, u32 k)
{
	Val v = ins_arg(g->s->ir, g->i, k);

	return val_is_reg(v) && fn_reg(g->s->ir, pta_fn(g->s->p, g->inst), v)->rt == RT_INT;
}

static void
gen_rmw(const Gen *g)
{
	NodeId old = g->i->dst ? dst(g) : node_new(g->s), new = arg(g, 1);
	i64 num;

	constrain(g, arg(g, 0), loaded(g, g->i->sub == BIN_XCHG), old);
	if (g->i->sub != BIN_XCHG && is_method(g))
		return;
	if (g->i->sub != BIN_XCHG) {
		Con c = wild;
		/* The cell feeds itself: any multiple of what is added. */
		if ((g->i->sub == BIN_ADD || g->i->sub == BIN_SUB) && number(g, 1, &num) && num &&
		    num > -4096 && num < 4096)
			c.arg = (u32)(num < 0 ? -num : num);
		new = node_new(g->s);
		constrain(g, old, c, new);
		constrain(g, arg(g, 1), wild, new);
	}
	store(g, arg(g, 0), new, g->i->rt == RT_INT);
}

/* The class of the method's own object, of which value v is the register; 0: it is not. */
static TypeId
own_type(const Gen *g, Val v)
{
	const Ir *ir = g->s->ir;
	const Fn *f = pta_fn(g->s->p, g->inst);

	if (v != 1 || !f->class || (f->flags & FN_STATIC))
		return 0;
	for (TypeId t = 1; t < ir->types.n; t++)
		if (ir->types.at[t].kind == TYPE_CLASS &&
		    ir->types.at[t].name == ir->classes.at[f->class].name)
			return t;
	return 0;
}

/* Is nothing known of the class but its name? */
static bool
is_missing(const Ir *ir, ClassId c)
{
	return !c || (!ir->classes.at[c].super && !ir->classes.at[c].unit);
}

/* Is one object of the class c all that are made here?  Values never change; and in the largest
 * programs most of what there is are a library's own lists, maps and nodes, which would be told
 * apart by the place where they are made, though who uses them is not.  Initialisers make
 * one object each, which may be a lock.  There, too, one object is all those of which no class is
 * known: each may be the receiver of every call and have every field. */
static bool
stands_for_all(const Gen *g, ClassId c)
{
	const Ir *ir = g->s->ir;
	const Fn *f = pta_fn(g->s->p, g->inst);

	if (ir->classes.at[c].flags & CLASS_VALUE)
		return true;
	if (!g->s->p->by_class || g->i->sub != ALLOC_HEAP)
		return false;
	return is_missing(ir, c) || (f->flags & FN_LIBRARY && ir->classes.at[f->class].cinit !=
								  pta_inst(g->s->p, g->inst)->fn);
}

static void
gen_alloc(const Gen *g)
{
	Obj o = {.kind = g->i->sub == ALLOC_HEAP ? OBJ_HEAP : OBJ_STACK, .type = g->i->aux};
	ClassId class = class_of_alloc(g->s, o.type);
	i64 size;

	if (g->i->sub == ALLOC_LIKE) {
		Con c = {.kind = CON_LIKE, .arg = g->id, .len = g->inst};
		c.type = own_type(g, ins_arg(g->s->ir, g->i, 0));
		constrain(g, arg(g, 0), c, dst(g));
		return;
	}
	if (stands_for_all(g, class)) {
		if (is_missing(g->s->ir, class))
			class = o.type = 0;
		node_give(g->s, dst(g), obj_info(g->s, obj_value(g->s, class, o.type))->base);
		return;
	}
	o.ins = g->id;
	o.inst = g->inst;
	if (g->i->narg)
		o.size = number(g, 0, &size) && size > 0 ? (u64)size : 0;
	else if (o.type)
		o.size = g->s->ir->types.at[o.type].size;
	if (o.kind == OBJ_HEAP && !o.type)
		o.type = typed_alloc(g->s, g->inst, g->id);
	node_give(g->s, dst(g), obj_info(g->s, obj_new(g->s, o))->base);
}

/* Copies through an object of its own, so that many sources and many
 * destinations cost their sum, not their product. */
static void
gen_bcopy(const Gen *g)
{
	Obj buffer = {.kind = OBJ_NONE, .ins = g->id, .inst = g->inst};
	i64 size;
	ObjId o;
	Con c = {0};

	if (number(g, 2, &size) && (size <= 0 || size > UINT32_MAX))
		size = 0;
	else if (!number(g, 2, &size))
		size = 0;
	buffer.size = (u64)size;
	o = obj_new(g->s, buffer);
	c.arg = (u32)size;
	c.kind = CON_COPY_FROM;
	constrain(g, arg(g, 1), c, o);
	c.kind = CON_COPY_TO;
	constrain(g, arg(g, 0), c, o);
}

/* ---- calls and threads ------------------------------------------------------------ */

/* What a method is called on: only objects of its class, where that was tested. */
static NodeId
receiver(const Gen *g, u32 k)
{
	Val v = ins_arg(g->s->ir, g->i, k);
	FnId f = pta_inst(g->s->p, g->inst)->fn;
	ClassId c = val_is_reg(v) ? tested_class(g->s, f, g->id, v) : 0;
	NodeId node = arg(g, k), of_class;

	if (!c || !node)
		return node;
	of_class = node_new(g->s);
	node_filter(g->s, node, of_class, c);
	return of_class;
}

/* The instruction may run what operand k says: a function, the one that the class
 * of the operand behind it has, or the method by that name on that operand. */
static void
run(const Gen *g, SiteId site, u32 k)
{
	FnId named = call_named(g->s->ir, g->i, k);
	bool virtual = g->i->sub == CALL_VIRTUAL;

	if (virtual && g->s->hierarchy)
		call_hierarchy(g->s, site);
	if (virtual)
		constrain(g, receiver(g, k + 1), (Con){.kind = CON_DISPATCH}, site);
	else if (named && k + 1 < g->i->narg && policy_by_receiver(&g->s->policy, named))
		constrain(g, arg(g, k + 1), (Con){.kind = CON_RECEIVE, .arg = named}, site);
	else
		constrain(g, arg(g, k), (Con){.kind = CON_CALL}, site);
}

static void
gen_call(const Gen *g)
{
	run(g, call_site(g->s, g->inst, g->id, 1, 0), 0);
}

static void
gen_cinit(const Gen *g)
{
	FnId init = g->s->ir->classes.at[g->i->aux].cinit;

	if (init)
		call_bind(g->s, call_site(g->s, g->inst, g->id, g->i->narg, 0), init, false);
}

static void
gen_fork(const Gen *g)
{
	Solver *s = g->s;
	ObjId thread = obj_new(s, (Obj){.kind = OBJ_THREAD, .ins = g->id, .inst = g->inst});
	NodeId handle = node_new(s);

	obj_info(s, thread)->result = node_new(s);
	node_give(s, handle, obj_info(s, thread)->base);
	store(g, arg(g, 0), handle, true);
	if (g->i->flags & INS_HANDLE)
		node_edge(s, handle, dst(g));
	run(g, call_site(s, g->inst, g->id, 2, thread), 1);
}

static void
gen_join(const Gen *g)
{
	NodeId result;
	Con c = {.kind = CON_STORE, .arg = g->s->ir->ptr_bytes};

	if (!arg(g, 1))
		return;
	result = node_new(g->s);
	constrain(g, arg(g, 0), (Con){.kind = CON_JOIN}, result);
	constrain(g, arg(g, 1), c, result);
}

static void
gen_control(const Gen *g)
{
	switch (g->i->op) {
	case OP_CALL: gen_call(g); break;
	case OP_EXTERN: call_unknown(g->s, call_site(g->s, g->inst, g->id, 0, 0)); break;
	case OP_CINIT: gen_cinit(g); break;
	case OP_FORK: gen_fork(g); break;
	case OP_JOIN: gen_join(g); break;
	case OP_RET: node_edge(g->s, arg(g, 0), pta_inst(g->s->p, g->inst)->node); break;
	case OP_THROW: node_edge(g->s, arg(g, 0), inst_node(g->s, g->inst, INST_RAISED)); break;
	case OP_TEXIT: node_edge(g->s, arg(g, 0), inst_node(g->s, g->inst, INST_TEXIT)); break;
	case OP_NONDET:
		if (g->i->sub == NONDET_SELF)
			node_give(g->s, dst(g),
				  obj_info(g->s, obj_new(g->s, (Obj){.kind = OBJ_SELF,
								     .ins = g->id,
								     .inst = g->inst}))
				      ->base);
		if (g->i->sub == 1 || g->i->sub == 2)
			node_edge(
			    g->s,
			    inst_node(g->s, g->inst, g->i->sub == 1 ? INST_REST : INST_RAISED),
			    dst(g));
		break;
	default: /* no address flows; constants are still asked for */
		for (u32 k = 0; k < g->i->narg; k++)
			(void)arg(g, k);
	}
}

static void
gen_ins(const Gen *g)
{
	switch (g->i->op) {
	case OP_ALLOC: gen_alloc(g); break;
	case OP_COPY: gen_copy(g, 0); break;
	case OP_CAST:
		if (g->i->sub != CAST_FLOAT)
			gen_copy(g, 0);
		break;
	case OP_PHI: gen_phi(g); break;
	case OP_SELECT:
		node_edge(g->s, arg(g, 1), dst(g));
		node_edge(g->s, arg(g, 2), dst(g));
		break;
	case OP_FILTER:
		if (g->i->sub != 1)
			node_filter(g->s, arg(g, 0), dst(g), g->i->aux);
		break;
	case OP_FIELD: gen_field(g); break;
	case OP_INDEX: gen_index(g); break;
	case OP_BIN: gen_bin(g); break;
	case OP_LOAD:
		if (g->i->rt != RT_FLOAT)
			define(g, arg(g, 0), loaded(g, g->s->mark[g->id] & MARK_MOVED));
		break;
	case OP_STORE: store(g, arg(g, 0), arg(g, 1), is_integer(g, 1)); break;
	case OP_RMW: gen_rmw(g); break;
	case OP_CAS:
		define(g, arg(g, 0), loaded(g, false));
		store(g, arg(g, 0), arg(g, 2), is_integer(g, 2));
		break;
	case OP_BCOPY: gen_bcopy(g); break;
	default: gen_control(g);
	}
}

void
gen_inst(Solver *s, InstId inst)
{
	FnId fn = s->p->insts.at[inst].fn;
	const Fn *f = &s->ir->fns.at[fn];

	if (!s->marked[fn]) {
		Arena scratch;
		arena_init(&scratch, s->a->budget);
		strides_mark(s->ir, fn, &scratch, s->mark);
		pieces_mark(s->ir, fn, &scratch, s->mark);
		arena_release(&scratch);
		s->marked[fn] = true;
	}
	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		Gen g = {s, inst, id, ir_ins(s->ir, id)};
		gen_ins(&g);
	}
}

void
gen_global(Solver *s, GlobalId g)
{
	const Global *global = &s->ir->globals.at[g];
	const Type *t = &s->ir->types.at[global->type];
	u64 elem = t->kind == TYPE_ARRAY && t->elem ? s->ir->types.at[t->elem].size : 0;

	/* A long table would fold: keep its columns apart instead of its rows. */
	if (global->ninit <= MIN(s->max_slots, TABLE) || elem > UINT32_MAX)
		elem = 0;
	for (u32 k = 0; k < global->ninit; k++) {
		const Init *init = &s->ir->inits.at[global->init + k];
		NodeId x = const_value(s, init->val);
		SlotId at =
		    slot_get(s, obj_global(s, g), (i64)MIN(init->off, INT64_MAX), (u32)elem);
		if (x)
			node_edge(s, x, cell_in(s, at, s->ir->ptr_bytes, false));
	}
}
