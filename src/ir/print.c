/* print.c - the text form; parse.c reads it back to the same program.
 *
 * Registers carry the name of the source variable they hold.  A name stands
 * alone (`%i`) where the reader will find the register's number by itself: the
 * name is unique in the function, and the registers that stand alone appear
 * for the first time in the order of their numbers.  Others have the number
 * behind (`%i.7`), those without a name are only a number.  Functions and
 * globals of the same name (internal to different units) have their id
 * behind: `@count'g4`. */
#include "ir/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

typedef struct Printer {
	const Ir *ir;
	FILE *to;
	Arena scratch;
	Map symbols; /* name -> 1 or, where several have it, 2 */
	const Fn *fn;
	bool *bare; /* by register: the name alone is enough */
	StrId file; /* of positions that name none */
} Printer;

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

static void
put_str(Printer *p, StrId s)
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
static StrId
named(const Printer *p, StrId s)
{
	return intern_len(&p->ir->strs, s) ? s : 0;
}

static bool
is_name(const Ir *ir, StrId s)
{
	return is_word(ir_str(ir, s), intern_len(&ir->strs, s), "_$");
}

static void
put_symbol(Printer *p, char table, u32 id)
{
	StrId name = named(p, table == 'f' ? p->ir->fns.at[id].name : p->ir->globals.at[id].name);

	putc('@', p->to);
	if (is_word(ir_str(p->ir, name), intern_len(&p->ir->strs, name), "_$."))
		fputs(ir_str(p->ir, name), p->to);
	else if (name)
		put_str(p, name);
	if (!name || map_get(&p->symbols, name) > 1)
		fprintf(p->to, "'%c%u", table, id);
}

static void
put_kind(Printer *p, Kind k)
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

static void
put_src(Printer *p, SrcId id)
{
	const Src *s = &p->ir->srcs.at[id];

	if (!id) {
		fputs(" !-", p->to);
		return;
	}
	fputs(" !", p->to);
	if (s->file != p->file) {
		put_str(p, s->file);
		putc(':', p->to);
	}
	fprintf(p->to, "%u", s->line);
	if (s->col)
		fprintf(p->to, ":%u", s->col);
}

/* ---- registers ---------------------------------------------------------- */

/* Sees register r for the first time; it stays bare only in rising order. */
static void
see(Printer *p, Val r, Val *last)
{
	if (r <= p->fn->nparam || !p->bare[r])
		return;
	if (r < *last)
		p->bare[r] = false;
	else
		*last = r;
}

static void
see_ins(Printer *p, const Ins *i, Val *last, bool *seen)
{
	u32 step = i->op == OP_PHI ? 2 : 1;

	for (u32 k = 0; k <= i->narg; k++) {
		Val v = k ? ins_arg(p->ir, i, k - 1) : i->dst;
		if (k && step == 2 && k % 2) /* a block */
			continue;
		if (!val_is_reg(v) || seen[v])
			continue;
		seen[v] = true;
		see(p, v, last);
	}
}

/* Decides for each register whether its name alone is enough. */
static void
choose_names(Printer *p, const Fn *f)
{
	Map count = {0};
	Val last = f->nparam;
	bool *seen = arena_array(&p->scratch, bool, f->nreg + 1);

	p->fn = f;
	p->bare = arena_array(&p->scratch, bool, f->nreg + 1);
	for (Val r = 1; r <= f->nreg; r++) {
		StrId s = fn_reg(p->ir, f, r)->name;
		if (s)
			map_put(&p->scratch, &count, s, map_get(&count, s) ? 2 : 1);
	}
	for (Val r = 1; r <= f->nreg; r++) {
		const Reg *reg = fn_reg(p->ir, f, r);
		p->bare[r] = reg->name && map_get(&count, reg->name) == 1 &&
			     is_name(p->ir, reg->name) && (reg->def || r <= f->nparam);
	}
	for (u32 i = f->ins; i < f->ins + f->nins; i++)
		see_ins(p, ir_ins(p->ir, i), &last, seen);
}

static void
put_reg(Printer *p, Val r)
{
	StrId name = named(p, fn_reg(p->ir, p->fn, r)->name);

	putc('%', p->to);
	if (!name) {
		fprintf(p->to, "%u", r);
		return;
	}
	if (is_name(p->ir, name))
		fputs(ir_str(p->ir, name), p->to);
	else
		put_str(p, name);
	if (!p->bare[r])
		fprintf(p->to, ".%u", r);
}

/* ---- operands ----------------------------------------------------------- */

static void
put_const(Printer *p, Val v, u16 width)
{
	const Const *c = ir_const(p->ir, v);

	switch (c->kind) {
	case CONST_INT:
		if (c->width != width)
			fprintf(p->to, "i%u ", c->width);
		fprintf(p->to, "%" PRId64, c->num);
		break;
	case CONST_NULL: fputs("null", p->to); break;
	case CONST_UNDEF: fputs("undef", p->to); break;
	case CONST_GLOBAL:
		put_symbol(p, 'g', c->ref);
		if (c->num)
			fprintf(p->to, "[%" PRId64 "]", c->num);
		break;
	case CONST_FN: put_symbol(p, 'f', c->ref); break;
	case CONST_CLASS: fprintf(p->to, "class c%u", c->ref); break;
	default: fputs("opaque", p->to);
	}
}

static void
put_val(Printer *p, Val v, u16 width)
{
	if (!v)
		fputs("none", p->to);
	else if (val_is_reg(v))
		put_reg(p, v);
	else
		put_const(p, v, width);
}

static void
put_arg(Printer *p, const Ins *i, u32 k)
{
	put_val(p, ins_arg(p->ir, i, k), text_width(p->ir, i, k));
}

/* Prints operands from..n, with commas between. */
static void
put_args(Printer *p, const Ins *i, u32 from)
{
	for (u32 k = from; k < i->narg; k++) {
		fputs(k > from ? ", " : "", p->to);
		put_arg(p, i, k);
	}
}

static bool
is_typed_int(Printer *p, const Ins *i)
{
	Val v = i->narg && i->op != OP_PHI ? ins_arg(p->ir, i, 0) : 0;

	return val_is_const(v) && ir_const(p->ir, v)->kind == CONST_INT &&
	       ir_const(p->ir, v)->width != text_width(p->ir, i, 0);
}

/* The type stands before the operands; a comparison's is that of its operands. */
static void
put_type(Printer *p, const Ins *i)
{
	Kind k = {i->rt, i->width};

	if (i->op == OP_CMP) {
		fprintf(p->to, " i%" PRId64, i->imm);
		return;
	}
	if (kind_equal(k, text_kind(p->ir, i->op, i->dst != 0)) && !is_typed_int(p, i))
		return;
	putc(' ', p->to);
	put_kind(p, k);
}

static void
put_phi(Printer *p, const Ins *i)
{
	for (u32 k = 0; k + 1 < i->narg; k += 2) {
		fprintf(p->to, "%s[b%u: ", k ? ", " : " ", ins_arg(p->ir, i, k));
		put_arg(p, i, k + 1);
		putc(']', p->to);
	}
}

static void
put_switch(Printer *p, const Ins *i, const Block *b)
{
	const BlockId *succ = p->ir->succs.at + b->succ;

	putc(' ', p->to);
	put_arg(p, i, 0);
	fprintf(p->to, ", b%u [", succ[0]);
	for (u32 k = 1; k < i->narg; k++) {
		fputs(k > 1 ? ", " : "", p->to);
		put_arg(p, i, k);
		fprintf(p->to, ": b%u", succ[k]);
	}
	putc(']', p->to);
}

static void
put_address(Printer *p, const Ins *i)
{
	putc(' ', p->to);
	put_arg(p, i, 0);
	fputs(" + ", p->to);
	if (i->op == OP_INDEX) {
		put_arg(p, i, 1);
		fputs(" * ", p->to);
	}
	fprintf(p->to, "%" PRId64, i->imm);
}

static void
put_call(Printer *p, const Ins *i)
{
	putc(' ', p->to);
	if (i->op == OP_EXTERN)
		put_str(p, i->aux);
	else
		put_arg(p, i, 0);
	putc('(', p->to);
	put_args(p, i, i->op == OP_CALL);
	putc(')', p->to);
}

static void
put_operands(Printer *p, const Ins *i, const Block *b)
{
	switch (i->op) {
	case OP_PHI: put_phi(p, i); break;
	case OP_SWITCH: put_switch(p, i, b); break;
	case OP_FIELD:
	case OP_INDEX: put_address(p, i); break;
	case OP_CALL:
	case OP_EXTERN: put_call(p, i); break;
	default:
		fputs(i->narg ? " " : "", p->to);
		put_args(p, i, 0);
		if (!op_is_terminator(i->op))
			break;
		for (u32 k = 0; k < b->nsucc; k++)
			fprintf(p->to, "%s b%u", k || i->narg ? "," : "",
				p->ir->succs.at[b->succ + k]);
	}
}

/* ---- attributes --------------------------------------------------------- */

static void
put_aux(Printer *p, const Ins *i)
{
	switch (i->op) {
	case OP_ALLOC:
	case OP_INDEX: fprintf(p->to, " type t%u", i->aux); break;
	case OP_FIELD: fprintf(p->to, i->sub ? " in f%u" : " type t%u", i->aux); break;
	case OP_FILTER:
	case OP_CINIT: fprintf(p->to, " class c%u", i->aux); break;
	case OP_CALL:
		fputs(" method ", p->to);
		put_str(p, i->aux);
		break;
	default: break;
	}
}

static void
put_cond(Printer *p, u8 cond)
{
	static const char *const names[] = {"",    "neg",     "zero",   "nonpos",
					    "pos", "nonzero", "nonneg", "any"};

	if (cond)
		fprintf(p->to, " if %s", names[cond & 7]);
}

static void
put_attributes(Printer *p, const Ins *i)
{
	if (i->op == OP_CMP && (i->rt != RT_INT || i->width != 1)) {
		fputs(" -> ", p->to);
		put_kind(p, (Kind){i->rt, i->width});
	}
	if (i->op == OP_CAST)
		fprintf(p->to, " from %" PRId64, i->imm);
	else if (i->imm && i->op != OP_FIELD && i->op != OP_INDEX && i->op != OP_CMP)
		fprintf(p->to, " imm %" PRId64, i->imm);
	if (i->aux)
		put_aux(p, i);
	put_cond(p, i->cond);
	put_src(p, i->src);
	if (i->site)
		fprintf(p->to, " #%u", i->site);
}

/* ---- instructions ------------------------------------------------------- */

static const char *
name_at(Names n, u32 k)
{
	return k < n.n ? n.at[k] : "?";
}

static void
put_mnemonic(Printer *p, const Ins *i)
{
	Names subs = text_subs(i->op);

	if (i->op == OP_BIN)
		fputs(name_at(text_bins, i->sub), p->to);
	else if (i->op == OP_CMP)
		fputs(name_at(text_preds, i->sub), p->to);
	else if (i->op == OP_CAST)
		fputs(name_at(text_casts, i->sub), p->to);
	else
		fputs(name_at(text_ops, i->op), p->to);
	if (subs.n && *name_at(subs, i->sub))
		fprintf(p->to, ".%s", name_at(subs, i->sub));
	if (i->order)
		fprintf(p->to, ".%s", name_at(text_orders, i->order));
	for (u32 k = 0; k < text_ins_flags.n; k++)
		if (i->flags >> k & 1)
			fprintf(p->to, ".%s", text_ins_flags.at[k]);
}

static void
put_ins(Printer *p, const Ins *i, const Block *b)
{
	if (i->dst) {
		const Reg *r = fn_reg(p->ir, p->fn, i->dst);
		Kind kind = {r->rt, r->width};

		put_reg(p, i->dst);
		if (!kind_equal(kind, text_dst_kind(i))) {
			putc(':', p->to);
			put_kind(p, kind);
		}
		fputs(" = ", p->to);
	}
	put_mnemonic(p, i);
	put_type(p, i);
	put_operands(p, i, b);
	put_attributes(p, i);
}

/* ---- functions ---------------------------------------------------------- */

static void
put_params(Printer *p, const Fn *f)
{
	putc('(', p->to);
	if (!f->nreg && f->nparam)
		fprintf(p->to, "%u", f->nparam);
	for (Val r = 1; r <= f->nparam && r <= f->nreg; r++) {
		const Reg *reg = fn_reg(p->ir, f, r);
		fputs(r > 1 ? ", " : "", p->to);
		put_reg(p, r);
		fputs(": ", p->to);
		put_kind(p, (Kind){reg->rt, reg->width});
	}
	putc(')', p->to);
}

static void
put_unit(Printer *p, StrId unit)
{
	if (unit == p->ir->unit)
		return;
	fputs(" unit ", p->to);
	if (unit)
		put_str(p, unit);
	else
		fputs("none", p->to);
}

static void
put_header(Printer *p, FnId id)
{
	const Fn *f = &p->ir->fns.at[id];

	fputs(f->linkage == LINK_DECL ? "declare " : "fn ", p->to);
	if (f->linkage != LINK_DECL && f->linkage != LINK_EXTERNAL)
		fprintf(p->to, "%s ", name_at(text_linkages, f->linkage));
	put_symbol(p, 'f', id);
	put_params(p, f);
	if (f->ret)
		fprintf(p->to, " -> %s", name_at(text_regtypes, f->ret));
	for (u32 k = 0; k < text_fn_flags.n; k++)
		if (f->flags >> k & 1)
			fprintf(p->to, " %s", text_fn_flags.at[k]);
	put_unit(p, f->unit);
	if (named(p, f->pretty)) {
		fputs(" pretty ", p->to);
		put_str(p, f->pretty);
	}
	if (f->class)
		fprintf(p->to, " class c%u", f->class);
	if (f->alias) {
		fputs(" alias ", p->to);
		put_symbol(p, 'f', f->alias);
	}
	p->file = 0;
	put_src(p, f->src);
	p->file = p->ir->srcs.at[f->src].file;
}

/* Registers that nothing defines, so that the reader counts them too. */
static void
put_dead(Printer *p, const Fn *f)
{
	bool any = false;

	for (Val r = f->nparam + 1; r <= f->nreg; r++) {
		const Reg *reg = fn_reg(p->ir, f, r);
		if (reg->def)
			continue;
		fputs(any ? ", " : "\tdead ", p->to);
		put_reg(p, r);
		fputs(": ", p->to);
		put_kind(p, (Kind){reg->rt, reg->width});
		any = true;
	}
	if (any)
		putc('\n', p->to);
}

static void
put_fn(Printer *p, FnId id)
{
	const Fn *f = &p->ir->fns.at[id];

	choose_names(p, f);
	put_header(p, id);
	if (f->nblock) {
		fputs(" {\n", p->to);
		put_dead(p, f);
	}
	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *block = fn_block(p->ir, f, b);
		fprintf(p->to, "b%u:", b);
		if (block->exc)
			fprintf(p->to, " exc b%u", block->exc);
		putc('\n', p->to);
		for (u32 k = 0; k < block->nins; k++) {
			putc('\t', p->to);
			put_ins(p, ir_ins(p->ir, block->ins + k), block);
			putc('\n', p->to);
		}
	}
	fputs(f->nblock ? "}\n" : "\n", p->to);
	arena_release(&p->scratch);
}

/* ---- tables ------------------------------------------------------------- */

static void
put_type_def(Printer *p, TypeId id)
{
	const Type *t = &p->ir->types.at[id];

	fprintf(p->to, "type t%u = %s", id, name_at(text_types, t->kind));
	if (named(p, t->name)) {
		putc(' ', p->to);
		put_str(p, t->name);
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
		put_str(p, m->name);
		putc('\n', p->to);
	}
	fputs(t->nmember ? "}\n" : "\n", p->to);
}

static void
put_class(Printer *p, ClassId id)
{
	const Class *c = &p->ir->classes.at[id];

	fprintf(p->to, "class c%u = ", id);
	put_str(p, c->name);
	if (c->super)
		fprintf(p->to, " super c%u", c->super);
	if (c->flags)
		fprintf(p->to, " flags %u", c->flags);
	put_unit(p, c->unit);
	if (c->cinit) {
		fputs(" cinit ", p->to);
		put_symbol(p, 'f', c->cinit);
	}
	fputs(" {\n", p->to);
	for (u32 k = 0; k < c->niface; k++)
		fprintf(p->to, "\tiface c%u\n", p->ir->refs.at[c->iface + k]);
	for (u32 k = 0; k < c->nfield; k++) {
		const Field *f = &p->ir->fields.at[c->field + k];
		fprintf(p->to, "\tfield f%u: t%u ", c->field + k, f->type);
		put_str(p, f->name);
		fprintf(p->to, f->flags ? " flags %u\n" : "\n", f->flags);
	}
	for (u32 k = 0; k < c->nmethod; k++) {
		fputs("\tmethod ", p->to);
		put_symbol(p, 'f', p->ir->refs.at[c->method + k]);
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
		put_val(p, i->val, 32);
	}
	putc('}', p->to);
}

static void
put_global(Printer *p, GlobalId id)
{
	const Global *g = &p->ir->globals.at[id];

	fputs("global ", p->to);
	if (g->linkage != LINK_EXTERNAL)
		fprintf(p->to, "%s ", name_at(text_linkages, g->linkage));
	fprintf(p->to, "%s%s", g->tls ? "tls " : "", g->constant ? "constant " : "");
	put_symbol(p, 'g', id);
	fprintf(p->to, " size %" PRIu64, g->size);
	if (g->type)
		fprintf(p->to, " type t%u", g->type);
	put_unit(p, g->unit);
	if (named(p, g->pretty)) {
		fputs(" pretty ", p->to);
		put_str(p, g->pretty);
	}
	if (g->alias) {
		fputs(" alias ", p->to);
		put_symbol(p, 'g', g->alias);
	}
	put_inits(p, g);
	p->file = 0;
	put_src(p, g->src);
	putc('\n', p->to);
}

static void
put_assume(Printer *p, const Assume *a)
{
	fputs("assumption ", p->to);
	put_str(p, a->what);
	if (a->fn) {
		putc(' ', p->to);
		put_symbol(p, 'f', a->fn);
	}
	p->file = 0;
	put_src(p, a->src);
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
		put_str(&p, ir->unit);
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
		put_fn(&p, f);
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
	put_fn(&p, f);
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
	choose_names(&p, fn);
	p.file = ir->srcs.at[fn->src].file;
	while (i >= fn_block(ir, fn, b)->ins + fn_block(ir, fn, b)->nins)
		b++;
	put_ins(&p, ir_ins(ir, i), fn_block(ir, fn, b));
	arena_release(&p.scratch);
	arena_release(&a);
}
