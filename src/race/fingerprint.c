/* fingerprint.c - an identity that survives edits elsewhere in the program.
 *
 * It is a hash of the location's name and, for both sides of its best pair,
 * the function, the text of the line without comments and needless white space,
 * and which one it is among equal lines of that function.  No line numbers and no paths: a
 * baseline outlives moved files and lines inserted above. */
#include "race/race_int.h"

#include <stdio.h>
#include <string.h>

static const char *
text_of(const Races *r, InsId ins)
{
	const Src *s = &r->ir->srcs.at[ir_ins(r->ir, ins)->src];
	const char *text = source_normal(r->result->sources, s->file, s->line);

	return text ? text : "";
}

/* How many accesses of the same sort stand before ins in fn on a line with
 * the same text? */
static u32
ordinal(const Races *r, const Fn *f, InsId ins, const char *text)
{
	const Ins *self = ir_ins(r->ir, ins);
	u32 n = 0;

	for (InsId i = f->ins; i < ins; i++) {
		const Ins *other = ir_ins(r->ir, i);

		if (other->op == self->op &&
		    (other->src == self->src || !strcmp(text_of(r, i), text)))
			n++;
	}
	return n;
}

static const char *
side(const Races *r, u32 access)
{
	const Access *a = access_at(r, access);
	InsId ins = race_shown_ins(r->result, access);
	const Fn *f = pta_fn(r->pta, race_shown_inst(r->result, access));
	const char *text = text_of(r, ins);

	return arena_printf(r->arena, "%s\n%s\n%c%u",
			    ir_str(r->ir, f->pretty ? f->pretty : f->name), text,
			    a->flags & ACC_WRITE ? 'w' : 'r', ordinal(r, f, ins, text));
}

static u64
hash_of(const Races *r, const Race *race)
{
	const Pair *p = &r->result->pairs.at[race->pair];
	const char *x = side(r, p->a), *y = side(r, p->b), *all;

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
	Map seen = {0};

	for (u32 i = 0; i < r->result->races.n; i++) {
		Race *race = &r->result->races.at[i];
		u64 h = hash_of(r, race);

		while (map_get(&seen, h))
			h = hash_u64(h + 1);
		map_put(r->arena, &seen, h, i + 1);
		snprintf(race->id, sizeof race->id, "%016llx", (unsigned long long)h);
	}
}
