/* A semaphore is tried, and the work done where that failed. */
#include <pthread.h>
#include <semaphore.h>

static sem_t permit;
static int total;
static void *
work(void *arg)
{
	if (sem_trywait(&permit) != 0) {
		total++; // RACE
		sem_post(&permit);
	}
	return arg;
}
int
main(void)
{
	pthread_t a, b;
	sem_init(&permit, 0, 1);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
