/* arith.h - numbers of a given width, in 64 bits: see interleave_arith.c. */
#ifndef IR_ARITH_H
#define IR_ARITH_H

#include "ir/ir.h"

u64 arith_mask(u64 v, u16 width);   /* zero-extended from width */
i64 arith_extend(u64 v, u16 width); /* sign-extended */
u64 arith_compare(CmpPred p, u64 a, u64 b, u16 width);
bool arith_is_division(u8 op);
/* Operators that cannot fail, those of rmw among them. */
u64 arith_combine(BinOp op, u64 a, u64 b, u16 width);
/* Divisions, by b other than 0. */
u64 arith_divide(BinOp op, u64 a, u64 b, u16 width);

#endif
