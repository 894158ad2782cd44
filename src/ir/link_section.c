/* link_section.c - linker sets.
 *
 * What a program puts into a section whose name is an identifier lies between two symbols that
 * the linker makes, __start_NAME and __stop_NAME, and is walked through from one to
 * the other.  Units ask for them by calls of functions without a body (section_bound in src/llvm),
 * which get one here: it returns any of the variables that lie there, or the place behind any.  Which,
 * is unknown: of two neighbours nobody knows which one comes first.  Where the program has a variable
 * of that name of its own, that is meant. */
#include "ir/link_int.h"

#include <string.h>

static bool
is_defined(const Global *g)
{
	return g->linkage != LINK_DECL && g->linkage != LINK_ALIAS;
}

/* One of them, or the other. */
static Val
either(Build *b, Val x, Val y)
{
	Val r;
	Ins *i;

	if (!x)
		return y;
	r = build_reg(b, RT_PTR, (u16)(b->ir->ptr_bytes * 8));
	i = build_ins(b, OP_SELECT, 3, (Val[]){ir_const_undef(b->ir), x, y});
	i->dst = r;
	i->rt = RT_PTR;
	i->width = (u16)(b->ir->ptr_bytes * 8);
	return r;
}

/* Does g count for the symbol `own`, at a bound of the section? */
static bool
is_meant(const Global *g, StrId section, StrId own)
{
	return is_defined(g) && ((section && g->section == section) ||
				 (own && g->name == own && g->linkage != LINK_INTERNAL));
}

static void
define(Ir *ir, FnId f, const char *symbol, const char *name, bool stop)
{
	StrId section = intern_find(&ir->strs, name, strlen(name));
	StrId own = intern_find(&ir->strs, symbol, strlen(symbol));
	Val all = 0;
	Build b;

	build_begin(&b, ir, f);
	build_block_start(&b, build_block_new(&b));
	for (GlobalId g = 1; g < ir->globals.n; g++) {
		const Global *m = &ir->globals.at[g];
		if (is_meant(m, section, own))
			all = either(
			    &b, all,
			    ir_const_global(ir, g, stop && m->name != own ? (i64)m->size : 0));
	}
	if (!all) /* of what is not here */
		all = ir_const_opaque(ir);
	build_term(&b, OP_RET, 1, &all, 0, NULL);
	build_end(&b);
	ir->fns.at[f].linkage = LINK_INTERNAL;
	ir->fns.at[f].flags |= FN_SYNTHETIC;
}

void
link_sections(Ir *out)
{
	static const char start[] = SECTION_BOUND "__start_", stop[] = SECTION_BOUND "__stop_";

	for (FnId f = 1; f < out->fns.n; f++) {
		const char *s = ir_str(out, out->fns.at[f].name);
		const char *symbol = s + strlen(SECTION_BOUND);
		if (out->fns.at[f].linkage != LINK_DECL || *s != *start)
			continue;
		if (!strncmp(s, start, strlen(start)))
			define(out, f, symbol, s + strlen(start), false);
		else if (!strncmp(s, stop, strlen(stop)))
			define(out, f, symbol, s + strlen(stop), true);
	}
}
