/* pairs.c - from groups that race to pairs of instructions with a rung.
 *
 * Only pairs that no stage excluded come here.  A pair of units may meet in
 * many contexts; the few that look surest are asked for reasons, and the pair
 * gets the best rung among them.  Where there are very many pairs, each unit
 * is listed with a few partners, those of the surest groups: what the others
 * would say is mostly the same, and their number is quadratic.  A pair within a
 * library is listed once for each two calls of the program that lead there: those
 * are what is shown, and the objects that they work on are others.  `definite` is
 * asked for a bounded number of pairs of one place, because one such pair
 * decides for the place. */
#include "race/race_int.h"

enum {
	ALL_PAIRS = 20000,  /* beyond that each unit has a few partners */
	ALL_ALIKE = 4096,   /* of two groups; beyond that each unit has one */
	PARTNERS = 8,       /* groups with which its units are listed then */
	TRIED = 4,          /* contexts of a pair that are asked for reasons */
	MEETINGS = 16,      /* of which they are chosen at sure places, and accesses of each */
	DEFINITE_TRIED = 8, /* pairs of one slot that are asked to be definite */
	IN_LIBRARY = 64,    /* contexts of a pair within a library that are looked at */
	SHOWN = 32,         /* pairs of calls for which it is listed */
	ALIKE = 16,         /* accesses of one context, by different calls, that are looked at */
	TURNS = 2,          /* in each of which they meet others */
	MAX_DOUBT = 32,
	A_REASON = 4 /* speaks against a pair like so many sides in a constructor */
};

/* A unit with which another was listed, and the one before: few for each where there are many
 * pairs, so that they are found sooner than in a table of all. */
typedef struct Link {
	u32 unit, next;
} Link;

typedef struct Listing {
	Races *r;
	u32 *first; /* [unit]: its last partner, in links; 0 none */
	Vec(Link) links;
	Map definite_asked; /* SlotId + 1 -> how often, plus 1 */
	struct Definite *definite;
	Meeting meeting[IN_LIBRARY]; /* of the present two groups */
	u32 nmeeting;
	u8 *meant;                /* [unit]: 0 not asked, 1 no, 2 yes */
	u64 *doubtful[MAX_DOUBT]; /* bits of the groups of each doubt; null: there are none */
} Listing;

static bool
may_ask_definite(Listing *l, SlotId slot)
{
	u32 *n = map_at(l->r->arena, &l->definite_asked, (u64)slot + 1);

	return (*n)++ < DEFINITE_TRIED;
}

/* The write comes first, then the one that comes first in the program. */
static void
orient(const Races *r, Pair *p)
{
	const Access *a = access_at(r, p->a), *b = access_at(r, p->b);
	bool wa = a->flags & ACC_WRITE, wb = b->flags & ACC_WRITE;

	if (wa > wb || (wa == wb && a->ins <= b->ins))
		return;
	*p = (Pair){p->b, p->a, p->slot_b, p->slot_a, p->rung, p->reasons, p->folded_under};
}

/* The unit's k-th access of that shape and ctx, or its last one, which then
 * makes *more false. */
static u32
access_of(const Races *r, const Unit *u, u32 shape, u32 ctx, u32 k, bool *more)
{
	u32 found = UINT32_MAX;

	*more = true;
	for (u32 i = u->access; i < u->access + u->naccess; i++)
		if (r->shape_of[i] == shape && r->ctx_of[i] == ctx) {
			found = i;
			if (!k--)
				return found;
		}
	assert(found != UINT32_MAX);
	*more = false;
	return found;
}

/* Asks for the reasons of one meeting; keeps it if it has fewer than the best, or as many and fewer
 * sides in a constructor, which is asked first. */
static void
weigh(Listing *l, u32 ax, u32 ay, const Meeting *m, Pair *best, u32 *fewest)
{
	Races *r = l->r;
	/* a place that stands for several is one reason, whoever comes there */
	u32 least = m->vague && !slips(r->slips, ax, ay) ? A_REASON : 0, n, reasons;

	if (least >= *fewest)
		return;
	n = far_of(r, ax).making + far_of(r, ay).making;
	if (n + least >= *fewest)
		return;
	reasons = reasons_of(r->reasons, ax, ay, m);
	for (u32 left = reasons; left; left &= left - 1)
		n += A_REASON;
	if (n >= *fewest)
		return;
	*fewest = n;
	*best =
	    (Pair){ax, ay, m->slot_x, m->slot_y, reasons ? RUNG_POSSIBLE : RUNG_LIKELY, reasons, 0};
}

static u32
unit_id(const Races *r, const Unit *u)
{
	return (u32)(u - r->units.at);
}

/* Would weigh find nothing better, whichever the accesses are? */
static bool
is_no_better(const Meeting *m, bool slip, u32 fewest)
{
	return m->vague && !slip && fewest <= A_REASON;
}

/* Every meeting with the first accesses that it stands for, then with their
 * next ones, as long as there are more; where `meant`, only those to which both threads
 * are meant to come. */
static u32
try_some(Listing *l, const Unit *x, const Unit *y, bool meant, Pair *best)
{
	Races *r = l->r;
	u32 fewest = UINT32_MAX, tried = 0;
	bool more = true, slip = slips_may(r->slips, unit_id(r, x), unit_id(r, y));

	for (u32 k = 0; k < (meant ? MEETINGS : TRIED) && more; k++) {
		more = false;
		for (u32 i = 0; i < l->nmeeting && tried < TRIED && fewest; i++) {
			const Meeting *m = &l->meeting[i];
			bool more_x, more_y;
			if (!k && !meant && is_no_better(m, slip, fewest)) {
				more = true;
				tried++;
				continue;
			}
			u32 ax = access_of(r, x, m->shape_x, m->ctx_x, k, &more_x);
			u32 ay = access_of(r, y, m->shape_y, m->ctx_y, k, &more_y);

			if (!more_x && !more_y)
				continue;
			more = true;
			if (meant &&
			    (reason_astray(r->reasons, ax) || reason_astray(r->reasons, ay)))
				continue;
			weigh(l, ax, ay, m, best, &fewest);
			tried++;
		}
	}
	return tried;
}

/* Is some thread meant to come to the unit? */
static bool
is_meant(Listing *l, const Unit *u)
{
	u8 *known = &l->meant[unit_id(l->r, u)];

	for (u32 i = u->access; !*known && i < u->access + u->naccess; i++)
		*known = reason_astray(l->r->reasons, i) ? 0 : 2;
	*known = MAX(*known, 1);
	return *known == 2;
}

static Pair
decide(Listing *l, const Unit *x, const Unit *y)
{
	Pair best = {0};

	if (l->meeting[0].doubt || !is_meant(l, x) || !is_meant(l, y) ||
	    !try_some(l, x, y, true, &best))
		try_some(l, x, y, false, &best);
	return best;
}

/* What race_pair_rung needs for the pairs that are not listed. */
static void
keep_groups(Races *r)
{
	r->result->abridged = true;
	r->result->racing = arena_array(r->arena, Set, r->groups.n);
	for (u32 g = 1; g < r->groups.n; g++)
		r->result->racing[g] = r->groups.at[g].racing;
	r->result->unit_at = r->unit_at;
	r->result->group_of = arena_array(r->arena, u32, r->units.n);
	for (u32 u = 1; u < r->units.n; u++)
		r->result->group_of[u] = r->units.at[u].group;
}

static void
list(Listing *l, Pair p)
{
	Races *r = l->r;

	orient(r, &p);
	if (p.rung == RUNG_LIKELY && may_ask_definite(l, p.slot_a) &&
	    definite_pair(l->definite, access_at(r, p.a), access_at(r, p.b), p.slot_a, p.slot_b))
		p.rung = RUNG_DEFINITE;
	vec_push(r->arena, &r->result->pairs, p);
}

/* The calls of the program that are shown for the two accesses. */
static u64
shown_for(const Races *r, u32 ax, u32 ay)
{
	const Use *x = use_of(r->uses, ax);
	InsId a = x ? x->call : 0, b;

	x = use_of(r->uses, ay);
	b = x ? x->call : 0;
	return map_pair(MIN(a, b), MAX(a, b));
}

/* What is known of a pair so far, for each two calls that lead to it. */
typedef struct Shown {
	u64 calls[SHOWN];
	u32 n, fewest[SHOWN], tried[SHOWN];
	Pair best[SHOWN];
} Shown;

static void
show(Listing *l, u32 ax, u32 ay, const Meeting *m, Shown *s)
{
	u64 key = shown_for(l->r, ax, ay);
	u32 k = 0;

	while (k < s->n && s->calls[k] != key)
		k++;
	if (k == SHOWN)
		return;
	if (k == s->n) {
		s->calls[k] = key;
		s->fewest[k] = UINT32_MAX;
		s->tried[k] = 0;
		s->n++;
	}
	if (s->fewest[k] && s->tried[k]++ < TRIED)
		weigh(l, ax, ay, m, &s->best[k], &s->fewest[k]);
}

/* The unit's accesses of that shape and ctx: some. */
static u32
accesses_alike(const Races *r, const Unit *u, u32 shape, u32 ctx, u32 out[ALIKE])
{
	u32 n = 0;

	for (u32 i = u->access; i < u->access + u->naccess && n < ALIKE; i++)
		if (r->shape_of[i] == shape && r->ctx_of[i] == ctx)
			out[n++] = i;
	assert(n);
	return n;
}

/* The meeting's accesses, turn by turn: in the first each is met once at least.  But for the
 * first two, calls that are on no common object are left out: what one does there to something
 * that it was given, all that are given it do alike. */
static void
show_meeting(Listing *l, const Unit *x, const Unit *y, const Meeting *m, Shown *s)
{
	u32 xs[ALIKE], nx = accesses_alike(l->r, x, m->shape_x, m->ctx_x, xs);
	u32 ys[ALIKE], ny = accesses_alike(l->r, y, m->shape_y, m->ctx_y, ys);

	show(l, xs[0], ys[0], m, s);
	for (u32 turn = 0; turn < TURNS && turn < MIN(nx, ny); turn++)
		for (u32 i = !turn; i < MAX(nx, ny); i++)
			if (use_common(l->r->uses, xs[i % nx], ys[(i + turn) % ny]))
				show(l, xs[i % nx], ys[(i + turn) % ny], m, s);
}

/* Lists the pair once for each two calls that lead to it. */
static void
list_uses(Listing *l, const Unit *x, const Unit *y)
{
	Shown s = {.n = 0};

	for (u32 i = 0; i < l->nmeeting; i++)
		show_meeting(l, x, y, &l->meeting[i], &s);
	for (u32 k = 0; k < s.n; k++)
		list(l, s.best[k]);
}

static bool
is_listed(const Listing *l, u32 ux, u32 uy)
{
	u32 k = l->first[ux];

	while (k && l->links.at[k].unit != uy)
		k = l->links.at[k].next;
	return k;
}

static void
list_pair(Listing *l, u32 ux, u32 uy)
{
	Races *r = l->r;
	const Unit *x = &r->units.at[ux], *y = &r->units.at[uy];

	if (!l->nmeeting || is_listed(l, ux, uy) || is_listed(l, uy, ux))
		return;
	vec_push(r->arena, &l->links, (Link){uy, l->first[ux]});
	l->first[ux] = l->links.n - 1;
	if (!r->result->abridged && use_is_library(r, x->access) && use_is_library(r, y->access))
		list_uses(l, x, y);
	else
		list(l, decide(l, x, y));
}

/* How many meetings of two groups are wanted. */
static u32
meetings_wanted(const Races *r, u32 g, u32 h)
{
	const Unit *x = &r->units.at[r->groups.at[g].units.at[0]];
	const Unit *y = &r->units.at[r->groups.at[h].units.at[0]];

	if (!r->result->abridged && use_is_library(r, x->access) && use_is_library(r, y->access))
		return IN_LIBRARY;
	return r->groups.at[g].doubt + r->groups.at[h].doubt ? TRIED : MEETINGS;
}

static u64
count_pairs(const Races *r, u32 g, u32 h)
{
	return (u64)r->groups.at[g].units.n * r->groups.at[h].units.n;
}

static void
list_all(Listing *l, u32 g, u32 h)
{
	const VecU32 *xs = &l->r->groups.at[g].units, *ys = &l->r->groups.at[h].units;

	l->nmeeting = meetings_of(l->r, g, h, l->meeting, meetings_wanted(l->r, g, h));
	for (u32 i = 0; i < xs->n; i++)
		for (u32 j = g == h ? i : 0; j < ys->n; j++)
			list_pair(l, xs->at[i], ys->at[j]);
}

/* Each unit of g with one of h. */
static void
list_some(Listing *l, u32 g, u32 h)
{
	const VecU32 *xs = &l->r->groups.at[g].units, *ys = &l->r->groups.at[h].units;

	l->nmeeting = meetings_of(l->r, g, h, l->meeting, meetings_wanted(l->r, g, h));
	for (u32 i = 0; i < xs->n; i++)
		list_pair(l, xs->at[i], ys->at[i % ys->n]);
}

/* Nearly all groups race with hundreds of others, which have few kinds of doubt. */
static void
sort_groups(Listing *l)
{
	const Races *r = l->r;

	for (u32 g = 1; g < r->groups.n; g++) {
		u64 **bits = &l->doubtful[r->groups.at[g].doubt];

		assert(r->groups.at[g].doubt < MAX_DOUBT);
		if (!*bits)
			*bits = arena_array(r->arena, u64, r->groups.n / 64 + 1);
		(*bits)[g / 64] |= (u64)1 << g % 64;
	}
}

/* Adds those of the groups with that doubt to the first n of best; how many there are then. */
static u32
add_partners(const Set *racing, const u64 *doubtful, u32 best[PARTNERS], u32 n)
{
	for (u32 i = 0; i < racing->n; i++)
		for (u64 left = racing->w[i].bits & doubtful[racing->w[i].index]; left;
		     left &= left - 1) {
			if (n == PARTNERS)
				return n;
			best[n++] = racing->w[i].index * 64 + (u32)__builtin_ctzll(left);
		}
	return n;
}

/* The partners of g, the surest first, equal ones in their order. */
static void
list_surest(Listing *l, u32 g)
{
	u32 best[PARTNERS], n = 0;

	for (u32 doubt = 0; doubt < MAX_DOUBT && n < PARTNERS; doubt++)
		if (l->doubtful[doubt])
			n = add_partners(&l->r->groups.at[g].racing, l->doubtful[doubt], best, n);
	for (u32 i = 0; i < n; i++)
		list_some(l, g, best[i]);
}

/* Puts the meetings in which one does not hold the lock first. */
static void
sort_slips(Listing *l, const Unit *x, const Unit *y)
{
	u32 n = 0;
	bool more;

	for (u32 i = 0; i < l->nmeeting && n < TRIED; i++) {
		Meeting m = l->meeting[i];
		u32 ax = access_of(l->r, x, m.shape_x, m.ctx_x, 0, &more);
		u32 ay = access_of(l->r, y, m.shape_y, m.ctx_y, 0, &more);
		if (!slips(l->r->slips, ax, ay))
			continue;
		l->meeting[i] = l->meeting[n];
		l->meeting[n++] = m;
	}
	l->nmeeting = MIN(l->nmeeting, TRIED);
}

/* Finds meetings of two units, if they race at all. */
static bool
find_meetings(Listing *l, u32 ux, u32 uy, u32 max)
{
	u32 g = l->r->units.at[ux].group, h = l->r->units.at[uy].group;

	if (!set_has(&l->r->groups.at[g].racing, h))
		return false;
	l->nmeeting = meetings_of(l->r, g, h, l->meeting, max ? max : meetings_wanted(l->r, g, h));
	return true;
}

/* A pair of units of which one does not hold the lock that the other does. */
static void
list_slip(void *ctx, u32 ux, u32 uy)
{
	if (find_meetings(ctx, ux, uy, 0))
		list_pair(ctx, ux, uy);
}

/* One that does so in some of its contexts. */
static void
list_slip_behind(void *ctx, u32 ux, u32 uy)
{
	Listing *l = ctx;

	if (!find_meetings(l, ux, uy, IN_LIBRARY))
		return;
	sort_slips(l, &l->r->units.at[ux], &l->r->units.at[uy]);
	list_pair(l, ux, uy);
}

/* Are some pairs only counted? */
static bool
abridged(const Races *r)
{
	if (r->result->count[STAGE_UNGUARDED] > ALL_PAIRS)
		return true;
	for (u32 g = 1; g < r->groups.n; g++)
		SET_FOR (it, &r->groups.at[g].racing)
			if (count_pairs(r, g, it.x) > ALL_ALIKE)
				return true;
	return false;
}

static void
list_group(Listing *l, u32 g)
{
	Races *r = l->r;

	if (r->result->count[STAGE_UNGUARDED] > ALL_PAIRS) {
		list_surest(l, g);
		return;
	}
	SET_FOR (it, &r->groups.at[g].racing)
		if (count_pairs(r, g, it.x) > ALL_ALIKE)
			list_some(l, g, it.x);
		else if (it.x >= g)
			list_all(l, g, it.x);
}

void
pairs_build(Races *r)
{
	Listing l = {.r = r, .definite = definite_new(r->arena, r->conc)};

	l.first = arena_array(r->arena, u32, r->units.n);
	vec_push(r->arena, &l.links, (Link){0});
	l.meant = arena_array(r->arena, u8, r->units.n);
	if (abridged(r))
		keep_groups(r);
	r->slips = slips_new(r);
	if (r->result->abridged) {
		slips_list_behind(r->slips, list_slip_behind, &l);
		slips_list(r->slips, list_slip, &l);
	}
	sort_groups(&l);
	for (u32 g = 1; g < r->groups.n; g++)
		list_group(&l, g);
}
