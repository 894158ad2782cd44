/* Nobody posts the semaphore: no run is certain to reach the write behind it. */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *
first(void *arg)
{
	x = 1; // RACE !definite
	return arg;
}

static void *
second(void *arg)
{
	sem_wait(&s);
	x = 2; // RACE !definite
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
