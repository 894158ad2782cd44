/* pta_case.h - a program in text, solved, and names for what comes out: places
 * are written object+offset, object+offset%stride, and sorted.  An object is
 * @global, &function, function.register (where it is made), !function (a
 * thread, where it is forked) or ? (unknown memory). */
#ifndef PTA_CASE_H
#define PTA_CASE_H

#include "unit.h"

#include "base/diag.h"
#include "pta/pta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case {
	Arena arena;
	Diag diag;
	Ir ir;
	Pta *pta;
} Case;

static inline void
solve(Case *c, const char *text, PtaOptions opt)
{
	const char *wrong;

	arena_init(&c->arena, NULL);
	diag_init(&c->diag, &c->arena, stderr);
	ir_init(&c->ir, &c->arena);
	assert_true(ir_parse(&c->ir, "case.ir", text, strlen(text), &c->diag));
	wrong = ir_check(&c->ir);
	if (wrong)
		fail_msg("%s", wrong);
	assert_int_not_equal(ir_find_fn(&c->ir, "main"), 0);
	c->pta = pta_solve(&c->arena, &c->ir, ir_find_fn(&c->ir, "main"), &opt);
	assert_true(c->pta->complete);
	pta_check(c->pta);
}

static inline void
done(Case *c)
{
	diag_release(&c->diag);
	arena_release(&c->arena);
}

static inline FnId
find_fn(const Case *c, const char *name)
{
	FnId f = ir_find_fn(&c->ir, name);

	if (!f)
		fail_msg("no function %s", name);
	return f;
}

static inline Val
find_reg(const Case *c, const char *fn, const char *name)
{
	const Fn *f = &c->ir.fns.at[find_fn(c, fn)];

	for (Val r = 1; r <= f->nreg; r++)
		if (!strcmp(ir_str(&c->ir, fn_reg(&c->ir, f, r)->name), name))
			return r;
	fail_msg("no register %s in %s", name, fn);
	return 0;
}

static inline const char *
obj_name(Case *c, const Obj *o)
{
	const Ir *ir = &c->ir;
	const Fn *f = o->inst ? pta_fn(c->pta, o->inst) : NULL;

	switch (o->kind) {
	case OBJ_GLOBAL:
		return arena_printf(&c->arena, "@%s", ir_str(ir, ir->globals.at[o->ref].name));
	case OBJ_FN: return arena_printf(&c->arena, "&%s", ir_str(ir, ir->fns.at[o->ref].name));
	case OBJ_STACK:
	case OBJ_HEAP:
		return arena_printf(&c->arena, "%s.%s", ir_str(ir, f->name),
				    ir_str(ir, fn_reg(ir, f, ir_ins(ir, o->ins)->dst)->name));
	case OBJ_THREAD: return arena_printf(&c->arena, "!%s", ir_str(ir, f->name));
	case OBJ_EXTERN: return "?";
	default: return "class";
	}
}

static inline const char *
slot_name(Case *c, SlotId id)
{
	const Slot *s = pta_slot(c->pta, id);
	const Obj *o = pta_obj(c->pta, s->obj);
	const char *name = obj_name(c, o);

	if (o->kind == OBJ_FN || o->kind == OBJ_THREAD || o->kind == OBJ_EXTERN)
		return name;
	if (s->stride)
		return arena_printf(&c->arena, "%s+%d%%%u", name, (int)s->off, s->stride);
	return arena_printf(&c->arena, "%s+%d", name, (int)s->off);
}

static inline int
compare(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static inline const char *
set_name(Case *c, const Set *set)
{
	const char **names = arena_array(&c->arena, const char *, set_count(set) + 1);
	const char *all = "";
	u32 n = 0;

	SET_FOR (it, set)
		names[n++] = slot_name(c, it.x);
	qsort(names, n, sizeof *names, compare);
	for (u32 i = 0; i < n; i++)
		all = arena_printf(&c->arena, "%s%s%s", all, i ? " " : "", names[i]);
	return all;
}

/* What the register points to, in all instances of its function together. */
static inline const char *
pts(Case *c, const char *fn, const char *reg)
{
	Val r = find_reg(c, fn, reg);
	Set all = {0};

	for (InstId i = 1; i < c->pta->insts.n; i++)
		if (c->pta->insts.at[i].fn == find_fn(c, fn))
			set_or(&c->arena, &all, pta_pts(c->pta, i, r));
	return set_name(c, &all);
}

static inline u32
instances(Case *c, const char *fn)
{
	u32 n = 0;

	for (InstId i = 1; i < c->pta->insts.n; i++)
		n += c->pta->insts.at[i].fn == find_fn(c, fn);
	return n;
}

/* The callees of all calls in fn, sorted; a fork's has a '*' before. */
static inline const char *
callees(Case *c, const char *fn)
{
	const char *names[64], *all = "";
	u32 n = 0;

	for (u32 e = 0; e < c->pta->edges.n; e++) {
		const Edge *edge = &c->pta->edges.at[e];
		if (pta_inst(c->pta, edge->from)->fn != find_fn(c, fn))
			continue;
		assert_true(n < COUNT(names));
		names[n++] = arena_printf(&c->arena, "%s%s", edge->fork ? "*" : "",
					  ir_str(&c->ir, pta_fn(c->pta, edge->to)->name));
	}
	qsort(names, n, sizeof *names, compare);
	for (u32 i = 0; i < n; i++)
		all = arena_printf(&c->arena, "%s%s%s", all, i ? " " : "", names[i]);
	return all;
}

#endif
