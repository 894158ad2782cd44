/* lock_rel.c - the algebra of relative lock states: sequence and join.
 *
 * An instruction, a call and a whole function are all states; a block is their
 * sequence (RELAY's lockUpdate, on effects instead of two sets).  The join of
 * two states promises what both do, and releases what either may have.  Where
 * a name fared better on one side, and the other side knows the sign of some
 * register, the difference is kept as a condition on that register.
 *
 * Names, conditions and facts are bounded; what does not fit is dropped in the
 * weaker direction.  Effects are bounded numbers, so a chain of joins ends. */
#include "conc/lock_int.h"

#include <string.h>

static const Eff nothing = {0, 0}, gone = {EFF_ALL, 0};

Eff
eff_then(Eff first, Eff second)
{
	int add = first.add + second.add;
	int floor = second.add == EFF_ALL ? 0 : first.floor + second.add;

	if (first.add == EFF_ALL || second.add == EFF_ALL || add < EFF_ALL)
		add = EFF_ALL;
	floor = MAX(floor, second.floor);
	return (Eff){(int8_t)MIN(add, EFF_MAX), (int8_t)MIN(floor, EFF_MAX)};
}

/* ---- parts of a state --------------------------------------------------- */

/* The place of (kind, ref): found or where it would be. */
static u32
place(const Rel *r, u32 kind, u32 ref)
{
	Name key = {.kind = kind, .ref = ref};
	u32 lo = 0, hi = r->n;

	if (r->n && name_cmp(&r->name[r->n - 1].name, &key) < 0)
		return r->n;
	while (lo < hi) {
		u32 mid = (lo + hi) / 2;
		if (name_cmp(&r->name[mid].name, &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

RelName *
rel_find(Rel *r, u32 kind, u32 ref)
{
	u32 i = place(r, kind, ref);

	if (i < r->n && r->name[i].name.kind == kind && r->name[i].name.ref == ref)
		return &r->name[i];
	return NULL;
}

static const RelName *
look(const Rel *r, const Name *name)
{
	return rel_find((Rel *)r, name->kind, name->ref);
}

void
rel_lose(Locks *l, Rel *r, SetId pts)
{
	if (pts)
		r->lost = setpool_union(&l->sets, r->lost, pts);
	else
		r->all = 1;
}

bool
rel_keeps(const RelName *x)
{
	return eff_within(nothing, x->eff[0]) && eff_within(nothing, x->eff[1]);
}

/* Was a lock released of which other names may speak? */
static bool
gives_up(const RelName *x)
{
	return x->flags & REL_RELEASED && !rel_keeps(x);
}

Eff
rel_rest(Locks *l, const Rel *r, const Name *name)
{
	if (r->all)
		return gone;
	for (u32 i = 0; i < r->n; i++) {
		const RelName *x = &r->name[i];
		if (gives_up(x) && name_cmp(&x->name, name) != 0 && locks_alias(l, &x->name, name))
			return gone;
	}
	if (r->lost && locks_sets_alias(l, r->lost, name->pts))
		return gone;
	return nothing;
}

Eff
rel_eff(Locks *l, const Rel *r, const Name *name, LockMode mode)
{
	const RelName *x = look(r, name);

	return x ? x->eff[mode] : rel_rest(l, r, name);
}

/* The effects of r on name in both modes; x is its entry, or null. */
static void
effs(Locks *l, const Rel *r, const RelName *x, const Name *name, Eff out[2])
{
	out[0] = x ? x->eff[0] : rel_rest(l, r, name);
	out[1] = x ? x->eff[1] : out[0];
}

static bool
has_cond(const Rel *r, const Name *name)
{
	for (u32 i = 0; i < r->ncond; i++)
		if (r->cond[i].kind == name->kind && r->cond[i].ref == name->ref)
			return true;
	return false;
}

void
rel_remove(Locks *l, Rel *r, u32 i)
{
	RelName x = r->name[i];
	Eff rest;
	u32 n = 0;

	memmove(&r->name[i], &r->name[i + 1], (r->n - i - 1) * sizeof *r->name);
	r->n--;
	for (u32 k = 0; k < r->ncond; k++)
		if (r->cond[k].kind != x.name.kind || r->cond[k].ref != x.name.ref)
			r->cond[n++] = r->cond[k];
	r->ncond = n;
	rest = rel_rest(l, r, &x.name);
	if (gives_up(&x) || !eff_within(rest, x.eff[0]) || !eff_within(rest, x.eff[1]))
		rel_lose(l, r, x.name.pts);
}

static bool
is_promise(const RelName *x)
{
	return x->eff[0].floor > 0 || x->eff[1].floor > 0;
}

/* A full state lets go of a lock that it does not promise, as of one that was
 * released, for x that it does. */
static void
make_room(Locks *l, Rel *r, const RelName *x)
{
	for (u32 i = 0; i < r->n && is_promise(x); i++)
		if (!is_promise(&r->name[i]) && !has_cond(r, &r->name[i].name)) {
			rel_remove(l, r, i);
			return;
		}
}

/* Adds x, which r does not have, or what is left of it if r is full. */
static void
put(Locks *l, Rel *r, const RelName *x)
{
	u32 i;

	if (r->n == REL_NAMES)
		make_room(l, r, x);
	i = place(r, x->name.kind, x->name.ref);
	if (r->n == REL_NAMES) {
		if (!rel_keeps(x))
			rel_lose(l, r, x->name.pts);
		return;
	}
	if (i < r->n)
		memmove(&r->name[i + 1], &r->name[i], (r->n - i) * sizeof *r->name);
	r->name[i] = *x;
	r->n++;
}

RelName *
rel_add(Locks *l, Rel *r, const Name *name)
{
	RelName *old = rel_find(r, name->kind, name->ref);
	RelName fresh = {.name = *name};

	if (old)
		return old;
	if (r->n == REL_NAMES)
		return NULL;
	fresh.eff[LOCK_WRITE] = fresh.eff[LOCK_READ] = rel_rest(l, r, name);
	put(l, r, &fresh);
	return rel_find(r, name->kind, name->ref);
}

static int
cond_cmp(const RelCond *x, const RelCond *y)
{
	u64 a = map_pair(x->reg, x->mode << 8 | x->mask);
	u64 b = map_pair(y->reg, y->mode << 8 | y->mask);

	if (x->ref != y->ref || x->kind != y->kind) {
		a = map_pair(x->kind, x->ref);
		b = map_pair(y->kind, y->ref);
	}
	return a < b ? -1 : a > b;
}

void
rel_add_cond(Rel *r, RelCond c)
{
	u32 i = 0;

	while (i < r->ncond && cond_cmp(&r->cond[i], &c) < 0)
		i++;
	if (i < r->ncond && cond_cmp(&r->cond[i], &c) == 0) {
		r->cond[i].eff = eff_max(r->cond[i].eff, c.eff);
		return;
	}
	if (r->ncond == REL_CONDS)
		return;
	memmove(&r->cond[i + 1], &r->cond[i], (r->ncond - i) * sizeof *r->cond);
	r->cond[i] = c;
	r->ncond++;
}

u32
rel_known(const Rel *r, Val reg)
{
	for (u32 i = 0; i < r->nfact; i++)
		if (r->fact[i].reg == reg)
			return r->fact[i].mask;
	return SIGN_ANY;
}

static void
drop_fact(Rel *r, Val reg)
{
	u32 n = 0;

	for (u32 i = 0; i < r->nfact; i++)
		if (r->fact[i].reg != reg)
			r->fact[n++] = r->fact[i];
	r->nfact = n;
}

void
rel_add_fact(Rel *r, Val reg, u32 mask)
{
	u32 i = 0;

	drop_fact(r, reg);
	if (mask == SIGN_ANY)
		return;
	if (r->nfact == REL_FACTS) /* the lowest register is the oldest, but for the result */
		drop_fact(r, r->fact[r->fact[0].reg ? 0 : 1].reg);
	while (i < r->nfact && r->fact[i].reg < reg)
		i++;
	memmove(&r->fact[i + 1], &r->fact[i], (r->nfact - i) * sizeof *r->fact);
	r->fact[i] = (RelFact){reg, mask};
	r->nfact++;
}

void
rel_tidy(Locks *l, Rel *r)
{
	u32 n = 0;

	for (u32 i = 0; i < r->ncond; i++) {
		const RelName *x = rel_find(r, r->cond[i].kind, r->cond[i].ref);
		if (x && !eff_within(r->cond[i].eff, x->eff[r->cond[i].mode]))
			r->cond[n++] = r->cond[i];
	}
	r->ncond = n;
	for (u32 i = r->n; i-- > 0;) {
		RelName *x = &r->name[i];
		Eff rest;
		if (rel_keeps(x))
			x->flags &= ~(u32)REL_RELEASED;
		if (x->flags || has_cond(r, &x->name))
			continue;
		rest = rel_rest(l, r, &x->name);
		if (eff_eq(x->eff[0], rest) && eff_eq(x->eff[1], rest))
			rel_remove(l, r, i);
	}
}

/* ---- sequence ----------------------------------------------------------- */

/* A name of x, y or both, which promise the same of it. */
static Name
same_name(const RelName *x, const RelName *y)
{
	Name name = x ? x->name : y->name;

	if (x && y) {
		name.pts = x->name.pts && (!y->name.pts || x->name.pts < y->name.pts) ? x->name.pts
										      : y->name.pts;
		name.cells = MIN(x->name.cells, y->name.cells);
	}
	return name;
}

/* Steps through the names of x and y in order; sets those that have the next one. */
static bool
next_name(const Rel *x, const Rel *y, u32 *i, u32 *j, const RelName **in_x, const RelName **in_y)
{
	int order;

	*in_x = *i < x->n ? &x->name[*i] : NULL;
	*in_y = *j < y->n ? &y->name[*j] : NULL;
	if (!*in_x && !*in_y)
		return false;
	order = !*in_x ? 1 : !*in_y ? -1 : name_cmp(&(*in_x)->name, &(*in_y)->name);
	if (order > 0)
		*in_x = NULL;
	if (order < 0)
		*in_y = NULL;
	*i += *in_x != NULL;
	*j += *in_y != NULL;
	return true;
}

static u32
flags_then(const RelName *first, const RelName *second)
{
	u32 a = first ? first->flags : 0, b = second ? second->flags : 0;

	for (u32 m = 0; second && m < 2; m++) /* settled again by the second */
		if (second->eff[m].floor > 0 || second->eff[m].add == EFF_ALL)
			a &= ~(u32)REL_PARTIAL;
	return a | b;
}

static void
conds_then(Locks *l, Rel *out, const Rel *first, const Rel *second, Val dst)
{
	for (u32 i = 0; i < first->ncond; i++) {
		RelCond c = first->cond[i];
		const RelName *x = rel_find((Rel *)first, c.kind, c.ref);
		c.eff = eff_then(c.eff, rel_eff(l, second, &x->name, c.mode));
		rel_add_cond(out, c);
	}
	for (u32 i = 0; dst && i < second->ncond; i++) {
		RelCond c = second->cond[i];
		const RelName *x = rel_find((Rel *)second, c.kind, c.ref);
		assert(c.reg == 0);
		c.eff = eff_then(rel_eff(l, first, &x->name, c.mode), c.eff);
		c.reg = dst;
		rel_add_cond(out, c);
	}
}

void
rel_then(Locks *l, Rel *out, const Rel *first, const Rel *second, Val dst)
{
	const RelName *x, *y;
	u32 i = 0, j = 0;

	rel_same(out);
	out->dead = first->dead || second->dead;
	if (out->dead)
		return;
	out->lost = setpool_union(&l->sets, first->lost, second->lost);
	out->all = first->all || second->all;
	while (next_name(first, second, &i, &j, &x, &y)) {
		RelName both = {.name = same_name(x, y), .flags = flags_then(x, y)};
		Eff a[2], b[2];
		effs(l, first, x, &both.name, a);
		effs(l, second, y, &both.name, b);
		for (u32 m = 0; m < 2; m++)
			both.eff[m] = eff_then(a[m], b[m]);
		put(l, out, &both);
	}
	conds_then(l, out, first, second, dst);
	memcpy(out->fact, first->fact, first->nfact * sizeof *first->fact);
	out->nfact = first->nfact;
	if (dst)
		rel_add_fact(out, dst, rel_known(second, 0));
	rel_tidy(l, out);
}

/* ---- join --------------------------------------------------------------- */

/* What r promises of the name of c, if c's register has a sign in its mask. */
static Eff
eff_under(Locks *l, const Rel *r, const Name *name, const RelCond *c)
{
	u32 mask = c->mask & rel_known(r, c->reg);
	Eff best = rel_eff(l, r, name, c->mode);

	if (!mask) /* never so on this side */
		return (Eff){EFF_MAX, EFF_MAX};
	for (u32 i = 0; i < r->ncond; i++) {
		const RelCond *d = &r->cond[i];
		if (d->kind == c->kind && d->ref == c->ref && d->mode == c->mode &&
		    d->reg == c->reg && !(mask & ~d->mask))
			best = eff_max(best, d->eff);
	}
	return best;
}

/* Keeps the conditions of x that hold on side y as well. */
static void
keep_conds(Locks *l, Rel *out, const Rel *x, const Rel *y)
{
	for (u32 i = 0; i < x->ncond; i++) {
		RelCond c = x->cond[i];
		const RelName *in_x = rel_find((Rel *)x, c.kind, c.ref);
		const RelName *now = rel_find(out, c.kind, c.ref);
		c.eff = eff_min(c.eff, eff_under(l, y, &in_x->name, &c));
		if (now && !eff_within(c.eff, now->eff[c.mode]))
			rel_add_cond(out, c);
	}
}

/* For a name of the join, in which x fared better: what excludes y stands for x. */
static void
excluded_by(Rel *out, const Rel *x, const Rel *y, const Name *name, u32 mode, Eff eff)
{
	for (u32 k = 0; k < y->nfact; k++) {
		const RelFact *f = &y->fact[k];
		u32 mask = SIGN_ANY & ~f->mask;
		if (mask & rel_known(x, f->reg))
			rel_add_cond(
			    out, (RelCond){name->kind, name->ref, f->reg, (u8)mode, (u8)mask, eff});
	}
}

/* better: bits of out's names in which x may have fared better. */
static void
new_conds(Locks *l, Rel *out, const Rel *x, const Rel *y, u64 better)
{
	for (; better && y->nfact; better &= better - 1) {
		u32 i = (u32)__builtin_ctzll(better);
		const RelName *now = &out->name[i];
		Eff eff[2];
		if (i >= out->n)
			break;
		effs(l, x, look(x, &now->name), &now->name, eff);
		for (u32 m = 0; m < 2; m++)
			if (!eff_within(eff[m], now->eff[m]))
				excluded_by(out, x, y, &now->name, m, eff[m]);
	}
}

static bool
differ(Eff x, Eff y)
{
	return (x.floor > 0) != (y.floor > 0) || (!x.floor && x.add != y.add);
}

/* Do x and y say the same of every lock? */
static bool
same_names(const Rel *x, const Rel *y)
{
	return x->n == y->n && x->lost == y->lost && x->all == y->all &&
	       memcmp(x->name, y->name, x->n * sizeof *x->name) == 0;
}

static_assert(REL_NAMES <= 64, "a bit for each");

/* Sets the bits of the names in which x, and y, fared better than the join does. */
static void
join_names(Locks *l, Rel *out, const Rel *x, const Rel *y, u64 better[2])
{
	const RelName *in_x, *in_y;
	u32 i = 0, j = 0, last = REL_LAST;

	out->lost = setpool_union(&l->sets, x->lost, y->lost);
	out->all = x->all || y->all;
	while (next_name(x, y, &i, &j, &in_x, &in_y)) {
		RelName both = {.name = same_name(in_x, in_y)};
		Eff a[2], b[2];
		both.flags = (in_x ? in_x->flags : 0) | (in_y ? in_y->flags : 0);
		if (both.flags & REL_LAST &&
		    !(in_x && in_y && in_x->flags & in_y->flags & REL_LAST))
			last = 0;
		effs(l, x, in_x, &both.name, a);
		effs(l, y, in_y, &both.name, b);
		for (u32 m = 0; m < 2; m++) {
			both.eff[m] = eff_min(a[m], b[m]);
			if (differ(a[m], b[m]))
				both.flags |= REL_PARTIAL;
			better[0] |= (u64)!eff_eq(a[m], both.eff[m]) << out->n % REL_NAMES;
			better[1] |= (u64)!eff_eq(b[m], both.eff[m]) << out->n % REL_NAMES;
		}
		put(l, out, &both);
	}
	if (out->n == REL_NAMES) /* some may have given way to others */
		better[0] = better[1] = UINT64_MAX;
	for (u32 k = 0; !last && k < out->n; k++)
		out->name[k].flags &= ~(u32)REL_LAST;
}

void
rel_join(Locks *l, Rel *out, const Rel *x, const Rel *y)
{
	u64 better[2] = {0};
	bool same;

	if (x->dead || y->dead) {
		rel_copy(out, x->dead ? y : x);
		return;
	}
	same = same_names(x, y);
	if (same) { /* as nearly always: neither fared better */
		rel_copy(out, x);
		out->ncond = out->nfact = 0;
	} else {
		rel_same(out);
		join_names(l, out, x, y, better);
	}
	keep_conds(l, out, x, y);
	keep_conds(l, out, y, x);
	if (!same) {
		new_conds(l, out, x, y, better[0]);
		new_conds(l, out, y, x, better[1]);
	}
	for (u32 k = 0; k < x->nfact; k++)
		rel_add_fact(out, x->fact[k].reg, x->fact[k].mask | rel_known(y, x->fact[k].reg));
	rel_tidy(l, out);
}

/* ---- registers ---------------------------------------------------------- */

void
rel_kill(Locks *l, Rel *r, Val reg)
{
	u32 n = 0, named = path_names(&l->paths, reg) ? r->n : 0;

	for (u32 i = named; i-- > 0 && r->name[i].name.kind == NAME_PATH;) /* behind slots */
		if (path_uses(&l->paths, r->name[i].name.ref, reg))
			rel_remove(l, r, i);
	for (u32 i = 0; i < r->ncond; i++)
		if (r->cond[i].reg != reg)
			r->cond[n++] = r->cond[i];
	r->ncond = n;
	drop_fact(r, reg);
}

void
rel_learn(Rel *r, Val reg, u32 mask)
{
	u32 n = 0;

	mask &= rel_known(r, reg);
	r->dead |= mask == 0;
	for (u32 i = 0; i < r->ncond; i++) {
		RelCond c = r->cond[i];
		RelName *x;
		if (c.reg != reg || (mask & c.mask && mask & ~(u32)c.mask)) {
			r->cond[n++] = c;
			continue;
		}
		x = rel_find(r, c.kind, c.ref);
		x->flags &= ~(u32)REL_PARTIAL;
		if (mask & c.mask)
			x->eff[c.mode] = eff_max(x->eff[c.mode], c.eff);
	}
	r->ncond = n;
	if (mask)
		rel_add_fact(r, reg, mask);
}

void
rel_leave(Locks *l, Rel *r)
{
	u32 n = 0;

	for (u32 i = r->n; i-- > 0;) {
		r->name[i].flags &= ~(u32)REL_LAST;
		if (r->name[i].name.kind == NAME_PATH && path_local(&l->paths, r->name[i].name.ref))
			rel_remove(l, r, i);
	}
	for (u32 i = 0; i < r->ncond; i++)
		if (!r->cond[i].reg)
			r->cond[n++] = r->cond[i];
	r->ncond = n;
	while (r->nfact && r->fact[r->nfact - 1].reg)
		r->nfact--;
	rel_tidy(l, r);
}

/* ---- acquisitions ------------------------------------------------------- */

static bool
is_one_of(const Name *name, const Name *names, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (name_cmp(name, &names[i]) == 0)
			return true;
	return false;
}

void
rel_mark_last(Locks *l, Rel *s, const Name *names, u32 n)
{
	bool other = false;

	for (u32 i = 0; n && i < s->n && !other; i++)
		other = s->name[i].eff[LOCK_WRITE].floor > 0 &&
			!is_one_of(&s->name[i].name, names, n) &&
			locks_alias(l, &s->name[i].name, &names[0]);
	for (u32 i = 0; other && i < s->n; i++)
		if (is_one_of(&s->name[i].name, names, n))
			s->name[i].flags |= REL_LAST;
		else
			s->name[i].flags &= ~(u32)REL_LAST;
}

void
rel_keep_apart(Rel *s, const Rel *before, u32 last, const Name *names, u32 n)
{
	for (u32 i = 0; i < before->n; i++) {
		const RelName *x = &before->name[i];
		RelName *now = (x->flags & REL_LAST) != last && x->eff[LOCK_WRITE].floor > 0 &&
				       !is_one_of(&x->name, names, n)
				   ? rel_find(s, x->name.kind, x->name.ref)
				   : NULL;
		if (now)
			*now = *x;
	}
}
