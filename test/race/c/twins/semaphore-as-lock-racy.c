/* A semaphore that lets two pass. */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int g;

static void *
work(void *arg)
{
	sem_wait(&s);
	g++; // RACE possible
	sem_post(&s);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	sem_init(&s, 0, 2);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
