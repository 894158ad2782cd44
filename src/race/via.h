/* via.h - members of an object that a pointer leads to, and who does not hold that pointer's lock. */
#ifndef RACE_VIA_H
#define RACE_VIA_H

#include "race/might.h"

typedef struct Vias Vias;

Vias *vias_new(Races *r, Might *m, const TypeId *same);
/* Of two accesses, which one does not hold the lock that the other holds, 1 or 2; 0: neither. */
u32 vias_side(Vias *v, u32 a, u32 b);
/* May that be, of some accesses of these units? */
bool vias_may(const Vias *v, u32 ux, u32 uy);
/* Units that do not hold it, each with some that do. */
void vias_list(Vias *v, void (*list)(void *ctx, u32 unit, u32 other), void *ctx);

#endif
