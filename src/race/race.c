/* race.c - the stages in order, and the words for what they find. */
#include "race/race_int.h"

RaceResult *
race_find(Arena *a, const Conc *c, const RaceOptions *opt)
{
	Races r = {.conc = c, .ir = c->ir, .pta = c->pta, .opt = opt, .arena = a};

	r.result = arena_new(a, RaceResult);
	r.result->conc = c;
	r.result->arena = a;
	r.result->sources = sources_new(a, c->ir);
	sources_path(r.result->sources, opt->source_path);
	r.walk = walk_new(a, c->ir);
	units_build(&r);
	r.uses = uses_new(&r);
	r.notes = notes_new(&r);
	r.site_locks = site_locks_new(&r);
	arena_init(&r.stages, a->budget);
	groups_build(&r);
	r.publish = publish_new(&r);
	stages_run(&r);
	arena_release(&r.stages);
	list_build(&r);
	for (u32 u = 1; u < r.units.n; u++)
		if (r.units.at[u].group && !set_empty(&r.groups.at[r.units.at[u].group].racing))
			set_add(a, &r.result->racing_ins, r.units.at[u].ins);
	r.reasons = reasons_new(&r);
	pairs_build(&r);
	exhaust_pairs(&r);
	places_build(&r);
	near_build(&r);
	causes_build(&r);
	return r.result;
}

static bool
is_unlisted(const RaceResult *r, u64 a, u64 b)
{
	u32 g, h;

	if (!r->group_of) /* it was kept */
		return false;
	g = r->group_of[r->unit_at[a]];
	h = r->group_of[r->unit_at[b]];
	return g && h && set_has(&r->racing[g], h);
}

/* Few runs ask for single pairs, so they are indexed at the first question. */
static void
index_pairs(RaceResult *r)
{
	for (u32 i = 0; i < r->pairs.n; i++) {
		const Pair *p = &r->pairs.at[i];
		InsId a = r->conc->accesses.at[p->a].ins, b = r->conc->accesses.at[p->b].ins;
		u32 *at = map_at(r->arena, &r->rung_of, map_pair(MIN(a, b), MAX(a, b)));

		*at = MAX(*at, (u32)p->rung);
	}
}

Rung
race_pair_rung(RaceResult *r, InsId a, InsId b)
{
	Rung listed;

	if (!r->rung_of.n)
		index_pairs(r);
	listed = (Rung)map_get(&r->rung_of, map_pair(MIN(a, b), MAX(a, b)));
	for (u32 i = 0; r->abridged && !listed && i < 4; i++)
		if (is_unlisted(r, (u64)a * 2 + i % 2, (u64)b * 2 + i / 2))
			return RUNG_POSSIBLE;
	return listed;
}

const char *
rung_name(Rung r)
{
	static const char *const name[] = {"excluded", "possible", "likely", "definite",
					   "confirmed"};

	return name[r];
}

const char *
stage_name(Stage s)
{
	static const char *const name[] = {
#define X(id, text) text,
	    RACE_STAGES(X)
#undef X
	};

	return name[s];
}

const char *
reason_name(Reason r)
{
	static const char *const name[] = {
#define X(id, text, why) text,
	    RACE_REASONS(X)
#undef X
	};

	return name[r];
}

const char *
reason_text(Reason r)
{
	static const char *const text[] = {
#define X(id, name, why) why,
	    RACE_REASONS(X)
#undef X
	};

	return text[r];
}

const char *
harm_name(Harm h)
{
	static const char *const name[] = {
#define X(id, text, why) text,
	    RACE_HARMS(X)
#undef X
	};

	return name[h];
}

const char *
harm_text(Harm h)
{
	static const char *const text[] = {
#define X(id, name, why) why,
	    RACE_HARMS(X)
#undef X
	};

	return text[h];
}

const char *
cause_name(CauseKind k)
{
	static const char *const name[] = {
#define X(id, text) text,
	    RACE_CAUSES(X)
#undef X
	};

	return name[k];
}
