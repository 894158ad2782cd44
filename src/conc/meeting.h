/* meeting.h - barriers that a program makes itself. */
#ifndef CONC_MEETING_H
#define CONC_MEETING_H

#include "ir/ir.h"

/* Does the function look like a barrier's wait? */
bool meeting_is(Arena *a, const Ir *ir, const Fn *fn);

#endif
