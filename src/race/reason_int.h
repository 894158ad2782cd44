/* reason_int.h - what the files that decide reasons share. */
#ifndef RACE_REASON_INT_H
#define RACE_REASON_INT_H

#include "race/above.h"
#include "race/race_int.h"

/* A function on the way from the thread's start to an access, and the
 * instruction in it that goes on towards the access. */
typedef struct Frame {
	InstId inst;
	InsId ins;
} Frame;

enum { FRAMES = 12 }; /* looked at, from the access outwards */

typedef struct Point {
	InstId inst;
	InsId ins;
} Point;

typedef Vec(Point) Points;

typedef struct Events {       /* what certainly happens, from one instruction */
	Points signals, sets; /* behind it */
	Points awaits, spins; /* before it */
	Points early;         /* signals before it */
	Points lasts;         /* before it: counts, on one side of a test of which it lies */
	Points gives, looks;  /* behind it; before it, on one side of the test */
	u64 tells, waits; /* bits for the objects that signals and sets, awaits and spins are of */
} Events;

/* What is known of a frame, found on first use: many accesses have it on their way. */
typedef struct FrameFacts {
	Frame at;
	u8 conditional;                  /* 0 not asked, 1 no, 2 yes */
	const Events *before, *behind;   /* that certainly happen */
	const struct LockCounts *counts; /* what was done to locks before it */
} FrameFacts;

typedef u16 FrameSet; /* 1 << k: the k-th of an access's frames */
static_assert(FRAMES <= 16, "a FrameSet has a bit for each");
#define FRAMES_FOR(k, set)                                                                         \
	for (u32 rest_##k = (set), k; rest_##k && (k = (u32)__builtin_ctz(rest_##k), true);        \
	     rest_##k &= rest_##k - 1)

typedef struct Facts { /* of one access, found on first use */
	u32 nframe;
	u32 frame[FRAMES];               /* index in Reasons.frames */
	u8 unshared, conditional;        /* 0 not asked, 1 no, else see there */
	bool before_known, behind_known; /* those are, see reason_order.c: */
	FrameSet wait, last, look;       /* frames with such events before them, */
	FrameSet tell, give;             /* and behind them */
	u32 half;                        /* 0 not asked, else see reason_turns.c, plus 1 */
	u32 either;            /* 0 not asked, else the place of reason_either.c, plus 1 */
	u32 elected;           /* the same of reason_elected.c */
	u32 element;           /* the same of reason_bucket.c */
	u32 bucket, bucket_by; /* likewise, for what hangs in a table */
	bool locks_known;
	Vec(SlotId) lost; /* locks that were acquired more often than released */
} Facts;

typedef struct LockCount {
	SlotId lock;
	i32 net; /* acquisitions less releases */
} LockCount;
typedef struct LockCounts {
	Vec(LockCount) locks;
	Map index; /* SlotId -> index in locks plus 1 */
} LockCounts;

/* reason_cover.c: the one test by which the loop of an instruction ends; null none. */
typedef struct ExitTest {
	const Ins *test;
	Val limit; /* the constant of another that it has besides; 0 none */
} ExitTest;

typedef struct Reasons {
	Races *r;
	Facts **facts;   /* [access] */
	Map frame_index; /* (instance, instruction) -> index in frames plus 1 */
	Vec(FrameFacts) frames;
	bool has_joins;   /* are they listed? */
	Points joins;     /* all of them; reason_reap.c */
	Map own;          /* (access, object) -> 1 no, 2 yes */
	Map in_none;      /* ObjId -> 1 some variable leads there, 2 none */
	Map kept;         /* the same: does its maker still use it? */
	Map filled;       /* the same: was it made there, under the locks of the access? */
	Map joined;       /* (frame + 1, thread) -> what reason_join.c says of it */
	Map buckets;      /* frame + 1 -> lock_of_call, plus 1 */
	Map frame_before; /* two frames -> 1 no, 2 yes */
	Map waited_at;    /* (instance, instruction) -> row of waited + 1 */
	Vec(Events *) waited;
	Map whole_index; /* (instance, before and depth) -> row of wholes + 1 */
	Vec(Events *) wholes;
	Intern gone_back;           /* (instance, instruction, object), for: */
	VecU32 backs;               /* what lies before it */
	u8 *mixed;                  /* [shape]: 0 not asked, 1 no, 2 yes */
	Above *above;               /* reads the sets of: */
	Set **publishers;           /* [ObjId]: instances from which one is called */
	Set **set_publishers;       /* the same, of the sets of fresh_sets */
	Set *acquiring, *releasing; /* instances that may do so, found on first use */
	bool **holding;             /* [InstId * 2 + calm]: see reason_lock.c */
	Intern counted;             /* frames, for: */
	Vec(LockCounts *) counts;   /* what was done to locks before */
	struct FnEvents **events;   /* [FnId] */
	u8 *callers;                /* [ObjId]: reason_callers, 0 not asked, 1 no, 2 yes */
	bool *takes_element;        /* [FnId]: reason_bucket.c; null until asked for */
	u8 barriers;                /* are there any?  0 not asked, 1 no, 2 yes */
	bool has_locked;            /* there is: */
	Set locked;                 /* objects that locks are reached from */
	struct Scopes **scopes;     /* [ThreadId]: reason_scope.c; null until asked for */
	struct Ways *ways;          /* reason_way.c; null until asked for */
	u8 *on_way;                 /* [access]: what that has found; null likewise */
	Set *rest_calls;            /* reason_mode.c; likewise */
	Set *copy_code;             /* reason_process.c; likewise */
	Map fork_guards;            /* thread and instruction: guard_of, plus 1 */
	struct Gate **gates;        /* [ThreadId]: reason_gate.c; null until asked for */
	struct Tables *tables;      /* reason_table.c; likewise */
	struct Buffers *buffers;    /* reason_buffers.c; likewise */
	Intern passing;             /* reason_passed.c: its questions */
	Map passed;                 /* and its answers */
	struct Sweeps *sweeps;      /* reason_sweep.c; likewise */
	struct Tasks *tasks;        /* reason_task.c; likewise */
	struct States *states;      /* reason_state.c; likewise */
	Map made_for;               /* InstId -> index of the edge plus 2; 1 none */
	Map pointed;                /* reason_pointed.c: SlotId -> 1 no, 2 yes */
	Map loops;                  /* InsId -> reason_loop plus 1 */
	Map exits[2];               /* InsId -> row of exit_tests plus 1; [1] with a limit */
	Vec(ExitTest) exit_tests;
	Map settled;         /* reason_restart.c: (thread, instruction) -> its answer plus 1 */
	struct Link **links; /* [ThreadId]: reason_start.c; null until asked for */
	u32 *
	    unstarted; /* [access]: the thread of which it was asked last, times 2, plus the answer */
	struct First *first;           /* reason_first.c; null until asked for */
	bool no_onces;                 /* it has none */
	struct Apart *apart;           /* reason_apart.c; likewise */
	struct Early *early;           /* reason_early.c; likewise */
	struct Onces *onces;           /* reason_once.c; likewise */
	bool has_stocked;              /* there is: */
	Set stocked, primed;           /* slots of semaphores that start with 2 or more; with 1 */
	Vec(struct Givers *) givers;   /* claim.c, found on first use */
	Vec(struct Claimed *) claimed; /* reason_claimed.c, of: */
	Map held_apart;                /* there: (shape, store) -> 1 no, 2 yes */
	Map claimed_index;             /* access plus 1 -> index plus 1 */
} Reasons;

Facts *facts_of(Reasons *rs, u32 access);
/* The k-th frame of an access, from it outwards. */
static inline const Frame *
frame_of(const Reasons *rs, const Facts *f, u32 k)
{
	return &rs->frames.at[f->frame[k]].at;
}
/* The argument with which the call of an outer frame sets parameter v; 0 none. */
static inline Val
frame_argument(const Races *r, const Frame *outer, Val v)
{
	const Ins *call = ir_ins(r->ir, outer->ins);

	return call->op == OP_CALL && v < call->narg ? ins_arg(r->ir, call, v) : 0;
}
/* The value that an address is computed from by offsets alone. */
Val root_of(const Ir *ir, const Fn *f, Val v);
/* What defines v in f; null for a parameter or a constant. */
const Ins *def_of(const Ir *ir, const Fn *f, Val v, InsId *id);
/* Are the two addresses computed alike? */
bool same_address(const Ir *ir, const Fn *f, Val v, Val w);

/* Is ins a call that may run one of these instances? */
bool reason_calls(const Reasons *rs, InstId inst, InsId ins, const Set *above);

/* reason_found.c: is v, as `at` has it, null or a pointer that a load found of which is_so holds,
 * also in what returns it? */
typedef bool FoundBy(void *ctx, const Frame *at, InsId load);
bool reason_found(const Races *r, const Frame *at, Val v, FoundBy *is_so, void *ctx);
/* reason_own.c */
bool reason_initialization(Reasons *rs, u32 access, ObjId o);
/* reason_made.c: is one side in the constructor of an object that the other has from there later? */
bool reason_made(Reasons *rs, u32 a, u32 b, ObjId o);
/* reason_state.c: is the access one that is done only while o's constructor has not changed a field? */
bool reason_state(Reasons *rs, u32 access, ObjId o);
/* Does ins make o, or call what may; or may it publish it? */
bool reason_makes(Reasons *rs, InstId inst, InsId ins, ObjId o);
bool reason_publishes(Reasons *rs, InstId inst, InsId ins, ObjId o);
/* Is there one such thread, or is o an object that each of them, or a worker of its, makes for itself and stores in
 * no variable: none but those that it starts have it? */
bool reason_of_one(const Races *r, ThreadId t, ObjId o);
/* reason_unshare.c */
bool reason_unsharing(Reasons *rs, u32 a, u32 b, ObjId o);
/* Was what the frame's function found by the instruction taken from where it was, before
 * the frame's instruction: no other thread finds it there? */
bool reason_taken(Reasons *rs, ThreadId t, const Frame *at, InsId load);
/* reason_task.c: are both at places that tasks which were taken from a queue name, each its own? */
bool reason_task(Reasons *rs, u32 a, u32 b, ObjId o);
/* Is whatever is stored in memory of the shape another each time, as far as it is a pointer to o, or
 * a number if that is 0? */
bool reason_stored_apart(Reasons *rs, u32 shape, ObjId o);
/* Can control come from the instruction to itself without passing the other? */
bool reason_repeats_without(const Races *r, FnId fn, InsId ins, InsId other);
bool reason_shapes_overlap(const Races *r, u32 s, u32 t);
/* reason_claimed.c: has each side claimed its element under a lock, and not given it back? */
bool reason_claimed(Reasons *rs, u32 a, u32 b, ObjId o);
/* reason_drawn.c: are both at elements of their own, or what these lead to, of the workers of one fork? */
bool reason_drawn(Reasons *rs, u32 a, u32 b, ObjId o);
/* reason_fill.c: what is behind conversions and copies. */
Val reason_stripped(const Ir *ir, const Fn *f, Val v);
/* Does the creator of x fill, before it starts one, the element that it passes in that round, or look at that of
 * the one that it has just waited for? */
bool reason_fills(Reasons *rs, u32 access, const Thread *x);
/* Does is_so hold of each store and block copy to memory that overlaps the shape? */
typedef struct Writer {
	InstId inst;
	InsId ins;
	ThreadId thread;
} Writer;
typedef bool StoreFn(void *ctx, const Writer *w);
bool reason_stores(Reasons *rs, u32 shape, StoreFn *is_so, void *ctx);
/* reason_stored_apart, but for stores of which is_so holds. */
bool reason_stored_apart_or(Reasons *rs, u32 shape, ObjId o, StoreFn *is_so, void *ctx);
/* The shape of what the instruction reads; 0 unknown. */
u32 reason_read_shape(const Races *r, InstId inst, InsId load);
/* reason_filled.c */
bool reason_filled(Reasons *rs, u32 a, u32 b, ObjId o);
/* reason_once.c: is one side what is set up once, and has the other seen to that? */
bool reason_once(Reasons *rs, u32 a, u32 b);
/* reason_slice.c */
enum { SLICE_LOADS = 4, REASON_SHORT = 12 /* blocks of a function that only answers */ };
/* The first loads that v is computed from; returns their number. */
u32 reason_slice(const Ir *ir, const Fn *f, Val v, InsId out[SLICE_LOADS]);
/* The calls of short functions. */
u32 reason_slice_calls(const Ir *ir, const Fn *f, Val v, InsId out[SLICE_LOADS]);
/* Does control come from block b to the head, through blocks that it dominates only? */
bool reason_comes_round(const Races *r, FnId fn, BlockId b, BlockId head);
/* Does the branch at the end of a block leave the innermost loop that the block is in? */
bool reason_ends_loop(const Races *r, FnId fn, BlockId b);
/* reason_event.c */
/* What is waited for before the frame, or what is signalled and set behind it. */
const Events *events_at(Reasons *rs, u32 frame, bool before);
/* What control passes the instruction only after. */
const Events *events_waited(Reasons *rs, Point at);
/* What all of an instance certainly signals and sets. */
const Events *events_told(Reasons *rs, InstId inst);
/* reason_stock.c: may the await be of a semaphore that starts with more than 1? */
bool reason_in_stock(Reasons *rs, InstId inst, InsId await);
/* May it be a wait for a semaphore that starts with 1? */
bool reason_primed(Reasons *rs, Point await);
/* reason_order.c */
bool reason_non_parallel(Reasons *rs, u32 a, u32 b, ObjId o);
/* Does some way lead from behind an instruction to stop, or out of the function if `out` says
 * so, on which nothing is waited for that access a tells of? */
bool reason_unawaited(Reasons *rs, Point at, u32 a, InsId stop, bool out);
/* reason_sent.c: has access a's thread sent o before, in a message that b waits for? */
bool reason_sent(Reasons *rs, u32 a, u32 b, ObjId o);
/* May the two instructions, whose first arguments are addresses, be at one cell? */
bool reason_same_cell(const Races *r, Point x, Point y);
/* Does one of the second points work on a cell of one of the first? */
bool reason_meet(const Races *r, const Points *x, const Points *y);
/* reason_raised.c: is what is told a count that starts at 0, is waited to be 0, and that only those
 * raise who tell? */
bool reason_raised_late(const Races *r, Point told, Point wait);
/* reason_early.c: what is v where the only load that it is computed from finds 0?  False: not known. */
bool reason_at_zero(const Ir *ir, const Fn *f, Val v, i64 *out, InsId *load);
/* Does the place start with zero, as far as it is known? */
bool reason_starts_zero(const Pta *p, SlotId s, u32 bytes);
/* reason_reap.c: does b come behind what somebody tells who has waited for a's thread? */
bool reason_reaped(Reasons *rs, u32 a, u32 b);
/* The number of the facts of a frame. */
u32 reason_frame(Reasons *rs, InstId inst, InsId ins);
/* Where the creator comes to the fork of t, from the fork itself to the calls of wrappers that
 * were made for it; returns their number. */
enum { STARTS = 4 };
u32 reason_starts(Reasons *rs, ThreadId t, Point out[STARTS]);
/* reason_restart.c: where the function, on its way to `at`, has waited for the last t, if a flag
 * said that there is one; 0: it may not have. */
InsId reason_settled(Reasons *rs, ThreadId t, Point at);
/* Is the join, in a loop, made for each t of a table of which a flag says that it is there? */
bool reason_asked(Reasons *rs, ThreadId t, Point join);
/* reason_start.c: does the thread of b run at a only if it was started by a doubtful call? */
bool reason_unstarted(Reasons *rs, u32 a, u32 b);
/* reason_first.c: does a set up what is set up once, and b's thread run since whoever started it had passed
 * that? */
bool reason_first(Reasons *rs, u32 a, u32 b);
/* reason_join.c: has a's thread waited for b's, though not certainly, where both touch o? */
bool reason_joined(Reasons *rs, u32 a, u32 b, ObjId o);
/* Does the instruction, a join or a call, wait for x?  all: in each round of its loop. */
bool reason_waits_here(const Races *r, InstId inst, InsId id, const Thread *x, bool all);
/* reason_scope.c: the functions that start the thread, or call what does, and are left only when it
 * has ended; null: there may be another way. */
struct Scopes;
const struct Scopes *reason_scopes(Reasons *rs, ThreadId t);
/* Is the access in one of them, or in what they call? */
bool reason_within(Reasons *rs, u32 access, const struct Scopes *scopes);
/* Is it a call of what leaves no such thread behind? */
bool reason_leaves_none(Reasons *rs, Point call, const struct Scopes *scopes);
/* Was x, which `start` starts, waited for on every way from there to another instruction? */
bool reason_takes_back(const Races *r, Point start, InsId to, const Thread *x);
/* Are the threads started in scopes that one thread enters one after the other, where both touch o? */
bool reason_in_turn(Reasons *rs, u32 a, u32 b, ObjId o);
/* reason_main.c: has a's thread waited for the main thread, which is b's? */
bool reason_behind_main(Reasons *rs, u32 a, u32 b);
/* Does the point come again without coming by the block (0: at all), but for one more try of a call, or
 * fork, that has not returned zero? */
bool reason_repeats(const Races *r, Point at, BlockId by);
/* Is the thread started only where a flag that it or its creator sets says so? */
bool reason_one_at_a_time(Reasons *rs, ThreadId t);
/* reason_cover.c: the head of the loop that ins is in, but for those that only try it again; 0: none
 * has one.  What follows is about that loop, or else the cycle. */
BlockId reason_loop(const Races *r, FnId fn, InsId ins);
/* Is a block that one in the loop leads to out of it? */
bool reason_leaves_loop(const Races *r, FnId fn, BlockId to, InsId ins);
/* Is b the block of a branch that ends it? */
bool reason_ends_cycle(const Races *r, FnId fn, BlockId b, InsId ins);
/* By how much each round of a loop counts the index up or down, however often the loop begins; 0: it
 * does not. */
i64 reason_counts(const Races *r, FnId fn, Val index);
/* If ins is in a loop: does each round of it come to ins, and is none within? */
bool reason_every_round(const Races *r, FnId fn, InsId ins);
/* The test that ends the loop of ins, but for one of what that came to; null if there is more than
 * one, or none. */
const Ins *reason_exit_test(const Races *r, FnId fn, InsId ins);
/* Are the two computed alike from the same constants, variables and registers? */
bool reason_alike(const Ir *ir, const Fn *f, Val v, Val w);
/* The constant that a counter starts with; 0 none. */
Val reason_first_count(const Ir *ir, const Fn *f, Val counter);
/* Does the join's loop come to all that the threads it waits for were started by? */
bool reason_covers_forks(const Races *r, InstId inst, InsId join);
/* reason_split.c */
bool reason_split(Reasons *rs, u32 a, u32 b, SlotId slot);
/* reason_turns.c */
bool reason_turns(Reasons *rs, u32 a, u32 b);
/* reason_elected.c */
bool reason_elected(Reasons *rs, u32 a, u32 b);
/* reason_bucket.c */
bool reason_bucket(Reasons *rs, u32 a, u32 b, ObjId o);
/* The same where the locks are objects, also in what their holders call. */
bool reason_bucket_object(Reasons *rs, u32 a, u32 b, ObjId o);
/* Are both at the element of a variable whose lock, in an array, they chose alike? */
bool reason_element(Reasons *rs, u32 a, u32 b, ObjId o);
/* reason_others.c: does the access's function lock objects like o, but not the one it works on? */
bool reason_others(const Reasons *rs, u32 a, ObjId o);

/* reason_either.c */
bool reason_either(Reasons *rs, u32 a, u32 b);
/* reason_pointed.c: do both hold a lock that they found through one variable? */
bool reason_pointed(Reasons *rs, u32 a, u32 b, ObjId o);
/* reason_passed.c: do those who pass o to a function of the two hold a lock of the other side? */
bool reason_passed(Reasons *rs, u32 a, u32 b, ObjId o);
/* reason_callers.c */
bool reason_callers(Reasons *rs, ObjId o);
/* reason_way.c: does the thread get there only while the process ends, or by a call that it is
 * only guessed to make? */
bool reason_ending(Reasons *rs, u32 access);
bool reason_guessed(Reasons *rs, u32 access);
bool reason_at_rest(Reasons *rs, u32 access);
/* reason_mode.c: the calls that are made only while a mode is at rest. */
const Set *reason_rest_calls(Reasons *rs);
/* Does one of them run in a process that the other is not in? */
bool reason_process(Reasons *rs, u32 a, u32 b, ObjId o);
/* What only a copy of the process does: instructions; null: there is none. */
const Set *reason_copy_code(Reasons *rs);
/* Does t run inst without having become a copy of its process? */
bool reason_in_original(Reasons *rs, ThreadId t, InstId inst);
/* reason_early.c: does b's thread do that only once the main thread, which is a's, has gone further? */
bool reason_early(Reasons *rs, u32 a, u32 b);
/* reason_apart.c: does one side run in one mode only, and the other in another? */
bool reason_apart(Reasons *rs, u32 a, u32 b);
/* In the first function from which single calls lead to both: does no path lead from the one to the other? */
bool reason_not_behind(const Races *r, Point start, Point at);
/* reason_gate.c: does one work only while the other, its creator, waits? */
bool reason_gate(Reasons *rs, u32 a, u32 b);
/* reason_table.c: is one done by hooks that a table has before the one that creates the other's
 * thread? */
bool reason_table(Reasons *rs, u32 a, u32 b);
/* By how much each round of a loop that begins once counts the index up or down; 0: it does not. */
i64 reason_step(const Races *r, FnId fn, Val index);
/* reason_buffers.c: are both at one of two buffers that are handed to and fro? */
bool reason_buffers(Reasons *rs, u32 a, u32 b);
/* reason_lock.c */
/* Does ins call what may take or give back a lock? */
bool reason_moves_locks(Reasons *rs, InstId inst, InsId ins);
bool reason_reentrant(Reasons *rs, u32 a, u32 b);
bool reason_conditional(Reasons *rs, u32 a, u32 b);
/* Has one taken, in a loop, all the locks of an array of which the other holds one? */
bool reason_swept(Reasons *rs, u32 a, u32 b);

/* reason.c: are they at different members of one type of struct?  Two of these do not overlap in part. */
bool reason_members_apart(const Races *r, const Access *x, const Access *y);
/* Does the access store what is computed from what was there: count++, or bits |= x? */
bool updates(const Races *r, const Access *x);

#endif
