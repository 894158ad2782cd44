/* origin.c - which task's words choose the place of an access.
 *
 *	lock; t = queue[head]; head = (head + 1) % size; unlock; t.run(t.arg);
 *	run(arg) { results[arg->id] = ...; *arg->out = ...; }
 *
 * A *taken* value was found in shared memory in a critical section that removed it from
 * there (reason_taken).  A word of a task is a taken value, or what was loaded from a
 * member of an object that a taken pointer leads to, or that such an object names.
 *
 * Values are followed back from the access: its base and its indices, through arithmetic, phis,
 * what calls return or store where they are told to, local variables, and from parameters to the
 * arguments of the calls by which the access is reached.  A list of steps that only grows,
 * each value of a frame once, up to a bound: so it ends, and may find too little. */
#include "race/origin.h"

enum { MAX_STEPS = 64, MAX_WITHIN = 2, NO_FRAME = FRAMES };

/* A value in a function; at->ins: an instruction before which it is used. */
typedef struct Step {
	Frame at;
	u32 frame;  /* of the access: which, or NO_FRAME in what was called from one */
	u32 caller; /* then: the step that called, plus 1, */
	InsId call; /* by this */
	Val v;
	bool index;
	u32 within; /* 0: v itself is asked for; else it leads by so many loads to what is, which */
	Word word;  /* is this member */
} Step;

typedef struct Trace {
	Reasons *rs;
	const Facts *facts;
	ThreadId thread;
	Step step[MAX_STEPS];
	u32 n;
	Word *out;
	u32 found;
} Trace;

bool
origin_spot(const Ir *ir, const Fn *f, Val v, Spot *out)
{
	InsId id;
	const Ins *i;

	out->off = 0;
	while ((i = def_of(ir, f, v, &id)) != NULL) {
		if (i->op == OP_FIELD)
			out->off += i->imm;
		else if (i->op != OP_COPY && i->op != OP_CAST)
			break;
		v = ins_arg(ir, i, 0);
	}
	out->root = v;
	return !i || i->op != OP_INDEX;
}

/* Adds a step like s, for another value. */
static void
push(Trace *t, Step s, Val v)
{
	s.v = v;
	if (!val_is_reg(v) || t->n == MAX_STEPS)
		return;
	for (u32 k = 0; k < t->n; k++) {
		const Step *o = &t->step[k];
		if (o->v == v && o->at.inst == s.at.inst && o->frame == s.frame &&
		    o->index == s.index && o->within == s.within && o->word.load == s.word.load)
			return;
	}
	t->step[t->n++] = s;
}

static void
add_word(Trace *t, Word w)
{
	for (u32 k = 0; k < t->found; k++)
		if (t->out[k].inst == w.inst && t->out[k].load == w.load &&
		    t->out[k].index == w.index)
			return;
	if (t->found < MAX_WORDS)
		t->out[t->found++] = w;
}

/* What was found in shared memory: taken, or a member of what may be. */
static void
follow_found(Trace *t, Step s, InsId load)
{
	const Ir *ir = t->rs->r->ir;
	Word here = {s.at.inst, load, s.index};

	if (reason_taken(t->rs, t->thread, &s.at, load)) {
		add_word(t, s.within ? s.word : here);
		return;
	}
	if (s.within == MAX_WITHIN || ir_ins(ir, load)->op != OP_LOAD)
		return;
	if (!s.within++)
		s.word = here;
	s.index = false;
	push(t, s, ins_arg(ir, ir_ins(ir, load), 0));
}

/* The first return of the instance's function; 0 if it has none. */
static InsId
return_of(const Races *r, InstId inst)
{
	const Fn *f = pta_fn(r->pta, inst);

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(r->ir, id)->op == OP_RET)
			return id;
	return 0;
}

/* A step like that of the caller's, in what it calls there. */
static Step
within(const Trace *t, u32 caller, InsId call, InstId to)
{
	Step s = t->step[caller];

	s.at = (Frame){to, return_of(t->rs->r, to)};
	s.frame = NO_FRAME;
	s.caller = caller + 1;
	s.call = call;
	return s;
}

static void
follow_result(Trace *t, u32 k, InsId call)
{
	const Races *r = t->rs->r;
	u32 n;
	const Edge *e = pta_targets(r->pta, t->step[k].at.inst, call, &n);

	for (u32 i = 0; i < n; i++) {
		const Fn *f = pta_fn(r->pta, e[i].to);
		for (InsId id = f->ins; id < f->ins + f->nins; id++) {
			const Ins *ret = ir_ins(r->ir, id);
			Step s = within(t, k, call, e[i].to);
			s.at.ins = id;
			if (ret->op == OP_RET && ret->narg)
				push(t, s, ins_arg(r->ir, ret, 0));
		}
	}
}

/* What the call stores to where its argument points, off bytes behind it. */
static void
follow_stored(Trace *t, u32 k, InsId call, u32 arg, i64 off)
{
	const Races *r = t->rs->r;
	u32 n;
	const Edge *e = pta_targets(r->pta, t->step[k].at.inst, call, &n);

	for (u32 i = 0; i < n; i++) {
		const Fn *f = pta_fn(r->pta, e[i].to);
		for (InsId id = f->ins; arg <= f->nparam && id < f->ins + f->nins; id++) {
			const Ins *store = ir_ins(r->ir, id);
			Spot to;
			if (store->op == OP_STORE &&
			    origin_spot(r->ir, f, ins_arg(r->ir, store, 0), &to) &&
			    to.root == arg && to.off == off)
				push(t, within(t, k, call, e[i].to), ins_arg(r->ir, store, 1));
		}
	}
}

/* What a local variable holds there: what is stored or copied to it, here or in calls. */
static void
follow_local(Trace *t, u32 k, const Spot *from)
{
	const Races *r = t->rs->r;
	const Fn *f = pta_fn(r->pta, t->step[k].at.inst);
	Spot to;

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		for (u32 a = 0; a < i->narg && (a == 0 || i->op == OP_CALL); a++) {
			if (i->op != OP_CALL && i->op != OP_STORE && i->op != OP_BCOPY)
				break;
			if (!origin_spot(r->ir, f, ins_arg(r->ir, i, a), &to) ||
			    to.root != from->root)
				continue;
			if (i->op == OP_CALL)
				follow_stored(t, k, id, a, from->off - to.off);
			else if (i->op == OP_BCOPY)
				follow_found(t, t->step[k], id);
			else if (to.off == from->off)
				push(t, t->step[k], ins_arg(r->ir, i, 1));
		}
	}
}

static void
follow_load(Trace *t, u32 k, InsId load)
{
	const Races *r = t->rs->r;
	const Fn *f = pta_fn(r->pta, t->step[k].at.inst);
	Spot from;
	InsId id;
	const Ins *var;

	if (!origin_spot(r->ir, f, ins_arg(r->ir, ir_ins(r->ir, load), 0), &from)) {
		follow_found(t, t->step[k], load);
		return;
	}
	var = def_of(r->ir, f, from.root, &id);
	if (var && var->op == OP_ALLOC && var->sub == ALLOC_STACK)
		follow_local(t, k, &from);
	else
		follow_found(t, t->step[k], load);
}

/* From a parameter to the argument. */
static void
follow_up(Trace *t, u32 k)
{
	const Races *r = t->rs->r;
	const Step *s = &t->step[k];
	Step up = *s;

	if (s->frame == NO_FRAME) {
		const Step *c = &t->step[s->caller - 1];
		Frame outer = {c->at.inst, s->call};
		up.at = c->at;
		up.frame = c->frame;
		up.caller = c->caller;
		up.call = c->call;
		push(t, up, frame_argument(r, &outer, s->v));
	} else if (s->frame + 1 < t->facts->nframe) {
		up.frame++;
		up.at = *frame_of(t->rs, t->facts, up.frame);
		push(t, up, frame_argument(r, &up.at, s->v));
	}
}

static void
follow(Trace *t, u32 k)
{
	const Ir *ir = t->rs->r->ir;
	const Step s = t->step[k];
	Step index = s;
	InsId id;
	const Ins *i = def_of(ir, pta_fn(t->rs->r->pta, s.at.inst), s.v, &id);

	if (!i) {
		follow_up(t, k);
		return;
	}
	switch (i->op) {
	case OP_COPY:
	case OP_CAST:
	case OP_FIELD:
	case OP_FILTER: push(t, s, ins_arg(ir, i, 0)); break;
	case OP_INDEX:
		index.index = true;
		if (!s.within && !s.index)
			push(t, index, ins_arg(ir, i, 1));
		push(t, s, ins_arg(ir, i, 0));
		break;
	case OP_PHI:
		for (u32 a = 1; a < i->narg; a += 2)
			push(t, s, ins_arg(ir, i, a));
		break;
	case OP_SELECT:
		push(t, s, ins_arg(ir, i, 1));
		push(t, s, ins_arg(ir, i, 2));
		break;
	case OP_BIN:
		push(t, s, ins_arg(ir, i, 0));
		push(t, s, ins_arg(ir, i, 1));
		break;
	case OP_LOAD: follow_load(t, k, id); break;
	case OP_RMW: follow_found(t, s, id); break;
	case OP_CALL: follow_result(t, k, id); break;
	default: break;
	}
}

u32
origin_words(Reasons *rs, u32 access, Word out[MAX_WORDS])
{
	const Access *a = access_at(rs->r, access);
	Trace t = {.rs = rs, .facts = facts_of(rs, access), .thread = a->thread, .out = out};
	Step s = {.at = {a->inst, a->ins}};

	push(&t, s, a->addr);
	for (u32 k = 0; k < t.n && t.found < MAX_WORDS; k++)
		follow(&t, k);
	return t.found;
}
