/* A helper forks; the child's code is in functions that only it calls. What the parent's threads read is not what the child writes. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int logging = 1, verbose;

static void *
w(void *a)
{
	return logging ? a : NULL; // NORACE-LIKELY
}

static pid_t
spawn(void)
{
	pid_t p = fork();
	return p;
}

static void
quiet(void)
{
	logging = 0; // NORACE-LIKELY
}

static void
run(const char *cmd)
{
	quiet();
	verbose = 0; // NORACE-LIKELY
	execl("/bin/sh", "sh", "-c", cmd, NULL);
	_exit(127);
}

static void *
server(void *a)
{
	for (int i = 0; i < 3; i++) {
		pthread_t t;
		pthread_create(&t, NULL, w, NULL);
		if (spawn() == 0)
			run("true");
		verbose++; // RACE
	}
	return a;
}

int
main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, server, NULL);
	if (verbose) // RACE
		return 1;
	pthread_join(t, NULL);
	return 0;
}
