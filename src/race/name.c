/* name.c - memory as the programmer would name it.
 *
 * A name is the variable, then members and elements down to the bytes that
 * are accessed: "stats.hits", "tab[].next", "conn->refs".  An element whose
 * index is not known is written [].  Each step goes to a smaller type, so the
 * descent ends. */
#include "race/race_int.h"

#include <string.h>

/* The member of t that holds the byte at off; of a union, the first that has
 * room for all of size bytes. */
static const Member *
member_at(const Ir *ir, const Type *t, u64 off, u64 size)
{
	const Member *found = NULL;

	for (u32 i = 0; i < t->nmember; i++) {
		const Member *m = &ir->members.at[t->member + i];
		u64 end = m->off + ir->types.at[m->type].size;

		if (off < m->off || off >= end)
			continue;
		if (t->kind == TYPE_STRUCT || off + size <= end)
			return m;
		found = found ? found : m;
	}
	return found;
}

/* Appends to name the parts of type that lead to size bytes at off; known says
 * whether off is exact, as far as elements go. */
static const char *
descend(const Ir *ir, Arena *a, const char *name, TypeId type, u64 off, u64 size, bool known)
{
	const Type *t = &ir->types.at[type];

	while (t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) {
		if (t->kind == TYPE_ARRAY) {
			u64 each = ir->types.at[t->elem].size;

			if (!each || size > each)
				return name;
			name = known ? arena_printf(a, "%s[%llu]", name,
						    (unsigned long long)(off / each))
				     : arena_printf(a, "%s[]", name);
			off %= each;
			t = &ir->types.at[t->elem];
		} else {
			const Member *m = member_at(ir, t, off, size);

			if (!m || (t->size && size >= t->size && t->nmember > 1 &&
				   t->kind == TYPE_STRUCT))
				return name;
			if (m->name)
				name = arena_printf(a, "%s.%s", name, ir_str(ir, m->name));
			off -= m->off;
			t = &ir->types.at[m->type];
		}
	}
	return name;
}

static const char *
parts(const Races *r, Arena *a, const char *name, const Obj *o, const Slot *s, u64 size)
{
	const Type *t = &r->ir->types.at[o->type];

	if (!o->type || s->off < 0)
		return name;
	if (t->kind == TYPE_CLASS)
		return s->off && (u64)s->off < r->ir->fields.n
			   ? arena_printf(a, "%s.%s", name,
					  ir_str(r->ir, r->ir->fields.at[s->off].name))
			   : name;
	if (s->stride && t->kind == TYPE_ARRAY && r->ir->types.at[t->elem].size != s->stride)
		return s->stride == 1 ? name
				      : descend(r->ir, a, name, o->type, (u64)s->off, size, false);
	if (s->stride && t->kind != TYPE_ARRAY && !s->end)
		return name;
	return descend(r->ir, a, name, o->type, (u64)s->off, size ? size : 1, !s->stride);
}

static const char *
bare_type(const char *name)
{
	if (!strncmp(name, "struct ", 7))
		return name + 7;
	return strncmp(name, "union ", 6) ? name : name + 6;
}

static const char *
heap_name(const Races *r, const Obj *o, const Slot *s, u64 size, Arena *a)
{
	const Type *t = &r->ir->types.at[o->type];
	const char *base, *name, *rest;

	if (!o->type || !t->name)
		return NULL;
	base = bare_type(ir_str(r->ir, t->name));
	name = parts(r, a, base, o, s, size);
	rest = name + strlen(base);
	if (t->kind != TYPE_CLASS && *rest == '.')
		return arena_printf(a, "%s->%s", base, rest + 1);
	return *rest ? name : NULL;
}

/* The variable that a stack allocation holds, "" if it has no name. */
static const char *
stack_name(const Races *r, const Obj *o)
{
	const Ins *i = ir_ins(r->ir, o->ins);

	if (!val_is_reg(i->dst))
		return "";
	return ir_str(r->ir, fn_reg(r->ir, pta_fn(r->pta, o->inst), i->dst)->name);
}

static const char *
global_name(const Ir *ir, const Global *g)
{
	return ir_str(ir, g->pretty ? g->pretty : g->name);
}

const char *
place_name(const Races *r, SlotId slot, u64 size, Arena *a)
{
	const Slot *s = pta_slot(r->pta, slot);
	const Obj *o = pta_obj(r->pta, s->obj);
	const char *name;

	switch (o->kind) {
	case OBJ_GLOBAL:
		return parts(r, a, global_name(r->ir, &r->ir->globals.at[o->ref]), o, s, size);
	case OBJ_STACK:
		name = stack_name(r, o);
		return *name ? parts(r, a, name, o, s, size) : NULL;
	case OBJ_HEAP: return heap_name(r, o, s, size, a);
	case OBJ_VALUE:
		if (!o->ref)
			return NULL;
		/* fall through */
	case OBJ_CLASS:
		return parts(r, a, ir_str(r->ir, r->ir->classes.at[o->ref].name), o, s, size);
	default: return NULL;
	}
}

static const char *
fn_name(const Ir *ir, const Fn *f)
{
	return ir_str(ir, f->pretty ? f->pretty : f->name);
}

/* Was f made by us, where the program calls for an object? */
static bool
is_helper(const Fn *f)
{
	return (f->flags & (FN_SYNTHETIC | FN_STATIC)) == (FN_SYNTHETIC | FN_STATIC);
}

/* Of a class: "a.b.C made in f". */
static const char *
instance_made(const Races *r, const Obj *o, Arena *a, SrcId *src)
{
	enum { HELPERS = 8 };
	const char *type = ir_str(r->ir, r->ir->types.at[o->type].name);
	InstId inst = o->inst;

	for (u32 k = 0; k < HELPERS && !*src && is_helper(pta_fn(r->pta, inst)) &&
			pta_inst(r->pta, inst)->ncaller;
	     k++) {
		const Edge *e =
		    &r->pta->edges.at[r->pta->callers.at[pta_inst(r->pta, inst)->caller]];
		*src = ir_ins(r->ir, e->ins)->src;
		inst = e->from;
	}
	if (pta_fn(r->pta, inst)->flags & FN_SYNTHETIC && !*src)
		return arena_printf(a, "any %s of the callers", type);
	return arena_printf(a, "%s made in %s", type, fn_name(r->ir, pta_fn(r->pta, inst)));
}

/* "heap block allocated in f", or "by g in f" if g only wraps an allocation, and this call of it
 * made the block; what we made for the program to work on was given to it. */
static const char *
block_made(const Races *r, const Obj *o, Arena *a, SrcId *src)
{
	enum { WRAPPERS = 4 };
	const char *by = "";
	InstId inst = o->inst;
	const Edge *e;

	*src = ir_ins(r->ir, o->ins)->src;
	for (u32 k = 0; k < WRAPPERS && (e = pta_made_for(r->pta, inst)) != NULL; k++) {
		const Fn *f = pta_fn(r->pta, inst);
		if (!(f->flags & FN_SYNTHETIC))
			by = arena_printf(a, "by %s ", fn_name(r->ir, f));
		*src = ir_ins(r->ir, e->ins)->src;
		inst = e->from;
	}
	if (!*by && pta_fn(r->pta, inst)->flags & FN_SYNTHETIC && inst == o->inst && !*src)
		return "memory that the program was given";
	return arena_printf(a, "heap block allocated %sin %s", by,
			    fn_name(r->ir, pta_fn(r->pta, inst)));
}

const char *
place_made(const Races *r, ObjId obj, Arena *a, SrcId *src)
{
	const Obj *o = pta_obj(r->pta, obj);
	const Global *g;

	*src = 0;
	switch (o->kind) {
	case OBJ_GLOBAL:
		g = &r->ir->globals.at[o->ref];
		*src = g->src;
		return arena_printf(a, "%s '%s'",
				    o->tls                 ? "thread-local variable"
				    : r->ir->classes.n > 1 ? "static field"
							   : "global variable",
				    global_name(r->ir, g));
	case OBJ_STACK:
		*src = ir_ins(r->ir, o->ins)->src;
		return arena_printf(a, "local variable '%s' of %s", stack_name(r, o),
				    fn_name(r->ir, pta_fn(r->pta, o->inst)));
	case OBJ_HEAP:
		*src = ir_ins(r->ir, o->ins)->src;
		if (o->type && r->ir->types.at[o->type].kind == TYPE_CLASS)
			return instance_made(r, o, a, src);
		return block_made(r, o, a, src);
	case OBJ_CLASS:
		return arena_printf(a, "class %s", ir_str(r->ir, r->ir->classes.at[o->ref].name));
	case OBJ_VALUE:
		if (!o->ref)
			return "any object of unknown class";
		return arena_printf(a, "any %s", ir_str(r->ir, r->ir->classes.at[o->ref].name));
	default: return "memory that only unknown code knows";
	}
}
