/* lower_resolve.c - what the language finds through superclasses.
 *
 * A class file names a field or method by the class that the compiler looked
 * at, not the one that declares it.  When the program is whole, each such name
 * is looked up: first in the class, then upwards, then in the interfaces.  What
 * is not found stays as it is, unknown.  Every walk upwards is bounded, and
 * cyclic superclasses are cut first, so all of it ends. */
#include "jvm/jvm.h"

#include <string.h>

enum { HEIGHT = 256, STEPS = 1 << 14, SLOT = 8, DIMENSIONS = 4, UNKNOWN_AT = 1 << 20 };

typedef struct Resolve {
	Ir *ir;
	Arena scratch;
	Map field_at;  /* (class, name) -> FieldId */
	Map method_at; /* (class, name and descriptor) -> FnId */
	Map global_at; /* name -> GlobalId */
	Map class_at;  /* name -> ClassId */
	FieldId *field_to;
	u32 *offset; /* [field]: bytes from the object's start */
	u8 *ordered; /* [global]: volatile */
	u8 *handled; /* [field]: a variable that a handle stands for */
	u32 steps;   /* left of the present search */
} Resolve;

/* ---- the hierarchy ------------------------------------------------------ */

static void
assume(Resolve *r, const char *what, ClassId c)
{
	Ir *ir = r->ir;
	char *text = arena_printf(&r->scratch, "%s: %s", ir_str(ir, ir->classes.at[c].name), what);

	vec_push(ir->arena, &ir->assumes, (Assume){intern_str(&ir->strs, text), 0, 0});
}

/* Colours of the walk that finds cycles. */
enum { NEW, OPEN, DONE };

/* Drops every edge upwards that closes a cycle; depth first, with a stack of
 * our own, because a chain may be as long as the program has classes. */
static void
cut_from(Resolve *r, ClassId start, u8 *colour, VecU32 *stack, u32 *next)
{
	Ir *ir = r->ir;

	vec_push(&r->scratch, stack, start);
	colour[start] = OPEN;
	while (stack->n) {
		ClassId c = stack->at[stack->n - 1];
		Class *k = &ir->classes.at[c];
		u32 i = next[c]++;
		ClassId up;
		if (i > k->niface) {
			colour[c] = DONE;
			stack->n--;
			continue;
		}
		up = i ? ir->refs.at[k->iface + i - 1] : k->super;
		if (!up || colour[up] == DONE)
			continue;
		if (colour[up] == NEW) {
			colour[up] = OPEN;
			vec_push(&r->scratch, stack, up);
			continue;
		}
		assume(r, "it inherits from itself; that is ignored", c);
		k = &ir->classes.at[c];
		if (i) {
			ir->refs.at[k->iface + i - 1] = ir->refs.at[k->iface + k->niface - 1];
			k->niface--;
			next[c]--;
		} else {
			k->super = 0;
		}
	}
}

static void
cut_cycles(Resolve *r)
{
	u32 n = r->ir->classes.n;
	u8 *colour = arena_array(&r->scratch, u8, n);
	u32 *next = arena_array(&r->scratch, u32, n);
	VecU32 stack = {0};

	for (ClassId c = 1; c < n; c++)
		if (colour[c] == NEW)
			cut_from(r, c, colour, &stack, next);
}

/* Name and descriptor of a method; 0 where nothing ever calls it by that name. */
static StrId
short_name(const Ir *ir, const Fn *f)
{
	const char *s = ir_str(ir, f->name), *paren = strchr(s, '(');
	const char *at = paren;

	if (!paren || !f->class)
		return 0;
	while (at > s && at[-1] != '.')
		at--;
	return intern_find(&ir->strs, at, strlen(at));
}

static void
index_names(Resolve *r)
{
	Ir *ir = r->ir;

	for (ClassId c = 1; c < ir->classes.n; c++) {
		const Class *k = &ir->classes.at[c];
		map_put(&r->scratch, &r->class_at, k->name, c);
		for (u32 i = 0; i < k->nmethod; i++) {
			FnId f = ir->refs.at[k->method + i];
			StrId s = short_name(ir, &ir->fns.at[f]);
			if (s)
				map_put(&r->scratch, &r->method_at, map_pair(c, s), f);
		}
		for (FieldId f = k->field; f < k->field + k->nfield; f++)
			if (ir->fields.at[f].flags & JVM_DECLARED)
				map_put(&r->scratch, &r->field_at,
					map_pair(c, ir->fields.at[f].name), f);
	}
	for (GlobalId g = 1; g < ir->globals.n; g++)
		map_put(&r->scratch, &r->global_at, ir->globals.at[g].name, g);
}

/* ---- looking upwards ---------------------------------------------------- */

/* What has (class, name) in map, in the interfaces of c and above them. */
static u32
in_interfaces(Resolve *r, const Map *map, ClassId c, StrId name, u32 height)
{
	const Class *k = &r->ir->classes.at[c];

	for (u32 i = 0; i < k->niface && height < HEIGHT && r->steps; i++) {
		ClassId up = r->ir->refs.at[k->iface + i];
		u32 found = map_get(map, map_pair(up, name));
		r->steps--;
		if (!found)
			found = in_interfaces(r, map, up, name, height + 1);
		if (found)
			return found;
	}
	return 0;
}

/* The same in c, its superclasses, and then their interfaces. */
static u32
look_up(Resolve *r, const Map *map, ClassId class, StrId name)
{
	const Ir *ir = r->ir;
	u32 found = 0;

	r->steps = STEPS;
	for (ClassId c = class; c && !found; c = ir->classes.at[c].super)
		found = map_get(map, map_pair(c, name));
	for (ClassId c = class; c && !found && r->steps; c = ir->classes.at[c].super)
		found = in_interfaces(r, map, c, name, 0);
	return found;
}

/* ---- names to what declares them ---------------------------------------- */

static void
resolve_fns(Resolve *r)
{
	Ir *ir = r->ir;

	for (FnId f = 1; f < ir->fns.n; f++) {
		Fn *fn = &ir->fns.at[f];
		StrId name = fn->linkage == LINK_DECL && fn->class ? short_name(ir, fn) : 0;
		FnId to = name ? look_up(r, &r->method_at, fn->class, name) : 0;
		if (!to || to == f || ir->fns.at[to].linkage == LINK_ALIAS)
			continue;
		fn->linkage = LINK_ALIAS;
		fn->alias = to;
	}
}

static StrId
static_name(Resolve *r, FieldId f)
{
	const Ir *ir = r->ir;
	const Field *x = &ir->fields.at[f];
	char *s = arena_printf(&r->scratch, "%s.%s", ir_str(ir, ir->classes.at[x->class].name),
			       ir_str(ir, x->name));

	return intern_find(&ir->strs, s, strlen(s));
}

/* The variable that the handle's class is told to stand for; 0: none, or several. */
static FieldId
handled_variable(Resolve *r, ClassId handle)
{
	const Ir *ir = r->ir;
	const Class *k = &ir->classes.at[handle];
	FieldId found = 0;

	for (FieldId f = k->field; f < k->field + k->nfield; f++) {
		const char *s = ir_str(ir, ir->fields.at[f].name), *dot = strrchr(s, '.');
		StrId class = dot ? intern_find(&ir->strs, s, (size_t)(dot - s)) : 0;
		StrId name = dot ? intern_find(&ir->strs, dot + 1, strlen(dot + 1)) : 0;
		ClassId c = class ? map_get(&r->class_at, class) : 0;
		if (!dot)
			continue;
		if (found || !c || !name)
			return 0;
		found = look_up(r, &r->field_at, c, name);
	}
	return found;
}

static bool
is_handle(const Ir *ir, ClassId c)
{
	return !strncmp(ir_str(ir, ir->classes.at[c].name), JVM_HANDLE, sizeof JVM_HANDLE - 1);
}

/* A static field that its class does not declare: the one above that it is. */
static GlobalId
inherited(Resolve *r, GlobalId g)
{
	const Ir *ir = r->ir;
	const char *s = ir_str(ir, ir->globals.at[g].name), *dot = strrchr(s, '.');
	StrId class = dot ? intern_find(&ir->strs, s, (size_t)(dot - s)) : 0;
	StrId name = dot ? intern_find(&ir->strs, dot + 1, strlen(dot + 1)) : 0;
	ClassId c = class ? map_get(&r->class_at, class) : 0;
	FieldId f = c && name ? is_handle(ir, c) ? handled_variable(r, c)
						 : look_up(r, &r->field_at, c, name)
			      : 0;

	return f && ir->fields.at[f].flags & ACC_STATIC ? map_get(&r->global_at, static_name(r, f))
							: 0;
}

static void
resolve_globals(Resolve *r)
{
	Ir *ir = r->ir;

	for (GlobalId g = 1; g < ir->globals.n; g++) {
		Global *x = &ir->globals.at[g];
		GlobalId to = x->linkage == LINK_DECL ? inherited(r, g) : 0;
		if (!to || to == g || ir->globals.at[to].linkage == LINK_ALIAS)
			continue;
		x->linkage = LINK_ALIAS;
		x->alias = to;
	}
	r->ordered = arena_array(&r->scratch, u8, ir->globals.n);
	for (FieldId f = 1; f < ir->fields.n; f++) {
		u32 flags = ir->fields.at[f].flags;
		GlobalId g = flags & ACC_STATIC && flags & ACC_VOLATILE
				 ? map_get(&r->global_at, static_name(r, f))
				 : 0;
		if (g)
			r->ordered[g] = 1;
	}
}

static void
resolve_fields(Resolve *r)
{
	Ir *ir = r->ir;

	r->field_to = arena_array(&r->scratch, FieldId, ir->fields.n);
	r->handled = arena_array(&r->scratch, u8, ir->fields.n);
	for (FieldId f = 1; f < ir->fields.n; f++) {
		const Field *x = &ir->fields.at[f];
		FieldId to = f;
		if (!(x->flags & JVM_DECLARED)) {
			r->handled[f] = is_handle(ir, x->class);
			to = r->handled[f] ? handled_variable(r, x->class)
					   : look_up(r, &r->field_at, x->class, x->name);
		}
		r->field_to[f] = to ? to : f;
	}
}

/* ---- arrays ------------------------------------------------------------- */

static ClassId
array_of(Resolve *r, ClassId c)
{
	char *s = arena_printf(&r->scratch, "%s[]", ir_str(r->ir, r->ir->classes.at[c].name));
	StrId name = intern_find(&r->ir->strs, s, strlen(s));

	return name ? map_get(&r->class_at, name) : 0;
}

static u32
dimensions(const Ir *ir, ClassId c)
{
	const char *s = ir_str(ir, ir->classes.at[c].name), *open = strchr(s, '[');

	return open ? (u32)strlen(open) / 2 : 0;
}

/* An array of C is an array of each class above C; those of fewer dimensions
 * are done before. */
static void
resolve_array(Resolve *r, ClassId array)
{
	Ir *ir = r->ir;
	const char *s = ir_str(ir, ir->classes.at[array].name);
	size_t n = strlen(s);
	StrId elem = n > 2 && s[n - 1] == ']' ? intern_find(&ir->strs, s, n - 2) : 0;
	ClassId c = elem ? map_get(&r->class_at, elem) : 0, up = 0;
	u32 first = ir->refs.n;

	if (!c)
		return;
	for (ClassId k = ir->classes.at[c].super; k && !up; k = ir->classes.at[k].super)
		up = array_of(r, k);
	if (up && up != array)
		ir->classes.at[array].super = up;
	for (u32 i = 0; i < ir->classes.at[c].niface; i++) {
		up = array_of(r, ir->refs.at[ir->classes.at[c].iface + i]);
		if (up && up != array)
			vec_push(ir->arena, &ir->refs, up);
	}
	if (ir->refs.n > first) {
		ir->classes.at[array].iface = first;
		ir->classes.at[array].niface = ir->refs.n - first;
	}
}

/* ---- sizes -------------------------------------------------------------- */

static u32
own_bytes(Resolve *r, ClassId c, u32 from)
{
	const Class *k = &r->ir->classes.at[c];
	u32 at = from;

	for (FieldId f = k->field; f < k->field + k->nfield; f++) {
		u32 flags = r->ir->fields.at[f].flags;
		if (!(flags & JVM_DECLARED) || flags & ACC_STATIC)
			continue;
		r->offset[f] = at;
		at += SLOT;
	}
	return at;
}

/* Lays the fields out: a superclass's first, behind a header.  An array's length
 * is in the header. */
static void
lay_out(Resolve *r)
{
	Ir *ir = r->ir;
	u32 *bytes = arena_array(&r->scratch, u32, ir->classes.n);
	VecU32 chain = {0};

	r->offset = arena_array(&r->scratch, u32, ir->fields.n);
	for (ClassId c = 1; c < ir->classes.n; c++) {
		u32 from = strcmp(ir_str(ir, ir->classes.at[c].name), JVM_ARRAY) ? SLOT : 0;
		for (ClassId k = c; k; k = ir->classes.at[k].super) {
			if (bytes[k]) {
				from = bytes[k];
				break;
			}
			vec_push(&r->scratch, &chain, k);
		}
		while (chain.n) {
			ClassId k = chain.at[--chain.n];
			from = bytes[k] = own_bytes(r, k, from);
		}
	}
	/* A variable that is not known is no other of the object. */
	for (FieldId f = 1; f < ir->fields.n; f++)
		if (r->handled[f])
			r->offset[f] = UNKNOWN_AT + SLOT * f;
	for (TypeId t = 1; t < ir->types.n; t++) {
		ClassId c = ir->types.at[t].kind == TYPE_CLASS
				? map_get(&r->class_at, ir->types.at[t].name)
				: 0;
		if (c)
			ir->types.at[t].size = bytes[c];
	}
}

/* ---- instructions ------------------------------------------------------- */

/* The class at or above c that has an initialiser, else c. */
static ClassId
initialised(const Ir *ir, ClassId c)
{
	for (ClassId k = c; k; k = ir->classes.at[k].super)
		if (ir->classes.at[k].cinit)
			return k;
	return c;
}

static bool
is_ordered(const Resolve *r, const Fn *fn, Val at)
{
	const Ir *ir = r->ir;
	const Ins *i;

	if (val_is_const(at))
		return ir_const(ir, at)->kind == CONST_GLOBAL && r->ordered[ir_const(ir, at)->ref];
	i = at && fn_reg(ir, fn, at)->def ? ir_ins(ir, fn_reg(ir, fn, at)->def) : NULL;
	return i && i->op == OP_FIELD && i->sub == 1 && !r->handled[i->aux] &&
	       ir->fields.at[r->field_to[i->aux]].flags & ACC_VOLATILE;
}

static void
rewrite(Resolve *r)
{
	Ir *ir = r->ir;

	for (ConstId k = 1; k < ir->consts.n; k++) {
		Const *c = &ir->consts.at[k];
		if (c->kind == CONST_FN && ir->fns.at[c->ref].alias)
			c->ref = ir->fns.at[c->ref].alias;
		else if (c->kind == CONST_GLOBAL && ir->globals.at[c->ref].alias)
			c->ref = ir->globals.at[c->ref].alias;
	}
	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
			Ins *x = &ir->ins.at[i];
			if ((x->op == OP_LOAD || x->op == OP_STORE) &&
			    is_ordered(r, fn, ins_arg(ir, x, 0)))
				x->order = ORDER_SEQ_CST;
			else if (x->op == OP_CINIT)
				x->aux = initialised(ir, x->aux);
		}
	}
	for (InsId i = 1; i < ir->ins.n; i++) {
		Ins *x = &ir->ins.at[i];
		if (x->op != OP_FIELD || x->sub != 1)
			continue;
		x->aux = r->field_to[x->aux];
		x->imm = r->offset[x->aux];
	}
}

void
jvm_resolve(Ir *ir)
{
	Resolve r = {.ir = ir};
	u32 n = ir->classes.n;

	arena_init(&r.scratch, ir->arena->budget);
	cut_cycles(&r);
	index_names(&r);
	resolve_fns(&r);
	resolve_globals(&r);
	resolve_fields(&r);
	for (u32 dims = 1; dims <= DIMENSIONS; dims++)
		for (ClassId c = 1; c < n; c++)
			if (dimensions(ir, c) == dims)
				resolve_array(&r, c);
	lay_out(&r);
	rewrite(&r);
	arena_release(&r.scratch);
}
