/* What the parent changes behind the fork is what its thread reads. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int level;

static void *
w(void *a)
{
	return level ? a : NULL; // RACE
}

int
main(void)
{
	pthread_t t;
	pid_t p;
	pthread_create(&t, NULL, w, NULL);
	p = fork();
	if (p > 0) {
		level = 1; // RACE
		waitpid(p, NULL, 0);
	} else if (p == 0)
		_exit(0);
	pthread_join(t, NULL);
	return 0;
}
