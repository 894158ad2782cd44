/* A hash table of chains, with an array of locks beside it; each thread has its own way to choose the lock. */
#include <pthread.h>
#include <stdlib.h>

enum { BUCKETS = 16 };

struct entry {
	long key, count;
	struct entry *next;
};

static struct entry *heads[BUCKETS];
static pthread_mutex_t locks[BUCKETS];

static void
count(long key, int turn)
{
	long b = key % BUCKETS;

	pthread_mutex_lock(&locks[b / 2 + turn]);
	for (struct entry *e = heads[b]; e; e = e->next)
		if (e->key == key)
			e->count++; // RACE
	pthread_mutex_unlock(&locks[b / 2 + turn]);
}

static void *
work(void *arg)
{
	for (long k = 0; k < 100; k++)
		count(k, arg != NULL);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	for (long k = 0; k < BUCKETS; k++)
		pthread_mutex_init(&locks[k], NULL);
	for (long k = 0; k < 100; k++) {
		struct entry *e = calloc(1, sizeof *e);
		e->key = k;
		e->next = heads[k % BUCKETS];
		heads[k % BUCKETS] = e;
	}
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, heads);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
