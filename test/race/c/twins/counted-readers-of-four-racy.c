/* Readers are counted, but writers wait for writers only. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int readers, writing, table;

static void
enter(int *count, int alone)
{
	pthread_mutex_lock(&m);
	while (writing)
		pthread_cond_wait(&change, &m);
	++*count;
	pthread_mutex_unlock(&m);
}

static void
leave(int *count)
{
	pthread_mutex_lock(&m);
	--*count;
	pthread_cond_broadcast(&change);
	pthread_mutex_unlock(&m);
}

static void *
reader(void *arg)
{
	int seen;

	enter(&readers, 0);
	seen = table; // RACE
	leave(&readers);
	return seen ? arg : NULL;
}

static void *
writer(void *arg)
{
	enter(&writing, 1);
	table++; // RACE
	leave(&writing);
	return arg;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, i % 2 ? writer : reader, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return table;
}
