/* effect_int.h - what effect*.c share. */
#ifndef MODEL_EFFECT_INT_H
#define MODEL_EFFECT_INT_H

#include "model/model_int.h"

u16 effect_ptr_bits(const Emit *e);
/* Makes dst the register that i defines, and returns it. */
Val effect_set_dst(Ins *i, Val dst, RegType rt, u16 width);
/* Emits an instruction with a new register of its own. */
Val effect_new(Emit *e, Op op, RegType rt, u16 width, u32 narg, const Val *args);
/* The register of the call's result, made if the program has none. */
Val effect_result(Emit *e);
Val effect_nondet(Emit *e, RegType rt, u16 width);
u16 effect_width_of(const Emit *e, Val v);
RegType effect_type_of(const Emit *e, Val v);
bool effect_is_null(const Emit *e, Val v);
/* Does the expression name a cell of a model, or a part of one? */
bool effect_in_cell(const Expr *x);
/* What the library keeps in its own objects it guards by means that order
 * nothing of the program's; what it keeps in the program's objects is handed
 * over in order. */
u8 effect_kept_order(const Expr *x);
/* The number of bytes, 0 if it is unknown. */
Val effect_bytes(Emit *e, const Size *s);
/* The same where an instruction must have a size. */
Val effect_some_bytes(Emit *e, const Size *s);

/* effect.c: makes the last instruction the one that defines the result. */
void effect_define(Emit *e);
/* Sets for which results the last instruction took place. */
void effect_cond(Emit *e, const Effect *f);
/* The address that an effect works on; a number that stands for a channel is one. */
Val effect_place(Emit *e, const Expr *x);
/* Stores v where an effect says that it is kept. */
void effect_keep(Emit *e, const Expr *at, Val v);
/* effect_sync.c: one of a lock, a thread, a task, an event or a wait. */
void effect_emit_sync(Emit *e, const Effect *f);

#endif
