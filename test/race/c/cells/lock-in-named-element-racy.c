/* One element of an array of structs, named by a constant, under the lock of its
 * neighbour: not the lock that others hold who come to it by a pointer. */
#include <pthread.h>

struct entry {
	int refs;
	pthread_mutex_t lock;
	int hits[2];
};

static struct entry cache[10];

static void
touch(struct entry *e)
{
	pthread_mutex_lock(&e->lock);
	e->refs++;    // RACE
	e->hits[1]++; // RACE
	pthread_mutex_unlock(&e->lock);
}

static void *
worker(void *arg)
{
	for (int i = 0; i < 10; i++)
		touch(&cache[i]);
	return arg;
}

int
main(void)
{
	pthread_t t;

	for (int i = 0; i < 10; i++)
		pthread_mutex_init(&cache[i].lock, NULL);
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&cache[4].lock);
	cache[5].refs++;    // RACE
	cache[5].hits[1]++; // RACE
	pthread_mutex_unlock(&cache[4].lock);
	pthread_join(t, NULL);
	return 0;
}
