/* Like first-worker-alone-fixed.c, but the last one is left running. */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };

static struct {
	int workers, count;
	pthread_mutex_t m;
} all = {.workers = 1, .m = PTHREAD_MUTEX_INITIALIZER};

static void *
work(void *arg)
{
	pthread_mutex_lock(&all.m);
	all.count++; // RACE
	pthread_mutex_unlock(&all.m);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t[MOST];

	if (argc > 1)
		all.workers = atoi(argv[1]);
	if (all.workers > 0) {
		pthread_create(&t[0], NULL, work, NULL);
		for (int i = 1; i < all.workers; i++)
			pthread_create(&t[i], NULL, work, NULL);
		for (int i = 0; i < all.workers - 1; i++)
			pthread_join(t[i], NULL);
	}
	return all.count; // RACE
}
