/* reason_way.c - accesses that a thread reaches only by ways that are not meant.
 *
 * The process reports a fatal error and ends (conc/ending.h): what it reads for its
 * report may change meanwhile, and nobody minds.  Or the way leads through a call that the
 * thread is only guessed to make (conc/guess.h), or that is made only while a mode is at
 * rest (reason_mode.c), by a thread that others work with.  The instances that a thread reaches by
 * other calls, with what these pass (conc/given.h), are found by one search from its start for each kind, at the first question.
 * This is no proof: it only lowers a rung. */
#include "conc/given.h"
#include "conc/guess.h"
#include "race/reason_int.h"

enum { MAX_THREADS = 256 /* with more, nobody asks */ };

/* The calls that a search does not follow: each kind those of the one before, too. */
typedef enum Shunned { SHUN_ENDING, SHUN_GUESSED, SHUN_REST, SHUN_KINDS } Shunned;

typedef struct Ways {
	bool **reached[SHUN_KINDS]; /* [ThreadId][InstId]; null: not asked */
} Ways;

/* Calls that are not followed. */
typedef struct Shun {
	Reasons *rs;
	ThreadId thread;
	Shunned kind;
} Shun;

static bool
is_shunned(void *ctx, u32 edge)
{
	const Shun *s = ctx;
	const Conc *c = s->rs->r->conc;

	return (c->ending && c->ending[edge]) ||
	       (s->kind >= SHUN_GUESSED && guess_doubts(c->guess, c->threads, s->thread, edge)) ||
	       (s->kind == SHUN_REST && s->thread != 1 &&
		set_has(reason_rest_calls(s->rs), c->pta->edges.at[edge].ins));
}

static bool *
search(Reasons *rs, ThreadId t, Shunned kind)
{
	const Races *r = rs->r;
	bool *seen = arena_array(r->arena, bool, r->pta->insts.n + 1);
	Shun shun = {rs, t, kind};
	Set insts = {0}, skipped = {0};

	for (ThreadId x = t; x < r->conc->threads->at.n; x++) {
		if (thread_get(r->conc->threads, x)->crew != t)
			continue;
		given_reach(r->conc->threads->given, thread_get(r->conc->threads, x)->start,
			    is_shunned, &shun, &insts, &skipped);
		SET_FOR (it, &insts)
			seen[it.x] = true;
		set_recycle(r->arena, &insts);
		set_recycle(r->arena, &skipped);
	}
	return seen;
}

/* Does the thread of the access get there without calls of that kind? */
static bool
is_reached(Reasons *rs, u32 access, Shunned kind)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	bool **at;

	if (r->conc->threads->at.n > MAX_THREADS || !r->conc->threads->given)
		return true;
	if (!rs->ways) {
		rs->ways = arena_new(r->arena, Ways);
		for (u32 k = 0; k < SHUN_KINDS; k++)
			rs->ways->reached[k] =
			    arena_array(r->arena, bool *, r->conc->threads->at.n + 1);
	}
	at = &rs->ways->reached[kind][a->thread];
	if (!*at)
		*at = search(rs, a->thread, kind);
	return (*at)[a->inst];
}

bool
reason_ending(Reasons *rs, u32 access)
{
	return rs->r->conc->ending && !is_reached(rs, access, SHUN_ENDING);
}

bool
reason_guessed(Reasons *rs, u32 access)
{
	return rs->r->conc->guess && !is_reached(rs, access, SHUN_GUESSED);
}

bool
reason_at_rest(Reasons *rs, u32 access)
{
	return access_at(rs->r, access)->thread != 1 && !set_empty(reason_rest_calls(rs)) &&
	       !is_reached(rs, access, SHUN_REST);
}

bool
reason_astray(Reasons *rs, u32 access)
{
	return reason_ending(rs, access) || reason_guessed(rs, access) ||
	       reason_at_rest(rs, access);
}
