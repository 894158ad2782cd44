/* report.h - what users see: functions of a race result and source positions.
 *
 * Nothing is decided here.  Each writer prints one whole report to a stream
 * and gives the same bytes for the same input; source text is looked up at
 * this time, and a missing file costs its lines, nothing else.
 *
 * The JSON report:
 *
 *	{"tool", "version", "inputs": [..],
 *	 "summary": {"files", "functions", "instructions", "dead_blocks", "threads", "accesses", "races",
 *	             "definite", "likely", "possible", "suppressed", "unchanged", "absent",
 *	             "triage": {"real", "benign", "false", "open"}, "complete",
 *	             "abridged": are pairs of instructions that behave alike left out},
 *	 "stages": {"original": pairs left, ...},
 *	 "java": {"classes", "methods", "bodies", "modelled", "skipped", "instances"},
 *	         only if some was read
 *	 "causes": [{"kind": "missing-lock|shared-lock|different-locks|mixed-atomic|early-free|handed-out|
 *	                      no-lock", "text", "fix", "races": [id, ..]}],
 *	 "races": [{"id", "rung", "reasons": [..], "shown": does it count for the exit status,
 *	            "harm": "freed-memory|pointer|loop-bound|index|value",
 *	            "follows_from": id of the race without which it cannot happen, or null,
 *	            "near_miss": null or {"lock", "held", "accesses", "at_first", "at_second"},
 *	            "suppressed": null or {"reason", "by": "comment|file"},
 *	            "baseline": null, "new" or "unchanged",
 *	            "triage": null or {"verdict": "real|benign|false", "note"},
 *	            "location": {"name", "kind": "global|thread-local|stack|heap|class|unknown",
 *	                         "made": what it is a part of, "file", "line", "size"},
 *	            "pairs": [{"rung", "reasons", "folded_under": id of a race or null,
 *	                       "first": side, "second": side}],
 *	            "pairs_left_out": of more than 1,024, those of accesses that are there}],
 *	 "threads": [{"id", "name", "function", "file", "line", "parent", "unique"}],
 *	 "assumptions": [{"text", "function", "file", "line"}],
 *	 "errors": [{"level", "file", "line", "col", "text"}],
 *	 "phases": [{"name", "seconds", "cpu_seconds", "peak_bytes"}]}     only with stats
 *
 * where a side is {"file", "line", "col", "function", "kind": "read|write|free", "atomic",
 * "volatile", "size", "site", "thread": id, "locks": [{"name", "mode", "file", "line"}],
 * "path": [{"function", "file", "line"}]}, the path from the thread's start down to the
 * access, each line being where its function calls the next; with "called" and "inner" where the
 * access is in a library: the function that the program called, and the path from there on; and
 * with --paths all "graph": {"start", "end", "nodes": [{"id", "function"}], "edges": [{"from",
 * "to", "at"}]}, of which each path from start to end is a call path.  With --view field or object
 * there is "view": {"by", "categories": [{"name", "pairs", "races": [id, ..]}]}.  Races below the level are left
 * out, except those folded under a race that is listed; suppressed and known ones are there.
 * A document of several programs is {"tool", "version", "programs": [..]}, each element as above
 * without these two and with its name as "program". */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/diag.h"
#include "base/phase.h"
#include "race/race.h"

#include <stdio.h>

/* What people have said of a race before. */
typedef struct Mark {
	const char *suppressed; /* the reason; null: it is not */
	bool in_source;         /* by a comment rather than a file */
	u32 left;               /* some pairs are, and this one of races->pairs, plus 1, is not */
	bool known;             /* the baseline has it */
	const char *verdict;    /* "real", "benign" or "false"; null: not looked at */
	const char *note;       /* beside the verdict; may be "" */
} Mark;

typedef enum ReportView { VIEW_CAUSE, VIEW_FIELD, VIEW_OBJECT } ReportView;

typedef struct ReportInput {
	const RaceResult *races;
	const Mark *marks;         /* [race]; null: none is marked */
	const char *baseline;      /* the file that known ones are from; may be null */
	u32 absent;                /* races of the baseline that are no longer found */
	const char *program;       /* its name, where a document holds several; may be null */
	bool part;                 /* json, sarif: only this program's element of such a document */
	const Diag *diag;          /* may be null */
	const char *const *inputs; /* as the user named them */
	u32 ninputs;
	const char *const
	    *assumptions; /* of the run, beside those in the IR: bounds that were hit */
	u32 nassumptions;
	u32 dead_blocks;      /* of the program, which never run: not among its instructions */
	const Phases *phases; /* may be null; printed only with stats */
	Rung level;           /* show races at or above */
	ReportView view;      /* how races are grouped */
	bool all_paths;       /* json: also the graph of all call paths to each access */
	u32 classes, methods, bodies, modelled,
	    skipped;                 /* of Java that was read; no classes: none was */
	u32 root_notes, local_notes; /* annotations that were used */
	bool color;                  /* text only */
	bool stats;                  /* stage counts, sizes, time and memory per phase */
	const char *version;
	/* sarif, github: files below root, an absolute path, are named from there on; null: as they
	 * are.  cwd is what other names are relative to. */
	const char *root, *cwd;
} ReportInput;

void report_text(const ReportInput *in, FILE *to);
void report_json(const ReportInput *in, FILE *to);
void report_sarif(const ReportInput *in, FILE *to);
/* One race in a line, as it stands in the JSON report, with its program. */
void report_jsonl(const ReportInput *in, FILE *to);
/* Workflow commands that annotate the lines of a change on GitHub. */
void report_github(const ReportInput *in, FILE *to);
/* The interthread call graph (Choi et al. 2001, Figure 3) of the program's own
 * functions, in DOT or JSON: calls, and starts of threads; what lies between two
 * of them in libraries is one edge. */
void report_icg(const ReportInput *in, bool json, FILE *to);
/* The stable names of the accesses that are in no racing pair, one per line. */
void report_sites(const ReportInput *in, FILE *to);
/* The pairs of accesses, with their contexts, that each stage keeps, one per
 * line.  False: the program is too large for that. */
bool report_pairs(const ReportInput *in, FILE *to);
/* The number of races at or above the level, less those that are suppressed or
 * in the baseline: what the exit code depends on. */
u32 report_shown(const ReportInput *in);

/* One document of several programs: begin, the parts (as written with
 * in->part) with a comma between them, end. */
void report_json_begin(FILE *to, const char *version);
void report_json_end(FILE *to);
void report_sarif_begin(FILE *to);
void report_sarif_end(FILE *to);
/* Is it a terminal that knows more than to show what it gets, as editors' do? */
bool report_is_terminal(FILE *to);
/* Should text to this stream be coloured?  A terminal, and NO_COLOR not set. */
bool report_wants_color(FILE *to);

#endif
