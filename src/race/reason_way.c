/* reason_way.c - accesses that a thread reaches only by ways that are not meant.
 *
 * The process reports a fatal error and ends (conc/ending.h): what it reads for its
 * report may change meanwhile, and nobody minds.  Or the way leads through a call that the
 * thread is only guessed to make (conc/guess.h), or that is made only while a mode is at
 * rest (reason_mode.c), by a thread that others work with.  The instances that a thread reaches by
 * other calls, with what these pass (conc/given.h), are found by one search from its start for each kind, at the first question;
 * so is a guess whatever leads to the very state of the access, with who runs beside it.
 * This is no proof: it only lowers a rung. */
#include "conc/given.h"
#include "conc/guess.h"
#include "race/reason_int.h"

enum { MAX_THREADS = 256 /* with more, nobody asks */ };

/* The calls that a search does not follow: each kind those of the one before, too; but the last its own. */
typedef enum Shunned { SHUN_ENDING, SHUN_GUESSED, SHUN_REST, SHUN_COPY, SHUN_KINDS } Shunned;

typedef struct Ways {
	bool **reached[SHUN_KINDS]; /* [ThreadId][InstId]; null: not asked */
	u8 *guessed;                /* [way]: GUESSED_*; 0: not asked */
} Ways;

enum { GUESSED_NO = 1, GUESSED_YES };

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

	if (s->kind == SHUN_COPY)
		return set_has(reason_copy_code(s->rs), c->pta->edges.at[edge].ins);
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
		given_reach(r->conc->threads->given, thread_get(r->conc->threads, x)->start, 0,
			    is_shunned, &shun, &insts, &skipped);
		SET_FOR (it, &insts)
			seen[it.x] = true;
		set_recycle(r->arena, &insts);
		set_recycle(r->arena, &skipped);
	}
	return seen;
}

static Ways *
ways_of(Reasons *rs)
{
	const Races *r = rs->r;

	if (!rs->ways) {
		rs->ways = arena_new(r->arena, Ways);
		for (u32 k = 0; k < SHUN_KINDS; k++)
			rs->ways->reached[k] =
			    arena_array(r->arena, bool *, r->conc->threads->at.n + 1);
		rs->ways->guessed = arena_array(r->arena, u8, r->conc->nway + 1);
	}
	return rs->ways;
}

/* Does the thread get there without calls of that kind? */
static bool
gets_to(Reasons *rs, ThreadId t, InstId inst, Shunned kind)
{
	const Races *r = rs->r;
	bool **at;

	if (r->conc->threads->at.n > MAX_THREADS || !r->conc->threads->given)
		return true;
	at = &ways_of(rs)->reached[kind][t];
	if (!*at)
		*at = search(rs, t, kind);
	return (*at)[inst];
}

static bool
is_reached(Reasons *rs, u32 access, Shunned kind)
{
	const Access *a = access_at(rs->r, access);

	return gets_to(rs, a->thread, a->inst, kind);
}

bool
reason_in_original(Reasons *rs, ThreadId t, InstId inst)
{
	return gets_to(rs, t, inst, SHUN_COPY);
}

/* What is known of an access, found on first use: each is in many pairs. */
enum { ENDING_ASKED = 1, ENDING_YES = 2, GUESS_ASKED = 4, GUESS_YES = 8 };

static u8 *
known_of(Reasons *rs, u32 access)
{
	if (!rs->on_way)
		rs->on_way = arena_array(rs->r->arena, u8, rs->r->conc->accesses.n);
	return &rs->on_way[access];
}

bool
reason_ending(Reasons *rs, u32 access)
{
	u8 *known = known_of(rs, access);

	if (!rs->r->conc->ending)
		return false;
	if (!(*known & ENDING_ASKED))
		*known |= ENDING_ASKED | (is_reached(rs, access, SHUN_ENDING) ? 0 : ENDING_YES);
	return *known & ENDING_YES;
}

/* Is the state of the access reached only by such calls?  Others are followed first
 * (conc/entry.c), so its way would have none.  A caller's way comes before its own. */
static bool
is_guessed_way(Reasons *rs, u32 access)
{
	const Conc *c = rs->r->conc;
	const Access *a = access_at(rs->r, access);
	u8 *known = ways_of(rs)->guessed, says = GUESSED_NO;

	for (u32 w = a->way; c->ways[w].edge && says == GUESSED_NO; w = c->ways[w].from)
		if (known[w] == GUESSED_YES ||
		    guess_doubts(c->guess, c->threads, a->thread, c->ways[w].edge - 1))
			says = GUESSED_YES;
	known[a->way] = says;
	return says == GUESSED_YES;
}

bool
reason_guessed(Reasons *rs, u32 access)
{
	u8 *known = known_of(rs, access);

	if (!rs->r->conc->guess)
		return false;
	if (!(*known & GUESS_ASKED))
		*known |=
		    GUESS_ASKED |
		    (is_guessed_way(rs, access) || !is_reached(rs, access, SHUN_GUESSED) ? GUESS_YES
											 : 0);
	return *known & GUESS_YES;
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
