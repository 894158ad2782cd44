/* An object is made and filled by who first asks for it, under a lock. */
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
	if (!table) {
		table = malloc(sizeof *table);
		table->size = 5; // NORACE-LIKELY
	}
	t = table;
	pthread_mutex_unlock(&m);
	return t;
}

static void *
worker(void *unused)
{
	return get()->size ? unused : NULL; // NORACE-LIKELY
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
