/* lock_bind.c - a callee's summary in the words of its caller.
 *
 * A lock that the callee names by a path is named by way of the arguments, one
 * that has no such name is no longer held.  A lock within the object that the callee returns is
 * named by way of the result: it took that one, and gives it locked.  What comes of it depends on the call
 * and the summary alone, and is kept. */
#include "conc/lock_int.h"

#include <string.h>

/* Says of name what the conditions on x's say. */
static void
copy_conds(Rel *s, const RelName *x, const Name *name)
{
	RelCond conds[REL_CONDS];
	u32 n = s->ncond;

	memcpy(conds, s->cond, n * sizeof *conds);
	for (u32 i = 0; i < n; i++)
		if (conds[i].kind == x->name.kind && conds[i].ref == x->name.ref) {
			conds[i].kind = name->kind;
			conds[i].ref = name->ref;
			rel_add_cond(s, conds[i]);
		}
}

void
lock_give(Locks *l, InstId inst, Rel *s, Val v)
{
	PathId at = val_is_reg(v) ? locks_path(l, inst, v).path : 0;
	Rel before;

	if (!s->n || !at || !path_local(&l->paths, at))
		return;
	rel_copy(&before, s);
	for (u32 i = 0; i < before.n; i++) {
		const RelName *x = &before.name[i];
		RelName *new;
		Name name = x->name;
		if (name.kind != NAME_PATH || x->flags & REL_RELEASED)
			continue;
		name.ref = path_rebase(&l->paths, name.ref, at, path_result(&l->paths));
		if (!name.ref || path_local(&l->paths, name.ref))
			continue;
		name.pts = locks_slots(l, inst, name.ref);
		new = rel_add(l, s, &name);
		if (!new)
			continue;
		memcpy(new->eff, x->eff, sizeof new->eff);
		new->flags = x->flags;
		copy_conds(s, x, &name);
	}
}

/* Adds what x says of its lock to t under the caller's name for it. */
static void
bind_name(Locks *l, Rel *t, const RelName *x, const Name *name)
{
	RelName *to = rel_find(t, name->kind, name->ref);
	bool old = to != NULL;

	to = rel_add(l, t, name);
	if (!to) {
		if (!rel_keeps(x))
			rel_lose(l, t, name->pts);
		return;
	}
	for (u32 m = 0; m < 2; m++) /* two names of one lock: both are right */
		to->eff[m] = old ? eff_max(to->eff[m], x->eff[m]) : x->eff[m];
	to->flags |= x->flags;
}

static void
bind_conds(Rel *t, const Rel *sum, const RelName *x, const Name *names, u32 n)
{
	for (u32 c = 0; c < sum->ncond; c++) {
		RelCond cond = sum->cond[c];
		if (cond.kind != x->name.kind || cond.ref != x->name.ref)
			continue;
		for (u32 i = 0; i < n; i++) {
			cond.kind = names[i].kind;
			cond.ref = names[i].ref;
			if (rel_find(t, cond.kind, cond.ref))
				rel_add_cond(t, cond);
		}
	}
}

/* The callee's summary in the caller's words.  What has none is no longer
 * held, and whatever it may be counts as released if it was. */
static void
bind(Locks *l, Rel *t, const Edge *call, const Rel *sum)
{
	Name names[2];

	rel_same(t);
	t->lost = sum->lost;
	t->all = sum->all;
	t->dead = sum->dead;
	for (u32 i = 0; i < sum->n; i++) {
		const RelName *x = &sum->name[i];
		u32 n = locks_names_up(l, call, &x->name, names);
		for (u32 k = 0; k < n; k++)
			bind_name(l, t, x, &names[k]);
		bind_conds(t, sum, x, names, n);
		if (!n && !rel_keeps(x))
			rel_lose(l, t, x->name.pts);
	}
	for (u32 i = 0; i < sum->nfact; i++)
		rel_add_fact(t, sum->fact[i].reg, sum->fact[i].mask);
}

RelId
lock_bound(Locks *l, const Edge *call, RelId sum)
{
	u64 key = map_pair((u32)(call - l->pta->edges.at), sum);
	u32 known;
	Rel callee, t;

	if (sum == REL_SAME || sum == REL_DEAD || rel_everywhere(l, sum))
		return sum;
	known = map_get(&l->bound_memo, key);
	if (known)
		return known - 1;
	rel_get(l, sum, &callee);
	bind(l, &t, call, &callee);
	known = rel_intern(l, &t);
	map_put(l->arena, &l->bound_memo, key, known + 1);
	return known;
}
