/* An object is made and filled by who first asks for it, under a lock. But filled when the lock is given back. */
#include <pthread.h>
#include <stdlib.h>

struct table {
	int size;
};

static struct table *table;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct table *
get(void)
{
	struct table *t;

	pthread_mutex_lock(&m);
	if (!table)
		table = malloc(sizeof *table);
	t = table;
	pthread_mutex_unlock(&m);
	t->size = 5; // RACE
	return t;
}

static void *
worker(void *unused)
{
	return get()->size ? unused : NULL; // RACE
}

int
main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return get()->size;
}
