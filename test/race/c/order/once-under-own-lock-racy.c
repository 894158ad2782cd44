/* The spin lock under which something is set up once orders nothing where it is taken, or the mark
 * that it has been done is set behind it. */
#include <pthread.h>
#include <stdatomic.h>

enum { WORKERS = 40 };

static atomic_int busy;
static atomic_int late;
static int state, table, sum, other, set;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
work(void *arg)
{
	while (atomic_exchange_explicit(&busy, 1, memory_order_relaxed))
		;
	if (!state) { // RACE
		table = 5; // RACE
		state = 1; // RACE
	}
	atomic_store_explicit(&busy, 0, memory_order_release);
	while (atomic_exchange_explicit(&late, 1, memory_order_acquire))
		;
	if (!set) {                                              // RACE
		atomic_store_explicit(&late, 0, memory_order_release);
		other = 1;                                       // RACE
		set = 1;                                         // RACE
	} else
		atomic_store_explicit(&late, 0, memory_order_release);
	pthread_mutex_lock(&m);
	sum += other;  // RACE
	sum += table;  // RACE
	table++;      // RACE
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
