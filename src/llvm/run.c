/* run.c - starting children and taking back what they made of their input.
 *
 * The child's result and its messages are memory files, so nobody waits for a
 * pipe to drain and any number of children run at once.  The parent trusts
 * nothing that comes back: the serial form has a checksum, and the IR is
 * checked like any other. */
#include "base/file.h"
#include "llvm/llvm_int.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static noreturn void
enter_child(const LlvmJob *job, pid_t parent)
{
	child_begin(parent, job->err);
	if (job->compile)
		child_compile(job);
	(void)child_main(job, true);
	_exit(0);
}

static void
close_files(LlvmJob *job)
{
	if (job->out >= 0)
		(void)close(job->out);
	if (job->err >= 0)
		(void)close(job->err);
	if (job->deps >= 0)
		(void)close(job->deps);
	job->out = job->err = job->deps = -1;
}

static bool
start(LlvmJob *job, Diag *diag)
{
	pid_t self = getpid();

	if (child_is_bitcode(&job->input) && !job->input.bitcode)
		foreign_prepare(); /* who knows who wrote it */
	job->deps = job->keep == KEEP_SOURCE ? memfd_create("deps", MFD_CLOEXEC) : -1;
	job->out = memfd_create("ir", MFD_CLOEXEC);
	job->err = -1;
	if (job->options.readers && job->out >= 0) {
		readers_add(job->options.readers, job);
		return true;
	}
	job->err = memfd_create("messages", MFD_CLOEXEC);
	job->pid = job->out >= 0 && job->err >= 0 ? fork() : -1;
	if (job->pid == 0)
		enter_child(job, self);
	if (job->pid > 0)
		return true;
	diag_error(diag, job->input.path, "no process to read it in: %s", strerror(errno));
	close_files(job);
	return false;
}

bool
llvm_start(LlvmJob *job, const LlvmInput *input, const LlvmOptions *options, Diag *diag)
{
	*job = (LlvmJob){.input = *input, .options = *options, .given = input};
	job->here = here_wanted(input, options);
	return (options->store && cache_find(job)) || job->here || start(job, diag);
}

/* ---- what went wrong ---------------------------------------------------- */

enum { MAX_MESSAGES = 1 << 20 };

static char *
read_messages(Arena *a, int fd)
{
	struct stat st;
	size_t n = fstat(fd, &st) == 0 ? MIN((size_t)st.st_size, (size_t)MAX_MESSAGES) : 0;
	char *s = arena_alloc(a, n + 1);
	ssize_t k = n ? pread(fd, s, n, 0) : 0;

	s[k > 0 ? k : 0] = '\0';
	for (k = (ssize_t)strlen(s); k > 0 && isspace((unsigned char)s[k - 1]); k--)
		s[k - 1] = '\0';
	return s;
}

/* The first line that is a sentence: LLVM also prints what it stumbled over,
 * and a stack says nothing to the user. */
static char *
first_sentence(char *s)
{
	while (*s == '!' || *s == '%' || *s == ' ' || *s == '\n')
		s += *s == '\n' ? 1 : strcspn(s, "\n");
	s[strcspn(s, "\n")] = '\0';
	return s;
}

/* As LLVM, the C++ library, our arenas and the sanitizers put it. */
static bool
out_of_memory(const char *s)
{
	static const char *const says[] = {"out of memory", "bad_alloc", "Allocation failed",
					   "out-of-memory", "failed to allocate"};

	for (u32 i = 0; i < COUNT(says); i++)
		if (strstr(s, says[i]))
			return true;
	return false;
}

static void
report_crash(const LlvmJob *job, int sig, const char *said, Diag *diag)
{
	const char *path = job->input.path;

	if (sig == SIGALRM || sig == SIGXCPU)
		diag_error(diag, path, "not read within %u s", job->options.child_seconds);
	else if (*said)
		diag_error(diag, path, "not read: the reader crashed (%s): %s", strsignal(sig),
			   said);
	else
		diag_error(diag, path, "not read: the reader crashed (%s); the file may be damaged",
			   strsignal(sig));
}

static void
report_refusal(const LlvmJob *job, char *said, Diag *diag)
{
	if (!clang_report_line(said, diag)) /* LLVM's text reader speaks like clang */
		diag_error(diag, job->input.path, "%s",
			   *said ? said : "not read: the reader failed");
}

static void
report_failure(const LlvmJob *job, int status, Diag *diag)
{
	Arena a;
	char *said;

	arena_init(&a, NULL);
	said = read_messages(&a, job->err);
	if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_CLANG) {
		clang_report(&a, said, job->input.path, diag);
	} else if (job->options.child_memory && out_of_memory(said)) {
		diag_error(diag, job->input.path, "not read: it needs more than %zu MiB",
			   job->options.child_memory >> 20);
		arena_exceed(diag->arena);
	} else if (WIFSIGNALED(status)) {
		report_crash(job, WTERMSIG(status), first_sentence(said), diag);
	} else {
		report_refusal(job, first_sentence(said), diag);
	}
	arena_release(&a);
}

/* ---- taking back -------------------------------------------------------- */

static bool
take(LlvmJob *job, Ir *unit, Diag *diag)
{
	struct stat st;
	void *bytes;
	const char *wrong;
	bool ok;

	if (fstat(job->out, &st) < 0 || st.st_size <= 0) {
		diag_error(diag, job->input.path, "not read: the reader gave no result");
		return false;
	}
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, job->out, 0);
	if (bytes == MAP_FAILED) {
		diag_error(diag, job->input.path, "not read: %s", strerror(errno));
		return false;
	}
	ok = ir_read(unit, bytes, (size_t)st.st_size);
	wrong = ok ? ir_check(unit) : "the reader's result is damaged";
	if (wrong)
		diag_error(diag, job->input.path, "cannot be represented: %s", wrong);
	else if (job->options.store)
		cache_keep(job, unit, bytes, (size_t)st.st_size);
	(void)munmap(bytes, (size_t)st.st_size);
	return !wrong;
}

/* Says whether the child ended well; a diagnostic if not. */
static bool
await(LlvmJob *job, Diag *diag)
{
	int status = 0;

	if (job->options.readers && !readers_await(job->options.readers, job, &status)) {
		diag_error(diag, job->input.path, "no process to read it in: %s", strerror(errno));
		return false;
	}
	while (!job->options.readers && waitpid(job->pid, &status, 0) < 0)
		if (errno != EINTR) {
			diag_error(diag, job->input.path, "lost its reader: %s", strerror(errno));
			return false;
		}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	report_failure(job, status, diag);
	return false;
}

/* Takes the unit that was found; false if it is none after all. */
static bool
take_found(LlvmJob *job, Ir *unit)
{
	bool ok = ir_read(unit, job->entry.bytes, job->entry.n) && !ir_check(unit);

	store_close_entry(&job->entry);
	if (!ok)
		ir_init(unit, unit->arena);
	return ok;
}

bool
llvm_collect(LlvmJob *job, Ir *unit, Diag *diag)
{
	bool found = llvm_found(job), ok;

	if (found && take_found(job, unit))
		return true;
	if (job->here && here_read(job, unit))
		return true;
	if ((found || job->here) && !start(job, diag))
		return false;
	ok = await(job, diag) && take(job, unit, diag);

	close_files(job);
	return ok;
}

static bool
keep(const LlvmJob *job, const char *to, Diag *diag)
{
	struct stat st;
	const char *error = strerror(EIO);
	void *bytes = MAP_FAILED;
	Arena a;
	bool ok;

	arena_init(&a, NULL);
	if (!fstat(job->out, &st) && st.st_size > 0)
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, job->out, 0);
	ok = bytes != MAP_FAILED && file_write(&a, to, bytes, (size_t)st.st_size, &error);
	if (bytes != MAP_FAILED)
		(void)munmap(bytes, (size_t)st.st_size);
	if (!ok)
		diag_error(diag, job->input.path, "its bitcode is not kept: %s", error);
	arena_release(&a);
	return ok;
}

bool
llvm_compile(const LlvmInput *input, const LlvmOptions *options, const char *to, Diag *diag)
{
	LlvmJob job = {.input = *input, .options = *options, .compile = true, .deps = -1};
	bool ok = start(&job, diag) && await(&job, diag) && keep(&job, to, diag);

	close_files(&job);
	return ok;
}

bool
llvm_load(Ir *unit, const char *path, const LlvmOptions *options, Diag *diag)
{
	LlvmInput in = {.path = path};
	LlvmJob job;

	return llvm_start(&job, &in, options, diag) && llvm_collect(&job, unit, diag);
}

bool
llvm_load_command(Ir *unit, const char *directory, const char *const *argv, u32 argc,
		  const char *source, const LlvmOptions *options, Diag *diag)
{
	LlvmInput in = {.path = source, .directory = directory, .argv = argv, .argc = argc};
	LlvmJob job;

	return llvm_start(&job, &in, options, diag) && llvm_collect(&job, unit, diag);
}
