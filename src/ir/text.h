/* text.h - what the printer and the reader of the text form must agree on.
 *
 * A program is a list of definitions, each on a line of its own; `;` starts a
 * comment.  In brackets is what may be left out:
 *
 *	[unit "a.c" [hash N] [ptr 8]]                    comes first
 *	type t1 = struct "struct job" size 16 { 0: t2 "id"  8: t3 "next" }
 *	class c1 = "A" [super c2] { iface c3  field f1: t1 "x"  method @m }
 *	global [internal] [tls] @g [size N] [type t1] [= {0: 1, 8: @h[4]}]
 *	declare @puts(1) -> int                          only the number of parameters
 *	fn [internal] @f(%n: i32, %p: ptr) -> int { ... }
 *	assumption "what was ignored" @f
 *
 * and a body is instructions between labels, `name:` or `name: exc handler`;
 * the first block needs none.  An instruction reads
 *
 *	%dst = op.sub.order.flag TYPE operand, operand ... attributes !line:col #site
 *
 *	%i = phi [entry: 0], [body: %j]         %c = slt i32 %i, %n
 *	%q = field %p + 8 type t1               %e = index %a + %i * 4
 *	%v = load.acq i64 %q                    store ptr %q, null
 *	%o = rmw.add.seq_cst @g, 1              %w = sext i64 %i
 *	%r = call @f(%n, %p)                    extern "mystery"(%p)
 *	%r = fork %h, @worker, %arg if zero     %r = acquire.try @m if zero
 *	cbr %c, body, out                       switch %n, out [1: one, 2: two]
 *
 * A type is i32, f64, ptr, agg128, or int and so on where the width is not
 * known; a number in place of an operand has the instruction's width unless it
 * says another (`i64 5`).  Most parts have defaults, so that tests are pleasant
 * to write.  They are here, once: the printer leaves out exactly what the
 * reader fills in. */
#ifndef IR_TEXT_H
#define IR_TEXT_H

#include "ir/ir.h"

/* What a register or an instruction's result is. */
typedef struct Kind {
	u8 rt;
	u16 width;
} Kind;

typedef struct Names {
	const char *const *at;
	u32 n;
} Names;

extern const Names text_ops, text_bins, text_preds, text_casts, text_orders, text_linkages,
    text_types, text_ins_flags, text_fn_flags, text_regtypes;

/* The names of op's variants (Ins.sub), the empty name being the default;
 * none for bin, cast and cmp, whose variant stands in place of the op. */
Names text_subs(Op op);
/* The index of the n bytes at s in names, -1 if absent. */
int text_find(Names names, const char *s, size_t n);
/* What op gives, with or without a result, if the text does not say. */
Kind text_kind(const Ir *ir, Op op, bool has_dst);
/* What dst is, if the text does not say. */
Kind text_dst_kind(const Ins *i);
/* The width of operand k of i if it is a bare integer. */
u16 text_width(const Ir *ir, const Ins *i, u32 k);

static inline bool
kind_equal(Kind x, Kind y)
{
	return x.rt == y.rt && x.width == y.width;
}

#endif
