/* A buffer is filled after the semaphore was posted. */
#include <pthread.h>
#include <semaphore.h>

static sem_t full;
static int buffer;

static void *
producer(void *arg)
{
	sem_post(&full);
	buffer = 42; // RACE
	return arg;
}

static void *
consumer(void *arg)
{
	sem_wait(&full);
	if (buffer) // RACE
		arg = NULL;
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	sem_init(&full, 0, 0);
	pthread_create(&a, NULL, producer, NULL);
	pthread_create(&b, NULL, consumer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
