/* A semaphore announces the result; it is read after the wait. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;
static int result;

static void *
compute(void *arg)
{
	result = 42; // NORACE
	sem_post(&done);
	return arg;
}

int
main(void)
{
	pthread_t t;

	sem_init(&done, 0, 0);
	pthread_create(&t, NULL, compute, NULL);
	pthread_detach(t);
	sem_wait(&done);
	printf("%d\n", result); // NORACE
	return 0;
}
