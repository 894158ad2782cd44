/* A buffer is filled, then the semaphore is posted. */
#include <pthread.h>
#include <semaphore.h>

static sem_t full;
static int buffer;

static void *
producer(void *arg)
{
	buffer = 42; // NORACE
	sem_post(&full);
	return arg;
}

static void *
consumer(void *arg)
{
	sem_wait(&full);
	if (buffer) // NORACE
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
