/* A semaphore that is posted once orders the two writes. */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *
first(void *arg)
{
	x = 1; // NORACE
	sem_post(&s);
	return arg;
}

static void *
second(void *arg)
{
	sem_wait(&s);
	x = 2; // NORACE
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
