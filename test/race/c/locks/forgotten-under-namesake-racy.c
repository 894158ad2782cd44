/* Objects without a type, from one pool, are taken for one another.  One place holds a lock of
 * that name, but in another struct. */
#include <pthread.h>
#include <stdlib.h>

struct worker {
	long id;
	pthread_mutex_t mutex;
	long hits, misses;
};

struct page {
	long id;
	pthread_mutex_t mutex;
	char data[64];
	long used;
};

static void *pool[16];

static void
count_hit(struct worker *w)
{
	pthread_mutex_lock(&w->mutex);
	w->hits++;
	pthread_mutex_unlock(&w->mutex);
}

static void
count_miss(struct worker *w)
{
	pthread_mutex_lock(&w->mutex);
	w->misses++; // RACE
	pthread_mutex_unlock(&w->mutex);
}

static void
count_both(struct worker *w)
{
	pthread_mutex_lock(&w->mutex);
	w->hits++;
	w->misses++;
	pthread_mutex_unlock(&w->mutex);
}

static void
forget(struct worker *w)
{
	pthread_mutex_lock(&w->mutex);
	w->misses = 0;
	pthread_mutex_unlock(&w->mutex);
}

static long
sum(struct worker *w, struct page *p)
{
	long n;

	pthread_mutex_lock(&p->mutex);
	n = w->misses; // RACE
	p->used++;
	pthread_mutex_unlock(&p->mutex);
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
	for (long i = 4; i < 8; i++)
		pool[i] = malloc(sizeof(struct page));
	for (long i = 0; i < 4; i++)
		pthread_create(&t, 0, work, (void *)i);
	for (long i = 0; i < 4; i++)
		all += sum(pool[i], pool[i + 4]);
	return (int)all;
}
