/* A struct with one guarded and one unguarded member, read without the lock. */
#include <pthread.h>
#include <stdio.h>

struct stats {
	int hits;
	int misses;
};

static struct stats stats;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
count(int hit)
{
	if (hit)
		stats.hits++;
	pthread_mutex_lock(&lock);
	stats.misses++;
	pthread_mutex_unlock(&lock);
}

static void *
worker(void *arg)
{
	for (int i = 0; i < 10; i++)
		count(i & 1);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	printf("%d\n", stats.misses);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", stats.hits);
	return 0;
}
