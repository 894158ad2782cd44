/* print.c - the text form; parse.c reads it back to the same program.
 *
 * Definitions are printed in the order of their ids, which the reader gives
 * out in the same order.  Functions and globals of the same name (internal to
 * different units) have their id behind: `@count'g4`. */
#include "ir/print_int.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- words -------------------------------------------------------------- */

static void
put_bytes(FILE *to, const char *s, u32 n)
{
	putc('"', to);
	for (u32 i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c < ' ' || c == '"' || c == '\\' || c >= 0x7f)
			fprintf(to, "\\%02x", c);
		else
			putc(c, to);
	}
	putc('"', to);
}

void
print_str(Printer *p, StrId s)
{
	put_bytes(p->to, ir_str(p->ir, s), intern_len(&p->ir->strs, s));
}

/* Says whether s is a word: letters, digits and `more`. */
static bool
is_word(const char *s, u32 n, const char *more)
{
	if (!n || isdigit((unsigned char)*s))
		return false;
	for (u32 i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && (!s[i] || !strchr(more, s[i])))
			return false;
	return true;
}

/* The name s if there is anything to print of it, else 0. */
StrId
print_named(const Printer *p, StrId s)
{
	return intern_len(&p->ir->strs, s) ? s : 0;
}

bool
print_is_name(const Ir *ir, StrId s)
{
	return is_word(ir_str(ir, s), intern_len(&ir->strs, s), "_$");
}

void
print_symbol(Printer *p, char table, u32 id)
{
	StrId name =
	    print_named(p, table == 'f' ? p->ir->fns.at[id].name : p->ir->globals.at[id].name);

	putc('@', p->to);
	if (is_word(ir_str(p->ir, name), intern_len(&p->ir->strs, name), "_$."))
		fputs(ir_str(p->ir, name), p->to);
	else if (name)
		print_str(p, name);
	if (!name || map_get(&p->symbols, name) > 1)
		fprintf(p->to, "'%c%u", table, id);
}

void
print_kind(Printer *p, Kind k)
{
	static const char letters[] = "wif";

	if (k.rt == RT_PTR && k.width == p->ir->ptr_bytes * 8)
		fputs("ptr", p->to);
	else if (k.rt == RT_PTR)
		fprintf(p->to, "ptr%u", k.width);
	else if (!k.width)
		fputs(k.rt < text_regtypes.n ? text_regtypes.at[k.rt] : "void", p->to);
	else if (k.rt == RT_AGG)
		fprintf(p->to, "agg%u", k.width);
	else
		fprintf(p->to, "%c%u", letters[k.rt % 3], k.width);
}

void
print_src(Printer *p, SrcId id)
{
	const Src *s = &p->ir->srcs.at[id];

	if (!id) {
		fputs(" !-", p->to);
		return;
	}
	fputs(" !", p->to);
	if (s->file != p->file) {
		print_str(p, s->file);
		putc(':', p->to);
	}
	fprintf(p->to, "%u", s->line);
	if (s->col)
		fprintf(p->to, ":%u", s->col);
}

const char *
print_name_at(Names n, u32 k)
{
	return k < n.n ? n.at[k] : "?";
}

void
print_unit(Printer *p, StrId unit)
{
	if (unit == p->ir->unit)
		return;
	fputs(" unit ", p->to);
	if (unit)
		print_str(p, unit);
	else
		fputs("none", p->to);
}

/* ---- tables ------------------------------------------------------------- */

static void
put_type_def(Printer *p, TypeId id)
{
	const Type *t = &p->ir->types.at[id];

	fprintf(p->to, "type t%u = %s", id, print_name_at(text_types, t->kind));
	if (print_named(p, t->name)) {
		putc(' ', p->to);
		print_str(p, t->name);
	}
	fprintf(p->to, " size %" PRIu64, t->size);
	if (t->elem)
		fprintf(p->to, " elem t%u", t->elem);
	if (t->count)
		fprintf(p->to, " count %" PRIu64, t->count);
	if (t->nmember)
		fputs(" {\n", p->to);
	for (u32 k = 0; k < t->nmember; k++) {
		const Member *m = &p->ir->members.at[t->member + k];
		fprintf(p->to, "\t%" PRIu64 ": t%u ", m->off, m->type);
		print_str(p, m->name);
		putc('\n', p->to);
	}
	fputs(t->nmember ? "}\n" : "\n", p->to);
}

static void
put_class(Printer *p, ClassId id)
{
	const Class *c = &p->ir->classes.at[id];

	fprintf(p->to, "class c%u = ", id);
	print_str(p, c->name);
	if (c->super)
		fprintf(p->to, " super c%u", c->super);
	if (c->flags)
		fprintf(p->to, " flags %u", c->flags);
	print_unit(p, c->unit);
	if (c->cinit) {
		fputs(" cinit ", p->to);
		print_symbol(p, 'f', c->cinit);
	}
	fputs(" {\n", p->to);
	for (u32 k = 0; k < c->niface; k++)
		fprintf(p->to, "\tiface c%u\n", p->ir->refs.at[c->iface + k]);
	for (u32 k = 0; k < c->nfield; k++) {
		const Field *f = &p->ir->fields.at[c->field + k];
		fprintf(p->to, "\tfield f%u: t%u ", c->field + k, f->type);
		print_str(p, f->name);
		if (f->flags)
			fprintf(p->to, " flags %u", f->flags);
		if (f->guard) {
			fputs(" guard ", p->to);
			print_str(p, f->guard);
		}
		putc('\n', p->to);
	}
	for (u32 k = 0; k < c->nmethod; k++) {
		fputs("\tmethod ", p->to);
		print_symbol(p, 'f', p->ir->refs.at[c->method + k]);
		putc('\n', p->to);
	}
	fputs("}\n", p->to);
}

static void
put_inits(Printer *p, const Global *g)
{
	if (!g->ninit)
		return;
	fputs(" = {", p->to);
	for (u32 k = 0; k < g->ninit; k++) {
		const Init *i = &p->ir->inits.at[g->init + k];
		fprintf(p->to, "%s%" PRIu64 ": ", k ? ", " : "", i->off);
		print_val(p, i->val, 32);
	}
	putc('}', p->to);
}

static void
put_global(Printer *p, GlobalId id)
{
	const Global *g = &p->ir->globals.at[id];

	fputs("global ", p->to);
	if (g->linkage != LINK_EXTERNAL)
		fprintf(p->to, "%s ", print_name_at(text_linkages, g->linkage));
	fprintf(p->to, "%s%s", g->tls ? "tls " : "", g->constant ? "constant " : "");
	print_symbol(p, 'g', id);
	fprintf(p->to, " size %" PRIu64, g->size);
	if (g->type)
		fprintf(p->to, " type t%u", g->type);
	print_unit(p, g->unit);
	if (print_named(p, g->pretty)) {
		fputs(" pretty ", p->to);
		print_str(p, g->pretty);
	}
	if (g->alias) {
		fputs(" alias ", p->to);
		print_symbol(p, 'g', g->alias);
	}
	put_inits(p, g);
	p->file = 0;
	print_src(p, g->src);
	putc('\n', p->to);
}

static void
put_assume(Printer *p, const Assume *a)
{
	fputs("assumption ", p->to);
	print_str(p, a->what);
	if (a->fn) {
		putc(' ', p->to);
		print_symbol(p, 'f', a->fn);
	}
	p->file = 0;
	print_src(p, a->src);
	putc('\n', p->to);
}

/* ---- interface ---------------------------------------------------------- */

static void
count_symbol(Printer *p, Arena *a, StrId name)
{
	if (name)
		map_put(a, &p->symbols, name, map_get(&p->symbols, name) ? 2 : 1);
}

/* The map of symbols lives in a, the rest in a scratch arena per function. */
static void
begin(Printer *p, const Ir *ir, FILE *to, Arena *a)
{
	memset(p, 0, sizeof *p);
	p->ir = ir;
	p->to = to;
	arena_init(&p->scratch, ir->arena->budget);
	arena_init(a, ir->arena->budget);
	for (FnId f = 1; f < ir->fns.n; f++)
		count_symbol(p, a, ir->fns.at[f].name);
	for (GlobalId g = 1; g < ir->globals.n; g++)
		count_symbol(p, a, ir->globals.at[g].name);
}

void
ir_print(const Ir *ir, FILE *to)
{
	Printer p;
	Arena a;

	begin(&p, ir, to, &a);
	fputs("unit ", to);
	if (ir->unit)
		print_str(&p, ir->unit);
	else
		fputs("none", to);
	fprintf(to, " hash %" PRIu64 " ptr %u\n", ir->hash, ir->ptr_bytes);
	for (TypeId t = 1; t < ir->types.n; t++)
		put_type_def(&p, t);
	for (ClassId c = 1; c < ir->classes.n; c++)
		put_class(&p, c);
	for (GlobalId g = 1; g < ir->globals.n; g++)
		put_global(&p, g);
	for (FnId f = 1; f < ir->fns.n; f++)
		print_fn(&p, f);
	for (u32 k = 1; k < ir->assumes.n; k++)
		put_assume(&p, &ir->assumes.at[k]);
	arena_release(&a);
}

void
ir_print_fn(const Ir *ir, FnId f, FILE *to)
{
	Printer p;
	Arena a;

	begin(&p, ir, to, &a);
	print_fn(&p, f);
	arena_release(&a);
}

void
ir_print_ins(const Ir *ir, FnId f, InsId i, FILE *to)
{
	Printer p;
	Arena a;
	const Fn *fn = &ir->fns.at[f];
	BlockId b = 1;

	begin(&p, ir, to, &a);
	print_choose_names(&p, fn);
	p.file = ir->srcs.at[fn->src].file;
	while (i >= fn_block(ir, fn, b)->ins + fn_block(ir, fn, b)->nins)
		b++;
	print_ins(&p, ir_ins(ir, i), fn_block(ir, fn, b));
	arena_release(&p.scratch);
	arena_release(&a);
}
