/* Counters in memory without a type, which is taken for one another.  One function counts in two
 * branches, and has forgotten the lock in one of them; another function adds up under the lock. */
#include <pthread.h>
#include <stdlib.h>

struct counts {
	long id;
	pthread_mutex_t mutex;
	long hits, misses;
};

static void *pool[16];

static void
count(struct counts *c, long kind)
{
	if (kind & 1) {
		c->hits++; // RACE
	} else if (kind & 2) {
		pthread_mutex_lock(&c->mutex);
		c->hits++;
		pthread_mutex_unlock(&c->mutex);
	} else {
		pthread_mutex_lock(&c->mutex);
		c->misses++; // NORACE-LIKELY
		pthread_mutex_unlock(&c->mutex);
	}
}

static long
sum(struct counts *c)
{
	long n;

	pthread_mutex_lock(&c->mutex);
	n = c->hits + c->misses;
	pthread_mutex_unlock(&c->mutex);
	return n;
}

static void *
work(void *arg)
{
	for (long i = 0; i < 100000; i++)
		count(pool[(long)arg], i);
	return 0;
}

int
main(void)
{
	pthread_t t;
	long n = 0;

	pool[0] = calloc(1, 160);
	pool[1] = calloc(1, 192);
	pool[2] = malloc(224);
	pool[3] = malloc(256);
	for (long i = 0; i < 4; i++)
		pthread_create(&t, 0, work, (void *)i);
	for (long i = 0; i < 4; i++)
		n += sum(pool[i]);
	return (int)n;
}
