/* What is set up once, by whoever finds so under a spin lock of the program's own: who finds that
 * it has been done comes after that. */
#include <pthread.h>
#include <stdatomic.h>

enum { WORKERS = 40 };

static atomic_int busy;
static int state, table, sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
work(void *arg)
{
	while (atomic_exchange_explicit(&busy, 1, memory_order_acquire))
		;
	if (!state) {     // NORACE
		table = 5; // NORACE
		state = 1; // NORACE
	}
	atomic_store_explicit(&busy, 0, memory_order_release);
	pthread_mutex_lock(&m);
	sum += table; // NORACE
	table++;      // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	return sum;
}
