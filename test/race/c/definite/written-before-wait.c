/* The second thread writes before it waits. */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *
first(void *arg)
{
	x = 1; // RACE definite
	sem_post(&s);
	return arg;
}

static void *
second(void *arg)
{
	x = 2; // RACE definite
	sem_wait(&s);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	sem_init(&s, 0, 0);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
