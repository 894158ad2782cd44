/* group.c - races by the field, or by the object, that they are on (Naik et al.
 * 2006, Section 2.3), each in a line. */
#include "base/json.h"
#include "report/report_int.h"

#include <string.h>

typedef struct Category {
	const char *name;
	VecU32 races;
} Category;

typedef Vec(Category) Categories;

static const char *
name_of(const ReportInput *in, const Race *r)
{
	const char *at;

	if (in->view == VIEW_FIELD)
		return r->name;
	at = view_position(in, r->src);
	return arena_printf(in->races->arena, "%s%s%s", r->made, *at ? " at " : "", at);
}

static Categories
categories(const ReportInput *in, bool (*wanted)(const ReportInput *, const Race *))
{
	Arena *a = in->races->arena;
	Categories all = {0};
	Intern names;

	intern_init(&names, a);
	for (u32 i = 0; i < in->races->races.n; i++) {
		const Race *r = &in->races->races.at[i];
		const char *name;
		u32 id;
		if (!wanted(in, r))
			continue;
		name = name_of(in, r);
		id = intern_str(&names, name);
		if (id > all.n)
			vec_push(a, &all, (Category){name, {0}});
		vec_push(a, &all.at[id - 1].races, i);
	}
	return all;
}

static u32
count_pairs(const ReportInput *in, const Category *c)
{
	u32 n = 0;

	for (u32 i = 0; i < c->races.n; i++)
		n += in->races->races.at[c->races.at[i]].npair;
	return n;
}

void
group_text(const ReportInput *in, FILE *to, void (*brief)(void *ctx, const Race *r), void *ctx)
{
	Categories all = categories(in, view_shown);

	for (u32 i = 0; i < all.n; i++) {
		const Category *c = &all.at[i];
		u32 pairs = count_pairs(in, c);
		fprintf(to, "%s '%s': %u race%s, %u pair%s of accesses\n",
			in->view == VIEW_FIELD ? "field" : "object", c->name, c->races.n,
			c->races.n == 1 ? "" : "s", pairs, pairs == 1 ? "" : "s");
		for (u32 k = 0; k < c->races.n; k++)
			brief(ctx, &in->races->races.at[c->races.at[k]]);
		fprintf(to, "\n");
	}
}

void
group_json(const ReportInput *in, struct Json *j)
{
	Categories all = categories(in, view_listed);

	json_key(j, "view");
	json_obj_begin(j);
	json_put_str(j, "by", in->view == VIEW_FIELD ? "field" : "object");
	json_key(j, "categories");
	json_arr_begin(j);
	for (u32 i = 0; i < all.n; i++) {
		json_obj_begin(j);
		json_put_str(j, "name", all.at[i].name);
		json_put_u64(j, "pairs", count_pairs(in, &all.at[i]));
		json_key(j, "races");
		json_arr_begin(j);
		for (u32 k = 0; k < all.at[i].races.n; k++)
			json_str(j, in->races->races.at[all.at[i].races.at[k]].id);
		json_arr_end(j);
		json_obj_end(j);
	}
	json_arr_end(j);
	json_obj_end(j);
}

/* ---- all call paths to an access ----------------------------------------------------- */

/* The instances of thread t that lead to inst, and it. */
static void
leading(const Conc *c, ThreadId t, InstId inst, Arena *a, Set *out)
{
	VecU32 todo = {0};

	vec_push(a, &todo, inst);
	set_add(a, out, inst);
	for (u32 i = 0; i < todo.n; i++) {
		const Inst *in = pta_inst(c->pta, todo.at[i]);
		for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
			const Edge *e = &c->pta->edges.at[c->pta->callers.at[k]];
			if (!e->fork && set_has(&c->threads->insts[t], e->from) &&
			    set_add(a, out, e->from))
				vec_push(a, &todo, e->from);
		}
	}
}

void
group_graph(const ReportInput *in, struct Json *j, const Access *x)
{
	const Conc *c = in->races->conc;
	Set insts = {0};

	leading(c, x->thread, x->inst, in->races->arena, &insts);
	json_key(j, "graph");
	json_obj_begin(j);
	json_put_u64(j, "start", thread_get(c->threads, conc_thread(c, x))->start);
	json_put_u64(j, "end", x->inst);
	json_key(j, "nodes");
	json_arr_begin(j);
	SET_FOR (it, &insts) {
		json_obj_begin(j);
		json_put_u64(j, "id", it.x);
		json_put_str(j, "function", view_function(c->ir, pta_fn(c->pta, it.x)));
		json_obj_end(j);
	}
	json_arr_end(j);
	json_key(j, "edges");
	json_arr_begin(j);
	SET_FOR (it, &insts) {
		const Inst *i = pta_inst(c->pta, it.x);
		for (u32 k = i->edge; k < i->edge + i->nedge; k++) {
			const Edge *e = &c->pta->edges.at[k];
			if (e->fork || !set_has(&insts, e->to))
				continue;
			json_obj_begin(j);
			json_put_u64(j, "from", e->from);
			json_put_u64(j, "to", e->to);
			json_put_str(j, "at", view_position(in, ir_ins(c->ir, e->ins)->src));
			json_obj_end(j);
		}
	}
	json_arr_end(j);
	json_obj_end(j);
	set_recycle(in->races->arena, &insts);
}
