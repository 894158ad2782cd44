/* options.h - every option, declared once: the struct, the parser and --help
 * come from this table. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/opt.h"

enum {
	CMD_CHECK = 1,
	CMD_IR = 2,
	CMD_BUILD = 4,
	CMD_EXPLAIN = 8,
	CMD_TRIAGE = 16,
	CMD_SAMPLE = 32,
	CMD_COMPLETION = 64,
	CMD_MAN = 128,
	CMD_CACHE = 256,
	CMD_REPORTS = CMD_CHECK | CMD_BUILD,
	CMD_SETTINGS = CMD_CACHE * 2 - 1 - CMD_COMPLETION - CMD_MAN, /* that concord.toml is for */
	CMD_CHECKS = CMD_REPORTS | CMD_EXPLAIN
};
enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_JSONL, FORMAT_SARIF, FORMAT_GITHUB };

/* kind, type, field, default, letter, name, value, commands, help */
#define OPTIONS(X)                                                                                 \
	X(GROUP, char, group_output, 0, 0, "Output", NULL, CMD_CHECKS | CMD_IR | CMD_SAMPLE, NULL)  \
	X(ENUM, u32, level, 1, 0, "level", "possible|likely|definite", CMD_REPORTS,                 \
	  "show races at this rung or above (default: likely)")                                    \
	X(ENUM, u32, format, 0, 0, "format", "text|json|jsonl|sarif|github", CMD_REPORTS,           \
	  "how to write the report; jsonl is one race per line, github annotates the lines of a "  \
	  "change in a workflow (default: text)")                                                  \
	X(STR, const char *, output, NULL, 'o', "output", "FILE",                                   \
	  CMD_CHECKS | CMD_IR | CMD_SAMPLE, "write to FILE instead of standard output")            \
	X(STR, const char *, ask, NULL, 0, "ask", "FILE", CMD_CHECK,                                \
	  "instead of the report, say on which rung the pairs of places in FILE are, each as "     \
	  "FUNCTION:LINE FUNCTION:LINE; a large report does not list all pairs")                   \
	X(ENUM, u32, view, 0, 0, "view", "cause|field|object", CMD_REPORTS,                        \
	  "list the races by cause in full, or by field or object in brief (default: cause)")      \
	X(STR, const char *, source_path, NULL, 0, "source-path", "PATHS", CMD_REPORTS,             \
	  "where sources are that are not found by their name, with colons between; for Java the " \
	  "directories above the packages")                                                        \
	X(ENUM, u32, paths, 0, 0, "paths", "one|all", CMD_REPORTS,                                  \
	  "json: one call path to each access, or also the graph of all of them (default: one)")   \
	X(STR, const char *, emit_icg, NULL, 0, "emit-icg", "FILE", CMD_CHECK,                      \
	  "write the interthread call graph to FILE, as JSON if its name ends so, else as DOT")    \
	X(STR, const char *, emit_sites, NULL, 0, "emit-sites", "FILE", CMD_CHECK,                  \
	  "write the names of the accesses that cannot race to FILE")                              \
	X(STR, const char *, emit_pairs, NULL, 0, "emit-pairs", "FILE", CMD_CHECK,                  \
	  "write the pairs of accesses of each stage to FILE; of small programs only")             \
	X(BOOL, bool, stats, false, 0, "stats", NULL, CMD_REPORTS,                                  \
	  "also print pairs per stage, sizes, time and memory per phase")                          \
	X(BOOL, bool, quiet, false, 'q', "quiet", NULL, CMD_CHECKS | CMD_IR,                        \
	  "print no warnings about the input")                                                     \
	X(ON, bool, progress, true, 0, "progress", NULL, CMD_CHECKS,                                \
	  "do not show, on a terminal, how far a phase is that takes longer than a second")        \
	X(ON, bool, config, true, 0, "config", NULL, CMD_SETTINGS,                                  \
	  "take no options from the nearest concord.toml upwards")                                 \
	X(GROUP, char, group_known, 0, 0, "What is known already", NULL, CMD_REPORTS | CMD_TRIAGE,  \
	  NULL)                                                                                    \
	X(LIST, OptList, suppressions, {0}, 0, "suppressions", "FILE", CMD_REPORTS,                 \
	  "leave out the races that FILE names, each with a reason; may be repeated")              \
	X(STR, const char *, baseline, NULL, 0, "baseline", "FILE", CMD_REPORTS,                    \
	  "only races that FILE, an earlier JSON report, does not have are shown and count")       \
	X(STR, const char *, triage, NULL, 0, "triage", "FILE", CMD_REPORTS | CMD_TRIAGE,           \
	  "verdicts on races (default: concord.triage, where there is one)")                       \
	X(STR, const char *, note, NULL, 0, "note", "TEXT", CMD_TRIAGE, "why the verdict is so")    \
	X(U32, u32, seed, 1, 0, "seed", "N", CMD_SAMPLE, "which sample is drawn (default: 1)")      \
	X(GROUP, char, group_program, 0, 0, "The program", NULL, CMD_CHECKS | CMD_IR, NULL)         \
	X(LIST, OptList, entry, {0}, 0, "entry", "FUNC", CMD_CHECKS | CMD_IR,                       \
	  "the program starts at FUNC (default: main); may be repeated")                           \
	X(SOME, OptList, open, {0}, 0, "open", "[PATTERN]", CMD_CHECKS | CMD_IR,                    \
	  "a library: every external function, or every public method, may run in parallel with "  \
	  "every other, on shared arguments; of functions, classes or packages that match, if a "  \
	  "PATTERN is given (java.util.Vector, 'org.apache.commons.pool.*'); may be repeated")     \
	X(LIST, OptList, not_parallel, {0}, 0, "not-parallel", "ROOTS", CMD_CHECKS,                 \
	  "what is called by others, or started as a thread, never runs at once: 'A | B', or 'A' " \
	  "with itself, with asterisks for any text (a.b.Pool.*); such races are only possible")   \
	X(LIST, OptList, never_shared, {0}, 0, "never-shared", "PATTERN", CMD_CHECKS,               \
	  "two threads never use this field or class at once (a.b.C.count, a.b.*); such races are "\
	  "only possible")                                                                         \
	X(LIST, OptList, model, {0}, 0, "model", "FILE", CMD_CHECKS | CMD_IR,                       \
	  "what library functions do, beside the models that are shipped; may be repeated")        \
	X(LIST, OptList, no_model, {0}, 0, "no-model", "NAME", CMD_CHECKS | CMD_IR,                 \
	  "ignore the models of that function, method or class; may be repeated")                  \
	X(STR, const char *, clang, "clang-19", 0, "clang", "PROGRAM", CMD_CHECKS | CMD_IR,         \
	  "the compiler for C sources (default: clang-19)")                                        \
	X(LIST, OptList, classpath, {0}, 0, "classpath", "PATHS", CMD_CHECKS | CMD_IR,              \
	  "Java: where the libraries of the program are, with colons between them; may be repeated")    \
	X(STR, const char *, jdk, NULL, 0, "jdk", "DIR", CMD_CHECKS | CMD_IR,                       \
	  "Java: the JDK whose classes the program uses, or none (default: that of JAVA_HOME, or " \
	  "of the java on PATH)")                                                                  \
	X(STR, const char *, reflection_log, NULL, 0, "reflection-log", "FILE",                    \
	  CMD_CHECKS | CMD_IR, "Java: what a run made by reflection, as TamiFlex writes it")       \
	X(BOOL, bool, count, false, 0, "count", NULL, CMD_IR,                                      \
	  "check and count what was lowered, and print nothing else")                              \
	X(GROUP, char, group_capture, 0, 0, "The build", NULL, CMD_BUILD, NULL)                    \
	X(STR, const char *, capture, ".concord", 0, "capture", "DIR", CMD_BUILD,                  \
	  "keep bitcode and records of links in DIR (default: .concord)")                          \
	X(LIST, OptList, target, {0}, 0, "target", "NAME", CMD_BUILD,                              \
	  "check the program or library of this name; may be repeated (default: the executables "  \
	  "that can start threads)")                                                               \
	X(BOOL, bool, all, false, 0, "all", NULL, CMD_BUILD, "check every executable")             \
	X(BOOL, bool, capture_only, false, 0, "capture-only", NULL, CMD_BUILD,                     \
	  "list what was linked and check nothing")                                                \
	X(ON, bool, preload, true, 0, "preload", NULL, CMD_BUILD,                                  \
	  "load nothing into the processes of the build; a compiler that it calls by a path is "   \
	  "then not seen")                                                                         \
	X(GROUP, char, group_analysis, 0, 0, "The analysis", NULL, CMD_CHECKS, NULL)                \
	X(ENUM, u32, contexts, 0, 0, "contexts", "auto|none|callsite|object", CMD_CHECKS,           \
	  "which functions are analysed more than once: by their caller, or methods by where "     \
	  "their object was made (default: auto, where it pays; object for Java)")                 \
	X(U32, u32, k, 0, 0, "k", "N", CMD_CHECKS,                                                  \
	  "length of contexts: the last N calls, or allocations (default: 2; up to 4 in a Java "    \
	  "program while that is cheap)")                                                          \
	X(ENUM, u32, points_to, 0, 0, "points-to", "inclusion|unification|fields|classes", CMD_CHECKS,      \
	  "unification takes less time and memory for a very large program, and tells less "       \
	  "apart; fields: what Java objects hold is told apart by field only; classes: so are "    \
	  "the objects that libraries make, by class (default: inclusion; fields for large Java "  \
	  "programs, classes for the largest)")                                                    \
	X(ENUM, u32, call_graph, 0, 0, "call-graph", "solved|hierarchy", CMD_CHECKS,                \
	  "Java: a virtual call runs the methods of the objects that reach it, or of all classes " \
	  "(default: solved)")                                                                     \
	X(ENUM, u32, volatiles, 0, 0, "volatile", "lower|race|atomic", CMD_CHECKS,                  \
	  "volatile accesses race one rung lower, like any other, or not at all (default: lower)") \
	X(ENUM, u32, lock_rule, 0, 0, "lock-rule", "held|chord", CMD_CHECKS,                        \
	  "what a common lock is: one that is certainly one and held, or one by allocation site, " \
	  "as in the paper on Chord, which may miss races (default: held)")                        \
	X(BOOL, bool, elide_constructors, false, 0, "elide-constructors", NULL, CMD_CHECKS,         \
	  "leave out accesses in constructors, class initialisers and finalizers, as that paper "  \
	  "does")                                                                                  \
	X(LIST, OptList, without, {0}, 0, "without", "STAGE", CMD_CHECKS,                           \
	  "leave out a stage: reachable, aliasing, escaping, parallel or unguarded")               \
	X(BOOL, bool, strict, false, 0, "strict", NULL, CMD_CHECKS,                                 \
	  "exit with status 3 if anything was skipped or assumed")                                 \
	X(GROUP, char, group_machine, 0, 0, "The machine", NULL, CMD_CHECKS | CMD_IR, NULL)         \
	X(U32, u32, jobs, 0, 'j', "jobs", "N", CMD_CHECKS | CMD_IR,                                 \
	  "use N processors (default: all)")                                                       \
	X(SIZE, u64, memory_limit, 0, 0, "memory-limit", "SIZE", CMD_CHECKS | CMD_IR,               \
	  "stop at so much memory, such as 4G, and report what is known (default: none)")          \
	X(STR, const char *, cache, NULL, 0, "cache", "DIR", CMD_CHECKS | CMD_IR | CMD_CACHE,       \
	  "keep what was read and found in DIR for later runs (default: concord in the user's cache "        \
	  "directory)")                                                                            \
	X(BOOL, bool, no_cache, false, 0, "no-cache", NULL, CMD_CHECKS | CMD_IR,                    \
	  "keep nothing, and use nothing that was kept")                                           \
	X(SIZE, u64, cache_limit, (u64)2 << 30, 0, "cache-limit", "SIZE",                           \
	  CMD_CHECKS | CMD_IR | CMD_CACHE, "remove what was not used for longest beyond that "      \
	  "(default: 2G)")                                                                         \
	X(U32, u32, time_limit, 600, 0, "read-limit", "SECONDS", CMD_CHECKS | CMD_IR,               \
	  "give up on an input that takes longer to compile or read (default: 600)")               \
	X(BOOL, bool, raw, false, 0, "raw", NULL, CMD_IR,                                          \
	  "print the input as it was lowered, before linking and models")

#define OPTION_FIELD(kind, type, field, ...) type field;
typedef struct Options {
	OPTIONS(OPTION_FIELD)
} Options;
#undef OPTION_FIELD

#endif
