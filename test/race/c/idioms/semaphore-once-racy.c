/* The result is read before the semaphore that announces it was waited for. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;
static int result;

static void *
compute(void *arg)
{
	result = 42; // RACE
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
	printf("%d\n", result); // RACE
	sem_wait(&done);
	return 0;
}
