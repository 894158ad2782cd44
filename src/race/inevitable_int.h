/* inevitable_int.h - what inevitable.c and harmless.c share. */
#ifndef RACE_INEVITABLE_INT_H
#define RACE_INEVITABLE_INT_H

#include "race/inevitable.h"

struct Inevitable {
	Arena *arena;
	const Conc *c;
	const Ir *ir;
	const Pta *p;
	Cfg **cfgs;        /* [FnId] */
	u8 *returns;       /* [InstId]: ANSWER_* */
	Needs *needs;      /* [InstId]: of an instance that returns */
	Map locks;         /* SlotId -> ANSWER_* */
	Set *written;      /* ObjIds of globals that the program writes to; found on first use */
	bool scanned;      /* the next three are known */
	Set stored;        /* ObjIds that anything but a fork's handle is stored to */
	Set claimed;       /* thread objects that are joined or detached somewhere */
	Set claimed_twice; /* at more than one place */
};

enum { ANSWER_NONE, ANSWER_BUSY, ANSWER_YES, ANSWER_NO };

const Cfg *inevitable_cfg(Inevitable *v, InstId inst);
/* Does an instance certainly return?  Its needs are then known. */
bool inevitable_returns(Inevitable *v, InstId inst);
/* The one lock object that an acquire or release names; 0 if not certain. */
SlotId inevitable_one_lock(Inevitable *v, InstId inst, const Ins *ins);
/* Can control certainly pass the instruction?  What it waits for goes to need. */
bool inevitable_harmless(Inevitable *v, InstId inst, InsId id, Needs *need);

#endif
