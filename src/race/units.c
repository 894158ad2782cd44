/* units.c - the access instructions of a program, and how many pairs they make.
 *
 * All functions with a body count, reached or not: "original" is what one
 * would have to look at without any analysis.  The number of pairs follows
 * from four counts per kind of memory. */
#include "conc/access.h"
#include "race/race_int.h"

bool
flags_conflict(u32 x, u32 y)
{
	return ((x | y) & ACC_WRITE) && !(x & y & ACC_ATOMIC);
}

/* Memory that the address belongs to: Java's fields and arrays are kinds of
 * their own, the bytes of C are one. */
static u32
kind_of(const Ir *ir, const Fn *f, Val addr)
{
	const Ins *i;
	InsId def;

	if (!val_is_reg(addr))
		return 0;
	def = fn_reg(ir, f, addr)->def;
	if (!def)
		return 0;
	i = ir_ins(ir, def);
	if (i->op == OP_FIELD && i->sub == 1)
		return 2 + i->aux;
	return i->op == OP_INDEX && i->sub == 1;
}

static u32
add(Races *r, InsId ins, u32 kind, u32 flags)
{
	u32 *at = &r->unit_at[(u64)ins * 2 + ((flags & ACC_SECOND) != 0)];

	if (!*at) {
		*at = r->units.n;
		vec_push(r->arena, &r->units, (Unit){.ins = ins, .kind = kind, .flags = flags});
	}
	return *at;
}

static u32
flags_of(const Races *r, u32 flags)
{
	if (r->opt->volatile_atomic && (flags & ACC_VOLATILE))
		flags |= ACC_ATOMIC;
	return flags & (ACC_WRITE | ACC_ATOMIC | ACC_SECOND);
}

static void
mark_reached(Races *r)
{
	u32 n = r->conc->accesses.n, unit = 0;

	r->unit_of = arena_array(r->arena, u32, n + 1);
	for (u32 i = 0; i < n; i++) {
		const Access *a = access_at(r, i);
		const Fn *f = pta_fn(r->pta, a->inst);

		if (!i || a->ins != a[-1].ins || (a->flags ^ a[-1].flags) & ACC_SECOND)
			unit = add(r, a->ins, kind_of(r->ir, f, a->addr), flags_of(r, a->flags));
		if (!r->units.at[unit].reached)
			r->units.at[unit].access = i;
		assert(r->units.at[unit].access + r->units.at[unit].naccess == i);
		r->units.at[unit].naccess++;
		r->units.at[unit].reached = true;
		r->unit_of[i] = unit;
	}
	for (u32 i = 0; r->opt->elide_constructors && i < n; i++)
		if (pta_fn(r->pta, access_at(r, i)->inst)->flags &
		    (FN_CONSTRUCTOR | FN_CINIT | FN_DESTRUCTOR))
			r->units.at[r->unit_of[i]].reached = false;
}

static void
add_ins(Races *r, const Fn *f, InsId id)
{
	Touch touch[2];
	u32 n = access_touches(r->ir, id, touch);

	r->ops[id] = ir_ins(r->ir, id)->op;
	for (u32 i = 0; i < n; i++)
		add(r, id, kind_of(r->ir, f, touch[i].addr), flags_of(r, touch[i].flags));
}

void
units_build(Races *r)
{
	r->unit_at = arena_array(r->arena, u32, 2 * (u64)r->ir->ins.n);
	r->ops = arena_array(r->arena, u8, r->ir->ins.n);
	vec_push(r->arena, &r->units, (Unit){0});
	for (FnId id = 1; id < r->ir->fns.n; id++) {
		const Fn *f = &r->ir->fns.at[id];

		for (u32 k = 0; k < f->nins; k++)
			add_ins(r, f, f->ins + k);
	}
	mark_reached(r);
}

typedef struct Tally {
	u64 writes, reads, atomic_writes, atomic_reads;
} Tally;

static u64
pairs(const Tally *t)
{
	u64 all = t->writes * (t->writes + 1) / 2 + t->writes * t->reads;
	u64 atomic =
	    t->atomic_writes * (t->atomic_writes + 1) / 2 + t->atomic_writes * t->atomic_reads;

	return all - atomic;
}

u64
units_pairs(const Races *r, bool reached)
{
	Vec(Tally) tallies = {0};
	Map index = {0};
	u64 sum = 0;

	for (u32 i = 1; i < r->units.n; i++) {
		const Unit *u = &r->units.at[i];
		u32 *at;
		Tally *t;

		if (reached && !u->reached)
			continue;
		at = map_at(r->arena, &index, u->kind);
		if (!*at) {
			vec_push(r->arena, &tallies, (Tally){0});
			*at = tallies.n;
		}
		t = &tallies.at[*at - 1];
		if (u->flags & ACC_WRITE) {
			t->writes++;
			t->atomic_writes += (u->flags & ACC_ATOMIC) != 0;
		} else {
			t->reads++;
			t->atomic_reads += (u->flags & ACC_ATOMIC) != 0;
		}
	}
	for (u32 i = 0; i < tallies.n; i++)
		sum += pairs(&tallies.at[i]);
	return sum;
}
