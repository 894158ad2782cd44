/* flag_int.h - what the files flag*.c share. */
#ifndef CONC_FLAG_INT_H
#define CONC_FLAG_INT_H

#include "conc/access.h"
#include "conc/entry.h"
#include "conc/flag.h"

enum {
	FLAGS = 12,
	ROWS = 8,
	VALUES = 8, /* of a flag, the last of which is: */
	ANY = 7     /* any that is not listed */
};
#define UNLISTED INT64_MIN /* a row's value, if it is none of the flag's, and so not 0 */

/* Values that a flag may have: bit 2 * value + (this thread changed it last). */
typedef u16 Known;

/* What is known at a point: in rows, one for each value that a number which
 * was looked at last may have.  That number is the register obs, what the
 * cell of the thread's own stack holds, or (obs = OBS_RESULT) what the
 * function returns; without any there is one row.  No row: not reached. */
enum { OBS_RESULT = 0x7fffffff };
typedef struct FlagState {
	Val obs;
	SlotId cell;
	SlotId still; /* another cell of its stack, which holds: */
	i64 still_val;
	u32 nrow;
	i64 val[ROWS];
	Known k[ROWS][FLAGS];
} FlagState;

typedef struct Flag {
	SlotId slot;
	u16 width;
	bool sem; /* the count of a semaphore */
	u32 nval;
	i64 val[VALUES];
	Known start;
} Flag;

/* An instruction of a thread that may change a flag. */
typedef struct FlagWrite {
	u32 flag;
	InsId ins;
	ThreadId thread;
	OrderId order;
	LocksetId held;
	bool release; /* who reads what it wrote, and acquires, comes after it */
	bool rmw;
	u8 to[2 *
	      VALUES]; /* [value, mine]: the values that it may set, by bits; 0: not done then */
	Known when[FLAGS]; /* what it knows of the other flags then */
} FlagWrite;

/* Of what the others do, what a thread may meet with in one state. */
typedef struct FlagView {
	u32 seen; /* writes that were looked at */
	VecU32 writes;
} FlagView;

typedef struct FlagFrame {         /* of an instance in a thread */
	FlagState in, out, thrown; /* at its start, its returns, where exceptions leave it */
} FlagFrame;

struct Flags {
	Arena *arena;
	Entries *e;
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	u32 n;
	Flag at[FLAGS];
	Set recursive; /* instances that can call themselves */
	Map flag_of;   /* SlotId -> index + 1 */
	u8 **tested;   /* [FnId][register], on first use; flag_find.c */
	Map checks;    /* FnId -> parameter that it checks, + 1; flag_check.c */
	Map quiet;     /* InstId -> 2: it is; flag_quiet.c */
	Vec(FlagWrite) writes;
	Map write_of; /* hash of its place -> index + 1 */
	Map view_of;  /* hash of (thread, order, held) -> index + 1 */
	Vec(FlagView) views;
	Vec(FlagFrame) frames; /* from 1 */
	Map frame_of;          /* (thread, instance) */
	FlagState **blocks;    /* [entry]: [block], null where not reached yet */
	u64 work;              /* writes looked at */
	bool changed, recording;
	u32 steps;    /* instructions walked */
	Map known_of; /* hash of (thread, instance, instruction) -> index + 1 of its first in: */
	Vec(Known) known;
	Vec(u32) distinct[FLAGS]; /* the values known at accesses, each once */
};

/* A point in a walk. */
typedef struct FlagPoint {
	const Entry *entry;
	InsId ins;
	OrderId order;
	LocksetId held;
} FlagPoint;

/* flag_find.c: fills f->at. */
void flags_find(Flags *f);
/* The index of the flag that addr is for sure, or FLAGS. */
u32 flag_at(const Flags *f, InstId inst, Val addr);
/* The first of value indices. */
u32 flag_value(const Flag *g, i64 v);

/* May one thread be where x is known of a flag, and another where y is? */
static inline bool
known_compatible(Known x, Known y)
{
	for (u32 v = 0; v < VALUES; v++) {
		u32 p = x >> 2 * v & 3, q = y >> 2 * v & 3;
		if (p && q && !(p == 2 && q == 2))
			return true;
	}
	return false;
}

/* flag_check.c: the parameter that is not 0 whenever the function returns, which does nothing
 * else; 0 none. */
Val flag_checked(const Ir *ir, const Fn *fn);

/* flag_quiet.c: does the instance end in the state in which it began? */
bool flag_quiet(Flags *f, InstId inst);

/* flag_value.c: the value of v, where obs is known to be `row`; false if
 * unknown.  obs 0: none is. */
bool flag_number(const Flags *f, InstId inst, Val v, Val obs, i64 row, i64 *out);

/* flag_state.c */
void state_collapse(const Flags *f, FlagState *s);
bool state_join(const Flags *f, FlagState *to, const FlagState *from);
/* Splits s into rows by the value of v; false, and one row, if that is unknown. */
bool state_observe(const Flags *f, FlagState *s, InstId inst, Val v, Val obs, SlotId cell);
/* Goes on by what the cell holds that is the same in all rows. */
void state_by_still(const Flags *f, FlagState *s);
/* The register gets another value. */
void state_forget(const Flags *f, FlagState *s, Val dst);
/* The row of value v, made empty if there is none; ROWS if there is no room. */
u32 state_row(FlagState *s, i64 v);

/* flag_flow.c: what one instruction does; calls and terminators apart. */
void flag_step(Flags *f, FlagState *s, const FlagPoint *at);
/* Goes on where cond is not 0. */
void flag_assume(const Flags *f, FlagState *s, InstId inst, Val cond);
/* May what is touched be the flag of that index? */
bool flag_touched(const Flags *f, InstId inst, const Touch *t, u32 flag);
/* What others may do there. */
void flag_interfere(Flags *f, FlagState *s, const FlagPoint *at);
FlagFrame *flag_frame(Flags *f, ThreadId t, InstId inst);

#endif
