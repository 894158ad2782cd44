/* captured.h - objects whose address never leaves the calls that use them. */
#ifndef CONC_CAPTURED_H
#define CONC_CAPTURED_H

#include "pta/pta.h"

/* What becomes of an address: it may be stored, published, passed to unknown code or to
 * another thread; the result may be derived from it. */
enum { CAPTURED = 1, RETURNED = 2 };

typedef struct Captures Captures;

/* Adds to own the stack and heap objects that no other thread than their maker can
 * reach, whatever points-to says of them.  Null: points-to did not end. */
Captures *captures_solve(Arena *a, const Pta *p, Set *own);

/* What instruction id of inst does with its operand n: CAPTURED, RETURNED (its result, or that
 * of the function, is derived from it); without captures anything. */
u8 captures_use(const Captures *c, InstId inst, InsId id, u32 n);

/* What function fn does with what its n-th parameter, from 1, points to. */
u8 captures_param(const Captures *c, FnId fn, u32 n);

#endif
