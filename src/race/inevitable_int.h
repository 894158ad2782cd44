/* inevitable_int.h - what inevitable.c and harmless.c share. */
#ifndef RACE_INEVITABLE_INT_H
#define RACE_INEVITABLE_INT_H

#include "race/inevitable.h"

typedef struct Acquire {
	InstId inst;
	InsId ins;
	u32 next; /* of the same object, plus 1 */
} Acquire;

struct Inevitable {
	Arena *arena;
	const Conc *c;
	const Ir *ir;
	const Pta *p;
	Cfg **cfgs;            /* [FnId] */
	u8 *returns;           /* [InstId]: ANSWER_* */
	Needs *needs;          /* [InstId]: of an instance that returns */
	Vec(Acquire) acquires; /* listed on first use */
	Map acquired;          /* ObjId -> its first in acquires, plus 1 */
	Map locks;             /* SlotId -> ANSWER_* */
	Set *written;   /* ObjIds of globals that the program writes to; found on first use */
	Map *writes_of; /* ObjId -> list of its writes, plus 1; found on first use */
	Vec(VecU32) writes;
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

/* Is x, at that instruction, the counter of a loop around it, from 0 or more up to
 * *last? */
bool inevitable_count(Inevitable *v, InstId inst, InsId at, Val x, i64 *last);
/* The one call edge of a call that certainly takes it; null if that is not certain. */
const Edge *inevitable_callee(Inevitable *v, InstId inst, InsId id);
/* present.c: is the value certainly the address of an object that is there? */
bool inevitable_present(Inevitable *v, InstId inst, Val x);
/* Is it the type of objects of a class? */
bool inevitable_is_class(const Inevitable *v, TypeId t);

#endif
