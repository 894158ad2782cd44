/* emit.c - parts of the result for other tools: the interthread call graph (Choi
 * et al. 2001, Figure 3), the accesses that cannot race, the pairs of each stage. */
#include "base/json.h"
#include "report/report_int.h"

#include <string.h>

/* ---- the interthread call graph --------------------------------------------------- */

typedef struct Icg {
	const ReportInput *in;
	const Conc *c;
	FILE *to;
	Json *json; /* null: DOT */
	Map seen;   /* pairs of functions, calls and starts apart */
	Set starts; /* functions that threads start with */
} Icg;

static const Fn *
fn_of(const Icg *g, InstId i)
{
	return pta_fn(g->c->pta, i);
}

static bool
is_node(const Icg *g, InstId i)
{
	return i == g->c->pta->root || !(fn_of(g, i)->flags & (FN_SYNTHETIC | FN_LIBRARY)) ||
	       set_has(&g->starts, pta_inst(g->c->pta, i)->fn);
}

static void
put_node(Icg *g, FnId f)
{
	const char *name = view_function(g->c->ir, &g->c->ir->fns.at[f]);
	bool start = set_has(&g->starts, f);

	if (!g->json) {
		fprintf(g->to, "\tn%u [label=\"%s\"%s];\n", f, name, start ? ", shape=box" : "");
		return;
	}
	json_obj_begin(g->json);
	json_put_u64(g->json, "id", f);
	json_put_str(g->json, "function", name);
	json_put_bool(g->json, "thread", start);
	json_obj_end(g->json);
}

static void
put_edge(Icg *g, FnId from, FnId to, bool start, SrcId src)
{
	const char *at = view_position(g->in, src);

	if (!g->json) {
		fprintf(g->to, "\tn%u -> n%u [label=\"%s\"%s];\n", from, to, at,
			start ? ", style=dashed" : "");
		return;
	}
	json_obj_begin(g->json);
	json_put_u64(g->json, "from", from);
	json_put_u64(g->json, "to", to);
	json_put_str(g->json, "kind", start ? "start" : "call");
	json_put_str(g->json, "at", at);
	json_obj_end(g->json);
}

/* The functions of the program to which `from` leads through libraries only. */
static void
follow(Icg *g, InstId from, InstId via, bool start, SrcId src, Set *passed)
{
	const Inst *in = pta_inst(g->c->pta, via);

	for (u32 e = in->edge; e < in->edge + in->nedge; e++) {
		const Edge *edge = &g->c->pta->edges.at[e];
		FnId x = pta_inst(g->c->pta, from)->fn, y = pta_inst(g->c->pta, edge->to)->fn;
		bool starts = start || edge->fork;
		SrcId at = src ? src : ir_ins(g->c->ir, edge->ins)->src;
		u32 *seen;
		if (!is_node(g, edge->to)) {
			if (set_add(g->in->races->arena, passed, edge->to))
				follow(g, from, edge->to, starts, at, passed);
			continue;
		}
		seen = map_at(g->in->races->arena, &g->seen,
			      hash_u64(map_pair(x, y)) + (u64)starts + 2 * (u64)at);
		if (!*seen)
			put_edge(g, x, y, starts, at);
		*seen = 1;
	}
}

static void
put_nodes(Icg *g)
{
	Set fns = {0};

	for (InstId i = 1; i < g->c->pta->insts.n; i++)
		if (is_node(g, i) && set_add(g->in->races->arena, &fns, pta_inst(g->c->pta, i)->fn))
			put_node(g, pta_inst(g->c->pta, i)->fn);
}

static void
put_edges(Icg *g)
{
	for (InstId i = 1; i < g->c->pta->insts.n; i++) {
		Set passed = {0};
		if (is_node(g, i))
			follow(g, i, i, false, 0, &passed);
		set_recycle(g->in->races->arena, &passed);
	}
}

void
report_icg(const ReportInput *in, bool json, FILE *to)
{
	Icg g = {.in = in, .c = in->races->conc, .to = to};
	Json j;

	for (ThreadId t = 1; t < g.c->threads->at.n; t++)
		set_add(in->races->arena, &g.starts,
			pta_inst(g.c->pta, thread_get(g.c->threads, t)->start)->fn);
	if (!json) {
		fprintf(to, "digraph icg {\n");
		put_nodes(&g);
		put_edges(&g);
		fprintf(to, "}\n");
		return;
	}
	json_init(&j, to, true);
	g.json = &j;
	json_obj_begin(&j);
	json_key(&j, "nodes");
	json_arr_begin(&j);
	put_nodes(&g);
	json_arr_end(&j);
	json_key(&j, "edges");
	json_arr_begin(&j);
	put_edges(&g);
	json_arr_end(&j);
	json_obj_end(&j);
	json_finish(&j);
}

/* ---- accesses that cannot race ------------------------------------------------------ */

void
report_sites(const ReportInput *in, FILE *to)
{
	const Ir *ir = in->races->conc->ir;

	for (FnId id = 1; id < ir->fns.n; id++) {
		const Fn *f = &ir->fns.at[id];
		Touch touch[2];
		for (InsId i = f->ins; i < f->ins + f->nins; i++)
			if (ir_ins(ir, i)->site && access_touches(ir, i, touch) &&
			    !set_has(&in->races->racing_ins, i))
				fprintf(to, "%s:%s:%u\n", ir_str(ir, f->unit), ir_str(ir, f->name),
					ir_ins(ir, i)->site);
	}
}

/* ---- pairs -------------------------------------------------------------------------- */

/* The objects that a method runs on, as far as its context says. */
static const char *
context_text(const ReportInput *in, const Access *a)
{
	const Pta *p = in->races->conc->pta;
	const Fn *f = pta_fn(p, a->inst);
	const Set *pts;
	const Obj *o;
	const char *maker;

	if (!f->class || f->flags & FN_STATIC || !f->nparam)
		return "";
	pts = pta_pts(p, a->inst, 1);
	if (!set_single(pts))
		return " on several objects";
	o = pta_obj(p, pta_slot(p, set_first(pts))->obj);
	if (o->kind != OBJ_HEAP)
		return "";
	maker = view_position(in, ir_ins(p->ir, o->ins)->src);
	if (!*maker)
		return arena_printf(in->races->arena, " on what %s made",
				    view_function(p->ir, pta_fn(p, o->inst)));
	return arena_printf(in->races->arena, " on what was made at %s", maker);
}

static const char *
access_text(const ReportInput *in, u32 access)
{
	const Conc *c = in->races->conc;
	const Access *a = &c->accesses.at[access];

	return arena_printf(in->races->arena, "%s at %s in %s%s",
			    a->flags & ACC_WRITE ? "write" : "read",
			    view_position(in, ir_ins(c->ir, a->ins)->src),
			    view_function(c->ir, pta_fn(c->pta, a->inst)), context_text(in, a));
}

bool
report_pairs(const ReportInput *in, FILE *to)
{
	const RaceResult *r = in->races;

	for (Stage s = 0; s < STAGE_COUNT; s++)
		for (u32 i = 0; i < r->listed.n; i++)
			if (r->listed.at[i].stage >= s)
				fprintf(to, "%s: %s; %s\n", stage_name(s),
					access_text(in, r->listed.at[i].a),
					access_text(in, r->listed.at[i].b));
	return r->has_list;
}
