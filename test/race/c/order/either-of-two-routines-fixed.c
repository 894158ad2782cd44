/* Each round makes one of two kinds of threads. */
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

	for (int i = 0; i < 6; i++) {
		if (i % 2)
			pthread_create(&t[i], NULL, produce, NULL);
		else
			pthread_create(&t[i], NULL, consume, NULL);
	}
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	return produced + consumed;
}
