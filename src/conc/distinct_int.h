/* distinct_int.h - what distinct.c, distinct_form.c, distinct_load.c and
 * distinct_range.c share. */
#ifndef CONC_DISTINCT_INT_H
#define CONC_DISTINCT_INT_H

#include "conc/distinct.h"
#include "conc/entry.h"
#include "conc/term.h"
#include "ir/induction.h"

typedef enum FormKind {
	FORM_UNSET,
	FORM_NONE,
	FORM_INT,  /* add + scale * n */
	FORM_ADDR, /* base + add + scale * n; base is one place */
	FORM_OWN   /* add bytes into the object of site base that round n made */
} FormKind;

/* What n stands for. */
typedef enum FormOf {
	OF_COUNTER, /* the loop's counter */
	OF_TICKET,  /* a ticket of the cell var */
	OF_TERM,    /* the number that term var is */
	OF_SHARE,   /* a number of share var: each number is one instance's */
	OF_BELOW,   /* a number from 0 on that is less than term var */
	OF_UPTO     /* a number that is at most term var, but for the last instance */
} FormOf;

typedef struct Form {
	u32 kind;
	u32 base; /* SlotId; for FORM_OWN the register that holds it in the creator, or OWN_BELOW
		   * and the object that a function makes which the creator calls once a round */
	i64 scale, add;
	u32 of, var; /* what n stands for */
	i64 span;    /* the value is one of add .. add + span, */
	i64 grain;   /* of which they are multiples more than add; 0: any */
	i64 mod;     /* or any number of times mod more or less; 0: no */
	bool turn;   /* where the multiples of n stay within one mod */
} Form;

/* FORM_OWN is about one object, but for these bases: one of a row's family, or any
 * that the instance, or its creator for it, has made. */
#define OWN_BELOW 0x80000000u
#define OWN_ROW 0x40000000u
#define OWN_SELF 0x20000000u
/* For FORM_ADDR, in families only: the start of whatever object the pointer is to. */
#define BASE_START 0x80000000u
/* Anywhere in such an object. */
#define OWN_SOMEWHERE ((i64)1 << 40)
#define FORM_UNKNOWN ((Form){.kind = FORM_NONE})

/* What is known of one thread that is forked again and again.  A round is one
 * of the loop around the fork or, where there is none, an activation of the
 * creator. */
typedef struct Maker {
	InstId inst; /* the creator */
	InsId fork;
	InstId wrapper;     /* what `fork` calls, itself or by others, forks: there, */
	InsId wrapped_fork; /* and so; 0: it is the fork itself */
	const Cfg *cfg;
	u32 loop;
	Val counter; /* the loop's phi, if each of its values is live once; else 0 */
	Val first;   /* where it is an address: n counts steps from here, of so many bytes */
	i64 step;
	bool bounded; /* it is one of lo .. hi - 1 */
	bool rises;   /* it is lo or more, at least */
	i64 lo, hi;
	TermId end;      /* it is less than this; 0 not known */
	ThreadId joined; /* the loop does not fork but join this one, at `fork` */
	Map params;      /* (inst, parameter) -> index in d->forms */
} Maker;

typedef struct Write {
	InstId inst;
	InsId ins;
	u32 touch;
	const struct Write *next; /* of the same object */
} Write;

struct Distinct {
	Arena *arena;
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	const Fresh *fresh;
	const Order *order;
	struct Steady *steady;
	Entries *entries; /* null unless small */
	bool small;       /* few enough of them to look at every thread's accesses */
	bool assumes;     /* some condition is assumed */
	bool tickets;     /* some atomic addition could draw one */
	Maker **makers;   /* [ThreadId], null where the thread is none of a loop's */
	Vec(Form) forms;
	struct Writes *writes;      /* null: not listed yet */
	u32 *entry_of, *entry_next; /* [InstId], [entry]: those of an instance; null: not listed */
	const struct Flags *flags;  /* null: not known yet, or none */
	Map machines; /* (SlotId, width) -> 1: no tickets are drawn there; else how far apart plus 1 */
	Intern families, extents, shares;
	Terms terms;
	Map cfgs;          /* FnId -> index of: */
	Vec(Cfg *) cfg;    /* [0..) of threads' functions */
	Map compared_of;   /* FnId -> index in, plus 1: */
	Vec(Set) compared; /* registers that conditions compare with something */
	Map local_of;      /* (ThreadId, SlotId) of a thread-local variable -> index, plus 1, in: */
	Vec(struct Local *) locals;
	Map once;        /* ObjId -> 2: holds each object once; 1: not known to */
	ThreadId *only;  /* [InstId]: the one thread that runs it */
	u32 nested;      /* loads by the creator that are being looked up */
	u32 choices;     /* that are being looked up */
	u32 tests;       /* the same, in distinct_test.c */
	InstId use_inst; /* the access whose address is evaluated; 0 none */
	InsId use;
	ThreadId last_thread; /* the last access whose address was evaluated, and that */
	InstId last_inst;
	InsId last_use;
	Val last_addr;
	Form last;
};

/* distinct.c: the form of v in thread t. */
Form form_eval(Distinct *d, ThreadId t, InstId inst, Val v, u32 depth);

/* distinct_form.c */
static inline bool
form_constant(const Form *f)
{
	return f->kind == FORM_INT && !f->scale && !f->span && !f->mod;
}
static inline bool
form_const_null(const Ir *ir, Val v)
{
	return val_is_const(v) && ir_const(ir, v)->kind == CONST_NULL;
}
bool form_same(Form x, Form y);
/* Is it one number, or place, of n? */
static inline bool
form_exact(const Form *f)
{
	return (f->kind == FORM_INT || f->kind == FORM_ADDR) && f->of != OF_TICKET &&
	       f->of <= OF_TERM && !f->span && !f->mod;
}
/* The term of an exact number, 0 none; and the number of a term. */
TermId form_term(Distinct *d, const Form *f);
Form form_of_term(Distinct *d, TermId x);
Form form_shift(Form f, i64 by);
Form form_combine(Distinct *d, const Ins *ins, Form x, Form y);
/* What the OP_INDEX gives; the base is one certain place. */
Form form_element(Distinct *d, const Ins *ins, Form base, Form index);
/* An address that is one exact place of one single object. */
Form form_place(const Distinct *d, InstId inst, Val v);
Form form_const(const Distinct *d, InstId inst, Val v);
/* A cast keeps the value if it cannot cut off what tells instances apart. */
Form form_cast(const Ins *ins, Form f);
/* What v is in the creator, when it forks. */
Form form_creator(Distinct *d, const Maker *m, Val v, u32 depth);
/* The only call of inst; null: there are several, or it is no call. */
const Edge *only_call(const Distinct *d, InstId inst);
/* What v is in inst, a function that the creator calls before it forks. */
Form form_made(Distinct *d, const Maker *m, InstId inst, Val v, u32 depth);
/* The creator's instruction by which ins of inst certainly ran: itself, or a call
 * that alone leads there; 0 none. */
InsId made_by(Distinct *d, const Maker *m, InstId inst, InsId ins);
/* Has the round always passed it when it forks?  may_skip: or never does, where a function that it
 * calls returns without. */
bool made_before(Distinct *d, const Maker *m, InstId inst, InsId ins, bool may_skip);
/* Has the instruction run, in this round, when the thread is forked? */
bool before_fork(const Maker *m, InsId ins);

/* distinct_ticket.c */
/* The ticket that an atomic addition draws, if all writes to its cell are such. */
Form form_ticket(Distinct *d, InstId inst, const Ins *ins);
/* The one that a load and a store draw, in a critical section. */
Form form_locked_ticket(Distinct *d, InstId inst, InsId load, Form at);
bool is_ticket_machine(const Ir *ir, const Ins *ins);

/* distinct_load.c */
/* What the creator finds at an address of that form that each round has stored there. */
Form form_stored(Distinct *d, const Maker *m, InsId load, Form at);
/* What thread t finds at an address of that form. */
Form form_load(Distinct *d, ThreadId t, InstId inst, InsId load, Form at);
/* The values that the counter of a loop has: from *lo to *hi - 1, one by one. */
bool counter_bounds(Distinct *d, const Maker *m, const Counter *c, i64 *lo, i64 *hi);
/* What the instance that m's loop has joined returned, where the load finds that. */
Form form_returned(Distinct *d, const Maker *m, InsId load, Form at);
/* Does it start at a constant and go up from there? */
bool counter_rises(Distinct *d, const Maker *m, const Iv *iv, i64 *lo);
/* The number in a global that nobody writes. */
Form form_never_written(Distinct *d, const Ins *load, Form at);

/* distinct_tls.c: what thread t finds in the thread-local variable that the load names. */
Form form_thread_local(Distinct *d, ThreadId t, InstId inst, InsId load);

/* distinct_write.c */
/* The entries of an instance that are not dead: the first, 0 none, and the one behind it. */
u32 distinct_entry(Distinct *d, InstId inst);
static inline u32
distinct_entry_next(const Distinct *d, u32 entry)
{
	return d->entry_next[entry];
}
/* Does the write, of which bytes at the slot are asked, meet them? */
bool write_meets(const Distinct *d, const Write *w, SlotId slot, u64 bytes);
/* The same of those that lie `off` bytes behind the slot. */
bool write_meets_behind(const Distinct *d, const Write *w, SlotId slot, i64 off, u64 bytes);
/* Is it the main thread's, and no other thread is running? */
bool write_alone(Distinct *d, const Write *w);
/* Does it store a null pointer, of these bytes? */
bool write_clears(const Distinct *d, const Write *w, u64 bytes);
/* The first of the writes to an object, the last in the program; null: there are none. */
const Write *distinct_writes(Distinct *d, ObjId o);

/* distinct.c: the family of a form in thread t; 0 if it keeps nobody apart. */
u32 family_of(Distinct *d, ThreadId t, Form f, u64 size);

/* distinct_own.c */
/* What thread t finds at an element of its own, of an array that holds each object once. */
Form form_row(Distinct *d, ThreadId t, const Ins *load, Form at);
/* What thread t finds in an object of its own to which only its own are stored. */
Form form_kept(Distinct *d, ThreadId t, InstId inst, const Ins *load, Form at);
/* What thread t allocates itself. */
Form form_self_made(Distinct *d, ThreadId t, InstId inst, const Ins *alloc);

/* distinct_share.c */
/* The number that the same place has for all instances of t, and for the creator,
 * while they live. */
Form form_steady(Distinct *d, ThreadId t, InstId inst, InsId load, Form at);
Form form_steady_creator(Distinct *d, const Maker *m, InsId load, Form at);
/* The values from x up to y - 1, or a part of them. */
Form share_between(Distinct *d, Form x, Form y);
/* The phi of a loop that steps by as many as there are instances. */
Form form_strided(Distinct *d, ThreadId t, InstId inst, const Cfg *c, u32 loop, InsId phi,
		  u32 depth);
/* x + y and x * y, if they are some of the instance's own. */
Form share_sum(Distinct *d, Form x, Form y);
Form share_product(Distinct *d, Form x, Form y);
/* What an OP_SELECT, or a phi where two ways meet, gives: values are asked of eval. */
typedef Form (*FormEval)(Distinct *d, const void *side, Val v, u32 depth);
Form form_choice(Distinct *d, const Maker *m, const Cfg *c, InsId at, FormEval eval,
		 const void *side, u32 depth);
/* Is v the lesser, or the greater, of two numbers?  Gives both. */
bool form_least_of(Distinct *d, const Cfg *c, Val v, FormEval eval, const void *side, u32 depth,
		   Form *x, Form *y);
bool form_most_of(Distinct *d, const Cfg *c, Val v, FormEval eval, const void *side, u32 depth,
		  Form *x, Form *y);
/* A number that the creator's loop adds up beside its counter. */
Form form_running(Distinct *d, const Maker *m, InsId phi, u32 depth);
/* Where the creator's counter ends. */
TermId maker_end(Distinct *d, const Maker *m);
/* An address that is so many units behind a base; and back. */
Form form_units(Form at, u32 base, i64 unit);
Form form_behind(Distinct *d, u32 base, Form units, i64 unit);
/* All bytes from f on that the block operation ins writes or reads, of one length. */
Form share_block(Distinct *d, ThreadId t, InstId inst, const Ins *ins, Form f);
/* The share whose numbers are the bytes of numbers of the share times scale; 0 none. */
u32 share_bytes(Distinct *d, u32 var, i64 scale);
/* Lets m be about the rounds of a loop with that counter. */
void maker_counts(Maker *m, const Iv *iv);

/* distinct_range.c */
/* The counter of a loop, at the access. */
Form form_phi(Distinct *d, ThreadId t, InstId inst, InsId phi, u32 depth);
/* The same of a select. */
Form form_select(Distinct *d, ThreadId t, InstId inst, InsId select, u32 depth);
/* What a test that the access lies behind says of v: that its remainder is known. */
Form form_residue(Distinct *d, ThreadId t, InstId inst, Val v, u32 depth);
/* distinct_test.c: a phi, or the result of a call, of which a test before the access says that it
 * is none of its constants. */
Form form_tested(Distinct *d, ThreadId t, InstId inst, Val v, u32 depth);
/* distinct_within.c: what a BIN gives, in the creator m or a thread of it; m may be null. */
Form form_bin(Distinct *d, const Maker *m, const Ins *ins, Form x, Form y);
/* The range in which conditions say that register v lies at the access. */
Form form_within(Distinct *d, InstId inst, Val v);
const Cfg *distinct_cfg(Distinct *d, FnId f);
/* What is 0 for the one instance of t that gets to ins; 0 if others may. */
TermId form_alone(Distinct *d, ThreadId t, InstId inst, InsId ins);

#endif
