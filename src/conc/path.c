/* path.c - see path.h.  Paths only grow from shorter ones, so every walk over
 * a path ends after at most PATH_STEPS steps on each branch. */
#include "conc/path.h"

typedef struct Key {
	u32 kind, base, ref, zero;
	i64 num;
} Key;

void
paths_init(Paths *ps, Arena *a)
{
	*ps = (Paths){.arena = a};
	intern_init(&ps->keys, a);
	vec_push(a, &ps->at, (Path){0});
}

static PathId
make(Paths *ps, Path p)
{
	Key key = {p.kind, p.base, p.ref, 0, p.num};
	PathId id;

	if (p.steps > PATH_STEPS)
		return 0;
	id = intern_bytes(&ps->keys, &key, sizeof key);
	if (id == ps->at.n) {
		p.regs = path_get(ps, p.base)->regs; /* 0 has none */
		if (p.kind == PATH_VALUE)
			p.regs |= (u64)1 << p.ref % 64;
		if (p.kind == PATH_INDEX)
			p.regs |= path_get(ps, p.ref)->regs;
		vec_push(ps->arena, &ps->at, p);
	}
	return id;
}

PathId
path_param(Paths *ps, u32 k)
{
	return make(ps, (Path){.kind = PATH_PARAM, .ref = k});
}

PathId
path_global(Paths *ps, GlobalId g)
{
	return make(ps, (Path){.kind = PATH_GLOBAL, .ref = g});
}

PathId
path_value(Paths *ps, Val reg)
{
	while (ps->named.n <= reg / 64)
		vec_push(ps->arena, &ps->named, 0);
	ps->named.at[reg / 64] |= (u64)1 << reg % 64;
	return make(ps, (Path){.kind = PATH_VALUE, .ref = reg});
}

PathId
path_result(Paths *ps)
{
	return make(ps, (Path){.kind = PATH_RESULT});
}

PathId
path_num(Paths *ps, i64 num)
{
	return make(ps, (Path){.kind = PATH_NUM, .num = num});
}

static i64
plus(i64 a, i64 b)
{
	return (i64)((u64)a + (u64)b);
}

PathId
path_off(Paths *ps, PathId base, i64 num)
{
	Path b;

	if (!base)
		return 0;
	b = *path_get(ps, base);
	if (b.kind == PATH_NUM)
		return path_num(ps, plus(b.num, num));
	if (b.kind == PATH_OFF) {
		num = plus(b.num, num);
		base = b.base;
		b = *path_get(ps, base);
	}
	if (!num)
		return base;
	return make(ps,
		    (Path){.kind = PATH_OFF, .steps = (u8)(b.steps + 1), .base = base, .num = num});
}

PathId
path_index(Paths *ps, PathId base, PathId index, i64 stride)
{
	u8 steps;

	if (!base || !index)
		return 0;
	if (path_get(ps, index)->kind == PATH_NUM)
		return path_off(ps, base, (i64)((u64)path_get(ps, index)->num * (u64)stride));
	steps = (u8)(MAX(path_get(ps, base)->steps, path_get(ps, index)->steps) + 1);
	return make(
	    ps,
	    (Path){.kind = PATH_INDEX, .steps = steps, .base = base, .ref = index, .num = stride});
}

PathId
path_cast(Paths *ps, PathId base, CastKind kind, u16 width)
{
	if (!base)
		return 0;
	return make(ps, (Path){.kind = PATH_CAST,
			       .steps = (u8)(path_get(ps, base)->steps + 1),
			       .base = base,
			       .ref = (u32)kind << 16 | width});
}

PathId
path_deref(Paths *ps, PathId base, u32 bytes)
{
	if (!base)
		return 0;
	return make(ps, (Path){.kind = PATH_DEREF,
			       .steps = (u8)(path_get(ps, base)->steps + 1),
			       .base = base,
			       .num = bytes});
}

PathId
path_base(const Paths *ps, PathId p, i64 *off)
{
	const Path *path = path_get(ps, p);

	*off = path->kind == PATH_OFF ? path->num : 0;
	return path->kind == PATH_OFF ? path->base : p;
}

PathId
path_rebase(Paths *ps, PathId p, PathId from, PathId to)
{
	i64 off, start;
	PathId base = path_base(ps, p, &off);
	Path at = *path_get(ps, base);

	if (base == path_base(ps, from, &start))
		return path_off(ps, to, off - start);
	if (at.kind == PATH_INDEX)
		base = path_index(ps, path_rebase(ps, at.base, from, to), at.ref, at.num);
	else if (at.kind == PATH_DEREF)
		base = path_deref(ps, path_rebase(ps, at.base, from, to), (u32)at.num);
	else
		return 0;
	return path_off(ps, base, off);
}

bool
path_uses(const Paths *ps, PathId p, Val reg)
{
	if (!(path_get(ps, p)->regs >> reg % 64 & 1))
		return false;
	for (const Path *path; p; p = path->base) {
		path = path_get(ps, p);
		if (path->kind == PATH_VALUE && path->ref == reg)
			return true;
		if (path->kind == PATH_INDEX && path_uses(ps, path->ref, reg))
			return true;
	}
	return false;
}

bool
path_local(const Paths *ps, PathId p)
{
	return path_get(ps, p)->regs != 0;
}

bool
path_apart(const Paths *ps, PathId x, PathId y)
{
	i64 off_x, off_y;

	return x && y && path_base(ps, x, &off_x) == path_base(ps, y, &off_y) && off_x != off_y;
}
