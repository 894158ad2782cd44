/* The cache drops and frees its entry, while a reader uses the pointer it took under the lock. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
	int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *cached;

static void *
reader(void *arg)
{
	struct entry *e;
	int v = 0;

	pthread_mutex_lock(&lock);
	e = cached; // NORACE
	pthread_mutex_unlock(&lock);
	if (e)
		v = e->value; // RACE
	return v ? arg : NULL;
}

static void *
evict(void *arg)
{
	pthread_mutex_lock(&lock);
	free(cached); // RACE
	cached = NULL; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	cached = calloc(1, sizeof *cached);
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, evict, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
