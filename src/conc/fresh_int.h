/* fresh_int.h - what fresh.c, fresh_flow.c, fresh_maybe.c, unstored.c and publish.c share. */
#ifndef CONC_FRESH_INT_H
#define CONC_FRESH_INT_H

#include "conc/flow.h"
#include "conc/fresh.h"

enum {
	FRESH_PARAMS = FRESH_UNSTORED,
	MAX_ROOTS = 4,
	UNSTORED = 1 << 28 /* in states: UNSTORED + r, only registers hold r's object */
};

/* What running an instance publishes, in objects (closed under reaching):
 * always, and if parameter i was published before. */
typedef struct PubSum {
	SetId always;
	SetId *given;  /* [parameter], null where there is none */
	bool returns;  /* a fresh object, or null */
	bool unstored; /* that is in no memory */
	bool done;
} PubSum;

/* The same while it is being found: SetIds, since the same large sets come again and again. */
typedef struct PubRecord {
	Set always, given[FRESH_PARAMS];
	bool returns, unstored;
} PubRecord;

/* One instance with one set of fresh parameters: the flow, and its answers. */
typedef struct FreshFrame {
	SetId *in;   /* [block] */
	bool *seen;  /* [block]: reached */
	Set touches; /* 2 * ins + touch: those of a fresh object */
	Map enters;  /* edge index + 1 -> mask, where it is not 0 */
	bool keeps;  /* the first parameter's object stays fresh throughout */
} FreshFrame;

struct Fresh {
	Arena *arena;
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	SetPool sets;
	u32 *scc;         /* [ObjId]: component of the points-to graph of shared objects */
	Set *reach;       /* [component]: objects of it and reachable from it */
	SetId *holds;     /* [ObjId]: objects that a shared object's memory may point to */
	PubSum *sums;     /* [InstId] */
	Map objs_of;      /* (inst, value) -> SetId + 1 of the shared objects it may point to */
	Map shared_of;    /* where a set of slots is kept -> SetId + 1 of their shared objects */
	SetId *own_holds; /* [ObjId]: the same of what is not shared, plus 1; found on first use */
	Map copied_of;    /* (inst, block copy) -> fresh_copied plus 1 */
	Map closed_of;    /* SetId of objects -> SetId + 1 of what publishing them publishes */
	Vec(FreshFrame) frames;
	Map frame_of;      /* (inst, mask) -> frame */
	u64 last_key;      /* of frame_of: who asks goes instance by instance */
	u32 last_frame;    /* 0: none was asked for yet */
	PubRecord *record; /* while summarising: where publications are noted */
	Vec(SetId) handed; /* sets of objects that some stores may publish, each once */
	u32 *by_first;     /* [index in handed]: in by */
	Publisher *by;
	u32 *set_first; /* [ObjId]: in set_of */
	u32 *set_of;    /* indices in handed */
	Set unknown;
	Set many; /* objects of sets that are too many to list */
};

/* The registers that v derives from: false if it may be anything else. */
bool fresh_roots(const Fresh *f, InstId inst, Val v, Val roots[MAX_ROOTS], u32 *n);
/* The shared objects that v may point to, as a set of f->sets. */
SetId fresh_objects(Fresh *f, InstId inst, Val v);
/* The shared objects to which a block copy may copy pointers. */
SetId fresh_copied(Fresh *f, InstId inst, const Ins *ins);
/* These objects and all that their memory leads to. */
SetId fresh_reached(Fresh *f, const Set *objs);
/* The same: what publishing them publishes. */
SetId fresh_close(Fresh *f, SetId objs);
/* Runs the flow of one instance from the given fresh parameters. */
void fresh_run(Fresh *f, InstId inst, FreshMask entry, FreshFrame *frame);
/* Fills the frame's answers after fresh_run. */
void fresh_answer(Fresh *f, InstId inst, FreshFrame *frame);
/* Does addr derive only from registers in state? */
bool fresh_addr(const Fresh *f, InstId inst, const Set *state, Val addr);

/* fresh_maybe.c: may it publish nothing after all? */
bool maybe_fails(const Ins *ins);
/* Notes what such an instruction took away from the state before it. */
void maybe_note(Fresh *f, InstId inst, InsId id, const Set *before, Set *state);
/* These objects are published, whoever failed before. */
void maybe_kill(Fresh *f, InstId inst, SetId published, Set *state);
/* What is fresh on b's edge number succ, behind which state (which is out) is. */
SetId maybe_edge(Fresh *f, InstId inst, const Block *b, u32 succ, const Set *state, SetId out);

/* Is there a register in state whose object only registers hold? */
static inline bool
unstored_any(const Set *state)
{
	return state->n && state->w[state->n - 1].index >= UNSTORED / 64;
}
/* Are the objects of all the roots held by registers only? */
bool unstored_all(const Set *state, const Val *roots, u32 n);
/* Takes away the registers whose objects instruction id may store. */
void unstored_end(Fresh *f, InstId inst, InsId id, Set *state);
/* Does the call hand over, as that argument alone, an object that only registers hold? */
bool unstored_passed(const Fresh *f, InstId inst, const Ins *call, u32 arg, const Set *state);

#endif
