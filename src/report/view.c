/* view.c - looks up what every format of a report shows. */
#include "report/report_int.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Ir *
ir_of(const ReportInput *in)
{
	return in->races->conc->ir;
}

const char *
view_function(const Ir *ir, const Fn *f)
{
	return ir_str(ir, f->pretty ? f->pretty : f->name);
}

const Src *
view_src(const Ir *ir, SrcId s)
{
	return &ir->srcs.at[s];
}

const char *
view_position(const ReportInput *in, SrcId id)
{
	const Src *s = view_src(ir_of(in), id);
	Arena *a = in->races->arena;
	const char *file = ir_str(ir_of(in), s->file);

	if (!s->file)
		return "";
	if (!s->line)
		return file;
	return s->col ? arena_printf(a, "%s:%u:%u", file, s->line, s->col)
		      : arena_printf(a, "%s:%u", file, s->line);
}

const char *
view_from_root(const ReportInput *in, const char *path)
{
	Arena *a = in->races->arena;
	const char *below;

	if (!in->root)
		return path;
	below = file_shorten(a, *path == '/' ? path : file_join(a, in->cwd, path), in->root);
	return *below == '/' ? path : below;
}

bool
view_in_class(const ReportInput *in, const Side *s)
{
	return pta_fn(in->races->conc->pta, s->access->inst)->class != 0;
}

/* Nothing of an open program runs before its callers do: thread 1 is the one that makes what they
 * share, as a caller would, and starts them. */
static bool
makes_callers(const ReportInput *in)
{
	const Threads *ts = in->races->conc->threads;

	for (ThreadId t = 2; t < ts->at.n; t++)
		if (thread_get(ts, t)->parent == 1 && view_is_caller(in, t))
			return true;
	return false;
}

const char *
view_thread(const ReportInput *in, ThreadId t)
{
	if (t == 1)
		return makes_callers(in) ? "callers' first thread" : "main thread";
	return arena_printf(in->races->arena, "thread T%u '%s'", t - 1, view_start(in, t));
}

static bool
is_own(const Conc *c, InstId inst)
{
	return !(pta_fn(c->pta, inst)->flags & (FN_SYNTHETIC | FN_LIBRARY));
}

InsId
view_fork(const ReportInput *in, ThreadId t, InstId *by)
{
	enum { LOOKED_AT = 64 };
	const Conc *c = in->races->conc;
	const Thread *th = thread_get(c->threads, t);
	VecU32 todo = {0};
	Set seen = {0};

	*by = th->fork_inst;
	vec_push(in->races->arena, &todo, th->fork_inst);
	for (u32 k = 0; !is_own(c, *by) && k < todo.n && k < LOOKED_AT; k++) {
		const Inst *i = pta_inst(c->pta, todo.at[k]);

		for (u32 n = i->caller; n < i->caller + i->ncaller; n++) {
			const Edge *e = &c->pta->edges.at[c->pta->callers.at[n]];
			if (is_own(c, e->from) && !e->fork) {
				*by = e->from;
				return e->ins;
			}
			if (!e->fork && set_add(in->races->arena, &seen, e->from))
				vec_push(in->races->arena, &todo, e->from);
		}
	}
	return th->fork;
}

bool
view_is_caller(const ReportInput *in, ThreadId t)
{
	const Conc *c = in->races->conc;
	InstId by;

	return t > 1 && !ir_ins(c->ir, view_fork(in, t, &by))->src && !is_own(c, by);
}

/* What the start routine relays to, if it was made for this thread and all that it does is to
 * call one function through a pointer; 0 none. */
static InstId
relayed(const Conc *c, InstId start)
{
	const Inst *i = pta_inst(c->pta, start);
	InstId to = 0;

	if (!pta_made_for(c->pta, start))
		return 0;
	for (u32 k = i->edge; k < i->edge + i->nedge; k++) {
		const Edge *e = &c->pta->edges.at[k];
		const Ins *call = ir_ins(c->ir, e->ins);
		if (e->fork || call->op != OP_CALL || !val_is_reg(ins_arg(c->ir, call, 0)))
			continue;
		if (to)
			return 0;
		to = e->to;
	}
	return to;
}

const char *
view_called(const ReportInput *in, ThreadId t)
{
	enum { WRAPPERS = 4 };
	const Conc *c = in->races->conc;
	const char *text = "";
	InstId inst = thread_get(c->threads, t)->fork_inst;
	const Edge *e;

	for (u32 k = 0; k < WRAPPERS && (e = pta_made_for(c->pta, inst)) != NULL; k++) {
		inst = e->from;
		if (pta_fn(c->pta, inst)->flags & FN_SYNTHETIC) /* a model's: not the user's */
			continue;
		text = arena_printf(in->races->arena, "%s, called at %s in %s", text,
				    view_position(in, ir_ins(c->ir, e->ins)->src),
				    view_function(c->ir, pta_fn(c->pta, inst)));
	}
	return text;
}

/* The function that the user wrote first: libraries and synthetic functions
 * only lead there. */
const char *
view_start(const ReportInput *in, ThreadId t)
{
	enum { LOOKED_AT = 64 };
	const Conc *c = in->races->conc;
	InstId start = thread_get(c->threads, t)->start, to = relayed(c, start);
	VecU32 todo = {0};

	if (to)
		start = to;
	vec_push(in->races->arena, &todo, start);
	for (u32 k = 0; !view_is_caller(in, t) && k < todo.n && k < LOOKED_AT; k++) {
		const Inst *i = pta_inst(c->pta, todo.at[k]);

		if (!(pta_fn(c->pta, todo.at[k])->flags & (FN_SYNTHETIC | FN_LIBRARY | FN_CINIT)))
			return view_function(c->ir, pta_fn(c->pta, todo.at[k]));
		for (u32 e = i->edge; e < i->edge + i->nedge; e++)
			if (!c->pta->edges.at[e].fork)
				vec_push(in->races->arena, &todo, c->pta->edges.at[e].to);
	}
	return view_function(c->ir, pta_fn(c->pta, start));
}

const char *
view_kind(const ReportInput *in, ObjId id)
{
	const Obj *o = pta_obj(in->races->conc->pta, id);

	switch (o->kind) {
	case OBJ_GLOBAL: return o->tls ? "thread-local" : "global";
	case OBJ_STACK: return "stack";
	case OBJ_HEAP:
	case OBJ_VALUE: return "heap";
	case OBJ_CLASS: return "class";
	default: return "unknown";
	}
}

const char *
view_mode(LockMode m)
{
	return m == LOCK_READ ? "read" : "write";
}

const Mark *
view_mark(const ReportInput *in, const Race *r)
{
	static const Mark none = {0};

	return in->marks ? &in->marks[r - in->races->races.at] : &none;
}

bool
view_listed(const ReportInput *in, const Race *r)
{
	u32 cause = in->races->pairs.at[r->pair].folded_under;

	return r->rung >= in->level || (cause && in->races->races.at[cause - 1].rung >= in->level);
}

bool
view_shown(const ReportInput *in, const Race *r)
{
	const Mark *m = view_mark(in, r);

	return r->rung >= in->level && !m->suppressed && !m->known;
}

const char *
view_near(const ReportInput *in, const Race *r)
{
	const NearMiss *n = &r->near;
	const char *where = n->at_first    ? "not at the second one here"
			    : n->at_second ? "not at the first one here"
					   : "not here";

	if (!n->lock || (n->at_first && n->at_second))
		return NULL;
	return arena_printf(in->races->arena, "'%s' is held at %u of %u accesses; %s", n->lock,
			    n->held, n->of, where);
}

static void
count_verdict(Tally *t, const char *verdict)
{
	if (!verdict)
		t->open++;
	else if (*verdict == 'r')
		t->real++;
	else if (*verdict == 'b')
		t->benign++;
	else
		t->wrong++;
}

Tally
view_tally(const ReportInput *in)
{
	Tally t = {0};

	for (u32 i = 0; i < in->races->races.n; i++) {
		const Race *r = &in->races->races.at[i];
		const Mark *m = view_mark(in, r);

		if (r->rung < in->level)
			continue;
		t.suppressed += m->suppressed != NULL;
		t.unchanged += m->known && !m->suppressed;
		count_verdict(&t, m->verdict);
	}
	return t;
}

u32
report_shown(const ReportInput *in)
{
	u32 n = 0;

	for (u32 i = 0; i < in->races->races.n; i++)
		n += view_shown(in, &in->races->races.at[i]);
	return n;
}

bool
report_is_terminal(FILE *to)
{
	const char *term = getenv("TERM");

	return isatty(fileno(to)) && (!term || strcmp(term, "dumb") != 0);
}

bool
report_wants_color(FILE *to)
{
	const char *no = getenv("NO_COLOR");

	return report_is_terminal(to) && (!no || !*no);
}

/* Adds the calls, but not those of functions that the user did not write. */
static void
add_steps(const Conc *c, const Edge **edges, u32 n, Step *to, u32 *nto)
{
	for (u32 i = 0; i < n; i++) {
		const Fn *f = pta_fn(c->pta, edges[i]->from);

		const Ins *call = ir_ins(c->ir, edges[i]->ins);
		const char *through = call->op == OP_EXTERN ? ir_str(c->ir, call->aux) : NULL;

		if (!(f->flags & FN_SYNTHETIC))
			to[(*nto)++] =
			    (Step){view_function(c->ir, f), call->src, through, f->class != 0};
	}
}

/* The calls to the program's own function, then within the library; the access itself is
 * always there. */
static void
find_path(const ReportInput *in, Side *s, u32 access)
{
	const Use *use = race_use(in->races, access);
	const Conc *c = in->races->conc;
	Step own = {view_function(c->ir, pta_fn(c->pta, s->access->inst)),
		    ir_ins(c->ir, s->access->ins)->src, NULL,
		    pta_fn(c->pta, s->access->inst)->class != 0};
	const Edge **edges;
	Arena scratch;
	u32 n;

	arena_init(&scratch, in->races->arena->budget);
	n = race_path(in->races, access, &scratch, &edges);
	if (use) {
		u32 all = conc_path(c, s->access, &scratch, &edges);
		s->inner = arena_array(in->races->arena, Step, all + 1);
		add_steps(c, edges + n + 1, all - n - 1, s->inner, &s->ninner);
		s->inner[s->ninner++] = own;
		own = (Step){view_function(c->ir, pta_fn(c->pta, use->inst)),
			     ir_ins(c->ir, use->call)->src, NULL,
			     pta_fn(c->pta, use->inst)->class != 0};
	}
	s->path = arena_array(in->races->arena, Step, n + 1);
	add_steps(c, edges, n, s->path, &s->npath);
	s->path[s->npath++] = own;
	arena_release(&scratch);
}

Side
side_brief(const ReportInput *in, u32 access)
{
	const Conc *c = in->races->conc;
	const Access *a = &c->accesses.at[access];
	const Use *use = race_use(in->races, access);
	Side s = {.access = a,
		  .thread = conc_thread(c, a),
		  .ins = ir_ins(c->ir, race_shown_ins(in->races, access))};

	s.function = view_function(c->ir, pta_fn(c->pta, race_shown_inst(in->races, access)));
	s.brief = race_fn_brief(c->ir, pta_fn(c->pta, race_shown_inst(in->races, access)),
				in->races->arena);
	s.called = use ? view_function(c->ir, &c->ir->fns.at[use->callee]) : NULL;
	s.kind = a->flags & ACC_FREE ? "free" : a->flags & ACC_WRITE ? "write" : "read";
	s.atomic = a->flags & ACC_ATOMIC;
	s.is_volatile = a->flags & ACC_VOLATILE;
	s.src = view_src(c->ir, s.ins->src);
	return s;
}

Side
side_of(const ReportInput *in, u32 access)
{
	Side s = side_brief(in, access);

	s.nlock = race_side_locks(in->races, access, &s.locks);
	find_path(in, &s, access);
	return s;
}

/* A file counts if some instruction comes from it. */
static u32
count_files(const ReportInput *in)
{
	const Ir *ir = ir_of(in);
	Set seen = {0};
	u32 n;

	for (FnId f = 1; f < ir->fns.n; f++)
		if (ir->fns.at[f].nblock && ir->fns.at[f].unit &&
		    !(ir->fns.at[f].flags & FN_UNKNOWN))
			set_add(in->races->arena, &seen, ir->fns.at[f].unit);
	n = set_count(&seen);
	set_recycle(in->races->arena, &seen);
	return in->program ? n : MAX(n, in->ninputs);
}

Totals
view_totals(const ReportInput *in)
{
	const Conc *c = in->races->conc;
	Totals t = {
	    .files = count_files(in), .threads = c->threads->at.n - 1, .accesses = c->accesses.n};
	Set reached = {0};

	for (InstId i = 1; i < c->pta->insts.n; i++)
		if (!(pta_fn(c->pta, i)->flags & FN_SYNTHETIC))
			set_add(in->races->arena, &reached, pta_inst(c->pta, i)->fn);
	t.reached = set_count(&reached);
	for (FnId f = 1; f < c->ir->fns.n; f++) {
		const Fn *fn = &c->ir->fns.at[f];

		t.functions += fn->nblock && !(fn->flags & FN_SYNTHETIC);
		t.instructions += fn->nins;
	}
	set_recycle(in->races->arena, &reached);
	return t;
}

u32
view_assumptions(const ReportInput *in, Assumption **out)
{
	const Ir *ir = ir_of(in);
	Map seen = {0};
	u32 n = 0;

	*out = arena_array(in->races->arena, Assumption, ir->assumes.n + in->nassumptions + 1);
	for (u32 i = 1; i < ir->assumes.n; i++) {
		const Assume *s = &ir->assumes.at[i];
		u32 *at = map_at(in->races->arena, &seen, map_pair(s->what, s->fn));

		if (*at)
			continue;
		*at = 1;
		(*out)[n++] =
		    (Assumption){ir_str(ir, s->what),
				 s->fn ? view_function(ir, &ir->fns.at[s->fn]) : NULL, s->src};
	}
	for (u32 i = 0; i < in->nassumptions; i++)
		(*out)[n++] = (Assumption){in->assumptions[i], NULL, 0};
	return n;
}
