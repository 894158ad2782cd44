/* A worker is stopped by an atomic flag, and its count is read at once. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static int count;
static void *
work(void *arg)
{
	while (!atomic_load(&stop))
		count++; // RACE
	return arg;
}
int
main(void)
{
	pthread_t a;
	int seen;
	pthread_create(&a, NULL, work, NULL);
	atomic_store(&stop, 1);

	seen = count; // RACE
	pthread_join(a, NULL);
	return seen;
}
