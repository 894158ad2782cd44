/* Ping-pong by two semaphores. */
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int ball;

static void *
first(void *arg)
{
	for (int i = 0; i < 10; i++) {
		sem_wait(&ping);
		ball++; // NORACE-LIKELY
		sem_post(&pong);
	}
	return arg;
}

static void *
second(void *arg)
{
	for (int i = 0; i < 10; i++) {
		sem_wait(&pong);
		ball--; // NORACE-LIKELY
		sem_post(&ping);
	}
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	sem_init(&ping, 0, 1);
	sem_init(&pong, 0, 0);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
