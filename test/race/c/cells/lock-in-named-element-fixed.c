/* One element of an array of structs, named by a constant, under its own lock: the same as the
 * others are under theirs, by a pointer and by an index. */
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
	e->refs++;    // NORACE
	e->hits[1]++; // NORACE
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
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&cache[i].lock);
		cache[i].refs++; // NORACE
		pthread_mutex_unlock(&cache[i].lock);
	}
	pthread_mutex_lock(&cache[5].lock);
	cache[5].refs++;    // NORACE
	cache[5].hits[1]++; // NORACE
	pthread_mutex_unlock(&cache[5].lock);
	pthread_join(t, NULL);
	return 0;
}
