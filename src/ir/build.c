/* build.c - makes an Ir: interned constants and positions, and function bodies.
 *
 * A body is appended straight to the program's flat tables, so only one is
 * built at a time.  The blocks are kept aside until build_end, because their
 * ids are given out before their instructions exist.  Constants and positions
 * are found by a hash of their content; on a collision the next key is tried,
 * and the tables are finite, so the search ends. */
#include "ir/ir.h"

#include <string.h>

void
ir_init(Ir *ir, Arena *a)
{
	memset(ir, 0, sizeof *ir);
	ir->arena = a;
	ir->ptr_bytes = 8;
	intern_init(&ir->strs, a);
	(void)vec_extend(a, &ir->types, 1);
	(void)vec_extend(a, &ir->members, 1);
	(void)vec_extend(a, &ir->consts, 1);
	(void)vec_extend(a, &ir->globals, 1);
	(void)vec_extend(a, &ir->inits, 1);
	(void)vec_extend(a, &ir->fns, 1);
	(void)vec_extend(a, &ir->regs, 1);
	(void)vec_extend(a, &ir->blocks, 1);
	(void)vec_extend(a, &ir->ins, 1);
	(void)vec_extend(a, &ir->args, 1);
	(void)vec_extend(a, &ir->succs, 1);
	(void)vec_extend(a, &ir->refs, 1);
	(void)vec_extend(a, &ir->srcs, 1);
	(void)vec_extend(a, &ir->classes, 1);
	(void)vec_extend(a, &ir->fields, 1);
	(void)vec_extend(a, &ir->assumes, 1);
}

/* ---- constants and positions -------------------------------------------- */

static u64
const_hash(const Const *c)
{
	u64 h = hash_u64((u64)c->kind << 56 | (u64)c->rt << 48 | (u64)c->width << 32 | c->ref);

	return hash_u64(h ^ (u64)c->num);
}

static bool
const_equal(const Const *x, const Const *y)
{
	return x->kind == y->kind && x->rt == y->rt && x->width == y->width && x->ref == y->ref &&
	       x->num == y->num;
}

/* The constant equal to c, or 0 and the key under which it would be entered. */
static ConstId
find_const(const Ir *ir, const Const *c, u64 *key)
{
	ConstId id;

	for (*key = const_hash(c); (id = map_get(&ir->const_index, *key)); ++*key)
		if (const_equal(&ir->consts.at[id], c))
			break;
	return id;
}

/* A unit that was read, or copied, is indexed when something is first looked for in it:
 * most units are only linked. */
static void
index_consts(Ir *ir)
{
	u64 key;

	for (ConstId id = ir->consts_indexed + 1; id < ir->consts.n; id++)
		if (!find_const(ir, &ir->consts.at[id], &key))
			map_put(ir->arena, &ir->const_index, key, id);
	ir->consts_indexed = ir->consts.n - 1;
}

static Val
intern_const(Ir *ir, Const c)
{
	u64 key;
	ConstId id;

	index_consts(ir);
	id = find_const(ir, &c, &key);
	if (!id) {
		id = ir->consts.n;
		vec_push(ir->arena, &ir->consts, c);
		map_put(ir->arena, &ir->const_index, key, id);
		ir->consts_indexed = id;
	}
	return VAL_CONST | id;
}

static u16
ptr_width(const Ir *ir)
{
	return (u16)(ir->ptr_bytes * 8);
}

Val
ir_const_int(Ir *ir, u16 width, i64 num)
{
	if (width > 64)
		return ir_const_opaque(ir);
	if (width && width < 64)
		num = (i64)((u64)num << (64 - width)) >> (64 - width);
	return intern_const(ir,
			    (Const){.kind = CONST_INT, .rt = RT_INT, .width = width, .num = num});
}

Val
ir_const_null(Ir *ir)
{
	return intern_const(ir, (Const){.kind = CONST_NULL, .rt = RT_PTR, .width = ptr_width(ir)});
}

Val
ir_const_undef(Ir *ir)
{
	return intern_const(ir, (Const){.kind = CONST_UNDEF});
}

Val
ir_const_opaque(Ir *ir)
{
	return intern_const(ir, (Const){.kind = CONST_OPAQUE});
}

Val
ir_const_global(Ir *ir, GlobalId g, i64 off)
{
	return intern_const(
	    ir,
	    (Const){
		.kind = CONST_GLOBAL, .rt = RT_PTR, .width = ptr_width(ir), .ref = g, .num = off});
}

Val
ir_const_fn(Ir *ir, FnId f)
{
	return intern_const(
	    ir, (Const){.kind = CONST_FN, .rt = RT_PTR, .width = ptr_width(ir), .ref = f});
}

Val
ir_const_class(Ir *ir, ClassId c)
{
	return intern_const(
	    ir, (Const){.kind = CONST_CLASS, .rt = RT_PTR, .width = ptr_width(ir), .ref = c});
}

/* Where the index has the position's id, or is to have it: 0 there. */
static SrcId *
place_src(Ir *ir, const Src *s)
{
	u64 key = hash_u64(hash_u64(map_pair(s->file, s->line)) ^ s->col);

	for (;; key++) {
		SrcId *at = map_at(ir->arena, &ir->src_index, key);
		const Src *t = &ir->srcs.at[*at];

		if (!*at || (s->file == t->file && s->line == t->line && s->col == t->col))
			return at;
	}
}

static void
index_srcs(Ir *ir)
{
	for (SrcId id = ir->srcs_indexed + 1; id < ir->srcs.n; id++) {
		SrcId *at = place_src(ir, &ir->srcs.at[id]);

		if (!*at)
			*at = id;
	}
	ir->srcs_indexed = ir->srcs.n - 1;
}

SrcId
ir_src(Ir *ir, StrId file, u32 line, u32 col)
{
	Src s = {file, line, col};
	SrcId *at;

	index_srcs(ir);
	at = place_src(ir, &s);
	if (!*at) {
		*at = ir->srcs_indexed = ir->srcs.n;
		vec_push(ir->arena, &ir->srcs, s);
	}
	return *at;
}

FnId
ir_find_fn(const Ir *ir, const char *name)
{
	StrId s = intern_find(&ir->strs, name, strlen(name));
	FnId declared = 0;

	if (!s)
		return 0;
	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		if (fn->name != s || fn->linkage == LINK_INTERNAL)
			continue;
		if (fn->linkage != LINK_DECL)
			return f;
		if (!declared)
			declared = f;
	}
	return declared;
}

/* ---- bodies ------------------------------------------------------------- */

void
build_begin(Build *b, Ir *ir, FnId fn)
{
	Fn *f = &ir->fns.at[fn];

	memset(b, 0, sizeof *b);
	b->ir = ir;
	b->fn = fn;
	f->reg = ir->regs.n - 1;
	f->nreg = f->nparam;
	f->ins = ir->ins.n;
	f->nins = 0;
	(void)vec_extend(ir->arena, &ir->regs, f->nparam);
}

void
build_param(Build *b, u32 k, RegType rt, u16 width, StrId name)
{
	Fn *f = &b->ir->fns.at[b->fn];

	assert(k < f->nparam);
	b->ir->regs.at[f->reg + 1 + k] = (Reg){.name = name, .rt = (u8)rt, .width = width};
}

BlockId
build_block_new(Build *b)
{
	vec_push(b->ir->arena, &b->blocks, (Block){0});
	return ++b->nblock;
}

void
build_block_start(Build *b, BlockId block)
{
	assert(block == b->cur + 1 && block <= b->nblock);
	assert(!b->cur || b->blocks.at[b->cur - 1].nins); /* the one before has its end */
	b->cur = block;
	b->blocks.at[block - 1].ins = b->ir->ins.n;
}

void
build_block_exc(Build *b, BlockId block, BlockId handler)
{
	assert(block && block <= b->nblock && handler <= b->nblock);
	b->blocks.at[block - 1].exc = handler;
}

Val
build_reg(Build *b, RegType rt, u16 width)
{
	Ir *ir = b->ir;
	Fn *f = &ir->fns.at[b->fn];

	assert(f->reg + f->nreg + 1 == ir->regs.n); /* one body at a time */
	vec_push(ir->arena, &ir->regs, (Reg){.rt = (u8)rt, .width = width});
	return ++f->nreg;
}

/* Appends the n values at p, which may be part of list itself. */
static u32
append(Arena *a, VecU32 *list, u32 n, const u32 *p)
{
	u32 first = list->n;
	bool own = p >= list->at && p < list->at + list->n;
	size_t off = own ? (size_t)(p - list->at) : 0;

	(void)vec_extend(a, list, n);
	if (own)
		p = list->at + off;
	if (n)
		memcpy(list->at + first, p, n * sizeof *p);
	return first;
}

Ins *
build_ins(Build *b, Op op, u32 narg, const Val *args)
{
	Ir *ir = b->ir;
	Ins i = {.op = (u8)op, .narg = narg, .src = b->src, .site = b->site};

	assert(b->cur && !b->blocks.at[b->cur - 1].nins);
	i.arg = append(ir->arena, &ir->args, narg, args);
	vec_push(ir->arena, &ir->ins, i);
	return &ir->ins.at[ir->ins.n - 1];
}

Ins *
build_term(Build *b, Op op, u32 narg, const Val *args, u32 nsucc, const BlockId *succs)
{
	Ins *i = build_ins(b, op, narg, args);
	Block *block = &b->blocks.at[b->cur - 1];

	assert(op_is_terminator(op));
	block->succ = append(b->ir->arena, &b->ir->succs, nsucc, succs);
	block->nsucc = nsucc;
	block->nins = b->ir->ins.n - block->ins;
	return i;
}

void
build_end(Build *b)
{
	Ir *ir = b->ir;
	Fn *f = &ir->fns.at[b->fn];

	assert(b->cur == b->nblock && (!b->cur || b->blocks.at[b->cur - 1].nins));
	f->block = ir->blocks.n;
	f->nblock = b->nblock;
	f->nins = ir->ins.n - f->ins;
	for (u32 k = 0; k < b->nblock; k++)
		vec_push(ir->arena, &ir->blocks, b->blocks.at[k]);
	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		Val d = ir->ins.at[i].dst;
		assert(!d || (val_is_reg(d) && d <= f->nreg));
		if (d)
			ir->regs.at[f->reg + d].def = i;
	}
	arena_recycle(ir->arena, b->blocks.at, b->blocks.cap * sizeof *b->blocks.at);
	memset(&b->blocks, 0, sizeof b->blocks);
}
