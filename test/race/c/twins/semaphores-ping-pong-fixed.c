/* Two semaphores of which one starts with 1 hand a ball to and fro. */
#include <pthread.h>
#include <semaphore.h>
static sem_t ping, pong;
static int ball;
static void *
a(void *u)
{
	for (int i = 0; i < 5; i++) {
		sem_wait(&ping);
		ball++; // NORACE-LIKELY
		sem_post(&pong);
	}
	return 0;
}
static void *
b(void *u)
{
	for (int i = 0; i < 5; i++) {
		sem_wait(&pong);
		ball--; // NORACE-LIKELY
		sem_post(&ping);
	}
	return 0;
}
int
main(void)
{
	pthread_t x, y;
	sem_init(&ping, 0, 1);
	sem_init(&pong, 0, 0);
	pthread_create(&x, 0, a, 0);
	pthread_create(&y, 0, b, 0);
	pthread_join(x, 0);
	pthread_join(y, 0);
	return ball;
}
