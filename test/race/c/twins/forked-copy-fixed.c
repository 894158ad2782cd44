/* A forked child changes its copy of a variable that a thread of the parent reads. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int level;

static void *
w(void *a)
{
	return level ? a : NULL; // NORACE-LIKELY
}

int
main(void)
{
	pthread_t t;
	pid_t p;
	pthread_create(&t, NULL, w, NULL);
	p = fork();
	if (p == 0) {
		level = 1; // NORACE-LIKELY
		_exit(level);
	}
	waitpid(p, NULL, 0);
	pthread_join(t, NULL);
	return 0;
}
