/* keep.c - a result as bytes, and back, for the store.
 *
 * What reports show is kept, and nothing else that led to it: the call graph,
 * the threads, the pairs with their accesses, and for each frame of a shown path
 * the locks that are held there.  Ids are those of the run: they are good for the
 * very program and options that the result's name in the store is made of, and
 * the store vouches for the bytes, so that a reader checks lengths alone.  The
 * program is there in both runs; lines may have moved and text of sources may have
 * changed between them, and are not kept: the fingerprints are made anew.
 *
 * Left out is what only few ask for, who then need a run of their own
 * (RaceOptions.list, race_pair_rung, racing_ins). */
#include "base/reader.h"
#include "base/store.h"
#include "race/race_int.h"

#include <stdlib.h>
#include <string.h>

/* The locks of an instance with a lockset, or before a call, by such a pair. */
struct ShownLocks {
	Map held, before; /* -> index in lists plus 1 */
	struct {
		const HeldLock *at;
		u32 n;
	} *lists;
};

typedef struct Writer {
	Key *to;
	const RaceResult *r;
	Arena scratch;
	Map seen[2]; /* which lists are there, as in ShownLocks */
	Map ways;    /* index in Conc.ways -> its index as written */
} Writer;

enum { LIST_HELD = 1, LIST_BEFORE, LIST_END = 0 };

/* ---- locks ------------------------------------------------------------------------ */

static u32
find_shown(const struct ShownLocks *s, u32 at, const HeldLock **out)
{
	*out = at ? s->lists[at - 1].at : NULL;
	return at ? s->lists[at - 1].n : 0;
}

u32
race_locks(const RaceResult *r, InstId inst, LocksetId held, const HeldLock **out)
{
	if (r->shown)
		return find_shown(r->shown, map_get(&r->shown->held, map_pair(inst, held)), out);
	return locks_list(r->conc->locks, inst, held, out);
}

u32
race_locks_before(const RaceResult *r, InstId inst, InsId call, const HeldLock **out)
{
	Locks *l = r->conc->locks;

	if (r->shown)
		return find_shown(r->shown, map_get(&r->shown->before, map_pair(inst, call)), out);
	return locks_list(l, inst, locks_held(l, inst, 0, locks_before(l, inst, call)), out);
}

/* ---- writing ------------------------------------------------------------------------ */

#define put_vec(k, v) key_bytes((k), (v)->at, (v)->n * sizeof *(v)->at)

static void
put_list(Writer *w, u32 kind, InstId inst, u32 by)
{
	u32 *at = map_at(&w->scratch, &w->seen[kind == LIST_BEFORE], map_pair(inst, by)), n;
	const HeldLock *locks;

	if (*at)
		return;
	*at = 1;
	n = kind == LIST_HELD ? race_locks(w->r, inst, by, &locks)
			      : race_locks_before(w->r, inst, by, &locks);
	if (!n)
		return;
	key_u64(w->to, kind);
	key_u64(w->to, map_pair(inst, by));
	key_u64(w->to, n);
	for (u32 i = 0; i < n; i++) {
		key_str(w->to, locks[i].name);
		key_u64(w->to, locks[i].mode);
		key_u64(w->to, locks[i].slot);
		key_u64(w->to, locks[i].at);
		key_u64(w->to, locks[i].turn);
	}
}

/* What is held on the path to an access is shown with what is held at it. */
static void
put_outer(Writer *w, u32 access)
{
	const Use *use = race_use(w->r, access);
	const Edge **edges;
	u32 n = race_path(w->r, access, &w->scratch, &edges);

	for (u32 i = 0; i < n; i++)
		put_list(w, LIST_BEFORE, edges[i]->from, edges[i]->ins);
	if (use)
		put_list(w, LIST_BEFORE, use->inst, use->call);
}

/* The ways to the used accesses, and those that they go on from, which come earlier. */
static void
put_ways(Writer *w, const Set *used)
{
	const Conc *c = w->r->conc;
	Set ways = {0};
	u32 n = 0;

	SET_FOR (it, used)
		for (u32 k = c->accesses.at[it.x].way; k && set_add(&w->scratch, &ways, k);)
			k = c->ways[k].from;
	key_u64(w->to, set_count(&ways));
	SET_FOR (it, &ways) {
		key_u64(w->to, map_get(&w->ways, c->ways[it.x].from));
		key_u64(w->to, c->ways[it.x].edge);
		map_put(&w->scratch, &w->ways, it.x, ++n);
	}
}

static void
put_accesses(Writer *w)
{
	const RaceResult *r = w->r;
	Set used = {0};

	for (u32 i = 0; i < r->pairs.n; i++) {
		set_add(&w->scratch, &used, r->pairs.at[i].a);
		set_add(&w->scratch, &used, r->pairs.at[i].b);
	}
	put_ways(w, &used);
	key_u64(w->to, r->conc->accesses.n);
	key_u64(w->to, set_count(&used));
	SET_FOR (it, &used) {
		const Use *use = race_use(r, it.x), none = {0};
		const Access *a = &r->conc->accesses.at[it.x];
		key_u64(w->to, it.x);
		key_bytes(w->to, a, offsetof(Access, way));
		key_u64(w->to, map_get(&w->ways, a->way));
		key_bytes(w->to, use ? use : &none, sizeof *use);
	}
	SET_FOR (it, &used) {
		const Access *a = &r->conc->accesses.at[it.x];
		put_list(w, LIST_HELD, a->inst, a->held);
		if (race_asks_frames(r, it.x))
			put_outer(w, it.x);
	}
	key_u64(w->to, LIST_END);
}

/* Without the number of a line, which may be another by then. */
static void
put_fix(Key *k, const RaceResult *r, const Cause *c)
{
	const char *there = c->at ? cause_position(r->conc->ir, c->at, r->arena) : "";
	size_t head = c->at ? c->cut : strlen(c->fix);

	key_u64(k, c->at);
	key_bytes(k, c->fix, head);
	key_str(k, c->fix + head + strlen(there));
}

static void
put_races(Key *k, const RaceResult *r)
{
	key_u64(k, r->races.n);
	for (u32 i = 0; i < r->races.n; i++) {
		Race race = r->races.at[i];
		race.name = race.made = race.said = race.near.lock = NULL;
		key_bytes(k, &race, sizeof race);
		key_str(k, r->races.at[i].name);
		key_str(k, r->races.at[i].made);
		key_str(k, r->races.at[i].said);
		key_str(k, r->races.at[i].near.lock);
	}
	key_u64(k, r->causes.n);
	for (u32 i = 0; i < r->causes.n; i++) {
		key_u64(k, r->causes.at[i].kind);
		key_str(k, r->causes.at[i].text);
		put_fix(k, r, &r->causes.at[i]);
		put_vec(k, &r->causes.at[i].races);
	}
}

/* Points-to sets are not kept: of the slots there is the number. */
static void
put_graph(Key *k, const Conc *c)
{
	const Pta *p = c->pta;
	Pta head = *p;

	head.ir = NULL;
	head.arena = NULL;
	head.solver = NULL;
	head.objs.at = NULL;
	head.slots.at = NULL;
	head.insts.at = NULL;
	head.edges.at = NULL;
	head.callers.at = NULL;
	key_bytes(k, &head, sizeof head);
	put_vec(k, &p->objs);
	put_vec(k, &p->insts);
	put_vec(k, &p->edges);
	put_vec(k, &p->callers);
	key_u64(k, c->merged_entries);
	key_u64(k, c->threads->bounded);
	key_u64(k, c->threads->joined);
	put_vec(k, &c->threads->at);
	for (ThreadId t = 1; t < c->threads->at.n; t++)
		key_bytes(k, c->threads->insts[t].w,
			  c->threads->insts[t].n * sizeof *c->threads->insts[t].w);
}

void
race_write(const RaceResult *r, Key *to)
{
	Writer w = {.to = to, .r = r};

	assert(r->conc->complete && !r->shown);
	arena_init(&w.scratch, NULL);
	put_graph(to, r->conc);
	key_bytes(to, r->count, sizeof r->count);
	key_bytes(to, r->by_rung, sizeof r->by_rung);
	key_u64(to, r->abridged);
	put_vec(to, &r->pairs);
	put_races(to, r);
	put_accesses(&w);
	arena_release(&w.scratch);
}

/* ---- reading ------------------------------------------------------------------------ */

/* The next bytes, as a copy; *n is how many elements of that size they are. */
static void *
get_array(Reader *r, Arena *a, size_t size, u32 *n)
{
	u64 length = reader_u64le(r);
	const u8 *from = length <= reader_left(r) ? reader_bytes(r, length) : NULL;
	void *at;

	*n = 0;
	if (!from || length % size || length / size > UINT32_MAX) {
		reader_fail(r);
		return NULL;
	}
	*n = (u32)(length / size);
	at = arena_alloc(a, length + 1);
	memcpy(at, from, length);
	return at;
}

#define get_vec(r, a, v)                                                                           \
	((v)->at = get_array((r), (a), sizeof *(v)->at, &(v)->n), (v)->cap = (v)->n)

static void
get_into(Reader *r, void *to, size_t size)
{
	const u8 *from = reader_u64le(r) == size ? reader_bytes(r, size) : NULL;

	if (from)
		memcpy(to, from, size);
	else
		reader_fail(r);
}

static const char *
get_str(Reader *r, Arena *a)
{
	u64 n = reader_u64le(r);
	const u8 *from;

	if (n == UINT64_MAX)
		return NULL;
	from = n <= reader_left(r) ? reader_bytes(r, n) : NULL;
	if (!from)
		reader_fail(r);
	return from ? arena_dup(a, from, n) : "";
}

/* A number of things of which each takes at least a word. */
static u32
get_count(Reader *r)
{
	u64 n = reader_u64le(r);

	if (n > reader_left(r) / sizeof(u64))
		reader_fail(r);
	return r->failed ? 0 : (u32)n;
}

static void
get_list(Reader *r, Arena *a, struct ShownLocks *s, u32 *n, u32 kind)
{
	u64 key = reader_u64le(r);
	u32 nlock = get_count(r);
	HeldLock *locks = arena_array(a, HeldLock, nlock + 1);

	for (u32 i = 0; i < nlock; i++) {
		locks[i].name = get_str(r, a);
		locks[i].mode = (LockMode)reader_u64le(r);
		locks[i].slot = (SlotId)reader_u64le(r);
		locks[i].at = (SrcId)reader_u64le(r);
		locks[i].turn = reader_u64le(r) != 0;
	}
	s->lists[*n].at = locks;
	s->lists[(*n)++].n = nlock;
	map_put(a, kind == LIST_HELD ? &s->held : &s->before, key, *n);
}

static struct ShownLocks *
get_lists(Reader *r, Arena *a)
{
	struct ShownLocks *s = arena_new(a, struct ShownLocks);
	u32 cap = 0, n = 0;
	u64 kind;

	while ((kind = reader_u64le(r)) != LIST_END) {
		s->lists = vec_room(a, s->lists, &cap, n + 1, sizeof *s->lists);
		get_list(r, a, s, &n, (u32)kind);
	}
	return s;
}

static void
get_ways(Reader *r, Arena *a, Conc *c)
{
	c->nway = get_count(r) + 1;
	c->ways = arena_array(a, Way, c->nway);
	for (u32 i = 1; i < c->nway; i++) {
		u64 from = reader_u64le(r), edge = reader_u64le(r);
		if (from >= i || edge >= c->pta->edges.n + 1) {
			reader_fail(r);
			return;
		}
		c->ways[i] = (Way){(u32)from, (u32)edge};
	}
}

static void
get_accesses(Reader *r, RaceResult *res, Conc *c)
{
	Arena *a = res->arena;
	u64 n;
	u32 used;

	get_ways(r, a, c);
	n = reader_u64le(r);
	used = get_count(r);
	if (n > UINT32_MAX) {
		reader_fail(r);
		return;
	}
	c->accesses.at = arena_array(a, Access, n + 1);
	c->accesses.n = c->accesses.cap = (u32)n;
	for (u32 i = 0; i < used; i++) {
		u64 at = reader_u64le(r), way;
		Use use = {0};
		if (at >= n) {
			reader_fail(r);
			return;
		}
		get_into(r, &c->accesses.at[at], offsetof(Access, way));
		way = reader_u64le(r);
		if (way >= c->nway) {
			reader_fail(r);
			return;
		}
		c->accesses.at[at].way = (u32)way;
		get_into(r, &use, sizeof use);
		if (!use.call)
			continue;
		vec_push(a, &res->uses, use);
		map_put(a, &res->use_of, at + 1, res->uses.n);
	}
	res->shown = get_lists(r, a);
}

static void
get_fix(Reader *r, Arena *a, const Ir *ir, Cause *c)
{
	const char *head, *tail;

	c->at = (SrcId)reader_u64le(r);
	head = get_str(r, a);
	tail = get_str(r, a);
	if (c->at >= ir->srcs.n || !head || !tail) {
		reader_fail(r);
		return;
	}
	c->cut = (u32)strlen(head);
	c->fix = arena_printf(a, "%s%s%s", head, c->at ? cause_position(ir, c->at, a) : "", tail);
}

static void
get_races(Reader *r, RaceResult *res)
{
	Arena *a = res->arena;
	u32 n = get_count(r);

	for (u32 i = 0; i < n; i++) {
		Race *race = vec_extend(a, &res->races, 1);
		get_into(r, race, sizeof *race);
		race->name = get_str(r, a);
		race->made = get_str(r, a);
		race->said = get_str(r, a);
		race->near.lock = get_str(r, a);
	}
	n = get_count(r);
	for (u32 i = 0; i < n; i++) {
		Cause *c = vec_extend(a, &res->causes, 1);
		c->kind = (CauseKind)reader_u64le(r);
		c->text = get_str(r, a);
		get_fix(r, a, res->conc->ir, c);
		get_vec(r, a, &c->races);
	}
}

static Conc *
get_graph(Reader *r, Arena *a, const Ir *ir)
{
	Pta *p = arena_new(a, Pta);
	Threads *t = arena_new(a, Threads);
	Conc *c;

	get_into(r, p, sizeof *p);
	p->ir = ir;
	p->arena = a;
	get_vec(r, a, &p->objs);
	get_vec(r, a, &p->insts);
	get_vec(r, a, &p->edges);
	get_vec(r, a, &p->callers);
	c = conc_new(a, p);
	c->merged_entries = (u32)reader_u64le(r);
	c->complete = true;
	c->threads = t;
	t->pta = p;
	t->arena = a;
	t->bounded = reader_u64le(r);
	t->joined = (u32)reader_u64le(r);
	get_vec(r, a, &t->at);
	t->insts = arena_array(a, Set, t->at.n + 1);
	for (ThreadId i = 1; i < t->at.n; i++) {
		t->insts[i].w = get_array(r, a, sizeof *t->insts[i].w, &t->insts[i].n);
		t->insts[i].cap = t->insts[i].n;
	}
	return c;
}

RaceResult *
race_read(Arena *a, const Ir *ir, const RaceOptions *opt, const u8 *bytes, size_t n)
{
	Reader r = reader_on(bytes, n);
	RaceResult *res = arena_new(a, RaceResult);
	Conc *c = get_graph(&r, a, ir);
	Races again = {.conc = c, .ir = ir, .pta = c->pta, .arena = a, .result = res};

	res->conc = c;
	res->arena = a;
	res->sources = sources_new(a, ir);
	sources_path(res->sources, opt->source_path);
	get_into(&r, res->count, sizeof res->count);
	get_into(&r, res->by_rung, sizeof res->by_rung);
	res->abridged = reader_u64le(&r);
	get_vec(&r, a, &res->pairs);
	get_races(&r, res);
	get_accesses(&r, res, c);
	if (!reader_done(&r))
		return NULL;
	fingerprints_build(&again);
	return res;
}
