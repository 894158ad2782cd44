/* lock_text.c - values and places as the programmer writes them.
 *
 * A path is an address, so there are two ways to say it: the value itself
 * ("&c->lock") and the place it names ("c->lock"); each is said with the other.
 * Names come from registers, globals and the layouts of structs; what has none
 * is shown as it stands in the IR ("%12").  Paths are bounded, and definitions
 * are followed to a fixed depth. */
#include "conc/lock_int.h"

#include <inttypes.h>
#include <string.h>

enum { TEXT_DEPTH = 12, TEXT_TERMS = 8 }; /* how far texts and expressions go */

typedef struct Text {
	Locks *l;
	InstId inst;
	const Fn *fn;
	Arena *a;
	bool first; /* what is loaded from a struct is its first member */
} Text;

static const char *value(Text *t, PathId path, u32 depth);
static const char *place(Text *t, PathId path, u32 depth);

/* ---- members ------------------------------------------------------------ */

/* Appends the members of type at off to text: ".a.b[2]"; null if there are none. */
static const char *
members(const Ir *ir, Arena *a, TypeId type, u64 off, const char *text)
{
	for (u32 depth = 0; type && depth < TEXT_DEPTH; depth++) {
		const Type *t = &ir->types.at[type];
		const Member *best = NULL;
		if (t->kind == TYPE_ARRAY) {
			u64 size = t->elem ? ir->types.at[t->elem].size : 0;
			if (!size)
				return NULL;
			text = arena_printf(a, "%s[%" PRIu64 "]", text, off / size);
			off %= size;
			type = t->elem;
			continue;
		}
		if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION && t->kind != TYPE_CLASS)
			return off ? NULL : text;
		for (u32 i = 0; i < t->nmember; i++) {
			const Member *m = &ir->members.at[t->member + i];
			if (m->off <= off && (!best || m->off > best->off))
				best = m;
		}
		if (!best)
			return off ? NULL : text;
		if (best->name)
			text = arena_printf(a, "%s.%s", text, ir_str(ir, best->name));
		off -= best->off;
		type = best->type;
		if (!off) /* what is inside is the library's business */
			break;
	}
	return text;
}

static const char *
member_of(const Ir *ir, Arena *a, TypeId type, i64 off)
{
	return off < 0 ? NULL : members(ir, a, type, (u64)off, "");
}

static const char *
global_text(const Ir *ir, GlobalId g)
{
	const Global *x = &ir->globals.at[g];

	return ir_str(ir, x->pretty ? x->pretty : x->name);
}

/* ---- registers ---------------------------------------------------------- */

static bool
is_object(const Text *t, PathId path)
{
	const Path *p = path_get(&t->l->paths, path);
	InsId def;

	if (p->kind == PATH_GLOBAL || p->kind == PATH_INDEX)
		return true;
	if (p->kind != PATH_VALUE)
		return false;
	def = fn_reg(t->l->ir, t->fn, p->ref)->def;
	return def && ir_ins(t->l->ir, def)->op == OP_ALLOC &&
	       ir_ins(t->l->ir, def)->sub == ALLOC_STACK;
}

static const char *
call_text(Text *t, const Ins *ins)
{
	const Ir *ir = t->l->ir;
	Val f = ins_arg(ir, ins, 0);
	const Fn *fn;

	if (!val_is_const(f) || ir_const(ir, f)->kind != CONST_FN)
		return NULL;
	fn = &ir->fns.at[ir_const(ir, f)->ref];
	return arena_printf(t->a, "%s()", ir_str(ir, fn->pretty ? fn->pretty : fn->name));
}

static const char *reg_text(Text *t, Val r, u32 depth);

/* An operand of an expression, in brackets if it is one itself. */
static const char *
operand_text(Text *t, Val v, u32 depth)
{
	const Ir *ir = t->l->ir;
	const char *text;

	if (!val_is_reg(v))
		return ir_const(ir, v)->kind == CONST_INT
			   ? arena_printf(t->a, "%" PRIi64, ir_const(ir, v)->num)
			   : NULL;
	text = reg_text(t, v, depth + 1);
	if (*text == '%')
		return NULL;
	return strchr(text, ' ') && *text != '(' ? arena_printf(t->a, "(%s)", text) : text;
}

/* x op y; null: that is no C, or has parts without a name. */
static const char *
bin_text(Text *t, const Ins *ins, u32 depth)
{
	static const char *const ops[BIN_COUNT] = {
	    [BIN_ADD] = "+",   [BIN_SUB] = "-",   [BIN_MUL] = "*",  [BIN_UDIV] = "/",
	    [BIN_SDIV] = "/",  [BIN_UREM] = "%",  [BIN_SREM] = "%", [BIN_SHL] = "<<",
	    [BIN_LSHR] = ">>", [BIN_ASHR] = ">>", [BIN_AND] = "&",  [BIN_OR] = "|",
	    [BIN_XOR] = "^"};
	const char *op = ops[ins->sub], *x, *y;

	if (!op || depth > TEXT_TERMS)
		return NULL;
	x = operand_text(t, ins_arg(t->l->ir, ins, 0), depth);
	y = operand_text(t, ins_arg(t->l->ir, ins, 1), depth);
	return x && y ? arena_printf(t->a, "%s %s %s", x, op, y) : NULL;
}

/* What register r holds. */
static const char *
reg_text(Text *t, Val r, u32 depth)
{
	const Ir *ir = t->l->ir;
	const Reg *reg = fn_reg(ir, t->fn, r);
	const char *text = NULL;

	if (reg->name)
		return ir_str(ir, reg->name);
	if (reg->def && depth < TEXT_DEPTH) {
		const Ins *ins = ir_ins(ir, reg->def);
		if (ins->op == OP_LOAD)
			text = place(t, locks_path(t->l, t->inst, ins_arg(ir, ins, 0)).path,
				     depth + 1);
		else if (ins->op == OP_CALL)
			text = call_text(t, ins);
		else if (ins->op == OP_BIN)
			text = bin_text(t, ins, depth);
		else if (ins->op == OP_CAST && ins->rt == RT_INT)
			text = operand_text(t, ins_arg(ir, ins, 0), depth);
	}
	return text ? text : arena_printf(t->a, "%%%u", r);
}

/* ---- paths -------------------------------------------------------------- */

/* The struct that a value with this path points to, by how the function uses it. */
static TypeId
field_type(Text *t, PathId path)
{
	const Ir *ir = t->l->ir;

	for (InsId i = t->fn->ins; i < t->fn->ins + t->fn->nins; i++) {
		const Ins *ins = ir_ins(ir, i);
		if (ins->op == OP_FIELD && !ins->sub && ins->aux &&
		    locks_path(t->l, t->inst, ins_arg(ir, ins, 0)).path == path)
			return ins->aux;
	}
	return 0;
}

/* Likewise, or by what it points to. */
static TypeId
type_at(Text *t, PathId path)
{
	const Path *p = path_get(&t->l->paths, path);
	TypeId type = 0;
	Set slots = {0};

	if (p->kind == PATH_GLOBAL)
		type = t->l->ir->globals.at[p->ref].type;
	if (!type)
		type = field_type(t, path);
	if (!type && locks_slots_at(t->l, t->inst, path, &slots)) {
		const Slot *s = pta_slot(t->l->pta, set_first(&slots));
		type = s->off || s->stride ? 0 : pta_obj(t->l->pta, s->obj)->type;
	}
	set_recycle(t->l->arena, &slots);
	return type;
}

/* The name of a class's field, whose place in an object is its number; null: it is no field. */
static const char *
field_text(const Ir *ir, i64 num)
{
	bool known = num > 0 && num < ir->fields.n && ir->fields.at[num].name;

	return known ? ir_str(ir, ir->fields.at[num].name) : NULL;
}

/* A member of a struct whose address the function computes from the same base and
 * keeps in a variable, as container_of does: "c->lock"; null if there is none. */
static const char *
container_text(Text *t, const Path *p)
{
	const Ir *ir = t->l->ir;

	for (InsId i = t->fn->ins; i < t->fn->ins + t->fn->nins; i++) {
		const Ins *ins = ir_ins(ir, i);
		Val base = ins->op == OP_FIELD && !ins->sub && ins->aux ? ins_arg(ir, ins, 0) : 0;
		const Path *q;
		const char *names;

		if (!val_is_reg(base) || !fn_reg(ir, t->fn, base)->name)
			continue;
		q = path_get(&t->l->paths, locks_path(t->l, t->inst, base).path);
		names = q->kind == PATH_OFF && q->base == p->base
			    ? member_of(ir, t->a, ins->aux, p->num - q->num)
			    : NULL;
		if (names && *names == '.')
			return arena_printf(t->a, "%s->%s", reg_text(t, base, 0), names + 1);
	}
	return NULL;
}

static const char *
off_text(Text *t, const Path *p, u32 depth)
{
	const char *within;
	const char *field = field_text(t->l->ir, p->num);
	const char *names = member_of(t->l->ir, t->a, type_at(t, p->base), p->num);

	if (names && *names) {
		if (is_object(t, p->base))
			return arena_printf(t->a, "%s%s", place(t, p->base, depth + 1), names);
		if (*names == '.')
			return arena_printf(t->a, "%s->%s", value(t, p->base, depth + 1),
					    names + 1);
	}
	if (field && !strncmp(field, "this$", 5) && !strcmp(value(t, p->base, depth + 1), "this"))
		return "outer this"; /* as compilers call it */
	if (field)
		return arena_printf(t->a, "%s.%s", value(t, p->base, depth + 1), field);
	if (is_object(t, p->base))
		return arena_printf(t->a, "%s%+" PRIi64, place(t, p->base, depth + 1), p->num);
	within = container_text(t, p);
	return within
		   ? within
		   : arena_printf(t->a, "*(%s%+" PRIi64 ")", value(t, p->base, depth + 1), p->num);
}

/* What the pointer at path points to: its first member if it is used as a struct. */
static const char *
star_text(Text *t, PathId path, u32 depth)
{
	TypeId type = field_type(t, path);
	const char *names = type ? member_of(t->l->ir, t->a, type, 0) : NULL;

	if (names && *names == '.')
		return arena_printf(t->a, "%s->%s", value(t, path, depth + 1), names + 1);
	return arena_printf(t->a, "*%s", value(t, path, depth + 1));
}

/* An index that has no name is one of those that there are. */
static const char *
index_text(const char *text)
{
	return *text == '%' ? "" : text;
}

/* An element; if it is a lock by itself, its first member where it is used as a struct. */
static const char *
element_text(Text *t, PathId path, u32 depth)
{
	const Path p = *path_get(&t->l->paths, path);
	bool in_place = is_object(t, p.base) || path_get(&t->l->paths, p.base)->kind == PATH_OFF;
	TypeId type = depth ? 0 : field_type(t, path);
	const char *names = type ? member_of(t->l->ir, t->a, type, 0) : NULL;

	return arena_printf(t->a, "%s[%s]%s",
			    in_place ? place(t, p.base, depth + 1) : value(t, p.base, depth + 1),
			    index_text(value(t, p.ref, depth + 1)), names ? names : "");
}

static const char *
place(Text *t, PathId path, u32 depth)
{
	const Path p = *path_get(&t->l->paths, path);

	if (depth > TEXT_DEPTH)
		return "...";
	switch (p.kind) {
	case PATH_GLOBAL: return global_text(t->l->ir, p.ref);
	case PATH_OFF: return off_text(t, &p, depth);
	case PATH_INDEX: return element_text(t, path, depth);
	case PATH_VALUE:
		if (is_object(t, path))
			return reg_text(t, p.ref, depth + 1);
		return star_text(t, path, depth);
	case PATH_NONE: return "?";
	default: return star_text(t, path, depth);
	}
}

/* It is entered by such forks only. */
bool
locks_is_turn(const Locks *l, InstId inst)
{
	const Inst *i = pta_inst(l->pta, inst);

	return pta_fn(l->pta, inst)->flags & FN_SYNTHETIC && i->ncaller &&
	       l->pta->edges.at[l->pta->callers.at[i->caller]].fork;
}

/* What those who start inst call its k-th parameter, if they agree; else null. */
static const char *
given_text(Text *t, u32 k)
{
	const Inst *i = pta_inst(t->l->pta, t->inst);
	const char *said = NULL;

	for (u32 c = 0; c < i->ncaller && locks_is_turn(t->l, t->inst); c++) {
		const Edge *e = &t->l->pta->edges.at[t->l->pta->callers.at[i->caller + c]];
		const Ins *fork = ir_ins(t->l->ir, e->ins);
		const char *name;
		if (k + 2 >= fork->narg) /* behind the handle and the function */
			return NULL;
		name = locks_value_name(t->l, e->from, ins_arg(t->l->ir, fork, k + 2), t->a);
		if (said && strcmp(said, name) != 0)
			return NULL;
		said = name;
	}
	return said && *said != '%' ? said : NULL;
}

static const char *
param_text(Text *t, u32 k)
{
	const char *given;

	if (k >= t->fn->nparam)
		return "?";
	given = fn_reg(t->l->ir, t->fn, k + 1)->name ? NULL : given_text(t, k);
	return given ? given : reg_text(t, k + 1, TEXT_DEPTH);
}

static const char *
value(Text *t, PathId path, u32 depth)
{
	const Path p = *path_get(&t->l->paths, path);

	if (depth > TEXT_DEPTH)
		return "...";
	switch (p.kind) {
	case PATH_PARAM: return param_text(t, p.ref);
	case PATH_VALUE:
		if (!is_object(t, path))
			return reg_text(t, p.ref, depth + 1);
		return arena_printf(t->a, "&%s", place(t, path, depth + 1));
	case PATH_NUM: return arena_printf(t->a, "%" PRIi64, p.num);
	case PATH_CAST: return value(t, p.base, depth + 1);
	case PATH_DEREF: return place(t, p.base, depth + 1);
	case PATH_NONE: return "?";
	default: return arena_printf(t->a, "&%s", place(t, path, depth + 1));
	}
}

static Text
text_in(const Locks *l, InstId inst, Arena *a)
{
	/* only paths may be added */
	return (Text){(Locks *)l, inst, pta_fn(l->pta, inst), a, false};
}

const char *
locks_place_text(const Locks *l, InstId inst, PathId path, Arena *a)
{
	Text t = text_in(l, inst, a);

	return place(&t, path, 0);
}

/* ---- values, by the names of the variables that hold them --------------- */

static const char *val_text(Text *t, Val v, u32 depth);

static const Ins *
def_of(const Text *t, Val v)
{
	return ir_ins(t->l->ir, val_is_reg(v) ? fn_reg(t->l->ir, t->fn, v)->def : 0);
}

/* Is v the address of something that has a name of its own? */
static bool
names_object(const Text *t, Val v)
{
	const Ins *def = def_of(t, v);

	return val_is_const(v) || def->op == OP_INDEX ||
	       (def->op == OP_ALLOC && def->sub == ALLOC_STACK) ||
	       (def->op == OP_FIELD && !fn_reg(t->l->ir, t->fn, v)->name);
}

/* What is at address v. */
static const char *
val_place(Text *t, Val v, u32 depth)
{
	const Ir *ir = t->l->ir;
	const Ins *def = def_of(t, v);
	bool named = val_is_reg(v) && fn_reg(ir, t->fn, v)->name;
	const char *names, *base;

	if (val_is_const(v))
		return place(t, locks_path(t->l, t->inst, v).path, depth);
	if (depth > TEXT_DEPTH || (named && def->op != OP_ALLOC))
		return star_text(t, locks_path(t->l, t->inst, v).path, depth);
	if (def->op == OP_ALLOC && def->sub == ALLOC_STACK)
		return reg_text(t, v, depth);
	if (def->op == OP_INDEX || def->op == OP_FIELD) {
		Val b = ins_arg(ir, def, 0);
		base = names_object(t, b) ? val_place(t, b, depth + 1) : val_text(t, b, depth + 1);
		if (def->op == OP_INDEX)
			return arena_printf(
			    t->a, "%s[%s]", base,
			    index_text(val_text(t, ins_arg(ir, def, 1), depth + 1)));
		names = def->sub ? NULL : member_of(ir, t->a, def->aux, def->imm);
		if (def->sub)
			return arena_printf(t->a, "%s.%s", base,
					    ir_str(ir, ir->fields.at[def->aux].name));
		if (names && *names == '.')
			return arena_printf(t->a, "%s%s%s", base, names_object(t, b) ? "." : "->",
					    names + 1);
	}
	return place(t, locks_path(t->l, t->inst, v).path, depth);
}

/* What is loaded from address v. */
static const char *
loaded(Text *t, Val v, u32 depth)
{
	const Ir *ir = t->l->ir;
	const char *text = val_place(t, v, depth), *names = NULL;
	Path p;

	if (!t->first || !val_is_const(v))
		return text;
	p = *path_get(&t->l->paths, locks_path(t->l, t->inst, v).path);
	if (p.kind == PATH_GLOBAL)
		names = member_of(ir, t->a, ir->globals.at[p.ref].type, 0);
	return names && *names == '.' ? arena_printf(t->a, "%s%s", text, names) : text;
}

static const char *
val_text(Text *t, Val v, u32 depth)
{
	const Ins *def = def_of(t, v);

	if (!v || depth > TEXT_DEPTH)
		return v ? "..." : "?";
	if (val_is_reg(v) && fn_reg(t->l->ir, t->fn, v)->name &&
	    !(def->op == OP_ALLOC && def->sub == ALLOC_STACK))
		return ir_str(t->l->ir, fn_reg(t->l->ir, t->fn, v)->name);
	switch (def->op) {
	case OP_COPY:
	case OP_CAST: return val_text(t, ins_arg(t->l->ir, def, 0), depth + 1);
	case OP_LOAD: return loaded(t, ins_arg(t->l->ir, def, 0), depth + 1);
	case OP_FIELD:
	case OP_INDEX:
	case OP_ALLOC:
		if (def->op != OP_ALLOC || def->sub == ALLOC_STACK)
			return arena_printf(t->a, "&%s", val_place(t, v, depth + 1));
		break;
	default: break;
	}
	return value(t, locks_path(t->l, t->inst, v).path, depth + 1);
}

const char *
locks_value_text(const Locks *l, InstId inst, Val v, Arena *a)
{
	Text t = text_in(l, inst, a);

	t.first = true;
	return val_text(&t, v, 0);
}

const char *
locks_value_name(const Locks *l, InstId inst, Val v, Arena *a)
{
	Text t = text_in(l, inst, a);
	const char *name = val_text(&t, v, 0);

	return *name == '&' ? name + 1 : name;
}

/* ---- slots and types ---------------------------------------------------- */

/* Is it a struct of several members of which the first, a union as nearly all locks are, is rather the lock
 * than the whole? */
static bool
starts_with_lock(const Ir *ir, TypeId type)
{
	const Type *t = &ir->types.at[type];
	const Member *m =
	    t->kind == TYPE_STRUCT && t->nmember > 1 ? &ir->members.at[t->member] : NULL;

	return m && !m->off && m->name && ir->types.at[m->type].kind == TYPE_UNION;
}

const char *
locks_slot_text(const Locks *l, SlotId s, Arena *a)
{
	const Slot *slot = pta_slot(l->pta, s);
	const Obj *o = pta_obj(l->pta, slot->obj);
	const char *name = "object", *names;
	TypeId type = o->type;

	if (o->kind == OBJ_GLOBAL) {
		name = global_text(l->ir, o->ref);
		type = l->ir->globals.at[o->ref].type;
	} else if (o->kind == OBJ_STACK || o->kind == OBJ_HEAP) {
		const Reg *reg = fn_reg(l->ir, pta_fn(l->pta, o->inst), ir_ins(l->ir, o->ins)->dst);
		if (reg->name)
			name = ir_str(l->ir, reg->name);
	}
	names =
	    slot->off || starts_with_lock(l->ir, type) ? member_of(l->ir, a, type, slot->off) : "";
	if (names)
		return arena_printf(a, "%s%s", name, names);
	return arena_printf(a, "%s%+" PRIi64, name, slot->off);
}

const char *
locks_class_at(Locks *l, InstId inst, PathId path, Arena *a)
{
	Text t = text_in(l, inst, a);
	TypeId type = type_at(&t, path);
	const char *name, *dot;

	if (!type || l->ir->types.at[type].kind != TYPE_CLASS)
		return NULL;
	name = ir_str(l->ir, l->ir->types.at[type].name);
	dot = strrchr(name, '.');
	return dot ? dot + 1 : name;
}

TypeId
locks_struct_of(Locks *l, InstId inst, PathId path)
{
	Text t = text_in(l, inst, l->arena);
	i64 off;

	return field_type(&t, path_base(&l->paths, path, &off));
}
