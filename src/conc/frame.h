/* frame.h - addresses that a thread has from its own stack. */
#ifndef CONC_FRAME_H
#define CONC_FRAME_H

#include "pta/pta.h"

typedef struct Frames Frames;

Frames *frames_solve(Arena *a, const Pta *p);
/* Does addr in inst point into local variables of the running thread's own calls, or
 * memory that it allocated itself, and nowhere else? */
bool frames_own(const Frames *f, InstId inst, Val addr);

#endif
