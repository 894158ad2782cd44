/* flow.h - a function's control flow, as the analyses of this directory walk it.
 *
 * Exception edges are edges.  Built on first use and kept: a function's many
 * instances and entry states share one. */
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
	const Ir *ir;
	Arena *arena;
	Flow **at; /* [FnId] */
} Flows;

void flows_init(Flows *f, Arena *a, const Ir *ir);
const Flow *flow_of(Flows *f, FnId fn);

#endif
