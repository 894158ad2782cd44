/* child.c - what happens in the child process: clang, reading, lowering.
 *
 * Here anything may go wrong without harm: limits on memory and time are set
 * before the first byte of bitcode is looked at, standard error is a memory
 * file that the parent reads, and the exit code says what kind of text it
 * holds.  The process, which may be given more units (readers.c), ends by _exit,
 * so that nothing of the parent's buffers is written twice. */
#include "base/file.h"
#include "llvm/llvm_int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A unit may come near to the limit of memory if that is less than so many times its
 * bitcode. */
enum { LARGE = 256 };
/* Bytes of bitcode beyond which LLVM takes longer to take a unit apart than a new process
 * takes to start. */
enum { DEAR = 1 << 20 };

/* LLVM's memory grows by so many bytes at a time. */
enum { HEAP_STEP = 8 << 20 };

typedef struct Bytes {
	const char *at;
	size_t n;
} Bytes;

/* Ends with the reason as the only text: what a library has said before is
 * less to the point. */
static noreturn void
refuse(int code, const char *fmt, ...)
{
	va_list ap;

	if (ftruncate(STDERR_FILENO, 0) == 0)
		(void)lseek(STDERR_FILENO, 0, SEEK_SET);
	va_start(ap, fmt);
	(void)vdprintf(STDERR_FILENO, fmt, ap);
	va_end(ap);
	_exit(code);
}

/* ---- limits ------------------------------------------------------------- */

static void
limit(int what, size_t value)
{
	struct rlimit r;

	/* the next unit of the process has a limit of its own */
	if (getrlimit(what, &r) == 0) {
		r.rlim_cur = MIN(value, r.rlim_max);
		(void)setrlimit(what, &r);
	}
}

/* Seconds of CPU time that the process has had. */
static u32
spent(void)
{
	struct rusage u = {0};

	(void)getrusage(RUSAGE_SELF, &u);
	return (u32)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1;
}

size_t
child_mapped(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	size_t pages = 0;

	if (fd >= 0 && read(fd, text, sizeof text - 1) > 0)
		(void)sscanf(text, "%zu", &pages);
	if (fd >= 0)
		(void)close(fd);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void
set_limits(const LlvmOptions *o)
{
	limit(RLIMIT_CORE, 0);
	if (o->child_memory)
		limit(RLIMIT_AS, child_mapped() + o->child_memory);
	if (o->child_seconds) {
		limit(RLIMIT_CPU, spent() + o->child_seconds + 1);
		(void)alarm(o->child_seconds);
	}
}

/* ---- reading files ------------------------------------------------------ */

static Bytes
read_all(Arena *a, int fd)
{
	struct stat st;
	size_t cap =
	    fstat(fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size + 1 + BITS_SLACK : 1 << 16;
	size_t n = 0;
	char *at = arena_alloc(a, cap);
	ssize_t k;

	while ((k = read(fd, at + n, cap - n - BITS_SLACK)) > 0 || (k < 0 && errno == EINTR)) {
		n += k > 0 ? (size_t)k : 0;
		if (n + BITS_SLACK == cap) {
			at = arena_grow(a, at, cap, cap * 2);
			cap *= 2;
		}
	}
	if (k < 0)
		refuse(CHILD_REFUSED, "cannot be read: %s", strerror(errno));
	return (Bytes){at, n};
}

static Bytes
read_file(Arena *a, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	Bytes b;

	if (fd < 0)
		refuse(CHILD_REFUSED, "cannot be opened: %s", strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		refuse(CHILD_REFUSED, "is a directory, not a source or bitcode file");
	b = read_all(a, fd);
	(void)close(fd);
	if (!b.n)
		refuse(CHILD_REFUSED, "is empty");
	return b;
}

/* ---- clang -------------------------------------------------------------- */

static noreturn void
exec_clang(const char **argv, const LlvmJob *job, int out, int err)
{
	const LlvmOptions *o = &job->options;
	int null = open("/dev/null", O_RDONLY);

	/* the compiler must not outlive us */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (job->deps >= 0)
		(void)fcntl(job->deps, F_SETFD, 0);
	if (o->child_seconds)
		limit(RLIMIT_CPU, o->child_seconds + 1);
	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
	    dup2(err, STDERR_FILENO) >= 0)
		(void)execvp(argv[0], (char *const *)argv);
	dprintf(STDERR_FILENO, "%s cannot be run: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* Runs clang; its bitcode in *code, its messages in *said.  Returns whether
 * it ended well. */
static bool
run_clang(Arena *a, const char **argv, const LlvmJob *job, Bytes *code, Bytes *said)
{
	int pipe_fd[2], err = memfd_create("clang", MFD_CLOEXEC), status = 0;
	pid_t pid;

	if (err < 0 || pipe2(pipe_fd, O_CLOEXEC) < 0)
		refuse(CHILD_REFUSED, "no pipe to clang: %s", strerror(errno));
	pid = fork();
	if (pid == 0)
		exec_clang(argv, job, pipe_fd[1], err);
	if (pid < 0)
		refuse(CHILD_REFUSED, "clang cannot be started: %s", strerror(errno));
	(void)close(pipe_fd[1]);
	*code = read_all(a, pipe_fd[0]);
	(void)close(pipe_fd[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	(void)lseek(err, 0, SEEK_SET);
	*said = read_all(a, err);
	said->at = arena_dup(a, said->at, said->n);
	(void)close(err);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The command that also lists the files it reads. */
static const char **
list_files(Arena *a, const char **argv, int to)
{
	const char *more[] = {"-MD", "-MT", "unit", "-MF", arena_printf(a, "/proc/self/fd/%d", to)};
	u32 n = 0;
	const char **all;

	while (argv[n])
		n++;
	all = arena_array(a, const char *, n + COUNT(more) + 1);
	memcpy(all, argv, n * sizeof *argv);
	memcpy(all + n, more, sizeof more);
	return all;
}

/* Options of another compiler that clang does not know are left out; each
 * round drops at least one, or is the one that takes the input for gcc's, so this ends. */
static Bytes
compile(Arena *a, const LlvmJob *job, u32 *ignored)
{
	const char **argv = clang_command(a, &job->input, &job->options), **other;
	Bytes code, said;
	u32 gone;

	if (job->deps >= 0)
		argv = list_files(a, argv, job->deps);
	while (!run_clang(a, argv, job, &code, &said)) {
		gone = job->input.argv ? clang_drop_unknown(argv, said.at) : 0;
		other = gone ? NULL : clang_for_gcc(a, &job->input, argv);
		if (!gone && !other)
			refuse(CHILD_CLANG, "%s", said.at);
		argv = other ? other : argv;
		*ignored += gone;
	}
	return code;
}

/* ---- the whole ---------------------------------------------------------- */

bool
child_is_bitcode(const LlvmInput *in)
{
	const char *dot = strrchr(in->path, '.');

	return in->bitcode || (!in->argv && dot && (!strcmp(dot, ".bc") || !strcmp(dot, ".ll")));
}

/* Units of one program have different names, also if their commands run in
 * different directories. */
const char *
child_unit_name(Arena *a, const LlvmInput *in, const char *cwd)
{
	if (in->bitcode)
		return file_shorten(a, file_join(a, in->directory ? in->directory : cwd, in->path),
				    cwd);
	if (!in->directory || in->path[0] == '/' || !strcmp(in->directory, cwd) ||
	    !strcmp(in->directory, "."))
		return in->path;
	return file_shorten(a, file_join(a, in->directory, in->path), cwd);
}

/* Says whether the bytes can be neither bitcode nor its text: no text in UTF-8
 * starts so. */
static bool
is_binary(const Bytes *b)
{
	static const char magic[2][4] = {{'B', 'C', '\xc0', '\xde'},
					 {'\xde', '\xc0', '\x17', '\x0b'}};

	if (b->n >= 4 && (!memcmp(b->at, magic[0], 4) || !memcmp(b->at, magic[1], 4)))
		return false;
	for (size_t i = 0; i < MIN(b->n, 64); i++) {
		u8 c = (u8)b->at[i];
		if (c < '\t' || c == 0xc0 || c == 0xc1 || c > 0xf4)
			return true;
	}
	return false;
}

static void
write_all(int fd, const u8 *p, size_t n)
{
	while (n) {
		ssize_t k = write(fd, p, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			refuse(CHILD_REFUSED, "no room for the result: %s", strerror(errno));
		p += k;
		n -= (size_t)k;
	}
}

/* Goes where the command runs.  Returns where we were: names of files are
 * kept as they are below that. */
static const char *
enter_directory(Arena *a, const char *directory)
{
	char *cwd = arena_alloc(a, PATH_MAX);

	if (!getcwd(cwd, PATH_MAX))
		cwd[0] = '\0';
	if (directory && chdir(directory) < 0)
		refuse(CHILD_REFUSED, "the directory %s: %s", directory, strerror(errno));
	return cwd;
}

bool
child_is_large(const LlvmOptions *options, size_t n)
{
	return options->child_memory && n > options->child_memory / LARGE;
}

static void
note_ignored(Ir *ir, u32 ignored)
{
	if (ignored)
		vec_push(
		    ir->arena, &ir->assumes,
		    (Assume){intern_str(&ir->strs, "compiler options unknown to clang left out"), 0,
			     0});
}

void
child_compile(const LlvmJob *job)
{
	Arena a;
	u32 ignored = 0;
	Bytes b;

	arena_init(&a, NULL);
	(void)enter_directory(&a, job->input.directory);
	if (job->options.child_seconds)
		(void)alarm(job->options.child_seconds);
	b = compile(&a, job, &ignored);
	write_all(job->out, (const u8 *)b.at, b.n);
	_exit(0);
}

/* The child dies of a crash, whatever the parent does about its own. */
static void
reset_signals(void)
{
	static const int fatal_ones[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE, SIGILL, SIGALRM,
					 SIGXCPU, SIGXFSZ, SIGTERM, SIGINT, SIGSYS};
	sigset_t all;

	for (u32 i = 0; i < COUNT(fatal_ones); i++)
		(void)signal(fatal_ones[i], SIG_DFL);
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_UNBLOCK, &all, NULL);
}

void
child_begin(pid_t parent, int err)
{
	reset_signals();
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it is gone already */
		_exit(1);
	if (dup2(err, STDERR_FILENO) < 0)
		_exit(1);
	(void)mallopt(M_TOP_PAD, HEAP_STEP);
}

bool
child_main(const LlvmJob *job, bool last)
{
	const LlvmInput *in = &job->input;
	const LlvmOptions *o = &job->options;
	bool bitcode = child_is_bitcode(in), trusted, large;
	Arena a, tables;
	u32 ignored = 0;
	u64 hash;
	const char *wrong, *cwd;
	Bytes b;
	Ir ir;
	u8 *bytes;
	size_t n;

	arena_init(&a, NULL);
	arena_init(&tables, NULL);
	ir_init(&ir, &tables);
	cwd = enter_directory(&a, in->bitcode ? NULL : in->directory);
	if (!bitcode && o->child_seconds)
		(void)alarm(o->child_seconds);
	if (!in->argv)
		b = read_file(&a, in->bitcode ? in->bitcode : in->path);
	if (bitcode && is_binary(&b))
		refuse(CHILD_REFUSED, "is neither LLVM bitcode nor its text");
	if (!bitcode)
		b = compile(&a, job, &ignored);
	hash = hash_bytes(b.at, b.n);
	trusted =
	    !bitcode || (in->content && in->content == hash); /* as when the build was captured */
	large = child_is_large(o, b.n);
	last |= !trusted || large || b.n > DEAR;
	if (large) /* what units before it have left is no room of its own */
		(void)malloc_trim(0);
	set_limits(o);
	wrong = module_lower(&ir, &a,
			     &(Source){child_unit_name(&a, in, cwd), cwd, b.at, b.n, hash, trusted,
				       in->bitcode || in->argv, last});
	if (wrong)
		refuse(CHILD_REFUSED, "%s", wrong);
	note_ignored(&ir, ignored);
	ir_write(&ir, &a, &bytes, &n);
	write_all(job->out, bytes, n);
	(void)alarm(0);
	if (!last && !in->bitcode && in->directory && chdir(cwd) < 0)
		refuse(CHILD_REFUSED, "the directory %s: %s", cwd, strerror(errno));
	arena_release(&tables);
	arena_release(&a);
	return !last;
}
