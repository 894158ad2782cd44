/* Threads are made one by one, and joined by a loop. */
#include <pthread.h>

static int produced, consumed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
produce(void *arg)
{
	pthread_mutex_lock(&m);
	produced++; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
consume(void *arg)
{
	pthread_mutex_lock(&m);
	consumed++;
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t t[6];

	pthread_create(&t[0], NULL, produce, NULL);
	pthread_create(&t[1], NULL, consume, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return produced + consumed;
}
