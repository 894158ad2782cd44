/* raise.h - which calls of a C program may end by an exception. */
#ifndef IR_RAISE_H
#define IR_RAISE_H

#include "ir/ir.h"

/* Marks with INS_THROWS the calls through which a throw, or one of unknown code, may come, if
 * any block of the program has a handler.  Java's compilers and C++ say so themselves. */
void ir_raise(Ir *program);

#endif
