/* print_fn.c - prints functions.
 *
 * Registers carry the name of the source variable they hold.  A name stands
 * alone (`%i`) where the reader will find the register's number by itself: the
 * name is unique in the function, and the registers that stand alone appear
 * for the first time in the order of their numbers.  Others have the number
 * behind (`%i.7`), those without a name are only a number. */
#include "ir/print_int.h"

#include <inttypes.h>

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
void
print_choose_names(Printer *p, const Fn *f)
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
			     print_is_name(p->ir, reg->name) && (reg->def || r <= f->nparam);
	}
	for (u32 i = f->ins; i < f->ins + f->nins; i++)
		see_ins(p, ir_ins(p->ir, i), &last, seen);
}

static void
put_reg(Printer *p, Val r)
{
	StrId name = print_named(p, fn_reg(p->ir, p->fn, r)->name);

	putc('%', p->to);
	if (!name) {
		fprintf(p->to, "%u", r);
		return;
	}
	if (print_is_name(p->ir, name))
		fputs(ir_str(p->ir, name), p->to);
	else
		print_str(p, name);
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
		print_symbol(p, 'g', c->ref);
		if (c->num)
			fprintf(p->to, "[%" PRId64 "]", c->num);
		break;
	case CONST_FN: print_symbol(p, 'f', c->ref); break;
	case CONST_CLASS: fprintf(p->to, "class c%u", c->ref); break;
	default: fputs("opaque", p->to);
	}
}

void
print_val(Printer *p, Val v, u16 width)
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
	print_val(p, ins_arg(p->ir, i, k), text_width(p->ir, i, k));
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
	print_kind(p, k);
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
		print_str(p, i->aux);
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
	case OP_FORK:
		fputs(" method ", p->to);
		print_str(p, i->aux);
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
		print_kind(p, (Kind){i->rt, i->width});
	}
	if (i->op == OP_CAST)
		fprintf(p->to, " from %" PRId64, i->imm);
	else if (i->imm && i->op != OP_FIELD && i->op != OP_INDEX && i->op != OP_CMP)
		fprintf(p->to, " imm %" PRId64, i->imm);
	if (i->aux)
		put_aux(p, i);
	put_cond(p, i->cond);
	print_src(p, i->src);
	if (i->site)
		fprintf(p->to, " #%u", i->site);
}

/* ---- instructions ------------------------------------------------------- */

static void
put_mnemonic(Printer *p, const Ins *i)
{
	Names subs = text_subs(i->op);

	if (i->op == OP_BIN)
		fputs(print_name_at(text_bins, i->sub), p->to);
	else if (i->op == OP_CMP)
		fputs(print_name_at(text_preds, i->sub), p->to);
	else if (i->op == OP_CAST)
		fputs(print_name_at(text_casts, i->sub), p->to);
	else
		fputs(print_name_at(text_ops, i->op), p->to);
	if (subs.n && *print_name_at(subs, i->sub))
		fprintf(p->to, ".%s", print_name_at(subs, i->sub));
	if (i->order)
		fprintf(p->to, ".%s", print_name_at(text_orders, i->order));
	for (u32 k = 0; k < text_ins_flags.n; k++)
		if (i->flags >> k & 1)
			fprintf(p->to, ".%s", text_ins_flags.at[k]);
}

void
print_ins(Printer *p, const Ins *i, const Block *b)
{
	if (i->dst) {
		const Reg *r = fn_reg(p->ir, p->fn, i->dst);
		Kind kind = {r->rt, r->width};

		put_reg(p, i->dst);
		if (!kind_equal(kind, text_dst_kind(i))) {
			putc(':', p->to);
			print_kind(p, kind);
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
		print_kind(p, (Kind){reg->rt, reg->width});
	}
	putc(')', p->to);
}

static void
put_header(Printer *p, FnId id)
{
	const Fn *f = &p->ir->fns.at[id];

	fputs(f->linkage == LINK_DECL ? "declare " : "fn ", p->to);
	if (f->linkage != LINK_DECL && f->linkage != LINK_EXTERNAL)
		fprintf(p->to, "%s ", print_name_at(text_linkages, f->linkage));
	print_symbol(p, 'f', id);
	put_params(p, f);
	if (f->ret)
		fprintf(p->to, " -> %s", print_name_at(text_regtypes, f->ret));
	for (u32 k = 0; k < text_fn_flags.n; k++)
		if (f->flags >> k & 1)
			fprintf(p->to, " %s", text_fn_flags.at[k]);
	print_unit(p, f->unit);
	if (print_named(p, f->pretty)) {
		fputs(" pretty ", p->to);
		print_str(p, f->pretty);
	}
	if (print_named(p, f->proto)) {
		fputs(" proto ", p->to);
		print_str(p, f->proto);
	}
	if (f->class)
		fprintf(p->to, " class c%u", f->class);
	if (f->alias) {
		fputs(" alias ", p->to);
		print_symbol(p, 'f', f->alias);
	}
	p->file = 0;
	print_src(p, f->src);
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
		print_kind(p, (Kind){reg->rt, reg->width});
		any = true;
	}
	if (any)
		putc('\n', p->to);
}

void
print_fn(Printer *p, FnId id)
{
	const Fn *f = &p->ir->fns.at[id];

	print_choose_names(p, f);
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
			print_ins(p, ir_ins(p->ir, block->ins + k), block);
			putc('\n', p->to);
		}
	}
	fputs(f->nblock ? "}\n" : "\n", p->to);
	arena_release(&p->scratch);
}
