/* note.c - what people say of the program: which roots never run at once, which
 * fields and classes two threads never use at once (Naik et al. 2006, 2.2.1 and
 * 2.2.3), and annotations of classes that are not meant to be shared, or are.
 *
 * A root is what callers of an open program call, or what a thread starts with.
 * The roots of an instance are the union of its callers' roots: sets that only
 * grow, so this ends.  A pair is apart if each root of the one is said to be
 * apart from each root of the other.  What is said is a reason, never a proof. */
#include "race/race_int.h"

#include <fnmatch.h>
#include <string.h>

struct Notes {
	Races *r;
	Set *roots; /* [InstId] of FnIds; null: nothing is said of roots */
	Map apart;  /* pairs of FnIds -> 1 no, 2 yes */
};

static const char *
fn_name(const Ir *ir, FnId f)
{
	const Fn *fn = &ir->fns.at[f];

	return ir_str(ir, fn->pretty ? fn->pretty : fn->name);
}

static bool
is_own(const Fn *f)
{
	return !(f->flags & (FN_LIBRARY | FN_SYNTHETIC));
}

/* Gives each instance the roots of those that call it; a thread, and what lies
 * before the program's own code, begin anew. */
static void
find_roots(struct Notes *n)
{
	const Pta *p = n->r->pta;
	Arena *a = n->r->arena;
	VecU32 todo = {0};

	n->roots = arena_array(a, Set, p->insts.n);
	for (u32 e = 0; e < p->edges.n; e++) {
		const Edge *x = &p->edges.at[e];
		const Fn *from = pta_fn(p, x->from), *to = pta_fn(p, x->to);
		if (is_own(to) && (x->fork || !is_own(from)) &&
		    set_add(a, &n->roots[x->to], pta_inst(p, x->to)->fn))
			vec_push(a, &todo, x->to);
	}
	while (todo.n) {
		InstId i = todo.at[--todo.n];
		const Inst *in = pta_inst(p, i);
		for (u32 e = in->edge; e < in->edge + in->nedge; e++)
			if (!p->edges.at[e].fork && p->edges.at[e].to != i &&
			    set_or(a, &n->roots[p->edges.at[e].to], &n->roots[i]))
				vec_push(a, &todo, p->edges.at[e].to);
	}
}

struct Notes *
notes_new(Races *r)
{
	struct Notes *n = arena_new(r->arena, struct Notes);

	n->r = r;
	if (r->opt->napart)
		find_roots(n);
	return n;
}

/* "A | B", or "A" with itself. */
static bool
says_apart(struct Notes *n, const char *note, const char *x, const char *y)
{
	const char *bar = strchr(note, '|'), *rest = bar ? bar + 1 : note;
	size_t len = bar ? (size_t)(bar - note) : strlen(note);
	const char *first, *second = rest + strspn(rest, " ");

	while (len && note[len - 1] == ' ')
		len--;
	first = arena_dup(n->r->arena, note, len);
	return (!fnmatch(first, x, 0) && !fnmatch(second, y, 0)) ||
	       (!fnmatch(first, y, 0) && !fnmatch(second, x, 0));
}

static bool
roots_apart(struct Notes *n, FnId x, FnId y)
{
	u32 *known = map_at(n->r->arena, &n->apart, map_pair(MIN(x, y), MAX(x, y)));

	if (!*known) {
		*known = 1;
		for (u32 i = 0; i < n->r->opt->napart && *known == 1; i++)
			if (says_apart(n, n->r->opt->apart[i], fn_name(n->r->ir, x),
				       fn_name(n->r->ir, y)))
				*known = 2;
	}
	return *known == 2;
}

bool
notes_apart(struct Notes *n, const Access *a, const Access *b)
{
	if (!n->roots || set_empty(&n->roots[a->inst]) || set_empty(&n->roots[b->inst]))
		return false;
	SET_FOR (x, &n->roots[a->inst])
		SET_FOR (y, &n->roots[b->inst])
			if (!roots_apart(n, x.x, y.x))
				return false;
	return true;
}

bool
notes_local(struct Notes *n, SlotId slot, u64 size)
{
	const Races *r = n->r;
	const Obj *o = pta_obj(r->pta, pta_slot(r->pta, slot)->obj);
	const char *name, *class = "";

	if (!r->opt->nlocal)
		return false;
	name = place_name(r, slot, size, r->arena);
	if (o->type && r->ir->types.at[o->type].name)
		class = ir_str(r->ir, r->ir->types.at[o->type].name);
	for (u32 i = 0; i < r->opt->nlocal; i++)
		if ((name && !fnmatch(r->opt->local[i], name, 0)) ||
		    !fnmatch(r->opt->local[i], class, 0))
			return true;
	return false;
}

/* The class of that name; 0 if there is none. */
static ClassId
class_of(const Ir *ir, TypeId type)
{
	if (!type || ir->types.at[type].kind != TYPE_CLASS)
		return 0;
	for (ClassId c = 1; c < ir->classes.n; c++)
		if (ir->classes.at[c].name == ir->types.at[type].name)
			return c;
	return 0;
}

bool
notes_confined(struct Notes *n, SlotId slot)
{
	const Ir *ir = n->r->ir;
	const Slot *s = pta_slot(n->r->pta, slot);
	const Obj *o = pta_obj(n->r->pta, s->obj);
	u32 bits = NOTE_NOT_THREAD_SAFE | NOTE_THREAD_CONFINED;
	ClassId c = class_of(ir, o->type);

	if (c && s->off > 0 && (u64)s->off < ir->fields.n &&
	    ir->fields.at[s->off].flags >> 16 & NOTE_THREAD_CONFINED)
		return true;
	for (u32 depth = 0; c && depth < 64; depth++, c = ir->classes.at[c].super)
		if (ir->classes.at[c].flags >> 16 & bits)
			return true;
	return false;
}

/* Does the class, or one above it, say that threads may share its objects? */
static bool
is_safe(const Ir *ir, ClassId c)
{
	for (u32 depth = 0; c && depth < 64; depth++, c = ir->classes.at[c].super)
		if (ir->classes.at[c].flags >> 16 & NOTE_LIBRARY_SAFE)
			return true;
	return false;
}

bool
notes_safe(struct Notes *n, SlotId slot, const Access *x, const Access *y)
{
	const Ir *ir = n->r->ir;
	const Pta *p = n->r->pta;
	const Obj *o = pta_obj(p, pta_slot(p, slot)->obj);
	ClassId c = class_of(ir, o->type);

	if (!(pta_fn(p, x->inst)->flags & pta_fn(p, y->inst)->flags & FN_LIBRARY))
		return false;
	if (!c && o->inst) /* an array is its maker's */
		c = pta_fn(p, o->inst)->class;
	/* or that of who works on what the library has made for it */
	return is_safe(ir, c) ||
	       (o->inst && pta_fn(p, o->inst)->flags & FN_LIBRARY &&
		(is_safe(ir, pta_fn(p, x->inst)->class) || is_safe(ir, pta_fn(p, y->inst)->class)));
}

/* The field that a place is; 0 if it is none. */
static FieldId
field_of(const Races *r, SlotId slot)
{
	const Ir *ir = r->ir;
	const Slot *s = pta_slot(r->pta, slot);
	const Obj *o = pta_obj(r->pta, s->obj);
	const char *name;

	if (o->kind != OBJ_GLOBAL)
		return class_of(ir, o->type) && s->off > 0 && (u64)s->off < ir->fields.n
			   ? (FieldId)s->off
			   : 0;
	name = ir_str(ir, ir->globals.at[o->ref].name);
	for (FieldId f = 1; f < ir->fields.n; f++) {
		const char *class = ir_str(ir, ir->classes.at[ir->fields.at[f].class].name);
		size_t n = strlen(class);
		if (ir->fields.at[f].guard && !strncmp(name, class, n) && name[n] == '.' &&
		    !strcmp(name + n + 1, ir_str(ir, ir->fields.at[f].name)))
			return f;
	}
	return 0;
}

/* The last name of a path: of "this.lock", "a->lock", "Lock.class" and "this (Store)". */
static const char *
last_name(const char *s, size_t *n)
{
	size_t end = strcspn(s, " ("), at;

	if (end > 6 && !strncmp(s + end - 6, ".class", 6))
		end -= 6;
	for (at = end; at && !strchr(".>*&$", s[at - 1]);)
		at--;
	*n = end - at;
	return s + at;
}

/* Is a lock held at the access that goes by the name that was promised? */
static bool
holds_named(const Races *r, const Access *a, const char *guard)
{
	const HeldLock *locks;
	size_t n, m;
	const char *want = last_name(guard, &n);
	u32 nlock = a->held ? locks_list(r->conc->locks, a->inst, a->held, &locks) : 0;

	for (u32 i = 0; i < nlock; i++) {
		const char *have = last_name(locks[i].name, &m);
		if (n == m && !memcmp(want, have, n))
			return true;
	}
	return false;
}

/* What is promised of the field, and which of the accesses does not keep it. */
static const char *
guard_said(const Races *r, FieldId f, const Pair *p)
{
	const char *guard = ir_str(r->ir, r->ir->fields.at[f].guard);
	bool a = holds_named(r, access_at(r, p->a), guard);
	bool b = holds_named(r, access_at(r, p->b), guard);

	if (a && b)
		return arena_printf(
		    r->arena,
		    "the field is annotated as guarded by '%s', and the two accesses "
		    "hold locks of that name that are not shown to be one",
		    guard);
	return arena_printf(
	    r->arena, "the field is annotated as guarded by '%s', which is not held at %s", guard,
	    a   ? "the second access"
	    : b ? "the first access"
		: "either access");
}

const char *
notes_said(struct Notes *n, SlotId slot, const Pair *p)
{
	const Ir *ir = n->r->ir;
	const Slot *s = pta_slot(n->r->pta, slot);
	ClassId c = class_of(ir, pta_obj(n->r->pta, s->obj)->type);
	u16 in = pta_fn(n->r->pta, access_at(n->r, p->a)->inst)->flags;
	FieldId f = field_of(n->r, slot);

	if (f && ir->fields.at[f].guard)
		return guard_said(n->r, f, p);
	if (!c || !f)
		return NULL;
	if (ir->fields.at[f].flags >> 16 & NOTE_GUARDED_BY)
		return "the field is annotated as guarded by a lock, and none is shown to be held "
		       "at both";
	for (u32 depth = 0; c && depth < 64; depth++, c = ir->classes.at[c].super) {
		u32 bits = ir->classes.at[c].flags >> 16;
		if (bits & NOTE_IMMUTABLE && !(in & FN_CONSTRUCTOR))
			return "its class is annotated as immutable, and it is written outside of "
			       "its constructors";
		if (bits & (NOTE_THREAD_SAFE | NOTE_IMMUTABLE))
			return bits & NOTE_THREAD_SAFE ? "its class is annotated as thread-safe"
						       : "its class is annotated as immutable";
	}
	return NULL;
}
