/* slip.c - members that have a lock, and who does not hold it.
 *
 * A member is what a place in the source touches, as its address says: the innermost struct
 * type and an offset in it: `c->thread->stats.hits` and `threads[i].stats.hits` are one; or a
 * variable and an offset.  It has a lock if most of the places that touch it, or all but those of one
 * function, hold one of that name, as the programmer writes it behind the last pointer (`stats.mutex`), in
 * that struct, that single lock, or one of that array.  A place holds what it holds in each of its contexts; those
 * in which its object is unpublished, or nothing else runs yet, do not count, nor
 * what a function does before it forks.  Where it is not known to hold any, what it may hold on its way
 * counts (might.c): a mutex that can be switched off is held by nobody for sure.
 *
 * A struct that has a lock of its own, which guards several of its members at all of their places, has it for
 * the others as well: there a place counts as holding it if some way to it may, so that one reader deep
 * below many callers is a witness against a setter that cannot.
 *
 * Objects without a type are taken for one another, and pairs there are only possible, with
 * a lock or without it: the two hardly mean one object.  Where both sides name one member that has
 * a lock, and one does not hold it, whoever calls, they do: this is the place that was forgotten.  Such pairs
 * lose those reasons, and are listed also among very many.
 *
 * One pass over the accesses, at the first question. */
#include "race/might.h"
#include "race/via.h"

#include <string.h>

#define VARIABLE (1u << 31) /* in a key, instead of a type */

enum {
	MIN_HELD = 4,  /* instructions, of which x++ has two */
	SHARE = 3,     /* of these one may not hold it */
	FEW_HELD = 2,  /* where all but one function hold it */
	MIN_WHOLE = 4, /* members of a struct that its lock guards everywhere */
	MAX_LOCKS = 24,
	PARTNERS = 4, /* with which a unit that slips is listed */
	MAX_SLIPS = 1024
};

typedef struct LockName {
	u32 name;  /* interned with the locks */
	TypeId in; /* of which it is a member; 0 unknown */
} LockName;

typedef struct Common { /* what the contexts of one instruction have in common */
	u32 n;
	u32 lock[MAX_LOCKS];
} Common;

typedef struct Guarded { /* a member */
	u32 places;
	u32 lock[MAX_LOCKS], held[MAX_LOCKS];
	u32 has;     /* bits: is it a lock of the member? */
	u32 loose;   /* of those: as it is one of the struct, who may hold it at all holds it */
	TypeId in;   /* the struct; 0: a variable */
	u32 off;     /* in it */
	bool steady; /* no two functions write it */
	VecU32 units;
} Guarded;

struct Slips {
	Races *r;
	Map index; /* (type, offset) -> index in members plus 1 */
	Vec(Guarded) members;
	Intern locks;
	Vec(LockName) names; /* [lock] */
	u32 any;             /* of them: one whose name is not known */
	Might *might;        /* null: not asked */
	Vias *vias;          /* null likewise */
	Map token_of;        /* of a lock that may be held: its number there */
	Map of_token;        /* and back */
	Set forking;         /* functions that fork */
	Map locks_of;        /* (instance, lockset) -> index in lists plus 1 */
	Vec(Common) lists;
	u32 *member_of;   /* [unit]: index in members plus 1 */
	TypeId *whole_of; /* [unit]: the struct that it reads as a whole; 0 none */
	VecU32 wholes;    /* such units */
	TypeId *same; /* [TypeId]: the first of that name and size: units declare structs anew */
};

/* The member that the address names, as a key; 0: it names none. */
static u64
member_key(const struct Slips *s, const Fn *f, Val v)
{
	const Races *r = s->r;

	while (val_is_reg(v) && v > f->nparam) {
		const Ins *i = ir_ins(r->ir, fn_reg(r->ir, f, v)->def);
		if (i->op == OP_FIELD && !i->sub && i->aux)
			return map_pair(s->same[i->aux], i->imm + 1);
		if (i->op != OP_INDEX && i->op != OP_COPY && i->op != OP_FIELD)
			break;
		v = ins_arg(r->ir, i, 0);
	}
	if (!val_is_const(v) || ir_const(r->ir, v)->kind != CONST_GLOBAL)
		return 0;
	return map_pair(VARIABLE | ir_const(r->ir, v)->ref, ir_const(r->ir, v)->num + 1);
}

/* A lock by its name behind the last pointer, or itself if it is a single one.  A
 * member that lies at the start of its struct is not named: that may be any lock. */
static const char *
lock_name(const Races *r, const HeldLock *l)
{
	const char *s = l->name, *next;
	size_t n = strlen(s);

	if (l->slot)
		return arena_printf(r->arena, "#%u", l->slot);
	if (!n || s[0] == '*')
		return "";
	while ((next = strstr(s, "->")) != NULL)
		s = next + 2;
	if ((next = strrchr(s, ']')) != NULL && next[1] == '.')
		return next + 2;
	if (s[strlen(s) - 1] == ']') /* whichever of them */
		return arena_printf(r->arena, "%.*s[]", (int)strcspn(s, "["), s);
	if (s == l->name && strchr(s, '.'))
		s = strchr(s, '.') + 1;
	return s;
}

/* The lock of that name in a struct of that type, 0: unknown. */
static u32
lock_new(struct Slips *s, const char *name, TypeId in)
{
	u32 plain = intern_str(&s->locks, name);
	u32 id = in ? intern_str(&s->locks, arena_printf(s->r->arena, "%s@%u", name, in)) : plain;

	while (s->names.n <= MAX(id, plain))
		vec_push(s->r->arena, &s->names, (LockName){0});
	s->names.at[plain] = (LockName){plain, 0};
	s->names.at[id] = (LockName){plain, in};
	return id;
}

/* May the two be one? */
static bool
is_same(const struct Slips *s, u32 x, u32 y)
{
	const LockName *a = &s->names.at[x], *b = &s->names.at[y];

	return x == y || (a->name == b->name && (!a->in || !b->in));
}

static void
add_lock(Common *c, u32 lock)
{
	u32 k = 0;

	while (k < c->n && c->lock[k] != lock)
		k++;
	if (k == MAX_LOCKS)
		return;
	c->lock[k] = lock;
	c->n = MAX(c->n, k + 1);
}

/* Those that may be held. */
static Common
maybe_of(struct Slips *s, const Access *a)
{
	Common c = {0};

	if (!s->might)
		return c;
	SET_FOR (it, might_on_way(s->might, a)) {
		u32 *lock = map_at(s->r->arena, &s->of_token, it.x);
		if (!*lock) {
			*lock = lock_new(s, arena_printf(s->r->arena, "?%u", it.x), 0);
			map_put(s->r->arena, &s->token_of, *lock, it.x);
		}
		add_lock(&c, *lock);
	}
	return c;
}

static Common
locks_of(struct Slips *s, const Access *a)
{
	Races *r = s->r;
	u32 at = map_get(&s->locks_of, map_pair(a->inst, a->held));
	Common c = {0};
	const HeldLock *locks;
	u32 n;

	if (!a->held)
		return maybe_of(s, a);
	if (at)
		return s->lists.at[at - 1];
	n = locks_list(r->conc->locks, a->inst, a->held, &locks);
	for (u32 i = 0; i < n; i++)
		add_lock(&c, lock_new(s, lock_name(r, &locks[i]), s->same[locks[i].in]));
	vec_push(r->arena, &s->lists, c);
	map_put(r->arena, &s->locks_of, map_pair(a->inst, a->held), s->lists.n);
	return c;
}

static bool
has_lock(const struct Slips *s, const Common *c, u32 lock)
{
	for (u32 i = 0; i < c->n; i++)
		if (is_same(s, c->lock[i], lock) || c->lock[i] == s->any)
			return true;
	return false;
}

/* Is the access of a time and an object that counts? */
static bool
counts(const Races *r, const Access *a)
{
	return !(a->flags & ACC_FRESH) &&
	       (a->thread != 1 || !set_empty(order_running(r->conc->order, a->order)));
}

/* What is held in all contexts of the unit that count; false: none does. */
static bool
held_at(struct Slips *s, const Unit *u, Common *out)
{
	bool any = false;

	for (u32 i = u->access; i < u->access + u->naccess && (!any || out->n); i++) {
		const Access *a = access_at(s->r, i);
		Common c;
		u32 n = 0;
		if (!counts(s->r, a))
			continue;
		c = locks_of(s, a);
		for (u32 k = 0; any && k < out->n; k++)
			if (has_lock(s, &c, out->lock[k]))
				out->lock[n++] = out->lock[k];
		if (any)
			out->n = n;
		else
			*out = c;
		any = true;
	}
	return any;
}

static void
count_place(struct Slips *s, Guarded *m, u32 unit, const Common *held)
{
	m->places++;
	vec_push(s->r->arena, &m->units, unit);
	for (u32 i = 0; i < held->n; i++) {
		u32 k = 0;
		while (k < MAX_LOCKS && m->lock[k] && !is_same(s, m->lock[k], held->lock[i]))
			k++;
		if (k == MAX_LOCKS)
			continue;
		if (!m->lock[k] || s->names.at[held->lock[i]].in)
			m->lock[k] = held->lock[i];
		m->held[k]++;
	}
}

/* The struct type of which the access reads a whole one that is a member, as a copy of all counters does; 0 none. */
static TypeId
whole_struct(const struct Slips *s, const Access *a, u64 key)
{
	const Ir *ir = s->r->ir;
	const Type *in = &ir->types.at[key >> 32 & VARIABLE ? 0 : key >> 32];

	if (a->flags & ACC_WRITE || a->size <= ir->ptr_bytes)
		return 0;
	for (u32 i = 0; i < in->nmember; i++) {
		const Member *m = &ir->members.at[in->member + i];
		const Type *type = &ir->types.at[m->type];
		if (m->off + 1 == (u32)key && type->kind == TYPE_STRUCT && type->size == a->size)
			return s->same[m->type];
	}
	return 0;
}

/* Units that read whole structs are places of each member. */
static void
add_whole(struct Slips *s)
{
	for (u32 i = 0; i < s->wholes.n; i++) {
		u32 unit = s->wholes.at[i];
		Common held = {0};
		if (!held_at(s, &s->r->units.at[unit], &held))
			continue;
		for (u32 k = 0; k < s->members.n; k++)
			if (s->members.at[k].in == s->whole_of[unit])
				count_place(s, &s->members.at[k], unit, &held);
	}
}

static void
add_place(struct Slips *s, u32 unit)
{
	Races *r = s->r;
	const Unit *u = &r->units.at[unit];
	const Access *a = access_at(r, u->access);
	u64 key = member_key(s, pta_fn(r->pta, a->inst), a->addr);
	Common held = {0};
	u32 *at;

	if (!key || sets_up(s->r, &s->forking, u) || !held_at(s, u, &held) ||
	    has_lock(s, &held, s->any))
		return;
	s->whole_of[unit] = whole_struct(s, a, key);
	if (s->whole_of[unit])
		vec_push(r->arena, &s->wholes, unit);
	at = map_at(r->arena, &s->index, key);
	if (!*at) {
		vec_push(r->arena, &s->members, (Guarded){0});
		*at = s->members.n;
		s->members.at[*at - 1].in = key >> 32 & VARIABLE ? 0 : (TypeId)(key >> 32);
		s->members.at[*at - 1].off = (u32)key - 1;
	}
	s->member_of[unit] = *at;
	count_place(s, &s->members.at[*at - 1], unit, &held);
}

/* Is the lock not held in one function only, and held in others, for a write or in two of them?  Other
 * sections of that function which hold it are witnesses too, if another function is one. */
static bool
one_forgets(struct Slips *s, const Guarded *m, u32 lock)
{
	FnId lacking = 0, holding = 0;
	u32 held = 0;
	bool guards = false, others = false;

	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < m->units.n; i++) {
			const Unit *u = &s->r->units.at[m->units.at[i]];
			FnId fn = inst_fn(s->r, access_at(s->r, u->access)->inst);
			Common here = {0};
			bool has = held_at(s, u, &here) && has_lock(s, &here, lock);
			if (!has && lacking && fn != lacking)
				return false;
			if (!has)
				lacking = fn;
			if (!pass || !has)
				continue;
			guards |= u->flags & ACC_WRITE || (holding && holding != fn);
			holding = fn;
			others |= fn != lacking;
			held++;
		}
	return guards && others && held >= FEW_HELD;
}

/* Does no more than one function write it?  Then that may be who makes it. */
static bool
is_steady(const struct Slips *s, const Guarded *m)
{
	FnId writer = 0;

	for (u32 i = 0; i < m->units.n; i++) {
		const Unit *u = &s->r->units.at[m->units.at[i]];
		FnId fn = inst_fn(s->r, access_at(s->r, u->access)->inst);
		if (u->flags & ACC_WRITE && writer && writer != fn)
			return false;
		if (u->flags & ACC_WRITE)
			writer = fn;
	}
	return true;
}

/* Decides which locks the member has that somebody forgot; if all hold one, that is enough. */
static void
find_locks(struct Slips *s, Guarded *m)
{
	for (u32 i = 0; i < MAX_LOCKS; i++)
		if (m->held[i] == m->places)
			return;
	for (u32 i = 0; i < MAX_LOCKS && m->held[i]; i++) {
		bool most = m->held[i] >= MIN_HELD && m->held[i] * SHARE >= m->places * (SHARE - 1);
		if (most || (m->held[i] >= FEW_HELD && one_forgets(s, m, m->lock[i])))
			m->has |= 1u << i;
	}
	m->steady = is_steady(s, m);
}

/* ---- locks of whole structs ------------------------------------------------ */

/* Is the lock one of the member's struct?  The pointer to it is guarded by nothing. */
static bool
is_of_struct(const struct Slips *s, const Guarded *m, u32 lock)
{
	u32 token = map_get(&s->token_of, lock);
	u64 off = 0;
	TypeId in = token ? might_struct(s->might, token, &off) : s->names.at[lock].in;

	return m->in && s->same[in] == m->in && !(token && off == m->off);
}

static FnId
unit_fn(const struct Slips *s, u32 unit)
{
	return inst_fn(s->r, access_at(s->r, s->r->units.at[unit].access)->inst);
}

/* May the lock be held in one of the unit's contexts that count, whoever calls?  What callers of an open
 * program call must hold it in all: they hold nothing, whatever else leads there. */
static bool
may_hold(struct Slips *s, u32 unit, u32 lock)
{
	const Unit *u = &s->r->units.at[unit];
	u32 token = map_get(&s->token_of, lock);
	Common all = {0};

	if (s->might && might_is_open(s->might, unit_fn(s, unit)))
		return held_at(s, u, &all) && has_lock(s, &all, lock);
	for (u32 i = u->access; i < u->access + u->naccess; i++) {
		const Access *a = access_at(s->r, i);
		Common c;
		if (!counts(s->r, a))
			continue;
		if (token && might_at_all(s->might, a, token))
			return true;
		c = locks_of(s, a);
		if (has_lock(s, &c, lock))
			return true;
	}
	return false;
}

/* Do two functions use the member, one for writing? */
static bool
is_used(const struct Slips *s, const Guarded *m)
{
	bool writes = false, others = false;

	for (u32 i = 0; i < m->units.n; i++) {
		writes |= s->r->units.at[m->units.at[i]].flags & ACC_WRITE;
		others |= unit_fn(s, m->units.at[i]) != unit_fn(s, m->units.at[0]);
	}
	return writes && others;
}

/* (lock of a struct) -> how many of its members it guards at all of their places. */
static Map
whole_members(struct Slips *s)
{
	Map whole = {0};

	for (u32 k = 0; k < s->members.n; k++) {
		const Guarded *m = &s->members.at[k];
		for (u32 i = 0; i < MAX_LOCKS && m->lock[i]; i++)
			if (m->held[i] == m->places && is_of_struct(s, m, m->lock[i]) &&
			    is_used(s, m))
				++*map_at(s->r->arena, &whole, m->lock[i]);
	}
	return whole;
}

/* Is it held, on some way at least, by all but one function, or by most? */
static bool
is_meant_for(struct Slips *s, const Guarded *m, u32 lock)
{
	FnId lacking = 0;
	u32 held = 0;
	bool alone = true;

	for (u32 i = 0; i < m->units.n; i++) {
		FnId fn = unit_fn(s, m->units.at[i]);
		if (may_hold(s, m->units.at[i], lock)) {
			held++;
			continue;
		}
		alone &= !lacking || lacking == fn;
		lacking = fn;
	}
	return lacking && held &&
	       (alone || (held >= MIN_HELD && held * SHARE >= m->places * (SHARE - 1)));
}

/* The place of the lock in the member's list, made if it is new; MAX_LOCKS: there is no room. */
static u32
lock_index(Guarded *m, u32 lock)
{
	u32 k = 0;

	while (k < MAX_LOCKS && m->lock[k] && m->lock[k] != lock)
		k++;
	if (k < MAX_LOCKS)
		m->lock[k] = lock;
	return k;
}

/* Gives the members of structs the locks that these have. */
static void
add_struct_locks(struct Slips *s)
{
	Map whole = whole_members(s);

	for (u32 c = 0; c < whole.cap; c++) {
		u32 lock = (u32)whole.cells[c].key;
		if (whole.cells[c].val < MIN_WHOLE)
			continue;
		for (u32 k = 0; k < s->members.n; k++) {
			Guarded *m = &s->members.at[k];
			u32 i;
			if (!is_of_struct(s, m, lock) || !is_used(s, m) ||
			    !is_meant_for(s, m, lock))
				continue;
			i = lock_index(m, lock);
			if (i < MAX_LOCKS && !(m->has >> i & 1)) {
				m->has |= 1u << i;
				m->loose |= 1u << i;
			}
		}
	}
}

struct Slips *
slips_new(Races *r)
{
	struct Slips *s = arena_new(r->arena, struct Slips);

	s->r = r;
	s->member_of = arena_array(r->arena, u32, r->units.n + 1);
	s->whole_of = arena_array(r->arena, TypeId, r->units.n + 1);
	intern_init(&s->locks, r->arena);
	s->any = lock_new(s, "", 0);
	s->same = might_same(r);
	s->might = r->ir->classes.n > 1 ? NULL : might_new(r, s->same);
	s->vias = s->might ? vias_new(r, s->might, s->same) : NULL;
	for (u32 e = 0; e < r->pta->edges.n; e++)
		if (r->pta->edges.at[e].fork)
			set_add(r->arena, &s->forking, inst_fn(r, r->pta->edges.at[e].from));
	for (u32 u = 1; u < r->units.n; u++)
		if (r->units.at[u].reached && r->units.at[u].naccess && !r->units.at[u].kind)
			add_place(s, u);
	add_whole(s);
	for (u32 k = 0; k < s->members.n; k++)
		find_locks(s, &s->members.at[k]);
	add_struct_locks(s);
	return s;
}

/* The locks of the member that are held, as bits. */
static u32
own_locks(const struct Slips *s, const Guarded *m, const Common *held)
{
	u32 bits = 0;

	for (u32 i = 0; m->has >> i; i++)
		bits |= m->has >> i & 1 && has_lock(s, held, m->lock[i]) ? 1u << i : 0;
	return bits;
}

/* Those of the member that the access may hold, whoever calls. */
static u32
maybe_locks(const struct Slips *s, const Guarded *m, const Access *a)
{
	u32 bits = 0;

	for (u32 i = 0; m->has >> i; i++) {
		u32 token = m->has >> i & 1 ? map_get(&s->token_of, m->lock[i]) : 0;
		if (token && might_at_all(s->might, a, token))
			bits |= 1u << i;
	}
	return bits;
}

/* The member that both touch, plus 1; 0 none. */
static u32
common_member(const struct Slips *s, u32 unit, u32 other)
{
	u32 x = s->member_of[unit], y = s->member_of[other];

	if (x == y)
		return x;
	if (x && s->whole_of[other] && s->members.at[x - 1].in == s->whole_of[other])
		return x;
	return y && s->whole_of[unit] && s->members.at[y - 1].in == s->whole_of[unit] ? y : 0;
}

/* The same of a member as such, whatever leads to it. */
static u32
member_side(struct Slips *s, u32 a, u32 b)
{
	const Access *x = access_at(s->r, a), *y = access_at(s->r, b);
	u32 member = common_member(s, s->r->unit_of[a], s->r->unit_of[b]), p, q;
	const Guarded *m = member ? &s->members.at[member - 1] : NULL;
	Common held;

	if (!m || !m->has)
		return 0;
	held = locks_of(s, x);
	p = own_locks(s, m, &held) | (m->loose ? maybe_locks(s, m, x) & m->loose : 0);
	held = locks_of(s, y);
	q = own_locks(s, m, &held) | (m->loose ? maybe_locks(s, m, y) & m->loose : 0);
	if (m->steady && !(x->held | y->held) && !((p ? y : x)->flags & ACC_WRITE))
		return 0;
	if (p == q || (p | maybe_locks(s, m, x)) & (q | maybe_locks(s, m, y)))
		return 0;
	return p ? 2 : 1;
}

bool
slips_behind(struct Slips *s, u32 a, u32 b)
{
	return s->vias && vias_side(s->vias, a, b);
}

u32
slips_side(struct Slips *s, u32 a, u32 b)
{
	u32 side = member_side(s, a, b);

	return side || !s->vias ? side : vias_side(s->vias, a, b);
}

bool
slips_may(const struct Slips *s, u32 ux, u32 uy)
{
	u32 member = common_member(s, ux, uy);

	return (member && s->members.at[member - 1].has) || (s->vias && vias_may(s->vias, ux, uy));
}

bool
slips(struct Slips *s, u32 a, u32 b)
{
	return slips_side(s, a, b) != 0;
}

/* Those that are held in all contexts of the unit that count, or in some, of the struct's. */
static u32
unit_locks(struct Slips *s, const Guarded *m, u32 unit)
{
	Common held = {0};
	u32 bits;

	held_at(s, &s->r->units.at[unit], &held);
	bits = own_locks(s, m, &held);
	for (u32 i = 0; m->loose >> i; i++)
		bits |= m->loose >> i & 1 && may_hold(s, unit, m->lock[i]) ? 1u << i : 0;
	return bits;
}

/* Lists the unit, which holds these, with some that hold others. */
static void
list_with_others(struct Slips *s, const Guarded *m, u32 x, u32 held,
		 void (*list)(void *ctx, u32 unit, u32 other), void *ctx)
{
	u32 n = 0;

	for (u32 j = 0; j < m->units.n && n < PARTNERS; j++) {
		u32 y = m->units.at[j];
		u32 other = unit_locks(s, m, y);
		if (!other || other & held ||
		    !((s->r->units.at[x].flags | s->r->units.at[y].flags) & ACC_WRITE))
			continue;
		list(ctx, x, y);
		n++;
	}
}

void
slips_list(struct Slips *s, void (*list)(void *ctx, u32 unit, u32 other), void *ctx)
{
	u32 found = 0;

	for (u32 k = 0; k < s->members.n; k++) {
		const Guarded *m = &s->members.at[k];
		for (u32 i = 0; m->has && i < m->units.n && found < MAX_SLIPS; i++) {
			u32 held = unit_locks(s, m, m->units.at[i]);
			if (held == m->has)
				continue;
			found++;
			list_with_others(s, m, m->units.at[i], held, list, ctx);
		}
	}
}

void
slips_list_behind(struct Slips *s, void (*list)(void *ctx, u32 unit, u32 other), void *ctx)
{
	if (s->vias)
		vias_list(s->vias, list, ctx);
}
