/* race.h - pairs of accesses, through the stages, onto the evidence ladder. */
#ifndef RACE_RACE_H
#define RACE_RACE_H

#include "conc/conc.h"

typedef enum Rung { RUNG_EXCLUDED, RUNG_POSSIBLE, RUNG_LIKELY, RUNG_DEFINITE, RUNG_CONFIRMED } Rung;

#define RACE_STAGES(X)                                                                             \
	X(ORIGINAL, "original") X(REACHABLE, "reachable") X(ALIASING, "aliasing")                  \
	X(ESCAPING, "escaping") X(PARALLEL, "parallel") X(UNGUARDED, "unguarded")
typedef enum Stage {
#define X(name, text) STAGE_##name,
	RACE_STAGES(X)
#undef X
	    STAGE_COUNT
} Stage;

/* Why a pair is only possible: RELAY's six categories, then our own.  Each
 * is decided by an analysis of the pair, never by a name. */
#define RACE_REASONS(X)                                                                            \
	X(INITIALIZATION, "initialization", "one side works on an object that its own thread made and may not have published yet") \
	X(UNLIKELY_ALIAS, "unlikely-aliasing", "the two accesses meet only in an object that stands for many") \
	X(UNSHARING, "unsharing", "the object was unlinked from shared memory under a lock just before") \
	X(OWN_TASK, "own-task", "both work at places that tasks name which were taken from a queue, or that workers have for themselves, each its own") \
	X(CLAIMED, "claimed-under-lock", "each side has claimed its element under a lock, and nobody else gets it before it is given back") \
	X(FILLED, "filled-under-lock", "it was made and written under a lock, once, and the other side has found that under the lock") \
	X(SPLIT, "split-by-recursion", "a recursion starts the threads, and as a rule gives each of them a part of its own") \
	X(REENTRANT, "re-entrant-lock", "a lock may still be held: it was acquired more often than released") \
	X(NON_PARALLEL, "non-parallel-threads", "program logic orders the two threads: a flag, a signal or a wait") \
	X(CONDITIONAL, "conditional-locking", "a lock is held on some of the paths to the access") \
	X(INTERRUPT, "signal-handler", "a signal handler may run in the very thread that it meets") \
	X(VOLATILE, "volatile", "each access is volatile or atomic, one of them volatile") \
	X(FOLDED, "folded-object", "the object has too many parts to tell them apart") \
	X(UNKNOWN, "unknown-code", "only unknown code makes the two meet") \
	X(OWNER_LOCK, "owner-lock", "both sides hold the lock of an object that leads there, which is not shown to be one and the same") \
	X(OTHER_CALLERS, "other-callers", "the calls that can pass this object there hold a lock that the other side holds, or are another thread's") \
	X(NOT_PARALLEL, "said-not-parallel", "the project says that the two never run at once") \
	X(NOT_SHARED, "said-not-shared", "the project says that two threads never use it at once") \
	X(CONFINED, "not-thread-safe", "its class is annotated as not thread-safe or confined to a thread") \
	X(CALLERS, "callers-object", "the callers give one object of theirs, which the library never locks, to two calls at once") \
	X(ENDING, "process-ending", "one side runs only while an error is reported from which the code does not come back") \
	X(PROCESS, "other-process", "one side runs in a copy of the process, whose memory is its own") \
	X(UNLIKELY_CALL, "unlikely-call", "one side is reached, or its thread started before the other, only by a call that is hardly meant: through a pointer of which too little is known, which the thread's creator makes, too, or back from an external function that was given something else") \
	X(SAFE, "thread-safe-library", "inside a library's class that threads may share, as its documentation says") \
	X(LIBRARY, "library", "one side is not called from the program's own code, or both are on something that the library made, by calls on objects that have nothing in common") \
	X(PUBLICATION, "publication", "can only happen if the race on the publishing pointer does")
typedef enum Reason {
#define X(name, text, why) REASON_##name,
	RACE_REASONS(X)
#undef X
	    REASON_COUNT
} Reason;

/* What a wrong value could do there: the serious first (RELAY, Figure 13). */
#define RACE_HARMS(X)                                                                              \
	X(FREED, "freed-memory", "one side frees the memory")                                       \
	X(POINTER, "pointer", "the value is used as a pointer")                                     \
	X(BOUND, "loop-bound", "the value ends a loop")                                             \
	X(INDEX, "index", "the value is used as an index")                                          \
	X(VALUE, "value", "the value is not used for memory accesses")
typedef enum Harm {
#define X(name, text, why) HARM_##name,
	RACE_HARMS(X)
#undef X
	    HARM_COUNT
} Harm;

/* What would fix a race. */
#define RACE_CAUSES(X)                                                                             \
	X(MISSING_LOCK, "missing-lock")     /* a lock that is held elsewhere is not held here */    \
	X(SHARED_LOCK, "shared-lock")       /* the common lock is held for reading only */          \
	X(DIFFERENT_LOCKS, "different-locks")                                                       \
	X(MIXED_ATOMIC, "mixed-atomic")     /* only one of the accesses is atomic */                \
	X(EARLY_FREE, "early-free")         /* freed while another thread may still use it */       \
	X(HANDED_OUT, "handed-out")         /* a library gives its callers what it goes on using */ \
	X(NO_LOCK, "no-lock")
typedef enum CauseKind {
#define X(name, text) CAUSE_##name,
	RACE_CAUSES(X)
#undef X
	    CAUSE_COUNT
} CauseKind;

/* Races that one change would fix. */
typedef struct Cause {
	CauseKind kind;
	const char *text; /* what is wrong, as a sentence without its stop */
	const char *fix;  /* what would mend it, likewise */
	SrcId at;         /* of which fix speaks; 0: of none */
	u32 cut;          /* after so many bytes of it */
	VecU32 races;     /* indices; the first explains the others */
} Cause;

/* A lock that is held at most of the accesses of a location. */
typedef struct NearMiss {
	const char *lock;         /* null: there is none */
	u32 held, of;             /* places in the source */
	bool at_first, at_second; /* of the best pair */
} NearMiss;

/* An unordered pair of access instructions, with the contexts that race most surely. */
typedef struct Pair {
	u32 a, b;              /* indices into conc->accesses; the write first */
	SlotId slot_a, slot_b; /* where they meet */
	Rung rung;
	u32 reasons;      /* bits 1 << Reason */
	u32 folded_under; /* 1-based index of the race whose cause explains it, 0 none */
} Pair;

/* The program's call that led to an access in a library. */
typedef struct Use {
	InsId call;
	InstId inst; /* where that is */
	FnId callee;
} Use;

/* One racing location with its pairs. */
typedef struct Race {
	char id[17]; /* fingerprint: stable under edits elsewhere */
	ObjId obj;
	SlotId slot; /* a representative */
	u64 size;
	Rung rung;        /* the highest of its pairs */
	u32 reasons;      /* of its best pair */
	u32 pair, npair;  /* in result->pairs; the best first */
	const char *name; /* "g", "stats.hits", "conn->refs" */
	const char
	    *made; /* "global 'g' declared", "heap block allocated in f": what it is a part of */
	SrcId src; /* where that is */
	const char *said; /* what annotations promise of it, as a sentence; null: nothing */
	ObjId used;       /* all its pairs are calls on this object of a library; 0: they are not */
	Harm harm;
	u32 under; /* 1-based index of the race without which it cannot happen, 0 none */
	u32 cause; /* index in result->causes */
	NearMiss near;
} Race;

typedef struct RaceOptions {
	bool without[STAGE_COUNT]; /* ablation */
	bool volatile_races;  /* volatile accesses race like any other (default: one rung lower) */
	bool volatile_atomic; /* or never */
	const char *source_path; /* where else sources are, with colons between; may be null */
	/* what the project says (note.c): "A | B" or "A", globs of functions; globs of fields
	 * and classes */
	const char *const *apart, *const *local;
	u32 napart, nlocal;
	bool no_schedules; /* small programs are not run under every schedule */
	bool list;         /* also list all pairs of each stage */
	bool site_locks;   /* locks exclude by allocation site: site_lock.c; unsound */
	bool
	    elide_constructors; /* accesses in constructors, initialisers and finalizers are left out */
} RaceOptions;

/* A pair of accesses in their contexts, and the last stage that keeps it. */
typedef struct Listed {
	Stage stage;
	u32 a, b; /* in conc->accesses */
} Listed;

typedef struct RaceResult {
	const Conc *conc;
	Arena *arena;
	u64 count
	    [STAGE_COUNT]; /* distinct unordered pairs of access instructions left after each stage */
	Vec(Pair) pairs;
	Vec(Race) races; /* [0..): the highest rung first, then the worst harm, then by position */
	Vec(Cause) causes;       /* [0..): in the order of their first races */
	struct Sources *sources; /* text of the program, for fingerprints and reports */
	Set racing_ins;          /* the instructions that some pair has */
	bool has_list;           /* the program was small enough for: */
	Vec(Listed) listed;
	Vec(Use) uses;
	Map use_of; /* access + 1 -> index + 1 in uses */
	Map rung_of; /* map_pair(min InsId, max InsId) -> Rung: every pair that is listed, once asked */
	u32 by_rung[RUNG_CONFIRMED + 1];
	bool abridged; /* some pairs are not listed, only counted; then also: */
	u32 *unit_at;  /* [ins * 2 + second]: unit; 0 none */
	u32 *group_of; /* [unit]: its group, of those that behave alike; 0: not reached */
	Set *racing;   /* [group]: those with which no stage keeps it apart */
	struct ShownLocks *shown; /* of a result that was kept; null: conc->locks is there */
} RaceResult;

RaceResult *race_find(Arena *a, const Conc *c, const RaceOptions *opt);

/* keep.c: a complete result as bytes, with all that reports ask for; not what
 * opt->list and race_pair_rung need, nor racing_ins. */
struct Key;
void race_write(const RaceResult *r, struct Key *to);
/* The result of the same program and options; null: these bytes are none. */
RaceResult *race_read(Arena *a, const Ir *ir, const RaceOptions *opt, const u8 *bytes, size_t n);
/* The locks that a report shows for a lockset of inst, and for a call in it: those that
 * inst itself took. */
u32 race_locks(const RaceResult *r, InstId inst, LocksetId held, const HeldLock **out);
u32 race_locks_before(const RaceResult *r, InstId inst, InsId call, const HeldLock **out);
/* held.c: all locks that the shown path of an access holds there, and where each was taken. */
u32 race_side_locks(const RaceResult *r, u32 access, const HeldLock **out);
/* Are the locks of the path's frames asked for? */
bool race_asks_frames(const RaceResult *r, u32 access);
/* The rung of a pair of instructions, over all its contexts; a pair that is
 * not listed is at least possible, and given as that. */
Rung race_pair_rung(RaceResult *r, InsId a, InsId b);
/* The call that led to an access in a library; null if it is the program's own. */
const Use *race_use(const RaceResult *r, u32 access);
/* The calls to the function that is shown, outermost first. */
u32 race_path(const RaceResult *r, u32 access, Arena *a, const Edge ***out);
/* Where the program's code is, or calls what is, at the access. */
InsId race_shown_ins(const RaceResult *r, u32 access);
InstId race_shown_inst(const RaceResult *r, u32 access);
const char *rung_name(Rung r);
const char *stage_name(Stage s);
const char *reason_name(Reason r);
const char *reason_text(Reason r);
const char *harm_name(Harm h);
const char *harm_text(Harm h);
const char *cause_name(CauseKind k);
/* A method without the package of its class: "Pool.add", "new Pool"; the name of a function. */
const char *race_fn_brief(const Ir *ir, const Fn *f, Arena *a);
/* How causes speak of a position: " at f.c:12", or nothing. */
const char *cause_position(const Ir *ir, SrcId at, Arena *a);

/* definite.c: is a racing run of this pair certain to exist? */
struct Definite;
struct Definite *definite_new(Arena *a, const Conc *c);
bool definite_pair(struct Definite *d, const Access *a, const Access *b, SlotId slot_a,
		   SlotId slot_b);

#endif
