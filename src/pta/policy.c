/* policy.c - which functions get more than one instance.
 *
 * A context is a string of at most k instructions.
 *
 * Call strings: the last k call instructions on the way to the instance that
 * were themselves cloned.  A function that is not cloned has one instance, in
 * the empty context, and starts a new string for what it calls.
 *
 * Objects (Milanova, Rountev, Ryder 2002; Naik, Aiken, Whaley 2006): a method
 * runs in the context of its receiver, which is the receiver's allocation site
 * behind the context of the instance that allocated it.  So what two
 * containers hold stays apart, whoever calls them.  What is no method on an
 * object runs in the context of its caller, behind its call if it is the program's and
 * returns what it makes, where a context has room for both.  Where a context is one object only, the parts
 * of that come on top (PtaOptions.parts): objects of classes nested in the same class as their
 * maker's, as nodes, views and iterators of a container are; else what is in all containers of a
 * kind were one as soon as it is iterated over.  A receiver that no allocation
 * made, or of a class that models call plain, the initialiser of a class, and a
 * static method that is given plain objects only, have the empty context: text,
 * numbers and exceptions are most of what a program makes, and hold nothing that
 * their makers would keep apart.
 *
 * AUTO clones where it pays: wrappers of allocation, fork and join
 * (wrapper.c), and of free, because otherwise all that passes through them is one object or
 * one thread; and in a small program everything that does not call itself,
 * with longer strings, so that a wrapper's thread and what it calls stay apart.
 * In a large one the start routine of a wrapper's thread runs in the wrapper's context if all
 * that it does is to call what it was given: else all threads of the wrapper were one.
 * Where two calls would make too many clones of wrappers, one call tells them
 * apart: better so for all than by two for those that come first.
 * Strings are bounded in length and clones in number, so there are finitely
 * many instances; a function that meets the bound falls back to its one
 * instance in the empty context. */
#include "pta/pta_int.h"

#include <string.h>

enum { MAX_K = 8, AUTO_K = 2, SMALL_K = 3, AUTO_CLONES = 4000, SMALL = 3000 };
/* Wrappers are called as often as a program is long. */
enum { INS_FOR_CLONE = 50 };
enum { PARTS = 3 }; /* on top of a context: a view, its iterator, what that makes */
enum { OBJECT_K = 2, OBJECT_CLONES = 400000 };
/* Where everything is called on everything, as behind unknown code, contexts
 * multiply and tell nothing apart: AUTO gives them up at so many clones. */
enum { SOME_CLONES = 4096, CLONES_EACH = 4 };
enum { SMALL_CLONES = 48 }; /* of one function where everything is cloned */
enum { MODEL = 16 };        /* instructions of a model's body that is cloned */
enum {
	FREES = 12,
	ROOM = 4
}; /* instructions of a wrapper of free; of clones, the part that these may be */

/* ---- how large is the program? ------------------------------------------------------ */

typedef struct Reach {
	const Ir *ir;
	Arena *a;
	bool *fn, *global;
	VecU32 fns, globals; /* still to be looked into */
} Reach;

static void
reach_value(Reach *r, Val v)
{
	const Const *c;

	if (!val_is_const(v) || val_const(v) >= r->ir->consts.n)
		return;
	c = ir_const(r->ir, v);
	if (c->kind == CONST_FN) {
		FnId f = call_resolve(r->ir, c->ref);
		if (!r->fn[f])
			vec_push(r->a, &r->fns, f);
		r->fn[f] = true;
	} else if (c->kind == CONST_GLOBAL) {
		if (!r->global[c->ref])
			vec_push(r->a, &r->globals, c->ref);
		r->global[c->ref] = true;
	}
}

static void
reach_global(Reach *r, GlobalId g)
{
	const Global *global = &r->ir->globals.at[g];

	for (u32 k = 0; k < global->ninit; k++)
		reach_value(r, r->ir->inits.at[global->init + k].val);
}

static u32
reach_fn(Reach *r, FnId f)
{
	const Fn *fn = &r->ir->fns.at[f];

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		const Ins *ins = ir_ins(r->ir, i);
		/* A phi's blocks are small numbers, no constants. */
		for (u32 k = 0; k < ins->narg; k++)
			reach_value(r, ins_arg(r->ir, ins, k));
	}
	return fn->nins;
}

/* Does root reach at most SMALL instructions, by name? */
static bool
is_small(const Ir *ir, FnId root, Arena *scratch)
{
	Reach r = {.ir = ir, .a = scratch};
	u32 n = 0;

	r.fn = arena_array(scratch, bool, ir->fns.n);
	r.global = arena_array(scratch, bool, ir->globals.n);
	vec_push(scratch, &r.fns, root);
	r.fn[root] = true;
	while (n <= SMALL && (r.fns.n || r.globals.n)) {
		if (r.globals.n)
			reach_global(&r, r.globals.at[--r.globals.n]);
		else
			n += reach_fn(&r, r.fns.at[--r.fns.n]);
	}
	return n <= SMALL;
}

/* ---- contexts -------------------------------------------------------------------------- */

/* The function that is called by its name; 0 if none is. */
static FnId
called(const Ir *ir, InsId i)
{
	return ir_ins(ir, i)->op == OP_CALL ? call_named(ir, ir_ins(ir, i), 0) : 0;
}

/* [FnId]: the calls of it by its name. */
static const u32 *
count_calls(const Ir *ir, Arena *scratch)
{
	u32 *calls = arena_array(scratch, u32, ir->fns.n);

	for (InsId i = 1; i < ir->ins.n; i++)
		calls[called(ir, i)]++;
	return calls;
}

/* Is it so short a function that it does little but free what it is given? */
static bool
wraps_free(const Ir *ir, const Fn *f)
{
	bool frees = false;

	for (InsId i = f->ins; i < f->ins + f->nins && f->nins <= FREES; i++) {
		const Ins *ins = ir_ins(ir, i);
		Val v = ins->op == OP_FREE ? ins_arg(ir, ins, 0) : 0;
		frees |= v && v <= f->nparam;
	}
	return frees;
}

/* Calls of those are told apart as well, while they leave room for others: all that is ever freed
 * would else be in one pointer. */
static void
clone_frees(Policy *p, Arena *scratch, const u32 *calls)
{
	const Ir *ir = p->ir;
	bool *frees = arena_array(scratch, bool, ir->fns.n);
	u64 n = 0;

	for (FnId f = 1; f < ir->fns.n; f++)
		frees[f] = ir->fns.at[f].nblock && wraps_free(ir, &ir->fns.at[f]);
	for (FnId f = 1; f < ir->fns.n; f++)
		n += frees[f] ? calls[f] : 0;
	for (FnId f = 1; f < ir->fns.n && n <= p->max_clones / ROOM; f++)
		p->clone[f] |= frees[f];
}

/* An initialiser of a class runs once, whoever calls it. */
static void
keep_initialisers(Policy *p, const Ir *ir)
{
	for (FnId f = 1; f < ir->fns.n; f++)
		p->clone[f] &= !(ir->fns.at[f].flags & FN_CINIT);
}

/* Calls of the functions that wrap what `kinds` says are told apart. */
static void
clone_wrappers(Policy *p, Arena *scratch, u8 kinds, u8 *wraps, bool *recursive)
{
	wrapper_find(p->ir, scratch, wraps, recursive);
	for (FnId f = 1; f < p->ir->fns.n; f++)
		p->clone[f] = wraps[f] & kinds;
}

/* So are those of models' bodies, which calls through pointers need: each is as good as its
 * call. */
static void
clone_models(Policy *p)
{
	for (FnId f = 1; f < p->ir->fns.n; f++) {
		const Fn *fn = &p->ir->fns.at[f];
		p->clone[f] |= fn->flags & FN_SYNTHETIC && fn->nblock == 1 && fn->nins <= MODEL;
	}
}

static u32
count_bodies(const Ir *ir)
{
	u32 n = 0;

	for (FnId f = 1; f < ir->fns.n; f++)
		n += ir->fns.at[f].nblock > 0;
	return n;
}

/* The bytes of a class's name before that of the class that it is nested in; all if in none. */
static size_t
outermost(const char *name)
{
	const char *nested = name[0] ? strchr(name + 1, '$') : NULL;

	return nested ? (size_t)(nested - name) : strlen(name);
}

/* Does it make an object of a class that is nested in what its own method's class is, or is nested in? */
static bool
makes_part(const Ir *ir, const Fn *fn, const Ins *i)
{
	const char *made, *maker;
	size_t n;

	if (i->op != OP_ALLOC || !i->aux)
		return false;
	made = ir_str(ir, ir->types.at[i->aux].name);
	maker = ir_str(ir, ir->classes.at[fn->class].name);
	n = outermost(made);
	return made[n] == '$' && !strchr(made, '[') && n == outermost(maker) &&
	       !strncmp(made, maker, n);
}

static void
find_parts(Policy *p)
{
	p->part = arena_array(p->strings.arena, bool, p->ir->ins.n);
	for (FnId f = 1; f < p->ir->fns.n; f++) {
		const Fn *fn = &p->ir->fns.at[f];
		bool method = fn->class && !(fn->flags & (FN_STATIC | FN_CINIT));
		for (InsId i = fn->ins; method && i < fn->ins + fn->nins; i++)
			p->part[i] = makes_part(p->ir, fn, ir_ins(p->ir, i));
	}
}

static u32
clones_that_pay(const Ir *ir, bool parts)
{
	return (SOME_CLONES + CLONES_EACH * count_bodies(ir)) << parts;
}

static void
init_objects(Policy *p, Arena *scratch, const PtaOptions *opt)
{
	p->objects = true;
	p->k = MIN(opt->k ? opt->k : OBJECT_K, MAX_K);
	p->max_clones = opt->max_insts ? opt->max_insts : OBJECT_CLONES;
	if (opt->policy == PTA_AUTO && !opt->max_insts)
		p->pays = opt->pays ? opt->pays : clones_that_pay(p->ir, opt->parts);
	p->wraps = arena_array(p->strings.arena, u8, p->ir->fns.n);
	clone_wrappers(p, scratch, WRAPS_THREAD, p->wraps,
		       arena_array(scratch, bool, p->ir->fns.n));
	for (FnId f = 1; p->k > 1 && f < p->ir->fns.n; f++)
		p->clone[f] |= (p->ir->fns.at[f].flags & (FN_STATIC | FN_LIBRARY)) == FN_STATIC &&
			       p->wraps[f] & WRAPS_HEAP;
	keep_initialisers(p, p->ir);
	if (opt->parts)
		find_parts(p);
}

/* How many clones there would be, at least, with strings of two calls: for each
 * call of a cloned function by its name, the calls of its caller if that is
 * cloned itself.  Calls through pointers come on top. */
static u64
count_strings(const Policy *p, const u32 *calls)
{
	const Ir *ir = p->ir;
	u64 n = 0;

	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		for (InsId i = fn->ins; i < fn->ins + fn->nins; i++)
			if (p->clone[called(ir, i)])
				n += p->clone[f] ? calls[f] : 1;
	}
	return n;
}

void
policy_init(Policy *p, Arena *a, const Ir *ir, FnId root, const PtaOptions *opt)
{
	Arena scratch;
	bool *recursive;
	const u32 *calls;

	intern_init(&p->strings, a);
	p->ir = ir;
	p->clone = arena_array(a, bool, ir->fns.n);
	p->k = MIN(opt->k ? opt->k : AUTO_K, MAX_K);
	p->max_clones = opt->max_insts;
	if (opt->policy == PTA_INSENSITIVE)
		return;
	if (opt->policy == PTA_OBJECT || (opt->policy == PTA_AUTO && ir->classes.n > 1)) {
		arena_init(&scratch, a->budget);
		init_objects(p, &scratch, opt);
		arena_release(&scratch);
		return;
	}
	if (opt->policy == PTA_CALLSITE) {
		memset(p->clone, true, ir->fns.n * sizeof *p->clone);
		keep_initialisers(p, ir);
		p->max_clones = opt->max_insts ? opt->max_insts : UINT32_MAX;
		p->starts = true;
		return;
	}
	p->max_clones =
	    opt->max_insts ? opt->max_insts : MAX(AUTO_CLONES, ir->ins.n / INS_FOR_CLONE);
	arena_init(&scratch, a->budget);
	recursive = arena_array(&scratch, bool, ir->fns.n);
	p->wraps = arena_array(a, u8, ir->fns.n);
	clone_wrappers(p, &scratch, WRAPS_HEAP | WRAPS_THREAD | RELAYED, p->wraps, recursive);
	clone_models(p);
	p->starts = is_small(ir, root, &scratch);
	calls = p->starts ? NULL : count_calls(ir, &scratch);
	if (p->starts && !opt->k)
		p->k = SMALL_K;
	if (!p->starts && !opt->k && count_strings(p, calls) > p->max_clones / 2)
		p->k = 1;
	if (!p->starts)
		clone_frees(p, &scratch, calls);
	for (FnId f = 1; p->starts && f < ir->fns.n; f++)
		p->clone[f] = !recursive[f];
	keep_initialisers(p, ir);
	arena_release(&scratch);
}

/* May callee have one more clone?  Functions that call each other through
 * pointers, which nobody sees beforehand, would fill the bound for all. */
static bool
may_clone(Policy *p, FnId callee)
{
	u32 *n;

	if (p->clones >= p->max_clones)
		return false;
	if (!p->starts || p->max_clones == UINT32_MAX)
		return true;
	n = map_at(p->strings.arena, &p->seen, map_pair(callee, UINT32_MAX));
	return (*n)++ < SMALL_CLONES;
}

/* ctx if callee may run in it, else the empty context. */
static CtxId
admit(Policy *p, FnId callee, CtxId ctx)
{
	if (!ctx || map_get(&p->seen, map_pair(callee, ctx)))
		return ctx;
	if (!may_clone(p, callee)) {
		p->widened++;
		return 0;
	}
	p->clones++;
	p->in_vain |= p->pays && p->clones > p->pays;
	map_put(p->strings.arena, &p->seen, map_pair(callee, ctx), 1);
	return ctx;
}

/* Of a string, the last k that are no parts, and the last PARTS that are parts of that; its length. */
static u32
keep_parts(const Policy *p, InsId *string, u32 n)
{
	u32 part = n, drop, base;

	while (part && p->part[string[part - 1]])
		part--;
	base = MIN(part, p->k);
	drop = n - part > PARTS ? n - part - PARTS : 0;
	memmove(string, string + part - base, base * sizeof *string);
	memmove(string + base, string + part + drop, (n - part - drop) * sizeof *string);
	return base + n - part - drop;
}

/* ctx with ins behind it, and nothing but the last k. */
static CtxId
extend(Policy *p, CtxId ctx, InsId ins)
{
	InsId string[MAX_K + PARTS + 2];
	u32 n = intern_len(&p->strings, ctx) / sizeof *string, drop, k = p->k;

	memcpy(string, intern_get(&p->strings, ctx), n * sizeof *string);
	string[n++] = ins;
	if (p->part)
		return intern_bytes(&p->strings, string, keep_parts(p, string, n) * sizeof *string);
	/* the last call of a static helper comes on top of the objects */
	for (u32 i = n; p->objects && p->k > 1 && i > 0 && n - i < p->k && k == p->k; i--)
		k += ir_ins(p->ir, string[i - 1])->op == OP_CALL;
	drop = n > k ? n - k : 0;
	return intern_bytes(&p->strings, string + drop, (n - drop) * sizeof *string);
}

/* Does what callee does depend on its caller's context?  Not if it is given plain
 * objects only, unless it makes what it returns. */
static bool
by_caller(const Policy *p, FnId callee)
{
	u32 flags = p->ir->fns.at[callee].flags;

	if (policy_by_receiver(p, callee) || flags & FN_CINIT)
		return false;
	return !(flags & FN_PLAIN) || p->wraps[callee];
}

CtxId
policy_context(Policy *p, CtxId ctx, InsId ins, FnId callee, bool fork)
{
	if (p->objects) {
		if (!by_caller(p, callee))
			return 0;
		if (p->clone[callee])
			ctx = extend(p, ctx, ins);
		return admit(p, callee, ctx);
	}
	if (fork && !p->starts)
		return p->wraps && p->wraps[callee] & RELAYS ? admit(p, callee, ctx) : 0;
	if (!p->k || !p->clone[callee])
		return 0;
	/* A model's body is as good as its call: it lengthens no string. */
	if (!ctx || p->starts || !(p->ir->fns.at[callee].flags & FN_SYNTHETIC))
		ctx = extend(p, ctx, ins);
	return admit(p, callee, ctx);
}

bool
policy_by_receiver(const Policy *p, FnId f)
{
	const Fn *fn = &p->ir->fns.at[f];

	return p->objects && fn->class && !(fn->flags & (FN_STATIC | FN_CINIT));
}

CtxId
policy_receiver(Policy *p, CtxId ctx, InsId alloc, InsId ins, FnId callee)
{
	ctx = alloc ? extend(p, ctx, alloc) : 0;
	if (p->clone[callee])
		ctx = extend(p, ctx, ins);
	return admit(p, callee, ctx);
}
