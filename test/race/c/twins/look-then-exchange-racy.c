/* A spin lock that looks, and then just sets. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int total;
static void
take(void)
{
	for (;;) {
		while (atomic_load(&lock))
			;
		atomic_store(&lock, 1);
		return;
	}
}
static void *
work(void *arg)
{
	take();
	total++; // RACE
	atomic_store(&lock, 0);
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
