/* readers.c - processes that read one unit after the other.
 *
 * A process for each unit costs more than reading most of them: it copies the
 * page tables of a parent that grows with every unit, and has all of LLVM's
 * memory to touch anew.  So few are started, early, and get their units through a
 * socket: the number of an input, which they know since they were forked, and the
 * files for the result.  Their answer is one byte.
 *
 * The limits and what is said of a failure are those of a process for each unit:
 * what goes wrong ends the process, which is how we get to know, and the next unit
 * gets a new one.  A process ends as well behind a unit that our clang did not
 * write, since LLVM does not promise to be the same after a damaged one, and behind
 * one that is large for the memory that it may take. */
#include "llvm/llvm_int.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Process {
	pid_t pid; /* 0: not started */
	int socket;
	int err;      /* what it says */
	LlvmJob *job; /* null: it is idle */
} Process;

struct LlvmReaders {
	Arena *arena;
	const LlvmInput *inputs;
	LlvmOptions options;
	Process *at;
	u32 n;
	Vec(LlvmJob *) queue;
	u32 given; /* of queue */
};

/* What a process is asked for; the files out and, if there is a list to be written,
 * deps go with it. */
typedef struct Request {
	u32 input;
	bool deps;
} Request;

enum { FILES = 2 };

typedef union Files {
	char bytes[CMSG_SPACE(FILES * sizeof(int))];
	struct cmsghdr align;
} Files;

/* ---- in the process --------------------------------------------------------- */

/* Receives the next request; ends the process if there is none. */
static Request
receive(int socket, int file[FILES])
{
	Request q;
	Files files;
	struct iovec part = {&q, sizeof q};
	struct msghdr m = {.msg_iov = &part,
			   .msg_iovlen = 1,
			   .msg_control = files.bytes,
			   .msg_controllen = sizeof files.bytes};
	struct cmsghdr *c;
	ssize_t n;

	while ((n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		continue;
	c = n == sizeof q ? CMSG_FIRSTHDR(&m) : NULL;
	if (!c || c->cmsg_type != SCM_RIGHTS)
		_exit(0);
	memcpy(file, CMSG_DATA(c), (1 + q.deps) * sizeof *file);
	return q;
}

static noreturn void
serve(const LlvmReaders *r, int socket)
{
	for (bool more = true; more;) {
		int file[FILES] = {-1, -1};
		Request q = receive(socket, file);
		LlvmJob job = {.input = r->inputs[q.input],
			       .options = r->options,
			       .out = file[0],
			       .deps = file[1]};
		if (ftruncate(STDERR_FILENO, 0) == 0)
			(void)lseek(STDERR_FILENO, 0, SEEK_SET);
		more = child_main(&job, false);
		(void)close(job.out);
		if (job.deps >= 0)
			(void)close(job.deps);
		if (more && send(socket, "", 1, MSG_NOSIGNAL) != 1)
			break;
	}
	_exit(0);
}

/* ---- outside ---------------------------------------------------------------- */

/* Starts the process; false with errno if that is not possible. */
static bool
begin(LlvmReaders *r, Process *p)
{
	pid_t self = getpid();
	int pair[2];

	p->err = memfd_create("messages", MFD_CLOEXEC);
	if (p->err < 0)
		return false;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		(void)close(p->err);
		return false;
	}
	p->pid = fork();
	if (p->pid == 0) {
		for (u32 i = 0; i < r->n; i++)
			if (r->at[i].pid && &r->at[i] != p)
				(void)close(r->at[i].socket);
		(void)close(pair[0]);
		child_begin(self, p->err);
		serve(r, pair[1]);
	}
	p->socket = pair[0];
	(void)close(pair[1]);
	if (p->pid > 0)
		return true;
	p->pid = 0;
	(void)close(pair[0]);
	(void)close(p->err);
	return false;
}

/* Waits for the end of a process.  What it said stays open. */
static int
reap(Process *p)
{
	int status = 0;

	(void)close(p->socket);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	p->pid = 0;
	return status;
}

static bool
request(const LlvmReaders *r, const Process *p, const LlvmJob *job)
{
	Request q = {.input = (u32)(job->given - r->inputs), .deps = job->deps >= 0};
	int file[FILES] = {job->out, job->deps};
	Files files = {{0}};
	struct iovec part = {&q, sizeof q};
	struct msghdr m = {.msg_iov = &part,
			   .msg_iovlen = 1,
			   .msg_control = files.bytes,
			   .msg_controllen = CMSG_SPACE((1 + q.deps) * sizeof *file)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	ssize_t n;

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN((1 + q.deps) * sizeof *file);
	memcpy(CMSG_DATA(c), file, (1 + q.deps) * sizeof *file);
	while ((n = sendmsg(p->socket, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		continue;
	return n == sizeof q;
}

/* Gives the job to an idle process, which is started if need be. */
static void
give(LlvmReaders *r, Process *p, LlvmJob *job)
{
	if (p->pid && request(r, p, job)) {
		p->job = job;
		return;
	}
	if (p->pid) { /* somebody has killed it while it was idle */
		(void)reap(p);
		(void)close(p->err);
	}
	if (begin(r, p) && request(r, p, job)) {
		p->job = job;
		return;
	}
	job->error = errno;
	job->over = true;
}

/* Gives waiting jobs to those that are idle; to one that runs first. */
static void
feed(LlvmReaders *r)
{
	for (u32 started = 2; started-- > 0;)
		for (u32 i = 0; i < r->n && r->given < r->queue.n; i++)
			if (!r->at[i].job && (r->at[i].pid || !started))
				give(r, &r->at[i], r->queue.at[r->given++]);
}

void
readers_add(LlvmReaders *r, LlvmJob *job)
{
	assert(job->given >= r->inputs);
	vec_push(r->arena, &r->queue, job);
	feed(r);
}

/* Takes the answer of a process, or its end, for its job. */
static void
hear(Process *p)
{
	char byte;
	ssize_t n = recv(p->socket, &byte, 1, 0);
	LlvmJob *job = p->job;

	if (n < 0 && errno == EINTR)
		return;
	if (n != 1) {
		job->status = reap(p);
		job->err = p->err;
	}
	job->over = true;
	p->job = NULL;
}

/* Waits until some process has answered, or ended. */
static void
await_any(LlvmReaders *r, Arena *a)
{
	struct pollfd *fd = arena_array(a, struct pollfd, r->n);

	for (u32 i = 0; i < r->n; i++)
		fd[i] = (struct pollfd){r->at[i].job ? r->at[i].socket : -1, POLLIN, 0};
	if (poll(fd, r->n, -1) < 0)
		return;
	for (u32 i = 0; i < r->n; i++)
		if (fd[i].revents)
			hear(&r->at[i]);
}

bool
readers_await(LlvmReaders *r, LlvmJob *job, int *status)
{
	Arena scratch;

	arena_init(&scratch, NULL);
	while (!job->over) {
		await_any(r, &scratch);
		feed(r);
	}
	arena_release(&scratch);
	*status = job->status;
	errno = job->error;
	return !job->error;
}

LlvmReaders *
llvm_readers_new(Arena *a, const LlvmInput *inputs, const LlvmOptions *options, u32 most)
{
	LlvmReaders *r = arena_new(a, LlvmReaders);

	*r = (LlvmReaders){.arena = a, .inputs = inputs, .options = *options, .n = most};
	r->at = arena_array(a, Process, most);
	return r;
}

void
llvm_readers_end(LlvmReaders *r)
{
	for (u32 i = 0; i < r->n; i++) {
		Process *p = &r->at[i];
		if (!p->pid)
			continue;
		if (p->job)
			(void)kill(p->pid, SIGKILL);
		(void)reap(p);
		(void)close(p->err);
	}
}
