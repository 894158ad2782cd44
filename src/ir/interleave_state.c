/* interleave_state.c - memory, clocks and the record of accesses.
 *
 * The tables of a State stay sorted by address (or key), and memory lies in
 * the order of the objects without holes: that is the canonical form that
 * lets equal states be found by their bytes.  Programs are tiny, so linear
 * searches and memmove beat any index that would have to be packed too. */
#include "ir/interleave_int.h"

#include <string.h>

/* ---- packing ------------------------------------------------------------- */

/* Copies n bytes out of the state and moves the target on. */
static u8 *
put(u8 *to, const void *from, size_t n)
{
	memcpy(to, from, n);
	return to + n;
}

static const u8 *
get(void *to, const u8 *from, size_t n)
{
	memcpy(to, from, n);
	return from + n;
}

u32
state_pack(const State *s, u8 *to)
{
	u8 *p = put(to, &s->n, sizeof s->n);

	p = put(p, s->thread, s->n.nthread * sizeof *s->thread);
	for (u32 t = 0; t < s->n.nthread; t++) {
		p = put(p, s->frame[t], s->thread[t].depth * sizeof(Frame));
		p = put(p, s->reg[t], s->thread[t].nreg * sizeof(u64));
		p = put(p, s->fog[t], s->thread[t].nreg);
	}
	p = put(p, s->object, s->n.nobject * sizeof(Object));
	p = put(p, s->mem, s->n.nmem);
	p = put(p, s->mist, s->n.nmem);
	p = put(p, s->lock, s->n.nlock * sizeof(Lock));
	p = put(p, s->sync, s->n.nsync * sizeof(Sync));
	p = put(p, s->event, s->n.nevent * sizeof(Event));
	p = put(p, s->init, s->n.ninit * sizeof(ClassInit));
	p = put(p, s->record, s->n.nrecord * sizeof(Record));
	return (u32)(p - to);
}

void
state_unpack(State *s, const u8 *p)
{
	p = get(&s->n, p, sizeof s->n);
	p = get(s->thread, p, s->n.nthread * sizeof *s->thread);
	for (u32 t = 0; t < s->n.nthread; t++) {
		p = get(s->frame[t], p, s->thread[t].depth * sizeof(Frame));
		p = get(s->reg[t], p, s->thread[t].nreg * sizeof(u64));
		p = get(s->fog[t], p, s->thread[t].nreg);
	}
	p = get(s->object, p, s->n.nobject * sizeof(Object));
	p = get(s->mem, p, s->n.nmem);
	p = get(s->mist, p, s->n.nmem);
	p = get(s->lock, p, s->n.nlock * sizeof(Lock));
	p = get(s->sync, p, s->n.nsync * sizeof(Sync));
	p = get(s->event, p, s->n.nevent * sizeof(Event));
	p = get(s->init, p, s->n.ninit * sizeof(ClassInit));
	get(s->record, p, s->n.nrecord * sizeof(Record));
}

/* ---- clocks -------------------------------------------------------------- */

void
clock_join(Clock *c, const Clock *d)
{
	for (u32 i = 0; i < THREADS; i++)
		c->at[i] = MAX(c->at[i], d->at[i]);
}

void
clock_tick(Machine *m, u32 t)
{
	u8 *epoch = &m->s.thread[t].clock.at[t];

	if (*epoch == EPOCH_MAX)
		machine_give_up(m, "too many synchronisation steps");
	else
		++*epoch;
}

enum { CLOCKS = THREADS * 3 + LOCKS * 2 + SYNCS + EVENTS + INITS + 1 };

static bool
is_zero(const Clock *c)
{
	Clock none = {{0}};

	return !memcmp(c, &none, sizeof none);
}

/* Adds c to the n clocks at to; zero stays zero whatever the numbering. */
static u32
list_clock(Clock **to, u32 n, Clock *c)
{
	to[n] = c;
	return n + !is_zero(c);
}

/* Lists the clocks of the state that are not zero. */
static u32
all_clocks(State *s, Clock **to)
{
	u32 n = 0;

	for (u32 i = 0; i < s->n.nthread; i++) {
		n = list_clock(to, n, &s->thread[i].clock);
		n = list_clock(to, n, &s->thread[i].fence);
		n = list_clock(to, n, &s->thread[i].seen);
	}
	for (u32 i = 0; i < s->n.nlock; i++) {
		n = list_clock(to, n, &s->lock[i].write);
		n = list_clock(to, n, &s->lock[i].read);
	}
	for (u32 i = 0; i < s->n.nsync; i++)
		n = list_clock(to, n, &s->sync[i].clock);
	for (u32 i = 0; i < s->n.nevent; i++)
		n = list_clock(to, n, &s->event[i].clock);
	for (u32 i = 0; i < s->n.ninit; i++)
		n = list_clock(to, n, &s->init[i].clock);
	return n;
}

/* The epoch of t that every other running thread has seen, and so all that
 * they will start. */
static u8
known_to_all(const State *s, u32 t)
{
	u8 low = UINT8_MAX;

	for (u32 u = 0; u < s->n.nthread; u++)
		if (u != t && s->thread[u].status == RUNNING)
			low = MIN(low, s->thread[u].clock.at[t]);
	return low;
}

/* Renumbers the epochs of t: 0 for those that all have seen, then by rank. */
static void
renumber(State *s, u32 t, Clock **clock, u32 n)
{
	u8 rank[UINT8_MAX + 1];
	u8 low = known_to_all(s, t), high = 0, next = 0;

	for (u32 i = 0; i < n; i++)
		high = MAX(high, clock[i]->at[t]);
	for (u32 i = 0; i < s->n.nrecord; i++)
		high = MAX(high, s->record[i].epoch);
	memset(rank, 0, high + 1u);
	for (u32 i = 0; i < n; i++)
		rank[clock[i]->at[t]] = 1;
	for (u32 i = 0; i < s->n.nrecord; i++)
		if (s->record[i].tid == t)
			rank[s->record[i].epoch] = 1;
	for (u32 e = 0; e <= high; e++) {
		next = (u8)(next + (rank[e] && e > low));
		rank[e] = next;
	}
	for (u32 i = 0; i < n; i++)
		clock[i]->at[t] = rank[clock[i]->at[t]];
	for (u32 i = 0; i < s->n.nrecord; i++)
		if (s->record[i].tid == t)
			s->record[i].epoch = rank[s->record[i].epoch];
}

/* Forgets locks and events that are as if never used. */
static void
forget(State *s)
{
	static const u8 nobody[THREADS];
	u32 n = 0;

	for (u32 i = 0; i < s->n.nlock; i++) {
		const Lock *l = &s->lock[i];
		if (l->owner || memcmp(l->readers, nobody, sizeof nobody) || !is_zero(&l->write) ||
		    !is_zero(&l->read))
			s->lock[n++] = *l;
	}
	s->n.nlock = n;
	n = 0;
	for (u32 i = 0; i < s->n.nsync; i++)
		if (!is_zero(&s->sync[i].clock))
			s->sync[n++] = s->sync[i];
	s->n.nsync = n;
	n = 0;
	for (u32 i = 0; i < s->n.nevent; i++)
		if (s->event[i].count || s->event[i].waiting || s->event[i].size ||
		    !is_zero(&s->event[i].clock))
			s->event[n++] = s->event[i];
	s->n.nevent = n;
}

/* Clocks are only ever compared, joined and ticked, so the order of epochs is
 * all that matters.  Without this, a loop that waits would never come back to
 * a state seen before. */
void
clock_renumber(Machine *m)
{
	Clock *clock[CLOCKS];
	u32 n = all_clocks(&m->s, clock);

	for (u32 t = 0; t < m->s.n.nthread; t++)
		renumber(&m->s, t, clock, n);
	forget(&m->s);
}

/* ---- objects ------------------------------------------------------------- */

static u32
key_shift(const Machine *m)
{
	return m->ir->ptr_bytes == 4 ? 16 : 20;
}

u64
addr_of(const Machine *m, u32 key)
{
	u32 shift = key_shift(m);

	return (u64)key << shift | (u64)1 << (shift - 1);
}

u32
addr_key(const Machine *m, u64 addr)
{
	u64 key = addr >> key_shift(m);

	return key <= 0xffff ? (u32)key : 0;
}

/* The place of key in the table: its object's, or where it would go. */
static u32
place(const Machine *m, u32 key)
{
	u32 i = 0;

	while (i < m->s.n.nobject && m->s.object[i].key < key)
		i++;
	return i;
}

Object *
object_find(Machine *m, u32 key)
{
	u32 i = place(m, key);

	return i < m->s.n.nobject && m->s.object[i].key == key ? &m->s.object[i] : NULL;
}

Object *
object_new(Machine *m, u32 key, u32 size, ObjectKind kind)
{
	State *s = &m->s;
	u32 i = place(m, key);
	u32 at = i < s->n.nobject ? s->object[i].at : s->n.nmem;

	if (s->n.nobject == OBJECTS || size > MEMORY - s->n.nmem) {
		machine_give_up(m, "too much memory");
		return NULL;
	}
	memmove(s->object + i + 1, s->object + i, (s->n.nobject - i) * sizeof(Object));
	memmove(s->mem + at + size, s->mem + at, s->n.nmem - at);
	memmove(s->mist + at + size, s->mist + at, s->n.nmem - at);
	memset(s->mem + at, 0, size);
	memset(s->mist + at, m->limits->unknown && kind != OBJ_GLOBAL, size);
	s->n.nobject++;
	s->n.nmem += size;
	for (u32 k = i + 1; k < s->n.nobject; k++)
		s->object[k].at += size;
	s->object[i] = (Object){.key = key, .size = size, .at = at, .kind = (u8)kind};
	s->object[i].escaped = kind == OBJ_GLOBAL;
	return &s->object[i];
}

void
object_delete(Machine *m, Object *o)
{
	State *s = &m->s;
	u32 i = (u32)(o - s->object);
	u32 at = o->at, size = o->size;

	s->n.nobject--;
	s->n.nmem -= size;
	memmove(s->object + i, s->object + i + 1, (s->n.nobject - i) * sizeof(Object));
	memmove(s->mem + at, s->mem + at + size, s->n.nmem - at);
	memmove(s->mist + at, s->mist + at + size, s->n.nmem - at);
	for (u32 k = i; k < s->n.nobject; k++)
		s->object[k].at -= size;
}

Object *
object_at(Machine *m, u64 addr, u64 size)
{
	u32 key = addr_key(m, addr);
	Object *o = object_find(m, key);
	u64 off = addr - addr_of(m, key);

	/* off wraps to a huge number below the object's start */
	return o && off <= o->size && size <= o->size - off ? o : NULL;
}

u8 *
object_bytes(Machine *m, const Object *o, u64 addr)
{
	return m->s.mem + o->at + (addr - addr_of(m, o->key));
}

static bool
any_private(const Machine *m)
{
	for (u32 i = 0; i < m->s.n.nobject; i++)
		if (!m->s.object[i].escaped)
			return true;
	return false;
}

/* Escapes what any pointer within the given bytes of o points to; pointers
 * need not be aligned. */
static void
escape_bytes(Machine *m, const Object *o, u32 from, u32 to)
{
	u32 width = m->ir->ptr_bytes;

	for (u32 off = from; off + width <= to; off++) {
		u64 v = 0;
		memcpy(&v, m->s.mem + o->at + off, width);
		object_escape(m, v);
	}
}

/* Ends: each call marks an object or returns. */
void
object_escape(Machine *m, u64 v)
{
	Object *o = object_find(m, addr_key(m, v));

	if (!o || o->escaped)
		return;
	o->escaped = true;
	escape_bytes(m, o, 0, o->size);
}

void
object_escape_stored(Machine *m, const Object *o, u64 addr, u64 size)
{
	u32 off = (u32)(addr - addr_of(m, o->key));
	u32 near = m->ir->ptr_bytes - 1;

	if (o->escaped && any_private(m))
		escape_bytes(m, o, off > near ? off - near : 0,
			     MIN(off + (u32)size + near, o->size));
}

/* ---- records ------------------------------------------------------------- */

bool
access_conflict(const Access *a, const Access *b)
{
	return (a->write || b->write) && !(a->atomic && b->atomic) && a->addr < b->addr + b->size &&
	       b->addr < a->addr + a->size;
}

void
record_check(Machine *m, u32 t, InsId ins, const Access *a)
{
	const Clock *now = &m->s.thread[t].clock;

	for (u32 i = 0; i < m->s.n.nrecord; i++) {
		const Record *r = &m->s.record[i];
		Access old = {r->addr, r->size, r->write, r->atomic};

		if (r->final == FINAL_FROZEN && !a->write)
			continue;
		if (r->tid == t || !access_conflict(a, &old))
			continue;
		if (r->epoch > now->at[r->tid])
			machine_found(m, r->ins, ins, FOUND_RACE);
		else if (m->limits->meet)
			map_put(m->result->arena, &m->result->ordered,
				map_pair(MIN(r->ins, ins), MAX(r->ins, ins)), 1);
	}
}

static int
compare(const Record *a, const Record *b)
{
#define BY(field)                                                                                  \
	if (a->field != b->field)                                                                  \
	return a->field < b->field ? -1 : 1
	BY(addr);
	BY(size);
	BY(ins);
	BY(tid);
	BY(write);
#undef BY
	return 0;
}

/* One record per instruction, thread and bytes is enough: whatever is not
 * ordered after an older access is not ordered after the newest either. */
void
record_add(Machine *m, u32 t, InsId ins, const Access *a)
{
	State *s = &m->s;
	Record r = {.addr = a->addr,
		    .size = a->size,
		    .ins = ins,
		    .tid = (u8)t,
		    .epoch = s->thread[t].clock.at[t],
		    .write = a->write,
		    .atomic = a->atomic};
	u32 i = 0;

	if (ir_ins(m->ir, ins)->flags & INS_FINAL) {
		r.final = FINAL_OPEN;
		r.depth = s->thread[t].depth;
	}

	while (i < s->n.nrecord && compare(&s->record[i], &r) < 0)
		i++;
	if (i < s->n.nrecord && compare(&s->record[i], &r) == 0) {
		s->record[i] = r;
		return;
	}
	if (s->n.nrecord == RECORDS) {
		machine_give_up(m, "too many accesses");
		return;
	}
	memmove(s->record + i + 1, s->record + i, (s->n.nrecord - i) * sizeof r);
	s->record[i] = r;
	s->n.nrecord++;
}

void
record_freeze(Machine *m, u32 t)
{
	u8 depth = m->s.thread[t].depth;

	if (!(m->ir->fns.at[top(m, t)->fn].flags & FN_CONSTRUCTOR))
		return;
	for (u32 i = 0; i < m->s.n.nrecord; i++) {
		Record *r = &m->s.record[i];
		const Object *o = object_at(m, r->addr, r->size);
		if (r->tid == t && r->final == FINAL_OPEN && r->depth == depth && o && !o->escaped)
			r->final = FINAL_FROZEN;
	}
}

/* Whether some running thread may still make an access not ordered after r.
 * A later thread starts with the clock of a running one. */
static bool
still_open(const Machine *m, const Record *r)
{
	for (u32 t = 0; t < m->s.n.nthread; t++)
		if (t != r->tid && m->s.thread[t].status == RUNNING &&
		    m->s.thread[t].clock.at[r->tid] < r->epoch)
			return true;
	return false;
}

void
record_sweep(Machine *m)
{
	u32 n = 0;

	for (u32 i = 0; i < m->s.n.nrecord; i++)
		if (m->limits->meet || still_open(m, &m->s.record[i]))
			m->s.record[n++] = m->s.record[i];
	m->s.n.nrecord = n;
}
