/* Each ticket is for as many elements as the counter goes on by. But one more is taken. */
#include <pthread.h>
#include <stdatomic.h>

static int x[10000];
static atomic_long next;

static void *
worker(void *unused)
{
	for (;;) {
		long from = atomic_fetch_add(&next, 100);
		if (from >= 10000)
			return unused;
		for (long i = from; i <= from + 100; i++)
			x[i]++; // RACE
	}
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return x[0];
}
