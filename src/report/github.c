/* github.c - workflow commands: one annotation for each race that is shown.
 *
 * A command is one line, `::error file=F,line=N,col=N,title=T::text`; in the
 * text %, CR and LF are escaped, in properties also : and ,. */
#include "report/report_int.h"

#include <string.h>

static void
escape(FILE *to, const char *s, bool property)
{
	for (; *s; s++)
		if (strchr(property ? "%\r\n:," : "%\r\n", *s))
			fprintf(to, "%%%02X", (unsigned char)*s);
		else
			fputc(*s, to);
}

static const char *
command_of(Rung r)
{
	return r >= RUNG_DEFINITE ? "error" : r == RUNG_LIKELY ? "warning" : "notice";
}

static const char *
describe(const ReportInput *in, const Side *s, const char *where)
{
	return arena_printf(in->races->arena, "%s in %s%s%s by %s%s, holding %s%s%s", s->kind,
			    s->function, *where ? " at " : "", where, s->thread == 1 ? "the " : "",
			    view_thread(in, s->thread), s->nlock ? "'" : "no lock",
			    s->nlock ? s->locks[0].name : "",
			    s->nlock > 1 ? "' and others"
			    : s->nlock   ? "'"
					 : "");
}

/* As view_position, from the root of the repository on. */
static const char *
position(const ReportInput *in, const Src *s)
{
	const char *file = view_from_root(in, ir_str(in->races->conc->ir, s->file));

	return !s->file ? "" : arena_printf(in->races->arena, "%s:%u:%u", file, s->line, s->col);
}

static const char *
sentence(const ReportInput *in, const Race *r, const Side *a, const Side *b)
{
	const char *near = view_near(in, r);

	return arena_printf(
	    in->races->arena, "%s; conflicting %s.%s%s%s Fix: %s. (concord explain %s)",
	    describe(in, a, ""), describe(in, b, position(in, b->src)), near ? " " : "",
	    near ? near : "", near ? "." : "", in->races->causes.at[r->cause].fix, r->id);
}

static void
put_race(const ReportInput *in, FILE *to, const Race *r)
{
	const Pair *p = &in->races->pairs.at[r->pair];
	const Ir *ir = in->races->conc->ir;
	Side a = side_of(in, p->a), b = side_of(in, p->b);

	fprintf(to, "::%s ", command_of(r->rung));
	if (a.src->file) {
		fputs("file=", to);
		escape(to, view_from_root(in, ir_str(ir, a.src->file)), true);
		fprintf(to, ",line=%u,", a.src->line);
		if (a.src->col)
			fprintf(to, "col=%u,", a.src->col);
	}
	fputs("title=", to);
	escape(to,
	       arena_printf(in->races->arena, "%s '%s' [%s]",
			    r->used ? "unsynchronised use of" : "data race on", r->name,
			    rung_name(r->rung)),
	       true);
	fputs("::", to);
	escape(to, sentence(in, r, &a, &b), false);
	fputc('\n', to);
}

void
report_github(const ReportInput *in, FILE *to)
{
	for (u32 i = 0; i < in->races->races.n; i++)
		if (view_shown(in, &in->races->races.at[i]))
			put_race(in, to, &in->races->races.at[i]);
}
