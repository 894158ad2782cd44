/* fingerprint.c - an identity that survives edits elsewhere in the program.
 *
 * It is a hash of the location's name and, for both sides of its best pair,
 * the function, the text of the statement without comments and needless white space,
 * and which one it is among equal ones of that function.  No line numbers and no paths: a
 * baseline outlives moved files, lines inserted above, and lines that are broken elsewhere. */
#include "race/race_int.h"

#include <stdio.h>
#include <string.h>

typedef struct Prints {
	const Races *r;
	const char **text; /* [SrcId]; null: not asked for yet */
} Prints;

static const char *
text_of(const Prints *p, InsId ins)
{
	SrcId id = ir_ins(p->r->ir, ins)->src;
	const Src *s = &p->r->ir->srcs.at[id];
	const char *text = p->text[id];

	if (!text)
		text = source_statement(p->r->result->sources, s->file, s->line, s->col);
	return p->text[id] = text ? text : "";
}

/* How many accesses of the same sort stand before ins in fn in a statement with
 * the same text? */
static u32
ordinal(const Prints *p, const Fn *f, InsId ins, const char *text)
{
	const Ir *ir = p->r->ir;
	const Ins *self = ir_ins(ir, ins);
	u32 n = 0;

	for (InsId i = f->ins; i < ins; i++) {
		const Ins *other = ir_ins(ir, i);

		if (other->op == self->op &&
		    (other->src == self->src || !strcmp(text_of(p, i), text)))
			n++;
	}
	return n;
}

static const char *
side(const Prints *p, u32 access)
{
	const Races *r = p->r;
	const Access *a = access_at(r, access);
	InsId ins = race_shown_ins(r->result, access);
	const Fn *f = pta_fn(r->pta, race_shown_inst(r->result, access));
	const char *text = text_of(p, ins);

	return arena_printf(r->arena, "%s\n%s\n%c%u",
			    ir_str(r->ir, f->pretty ? f->pretty : f->name), text,
			    a->flags & ACC_WRITE ? 'w' : 'r', ordinal(p, f, ins, text));
}

static u64
hash_of(const Prints *p, const Race *race)
{
	const Races *r = p->r;
	const Pair *pair = &r->result->pairs.at[race->pair];
	const char *x = side(p, pair->a), *y = side(p, pair->b), *all;

	if (strcmp(x, y) > 0) {
		const char *t = x;

		x = y;
		y = t;
	}
	all = arena_printf(r->arena, "%s\n%s\n%s", race->name, x, y);
	return hash_bytes(all, strlen(all));
}

void
fingerprints_build(Races *r)
{
	Prints p = {r, arena_array(r->arena, const char *, r->ir->srcs.n + 1)};
	Map seen = {0};

	for (u32 i = 0; i < r->result->races.n; i++) {
		Race *race = &r->result->races.at[i];
		u64 h = hash_of(&p, race);

		while (map_get(&seen, h))
			h = hash_u64(h + 1);
		map_put(r->arena, &seen, h, i + 1);
		snprintf(race->id, sizeof race->id, "%016llx", (unsigned long long)h);
	}
}
