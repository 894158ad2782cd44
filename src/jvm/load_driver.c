/* load_driver.c - see load_open.h: the functions that stand for all callers. */
#include "jvm/load_open.h"

#include "jvm/lower_int.h"
#include "jvm/name.h"

#include <string.h>

enum { PTR = 64 };

/* ---- instructions ------------------------------------------------------------- */

static Val
cell_address(Starter *s, u32 cell)
{
	return ir_const_global(s->ir, s->w->open->cells.at[cell].global, 0);
}

static Val
load_cell(Starter *s, u32 cell)
{
	Val at = cell_address(s, cell), r = build_reg(&s->b, RT_PTR, PTR);
	Ins *i = build_ins(&s->b, OP_LOAD, 1, &at);

	i->dst = r;
	i->rt = RT_PTR;
	i->width = PTR;
	i->order = ORDER_ACQUIRE;
	return r;
}

static void
store(Starter *s, Val at, Val v, MemOrder order)
{
	Ins *i = build_ins(&s->b, OP_STORE, 2, (Val[]){at, v});

	i->width = PTR;
	i->order = (u8)order;
}

/* A new array, with something in it if it is of references. */
static Val
make_array(Starter *s, u32 cell)
{
	const OpenCell *c = &s->w->open->cells.at[cell];
	Val array =
	    start_emit(s, OP_ALLOC, RT_PTR, PTR, start_type(s, intern_get(&s->w->strs, c->type)));
	u32 of = c->element ? map_get(&s->w->open->cell_of, c->element) - 1 : NO_CELL;
	Val index, at, v;
	Ins *i;

	if (of == NO_CELL)
		return array;
	v = s->w->open->cells.at[of].klass ? load_cell(s, of) : make_array(s, of);
	index = start_emit(s, OP_NONDET, RT_INT, 32, 0);
	at = build_reg(&s->b, RT_PTR, PTR);
	i = build_ins(&s->b, OP_INDEX, 2, (Val[]){array, index});
	i->dst = at;
	i->rt = RT_PTR;
	i->width = PTR;
	i->sub = 1;
	i->imm = s->ir->ptr_bytes;
	store(s, at, v, ORDER_PLAIN);
	return array;
}

static Val
argument(Starter *s, JStr desc)
{
	u32 cell = open_cell(s->w, desc);
	char d = *desc.at;

	if (cell == NO_CELL)
		return start_emit(s, OP_NONDET, d == 'D' || d == 'F' ? RT_FLOAT : RT_INT,
				  d == 'J' || d == 'D' ? 64 : 32, 0);
	return s->w->open->cells.at[cell].klass ? load_cell(s, cell) : make_array(s, cell);
}

/* Goes on in a new block. */
static void
go_on(Starter *s, BlockId to)
{
	build_term(&s->b, OP_BR, 0, NULL, 1, &to);
	build_block_start(&s->b, to);
}

/* What follows may or may not be done, up to where go_on is called with the
 * block that this returns; nothing in between begins a block of its own. */
static BlockId
maybe(Starter *s)
{
	Val c = start_emit(s, OP_NONDET, RT_INT, 1, 0);
	BlockId act = build_block_new(&s->b), skip = build_block_new(&s->b);

	build_term(&s->b, OP_CBR, 1, &c, 2, (BlockId[]){act, skip});
	build_block_start(&s->b, act);
	return skip;
}

/* ---- calls -------------------------------------------------------------------- */

/* Calls a method with arguments of its types; receiver 0: it is static. */
static Val
call(Starter *s, const Entry *e, Val receiver, bool dispatched)
{
	const JMember *m = &world_klass(s->w, e->klass)->file->methods[e->method];
	JStr ret = name_return(m->desc), param;
	Vec(Val) args = {0};
	u32 at = 0;
	Val r = 0;
	Ins *i;

	vec_push(s->w->arena, &args, 0);
	if (receiver)
		vec_push(s->w->arena, &args, receiver);
	while ((param = name_next_param(m->desc, &at)).n) {
		Val v = argument(s, param);
		vec_push(s->w->arena, &args, v);
	}
	args.at[0] = ir_const_fn(s->ir, start_declare(s, e, args.n - 1));
	if (*ret.at == 'L' || *ret.at == '[')
		r = build_reg(&s->b, RT_PTR, PTR);
	i = build_ins(&s->b, OP_CALL, args.n, args.at);
	i->flags |= INS_THROWS;
	i->sub = dispatched ? CALL_VIRTUAL : CALL_PLAIN;
	if (dispatched)
		i->aux =
		    intern_str(&s->ir->strs, arena_printf(s->w->arena, "%.*s%.*s", (int)m->name.n,
							  m->name.at, (int)m->desc.n, m->desc.at));
	if (r) {
		i->dst = r;
		i->rt = RT_PTR;
		i->width = PTR;
	}
	return r;
}

static void
call_method(Starter *s, const OpenCall *c)
{
	World *w = s->w;
	const JMember *m = &world_klass(w, c->at)->file->methods[c->method];
	u32 result = open_cell(w, name_return(m->desc));
	Val receiver = 0, r;

	if (m->flags & ACC_STATIC)
		start_initialise(s, c->at);
	else
		receiver =
		    load_cell(s, map_get(&w->open->cell_of, world_klass(w, c->on)->name) - 1);
	r = call(s, &(Entry){c->at, c->method}, receiver, receiver != 0);
	if (r)
		store(s, cell_address(s, result), r, ORDER_RELEASE);
}

/* Makes an object and runs one of its constructors; ends in a new block. */
static Val
make_object(Starter *s, const OpenMake *m)
{
	BlockId out, last;
	Val object;

	start_initialise(s, m->klass);
	object = start_object(s, m->klass);
	if (!m->inits.n)
		return object;
	out = s->b.nblock + 2 * (m->inits.n - 1) + 1; /* blocks are numbered as they come */
	for (u32 i = 0; i < m->inits.n; i++) {
		BlockId skip = i + 1 < m->inits.n ? maybe(s) : 0;
		call(s, &m->inits.at[i], object, false);
		build_term(&s->b, OP_BR, 0, NULL, 1, &out);
		if (skip)
			build_block_start(&s->b, skip);
	}
	last = build_block_new(&s->b);
	assert(last == out);
	build_block_start(&s->b, last);
	return object;
}

/* Moves objects between the cells of types that they have. */
static void
exchange(Starter *s)
{
	const Open *o = s->w->open;

	for (u32 y = 0; y < o->cells.n; y++) {
		for (u32 x = 0; o->cells.at[y].wanted && x < o->cells.n; x++) {
			bool test;
			Val v;
			if (x == y || !open_flows(s->w, x, y, &test))
				continue;
			v = load_cell(s, x);
			if (test) {
				Val r = build_reg(&s->b, RT_PTR, PTR);
				Ins *i = build_ins(&s->b, OP_FILTER, 1, &v);
				i->dst = r;
				i->rt = RT_PTR;
				i->width = PTR;
				i->sub = 2;
				i->aux =
				    start_class(s, intern_get(&s->w->strs, o->cells.at[y].type));
				v = r;
			}
			store(s, cell_address(s, y), v, ORDER_RELEASE);
		}
	}
}

/* ---- classes of the callers ------------------------------------------------------ */

static Val
choose(Starter *s, Val x, Val y)
{
	Val c = start_emit(s, OP_NONDET, RT_INT, 1, 0), r = build_reg(&s->b, RT_PTR, PTR);
	Ins *i = build_ins(&s->b, OP_SELECT, 3, (Val[]){c, x, y});

	i->dst = r;
	i->rt = RT_PTR;
	i->width = PTR;
	return r;
}

/* What a method of a caller's class returns: a new object of a class that callers can make,
 * else one that they have. */
static Val
stand_result(Starter *s, JStr desc)
{
	const Open *o = s->w->open;
	u32 cell = open_cell(s->w, desc);
	KlassId type = cell == NO_CELL ? 0 : o->cells.at[cell].klass;
	bool any = type && strcmp(world_name(s->w, type), "java.lang.Object") != 0;
	Val v = 0;

	if (!type)
		return argument(s, desc);
	for (u32 i = 0; i < o->makes.n; i++) {
		KlassId k = o->makes.at[i].klass;
		if (k == type || (any && open_is(s->w, k, type))) {
			Val object = make_object(s, &o->makes.at[i]);
			v = v ? choose(s, v, object) : object;
		}
	}
	return v ? v : load_cell(s, cell);
}

/* It may throw before it does anything. */
static void
stand_throws(Starter *s)
{
	Val c = start_emit(s, OP_NONDET, RT_INT, 1, 0), e;
	BlockId act = build_block_new(&s->b), go = build_block_new(&s->b);

	build_term(&s->b, OP_CBR, 1, &c, 2, (BlockId[]){act, go});
	build_block_start(&s->b, act);
	e = start_emit(s, OP_ALLOC, RT_PTR, PTR, start_type(s, "java.lang.Exception"));
	build_term(&s->b, OP_THROW, 1, &e, 0, NULL);
	build_block_start(&s->b, go);
}

static FnId
stand_method(Starter *s, const OpenStand *stand, ClassId class, const Entry *e)
{
	Ir *ir = s->ir;
	const JMember *m = &world_klass(s->w, e->klass)->file->methods[e->method];
	JStr ret = name_return(m->desc), type;
	FnId f = ir->fns.n;
	u32 at = 0, n = 1, cell;
	Val v = 0;

	while (name_next_param(m->desc, &at).n)
		n++;
	vec_push(
	    ir->arena, &ir->fns,
	    (Fn){.name = intern_str(&ir->strs,
				    arena_printf(s->w->arena, "%s.%.*s%.*s",
						 world_name(s->w, stand->klass), (int)m->name.n,
						 m->name.at, (int)m->desc.n, m->desc.at)),
		 .pretty = intern_str(&ir->strs, arena_printf(s->w->arena, "a caller's %s.%.*s",
							      world_name(s->w, stand->face),
							      (int)m->name.n, m->name.at)),
		 .unit = ir->unit,
		 .class = class,
		 .linkage = LINK_EXTERNAL,
		 .flags = FN_SYNTHETIC,
		 .ret = (u8)desc_rt(*ret.at),
		 .nparam = n});
	build_begin(&s->b, ir, f);
	build_param(&s->b, 0, RT_PTR, PTR, intern_str(&ir->strs, "this"));
	at = 0;
	for (u32 k = 1; (type = name_next_param(m->desc, &at)).n; k++)
		build_param(&s->b, k, desc_rt(*type.at), desc_width(*type.at), 0);
	build_block_start(&s->b, build_block_new(&s->b));
	stand_throws(s);
	at = 0;
	for (u32 k = 1; (type = name_next_param(m->desc, &at)).n; k++) {
		cell = open_cell(s->w, type);
		if (cell != NO_CELL)
			store(s, cell_address(s, cell), k + 1, ORDER_RELEASE);
	}
	if (*ret.at != 'V')
		v = stand_result(s, ret);
	build_term(&s->b, OP_RET, v != 0, &v, 0, NULL);
	build_end(&s->b);
	return f;
}

static void
stand_class(Starter *s, const OpenStand *stand)
{
	Ir *ir = s->ir;
	ClassId c = start_class(s, world_name(s->w, stand->klass));
	ClassId face = start_class(s, world_name(s->w, stand->face));
	ClassId super = start_class(s, "java.lang.Object");
	VecU32 fns = {0};

	for (u32 i = 0; i < stand->methods.n; i++) {
		FnId f = stand_method(s, stand, c, &stand->methods.at[i]);
		vec_push(s->w->arena, &fns, f);
	}
	ir->classes.at[c].super = super;
	ir->classes.at[c].iface = ir->refs.n;
	ir->classes.at[c].niface = 1;
	vec_push(ir->arena, &ir->refs, face);
	ir->classes.at[c].method = ir->refs.n;
	ir->classes.at[c].nmethod = fns.n;
	for (u32 i = 0; i < fns.n; i++)
		vec_push(ir->arena, &ir->refs, fns.at[i]);
}

/* ---- functions ---------------------------------------------------------------- */

static void
make_cells(Starter *s)
{
	Ir *ir = s->ir;
	Arena *a = s->w->arena;

	for (u32 i = 0; i < s->w->open->cells.n; i++) {
		OpenCell *c = &s->w->open->cells.at[i];
		const char *type = intern_get(&s->w->strs, c->type);
		c->global = ir->globals.n;
		vec_push(
		    ir->arena, &ir->globals,
		    (Global){.name = intern_str(&ir->strs, arena_printf(a, "callers.%s", type)),
			     .pretty = intern_str(&ir->strs, arena_printf(a, "callers' %s", type)),
			     .unit = ir->unit,
			     .size = ir->ptr_bytes,
			     .linkage = LINK_INTERNAL});
	}
}

/* Ends a loop: back to head, or on in a new block. */
static void
loop_end(Starter *s, BlockId head)
{
	Val more = start_emit(s, OP_NONDET, RT_INT, 1, 0);
	BlockId on = build_block_new(&s->b);

	build_term(&s->b, OP_CBR, 1, &more, 2, (BlockId[]){head, on});
	build_block_start(&s->b, on);
}

/* All that a caller may do, each thing or not. */
static void
act(Starter *s)
{
	const Open *o = s->w->open;
	BlockId skip = maybe(s);

	exchange(s);
	go_on(s, skip);
	for (u32 i = 0; i < o->calls.n; i++) {
		skip = maybe(s);
		call_method(s, &o->calls.at[i]);
		go_on(s, skip);
	}
	for (u32 i = 0; i < o->makes.n; i++)
		make_object(s, &o->makes.at[i]);
}

FnId
open_caller(Starter *s)
{
	Ir *ir = s->ir;
	BlockId head;
	FnId caller;

	make_cells(s);
	for (u32 i = 0; i < s->w->open->stands.n; i++)
		stand_class(s, &s->w->open->stands.at[i]);
	vec_push(ir->arena, &ir->fns,
		 (Fn){.name = intern_str(&ir->strs, "harness.caller"),
		      .pretty = intern_str(&ir->strs, FN_CALLER),
		      .unit = ir->unit,
		      .linkage = LINK_INTERNAL,
		      .flags = FN_SYNTHETIC});
	caller = ir->fns.n - 1;
	build_begin(&s->b, ir, caller);
	build_block_start(&s->b, build_block_new(&s->b));
	head = build_block_new(&s->b);
	go_on(s, head);
	act(s);
	loop_end(s, head);
	build_term(&s->b, OP_RET, 0, NULL, 0, NULL);
	build_end(&s->b);
	return caller;
}

void
open_start(Starter *s, FnId caller)
{
	const Open *o = s->w->open;
	BlockId head = build_block_new(&s->b);
	Ins *i;

	go_on(s, head);
	for (u32 k = 0; k < o->makes.n; k++) {
		const OpenMake *m = &o->makes.at[k];
		Val object = make_object(s, m);
		u32 cell = map_get(&o->cell_of, world_klass(s->w, m->klass)->name) - 1;
		store(s, cell_address(s, cell), object, ORDER_RELEASE);
	}
	loop_end(s, head);
	head = build_block_new(&s->b);
	go_on(s, head);
	i = build_ins(&s->b, OP_FORK, 2, (Val[]){0, ir_const_fn(s->ir, caller)});
	i->width = PTR;
	i->cond = SIGN_ANY;
	loop_end(s, head);
}
