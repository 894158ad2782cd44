/* lock_guard.c - what guards an access, and what two accesses have in common.
 *
 * A fact is one of
 *
 *   SLOT   one concrete lock is held;
 *   CELL   the cell is base + x and the lock is the base's: a suffix of
 *          offsets and loads from it.  Equal cells have equal bases, hence one
 *          lock; needs that the two cells' slots are one (Chord's "unlocked");
 *   OBJECT the cell lies in an object and the lock is at a suffix from that
 *          object's start: the base is at one known offset of whatever object
 *          it points to, so any cell of the object will do;
 *   PART   the same of an element of an array of structs: the base is an element, or
 *          lies at one offset in it, and the cell in the same element; cells that
 *          overlap are of one element, hence of one base;
 *   INDEX  d[i] under l[i]: equal cells have equal indices, hence one lock, if
 *          d and l are single objects or parts of one as above; or under l[f(i)],
 *          where f is the same (lock_chosen.c);
 *   ELEMENT the same of accesses that lie within d[i], at any offset: cells that
 *          overlap are of one element;
 *
 *   FLAG   a flag has one of some values, against those who know it to have one
 *          of certain others: see flag.h;
 *   EXTENT the access stays within some bytes of an object, against those who
 *          stay within certain others: see distinct.h;
 *   FRAME  the access is of a local variable of this thread's own calls, or of memory
 *          that it allocated, so of none that another thread's is: see frame.h;
 *          always exclusive;
 *   INIT   a class is initialised, or (exclusive) being so by this thread: see
 *          init.h.
 *
 * Facts of two accesses are compared by what they say, never by whether two
 * expressions are one object.  No fact crosses a load from base to cell. */
#include "conc/lock_int.h"

typedef enum FactKind {
	FACT_SLOT = 1,
	FACT_CELL,
	FACT_OBJECT,
	FACT_PART,
	FACT_INDEX,
	FACT_ELEMENT,
	FACT_INIT,
	FACT_FLAG,
	FACT_EXTENT,
	FACT_FRAME,
	FACT_REGION
} FactKind;

typedef struct Fact {
	u32 kind;
	u32 slot; /* SLOT: the lock; INIT: the class; FLAG: the flag, its values in cell, the others'
		   * in cell_base; INDEX: of single objects: the cells' array */
	PathId lock; /* the lock's suffix, from `base_mark` */
	u32 lock_slot;
	i64 cell; /* offset of the cell behind the base or index */
	i64 cell_base, cell_stride;
	i64 lock_base, lock_stride;
	u64 how; /* INDEX, ELEMENT: the lock's number is computed from the cell's in this way */
} Fact;

typedef struct Guarding {
	Locks *l;
	InstId inst;
	InsId ins;
	Val addr;
	PathId cell; /* the accessed address */
	u64 size;    /* bytes there; 0 unknown */
	const Held *held;
	Set facts;
} Guarding;

static bool
exclusive(const Held *h)
{
	return h->count[LOCK_WRITE] > 0;
}

static void
add_fact(Guarding *g, const Fact *fact)
{
	Locks *l = g->l;
	u32 id = intern_bytes(&l->facts, fact, sizeof *fact);

	if (id == l->fact_at.n)
		vec_push(l->arena, &l->fact_at,
			 (FactAt){g->inst, g->held->name.kind, g->held->name.ref});
	set_add(l->arena, &g->facts, id * 2 + exclusive(g->held));
}

/* No function has that many parameters: it stands for the base. */
static PathId
base_mark(Locks *l)
{
	return path_param(&l->paths, UINT32_MAX);
}

/* path with base replaced by the mark plus off; 0 if it is not base followed
 * by offsets and loads. */
static PathId
suffix(Locks *l, PathId path, PathId base, i64 off)
{
	const Path p = *path_get(&l->paths, path);

	if (path == base)
		return path_off(&l->paths, base_mark(l), off);
	if (p.kind == PATH_OFF)
		return path_off(&l->paths, suffix(l, p.base, base, off), p.num);
	if (p.kind == PATH_DEREF)
		return path_deref(&l->paths, suffix(l, p.base, base, off), (u32)p.num);
	return 0;
}

/* Is base at one offset of every object that it may point into? */
static bool
at_one_offset(Locks *l, InstId inst, PathId base, i64 *off)
{
	Set slots = {0};
	bool one = locks_slots_at(l, inst, base, &slots);

	if (one)
		*off = pta_slot(l->pta, set_first(&slots))->off;
	SET_FOR (it, &slots) {
		const Slot *s = pta_slot(l->pta, it.x);
		one = one && !s->stride && s->off == *off &&
		      pta_obj(l->pta, s->obj)->kind != OBJ_EXTERN;
	}
	set_recycle(l->arena, &slots);
	return one;
}

static void
cell_fact(Guarding *g)
{
	Fact f = {.kind = FACT_CELL};
	PathId base = path_base(&g->l->paths, g->cell, &f.cell);

	f.lock = suffix(g->l, g->held->name.ref, base, 0);
	if (f.lock)
		add_fact(g, &f);
}

static void
object_fact(Guarding *g)
{
	Locks *l = g->l;
	i64 off;

	for (PathId b = path_base(&l->paths, g->cell, &off); b;) {
		const Path *p = path_get(&l->paths, b);
		Fact f = {.kind = FACT_OBJECT};
		if (suffix(l, g->held->name.ref, b, 0) && at_one_offset(l, g->inst, b, &off)) {
			f.lock = suffix(l, g->held->name.ref, b, off);
			if (f.lock)
				add_fact(g, &f);
			return;
		}
		p = path_get(&l->paths, b);
		b = p->kind == PATH_INDEX ? path_base(&l->paths, p->base, &off) : 0;
	}
}

/* Do all slots of an element's base have one stride, and lie at one place in it? */
static bool
at_one_place(Locks *l, InstId inst, PathId base, i64 *stride, i64 *off)
{
	Set slots = {0};
	bool one = locks_slots_at(l, inst, base, &slots);

	if (one) {
		*stride = pta_slot(l->pta, set_first(&slots))->stride;
		*off = pta_slot(l->pta, set_first(&slots))->off;
	}
	SET_FOR (it, &slots) {
		const Slot *s = pta_slot(l->pta, it.x);
		one = one && s->stride > 1 && s->stride == *stride && s->off == *off && !s->in &&
		      *off < *stride && pta_obj(l->pta, s->obj)->kind != OBJ_EXTERN;
	}
	set_recycle(l->arena, &slots);
	return one;
}

/* Is the access in the element of so many bytes where its base lies, so many bytes behind that
 * and, if indexed, in an array within the element? */
static bool
within_element(const Guarding *g, i64 stride, i64 behind, bool indexed)
{
	if (!g->size || behind < 0 || behind + (i64)g->size > stride)
		return false;
	SET_FOR (it, pta_pts(g->l->pta, g->inst, g->addr)) {
		const Slot *s = pta_slot(g->l->pta, it.x);
		if (s->stride != stride || (indexed && (!s->in || s->end > stride)))
			return false;
	}
	return true;
}

static void
part_fact(Guarding *g)
{
	Locks *l = g->l;
	i64 off, sum = 0, at = 0, stride = 0;
	bool indexed = false;

	for (PathId b = path_base(&l->paths, g->cell, &off); b;) {
		const Path *p;
		Fact f = {.kind = FACT_PART};
		sum += off;
		if (suffix(l, g->held->name.ref, b, 0)) {
			if (!at_one_place(l, g->inst, b, &stride, &at) ||
			    !within_element(g, stride, at + sum, indexed))
				return;
			f.cell_stride = stride;
			f.lock = suffix(l, g->held->name.ref, b, at);
			if (f.lock)
				add_fact(g, &f);
			return;
		}
		p = path_get(&l->paths, b);
		indexed = true;
		b = p->kind == PATH_INDEX ? path_base(&l->paths, p->base, &off) : 0;
	}
}

/* The last index step on path, 0 if there is none. */
static PathId
index_step(const Locks *l, PathId path)
{
	while (path && path_get(&l->paths, path)->kind != PATH_INDEX)
		path = path_get(&l->paths, path)->base;
	return path;
}

static SlotId
single_at(Locks *l, InstId inst, PathId path)
{
	Set slots = {0};
	SlotId s = locks_slots_at(l, inst, path, &slots) ? locks_single(l, &slots) : 0;

	set_recycle(l->arena, &slots);
	return s;
}

static void
index_fact(Guarding *g)
{
	Locks *l = g->l;
	Fact f = {.kind = FACT_INDEX};
	PathId array = path_base(&l->paths, g->cell, &f.cell);
	PathId locks = index_step(l, g->held->name.ref), root;
	Path d, k;
	i64 off;

	if (!locks || path_get(&l->paths, array)->kind != PATH_INDEX)
		return;
	d = *path_get(&l->paths, array);
	k = *path_get(&l->paths, locks);
	f.cell_stride = d.num;
	f.lock_stride = k.num;
	f.lock = suffix(l, g->held->name.ref, locks, 0);
	if (!d.num || !f.lock)
		return;
	if (d.ref != k.ref && !(f.how = locks_chosen(l, g->inst, g->ins, d.ref, k.ref)))
		return;
	f.slot = single_at(l, g->inst, d.base);
	f.lock_slot = single_at(l, g->inst, k.base);
	if (!f.slot || !f.lock_slot) {
		f.slot = f.lock_slot = 0;
		root = path_base(&l->paths, d.base, &f.cell_base);
		if (path_base(&l->paths, k.base, &f.lock_base) != root ||
		    !at_one_offset(l, g->inst, root, &off))
			return;
		f.cell_base += off;
		f.lock_base += off;
	}
	if (f.cell >= 0 && g->size && d.num > 0 && g->size <= (u64)d.num &&
	    f.cell <= d.num - (i64)g->size) {
		f.kind = FACT_ELEMENT;
		f.cell = 0;
	}
	add_fact(g, &f);
}

/* The size of the elements if the object is an array, else 0. */
static i64
element_size(const Locks *l, ObjId o)
{
	const Ir *ir = l->pta->ir;
	const Type *t = &ir->types.at[pta_obj(l->pta, o)->type];

	if (t->kind != TYPE_ARRAY || !t->elem || ir->types.at[t->elem].size > INT32_MAX)
		return 0;
	return (i64)ir->types.at[t->elem].size;
}

/* The slot at the start of an array; 0 if nothing points there. */
static SlotId
array_start(Locks *l, ObjId o)
{
	if (!l->starts.n)
		for (SlotId s = 1; s < l->pta->slots.n; s++) {
			const Slot *slot = pta_slot(l->pta, s);
			if (!slot->stride && !slot->off && element_size(l, slot->obj))
				map_put(l->arena, &l->starts, slot->obj, s);
		}
	return map_get(&l->starts, o);
}

/* d[7] under l[7]: the same as d[i] under l[i]. */
static void
constant_fact(Guarding *g, Val addr)
{
	Locks *l = g->l;
	SlotId d = locks_single(l, pta_pts(l->pta, g->inst, addr));
	const Slot *cell = pta_slot(l->pta, d), *lock = pta_slot(l->pta, g->held->name.ref);
	Fact f = {.kind = FACT_ELEMENT};

	if (!d || !g->size || lock->stride)
		return;
	f.cell_stride = element_size(l, cell->obj);
	f.lock_stride = element_size(l, lock->obj);
	if (!f.cell_stride || !f.lock_stride || cell->off < 0 || lock->off < 0 ||
	    cell->off / f.cell_stride != lock->off / f.lock_stride ||
	    g->size > (u64)(f.cell_stride - cell->off % f.cell_stride))
		return;
	f.slot = array_start(l, cell->obj);
	f.lock_slot = array_start(l, lock->obj);
	f.lock = path_off(&l->paths, base_mark(l), lock->off % f.lock_stride);
	if (f.slot && f.lock_slot)
		add_fact(g, &f);
}

/* a[7].x under a[7].lock: the same as p->x under p->lock, where p is an element. */
static void
constant_part(Guarding *g, Val addr)
{
	Locks *l = g->l;
	SlotId d = locks_single(l, pta_pts(l->pta, g->inst, addr));
	const Slot *cell = pta_slot(l->pta, d), *lock = pta_slot(l->pta, g->held->name.ref);
	Fact f = {.kind = FACT_PART};
	i64 size;

	if (!d || !g->size || lock->stride || lock->obj != cell->obj || cell->off < 0)
		return;
	size = f.cell_stride = element_size(l, cell->obj);
	if (size < 2 || lock->off < 0 || cell->off / size != lock->off / size ||
	    g->size > (u64)(size - cell->off % size))
		return;
	f.lock = path_off(&l->paths, base_mark(l), lock->off % size);
	if (f.lock)
		add_fact(g, &f);
}

GuardId
locks_guard(Locks *l, InstId inst, InsId ins, Val addr, u64 size, LocksetId held)
{
	Held members[REL_NAMES];
	u32 n = locks_members(l, held, members);
	Guarding g = {.l = l, .inst = inst, .ins = ins, .addr = addr, .size = size};
	GuardId id;

	if (!n)
		return 0;
	g.cell = locks_path(l, inst, addr).path;
	for (u32 i = 0; i < n; i++) {
		g.held = &members[i];
		if (members[i].name.kind == NAME_SLOT) {
			add_fact(&g, &(Fact){.kind = FACT_SLOT, .slot = members[i].name.ref});
			constant_fact(&g, addr);
			constant_part(&g, addr);
		} else if (g.cell) {
			cell_fact(&g);
			object_fact(&g);
			part_fact(&g);
			index_fact(&g);
		}
	}
	id = setpool_intern(&l->guards, &g.facts);
	set_recycle(l->arena, &g.facts);
	return id;
}

GuardId
locks_guard_inits(Locks *l, InstId inst, GuardId guard, const Set *inits)
{
	Set facts = {0};
	GuardId id;

	set_copy(l->arena, &facts, setpool_get(&l->guards, guard));
	SET_FOR (it, inits) {
		Fact fact = {.kind = FACT_INIT, .slot = it.x / 2};
		u32 f = intern_bytes(&l->facts, &fact, sizeof fact);
		if (f == l->fact_at.n)
			vec_push(l->arena, &l->fact_at, (FactAt){inst, 0, it.x / 2});
		set_add(l->arena, &facts, f * 2 + it.x % 2);
	}
	id = setpool_intern(&l->guards, &facts);
	set_recycle(l->arena, &facts);
	return id;
}

/* The number of a fact that has an opposite, new or old. */
static u32
sided_fact(Locks *l, InstId inst, SlotId slot, const Fact *fact)
{
	u32 id = intern_bytes(&l->facts, fact, sizeof *fact);

	if (id == l->fact_at.n)
		vec_push(l->arena, &l->fact_at, (FactAt){inst, NAME_SLOT, slot});
	return id;
}

GuardId
locks_guard_flag(Locks *l, InstId inst, GuardId guard, SlotId flag, u32 own, u32 others)
{
	Fact fact = {.kind = FACT_FLAG, .slot = flag, .cell = own, .cell_base = others};
	Fact opposite = {.kind = FACT_FLAG, .slot = flag, .cell = others, .cell_base = own};
	u32 id = sided_fact(l, inst, flag, &fact);

	sided_fact(l, inst, flag, &opposite);
	return setpool_add(&l->guards, guard, id * 2);
}

GuardId
locks_guard_extent(Locks *l, InstId inst, GuardId guard, SlotId slot, u32 own, u32 other)
{
	ObjId o = pta_slot(l->pta, slot)->obj;
	Fact fact = {.kind = FACT_EXTENT, .slot = o, .cell = own, .cell_base = other};
	Fact opposite = {.kind = FACT_EXTENT, .slot = o, .cell = other, .cell_base = own};
	u32 id = sided_fact(l, inst, slot, &fact);

	sided_fact(l, inst, slot, &opposite);
	return setpool_add(&l->guards, guard, id * 2);
}

GuardId
locks_guard_frame(Locks *l, InstId inst, GuardId guard, SlotId slot)
{
	Fact fact = {.kind = FACT_FRAME};

	return setpool_add(&l->guards, guard, sided_fact(l, inst, slot, &fact) * 2 + 1);
}

GuardId
locks_guard_region(Locks *l, InstId inst, GuardId guard, SlotId slot)
{
	Fact fact = {.kind = FACT_REGION};

	return setpool_add(&l->guards, guard, sided_fact(l, inst, slot, &fact) * 2 + 1);
}

static const Fact *
fact_get(const Locks *l, u32 id)
{
	return (const Fact *)(const void *)intern_get(&l->facts, id);
}

const Set *
locks_facts(const Locks *l, GuardId g)
{
	return setpool_get(&l->guards, g);
}

bool
locks_fact_anywhere(const Locks *l, u32 fact)
{
	FactKind kind = fact_get(l, fact)->kind;

	return kind != FACT_CELL && kind != FACT_INDEX;
}

u32
locks_fact_opposite(const Locks *l, u32 fact)
{
	Fact f = *fact_get(l, fact);
	i64 own = f.cell;

	if (f.kind != FACT_FLAG && f.kind != FACT_EXTENT)
		return 0;
	f.cell = f.cell_base;
	f.cell_base = own;
	return intern_find(&l->facts, &f, sizeof f);
}

bool
locks_apart(const Locks *l, LocksetId x, LocksetId y)
{
	Held of_x[REL_NAMES], of_y[REL_NAMES];
	u32 n = x && y ? locks_members(l, x, of_x) : 0, m = n ? locks_members(l, y, of_y) : 0;

	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < m; k++)
			if (of_x[i].name.kind == NAME_SLOT && of_y[k].name.kind == NAME_SLOT &&
			    of_x[i].name.ref == of_y[k].name.ref &&
			    (exclusive(&of_x[i]) || exclusive(&of_y[k])))
				return true;
	return false;
}

bool
locks_exclude(const Locks *l, GuardId x, GuardId y, bool same_slot, u32 *why)
{
	const Set *other = setpool_get(&l->guards, y);

	SET_FOR (it, setpool_get(&l->guards, x)) {
		u32 fact = it.x / 2;
		bool common =
		    set_has(other, fact * 2 + 1) || (it.x % 2 && set_has(other, fact * 2));
		u32 opposite = locks_fact_opposite(l, fact);
		common |= opposite && set_has(other, opposite * 2);
		if (common && (same_slot || locks_fact_anywhere(l, fact))) {
			*why = fact;
			return true;
		}
	}
	return false;
}

const char *
locks_fact_name(const Locks *l, u32 fact, Arena *a)
{
	const FactAt *at = &l->fact_at.at[fact];

	if (at->kind == NAME_SLOT)
		return locks_slot_text(l, at->ref, a);
	if (!at->kind)
		return arena_printf(a, "the initialisation of %s",
				    ir_str(l->ir, l->ir->classes.at[at->ref].name));
	return locks_place_text(l, at->inst, at->ref, a);
}
