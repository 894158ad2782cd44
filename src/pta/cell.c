/* cell.c - memory: what is stored where, and what loads may therefore see.
 *
 * A cell is a slot and a number of bytes, made when the program first loads or
 * stores so many bytes there.  Between calls, for cells c and d of an object:
 *
 *	in(c) -> out(d) if both exist and their bytes overlap;
 *	in(c) -> number(d) likewise, if cell_gives_number;
 *	if the object has escaped, in(c) -> E, the node of what unknown code knows,
 *	and out(d) is E, or what of E may be stored there (escape.c), unless such
 *	code cannot name the cell;
 *	if it is folded or united, there are two cells: what is stored as a number, and
 *	the rest.
 *
 * Block copies are relations between slots: each cell of the source object,
 * old or new, within the copied bytes has a counterpart in the destination
 * that gets its `in`.  New cells wait in s->new_cells for this, so that a long
 * chain of copies needs no deep recursion.  A copy whose two ends are shifted
 * against each other in one object makes new cells from new cells; the object
 * then folds, or is united. */
#include "pta/pta_int.h"

/* Unknown code that knows more objects than this knows them as wholes: what it
 * gives back is all of them, and the fields of all of them would be too many. */
enum { MAX_ESCAPED = 2000 };

static u32
gcd(u32 x, u32 y)
{
	return y ? gcd(y, x % y) : x;
}

static bool
cells_overlap(const Solver *s, const Cell *c, const Cell *d)
{
	Slot x = s->p->slots.at[c->slot], y = s->p->slots.at[d->slot];

	return slot_overlap(s->p, obj_info(s, x.obj), x, c->size, y, d->size);
}

static ObjId
cell_obj(const Solver *s, CellId c)
{
	return s->p->slots.at[s->cell.at[c].slot].obj;
}

static bool
is_narrow(const Solver *s, u32 size)
{
	return size && size < s->ir->ptr_bytes;
}

bool
cell_gives_number(const Solver *s, const Cell *c, const Cell *d)
{
	return c->number_in || (!s->p->slots.at[c->slot].stride && !s->p->slots.at[d->slot].stride);
}

static CellId
cell_at(Solver *s, SlotId slot, u32 size, bool number)
{
	ObjId o = s->p->slots.at[slot].obj;
	u32 *id;

	number = number || is_narrow(s, size);
	if (obj_info(s, o)->whole)
		return number ? obj_info(s, o)->part : obj_info(s, o)->whole;
	size = MIN(size, INT32_MAX);
	id = map_at(s->a, &s->cell_index, map_pair(slot, size | (number ? 1u << 31 : 0)));
	if (!*id) {
		*id = s->cell.n;
		vec_push(s->a, &s->cell,
			 (Cell){.slot = slot,
				.size = size,
				.number_in = number,
				.next = obj_info(s, o)->cell});
		obj_info(s, o)->cell = *id;
	}
	return *id;
}

/* ---- block copies ------------------------------------------------------------- */

/* The array that slot x stands for, where it comes to lie behind an exact place. */
static SlotId
slot_window(Solver *s, Slot x, Slot to, i64 off)
{
	i64 by = to.off + off - x.off;

	if (x.lo + by < 0 || x.end + by > UINT32_MAX)
		return slot_get(s, to.obj, 0, 1);
	x.obj = to.obj;
	x.off += by;
	x.lo = (u32)(x.lo + by);
	x.end = x.end == UINT32_MAX ? UINT32_MAX : (u32)(x.end + by);
	return slot_make(s, x);
}

/* Where a field of a Java object comes to lie in a copy of the object, and whether
 * it does: in a buffer, or in an object whose class has that field. */
static bool
field_copied_to(Solver *s, Slot x, ObjId copy, SlotId *to)
{
	bool field = !x.stride && x.off > 0 && x.off < (i64)s->ir->fields.n;

	*to = 0;
	if (pta_obj(s->p, copy)->kind == OBJ_NONE)
		obj_info(s, copy)->java = true;
	else if (field && !obj_has(s, copy, (FieldId)x.off))
		return false;
	*to = slot_get(s, copy, x.off, x.stride);
	return true;
}

/* Where the pointer in cell c comes to lie when r copies it: *to and *size.
 * False if r does not reach it. */
static bool
copied_to(Solver *s, const Cell *c, const Rel *r, SlotId *to, u32 *size)
{
	Slot x = s->p->slots.at[c->slot], from = s->p->slots.at[r->from];
	const ObjInfo *info = obj_info(s, x.obj);
	u32 stride = gcd(gcd(x.stride, x.in), gcd(from.stride, from.in));
	i64 off = x.off - from.off;

	*size = c->size;
	if (info->java)
		return field_copied_to(s, x, s->p->slots.at[r->to].obj, to);
	if (!slot_overlap(s->p, info, x, c->size, from, r->size))
		return false;
	if (x.end && !from.stride && !s->p->slots.at[r->to].stride && !x.in) {
		*to = slot_window(s, x, s->p->slots.at[r->to], off);
		return true;
	}
	if (stride) {
		off %= stride;
		off += off < 0 ? stride : 0;
	} else if (off < 0) { /* the cell begins before what is copied */
		*size = c->size ? (u32)(c->size + off) : 0;
		off = 0;
	}
	*to = slot_shift(s, r->to, off, stride);
	return true;
}

static void
relate(Solver *s, CellId cell, RelId rel)
{
	Rel r = s->rel.at[rel];
	Cell c = s->cell.at[cell];
	SlotId to;
	u32 size;

	if (copied_to(s, &c, &r, &to, &size))
		node_edge(s, c.in, cell_in(s, to, size, c.number_in));
}

/* The source of r has escaped: anything may be copied from it. */
static void
relate_unknown(Solver *s, RelId rel)
{
	Rel r = s->rel.at[rel];

	node_edge(s, escape_out(s, obj_info(s, s->p->slots.at[r.from].obj)->base),
		  cell_in(s, slot_shift(s, r.to, 0, 1), 0, false));
}

static u64
hash_rel(SlotId from, SlotId to, u32 size)
{
	return hash_u64(hash_u64(map_pair(from, to)) ^ size);
}

/* Copies the elements of an array to a buffer, or from one: as if by a load and a
 * store.  False if neither is an array. */
static bool
copy_elements(Solver *s, ObjId from, ObjId to)
{
	const ObjInfo *x = obj_info(s, from), *y = obj_info(s, to);
	SlotId at = x->base, into = y->base;
	u32 size = s->ir->ptr_bytes;

	if (!x->elements && !y->elements)
		return false;
	node_edge(s, cell_out(s, at, size), cell_in(s, into, size, false));
	return true;
}

void
cell_copy(Solver *s, SlotId from, SlotId to, u32 size)
{
	u64 key = hash_rel(from, to, size);
	ObjId o = s->p->slots.at[from].obj;
	RelId id;

	if (o == s->constants || s->p->slots.at[to].obj == s->constants)
		return;
	if (obj_info(s, o)->crowded && obj_info(s, s->p->slots.at[to].obj)->crowded)
		return; /* they hold the same */
	if (copy_elements(s, o, s->p->slots.at[to].obj))
		return;
	if (s->field && (obj_info(s, o)->java || obj_info(s, s->p->slots.at[to].obj)->java))
		return; /* their fields are the same nodes */
	for (; (id = map_get(&s->rel_index, key)); key++) {
		const Rel *r = &s->rel.at[id];
		if (r->from == from && r->to == to && r->size == size)
			return;
	}
	id = s->rel.n;
	vec_push(s->a, &s->rel, (Rel){from, to, size, obj_info(s, o)->rel});
	map_put(s->a, &s->rel_index, key, id);
	obj_info(s, o)->rel = id;
	if (obj_info(s, o)->escaped || o == s->ext)
		relate_unknown(s, id);
	for (CellId c = obj_info(s, o)->cell; c; c = s->cell.at[c].next)
		if (s->cell.at[c].in)
			relate(s, c, id);
}

/* ---- loads and stores ----------------------------------------------------------- */

/* The node of the field that slot is, where fields are not told apart by their
 * objects; else 0. */
static NodeId
shared_field(Solver *s, SlotId slot)
{
	Slot x = s->p->slots.at[slot];
	FieldId f = field_shared(s, &x);

	if (!f)
		return 0;
	if (obj_info(s, x.obj)->escaped)
		field_expose(s, f);
	return field_node(s, f);
}

NodeId
cell_in(Solver *s, SlotId slot, u32 size, bool number)
{
	ObjId o = s->p->slots.at[slot].obj;
	CellId id;
	NodeId in;

	if (o == s->ext)
		return s->known_out;
	if (!slot_in_memory(s, slot))
		return 0;
	in = shared_field(s, slot);
	if (in)
		return in;
	id = cell_at(s, slot, size, number);
	if (s->cell.at[id].in)
		return s->cell.at[id].in;
	in = s->cell.at[id].in = node_new(s);
	if (obj_info(s, o)->elements && slot == obj_info(s, o)->base)
		s->node.at[in].limit = obj_info(s, o)->limit_in;
	for (CellId d = obj_info(s, o)->cell; d; d = s->cell.at[d].next) {
		const Cell *x = &s->cell.at[id], *y = &s->cell.at[d];
		NodeId get = y->number && cell_gives_number(s, x, y) ? y->number : 0;
		if ((!y->out && !get) || !cells_overlap(s, x, y))
			continue;
		node_edge(s, in, y->out);
		node_edge(s, in, get);
	}
	if (obj_info(s, o)->escaped && escape_touches(s, slot))
		node_edge(s, in, s->known_out);
	vec_push(s->a, &s->new_cells, id);
	return in;
}

NodeId
cell_out(Solver *s, SlotId slot, u32 size)
{
	ObjId o = s->p->slots.at[slot].obj;
	CellId id;
	NodeId out;

	if (o == s->ext)
		return escape_out(s, slot);
	if (!slot_in_memory(s, slot))
		return 0;
	out = shared_field(s, slot);
	if (out)
		return out;
	id = cell_at(s, slot, size, false);
	if (s->cell.at[id].out)
		return s->cell.at[id].out;
	if (obj_info(s, o)->escaped && escape_touches(s, slot)) {
		out = escape_out(s, slot);
		return s->cell.at[id].out = out;
	}
	out = s->cell.at[id].out = node_new(s);
	for (CellId c = obj_info(s, o)->cell; c; c = s->cell.at[c].next)
		if (s->cell.at[c].in && cells_overlap(s, &s->cell.at[c], &s->cell.at[id]))
			node_edge(s, s->cell.at[c].in, out);
	return out;
}

NodeId
cell_number(Solver *s, SlotId slot, u32 size)
{
	ObjId o = s->p->slots.at[slot].obj;
	CellId id;
	NodeId number;

	if (o == s->ext || !slot_in_memory(s, slot))
		return 0;
	number = shared_field(s, slot);
	if (number)
		return number;
	id = cell_at(s, slot, size, true);
	if (s->cell.at[id].number)
		return s->cell.at[id].number;
	number = s->cell.at[id].number = node_new(s);
	for (CellId c = obj_info(s, o)->cell; c; c = s->cell.at[c].next)
		if (s->cell.at[c].in && cell_gives_number(s, &s->cell.at[c], &s->cell.at[id]) &&
		    cells_overlap(s, &s->cell.at[c], &s->cell.at[id]))
			node_edge(s, s->cell.at[c].in, number);
	return number;
}

/* Adds y, if there is one, to what *x stands for. */
static void
join(Solver *s, NodeId *x, NodeId y)
{
	if (y)
		*x = *x ? node_merge(s, *x, y) : y;
}

/* Makes all cells of o two, which then are its only ones. */
static void
unite(Solver *s, ObjId o)
{
	CellId whole = cell_at(s, obj_info(s, o)->any, 0, false),
	       part = cell_at(s, obj_info(s, o)->any, 1, true);
	Cell w = s->cell.at[whole], p = s->cell.at[part];

	for (CellId c = obj_info(s, o)->cell; c; c = s->cell.at[c].next) {
		Cell x = s->cell.at[c];
		join(s, x.number_in ? &p.in : &w.in, x.in);
		join(s, &w.out, x.out);
		join(s, &p.number, x.number);
	}
	p.out = w.out;
	p.next = 0;
	w.next = part;
	s->cell.at[whole] = w;
	s->cell.at[part] = p;
	obj_info(s, o)->cell = obj_info(s, o)->whole = whole;
	obj_info(s, o)->part = part;
	node_edge(s, w.in, w.out);
	node_edge(s, p.in, w.out);
	node_edge(s, p.in, p.number);
}

void
cell_unite(Solver *s, ObjId o)
{
	SlotId any = obj_info(s, o)->whole ? 0 : slot_get(s, o, 0, 1);

	if (!any)
		return;
	s->p->objs.at[o].vague = true;
	obj_info(s, o)->any = any;
	unite(s, o);
	for (CellId c = obj_info(s, o)->cell; c; c = s->cell.at[c].next)
		if (s->cell.at[c].in)
			vec_push(s->a, &s->new_cells, c);
}

void
cell_fold(Solver *s, ObjId o)
{
	SlotId any = slot_get(s, o, 0, 1);

	assert(!pta_obj(s->p, o)->folded);
	s->p->folded++;
	for (SlotId i = obj_info(s, o)->slot; i; i = s->slot_next.at[i]) {
		s->p->slots.at[i] = (Slot){.obj = o, .stride = 1};
		if (i != any)
			slot_retire(s, i);
	}
	s->p->objs.at[o].folded = true;
	cell_unite(s, o);
}

void
cell_escape(Solver *s, ObjId o)
{
	if (o == s->ext || obj_info(s, o)->escaped)
		return;
	obj_info(s, o)->escaped = true;
	field_escape(s, o);
	if (++s->nescaped > MAX_ESCAPED && !pta_obj(s->p, o)->folded && !obj_info(s, o)->flat &&
	    !obj_info(s, o)->java)
		cell_fold(s, o);
	for (CellId c = obj_info(s, o)->cell; c; c = s->cell.at[c].next) {
		Cell x = s->cell.at[c];
		if (!escape_touches(s, x.slot))
			continue;
		node_edge(s, x.in, s->known_out);
		if (x.out && obj_info(s, o)->java) /* as one node they would have no limit */
			node_edge(s, escape_out(s, x.slot), x.out);
		else if (x.out)
			node_merge(s, x.out, escape_out(s, x.slot));
	}
	for (RelId r = obj_info(s, o)->rel; r; r = s->rel.at[r].next)
		relate_unknown(s, r);
}

void
cell_relate(Solver *s, CellId c)
{
	for (RelId r = obj_info(s, cell_obj(s, c))->rel; r; r = s->rel.at[r].next)
		relate(s, c, r);
}
