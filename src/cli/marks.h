/* marks.h - what people have said of races before: suppressions, a baseline,
 * verdicts.  Everything becomes a Mark of each race for the report. */
#ifndef CLI_MARKS_H
#define CLI_MARKS_H

#include "base/json.h"
#include "cli/commands.h"
#include "report/report.h"

/* A JSON report that was saved, of one program or several. */
typedef struct SavedRace {
	const JsonVal *race, *doc; /* doc: the report of its program */
	const char *id;
} SavedRace;
typedef struct Saved {
	Vec(SavedRace) races;
} Saved;

/* Reads it; false after a diagnostic. */
bool saved_read(Run *run, const char *path, Saved *s);
/* The same for the n bytes of text that path stands for. */
bool saved_parse(Run *run, const char *path, const char *text, size_t n, Saved *s);
/* The race whose id is or starts with id; null after a diagnostic if there is
 * none, or more than one. */
const SavedRace *saved_find(Run *run, const Saved *s, const char *id);

typedef struct Verdict {
	const char *id, *word, *note;
	const char *above; /* comments and empty lines, as they are */
} Verdict;
typedef struct Verdicts {
	Vec(Verdict) list;
	const char *end; /* as above, behind all of them */
} Verdicts;

/* Reads the triage file of the command line, or the one that is there anyway;
 * false after a diagnostic. */
bool triage_read(Run *run, Verdicts *out);

/* How a rule of a suppressions file picks pairs of accesses. */
typedef enum RuleKind {
	RULE_ID,       /* race ID */
	RULE_LOCATION, /* location GLOB */
	RULE_FUNCTION, /* function GLOB: of either access */
	RULE_FILE,     /* file GLOB: of either access */
	RULE_ANY,      /* race:TEXT: location, or a function or file of either path */
	RULE_TOP,      /* race_top:TEXT: function or file of either access */
	RULE_LINES     /* a comment in the source: lines from to last of a file */
} RuleKind;
typedef struct Rule {
	RuleKind kind;
	const char *pattern; /* an id, or a glob of the whole name */
	const char *reason;
	StrId source;     /* LINES: the file */
	u32 from, last;   /* LINES */
	const char *file; /* where the rule is */
	u32 line;
	bool used;
} Rule;
typedef Vec(Rule) Rules;

/* Reads the suppressions files of the command line; false after a diagnostic. */
bool rules_read(Run *run, Rules *out);
/* Adds the comments in the sources of the program. */
void rules_scan(Run *run, const RaceResult *races, Rules *out);
/* Gives each race that is suppressed its reason, and warns of rules without a
 * race; or with run->rules writes there which have one. */
void rules_apply(Run *run, Rules *rules, const RaceResult *races, Rung level, Mark *marks);
/* Warns of the rules without a race in any of the programs that have written to from. */
void rules_unused(Run *run, FILE *from);

/* Fills in what the options say: in->marks, in->baseline, in->absent.  False
 * after a diagnostic. */
bool marks_build(Run *run, ReportInput *in);

#endif
