/* A worker is stopped by an atomic flag, and joined before its count is read. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static int count;
static void *
work(void *arg)
{
	while (!atomic_load(&stop))
		count++; // NORACE
	return arg;
}
int
main(void)
{
	pthread_t a;
	int seen;
	pthread_create(&a, NULL, work, NULL);
	atomic_store(&stop, 1);
	pthread_join(a, NULL);
	seen = count; // NORACE

	return seen;
}
