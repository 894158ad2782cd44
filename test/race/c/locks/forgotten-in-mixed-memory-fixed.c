/* Objects without a type, from one pool, are taken for one another.  Their counters have a
 * lock beside them, which every place holds. */
#include <pthread.h>
#include <stdlib.h>

struct worker {
	long id;
	struct {
		pthread_mutex_t mutex;
		long hits, misses;
	} stats;
};

static void *pool[16];

static void
count_hit(struct worker *w)
{
	pthread_mutex_lock(&w->stats.mutex);
	w->stats.hits++;
	pthread_mutex_unlock(&w->stats.mutex);
}

static void
count_miss(struct worker *w)
{
	pthread_mutex_lock(&w->stats.mutex);
	w->stats.misses++;
	pthread_mutex_unlock(&w->stats.mutex);
}

static void
count_both(struct worker *w)
{
	pthread_mutex_lock(&w->stats.mutex);
	w->stats.hits++;
	w->stats.misses++;
	pthread_mutex_unlock(&w->stats.mutex);
}

static void
forget(struct worker *w)
{
	pthread_mutex_lock(&w->stats.mutex);
	w->stats.misses = 0;
	pthread_mutex_unlock(&w->stats.mutex);
}

static long
sum(struct worker *w)
{
	long n;

	pthread_mutex_lock(&w->stats.mutex);
	n = w->stats.misses; // NORACE-LIKELY
	pthread_mutex_unlock(&w->stats.mutex);
	return n;
}

static void *
work(void *arg)
{
	long k = (long)arg;

	count_hit(pool[k]);
	count_miss(pool[k]);
	count_both(pool[k]);
	forget(pool[k]);
	return 0;
}

int
main(int argc, char **argv)
{
	pthread_t t;
	long all = 0;

	(void)argc;
	(void)argv;
	pool[0] = calloc(1, 160);
	pool[1] = calloc(1, 192);
	pool[2] = malloc(224);
	pool[3] = malloc(256);
	for (long i = 0; i < 4; i++)
		pthread_create(&t, 0, work, (void *)i);
	for (long i = 0; i < 4; i++)
		all += sum(pool[i]);
	return (int)all;
}
