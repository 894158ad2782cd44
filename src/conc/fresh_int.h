/* fresh_int.h - what fresh.c, fresh_flow.c and publish.c share. */
#ifndef CONC_FRESH_INT_H
#define CONC_FRESH_INT_H

#include "conc/flow.h"
#include "conc/fresh.h"

enum { FRESH_PARAMS = 32, MAX_ROOTS = 4 };

/* What running an instance publishes, in objects (closed under reaching):
 * always, and if parameter i was published before. */
typedef struct PubSum {
	Set always;
	Set *given;   /* [parameter], null where there is none */
	bool returns; /* a fresh object, or null */
	bool done;
} PubSum;

typedef struct FreshFrame {
	SetId *in;    /* [block] */
	bool *seen;   /* [block]: reached */
} FreshFrame;

struct Fresh {
	Arena *arena;
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	Flows flows;
	SetPool sets;
	u32 *scc;     /* [ObjId]: component of the points-to graph of shared objects */
	Set *reach;   /* [component]: objects of it and reachable from it */
	Set *holds;   /* [ObjId]: objects that a shared object's memory may point to */
	PubSum *sums; /* [InstId] */
	Vec(FreshFrame) frames;
	Map frame_of; /* (inst, mask) -> frame */
	PubSum *record; /* while summarising: where publications are noted */
	u32 *pub_first; /* [ObjId]: in pubs */
	Publisher *pubs;
	Set unknown;
};

/* The registers that v derives from: false if it may be anything else. */
bool fresh_roots(const Fresh *f, InstId inst, Val v, Val roots[MAX_ROOTS], u32 *n);
/* Adds the shared objects that v may point to. */
void fresh_objects(const Fresh *f, InstId inst, Val v, Set *out);
/* Adds what publishing these objects publishes: them and all they reach. */
void fresh_close(const Fresh *f, const Set *objs, Set *out);
/* Runs the flow of one instance from the given fresh parameters. */
void fresh_run(Fresh *f, InstId inst, FreshMask entry, FreshFrame *frame);
void publishers_find(Fresh *f);

#endif
