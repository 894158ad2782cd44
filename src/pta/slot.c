/* slot.c - abstract objects and the places in them.
 *
 * A slot is interned by (object, offset, stride), so that a set of places is a
 * set of small integers.  With stride 0 it is exactly the byte `off`, which
 * may lie outside the object (one past its end, or before its start in the
 * middle of a container_of); otherwise it is every off + k * stride in the
 * object, with 0 <= off < stride, or in an array of the object (extent.c).
 *
 * Slots are widened, never dropped: an offset further than SLACK from the
 * object becomes stride 1, and so does what comes after OUTSIDE others out of
 * bounds.  What STEPS constant offsets in a row lead to is taken for a walk,
 * which goes through memory or calls (strides.c does not see it), and gets the
 * last offset as its stride.  An object without a type that would get more than max_slots
 * slots folds: every slot of it, old and new, then reads as stride 1.  One of a struct type
 * keeps its members (room.c), and so does a Java object, which has no more
 * places than the program has fields.  Constants without pointers
 * in them (most are strings) are one object, which never has but that slot,
 * and no memory that matters: nothing is stored there. */
#include "pta/pta_int.h"

#include <string.h>

enum { SLACK = 4096, OUTSIDE = 8, STEPS = 8, ROW = 64 };
/* Beyond this a stride or offset says no more than "somewhere". */
#define FAR ((i64)1 << 40)

/* ---- objects ---------------------------------------------------------------- */

static bool
is_class_type(const Ir *ir, TypeId t)
{
	return t && ir->types.at[t].kind == TYPE_CLASS;
}

/* Is g constant, without an address in it? */
static bool
is_plain_data(const Ir *ir, const Global *g)
{
	for (u32 k = 0; k < g->ninit; k++) {
		u8 kind = ir_const(ir, ir->inits.at[g->init + k].val)->kind;
		if (kind == CONST_GLOBAL || kind == CONST_FN || kind == CONST_CLASS)
			return false;
	}
	return g->constant;
}

void
obj_find_locked(Solver *s)
{
	const Ir *ir = s->ir;

	s->locked = arena_array(s->a, bool, ir->globals.n);
	for (InsId i = 1; i < ir->ins.n; i++) {
		const Ins *ins = ir_ins(ir, i);
		Val v = ins->op == OP_ACQUIRE && ins->narg ? ins_arg(ir, ins, 0) : 0;
		if (v && val_is_const(v) && ir_const(ir, v)->kind == CONST_GLOBAL)
			s->locked[ir_const(ir, v)->ref] = true;
	}
}

ObjId
obj_new(Solver *s, Obj o)
{
	ObjId id = s->p->objs.n;
	ObjInfo info = {0};

	info.flat = o.kind == OBJ_EXTERN;
	if (o.kind == OBJ_GLOBAL)
		info.flat = is_plain_data(s->ir, &s->ir->globals.at[o.ref]) && !s->locked[o.ref];
	info.java = o.kind == OBJ_CLASS || is_class_type(s->ir, o.type);
	element_init(s, &info, &o);
	o.empty = info.elements == ELEMENTS_EMPTY;
	vec_push(s->a, &s->p->objs, o);
	vec_push(s->a, &s->info, info);
	obj_info(s, id)->base = slot_get(s, id, 0, info.flat);
	return id;
}

/* The object that all constants without pointers in them share, g among them. */
static ObjId
obj_constants(Solver *s, GlobalId g)
{
	if (!s->constants)
		s->constants = obj_new(s, (Obj){.kind = OBJ_GLOBAL, .ref = g});
	return s->constants;
}

ObjId
obj_global(Solver *s, GlobalId g)
{
	const Global *global = &s->ir->globals.at[g];

	for (u32 n = 0; global->linkage == LINK_ALIAS && global->alias && n < s->ir->globals.n;
	     n++) {
		g = global->alias;
		global = &s->ir->globals.at[g];
	}
	if (!s->global_obj[g] && !s->locked[g] && is_plain_data(s->ir, global))
		s->global_obj[g] = obj_constants(s, g);
	if (!s->global_obj[g]) {
		Obj o = {.kind = OBJ_GLOBAL, .tls = global->tls, .ref = g, .type = global->type};
		o.size = global->size;
		s->global_obj[g] = obj_new(s, o);
		vec_push(s->a, &s->new_globals, g);
	}
	return s->global_obj[g];
}

ObjId
obj_fn(Solver *s, FnId f)
{
	f = call_resolve(s->ir, f);
	if (!s->fn_obj[f])
		s->fn_obj[f] = obj_new(s, (Obj){.kind = OBJ_FN, .ref = f});
	return s->fn_obj[f];
}

ObjId
obj_class(Solver *s, ClassId c)
{
	if (!s->class_obj[c])
		s->class_obj[c] = obj_new(s, (Obj){.kind = OBJ_CLASS, .ref = c});
	return s->class_obj[c];
}

ObjId
obj_value(Solver *s, ClassId c, TypeId type)
{
	if (!s->value_obj[c])
		s->value_obj[c] = obj_new(s, (Obj){.kind = OBJ_VALUE, .ref = c, .type = type});
	return s->value_obj[c];
}

ObjId
obj_like(Solver *s, Con c, ObjId o)
{
	Obj new = *pta_obj(s->p, o);
	u32 *known;

	if (new.kind == OBJ_VALUE)
		return o;
	if (!class_of_alloc(s, new.type) && c.type)
		new.type = c.type; /* whatever it is, it got to a method of that class */
	known = map_at(s->a, &s->like, map_pair(c.to, new.type));
	if (!*known)
		*known = obj_new(s, (Obj){.kind = OBJ_HEAP,
					  .ins = c.arg,
					  .inst = c.len,
					  .type = new.type,
					  .size = obj_info(s, o)->elements ? 0 : new.size});
	return *known;
}

/* ---- slots -------------------------------------------------------------------- */

static u64
hash_slot(Slot x)
{
	u64 h = hash_u64(hash_u64(map_pair(x.obj, x.stride)) ^ (u64)x.off);

	return x.end ? hash_u64(hash_u64(h ^ map_pair(x.lo, x.end)) ^ x.in) : h;
}

static bool
is_outside(const Solver *s, Slot x)
{
	const Obj *o = pta_obj(s->p, x.obj);

	return !x.stride && !obj_info(s, x.obj)->java &&
	       (x.off < 0 || (o->size && x.off >= (i64)o->size));
}

/* A new slot.  In Java programs those of whole objects are numbered by themselves:
 * sets have few others, and words of sets are then full. */
static SlotId
new_slot(Solver *s, bool whole)
{
	bool rows = s->java;
	SlotId *next = &s->room[whole], id = s->p->slots.n;
	u32 n;

	if (rows && *next % ROW)
		return (*next)++;
	if (rows)
		id = (id + ROW - 1) / ROW * ROW;
	n = id + (rows ? ROW : 1) - s->p->slots.n;
	(void)vec_extend(s->a, &s->slot_next, n);
	(void)vec_extend(s->a, &s->steps, n);
	(void)vec_extend(s->a, &s->p->slots, n);
	*next = id + 1;
	return id;
}

static SlotId
intern(Solver *s, Slot x)
{
	u64 key = hash_slot(x);
	ObjInfo *info = obj_info(s, x.obj);
	SlotId id;

	for (; (id = map_get(&s->slot_index, key)); key++) {
		const Slot *old = &s->p->slots.at[id];
		if (old->obj == x.obj && old->off == x.off && old->stride == x.stride &&
		    old->in == x.in && old->lo == x.lo && old->end == x.end)
			return id;
	}
	if (info->noutside >= OUTSIDE && is_outside(s, x))
		return slot_get(s, x.obj, 0, 1);
	switch (room_for(s, &x)) {
	case ROOM_THERE: break;
	case ROOM_OWN: cell_unite(s, x.obj); break;
	case ROOM_ANYWHERE: cell_unite(s, x.obj); return obj_info(s, x.obj)->any;
	case ROOM_NONE: cell_fold(s, x.obj); return obj_info(s, x.obj)->any;
	}
	id = new_slot(s, !x.off && !x.stride);
	s->p->slots.at[id] = x;
	s->slot_next.at[id] = info->slot;
	map_put(s->a, &s->slot_index, key, id);
	if (pta_obj(s->p, x.obj)->kind == OBJ_FN || pta_obj(s->p, x.obj)->kind == OBJ_EXTERN)
		set_add(s->a, &s->code, id);
	info->slot = id;
	info->nslot++;
	info->noutside += is_outside(s, x);
	return id;
}

static u32
gcd(u32 x, u32 y)
{
	while (y) {
		u32 r = x % y;
		x = y;
		y = r;
	}
	return x;
}

/* The same places and more, without bounds. */
static Slot
unbounded(Slot x)
{
	x.stride = gcd(x.stride, x.in);
	x.in = x.lo = x.end = 0;
	return x;
}

/* Brings a slot to its form: see the top of this file. */
static Slot
normal(const Pta *p, bool java, Slot x)
{
	const Obj *o = pta_obj(p, x.obj);
	u32 step = x.in ? x.in : x.stride;

	if (x.end && x.off >= (i64)x.lo + step)
		x.off = x.lo + (x.off - x.lo) % step;
	/* It has left its array, or that is all of the object. */
	if (x.end &&
	    (x.off < x.lo || x.off >= x.end || (!x.in && x.lo == 0 && o->size && x.end >= o->size)))
		x = unbounded(x);
	if (x.stride && !x.end) {
		x.off %= x.stride;
		if (x.off < 0)
			x.off += x.stride;
	} else if (!x.stride && !java &&
		   (x.off < -SLACK || x.off > (o->size ? (i64)o->size + SLACK : FAR))) {
		x.off = 0;
		x.stride = 1;
	}
	return x;
}

SlotId
slot_make(Solver *s, Slot x)
{
	const ObjInfo *info = obj_info(s, x.obj);
	SlotId id;

	if (info->flat && info->base)
		return info->base;
	if (pta_obj(s->p, x.obj)->folded)
		return info->any;
	id = intern(s, normal(s->p, info->java, x));
	if (s->p->slots.at[id].stride == 1 && !s->p->slots.at[id].end)
		obj_info(s, x.obj)->any = id;
	return id;
}

SlotId
slot_get(Solver *s, ObjId o, i64 off, u32 stride)
{
	return slot_make(s, (Slot){.obj = o, .stride = stride, .off = off});
}

/* Objects without memory of their own have one place. */
static bool
is_opaque(const Obj *o)
{
	return o->kind == OBJ_FN || pta_is_thread(o) || o->kind == OBJ_EXTERN;
}

/* A constant offset from an exact place. */
static SlotId
step(Solver *s, SlotId slot, i64 off)
{
	Slot x = s->p->slots.at[slot];
	u8 steps = (u8)(s->steps.at[slot] + 1);
	i64 size = off < 0 ? -off : off;
	u32 n = obj_info(s, x.obj)->nslot;
	SlotId to;

	if (steps > STEPS)
		return slot_get(s, x.obj, x.off, size <= UINT32_MAX ? (u32)size : 1);
	to = slot_get(s, x.obj, x.off + off, 0);
	if (obj_info(s, x.obj)->nslot > n) /* a new one */
		s->steps.at[to] = steps;
	return to;
}

SlotId
slot_shift(Solver *s, SlotId slot, i64 off, u32 stride)
{
	Slot x = s->p->slots.at[slot];

	if ((!off && !stride) || is_opaque(pta_obj(s->p, x.obj)))
		return slot;
	if (off < -FAR || off > FAR)
		return slot_get(s, x.obj, 0, 1);
	if (!stride && !x.stride)
		return step(s, slot, off);
	if (stride) {
		x = unbounded(x);
		x.stride = gcd(x.stride, stride);
	}
	x.off += off;
	return slot_make(s, x);
}

Slot
pta_slot_moved(const Pta *p, Slot x, i64 off)
{
	x.off += off;
	return normal(p, obj_info(p->solver, x.obj)->java, x);
}

/* Where x is any element of an array: the array in each of them. */
static bool
bound_inner(const Solver *s, Slot *x, u32 stride, u32 len)
{
	const Obj *o = pta_obj(s->p, x->obj);
	Extent e = {x->off, x->off + len};

	if (stride % x->stride == 0)
		return true;
	if (!len && (!extent_find(s->ir, o, x->off, stride, &e) || e.lo < 0))
		return false;
	if (e.lo >= x->stride || stride >= x->stride)
		return false;
	x->in = stride;
	x->lo = (u32)e.lo;
	x->end = (u32)MIN(e.end, x->stride);
	return true;
}

/* Finds the array that x is indexed in; false if none is known. */
static bool
bound(const Solver *s, Slot *x, u32 stride, u32 len)
{
	const Obj *o = pta_obj(s->p, x->obj);
	Extent e = {x->off, x->off + len};

	if (x->end) { /* it is within one already */
		u32 *step = x->in ? &x->in : &x->stride;
		if (!x->in || stride % x->stride)
			*step = gcd(*step, stride);
		return true;
	}
	if (x->stride)
		return bound_inner(s, x, stride, len);
	if (!len && !extent_find(s->ir, o, x->off, stride, &e))
		return false;
	if (x->off < 0 || e.lo < 0 || e.lo > UINT32_MAX / 2)
		return false;
	x->stride = stride;
	x->lo = (u32)e.lo;
	x->end = (u32)MIN(e.end, UINT32_MAX);
	return true;
}

SlotId
slot_index(Solver *s, SlotId slot, u32 stride, u32 len)
{
	Slot x = s->p->slots.at[slot];

	if (is_opaque(pta_obj(s->p, x.obj)))
		return slot;
	if (obj_info(s, x.obj)->java || !bound(s, &x, stride, len))
		return slot_shift(s, slot, 0, stride);
	return slot_make(s, x);
}

/* Is the object's address certain to be a multiple of 8? */
static bool
is_aligned(const Solver *s, const Obj *o)
{
	return o->kind == OBJ_HEAP || o->size >= s->ir->ptr_bytes;
}

SlotId
slot_align(Solver *s, SlotId slot, i64 mask)
{
	Slot x = s->p->slots.at[slot];

	if (is_opaque(pta_obj(s->p, x.obj)))
		return slot;
	if (x.stride || !is_aligned(s, pta_obj(s->p, x.obj)))
		return slot_get(s, x.obj, 0, 1);
	return slot_get(s, x.obj, x.off & mask, 0);
}

SlotId
slot_tag(Solver *s, SlotId slot, i64 bits)
{
	Slot x = s->p->slots.at[slot];

	if (is_opaque(pta_obj(s->p, x.obj)))
		return slot;
	if (x.stride || !is_aligned(s, pta_obj(s->p, x.obj)))
		return slot_get(s, x.obj, 0, 1);
	return slot_get(s, x.obj, x.off | bits, 0);
}

SlotId
slot_member(Solver *s, SlotId slot, FieldId f)
{
	ObjId o = s->p->slots.at[slot].obj;

	if (is_opaque(pta_obj(s->p, o)) && o != s->ext)
		return slot;
	obj_info(s, o)->java = true;
	if (o == s->ext) /* has one place but for the fields: escape.c */
		return intern(s, (Slot){.obj = o, .off = f});
	return slot_get(s, o, f, 0);
}

bool
slot_in_memory(const Solver *s, SlotId slot)
{
	Slot x = s->p->slots.at[slot];
	const Obj *o = pta_obj(s->p, x.obj);

	if (o->kind == OBJ_FN || pta_is_thread(o) || x.obj == s->constants)
		return false;
	if (obj_info(s, x.obj)->elements >= ELEMENTS_NUMBERS && !x.off)
		return false;
	return x.stride || obj_info(s, x.obj)->java || !o->size ||
	       (x.off >= 0 && x.off < (i64)o->size);
}

void
slot_retire(Solver *s, SlotId slot)
{
	u32 word = slot / 64;

	if (word >= s->stale.n)
		(void)vec_extend(s->a, &s->stale, word + 1 - s->stale.n);
	s->stale.at[word] |= (u64)1 << (slot % 64);
}

static u64
stale_bits(const Solver *s, SetWord w)
{
	return w.index < s->stale.n ? w.bits & s->stale.at[w.index] : 0;
}

bool
slot_any_stale(const Solver *s, const Set *set)
{
	for (u32 k = 0; k < set->n; k++)
		if (stale_bits(s, set->w[k]))
			return true;
	return false;
}

void
slot_rename(Solver *s, Set *set)
{
	Set names = {0};
	u32 n = 0;

	for (u32 k = 0; k < set->n; k++) {
		SetWord w = set->w[k];
		u64 old = stale_bits(s, w);
		w.bits &= ~old;
		for (; old; old &= old - 1) {
			SlotId slot = w.index * 64 + (u32)__builtin_ctzll(old);
			set_add(s->a, &names, obj_info(s, s->p->slots.at[slot].obj)->any);
		}
		if (w.bits)
			set->w[n++] = w;
	}
	set->n = n;
	set_or(s->a, set, &names);
	set_recycle(s->a, &names);
}

/* ---- overlap ------------------------------------------------------------------- */

/* Places off, off + stride, ... count of them, each len bytes long.  END is a
 * length or count without bound. */
typedef struct Range {
	i64 off, stride, count, len;
} Range;
#define END ((i64)1 << 60)

/* More ranges than this of one slot are one from the first to the last. */
enum { RANGES = 16 };

/* What x covers of an object of `size` bytes, END if that is unknown. */
static Range
range(Slot x, u64 bytes, i64 size)
{
	Range r = {x.off, x.stride, 1, bytes && bytes < END ? (i64)bytes : END};

	if (x.end && !x.in)
		size = MIN(size, x.end == UINT32_MAX ? END : (i64)x.end);
	if (r.stride) {
		if (size == END)
			r.count = END;
		else
			r.count = r.off < size ? (size - 1 - r.off) / r.stride + 1 : 0;
		return r;
	}
	if (r.off < 0) {
		if (r.len != END)
			r.len += r.off;
		r.off = 0;
	}
	if (r.off >= size || r.len <= 0)
		r.count = 0;
	return r;
}

static bool
has_many(Slot x)
{
	return x.in && (x.end - 1 - x.off) / x.in >= RANGES;
}

/* The ranges of x, which are several if it has arrays in its elements.  Many of them are taken
 * for one from the first to the last, or, if so wanted, for all of their step. */
static u32
ranges(Slot x, u64 bytes, i64 size, bool by_step, Range *r)
{
	u32 n = 0;

	if (has_many(x) && by_step) {
		x = unbounded(x);
		x.off %= x.stride;
	}
	if (has_many(x)) {
		u64 last = (u64)((x.end - 1 - x.off) / x.in) * x.in;
		*r =
		    range((Slot){.stride = x.stride, .off = x.off}, bytes ? last + bytes : 0, size);
		return 1;
	}
	if (!x.in) {
		*r = range(x, bytes, size);
		return 1;
	}
	for (i64 off = x.off; off < x.end; off += x.in)
		r[n++] = range((Slot){.stride = x.stride, .off = off}, bytes, size);
	return n;
}

/* Does some place of y meet the `len` bytes at off? */
static bool
meets(i64 off, i64 len, Range y)
{
	i64 k, at;

	if (!y.stride)
		return y.off < off + len && off < y.off + y.len;
	/* The last place that starts before off + len is the only one to try. */
	if (len >= END ||
	    (y.count - 1 < END / y.stride && y.off + (y.count - 1) * y.stride < off + len))
		k = y.count - 1;
	else if (off + len - 1 < y.off)
		return false;
	else
		k = (off + len - 1 - y.off) / y.stride;
	at = k < END / y.stride ? y.off + k * y.stride : END;
	return y.len >= END || off < at + y.len;
}

/* Is there a multiple of g between lo and hi? */
static bool
has_multiple(i64 lo, i64 hi, i64 g)
{
	i64 up = lo + ((g - lo % g) % g);

	return up <= hi;
}

static bool
ranges_overlap(Range a, Range b)
{
	i64 g;

	if (!a.count || !b.count)
		return false;
	if (a.count > b.count) {
		Range t = a;
		a = b;
		b = t;
	}
	if (a.count <= 256) {
		for (i64 i = 0; i < a.count; i++)
			if (meets(a.off + i * a.stride, a.len, b))
				return true;
		return false;
	}
	/* Many places on both sides: the ends hardly matter, the residues do. */
	if (a.len == END || b.len == END)
		return true;
	g = gcd((u32)a.stride, (u32)b.stride);
	return has_multiple(a.off - b.off - b.len + 1, a.off - b.off + a.len - 1, g);
}

/* Do they, as ranges() says it? */
static bool
all_overlap(Slot x, u64 m, Slot y, u64 n, i64 size, bool by_step)
{
	Range a[RANGES], b[RANGES];
	u32 na = ranges(x, m, size, by_step, a), nb = ranges(y, n, size, by_step, b);

	for (u32 i = 0; i < na; i++)
		for (u32 k = 0; k < nb; k++)
			if (ranges_overlap(a[i], b[k]))
				return true;
	return false;
}

/* Does x cover every byte of its object? */
static bool
is_all(Slot x)
{
	return x.stride == 1 && !x.off && !x.in && !x.end;
}

bool
slot_overlap(const Pta *p, const ObjInfo *info, Slot x, u64 m, Slot y, u64 n)
{
	const Obj *o = &p->objs.at[x.obj];
	i64 size = o->size ? (i64)MIN(o->size, (u64)END - 1) : END;

	if (info->java)
		return x.stride == 1 || y.stride == 1 || x.off == y.off;
	if (!(x.stride | y.stride | x.in | y.in)) { /* the most by far */
		Range a = range(x, m, size), b = range(y, n, size);
		return a.count && b.count && meets(a.off, a.len, b);
	}
	if (is_all(x) && !y.in)
		return range(y, n, size).count;
	if (is_all(y) && !x.in)
		return range(x, m, size).count;
	/* Both ways of taking many for one cover them. */
	return all_overlap(x, m, y, n, size, true) &&
	       (!(has_many(x) || has_many(y)) || all_overlap(x, m, y, n, size, false));
}
