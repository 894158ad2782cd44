/* json.c - the whole result for other programs; report.h documents it. */
#include "base/json.h"
#include "report/report_int.h"

#include <string.h>

static const Ir *
ir_of(const ReportInput *in)
{
	return in->races->conc->ir;
}

static void
put_position(const ReportInput *in, Json *j, SrcId id)
{
	const Src *s = view_src(ir_of(in), id);

	json_put_str(j, "file", s->file ? ir_str(ir_of(in), s->file) : NULL);
	json_put_u64(j, "line", s->line);
}

static void
put_locks(const ReportInput *in, Json *j, const Side *s)
{
	json_key(j, "locks");
	json_arr_begin(j);
	for (u32 i = 0; i < s->nlock; i++) {
		json_obj_begin(j);
		json_put_str(j, "name", s->locks[i].name);
		json_put_str(j, "mode", view_mode(s->locks[i].mode));
		put_position(in, j, s->locks[i].at);
		json_obj_end(j);
	}
	json_arr_end(j);
}

static void
put_path(const ReportInput *in, Json *j, const char *key, const Step *path, u32 n)
{
	json_key(j, key);
	json_arr_begin(j);
	for (u32 i = 0; i < n; i++) {
		json_obj_begin(j);
		json_put_str(j, "function", path[i].function);
		put_position(in, j, path[i].src);
		json_obj_end(j);
	}
	json_arr_end(j);
}

/* How the threads come there is said of the first pairs of a race; a location
 * of a large program may have many thousands.  Beyond ALL_PAIRS only those are
 * written in which an instruction is new. */
enum { FULL_PAIRS = 16, ALL_PAIRS = 1024 };

/* The stable name of the access: unit, function, ordinal. */
static void
put_site(const ReportInput *in, Json *j, const Side *s)
{
	const Ir *ir = ir_of(in);
	const Fn *f = pta_fn(in->races->conc->pta, s->access->inst);
	char digits[12], *ordinal = digits + sizeof digits - 1;
	u32 n = ir_ins(ir, s->access->ins)->site;

	*ordinal = 0;
	do
		*--ordinal = (char)('0' + n % 10);
	while (n /= 10);
	json_key(j, "site");
	json_join(
	    j, (const char *const[]){ir_str(ir, f->unit), ":", ir_str(ir, f->name), ":", ordinal},
	    5);
}

static void
put_side(const ReportInput *in, Json *j, u32 access, bool full)
{
	Side s = full ? side_of(in, access) : side_brief(in, access);

	json_obj_begin(j);
	put_position(in, j, s.ins->src);
	json_put_u64(j, "col", s.src->col);
	json_put_str(j, "function", s.function);
	json_put_str(j, "kind", s.kind);
	json_put_bool(j, "atomic", s.atomic);
	json_put_bool(j, "volatile", s.is_volatile);
	json_put_u64(j, "size", s.access->size);
	put_site(in, j, &s);
	json_put_u64(j, "thread", s.thread);
	if (full) {
		put_locks(in, j, &s);
		put_path(in, j, "path", s.path, s.npath);
	}
	if (full && s.called) {
		json_put_str(j, "called", s.called);
		put_path(in, j, "inner", s.inner, s.ninner);
	}
	if (in->all_paths)
		group_graph(in, j, s.access);
	json_obj_end(j);
}

/* What was said of the accesses of a race: most are in many pairs. */
typedef struct Sides {
	Arena *arena;
	Map at; /* access -> where in text its side is, plus 1 */
	Vec(char) text;
} Sides;

/* Keeps what the writer has said of the access since `from`. */
static void
keep_side(Sides *k, const Json *j, u32 access, u64 from)
{
	u32 n;
	const char *text = json_since(j, from, &n);

	if (!text)
		return;
	map_put(k->arena, &k->at, access, k->text.n + 1);
	memcpy(vec_extend(k->arena, &k->text, sizeof n), &n, sizeof n);
	memcpy(vec_extend(k->arena, &k->text, n), text, n);
}

/* A side without its locks and paths, from what is kept of it if it is there. */
static void
put_brief(const ReportInput *in, Json *j, Sides *k, u32 access)
{
	u32 at = map_get(&k->at, access), n;
	u64 from = json_at(j);

	if (at) {
		memcpy(&n, k->text.at + at - 1, sizeof n);
		json_again(j, k->text.at + at - 1 + sizeof n, n);
		return;
	}
	put_side(in, j, access, false);
	keep_side(k, j, access, from);
}

static void
put_reasons(Json *j, u32 reasons)
{
	json_key(j, "reasons");
	json_arr_begin(j);
	for (Reason k = 0; k < REASON_COUNT; k++)
		if (reasons & 1u << k)
			json_str(j, reason_name(k));
	json_arr_end(j);
}

/* In one line if it is not full. */
static void
put_pair(const ReportInput *in, Json *j, Sides *k, const Pair *p, bool full)
{
	bool pretty = j->pretty;

	json_obj_begin(j);
	j->pretty = pretty && full;
	json_put_str(j, "rung", rung_name(p->rung));
	put_reasons(j, p->reasons);
	json_put_str(j, "folded_under",
		     p->folded_under ? in->races->races.at[p->folded_under - 1].id : NULL);
	json_key(j, "first");
	if (full)
		put_side(in, j, p->a, true);
	else
		put_brief(in, j, k, p->a);
	json_key(j, "second");
	if (full)
		put_side(in, j, p->b, true);
	else
		put_brief(in, j, k, p->b);
	json_obj_end(j);
	j->pretty = pretty;
}

static void
put_near(Json *j, const NearMiss *n)
{
	json_key(j, "near_miss");
	if (!n->lock) {
		json_null(j);
		return;
	}
	json_obj_begin(j);
	json_put_str(j, "lock", n->lock);
	json_put_u64(j, "held", n->held);
	json_put_u64(j, "accesses", n->of);
	json_put_bool(j, "at_first", n->at_first);
	json_put_bool(j, "at_second", n->at_second);
	json_obj_end(j);
}

static void
put_mark(const ReportInput *in, Json *j, const Mark *m)
{
	json_key(j, "suppressed");
	if (m->suppressed) {
		json_obj_begin(j);
		json_put_str(j, "reason", m->suppressed);
		json_put_str(j, "by", m->in_source ? "comment" : "file");
		json_obj_end(j);
	} else {
		json_null(j);
	}
	json_put_str(j, "baseline", !in->baseline ? NULL : m->known ? "unchanged" : "new");
	json_key(j, "triage");
	if (m->verdict) {
		json_obj_begin(j);
		json_put_str(j, "verdict", m->verdict);
		json_put_str(j, "note", m->note);
		json_obj_end(j);
	} else {
		json_null(j);
	}
}

static void
put_place(const ReportInput *in, Json *j, const Race *r)
{
	json_key(j, "location");
	json_obj_begin(j);
	json_put_str(j, "name", r->name);
	json_put_str(j, "kind", view_kind(in, r->obj));
	json_put_str(j, "made", r->made);
	if (r->said)
		json_put_str(j, "annotated", r->said);
	put_position(in, j, r->src);
	json_put_u64(j, "size", r->size);
	json_obj_end(j);
}

/* Marks the instruction of an access; whether it is new. */
static bool
is_new(const ReportInput *in, u64 *seen, u32 access)
{
	InsId i = in->races->conc->accesses.at[access].ins;
	u64 bit = (u64)1 << i % 64;
	bool new = !(seen[i / 64] & bit);

	seen[i / 64] |= bit;
	return new;
}

static void
put_pairs(const ReportInput *in, Json *j, const Race *r)
{
	size_t bytes = (ir_of(in)->ins.n / 64 + 1) * sizeof(u64);
	u64 *seen = arena_alloc(in->races->arena, bytes);
	Arena scratch;
	Sides sides = {.arena = &scratch};
	u32 left_out = 0;

	arena_init(&scratch, in->races->arena->budget);
	json_key(j, "pairs");
	json_arr_begin(j);
	for (u32 i = 0; i < r->npair; i++) {
		const Pair *p = &in->races->pairs.at[r->pair + i];
		bool a = is_new(in, seen, p->a), b = is_new(in, seen, p->b);

		if (i < ALL_PAIRS || a || b)
			put_pair(in, j, &sides, p, i < FULL_PAIRS);
		else
			left_out++;
	}
	json_arr_end(j);
	json_put_u64(j, "pairs_left_out", left_out);
	arena_recycle(in->races->arena, seen, bytes);
	arena_release(&scratch);
}

static void
put_race(const ReportInput *in, Json *j, const Race *r)
{
	json_put_str(j, "id", r->id);
	json_put_str(j, "rung", rung_name(r->rung));
	put_reasons(j, r->reasons);
	json_put_bool(j, "shown", view_shown(in, r));
	json_put_str(j, "harm", harm_name(r->harm));
	json_put_str(j, "follows_from", r->under ? in->races->races.at[r->under - 1].id : NULL);
	put_near(j, &r->near);
	put_mark(in, j, view_mark(in, r));
	put_place(in, j, r);
	put_pairs(in, j, r);
}

static void
put_cause(const ReportInput *in, Json *j, const Cause *c)
{
	json_obj_begin(j);
	json_put_str(j, "kind", cause_name(c->kind));
	json_put_str(j, "text", c->text);
	json_put_str(j, "fix", c->fix);
	json_key(j, "races");
	json_arr_begin(j);
	for (u32 i = 0; i < c->races.n; i++)
		if (view_listed(in, &in->races->races.at[c->races.at[i]]))
			json_str(j, in->races->races.at[c->races.at[i]].id);
	json_arr_end(j);
	json_obj_end(j);
}

static void
put_causes(const ReportInput *in, Json *j)
{
	json_key(j, "causes");
	json_arr_begin(j);
	for (u32 i = 0; i < in->races->causes.n; i++) {
		const Cause *c = &in->races->causes.at[i];
		bool listed = false;

		for (u32 k = 0; k < c->races.n && !listed; k++)
			listed = view_listed(in, &in->races->races.at[c->races.at[k]]);
		if (listed)
			put_cause(in, j, c);
	}
	json_arr_end(j);
}

static void
put_races(const ReportInput *in, Json *j)
{
	json_key(j, "races");
	json_arr_begin(j);
	for (u32 i = 0; i < in->races->races.n; i++)
		if (view_listed(in, &in->races->races.at[i])) {
			json_obj_begin(j);
			put_race(in, j, &in->races->races.at[i]);
			json_obj_end(j);
		}
	json_arr_end(j);
}

static void
put_tally(const ReportInput *in, Json *j)
{
	Tally t = view_tally(in);

	json_put_u64(j, "suppressed", t.suppressed);
	json_put_u64(j, "unchanged", t.unchanged);
	json_put_u64(j, "absent", in->absent);
	json_key(j, "triage");
	json_obj_begin(j);
	json_put_u64(j, "real", t.real);
	json_put_u64(j, "benign", t.benign);
	json_put_u64(j, "false", t.wrong);
	json_put_u64(j, "open", t.open);
	json_obj_end(j);
}

static void
put_summary(const ReportInput *in, Json *j)
{
	const Conc *c = in->races->conc;
	Totals t = view_totals(in);

	json_key(j, "summary");
	json_obj_begin(j);
	json_put_u64(j, "files", t.files);
	json_put_u64(j, "functions", t.functions);
	json_put_u64(j, "reached", t.reached);
	json_put_u64(j, "instructions", t.instructions);
	json_put_u64(j, "dead_blocks", in->dead_blocks);
	json_put_u64(j, "threads", t.threads);
	json_put_u64(j, "accesses", t.accesses);
	json_put_u64(j, "races", report_shown(in));
	json_put_u64(j, "definite", in->races->by_rung[RUNG_DEFINITE]);
	json_put_u64(j, "likely", in->races->by_rung[RUNG_LIKELY]);
	json_put_u64(j, "possible", in->races->by_rung[RUNG_POSSIBLE]);
	put_tally(in, j);
	json_put_bool(j, "complete", c->complete && c->pta->complete);
	json_put_bool(j, "abridged", in->races->abridged);
	json_obj_end(j);
	json_key(j, "stages");
	json_obj_begin(j);
	for (Stage s = 0; s < STAGE_COUNT; s++)
		json_put_u64(j, stage_name(s), in->races->count[s]);
	json_obj_end(j);
}

static void
put_java(const ReportInput *in, Json *j)
{
	if (!in->classes)
		return;
	json_key(j, "java");
	json_obj_begin(j);
	json_put_u64(j, "classes", in->classes);
	json_put_u64(j, "methods", in->methods);
	json_put_u64(j, "bodies", in->bodies);
	json_put_u64(j, "modelled", in->modelled);
	json_put_u64(j, "skipped", in->skipped);
	json_put_u64(j, "instances", in->races->conc->pta->insts.n - 1);
	json_obj_end(j);
}

static void
put_threads(const ReportInput *in, Json *j)
{
	const Conc *c = in->races->conc;

	json_key(j, "threads");
	json_arr_begin(j);
	for (ThreadId t = 1; t < c->threads->at.n; t++) {
		const Thread *th = thread_get(c->threads, t);

		json_obj_begin(j);
		json_put_u64(j, "id", t);
		json_put_str(j, "name", view_thread(in, t));
		json_put_str(j, "function", view_start(in, t));
		put_position(in, j, ir_ins(c->ir, th->fork)->src);
		json_put_u64(j, "parent", th->parent);
		json_put_bool(j, "unique", th->unique);
		json_obj_end(j);
	}
	json_arr_end(j);
}

static void
put_assumptions(const ReportInput *in, Json *j)
{
	Assumption *as;
	u32 n = view_assumptions(in, &as);

	json_key(j, "assumptions");
	json_arr_begin(j);
	for (u32 i = 0; i < n; i++) {
		json_obj_begin(j);
		json_put_str(j, "text", as[i].text);
		json_put_str(j, "function", as[i].function);
		put_position(in, j, as[i].src);
		json_obj_end(j);
	}
	json_arr_end(j);
}

static void
put_errors(const ReportInput *in, Json *j)
{
	static const char *const level[] = {"note", "warning", "error"};

	json_key(j, "errors");
	json_arr_begin(j);
	for (u32 i = 0; in->diag && i < in->diag->msgs.n; i++) {
		const DiagMsg *m = &in->diag->msgs.at[i];

		json_obj_begin(j);
		json_put_str(j, "level", level[m->level]);
		json_put_str(j, "file", m->file);
		json_put_u64(j, "line", m->line);
		json_put_u64(j, "col", m->col);
		json_put_str(j, "text", m->text);
		json_obj_end(j);
	}
	json_arr_end(j);
}

static void
put_phases(const ReportInput *in, Json *j)
{
	json_key(j, "phases");
	json_arr_begin(j);
	for (u32 i = 0; i < in->phases->list.n; i++) {
		const Phase *p = &in->phases->list.at[i];

		json_obj_begin(j);
		json_put_str(j, "name", p->name);
		json_key(j, "seconds");
		json_fixed(j, (double)p->wall / 1e9, 6);
		json_key(j, "cpu_seconds");
		json_fixed(j, (double)p->cpu / 1e9, 6);
		json_put_u64(j, "peak_bytes", p->peak);
		json_obj_end(j);
	}
	json_arr_end(j);
}

/* The members of a program's report. */
static void
put_report(const ReportInput *in, Json *j)
{
	json_key(j, "inputs");
	json_arr_begin(j);
	for (u32 i = 0; i < in->ninputs; i++)
		json_str(j, in->inputs[i]);
	json_arr_end(j);
	put_summary(in, j);
	put_java(in, j);
	put_causes(in, j);
	put_races(in, j);
	if (in->view != VIEW_CAUSE)
		group_json(in, j);
	put_threads(in, j);
	put_assumptions(in, j);
	put_errors(in, j);
	if (in->stats && in->phases)
		put_phases(in, j);
}

void
report_json(const ReportInput *in, FILE *to)
{
	Json j;

	json_init(&j, to, true);
	if (in->part)
		json_nest(&j, 2);
	json_obj_begin(&j);
	if (in->program)
		json_put_str(&j, "program", in->program);
	if (!in->part) {
		json_put_str(&j, "tool", "concord");
		json_put_str(&j, "version", in->version);
	}
	put_report(in, &j);
	json_obj_end(&j);
	if (in->part)
		json_flush(&j);
	else
		json_finish(&j);
}

void
report_json_begin(FILE *to, const char *version)
{
	Json j;

	json_init(&j, to, true);
	json_obj_begin(&j);
	json_put_str(&j, "tool", "concord");
	json_put_str(&j, "version", version);
	json_key(&j, "programs");
	json_arr_begin(&j);
	json_flush(&j);
}

void
report_json_end(FILE *to)
{
	fputs("\n  ]\n}\n", to);
}

void
report_jsonl(const ReportInput *in, FILE *to)
{
	for (u32 i = 0; i < in->races->races.n; i++) {
		Json j;

		if (!view_listed(in, &in->races->races.at[i]))
			continue;
		json_init(&j, to, false);
		json_obj_begin(&j);
		if (in->program)
			json_put_str(&j, "program", in->program);
		put_race(in, &j, &in->races->races.at[i]);
		json_obj_end(&j);
		json_finish(&j);
	}
}
