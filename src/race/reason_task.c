/* reason_task.c - threads that take tasks from a queue, each with a place of its own.
 *
 *	for (i = 0; i < n; i++) { t[i].lo = i * step; put(&queue, &t[i]); }
 *	t = take(&queue); for (k = t->lo; k < t->lo + step; k++) result[k] = f(k);
 *
 * Both accesses lie where a word of the task says (origin.c), and whatever is stored where
 * such words are loaded from is another each time: it is counted by one loop that runs once
 * or by a counter that goes on, points to an element that such a number chose, or to an object
 * that is made for it.  Null and negative numbers are words of no task.  That the queue
 * hands out each task once, and that counts do not overlap, is not shown: this lowers a rung
 * only.  What the maker of tasks does to an element before it hands that over is of this kind, too.
 *
 * Stores are listed once for each shape of memory, a bounded number of them; what is stored is followed up the calls a
 * bounded number of steps, and every way must end well. */
#include "race/origin.h"

enum { UP = 4, MAX_STORES = 64 }; /* what more than these store is nobody's word */

typedef Vec(Writer) Writers;

typedef struct Stores {
	bool known, many; /* many: they are not listed */
	Writers list;
} Stores;

typedef struct Words {
	Word at[MAX_WORDS];
	u32 n;
} Words;

/* What is stored where words are loaded from. */
typedef struct Stored {
	bool apart;  /* another each time */
	Frame hand;  /* where an element is handed over */
	Val element; /* by this index; 0: none */
} Stored;

/* Kept for all pairs. */
typedef struct Tasks {
	Writers *of_shape; /* [shape]: stores and copies, once each */
	Stores *to_shape;  /* [shape]: those to memory that overlaps it, found on first use */
	Map words;         /* access plus 1 -> index in lists, plus 1 */
	Vec(Words) lists;
	Map stored; /* (shape, object or 0) -> index in what, plus 1 */
	Vec(Stored) what;
} Tasks;

/* Whether what is stored there is another each time. */
typedef struct Apart {
	Reasons *rs;
	u32 shape; /* of the words */
	ObjId o;   /* only pointers to this one count; 0: numbers */
	ThreadId thread;
	u32 counting; /* places that count: those of two may be equal */
	Stored *out;
} Apart;

static Tasks *
tasks_of(Reasons *rs)
{
	const Races *r = rs->r;
	Tasks *t = rs->tasks;
	Set seen = {0};

	if (t)
		return t;
	t = rs->tasks = arena_new(r->arena, Tasks);
	t->of_shape = arena_array(r->arena, Writers, r->shapes.n + 1);
	t->to_shape = arena_array(r->arena, Stores, r->shapes.n + 1);
	for (InstId inst = 1; inst < r->pta->insts.n; inst++) {
		set_clear(&seen);
		for (u32 k = 0; k < r->writes[inst].n; k++) {
			const Access *a = access_at(r, r->writes[inst].at[k]);
			u8 op = ir_ins(r->ir, a->ins)->op;
			if ((op == OP_STORE || op == OP_BCOPY) && set_add(r->arena, &seen, a->ins))
				vec_push(r->arena, &t->of_shape[r->shape_of[r->writes[inst].at[k]]],
					 (Writer){inst, a->ins, a->thread});
		}
	}
	return t;
}

/* ---- what is stored ------------------------------------------------------------- */

static bool
points_to(const Apart *x, InstId inst, Val v)
{
	SET_FOR (it, pta_pts(x->rs->r->pta, inst, v))
		if (pta_slot(x->rs->r->pta, it.x)->obj == x->o)
			return true;
	return false;
}

bool
reason_repeats_without(const Races *r, FnId fn, InsId ins, InsId other)
{
	const Fn *f = &r->ir->fns.at[fn];
	BlockId home = walk_block(r->walk, fn, ins), by = walk_block(r->walk, fn, other);
	bool *seen = arena_array(r->arena, bool, f->nblock + 1), found = false;
	VecU32 work = {0};

	if (by != home)
		vec_push(r->arena, &work, home);
	while (work.n && !found) {
		const Block *b = fn_block(r->ir, f, work.at[--work.n]);
		for (u32 k = 0; k < b->nsucc; k++) {
			BlockId s = r->ir->succs.at[b->succ + k];
			found |= s == home;
			if (s == by || seen[s])
				continue;
			seen[s] = true;
			vec_push(r->arena, &work, s);
		}
	}
	return found;
}

/* Is what the load found stored again there, with something added: a counter that goes on? */
static bool
goes_on(const Ir *ir, const Fn *f, const Ins *load)
{
	InsId id;

	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		const Ins *store = ir_ins(ir, i), *sum;
		if (store->op != OP_STORE ||
		    !same_address(ir, f, ins_arg(ir, store, 0), ins_arg(ir, load, 0)))
			continue;
		sum = def_of(ir, f, ins_arg(ir, store, 1), &id);
		if (sum && sum->op == OP_BIN && sum->sub == BIN_ADD &&
		    ins_arg(ir, sum, 0) == load->dst && val_is_const(ins_arg(ir, sum, 1)))
			return true;
	}
	return false;
}

/* The operand of which a sum or product with a constant is another for another one; 0: none. */
static Val
scaled(const Ir *ir, const Ins *i)
{
	Val x = ins_arg(ir, i, 0), y = ins_arg(ir, i, 1);

	if (i->sub != BIN_ADD && i->sub != BIN_SUB && i->sub != BIN_MUL && i->sub != BIN_SHL)
		return 0;
	if (val_is_const(y))
		return x;
	return val_is_const(x) && i->sub != BIN_SHL ? y : 0;
}

static bool
stop_at_first(void *ctx, ObjId o, const Overlap *at)
{
	(void)o;
	(void)at;
	*(bool *)ctx = true;
	return false;
}

bool
reason_shapes_overlap(const Races *r, u32 s, u32 t)
{
	bool found = false;

	if (s && t)
		shapes_overlap(r, s, t, stop_at_first, &found);
	return found;
}

u32
reason_read_shape(const Races *r, InstId inst, InsId load)
{
	for (u32 k = access_first(r, load); k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		if (a->ins != load)
			break;
		if (a->inst == inst && !(a->flags & ACC_WRITE))
			return r->shape_of[k];
	}
	return 0;
}

/* Is the number another each time?  In a loop that runs once, or by a counter. */
static bool
counts(Apart *x, InstId inst, Val v)
{
	const Races *r = x->rs->r;
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];
	InsId id;
	const Ins *i;
	bool by_loop;

	while ((i = def_of(r->ir, f, v, &id)) != NULL &&
	       (i->op == OP_CAST || i->op == OP_COPY || (i->op == OP_BIN && scaled(r->ir, i))))
		v = i->op == OP_BIN ? scaled(r->ir, i) : ins_arg(r->ir, i, 0);
	if (!i)
		return false;
	by_loop = i->op == OP_PHI && reason_step(r, fn, v) &&
		  !set_has(&r->conc->threads->many[x->thread], inst);
	/* What is stored where it was loaded from is a ticket: see conc/distinct_ticket.c. */
	if (!by_loop && !(i->op == OP_LOAD && goes_on(r->ir, f, i) &&
			  !reason_shapes_overlap(r, x->shape, reason_read_shape(r, inst, id))))
		return false;
	x->counting++;
	return true;
}

static bool is_apart(Apart *x, InstId inst, InsId at, Val v, u32 up);

/* The same of the arguments of all calls. */
static bool
arguments_apart(Apart *x, InstId inst, Val param, u32 up)
{
	const Races *r = x->rs->r;
	const Inst *in = pta_inst(r->pta, inst);

	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &r->pta->edges.at[r->pta->callers.at[k]];
		Frame outer = {e->from, e->ins};
		Val v = e->fork || !up ? 0 : frame_argument(r, &outer, param);

		if (!v || !is_apart(x, e->from, e->ins, v, up - 1))
			return false;
	}
	return in->ncaller > 0;
}

/* A constant that is no task's word. */
static bool
is_nothing(const Ir *ir, Val v)
{
	const Const *c = ir_const(ir, v);

	return c->kind == CONST_NULL || (c->kind == CONST_INT && c->num < 0);
}

/* Is v, which the instruction stores or passes on, another each time? */
static bool
is_apart(Apart *x, InstId inst, InsId at, Val v, u32 up)
{
	const Races *r = x->rs->r;
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];
	InsId id;
	const Ins *i;

	if (x->o && !points_to(x, inst, v))
		return true;
	if (val_is_const(v))
		return is_nothing(r->ir, v);
	if (counts(x, inst, v))
		return true;
	while ((i = def_of(r->ir, f, v, &id)) != NULL &&
	       (i->op == OP_FIELD || i->op == OP_COPY || i->op == OP_CAST))
		v = ins_arg(r->ir, i, 0);
	if (!i)
		return val_is_reg(v) && arguments_apart(x, inst, v, up);
	if (!x->o)
		return false;
	if (i->op == OP_INDEX) {
		x->out->hand = (Frame){inst, at};
		x->out->element = ins_arg(r->ir, i, 1);
		return counts(x, inst, x->out->element);
	}
	return ((i->op == OP_ALLOC && i->sub != ALLOC_STACK) ||
		(i->op == OP_CALL && reason_makes(x->rs, inst, id, x->o))) &&
	       !threads_single(r->conc->threads, x->o) && !reason_repeats_without(r, fn, at, id);
}

/* The same of all that is stored to a local variable, for copies of it. */
static bool
copy_apart(Apart *x, const Writer *w)
{
	const Ir *ir = x->rs->r->ir;
	const Fn *f = pta_fn(x->rs->r->pta, w->inst);
	Spot from, to;
	InsId id;
	const Ins *var;

	if (!x->o || !origin_spot(ir, f, ins_arg(ir, ir_ins(ir, w->ins), 1), &from))
		return false;
	var = def_of(ir, f, from.root, &id);
	if (!var || var->op != OP_ALLOC || var->sub != ALLOC_STACK)
		return false;
	for (id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(ir, id);
		if (i->op == OP_STORE && origin_spot(ir, f, ins_arg(ir, i, 0), &to) &&
		    to.root == from.root && !is_apart(x, w->inst, w->ins, ins_arg(ir, i, 1), UP))
			return false;
	}
	return true;
}

/* Adds the shapes that share bytes with a foot, where something is stored, and how often that is.
 * False: more than MAX_STORES. */
static bool
add_stored(const Races *r, const Tasks *t, const Foot *f, Set *out, u32 *n)
{
	for (u32 k = 0; k < f->near.n; k++)
		SET_FOR (it, &r->feet.at[f->near.at[k].foot].shapes) {
			if (t->of_shape[it.x].n && set_add(r->arena, out, it.x))
				*n += t->of_shape[it.x].n;
			if (*n > MAX_STORES)
				return false;
		}
	return true;
}

/* The stores and copies to memory that overlaps the shape; null: too many. */
static const Writers *
stores_to(Reasons *rs, u32 shape)
{
	const Races *r = rs->r;
	Tasks *t = tasks_of(rs);
	const VecU32 *feet = &r->shapes.at[shape].feet;
	Stores *s = &t->to_shape[shape];
	Set found = {0};
	u32 n = 0;

	if (s->known)
		return s->many ? NULL : &s->list;
	s->known = true;
	for (u32 k = 0; !s->many && k < feet->n; k++)
		s->many = !add_stored(r, t, &r->feet.at[feet->at[k]], &found, &n);
	SET_FOR (it, &found)
		for (u32 k = 0; !s->many && k < t->of_shape[it.x].n; k++)
			vec_push(r->arena, &s->list, t->of_shape[it.x].at[k]);
	set_recycle(r->arena, &found);
	return s->many ? NULL : &s->list;
}

bool
reason_stores(Reasons *rs, u32 shape, StoreFn *is_so, void *ctx)
{
	const Writers *w = stores_to(rs, shape);

	for (u32 k = 0; w && k < w->n; k++)
		if (!is_so(ctx, &w->at[k]))
			return false;
	return w != NULL;
}

static bool
writes_apart(void *ctx, const Writer *w)
{
	Apart *x = ctx;
	const Ins *i = ir_ins(x->rs->r->ir, w->ins);

	x->thread = w->thread;
	return i->op == OP_BCOPY ? copy_apart(x, w)
				 : is_apart(x, w->inst, w->ins, ins_arg(x->rs->r->ir, i, 1), UP);
}

/* Is all that is stored in memory of the shape another each time? */
static bool
stored_apart(Reasons *rs, u32 shape, ObjId o, Stored *out)
{
	Apart x = {.rs = rs, .shape = shape, .o = o, .out = out};

	return reason_stores(rs, shape, writes_apart, &x) && x.counting <= 1;
}

typedef struct Besides {
	Apart apart;
	StoreFn *is_so;
	void *ctx;
} Besides;

static bool
writes_apart_or(void *ctx, const Writer *w)
{
	Besides *b = ctx;

	return b->is_so(b->ctx, w) || writes_apart(&b->apart, w);
}

bool
reason_stored_apart_or(Reasons *rs, u32 shape, ObjId o, StoreFn *is_so, void *ctx)
{
	Stored s = {0};
	Besides b = {{.rs = rs, .shape = shape, .o = o, .out = &s}, is_so, ctx};

	return reason_stores(rs, shape, writes_apart_or, &b) && b.apart.counting <= 1;
}

/* ---- pairs ---------------------------------------------------------------------- */

static const Words *
words_of(Reasons *rs, u32 access)
{
	Tasks *t = tasks_of(rs);
	u32 *known = map_at(rs->r->arena, &t->words, access + 1);

	if (!*known) {
		Words w;
		w.n = origin_words(rs, access, w.at);
		vec_push(rs->r->arena, &t->lists, w);
		*known = t->lists.n;
	}
	return &t->lists.at[*known - 1];
}

static u32
shape_of_word(const Races *r, const Word *w)
{
	return reason_read_shape(r, w->inst, w->load);
}

/* The number behind its wider forms. */
static Val
narrow(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i;

	while ((i = def_of(ir, f, v, &id)) != NULL && (i->op == OP_CAST || i->op == OP_COPY))
		v = ins_arg(ir, i, 0);
	return v;
}

static Stored
stored_in(Reasons *rs, u32 shape, ObjId o)
{
	Tasks *t = tasks_of(rs);
	u32 known = map_get(&t->stored, map_pair(shape, o));

	if (!known) {
		Stored s = {0};
		s.apart = stored_apart(rs, shape, o, &s);
		vec_push(rs->r->arena, &t->what, s);
		known = t->what.n;
		map_put(rs->r->arena, &t->stored, map_pair(shape, o), known);
	}
	return t->what.at[known - 1];
}

bool
reason_stored_apart(Reasons *rs, u32 shape, ObjId o)
{
	return stored_in(rs, shape, o).apart;
}

/* Is the access made before the task is handed over: behind no hand-over at all, or to the same
 * element, in the same round? */
static bool
before_hand(Reasons *rs, u32 access, const Stored *s)
{
	const Races *r = rs->r;
	const Facts *facts = facts_of(rs, access);
	Val v = access_at(r, access)->addr;
	FnId fn = inst_fn(r, s->hand.inst);

	for (u32 k = 0; k < facts->nframe; k++) {
		const Frame *at = frame_of(rs, facts, k);
		const Fn *f = pta_fn(r->pta, at->inst);
		InsId id;
		const Ins *i = def_of(r->ir, f, v, &id);

		while (i && (i->op == OP_FIELD || i->op == OP_COPY || i->op == OP_CAST))
			i = def_of(r->ir, f, v = ins_arg(r->ir, i, 0), &id);
		if (at->inst == s->hand.inst)
			return at->ins != s->hand.ins &&
			       (!walk_reaches(r->walk, fn, s->hand.ins, at->ins) ||
				(i && i->op == OP_INDEX &&
				 narrow(r->ir, f, ins_arg(r->ir, i, 1)) ==
				     narrow(r->ir, f, s->element) &&
				 walk_dominates(r->walk, fn, at->ins, s->hand.ins)));
		v = !i && val_is_reg(v) && k + 1 < facts->nframe
			? frame_argument(r, frame_of(rs, facts, k + 1), v)
			: 0;
	}
	return false;
}

/* Does a work on a task's element that b, the maker, filled before it handed that over? */
static bool
filled_before(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	const Words x = *words_of(rs, a);

	for (u32 i = 0; i < x.n; i++) {
		u32 shape = x.at[i].index ? 0 : shape_of_word(r, &x.at[i]);
		Stored s = shape ? stored_in(rs, shape, o) : (Stored){0};
		if (s.apart && s.element && before_hand(rs, b, &s))
			return true;
	}
	return false;
}

/* Are both at places that tasks name, each its own? */
static bool
both_named(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	const Words x = *words_of(rs, a), y = *words_of(rs, b);

	for (u32 i = 0; i < x.n; i++)
		for (u32 k = 0; k < y.n; k++) {
			u32 s = shape_of_word(r, &x.at[i]), t = shape_of_word(r, &y.at[k]);
			if (x.at[i].index == y.at[k].index && s && t &&
			    (s == t || reason_shapes_overlap(r, s, t)) &&
			    stored_in(rs, s, x.at[i].index ? 0 : o).apart)
				return true;
		}
	return false;
}

bool
reason_task(Reasons *rs, u32 a, u32 b, ObjId o)
{
	return both_named(rs, a, b, o) || filled_before(rs, a, b, o) || filled_before(rs, b, a, o);
}
