/* link_type.c - merges the types and classes of units.
 *
 * Types are merged by content, and may refer to themselves through pointers.
 * Each starts with a label, a hash of what it says by itself; in each round it
 * is hashed with those of the types it refers to, until a round tells no two
 * more apart (partition refinement, at most ROUNDS times; types that refer
 * to each other over more steps than that stay apart, unit by unit).  Which
 * labels are equal depends on content alone, so the order of units shows only
 * in the ids.
 *
 * Classes are merged by name: one unit defines, the others only refer.  Units that
 * do not belong together may then make a class inherit from itself: an assumption, by
 * which such classes inherit from none. */
#include "ir/link_int.h"

#include "base/graph.h"

enum { ROUNDS = 64 };

/* ---- types -------------------------------------------------------------- */

/* Not symmetric: a small kind and a small name must not pass for one another,
 * nor a pointer to a record for the record. */
static u64
mix(u64 h, u64 x)
{
	return hash_u64(hash_u64(h + 0x9e3779b97f4a7c15u) ^ x);
}

/* What a type says without the types it refers to. */
static u64
own_label(const Unit *u, const Type *t)
{
	u64 h = mix(t->kind, u->str[t->name]);

	h = mix(h, t->size);
	h = mix(h, t->count);
	h = mix(h, t->nmember);
	for (u32 k = 0; k < t->nmember; k++) {
		const Member *m = &u->ir->members.at[t->member + k];
		h = mix(mix(h, u->str[m->name]), m->off);
	}
	return h;
}

static u64
next_label(const Unit *u, TypeId id)
{
	const Type *t = &u->ir->types.at[id];
	u64 h = mix(u->label[id], u->label[t->elem]);

	for (u32 k = 0; k < t->nmember; k++)
		h = mix(h, u->label[u->ir->members.at[t->member + k].type]);
	return h;
}

/* One round over all units; returns how many labels there are now. */
static u32
refine(Link *l, Map *seen)
{
	map_clear(seen);
	for (u32 k = 0; k < l->n; k++) {
		Unit *u = &l->units[k];
		u64 *next = arena_array(&l->scratch, u64, u->ir->types.n);
		for (TypeId t = 1; t < u->ir->types.n; t++) {
			next[t] = next_label(u, t);
			map_put(&l->scratch, seen, next[t], 1);
		}
		arena_recycle(&l->scratch, u->label, u->ir->types.n * sizeof *u->label);
		u->label = next;
	}
	return seen->n;
}

static void
label_types(Link *l)
{
	Map seen = {0};
	u32 count = 0, before, rounds = 0;

	for (u32 k = 0; k < l->n; k++) {
		Unit *u = &l->units[k];
		u->label = arena_array(&l->scratch, u64, u->ir->types.n);
		for (TypeId t = 1; t < u->ir->types.n; t++)
			u->label[t] = own_label(u, &u->ir->types.at[t]);
	}
	do {
		before = count;
		count = refine(l, &seen);
	} while (count != before && ++rounds < ROUNDS);
	for (u32 k = 0; count != before && k < l->n; k++)
		for (TypeId t = 1; t < l->units[k].ir->types.n; t++)
			l->units[k].label[t] = mix(k, t);
}

static void
copy_type(Link *l, const Unit *u, TypeId from)
{
	Ir *out = l->out;
	const Type *t = &u->ir->types.at[from];
	Type *o = &out->types.at[u->type[from]];

	*o = *t;
	o->name = u->str[t->name];
	o->elem = u->type[t->elem];
	o->member = t->nmember ? out->members.n : 0;
	for (u32 k = 0; k < t->nmember; k++) {
		const Member *m = &u->ir->members.at[t->member + k];
		vec_push(out->arena, &out->members,
			 (Member){u->str[m->name], u->type[m->type], m->off});
	}
}

void
link_types(Link *l)
{
	Map ids = {0};
	Picks first = {0}; /* by id in the program, from 1 */

	label_types(l);
	vec_push(&l->scratch, &first, (Pick){0});
	for (u32 k = 0; k < l->n; k++) {
		Unit *u = &l->units[k];
		u->type = arena_array(&l->scratch, TypeId, u->ir->types.n);
		for (TypeId t = 1; t < u->ir->types.n; t++) {
			u32 *id = map_at(&l->scratch, &ids, u->label[t]);
			if (!*id) {
				*id = l->out->types.n;
				(void)vec_extend(l->out->arena, &l->out->types, 1);
				vec_push(&l->scratch, &first, (Pick){k, t});
			}
			u->type[t] = *id;
		}
	}
	for (u32 k = 1; k < first.n; k++)
		copy_type(l, &l->units[first.at[k].unit], first.at[k].id);
}

/* ---- classes ------------------------------------------------------------ */

typedef struct Merged {
	Picks from;          /* the definition first, if there is one */
	u32 said;            /* how much that says, see says */
	Map fields;          /* name -> its id in the program */
	Map methods, ifaces; /* ids that are in */
} Merged;

/* A definition says more than a mention, which may know fields that it uses. */
static u32
says(const Class *c)
{
	if (c->super || c->nmethod || c->niface || c->cinit)
		return 2;
	return c->nfield ? 1 : 0;
}

static Merged *
gather(Link *l)
{
	Vec(Merged) all = {0};
	Map by_name = {0};

	vec_push(&l->scratch, &all, (Merged){0});
	for (u32 k = 0; k < l->n; k++) {
		Unit *u = &l->units[k];
		u->class = arena_array(&l->scratch, ClassId, u->ir->classes.n);
		u->field = arena_array(&l->scratch, FieldId, u->ir->fields.n);
		for (ClassId c = 1; c < u->ir->classes.n; c++) {
			u32 *id = map_at(&l->scratch, &by_name, u->str[u->ir->classes.at[c].name]);
			Merged *m;
			if (!*id) {
				*id = all.n;
				vec_push(&l->scratch, &all, (Merged){0});
				(void)vec_extend(l->out->arena, &l->out->classes, 1);
			}
			u->class[c] = *id;
			m = &all.at[*id];
			vec_push(&l->scratch, &m->from, (Pick){k, c});
			if (m->said < says(&u->ir->classes.at[c])) {
				Pick first = m->from.at[0];
				m->from.at[0] = (Pick){k, c};
				m->from.at[m->from.n - 1] = first;
				m->said = says(&u->ir->classes.at[c]);
			}
		}
	}
	return all.at;
}

static void
merge_fields(Link *l, ClassId id, Merged *m)
{
	Ir *out = l->out;
	Class *o = &out->classes.at[id];

	o->field = out->fields.n;
	for (u32 k = 0; k < m->from.n; k++) {
		const Unit *u = &l->units[m->from.at[k].unit];
		const Class *c = &u->ir->classes.at[m->from.at[k].id];
		for (FieldId f = c->field; f < c->field + c->nfield; f++) {
			const Field *x = &u->ir->fields.at[f];
			u32 *place = map_at(&l->scratch, &m->fields, u->str[x->name]);
			if (!*place) {
				*place = out->fields.n;
				vec_push(out->arena, &out->fields,
					 (Field){u->str[x->name], id, u->type[x->type], x->flags,
						 x->guard ? u->str[x->guard] : 0});
			}
			u->field[f] = *place;
		}
	}
	o->nfield = out->fields.n - o->field;
}

/* Appends what is new of the n ids at from, renamed by to. */
static u32
merge_refs(Link *l, Map *in, const Unit *u, u32 from, u32 n, const u32 *to)
{
	u32 added = 0;

	for (u32 k = 0; k < n; k++) {
		u32 x = to[u->ir->refs.at[from + k]];
		if (map_get(in, x))
			continue;
		map_put(&l->scratch, in, x, 1);
		vec_push(l->out->arena, &l->out->refs, x);
		added++;
	}
	return added;
}

static void
merge_class(Link *l, ClassId id, Merged *m)
{
	Ir *out = l->out;
	Class *o = &out->classes.at[id];
	const Unit *first = &l->units[m->from.at[0].unit];
	const Class *c = &first->ir->classes.at[m->from.at[0].id];

	*o = *c;
	o->name = first->str[c->name];
	o->unit = first->str[c->unit];
	o->super = first->class[c->super];
	o->cinit = first->fn[c->cinit];
	merge_fields(l, id, m);
	o->iface = out->refs.n;
	o->niface = o->nmethod = 0;
	for (u32 k = 0; k < m->from.n; k++) {
		const Unit *u = &l->units[m->from.at[k].unit];
		const Class *x = &u->ir->classes.at[m->from.at[k].id];
		o->niface += merge_refs(l, &m->ifaces, u, x->iface, x->niface, u->class);
	}
	o->method = out->refs.n;
	for (u32 k = 0; k < m->from.n; k++) {
		const Unit *u = &l->units[m->from.at[k].unit];
		const Class *x = &u->ir->classes.at[m->from.at[k].id];
		o->nmethod += merge_refs(l, &m->methods, u, x->method, x->nmethod, u->fn);
	}
}

static void
cut_cycle(Link *l, ClassId id)
{
	Ir *out = l->out;
	Class *c = &out->classes.at[id];
	char *what = arena_printf(&l->scratch, "%s: it inherits from itself; that is ignored",
				  ir_str(out, c->name));

	vec_push(out->arena, &out->assumes, (Assume){intern_str(&out->strs, what), 0, 0});
	c->super = 0;
	c->niface = 0;
}

static void
cut_cycles(Link *l)
{
	Ir *out = l->out;
	Vec(Arc) arcs = {0};
	Graph g;
	Sccs s;

	for (ClassId id = 1; id < out->classes.n; id++) {
		const Class *c = &out->classes.at[id];
		bool itself = c->super == id;
		if (c->super)
			vec_push(&l->scratch, &arcs, (Arc){id, c->super});
		for (u32 k = 0; k < c->niface; k++) {
			itself |= out->refs.at[c->iface + k] == id;
			vec_push(&l->scratch, &arcs, (Arc){id, out->refs.at[c->iface + k]});
		}
		if (itself)
			cut_cycle(l, id);
	}
	graph_build(&g, &l->scratch, out->classes.n, arcs.at, arcs.n);
	graph_sccs(&s, &l->scratch, &g);
	for (u32 k = 0; k < s.n; k++)
		for (u32 i = s.first[k]; s.first[k + 1] - s.first[k] > 1 && i < s.first[k + 1]; i++)
			cut_cycle(l, s.nodes[i]);
}

void
link_classes(Link *l)
{
	Merged *all = gather(l);

	for (ClassId c = 1; c < l->out->classes.n; c++)
		merge_class(l, c, &all[c]);
	cut_cycles(l);
}
