/* A forked child writes to a mapping that it shares with its parent, whose thread reads there. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int *level;

static void *
w(void *a)
{
	return *level ? a : NULL; // RACE
}

int
main(void)
{
	pthread_t t;
	pid_t p;
	level = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_create(&t, NULL, w, NULL);
	p = fork();
	if (p == 0) {
		*level = 1; // RACE
		_exit(0);
	}
	waitpid(p, NULL, 0);
	pthread_join(t, NULL);
	return 0;
}
