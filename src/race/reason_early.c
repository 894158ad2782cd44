/* reason_early.c - what a thread does only once the main thread has gone further.
 *
 *	worker: for (;;) { lock; while (!queue.head) wait; job = take; unlock; work(job); }
 *	main: create(worker); set up; listen; for (;;) put(&queue, accept());
 *
 * A thread that is started early waits for its first job, so it does not work beside what the main
 * thread sets up before it puts one there.  Likewise, what a library calls back is not called before
 * the program has mentioned the function to it.
 *
 * At a point of the main thread, *early* is all that may have run by then: what the main thread itself comes by
 * on its way there, with all that it calls, and what the threads run which are started
 * in there.  But behind a branch that only a number or pointer other than zero
 * in memory lets pass, a gate, is nothing early if nothing early stores such; and a call back that is only
 * assumed is early if the function is mentioned in what is.  Both begin with none and are opened until nothing
 * changes, a bounded number of times: so the first gate that is passed, of those that are
 * shut, would have no one to open it.
 *
 * What memory holds when it is made is taken to be zero, a store through a pointer to very many places opens nothing, and what opens a gate may not order what
 * lies behind it, as a plain flag, of which there is a report of its own: this only lowers a rung.  A point is the call by which main or a function that is called once goes
 * on to the access, so there are few, of which each is asked for once: linear in the
 * instructions that are early. */
#include "conc/guess.h"
#include "ir/cfg.h"
#include "race/reason_int.h"

enum {
	MAX_POINTS = 96,
	MAX_ROUNDS = 6,
	MAX_WORK = 12000000,
	MAX_SLOTS = 8,
	MIXED = 64,
	FEW = 24,
	DEPTH = 6
};

typedef struct Gate {
	const Set *at; /* slots that are loaded */
	u32 bytes;
	i64 member; /* see there */
	bool pointer;
	BlockId shut; /* where it leads to if it is open; 0: it is no gate */
} Gate;

typedef struct Early {
	Races *r;
	u32 *first; /* [InstId]: number of its first block */
	u32 nblock;
	Map gate_of; /* block's number -> index plus 1 in gates */
	Vec(Gate) gates;
	Map point_of;        /* instance and instruction -> index plus 1 in points */
	Vec(Set) points;     /* blocks that other threads run early */
	struct Search *ever; /* what is stored anywhere */
	u64 work;
} Early;

typedef struct Entered {
	InstId inst;
	BlockId block; /* 0: from its entry */
	bool other;    /* by another thread */
} Entered;

/* What is early at one point. */
typedef struct Search {
	Early *e;
	Arena *a;
	Set ran, others;         /* blocks; those that other threads run */
	Set stored, stored_objs; /* slots that something but zero is stored to, and their objects */
	Set input;               /* objects that numbers are put into, as by read or memset */
	Map members;      /* and objects that folded, with the members; with 0: any of them */
	Set fns, globals; /* mentioned */
	Set waiting;      /* functions that an assumed call would run */
	Set closed;       /* indices of gates that were met */
	Vec(Entered) todo;
	bool whole; /* it gave up: everything is early */
} Search;

/* ---- gates ------------------------------------------------------------------------ */

/* What the condition is where the one load that it is computed from finds zero. */
static bool
at_zero(const Ir *ir, const Fn *f, Val v, u32 depth, i64 *out, InsId *load)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;
	i64 x, y;
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);

	if (c && (c->kind == CONST_INT || c->kind == CONST_NULL))
		return *out = c->kind == CONST_INT ? c->num : 0, true;
	if (!i || depth == DEPTH)
		return false;
	switch (i->op) {
	case OP_LOAD:
		*out = 0;
		if (*load && *load != id)
			return false;
		*load = id;
		return true;
	case OP_COPY:
	case OP_CAST: return at_zero(ir, f, ins_arg(ir, i, 0), depth + 1, out, load);
	case OP_BIN:
		if (!at_zero(ir, f, ins_arg(ir, i, 0), depth + 1, &x, load))
			return false;
		*out = 0;
		if (i->sub == BIN_AND)
			return x == 0;
		if (i->sub != BIN_XOR || !at_zero(ir, f, ins_arg(ir, i, 1), depth + 1, &y, load))
			return false;
		*out = i->width == 1 ? (x ^ y) & 1 : x ^ y;
		return true;
	case OP_CMP: break;
	default: return false;
	}
	if (!at_zero(ir, f, ins_arg(ir, i, 0), depth + 1, &x, load) ||
	    !at_zero(ir, f, ins_arg(ir, i, 1), depth + 1, &y, load))
		return false;
	switch (i->sub) {
	case CMP_EQ: *out = x == y; return true;
	case CMP_NE: *out = x != y; return true;
	case CMP_SGT: *out = x > y; return true;
	case CMP_SGE: *out = x >= y; return true;
	case CMP_SLT: *out = x < y; return true;
	case CMP_SLE: *out = x <= y; return true;
	case CMP_UGT: *out = (u64)x > (u64)y; return true;
	case CMP_ULT: *out = (u64)x < (u64)y; return true;
	default: return false;
	}
}

/* Does the place start with zero, as far as it is known? */
bool
reason_starts_zero(const Pta *p, SlotId s, u32 bytes)
{
	const Slot *slot = pta_slot(p, s);
	const Obj *o = pta_obj(p, slot->obj);
	const Global *g;

	if (o->kind == OBJ_HEAP || o->kind == OBJ_STACK)
		return !(ir_ins(p->ir, o->ins)->flags & INS_MAPPED);
	if (o->kind != OBJ_GLOBAL)
		return false;
	g = &p->ir->globals.at[o->ref];
	if (g->linkage == LINK_DECL || slot->stride)
		return false;
	for (u32 k = g->init; k < g->init + g->ninit; k++) {
		const Init *in = &p->ir->inits.at[k];
		const Const *c = ir_const(p->ir, in->val);
		if ((i64)in->off < slot->off + bytes && slot->off < (i64)in->off + 8 &&
		    c->kind != CONST_NULL && (c->kind != CONST_INT || c->num))
			return false;
	}
	return g->ninit || g->size <= IR_INT_INIT;
}

/* By how much the address lies behind the pointer that it is computed from: in an object that folded, that
 * tells members apart.  0: it may be any. */
static i64
member_of(const Ir *ir, const Fn *f, Val addr)
{
	InsId id;
	const Ins *i;
	i64 off = 0;

	while ((i = def_of(ir, f, addr, &id)) && (i->op == OP_FIELD || i->op == OP_COPY)) {
		off += i->op == OP_FIELD ? i->imm : 0;
		addr = ins_arg(ir, i, 0);
	}
	return off;
}

bool
reason_at_zero(const Ir *ir, const Fn *f, Val v, i64 *out, InsId *load)
{
	return at_zero(ir, f, v, 0, out, load) && *load;
}

static void
find_gate(Early *e, InstId inst, const Block *b, Gate *g)
{
	const Pta *p = e->r->pta;
	const Ir *ir = p->ir;
	const Ins *end = ir_ins(ir, b->ins + b->nins - 1), *i;
	InsId load = 0;
	i64 value;

	if (end->op != OP_CBR || b->nsucc != 2 ||
	    ir->succs.at[b->succ] == ir->succs.at[b->succ + 1] ||
	    !at_zero(ir, pta_fn(p, inst), ins_arg(ir, end, 0), 0, &value, &load) || !load)
		return;
	i = ir_ins(ir, load);
	g->at = pta_pts(p, inst, ins_arg(ir, i, 0));
	g->member = member_of(ir, pta_fn(p, inst), ins_arg(ir, i, 0));
	g->pointer = i->rt == RT_PTR;
	g->bytes = i->width ? (i->width + 7u) / 8 : ir->ptr_bytes;
	if (set_empty(g->at) || set_count(g->at) > MAX_SLOTS)
		return;
	SET_FOR (it, g->at)
		if (!reason_starts_zero(p, it.x, g->bytes))
			return;
	g->shut = ir->succs.at[b->succ + (value != 0)];
}

static void
store(Search *s, const Set *at, i64 member)
{
	const Pta *p = s->e->r->pta;

	if (set_count(at) > MIXED)
		return;
	set_or(s->a, &s->stored, at);
	SET_FOR (it, at) {
		ObjId o = pta_slot(p, it.x)->obj;
		set_add(s->a, &s->stored_objs, o);
		map_put(s->a, &s->members, map_pair(o, (u32)member), 1);
	}
}

static bool
is_zero(const Ir *ir, Val v)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;

	return c && (c->kind == CONST_NULL || (c->kind == CONST_INT && !c->num));
}

/* Notes what the instruction may open. */
static void
note_writes(Search *s, InstId inst, InsId id)
{
	const Pta *p = s->e->r->pta;
	const Ir *ir = p->ir;
	const Ins *i = ir_ins(ir, id);
	const Fn *f = pta_fn(p, inst);

	switch (i->op) {
	case OP_STORE:
	case OP_CAS:
		if (is_zero(ir, ins_arg(ir, i, i->op == OP_CAS ? 2 : 1)))
			break;
		/* fallthrough */
	case OP_RMW:
		store(s, pta_pts(p, inst, ins_arg(ir, i, 0)), member_of(ir, f, ins_arg(ir, i, 0)));
		break;
	case OP_BCOPY: store(s, pta_pts(p, inst, ins_arg(ir, i, 0)), 0); break;
	case OP_WRITEN:
		SET_FOR (it, pta_pts(p, inst, ins_arg(ir, i, 0)))
			set_add(s->a, &s->input, pta_slot(p, it.x)->obj);
		break;
	case OP_EXTERN:
		for (u32 k = 0; k < i->narg; k++)
			store(s, pta_pts(p, inst, ins_arg(ir, i, k)), 0);
		break;
	default: break;
	}
}

static bool
is_open(const Search *s, const Gate *g)
{
	const Pta *p = s->e->r->pta;

	SET_FOR (it, g->at) {
		ObjId o = pta_slot(p, it.x)->obj;
		if (!g->pointer && set_has(&s->input, o))
			return true;
		if (!set_has(&s->stored_objs, o))
			continue;
		if (pta_slot(p, it.x)->stride == 1 && g->member) {
			if (map_get(&s->members, map_pair(o, 0)) ||
			    map_get(&s->members, map_pair(o, (u32)g->member)))
				return true;
			continue;
		}
		SET_FOR (st, &s->stored)
			if (pta_slot(p, st.x)->obj == o && pta_overlap(p, it.x, g->bytes, st.x, 1))
				return true;
	}
	return false;
}

/* The index of the gate at the end of the block; it may be none. */
static u32
gate_at(Early *e, InstId inst, BlockId b)
{
	u32 *at = map_at(e->r->arena, &e->gate_of, e->first[inst] + b);

	if (!*at) {
		Gate g = {0};
		find_gate(e, inst, fn_block(e->r->ir, pta_fn(e->r->pta, inst), b), &g);
		if (g.shut && !is_open(e->ever, &g))
			g.shut = 0; /* something that is not seen opens it */
		vec_push(e->r->arena, &e->gates, g);
		*at = e->gates.n;
	}
	return *at - 1;
}

/* ---- what is early ------------------------------------------------------------------ */

static void
enter(Search *s, InstId inst, BlockId b, bool other)
{
	u32 block = s->e->first[inst] + b;

	if (!set_add(s->a, other ? &s->others : &s->ran, block))
		return;
	vec_push(s->a, &s->todo, ((Entered){inst, b, other}));
}

static void mention(Search *s, Val v);

static void
mention_global(Search *s, GlobalId id)
{
	const Ir *ir = s->e->r->ir;
	const Global *g = &ir->globals.at[id];

	if (!set_add(s->a, &s->globals, id))
		return;
	for (u32 k = g->init; k < g->init + g->ninit; k++)
		mention(s, ir->inits.at[k].val);
}

static void
mention(Search *s, Val v)
{
	const Const *c = val_is_const(v) ? ir_const(s->e->r->ir, v) : NULL;

	if (c && c->kind == CONST_FN)
		set_add(s->a, &s->fns, c->ref);
	else if (c && c->kind == CONST_GLOBAL)
		mention_global(s, c->ref);
}

static void
follow(Search *s, InstId inst, InsId id, bool other)
{
	const Races *r = s->e->r;
	u32 n;
	const Edge *edge = pta_targets(r->pta, inst, id, &n);

	for (u32 k = 0; k < n; k++) {
		u32 at = (u32)(edge + k - r->pta->edges.at);
		FnId f = pta_inst(r->pta, edge[k].to)->fn;
		if (r->conc->ending && r->conc->ending[at])
			continue;
		if (edge[k].assumed && r->conc->guess && r->conc->guess[at])
			continue;
		if (edge[k].assumed && !set_has(&s->fns, f)) {
			set_add(s->a, &s->waiting, f);
			continue;
		}
		enter(s, edge[k].to, 1, other || edge[k].fork);
	}
}

static void
run(Search *s, InstId inst, InsId id, bool other)
{
	const Ir *ir = s->e->r->ir;
	const Ins *i = ir_ins(ir, id);
	u32 direct = i->op == OP_CALL ? 0 : i->op == OP_FORK ? 1 : i->narg;

	s->e->work++;
	for (u32 k = 0; k < i->narg; k++)
		if (k != direct)
			mention(s, ins_arg(ir, i, k));
	note_writes(s, inst, id);
	if (i->op == OP_CALL || i->op == OP_FORK || i->op == OP_EXTERN || i->op == OP_CINIT)
		follow(s, inst, id, other);
}

/* Runs a block up to an instruction (0: to its end). */
static void
run_block(Search *s, InstId inst, BlockId b, InsId to, bool other)
{
	const Block *bl = fn_block(s->e->r->ir, pta_fn(s->e->r->pta, inst), b);

	for (InsId id = bl->ins; id < bl->ins + bl->nins && id != to; id++)
		run(s, inst, id, other);
}

static void
leave_block(Search *s, const Entered *at)
{
	Early *e = s->e;
	const Ir *ir = e->r->ir;
	const Block *b = fn_block(ir, pta_fn(e->r->pta, at->inst), at->block);
	u32 index = gate_at(e, at->inst, at->block);
	const Gate *g = &e->gates.at[index];
	bool closed = g->shut && !is_open(s, g);

	if (closed)
		set_add(s->a, &s->closed, index);
	for (u32 k = 0; k < b->nsucc; k++)
		if (!closed || ir->succs.at[b->succ + k] != g->shut)
			enter(s, at->inst, ir->succs.at[b->succ + k], at->other);
	if (b->exc)
		enter(s, at->inst, b->exc, at->other);
}

/* All of the frame's function that may come before its instruction. */
static void
run_before(Search *s, const Frame *at)
{
	const Races *r = s->e->r;
	const Fn *f = pta_fn(r->pta, at->inst);
	FnId fn = inst_fn(r, at->inst);
	BlockId last = walk_block(r->walk, fn, at->ins);

	for (BlockId b = 1; b <= f->nblock; b++)
		if (walk_block_reaches(r->walk, fn, b, last))
			run_block(s, at->inst, b,
				  b == last && !walk_cyclic(r->walk, fn, b) ? at->ins : 0, false);
}

/* Has what was found to be early opened a gate, or mentioned a function, that was not thought of? */
static bool
has_changed(Search *s)
{
	SET_FOR (it, &s->closed)
		if (is_open(s, &s->e->gates.at[it.x]))
			return true;
	SET_FOR (it, &s->waiting)
		if (set_has(&s->fns, it.x))
			return true;
	return false;
}

static void
search(Search *s, const Frame *frames, u32 n, InstId within)
{
	bool again = true;

	for (u32 round = 0; again; round++) {
		if (round == MAX_ROUNDS || s->e->work > MAX_WORK) {
			s->whole = true;
			return;
		}
		set_clear(&s->ran);
		set_clear(&s->others);
		set_clear(&s->closed);
		set_clear(&s->waiting);
		for (u32 k = 0; k < n; k++)
			run_before(s, &frames[k]);
		if (within)
			enter(s, within, 1, false);
		while (s->todo.n) {
			Entered at = s->todo.at[--s->todo.n];
			run_block(s, at.inst, at.block, 0, at.other);
			leave_block(s, &at);
		}
		again = has_changed(s);
	}
}

/* ---- points ------------------------------------------------------------------------- */

static Early *
early_of(Reasons *rs)
{
	Races *r = rs->r;
	const Pta *p = r->pta;
	Early *e;

	if (rs->early)
		return rs->early;
	e = rs->early = arena_new(r->arena, Early);
	e->r = r;
	e->first = arena_array(r->arena, u32, p->insts.n + 1);
	for (InstId i = 1; i < p->insts.n; i++) {
		e->first[i] = e->nblock;
		e->nblock += pta_fn(p, i)->nblock + 1;
	}
	vec_push(r->arena, &e->points, (Set){0});
	e->ever = arena_new(r->arena, Search);
	*e->ever = (Search){.e = e, .a = r->arena};
	for (InstId i = 1; i < p->insts.n; i++)
		for (InsId id = pta_fn(p, i)->ins; id < pta_fn(p, i)->ins + pta_fn(p, i)->nins;
		     id++)
			note_writes(e->ever, i, id);
	return e;
}

/* The frames of the access from the main thread's start on; 0: there are too many. */
static u32
frames_from_start(const Reasons *rs, u32 access, Frame out[FEW])
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Way *ways = r->conc->ways;
	u32 n = 0;

	out[n++] = (Frame){a->inst, a->ins};
	for (u32 w = a->way; ways[w].edge; w = ways[w].from) {
		const Edge *edge = &r->pta->edges.at[ways[w].edge - 1];
		if (n == FEW)
			return 0;
		out[n++] = (Frame){edge->from, edge->ins};
	}
	for (u32 k = 0; k < n / 2; k++) {
		Frame f = out[k];
		out[k] = out[n - 1 - k];
		out[n - 1 - k] = f;
	}
	return n;
}

/* Does it neither call nor write anything? */
static bool
does_nothing(u8 op)
{
	switch (op) {
	case OP_ALLOC:
	case OP_COPY:
	case OP_PHI:
	case OP_SELECT:
	case OP_FIELD:
	case OP_INDEX:
	case OP_LOAD:
	case OP_CMP:
	case OP_BIN:
	case OP_CAST: return true;
	default: return false;
	}
}

/* The first instruction behind the last one of its block before it that does something. */
static InsId
rounded(const Ir *ir, const Fn *f, InsId id)
{
	InsId first = fn_block(ir, f, cfg_block_of(ir, f, id))->ins;

	while (id > first && does_nothing(ir_ins(ir, id - 1)->op))
		id--;
	return id;
}

/* The index of the point of the access; 0: there are too many of them. */
static u32
point_of(Reasons *rs, u32 access)
{
	Races *r = rs->r;
	Early *e = early_of(rs);
	Frame frames[FEW];
	u32 n = frames_from_start(rs, access, frames), k = 0;
	InstId within = 0;
	u32 *at;

	if (!n || pta_inst(r->pta, frames[0].inst)->ncaller)
		return 0;
	while (k + 1 < n && pta_inst(r->pta, frames[k + 1].inst)->ncaller == 1 &&
	       !walk_cyclic(r->walk, inst_fn(r, frames[k].inst),
			    walk_block(r->walk, inst_fn(r, frames[k].inst), frames[k].ins)))
		k++;
	if (k + 1 < n)
		within = frames[k + 1].inst;
	else
		frames[k].ins = rounded(r->ir, pta_fn(r->pta, frames[k].inst), frames[k].ins);
	at = map_at(r->arena, &e->point_of, map_pair(frames[k].inst, frames[k].ins));
	if (!*at && e->points.n < MAX_POINTS && e->work < MAX_WORK) {
		Search s = {.e = e, .a = r->arena};
		search(&s, frames, k + 1, within);
		vec_push(r->arena, &e->points, s.others);
		*at = s.whole ? 1 : e->points.n;
	}
	return *at ? *at - 1 : 0;
}

bool
reason_early(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	const Access *x = access_at(r, a), *y = access_at(r, b);
	u32 point;

	if (x->thread != 1 || y->thread == 1 || r->ir->classes.n > 1)
		return false;
	point = point_of(rs, a);
	return point && !set_has(&rs->early->points.at[point],
				 rs->early->first[y->inst] +
				     walk_block(r->walk, inst_fn(r, y->inst), y->ins));
}
