/* test_ir.h - programs for the tests of ir: parsed from text, or random. */
#ifndef TEST_IR_H
#define TEST_IR_H

#include "unit.h"

#include "base/diag.h"
#include "ir/ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a test program is read into; everything is the arena's. */
typedef struct Bench {
	Arena arena;
	Diag diag;
} Bench;

static inline void
bench_init(Bench *b)
{
	arena_init(&b->arena, NULL);
	diag_init(&b->diag, &b->arena, NULL);
}

static inline void
bench_release(Bench *b)
{
	diag_release(&b->diag);
	arena_release(&b->arena);
}

static inline bool
bench_try(Bench *b, Ir *ir, const char *file, const char *text)
{
	ir_init(ir, &b->arena);
	return ir_parse(ir, file, text, strlen(text), &b->diag);
}

static inline void
bench_parse(Bench *b, Ir *ir, const char *file, const char *text)
{
	if (!bench_try(b, ir, file, text))
		fail_msg("%s:%u:%u: %s", file, b->diag.msgs.at[0].line, b->diag.msgs.at[0].col,
			 b->diag.msgs.at[0].text);
}

static inline char *
bench_print(Bench *b, const Ir *ir)
{
	char *text = NULL, *copy;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	ir_print(ir, f);
	fclose(f);
	copy = arena_dup(&b->arena, text, n);
	free(text);
	return copy;
}

static inline void
bench_check(const Ir *ir)
{
	const char *wrong = ir_check(ir);

	if (wrong)
		fail_msg("%s", wrong);
}

/* ---- random programs ---------------------------------------------------- */

enum { MAX_BLOCKS = 12 };

typedef struct Maker {
	Ir *ir;
	Rand *r;
	Build b;
	u32 nblock;
	u32 nsucc[MAX_BLOCKS + 1];
	BlockId succ[MAX_BLOCKS + 1][4], exc[MAX_BLOCKS + 1];
	Val known[64]; /* registers defined wherever control is now */
	u32 nknown;
} Maker;

static inline StrId
random_name(Maker *m)
{
	static const char *const names[] = {"i",        "x",       "n",   "x.addr",
					    "odd name", "q\"\\\n", "tmp", "p$1"};

	return rand_below(m->r, 3) ? intern_str(&m->ir->strs, names[rand_below(m->r, COUNT(names))])
				   : 0;
}

static inline Val
random_const(Maker *m)
{
	static const u16 widths[] = {1, 8, 32, 32, 64, 17};
	Ir *ir = m->ir;

	switch (rand_below(m->r, 8)) {
	case 0: return ir_const_null(ir);
	case 1: return ir_const_undef(ir);
	case 2: return ir_const_opaque(ir);
	case 3:
		return ir_const_global(ir, 1 + rand_below(m->r, ir->globals.n - 1),
				       (i64)rand_below(m->r, 40) - 16);
	case 4: return ir_const_fn(ir, 1 + rand_below(m->r, ir->fns.n - 1));
	case 5: return ir_const_class(ir, 1 + rand_below(m->r, ir->classes.n - 1));
	default:
		return ir_const_int(ir, widths[rand_below(m->r, COUNT(widths))],
				    (i64)rand_below(m->r, 2000) - 1000);
	}
}

static inline Val
random_val(Maker *m)
{
	return m->nknown && rand_below(m->r, 3) ? m->known[rand_below(m->r, m->nknown)]
						: random_const(m);
}

static inline u16
width_of(Maker *m, Val v)
{
	const Fn *f = &m->ir->fns.at[m->b.fn];

	return val_is_reg(v) ? fn_reg(m->ir, f, v)->width : ir_const(m->ir, v)->width;
}

/* An instruction that is not a phi; the operands are any. */
static inline void
random_ins(Maker *m)
{
	static const Op ops[] = {OP_ALLOC,  OP_COPY,   OP_SELECT, OP_FIELD,  OP_INDEX,   OP_LOAD,
				 OP_STORE,  OP_BCOPY,  OP_READN,  OP_WRITEN, OP_RMW,     OP_CAS,
				 OP_FENCE,  OP_CMP,    OP_BIN,    OP_CAST,   OP_FILTER,  OP_CALL,
				 OP_CINIT,  OP_NONDET, OP_EXTERN, OP_ASSUME, OP_ACQUIRE, OP_RELEASE,
				 OP_FORK,   OP_JOIN,   OP_DETACH, OP_SIGNAL, OP_AWAIT,   OP_FREE,
				 OP_PUBLISH};
	static const u8 nargs[OP_COUNT] = {
	    [OP_COPY] = 1,  [OP_SELECT] = 3,  [OP_FIELD] = 1,  [OP_INDEX] = 2,   [OP_LOAD] = 1,
	    [OP_STORE] = 2, [OP_BCOPY] = 3,   [OP_READN] = 2,  [OP_WRITEN] = 2,  [OP_RMW] = 2,
	    [OP_CAS] = 3,   [OP_CMP] = 2,     [OP_BIN] = 2,    [OP_CAST] = 1,    [OP_FILTER] = 1,
	    [OP_CALL] = 3,  [OP_EXTERN] = 2,  [OP_ASSUME] = 1, [OP_ACQUIRE] = 1, [OP_RELEASE] = 1,
	    [OP_FORK] = 3,  [OP_JOIN] = 1,    [OP_DETACH] = 1, [OP_SIGNAL] = 1,  [OP_AWAIT] = 1,
	    [OP_FREE] = 1,  [OP_PUBLISH] = 1, [OP_ALLOC] = 1};
	Op op = ops[rand_below(m->r, COUNT(ops))];
	bool none = op == OP_STORE || op == OP_BCOPY || op == OP_READN || op == OP_WRITEN ||
		    op == OP_FENCE || op == OP_CINIT || op == OP_ASSUME || op == OP_PUBLISH;
	bool sync = op >= OP_ACQUIRE && op <= OP_FREE;
	u8 rt = (u8)(1 + rand_below(m->r, 4));
	u16 width = (u16)(rt == RT_PTR ? 64 : 1u << rand_below(m->r, 8));
	Val args[4], dst = 0;
	Ins *i;

	for (u32 k = 0; k < nargs[op]; k++)
		args[k] = random_val(m);
	if (op == OP_FORK && !rand_below(m->r, 2))
		args[0] = 0;
	if (!none && (!sync || rand_below(m->r, 2)))
		dst = build_reg(&m->b, (RegType)rt, width);
	m->b.src = ir_src(m->ir, intern_str(&m->ir->strs, rand_below(m->r, 4) ? "a.c" : "b.h"),
			  1 + rand_below(m->r, 99), rand_below(m->r, 9));
	m->b.site = rand_below(m->r, 5);
	i = build_ins(&m->b, op, nargs[op], args);
	i->dst = dst;
	if (dst)
		i->rt = rt, i->width = width;
	if (dst)
		m->ir->regs.at[m->ir->fns.at[m->b.fn].reg + dst].name = random_name(m);
	if (op == OP_STORE)
		i->rt = rt, i->width = width_of(m, args[1]);
	if (op == OP_LOAD || op == OP_STORE || op == OP_RMW || op == OP_CAS)
		i->order = (u8)rand_below(m->r, ORDER_COUNT);
	if (op == OP_FENCE)
		i->order = (u8)(1 + rand_below(m->r, ORDER_COUNT - 1));
	if (op == OP_FIELD || op == OP_INDEX)
		i->imm = (i64)rand_below(m->r, 64) - 8;
	if (op == OP_CMP || op == OP_CAST)
		i->imm = rand_below(m->r, 65);
	if (op == OP_CMP)
		i->sub = (u8)rand_below(m->r, CMP_COUNT);
	if (op == OP_BIN || op == OP_RMW)
		i->sub = (u8)rand_below(m->r, BIN_COUNT);
	if (op == OP_CAST)
		i->sub = (u8)rand_below(m->r, CAST_COUNT);
	if (op == OP_SIGNAL || op == OP_AWAIT)
		i->sub = (u8)rand_below(m->r, EVENT_COUNT);
	if (op == OP_ALLOC || op == OP_INDEX || op == OP_FIELD)
		i->aux = rand_below(m->r, m->ir->types.n);
	if (op == OP_FIELD && !rand_below(m->r, 4))
		i->sub = 1, i->aux = 1 + rand_below(m->r, m->ir->fields.n - 1);
	if (op == OP_FILTER || op == OP_CINIT)
		i->aux = 1 + rand_below(m->r, m->ir->classes.n - 1);
	if (op == OP_ALLOC || op == OP_FILTER || op == OP_ACQUIRE)
		i->sub = (u8)rand_below(m->r, 2);
	if (op == OP_CALL && !rand_below(m->r, 3))
		i->sub = CALL_VIRTUAL, i->aux = intern_str(&m->ir->strs, "run()V");
	if (op == OP_EXTERN)
		i->aux = intern_str(&m->ir->strs, "mystery");
	if (sync && dst)
		i->cond = (u8)rand_below(m->r, 8);
	if (!rand_below(m->r, 4))
		i->flags = (u8)(INS_VOLATILE | (op == OP_CALL ? INS_THROWS : INS_MODEL) |
				(op == OP_FORK && dst ? INS_HANDLE : 0));
	if (dst && m->nknown < COUNT(m->known))
		m->known[m->nknown++] = dst;
}

static inline void
random_phi(Maker *m, BlockId at, const Val *outer, u32 nouter)
{
	Val args[4 * MAX_BLOCKS + 4], dst;
	u32 n = 0;
	Ins *i;

	for (BlockId p = 1; p <= m->nblock; p++) {
		bool edge = m->exc[p] == at;
		for (u32 k = 0; k < m->nsucc[p]; k++)
			edge |= m->succ[p][k] == at;
		if (!edge)
			continue;
		args[n++] = p;
		args[n++] = nouter ? outer[rand_below(m->r, nouter)] : random_const(m);
	}
	if (!n)
		return;
	dst = build_reg(&m->b, RT_INT, 32);
	i = build_ins(&m->b, OP_PHI, n, args);
	i->dst = dst;
	i->rt = RT_INT;
	i->width = 32;
	m->ir->regs.at[m->ir->fns.at[m->b.fn].reg + dst].name = random_name(m);
	m->known[m->nknown++] = dst;
}

static inline void
random_term(Maker *m, BlockId b)
{
	Val args[4] = {random_val(m)};
	u32 n = m->nsucc[b];

	if (n == 0 && rand_below(m->r, 2))
		build_term(&m->b, OP_RET, rand_below(m->r, 2), args, 0, NULL);
	else if (n == 0)
		build_term(&m->b, rand_below(m->r, 2) ? OP_UNREACHABLE : OP_EXIT, 0, NULL, 0, NULL);
	else if (n == 1)
		build_term(&m->b, OP_BR, 0, NULL, 1, m->succ[b]);
	else if (n == 2)
		build_term(&m->b, OP_CBR, 1, args, 2, m->succ[b]);
	else {
		for (u32 k = 1; k < n; k++)
			args[k] = ir_const_int(m->ir, k == 2 ? 8 : 32, k);
		build_term(&m->b, OP_SWITCH, n, args, n, m->succ[b]);
	}
}

static inline void
random_edges(Maker *m)
{
	m->nblock = 1 + rand_below(m->r, MAX_BLOCKS);
	memset(m->nsucc, 0, sizeof m->nsucc);
	memset(m->exc, 0, sizeof m->exc);
	for (BlockId b = 1; b <= m->nblock && m->nblock > 1; b++) {
		m->nsucc[b] = rand_below(m->r, 4);
		for (u32 k = 0; k < m->nsucc[b]; k++)
			m->succ[b][k] = 2 + rand_below(m->r, m->nblock - 1);
		if (b > 1 && !rand_below(m->r, 5))
			m->exc[b] = 2 + rand_below(m->r, m->nblock - 1);
	}
}

static inline void
random_fn(Maker *m, FnId f)
{
	Val outer[64];
	u32 nouter;

	random_edges(m);
	m->ir->fns.at[f].nparam = rand_below(m->r, 4);
	build_begin(&m->b, m->ir, f);
	m->nknown = 0;
	for (u32 k = 0; k < m->ir->fns.at[f].nparam; k++) {
		build_param(&m->b, k, RT_INT, 32, random_name(m));
		m->known[m->nknown++] = k + 1;
	}
	if (!rand_below(m->r, 3))
		build_reg(&m->b, RT_PTR, 64); /* nothing defines it */
	for (BlockId b = 1; b <= m->nblock; b++)
		build_block_new(&m->b);
	nouter = m->nknown;
	for (BlockId b = 1; b <= m->nblock; b++) {
		build_block_start(&m->b, b);
		build_block_exc(&m->b, b, m->exc[b]);
		for (u32 k = rand_below(m->r, 3); b > 1 && k; k--)
			random_phi(m, b, outer, nouter);
		for (u32 k = rand_below(m->r, 8); k; k--)
			random_ins(m);
		random_term(m, b);
		if (b == 1) { /* what the entry defines is known everywhere */
			nouter = m->nknown;
			memcpy(outer, m->known, sizeof outer);
		}
		m->nknown = nouter;
	}
	build_end(&m->b);
}

static inline void
random_tables(Maker *m)
{
	Ir *ir = m->ir;
	Arena *a = ir->arena;
	StrId name = intern_str(&ir->strs, "struct s");

	vec_push(a, &ir->types,
		 (Type){.kind = TYPE_INT, .name = intern_str(&ir->strs, "int"), .size = 4});
	vec_push(a, &ir->types, (Type){.kind = TYPE_PTR, .size = 8, .elem = 3});
	vec_push(a, &ir->types,
		 (Type){.kind = TYPE_STRUCT,
			.name = name,
			.size = 16,
			.member = ir->members.n,
			.nmember = 2});
	vec_push(a, &ir->members, (Member){intern_str(&ir->strs, "a"), 1, 0});
	vec_push(a, &ir->members, (Member){0, 2, 8});
	vec_push(a, &ir->types, (Type){.kind = TYPE_ARRAY, .size = 160, .elem = 3, .count = 10});
	vec_push(a, &ir->classes, (Class){.name = intern_str(&ir->strs, "A"), .unit = ir->unit});
	vec_push(a, &ir->classes,
		 (Class){.name = intern_str(&ir->strs, "B"),
			 .super = 1,
			 .unit = ir->unit,
			 .iface = ir->refs.n,
			 .niface = 1,
			 .method = ir->refs.n + 1,
			 .nmethod = 1,
			 .field = 1,
			 .nfield = 2,
			 .cinit = 1,
			 .flags = 5});
	vec_push(a, &ir->refs, 1);
	vec_push(a, &ir->refs, 1);
	vec_push(a, &ir->fields, (Field){intern_str(&ir->strs, "f"), 2, 1, 0, 0});
	vec_push(a, &ir->fields,
		 (Field){intern_str(&ir->strs, "g"), 2, 2, 9, intern_str(&ir->strs, "this")});
}

/* Makes ir, which is empty, a program that ir_check accepts. */
static inline void
random_program(Ir *ir, Rand *r)
{
	Maker m = {.ir = ir, .r = r};
	u32 nfn = 1 + rand_below(r, 4), nglobal = 1 + rand_below(r, 4);

	ir->unit = intern_str(&ir->strs, "random.c");
	ir->hash = rand_below(r, 1000);
	random_tables(&m);
	for (u32 k = 0; k < nglobal; k++)
		vec_push(
		    ir->arena, &ir->globals,
		    (Global){.name = intern_str(&ir->strs, rand_below(r, 3) ? "g" : "odd global"),
			     .unit = ir->unit,
			     .type = rand_below(r, 5),
			     .size = 32,
			     .linkage = rand_below(r, 2) ? LINK_INTERNAL : LINK_COMMON,
			     .tls = rand_below(r, 2),
			     .constant = rand_below(r, 2)});
	for (u32 k = 0; k < nfn; k++)
		vec_push(ir->arena, &ir->fns,
			 (Fn){.name = intern_str(&ir->strs, rand_below(r, 2) ? "f" : ".f.1"),
			      .unit = rand_below(r, 2) ? ir->unit : 0,
			      .linkage = LINK_INTERNAL,
			      .ret = (u8)rand_below(r, 5),
			      .flags = (u16)rand_below(r, 128),
			      .class = rand_below(r, 3),
			      .src = 0});
	for (GlobalId g = 1; g < ir->globals.n; g++) {
		ir->globals.at[g].init = ir->inits.n;
		ir->globals.at[g].ninit = rand_below(r, 3);
		for (u32 k = 0; k < ir->globals.at[g].ninit; k++)
			vec_push(ir->arena, &ir->inits, (Init){8 * k, random_const(&m)});
	}
	for (FnId f = 1; f < ir->fns.n; f++)
		random_fn(&m, f);
	vec_push(ir->arena, &ir->assumes, (Assume){intern_str(&ir->strs, "a thing"), 1, 0});
}

#endif
