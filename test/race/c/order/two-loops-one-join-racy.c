/* The second loop overwrites a handle of the first. */
#include <pthread.h>

static int produced, consumed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
produce(void *arg)
{
	pthread_mutex_lock(&m);
	produced++; // RACE
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

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, produce, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[1 + i], NULL, consume, NULL);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	return produced + consumed;
}
