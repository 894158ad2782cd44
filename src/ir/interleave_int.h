/* interleave_int.h - the machine that interleave*.c share.
 *
 * A State is all that a run's future depends on, and all that future races
 * are judged by: threads with their frames, memory, locks, clocks, and the
 * accesses made so far that may still race.  Everything is kept in one
 * canonical form (sorted, dead registers zero, unused bytes zero), so equal
 * states have equal packed bytes.
 *
 * Addresses are numbers: a key in the high bits names the object, the offset
 * is counted from the middle of its range, so that pointer arithmetic, unions
 * and integers holding pointers work as on a machine, and what leaves an
 * object hits no other. */
#ifndef IR_INTERLEAVE_INT_H
#define IR_INTERLEAVE_INT_H

#include "ir/arith.h"
#include "ir/class.h"
#include "ir/interleave.h"

enum {
	THREADS = 8,
	FRAMES = 12,
	REGS = 512, /* of one thread, all frames together */
	OBJECTS = 64,
	MEMORY = 4096,
	LOCKS = 16,
	SYNCS = 16,
	EVENTS = 8,
	INITS = 8,
	RECORDS = 256,
	CHOICES = 24,
	EPOCH_MAX = 250,
	OBJECTS_PER_THREAD = 64
};

/* Keys: a global is its id; functions have addresses too. */
enum { KEY_TLS = 0x1000, KEY_DYNAMIC = 0x2000, KEY_FN = 0x8000 };
/* Handles are small numbers, which are no object's address. */
enum { HANDLE = 0x7001 };

typedef struct Clock {
	u8 at[THREADS];
} Clock;

typedef struct Frame {
	u32 fn, ins; /* next, or the call that is under way */
	u16 block, reg, nreg;
	u8 phase; /* of an instruction that takes several steps */
	u8 weak;  /* the next nondet is 1 less than this, if it is not 0 (interleave_unknown.c) */
} Frame;

typedef enum Status { NOT_STARTED, RUNNING, ENDED, STOPPED } Status;

typedef struct Thread {
	u8 status, depth, nobject;
	u8 claimed; /* joined or detached: nobody may join it any more */
	u16 nreg;
	u16 unused;
	Clock clock;
	Clock fence; /* at the last release fence */
	Clock seen;  /* of relaxed loads, for the next acquire fence */
	u64 raised;  /* the exception that was caught last */
} Thread;

typedef struct Object {
	u32 key, size, at; /* at: in State.mem */
	u8 kind;           /* ObjectKind */
	u8 escaped;        /* other threads may reach it */
	u8 tid, depth;     /* of the frame that a stack object dies with */
	TypeId type;       /* what it was allocated as */
} Object;
typedef enum ObjectKind { OBJ_GLOBAL, OBJ_STACK, OBJ_HEAP } ObjectKind;

typedef struct Lock {
	u64 addr;
	u8 owner, count; /* owner: thread + 1, 0 none */
	u8 unused[6];
	u8 readers[THREADS];
	Clock write, read; /* released so far */
} Lock;

/* What the last release store to an atomic location carries. */
typedef struct Sync {
	u64 addr;
	u64 size;
	Clock clock;
} Sync;

typedef struct Event {
	u64 addr;
	u32 count;   /* tokens; for sticky events 1 once signalled */
	u32 waiting; /* threads blocked on a condition, or that have come to a barrier */
	u32 size;    /* of a barrier: how many meet there; 0 unknown */
	Clock clock;
} Event;

/* A class whose initialiser has begun. */
typedef enum InitStatus { INIT_RUNNING, INIT_DONE, INIT_FAILED } InitStatus;
typedef struct ClassInit {
	ClassId class;
	u8 status, owner;
	u8 unused[2];
	Clock clock; /* at its end */
} ClassInit;

/* The latest access of ins by tid to these bytes.  A store of a final field
 * is open while its constructor, the frame at that depth, runs; frozen if the
 * object was nobody else's at its end. */
typedef enum Final { FINAL_NOT, FINAL_OPEN, FINAL_FROZEN } Final;
typedef struct Record {
	u64 addr;
	u32 size;
	InsId ins;
	u8 tid, epoch, write, atomic;
	u8 final, depth;
	u8 unused[2];
} Record;

typedef struct Head {
	u32 nthread, nobject, nmem, nlock, nsync, nevent, nrecord, ninit;
	u32 guessed; /* what was unknown has decided something */
} Head;

typedef struct State {
	Head n;
	Thread thread[THREADS];
	Frame frame[THREADS][FRAMES];
	u64 reg[THREADS][REGS];
	u8 fog[THREADS]
	      [REGS]; /* registers that are unknown; they are 0, or addresses: interleave_blur.c */
	Object object[OBJECTS];
	u8 mem[MEMORY];
	u8 mist[MEMORY]; /* bytes that are unknown */
	Lock lock[LOCKS];
	Sync sync[SYNCS];
	Event event[EVENTS];
	ClassInit init[INITS];
	Record record[RECORDS];
} State;

/* One access that an instruction makes. */
typedef struct Access {
	u64 addr;
	u32 size;
	bool write, atomic;
} Access;

/* The sequence of choices of one transition, as an odometer. */
typedef struct Choices {
	u8 n;
	u8 val[CHOICES], of[CHOICES];
} Choices;

typedef struct Machine {
	const Ir *ir;
	const InterleaveLimits *limits;
	Arena *scratch;
	State s;
	Choices choices;
	u32 taken;        /* of choices, in this transition */
	bool unknown;     /* some operand of the step was */
	u64 args_unknown; /* which arguments of the call are, by bits */
	const char *why;  /* sticky: the search is cut short */
	bool alone_joins; /* only the root joins, and nobody detaches */
	ClassIndex classes;
	u64 **live; /* live[fn]: before each instruction, words[fn] each */
	u32 *words;
	Map pairs; /* (a, b) -> FOUND_ bits */
	InterleaveResult *result;
} Machine;
enum { FOUND_RACE = 1, FOUND_ADJACENT = 2, FOUND_CERTAIN = 4 };

typedef enum StepKind {
	STEP_NONE, /* the thread has ended or stopped */
	STEP_BLOCKED,
	STEP_LOCAL, /* commutes with all that other threads can do */
	STEP_VISIBLE
} StepKind;

/* ---- interleave.c */
/* A choice among n, all of which are taken in turn. */
u32 machine_choose(Machine *m, u32 n);
u64 machine_input(Machine *m, u16 width);
/* Ends the search: its result is not complete. */
void machine_give_up(Machine *m, const char *why);
void machine_found(Machine *m, InsId a, InsId b, u32 bits);

/* ---- interleave_state.c */
u32 state_pack(const State *s, u8 *to); /* at most sizeof(State) bytes */
void state_unpack(State *s, const u8 *from);
void clock_join(Clock *c, const Clock *d);
/* Begins t's next epoch, after an event that releases. */
void clock_tick(Machine *m, u32 t);
/* Brings the clocks of the state to a canonical form. */
void clock_renumber(Machine *m);
u64 addr_of(const Machine *m, u32 key);
u32 addr_key(const Machine *m, u64 addr);
Object *object_new(Machine *m, u32 key, u32 size, ObjectKind kind);
/* The object that holds all of [addr, addr + size); null if there is none. */
Object *object_at(Machine *m, u64 addr, u64 size);
Object *object_find(Machine *m, u32 key);
void object_delete(Machine *m, Object *o);
u8 *object_bytes(Machine *m, const Object *o, u64 addr);
/* Marks what v points to, and what that points to, as reachable by others. */
void object_escape(Machine *m, u64 v);
/* The same for all that the bytes near [addr, addr + size) now hold, if o
 * itself has escaped. */
void object_escape_stored(Machine *m, const Object *o, u64 addr, u64 size);
/* Notes the races of t's access with those before it. */
void record_check(Machine *m, u32 t, InsId ins, const Access *a);
/* Keeps t's access for later ones. */
void record_add(Machine *m, u32 t, InsId ins, const Access *a);
/* t leaves its top frame: if that is a constructor, the final fields it stored
 * to are frozen in what no other thread can reach. */
void record_freeze(Machine *m, u32 t);
/* Drops the records that no thread can race with any more. */
void record_sweep(Machine *m);
bool access_conflict(const Access *a, const Access *b);

/* ---- interleave_live.c */
void live_compute(Machine *m);
/* Zeroes the registers of t that it will not read. */
void live_clear(Machine *m, u32 t);

/* ---- interleave_exec.c */
StepKind exec_kind(Machine *m, u32 t);
/* Runs one step of t, which is not blocked. */
void exec_step(Machine *m, u32 t);
/* The accesses of t's next step: none, one or two. */
u32 exec_accesses(Machine *m, u32 t, Access *a);
u64 exec_value(Machine *m, u32 t, Val v);
void exec_start(Machine *m, u32 t, FnId fn, u32 narg, const u64 *args);

/* shared by interleave_exec.c and interleave_sync.c */
static inline Frame *
top(Machine *m, u32 t)
{
	assert(m->s.thread[t].depth);
	return &m->s.frame[t][m->s.thread[t].depth - 1];
}
static inline const Ins *
next_ins(Machine *m, u32 t)
{
	return ir_ins(m->ir, top(m, t)->ins);
}
u64 exec_arg(Machine *m, u32 t, const Ins *i, u32 k);
void exec_set(Machine *m, u32 t, const Ins *i, u64 v);
void exec_advance(Machine *m, u32 t);
/* t goes no further. */
void exec_stop(Machine *m, u32 t);
/* t goes on in block `to` of its top frame, with the phis for coming from where it is. */
void exec_jump(Machine *m, u32 t, BlockId to);
void exec_push(Machine *m, u32 t, FnId fn, u32 narg, const u64 *args);
/* Leaves t's top frame, which is not the last. */
void exec_pop(Machine *m, u32 t);
void exec_end_thread(Machine *m, u32 t);
/* Whether others can see the stack objects of t's frames, from depth on, end. */
bool exec_shows_stack(const Machine *m, u32 t, u32 depth);
/* The function with a body at address v; 0 if there is none. */
FnId exec_callee(Machine *m, u64 v);

/* ---- interleave_unknown.c: the search with unknown inputs */
/* Is v unknown?  Never, where inputs come from the domain. */
bool unknown_value(Machine *m, u32 t, Val v);
/* Gives up if the next step of t is at a place that is unknown. */
bool unknown_place(Machine *m, u32 t, const Ins *i);
/* What the step computes depends on where objects lie. */
bool unknown_by_layout(const Machine *m, const Ins *i, u64 a, u64 b);
/* One of n ways that what is unknown decides. */
u32 unknown_choose(Machine *m, u32 n);
void unknown_args(Machine *m, u32 t, const Ins *i, u32 from);
bool unknown_bytes(Machine *m, const Object *o, u64 addr, u64 size);
void unknown_set(Machine *m, const Object *o, u64 addr, u64 size, bool is);
/* Undefined behaviour at an access of addr: t stops there, or the search gives up. */
void unknown_fault(Machine *m, u32 t, const Ins *i, u64 addr);
/* Is the result of this nondet the zero that says that the call has succeeded?  It chooses. */
bool unknown_success(Machine *m, u32 t, const Ins *i);
/* Does the exchange fail by itself?  It chooses, and tells the nondet behind it. */
bool unknown_weak(Machine *m, u32 t, const Ins *cas);
/* A release of a lock that t does not hold. */
void unknown_release(Machine *m, u32 t, const Ins *i, Lock *l);
/* May the fork fail?  Where nobody looks whether it did, what follows is undefined, or as if the
 * thread had not begun yet. */
bool unknown_failure(Machine *m, u32 t, const Ins *fork);
/* Is it of a lock that t does not own, where that is defined? */
bool unknown_owner(Machine *m, u32 t, const Ins *release);
/* What a join stores, of which nothing is known. */
void unknown_result(Machine *m, u32 t, const Ins *join);
void unknown_global(Machine *m, const Global *g, GlobalId id);

/* ---- interleave_blur.c */
/* Is it a quiet access at a place, or of a size, that is unknown, and what it does known all the same? */
bool blur_knows(Machine *m, u32 t, const Ins *i);
void blur_step(Machine *m, u32 t, const Ins *i);
/* Keeps in the register of an unknown address where its object begins. */
void blur_address(Machine *m, u32 t, const Ins *i);

/* ---- interleave_class.c */
/* t's instruction i throws v, or stops where it cannot. */
void class_raise(Machine *m, u32 t, u64 v);
void class_fail(Machine *m, u32 t, const Ins *i);
/* The function that a virtual call or fork of i runs on receiver; named: as it
 * says, for what has no class. */
FnId class_dispatch(Machine *m, const Ins *i, u64 named, u64 receiver);
StepKind class_init_kind(Machine *m, u32 t, const Ins *i);
void class_init(Machine *m, u32 t, const Ins *i);
/* t's initialiser, called by cinit i, is over. */
void class_init_end(Machine *m, u32 t, const Ins *i, InitStatus status);
void class_filter(Machine *m, u32 t, const Ins *i);
/* Makes t's access: false if t has stopped at undefined behaviour. */
bool exec_access(Machine *m, u32 t, const Access *a, u8 **bytes);

/* ---- interleave_sync.c */
StepKind sync_kind(Machine *m, u32 t, const Ins *i);
void sync_step(Machine *m, u32 t, const Ins *i);
/* Effects of t's atomic load or store on clocks. */
void sync_loaded(Machine *m, u32 t, u64 addr, u64 size, u8 order, bool acquires);
void sync_stored(Machine *m, u32 t, u64 addr, u64 size, u8 order, bool rmw);

#endif
