/* A daemon: the child goes on and starts the threads, which are its own. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int n;

static void *
w(void *a)
{
	n++; // RACE
	return a;
}

static void
daemonize(void)
{
	if (fork() != 0)
		exit(0);
}

int
main(void)
{
	pthread_t t;
	daemonize();
	pthread_create(&t, NULL, w, NULL);
	n++; // RACE
	pthread_join(t, NULL);
	return 0;
}
