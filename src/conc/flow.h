/* flow.h - each function's control flow, as the analyses of this directory walk it.
 *
 * Exception edges are edges.  Built once for all: nearly all functions are asked for, by
 * several analyses, in their many instances and entry states. */
#ifndef CONC_FLOW_H
#define CONC_FLOW_H

#include "base/graph.h"
#include "ir/cfg.h"

typedef struct Flow {
	Graph succ; /* over BlockIds; node 0 has no edges */
	u32 *rpo;   /* reachable blocks in reverse postorder */
	u32 nrpo;
	u32 *rank;    /* [block]: position in rpo plus 1; 0: unreachable */
	u32 *scc;     /* [block]: component */
	bool *cyclic; /* [block]: can it run twice in one activation? */
} Flow;

typedef struct Flows {
	Flow *at; /* [FnId] */
} Flows;

Flows *flows_build(Arena *a, const Ir *ir);

static inline const Flow *
flow_of(const Flows *f, FnId fn)
{
	return &f->at[fn];
}

#endif
