/* reason.c - RELAY's six categories of false warnings (Section 4.2), and ours.
 *
 * RELAY's filters are syntactic and delete warnings.  Here each category is
 * decided by a small analysis of the two accesses, and only lowers the rung of
 * a pair that the stages could not exclude.  None of them is sound, and none
 * needs to be. */
#include "conc/phase.h"
#include "race/reason_int.h"

enum {
	MANY_OBJECTS = 8, /* more than this many: the address is mixed up with others */
	FEW_OBJECTS = 2   /* so it is with more than these that are not alike */
};

struct Reasons *
reasons_new(Races *r)
{
	struct Reasons *rs = arena_new(r->arena, Reasons);

	rs->r = r;
	rs->facts = arena_array(r->arena, Facts *, r->conc->accesses.n + 1);
	rs->above = above_new(r->arena, r->pta);
	rs->publishers = arena_array(r->arena, Set *, r->pta->objs.n + 1);
	rs->set_publishers = arena_array(r->arena, Set *, fresh_set_count(r->conc->fresh) + 1);
	rs->events = arena_array(r->arena, struct FnEvents *, r->ir->fns.n + 1);
	rs->mixed = arena_array(r->arena, u8, r->shapes.n);
	intern_init(&rs->gone_back, r->arena);
	intern_init(&rs->counted, r->arena);
	intern_init(&rs->passing, r->arena);
	rs->holding = arena_array(r->arena, bool *, 2 * (r->pta->insts.n + 1));
	rs->scopes = arena_array(r->arena, struct Scopes *, r->conc->threads->at.n + 1);
	return rs;
}

u32
reason_frame(Reasons *rs, InstId inst, InsId ins)
{
	Arena *a = rs->r->arena;
	u32 *at = map_at(a, &rs->frame_index, map_pair(inst, ins));

	if (!*at) {
		vec_push(a, &rs->frames, (FrameFacts){.at = {inst, ins}});
		*at = rs->frames.n;
	}
	return *at - 1;
}

Facts *
facts_of(Reasons *rs, u32 access)
{
	Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Way *ways = r->conc->ways;
	Facts *f = rs->facts[access];

	if (f)
		return f;
	f = rs->facts[access] = arena_new(r->arena, Facts);
	f->frame[f->nframe++] = reason_frame(rs, a->inst, a->ins);
	for (u32 w = a->way; ways[w].edge && f->nframe < FRAMES; w = ways[w].from) {
		const Edge *e = &r->pta->edges.at[ways[w].edge - 1];
		f->frame[f->nframe++] = reason_frame(rs, e->from, e->ins);
	}
	return f;
}

const Ins *
def_of(const Ir *ir, const Fn *f, Val v, InsId *id)
{
	*id = val_is_reg(v) ? fn_reg(ir, f, v)->def : 0;
	return *id ? ir_ins(ir, *id) : NULL;
}

bool
same_address(const Ir *ir, const Fn *f, Val v, Val w)
{
	InsId id;
	const Ins *a = def_of(ir, f, v, &id), *b = def_of(ir, f, w, &id);

	return v == w || (a && b && a->op == OP_FIELD && b->op == OP_FIELD && a->imm == b->imm &&
			  ins_arg(ir, a, 0) == ins_arg(ir, b, 0));
}

/* What the load finds in a local variable that its block has just stored to; 0 unknown.  Such a
 * one lies between an atomic exchange and whoever wants its result. */
static Val
just_stored(const Ir *ir, const Fn *f, InsId load)
{
	Val at = ins_arg(ir, ir_ins(ir, load), 0);
	InsId id;
	const Ins *var = def_of(ir, f, at, &id), *i;

	if (!var || var->op != OP_ALLOC || var->sub != ALLOC_STACK)
		return 0;
	for (id = load; id-- > f->ins;) {
		i = ir_ins(ir, id);
		if (i->op == OP_STORE && ins_arg(ir, i, 0) == at)
			return i->width == 0 || i->width == ir->ptr_bytes * 8 ? ins_arg(ir, i, 1)
									      : 0;
		if (i->op == OP_CALL || op_is_terminator(i->op))
			return 0;
	}
	return 0;
}

Val
root_of(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i;
	Val stored;

	while ((i = def_of(ir, f, v, &id)) != NULL) {
		if (i->op == OP_COPY || i->op == OP_FIELD || i->op == OP_INDEX || i->op == OP_CAST)
			v = ins_arg(ir, i, 0);
		else if (i->op == OP_LOAD && (stored = just_stored(ir, f, id)) != 0)
			v = stored;
		else
			break;
	}
	return v;
}

/* What an address may be of: how many allocations and variables, and whether
 * they are of one size.  Objects of classes are none of them mixed up by that: a
 * field of a superclass is in all those below it. */
typedef struct Mix {
	u32 objects;
	bool sizes_differ;
} Mix;

static Mix
mix_of(const Races *r, u32 shape)
{
	const CellList *l = &r->cells.at[r->shapes.at[shape].cells];
	u64 bytes = r->shapes.at[shape].size;
	Set seen = {0};
	Mix m = {0, false};
	u64 size = 0;

	for (u32 i = 0; i < l->n; i++) {
		const Slot *s = pta_slot(r->pta, l->at[i].slot);
		const Obj *o = pta_obj(r->pta, s->obj);

		if (o->size && s->off >= 0 && (u64)s->off + bytes > o->size)
			continue; /* cannot be meant: it does not fit */
		if (!set_add(r->arena, &seen, o->ins ? o->ins * 2 : o->ref * 2 + 1))
			continue;
		m.sizes_differ |= m.objects++ && o->size != size && r->ir->classes.n <= 1;
		size = o->size;
	}
	set_recycle(r->arena, &seen);
	return m;
}

/* RELAY's large representative nodes: one side may be nearly anything, or has
 * gone through code that treats different structures alike, such as the links
 * of several lists. */
static bool
is_mixed(Reasons *rs, u32 shape)
{
	Mix m;

	if (!rs->mixed[shape]) {
		m = mix_of(rs->r, shape);
		rs->mixed[shape] =
		    1 + (m.objects > MANY_OBJECTS || (m.objects > FEW_OBJECTS && m.sizes_differ));
	}
	return rs->mixed[shape] == 2;
}

/* Which member, of a struct to which there is a pointer, the access is within: its type and extent. */
typedef struct Within {
	TypeId type;
	u64 from, to;
} Within;

static bool
member_within(const Races *r, const Access *x, Within *out)
{
	const Ir *ir = r->ir;
	const Fn *f = pta_fn(r->pta, x->inst);
	const Ins *i = ir_ins(ir, x->ins), *def, *first = NULL;
	const Type *t;
	InsId id;

	if (i->op != OP_LOAD && i->op != OP_STORE && i->op != OP_RMW && i->op != OP_CAS)
		return false;
	for (Val v = ins_arg(ir, i, 0);
	     (def = def_of(ir, f, v, &id)) &&
	     (def->op == OP_FIELD || def->op == OP_COPY || def->op == OP_INDEX);
	     v = ins_arg(ir, def, 0))
		if (def->op == OP_FIELD)
			first = def;
	if (!first || first->sub || !first->aux)
		return false;
	t = &ir->types.at[first->aux];
	for (u32 k = t->member; k < t->member + t->nmember; k++) {
		const Member *m = &ir->members.at[k];
		u64 size = ir->types.at[m->type].size;
		if (first->imm < (i64)m->off || first->imm + (i64)x->size > (i64)(m->off + size))
			continue;
		*out = (Within){first->aux, m->off, m->off + size};
		return true;
	}
	return false;
}

bool
reason_members_apart(const Races *r, const Access *x, const Access *y)
{
	Within a, b;

	return member_within(r, x, &a) && member_within(r, y, &b) && a.type == b.type &&
	       (a.to <= b.from || b.to <= a.from);
}

static bool
is_published(const Races *r, const Meeting *m, ObjId o)
{
	u32 store, load;

	return m->published && publish_refuted_by(r->publish, o, &store, &load) &&
	       flags_conflict(access_at(r, store)->flags, access_at(r, load)->flags);
}

static bool
interrupts(const Races *r, ThreadId t)
{
	return t != 1 &&
	       ir_ins(r->ir, thread_get(r->conc->threads, t)->fork)->flags & INS_INTERRUPTS;
}

/* A handler against the thread that registered it, which is where signals are
 * most often delivered to, or against another handler: one interrupts the
 * other, and no two threads meet. */
static bool
one_interrupts(const Races *r, ThreadId t, ThreadId u)
{
	const Threads *th = r->conc->threads;
	bool x = interrupts(r, t), y = interrupts(r, u);

	return (x && y) || (x && thread_get(th, t)->parent == u) ||
	       (y && thread_get(th, u)->parent == t);
}

/* Is the access a finalizer's, to an object that it was run for?  Nobody else has that then. */
static bool
finalizes(const Races *r, const Access *x, ObjId o)
{
	const Pta *p = r->conc->pta;
	InstId start = thread_get(r->conc->threads, conc_thread(r->conc, x))->start;

	if (!start || !(pta_fn(p, start)->flags & FN_DESTRUCTOR) || !pta_fn(p, start)->nparam)
		return false;
	SET_FOR (it, pta_pts(p, start, 1))
		if (pta_slot(p, it.x)->obj == o)
			return true;
	return false;
}

/* What is held at the access, or by those whose calls led there if it is in a library. */
static SetId
site_locks_on_way(const Reasons *rs, u32 access)
{
	const Races *r = rs->r;
	const Conc *c = r->conc;
	const Use *use = use_of(r->uses, access);
	SetId held = site_locks_at(r->site_locks, access_at(r, access));

	for (u32 w = access_at(r, access)->way; use && c->ways[w].edge; w = c->ways[w].from) {
		const Edge *e = &r->pta->edges.at[c->ways[w].edge - 1];
		held = site_locks_with(r->site_locks, held, e->from, e->ins);
		if (e->from == use->inst && e->ins == use->call)
			break;
	}
	return held;
}

static bool
owner_locked(const Reasons *rs, u32 a, u32 b, ObjId o)
{
	SetId x = site_locks_on_way(rs, a);
	bool self = x && !reason_others(rs, a, o) && !reason_others(rs, b, o);

	return x && site_locks_owner(rs->r->site_locks, x, site_locks_on_way(rs, b), o, self);
}

/* Is o all objects of its class that libraries make, though they may change? */
static bool
stands_for_many(const Races *r, const Obj *o)
{
	return r->pta->by_class && o->kind == OBJ_VALUE &&
	       !(r->ir->classes.at[o->ref].flags & CLASS_VALUE);
}

bool
updates(const Races *r, const Access *x)
{
	const Ins *store = ir_ins(r->ir, x->ins), *made, *load;
	const Fn *fn = pta_fn(r->pta, x->inst);
	InsId id;

	made = store->op == OP_STORE ? def_of(r->ir, fn, ins_arg(r->ir, store, 1), &id) : NULL;
	for (u32 k = 0; made && made->op == OP_BIN && k < made->narg; k++) {
		load = def_of(r->ir, fn, ins_arg(r->ir, made, k), &id);
		if (load && load->op == OP_LOAD &&
		    same_address(r->ir, fn, ins_arg(r->ir, load, 0), ins_arg(r->ir, store, 0)))
			return true;
	}
	return false;
}

/* A volatile access is done as it is written, as an atomic one is, but one of two updates may
 * still be lost. */
static bool
both_volatile(const Races *r, const Access *x, const Access *y)
{
	u32 as_written = ACC_VOLATILE | ACC_ATOMIC;

	return x->flags & as_written && y->flags & as_written &&
	       (x->flags | y->flags) & ACC_VOLATILE && !r->opt->volatile_races &&
	       !(x->flags & y->flags & ACC_WRITE && (updates(r, x) || updates(r, y)));
}

/* Asked where there is no other reason. */
static u32
claimed_bit(Reasons *rs, u32 a, u32 b, ObjId o, u32 bits)
{
	return !bits && reason_claimed(rs, a, b, o) ? 1u << REASON_CLAIMED : 0;
}

u32
reasons_of(struct Reasons *rs, u32 a, u32 b, const Meeting *m)
{
	Races *r = rs->r;
	const Access *x = access_at(r, a), *y = access_at(r, b);
	ObjId o = pta_slot(r->pta, m->slot_x)->obj;
	const Obj *obj = pta_obj(r->pta, o);
	u32 bits = 0;

	/* In cheap-to-costly order: among very many pairs, one reason is enough. */
#define IF(reason, ...)                                                                            \
	if (!bits || !r->result->abridged)                                                         \
	bits |= (__VA_ARGS__) ? 1u << REASON_##reason : 0
	IF(UNKNOWN, obj->kind == OBJ_EXTERN || (m->published && fresh_unknown(r->conc->fresh, o)));
	IF(FOLDED, m->vague && !slips(r->slips, a, b));
	IF(OWNER_LOCK, owner_locked(rs, a, b, o) || reason_bucket(rs, a, b, o) ||
			   reason_bucket_object(rs, a, b, o));
	IF(UNLIKELY_ALIAS, stands_for_many(r, obj));
	IF(NOT_PARALLEL, notes_apart(r->notes, x, y));
	IF(NOT_SHARED, notes_local(r->notes, m->slot_x, x->size));
	IF(CONFINED, notes_confined(r->notes, m->slot_x));
	IF(CALLERS, reason_callers(rs, o));
	IF(ENDING, reason_ending(rs, a) || reason_ending(rs, b));
	IF(PROCESS, reason_process(rs, a, b, o));
	IF(UNLIKELY_CALL, thread_get(r->conc->threads, x->thread)->doubtful ||
			      thread_get(r->conc->threads, y->thread)->doubtful ||
			      reason_guessed(rs, a) || reason_guessed(rs, b) ||
			      reason_unstarted(rs, a, b) || reason_unstarted(rs, b, a));
	IF(SAFE, notes_safe(r->notes, m->slot_x, x, y));
	IF(LIBRARY, uses_nowhere(r->uses, a, b) || uses_apart(r->uses, a, b, o));
	IF(INTERRUPT, one_interrupts(r, x->thread, y->thread));
	IF(NON_PARALLEL, finalizes(r, x, o) || finalizes(r, y, o));
	IF(VOLATILE, both_volatile(r, x, y));
	IF(PUBLICATION, is_published(r, m, o));
	IF(UNLIKELY_ALIAS, (is_mixed(rs, r->shape_of[a]) || is_mixed(rs, r->shape_of[b])) &&
			       !slips(r->slips, a, b));
	IF(UNLIKELY_ALIAS, reason_members_apart(r, x, y));
	IF(CONDITIONAL, reason_conditional(rs, a, b) || reason_swept(rs, a, b));
	IF(REENTRANT, reason_reentrant(rs, a, b));
	IF(OWNER_LOCK,
	   reason_either(rs, a, b) || reason_element(rs, a, b, o) || reason_pointed(rs, a, b, o));
	IF(OTHER_CALLERS, reason_passed(rs, a, b, o) && !slips_behind(r->slips, a, b));
	IF(INITIALIZATION, reason_initialization(rs, a, o) || reason_initialization(rs, b, o) ||
			       reason_made(rs, a, b, o) || reason_state(rs, a, o) ||
			       reason_state(rs, b, o));
	IF(UNSHARING, reason_unsharing(rs, a, b, o));
	IF(OWN_TASK, reason_task(rs, a, b, o));
	IF(FILLED, reason_filled(rs, a, b, o) || reason_once(rs, a, b));
	if (threads_is_crew(r->conc->threads, x->thread) ||
	    threads_is_crew(r->conc->threads, y->thread))
		return bits | claimed_bit(rs, a, b, o,
					  bits); /* the others ask what one thread begins with */
	IF(SPLIT, reason_split(rs, a, b, m->slot_x));
	IF(OWN_TASK, !bits && reason_drawn(rs, a, b, o));
	IF(NON_PARALLEL,
	   reason_at_rest(rs, a) || reason_at_rest(rs, b) || reason_turns(rs, a, b) ||
	       reason_gate(rs, a, b) || reason_table(rs, a, b) || reason_buffers(rs, a, b) ||
	       reason_elected(rs, a, b) || reason_reaped(rs, a, b) || reason_reaped(rs, b, a) ||
	       (!rs->no_onces && (reason_first(rs, a, b) || reason_first(rs, b, a))) ||
	       phases_presume(r->conc->phases, x, y) || reason_non_parallel(rs, a, b, o) ||
	       (!bits &&
		(reason_apart(rs, a, b) || reason_early(rs, a, b) || reason_early(rs, b, a))));
#undef IF
	return bits | claimed_bit(rs, a, b, o, bits);
}
