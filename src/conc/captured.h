/* captured.h - objects whose address never leaves the calls that use them. */
#ifndef CONC_CAPTURED_H
#define CONC_CAPTURED_H

#include "pta/pta.h"

/* Adds to own the stack and heap objects that no other thread than their maker can
 * reach, whatever points-to says of them. */
void captured_find(Arena *a, const Pta *p, Set *own);

#endif
