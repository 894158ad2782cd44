/* The counter begins anew in between. */
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
	int n = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&t[n++], NULL, produce, NULL);
	n = 0;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[n++], NULL, consume, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return produced + consumed;
}
