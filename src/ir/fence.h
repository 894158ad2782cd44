/* fence.h - what fences make of the atomic accesses beside them. */
#ifndef IR_FENCE_H
#define IR_FENCE_H

#include "ir/ir.h"

/* Lets relaxed atomic accesses release, or acquire, where a fence does so for them. */
void ir_fences(Ir *program);

#endif
