/* Counters per thread are summed up without their locks. */
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
	s->hits++; // RACE
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static long
sum(void)
{
	long n = 0;

	for (int i = 0; i < N; i++) {
		n += stats[i].hits; // RACE
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
