/* commands.c - the tables of options and commands. */
#include "cli/commands.h"

#include "cli/cache.h"

#define OPTION_SPEC(kind, type, field, value, letter, name, arg, where, help)                      \
	{OPT_##kind, letter, name, arg, help, offsetof(Options, field), where},

const OptSpec option_specs[] = {OPTIONS(OPTION_SPEC)};
const u32 noption_spec = COUNT(option_specs);

const Command commands[] = {
    {"check", CMD_CHECK, cmd_check, "check [OPTIONS] INPUT... [-- CLANG-FLAGS...]",
     "find data races",
     "Reads the inputs, links them to one program and reports its data races. If several files of "
     "C have a main, each of these is a program, with all that have none. What stands behind -- "
     "goes to the compiler of C sources.\n\n"
     "A comment `concord: ignore(reason)` in the source, on the line of either access or above "
     "it, suppresses a race, as does a line of a --suppressions file; each needs a reason, and "
     "one that matches nothing is reported."},
    {"build", CMD_BUILD, cmd_build, "build [OPTIONS] -- COMMAND...",
     "run a build and check what it links",
     "Runs the command with stand-ins for compilers, linkers and archivers first on PATH, then "
     "checks the programs that it linked. Several programs go into one report: one after the "
     "other as text, as one document in the other formats."},
    {"explain", CMD_EXPLAIN, cmd_explain, "explain ID (REPORT.json | INPUT...) [-- FLAGS...]",
     "all that is known of one race",
     "Takes the race from a JSON report, or checks the inputs now. The start of an id is enough "
     "where only one race has it. Prints both call paths, every pair of accesses with its locks, "
     "why it is on its rung and not excluded, the cause, what would fix it, and the assumptions "
     "that "
     "touch it."},
    {"triage", CMD_TRIAGE, cmd_triage, "triage ID real|benign|false [REPORT.json]",
     "keep a verdict on a race",
     "Writes the verdict and the --note to the triage file, in place of an earlier one. Reports "
     "show the verdict beside the race and count them. With a report the start of an id is "
     "enough."},
    {"sample", CMD_SAMPLE, cmd_sample, "sample N [--seed S] REPORT.json", "draw races to be read",
     "Draws N of the races that the report shows. The same seed draws the same ones, and a race "
     "keeps its place in the order when others come and go."},
    {"ir", CMD_IR, cmd_ir, "ir [OPTIONS] INPUT... [-- CLANG-FLAGS...]",
     "print the program as it is analysed", "The text is itself an input of every command."},
    {"cache", CMD_CACHE, cmd_cache, "cache stat|clear", "what earlier runs have kept",
     "Counts what is in the cache, or removes it. Nothing depends on it: a unit or result that is "
     "not "
     "there is made again."},
    {"completion", CMD_COMPLETION, cmd_completion, "completion bash|zsh|fish",
     "print completions for a shell",
     "For bash: eval \"$(concord completion bash)\"; for zsh: source <(concord completion zsh), "
     "behind compinit; for fish: concord completion fish | source."},
    {"man", CMD_MAN, cmd_man, "man [COMMAND]", "print a manual page",
     "Prints the page for man(1): concord man check | man -l -."},
};
const u32 ncommand = COUNT(commands);
