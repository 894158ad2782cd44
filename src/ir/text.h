/* text.h - what the printer and the reader of the text form must agree on.
 *
 * An instruction reads
 *
 *	%dst = op.sub.order.flag TYPE operand, operand ... attributes !line:col #site
 *
 * where most parts have defaults, so that tests are pleasant to write.  The
 * defaults are here, once: the printer leaves out exactly what the reader
 * fills in. */
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
