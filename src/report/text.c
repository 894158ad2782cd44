/* text.c - a report that reads like a compiler's diagnostics, with the words
 * of ThreadSanitizer. */
#include "report/report_int.h"

#include <string.h>

/* Other pairs of a race, other races of a cause, and steps inside a library that are listed. */
enum { MORE_PAIRS = 4, MORE_RACES = 8, INNER_STEPS = 3 };
enum { LINE_BYTES = 160 }; /* that are shown of a line */

typedef struct Text {
	const ReportInput *in;
	const Ir *ir;
	FILE *to;
	Set threads; /* named in the present race */
} Text;

#define BOLD  "\033[1m"
#define RED   "\033[1;31m"
#define AMBER "\033[1;35m"
#define BLUE  "\033[1;36m"
#define GREEN "\033[1;32m"
#define PLAIN "\033[0m"

static const char *
paint(const Text *t, const char *color)
{
	return t->in->color ? color : "";
}

/* The bytes of the character at s, of n; 1 for what is no UTF-8. */
static u32
character(const char *s, u32 n)
{
	u8 first = (u8)*s;
	u32 size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;

	if (size > n)
		return 1;
	for (u32 i = 1; i < size; i++)
		if (((u8)s[i] & 0xc0) != 0x80)
			return 1;
	return size;
}

/* Does the character take two columns of a terminal: those of East Asia, and pictures? */
static bool
is_wide(const char *s, u32 size)
{
	static const u32 ranges[][2] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
					{0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
					{0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
	u32 x = size == 4 ? (u8)*s & 7 : (u8)*s & 15;

	for (u32 i = 1; i < size; i++)
		x = x << 6 | ((u8)s[i] & 0x3f);
	for (u32 i = 0; size > 2 && i < COUNT(ranges); i++)
		if (x >= ranges[i][0] && x <= ranges[i][1])
			return true;
	return false;
}

/* Prints the character, or nothing that a terminal would obey. */
static void
put_character(FILE *to, const char *s, u32 size)
{
	u8 c = (u8)*s;
	bool obeyed =
	    (c < 0x20 && c != '\t') || c == 0x7f || (size == 2 && c == 0xc2 && (u8)s[1] < 0xa0);

	if (obeyed)
		fputc('?', to);
	else
		fwrite(s, 1, size, to);
}

/* The line at src with a caret below its column; of a very long one what is around that. */
static void
print_source(const Text *t, SrcId id)
{
	const Src *s = view_src(t->ir, id);
	const char *line, *more = "...";
	u32 len, from = 0, end, col, size;

	line = source_line(t->in->races->sources, s->file, s->line, &len);
	if (!line)
		return;
	col = s->col && s->col <= len + 1 ? s->col - 1 : 0;
	end = len;
	if (len > LINE_BYTES) {
		while (col - from > LINE_BYTES / 2)
			from += character(line + from, len - from);
		for (end = from; end < len && end - from < LINE_BYTES;)
			end += character(line + end, len - end);
	}
	fprintf(t->to, "%7u | %s", s->line, from ? more : "");
	for (u32 i = from; i < end; i += size) {
		size = character(line + i, end - i);
		put_character(t->to, line + i, size);
	}
	fprintf(t->to, "%s\n", end < len ? more : "");
	if (!s->col || s->col > len + 1)
		return;
	fprintf(t->to, "        | %s", from ? "   " : "");
	for (u32 i = from; i < col; i += size) {
		size = character(line + i, len - i);
		fputs(line[i] == '\t' ? "\t" : is_wide(line + i, size) ? "  " : " ", t->to);
	}
	fprintf(t->to, "%s^%s\n", paint(t, GREEN), paint(t, PLAIN));
}

/* "at file:line:col", or without debug information "in function". */
static const char *
place(const Text *t, SrcId src, const char *function)
{
	const char *at = view_position(t->in, src);

	return arena_printf(t->in->races->arena, *at ? "at %s" : "in %s", *at ? at : function);
}

/* A position in a method of a class, as traces of Java's exceptions have it: "(File.java:12)". */
static const char *
in_trace(const Text *t, const char *function, SrcId src)
{
	const char *at = view_position(t->in, src), *slash = strrchr(at, '/');

	return *at ? arena_printf(t->in->races->arena, "%s(%s)", function, slash ? slash + 1 : at)
		   : function;
}

/* Of one side among many: a method of a class is named without its package. */
static const char *
brief_place(const Text *t, const Side *s)
{
	if (!view_in_class(t->in, s))
		return place(t, s->ins->src, s->function);
	return arena_printf(t->in->races->arena, "in %s", in_trace(t, s->brief, s->ins->src));
}

static void
print_locks(const Text *t, const Side *s)
{
	if (!s->nlock) {
		fprintf(t->to, "    holding no locks\n");
		return;
	}
	for (u32 i = 0; i < s->nlock; i++) {
		const HeldLock *l = &s->locks[i];
		const char *at = view_position(t->in, l->at);

		if (l->turn) {
			fprintf(t->to, "    one at a time with whatever else '%s' runs", l->name);
			fprintf(t->to, *at ? ", started at %s\n" : "%s\n", at);
			continue;
		}
		fprintf(t->to, "    holding '%s' (%s)", l->name, view_mode(l->mode));
		fprintf(t->to, *at ? ", acquired at %s\n" : "%s\n", at);
	}
}

static void
print_path(const Text *t, const Side *s)
{
	for (u32 i = s->npath; i-- > 0;) {
		const Step *p = &s->path[i];
		const char *at = view_position(t->in, p->src);

		if (p->method)
			fprintf(t->to, "    #%u %s", s->npath - 1 - i,
				in_trace(t, p->function, p->src));
		else
			fprintf(t->to, "    #%u %s%s%s", s->npath - 1 - i, p->function,
				*at ? " " : "", at);
		if (p->through)
			fprintf(t->to, " (external %s is assumed to call back)", p->through);
		fprintf(t->to, "\n");
	}
}

/* How the library's function comes to the access, where that is not in it or in what it calls at
 * once: a map that is given itself as a key says nothing of that at the call. */
static void
print_inner(const Text *t, const Side *s)
{
	if (s->ninner < 3)
		return;
	fprintf(t->to, "    which leads there by way of");
	for (u32 i = 1; i < s->ninner; i++) {
		if (i > INNER_STEPS && i + 1 < s->ninner)
			continue;
		fprintf(t->to, "%s %s",
			i == 1                ? ""
			: i > INNER_STEPS + 1 ? ", ...,"
					      : ",",
			s->inner[i].function);
	}
	fprintf(t->to, "\n");
}

/* another: of the same thread as the first side, so of two that are alike. */
static void
print_side(Text *t, const Side *s, const char *lead, bool another)
{
	char kind[64];

	snprintf(kind, sizeof kind, "%s%s%s%s", lead, s->atomic ? "atomic " : "",
		 s->is_volatile ? "volatile " : "", s->kind);
	if (kind[0] >= 'a' && kind[0] <= 'z')
		kind[0] = (char)(kind[0] - 'a' + 'A');
	fprintf(t->to, "  %s%s%s", paint(t, BOLD), kind, paint(t, PLAIN));
	if (s->called)
		fprintf(t->to, " in %s, called", s->called);
	else if (s->access->size && !(s->access->flags & ACC_FREE) && !view_in_class(t->in, s))
		fprintf(t->to, " of size %llu", (unsigned long long)s->access->size);
	fprintf(t->to, " %s by %s%s\n", place(t, s->ins->src, s->function),
		s->thread == 1 ? "the "
		: another      ? "another "
			       : "",
		view_thread(t->in, s->thread));
	print_inner(t, s);
	print_source(t, s->ins->src);
	print_locks(t, s);
	print_path(t, s);
	set_add(t->in->races->arena, &t->threads, s->thread);
}

/* The threads of the race and those that made them; one: both sides are of one. */
static void
print_threads(Text *t, bool one)
{
	const Threads *ts = t->in->races->conc->threads;
	Set all = {0};

	SET_FOR (it, &t->threads)
		for (ThreadId k = it.x; k > 1; k = thread_get(ts, k)->parent)
			if (!set_add(t->in->races->arena, &all, k))
				break;
	SET_FOR (it, &all) {
		const Thread *th = thread_get(ts, it.x);
		const char *at;
		InstId by;

		if (view_is_caller(t->in, it.x)) {
			fprintf(
			    t->to,
			    one ? "  T%s is each of any two that use this open program at once\n"
				: "  T%s is one of the threads that use this open program\n",
			    view_thread(t->in, it.x) + 1);
			continue;
		}
		at = view_position(t->in, ir_ins(t->ir, view_fork(t->in, it.x, &by))->src);
		fprintf(t->to, "  T%s created%s%s in %s%s by %s%s%s\n",
			view_thread(t->in, it.x) + 1, *at ? " at " : "", at,
			view_function(t->ir, pta_fn(t->in->races->conc->pta, by)),
			by == th->fork_inst ? view_called(t->in, it.x) : "",
			th->parent == 1 ? "the " : "", view_thread(t->in, th->parent),
			th->unique ? "" : "; there may be several");
	}
	set_clear(&t->threads);
}

static void
print_reasons(const Text *t, const Race *r)
{
	if (!r->reasons) {
		fprintf(t->to, "  %s: %s\n", rung_name(r->rung),
			r->rung >= RUNG_DEFINITE
			    ? "a run in which both accesses meet certainly exists"
			    : "no lock, order or known harmless pattern keeps them apart");
		return;
	}
	for (Reason k = 0; k < REASON_COUNT; k++)
		if (r->reasons & 1u << k)
			fprintf(t->to, "  %s only (%s): %s\n", rung_name(r->rung), reason_name(k),
				reason_text(k));
}

static void
print_more(const Text *t, const Race *r)
{
	const RaceResult *res = t->in->races;
	Map seen = {0}, lines = {0};
	const char *line;
	u32 n = 0;

	for (u32 i = 0; i < r->npair; i++) {
		const Pair *p = &res->pairs.at[r->pair + i];
		InsId x = race_shown_ins(res, p->a), y = race_shown_ins(res, p->b);
		u32 *at = map_at(res->arena, &seen, map_pair(MIN(x, y), MAX(x, y)));
		Side a, b;

		if (r->used && *at)
			continue;
		*at = 1;
		if (n++ > MORE_PAIRS)
			continue;
		a = side_of(t->in, p->a);
		b = side_of(t->in, p->b);
		line = arena_printf(res->arena, "  also [%s]: %s %s, %s %s\n", rung_name(p->rung),
				    a.kind, brief_place(t, &a), b.kind, brief_place(t, &b));
		at = map_at(res->arena, &lines, hash_bytes(line, strlen(line)));
		if (*at)
			n--; /* other instructions, for the reader the same */
		else if (n > 1)
			fputs(line, t->to);
		*at = 1;
	}
	if (n > MORE_PAIRS + 1)
		fprintf(t->to, "  and %u more pairs of %s\n", n - MORE_PAIRS - 1,
			r->used ? "calls" : "accesses");
}

/* A rule covers some pairs of the race, and not p: so it is still shown. */
static void
print_left(const Text *t, const Pair *p)
{
	Side a = side_of(t->in, p->a), b = side_of(t->in, p->b);

	fprintf(t->to, "  suppressed in part: no rule or comment covers %s %s, %s %s\n", a.kind,
		brief_place(t, &a), b.kind, brief_place(t, &b));
}

static const char *
severity_of(const Race *r)
{
	return r->rung >= RUNG_DEFINITE ? "error" : r->rung == RUNG_LIKELY ? "warning" : "note";
}

/* A race whose cause another one has explained. */
static void
print_brief(const Text *t, const Race *r)
{
	const Pair *p = &t->in->races->pairs.at[r->pair];
	Side a = side_of(t->in, p->a), b = side_of(t->in, p->b);

	fprintf(t->to, "    '%s' [%s", r->name, rung_name(r->rung));
	for (Reason k = 0; k < REASON_COUNT; k++)
		if (r->reasons & 1u << k)
			fprintf(t->to, " only (%s)", reason_name(k));
	fprintf(t->to, "]: %s %s, %s %s; id %s\n", a.kind, brief_place(t, &a), b.kind,
		brief_place(t, &b), r->id);
}

static void
print_in_group(void *ctx, const Race *r)
{
	print_brief(ctx, r);
}

/* The other races of the cause: those that follow, or those alike. */
static void
print_others(const Text *t, const Cause *c, const Race *first, bool following)
{
	const Race *races = t->in->races->races.at;
	u32 n = 0;

	for (u32 i = 0; i < c->races.n; i++) {
		const Race *r = &races[c->races.at[i]];

		if (r == first || !view_shown(t->in, r) || (r->under != 0) != following)
			continue;
		if (!n++)
			fprintf(t->to, following ? "  and what can only happen if this does:\n"
						 : "  of the same cause:\n");
		if (n <= MORE_RACES)
			print_brief(t, r);
	}
	if (n > MORE_RACES)
		fprintf(t->to, "    and %u more\n", n - MORE_RACES);
}

static void
print_location(const Text *t, const Race *r, const Side *a)
{
	const char *at = view_position(t->in, r->src);

	if (r->used) {
		fprintf(t->to, "  Object is %s", r->made);
		fprintf(t->to,
			*at ? " at %s; its class does not synchronise its uses\n"
			    : "%s; its class does not synchronise its uses\n",
			at);
		return;
	}
	if (view_in_class(t->in, a))
		fputs(strncmp(r->made, "static field ", 13) ? "  Location is in "
							    : "  Location is ",
		      t->to);
	else
		fprintf(t->to, "  Location is %s%llu byte%s of ", r->size ? "" : "at least ",
			(unsigned long long)(r->size ? r->size : 1), r->size > 1 ? "s" : "");
	fputs(r->made, t->to);
	fprintf(t->to, *at ? " at %s\n" : "%s\n", at);
	if (r->said)
		fprintf(t->to, "  annotated: %s\n", r->said);
}

static void
print_cause(const Text *t, const Race *r, bool class)
{
	const Cause *c = &t->in->races->causes.at[r->cause];
	const Mark *m = view_mark(t->in, r);
	const char *near = view_near(t->in, r);

	if (r->harm != HARM_VALUE)
		fprintf(t->to, "  at stake (%s): %s\n", harm_name(r->harm),
			class && r->harm == HARM_POINTER ? "the value is used as a reference"
							 : harm_text(r->harm));
	if (near)
		fprintf(t->to, "  near miss: %s\n", near);
	if (!r->under)
		fprintf(t->to, "  cause (%s): %s\n  fix: %s\n", cause_name(c->kind), c->text,
			c->fix);
	if (m->left)
		print_left(t, &t->in->races->pairs.at[m->left - 1]);
	if (m->verdict)
		fprintf(t->to, "  triaged as %s%s%s\n", m->verdict, *m->note ? ": " : "", m->note);
}

static void
print_race(Text *t, const Race *r)
{
	const Pair *p = &t->in->races->pairs.at[r->pair];
	Side a = side_of(t->in, p->a), b = side_of(t->in, p->b);
	const char *color = r->rung >= RUNG_DEFINITE ? RED : r->rung == RUNG_LIKELY ? AMBER : BLUE;
	const char *at = view_position(t->in, a.ins->src);

	fprintf(t->to, "%s%s%s%s%s:%s %s%s '%s'%s [%s]\n", paint(t, BOLD), at, *at ? ": " : "",
		paint(t, color), severity_of(r), paint(t, PLAIN), paint(t, BOLD),
		r->used ? "unsynchronised use of" : "data race on", r->name, paint(t, PLAIN),
		rung_name(r->rung));
	print_side(t, &a, "", false);
	print_side(t, &b, "conflicting ", a.thread == b.thread);
	print_location(t, r, &a);
	print_threads(t, a.thread == b.thread);
	print_reasons(t, r);
	if (p->folded_under)
		fprintf(t->to, "  follows from the race on '%s' (%s)\n",
			t->in->races->races.at[p->folded_under - 1].name,
			t->in->races->races.at[p->folded_under - 1].id);
	print_cause(t, r, view_in_class(t->in, &a));
	print_more(t, r);
}

/* The first race of a cause that is to be shown, in full, and the others in a
 * line each. */
static void
print_group(Text *t, const Cause *c)
{
	const Race *races = t->in->races->races.at, *first = NULL;

	for (u32 i = 0; i < c->races.n && !first; i++)
		if (view_shown(t->in, &races[c->races.at[i]]))
			first = &races[c->races.at[i]];
	if (!first)
		return;
	print_race(t, first);
	print_others(t, c, first, false);
	print_others(t, c, first, true);
	fprintf(t->to, "  id %s\n\n", first->id);
}

static const char *
plural(u32 n)
{
	return n == 1 ? "" : "s";
}

static void
print_hidden(const Text *t)
{
	const u32 *n = t->in->races->by_rung;
	Tally tally = view_tally(t->in);
	u32 likely = t->in->level > RUNG_LIKELY ? n[RUNG_LIKELY] : 0;
	u32 possible = t->in->level > RUNG_POSSIBLE ? n[RUNG_POSSIBLE] : 0;

	if (likely + possible)
		fprintf(t->to,
			likely ? "%u more below --level %s (%u likely, %u possible)\n"
			       : "%u more below --level %s\n",
			likely + possible, rung_name(t->in->level), likely, possible);
	if (tally.suppressed)
		fprintf(t->to, "%u suppressed\n", tally.suppressed);
	if (t->in->baseline)
		fprintf(t->to, "%u unchanged since %s, %u no longer found\n", tally.unchanged,
			t->in->baseline, t->in->absent);
	if (tally.real + tally.benign + tally.wrong)
		fprintf(t->to, "triage: %u real, %u benign, %u false, %u not looked at\n",
			tally.real, tally.benign, tally.wrong, tally.open);
}

static u32
count_causes(const Text *t)
{
	const RaceResult *res = t->in->races;
	u32 n = 0;

	for (u32 i = 0; i < res->causes.n; i++)
		for (u32 k = 0; k < res->causes.at[i].races.n; k++)
			if (view_shown(t->in, &res->races.at[res->causes.at[i].races.at[k]])) {
				n++;
				break;
			}
	return n;
}

static void
print_summary(const Text *t)
{
	Totals n = view_totals(t->in);
	u32 shown = report_shown(t->in), causes = count_causes(t);

	fprintf(t->to, "%s%u %srace%s%s found", paint(t, BOLD), shown,
		t->in->baseline ? "new " : "", plural(shown), paint(t, PLAIN));
	if (causes < shown)
		fprintf(t->to, ", of %u cause%s,", causes, plural(causes));
	fprintf(t->to, " in %u file%s, %u function%s (%u reached), %u thread%s, %u access%s\n",
		n.files, plural(n.files), n.functions, plural(n.functions), n.reached, n.threads,
		plural(n.threads), n.accesses, n.accesses == 1 ? "" : "es");
	print_hidden(t);
	if (t->in->races->abridged)
		fprintf(t->to,
			"only some of the %llu racing pairs are listed, with every access in one\n",
			(unsigned long long)t->in->races->count[STAGE_UNGUARDED]);
	if (!t->in->races->conc->complete || !t->in->races->conc->pta->complete)
		fprintf(t->to, "incomplete: the memory limit ended the analysis early\n");
	assume_text(t->in, t->to);
}

static double
seconds(const Phases *p)
{
	u64 sum = 0;

	for (u32 i = 0; p && i < p->list.n; i++)
		sum += p->list.at[i].wall;
	return (double)sum / 1e9;
}

/* Distinct causes among the races that were found to be real. */
static u32
count_bugs(const Text *t)
{
	Set causes = {0};

	for (u32 i = 0; i < t->in->races->races.n; i++) {
		const Race *r = &t->in->races->races.at[i];
		const char *verdict = view_mark(t->in, r)->verdict;
		if (verdict && *verdict == 'r')
			set_add(t->in->races->arena, &causes, r->cause);
	}
	return set_count(&causes);
}

/* One row of Figure 11 of Naik et al. 2006, and the stage that is ours. */
static void
print_row(const Text *t)
{
	const u64 *n = t->in->races->count;
	Tally tally = view_tally(t->in);

	fprintf(t->to, "%8s %6s %6s", "time", "roots", "local");
	for (Stage s = 0; s < STAGE_COUNT; s++)
		fprintf(t->to, " %10s", stage_name(s));
	fprintf(t->to, " %6s %6s %6s %6s %6s\n", "races", "real", "benign", "false", "bugs");
	fprintf(t->to, "%7.1fs %6u %6u", seconds(t->in->phases), t->in->root_notes,
		t->in->local_notes);
	for (Stage s = 0; s < STAGE_COUNT; s++)
		fprintf(t->to, " %10llu", (unsigned long long)n[s]);
	fprintf(t->to, " %6u %6u %6u %6u %6u\n", report_shown(t->in), tally.real, tally.benign,
		tally.wrong, count_bugs(t));
}

static void
print_stats(const Text *t)
{
	bool complete = t->in->races->conc->complete;

	fprintf(t->to, "\npairs of accesses left after each stage%s:\n",
		complete ? "" : ", as far as the analysis came");
	for (Stage s = 0; s < STAGE_COUNT; s++)
		fprintf(t->to, "  %-10s %12llu\n", stage_name(s),
			(unsigned long long)t->in->races->count[s]);
	fprintf(t->to, "%u instructions, %u instances, %u objects, %u slots\n", t->ir->ins.n,
		t->in->races->conc->pta->insts.n, t->in->races->conc->pta->objs.n,
		t->in->races->conc->pta->slots.n);
	print_row(t);
	if (t->in->phases)
		phases_print(t->in->phases, t->to);
}

void
report_text(const ReportInput *in, FILE *to)
{
	Text t = {.in = in, .ir = in->races->conc->ir, .to = to};

	for (u32 i = 0; in->view == VIEW_CAUSE && i < in->races->causes.n; i++)
		print_group(&t, &in->races->causes.at[i]);
	if (in->view != VIEW_CAUSE)
		group_text(in, to, print_in_group, &t);
	print_summary(&t);
	if (in->stats)
		print_stats(&t);
}
