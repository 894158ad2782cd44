/* Objects without a type, from one pool, are taken for one another.  Their counters have a lock, which who copies all of
 * them at once has forgotten. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct counts {
	long hits, misses, bytes, errors;
};

struct worker {
	long id;
	pthread_mutex_t mutex;
	struct counts counts;
};

static void *pool[16];

static void
count_hit(struct worker *w, long n)
{
	pthread_mutex_lock(&w->mutex);
	w->counts.hits++; // RACE
	w->counts.bytes += n; // RACE
	pthread_mutex_unlock(&w->mutex);
}

static void
count_miss(struct worker *w)
{
	pthread_mutex_lock(&w->mutex);
	w->counts.misses++; // RACE
	pthread_mutex_unlock(&w->mutex);
}

static void
get(struct worker *w, struct counts *out)
{
	memcpy(out, &w->counts, sizeof *out); // RACE
}

static void *
work(void *arg)
{
	long k = (long)arg;

	count_hit(pool[k], k);
	count_miss(pool[k]);
	return 0;
}

int
main(void)
{
	pthread_t t;
	struct counts c = {0};

	pool[0] = calloc(1, 160);
	pool[1] = calloc(1, 192);
	pool[2] = malloc(224);
	pool[3] = malloc(256);
	for (long i = 0; i < 4; i++)
		pthread_create(&t, 0, work, (void *)i);
	for (long i = 0; i < 4; i++)
		get(pool[i], &c);
	return (int)c.hits;
}
