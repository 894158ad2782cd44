/* section.c - symbols that the linker makes: the bounds of a section.
 *
 * A variable that is only declared, and called __start_NAME or __stop_NAME, stands for where the
 * section NAME begins or ends, unless another unit defines it.  Only the linker knows, so its address is
 * what a function gives that src/ir/link_section.c writes. */
#include "llvm/llvm_int.h"

#include <string.h>

void
section_declare(Lower *l, BcGlobal *g)
{
	const char *name = arena_dup(l->arena, g->name, g->nname);
	Fn f = {.unit = l->ir->unit, .linkage = LINK_DECL, .ret = RT_PTR};

	if (!g->declared || g->tls || (strncmp(name, "__start_", 8) && strncmp(name, "__stop_", 7)))
		return;
	f.reg = l->ir->regs.n - 1;
	f.name = intern_str(&l->ir->strs, arena_printf(l->arena, SECTION_BOUND "%s", name));
	g->bound = l->ir->fns.n;
	vec_push(l->ir->arena, &l->ir->fns, f);
}
