/* Two semaphores that both start with 1 let both players in at once. */
#include <pthread.h>
#include <semaphore.h>
static sem_t ping, pong;
static int ball;
static void *
a(void *u)
{
	for (int i = 0; i < 5; i++) {
		sem_wait(&ping);
		ball++; // RACE
		sem_post(&pong);
	}
	return 0;
}
static void *
b(void *u)
{
	for (int i = 0; i < 5; i++) {
		sem_wait(&pong);
		ball--; // RACE
		sem_post(&ping);
	}
	return 0;
}
int
main(void)
{
	pthread_t x, y;
	sem_init(&ping, 0, 1);
	sem_init(&pong, 0, 1);
	pthread_create(&x, 0, a, 0);
	pthread_create(&y, 0, b, 0);
	pthread_join(x, 0);
	pthread_join(y, 0);
	return ball;
}
