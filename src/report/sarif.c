/* sarif.c - SARIF 2.1.0, one result for each racing location.
 *
 * locations[0] is the write of the best pair, relatedLocations every other
 * access that takes part.  Viewers show only the first code flow, so that one
 * is interleaved: both call paths, then both accesses; the second has a flow
 * for each thread.  The compiler counts columns in bytes, SARIF in characters. */
#include "base/json.h"
#include "report/report_int.h"

#include <string.h>

typedef struct Sarif {
	const ReportInput *in;
	const Ir *ir;
	Json j;
	Map artifact; /* StrId -> index plus 1 */
	VecU32 files; /* by index */
	u32 order;    /* execution order within a code flow */
} Sarif;

static const char SCHEMA[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

static void
put_message(Json *j, const char *text)
{
	json_key(j, "message");
	json_obj_begin(j);
	json_put_str(j, "text", text);
	json_obj_end(j);
}

/* A path as a URI reference: absolute ones get a scheme, and what a URI cannot
 * hold is escaped. */
static const char *
uri_of(const Sarif *s, const char *path)
{
	static const char keep[] = "/-._~!$&'()*+,;=@";
	size_t n, k = 0;
	char *out;

	path = view_from_root(s->in, path);
	n = strlen(path);
	out = arena_alloc(s->in->races->arena, n * 3 + 8);
	if (*path == '/') {
		memcpy(out, "file://", 7);
		k = 7;
	}
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)path[i];

		if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		    strchr(keep, c))
			out[k++] = (char)c;
		else
			k += (size_t)snprintf(out + k, 4, "%%%02X", c);
	}
	return out;
}

static u32
artifact_of(Sarif *s, StrId file)
{
	u32 *at = map_at(s->in->races->arena, &s->artifact, file);

	if (!*at) {
		vec_push(s->in->races->arena, &s->files, file);
		*at = s->files.n;
	}
	return *at - 1;
}

/* Column col in bytes, from 1, as one in characters. */
static u32
characters(const char *line, u32 len, u32 col)
{
	u32 n = 1;

	if (!line)
		return col;
	for (u32 i = 0; i + 1 < col && i < len; i++)
		n += ((unsigned char)line[i] & 0xc0) != 0x80;
	return n;
}

static void
put_region(Sarif *s, const Src *src)
{
	Json *j = &s->j;
	u32 len;
	const char *line = source_line(s->in->races->sources, src->file, src->line, &len);

	json_key(j, "region");
	json_obj_begin(j);
	json_put_u64(j, "startLine", src->line);
	if (src->col)
		json_put_u64(j, "startColumn", characters(line, len, src->col));
	if (line) {
		json_key(j, "snippet");
		json_obj_begin(j);
		json_key(j, "text");
		json_bytes(j, line, len);
		json_obj_end(j);
	}
	json_obj_end(j);
}

static void
put_physical(Sarif *s, SrcId id)
{
	const Src *src = view_src(s->ir, id);
	Json *j = &s->j;

	if (!src->file)
		return;
	json_key(j, "physicalLocation");
	json_obj_begin(j);
	json_key(j, "artifactLocation");
	json_obj_begin(j);
	json_put_str(j, "uri", uri_of(s, ir_str(s->ir, src->file)));
	json_put_u64(j, "index", artifact_of(s, src->file));
	json_obj_end(j);
	if (src->line)
		put_region(s, src);
	json_obj_end(j);
}

/* The members of a location object. */
static void
put_location(Sarif *s, SrcId src, const char *function, const char *message)
{
	Json *j = &s->j;

	put_physical(s, src);
	if (function) {
		json_key(j, "logicalLocations");
		json_arr_begin(j);
		json_obj_begin(j);
		json_put_str(j, "name", function);
		json_put_str(j, "kind", "function");
		json_obj_end(j);
		json_arr_end(j);
	}
	if (message)
		put_message(j, message);
}

static const char *
describe(const Sarif *s, const Side *side)
{
	Arena *a = s->in->races->arena;
	const char *locks = "";

	for (u32 i = 0; i < side->nlock; i++)
		locks = arena_printf(a, "%s%s'%s' (%s)", locks, *locks ? ", " : "",
				     side->locks[i].name, view_mode(side->locks[i].mode));
	return arena_printf(a, "%s%s in %s by %s%s, holding %s", side->atomic ? "atomic " : "",
			    side->kind, side->function, side->thread == 1 ? "the " : "",
			    view_thread(s->in, side->thread), *locks ? locks : "no locks");
}

static void
put_step(Sarif *s, SrcId src, const char *function, const char *text, bool essential, u32 level)
{
	Json *j = &s->j;

	json_obj_begin(j);
	json_key(j, "location");
	json_obj_begin(j);
	put_location(s, src, function, text);
	json_obj_end(j);
	json_put_u64(j, "nestingLevel", level);
	json_put_u64(j, "executionOrder", ++s->order);
	json_put_str(j, "importance", essential ? "essential" : "important");
	json_obj_end(j);
}

/* The way to an access: the thread's creation, the calls, the locks taken. */
static void
put_way(Sarif *s, const Side *side)
{
	Arena *a = s->in->races->arena;
	const Conc *c = s->in->races->conc;
	const Thread *th = thread_get(c->threads, side->thread);
	const char *who = view_thread(s->in, side->thread);

	if (th->fork)
		put_step(s, ir_ins(c->ir, th->fork)->src,
			 view_function(c->ir, pta_fn(c->pta, th->fork_inst)),
			 arena_printf(a, "%s is created", who), false, 0);
	for (u32 i = 0; i + 1 < side->npath; i++)
		put_step(s, side->path[i].src, side->path[i].function,
			 arena_printf(a, "%s: %s calls %s", who, side->path[i].function,
				      side->path[i + 1].function),
			 false, i);
	for (u32 i = 0; i < side->nlock; i++)
		if (side->locks[i].at)
			put_step(s, side->locks[i].at, NULL,
				 arena_printf(a, "%s acquires '%s' (%s)", who, side->locks[i].name,
					      view_mode(side->locks[i].mode)),
				 false, side->npath - 1);
}

static void
put_access(Sarif *s, const Side *side)
{
	put_step(s, side->ins->src, side->function, describe(s, side), true, side->npath - 1);
}

static void
begin_flow(Sarif *s, const char *id)
{
	json_obj_begin(&s->j);
	if (id)
		json_put_str(&s->j, "id", id);
	json_key(&s->j, "locations");
	json_arr_begin(&s->j);
}

static void
end_flow(Sarif *s)
{
	json_arr_end(&s->j);
	json_obj_end(&s->j);
}

static void
begin_flows(Sarif *s, const char *text)
{
	s->order = 0;
	json_obj_begin(&s->j);
	put_message(&s->j, text);
	json_key(&s->j, "threadFlows");
	json_arr_begin(&s->j);
}

static void
put_flows(Sarif *s, const Side *a, const Side *b)
{
	json_key(&s->j, "codeFlows");
	json_arr_begin(&s->j);
	begin_flows(s, "How both accesses can be reached at once");
	begin_flow(s, NULL);
	put_way(s, a);
	put_way(s, b);
	put_access(s, a);
	put_access(s, b);
	end_flow(s);
	json_arr_end(&s->j);
	json_obj_end(&s->j);
	begin_flows(s, "The same by thread");
	begin_flow(s,
		   arena_printf(s->in->races->arena, "first: %s", view_thread(s->in, a->thread)));
	put_way(s, a);
	put_access(s, a);
	end_flow(s);
	begin_flow(s,
		   arena_printf(s->in->races->arena, "second: %s", view_thread(s->in, b->thread)));
	put_way(s, b);
	put_access(s, b);
	end_flow(s);
	json_arr_end(&s->j);
	json_obj_end(&s->j);
	json_arr_end(&s->j);
}

/* Every access of the race but the one that the result stands at, each
 * instruction once; the conflicting one first. */
static void
put_related(Sarif *s, const Race *r)
{
	const RaceResult *res = s->in->races;
	const Pair *best = &res->pairs.at[r->pair];
	Json *j = &s->j;
	Set seen = {0};
	u32 id = 0;

	set_add(res->arena, &seen, res->conc->accesses.at[best->a].ins);
	json_key(j, "relatedLocations");
	json_arr_begin(j);
	for (u32 i = 0; i < r->npair * 2; i++) {
		const Pair *p = &res->pairs.at[r->pair + i / 2];
		u32 access = i % 2 ? p->b : p->a;
		Side side;

		if (i != 1 && !set_add(res->arena, &seen, res->conc->accesses.at[access].ins))
			continue;
		set_add(res->arena, &seen, res->conc->accesses.at[access].ins);
		side = side_of(s->in, access);
		json_obj_begin(j);
		json_put_u64(j, "id", ++id);
		put_location(s, side.ins->src, side.function, describe(s, &side));
		json_obj_end(j);
	}
	if (r->src) {
		json_obj_begin(j);
		json_put_u64(j, "id", ++id);
		put_location(s, r->src, NULL, r->made);
		json_obj_end(j);
	}
	json_arr_end(j);
}

static const char *
level_of(Rung r)
{
	return r >= RUNG_DEFINITE ? "error" : r == RUNG_LIKELY ? "warning" : "note";
}

static const char *
sentence(const Sarif *s, const Race *r, const Side *a, const Side *b)
{
	Arena *mem = s->in->races->arena;
	const char *why = "";

	for (Reason k = 0; k < REASON_COUNT; k++)
		if (r->reasons & 1u << k)
			why = arena_printf(mem, "%s; only %s because %s", why, rung_name(r->rung),
					   reason_text(k));
	return arena_printf(mem, "%s '%s': %s, against [another access](1): %s%s.",
			    r->used ? "Unsynchronised use of" : "Data race on", r->name,
			    describe(s, a), describe(s, b), why);
}

static void
put_properties(Sarif *s, const Race *r)
{
	const Cause *c = &s->in->races->causes.at[r->cause];
	Json *j = &s->j;

	json_key(j, "properties");
	json_obj_begin(j);
	json_put_str(j, "rung", rung_name(r->rung));
	json_key(j, "reasons");
	json_arr_begin(j);
	for (Reason k = 0; k < REASON_COUNT; k++)
		if (r->reasons & 1u << k)
			json_str(j, reason_name(k));
	json_arr_end(j);
	json_put_u64(j, "pairs", r->npair);
	json_put_str(j, "harm", harm_name(r->harm));
	json_put_str(j, "cause", cause_name(c->kind));
	json_put_str(j, "causeText", c->text);
	json_put_str(j, "fix", c->fix);
	json_put_str(j, "followsFrom", r->under ? s->in->races->races.at[r->under - 1].id : NULL);
	json_put_str(j, "nearMiss", view_near(s->in, r));
	json_put_str(j, "triage", view_mark(s->in, r)->verdict);
	json_obj_end(j);
}

/* What people have said of it before. */
static void
put_marks(Sarif *s, const Race *r)
{
	const Mark *m = view_mark(s->in, r);
	Json *j = &s->j;

	if (s->in->baseline)
		json_put_str(j, "baselineState", m->known ? "unchanged" : "new");
	json_key(j, "suppressions");
	json_arr_begin(j);
	if (m->suppressed) {
		json_obj_begin(j);
		json_put_str(j, "kind", m->in_source ? "inSource" : "external");
		json_put_str(j, "status", "accepted");
		json_put_str(j, "justification", m->suppressed);
		json_obj_end(j);
	}
	json_arr_end(j);
}

static void
put_result(Sarif *s, const Race *r)
{
	const Pair *p = &s->in->races->pairs.at[r->pair];
	Side a = side_of(s->in, p->a), b = side_of(s->in, p->b);
	Json *j = &s->j;

	json_obj_begin(j);
	json_put_str(j, "ruleId", "data-race");
	json_put_u64(j, "ruleIndex", 0);
	json_put_str(j, "level", level_of(r->rung));
	put_message(j, sentence(s, r, &a, &b));
	json_key(j, "locations");
	json_arr_begin(j);
	json_obj_begin(j);
	put_location(s, a.ins->src, a.function, NULL);
	json_obj_end(j);
	json_arr_end(j);
	put_related(s, r);
	put_flows(s, &a, &b);
	json_key(j, "partialFingerprints");
	json_obj_begin(j);
	json_put_str(j, "concordRace/v2", r->id);
	json_obj_end(j);
	put_marks(s, r);
	put_properties(s, r);
	json_obj_end(j);
}

static void
put_text(Json *j, const char *key, const char *text)
{
	json_key(j, key);
	json_obj_begin(j);
	json_put_str(j, "text", text);
	json_obj_end(j);
}

static void
put_tool(Sarif *s)
{
	Json *j = &s->j;

	json_key(j, "tool");
	json_obj_begin(j);
	json_key(j, "driver");
	json_obj_begin(j);
	json_put_str(j, "name", "Concord");
	json_put_str(j, "version", s->in->version);
	json_key(j, "rules");
	json_arr_begin(j);
	json_obj_begin(j);
	json_put_str(j, "id", "data-race");
	json_put_str(j, "name", "DataRace");
	put_text(j, "shortDescription", "Two threads access the same memory at once.");
	put_text(
	    j, "fullDescription",
	    "Two threads may access the same memory at the same time, at least one of them writes, "
	    "not both accesses are atomic, and nothing orders them. Such a program has undefined "
	    "behaviour.");
	put_text(
	    j, "help",
	    "Hold one common lock at both accesses, make both atomic, order them by creating or "
	    "joining a thread in between, or give each thread memory of its own. The level says "
	    "how sure the analysis is: error, a racing run certainly exists; warning, nothing "
	    "known keeps the accesses apart; note, a pattern that is often harmless applies, and "
	    "the message names it.");
	json_key(j, "defaultConfiguration");
	json_obj_begin(j);
	json_put_str(j, "level", "warning");
	json_obj_end(j);
	json_key(j, "properties");
	json_obj_begin(j);
	json_key(j, "tags");
	json_arr_begin(j);
	json_str(j, "concurrency");
	json_str(j, "external/cwe/cwe-362");
	json_arr_end(j);
	json_obj_end(j);
	json_obj_end(j);
	json_arr_end(j);
	json_obj_end(j);
	json_obj_end(j);
}

static void
put_notification(Sarif *s, const char *level, const char *text, const char *function, SrcId src)
{
	Json *j = &s->j;

	json_obj_begin(j);
	json_put_str(j, "level", level);
	put_message(j, text);
	if (function || src) {
		json_key(j, "locations");
		json_arr_begin(j);
		json_obj_begin(j);
		put_location(s, src, function, NULL);
		json_obj_end(j);
		json_arr_end(j);
	}
	json_obj_end(j);
}

static void
put_invocation(Sarif *s)
{
	static const char *const level[] = {"note", "warning", "error"};
	const Conc *c = s->in->races->conc;
	const Diag *d = s->in->diag;
	Json *j = &s->j;
	Assumption *as;
	u32 n = view_assumptions(s->in, &as);

	json_key(j, "invocations");
	json_arr_begin(j);
	json_obj_begin(j);
	json_put_bool(j, "executionSuccessful",
		      c->complete && c->pta->complete && (!d || !d->errors));
	json_key(j, "toolExecutionNotifications");
	json_arr_begin(j);
	for (u32 i = 0; i < n; i++)
		put_notification(s, "note",
				 arena_printf(s->in->races->arena, "Assumption: %s", as[i].text),
				 as[i].function, as[i].src);
	for (u32 i = 0; d && i < d->msgs.n; i++)
		put_notification(s, level[d->msgs.at[i].level],
				 arena_printf(s->in->races->arena, "%s%s%s", d->msgs.at[i].file,
					      *d->msgs.at[i].file ? ": " : "", d->msgs.at[i].text),
				 NULL, 0);
	json_arr_end(j);
	json_obj_end(j);
	json_arr_end(j);
}

static void
put_artifacts(Sarif *s)
{
	Json *j = &s->j;

	json_key(j, "artifacts");
	json_arr_begin(j);
	for (u32 i = 0; i < s->files.n; i++) {
		json_obj_begin(j);
		json_key(j, "location");
		json_obj_begin(j);
		json_put_str(j, "uri", uri_of(s, ir_str(s->ir, s->files.at[i])));
		json_obj_end(j);
		json_obj_end(j);
	}
	json_arr_end(j);
}

/* Says which program a run is of, where there are several. */
static void
put_identity(Sarif *s)
{
	if (!s->in->program)
		return;
	json_key(&s->j, "automationDetails");
	json_obj_begin(&s->j);
	json_put_str(&s->j, "id", s->in->program);
	json_obj_end(&s->j);
}

static void
put_run(Sarif *s)
{
	const ReportInput *in = s->in;
	Json *j = &s->j;

	json_obj_begin(j);
	put_tool(s);
	put_identity(s);
	json_put_str(j, "columnKind", "unicodeCodePoints");
	put_invocation(s);
	json_key(j, "results");
	json_arr_begin(j);
	for (u32 i = 0; i < in->races->races.n; i++)
		if (in->races->races.at[i].rung >= in->level)
			put_result(s, &in->races->races.at[i]);
	json_arr_end(j);
	put_artifacts(s);
	json_obj_end(j);
}

void
report_sarif_begin(FILE *to)
{
	Json j;

	json_init(&j, to, true);
	json_obj_begin(&j);
	json_put_str(&j, "$schema", SCHEMA);
	json_put_str(&j, "version", "2.1.0");
	json_key(&j, "runs");
	json_arr_begin(&j);
	json_flush(&j);
}

void
report_sarif_end(FILE *to)
{
	fputs("\n  ]\n}\n", to);
}

void
report_sarif(const ReportInput *in, FILE *to)
{
	Sarif s = {.in = in, .ir = in->races->conc->ir};

	if (!in->part)
		report_sarif_begin(to);
	json_init(&s.j, to, true);
	json_nest(&s.j, 2);
	put_run(&s);
	json_flush(&s.j);
	if (!in->part)
		report_sarif_end(to);
}
