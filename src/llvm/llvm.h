/* llvm.h - C sources, LLVM bitcode and LLVM text in, IR out.
 *
 * C is compiled by clang to bitcode through a pipe.  Bitcode is parsed and
 * lowered in a child process with limits on memory and time, because LLVM's
 * reader ends the process on some corrupt files; the child hands back the
 * serial form of the IR.  Whatever happens to the child becomes one
 * diagnostic with the file and the reason.  What our clang wrote when a build was captured
 * may be read in the process itself (here.c).
 *
 * Loads are independent of each other: any number may be started before the
 * first is collected, and from several threads (but for loads with a store, or
 * with readers in common); a job's child ends with the thread that started it. */
#ifndef LLVM_LLVM_H
#define LLVM_LLVM_H

#include "base/diag.h"
#include "base/store.h"
#include "ir/ir.h"

#include <sys/types.h>
#include <time.h>

typedef struct LlvmReaders LlvmReaders;

typedef struct LlvmOptions {
	const char *clang;        /* the compiler; null: clang-19 */
	const char *const *flags; /* the user's, given to clang */
	u32 nflags;
	size_t child_memory;  /* bytes beyond what the parent has mapped; 0: no limit */
	u32 child_seconds;    /* of wall time, for clang and for reading each; 0: no limit */
	Store *store;         /* where units are kept; null: nowhere */
	Digest tool;          /* of the running program: part of every name in the store */
	LlvmReaders *readers; /* the processes to read in; null: each unit has its own */
	bool alone;           /* no two units are read at once */
} LlvmOptions;

/* What to load: a file, or one entry of a compilation database. */
typedef struct LlvmInput {
	const char *path;        /* the source; names the unit */
	const char *directory;   /* where the command runs; null: here */
	const char *const *argv; /* the command; null: none, path alone */
	u32 argc;
	const char *bitcode; /* what path was compiled to earlier; null: path is read */
	u64 content; /* hash of its bytes as clang wrote them: they need no verifying; 0 unknown */
} LlvmInput;

/* A load under way, which stays where it is.  The strings of its input outlive it. */
typedef struct LlvmJob {
	pid_t pid;
	int out, err; /* memory files: the IR, and what went wrong */
	LlvmInput input;
	LlvmOptions options;
	bool compile; /* stop at the bitcode */
	bool here;    /* there is no child: here.c */

	/* with readers, see readers.c */
	const LlvmInput *given; /* input, one of those that they know */
	bool over;
	int status, error; /* what became of its process; or why there is none */

	/* the store's part, see cache.c */
	enum { KEEP_NOT, KEEP_BITCODE, KEEP_SOURCE } keep;
	StoreEntry entry;      /* with bytes: the unit was found, there is no child */
	Digest name, list;     /* of the unit, of the list of files it is made from */
	u64 content;           /* hash of the bitcode */
	int deps;              /* a memory file: the files that clang read; or -1 */
	struct timespec begun; /* before the first of them was read */
} LlvmJob;

/* Starts loading in a child; false after a diagnostic. */
bool llvm_start(LlvmJob *job, const LlvmInput *input, const LlvmOptions *options, Diag *diag);
/* Says whether the unit of a started job comes from the store. */
static inline bool
llvm_found(const LlvmJob *job)
{
	return job->entry.bytes;
}
/* Waits for a started job and puts its IR, checked, into unit (empty).  false
 * after a diagnostic; the job is over in either case. */
bool llvm_collect(LlvmJob *job, Ir *unit, Diag *diag);

/* Processes, at most so many, for options' readers: they read one unit after the
 * other, of inputs that do not change, with these options.  They are a's until
 * llvm_readers_end, which waits for no job. */
LlvmReaders *llvm_readers_new(Arena *a, const LlvmInput *inputs, const LlvmOptions *options,
			      u32 most);
void llvm_readers_end(LlvmReaders *r);

/* Lowers one .c, .i, .bc or .ll file into unit (empty).  false after a
 * diagnostic. */
bool llvm_load(Ir *unit, const char *path, const LlvmOptions *options, Diag *diag);
/* Lowers what one compiler command would compile: the compiler is replaced,
 * what concerns outputs, dependencies and optimisation is dropped. */
bool llvm_load_command(Ir *unit, const char *directory, const char *const *argv, u32 argc,
		       const char *source, const LlvmOptions *options, Diag *diag);
/* Writes the bitcode of what one compiler command compiles to the file to,
 * whole or not at all.  false after a diagnostic. */
bool llvm_compile(const LlvmInput *input, const LlvmOptions *options, const char *to, Diag *diag);

#endif
