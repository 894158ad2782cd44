/* entry_call.h - where the calls of an instance lead. */
#ifndef CONC_ENTRY_CALL_H
#define CONC_ENTRY_CALL_H

#include "conc/entry.h"

/* A call and the state, locks left out, in which it enters its callee. */
typedef struct EntryCall {
	u32 edge;
	OrderId order;
	FreshMask fresh;
} EntryCall;

EntryCalls *entry_calls_new(Arena *a);
/* The calls that the thread makes in the instance when it was entered by en, in block order;
 * valid until the next question. */
const EntryCall *entry_calls(Entries *e, const Entry *en, u32 *n);
/* The locks held where that call enters its callee; *forgets: the caller holds others as well, which
 * have no name there. */
LocksetId entry_call_held(Entries *e, const Entry *en, u32 edge, bool *forgets);

#endif
