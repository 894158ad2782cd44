/* lock_case.h - a program in text, solved up to its guarded accesses.
 *
 * Accesses carry site numbers (#n); guarded() asks whether locks keep all
 * accesses at two sites apart wherever they meet. */
#ifndef LOCK_CASE_H
#define LOCK_CASE_H

#include "unit.h"

#include "base/diag.h"
#include "conc/conc.h"

#include <stdio.h>
#include <string.h>

typedef struct Case {
	Arena arena;
	Diag diag;
	Ir ir;
	Pta *pta;
	Conc *conc;
} Case;

static inline void
solve_with(Case *c, const char *text, PtaOptions opt)
{
	ConcOptions conc = {.jobs = 1};
	const char *wrong;

	memset(c, 0, sizeof *c);
	arena_init(&c->arena, NULL);
	diag_init(&c->diag, &c->arena, stderr);
	ir_init(&c->ir, &c->arena);
	assert_true(ir_parse(&c->ir, "case.ir", text, strlen(text), &c->diag));
	wrong = ir_check(&c->ir);
	if (wrong)
		fail_msg("%s", wrong);
	c->pta = pta_solve(&c->arena, &c->ir, ir_find_fn(&c->ir, "main"), &opt);
	c->conc = conc_solve(&c->arena, c->pta, &conc);
	assert_true(c->conc->complete);
}

static inline void
solve(Case *c, const char *text)
{
	solve_with(c, text, (PtaOptions){0});
}

static inline void
done(Case *c)
{
	diag_release(&c->diag);
	arena_release(&c->arena);
}

/* One slot for both, with a stride that keeps its cells apart? */
static inline bool
same_slot(const Case *c, SlotId x, SlotId y, u64 size)
{
	u32 stride = pta_slot(c->pta, x)->stride;

	return x == y && (!stride || stride >= size);
}

static inline bool
pair_guarded(const Case *c, const Access *x, const Access *y, u32 *met)
{
	u32 why;

	SET_FOR (i, pta_pts(c->pta, x->inst, x->addr))
		SET_FOR (j, pta_pts(c->pta, y->inst, y->addr)) {
			if (!pta_overlap(c->pta, i.x, x->size, j.x, y->size))
				continue;
			(*met)++;
			if (!locks_exclude(c->conc->locks, x->guards, y->guards,
					   same_slot(c, i.x, j.x, MAX(x->size, y->size)), &why))
				return false;
		}
	return true;
}

static inline u32
site_of(const Case *c, const Access *x)
{
	return ir_ins(&c->ir, x->ins)->site;
}

/* Do locks keep sites p and q apart?  They must meet somewhere. */
static inline bool
guarded(const Case *c, u32 p, u32 q)
{
	u32 met = 0;
	bool all = true;

	for (u32 i = 0; i < c->conc->accesses.n; i++)
		for (u32 j = 0; j < c->conc->accesses.n; j++) {
			const Access *x = &c->conc->accesses.at[i], *y = &c->conc->accesses.at[j];
			if (site_of(c, x) == p && site_of(c, y) == q)
				all &= pair_guarded(c, x, y, &met);
		}
	if (!met)
		fail_msg("#%u and #%u never meet", p, q);
	return all;
}

/* The names of the locks held at a site, sorted, with blanks between. */
static inline const char *
held_at(Case *c, u32 site)
{
	const char *text = "";

	for (u32 i = 0; i < c->conc->accesses.n; i++) {
		const Access *x = &c->conc->accesses.at[i];
		const HeldLock *locks;
		u32 n;
		if (site_of(c, x) != site)
			continue;
		n = locks_list(c->conc->locks, x->inst, x->held, &locks);
		for (u32 k = 0; k < n; k++)
			text = arena_printf(&c->arena, "%s%s%s%s", text, *text ? " " : "",
					    locks[k].name,
					    locks[k].mode == LOCK_READ ? " (read)" : "");
		return text;
	}
	return "no access";
}

#endif
