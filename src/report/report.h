/* report.h - what users see: functions of a race result and source positions.
 *
 * Nothing is decided here.  Each writer prints one whole report to a stream
 * and gives the same bytes for the same input; source text is looked up at
 * this time, and a missing file costs its lines, nothing else.
 *
 * The JSON report:
 *
 *	{"tool", "version", "inputs": [..],
 *	 "summary": {"files", "functions", "instructions", "threads", "accesses", "races",
 *	             "definite", "likely", "possible", "complete",
 *	             "abridged": are pairs of instructions that behave alike left out},
 *	 "stages": {"original": pairs left, ...},
 *	 "races": [{"id", "rung", "reasons": [..],
 *	            "location": {"name", "kind": "global|thread-local|stack|heap|class|unknown",
 *	                         "file", "line", "size"},
 *	            "pairs": [{"rung", "reasons", "folded_under": id of a race or null,
 *	                       "first": side, "second": side}]}],
 *	 "threads": [{"id", "name", "function", "file", "line", "parent", "unique"}],
 *	 "assumptions": [{"text", "function", "file", "line"}],
 *	 "errors": [{"level", "file", "line", "col", "text"}],
 *	 "phases": [{"name", "seconds", "cpu_seconds", "peak_bytes"}]}     only with stats
 *
 * where a side is {"file", "line", "col", "function", "kind": "read|write|free", "atomic",
 * "volatile", "size", "site", "thread": id, "locks": [{"name", "mode", "file", "line"}],
 * "path": [{"function", "file", "line"}]}, the path from the thread's start down to the
 * access, each line being where its function calls the next.  Races below the level are left
 * out, except those folded under a race that is listed. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/diag.h"
#include "base/phase.h"
#include "race/race.h"

#include <stdio.h>

typedef struct ReportInput {
	const RaceResult *races;
	const Diag *diag;          /* may be null */
	const char *const *inputs; /* as the user named them */
	u32 ninputs;
	const char *const
	    *assumptions; /* of the run, beside those in the IR: bounds that were hit */
	u32 nassumptions;
	const Phases *phases; /* may be null; printed only with stats */
	Rung level;           /* show races at or above */
	bool color;           /* text only */
	bool stats;           /* stage counts, sizes, time and memory per phase */
	const char *version;
} ReportInput;

void report_text(const ReportInput *in, FILE *to);
void report_json(const ReportInput *in, FILE *to);
void report_sarif(const ReportInput *in, FILE *to);
/* The number of races at or above the level: what the exit code depends on. */
u32 report_shown(const ReportInput *in);
/* Should text to this stream be coloured?  A terminal, and NO_COLOR not set. */
bool report_wants_color(FILE *to);

#endif
