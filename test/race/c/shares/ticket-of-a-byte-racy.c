/* A counter of one byte comes round: its numbers are given twice. */
#include <pthread.h>
#include <stdatomic.h>

static int x[256];
static atomic_uchar next;

static void *
worker(void *arg)
{
	for (int i = 0; i < 100; i++) {
		int id = atomic_fetch_add(&next, 1);
		if (id < 256)
			x[id]++; // RACE
	}
	return arg;
}

int
main(void)
{
	pthread_t t[8];

	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	return x[0];
}
