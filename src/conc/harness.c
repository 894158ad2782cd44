/* harness.c - builds the root function: what runs the program.
 *
 * A closed program: constructors, main with unknown arguments, destructors.
 *
 * An open program has no caller that we know, so the root stands for all of
 * them.  For each struct that a pointer parameter points to (harness_type.c)
 * there is a cell, a global that holds the address of an object of that type:
 *
 *	root:    constructors
 *	         loop: for each type allocate an object, point its pointer
 *	               members to objects of their types, put it in its cell
 *	         loop: fork driver()
 *	driver:  loop: switch (any) { case k: cell = f_k(cells...) }
 *
 * Objects are made in a loop and so are never one lock for all; results go
 * back to the cell of their type, released and acquired, as a caller that
 * shares them correctly would do.  With entries instead of an open program the
 * root calls each once in place of the second loop (after Naik et al. 2006,
 * Section 3, and RELAY's roots). */
#include "conc/harness.h"

#include "base/diag.h"
#include "base/set.h"
#include "conc/harness_type.h"

#include <fnmatch.h>
#include <string.h>

typedef struct Cell {
	TypeId type;
	GlobalId global;
	Val object; /* in the root, while it is built */
} Cell;

typedef struct Harness {
	Ir *ir;
	Diag *diag;
	Build b;
	ParamTypes types;
	VecU32 called; /* functions that get arguments from cells */
	Vec(Cell) cells;
	Map cell_of; /* type + 1 -> index + 1 */
} Harness;

#define ROOT_NAME "harness.root"

enum { MAX_CELLS = 4096, NAMES_SHOWN = 5 };

static u16
ptr_bits(const Harness *h)
{
	return (u16)(h->ir->ptr_bytes * 8);
}

/* ---- instructions -------------------------------------------------------- */

static Val
emit(Harness *h, Op op, RegType rt, u16 width, u32 narg, const Val *args)
{
	Val r = build_reg(&h->b, rt, width);
	Ins *i = build_ins(&h->b, op, narg, args);

	i->dst = r;
	i->rt = (u8)rt;
	i->width = width;
	return r;
}

static Ins *
last(Harness *h)
{
	return &h->ir->ins.at[h->ir->ins.n - 1];
}

static Val
nondet(Harness *h, RegType rt, u16 width)
{
	return emit(h, OP_NONDET, rt, width, 0, NULL);
}

static void
store(Harness *h, Val to, Val v, MemOrder order)
{
	Ins *i = build_ins(&h->b, OP_STORE, 2, (Val[]){to, v});

	i->width = ptr_bits(h);
	i->order = (u8)order;
}

static Val
new_object(Harness *h, TypeId type)
{
	Val r = emit(h, OP_ALLOC, RT_PTR, ptr_bits(h), 0, NULL);

	last(h)->sub = ALLOC_HEAP;
	last(h)->aux = type;
	return r;
}

/* Ends the block with a branch that goes to `again` or on to the next block. */
static void
loop_end(Harness *h, BlockId again, BlockId on)
{
	Val c = nondet(h, RT_INT, 1);

	build_term(&h->b, OP_CBR, 1, &c, 2, (BlockId[]){again, on});
	build_block_start(&h->b, on);
}

static void
go_on(Harness *h, BlockId to)
{
	build_term(&h->b, OP_BR, 0, NULL, 1, &to);
	build_block_start(&h->b, to);
}

static FnId
new_fn(Harness *h, const char *name, const char *pretty)
{
	Ir *ir = h->ir;

	vec_push(ir->arena, &ir->fns,
		 (Fn){.name = intern_str(&ir->strs, name),
		      .pretty = intern_str(&ir->strs, pretty),
		      .linkage = LINK_INTERNAL,
		      .flags = FN_SYNTHETIC});
	return ir->fns.n - 1;
}

/* ---- cells --------------------------------------------------------------- */

static const char *
type_name(const Harness *h, TypeId t)
{
	return t && h->ir->types.at[t].name ? ir_str(h->ir, h->ir->types.at[t].name)
					    : "unknown type";
}

/* The index of type's cell, made if new. */
static u32
cell_of(Harness *h, TypeId type)
{
	Ir *ir = h->ir;
	u32 k = map_get(&h->cell_of, (u64)type + 1);

	if (k)
		return k - 1;
	if (h->cells.n >= MAX_CELLS && type)
		return cell_of(h, 0);
	vec_push(ir->arena, &h->cells, (Cell){.type = type, .global = ir->globals.n});
	map_put(ir->arena, &h->cell_of, (u64)type + 1, h->cells.n);
	vec_push(
	    ir->arena, &ir->globals,
	    (Global){.name = intern_str(&ir->strs, arena_printf(ir->arena, "harness.%u", type)),
		     .pretty = intern_str(
			 &ir->strs, arena_printf(ir->arena, "arguments of %s", type_name(h, type))),
		     .size = ir->ptr_bytes,
		     .linkage = LINK_INTERNAL});
	return h->cells.n - 1;
}

static Val
cell_address(Harness *h, u32 k)
{
	return ir_const_global(h->ir, h->cells.at[k].global, 0);
}

static bool
is_record(const Harness *h, TypeId t)
{
	u8 kind = h->ir->types.at[t].kind;

	return kind == TYPE_STRUCT || kind == TYPE_UNION;
}

/* Calls visit for each pointer member of type that leads to a record, with
 * its offset; members of members too.  Types nest finitely. */
static void
each_pointer(Harness *h, TypeId type, u64 off, void (*visit)(Harness *, Cell *, u64, TypeId),
	     u32 cell, u32 depth)
{
	const Type *t = &h->ir->types.at[type];
	TypeId elem = t->elem;

	if (depth > 16)
		return;
	if (t->kind == TYPE_PTR && elem && is_record(h, elem))
		visit(h, &h->cells.at[cell], off, elem);
	else if (t->kind == TYPE_ARRAY && elem)
		each_pointer(h, elem, off, visit, cell, depth + 1);
	else if (is_record(h, type))
		for (u32 k = 0; k < h->ir->types.at[type].nmember; k++) {
			const Member *m = &h->ir->members.at[h->ir->types.at[type].member + k];
			each_pointer(h, m->type, off + m->off, visit, cell, depth + 1);
		}
}

static void
want_cell(Harness *h, Cell *from, u64 off, TypeId to)
{
	(void)from;
	(void)off;
	cell_of(h, to);
}

/* Makes the cells of all parameters, and of all that their types reach. */
static void
make_cells(Harness *h)
{
	for (u32 k = 0; k < h->called.n; k++) {
		FnId f = h->called.at[k];
		const Fn *fn = &h->ir->fns.at[f];
		for (u32 p = 0; p < fn->nparam; p++)
			if (fn_reg(h->ir, fn, p + 1)->rt == RT_PTR)
				cell_of(h, param_type(&h->types, f, p));
		if (fn->ret == RT_PTR)
			cell_of(h, result_type(&h->types, h->ir, f));
	}
	for (u32 k = 0; k < h->cells.n; k++)
		each_pointer(h, h->cells.at[k].type, 0, want_cell, k, 0);
}

static void
link_member(Harness *h, Cell *from, u64 off, TypeId to)
{
	Val at = from->object, object = h->cells.at[cell_of(h, to)].object;
	TypeId type = from->type;

	if (off) {
		at = emit(h, OP_FIELD, RT_PTR, ptr_bits(h), 1, &at);
		last(h)->imm = (i64)off;
		last(h)->aux = type;
	}
	store(h, at, object, ORDER_PLAIN);
}

/* The loop that makes objects. */
static void
fill_cells(Harness *h)
{
	BlockId again = build_block_new(&h->b), on = build_block_new(&h->b);

	go_on(h, again);
	for (u32 k = 0; k < h->cells.n; k++)
		h->cells.at[k].object = new_object(h, h->cells.at[k].type);
	for (u32 k = 0; k < h->cells.n; k++)
		each_pointer(h, h->cells.at[k].type, 0, link_member, k, 0);
	for (u32 k = 0; k < h->cells.n; k++)
		store(h, cell_address(h, k), h->cells.at[k].object, ORDER_RELEASE);
	loop_end(h, again, on);
}

/* ---- calls ---------------------------------------------------------------- */

static Val
argument(Harness *h, FnId f, u32 k)
{
	const Reg *r = fn_reg(h->ir, &h->ir->fns.at[f], k + 1);
	Val v;

	if (r->rt == RT_VOID)
		return ir_const_undef(h->ir);
	if (r->rt != RT_PTR)
		return nondet(h, (RegType)r->rt, r->width);
	v = cell_address(h, cell_of(h, param_type(&h->types, f, k)));
	v = emit(h, OP_LOAD, RT_PTR, ptr_bits(h), 1, &v);
	last(h)->order = ORDER_ACQUIRE;
	return v;
}

/* Calls f with arguments from the cells; its result goes back to one. */
static void
call_shared(Harness *h, FnId f)
{
	u32 nparam = h->ir->fns.at[f].nparam;
	Val *args = arena_array(h->ir->arena, Val, nparam + 1);
	Val r;

	args[0] = ir_const_fn(h->ir, f);
	for (u32 k = 0; k < nparam; k++)
		args[k + 1] = argument(h, f, k);
	if (h->ir->fns.at[f].ret != RT_PTR) {
		build_ins(&h->b, OP_CALL, nparam + 1, args);
		return;
	}
	r = emit(h, OP_CALL, RT_PTR, ptr_bits(h), nparam + 1, args);
	store(h, cell_address(h, cell_of(h, result_type(&h->types, h->ir, f))), r, ORDER_RELEASE);
}

/* Runs the constructors or destructors, in the order of the program. */
static void
call_all(Harness *h, u16 flag)
{
	for (FnId f = 1; f < h->ir->fns.n; f++) {
		const Fn *fn = &h->ir->fns.at[f];
		Val *args;
		if (!(fn->flags & flag) || !fn->nblock || fn->class)
			continue;
		args = arena_array(h->ir->arena, Val, fn->nparam + 1);
		args[0] = ir_const_fn(h->ir, f);
		for (u32 k = 0; k < fn->nparam; k++)
			args[k + 1] = ir_const_undef(h->ir);
		build_ins(&h->b, OP_CALL, h->ir->fns.at[f].nparam + 1, args);
	}
}

/* An array of unknown strings. */
static Val
strings(Harness *h)
{
	Val list = new_object(h, 0), text = new_object(h, 0);
	Val k = nondet(h, RT_INT, ptr_bits(h));
	Val at = emit(h, OP_INDEX, RT_PTR, ptr_bits(h), 2, (Val[]){list, k});

	last(h)->imm = h->ir->ptr_bytes;
	store(h, at, text, ORDER_PLAIN);
	return list;
}

static void
call_main(Harness *h, FnId f)
{
	u32 nparam = h->ir->fns.at[f].nparam;
	Val *args = arena_array(h->ir->arena, Val, nparam + 1);

	args[0] = ir_const_fn(h->ir, f);
	for (u32 k = 0; k < nparam; k++) {
		const Reg *r = fn_reg(h->ir, &h->ir->fns.at[f], k + 1);
		args[k + 1] = r->rt == RT_PTR    ? strings(h)
			      : r->rt == RT_VOID ? ir_const_undef(h->ir)
						 : nondet(h, (RegType)r->rt, r->width);
	}
	build_ins(&h->b, OP_CALL, nparam + 1, args);
}

/* ---- what is there to run --------------------------------------------------- */

/* The function with a body that f is another name for, or is; 0 none. */
static FnId
behind_names(const Ir *ir, FnId f)
{
	for (u32 n = 0; n < ir->fns.n && ir->fns.at[f].linkage == LINK_ALIAS; n++)
		f = ir->fns.at[f].alias;
	return f && ir->fns.at[f].nblock ? f : 0;
}

/* A function that code outside the unit could call, maybe by this name only. */
static bool
is_external(const Ir *ir, FnId f)
{
	const Fn *fn = &ir->fns.at[f], *behind;

	if (fn->linkage == LINK_ALIAS) {
		behind = &ir->fns.at[behind_names(ir, f)];
		return behind->nblock && !fn->class &&
		       (behind->linkage == LINK_INTERNAL || behind->flags & FN_HIDDEN);
	}
	return fn->nblock && (fn->linkage == LINK_EXTERNAL || fn->linkage == LINK_WEAK) &&
	       !(fn->flags & (FN_SYNTHETIC | FN_CONSTRUCTOR | FN_DESTRUCTOR)) && !fn->class;
}

/* "f, g, h and 7 more": what the user could name. */
static const char *
some_names(const Ir *ir)
{
	const char *list = "";
	u32 n = 0;

	for (FnId f = 1; f < ir->fns.n; f++) {
		if (!is_external(ir, f))
			continue;
		if (n++ < NAMES_SHOWN)
			list = arena_printf(ir->arena, "%s%s%s", list, *list ? ", " : "",
					    ir_str(ir, ir->fns.at[f].name));
	}
	if (n > NAMES_SHOWN)
		list = arena_printf(ir->arena, "%s and %u more", list, n - NAMES_SHOWN);
	return list;
}

/* The function of that name; one without a body if there is none that has one. */
static FnId
named_fn(const Ir *ir, const char *name)
{
	FnId f = ir_find_fn(ir, name);

	if (f && behind_names(ir, f))
		return behind_names(ir, f);
	for (FnId k = 1; k < ir->fns.n && !(f && ir->fns.at[f].nblock); k++)
		if (ir->fns.at[k].nblock && !strcmp(ir_str(ir, ir->fns.at[k].name), name))
			f = k;
	return f;
}

bool
harness_defines(const Ir *ir, const char *name)
{
	FnId f = named_fn(ir, name);

	return f && ir->fns.at[f].nblock;
}

static FnId
find_entry(Harness *h, const char *name)
{
	FnId f = named_fn(h->ir, name);

	if (f && h->ir->fns.at[f].nblock)
		return f;
	diag_error(h->diag, NULL, "--entry %s: the program %s; it defines %s", name,
		   f ? "declares but does not define this function" : "has no such function",
		   *some_names(h->ir) ? some_names(h->ir) : "no external function");
	return 0;
}

static bool
find_entries(Harness *h, const HarnessOptions *o)
{
	bool ok = true;

	for (u32 k = 0; k < o->nentry; k++) {
		FnId f = find_entry(h, o->entries[k]);
		ok &= f != 0;
		if (f)
			vec_push(h->ir->arena, &h->called, f);
	}
	return ok;
}

static bool
is_open(const HarnessOptions *o, const char *name)
{
	for (u32 k = 0; k < o->nopen; k++)
		if (!fnmatch(o->open[k], name, 0))
			return true;
	return false;
}

/* Where no function is external, callers use those that external globals name,
 * directly or through other globals: the table of a plug-in.  Each global is
 * looked at once. */
static void
find_tables(Harness *h)
{
	const Ir *ir = h->ir;
	Arena *a = h->ir->arena;
	Set globals = {0}, fns = {0};
	VecU32 todo = {0};

	for (GlobalId g = 1; g < ir->globals.n; g++)
		if (ir->globals.at[g].linkage == LINK_EXTERNAL && set_add(a, &globals, g))
			vec_push(a, &todo, g);
	while (todo.n) {
		const Global *g = &ir->globals.at[todo.at[--todo.n]];
		for (u32 k = 0; k < g->ninit; k++) {
			const Const *c = &ir->consts.at[val_const(ir->inits.at[g->init + k].val)];
			if (c->kind == CONST_FN && ir->fns.at[c->ref].nblock)
				(void)set_add(a, &fns, c->ref);
			else if (c->kind == CONST_GLOBAL && set_add(a, &globals, c->ref))
				vec_push(a, &todo, c->ref);
		}
	}
	SET_FOR (f, &fns)
		vec_push(a, &h->called, f.x);
	set_recycle(a, &globals);
	set_recycle(a, &fns);
}

/* Callers call what matches; what is hidden from them only if they may. */
static void
call_open(Harness *h, const HarnessOptions *o, FnId main_fn, bool hidden)
{
	const Ir *ir = h->ir;

	for (FnId f = 1; f < ir->fns.n; f++)
		if (is_external(ir, f) && f != main_fn &&
		    (hidden || !(ir->fns.at[f].flags & FN_HIDDEN)) &&
		    is_open(o, ir_str(ir, ir->fns.at[f].name)))
			vec_push(h->ir->arena, &h->called, behind_names(ir, f));
}

/* Where all that matches is hidden, it is a part of a library that is checked, or
 * the user means just that. */
static bool
find_open(Harness *h, const HarnessOptions *o, FnId main_fn)
{
	call_open(h, o, main_fn, false);
	if (!h->called.n)
		call_open(h, o, main_fn, true);
	if (!h->called.n && strcmp(o->open[0], "*") != 0) {
		diag_error(h->diag, NULL,
			   "--open %s: the program defines no such external function, nor is there "
			   "such a file",
			   o->open[0]);
		return false;
	}
	if (!h->called.n && !main_fn)
		find_tables(h);
	if (!h->called.n && !main_fn)
		diag_error(h->diag, NULL,
			   "--open: the program defines no external function, and no external "
			   "global names one");
	return h->called.n || main_fn;
}

static FnId
find_main(const Ir *ir)
{
	FnId f = ir_find_fn(ir, "main");

	return f && ir->fns.at[f].nblock ? f : 0;
}

static bool
no_main(Harness *h)
{
	const char *names = some_names(h->ir);

	if (*names)
		diag_error(h->diag, NULL,
			   "the program has no main: give --entry FUNC to start at a function, or "
			   "--open to let all external functions run in parallel; it defines %s",
			   names);
	else
		diag_error(h->diag, NULL,
			   "the program has no main, nor any other external function");
	return false;
}

/* ---- the root ---------------------------------------------------------------- */

/* Calls any of the functions, again and again. */
static FnId
build_driver(Harness *h)
{
	Arena *a = h->ir->arena;
	FnId driver = new_fn(h, "harness.caller", FN_CALLER);
	BlockId *succs = arena_array(a, BlockId, h->called.n + 1);
	Val *args = arena_array(a, Val, h->called.n + 1);
	BlockId head;

	build_begin(&h->b, h->ir, driver);
	build_block_start(&h->b, build_block_new(&h->b));
	head = build_block_new(&h->b);
	succs[0] = build_block_new(&h->b);
	for (u32 k = 0; k < h->called.n; k++)
		succs[k + 1] = build_block_new(&h->b);
	go_on(h, head);
	args[0] = nondet(h, RT_INT, 32);
	for (u32 k = 0; k < h->called.n; k++)
		args[k + 1] = ir_const_int(h->ir, 32, k);
	build_term(&h->b, OP_SWITCH, h->called.n + 1, args, h->called.n + 1, succs);
	build_block_start(&h->b, succs[0]);
	build_term(&h->b, OP_RET, 0, NULL, 0, NULL);
	for (u32 k = 0; k < h->called.n; k++) {
		build_block_start(&h->b, succs[k + 1]);
		call_shared(h, h->called.at[k]);
		build_term(&h->b, OP_BR, 0, NULL, 1, &head);
	}
	build_end(&h->b);
	return driver;
}

static void
fork_drivers(Harness *h, FnId driver)
{
	BlockId again = build_block_new(&h->b), on = build_block_new(&h->b);
	Ins *i;

	go_on(h, again);
	i = build_ins(&h->b, OP_FORK, 2, (Val[]){0, ir_const_fn(h->ir, driver)});
	i->width = ptr_bits(h);
	i->cond = SIGN_ANY;
	loop_end(h, again, on);
}

static void
assume_shared(Harness *h)
{
	Ir *ir = h->ir;
	const char *text =
	    "arguments of entry functions are taken from shared objects, those of one "
	    "type from the same ones; they hold no function pointers";

	vec_push(ir->arena, &ir->assumes, (Assume){.what = intern_str(&ir->strs, text)});
}

/* The program begins with one function and, if that returned 0, ends with the other. */
static void
call_start(Harness *h, const HarnessOptions *o)
{
	FnId first = named_fn(h->ir, o->first), then = o->then ? named_fn(h->ir, o->then) : 0;
	BlockId end, on;

	if (!then || !h->ir->fns.at[then].nblock || h->ir->fns.at[first].ret != RT_INT) {
		call_main(h, first);
		if (then && h->ir->fns.at[then].nblock)
			call_main(h, then);
		return;
	}
	end = build_block_new(&h->b);
	on = build_block_new(&h->b);
	call_main(h, first);
	last(h)->dst = build_reg(&h->b, RT_INT, 32);
	last(h)->rt = RT_INT;
	last(h)->width = 32;
	build_term(&h->b, OP_CBR, 1, (Val[]){last(h)->dst}, 2, (BlockId[]){on, end});
	build_block_start(&h->b, end);
	call_main(h, then);
	go_on(h, on);
}

static FnId
build_root(Harness *h, const HarnessOptions *o, FnId main_fn)
{
	FnId driver = 0, root;

	if (h->called.n) {
		h->types = param_types(h->ir);
		make_cells(h);
		assume_shared(h);
		if (o->nopen)
			driver = build_driver(h);
	}
	root = new_fn(h, ROOT_NAME, "the harness");
	build_begin(&h->b, h->ir, root);
	build_block_start(&h->b, build_block_new(&h->b));
	call_all(h, FN_CONSTRUCTOR);
	if (h->called.n)
		fill_cells(h);
	if (driver)
		fork_drivers(h, driver);
	else
		for (u32 k = 0; k < h->called.n; k++)
			call_shared(h, h->called.at[k]);
	if (main_fn)
		call_main(h, main_fn);
	else if (!h->called.n)
		call_start(h, o);
	call_all(h, FN_DESTRUCTOR);
	build_term(&h->b, OP_RET, 0, NULL, 0, NULL);
	build_end(&h->b);
	return root;
}

/* The root that a printed program brings along; 0: none. */
static FnId
find_root(const Ir *ir)
{
	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		if ((fn->flags & FN_SYNTHETIC) && fn->nblock && !fn->nparam &&
		    !strcmp(ir_str(ir, fn->name), ROOT_NAME))
			return f;
	}
	return 0;
}

FnId
harness_build(Ir *ir, const HarnessOptions *o, Diag *diag)
{
	Harness h = {.ir = ir, .diag = diag};
	FnId main_fn = o->nentry ? 0 : find_main(ir), root = find_root(ir);
	bool ok;

	if (root && (o->nentry || o->nopen)) {
		diag_error(diag, NULL,
			   "%s: the program was printed with its root; print it with this option, "
			   "or with --raw, and check that",
			   o->nopen ? "--open" : "--entry");
		return 0;
	}
	if (root)
		return root;
	if (o->nentry)
		ok = find_entries(&h, o);
	else if (o->nopen)
		ok = find_open(&h, o, main_fn);
	else
		ok = main_fn || o->first || no_main(&h);
	return ok ? build_root(&h, o, main_fn) : 0;
}
