/* Counters per thread, each under its lock, are summed up under these locks. */
#include <pthread.h>

#define N 4
struct stats {
	pthread_mutex_t lock;
	long hits;
};

static struct stats stats[N];

static void *
work(void *arg)
{
	struct stats *s = &stats[(long)arg];

	pthread_mutex_lock(&s->lock);
	s->hits++; // NORACE
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static long
sum(void)
{
	long n = 0;

	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&stats[i].lock);
		n += stats[i].hits; // NORACE
		pthread_mutex_unlock(&stats[i].lock);
	}
	return n;
}

int
main(void)
{
	pthread_t t[N];
	long n;

	for (int i = 0; i < N; i++)
		pthread_mutex_init(&stats[i].lock, NULL);
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	n = sum();
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return n > 0;
}
